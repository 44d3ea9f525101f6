"""Evaluate more than fits into memory by the command line, under a limit: `python benchmarks/large.py` (Linux, macOS).

A billion recommendations with ranks, then with scores, and 200 million with scores in random order: made in pieces, one
set after the other, each deleted once it is measured. Of each, the answer is compared with the exact one, and the peak
of the memory and what went to disk are watched; then the same is interrupted on its way. Nothing may stay on disk.
What is found is written into results.json, under `large`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

from run import FOLDER, HERE, TOLERANCE, environment, measure, where, write

# What a process imports before it starts another counts as the memory of that other: nothing large up here.

METRICS = tuple(f"{name}@10" for name in ("ndcg", "recall", "precision", "ap", "rr", "hit"))
MEMORY_MB = 2_500
ROWS = {"billion_ranked": 10**9, "billion_scored": 10**9, "billion_shuffled": 2 * 10**8}
BYTES_PER_ROW = {
    "billion_ranked": 6,
    "billion_scored": 45,
    "billion_shuffled": 70,
}  # of the files and of what is spilled
EVERY_SECONDS = 0.2
PATIENCE_SECONDS = 60  # for a process that was interrupted to end
INTERRUPTED_AFTER = 30  # seconds, or a quarter of what it takes where that is less


@dataclass(frozen=True)
class Watched:
    """What a process took, how it ended, and what it had on disk."""

    status: int
    wall_s: float
    cpu_s: float
    memory_mb: float
    spilled_mb: float  # at most
    left: list[str]  # in the folder for temporary files, afterwards


def watched(command: list[str], spill: Path, interrupt_after: float | None = None) -> Watched:
    """Run a process, with a folder of its own for temporary files; interrupt it as Ctrl-C does if so asked."""
    spill.mkdir(parents=True)
    start = time.perf_counter()
    with (spill.parent / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=errors, env={**environment(), "TMPDIR": str(spill)}
        )
    most, ended, interrupted = 0, 0, 0.0
    while not ended:
        time.sleep(EVERY_SECONDS)
        most = max(most, size_of(spill))
        if interrupt_after is not None and not interrupted and time.perf_counter() - start > interrupt_after:
            interrupted = time.perf_counter()
            os.kill(process.pid, signal.SIGINT)  # process.send_signal would see to its end, which wait4 is for
        if interrupted and time.perf_counter() - interrupted > PATIENCE_SECONDS:
            process.kill()
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    left = sorted(str(path.relative_to(spill)) for path in spill.rglob("*"))
    shutil.rmtree(spill)
    peak = used.ru_maxrss / 1000 * (1 if sys.platform == "darwin" else 1024) / 1000  # bytes there, KiB elsewhere
    wall, cpu = time.perf_counter() - start, used.ru_utime + used.ru_stime
    return Watched(process.returncode, wall, cpu, peak, most / 1e6, left)


def size_of(folder: Path) -> int:
    """The bytes of all files of a folder, some of which may go meanwhile."""

    def size(path: Path) -> int:
        with suppress(FileNotFoundError):
            return path.stat().st_blocks * 512
        return 0

    return sum(map(size, folder.rglob("*")))


def made(name: str, scale: float) -> Path:
    """The folder with the data of a set.

    Raises:
        SystemExit: there is not enough room on the disk.
    """
    folder = FOLDER / "large" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    needed = int(ROWS[name] * scale * BYTES_PER_ROW[name])
    if (free := shutil.disk_usage(folder).free) < needed:
        sys.exit(f"{name} takes some {needed / 1e9:.0f} GB in {folder}, where {free / 1e9:.0f} GB are free.")
    print(f"making {name}", file=sys.stderr)
    measure([sys.executable, str(HERE / "generate.py"), str(folder), "--set", name, "--scale", str(scale)])
    return folder


def evaluated(name: str, scale: float, limit: str) -> dict[str, Any]:
    """What it takes to evaluate a set, whether the answer is right, and what Ctrl-C leaves."""
    folder = made(name, scale)
    answer = folder / "answer.json"
    asked = [word for metric in METRICS for word in ("-m", metric)]
    command = [
        sys.executable,
        "-m",
        "rankmetrics.cli.commands",
        "evaluate",
        str(folder / "recs"),
        str(folder / "truth.parquet"),
    ]
    command += [*asked, "--memory-limit", limit, "-o", str(answer)]
    print(f"evaluating {name}", file=sys.stderr)
    whole = watched(command, folder / "spill")
    if whole.status:
        sys.exit(f"{name} ended with {whole.status}:\n{(folder / 'errors.txt').read_text()}")
    exact = measure([sys.executable, str(HERE / "exact.py"), "--set", name, "--scale", str(scale)])
    right = agree(json.loads(answer.read_text(encoding="utf-8")), json.loads(exact.printed))
    print(f"interrupting {name}", file=sys.stderr)
    interrupted_after = min(whole.wall_s / 4, INTERRUPTED_AFTER)
    half = watched(command, folder / "spill", interrupted_after)
    sizes = json.loads((folder / "sizes.json").read_text(encoding="utf-8"))
    bytes_of = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    shutil.rmtree(folder)
    return {
        "data": {**sizes, "file_mb": round(bytes_of / 1e6)},
        "memory_limit": limit,
        "wall_s": round(whole.wall_s, 1),
        "cpu_s": round(whole.cpu_s, 1),
        "memory_mb": round(whole.memory_mb),
        "spilled_mb": round(whole.spilled_mb),
        "memory_met": whole.memory_mb <= MEMORY_MB,
        "exact": right,
        "left_on_disk": whole.left,
        "interrupted": {
            "status": half.status,
            "after_s": round(interrupted_after, 1),
            "ended_after_s": round(half.wall_s, 1),
            "spilled_mb": round(half.spilled_mb),
            "left_on_disk": half.left,
        },
    }


def agree(rows: list[dict[str, Any]], exact: dict[str, dict[str, float]]) -> bool:
    """Whether the answer has all systems, and the exact numbers of each."""
    found = {row["algorithm"]: row for row in rows}
    return found.keys() == exact.keys() and all(
        isclose(found[system][name], value, rel_tol=TOLERANCE)
        for system, values in exact.items()
        for name, value in values.items()
    )


def show(found: dict[str, Any]) -> None:
    """Print what was found."""
    from rich.console import Console
    from showing import table

    shown = table(
        "set", "rows", "wall s", "CPU s", "peak MB", "spilled MB", "exact", "left", "Ctrl-C: status", "s", "left"
    )
    for name, one in found["sets"].items():
        after = one["interrupted"]
        numbers = (f"{one[field]:,}" for field in ("wall_s", "cpu_s", "memory_mb", "spilled_mb"))
        took = f"{after['ended_after_s'] - after['after_s']:.1f}"
        stopped = (str(after["status"]), took, str(len(after["left_on_disk"])))
        right, left = "yes" if one["exact"] else "NO", str(len(one["left_on_disk"]))
        shown.add_row(name, f"{one['data']['recs']:,}", *numbers, right, left, *stopped)
    Console(width=110, highlight=False).print(shown, f"The peak is to be at most {MEMORY_MB} MB.", sep="\n\n")


def main() -> None:
    """Make, measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=ROWS, action="append", help="without it, all")
    parser.add_argument("--scale", type=float, default=1, help="times so many rows; written nowhere unless it is 1")
    parser.add_argument("--memory-limit", default="2GB")
    given = parser.parse_args()
    # A shell has what runs in the background ignore it, and so would what is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    before = json.loads((HERE / "results.json").read_text(encoding="utf-8")).get("large", {})
    found: dict[str, Any] = {
        **where(os.getloadavg()[0]),
        "sets": dict(before.get("sets", {})) if given.scale == 1 else {},
    }
    for name in given.set or ROWS:
        found["sets"][name] = evaluated(name, given.scale, given.memory_limit)
        if given.scale == 1:
            write("large", found)
    show(found)


if __name__ == "__main__":
    main()
