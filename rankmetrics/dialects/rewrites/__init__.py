"""Rewrites: functions that change a query in place where a database needs other SQL for the same number.

The planner writes a query as DuckDB reads it, and sqlglot translates its words. A rewrite is for what sqlglot does not
know: a literal translation would be refused or, worse, would run and return another number. The first line of a rewrite
is an example, before → after; below it stands the reason. `docs/dialects.md` is written from both.
"""
