"""The inputs of an evaluation: their names, types and columns, and the role of each column."""
