"""`compare_conventions`: a row per convention, and in words what differs."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.conventions import choices_of, compare_conventions, differences, with_choices
from rankmetrics.metrics.conventions import CONVENTIONS
from tests.support.conventions import COMPARED, EXTRAS, PRECISION, RECS, TRUTH
from tests.support.engines import Engine
from tests.support.refusals import refusal


def compared(engine: Engine, metric: str | rm.Metric, **options: Any) -> pl.DataFrame:
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give
    given = {name: give(one) if isinstance(one, pl.DataFrame) else one for name, one in options.items()}
    return compare_conventions(metric, give(RECS), give(TRUTH), **given).collect()


def test_a_comparison_has_a_row_per_convention_and_ours_first(engine: Engine) -> None:
    found = compared(engine, "precision@4")
    assert found.columns == ["convention", "metric", "value", "n_lists", "differs"]
    assert found["convention"].to_list() == ["rankmetrics", *PRECISION]
    assert found["metric"].to_list() == ["precision@4", *COMPARED.values()]
    values = [1 / 6, *(value for _, value in PRECISION.values())]
    assert found["value"].to_list() == [pytest.approx(one) for one in values]
    both = {name for name, n_lists in zip(found["convention"], found["n_lists"], strict=True) if n_lists == 2}
    assert both == {
        "capri",
        "cornac",
        "elliot",
        "evidently",
        "lenskit-0.14-lists",
        "lightfm",
        "recbole",
        "recometrics",
        "recommenders",
        "recommenders-spark",
        "trec_eval",
    }
    assert {*found["n_lists"]} == {2, 3}


def test_a_comparison_says_in_words_what_differs(engine: Engine) -> None:
    differs = dict(compared(engine, "precision@4").select("convention", "differs").iter_rows())
    assert differs["rankmetrics"] == ""
    assert differs["rectools"] == "relevance=any: all rows, whatever their rating"
    assert differs["capri"].split("; ") == [
        "missing=skip: lists that are in both the recommendations and the truth",
        "relevance=any: all rows, whatever their rating",
        "ties=input: in the order of the input",
        "divisor=list: the number of recommendations, at most k",
    ]


def test_what_is_set_in_brackets_holds_under_every_convention(engine: Engine) -> None:
    found = compared(engine, "precision(missing=skip, divisor=k)@4", conventions=["lenskit", "ranx"])
    assert found["value"].to_list() == [pytest.approx(one) for one in (1 / 4, 3 / 8, 1 / 4)]
    assert found["metric"][1] == "Precision(missing=skip, divisor=k)@4"
    assert "divisor" not in found["differs"][1]


def test_a_convention_that_cannot_take_a_parameter_is_left_out_and_refused_where_it_was_named() -> None:
    rated = TRUTH.with_columns(rating=pl.lit(5.0))
    compared = compare_conventions("precision(rel=4)@4", RECS, rated)
    assert "rel=4 has no effect" in compared.left_out["replay"]
    assert "elliot" in compared.metrics
    with refusal(rm.MetricError, "Under replay", "rel=4 has no effect"):
        compare_conventions("precision(rel=4)@4", RECS, rated, conventions="replay")


def test_only_the_conventions_asked_for_are_compared(engine: Engine) -> None:
    found = compared(engine, rm.precision @ 4, conventions=["lenskit-2025", "REPLAY"])
    assert found["convention"].to_list() == ["rankmetrics", "lenskit", "replay"]


def test_a_convention_that_has_not_the_metric_is_left_out_with_the_reason() -> None:
    found = compare_conventions("rbp@4", RECS, TRUTH)
    assert [*found.metrics] == ["rankmetrics", "lenskit"]
    assert found.left_out["replay"] == "has no rbp"
    without_cutoff = {name: found.left_out[name] for name in ("ranx", "ir_measures", "pyterrier")}
    assert all(f"has no cutoff under {name}" in reason for name, reason in without_cutoff.items())
    assert {*found.left_out.values()} - {*without_cutoff.values()} == {"has no rbp"}
    assert {*found.metrics, *found.left_out} == {"rankmetrics", *(one.name for one in CONVENTIONS)}


def test_a_convention_that_goes_by_the_order_of_rows_is_left_out_where_they_have_none() -> None:
    recs = duckdb.connect().from_arrow(RECS.drop("rank").with_columns(score=0.5).to_arrow())
    found = compare_conventions("rr", recs, TRUTH, conventions=["replay", "elliot", "capri", "lenskit-0.14"])
    assert [*found.metrics] == ["rankmetrics", "replay"]
    assert found.left_out["capri"] == "has no rr"
    assert found.left_out["elliot"] == found.left_out["lenskit-0.14"]
    assert "order of the rows" in found.left_out["elliot"]
    assert "elliot, lenskit-0.14: breaks ties by the order of the rows" in repr(found)
    assert found.collect().height == 2


def test_where_ranks_are_given_no_convention_goes_by_the_order_of_rows() -> None:
    recs = duckdb.connect().from_arrow(RECS.to_arrow())
    assert "elliot" in compare_conventions("rr", recs, TRUTH).metrics


def test_a_metric_that_goes_by_the_order_of_rows_itself_is_refused_where_they_have_none() -> None:
    recs = duckdb.connect().from_arrow(RECS.drop("rank").with_columns(score=0.5).to_arrow())
    with refusal(rm.ColumnError, 'ties="input"'):
        compare_conventions("rr(ties=input)", recs, TRUTH)


def test_a_number_of_a_system_is_compared(engine: Engine) -> None:
    found = compared(engine, "coverage@2", catalog=EXTRAS["catalog"], conventions=["replay", "elliot", "capri"])
    assert found["metric"].to_list() == ["coverage@2", "Coverage@2", "ItemCoverage@2", "catalogCoverage@2"]
    assert found["value"].to_list() == [3 / 6, 3 / 6, 3.0, 50.0]
    assert found["n_lists"].to_list() == [None] * 4


def test_a_comparison_keeps_the_columns_of_by(engine: Engine) -> None:
    found = compared(engine, "hit@4", conventions=["replay"], by="user")
    assert found.columns[0] == "user"
    assert found.drop("differs", "n_lists").rows() == [
        (1, "rankmetrics", "hit@4", 1.0),
        (1, "replay", "HitRate@4", 1.0),
        (2, "rankmetrics", "hit@4", 1.0),
        (2, "replay", "HitRate@4", 1.0),
        (3, "rankmetrics", "hit@4", 0.0),
        (3, "replay", "HitRate@4", 0.0),
    ]


def test_a_comparison_prints_a_row_per_value_then_a_row_per_choice_that_moves_it() -> None:
    lines = repr(compare_conventions("mean_recall@4", RECS, TRUTH)).splitlines()
    cells = [[one.strip() for one in re.split("[┃│]", line)] for line in lines]
    assert cells[:4] == [
        ["conventions with the same mean_recall@4", "because of", "value"],
        [lines[1]],
        ["rankmetrics", "", "0.4583"],
        ["elliot", "missing=skip and rel=0", "0.6667"],
    ]
    assert cells[5:9] == [
        ["change by one choice alone", "value"],
        [lines[6]],
        ["missing=skip", "+0.2292"],
        ["rel=0", "-0.0139"],
    ]
    assert lines[10] == "missing=skip: lists that are in both the recommendations and the truth"
    assert lines[12] == "no effect alone on this data (3 choices): enough=relevant; duplicates=each; ties=input"
    assert lines[13].endswith("sklearn, spark, surprise, torchmetrics, trec_eval: has no mean_recall")


def test_a_comparison_has_a_column_for_each_system(engine: Engine) -> None:
    recs = pl.concat([RECS.with_columns(system=pl.lit(name)) for name in ("als", "knn")])
    text = repr(compare_conventions("precision@4", engine.give(recs), engine.give(TRUTH)))
    assert [one.strip() for one in text.splitlines()[0].split("┃")][2:] == ["als", "knn"]
    assert len(text.splitlines()) < 40


def test_choices_are_made_one_at_a_time_the_largest_change_first(engine: Engine) -> None:
    found = compare_conventions("precision@4", engine.give(RECS), engine.give(TRUTH)).choices()
    assert found.columns == ["choice", "meaning", "conventions", "value", "change"]
    assert found["choice"][0] == "divisor=list"
    value = dict(found.select("choice", "value").iter_rows())
    for choice in ("divisor=list", "missing=skip", "relevance=any", "rel=0"):
        alone = rm.evaluate(engine.give(RECS), engine.give(TRUTH), [f"precision({choice})@4"]).collect()
        assert value[choice] == pytest.approx(alone[f"precision({choice})@4"][0])
    ours = 1 / 6
    assert found["change"].to_list() == [pytest.approx(one - ours) for one in found["value"]]
    sizes = found["change"].abs().to_list()
    assert sizes == sorted(sizes, reverse=True)


def test_choices_that_cannot_matter_change_nothing(engine: Engine) -> None:
    found = compare_conventions("precision@4", engine.give(RECS), engine.give(TRUTH)).choices()
    change = dict(found.select("choice", "change").iter_rows())
    assert change["ties=input"] == 0  # ranks are given
    assert change["duplicates=each"] == 0  # no item is repeated


def test_settings_that_only_mean_something_together_are_one_choice() -> None:
    ours, theirs = rm.parse("ap@10"), rm.parse("ap(divisor=fixed, cap=7)@10")
    assert list(map(str, choices_of(ours, theirs))) == ["divisor=fixed, cap=7"]


def test_the_whole_list_is_a_choice() -> None:
    ours, theirs = rm.parse("auc@10"), rm.parse("ROC_AUC@10", convention="recometrics")
    assert "the whole list" in map(str, choices_of(ours, theirs))


def test_the_choices_of_a_row_give_its_value(engine: Engine) -> None:
    for metric in ("precision@4", "ndcg@4", "ap@4", "recall@4"):
        moves = compare_conventions(metric, engine.give(RECS), engine.give(TRUTH))._moves
        for group in moves.groups:
            for choices in group.choices.values():
                measured = moves.measure([with_choices(moves.ours, choices)])
                assert [*measured.values()] == [pytest.approx(group.values)]


@pytest.mark.parametrize("metric", ["ndcg@4", "ap@4"])
def test_choices_that_read_ratings_are_left_out_without_ratings(metric: str, engine: Engine) -> None:
    table = compare_conventions(metric, engine.give(RECS), engine.give(TRUTH.drop("rating")))
    choices = table.choices()["choice"].to_list()
    assert "relevance=any" in choices
    assert not {"gain=linear", "gain=excess", "rel=0", "rel=1"} & {*choices}
    assert "change by one choice alone" in str(table)


def test_a_comparison_says_where_the_cutoff_is_ignored() -> None:
    assert differences(rm.parse("ROC_AUC@10", convention="recometrics"))[-1] == "the whole list, whatever the cutoff"
    assert differences(rm.parse("NDCG@10")) == []


def test_a_comparison_without_conventions_is_ours_alone() -> None:
    assert compare_conventions("ndcg@4", RECS, TRUTH, conventions=[]).collect()["convention"].to_list() == [
        "rankmetrics"
    ]


def test_a_comparison_under_an_unknown_convention_or_of_an_unknown_metric_is_refused() -> None:
    with refusal(rm.MetricError, "no convention 'elliott'", "Did you mean 'elliot'"):
        compare_conventions("hit", RECS, TRUTH, conventions=["elliott"])
    with refusal(rm.MetricError, "no metric 'hitt'", "Did you mean 'hit'"):
        compare_conventions("hitt", RECS, TRUTH)


def test_one_convention_may_come_alone() -> None:
    assert [*compare_conventions("hit", RECS, TRUTH, conventions="replay").metrics] == ["rankmetrics", "replay"]


@pytest.mark.parametrize(("name", "value"), [("missing", "skip"), ("ties", "item")])
def test_a_comparison_says_of_policies_what_was_computed(name: str, value: str) -> None:
    options: dict[str, Any] = {name: value}
    found = compare_conventions("precision@4", RECS, TRUTH, conventions=["lenskit"], **options).collect()
    assert f"{name}=listed" not in found["differs"][1]
    assert f"{name}=input" not in found["differs"][1]


@pytest.mark.parametrize("name", ["convention", "aggregates"])
def test_what_a_comparison_decides_itself_cannot_be_given(name: str) -> None:
    with refusal(rm.MetricError, f"takes no {name}="):
        compare_conventions("precision@4", RECS, TRUTH, **{name: "lenskit"})


@pytest.mark.parametrize("name", ["convention", "metric", "value", "differs"])
def test_a_column_of_by_that_is_called_as_one_of_the_comparison_is_kept_or_refused(name: str) -> None:
    recs = RECS.with_columns(pl.lit("mine").alias(name))
    try:
        found = compare_conventions("hit@4", recs, TRUTH, conventions=["replay"]).collect()
    except rm.ColumnError:
        return
    assert found.to_series(0).to_list() == ["mine"] * 2


def test_a_notebook_shows_what_a_terminal_shows() -> None:
    recs = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 7], "rank": [1, 2, 1]})
    truth = pl.DataFrame({"user": [1, 2, 3], "item": [8, 7, 9], "rating": [4.0, 2.0, 5.0]})
    compared = rm.compare_conventions("ndcg@2", recs, truth, conventions=["lenskit", "ranx"])
    page, text = compared._repr_html_(), repr(compared)
    values = {f"{value:.4f}" for value in compared.collect()["value"]}
    assert len(values) > 1
    assert all(value in page and value in text for value in values)
    changes = {f"{change:+.4f}" for change in compared.choices()["change"] if change}
    assert changes
    assert all(change in page and change in text for change in changes)
    assert "<summary>Meanings</summary><ul><li>" in page
    assert page.count("<table>") == 2
