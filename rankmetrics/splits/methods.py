"""The methods and filters of sql/splits with their parameters, and the values that the SQL reads: hashes and times."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from math import isfinite
from numbers import Real
from typing import Any, Literal

from sqlglot import exp

from rankmetrics.errors import MetricError, Option, choices_for, names
from rankmetrics.inputs.columns import NUMBERS, ColumnType
from rankmetrics.messages import said
from rankmetrics.metrics.definition import Definition, definitions_in
from rankmetrics.metrics.metric import read_value
from rankmetrics.metrics.parameter import Parameter, Setting, read_parameter
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.steps import rows_of

# The parameters from which a name in a file follows, where the name is not a parameter itself.
DERIVED: Mapping[str, tuple[str, ...]] = {
    "test_fraction_hash": ("test_fraction",),
    "test_from": ("at",),
    "train_until": ("at", "gap"),
    "train_from": ("train_width",),
    "folds": ("folds",),
    "windows": ("at", "width", "step", "train_width", "gap", "windows"),
    "hashed": ("seed", "stable"),
}

# Parameters whose values are a time, and lengths of time: they depend on the type of the time column.
TIMES, SPANS = ("at",), ("gap", "width", "step", "train_width")

# The filters in the order in which they apply, each with its further parameters.
FILTERS: Mapping[str, tuple[str, ...]] = {"repeats": (), "k_core": ("rounds",), "cold_users": (), "cold_items": ()}

# The filters that read the rows with their subsets.
AFTER = ("cold_users", "cold_items")


def files(folder: Literal["", "filters", "steps", "subsets", "parameters"] = "") -> Mapping[str, Definition]:
    """The files of a folder of sql/splits by name; by default those of the methods."""
    return definitions_in(f"splits/{folder}".rstrip("/"), "split")


def methods() -> list[str]:
    """The names of the methods."""
    return sorted({name.partition(".")[0] for name in files()})


def check_method(method: object) -> str:
    """The name of a method, which must exist."""
    if method not in methods():
        raise said(MetricError, "no_method", method=method, choices=choices_for(method, methods()))
    return str(method)


@cache
def parameters(method: str) -> Mapping[str, Parameter]:
    """The parameters of a method, by name, without those of the filters."""
    own_files = [file for name, file in files().items() if name.partition(".")[0] == method]
    read_names = {name for file in own_files for name in (*file.placeholders, *tree.tables_read(file.select))}
    read_names |= {"mode"} if method == "users" else set()
    return _parameters(sorted({own for name in read_names for own in DERIVED.get(name, (name,))}), method)


@cache
def filter_parameters() -> Mapping[str, Parameter]:
    """The parameters of the filters, which every method takes."""
    return _parameters([name for option, more in FILTERS.items() for name in (option, *more)])


def _parameters(read_names: Collection[str], method: str = "") -> Mapping[str, Parameter]:
    """The parameters among names, by the method's own file if there is one; other names are those of steps."""
    known = files("parameters")
    own_files = {name: known.get(f"{method}.{name}") or known.get(name) for name in read_names}
    return {name: read_parameter(file, name) for name, file in own_files.items() if file}


def checked(method: str, arguments: Mapping[str, object]) -> dict[str, Setting | None]:
    """The value of every parameter of a method and of the filters: the given one, checked, or the default."""
    known = {**parameters(method), **filter_parameters()}
    for name in arguments:
        if name not in known:
            others = [other for other in methods() if name in parameters(other)]
            elsewhere = f" It is a parameter of {names(others)}." if others else ""
            raise MetricError(f"{method} has no parameter {name!r}: it has {choices_for(name, known)}{elsewhere}")
    values = {name: _value(parameter, method, arguments.get(name)) for name, parameter in known.items()}
    if values.get("at") is not None and "test_fraction" in values:
        values["test_fraction"] = None  # the cut is at a time, and not at a share of the rows
    return values


def _value(parameter: Parameter, method: str, value: object) -> Setting | None:
    if value is None:
        return parameter.default
    if parameter.name in (*TIMES, *SPANS):
        return value  # type: ignore[return-value]  # Clock checks it against the type of the time column
    if isinstance(value, bool) and {*parameter.choices} == {"no", "yes"}:
        value = "yes" if value else "no"
    return parameter.check(method, value)


def file_of(method: str, values: Mapping[str, Setting | None]) -> Definition:
    """The file of a method for these values: that of a choice, such as `users.all`, or the method's own."""
    choices = [f"{method}.{values[name]}" for name, parameter in parameters(method).items() if parameter.choices]
    if method == "time" and values["at"] is None:
        choices.append("time.quantile")
    return files()[next((choice for choice in choices if choice in files()), method)]


def filters_of(values: Mapping[str, Setting | None], *, after: bool) -> list[tuple[Definition, int]]:
    """The files of the filters for these values, each with how often it applies, before or after the split."""
    known = files("filters")
    chosen = {name: values[name] for name in FILTERS if values[name] != filter_parameters()[name].default}
    return [
        (known.get(f"{name}.{value}") or known[name], int(values["rounds"] or 1) if name == "k_core" else 1)
        for name, value in chosen.items()
        if (name in AFTER) == after
    ]


# How many digits a bound has. A hash that begins with the bound's digits is not below the bound.
DIGITS = 8


def hash_bound(share: float) -> str:
    """The text below which this share of all hashes lies: a hash is 32 hexadecimal digits.

    Comparing texts that hold only 0-9 and a-f gives the same order under every collation: digits before letters.

    >>> hash_bound(0.5), hash_bound(0.2), hash_bound(1)
    ('80000000', '33333333', 'g')
    """
    number = round(share * 16**DIGITS)
    return format(number, f"0{DIGITS}x") if number < 16**DIGITS else "g"


def folds(n_folds: int) -> exp.Query:
    """The folds as rows: fold, first_hash, next_hash (the first hash of the next fold)."""
    bounds = [exp.Literal.string(hash_bound(number / n_folds)) for number in range(n_folds + 1)]
    return rows_of(
        {"fold": tree.literal(fold), "first_hash": bounds[fold - 1].copy(), "next_hash": bounds[fold].copy()}
        for fold in range(1, n_folds + 1)
    )


# --- times ------------------------------------------------------------------------------------------------------------

# The units that a length of time may be written in.
UNITS = ("second", "minute", "hour", "day", "week")
LENGTH = re.compile(rf"\s*(\d+(?:\.\d+)?)\s*({'|'.join(UNITS)})s?\s*")

# The type of SQL of a time, by the family of the column.
TYPES = {"date": exp.DType.DATE, "datetime": exp.DType.TIMESTAMP, "zoned datetime": exp.DType.TIMESTAMPTZ}


@dataclass(frozen=True)
class Clock:
    """Reads times and lengths of time in the type of the time column; `method` is for messages."""

    column: str
    kind: ColumnType
    method: str

    @property
    def is_number(self) -> bool:
        """True if times are numbers, such as seconds since 1970."""
        return self.kind.family in NUMBERS

    def time(self, option: str, value: object) -> Any:
        """A time: a number, a date or a datetime; refuses a value that is not a time of this type."""
        if self.is_number:
            time: Any = _number(value)
        elif self.kind.family == "date":
            moment = _datetime(value.replace(tzinfo=None) if isinstance(value, datetime) else value, None)
            time = moment.date() if moment and moment.time() == datetime.min.time() else None
        else:
            time = _datetime(value, (self.kind.zone or UTC) if self.kind.family == "zoned datetime" else None)
        if time is None:
            raise self._unfit(option, value, "a number, as its times are" if self.is_number else "such as 2024-01-31")
        return time

    def span(self, option: str, value: object) -> Any:
        """A length of time above 0: a number in the units of the column, or a timedelta; refuses any other value."""
        if self.is_number:
            number = _number(value)
            if number is None or number <= 0:
                raise self._unfit(option, value, "a number above 0, in the units of its times")
            return number
        is_date, span = self.kind.family == "date", _timedelta(value)
        if span is None or span <= timedelta(0) or (is_date and span % timedelta(days=1)):
            days, time = "a whole number of days, such as '7 days'", "a length of time, such as '7 days' or '12 hours'"
            raise self._unfit(option, value, days if is_date else time)
        return span

    def _unfit(self, option: str, value: object, expected: str) -> MetricError:
        given = Option(option, value if isinstance(value, (str, int, float)) else str(value))
        of_column = {"method": self.method, "column": self.column, "kind": self.kind}
        return said(MetricError, "no_such_time", given=given, expected=expected, **of_column)

    def optional_span(self, option: str, values: Mapping[str, Setting | None], default: Any = None) -> Any:
        """The length of time that an option gives, or the default."""
        return default if values[option] is None else self.span(option, values[option])

    def literal(self, time: Any) -> exp.Expr:
        """A time as a typed literal."""
        if self.is_number:
            return tree.literal(time)
        text = time.isoformat(*([" "] if isinstance(time, datetime) else []))
        return exp.cast(exp.Literal.string(text), TYPES[self.kind.family])

    def before(self, time: exp.Expr, span: Any) -> exp.Expr:
        """The expression of the time that is a length of time before another one."""
        if self.is_number:
            return exp.Sub(this=time, expression=tree.literal(span))
        unit, length = ("DAY", timedelta(days=1)) if self.kind.family == "date" else ("SECOND", timedelta(seconds=1))
        interval = exp.Interval(this=exp.Literal.string(str(span // length)), unit=exp.var(unit))
        return exp.Sub(this=time, expression=interval)


def cut_values(clock: Clock, values: Mapping[str, Setting | None]) -> dict[str, exp.Expr]:
    """The times of a cut by name: `test_from`, where it is known, and `train_until`."""
    gap = clock.optional_span("gap", values)
    if values["at"] is None:
        cut = exp.column("test_from", table="cut")
        return {"train_until": cut if gap is None else clock.before(cut, gap)}
    at = clock.time("at", values["at"])
    return {"test_from": clock.literal(at), "train_until": clock.literal(at if gap is None else at - gap)}


def windows(clock: Clock, values: Mapping[str, Setting | None]) -> dict[str, exp.Expr | None]:
    """The test `windows` as rows: fold, train_until, test_from, test_until, and, with `train_width`, `train_from`."""
    for name, example in (("at", "2024-01-01"), ("width", "7 days")):
        if values[name] is None:
            naming = Option(name, 1 if clock.is_number else example)
            raise said(MetricError, "windows_need", method=clock.method, naming=naming)
    at, width = clock.time("at", values["at"]), clock.span("width", values["width"])
    step = clock.optional_span("step", values, width)
    gap = clock.optional_span("gap", values)
    train_width = clock.optional_span("train_width", values)
    n_windows = values["windows"]
    assert isinstance(n_windows, int)
    rows = []
    for number in range(n_windows):
        test_from = at + number * step
        train_until = test_from if gap is None else test_from - gap
        times = {"train_until": train_until, "test_from": test_from, "test_until": test_from + width}
        if train_width is not None:
            times["train_from"] = train_until - train_width
        rows.append({"fold": tree.literal(number + 1), **{name: clock.literal(time) for name, time in times.items()}})
    train_from = None if train_width is None else exp.column("train_from", table="windows")
    return {"windows": rows_of(rows), "train_from": train_from}


def _number(value: object) -> float | int | None:
    """A number, also one that is written as text, as on the command line."""
    value = read_value(value) if isinstance(value, str) else value
    if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value):
        return None
    number = float(value)
    return value if isinstance(value, int) else int(number) if number.is_integer() else number


def _datetime(value: object, zone: tzinfo | None) -> datetime | None:
    """A datetime, in UTC if the column has a zone: that of values without an offset. A date is its first moment."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, datetime.min.time())
    if not isinstance(value, datetime) or (value.tzinfo and zone is None):
        return None
    return value if zone is None else (value if value.tzinfo else value.replace(tzinfo=zone)).astimezone(UTC)


def _timedelta(value: object) -> timedelta | None:
    """A length of time: a timedelta, or a text such as `7 days`."""
    if isinstance(value, str):
        match = LENGTH.fullmatch(value.lower())
        return timedelta(**{f"{match[2]}s": float(match[1])}) if match else None
    return value if isinstance(value, timedelta) else None
