"""pyircor's AP correlations of drawn scores, with and without equal scores.

It declares Python 3.5 to 3.7: `collections.Iterable`, which it imports, is put where it was then.
"""

from __future__ import annotations

import collections
import collections.abc
import random
from importlib.metadata import version
from typing import Any

import numpy as np

from peers.job import write_json

# The number of systems, and of different scores.
SIZES = ((2, 50), (5, 50), (12, 99), (40, 999), (5, 3), (12, 4), (40, 6))
N_PAIRS = 3


def main() -> None:
    collections.Iterable = collections.abc.Iterable  # type: ignore[attr-defined]
    from pyircor.tauap import tauap, tauap_b

    draw, problems = random.Random(8), list[dict[str, Any]]()
    for n, n_scores in SIZES:
        for _ in range(N_PAIRS):
            has_ties = n_scores < n
            judged, right = (
                draw.choices(range(n_scores), k=n) if has_ties else draw.sample(range(n_scores), n) for _ in range(2)
            )
            arrays = [np.array(scores, dtype=float) for scores in (right, judged)]
            one_sided = None if has_ties else float(tauap(*arrays))
            problems.append({"judged": judged, "right": right, "tauap": one_sided, "tauap_b": float(tauap_b(*arrays))})
    versions = {name: version(name) for name in ("pyircor", "numba", "numpy", "scipy")}
    write_json("pyircor", {"versions": versions, "problems": problems})
    print(f"pyircor: {len(problems)} pairs of orders")
