"""A result as one JSON document: its rows, the account, the versions of what computed it, and what was requested."""

from __future__ import annotations

import json
import platform
from importlib import metadata
from typing import TYPE_CHECKING, Any

from rankmetrics.queries import Queries

if TYPE_CHECKING:
    import polars as pl

# The packages whose versions a result may depend on.
PACKAGES = ("rankmetrics", "duckdb", "polars", "sqlglot")


def document(rows: pl.DataFrame, kind: str, account: pl.DataFrame, queries: Queries) -> str:
    """The document: `kind` (summary or per_list), account, versions, request.

    Args:
        rows: the summary, or one row per list.
        kind: which of these, as a key of the document.
        account: the account.
        queries: the queries of the evaluation.
    """
    parts = {
        kind: rows.write_json(),
        "account": account.write_json(),
        "versions": json.dumps(versions()),
        "request": json.dumps(request_of(queries), ensure_ascii=False, default=str),
    }
    return "{" + ",\n ".join(f"{json.dumps(name)}: {text}" for name, text in parts.items()) + "}\n"


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that are installed."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # run from an archive
            continue
    return found


def request_of(queries: Queries) -> dict[str, Any]:
    """What was requested: inputs, metrics by their labels, aggregates, by, list columns, columns of roles, policies."""
    layout, engine, metrics = queries.layout, queries.engine, queries.metrics
    return {
        "engine": engine.name,
        "inputs": {
            name: engine.files[name].given if name in engine.files else source.name
            for name, source in engine.inputs.items()
        },
        "metrics": {metric.label: metric.text for metric in metrics},
        "aggregates": [str(aggregate) for aggregate in queries.aggregates],
        "by": list(layout.by),
        "lists": list(layout.lists),
        "truth_lists": list(layout.truth_lists),
        "columns": {name: layout.side(name).roles.roles for name in layout.names()},
        "conventions": sorted({metric.convention for metric in metrics if metric.convention}),
        "policies": {
            metric.label: {name: metric.values[name] for name in ("missing", "ties") if name in metric.values}
            for metric in metrics
        },
    }
