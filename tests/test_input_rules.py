"""What an input may be, in Python and on the command line: the rules of docs/inputs.md, each with its cure."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import rankmetrics as rm
from rankmetrics.cli.commands import app
from rankmetrics.engines.addresses import opened
from tests.conftest import Engine
from tests.engines import DATABASES, need
from tests.test_bad_input import refusal

RECS = pl.DataFrame({"day": [1, 1, 2, 2], "user": [1, 1, 1, 2], "item": [1, 2, 2, 3], "score": [0.9, 0.5, 0.8, 0.1]})
TRUTH = pl.DataFrame({"day": [1, 2, 2], "user": [1, 1, 2], "item": [2, 2, 4]})
FIRST_DAY = rm.evaluate(RECS.filter(day=1), TRUTH.filter(day=1), "rr").collect().rows()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The two inputs as files and as databases, in the folder that we are in."""
    monkeypatch.chdir(tmp_path)
    RECS.write_parquet(tmp_path / "recs.parquet")
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    for name, frame in (("recs", RECS), ("truth", TRUTH)):
        (tmp_path / f"{name}_folder").mkdir()
        frame.write_parquet(tmp_path / f"{name}_folder" / "part.parquet")
        given = frame.to_arrow()
        with duckdb.connect(tmp_path / "warehouse.duckdb") as connection:
            connection.execute("CREATE SCHEMA IF NOT EXISTS shop")
            connection.execute(f"CREATE TABLE shop.{name} AS FROM given")
        with sqlite3.connect(tmp_path / "shop.sqlite") as database:
            columns = ", ".join(f'"{one}" {"REAL" if one == "score" else "INTEGER"}' for one in frame.columns)
            database.execute(f"CREATE TABLE {name} ({columns})")
            database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * frame.width)})", frame.rows())
        assert given is not None
    return tmp_path


def said(*arguments: object) -> str:
    """What the command line says of what it refuses."""
    found = CliRunner().invoke(app, [*map(str, arguments)])
    assert found.exit_code in (1, 2), found.output
    assert not found.exception or isinstance(found.exception, SystemExit), found.exception
    return found.stderr


def printed(*arguments: object) -> str:
    found = CliRunner().invoke(app, [*map(str, arguments)])
    assert found.exit_code == 0, found.output
    return found.stdout


# --- columns of one name ----------------------------------------------------------------------------------------------

DOUBLED: dict[str, Callable[[list[str], Path], Any]] = {
    "Arrow": lambda names, path: _table(names),
    "Arrow batch": lambda names, path: _table(names).to_batches()[0],
    "pandas": lambda names, path: pd.DataFrame([[1, 2, 3, 0.5]], columns=names),
    "Parquet": lambda names, path: pq.write_table(_table(names), path / "x.parquet") or path / "x.parquet",
    "CSV": lambda names, path: _written(path / "x.csv", ",".join(names) + "\n1,2,3,0.5\n"),
    "JSON": lambda names, path: _written(
        path / "x.json", "[{" + ", ".join(f'"{name}": {n}' for n, name in enumerate(names)) + "}]"
    ),
    "DuckDB": lambda names, path: duckdb.connect().sql(
        "SELECT " + ", ".join(f'{n} AS "{name}"' for n, name in enumerate(names))
    ),
    "SELECT": lambda names, path: "SELECT " + ", ".join(f'{n} AS "{name}"' for n, name in enumerate(names)),
}


def _table(names: list[str]) -> pa.Table:
    return pa.table([[1], [2], [3], [0.5]], names=names)


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", DOUBLED)
@pytest.mark.parametrize("way", ["as recommendations", "as truth of Polars", "as truth of DuckDB"])
def test_two_columns_of_one_name_are_refused_by_name(kind: str, way: str, tmp_path: Path) -> None:
    for second, words in (("item", "2 columns called 'item'"), ("Item", "differ in case only: 'item' and 'Item'")):
        if kind == "SELECT" and second == "Item":
            continue  # SELECT tells these apart no better than DuckDB does
        given = DOUBLED[kind](["user", "item", second, "score"], tmp_path)
        with refusal(rm.ColumnError, words, "Rename or drop"):
            if way == "as recommendations":
                rm.evaluate(given, TRUTH, "rr")
            else:
                rm.evaluate(RECS.lazy() if "Polars" in way else RECS.to_arrow(), given, "rr")


def test_columns_whose_names_differ_in_case_are_refused_in_frames_and_databases(engine: Engine) -> None:
    recs = RECS.with_columns(User=pl.col("user"))
    with refusal(rm.ColumnError, "recommendations", "'user' and 'User'"):
        rm.evaluate(recs.lazy(), TRUTH, "rr")
    for database in (one for one in DATABASES if one.name in ("postgres", "clickhouse", "datafusion")):
        need(database)
        with refusal(rm.ColumnError, "recommendations", "'user' and 'User'"):
            rm.evaluate(database.give(recs), database.give(TRUTH), "rr", **database.options)


def test_uuids_of_arrow_are_texts(engine: Engine) -> None:
    ids = [UUID(int=one) for one in (1, 2)]
    stored = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([one.bytes for one in ids], pa.binary(16)))
    truth = pa.table({"user": [1, 1], "item": stored})
    recs = pl.DataFrame({"user": [1, 1], "item": [str(one) for one in ids], "score": [0.9, 0.5]})
    assert rm.evaluate(engine.give(recs), truth, "recall@2").collect()["recall@2"].item() == 1


# --- text files -------------------------------------------------------------------------------------------------------

HEADERS = {
    "1,2,0.5\n1,3,0.4\n": (rm.InputError, ("must name the columns", "'1', '2' and '0.5'", "has_header=False")),
    ",user,item,score\n0,1,2,0.5\n": (rm.InputError, ("Column 1", "no name", "index=False")),
    "\n\n": (rm.InputError, ("must name the columns", "there is none")),
    "user,item,score\n1,2\n": (rm.InputError, ("cannot be read", "Line: 2")),
    "user,item,score\n1,2,0.5,7\n": (rm.InputError, ("cannot be read", "Line: 2")),
}


@pytest.mark.parametrize("text", HEADERS)
def test_a_text_file_without_a_proper_header_is_refused_with_the_cure(text: str, tmp_path: Path) -> None:
    kind, words = HEADERS[text]
    path = _written(tmp_path / "recs.csv", text)
    for given, other in ((path, TRUTH), (RECS.lazy(), path)):
        with refusal(kind, *words):
            rm.evaluate(given, other, "rr")


def test_a_text_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recs.csv").write_bytes("user,größe,item\n1,2,3\n".encode("latin-1"))
    with refusal(rm.InputError, "UTF-8", "recs.csv"):
        rm.evaluate(tmp_path / "recs.csv", TRUTH, "rr")


def test_text_files_with_columns_in_different_orders_are_refused(tmp_path: Path) -> None:
    _written(tmp_path / "a.csv", "user,item,score\n1,2,0.5\n")
    _written(tmp_path / "b.csv", "item,user,score\n1,2,0.5\n")
    with refusal(rm.InputError, "different columns", "b.csv", "in one order"):
        rm.evaluate(f"{tmp_path}/*.csv", TRUTH, "rr")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "arrow", "parquet"])
def test_files_of_any_kind_hold_a_system_each(ending: str, tmp_path: Path) -> None:
    write = {"csv": "write_csv", "jsonl": "write_ndjson", "arrow": "write_ipc", "parquet": "write_parquet"}[ending]
    for name, frame in (("als", RECS), ("knn", RECS.with_columns(score=-pl.col("score")))):
        getattr(frame, write)(tmp_path / f"{name}.{ending}")
    found = rm.evaluate(f"{tmp_path}/*.{ending}", TRUTH, "rr", files_as="system").collect()
    assert found["system"].to_list() == ["als", "knn"]
    with pytest.raises(rm.DataError):
        rm.evaluate(f"{tmp_path}/*.{ending}", TRUTH, "rr").collect()


# --- what is no table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "cure"),
    [
        ({"user": [1], "item": [2], "score": [0.5]}, "pl.DataFrame(columns)"),
        ([{"user": 1, "item": 2}], "pl.DataFrame(rows)"),
        ([(1, 2, 0.5)], "pl.DataFrame(rows)"),
        (np.array([[1, 2, 0.5]]), "pl.DataFrame(array, schema="),
    ],
)
def test_what_is_no_table_yet_is_refused_with_what_makes_a_frame_of_it(value: Any, cure: str) -> None:
    for recs, truth in ((value, TRUTH), (RECS.lazy(), value), (RECS.to_arrow(), value)):
        with refusal(rm.InputError, cure):
            rm.evaluate(recs, truth, "rr")


@pytest.mark.parametrize("side", ["recs", "truth"])
def test_an_index_of_pandas_that_holds_a_column_is_refused(side: str) -> None:
    indexed = (RECS if side == "recs" else TRUTH).to_pandas().set_index("user")
    by_two = (RECS if side == "recs" else TRUTH).to_pandas().set_index(["user", "day"])
    for frame, named in ((indexed, "'user'"), (by_two, "'user' and 'day'")):
        recs, truth = (frame, TRUTH) if side == "recs" else (RECS.lazy(), frame)
        with refusal(rm.InputError, "index", named, "reset_index()"):
            rm.evaluate(recs, truth, "rr")
    plain = RECS.to_pandas().query("item < 3")  # its index has gaps, and no name
    assert rm.evaluate(plain, TRUTH, "rr").collect().height == 1


def test_headings_of_several_levels_are_refused() -> None:
    frame = RECS.to_pandas()
    frame.columns = pd.MultiIndex.from_tuples([("a", one) for one in frame.columns])
    with refusal(rm.InputError, "several levels"):
        rm.evaluate(frame, TRUTH, "rr")


def test_cells_that_are_lists_are_refused_with_the_cure(engine: Engine) -> None:
    lists = pl.DataFrame({"user": [1], "item": [[1, 2, 3]]})
    with refusal(rm.ColumnError, "neither a rank nor a score", "'item' are lists", "explode"):
        rm.evaluate(engine.give(lists), TRUTH, "rr")
    with refusal(rm.ColumnError, "No item column", "'products' are lists", 'frame.explode("products")'):
        rm.evaluate(engine.give(lists.rename({"item": "products"})), TRUTH, "rr")


def test_columns_given_as_a_dict_are_refused_with_the_columns_written_out() -> None:
    wrong: Any = {"item": "sku"}
    with refusal(rm.ColumnError, 'columns=rm.Columns(item="sku")'):
        rm.evaluate(RECS, TRUTH, "rr", columns=wrong)
    with refusal(rm.ColumnError, 'truth_columns=rm.Columns(item="sku")'):
        rm.evaluate(RECS, TRUTH, "rr", truth_columns=wrong)
    with refusal(rm.ColumnError, "columns=rm.Columns("):
        rm.to_sql("recs", "truth", "rr", lists="user", dialect="duckdb", columns=wrong)


def test_a_metric_that_is_not_defined_by_text_is_refused() -> None:
    for wrong in (lambda hits: hits, 3, None):
        with refusal(rm.MetricError, "text of SQL", "rm.define("):
            rm.define(wrong)  # type: ignore[arg-type]


def test_a_mistyped_name_of_the_package_is_answered_by_the_near_one() -> None:
    with pytest.raises(AttributeError, match="Did you mean 'evaluate'"):
        _ = rm.evalute  # type: ignore[attr-defined]


# --- addresses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "extension"), [("s3", "httpfs"), ("gs", "httpfs"), ("abfss", "azure")])
def test_an_address_says_which_extension_and_secret_it_needs(
    scheme: str, extension: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rankmetrics.engines import paths

    said = str(paths.unreadable("truth", "no way there", [f"{scheme}://bucket/x.parquet"]))
    assert f"LOAD {extension}" in said
    assert "CREATE SECRET" in said
    assert "storage_options" in said


def test_a_database_that_is_not_there_is_not_made(folder: Path) -> None:
    for address in ("sqlite:///nosuch.db", "duckdb:///nosuch.db", "chdb:///nosuch"):
        with refusal(rm.InputError, "no database", "nosuch"):
            opened(address)
    assert not list(folder.glob("nosuch*"))
    assert "Did you mean 'shop.sqlite'?" in said(
        "evaluate", "recs", "truth", "-m", "rr", "--connection", "sqlite:///shop.sqlit"
    )


def test_a_driver_that_is_not_installed_is_named() -> None:
    with refusal(rm.InputError, "pip install", "snowflake-sqlalchemy"):
        opened("snowflake://me@account/db")


# --- paths ------------------------------------------------------------------------------------------------------------


def test_a_folder_is_read_without_a_slash(folder: Path) -> None:
    assert rm.evaluate("recs_folder", "truth_folder", "rr").collect().height == 1
    assert "n_lists" in printed("evaluate", "recs_folder", "truth_folder", "-m", "rr")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE recs_folder AS SELECT 1 AS day, 1 AS user, 2 AS item, 0.5 AS score")
    result = rm.evaluate("recs_folder", "truth_folder", "rr", connection=connection)  # a table of the name stands first
    assert result.collect()["rr"].item() == pytest.approx(1 / 3)


@pytest.mark.skipif(os.geteuid() != 0 or not os.path.exists("/usr/bin/setpriv"), reason="nobody else to be")  # noqa: PTH110
def test_a_file_that_may_not_be_read_is_refused(folder: Path) -> None:
    (folder / "recs.parquet").chmod(0)
    code = "import os, rankmetrics as rm\ntry: rm.evaluate('recs.parquet', 'truth.parquet', 'rr')\n"
    code += "except rm.InputError as error: print(error)"
    for parent in [folder, *folder.parents][:4]:
        parent.chmod(0o755)
    done = subprocess.run(
        ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(rm.__file__).parents[1])},
        check=False,
    )
    assert "may not be read" in done.stdout, done.stderr


def test_a_folder_as_the_output_is_refused(folder: Path) -> None:
    (folder / "out.parquet").mkdir()
    with refusal(rm.InputError, "Cannot write", "out.parquet"):
        rm.evaluate("recs.parquet", "truth.parquet", "rr").write("out.parquet")
    assert "Cannot write" in said("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "-o", "out.parquet")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
def test_a_full_disk_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import contextmanager

    from rankmetrics import result as of_results

    @contextmanager
    def full(path: Path) -> Any:
        yield Path("/dev/full")

    monkeypatch.setattr(of_results, "whole_file", full)
    result = rm.evaluate(RECS.to_arrow(), TRUTH, "rr")
    for ending, per_list in (("csv", False), ("csv", True), ("json", False), ("arrow", True)):
        with pytest.raises((rm.InputError, rm.EngineError), match=r"(?i)cannot write|no space"):
            result.write(f"x.{ending}", per_list=per_list)


def test_ctrl_c_stays_ctrl_c(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(result._engine, "_collect", stop)
    with pytest.raises(KeyboardInterrupt):
        result.collect()


# --- SELECT as an input -----------------------------------------------------------------------------------------------


def test_a_select_is_an_input(folder: Path) -> None:
    first = "SELECT * FROM '{}.parquet' WHERE day = 1"
    recs, truth = first.format("recs"), f"WITH t AS ({first.format('truth')}) SELECT * FROM t;"
    for given in (recs, RECS.filter(day=1).lazy()):
        assert rm.evaluate(given, truth, "rr").collect().rows() == FIRST_DAY
    assert rm.evaluate("recs.parquet", "truth.parquet", "unseen@1", history=recs).collect().height == 1
    shown = printed("evaluate", recs, truth, "-m", "rr")
    assert shown == printed("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "--where", "day = 1")


def test_a_select_runs_where_the_tables_are(folder: Path) -> None:
    with duckdb.connect(folder / "warehouse.duckdb", read_only=True) as connection:
        selects = [f"SELECT * FROM shop.{name} WHERE day = 1" for name in ("recs", "truth")]
        assert rm.evaluate(selects[0], selects[1], "rr", connection=connection).collect().rows() == FIRST_DAY
        assert rm.evaluate(RECS.filter(day=1).lazy(), selects[1], "rr", connection=connection).collect().rows() == (
            FIRST_DAY
        )
    selects = [f"SELECT * FROM {name} WHERE day = 1" for name in ("recs", "truth")]
    shown = printed("evaluate", *selects, "-m", "rr", "--connection", "sqlite:///shop.sqlite")
    assert shown == printed("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "--where", "day = 1")


@pytest.mark.parametrize("database", DATABASES, ids=repr)
def test_a_select_and_a_condition_run_in_every_database(database: Engine) -> None:
    need(database)
    recs, truth = database.give(RECS), database.give(TRUTH)
    selects = f"SELECT * FROM {recs} WHERE day = 1", f"SELECT * FROM {truth} WHERE day = 1"
    assert rm.evaluate(selects[0], selects[1], "rr", **database.options).collect().rows() == FIRST_DAY
    result = rm.evaluate(recs, truth, "rr", where="day = 1", **database.options)
    assert result.collect().rows() == FIRST_DAY
    assert result.account().collect().height > 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DELETE FROM recs", "DELETE"),
        ("SELECT 1; SELECT 2", "2 statements"),
        ("SELECT * FROM recs; DROP TABLE recs", "2 statements"),
        ("WITH gone AS (DELETE FROM recs RETURNING *) SELECT * FROM gone", "DELETE"),
        ("SELECT * INTO other FROM recs", "INTO"),
        ("DROP TABLE recs", "DROP"),
        ("SELECT FROM WHERE", "SELECT"),
        ("COPY recs TO 'x.csv'", "COPY"),
        ("SELECT * FROM nosuch", "nosuch"),
    ],
)
def test_whatever_is_no_select_is_refused(text: str, words: str, folder: Path) -> None:
    for given in ((text, TRUTH), (RECS.lazy(), text)):
        with refusal(rm.InputError, words):
            rm.evaluate(given[0], given[1], "rr")
    assert words in said("evaluate", text, "truth.parquet", "-m", "rr")


def test_names_in_a_select_are_those_of_the_database() -> None:
    postgres = next(one for one in DATABASES if one.name == "postgres")
    need(postgres)
    recs, truth = postgres.give(RECS), postgres.give(TRUTH)
    selects = f"SELECT Day, ITEM, Score FROM {recs.upper()}", f"SELECT DAY, item AS Item FROM {truth}"
    assert rm.evaluate(selects[0], selects[1], "rr", **postgres.options).layout.lists == ("day",)


# --- conditions -------------------------------------------------------------------------------------------------------


def test_a_condition_cuts_every_input_that_has_its_columns(folder: Path) -> None:
    for recs, truth in (("recs.parquet", "truth.parquet"), (RECS.lazy(), TRUTH), (RECS.to_arrow(), "truth.parquet")):
        assert rm.evaluate(recs, truth, "rr", where="day = 1").collect().rows() == FIRST_DAY
        assert rm.evaluate(recs, truth, "rr", where=["DAY < 2", "recs: score > 0"]).collect().rows() == FIRST_DAY
    cut = rm.evaluate(RECS, TRUTH, "rr", where="recs: day = 1").collect().rows()
    assert cut == rm.evaluate(RECS.filter(day=1), TRUTH, "rr").collect().rows() != FIRST_DAY


def test_a_day_needs_no_quotes(engine: Engine) -> None:
    days = pl.col("day").replace_strict({1: "2024-01-31", 2: "2024-02-01"})
    for made in (days, days.str.to_date()):
        recs, truth = engine.give(RECS.with_columns(made)), engine.give(TRUTH.with_columns(made))
        for condition in ("day = 2024-01-31", "day = '2024-01-31'"):
            assert rm.evaluate(recs, truth, "rr", where=condition).collect().rows() == FIRST_DAY


@pytest.mark.parametrize(
    ("condition", "kind", "words"),
    [
        ("dya = 1", rm.ColumnError, ("'dya'", "no input has", "Did you mean 'day'?")),
        ("recs: day = als", rm.ColumnError, ("'als'", "single quotes")),
        ("day IN (SELECT 1)", rm.InputError, ("no condition",)),
        ("day = 1; DROP TABLE x", rm.InputError, ("no condition",)),
        ("SUM(day) = 1", rm.InputError, ("no condition",)),
        ("day =", rm.InputError, ("no condition",)),
        ("1 = 1", rm.InputError, ("no condition",)),
        ("recs.day = 1", rm.InputError, ("'day' alone",)),
        ("history: day = 1", rm.InputError, ("history", "not given")),
        ("day + user", rm.InputError, ()),
    ],
)
def test_whatever_is_no_condition_is_refused(
    condition: str, kind: type[rm.RankMetricsError], words: tuple[str, ...], folder: Path
) -> None:
    if condition == "day + user":
        pytest.skip("a number is a condition in DuckDB")
    with refusal(kind, *words):
        rm.evaluate("recs.parquet", "truth.parquet", "rr", where=condition)
    answer = said("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "--where", condition)
    assert re.search(r"--where ['\"]", answer)


# --- as text ----------------------------------------------------------------------------------------------------------


def test_the_text_for_another_database_keeps_conditions_and_schemas(folder: Path) -> None:
    with duckdb.connect(folder / "warehouse.duckdb", read_only=True) as connection:
        result = rm.evaluate("shop.recs", "shop.truth", "rr", where="day = 1", connection=connection)
        text = result.to_sql("snowflake")
        assert '"shop"."recs"' in text
        assert text.count('"day" = 1') == 2
        assert result.to_sql("snowflake", recs="db.recs", truth="db.truth").count('"day" = 1') == 2
        select = rm.evaluate("SELECT * FROM shop.recs", "shop.truth", "rr", connection=connection)
        with refusal(rm.DialectError, "SELECT", 'recs="db.recs"'):
            select.to_sql("snowflake")
        assert '"db"."recs"' in select.to_sql("snowflake", recs="db.recs")
        assert connection.sql(select.to_sql()).fetchall() == select.summary().fetchall()


def test_the_command_line_writes_the_dialect_of_the_connection(folder: Path) -> None:
    address = "duckdb:///warehouse.duckdb"
    text = printed(
        "sql", "shop.recs", "shop.truth", "-m", "rr", "--connection", address, "--as", "table", "--name", "x"
    )
    assert '"shop"."recs"' in text
    text = printed("sql", "recs", "truth", "-m", "rr", "--connection", "sqlite:///shop.sqlite")
    assert sqlite3.connect(folder / "shop.sqlite").execute(text).fetchall()
    tables = ["shop.recs", "shop.truth", "-m", "rr", "--database", "warehouse.duckdb"]
    assert '"shop"."recs"' in printed("sql", *tables, "--dialect", "snowflake")


def test_a_file_beside_a_table_of_another_database_is_refused(folder: Path) -> None:
    for inputs in (("recs.parquet", "truth"), ("recs", "truth.parquet")):
        answer = said("evaluate", *inputs, "-m", "rr", "--connection", "sqlite:///shop.sqlite")
        assert "is the file" in answer
        assert "SQLite" in answer
    assert "is a table of a warehouse" in said("sql", "db.recs", "truth.parquet", "-m", "rr", "--list", "user")
    shown = printed("evaluate", "recs.parquet", "shop.truth", "-m", "rr", "--database", "warehouse.duckdb")
    assert shown == printed("evaluate", "recs.parquet", "truth.parquet", "-m", "rr")
