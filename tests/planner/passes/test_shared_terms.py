"""What is summed up to several cutoffs is computed once for each row."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.planner.passes.shared_terms import share_terms
from rankmetrics.sqltree import aggregation, tree
from tests.support.small_lists import RECS, TRUTH, asked


def test_what_is_summed_up_to_several_cutoffs_is_computed_once_for_each_row() -> None:
    metrics = ["dcg@1,2,3", "rbp@1,2,3"]
    sql = rm.evaluate(RECS, TRUTH, metrics).to_sql("duckdb")
    assert (sql.count("LN("), sql.count("POWER(")) == (2, 1), "LN(2) / LN(rank + 1)"
    apart = [asked(RECS, TRUTH, f"{name}@{k}")[0][1] for name in ("dcg", "rbp") for k in (1, 2, 3)]
    assert list(asked(RECS, TRUTH, metrics)[0][1:]) == pytest.approx(apart, abs=1e-12)


def test_a_list_column_may_be_called_as_what_is_computed_of_each_row() -> None:
    renamed = [one.rename({"user": "Each dcg"}) for one in (RECS, TRUTH)]
    for recs, truth in (renamed, [one.to_arrow() for one in renamed]):
        assert asked(recs, truth, "dcg@1,2") == asked(RECS, TRUTH, "dcg@1,2")


def test_nothing_is_computed_of_rows_that_no_cutoff_reaches() -> None:
    each = exp.cast(exp.Mul(this=tree.column("rank"), expression=tree.literal(60)), "tinyint")
    limits = {f"sum@{k}": exp.LTE(this=tree.column("rank"), expression=tree.literal(k)) for k in (1, 2)}
    sums = {name: aggregation.filtered(exp.Sum(this=each.copy()), where) for name, where in limits.items()}
    select = tree.returning(sums).from_(tree.table("ranks"))
    asked_of = {depth: share_terms(select.copy(), depth).sql("duckdb") for depth in (2, 3, None)}
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE ranks AS SELECT 1 AS rank UNION ALL SELECT 2")
        assert [connection.sql(one).fetchall() for one in asked_of.values()] == [[(60, 180)]] * 3
        connection.execute("INSERT INTO ranks VALUES (3)")
        assert [connection.sql(asked_of[depth]).fetchall() for depth in (3, None)] == [[(60, 180)]] * 2
        with pytest.raises(duckdb.ConversionException, match="180"):
            connection.sql(asked_of[2]).fetchall()  # who says that a stage ends at 2 has no row at 3
