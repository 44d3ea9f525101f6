"""The fairness of single items by the code of Rampisela et al. (2024), as it is and corrected, on drawn rankings.

It is a fork of RecBole and not a package: give the folder RecBole of a checkout of
github.com/theresiavr/individual-item-fairness-measures-recsys at 312940f on PYTHONPATH. It needs NumPy, SciPy, PyTorch
and pytest; RecBole itself is left out.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from peers.rampisela import calculate, write_problems

# Items, lists, ranks of each list: fewer recommendations than items, as many, a multiple, and more.
SIZES = ((20, 3, 4), (12, 4, 3), (6, 6, 3), (10, 7, 3), (9, 25, 5))

# Each of our calls, and its name there.
CALLS = {
    "jain": "Jain_ori",
    "jain(form=corrected)": "Jain_our",
    "coverage": "QF_ori",
    "coverage(unit=corrected)": "QF_our",
    "exposure_entropy(unit=share)": "Ent_ori",  # not a number there if an item is left out
    "exposure_entropy(unit=corrected)": "Ent_our",
    "gini": "Gini_ori",
    "gini(form=corrected)": "Gini_our",
    "gini(weight=log2)": "Gini-w_ori",
    "gini(form=corrected, weight=log2)": "Gini-w_our",
    "satisfied_items": "FSat_ori",
    "satisfied_items(form=corrected)": "FSat_our",
    "exposure_variance(weight=geometric(p=0.8))": "AI-D_ori",
    "coverage_disparity": "VoCD_ori",
}


def main() -> None:
    draw, problems = random.Random(7), list[dict[str, Any]]()
    for n_items, n_lists, k in SIZES:
        # Items are numbered from 1; the first are drawn more often.
        weights = 1 / np.arange(1, n_items + 1)
        keys = [[draw.random() ** (1 / weight) for weight in weights] for _ in range(n_lists)]
        rankings = [[int(item) + 1 for item in np.argsort(of)[::-1][:k]] for of in keys]
        given = {"rec.items": torch.tensor(rankings), "data.num_items": n_items + 1}
        values = calculate(("FairWORel", "IID_AID"), given, k, CALLS)
        problems.append({"items": n_items, "rankings": rankings, "values": values})
    write_problems("item_fairness", {"individual-item-fairness-measures-recsys": "312940f"}, problems)
