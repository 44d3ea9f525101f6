"""Offline ranking metrics written as SQL: one query, run by Polars, DuckDB or a warehouse.

>>> import rankmetrics as rm
>>> rm.parse("ndcg(gain=exponential)@10")
ndcg(gain=exponential)@10

`rm.metrics` has the metrics of the catalogue as names: `rm.metrics.ndcg(gain="linear") @ 10`, or `rm.ndcg` for short.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from rankmetrics.errors import did_you_mean

__version__ = "0.1.0"

# Imported when first used: what parses SQL and what runs it take longer to import than many a job takes.
_NAMES = {
    "api": "evaluate",
    "arms": "check_arms",
    "audits": "Audit audit",
    "comparisons.comparison": "Comparison compare_files",
    "comparisons.power": "power",
    "conventions": "ConventionTable compare_conventions list_conventions",
    "errors": "ColumnError DataError DialectError EngineError InputError MetricError RankMetricsError "
    "RankMetricsWarning",
    "explanations": "explain",
    "export.query_text": "to_sql",
    "gates.gate": "GateReport gate",
    "identification.conformance": "check_answers conformance",
    "identification.identify": "Identified identify",
    "identification.problems": "Problem",
    "inputs.columns": "Columns",
    "inputs.input": "Input",
    "inputs.negatives": "Negatives",
    "judges": "Corrected",
    "manual": "help",
    "metrics.intervals": "exact_interval",
    "metrics.metric": "Metric column_names define define_folder list_metrics parse",
    "rankings.rank": "rank_factors rank_scores",
    "rankings.rankings": "Rankings",
    "reports.report": "report",
    "results.result": "Result",
    "scorers": "sklearn_scorer",
    "segments.segmentation": "buckets",
    "segments.segments": "Segments",
    "splits.split": "Split split",
    "traces.trace": "Trace",
    "traces.worst_lists": "WorstLists",
    "trackers": "log",
}
_HOMES = {name: f"{__name__}.{home}" for home, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name.startswith("_") or (name != "metrics" and importlib.util.find_spec(f"{__name__}.{name}")):
        raise AttributeError(name)  # `from rankmetrics import tree` asks here before it looks for the module
    metrics = importlib.import_module(f"{__name__}.metrics")
    try:
        return metrics if name == "metrics" else getattr(metrics, name)
    except AttributeError as error:
        raise AttributeError(f"rankmetrics has no {name!r}.{did_you_mean(name, __all__)} {error}") from error


def __dir__() -> list[str]:
    return [*__all__, "metrics"]
