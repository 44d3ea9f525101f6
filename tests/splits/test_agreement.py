"""Every split is that of the plain-Python twin, on every engine."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.splits.methods import methods
from tests.support import twin_splits
from tests.support.drawing import examples
from tests.support.engines import LOCAL, OTHERS, SPARK, Engine, need, restored

COLUMNS = ("user_id", "item_id", "time")

# Each method in several ways, over times from 1 to 30.
CASES: list[tuple[str, dict[str, Any]]] = [
    ("random", {}),
    ("random", {"test_fraction": 0.5, "seed": 7, "k_core": 2, "rounds": 3}),
    ("random", {"stable": True}),
    ("users", {"users_test_fraction": 0.4}),
    ("users", {"mode": "joined", "users_test_fraction": 1, "max_test_users": 3, "items_test_fraction": 0.6}),
    ("users", {"users_test_fraction": 1, "items_test_fraction": 0.7, "consider_cold_start": True, "min_items_pool": 3}),
    ("users", {"mode": "all", "items_test_fraction": 0.5, "seed": 3}),
    ("last_n", {"n": 2, "min_history": 2}),
    ("last_n", {"cold_users": "drop", "cold_items": "drop"}),
    ("leave_one_out", {}),
    ("leave_one_out", {"pick": "random", "min_history": 0}),
    ("per_user_fraction", {"test_fraction": 0.4}),
    ("per_user_fraction", {"test_fraction": 0.3, "pick": "random", "seed": 2}),
    ("time", {"at": 20, "gap": 5, "cold_items": "drop"}),
    ("time", {"test_fraction": 0.3, "gap": 3}),
    ("kfold", {"folds": 3}),
    ("kfold", {"folds": 2, "of": "rows", "seed": 1, "cold_users": "drop"}),
    ("kfold", {"folds": 3, "items_test_fraction": 0.5}),
    ("sliding", {"at": 10, "width": 4, "step": 7, "gap": 2, "train_width": 6}),
    ("sliding", {"at": 15, "width": 5}),
]

# Ids whose texts are easily mistaken: prefixes of others, letters beyond ASCII, quotes, blanks, the separator.
IDS = ["1", "12", "2", "a", "A", "ü", "o'b", "a ", ":", "1:2"]

# The same pairs of ids for numbers, and rows that share user, item and time.
ROWS = [
    (user, (user * 7 + place * place) % 9, 1 + (user * 11 + place * 5) % 30)
    for user in range(10)
    for place in range(1 + user)
] + [(9, 5, 3), (9, 5, 3), (9, 5, 21)]


def _frame(rows: list[tuple[Any, Any, Any]]) -> pl.DataFrame:
    ids = pl.String if isinstance(rows[0][0], str) else pl.Int64
    return pl.DataFrame(rows, schema=dict(zip(COLUMNS, (ids, ids, pl.Int64), strict=True)), orient="row")


def _placed(frame: pl.DataFrame) -> Counter[Any]:
    folds = frame["partition"].to_list() if "partition" in frame.columns else [None] * frame.height
    rows = frame.select(*COLUMNS).rows()
    return Counter(zip(folds, rows, frame["subset"].to_list(), strict=True))


TEXTS = [(IDS[user], IDS[item], time) for user, item, time in ROWS]


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_a_split_is_that_of_the_twin(engine: Engine) -> None:
    assert {method for method, _ in CASES} == {*methods()}
    numbers, texts = engine.give(_frame(ROWS)), engine.give(_frame(TEXTS))
    for method, options in CASES:
        for given_rows, rows in ((numbers, ROWS), (texts, TEXTS)):
            split = rm.split(given_rows, method, **options)
            expected = Counter(twin_splits.split(rows, method, **options))
            assert _placed(engine.read(split.rows)) == expected, (method, options)


HASHED = {"sqlite": ("time", "sliding")}  # it has no MD5


@pytest.mark.parametrize("cases", [[CASES[3], CASES[8], CASES[17]], pytest.param(CASES, marks=pytest.mark.long)])
@pytest.mark.parametrize("engine", OTHERS, ids=str)
def test_every_engine_splits_as_the_twin(engine: Engine, cases: list[tuple[str, dict[str, Any]]]) -> None:
    need(engine)
    rows = [row for row in TEXTS if engine.name != "mariadb" or "a " not in row]  # blanks at the end do not count
    table = engine.give(_frame(rows))
    for method, options in cases if engine is not SPARK or cases is CASES else cases[:1]:
        if method in HASHED.get(engine.name, [method]):
            split = rm.split(table, method, **options, **engine.options)
            expected = Counter(twin_splits.split(rows, method, **options))
            assert _placed(engine.read(split.rows)) == expected, (method, options)


# Splits by dates, and by datetimes, with lengths of time in days, in days and hours, and windows that leave days out.
OF_DATES: list[tuple[str, dict[str, Any]]] = [
    ("time", {"test_fraction": 0.3, "gap": "3 days"}),
    ("time", {"at": "2024-01-20", "gap": "5 days"}),
    ("sliding", {"at": "2024-01-10", "width": "4 days", "step": "7 days", "gap": "2 days", "train_width": "6 days"}),
    ("sliding", {"at": "2024-01-15", "width": "7 days", "step": "3 days", "windows": 4}),
]
OF_DATETIMES: list[tuple[str, dict[str, Any]]] = [
    *OF_DATES,
    ("sliding", {"at": "2024-01-10 06:00:00", "width": "36 hours", "step": "3 days", "gap": "18 hours"}),
]


@pytest.mark.parametrize("engine", [*LOCAL, *OTHERS], ids=str)
def test_every_engine_splits_dates_and_datetimes_by_lengths_of_time_as_the_twin(engine: Engine) -> None:
    need(engine)
    day = dt.datetime(2024, 1, 1)
    moments = [(user, item, day + dt.timedelta(days=time, hours=7 * item % 24)) for user, item, time in ROWS]
    dates = [(user, item, moment.date()) for user, item, moment in moments]
    data: list[tuple[list[Any], list[tuple[str, dict[str, Any]]]]] = [(dates, OF_DATES), (moments, OF_DATETIMES)]
    for rows, cases in data if engine in LOCAL else data[:1]:
        table = engine.give(pl.DataFrame(rows, [*COLUMNS], orient="row"))
        for method, options in cases:
            split = rm.split(table, method, **options, **engine.options)
            if engine.name == "sqlite" and "at" not in options:
                with pytest.raises(rm.DialectError, match="it has no intervals"):
                    _ = split.train
                continue
            expected = Counter(twin_splits.split(rows, method, **options))
            assert _placed(restored(engine.read(split.rows), {"time": pl.Date})) == expected, (method, options)


def _check_promises(rows: list[Any], splits: list[twin_splits.Placed], method: str, options: dict[str, Any]) -> None:
    """Assert what docs/splits.md promises of every split: no overlap, no leak from the future, minimum counts."""
    tested: list[Any] = []
    for fold in {fold for fold, *_ in splits}:
        subsets = {
            name: [row for of, row, subset in splits if (of, subset) == (fold, name)]
            for name in ("train", "test", "history")
        }
        train, test = subsets["train"], subsets["test"]
        tested += test
        if method in ("time", "sliding") and train and test:
            latest, earliest = max(row[2] for row in train), min(row[2] for row in test)
            assert latest < earliest - options.get("gap", 0)
        if method in ("random", "users") or options.get("pick") == "random":
            pairs = {(row[:2], name) for name, kept in subsets.items() for row in kept}
            assert len(pairs) == len({pair for pair, _ in pairs})
        for user in {row[0] for row in test}:
            known, held_out = ([row for row in kept if row[0] == user] for kept in (train, test))
            if method in ("last_n", "leave_one_out"):
                assert len(known) >= options.get("min_history", 1)
                if known and options.get("pick") != "random":
                    assert max(row[2] for row in known) <= min(row[2] for row in held_out)
            elif method == "users" and options.get("mode") != "all":
                history = {row[1] for row in (*known, *subsets["history"]) if row[0] == user}
                assert history or options.get("consider_cold_start")
                assert len({row[1] for row in rows} - history) >= options.get("min_items_pool", 2)
    if method == "kfold" and not {"cold_users", "items_test_fraction"} & {*options}:
        assert sorted(tested) == sorted(rows)


interactions = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 30)), min_size=1, max_size=40)


@examples(200, shrunk=True)
@given(rows=interactions, case=st.sampled_from(CASES), seed=st.integers(0, 5))
def test_random_interactions_are_split_as_the_twin_does(
    rows: list[tuple[int, int, int]], case: tuple[str, dict[str, Any]], seed: int
) -> None:
    method, options = case
    if "seed" in options:
        options = {**options, "seed": seed}
    splits = twin_splits.split(rows, method, **options)
    assert _placed(rm.split(_frame(rows).lazy(), method, **options).rows.collect()) == Counter(splits)
    _check_promises(rows, splits, method, options)


def test_random_shares_are_within_the_bounds_of_chance() -> None:
    rows = pl.LazyFrame({"user": range(20_000)}).with_columns(item=pl.col("user") % 97)
    for share in (0.05, 0.5):
        n_test = rm.split(rows, test_fraction=share, seed=1).test.collect().height
        assert abs(n_test - 20_000 * share) < 5 * (20_000 * share * (1 - share)) ** 0.5
    sizes = rm.split(rows, "kfold").test.collect().group_by("partition").len()["len"]
    assert all(abs(size - 4_000) < 5 * (20_000 * 0.2 * 0.8) ** 0.5 for size in sizes)


# For each method that chooses at random: what it chooses (rows or users), and the share of them in the test of each
# fold; None where the test has one row of each user.
USERS, ROWS_OF_USERS = ["user"], ["user", "item"]
CHOICES: list[tuple[str, dict[str, Any], list[str], float | None]] = [
    ("random", {"test_fraction": 0.2}, ROWS_OF_USERS, 0.2),
    ("kfold", {"folds": 4}, USERS, 0.25),
    ("kfold", {"folds": 5, "of": "rows"}, ROWS_OF_USERS, 0.2),
    ("random", {"test_fraction": 0.25}, ROWS_OF_USERS, 0.25),
    ("users", {"users_test_fraction": 0.2, "mode": "joined"}, USERS, 0.2),
    ("per_user_fraction", {"test_fraction": 0.2, "pick": "random"}, ROWS_OF_USERS, 0.2),
    ("leave_one_out", {"pick": "random"}, ROWS_OF_USERS, None),
]


@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 6), marks=pytest.mark.long)])
def test_a_split_of_a_train_set_with_the_same_seed_is_independent_of_the_first_split(seeds: range) -> None:
    """The share that was asked for is tested, and the same share of each fold of the first split: by chi-square."""
    row = pl.int_range(20_000)
    data = pl.select(user=row // 20, item=(row // 20 + row % 20) % 101)
    for seed, (first, first_options, *_) in product(seeds, CHOICES if len(seeds) > 1 else CHOICES[:3]):
        train, test = (part.collect() for part in rm.split(data.lazy(), first, seed=seed, **first_options))
        if first == "kfold":
            train, groups = train.filter(partition=2).drop("partition"), test.filter(pl.col("partition") != 2)
        else:
            groups = train.with_columns(partition=pl.col("user") % 4)
        groups = groups.rename({"partition": "group"})
        for second, options, unit, usual_share in CHOICES:
            case, n_folds = (seed, first, first_options, second, options), options.get("folds", 1)
            tested = rm.split(train.lazy(), second, seed=seed, **options).test.collect()
            tested = tested if n_folds > 1 else tested.with_columns(partition=1)
            n_units, n = pl.struct(unit).n_unique(), train.select(pl.struct(unit).n_unique()).item()
            share = usual_share or train["user"].n_unique() / n
            for size in tested.group_by("partition").agg(n_units)[:, 1]:
                assert abs(size - n * share) < 5 * (n * share * (1 - share)) ** 0.5, (case, size, n)
            if unit is USERS and "of" in first_options:
                continue  # each user is in all groups
            counts = (
                groups.join(tested, on=["user", "item"])
                .group_by("group", "partition")
                .agg(n_units.alias("n"))
                .join(groups.group_by("group").agg(n_units.alias("size")), on="group")
            )
            assert counts.height == groups["group"].n_unique() * n_folds, case
            expected = pl.col("size") * share
            chi_square = counts.select(((pl.col("n") - expected) ** 2 / expected / (1 - share)).sum()).item()
            assert chi_square < counts.height + 5 * (2 * counts.height) ** 0.5, (case, counts)
