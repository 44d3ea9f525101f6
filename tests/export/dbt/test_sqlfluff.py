"""sqlfluff accepts the SQL of a package in every dialect that it knows, under the rules that the package states."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from rankmetrics.export.dbt import package as dbt
from tests.support.dbt_packages import board, dbt_command, leave_out, sql

pytestmark = pytest.mark.long

# The adapters, by the dialect of sqlfluff; their macros with a score to rank by hold windows, joins and quantiles.
ADAPTERS = {
    "athena": "athena",
    "bigquery": "bigquery",
    "clickhouse": "clickhouse",
    "databricks": "databricks",
    "duckdb": "duckdb",
    "postgres": "postgres",
    "redshift": "redshift",
    "snowflake": "snowflake",
    "spark": "sparksql",
    "sqlite": "sqlite",
    "sqlserver": "tsql",
    "trino": "trino",
}


def lint(path: Path, dialect: str) -> None:
    """Assert that sqlfluff finds nothing in a file or a folder."""
    command = dbt_command().with_name("sqlfluff")
    if not command.is_file():
        leave_out(f"sqlfluff is not here: there is no {command}")
    done = subprocess.run([command, "lint", "--dialect", dialect, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_sqlfluff_accepts_the_files_of_a_package(package: Path) -> None:
    lint(package, "duckdb")


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_sqlfluff_accepts_the_query_of_a_leaderboard(package: Path, adapter: str) -> None:
    metrics = ["ndcg@10", "recall@5,10", "ap@10", "rr", "surprisal@5", "coverage@10", "gini@10"]
    board(package, metrics=metrics, adapters=[adapter], history="ref('history')", catalog="ref('catalog')")
    tables: dict[str, Any] = {name: f"shop.{name}" for name in ("recs", "truth", "history", "catalog")}
    for old in (package / "models").glob("*.sql"):
        old.unlink()
    (package / "models/rendered.sql").write_text(sql(package, adapter, **tables) + "\n")
    lint(package / "models/rendered.sql", ADAPTERS[adapter])


def test_the_rules_of_a_package_are_the_users_to_change(package: Path) -> None:
    (package / ".sqlfluff").write_text("[sqlfluff]\nrules = core\n")
    dbt.write(package)
    assert (package / ".sqlfluff").read_text() == "[sqlfluff]\nrules = core\n"
