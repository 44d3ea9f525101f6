"""Reads and edits SQL trees; no other code depends on how SQLGlot builds a query from nodes.

`tree`: find, replace, quote; `relations`: the tables that a SELECT reads, and the conditions on its rows; `ids`: the
columns in place of `list_id` and other ids; `aggregation`: aggregates, split and filtered; `parameters`: values in
place of placeholders; `steps`: files of sql/ composed into one query; `names`: column names that differ from those of
the user.
"""
