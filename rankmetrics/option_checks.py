"""Checks of the values of options: each returns the value as a Request holds it, or an error that names the option."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import ColumnError, MetricError, Option, names
from rankmetrics.inputs.columns import Columns

if TYPE_CHECKING:
    from rankmetrics.metrics.summaries import Aggregate

# The counts of lists that a summary may show beside `n_lists`.
COUNTS = ("missing", "tied", "undefined")


def column_names(option: str, value: Any) -> tuple[str, ...] | None:
    """Names of columns; a single name may be given alone."""
    if value is None:
        return None
    found = [value] if isinstance(value, str) else [*value] if isinstance(value, Iterable) else None
    if found is None or not all(isinstance(name, str) for name in found):
        raise ColumnError(Option(option, is_noun=True), f" must be names of columns: {value!r} is not.")
    return tuple(found)


def columns_of_roles(option: str, value: Any) -> Columns | None:
    """A Columns, and no dict in its place."""
    if value is None or isinstance(value, Columns):
        return value
    roles = value if isinstance(value, Mapping) and set(value) <= set(vars(Columns())) else {"item": "sku"}
    raise ColumnError(Option(option, is_noun=True), " wants an rm.Columns: write ", Option(option, roles), ".")


def texts(option: str, value: Any) -> tuple[Any, ...]:
    """Texts; a single text may be given alone."""
    return () if not value else (value,) if isinstance(value, str) else tuple(value)


def systems_given(option: str, value: Any) -> Any:
    """The names of systems as a tuple; another value is a table of them."""
    if value is None or isinstance(value, (list, tuple, set, frozenset)):
        return tuple(value or ())
    return (value,) if isinstance(value, (int, Mapping)) else value


def one_of(known: Iterable[object], option: str, value: Any) -> Any:
    """A value that is one of some known values."""
    if value not in known:
        raise MetricError(Option(option, is_noun=True), f" must be one of {names(known)}: {value!r} is not.")
    return value


def policy_choice(option: str, value: Any) -> Any:
    """A choice of a policy of sql/policies, or None: each metric decides."""
    from rankmetrics.metrics.catalog import catalog

    return None if value is None else one_of([*catalog().shared(option).choices], option, value)


def count_columns(option: str, value: Any) -> tuple[str, ...]:
    """The columns of counts that a summary shows beside `n_lists`.

    Raises:
        MetricError: there is no such count.

    >>> count_columns("counts", "missing")
    ('missing',)
    """
    return tuple(dict.fromkeys(one_of(COUNTS, option, one) for one in texts(option, value)))


def aggregates_of(option: str, value: Any) -> Sequence[Aggregate]:
    """Aggregates over lists, from their names."""
    from rankmetrics.metrics.summaries import read_aggregates

    return read_aggregates(value)
