"""Weighted hits: which number a metric reads under `weights=ips` and `snips`, and which metrics have no weighted form.

A weight makes up for the relevant items that nobody could see, as long as the metric is a sum over hits times numbers
that depend on no hit. A metric that multiplies, compares or subtracts numbers of hits is refused.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from rankmetrics.errors import MetricError, Option
from rankmetrics.metrics.catalog import KINDS, WEIGHTS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Settings, are_weighted
from rankmetrics.planner.ties import covers_all_orders, is_linear
from rankmetrics.sqltree import tree

# The parameter of where propensities come from, and its choices that are columns of the inputs.
PROPENSITY, GIVEN = "propensity", ("given", "items")

# The metrics that the error names; a test holds them to what is refused.
WITH_WEIGHTS = (
    *("ap", "dcg", "f_beta_of_means", "hit", "ideal_dcg", "mean_recall", "n_hits", "ndcg", "pooled_precision"),
    *("precision", "r_precision", "rbp", "recall", "rr", "share_of_best", "weighted_precision", "weighted_recall"),
)


def weighted_form(definition: Definition, values: Settings, metric: str) -> Definition:
    """The file of a number: of sql/weighted, or refused, where hits count by their weights and change it."""
    if not are_weighted(values):
        return definition
    if covers_all_orders(values):
        raise MetricError(f"{metric}: weights need one order of equal scores, as with {Option('ties', 'item')}.")
    form = catalog().find("weighted", definition.name)
    if form is None and catalog().bears_weights(definition.name) and not sums_weights(definition):
        raise refusal(metric, values)
    return form or definition


def sums_weights(definition: Definition) -> bool:
    """True if a number sums the weights of hits: a formula over it must be a sum over hits."""
    reads = definition.reads
    return reads not in KINDS and WEIGHTS in catalog().stage_parameters(reads) and catalog().reads_input(reads, "recs")


def check_sum(value: exp.Expr, sums: Collection[str], metric: str, values: Settings) -> None:
    """Refuse a formula over sums of weights, unless it multiplies them by numbers that depend on no hit."""
    if sums and not is_linear(value, sums, through_zero=True):
        raise refusal(metric, values)


def check_means(whole: exp.Expr, sums: Collection[str], metric: str, values: Settings) -> None:
    """Refuse a formula of a system over sums of weights, unless each is in a sum or a mean over lists."""
    for aggregate in tree.find(whole, exp.AggFunc):
        if tree.columns_read(aggregate) & {*sums}:
            if not isinstance(aggregate, (exp.Sum, exp.Avg)):
                raise refusal(metric, values)
            check_sum(aggregate.this, sums, metric, values)


def refusal(metric: str, values: Settings) -> MetricError:
    """The error for a metric that is not a sum over hits."""
    return MetricError(
        f"{Option(WEIGHTS, str(values[WEIGHTS]))}: {metric} is not a sum over hits, so weights would not make up for "
        f"relevant items that nobody could see. Metrics that take weights are: {', '.join(WITH_WEIGHTS)}. To measure "
        f"{metric} without weights, write {metric.partition('@')[0].partition('(')[0]}(weights=none)."
    )
