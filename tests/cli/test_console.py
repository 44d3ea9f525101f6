"""The command line as a process of its own: in a pipe, on a terminal, and when it is interrupted."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

from rankmetrics.cli.console import with_progress
from tests.support.commands import RECS, TRUTH, printed, table

on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")


# The command line with a bar that comes after so many seconds: a test is about the bar, not about the machine's speed.
BAR_AFTER = """
import sys
from rankmetrics.cli import console
console.BAR_AFTER_SECONDS = float(sys.argv.pop(1))
from rankmetrics.cli.commands import app
"""


# The same command line; the query of the evaluation is replaced by one that takes hours.
ENDLESS = """
from rankmetrics.engines.duckdb import DuckDB
rows, hours = DuckDB.rows, "SELECT SUM(hash(range)) FROM range(1000000000000)"
DuckDB.rows = lambda self, lazy: (print("started", flush=True), rows(self, self.run(hours, [])))[1]
"""


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A million recommendations: enough work that a bar which is shown at once is seen."""
    folder = tmp_path_factory.mktemp("large")
    pairs = "SELECT u AS user, i AS item, hash(u * 1000 + i) % 1000000 / 1e6 AS score"
    recs = f"{pairs} FROM range(20000) a(u), range(50) b(i)"
    truth = "SELECT u AS user, i * 7 % 60 AS item FROM range(20000) a(u), range(10) b(i)"
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({recs}) TO '{folder / 'recs.parquet'}'")
        connection.execute(f"COPY ({truth}) TO '{folder / 'truth.parquet'}'")
    return folder


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, ...]]:
    """Commands that are files, since DuckDB takes `python -c` for a session with somebody before it."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "bar_after.py").write_text(f"{BAR_AFTER}app()\n")
    (folder / "endless.py").write_text(f"{BAR_AFTER}{ENDLESS}app()\n")
    return {path.stem: (sys.executable, str(path)) for path in folder.iterdir()}


def process(*arguments: object, spill: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, its streams in pipes; it must leave nothing behind in the temporary folder."""
    done = subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "TMPDIR": str(spill), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert "leaked" not in done.stderr
    assert list(spill.iterdir()) == []
    return done


def terminal(*arguments: object, command: Sequence[str], interrupt_at: bytes | None = None) -> tuple[int, str]:
    """A command on a terminal 80 columns wide: exit code, and all that it showed."""
    import pty

    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*command, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", "PYTHONIOENCODING": "utf-8"},
    )
    os.close(theirs)
    shown, interrupted, deadline = b"", False, time.monotonic() + 120
    try:
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.1)[0]:
                continue
            try:
                some = os.read(ours, 65_536)
            except OSError:  # how Linux says that nobody is left at the other end
                break
            shown += some
            if interrupt_at is not None and interrupt_at in shown and not interrupted:
                interrupted, deadline = True, time.monotonic() + 20
                time.sleep(0.3)
                child.send_signal(signal.SIGINT)
            if not some:
                break
        return child.wait(timeout=20), shown.decode()
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def test_a_command_in_a_pipe_prints_its_answer_alone_and_leaves_no_folder(
    large: Path, tmp_path: Path, scripts: dict[str, tuple[str, ...]]
) -> None:
    command = ["evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10"]
    limits = ["--memory-limit", "60MB", "--threads", "1"]  # so that DuckDB writes rows to disk
    done = process("0", *command, *limits, spill=tmp_path, command=scripts["bar_after"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("n_lists ┃ n_missing ┃ ndcg@10")
    assert table(done.stdout) == table(printed(*command))


@on_a_terminal
def test_a_terminal_shows_a_bar_for_a_long_run_and_then_the_leaderboard(
    large: Path, scripts: dict[str, tuple[str, ...]]
) -> None:
    command = ["0", "evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10", "--threads", "1"]
    code, shown = terminal(*command, command=scripts["bar_after"])
    assert code == 0
    assert "measuring" in shown
    assert "n_lists" in shown.rpartition("measuring")[2]


@on_a_terminal
def test_a_narrow_terminal_shows_every_number_whole_and_no_bar_for_a_short_run(
    scripts: dict[str, tuple[str, ...]],
) -> None:
    command = ["1000", "evaluate", RECS, TRUTH, "-m", "ndcg@5,10,20", "-m", "recall@5,10,20", "-m", "rr@5,10,20"]
    code, shown = terminal(*command, command=scripts["bar_after"])
    assert "measuring" not in shown
    assert code == 0
    assert "…" not in shown
    assert len(re.findall(r"\b0\.\d{4}\b", re.sub(r"\x1b\[[0-9;]*m", "", shown))) == 27


@on_a_terminal
def test_an_interrupt_on_a_terminal_ends_the_query_without_a_traceback(scripts: dict[str, tuple[str, ...]]) -> None:
    command = ["0", "evaluate", RECS, TRUTH, "-m", "ndcg@10"]
    code, shown = terminal(*command, command=scripts["endless"], interrupt_at=b"measuring")
    assert "Traceback" not in shown
    assert "terminate called" not in shown
    assert code == 130


@on_a_terminal
def test_an_interrupt_in_a_pipe_ends_the_query_without_a_traceback(scripts: dict[str, tuple[str, ...]]) -> None:
    command = [*scripts["endless"], "0", "evaluate", RECS, TRUTH, "-m", "ndcg@10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == b"started\n"
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            _, err = child.communicate(timeout=20)
        finally:
            child.kill()
    assert b"Traceback" not in err
    assert child.returncode == 130


def test_ctrl_c_between_two_queries_ends_the_next() -> None:
    connection = duckdb.connect()
    started = threading.Event()

    def work() -> object:
        started.set()
        time.sleep(0.5)  # the signal comes here, where no query runs
        return connection.execute(
            "SELECT COUNT(*) FROM range(10000000) AS a(x) JOIN range(100000) AS b(y) ON x > y"
        ).fetchall()

    def press() -> None:
        started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        with_progress(connection, work)
    assert time.monotonic() - start < 30, "the query would take minutes"
