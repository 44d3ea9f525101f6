"""The forms of a query in every dialect, and those of SQLite run there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import chain
from typing import Any

import duckdb
import polars as pl
import pytest
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.dialects.rewrites import nest_steps
from rankmetrics.export.header import without_header
from tests.support.engines import means
from tests.support.partitions import DAYS, INPUTS, KINDS, METRICS, WRITTEN, alone, asked, evaluated, holds, parsed
from tests.support.refusals import refusal

# --- SQLite -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def sqlite() -> Iterator[sqlite3.Connection]:
    """An SQLite with the inputs as tables; its days are texts."""
    connection = sqlite3.connect(":memory:")
    for name, frame in INPUTS.items():
        columns, marks = ", ".join(f'"{one}"' for one in frame.columns), ", ".join("?" * frame.width)
        connection.execute(f'CREATE TABLE "{name}" ({columns})')
        rows = frame.with_columns(pl.col(pl.Date).cast(pl.String)).rows()
        connection.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)
    yield connection
    connection.close()


def sqlite_rows(connection: sqlite3.Connection, query: str) -> list[Any]:
    return sorted(connection.execute(query).fetchall())


def rows_of(result: rm.Result) -> list[Any]:
    return sorted(means(result).with_columns(pl.col(pl.Date).cast(pl.String)).rows())


@pytest.mark.parametrize("form", ["view", "table"])
def test_sqlite_makes_a_view_and_a_table(sqlite: sqlite3.Connection, form: str) -> None:
    sqlite.executescript(asked("sqlite", form))
    assert sqlite_rows(sqlite, "SELECT * FROM lb") == [pytest.approx(row) for row in rows_of(evaluated())]


def test_sqlite_runs_a_cte(sqlite: sqlite3.Connection) -> None:
    assert sqlite_rows(sqlite, asked("sqlite", "cte")) == [pytest.approx(row) for row in rows_of(evaluated())]


@pytest.mark.parametrize("where", [{"partition": 2}, {"day": "2024-01-02"}, {"day": DAYS[1]}, {"algorithm": "b's"}])
def test_sqlite_adds_a_partition(sqlite: sqlite3.Connection, where: dict[str, Any]) -> None:
    sqlite.executescript(asked("sqlite", "table"))
    sqlite.execute("DELETE FROM lb")
    sqlite.executescript(asked("sqlite", "incremental", where=where))
    rows = {name: DAYS[1] if name == "day" else value for name, value in where.items()}
    expected = alone(**rows).summary().collect().with_columns(pl.col(pl.Date).cast(pl.String)).rows()
    assert sqlite_rows(sqlite, "SELECT * FROM lb") == [pytest.approx(row) for row in sorted(expected)]


# --- the other dialects -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_form_is_one_statement_of_its_kind_with_the_comments_and_only_a_query_has_an_order(dialect: str) -> None:
    comments = asked(dialect).count("/*")
    for form in [form for form, name in WRITTEN if name == dialect]:
        text = asked(dialect, form)
        statement, (kind, of) = parsed(text, dialect), KINDS[form]
        if (form, dialect) == ("table", "tsql"):
            assert isinstance(statement, exp.Select)
            assert statement.args["into"].this.name == "lb"
        else:
            assert isinstance(statement, kind), form
            assert of is None or statement.args["kind"] == of, form
        assert text.count("/*") == comments + (2 if form == "cte" else 0), form
        orders = [order for order in statement.find_all(exp.Order) if isinstance(order.parent, exp.Query)]
        assert len(orders) == (form == "query"), form


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_view_takes_the_place_of_an_old_one_where_views_can(dialect: str) -> None:
    if dialect == "polars":
        with refusal(rm.DialectError, 'form="view" makes a view', "polars has none"):
            asked(dialect, "view")
    else:
        opening = {"sqlite": "CREATE VIEW", "tsql": "CREATE OR ALTER VIEW"}.get(dialect, "CREATE OR REPLACE VIEW")
        assert without_header(asked(dialect, "view")).startswith(f"{opening} ")


def test_the_steps_of_a_table_come_first_where_it_is_a_select_into() -> None:
    assert ";\n\nWITH " in asked("tsql", "table")
    assert ";\n\nWITH " in asked("tsql", "incremental")


def test_a_table_of_clickhouse_says_how_it_is_stored() -> None:
    assert without_header(asked("clickhouse", "table")).startswith('CREATE OR REPLACE TABLE "lb"\nENGINE=MergeTree')


@pytest.mark.parametrize("dialect", [one for form, one in WRITTEN if form == "incremental"])
def test_an_incremental_names_the_columns_that_its_select_returns(dialect: str) -> None:
    statement = parsed(asked(dialect, "incremental"), dialect)
    assert isinstance(statement, exp.Insert)
    assert isinstance(statement.expression, exp.Select)
    if dialect == "databricks":
        assert statement.args["by_name"]
    else:
        assert [one.name for one in statement.this.expressions] == statement.expression.named_selects
    assert len(statement.expression.named_selects) == 7


def steps_of(statement: exp.Expr) -> list[list[str]]:
    """The names of the steps in each WITH."""
    return [[step.alias for step in clause.expressions] for clause in statement.find_all(exp.With)]


@pytest.mark.parametrize("form", ["query", "incremental"])
def test_no_with_of_mysql_has_more_than_64_steps_and_no_step_is_lost(form: str) -> None:
    many = [f"{name}(rel={rel})@5" for name in ("ndcg", "ap") for rel in range(1, 18)]
    asks: dict[str, Any] = {"metrics": many, "columns": rm.Columns(rating="rating")}
    (flat,) = steps_of(parsed(asked("postgres", form, **asks), "postgres"))
    nested = steps_of(parsed(asked("mysql", form, **asks), "mysql"))
    assert max(map(len, nested)) == 64 < len(flat)
    assert sorted(chain.from_iterable(nested)) == sorted(flat)


@pytest.mark.parametrize("most", [12, 14, 16])
def test_steps_within_steps_return_the_same(warehouse: duckdb.DuckDBPyConnection, most: int) -> None:
    statement = parsed(asked(metrics=[*METRICS, "ndcg@1", "bpref@2", "gini@1"]), "duckdb")
    expected = warehouse.sql(statement.sql("duckdb")).pl()
    (flat,) = steps_of(statement)
    nest_steps(statement, most=most)
    assert len(steps_of(statement)[0]) == most < len(flat)
    holds(warehouse, statement.sql("duckdb"), expected)


@pytest.mark.parametrize("dialect", [one for one in DIALECTS if one != "duckdb"])
def test_only_duckdb_has_macros(dialect: str) -> None:
    with refusal(rm.DialectError, f"{dialect} has none", "'duckdb'"):
        asked(dialect, "macro")
    with refusal(rm.DialectError, f"{dialect} has none", "'duckdb'"):
        evaluated().to_sql(dialect, form="macro")
