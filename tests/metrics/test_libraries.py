"""What each library returns on the smallest lists that tell, and which setting goes before which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.conventions import compare_conventions
from tests.support.conventions import EXTRAS, RECS, TRUTH, about, harmonic, lists, means, result
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal

# --- what the libraries return, on the smallest lists that tell -------------------------------------------------------


def judged(ratings: Mapping[Any, Mapping[Any, float]]) -> pl.DataFrame:
    rows = [(user, item, float(rating)) for user, of in ratings.items() for item, rating in of.items()]
    return pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row")


def given_scores(scores: Mapping[Any, Mapping[Any, float]]) -> pl.DataFrame:
    return judged(scores).rename({"rating": "score"})


@pytest.mark.parametrize("convention", ["trec_eval", "ranx"])
def test_a_query_without_a_relevant_item_counts_0(engine: Engine, convention: str) -> None:
    recs, truth = given_scores({"a": {"x": 2, "y": 1}, "b": {"x": 1}}), judged({"a": {"x": 1}, "b": {"x": 0}})
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give
    found = rm.evaluate(give(recs), give(truth), ["map", "ndcg", "bpref"], convention=convention).collect()
    assert found["map"].item() == found["ndcg"].item() == 1 / 2


def test_ranx_gains_the_rating_and_knows_relevance_levels(engine: Engine) -> None:
    recs, truth = given_scores({1: {"x": 2, "y": 1}}), judged({1: {"x": 3, "y": 1}})
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give
    asked = ["dcg@5", "dcg_burges@1", "rbp.95", "rbp.5-l2", "f1-l2", "precision@1-l4"]
    found = rm.evaluate(give(recs), give(truth), asked, convention="ranx").summary()
    (row,) = engine.read(found).drop("n_lists").to_dicts()
    assert row == about(
        {
            "dcg@5": 3 + 1 / log2(3),
            "dcg_burges@1": 7,
            "rbp(p=0.95)": 0.05 * (3 + 0.95),
            "rbp(p=0.5, rel=2)": 0.5 * 3,
            "f1(rel=2)": harmonic(1 / 2, 1),
            "precision(rel=4)@1": 0,
        }
    )


def test_trec_eval_takes_a_negative_rating_for_none(engine: Engine) -> None:
    recs, truth = given_scores({1: {"n": 2, "x": 1}}), judged({1: {"x": 1, "n": -1}})
    assert means(engine, ["bpref", "ndcg"], recs, truth, convention="trec_eval") == about(
        {"bpref": 1.0, "ndcg": 1 / log2(3)}
    )


def test_the_ndcg_of_trec_eval_knows_no_relevance_level(engine: Engine, ask: Asking) -> None:
    recs, truth = given_scores({1: {"x": 2, "y": 1}}), judged({1: {"x": 1, "y": 2}})
    found = means(engine, ["P(rel=2)@1", "ndcg_cut@2", "ndcg"], recs, truth, convention="trec_eval")
    assert [*found.values()] == [0, *[pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))] * 2]
    with refusal(rm.MetricError, "rel=2 has no effect on ndcg"):
        ask(metrics="ndcg_cut(rel=2)@2", convention="trec_eval")


def test_trec_eval_is_asked_as_pytrec_eval_is() -> None:
    asked = ["ndcg_cut_10", "P_5", "map_cut.5,10", "recip_rank", "recall.100"]
    found = [repr(one) for one in rm.evaluate(RECS, TRUTH, asked, convention="trec_eval").metrics]
    assert found == ["ndcg_cut@10", "P@5", "map_cut@5", "map_cut@10", "recip_rank", "recall@100"]


@pytest.mark.parametrize(
    ("convention", "metric", "parts"),
    [
        ("trec_eval", "gm_map", ("does not measure gm_map of trec_eval", "aggregates=geometric_mean")),
        ("trec_eval", "relstring", ("does not measure relstring", "a text of ratings")),
        ("trec_eval", "num_q", ("does not measure num_q", "the column n_lists")),
        ("trec_eval", "Rprec@10", ("Rprec has no cutoff", "r_precision(convention=rankmetrics)@10")),
        ("trec_eval", "P", ("P always has a cutoff", "P@10", "precision(convention=rankmetrics)")),
        ("trec_eval", "rbp", ("no metric 'rbp' under trec_eval", "rbp(convention=rankmetrics)")),
        ("ranx", "rbp(p=0.5)@10", ("rbp has no cutoff under ranx",)),
        ("ranx", "err@10", ("no metric 'err' under ranx",)),
        ("rectools", "Precision(debias_config=1)@10", ("no parameter 'debias_config'",)),
        ("rectools", "gini@10", ("no metric 'gini' under rectools",)),
        ("rectools", "MRR", ("MRR always has a cutoff under rectools",)),
        ("sklearn", "coverage_error", ("does not measure coverage_error",)),
        ("sklearn", "precision@10", ("no metric 'precision' under sklearn",)),
        ("elliot", "err@10", ("no metric 'err' under elliot",)),
        ("lenskit", "gauc@10", ("no metric 'gauc' under lenskit",)),
        ("recometrics", "rbp@10", ("no metric 'rbp' under recometrics",)),
        ("replay", "user_coverage@10", ("no metric 'user_coverage' under replay",)),
    ],
)
def test_a_name_that_a_convention_does_not_measure_is_refused(
    ask: Asking, convention: str, metric: str, parts: Sequence[str]
) -> None:
    with refusal(rm.MetricError, *parts):
        ask(metrics=metric, convention=convention)


def test_what_is_refused_under_a_convention_may_be_ours(engine: Engine) -> None:
    asked = "serendipity(convention=rankmetrics)@4"
    found = means(engine, asked, convention="rectools", baseline=EXTRAS["baseline"])
    assert [*found.values()] == [*means(engine, "serendipity@4", baseline=EXTRAS["baseline"]).values()]


@pytest.mark.parametrize(
    ("call", "ours"),
    [
        ("Precision(k=10, r_precision=True)", "Precision(divisor=relevant)@10"),
        ("MAP(divide_by_k=True)@10", "MAP(divisor=k)@10"),
        ("F1Beta(k=10, beta=2)", "F1Beta(beta=2)@10"),
        ("PAP(k=10, insufficient_handling='exclude')", "PAP(insufficient=undefined)@10"),
        ("Intersection(k=10, ref_k=5)", "Intersection(baseline_k=5)@10"),
        ("SufficientReco(k=10, deep=True)", "SufficientReco(per=position)@10"),
    ],
)
def test_a_metric_of_rectools_may_be_written_as_its_call(call: str, ours: str) -> None:
    assert rm.parse(call, convention="rectools") == rm.parse(ours, convention="rectools")


def test_the_catalogue_coverage_of_rectools_is_a_count(engine: Engine) -> None:
    asked = ["CatalogCoverage@1", "CatalogCoverage(unit=share)@1"]
    found = means(engine, asked, convention="rectools", catalog=EXTRAS["catalog"])
    assert found == about({asked[0]: 1, asked[1]: 1 / 6})


def test_rectools_refuses_what_repeats_unless_it_is_to_count_once(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": ["a", "a", "b"], "rank": [1, 2, 3]})
    truth = pl.DataFrame({"user": [1, 1], "item": ["a", "c"]})
    with refusal(rm.DataError, "Precision@3 refuses repeated items", "in the recommendations in 1"):
        result(engine, "Precision@3", recs, truth, convention="rectools").collect()
    once = result(engine, "Precision(duplicates=once)@3", recs, truth, convention="rectools").collect()
    assert once["Precision(duplicates=once)@3"].item() == 1 / 3
    with refusal(rm.DataError, "refuses repeated items", "in the truth in 1"):
        result(
            engine, "Recall@3", recs[1:].with_columns(rank=pl.Series([1, 2])), truth[[0, 0]], convention="rectools"
        ).collect()
    assert compare_conventions("precision@3", recs, truth, conventions="rectools").collect()["value"].to_list() == [
        1 / 3,
        1 / 3,
    ]


def test_scikit_learn_keeps_negative_gains_and_averages_ties(engine: Engine) -> None:
    recs, truth = given_scores({1: {"a": 2, "b": 1}}), judged({1: {"a": -1, "b": 1}})
    assert means(engine, "dcg_score", recs, truth, convention="sklearn") == about({"dcg_score": -1 + 1 / log2(3)})
    tied = given_scores({1: {"a": 1, "b": 1}})
    rated = judged({1: {"a": 0, "b": 1}})
    asked = ["ndcg_score", "ndcg_score(tied=ranked)", "dcg_score@1"]
    found = means(engine, asked, tied, rated, convention="sklearn")
    assert found == about(dict(zip(asked, ((1 + 1 / log2(3)) / 2, 1 / log2(3), 1 / 2), strict=True)))


def test_a_metric_of_ones_own_is_taken_over_the_lists_of_a_convention(engine: Engine) -> None:
    rm.define("SELECT n_hits / 2.0 AS half_hits FROM metrics")
    asked = ["half_hits@4", "half_hits(convention=rankmetrics)@4"]
    # under capri user 3 is left out, and what is rated 0 is relevant, too
    found = means(engine, asked, convention="capri")
    assert found == about({asked[0]: (2 / 2 + 1 / 2) / 2, asked[1]: (1 / 2 + 1 / 2 + 0) / 3})


# --- what goes before what --------------------------------------------------------------------------------------------


def test_what_is_set_on_a_metric_goes_before_its_convention(engine: Engine) -> None:
    asked = ["Precision(divisor=k)@4", "Precision(missing=skip)@4", "Precision(relevance=rated, divisor=k)@4"]
    found = means(engine, asked, convention="lenskit")
    assert found == about({asked[0]: 3 / 4 / 3, asked[1]: (2 / 4 + 1 / 2) / 2, asked[2]: (1 / 4 + 1 / 4) / 3})


def test_missing_of_the_call_goes_before_the_convention_and_after_the_metric(engine: Engine) -> None:
    asked = ["Precision@4", "Precision(convention=lenskit)@4", "Precision(missing=listed)@4"]
    found = means(engine, asked, convention="replay", missing="skip")
    assert found == about({asked[0]: 3 / 4 / 2, asked[1]: (2 / 4 + 1 / 2) / 2, asked[2]: 3 / 4 / 3})


def test_ties_of_the_call_go_before_the_convention_and_after_the_metric(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "score": [0.5, 0.5]})
    truth = pl.DataFrame({"user": [1], "item": ["b"]})
    assert means(engine, "MRR", recs, truth) == {"MRR": 1 / 2}
    assert means(engine, "MRR", recs, truth, convention="replay") == {"MRR": 1.0}
    asked = ["MRR", "MRR(convention=replay)", "MRR(ties=item_desc)"]
    assert [*means(engine, asked, recs, truth, convention="replay", ties="item").values()] == [1 / 2, 1 / 2, 1.0]


def test_a_threshold_is_rel_under_elliot(engine: Engine) -> None:
    assert means(engine, ["Recall(rel=2)@4", "HR(rel=5)@4"], convention="elliot") == about(
        {"Recall(rel=2)@4": (1 / 2 + 1) / 2, "HR(rel=5)@4": 1.0}
    )


def test_the_fewest_relevant_items_may_be_set_under_recometrics(engine: Engine) -> None:
    found = lists(engine, ["P@2", "P(min_relevant=2)@2", "P(min_relevant=4)@2"], convention="recometrics")
    assert found == [(1, 1 / 2, 1 / 2, None), (2, 1 / 2, None, None), (4, None, None, None)]


def test_rel_is_refused_where_the_convention_takes_any_row(ask: Asking) -> None:
    with refusal(rm.MetricError, "rel=4 has no effect on precision", "'relevance=rated'"):
        ask(metrics="Precision(rel=4)@5", convention="replay")
