"""A result as text: its query in SQL, and its rows as one JSON document with what was requested."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from typing import TYPE_CHECKING, Any

from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.engines.base import Warehouse
from rankmetrics.export.statements import Statement
from rankmetrics.inputs.assumptions import read_assumptions
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import RANKED
from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.queries import Queries, no_order
from rankmetrics.request import count_columns

if TYPE_CHECKING:
    import polars as pl


# The packages whose versions a result may depend on.
PACKAGES = ("duckdb", "polars", "sqlglot")


def query_text(
    queries: Queries,
    layout: Layout,
    duplicates: str,
    names_there: Mapping[str, str | None],
    dialect: str | None,
    *,
    per_list: bool,
    assume: str | Sequence[str],
    counts: Sequence[str],
    quote_names: bool,
    **options: Any,
) -> str:
    """The text of the queries of a result, over the tables that `names_there` names for each input; None for its own.

    The other options are those of Result.to_sql, which has the errors, too.
    """
    engine, form, guarded = queries.engine, options["form"], options["guarded"]
    warehouse, is_macro = Warehouse.of(engine, dialect, quote_names=quote_names), form == "macro"
    tables = queries.inputs_elsewhere(warehouse, names_there)
    layout = layout.renamed(warehouse.column)  # as they would be called if nobody had quoted them
    tables_stay = not (warehouse.is_elsewhere or is_macro or names_there["recs"] or names_there["truth"])
    declared = queries.question.assumed if tables_stay and not guarded and form != "check" else frozenset()
    statement = Statement(
        warehouse.dialect,
        **options,
        assumed=read_assumptions("assume", assume) | declared,
        duplicates=duplicates if guarded or form == "check" else "count",
        counts=count_columns("counts", counts),
        job=NamesOfJob(fold=warehouse.fold),
        rename=warehouse.column,
    )
    by_order = any(metric.values.get("ties") == "input" for metric in queries.metrics)
    for key in RANKED if by_order else ():
        is_ordered = key not in tables or (tables[key] is engine.inputs[key].table and not is_macro)
        if not is_ordered and layout.side(key).roles.rank is None:
            raise no_order()
    return statement.text(queries.metrics, layout, tables, queries.question.aggregates, per_list=per_list)


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
