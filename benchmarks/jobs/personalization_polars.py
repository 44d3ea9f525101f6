"""How much the lists of a whole system differ, over lazy frames, by Polars."""

import sys
from pathlib import Path

import polars as pl

import rankmetrics as rm

folder = Path(sys.argv[1])
recs, truth = (pl.scan_parquet(folder / f"{name}.parquet") for name in ("recs", "truth"))
print(rm.evaluate(recs, truth, ["personalization"], missing="listed").summary().collect(engine="streaming"))
