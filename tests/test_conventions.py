"""Conventions of other libraries, policies, aggregates and metrics made of metrics, worked out by hand.

User 1 is given a, b, c, d, and user 2 a, c; user 4, of whom nothing is known, a, b. Relevant to user 1 are b (rated 5),
x (2) and d (0, which counts where any row of the truth does); to user 2 a (3); to user 3, who is given nothing, q (4).
Every list was ranked from 9 candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2, sqrt
from pathlib import Path
from statistics import NormalDist, stdev
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.compare import compare_conventions, differences
from rankmetrics.errors import plain
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find
from tests.conftest import Engine
from tests.test_bad_input import Asking, refusal
from tests.test_cli import printed, refused, table

RECS = pl.DataFrame(
    {
        "user": [1, 1, 1, 1, 2, 2, 4, 4],
        "item": ["a", "b", "c", "d", "a", "c", "a", "b"],
        "rank": [1, 2, 3, 4, 1, 2, 1, 2],
        "pool": [9] * 8,
    }
)
TRUTH = pl.DataFrame({"user": [1, 1, 1, 2, 3], "item": ["b", "x", "d", "a", "q"], "rating": [5.0, 2.0, 0.0, 3.0, 4.0]})

# What there is beside the truth, for the metrics that need it.
EXTRAS: Mapping[str, pl.DataFrame] = {
    "history": pl.DataFrame({"user": [1, 2, 2, 3], "item": ["a", "a", "b", "b"]}),
    "baseline": pl.DataFrame({"user": [1, 1, 2, 3], "item": ["a", "e", "c", "a"], "rank": [1, 2, 1, 1]}),
    "items": pl.DataFrame({"item": ["a", "b", "c", "d"], "category": ["s", "s", "t", "t"]}),
    "similarity": pl.DataFrame({"item": ["a", "a"], "other": ["b", "c"], "similarity": [0.5, 0.25]}),
    "catalog": pl.DataFrame({"item": ["a", "b", "c", "d", "e", "x"]}),
}


@pytest.fixture
def ask(engine: Engine) -> Asking:
    return Asking(engine)


def result(
    engine: Engine, metrics: Any, recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any
) -> rm.Result:
    given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in options.items()}
    return rm.evaluate(engine.give(recs), engine.give(truth), metrics, **given)


def means(engine: Engine, metrics: Any, *frames: pl.DataFrame, **options: Any) -> dict[str, Any]:
    """The one row of a summary, without the number of lists."""
    (row,) = engine.read(result(engine, metrics, *frames, **options).summary()).to_dicts()
    del row["n_lists"]
    return row


def lists(engine: Engine, metrics: Any, *frames: pl.DataFrame, **options: Any) -> list[tuple[Any, ...]]:
    """One row per list, by user."""
    return engine.read(result(engine, metrics, *frames, **options).per_list()).sort("user").rows()


def counted(engine: Engine, found: rm.Result) -> dict[str, int]:
    """The account by name."""
    return dict(engine.read(found.account()).select("account", "n").iter_rows())


def about(values: Mapping[str, float | None]) -> dict[str, object]:
    return {name: None if one is None else pytest.approx(one, rel=1e-12) for name, one in values.items()}


# --- one number, however it is asked for ------------------------------------------------------------------------------

# Precision at 4, as each convention calls it: user 1 has two hits in four places, one of them rated 0; user 2 one hit,
# in two places of four; user 3 no list, user 4 no truth.
PRECISION: Mapping[str, tuple[str, float]] = {
    "replay": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
    "replay-0.12": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
    "replay-0.11": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
    "replay-0.10": ("Precision", (2 / 4 + 1 / 2 + 0) / 3),
    "elliot": ("Precision", (2 / 4 + 1 / 4) / 2),
    "recometrics": ("P", (2 / 4 + 1 / 4) / 2),
    "capri": ("precisionk", (2 / 4 + 1 / 2) / 2),
    "lenskit-0.14": ("precision", (2 / 4 + 1 / 4 + 0) / 3),
    "lenskit-0.14-lists": ("precision", (2 / 4 + 1 / 2) / 2),
    "lenskit": ("Precision", (2 / 4 + 1 / 2 + 0) / 3),
    "trec_eval": ("P", (1 / 4 + 1 / 4) / 2),
    "ranx": ("precision", (1 / 4 + 1 / 4 + 0) / 3),
    "rectools": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
}

# A metric under RecTools, which refuses repeated items, is compared with each of them counted once.
COMPARED: Mapping[str, str] = {
    name: f"{theirs}{'(duplicates=once)' if name == 'rectools' else ''}@4" for name, (theirs, _) in PRECISION.items()
}


def under(convention: str) -> rm.Metric:
    """Precision as a convention has it; the stubs know no `convention`, which every metric takes."""
    settings: dict[str, Any] = {"convention": convention}
    return rm.precision(**settings)


def test_every_convention_that_has_precision_is_here() -> None:
    having = [one.name for one in CONVENTIONS if any(rm.parse(it).name == "precision" for it in one.spellings.values())]
    assert [*PRECISION] == having


@pytest.mark.parametrize("name", PRECISION)
def test_a_convention_gives_one_number_however_it_is_asked_for(engine: Engine, name: str) -> None:
    theirs, value = PRECISION[name]
    asked = f"{theirs}(convention={name})@4"
    assert means(engine, f"{theirs}@4", convention=name) == about({f"{theirs}@4": value})
    assert means(engine, asked) == about({asked: value})
    assert means(engine, [rm.parse(f"{theirs}@4", convention=name)]) == about({f"{theirs}@4": value})
    (ours,) = means(engine, [under(name) @ 4]).values()
    assert ours == pytest.approx(value)


def test_the_command_line_takes_a_convention(tmp_path: Path) -> None:
    RECS.write_csv(tmp_path / "recs.csv")
    TRUTH.write_csv(tmp_path / "truth.csv")
    for name, (theirs, value) in PRECISION.items():
        command = ("evaluate", tmp_path / "recs.csv", tmp_path / "truth.csv", "-m", f"{theirs}@4")
        (row,) = table(printed(*command, "--convention", name))
        assert row[f"{theirs}@4"] == f"{value:.4f}", name


def test_ours_is_none_of_them(engine: Engine) -> None:
    assert means(engine, ["precision@4", "P@4"]) == about({"precision@4": 1 / 6, "P@4": 1 / 6})


@pytest.mark.parametrize("spelled", ["NDCG@2", "ndcg@2", "nDcG@2", "NDCG(gain=binary)@2"])
def test_a_column_is_called_as_the_metric_was_spelled(engine: Engine, spelled: str) -> None:
    value = ((1 / log2(3)) / (1 + 1 / log2(3)) + 1 + 0) / 3
    assert means(engine, spelled, convention="replay") == about({spelled: value})


def test_the_graded_and_the_binary_ndcg_of_elliot_have_their_own_names(engine: Engine) -> None:
    found = lists(engine, ["nDCG@2", "nDCGRendle2020@2"], convention="elliot")
    graded = (2**6 - 1) / log2(3) / ((2**6 - 1) + (2**3 - 1) / log2(3))
    binary = 1 / log2(3) / (1 + 1 / log2(3))
    assert found == [(1, pytest.approx(graded), pytest.approx(binary)), (2, 1.0, 1.0)]


def test_a_metric_that_names_its_own_convention_keeps_it(engine: Engine) -> None:
    asked = ["precision@4", "Precision(convention=lenskit)@4"]
    found = means(engine, asked, convention="capri")
    assert found == about({asked[0]: PRECISION["capri"][1], asked[1]: PRECISION["lenskit"][1]})


def test_a_metric_that_a_convention_does_not_have_is_refused_with_the_way_to_ours(ask: Asking) -> None:
    for metric in ("rr", "MRR", "rr@5"):
        name = metric.partition("@")[0]
        with refusal(
            rm.MetricError, f"no metric '{name}' under capri", "precisionk", f"{name}(convention=rankmetrics)"
        ):
            ask(metrics=metric, convention="capri")
    with refusal(rm.MetricError, "no metric 'rr' under capri", "rr(convention=rankmetrics)"):
        ask(metrics=[rm.rr @ 5], convention="capri")


def test_our_own_metric_may_be_named_under_a_convention(engine: Engine) -> None:
    # capri leaves out user 3, who has no list, and takes any row of the truth; our own takes user 3, too
    asked = ["precisionk@2", "rr(convention=rankmetrics)", "rr(convention=rankmetrics, missing=skip, relevance=any)"]
    assert lists(engine, asked, convention="capri") == [
        (1, 1 / 2, 1 / 2, 1 / 2),
        (2, 1 / 2, 1.0, 1.0),
        (3, None, 0.0, None),
    ]
    assert rm.parse("gini(convention=rankmetrics)@5") == rm.parse("gini@5")


def test_the_convention_of_rankmetrics_is_none(engine: Engine) -> None:
    assert lists(engine, ["precision@4"], convention="rankmetrics") == lists(engine, ["precision@4"])


def test_our_own_metric_still_wants_its_rating_under_a_convention(ask: Asking) -> None:
    unrated = pl.DataFrame({"user": [1], "item": [1]})
    with refusal(rm.ColumnError, "gain=linear)@5 reads ratings, and the truth has no rating column"):
        ask(truth=unrated, metrics="ndcg(convention=rankmetrics, gain=linear)@5", convention="replay")


def test_ours_of_a_name_stands_for_the_first_of_theirs(engine: Engine) -> None:
    asked = ["precision@4", "P@4", "TP@4"]
    assert under("recometrics") @ 4 == rm.parse("P(convention=recometrics)@4")
    assert means(engine, asked, convention="recometrics") == about(
        {"precision@4": 3 / 8, "P@4": 3 / 8, "TP@4": (2 / 3 + 1) / 2}
    )


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
        ("trec_eval", "11pt_avg", ("does not measure 11pt_avg",)),
        ("trec_eval", "iprec_at_recall_0.10", ("does not measure iprec_at_recall",)),
        ("trec_eval", "Rprec@10", ("Rprec has no cutoff", "r_precision(convention=rankmetrics)@10")),
        ("trec_eval", "P", ("P always has a cutoff", "P@10", "precision(convention=rankmetrics)")),
        ("trec_eval", "rbp", ("no metric 'rbp' under trec_eval", "rbp(convention=rankmetrics)")),
        ("ranx", "rbp(p=0.5)@10", ("rbp has no cutoff under ranx",)),
        ("ranx", "err@10", ("no metric 'err' under ranx",)),
        ("rectools", "Serendipity@10", ("does not measure Serendipity", "serendipity(convention=rankmetrics)")),
        ("rectools", "Intersection@10", ("does not measure Intersection",)),
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


def test_the_catalogue_coverage_of_rectools_is_a_count(engine: Engine) -> None:
    asked = ["CatalogCoverage@1", "CatalogCoverage(unit=share)@1"]
    found = means(engine, asked, convention="rectools", catalog=EXTRAS["catalog"])
    assert found == about({asked[0]: 1, asked[1]: 1 / 6})


def test_rectools_refuses_what_repeats_unless_it_is_to_count_once(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": ["a", "a", "b"], "rank": [1, 2, 3]})
    truth = pl.DataFrame({"user": [1, 1], "item": ["a", "c"]})
    with refusal(rm.DataError, "Precision@3 refuses items that repeat", "in the recommendations in 1"):
        result(engine, "Precision@3", recs, truth, convention="rectools").collect()
    once = result(engine, "Precision(duplicates=once)@3", recs, truth, convention="rectools").collect()
    assert once["Precision(duplicates=once)@3"].item() == 1 / 3
    with refusal(rm.DataError, "refuses items that repeat", "in the truth in 1"):
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


# --- conventions that there are not -----------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["hit", "hit(convention=repaly)"])
def test_an_unknown_convention_is_refused_with_the_near_names(ask: Asking, metric: str) -> None:
    asked: dict[str, Any] = {} if "(" in metric else {"convention": "repaly"}
    with refusal(rm.MetricError, "no convention 'repaly'", "'replay', 'replay-0.12'", "Did you mean 'replay'"):
        ask(metrics=metric, **asked)


def test_an_unknown_spelling_is_refused_with_the_near_names_and_those_of_the_convention(ask: Asking) -> None:
    with refusal(rm.MetricError, "no metric 'NDGCK' under capri", "Did you mean 'ndcgk'", "Under capri", "novelty"):
        ask(metrics="NDGCK@5", convention="capri")


def test_a_spelling_of_one_convention_is_none_of_another(ask: Asking) -> None:
    assert rm.parse("TAP@5", convention="recometrics").name == "ap"
    with refusal(rm.MetricError, "no metric 'TAP' under replay", "Under replay"):
        ask(metrics="TAP@5", convention="replay")
    with refusal(rm.MetricError, "no metric 'TAP'"):
        ask(metrics="TAP@5")


def test_a_metric_under_a_convention_that_calls_something_else_so_is_refused() -> None:
    metric = rm.parse("AUC@5")
    assert metric.name == "auc"
    with refusal(rm.MetricError, "AUC under elliot is pooled_auc, and not auc"):
        metric(convention="elliot")


def test_the_command_line_refuses_an_unknown_convention(tmp_path: Path) -> None:
    RECS.write_csv(tmp_path / "recs.csv")
    files = (tmp_path / "recs.csv", tmp_path / "recs.csv")
    assert "Did you mean 'lenskit'" in refused("evaluate", *files, "-m", "hit", "--convention", "lenskti")


def test_a_convention_that_is_no_text_is_refused(ask: Asking) -> None:
    with refusal(rm.MetricError, "5"):
        ask(convention=5)


# --- what the conventions hold ----------------------------------------------------------------------------------------


def test_the_names_of_conventions_differ() -> None:
    names = [plain(name) for one in CONVENTIONS for name in (one.name, *one.aliases)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_a_convention_is_found_under_its_aliases_whatever_their_case(convention: Convention) -> None:
    for name in (convention.name, *convention.aliases):
        assert find(name) is find(name.upper()) is find(name.replace("-", " ")) is convention


def test_an_alias_gives_the_number_of_the_convention(engine: Engine) -> None:
    asked = "Precision(convention=LensKit-2025)@4"
    assert means(engine, asked) == about({asked: PRECISION["lenskit"][1]})
    assert rm.parse(asked) == rm.parse("Precision(convention=lenskit)@4")


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_every_spelling_of_a_convention_is_a_metric_at_10_where_it_takes_a_cutoff(convention: Convention) -> None:
    assert len({plain(one) for one in convention.spellings}) == len(convention.spellings)
    for theirs, ours in convention.spellings.items():
        target = rm.parse(ours)
        assert target.k is None
        takes_a_cutoff = "k" in catalog().parameters(target.name) and theirs not in convention.uncut
        found = rm.parse(f"{theirs}@10" if takes_a_cutoff else theirs, convention=convention.name)
        assert found.name == target.name
        assert found.label == (f"{theirs}@10" if takes_a_cutoff else theirs)
        for name, value in {**convention.policies, **target.settings}.items():
            assert found.values.get(name, value) == value, (theirs, name)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_every_spelling_of_a_convention_is_measured(engine: Engine, convention: Convention) -> None:
    targets = {theirs: rm.parse(ours).name for theirs, ours in convention.spellings.items()}
    takes_a_cutoff = [one for one, target in targets.items() if "k" in catalog().parameters(target)]
    asked = [f"{one}@2" if one in takes_a_cutoff and one not in convention.uncut else one for one in targets]
    found = result(engine, asked, convention=convention.name, **EXTRAS)
    assert engine.read(found.summary()).columns == ["n_lists", *asked]


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_the_notes_of_a_convention_are_sentences(convention: Convention) -> None:
    assert convention.remarks
    assert all(one.endswith(".") and "\n" not in one for one in convention.remarks)


# --- several conventions in one call ----------------------------------------------------------------------------------

MIXED = [
    "precision@4",
    "Precision(convention=lenskit)@4",
    "P(convention=trec_eval)@4",
    "recall(convention=lenskit-0.14)@4",
]


def test_metrics_of_several_conventions_are_each_averaged_over_their_own_lists(engine: Engine) -> None:
    assert lists(engine, MIXED) == [
        (1, 1 / 4, 2 / 4, 1 / 4, 2 / 3),
        (2, 1 / 4, 1 / 2, 1 / 4, 1.0),
        (3, 0.0, None, None, None),
        (4, None, 0.0, None, None),
    ]
    found = means(engine, MIXED, aggregates=["mean", "n"])
    assert [found[one] for one in MIXED] == [pytest.approx(one) for one in (1 / 6, 1 / 3, 1 / 4, 5 / 6)]
    assert [found[f"{one} n"] for one in MIXED] == [3, 3, 2, 2]


def test_the_account_counts_as_undefined_only_lists_that_a_metric_is_taken_over(engine: Engine) -> None:
    found = result(engine, MIXED)
    account = counted(engine, found)
    assert [account[f"undefined {one}"] for one in MIXED] == [0, 0, 0, 1]
    assert {name: account[name] for name in ("lists_scored", "lists_missing", "lists_without_truth")} == {
        "lists_scored": 4,
        "lists_missing": 1,
        "lists_without_truth": 1,
    }
    notes = found.notes()
    assert notes[0] == "lists that the means are taken over: 4"
    assert f"lists for which {MIXED[3]} is undefined: 1; not in its mean" in notes
    assert not [one for one in notes if MIXED[0] in one or MIXED[1] in one or MIXED[2] in one]


def test_numbers_of_a_system_are_taken_over_the_lists_of_their_own_convention(engine: Engine) -> None:
    asked = [
        "user_coverage(unit=count)@4",
        "user_coverage(missing=listed, unit=count)@4",
        "user_coverage@4",
        "user_coverage(missing=listed, least=k)@4",
        "ItemCoverage(convention=elliot)@1",
        "coverage(unit=count, missing=listed)@2",
        "hit@4",
    ]
    found = means(engine, asked, **EXTRAS)
    assert found == about(dict(zip(asked, (2, 3, 2 / 3, 1 / 3, 1, 3, 2 / 3), strict=True)))


def test_lists_of_several_kinds_may_be_summarized_by_system(engine: Engine) -> None:
    other = RECS.filter(pl.col("user") != 2).with_columns(algorithm=pl.lit("B"))
    recs = pl.concat([RECS.with_columns(algorithm=pl.lit("A")), other])
    rows = engine.read(result(engine, MIXED[:3], recs).summary()).rows()
    assert rows == [
        ("A", 4, pytest.approx(1 / 6), pytest.approx(1 / 3), pytest.approx(1 / 4)),
        ("B", 4, pytest.approx(1 / 12), pytest.approx(1 / 4), pytest.approx(1 / 4)),
    ]


# --- cutoffs ----------------------------------------------------------------------------------------------------------


def test_a_cutoff_of_none_is_none() -> None:
    assert rm.parse("NDCG@None") == rm.parse("NDCG")
    assert rm.parse("NDCG@None").label == "NDCG"
    assert rm.parse("NDCG@None", convention="replay").k is None


def test_cutoffs_in_a_row_are_a_column_each(engine: Engine) -> None:
    found = means(engine, "precision@1..4", missing="skip")
    assert found == about(dict(zip((f"precision@{k}" for k in range(1, 5)), (1 / 2, 2 / 4, 2 / 6, 2 / 8), strict=True)))
    assert [*means(engine, "Precision@1..2,4,None", convention="replay")] == [
        "Precision@1",
        "Precision@2",
        "Precision@4",
        "Precision",
    ]


@pytest.mark.parametrize(
    ("cutoffs", "parts"),
    [
        ("4..1", ("run backwards", "1..4")),
        ("0..4", ("whole number from 1", "'0' is not")),
        ("1..", ("whole number from 1", "'' is not")),
        ("1..x", ("whole number from 1", "'x' is not")),
        ("none", ("whole number from 1", "'none' is not")),
    ],
)
def test_cutoffs_that_make_no_row_are_refused(ask: Asking, cutoffs: str, parts: Sequence[str]) -> None:
    with refusal(rm.MetricError, "precision", *parts):
        ask(metrics=f"precision@{cutoffs}")


def test_one_metric_cannot_be_several() -> None:
    with refusal(rm.MetricError, "is 4 metrics", "'precision@1'"):
        rm.parse("precision@1..4")


def test_a_metric_that_its_convention_takes_of_the_whole_list_ignores_the_cutoff(engine: Engine) -> None:
    # six items in the catalogue, less what was known and what is relevant, and one more: of user 1, 6 - 1 - 3 + 1 = 3,
    # and b has one miss above, d two; of user 2, 6 - 2 - 1 + 1 = 4, and nothing stands above a
    value = ((1 - 1 / 3 + 1 - 2 / 3) / 3 + 1) / 2
    pooled = (1 - 1 / 3 + 1 - 2 / 3 + 1) / 3
    asked = ["GAUC@1", "GAUC@10", "GAUC", "AUC@1"]
    found = means(engine, asked, convention="elliot", **EXTRAS)
    assert found == about({**dict.fromkeys(asked[:3], value), "AUC@1": pooled})
    assert rm.parse("GAUC@1", convention="elliot") == rm.parse("GAUC", convention="elliot")
    assert rm.parse("LAUC@1", convention="elliot") != rm.parse("LAUC", convention="elliot")
    assert rm.parse("gauc@1") != rm.parse("gauc")


def test_the_cutoff_of_a_metric_of_the_whole_list_still_says_how_many_candidates_there_must_be(engine: Engine) -> None:
    found = lists(engine, ["ROC_AUC@1", "ROC_AUC@9", "ROC_AUC@10"], convention="recometrics")
    # of user 1, ranked from nine, b and d have three misses above among 2 * 7 pairs; of user 2, nothing stands above a
    whole = pytest.approx(1 - (1 + 2) / (2 * 7))
    assert found == [(1, whole, whole, None), (2, 1.0, 1.0, None), (4, None, None, None)]


# --- compare_conventions ----------------------------------------------------------------------------------------------


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
    assert found["n_lists"].to_list() == [3, 3, 3, 3, 3, 2, 2, 2, 3, 2, 3, 2, 3, 3]


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
    assert "rbp has no cutoff under ranx" in found.left_out["ranx"]
    assert {*found.left_out.values()} - {found.left_out["ranx"]} == {"has no rbp"}
    assert {*found.metrics, *found.left_out} == {"rankmetrics", *(one.name for one in CONVENTIONS)}


def test_a_convention_that_goes_by_the_order_of_rows_is_left_out_where_they_have_none() -> None:
    recs = duckdb.connect().from_arrow(RECS.drop("rank").with_columns(score=0.5).to_arrow())
    found = compare_conventions("rr", recs, TRUTH, conventions=["replay", "elliot", "capri", "lenskit-0.14"])
    assert [*found.metrics] == ["rankmetrics", "replay"]
    assert found.left_out["capri"] == "has no rr"
    assert found.left_out["elliot"] == found.left_out["lenskit-0.14"]
    assert "order of the rows" in found.left_out["elliot"]
    assert "elliot: goes by the order of the rows" in repr(found)
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


def test_a_comparison_prints_as_a_table_with_a_line_per_difference() -> None:
    text = repr(compare_conventions("mean_recall@4", RECS, TRUTH))
    rows = table(text.split("\nreplay: ")[0])
    assert [row["convention"] for row in rows] == ["rankmetrics", "elliot", "", "", "", ""]
    assert [row["metric"] for row in rows][:2] == ["mean_recall@4", "MAR@4"]
    assert rows[2]["differs"] == "enough=relevant: a relevant item"
    assert "sklearn: has no mean_recall" in text.splitlines()


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


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    RECS.write_csv(tmp_path / "recs.csv")
    TRUTH.write_csv(tmp_path / "truth.csv")
    return tmp_path / "recs.csv", tmp_path / "truth.csv"


def test_the_command_lists_the_conventions() -> None:
    rows = table(printed("conventions"))
    assert [row["convention"] for row in rows] == [one.name for one in CONVENTIONS]
    assert [row["whose it is"] for row in rows] == [one.what for one in CONVENTIONS]


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_the_command_explains_a_convention(convention: Convention) -> None:
    lines = printed("conventions", convention.name).splitlines()
    assert lines[0] == f"{convention.name}: {convention.what}"
    assert [line for line in lines if line.startswith("- ")] == [f"- {one}" for one in convention.remarks]
    for theirs, ours in convention.spellings.items():
        assert [theirs, ours] in [line.split(maxsplit=1) for line in lines]
    for name, value in convention.policies.items():
        assert [line for line in lines if line.startswith(f"{name} = {value}: ")]


def test_the_command_says_what_is_not_measured() -> None:
    assert "not measured: Serendipity, Intersection, UnrepeatedReco" in printed("conventions", "rectools").splitlines()
    assert printed("conventions", "rankmetrics").strip() == "rankmetrics: rankmetrics itself"
    assert "rbp(convention=rankmetrics)" in refused("conventions", "rbp(convention=capri)")


def test_the_command_explains_a_convention_under_an_alias() -> None:
    assert printed("conventions", "trec") == printed("conventions", "trec_eval")
    assert "also called: 'trec' and 'pytrec_eval'" in printed("conventions", "trec")


def test_the_command_compares_a_metric(files: tuple[Path, Path]) -> None:
    text = printed("conventions", "precision@4", *files)
    rows = [row for row in table(text.split("\nsklearn: ")[0]) if row["convention"]]
    assert [row["convention"] for row in rows] == ["rankmetrics", *PRECISION]
    assert [row["value"] for row in rows] == [f"{one:.4f}" for one in (1 / 6, *(one for _, one in PRECISION.values()))]
    assert text.splitlines()[-1] == "sklearn: has no precision"


def test_the_command_needs_the_truth_to_compare(files: tuple[Path, Path]) -> None:
    said = refused("conventions", "precision@4", files[0])
    assert said == "Give the truth, too: rankmetrics conventions METRIC RECS TRUTH."


def test_the_command_refuses_what_is_no_convention() -> None:
    assert "Did you mean 'elliot'" in refused("conventions", "eliot")


# --- explain ----------------------------------------------------------------------------------------------------------


def test_the_explanation_of_a_metric_under_a_convention_names_it_and_its_choices() -> None:
    lines = rm.explain("MAP(convention=replay-0.12)@10").splitlines()
    assert lines[0].startswith("MAP(convention=replay-0.12)@10: average precision")
    assert f"convention = replay-0.12: {find('replay-0.12').what}" in lines
    assert "divisor = k: the number that the sum of precisions is divided by." in lines
    chosen = [line.strip() for line in lines if line.startswith("    * ")]
    assert sorted(line.partition(":")[0] for line in chosen) == ["* any", "* first", "* hits", "* item_desc", "* k"]


def test_the_explanation_of_a_result_under_a_convention_names_it() -> None:
    text = rm.evaluate(RECS, TRUTH, ["Recall@10", "nDCG(rel=4)@10"], convention="elliot").explain()
    assert text.count("convention = elliot: Elliot 0.3.1") == 2
    assert "gain = excess: " in text
    assert "rel = 4: " in text
    assert "rel = 0: " in text


@pytest.mark.parametrize("metric", ["coverage@5", "Coverage(convention=replay)@5", "user_coverage", "pop_reo"])
def test_a_number_of_a_system_is_explained(metric: str) -> None:
    assert rm.explain(metric).startswith(f"{metric}: {rm.parse(metric).definition.summary}")
    assert printed("metrics", metric).startswith(f"{metric}: ")


def test_the_explanation_without_a_convention_names_none() -> None:
    assert "convention" not in rm.explain("ap@10")


# --- aggregates -------------------------------------------------------------------------------------------------------

# Reciprocal ranks of three lists: 1, 1/2 and 1/4; of four: 1/5 too.
VALUES = [1.0, 1 / 2, 1 / 4]


def of_ranks(ranks: Sequence[int]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists of five whose relevant item stands at these ranks."""
    users = range(len(ranks))
    recs = pl.DataFrame(
        {
            "user": [u for u in users for _ in range(5)],
            "item": [*range(1, 6)] * len(ranks),
            "rank": [*range(1, 6)] * len(ranks),
        }
    )
    return recs, pl.DataFrame({"user": [*users], "item": [*ranks]})


def margin(values: Sequence[float], confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2) * stdev(values) / sqrt(len(values))


MEAN = sum(VALUES) / 3
OF_THREE: Mapping[str, float] = {
    "mean": MEAN,
    "geometric_mean": 1 / 2,
    "total": 7 / 4,
    "median": 1 / 2,
    "median_low": 1 / 2,
    "std": stdev(VALUES),
    "minimum": 1 / 4,
    "maximum": 1.0,
    "n": 3,
    "ci": margin(VALUES, 0.95),
    "ci(0.9)": margin(VALUES, 0.9),
    "ci_low": MEAN - margin(VALUES, 0.95),
    "ci_low(0.5)": MEAN - margin(VALUES, 0.5),
    "ci_high": MEAN + margin(VALUES, 0.95),
    "ci_high(0.999)": MEAN + margin(VALUES, 0.999),
}


def test_every_aggregate_is_here() -> None:
    assert {one.partition("(")[0] for one in OF_THREE} == {one.name for one in catalog().all("aggregate")}


@pytest.mark.parametrize("aggregate", OF_THREE)
def test_an_aggregate_of_three_lists(engine: Engine, aggregate: str) -> None:
    label = "rr" if aggregate == "mean" else f"rr {aggregate}"
    assert means(engine, "rr", *of_ranks([4, 1, 2]), aggregates=aggregate) == about({label: OF_THREE[aggregate]})


def test_a_geometric_mean_takes_0_for_a_little_and_leaves_out_what_is_undefined(engine: Engine) -> None:
    found = means(engine, ["rr", "precision(divisor=list)@4"], *of_ranks([1, 6]), aggregates="geometric_mean")
    assert found == about({"rr geometric_mean": sqrt(1e-5), "precision(divisor=list)@4 geometric_mean": sqrt(1e-5 / 4)})
    found = means(engine, "precision(divisor=list)@4", aggregates=["geometric_mean", "total"])
    asked = "precision(divisor=list)@4"  # of users 1 and 2 it is 1 / 4 and 1 / 2, of user 3 undefined
    assert found == about({f"{asked} geometric_mean": sqrt(1 / 8), f"{asked} total": 3 / 4})


def test_several_aggregates_stand_in_the_order_asked_for_metric_by_metric(engine: Engine) -> None:
    asked = ["ci(0.9)", "mean", "n"]
    found = means(engine, ["rr", "hit@1"], *of_ranks([4, 1, 2]), aggregates=asked)
    assert [*found] == ["rr ci(0.9)", "rr", "rr n", "hit@1 ci(0.9)", "hit@1", "hit@1 n"]


def test_one_list_has_no_spread(engine: Engine) -> None:
    asked = ["mean", "median", "median_low", "std", "minimum", "maximum", "n", "ci", "ci_low", "ci_high"]
    found = means(engine, "rr", *of_ranks([2]), aggregates=asked)
    assert [*found.values()] == [1 / 2, 1 / 2, 1 / 2, None, 1 / 2, 1 / 2, 1, None, None, None]


def test_no_list_where_the_metric_is_defined_has_no_aggregate_but_n(engine: Engine) -> None:
    truth = pl.DataFrame({"user": [1, 2], "item": ["a", "a"], "rating": [0.0, 0.0]})
    asked = ["mean", "median", "median_low", "std", "minimum", "maximum", "ci", "n"]
    assert [*means(engine, "rr", RECS, truth, aggregates=asked).values()] == [None] * 7 + [0]


def test_of_two_middle_values_the_median_is_their_mean_and_the_low_one_the_lower(engine: Engine) -> None:
    found = means(engine, "rr", *of_ranks([1, 4, 2, 5]), aggregates=["median", "median_low"])
    assert found == about({"rr median": (1 / 2 + 1 / 4) / 2, "rr median_low": 1 / 4})


def test_aggregates_leave_out_lists_where_the_metric_is_undefined(engine: Engine) -> None:
    asked = ["mean", "median", "std", "n", "minimum", "ci"]
    found = means(engine, "precision(divisor=list)@4", aggregates=asked)
    spread = [1 / 4, 1 / 2]
    assert [*found.values()] == [
        pytest.approx(one) for one in (3 / 8, 3 / 8, stdev(spread), 2, 1 / 4, margin(spread, 0.95))
    ]


def test_an_aggregate_asked_for_twice_is_one_column(engine: Engine) -> None:
    asked = ["ci(0.9)", "ci(0.90)", " ci( 0.9 ) ", "mean", "mean", "ci(9e-1)"]
    assert [*means(engine, "rr", *of_ranks([1, 2]), aggregates=asked)] == ["rr ci(0.9)", "rr"]


def test_aggregates_are_those_of_each_system(engine: Engine) -> None:
    recs, truth = of_ranks([1, 2, 4])
    first = recs.filter(pl.col("rank") == 1).with_columns(algorithm=pl.lit("B"))
    both = pl.concat([recs.with_columns(algorithm=pl.lit("A")), first])
    rows = engine.read(result(engine, "rr", both, truth, aggregates=["median", "n"]).summary()).rows()
    assert rows == [("A", 3, 1 / 2, 3), ("B", 3, 0.0, 3)]


def test_aggregates_leave_the_table_per_list_as_it_is(engine: Engine) -> None:
    found = result(engine, "rr", *of_ranks([1, 2]), aggregates=["median", "n"])
    assert engine.read(found.per_list()).columns == ["user", "rr"]


def test_aggregates_leave_the_numbers_of_a_system_as_they_are(engine: Engine) -> None:
    found = means(engine, ["coverage@1", "hit@4"], aggregates=["median", "n"], catalog=EXTRAS["catalog"])
    assert found == about({"coverage@1": 1 / 6, "hit@4 median": 1.0, "hit@4 n": 3})


def test_a_leaderboard_of_medians_is_printed_best_first(engine: Engine) -> None:
    (first, truth), (second, _) = of_ranks([4, 4, 1]), of_ranks([4, 4, 1])
    second = second.with_columns(rank=6 - pl.col("rank"))  # at 2, 2 and 5
    recs = pl.concat([first.with_columns(algorithm=pl.lit("A")), second.with_columns(algorithm=pl.lit("B"))])
    rows = table(repr(result(engine, "rr", recs, truth, aggregates="median")))
    assert [(row["algorithm"], row["rr median"]) for row in rows] == [("B", "0.5000"), ("A", "0.2500")]


@pytest.mark.parametrize(
    ("aggregate", "parts"),
    [
        ("medain", ("no aggregate 'medain'", "'median', 'median_low'", "Did you mean 'median'")),
        ("Mean", ("no aggregate 'Mean'", "Did you mean 'mean'")),
        ("ci(2)", ("'ci(2)' cannot be", "between 0 and 1")),
        ("ci(95)", ("'ci(95)' cannot be", "between 0 and 1")),
        ("ci(0)", ("'ci(0)' cannot be", "between 0 and 1")),
        ("ci(1)", ("'ci(1)' cannot be", "between 0 and 1")),
        ("ci(-0.5)", ("'ci(-0.5)' cannot be", "between 0 and 1")),
        ("ci(0.9.5)", ("'ci(0.9.5)' cannot be", "between 0 and 1")),
        ("mean(0.5)", ("'mean(0.5)' cannot be", "mean takes no number")),
        ("ci()", ("no aggregate 'ci()'", "'ci'")),
        ("ci(0.9", ("no aggregate 'ci(0.9'",)),
        ("ci(high)", ("no aggregate 'ci(high)'",)),
        ("", ("no aggregate ''",)),
        ([], ("No aggregate was asked for", '"ci(0.95)"')),
        ([None], ("no aggregate None",)),
    ],
)
def test_what_is_no_aggregate_is_refused(ask: Asking, aggregate: Any, parts: Sequence[str]) -> None:
    with refusal(rm.MetricError, *parts):
        ask(aggregates=aggregate)


def test_aggregates_that_are_no_texts_are_refused(ask: Asking) -> None:
    with refusal(rm.MetricError, "10"):
        ask(aggregates=10)


def test_a_confidence_that_is_one_but_for_rounding_is_refused(ask: Asking) -> None:
    with refusal(rm.MetricError, "between 0 and 1"):
        ask(aggregates="ci(0.9999999999999999)").summary()


def test_two_confidences_are_two_columns(engine: Engine) -> None:
    asked = ["ci(0.9999999)", "ci(0.99999999)"]
    assert [*means(engine, "rr", *of_ranks([1, 2]), aggregates=asked)] == [f"rr {one}" for one in asked]


def test_the_command_line_takes_aggregates(files: tuple[Path, Path]) -> None:
    command = ("evaluate", *files, "-m", "precision@4", "-m", "rr")
    (row,) = table(printed(*command, "--aggregate", "median", "--aggregate", "n"))
    assert row == {
        "n_lists": "3",
        "n_missing": "1",
        "precision@4 median": "0.2500",
        "precision@4 n": "3",
        "rr median": "0.5000",
        "rr n": "3",
    }
    assert "Did you mean 'median'" in refused(*command, "--aggregate", "medain")


# --- policies ---------------------------------------------------------------------------------------------------------


def test_undefined_may_score_0(engine: Engine) -> None:
    asked = ["precision(divisor=list)@4", "precision(divisor=list, undefined=zero)@4", "precision(undefined=null)@4"]
    assert lists(engine, asked) == [(1, 1 / 4, 1 / 4, 1 / 4), (2, 1 / 2, 1 / 2, 1 / 4), (3, None, 0.0, 0.0)]
    account = counted(engine, result(engine, asked))
    assert [account[f"undefined {one}"] for one in asked] == [1, 0, 0]


def test_undefined_may_score_0_of_a_system_too(engine: Engine) -> None:
    few = RECS.filter(pl.col("user") == 1)
    found = means(engine, ["personalization@2", "personalization(undefined=zero)@2"], few)
    assert [*found.values()] == [None, 0.0]


def test_undefined_scores_0_only_for_the_lists_that_are_taken(engine: Engine) -> None:
    asked = ["rr(missing=listed, undefined=zero)", "rr(undefined=zero)"]
    assert lists(engine, asked) == [(1, 1 / 2, 1 / 2), (2, 1.0, 1.0), (3, None, 0.0), (4, 0.0, None)]


def test_a_list_may_need_a_relevant_item_to_be_measured(engine: Engine) -> None:
    asked = ["precision@4", "precision(enough=relevant)@4", "precision(enough=relevant, rel=3)@4"]
    assert lists(engine, asked, missing="listed") == [
        (1, 1 / 4, 1 / 4, 1 / 4),
        (2, 1 / 4, 1 / 4, 1 / 4),
        (4, 0.0, None, None),
    ]


def test_a_list_may_need_enough_candidates_to_be_measured(engine: Engine) -> None:
    asked = [
        "hit(enough=reaches)@9",
        "hit(enough=reaches)@10",
        "hit(enough=exceeds)@8",
        "hit(enough=exceeds)@9",
        "hit(enough=reaches, min_pool=10)@1",
        "hit(enough=reaches, min_relevant=2)@9",
    ]
    assert lists(engine, asked, missing="skip") == [
        (1, 1.0, None, 1.0, None, None, 1.0),
        (2, 1.0, None, 1.0, None, None, None),
    ]


def test_a_list_may_need_an_irrelevant_candidate_and_scores_that_differ(engine: Engine) -> None:
    recs = pl.DataFrame(
        {
            "user": [1, 1, 2, 2, 3, 3, 4],
            "item": ["a", "b"] * 3 + ["a"],
            "score": [0.9, 0.5, 0.9, 0.5, 0.5, 0.5, 0.5],
        }
    )
    truth = pl.DataFrame({"user": [1, 2, 2, 3, 4], "item": ["a", "a", "b", "a", "a"]})
    asked = ["hit(enough=reaches)@2", "hit(enough=discerns)@2", "hit(enough=exceeds)@1", "hit(enough=exceeds)@2"]
    assert lists(engine, asked, recs, truth) == [
        (1, 1.0, 1.0, 1.0, None),
        (2, 1.0, None, None, None),
        (3, None, None, None, None),
        (4, None, None, None, None),
    ]


def test_a_list_of_equal_scores_is_enough_where_it_does_not_hold_all_candidates(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "score": [0.5, 0.5], "pool": [5, 5]})
    truth = pl.DataFrame({"user": [1], "item": ["a"]})
    assert lists(engine, ["hit(enough=exceeds)@4", "hit(enough=exceeds)@5"], recs, truth) == [(1, 1.0, None)]


def test_what_a_list_must_have_cannot_be_set_where_nothing_asks_for_it(ask: Asking) -> None:
    with refusal(rm.MetricError, "min_relevant=5 has no effect on hit", "'enough=reaches'"):
        ask(metrics="hit(min_relevant=5)")
    with refusal(rm.MetricError, "coverage has no parameter 'enough'"):
        ask(metrics="coverage(enough=relevant)")


REPEATED = pl.DataFrame({"user": [1] * 5, "item": ["a", "b", "b", "c", "d"], "rank": [1, 2, 3, 4, 5]})


def test_a_repeated_item_may_be_credited_at_each_place_or_left_out(engine: Engine) -> None:
    truth = pl.DataFrame({"user": [1, 1], "item": ["b", "d"]})
    expected = {
        "n_hits": 2,
        "n_hits(duplicates=once)": 2,
        "n_hits(duplicates=each)": 3,
        "n_hits(duplicates=first)": 2,
        "n_hits(duplicates=each)@3": 2,
        "n_hits(duplicates=first)@4": 2,
        "n_hits@4": 1,
        "n_recommended(duplicates=first)": 4,
        "n_recommended(duplicates=each)": 5,
        "recall(duplicates=each)": 3 / 2,
        "ap(duplicates=each)": (1 / 2 + 2 / 3 + 3 / 5) / 2,
        "ap(duplicates=first)": (1 / 2 + 2 / 4) / 2,
        "ap": (1 / 2 + 2 / 5) / 2,
        "dcg(duplicates=each)@3": 1 / log2(3) + 1 / log2(4),
        "rr(duplicates=first)": 1 / 2,
    }
    assert means(engine, [*expected], REPEATED, truth) == about(expected)


def test_a_repeated_item_is_left_out_by_score_too(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 4, "item": ["a", "a", "b", "a"], "score": [0.9, 0.8, 0.7, 0.1]})
    truth = pl.DataFrame({"user": [1], "item": ["b"]})
    assert means(engine, ["rr", "rr(duplicates=first)"], recs, truth) == about(
        {"rr": 1 / 3, "rr(duplicates=first)": 0.5}
    )


def test_any_row_of_the_truth_may_count_whatever_its_rating(engine: Engine) -> None:
    truth = pl.DataFrame({"user": [1, 1, 1, 1], "item": ["a", "b", "c", "x"], "rating": [-1.0, 0.0, None, 2.0]})
    expected = {
        "n_relevant": 2,
        "n_relevant(relevance=any)": 4,
        "n_relevant(relevance=rated)": 2,
        "n_hits@2": 0,
        "n_hits(relevance=any)@2": 2,
        "dcg(relevance=any, gain=linear)@3": -1 + 0 + 1 / 2,
    }
    assert means(engine, [*expected], RECS, truth) == about(expected)


@pytest.mark.parametrize("metric", ["precision(relevance=any, rel=4)@5", "ndcg(rel=4, relevance=any)@5"])
def test_a_threshold_is_idle_where_any_row_counts(ask: Asking, metric: str) -> None:
    with refusal(rm.MetricError, "rel=4 has no effect on", "belongs to", "'relevance=rated'"):
        ask(metrics=metric)


def test_a_policy_is_a_choice(ask: Asking) -> None:
    with refusal(rm.MetricError, "duplicates of hit is one of 'once', 'each', 'first' and 'refused'", "'twice'"):
        ask(metrics="hit(duplicates=twice)")
    with refusal(rm.MetricError, "undefined of hit is one of 'null' and 'zero'", "Did you mean 'zero'"):
        ask(metrics="hit(undefined=zeros)")


# --- f_beta -----------------------------------------------------------------------------------------------------------


def harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def test_f_beta_takes_metrics_in_the_place_of_precision_and_recall(engine: Engine) -> None:
    expected = {
        "f_beta(metric_0=precision(divisor=list), metric_1=rr)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 2, 1)],
        "f_beta(metric_0=hit)@4": [harmonic(1, 1 / 2), harmonic(1, 1)],
        "f_beta(metric_1=P, metric_0=R)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 4, 1)],
        "f_beta(metric_0=recall(divisor=capped), metric_1=recall)@1": [0.0, 1.0],
    }
    found = lists(engine, [*expected], missing="skip")
    assert [[*row[1:]] for row in found] == [
        [pytest.approx(values[place]) for values in expected.values()] for place in (0, 1)
    ]
    assert found == lists(engine, [rm.parse(one) for one in expected], missing="skip")


def test_f_beta_hands_its_threshold_to_its_metrics(engine: Engine) -> None:
    asked = ["f_beta(metric_0=hit, rel=3)@4", "f_beta(metric_0=hit(rel=3), rel=6)@4"]
    assert lists(engine, asked, missing="skip") == [(1, 1.0, None), (2, 1.0, None)]


def test_f_beta_takes_the_spellings_of_its_convention(engine: Engine) -> None:
    asked = "F1(metric_0=MAR, metric_1=HR)@4"
    # user 1 finds two of three, at ranks 2 and 4: the recalls are 0, 1/3, 1/3, 2/3; user 2 finds its item at once
    value = (harmonic(1 / 3, 1) + 1) / 2
    assert means(engine, asked, convention="elliot") == about({asked: value})
    own = "F1(convention=elliot, metric_0=MAR, metric_1=HR)@4"
    assert means(engine, own) == about({own: value})


def test_f_beta_takes_metrics_of_a_convention(engine: Engine) -> None:
    inner = "metric_0=Precision(convention=lenskit), metric_1=Recall(convention=lenskit)"
    asked = f"f_beta(missing=listed, undefined=zero, {inner})@2"
    # divided by what was recommended and by min(k, relevant): of user 1 1/2 and 1/2, of user 2 1/2 and 1, of user 4 0
    assert means(engine, asked) == about({asked: (1 / 2 + harmonic(1 / 2, 1) + 0) / 3})
    with refusal(rm.MetricError, "no metric 'f_beta' under lenskit", "f_beta(convention=rankmetrics)"):
        rm.parse("f_beta@2", convention="lenskit")


def test_f_beta_takes_what_its_convention_says_of_its_metrics(engine: Engine) -> None:
    # set_P is divided by what was recommended: of user 1 1 of 4, of user 2 1 of 2
    asked = "set_F(beta=2)"
    value = (5 * 1 / 4 * 1 / 2 / (4 * 1 / 4 + 1 / 2) + 5 * 1 / 2 * 1 / (4 * 1 / 2 + 1)) / 2
    assert means(engine, asked, convention="trec_eval") == about({asked: value})


@pytest.mark.parametrize("inner", ["recall@5", "coverage", "gini(form=equality)"])
def test_f_beta_refuses_a_cutoff_and_a_number_of_a_system_inside(inner: str) -> None:
    with refusal(rm.MetricError, "metric_0 of f_beta", "without a cutoff of its own", repr(inner)):
        rm.f_beta(metric_0=inner)


@pytest.mark.parametrize("inner", ["coverage", "recall@5"])
def test_f_beta_refuses_them_in_a_text_too(ask: Asking, inner: str) -> None:
    with refusal(rm.MetricError, "metric_0 of f_beta", "without a cutoff of its own", repr(inner)):
        ask(metrics=f"f_beta(metric_0={inner})")


def test_f_beta_refuses_an_unknown_metric_inside_with_the_near_names(ask: Asking) -> None:
    with refusal(rm.MetricError, "no metric 'recal'", "Did you mean 'recall'"):
        ask(metrics="f_beta(metric_0=recal)")
    with refusal(rm.MetricError, "no metric 'TAP'"):
        ask(metrics="f_beta(metric_0=TAP)")


def test_a_metric_inside_may_have_settings_whose_choices_have_their_own(engine: Engine) -> None:
    inner = "ndcg(discount=geometric(p=0.5), gain=linear)"
    asked = f"f_beta(metric_0={inner}, metric_1={inner})@2"
    assert lists(engine, [asked], missing="skip") == [(1, pytest.approx(5 * 0.5 / (5 + 2 * 0.5))), (2, 1.0)]


def test_a_metric_inside_may_have_them_in_any_order() -> None:
    inner = "ndcg(gain=linear, discount=geometric(p=0.5))"
    assert rm.parse(f"f_beta(metric_0={inner}, metric_1=recall)@2").settings["metric_0"] == inner


def test_a_metric_without_data_is_told_as_each_convention_takes_it() -> None:
    text = printed("conventions", "precision(rel=4)@4")
    assert "P@4" not in text  # recometrics takes any row for relevant: rel=4 has no effect there
    assert "P(rel=4)@4" in text  # trec_eval
    assert "rel=4 has no effect" in text
    assert "divisor=list: how many were recommended" in printed("conventions", "precision@4")


def test_what_is_neither_convention_nor_metric_is_told_to_be_neither() -> None:
    said = refused("conventions", "eliot")
    assert "no metric 'eliot'" in said
    assert "Did you mean 'elliot'" in said


def test_the_list_of_conventions_is_a_frame_with_every_spelling() -> None:
    frame = rm.list_conventions()
    assert frame["convention"].to_list() == [one.name for one in CONVENTIONS]
    capri = frame.row(by_predicate=pl.col("convention") == "capri", named=True)
    assert "mapk = ap(divisor=fixed, cap=10)" in capri["spellings"]
    assert "missing=skip" in capri["policies"]
