"""What DuckDB takes for the join that any such metric needs, up to rank 20 where there are ranks, and nothing else.

Arguments are those of hand_duckdb.py.
"""

import sys
from pathlib import Path

import duckdb

folder, ranked_by, shared, *_ = Path(sys.argv[1]), *sys.argv[2:]
joined = duckdb.execute(
    f"SELECT count(*) FROM read_parquet($recs) AS recs JOIN read_parquet($truth) AS truth USING ({shared}, item) "
    + ("WHERE recs.rank <= 20" if ranked_by == "rank" else ""),
    {"recs": str(folder / "recs.parquet"), "truth": str(folder / "truth.parquet")},
)
print(joined.fetchall())
