"""What it takes to import what rankmetrics builds on."""

import duckdb  # noqa: F401
import polars  # noqa: F401, ICN001
import sqlglot  # noqa: F401
