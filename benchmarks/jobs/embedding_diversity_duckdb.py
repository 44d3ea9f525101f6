"""The diversity of lists by the embeddings of their items, over files, by DuckDB."""

import sys
from pathlib import Path

import rankmetrics as rm

folder = Path(sys.argv[1])
recs, truth, items = (folder / f"{name}.parquet" for name in ("recs", "truth", "items"))
print(rm.evaluate(recs, truth, ["embedding_diversity@20"], items=items).summary().fetchall())
