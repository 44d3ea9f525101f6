"""RecTools over two files: all 18 numbers, in one call of `calc_metrics`.

Its NDCG divides by a list with hits at all k places, by default; its MAP by all relevant items.
"""

import json
import sys
from pathlib import Path

import pandas as pd
from rectools import Columns
from rectools.metrics import MAP, MRR, NDCG, HitRate, Precision, Recall, calc_metrics

CUTOFFS = (5, 10, 20)
METRICS = {"ndcg": NDCG, "recall": Recall, "precision": Precision, "ap": MAP, "rr": MRR, "hit": HitRate}

folder = Path(sys.argv[1])
names = {"user": Columns.User, "item": Columns.Item, "rank": Columns.Rank}
recs = pd.read_parquet(folder / "recs.parquet", columns=["user", "item", "rank"]).rename(columns=names)
truth = pd.read_parquet(folder / "truth.parquet", columns=["user", "item"]).rename(columns=names)
asked = {f"{name}@{k}": metric(k=k) for name, metric in METRICS.items() for k in CUTOFFS}
print(json.dumps(calc_metrics(asked, recs, truth), default=float))
