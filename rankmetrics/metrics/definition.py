"""The files of sql/ as values: the header of a file is its documentation, its SELECT the definition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlglot import exp

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean
from rankmetrics.messages import said
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import TablesRead

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class Form(NamedTuple):
    """A form of a condition."""

    pattern: str  # a regular expression; its groups are the condition's words
    example: str
    meaning: str  # the variant is used if this holds


FORMS: Mapping[str, Form] = {
    "setting": Form(
        r"(\w+) = (\w+(?:, \w+)*)",
        "duplicates = each",
        "the stage has this setting, or one of several: `unjudged = a, b`",
    ),
    "query": Form(
        r"query (\w+) in \((\w+(?:, \w+)*)\)",
        "query missing in (skip, listed)",
        "every metric of the query has one of these settings",
    ),
    "input": Form(r"input (\w+)", "input items", "this input is given, with the columns that the variant reads"),
    "required": Form(r"required (\w+)", "required judged_recommendations", "the query needs this stage anyway"),
    "unique": Form(
        r"unique (\w+(?:, \w+)*)", "unique recs, truth", "no list of these inputs has an item twice, as keys declare"
    ),
    "sorted": Form(r"sorted (\w+)", "sorted recs", "the engine sorts this input to rank it"),
    "columns": Form(
        r"columns suffice", "columns suffice", "the variant has every column that the query reads from the stage"
    ),
    "max_k": Form(r"max_k <= (\d+)", "max_k <= 200", "no metric reads the stage beyond this rank"),
    "diagnostics": Form(r"diagnostics", "diagnostics", "the query counts the data that was left out"),
    "all lists": Form(r"all lists", "all lists", "the diagnostics look at all lists instead of a sample"),
    "candidates": Form(
        r"ranked among candidates",
        "ranked among candidates",
        "the lists are ranked among candidates: those of an input, or a sample",
    ),
    "engine": Form(r"engine (\w+)", "engine duckdb", "an engine that speaks this dialect runs the query"),
    "sample": Form(r"sample by (\w+)", "sample by popularity", "the negatives of the lists are drawn in this way"),
}


@dataclass(frozen=True)
class Condition:
    """A condition of a variant: its form, and its words: a setting and its choices, an input, a stage, a number."""

    form: str  # a key of FORMS
    words: tuple[str, ...]
    is_negated: bool = False  # whether it begins with `not`


# The kinds of definitions, each with the folder of its files; `definitions_in` reads folders of other kinds.
Kind = str
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
    "check": "checks",
    "expected": "expected",
    "weighted": "weighted",
}

# The folder of checks that select the rows at fault, and do not compare counts.
ROWS_AT_FAULT = "checks/rows"

# The keys that a header may have, as in `range: [0, 1]`, and what the line says.
FIELDS: Mapping[str, str] = {
    "formula": "the formula under the default parameters, in LaTeX",
    "subject": "the heading of the metric in the list of metrics",
    "undefined": "when the value is NULL",
    "range": "an interval of the values, then the intervals of settings: `[0, 1]; [0, inf) with unit=count`",
    "values": "`0 or 1` if a list has no other value, so that the mean is a proportion",
    "better": "`lower` or `neither`; without it, higher values are better",
    "cutoff": "`needed` if the metric has no value without a cutoff",
    "aliases": "other names",
    "source": "the paper or the library that defines it",
    "empty": "the value of a list without rows, of a metric that a user defines",
    "error": "the file of the standard error of a metric of systems",
    "preference": "`over the baseline` if the metric compares each list with the baseline",
    "needs": "the input, column or option without which the file is left out",
    "measured": "the setting that a metric must have for this count, as in `gain = binary`",
    "shown": "`always`, or `if any`: when the notes of a result have this count",
    "counted": "`in doubt` if only the second look at the data has this count",
    "combined": "`maximum` or `minimum` over systems, where the counts are not added",
    "samples": "inputs with the stages whose first rows show a fault: `recs recs_unranked`",
    "rows": "what the rows of a check are, for the account: `recommendations without a rank`",
    "of": "the input whose rows a check selects",
    "severity": "`warning` of a check that refuses nothing; without it, what it finds is an error",
    "order": "the place of a check among the others: of several errors, the first is raised",
    "per": "`system` if a check looks at each row of the summary by itself",
    "found": "`by a test` of faults/doubts.py, and not by the condition of the SELECT",
    "heading": "the heading of docs/warnings.md that explains a check, if it is not its name",
    "say": "the message of a check; `{recs}` stands for the first rows at fault, `{n: list; lists}` for their number",
    "when": "the conditions under which this variant of a stage is used, joined by `and`",
    "depth": "`whole lists` if the stage reads beyond the cutoff",
    "materialized": "why the engine computes the stage once and keeps its rows, or `never`, and why it does not",
    "repeated": "the file of sql/repeats that computes the stage rank by rank",
}

# How a line of a header begins, after the `--`, if it continues the key above it.
INDENT = "   "

# An interval, as a range begins with it: `[0, 1]`, `(0, inf)`, `integer [1, inf)`.
RANGE = re.compile(
    r"(?P<whole>integer )?(?P<left>[\[(])(?P<lower>-inf|-?[\d.]+), (?P<upper>inf|-?[\d.]+)(?P<right>[\])])"
)


def read_condition(text: str, origin: str) -> Condition:
    """One of the conditions of a `when:` line."""
    for name, form in FORMS.items():
        if match := re.fullmatch(f"(not )?{form.pattern}", text):
            negation, *groups = match.groups()
            return Condition(name, tuple(word for group in groups for word in group.split(", ")), bool(negation))
    examples = ", ".join(f"`{form.example}`" for form in FORMS.values())
    raise MetricError(
        f"{origin}: `when: {text}` is not a condition. Conditions, which may begin with `not`: {examples}."
    )


@dataclass(frozen=True)
class Definition:
    """One file of sql/, or a metric that the user defined. The file is read and parsed when first needed."""

    name: str  # of the metric, stage, parameter, policy or aggregate
    kind: Kind
    source: Traversable | str = field(repr=False)  # the file, or its text
    origin: str = field(repr=False)  # the name of the file, for errors

    @cached_property
    def text(self) -> str:
        """The whole file."""
        return (self.source if isinstance(self.source, str) else self.source.read_text(encoding="utf-8")).strip()

    @cached_property
    def _header(self) -> tuple[str, dict[str, str], list[str]]:
        """The first line, the lines that have a known key, by key, and the other lines.

        An indented line continues the key above it.
        """
        texts = map(str.strip, self.text.splitlines())
        lines = [line[2:] for line in takewhile(lambda line: line.startswith("--"), texts)]
        keyed: dict[str, str] = {}
        prose, last = [], ""
        for line in lines[1:]:
            key, _, value = line.strip().partition(": ")
            parameter = re.match(r" ?(\$\w+) = ", line)
            if last and line.startswith(INDENT):
                keyed[last] += f" {line.strip()}"
            elif parameter:
                last = parameter[1]
                keyed[last] = line[parameter.end() :].strip()
            elif key in FIELDS:
                keyed[key], last = value.strip(), key
            else:
                prose.append(line.strip())
                last = ""
        return lines[0].strip() if lines else "", keyed, prose

    @property
    def summary(self) -> str:
        """The header's first line: a sentence that says what the file computes."""
        first = self._header[0]
        return first.partition(": ")[2] or first

    @property
    def fields(self) -> Mapping[str, str]:
        """The lines of the header that have a key, such as `undefined` and `source`."""
        return self._header[1]

    @property
    def notes(self) -> str:
        """The other lines of the header."""
        return "\n".join(self._header[2]).strip()

    def check_header(self) -> None:
        """Refuse a line such as `beter: lower`, unless its key is a column that the SELECT returns."""
        if "range" in self.fields and not RANGE.match(self.fields["range"]):
            raise said(MetricError, "no_interval_of_values", origin=self.origin, text=self.fields["range"])
        keys = [match[1] for line in self._header[2] if (match := re.match("([a-z_]+): ", line))]
        columns = tree.outputs(self.select) if keys else []
        for key in keys:
            if key not in columns:
                near, keys_read = did_you_mean(key, FIELDS), [*FIELDS]
                raise said(MetricError, "line_not_read", origin=self.origin, key=key, near=near, known=keys_read)

    @cached_property
    def when(self) -> tuple[Condition, ...]:
        """The conditions under which a stage is built from this variant; none for a file that is not a variant."""
        texts = self.fields["when"].split(" and ") if "when" in self.fields else ()
        return tuple(read_condition(text, self.origin) for text in texts)

    @cached_property
    def select(self) -> exp.Select:
        """The SELECT, parsed when first read; never edited, only copied."""
        return tree.parse(self.text, self.origin)

    @cached_property
    def tables_read(self) -> TablesRead:
        """The tables of the SELECT, with their columns."""
        return TablesRead(self.select)

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The parameters that the SELECT reads; a file that ships need not be parsed for them."""
        if isinstance(self.source, str):
            return frozenset(tree.placeholders(self.select))
        return frozenset(re.findall(r"\$(\w+)", self._sql))

    @cached_property
    def tables(self) -> frozenset[str]:
        """The tables that the SELECT reads; a file that ships need not be parsed for them."""
        if isinstance(self.source, str):
            return frozenset(tree.tables_read(self.select))
        return frozenset(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)\b(?!\()", self._sql))

    @property
    def _sql(self) -> str:
        """The file without its comments."""
        return re.sub("--.*", "", self.text)

    @property
    def is_own(self) -> bool:
        """True if the user defined it."""
        return isinstance(self.source, str)

    @property
    def reads(self) -> str:
        """The stage that a metric aggregates; `metrics` or `runs` for an expression over other metrics."""
        return tree.source(self.select).name

    @property
    def expression(self) -> exp.Expr:
        """The expression that a SELECT returns, without its name; columns of its subquery are written out."""
        expression: exp.Expr = self.select.expressions[0].unalias()
        rows = tree.source(self.select) if "from_" in self.select.args else None
        if not isinstance(rows, exp.Subquery):
            return expression
        columns = {column.alias_or_name: column.unalias() for column in rows.this.expressions}
        return tree.replace_columns(expression.copy(), lambda column: columns[column.name].copy())

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other spellings of a metric's name."""
        return tuple(part.strip() for part in self.fields.get("aliases", "").split(",") if part.strip())


@dataclass(frozen=True)
class RowsOfCheck(Definition):
    """The rows that a check selects, as a stage."""

    @property
    def summary(self) -> str:
        """What a row is."""
        return f"the rows of a check: {self.fields['rows']}."


@dataclass(frozen=True)
class CountOfRows(Definition):
    """The count of the rows that a check selects, as a file of sql/account would say it."""

    @cached_property
    def text(self) -> str:
        """The file that the check stands for."""
        check = Definition(self.name, "check", self.source, self.origin).fields
        keys = ["counted", "measured"] if "measured" in check else ["counted", "needs"]
        header = [f"{self.name}: {check['rows']}", *(f"{key}: {check[key]}" for key in keys if key in check)]
        select = f"SELECT COUNT(*) AS {self.name}\nFROM {self.name}"
        return "\n".join([*(f"-- {line}" for line in header), select])


def read(text: str, origin: str, kind: Kind = "metric", name: str | None = None) -> Definition:
    """A definition from its text, its header checked; by default its name is that of the column that it returns."""
    definition = Definition(name or tree.outputs(tree.parse(text, origin))[0], kind, text, origin)
    definition.check_header()
    return definition


def read_file(path: Path) -> Definition:
    """The metric that a user's file defines."""
    try:
        return read(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise MetricError(f"The definition {str(path)!r} cannot be read: {error}") from error


@cache
def builtin() -> Mapping[tuple[Kind, str], Definition]:
    """The definitions that ship, by kind and name."""
    return read_folder(sql_folder())


def read_folder(folder: Traversable) -> dict[tuple[Kind, str], Definition]:
    """The definitions of a folder with the layout of sql/, by kind and name.

    Each kind has a folder. Folders below it sort the files by subject and mean nothing else.
    """
    definitions: dict[tuple[Kind, str], Definition] = {}
    for kind, name in FOLDERS.items():
        for file in sorted(_files_below(folder / name), key=lambda file: file.name):
            stem = file.name.removesuffix(".sql")
            if (kind, stem) in definitions:
                raise MetricError(f"There are two files {file.name} below {folder / name}: name them apart.")
            definitions[kind, stem] = Definition(stem, kind, file, file.name)
    for file in _files_below(folder / ROWS_AT_FAULT):  # a check that selects rows is a stage, and a count
        stem = file.name.removesuffix(".sql")
        definitions["stage", stem] = RowsOfCheck(stem, "stage", file, file.name)
        definitions["account", stem] = CountOfRows(stem, "account", file, file.name)
    return definitions


@cache
def definitions_in(folder: str, kind: Kind) -> Mapping[str, Definition]:
    """The files of one folder of sql/ by name, such as `comparisons`, without the folders below it."""
    paths = (sql_folder() / folder).iterdir()
    files = {path.name.removesuffix(".sql"): path for path in paths if path.name.endswith(".sql")}
    return {stem: Definition(stem, kind, files[stem], f"{folder}/{files[stem].name}") for stem in sorted(files)}


def _files_below(folder: Traversable) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.name.endswith(".sql"):
            yield entry
        elif entry.is_dir():
            yield from _files_below(entry)
