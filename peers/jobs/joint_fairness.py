"""The fairness of single items to relevance by the code of Rampisela et al. (2024), on drawn rankings.

It is a fork of RecBole and not a package: give the folder RecBole of a checkout of
github.com/theresiavr/relevance-aware-item-fairness-measures-recsys at f6fb0f4 on PYTHONPATH. It needs NumPy, PyTorch,
SciPy, pandas and pytest; RecBole itself is left out.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from peers.rampisela import calculate, write_problems

# Items, lists, ranks of each list, and relevant items of each at most: fewer of them than ranks, as many, and more.
SIZES = ((20, 3, 4, 3), (12, 4, 3, 3), (8, 6, 8, 5), (9, 25, 3, 7))

# Each of our calls, and its name there. Lists are as long as k: without a cutoff, targets are of all ranks, as there.
CALLS = {
    "expected_exposure_loss(per=item, discount=geometric(p=0.8))": "II-F_ori",
    "item_exposure_loss(discount=geometric(p=0.8))": "AI-F_ori",
}


def main() -> None:
    draw, problems = random.Random(11), list[dict[str, Any]]()
    for n_items, n_lists, k, most in SIZES:
        every = range(1, n_items + 1)
        rankings = [draw.sample(every, k) for _ in range(n_lists)]
        truths = [draw.sample(every, draw.randint(1, most)) for _ in range(n_lists)]
        given = {
            "rec.items": torch.tensor(rankings),
            "data.num_items": n_items + 1,
            "data.pos_items": [np.array(of) for of in truths],
        }
        values = calculate(("MME_IIF_AIF",), given, k, CALLS)
        problems.append({"items": n_items, "rankings": rankings, "truths": truths, "values": values})
    write_problems("joint_fairness", {"relevance-aware-item-fairness-measures-recsys": "f6fb0f4"}, problems)
