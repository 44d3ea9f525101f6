"""What DuckDB takes to read and add up every column of the recommendations, and nothing else: the folder."""

import sys
from pathlib import Path

import duckdb

recs = str(Path(sys.argv[1]) / "recs.parquet")
print(duckdb.execute("SELECT count(*), sum(COLUMNS(*)) FROM read_parquet($recs)", {"recs": recs}).fetchall())
