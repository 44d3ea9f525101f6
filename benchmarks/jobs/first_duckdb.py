"""The six metrics as one would first write them in SQL, correct and straightforward: arguments as of hand_duckdb.py.

Every recommendation up to the deepest cutoff is looked up in the truth, and hits are numbered; the best list there is
comes of the truth in its best order.
"""

import json
import sys
from pathlib import Path

import duckdb
from asked import CUTOFFS, DEEPEST

folder, _, shared, *by = Path(sys.argv[1]), *sys.argv[2:]
recs, truth = (f"read_parquet('{folder}/{name}.parquet') AS {name}" for name in ("recs", "truth"))
LIST, BY = ",".join([*by, shared]), "".join(f"{name}," for name in by)


def each(*formulas: str) -> str:
    """Formulas at every cutoff."""
    return ", ".join(formula.format(k=k) for formula in formulas for k in CUTOFFS)


QUERY = f"""
    WITH
    judged AS (
        SELECT {LIST}, rank, CASE WHEN rating > 0 THEN 1 ELSE 0 END AS relevant
        FROM {recs} LEFT JOIN {truth} USING ({shared}, item)
        WHERE rank <= {DEEPEST}
    ),
    numbered AS (SELECT *, sum(relevant) OVER (PARTITION BY {LIST} ORDER BY rank) AS hits FROM judged),
    found AS (
        SELECT {LIST}, {
    each(
        "sum(relevant / log2(rank + 1)) FILTER (rank <= {k}) AS dcg_{k}",
        "sum(relevant) FILTER (rank <= {k}) AS hits_{k}",
        "sum(relevant * hits / rank) FILTER (rank <= {k}) AS precisions_{k}",
        "min(rank) FILTER (rank <= {k} AND relevant = 1) AS first_{k}",
    )
}
        FROM numbered
        GROUP BY {LIST}
    ),
    best AS (
        SELECT {shared}, row_number() OVER (PARTITION BY {shared} ORDER BY rating DESC) AS rank
        FROM {truth}
        WHERE rating > 0
    ),
    ideal AS (
        SELECT {shared}, count(*) AS n, {each("sum(1 / log2(rank + 1)) FILTER (rank <= {k}) AS ideal_{k}")}
        FROM best
        GROUP BY {shared}
    ),
    systems AS (SELECT DISTINCT {BY} 1 AS system FROM found),
    metrics AS (
        SELECT {BY} {
    each(
        "coalesce(dcg_{k}, 0) / ideal_{k} AS ndcg_{k}",
        "coalesce(hits_{k}, 0) / n AS recall_{k}",
        "coalesce(hits_{k}, 0) / {k} AS precision_{k}",
        "coalesce(precisions_{k}, 0) / least(n, {k}) AS ap_{k}",
        "coalesce(1 / first_{k}, 0) AS rr_{k}",
        "CASE WHEN hits_{k} > 0 THEN 1 ELSE 0 END AS hit_{k}",
    )
}
        FROM systems CROSS JOIN ideal LEFT JOIN found USING ({LIST})
    )
    SELECT {BY} count(*) AS lists, {each(*(f"avg({name}_{{k}})" for name in "ndcg recall precision ap rr hit".split()))}
    FROM metrics
    GROUP BY ALL
    ORDER BY ALL
"""
print(json.dumps(duckdb.execute(QUERY).fetchall()))
