"""`evaluate` and `to_sql` with each option by its own name, as flags have them: cases in tables are then one dict."""

from __future__ import annotations

from typing import Any

import rankmetrics as rm
from rankmetrics.inputs.input import with_inputs


def evaluate(recs: Any, truth: Any = None, metrics: Any = (), **options: Any) -> rm.Result:
    """As rm.evaluate, also with options such as `truth_lists`."""
    return rm.evaluate(**_arguments(recs, truth, metrics, options))


def to_sql(recs: Any, truth: Any = None, metrics: Any = (), **options: Any) -> str:
    """As rm.to_sql, also with options such as `truth_lists`."""
    return rm.to_sql(**_arguments(recs, truth, metrics, options))


def _arguments(recs: Any, truth: Any, metrics: Any, options: dict[str, Any]) -> dict[str, Any]:
    return with_inputs({"recs": recs, "metrics": metrics, **options, **({} if truth is None else {"truth": truth})})
