"""`evaluate` and `to_sql` with each option by its own name, as flags have them: cases in tables are then one dict."""

from __future__ import annotations

from typing import Any

import rankmetrics as rm
from rankmetrics.api import measure
from rankmetrics.export.query_text import sql_of
from rankmetrics.inputs.input import flat_options
from rankmetrics.request import Request


def evaluate(recs: Any, truth: Any = None, metrics: Any = (), **options: Any) -> rm.Result:
    """As rm.evaluate, also with options such as `truth_lists`."""
    return measure(flat_options({"recs": recs, "truth": truth, "metrics": metrics, **options}))


def to_sql(recs: Any, truth: Any = None, metrics: Any = (), **options: Any) -> str:
    """As rm.to_sql, also with options such as `truth_lists`."""
    partition = options.pop("where", None)
    return sql_of(
        Request(**flat_options({"recs": recs, "truth": truth, "metrics": metrics, **options}), partition=partition)
    )
