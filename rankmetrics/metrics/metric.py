"""The Metric value: a name, parameters and a cutoff. It prints, parses, compares and labels its own column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, overload

from rankmetrics.errors import MetricError
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import OURS, find
from rankmetrics.metrics.definition import Definition, read, read_file
from rankmetrics.metrics.label import Setting, Settings, check_cutoff, spell
from rankmetrics.metrics.meaning import (
    CutoffRule,
    Meaning,
    accepted_parameters,
    check_settings,
    find_active,
    find_meaning,
    open_settings,
    other_convention,
    read_text,
    refuse_unused,
)
from rankmetrics.metrics.parameter import Parameter

if TYPE_CHECKING:
    import polars as pl


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
        given = dict(self.settings)
        named = str(given.pop("convention", ""))
        if named:
            self._follow(named)
        checked, decided = check_settings(self.name, given, self.decided, self.convention)
        in_order = {name: named if name == "convention" else checked[name] for name in self.settings}
        self._set(settings=in_order, decided=decided)
        if self.k is not None:
            self._check_cutoff(self.k)
        refuse_unused(self.name, checked, decided)

    def _set(self, **values: object) -> None:
        """Set attributes of the frozen value while it is made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _follow(self, convention: str) -> None:
        """Take over the parameters that the convention named in the settings decides."""
        meaning = find_meaning(self.spelling, convention)
        if meaning.name != self.name:
            raise MetricError(f"{self.spelling} under {convention} is {meaning.name}, and not {self.name}.")
        decided = {**meaning.decided, **self.decided}
        self._set(convention=find(convention).name, decided=decided, cutoff_rule=meaning.cutoff_rule)

    def _check_cutoff(self, k: object) -> None:
        """Check the cutoff, and that the metric and its convention take a cutoff."""
        if "k" not in self._accepted:
            raise MetricError(f"{self.name} takes no cutoff: it always measures the whole list.")
        self._set(k=check_cutoff(self.name, k))
        if self.cutoff_rule == "refused":
            raise MetricError(
                f"{self.spelling} has no cutoff under {self.convention}: it is always of the whole list. For "
                f"rankmetrics' own, write {spell(self.name, {'convention': OURS.name}, self.k)}."
            )

    def refuse_uncut(self) -> None:
        """Refuse a metric without a cutoff if its convention always has a cutoff.

        Raises:
            MetricError: the cutoff is missing.
        """
        if self.cutoff_rule == "needed" and self.k is None:
            raise MetricError(
                f"{self.spelling} always has a cutoff under {self.convention}, as in {self.spelling}@10. For "
                f"rankmetrics' own of the whole list, write {self.name}(convention={OURS.name})."
            )

    @property
    def definition(self) -> Definition:
        """The metric's entry in the catalogue."""
        return catalog().metric(self.name)

    @property
    def is_run(self) -> bool:
        """Whether it is one number for each system, and not for each list."""
        return self.definition.kind == "run"

    @property
    def is_uncut(self) -> bool:
        """Whether its convention always measures the whole list, whatever the cutoff."""
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
        return accepted_parameters(self.name, self.settings, self.decided)

    @property
    def enough(self) -> str:
        """The setting of the policy `enough`; `any` for a metric of a system, which has no such policy."""
        return str({**self.decided, **self.settings}.get("enough", "any"))

    @property
    def given(self) -> Mapping[str, Setting]:
        """The parameters that were given, or that the convention or the evaluation decided."""
        return {name: value for name, value in {**self.decided, **self.settings}.items() if name != "convention"}

    @property
    def values(self) -> Settings:
        """Every parameter of the metric with its value, defaults among them."""
        given = {**self.given, "k": None if self.is_uncut else self.k}
        return {name: given.get(name, parameter.default) for name, parameter in self._accepted.items()}

    @property
    def active(self) -> dict[str, Setting | None]:
        """The values that change the result: those of choices that are not taken are left out."""
        return find_active(self._accepted, self.values)

    def under(self, convention: str | None = None, decided: Mapping[str, Setting] | None = None) -> Metric:
        """The metric as a convention measures it, unless it names another, and as an evaluation decides.

        Raises:
            MetricError: there is no such convention, or it has no such metric.
        """
        meaning, followed = Meaning(self.name, self.decided, self.cutoff_rule), self.convention
        if convention and not followed:
            meaning, followed = find_meaning(self.spelling, convention), find(convention).name
        elif not decided:
            return self
        return replace(
            self,
            name=meaning.name,
            convention=followed,
            decided={**meaning.decided, **(decided or {})},
            cutoff_rule=meaning.cutoff_rule,
        )

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
Asked = str | Metric | Named | Iterable[str | Metric | Named | Iterable[Metric]]


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
    found = list(_parse_all(text, convention))
    if len(found) > 1:
        raise MetricError(
            f"{text!r} is {len(found)} metrics, one for each cutoff: ask for one, as in {found[0].label!r}."
        )
    return found[0]


def _parse_all(text: str, convention: str | None) -> Iterator[Metric]:
    """The metrics of a text: one for each of its cutoffs."""
    written = read_text(text, convention)
    meaning = Meaning(written.meaning.name) if "convention" in written.settings else written.meaning
    followed = find(written.convention).name if written.convention else ""
    for k in written.label.read_cutoffs():
        yield Metric(
            name=meaning.name,
            settings=written.settings,
            k=k,
            spelling=written.label.spelling,
            convention=followed,
            decided=meaning.decided,
            cutoff_rule=meaning.cutoff_rule,
        )


def read_metrics(
    given: Asked,
    convention: str | None = None,
    decided: Mapping[str, Setting] | None = None,
) -> list[Metric]:
    """Every requested metric, in order, each label once: `MAP@5` and `map@5` are one column in SQL.

    Args:
        given: metrics, or a mapping from the name of a column to the metric that it holds.
        convention: the convention under which their spellings are read.
        decided: the policies that hold for all of them.

    Raises:
        MetricError: a metric cannot be read, two metrics have one column, or none was given.

    Example:
        >>> read_metrics(["recall@5,10", "ndcg", "precision@1..3"])
        [recall@5, recall@10, ndcg, precision@1, precision@2, precision@3]
        >>> [(metric.label, metric) for metric in read_metrics({"accuracy": "ndcg@10"})]
        [('accuracy', ndcg@10)]
    """
    found: dict[str, Metric] = {}
    convention = other_convention(convention)
    for metric in _flatten(given, convention):
        known = found.setdefault(metric.label.lower(), metric.under(convention, decided))
        if (metric.column or known.column) and known.text != metric.text:
            raise MetricError(f"Two metrics would have one column {metric.label!r}: {known.text} and {metric.text}.")
    if not found:
        raise MetricError('No metric was asked for. Ask for some, as in ["ndcg@10", "recall@5,10,20"].')
    for metric in found.values():
        metric.refuse_uncut()
    return list(found.values())


def _flatten(given: Asked, convention: str | None) -> Iterator[Metric]:
    if isinstance(given, Mapping):
        yield from (_name_column(name, item, convention) for name, item in given.items())
    elif isinstance(given, Metric):
        yield given
    elif isinstance(given, str):
        yield from _parse_all(given, convention)
    elif isinstance(given, Iterable):
        for item in given:
            yield from _flatten(item, convention)
    else:
        raise MetricError(f"A metric is a text such as 'ndcg@10' or a Metric: {given!r} is neither.")


def _name_column(name: str, given: str | Metric, convention: str | None) -> Metric:
    """A metric whose column gets a name."""
    if not isinstance(name, str) or not name.strip():
        raise MetricError(f"A mapping of metrics goes from the name of a column to a metric: {name!r} is no name.")
    if not isinstance(given, (str, Metric)):
        raise MetricError(f"The column {name!r} takes one metric, such as 'ndcg@10': {given!r} is no metric.")
    return replace(parse(given, convention) if isinstance(given, str) else given, column=name)


def define(definition: str | Path) -> Metric:
    """Define a metric: one SQL expression over the rows of a stage, or over other metrics.

    Args:
        definition: `SELECT expression AS name FROM metrics`, or FROM a stage such as `hits`, with `WHERE rank <= $k`
            for a cutoff; or the path of a file that holds it. A comment above is its documentation.

    Returns:
        The metric; from now on its name can be used in evaluate, too.

    Raises:
        MetricError: the text is not one SELECT of one named expression, reads an unknown column, or the name is taken.

    Example:
        >>> hits_in_100 = define("SELECT n_hits / 100.0 AS hits_in_100 FROM metrics")
        >>> hits_in_100 @ 10
        hits_in_100@10
    """
    if not isinstance(definition, (str, Path)):
        raise MetricError(
            f"A metric is defined by a text of SQL or the path of a .sql file, not by a {type(definition).__name__}: "
            'rm.define("SELECT n_hits / 100.0 AS my_metric FROM metrics").'
        )
    text = str(definition)
    is_file = isinstance(definition, Path) or text.strip().lower().endswith(".sql")
    return Metric(catalog().define(read_file(Path(text)) if is_file else read(text, "The definition")).name)


def list_metrics() -> pl.DataFrame:
    """A frame of metrics: metric, of (list or system), aliases, parameters, needs, summary, undefined, range, source.

    `parameters` come with their defaults; `needs` are the inputs beside recommendations and truth.

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
