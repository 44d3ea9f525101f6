"""What an input may be: columns of one name, and objects that are not tables, are refused with the cure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import DATABASES, Engine, each_engine, need, summarized
from tests.support.input_rules import RECS, TRUTH, _written
from tests.support.refusals import refusal

# --- columns of one name ----------------------------------------------------------------------------------------------

DOUBLED: dict[str, Callable[[list[str], Path], Any]] = {
    "Arrow": lambda names, path: _table(names),
    "Arrow batch": lambda names, path: _table(names).to_batches()[0],
    "pandas": lambda names, path: pd.DataFrame([[1, 2, 3, 0.5]], columns=names),
    "Parquet": lambda names, path: pq.write_table(_table(names), path / "x.parquet") or path / "x.parquet",
    "CSV": lambda names, path: _written(path / "x.csv", ",".join(names) + "\n1,2,3,0.5\n"),
    "JSON": lambda names, path: _written(
        path / "x.json", "[{" + ", ".join(f'"{name}": {n}' for n, name in enumerate(names)) + "}]"
    ),
    "DuckDB": lambda names, path: duckdb.connect().sql(
        "SELECT " + ", ".join(f'{n} AS "{name}"' for n, name in enumerate(names))
    ),
    "SELECT": lambda names, path: "SELECT " + ", ".join(f'{n} AS "{name}"' for n, name in enumerate(names)),
}


def _table(names: list[str]) -> pa.Table:
    return pa.table([[1], [2], [3], [0.5]], names=names)


@pytest.mark.parametrize("kind", DOUBLED)
@pytest.mark.parametrize("way", ["as recommendations", "as truth of Polars", "as truth of DuckDB"])
def test_two_columns_of_one_name_are_refused_by_name(kind: str, way: str, tmp_path: Path) -> None:
    for second, words in (("item", "2 columns called 'item'"), ("Item", "differ in case only: 'item' and 'Item'")):
        if kind == "SELECT" and second == "Item":
            continue  # SELECT tells these apart no better than DuckDB does
        given = DOUBLED[kind](["user", "item", second, "score"], tmp_path)
        with refusal(rm.ColumnError, words, "Rename or drop"):
            if way == "as recommendations":
                rm.evaluate(given, TRUTH, "rr")
            else:
                rm.evaluate(RECS.lazy() if "Polars" in way else RECS.to_arrow(), given, "rr")


def test_columns_whose_names_differ_in_case_are_refused_in_frames_and_databases(engine: Engine) -> None:
    recs = RECS.with_columns(User=pl.col("user"))
    with refusal(rm.ColumnError, "recommendations", "'user' and 'User'"):
        rm.evaluate(recs.lazy(), TRUTH, "rr")
    for database in (one for one in DATABASES if one.name in ("postgres", "clickhouse", "datafusion")):
        need(database)
        with refusal(rm.ColumnError, "recommendations", "'user' and 'User'"):
            flat.evaluate(database.give(recs), database.give(TRUTH), "rr", **database.options)


@each_engine
def test_uuids_of_arrow_are_texts(engine: Engine) -> None:
    ids = [UUID(int=one) for one in (1, 2)]
    stored = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([one.bytes for one in ids], pa.binary(16)))
    truth = pa.table({"user": [1, 1], "item": stored})
    recs = pl.DataFrame({"user": [1, 1], "item": [str(one) for one in ids], "score": [0.9, 0.5]})
    assert summarized(rm.evaluate(engine.give(recs), truth, "recall@2"))["recall@2"].item() == 1


# --- what is not a table ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "cure"),
    [
        ({"user": [1], "item": [2], "score": [0.5]}, "pl.DataFrame(columns)"),
        ([{"user": 1, "item": 2}], "pl.DataFrame(rows)"),
        ([(1, 2, 0.5)], "dict(enumerate(rows)) numbers the users from 0"),
        (np.array([[1, 2, 0.5]]), 'pl.DataFrame(rows, orient="row", schema='),
    ],
)
def test_what_is_no_table_yet_is_refused_with_what_makes_a_frame_of_it(value: Any, cure: str) -> None:
    for recs, truth in ((value, TRUTH), (RECS.lazy(), value), (RECS.to_arrow(), value)):
        with refusal(rm.InputError, cure):
            rm.evaluate(recs, truth, "rr")


@pytest.mark.parametrize("side", ["recs", "truth"])
def test_the_index_of_pandas_gives_columns(side: str) -> None:
    expected = summarized(rm.evaluate(RECS, TRUTH, "rr"))
    frame = (RECS if side == "recs" else TRUTH).to_pandas()
    for index in (["user"], ["user", "day"]):
        for drop in (True, False):
            indexed = frame.set_index(index, drop=drop)
            for given in (RECS, RECS.to_arrow()):
                found = rm.evaluate(indexed, TRUTH, "rr") if side == "recs" else rm.evaluate(given, indexed, "rr")
                assert summarized(found).rows() == expected.rows()


def test_an_index_of_pandas_without_a_name_numbers_the_rows_or_is_refused() -> None:
    plain = RECS.to_pandas().query("item < 3")  # its index has gaps, and no name
    assert summarized(rm.evaluate(plain, TRUTH, "rr")).height == 1
    of_text = RECS.to_pandas().set_index(pd.Index(["a", "b", "c", "d"]))
    of_two = RECS.to_pandas().set_index(["user", "day"]).rename_axis(["user", None])
    for frame, cure in ((of_text, "The index of the recommendations has no name"), (of_two, "A level of the index")):
        with refusal(rm.InputError, cure, "rename_axis"):
            rm.evaluate(frame, TRUTH, "rr")
    twice = RECS.to_pandas().set_index(["user", "day"]).assign(day=1)
    with refusal(rm.InputError, "index", "both have 'day'", "drop=True"):
        rm.evaluate(twice, TRUTH, "rr")


def test_headings_of_several_levels_are_refused() -> None:
    frame = RECS.to_pandas()
    frame.columns = pd.MultiIndex.from_tuples([("a", one) for one in frame.columns])
    with refusal(rm.InputError, "several levels"):
        rm.evaluate(frame, TRUTH, "rr")


def test_lists_of_lists_are_refused_with_the_cure(engine: Engine) -> None:
    lists = pl.DataFrame({"user": [1], "item": [[[1, 2], [3]]]})
    with refusal(rm.ColumnError, "The item is nested", "explode"):
        rm.evaluate(engine.give(lists), engine.give(lists), "rr")


def test_lists_beside_a_column_of_items_are_no_lists_of_items(engine: Engine) -> None:
    lists = pl.DataFrame({"user": [1], "item": [7], "score": [0.5], "tags": [["a", "b"]]})
    with refusal(rm.ColumnError, "'tags'", "would identify a list", "lists="):
        rm.evaluate(engine.give(lists), engine.give(pl.DataFrame({"user": [1], "item": [7]})), "rr")


def test_the_columns_of_an_input_may_be_a_mapping_from_role_to_column() -> None:
    recs, truth = RECS.rename({"item": "sku"}), TRUTH.rename({"item": "bought"})
    named = rm.Input(recs, columns={"item": "sku"}), rm.Input(truth, columns={"item": "bought"})
    assert summarized(rm.evaluate(*named, "rr")).rows() == summarized(rm.evaluate(RECS, TRUTH, "rr")).rows()
    with refusal(rm.ColumnError, "'itm' is not the role of a column", "Did you mean 'item'?"):
        rm.Input(RECS, columns={"itm": "sku"})


def test_an_option_that_belongs_to_another_input_is_refused() -> None:
    with refusal(rm.InputError, "'until' is not an option of 'truth', but of 'history'"):
        rm.evaluate(RECS, rm.Input(TRUTH, until="day"), "rr")
    with refusal(rm.InputError, 'leave out lists=["user"]'):
        rm.evaluate(rm.Input(RECS, lists="user"), TRUTH, "rr", lists=["user"])
    with pytest.raises(TypeError, match=r"Did you mean rm.Input\(truth, lists="):
        rm.evaluate(RECS, TRUTH, "rr", truth_lists=["user"])  # type: ignore[call-arg]


def test_a_metric_that_is_not_defined_by_text_is_refused() -> None:
    for wrong in (lambda hits: hits, 3, None):
        with refusal(rm.MetricError, "text of SQL", "rm.define("):
            rm.define(wrong)  # type: ignore[arg-type]
