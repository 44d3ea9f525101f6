"""Python's garbage collector, paused while trees are built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause Python's garbage collector: it would go through the growing trees again and again.

    That is half of the time that planning takes. What a plan leaves behind is found by the next search.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
