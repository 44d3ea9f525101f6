"""Metrics of one's own: one SQL expression each."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Condition, Kind, read, read_conditions
from rankmetrics.metrics.own import former_names
from rankmetrics.metrics.parameter import Parameter, read_parameter
from tests.support import extra_inputs
from tests.support.engines import Engine, each_engine
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
    assert rm.evaluate(RECS, TRUTH, "own_share@2").collect()["own_share@2"].to_list() == [0.75, 0.5]


def test_a_metric_of_ones_own_takes_the_parameters_of_what_it_is_made_of() -> None:
    own = rm.define("SELECT 1 - ndcg AS own_loss FROM metrics")
    assert repr(own(gain="exponential") @ 5) == "own_loss(gain=exponential)@5"
    with pytest.raises(rm.MetricError, match="Did you mean 'gain'"):
        own(gian="linear")


def test_a_metric_of_ones_own_may_be_made_of_another() -> None:
    rm.define("SELECT 2 * n_hits AS own_double FROM metrics")
    rm.define("SELECT own_double + 1 AS own_double_1 FROM metrics")
    assert rm.evaluate(RECS, TRUTH, "own_double_1@1", by=[]).collect()["own_double_1@1"].to_list() == [
        pytest.approx(2 * 2 / 6 + 1)
    ]


def test_a_definition_takes_the_place_of_an_earlier_one() -> None:
    rm.define("SELECT 1 * n_hits AS own_again FROM metrics")
    rm.define("SELECT 3 * n_hits AS own_again FROM metrics")
    assert rm.evaluate(RECS, TRUTH, "own_again@1").collect()["own_again@1"].to_list() == [1.0, 1.0]
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
    assert rm.evaluate(RECS, TRUTH, "own_kept@1").collect().height == 2
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


def test_conditions_are_read_one_by_one() -> None:
    first, second = read_conditions("columns suffice and max_k <= 200", "a.sql")
    assert (first.form, second.form, second.words) == ("columns", "max_k", ("200",))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("duplicates = each", Condition("setting", ("duplicates", "each"))),
        ("query missing in (skip, listed)", Condition("query", ("missing", "skip", "listed"))),
        ("input items", Condition("input", ("items",))),
        ("not input catalog", Condition("no input", ("catalog",))),
        ("required judged_places", Condition("required", ("judged_places",))),
        ("sorted recs", Condition("sorted", ("recs",))),
        ("not diagnostics", Condition("no diagnostics", ())),
        ("all lists", Condition("all lists", ())),
        ("ranked among candidates", Condition("candidates", ())),
        ("sample by popularity", Condition("sample", ("popularity",))),
    ],
)
def test_each_form_of_a_condition_is_told_from_the_others(text: str, condition: Condition) -> None:
    assert read_conditions(text, "a.sql") == (condition,)


@pytest.mark.parametrize("text", ["", "input", "max_k <= many", "max_k < 200", "inputs items", "duplicates != each"])
def test_a_text_that_is_no_condition_is_refused_with_the_forms_that_there_are(text: str) -> None:
    with pytest.raises(rm.MetricError) as refused:
        read_conditions(f"columns suffice and {text}", "a.sql")
    assert str(refused.value) == (
        f"a.sql: `when: {text}` is not a condition. Conditions are written as: … = …, query … in (…, …), input …, "
        "not input …, required …, sorted …, columns suffice, max_k <= …, not diagnostics, all lists, "
        "ranked among candidates, sample by …."
    )
