"""Metrics: the files of sql/, their labels, parameters, and other libraries' conventions.

`definition`, `parameter`: files of sql/ as values; sql/README.md lists what their headers may say; `catalog`: these
values by name; `metric`: a metric as text and as a value; `own`: `rm.define`: metrics of the user; `summaries`,
`intervals`: aggregates of per-list values, and their intervals; `conventions`: the files of sql/conventions.
"""
