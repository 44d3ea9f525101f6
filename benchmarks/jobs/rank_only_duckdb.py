"""What DuckDB takes to rank the recommendations of every list by score, and nothing else: the folder, and how.

`score` is cheapest for rows in list order, `sorted` for shuffled rows: as in hand_duckdb.py.
"""

import sys
from pathlib import Path

import duckdb

RANKED = {
    "score": """
        SELECT "user", unnest(items) AS item, generate_subscripts(items, 1) AS rank
        FROM (SELECT "user", arg_max(item, score, 20) AS items FROM read_parquet($recs) GROUP BY "user")
    """,
    "sorted": """
        SELECT "user", item, row_number() OVER () AS rank
        FROM (FROM read_parquet($recs) ORDER BY "user", score DESC)
    """,
}

recs = str(Path(sys.argv[1]) / "recs.parquet")
print(duckdb.execute(f"SELECT count(*), sum(COLUMNS(*)) FROM ({RANKED[sys.argv[2]]})", {"recs": recs}).fetchall())
