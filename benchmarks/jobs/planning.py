"""Milliseconds from metrics to a lazy query over empty frames: the folder, which is not read, then the metrics.

`imports` is what comes before: importing what rankmetrics builds on. `cold` is the first planning of the process, with
the import of rankmetrics, which `modules` is, and the reading of sql/; `warm` the median of 20 more.
"""

import json
import sys
from statistics import median
from time import perf_counter


def milliseconds_since(start: float) -> float:
    """The time that passed."""
    return (perf_counter() - start) * 1000


start = perf_counter()
import duckdb  # noqa: E402, F401
import polars as pl  # noqa: E402
import sqlglot  # noqa: E402, F401

imports = milliseconds_since(start)

metrics = sys.argv[2:]
truth = pl.LazyFrame(schema={"user": pl.Int64, "item": pl.Int64, "rating": pl.Float64})
recs = pl.LazyFrame(schema={"user": pl.Int64, "item": pl.Int64, "score": pl.Float64, "rank": pl.Int32})

start = perf_counter()
from rankmetrics import Result, evaluate  # noqa: E402, F401  # imported when first used, and Result in any planning

modules = milliseconds_since(start)


def plan() -> float:
    """Plan once, and say how long it took."""
    start = perf_counter()
    evaluate(recs, truth, metrics).summary()
    return milliseconds_since(start)


plan()
cold = milliseconds_since(start)
warm = median(plan() for _ in range(20))
print(json.dumps({"imports": imports, "modules": modules, "cold": cold, "warm": warm}))
