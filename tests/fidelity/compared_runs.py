"""Three drawn systems over sixty queries, as dicts: what ranx compared, and what is compared here."""

from __future__ import annotations

from random import Random

N_QUERIES, N_DOCUMENTS, N_RANKED, N_RELEVANT = 60, 200, 20, 8

# How much a system's score follows relevance; the rest is chance.
SKILL = {"weak": 0.35, "medium": 0.4, "strong": 0.6}

Nested = dict[str, dict[str, float]]


def drawn_runs() -> tuple[dict[str, dict[str, int]], dict[str, Nested]]:
    """Ratings by query and document, and scores by system, query and document. No two scores of a query are equal."""
    random = Random(7)
    ratings: dict[str, dict[str, int]] = {}
    runs: dict[str, Nested] = {name: {} for name in SKILL}
    for number in range(N_QUERIES):
        query = f"q{number:02}"
        documents = [f"d{one:03}" for one in range(N_DOCUMENTS)]
        relevant = random.sample(documents, N_RELEVANT)
        ratings[query] = {one: random.choice([1, 1, 2, 3]) for one in relevant}
        for name, skill in SKILL.items():
            scores = {one: random.random() + skill * (one in ratings[query]) for one in documents}
            best = sorted(scores, key=lambda one: -scores[one])[:N_RANKED]
            runs[name][query] = {one: scores[one] for one in best}
    return ratings, runs
