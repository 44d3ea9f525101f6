"""Metrics: the files of sql/, their labels, parameters, and other libraries' conventions.

`definition`, `parameter`: files of sql/ as values; sql/README.md lists what their headers may say; `catalog`: these
values by name; `metric`: a metric as text and as a value; `own`: `rm.define`: metrics of the user; `summaries`,
`intervals`: aggregates of per-list values, and their intervals; `conventions`: the files of sql/conventions.

Each metric of the catalogue is a name of this package, which editors and the console complete:

>>> import rankmetrics as rm
>>> rm.metrics.ndcg(gain="linear") @ 10
ndcg(gain=linear)@10
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from rankmetrics.errors import MetricError

if TYPE_CHECKING:
    from rankmetrics.metrics.metric import Metric


def __getattr__(name: str) -> Metric:
    if name.startswith("_") or importlib.util.find_spec(f"{__name__}.{name}"):
        raise AttributeError(name)  # `from rankmetrics.metrics import own` asks here before it looks for the module
    from rankmetrics.metrics.metric import parse

    try:
        metric = parse(name)
    except MetricError as error:
        raise AttributeError(str(error)) from error
    object.__setattr__(metric, "__doc__", metric.definition.text)  # what help(rm.ndcg) shows: the file itself
    return metric


def __dir__() -> list[str]:
    from rankmetrics.metrics.catalog import catalog

    return sorted(metric.name for metric in catalog().metrics())
