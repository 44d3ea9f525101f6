"""The lists on which a system does worst: by the value of a metric, or by what it loses against a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.errors import InputError, MetricError, choices_for, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import Cte, number_label
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, unnamed
from rankmetrics.tables import Answer, TextTable
from rankmetrics.traces.trace import equal, hits_like, known_values, run

if TYPE_CHECKING:
    import polars as pl

# A system, by its name, or by the values of the columns that name it.
System = str | int | Mapping[str, str | int]

# By which number a value is multiplied so that higher is better; other metrics have no better direction.
DIRECTIONS = {"higher": 1, "lower": -1}

# The two lists of a pair inside the query.
OF_SYSTEM, OF_BASELINE, PLACE = "of_system", "of_baseline", "place"


class WorstLists(Answer):
    """The worst lists of each system, computed; the worst list comes first.

    Lists with the same value are in the order of their missed relevant items: most of them first.
    """

    def __init__(self, frame: pl.DataFrame, n_keys: int, what: str) -> None:
        self._frame, self._n_keys, self._what = frame, n_keys, what

    def collect(self) -> pl.DataFrame:
        """The rows as a Polars frame.

        Columns: the list columns; the metric under its label; with a baseline, the baseline's value under
        `ndcg@10 baseline` and `loss`, above 0; then of each list `n_relevant`, the relevant items, `n_history`, the
        items of its history (if there is one), and `first_hit`, the rank of its first hit in the whole list, NULL
        where it has none. With `ties="expected"`, a list has no first hit, and these three columns are left out.
        """
        return self._frame

    def _notes(self) -> list[str]:
        return [self._what]

    def _tables(self) -> list[TextTable]:
        return [TextTable.of_rows(self._frame.columns, self._frame.to_dicts(), self._n_keys)]


def worst_lists(
    queries: Queries, metric: str | Metric, baseline: System | None, n: int, system: System | None
) -> WorstLists:
    """The n worst lists of each system, as Result.worst returns them."""
    chosen, layout = _metric(queries, metric), queries.layout
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"n is the number of lists of each system: {n!r} is not a whole number from 1.")
    hits, numbers, plan = hits_like(chosen, layout), list[str](), None
    if layout.has_truth and layout.is_ranked:
        numbers = ["n_relevant", *(["n_history"] if "history" in layout.extras else []), "first_hit"]
        try:
            plan = queries.planned([*dict.fromkeys([chosen, hits])], numbers=numbers).plan
        except MetricError:  # these numbers have no mean over all orders of equal scores
            numbers = []
    plan = plan or queries.planned([chosen]).plan
    per_list = plan.per_list_ctes()
    sign = DIRECTIONS[chosen.definition.fields.get("better", "higher")]
    value = tree.column(chosen.label, OF_SYSTEM)
    loss: exp.Expr = value
    values: dict[str, exp.Expr] = {chosen.label: value}
    tests = _is_system(queries, OF_SYSTEM, system) if system is not None else []
    pairs = exp.select().from_(tree.table(per_list[-1].name, OF_SYSTEM))
    if baseline is not None:
        other = tree.column(chosen.label, OF_BASELINE)
        values[free_heading(f"{chosen.label} baseline", [*layout.lists, chosen.label])] = other
        better, worse = (other, value) if sign > 0 else (value, other)
        loss = exp.Sub(this=better.copy(), expression=worse.copy())
        values[free_heading("loss", [*layout.lists, *values])] = loss
        same = [_own(column, OF_SYSTEM).eq(_own(column, OF_BASELINE)) for column in layout.truth_lists]
        on = exp.and_(*same, *_is_system(queries, OF_BASELINE, baseline), copy=False)
        pairs.append("joins", exp.Join(this=tree.table(per_list[-1].name, OF_BASELINE), on=on))
        tests.append(exp.GT(this=loss.copy(), expression=tree.literal(0)))
    tests.append(exp.Is(this=loss.copy(), expression=exp.Not(this=exp.Null())))
    for number in numbers:
        values[free_heading(number, [*layout.lists, *values])] = tree.column(number_label(number), OF_SYSTEM)
    lists = [_own(column, OF_SYSTEM) for column in layout.lists]
    is_ascending = baseline is None and sign > 0
    order = [exp.Ordered(this=loss.copy(), desc=not is_ascending, nulls_first=False)]
    if numbers:
        n_relevant, n_hits = tree.column(number_label("n_relevant"), OF_SYSTEM), tree.column(hits.label, OF_SYSTEM)
        order.append(exp.Ordered(this=exp.Sub(this=n_relevant, expression=n_hits), desc=True, nulls_first=False))
    place = exp.Window(
        this=exp.RowNumber(),
        partition_by=[_own(column, OF_SYSTEM) for column in layout.systems],
        order=exp.Order(expressions=[*order, *(column.copy().asc(nulls_first=False) for column in lists)]),
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
    select = select.order_by(*(tree.column(column).asc(nulls_first=False) for column in by))
    frame = run(queries, plan, [*per_list, step], select, [*layout.lists, *values])
    what = (
        f"the lists with the worst {chosen.label}" if baseline is None else f"the lists that lose most {chosen.label}"
    )
    more = "; of equal lists, those that miss more relevant items first" if numbers else ""
    return WorstLists(frame, len(layout.lists), f"{what}, the worst first{more}")


def _own(name: str, table: str) -> exp.Column:
    return tree.column(unnamed(name), table)


def _metric(queries: Queries, requested: str | Metric) -> Metric:
    """The metric of lists of the evaluation that has this label, or is this metric; refuses one without a direction."""
    question = queries.question
    question.refuse_no_lists()
    metrics = {metric.label: metric for metric in question.of_lists}
    known = metrics.get(requested.label if isinstance(requested, Metric) else requested)
    if known is None:
        raise MetricError(
            f"The evaluation has no metric {str(requested)!r} of lists: it has {choices_for(requested, metrics)}"
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
            raise InputError(f"There is no system with {name}={value!r}: there are {choices_for(value, known)}")
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
