"""The inputs of an evaluation: their names, types and columns, and the role of each column.

`sources`: the inputs, and the usual names of their columns; `columns`: columns as values: types with the same meaning
on every engine, roles, the `Layout`; `layout`, `list_columns`: the assignment of roles; list columns and their names
in other inputs; `shapes`: inputs with several items in a row; `negatives`, `assumptions`: samples of candidates; what
the caller says of the rows.
"""
