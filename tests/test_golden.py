"""Generated files are as `make golden` writes them, and the golden queries run."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from sqlglot import Dialect

import rankmetrics as rm
from rankmetrics.dialects.base import grammar
from tests.golden import ROOT, files
from tests.support.golden_queries import QUERIES

GOLDEN = ROOT / "tests" / "golden"
FILES = files()


@pytest.mark.parametrize("path", sorted(FILES), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_generated_file_is_as_make_golden_writes_it(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == FILES[path](), "run `make golden` and look at the difference"


def test_the_text_is_the_same_in_a_process_that_has_imported_ibis() -> None:
    """Ibis changes how SQLGlot writes some functions."""
    importlib.import_module("ibis.backends.sql.dialects")
    for path in sorted(GOLDEN.glob("baseline.*.sql")):
        assert path.read_text(encoding="utf-8") == FILES[path](), path.stem


def test_no_golden_file_is_left_from_a_query_that_is_gone() -> None:
    assert set(GOLDEN.rglob("*.sql")) == {path for path in FILES if path.suffix == ".sql"}


# What a dialect cannot say, and the words in which it is refused there.
REFUSED = {
    "history_and_systems.sqlite": "SQLite has nothing for the aggregates std and ci: it has no standard deviation.",
}
REFUSAL = "\n-- refused: "


def _refusals() -> dict[str, str]:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.sql")}
    return {name: text.partition(REFUSAL)[2] for name, text in texts.items() if REFUSAL in text}


def test_few_golden_queries_are_refused_and_in_these_words() -> None:
    found = _refusals()
    assert {name: found[name].partition(" Leave it out")[0] for name in sorted(found)} == REFUSED


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_golden_refusal_is_that_of_the_dialect_and_nothing_else(name: str) -> None:
    query, _, dialect = name.rpartition(".")
    _, metrics, asked = QUERIES[query]
    with pytest.raises(rm.DialectError) as refused:
        rm.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **asked)  # type: ignore[arg-type]
    assert _refusals()[name] == f"{refused.value}\n"


@pytest.mark.parametrize(
    "path", sorted(one for one in GOLDEN.glob("*.sql") if one.stem not in REFUSED), ids=lambda path: path.stem
)
def test_a_golden_query_is_one_statement_of_its_dialect(path: Path) -> None:
    dialect = path.stem.rpartition(".")[2]
    parsed = sqlglot.parse(path.read_text(encoding="utf-8"), read=grammar(dialect))
    assert len(parsed) == 1
    assert isinstance(parsed[0], sqlglot.exp.Select)


def test_bigquery_gets_no_column_name_that_it_would_refuse() -> None:
    for path in GOLDEN.glob("*.bigquery.sql"):
        tree = sqlglot.parse_one(path.read_text(encoding="utf-8"), read="bigquery")
        columns = [node.alias_or_name for node in tree.find_all(sqlglot.exp.Column, sqlglot.exp.Alias)]
        assert not [name for name in columns if set(name) & set("@()=.,")]


def test_a_text_is_sqlglots_own_whoever_registers_a_dialect_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ibis registers its own ClickHouse when it is imported."""
    asked: Any = {"metrics": "ndcg@5", "lists": ["user"], "dialect": "clickhouse"}
    before = rm.to_sql("recs", "truth", **asked)
    monkeypatch.setitem(Dialect.classes, "clickhouse", Dialect.classes["clickhouse"])

    class ClickHouse(Dialect):
        """A stranger's."""

    assert Dialect.classes["clickhouse"] is ClickHouse
    assert rm.to_sql("recs", "truth", **asked) == before
    assert "settings" in before.lower()


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
    text = (GOLDEN / f"{name}.polars.sql").read_text(encoding="utf-8")
    by_polars = pl.SQLContext(tables).execute(text.replace('"db".', "")).collect()
    assert by_duckdb.height == by_polars.height == 1
    assert by_duckdb.columns == by_polars.columns
    for left, right in zip(by_duckdb.row(0), by_polars.row(0), strict=True):
        assert left == pytest.approx(right, abs=1e-12)
