"""A result as one JSON document: its rows, with what was requested."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from contextlib import suppress
from importlib import metadata
from typing import TYPE_CHECKING, Any

from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.queries import Queries

if TYPE_CHECKING:
    import polars as pl


# The packages whose versions a result may depend on.
PACKAGES = ("duckdb", "polars", "sqlglot")


def document(rows: pl.DataFrame, kind: str, account: pl.DataFrame, queries: Queries) -> str:
    """A JSON document with the rows under their `kind` (summary or per_list), account, versions and request."""
    parts = {
        kind: rows.write_json(),
        "account": account.write_json(),
        "versions": json.dumps({"python": platform.python_version(), **versions_of(PACKAGES)}),
        "request": json.dumps(request_of(queries), ensure_ascii=False, default=str),
    }
    return "{" + ",\n ".join(f"{json.dumps(name)}: {text}" for name, text in parts.items()) + "}\n"


def versions_of(packages: Iterable[str]) -> dict[str, str]:
    """The versions of rankmetrics and of the packages that are installed; of these, there are none in an archive."""
    import rankmetrics

    versions = {"rankmetrics": rankmetrics.__version__}
    for name in packages:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def request_of(queries: Queries) -> dict[str, Any]:
    """The request: inputs, metrics by their labels, aggregates, by, list columns, columns of roles, policies."""
    layout, engine, metrics = queries.layout, queries.engine, queries.metrics
    return {
        "engine": engine.name,
        "inputs": {
            name: engine.files[name].named if name in engine.files else source.name
            for name, source in engine.inputs.items()
        },
        "metrics": {metric.label: metric.text for metric in metrics},
        "aggregates": [str(aggregate) for aggregate in queries.question.aggregates],
        "by": list(layout.by),
        "lists": list(layout.lists),
        "truth_lists": list(layout.truth_lists),
        "columns": {name: layout.side(name).roles.roles for name in layout.names()},
        "conventions": sorted({metric.convention for metric in metrics if metric.convention}),
        "policies": {
            metric.label: {
                **{name: metric.values[name] for name in ("missing", "ties") if name in metric.values},
                **{name: metric.given[name] for name in catalog().with_inner((WEIGHTS,)) if name in metric.given},
            }
            for metric in metrics
        },
    }
