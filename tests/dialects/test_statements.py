"""The forms of a query in every dialect, and those of SQLite run there."""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import Any

import duckdb
import polars as pl
import pytest
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.dialects.rewrites import nest_steps
from rankmetrics.export.statements import without_header
from tests.support.engines import means
from tests.support.partitions import DAYS, INPUTS, KINDS, METRICS, WRITTEN, alone, asked, evaluated, holds, parsed
from tests.support.refusals import refusal


def test_sqlite_runs_every_form() -> None:
    """Its days are texts, and the comparison of a partition must not read them as numbers."""

    def rows(frame: pl.DataFrame) -> list[Any]:
        return [pytest.approx(row) for row in sorted(frame.with_columns(pl.col(pl.Date).cast(pl.String)).rows())]

    with sqlite3.connect(":memory:") as connection:
        for name, frame in INPUTS.items():
            marks = ", ".join("?" * frame.width)
            connection.execute(f"CREATE TABLE {name} ({', '.join(frame.columns)})")
            connection.executemany(
                f"INSERT INTO {name} VALUES ({marks})", frame.with_columns(pl.col(pl.Date).cast(pl.String)).rows()
            )
        expected = rows(means(evaluated()))
        for form in ("view", "table"):
            connection.executescript(asked("sqlite", form, name=f'"{form}"'))
            assert sorted(connection.execute(f'SELECT * FROM "{form}"')) == expected, form
        assert sorted(connection.execute(asked("sqlite", "cte"))) == expected
        for where in ({"partition": 2}, {"day": "2024-01-02"}, {"day": DAYS[1]}, {"algorithm": "b's"}):
            connection.execute('DELETE FROM "table"')
            connection.executescript(asked("sqlite", "incremental", name='"table"', where=where))
            partition = {name: DAYS[1] if name == "day" else value for name, value in where.items()}
            expected = rows(alone(**partition).summary().collect())
            assert sorted(connection.execute('SELECT * FROM "table"')) == expected, where


def test_a_form_is_one_statement_of_its_kind_with_the_comments_and_only_a_query_has_an_order() -> None:
    options: dict[str, Any] = {"metrics": ["hit@10"], "history": None}
    for dialect in DIALECTS:
        comments = asked(dialect, **options).count("/*")
        for form in [form for form, name in WRITTEN if name == dialect]:
            text, case = asked(dialect, form, **options), (form, dialect)
            statement, (kind, object_kind) = parsed(text, dialect), KINDS[form]
            if case == ("table", "tsql"):
                assert isinstance(statement, exp.Select)
                assert statement.args["into"].this.name == "lb"
            else:
                assert isinstance(statement, kind), case
                assert object_kind is None or statement.args["kind"] == object_kind, case
            assert text.count("/*") == comments + (2 if form == "cte" else 0), case
            orders = [order for order in statement.find_all(exp.Order) if isinstance(order.parent, exp.Query)]
            assert len(orders) == (form == "query"), case
            if form == "view":
                openings = {"sqlite": "CREATE VIEW", "tsql": "CREATE OR ALTER VIEW"}
                opening = openings.get(dialect, "CREATE OR REPLACE VIEW")
                assert without_header(text).startswith(f"{opening} "), case
            if form == "incremental":
                assert isinstance(statement, exp.Insert)
                assert isinstance(statement.expression, exp.Select)
                names = statement.expression.named_selects
                assert len(names) == 5, case
                is_named = dialect == "databricks" and statement.args["by_name"]
                assert is_named or [column.name for column in statement.this.expressions] == names, case


def test_a_form_that_a_dialect_lacks_is_refused() -> None:
    with refusal(rm.DialectError, 'form="view" makes a view', "polars has none"):
        asked("polars", "view")
    with refusal(rm.DialectError, "postgres has none", "'duckdb'"):
        asked("postgres", "macro")
    with refusal(rm.DialectError, "snowflake has none", "'duckdb'"):
        evaluated().to_sql("snowflake", form="macro")
    assert [name for name, dialect in DIALECTS.items() if "macro" in dialect.forms] == ["duckdb"]


def test_the_steps_of_a_table_come_first_where_it_is_a_select_into() -> None:
    assert ";\n\nWITH " in asked("tsql", "table")
    assert ";\n\nWITH " in asked("tsql", "incremental")


def test_a_table_of_clickhouse_says_how_it_is_stored() -> None:
    assert without_header(asked("clickhouse", "table")).startswith('CREATE OR REPLACE TABLE "lb"\nENGINE=MergeTree')


def steps_of(statement: exp.Expr) -> list[list[str]]:
    """The names of the steps in each WITH."""
    return [[step.alias for step in clause.expressions] for clause in statement.find_all(exp.With)]


def test_no_with_of_mysql_has_more_than_64_steps_and_no_step_is_lost() -> None:
    metrics = [f"{name}(rel={rel})@5" for name in ("ndcg", "ap") for rel in range(1, 18)]
    options: dict[str, Any] = {"metrics": metrics, "columns": rm.Columns(rating="rating")}
    (flat,) = steps_of(parsed(asked("postgres", "incremental", **options), "postgres"))
    nested = steps_of(parsed(asked("mysql", "incremental", **options), "mysql"))
    assert max(map(len, nested)) == 64 < len(flat)
    assert sorted(chain.from_iterable(nested)) == sorted(flat)


def test_steps_within_steps_return_the_same(warehouse: duckdb.DuckDBPyConnection) -> None:
    text = asked(metrics=[*METRICS, "ndcg@1", "bpref@2", "gini@1"])
    expected = warehouse.sql(text).pl()
    for most in (12, 14, 16):
        statement = parsed(text, "duckdb")
        (flat,) = steps_of(statement)
        nest_steps(statement, most=most)
        assert len(steps_of(statement)[0]) == most < len(flat)
        holds(warehouse, statement.sql("duckdb"), expected)
