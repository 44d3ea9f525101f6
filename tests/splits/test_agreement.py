"""Every split is that of the plain-Python twin, on every engine."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from hashlib import md5
from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.splits.methods import methods
from tests.support.drawing import examples
from tests.support.engines import DATABASES, LOCAL, SPARK, Engine, every_engine, need, restored

# An interaction: user, item, time.
Row = tuple[Any, Any, Any]

# A row with its fold (None for methods without folds) and its subset.
Placed = tuple[int | None, Row, str | None]


def user_hash(row: Row, seed: object) -> str:
    return md5(f"{seed}:{row[0]}".encode()).hexdigest()


def row_hash(row: Row, seed: object) -> str:
    return md5(f"{user_hash(row, seed)}:{row[1]}".encode()).hexdigest()


def below(digest: str, share: Fraction) -> bool:
    """Whether a hash is below a share of all hashes, read as a number of 32 bits."""
    return int(digest[:8], 16) < round(share * 2**32)


def rounded(number: float) -> int:
    """The nearest whole number; a half is rounded up."""
    return math.floor(number + 0.5)


def rounded_to_even(number: float) -> int:
    return round(number)


def by_user(rows: Iterable[Row]) -> dict[Any, list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[row[0]].append(row)
    return found


def numbered(keys: Sequence[Any], *, dense: bool = False) -> list[int]:
    """The rank of each key from 1; equal keys have one rank, and the next key counts them all unless `dense`."""
    ordered = sorted({*keys} if dense else keys)
    return [ordered.index(key) + 1 for key in keys]


def _latest_first(row: Row, seed: object) -> tuple[int, str]:
    return (-row[2], row_hash(row, seed))


def _random_order(row: Row, seed: object) -> tuple[int, str]:
    return (-int(row_hash(row, seed), 16), "")


ORDERS: dict[str, Callable[[Row, object], tuple[int, str]]] = {"last": _latest_first, "random": _random_order}


def split_random(rows: Sequence[Row], *, test_fraction: float = 0.2, seed: object = 0) -> list[Placed]:
    return [(None, row, "test" if below(row_hash(row, seed), Fraction(test_fraction)) else "train") for row in rows]


def split_last(
    rows: Sequence[Row], *, n_test: Callable[[int], int], min_history: int = 1, pick: str = "last", seed: object = 0
) -> list[Placed]:
    """Hold out some rows of each user: as many as `n_test` returns for a user of so many rows."""
    found: list[Placed] = []
    for own in by_user(rows).values():
        ranks = numbered([ORDERS[pick](row, seed) for row in own])
        held_out = n_test(len(own))
        n_history = sum(rank > held_out for rank in ranks)
        for row, rank in zip(own, ranks, strict=True):
            is_test = rank <= held_out and n_history >= min_history
            found.append((None, row, "test" if is_test else "train"))
    return found


def split_users(
    rows: Sequence[Row],
    *,
    mode: str = "separated",
    users_test_fraction: float = 0.1,
    max_test_users: int | None = None,
    items_test_fraction: float = 0.3,
    min_items_pool: int = 2,
    min_pos_test: int = 1,
    consider_cold_start: bool = False,
    seed: object = 0,
) -> list[Placed]:
    users, n_data_items = by_user(rows), len({row[1] for row in rows})
    n_items = {user: len({row[1] for row in own}) for user, own in users.items()}
    n_test = {user: rounded(n * items_test_fraction) for user, n in n_items.items()}
    eligible = [
        user
        for user in sorted(users, key=lambda user: user_hash(users[user][0], seed))
        if n_test[user] >= min_pos_test
        and n_data_items - (n_items[user] - n_test[user]) >= min_items_pool
        and n_items[user] + 1 < n_data_items
        and (consider_cold_start or n_test[user] < n_items[user])
    ]
    n_users = max(1, rounded_to_even(len(users) * users_test_fraction))
    tested = eligible[: min(n_users, max_test_users or n_users)]
    if mode == "all":
        tested = [*users]
    found: list[Placed] = []
    for user, own in users.items():
        places = numbered([row_hash(row, seed) for row in own], dense=True)
        for row, place in zip(own, places, strict=True):
            if user not in tested:
                found.append((None, row, "train"))
            else:
                rest = "history" if mode == "separated" else "train"
                found.append((None, row, "test" if place <= n_test[user] else rest))
    return found


def read_time(text: str, kind: type[date]) -> Any:
    number, _, unit = text.partition(" ")
    return timedelta(**{unit: int(number)}) if unit in ("days", "hours") else kind.fromisoformat(text)


def before(time: Any, length: Any) -> Any:
    """The time that is a length of time before another; without a length, the time itself."""
    return time if length is None else time - length


def split_time(rows: Sequence[Row], *, at: Any = None, test_fraction: float = 0.2, gap: Any = None) -> list[Placed]:
    if at is None:
        cuts = [
            moment for _, _, moment in rows if sum(time >= moment for _, _, time in rows) <= len(rows) * test_fraction
        ]
        if not cuts:
            return [(None, row, None) for row in rows]
        at = min(cuts)
    return [(None, row, "test" if row[2] >= at else "train" if row[2] < before(at, gap) else None) for row in rows]


def split_kfold(
    rows: Sequence[Row],
    *,
    folds: int = 5,
    of: str = "users",
    items_test_fraction: float | None = None,
    seed: object = 0,
) -> list[Placed]:
    digest = {"users": user_hash, "rows": row_hash}[of]
    bounds = [Fraction(fold / folds) for fold in range(folds + 1)]
    places = {}
    for own in by_user(rows).values():
        digests = [row_hash(row, seed) for row in own]
        for row, place in zip(own, numbered(digests, dense=True), strict=True):
            share = 1 if items_test_fraction is None else items_test_fraction
            places[row] = place <= rounded(len({*digests}) * share)
    found: list[Placed] = []
    for fold in range(folds):
        for row in rows:
            own_hash = digest(row, seed)
            is_in_fold = below(own_hash, bounds[fold + 1]) and not below(own_hash, bounds[fold])
            found.append((fold + 1, row, "test" if is_in_fold and places[row] else "train"))
    return found


def split_sliding(
    rows: Sequence[Row],
    *,
    at: Any,
    width: Any,
    step: Any = None,
    gap: Any = None,
    train_width: Any = None,
    windows: int = 3,
) -> list[Placed]:
    found: list[Placed] = []
    for window in range(windows):
        start = at + window * (step or width)
        for row in rows:
            until = before(start, gap)
            is_train = row[2] < until and (train_width is None or row[2] >= until - train_width)
            is_test = start <= row[2] < start + width
            found.append((window + 1, row, "test" if is_test else "train" if is_train else None))
    return found


def k_core(rows: Sequence[Row], k: int, rounds: int = 10) -> list[Row]:
    kept = [*rows]
    for _ in range(rounds):
        for role in (0, 1):
            counts = Counter(row[role] for row in kept)
            kept = [row for row in kept if counts[row[role]] >= k]
    return kept


def without_cold(placed: Sequence[Placed], role: int) -> list[Placed]:
    """Without test rows of users (role 0) or items (role 1) that have no other rows; rows of no subset go, too."""
    known = {(fold, row[role]) for fold, row, subset in placed if subset in ("train", "history")}
    return [
        (fold, row, subset)
        for fold, row, subset in placed
        if subset is not None and (subset != "test" or (fold, row[role]) in known)
    ]


SPLITS: dict[str, Callable[..., list[Placed]]] = {
    "random": split_random,
    "users": split_users,
    "last_n": lambda rows, *, n=1, **more: split_last(rows, n_test=lambda _: n, **more),
    "leave_one_out": lambda rows, **more: split_last(rows, n_test=lambda _: 1, **more),
    "per_user_fraction": lambda rows, *, test_fraction=0.2, **more: split_last(
        rows, n_test=lambda n_rows: rounded(n_rows * test_fraction), **more
    ),
    "time": split_time,
    "kfold": split_kfold,
    "sliding": split_sliding,
}


def twin_split(rows: Sequence[Row], method: str, **options: Any) -> list[Placed]:
    """Each row with its fold and subset. With times that are no numbers, times and their lengths are texts."""
    for name in ("at", "gap", "width", "step", "train_width"):
        if isinstance(options.get(name), str):
            options[name] = read_time(options[name], type(rows[0][2]))
    core, rounds = options.pop("k_core", None), options.pop("rounds", 10)
    cold = [options.pop(name, "keep") for name in ("cold_users", "cold_items")]
    kept = rows if core is None else k_core(rows, core, rounds)
    if method not in ("time", "sliding"):
        n_rows = 0 if options.pop("stable", False) else len(rows)
        options["seed"] = f"{options.get('seed', 0)}:{method}:{n_rows}"
    placed = SPLITS[method](kept, **options)
    for role, choice in enumerate(cold):
        placed = without_cold(placed, role) if choice == "drop" else placed
    return placed


# --- Every split is that of the plain-Python twin, on every engine ----------------------------------------------------


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
            expected = Counter(twin_split(rows, method, **options))
            assert _placed(engine.read(split.rows)) == expected, (method, options)


HASHED = {"sqlite": ("time", "sliding")}  # it has no MD5


@pytest.mark.parametrize("cases", [[CASES[3], CASES[8], CASES[17]], pytest.param(CASES, marks=pytest.mark.long)])
@pytest.mark.parametrize("engine", [*DATABASES, pytest.param(SPARK, marks=pytest.mark.long)], ids=str)
def test_every_engine_splits_as_the_twin(engine: Engine, cases: list[tuple[str, dict[str, Any]]]) -> None:
    need(engine)
    rows = [row for row in TEXTS if engine.name != "mariadb" or "a " not in row]  # blanks at the end do not count
    table = engine.give(_frame(rows))
    for method, options in cases if engine is not SPARK or cases is CASES else cases[:1]:
        if method in HASHED.get(engine.name, [method]):
            split = rm.split(table, method, **options, **engine.options)
            expected = Counter(twin_split(rows, method, **options))
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


@every_engine
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
            expected = Counter(twin_split(rows, method, **options))
            assert _placed(restored(engine.read(split.rows), {"time": pl.Date})) == expected, (method, options)


def _check_promises(rows: list[Any], splits: list[Placed], method: str, options: dict[str, Any]) -> None:
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
    splits = twin_split(rows, method, **options)
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
def test_a_second_split_with_the_same_seed_is_independent_of_the_first(seeds: range) -> None:
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
