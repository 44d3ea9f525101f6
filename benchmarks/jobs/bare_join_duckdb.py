"""What DuckDB takes for the join that any such metric needs, and nothing else."""

import sys
from pathlib import Path

import duckdb

folder = Path(sys.argv[1])
joined = duckdb.execute(
    "SELECT count(*) FROM read_parquet($recs) AS recs JOIN read_parquet($truth) AS truth USING (user, item) "
    "WHERE recs.rank <= 20",
    {"recs": str(folder / "recs.parquet"), "truth": str(folder / "truth.parquet")},
)
print(joined.fetchall())
