"""Spark's RankingMetrics over an RDD of lists and labels, per user and over all; its RankingEvaluator over all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from pyspark.ml.evaluation import RankingEvaluator
from pyspark.mllib.common import JavaModelWrapper, callMLlibFunc
from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession

from peers.job import Problem, Values

CUTOFFS = (1, 3, 10)
BY_USER = ("example", "short lists")  # a job of Spark for each value: of these problems only, users are measured alone
# Thousands of jobs over a few rows each take longer to compile than to run.
QUICKER = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1", "spark.sql.codegen.wholeStage": "false"}
SCHEMA = ("prediction array<string>", "labels array<string>", "relevance array<double>")
AT = ("precisionAt", "recallAt", "meanAveragePrecisionAt", "ndcgAt")

List = tuple[list[str], list[str], list[float]]


@cache
def session(*options: tuple[str, str]) -> Any:
    """Spark in this process, quick to start jobs over a few rows."""
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    for name, value in (*QUICKER.items(), *options):
        builder = builder.config(name, value)
    found: Any = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


class Metrics(RankingMetrics):  # type: ignore[type-arg]
    """RankingMetrics of rows, with a schema: Spark cannot infer the type of an empty list."""

    def __init__(self, rows: Sequence[Sequence[list[Any]]]) -> None:
        schema = ", ".join(SCHEMA[: len(rows[0])])
        frame = session().createDataFrame([tuple(row) for row in rows], schema).coalesce(1)
        JavaModelWrapper.__init__(self, callMLlibFunc("newRankingMetrics", frame._jdf))


def of(*row: list[Any]) -> Any:
    """RankingMetrics of a row, by its own constructor."""
    return RankingMetrics(session().sparkContext.parallelize([row], 1))


def lists(problem: Problem) -> dict[str, List]:
    """Of each user of the truth the list, the relevant items with the highest rating first, and their ratings."""
    found: dict[str, List] = {user: (items, [], []) for user, items in problem.lists.items()}
    for row in sorted(problem.truth, key=lambda row: -row["rating"]):
        if row["rating"] > 0:
            found[row["user"]][1].append(row["item"])
            found[row["user"]][2].append(row["rating"])
    return found


def measured(problem: Problem) -> Iterator[Values]:
    """What RankingMetrics returns, over all and for each user alone, and RankingEvaluator over all."""
    of_users = lists(problem)
    rows: dict[str | None, list[List]] = {None: [*of_users.values()]}
    if problem.name in BY_USER:
        rows.update({user: [row] for user, row in of_users.items()})
    for user, some in rows.items():
        binary, graded = Metrics([row[:2] for row in some]), Metrics(some)
        yield "", "meanAveragePrecision", None, {user: binary.meanAveragePrecision}
        for k in CUTOFFS:
            yield from (("", name, k, {user: getattr(binary, name)(k)}) for name in AT)
            yield "relevance", "ndcgAt", k, {user: graded.ndcgAt(k)}
    # RankingEvaluator takes items as floats only.
    number = {item: float(at) for at, item in enumerate(problem.items)}
    as_floats = [tuple([number[item] for item in side] for side in row[:2]) for row in of_users.values()]
    frame = session().createDataFrame(as_floats, "prediction array<double>, label array<double>").coalesce(1).cache()
    for name in ("meanAveragePrecisionAtK", "precisionAtK", "ndcgAtK", "recallAtK"):
        for k in CUTOFFS[1:]:
            yield "", name, k, {None: RankingEvaluator(metricName=name, k=k).evaluate(frame)}


# What the calls of its page name.
NAMES = {"of": of}
