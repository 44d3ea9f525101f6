"""Small problems that set libraries apart: `python -m peers.problems` writes them, always the same.

Each problem has its own recommendations and its own truth, and the ids of its users are texts. All problems share one
history, one catalogue, one table of similarities, one of features of items, and one baseline: the recommendations of
another system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from random import Random
from statistics import fmean

from peers.tables import Row, write

ITEMS = tuple(f"i{number:02}" for number in range(40))
UNKNOWN = tuple(f"n{number}" for number in range(4))  # items that neither the history nor the catalogue has

Ratings = Sequence[float]
Lists = Mapping[int, Sequence[str]]


def distinct(draw: Random, n: int) -> list[float]:
    """Scores that differ, in random order."""
    return [round(one * 0.37 - 3, 4) for one in draw.sample(range(n * 3), n)]


def tied(draw: Random, n: int) -> list[float]:
    """Scores of which many are equal."""
    return [draw.choice([0.0, 0.5, 0.5, 1.0, 2.0]) for _ in range(n)]


def near(draw: Random, n: int) -> list[float]:
    """Scores that differ in 64 bits, and many of which are equal in 32."""
    return [draw.choice([0.5, 5.0, 1e6]) * (1 + draw.choice([-3, -1, 0, 1, 2, 5]) * 1e-9) for _ in range(n)]


@dataclass(frozen=True)
class Problem:
    """What a problem is made of.

    Attributes:
        name: what it is there for.
        n_users: how many users have recommendations and truth.
        items: what may be recommended and rated.
        lengths: how many recommendations a user may have.
        relevant: how many rows of the truth a user may have.
        ratings: what these rows may be rated.
        scores: gives the scores of a list.
        dense: whether every list holds every item.
    """

    name: str
    n_users: int = 14
    items: Sequence[str] = ITEMS[:24]
    lengths: Sequence[int] = (3, 7, 12, 15)
    relevant: Sequence[int] = (1, 3, 6)
    ratings: Ratings = (1,)
    scores: Callable[[Random, int], list[float]] = distinct
    dense: bool = False


GRADED, SIGNED = (0, 1, 1, 2, 3, 4), (-1, -1, 0, 1, 2, 3)

PROBLEMS: Sequence[Problem] = (
    Problem("plain"),
    Problem("graded", ratings=GRADED),
    Problem("negative ratings", ratings=SIGNED, relevant=(4, 6, 9)),
    Problem("half ratings", ratings=(0.5, 1, 1.5, 2.5), n_users=4),
    Problem("ties", ratings=GRADED, scores=tied),
    Problem(
        "ties of digits", items=[str(one) for one in (*range(1, 13), *range(95, 105))], scores=tied, ratings=GRADED
    ),
    Problem(
        "ties of letters",
        items=["a", "A", "b", "B", "z", "Z", "é", "É", "ß", "ss", "_", "-", "a1", "a10", "a2", "日", "𝄞"],
        scores=tied,
        ratings=GRADED,
    ),
    Problem("near scores", scores=near, ratings=GRADED),
    Problem("long lists", items=ITEMS, lengths=(20, 30, 40), relevant=(5, 15, 25), ratings=GRADED, n_users=10),
    Problem("long ties", items=ITEMS, lengths=(20, 40), relevant=(5, 15), scores=tied, n_users=6),
    Problem("short lists", lengths=(1, 2), relevant=(1, 4)),
    Problem("nothing relevant", ratings=(0,), relevant=(2, 4), n_users=3),
    Problem("some nothing relevant", ratings=(0, 0, 0, 2), relevant=(1, 2)),
    Problem("everything relevant", items=ITEMS[:6], lengths=(4, 6), relevant=(6,), n_users=4),
    Problem("one user", n_users=1, ratings=GRADED, relevant=(6,)),
    Problem("items nobody knows", items=[*ITEMS[:8], *UNKNOWN], lengths=(4, 8)),
    Problem("dense", items=ITEMS[:12], dense=True, relevant=(0, 2, 5), ratings=GRADED),
    Problem("dense ties", items=ITEMS[:12], dense=True, relevant=(0, 2, 5), ratings=GRADED, scores=tied),
    Problem("dense negative ratings", items=ITEMS[:12], dense=True, relevant=(2, 5, 8), ratings=SIGNED, scores=tied),
    Problem("dense long lists", items=ITEMS[:30], dense=True, relevant=(3, 12), ratings=GRADED),
    Problem("dense halves", items=ITEMS[:12], dense=True, relevant=(2, 5), ratings=(0.5, 1.5, 2), scores=tied),
    Problem("dense one label", items=ITEMS[:12], dense=True, relevant=(1,), scores=tied),
)


def made(problem: Problem, draw: Random) -> tuple[list[Row], list[Row]]:
    recs: list[Row] = []
    truth: list[Row] = []
    for number in range(problem.n_users):
        user = called(number)
        items = list(problem.items)
        listed = draw.sample(items, len(items) if problem.dense else min(draw.choice(problem.lengths), len(items)))
        scores = problem.scores(draw, len(listed))
        recs += [_rec(problem.name, user, *pair) for pair in zip(listed, scores, strict=True)]
        rated = draw.sample(items, min(draw.choice(problem.relevant), len(items)))
        ratings = [draw.choice(problem.ratings) for _ in rated]
        if max(ratings, default=0) < 0:
            ratings[0] = 0  # a problem of its own
        truth += [_judged(problem.name, user, *pair) for pair in zip(rated, ratings, strict=True)]
    return recs, truth


def called(number: int) -> str:
    """A user's id: digits, whose order as text is another."""
    return f"{number * 7 % 100}"


def _rec(problem: str, user: str, item: str | None, score: float | None) -> Row:
    return {"problem": problem, "user": user, "item": item, "score": score}


def _judged(problem: str, user: str, item: str, rating: float) -> Row:
    return {"problem": problem, "user": user, "item": item, "rating": float(rating)}


def missing(draw: Random) -> tuple[list[Row], list[Row]]:
    """Users on one side only, and users whose list is empty: a row without an item."""
    name = "missing users"
    recs, truth = made(Problem(name, ratings=GRADED), draw)
    without_recs, without_truth, empty = ("0", "14"), ("7",), ("21", "28")
    recs = [row for row in recs if row["user"] not in (*without_recs, *empty)]
    recs += [_rec(name, user, None, None) for user in empty]
    return recs, [row for row in truth if row["user"] not in without_truth]


def repeated(draw: Random) -> tuple[list[Row], list[Row]]:
    """Items that lists and the truth hold more than once."""
    recs, truth = made(Problem("repeated items", items=ITEMS[:10], lengths=(6, 8), ratings=(1, 2), n_users=5), draw)
    again = [{**row, "score": row["score"] - 0.01} for row in draw.sample(recs, 12)]
    return recs + again, truth + draw.sample(truth, 4)


def only_negative(_: Random) -> tuple[list[Row], list[Row]]:
    """A user whose truth has nothing but negative ratings."""
    name = "only negative ratings"
    recs = [_rec(name, user, item, score) for user in "ab" for score, item in enumerate(ITEMS[:4])]
    return recs, [_judged(name, "a", ITEMS[0], -2), _judged(name, "b", ITEMS[1], 2), _judged(name, "b", ITEMS[2], -2)]


# What the pages of docs/migrating measure: of user 1 a tie, of user 2 nothing rated above 0, of user 3 no list.
EXAMPLE = "example"
EXAMPLE_RECS = {"1": {"100": 5.0, "99": 5.0, "7": 3.0, "8": 1.0}, "2": {"8": 4.0, "7": 3.0, "99": 2.0, "100": 1.0}}
EXAMPLE_TRUTH = {"1": {"99": 3, "7": 1, "100": 0}, "2": {"7": 0}, "3": {"7": 2}}


def example() -> tuple[list[Row], list[Row]]:
    """The rows of that problem, in order."""
    recs = [_rec(EXAMPLE, user, *pair) for user, of in EXAMPLE_RECS.items() for pair in of.items()]
    return recs, [_judged(EXAMPLE, user, *pair) for user, of in EXAMPLE_TRUTH.items() for pair in of.items()]


def every(draw: Random) -> Iterator[tuple[list[Row], list[Row]]]:
    yield from (made(one, draw) for one in PROBLEMS)
    yield from (make(draw) for make in (missing, repeated, only_negative))


def profiles() -> list[Row]:
    """A history for libraries that refuse a recommended item if the user has it already.

    The users who have recommendations have only items that no problem recommends; every third of these users has no
    history. Users p0 to p11, who have no recommendations, have items of both kinds, so that these have users in common.
    """
    draw = Random(20261123)
    unlisted = [f"p{number}" for number in range(10)]
    of_lists = [(called(number), unlisted, (2, 4, 6)) for number in range(14) if number % 3]
    others = [(f"p{number}", [*unlisted, *ITEMS], (6, 15, 25)) for number in range(12)]
    return [
        {"user": user, "item": item}
        for user, items, sizes in (*of_lists, *others)
        for item in draw.sample(items, draw.choice(sizes))
    ]


def subtopics(item: str, rating: float) -> list[tuple[str, float]]:
    """The subtopics of an item that the truth has, each with a rating of its own, not all of them above 0."""
    number = sum(item.encode())
    return [(f"s{one}", rating - one) for one in range(4) if (number + one * one) % 3]


def unequal_profiles() -> list[Row]:
    """A history of the same users of problems, and of others, so that no two items of problems are equally popular."""
    of_lists = [row for row in profiles() if not row["user"].startswith("p")]
    items = sorted({row["item"] for row in profiles()})
    return of_lists + [{"user": f"p{n}", "item": item} for n in range(len(items)) for item in items[n:]]


def ranked(recs: list[Row]) -> list[Row]:
    """Rows with their rank by score within the list; equal scores keep the order of the rows."""
    scores: dict[tuple[str, str], list[float]] = {}
    for row in recs:
        if row["item"] is not None:
            scores.setdefault((row["problem"], row["user"]), []).append(row["score"])
    taken: dict[tuple[str, str, float], int] = {}
    found = []
    for row in recs:
        rank = None
        if row["item"] is not None:
            key = row["problem"], row["user"]
            equal = taken.get((*key, row["score"]), 0)
            taken[(*key, row["score"])] = equal + 1
            rank = 1 + sum(one > row["score"] for one in scores[key]) + equal
        found.append({**row, "rank": rank})
    return found


def baseline(draw: Random) -> list[Row]:
    """Ranked items of some users, one of them of the example; some lists are short."""
    lists = {called(number): draw.sample(ITEMS[:24], draw.choice([2, 6, 12])) for number in range(20) if number % 5}
    lists["1"] = ["99", "8", "7"]
    return [{"user": user, "item": item, "rank": rank} for user, of in lists.items() for rank, item in enumerate(of, 1)]


def main() -> None:
    draw = Random(20260731)
    recs: list[Row] = []
    truth: list[Row] = []
    for some, judged in every(draw):
        shuffled = draw.sample(some, len(some))
        recs += ranked(shuffled)
        truth += draw.sample(judged, len(judged))
    of_example, judged = example()
    recs, truth = [*ranked(of_example), *recs], [*judged, *truth]
    history = [
        {"user": called(number), "item": item}
        for number in range(30)
        for item in ITEMS[: draw.choice([3, 8, 20, 36])]
        if draw.random() < 0.6
    ]
    pairs = [(one, other) for one in ITEMS for other in ITEMS if one < other]
    similarity = [{"item": one, "other": other, "similarity": float(1 - draw.choice(range(5)))} for one, other in pairs]
    features = [{"item": one, "f0": draw.choice((1, 2, 5)), "f1": draw.choice((0, 1, 3))} for one in (*ITEMS, *UNKNOWN)]
    for name, rows in (
        ("features", features),
        ("recs", recs),
        ("truth", truth),
        ("history", history),
        ("catalog", [{"item": one} for one in ITEMS]),
        ("similarity", similarity),
        ("baseline", baseline(Random(20260801))),
        ("profiles", profiles()),
    ):
        write(name, [[*row.values()] for row in rows], [*rows[0]])


# --- what the scripts of competitions return, by their formulas -------------------------------------------------------


def hits(actual: Sequence[str], predicted: Sequence[str]) -> list[int]:
    """The ranks of hits, each item at its first rank."""
    return [at + 1 for at, item in enumerate(predicted) if item in actual and item not in predicted[:at]]


def apk(actual: Sequence[str], predicted: Sequence[str], k: int) -> float:
    return sum(n / rank for n, rank in enumerate(hits(actual, predicted[:k]), 1)) / min(len(actual), k)


def pooled_recall(actual: Lists, predicted: Lists, k: int) -> float:
    n_hits = sum(len(hits(items, predicted.get(user, ())[:k])) for user, items in actual.items())
    return n_hits / sum(min(k, len(items)) for items in actual.values())


def r_precision(actual: Sequence[str], predicted: Sequence[str], k: int) -> float:
    return len({*predicted[:k][: len(actual)]} & {*actual}) / len(actual)


def ndcg(actual: Sequence[str], predicted: Sequence[str], k: int) -> float:
    best = range(1, min(k, len(actual)) + 1)
    return sum(1 / log2(rank + 1) for rank in hits(actual, predicted[:k])) / sum(1 / log2(rank + 1) for rank in best)


def clicks(actual: Sequence[str], predicted: Sequence[str], k: int) -> float:
    return next((float((rank - 1) // 10) for rank in hits(actual, predicted[:k])), k / 10 + 1)


def reciprocal_rank(actual: Sequence[str], predicted: Sequence[str], k: int) -> float:
    return next((1 / rank for rank in hits(actual, predicted[:k])), 0.0)


def graded_dcg(labels: Sequence[int], k: int) -> float:
    return sum((2.0**label - 1) / log2(rank + 1) for rank, label in enumerate(labels[:k], 1))


def of_impression(labels: Sequence[int]) -> dict[str, float]:
    clicked, others = (
        [rank for rank, label in enumerate(labels, 1) if bool(label) is is_hit] for is_hit in (True, False)
    )
    best = sorted(labels, reverse=True)
    return {
        "MRR": fmean(1 / rank for rank in clicked),
        "AUC": fmean(hit < miss for hit in clicked for miss in others),
        **{f"nDCG@{k}": graded_dcg(labels, k) / graded_dcg(best, k) for k in (2, 5)},
    }


if __name__ == "__main__":
    main()


# --- Three drawn systems over sixty queries, as dicts: what ranx compared, and what is compared here ------------------


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


# --- labels of judges and of people, for estimates --------------------------------------------------------------------

N_JUDGED, N_LABELLED, N_CANDIDATES = 90, 30, 8


def drawn_labels() -> tuple[dict[str, Nested], dict[str, Nested]]:
    """Ratings by judge, query and document, those of people among them, and scores by system, query and document.

    The judge `good` is often right. `contrary` rates high what people rate low, so that its weight is 0, and `timid`
    gives half of people's ratings, so that the weight of its DCG is 1. Each query has a relevant document.
    """
    random = Random(11)
    labels: dict[str, Nested] = {name: {} for name in ("people", "good", "contrary", "timid")}
    scores: dict[str, Nested] = {"a": {}, "b": {}}
    for number in range(N_JUDGED):
        query, documents = f"q{number:02}", [f"d{one}" for one in range(N_CANDIDATES)]
        people = {one: float(random.choice([0, 0, 1, 2, 3])) for one in documents}
        people[documents[number % N_CANDIDATES]] = 3.0
        labels["people"][query] = people
        labels["good"][query] = {one: min(3, max(0, people[one] + random.choice([-1, 0, 0, 1]))) for one in documents}
        labels["contrary"][query] = {one: 3.5 - people[one] for one in documents}
        labels["timid"][query] = {one: people[one] / 2 for one in documents}
        for system, skill in (("a", 0.3), ("b", 1.5)):
            scores[system][query] = {one: random.random() + skill * people[one] / 3 for one in documents}
    return labels, scores
