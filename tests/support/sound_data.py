"""Generated sound data of many kinds: users who like items by popularity and taste, and models that know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st


@dataclass(frozen=True)
class World:
    """Users, items, and models of what the users like.

    Attributes:
        truth: (users, n), the items that each user liked later.
        history: (users, n), the items that each user liked before.
        scores: for each model, (users, items): `taste` and `noisy` know what users like; `popular` is the same for all
            users; `random` is random for each user, `fixed` is one random order, `groups` has one for a third of them.
    """

    truth: Any
    history: Any
    scores: Mapping[str, Any]

    @classmethod
    def drawn(cls, seed: int, n_users: int, n_items: int, n: int, tail: float, taste: float) -> World:
        """A world of its own for each seed.

        Args:
            seed: of all that is random.
            n_users, n_items: how many there are.
            n: how many items each user liked before, and later.
            tail: how much more popular some items are: the exponent of a power law.
            taste: how much users differ.
        """
        random = np.random.default_rng(seed)
        popularity = -tail * np.log(random.permutation(n_items) + 1)
        users, items = random.normal(size=(n_users, 8)), random.normal(size=(n_items, 8)) / 8**0.5
        likes = popularity + taste * users @ items.T
        liked = np.argsort(-(likes + random.gumbel(size=likes.shape)), axis=1)[:, : 2 * n]
        liked = random.permuted(liked, axis=1)
        counts = np.bincount(liked[:, n:].ravel(), minlength=n_items).astype(float)
        scores = {
            "taste": likes,
            "noisy": likes + random.normal(scale=3, size=likes.shape),
            "popular": np.tile(counts, (n_users, 1)),
            "random": random.random(likes.shape),
            "fixed": np.tile(random.random(n_items), (n_users, 1)),
            "groups": random.random((3, n_items))[random.integers(0, 3, n_users)],
        }
        return cls(liked[:, :n], liked[:, n:], scores)

    def recs(self, *systems: str, k: int = 10) -> pl.DataFrame:
        """The first items of each user by some models, without the items of the history, with ranks and scores."""
        frames = []
        for system in systems:
            scores = self.scores[system].copy()
            np.put_along_axis(scores, self.history, -np.inf, axis=1)
            items = np.argsort(-scores, axis=1, kind="stable")[:, :k]
            best = np.take_along_axis(scores, items, axis=1)
            columns = {"rank": np.tile(np.arange(1, k + 1), len(items)), "score": best.ravel()}
            frames.append(rows(items).select(pl.lit(system).alias("algorithm"), "user", "item").with_columns(**columns))
        return pl.concat(frames)


def rows(items: Any) -> pl.DataFrame:
    """A row for each user and item, with ids that have gaps."""
    return pl.DataFrame({"user": np.repeat(np.arange(len(items)), items.shape[1]) * 3, "item": items.ravel() * 7 + 13})


# Few and many users, small and large catalogues, with and without popular items and tastes.
CHOICES: Mapping[str, Sequence[float]] = {
    "n_users": (5, 30, 150, 400),
    "n_items": (15, 60, 400, 1500),
    "n": (1, 2, 6),
    "tail": (0, 0.6, 1, 1.6),
    "taste": (0.5, 1.5, 3),
}


def worlds(**choices: Sequence[float]) -> st.SearchStrategy[World]:
    """Worlds of all kinds, or of the chosen ones."""
    drawn = {name: st.sampled_from(values) for name, values in {**CHOICES, **choices}.items()}
    return st.builds(World.drawn, seed=st.integers(0, 2**32), **drawn)
