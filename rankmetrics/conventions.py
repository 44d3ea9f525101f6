"""One metric under every convention: why a number differs from another library's, and which choice moves it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

from rankmetrics._rounding import exceeds
from rankmetrics.api import measure, options_of
from rankmetrics.errors import ColumnError, InputError, MetricError, Option, counted, names, refuse_kind
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find
from rankmetrics.metrics.metric import Metric, Setting, parse
from rankmetrics.sqltree.names import free_heading
from rankmetrics.tables import Answer, Cell, TextTable, signed

if TYPE_CHECKING:
    import polars as pl

    from rankmetrics.results.result import Result

OURS = "rankmetrics"
COLUMNS = ("convention", "metric", "value", "n_lists", "differs")

# How many conventions are in a line of a printed cell.
PER_LINE = 3

# SystemValues that differ by less are equal: engines sum in different orders.
TOLERANCE = 1e-12

# The reason why a convention is not compared over rows without an order, as those of a relation.
NO_ORDER = "breaks ties by the order of the rows, and these rows have no order"

# The name of the choice to measure the whole list.
CUTOFF = "k"

# The value of a metric for each system, in one order.
SystemValues = tuple[float | None, ...]


class ConventionTable(Answer):
    """A metric under several conventions; nothing is computed until `collect` or printing.

    Attributes:
        metrics: for each convention, the metric as the convention defines it; rankmetrics' own first.
        left_out: for each convention that is not compared, the reason.
        result: the Result that measures all these metrics in one query.
    """

    _heading = "Meanings"

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

        frame, by = self.result.collect(), self.result.layout.by
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
        return _frame({name: frame.schema[name] for name in by}, dict(zip(COLUMNS, types, strict=True)), rows)

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

        systems, _ = self._measured
        rows = [
            (*system, str(effect.choice), effect.meaning, effect.conventions, value, change)
            for effect in self._effects
            for system, value, change in zip(systems.rows() or [()], effect.values, effect.changes, strict=True)
        ]
        types = {"choice": pl.String, "meaning": pl.String, "conventions": pl.List(pl.String)}
        return _frame(systems.schema, {**types, "value": pl.Float64, "change": pl.Float64}, rows)

    def reversals(self) -> pl.DataFrame:
        """The pairs of systems that a convention puts in the other order.

        Returns:
            A frame with a row per pair and convention: `convention`, `better` (the system with the better value by the
            definition of rankmetrics, and the worse by the convention's) and `worse`. It has no rows if the rows of the
            summary are not systems over the same lists.

        Raises:
            DataError: as Result.collect does.
        """
        import polars as pl

        queries, ours = self.result._queries, self._ours.label
        by, values = self._measure([*self.metrics.values()])
        sign = -1 if queries.best_of.get(ours) is min else 1
        systems = [name_of_system(row) for row in by.rows()] if queries.compares else []

        def is_above(label: str, first: int, second: int) -> bool:
            high, low = values[label][first], values[label][second]
            return high is not None and low is not None and exceeds(sign * high, sign * low)

        rows = [
            (convention, systems[first], systems[second])
            for convention, metric in self.metrics.items()
            for first, second in permutations(range(len(systems)), 2)
            if is_above(ours, first, second) and is_above(metric.label, second, first)
        ]
        return pl.DataFrame(rows, dict.fromkeys(("convention", "better", "worse"), pl.String), orient="row")

    def _notes(self) -> list[str]:
        notes = [f"{effect.choice}: {effect.meaning}" for effect in self._effects if effect.moves]
        if idle := [str(effect.choice) for effect in self._effects if not effect.moves]:
            notes.append(f"no effect alone on this data ({counted(len(idle), 'choice', 'choices')}): {'; '.join(idle)}")
        for reason in dict.fromkeys(self.left_out.values()):
            conventions = [convention for convention, why in self.left_out.items() if why == reason]
            notes.append(f"{', '.join(conventions)}: {reason}")
        return notes

    def _tables(self) -> list[TextTable]:
        """Conventions by their values, with the choices that lead there; then the choices that move our value alone."""
        systems = [name_of_system(row) or "value" for row in self._measured[0].rows()] or ["value"]
        keys = (f"conventions with the same {self._ours.label}", "because of")
        values = [[Cell(group.in_lines), Cell(group.reasons), *map(Cell.of, group.values)] for group in self._groups]
        moving = [effect for effect in self._effects if effect.moves]
        changes = [[Cell(str(effect.choice)), *map(_changed, effect.changes)] for effect in moving]
        tables = [
            TextTable([*keys, *systems], values, len(keys)),
            TextTable(["change by one choice alone", *systems], changes, 1),
        ]
        return tables if changes else tables[:1]

    # --- the effect of each choice on our value ---------------------------------------------------------------------

    @property
    def _ours(self) -> Metric:
        return self.metrics[OURS]

    def _measure(self, metrics: Sequence[Metric]) -> tuple[pl.DataFrame, dict[str, SystemValues]]:
        """The columns of `by` of the systems, and the value of each metric for them, from one query over checked data.

        The first is a frame without columns where there is one system.
        """
        self.result.check()
        by, distinct = self.result.layout.by, {metric.label: metric for metric in metrics}
        frame = self.result._engine.collect(self.result._queries.summary(list(distinct.values())))
        frame = frame.sort(by) if by else frame
        return frame.select(by), {label: tuple(frame[label]) for label in distinct}

    @cached_property
    def _choices(self) -> dict[str, list[Choice]]:
        """The choices of each convention; none of ours."""
        return {name: choices_of(self._ours, metric) for name, metric in self.metrics.items()}

    @cached_property
    def _conventions_of(self) -> dict[Choice, list[str]]:
        """The conventions that make each choice; without choices that these inputs cannot measure alone."""
        names: dict[Choice, list[str]] = {}
        for name, choices in self._choices.items():
            for choice in choices:
                names.setdefault(choice, []).append(name)
        return {
            choice: names[choice]
            for choice in names
            if self.result._queries.can_measure(with_choices(self._ours, [choice]))
        }

    @cached_property
    def _measured(self) -> tuple[pl.DataFrame, dict[str, SystemValues]]:
        """The systems; the values of the metrics of all conventions, and of our metric with each choice alone."""
        alone = [with_choices(self._ours, [choice]) for choice in self._conventions_of]
        return self._measure([*self.metrics.values(), *alone])

    @cached_property
    def _effects(self) -> list[Effect]:
        """The effects of choices: those that move the value of a system, the largest move first, then the others."""
        _, values = self._measured
        ours, effects = values[self._ours.label], []
        for choice, conventions in self._conventions_of.items():
            alone = values[with_choices(self._ours, [choice]).label]
            pairs = zip(alone, ours, strict=True)
            changes = tuple(None if new is None or old is None else new - old for new, old in pairs)
            meaning = choice.meaning(self.metrics[conventions[0]])
            effects.append(Effect(choice, meaning, conventions, alone, changes, moves=not are_equal(alone, ours)))
        return sorted(effects, key=lambda effect: (effect.moves, effect.moves and effect.size), reverse=True)

    @cached_property
    def _groups(self) -> list[ConventionGroup]:
        """The conventions by their values, those with our value first, with the choices that lead to other values.

        These are the choices that move our value alone if they are enough, else all.
        """
        values, moving = self._measured[1], {effect.choice for effect in self._effects if effect.moves}
        theirs = {name: values[metric.label] for name, metric in self.metrics.items()}
        few = {name: [choice for choice in choices if choice in moving] for name, choices in self._choices.items()}
        reduced = {
            name: with_choices(self._ours, few[name]) for name in theirs if not are_equal(theirs[name], theirs[OURS])
        }
        of_reduced = self._measure(list(reduced.values()))[1] if reduced else {}
        groups: list[ConventionGroup] = []
        for name in self.metrics:
            group = next((group for group in groups if are_equal(group.values, theirs[name])), None)
            if group is None:
                groups.append(group := ConventionGroup(theirs[name]))
            group.conventions.append(name)
            if name in reduced:
                is_enough = are_equal(of_reduced[reduced[name].label], theirs[name])
                group.choices.append((few if is_enough else self._choices)[name])
        return groups


def _frame(by: Mapping[str, Any], columns: Mapping[str, Any], rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    """A frame with the columns of `by`, then others, which get a `_` where `by` has the same name."""
    import polars as pl

    schema = {**by, **{free_heading(name, by): kind for name, kind in columns.items()}}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _changed(change: float | None) -> Cell:
    """A change, blank if the value does not change; a dash where a value is undefined."""
    return Cell("" if change is not None and abs(change) <= TOLERANCE else signed(change))


def compare_conventions(
    metric: str | Metric,
    recs: object,
    truth: object = None,
    *,
    conventions: str | Sequence[str] | None = None,
    **options: Any,
) -> ConventionTable:
    """The value of one metric under every convention, from one query.

    Args:
        metric: such as `"ndcg@10"`; parameters in brackets hold under every convention.
        recs: as in evaluate.
        truth: as in evaluate; none with `label`.
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
            raise said(MetricError, "takes_every_convention", option=Option(name))
    refuse_kind("metric", metric, (str, Metric), "compare_conventions('ndcg@10', recs, truth)")
    return measure_conventions(metric, conventions, options_of(recs, truth, **options))


def measure_conventions(
    metric: str | Metric, conventions: str | Sequence[str] | None, options: Mapping[str, Any]
) -> ConventionTable:
    """The value of a metric under conventions, of inputs and options of a Request."""
    ours = parse(metric) if isinstance(metric, str) else metric
    metrics, left_out = _under_each(ours, [conventions] if isinstance(conventions, str) else conventions)
    options = {**options, "convention": None, "aggregates": ["mean"] if ours.is_run else ["mean", "n"]}
    try:
        result = measure({**options, "metrics": list(metrics.values())})
    except ColumnError as error:
        by_order = [name for name, metric in metrics.items() if metric.values.get("ties") == "input"]
        if str(Option("ties", "input")) not in error.text or OURS in by_order:
            raise
        left_out |= dict.fromkeys(by_order, NO_ORDER)
        metrics = {name: metric for name, metric in metrics.items() if name not in by_order}
        result = measure({**options, "metrics": list(metrics.values())})
    if result.layout.totals:
        raise InputError(f"The table of conventions has no totals: leave out {Option('rollup')}.")
    by_text = {metric.text: metric for metric in result.metrics}  # with the policies of this call
    return ConventionTable({name: by_text[metric.text] for name, metric in metrics.items()}, left_out, result)


def _under_each(metric: Metric, chosen: Sequence[str] | None) -> tuple[dict[str, Metric], dict[str, str]]:
    """A metric under each chosen convention, rankmetrics' own first; and the reason for each convention left out."""
    metrics, left_out = {OURS: metric}, {}
    conventions = CONVENTIONS if chosen is None else [known for known in map(find, chosen) if known.name != OURS]
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
    """Rows of a convention, its name for a metric, and the choices that differ from those of rankmetrics, without data.

    >>> [differs for convention, _, differs in definitions("recall@10") if convention == "rectools"]
    ['relevance=any: all rows, whatever their rating']
    """
    ours = parse(metric) if isinstance(metric, str) else metric
    rows = [(OURS, ours.text, "\n".join(differences(ours)))]
    for convention in CONVENTIONS:
        try:
            if theirs := _theirs(convention, ours):
                rows.append((convention.name, _bare(theirs), "\n".join(differences(theirs))))
        except MetricError as error:  # the convention lacks a parameter
            rows.append((convention.name, "", str(error)))
    return rows


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
        theirs = Metric(metric.name, settings, metric.k, metric.name)
        theirs.refuse_uncut()
        # a metric that refuses repeated items would refuse the whole comparison
        return theirs(duplicates="once") if theirs.values.get("duplicates") == "refused" else theirs
    except MetricError as error:
        raise MetricError(f"Under {convention.name}: {error}") from error


def _bare(metric: Metric) -> str:
    """A metric as text, under its convention's name for it."""
    spellings = find(metric.convention or OURS).spellings
    name = next((theirs for theirs, ours in spellings.items() if parse(ours).name == metric.name), metric.name)
    settings = {key: value for key, value in metric.settings.items() if key != "convention"}
    return Metric(metric.name, settings, metric.k).text.replace(metric.name, name, 1)


def differences(metric: Metric) -> list[str]:
    """The parameters of a metric that do not have their default, each as `divisor=capped: ...`, with its meaning."""
    accepted = catalog().accepted(metric.name, metric.enough)
    active = metric.active
    differing = [
        f"{name}={value}: {accepted[name].meaning(value)}"
        for name, value in metric.given.items()
        if name in active and value != accepted[name].default
    ]
    return [*differing, *(["the whole list, whatever the cutoff"] if metric.is_uncut and metric.k is not None else [])]


def described(convention: Convention) -> str:
    """A convention as text: library, policies, spellings with the metrics they represent, metrics left out, notes."""
    lines = [f"{convention.name}: {convention.what}"]
    if convention.aliases:
        lines.append(f"also called: {names(convention.aliases)}")
    lines.append("")
    for name, value in convention.policies.items():
        lines.append(f"{name} = {value}: {catalog().shared(name).meaning(value)}")
    width = max((len(spelling) for spelling in convention.spellings), default=0)
    lines += ["", *(f"{theirs:{width}}  {ours}" for theirs, ours in convention.spellings.items())]
    if convention.refused:
        lines += ["", f"not measured: {', '.join(convention.refused)}"]
    return "\n".join([*lines, "", *(f"- {remark}" for remark in convention.notes)]).rstrip()


# --- choices ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A setting of a convention that differs from ours, with settings that only mean something next to it."""

    settings: tuple[tuple[str, Setting | None], ...]

    def __str__(self) -> str:
        return ", ".join("the whole list" if name == CUTOFF else f"{name}={value}" for name, value in self.settings)

    def meaning(self, metric: Metric) -> str:
        """The meaning of the choice, in the words of its file, for a metric that has made it."""
        name, value = self.settings[0]
        if name == CUTOFF:
            return "whatever the cutoff"
        return catalog().accepted(metric.name, metric.enough)[name].meaning(value)


def with_choices(metric: Metric, choices: Iterable[Choice]) -> Metric:
    """A metric under further choices."""
    settings = {name: value for choice in choices for name, value in choice.settings}
    if CUTOFF in settings:  # under a convention that always measures the whole list
        del settings[CUTOFF]
        metric = replace(metric, k=None, column="")
    return metric(**{name: value for name, value in settings.items() if value is not None})


def choices_of(ours: Metric, theirs: Metric) -> list[Choice]:
    """The choices that lead from our metric to that of a convention, each as small as it can be made alone."""

    def is_possible(choice: Choice) -> bool:
        try:
            with_choices(ours, [choice])
        except MetricError:
            return False
        return True

    settings = [
        (name, value)
        for name, value in theirs.active.items()
        if value != ours.values.get(name) and (value is not None or name == CUTOFF)
    ]
    choices = [choice for setting in settings if is_possible(choice := Choice((setting,)))]
    for setting in settings:  # those that mean something only next to another
        if not any(setting in choice.settings for choice in choices):
            for place, choice in enumerate(choices):
                if is_possible(larger := Choice((*choice.settings, setting))):
                    choices[place] = larger
                    break
    return choices


@dataclass(frozen=True)
class Effect:
    """The effect of a choice that is made alone, on each system."""

    choice: Choice
    meaning: str
    conventions: Sequence[str]  # that make it
    values: SystemValues
    changes: SystemValues  # from our values; None where a value is undefined
    moves: bool  # True if a value changes

    @property
    def size(self) -> float:
        """The largest change."""
        return max((math.inf if change is None else abs(change) for change in self.changes), default=0)


@dataclass
class ConventionGroup:
    """Conventions whose values are equal for every system."""

    values: SystemValues
    conventions: list[str] = field(default_factory=list)  # their names
    choices: list[Sequence[Choice]] = field(default_factory=list)  # of each, those that lead from our value to this one

    @property
    def in_lines(self) -> str:
        """The names of the conventions, in lines of a few each."""
        starts = range(0, len(self.conventions), PER_LINE)
        return ",\n".join(", ".join(self.conventions[start : start + PER_LINE]) for start in starts)

    @property
    def reasons(self) -> str:
        """The choices, a line for each set of them; empty for our own value."""
        return "\n".join(dict.fromkeys(" and ".join(map(str, choices)) for choices in self.choices))


def are_equal(left: SystemValues, right: SystemValues) -> bool:
    """True if two metrics have the same value for every system."""
    return all(
        a is b if a is None or b is None else math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        for a, b in zip(left, right, strict=True)
    )
