"""How much the lists of a whole system differ, over files, by DuckDB."""

import sys
from pathlib import Path

import rankmetrics as rm

folder = Path(sys.argv[1])
recs, truth = (folder / f"{name}.parquet" for name in ("recs", "truth"))
print(rm.evaluate(recs, truth, ["personalization"], missing="listed").summary().fetchall())
