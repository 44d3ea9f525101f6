"""Metrics of one's own: one SQL expression each, which may join stages and inputs, and have parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Kind, read, read_condition
from rankmetrics.metrics.own import former_names
from rankmetrics.metrics.parameter import Parameter, read_parameter
from tests.support import extra_inputs, flat
from tests.support.engines import Engine, databases_later, each_engine, summarized
from tests.support.refusals import Asking, refusal
from tests.support.two_systems import RECS, TRUTH


@each_engine
def test_a_metric_of_ones_own_is_measured_next_to_others(engine: Engine) -> None:
    own = rm.define("SELECT 100 * recall AS own_percent FROM metrics")
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["own_percent@1", own @ 2, "recall@2"])
    assert engine.read(result.summary()).select(pl.exclude("algorithm", "n_lists")).to_dict(as_series=False) == {
        "own_percent@1": [pytest.approx(100 / 3)] * 2,
        "own_percent@2": [pytest.approx(200 / 3), pytest.approx(100 / 3)],
        "recall@2": [pytest.approx(2 / 3), pytest.approx(1 / 3)],
    }


@databases_later
def test_fractions_are_doubles_and_what_is_undefined_is_null_on_every_engine(any_engine: Engine) -> None:
    """The list of user 2 has no recommendations."""
    recs = pl.DataFrame({"user": [1, 1, 1], "item": ["a", "b", "c"], "rank": [1, 2, 3]})
    truth = pl.DataFrame({"user": [1, 2], "item": ["c", "z"]})
    own: dict[str, list[float | None]] = {
        "n_hits / 3.0": [1 / 3, 0],
        "n_hits * 1.0 / n_recommended": [1 / 3, None],
        "n_hits / n_recommended": [1 / 3, None],
        "LN(n_hits) / 2.0": [0, None],
        "SQRT(n_recommended - 3 + n_hits)": [1, None],
    }
    asked = [rm.define(f"SELECT {sql} AS own_{n} FROM metrics") @ 3 for n, sql in enumerate(own)]
    result = flat.evaluate(any_engine.give(recs), any_engine.give(truth), asked, **any_engine.options)
    frame = any_engine.read(result.per_list()).sort("user")
    for n, (sql, values) in enumerate(own.items()):
        assert frame[f"own_{n}@3"].to_list() == [
            value if value is None else pytest.approx(value) for value in values
        ], sql


@each_engine
def test_a_metric_of_ones_own_may_be_a_quantile(engine: Engine) -> None:
    own = rm.define("SELECT QUANTILE_CONT(rank, 0.25) * 2.0 AS own_quartile FROM recommended WHERE rank <= $k")
    frame = engine.read(rm.evaluate(engine.give(RECS), engine.give(TRUTH), own @ 2).per_list())
    assert {*frame["own_quartile@2"].drop_nulls()} == {2.5, 2.0}  # of two recommendations, of one


def test_a_metric_of_ones_own_takes_the_cutoff_of_its_stage(engine: Engine) -> None:
    own = rm.define("SELECT SUM(rank) AS own_rank_sum FROM hits WHERE rank <= $k")
    per_list = rm.evaluate(engine.give(RECS), engine.give(TRUTH), own @ [1, 2]).per_list()
    frame = engine.read(per_list).sort("algorithm", "user")
    assert frame["own_rank_sum@1"].to_list() == [None, 1, None, 1, None, None]
    assert frame["own_rank_sum@2"].to_list() == [2, 1, None, 1, None, None]


def test_a_metric_of_ones_own_comes_from_a_file_with_its_documentation(tmp_path: Path) -> None:
    path = tmp_path / "own_share.sql"
    path.write_text(
        "-- own_share: the share of places that hit\n--\n-- A note.\n-- undefined: the list is empty.\n"
        "-- aliases: OwnShare\n"
        "SELECT n_hits / NULLIF(n_recommended, 0) AS own_share FROM metrics\n"
    )
    for given in (path, str(path)):
        assert repr(rm.define(given)) == "own_share"
    assert rm.parse("OwnShare@5") == rm.parse("own_share@5")
    assert rm.explain("own_share").startswith("own_share: the share of places that hit\nA note.\n")
    row = rm.list_metrics().row(by_predicate=pl.col("metric") == "own_share", named=True)
    assert (row["summary"], row["undefined"]) == ("the share of places that hit", "the list is empty.")
    assert summarized(rm.evaluate(RECS, TRUTH, "own_share@2"))["own_share@2"].to_list() == [0.75, 0.5]


def test_a_metric_of_ones_own_takes_the_parameters_of_what_it_is_made_of() -> None:
    own = rm.define("SELECT 1 - ndcg AS own_loss FROM metrics")
    assert repr(own(gain="exponential") @ 5) == "own_loss(gain=exponential)@5"
    with pytest.raises(rm.MetricError, match="Did you mean 'gain'"):
        own(gian="linear")


def test_a_definition_takes_the_place_of_an_earlier_one() -> None:
    rm.define("SELECT 1 * n_hits AS own_again FROM metrics")
    rm.define("SELECT 3 * n_hits AS own_again FROM metrics")
    assert summarized(rm.evaluate(RECS, TRUTH, "own_again@1"))["own_again@1"].to_list() == [1.0, 1.0]
    assert rm.list_metrics()["metric"].to_list().count("own_again") == 1


REFUSED: list[tuple[str | Path, tuple[str, ...]]] = [
    *(
        (text, ("one SELECT and nothing else",))
        for text in ("SELECT COUNT(*) AS mine FROM hits; SELECT COUNT(*) AS yours FROM hits", "DROP TABLE hits", "")
    ),
    ("not SQL at all", ("not valid SQL",)),
    ("SELECT COUNT(*) FROM hits", ("one expression with a name", "AS name")),
    ("SELECT n_hits + 1 FROM metrics", ("one expression with a name",)),
    ("SELECT n_hits FROM metrics", ()),
    ("SELECT COUNT(*) AS mine, 1 AS yours FROM hits", ("one SELECT of one expression",)),
    ('SELECT COUNT(*) AS "my metric" FROM hits', ("letters, digits and underscores", "'my metric' is not")),
    *(
        (f"SELECT COUNT(*) AS {name} FROM hits", (f"'{name}' is a metric of rankmetrics already", "another name"))
        for name in ("ndcg", "nDCG", "MRR", "hit_Rate", "first_hit", "coverage")
    ),
    ("-- x: y\n-- aliases: ndcg\nSELECT n_hits AS mine FROM metrics", ("is a metric of rankmetrics already",)),
    ("SELECT SUM(rnk) AS mine FROM hits", ("'mine' reads 'rnk'", "stage 'hits'", "Did you mean 'rank'?")),
    ("SELECT n_hit / 2 AS mine FROM metrics", ("'mine' reads 'n_hit'", "not in metrics", "Did you mean 'n_hits'")),
    ("SELECT covrage AS mine FROM runs", ("'mine' reads 'covrage'", "not in runs", "Did you mean 'coverage'")),
    ("SELECT COUNT(*) AS mine FROM hist", ("'mine' reads 'hist'", "neither metrics nor a stage", "'hits'")),
    ("SELECT COUNT(*) AS mine FROM categories", ("'mine' reads stage 'categories'", "belong to no list")),
    ("SELECT COUNT(*) AS mine FROM systems", ()),
    ("SELECT AVG(n_hits) / n_hits AS mine FROM metrics", ("'mine' reads 'n_hits' of many rows without", "SUM")),
    ("SELECT rank AS mine FROM hits", ("of many rows",)),
    ("SELECT COUNT(*) * $half AS mine FROM hits", ("'mine' reads $half",)),
    *(
        (f"SELECT COUNT(*) AS mine FROM hits {clause}", ("'mine'", "FROM one stage or metrics", "WHERE"))
        for clause in ("GROUP BY rank", "ORDER BY 1", "LIMIT 1", "QUALIFY rank = 1")
    ),
    ("SELECT 1 AS mine", ("'mine'", "FROM one stage or metrics")),
    ("SELECT n_hits AS n_lists FROM metrics", ()),
    ("nowhere/mine.sql", ("'nowhere/mine.sql' cannot be read", "No such file")),
    (Path("nowhere/mine.sql"), ("'nowhere/mine.sql' cannot be read", "No such file")),
]


def test_what_defines_no_metric_is_refused_and_leaves_none_behind() -> None:
    for definition, parts in REFUSED:
        with refusal(rm.MetricError, *parts):
            rm.define(definition)
    with refusal(rm.MetricError, "no metric 'mine'"):
        rm.parse("mine")
    assert rm.parse("ndcg").name == "ndcg"


def test_a_definition_that_is_refused_leaves_the_earlier_one() -> None:
    rm.define("-- own_kept: kept\n-- aliases: OwnKept\nSELECT n_hits AS own_kept FROM metrics")
    refused = ["SELECT SUM($q) AS own_kept FROM hits", "SELECT n_hist AS own_kept FROM metrics"]
    refused += ["SELECT own_kept / 2.0 AS own_kept FROM metrics", "SELECT 2.0 * n_hits AS ownkept FROM metrics"]
    for text in refused:  # the last two read themselves, and differ from a name in underscores
        with refusal(rm.MetricError):
            rm.define(text)
    assert summarized(rm.evaluate(RECS, TRUTH, "own_kept@1")).height == 2
    assert rm.parse("OwnKept") == rm.parse("own_kept")


# --- metrics of systems -----------------------------------------------------------------------------------------------


def test_a_metric_of_a_system_may_be_defined_over_its_lists(engine: Engine) -> None:
    metric = rm.define("SELECT AVG(n_hits) AS mean_hits FROM metrics")
    assert metric.is_run
    asked = ["mean_hits", "mean_hits@1", "mean_hits(missing=skip)@1"]
    assert [*extra_inputs.systems(engine, asked).values()] == [*extra_inputs.about([2 / 3, 1 / 3, 1 / 2])]


def test_a_metric_of_a_system_may_be_defined_over_other_numbers_of_it(engine: Engine, ask: Asking) -> None:
    rm.define("SELECT 100 * coverage AS coverage_in_100 FROM runs")
    rm.define("SELECT n_recommended_items - n_recommended_catalog_items AS n_outside FROM runs")
    asked = ["coverage_in_100@1", "n_outside", "hit@1"]
    found = extra_inputs.systems(engine, asked, catalog=extra_inputs.CATALOG[:1])
    assert [*found.values()] == [*extra_inputs.about([100, 3, 1 / 3])]
    with refusal(rm.InputError, "coverage_in_100@5 needs catalog=:"):
        ask(metrics="coverage_in_100@5")


def test_every_former_name_leads_to_a_name_that_is_there() -> None:
    names = former_names()
    assert all(catalog().is_stage(new) for new in names["stages"].values())
    kinds: tuple[Kind, ...] = ("metric", "part", "run", "run part")
    numbers = {one.name for kind in kinds for one in catalog().all(kind)}
    assert {*names["numbers"].values()} <= numbers
    columns = set[str]().union(*(catalog().outputs(one) for one in catalog().stages()))
    assert {*names["columns"].values()} <= columns


def test_no_former_name_is_that_of_anything_now() -> None:
    names = former_names()
    assert [one for one in names["stages"] if catalog().is_stage(one)] == []
    assert [one for one in names["numbers"] if catalog().column(one) or catalog().child("runs", one)] == []


# A metric by a former name, the same by the name now, and what the warning says.
RENAMED = [
    ("MIN(rank) AS old FROM found", "MIN(rank) AS new FROM unnumbered_hits", "unnumbered_hits"),
    ("n_judged_places AS old FROM metrics", "n_judged_recommendations AS new FROM metrics", "n_judged_recommendations"),
    (
        "MAX(n_all) AS old FROM surprises",
        "MAX(n_all_users) AS new FROM recommended_user_counts",
        "n_all is n_all_users",
    ),
    ("n_shown * 2 AS old FROM runs", "n_recommended_items * 2 AS new FROM runs", "n_recommended_items"),
]


def test_a_metric_by_former_names_is_that_by_present_ones(recwarn: pytest.WarningsRecorder) -> None:
    for former, present, words in RENAMED:
        with pytest.warns(rm.RankMetricsWarning, match=f"former names: .*{words}") as caught:
            rm.define(f"SELECT {former}")
        assert caught[0].filename == __file__
        rm.define(f"SELECT {present}")
        result = rm.evaluate(RECS, TRUTH, ["old", "new"], history=TRUTH).summary().collect()
        assert result["old"].to_list() == result["new"].to_list(), former
    assert not recwarn.list


def parameter(text: str) -> Parameter:
    return read_parameter(read(text, "mine.sql", "parameter", "mine"), "mine")


def test_several_columns_are_a_choice_and_the_first_is_the_default() -> None:
    gain = parameter("-- mine: the gain.\nSELECT\n  1 AS binary, -- 1\n  rating * $p AS scaled -- the rating\n")
    assert (gain.default, dict(gain.choices)) == ("binary", {"binary": "1", "scaled": "the rating"})
    assert [gain.parameters_of(choice) for choice in ("binary", "scaled", None)] == [set(), {"p"}, {"p"}]
    with pytest.raises(rm.MetricError, match="mine of ndcg is one of 'binary' and 'scaled': 'binari' is not"):
        gain.check("ndcg", "binari")


@pytest.mark.parametrize(
    ("interval", "inside", "outside", "says"),
    [
        ("(0, 1)", [0.5], [0, 1], "a number above 0 below 1"),
        ("[0, 1]", [0, 1], [-0.1, 1.1], "a number from 0 to 1"),
        ("integer [1, inf)", [1, 2.0], [0, 1.5], "a whole number from 1"),
        ("(-inf, inf)", [-5, 5], [True, "5", None, 10**400], "a number"),
    ],
)
def test_a_number_must_be_in_its_range(interval: str, inside: list[float], outside: list[object], says: str) -> None:
    number = parameter(f"-- mine: a number.\n--\n-- range: {interval}\nSELECT 1 AS mine")
    assert (number.range, number.default) == (says, 1)
    assert [number.check("ndcg", value) for value in inside] == inside
    for value in outside:
        with pytest.raises(rm.MetricError, match=f"mine of ndcg must be {says}"):
            number.check("ndcg", value)


def test_a_number_is_its_own_default_and_its_range_an_interval_alone() -> None:
    for text, default in {"0.5": 0.5, "5": 5, "-1": -1, "-0.5": -0.5, "1e3": 1000.0, "NULL": None}.items():
        assert parameter(f"-- mine: a number.\nSELECT {text} AS mine").default == default
    with pytest.raises(rm.MetricError, match=r"^mine\.sql: `range:` of a parameter is an interval alone"):
        parameter("-- mine: a number.\n--\n-- range: [0, 1] unless it is not\nSELECT 1 AS mine")


def test_a_column_of_metrics_is_a_metric() -> None:
    inner = parameter('-- mine: a metric.\nSELECT "precision" AS mine\nFROM metrics')
    assert inner.is_metric
    assert inner.default == "precision"
    assert inner.parameters_of() == set()


@pytest.mark.parametrize("text", ["", "input", "max_k <= many", "max_k < 200", "inputs items", "duplicates != each"])
def test_a_text_that_is_no_condition_is_refused_with_the_forms_that_there_are(text: str) -> None:
    with pytest.raises(rm.MetricError) as refused:
        read_condition(text, "a.sql")
    assert str(refused.value) == (
        f"a.sql: `when: {text}` is not a condition. Conditions, which may begin with `not`: `duplicates = each`, "
        "`query missing in (skip, listed)`, `input items`, `required judged_recommendations`, `unique recs, truth`, "
        "`sorted recs`, `columns suffice`, `max_k <= 200`, `diagnostics`, `all lists`, `ranked among candidates`, "
        "`engine duckdb`, `sample by popularity`."
    )


# --- Metrics of one's own that join stages and inputs, have parameters, and a value for lists without rows ------------


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


def lists(engine: Engine, metrics: list[str | rm.Metric], **inputs: pl.DataFrame) -> list[tuple[object, ...]]:
    """The values of each list, by system and user."""
    given = {name: engine.give(frame) for name, frame in inputs.items()}
    result = flat.evaluate(engine.give(RECS), engine.give(TRUTH), metrics, **given, **engine.options)
    return engine.read(result.per_list()).sort("algorithm", "user").drop("algorithm", "user").rows()


@databases_later
def test_weights_from_a_column_of_items_take_a_parameter_and_are_0_without_hits(any_engine: Engine) -> None:
    metric = rm.define(PRICE_HITS)
    assert (repr(metric(power=2) @ 3), rm.explain(metric).splitlines()[2]) == (
        "price_hits(power=2)@3",
        "power = 1: how much the price counts.",
    )
    values = lists(any_engine, [metric @ 1, metric(power=2) @ 3, metric(power=0)], items=ITEMS)
    assert values == [(0, 9, 1), (2, 4, 1), (0, 0, 0), (3, 9, 1), (0, 0, 0), (0, 0, 0)]


@databases_later
def test_joins_stay_within_a_list_and_stages_join_inputs_and_other_stages(any_engine: Engine) -> None:
    rm.define("SELECT COUNT(*) AS rated_4 FROM recommended JOIN truth USING (item) WHERE truth.rating >= 4")
    rm.define(
        "SELECT SUM(CASE WHEN h.item IS NULL THEN i.stock END) AS stock_of_misses "
        "FROM recommended AS r LEFT JOIN hits AS h ON r.item = h.item JOIN items AS i ON r.item = i.item"
    )
    rm.define("SELECT MAX(rating) AS best_rating FROM truth")
    rm.define("SELECT COUNT(*) AS known FROM recommended JOIN history ON recommended.item = history.item")
    history = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 8]})
    values = lists(any_engine, ["rated_4", "stock_of_misses", "best_rating", "known"], items=ITEMS, history=history)
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
    result = rm.evaluate(recs, recs.drop("rank"), "price_hits@1", items=rm.Input(items, lists=["day"]))
    assert result.per_list().collect().sort("day")["price_hits@1"].to_list() == [2, 5]


def test_columns_of_own_metrics_count_as_used_and_are_in_the_text_of_a_job() -> None:
    metric = rm.define(PRICE_HITS) @ 3
    notes = rm.evaluate(RECS, TRUTH, metric, items=ITEMS)._repr_html_()
    assert "columns of the items that are not used: stock" in notes
    tables: dict[str, Any] = {"recs": "db.recs", "truth": "db.truth", "items": "db.items"}
    tables["columns"] = rm.Columns(rating="rating")
    text = flat.to_sql(**tables, metrics=metric, lists=["algorithm", "user"], truth_lists=["user"], dialect="snowflake")
    assert 'CAST("PRICE" AS DOUBLE)' in text
    rm.define(PRICE_HITS.replace("items.price", 'items."unitPrice"'))
    text = flat.to_sql(**tables, metrics="price_hits@3", lists=["algorithm", "user"], dialect="snowflake")
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


OWN_REFUSED = {
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
    "SELECT COUNT(*) * $a AS mine FROM hits": (
        "declare it in the header, below the first line: `-- $a = 1: what it decides.`",
    ),
    "-- x: x\n-- empty: none\nSELECT COUNT(*) AS mine FROM hits": ("`empty: none` is not a number",),
    "-- x: x\n-- empty: 0\nSELECT n_hits AS mine FROM metrics": ("`empty:` is for metrics that aggregate rows",),
}


def test_what_cannot_be_joined_or_declared_is_refused_with_what_to_write() -> None:
    for text, parts in OWN_REFUSED.items():
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
