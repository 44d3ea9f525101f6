"""The six metrics by the best plan we know for Polars that has a value for every list; as per_list_duckdb.py."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
from asked import CUTOFFS, DEEPEST, ideal

folder, counted = Path(sys.argv[1]), sys.argv[2]
recs, truth = (pl.scan_parquet(folder / f"{name}.parquet") for name in ("recs", "truth"))
rank, n = pl.col("rank"), pl.col("n")

found = recs.filter(rank <= DEEPEST).join(truth, on=["user", "item"]).select("user", "rank")
hits = found.with_columns(nth=rank.rank("ordinal").over("user"))
SUMS: dict[str, Callable[[int], pl.Expr]] = {
    "dcg": lambda k: (1 / (rank + 1).log(2)).filter(rank <= k).sum(),
    "hits": lambda k: (rank <= k).sum(),
    "precisions": lambda k: (pl.col("nth") / rank).filter(rank <= k).sum(),
    "first": lambda k: rank.filter(rank <= k).min(),
}
sums = hits.group_by("user").agg(one(k).alias(f"{name}_{k}") for name, one in SUMS.items() for k in CUTOFFS)
table = {f"ideal_{k}": [ideal(places, k) for places in range(1, DEEPEST + 1)] for k in CUTOFFS}
lists = (
    truth.group_by("user")
    .agg(n=pl.col("item").n_unique() if counted == "once" else pl.len())
    .join(sums, on="user", how="left")
    .with_columns(places=pl.min_horizontal(n, pl.lit(DEEPEST, pl.UInt32)))
    .join(pl.LazyFrame(table).with_row_index("places", 1), on="places")
)


def summed(name: str, k: int) -> pl.Expr:
    """What was summed over the hits of a list; 0 where it has none."""
    return pl.col(f"{name}_{k}").fill_null(0)


FORMULAS: tuple[Callable[[int], pl.Expr], ...] = (
    lambda k: summed("dcg", k) / pl.col(f"ideal_{k}"),
    lambda k: summed("hits", k) / n,
    lambda k: summed("hits", k) / k,
    lambda k: summed("precisions", k) / pl.min_horizontal(n, k),
    lambda k: (1 / pl.col(f"first_{k}")).fill_null(0),
    lambda k: (summed("hits", k) > 0).cast(pl.Float64),
)
means = [one(k).mean().alias(f"{place}@{k}") for place, one in enumerate(FORMULAS) for k in CUTOFFS]
print(json.dumps(lists.select(pl.len(), *means).collect(engine="streaming").rows()))
