"""Checks a metric that the user defines, before it joins the catalogue."""

from __future__ import annotations

import re

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.definition import Definition, Kind
from rankmetrics.metrics.definitions import METRICS, REQUESTED, RUNS, Definitions
from rankmetrics.metrics.sql_files import builtin
from rankmetrics.sqltree import aggregation, tree

# The column of a summary that counts the lists; no metric may have this name.
N_LISTS = "n_lists"

# The stages that an error names: there are over a hundred.
MOST_READ = ("recommended", "hits", "relevant", "ideal")


def find_kind(definition: Definition) -> Kind:
    """`metric` for one number per list, `run` for one number per system."""
    of_lists = definition.reads == METRICS and aggregation.has_aggregates(definition.expression)
    return "run" if of_lists or definition.reads == RUNS else "metric"


def check_select(definition: Definition, known: Definitions) -> None:
    """Refuse a SELECT that is not one named expression over columns that exist.

    Raises:
        MetricError: the SELECT returns no or several columns, has more than a FROM and a WHERE, reads a table or a
            column that does not exist, or a column of many rows without an aggregate.
    """
    select, name = definition.select, definition.name
    if len(select.expressions) != 1 or not select.expressions[0].alias:
        raise MetricError("A metric is one SELECT of one expression with a name: SELECT ... AS name.")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise MetricError(f"A metric's name is letters, digits and underscores: {name!r} is not.")
    if name.lower() == N_LISTS:
        raise MetricError(f"A summary has a column {N_LISTS!r} already: give your metric another name.")
    clauses = {key for key, value in select.args.items() if value and key not in ("expressions", "from_", "where")}
    if "from_" not in select.args or clauses - {"kind", "hint", "operation_modifiers"}:
        raise MetricError(f"Metric {name!r} must be SELECT ... FROM one stage or metrics, with at most a WHERE.")
    columns, table = _columns_of(definition, known)
    if definition.reads not in (METRICS, RUNS) or (find_kind(definition) == "run" and definition.reads == METRICS):
        for column in sorted(tree.columns_read(aggregation.without_aggregates(definition.expression))):
            raise MetricError(
                f"Metric {name!r} reads {column!r} of many rows without an aggregate: write COUNT, SUM, MIN or MAX."
            )
    for column in sorted(tree.columns_read(select) - columns):
        raise MetricError(f"Metric {name!r} reads {column!r}, which is not in {table}.{did_you_mean(column, columns)}")


def _columns_of(definition: Definition, known: Definitions) -> tuple[set[str], str]:
    """The columns of the table that a metric reads, and the table's name for an error."""
    table, name = definition.reads, definition.name
    if table in (METRICS, RUNS):
        return known.columns_of(table), table
    stages = [stage for stage in known.stages() if known.has_lists(stage)]
    if not known.is_stage(table):
        raise MetricError(
            f"Metric {name!r} reads {table!r}, which is neither metrics nor a stage.{did_you_mean(table, stages)} Most "
            f"metrics read {names(MOST_READ)}; the files below {sql_folder() / 'stages'} are all stages."
        )
    if table not in stages:
        raise MetricError(f"Metric {name!r} reads stage {table!r}, whose rows belong to no list.")
    return known.columns_of(table), f"stage {table!r}"


def check_name(definition: Definition, known: Definitions) -> None:
    """Refuse a name or an alias that another metric has.

    Raises:
        MetricError: rankmetrics or the user has a metric of this name.
    """
    name = definition.name
    if any((kind, name) in builtin() for kind in ("metric", "part", "run", "run part")):
        raise MetricError(f"{name!r} is a metric of rankmetrics already: give yours another name.")
    for spelling in (name, *definition.aliases):
        owner = known.name(spelling) or name
        if owner != name and any((kind, owner) in builtin() for kind in REQUESTED):
            raise MetricError(f"{spelling!r} is a metric of rankmetrics already: give yours another name.")
        if owner != name:
            raise MetricError(f"{spelling!r} is a name of {owner!r} already: give yours another name.")


def check_no_circle(definition: Definition, known: Definitions) -> None:
    """Refuse a metric that reads itself, directly or through other metrics.

    Raises:
        MetricError: it does.
    """
    seen: set[str] = set()
    waiting = [definition]
    while waiting:
        metric = waiting.pop()
        read = tree.columns_read(metric.select) if metric.reads in (METRICS, RUNS) else set()
        if definition.name in read:
            raise MetricError(f"Metric {definition.name!r} reads itself, through {metric.name!r}.")
        waiting += [found for name in read - seen if (found := known.child(metric.reads, name)) is not None]
        seen |= read
