"""Evaluations in processes that were forked: an error where Polars would wait for ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import multiprocessing
import duckdb
import polars as pl
import rankmetrics as rm

RECS = {"user": [1, 2], "item": [7, 8], "rank": [1, 1]}
ENGINES = ("polars", "duckdb")

def value(engine):
    recs, truth = (pl.DataFrame(columns) for columns in (RECS, {"user": [1, 2], "item": [7, 9]}))
    if engine == "duckdb":
        connection = duckdb.connect()
        recs, truth = (connection.from_arrow(frame.to_arrow()) for frame in (recs, truth))
    return rm.evaluate(recs, truth, "rr").collect()["rr"].item()

def told(engine):
    try:
        return value(engine)
    except rm.EngineError as error:
        return str(error)

def in_process(method, engine):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.apply(told, (engine,)))

if __name__ == "__main__":
    rm.evaluate  # nothing was computed yet
    for engine in ENGINES:
        in_process("fork", engine)
    value("polars")
    for engine in ENGINES:
        in_process("fork", engine)
        in_process("spawn", engine)
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the names of threads are known on Linux only")
def test_a_process_that_was_forked_after_an_evaluation_raises_instead_of_waiting(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=90, check=True)
    forked = [
        f"{engine} refused the query: this process was forked from one in which" for engine in ("Polars", "DuckDB")
    ]
    lines = [line.partition(" Polars had started")[0] for line in done.stdout.splitlines()]
    assert lines == ["0.5", "0.5", forked[0], "0.5", forked[1], "0.5"]
    assert done.stdout.count('multiprocessing.get_context("spawn")') == 2
