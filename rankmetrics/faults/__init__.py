"""Errors and warnings that only the data can cause."""
