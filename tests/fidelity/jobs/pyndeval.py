"""The measures of ndeval, TREC's program for diversity, by pyndeval: of drawn lists over drawn subtopics."""

from __future__ import annotations

import random
from importlib.metadata import version
from typing import Any

import pyndeval

from tests.fidelity.job import write_json
from tests.fidelity.tables import write

USERS, ITEMS, SUBTOPICS = 40, 30, 6

# Their measures, and ours. At the cutoff 1 ndeval leaves out the divisor of ERR-IA and alpha-DCG.
MEASURES = {
    **{f"alpha-DCG@{k}": f"alpha_dcg@{k}" for k in (2, 5, 10, 20)},
    **{f"ERR-IA@{k}": f"err_ia@{k}" for k in (2, 5, 10, 20)},
    **{f"alpha-nDCG@{k}": f"alpha_ndcg@{k}" for k in (1, 2, 5, 10, 20)},
    **{f"nERR-IA@{k}": f"err_ia(of=ideal)@{k}" for k in (1, 5, 10, 20)},
    "NRBP": "nrbp(p={beta})",
    "MAP-IA": "ap_ia",
    **{f"P-IA@{k}": f"precision_ia@{k}" for k in (1, 5, 10, 20)},
    **{f"strec@{k}": f"subtopic_recall@{k}" for k in (1, 5, 10, 20)},
}
SETTINGS = ((0.5, 0.5), (0.3, 0.8))


def drawn() -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Lists of different lengths, and judgments that are not all of relevant items; some subtopics have none."""
    draw = random.Random(7)
    recs, truth = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for number in range(USERS):
        user, items = f"u{number:02}", [f"i{item:02}" for item in range(ITEMS)]
        listed = draw.sample(items, draw.choice([3, 12, 25]))
        recs += [(user, item, rank, float(ITEMS - rank)) for rank, item in enumerate(listed, start=1)]
        judged = [(item, f"s{subtopic}") for item in items for subtopic in range(SUBTOPICS) if draw.random() < 0.15]
        truth += [(user, item, subtopic, draw.choice([0, 1, 1, 2])) for item, subtopic in judged]
    return recs, truth


def main() -> None:
    recs, truth = drawn()
    write("pyndeval_recs", recs, ("user", "item", "rank", "score"))
    write("pyndeval_truth", truth, ("user", "item", "subtopic", "rating"))
    qrels = [(user, subtopic, item, rating) for user, item, subtopic, rating in truth]
    run = [(user, item, score) for user, item, _, score in recs]
    values: dict[str, dict[str, dict[str, float]]] = {}
    for alpha, beta in SETTINGS:
        by_user = pyndeval.ndeval(qrels, run, [*MEASURES], alpha=alpha, beta=beta)
        values[f"{alpha}, {beta}"] = {
            ours.format(beta=beta): {user: of[theirs] for user, of in by_user.items()}
            for theirs, ours in MEASURES.items()
        }
    write_json("pyndeval", {"versions": {"pyndeval": version("pyndeval")}, "values": values})
    print(f"pyndeval: {sum(len(users) for of in values.values() for users in of.values())} values")


if __name__ == "__main__":
    main()
