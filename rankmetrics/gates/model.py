"""A check of a gate as a value."""

from __future__ import annotations

from dataclasses import dataclass

from rankmetrics.gates.limits import Limit

# The columns of GateReport.checks.
COLUMNS = ("check", "metric", "system", "value", "limit", "passed", "reason")


@dataclass(frozen=True)
class Check:
    """A limit beside a number of one system.

    Attributes:
        check: which limit: minimum, maximum, max_drop or max_missing.
        metric: the column of the result.
        system: the system; None where the summary has one row for all lists.
        value: the number, in the unit of the limit; None if it is undefined.
        limit: the limit.
        passed: whether the number keeps the limit.
        reason: why it passed or failed, as a sentence.
    """

    check: str
    metric: str
    system: str | None
    value: float | None
    limit: Limit
    passed: bool
    reason: str

    @property
    def title(self) -> str:
        """The check in a few words, such as `minimum ndcg@10 of als`."""
        return f"{self.check} {self.metric}" + (f" of {self.system}" if self.system is not None else "")
