"""Adds the systems that the caller names to those that have recommendations: they are scored in every partition.

Before:  SELECT DISTINCT day, algorithm FROM recs
After:   SELECT DISTINCT day, algorithm FROM recs
         UNION SELECT DISTINCT truth.day, named.algorithm FROM truth CROSS JOIN (SELECT 'als' AS algorithm) AS named
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from rankmetrics.errors import InputError, Option, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.planner.input_columns import typed
from rankmetrics.planner.model import Question, Steps
from rankmetrics.planner.stages import input_table
from rankmetrics.planner.where import literal
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import unnamed
from rankmetrics.sqltree.relations import call

Tables = Mapping[str, exp.Expr]

# For each choice of `missing` that scores missing lists: the input whose lists count.
LISTS_OF: Mapping[str, str] = {"zero": "truth", "history": "history", "baseline": "baseline"}

NAMED = "named_systems"


def with_named_systems(tables: Tables, layout: Layout) -> Tables:
    """The inputs, with a table of the systems that the caller names, where there are some.

    The caller may have given that table.
    """
    if not layout.named_systems:
        return tables
    rows = [
        exp.select(
            *(
                tree.named(literal(column, value, layout.recs_types[column]), column)
                for column, value in zip(layout.systems, row, strict=True)
            )
        )
        for row in layout.named_systems
    ]
    every: exp.Query = rows[0] if len(rows) == 1 else exp.union(*rows, distinct=False, copy=False)
    return {**tables, SYSTEMS: exp.Subquery(this=every)}


def add_named_systems(question: Question, steps: Steps) -> Steps:
    """The steps, with the named systems in each partition.

    Raises:
        InputError: no metric scores lists without recommendations.
    """
    if SYSTEMS not in question.tables:
        return steps
    inputs = [LISTS_OF[choice] for choice in question.missing if choice in LISTS_OF]
    if not inputs:
        raise InputError(
            Option("systems", is_noun=True),
            " names systems to score where they have no recommendations, and ",
            Option("missing", question.missing[0]),
            f" leaves such lists out: {names(LISTS_OF)} score them.",
        )
    name = question.cte(SYSTEMS)
    if name not in steps.ctes:
        return steps
    found = steps.ctes[name]
    arms = [found.select.copy(), *(_in_partitions_of(question, input_name) for input_name in inputs)]
    return replace(steps, ctes={**steps.ctes, name: replace(found, select=exp.union(*arms, copy=False))})


def _in_partitions_of(question: Question, name: str) -> exp.Select:
    """The named systems in each partition of an input."""
    layout, side = question.layout, question.layout.side(name)
    named = call(input_table(question, SYSTEMS), NAMED)
    values = [typed("id", tree.given(one, NAMED), layout.recs_types, one) for one in layout.systems]
    systems = [tree.named(value, unnamed(one)) for value, one in zip(values, layout.systems, strict=True)]
    are_given = [] if layout.named_systems else [_is_given(one) for one in values]
    if not layout.partitions:
        return exp.select(*systems).distinct().from_(named).where(*are_given)
    own = [typed("id", tree.given(side.own(one), name), side.types, side.own(one)) for one in layout.partitions]
    columns = [tree.named(one, unnamed(column)) for one, column in zip(own, layout.partitions, strict=True)]
    select = exp.select(*columns, *systems).distinct().from_(input_table(question, name))
    select.append("joins", exp.Join(this=named, kind="CROSS"))
    return select.where(*map(_is_given, own), *are_given)


def _is_given(value: exp.Expr) -> exp.Expr:
    return exp.Is(this=value.copy(), expression=exp.Not(this=exp.Null()))
