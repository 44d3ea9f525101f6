"""Each query is planned once: the next call that asks the same of inputs of the same shape gets the same text.

What is kept depends on nothing but what was asked, the schemas and what the tables are called: never on data.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sqlglot import exp

from rankmetrics._gc import gc_paused
from rankmetrics.dialects import base as dialects
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import Aggregate
from rankmetrics.planner.plan import Plan
from rankmetrics.sqltree import tree

P = TypeVar("P", bound=Plan)

# How many plans are kept: a leaderboard makes three, and a plan of the whole catalogue takes some megabytes.
KEPT = 12


@dataclass(frozen=True)
class Planned(Generic[P]):
    """A plan, and the queries that were made of it as text, with their columns."""

    plan: P
    _texts: dict[tuple[str, str], tuple[str, list[str]]] = field(default_factory=dict)

    def text(self, query: Callable[[P], exp.Select], dialect: str) -> tuple[str, list[str]]:
        """A query of the plan, such as Plan.summary, as text, and the columns it returns."""
        key = query.__name__, dialect
        if key not in self._texts:
            with gc_paused():
                select = query(self.plan)
                columns = tree.outputs(select)
                self._texts[key] = dialects.text(select, dialect, copy=False), columns
        return self._texts[key]


def planned(
    kind: type[P],
    metrics: Sequence[Metric],
    layout: Layout,
    tables: Mapping[str, exp.Expr],
    aggregates: Sequence[Aggregate],
    *,
    taken: frozenset[str],
    counts: bool = False,
) -> Planned[P]:
    """The plan for what is asked, made unless it was made before.

    Raises:
        ColumnError, InputError, MetricError: as Plan does.
    """
    asked = [(one.label, one.name, one.convention, sorted(one.values.items())) for one in metrics]
    read = {name: one.sql("duckdb", identify=True) for name, one in tables.items()}
    key = repr((kind, catalog().edition, asked, layout, read, aggregates, sorted(taken), counts))
    found = _kept.get(key)
    if found is None:
        with gc_paused():
            found = Planned(kind(metrics, layout, tables, aggregates, taken=taken, counts=counts))
        _kept[key] = found
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found


_kept: OrderedDict[str, Planned] = OrderedDict()  # type: ignore[type-arg]  # of every kind; the key says which
