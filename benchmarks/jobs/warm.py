"""Milliseconds of CPU of one call in a process that made it before: the folder, which is not read, then what is called.

The rows are made in memory: 1,000 lists of 20 with scores, and ten relevant items for each. Five metrics at 10.
pytrec_eval gets dicts that are there before, and runs in an environment of its own: `make .venv-peer-pytrec_eval/done`.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

LISTS, LENGTH, RELEVANT, ITEMS = 1_000, 20, 10, 500
CALLS = 30
FIVE = ("ndcg@10", "recall@10", "precision@10", "ap@10", "rr@10")
PEER = Path(__file__).resolve().parents[2] / ".venv-peer-pytrec_eval" / "bin" / "python"


def rows(length: int, seed: int) -> list[tuple[int, int]]:
    """Items of each list: half of them are the list's own, of both inputs; all of them differ."""
    own = [(user, (user * 37 + place * 11) % ITEMS) for user in range(LISTS) for place in range(length // 2)]
    others = [
        (user, (user * 37 + (LENGTH + place * seed) * 11) % ITEMS)
        for user in range(LISTS)
        for place in range(1, length - length // 2 + 1)
    ]
    return sorted({*own, *others})


def calls() -> dict[str, Callable[[], Any]]:
    """What is called, by name."""
    import polars as pl

    import rankmetrics as rm

    recs, truth = rows(LENGTH, 1), rows(RELEVANT, 3)
    users, items = zip(*recs, strict=True)
    scores = [1 - place / len(recs) for place in range(len(recs))]
    of_truth = pl.DataFrame(truth, schema=["user", "item"], orient="row")
    frame = pl.DataFrame({"user": users, "item": items, "score": scores})
    collected = rm.evaluate(frame, of_truth, FIVE)
    collected.collect()
    return {
        "collect": lambda: rm.evaluate(frame, of_truth, FIVE).collect(),
        "summary": lambda: rm.evaluate(frame, of_truth, FIVE).summary().collect(),
        "print": lambda: str(collected),
    }


def of_peer() -> Callable[[], Any]:
    """The same numbers by pytrec_eval, from its dicts."""
    import pytrec_eval  # type: ignore[import-not-found,unused-ignore]

    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    recs = rows(LENGTH, 1)
    for place, (user, item) in enumerate(recs):
        run.setdefault(str(user), {})[str(item)] = 1 - place / len(recs)
    for user, item in rows(RELEVANT, 3):
        qrels.setdefault(str(user), {})[str(item)] = 1
    asked = {"ndcg_cut.10", "recall.10", "P.10", "map_cut.10", "recip_rank"}

    def means() -> list[float]:
        lists = list(pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run).values())
        return [sum(one[name] for one in lists) / len(lists) for name in lists[0]]

    return means


def main() -> None:
    """Call it, and print the median."""
    called = sys.argv[2]
    if called == "pytrec_eval" and Path(sys.executable) != PEER:
        if not PEER.exists():
            sys.exit("pytrec_eval is not installed: make .venv-peer-pytrec_eval/done")
        os.execv(PEER, [str(PEER), *sys.argv])
    call = of_peer() if called == "pytrec_eval" else calls()[called]
    took = []
    call()
    for _ in range(CALLS):
        start = process_time()
        call()
        took.append(process_time() - start)
    print(json.dumps({"call_ms": 1000 * median(took)}))


if __name__ == "__main__":
    main()
