"""Paths: folders, files that may not be read, outputs that cannot be written, Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.input_rules import RECS, TRUTH, printed, said
from tests.support.refusals import refusal


def test_a_folder_is_read_without_a_slash(folder: Path) -> None:
    assert rm.evaluate("recs_folder", "truth_folder", "rr").collect().height == 1
    assert "n_lists" in printed("evaluate", "recs_folder", "truth_folder", "-m", "rr")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE recs_folder AS SELECT 1 AS day, 1 AS user, 2 AS item, 0.5 AS score")
    result = rm.evaluate("recs_folder", "truth_folder", "rr", connection=connection)  # a table of the name stands first
    assert result.collect()["rr"].item() == pytest.approx(1 / 3)


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
    result = rm.evaluate(RECS.to_arrow(), TRUTH, "rr")
    for ending, per_list in (("csv", False), ("csv", True), ("json", False), ("arrow", True)):
        with pytest.raises((rm.InputError, rm.EngineError), match=r"(?i)cannot write|no space"):
            result.write(f"x.{ending}", per_list=per_list)


def test_ctrl_c_stays_ctrl_c(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(result._engine, "_collect", stop)
    with pytest.raises(KeyboardInterrupt):
        result.collect()
