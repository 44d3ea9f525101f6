"""Metrics as values: a name, parameters and a cutoff, written as text, read under a convention, defined in SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from rankmetrics.errors import MetricError, did_you_mean, names, refuse_kind
from rankmetrics.messages import said
from rankmetrics.metrics import own
from rankmetrics.metrics.catalog import UNWEIGHTED, WEIGHTS, catalog
from rankmetrics.metrics.conventions import OURS, find
from rankmetrics.metrics.definition import Definition, read, read_file
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.metrics.parameter import Setting as Setting

if TYPE_CHECKING:
    import polars as pl

Settings = Mapping[str, Setting | None]


@dataclass(frozen=True)
class Label:
    """The parts of a metric's text: the name as it is written, the settings in order, and the text after the `@`."""

    spelling: str
    settings: tuple[tuple[str, Setting], ...]  # a name may occur twice
    cutoffs: str | None  # None for a text without an `@`

    def read_cutoffs(self) -> Iterator[int | None]:
        """The cutoffs: `5,10`, all of `1..20`, None for `None` and for a text without an `@`."""
        for part in ("None",) if self.cutoffs is None else self.cutoffs.split(","):
            first, dots, last = part.strip().partition("..")
            if dots:
                start, end = check_cutoff(self.spelling, first), check_cutoff(self.spelling, last)
                if end < start:
                    raise MetricError(
                        f"The cutoffs {part.strip()} of {self.spelling} run backwards: write {end}..{start}."
                    )
                yield from range(start, end + 1)
            else:
                yield None if first == "None" else check_cutoff(self.spelling, first)


def read_label(text: str) -> Label:
    """The parts of a metric's text."""
    head = next(iter(split(text, "@")), "")
    at, cutoffs = text[len(head) : len(head) + 1], text[len(head) + 1 :]
    match = re.fullmatch(r"\s*(\d*[A-Za-z_][\w\-]*)\s*(?:\((.*)\))?\s*", head, re.DOTALL)
    if not match:
        raise MetricError(
            f"{text!r} is not a metric. A metric is a name, parameters in brackets and cutoffs after an @, "
            "as in 'ndcg(gain=linear)@5,10'."
        )
    return Label(match[1], tuple(_read_settings(match[2] or "", text)), cutoffs if at else None)


def _read_settings(inside: str, text: str) -> Iterator[tuple[str, Setting]]:
    for part in split(inside):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise MetricError(f"{part.strip()!r} in {text!r} is not a setting: write name=value, as in gain=linear.")
        yield name.strip(), read_value(value)


def split(text: str, separator: str = ",") -> list[str]:
    """The parts of a text between separators; a separator within brackets does not count.

    >>> split("rel=4, discount=geometric(p=0.9, q=1)")
    ['rel=4', ' discount=geometric(p=0.9, q=1)']
    """
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def read_value(text: str) -> Setting:
    """The value that a text represents: a whole number, another number, or the text itself."""
    for number in (int, float):
        try:
            return number(text.strip())
        except ValueError:
            continue
    return text.strip()


def check_cutoff(metric: str, k: object) -> int:
    """A cutoff as a number."""
    try:
        number = float(k) if isinstance(k, (Real, str)) and not isinstance(k, bool) else nan
    except (ValueError, OverflowError):
        number = nan
    if not (number >= 1 and number.is_integer()):
        raise MetricError(f"The cutoff of {metric} must be a whole number from 1: {k!r} is not.")
    return int(number)


def spell(name: str, settings: Settings, k: int | None) -> str:
    """A metric as text, from its parts: `ndcg(gain=linear, rel=4)@10`."""
    inside = ", ".join(f"{key}={_spell_value(value)}" for key, value in settings.items())
    return f"{name}{f'({inside})' if inside else ''}{f'@{k}' if k is not None else ''}"


def _spell_value(value: Setting | None) -> str:
    return str(value) if isinstance(value, (str, int)) or value is None else repr(value)


# How a convention treats the cutoff of a metric:
# free: with or without a cutoff, as rankmetrics does;
# ignored: it measures the whole list, whatever the cutoff;
# refused: it measures the whole list, and a cutoff is an error;
# needed: it always has a cutoff, and a missing cutoff is an error.
CutoffRule = Literal["free", "ignored", "refused", "needed"]


@dataclass(frozen=True)
class Meaning:
    """The metric that a spelling names under a convention: fields of a Metric."""

    name: str
    convention: str = ""
    decided: Mapping[str, Setting] = field(default_factory=dict)
    cutoff_rule: CutoffRule = "free"


def read_text(text: str, convention: str | None = None) -> tuple[Label, dict[str, Setting], Meaning]:
    """The parts of a metric's text, the settings by name, and the metric that it names.

    Settings within a choice are next to the others, and not yet checked. The convention holds unless the text names
    another.
    """
    convention = other_convention(convention)
    if convention and not re.search(r"\bconvention\s*=", text):
        text = find(convention).rewrite(text)
    label = read_label(text)
    named = next((str(value) for name, value in label.settings if name == "convention"), None)
    meaning = find_meaning(label.spelling, named or convention)
    settings: dict[str, Setting] = {}
    for key, value in open_settings(meaning.name, label.settings):
        if key in settings:
            raise MetricError(f"{text!r} sets {key} twice.")
        settings[key] = value
    return label, settings, meaning


def other_convention(convention: str | None) -> str | None:
    """A convention; None for that of rankmetrics itself."""
    return None if convention and find(convention) is OURS else convention


def find_meaning(spelling: str, convention: str | None) -> Meaning:
    """The metric that a spelling names under a convention.

    A name of the library comes first. Then a name of rankmetrics represents the first metric of the convention that has
    this name here. A metric that the user has defined means the same under every convention, over the library's lists.
    """
    library = find(convention) if convention else OURS
    if library is OURS:
        return Meaning(catalog().metric(spelling).name, OURS.name if convention else "")
    library.refuse(spelling)
    line, name = library.find(spelling), catalog().name(spelling)
    if line is None and name is not None and catalog().is_own(name):
        return Meaning(name, library.name, library.policies)
    if line is None:
        line = next((pair for pair in library.spellings.items() if name and re.match(rf"{name}\b", pair[1])), None)
    if line is None:
        raise library.unknown_metric(spelling, name)
    theirs, (label, settings, meaning) = line[0], read_text(line[1])
    rule: CutoffRule = "free" if label.cutoffs is None else "ignored"
    if theirs in library.no_cutoff | library.needs_cutoff:
        rule = "refused" if theirs in library.no_cutoff else "needed"
    return Meaning(meaning.name, library.name, {**library.policies, **settings}, rule)


# --- settings ---------------------------------------------------------------------------------------------------------


# The choices of `gain` that are powers of 2. A list with a rating above 900 has no value: not every engine has a finite
# sum of such powers.
POWERS = ("exponential", "excess")


def are_weighted(values: Settings) -> bool:
    """True if hits count by their weights."""
    return values.get(WEIGHTS, UNWEIGHTED) != UNWEIGHTED


def open_settings(metric: str, settings: Iterable[tuple[str, Setting]]) -> Iterator[tuple[str, Setting]]:
    """Settings with those within a choice next to it: `discount=geometric(0.9)` is `discount=geometric, p=0.9`."""
    for name, value in settings:
        parameter = catalog().parameter(metric, name)
        match = re.fullmatch(r"([\w.\-]+)\s*\((.*)\)", value, re.DOTALL) if isinstance(value, str) else None
        if not match or (parameter and parameter.is_metric):
            yield name, value
            continue
        yield name, match[1]
        for part in split(match[2]):
            key, equals, inner = part.partition("=")
            if not equals:
                read = parameter.parameters_of(match[1]) if parameter and match[1] in parameter.choices else ()
                key, inner = next(iter(read)) if len(read) == 1 else "", part  # the name of an only parameter is known
            if not key:
                raise MetricError(f"{part.strip()!r} in {name}={value} is not a setting: write it as in p=0.9.")
            yield from open_settings(metric, [(key.strip(), read_value(inner))])


@dataclass(frozen=True, eq=False, repr=False)
class Metric:
    """A metric to request, such as `ndcg(gain=exponential)@10`.

    Two metrics are equal if they mean the same, however they are spelled; the label keeps the spelling.

    Attributes:
        name: the metric's name in the catalogue.
        settings: the parameters that were given, by name; `convention` may be among them.
        k: the cutoff; None for the whole list.
        spelling: the name as it was written.
        convention: the convention that decides the parameters that were not given; "" for rankmetrics' own.
        decided: the parameters that the convention and the evaluation decide.
        column: the name of its column, where that differs from the metric's text.
        cutoff_rule: how the convention treats a cutoff.
        among: the candidates that an evaluation ranks, as in `100 sampled`; empty where it ranks all items.
        estimates: the value for each rank of a relevant item among sampled negatives, from 1; empty where the metric is
            measured as it is.

    Raises:
        MetricError: the metric takes no such parameter, or not this value.

    Example:
        >>> import rankmetrics as rm
        >>> metric = rm.ndcg(gain="exponential") @ 10
        >>> metric
        ndcg(gain=exponential)@10
        >>> metric == rm.parse("nDCG(gain=exponential)@10")
        True
        >>> rm.ap(convention="elliot") @ 10
        ap(convention=elliot)@10
    """

    name: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    k: int | None = None
    spelling: str = ""
    convention: str = ""
    decided: Mapping[str, Setting] = field(default_factory=dict)
    column: str = ""
    cutoff_rule: CutoffRule = "free"
    among: str = ""
    estimates: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        self._set(spelling=self.spelling or self.name)
        if named := str(self.settings.get("convention", "")):
            self._follow(named)
        accepted = self._accepted
        checked = {
            name: str(value) if name == "convention" else self._check_setting(name, value)
            for name, value in self.settings.items()
        }
        decided = {name: self._check_setting(name, value) for name, value in self.decided.items() if name in accepted}
        self._set(settings=checked, decided=decided)
        if self.k is not None:
            self._check_cutoff(self.k)
        self._refuse_unused()

    def _set(self, **values: object) -> None:
        """Set attributes of the frozen value while it is made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _follow(self, convention: str) -> None:
        """Take over the parameters that the convention named in the settings decides."""
        meaning = find_meaning(self.spelling, convention)
        if meaning.name != self.name:
            raise MetricError(f"{self.spelling} under {convention} is {meaning.name}, and not {self.name}.")
        self._set(**vars(replace(meaning, decided={**meaning.decided, **self.decided})))

    def _check_setting(self, name: str, value: object) -> Setting:
        """A parameter's value, checked: a choice by its name, a number in its range, a metric by reading it."""
        accepted = self._accepted
        if name not in accepted or name == "k":
            known = [parameter for parameter in catalog().own_parameters(self.name) if parameter != "k"]
            near = did_you_mean(name, [*accepted, "convention"]).strip()
            hint = f"The cutoff goes after the @: {self.name}@{value}." if name == "k" else near
            raise MetricError(f"{self.name} has no parameter {name!r}: it takes {names(known)}. {hint}".rstrip())
        if not accepted[name].is_metric:
            return accepted[name].check(self.name, value)
        metrics = [*_parse_all(str(value), self.convention or None)]
        if [metric.k for metric in metrics] != [None] or metrics[0].is_run:
            raise MetricError(
                f"{name} of {self.name} is a metric of a list without a cutoff of its own: {value!r} is not."
            )
        return str(value)

    def _refuse_unused(self) -> None:
        """Refuse a setting that changes nothing, because it belongs to a choice that is not taken."""
        for name in sorted(self.settings.keys() - {"convention"} - self.active.keys()):
            owners = [
                f"{key}={choice}"
                for key, parameter in self._accepted.items()
                for choice in parameter.choices
                if name in parameter.parameters_of(choice)
            ]
            raise MetricError(
                f"{name}={self.settings[name]} has no effect on {self.name} here: it belongs to {names(owners)}."
            )

    def _check_cutoff(self, k: object) -> None:
        """Check the cutoff, and that the metric and its convention take a cutoff."""
        if "k" not in self._accepted:
            raise MetricError(f"{self.name} takes no cutoff: it always measures the whole list.")
        self._set(k=check_cutoff(self.name, k))
        if self.cutoff_rule == "refused":
            own = spell(self.name, {"convention": OURS.name}, self.k)
            raise said(MetricError, "no_cutoff", metric=self.spelling, convention=self.convention, own=own)

    def refuse_uncut(self) -> None:
        """Refuse a metric without a cutoff if its convention always has a cutoff.

        Raises:
            MetricError: the cutoff is missing.
        """
        if self.cutoff_rule == "needed" and self.k is None:
            raise said(MetricError, "needs_cutoff", metric=self.spelling, convention=self.convention, name=self.name)

    @property
    def definition(self) -> Definition:
        """The metric's entry in the catalogue."""
        return catalog().metric(self.name)

    @property
    def is_run(self) -> bool:
        """True if it is one number for each system, and not for each list."""
        return self.definition.kind == "run"

    @property
    def is_binary(self) -> bool:
        """True if its value of a list is 0 or 1, so that its mean is a proportion of lists."""
        may_vary = self.estimates or self.values.get("ties") == "expected" or are_weighted(self.values)
        return self.definition.fields.get("values") == "0 or 1" and not may_vary

    @property
    def better(self) -> str:
        """The values that are better: `higher`, `lower` or `neither`."""
        return self.definition.fields.get("better", "higher")

    @property
    def is_uncut(self) -> bool:
        """True if its convention always measures the whole list, whatever the cutoff."""
        return self.cutoff_rule == "ignored"

    @property
    def text(self) -> str:
        """The metric as text, which `parse` reads."""
        return spell(self.spelling, self.settings, self.k)

    @property
    def label(self) -> str:
        """The name of its column: the name that was given, or the metric as text and the candidates that it ranks."""
        return self.column or (f"{self.text} [{self.among}]" if self.among else self.text)

    # --- parameters ---------------------------------------------------------------------------------------------------

    @property
    def _accepted(self) -> Mapping[str, Parameter]:
        """The parameters that can be set, by name."""
        return catalog().accepted(self.name, self.enough)

    @property
    def enough(self) -> str:
        """The setting of the policy `enough`; `any` for a metric of a system, which has no such policy."""
        return str({**self.decided, **self.settings}.get("enough", "any"))

    @property
    def given(self) -> Mapping[str, Setting]:
        """The parameters that were given, or that the convention or the evaluation decided."""
        return {name: value for name, value in {**self.decided, **self.settings}.items() if name != "convention"}

    @cached_property
    def values(self) -> Settings:
        """Every parameter of the metric with its value, defaults among them."""
        chosen = {**self.given, "k": None if self.is_uncut else self.k}
        return {name: chosen.get(name, parameter.default) for name, parameter in self._accepted.items()}

    @property
    def active(self) -> dict[str, Setting | None]:
        """The values that change the result: those of choices that are not taken are left out."""
        accepted, values = self._accepted, self.values
        of_choices = {inner for parameter in accepted.values() for inner in parameter.parameters_of()}
        of_chosen = {inner for name, parameter in accepted.items() for inner in parameter.parameters_of(values[name])}
        return {name: value for name, value in values.items() if name not in of_choices - of_chosen}

    def under(self, convention: str | None = None, decided: Mapping[str, Setting] | None = None) -> Metric:
        """The metric as a convention measures it, unless it names another, and as an evaluation decides.

        Raises:
            MetricError: there is no such convention, or it has no such metric.
        """
        meaning = Meaning(self.name, self.convention, self.decided, self.cutoff_rule)
        if convention and not self.convention:
            meaning = find_meaning(self.spelling, convention)
        elif not decided:
            return self
        return replace(self, **vars(replace(meaning, decided={**meaning.decided, **(decided or {})})))

    # --- operators ----------------------------------------------------------------------------------------------------

    def __call__(self, **settings: Setting) -> Metric:
        """The metric with parameters."""
        return replace(self, settings={**self.settings, **dict(open_settings(self.name, settings.items()))}, column="")

    @overload
    def __matmul__(self, k: int) -> Metric: ...
    @overload
    def __matmul__(self, k: Sequence[int]) -> list[Metric]: ...
    def __matmul__(self, k: int | Sequence[int]) -> Metric | list[Metric]:
        """The metric at a cutoff, or at each of several."""
        if isinstance(k, Sequence) and not isinstance(k, str):
            return [self @ cutoff for cutoff in k]
        return replace(self, k=check_cutoff(self.name, k), column="")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and (self.name, self.active) == (other.name, other.active)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.active.items(), key=lambda pair: pair[0]))))

    def __repr__(self) -> str:
        return self.text


# Metrics as a caller gives them: a text, a Metric, several of these, or a mapping from the column's name to each.
Named = Mapping[str, str | Metric]
MetricSpec = str | Metric | Named | Iterable[str | Metric | Named | Iterable[Metric]]


def parse(text: str, convention: str | None = None) -> Metric:
    """The metric that a text such as `ndcg@10` names.

    Args:
        text: a name, parameters in brackets and a cutoff after `@`; all but the name may be left out.
        convention: the convention whose spellings and definitions hold, unless the text names another.

    Raises:
        MetricError: the text is not written as a metric is, or names an unknown metric or parameter; the nearest
            names are given.

    Example:
        >>> parse("P(rel=4)@5")
        P(rel=4)@5
        >>> parse("P(rel=4)@5") == parse("precision(rel=4)@5")
        True
        >>> parse("TAP@20", convention="recometrics") == parse("TAP(convention=recometrics)@20")
        True
    """
    refuse_kind("text", text, (str,), "rm.parse('ndcg@10')")
    metrics = list(_parse_all(text, convention))
    if len(metrics) > 1:
        raise MetricError(
            f"{text!r} is {len(metrics)} metrics, one for each cutoff: ask for one, as in {metrics[0].label!r}."
        )
    return metrics[0]


def _parse_all(text: str, convention: str | None) -> Iterator[Metric]:
    """The metrics of a text: one for each of its cutoffs."""
    label, settings, meaning = read_text(text, convention)
    for k in label.read_cutoffs():
        yield Metric(settings=settings, k=k, spelling=label.spelling, **vars(meaning))


def read_metrics(
    metrics: MetricSpec, convention: str | None = None, decided: Mapping[str, Setting] | None = None
) -> list[Metric]:
    """Every requested metric, in order, each label once: `MAP@5` and `map@5` are one column in SQL.

    Args:
        metrics: metrics, or a mapping from the name of a column to the metric that it holds.
        convention: the convention under which their spellings are read.
        decided: the policies that hold for all of them.

    Example:
        >>> read_metrics(["recall@5,10", "ndcg", "precision@1..3"])
        [recall@5, recall@10, ndcg, precision@1, precision@2, precision@3]
        >>> [(metric.label, metric) for metric in read_metrics({"accuracy": "ndcg@10"})]
        [('accuracy', ndcg@10)]
    """
    by_column: dict[str, Metric] = {}
    convention = other_convention(convention)
    for metric in _flatten(metrics, convention):
        known = by_column.setdefault(metric.label.lower(), metric.under(convention, decided))
        if (metric.column or known.column) and known.text != metric.text:
            raise MetricError(f"Two metrics would have one column {metric.label!r}: {known.text} and {metric.text}.")
    if not by_column:
        raise MetricError('No metric was asked for. Ask for some, as in ["ndcg@10", "recall@5,10,20"].')
    for metric in by_column.values():
        metric.refuse_uncut()
    return list(by_column.values())


def column_names(metrics: MetricSpec, convention: str | None = None) -> dict[str, list[str]]:
    """The columns of a result for each metric as it is written: for programs that take the texts of metrics from users.

    Args:
        metrics: what `evaluate` is given; of a mapping, the names are the columns.
        convention: what `evaluate` is given.

    Raises:
        MetricError: as of `evaluate`.

    Example:
        >>> column_names(["NDCG(k=10)", "Recall(k=5)"], convention="rectools")
        {'NDCG(k=10)': ['NDCG@10'], 'Recall(k=5)': ['Recall@5']}
        >>> column_names(["recall@5,10", "map@5", "MAP@5"])
        {'recall@5,10': ['recall@5', 'recall@10'], 'map@5': ['map@5'], 'MAP@5': ['map@5']}
    """
    columns = {metric.label.lower(): metric.label for metric in read_metrics(metrics, convention)}
    if isinstance(metrics, Mapping):
        return {name: [name] for name in metrics}
    written = [metrics] if isinstance(metrics, (str, Metric)) else metrics
    library = other_convention(convention)
    return {str(text): [columns[metric.label.lower()] for metric in _flatten(text, library)] for text in written}


def _flatten(metrics: MetricSpec, convention: str | None) -> Iterator[Metric]:
    if isinstance(metrics, Mapping):
        yield from (_name_column(name, item, convention) for name, item in metrics.items())
    elif isinstance(metrics, Metric):
        yield metrics
    elif isinstance(metrics, str):
        yield from _parse_all(metrics, convention)
    elif isinstance(metrics, Iterable):
        for item in metrics:
            yield from _flatten(item, convention)
    else:
        raise MetricError(f"A metric is a text such as 'ndcg@10' or a Metric: {metrics!r} is neither.")


def _name_column(name: str, metric: str | Metric, convention: str | None) -> Metric:
    """A metric whose column gets a name."""
    if not isinstance(name, str) or not name.strip():
        raise MetricError(f"A mapping of metrics goes from the name of a column to a metric: {name!r} is not a name.")
    if not isinstance(metric, (str, Metric)):
        raise MetricError(f"The column {name!r} takes one metric, such as 'ndcg@10': {metric!r} is not a metric.")
    return replace(parse(metric, convention) if isinstance(metric, str) else metric, column=name)


def define(definition: str | Path) -> Metric:
    """Define a metric: one SQL expression over the rows of a stage, or over other metrics.

    Args:
        definition: `SELECT expression AS name FROM metrics`, or FROM a stage such as `hits` or an input such as
            `items`, also joined, with `WHERE rank <= $k` for a cutoff; or the path of a file that holds it. A comment
            above is its documentation and declares its parameters.

    Returns:
        The metric; from now on its name can be used in evaluate, too.

    Raises:
        MetricError: the text is not one SELECT of one named expression, reads an unknown column, or the name is taken.

    Example:
        >>> hits_in_100 = define("SELECT n_hits / 100.0 AS hits_in_100 FROM metrics")
        >>> hits_in_100 @ 10
        hits_in_100@10
        >>> price = define('''-- value: prices of the hits, to a power.
        ... -- empty: 0
        ... -- $power = 1 in [0, inf): how much the price counts.
        ... SELECT SUM(POWER(items.price, $power)) AS value FROM hits JOIN items USING (item) WHERE hits.rank <= $k''')
        >>> price(power=2) @ 3
        value(power=2)@3
    """
    if not isinstance(definition, (str, Path)):
        raise said(MetricError, "no_definition", kind=type(definition).__name__)
    if isinstance(definition, Path) and definition.is_dir():
        raise MetricError(f"{str(definition)!r} is a folder: rm.define_folder({str(definition)!r}) defines all of it.")
    text = str(definition)
    is_file = isinstance(definition, Path) or text.strip().lower().endswith(".sql")
    definition_read = read_file(Path(text)) if is_file else read(text, "The definition")
    return Metric(own.define(definition_read, catalog()).name)


def define_folder(folder: str | Path) -> dict[str, Metric]:
    """Define the metric of every .sql file of a folder, in any order: one may read another.

    Args:
        folder: the folder; folders below it are not read.

    Returns:
        The metrics by their names.

    Raises:
        MetricError: the folder has no .sql file, or as of `define`.

    Example:
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.sql").write_text("SELECT 2 * last_hit AS twice_last_hit FROM metrics")
        >>> _ = (folder / "b.sql").write_text("SELECT MAX(rank) AS last_hit FROM hits WHERE rank <= $k")
        >>> define_folder(folder)
        {'last_hit': last_hit, 'twice_last_hit': twice_last_hit}
    """
    refuse_kind("folder", folder, (str, Path), "rm.define_folder('metrics/')")
    waiting = {file.name: file for file in map(read_file, sorted(Path(folder).glob("*.sql")))}
    if not waiting:
        raise MetricError(f"The folder {str(folder)!r} has no .sql file: each defines a metric.")
    metrics: dict[str, Metric] = {}
    while waiting:
        free = [name for name, file in waiting.items() if not own.metrics_read(file) & {*waiting}]
        name = (free or [*waiting])[0]  # where each reads another, the first one is refused
        metrics[name] = Metric(own.define(waiting.pop(name), catalog()).name)
    return metrics


def define_all(paths: Iterable[Path]) -> None:
    """Define the metrics of files and of folders of files."""
    for path in paths:
        if path.is_dir():
            define_folder(path)
        else:
            define(path)


def list_metrics() -> pl.DataFrame:
    """A frame of metrics: metric, of (list or system), aliases, parameters, needs, summary, undefined, range, source.

    `parameters` come with their defaults; `needs` are the inputs besides recommendations and truth.

    Example:
        >>> list_metrics().filter(metric="rr")["aliases"].to_list()
        [['MRR', 'mrr', 'reciprocal_rank', 'recip_rank']]
    """
    import polars as pl

    rows = [
        {
            "metric": metric.name,
            "of": "system" if metric.kind == "run" else "list",
            "aliases": list(metric.aliases),
            "parameters": [
                f"{name}={parameter.default}" for name, parameter in catalog().own_parameters(metric.name).items()
            ],
            "needs": catalog().needs(metric.name),
            "summary": metric.summary,
            **{field: metric.fields.get(field) for field in ("undefined", "range", "source")},
        }
        for metric in catalog().metrics()
    ]
    return pl.DataFrame(rows)
