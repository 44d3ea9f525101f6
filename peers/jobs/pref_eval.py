"""Preferences between two rankings by pref_eval, the code of Diaz and Ferraro (2022) and of Diaz and Mitra (2023).

pref_eval is not a package: give a checkout of github.com/diazf/pref_eval on PYTHONPATH. What ran are the files
measures/rpp.py at d017129, measures/lexicographic.py at 2d3a2f9 and util/relevance_vector.py at 146e9e6. Its command
reads runs and judgments of TREC; these are its functions behind that, called as its compute_preference calls them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from measures.lexicographic import lexiprecision, lexirecall
from measures.rpp import recall_paired_preference
from measures.util import PositionWeighting
from util.relevance_vector import RelevanceVector

from peers.job import write_json

# Items, relevant items at most, ranks of each list.
SIZES = ((6, 2, 4), (10, 6, 6), (30, 12, 20), (40, 3, 40))
N_LISTS = 12
CUTOFFS = (1, 3, 10)

# Each of our settings, and the weighting there.
WEIGHTINGS = {
    "uniform": PositionWeighting.UNIFORM,
    "log2": PositionWeighting.DCG,
    "reciprocal": PositionWeighting.INVERSE,
}


def vector(truth: Mapping[int, int], ranked: Sequence[int]) -> Any:
    """The ranks of the relevant items as its read_run finds them."""
    found = RelevanceVector("", len(ranked))
    for rank, item in enumerate(ranked, start=1):
        if item in truth:
            found.append(rank, str(item), {0: float(truth[item])})
    for item in truth.keys() - {*ranked}:
        found.append(None, str(item), {0: float(truth[item])})
    return found


def measured(truth: Mapping[int, int], lists: Sequence[Sequence[int]], k: int) -> dict[str, float]:
    """The preferences of the first of two lists over the second."""
    ours, theirs = (vector(truth, ranked[:k]) for ranked in lists)
    pair = ours.vector(), theirs.vector()
    values = {f"lexirecall@{k}": lexirecall(*pair), f"lexiprecision@{k}": lexiprecision(*pair)}
    for name, weighting in WEIGHTINGS.items():
        values[f"rpp(level_weight={name})@{k}"] = recall_paired_preference(ours, theirs, weighting)
    return values


def main() -> None:
    draw, problems = random.Random(7), list[dict[str, Any]]()
    for n_items, n_relevant, n_ranks in SIZES:
        for _ in range(N_LISTS):
            relevant = draw.sample(range(n_items), draw.randint(1, n_relevant))
            truth = {item: draw.choice([1, 1, 2, 3]) for item in relevant}
            lists = [draw.sample(range(n_items), draw.randint(0, n_ranks)) for _ in range(2)]
            if draw.random() < 0.25:  # the same but for two items
                lists[1] = [*lists[0]]
                lists[1][:2] = lists[1][:2][::-1]
            values = {name: value for k in CUTOFFS for name, value in measured(truth, lists, k).items()}
            problems.append({"truth": [*truth.items()], "lists": lists, "values": values})
    write_json("pref_eval", {"versions": {"pref_eval": "2d3a2f9"}, "problems": problems})
    print(f"pref_eval: {sum(len(problem['values']) for problem in problems)} calls")
