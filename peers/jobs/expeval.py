"""The expected exposure of drawn rankings by expeval, the code of Diaz et al. (2020).

expeval is not a package: give a checkout of github.com/diazf/expeval at d943b3e on PYTHONPATH. Its command line divides
by bounds; these are its sums before that, and the loss is D - 2 R + the squared target, by its own functions.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import individual
import util

from peers.job import write_json

# Items, draws, users, ranks of each list.
SIZES = ((6, 4, 3, 6), (12, 5, 4, 8), (8, 1, 3, 8), (30, 10, 6, 10))

# Each of our settings, and the model, patience and utility there.
MODELS = {
    "discount=geometric, p=0.5, merit=rating": ("rbp", 0.5, 0.5),
    "discount=geometric, p=0.9, merit=rating": ("rbp", 0.9, 0.5),
    "attention=cascade, discount=geometric, p=0.5, merit=rating": ("gerr", 0.5, 0.5),
    "attention=cascade, discount=geometric, p=0.8, merit=rating": ("gerr", 0.8, 0.5),
}

Lists = Sequence[Sequence[int]]


def measured(truth: Mapping[int, int], lists: Lists, model: tuple[str, float, float]) -> tuple[float, float, float]:
    """Disparity, relevance and loss of the draws of one user."""
    target = individual.target_exposures(truth, *model, False)[0]
    draws = {draw: [[-rank, item] for rank, item in enumerate(of)] for draw, of in enumerate(lists)}
    exposures = individual.treatment_exposures(draws, truth, *model)
    disparity, relevance = util.l2(exposures), util.dot(target, exposures)
    return disparity, relevance, disparity - 2 * relevance + util.l2(target)


def main() -> None:
    draw, problems = random.Random(5), list[dict[str, Any]]()
    for n_items, n_draws, n_users, n_ranks in SIZES:
        truths = [
            {item: draw.choice([1, 1, 2, 3]) for item in draw.sample(range(n_items), n_items // 2)}
            for _ in range(n_users)
        ]
        rankings = [[draw.sample(range(n_items), n_ranks) for _ in range(n_draws)] for _ in range(n_users)]
        values: dict[str, float] = {}
        for settings, model in MODELS.items():
            of_users = [measured(truth, lists, model) for truth, lists in zip(truths, rankings, strict=True)]
            for name, numbers in zip(("disparity", "relevance", "loss"), zip(*of_users, strict=True), strict=True):
                values[f"expected_exposure_{name}({settings})"] = sum(numbers) / n_users
        problems.append({"truths": [[*truth.items()] for truth in truths], "rankings": rankings, "values": values})
    write_json("expeval", {"versions": {"expeval": "d943b3e"}, "problems": problems})
    print(f"expeval: {sum(len(problem['values']) for problem in problems)} calls")
