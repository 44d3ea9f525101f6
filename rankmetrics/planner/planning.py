"""Plans a query: from the metrics to the stages that it is made of, and from the query to its text.

Each value is frozen and prints; no step changes what another has made. docs/architecture.md shows them on an example.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner.formulas import diagnostics_counted, stages_counted, write_formulas
from rankmetrics.planner.passes import PASSES, hit_histogram, shared_groups
from rankmetrics.planner.query import Plan, Query
from rankmetrics.planner.question import Question
from rankmetrics.planner.refusals import (
    refuse_equal_headings,
    refuse_idle_systems,
    refuse_missing_inputs,
    refuse_totals_of_systems,
    refuse_unknown_lists,
)
from rankmetrics.planner.stages import LISTS_KEY, Stage, find_stages, merge_stages
from rankmetrics.sqltree import tree

# How many plans are kept: a leaderboard makes three, and a plan of the whole catalogue takes some megabytes.
KEPT = 12

_kept: dict[str, Plan] = {}


def plan(question: Question) -> Plan:
    """The plan for a question, made unless it was made before.

    Raises:
        MetricError, ColumnError, InputError: columns, inputs or a cutoff are missing, or two headings would be equal.
    """
    metrics = [
        (metric.label, metric.name, metric.convention, sorted(metric.values.items())) for metric in question.metrics
    ]
    tables = {name: table.sql("duckdb", identify=True) for name, table in question.tables.items()}
    key = repr((catalog().edition, metrics, tables, replace(question, metrics=())))
    if key not in _kept:
        _kept[key] = _new_plan(question)
        while len(_kept) > KEPT:
            _kept.pop(next(iter(_kept)))
    return _kept[key]


def _new_plan(question: Question) -> Plan:
    refuse_equal_headings(question)
    refuse_unknown_lists(question)
    refuse_totals_of_systems(question)
    formulas = write_formulas(question)
    counted = diagnostics_counted(question)
    means, roots = None, [Stage(LISTS_KEY, depth=None, within=None)]
    if question.measures:
        roots = [*formulas.stages()]
        has_histogram = hit_histogram.PASS.is_on(question) and not question.layout.totals
        means = hit_histogram.find_histogram(question, formulas) if has_histogram else None
    if means is not None:
        roots.append(means.stage)
    needed = merge_stages([*roots, *stages_counted(question, counted)])
    if question.measures:
        refuse_missing_inputs(question, formulas, needed)
    refuse_idle_systems(question)
    stages = find_stages(question, needed.values())
    if shared_groups.PASS.is_on(question):
        stages = shared_groups.share_groups(stages)
    return Plan(question, formulas, counted, stages, means)


# --- text -------------------------------------------------------------------------------------------------------------


def text_of(plan: Plan, assemble: Callable[..., Query], dialect: str, *names: str) -> tuple[str, list[str]]:
    """A query of a plan as text, written once, and its columns; `names` is what it is for, such as a stage's name."""
    key = assemble, dialect, *names
    if key not in plan.texts:
        query = assemble(plan, *names)
        assert isinstance(query.select, exp.Query)
        columns = tree.outputs(query.select)
        plan.texts[key] = write(query, dialect), columns
    return plan.texts[key]


def write(query: Query, dialect: str, job: NamesOfJob | None = None) -> str:
    """A query as text; the query is used up. `job` is how the text of a job spells names."""
    return dialects.rewritten_text(rewritten(query, dialect, job), dialect)


def rewritten(query: Query, dialect: str, job: NamesOfJob | None = None) -> exp.Expr:
    """The tree of a query after the passes and the dialect's rewrites, the query's own; otherwise as `write`."""
    dialects.rewrite(optimized(query, dialect), dialect, job)
    return query.select


def optimized(query: Query, dialect: str) -> exp.Expr:
    """The tree of a query, its own, after the passes that gain something in a dialect, which must be known."""
    for each_pass in PASSES:
        if each_pass.change and each_pass.is_on(query.question, dialect):
            each_pass.change(query)
    return query.select
