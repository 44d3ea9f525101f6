"""Microsoft's recommenders over pandas frames: over all users, and of some problems for each user alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
from recommenders.evaluation import python_evaluation as evaluation

from peers.job import Problem, Values
from peers.tables import Row, read

CUTOFFS = (1, 3, 10)
BY_USER = ("example", "graded", "ties", "negative ratings", "short lists")
COLUMNS = {"col_user": "user", "col_item": "item"}
RATED_COLUMNS = {**COLUMNS, "col_rating": "rating", "col_prediction": "score"}

# A user alone without a hit has an r_precision_at_k and an ndcg_at_k of 0. Among others, the mean of the first
# leaves out such a user, and that of the second may. So users alone are given no
# r_precision_at_k, and the binary ndcg_at_k only.
RATED = ("precision_at_k", "recall_at_k", "map", "map_at_k", "r_precision_at_k", "ndcg_at_k")
NDCG = ("", "score_type=raw", "score_type=exp", "discfun_type=log2")
LISTED = ("catalog_coverage", "distributional_coverage", "novelty", "diversity", "serendipity")


# The columns of the frames, by the names that the calls of the page have for them.
FRAMES = {"true": ("user", "item", "rating"), "pred": ("user", "item", "score"), "train": ("user", "item")}


def frame(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Any:
    """A frame of rows; a rating that is not given is 1."""
    return pd.DataFrame([(*row, 1.0)[: len(columns)] for row in rows], columns=[*columns])


def cells(rows: list[Row], columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Some columns of rows."""
    return [tuple(row[name] for name in columns) for row in rows]


def measured(problem: Problem) -> Iterator[Values]:
    inputs = {"true": problem.truth, "pred": problem.listed, "train": problem.listed}
    history = frame(FRAMES["train"], cells(read("profiles"), FRAMES["train"]))  # it refuses what a user has already
    users = dict.fromkeys(row["user"] for row in (*problem.listed, *problem.truth))
    for user in (None, *(users if problem.name in BY_USER else ())):
        some = {name: [row for row in rows if user in (None, row["user"])] for name, rows in inputs.items()}
        true, pred, listed = (frame(FRAMES[name], cells(rows, FRAMES[name])) for name, rows in some.items())
        if some["true"]:
            names = [name for name in RATED if user is None or name != "r_precision_at_k"]
            for name in names if some["pred"] else ["ndcg_at_k"]:
                for setting in NDCG if name == "ndcg_at_k" and user is None else ("",):
                    options = dict([setting.split("=")]) if setting else {}
                    for k in CUTOFFS:
                        value = getattr(evaluation, name)(true, pred, **RATED_COLUMNS, **options, k=k)
                        yield setting, name, k, {user: value}
        if some["pred"] and problem.name != "repeated items":
            for name in LISTED if user is None else ():
                yield "", name, None, {None: getattr(evaluation, name)(history, listed, **COLUMNS)}
            for name in ("diversity", "serendipity") if user is not None else ():
                found = getattr(evaluation, f"user_{name}")(history, listed, **COLUMNS)
                yield from (("", name, None, {user: value}) for value in found[f"user_{name}"])


# What the calls of its page name.
functions = {name: partial(getattr(evaluation, name), **RATED_COLUMNS) for name in RATED}
functions |= {name: partial(getattr(evaluation, name), **COLUMNS) for name in LISTED}
makers = {name: partial(frame, columns) for name, columns in FRAMES.items()}
NAMES = {**makers, **functions}
