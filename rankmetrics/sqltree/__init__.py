"""Reads and edits SQL trees; no other code depends on how SQLGlot builds a query from nodes."""
