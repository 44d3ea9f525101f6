"""Lists in cells, lists of structs and numbered columns give what the same items give in rows, on every engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from tests.support import flat
from tests.support.drawing import examples
from tests.support.engines import DATABASES, LOCAL, SPARK, Engine, need, summarized
from tests.support.refusals import refusal
from tests.support.shapes import LISTED_TRUTH, METRICS, NESTED, RATED, RATED_TRUTH, RECS, TRUTH, WIDE, summary_of

WITH_LISTS = [one for one in DATABASES if one.name in ("postgres", "clickhouse", "datafusion")]
LISTS_OF_NUMBERS = [*NESTED][:2]
SHAPES = {**NESTED, **WIDE}


def measured(
    engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame = TRUTH, metrics: list[str] = METRICS
) -> pl.DataFrame:
    result = flat.evaluate(engine.give(recs), engine.give(truth), metrics, **engine.options)
    return engine.read(result.summary()).sort("algorithm")


def assert_same(found: pl.DataFrame, expected: pl.DataFrame, shape: str = "") -> None:
    assert found.height == expected.height, shape
    for name in expected.columns:
        right = expected[name].to_list()
        near = pytest.approx(right, rel=1e-12) if expected[name].dtype.is_numeric() else right
        assert found[name].to_list() == near, (shape, name)


# --- every shape, on every engine -------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_every_shape_gives_the_numbers_of_rows(engine: Engine) -> None:
    for shape, recs in SHAPES.items():
        assert_same(measured(engine, recs), summary_of(), shape)


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_a_truth_may_have_lists_and_ratings_beside_them(engine: Engine) -> None:
    nested = NESTED["a list of items"]
    assert_same(measured(engine, nested, LISTED_TRUTH), summary_of())
    assert_same(measured(engine, nested, RATED_TRUTH, RATED), summary_of(RATED))
    assert_same(measured(engine, RECS, RATED_TRUTH, RATED), summary_of(RATED))


@pytest.mark.long
@pytest.mark.parametrize("engine", DATABASES, ids=str)
def test_databases_read_numbered_columns_and_lists_where_they_have_arrays(engine: Engine) -> None:
    need(engine)
    assert_same(measured(engine, WIDE["two columns for each position"]), summary_of())
    for shape in LISTS_OF_NUMBERS if engine in WITH_LISTS else []:
        assert_same(measured(engine, NESTED[shape], RATED_TRUTH, RATED), summary_of(RATED), shape)


@pytest.mark.long
def test_spark_reads_every_shape() -> None:
    need(SPARK)
    for shape, recs in SHAPES.items():
        assert_same(measured(SPARK, recs, RATED_TRUTH, RATED), summary_of(RATED), shape)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # of Ibis itself
def test_ibis_reads_every_shape() -> None:
    backend = pytest.importorskip("ibis").duckdb.connect()
    for shape, recs in SHAPES.items():
        tables = {}
        for name, frame in {"recs": recs, "truth": RATED_TRUTH}.items():
            backend.con.register(f"{name}_given", frame.to_arrow())
            backend.con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM {name}_given")
            tables[name] = backend.table(name)
        text = rm.evaluate(tables["recs"], tables["truth"], RATED).to_sql()
        found = backend.con.sql(text).pl().sort("algorithm")  # run by DuckDB: Ibis 12 cannot run DuckDB 2
        assert_same(found, summary_of(RATED).select(found.columns), shape)


@pytest.mark.parametrize("ending", ["parquet", "ndjson", "arrow"])
@pytest.mark.parametrize("connection", [None, duckdb], ids=["no connection", "DuckDB"])
def test_files_may_hold_lists(tmp_path: Path, ending: str, connection: Any) -> None:
    path = tmp_path / f"recs.{ending}"
    write = {"parquet": "write_parquet", "ndjson": "write_ndjson", "arrow": "write_ipc"}[ending]
    getattr(NESTED["a list of structs"], write)(path)
    options = {"connection": connection.connect()} if connection else {}
    for recs in (path, [path]):
        assert_same(summarized(flat.evaluate(recs, TRUTH, METRICS, **options)).sort("algorithm"), summary_of())


@pytest.mark.parametrize("first", [pl.DataFrame, pl.LazyFrame], ids=["eager", "lazy"])
def test_arrays_of_one_length_are_lists(engine: Engine, first: Any) -> None:
    recs = pl.DataFrame(
        {"user": [1, 2], "items": [[11, 12], [14, 11]]}, schema={"user": pl.Int64, "items": pl.Array(pl.Int64, 2)}
    )
    rows = recs.with_columns(rank=pl.lit([1, 2])).with_columns(pl.col("items").arr.to_list())
    rows = rows.explode("items", "rank").rename({"items": "item"})
    found = summarized(rm.evaluate(engine.give(recs), first(TRUTH), METRICS))
    assert_same(found, summarized(rm.evaluate(rows, TRUTH, METRICS)))


def test_files_of_several_systems_may_hold_lists(tmp_path: Path) -> None:
    nested = NESTED["a list of items beside a list of scores"]
    for system in ("als", "pop"):
        nested.filter(algorithm=system).drop("algorithm").write_parquet(tmp_path / f"{system}.parquet")
    paths = [tmp_path / "als.parquet", tmp_path / "pop.parquet"]
    for recs in (paths, {"als": paths[0], "pop": paths[1]}):
        found = summarized(rm.evaluate(rm.Input(recs, files_as="algorithm"), TRUTH, METRICS))
        assert_same(found.sort("algorithm"), summary_of())
    with refusal(rm.DataError, "Several files hold the same item", 'rm.Input(recs, files_as="system")'):
        rm.evaluate(paths, TRUTH, METRICS).collect()


# --- ranks, scores and empty lists ------------------------------------------------------------------------------------

LIST = pl.DataFrame({"user": [1], "items": [[11, 12, 13]], "scores": [[0.1, 0.8, 0.9]]})


def test_the_position_in_a_list_is_the_rank_unless_the_score_is_named(engine: Engine) -> None:
    recs = engine.give(LIST)
    with pytest.warns(rm.RankMetricsWarning, match=r"2 recommendations have a better score 'scores' than"):
        assert rm.evaluate(recs, TRUTH.filter(user=1), "rr").collect()["rr"].item() == 1 / 2
    by_score = rm.evaluate(rm.Input(recs, columns=rm.Columns(score="scores")), TRUTH.filter(user=1, item=13), "rr")
    assert summarized(by_score)["rr"].item() == 1


def test_ranks_from_0_count_positions_from_0(engine: Engine) -> None:
    recs = engine.give(LIST.drop("scores"))
    assert summarized(rm.evaluate(rm.Input(recs, rank_from=0), TRUTH.filter(user=1), "rr"))["rr"].item() == 1 / 2


def test_a_list_without_items_is_an_empty_list(engine: Engine) -> None:
    listed = {"items": pl.List(pl.Int64)}
    for recs in (
        pl.DataFrame({"user": [1, 2], "items": [[11, 12], []]}, schema_overrides=listed),
        pl.DataFrame({"user": [1, 2], "items": [[11, 12], None]}, schema_overrides=listed),
        pl.DataFrame({"user": [1, 2], "rec_1": [11, None], "rec_2": [12, None]}).with_columns(
            rec_3=pl.lit(None, pl.Int64)
        ),
    ):
        result = rm.evaluate(engine.give(recs), TRUTH.filter(pl.col("user") < 3), ["rr", "n_recommended"])
        assert summarized(result).select("n_lists", "rr", "n_recommended").row(0) == (2, 0.25, 1), recs
        assert dict(engine.read(result.account()).select("account", "n").rows())["lists_empty"] == 1, recs


@examples(60)
@given(st.lists(st.lists(st.integers(1, 6), unique=True, max_size=5), min_size=1, max_size=6))
def test_any_lists_give_what_their_rows_give(lists: list[list[int]]) -> None:
    recs = pl.DataFrame({"user": range(len(lists)), "items": lists}, schema_overrides={"items": pl.List(pl.Int64)})
    rows = [(user, item, rank) for user, items in enumerate(lists) for rank, item in enumerate(items or [None], 1)]
    long = pl.DataFrame(rows, schema={"user": pl.Int64, "item": pl.Int64, "rank": pl.Int64}, orient="row")
    truth = pl.DataFrame({"user": [*range(len(lists))] * 2, "item": [3] * len(lists) + [5] * len(lists)})
    expected = rm.evaluate(long, truth, [*METRICS, "n_recommended"]).summary().collect()
    found = rm.evaluate(recs, truth, [*METRICS, "n_recommended"])
    assert_same(found.summary().collect(), expected)


# --- refusals ---------------------------------------------------------------------------------------------------------

UNEVEN = pl.DataFrame(
    {
        "user": [1, 2, 3, 4, 5],
        "items": [[11, 12], [11], [12, 13], [14], []],
        "scores": [[0.9, 0.8], [0.5, 0.4], [0.1], None, []],
    }
)


def test_lists_of_unequal_length_are_refused_with_three_keys(engine: Engine) -> None:
    result = rm.evaluate(engine.give(UNEVEN), TRUTH, METRICS)
    shown = ("user=2: 1 in 'items', 2 in 'scores'", "user=3: 2 in 'items', 1 in 'scores'", "user=4: 1 in 'items', 0 in")
    for compute in (result.collect, result.check, lambda: str(result)):
        with refusal(rm.DataError, "'items' and 'scores' of the recommendations differ in length", *shown):
            compute()


@pytest.mark.parametrize("engine", WITH_LISTS, ids=str)
def test_databases_refuse_lists_of_unequal_length(engine: Engine) -> None:
    need(engine)
    uneven = UNEVEN.with_columns(pl.col("scores").fill_null([]))
    with refusal(rm.DataError, "differ in length", "user=2: 1 in 'items', 2 in 'scores'"):
        flat.evaluate(engine.give(uneven), engine.give(TRUTH), METRICS, **engine.options).collect()


def test_several_columns_of_lists_without_usual_names_are_refused(engine: Engine) -> None:
    recs = engine.give(pl.DataFrame({"user": [1], "first": [[11, 12]], "second": [[13, 14]]}))
    with refusal(rm.ColumnError, "'first' and 'second'", 'rm.Input(recs, columns={"item": "first"})'):
        rm.evaluate(recs, TRUTH, METRICS)


def test_numbered_columns_that_do_not_go_together_are_refused(engine: Engine) -> None:
    wide = pl.DataFrame({"user": [1], "rec_1": [11], "rec_2": [12], "rec_3": [13], "score_1": [0.9], "score_2": [0.8]})
    with refusal(rm.ColumnError, "3 columns for items", "'rec_1' to 'rec_3'", "2 columns 'score_1' to 'score_2'"):
        rm.evaluate(engine.give(wide), TRUTH, METRICS)
    with refusal(rm.ColumnError, "columns 'rec' differ in their types", "'rec_2' is string"):
        rm.evaluate(engine.give(wide.select("user", "rec_1", pl.lit("x").alias("rec_2"))), TRUTH, METRICS)


def test_numbered_columns_that_hold_no_items_stay_columns(engine: Engine) -> None:
    recs = RECS.rename({"algorithm": "system_1"}).with_columns(pl.lit("x").alias("system_2"))
    found = summarized(rm.evaluate(engine.give(recs), TRUTH, METRICS))
    assert found.columns[:2] == ["system_1", "system_2"]
