"""The six metrics by the best plan we know for DuckDB that has a value for every list, written by hand.

Arguments: the folder; `rows`, or `once` to count an item once that the truth of a list repeats, as rankmetrics does.
Hits first, numbered by a window, all sums over them in one pass; the best DCG is looked up by the number of relevant
items. What is taken for granted is what hand_duckdb.py takes.
"""

import json
import sys
from pathlib import Path

import duckdb
from asked import CUTOFFS, DEEPEST, ideal

folder, counted = Path(sys.argv[1]), sys.argv[2]
recs, truth = (f"read_parquet('{folder}/{name}.parquet')" for name in ("recs", "truth"))
SUMS = """
    sum(1 / log2(rank + 1)) FILTER (rank <= {k}) AS dcg_{k}, count(*) FILTER (rank <= {k}) AS hits_{k},
    sum(nth / rank) FILTER (rank <= {k}) AS precisions_{k}, min(rank) FILTER (rank <= {k}) AS first_{k}
"""
FORMULAS = (
    "avg(coalesce(dcg_{k}, 0) / ideal_{k})",
    "avg(coalesce(hits_{k}, 0) / n)",
    "avg(coalesce(hits_{k}, 0) / {k})",
    "avg(coalesce(precisions_{k}, 0) / least(n, {k}))",
    "avg(coalesce(1 / first_{k}, 0))",
    "avg(CASE WHEN hits_{k} > 0 THEN 1 ELSE 0 END)",
)
COUNTED = {"rows": "count(*)", "once": "count(DISTINCT item)"}[counted]
IDEAL = ", ".join(f"({n}, {', '.join(repr(ideal(n, k)) for k in CUTOFFS)})" for n in range(1, DEEPEST + 1))
QUERY = f"""
    WITH
    found AS MATERIALIZED (
        SELECT user, rank FROM {recs} AS recs JOIN {truth} USING (user, item) WHERE rank <= {DEEPEST}
    ),
    hits AS (SELECT *, row_number() OVER (PARTITION BY user ORDER BY rank) AS nth FROM found),
    sums AS (SELECT user, {", ".join(SUMS.format(k=k) for k in CUTOFFS)} FROM hits GROUP BY user),
    sizes AS (SELECT user, {COUNTED} AS n FROM {truth} GROUP BY user),
    ideal(places, {", ".join(f"ideal_{k}" for k in CUTOFFS)}) AS (VALUES {IDEAL})
    SELECT count(*), {", ".join(one.format(k=k) for one in FORMULAS for k in CUTOFFS)}
    FROM sizes LEFT JOIN sums USING (user) JOIN ideal ON least(n, {DEEPEST}) = places
"""
print(json.dumps(duckdb.execute(QUERY).fetchall()))
