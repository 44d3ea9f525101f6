"""One metric under every convention: the answer to why a number is not that of another library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankmetrics.api import evaluate
from rankmetrics.errors import ColumnError, MetricError, names
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find
from rankmetrics.metrics.label import Setting
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.sqltree.names import free_heading

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult

    from rankmetrics.result import Result

OURS = "rankmetrics"
COLUMNS = ("convention", "metric", "value", "n_lists", "differs")


class Comparison:
    """A metric under several conventions; nothing is computed until `collect` or printing.

    Attributes:
        metrics: for each convention, the metric as it measures it; ours, by default parameters, first.
        left_out: for each convention that is not compared, the reason.
        result: the Result that measures all of them in one query.
    """

    def __init__(self, metrics: dict[str, Metric], left_out: dict[str, str], result: Result) -> None:
        self.metrics = metrics
        self.left_out = left_out
        self.result = result

    def collect(self) -> pl.DataFrame:
        """The values, computed and checked: the columns of `by`, then these.

        Returns:
            A frame with a row per system and convention: `convention`, `metric` (its own name of it), `value`,
            `n_lists` (how many lists it is the mean of; NULL for a number of a system) and `differs` (the choices
            that are not ours, in words).

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
                told,
            )
            for row in frame.iter_rows(named=True)
            for convention, metric in self.metrics.items()
            for told in ["; ".join(differences(metric))]
        ]
        types = (pl.String, pl.String, pl.Float64, pl.Int64, pl.String)
        schema: list[Any] = [*((name, frame.schema[name]) for name in by), *zip(headings, types, strict=True)]
        return pl.DataFrame(rows, schema=schema, orient="row")

    @property
    def _headings(self) -> list[str]:
        """What the columns beside those of `by` are called: with a `_` more where one of these has the name."""
        return [free_heading(name, self.result.layout.by) for name in COLUMNS]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        from rankmetrics.display import plain_table, shown_value

        frame = self.collect()
        told = {convention: "\n".join(differences(metric)) for convention, metric in self.metrics.items()}
        place = len(frame.columns) - len(COLUMNS)  # of the convention in a row
        rows = [(*map(shown_value, row[:-1]), told[row[place]]) for row in frame.iter_rows()]
        yield plain_table(frame.columns, rows)
        for convention, why in self.left_out.items():
            yield Text(f"{convention}: {why}", style="dim")

    def __repr__(self) -> str:
        from rankmetrics.display import as_text

        return as_text(self)


def compare_conventions(
    metric: str | Metric,
    recs: object,
    truth: object,
    *,
    conventions: str | Sequence[str] | None = None,
    **options: Any,
) -> Comparison:
    """Measure one metric under every convention, in one query.

    Args:
        metric: such as `"ndcg@10"`; what is set in brackets holds under every convention.
        recs: as in evaluate.
        truth: as in evaluate.
        conventions: which to compare; by default all that have the metric.
        options: as in evaluate: `by`, `lists`, `columns`, `missing`, `history` and so on; what is decided for the call
            holds under every convention.

    Returns:
        A Comparison: it prints as a table, `collect()` gives it as a Polars frame.

    Raises:
        MetricError: there is no such metric or convention.
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
            raise MetricError(f"compare_conventions takes no {name}=: name what to compare in conventions=[...].")
        options.pop(name, None)
    asked = parse(metric) if isinstance(metric, str) else metric
    named = [conventions] if isinstance(conventions, str) else conventions
    chosen = [one for one in map(find, named) if one.name != OURS] if named is not None else list(CONVENTIONS)
    metrics, left_out = {OURS: asked}, {}
    for one in chosen:
        try:
            theirs = _theirs(one, asked)
        except MetricError as error:
            if named is not None:
                raise
            left_out[one.name] = str(error)
            continue
        if theirs is None:
            left_out[one.name] = f"has no {asked.name}"
        else:
            metrics[one.name] = theirs
    aggregates = ["mean"] if asked.is_run else ["mean", "n"]
    try:
        result = evaluate(recs, truth, list(metrics.values()), aggregates=aggregates, **options)
    except ColumnError as error:
        by_order = [name for name, one in metrics.items() if one.values.get("ties") == "input"]
        if "input" not in str(error) or OURS in by_order:
            raise
        left_out |= dict.fromkeys(by_order, "goes by the order of the rows where scores are equal; here is none")
        metrics = {name: one for name, one in metrics.items() if name not in by_order}
        result = evaluate(recs, truth, list(metrics.values()), aggregates=aggregates, **options)
    decided = {one.label: one for one in result.metrics}  # as the options of the call have it
    return Comparison({name: decided[one.label] for name, one in metrics.items()}, left_out, result)


def definitions(metric: str | Metric) -> list[tuple[str, str, str]]:
    """A metric under every convention that has it, without data: the convention, its name of the metric, what differs.

    >>> [differs for convention, _, differs in definitions("recall@10") if convention == "rectools"]
    ['relevance=any: all rows, whatever their rating']
    """
    asked = parse(metric) if isinstance(metric, str) else metric
    ours = (OURS, asked.text, "\n".join(differences(asked)))
    return [ours, *(found for one in CONVENTIONS if (found := _definition(one, asked)) is not None)]


def _definition(convention: Convention, asked: Metric) -> tuple[str, str, str] | None:
    """What a convention takes a metric for; None where it has none, and why not, where it cannot take a parameter."""
    try:
        theirs = _theirs(convention, asked)
    except MetricError as error:
        return convention.name, "", str(error)
    return None if theirs is None else (convention.name, _bare(theirs), "\n".join(differences(theirs)))


def list_conventions() -> pl.DataFrame:
    """The conventions: convention, aliases, what (whose it is), policies, spellings, notes.

    A spelling is `theirs = ours`: the library's name of a metric, and the metric of ours that gives its number.

    Example:
        >>> list_conventions().filter(convention="lenskit")["aliases"].to_list()
        [['lenskit-2025']]
    """
    import polars as pl

    rows = [
        {
            "convention": one.name,
            "aliases": list(one.aliases),
            "what": one.what,
            "policies": [f"{name}={value}" for name, value in one.policies.items()],
            "spellings": [f"{theirs} = {ours}" for theirs, ours in one.spellings.items()],
            "notes": one.remarks,
        }
        for one in CONVENTIONS
    ]
    return pl.DataFrame(rows, schema_overrides={"aliases": pl.List(pl.String)})


def _theirs(convention: Convention, asked: Metric) -> Metric | None:
    """A metric of ours as a convention measures it; None where it has none."""
    targets = {parse(ours).name for ours in convention.spellings.values()}
    if asked.name not in targets:
        return None
    settings: dict[str, Setting] = {**asked.settings, "convention": convention.name}
    try:
        found = Metric(asked.name, settings, asked.k, asked.name)
        found.refuse_uncut()
        # what refuses repeated items would refuse the comparison
        return found(duplicates="once") if found.values.get("duplicates") == "refused" else found
    except MetricError as error:
        raise MetricError(f"Under {convention.name}: {error}") from error


def _bare(metric: Metric) -> str:
    """A metric under the name that its convention has for it."""
    convention = next((one for one in CONVENTIONS if one.name == metric.convention), None)
    theirs = {} if convention is None else convention.spellings
    name = next((one for one, ours in theirs.items() if parse(ours).name == metric.name), metric.name)
    settings = {key: value for key, value in metric.settings.items() if key != "convention"}
    return Metric(metric.name, settings, metric.k).text.replace(metric.name, name, 1)


def differences(metric: Metric) -> list[str]:
    """In words, what a metric does otherwise than it does by default.

    >>> from rankmetrics.metrics.metric import parse
    >>> differences(parse("recall(divisor=capped)@10"))
    ['divisor=capped: min(k, relevant items): the most hits that are possible']
    """
    accepted = catalog().accepted(metric.name, metric.enough)
    active = metric.active
    told = [
        f"{name}={value}: {accepted[name].choices.get(str(value), accepted[name].summary.rstrip('.'))}"
        for name, value in metric.given.items()
        if name in active and value != accepted[name].default
    ]
    return [*told, *(["the whole list, whatever the cutoff"] if metric.is_uncut and metric.k is not None else [])]


def described(convention: Convention) -> str:
    """A convention as text: library, policies, spellings and what they are here, what is not measured, notes."""
    lines = [f"{convention.name}: {convention.what}"]
    if convention.aliases:
        lines.append(f"also called: {names(convention.aliases)}")
    lines.append("")
    for name, value in convention.policies.items():
        parameter = catalog().shared(name)
        lines.append(f"{name} = {value}: {parameter.choices.get(str(value), parameter.summary.rstrip('.'))}")
    width = max((len(one) for one in convention.spellings), default=0)
    lines += ["", *(f"{theirs:{width}}  {ours}" for theirs, ours in convention.spellings.items())]
    if convention.refused:
        lines += ["", f"not measured: {', '.join(convention.refused)}"]
    return "\n".join([*lines, "", *(f"- {one}" for one in convention.remarks)]).rstrip()
