"""Generated sound data of many kinds: users who like items by popularity and taste, and models that know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
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


def worlds(
    users: tuple[int, ...] = (5, 30, 150, 400),
    items: tuple[int, ...] = (15, 60, 400, 1500),
    tastes: tuple[float, ...] = (0.5, 1.5, 3.0),
) -> st.SearchStrategy[World]:
    """Worlds of few and many users, small and large catalogues, with and without popular items and tastes."""
    return st.builds(
        World.drawn,
        seed=st.integers(0, 2**32),
        n_users=st.sampled_from(users),
        n_items=st.sampled_from(items),
        n=st.sampled_from((1, 2, 6)),
        tail=st.sampled_from((0.0, 0.6, 1.0, 1.6)),
        taste=st.sampled_from(tastes),
    )
