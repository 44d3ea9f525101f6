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
from tests.support.commands import RECS, TRUTH, column, table

on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")


COMMAND = (sys.executable, "-m", "rankmetrics.cli.commands")


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
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, ...]]:
    """Commands that are files, since DuckDB takes `python -c` for a session with somebody before it."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "bar_after.py").write_text(f"{BAR_AFTER}app()\n")
    (folder / "endless.py").write_text(f"{BAR_AFTER}{ENDLESS}app()\n")
    return {path.stem: (sys.executable, str(path)) for path in folder.iterdir()}


def process(*arguments: object, spill: Path, command: Sequence[str] = COMMAND) -> subprocess.CompletedProcess[str]:
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


def terminal(
    *arguments: object, command: Sequence[str] = COMMAND, interrupt_at: bytes | None = None
) -> tuple[int, str]:
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
                time.sleep(1)
                child.send_signal(signal.SIGINT)
            if not some:
                break
        return child.wait(timeout=20), shown.decode()
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def test_a_process_prints_its_answer_and_nothing_else(tmp_path: Path) -> None:
    assert process("check", RECS, TRUTH, spill=tmp_path).stderr == ""
    done = process("evaluate", RECS, TRUTH, "-m", "ndcg@10", spill=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert column(done.stdout, "ndcg@10") == {
        "matrix-factorisation": "0.3027",
        "item-knn": "0.2614",
        "popular": "0.1284",
    }


def test_a_process_that_refuses_says_so_in_one_line_above_the_link(tmp_path: Path) -> None:
    done = process("evaluate", RECS, TRUTH, "-m", "ndgc@10", spill=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert [line for line in done.stderr.splitlines() if not line.startswith("More: ")] == [done.stderr.splitlines()[0]]
    assert "Did you mean 'ndcg'?" in done.stderr


def test_a_process_that_spills_leaves_no_folder_and_gives_the_same_numbers(large: Path, tmp_path: Path) -> None:
    command = ["evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10"]
    tight = process(*command, "--memory-limit", "60MB", "--threads", "1", spill=tmp_path)
    assert (tight.returncode, tight.stderr) == (0, "")
    assert table(tight.stdout) == table(process(*command, spill=tmp_path).stdout)


def test_a_pipe_gets_no_bar_however_long_it_takes(
    large: Path, tmp_path: Path, scripts: dict[str, tuple[str, ...]]
) -> None:
    command = ["0", "evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10", "--threads", "1"]
    done = process(*command, spill=tmp_path, command=scripts["bar_after"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("n_lists ┃ n_missing ┃ ndcg@10")


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
    asked = ["1000", "evaluate", RECS, TRUTH, "-m", "ndcg@5,10,20", "-m", "recall@5,10,20", "-m", "rr@5,10,20"]
    code, shown = terminal(*asked, command=scripts["bar_after"])
    assert "measuring" not in shown
    assert code == 0
    assert "…" not in shown
    assert len(re.findall(r"\b0\.\d{4}\b", re.sub(r"\x1b\[[0-9;]*m", "", shown))) == 27


@on_a_terminal
@pytest.mark.parametrize(
    ("bar_after", "at"), [("0", b"measuring"), ("1000", b"started")], ids=["at the bar", "before the bar"]
)
def test_an_interrupt_on_a_terminal_ends_the_query_without_a_traceback(
    bar_after: str, at: bytes, scripts: dict[str, tuple[str, ...]]
) -> None:
    asked = [bar_after, "evaluate", RECS, TRUTH, "-m", "ndcg@10"]
    code, shown = terminal(*asked, command=scripts["endless"], interrupt_at=at)
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
            time.sleep(1)
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
            "SELECT COUNT(*) FROM range(10**7) AS a(x) JOIN range(10**5) AS b(y) ON x > y"
        ).fetchall()

    def press() -> None:
        started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        with_progress(connection, work)
    assert time.monotonic() - start < 30, "the query would take minutes"
