"""The options of a comparison, checked."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankmetrics.comparisons.corrections import CORRECTIONS
from rankmetrics.comparisons.significance import TESTS
from rankmetrics.errors import ColumnError, InputError, MetricError, Option, did_you_mean, names
from rankmetrics.inputs.columns import ColumnType

# What names the baseline: the value of its column, or of each of its columns.
Baseline = str | int | Sequence[str | int] | Mapping[str, str | int]


@dataclass(frozen=True)
class Statistics:
    """Which statistics are computed.

    Attributes:
        tests: the names of the tests.
        correction: the name of the correction for several tests.
        confidence: the probability of the confidence intervals.
        replicates: how many replicates the tests by simulation draw.
        seed: what their random numbers follow from.
    """

    tests: tuple[str, ...]
    correction: str
    confidence: float
    replicates: int
    seed: int


def statistics_of(
    tests: str | Sequence[str],
    correction: str | None,
    confidence: float,
    replicates: int,
    seed: int,
) -> Statistics:
    """The options of the statistics.

    Raises:
        InputError: a test or a correction is unknown, a number is out of its range, or SciPy is not installed.
    """
    chosen = (tests,) if isinstance(tests, str) else tuple(dict.fromkeys(tests))
    for one in chosen:
        _refuse_unknown("tests", one, TESTS)
    _refuse_unknown("correction", correction or "none", CORRECTIONS)
    if not 0 < confidence < 1:
        raise InputError(Option("confidence", is_noun=True), f" must be between 0 and 1, and is {confidence!r}.")
    if isinstance(replicates, bool) or not isinstance(replicates, int) or not 1 <= replicates <= 100_000:
        raise InputError(
            Option("replicates", is_noun=True), f" must be a whole number from 1 to 100000, and is {replicates!r}."
        )
    if importlib.util.find_spec("scipy") is None:
        raise InputError("A comparison is computed with SciPy: pip install 'rankmetrics[statistics]'.")
    return Statistics(chosen, correction or "none", confidence, replicates, seed)


def refuse_tests(tests: Sequence[str], baseline: object, cluster: Sequence[str]) -> None:
    """Refuse tests that do not go with a baseline, or with clusters.

    Raises:
        InputError: there is such a test.
    """
    for one in tests:
        if TESTS[one].is_of_all_pairs and baseline is not None:
            raise InputError(
                f"{TESTS[one].called} is for all pairs of systems: leave out ", Option("baseline", is_noun=True), "."
            )
        if cluster and not TESTS[one].takes_clusters:
            others = [name for name, test in TESTS.items() if test.takes_clusters]
            raise InputError(
                f"{TESTS[one].called} takes every list as independent: with ",
                Option("cluster", is_noun=True),
                f", take {names(others)}.",
            )


def labels_of(given: str | Sequence[str] | None, known: Sequence[str], others: Sequence[str] = ()) -> tuple[str, ...]:
    """The labels of the metrics that are compared; by default all that have a value per list.

    Args:
        given: the metrics that were asked for.
        known: the labels that have values per list.
        others: the labels of the metrics that are numbers of a system.

    Raises:
        MetricError: a metric was not measured, or is a number of a system.
    """
    if given is None and known:
        return tuple(known)
    asked = (given,) if isinstance(given, str) else tuple(given or others)
    found = []
    for one in asked:
        label = one if one in known else _label(str(one))
        if label in others:
            raise MetricError(
                f"{label} is one number for each system, and no number of a list: a paired comparison needs values per "
                "list."
            )
        if label not in known:
            raise MetricError(
                f"{str(one)!r} was not measured: there are {names(known)}.{did_you_mean(str(one), known)}"
            )
        found.append(label)
    return tuple(dict.fromkeys(found))


def _label(text: str) -> str:
    from rankmetrics.metrics.metric import parse

    try:
        return parse(text).label
    except MetricError:
        return text


def baseline_of(
    given: Baseline | None, systems: Sequence[str], types: Mapping[str, ColumnType | None]
) -> tuple[str | int, ...] | None:
    """The values of the columns that name the baseline; None for all pairs.

    Raises:
        InputError: the baseline does not name a value of each column.
    """
    if given is None:
        return None
    if isinstance(given, Mapping):
        if {*given} != {*systems}:
            raise InputError(
                Option("baseline", is_noun=True), f" names {names(given)}, and a system is named by {names(systems)}."
            )
        values = [given[name] for name in systems]
    elif isinstance(given, (str, int)):
        values = [*given.split(", ")] if isinstance(given, str) and len(systems) > 1 else [given]
    else:
        values = [*given]
    if len(values) != len(systems):
        raise InputError(
            Option("baseline", is_noun=True),
            f" must have a value for each column that names a system: {names(systems)}.",
        )
    return tuple(_typed(value, name, types.get(name)) for value, name in zip(values, systems, strict=True))


def _typed(value: str | int, column: str, kind: ColumnType | None) -> str | int:
    """The value of a baseline in the type of its column."""
    if kind is None or kind.family != "integer":
        return str(value) if kind is None or kind.family == "string" else value
    try:
        return int(value)
    except ValueError as error:
        raise InputError(
            Option("baseline", value), f" is no value of {column!r}, which has whole numbers ({kind.name})."
        ) from error


def columns_of(option: str, given: str | Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """The list columns that an option names.

    Raises:
        ColumnError: a name is none of the columns that identify a list of each system.
    """
    chosen = (given,) if isinstance(given, str) else tuple(dict.fromkeys(given or ()))
    for one in chosen:
        if one not in known:
            raise ColumnError(
                Option(option, is_noun=True),
                f" names {one!r}, which is none of the columns that all systems share: {names(known)}."
                f"{did_you_mean(one, known)}",
            )
    return chosen


def _refuse_unknown(option: str, value: str, known: Mapping[str, object]) -> None:
    if value not in known:
        raise InputError(
            Option(option, is_noun=True),
            f" has no {value!r}: there are {names(known)}.{did_you_mean(str(value), known)}",
        )
