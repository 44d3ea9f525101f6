"""What DuckDB takes to count the recommendations of each item, and nothing else."""

import sys
from pathlib import Path

import duckdb

folder = Path(sys.argv[1])
counted = duckdb.execute(
    "SELECT count(*), sum(n) FROM (SELECT item, count(*) AS n FROM read_parquet($recs) GROUP BY item)",
    {"recs": str(folder / "recs.parquet")},
)
print(counted.fetchall())
