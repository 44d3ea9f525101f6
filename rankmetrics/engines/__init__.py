"""The engines that run the query: one file each.

An engine runs the query over the tables of one library, such as Polars, and returns tables of the same kind.

`base`: `Engine`, and the inputs as an engine sees them; `polars`, `duckdb`, `spark`, `ibis`, `database`: an engine
each; `out_of_core` is Polars within a memory limit; `opening`: which engine takes which kind of input; `files`,
`text_files`, `lakehouse`, `selects`, `arrow`: kinds of inputs, and how files are written; `connections`: databases by
address, their drivers, and where results are written.

A new engine is a file with a subclass of `Engine` and the line `ENGINE = NameOfTheClass`, an entry in `ENGINES` of
`opening` (and in `CONNECTED`, if users give a connection), and an `Engine` in `OTHERS` of tests/support/engines.py,
which names the metrics that it cannot run. `pytest tests/engines/test_every_metric.py -k NAME` then runs every metric
on it.
"""
