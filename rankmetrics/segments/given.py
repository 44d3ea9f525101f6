"""What a caller gives as a segmentation: a table, buckets of a number, or a word such as `activity`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rankmetrics.errors import InputError, did_you_mean, names

# The numbers of a list that rankmetrics computes itself, each with the part of sql/parts that holds it.
NUMBERS: Mapping[str, str] = {
    "n_history": "n_history",
    "n_relevant": "n_relevant",
    "popularity": "relevant_popularity",
}

N_BUCKETS = 5


@dataclass(frozen=True)
class Buckets:
    """Quantile buckets of a number, as `rm.buckets` returns them.

    Attributes:
        of: the name of a number of each list, or a table that has the number.
        column: the column of the table that holds the number; None for the only column that is no list column.
        n: how many buckets.
    """

    of: object
    column: str | None = None
    n: int = N_BUCKETS

    @property
    def number(self) -> str | None:
        """The name of the number of each list; None where a table has the number."""
        return self.of if isinstance(self.of, str) and self.column is None else None


@dataclass(frozen=True)
class Cold:
    """Lists whose owner has no history, and all others."""


# The segmentations that a word names.
WORDS: Mapping[str, Buckets | Cold] = MappingProxyType(
    {"activity": Buckets("n_history"), "popularity": Buckets("popularity"), "cold": Cold()}
)


def buckets(of: object, column: str | int | None = None, n: int = N_BUCKETS) -> Buckets:
    """Quantile buckets of a number, for `Result.segments`: about as many lists in each.

    Equal numbers are never in two buckets, so there are fewer buckets where numbers repeat. A bucket is called after
    its lowest and its highest number, as in `3 to 7`. Where a table has the number, its rows are counted in place of
    lists: a bucket of users has as many users as any other.

    Args:
        of: `"n_history"` (the number of items in the history of the list), `"n_relevant"` (the number of relevant
            items), `"popularity"` (the mean number of users who have a relevant item in their history), or a table of
            any kind that evaluate takes.
        column: of a table, the column that holds the number; not needed if it is the only column beside list columns.
        n: how many buckets, from 2 to 1000.

    Raises:
        InputError: there is no such number, or `n` is no whole number from 2 to 1000.

    Example:
        >>> buckets("n_history", 5)
        Buckets(of='n_history', column=None, n=5)
        >>> buckets("users.parquet", "age", 4)
        Buckets(of='users.parquet', column='age', n=4)
    """
    name, n = (None, column) if isinstance(column, int) else (column, n)
    if isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= 1000:
        raise InputError(f"Buckets are counted by a whole number from 2 to 1000: {n!r} is none.")
    if isinstance(of, str) and name is None and of not in NUMBERS:
        raise InputError(
            f"There is no number {of!r} of a list: there are {names(NUMBERS)}.{did_you_mean(of, NUMBERS)} For a number "
            f"of a table, name its column, too: rm.buckets({of!r}, 'age', {n})."
        )
    return Buckets(of, name, n)


def read_segments(given: object) -> dict[str, object]:
    """The segmentations by their names; a word, or several, may stand without a mapping.

    Raises:
        InputError: there is none, a name is no text, or a word is unknown.

    >>> read_segments("cold")
    {'cold': Cold()}
    """
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Iterable) and not isinstance(given, Mapping) and not hasattr(given, "columns"):
        given = {one: _word(one) for one in given}
    if not isinstance(given, Mapping) or not given or not all(isinstance(one, str) and one for one in given):
        raise InputError(
            "Segments are given by their names: result.segments({'activity': rm.buckets('n_history', 5), "
            f"'gender': 'users.parquet'}}), or as words: {names(WORDS)}. There was {_shown(given)}."
        )
    return {name: _read(one) for name, one in given.items()}


def _word(word: object) -> object:
    """A word; refuses any other text, which a mapping would have named."""
    if isinstance(word, str) and word not in WORDS and word not in NUMBERS:
        raise InputError(
            f"There are no segments called {word!r}: there are {names(WORDS)}.{did_you_mean(word, WORDS)} "
            f"For a column of a table, give the table, too: result.segments({{{word!r}: (table, {word!r})}})."
        )
    return word


def _read(one: object) -> object:
    """A segmentation with a word replaced by what it names."""
    if isinstance(one, str) and one in WORDS:
        return WORDS[one]
    if isinstance(one, str) and one in NUMBERS:
        raise InputError(f"{one!r} is a number of each list: put it into buckets, as in rm.buckets({one!r}, 5).")
    return one


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 80 else f"a {type(given).__name__}"
