"""The forms of a query in every dialect, those of SQLite run there, and how a text spells names."""

from __future__ import annotations

import re
import sqlite3
from itertools import chain
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, grammar
from rankmetrics.dialects.rewrites import nest_steps
from rankmetrics.export.statements import without_header
from tests.support import flat, matrix
from tests.support.commands import printed
from tests.support.engines import LOCAL, means
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


def test_a_form_is_one_commented_statement_and_only_a_query_has_an_order() -> None:
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
    return [[step.alias for step in clause.expressions] for clause in statement.find_all(exp.With)]


@pytest.mark.long
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


# --- How the text of a job spells names: as the warehouse keeps them, and without signs that would need quotes --------


LISTS: dict[str, Any] = {
    "lists": ["algorithm", "user"],
    "truth_lists": ["user"],
    "truth_columns": rm.Columns(item="item"),
}
RECS = pl.DataFrame({"algorithm": ["a"], "User": [1], "item": [7], "rank": [1]})
TRUTH = pl.DataFrame({"User": [1], "item": [7]})


def returned(text: str, dialect: str) -> list[str]:
    """The names of the columns that a query returns."""
    query = parsed(text, dialect)
    assert isinstance(query, exp.Query)
    return query.named_selects


# --- plain names ------------------------------------------------------------------------------------------------------


def test_a_text_has_plain_names_unless_the_dialect_keeps_labels() -> None:
    plain = ["algorithm", "n_lists", "ndcg_at_10", "hit_at_5"]
    labels = ["algorithm", "n_lists", "nDCG@10", "hit@5"]
    for dialect, known in DIALECTS.items():
        expected = labels if known.names.keep_labels else plain
        text = flat.to_sql("db.recs", "db.truth", ["nDCG@10", "hit@5"], dialect=dialect, **LISTS)
        is_upper = known.names.folds_to == "upper"
        assert returned(text, dialect) == [name.upper() if is_upper else name for name in expected], dialect
        signs = set("".join(name.name for name in parsed(text, dialect).find_all(exp.Identifier))) & set("@()=., ")
        assert bool(signs) == known.names.keep_labels, dialect


@pytest.mark.parametrize(
    ("metrics", "dialect", "options", "columns"),
    [
        ({"hit_at_5": "rr", "hit@5": "hit@5"}, "postgres", {}, ["algorithm", "n_lists", "hit_at_5", "hit_at_5_2"]),
        (
            ["precision(rel=-1)@5", "precision(rel=1)@5"],
            "trino",
            {"truth_columns": rm.Columns(item="item", rating="rating")},
            ["algorithm", "n_lists", "precision_rel_minus_1_at_5", "precision_rel_1_at_5"],
        ),
        ("rr", "postgres", {"lists": ["the system", "user"]}, ["the system", "n_lists", "rr"]),
        ("rr", "athena", {"lists": ["the system", "user"]}, ["the_system", "n_lists", "rr"]),
    ],
    ids=["two labels of one name", "a negative number", "signs that are taken", "signs that are not"],
)
def test_a_name_is_made_plain(metrics: Any, dialect: str, options: dict[str, Any], columns: list[str]) -> None:
    assert returned(flat.to_sql("recs", "truth", metrics, dialect=dialect, **{**LISTS, **options}), dialect) == columns


# --- case -------------------------------------------------------------------------------------------------------------

# The names of the table Db.Recs, and of the column userId, in dialects that turn names without quotes to a case.
FOLDED = {"upper": ("DB", "RECS", "USERID"), "lower": ("db", "recs", "userid"), None: ("Db", "Recs", "userId")}


def test_names_without_quotes_get_the_case_that_the_dialect_gives_them() -> None:
    lists = {**LISTS, "lists": ["algorithm", "userId"], "truth_lists": ["userId"]}
    for dialect in DIALECTS:
        for quote_names in (False, True):
            options = {**lists, "per_list": True, "quote_names": quote_names}
            text = flat.to_sql("Db.Recs", "truth", "rr", dialect=dialect, **options)
            tables = {(table.db, table.name) for table in parsed(text, dialect).find_all(exp.Table) if table.db}
            schema, name, column = FOLDED[None if quote_names else DIALECTS[dialect].names.folds_to]
            assert tables == {(schema, name)}, dialect
            assert returned(text, dialect)[1] == column, dialect
            assert not quote_names or returned(text, dialect) == ["algorithm", "userId", "rr"], dialect


def test_a_name_in_quotes_keeps_its_case_beside_names_that_do_not() -> None:
    named: dict[str, Any] = {
        "lists": ["algorithm", '"user"'],
        "truth_lists": ['"user"'],
        "truth_columns": rm.Columns(item='"sku"', lists={'"user"': "user"}),
    }
    text = flat.to_sql("db.recs", 'db."truth"', "rr", dialect="snowflake", per_list=True, **named)
    assert returned(text, "snowflake") == ["ALGORITHM", "user", "RR"]
    assert re.findall(r'"\w+" AS "\w+"', text[: text.index('FROM "DB"."truth"')]) == [
        '"USER" AS "user"',
        '"sku" AS "ITEM"',
    ]
    assert 'ON "RECOMMENDED"."user" = "RELEVANT"."user" AND "RECOMMENDED"."ITEM" = "RELEVANT"."ITEM"' in text


def test_columns_of_a_file_have_plain_names_in_a_warehouse() -> None:
    with duckdb.connect() as connection:
        connection.register("recs", RECS)
        connection.register("truth", TRUTH)
        result = rm.evaluate("recs", "truth", "hit@5", connection=connection, where="user = 1")
        for quote_names in (False, True):
            text = result.to_sql("snowflake", recs="db.recs", per_list=True, quote_names=quote_names)
            expected = ["algorithm", "User", "hit_at_5"] if quote_names else ["ALGORITHM", "USER", "HIT_AT_5"]
            assert returned(text, "snowflake") == expected
            assert ('FROM "db"."recs"' in text) == quote_names
            assert ('"User" = 1' if quote_names else '"USER" = 1') in text


def test_the_columns_that_were_looked_at_keep_their_names() -> None:
    context = pytest.importorskip("datafusion").SessionContext()
    for name, frame in {"recs": RECS, "truth": TRUTH, "odd": RECS.rename({"item": "The@Item"})}.items():
        context.register_record_batches(name, [frame.to_arrow().to_batches()])
    result = rm.evaluate("recs", "truth", "hit@5", connection=context)
    assert returned(result.to_sql(per_list=True), "datafusion") == ["algorithm", "User", "hit_at_5"]
    assert result.per_list().collect().columns == ["algorithm", "User", "hit@5"]
    select = 'SELECT algorithm, "User", "The@Item" AS item, rank FROM odd'
    (row,) = context.sql(rm.evaluate(select, "truth", "hit@5", connection=context).to_sql()).to_pylist()
    assert row["hit_at_5"] == 1


def test_a_partition_is_named_as_the_columns_are() -> None:
    lists: dict[str, Any] = {**LISTS, "lists": ["day", "user"], "truth_lists": ["day", "user"], "by": ["day"]}
    job: dict[str, Any] = {"form": "incremental", "name": "lb", "where": {"day": 1}}
    text = flat.to_sql("recs", "truth", "rr", dialect="snowflake", **job, **lists)
    assert 'INSERT INTO "LB"' in text
    assert '"DAY" = 1' in text


def test_the_command_folds_names_and_keeps_them_where_told() -> None:
    command = ("sql", "db.recs", "db.truth", "-m", "hit@5", "--dialect", "snowflake", "--truth-item", "item")
    lists = ("--list", "algorithm", "--list", '"userId"', "--truth-list", '"userId"')
    text = printed(*command, *lists, "--per-list")
    assert returned(text, "snowflake") == ["ALGORITHM", "userId", "HIT_AT_5"]
    assert 'FROM "DB"."RECS"' in text
    assert 'FROM "db"."recs"' in printed(*command, *lists, "--quote-names")


# --- what the page of dialects claims ---------------------------------------------------------------------------------


@pytest.mark.long
def test_every_row_number_has_an_order_as_sql_server_needs() -> None:
    """Over all metrics, and under every policy."""
    metrics = [choices[0] for name, choices in matrix.variants().items() if name != "embedding_diversity"]
    for chunk in (metrics, matrix.policies()):
        text = matrix.evaluate(LOCAL[0], chunk, whole=False).to_sql("tsql")
        tree = sqlglot.parse_one(text, read=grammar("tsql"))
        windows = [window for window in tree.find_all(exp.Window) if isinstance(window.this, exp.RowNumber)]
        assert windows
        assert all(window.args.get("order") for window in windows)
