"""Confidence intervals of means over lists: by hand, against other libraries and the twin, and how often they hold."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import rankmetrics as rm
from rankmetrics.metrics.intervals import constants, least_lists
from tests.support import coverage, flat
from tests.support.engines import Engine
from tests.support.refusals import refusal
from tests.support.twin_intervals import interval, student

ENDS = ("ci_low", "ci_high")
OF_CLUSTERS: tuple[dict[str, Any], ...] = ({}, {"cluster": []}, {"cluster": "user"})


def inputs(values: Any, users: Any = None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists with these values of `dcg(gain=linear)@1` and of `hit@1`: the rating of their only item."""
    lists = pl.DataFrame({"user": range(len(values)) if users is None else users})
    if users is not None:
        lists = lists.with_columns(day=pl.int_range(pl.len()))
    truth = lists.with_columns(item=pl.lit("a"), rating=pl.Series(np.asarray(values, dtype=float)))
    return lists.with_columns(item=pl.lit("a"), rank=1), truth


def ends(metric: str, values: Any, *, users: Any = None, **options: Any) -> list[Any]:
    recs, truth = inputs(values, users)
    options.setdefault("aggregates", ENDS)
    frame = flat.evaluate(recs, truth, {"value": metric}, by=[], **options).collect()
    return [frame[f"value {aggregate}"][0] for aggregate in options["aggregates"]]


def of_hits(n_hits: int, n_lists: int, **options: Any) -> list[Any]:
    recs = pl.DataFrame({"user": range(n_lists), "item": ["a"] * n_hits + ["b"] * (n_lists - n_hits), "rank": 1})
    options.setdefault("aggregates", ENDS)
    frame = (
        flat.evaluate(recs.lazy(), recs.lazy().select("user", item=pl.lit("a")), "hit@1", **options).summary().collect()
    )
    return [frame[f"hit@1 {aggregate}"][0] for aggregate in options["aggregates"]]


# --- hits -------------------------------------------------------------------------------------------------------------


def test_ten_hits_in_ten_lists_have_the_interval_of_wilson() -> None:
    assert of_hits(10, 10) == pytest.approx(proportion_confint(10, 10, method="wilson"), abs=1e-12)
    assert of_hits(0, 10) == pytest.approx(proportion_confint(0, 10, method="wilson"), abs=1e-12)


@pytest.mark.parametrize(("n_hits", "n_lists"), [(9, 10), (1, 30), (3, 30), (27, 100), (990, 1000)])
def test_hits_have_an_interval_between_wilson_and_clopper_pearson(n_hits: int, n_lists: int) -> None:
    low, high = of_hits(n_hits, n_lists)
    wilson = proportion_confint(n_hits, n_lists, method="wilson")
    exact = proportion_confint(n_hits, n_lists, method="beta")
    assert exact[0] - 5e-4 < low <= wilson[0] + 1e-12
    assert wilson[1] - 1e-12 <= high < exact[1] + 1e-3


def test_an_exact_interval_is_that_of_statsmodels() -> None:
    for n_hits, n_lists, confidence in [(0, 7, 0.95), (7, 7, 0.95), (3, 50, 0.9), (999, 1000, 0.99)]:
        theirs = proportion_confint(n_hits, n_lists, alpha=1 - confidence, method="beta")
        assert rm.exact_interval(n_hits, n_lists, confidence) == pytest.approx(theirs, abs=1e-12)
    wrong: list[tuple[Any, int]] = [(3, 2), (-1, 2), (0, 0), (0.5, 2)]
    for hits, lists in wrong:
        with refusal(rm.InputError, "hits of at least as many lists"):
            rm.exact_interval(hits, lists)
    with refusal(rm.InputError, "between 0 and 1"):
        rm.exact_interval(1, 2, 95)


def test_fewer_lists_than_a_sign_test_needs_have_no_interval() -> None:
    assert of_hits(3, 5) == [None, None]
    assert None not in of_hits(3, 6)
    assert None not in of_hits(3, 5, aggregates=["ci_low(0.9)"])
    assert of_hits(3, 7, aggregates=["ci_high(0.99)"]) == [None]
    assert [least_lists(confidence) for confidence in (0.5, 0.9, 0.95, 0.99)] == [2, 5, 6, 8]


def test_notes_say_why_a_mean_has_no_interval_and_what_is_a_cluster() -> None:
    few = rm.evaluate(*inputs([1.0, 0.0]), ["hit@1", "dcg@1"], aggregates=["mean", "ci"]).notes()
    assert "hit@1 has no confidence interval in 1 row: it needs at least 6 lists" in few
    reason = "it needs at least 100 lists that differ, since it has no declared range"
    assert f"dcg@1 has no confidence interval in 1 row: {reason}" in few
    clustered = rm.evaluate(*inputs([1.0, 0.0], [1, 1]), "hit@1", aggregates="ci", by=[])
    assert "lists of the same user count as one cluster in intervals (cluster=[] turns it off)" in clustered.notes()


# --- values without a range -------------------------------------------------------------------------------------------


def test_values_without_a_range_have_the_interval_of_student() -> None:
    values = np.random.default_rng(1).normal(10, 2, size=400)
    expected = stats.t.interval(0.95, 399, values.mean(), stats.sem(values))
    assert ends("dcg(gain=linear)@1", values) == pytest.approx(expected, rel=1e-3)
    assert ends("dcg(gain=linear)@1", values[:99]) == [None, None]
    assert ends("dcg(gain=linear)@1", np.full(400, 3.0)) == [None, None]


def test_an_interval_never_leaves_the_range_of_the_metric() -> None:
    rows = [(user, item) for user in range(120) for item in range(1_000 if user == 0 else 1)]
    recs = pl.LazyFrame(rows, ["user", "item"], orient="row").with_columns(rank=pl.col("item") + 1)
    result = rm.evaluate(recs, recs.select("user", "item"), "n_recommended", aggregates=ENDS).summary().collect()
    assert result["n_recommended ci_low"].to_list() == [0]
    for n_hits in range(13):
        low, high = of_hits(n_hits, 12, aggregates=["ci_low(0.999)", "ci_high(0.999)"])
        assert 0 <= low <= n_hits / 12 <= high <= 1


def test_the_quantile_of_student_is_that_of_scipy() -> None:
    for confidence in (0.5, 0.8, 0.9, 0.95, 0.99):
        numbers = constants(confidence)
        for freedom in range(least_lists(confidence) - 1, 60):
            if freedom >= 2:
                theirs = stats.t.ppf((1 + confidence) / 2, freedom)
                assert student(confidence, freedom) == pytest.approx(theirs, rel=1e-3 if freedom < 5 else 2e-4)
        assert numbers["normal"] == pytest.approx(stats.norm.ppf((1 + confidence) / 2))


# --- bounds of any distribution ---------------------------------------------------------------------------------------


def test_hoeffding_and_bernstein_take_the_declared_range() -> None:
    half, other = of_hits(90, 100, aggregates=["hoeffding", "bernstein"])
    assert half == pytest.approx(sqrt(log(2 / 0.05) / 200))
    deviation = np.std([1.0] * 90 + [0.0] * 10, ddof=1)
    assert other == pytest.approx(deviation * sqrt(2 * log(3 / 0.05) / 100) + 7 * log(3 / 0.05) / (3 * 99))


def test_bounds_are_refused_without_a_range_and_bernstein_for_clusters() -> None:
    for name in ("hoeffding", "bernstein"):
        with refusal(rm.MetricError, f"{name} needs the range of dcg@1"):
            rm.evaluate(*inputs([1.0, 2.0]), "dcg@1", aggregates=name).collect()
    users = [1, 1, 2, 2]
    assert ends("hit@1", [1, 0, 1, 0], users=users, aggregates=["hoeffding"]) == [pytest.approx(sqrt(log(40) / 4))]
    with refusal(rm.MetricError, "bernstein takes lists as independent", "'user'", "cluster=[]"):
        ends("hit@1", [1, 0, 1, 0], users=users, aggregates=["bernstein"])


# --- clusters ---------------------------------------------------------------------------------------------------------


def test_the_lists_of_a_user_are_a_cluster_where_another_column_tells_them_apart() -> None:
    generator = np.random.default_rng(2)
    users = np.sort(generator.integers(40, size=200))
    values = generator.normal(5, 1, size=200) + generator.normal(0, 1, size=40)[users]
    by_user, of_lists, named = (
        ends("dcg(gain=linear)@1", values, users=users, aggregates=["standard_error"], **options)[0]
        for options in OF_CLUSTERS
    )
    fit = sm.OLS(values, np.ones(200)).fit(cov_type="cluster", cov_kwds={"groups": users})
    assert by_user == pytest.approx(fit.bse[0], rel=1e-9)
    assert named == pytest.approx(by_user)
    assert of_lists == pytest.approx(stats.sem(values))


def test_a_column_that_is_not_in_the_lists_is_refused_as_a_cluster() -> None:
    with refusal(rm.ColumnError, "cluster names 'household'", "'user'"):
        rm.evaluate(*inputs([1.0, 0.0]), "hit@1", cluster="household").collect()


# --- the twin, on every engine ----------------------------------------------------------------------------------------


def test_intervals_are_those_of_the_twin(any_engine: Engine) -> None:
    """Values in a range, nDCG, which has one if no gain is negative, clusters of unequal sizes, and few lists."""
    if "ci" in any_engine.lacks:
        with refusal(rm.DialectError, "standard deviation"):
            recs, truth = map(any_engine.give, inputs([1.0]))
            flat.evaluate(recs, truth, "rr", aggregates="ci", **any_engine.options).to_sql()
        return
    generator = np.random.default_rng(7)
    for n_lists, zeros in [(7, 0.5), (23, 0.9), (160, 0.2)]:
        users = np.sort(generator.integers(1 + n_lists // 2, size=n_lists))
        ranks = np.where(generator.random(n_lists) < zeros, 9, generator.integers(1, 6, size=n_lists))
        lists = pl.DataFrame({"user": users, "day": range(n_lists)})
        recs = lists.join(pl.DataFrame({"item": range(1, 6), "rank": range(1, 6)}), how="cross")
        truth = lists.with_columns(item=pl.Series(ranks))
        rr = np.where(ranks < 9, 1 / ranks, 0.0)
        for cluster, clusters in (("user", users), ([], None)):
            aggregates = ["ci_low", "ci_high(0.9)", "ci"]
            result = flat.evaluate(
                any_engine.give(recs),
                any_engine.give(truth),
                ["rr", "ndcg", "n_recommended"],
                aggregates=aggregates,
                cluster=cluster,
                by=[],
                **any_engine.options,
            )
            (row,) = any_engine.read(result.summary()).rows()
            low, high = interval(rr[None], clusters)
            _, high_of_90 = interval(rr[None], clusters, 0.9)
            ndcg = np.where(ranks < 9, 1 / np.log2(1 + ranks), 0.0)
            expected = [low[0], high_of_90[0], (high[0] - low[0]) / 2, interval(ndcg[None], clusters)[0][0]]
            known = [float("nan") if value is None else value for value in row[1:5]]
            assert known == pytest.approx(expected, abs=1e-9, nan_ok=True)
            assert list(row[-3:]) == [None] * 3  # every list has five items


# --- how often they hold ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", coverage.ALL, ids=lambda values: values.name.replace(" ", "_"))
def test_an_interval_contains_the_mean_as_often_as_stated(values: coverage.Values) -> None:
    """Of 30 lists; the table of the docs, which `python -m tests.support.coverage` writes, has all sizes."""
    share = coverage.coverage(values, 30, n_draws=1_000, seed=1)
    assert share is not None
    assert share >= 0.93 - (0 if values.name.startswith("hit") and not values.is_clustered else 0.02)


def test_every_share_of_the_table_of_the_docs_is_at_least_93_percent() -> None:
    lines = coverage.PAGE.read_text(encoding="utf-8").partition(coverage.START)[2].partition(coverage.END)[0]
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in lines.splitlines() if "%" in line]
    assert len(rows) == len(coverage.ALL)
    for _, *cells in rows:
        assert all(cell == "none" or float(cell.removesuffix(" %")) >= 93 for cell in cells)


@pytest.mark.long
def test_the_table_of_the_docs_is_as_the_code_writes_it() -> None:
    """Up to 300 lists: the columns of more lists take minutes."""
    page = coverage.PAGE.read_text(encoding="utf-8")
    for values in coverage.ALL:
        assert f"| {coverage.row(values, coverage.SIZES[:4])} |" in page, values.name
