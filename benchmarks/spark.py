"""Measure how the metrics grow on Spark, in local mode, beside a bare job over the same rows: `benchmarks/spark.py`.

There is one Spark session, warmed up. Each round takes every size in turn, at each the bare job, then the metrics; a
ratio is that of two jobs of the same round. CPU seconds and memory are those of the JVM and of this process together,
as Linux tells them. What is found is written into results.json, under `spark`.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
from generate import ALGORITHM, RANK, SYSTEMS, USER, Data, recs_of, truth_of
from pyspark.sql import DataFrame, SparkSession
from run import spread, write
from sets import SIX

import rankmetrics as rm

SIZES = (1_000_000, 10_000_000, 50_000_000)
ROUNDS = 3
LENGTH = 50
HEAP = "2g"
JOBS = ("bare_join", "rankmetrics")

# Every user has a list of each system; a folder holds the lists of one system. Ten items are relevant to a user.
DATA = Data(recs=(ALGORITHM, USER, "item", RANK), truth=(USER, "item"), length=LENGTH, relevant=0.2, owners=1 / SYSTEMS)


@dataclass(frozen=True)
class Took:
    """What one job took, and the peak of memory until it was done."""

    cpu_s: float
    wall_s: float
    memory_mb: float


class Processes:
    """The JVM and the process that started it, which is this one: what Linux says of both."""

    def __init__(self, session: SparkSession) -> None:
        jvm: Any = session.sparkContext._jvm
        self._of = [Path("/proc/self"), Path(f"/proc/{jvm.java.lang.ProcessHandle.current().pid()}")]

    def cpu(self) -> float:
        """CPU seconds of both so far, of the user and of the system."""
        fields = [(one / "stat").read_text().rpartition(")")[2].split() for one in self._of]
        return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """The most memory that each has held so far, added up, in MB."""
        lines = [line for one in self._of for line in (one / "status").read_text().splitlines()]
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024 / 1e6


def started(folder: Path) -> SparkSession:
    """The session: two threads, a heap that does not grow with the data, all else as Spark has it."""
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", HEAP)
    builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.local.dir", str(folder)).config("spark.ui.showConsoleProgress", "false")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def prepared(folder: Path, size: int) -> Path:
    """The folder with the rows of a size, made if it is not there: recs/algorithm=.../*.parquet and truth.parquet."""
    made = folder / f"rankmetrics-bench-spark-{size}"
    if not made.exists():
        partial = Path(tempfile.mkdtemp(dir=folder))
        lists = size // LENGTH
        with duckdb.connect() as connection:
            connection.sql(recs_of(DATA, lists)).write_parquet(str(partial / "recs"), partition_by=["algorithm"])
            connection.sql(truth_of(DATA, lists)).write_parquet(str(partial / "truth.parquet"))
        partial.rename(made)
    return made


def bare_join(recs: DataFrame, truth: DataFrame) -> object:
    """The join that no evaluation can do without, up to the deepest cutoff, counted."""
    return recs.where("rank <= 20").join(truth, ["user", "item"]).count()


def rankmetrics(recs: DataFrame, truth: DataFrame) -> object:
    """The metrics per system, from their names to the numbers."""
    return rm.evaluate(recs, truth, [*SIX]).summary().collect()


def measure(processes: Processes, job: Callable[[], object]) -> Took:
    """Run one job to its end."""
    cpu, wall = processes.cpu(), time.perf_counter()
    job()
    return Took(processes.cpu() - cpu, time.perf_counter() - wall, processes.memory())


def rounds(session: SparkSession, folders: dict[int, Path], number: int) -> list[dict[str, Took]]:
    """All jobs at all sizes, as often as asked; one round before that warms the JVM and the file system up."""
    processes, found = Processes(session), []
    for turn in range(number + 1):
        print(f"round {turn} of {number}" if turn else "warm-up", file=sys.stderr)
        took = {}
        for size, folder in folders.items():
            for job in JOBS:
                recs = session.read.parquet(str(folder / "recs"))
                truth = session.read.parquet(str(folder / "truth.parquet"))
                run = {"bare_join": bare_join, "rankmetrics": rankmetrics}[job]
                took[named(job, size)] = measure(processes, lambda: run(recs, truth))  # noqa: B023  # run at once
                print(f"  {named(job, size)}: {took[named(job, size)]}", file=sys.stderr)
        found.append(took)
    return found


def named(job: str, size: int) -> str:
    """A job at a size."""
    return f"{job}_{size}"


def results(session: SparkSession, runs: list[dict[str, Took]], sizes: list[int], load: float) -> dict[str, Any]:
    """What was measured, and where. The memory is that of the warm-up, which takes the sizes in their order."""
    jvm: Any = session.sparkContext._jvm
    packages = ("rankmetrics", "pyspark", "duckdb", "sqlglot")
    first, timed = runs[0], runs[1:]

    return {
        "versions": {
            "python": platform.python_version(),
            "java": str(jvm.java.lang.System.getProperty("java.version")),
            **{name: version(name) for name in packages},
        },
        "machine": {
            "platform": f"{platform.system()} {platform.machine()}",
            "cpus": os.cpu_count(),
            "load_before": round(load, 2),
            "load_after": round(os.getloadavg()[0], 2),
            "master": session.sparkContext.master,
            "heap": HEAP,
        },
        "data": {
            "recs": sizes,
            "lists": [size // LENGTH for size in sizes],
            "systems": SYSTEMS,
            "metrics": [*SIX],
            "rounds": len(timed),
        },
        "jobs": {
            job: {
                "cpu_s": spread([run[job].cpu_s for run in timed]),
                "wall_s": spread([run[job].wall_s for run in timed]),
                "memory_mb": round(first[job].memory_mb),
            }
            for job in first
        },
        "ratios": {
            named("rankmetrics", size): {
                "to": named("bare_join", size),
                **spread(
                    [run[named("rankmetrics", size)].cpu_s / run[named("bare_join", size)].cpu_s for run in timed]
                ),
            }
            for size in sizes
        },
        "growth": {job: growth(timed, job, sizes) for job in JOBS},
    }


def growth(runs: list[dict[str, Took]], job: str, sizes: list[int]) -> dict[str, dict[str, float]]:
    """What a row takes among the most rows, over what it takes among fewer."""

    def per_row(run: dict[str, Took], size: int) -> float:
        return run[named(job, size)].cpu_s / size

    most = sizes[-1]
    return {
        f"{size} to {most}": spread([per_row(run, most) / per_row(run, size) for run in runs]) for size in sizes[:-1]
    }


def show(found: dict[str, Any]) -> None:
    """Print what was measured."""
    from rich.console import Console
    from rich.table import Table

    def range_of(one: dict[str, float]) -> str:
        return f"{one['median']:.2f} ({one['lowest']:.2f} to {one['highest']:.2f})"

    jobs = Table("job", "CPU s", "wall s", "peak MB so far", show_edge=False, pad_edge=False)
    for job, took in found["jobs"].items():
        jobs.add_row(job, range_of(took["cpu_s"]), range_of(took["wall_s"]), str(took["memory_mb"]))
    told = Table("ratio of CPU", "median, of the rounds", show_edge=False, pad_edge=False)
    for job, one in found["ratios"].items():
        told.add_row(f"{job} / {one['to']}", range_of(one))
    for job, sizes in found["growth"].items():
        for size, one in sizes.items():
            told.add_row(f"{job}, per row, from {size} rows", range_of(one))
    console = Console(width=110, highlight=False)
    console.print(jobs, "", told, "", sep="\n")
    console.print(", ".join(f"{name} {number}" for name, number in found["versions"].items()))
    console.print(", ".join(f"{name} {value}" for name, value in found["machine"].items()))


def main() -> None:
    """Make the data if it is not there, measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    temporary = Path(tempfile.gettempdir())
    parser.add_argument("folder", type=Path, nargs="?", default=temporary, help="where the data is, or is to be made")
    parser.add_argument("--rows", type=int, action="append", help="recommendations; without it, 1, 10 and 50 million")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    sizes = sorted(given.rows or SIZES)
    folders = {size: prepared(given.folder, size) for size in sizes}
    scratch = Path(tempfile.mkdtemp(prefix="rankmetrics-bench-spark-", dir=given.folder))
    load = os.getloadavg()[0]
    session = started(scratch)
    try:
        found = results(session, rounds(session, folders, given.rounds), sizes, load)
    finally:
        session.stop()
        shutil.rmtree(scratch, ignore_errors=True)
    write("spark", found)
    show(found)


if __name__ == "__main__":
    main()
