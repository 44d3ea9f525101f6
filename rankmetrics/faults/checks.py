"""What can be wrong with the data, as the files of sql/checks say: faults that make numbers meaningless, and doubts.

A check is a condition over the counts of the account. What `evaluate` refuses and what the text of a check reports are
decided by the same conditions over the same counts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sqlglot import exp

from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import POWERS, Metric, are_weighted
from rankmetrics.sqltree import tree

# The operators of conditions on counts, computed in Python as a database would.
OPERATORS: Mapping[type[exp.Expr], Callable[[float, float], float]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.Div: operator.truediv,
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.And: lambda left, right: bool(left and right),
    exp.Or: lambda left, right: bool(left or right),
}

# The severities of checks: data with a fault is refused, over doubtful data there is a warning.
ERROR, DOUBT = "error", "warning"

# Conditions on the rows that only some options and metrics require.
REQUIRED = frozenset(
    {
        *ASSUMPTIONS,
        "history-rows",
        "history-lists",
        "baseline-lists",
        "log-actions",
        "powers",
        "counted repeats",
        "decided ties",
        WEIGHTS,
    }
)


@dataclass(frozen=True)
class Check:
    """A file of sql/checks: something that can be wrong with the data."""

    name: str  # of its file, such as `ranks_repeated`
    what: str  # a sentence that says what is wrong
    n: exp.Expr  # how many rows, lists or items are at fault, over counts
    condition: exp.Expr  # true of the counts of data with the fault
    samples: tuple[tuple[str, str], ...]  # the inputs whose rows show it, each with the stage of these rows
    severity: str  # ERROR or DOUBT
    say: str  # its message, with places for numbers and rows; empty if only a text looks for it
    heading: str  # of the page that explains it
    per_system: bool  # whether each row of the summary is checked by itself
    is_tested: bool  # whether a test in Python decides, and not the condition

    @property
    def page(self) -> str:
        """The page and heading that explain it, such as `messages/#no-list-in-common`."""
        return f"{'messages' if self.severity == ERROR else 'warnings'}/#{self.heading}"

    @property
    def counts(self) -> set[str]:
        """The counts that the condition and the number read."""
        return tree.columns_read(self.condition) | tree.columns_read(self.n)

    def is_in(self, counts: Mapping[str, int]) -> bool:
        """True if data with these counts has the fault."""
        return bool(compute(self.condition, counts))


def checks_of(layout: Layout, required: Collection[str] = (), severity: str = ERROR) -> list[Check]:
    """The checks of inputs of this layout, in order, with further conditions as `required_of` returns them.

    Where `unique-recs` is required, a repeated recommendation is a fault; where `history-lists` is, a history without
    the lists of the recommendations.
    """
    files = sorted(catalog().all("check"), key=lambda file: int(file.fields.get("order", 0)))
    offered = {
        file.name: need in required if need in REQUIRED else layout.offers(need)
        for file in files
        for need in [file.fields.get("needs")]
    }
    return [check for check in map(read_check, files) if check.severity == severity and offered[check.name]]


@cache
def read_check(file: Definition) -> Check:
    """The check of a file."""
    n, condition, is_tested = file.expression, tree.condition(file.select), "found" in file.fields
    pairs = [part.split() for part in file.fields.get("samples", "").split(",") if part.strip()]
    if "rows" in file.fields:  # the SELECT returns the rows at fault
        n, condition, pairs = exp.column(file.name), exp.column(file.name) > 0, [[file.fields["of"], file.name]]
    assert (condition is None) == is_tested, file.origin
    return Check(
        file.name,
        file.summary,
        n,
        condition or exp.false(),
        tuple((name, stage) for name, stage in pairs),
        file.fields.get("severity", ERROR),
        file.fields.get("say", ""),
        file.fields.get("heading", file.name.replace("_", "-")),
        file.fields.get("per") == "system",
        is_tested,
    )


def required_of(metrics: Sequence[Metric], duplicates: str, layout: Layout) -> frozenset[str]:
    """Conditions that the options and the metrics put on the rows.

    No repeats, where the caller or a metric refuses them, as those of RecTools do. Lists of the recommendations in the
    history (or the baseline), where a metric reads the history of each list, or the lists of the history are averaged.
    Actions of the log that the policy takes, where a metric weighs them. Popularity reads no lists. Propensities, where
    hits are weighted by them. Powers of 2 that are finite, where gains are such powers. A caller who says that lists
    may be new requires nothing of the history, not even rows.
    Repeats, unless all metrics take the first, as chunks are counted, too; an order of equal scores, unless all metrics
    take the mean over all orders.
    """
    required = {"unique-recs", "unique-truth"} if refuses_repeats(metrics, duplicates) else set[str]()
    if {metric.values.get("duplicates") for metric in metrics} - {None} != {"first"}:
        required.add("counted repeats")
    if not metrics or any(metric.values.get("ties") != "expected" for metric in metrics):
        required.add("decided ties")
    if "history" in layout.extras and not layout.cold_start:
        required.add("history-rows")
    if layout.offers("propensity") and any(catalog().weighs_log(metric.name) for metric in metrics):
        required.add("log-actions")
    if layout.offers("rating") and any(metric.values.get("gain") in POWERS for metric in metrics):
        required.add("powers")
    if any(are_weighted(metric.values) for metric in metrics):
        required.add(WEIGHTS)
    for name in ("baseline",) if layout.cold_start else ("history", "baseline"):
        if name in layout.extras and (
            (name == "history" and layout.negatives is not None)
            or any(metric.values.get("missing") == name for metric in metrics)
            or any(catalog().matches_lists_of(metric.name, name) for metric in metrics)
        ):
            required.add(f"{name}-lists")
    return frozenset(required)


def refuses_repeats(metrics: Iterable[Metric], duplicates: str) -> bool:
    """True if a repeated item is a fault."""
    return duplicates == "error" or bool(refusing(metrics))


def refusing(metrics: Iterable[Metric]) -> Sequence[Metric]:
    """The metrics that refuse a repeated item."""
    return [metric for metric in metrics if metric.values.get("duplicates") == "refused"]


def compute(expression: exp.Expr, values: Mapping[str, float]) -> float:
    """The value of an expression, given the values of its columns; a condition is 1 or 0."""
    if isinstance(expression, exp.Column):
        return values[expression.name]
    if isinstance(expression, exp.Literal):
        return int(expression.name)
    if isinstance(expression, exp.Paren):
        return compute(expression.this, values)
    if isinstance(expression, exp.Least):
        return min(compute(operand, values) for operand in (expression.this, *expression.expressions))
    if isinstance(expression, exp.Binary) and type(expression) in OPERATORS:
        return OPERATORS[type(expression)](compute(expression.left, values), compute(expression.right, values))
    raise ValueError(f"{expression.sql()} is not arithmetic of whole numbers.")
