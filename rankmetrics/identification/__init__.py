"""Finds out which definition a function computes, by its answers to small problems.

`problems`: the problems, read from sql/problems.toml; `calls`: calls of a function on them; `search`: the definitions
of the catalogue and their values on the problems; `identify`: the definition that has the function's values;
`conformance`: the problems and values as JSON, for other languages. `problems` and `calls` import only what Python has.
"""
