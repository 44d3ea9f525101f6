"""Times and lengths of time in the type of the time column, and the expressions of SQL that follow from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from numbers import Real
from typing import Any

from sqlglot import exp

from rankmetrics.errors import ColumnError, MetricError, Option
from rankmetrics.inputs.columns import NUMBERS, ColumnType
from rankmetrics.metrics.parameter import Value
from rankmetrics.sqltree import tree

# The units that a length of time may be written in.
UNITS: Mapping[str, timedelta] = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
LENGTH = re.compile(rf"\s*(\d+(?:\.\d+)?)\s*({'|'.join(UNITS)})s?\s*")

# The type of SQL of a time, by the family of the column.
TYPES = {
    "date": exp.DType.DATE,
    "datetime": exp.DType.TIMESTAMP,
    "zoned datetime": exp.DType.TIMESTAMPTZ,
}


@dataclass(frozen=True)
class Clock:
    """Reads times and lengths of time in the type of the time column.

    Attributes:
        column: the name of the time column.
        kind: its type.
        method: the method of the split, for messages.
    """

    column: str
    kind: ColumnType
    method: str

    @property
    def is_number(self) -> bool:
        """Whether times are numbers, such as seconds since 1970."""
        return self.kind.family in NUMBERS

    def time(self, option: str, value: object) -> Any:
        """A time: a number, a date or a datetime.

        Raises:
            MetricError: the value is no time of this type.
        """
        wanted = "a number, as its times are" if self.is_number else "such as 2024-01-31"
        found: Any
        if self.is_number:
            found = _number(value)
        elif self.kind.family == "date":
            found = _date(value)
        else:
            found = _datetime(value, is_zoned=self.kind.family == "zoned datetime")
        if found is None:
            raise MetricError(
                Option(option, value if isinstance(value, (str, int, float)) else str(value)),
                f" of {self.method} must be {wanted}: the time column {self.column!r} is {self.kind}.",
            )
        return found

    def span(self, option: str, value: object) -> Any:
        """A length of time above 0: a number in the units of the column, or a timedelta.

        Raises:
            MetricError: the value is no length of time, or does not fit the type of the time column.
        """
        found = _number(value) if self.is_number else _timedelta(value)
        is_whole = (
            not isinstance(found, timedelta) or self.kind.family != "date" or found % UNITS["day"] == timedelta(0)
        )
        zero: Any = 0 if self.is_number else timedelta(0)
        if found is None or found <= zero or not is_whole:
            wanted = (
                "a number above 0, in the units of its times"
                if self.is_number
                else "a whole number of days, such as '7 days'"
                if self.kind.family == "date"
                else "a length of time, such as '7 days' or '12 hours'"
            )
            raise MetricError(
                Option(option, value if isinstance(value, (str, int, float)) else str(value)),
                f" of {self.method} must be {wanted}: the time column {self.column!r} is {self.kind}.",
            )
        return found

    def literal(self, time: Any) -> exp.Expr:
        """A time as a typed literal."""
        if self.is_number:
            return tree.literal(time)
        return exp.cast(exp.Literal.string(time.isoformat(*([" "] if isinstance(time, datetime) else []))), self._type)

    def before(self, time: exp.Expr, span: Any) -> exp.Expr:
        """The expression of the time that is a length of time before another one."""
        if self.is_number:
            return exp.Sub(this=time, expression=tree.literal(span))
        days = self.kind.family == "date"
        count = span // UNITS["day" if days else "second"]
        length = exp.Interval(this=exp.Literal.string(str(count)), unit=exp.var("DAY" if days else "SECOND"))
        return exp.Sub(this=time, expression=length)

    @property
    def _type(self) -> exp.DType:
        return TYPES[self.kind.family]


def cut_values(clock: Clock, values: Mapping[str, Value | None]) -> dict[str, exp.Expr]:
    """The times of a cut by name: `test_from`, where it is known, and `train_until`."""
    gap = None if values["gap"] is None else clock.span("gap", values["gap"])
    if values["at"] is None:
        cut = exp.column("test_from", table="cut")
        return {"train_until": cut if gap is None else clock.before(cut, gap)}
    at = clock.time("at", values["at"])
    return {"test_from": clock.literal(at), "train_until": clock.literal(at if gap is None else at - gap)}


def windows(clock: Clock, values: Mapping[str, Value | None]) -> exp.Query:
    """The test windows as rows: fold, train_from (with `train_width`), train_until, test_from, test_until.

    Raises:
        MetricError: `at` or `width` is missing, or no time of the type of the time column.
    """
    for name, example in (("at", "2024-01-01"), ("width", "7 days")):
        if values[name] is None:
            raise MetricError(
                f"{clock.method} needs ", Option(name, 1 if clock.is_number else example), " in the units of the times."
            )
    at, width = clock.time("at", values["at"]), clock.span("width", values["width"])
    step = width if values["step"] is None else clock.span("step", values["step"])
    gap = None if values["gap"] is None else clock.span("gap", values["gap"])
    train_width = None if values["train_width"] is None else clock.span("train_width", values["train_width"])
    n_windows = values["windows"]
    assert isinstance(n_windows, int)
    rows = []
    for number in range(n_windows):
        test_from = at + number * step
        train_until = test_from if gap is None else test_from - gap
        times = {"train_until": train_until, "test_from": test_from, "test_until": test_from + width}
        if train_width is not None:
            times["train_from"] = train_until - train_width
        row = {"fold": tree.literal(number + 1), **{name: clock.literal(time) for name, time in times.items()}}
        rows.append(exp.select(*(exp.alias_(one, name) for name, one in row.items())))
    return exp.union(*rows, distinct=False, copy=False) if len(rows) > 1 else rows[0]


def clock_of(column: str | None, kind: ColumnType | None, method: str) -> Clock:
    """The clock of a time column.

    Raises:
        ColumnError: there is no time column.
    """
    if column is None or kind is None:
        raise ColumnError(f"{method} needs the time of each interaction. Name the time column: ", Option("time", "..."))
    return Clock(column, kind, method)


def _number(value: object) -> float | int | None:
    """A number, also one that is written as text, as on the command line."""
    if isinstance(value, str):
        found = re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", value)
        return (float(value) if found[1] else int(value)) if found else None
    if not isinstance(value, Real) or isinstance(value, bool) or value != value:
        return None
    number = float(value)
    return value if isinstance(value, int) else int(number) if number.is_integer() else number


def _date(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date() if value == datetime.combine(value.date(), datetime.min.time(), value.tzinfo) else None
    if isinstance(value, str):
        try:
            return date.fromisoformat(value.strip())
        except ValueError:
            return None
    return value if isinstance(value, date) else None


def _datetime(value: object, *, is_zoned: bool) -> datetime | None:
    """A datetime; one without a zone is in UTC, if the column has zones. A date is its first moment."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, datetime.min.time())
    if not isinstance(value, datetime) or (value.tzinfo and not is_zoned):
        return None
    return value.replace(tzinfo=UTC) if is_zoned and value.tzinfo is None else value


def _timedelta(value: object) -> timedelta | None:
    """A length of time: a timedelta, a text such as `7 days`, or a number of days."""
    if isinstance(value, str):
        found = LENGTH.fullmatch(value.lower())
        return float(found[1]) * UNITS[found[2]] if found else None
    if isinstance(value, timedelta):
        return value
    return None
