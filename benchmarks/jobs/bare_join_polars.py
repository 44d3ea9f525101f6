"""What Polars takes for the join that any such metric needs, and nothing else."""

import sys
from pathlib import Path

import polars as pl

folder = Path(sys.argv[1])
recs = pl.scan_parquet(folder / "recs.parquet").filter(pl.col("rank") <= 20)
truth = pl.scan_parquet(folder / "truth.parquet")
print(recs.join(truth, on=["user", "item"]).select(pl.len()).collect())
