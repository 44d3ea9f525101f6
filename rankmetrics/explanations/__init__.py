"""Explanations of a query and of a metric: what it reads, and in which order."""
