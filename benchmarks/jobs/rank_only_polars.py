"""What Polars takes to rank the recommendations of every list by score, and nothing else: the folder."""

import sys
from pathlib import Path

import polars as pl

recs = pl.scan_parquet(Path(sys.argv[1]) / "recs.parquet")
rank = pl.col("score").rank("ordinal", descending=True).over("user")
print(recs.select("user", "item", rank=rank).sum().collect(engine="streaming"))
