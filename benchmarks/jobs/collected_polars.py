"""The metrics over two lazy frames, computed and checked: the folder, then the metrics."""

import json
import sys
from pathlib import Path

import polars as pl

import rankmetrics as rm

folder, metrics = Path(sys.argv[1]), sys.argv[2:]
recs, truth = pl.scan_parquet(folder / "recs.parquet"), pl.scan_parquet(folder / "truth.parquet")
result = rm.evaluate(recs, truth, metrics)
print(json.dumps(result.collect().drop("n_missing").rows()))
