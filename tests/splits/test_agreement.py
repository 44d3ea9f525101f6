"""Every split is that of the plain-Python twin, on every engine."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.splits.methods import methods
from tests.support import twin_splits
from tests.support.drawing import examples
from tests.support.engines import LOCAL, OTHERS, Engine, need

COLUMNS = ("user_id", "item_id", "time")

# Each method in several ways, over times from 1 to 30.
CASES: list[tuple[str, dict[str, Any]]] = [
    ("random", {}),
    ("random", {"test_fraction": 0.5, "seed": 7, "k_core": 2, "rounds": 3}),
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
    ids = pl.String if rows and isinstance(rows[0][0], str) else pl.Int64
    return pl.DataFrame(rows, schema=dict(zip(COLUMNS, (ids, ids, pl.Int64), strict=True)), orient="row")


def _placed(frame: pl.DataFrame) -> Counter[Any]:
    folds = frame["partition"].to_list() if "partition" in frame.columns else [None] * frame.height
    rows = frame.select(*COLUMNS).rows()
    return Counter(zip(folds, rows, frame["subset"].to_list(), strict=True))


def _text(rows: list[tuple[int, int, int]]) -> list[tuple[str, str, int]]:
    return [(IDS[user], IDS[item], time) for user, item, time in rows]


@pytest.mark.parametrize(("method", "options"), CASES, ids=str)
@pytest.mark.parametrize("engine", LOCAL, ids=str)
@pytest.mark.parametrize("rows", [ROWS, _text(ROWS)], ids=["numbers", "texts"])
def test_a_split_is_that_of_the_twin(rows: list[Any], engine: Engine, method: str, options: dict[str, Any]) -> None:
    found = rm.split(engine.give(_frame(rows)), method, **options, **engine.options)
    assert _placed(engine.read(found.rows)) == Counter(twin_splits.split(rows, method, **options))


def test_every_method_is_compared() -> None:
    assert {method for method, _ in CASES} == {*methods()}


HASHED = {"sqlite": ("time", "sliding")}  # it has no MD5


@pytest.mark.parametrize(
    "cases", [[CASES[0], CASES[2], CASES[7], CASES[12], CASES[16]], pytest.param(CASES, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("engine", OTHERS, ids=str)
def test_every_engine_splits_as_duckdb_does(engine: Engine, cases: list[tuple[str, dict[str, Any]]]) -> None:
    need(engine)
    rows = [row for row in _text(ROWS) if engine.name != "mariadb" or "a " not in row]  # blanks at the end do not count
    given, wanted = engine.give(_frame(rows)), _frame(rows).lazy()
    for method, options in cases:
        if method in HASHED.get(engine.name, [method]):
            found = rm.split(given, method, **options, **engine.options)
            assert _placed(engine.read(found.rows)) == _placed(rm.split(wanted, method, **options).rows.collect()), (
                method
            )


@pytest.mark.parametrize("engine", OTHERS, ids=str)
def test_every_engine_cuts_dates_and_steps_back_from_a_cut_of_the_data(engine: Engine) -> None:
    need(engine)
    day = pl.date(2024, 1, 1) + pl.duration(days="time")
    frame = _frame(ROWS).with_columns(day.alias("time"))
    given = engine.give(frame)
    cases: list[tuple[str, dict[str, Any]]] = [
        ("time", {"at": "2024-01-20", "gap": "3 days"}),
        ("time", {"test_fraction": 0.3, "gap": "3 days"}),
        ("sliding", {"at": "2024-01-10", "width": "1 week", "train_width": "5 days"}),
    ]
    for method, options in cases:
        if engine.name == "sqlite" and "at" not in options:
            with pytest.raises(rm.DialectError, match="it has no intervals"):
                _ = rm.split(given, method, **options, **engine.options).train
            continue
        found = rm.split(given, method, **options, **engine.options)
        assert _counts(found) == _counts(rm.split(frame.lazy(), method, **options))


def _counts(found: rm.Split) -> list[tuple[Any, ...]]:
    return sorted(found._rows("account"))


interactions = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 30)), min_size=1, max_size=40)


@examples(200, shrunk=True)
@given(rows=interactions, case=st.sampled_from(CASES), seed=st.integers(0, 5))
def test_random_interactions_are_split_as_the_twin_does(
    rows: list[tuple[int, int, int]], case: tuple[str, dict[str, Any]], seed: int
) -> None:
    method, options = case
    if "seed" in options:
        options = {**options, "seed": seed}
    found = rm.split(_frame(rows).lazy(), method, **options).rows.collect()
    assert _placed(found) == Counter(twin_splits.split(rows, method, **options))
