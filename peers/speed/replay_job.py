"""RePlay over two frames of Polars: all 18 numbers, by `OfflineMetrics`, which shares what they have in common."""

import json
import sys
from pathlib import Path

import polars as pl
from replay.metrics import MAP, MRR, NDCG, HitRate, OfflineMetrics, Precision, Recall

CUTOFFS = [5, 10, 20]
METRICS = {"ndcg": NDCG, "recall": Recall, "precision": Precision, "ap": MAP, "rr": MRR, "hit": HitRate}

folder = Path(sys.argv[1])
recs = pl.read_parquet(folder / "recs.parquet", columns=["user", "item", "score"])
truth = pl.read_parquet(folder / "truth.parquet", columns=["user", "item"])
measure = OfflineMetrics(
    [metric(CUTOFFS) for metric in METRICS.values()], query_column="user", item_column="item", rating_column="score"
)
found = measure(recs, truth)
print(json.dumps({f"{name}@{k}": found[f"{of.__name__}@{k}"] for name, of in METRICS.items() for k in CUTOFFS}))
