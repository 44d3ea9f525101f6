"""Tables of every kind that `evaluate` takes, as lazy frames of Polars."""

from __future__ import annotations

from typing import Any

import polars as pl

from rankmetrics.engines.polars import Polars
from rankmetrics.errors import InputError


def frame_of(what: str, value: Any, connection: object | None = None) -> pl.LazyFrame:
    """A table, a path or a relation as a lazy frame.

    Args:
        what: the input in messages.
        value: any table that `evaluate` takes.
        connection: a connection of DuckDB, where tables are named.

    Raises:
        InputError: it cannot be read, or is of no known kind.
    """
    if value is None:
        raise InputError(f"The {what} are missing.")
    return Polars({what: value}, connection).frame(what)
