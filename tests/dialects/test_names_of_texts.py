"""How the text of a job spells names: as the warehouse keeps them, and without signs that would need quotes."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, grammar
from tests.support import matrix
from tests.support.commands import printed
from tests.support.engines import LOCAL
from tests.support.partitions import parsed

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


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_text_has_plain_names_unless_the_dialect_keeps_labels(dialect: str) -> None:
    text = rm.to_sql("db.recs", "db.truth", ["nDCG@10", "hit@5"], dialect=dialect, **LISTS)
    plain = ["algorithm", "n_lists", "ndcg_at_10", "hit_at_5"]
    labels = ["algorithm", "n_lists", "nDCG@10", "hit@5"]
    upper = [one.upper() for one in plain]
    expected = {"snowflake": upper, "duckdb": labels, "polars": labels, "sqlite": labels}
    assert returned(text, dialect) == expected.get(dialect, plain)
    signs = set("".join(one.name for one in parsed(text, dialect).find_all(exp.Identifier))) & set("@()=., ")
    assert bool(signs) == (dialect in ("duckdb", "polars", "sqlite"))


def test_labels_that_come_to_one_name_are_kept_apart() -> None:
    metrics = {"hit_at_5": "rr", "hit@5": "hit@5"}
    text = rm.to_sql("recs", "truth", metrics, dialect="postgres", **LISTS)
    assert returned(text, "postgres") == ["algorithm", "n_lists", "hit_at_5", "hit_at_5_2"]


def test_a_negative_number_in_a_label_is_spelled_out() -> None:
    rated = {**LISTS, "truth_columns": rm.Columns(item="item", rating="rating")}
    text = rm.to_sql("recs", "truth", ["precision(rel=-1)@5", "precision(rel=1)@5"], dialect="trino", **rated)
    assert returned(text, "trino")[2:] == ["precision_rel_minus_1_at_5", "precision_rel_1_at_5"]


def test_a_list_column_keeps_its_signs_where_the_dialect_takes_them() -> None:
    named = {**LISTS, "lists": ["the system", "user"]}
    assert returned(rm.to_sql("recs", "truth", "rr", dialect="snowflake", **named), "snowflake")[0] == "the system"
    assert returned(rm.to_sql("recs", "truth", "rr", dialect="athena", **named), "athena")[0] == "the_system"


def test_what_rankmetrics_runs_itself_returns_labels() -> None:
    with duckdb.connect() as connection:
        connection.register("recs", RECS)
        connection.register("truth", TRUTH)
        result = rm.evaluate("recs", "truth", "hit@5", connection=connection)
        assert result.summary().columns == ["algorithm", "n_lists", "hit@5"]


# --- case -------------------------------------------------------------------------------------------------------------

# What a dialect makes of names that are written without quotes: of the table Db.Recs, and of the column userId.
FOLDED = {
    "snowflake": ("DB", "RECS", "USERID"),
    **dict.fromkeys(("athena", "datafusion", "postgres", "redshift", "trino"), ("db", "recs", "userid")),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_without_quotes_get_the_case_that_the_dialect_gives_them(dialect: str) -> None:
    named = {**LISTS, "lists": ["algorithm", "userId"], "truth_lists": ["userId"]}
    text = rm.to_sql("Db.Recs", "truth", "rr", dialect=dialect, per_list=True, **named)
    tables = {(one.db, one.name) for one in parsed(text, dialect).find_all(exp.Table) if one.db}
    schema, table, column = FOLDED.get(dialect, ("Db", "Recs", "userId"))
    assert tables == {(schema, table)}
    assert returned(text, dialect)[1] == column
    kept = rm.to_sql("Db.Recs", "truth", "rr", dialect=dialect, per_list=True, quote_names=True, **named)
    assert {(one.db, one.name) for one in parsed(kept, dialect).find_all(exp.Table) if one.db} == {("Db", "Recs")}
    assert returned(kept, dialect) == ["algorithm", "userId", "rr"]


def test_a_name_in_quotes_keeps_its_case_beside_names_that_do_not() -> None:
    named: dict[str, Any] = {
        "lists": ["algorithm", '"user"'],
        "truth_lists": ['"user"'],
        "truth_columns": rm.Columns(item='"sku"', lists={'"user"': "user"}),
    }
    text = rm.to_sql("db.recs", 'db."truth"', "rr", dialect="snowflake", per_list=True, **named)
    assert returned(text, "snowflake") == ["ALGORITHM", "user", "RR"]
    assert re.findall(r'"\w+" AS "\w+"', text[: text.index('FROM "DB"."truth"')]) == ['"USER" AS "user"']
    assert 'COUNT(DISTINCT "sku")' in text
    assert 'JOIN "DB"."truth" AS "TRUTH" ON "RECS"."user" = "TRUTH"."USER" AND "RECS"."ITEM" = "TRUTH"."sku"' in text


def test_a_table_in_quotes_is_read_by_the_name_that_its_columns_have() -> None:
    skip = {**LISTS, "missing": "skip"}  # the truth is joined, so its columns are qualified
    text = rm.to_sql('"recs"', '"truth"', "hit@5", dialect="snowflake", **skip)
    query = parsed(text, "snowflake")
    for select in query.find_all(exp.Select):
        sources = [one.this for one in [select.args["from_"], *(select.args.get("joins") or [])]]
        qualified = {one.table for one in select.find_all(exp.Column) if one.table and one.parent_select is select}
        assert qualified <= {one.alias_or_name for one in sources}


@pytest.mark.parametrize("quote_names", [False, True])
def test_the_columns_of_a_file_are_called_in_a_warehouse_as_their_names_without_quotes(quote_names: bool) -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@5")
    text = result.to_sql("snowflake", recs="db.recs", per_list=True, quote_names=quote_names)
    expected = ["algorithm", "User", "hit_at_5"] if quote_names else ["ALGORITHM", "USER", "HIT_AT_5"]
    assert returned(text, "snowflake") == expected
    assert ('FROM "db"."recs"' in text) == quote_names


def test_the_columns_that_were_looked_at_keep_their_names() -> None:
    context = pytest.importorskip("datafusion").SessionContext()
    for name, frame in {"recs": RECS, "truth": TRUTH}.items():
        context.register_record_batches(name, [frame.to_arrow().to_batches()])
    result = rm.evaluate("recs", "truth", "hit@5", connection=context)
    assert returned(result.to_sql(per_list=True), "datafusion") == ["algorithm", "User", "hit_at_5"]
    assert result.per_list().collect().columns == ["algorithm", "User", "hit@5"]


def test_a_condition_names_the_columns_as_the_warehouse_does() -> None:
    with duckdb.connect() as connection:
        connection.register("recs", RECS)
        connection.register("truth", TRUTH)
        result = rm.evaluate("recs", "truth", "hit@5", connection=connection, where="user = 1")
        assert '"USER" = 1' in result.to_sql("snowflake")
        assert '"User" = 1' in result.to_sql("snowflake", quote_names=True)


def test_a_select_as_an_input_keeps_its_names() -> None:
    context = pytest.importorskip("datafusion").SessionContext()
    context.register_record_batches("frame", [RECS.rename({"item": "The@Item"}).to_arrow().to_batches()])
    context.register_record_batches("truth", [TRUTH.to_arrow().to_batches()])
    select = 'SELECT algorithm, "User", "The@Item" AS item, rank FROM frame'
    result = rm.evaluate(select, "truth", "hit@5", connection=context)
    (row,) = context.sql(result.to_sql()).to_pylist()
    assert row["hit_at_5"] == 1


def test_a_partition_is_named_as_the_columns_are() -> None:
    asked: dict[str, Any] = {**LISTS, "lists": ["day", "user"], "truth_lists": ["day", "user"], "by": ["day"]}
    text = rm.to_sql(
        "recs", "truth", "rr", dialect="snowflake", form="incremental", name="lb", where={"day": 1}, **asked
    )
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


def test_every_row_number_has_an_order_as_sql_server_needs() -> None:
    """Over all metrics, and under every policy."""
    metrics = [choices[0] for name, choices in matrix.variants().items() if name != "embedding_diversity"]
    metrics += matrix.policies()
    for start in range(0, len(metrics), 32):
        result = matrix.evaluate(LOCAL[0], metrics[start : start + 32], whole=False)
        tree = sqlglot.parse_one(result.to_sql("tsql"), read=grammar("tsql"))
        numbered = [one for one in tree.find_all(exp.Window) if isinstance(one.this, exp.RowNumber)]
        assert numbered
        assert all(one.args.get("order") for one in numbered)
