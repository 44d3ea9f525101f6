"""One file of sql/ as a value: the header is its documentation, the SELECT its definition."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.conditions import Condition, read_conditions
from rankmetrics.sqltree import tree

if TYPE_CHECKING:
    from sqlglot import exp

Kind = Literal[
    "metric",
    "part",
    "run",
    "run part",
    "stage",
    "parameter",
    "policy",
    "aggregate",
    "account",
    "fault",
    "split",
    "expected",
    "comparison",
    "segment",
]
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
    "fault": "faults",
    "expected": "expected",
}

# The keys that a header may have, as in `range: [0, 1]`.
FIELDS = (
    "formula",
    "subject",
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
    "samples",
    "depth",
)

# How a line of a header begins, after the `--`, if it continues the key above it.
INDENT = "   "

# An interval, as a range begins with it: `[0, 1]`, `(0, inf)`, `integer [1, inf)`.
RANGE = re.compile(
    r"(?P<whole>integer )?(?P<left>[\[(])(?P<lower>-inf|-?[\d.]+), (?P<upper>inf|-?[\d.]+)(?P<right>[\])])"
)


@dataclass(frozen=True)
class Definition:
    """One file of sql/, or a metric that the user defined.

    Attributes:
        name: the name of the metric, stage, parameter, policy or aggregate.
        kind: the folder that the file is in.
        summary: the header's first line: a sentence that says what the file computes.
        notes: the other lines of the header that have no key.
        fields: the lines of the header that have a key, such as `undefined` and `source`.
        text: the whole file.
        origin: the name of the file, for errors.
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
        return read_conditions(self.fields["when"], self.origin) if "when" in self.fields else ()

    @cached_property
    def select(self) -> exp.Select:
        """The SELECT, parsed when first read; never edited, only copied."""
        return tree.parse(self.text, self.origin)

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The parameters that the SELECT reads."""
        return frozenset(tree.placeholders(self.select))

    @property
    def reads(self) -> str:
        """The stage that a metric aggregates; `metrics` or `runs` for an expression over other metrics."""
        return tree.source(self.select).name

    @property
    def expression(self) -> exp.Expr:
        """The expression that a metric's SELECT returns, without its name."""
        returned: exp.Expr = self.select.expressions[0]
        return returned.unalias()

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other spellings of a metric's name."""
        return tuple(part.strip() for part in self.fields.get("aliases", "").split(",") if part.strip())


def read(text: str, origin: str, kind: Kind = "metric", name: str | None = None) -> Definition:
    """A definition from its text.

    Args:
        text: a header of comments, then one SELECT.
        origin: the name of the file, for errors.
        kind: the kind of the definition.
        name: its name; by default the name of the column that the SELECT returns.

    Raises:
        MetricError: the text is not one SELECT, its header has an unknown key, or its range is no interval.
    """
    lines = [line.strip()[2:] for line in takewhile(_is_comment, text.strip().splitlines())]
    first = lines[0].strip() if lines else ""
    fields, prose = _split_header(lines[1:])
    if "range" in fields and not RANGE.match(fields["range"]):
        raise MetricError(
            f"{origin}: `range: {fields['range']}` does not begin with an interval, such as [0, 1] or [0, inf)."
        )
    _refuse_unknown_keys(prose, text, origin)
    return Definition(
        name=name or tree.outputs(tree.parse(text, origin))[0],
        kind=kind,
        summary=first.partition(": ")[2] or first,
        notes="\n".join(prose).strip(),
        fields=fields,
        text=text.strip(),
        origin=origin,
    )


def _is_comment(line: str) -> bool:
    return line.strip().startswith("--")


def _split_header(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """The lines that have a known key, by key, and the other lines; an indented line continues the key above it."""
    fields: dict[str, str] = {}
    prose = []
    last = ""
    for line in lines:
        key, _, value = line.strip().partition(": ")
        if last and line.startswith(INDENT):
            fields[last] += f" {line.strip()}"
        elif key in FIELDS:
            fields[key], last = value.strip(), key
        else:
            prose.append(line.strip())
            last = ""
    return fields, prose


def _refuse_unknown_keys(prose: list[str], text: str, origin: str) -> None:
    """Refuse a line such as `beter: lower`, unless its key is a column that the SELECT returns."""
    keys = [found[1] for line in prose if (found := re.match("([a-z_]+): ", line))]
    columns = tree.outputs(tree.parse(text, origin)) if keys else []
    for key in keys:
        if key not in columns:
            raise MetricError(
                f"{origin}: the header has a line `{key}: …`, which nothing reads.{did_you_mean(key, FIELDS)} The keys "
                f"are {names(FIELDS)}; a line may also describe a column that the SELECT returns."
            )


def read_file(path: Path) -> Definition:
    """The metric that a user's file defines.

    Raises:
        MetricError: the file cannot be read, or is not one SELECT.
    """
    try:
        return read(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise MetricError(f"The definition {str(path)!r} cannot be read: {error}") from error
