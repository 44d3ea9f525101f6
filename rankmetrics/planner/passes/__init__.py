"""Optimizations, a module each: the query with a pass and without it returns the same."""
