"""Queries that count the lists of each system by their value of one metric.

SELECT "algorithm", CASE WHEN value < 0.1 THEN 0 WHEN value < 0.2 THEN 1 ... END AS "bin", COUNT(*) AS "n"
FROM per_list GROUP BY "algorithm", "bin"
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from rankmetrics.metrics.summaries import MEAN
from rankmetrics.planner.assemble import assembled, measured_ctes, per_list_cte
from rankmetrics.planner.model import Query
from rankmetrics.planner.plan import Plan
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, headed


def value_range(plan: Plan) -> Query:
    """A row per system: the columns of `by`, the lists, the mean, the lowest and highest value, the distinct values."""
    value = _value(plan)
    columns = {
        "n_lists": exp.Count(this=exp.Star()),
        "mean": MEAN.of(value),
        "low": exp.Min(this=value.copy()),
        "high": exp.Max(this=value.copy()),
        "n_values": exp.Count(this=exp.Distinct(expressions=[value.copy()])),
    }
    by = [tree.column(name) for name in plan.question.inside("by_id")]
    lists = per_list_cte(plan)
    select = tree.grouped(columns, by, lists.name)
    return assembled(plan, [*measured_ctes(plan), lists], headed(select, _headings(plan, columns)))


def value_counts(plan: Plan) -> Query:
    """A row per distinct value: the value, the number of lists."""
    value = _value(plan)
    select = tree.returning({"value": value.copy(), "n": exp.Count(this=exp.Star())})
    return _over_lists(plan, select.group_by(value.copy(), copy=False), ["value", "n"])


def bin_counts(plan: Plan, *edges: str) -> Query:
    """A row per system and bin that has lists: the columns of `by`, the number of the bin from 0, the number of lists.

    Args:
        plan: the plan for one metric.
        edges: where the bins begin, and where the last ends, in ascending order. A value that is the start of a bin
            belongs to this bin.
    """
    last = len(edges) - 2
    number = exp.Case(default=tree.literal(last))
    for place, edge in enumerate(edges[1:-1]):
        number = number.when(exp.LT(this=_value(plan), expression=tree.literal(float(edge))), tree.literal(place))
    by = [tree.column(name) for name in plan.question.inside("by_id")]
    select = tree.returning({"bin": number, "n": exp.Count(this=exp.Star())}, by)
    select = select.group_by(*(column.copy() for column in by), number.copy(), copy=False)
    return _over_lists(plan, select, _headings(plan, ("bin", "n")))


def _headings(plan: Plan, names: Iterable[str]) -> list[str]:
    """The columns of `by`, then others, which are renamed where `by` has a column of their name."""
    by = plan.question.layout.by
    return [*by, *(free_heading(name, by) for name in names)]


def _value(plan: Plan) -> exp.Column:
    """The value of the one metric that is asked for."""
    (metric,) = plan.question.metrics
    return tree.column(metric.label)


def _over_lists(plan: Plan, select: exp.Select, headings: list[str]) -> Query:
    """The query that reads the lists for which the metric is defined."""
    lists = per_list_cte(plan)
    is_defined = exp.Not(this=exp.Is(this=_value(plan), expression=exp.Null()))
    select = select.from_(tree.table(lists.name), copy=False).where(is_defined, copy=False)
    return assembled(plan, [*measured_ctes(plan), lists], headed(select, headings))
