"""Refuses what cannot be answered from these inputs, before anything is built."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rankmetrics.errors import ColumnError, InputError, MetricError, Option, choices_for
from rankmetrics.inputs.columns import BY_LIST, Layout
from rankmetrics.inputs.roles import NEEDED, roles_of
from rankmetrics.inputs.sources import EMBEDDINGS, EXTRAS, SOURCES, SYSTEMS, called
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import N_LISTS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.planner.formulas import Formulas
from rankmetrics.planner.inputs import LISTS_OF, no_truth
from rankmetrics.planner.question import Question
from rankmetrics.planner.stages import Stage, StageKey, definition_of, key_of, required_stages


def refuse_equal_headings(question: Question) -> None:
    """Refuse a list column that is called as a metric is: the result would have two columns of that name."""
    labels = {metric.label.lower() for metric in question.of_lists}
    headings = {N_LISTS, *(name.lower() for name in question.columns)}
    repeated = [name for name in question.layout.lists if name.lower() in labels]
    repeated += [name for name in question.layout.by if name.lower() in headings]
    if repeated:
        raise said(ColumnError, "equal_headings", name=repeated[0])


def refuse_unknown_lists(question: Question) -> None:
    """Refuse to take the lists of an input that is not given, or that does not know them as the truth does."""
    if not question.layout.has_truth:
        _refuse_lists_of_truth(question)
    for name in (choice for choice in question.missing if choice in BY_LIST):
        if name not in question.layout.extras:
            raise said(InputError, "lists_of_no_input", missing=Option("missing", name), name=name, input=Option(name))
        has, required = question.layout.side(name).lists, question.layout.truth_lists
        if {*has} != {*required}:
            option = Option("missing", name)
            raise said(ColumnError, "other_lists", missing=option, name=name, has=[*has], required=[*required])


def refuse_totals_of_systems(question: Question) -> None:
    """Refuse totals of metrics of systems: they do not follow from the lists of the rows."""
    if question.layout.totals and question.of_systems:
        by = Option("by", [*question.layout.by])
        raise said(MetricError, "totals_of_a_system", metric=question.of_systems[0].label, by=by)


def _refuse_lists_of_truth(question: Question) -> None:
    """Refuse lists and candidates that are those of the truth, where there is none."""
    if question.layout.has_candidates:
        raise no_truth("A ranking among candidates")
    for metric in question.metrics:
        if (choice := metric.values.get("missing")) in ("zero", "skip"):
            option = Option("missing", choice)
            raise said(InputError, "lists_of_no_truth", metric=metric.text, missing=option, truth=Option("truth"))


def refuse_idle_systems(question: Question) -> None:
    """Refuse to name systems where no metric scores lists without recommendations."""
    if SYSTEMS in question.tables and not {*question.missing} & {*LISTS_OF}:
        option = Option("missing", question.missing[0])
        raise said(InputError, "idle_systems", missing=option, choices=[*LISTS_OF])


def refuse_missing_inputs(question: Question, formulas: Formulas, needed: Mapping[StageKey, Stage]) -> None:
    """Refuse metrics that read an input, or a column of an input, that is not there."""
    required = required_stages(needed)
    complete: set[StageKey] = set()
    unranked: list[StageKey] = []
    for root in (*formulas.lists.sums, *formulas.systems.sums):
        waiting = [root]
        while waiting:
            key = waiting.pop()
            if key not in complete:
                complete.add(key)
                definition = definition_of(needed.get(key, Stage(key)), question, required)
                _refuse_missing(question, formulas, root, definition)
                orders = "ties" in definition.placeholders and "recs" in definition.tables
                unranked += [root] if orders and not question.layout.is_ranked else []
                tables = [*definition.tables_read.by_alias.values()][::-1]
                waiting += [key_of(table, dict(key.settings)) for table in tables if catalog().is_stage(table)]
    if unranked:
        metric, column = _asked(question, formulas, unranked[0]), question.layout.recs.probability
        raise said(MetricError, "unranked_actions", metric=metric, column=column)


def _refuse_missing(question: Question, formulas: Formulas, root: StageKey, definition: Definition) -> None:
    """Refuse a file of a stage that reads what is not there; `root` is the stage that metrics read it by."""
    layout, asked = question.layout, partial(_asked, question, formulas, root)
    read = definition.tables_read
    for table in (table for table in read.by_alias.values() if table in SOURCES and table not in question.tables):
        if table == "truth":
            raise no_truth(asked())
        name = "items" if table == EMBEDDINGS else table
        if name in question.tables:
            option = Option("extra_columns", {"embedding": "..."}, of="items")
            raise said(ColumnError, "no_embeddings", metric=asked(), schema=[*layout.side(name).types], naming=option)
        raise said(InputError, "no_input", metric=asked(), input=Option(name), what=EXTRAS[name])
    for table, role in read.columns:
        if table not in SOURCES:
            continue
        if role not in roles_of(table):
            if definition.is_own:
                _refuse_own_column(layout, asked(), table, role)
            continue
        is_needed = definition.is_own or role in NEEDED
        if is_needed and getattr(layout.side(table).roles, role, None) is None:
            option = Option(
                *(("extra_columns", {role: "..."}, table) if table in EXTRAS else ("columns", {role: "..."}))
            )
            found = {"role": role, "table": called(table), "schema": [*layout.side(table).types], "naming": option}
            raise said(ColumnError, "no_column_of_role", metric=asked(), **found)


def _refuse_own_column(layout: Layout, metric: str, table: str, name: str) -> None:
    """Refuse a metric of the user that reads a column that the input does not have, or that identifies lists there."""
    side = layout.side(table)
    column = side.column(name)
    if column is None:
        choices = choices_for(name, side.types)
        raise said(ColumnError, "no_own_column", metric=metric, name=name, table=called(table), choices=choices)
    if table == "recs" and column in layout.systems and "lists" in layout.inferred:
        lists = Option("lists", [other for other in layout.lists if other != column])
        raise said(ColumnError, "own_column_of_lists", metric=metric, name=name, lists=lists)


def _asked(question: Question, formulas: Formulas, root: StageKey) -> str:
    """The first metric that a stage is read for, as it was written; else a number that is computed besides."""
    steps = {question.cte(root.per_list), question.cte(root.per_system)}
    texts = [metric.text for metric in question.metrics if steps & formulas.steps_read(question, metric.label)]
    return [*texts, *question.numbers, question.metrics[-1].text][0]
