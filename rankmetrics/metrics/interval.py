"""The interval that the values of a metric lie in, as the `range:` of its file says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf

from rankmetrics.metrics.definition import RANGE
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import WITHIN, Aggregate

# A setting that an interval belongs to, as in `[0, inf) with unit=count`.
SETTING = re.compile(r" with (\w+)=(\w+)")


@dataclass(frozen=True)
class Interval:
    """The ends of an interval; -inf and inf where it has none.

    Attributes:
        text: the interval as the file has it, with its condition.
        is_certain: False if it holds under a condition, such as `if no gain is negative`.
    """

    lower: float = -inf
    upper: float = inf
    text: str = ""
    is_certain: bool = True

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper


def interval_of(metric: Metric, aggregate: Aggregate | None = None) -> Interval:
    """The interval of a metric's values, or of an aggregate of them; unlimited if nothing is known.

    A `range:` begins with an interval. Others may follow it, each with the setting that it belongs to.

    >>> from rankmetrics.metrics.metric import parse
    >>> for text in ("hit@10", "user_coverage(unit=count)", "ndcg"):
    ...     print(interval_of(parse(text)))
    Interval(lower=0.0, upper=1.0, text='[0, 1]', is_certain=True)
    Interval(lower=0.0, upper=inf, text='[0, inf) with unit=count', is_certain=True)
    Interval(lower=0.0, upper=1.0, text='[0, 1] if no gain is negative', is_certain=False)
    """
    interval = Interval()
    if metric.estimates or (aggregate is not None and aggregate.name not in WITHIN):
        return interval
    for place, clause in enumerate(metric.definition.fields.get("range", "").split("; ")):
        ends = RANGE.match(clause)
        setting = SETTING.match(clause, ends.end()) if ends else None
        if ends and (str(metric.values.get(setting[1])) == setting[2] if setting else place == 0):
            is_certain = (setting or ends).end() == len(clause)
            interval = Interval(float(ends["lower"]), float(ends["upper"]), clause, is_certain)
    return interval
