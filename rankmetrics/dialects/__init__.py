"""Dialects: how each database writes the query.

`model`: what a `Dialect` holds, and functions that several of them share; `rewrites`: corrections of SQL that several
dialects share; `databases`: a value per database, with the rewrites of one database above its value; `base`: finds the
dialects, and writes a query as text.

If one database needs other SQL, write a rewrite or add a field to `Dialect`: metrics do not know databases, and no code
tests for the name of a dialect.
"""
