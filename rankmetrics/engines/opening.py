"""Opens the engine of an evaluation or of a split over its inputs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from rankmetrics._logger import timed
from rankmetrics.engines.addresses import opened
from rankmetrics.engines.base import Engine
from rankmetrics.engines.kinds import ENGINES, engine_for


def open_engine(
    inputs: Mapping[str, object],
    first: object,
    connection: object | None,
    dialect: str | None,
    *,
    memory_limit: str | None = None,
    needs_md5: bool = False,
    keeps_types: bool = False,
    accept: Callable[[type[Engine]], None] | None = None,
) -> Engine:
    """The engine of a connection, or of the kind of an input, holding the inputs.

    Args:
        inputs: the inputs by name.
        first: the input whose kind decides.
        connection: a connection, or the address of a database.
        dialect: the dialect of the connection, for engines that know several.
        memory_limit: the memory for DuckDB, such as `2GB`.
        needs_md5: whether the query computes hashes. DuckDB runs it over frames of Polars, whose SQL has no MD5.
        keeps_types: whether columns of a frame have the frame's own types again after DuckDB has read it.
        accept: raises an error for an engine that cannot read the inputs.

    Raises:
        InputError: an input is empty, cannot be read, or is of an unknown kind; or the memory limit is invalid.
    """
    own = opened(connection)
    kind = engine_for(first, own)
    if accept is not None:
        accept(kind)
    is_polars = kind.__module__ == ENGINES["polars"]
    if memory_limit is not None:
        from rankmetrics.engines.out_of_core import limited

        kind, own = limited(memory_limit, first, own)
    if is_polars and (memory_limit is not None or needs_md5):
        from rankmetrics.engines.out_of_core import Spilling, Streaming, opened_with_spill

        kind = Streaming if keeps_types else Spilling
        own = opened_with_spill(None) if memory_limit is None else own
    called = getattr(kind, "name", kind.__name__)  # a database has its name once it is open
    with timed(logging.INFO, "%s looked at %s", called, _described(inputs)):
        engine = kind(inputs, own, dialect)
    if own is not connection:
        engine.owns(own)
    return engine


def _described(inputs: Mapping[str, object]) -> str:
    """The inputs in words, for the log: texts as they are, and the kinds of other objects.

    >>> _described({"recs": "recs.parquet", "truth": [1]})
    'recs (recs.parquet), truth (list)'
    """
    shown = {name: str(one) if isinstance(one, (str, Path)) else type(one).__name__ for name, one in inputs.items()}
    return ", ".join(f"{name} ({one})" for name, one in shown.items())
