"""Offline ranking metrics written as SQL: one query, run by Polars, DuckDB or a warehouse.

>>> import rankmetrics as rm
>>> rm.parse("ndcg(gain=exponential)@10")
ndcg(gain=exponential)@10

Every metric of the catalogue is a name of this package, too: `rm.ndcg(gain="linear") @ 10`.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from rankmetrics.errors import MetricError, did_you_mean

__version__ = "0.1.0"

# Imported when first used: what parses SQL and what runs it take longer to import than many a job takes.
_HOMES = {
    **dict.fromkeys(("ColumnError", "DataError", "DialectError", "EngineError"), "rankmetrics.errors"),
    **dict.fromkeys(("InputError", "MetricError", "RankMetricsError", "RankMetricsWarning"), "rankmetrics.errors"),
    "Audit": "rankmetrics.audits",
    "audit": "rankmetrics.audits",
    "Columns": "rankmetrics.inputs.columns",
    "Comparison": "rankmetrics.comparisons.comparison",
    "Corrected": "rankmetrics.judges",
    "Metric": "rankmetrics.metrics.metric",
    "Negatives": "rankmetrics.inputs.negatives",
    "Result": "rankmetrics.results.result",
    "Segments": "rankmetrics.segments.segments",
    "Split": "rankmetrics.splits.split",
    "Trace": "rankmetrics.traces.trace",
    "WorstLists": "rankmetrics.traces.worst_lists",
    "ConventionTable": "rankmetrics.conventions",
    "check_arms": "rankmetrics.arms",
    "buckets": "rankmetrics.segments.segmentation",
    "column_names": "rankmetrics.metrics.metric",
    "compare_files": "rankmetrics.comparisons.comparison",
    "compare_conventions": "rankmetrics.conventions",
    "define": "rankmetrics.metrics.metric",
    "define_folder": "rankmetrics.metrics.metric",
    "evaluate": "rankmetrics.api",
    "explain": "rankmetrics.explanations",
    "gate": "rankmetrics.gates.gate",
    "GateReport": "rankmetrics.gates.gate",
    "help": "rankmetrics.manual",
    "list_conventions": "rankmetrics.conventions",
    "list_metrics": "rankmetrics.metrics.metric",
    "log": "rankmetrics.trackers",
    "parse": "rankmetrics.metrics.metric",
    "Rankings": "rankmetrics.rankings.rankings",
    "rank_factors": "rankmetrics.rankings.rank",
    "rank_scores": "rankmetrics.rankings.rank",
    "report": "rankmetrics.reports.report",
    "split": "rankmetrics.splits.split",
    "to_sql": "rankmetrics.export.query_text",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name.startswith("_") or importlib.util.find_spec(f"{__name__}.{name}"):
        raise AttributeError(name)  # `from rankmetrics import tree` asks here before it looks for the module
    from rankmetrics.metrics.metric import parse

    try:
        metric = parse(name)
    except MetricError as error:
        near = did_you_mean(name, __all__)
        raise AttributeError(f"rankmetrics has no {name!r}.{near} {error}") from error
    object.__setattr__(metric, "__doc__", metric.definition.text)  # what help(rm.ndcg) shows: the file itself
    return metric


def __dir__() -> list[str]:
    from rankmetrics.metrics.catalog import catalog

    return sorted([*__all__, *(metric.name for metric in catalog().metrics())])
