"""The six metrics by the best plan we know for Polars, written by hand; arguments and plan are those of hand_duckdb.py.

The streaming engine does all of it for less than the other one, and in less memory.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
from asked import CUTOFFS, DEEPEST, ideal

folder, ranked_by, shared, *by = Path(sys.argv[1]), *sys.argv[2:]
owner = shared.split(",")
a_list = [*by, *owner]
recs, truth = (pl.scan_parquet(folder / f"{name}.parquet") for name in ("recs", "truth"))
rank, nth, n, hits = (pl.col(name) for name in ("rank", "nth", "n", "hits"))

if ranked_by != "rank":  # in list order or shuffled, whatever sorts the lists costs more
    recs = recs.select(*a_list, "item", rank=pl.col("score").rank("ordinal", descending=True).over(a_list))
found = recs.filter(rank <= DEEPEST).join(truth, on=[*owner, "item"], how="semi").select(*a_list, "rank")
# What a window would number, for less: there are few hits in a list.
better = found.rename({"rank": "other"})
numbered = found.join(better, on=a_list).filter(pl.col("other") <= rank).group_by(*a_list, "rank").agg(nth=pl.len())
sizes = truth.group_by(owner).agg(n=pl.len())
counted = numbered.join(sizes, on=owner).group_by(*by, "rank", "nth", "n").agg(hits=pl.len())

table = {f"ideal_{k}": [ideal(places, k) for places in range(1, DEEPEST + 1)] for k in CUTOFFS}
places = pl.min_horizontal(n, pl.lit(DEEPEST, pl.UInt32))
FORMULAS: tuple[Callable[[int], pl.Expr], ...] = (
    lambda k: hits / (rank + 1).log(2) / pl.col(f"ideal_{k}"),
    lambda k: hits / n,
    lambda k: hits / k,
    lambda k: hits * nth / rank / pl.min_horizontal(n, k),
    lambda k: pl.when(nth == 1).then(hits / rank),
    lambda k: pl.when(nth == 1).then(hits),
)
means = [
    (formula(k).filter(rank <= k).sum() / pl.col("lists").first()).alias(f"{number}@{k}")
    for number, formula in enumerate(FORMULAS)
    for k in CUTOFFS
]
summary = (
    counted.with_columns(places=places)
    .join(pl.LazyFrame(table).with_row_index("places", 1), on="places")
    .join(sizes.select(lists=pl.len()), how="cross")
    .group_by(*by, "lists")
    .agg(means)
    .sort(*by, "lists")
)
print(json.dumps(summary.collect(engine="streaming").rows()))
