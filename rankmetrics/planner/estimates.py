"""Estimates of metrics from a sample, as expressions: a value for each rank of a hit among its negatives.

SUM(CASE WHEN rank_among_negatives = 1 THEN 1.0 WHEN rank_among_negatives = 2 THEN 0.33 ELSE 0 END)
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from rankmetrics.sqltree import tree

# The number of negatives of a list, over its one row.
MOST_NEGATIVES = exp.Max(this=exp.column("n_negatives"))


def estimate_of_hits(estimates: Sequence[float]) -> exp.Expr:
    """The sum of the estimates of the hits of a list, over the rows of `ranks_among_negatives`."""
    cases = exp.Case()
    for rank, value in enumerate(estimates, start=1):
        if value:
            test = exp.EQ(this=exp.column("rank_among_negatives"), expression=tree.literal(rank))
            cases = cases.when(test, _double(value), copy=False)
    return exp.Sum(this=cases.else_(_double(0)) if cases.args["ifs"] else _double(0))


def mean_of_estimates(total: exp.Expr, n_negatives: exp.Expr, n_relevant: exp.Expr, n: int) -> exp.Expr:
    """The mean estimate over the relevant items of a list that has n negatives; NULL for other lists."""
    some = exp.Coalesce(this=total, expressions=[exp.Literal.number(0)])
    none = exp.Nullif(this=n_relevant, expression=exp.Literal.number(0))
    is_whole = exp.EQ(this=n_negatives, expression=tree.literal(n))
    return exp.Case().when(is_whole, exp.Div(this=some, expression=none))


def _double(value: float) -> exp.Expr:
    return exp.cast(exp.Literal.string(repr(float(value))), exp.DType.DOUBLE)
