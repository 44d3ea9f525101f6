"""`compare_conventions`: a row per convention, and in words what differs."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.conventions import ConventionTable, choices_of, differences, with_choices
from rankmetrics.metrics.conventions import CONVENTIONS
from tests.support.conventions import COMPARED, EXTRAS, PRECISION, RECS, TRUTH
from tests.support.engines import Engine, summarized
from tests.support.refusals import refusal

OURS = 1 / 6  # precision@4


@pytest.fixture(scope="module")
def table() -> ConventionTable:
    """Precision at 4 under every convention, measured once."""
    return rm.compare_conventions("precision@4", RECS, TRUTH)


# --- a row per convention ---------------------------------------------------------------------------------------------


def test_a_comparison_has_a_row_per_convention_and_ours_first(table: ConventionTable) -> None:
    frame = table.collect()
    assert frame.columns == ["convention", "metric", "value", "n_lists", "differs"]
    assert frame["convention"].to_list() == ["rankmetrics", *PRECISION]
    assert frame["metric"].to_list() == ["precision@4", *COMPARED.values()]
    assert frame["value"].to_list() == pytest.approx([OURS, *(value for _, value in PRECISION.values())])
    both = (
        "beir capri cornac elliot evidently lenskit-0.14-lists lightfm mteb ragas recbole recometrics recommenders "
        "recommenders-spark trec_eval trulens warprec"
    )
    assert frame.filter(n_lists=2)["convention"].to_list() == both.split()
    assert {*frame["n_lists"]} == {2, 3}


def test_a_comparison_says_in_words_what_differs(table: ConventionTable) -> None:
    differs = dict(table.collect().select("convention", "differs").iter_rows())
    assert differs["rankmetrics"] == ""
    assert differs["rectools"] == "relevance=any: all rows, whatever their rating"
    assert differs["capri"].split("; ") == [
        "missing=skip: lists that are in both the recommendations and the truth",
        "relevance=any: all rows, whatever their rating",
        "ties=input: in the order of the input",
        "divisor=list: the number of recommendations, at most k",
    ]


def test_settings_in_brackets_hold_under_every_convention() -> None:
    metric = rm.parse("precision(missing=skip, divisor=k)@4")
    frame = rm.compare_conventions(metric, RECS, TRUTH, conventions=["lenskit-2025", "RANX"]).collect()
    assert frame["convention"].to_list() == ["rankmetrics", "lenskit", "ranx"]
    assert frame["value"].to_list() == pytest.approx([1 / 4, 3 / 8, 1 / 4])
    assert frame["metric"][1] == "Precision(missing=skip, divisor=k)@4"
    assert "divisor" not in frame["differs"][1]


def test_a_number_of_a_system_is_compared() -> None:
    conventions = ["replay", "elliot", "capri"]
    compared = rm.compare_conventions("coverage@2", RECS, TRUTH, catalog=EXTRAS["catalog"], conventions=conventions)
    frame = compared.collect()
    assert frame["metric"].to_list() == ["coverage@2", "Coverage@2", "ItemCoverage@2", "catalogCoverage@2"]
    assert frame["value"].to_list() == [3 / 6, 3 / 6, 3.0, 50.0]
    assert frame["n_lists"].to_list() == [None] * 4


def test_a_comparison_keeps_the_columns_of_by(engine: Engine) -> None:
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give
    frame = rm.compare_conventions("hit@4", give(RECS), give(TRUTH), conventions="replay", by="user").collect()
    assert frame.columns[0] == "user"
    assert frame.drop("differs", "n_lists").rows() == [
        (user, *metric, value)
        for user, value in ((1, 1.0), (2, 1.0), (3, 0.0))
        for metric in (("rankmetrics", "hit@4"), ("replay", "HitRate@4"))
    ]


def test_a_column_of_by_that_has_the_name_of_a_column_of_the_comparison_is_kept() -> None:
    for name in ("convention", "value", "differs"):
        recs = RECS.with_columns(pl.lit("mine").alias(name))
        frame = rm.compare_conventions("hit@4", recs, TRUTH, conventions=[], by=[name]).collect()
        assert (frame.columns[0], frame[name].to_list()) == (name, ["mine"])


def test_a_comparison_says_of_policies_what_was_computed() -> None:
    options: dict[str, Any] = {"missing": "skip", "ties": "item"}
    (_, differs) = rm.compare_conventions("hit@4", RECS, TRUTH, conventions="lenskit", **options).collect()["differs"]
    assert "missing=skip: " in differs
    assert "ties=" not in differs


# --- conventions that are left out ------------------------------------------------------------------------------------


def test_a_convention_without_the_parameter_is_left_out_or_refused_if_named() -> None:
    compared = rm.compare_conventions("precision(rel=4)@4", RECS, TRUTH)
    assert "rel=4 has no effect" in compared.left_out["replay"]
    assert "elliot" in compared.metrics
    with refusal(rm.MetricError, "Under replay", "rel=4 has no effect"):
        rm.compare_conventions("precision(rel=4)@4", RECS, TRUTH, conventions="replay")


def test_a_convention_that_has_not_the_metric_is_left_out_with_the_reason() -> None:
    compared = rm.compare_conventions("rbp@4", RECS, TRUTH)
    assert [*compared.metrics] == ["rankmetrics", "lenskit", "lenskit-2026"]
    without_cutoff = {name: compared.left_out[name] for name in ("ranx", "ir_measures", "pyterrier")}
    assert all(f"has no cutoff under {name}" in reason for name, reason in without_cutoff.items())
    assert {*compared.left_out.values()} - {*without_cutoff.values()} == {"has no rbp"}
    assert {*compared.metrics, *compared.left_out} == {"rankmetrics", *(convention.name for convention in CONVENTIONS)}


def test_a_convention_that_reads_the_order_of_rows_is_left_out_without_one() -> None:
    recs = duckdb.connect().from_arrow(RECS.drop("rank", "pool").with_columns(score=0.5).to_arrow())
    compared = rm.compare_conventions("rr", recs, TRUTH, conventions=["replay", "elliot", "capri", "lenskit-0.14"])
    assert [*compared.metrics] == ["rankmetrics", "replay"]
    assert compared.left_out["capri"] == "has no rr"
    assert compared.left_out["elliot"] == compared.left_out["lenskit-0.14"]
    assert "elliot, lenskit-0.14: breaks ties by the order of the rows" in "\n".join(compared.notes())
    with refusal(rm.ColumnError, 'ties="input"'):
        rm.compare_conventions("rr(ties=input)", recs, TRUTH)
    ranked = duckdb.connect().from_arrow(RECS.to_arrow())
    assert "elliot" in rm.compare_conventions("rr", ranked, TRUTH).metrics


def test_unknown_names_and_options_that_a_comparison_decides_are_refused() -> None:
    with refusal(rm.MetricError, "no convention 'elliott'", "Did you mean 'elliot'"):
        rm.compare_conventions("hit", RECS, TRUTH, conventions=["elliott"])
    with refusal(rm.MetricError, "no metric 'hitt'", "Did you mean 'hit'"):
        rm.compare_conventions("hitt", RECS, TRUTH)
    for name in ("convention", "aggregates"):
        with refusal(rm.MetricError, f"takes no {name}="):
            rm.compare_conventions("precision@4", RECS, TRUTH, **{name: "lenskit"})


# --- choices ----------------------------------------------------------------------------------------------------------


def test_choices_are_made_one_at_a_time_the_largest_change_first(table: ConventionTable) -> None:
    frame = table.choices()
    assert frame.columns == ["choice", "meaning", "conventions", "value", "change"]
    assert frame["choice"][0] == "divisor=list"
    value, change = (dict(frame.select("choice", column).iter_rows()) for column in ("value", "change"))
    alone = ["divisor=list", "missing=skip", "relevance=any", "rel=0"]
    (row,) = summarized(rm.evaluate(RECS, TRUTH, [f"precision({choice})@4" for choice in alone])).to_dicts()
    assert [value[choice] for choice in alone] == pytest.approx([row[f"precision({choice})@4"] for choice in alone])
    assert frame["change"].to_list() == pytest.approx([number - OURS for number in frame["value"]])
    sizes = frame["change"].abs().to_list()
    assert sizes == sorted(sizes, reverse=True)
    assert change["ties=input"] == change["duplicates=each"] == 0  # ranks are given, and no item is repeated


def test_the_choices_of_a_row_give_its_value(table: ConventionTable) -> None:
    for compared in (table, rm.compare_conventions("ap@4", RECS, TRUTH)):
        rows = [(group, choices) for group in compared._groups for choices in group.choices]
        metrics = [with_choices(compared.metrics["rankmetrics"], choices) for _, choices in rows]
        _, measured = compared._measure(metrics)
        for (group, choices), metric in zip(rows, metrics, strict=True):
            assert measured[metric.label] == pytest.approx(group.values), choices


def test_choices_that_read_ratings_are_left_out_without_ratings() -> None:
    compared = rm.compare_conventions("ndcg@4", RECS, TRUTH.drop("rating"))
    choices = compared.choices()["choice"].to_list()
    assert "relevance=any" in choices
    assert not {"gain=linear", "gain=excess", "rel=0", "rel=1"} & {*choices}
    assert "change by one choice alone" in str(compared)


def test_settings_that_belong_together_are_one_choice_and_so_is_the_whole_list() -> None:
    ours, theirs = rm.parse("ap@10"), rm.parse("ap(divisor=fixed, cap=7)@10")
    assert [*map(str, choices_of(ours, theirs))] == ["divisor=fixed, cap=7"]
    whole = rm.parse("ROC_AUC@10", convention="recometrics")
    assert "the whole list" in map(str, choices_of(rm.parse("auc@10"), whole))
    assert differences(whole)[-1] == "the whole list, whatever the cutoff"
    assert differences(rm.parse("NDCG@10")) == []


# --- printing ---------------------------------------------------------------------------------------------------------


def test_a_comparison_prints_a_row_per_value_then_a_row_per_choice_that_moves_it() -> None:
    compared = rm.compare_conventions("mean_recall@4", RECS, TRUTH)
    lines, page = repr(compared).splitlines(), compared._repr_html_()
    cells = [[cell.strip() for cell in re.split("[┃│]", line)] for line in lines]
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
    assert lines[13].endswith("surprise, tfma, torchmetrics, trec_eval, trulens, warprec, xgboost: has no mean_recall")
    # a notebook shows the same
    assert all(value in page for value in ("0.4583", "0.6667", "+0.2292", "-0.0139"))
    assert "<summary>Meanings</summary><ul><li>" in page
    assert page.count("<table>") == 2


def test_a_comparison_prints_a_column_for_each_system() -> None:
    recs = pl.concat([RECS.with_columns(system=pl.lit(name)) for name in ("als", "knn")])
    text = repr(rm.compare_conventions("mean_recall@4", recs, TRUTH, conventions="elliot"))
    assert [cell.strip() for cell in text.splitlines()[0].split("┃")][2:] == ["als", "knn"]
