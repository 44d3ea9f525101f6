"""Microsoft's recommenders over pandas frames: over all users, and of some problems for each user alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, by_problem, number, read, save

CUTOFFS = (1, 3, 10)
BY_USER = ("example", "graded", "ties", "negative ratings", "short lists")
COLUMNS = {"col_user": "user", "col_item": "item"}

# A user alone without a hit has an r_precision_at_k and an ndcg_at_k of 0. Among others, the mean of the first
# leaves out such a user, and that of the second may. So users alone are given no
# r_precision_at_k, and the binary ndcg_at_k only.
RATED = ("precision_at_k", "recall_at_k", "map", "map_at_k", "r_precision_at_k", "ndcg_at_k")
NDCG = ("", "score_type=raw", "score_type=exp", "discfun_type=log2")
LISTED = ("catalog_coverage", "distributional_coverage", "novelty", "diversity", "serendipity")

QUIRKS = (
    "precision_at_k(true([('1', 'a')]), pred([('1', 'a', 2.0)]), k=10)",
    "precision_at_k(true([('1', 'a'), ('2', 'b')]), pred([('1', 'a', 2.0)]), k=1)",
    "ndcg_at_k(true([('1', 'a'), ('2', 'b')]), pred([('1', 'a', 2.0)]), k=1)",
    "recall_at_k(true([('1', 'a', 0), ('1', 'b', 5)]), pred([('1', 'a', 2.0)]), k=1)",
    "r_precision_at_k(true([('1', 'a'), ('2', 'b')]), pred([('1', 'a', 2.0), ('2', 'a', 2.0)]), k=1)",
    "r_precision_at_k(true([('1', 'a'), ('1', 'b')]), pred([('1', 'a', 2.0)]), k=1)",
    (
        "precision_at_k(true([('1', 'a')]), pred([('1', 'b', 9.0), ('1', 'a', 8.0)]), k=2, "
        "relevancy_method='by_threshold', threshold=1)"
    ),
    "precision_at_k(true([('1', 'a')]), pred([('1', 'a', 2.0), ('1', 'a', 1.0)]), k=2)",
    "novelty(train([('1', 'a'), ('2', 'b')]), train([('3', 'a'), ('3', 'z')]))",
    "catalog_coverage(train([('1', 'a')]), train([('2', 'b'), ('2', 'c')]))",
    "serendipity(train([('1', 'a'), ('2', 'a'), ('2', 'b')]), train([('1', 'b'), ('3', 'b')]))",
)


def _frame(rows: list[Row], *columns: str) -> Any:
    import pandas as pd

    names = ["user", "item", *columns]
    return pd.DataFrame([[row[name] for name in names] for row in rows], columns=names)


def measured(problem: str, recs: list[Row], truth: list[Row], history: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    recs = [row for row in recs if row["item"] is not None]
    for user in (None, *(dict.fromkeys(row["user"] for row in (*recs, *truth)) if problem in BY_USER else ())):
        some, judged = ([row for row in rows if user in (None, row["user"])] for rows in (recs, truth))
        if judged:
            names = [name for name in RATED if user is None or name != "r_precision_at_k"] if some else ["ndcg_at_k"]
            yield from (
                (problem, *row[:3], user, row[3]) for row in _rated(names, some, judged, alone=user is not None)
            )
        if some and problem != "repeated items":
            yield from ((problem, "", name, None, user, value) for name, value in _listed(some, history, user))


def _rated(
    names: list[str], recs: list[Row], truth: list[Row], *, alone: bool
) -> Iterator[tuple[str, str, int, float | None]]:
    from recommenders.evaluation import python_evaluation as of

    true, pred = _frame(truth, "rating"), _frame(recs, "score")
    for name in names:
        for setting in NDCG if name == "ndcg_at_k" and not alone else ("",):
            options = dict([setting.split("=")]) if setting else {}
            for k in CUTOFFS:
                value = getattr(of, name)(
                    true, pred, **COLUMNS, **options, col_rating="rating", col_prediction="score", k=k
                )
                yield setting, name, k, number(value)


def _listed(recs: list[Row], history: list[Row], user: str | None) -> Iterator[tuple[str, float | None]]:
    from recommenders.evaluation import python_evaluation as of

    for name in LISTED:
        if user is None:
            yield name, number(getattr(of, name)(_frame(history), _frame(recs), **COLUMNS))
        elif name in ("diversity", "serendipity"):
            found = getattr(of, f"user_{name}")(_frame(history), _frame(recs), **COLUMNS)
            yield from ((name, number(value)) for value in found[f"user_{name}"])


def _called(name: str) -> Callable[..., Any]:
    from recommenders.evaluation import python_evaluation as of

    rated = {"col_rating": "rating", "col_prediction": "score"} if name in RATED else {}
    return partial(getattr(of, name), **COLUMNS, **rated)


def _rows(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Any:
    """A frame of rows; a rating that is not given is 1."""
    return _frame([dict(zip(names, (*row, 1.0), strict=False)) for row in rows], *names[2:])


def main() -> None:
    """Measure each problem."""
    warnings.simplefilter("ignore")  # pandas', of what it will do otherwise
    recs, truth = by_problem(read("recs")), by_problem(read("truth"))
    history = read("profiles")  # it refuses recommendations that a user has already
    values: list[tuple[Any, ...]] = []
    for problem in recs:
        values += measured(problem, recs[problem], truth[problem], history)
    save("recommenders", ["recommenders", "pandas", "numpy"], values, {})
    frames = {
        "true": partial(_rows, ("user", "item", "rating")),
        "pred": partial(_rows, ("user", "item", "score")),
        "train": partial(_rows, ("user", "item")),
    }
    functions = {name: _called(name) for name in (*RATED, *LISTED)}
    quirks.add("recommenders", quirks.returned(QUIRKS, {**frames, **functions}))


if __name__ == "__main__":
    main()
