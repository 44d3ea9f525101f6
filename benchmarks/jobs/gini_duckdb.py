"""The Gini coefficient of what a whole system recommends, over files, by DuckDB."""

import sys
from pathlib import Path

import rankmetrics as rm

folder = Path(sys.argv[1])
recs, truth, items = (folder / f"{name}.parquet" for name in ("recs", "truth", "items"))
print(rm.evaluate(recs, truth, ["gini"], missing="listed", catalog=items).summary().fetchall())
