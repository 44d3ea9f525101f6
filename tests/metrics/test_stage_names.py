"""Stages are named so that neither a reader nor a query takes one for another."""

from __future__ import annotations

import re
from pathlib import Path

from sqlglot import exp

from rankmetrics.metrics.catalog import catalog

STAGES = catalog().all("stage")
NAMES = {stage.name.partition(".")[0] for stage in STAGES}
GOLDEN = [
    one for one in sorted((Path(__file__).parents[1] / "golden").glob("*.sql")) if "WITH " in one.read_text("utf-8")
]

# The planner adds these to the name of a stage, for the CTE of its aggregates.
SUFFIXES = ("_per_list", "_per_system", "_per_cutoff", "_diagnostics")


def test_no_stage_has_the_name_of_a_cte_that_the_planner_adds() -> None:
    assert not [name for name in NAMES for suffix in SUFFIXES if name.endswith(suffix)]


def test_no_alias_is_the_name_of_another_stage() -> None:
    aliases = [(stage, table.alias) for stage in STAGES for table in stage.select.find_all(exp.Table) if table.alias]
    assert [
        f"{stage.origin}: {alias}" for stage, alias in aliases if alias in NAMES - {stage.name.partition(".")[0]}
    ] == []


def test_the_first_line_of_a_header_names_no_other_stage() -> None:
    """It becomes the comment of the CTE, in queries that need not have the other stage."""
    words = [(stage, word) for stage in STAGES for word in re.findall(r"\w+", stage.summary) if "_" in word]
    assert [f"{stage.origin}: {word}" for stage, word in words if word in NAMES] == []


def test_the_first_line_of_a_header_says_what_a_row_is() -> None:
    """It has no semicolon either: it is the comment of the CTE, and programs that run scripts may split it there."""
    unclear = [one for one in STAGES if ";" in one.summary or not re.match("one row|the rows of", one.summary)]
    assert [one.origin for one in unclear] == []


def test_a_comment_names_only_ctes_of_its_query() -> None:
    for path in GOLDEN:
        text = path.read_text(encoding="utf-8")
        ctes = {*re.findall(r'["`\[](\w+)["`\]](?: ?\([^)]*\))? AS (?:NOT )?(?:MATERIALIZED )?\(', text)}
        comments = re.findall(r"/\* (.*?) \*/", text)
        named = {found[1] for one in comments if (found := re.match(r"(?:aggregates of )?(\w+)(?:[:,]|$)", one))}
        assert named, path.name
        assert {one.lower() for one in named} <= {one.lower() for one in ctes} | {"sorted"}, path.name
