"""What Polars takes for the join that any such metric needs, up to rank 20 where there are ranks, and nothing else.

Arguments are those of hand_duckdb.py.
"""

import sys
from pathlib import Path

import polars as pl

folder, ranked_by, shared, *_ = Path(sys.argv[1]), *sys.argv[2:]
recs, truth = (pl.scan_parquet(folder / f"{name}.parquet") for name in ("recs", "truth"))
if ranked_by == "rank":
    recs = recs.filter(pl.col("rank") <= 20)
print(recs.join(truth, on=[*shared.split(","), "item"]).select(pl.len()).collect(engine="streaming"))
