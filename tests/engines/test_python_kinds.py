"""Dicts, tuples of arrays, matrices and datasets give what the same items give in a frame."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.refusals import refusal
from tests.support.shapes import METRICS, RATED, RECS, TRUTH

ALS = RECS.filter(algorithm="als").drop("algorithm")
BY_USER = {user: frame for (user,), frame in ALS.partition_by("user", as_dict=True).items()}
LISTS = {user: frame["item"].to_list() for user, frame in BY_USER.items()}
SCORED = {user: dict(frame.select("item", "score").rows()) for user, frame in BY_USER.items()}
PAIRS = {user: frame.select("item", "score").rows() for user, frame in BY_USER.items()}
ARRAYS = (
    np.array([1, 2]),
    np.array([[11, 12, 13], [11, 14, -1]]),
    np.array([[0.9, 0.8, 0.1], [0.7, 0.2, -1e30]], dtype=np.float32),
)
MASKED = np.ma.masked_equal(ARRAYS[1], -1)
QRELS = {
    user: dict(frame.select("item", "rating").rows())
    for (user,), frame in TRUTH.partition_by("user", as_dict=True).items()
}
EXPECTED = rm.evaluate(ALS, TRUTH, RATED).collect()


class Sparse:
    """What scipy.sparse.csr_array has, for the recommendations of ALS."""

    indptr = np.array([0, 0, 3, 5])
    indices = np.array([11, 12, 13, 11, 14], dtype=np.int32)
    data = np.array([0.9, 0.8, 0.1, 0.7, 0.2])
    shape = (3, 15)

    def tocsr(self) -> Sparse:
        return self


class Dataset:
    """What a datasets.Dataset has."""

    features = SimpleNamespace()

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def with_format(self, kind: str) -> Dataset:
        assert kind == "arrow"
        return self

    def __getitem__(self, rows: slice) -> pa.Table:
        return self._table[rows]


KINDS: dict[str, Any] = {
    "users and their items": LISTS,
    "users and their scored items": SCORED,
    "users and pairs": PAIRS,
    "users and arrays": {user: np.array(items) for user, items in LISTS.items()},
    "arrays": ARRAYS[:2],
    "arrays with scores": ARRAYS,
    "a sparse matrix": Sparse(),
    "a dataset": Dataset(ALS.to_arrow()),
}


def assert_same(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    assert_frame_equal(found, expected, check_dtypes=False, rel_tol=1e-7)


@pytest.mark.parametrize("kind", [*KINDS])
def test_each_kind_gives_the_numbers_of_a_frame(kind: str) -> None:
    assert_same(rm.evaluate(KINDS[kind], QRELS, RATED).collect(), EXPECTED)


@pytest.mark.parametrize("kind", [*KINDS])
def test_each_kind_may_be_that_of_a_system(kind: str) -> None:
    scored = KINDS[kind] is not LISTS and kind not in ("users and arrays", "arrays")
    if scored:
        with refusal(rm.ColumnError, "give all systems the same columns"):
            rm.evaluate({"als": KINDS[kind], "pop": LISTS}, TRUTH, METRICS)
    other = KINDS[kind] if scored or kind == "arrays" else LISTS
    found = rm.evaluate({"als": KINDS[kind], "pop": other}, TRUTH, RATED).collect()
    assert found["system"].to_list() == ["als", "pop"]
    assert_same(found.filter(system="als").drop("system"), EXPECTED)


def test_the_truth_may_be_a_dict_of_lists_of_sets_or_of_single_items() -> None:
    unrated = TRUTH.drop("rating")
    expected = rm.evaluate(ALS, unrated, METRICS).collect()
    lists = {user: frame["item"].to_list() for (user,), frame in unrated.partition_by("user", as_dict=True).items()}
    for truth in (lists, {user: {*items} for user, items in lists.items()}):
        assert_same(rm.evaluate(LISTS, truth, METRICS).collect(), expected)
    last = {user: items[0] for user, items in lists.items()}
    assert_same(
        rm.evaluate(LISTS, last, METRICS).collect(),
        rm.evaluate(ALS, unrated.unique("user", keep="first", maintain_order=True), METRICS).collect(),
    )


def test_a_user_without_items_has_an_empty_list() -> None:
    for recs in ({**LISTS, 3: []}, {**SCORED, 3: {}}):
        account = rm.evaluate(recs, TRUTH, METRICS).account().collect()
        assert dict(account.select("account", "n").rows())["lists_empty"] == 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"user": [1], "item": [2], "score": [0.5]}, ["values of this one are columns", "pl.DataFrame(columns)"]),
        ({1: {11, 12}}, ["sets of items, which have no order"]),
        ({1: [(11, 0.5, "x")]}, ["not pairs of an item and a number"]),
        ({1: [11], "b": ["x"]}, ["cannot be read as columns"]),
        ((np.array([1, 2]), np.array([[1, 2]])), ["arrays that do not go together", "(2,), (1, 2)"]),
        ((np.array([1]), np.array([[1, 2]]), np.array([[0.5]])), ["arrays that do not go together", "(1, 1)"]),
        (ARRAYS[1], ["(np.arange(len(array)), array) numbers the users from 0", 'schema=["user", "item", ...]']),
        (ARRAYS[1].tolist(), ["dict(enumerate(rows)) numbers the users from 0", 'schema=["user", "item", ...]']),
        (np.array([1]), ["pl.DataFrame(array)."]),
        (MASKED, ["1 value of the recommendations is masked: leave them out, or fill masked items with -1"]),
        ((ARRAYS[0], MASKED), ["1 value of the recommendations is masked"]),
        ({"als": (ARRAYS[0], MASKED)}, ["1 value of the recommendations is masked"]),
        (dict(enumerate(MASKED)), ["1 value of the recommendations is masked"]),
    ],
    ids=lambda value: str(value)[:60],
)
def test_what_does_not_go_together_is_refused(value: Any, said: list[str]) -> None:
    with refusal(rm.InputError, *said):
        rm.evaluate(value, TRUTH, METRICS)
