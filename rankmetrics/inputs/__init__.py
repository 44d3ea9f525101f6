"""The inputs of an evaluation: their names, types and columns, and the role of each column.

`sources`: the inputs; `roles`: the one table of roles and names; `columns`: columns as values: types with the same
meaning on every engine, the `Layout`, and the messages of sql/messages.toml; `layout`: the matcher, which assigns the
columns of a schema to roles and lists; `shapes`: inputs with several items in a row; `negatives`, `assumptions`:
samples of candidates; what the caller says of the rows. A name of a column is added in `roles`, and nowhere else.
"""
