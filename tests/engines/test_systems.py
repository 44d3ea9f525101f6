"""Several files as several systems: by their names, by a mapping, or as parts of one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.layouts import RECS, TRUTH, evaluate, value
from tests.support.refusals import refusal


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with a file for each of two systems, and the truth beside it."""
    folder = tmp_path / "runs"
    folder.mkdir()
    RECS.write_parquet(folder / "als.parquet")
    RECS.with_columns(score=-pl.col("score")).write_parquet(folder / "knn.parquet")
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    return folder


@pytest.mark.parametrize("given", ["*.parquet", "", ["als.parquet", "knn.parquet"]], ids=["glob", "folder", "list"])
def test_files_that_hold_the_same_lists_are_not_taken_for_one_system(runs: Path, given: Any) -> None:
    recs = [runs / one for one in given] if isinstance(given, list) else f"{runs}/{given}"
    result = rm.evaluate(recs, TRUTH, "rr")
    with refusal(rm.DataError, "Several files hold the same item", "als.parquet", 'files_as="system"', '"parts"'):
        result.collect()


def test_files_may_be_parts_of_one_table(runs: Path, tmp_path: Path) -> None:
    for user in (1, 2):
        RECS.filter(user=user).write_parquet(tmp_path / f"part-{user}.parquet")
    assert value(rm.evaluate(f"{tmp_path}/part-*.parquet", TRUTH, "rr")) == [0.75]
    assert value(rm.evaluate(f"{runs}/*.parquet", TRUTH, "rr", files_as="parts")) == [0.75]


def test_files_of_one_name_are_told_apart_by_their_folders(runs: Path) -> None:
    for system in ("als", "knn"):
        (runs / system).mkdir()
        (runs / f"{system}.parquet").rename(runs / system / "recs.parquet")
    found = rm.evaluate(f"{runs}/*/recs.parquet", TRUTH, "rr", files_as="system").collect()
    assert sorted(found["system"]) == ["als", "knn"]


def test_a_mapping_names_systems(engine: Engine) -> None:
    other = RECS.with_columns(score=-pl.col("score"))
    given = {"als": engine.give(RECS), "knn": engine.give(other)}
    result = rm.evaluate(given, engine.give(TRUTH), "rr", **engine.options)
    assert result.collect().sort("system").select("system", "n_lists").rows() == [("als", 2), ("knn", 2)]


def test_a_mapping_may_hold_files_and_frames(runs: Path) -> None:
    result = rm.evaluate({"als": runs / "als.parquet", "knn": RECS.lazy()}, TRUTH, "rr", files_as="model").collect()
    assert sorted(result["model"]) == ["als", "knn"]


def test_a_mapping_of_columns_is_refused_with_the_cure() -> None:
    with refusal(rm.InputError, "the values of this one are columns", "pl.DataFrame(columns)"):
        rm.evaluate({"user": [1], "item": [2]}, TRUTH, "rr")


def test_a_name_of_a_system_that_no_file_can_hold_is_refused() -> None:
    with refusal(rm.InputError, "holds half of a character", r"'als\ud800'"):
        rm.evaluate({"als\ud800": RECS}, TRUTH, "rr")


def test_systems_with_different_columns_are_refused(engine: Engine) -> None:
    given = {"als": engine.give(RECS), "knn": engine.give(RECS.rename({"score": "rank"}))}
    with refusal(rm.ColumnError, "'als' have the columns", "give all systems the same columns"):
        rm.evaluate(given, TRUTH, "rr", **engine.options)


def test_a_column_of_systems_hides_no_other(runs: Path) -> None:
    with refusal(rm.ColumnError, "have a column 'user' already"):
        rm.evaluate(f"{runs}/*.parquet", TRUTH, "rr", files_as="User")


def test_frames_have_no_files_to_name_systems_by(engine: Engine) -> None:
    with refusal(rm.InputError, "files_as= is for files", "mapping"):
        evaluate(engine, RECS, TRUTH, files_as="system")
