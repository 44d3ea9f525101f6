"""Each query is planned once: the next call that asks the same of inputs of the same shape gets the same text.

The cache depends on the question, the schemas and the names of the tables, never on data.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlglot import exp

from rankmetrics._gc import gc_paused
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner.passes.base import Query
from rankmetrics.planner.plan import Plan, plan
from rankmetrics.planner.query import write
from rankmetrics.planner.question import Question
from rankmetrics.sqltree import tree

# How many plans are kept: a leaderboard makes three, and a plan of the whole catalogue takes some megabytes.
KEPT = 12


@dataclass(frozen=True)
class Planned:
    """A plan, and the queries that were assembled from it as text, with their columns."""

    plan: Plan
    _texts: dict[tuple[object, ...], tuple[str, list[str]]] = field(default_factory=dict)

    def text(self, assemble: Callable[..., Query], dialect: str, *names: str) -> tuple[str, list[str]]:
        """A query as text, such as that of `summary`, and the columns that it returns.

        Args:
            assemble: assembles the query from the plan, and from `names` where it takes any.
            dialect: the dialect of the text.
            names: what the query is for, such as the name of a stage.
        """
        key = assemble, dialect, *names
        if key not in self._texts:
            with gc_paused():
                query = assemble(self.plan, *names)
                assert isinstance(query.select, exp.Query)
                columns = tree.outputs(query.select)
                self._texts[key] = write(query, dialect), columns
        return self._texts[key]


def planned(question: Question) -> Planned:
    """The plan for a question, made unless it was made before.

    Raises:
        ColumnError, InputError, MetricError: as `plan` does.
    """
    asked = [
        (metric.label, metric.name, metric.convention, sorted(metric.values.items())) for metric in question.metrics
    ]
    read = {name: one.sql("duckdb", identify=True) for name, one in question.tables.items()}
    rest = (
        question.layout,
        question.aggregates,
        sorted(question.taken),
        question.counts,
        question.count_kinds,
        question.diagnostics,
        question.numbers,
    )
    engine = question.runs_on, sorted(question.passes_off), sorted(question.assumed)
    key = repr((catalog().edition, asked, read, rest, engine))
    found = _kept.get(key)
    if found is None:
        with gc_paused():
            found = Planned(plan(question))
        _kept[key] = found
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found


_kept: OrderedDict[str, Planned] = OrderedDict()
