"""Measure other libraries beside rankmetrics, over the same two files: `make bench-peers`.

Each library is in an environment of its own, as peers/libraries.toml describes it; its job is
`peers/speed/NAME_job.py`. The jobs take turns with those of rankmetrics, each a process of its own, measured whole.
What they print is compared with what rankmetrics finds, as it defines metrics and as their convention does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from run import MEASURED, Run, measure, spread, where, write

# What a process imports before it starts another counts as the memory of that other: nothing large up here.

HERE = Path(__file__).resolve().parent
NAMES = ("ndcg", "recall", "precision", "ap", "rr", "hit")
CUTOFFS = (5, 10, 20)
OURS = ("collected_duckdb", "collected_polars")  # as README tells people to call it
TO = OURS[0]  # what each ratio is to
RATIOS = {"cpu": "cpu_s", "memory": "memory_mb"}
ROUNDS = ((20, 5), (40, 3))  # the longer it took in the warm-up, in seconds, the fewer rounds
LEAST_ROUNDS = 1
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Peer:
    """A library: how pip calls it, and which convention of rankmetrics is its own, with its names of the metrics."""

    package: str
    convention: str
    spellings: tuple[str, ...]  # of NAMES
    targets: dict[str, float]  # at least so many times the CPU and the memory of rankmetrics


TREC = ("ndcg_cut", "recall", "P", "map_cut", "rr(convention=rankmetrics)", "success")  # its recip_rank has no cutoff
REPLAY = ("NDCG", "Recall", "Precision", "MAP", "MRR", "HitRate")
PEERS = {
    "rectools": Peer("RecTools", "rectools", REPLAY, {"cpu": 9, "memory": 5}),
    "pytrec_eval": Peer("pytrec_eval-terrier", "trec_eval", TREC, {"cpu": 15, "memory": 5}),
    "replay": Peer("replay-rec", "replay", REPLAY, {}),
    "ranx": Peer("ranx", "ranx", ("ndcg", "recall", "precision", "map", "mrr", "hit_rate"), {}),
    "ir_measures": Peer("ir-measures", "trec_eval", TREC, {}),
    "lenskit": Peer(
        "lenskit",
        "lenskit",
        ("NDCG", "Recall", "Precision", "AveragePrecision", "RecipRank", "Hit"),
        {"cpu": 150, "memory": 5},
    ),
}

# Environments that are not called as the library.
ENVIRONMENTS = {"lenskit": "lenskit-2025"}


def environment_of(name: str) -> Path:
    """The folder of the environment of a library."""
    return HERE.parent / f".venv-peer-{ENVIRONMENTS.get(name, name)}"


def command_of(job: str, folder: Path) -> list[str]:
    """The command of a job, ours or that of a library."""
    if job in OURS:
        return [sys.executable, str(HERE / "jobs" / f"{job}.py"), str(folder), *asked(NAMES)]
    return [
        str(environment_of(job) / "bin" / "python"),
        str(HERE.parent / "peers" / "speed" / f"{job}_job.py"),
        str(folder),
    ]


def asked(names: tuple[str, ...]) -> list[str]:
    """Metrics of these names at all cutoffs."""
    return [f"{name}@{','.join(map(str, CUTOFFS))}" for name in names]


def rounds_of(warm_up: Run) -> int:
    """How often a job is measured."""
    return next((rounds for seconds, rounds in ROUNDS if warm_up.wall_s <= seconds), LEAST_ROUNDS)


def warmed_up(job: str, folder: Path) -> Run | None:
    """The first run of a job; none where a library fails, which is left out then. Where ours fails, all ends."""
    try:
        return measure(command_of(job, folder))
    except SystemExit as error:
        if job in OURS:
            raise
        print(error, file=sys.stderr)
        return None


def measured(peers: list[str], folder: Path) -> tuple[dict[str, list[Run]], dict[str, str]]:
    """The runs of all jobs, which take turns, and why some are not there. One round before warms everything up."""
    installed = [peer for peer in peers if (environment_of(peer) / "done").exists()]
    print("warm-up", file=sys.stderr)
    first = {job: warmed_up(job, folder) for job in (*OURS, *installed)}
    rounds = {job: rounds_of(run) for job, run in first.items() if run}
    runs: dict[str, list[Run]] = {job: [] for job in rounds}
    most = max(rounds.values())
    for turn in range(1, most + 1):
        print(f"round {turn} of {most}", file=sys.stderr)
        for job, number in rounds.items():
            if turn <= number:
                runs[job].append(measure(command_of(job, folder)))
    return runs, {peer: "failed" if peer in installed else "not installed" for peer in peers if peer not in runs}


def ratio(runs: dict[str, list[Run]], job: str, field: str) -> dict[str, float]:
    """What a job took over what DuckDB took in the same round."""
    pairs = zip(runs[job], runs[TO], strict=False)
    return spread([theirs.took(field) / ours.took(field) for theirs, ours in pairs])


def results(runs: dict[str, list[Run]], left_out: dict[str, str], folder: Path, load: float) -> dict[str, Any]:
    """What was measured, where, and of what."""
    import polars as pl

    sizes = pl.scan_parquet(folder / "recs.parquet").select(lists=pl.col("user").n_unique(), recs=pl.len()).collect()
    peers = [job for job in runs if job in PEERS]
    around = where(load)
    return {
        **around,
        "versions": {**around["versions"], **{peer: version_of(peer) for peer in peers}},
        "data": {**sizes.row(0, named=True), "metrics": asked(NAMES)},
        "rounds": {job: len(those) for job, those in runs.items()},
        "left_out": left_out,
        "jobs": {
            job: {field: spread([run.took(field) for run in those]) for field in MEASURED}
            for job, those in runs.items()
        },
        "ratios": {
            peer: {"to": TO, **{what: ratio(runs, peer, field) for what, field in RATIOS.items()}} for peer in peers
        },
        "targets": {peer: PEERS[peer].targets for peer in peers if PEERS[peer].targets},
        "values": compared({peer: json.loads(runs[peer][-1].printed) for peer in peers}, folder),
    }


def version_of(peer: str) -> str:
    """Which version of a library is in its environment."""
    says = f"from importlib.metadata import version; print(version({PEERS[peer].package!r}))"
    command = [str(environment_of(peer) / "bin" / "python"), "-c", says]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def compared(found: dict[str, dict[str, float]], folder: Path) -> dict[str, dict[str, Any]]:
    """Which numbers of each library are those of rankmetrics, which are by its convention, and which are neither."""
    from rankmetrics.metrics.conventions import find

    ours = values(folder, NAMES)
    told = {}
    for peer, theirs in found.items():
        convention = PEERS[peer].convention
        by_convention = values(folder, PEERS[peer].spellings, convention)
        same, conventional = [], {}
        other: dict[str, list[float]] = {}
        for name, spelling in zip(NAMES, PEERS[peer].spellings, strict=True):
            labels = [f"{name}@{k}" for k in CUTOFFS if f"{name}@{k}" in theirs]
            if labels and agree(labels, theirs, ours):
                same.append(name)
            elif labels and agree(labels, theirs, by_convention):
                conventional[name] = find(convention).spellings[spelling]
            else:
                other |= {label: [theirs[label], by_convention[label]] for label in labels}
        told[peer] = {
            "numbers": len(theirs),
            "same": same,
            "convention": convention,
            "by_convention": conventional,
            "other": other,
        }
    return told


def values(folder: Path, spellings: tuple[str, ...], convention: str | None = None) -> dict[str, float]:
    """What rankmetrics finds, by our names: over the lists of both files, which all these libraries take here."""
    import rankmetrics as rm

    paths = (folder / "recs.parquet", folder / "truth.parquet")
    row = rm.evaluate(*paths, asked(spellings), convention=convention, missing="skip").summary().fetchall()[0]
    return dict(zip([f"{name}@{k}" for name in NAMES for k in CUTOFFS], row[1:], strict=True))


def agree(labels: list[str], theirs: dict[str, float], ours: dict[str, float]) -> bool:
    """Whether these numbers are the same."""
    return all(abs(theirs[label] - ours[label]) <= TOLERANCE for label in labels)


def show(found: dict[str, Any]) -> None:
    """Print what each process took and what that is beside rankmetrics, then whose numbers agree."""
    from rich.console import Console
    from rich.table import Table

    took = Table("process", "rounds", "CPU s", "of the rounds", show_edge=False, pad_edge=False)
    for heading in ("x DuckDB", "target", "peak MB", "x DuckDB", "target"):
        took.add_column(heading)
    for column in took.columns[1:]:
        column.justify = "right"
    for job, one in found["jobs"].items():
        cpu, memory = one["cpu_s"], one["memory_mb"]
        beside, targets = found["ratios"].get(job), found["targets"].get(job, {})
        times = {what: f"{beside[what]['median']:.1f}" if beside else "" for what in RATIOS}
        aims = {what: f">= {targets[what]}" if what in targets else "" for what in RATIOS}
        took.add_row(
            *(job, str(found["rounds"][job]), f"{cpu['median']:.2f}", f"{cpu['lowest']:.2f} to {cpu['highest']:.2f}"),
            *(times["cpu"], aims["cpu"], f"{memory['median']:.0f}", times["memory"], aims["memory"]),
        )
    numbers = Table("numbers of", "as rankmetrics", "by its convention", "neither", show_edge=False, pad_edge=False)
    for peer, one in found["values"].items():
        conventional = (
            f"{one['convention']}: {', '.join(one['by_convention'].values())}" if one["by_convention"] else ""
        )
        numbers.add_row(peer, ", ".join(one["same"]), conventional, ", ".join(one["other"]))
    console = Console(width=110, highlight=False)
    console.print(took, "", numbers, "", sep="\n")
    for peer, why in found["left_out"].items():
        console.print(f"{peer} is left out: {why}")
    data, machine = found["data"], found["machine"]
    console.print(", ".join(f"{name} {number}" for name, number in found["versions"].items()))
    console.print(
        f"{data['lists']:,} lists, {data['recs']:,} recommendations; {machine['cpus']} CPUs, "
        f"load {machine['load_before']} before\n"
    )


def prepared(folder: Path | None, lists: int) -> Path:
    """The folder with the data, which is made if it is not there."""
    folder = folder or Path(tempfile.gettempdir()) / f"rankmetrics-bench-peers-{lists}"
    if not all((folder / file).exists() for file in ("recs.parquet", "truth.parquet")):
        measure([sys.executable, str(HERE / "generate.py"), str(folder), "--set", "metrics", "--lists", str(lists)])
    return folder


def main() -> None:
    """Make the data if it is not there, measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="where recs.parquet (with scores) and truth.parquet are")
    parser.add_argument("--lists", type=int, default=100_000, help="how many to make, where there are none")
    parser.add_argument("--peer", choices=PEERS, action="append", help="only this one: shown, not written")
    given = parser.parse_args()
    folder = prepared(given.folder, given.lists)
    load = os.getloadavg()[0]
    runs, left_out = measured(given.peer or list(PEERS), folder)
    # Only now, when no more processes are measured, is Polars imported here.
    found = results(runs, left_out, folder, load)
    if not given.peer:
        write("peers", found)
    show(found)


if __name__ == "__main__":
    main()
