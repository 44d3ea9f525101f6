"""The metrics over two files, computed and checked, as README tells people to: the folder, then the metrics."""

import json
import sys
from pathlib import Path

import rankmetrics as rm

folder, metrics = Path(sys.argv[1]), sys.argv[2:]
result = rm.evaluate(folder / "recs.parquet", folder / "truth.parquet", metrics)
print(json.dumps(result.collect().drop("n_missing").rows()))
