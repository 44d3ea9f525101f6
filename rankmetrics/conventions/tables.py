"""One metric under every convention: why a number differs from another library's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankmetrics.api import evaluate
from rankmetrics.conventions.choices import Choice, Moves
from rankmetrics.errors import ColumnError, MetricError, Option, names
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find
from rankmetrics.metrics.label import Setting
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.sqltree.names import free_heading

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult

    from rankmetrics.conventions.display import ConventionsShown
    from rankmetrics.results.result import Result

OURS = "rankmetrics"
COLUMNS = ("convention", "metric", "value", "n_lists", "differs")


class ConventionTable:
    """A metric under several conventions; nothing is computed until `collect` or printing.

    Attributes:
        metrics: for each convention, the metric as the convention defines it; rankmetrics' own first.
        left_out: for each convention that is not compared, the reason.
        result: the Result that measures all these metrics in one query.
    """

    def __init__(self, metrics: dict[str, Metric], left_out: dict[str, str], result: Result) -> None:
        self.metrics = metrics
        self.left_out = left_out
        self.result = result

    def collect(self) -> pl.DataFrame:
        """The values, computed and checked: one row per system and convention.

        Returns:
            A frame with the columns of `by`, then `convention`, `metric` (the convention's name for the metric),
            `value`, `n_lists` (the number of lists in the mean; NULL for a number of a system) and `differs` (in
            words, the choices that differ from those of rankmetrics).

        Raises:
            DataError: as Result.collect does.
        """
        import polars as pl

        frame, headings = self.result.collect(), self._headings
        by = list(self.result.layout.by)
        rows = [
            (
                *(row[name] for name in by),
                convention,
                _bare(metric),
                row[metric.label],
                row.get(f"{metric.label} n"),
                "; ".join(differences(metric)),
            )
            for row in frame.iter_rows(named=True)
            for convention, metric in self.metrics.items()
        ]
        types = (pl.String, pl.String, pl.Float64, pl.Int64, pl.String)
        schema: list[Any] = [*((name, frame.schema[name]) for name in by), *zip(headings, types, strict=True)]
        return pl.DataFrame(rows, schema=schema, orient="row")

    @property
    def _headings(self) -> list[str]:
        """The names of the columns after those of `by`, with a `_` appended where `by` has the same name."""
        return [free_heading(name, self.result.layout.by) for name in COLUMNS]

    @cached_property
    def _moves(self) -> Moves:
        """Which choices move the number, measured at the first use."""
        ours, *_ = self.metrics.values()
        theirs = {name: metric for name, metric in self.metrics.items() if name != OURS}
        return Moves(ours, theirs, self._measure, self.result._queries.can_measure)

    def _measure(self, metrics: Sequence[Metric]) -> dict[str, tuple[float | None, ...]]:
        """The value of each metric for each system, in the order of the systems, from one query."""
        by, different = list(self.result.layout.by), {metric.label: metric for metric in metrics}
        frame = self.result._engine.collect(self.result._queries.summary(list(different.values())))
        frame = frame.sort(by) if by else frame
        return {label: tuple(frame[label]) for label in different}

    @cached_property
    def _systems(self) -> pl.DataFrame:
        """The columns of `by` of each system, in order; a frame without columns where there is one system."""
        by = list(self.result.layout.by)
        found = self.result.collect().select(by)
        return found.sort(by) if by else found

    def choices(self) -> pl.DataFrame:
        """The effect of each choice of a convention on its own, as a change to the definition of rankmetrics.

        Returns:
            A frame with a row per system and choice: the columns of `by`, then `choice` (such as `gain=exponential`),
            `meaning`, `conventions` (those that make the choice), `value` with this choice alone, and `change`, the
            difference from rankmetrics' own value. Choices come with the largest change first.

        Raises:
            DataError: as Result.collect does.
        """
        import polars as pl

        moves, by = self._moves, self._systems.columns
        systems = self._systems.rows() or [()]
        rows = [
            (*system, str(choice), self._meaning(choice), moves.conventions_of[choice], value, change)
            for choice in [*moves.moving, *self._idle]
            for system, value, change in zip(systems, moves.alone(choice), moves.changes(choice), strict=True)
        ]
        names = [free_heading(name, by) for name in ("choice", "meaning", "conventions", "value", "change")]
        types = (pl.String, pl.String, pl.List(pl.String), pl.Float64, pl.Float64)
        schema: list[Any] = [*self._systems.schema.items(), *zip(names, types, strict=True)]
        return pl.DataFrame(rows, schema=schema, orient="row")

    @property
    def _idle(self) -> list[Choice]:
        """The choices that change no value of this data when they are made alone."""
        return [convention for convention in self._moves.conventions_of if convention not in self._moves.moving]

    def _meaning(self, choice: Choice) -> str:
        return choice.meaning(self.metrics[self._moves.conventions_of[choice][0]])

    def _shown(self) -> ConventionsShown:
        from rankmetrics.conventions.display import ConventionsShown

        systems = [name_of_system(row) or "value" for row in self._systems.rows()] or ["value"]
        label, idle = self.metrics[OURS].label, list(map(str, self._idle))
        return ConventionsShown(label, systems, self._moves, self._meaning, idle, self.left_out)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._shown().rendered(console, options)

    def __repr__(self) -> str:
        from rankmetrics.tables.display import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        return self._shown().as_html()


def compare_conventions(
    metric: str | Metric,
    recs: object,
    truth: object,
    *,
    conventions: str | Sequence[str] | None = None,
    **options: Any,
) -> ConventionTable:
    """The value of one metric under every convention, from one query.

    Args:
        metric: such as `"ndcg@10"`; parameters in brackets hold under every convention.
        recs: as in evaluate.
        truth: as in evaluate.
        conventions: which to compare; by default all that have the metric.
        options: as in evaluate: `by`, `lists`, `columns`, `missing`, `history` and so on; they hold under every
            convention.

    Returns:
        A ConventionTable: it prints the conventions by their values and the choices that move the number;
        `collect()` and `choices()` return Polars frames.

    Raises:
        MetricError: the metric or a convention is unknown.
        ColumnError, InputError: as evaluate does.

    Example:
        >>> import polars as pl
        >>> recs = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 7], "rank": [1, 2, 1]})
        >>> truth = pl.DataFrame({"user": [1, 2, 3], "item": [8, 7, 9], "rating": [4.0, 2.0, 5.0]})
        >>> found = compare_conventions("precision@2", recs, truth, conventions=["replay", "lenskit"]).collect()
        >>> found.select("convention", "value").rows()
        [('rankmetrics', 0.3333333333333333), ('replay', 0.3333333333333333), ('lenskit', 0.75)]
    """
    for name in ("convention", "aggregates"):
        if options.get(name) is not None:
            raise MetricError(
                "compare_conventions takes no ",
                Option(name),
                ": name what to compare in ",
                Option("conventions", [...]),
                ".",
            )
        options.pop(name, None)
    ours = parse(metric) if isinstance(metric, str) else metric
    metrics, left_out = _under_each(ours, [conventions] if isinstance(conventions, str) else conventions)
    aggregates = ["mean"] if ours.is_run else ["mean", "n"]
    try:
        result = evaluate(recs, truth, list(metrics.values()), aggregates=aggregates, **options)
    except ColumnError as error:
        by_order = [name for name, metric in metrics.items() if metric.values.get("ties") == "input"]
        if Option("ties", "input") not in error.parts or OURS in by_order:
            raise
        left_out |= dict.fromkeys(by_order, "breaks ties by the order of the rows, and these rows have no order")
        metrics = {name: metric for name, metric in metrics.items() if name not in by_order}
        result = evaluate(recs, truth, list(metrics.values()), aggregates=aggregates, **options)
    by_text = {metric.text: metric for metric in result.metrics}  # with the policies of this call
    return ConventionTable({name: by_text[metric.text] for name, metric in metrics.items()}, left_out, result)


def _under_each(metric: Metric, chosen: Sequence[str] | None) -> tuple[dict[str, Metric], dict[str, str]]:
    """A metric under each convention, by the convention's name; and the reason for each convention left out.

    Args:
        metric: as rankmetrics defines it, which comes first.
        chosen: names of conventions; None for all that have the metric.

    Raises:
        MetricError: a chosen convention is unknown or does not have the metric as it is.
    """
    metrics, left_out = {OURS: metric}, {}
    conventions = CONVENTIONS if chosen is None else [found for found in map(find, chosen) if found.name != OURS]
    for convention in conventions:
        try:
            theirs = _theirs(convention, metric)
        except MetricError as error:
            if chosen is not None:
                raise
            left_out[convention.name] = str(error)
            continue
        if theirs is None:
            left_out[convention.name] = f"has no {metric.name}"
        else:
            metrics[convention.name] = theirs
    return metrics, left_out


def definitions(metric: str | Metric) -> list[tuple[str, str, str]]:
    """A metric under every convention that has it, without data.

    Returns:
        Rows of the convention, its name for the metric, and the choices that differ from those of rankmetrics.

    >>> [differs for convention, _, differs in definitions("recall@10") if convention == "rectools"]
    ['relevance=any: all rows, whatever their rating']
    """
    ours = parse(metric) if isinstance(metric, str) else metric
    first = (OURS, ours.text, "\n".join(differences(ours)))
    return [first, *(row for convention in CONVENTIONS if (row := _definition(convention, ours)) is not None)]


def _definition(convention: Convention, metric: Metric) -> tuple[str, str, str] | None:
    """A row of `definitions`: the reason in place of the choices where the convention lacks a parameter.

    None where the convention has no such metric.
    """
    try:
        theirs = _theirs(convention, metric)
    except MetricError as error:
        return convention.name, "", str(error)
    return None if theirs is None else (convention.name, _bare(theirs), "\n".join(differences(theirs)))


def list_conventions() -> pl.DataFrame:
    """A frame of the conventions: convention, aliases, what (the library), policies, spellings, notes.

    A spelling is `theirs = ours`: the library's name for a metric, and the metric of rankmetrics with the same value.

    Example:
        >>> list_conventions().filter(convention="lenskit")["aliases"].to_list()
        [['lenskit-2025']]
    """
    import polars as pl

    rows = [
        {
            "convention": convention.name,
            "aliases": list(convention.aliases),
            "what": convention.what,
            "policies": [f"{name}={value}" for name, value in convention.policies.items()],
            "spellings": [f"{theirs} = {ours}" for theirs, ours in convention.spellings.items()],
            "notes": list(convention.notes),
        }
        for convention in CONVENTIONS
    ]
    return pl.DataFrame(rows, schema_overrides={"aliases": pl.List(pl.String)})


def _theirs(convention: Convention, metric: Metric) -> Metric | None:
    """A metric as a convention defines it; None where the convention has no such metric."""
    targets = {parse(ours).name for ours in convention.spellings.values()}
    if metric.name not in targets:
        return None
    settings: dict[str, Setting] = {**metric.settings, "convention": convention.name}
    try:
        found = Metric(metric.name, settings, metric.k, metric.name)
        found.refuse_uncut()
        # a metric that refuses repeated items would refuse the whole comparison
        return found(duplicates="once") if found.values.get("duplicates") == "refused" else found
    except MetricError as error:
        raise MetricError(f"Under {convention.name}: ", *error.parts) from error


def _bare(metric: Metric) -> str:
    """A metric as text, under its convention's name for it."""
    convention = next((known for known in CONVENTIONS if known.name == metric.convention), None)
    theirs = {} if convention is None else convention.spellings
    name = next((spelling for spelling, ours in theirs.items() if parse(ours).name == metric.name), metric.name)
    settings = {key: value for key, value in metric.settings.items() if key != "convention"}
    return Metric(metric.name, settings, metric.k).text.replace(metric.name, name, 1)


def differences(metric: Metric) -> list[str]:
    """In words, the parameters of a metric that do not have their default.

    >>> from rankmetrics.metrics.metric import parse
    >>> differences(parse("recall(divisor=capped)@10"))
    ['divisor=capped: min(k, relevant items): the most hits that are possible']
    """
    accepted = catalog().accepted(metric.name, metric.enough)
    active = metric.active
    differing = [
        f"{name}={value}: {accepted[name].choices.get(str(value), accepted[name].summary.rstrip('.'))}"
        for name, value in metric.given.items()
        if name in active and value != accepted[name].default
    ]
    return [*differing, *(["the whole list, whatever the cutoff"] if metric.is_uncut and metric.k is not None else [])]


def described(convention: Convention) -> str:
    """A convention as text: library, policies, spellings with the metrics they stand for, metrics left out, notes."""
    lines = [f"{convention.name}: {convention.what}"]
    if convention.aliases:
        lines.append(f"also called: {names(convention.aliases)}")
    lines.append("")
    for name, value in convention.policies.items():
        parameter = catalog().shared(name)
        lines.append(f"{name} = {value}: {parameter.choices.get(str(value), parameter.summary.rstrip('.'))}")
    width = max((len(spelling) for spelling in convention.spellings), default=0)
    lines += ["", *(f"{theirs:{width}}  {ours}" for theirs, ours in convention.spellings.items())]
    if convention.refused:
        lines += ["", f"not measured: {', '.join(convention.refused)}"]
    return "\n".join([*lines, "", *(f"- {remark}" for remark in convention.notes)]).rstrip()
