"""Reads a metric of the user that was written with former names of stages, parts and columns."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from sqlglot import exp

from rankmetrics._files import sql_folder
from rankmetrics.errors import RankMetricsWarning
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.definitions import METRICS, RUNS, Definitions
from rankmetrics.sqltree import tree


@cache
def former_names() -> Mapping[str, Mapping[str, str]]:
    """The present names by the former names, for `stages`, `numbers` (parts of metrics) and `columns` of stages."""
    import tomllib  # few metrics are defined by users

    return tomllib.loads((sql_folder() / "renamed.toml").read_text(encoding="utf-8"))


def with_present_names(definition: Definition, known: Definitions) -> Definition:
    """A definition with present names in the place of former ones; the same where it has none.

    Warns:
        RankMetricsWarning: which names are former, and what they are called now.
    """
    select = definition.select.copy()
    if select.args.get("from_") is None:
        return definition
    renamed: dict[str, str] = {}
    table = tree.source(select)
    stages = former_names()["stages"]
    if isinstance(table.this, exp.Identifier) and not known.is_stage(table.name) and table.name in stages:
        renamed[table.name] = stages[table.name]
        table.this.set("this", stages[table.name])
    kind = "numbers" if table.name in (METRICS, RUNS) else "columns"
    there = known.columns_of(table.name)
    for column in tree.find(select, exp.Column):
        new = former_names()[kind].get(column.name)
        if new is not None and column.name not in there and new in there:
            renamed[column.name] = new
            column.this.set("this", new)
    if not renamed:
        return definition
    names = ", ".join(f"{old} is {new}" for old, new in renamed.items())
    warnings.warn(RankMetricsWarning(f"The metric {definition.name!r} reads former names: {names} now."), stacklevel=4)
    lines = definition.text.splitlines()
    header = [line for line in lines if line.strip().startswith("--")]
    return replace(definition, text="\n".join([*header, select.sql("duckdb", pretty=True)]))
