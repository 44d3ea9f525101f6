"""Estimates of the metrics of a full ranking from a sample, against the full ranking itself."""

from __future__ import annotations

import warnings
from math import comb
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.estimates import estimates_of
from tests.support.engines import summarized
from tests.support.refusals import refusal

N_ITEMS = 60


def full_values(metric: str) -> list[float]:
    """The metric of a list with one relevant item, for each rank of this item among all items."""
    ranks = range(1, N_ITEMS + 1)
    if metric == "auc":
        return [(N_ITEMS - rank) / (N_ITEMS - 1) for rank in ranks]
    return [1 / np.log2(rank + 1) * (rank <= 5) for rank in ranks]  # ndcg@5


def chances(n: int) -> Any:
    """For each rank among all items, the chance of each rank among n sampled negatives, by counting samples."""
    return np.array(
        [
            [comb(rank - 1, above) * comb(N_ITEMS - rank, n - above) / comb(N_ITEMS - 1, n) for above in range(n + 1)]
            for rank in range(1, N_ITEMS + 1)
        ]
    )


def mean_squared(metric: str, estimate: Any) -> tuple[float, float]:
    """The squared bias and the variance of an estimate, as means over all ranks."""
    given, of = np.array(estimate), chances(len(estimate) - 1)
    means = of @ given
    return float(np.mean((means - full_values(metric)) ** 2)), float(np.mean(of @ given**2 - means**2))


def sample(estimate: Any, **more: Any) -> rm.Negatives:
    return rm.Negatives(12, estimate=estimate, n_items=N_ITEMS, **more)


@pytest.mark.parametrize("metric", ["ndcg@5", "auc"])
def test_least_squares_have_less_bias_than_the_simple_estimate_and_the_sample(metric: str) -> None:
    as_it_is = full_values(metric)[: 12 + 1] if metric != "auc" else [1 - j / 12 for j in range(13)]
    found = {
        name: mean_squared(metric, estimates_of(rm.parse(metric), sample(name)))
        for name in ("simple", "unbiased", "bias_variance")
    }
    found["as_is"] = mean_squared(metric, as_it_is)
    bias = {name: of[0] for name, of in found.items()}
    assert bias["unbiased"] <= bias["simple"] + 1e-9
    if metric != "auc":
        assert bias["unbiased"] < bias["bias_variance"] < bias["simple"] < bias["as_is"]


def test_more_weight_of_the_variance_gives_less_variance_and_more_bias() -> None:
    found = [
        mean_squared("ndcg@5", estimates_of(rm.parse("ndcg@5"), sample("bias_variance", gamma=gamma)))
        for gamma in (0.001, 0.01, 0.1, 1)
    ]
    assert found == sorted(found, key=lambda of: of[0])
    assert found == sorted(found, key=lambda of: -of[1])


def test_no_other_values_have_a_lower_sum_of_squared_bias_and_weighted_variance() -> None:
    best = np.array(estimates_of(rm.parse("ndcg@5"), sample("bias_variance", gamma=0.1)))
    random = np.random.default_rng(0)

    def loss(values: Any) -> float:
        bias, variance = mean_squared("ndcg@5", values)
        return bias + 0.1 * variance

    assert all(loss(best + random.normal(scale=1e-3, size=13)) > loss(best) for _ in range(50))


def test_a_metric_of_more_than_the_rank_of_a_relevant_item_has_no_estimate() -> None:
    for metric in ("coverage@5", "n_recommended@5", "precision(divisor=list)@5", "dcg(gain=exponential)@5"):
        with refusal(rm.MetricError, f"{metric} ", "no estimate from a sample is known"):
            estimates_of(rm.parse(metric), sample("simple"))


def test_an_estimate_that_cannot_be_is_refused() -> None:
    refused: dict[str, Any] = {
        "needs n_items": {"estimate": "simple"},
        "from 11": {"estimate": "simple", "n_items": 5},
        "uniform samples only": {"estimate": "simple", "n_items": 50, "by": "popularity"},
        "one of 'as_is'": {"estimate": "best"},
        "gamma": {"estimate": "bias_variance", "n_items": 50, "gamma": 0},
    }
    for message, options in refused.items():
        with refusal(rm.MetricError, message):
            rm.Negatives(10, **options)


def ranking(n_users: int, n_relevant: int = 1) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Scores of all items for each user, the relevant items with higher scores, and the catalogue."""
    random = np.random.default_rng(7)
    scores = random.normal(size=(n_users, N_ITEMS))
    liked = np.array([random.choice(N_ITEMS, n_relevant, replace=False) for _ in range(n_users)])
    np.put_along_axis(scores, liked, np.take_along_axis(scores, liked, 1) + 1, 1)
    users, items = np.arange(n_users), np.arange(N_ITEMS)
    recs = pl.DataFrame({"user": users.repeat(N_ITEMS), "item": np.tile(items, n_users), "score": scores.ravel()})
    return recs, pl.DataFrame({"user": users.repeat(n_relevant), "item": liked.ravel()}), pl.DataFrame({"item": items})


@pytest.mark.long
def test_an_estimate_of_a_sample_is_closer_to_the_full_ranking_than_the_sample() -> None:
    recs, truth, catalog = ranking(500)
    full = summarized(rm.evaluate(recs, truth, ["ndcg@5", "recall@5"])).row(0)[-2:]

    def errors(estimate: Any) -> float:
        result = rm.evaluate(recs, truth, ["ndcg@5", "recall@5"], catalog=catalog, sample=sample(estimate))
        found = summarized(result).row(0)[-2:]
        return float(sum(abs(one - other) for one, other in zip(found, full, strict=True)))

    found = {name: errors(name) for name in ("as_is", "simple", "unbiased", "bias_variance")}
    assert found["bias_variance"] < found["simple"] < found["as_is"]
    assert found["unbiased"] < found["as_is"]


def test_an_estimate_is_refused_where_unjudged_items_are_removed() -> None:
    recs, truth, catalog = ranking(4)
    asked = sample("simple")
    assert rm.evaluate(recs, truth, "ndcg@5", catalog=catalog, sample=asked).per_list().collect().height == 4
    with refusal(rm.MetricError, "ndcg@5: an estimate from sampled negatives takes no policy `unjudged`"):
        rm.evaluate(recs, truth, "ndcg@5", catalog=catalog, sample=asked, unjudged="removed")


@pytest.mark.parametrize("kind", ["polars", "duckdb"])
def test_a_list_with_several_relevant_items_has_the_mean_of_their_estimates(kind: str) -> None:
    import duckdb

    recs, truth, catalog = ranking(40, n_relevant=3)
    given: Any = (recs.lazy(), truth.lazy(), catalog.lazy())
    if kind == "duckdb":
        given = [duckdb.from_arrow(one.to_arrow()) for one in (recs, truth, catalog)]
    asked = rm.Negatives(12, estimate="bias_variance", n_items=N_ITEMS - 2)
    result = rm.evaluate(given[0], given[1], "ndcg@5", catalog=given[2], sample=asked)
    values = estimates_of(rm.parse("ndcg@5"), asked)
    drawn = result.stage("negatives")
    drawn = drawn.collect() if kind == "polars" else drawn.pl()
    liked = {*truth.rows()}
    negatives = {*drawn.select("user", "item").rows()}
    lists = result.per_list()
    for user, found in (lists.collect() if kind == "polars" else lists.pl()).rows():
        order = recs.filter(user=user).sort("score", "item", descending=[True, False])["item"].to_list()
        estimates, above = [], 0
        for item in order:
            above += (user, item) in negatives
            if (user, item) in liked:
                estimates.append(values[above])
        assert found == pytest.approx(sum(estimates) / 3, abs=1e-12)
    result.check()


@pytest.mark.parametrize(
    ("n", "estimate", "word"),
    [
        (4, "bias_variance", "the estimate is 0."),
        (30, "bias_variance", ""),
        (3, "simple", "the estimate is 2."),
        (12, "unbiased", "The rest is chance"),
    ],
)
def test_a_sample_that_is_too_small_is_warned_of_and_the_standard_error_is_noted(
    n: int, estimate: Any, word: str
) -> None:
    """The lists rank one relevant item among all, at the ranks 1, 3, 5 and so on."""
    lists, items = range(20), range(N_ITEMS)
    recs = pl.DataFrame(
        [(user, item, -float(item)) for user in lists for item in items], ["user", "item", "score"], orient="row"
    )
    truth, catalog = pl.DataFrame({"user": lists, "item": range(0, 40, 2)}), pl.DataFrame({"item": items})
    negatives = rm.Negatives(n, estimate=estimate, n_items=N_ITEMS)
    result = rm.evaluate(recs, truth, ["ndcg@5", "auc"], catalog=catalog, sample=negatives)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    said = [str(one.message) for one in caught if "negatives" in str(one.message)]
    assert [word in one and "ndcg@5" in one for one in said] == [True] * bool(word), said
    values = result.per_list().collect()[f"ndcg@5 [{n} sampled, {estimate}]"]
    error = float(values.std()) / 20**0.5
    assert f"ndcg@5 [{n} sampled, {estimate}] has a standard error of at most {error:.2g}" in result.notes()
