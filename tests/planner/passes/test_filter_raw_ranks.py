"""A text for a warehouse compares the rank column itself with the cutoff."""

from __future__ import annotations

import rankmetrics as rm

WAREHOUSE = {"recs": "db.recs", "truth": "db.truth", "lists": ["user"], "truth_columns": rm.Columns(item="item")}


def written(dialect: str, rank_from: int = 1) -> str:
    return rm.to_sql(**WAREHOUSE, metrics="ndcg@10", by=[], dialect=dialect, rank_from=rank_from)  # type: ignore[arg-type]


def test_the_rank_column_is_compared_as_it_is() -> None:
    for dialect in ("trino", "duckdb"):
        assert '"recs"."rank" <= 10' in written(dialect), dialect
    assert '"recs"."rank" <= 9' in written("postgres", rank_from=0)


def test_sqlite_compares_a_number_since_a_rank_may_be_text_there() -> None:
    assert 'CAST("recs"."rank" AS INTEGER) <= 10' in written("sqlite")
