"""Every kind of input in Python gives the same numbers."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import dask
import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.engines import Engine, means, summarized
from tests.support.kinds import (
    ACCOUNT,
    EXPECTED,
    HANDFUL,
    HOLED_RECS,
    HOLED_TRUTH,
    KINDS,
    METRICS,
    RECS,
    SUMMARY,
    TRUTH,
    Desk,
    Kind,
    Stream,
    _in_dask,
    assert_same,
)
from tests.support.refusals import refusal
from tests.support.shapes import METRICS as PYTHON_METRICS
from tests.support.shapes import RATED
from tests.support.shapes import RECS as PYTHON_RECS
from tests.support.shapes import TRUTH as PYTHON_TRUTH

# --- Every kind of input gives the summary that the Polars frame of the same data gives -------------------------------


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_input_gives_the_same_numbers_in_the_kind_of_the_recs(desk: Desk, kind: Kind) -> None:
    recs = kind(desk, "recs", RECS)
    result = rm.evaluate(recs, kind(desk, "truth", TRUTH), METRICS)
    lazy = pl.LazyFrame if isinstance(recs, (pl.LazyFrame, pl.DataFrame)) else duckdb.DuckDBPyRelation
    assert isinstance(result.summary(), lazy)
    assert_same(result)
    assert_same(rm.evaluate(RECS.lazy(), kind(desk, "truth", TRUTH), METRICS))
    if kind in [KINDS[name] for name in HANDFUL]:  # the engines and ways of reading; the other kinds share these
        assert isinstance(result.per_list(), lazy)
        assert isinstance(result.account(), lazy)
        assert_frame_equal(means(result), SUMMARY)
        assert result.notes() == EXPECTED.notes()


@pytest.mark.parametrize(
    ("kind", "wrap"), [("numpy_nullable", lambda frame: frame), ("pyarrow", _in_dask)], ids=["pandas", "Dask"]
)
def test_missing_ids_of_pandas_and_dask_are_counted(engine: Engine, kind: Any, wrap: Any) -> None:
    recs, truth = (wrap(one.to_pandas().convert_dtypes(dtype_backend=kind)) for one in (HOLED_RECS, HOLED_TRUTH))
    result = rm.evaluate(HOLED_RECS.lazy() if engine.name == "polars" else recs, truth, METRICS)
    assert_same(result)
    assert_frame_equal(engine.read(result.account()), ACCOUNT)


# --- Categorical and enum columns are texts: for ties, for lists, and beside plain texts ------------------------------


FRUIT = pl.Enum(["pear", "fig", "apple"])  # neither in the order of the alphabet nor in that of the truth's categories
NAMED = pl.DataFrame(
    {"user": ["bo", "bo", "bo", "al", "al"], "item": ["pear", "apple", "fig", "fig", "pear"], "score": [0.5] * 5}
)
NAMED_TRUTH = pl.DataFrame({"user": ["al", "bo", "cy"], "item": ["fig", "apple", "fig"]})
BY_USER = rm.evaluate(NAMED, NAMED_TRUTH, METRICS[1:], by="user").summary().collect()


def _as_enum(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.cast({"item": FRUIT, "user": pl.Enum(["cy", "bo", "al"])})


def _as_categorical(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.cast({"item": pl.Categorical, "user": pl.Categorical})


CATEGORICAL: dict[str, Kind] = {
    "Polars Enum": lambda desk, name, frame: _as_enum(frame).lazy(),
    "Polars Categorical": lambda desk, name, frame: _as_categorical(frame).lazy(),
    "pandas category": lambda desk, name, frame: _as_enum(frame).to_pandas(),
    "Arrow dictionary": lambda desk, name, frame: _as_enum(frame).to_arrow(),
    "Arrow stream": lambda desk, name, frame: Stream(_as_categorical(frame).to_arrow()),
    "DuckDB relation": lambda desk, name, frame: desk.connection.from_df(_as_enum(frame).to_pandas()),
    "DuckDB table": lambda desk, name, frame: desk.relation(name, _as_enum(frame)),
    "Parquet file": lambda desk, name, frame: desk.path(name, _as_enum(frame)),
}


@pytest.mark.parametrize("kind", CATEGORICAL.values(), ids=CATEGORICAL)
def test_categorical_columns_are_ordered_as_texts_and_meet_strings_and_each_other(desk: Desk, kind: Kind) -> None:
    truth = NAMED_TRUTH.filter(pl.col("user") != "cy")
    orders: dict[Any, float] = {"item": 1, "item_desc": (1 / 2 + 1 / 3) / 2}
    for ties, rr in orders.items():
        result = rm.evaluate(kind(desk, "recs", NAMED), truth, "rr", ties=ties)
        assert summarized(result)["rr"].item() == pytest.approx(rr), ties
    for truth in (NAMED_TRUTH, kind(desk, "truth", NAMED_TRUTH), _as_categorical(NAMED_TRUTH)):
        assert_same(rm.evaluate(kind(desk, "recs", NAMED), truth, METRICS[1:], by="user"), BY_USER)


# --- A lazy truth is not computed before the result is read -----------------------------------------------------------


@pytest.mark.parametrize("recs", ["DuckDB relation", "Polars LazyFrame"])
def test_a_lazy_truth_is_not_collected_before_the_result_is_read(desk: Desk, recs: str) -> None:
    calls: list[int] = []

    def count(frame: pl.DataFrame) -> pl.DataFrame:
        calls.append(frame.height)
        return frame

    truth = TRUTH.lazy().map_batches(count, schema=TRUTH.schema)
    result = rm.evaluate(KINDS[recs](desk, "recs", RECS), truth, METRICS)
    lazy = [result.summary(), result.per_list(), result.account()]
    assert result.to_sql()
    assert not calls
    summary = lazy[0]
    assert_frame_equal(summary.collect() if isinstance(summary, pl.LazyFrame) else summary.pl(), SUMMARY)
    assert calls


class Counted:
    """Counts the parts of a Dask frame that are computed."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.parts: list[int] = []
        self.frame = _in_dask(frame).map_partitions(self, meta=frame.to_pandas().iloc[:0])

    def __call__(self, part: Any) -> Any:
        self.parts.append(len(part))
        return part

    def __dask_tokenize__(self) -> str:
        """What Dask tells two steps apart by: what one has computed is not taken for the other's."""
        return uuid4().hex


@pytest.mark.parametrize("recs", ["DuckDB relation", "Polars LazyFrame", "Dask"])
def test_a_dask_frame_is_not_computed_before_the_result_is_read(desk: Desk, recs: str) -> None:
    with dask.config.set(scheduler="synchronous"):
        counted, truth = Counted(RECS), Counted(TRUTH)
        given = counted.frame if recs == "Dask" else KINDS[recs](desk, "recs", RECS)
        result = rm.evaluate(given, truth.frame, METRICS)
        lazy = [result.summary(), result.per_list(), result.account()]
        assert result.to_sql()
        assert sum(truth.parts) == sum(counted.parts) == 0
        assert_frame_equal(lazy[0].collect() if isinstance(lazy[0], pl.LazyFrame) else lazy[0].pl(), SUMMARY)
        assert sum(truth.parts) >= TRUTH.height
        assert max(counted.parts, default=0) < RECS.height  # part by part


def test_a_dask_frame_that_cannot_be_computed_is_refused_as_the_engine_refuses_it(desk: Desk) -> None:
    def fail(part: Any) -> Any:
        if len(part):
            raise ValueError("a part is broken")
        return part

    broken = _in_dask(RECS).map_partitions(fail, meta=RECS.to_pandas().iloc[:0])
    with pytest.raises(rm.EngineError, match="a part is broken"):
        rm.evaluate(broken, TRUTH, METRICS).collect()
    with pytest.raises(rm.EngineError, match="a part is broken"):
        rm.evaluate(RECS.lazy(), broken.drop(columns=["algorithm", "score"]), METRICS[1:]).collect()


@pytest.mark.parametrize("value", [RECS.to_pandas()["score"], _in_dask(RECS)["score"]], ids=["pandas", "Dask"])
def test_a_column_alone_is_no_table(value: Any) -> None:
    with pytest.raises(rm.InputError, match="recommendations"):
        rm.evaluate(value, TRUTH, METRICS)
    with pytest.raises(rm.InputError, match="truth"):
        rm.evaluate(RECS.lazy(), value, METRICS)


# --- Ties can keep the order of the rows, where the input has an order ------------------------------------------------


SHUFFLED = random.Random(7).sample(range(1000), 1000)
TIED = pl.DataFrame({"user": 1, "item": SHUFFLED, "score": 0.5}, strict=False)
POSITIONS = [1, 2, 500, 999, 1000]
ORDERED: dict[str, Kind] = {
    **{name: KINDS[name] for name in (*HANDFUL, "CSV file", "files", "pyarrow Dataset", "Arrow stream", "Dask")},
    "Parquet file of many row groups": lambda desk, name, frame: _in_row_groups(desk, name, frame),
}
del ORDERED["DuckDB relation"]  # its rows have no order


def _in_row_groups(desk: Desk, name: str, frame: pl.DataFrame) -> Path:
    frame.write_parquet(desk.folder / f"{name}.parquet", row_group_size=64)
    return desk.folder / f"{name}.parquet"


@pytest.mark.parametrize("kind", ORDERED.values(), ids=ORDERED)
def test_ties_can_keep_the_order_of_the_rows(desk: Desk, kind: Kind) -> None:
    # the only relevant item of each user is the item at one position of the list
    recs = pl.concat(TIED.with_columns(user=pl.lit(user)) for user in range(len(POSITIONS)))
    truth = pl.DataFrame({"user": range(len(POSITIONS)), "item": [SHUFFLED[position - 1] for position in POSITIONS]})
    recs = recs.cast({"user": pl.Int64})
    for given in (recs, recs.drop("score")):
        result = rm.evaluate(kind(desk, "recs", given), truth, "rr", ties="input", by=["user"])
        assert summarized(result)["rr"].to_list() == [pytest.approx(1 / position) for position in POSITIONS]


def test_files_are_in_the_order_in_which_they_are_named(desk: Desk) -> None:
    first, second = TIED[:500], TIED[500:]
    recs = [desk.path("z", first), desk.path("a", second)]
    truth = pl.DataFrame({"user": [1], "item": [SHUFFLED[0]]})
    assert summarized(rm.evaluate(recs, truth, "rr", ties="input"))["rr"].item() == 1.0


def test_the_order_of_rows_cannot_be_told_to_a_table(tmp_path: Path) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [8, 7], "score": [0.5, 0.5]})
    truth = pl.DataFrame({"user": [1], "item": [8]})
    recs.write_parquet(tmp_path / "recs.parquet")
    of_frames = rm.evaluate(recs, truth, "rr", ties="input")
    of_arrow = rm.evaluate(recs.to_arrow(), truth, "rr", ties="input")
    for result, dialect in ((of_frames, "snowflake"), (of_frames, "polars"), (of_arrow, "duckdb")):
        with pytest.raises(rm.DialectError, match="order of the rows"):
            result.to_sql(dialect)
    of_file = rm.evaluate(tmp_path / "recs.parquet", truth, "rr", ties="input")
    assert "ROW_NUMBER() OVER ()" in of_file.to_sql("duckdb")


# --- Dicts, tuples of arrays, matrices and datasets give what the same items give in a frame --------------------------


ALS = PYTHON_RECS.filter(algorithm="als").drop("algorithm")
PYTHON_BY_USER = {user: frame for (user,), frame in ALS.partition_by("user", as_dict=True).items()}
LISTS = {user: frame["item"].to_list() for user, frame in PYTHON_BY_USER.items()}
SCORED = {user: dict(frame.select("item", "score").rows()) for user, frame in PYTHON_BY_USER.items()}
PAIRS = {user: frame.select("item", "score").rows() for user, frame in PYTHON_BY_USER.items()}
ARRAYS = (
    np.array([1, 2]),
    np.array([[11, 12, 13], [11, 14, -1]]),
    np.array([[0.9, 0.8, 0.1], [0.7, 0.2, -1e30]], dtype=np.float32),
)
MASKED = np.ma.masked_equal(ARRAYS[1], -1)
PYTHON_EXPECTED = summarized(rm.evaluate(ALS, PYTHON_TRUTH, RATED))


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


PYTHON_KINDS: dict[str, Any] = {
    "users and their items": LISTS,
    "users and their scored items": SCORED,
    "users and pairs": PAIRS,
    "users and arrays": {user: np.array(items) for user, items in LISTS.items()},
    "arrays": ARRAYS[:2],
    "arrays with scores": ARRAYS,
    "arrays with a row per item": tuple(ALS[name].to_numpy() for name in ("user", "item", "score")),
    "a sparse matrix": Sparse(),
    "a dataset": Dataset(ALS.to_arrow()),
}


def assert_near(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    assert_frame_equal(found, expected, check_dtypes=False, rel_tol=1e-7)


@pytest.mark.parametrize("kind", [*PYTHON_KINDS])
def test_each_kind_may_be_that_of_a_system(kind: str) -> None:
    scored = PYTHON_KINDS[kind] is not LISTS and kind not in ("users and arrays", "arrays")
    if scored:
        with refusal(rm.ColumnError, "give all systems the same columns"):
            rm.evaluate({"als": PYTHON_KINDS[kind], "pop": LISTS}, PYTHON_TRUTH, PYTHON_METRICS)
    other = PYTHON_KINDS[kind] if scored or kind == "arrays" else LISTS
    found = summarized(rm.evaluate({"als": PYTHON_KINDS[kind], "pop": other}, PYTHON_TRUTH, RATED))
    assert found["system"].to_list() == ["als", "pop"]
    assert_near(found.filter(system="als").drop("system"), PYTHON_EXPECTED)


def test_the_truth_may_be_a_dict_of_lists_of_sets_or_of_single_items() -> None:
    unrated = PYTHON_TRUTH.drop("rating")
    expected = summarized(rm.evaluate(ALS, unrated, PYTHON_METRICS))
    lists = {user: frame["item"].to_list() for (user,), frame in unrated.partition_by("user", as_dict=True).items()}
    for truth in (lists, {user: {*items} for user, items in lists.items()}):
        assert_near(summarized(rm.evaluate(LISTS, truth, PYTHON_METRICS)), expected)
    last = {user: items[0] for user, items in lists.items()}
    assert_near(
        summarized(rm.evaluate(LISTS, last, PYTHON_METRICS)),
        summarized(rm.evaluate(ALS, unrated.unique("user", keep="first", maintain_order=True), PYTHON_METRICS)),
    )


def test_a_user_without_items_has_an_empty_list() -> None:
    for recs in ({**LISTS, 3: []}, {**SCORED, 3: {}}):
        account = rm.evaluate(recs, PYTHON_TRUTH, PYTHON_METRICS).account().collect()
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
        rm.evaluate(value, PYTHON_TRUTH, PYTHON_METRICS)
