"""Metrics of one's own: one SQL expression each."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.two_systems import RECS, TRUTH


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


def test_a_definition_that_is_refused_leaves_the_earlier_one() -> None:
    rm.define("-- own_kept: kept\n-- aliases: OwnKept\nSELECT n_hits AS own_kept FROM metrics")
    for text in ("SELECT SUM($q) AS own_kept FROM hits", "SELECT n_hist AS own_kept FROM metrics"):
        with pytest.raises(rm.MetricError):
            rm.define(text)
    assert rm.evaluate(RECS, TRUTH, "own_kept@1").collect().height == 2
    assert rm.parse("OwnKept") == rm.parse("own_kept")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT n_hits AS ndcg FROM metrics", "is a metric of rankmetrics already"),
        ("SELECT n_hits AS nDCG FROM metrics", "is a metric of rankmetrics already"),
        ("SELECT n_hits AS mrr FROM metrics", "is a metric of rankmetrics already"),
        ("-- x: y\n-- aliases: ndcg\nSELECT n_hits AS own_thief FROM metrics", "is a metric of rankmetrics already"),
        ("SELECT n_hist AS own_x FROM metrics", "Did you mean 'n_hits'"),
        ("SELECT COUNT(*) AS own_x FROM hit", "neither metrics nor a stage"),
        ("SELECT SUM($q) AS own_x FROM hits", r"reads \$q"),
        ("SELECT n_hits FROM metrics", None),
        ("SELECT n_hits + 1 FROM metrics", "one expression with a name"),
        ("SELECT n_hits AS own_x, n_hits AS own_y FROM metrics", "one SELECT of one expression"),
        ('SELECT n_hits AS "own x" FROM metrics', "letters, digits and underscores"),
        ("SELECT n_hits AS own_x FROM metrics LIMIT 1", "at most a WHERE"),
        ("SELECT n_hits AS own_x", "FROM one stage or metrics"),
        ("DROP TABLE recs", "one SELECT"),
        ("not SQL at all", "not valid SQL"),
        ("", "one SELECT"),
        ("nowhere.sql", "cannot be read"),
        ("SELECT rank AS own_x FROM hits", "of many rows"),
        ("SELECT COUNT(*) AS own_x FROM systems", None),
        ("SELECT n_hits AS n_lists FROM metrics", None),
    ],
)
def test_a_definition_that_is_none_is_refused_with_the_reason(text: str, reason: str | None) -> None:
    with pytest.raises(rm.MetricError, match=reason):
        rm.define(text)
    assert rm.parse("ndcg").name == "ndcg"


def test_a_definition_that_reads_itself_is_refused() -> None:
    rm.define("SELECT n_hits / 2.0 AS own_round FROM metrics")
    with pytest.raises(rm.MetricError):
        rm.define("SELECT own_round / 2.0 AS own_round FROM metrics")


def test_two_definitions_whose_names_differ_in_underscores_stay_apart() -> None:
    rm.define("SELECT 1.0 * n_hits AS own_ab FROM metrics")
    with pytest.raises(rm.MetricError):
        rm.define("SELECT 2.0 * n_hits AS ownab FROM metrics")
    assert rm.parse("own_ab").name == "own_ab"
