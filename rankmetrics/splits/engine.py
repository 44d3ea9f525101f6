"""The engine of a split: that of the interactions.

The SQL of Polars has no MD5, so DuckDB computes over frames of Polars, which it reads as streams.
"""

from __future__ import annotations

from rankmetrics.engines.addresses import opened
from rankmetrics.engines.base import Engine
from rankmetrics.engines.kinds import ENGINES, engine_for
from rankmetrics.splits.steps import INTERACTIONS


def split_engine(
    interactions: object, connection: object | None, dialect: str | None, memory_limit: str | None
) -> Engine:
    """The engine that holds the interactions.

    Raises:
        InputError: the interactions are empty, cannot be read, or are of an unknown kind.
    """
    found = opened(connection)
    kind = engine_for(interactions, found)
    is_polars = kind.__module__ == ENGINES["polars"]
    if memory_limit is not None:
        from rankmetrics.engines.out_of_core import limited

        kind, found = limited(memory_limit, interactions, found)
    if is_polars:
        from rankmetrics.engines.out_of_core import Streaming, opened_with_spill

        kind, found = Streaming, found if memory_limit is not None else opened_with_spill(None)
    engine = kind({INTERACTIONS: interactions}, found, dialect)
    if found is not connection:
        engine.owns(found)
    return engine
