"""The flag -v: what rankmetrics logs, on stderr."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from rankmetrics._logger import LOGGER

Verbose = Annotated[
    int,
    typer.Option(
        "-v",
        "--verbose",
        count=True,
        show_default=False,
        help="Log what is read and how long it takes; -vv also logs each query with its time.",
    ),
]

# The level of the logger, by the number of `-v`.
LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


@contextmanager
def logged(verbose: int) -> Iterator[None]:
    """Log to stderr while a command runs; nothing without `-v`."""
    if not verbose:
        yield
        return
    handler = _handler()
    level = LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel(LEVELS[min(verbose, len(LEVELS) - 1)])
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        LOGGER.setLevel(level)


def _handler() -> logging.Handler:
    """Writes to stderr: with colours on a terminal; plain lines elsewhere, since Rich fills lines with blanks."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.logging import RichHandler

        screen = Console(stderr=True, highlight=False, emoji=False)
        return RichHandler(console=screen, show_path=False, show_time=False)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    return handler
