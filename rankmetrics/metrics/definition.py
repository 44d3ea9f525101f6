"""What a file of sql/ says: its header is documentation, its SELECT the definition; and what a parameter may be."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.conditions import Condition, conditions
from rankmetrics.sqltree import tree

if TYPE_CHECKING:
    from sqlglot import exp

Kind = Literal["metric", "part", "run", "run part", "stage", "parameter", "policy", "aggregate", "account"]
FOLDERS: Mapping[Kind, str] = {
    "metric": "metrics",
    "part": "parts",
    "run": "runs",
    "run part": "run_parts",
    "stage": "stages",
    "parameter": "parameters",
    "policy": "policies",
    "aggregate": "aggregates",
    "account": "account",
}
FIELDS = (
    "undefined",
    "range",
    "aliases",
    "source",
    "needs",
    "shown",
    "materialized",
    "cutoff",
    "better",
    "when",
    "sample",
)

# What a range begins with: `[0, 1]`, `(0, inf)`, `integer [1, inf)`.
RANGE = re.compile(r"(integer )?[\[(](-inf|-?[\d.]+), (inf|-?[\d.]+)[\])]")


@dataclass(frozen=True)
class Definition:
    """One file of sql/, or one definition of the user's.

    Attributes:
        name: the metric's, stage's or parameter's name.
        kind: which folder it is from.
        summary: what it is, in one sentence.
        notes: the rest of the header's prose.
        fields: the header's named lines: undefined, range, aliases, source.
        text: the file as it is written.
        origin: what to call the file in an error.
    """

    name: str
    kind: Kind
    summary: str
    notes: str
    fields: Mapping[str, str]
    text: str = field(repr=False)
    origin: str = field(repr=False)

    @cached_property
    def when(self) -> tuple[Condition, ...]:
        """The conditions under which a stage is built from this variant; none for a file that is no variant."""
        return conditions(self.fields["when"], self.origin) if "when" in self.fields else ()

    @cached_property
    def select(self) -> exp.Select:
        """The SELECT, parsed when first read; never edited, only copied."""
        return tree.parse(self.text, self.origin)

    @property
    def reads(self) -> str:
        """The stage that a metric is taken from, or `metrics` where it is made of others."""
        return tree.source(self.select).name

    @property
    def expression(self) -> exp.Expr:
        """What a metric's SELECT returns, without its name."""
        returned: exp.Expr = self.select.expressions[0]
        return returned.unalias()

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other spellings of a metric's name."""
        return tuple(part.strip() for part in self.fields.get("aliases", "").split(",") if part.strip())


@dataclass(frozen=True)
class Parameter:
    """A parameter of a metric: a choice between named expressions, a number, or another metric.

    Attributes:
        name: as in `ndcg(gain=linear)`.
        summary: what it decides.
        choices: name -> what it means; empty for a number.
        default: a choice, a number, or None for a number that may be left out.
        lower, upper: the ends of a number's range; `open_ends` says which of them are excluded.
        whole: whether a number must be whole.
        own: whether it is one metric's alone and is not handed down to the metrics it is made of.
        is_metric: whether its value is another metric.
        policy: whether it decides what every metric is measured of, and is a parameter of all of them.
    """

    name: str
    summary: str
    choices: Mapping[str, str]
    default: str | float | int | None
    lower: float = -math.inf
    upper: float = math.inf
    open_ends: tuple[bool, bool] = (True, True)
    whole: bool = False
    own: bool = False
    is_metric: bool = False
    policy: bool = False
    expressions: Mapping[str, exp.Expr] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def inner(self) -> Mapping[str, frozenset[str]]:
        """For each choice, the parameters that it brings with it."""
        if self.is_metric:
            return {}
        return {choice: frozenset(tree.placeholders(one) - {"k"}) for choice, one in self.expressions.items()}

    def holds(self, number: float) -> bool:
        """Whether a number is in the range."""
        above = number > self.lower if self.open_ends[0] else number >= self.lower
        below = number < self.upper if self.open_ends[1] else number <= self.upper
        return above and below and (not self.whole or float(number).is_integer())

    def brought(self, choice: str | float | None) -> frozenset[str]:
        """The parameters that a choice brings with it; those of any choice, where none is given."""
        if choice is None:
            return frozenset().union(*self.inner.values())
        return self.inner.get(str(choice), frozenset())

    def checked(self, metric: str, value: object) -> str | float | int:
        """A value of the parameter for a metric: one of its choices, or a number in its range.

        Raises:
            MetricError: it is neither.
        """
        if self.choices:
            if value not in self.choices:
                raise MetricError(
                    f"{self.name} of {metric} is one of {names(self.choices)}: {value!r} is not."
                    f"{did_you_mean(str(value), self.choices)}"
                )
            return str(value)
        try:
            number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
        except OverflowError:
            number = math.nan
        if not self.holds(number):
            raise MetricError(f"{self.name} of {metric} must be {self.range}: {value!r} is not.")
        return int(number) if number.is_integer() else number

    @property
    def range(self) -> str:
        """The range in words, as in `a whole number from 1`."""
        ends = []
        if math.isfinite(self.lower):
            ends.append(f"{'above' if self.open_ends[0] else 'from'} {self.lower:g}")
        if math.isfinite(self.upper):
            ends.append(f"{'below' if self.open_ends[1] else 'to'} {self.upper:g}")
        return " ".join([f"a {'whole ' if self.whole else ''}number", *ends])


def read(text: str, origin: str, kind: Kind = "metric", name: str | None = None) -> Definition:
    """A definition from its text: header and SELECT. The name, if none is given, is that of what it selects.

    Raises:
        MetricError: the text is not one SELECT.
    """
    lines = [line.strip()[2:].strip() for line in takewhile(_is_comment, text.strip().splitlines())]
    found: dict[str, str] = {}
    prose, strange = [], []
    for line in lines[1:]:
        key, _, value = line.partition(": ")
        if key in FIELDS:
            found[key] = value.strip()
        else:
            prose.append(line)
        if key not in FIELDS and re.fullmatch("[a-z_]+", key) and line.startswith(f"{key}: ") and line != lines[0]:
            strange.append(key)
    if "range" in found and not RANGE.match(found["range"]):
        raise MetricError(
            f"{origin}: `range: {found['range']}` does not begin with an interval, such as [0, 1] or [0, inf)."
        )
    if strange:
        columns = tree.outputs(tree.parse(text, origin))
        for key in (one for one in strange if one not in columns):
            raise MetricError(
                f"{origin}: the header has a line `{key}: …`, which nothing reads.{did_you_mean(key, FIELDS)} The keys "
                f"are {names(FIELDS)}; a line may also describe a column that the SELECT returns."
            )
    called = name or tree.outputs(tree.parse(text, origin))[0]
    summary = lines[0].partition(": ")[2] or lines[0] if lines else ""
    return Definition(called, kind, summary, "\n".join(prose).strip(), found, text.strip(), origin)


def _is_comment(line: str) -> bool:
    return line.strip().startswith("--")


def read_file(path: Path) -> Definition:
    """A metric of the user's own from a file.

    Raises:
        MetricError: the file cannot be read, or is not one SELECT.
    """
    try:
        return read(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise MetricError(f"The definition {str(path)!r} cannot be read: {error}") from error


def parameter_of(definition: Definition, name: str, *, own: bool = False) -> Parameter:
    """A parameter from its file.

    Several columns are a choice, the first the default; one column is a number, or the metric that it names.
    """
    columns, policy = definition.select.expressions, definition.kind == "policy"
    if len(columns) > 1:
        return Parameter(
            name=name,
            summary=definition.summary,
            choices={one.alias_or_name: " ".join(one.comments or []).strip() for one in columns},
            default=columns[0].alias_or_name,
            own=own,
            policy=policy,
            expressions={one.alias_or_name: one.unalias() for one in columns},
        )
    value = columns[0].unalias()
    if tree.columns_read(value):
        return Parameter(
            name=name,
            summary=definition.summary,
            choices={},
            default=value.name,
            own=own,
            is_metric=True,
            expressions={value.name: value},
        )
    found = re.fullmatch(r"(integer )?([\[(])(\S+), (\S+)([\])])", definition.fields.get("range", "(-inf, inf)"))
    assert found, f"{definition.name}: range is an interval such as [0, 1)"
    whole, left, lower, upper, right = found.groups()
    return Parameter(
        name=name,
        summary=definition.summary,
        choices={},
        default=_plain_number(value),
        lower=float(lower),
        upper=float(upper),
        open_ends=(left == "(", right == ")"),
        whole=bool(whole),
        own=own,
        policy=policy,
    )


def _plain_number(value: exp.Expr) -> float | int | None:
    """The number that a literal says; None for NULL."""
    text = value.name
    return None if not value.is_number else int(text) if text.isdigit() else float(text)
