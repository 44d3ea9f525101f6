"""What holds of every split, whatever the interactions: no overlap, no leak from the future, minimum counts."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from tests.support.drawing import examples

PAIR = ["user", "item"]

interactions = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 12), st.integers(1, 50)), min_size=1, max_size=60
).map(lambda rows: pl.DataFrame(rows, schema=[*PAIR, "time"], orient="row"))
seeds = st.integers(0, 1000)


def _rows(frame: pl.DataFrame, method: str, **options: Any) -> pl.DataFrame:
    found: pl.DataFrame = rm.split(frame.lazy(), method, **options).rows.collect()
    return found


def _of(rows: pl.DataFrame, subset: str) -> pl.DataFrame:
    return rows.filter(subset=subset)


@examples(100)
@given(
    frame=interactions,
    seed=seeds,
    case=st.sampled_from(
        [
            ("random", {"test_fraction": 0.5}),
            ("users", {"users_test_fraction": 0.5}),
            ("users", {"mode": "all"}),
            ("leave_one_out", {"pick": "random"}),
            ("per_user_fraction", {"pick": "random", "test_fraction": 0.4}),
        ]
    ),
)
def test_random_methods_put_no_pair_into_two_subsets_and_lose_no_row(
    frame: pl.DataFrame, seed: int, case: tuple[str, dict[str, Any]]
) -> None:
    rows = _rows(frame, case[0], seed=seed, **case[1])
    assert rows.group_by(PAIR).agg(pl.col("subset").n_unique())["subset"].max() == 1
    assert rows.drop("subset").sort(pl.all()).equals(frame.sort(pl.all()))


@examples(100)
@given(frame=interactions, at=st.integers(2, 50), gap=st.integers(1, 10))
def test_no_train_row_is_as_late_as_the_gap_before_any_test_row(frame: pl.DataFrame, at: int, gap: int) -> None:
    for options in ({"at": at, "gap": gap}, {"test_fraction": 0.4, "gap": gap}):
        rows = _rows(frame, "time", **options)
        train, test = _of(rows, "train")["time"], _of(rows, "test")["time"]
        assert train.is_empty() or test.is_empty() or max(train) < min(test) - gap
    windows = _rows(frame, "sliding", at=at, width=7, gap=gap, train_width=20)
    for window in windows.partition_by("partition"):
        train, test = _of(window, "train")["time"], _of(window, "test")["time"]
        assert train.is_empty() or test.is_empty() or max(train) < min(test) - gap


@examples(100)
@given(frame=interactions, n=st.integers(1, 4), least=st.integers(0, 4), seed=seeds)
def test_a_tested_user_keeps_enough_rows_and_all_of_them_are_earlier(
    frame: pl.DataFrame, n: int, least: int, seed: int
) -> None:
    rows = _rows(frame, "last_n", n=n, min_history=least, seed=seed)
    for user in rows.partition_by("user"):
        kept, held_out = _of(user, "train"), _of(user, "test")
        if held_out.height:
            assert kept.height >= least
            assert held_out.height >= min(n, user.height)
            assert kept.is_empty() or max(kept["time"]) <= min(held_out["time"])


@examples(100)
@given(frame=interactions, least=st.integers(1, 4), pool=st.integers(0, 8), seed=seeds)
def test_test_users_have_enough_held_out_items_and_enough_to_choose_from(
    frame: pl.DataFrame, least: int, pool: int, seed: int
) -> None:
    options = {"users_test_fraction": 1, "items_test_fraction": 0.4, "min_pos_test": least, "min_items_pool": pool}
    rows = _rows(frame, "users", seed=seed, **options)
    for user in rows.partition_by("user"):
        held_out, known = _of(user, "test")["item"].n_unique(), _of(user, "history")["item"].n_unique()
        if held_out:
            assert held_out >= least
            assert known >= 1
            assert frame["item"].n_unique() - known >= pool


@examples(100)
@given(frame=interactions, folds=st.integers(2, 6), of=st.sampled_from(["users", "rows"]), seed=seeds)
def test_every_row_is_tested_in_one_fold_and_in_train_in_all_others(
    frame: pl.DataFrame, folds: int, of: str, seed: int
) -> None:
    rows = _rows(frame, "kfold", folds=folds, of=of, seed=seed)
    assert _of(rows, "test").select(frame.columns).sort(pl.all()).equals(frame.sort(pl.all()))
    assert _of(rows, "train").height == frame.height * (folds - 1)
    if of == "users":
        assert _of(rows, "test").group_by("user").agg(pl.col("partition").n_unique())["partition"].max() == 1


@examples(50)
@given(frame=interactions, k=st.integers(2, 3))
def test_k_core_leaves_only_users_and_items_with_enough_rows(frame: pl.DataFrame, k: int) -> None:
    rows = _rows(frame, "random", k_core=k, rounds=20)
    for role in PAIR:
        counts = rows.group_by(role).len()["len"]
        assert counts.is_empty() or min(counts) >= k


def test_random_shares_are_within_the_bounds_of_chance() -> None:
    rows = pl.DataFrame({"user": range(20_000)}).with_columns(item=pl.col("user") % 97)
    for seed in range(3):
        for share in (0.05, 0.3, 0.5):
            n_test = _of(_rows(rows, "random", test_fraction=share, seed=seed), "test").height
            assert abs(n_test - rows.height * share) < 5 * (rows.height * share * (1 - share)) ** 0.5
        sizes = _of(_rows(rows, "kfold", seed=seed), "test").group_by("partition").len()["len"]
        assert all(abs(size - rows.height / 5) < 5 * (rows.height * 0.2 * 0.8) ** 0.5 for size in sizes)
