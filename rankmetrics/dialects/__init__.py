"""Dialects: how each database writes the query."""
