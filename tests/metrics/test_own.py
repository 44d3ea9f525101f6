"""Metrics of one's own that join stages and inputs, have parameters, and a value for lists without rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import LOCAL, OTHERS, SPARK, Engine, need
from tests.support.refusals import refusal
from tests.support.two_systems import RECS, TRUTH

# Item 8 stands in two rows, one per category; 9 has no price.
ITEMS = pl.DataFrame(
    {"item": [7, 8, 8, 9], "category": ["x", "y", "z", "x"], "price": [2.0, 3.0, 3.0, None], "stock": [1, 5, 5, 0]}
)

PRICE_HITS = """-- price_hits: prices of the hits among the first k, to a power.
-- empty: 0
-- $power = 1 in [0, inf): how much the price counts.
SELECT SUM(POWER(items.price, $power)) AS price_hits
FROM hits JOIN items ON hits.item = items.item WHERE hits.rank <= $k
"""


@pytest.fixture(
    params=[*LOCAL, *(pytest.param(other, marks=[pytest.mark.long] * (other is SPARK)) for other in OTHERS)], ids=repr
)
def engine(request: pytest.FixtureRequest) -> Engine:
    need(request.param)
    engine: Engine = request.param
    return engine


def lists(engine: Engine, metrics: list[str | rm.Metric], **inputs: pl.DataFrame) -> list[tuple[object, ...]]:
    """The values of each list, by system and user."""
    given = {name: engine.give(frame) for name, frame in inputs.items()}
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), metrics, **given, **engine.options)
    return engine.read(result.per_list()).sort("algorithm", "user").drop("algorithm", "user").rows()


def test_a_hit_is_weighted_by_a_column_of_the_items_with_a_parameter_and_0_without_hits(engine: Engine) -> None:
    metric = rm.define(PRICE_HITS)
    assert (repr(metric(power=2) @ 3), rm.explain(metric).splitlines()[2]) == (
        "price_hits(power=2)@3",
        "power = 1: how much the price counts.",
    )
    values = lists(engine, [metric @ 1, metric(power=2) @ 3, metric(power=0)], items=ITEMS)
    assert values == [(0, 9, 1), (2, 4, 1), (0, 0, 0), (3, 9, 1), (0, 0, 0), (0, 0, 0)]


def test_joins_stay_within_a_list_and_stages_join_inputs_and_other_stages(engine: Engine) -> None:
    rm.define("SELECT COUNT(*) AS rated_4 FROM recommended JOIN truth USING (item) WHERE truth.rating >= 4")
    rm.define(
        "SELECT SUM(CASE WHEN h.item IS NULL THEN i.stock END) AS stock_of_misses "
        "FROM recommended AS r LEFT JOIN hits AS h ON r.item = h.item JOIN items AS i ON r.item = i.item"
    )
    rm.define("SELECT MAX(rating) AS best_rating FROM truth")
    rm.define("SELECT COUNT(*) AS known FROM recommended JOIN history ON recommended.item = history.item")
    history = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 8]})
    values = lists(engine, ["rated_4", "stock_of_misses", "best_rating", "known"], items=ITEMS, history=history)
    expected = [(1, 1, 5, 2), (0, None, 3, 0), (0, None, 1, 0), (1, None, 5, 1), (0, None, 3, 0), (0, 1, 1, 0)]
    assert values == expected


def test_a_list_with_rows_but_without_a_value_stays_undefined() -> None:
    metric = rm.define("-- x: x\n-- empty: 0\nSELECT SUM(price) AS priced FROM recommended JOIN items USING (item)")
    recs = pl.DataFrame({"user": [1, 2], "item": [9, 7], "rank": [1, 1]})
    truth = pl.DataFrame({"user": [1, 2, 3], "item": [9, 9, 9]})
    result = rm.evaluate(recs, truth, metric, items=ITEMS)
    assert result.per_list().collect().sort("user")["priced"].to_list() == [None, 2, 0]


def test_items_of_a_day_are_joined_to_the_lists_of_the_day() -> None:
    rm.define(PRICE_HITS)
    recs = pl.DataFrame({"day": [1, 2], "user": [1, 1], "item": [7, 7], "rank": [1, 1]})
    items = pl.DataFrame({"day": [1, 2], "item": [7, 7], "price": [2.0, 5.0]})
    result = rm.evaluate(recs, recs.drop("rank"), "price_hits@1", items=items, items_lists=["day"])
    assert result.per_list().collect().sort("day")["price_hits@1"].to_list() == [2, 5]


def test_columns_of_metrics_of_ones_own_count_as_used_and_stand_in_the_text_of_a_job() -> None:
    metric = rm.define(PRICE_HITS) @ 3
    notes = rm.evaluate(RECS, TRUTH, metric, items=ITEMS)._repr_html_()
    assert "columns of the items that are not used: stock" in notes
    tables: dict[str, Any] = {"recs": "db.recs", "truth": "db.truth", "items": "db.items"}
    tables["columns"] = rm.Columns(rating="rating")
    text = rm.to_sql(**tables, metrics=metric, lists=["algorithm", "user"], truth_lists=["user"], dialect="snowflake")
    assert 'CAST("PRICE" AS DOUBLE)' in text
    rm.define(PRICE_HITS.replace("items.price", 'items."unitPrice"'))
    text = rm.to_sql(**tables, metrics="price_hits@3", lists=["algorithm", "user"], dialect="snowflake")
    assert 'CAST("unitPrice" AS DOUBLE)' in text


def test_a_folder_defines_its_metrics_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("SELECT own_last * 2 AS own_twice FROM metrics")
    (tmp_path / "b.sql").write_text("SELECT MAX(rank) AS own_last FROM hits")
    assert repr(rm.define_folder(tmp_path)) == "{'own_last': own_last, 'own_twice': own_twice}"
    with refusal(rm.MetricError, "is a folder", "rm.define_folder("):
        rm.define(tmp_path)
    (tmp_path / "c.sql").write_text("SELECT own_d AS own_c FROM metrics")
    (tmp_path / "d.sql").write_text("SELECT own_c AS own_d FROM metrics")
    with refusal(rm.MetricError, "'own_c' reads 'own_d', which is not in metrics"):
        rm.define_folder(tmp_path)
    with refusal(rm.MetricError, "has no .sql file"):
        rm.define_folder(tmp_path / "none")


REFUSED = {
    "SELECT SUM(rnk) AS mine FROM hits": ("stage 'hits'", "'rank'?", "Stage 'hits' has 'hit_number', 'item', 'rank'"),
    "SELECT SUM(h.rnk) AS mine FROM hits h JOIN items USING (item)": ("Stage 'hits' has 'hit_number'",),
    "SELECT SUM(x.rank) AS mine FROM hits JOIN items USING (item)": ("joins no 'x': it reads 'hits' and 'items'",),
    "SELECT SUM(price) AS mine FROM items": ("begins with items", "belong to no list", "FROM hits JOIN items"),
    "SELECT SUM(n_hits) AS mine FROM metrics JOIN items USING (item)": ("metrics, which cannot be joined",),
    "SELECT COUNT(*) AS mine FROM hits JOIN items ON TRUE JOIN ideal ON hits.rank = ideal.rank": ("Join ideal_order",),
    "SELECT COUNT(*) AS mine FROM truth JOIN recommended USING (item)": ("begins with truth", "FROM recommended JOIN"),
    "SELECT COUNT(*) AS mine FROM hits CROSS JOIN items": ("without ON",),
    "SELECT COUNT(*) AS mine FROM hits RIGHT JOIN items USING (item)": ("by RIGHT JOIN",),
    "SELECT SUM(rank) AS mine FROM hits JOIN recommended USING (item)": ("of which table? Write hits.rank or",),
    "SELECT COUNT(*) AS mine FROM hits JOIN truth ON hits.list_id = truth.list_id": ("within a list anyway",),
    "SELECT COUNT(*) AS mine FROM (SELECT 1 FROM hits) AS h": ("with JOINs and a WHERE at most",),
    "-- x: x\n-- $a = 2: b\nSELECT COUNT(*) AS mine FROM hits": ("declares $a, which the SELECT does not read",),
    "-- x: x\n-- $a = two: b\nSELECT COUNT(*) * $a AS mine FROM hits": ("`$a = two: b` declares no parameter",),
    "-- x: x\n-- $k = 2: b\nSELECT COUNT(*) * $k AS mine FROM hits": ("$k is a parameter of all metrics",),
    "-- x: x\n-- $a = 2: b\nSELECT COUNT(*) AS mine FROM hits JOIN items ON items.price > $a": ("reads $a after ON",),
    "SELECT COUNT(*) * $a AS mine FROM hits": ("declare it in the header: `-- $a = 1: what it decides.`",),
    "-- x: x\n-- empty: none\nSELECT COUNT(*) AS mine FROM hits": ("`empty: none` is not a number",),
    "-- x: x\n-- empty: 0\nSELECT n_hits AS mine FROM metrics": ("`empty:` is for metrics that aggregate rows",),
}


def test_what_cannot_be_joined_or_declared_is_refused_with_what_to_write() -> None:
    for text, parts in REFUSED.items():
        with refusal(rm.MetricError, *parts):
            rm.define(text)


def test_a_column_that_an_input_lacks_is_refused_with_those_that_it_has() -> None:
    rm.define("SELECT SUM(items.prise) AS own_price FROM hits JOIN items USING (item)")
    rm.define("SELECT COUNT(*) AS own_rated FROM hits JOIN truth USING (item) WHERE truth.rating > 1")
    rm.define("SELECT MAX(recs.rank) AS own_rank FROM recs")
    rm.define("SELECT MAX(recs.page) AS own_page FROM recs")
    with refusal(rm.InputError, "own_price needs items="):
        rm.evaluate(RECS, TRUTH, "own_price").summary()
    with refusal(
        rm.ColumnError, "own_price reads 'prise' of the items", "'price' and 'stock'", "Did you mean 'price'?"
    ):
        rm.evaluate(RECS, TRUTH, "own_price", items=ITEMS).summary()
    with refusal(rm.ColumnError, "own_rated needs a column of the role 'rating' in the truth"):
        rm.evaluate(RECS, TRUTH.drop("rating"), "own_rated").summary()
    with refusal(rm.ColumnError, "own_rank needs a column of the role 'rank' in the recommendations"):
        rm.evaluate(RECS.rename({"rank": "score"}), TRUTH, "own_rank").summary()
    with refusal(rm.ColumnError, "reads 'page' of the recommendations, which identifies lists", "lists=["):
        rm.evaluate(RECS.with_columns(page=1), TRUTH, "own_page").summary()
