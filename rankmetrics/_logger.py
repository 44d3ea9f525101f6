"""The logger `rankmetrics`: what is read and how long it takes at INFO, each query and its time at DEBUG."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

LOGGER = logging.getLogger("rankmetrics")
LOGGER.addHandler(logging.NullHandler())  # silent unless the caller configures logging


@contextmanager
def timed(level: int, message: str, *values: object) -> Iterator[None]:
    """Log a message with the time that the block took; nothing if the block fails."""
    started = perf_counter()
    yield
    LOGGER.log(level, f"{message} in %.3f s", *values, perf_counter() - started)
