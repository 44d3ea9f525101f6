"""Values per list of several systems, and evaluations whose values per list are these."""

from __future__ import annotations

import numpy as np
import polars as pl

# The values of a metric are sixteenths, so that equal differences are equal on every engine.
STEPS = 16


def values_per_list(
    n_users: int = 60, systems: tuple[str, ...] = ("als", "knn", "pop"), *, n_days: int = 1, seed: int = 0
) -> pl.DataFrame:
    """A table of values per list: system, user, day, and two metrics; some values of the second are NULL."""
    random = np.random.default_rng(seed)
    rows = []
    for user in range(n_users):
        of_user = random.normal(0, 2)
        for day in range(n_days):
            for place, system in enumerate(systems):
                sixteenths = round(float(np.clip(8 + of_user + place + random.normal(0, 2), 0, STEPS)))
                second = None if random.random() < 0.1 else random.integers(0, 4) / 4
                rows.append((system, user, day, sixteenths / STEPS, second))
    return pl.DataFrame(rows, schema=["system", "user", "day", "ndcg@10", "recall@5"], orient="row")
