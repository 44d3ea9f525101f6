"""Extrapolated rank-biased overlap of lists with and without ties, by the code of Corsi and Urbano (2024).

The code is not a package: give rbo/Python of github.com/julian-urbano/sigir2024-rbo at 0338fd9 on PYTHONPATH.
"""

from __future__ import annotations

import random
from typing import Any

from rbo import extract_ranking, rbo

from peers.job import write_json

# The number of items that both lists are drawn from, the greatest lengths of the two lists, and the number of scores.
SIZES = ((6, 4, 4, 100), (8, 8, 3, 100), (30, 12, 20, 100), (8, 6, 6, 3), (12, 10, 5, 3), (30, 20, 20, 5))
PATIENCE = (0.5, 0.85, 0.98)
N_PAIRS = 5


def drawn(draw: random.Random, n_items: int, n: int, n_scores: int) -> dict[str, int]:
    """The score of each item of a list of at most n items."""
    items = draw.sample([f"i{number}" for number in range(n_items)], draw.randint(1, n))
    return dict(zip(items, draw.choices(range(n_scores), k=len(items)), strict=True))


def main() -> None:
    draw, pairs = random.Random(24), list[dict[str, Any]]()
    for n_items, n, n_other, n_scores in SIZES:
        for _ in range(N_PAIRS):
            lists = drawn(draw, n_items, n, n_scores), drawn(draw, n_items, n_other, n_scores)
            rankings = [extract_ranking([*of], [*of.values()]) for of in lists]
            values = [
                [ties, p, float(rbo(*rankings, p, ties, ("ext",))["ext"])] for ties in ("w", "a", "b") for p in PATIENCE
            ]
            pairs.append({"lists": lists, "values": values})
    write_json("tied_rbo", {"versions": {"sigir2024-rbo": "0338fd9"}, "pairs": pairs})
    print(f"tied_rbo: {sum(len(pair['values']) for pair in pairs)} calls")
