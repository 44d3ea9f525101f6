"""Measure what metrics take beside the best plan written by hand, and a bare query, of the same engine: `make bench`.

Each job is a process of its own; user and system seconds and the peak of its memory are what the system says of it once
it has ended. The jobs of a set take turns, so that whatever else the machine does falls on all of them alike. What the
sets are is said in sets.py.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import distributions
from itertools import chain
from math import isclose
from pathlib import Path
from statistics import median
from typing import Any

from sets import SETS, WARMING, Job, Number, Set

# What a process imports before it starts another counts as the memory of that other: nothing large up here.

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
FOLDER = Path(tempfile.gettempdir()) / "rankmetrics-bench"
MEASURED = ("cpu_s", "wall_s", "memory_mb")
PACKAGES = ("rankmetrics-sql", "polars", "duckdb", "sqlglot", "sqlglotc")  # the last is an extra
TOLERANCE = 1e-9
QUICK = 0.01
LEAST = 1e-3  # seconds: less is noise, and may be below 0 once something is taken off


@dataclass(frozen=True)
class Run:
    """What one process took, and what it printed."""

    cpu_s: float
    wall_s: float
    memory_mb: float
    printed: str

    def took(self, field: str) -> float:
        """A field of what was measured, or of what was printed."""
        return float(getattr(self, field) if field in MEASURED else json.loads(self.printed)[field])


def environment() -> dict[str, str]:
    """The environment of a job: its modules are compiled once, even where Python is told not to."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(FOLDER / "bytecode")}


def measure(command: list[str]) -> Run:
    """Run one process to its end."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment())
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{err.read()}")
        peak = used.ru_maxrss / 1000 * (1 if sys.platform == "darwin" else 1024) / 1000  # bytes there, KiB elsewhere
        return Run(used.ru_utime + used.ru_stime, wall, peak, out.read())


def spread(values: list[float]) -> dict[str, float]:
    """The median, and how far the rounds are apart."""
    return {name: round(of(values), 4) for name, of in (("median", median), ("lowest", min), ("highest", max))}


def prepared(job: Job, scale: float) -> Path:
    """The folder with the data of a job, which is made if it is not there."""
    folder = FOLDER / f"{scale:g}" / (f"{job.data}-{job.lists}" if job.lists else job.data)
    if not (folder / "sizes.json").exists():
        print(f"making {folder}", file=sys.stderr)
        size = ["--lists", str(job.lists)] if job.lists else []
        measure(
            [sys.executable, str(HERE / "generate.py"), str(folder), "--set", job.data, *size, "--scale", str(scale)]
        )
    return folder


def run_job(job: Job, folder: Path) -> Run:
    """Run a job over the data of a folder."""
    return measure([sys.executable, str(HERE / "jobs" / f"{job.script}.py"), str(folder), *job.arguments])


def warm_up(folders: set[Path]) -> None:
    """Have all files read once, so that the disk is not measured, and all modules compiled."""
    for job in WARMING:
        run_job(job, prepared(job, 1))
    for path in (path for folder in folders for path in folder.rglob("*.parquet")):
        with path.open("rb") as file:
            while file.read(2**24):
                pass


def rounds(group: Set, folders: dict[str, Path], number: int) -> list[dict[str, Run]]:
    """All jobs, one after the other, as often as asked."""
    warm_up(set(folders.values()))
    found = []
    for turn in range(1, number + 1):
        print(f"round {turn} of {number}", file=sys.stderr)
        runs = {name: run_job(job, folders[name]) for name, job in group.jobs.items()}
        for jobs in group.same:
            check_same({name: json.loads(runs[name].printed) for name in jobs})
        found.append(runs)
    return found


def check_same(printed: dict[str, list[list[object]]]) -> None:
    """End it all where jobs that are asked the same do not find the same numbers."""
    first, *others = ((name, list(chain.from_iterable(rows))) for name, rows in printed.items())
    for name, row in others:
        differ = [(one, other) for one, other in zip(first[1], row, strict=True) if not alike(one, other)]
        if differ:
            sys.exit(f"{first[0]} and {name} do not find the same: {differ}")


def alike(one: object, other: object) -> bool:
    """Whether two values are the same, as far as the order of summing lets them."""
    numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return isclose(one, other, rel_tol=TOLERANCE) if numbers else one == other  # type: ignore[arg-type]


def told(number: Number, runs: list[dict[str, Run]]) -> dict[str, Any]:
    """What a number comes to.

    A ratio is that of two processes of the same round. A difference of two is small beside what else the machine does,
    which only adds to either: it is that of their lowest rounds.
    """

    def each(job: str, less: str) -> list[float]:
        took = [run[job].took(number.field) for run in runs]
        if not number.less:
            return took
        return [max(LEAST, min(took) - (min(run[less].took(number.field) for run in runs) if less else 0))]

    job = each(number.job, number.less)
    over = each(number.to, number.to_less) if number.to else [1.0] * len(job)
    values = [number.times * one / other for one, other in zip(job, over, strict=True)]
    found: dict[str, Any] = spread(values)
    if number.at_most is not None:
        found |= {"at_most": number.at_most, "met": found["median"] <= number.at_most}
    return found | ({"hoped": number.hoped} if number.hoped else {})


def where(load: float) -> dict[str, Any]:
    """The versions and the machine that something was measured with, and how busy it was before."""
    installed = {package.name: package.version for package in distributions()}
    packages = {name: installed[name] for name in PACKAGES if name in installed}
    return {
        "versions": {"python": platform.python_version(), **packages},
        "machine": {
            "platform": f"{platform.system()} {platform.machine()}",
            "cpus": os.cpu_count(),
            "load_before": round(load, 2),
        },
    }


def results(group: Set, folders: dict[str, Path], runs: list[dict[str, Run]], load: float) -> dict[str, Any]:
    """What was measured of a set, of what, and where."""
    data = {folder.name: json.loads((folder / "sizes.json").read_text(encoding="utf-8")) for folder in folders.values()}
    return {
        **where(load),
        "data": data,
        "rounds": len(runs),
        "jobs": {job: {field: spread([run[job].took(field) for run in runs]) for field in MEASURED} for job in runs[0]},
        "numbers": {number.what: told(number, runs) for number in group.numbers},
    }


def write(name: str, found: dict[str, Any]) -> None:
    """Put what was found into results.json, where all else stays as it is."""
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps({**before, name: found}, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Make the data if it is not there, measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, action="append", help="what to measure; without it, all")
    parser.add_argument("--rounds", type=int, help="how often")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the data, once, written nowhere")
    given = parser.parse_args()
    scale, number = (QUICK, 1) if given.quick else (1, None)
    measured = {}
    for name in given.set or SETS:
        print(name, file=sys.stderr)
        group = SETS[name]
        folders = {job: prepared(one, scale) for job, one in group.jobs.items()}
        load = os.getloadavg()[0]
        runs = rounds(group, folders, given.rounds or number or group.rounds)
        measured[name] = results(group, folders, runs, load)
        if not given.quick:
            write(name, measured[name])
    from showing import show  # only now, when no more processes are started

    for name, found in measured.items():
        show(name, found)


if __name__ == "__main__":
    main()
