"""The forms of a query: a view, a table, a CTE, an INSERT of one partition, a macro; run where there is an engine.

Algorithm a finds one of two in partition 1 and all there is in partition 2, b's finds nothing in 1, c is in 2 alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from polars.testing import assert_frame_equal
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.cli.options import complete_form
from rankmetrics.dialects.base import DIALECTS, grammar
from rankmetrics.dialects.rewrites.clauses import nest_steps
from tests.engines import means
from tests.test_bad_input import refusal
from tests.test_cli import RECS as RECS_FILE
from tests.test_cli import TRUTH as TRUTH_FILE
from tests.test_cli import by_hand, printed, refused

DAYS = [date(2024, 1, 1), date(2024, 1, 2)]
RECS = pl.DataFrame(
    {
        "partition": [1, 1, 1, 2, 2, 2],
        "day": [DAYS[0]] * 3 + [DAYS[1]] * 3,
        "algorithm": ["a", "a", "b's", "a", "c", "c"],
        "user": [1, 2, 1, 1, 1, 2],
        "item": [10, 11, 12, 10, 10, 11],
        "rank": [1, 1, 1, 1, 1, 1],
    }
)
TRUTH = pl.DataFrame(
    {
        "partition": [1, 1, 2],
        "day": [DAYS[0], DAYS[0], DAYS[1]],
        "user": [1, 2, 1],
        "item": [10, 19, 10],
    }
)
HISTORY = pl.DataFrame({"partition": [1, 1, 2], "day": [DAYS[0], *DAYS], "user": [1, 1, 2], "item": [12, 10, 12]})
INPUTS = {"recs": RECS, "truth": TRUTH, "history": HISTORY}
METRICS = ["hit@10", "recall@5", "coverage@5"]
BY = ["partition", "day", "algorithm"]
LISTS: dict[str, Any] = {
    "lists": [*BY, "user"],
    "truth_lists": ["partition", "day", "user"],
    "truth_columns": rm.Columns(item="item"),
    "by": BY,
}

KINDS: dict[str, tuple[type[exp.Expr], str | None]] = {
    "query": (exp.Select, None),
    "view": (exp.Create, "VIEW"),
    "table": (exp.Create, "TABLE"),
    "cte": (exp.Select, None),
    "incremental": (exp.Insert, None),
}
NAMES = {"view": "lb", "table": "lb", "incremental": "lb"}
WRITTEN = [(form, one) for form in KINDS for one in DIALECTS if one != "polars" or form in ("query", "table", "cte")]


def evaluated(recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any) -> rm.Result:
    return rm.evaluate(recs, truth, METRICS, **{"by": BY, "history": HISTORY, **options})


def alone(**where: Any) -> rm.Result:
    """What evaluate returns for a partition that there is nothing beside."""
    cut = {
        name: frame.filter(pl.lit(True), *(pl.col(one) == value for one, value in where.items() if one in frame))
        for name, frame in INPUTS.items()
    }
    return evaluated(**cut)


def asked(dialect: str = "duckdb", form: Any = "query", **options: Any) -> str:
    """The text for tables that nobody looks at."""
    where = {"partition": 2} if form == "incremental" else None
    given = {"name": NAMES.get(form), "where": where, "history": "history", **LISTS, **options}
    return rm.to_sql("recs", "truth", given.pop("metrics", METRICS), dialect=dialect, form=form, **given)


def parsed(text: str, dialect: str) -> exp.Expr:
    (found,) = sqlglot.parse(text, read=grammar(dialect))
    assert found is not None
    return found


@pytest.fixture
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB that stands for a warehouse, with the inputs as tables."""
    with duckdb.connect() as connection:
        for name, frame in INPUTS.items():
            connection.from_arrow(frame.to_arrow()).create(name)
        connection.execute("CREATE SCHEMA db")
        yield connection


def holds(connection: duckdb.DuckDBPyConnection, query: str, expected: pl.DataFrame) -> None:
    """Assert that a query returns these rows, in whatever order."""
    relation = connection.sql(query)
    assert relation is not None
    assert_frame_equal(relation.pl(), expected, check_row_order=False)


# --- views, tables and CTEs, run in DuckDB ----------------------------------------------------------------------------


@pytest.mark.parametrize("per_list", [False, True], ids=["summary", "per list"])
@pytest.mark.parametrize("form", ["view", "table"])
def test_a_view_and_a_table_hold_what_collect_returns(
    warehouse: duckdb.DuckDBPyConnection, form: Any, per_list: bool
) -> None:
    warehouse.execute(evaluated().to_sql("duckdb", form=form, name="db.leaderboard", per_list=per_list))
    holds(warehouse, "FROM db.leaderboard", means(evaluated(), per_list=per_list))


@pytest.mark.parametrize("form", ["view", "table"])
def test_the_text_for_tables_that_nobody_looks_at_makes_the_same(
    warehouse: duckdb.DuckDBPyConnection, form: str
) -> None:
    warehouse.execute(asked(form=form, name='"my board"'))
    holds(warehouse, 'FROM "my board"', means(evaluated()))


def test_a_view_is_replaced_and_sees_what_comes(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute("CREATE VIEW lb AS SELECT 1")
    warehouse.execute(asked(form="view"))
    warehouse.execute("UPDATE recs SET item = 19 WHERE item = 11")
    holds(warehouse, "FROM lb", means(evaluated(RECS.with_columns(pl.col("item").replace(11, 19)))))


@pytest.mark.parametrize("per_list", [False, True], ids=["summary", "per list"])
def test_a_cte_runs_as_it_is(warehouse: duckdb.DuckDBPyConnection, per_list: bool) -> None:
    text = asked(form="cte", per_list=per_list)
    assert text.endswith('FROM "leaderboard"')
    holds(warehouse, text, means(evaluated(), per_list=per_list))


def test_a_cte_stands_above_a_select_of_ones_own(warehouse: duckdb.DuckDBPyConnection) -> None:
    steps, _, last = asked(form="cte", name="board").rpartition("SELECT\n")
    assert "put a SELECT of your own" in last
    assert warehouse.execute(f'{steps} SELECT max("hit@10"), count(*) FROM board').fetchall() == [(1.0, 6)]


@pytest.mark.parametrize("name", ["measured", "Hits_Per_List", "truth_lists", "item"])
def test_what_is_made_may_be_called_as_a_step_of_the_query_is(warehouse: duckdb.DuckDBPyConnection, name: str) -> None:
    holds(warehouse, asked(form="cte", name=name), means(evaluated()))
    warehouse.execute(asked(form="view", name=f"db.{name}"))
    holds(warehouse, f"FROM db.{name}", means(evaluated()))
    warehouse.execute(asked(form="table", name=name))
    holds(warehouse, f"FROM {name}", means(evaluated()))


def test_a_table_is_made_of_files_where_the_files_are() -> None:
    result = rm.evaluate(RECS_FILE, TRUTH_FILE, ["ndcg@10", "rr"])
    with duckdb.connect() as connection:
        connection.execute(result.to_sql(form="table", name="lb"))
        holds(connection, "FROM lb", means(result))


# --- one partition ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("per_list", [False, True], ids=["summary", "per list"])
def test_an_incremental_adds_the_rows_of_its_partition_and_no_others(
    warehouse: duckdb.DuckDBPyConnection, per_list: bool
) -> None:
    options: dict[str, Any] = {"name": "lb", "per_list": per_list}
    warehouse.execute(alone(partition=1).to_sql("duckdb", form="table", **options))
    warehouse.execute("DELETE FROM lb")
    there = []
    for partition in (1, 2):
        warehouse.execute(evaluated().to_sql("duckdb", form="incremental", where={"partition": partition}, **options))
        there.append(means(alone(partition=partition), per_list=per_list))
        holds(warehouse, "FROM lb", pl.concat(there))


def test_a_partition_has_no_systems_but_its_own(warehouse: duckdb.DuckDBPyConnection) -> None:
    of_one = "SELECT DISTINCT algorithm FROM lb WHERE partition = 1 ORDER BY algorithm"
    warehouse.execute(asked(form="table"))
    assert warehouse.execute(of_one).fetchall() == [("a",), ("b's",), ("c",)]
    warehouse.execute("DELETE FROM lb")
    warehouse.execute(asked(form="incremental", where={"partition": 1}))
    assert warehouse.execute(of_one).fetchall() == [("a",), ("b's",)]


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ({"partition": 2}, {"partition": 2}),
        ({"partition": "2"}, {"partition": 2}),
        ({"partition": -2}, {"partition": -2}),
        ({"day": DAYS[1]}, {"day": DAYS[1]}),
        ({"day": "2024-01-02"}, {"day": DAYS[1]}),
        ({"algorithm": "b's"}, {"algorithm": "b's"}),
        ({"algorithm": 3}, {"algorithm": "3"}),
        ({"partition": 1, "algorithm": "a"}, {"partition": 1, "algorithm": "a"}),
        ({"algorithm": "'; DROP TABLE recs; --"}, {"algorithm": "'; DROP TABLE recs; --"}),
    ],
    ids=str,
)
def test_a_partition_may_be_of_whole_numbers_of_days_and_of_texts(
    warehouse: duckdb.DuckDBPyConnection, where: Any, rows: dict[str, Any]
) -> None:
    warehouse.execute(asked(form="table"))
    warehouse.execute("DELETE FROM lb")
    warehouse.execute(evaluated().to_sql("duckdb", form="incremental", name="lb", where=where))
    holds(warehouse, "FROM lb", alone(**rows).summary().collect())
    holds(warehouse, "FROM recs", RECS)


@pytest.mark.parametrize(
    ("value", "written"),
    [(3, "3"), (-3, "-3"), ("3", "'3'"), ("2024-01-01", "'2024-01-01'"), (DAYS[0], "CAST('2024-01-01' AS DATE)")],
)
def test_a_column_that_nobody_looked_at_is_compared_with_a_value_of_its_own_type(value: Any, written: str) -> None:
    text = asked(form="incremental", where={"partition": value})
    comparisons = [one for one in parsed(text, "duckdb").find_all(exp.EQ) if one.left.name == "partition"]
    filters = {one.right.sql("duckdb") for one in comparisons if not isinstance(one.right, exp.Column)}
    assert filters == {written}


def test_an_incremental_names_its_columns_so_the_table_may_have_them_in_any_order(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    columns = '"recall@5", n_lists, "hit@10", day, "coverage@5", "partition", algorithm'
    warehouse.execute(asked(form="view", name="every"))
    warehouse.execute(f"CREATE TABLE lb AS SELECT {columns} FROM every LIMIT 0")
    warehouse.execute(asked(form="incremental"))
    expected = means(alone(partition=2))
    holds(warehouse, "FROM lb", expected.select(pl.read_database("FROM lb", warehouse).columns))


@pytest.mark.parametrize("dialect", [one for form, one in WRITTEN if form == "incremental"])
def test_every_input_that_has_the_column_is_cut_before_anything_else_is_done(dialect: str) -> None:
    inputs: dict[str, Any] = {name: name for name in ("history", "baseline", "items")}
    metrics = ["unseen@5", "serendipity@5", "categorical_diversity@5"]
    cut = _cut(asked(dialect, "incremental", metrics=metrics, **inputs), dialect)
    assert cut == {"recs": True, "truth": True, "history": True, "baseline": True, "items": False}


def test_an_input_that_has_not_the_column_is_read_whole() -> None:
    known = HISTORY.select("user", "item").unique()
    text = evaluated(history=known).to_sql("duckdb", form="incremental", name="lb", where={"partition": 1})
    assert _cut(text, "duckdb") == {"recs": True, "truth": True, "history": False}
    text = evaluated().to_sql("duckdb", form="incremental", name="lb", where={"algorithm": "a"})
    assert _cut(text, "duckdb") == {"recs": True, "truth": False, "history": False}


def _cut(text: str, dialect: str) -> dict[str, bool]:
    """The inputs that a text reads, and whether each is read by `SELECT * FROM it WHERE ...` wherever it is."""
    found: dict[str, bool] = {}
    for table in parsed(text, dialect).find_all(exp.Table):
        select = table.parent_select
        if table.name in (*INPUTS, "baseline", "items") and select is not None:
            everything = [type(one) for one in select.expressions] == [exp.Star]
            found[table.name] = found.get(table.name, True) and everything and "where" in select.args
    return found


# --- macros -----------------------------------------------------------------------------------------------------------

CALL = "FROM rank_metrics('recs', 'truth', 'history')"


def test_a_macro_measures_the_tables_it_is_called_with(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(asked(form="macro"))
    holds(warehouse, CALL, means(evaluated()))
    warehouse.execute("CREATE TABLE db.other AS FROM recs WHERE partition = 2")
    other = evaluated(RECS.filter(partition=2)).summary().collect()
    holds(warehouse, "FROM rank_metrics('db.other', 'truth', 'history')", other)


def test_a_macro_over_frames_is_one_over_tables(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(evaluated().to_sql("duckdb", form="macro", per_list=True))
    holds(warehouse, CALL, evaluated().collect(per_list=True))


def test_a_macro_measures_files_and_is_called_by_name(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    for name, frame in INPUTS.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    warehouse.execute(asked(form="macro", name="db.measure"))
    given = ", ".join(f"{name}_table := '{tmp_path / name}.parquet'" for name in reversed(INPUTS))
    holds(warehouse, f"FROM db.measure({given})", means(evaluated()))


def test_a_macro_is_replaced(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(asked(form="macro", metrics=["rr"], history=None))
    warehouse.execute(asked(form="macro"))
    holds(warehouse, CALL, means(evaluated()))


def test_a_macro_takes_every_input_that_was_named_read_or_not(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(asked(form="macro", metrics=METRICS[:2]))
    holds(warehouse, CALL, means(evaluated()).drop("coverage@5"))


def test_a_column_may_be_called_as_a_parameter_of_a_macro(warehouse: duckdb.DuckDBPyConnection) -> None:
    names = {"partition": "recs", "day": "Recs_Table", "algorithm": "truth", "user": "truth_table", "item": "history"}
    recs, truth = RECS.rename(names), TRUTH.rename(names, strict=False)
    for name, frame in {"r": recs, "t": truth}.items():
        warehouse.from_arrow(frame.to_arrow()).create(name)
    options: dict[str, Any] = {"columns": rm.Columns(item="history"), "by": ["recs", "Recs_Table", "truth"]}
    result = rm.evaluate(recs, truth, METRICS[:2], **options)
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
    sqlite.execute(asked("sqlite", form))
    assert sqlite_rows(sqlite, "SELECT * FROM lb") == [pytest.approx(row) for row in rows_of(evaluated())]


def test_sqlite_runs_a_cte(sqlite: sqlite3.Connection) -> None:
    assert sqlite_rows(sqlite, asked("sqlite", "cte")) == [pytest.approx(row) for row in rows_of(evaluated())]


@pytest.mark.parametrize("where", [{"partition": 2}, {"day": "2024-01-02"}, {"day": DAYS[1]}, {"algorithm": "b's"}])
def test_sqlite_adds_a_partition(sqlite: sqlite3.Connection, where: dict[str, Any]) -> None:
    sqlite.execute(asked("sqlite", "table"))
    sqlite.execute("DELETE FROM lb")
    sqlite.execute(asked("sqlite", "incremental", where=where))
    rows = {name: DAYS[1] if name == "day" else value for name, value in where.items()}
    expected = alone(**rows).summary().collect().with_columns(pl.col(pl.Date).cast(pl.String)).rows()
    assert sqlite_rows(sqlite, "SELECT * FROM lb") == [pytest.approx(row) for row in sorted(expected)]


# --- the other dialects -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("form", "dialect"), WRITTEN)
def test_a_form_is_one_statement_of_its_kind_in_every_dialect(form: str, dialect: str) -> None:
    statement = parsed(asked(dialect, form), dialect)
    kind, of = KINDS[form]
    if (form, dialect) == ("table", "tsql"):
        assert isinstance(statement, exp.Select)
        assert statement.args["into"].this.name == "lb"
    else:
        assert isinstance(statement, kind)
        assert of is None or statement.args["kind"] == of


@pytest.mark.parametrize(("form", "dialect"), WRITTEN)
def test_a_form_keeps_the_comments_and_only_a_query_has_an_order(form: str, dialect: str) -> None:
    text, query = asked(dialect, form), asked(dialect)
    assert text.count("/*") == query.count("/*") + (2 if form == "cte" else 0)
    orders = [one for one in parsed(text, dialect).find_all(exp.Order) if isinstance(one.parent, exp.Query)]
    assert len(orders) == (form == "query")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_view_takes_the_place_of_an_old_one_where_views_can(dialect: str) -> None:
    if dialect == "polars":
        with refusal(rm.DialectError, 'form="view" makes a view', "polars has none"):
            asked(dialect, "view")
    else:
        opening = {"sqlite": "CREATE VIEW", "tsql": "CREATE OR ALTER VIEW"}.get(dialect, "CREATE OR REPLACE VIEW")
        assert asked(dialect, "view").startswith(f"{opening} ")


def test_the_steps_of_a_table_come_first_where_it_is_a_select_into() -> None:
    assert asked("tsql", "table").startswith("WITH ")
    assert asked("tsql", "incremental").startswith("WITH ")


def test_a_table_of_clickhouse_says_how_it_is_stored() -> None:
    assert asked("clickhouse", "table").startswith('CREATE TABLE "lb"\nENGINE=MergeTree')


@pytest.mark.parametrize("dialect", [one for form, one in WRITTEN if form == "incremental"])
def test_an_incremental_names_the_columns_that_its_select_returns(dialect: str) -> None:
    statement = parsed(asked(dialect, "incremental"), dialect)
    assert isinstance(statement, exp.Insert)
    assert isinstance(statement.expression, exp.Select)
    assert [one.name for one in statement.this.expressions] == statement.expression.named_selects
    assert len(statement.this.expressions) == 7


def steps_of(statement: exp.Expr) -> list[list[str]]:
    """The names of the steps in each WITH."""
    return [[step.alias for step in clause.expressions] for clause in statement.find_all(exp.With)]


@pytest.mark.parametrize("form", KINDS)
def test_no_with_of_mysql_has_more_than_64_steps_and_no_step_is_lost(form: str) -> None:
    many = [f"{name}(rel={rel})@5" for name in ("ndcg", "ap") for rel in range(1, 12)]
    asks = {"metrics": many, "columns": rm.Columns(rating="rating")}
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


# --- what is refused --------------------------------------------------------------------------------------------------

PARTITION = {"where": {"partition": 1}}


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"form": "veiw"}, rm.InputError, "no form 'veiw': there are 'query', 'view', 'table'"),
        ({"form": "veiw"}, rm.InputError, "Did you mean 'view'?"),
        ({"form": None}, rm.InputError, "no form None"),
        ({"name": "lb"}, rm.InputError, 'form="query" makes nothing that name="..." could name'),
        ({"form": "view"}, rm.InputError, 'form="view" makes a view, which needs a name: name="db.leaderboard"'),
        ({"form": "table", "name": ""}, rm.InputError, "needs a name"),
        ({"form": "incremental", **PARTITION}, rm.InputError, "makes an INSERT, which needs a name"),
        ({"form": "incremental", "name": "lb"}, rm.InputError, 'say which, where={"partition": "2024-01-01"}'),
        ({"form": "incremental", "name": "lb", "where": {}}, rm.InputError, "say which"),
        ({"form": "incremental", "name": "lb", "where": "partition = 1"}, rm.InputError, "'partition = 1' is none"),
        ({**PARTITION}, rm.InputError, 'form="incremental" adds: form="query" takes none'),
        ({"form": "view", "name": "lb", **PARTITION}, rm.InputError, 'form="view" takes none'),
        ({"form": "view", "name": "f(x)"}, rm.DialectError, "cannot be the name of a table in duckdb"),
        ({"form": "cte", "name": "db.lb"}, rm.InputError, "whose name is one plain word: 'db.lb' is none"),
        ({"form": "view", "name": "Recs"}, rm.InputError, "'Recs' is the table of the recommendations"),
        ({"form": "table", "name": "truth"}, rm.InputError, "'truth' is the table of the truth: give what is made"),
        ({"form": "incremental", "name": "history", **PARTITION}, rm.InputError, "the table of the history"),
        ({"form": "cte", "name": "recs"}, rm.InputError, "the table of the recommendations"),
        ({"form": "macro", "per_list": True, "metrics": ["coverage@5"]}, rm.MetricError, "nothing per list"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused_in_words(options: Any, error: Any, words: str) -> None:
    with refusal(error, words):
        asked(**{"name": None, "where": None, **options})


@pytest.mark.parametrize(
    ("where", "options", "words"),
    [
        ({"partitoin": 1}, {}, "identified by 'partition', 'day', 'algorithm' and 'user'. Did you mean 'partition'?"),
        ({"item": 10}, {}, "No partition can be taken by 'item'"),
        ({"user": 1}, {}, "would not say which 'user' they are of: keep it with by=[...], or ask for one row per list"),
        ({"partition": 1}, {"by": ["algorithm"]}, "would not say which 'partition'"),
        ({"partition": 1, "day": DAYS[0]}, {"by": ["partition"]}, "would not say which 'day'"),
    ],
    ids=str,
)
def test_a_partition_that_the_result_would_not_tell_is_refused(
    where: dict[str, Any], options: dict[str, Any], words: str
) -> None:
    with refusal(rm.ColumnError, words):
        asked(form="incremental", where=where, **options)
    with refusal(rm.ColumnError, words):
        evaluated(**options).to_sql("postgres", form="incremental", name="lb", where=where)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"partition": "one"}, "'one' is no value for the list column 'partition', which is integer"),
        ({"partition": "1.5"}, "which is integer"),
        ({"partition": 1.0}, "which is integer"),
        ({"partition": True}, "True is no value"),
        ({"partition": None}, "None is no value"),
        ({"partition": DAYS[0]}, "which is integer"),
        ({"day": "yesterday"}, "'yesterday' is no value for the list column 'day', which is date"),
        ({"day": "2024-02-30"}, "which is date"),
        ({"day": 20240101}, "which is date"),
        ({"day": datetime(2024, 1, 1, 12)}, "a partition is a whole number, a text or a date"),
        ({"algorithm": 0.5}, "which is string"),
        ({"algorithm": ["a"]}, "which is string"),
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_its_column_is_refused(where: dict[str, Any], words: str) -> None:
    with refusal(rm.ColumnError, words):
        evaluated().to_sql("duckdb", form="incremental", name="lb", where=where)


def test_a_value_is_of_a_known_kind_where_the_column_is_not_known() -> None:
    with refusal(rm.ColumnError, "1.5 is no value for the list column 'partition': a partition is"):
        asked(form="incremental", where={"partition": 1.5})


def test_columns_of_other_types_make_no_partition() -> None:
    recs = RECS.with_columns(algorithm=pl.col("algorithm") == "a")
    with refusal(rm.ColumnError, "which is boolean"):
        evaluated(recs).to_sql("duckdb", form="incremental", name="lb", where={"algorithm": "true"})


# --- the command line -------------------------------------------------------------------------------------------------

SQL = ("sql", RECS_FILE, TRUTH_FILE, "-m", "hit@10")
OF_TABLES = ("sql", "db.recs", "db.truth", "-m", "hit@10", *(f"--list={one}" for one in LISTS["lists"]))
KEPT = ("--by", "partition", "--by", "algorithm")


def test_the_command_writes_what_python_writes() -> None:
    result = rm.evaluate(RECS_FILE, TRUTH_FILE, "hit@10", by=["partition", "algorithm"])
    given: list[dict[str, Any]] = [
        {"form": "view", "name": "db.lb"},
        {"form": "table", "name": "lb"},
        {"form": "cte"},
        {"form": "cte", "name": "lb"},
        {"form": "macro"},
    ]
    for one in given:
        named = ["--name", one["name"]] if "name" in one else []
        assert printed(*SQL, *KEPT, "--as", one["form"], *named).rstrip("\n") == result.to_sql(**one)
    partition: dict[str, Any] = {"form": "incremental", "name": "lb", "where": {"partition": 2}}
    for where in ("partition = 2", "partition=2", " partition ='2' ", "partition= 2"):
        text = printed(*SQL, *KEPT, "--as", "incremental", "--name", "lb", "--where", where)
        assert text.rstrip("\n") == result.to_sql(**partition)


def test_a_macro_that_the_command_writes_measures_files() -> None:
    with duckdb.connect() as connection:
        connection.execute(printed(*SQL, "--as", "macro"))
        expected = means(rm.evaluate(RECS_FILE, TRUTH_FILE, "hit@10"))
        holds(connection, f"FROM rank_metrics('{RECS_FILE}', '{TRUTH_FILE}')", expected)


def test_a_cte_that_the_command_writes_runs_as_it_is() -> None:
    expected = means(rm.evaluate(RECS_FILE, TRUTH_FILE, "hit@10"))
    assert_frame_equal(by_hand(printed(*SQL, "--as", "cte")), expected, check_row_order=False)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("day = 2024-01-01", "2024-01-01"),
        ("day=3", 3),
        ("day = -3", -3),
        ("day = '3'", "3"),
        ("day = 007", "007"),
        ("day = 'it''s = it'", "it's = it"),
        ("day = it's", "it's"),
        ("day = ''", ""),
        ("day = a b", "a b"),
    ],
)
def test_a_partition_is_written_as_it_is_said(where: str, value: str | int) -> None:
    options = (
        "--truth-item",
        "item",
        "--by",
        "day",
        "--as",
        "incremental",
        "--name",
        "db.lb",
        "--where",
        where,
        "--dialect",
        "snowflake",
    )
    expected = rm.to_sql(
        "db.recs",
        "db.truth",
        "hit@10",
        lists=LISTS["lists"],
        truth_columns=LISTS["truth_columns"],
        by="day",
        dialect="snowflake",
        form="incremental",
        name="db.lb",
        where={"day": value},
    )
    assert printed(*OF_TABLES, *options).rstrip("\n") == expected


def test_a_partition_may_be_of_several_columns() -> None:
    where = ("--where", "day = 2024-01-01", "--where", "partition = 2")
    text = printed(
        *OF_TABLES,
        "--truth-item",
        "item",
        "--by",
        "day",
        "--by",
        "partition",
        "--as",
        "incremental",
        "--name",
        "lb",
        *where,
    )
    assert text.count('"day" = \'2024-01-01\' AND "partition" = 2') == text.count('FROM "db".')


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--as", "veiw"], "Did you mean 'view'?"),
        (["--name", "lb"], "--as query makes nothing that --name ... could name"),
        (["--as", "view"], "needs a name: --name db.leaderboard."),
        (["--as", "incremental", "--name", "lb"], "say which, --where 'partition = 2024-01-01'."),
        (["--where", "partition = 1"], "--where is the partition that --as incremental adds: --as query takes none."),
        (["--as", "macro", "--dialect", "trino"], "--as macro makes a table macro, and trino has none"),
        (["--as", "incremental", "--name", "lb", "--where", "partition = 1"], "keep it with --by, or ask"),
        (["--as", "incremental", "--name", "lb", "--where", "partition = 1"], "one row per list with --per-list."),
        (["--where", "partition"], "--where 'partition' names no partition: write it as in --where 'day = 2024-01-01'"),
        (["--where", "partition == 1"], "names no partition"),
        (["--where", "= 1"], "names no partition"),
        (["--where", "partition ="], "names no partition"),
        (["--where", "partition = 'x"], "names no partition"),
        (["--where", "partition = 1", "--where", "partition=2"], "names a column twice"),
    ],
    ids=str,
)
def test_the_command_refuses_what_does_not_go_together(options: list[str], words: str) -> None:
    assert words in refused(*SQL, *options)


def test_the_forms_complete() -> None:
    assert complete_form("") == ["cte", "incremental", "macro", "query", "table", "view"]
    assert complete_form("in") == ["incremental"]
