"""Inputs that cannot be read: files, folders, globs, tables and connections are refused in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.engines.files import files
from tests.support.refusals import RECS, TRUTH, Asking, refusal

# How an input comes in: as recommendations or as truth, on every engine.
WAYS: dict[str, Callable[..., rm.Result]] = {
    "recs": lambda value, **asked: rm.evaluate(value, TRUTH, "hit@1", **asked),
    "truth-of-duckdb": lambda value, **asked: rm.evaluate(RECS.to_arrow(), value, "hit@1", **asked),
    "truth-of-polars": lambda value, **asked: rm.evaluate(RECS.lazy(), value, "hit@1", **asked),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files that are sound, empty, of another kind than their names say, and of no kind."""
    for name in ("nothing.parquet", "nothing.csv", "nothing.ndjson"):
        (tmp_path / name).touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.parquet").write_text("user,item\n1,2\n", encoding="utf-8")
    (tmp_path / "recs.dat").write_text("1 2 3", encoding="utf-8")
    RECS.write_parquet(tmp_path / "recs_2026.parquet")
    RECS.write_csv(tmp_path / "recs.csv")
    return tmp_path


def inside(name: str, folder: Path) -> Path:
    return folder / name


def itself(value: Any, _: Path) -> Any:
    return value


# What is given, from the folder, and the words of the refusal.
REFUSED: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    **{
        f"a file without a byte: {name}": (partial(inside, name), (name, "is empty"))
        for name in ("nothing.parquet", "nothing.csv", "nothing.ndjson")
    },
    "that file as text": (lambda folder: str(folder / "nothing.csv"), ("nothing.csv", "is empty")),
    "a file that is not what its name says": (lambda folder: folder / "text.parquet", ("cannot be read",)),
    "a missing file": (
        lambda folder: folder / "recs_2025.parquet",
        ("no file ", "recs_2025.parquet'", "Did you mean 'recs_2026.parquet'"),
    ),
    "a missing folder": (lambda folder: folder / "nowhere" / "recs.parquet", ("no file", "nowhere")),
    "one missing file of several": (
        lambda folder: [folder / "recs_2026.parquet", folder / "b.parquet"],
        ("no file ", "b.parquet'"),
    ),
    "a glob that finds nothing": (lambda folder: f"{folder}/empty/*.parquet", ("cannot be read", "empty")),
    "an empty folder": (lambda folder: f"{folder}/empty/", ("cannot be read", "empty")),
    "a path without a known ending": (
        lambda folder: folder / "recs.dat",
        ("Cannot tell what", "recs.dat", ".parquet", ".csv", ".ndjson"),
    ),
    "files of two kinds": (
        lambda folder: [folder / "recs_2026.parquet", folder / "recs.csv"],
        ("Cannot tell what", "recs_2026.parquet", "recs.csv"),
    ),
    "a text that is neither file nor table": (
        lambda _: "recommendations",
        ("'recommendations' is neither a file", "connection="),
    ),
    "a frame without columns": (lambda _: pl.DataFrame(), ("column",)),
    **{
        f"an object that no engine knows: {value!r}": (
            partial(itself, value),
            (f"builtins.{type(value).__name__}", "a Polars frame", "a path", "connection="),
        )
        for value in (10, [], [1, 2], [{"user": 1}])
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_be_read_is_refused(folder: Path, way: str) -> None:
    for case, (given, words) in REFUSED.items():
        with refusal(rm.InputError, *words, case=case):
            WAYS[way](given(folder))


@pytest.mark.parametrize("way", WAYS)
def test_a_table_that_the_connection_has_not_and_a_closed_connection_are_refused(way: str) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE clicks_2026 (user INTEGER, item INTEGER, rank INTEGER)")
    with refusal(rm.InputError, "clicks_2025", "clicks_2026"):
        WAYS[way]("clicks_2025", connection=connection)
    connection.close()
    with refusal(rm.InputError, "closed"):
        WAYS[way]("clicks", connection=connection)


def test_an_empty_text_is_no_folder() -> None:
    assert files("") is None  # evaluate must not be asked: it would look for Parquet files from the root on


def test_a_connection_that_is_none_and_a_text_that_is_no_address_are_refused(ask: Asking) -> None:
    with refusal(
        rm.InputError, "connection= must be a connection", "rankmetrics does not know builtins.int", 'dialect="'
    ):
        ask(connection=10)
    for text in ("shop.duckdb", "", "the shop"):
        with refusal(rm.InputError, f'connection="{text}"', "postgresql://", "sqlite:///", case=text):
            ask(connection=text)
