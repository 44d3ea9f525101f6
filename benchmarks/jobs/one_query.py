"""A process that imports DuckDB and counts the rows of the recommendations: the folder."""

import sys
from pathlib import Path

import duckdb

print(duckdb.execute(f"SELECT count(*) FROM '{Path(sys.argv[1]) / 'recs.parquet'}'").fetchall())
