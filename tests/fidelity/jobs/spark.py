"""Spark's RankingMetrics over an RDD of lists and labels, per user and over all; its RankingEvaluator over all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, by_problem, read, save

CUTOFFS = (1, 3, 10)
BY_USER = ("example", "short lists")  # a job of Spark for each value: of these problems only, users are measured alone
# Thousands of jobs over a few rows each take longer to compile than to run.
QUICKER = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1", "spark.sql.codegen.wholeStage": "false"}
SCHEMA = ("prediction array<string>", "labels array<string>", "relevance array<double>")
AT = ("precisionAt", "recallAt", "meanAveragePrecisionAt", "ndcgAt")

List = tuple[list[str], list[str], list[float]]

QUIRKS = (
    "of(['a'], ['a', 'b']).precisionAt(10)",
    "of(['a', 'a', 'a'], ['a', 'b']).recallAt(3)",
    "of(['a', 'a'], ['a']).meanAveragePrecision",
    "of(['a', 'b'], ['a', 'c', 'd']).meanAveragePrecision",
    "of(['a', 'b'], ['a', 'c', 'd']).meanAveragePrecisionAt(2)",
    "of(['b', 'a'], ['a', 'b'], [1.0, 3.0]).ndcgAt(2)",
    "of(['b', 'a'], ['b', 'a'], [3.0, 1.0]).ndcgAt(2)",
    "of(['b', 'a'], ['a', 'b']).ndcgAt(2)",
    "of(['a'], ['a'], [0.0]).ndcgAt(1)",
)


def lists(recs: list[Row], truth: list[Row]) -> dict[str, List]:
    """Of each user of the truth the list, the relevant items with the highest rating first, and their ratings."""
    found: dict[str, List] = {row["user"]: ([], [], []) for row in truth}
    for row in sorted((row for row in recs if row["item"] is not None and row["user"] in found), key=_rank):
        found[row["user"]][0].append(row["item"])
    for row in sorted(truth, key=lambda row: -row["rating"]):
        if row["rating"] > 0:
            found[row["user"]][1].append(row["item"])
            found[row["user"]][2].append(row["rating"])
    return found


def _rank(row: Row) -> int:
    return int(row["rank"])


class Session:
    """Spark in this process, and what it returns for lists."""

    def __init__(self) -> None:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        for name, value in QUICKER.items():
            builder = builder.config(name, value)
        self.spark: Any = builder.getOrCreate()
        self.spark.sparkContext.setLogLevel("ERROR")

    def metrics(self, rows: Sequence[Sequence[list[Any]]]) -> Any:
        """RankingMetrics of rows, with a schema: Spark cannot infer the type of an empty list."""
        from pyspark.mllib.common import JavaModelWrapper, callMLlibFunc
        from pyspark.mllib.evaluation import RankingMetrics

        class Metrics(RankingMetrics):  # type: ignore[type-arg]
            def __init__(self, frame: Any) -> None:
                JavaModelWrapper.__init__(self, callMLlibFunc("newRankingMetrics", frame._jdf))

        schema = ", ".join(SCHEMA[: len(rows[0])])
        return Metrics(self.spark.createDataFrame([tuple(row) for row in rows], schema).coalesce(1))

    def of(self, *row: list[Any]) -> Any:
        """RankingMetrics of a row, by its own constructor."""
        from pyspark.mllib.evaluation import RankingMetrics

        return RankingMetrics(self.spark.sparkContext.parallelize([row], 1))

    def measured(
        self, problem: str, of_users: dict[str, List]
    ) -> Iterator[tuple[str, str, int | None, str | None, float]]:
        """What RankingMetrics returns for a problem: over all, and for each user alone."""
        rows: dict[str | None, list[List]] = {None: [*of_users.values()]}
        if problem in BY_USER:
            rows.update({user: [row] for user, row in of_users.items()})
        for user, some in rows.items():
            binary, graded = self.metrics([row[:2] for row in some]), self.metrics(some)
            yield "", "meanAveragePrecision", None, user, binary.meanAveragePrecision
            for k in CUTOFFS:
                yield from (("", name, k, user, getattr(binary, name)(k)) for name in AT)
                yield "relevance", "ndcgAt", k, user, graded.ndcgAt(k)

    def evaluated(self, of_users: dict[str, List]) -> Iterator[tuple[str, str, int | None, None, float]]:
        """What RankingEvaluator returns over all users; it takes items as floats only."""
        from pyspark.ml.evaluation import RankingEvaluator

        items = sorted({item for row in of_users.values() for item in (*row[0], *row[1])})
        number = {item: float(at) for at, item in enumerate(items)}
        rows = [tuple([number[one] for one in side] for side in row[:2]) for row in of_users.values()]
        frame = self.spark.createDataFrame(rows, "prediction array<double>, label array<double>").coalesce(1).cache()
        for name in ("meanAveragePrecisionAtK", "precisionAtK", "ndcgAtK", "recallAtK"):
            for k in CUTOFFS[1:]:
                yield "", name, k, None, RankingEvaluator(metricName=name, k=k).evaluate(frame)


def main() -> None:
    """Measure each problem."""
    recs, truth = by_problem(read("recs")), by_problem(read("truth"))
    session = Session()
    values: list[tuple[Any, ...]] = []
    for problem in recs:
        of_users = lists(recs[problem], truth[problem])
        for setting, *row in (*session.measured(problem, of_users), *session.evaluated(of_users)):
            values.append((problem, setting, *row))
    save("spark", ["pyspark", "numpy"], values, {})
    quirks.add("spark", quirks.returned(QUIRKS, {"of": session.of}))


if __name__ == "__main__":
    main()
