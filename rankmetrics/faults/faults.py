"""Faults of the data that make every number meaningless, as the files of sql/faults define them.

What `evaluate` refuses and what the text of a check reports are decided by the same conditions over the same counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import offers
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.arithmetic import compute


@dataclass(frozen=True)
class Fault:
    """A fault of the data: a condition over the counts of the account.

    Attributes:
        name: the name of its file, such as `ranks_repeated`.
        what: a sentence that says what is wrong.
        n: how many rows, lists or items are at fault, as an expression over counts.
        condition: true if the data has the fault.
        samples: the stages whose first rows show the fault, each with the input that its rows are from.
    """

    name: str
    what: str
    n: exp.Expr
    condition: exp.Expr
    samples: tuple[tuple[str, str], ...]

    @property
    def counts(self) -> set[str]:
        """The counts that the condition and the number read."""
        return tree.columns_read(self.condition) | tree.columns_read(self.n)

    def is_in(self, counts: Mapping[str, int]) -> bool:
        """True if data with these counts has the fault."""
        return bool(compute(self.condition, counts))


def faults_of(layout: Layout, required: Collection[str] = ()) -> list[Fault]:
    """The faults that inputs of this layout can have.

    Args:
        layout: the roles of the columns.
        required: further conditions on the rows, of `inputs/assumptions.py`: where `unique-recs` is required, a
            repeated recommendation is a fault.
    """
    faults = []
    for fault in catalog().all("fault"):
        need = fault.fields.get("needs")
        if need in required if need in ASSUMPTIONS else offers(layout, need):
            faults.append(_fault(fault))
    return faults


def _fault(definition: Definition) -> Fault:
    condition = tree.condition(definition.select)
    assert condition is not None, definition.origin
    pairs = [part.split() for part in definition.fields.get("samples", "").split(",") if part.strip()]
    samples = tuple((name, stage) for name, stage in pairs)
    return Fault(definition.name, definition.summary, definition.expression, condition, samples)


def required_of(metrics: Iterable[Metric], duplicates: str) -> frozenset[str]:
    """Assumptions on the rows: no repeats, where the caller or a metric refuses them, as those of RecTools do."""
    return frozenset({"unique-recs", "unique-truth"}) if duplicates == "error" or refusing(metrics) else frozenset()


def refusing(metrics: Iterable[Metric]) -> Sequence[Metric]:
    """The metrics that refuse a repeated item."""
    return [metric for metric in metrics if metric.values.get("duplicates") == "refused"]
