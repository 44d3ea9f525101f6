"""The conventions of other libraries by name, read from sql/conventions when first used.

A convention is data: the library's own spellings, each with the metric of rankmetrics that gives its number, and the
policies that its metrics share: which lists are averaged, which of equal scores comes first, which items are relevant,
how a repeated item counts. There is no code for a library: a convention only sets parameters that everybody may set.
"""

from __future__ import annotations

from functools import cache

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean, names, plain
from rankmetrics.metrics.convention import Convention as Convention

# Every convention, in the order of their names; `__getattr__` reads them.
CONVENTIONS: tuple[Convention, ...]

# The definitions of rankmetrics itself, for a metric that does not follow the convention of the other metrics.
OURS = Convention(name="rankmetrics", library="rankmetrics itself")


def __getattr__(name: str) -> tuple[Convention, ...]:
    if name == "CONVENTIONS":
        return _read()
    raise AttributeError(name)


@cache
def _read() -> tuple[Convention, ...]:
    """The conventions that ship; read when first used, since most evaluations name none."""
    from rankmetrics.metrics.convention_files import read_folder

    return read_folder(sql_folder() / "conventions")


def find(name: str) -> Convention:
    """A convention by its name or an alias, in any case; `rankmetrics` is the convention of our own definitions.

    Raises:
        MetricError: no convention has this name; the nearest names are given.
    """
    for convention in (*_read(), OURS):
        if plain(str(name)) in {plain(known) for known in (convention.name, *convention.aliases)}:
            return convention
    known = [convention.name for convention in _read()]
    raise MetricError(f"There is no convention {name!r}: there are {names(known)}.{did_you_mean(str(name), known)}")
