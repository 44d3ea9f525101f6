"""The files of sql/ that ship: documented, valid in DuckDB, and complete."""

from __future__ import annotations

import re

import duckdb

from rankmetrics.inputs.columns import ROLES
from rankmetrics.inputs.sources import DIMENSION, INPUT_ROW, RANK_AS_FLOAT, SOURCES
from rankmetrics.metrics.catalog import METRICS, PLANNED, RUNS, catalog
from rankmetrics.metrics.definition import FOLDERS, Definition, Kind
from rankmetrics.sqltree import tree

DEFINITIONS = [one for kind in FOLDERS for one in catalog().all(kind)]


def _named(definition: Definition) -> str:
    return f"{definition.kind} {definition.name}"


def test_a_file_of_sql_says_what_it_is_in_its_first_line() -> None:
    silent = [one for one in DEFINITIONS if not one.summary or not one.text.startswith(f"-- {_name_of_file(one)}: ")]
    assert [*map(_named, silent)] == []


def _name_of_file(definition: Definition) -> str:
    parts = definition.name.split(".")
    return parts[-1] if definition.kind == "parameter" else parts[0]


def test_a_metric_says_its_range_when_it_is_undefined_and_its_source() -> None:
    for definition in catalog().metrics():
        name, is_count = definition.name, definition.name.startswith("n_")
        assert re.match(r"[\[(]\S+, \S+[\])]", definition.fields["range"]), name
        assert ("undefined" in definition.fields) != (is_count or name in ALWAYS_DEFINED), name
        assert "source" in definition.fields or is_count, f"{name} needs a line `source:`, a paper or a library"
        assert definition.expression.parent is not None
        assert tree.outputs(definition.select) == [name]


def test_a_file_of_sql_runs_in_duckdb_as_it_stands() -> None:
    wrong = {}
    with duckdb.connect() as connection:
        for definition in DEFINITIONS:
            try:
                _run(definition, connection)
            except duckdb.Error as error:
                wrong[_named(definition)] = str(error)
    assert wrong == {}


def _run(definition: Definition, connection: duckdb.DuckDBPyConnection) -> None:
    """Run the text of a file over tables of one row of NULLs."""
    for table in dict.fromkeys(tree.tables_read(definition.select)):
        if table:
            columns = ", ".join(f'CAST(NULL AS {_type(one)}) AS "{one}"' for one in sorted(_columns_of(table)))
            connection.execute(f'CREATE OR REPLACE TABLE "{table}" AS SELECT {columns}')
    text = definition.text
    for name in sorted(tree.placeholders(definition.select), key=len, reverse=True):
        text = text.replace(f"${name}", "TRUE" if name in CONDITIONS else "1")
    connection.execute(text).fetchall()


# Metrics that have a value for every list, besides counts.
ALWAYS_DEFINED = {"dcg", "fill_rate", "ideal_dcg", "user_coverage", "utility"}

# Parameters whose choices are conditions.
CONDITIONS = {"relevance", "lengths"}


def _columns_of(table: str) -> set[str]:
    """The columns that a file may expect of a table, run by hand."""
    if table in SOURCES:
        return {*tree.IDS, *ROLES, INPUT_ROW, DIMENSION, RANK_AS_FLOAT}
    if table == "account":
        return {one.name for one in catalog().all("account")}
    if table == "per_list":
        return {"value"}
    if table in (METRICS, RUNS):
        kinds: tuple[Kind, ...] = ("metric", "part") if table == METRICS else ("run", "run part")
        return {*(one.name for kind in kinds for one in catalog().all(kind))}
    return {*(catalog().outputs(table) if catalog().is_stage(table) else ()), *tree.IDS}


def _type(column: str) -> str:
    return "VARCHAR" if column == "hash" else "DOUBLE" if column in DOUBLES else "BIGINT"


DOUBLES = {
    RANK_AS_FLOAT,
    "rating",
    "score",
    "stop",
    "reached",
    "value",
    "similarity",
    "embedding",
    "mass",
    "share",
    "part",
    "weight",
}


def test_no_two_metrics_share_a_spelling() -> None:
    spelled = [re.sub(r"[^a-z0-9]", "", one.lower()) for d in catalog().metrics() for one in {d.name, *d.aliases}]
    plain = {
        d.name: {re.sub(r"[^a-z0-9]", "", one.lower()) for one in (d.name, *d.aliases)} for d in catalog().metrics()
    }
    assert sum(len(one) for one in plain.values()) == len(set(spelled))


SETTINGS: tuple[Kind, ...] = ("parameter", "policy")


def test_the_tables_and_parameters_of_a_file_are_those_of_its_tree_and_every_parameter_is_there() -> None:
    shared = {one.name.rpartition(".")[2] for kind in SETTINGS for one in catalog().all(kind)}
    for definition in DEFINITIONS:
        assert definition.placeholders == tree.placeholders(definition.select), definition.name
        assert definition.tables == {*tree.tables_read(definition.select)} - {""}, definition.name
        if definition.kind == "aggregate":
            continue  # they read `deviations`, which the confidence asked for gives
        assert definition.placeholders <= shared | PLANNED, definition.name
