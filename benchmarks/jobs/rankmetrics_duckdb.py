"""The metrics over two files, by DuckDB: the folder, then the metrics."""

import json
import sys
from pathlib import Path

import rankmetrics as rm

folder, metrics = Path(sys.argv[1]), sys.argv[2:]
print(json.dumps(rm.evaluate(folder / "recs.parquet", folder / "truth.parquet", metrics).summary().fetchall()))
