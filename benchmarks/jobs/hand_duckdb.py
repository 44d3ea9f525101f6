"""The six metrics by the best plan we know for DuckDB, written by hand.

Arguments: the folder; how rows are ranked, as in TOP; the list columns that the truth has, as in fold,user; those that
only the recommendations have.

Each of these metrics is a sum over the hits of a list, of what follows from three numbers: the rank of the hit, how
many hits there are down to it, and how many items are relevant. So hits are found first (all else is small beside that
join), counted by these three numbers whatever list they are of, and the formulas are computed once for each three. A
list without hits adds nothing, but to how many lists there are. It is taken for granted that ids are never NULL, that
no item and no score is twice in a list, and that whatever the truth holds is relevant.
"""

import json
import sys
from pathlib import Path

import duckdb
from asked import CUTOFFS, DEEPEST, ideal

folder, ranked_by, shared, *by = Path(sys.argv[1]), *sys.argv[2:]
recs, truth = (f"read_parquet('{folder}/{name}.parquet')" for name in ("recs", "truth"))
LIST, SHARED, BY = ",".join([*by, shared]), shared, "".join(f"{name}," for name in by)
TOP = {
    "rank": f"SELECT {LIST}, item, rank FROM {recs} WHERE rank <= {DEEPEST}",
    # In list order, the best of a list are soon known, and most rows are compared with the worst of them only.
    "score": f"""
        SELECT {LIST}, unnest(items) AS item, generate_subscripts(items, 1) AS rank
        FROM (SELECT {LIST}, arg_max(item, score, {DEEPEST}) AS items FROM {recs} GROUP BY {LIST})
    """,
    # Shuffled, sorting all rows is the cheapest. A row is among the first 20 if the row 20 before is of another list.
    "sorted": f"""
        WITH
        placed AS (SELECT *, row_number() OVER () AS place FROM (FROM {recs} ORDER BY {LIST}, score DESC)),
        first_20 AS (SELECT * FROM placed QUALIFY lag(({LIST}), {DEEPEST}) OVER () IS DISTINCT FROM ({LIST})),
        starts AS (SELECT {LIST}, min(place) AS start FROM first_20 GROUP BY {LIST})
        SELECT {LIST}, item, place - start + 1 AS rank FROM first_20 JOIN starts USING ({LIST})
    """,
}[ranked_by]

IDEAL = ", ".join(f"({n}, {', '.join(repr(ideal(n, k)) for k in CUTOFFS)})" for n in range(1, DEEPEST + 1))
FORMULAS = (
    "sum(hits / log2(rank + 1) / ideal_{k}) FILTER (rank <= {k})",
    "sum(hits / n) FILTER (rank <= {k})",
    "sum(hits / {k}) FILTER (rank <= {k})",
    "sum(hits * nth / rank / least(n, {k})) FILTER (rank <= {k})",
    "sum(hits / rank) FILTER (nth = 1 AND rank <= {k})",
    "sum(hits) FILTER (nth = 1 AND rank <= {k})",
)
MEANS = ", ".join(f"coalesce({formula.format(k=k)}, 0) / lists" for formula in FORMULAS for k in CUTOFFS)
QUERY = f"""
    WITH
    top AS ({TOP}),
    found AS MATERIALIZED (SELECT {LIST}, rank FROM top JOIN {truth} USING ({SHARED}, item)),
    -- What a window would number, for less: there are few hits in a list.
    numbered AS (
        SELECT {LIST}, found.rank, count(*) AS nth
        FROM found JOIN found AS better USING ({LIST})
        WHERE better.rank <= found.rank
        GROUP BY {LIST}, found.rank
    ),
    sizes AS (SELECT {SHARED}, count(*) AS n FROM {truth} GROUP BY {SHARED}),
    counted AS (
        SELECT {BY} rank, nth, n, count(*) AS hits FROM numbered JOIN sizes USING ({SHARED}) GROUP BY ALL
    ),
    ideal(places, {", ".join(f"ideal_{k}" for k in CUTOFFS)}) AS (VALUES {IDEAL}),
    truth_lists AS (SELECT count(*) AS lists FROM sizes)
    SELECT {BY} lists, {MEANS}
    FROM counted JOIN ideal ON least(n, {DEEPEST}) = places CROSS JOIN truth_lists
    GROUP BY {BY} lists
    ORDER BY ALL
"""
print(json.dumps(duckdb.execute(QUERY).fetchall()))
