"""Milliseconds from metrics to a lazy query over empty frames: the folder, which is not read, then the metrics.

`imports` is what comes before: importing what rankmetrics builds on. `cold` is the first planning of the process, with
the import of rankmetrics, which `modules` is, and the reading of sql/; `warm` the median of others, of all metrics but
one each; `repeated` the median of the first again.
"""

import json
import sys
from statistics import median
from time import perf_counter

TIMES = 6


def milliseconds_since(start: float) -> float:
    """The time that passed."""
    return (perf_counter() - start) * 1000


start = perf_counter()
import polars as pl  # noqa: E402
import sqlglot  # noqa: E402, F401

imports = milliseconds_since(start)

metrics = sys.argv[2:]
truth = pl.LazyFrame(schema={"user": pl.Int64, "item": pl.Int64, "rating": pl.Float64})
recs = pl.LazyFrame(schema={"user": pl.Int64, "item": pl.Int64, "score": pl.Float64, "rank": pl.Int32})

start = perf_counter()
from rankmetrics import Result, evaluate  # noqa: E402, F401  # imported when first used, and Result in any planning

modules = milliseconds_since(start)


def plan(asked: list[str]) -> float:
    """Plan once, and say how long it took."""
    start = perf_counter()
    evaluate(recs, truth, asked).summary()
    return milliseconds_since(start)


plan(metrics)
cold = milliseconds_since(start)
warm = median(plan([*metrics[:left_out], *metrics[left_out + 1 :]]) for left_out in range(min(len(metrics), TIMES)))
repeated = median(plan(metrics) for _ in range(TIMES))
print(json.dumps({"imports": imports, "modules": modules, "cold": cold, "warm": warm, "repeated": repeated}))
