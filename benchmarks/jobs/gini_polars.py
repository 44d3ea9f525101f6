"""The Gini coefficient of what a whole system recommends, over lazy frames, by Polars."""

import sys
from pathlib import Path

import polars as pl

import rankmetrics as rm

folder = Path(sys.argv[1])
recs, truth, items = (pl.scan_parquet(folder / f"{name}.parquet") for name in ("recs", "truth", "items"))
print(rm.evaluate(recs, truth, ["gini"], missing="listed", catalog=items).summary().collect(engine="streaming"))
