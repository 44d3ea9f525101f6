"""The forms of a query, run in DuckDB: a view, a table, a CTE, an INSERT of one partition, a macro, a script."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, grammar
from tests.support import flat
from tests.support.engines import SPARK, means, need, postgres, spark
from tests.support.partitions import (
    BY,
    DAYS,
    HISTORY,
    INPUTS,
    METRICS,
    RECS,
    TRUTH,
    alone,
    asked,
    evaluated,
    holds,
    parsed,
)
from tests.support.refusals import refusal
from tests.support.scans import scans

# --- views, tables and CTEs, run in DuckDB ----------------------------------------------------------------------------


def test_a_view_and_a_table_hold_what_collect_returns(warehouse: duckdb.DuckDBPyConnection) -> None:
    result = evaluated()
    for form in ("view", "table"):
        for per_list in (False, True):
            name, expected = f"db.{form}_{per_list}", means(result, per_list=per_list)
            warehouse.execute(result.to_sql("duckdb", form=form, name=name, per_list=per_list))
            holds(warehouse, f"FROM {name}", expected)
        warehouse.execute(asked(form=form, name=f'"my {form}"'))
        holds(warehouse, f'FROM "my {form}"', means(result))


def test_a_view_is_replaced_and_sees_what_comes(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute("CREATE VIEW lb AS SELECT 1")
    warehouse.execute(asked(form="view"))
    warehouse.execute("UPDATE recs SET item = 19 WHERE item = 11")
    holds(warehouse, "FROM lb", means(evaluated(RECS.with_columns(pl.col("item").replace(11, 19)))))


def test_a_cte_runs_as_it_is_and_above_a_select_of_ones_own(warehouse: duckdb.DuckDBPyConnection) -> None:
    for per_list in (False, True):
        text = asked(form="cte", per_list=per_list)
        assert text.endswith('FROM "leaderboard"')
        holds(warehouse, text, means(evaluated(), per_list=per_list))
    steps, _, last = asked(form="cte", name="board").rpartition("SELECT\n")
    assert "put a SELECT of your own" in last
    assert warehouse.execute(f'{steps} SELECT max("hit@10"), count(*) FROM board').fetchall() == [(1.0, 4)]


@pytest.mark.parametrize("name", ["Hits_Per_List", "item"])
def test_what_is_made_may_be_called_as_a_step_of_the_query_is(warehouse: duckdb.DuckDBPyConnection, name: str) -> None:
    expected = means(evaluated())
    holds(warehouse, asked(form="cte", name=name), expected)
    warehouse.execute(asked(form="view", name=f"db.{name}"))
    holds(warehouse, f"FROM db.{name}", expected)
    warehouse.execute(asked(form="table", name=name))
    holds(warehouse, f"FROM {name}", expected)


# --- one partition ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("per_list", [False, True], ids=["summary", "per list"])
def test_an_incremental_adds_the_rows_of_its_partition_and_no_others(
    warehouse: duckdb.DuckDBPyConnection, per_list: bool
) -> None:
    options: dict[str, Any] = {"name": "lb", "per_list": per_list}
    warehouse.execute(alone(partition=1).to_sql("duckdb", form="table", **options))
    warehouse.execute("DELETE FROM lb")
    rows = []
    for partition in (1, 2):
        warehouse.execute(evaluated().to_sql("duckdb", form="incremental", where={"partition": partition}, **options))
        rows.append(means(alone(partition=partition), per_list=per_list))
        holds(warehouse, "FROM lb", pl.concat(rows))


def test_a_partition_may_be_of_whole_numbers_of_days_and_of_texts(warehouse: duckdb.DuckDBPyConnection) -> None:
    result = evaluated()
    warehouse.execute(asked(form="table"))
    for where, rows in (
        ({"partition": 1}, {"partition": 1}),
        ({"partition": "2"}, {"partition": 2}),
        ({"partition": -2}, {"partition": -2}),
        ({"day": DAYS[1]}, {"day": DAYS[1]}),
        ({"day": "2024-01-02"}, {"day": DAYS[1]}),
        ({"algorithm": "b's"}, {"algorithm": "b's"}),
        ({"algorithm": 3}, {"algorithm": "3"}),
        ({"partition": 1, "algorithm": "a"}, {"partition": 1, "algorithm": "a"}),
        ({"algorithm": "'; DROP TABLE recs; --"}, {"algorithm": "'; DROP TABLE recs; --"}),
    ):
        warehouse.execute("DELETE FROM lb")
        warehouse.execute(result.to_sql("duckdb", form="incremental", name="lb", where=where))  # type: ignore[arg-type]
        holds(warehouse, "FROM lb", alone(**rows).summary().collect())
    holds(warehouse, "FROM recs", RECS)


def test_a_column_that_nobody_looked_at_is_compared_with_a_value_of_its_own_type() -> None:
    values = {3: "3", -3: "-3", "3": "'3'", "2024-01-01": "'2024-01-01'", DAYS[0]: "CAST('2024-01-01' AS DATE)"}
    for value, literal in values.items():
        text = asked(form="incremental", where={"partition": value})
        tests = [test for test in parsed(text, "duckdb").find_all(exp.EQ) if test.left.name == "partition"]
        assert {test.right.sql("duckdb") for test in tests if not isinstance(test.right, exp.Column)} == {literal}


def test_an_incremental_names_its_columns_so_the_table_may_have_them_in_any_order(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    columns = '"recall@5", n_lists, "hit@10", day, "coverage@5", "partition", algorithm'
    warehouse.execute(asked(form="view", name="every"))
    warehouse.execute(f"CREATE TABLE lb AS SELECT {columns} FROM every LIMIT 0")
    warehouse.execute(asked(form="incremental"))
    expected = means(alone(partition=2))
    holds(warehouse, "FROM lb", expected.select(pl.read_database("FROM lb", warehouse).columns))


def test_an_input_with_the_column_is_cut_first_and_others_are_read_whole() -> None:
    inputs: dict[str, Any] = {name: name for name in ("history", "baseline", "items")}
    metrics = ["unseen@5", "serendipity@5", "categorical_diversity@5"]
    cut = _cut(asked("spark", "incremental", metrics=metrics, **inputs), "spark")
    assert cut == {"recs": True, "truth": True, "history": True, "baseline": True, "items": False}
    known = HISTORY.select("user", "item").unique()
    text = evaluated(history=known).to_sql("duckdb", form="incremental", name="lb", where={"partition": 1})
    assert _cut(text, "duckdb") == {"recs": True, "truth": True, "history": False}
    text = evaluated().to_sql("duckdb", form="incremental", name="lb", where={"algorithm": "a"})
    assert _cut(text, "duckdb") == {"recs": True, "truth": False, "history": False}


def _cut(text: str, dialect: str) -> dict[str, bool]:
    """The inputs that a text reads, and whether each is compared with a literal wherever it is read."""
    are_cut: dict[str, bool] = {}
    for table in parsed(text, dialect).find_all(exp.Table):
        select, name = table.parent_select, table.name.lower()
        if name in (*INPUTS, "baseline", "items") and select is not None:
            where = select.args.get("where")
            tests = [*where.find_all(exp.EQ)] if where else []
            own = [test for test in tests if test.this.table in ("", table.alias_or_name)]
            are_cut[name] = are_cut.get(name, True) and any(test.expression.find(exp.Literal) for test in own)
    return are_cut


# --- macros -----------------------------------------------------------------------------------------------------------

CALL = "FROM rank_metrics('recs', 'truth', 'history')"


def test_a_macro_measures_the_tables_it_is_called_with(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(asked(form="macro", metrics=["rr"], history=None))  # which the next one replaces
    warehouse.execute(asked(form="macro"))
    holds(warehouse, CALL, means(evaluated()))
    warehouse.execute("CREATE TABLE db.other AS FROM recs WHERE partition = 2")
    other = evaluated(RECS.filter(partition=2)).summary().collect()
    holds(warehouse, "FROM rank_metrics('db.other', 'truth', 'history')", other)
    warehouse.execute(asked(form="macro", metrics=METRICS[:2]))  # which do not read the history
    holds(warehouse, CALL, means(evaluated()).drop("coverage@5"))
    warehouse.execute(evaluated().to_sql("duckdb", form="macro", per_list=True))
    holds(warehouse, CALL, evaluated().collect(per_list=True))


def test_a_macro_measures_files_and_is_called_by_name(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    for name, frame in INPUTS.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    warehouse.execute(asked(form="macro", name="db.measure"))
    arguments = ", ".join(f"{name}_table := '{tmp_path / name}.parquet'" for name in reversed(INPUTS))
    holds(warehouse, f"FROM db.measure({arguments})", means(evaluated()))


def test_a_macro_measures_selects(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(asked(form="macro", metrics=METRICS[:2], history=None))
    call = "FROM rank_metrics('(FROM recs WHERE algorithm = ''a'')', '(SELECT * FROM truth)')"
    holds(warehouse, call, means(evaluated(RECS.filter(algorithm="a"))).drop("coverage@5"))


def test_a_column_may_be_called_as_a_parameter_of_a_macro(warehouse: duckdb.DuckDBPyConnection) -> None:
    names = {"partition": "recs", "day": "Recs_Table", "algorithm": "truth", "user": "truth_table", "item": "history"}
    recs, truth = RECS.rename(names), TRUTH.rename(names, strict=False)
    for name, frame in {"r": recs, "t": truth}.items():
        warehouse.from_arrow(frame.to_arrow()).create(name)
    options: dict[str, Any] = {"columns": rm.Columns(item="history"), "by": ["recs", "Recs_Table", "truth"]}
    result = flat.evaluate(recs, truth, METRICS[:2], **options)
    warehouse.execute(result.to_sql("duckdb", form="macro"))
    holds(warehouse, "FROM rank_metrics('r', 't')", means(result))


def test_a_macro_makes_rows_of_the_lists_that_items_hold(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    items = pl.DataFrame(
        {
            "item": [10, 11, 12],
            "category": [["s", "t"], ["s"], ["t", "u"]],
            "embedding": [[0.0, 1.0], [1.0, 1.0], [1.0, 0.5]],
        }
    )
    two = RECS.vstack(RECS.with_columns(rank=pl.lit(2, pl.Int64), item=pl.lit(12, pl.Int64)))
    two.write_parquet(tmp_path / "two.parquet")
    items.write_parquet(tmp_path / "items.parquet")
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    metrics = ["categorical_diversity@5", "embedding_diversity@5", "hit@1"]
    result = rm.evaluate(
        tmp_path / "two.parquet", tmp_path / "truth.parquet", metrics, by=BY, items=tmp_path / "items.parquet"
    )
    warehouse.from_arrow(items.to_arrow()).create("things")
    warehouse.from_arrow(two.to_arrow()).create("two")
    warehouse.execute(result.to_sql(form="macro"))
    holds(warehouse, "FROM rank_metrics('two', 'truth', 'things')", means(result))


def test_a_macro_of_rows_in_their_order_is_refused_since_tables_have_none(tmp_path: Path) -> None:
    RECS.drop("rank").write_parquet(tmp_path / "recs.parquet")
    result = rm.evaluate(tmp_path / "recs.parquet", TRUTH, "hit@1", ties="input")
    assert "ROW_NUMBER" in result.to_sql(form="view", name="lb")
    with refusal(rm.DialectError, 'ties="input"', "a table have none"):
        result.to_sql(form="macro")


# --- functions --------------------------------------------------------------------------------------------------------

TYPES: dict[str, Any] = {"text": ["algorithm"], "dates": ["day"]}


def test_a_function_of_postgres_measures_the_days_of_its_arguments() -> None:
    connection, tables = postgres(), {name: f"functions.{name}" for name in INPUTS}
    connection.execute("CREATE SCHEMA functions")
    try:
        for name, frame in INPUTS.items():
            kinds = {"day": "DATE", "algorithm": "TEXT"}
            columns = ", ".join(f'"{column}" {kinds.get(column, "BIGINT")}' for column in frame.columns)
            connection.execute(f"CREATE TABLE {tables[name]} ({columns})")
            marks = ", ".join(["%s"] * frame.width)
            connection.cursor().executemany(f"INSERT INTO {tables[name]} VALUES ({marks})", frame.rows())
        for where in ("day BETWEEN :first AND :last", "day = :day - 1", "algorithm = :name AND partition = :number"):
            options: dict[str, Any] = {"name": "functions.board", "where": where, "tables": tables}
            connection.execute(asked("postgres", "function", **options, **TYPES))
        rows = connection.execute("SELECT * FROM functions.board(DATE '2024-01-02', DATE '2024-01-31')").fetchall()
        assert sorted(rows) == sorted(alone(day=DAYS[1]).collect().drop("n_missing").rows())
        assert connection.execute("SELECT count(*) FROM functions.board(DATE '2024-01-03')").fetchall() == [(2,)]
        rows = connection.execute("SELECT algorithm, n_lists FROM functions.board('c', 2)").fetchall()
        assert rows == [("c", 1)]
    finally:
        connection.execute("DROP SCHEMA functions CASCADE")


@pytest.mark.long
def test_a_function_of_databricks_runs_on_spark() -> None:
    need(SPARK)
    for name, frame in INPUTS.items():
        SPARK.give(frame).createOrReplaceTempView(f"of_{name}")
    options: dict[str, Any] = {"where": "day = :day", "tables": {name: f"of_{name}" for name in INPUTS}, **TYPES}
    text = asked("databricks", "function", name="board", **options).replace("CREATE OR REPLACE", "CREATE TEMPORARY")
    spark().sql(text)  # a function that stays could not read the views of a session
    rows = spark().sql("SELECT * FROM board(DATE '2024-01-02')").collect()
    assert sorted(map(tuple, rows)) == sorted(alone(day=DAYS[1]).collect().drop("n_missing").rows())


@pytest.mark.parametrize("dialect", [name for name, known in DIALECTS.items() if "function" in known.forms])
def test_a_function_has_the_parameters_of_its_partition_as_arguments(dialect: str) -> None:
    text = asked(dialect, "function", name="db.board", where="day = :day", **TYPES)
    (function,) = sqlglot.parse(text, read=grammar(dialect))
    assert isinstance(function, exp.Create)
    (argument,) = function.this.expressions
    assert argument.name.lower() == "p_day"
    assert argument.kind.is_type("date")
    body = function.expression
    query = sqlglot.parse_one(body.name, read=grammar(dialect)) if body.name else body
    assert sum(column.name.lower() == "p_day" for column in query.find_all(exp.Column)) == 4  # two steps read recs
    assert "TABLE FUNCTION" in text if dialect == "bigquery" else "RETURNS TABLE" in text


def test_what_no_function_can_be_is_refused() -> None:
    for parameter in ("@day", "?", "%(day)s", "$1"):
        with refusal(rm.InputError, "arguments of a function have names", "day = :day"):
            asked("postgres", "function", where=f"day = {parameter}")
    with refusal(rm.DialectError, "makes a table function, and trino has none"):
        asked("trino", "function")


# --- Types, days and columns of the table that a job fills ------------------------------------------------------------


def of_instants(where: str) -> str:
    """The text of a partition whose day is an instant."""
    recs, truth = (frame.with_columns(pl.col("day").cast(pl.Datetime("us", "UTC"))) for frame in (RECS, TRUTH))
    result = flat.evaluate(recs, truth, "hit@1", by=BY, lists=[*BY, "user"])
    return result.to_sql("postgres", form="incremental", name="lb", where=where)


@pytest.mark.parametrize("day", ["DATE '2024-01-01'", ":day", "CURRENT_DATE - 1", "TIMESTAMPTZ '2024-01-01 00:00:00'"])
def test_a_day_of_instants_is_refused_since_sessions_differ(day: str) -> None:
    with refusal(rm.ColumnError, "time zone of the session", "AT TIME ZONE 'Europe/Berlin' AS DATE) AS day"):
        of_instants(f"day = {day}")


def test_an_instant_with_its_offset_is_a_partition() -> None:
    text = of_instants("day = TIMESTAMPTZ '2024-01-01 00:00:00+01:00'")
    assert """WHERE "day" = CAST('2024-01-01 00:00:00+01:00' AS TIMESTAMPTZ)""" in text
    assert "session" not in text


def test_days_of_a_column_of_unknown_type_come_with_a_note() -> None:
    note = "-- day is compared with dates: a TIMESTAMP WITH TIME ZONE depends on the time zone of the session"
    for where in ({"day": DAYS[0]}, "day = CURRENT_DATE - 1"):
        assert note in asked(form="incremental", where=where)
        assert note not in asked(form="incremental", where=where, dates=["day"])
    assert note not in asked(form="incremental", where={"day": "monday"})


def test_a_check_of_a_partition_counts_rows_without_it(warehouse: duckdb.DuckDBPyConnection) -> None:
    text = asked(form="check", name=None, where={"day": DAYS[0]})
    assert warehouse.sql(text).fetchall() == []
    warehouse.execute("CREATE TABLE late AS SELECT * REPLACE (IF(item = 12, NULL, day) AS day) FROM recs")
    late = {"recs": "late", "truth": "truth", "history": "history"}
    text = asked(form="check", name=None, where={"day": DAYS[0]}, tables=late)
    what = "Some rows of the recommendations have no day, so they are in no partition."
    assert warehouse.sql(text).fetchall() == [("recommendations_without_partition", 1, "", what)]
    assert "-- Rows without day are in no partition: the check" in asked(form="incremental", where={"day": DAYS[0]})


def test_a_table_says_which_types_are_guesses() -> None:
    assert "-- Taken for whole numbers: partition, day. State" in asked(form="ddl", text=["algorithm"])
    for text in (
        asked(form="ddl", text=["algorithm"], dates=["day", "partition"]),
        evaluated().to_sql("duckdb", form="ddl", name="lb"),
    ):
        assert "Taken for" not in text
        assert '"day" DATE NOT NULL' in text


def test_a_new_metric_is_a_column_added_to_the_table(warehouse: duckdb.DuckDBPyConnection) -> None:
    types: dict[str, Any] = {"text": ["algorithm"], "dates": ["day"]}
    warehouse.execute(asked(form="ddl", metrics=["hit@10", "rr"], **types))
    existing = [row[0] for row in warehouse.sql("DESCRIBE lb").fetchall()]
    text = asked(form="ddl", metrics=["hit@10", "recall@5"], existing=existing, **types)
    assert "-- The table has rr, which this leaves as it is: new rows have NULL there." in text
    warehouse.execute(text)
    warehouse.execute(asked(form="incremental", metrics=["hit@10", "recall@5"], **types))
    rows = warehouse.sql('SELECT algorithm, "hit@10", rr, "recall@5" FROM lb ORDER BY 1').fetchall()
    assert rows == [("a", 1.0, None, 1.0), ("c", 1.0, None, 1.0)]
    plain = ["PARTITION", "DAY", "ALGORITHM", "N_LISTS", "HIT_AT_10"]
    assert 'ALTER TABLE "LB"\nADD "RR" DOUBLE' in asked("snowflake", "ddl", metrics=["hit@10", "rr"], existing=plain)
    for columns, words in (["day"], "lacks 'partition'"), ([*plain, "rr"], "has every column already"):
        with refusal(rm.InputError, words):
            asked(form="ddl", metrics=["hit@10", "rr"], existing=columns)
    with refusal(rm.InputError, 'existing=["a"] belongs to form="ddl"'):
        asked(existing=["a"])


# --- Forms, partitions and values that do not go together are refused in words ----------------------------------------


PARTITION = {"where": {"partition": 1}}


# Options of a statement, and the error that they raise.
STATEMENTS: list[tuple[dict[str, Any], type[rm.RankMetricsError], str]] = [
    ({"form": "veiw"}, rm.InputError, "Did you mean 'view'?"),
    ({"form": None}, rm.InputError, "no form None"),
    ({"name": "lb"}, rm.InputError, 'form="query" makes nothing that name="..." could name'),
    ({"form": "view"}, rm.InputError, 'form="view" makes a view, which needs a name: name="db.leaderboard"'),
    ({"form": "table", "name": ""}, rm.InputError, "needs a name"),
    ({"form": "incremental", **PARTITION}, rm.InputError, "makes an INSERT, which needs a name"),
    ({"form": "incremental", "name": "lb"}, rm.InputError, 'say which, where={"partition": "2024-01-01"}'),
    ({"form": "incremental", "name": "lb", "where": {}}, rm.InputError, "say which"),
    ({"form": "incremental", "name": "lb", "where": 5}, rm.InputError, "5, which is neither a mapping nor a text"),
    ({**PARTITION}, rm.InputError, 'form="incremental" adds: form="query" takes none'),
    ({"form": "view", "name": "lb", **PARTITION}, rm.InputError, 'form="view" takes none'),
    ({"form": "view", "name": "f(x)"}, rm.DialectError, "cannot be the name of a table in duckdb"),
    ({"form": "cte", "name": "db.lb"}, rm.InputError, "whose name is one plain word: 'db.lb' is not"),
    ({"form": "view", "name": "Recs"}, rm.InputError, "'Recs' is the table of the recommendations"),
    ({"form": "table", "name": "truth"}, rm.InputError, "'truth' is the table of the truth: give what is made"),
    ({"form": "incremental", "name": "history", **PARTITION}, rm.InputError, "the table of the history"),
    ({"form": "cte", "name": "recs"}, rm.InputError, "the table of the recommendations"),
    ({"form": "macro", "per_list": True, "metrics": ["coverage@5"]}, rm.MetricError, "nothing per list"),
]

# A partition, other options, and the error.
PARTITIONS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"partitoin": 1}, {}, "identified by 'partition', 'day', 'algorithm' and 'user'. Did you mean 'partition'?"),
    ({"item": 10}, {}, "by 'item': lists are identified by 'partition', 'day', 'algorithm' and 'user'. If the rec"),
    ({"user": 1}, {}, "would not say which 'user' they are of: keep it with by=[...]."),
    ({"partition": 1}, {"by": ["algorithm"]}, "would not say which 'partition'"),
    ({"partition": 1, "day": DAYS[0]}, {"by": ["partition"]}, "would not say which 'day'"),
]

# A partition with a value that does not fit the type of its column, and the error.
VALUES: list[tuple[dict[str, Any], str]] = [
    ({"partition": "one"}, "'one' is not a value for the list column 'partition', which is integer"),
    ({"partition": "1.5"}, "which is integer"),
    ({"partition": 1.0}, "which is integer"),
    ({"partition": True}, "True is not a value"),
    ({"partition": None}, "None is not a value"),
    ({"partition": DAYS[0]}, "which is integer"),
    ({"day": "yesterday"}, "'yesterday' is not a value for the list column 'day', which is date"),
    ({"day": "2024-02-30"}, "which is date"),
    ({"day": 20240101}, "which is date"),
    ({"day": datetime(2024, 1, 1, 12)}, "a partition is a whole number, a text or a date"),
    ({"algorithm": 0.5}, "which is string"),
    ({"algorithm": ["a", 0.5]}, "0.5 is not a value for the list column 'algorithm', which is string"),
]


def test_what_does_not_go_together_is_refused_in_words() -> None:
    for options, error, words in STATEMENTS:
        with refusal(error, words, case=options):
            asked(**{"name": None, "where": None, **options})


def test_a_partition_that_the_result_would_not_tell_is_refused() -> None:
    for where, options, words in PARTITIONS:
        with refusal(rm.ColumnError, words, case=where):
            asked(form="incremental", where=where, **options)
        with refusal(rm.ColumnError, words, case=where):
            evaluated(**options).to_sql("postgres", form="incremental", name="lb", where=where)


def test_a_value_that_does_not_fit_its_column_is_refused() -> None:
    result = evaluated()
    for where, words in VALUES:
        with refusal(rm.ColumnError, words, case=where):
            result.to_sql("duckdb", form="incremental", name="lb", where=where)
    with refusal(rm.ColumnError, "1.5 is not a value for the list column 'partition': a partition is"):
        asked(form="incremental", where={"partition": 1.5})  # its type is unknown
    recs = RECS.with_columns(algorithm=pl.col("algorithm") == "a")
    with refusal(rm.ColumnError, "which is boolean"):
        evaluated(recs).to_sql("duckdb", form="incremental", name="lb", where={"algorithm": "true"})


# --- A script computes each step that several steps read once, and makes the table that the one query makes -----------


ASKED = {
    "metrics": ["surprisal@3", "epc@3", "popularity@3", "unseen@3", "coverage@3", "ndcg@3"],
    "lists": ["algorithm", "user"],
    "truth_lists": ["user"],
    "history": "history",
    "truth_columns": rm.Columns(item="item"),
}


def written(dialect: str, form: str = "script", name: str | None = "lb") -> str:
    return flat.to_sql("recs", "truth", dialect=dialect, form=form, name=name, **ASKED)


def inputs() -> dict[str, pl.DataFrame]:
    """Two systems, three users, one without recommendations."""
    ranked = [("a", 1, [1, 2, 3]), ("a", 2, [3, 4, 1]), ("b", 1, [5, 1, 2]), ("b", 2, [2, 6, 4])]
    recs = [(system, user, item, rank) for system, user, of in ranked for rank, item in enumerate(of, 1)]
    return {
        "recs": pl.DataFrame(recs, schema=["algorithm", "user", "item", "rank"], orient="row"),
        "truth": pl.DataFrame([(1, 2), (1, 5), (2, 4), (3, 1)], schema=["user", "item"], orient="row"),
        "history": pl.DataFrame([(1, 1), (1, 3), (2, 3), (2, 6), (3, 6)], schema=["user", "item"], orient="row"),
    }


def test_duckdb_makes_the_table_of_the_one_query_again_and_again() -> None:
    with duckdb.connect() as connection:
        for name, frame in inputs().items():
            connection.from_arrow(frame.to_arrow()).create(name)
        expected = connection.execute(written("duckdb", "query", None)).fetchall()
        for _ in range(2):
            connection.execute(written("duckdb"))
            assert sorted(connection.execute("FROM lb").fetchall()) == expected
        tables = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
        assert tables == {"recs", "truth", "history", "lb"}


def test_sqlite_makes_the_table_of_the_one_query() -> None:
    with sqlite3.connect(":memory:") as connection:
        for name, frame in inputs().items():
            marks = ", ".join("?" * frame.width)
            connection.execute(f"CREATE TABLE {name} ({', '.join(frame.columns)})")
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.rows())
        expected = connection.execute(written("sqlite", "query", None)).fetchall()
        connection.executescript(written("sqlite"))
        assert sorted(connection.execute("SELECT * FROM lb").fetchall()) == expected


def test_each_step_that_several_steps_read_is_made_once_and_dropped_in_the_end() -> None:
    for dialect in [name for name, dialect in DIALECTS.items() if "script" in dialect.forms]:
        text = written(dialect)
        lines = text.splitlines()
        assert sum("CREATE" in line for line in lines) > 4 or dialect == "tsql", dialect
        assert len({line for line in lines if line.startswith("DROP TABLE IF EXISTS")}) >= 4, dialect
        assert text.rstrip().endswith(";"), dialect
    assert "CREATE TABLE `lb_history_items`" in written("mysql")  # which opens a temporary table once in a query
    assert "TEMPORARY" not in written("mysql")


def test_a_script_reads_each_input_less_often_than_its_query_written_out() -> None:
    query, script = scans(written("trino", "query", None), "trino"), written("trino")
    assert query["history"] > script.count('"history"\n') > 0
    assert query["recs"] > script.count('FROM "recs"')


def test_a_query_that_reads_each_step_once_is_one_statement() -> None:
    options: dict[str, Any] = {"lists": ["user"], "by": [], "truth_columns": rm.Columns(item="item")}
    text = flat.to_sql("recs", "truth", "ndcg@10", dialect="bigquery", form="script", name="lb", **options)
    assert text.count(";") == 0
    assert "CREATE OR REPLACE TABLE `lb`" in text


def test_polars_has_no_scripts_and_a_script_needs_a_name() -> None:
    with refusal(rm.DialectError, 'form="script" makes', "polars has none"):
        written("polars")
    with refusal(rm.InputError, "needs a name"):
        written("duckdb", name=None)
