"""Where DuckDB spent the time of a query: in which materialized steps, and in which operators."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankmetrics._logger import LOGGER

if TYPE_CHECKING:
    import duckdb

# The most entries that are logged.
SHOWN = 8


def start_profiling(connection: duckdb.DuckDBPyConnection) -> None:
    """Let a connection keep the profile of its last query, if the log has a use for it."""
    if LOGGER.isEnabledFor(logging.DEBUG):
        connection.execute("SET enable_profiling = 'no_output'")


def log_profile(connection: duckdb.DuckDBPyConnection | None) -> None:
    """Log where the last query of a connection spent its time, if the connection keeps profiles."""
    if connection is None or not LOGGER.isEnabledFor(logging.DEBUG):
        return
    import duckdb

    try:
        profile = json.loads(connection.get_profiling_information(format="json"))
    except (duckdb.Error, ValueError):  # the connection keeps no profiles
        return
    times = times_of(profile)
    shown = [f"{name} {seconds:.3f} s" for name, seconds in sorted(times.items(), key=lambda one: -one[1])[:SHOWN]]
    if shown:
        LOGGER.debug("DuckDB's time, summed over its threads: %s", ", ".join(shown))


def times_of(profile: Mapping[str, Any]) -> dict[str, float]:
    """The seconds of each materialized step, by its name, and of all other operators by their types.

    >>> step = {"type": "CTE", "timing": 0.5, "extra_info": {"CTE Name": "hits"}}
    >>> scan, join = {"type": "TABLE_SCAN", "timing": 1.0}, {"type": "HASH_JOIN", "timing": 2.0}
    >>> times_of({"operator": [{**step, "children": [scan, {**join, "children": [scan]}]}]})
    {'hits': 1.5, 'HASH_JOIN': 2.0, 'TABLE_SCAN': 1.0}
    """
    found: dict[str, float] = {}
    waiting: list[tuple[Mapping[str, Any], str]] = [(one, "") for one in profile.get("operator", ())]
    while waiting:
        node, step = waiting.pop()
        children = node.get("children", [])
        info = node.get("extra_info")
        name = info.get("CTE Name", "") if node.get("type") == "CTE" and isinstance(info, Mapping) else ""
        called = name or step or str(node.get("type", "")).strip()
        if called:
            found[called] = found.get(called, 0.0) + float(node.get("timing", 0.0))
        for place, child in reversed([*enumerate(children)]):
            waiting.append((child, name if name and place == 0 else step))  # the first child makes the rows of the step
    return found
