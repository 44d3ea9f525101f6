"""Checks of the values of options: each returns the value as a Request holds it, or an error that names the option."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import ColumnError, InputError, MetricError, Option, did_you_mean, names
from rankmetrics.inputs.columns import Columns
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.inputs.sources import EXTRAS

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
    return tuple(dict.fromkeys(one_of(COUNTS, option, text) for text in texts(option, value)))


def aggregates_of(option: str, value: Any) -> Sequence[Aggregate]:
    """Aggregates over lists, from their names."""
    from rankmetrics.metrics.summaries import read_aggregates

    return read_aggregates(value)


def read_negatives(option: str, value: Any) -> Negatives | None:
    """The sample that an option asks for.

    Args:
        option: the name of the option.
        value: a Negatives, a number of items, or a text such as `popularity(n=100, seed=7)`.

    Raises:
        MetricError: the value asks for no sample.

    >>> read_negatives("sample", "100")
    Negatives(n=100, by='uniform', seed=0)
    >>> read_negatives("sample", "popularity(n=100, seed=7)")
    Negatives(n=100, by='popularity', seed=7)
    """
    from rankmetrics.metrics.metric import read_label

    if value is None or isinstance(value, Negatives):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Negatives(value)
    if not isinstance(value, str):
        raise _no_sample(option, value)
    if value.strip().isdecimal():
        return Negatives(int(value))
    try:
        label = read_label(value)
    except MetricError as error:
        raise _no_sample(option, value) from error
    settings: dict[str, Any] = dict(label.settings)
    if label.cutoffs is not None or not {*settings} <= {"n", "seed", "estimate", "n_items", "gamma"}:
        raise _no_sample(option, value)
    return Negatives(by=label.spelling, **settings)  # type: ignore[arg-type]  # it is checked there


def _no_sample(option: str, value: object) -> MetricError:
    return MetricError(
        Option(option, is_noun=True),
        f" must be a number of items, or a text such as 'popularity(n=100, seed=7)': {value!r} is not.",
    )


def candidates_in_words(candidates: object | None, sample: Negatives | None) -> str:
    """What the names of the columns say of the candidates; empty where all items are ranked.

    Raises:
        InputError: candidates are given and sampled.

    >>> candidates_in_words(None, Negatives(100))
    '100 sampled'
    """
    if sample is not None and candidates is not None:
        raise InputError(
            "The candidates of a list are given or sampled, and not both: leave out ",
            Option("candidates"),
            " or ",
            Option("sample"),
            ".",
        )
    return sample.label if sample else "" if candidates is None else "candidates"


def check_extra_columns(given: Mapping[str, Any] | None, inputs: Mapping[str, Any]) -> None:
    """Refuse columns of an input that there is not, or that was not given."""
    option = Option("extra_columns", is_noun=True)
    for name, columns in (given or {}).items():
        if name not in EXTRAS:
            near = did_you_mean(name, EXTRAS)
            raise ColumnError(option, f" names {name!r}, which is no input: there are {names(EXTRAS)}.{near}")
        if name not in inputs:
            raise ColumnError(option, f" names columns of {name!r}, and no ", Option(name), " was given.")
        if not isinstance(columns, Columns):
            raise ColumnError(option, f' wants an rm.Columns for {name!r}, as in rm.Columns(item="sku").')


def ties_of_ranks(recs: object) -> str | None:
    """The policy `ties` that rankings bring along: `expected`, if they were made without an order of equal scores."""
    given = recs.values() if isinstance(recs, Mapping) else [recs]
    chosen = (getattr(one, "ties_of_metrics", None) for one in given)
    return next((ties for ties in chosen if isinstance(ties, str)), None)


def in_words(value: object) -> str:
    """The value of an option as a report shows it.

    >>> print(in_words(("day", "user")), in_words({"user": "owner"}), in_words(True), in_words(()))
    day, user user: owner yes none
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {in_words(each)}" for name, each in value.items()) or "none"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(in_words, value)) or "none"
    return str(value)
