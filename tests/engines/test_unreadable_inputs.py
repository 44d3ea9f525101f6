"""Inputs that cannot be read and outputs that cannot be written: files, folders, globs, tables, connections; Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.engines.files import files
from tests.support import flat
from tests.support.commands import printed, said
from tests.support.engines import Engine, summarized
from tests.support.input_rules import RECS as PATH_RECS
from tests.support.input_rules import TRUTH as PATH_TRUTH
from tests.support.refusals import RECS, TRUTH, Asking, refusal

# How an input comes in: as recommendations or as truth, on every engine.
WAYS: dict[str, Callable[..., rm.Result]] = {
    "recs": lambda value, **asked: flat.evaluate(value, TRUTH, "hit@1", **asked),
    "truth-of-duckdb": lambda value, **asked: flat.evaluate(RECS.to_arrow(), value, "hit@1", **asked),
    "truth-of-polars": lambda value, **asked: flat.evaluate(RECS.lazy(), value, "hit@1", **asked),
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with files that are sound, empty, of another kind than their names say, and of no kind."""
    for name in ("nothing.parquet", "nothing.csv", "nothing.ndjson"):
        (tmp_path / name).touch()
    (tmp_path / "header.csv").write_text("user,item,rank\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.parquet").write_text("user,item\n1,2\n", encoding="utf-8")
    (tmp_path / "recs.dat").write_text("1 2 3", encoding="utf-8")
    RECS.write_parquet(tmp_path / "recs_2026.parquet")
    RECS.write_csv(tmp_path / "recs.csv")
    return tmp_path


def inside(name: str, sources: Path) -> Path:
    return sources / name


def itself(value: Any, _: Path) -> Any:
    return value


# What is given, from the folder, and the words of the refusal.
REFUSED: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    **{
        f"a file without a byte: {name}": (partial(inside, name), (name, "is empty"))
        for name in ("nothing.parquet", "nothing.csv", "nothing.ndjson")
    },
    "a file with a header only": (
        partial(inside, "header.csv"),
        ("There are no rows of the", "'", "has a header only"),
    ),
    "that file as text": (lambda sources: str(sources / "nothing.csv"), ("nothing.csv", "is empty")),
    "a file that is not what its name says": (lambda sources: sources / "text.parquet", ("cannot be read",)),
    "a missing file": (
        lambda sources: sources / "recs_2025.parquet",
        ("no file ", "recs_2025.parquet'", "Did you mean 'recs_2026.parquet'"),
    ),
    "a missing folder": (lambda sources: sources / "nowhere" / "recs.parquet", ("no file", "nowhere")),
    "one missing file of several": (
        lambda sources: [sources / "recs_2026.parquet", sources / "b.parquet"],
        ("no file ", "b.parquet'"),
    ),
    "a glob that finds nothing": (lambda sources: f"{sources}/empty/*.parquet", ("cannot be read", "empty")),
    "an empty folder": (lambda sources: f"{sources}/empty/", ("cannot be read", "empty")),
    "a path without a known ending": (
        lambda sources: sources / "recs.dat",
        ("Cannot tell what", "recs.dat", ".parquet", ".csv", ".ndjson"),
    ),
    "files of two kinds": (
        lambda sources: [sources / "recs_2026.parquet", sources / "recs.csv"],
        ("have one format", "recs_2026.parquet", "recs.csv"),
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
def test_what_cannot_be_read_is_refused(sources: Path, way: str) -> None:
    for case, (given, words) in REFUSED.items():
        with refusal(rm.InputError, *words, case=case):
            WAYS[way](given(sources))


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


# --- Paths: folders, files that may not be read, outputs that cannot be written, Ctrl-C -------------------------------


def test_a_folder_is_read_without_a_slash(folder: Path) -> None:
    assert summarized(rm.evaluate("recs_folder", "truth_folder", "rr")).height == 1
    assert "n_lists" in printed("evaluate", "recs_folder", "truth_folder", "-m", "rr")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE recs_folder AS SELECT 1 AS day, 1 AS user, 2 AS item, 0.5 AS score")
    result = rm.evaluate("recs_folder", "truth_folder", "rr", connection=connection)  # a table of the name stands first
    assert summarized(result)["rr"].item() == pytest.approx(1 / 3)


@pytest.mark.skipif(os.geteuid() != 0 or not os.path.exists("/usr/bin/setpriv"), reason="nobody else to be")  # noqa: PTH110
def test_a_file_that_may_not_be_read_is_refused(folder: Path) -> None:
    (folder / "recs.parquet").chmod(0)
    code = "import os, rankmetrics as rm\ntry: rm.evaluate('recs.parquet', 'truth.parquet', 'rr')\n"
    code += "except rm.InputError as error: print(error)"
    for parent in [folder, *folder.parents][:4]:
        parent.chmod(0o755)
    done = subprocess.run(
        ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(rm.__file__).parents[1])},
        check=False,
    )
    assert "may not be read" in done.stdout, done.stderr


def test_a_folder_as_the_output_is_refused(folder: Path) -> None:
    (folder / "out.parquet").mkdir()
    with refusal(rm.InputError, "Cannot write", "out.parquet"):
        rm.evaluate("recs.parquet", "truth.parquet", "rr").write("out.parquet")
    assert "Cannot write" in said("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "-o", "out.parquet")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
def test_a_full_disk_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import contextmanager

    from rankmetrics import _files

    @contextmanager
    def full(path: Path) -> Any:
        yield Path("/dev/full")

    monkeypatch.setattr(_files, "whole_file", full)
    result = rm.evaluate(PATH_RECS.to_arrow(), PATH_TRUTH, "rr")
    for ending, per_list in (("csv", False), ("csv", True), ("json", False), ("arrow", True)):
        with pytest.raises((rm.InputError, rm.EngineError), match=r"(?i)cannot write|no space"):
            result.write(f"x.{ending}", per_list=per_list)


def test_ctrl_c_stays_ctrl_c(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(engine.give(PATH_RECS), engine.give(PATH_TRUTH), "rr")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(result._engine, "_collect", stop)
    with pytest.raises(KeyboardInterrupt):
        result.collect()
