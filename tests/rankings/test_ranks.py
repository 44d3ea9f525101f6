"""Ranks of scores and factors, against a plain-Python twin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.rankings import kernel
from rankmetrics.rankings.scores import TILE

Row = tuple[Any, Any, int, int]

# The order of items with equal scores: by their ids, or by their places among the factors.
ORDERS: Mapping[str, Callable[[Sequence[Any]], list[Any]]] = {
    "item": sorted,
    "item_desc": lambda items: sorted(items, reverse=True),
    "input": list,
}


def in_order(scores: Mapping[Any, float], known: set[Any], ties: str = "item") -> list[Any]:
    """The candidates of a user, best first."""
    candidates = [item for item in ORDERS[ties]([*scores]) if item not in known]
    return sorted(candidates, key=lambda item: -scores[item])


def rows(
    scores: Mapping[Any, Mapping[Any, float]],
    truth: set[tuple[Any, Any]],
    history: set[tuple[Any, Any]],
    *,
    ties: str = "item",
    top: int = 0,
    end: int | None = None,
) -> list[Row]:
    """User, item, rank and pool of the relevant items, of the first and the last item, and of the first `top`."""
    found = []
    for user, of_user in scores.items():
        candidates = in_order(of_user, {item for other, item in history if other == user}, ties)
        for rank, item in enumerate(candidates, start=1):
            is_end = rank in (1, len(candidates))
            if (is_end or rank <= top or (user, item) in truth) and rank <= (end or rank):
                found.append((user, item, rank, len(candidates)))
    return found


# --- The ranks of rankings beside those of the twin in plain Python ---------------------------------------------------


def pairs(found: set[tuple[Any, Any]], kind: Any = pl.Int64) -> pl.DataFrame:
    return pl.DataFrame(sorted(found), schema={"user": kind, "item": kind}, orient="row")


def rows_of(frame: pl.LazyFrame) -> list[tuple[Any, ...]]:
    return frame.drop("score").collect().rows()


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    """Factors of small whole numbers, so that scores are exact and often equal; truth and history that do not meet."""
    n_users, n_items, n = draw(st.integers(1, 5)), draw(st.integers(1, 9)), draw(st.integers(1, 3))
    numbers = st.integers(-2, 2)
    users = draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=n_users, max_size=n_users))
    items = draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=n_items, max_size=n_items))
    every = [(user, item) for user in range(n_users) for item in range(n_items)]
    kinds = draw(st.lists(st.sampled_from(["truth", "history", ""]), min_size=len(every), max_size=len(every)))
    of = {kind: {pair for pair, one in zip(every, kinds, strict=True) if one == kind} for kind in ("truth", "history")}
    return {
        "users": np.array(users, draw(st.sampled_from([np.float32, np.float64]))),
        "items": np.array(items, draw(st.sampled_from([np.float32, np.float64]))),
        "biases": draw(st.one_of(st.none(), st.lists(numbers, min_size=n_items, max_size=n_items).map(np.array))),
        "truth": of["truth"] or {(0, 0)} - of["history"],
        "history": of["history"],
        "ties": draw(st.sampled_from(["item", "item_desc", "input"])),
        "k": draw(st.one_of(st.none(), st.integers(1, 4))),
    }


@settings(deadline=None, max_examples=40)
@given(problems())
def test_every_rank_is_that_of_the_whole_order(problem: dict[str, Any]) -> None:
    if not problem["truth"]:
        return
    biases = problem["biases"] if problem["biases"] is not None else np.zeros(len(problem["items"]))
    scores = problem["users"] @ problem["items"].T + biases
    by_user = {user: dict(enumerate(of.tolist())) for user, of in enumerate(scores)}
    ranked = rm.rank_factors(
        problem["users"],
        problem["items"],
        pairs(problem["truth"]),
        history=pairs(problem["history"]),
        item_biases=problem["biases"],
        ties=problem["ties"],
        k=problem["k"],
        threads=1,
    )
    told = (by_user, problem["truth"], problem["history"])
    expected = rows(*told, ties=problem["ties"], end=problem["k"])
    assert rows_of(ranked.rows()) == expected
    top = [row for row in rows(*told, ties=problem["ties"], top=2, end=problem["k"]) if row[2] <= 2]
    if problem["k"] != 1:
        assert rows_of(ranked.top(2)) == top
    given = ranked.rows().collect()
    assert given["score"].to_list() == [by_user[user][item] for user, item in given.select("user", "item").rows()]


@pytest.mark.parametrize("n_items", [1, kernel.STEP, kernel.CHUNK - 1, kernel.CHUNK, kernel.CHUNK + 1, 9000])
def test_ranks_hold_over_the_ends_of_chunks(n_items: int) -> None:
    for levels in (1, 3, 10**6):
        assert_ranks_are_the_twins(n_items, levels)


def assert_ranks_are_the_twins(n_items: int, levels: int) -> None:
    random = np.random.default_rng(n_items + levels)
    scores = random.integers(0, levels, (5, n_items)).astype(np.float32)
    truth = {(user, int(item)) for user in range(5) for item in random.integers(0, n_items, 4)}
    history = {(user, int(item)) for user in range(4) for item in random.integers(0, n_items, n_items // 2)} - truth
    ranked = rm.rank_scores(scores, range(5), range(n_items), pairs(truth), history=pairs(history))
    by_user = {user: dict(enumerate(of.tolist())) for user, of in enumerate(scores)}
    assert rows_of(ranked.rows()) == rows(by_user, truth, history), levels


@pytest.fixture(scope="module")
def random_factors() -> dict[str, Any]:
    random = np.random.default_rng(7)
    truth = {(int(user), int(item)) for user, item in random.integers(0, (700, 1500), (3000, 2))}
    history = {(int(user), int(item)) for user, item in random.integers(0, (700, 1500), (9000, 2))} - truth
    return {
        "user_factors": random.standard_normal((700, 33), dtype=np.float32),
        "item_factors": random.standard_normal((1500, 33), dtype=np.float32),
        "truth": pairs(truth),
        "history": pairs(history),
    }


def test_scores_in_32_bits_are_equal_to_the_last_bit_in_all_blocks_and_threads(random_factors: dict[str, Any]) -> None:
    whole = rm.rank_factors(**random_factors)
    first, top = whole.rows().collect(), whole.top(20).collect()
    assert first["score"].dtype == pl.Float32
    for block_rows, threads in ((1, 1), (TILE, 2), (100, 3), (10**6, 1)):
        again = rm.rank_factors(**random_factors, block_rows=block_rows, threads=threads)
        assert again.rows().collect().equals(first)
        assert again.top(20).collect().equals(top)


def test_equal_factors_are_ties_wherever_the_items_stand(random_factors: dict[str, Any]) -> None:
    items = random_factors["item_factors"].copy()
    items[750:] = items[:750]  # each item has a twin
    given = {**random_factors, "item_factors": items}
    top = rm.rank_factors(**{**given, "history": None}).top(10).collect()
    twins = top.with_columns(first=pl.col("item") % 750).group_by("user", "first").len()
    assert twins["len"].to_list() == [2] * len(twins)


def test_ties_in_text_ids_are_broken_as_text() -> None:
    items = (["9", "10", "2"], np.ones((3, 1)))
    truth = pl.DataFrame({"user": ["a"], "item": ["9"]})
    orders: tuple[Any, ...] = ("item", "item_desc", "input")
    found = {
        ties: rm.rank_factors((["a"], np.ones((1, 1))), items, truth, ties=ties).top(3).collect()["item"].to_list()
        for ties in orders
    }
    assert found == {"item": ["10", "2", "9"], "item_desc": ["9", "2", "10"], "input": ["9", "10", "2"]}


def test_a_model_of_biases_alone_ranks_the_users_of_the_truth() -> None:
    truth = pl.DataFrame({"user": ["b", "a"], "item": [0, 2]})
    ranked = rm.rank_factors(None, None, truth, item_biases=np.array([1.0, 3.0, 2.0]))
    assert rows_of(ranked.rows()) == [("a", 1, 1, 3), ("a", 2, 2, 3), ("a", 0, 3, 3), ("b", 1, 1, 3), ("b", 0, 3, 3)]


def test_biases_of_users_change_scores_and_no_rank() -> None:
    truth = pl.DataFrame({"user": [0], "item": [1]})
    given = (np.array([[1.0]]), np.array([[4.0], [2.0]]), truth)
    plain, biased = (rm.rank_factors(*given, user_biases=one).rows().collect() for one in (None, np.array([10.0])))
    assert biased["score"].to_list() == [14.0, 12.0]
    assert plain.drop("score").equals(biased.drop("score"))


def test_a_user_without_candidates_has_no_row() -> None:
    truth = pl.DataFrame({"user": [0], "item": [1]})
    history = pl.DataFrame({"user": [1, 1], "item": [0, 1]})
    ranked = rm.rank_factors(np.ones((2, 1)), np.ones((2, 1)), truth, history=history)
    assert ranked.rows().collect()["user"].unique().to_list() == [0]
    assert ranked.top(2).collect()["user"].unique().to_list() == [0]


def test_nothing_is_computed_before_rows_are_collected() -> None:
    called = []

    def scores(users: Any) -> Any:
        called.append(users.tolist())
        return np.ones((len(users), 2))

    truth = pl.DataFrame({"user": ["a"], "item": [1]})
    ranked = rm.rank_scores(scores, ["a", "b"], [0, 1], truth)
    result = rm.evaluate(ranked, truth, ["hit@1", "coverage@1"], catalog=pl.DataFrame({"item": [0, 1]}))
    lazy = result.summary()
    assert called == []
    lazy.collect()
    result.collect()
    assert called == [["a"]]  # the user that the truth has, once
