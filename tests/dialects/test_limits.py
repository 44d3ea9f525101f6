"""What the notes of the dialects claim about the limits of databases: the length of a text, the stages of a query."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support import matrix
from tests.support.partitions import parsed

SIX = ("ndcg", "recall", "precision", "ap", "rr", "hit")
ALL = tuple(name for name in matrix.variants() if name != "embedding_diversity")  # of which no text is written

ATHENA_BYTES, TRINO_STAGES = 262_144, 150


@cache
def text(dialect: str, names: tuple[str, ...], cutoffs: Sequence[int]) -> str:
    """The text for these metrics at these cutoffs, from tables that have every column."""
    metrics = []
    for metric in map(rm.Metric, names):
        has_cutoff = "k" in catalog().own_parameters(metric.name)
        metrics += [metric @ cutoff for cutoff in cutoffs] if has_cutoff else [metric]
    return rm.to_sql(
        "db.recs",
        "db.truth",
        metrics,
        lists=["algorithm", "user"],
        truth_lists=["user"],
        columns=rm.Columns(rank="rank", pool="pool"),
        truth_columns=rm.Columns(item="item", rating="rating"),
        dialect=dialect,
        history="db.history",
        baseline="db.baseline",
        items="db.items",
        similarity="db.similarity",
        catalog="db.catalog",
    )


def test_athena_takes_all_metrics_at_three_cutoffs_and_the_six_usual_ones_at_fifty() -> None:
    assert len(text("athena", ALL, (5, 10, 20)).encode()) <= ATHENA_BYTES
    assert len(text("athena", SIX, range(1, 51)).encode()) <= ATHENA_BYTES


@pytest.mark.long
def test_athena_does_not_take_all_metrics_at_twenty_cutoffs() -> None:
    assert len(text("athena", ALL, range(1, 21)).encode()) > ATHENA_BYTES


def stages(query: exp.Expr) -> int:
    """The joins, groups, windows and DISTINCTs of a query, once every CTE is written out where it is read."""
    steps = {one.alias: one.this for one in query.find_all(exp.CTE)}

    @cache
    def count(name: str) -> int:
        return of(steps[name])

    def of(select: exp.Expr) -> int:
        nodes = [*select.walk(prune=lambda node: isinstance(node, exp.With))]
        own = [one for one in nodes if isinstance(one, (exp.Join, exp.Group, exp.Window))]
        distinct = [one for one in nodes if isinstance(one, exp.Select) and one.args.get("distinct")]
        read = [one.name for one in nodes if isinstance(one, exp.Table) and not one.db and one.name in steps]
        return len(own) + len(distinct) + sum(map(count, read))

    return of(query)


def test_trino_writes_out_few_stages_for_the_six_usual_metrics_and_many_for_all() -> None:
    assert stages(parsed(text("trino", SIX, (5, 10, 20)), "trino")) < 20
    assert stages(parsed(text("trino", ALL, (5, 10, 20)), "trino")) > TRINO_STAGES
