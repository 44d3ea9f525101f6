"""Passes: changes to a query that leave its result as it is, and make it shorter or cheaper.

Each pass is a module of this folder. Its docstring says what it changes and when; its `Pass` says for which engines,
and what it gained when it was measured. Every pass can be switched off, and the tests run with each of them off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from rankmetrics.planner.query import Query
from rankmetrics.planner.question import Question


@dataclass(frozen=True)
class Pass:
    """A change to a query, and where it is made."""

    name: str  # what it is switched off by: the name of its module
    gain: str  # what it gained when it was measured, and over what
    # changes a whole query, in place, before it is written as text; None for a pass that `plan` applies
    change: Callable[[Query], None] | None = None
    dialects: frozenset[str] | None = None  # the dialects of the engines that gain by it; None for all
    without: frozenset[str] = frozenset()  # the dialects that it is not for, among these

    def is_on(self, question: Question, dialect: str | None = None) -> bool:
        """True if it is to be applied to a query that an engine runs, or that is written in a dialect."""
        written = dialect or question.runs_on
        is_for = (self.dialects is None or written in self.dialects) and written not in self.without
        return is_for and self.name not in question.passes_off


_off: ContextVar[frozenset[str]] = ContextVar("passes that are off", default=frozenset())


@contextmanager
def switched_off(*names: str) -> Iterator[None]:
    """Plan without some passes."""
    token = _off.set(_off.get() | frozenset(names))
    try:
        yield
    finally:
        _off.reset(token)


def passes_off() -> frozenset[str]:
    """The passes that are switched off."""
    return _off.get()
