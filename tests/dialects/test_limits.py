"""What the notes of the dialects claim about the limits of databases: the length of a text, the stages of a query."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

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
    options: dict[str, Any] = {name: f"db.{name}" for name in ("history", "baseline", "items", "similarity", "catalog")}
    options |= {"columns": rm.Columns(rank="rank", pool="pool")}
    options |= {"truth_columns": rm.Columns(item="item", rating="rating")}
    options |= {"lists": ["algorithm", "user"], "truth_lists": ["user"]}
    return rm.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **options)


def test_athena_takes_all_metrics_at_three_cutoffs_and_the_six_usual_ones_at_fifty() -> None:
    assert len(text("athena", ALL, (5, 10, 20)).encode()) <= ATHENA_BYTES
    assert len(text("athena", SIX, range(1, 51)).encode()) <= ATHENA_BYTES


@pytest.mark.long
def test_all_metrics_are_too_long_for_athena_at_twenty_cutoffs_and_too_many_stages_for_trino_at_three() -> None:
    assert len(text("athena", ALL, range(1, 21)).encode()) > ATHENA_BYTES
    assert stages(parsed(text("trino", ALL, (5, 10, 20)), "trino")) > TRINO_STAGES


def stages(query: exp.Expr) -> int:
    """The joins, groups, windows and DISTINCTs of a query, once every CTE is written out where it is read."""
    steps = {cte.alias: cte.this for cte in query.find_all(exp.CTE)}

    @cache
    def count(name: str) -> int:
        return count_in(steps[name])

    def count_in(select: exp.Expr) -> int:
        nodes = [*select.walk(prune=lambda node: isinstance(node, exp.With))]
        own = [node for node in nodes if isinstance(node, (exp.Join, exp.Group, exp.Window))]
        distinct = [node for node in nodes if isinstance(node, exp.Select) and node.args.get("distinct")]
        read = [node.name for node in nodes if isinstance(node, exp.Table) and not node.db and node.name in steps]
        return len(own) + len(distinct) + sum(map(count, read))

    return count_in(query)


def test_trino_writes_out_few_stages_for_the_six_usual_metrics() -> None:
    assert stages(parsed(text("trino", SIX, (5, 10, 20)), "trino")) < 20
