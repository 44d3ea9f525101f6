"""Searches the definitions of the catalogue for those with given values on problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rankmetrics.api import evaluate
from rankmetrics.conventions import Choice, _under_each, choices_of, with_choices
from rankmetrics.errors import MetricError, RankMetricsError, plain
from rankmetrics.identification.calls import USUAL_CUTOFFS, Answers
from rankmetrics.identification.problems import Problem
from rankmetrics.metrics.catalog import MISSING_LISTS, POLICIES_OF_LISTS, WEIGHTS, catalog
from rankmetrics.metrics.conventions import CONVENTIONS
from rankmetrics.metrics.metric import Metric, Setting, read_label, read_text

# The relevant items that a definition knows of, in words.
ALL, RETRIEVED, FIRST_K = "all", "retrieved", "retrieved in the first k"
TRUTHS: Mapping[str, str] = {
    ALL: "all relevant items count, retrieved or not",
    RETRIEVED: "relevant items that were not retrieved do not count, nor in the ideal list",
    FIRST_K: "relevant items beyond the cutoff do not count, nor in the ideal list",
}

# Values are equal if they differ by less: other code may compute in 32 bits.
TOLERANCE = 2e-6

# The number of definitions that the search goes on from, and of choices that it adds.
WIDTH, DEPTH = 8, 6


@dataclass(frozen=True)
class Definition:
    """A metric, and the relevant items that it knows of."""

    metric: Metric
    truth: str = ALL

    def __str__(self) -> str:
        return self.metric.text + ("" if self.truth == ALL else f" over a truth of the items {self.truth}")


Values = Sequence[float | None]


def are_equal(left: float | None, right: float | str | None, tolerance: float = TOLERANCE) -> bool:
    """True if two values of a problem are equal, or both undefined."""
    if left is None or right is None or isinstance(right, str):
        return left is right
    return abs(left - right) <= tolerance * max(1, abs(left))


class Table:
    """The values of metrics on the problems of several ways of calling, computed when they are needed."""

    def __init__(self, ways: Sequence[Sequence[Problem]]) -> None:
        import polars as pl

        recs, truth = [], []
        for way, problems in enumerate(ways):
            for place, problem in enumerate(problems):
                known = {ALL: {*problem.ratings}, RETRIEVED: {*problem.items}, FIRST_K: {*problem.items[: problem.k]}}
                for of, items in known.items():
                    key = (way, of, place)
                    ranked = zip(problem.items, problem.scores, strict=True) if problem.items else [(None, None)]
                    recs += [(*key, item, score) for item, score in ranked]  # an empty list is a row without an item
                    truth += [(*key, item, rating) for item, rating in problem.ratings.items() if item in items]
        keys = {"way": pl.Int64, "known": pl.String, "problem": pl.Int64}
        self._recs = pl.DataFrame(recs, {**keys, "item": pl.String, "score": pl.Float64}, orient="row")
        self._truth = pl.DataFrame(truth, {**keys, "item": pl.String, "rating": pl.Float64}, orient="row")
        self._values: dict[str, dict[tuple[int, str], Values]] = {}  # by the text of the metric

    def measure(self, metrics: Iterable[Metric]) -> list[Metric]:
        """Compute the values of metrics, and return the metrics that have values: others need further inputs."""
        wanted = {metric.text: metric for metric in metrics}
        self._compute([metric for text, metric in wanted.items() if text not in self._values])
        return [metric for text, metric in wanted.items() if self._values[text]]

    def _compute(self, metrics: Sequence[Metric]) -> None:
        if not metrics:
            return
        named = {f"m{place}": metric for place, metric in enumerate(metrics)}
        lists = ["way", "known", "problem"]
        try:
            frame = evaluate(self._recs, self._truth, named, lists=lists, missing="listed").per_list()
        except RankMetricsError:  # one of them needs another input, or a cutoff
            half = len(metrics) // 2
            for part in (metrics[:half], metrics[half:]) if half else ():
                self._compute(part)
            if not half:
                self._values[metrics[0].text] = {}
            return
        self._values |= {metric.text: {} for metric in metrics}
        for (way, known), group in frame.collect().sort(lists).group_by("way", "known"):
            for column, metric in named.items():
                self._values[metric.text][way, known] = group[column].fill_nan(None).to_list()

    def values(self, definition: Definition, way: int = 0) -> Values:
        """The values of a definition that was measured, for the problems of a way of calling."""
        return self._values[definition.metric.text][way, definition.truth]


# --- definitions to try -----------------------------------------------------------------------------------------------


@cache
def _spellings() -> dict[str, list[str]]:
    """The metrics that each name stands for, here or in a library."""
    pairs = [(name, metric.name) for metric in catalog().metrics() for name in (metric.name, *metric.aliases)]
    of_libraries = (pair for convention in CONVENTIONS for pair in convention.spellings.items())
    pairs += [(theirs, catalog().metric(read_label(ours).spelling).name) for theirs, ours in of_libraries]
    known: dict[str, list[str]] = {}
    for name, metric in pairs:
        if catalog().metric(metric).kind == "metric":
            known.setdefault(plain(name), []).append(metric)
    return known


def guess(name: str) -> tuple[list[str], int | None]:
    """The metrics that the name of a function may mean, and the cutoff in it.

    >>> guess("calc_ndcg_at_10"), guess("my_metric")
    ((['ndcg'], 10), ([], None))
    """
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
    k = re.search(r"(?:at|@|_)_?(\d+)$", words)
    parts = [part for part in re.split(r"[^a-z0-9]+", words) if part]
    spans = [(start, end) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1)]
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        text = "".join(parts[start:end])
        for spelled in (text, re.sub(r"(at)?(k|\d+)$", "", text)):
            if metrics := _spellings().get(spelled):
                return [*dict.fromkeys(metrics)], int(k[1]) if k else None
    return [], int(k[1]) if k else None


def starts(names: Sequence[str], cutoffs: Sequence[int | None]) -> list[Metric]:
    """The definitions to begin with: named metrics as each library defines them, and all others as rankmetrics does."""
    metrics: list[Metric] = []
    for name in dict.fromkeys([*names, *_simple()]):
        near = {k + n for k in cutoffs[:1] if k for n in (-1, 1)} - {0} if name in names else ()
        for k in (*cutoffs, *near) if "k" in catalog().accepted(name) else (None,):
            if k or "cutoff" not in catalog().metric(name).fields:
                ours = Metric(name, k=k)
                metrics += [ours, *(ours(undefined=value) for value in catalog().shared("undefined").choices)]
                if name in names:
                    under = _under_each(ours, None)[0].values()
                    metrics += (with_choices(ours, filter(_bears_on_lists, choices_of(ours, each))) for each in under)
    return metrics


def _bears_on_lists(choice: Choice) -> bool:
    return not _is_left_out(choice.settings[0][0])


def _simple() -> list[str]:
    """The metrics of lists that need no other inputs and no subtopics."""
    names = [each.name for each in catalog().metrics() if each.kind == "metric" and not catalog().is_own(each.name)]
    return [name for name in names if not (catalog().needs(name) or catalog().reads_subtopics(name))]


def _is_left_out(name: str) -> bool:
    """True for a policy that does not bear on the value of one list, or that needs other inputs."""
    return name == MISSING_LISTS or name in catalog().with_inner((WEIGHTS,))


@cache
def _numbers() -> dict[str, list[Setting]]:
    """The numbers that libraries give to each parameter; for `rel`, also ratings."""
    numbers: dict[str, list[Setting]] = {"rel": [1, 2, 3, 4]}
    for convention in CONVENTIONS:
        for settings in (convention.policies, *(read_text(ours)[1] for ours in convention.spellings.values())):
            for name, value in settings.items():
                numbers.setdefault(name, []).append(value)
    return {name: [*dict.fromkeys(values)] for name, values in numbers.items()}


def alternatives(metric: Metric) -> Iterator[tuple[str, Setting | None, Metric]]:
    """The metrics that differ from a metric in one parameter, each with the parameter and its value."""
    accepted = catalog().accepted(metric.name, metric.enough)
    for name, value in metric.active.items():
        parameter = accepted[name]
        if name == "k":
            cutoffs = {*USUAL_CUTOFFS, None} if value is None else {int(value) - 1, int(value) + 1, None} - {0}
            yield from ((name, k, replace(metric, k=k, column="")) for k in sorted(cutoffs, key=str))
        elif not _is_left_out(name):
            for other in parameter.choices or (parameter.default, *_numbers().get(name, ())):
                is_told = name not in POLICIES_OF_LISTS or not parameter.parameters_of(other)
                if other not in (value, "refused") and is_told and (changed := changed_metric(metric, name, other)):
                    yield name, other, changed


def changed_metric(metric: Metric, name: str, value: Setting | None) -> Metric | None:
    """A metric with another value of a parameter, its default if it is None; None where they exclude each other."""
    settings = {key: each for key, each in metric.settings.items() if key != name}
    if value is not None and value != catalog().accepted(metric.name, metric.enough)[name].default:
        settings[name] = value
    try:
        return replace(metric, settings=settings, column="")
    except MetricError:
        return None


def n_choices(metric: Metric, k: int | None) -> int:
    """The number of choices that differ from those of rankmetrics at a cutoff."""
    differ = metric.active.items() - {(name, each.default) for name, each in catalog().accepted(metric.name).items()}
    return len({name for name, _ in differ} - {"k"}) + (metric.k != k)


def _places(metric: Metric) -> int:
    """The sum of the places of a metric's choices in their files, where the usual choices come first."""
    accepted = catalog().accepted(metric.name, metric.enough)
    return sum(
        [*accepted[name].choices].index(str(value)) for name, value in metric.settings.items() if accepted[name].choices
    )


# --- the search -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Match:
    """A definition, and how many problems it agrees on with a function that was called in some way."""

    definition: Definition
    way: int
    n_equal: int
    n_choices: int


class Search:
    """The definitions that have the values of a function, for each way in which it was called.

    Args:
        ways: what the function returned.
        names: the metrics that its name may mean.
        k: its cutoff, as far as it is known.
    """

    def __init__(self, ways: Sequence[Answers], names: Sequence[str], k: int | None) -> None:
        self.ways, self.names, self.k = ways, names, k
        self.table = Table([*(way.problems for way in ways), *(way.originals for way in ways)])
        self.tolerances = [_tolerance(way.values) for way in ways]
        cutoffs: Sequence[int | None] = (k, None) if ways[0].takes_cutoff else (*dict.fromkeys([k, *USUAL_CUTOFFS, 1]),)
        self._starts = self.table.measure(starts(names, cutoffs))

    def equal(self, definition: Definition, way: int) -> list[bool | None]:
        """For each problem, True if a definition has the value of the function; None where the function has none."""
        pairs = zip(self.table.values(definition, way), self.ways[way].values, strict=True)
        return [
            None if isinstance(theirs, str) else are_equal(ours, theirs, self.tolerances[way]) for ours, theirs in pairs
        ]

    def matches(self, metrics: Iterable[Metric], way: int) -> list[Match]:
        """The matches of metrics that were measured, the best first."""
        matches = [
            Match(definition, way, sum(map(bool, self.equal(definition, way))), n + (truth != ALL))
            for metric, n in ((metric, n_choices(metric, self.k)) for metric in metrics)
            for definition, truth in ((Definition(metric, truth), truth) for truth in TRUTHS)
        ]
        return sorted(matches, key=self._order)

    def _order(self, match: Match) -> tuple[object, ...]:
        metric, is_narrower = match.definition.metric, match.definition.truth != ALL
        return -match.n_equal, match.n_choices, is_narrower, metric.name not in self.names, _places(metric)

    def best(self) -> Match:
        """The first definition that agrees on all problems of a way of calling; else on the largest share of them."""
        best: Match | None = None
        for way in range(len(self.ways)):
            match = self._best(way)
            if best is None or match.n_equal / self.n_answers(way) > best.n_equal / self.n_answers(best.way):
                best = match
            if best.n_equal == self.n_answers(best.way):
                break
        assert best is not None
        return best

    def _best(self, way: int) -> Match:
        """The definition that agrees on most problems of a way, with as few choices as possible.

        Each step adds a choice to the best definitions, and to the best of the metrics that the name means.
        """
        matches, reached = self.matches(self._starts, way), tuple[int, ...]()
        for _ in range(DEPTH):
            named = [each for each in matches if each.definition.metric.name in self.names][:WIDTH]
            progress = (matches[0].n_equal, *(each.n_equal for each in named[:1]))
            if matches[0].n_equal == self.n_answers(way) or progress == reached:
                break
            reached = progress
            steps = (other for each in (*matches[:WIDTH], *named) for *_, other in alternatives(each.definition.metric))
            known = {str(each.definition): each for each in (*matches, *self.matches(self.table.measure(steps), way))}
            matches = sorted(known.values(), key=self._order)
        return matches[0]

    def simplest(self, match: Match) -> Match:
        """A match without the choices that its problems do not ask for."""
        metric = match.definition.metric
        fewer = [changed for name in metric.settings if (changed := changed_metric(metric, name, None))]
        candidates = [*self.matches(self.table.measure([metric, *fewer]), match.way), match]
        best = min(candidates, key=self._order)
        return match if best.n_choices >= match.n_choices else self.simplest(best)

    def others(self, match: Match) -> list[str]:
        """Other metrics that agree as a match does, with as few choices."""
        equal = (each for each in self.matches(self._starts, match.way) if each.n_equal == match.n_equal)
        texts = [
            str(each.definition)
            for each in equal
            if each.definition.metric.name != match.definition.metric.name and each.n_choices <= match.n_choices
        ]
        return [*dict.fromkeys(texts)]

    def n_answers(self, way: int) -> int:
        """The number of problems for which the function returned a number, None or NaN."""
        return sum(not isinstance(value, str) for value in self.ways[way].values)


def _tolerance(values: Sequence[float | str | None]) -> float:
    """The largest difference of equal values: half a unit of the last of 3 digits or more, if a function rounds."""
    numbers = [value for value in values if isinstance(value, float)]
    digits = next((n for n in range(3, 6) if all(round(number, n) == number for number in numbers)), None)
    return TOLERANCE if digits is None else 0.5 * 10.0**-digits + TOLERANCE
