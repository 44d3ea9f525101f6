"""Microsoft's recommenders over Spark frames: over all users, and diversity and serendipity of each user, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.jobs.recommenders import COLUMNS, LISTED
from tests.fidelity.jobs.spark import QUICKER
from tests.fidelity.tables import Row, by_problem, number, read, save

CUTOFFS = (3, 10)
# Each value takes several jobs of Spark, so not all problems are run.
PROBLEMS = ("example", "graded", "short lists", "missing users", "repeated items", "items nobody knows", "one user")
NOT_RUN = "not run, because each value takes several jobs of Spark"
RATED = {**COLUMNS, "col_rating": "rating", "col_prediction": "score"}
RANKING = ("precision_at_k", "recall_at_k", "ndcg_at_k", "map", "map_at_k")

QUIRKS = (
    "precision_at_k(true([('1', 'a')]), pred([('1', 'a', 2.0)]), k=10)",
    "ndcg_at_k(true([('1', 'a'), ('2', 'b')]), pred([('1', 'a', 2.0)]), k=1)",
    "ndcg_at_k(true([('1', 'a', 1.0), ('1', 'b', 5.0)]), pred([('1', 'a', 2.0), ('1', 'b', 1.0)]), k=2)",
    "recall_at_k(true([('1', 'a', 0.0), ('1', 'b', 5.0)]), pred([('1', 'a', 2.0)]), k=1)",
    "map(true([('1', 'a'), ('1', 'b')]), pred([('1', 'a', 2.0), ('1', 'b', 1.0)]), k=1)",
    "map_at_k(true([('1', 'a'), ('1', 'b')]), pred([('1', 'a', 2.0), ('1', 'b', 1.0)]), k=1)",
    (
        "precision_at_k(true([('1', 'a')]), pred([('1', 'b', 9.0), ('1', 'a', 8.0)]), k=2, "
        "relevancy_method='by_threshold', threshold=9)"
    ),
    (
        "precision_at_k(true([('1', 'a')]), pred([('1', 'b', 9.0), ('1', 'a', 8.0)]), k=2, "
        "relevancy_method='by_threshold', threshold=1)"
    ),
    "recall_at_k(true([('1', 'a')]), pred([('1', 'a', 2.0), ('1', 'a', 1.0)]), k=2)",
    "novelty(train([('1', 'a'), ('2', 'b')]), train([('3', 'a'), ('3', 'z')]))",
    "novelty(train([('1', 'a')]), train([('3', 'z')]))",
    "catalog_coverage(train([('1', 'a')]), train([('2', 'b'), ('2', 'c')]))",
    "serendipity(train([('1', 'a'), ('2', 'a'), ('2', 'b')]), train([('1', 'b'), ('3', 'b')]))",
)


def session() -> Any:
    """Spark in this process, quick to start jobs over a few rows."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    options = {**QUICKER, "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1"}
    for name, value in options.items():
        builder = builder.config(name, value)
    found: Any = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def frame(spark: Any, names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Any:
    """A frame of rows; a rating that is not given is 1."""
    types = {"user": "string", "item": "string", "rating": "double", "score": "double"}
    filled = [(*row, 1.0)[: len(names)] for row in rows]
    return spark.createDataFrame(filled, ", ".join(f"{name} {types[name]}" for name in names)).coalesce(1).cache()


def measured(
    spark: Any, problem: str, recs: list[Row], truth: list[Row], history: list[Row]
) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    recs = [row for row in recs if row["item"] is not None]
    train = frame(spark, ("user", "item"), _rows(history, "user", "item"))
    pred = frame(spark, ("user", "item", "score"), _rows(recs, "user", "item", "score"))
    true = frame(spark, ("user", "item", "rating"), _rows(truth, "user", "item", "rating"))
    for k in CUTOFFS:
        found = _ranking(true, pred, k=k)
        yield from ((problem, "", name, k, None, number(getattr(found, name)())) for name in RANKING)
    if problem != "repeated items":
        of_lists = _listed(train, pred)
        known = {row["item"] for row in history} & {row["item"] for row in recs}
        names = [name for name in LISTED if known or name != "novelty"]  # which raises an error there
        yield from ((problem, "", name, None, None, number(getattr(of_lists, name)())) for name in names)
        for name in ("diversity", "serendipity"):
            values = getattr(of_lists, f"user_{name}")().collect()
            yield from ((problem, "", name, None, row[0], number(row[1])) for row in values)


def _rows(rows: list[Row], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def _ranking(true: Any, pred: Any, **options: Any) -> Any:
    from recommenders.evaluation.spark_evaluation import SparkRankingEvaluation

    return SparkRankingEvaluation(true, pred, **RATED, **options)


def _listed(train: Any, reco: Any) -> Any:
    from recommenders.evaluation.spark_evaluation import SparkDiversityEvaluation

    found = SparkDiversityEvaluation(train, reco, **COLUMNS)
    found._get_cosine_similarity(n_partitions=1)  # the same, in one task instead of 200
    return found


def _called(name: str, of: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *frames, **options: getattr(of(*frames, **options), name)()


def main() -> None:
    """Measure each problem."""
    spark = session()
    recs, truth = by_problem(read("recs")), by_problem(read("truth"))
    values: list[tuple[Any, ...]] = []
    for problem in PROBLEMS:
        print(problem, flush=True)
        values += measured(spark, problem, recs[problem], truth[problem], read("profiles"))
        spark.catalog.clearCache()
    save(
        "recommenders_spark",
        ["recommenders", "pyspark", "numpy"],
        values,
        {problem: NOT_RUN for problem in recs if problem not in PROBLEMS},
    )
    frames = {
        "true": partial(frame, spark, ("user", "item", "rating")),
        "pred": partial(frame, spark, ("user", "item", "score")),
        "train": partial(frame, spark, ("user", "item")),
    }
    functions = {name: _called(name, _ranking) for name in RANKING} | {name: _called(name, _listed) for name in LISTED}
    quirks.add("recommenders_spark", quirks.returned(QUIRKS, {**frames, **functions}))


if __name__ == "__main__":
    main()
