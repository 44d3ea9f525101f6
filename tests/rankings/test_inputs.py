"""The kinds of factors, truth and history that rankings take, and what they refuse."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.refusals import refusal

USERS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
ITEMS = np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 3.0], [0.0, 0.5]])
TRUTH = pl.DataFrame({"user": [0, 1, 2], "item": [1, 2, 0]})
HISTORY = pl.DataFrame({"user": [0, 2], "item": [0, 1]})
EXPECTED = rm.rank_factors(USERS, ITEMS, TRUTH, history=HISTORY).rows().collect()


def table(ids: str, values: np.ndarray[Any, Any]) -> pl.DataFrame:
    return pl.DataFrame({ids: range(len(values)), "embedding": values.tolist()})


def columns(ids: str, values: np.ndarray[Any, Any]) -> pl.DataFrame:
    return pl.DataFrame({ids: range(len(values)), **{f"f{at}": values[:, at] for at in range(values.shape[1])}})


class Exported:
    """An array of another library, which exports DLPack only."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


KINDS: dict[str, Callable[[str, Any], Any]] = {
    "arrays": lambda ids, values: values,
    "arrays in the other order of memory": lambda ids, values: np.asfortranarray(values),
    "whole numbers of 16 bits": lambda ids, values: (values * 2).astype(np.int16) * 0.5,
    "DLPack": lambda ids, values: Exported(values),
    "ids and an array": lambda ids, values: (list(range(len(values))), values),
    "lists": table,
    "lazy lists": lambda ids, values: table(ids, values).lazy(),
    "arrays in a column": lambda ids, values: table(ids, values).cast({"embedding": pl.Array(pl.Float64, 2)}),
    "columns": columns,
    "pandas": lambda ids, values: columns(ids, values).to_pandas(),
    "Arrow": lambda ids, values: table(ids, values).to_arrow(),
    "relation": lambda ids, values: duckdb.from_arrow(table(ids, values).to_arrow()),
    "unusual id": lambda ids, values: table(f"the {ids}", values),
    "shuffled": lambda ids, values: table(ids, values).sample(fraction=1, shuffle=True, seed=1),
}


def test_factors_of_every_kind_give_the_same_ranks(tmp_path: Path) -> None:
    for kind, make in KINDS.items():
        found = rm.rank_factors(make("user", USERS), make("item", ITEMS), TRUTH, history=HISTORY).rows().collect()
        assert found.sort("user", "rank").equals(EXPECTED), kind
    inputs = {"users": table("user", USERS), "items": table("item", ITEMS), "truth": TRUTH, "history": HISTORY}
    for name, frame in inputs.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    users, items, truth, history = (str(tmp_path / f"{name}.parquet") for name in inputs)
    assert rm.rank_factors(users, items, truth, history=history).rows().collect().equals(EXPECTED)


def matrix(frame: pl.DataFrame) -> Any:
    return csr_array((np.ones(len(frame)), (frame["user"], frame["item"])), shape=(3, 4))


@pytest.mark.parametrize(("kind", "ties"), [(csr_array, "item_desc"), (csr_matrix, "item"), (coo_array, "input")])
def test_truth_and_history_may_be_sparse_matrices(kind: Any, ties: Any) -> None:
    truth, history = kind(matrix(TRUTH)), kind(matrix(HISTORY))
    ranked = rm.rank_factors(USERS, ITEMS, truth, history=history, ties=ties)
    same = rm.rank_factors(USERS, ITEMS, TRUTH, history=HISTORY, ties=ties).rows().collect()
    assert ranked.rows().collect().equals(same)
    result = rm.evaluate(ranked, truth, ["rr", "unseen@2"], history=history)
    of_tables = rm.evaluate(ranked, TRUTH, ["rr", "unseen@2"], history=HISTORY)
    assert result.summary().collect().equals(of_tables.summary().collect())


def test_the_ratings_of_a_sparse_truth_are_its_values() -> None:
    truth = csr_array(([5.0, 1.0], ([0, 0], [1, 2])), shape=(3, 4))
    assert rm.rank_factors(USERS, ITEMS, truth).truth.collect().rows() == [(0, 1, 5.0), (0, 2, 1.0)]


def test_32_bit_factors_stay_32_bit_factors() -> None:
    kinds = [(np.float32, np.float32), (np.float32, np.float64), (np.float16, np.float16)]
    found = [
        rm.rank_factors(USERS.astype(a), ITEMS.astype(b), TRUTH).rows().collect().schema["score"] for a, b in kinds
    ]
    assert found == [pl.Float32, pl.Float64, pl.Float32]


def test_ids_may_be_of_any_type(engine: Engine) -> None:
    (expected,) = rm.evaluate(rm.rank_factors(USERS, ITEMS, TRUTH), TRUTH, ["rr", "auc"]).summary().collect().rows()
    for kind in (pl.Int8, pl.UInt64, pl.String, pl.Categorical):
        truth = TRUTH.cast(pl.String).cast(kind)
        users, items = (pl.Series(["0", "1", "2", "3"][: len(values)]) for values in (USERS, ITEMS))
        ids = [one if kind in (pl.String, pl.Categorical) else one.cast(kind) for one in (users, items)]
        ranked = rm.rank_factors((ids[0], USERS), (ids[1], ITEMS), truth)
        assert engine.read(rm.evaluate(ranked, engine.give(truth), ["rr", "auc"]).summary()).rows() == [expected], kind


def test_rows_without_factors_are_counted_and_their_items_are_never_found() -> None:
    more = pl.DataFrame({"user": [9, 0, None], "item": [1, 77, 1]})
    truth = pl.concat([TRUTH, TRUTH.head(1), more])  # a repeated pair counts once
    ranked = rm.rank_factors(USERS, ITEMS, truth)
    assert ranked.counts["relevant_pairs"] == 3
    left_out = {name: n for name, n in ranked.counts.items() if n and name.startswith("truth")}
    assert left_out == {
        "truth_rows_with_null_id": 1,
        "truth_rows_of_unknown_users": 1,
        "truth_rows_of_unknown_items": 1,
    }
    assert "truth rows of unknown items: 1" in repr(ranked)
    recalls = rm.evaluate(ranked, truth, "recall@4").per_list().collect().sort("user")["recall@4"]
    assert recalls.to_list() == [0.5, 1, 1, 0]


def test_an_item_of_truth_and_history_is_refused_or_never_found() -> None:
    history = pl.concat([HISTORY, TRUTH.head(1)])
    with refusal(rm.DataError, "1 pair of user and item is in both the truth and the history", 'overlap="ignore"'):
        rm.rank_factors(USERS, ITEMS, TRUTH, history=history)
    ranked = rm.rank_factors(USERS, ITEMS, TRUTH, history=history, overlap="ignore")
    assert ranked.counts["relevant_pairs_in_history"] == 1
    assert rm.evaluate(ranked, TRUTH, "hit@4").per_list().collect().sort("user")["hit@4"].to_list() == [0, 1, 1]


NAN, INFINITE = USERS.copy(), ITEMS.copy()
NAN[1, 0], INFINITE[2, 1] = np.nan, np.inf

# What is refused, by the error and a part of its message: the arguments that are wrong.
REFUSED: dict[type[rm.RankMetricsError], dict[str, dict[str, Any]]] = {
    rm.DataError: {
        "2 dimensions and the item factors 3": {"item_factors": np.ones((4, 3))},
        "1 row of the user factors holds NaN or an infinite number, such as 1": {"user_factors": NAN},
        "1 row of the item factors holds NaN or an infinite": {"item_factors": INFINITE},
        "beyond what float32 holds": {
            "user_factors": np.full((3, 2), 1e38, np.float32),
            "item_factors": np.full((4, 2), 1e3, np.float32),
        },
        "NULL id": {"user_factors": ([0, None, 1], USERS)},
        "repeats an id of column 'item', such as 1": {"item_factors": ([0, 1, 1, 2], ITEMS)},
        "2 ids and 4 rows": {"item_factors": ([0, 1], ITEMS)},
        "holds NULL, such as 0": {"user_factors": pl.DataFrame({"user": [0], "embedding": [[1.0, None]]})},
        "holds NULL, such as 1": {"user_factors": pl.DataFrame({"user": [0, 1], "embedding": [[1.0, 2.0], None]})},
        "such as 1 with 1": {"user_factors": pl.DataFrame({"user": [0, 1], "embedding": [[1.0, 2.0], [1.0]]})},
        "holds NULL, such as 5": {
            "user_factors": pl.DataFrame({"user": [5], "a": [None], "b": [1.0]}, schema_overrides={"a": pl.Float64})
        },
        "No row of the truth has a user and an item with factors": {"truth": pl.DataFrame({"user": [77], "item": [1]})},
        "shape (2, 4), and there are 3 users and 4 items": {"truth": csr_array((2, 4))},
        "3 item biases and 4 rows of item factors": {"item_biases": np.ones(3)},
        "3 ids of the item factors have no row": {"item_biases": pl.DataFrame({"item": [0], "bias": [1.0]})},
        "1 row of the item biases holds NaN": {"item_biases": np.array([1, 2, np.nan, 4])},
    },
    rm.InputError: {
        "an array of 1 dimensions, (3,)": {"user_factors": np.ones(3)},
        "not real numbers": {"user_factors": np.array([["a", "b"]])},
        "The user factors are empty": {"user_factors": np.ones((0, 2))},
        "Give user factors and item factors, or neither": {"item_factors": None},
        "'expect' is not. Did you mean 'expected'?": {"ties": "expect"},
        "lists that end at k need an order of equal scores": {"ties": "expected", "k": 2},
        "k must be a whole number from 1: 0 is not": {"k": 0},
        "threads must be a whole number from 1": {"threads": 1.5},
        "kind of the user factors": {"user_factors": 7},
    },
    rm.ColumnError: {
        "a column of numbers": {"user_factors": pl.DataFrame({"user": [0], "name": ["a"]})},
        "Which column of the user factors holds the id of the user": {
            "user_factors": pl.DataFrame({"a": [0.5], "b": [1.0]})
        },
        "no id equals another": {"truth": pl.DataFrame({"user": ["0"], "item": [1]})},
    },
}


@pytest.mark.parametrize(("error", "message"), [(error, message) for error, of in REFUSED.items() for message in of])
def test_inputs_without_ranks_are_refused(error: type[rm.RankMetricsError], message: str) -> None:
    with refusal(error, message):
        rm.rank_factors(**{"user_factors": USERS, "item_factors": ITEMS, "truth": TRUTH, **REFUSED[error][message]})


def test_scores_of_every_kind_give_the_same_ranks() -> None:
    scores = USERS @ ITEMS.T
    kinds = [scores, csr_array(scores), lambda users: scores[users], pd.DataFrame(scores).to_numpy(np.float64)]
    kinds += [scores.tolist(), lambda users: scores[users].tolist(), lambda users: pl.DataFrame(scores[users])]
    for kind in kinds:
        ranked = rm.rank_scores(kind, range(3), range(4), TRUTH, history=HISTORY, ties="item")
        assert ranked.rows().collect().equals(EXPECTED)


def test_a_function_is_called_for_blocks_of_users() -> None:
    users, called = [f"u{at}" for at in range(200)], []

    def scores(ids: Any) -> Any:
        called.append(len(ids))
        return np.ones((len(ids), 2), np.float32)

    truth = pl.DataFrame({"user": users, "item": [1] * 200})
    rm.rank_scores(scores, users, [0, 1], truth, block_rows=64).rows().collect()
    assert called == [64, 64, 64, 8]


@pytest.mark.parametrize(
    ("error", "scores", "message"),
    [
        (rm.DataError, lambda users: np.ones((len(users), 3)), "array of shape (3, 3)"),
        (
            rm.DataError,
            lambda users: np.full((len(users), 4), np.nan),
            "Some scores are NaN or infinite, such as those of the users",
        ),
        (rm.DataError, np.ones((2, 4)), "shape (2, 4), and there are 3 users and 4 items"),
        (rm.InputError, lambda _: [[1.0], [2.0, 3.0]], "The scores are not an array"),
        (rm.InputError, lambda _: None, "an array of 0 dimensions"),
        (rm.InputError, np.ma.masked_less(np.ones((3, 4)), 2), "12 values of the scores are masked"),
    ],
)
def test_scores_that_give_no_ranks_are_refused(error: type[rm.RankMetricsError], scores: Any, message: str) -> None:
    with refusal(error, message):
        rm.rank_scores(scores, range(3), range(4), TRUTH).rows().collect()


def test_a_missing_module_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with refusal(rm.InputError, "needs numba, which is not installed", "rankmetrics-sql[factors]"):
        rm.rank_factors(USERS, ITEMS, TRUTH)


def test_the_first_items_can_be_written(tmp_path: Path) -> None:
    ranked = rm.rank_factors(USERS, ITEMS, TRUTH)
    ranked.write(tmp_path / "top.parquet", top=2)
    assert pl.read_parquet(tmp_path / "top.parquet").equals(ranked.top(2).collect())
    with refusal(rm.InputError, "Cannot write"):
        ranked.write(tmp_path / "no folder" / "top.parquet")


def test_no_list_is_longer_than_where_it_ends() -> None:
    with refusal(rm.InputError, "The lists end after 2 items"):
        rm.rank_factors(USERS, ITEMS, TRUTH, k=2).top(3)
    with refusal(rm.InputError, "a whole number from 1"):
        rm.rank_factors(USERS, ITEMS, TRUTH).top(0)
