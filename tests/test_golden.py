"""Generated files are as `make golden` writes them, and the golden queries run."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from difflib import unified_diff
from itertools import islice
from pathlib import Path

import duckdb
import polars as pl
import pytest
import sqlglot

from rankmetrics.dialects.base import DIALECTS, grammar
from rankmetrics.dialects.model import NamesOfJob
from tests import ROOT
from tests.golden import files
from tests.support.golden_sql import IN_EVERY_DIALECT, QUERIES, REWRITES, function_of, query, rewritten

GOLDEN = ROOT / "tests" / "golden"
FILES = files()

PAGES = {path: "metrics" if path.parent.name == "metrics" else "docs" for path in FILES}
KINDS = {path: "sql" if path.is_relative_to(GOLDEN) else kind for path, kind in PAGES.items()}


def _differences(paths: Iterable[Path]) -> str:
    """The differences of files from what `make golden` writes, as unified diffs, the first lines of each."""
    found = []
    for path in paths:
        old, new = path.read_text(encoding="utf-8") if path.exists() else "", FILES[path]()
        if old != new:
            name = str(path.relative_to(ROOT))
            diff = unified_diff(old.splitlines(), new.splitlines(), name, "what `make golden` writes", lineterm="")
            found.append("\n".join(islice(diff, 60)))
    return "\n\n".join(["run `make golden` and read the difference:", *found]) if found else ""


# The pages take twenty seconds: CI writes them in its long tests.
@pytest.mark.parametrize("kind", ["sql", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("docs", "metrics"))])
def test_generated_files_are_as_make_golden_writes_them(kind: str) -> None:
    if differences := _differences(path for path in sorted(FILES) if KINDS[path] == kind):
        pytest.fail(differences, pytrace=False)


def test_no_golden_file_is_left_from_a_query_that_is_gone() -> None:
    assert set(GOLDEN.rglob("*.sql")) == {path for path in FILES if KINDS[path] == "sql"}


def test_the_text_is_the_same_in_a_process_that_has_imported_ibis() -> None:
    """Ibis changes how SQLGlot writes some functions, and registers a ClickHouse of its own."""
    importlib.import_module("ibis.backends.sql.dialects")
    rewrites = GOLDEN / "rewrites"
    whole = [GOLDEN / f"{IN_EVERY_DIALECT}.{name}.sql" for name in ("clickhouse", "postgres")]
    assert _differences([*sorted(rewrites.glob("*.sql")), *whole]) == ""


def test_each_rewrite_of_a_dialect_has_a_golden_file() -> None:
    used = {function_of(one).__name__ for dialect in DIALECTS.values() for one in dialect.all_rewrites(NamesOfJob())}
    assert used - {*REWRITES} == {"nest_steps"}, "add a query for each to REWRITES of tests/support/golden_sql.py"
    assert used >= {*REWRITES}, "no dialect has these rewrites of REWRITES in tests/support/golden_sql.py"


def test_a_golden_text_is_one_statement_of_its_dialect() -> None:
    texts = [(path.stem.rpartition(".")[2], path.read_text(encoding="utf-8")) for path in GOLDEN.rglob("*.*.sql")]
    for dialect, text in [*texts, *(pair for name in REWRITES for pair in rewritten(name))]:
        parsed = sqlglot.parse(text, read=grammar(dialect))
        assert [isinstance(one, sqlglot.exp.Select) for one in parsed] == [True], f"{dialect}: {text}"


def test_bigquery_gets_no_column_name_that_it_would_refuse() -> None:
    for name in ("several_conventions", "history_and_systems"):
        tree = sqlglot.parse_one(query(name, "bigquery"), read="bigquery")
        columns = [node.alias_or_name for node in tree.find_all(sqlglot.exp.Column, sqlglot.exp.Alias)]
        assert not [column for column in columns if set(column) & set("@()=.,")], name


@pytest.mark.parametrize("name", QUERIES)
def test_a_golden_query_runs_in_duckdb_and_in_polars_with_one_result(name: str) -> None:
    recs = pl.DataFrame(
        {
            **{name: [1, 1, 1] for name in ("partition", "algorithm", "user", "rank", "hits", "order")},
            "rank": [1, 1, 1] if name == "keywords_as_columns" else [1, 2, 3],  # a column of lists there
            "item": [4, 5, 6],
            "item_id": [4, 5, 6],
            "score": [0.3, 0.2, 0.1],
        }
    )
    truth = pl.DataFrame(
        {
            **{name: [1, 1] for name in ("partition", "user", "hits")},
            "item": [4, 6],
            "item_id": [4, 6],
            "rating": [5.0, 3.0],
        }
    )
    tables = {
        "recs": recs,
        "truth": truth,
        "history": pl.DataFrame({"user": [1, 1, 2], "item": [4, 7, 4]}),
        "items": pl.DataFrame({"item": [4, 5, 7], "genre": ["x", "y", "x"], "popularity": [3.0, 2.0, 1.0]}),
        "catalog": pl.DataFrame({"item": [4, 5, 6, 7]}),
        "baseline": pl.DataFrame({"user": [1, 1], "item": [6, 7], "rank": [1.0, 2.0]}),
    }
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA db")
    for table, frame in tables.items():
        connection.register("frame", frame)
        connection.execute(f"CREATE TABLE db.{table} AS SELECT * FROM frame")
    by_duckdb = connection.sql((GOLDEN / f"{name}.duckdb.sql").read_text(encoding="utf-8")).pl()
    by_polars = pl.SQLContext(tables).execute(query(name, "polars").replace('"db".', "")).collect()
    assert by_duckdb.height == by_polars.height == 1
    assert by_duckdb.columns == by_polars.columns
    for left, right in zip(by_duckdb.row(0), by_polars.row(0), strict=True):
        assert left == pytest.approx(right, abs=1e-12)
