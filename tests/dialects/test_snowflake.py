"""The text for Snowflake, run in fakesnow, which reads Snowflake's SQL and lets DuckDB answer.

So it is shown that the text is Snowflake's SQL and returns what it should. Numbers are DuckDB's there, and Snowflake's
whole ones are decimals: that none of them is divided or averaged is shown by the types that the text has in Snowflake.

fakesnow pins another sqlglot, so it lives in an environment of its own: .venv-fakesnow, or wherever the python is that
RANKMETRICS_FAKESNOW names.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import sqlglot
from hypothesis import assume, given
from polars.testing import assert_frame_equal
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

import rankmetrics as rm
from rankmetrics.dialects import base as dialect
from rankmetrics.dialects import rewrites
from rankmetrics.faults.account import account
from rankmetrics.planner import Diagnostics, Question, plan
from rankmetrics.sqltree import tree
from tests import ROOT
from tests.support import matrix, problems
from tests.support.drawing import examples, share
from tests.support.engines import LOCAL, means, of_no_lists, plain, restored
from tests.support.partitions import DAYS, INPUTS, METRICS, alone, asked, evaluated
from tests.support.problems import assert_same, rows

pytestmark = pytest.mark.long

DUCKDB = LOCAL[0]


class RefusedError(Exception):
    """What fakesnow says of a statement that it does not run."""


class Snowflake:
    """A session in which statements are run, one after the other."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process, self._folder, self._numbers = process, folder, count(1)

    def run(self, statement: str) -> pl.DataFrame:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(statement), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        assert line, f"fakesnow has ended with {self._process.wait()}"
        answer = json.loads(line)
        if "refused" in answer:
            raise RefusedError(answer["refused"])
        return pl.DataFrame(answer["rows"], infer_schema_length=None)

    def give(self, table: str, frame: pl.DataFrame) -> None:
        """Make a table of a frame: below fakesnow is DuckDB, which reads Parquet."""
        path = self._folder / f"{next(self._numbers)}.parquet"
        plain(frame).write_parquet(path)
        self.run(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM READ_PARQUET('{path}')")


@pytest.fixture(scope="module")
def snowflake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snowflake]:
    """Snowflake as fakesnow has it, with the tables of the matrix in the schema `world`."""
    python = Path(os.environ.get("RANKMETRICS_FAKESNOW") or ROOT / ".venv-fakesnow" / "bin" / "python")
    if not python.is_file():
        reason = f"fakesnow is not here: there is no {python} (RANKMETRICS_FAKESNOW says otherwise)"
        pytest.fail(reason) if os.environ.get("RANKMETRICS_ALL") else pytest.skip(reason)
    command: list[str | Path] = [python, "-W", "ignore", ROOT / "tests/support/fakesnow_runner.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        session = Snowflake(process, tmp_path_factory.mktemp("tables"))
        session.run('CREATE SCHEMA "world"')
        for name, frame in WORLD.items():
            session.give(f'"world"."{name}"', frame)
        session.run("USE SCHEMA PUBLIC")
        yield session


# --- the whole catalogue ----------------------------------------------------------------------------------------------

WORLD: Mapping[str, pl.DataFrame] = {name: of_no_lists(frame) for name, frame in matrix.world().items()}

# How many metrics one query is for: a long text is read by fakesnow faster than two short ones.
AT_ONCE = 32
NAMES: Mapping[str, Any] = {name: name for name in WORLD}
TABLES: Mapping[str, Any] = {name: f"world.{name}" for name in WORLD}


def catalogue() -> Iterator[list[rm.Metric]]:
    """Every metric under every choice and two under every policy, some at a time; embeddings are in no text."""
    by_name = {name: choices for name, choices in matrix.variants().items() if name != "embedding_diversity"}
    for metrics in ([*dict.fromkeys(chain.from_iterable(by_name.values()))], matrix.policies()):
        left = iter(share(metrics))
        while chunk := [*islice(left, AT_ONCE)]:
            yield chunk


def assert_as_duckdb(snowflake: Snowflake, metrics: Sequence[rm.Metric], aggregates: Sequence[str] = ("mean",)) -> None:
    """Assert that the text returns what DuckDB does, to 1e-12, for some metrics at once."""
    result = matrix.evaluate(DUCKDB, metrics, aggregates, whole=False)
    for per_list in (False, True)[: 1 + any(not one.is_run for one in metrics)]:
        keys = matrix.LISTS if per_list else ["algorithm"]
        found = snowflake.run(result.to_sql("snowflake", per_list=per_list, quote_names=True, **TABLES))
        expected = DUCKDB.read(result.per_list() if per_list else result.summary())
        assert found.columns == [rewrites.plain(one) for one in expected.columns]
        found.columns = expected.columns
        assert_same(rows(found, keys), rows(expected, keys), "per list" if per_list else "summary")


def test_every_metric_under_every_choice_and_policy_is_as_duckdb_has_it(snowflake: Snowflake) -> None:
    for metrics in catalogue():
        assert_as_duckdb(snowflake, metrics)


def test_every_aggregate_is_as_duckdb_has_it(snowflake: Snowflake) -> None:
    assert_as_duckdb(snowflake, [rm.ndcg, rm.n_hits, rm.hit @ 5], [*matrix.OF_EVERY_METRIC, "ci(0.9)"])
    assert_as_duckdb(snowflake, [rm.ndcg, rm.hit @ 5], [*matrix.OF_A_RANGE])


def test_the_account_is_as_duckdb_has_it(snowflake: Snowflake) -> None:
    metrics = [rm.ndcg @ 5, rm.unseen @ 5, rm.serendipity @ 5, rm.list_diversity @ 5, rm.miscalibration @ 5]
    result, keys = matrix.evaluate(DUCKDB, metrics, whole=False), ["algorithm", "account"]
    tables = {name: dialect.table(called, "snowflake") for name, called in TABLES.items()}
    asked = Question(tuple(metrics), result.layout, tables, counts=True, diagnostics=Diagnostics(counts_idle=True))
    query = account(plan(asked)).select
    assert isinstance(query, exp.Select)
    expected = DUCKDB.read(result.account())
    assert_same(rows(snowflake.run(dialect.text(query, "snowflake")), keys), rows(expected, keys), "account")
    assert tree.outputs(query) == expected.columns


KINDS = {"Int64": "NUMBER(38, 0)", "Float64": "DOUBLE", "String": "VARCHAR"}


def test_nothing_is_divided_or_averaged_that_would_be_a_decimal_of_a_few_places() -> None:
    schema = MappingSchema(dialect="snowflake", normalize=False)
    for name, frame in WORLD.items():
        schema.add_table(name, {one: KINDS[str(kind)] for one, kind in frame.schema.items()})
    for metrics in catalogue():
        result = matrix.evaluate(DUCKDB, metrics, matrix.OF_EVERY_METRIC, whole=False)
        text = result.to_sql("snowflake", quote_names=True, **NAMES)
        whole = qualify(sqlglot.parse_one(text, read="snowflake"), schema=schema)  # names in quotes stay as they are
        typed = annotate_types(whole, schema=schema, dialect="snowflake")
        for node in typed.find_all(exp.Div, exp.Avg, exp.StddevSamp, exp.Stddev):
            operands = [one for one in (node.this, node.args.get("expression")) if one]
            assert any(one.is_type(exp.DType.DOUBLE) for one in operands), node.sql("snowflake")


# --- drawn worlds: names, texts, days, NaN and infinity ---------------------------------------------------------------


def labelled(found: pl.DataFrame, result: rm.Result, *, per_list: bool) -> pl.DataFrame:
    """What a text returned, under the labels that the result has."""
    found.columns = (result.per_list() if per_list else result.summary()).columns
    return found


def text_of(result: rm.Result, per_list: bool) -> str:
    """The text over the tables recs and truth, whose names and columns are in quotes."""
    return result.to_sql("snowflake", per_list=per_list, recs="recs", truth="truth", quote_names=True)


def test_the_text_agrees_with_the_twin_over_drawn_worlds(snowflake: Snowflake) -> None:
    @examples(15)
    @given(problems.odd_worlds())
    def agrees(world: problems.World) -> None:
        assume(not any("$" in name for called in world.names.values() for name in called.values()))  # see below
        world = world.without_order()  # the rows of a table have none
        for name in ("recs", "truth"):
            snowflake.give(f'"{name}"', world.frame(name))
        result, types = world.evaluate(DUCKDB), dict(world.frame("recs").schema)
        lists, means = (
            restored(labelled(snowflake.run(text_of(result, one)), result, per_list=one), types)
            for one in (True, False)
        )
        assert_same(rows(lists, world.called(world.lists)), world.expected(), "per list")
        assert_same(rows(means, world.called(world.by)), world.expected_summary(), "summary")

    agrees()


@pytest.mark.xfail(
    raises=RefusedError, reason="fakesnow takes $k for a variable within quotes, too; Snowflake does not"
)
def test_a_column_may_have_a_dollar_in_its_name(snowflake: Snowflake) -> None:
    recs, truth = (WORLD[name].rename({"user": "$k"}) for name in ("recs", "truth"))
    recs = recs.drop("expected_reward")
    snowflake.give('"recs"', recs)
    snowflake.give('"truth"', truth)
    snowflake.run(rm.evaluate(recs, truth, "hit@5").to_sql("snowflake", recs="recs", truth="truth", quote_names=True))


# --- forms ------------------------------------------------------------------------------------------------------------


def holds(snowflake: Snowflake, query: str, expected: pl.DataFrame) -> None:
    """Assert that a query returns these rows, in whatever order, with its days as texts."""
    table = snowflake.run(query)
    assert table.columns == [rewrites.plain(column).upper() for column in expected.columns]
    table.columns = expected.columns
    assert_frame_equal(table, expected.cast({"day": pl.String}), check_row_order=False, abs_tol=1e-12)


@pytest.mark.parametrize("per_list", [False, True], ids=["summary", "per list"])
def test_the_forms_hold_what_collect_returns(snowflake: Snowflake, per_list: bool) -> None:
    for name, frame in INPUTS.items():  # no name of theirs needs quotes
        snowflake.give(f'"{name.upper()}"', frame.rename(str.upper))
    expected = means(evaluated(), per_list=per_list)
    for form in ("view", "table"):
        for metrics in (["rr"], METRICS):  # what there is under the name is replaced
            snowflake.run(asked("snowflake", form, name=f'"{form}"', per_list=per_list, metrics=metrics))
        holds(snowflake, f'SELECT * FROM "{form}"', expected)
    holds(snowflake, asked("snowflake", "cte", per_list=per_list), expected)
    for where in ({"partition": 1}, {"day": "2024-01-02"}, {"algorithm": "b's"}):
        snowflake.run('DELETE FROM "table"')
        options: dict[str, Any] = {"form": "incremental", "name": '"table"', "where": where, "per_list": per_list}
        snowflake.run(evaluated().to_sql("snowflake", **options))
        rows = {name: pl.lit(value).str.to_date() if name == "day" else value for name, value in where.items()}
        result = alone(**rows)
        holds(snowflake, 'SELECT * FROM "table"', (result.per_list() if per_list else result.summary()).collect())
    text = asked("snowflake", "function", where="day = :day", per_list=per_list, dates=["day"])
    body = text.split("$$")[1].replace('"P_DAY"', "'2024-01-02'::DATE")  # fakesnow has no table functions
    of_day = alone(day=DAYS[1])
    holds(snowflake, body, (of_day.per_list() if per_list else of_day.summary()).collect())
    snowflake.run('DROP VIEW "view"')
    snowflake.run('DROP TABLE "table"')
