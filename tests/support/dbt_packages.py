"""Packages of dbt for the tests to change: made as `init` makes them, with leaderboards that a test writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics._files import data_folder
from rankmetrics.export.dbt import package as dbt
from rankmetrics.export.dbt.package import yaml
from tests import ROOT
from tests.support.engines import means

DATA = data_folder()
RECS, TRUTH, HISTORY = DATA / "recs.parquet", DATA / "truth.parquet", DATA / "history.parquet"


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package within the project of a shop, as init makes it."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "dbt_project.yml").write_text("name: 'shop'  # ours\nversion: '1.0'\n")
    dbt.init(folder / "rankmetrics")
    return folder


@pytest.fixture
def package(example: Path, tmp_path: Path) -> Path:
    """That package, for one test to change."""
    shutil.copytree(example, tmp_path, dirs_exist_ok=True)
    return tmp_path / "rankmetrics"


def boards(package: Path, text: str) -> None:
    (package / "leaderboards.yml").write_text(text)
    dbt.write(package)


def board(package: Path, **fields: Any) -> None:
    """One leaderboard, written; YAML reads JSON."""
    plain = {"recs": "ref('recs')", "truth": "ref('truth')", "lists": ["algorithm", "user"], "truth_lists": ["user"]}
    adapters = fields.pop("adapters", ["duckdb"])
    given = {"columns": {"score": "score"}, "metrics": ["hit@10"], **plain, **fields}
    boards(package, json.dumps({"adapters": adapters, "leaderboards": {"one": given}}))


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def sql(package: Path, adapter: str, name: str = "one", *, is_check: bool = False, **relations: object) -> str:
    """The query of a macro, or of the macro of its check, for an adapter, as Jinja renders it."""
    file, macro = (f"_check_{name}", f"check_{name}") if is_check else (name, f"measure_{name}")
    text = (package / f"macros/{file}.sql").read_text()
    start = text.index(f"{{% macro {adapter}__{macro}(")
    query = text[text.index("-%}", start) + 3 : text.index("{%- endmacro %}", start)].strip()
    for relation, table in relations.items():
        query = query.replace(f"{{{{ {relation} }}}}", str(table))
    return query.replace("{{ '{' }}", "{")


# --- what a leaderboard comes to --------------------------------------------------------------------------------------


def described(package: Path) -> dict[str, Any]:
    """The model in schema.yml."""
    model: dict[str, Any]
    (model,) = yaml().safe_load((package / "models/schema.yml").read_text())["models"]
    return model


# --- what is refused --------------------------------------------------------------------------------------------------

GOOD = """
leaderboards:
  one:
    recs: ref('recs')
    truth: ref('truth')
    lists: [algorithm, user]
    truth_lists: [user]
    metrics: [hit@10]
"""


# A time spine, which every project with a semantic model needs.
SPINE = """
models:
  - name: spine
    time_spine: {standard_granularity_column: day}
    columns: [{name: day, granularity: day}]
"""


# --- dbt itself -------------------------------------------------------------------------------------------------------


def dbt_command() -> Path:
    path = Path(os.environ.get("RANKMETRICS_DBT") or ROOT / ".venv-dbt" / "bin" / "dbt")
    if not path.is_file():
        leave_out(f"dbt is not here: there is no {path} (RANKMETRICS_DBT says otherwise)")
    return path


def needs_adapter(adapter: str) -> None:
    """Leave a test out where dbt has no such adapter."""
    python = dbt_command().with_name("python")
    command: list[str | Path] = [python, "-c", f"import dbt.adapters.{adapter}"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        leave_out(f"dbt has no adapter {adapter} here")


def leave_out(reason: str) -> None:
    """Skip a test for a reason; where all tests must run, fail it."""
    pytest.fail(reason) if os.environ.get("RANKMETRICS_ALL") else pytest.skip(reason)


def run_dbt(folder: Path, *arguments: str) -> str:
    """Run dbt in the folder of a project, which must go well; returns what dbt said."""
    done = subprocess.run(
        [dbt_command(), *arguments, "--profiles-dir", ".", "--no-use-colors"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DO_NOT_TRACK": "1"},
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def by_hand(query: str, database: Path | None = None) -> pl.DataFrame:
    with duckdb.connect(str(database or ":memory:"), read_only=database is not None) as connection:
        frame: pl.DataFrame = connection.sql(query).pl()
        return frame


def model(built: tuple[Path, str], name: str) -> pl.DataFrame:
    return by_hand(f"FROM main.{name}", built[0] / "shop.duckdb")


def same(found: pl.DataFrame, result: rm.Result, by: list[str], *, per_list: bool = False) -> None:
    """Whether a table that dbt built holds what evaluate gives, in the order of its columns."""
    expected = means(result, per_list=per_list)
    renamed = expected.rename(dict(zip(expected.columns, found.columns, strict=True)))
    assert_frame_equal(found, renamed, check_row_order=not by, check_dtypes=False, abs_tol=1e-12)
    assert found.columns[: len(by)] == by
