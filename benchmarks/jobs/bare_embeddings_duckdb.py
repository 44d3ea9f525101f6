"""What DuckDB takes to add up all numbers of the embeddings of what was recommended, once each, and nothing else."""

import sys
from pathlib import Path

import duckdb

folder = Path(sys.argv[1])
added = duckdb.execute(
    "SELECT count(*), sum(list_sum(items.embedding)) "
    "FROM read_parquet($recs) AS recs JOIN read_parquet($items) AS items USING (item) WHERE recs.rank <= 20",
    {"recs": str(folder / "recs.parquet"), "items": str(folder / "items.parquet")},
)
print(added.fetchall())
