"""Processes that were forked from one in which Polars had started threads: there, Polars waits for ever."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from rankmetrics.errors import EngineError

# The threads of this process, with a file that holds the name of each; only Linux has it, where fork is usual.
THREADS = Path("/proc/self/task")
OF_POLARS = re.compile(r"polars-\d+")

# The last process that forked while Polars had threads: this one, or one that it descends from.
_forked_with_threads = 0


def _remember_threads() -> None:
    """Remember, before this process forks, whether Polars has threads: they do not exist in the new process."""
    global _forked_with_threads
    with suppress(OSError):  # a thread may end meanwhile
        if any(OF_POLARS.match(file.read_text()) for file in THREADS.glob("*/comm")):
            _forked_with_threads = os.getpid()


def refuse_fork(engine: str) -> None:
    """Refuse to compute where Polars would wait for threads of the process that this one was forked from."""
    if _forked_with_threads not in (0, os.getpid()):
        raise EngineError(
            engine,
            "this process was forked from one in which Polars had started threads. They do not exist here, and the "
            'query would wait for them for ever. Start processes with multiprocessing.get_context("spawn").',
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_remember_threads)
