"""Means from hits that are alike: taken where everything adds up and enough is asked, and what means of lists are."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner.passes.hit_histogram import Histogram
from rankmetrics.sqltree import tree
from tests.support import flat
from tests.support.drawing import examples

# 36 sums: a histogram needs 24 that nothing else reads, and a formula of the tests reads at most nine of them.
ADDING = [f"{name}@1..9" for name in ("ndcg", "recall", "ap", "rr")]


def inputs(seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists of two systems, some of them without hits, without a truth or with nothing else, and a truth with gaps."""
    draw = random.Random(seed)
    recs = [
        (system, user, item, rank)
        for system in "ab"
        for user in draw.sample(range(30), 20)
        for rank, item in enumerate(draw.sample(range(12), draw.randrange(1, 8)), 1)
    ]
    truth = [
        (user, item, draw.choice([None, 0, 1, 5])) for user in range(25) for item in draw.sample(range(12), user % 6)
    ]
    schema = {"system": pl.String, "user": pl.Int64, "item": pl.Int64, "rank": pl.Int64}
    return (
        pl.DataFrame(recs, schema=schema, orient="row"),
        pl.DataFrame(truth, schema={"user": pl.Int64, "item": pl.Int64, "rating": pl.Float64}, orient="row"),
    )


RECS, TRUTH = inputs(1)


def evaluated(metrics: list[str], recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **more: Any) -> rm.Result:
    return flat.evaluate(recs, rm.Input(truth, lists=["user"]), metrics, lists=["system", "user"], **more)


def steps_of(result: rm.Result) -> dict[str, list[str]]:
    """The steps of the summary before the passes that merge some, with their columns."""
    ctes, _ = result._queries.plan().summary_parts()
    return {cte.name: tree.outputs(cte.select) for cte in ctes}


def is_from(result: rm.Result) -> tuple[bool, bool]:
    """Whether the summary is made of hits that are alike, and of lists."""
    return "per_hit" in steps_of(result), "per_list" in steps_of(result)


def assert_means_of_lists(result: rm.Result) -> pl.DataFrame:
    """Assert that the summary has the means of the lists; returns the values of the lists."""
    lists: pl.DataFrame = result.per_list().collect()
    means = (pl.col(label).mean() for label in lists.columns[2:])
    expected = lists.group_by("system").agg(pl.len().cast(pl.Int64).alias("n_lists"), *means).sort("system")
    assert_frame_equal(result.summary().collect().sort("system"), expected, abs_tol=1e-12)
    return lists


# --- where they are taken -------------------------------------------------------------------------------------------


# The metrics, the options, and whether the summary is made of hits that are alike, and of lists.
CASES: Mapping[str, tuple[list[str], Mapping[str, Any], tuple[bool, bool]]] = {
    "many cutoffs": (ADDING, {"missing": "skip"}, (True, False)),
    "few cutoffs": (["ndcg@3", "recall@3", "ap@3"], {}, (False, True)),
    "next to what does not add up": ([*ADDING, "f_beta@2", "auc@3", "n_recommended@3", "n_relevant"], {}, (True, True)),
    "by two relevances": ([*ADDING, *(one.replace("@", "(rel=5)@") for one in ADDING)], {}, (True, True)),
    "cutoffs of their own": ([*ADDING, "rbp@4", "dcg@2,12", "mean_recall@3", "n_relevant"], {}, (True, False)),
}
# Metrics whose hits have little in common.
APART = {
    "over lists of their own": [one.replace("@", "(missing=skip)@") if one.startswith("ap") else one for one in ADDING],
    "beyond so many places": [one.split("@")[0] for one in ADDING]
    + [f"n_hits@{k}" for k in range(1, 30)]
    + ["hit@300"],
    "by ratings": ["dcg(gain=linear)@1..30"],
}


@pytest.mark.parametrize("case", CASES)
def test_means_are_those_of_lists_whatever_they_are_made_of(case: str) -> None:
    metrics, options, made_of = CASES[case]
    result = evaluated(metrics, **options)
    assert is_from(result) == made_of
    assert_means_of_lists(result)


def test_lists_for_which_a_metric_is_undefined_are_counted_as_of_lists() -> None:
    result = evaluated([*ADDING, "recall@10", "f_beta@2"], missing="listed")
    lists, collected = assert_means_of_lists(result), result.collect().sort("system")
    labels = lists.columns[2:]
    by_system = lists.group_by("system").agg(n=pl.max_horizontal(pl.col(labels).null_count())).sort("system")
    assert collected["n_undefined"].to_list() == by_system["n"].to_list()
    undefined = {label: lists[label].null_count() for label in labels if lists[label].null_count()}
    sentences = [f"{n} lists for which {label} is undefined; not in its mean" for label, n in undefined.items()]
    assert [note.removesuffix(" (†)") for note in result.notes() if "is undefined" in note] == sentences


def test_no_list_is_measured_for_what_adds_up() -> None:
    assert steps_of(evaluated([*ADDING, "f_beta@2", "n_relevant"]))["hits_per_list"][2:] == ["n_hits@2"]


def test_each_list_is_measured_for_other_aggregates_or_hits_with_little_in_common() -> None:
    assert is_from(evaluated(ADDING, aggregates=["mean", "n"])) == (True, False)
    assert is_from(evaluated(ADDING, aggregates=["mean", "std"])) == (False, True)
    for case, metrics in APART.items():
        assert is_from(evaluated(metrics)) == (False, True), case
    counts = evaluated(ADDING, aggregates=["n"]).summary().collect().sort("system")
    lists = evaluated(ADDING).per_list().collect()
    expected = lists.group_by("system").agg(pl.col("recall@5").count()).sort("system")
    assert counts["recall@5 n"].to_list() == expected["recall@5"].to_list()


def test_without_any_list_there_are_none_and_means_are_null() -> None:
    result = evaluated(ADDING, RECS.clear(), TRUTH.clear(), by=[])
    assert is_from(result) == (True, False)
    assert result.summary().collect().rows() == [(0, *[None] * 36)]


# --- what adds up ---------------------------------------------------------------------------------------------------

NUMBERS = ["n_hits", "ranks_of_hits", "precisions_at_hits", "first_hit", "n_relevant", "3", "2", "0"]
FORMS = [
    "({0} + {1})",
    "({0} - {1})",
    "({0} * {1})",
    "({0} / NULLIF({1}, 0))",
    "(-{0})",
    "COALESCE({0}, 0)",
    "COALESCE({0}, 1)",
    "CASE WHEN {0} > 1 THEN {1} END",
    "CASE WHEN {0} > 1 THEN {1} ELSE 0 END",
    "CASE WHEN n_relevant > 2 THEN {0} ELSE {1} END",
    "LEAST({0}, {1})",
    "CAST({0} AS BIGINT)",
]
FORMULAS = st.recursive(
    st.sampled_from(NUMBERS),
    lambda inner: st.builds(lambda form, *parts: form.format(*parts), st.sampled_from(FORMS), inner, inner),
    max_leaves=6,
)


def asked(metric: str) -> list[str]:
    """The metric at some cutoffs, or without, if it takes none."""
    return [f"{metric}@{k}" for k in (1, 3, 5)] if "k" in catalog().accepted(metric, "any") else [metric]


def test_a_value_that_only_later_hits_would_have_is_undefined() -> None:
    rm.define("SELECT CASE WHEN first_hit > 1 THEN first_hit END AS late_first_hit FROM metrics")
    recs = pl.DataFrame({"system": "a", "user": 1, "item": [1, 2], "rank": [1, 2]})
    truth = pl.DataFrame({"user": 1, "item": [1, 2], "rating": 1.0})
    result = evaluated([*ADDING, "late_first_hit@5"], recs, truth)
    assert is_from(result) == (True, False)
    assert result.summary().collect()["late_first_hit@5"].to_list() == [None], "its first hit is at rank 1"


@pytest.mark.long
@given(FORMULAS, st.integers(0, 99))
@examples(30, shrunk=True)
def test_whatever_the_formula_the_mean_is_that_of_the_lists(formula: str, seed: int) -> None:
    rm.define(f"SELECT CAST({formula} AS DOUBLE) AS drawn_formula FROM metrics")
    recs, truth = inputs(seed)
    result = evaluated([*ADDING, *asked("drawn_formula")], recs, truth)
    assert is_from(result)[0]
    assert_means_of_lists(result)


ADDITIVE = {
    "n_hits": True,
    "first_hit": True,
    "n_relevant": True,
    "(n_hits * 3 - ranks_of_hits) / NULLIF(n_relevant, 0)": True,
    "CASE WHEN n_relevant > 0 THEN n_hits ELSE 0 END": True,
    "n_hits * n_hits": False,
    "n_relevant / NULLIF(n_hits, 0)": False,
    "n_hits + n_relevant": False,
    "n_hits + first_hit": False,
    "CASE WHEN n_hits > 1 THEN n_hits END": False,
    "COALESCE(n_hits / NULLIF(n_relevant, 0), 1)": False,
}


def test_what_adds_up_is_read_off_the_formula() -> None:
    names = [f"formula_{number}" for number in range(len(ADDITIVE))]
    for name, formula in zip(names, ADDITIVE, strict=True):
        rm.define(f"SELECT {formula} AS {name} FROM metrics")
    labels = [asked(name)[-1] for name in names]
    result = evaluated([*ADDING, *labels])
    histogram = result._queries.plan().means
    assert isinstance(histogram, Histogram)
    assert [label in histogram.adds for label in labels] == [*ADDITIVE.values()]
    assert_means_of_lists(result)
