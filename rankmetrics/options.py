"""Declarations of options: each is declared once, and read by every interface: keywords, flags, TOML and YAML.

A class of options (a Request, a Gate) is a frozen dataclass whose fields are made by `option`. The signature and the
docstring of a function, the flags of a command and the keys of a file all follow from these declarations.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from inspect import Parameter, Signature, signature
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from rankmetrics.errors import (
    ColumnError,
    InputError,
    MetricError,
    Option,
    RankMetricsError,
    choices_for,
    did_you_mean,
    names,
)
from rankmetrics.inputs.columns import ROLES, Columns
from rankmetrics.inputs.input import is_of_input

# The interfaces of an evaluation: two functions, the flags of the command line, the keys of leaderboards.yml.
Face = Literal["evaluate", "to_sql", "flag", "key"]

# The default of an option that must be given.
REQUIRED = MISSING

# Groups of options, as `--help` shows them.
COLUMNS, INPUTS, DATABASES, DUCKDB = "Columns", "More inputs", "Other databases", "DuckDB"
GATE, STATISTICS = "Gate", "Statistics"

Function = TypeVar("Function", bound=Callable[..., Any])


# --- checks -----------------------------------------------------------------------------------------------------------


def one_of(known: Iterable[object], option: str, value: Any, error: type[RankMetricsError] = MetricError) -> Any:
    """A value that is one of some known values."""
    known = [*known]
    if value not in known:
        near = did_you_mean(str(value), map(str, known))
        raise error(f"{Option(option, is_noun=True)} must be one of {names(known)}: {value!r} is not.{near}")
    return value


def column_names(option: str, value: Any) -> tuple[str, ...] | None:
    """Names of columns; a single name may be given alone."""
    if value is None:
        return None
    names = [value] if isinstance(value, str) else [*value] if isinstance(value, Iterable) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise ColumnError(f"{Option(option, is_noun=True)} must be names of columns: {value!r} is not.")
    return tuple(names)


def groupings(option: str, value: Any) -> Any:
    """Names of columns, or several lists of them."""
    is_nested = isinstance(value, (list, tuple)) and any(not isinstance(columns, str) for columns in value)
    return tuple(column_names(option, columns) for columns in value) if is_nested else column_names(option, value)


def texts(option: str, value: Any) -> tuple[Any, ...]:
    """Texts; a single text may be given alone."""
    return () if not value else (value,) if isinstance(value, str) else tuple(value)


def systems_given(option: str, value: Any) -> Any:
    """The names of systems as a tuple; another value is a table of them."""
    if value is None or isinstance(value, (list, tuple, set, frozenset)):
        return tuple(value or ())
    return (value,) if isinstance(value, (int, Mapping)) else value


def whole_number(option: str, value: Any, least: int = 1, most: int | None = None) -> Any:
    """A whole number from `least` on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        numbers = f"from {least}" + ("" if most is None else f" to {most}")
        named = option if len(option) == 1 else Option(option, is_noun=True)  # -n is not --n
        raise InputError(f"{named} must be a whole number {numbers}: {value!r} is not.")
    return value


def probability(option: str, value: Any) -> Any:
    """A probability, as of intervals."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise InputError(f"{Option(option, is_noun=True)} must be between 0 and 1, as in 0.95, and is {value!r}.")
    return value


# --- limits -----------------------------------------------------------------------------------------------------------

# A number as a limit is written, with a percent sign or without.
WRITTEN = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(%?)\s*")


@dataclass(frozen=True)
class Limit:
    """A limit: a number, or of a percentage the share."""

    value: float
    is_percentage: bool = False

    def shown(self, value: float) -> str:
        """A value in the unit of the limit: a percentage, or a number with four decimal places."""
        return f"{value:.2%}" if self.is_percentage else f"{value:.4f}"

    @property
    def written(self) -> float | str:
        """The limit as a caller writes it."""
        return str(self) if self.is_percentage else int(self.value) if self.value.is_integer() else self.value

    def __str__(self) -> str:
        return f"{self.value * 100:.12g}%" if self.is_percentage else f"{self.value:.12g}"


def read_limit(limit: object, option: Option, *, may_be_negative: bool = False) -> Limit:
    """A limit from a number, or from a text such as `0.25` or `1%`; refuses others."""
    match = WRITTEN.fullmatch(limit) if isinstance(limit, str) else None
    if match:
        number = float(match[1]) / (100 if match[2] else 1)
    elif isinstance(limit, (int, float)) and not isinstance(limit, bool):
        number = float(limit)
    else:
        number = float("nan")
    if not isfinite(number):
        raise InputError(
            f"A limit is a number or a percentage, as in 0.25 or 1%: {option} has {limit!r}.", page="gates/"
        )
    if number < 0 and not may_be_negative:
        raise InputError(f"This limit cannot be negative: {option} has {limit!r}.", page="gates/")
    return Limit(number, is_percentage=bool(match and match[2]))


# --- kinds ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """A kind of values. Each interface has one way to read it."""

    type: str  # the type of its values, as functions take them; empty for the type of the field
    type_of_tables: str = ""  # the type in `to_sql`, which takes names of tables
    default: Any = None  # the default of an option
    # returns a value as a class of options holds it, or raises an error that names the option
    check: Callable[[str, Any], Any] | None = None
    is_printed: bool = True  # False if to print a value may compute it
    flag: Any = str | None  # the type that the command line reads

    @property
    def is_repeated(self) -> bool:
        """True if its flag can be repeated."""
        return bool(self.flag == TEXTS)


# The type of a flag that can be repeated.
TEXTS = list[str] | None


KINDS: Mapping[str, Kind] = {
    "input": Kind("object | None", "str | Input | None", is_printed=False),
    "metrics": Kind("MetricSpec"),
    "text": Kind("str | None"),
    "choice": Kind(""),
    "texts": Kind("str | Sequence[str] | None", check=texts, flag=TEXTS),
    "names": Kind("str | Sequence[str] | None", check=column_names, flag=TEXTS),
    "partition": Kind("Where | None", flag=TEXTS),
    "number": Kind("int", flag=int),
    "yes or no": Kind("bool", default=False, flag=bool),
    "yes or number": Kind("bool | int", default=False, flag=int),
    "columns": Kind("Columns | None"),
    "columns of inputs": Kind("Mapping[str, Columns] | None", flag=TEXTS),
    "names or a table": Kind("object | None", "Systems | None", check=systems_given, is_printed=False),
    "limits": Kind("Limits | None", flag=TEXTS),
    "labels": Kind("str | Mapping[str, float] | bool | None", flag=TEXTS),
    "limit": Kind("float | str | None"),
    "share": Kind("float", check=probability, flag=float),
    "file": Kind("object | None", flag=Path | None),
    "files": Kind("Sequence[Path]"),
    "other": Kind("object | None", is_printed=False),
}


# --- declarations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declaration:
    """The parts of an option's declaration in addition to its name and default."""

    meaning: str  # one sentence, which `--help` prints
    kind: str  # the kind of its values, a key of KINDS
    type: str = ""  # the type that a function takes; by default that of the kind
    group: str = ""  # the group of options in which `--help` shows it; empty for the first group
    flag: str = ""  # its flag without the dashes; by default the name with dashes
    # returns a value as the class of options holds it, or raises an error that names the option
    check: Callable[[str, Any], Any] | None = None
    # the interfaces that do not have the option, each with the reason
    absent: Mapping[Face, str] = field(default_factory=dict)
    required_by: Sequence[str] = ()  # the functions in which the option has no default
    # the names of the option in functions that call it otherwise
    called: Mapping[str, str] = field(default_factory=dict)
    is_positional: bool = False  # whether functions take it without its name


def option(meaning: str, kind: str, default: Any = None, **more: Any) -> Any:
    """A field of a class of options, with its Declaration; by default, default and check are those of the kind."""
    of_kind = KINDS[kind]
    declaration = Declaration(meaning, kind, **{"check": of_kind.check, **more})
    default = of_kind.default if default is None else default
    return field(default=default, metadata={"declaration": declaration}, repr=of_kind.is_printed)


def declaration_of(option: Field[Any]) -> Declaration:
    """The declaration of an option."""
    declaration: Declaration = option.metadata["declaration"]
    return declaration


def declared(owner: type, *faces: Face) -> dict[str, Field[Any]]:
    """The options of a class that all of these interfaces have, by name, in the order of their declaration."""
    return {field.name: field for field in fields(owner) if not {*faces} & declaration_of(field).absent.keys()}


def check_options(options: Any) -> None:
    """Put the values of a new object of a class of options through their checks."""
    for each in fields(options):
        if check := declaration_of(each).check:
            object.__setattr__(options, each.name, check(each.name, getattr(options, each.name)))


# --- functions --------------------------------------------------------------------------------------------------------


def with_options(owner: type, face: str, returns: str) -> Callable[[Function], Function]:
    """Give a function, which takes `**options`, the signature of the declared options.

    Options of one input, such as `truth_lists`, are options of rm.Input instead. Options of `to_sql` that its docstring
    does not document are as in evaluate. `owner` is the class of options, `face` the name of the function, and
    `returns` the type of its result.
    """

    def decorate(function: Function) -> Function:
        options = [
            each for each in fields(owner) if face not in declaration_of(each).absent and not is_of_input(each.name)
        ]
        own_kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
        own = [each for each in signature(function).parameters.values() if each.kind in own_kinds]
        parameters = sorted((_parameter(each, face) for each in options), key=lambda each: each.kind)
        in_order = sorted([*own, *parameters], key=lambda each: each.kind)
        function.__signature__ = Signature(in_order, return_annotation=returns)  # type: ignore[attr-defined]
        if not function.__doc__:  # python -OO
            return function
        before, after = function.__doc__.split("\n\n    Raises:", 1)
        rest = [each.name for each in parameters if f"\n        {each.name}: " not in before]
        function.__doc__ = (
            "\n".join([before, *(f"        {name}: as in evaluate." for name in rest)]) + f"\n\n    Raises:{after}"
        )
        return function

    return decorate


def _parameter(option: Field[Any], face: str) -> Parameter:
    declaration = declaration_of(option)
    kind = KINDS[declaration.kind]
    type_ = declaration.type or (kind.type_of_tables if face == "to_sql" else "") or kind.type or str(option.type)
    if not declaration.type and option.default is not None and option.default is not MISSING:
        type_ = type_.removesuffix(" | None")
    is_required = option.default is MISSING or face in declaration.required_by
    return Parameter(
        declaration.called.get(face, option.name),
        Parameter.POSITIONAL_OR_KEYWORD if declaration.is_positional else Parameter.KEYWORD_ONLY,
        default=Parameter.empty if is_required else option.default,
        annotation=type_.removesuffix(" | None") if is_required else type_,
    )


def arguments_of(function: Callable[..., Any], *arguments: Any, **options: Any) -> dict[str, Any]:
    """The arguments of a call by their names; a TypeError says which option is unknown or missing."""
    parameters = signature(function)
    try:
        return parameters.bind(*arguments, **options).arguments
    except TypeError as error:
        unknown = next((name for name in options if name not in parameters.parameters), None)
        near = did_you_mean(unknown, parameters.parameters) if unknown else ""
        if unknown and is_of_input(unknown) and "recs" in parameters.parameters:
            value = options[unknown]
            near = f" Did you mean {Option(unknown, value.roles if isinstance(value, Columns) else value)!s}?"
        name = getattr(function, "__name__", "function")
        raise TypeError(f"{name}() {error}.{near}" if near else f"{name}() {error}") from None


# --- files ------------------------------------------------------------------------------------------------------------


class FileReader(ABC):
    """Reads the values of options from a table of a file. A subclass is for one language.

    NO_TEXT and NO_TABLE end the messages for a value that is not text, or not a table.
    """

    NO_TEXT: ClassVar[str]
    NO_TABLE: ClassVar[str]

    def __init__(self) -> None:
        self.readers: dict[str, Callable[[Any], Any]] = {
            "input": self.input,
            "metrics": self.metrics,
            **dict.fromkeys(("text", "choice"), self.text),
            "texts": self.texts,
            "names": self.texts,
            "number": self.number,
            "yes or no": lambda value: self.checked(value, bool, "is neither true nor false."),
            "yes or number": lambda value: value if isinstance(value, bool) else self.number(value),
            "columns": self.columns,
            "columns of inputs": lambda value: {name: self.columns(roles) for name, roles in self.table(value).items()},
            "names or a table": self.names_or_table,
            **dict.fromkeys(
                ("limits", "labels", "limit", "share"), lambda value: value
            ),  # their class of options checks them
            "other": self.text,
        }

    def fields(self, where: str, table: Mapping[Any, Any], kinds: Mapping[str, str]) -> dict[str, Any]:
        """The values of a table, each read as its key's kind; refuses unknown keys and values of the wrong kind."""
        values = {}
        for key, value in table.items():
            if key not in kinds:
                raise InputError(f"{where} has a key {key!r} that means nothing{self.unknown(str(key), kinds)}")
            try:
                values[key] = self.readers[kinds[key]](value)
            except InputError as error:
                raise InputError(f"{where}, {key}: {error}", page=error.page) from None
        return values

    def unknown(self, key: str, known: Iterable[str]) -> str:
        """The end of the message for an unknown key."""
        return f": there are {names(known)}.{did_you_mean(key, known)}"

    @abstractmethod
    def input(self, value: Any) -> Any:
        """A table, as the language names it."""

    def names_or_table(self, value: Any) -> Any:
        """Names in a list, or a table."""
        return self.texts(value) if isinstance(value, list) else self.input(value)

    def checked(self, value: Any, kind: type, refusal: str) -> Any:
        """A value of a type, which is not blank; true and false are no numbers."""
        is_blank = isinstance(value, str) and not value.strip()
        if not isinstance(value, kind) or is_blank or (isinstance(value, bool) and kind is not bool):
            raise InputError(f"{value!r} {refusal}")
        return value

    def text(self, value: Any) -> str:
        """A text."""
        return str(self.checked(value, str, f"is not text{self.NO_TEXT}"))

    def texts(self, value: Any) -> list[str]:
        """Texts in a list; a single text may be given alone."""
        return [self.text(text) for text in value] if isinstance(value, list) else [self.text(value)]

    def number(self, value: Any) -> int:
        """A whole number."""
        return int(self.checked(value, int, "is not a whole number."))

    def table(self, value: Any) -> Mapping[Any, Any]:
        """A table of keys and values."""
        return dict(self.checked(value, Mapping, f"is not a {self.NO_TABLE}"))

    def metrics(self, value: Any) -> list[str] | dict[str, str]:
        """Metrics in a list, or in a table from the names of their columns."""
        if not isinstance(value, Mapping):
            return self.texts(value)
        return {self.column_name(name): self.text(metric) for name, metric in value.items()}

    def column_name(self, name: Any) -> str:
        """The name that a metric's column gets."""
        return str(name)

    def columns(self, value: Any) -> Columns:
        """The columns of an input by their roles."""
        roles, known = self.table(value), (*ROLES, "lists")
        for role, column in roles.items():
            if role not in known:
                raise InputError(f"{role!r} is not a role of a column: there are {choices_for(role, known)}")
            for text in [text for pair in self.table(column).items() for text in pair] if role == "lists" else [column]:
                self.text(text)
        return Columns(**roles)
