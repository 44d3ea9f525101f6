"""The lists on which a system does worst: by the value of a metric, or by what it loses against a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.errors import InputError, MetricError, did_you_mean, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import Cte
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, unnamed
from rankmetrics.traces.list import equal, known_values, run

if TYPE_CHECKING:
    import polars as pl

# A system, by its name, or by the values of the columns that name it.
System = str | int | Mapping[str, str | int]

# By which number a value is multiplied so that higher is better; other metrics have no better direction.
DIRECTIONS = {"higher": 1, "lower": -1}

# The two lists of a pair inside the query.
OF_SYSTEM, OF_BASELINE, PLACE = "of_system", "of_baseline", "place"


def worst_lists(
    queries: Queries, metric: str | Metric, baseline: System | None, n: int, system: System | None
) -> pl.DataFrame:
    """The n worst lists of each system, as Result.worst returns them."""
    chosen, layout = _metric(queries, metric), queries.layout
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"n is the number of lists of each system: {n!r} is not a whole number from 1.")
    plan = queries.planned([chosen]).plan
    per_list = plan.per_list_ctes([chosen.label])
    sign = DIRECTIONS[chosen.definition.fields.get("better", "higher")]
    value = tree.column(chosen.label, OF_SYSTEM)
    loss: exp.Expr = value
    values: dict[str, exp.Expr] = {chosen.label: value}
    tests = _is_system(queries, OF_SYSTEM, system) if system is not None else []
    pairs = exp.select().from_(tree.table(per_list[-1].name, OF_SYSTEM))
    if baseline is not None:
        headings = [*layout.lists, chosen.label]
        other = tree.column(chosen.label, OF_BASELINE)
        values[free_heading(f"{chosen.label} baseline", headings)] = other
        better, worse = (other, value) if sign > 0 else (value, other)
        loss = exp.Sub(this=better.copy(), expression=worse.copy())
        values[free_heading("loss", [*headings, *values])] = loss
        same = [_own(column, OF_SYSTEM).eq(_own(column, OF_BASELINE)) for column in layout.truth_lists]
        on = exp.and_(*same, *_is_system(queries, OF_BASELINE, baseline), copy=False)
        pairs.append("joins", exp.Join(this=tree.table(per_list[-1].name, OF_BASELINE), on=on))
        tests.append(exp.GT(this=loss.copy(), expression=tree.literal(0)))
    tests.append(exp.Is(this=loss.copy(), expression=exp.Not(this=exp.Null())))
    lists = [_own(column, OF_SYSTEM) for column in layout.lists]
    is_ascending = baseline is None and sign > 0
    worst_first = exp.Ordered(this=loss.copy(), desc=not is_ascending, nulls_first=False)
    place = exp.Window(
        this=exp.RowNumber(),
        partition_by=[_own(column, OF_SYSTEM) for column in layout.systems],
        order=exp.Order(expressions=[worst_first, *map(_ascending, lists)]),
    )
    numbered = pairs.select(
        *(tree.named(column.copy(), column.name) for column in lists),
        *(tree.named(column.copy(), name) for name, column in values.items()),
        tree.named(place, PLACE),
    ).where(*tests)
    comment = "one row per list, numbered from the worst of each system"
    step = Cte(plan.question.cte("numbered"), numbered, comment=comment)
    columns = [*map(unnamed, layout.lists), *values]
    select = exp.select(*map(tree.column, columns)).from_(tree.table(step.name))
    select = select.where(exp.LTE(this=tree.column(PLACE), expression=tree.literal(n)))
    by = [*map(unnamed, layout.systems), PLACE]
    select = select.order_by(*(_ascending(tree.column(column)) for column in by))
    return run(queries, plan, [*per_list, step], select, [*layout.lists, *values])


def _own(name: str, table: str) -> exp.Column:
    return tree.column(unnamed(name), table)


def _ascending(column: exp.Expr) -> exp.Ordered:
    return exp.Ordered(this=column.copy(), nulls_first=False)


def _metric(queries: Queries, requested: str | Metric) -> Metric:
    """The metric of lists of the evaluation that has this label, or is this metric; refuses one without a direction."""
    question = queries.question
    question.refuse_no_lists()
    metrics = {metric.label: metric for metric in question.of_lists}
    known = metrics.get(requested.label if isinstance(requested, Metric) else requested)
    if known is None:
        raise MetricError(
            f"The evaluation has no metric {str(requested)!r} of lists: it has {names(metrics)}."
            f"{did_you_mean(str(requested), metrics)}"
        )
    if known.definition.fields.get("better", "higher") not in DIRECTIONS:
        raise MetricError(f"No list is the worst by {known.label}: neither high nor low values of it are better.")
    return known


def _is_system(queries: Queries, table: str, system: System) -> list[exp.Expr]:
    """The conditions that a list of a table is one of a system, which must be known."""
    layout = queries.layout
    named = _named(layout, system)
    for name, value in named.items():
        known = known_values(queries, name)
        if str(value) not in known:
            near = did_you_mean(str(value), known)
            raise InputError(f"There is no system with {name}={value!r}: there are {names(known)}.{near}")
    return [equal(_own(name, table), name, value, layout.recs_types[name]) for name, value in named.items()]


def _named(layout: Layout, system: System) -> Mapping[str, Any]:
    if not layout.systems:
        raise InputError("There is no system to choose: the truth has every list column, so there is one system.")
    if isinstance(system, Mapping):
        if {*system} != {*layout.systems}:
            raise InputError(f"A system is named by values of {names(layout.systems)}: there were {names(system)}.")
        return system
    if len(layout.systems) > 1:
        example = ", ".join(f'"{column}": ...' for column in layout.systems)
        raise InputError(f"{names(layout.systems)} name a system together: give a mapping, {{{example}}}.")
    return {layout.systems[0]: system}
