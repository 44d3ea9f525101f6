"""Rankings as recommendations of evaluate: the values of whole lists, and those that recometrics returned."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import connect
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.rankings.scores import Need
from tests.support import flat
from tests.support.engines import LOCAL, Engine, polars_and_later_duckdb
from tests.support.refusals import refusal

(POLARS,) = (engine for engine in LOCAL if engine.name == "polars")


# Every metric that reads hits, ranks and the number of candidates alone.
OF_HITS = [
    *"ap auc dcg err hit ideal_dcg mean_recall n_hits n_relevant ndcg r_precision rbp recall rr".split(),
    *"precision@5 f_beta@3 ndcg(gain=linear)@7 recall(rel=2)@5 ap(divisor=capped)@10 auc@6 bpref@5".split(),
    *"ap(enough=discerns) ndcg(enough=reaches)@3 hit(enough=exceeds)@2".split(),
]
# Metrics that read other rows.
OF_ROWS = [
    *"coverage@3 gini@5 personalization@3 exposure_entropy@4 n_recommended@4 unjudged@6 user_coverage@2".split(),
    *"surprisal@4 unseen@3 popularity@2 weighted_precision@5 ndcg(duplicates=first)@5".split(),
]


@pytest.fixture(scope="module")
def world() -> dict[str, Any]:
    """Twelve users and thirty items; users 10 and 11 have no truth, user 9 has no candidates but one."""
    random = np.random.default_rng(3)
    users, items = random.integers(-2, 3, (12, 2)).astype(float), random.integers(-2, 3, (30, 2)).astype(float)
    cells = [(user, item) for user in range(12) for item in range(30)]
    known = {cell for cell in cells if random.random() < 0.2} | {(9, item) for item in range(29)}
    truth = [(*cell, float(random.integers(1, 5))) for cell in cells if cell not in known and random.random() < 0.2]
    scores = users @ items.T
    recs = [(user, item, scores[user, item]) for user, item in cells if (user, item) not in known]
    return {
        "users": users,
        "items": items,
        "recs": pl.DataFrame(recs, schema=["user", "item", "score"], orient="row"),
        "truth": pl.DataFrame([row for row in truth if row[0] < 10], schema=["user", "item", "rating"], orient="row"),
        "history": pl.DataFrame(sorted(known), schema=["user", "item"], orient="row"),
        "catalog": pl.DataFrame({"item": range(30)}),
    }


def both(world: dict[str, Any], engine: Engine, metrics: list[str], **options: Any) -> tuple[rm.Result, rm.Result]:
    """The result of rankings, and that of the whole lists."""
    truth, history, catalog = (engine.give(world[name]) for name in ("truth", "history", "catalog"))
    ranked = rm.rank_factors(world["users"], world["items"], truth, history=history, k=options.pop("k", None))
    recs = engine.give(world["recs"])
    return tuple(  # type: ignore[return-value]
        flat.evaluate(one, truth, metrics, history=history, catalog=catalog, **options) for one in (ranked, recs)
    )


def assert_equal(engine: Engine, ours: Any, whole: Any) -> None:
    left, right = (engine.read(one) for one in (ours, whole))
    keys = [name for name in left.columns if name == "user"]
    for column in left.columns:
        a, b = (frame.sort(keys)[column].to_list() if keys else frame[column].to_list() for frame in (left, right))
        assert a == pytest.approx(b, abs=1e-12), column


@pytest.mark.parametrize(
    ("metrics", "missing"), [pytest.param(OF_HITS, "zero", marks=pytest.mark.long), ([*OF_HITS, *OF_ROWS], "listed")]
)
@polars_and_later_duckdb
def test_rankings_have_the_values_of_whole_lists(
    world: dict[str, Any], engine: Engine, metrics: list[str], missing: Any
) -> None:
    ours, whole = both(world, engine, metrics, missing=missing)
    assert_equal(engine, ours.per_list(), whole.per_list())
    assert_equal(engine, ours.summary(), whole.summary())


def test_rows_that_are_read_back_have_the_same_values_or_are_refused(world: dict[str, Any], engine: Engine) -> None:
    truth, history, catalog = world["truth"], world["history"], world["catalog"]
    ranked = rm.rank_factors(world["users"], world["items"], truth, history=history)
    rows, top = ranked.rows().collect(), ranked.top(6).collect()
    inputs = {"history": engine.give(history), "catalog": engine.give(catalog)}

    def measured(recs: Any, metrics: list[str]) -> pl.LazyFrame:
        given = recs if recs is ranked else engine.give(recs)
        return flat.evaluate(given, engine.give(truth), metrics, **inputs, missing="listed").collect().lazy()

    of_hits, of_rows = ["auc", "ndcg@5"], ["coverage@3", "n_recommended@4", "surprisal@4"]
    whole = measured(ranked, [*of_hits, *of_rows])
    assert_equal(POLARS, measured(rows, of_hits).select(of_hits), whole.select(of_hits))
    assert_equal(POLARS, measured(pl.concat([rows, top]).unique(), [*of_hits, *of_rows]), whole)
    for metric in ("coverage@3", "n_recommended"):
        with refusal(rm.DataError, f"{metric} reads every rank", "'pool' hold only some of their candidates"):
            measured(rows, [metric, "ndcg@4"])
    for some in (rows, top):
        with refusal(rm.DataError, "fewer rows than candidates by their column 'pool'", "keep it", "number them"):
            measured(some.drop("rank"), of_hits)
    every_row = ranked.top(1_000).collect().drop("rank")
    assert_equal(POLARS, measured(every_row, [*of_hits, *of_rows]), whole)


def test_lists_that_end_have_the_values_of_lists_cut_there(world: dict[str, Any]) -> None:
    ranked = rm.rank_factors(world["users"], world["items"], world["truth"], history=world["history"])
    world = {**world, "recs": ranked.top(4).collect().drop("pool")}
    metrics = ["precision", "recall", "ndcg", "coverage", "n_recommended", "rr", "f_beta", "recall@2"]
    ours, whole = both(world, POLARS, metrics, k=4)
    assert_equal(POLARS, ours.per_list(), whole.per_list())
    assert_equal(POLARS, ours.summary(), whole.summary())


def test_systems_may_each_be_rankings(world: dict[str, Any]) -> None:
    truth = world["truth"]
    systems = {
        "factors": rm.rank_factors(world["users"], world["items"], truth, overlap="ignore"),
        "first": rm.rank_factors(None, None, truth, item_biases=-np.arange(30.0)),
    }
    found = rm.evaluate(systems, truth, ["ndcg@5", "coverage@3"], catalog=world["catalog"]).summary().collect()
    for system, one in systems.items():
        alone = rm.evaluate(one, truth, ["ndcg@5", "coverage@3"], catalog=world["catalog"]).summary().collect()
        (ours,) = found.filter(system=system).drop("system").rows()
        assert ours == pytest.approx(alone.row(0), abs=1e-12)


def test_a_metric_that_would_read_every_candidate_and_another_engine_are_refused(world: dict[str, Any]) -> None:
    with refusal(rm.MetricError, "'coverage' would read every candidate of every user. Give a cutoff"):
        both(world, POLARS, ["ndcg", "coverage"])
    ranked = rm.rank_factors(world["users"], world["items"], world["truth"])
    with refusal(rm.InputError, "Rankings are evaluated by Polars or DuckDB"):
        rm.evaluate(ranked, "truth", "hit@1", connection=connect(":memory:"))


# --- equal scores without an order ------------------------------------------------------------------------------------

# Metrics of all orders of equal scores.
OF_ORDERS = ["ap", "ap@4", "auc", "hit@3", "mean_recall@3", "ndcg(gain=linear)@5", "precision@4", "r_precision", "rr"]


def under(ties: str, metric: str) -> str:
    """A metric with a policy of ties."""
    name, at, k = metric.partition("@")
    return f"{name[:-1]}, ties={ties}){at}{k}" if name.endswith(")") else f"{name}(ties={ties}){at}{k}"


@polars_and_later_duckdb
def test_all_orders_of_equal_scores_are_those_of_the_whole_lists(world: dict[str, Any], engine: Engine) -> None:
    metrics = [under(ties, metric) for ties in ("expected", "best", "worst") for metric in OF_ORDERS]
    metrics += ["ndcg(tied=averaged)", "dcg(tied=averaged, gain=linear)@3"]
    of_rankings, of_lists = both(world, engine, metrics)
    assert_equal(engine, of_rankings.per_list(), of_lists.per_list())


def test_rankings_made_without_an_order_are_measured_over_all_orders(world: dict[str, Any]) -> None:
    truth, history = world["truth"], world["history"]
    ranked = rm.rank_factors(world["users"], world["items"], truth, history=history, ties="expected")
    metrics = [*OF_ORDERS, "coverage(ties=item)@3"]
    of_rankings = rm.evaluate(ranked, truth, metrics, history=history)
    of_lists = rm.evaluate(world["recs"], truth, metrics, history=history, ties="expected")
    assert_equal(POLARS, of_rankings.per_list(), of_lists.per_list())


def test_equal_scores_take_no_rows_of_other_scores() -> None:
    """The first and the last row of the list, and those of the score of the relevant item."""
    truth = pl.DataFrame({"user": [0], "item": [3]})
    ranked = rm.rank_factors(np.ones((1, 1)), np.array([[4], [4], [2], [2], [1], [1], [0.0]]), truth)
    assert ranked.computed(Need(ties=True))[0].select("item", "rank", "score").rows() == [
        (0, 1, 4.0),
        (2, 3, 2.0),
        (3, 4, 2.0),
        (6, 7, 0.0),
    ]


def test_lists_cut_in_one_order_refuse_another_and_unordered_ranks(tmp_path: Path) -> None:
    truth = pl.DataFrame({"user": [0], "item": [1]})
    inputs = (np.ones((1, 1)), np.ones((3, 1)), truth)
    with refusal(rm.MetricError, "ndcg(tied=averaged)@2 takes all orders of equal scores", "end after 2 items"):
        rm.evaluate(rm.rank_factors(*inputs, k=2), truth, "ndcg(tied=averaged)@2")
    unordered = rm.rank_factors(*inputs, ties="expected")
    for read in (unordered.rows, lambda: unordered.top(1), lambda: unordered.write(tmp_path / "ranks.parquet")):
        with refusal(rm.InputError, "equal scores have no order, and so no ranks.", 'ties="item"'):
            read()
