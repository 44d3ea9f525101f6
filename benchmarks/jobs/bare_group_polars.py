"""What Polars takes to count the recommendations of each item, and nothing else."""

import sys
from pathlib import Path

import polars as pl

folder = Path(sys.argv[1])
counted = pl.scan_parquet(folder / "recs.parquet").group_by("item").agg(n=pl.len())
print(counted.select(items=pl.len(), recs=pl.col("n").sum()).collect(engine="streaming"))
