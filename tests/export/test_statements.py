"""The forms of a query, run in DuckDB: a view, a table, a CTE, an INSERT of one partition, a macro."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from sqlglot import exp

import rankmetrics as rm
from tests.support.commands import RECS as RECS_FILE
from tests.support.commands import TRUTH as TRUTH_FILE
from tests.support.engines import means
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


def test_an_input_that_has_the_column_is_cut_before_anything_else_is_done_and_others_are_read_whole() -> None:
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
