"""The tables of docs/performance.md and docs/larger-than-memory.md, from the last run of the benchmarks."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from docs.tooling import ROOT

RESULTS = ROOT / "benchmarks" / "results.json"

# The rows of the table of speed: the set of the benchmark, the heading of the row, the name of the ratio.
SPEED = (
    ("ranked", "ranks given: CPU / the best handwritten plan", "rankmetrics {} / hand {}"),
    ("ranked", "CPU / the best handwritten plan that has a value for every list", "rankmetrics {} / per list {}"),
    (
        "ranked",
        "CPU / that plan, if it counts an item once when the truth repeats it",
        "rankmetrics {} / per list, once {}",
    ),
    ("ranked", "CPU / straightforward SQL, or straightforward Polars", "rankmetrics {} / first {}"),
    ("ranked", "CPU / a bare join of the two files", "rankmetrics {} / bare join {}"),
    ("ranked", "memory / that plan", "rankmetrics {} / per list, once {}, memory"),
    ("ranked_50m", "five times the rows: CPU / the plan with a value for every list", "rankmetrics {} / per list {}"),
    ("ranked_50m", "CPU / that plan, if it counts an item once", "rankmetrics {} / per list, once {}"),
    ("scored", "scores only: CPU / the engine's own ranking of the same rows", "rankmetrics {} / rank only {}"),
    ("shuffled", "scores only, rows shuffled: CPU / the same", "rankmetrics {} / rank only {}"),
    ("growth", "CPU per row with 100 million rows / with 10 million", "{} per row, 100M / 10M, less one list"),
    ("metrics", "each of 29 more metrics / the first", "each of 29 more metrics / the first, {}"),
    ("metrics", "twenty cutoffs / one", "twenty cutoffs {} / one cutoff {}"),
    ("metrics", "graded gains / binary gains", "graded {} / binary {}"),
    ("metrics", "all accuracy metrics at six cutoffs / the six metrics", "catalogue {} / six {}"),
    ("large_truth", "100 times the truth, `missing=skip`: CPU / a bare join", "rankmetrics {}, skip / bare join {}"),
)


def speed_table() -> str:
    """The ratios that `make bench` measured last."""
    results = results_of_benchmarks()
    ranked = results["ranked"]
    machine, data = ranked["machine"], ranked["data"]["ranked"]
    told = (
        f"{data['lists']:,} lists of {data['recs'] // data['lists']} recommendations, six metrics at 5, 10 and 20, "
        "from Parquet. CPU and peak memory are of whole processes, including the start of Python; medians of "
        f"{ranked['rounds']} rounds on {machine['cpus']} CPUs."
    )
    rows = [
        told,
        "",
        "| | DuckDB | Polars | target |",
        "|---|---|---|---|",
        *(
            f"| {what} | {_cells(results[name]['numbers'], number)} |"
            for name, what, number in SPEED
            if name in results
        ),
        *(_target_row(peer, results["peers"]) for peer in results["peers"]["targets"]),
        "",
        _systems_speed(results["systems"]),
    ]
    return "\n".join(rows)


def _target_row(peer: str, peers: dict[str, Any]) -> str:
    """The CPU and the memory of another library, and what they should be."""
    beside, targets = peers["ratios"][peer], peers["targets"][peer]
    measured = " and ".join(f"{beside[what]['median']:.1f}" for what in targets)
    wanted = " and ".join(f"at least {least}" for least in targets.values())
    return f"| {' and '.join(targets)} of {peer} / rankmetrics | {measured} |  | {wanted} |".replace("cpu", "CPU")


def numbers_table(*sets: str) -> str:
    """Every number of some sets of the benchmark, as it was measured last, beside its target."""
    rows = ["| | median | of the rounds | target |", "|---|---|---|---|"]
    for name in sets:
        for what, number in results_of_benchmarks()[name]["numbers"].items():
            target = f"at most {number['at_most']}" if "at_most" in number else ""
            of_rounds = f"{number['lowest']:.2f} to {number['highest']:.2f}"
            rows.append(f"| {what} | {number['median']:.2f} | {of_rounds} | {target} |")
    return "\n".join(rows)


def peers_table() -> str:
    """The CPU and memory of other libraries for the same metrics."""
    peers = results_of_benchmarks()["peers"]
    rows = [
        f"| {peer} {peers['versions'][peer]} | {beside['cpu']['median']:.1f} | {beside['memory']['median']:.1f} |"
        for peer, beside in sorted(peers["ratios"].items(), key=lambda one: float(one[1]["cpu"]["median"]))
    ]
    return "\n".join(["| | CPU | memory |", "|---|---|---|", "| rankmetrics on DuckDB | 1 | 1 |", *rows])


def speed_sentences() -> str:
    """What the README says about speed: the range of other libraries, and the memory for a billion rows."""
    results = results_of_benchmarks()
    ratios = results["peers"]["ratios"].values()
    cpu, memory = (sorted(one[what]["median"] for one in ratios) for what in ("cpu", "memory"))
    billion = results["large"]["sets"]["billion_ranked"]
    assert billion["data"]["recs"] == 10**9
    return textwrap.fill(
        f"Other libraries take {cpu[0]:.0f} to {cpu[-1]:.0f} times the CPU of `collect()`, and {memory[0]:.0f} to "
        f"{memory[-1]:.0f} times its memory, for the same metrics over 10 million recommendations. With "
        f"`--memory-limit 2GB`, a billion recommendations with ranks take {billion['memory_mb'] / 1000:.1f} GB of "
        "memory.",
        125,
    )


def large_table() -> str:
    """What larger than memory took, under a limit of 2 GB."""
    rows = [
        "| rows, by the command line under `--memory-limit 2GB` | peak memory | on disk meanwhile | exact |",
        "|---|---|---|---|",
        *(
            f"| {one['data']['recs']:,} with {LARGE[name]} | {one['memory_mb'] / 1000:.2f} GB | "
            f"{one['spilled_mb'] / 1000:.1f} GB | {'yes' if one['exact'] else 'no'} |"
            for name, one in results_of_benchmarks()["large"]["sets"].items()
        ),
    ]
    return "\n".join(rows)


LARGE = {
    "billion_ranked": "ranks",
    "billion_scored": "scores, list after list",
    "billion_shuffled": "scores, in random order",
}


def results_of_benchmarks() -> dict[str, Any]:
    """The results of the benchmarks, by the name of the set."""
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results


def _cells(numbers: dict[str, Any], number: str) -> str:
    """A number of each engine, and what it should be."""
    found = [numbers[number.replace("{}", engine)] for engine in ("duckdb", "polars")]
    target = f"at most {found[0]['at_most']}" if "at_most" in found[0] else ""
    return " | ".join([*(f"{one['median']:.2f}" for one in found), target])


def _systems_speed(systems: dict[str, Any]) -> str:
    """The cost of metrics of a system, in a sentence."""

    def times(metric: str, engine: str) -> str:
        return f"{systems['numbers'][f'{metric} {engine} / bare group {engine}']['median']:.1f}"

    told = " and ".join(
        f"{metric} {times(metric, 'duckdb')} (DuckDB) and {times(metric, 'polars')} (Polars)"
        for metric in ("gini", "personalization")
    )
    return (
        f"Metrics of a system over {systems['data']['systems']['lists']:,} lists of 50, in multiples of the CPU of a "
        f"scan that groups the same rows by item: {told}."
    )
