"""Tables of Ibis are evaluated by their backend and give tables of Ibis."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import ibis
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.engines import means
from tests.support.kinds import EXPECTED, METRICS, RECS, SUMMARY, TRUTH
from tests.support.refusals import refusal
from tests.support.schemas import fill


@pytest.fixture
def of_sqlite(tmp_path: Path) -> Iterator[Any]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
    found = ibis.sqlite.connect(tmp_path / "shop.db")
    yield found
    found.disconnect()


@pytest.fixture(params=["sqlite", "polars"])
def backend(request: pytest.FixtureRequest) -> Any:
    """A backend of Ibis that has the tables of recommendations and truth."""
    if request.param == "polars":
        return ibis.polars.connect({"recs": RECS, "truth": TRUTH})
    return request.getfixturevalue("of_sqlite")


def assert_of_ibis(result: rm.Result, expected: pl.DataFrame = SUMMARY) -> None:
    """The summary is as expected, an Ibis table, and the same collected."""
    assert isinstance(result.summary(), ibis.Table)
    assert_frame_equal(pl.DataFrame(result.summary().to_pyarrow()), expected, rel_tol=1e-12, check_dtypes=False)
    assert_frame_equal(means(result), expected, rel_tol=1e-12, check_dtypes=False)


def test_tables_of_ibis_are_evaluated_by_their_backend(backend: Any, tmp_path: Path) -> None:
    before = backend.list_tables()
    result = rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS)
    assert_of_ibis(result)
    summary = result.summary()  # a table to go on with
    better = summary.filter(summary.rr > 0.4).mutate(twice=summary.rr * 2).select("algorithm", "twice")
    assert better.to_pyarrow().to_pydict() == {"algorithm": ["als"], "twice": [1.0]}
    for lazy, expected in ((result.per_list(), EXPECTED.per_list()), (result.account(), EXPECTED.account())):
        assert isinstance(lazy, ibis.Table)
        names = expected.collect_schema().names()
        assert list(lazy.columns) == names
        by = [one for one in names if one in ("algorithm", "user", "account")]
        ours, theirs = pl.DataFrame(lazy.to_pyarrow()).sort(by), expected.collect().sort(by)
        assert_frame_equal(ours, theirs, rel_tol=1e-12, check_dtypes=False)
    assert repr(result) == repr(EXPECTED)
    result.write(tmp_path / "summary.csv")
    assert pl.read_csv(tmp_path / "summary.csv").columns == EXPECTED.collect().columns
    assert [one for one in backend.list_tables() if not one.startswith("ibis_polars_dot_sql")] == before  # Ibis' own


def test_tables_of_ibis_are_found_by_name(backend: Any) -> None:
    assert_of_ibis(rm.evaluate("recs", "truth", METRICS, connection=backend))
    assert_of_ibis(rm.evaluate(backend.table("recs"), "truth", METRICS, connection=backend))
    with refusal(rm.InputError, "no table 'recz'", backend.name):
        rm.evaluate("recz", "truth", METRICS, connection=backend)


def test_expressions_of_ibis_are_evaluated(backend: Any) -> None:
    recs, truth = backend.table("recs"), backend.table("truth")
    recs = recs.filter(recs.score >= 0).mutate(score=recs.score * 2)
    truth = truth.select("user", "item", "rating").distinct()
    if backend.name == "polars":  # it has no SQL but that which it reads
        with refusal(rm.InputError, "polars cannot write this expression as SQL"):
            rm.evaluate(recs, backend.table("truth"), METRICS)
        return
    assert_of_ibis(rm.evaluate(recs, truth, METRICS))
    with_history = rm.evaluate(recs, truth, [*METRICS, "popularity"], history=truth.filter(truth.user < 4))
    assert with_history.collect()["popularity"].null_count() == 0
    assert_frame_equal(means(with_history).drop("popularity"), SUMMARY, rel_tol=1e-12, check_dtypes=False)


def test_ibis_is_asked_for_nothing_before_its_table_is(of_sqlite: Any) -> None:
    seen: list[str] = []
    of_sqlite.con.set_trace_callback(seen.append)
    summary = rm.evaluate(of_sqlite.table("recs"), of_sqlite.table("truth"), METRICS).summary()
    assert [one for one in seen if "WITH " in one and not one.startswith("CREATE TEMP")] == []  # to ask for its types
    seen.clear()
    assert summary.to_pyarrow().num_rows == 2
    assert len([one for one in seen if "ndcg" in one]) == 1


def test_tables_of_two_backends_are_refused() -> None:
    one, other = (ibis.polars.connect({"recs": RECS, "truth": TRUTH}) for _ in range(2))
    with refusal(rm.InputError, "several backends"):
        rm.evaluate(one.table("recs"), other.table("truth"), METRICS)


def test_what_is_no_table_of_ibis_is_refused(backend: Any) -> None:
    recs, truth = backend.table("recs"), backend.table("truth")
    for value in (TRUTH, TRUTH.lazy(), Path("truth.parquet"), truth.item, "truth"):
        with refusal(rm.InputError, "truth must be an Ibis table, as the recommendations are"):
            rm.evaluate(recs, value, METRICS)
    unbound = ibis.table({"user": "int64", "item": "int64"}, name="truth")
    with refusal(rm.InputError, "belong to no backend"):
        rm.evaluate(unbound, unbound, METRICS)
    with refusal(rm.ColumnError, 'ties="input"', "Ibis table"):
        rm.evaluate(recs, truth, METRICS, ties="input")


def test_a_table_of_ibis_that_is_gone_is_refused_in_the_words_of_its_backend(of_sqlite: Any) -> None:
    result = rm.evaluate(of_sqlite.table("recs"), of_sqlite.table("truth"), METRICS)
    of_sqlite.raw_sql("DROP TABLE truth")
    with pytest.raises(rm.EngineError, match="no such table: truth") as refused:
        result.collect()
    assert refused.value.sql.startswith("WITH ")


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_ibis_over_duckdb_2_is_refused_by_ibis_itself() -> None:
    backend = ibis.duckdb.connect()
    for name, frame in (("recs", RECS), ("truth", TRUTH)):
        backend.con.register("given", frame.to_arrow())
        backend.con.execute(f"CREATE TABLE {name} AS FROM given")
    with pytest.raises(rm.EngineError, match="fetch_arrow_table"):  # which DuckDB 2 has no more
        rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS).collect()
