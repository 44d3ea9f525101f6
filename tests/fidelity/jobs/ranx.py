"""ranx over a Qrels and a Run: every metric that it has, per query and over all, at several relevance levels.

PYTHONHASHSEED should be set: it tells documents apart by the hashes of their ids, as floats.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from tests.fidelity.jobs import ranx_compare
from tests.fidelity.tables import Row, gathered, jobs, nested, number, save, whole

CUTOFFS = (None, 1, 3, 5, 10, 20)
CUT = "precision recall hits hit_rate f1 map mrr dcg dcg_burges ndcg ndcg_burges r-precision bpref".split()
PATIENCE = ("rbp.95", "rbp.5")
LEVELS = {None: (1, 2), "negative ratings": (-1, 0, 1, 2, 5)}


def measured(problem: str, level: int, recs: list[Row], truth: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    from ranx import Qrels, Run, evaluate

    cut = {(name, k): f"{name}@{k}" if k else name for name in CUT for k in CUTOFFS}
    asked = {key: f"{one}-l{level}" for key, one in (cut | {(one, None): one for one in PATIENCE}).items()}
    run = Run(nested(recs, "score"))
    means = evaluate(Qrels(nested(truth, "rating")), run, list(asked.values()), threads=1, make_comparable=True)
    for (name, k), spelled in asked.items():
        key = problem, f"level={level}", name, k
        yield *key, None, number(means[spelled])
        yield from ((*key, str(user), number(value)) for user, value in run.scores[spelled].items())


def _at_levels(problem: str, recs: list[Row], truth: list[Row]) -> Iterator[tuple[Any, ...]]:
    for level in LEVELS.get(problem, LEVELS[None]):
        yield from measured(problem, level, recs, whole(truth))


def main() -> None:
    """Measure each problem."""
    warnings.simplefilter("ignore")  # numba's, of casts
    values, refused = gathered(jobs(_at_levels))
    save("ranx", ["ranx", "numba", "numpy"], values, refused)
    ranx_compare.main()


if __name__ == "__main__":
    main()
