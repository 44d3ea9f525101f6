"""Measure `rm.rank_factors` beside recometrics and the bare matrix product (Linux): `python benchmarks/factors.py`.

Each job runs in a process of its own, with the same data and number of threads; the jobs take turns. Seconds are those
on the clock, from the data in memory to the result, after a warm-up on a small problem. Memory is the peak of the
process; `above data` is what the job needed beside imports and data. A ratio compares two processes of the same round;
the table shows the median of the rounds.

| job | what it is |
|---|---|
| `product` | the bare product, block by block: 1,000 users by all items, into one buffer |
| `ranks` | `rank_factors(...).rows()`: the exact rank of every relevant item |
| `rankmetrics` | the same, and ten metrics of every user by `evaluate(...).per_list()` |
| `collected` | `evaluate(...).collect()` of five metrics, checks among them |
| `recometrics` | the ten metrics by `recometrics.calc_reco_metrics`; needs `--recometrics`, a Python that has it |

The results go into results.json, under `factors`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

USERS, ITEMS, DIMENSIONS, RELEVANT, KNOWN = 100_000, 20_000, 64, 10, 50
THREADS = 2
ROUNDS = 5
BLOCK = 1_000
K = 10
FIVE = ["auc", f"ap@{K}", f"ndcg@{K}", f"recall@{K}", f"rr@{K}"]
METRICS = [*(f"{name}@{K}" for name in "P TP R AP TAP NDCG Hit RR".split()), "ROC_AUC", "PR_AUC"]
JOBS = ("product", "ranks", "rankmetrics", "collected", "recometrics")


def problem(users: int, items: int) -> dict[str, Any]:
    """Random factors in 32 bits, relevant items and known items as sparse matrices that do not meet."""
    import numpy as np
    from scipy.sparse import csr_array

    random = np.random.default_rng(1)
    n = RELEVANT + KNOWN
    columns = random.integers(0, items - n, (users, n), dtype=np.int32)
    columns.sort(axis=1)
    columns += np.arange(n, dtype=np.int32)  # all different
    is_relevant = np.zeros((users, n), bool)
    is_relevant[:, :: n // RELEVANT] = True

    def matrix(of: Any, count: int) -> Any:
        starts = np.arange(users + 1, dtype=np.int32) * count
        return csr_array((np.ones(users * count), columns[of].astype(np.int32), starts), shape=(users, items))

    return {
        "A": random.standard_normal((users, DIMENSIONS), dtype=np.float32),
        "B": random.standard_normal((items, DIMENSIONS), dtype=np.float32),
        "truth": matrix(is_relevant, RELEVANT),
        "history": matrix(~is_relevant, KNOWN),
    }


def product(given: dict[str, Any]) -> float:
    """The bare product."""
    import numpy as np

    a, b = given["A"], given["B"]
    block = np.empty((BLOCK, len(b)), a.dtype)
    for start in range(0, len(a), BLOCK):
        part = a[start : start + BLOCK]
        np.dot(part, b.T, out=block[: len(part)])
    return float(block[0, 0])


def _ranked(given: dict[str, Any]) -> Any:
    import rankmetrics as rm

    return rm.rank_factors(given["A"], given["B"], given["truth"], history=given["history"], threads=THREADS)


def ranks(given: dict[str, Any]) -> float:
    """The rank of every relevant item."""
    return float(_ranked(given).rows().collect()["rank"].mean())


def rankmetrics(given: dict[str, Any]) -> float:
    """Ten metrics of every user."""
    import rankmetrics as rm

    ranked = _ranked(given)
    found = rm.evaluate(ranked, ranked.truth, METRICS, convention="recometrics").per_list().collect()
    return float(found["ROC_AUC"].mean())


def collected(given: dict[str, Any]) -> float:
    """Means of five metrics, computed and checked."""
    import rankmetrics as rm

    ranked = _ranked(given)
    return float(rm.evaluate(ranked, ranked.truth, FIVE).collect()["auc"][0])


def recometrics(given: dict[str, Any]) -> float:
    """Ten metrics of every user, by recometrics."""
    import recometrics as rc  # type: ignore[import-not-found,unused-ignore]

    found = rc.calc_reco_metrics(
        given["history"],
        given["truth"],
        given["A"],
        given["B"],
        k=K,
        all_metrics=True,
        break_ties_with_noise=False,
        nthreads=THREADS,
    )
    return float(found["ROC_AUC"].mean())


def run(job: str, users: int, items: int) -> None:
    """Run a job in this process, and print what it took."""
    from resource import RUSAGE_SELF, getrusage

    work = globals()[job]
    work(problem(200, items))
    given = problem(users, items)
    before = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    began, used = time.perf_counter(), time.process_time()
    value = work(given)
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak_mb": peak, "above_data_mb": peak - before, "value": value}))


def measured(job: str, users: int, items: int, python: str) -> dict[str, float]:
    """What a job took, in a process of its own."""
    threads = {name: str(THREADS) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")}
    command = [python, __file__, "--job", job, "--users", str(users), "--items", str(items)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **threads}, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compared(rounds: list[dict[str, dict[str, float]]]) -> dict[str, Any]:
    """Medians of the rounds; ratios of jobs of the same round."""
    jobs = [job for job in JOBS if job in rounds[0]]
    found: dict[str, Any] = {
        job: {
            name: round(median(one[job][name] for one in rounds), 3) for name in ("seconds", "peak_mb", "above_data_mb")
        }
        for job in jobs
    }
    to_product = [(job, "product") for job in ("ranks", "rankmetrics", "collected")]
    pairs = [*to_product, ("recometrics", "ranks"), ("recometrics", "rankmetrics")]
    found["ratios"] = {
        f"{one} / {other}": [
            round(f(each[one]["seconds"] / each[other]["seconds"] for each in rounds), 2) for f in (median, min, max)
        ]
        for one, other in pairs
        if one in jobs
    }
    return found


def main() -> None:
    """Measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job", choices=JOBS, help="run this job in this process")
    parser.add_argument("--users", type=int, default=USERS)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--recometrics", metavar="PYTHON", help="a Python that has recometrics and SciPy")
    parser.add_argument("--dry", action="store_true", help="write no results")
    given = parser.parse_args()
    if given.job:
        run(given.job, given.users, given.items)
        return
    pythons = dict.fromkeys(JOBS, sys.executable) | {"recometrics": given.recometrics}
    rounds = []
    for _ in range(given.rounds):
        rounds.append(
            {job: measured(job, given.users, given.items, python) for job, python in pythons.items() if python}
        )
        print({job: round(one["seconds"], 2) for job, one in rounds[-1].items()}, file=sys.stderr, flush=True)
    values = {job: rounds[0][job]["value"] for job in ("rankmetrics", "recometrics") if job in rounds[0]}
    if max(values.values()) - min(values.values()) > 1e-6:
        sys.exit(f"The mean ROC AUC differs: {values}")
    found = compared(rounds)
    print(json.dumps(found, indent=1))
    if not given.dry:
        sys.path.insert(0, str(Path(__file__).parent))
        from run import where, write

        shape = {"users": given.users, "items": given.items, "dimensions": DIMENSIONS, "threads": THREADS}
        write("factors", {**where(os.getloadavg()[0]), **shape, "rounds": given.rounds, **found})


if __name__ == "__main__":
    main()
