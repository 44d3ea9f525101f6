"""Inputs that cannot be read: files, folders, globs, tables and connections are refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.engines.files import files
from tests.support.refusals import RECS, TRUTH, Asking, refusal

WAYS: dict[str, Callable[..., rm.Result]] = {
    "recs": lambda value, **asked: rm.evaluate(value, TRUTH, "hit@1", **asked),
    "truth-of-duckdb": lambda value, **asked: rm.evaluate(RECS.to_arrow(), value, "hit@1", **asked),
    "truth-of-polars": lambda value, **asked: rm.evaluate(RECS.lazy(), value, "hit@1", **asked),
}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest) -> Callable[..., rm.Result]:
    """How an input comes in: as recommendations or as truth, on every engine."""
    return WAYS[request.param]


@pytest.mark.parametrize("name", ["nothing.parquet", "nothing.csv", "nothing.ndjson"])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_without_a_byte_is_refused(
    tmp_path: Path, way: Callable[..., rm.Result], name: str, kind: Callable[[Path], object]
) -> None:
    (tmp_path / name).touch()
    with refusal(rm.InputError, str(tmp_path / name), "is empty"):
        way(kind(tmp_path / name))


def test_a_file_that_is_not_what_its_name_says_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    path = tmp_path / "text.parquet"
    path.write_text("user,item\n1,2\n", encoding="utf-8")
    with refusal(rm.InputError, "cannot be read"):
        way(path)


def test_a_missing_file_is_refused_with_the_near_names(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    RECS.write_parquet(tmp_path / "recs_2026.parquet")
    with refusal(rm.InputError, f"no file {str(tmp_path / 'recs_2025.parquet')!r}", "Did you mean 'recs_2026.parquet'"):
        way(tmp_path / "recs_2025.parquet")


def test_a_missing_folder_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    with refusal(rm.InputError, "no file", "nowhere"):
        way(tmp_path / "nowhere" / "recs.parquet")


def test_one_missing_file_of_several_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    RECS.write_parquet(tmp_path / "a.parquet")
    with refusal(rm.InputError, f"no file {str(tmp_path / 'b.parquet')!r}"):
        way([tmp_path / "a.parquet", tmp_path / "b.parquet"])


@pytest.mark.parametrize("pattern", ["*.parquet", ""])
def test_a_glob_or_folder_that_finds_nothing_is_refused(
    tmp_path: Path, way: Callable[..., rm.Result], pattern: str
) -> None:
    with refusal(rm.InputError, "cannot be read", str(tmp_path)):
        way(f"{tmp_path}/{pattern}")


def test_a_path_without_a_known_ending_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    path = tmp_path / "recs.dat"
    path.write_text("1 2 3", encoding="utf-8")
    with refusal(rm.InputError, "Cannot tell what", str(path), ".parquet", ".csv", ".ndjson"):
        way(path)


def test_files_of_two_kinds_are_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    RECS.write_parquet(tmp_path / "a.parquet")
    RECS.write_csv(tmp_path / "b.csv")
    with refusal(rm.InputError, "Cannot tell what", "a.parquet", "b.csv"):
        way([tmp_path / "a.parquet", tmp_path / "b.csv"])


def test_an_empty_text_is_no_folder() -> None:
    assert files("") is None  # evaluate must not be asked: it would look for Parquet files from the root on


def test_a_text_that_is_neither_file_nor_table_is_refused(way: Callable[..., rm.Result]) -> None:
    with refusal(rm.InputError, "'recommendations' is neither a file", "connection="):
        way("recommendations")


def test_a_table_that_the_connection_has_not_is_refused(way: Callable[..., rm.Result]) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE clicks_2026 (user INTEGER, item INTEGER, rank INTEGER)")
    with refusal(rm.InputError, "clicks_2025", "clicks_2026"):
        way("clicks_2025", connection=connection)


def test_a_closed_connection_is_refused(way: Callable[..., rm.Result]) -> None:
    connection = duckdb.connect()
    connection.close()
    with refusal(rm.InputError, "closed"):
        way("clicks", connection=connection)


@pytest.mark.parametrize("value", [10, None, [], [1, 2], [{"user": 1}]], ids=repr)
def test_a_kind_of_object_that_no_engine_knows_is_refused(way: Callable[..., rm.Result], value: object) -> None:
    with refusal(rm.InputError, f"builtins.{type(value).__name__}", "a Polars frame", "a path", "connection="):
        way(value)


def test_a_connection_that_is_none_is_refused(ask: Asking) -> None:
    with refusal(
        rm.InputError, "connection= must be a connection", "rankmetrics does not know builtins.int", 'dialect="'
    ):
        ask(connection=10)


@pytest.mark.parametrize("connection", ["shop.duckdb", "", "the shop"])
def test_a_text_that_is_no_address_of_a_database_is_refused(ask: Asking, connection: str) -> None:
    with refusal(rm.InputError, f'connection="{connection}"', "postgresql://", "sqlite:///"):
        ask(connection=connection)


def test_a_frame_without_columns_is_refused(way: Callable[..., rm.Result]) -> None:
    with refusal(rm.InputError, "column"):
        way(pl.DataFrame())
