"""DataFrames, tables and files of Spark give DataFrames, and run nothing before somebody reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support import engines, flat
from tests.support.engines import SPARK, means, need
from tests.support.kinds import ACCOUNT, EXPECTED, HOLED_RECS, HOLED_TRUTH, METRICS, RECS, SUMMARY, TRUTH
from tests.support.refusals import refusal
from tests.support.schemas import LISTED, OF_LISTS, by_polars


@pytest.fixture
def spark() -> Any:
    need(SPARK)
    return engines.spark()


def assert_of_spark(result: rm.Result, expected: pl.DataFrame = SUMMARY) -> None:
    """The summary is as expected, and a DataFrame of Spark."""
    summary = result.summary()
    assert type(summary).__module__.startswith("pyspark.sql")
    assert_frame_equal(SPARK.read(summary), expected, rel_tol=1e-12, check_dtypes=False)


def views_of(spark: Any) -> list[str]:
    return sorted(row.tableName for row in spark.sql("SHOW TABLES").collect())


@pytest.mark.long
def test_dataframes_of_spark_give_dataframes_and_run_nothing_before_they_are_asked(spark: Any, tmp_path: Path) -> None:
    recs, truth = SPARK.give(HOLED_RECS), SPARK.give(HOLED_TRUTH)
    before, context = views_of(spark), spark.sparkContext
    context.setJobGroup("evaluating", "what an evaluation runs")
    try:
        result = rm.evaluate(recs, truth, METRICS)
        lazy = [result.summary(), result.per_list(), result.account()]
        assert "ndcg" in result.to_sql()
        assert context.statusTracker().getJobIdsForGroup("evaluating") == []
        assert_of_spark(result)
        assert len(context.statusTracker().getJobIdsForGroup("evaluating")) > 0
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)
    for one, theirs, by in (
        (lazy[1], EXPECTED.per_list().collect(), ["algorithm", "user"]),
        (lazy[2], ACCOUNT, ["algorithm", "account"]),
    ):
        assert_frame_equal(SPARK.read(one).sort(by), theirs.sort(by), rel_tol=1e-12, check_dtypes=False)
    result.write(tmp_path / "summary.csv")
    assert pl.read_csv(tmp_path / "summary.csv").columns == EXPECTED.collect().columns
    assert views_of(spark) == before


@pytest.mark.long
def test_tables_and_views_of_spark_are_found_by_name(spark: Any) -> None:
    recs, truth = SPARK.give(RECS), SPARK.give(TRUTH)
    recs.createOrReplaceTempView("hits")
    truth.createOrReplaceTempView("lists")
    before = views_of(spark)
    try:
        assert_of_spark(rm.evaluate("hits", "lists", METRICS, connection=spark))
        assert_of_spark(rm.evaluate(recs, "lists", METRICS, connection=spark))
        with refusal(rm.InputError, "recommendations cannot be read", "hitz"):
            rm.evaluate("hitz", "lists", METRICS, connection=spark)
        assert_of_spark(rm.evaluate(recs, "lists", METRICS))  # the session is that of the recommendations
        assert views_of(spark) == before
    finally:
        for name in ("hits", "lists"):
            spark.catalog.dropTempView(name)


@pytest.mark.long
def test_what_is_not_of_spark_is_taken_with_dataframes_of_spark(spark: Any, tmp_path: Path) -> None:
    recs = SPARK.give(RECS)
    TRUTH.write_csv(tmp_path / "truth.csv")
    for truth in (TRUTH.lazy(), str(tmp_path / "truth.csv")):
        assert_of_spark(rm.evaluate(recs, truth, METRICS))
    with refusal(rm.InputError, "truth", "builtins.int"):
        rm.evaluate(recs, 7, METRICS)


@pytest.mark.long
def test_files_are_read_by_spark_where_the_connection_is_its_session(spark: Any, tmp_path: Path) -> None:
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    (tmp_path / "recs").mkdir()
    RECS[:4].write_parquet(tmp_path / "recs" / "a.parquet")
    RECS[4:].write_parquet(tmp_path / "recs" / "b.parquet")
    for recs in (tmp_path / "recs", [tmp_path / "recs" / "a.parquet", tmp_path / "recs" / "b.parquet"]):
        assert_of_spark(rm.evaluate(recs, tmp_path / "truth.parquet", METRICS, connection=spark))


@pytest.mark.long
def test_a_folder_that_is_partitioned_has_the_columns_that_its_folders_are_named_by(spark: Any, tmp_path: Path) -> None:
    SPARK.give(RECS).write.partitionBy("algorithm", "user").parquet(str(tmp_path / "recs"))
    truth = SPARK.give(TRUTH)
    by_user = spark.read.parquet(str(tmp_path / "recs"))
    assert_of_spark(rm.evaluate(by_user, truth.withColumn("user", truth.user.cast("int")), METRICS))
    result = rm.evaluate(tmp_path / "recs", truth.withColumn("user", truth.user.cast("int")), METRICS, connection=spark)
    assert_of_spark(result)


@pytest.mark.long
def test_columns_of_spark_may_be_called_whatever_they_are(spark: Any) -> None:
    called = {"algorithm": "{algorithm}", "user": "the `user`", "item": "sku.id", "score": "{0}"}
    recs = SPARK.give(RECS.rename(called))
    truth = SPARK.give(TRUTH.rename({name: called[name] for name in ("user", "item")}))
    named: dict[str, Any] = {"columns": rm.Columns(item="sku.id", score="{0}")}
    result = flat.evaluate(recs, truth, METRICS, **named)
    assert_of_spark(result, SUMMARY.rename({"algorithm": "{algorithm}"}))
    items = LISTED.rename({"item": "sku.id", "category": "the {category}"}).select("sku.id", "the {category}")
    columns = {"items": rm.Columns(item="sku.id", category="the {category}")}
    metrics = OF_LISTS[:3]
    found = flat.evaluate(recs, truth, metrics, items=SPARK.give(items), extra_columns=columns, **named)
    expected = by_polars(RECS, TRUTH, metrics, items=LISTED.drop("embedding"))
    assert_of_spark(found, means(expected).rename({"algorithm": "{algorithm}"}))


def test_what_spark_cannot_do_is_refused_in_words(spark: Any) -> None:
    recs, truth = SPARK.give(RECS), SPARK.give(TRUTH)
    with refusal(rm.ColumnError, 'ties="input"', "Spark DataFrame", "rank"):
        rm.evaluate(recs, truth, METRICS, ties="input")
    broken = recs.withColumn("score", recs.score / (recs.item - recs.item))
    with pytest.raises(rm.EngineError, match=r"(?i)divi.*zero") as refused:
        rm.evaluate(broken, truth, METRICS).collect()
    assert "\tat " not in refused.value.reason
    assert refused.value.sql
