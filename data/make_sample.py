"""Make the demo sample: a small invented world of users, items and three recommenders.

``python data/make_sample.py`` rewrites the four Parquet files beside this script; ``build()``
gives the same frames and writes nothing.  data/README.md describes them.

Every Python must make the same frames.  So floats are only added, multiplied, divided and
square-rooted, which rounds alike everywhere (sums by ``fsum``: ``sum`` rounds differently from
Python 3.12 on); nothing iterates over a set; and every sort has a tie-break.
"""

from __future__ import annotations

import os
from collections import Counter
from math import fsum, sqrt
from pathlib import Path
from random import Random

import polars as pl

SEED = 20
CATEGORIES = ("action", "comedy", "crime", "drama", "fantasy", "horror", "romance", "western")
TASTE = (20, 12, 4, 2, 1, 1, 1, 0.5)  # weight of a user's favourite category, second, ...
USERS = range(1, 501)
ITEMS = range(1001, 1601)
LENGTH = 20  # recommendations in a full list
COLD = 25  # users of each partition, those with least history, whose item-knn list is short
NO_LIST = {1: 1, 2: 3}  # by partition, how many users item-knn has no list for
NO_TRUTH = {1: 0, 2: 2}  # by partition, how many users have recommendations but no truth

Histories = dict[int, list[int]]  # user -> items
Scores = dict[int, dict[int, float]]  # user -> item -> score


def consume(rng: Random, category: dict[int, str]) -> Scores:
    """Draw what each user consumed, and the rating: 1 to 5 in halves."""
    ranked = rng.sample(ITEMS, len(ITEMS))  # most popular first
    popularity = {item: 1 / (rank + 15) for rank, item in enumerate(ranked)}
    quality = {item: rng.random() for item in ITEMS}
    world: Scores = {user: {} for user in USERS}
    for ratings in world.values():
        taste = dict(zip(rng.sample(CATEGORIES, len(CATEGORIES)), TASTE, strict=True))
        weights = [popularity[item] * taste[category[item]] for item in ITEMS]
        size = 4 + int(90 * rng.random() * rng.random() + 15 * rng.random())
        while len(ratings) < size:
            item = rng.choices(ITEMS, weights)[0]
            liking = 1.5 if taste[category[item]] >= 4 else 0
            stars = 0.5 + liking + 1.5 * quality[item] + 2.5 * rng.random()
            ratings[item] = min(5.0, max(1.0, round(2 * stars) / 2))
    return world


def item_knn(histories: Histories, neighbours: int = 20) -> Scores:
    """Score an item by its cosine similarity to the items in the user's history."""
    count = Counter(item for items in histories.values() for item in items)
    together = {item: Counter[int]() for item in sorted(count)}
    for items in histories.values():
        for item in items:
            together[item].update(items)  # and itself, left out below
    nearest: dict[int, list[tuple[float, int]]] = {}
    for item, others in together.items():
        near = [(n / sqrt(count[item] * count[o]), o) for o, n in others.items() if o != item]
        nearest[item] = sorted(near, reverse=True)[:neighbours]
    scores: Scores = {user: {} for user in histories}
    for user, items in histories.items():
        for item in items:
            for similarity, other in nearest[item]:
                scores[user][other] = scores[user].get(other, 0.0) + similarity
    return scores


def matrix_factorisation(rng: Random, histories: Histories, factors: int = 8) -> Scores:
    """Score with a truncated SVD of the user-item matrix, found by orthogonal iteration."""
    owners: Histories = {item: [] for item in ITEMS}
    for user in USERS:
        for item in histories[user]:
            owners[item].append(user)
    basis = [{item: rng.random() - 0.5 for item in ITEMS} for _ in range(factors)]
    tastes = [dict.fromkeys(USERS, 0.0) for _ in range(factors)]
    for _ in range(12):
        for f in range(factors):
            tastes[f] = {user: fsum(basis[f][i] for i in histories[user]) for user in USERS}
            new = {item: fsum(tastes[f][user] for user in owners[item]) for item in ITEMS}
            for done in basis[:f]:  # Gram-Schmidt
                overlap = fsum(new[item] * done[item] for item in ITEMS)
                new = {item: new[item] - overlap * done[item] for item in ITEMS}
            norm = sqrt(fsum(x * x for x in new.values()))
            basis[f] = {item: x / norm for item, x in new.items()}
    both = list(zip(tastes, basis, strict=True))
    return {u: {i: fsum(t[u] * b[i] for t, b in both) for i in ITEMS} for u in USERS}


def build() -> dict[str, pl.DataFrame]:
    """Make the four frames, by file name without its ending."""
    rng = Random(SEED)
    category = {item: rng.choice(CATEGORIES) for item in ITEMS}
    world = consume(rng, category)
    keen = [user for user, ratings in world.items() if len(ratings) >= 20]
    recs: list[tuple[int, str, int, int, float]] = []
    truth: list[tuple[int, int, int, float]] = []
    history: list[tuple[int, int, int, float]] = []
    for partition in (1, 2):
        special = rng.sample(keen, NO_TRUTH[partition] + NO_LIST[partition])
        no_truth, no_list = special[: NO_TRUTH[partition]], special[NO_TRUTH[partition] :]
        histories: Histories = {}
        for user, ratings in world.items():
            items = rng.sample(sorted(ratings), len(ratings))
            held = 0 if user in no_truth else min(20, round(len(items) / 4))
            truth += [(partition, user, item, ratings[item]) for item in sorted(items[:held])]
            histories[user] = sorted(items[held:])
            history += [(partition, user, item, ratings[item]) for item in histories[user]]
        cold = sorted(USERS, key=lambda user: (len(histories[user]), user))[:COLD]
        knn_length = dict.fromkeys(no_list, 0) | {user: rng.randint(3, 12) for user in cold}
        count = Counter(item for items in histories.values() for item in items)
        share = {item: round(count[item] / 10) / 50 for item in ITEMS}  # steps of 2 %, for ties
        algorithms: dict[str, Scores] = {
            "item-knn": item_knn(histories),
            "matrix-factorisation": matrix_factorisation(rng, histories),
            "popular": dict.fromkeys(USERS, share),
        }
        for algorithm, scores in algorithms.items():
            for user, score in scores.items():
                length = knn_length.get(user, LENGTH) if algorithm == "item-knn" else LENGTH
                unseen = [(s, i) for i, s in score.items() if i not in histories[user]]
                best = sorted(unseen, reverse=True)[:length]
                for s, i in rng.sample(best, len(best)):  # not in rank order
                    recs.append((partition, algorithm, user, i, round(s, 4)))
    rated = {"partition": pl.Int8, "user": pl.Int32, "item": pl.Int32, "rating": pl.Float64}
    scored = {"partition": pl.Int8, "algorithm": pl.String, "user": pl.Int32, "item": pl.Int32}
    named = {"item": pl.Int32, "category": pl.String}
    return {
        "recs": pl.DataFrame(recs, {**scored, "score": pl.Float32}, orient="row"),
        "truth": pl.DataFrame(truth, rated, orient="row"),
        "items": pl.DataFrame(list(category.items()), named, orient="row"),
        "history": pl.DataFrame(history, rated, orient="row"),
    }


def main() -> None:
    """Write each frame beside this script, whole or not at all."""
    folder = Path(__file__).resolve().parent
    for name, frame in build().items():
        partial = folder / f"{name}.parquet.partial"
        frame.write_parquet(partial, compression="zstd", compression_level=19)
        os.replace(partial, folder / f"{name}.parquet")


if __name__ == "__main__":
    main()
