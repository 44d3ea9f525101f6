"""How the report was made: options, inputs, releases, date."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata

from rankmetrics.inputs.sources import CALLED
from rankmetrics.reports.blocks import Block, Cell, Heading, Section, Table, Terms, sentence
from rankmetrics.reports.facts import Facts

# The packages whose release may change a number or a text.
PACKAGES = ("rankmetrics", "duckdb", "polars", "sqlglot", "pyspark", "ibis-framework", "scipy", "altair")


def versions(facts: Facts) -> Section:
    """The options and the inputs of the evaluation, and what ran it."""
    inputs = Table("The inputs, and the role of their columns.", ["input", "read from", "columns"], [*_inputs(facts)])
    options = [[Cell(name), Cell(value)] for name, value in facts.result.options.items()]
    changed = Table("The options that differ from their default.", ["option", "value"], options)
    releases = Terms([(name, sentence(value)) for name, value in _releases(facts)])
    of_options: list[Block] = [Heading("Options"), changed] if options else []
    blocks: list[Block] = [Heading("Inputs"), inputs, *of_options, Heading("Releases"), releases]
    return Section("versions", "Options and versions", blocks)


def _inputs(facts: Facts) -> Iterator[list[Cell]]:
    layout = facts.layout
    for name in layout.names():
        side, files = layout.side(name), facts.engine.files.get(name)
        where = ", ".join(files.paths) if files else f"a table of {facts.engine.name}"
        roles = [f"{role} = {column}" for role, column in side.roles.roles.items()]
        lists = [f"lists by {', '.join(side.list_columns)}"] if side.list_columns else []
        yield [Cell(CALLED[name]), Cell(where), Cell("; ".join([*lists, *roles]))]


def _releases(facts: Facts) -> Iterator[tuple[str, str]]:
    yield "engine", facts.engine.name
    for package in PACKAGES:
        try:
            yield package, metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    yield "Python", f"{platform.python_version()}, {platform.system()}"
    yield "written", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
