"""Microsoft's recommenders over Spark frames: over all users, and diversity and serendipity of each user, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from recommenders.evaluation.spark_evaluation import SparkDiversityEvaluation, SparkRankingEvaluation

from peers.job import Problem, Values
from peers.jobs.spark import session
from peers.tables import Row, read

CUTOFFS = (3, 10)
# Each value takes several jobs of Spark, so not all problems are run.
PROBLEMS = ("example", "graded", "short lists", "missing users", "repeated items", "items nobody knows", "one user")
COLUMNS = {"col_user": "user", "col_item": "item"}
RANKING = ("precision_at_k", "recall_at_k", "ndcg_at_k", "map", "map_at_k")
LISTED = ("catalog_coverage", "distributional_coverage", "novelty", "diversity", "serendipity")

# The columns of the frames, by the names that the calls of the page have for them.
FRAMES = {"true": ("user", "item", "rating"), "pred": ("user", "item", "score"), "train": ("user", "item")}
TYPES = {"user": "string", "item": "string", "rating": "double", "score": "double"}


@cache
def spark() -> Any:
    """Spark in this process, quick to start jobs over a few rows."""
    return session(("spark.sql.shuffle.partitions", "1"), ("spark.default.parallelism", "1"))


def frame(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Any:
    """A frame of rows; a rating that is not given is 1."""
    filled = [(*row, 1.0)[: len(columns)] for row in rows]
    schema = ", ".join(f"{name} {TYPES[name]}" for name in columns)
    return spark().createDataFrame(filled, schema).coalesce(1).cache()


def measured(problem: Problem) -> Iterator[Values]:
    if problem.name not in PROBLEMS:
        raise ValueError("not run, because each value takes several jobs of Spark")
    print(problem.name, flush=True)
    inputs = {"true": problem.truth, "pred": problem.listed, "train": read("profiles")}
    true, pred, train = (frame(FRAMES[name], _cells(rows, FRAMES[name])) for name, rows in inputs.items())
    for k in CUTOFFS:
        found = ranking(true, pred, k=k)
        yield from (("", name, k, {None: getattr(found, name)()}) for name in RANKING)
    if problem.name != "repeated items":
        of_lists = listed(train, pred)
        known = {row["item"] for row in inputs["train"]} & {row["item"] for row in inputs["pred"]}
        names = [name for name in LISTED if known or name != "novelty"]  # which raises an error there
        yield from (("", name, None, {None: getattr(of_lists, name)()}) for name in names)
        for name in ("diversity", "serendipity"):
            yield "", name, None, {row[0]: row[1] for row in getattr(of_lists, f"user_{name}")().collect()}
    spark().catalog.clearCache()


def _cells(rows: list[Row], columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in columns) for row in rows]


def ranking(true: Any, pred: Any, **options: Any) -> Any:
    """The evaluation of the ranks of relevant items."""
    columns = {**COLUMNS, "col_rating": "rating", "col_prediction": "score"}
    return SparkRankingEvaluation(true, pred, **columns, **options)


def listed(train: Any, reco: Any) -> Any:
    """The evaluation of the recommended items."""
    found = SparkDiversityEvaluation(train, reco, **COLUMNS)
    found._get_cosine_similarity(n_partitions=1)  # the same, in one task instead of 200
    return found


def _called(name: str, of: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *frames, **options: getattr(of(*frames, **options), name)()


# What the calls of its page name.
functions = {name: _called(name, ranking) for name in RANKING} | {name: _called(name, listed) for name in LISTED}
makers = {name: partial(frame, columns) for name, columns in FRAMES.items()}
NAMES = {**makers, **functions}
