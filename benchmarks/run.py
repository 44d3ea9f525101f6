"""Measure what metrics take beside a bare query over the same files by the same engine: `make bench`.

Each job is a process of its own; user and system seconds and the peak of its memory are what the system says of it once
it has ended. The jobs take turns, so that whatever else the machine does falls on all of them alike.
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
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

# What a process imports before it starts another counts as the memory of that other: nothing large up here.

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
METRICS = [f"{name}@5,10,20" for name in ("ndcg", "recall", "precision", "ap", "rr", "hit")]
MEASURED = ("cpu_s", "wall_s", "memory_mb")
TARGETS = {"ratio": 3, "memory_mb": 300, "import_s": 0.3, "planning_ms": 50}


@dataclass(frozen=True)
class Group:
    """Jobs over the same data: what `--set` names."""

    lists: int
    rounds: int
    files: tuple[str, ...]
    metrics: list[str]
    jobs: tuple[str, ...]
    bare: dict[str, str]  # the job that each ratio is to


GROUPS = {
    "metrics": Group(
        lists=100_000,
        rounds=5,
        files=("recs.parquet", "truth.parquet"),
        metrics=METRICS,
        jobs=(
            *("bare_join_duckdb", "rankmetrics_duckdb", "bare_join_polars", "rankmetrics_polars"),
            *("imports_only", "import_rankmetrics", "planning", "rankmetrics_cli"),
        ),
        bare={
            "rankmetrics_duckdb": "bare_join_duckdb",
            "rankmetrics_polars": "bare_join_polars",
            "rankmetrics_cli": "bare_join_duckdb",
        },
    ),
    "systems": Group(
        lists=1_000_000,
        rounds=5,
        files=("recs.parquet", "truth.parquet", "items.parquet"),
        metrics=["gini", "personalization"],
        jobs=(
            *("bare_group_duckdb", "gini_duckdb", "personalization_duckdb"),
            *("bare_group_polars", "gini_polars", "personalization_polars"),
        ),
        bare={
            "gini_duckdb": "bare_group_duckdb",
            "gini_polars": "bare_group_polars",
            "personalization_duckdb": "bare_group_duckdb",
            "personalization_polars": "bare_group_polars",
        },
    ),
    "embeddings": Group(
        lists=100_000,
        rounds=3,
        files=("recs.parquet", "truth.parquet", "items.parquet"),
        metrics=["embedding_diversity@20"],
        jobs=("bare_embeddings_duckdb", "embedding_diversity_duckdb"),
        bare={"embedding_diversity_duckdb": "bare_embeddings_duckdb"},
    ),
}


@dataclass(frozen=True)
class Run:
    """What one process took, and what it printed."""

    cpu_s: float
    wall_s: float
    memory_mb: float
    printed: str


def command_of(job: str, folder: Path, metrics: list[str]) -> list[str]:
    """The command of a job."""
    if job == "rankmetrics_cli":
        asked = [word for metric in metrics for word in ("-m", metric)]
        files = [str(folder / "recs.parquet"), str(folder / "truth.parquet")]
        return [sys.executable, "-m", "rankmetrics.cli", "evaluate", *files, *asked]
    return [sys.executable, str(HERE / "jobs" / f"{job}.py"), str(folder), *metrics]


def environment() -> dict[str, str]:
    """The environment of a job: its modules are compiled once, in the warm-up, even where Python is told not to."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "rankmetrics-bench-bytecode")}


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


def rounds(group: Group, folder: Path, number: int) -> list[dict[str, Run]]:
    """All jobs, one after the other, as often as asked; one round before that warms the file system up."""
    found = []
    for turn in range(number + 1):
        print(f"round {turn} of {number}" if turn else "warm-up", file=sys.stderr)
        found.append({job: measure(command_of(job, folder, group.metrics)) for job in group.jobs})
    return found[1:]


def spread(values: list[float]) -> dict[str, float]:
    """The median, and how far the rounds are apart."""
    return {name: round(of(values), 4) for name, of in (("median", median), ("lowest", min), ("highest", max))}


def results(group: Group, folder: Path, runs: list[dict[str, Run]], load: float) -> dict[str, Any]:
    """What was measured of any set, and where. A ratio is that of two processes of the same round."""
    import polars as pl

    sizes = pl.scan_parquet(folder / "recs.parquet").select(lists=pl.col("user").n_unique(), recs=pl.len()).collect()
    packages = ("rankmetrics", "polars", "duckdb", "sqlglot")
    return {
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "machine": {
            "platform": f"{platform.system()} {platform.machine()}",
            "cpus": os.cpu_count(),
            "load_before": round(load, 2),
        },
        "data": {**sizes.row(0, named=True), "metrics": group.metrics, "rounds": len(runs)},
        "jobs": {
            job: {field: spread([asdict(run[job])[field] for run in runs]) for field in MEASURED} for job in runs[0]
        },
        "ratios": {job: {"to": bare, **ratio(runs, job, bare)} for job, bare in group.bare.items()},
    }


def ratio(runs: list[dict[str, Run]], job: str, other: str) -> dict[str, float]:
    """The CPU seconds of a job over those of another."""
    return spread([run[job].cpu_s / run[other].cpu_s for run in runs])


def starting(runs: list[dict[str, Run]]) -> dict[str, Any]:
    """What only the jobs of `metrics` tell: importing and planning, and the targets."""
    planned = [json.loads(run["planning"].printed) for run in runs]
    return {
        "targets": TARGETS,
        "import_ratio": ratio(runs, "import_rankmetrics", "imports_only"),
        "planning_ms": {name: spread([one[name] for one in planned]) for name in planned[0]},
    }


def written(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What results.json is to hold: `metrics` itself, other sets under their names, and what was not run as it was."""
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return {**before, **found.get("metrics", {}), **{name: one for name, one in found.items() if name != "metrics"}}


def show(found: dict[str, Any]) -> None:
    """Print the results of a set as two tables: what each process took, and what that comes to beside any targets."""
    from rich.console import Console
    from rich.table import Table

    def range_of(one: dict[str, float], places: int) -> tuple[str, str]:
        return f"{one['median']:.{places}f}", f"{one['lowest']:.{places}f} to {one['highest']:.{places}f}"

    jobs = Table("process", "CPU s", "of the rounds", "wall s", "peak MB", show_edge=False, pad_edge=False)
    for column in jobs.columns[1:]:
        column.justify = "right"
    for job, took in found["jobs"].items():
        wall, memory = (f"{took[field]['median']:.{places}f}" for field, places in (("wall_s", 2), ("memory_mb", 0)))
        jobs.add_row(job, *range_of(took["cpu_s"], 2), wall, memory)
    told = Table("what", "median", "of the rounds", "target", show_edge=False, pad_edge=False)
    for column in told.columns[1:]:
        column.justify = "right"
    targets = found.get("targets")
    ratio_target, memory_target = (f"<= {targets['ratio']}", f"< {targets['memory_mb']}") if targets else ("", "")
    for job, one in found["ratios"].items():
        told.add_row(f"{job} / {one['to']}, CPU", *range_of(one, 2), ratio_target)
    for job in found["ratios"]:
        told.add_row(f"{job}, peak MB", *range_of(found["jobs"][job]["memory_mb"], 0), memory_target)
    if targets:
        imported = found["jobs"]["import_rankmetrics"]["cpu_s"]
        told.add_row("import rankmetrics, CPU s", *range_of(imported, 2), f"< {targets['import_s']}")
        told.add_row("import rankmetrics / imports_only, CPU", *range_of(found["import_ratio"], 2), "")
        for name, one in found["planning_ms"].items():
            aim = f"< {targets['planning_ms']}" if name in ("cold", "warm") else ""
            told.add_row(f"planning, {name}, ms", *range_of(one, 0), aim)
    console = Console(width=100, highlight=False)
    console.print(jobs, "", told, "", sep="\n")
    where = [f"{name} {number}" for name, number in found["versions"].items()]
    machine, data = found["machine"], found["data"]
    console.print(", ".join(where))
    console.print(
        f"{data['lists']:,} lists, {data['recs']:,} recommendations; {data['rounds']} rounds, {machine['cpus']} CPUs, "
        f"load {machine['load_before']} before\n"
    )


def prepared(name: str, folder: Path | None, lists: int) -> Path:
    """The folder with the data of a set, which is made if it is not there."""
    middle = "" if name == "metrics" else f"{name}-"
    folder = folder or Path(tempfile.gettempdir()) / f"rankmetrics-bench-{middle}{lists}"
    if not all((folder / file).exists() for file in GROUPS[name].files):
        measure([sys.executable, str(HERE / "generate.py"), str(folder), "--set", name, "--lists", str(lists)])
    return folder


def main() -> None:
    """Make the data if it is not there, measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where the data of one set is, or is to be made")
    parser.add_argument("--set", choices=GROUPS, action="append", help="what to measure; without it, all")
    parser.add_argument("--lists", type=int, help="how many to make, where there are none")
    parser.add_argument("--rounds", type=int)
    given = parser.parse_args()
    names = given.set or list(GROUPS)
    if given.folder and len(names) > 1:
        parser.error("a folder holds the data of one set: say which with --set")
    measured = {}
    for name in names:
        folder = prepared(name, given.folder, given.lists or GROUPS[name].lists)
        load = os.getloadavg()[0]
        print(name, file=sys.stderr)
        measured[name] = (folder, rounds(GROUPS[name], folder, given.rounds or GROUPS[name].rounds), load)
    # Only now, when no more processes are started, is Polars imported here.
    found = {name: results(GROUPS[name], *one) for name, one in measured.items()}
    if "metrics" in found:
        found["metrics"] |= starting(measured["metrics"][1])
    RESULTS.write_text(json.dumps(written(found), indent=2) + "\n", encoding="utf-8")
    for one in found.values():
        show(one)


if __name__ == "__main__":
    main()
