"""The six metrics as one would first write them in Polars, correct and straightforward: arguments as of hand_duckdb.py.

The plan is that of first_duckdb.py.
"""

import json
import sys
from pathlib import Path

import polars as pl
from asked import CUTOFFS, DEEPEST, METRICS

folder, _, shared, *by = Path(sys.argv[1]), *sys.argv[2:]
owner = shared.split(",")
a_list = [*by, *owner]
recs, truth = (pl.scan_parquet(folder / f"{name}.parquet") for name in ("recs", "truth"))
rank, relevant, n, place = (pl.col(name) for name in ("rank", "relevant", "n", "place"))

judged = (
    recs.filter(rank <= DEEPEST)
    .join(truth, on=[*owner, "item"], how="left")
    .with_columns(relevant=(pl.col("rating") > 0).fill_null(False))
    .sort(*a_list, "rank")
    .with_columns(hits=relevant.cum_sum().over(a_list))
)
found = judged.group_by(a_list).agg(
    one.alias(f"{name}_{k}")
    for k in CUTOFFS
    for name, one in {
        "dcg": (relevant / (rank + 1).log(2)).filter(rank <= k).sum(),
        "hits": relevant.filter(rank <= k).sum(),
        "precisions": (relevant * pl.col("hits") / rank).filter(rank <= k).sum(),
        "first": rank.filter((rank <= k) & relevant).min(),
    }.items()
)
best = truth.filter(pl.col("rating") > 0).with_columns(
    place=pl.col("rating").rank("ordinal", descending=True).over(owner)
)
ideal = best.group_by(owner).agg(
    pl.len().alias("n"),
    *((1 / (place + 1).log(2)).filter(place <= k).sum().alias(f"ideal_{k}") for k in CUTOFFS),
)
lists = found.select(by).unique().join(ideal, how="cross") if by else ideal
metrics = lists.join(found, on=a_list, how="left").select(
    *by,
    *(
        one.fill_null(0).alias(f"{name}@{k}")
        for k in CUTOFFS
        for name, one in {
            "ndcg": pl.col(f"dcg_{k}") / pl.col(f"ideal_{k}"),
            "recall": pl.col(f"hits_{k}") / n,
            "precision": pl.col(f"hits_{k}") / k,
            "ap": pl.col(f"precisions_{k}") / pl.min_horizontal(n, k),
            "rr": 1 / pl.col(f"first_{k}"),
            "hit": (pl.col(f"hits_{k}") > 0).cast(pl.Int64),
        }.items()
    ),
)
means = [pl.len().alias("lists"), *(pl.col(f"{name}@{k}").mean() for name in METRICS for k in CUTOFFS)]
summary = metrics.group_by(by).agg(means).sort(by) if by else metrics.select(means)
print(json.dumps(summary.collect().rows()))
