"""The definition that a function computes, in words, each choice with the smallest problem that shows it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankmetrics.conventions import OURS, _under_each
from rankmetrics.errors import InputError, MetricError, counted
from rankmetrics.identification.calls import OTHERS, Answers, ask
from rankmetrics.identification.problems import CUTOFF
from rankmetrics.identification.search import ALL, RETRIEVED, TRUTHS, Definition, Search, alternatives, are_equal, guess
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import Metric, Setting, parse
from rankmetrics.tables import Cell, TextTable, Verdict

if TYPE_CHECKING:
    import polars as pl

# The number of problems that are shown of those on which the nearest definition departs.
N_DEPARTURES = 5

# The parameter of a choice of the truth: which relevant items count.
TRUTH = "truth"

# A row of an answer, by the names of its columns.
Row = dict[str, Any]


class Identified(Verdict):
    """The definition of a function; it is true if a definition of rankmetrics has its value on every problem.

    Attributes:
        function: the function's name.
        arguments: how it was called, in words.
        definition: the simplest definition with its values, else the nearest: `metric`, and `truth` for the relevant
            items that count: all, those retrieved, or those retrieved in the first k.
    """

    _heading = "Notes"

    def __init__(self, function: str, search: Search) -> None:
        self.function, self._search = function, search
        self._match = search.simplest(search.best())
        self._answers: Answers = search.ways[self._match.way]
        self.arguments, self.definition = self._answers.form.words, self._match.definition
        self._n_answers = search.n_answers(self._match.way)

    @property
    def passed(self) -> bool:
        """True if a definition has the value of the function on every problem that the function answered."""
        return self._match.n_equal == self._n_answers

    def is_(self, metric: str | Metric) -> bool:
        """True if a metric such as `"ndcg(convention=ranx)@10"` has the function's values on the problems it answered.

        A function that takes the cutoff is compared at the cutoff that it was called with.

        Raises:
            MetricError: the metric is unknown, or reads other inputs.
        """
        return not self.departures(metric)

    def departures(self, metric: str | Metric | None = None) -> list[Row]:
        """The problems on which a metric (by default, the definition) departs from the function, the smallest first.

        Returns:
            For each the `problem` in a line, the `value` of the function and that `by_definition`.

        Raises:
            MetricError: as of `is_`.
        """
        definition = self.definition if metric is None else self._measured(metric)
        values = self._search.table.values(definition, self._match.way)
        return [
            {"problem": self._text(place), "value": self._answers.values[place], "by_definition": values[place]}
            for place in self._departing(definition)
        ]

    def _measured(self, metric: str | Metric) -> Definition:
        """The definition of a metric, at the cutoff of the problems."""
        wanted = (parse(metric) if isinstance(metric, str) else metric)(missing="listed")
        if self._answers.takes_cutoff and wanted.k is not None:
            wanted = replace(wanted, k=self._answers.problems[0].k)
        if not self._search.table.measure([wanted]):
            raise MetricError(f"{metric} needs inputs that the problems do not have, or a cutoff.")
        return Definition(wanted)

    # --- what shows the choices ---------------------------------------------------------------------------------------

    def _departing(self, definition: Definition) -> list[int]:
        """The places of the problems on which a definition departs from the function, the smallest problem first."""
        equal = self._search.equal(definition, self._match.way)
        return self._by_size(place for place, is_equal in enumerate(equal) if is_equal is False)

    def _by_size(self, places: Iterable[int]) -> list[int]:
        return sorted(places, key=lambda place: self._answers.problems[place].size)

    def _text(self, place: int) -> str:
        return self._answers.problems[place].text

    @cached_property
    def _others(self) -> list[tuple[str, str, Definition]]:
        """The definitions that differ in one choice: the parameter, the other choice, the definition."""
        metric, truth = self.definition.metric, self.definition.truth
        changed = [*alternatives(metric)]
        measured = {each.text for each in self._search.table.measure(each for *_, each in changed)}
        same = {truth, *({ALL, RETRIEVED} if OTHERS in self._answers.form.untold else ())}
        return [
            *(
                (name, _written(name, to), Definition(each, truth))
                for name, to, each in changed
                if each.text in measured
            ),
            *((TRUTH, _written(TRUTH, each), Definition(metric, each)) for each in TRUTHS if each not in same),
        ]

    @cached_property
    def choices(self) -> list[Row]:
        """The rows of `collect`."""
        if not self.passed:
            return []
        rows = [self._shown(name) for name in dict.fromkeys(name for name, *_ in self._others)]
        if OTHERS in self._answers.form.untold and self.definition.truth == ALL:
            rows = [row for row in rows if row is None or not row["choice"].startswith(TRUTH)]
            rows.append(self._shown_others())
        return sorted(filter(None, rows), key=lambda row: bool(row["is_default"]))

    def _shown(self, name: str) -> Row | None:
        """A choice with the smallest problem that shows it: against the default, else against any other choice."""
        metric, truth = self.definition.metric, self.definition.truth
        if name == TRUTH:
            value: Setting | None = truth
            default: Setting | None = ALL
            meaning = TRUTHS[truth]
        else:
            parameter, value = catalog().accepted(metric.name, metric.enough)[name], metric.active[name]
            default, meaning = self._search.k if name == "k" else parameter.default, parameter.summary.rstrip(".")
            meaning += f": {parameter.meaning(value)}" if parameter.choices else ""
            if value is None and name != "k":
                return None
        others = sorted(self._others, key=lambda each: each[1] != _written(name, default))
        for _, other, definition in (each for each in others if each[0] == name):
            if departing := self._departing(definition):
                otherwise = self._search.table.values(definition, self._match.way)[departing[0]]
                row = {"choice": _written(name, value), "meaning": meaning, "is_default": value == default}
                return {**row, **self._case(departing[0]), "other": other, "otherwise": otherwise}
        return None

    def _case(self, place: int) -> Row:
        return {"problem": self._text(place), "value": self._answers.values[place]}

    def _shown_others(self) -> Row | None:
        """The smallest problem with relevant items that were not retrieved and that the arguments do not tell."""
        values = self._search.table.values(self.definition, len(self._search.ways) + self._match.way)
        for place in self._by_size(range(len(values))):
            original, value = self._answers.originals[place], self._answers.values[place]
            if original.relevant.keys() - {*original.items} and not are_equal(values[place], value):
                row = {"choice": _written(TRUTH, RETRIEVED), "meaning": TRUTHS[RETRIEVED], "is_default": False}
                case = {"problem": original.text, "value": value, "other": _written(TRUTH, ALL)}
                return {**row, **case, "otherwise": values[place]}
        return None

    @cached_property
    def untold(self) -> dict[str, list[str]]:
        """For each parameter, the other choices with the same values on all problems; under `metric`, other metrics."""
        untold: dict[str, list[str]] = {}
        for name, other, definition in self._others if self.passed else ():
            if not self._departing(definition):
                untold.setdefault(name, []).append(other)
        others = self._search.others(self._match) if self.passed else []
        return {**untold, "metric": others} if others else untold

    @cached_property
    def conventions(self) -> list[str]:
        """The libraries whose definition of this metric has the same values."""
        if not self.passed or self.definition.truth != ALL:
            return []
        ours = Metric(self.definition.metric.name, k=self.definition.metric.k)
        theirs = {name: each(missing="listed") for name, each in _under_each(ours, None)[0].items() if name != OURS}
        measured = {each.text for each in self._search.table.measure(theirs.values())}
        return [
            name for name, each in theirs.items() if each.text in measured and not self._departing(Definition(each))
        ]

    @property
    def refused(self) -> dict[str, str]:
        """The errors that the function raised, by the names of problems."""
        pairs = zip(self._answers.problems, self._answers.values, strict=True)
        return {problem.name: value for problem, value in pairs if isinstance(value, str)}

    # --- an answer ----------------------------------------------------------------------------------------------------

    def collect(self) -> pl.DataFrame:
        """The choices of the definition that the values tell, each with the smallest problem that shows it.

        Returns:
            A frame with the columns `choice`, `meaning`, `is_default` (True if rankmetrics chooses so, too), `problem`,
            `value` (of the function there), `other` (another choice) and `otherwise` (the value with it); choices that
            differ from rankmetrics' come first. It has no rows if no definition has the function's values.
        """
        import polars as pl

        text, number = pl.String, pl.Float64
        types = {"choice": text, "meaning": text, "is_default": pl.Boolean, "problem": text, "value": number}
        return pl.DataFrame(self.choices, {**types, "other": text, "otherwise": number})

    def as_dict(self) -> dict[str, Any]:
        """All that was found, for JSON."""
        return {
            "function": self.function,
            "arguments": self.arguments,
            "is_known": self.passed,
            "definition": self.definition.metric.text,
            "truth": self.definition.truth,
            "n_equal": self._match.n_equal,
            "n_answered": self._n_answers,
            "choices": self.choices,
            "untold": self.untold,
            "conventions": self.conventions,
            "departures": self.departures(),
            "refused": self.refused,
        }

    def _json(self, frame: pl.DataFrame, **rows: Any) -> str:
        del frame, rows
        return f"{json.dumps(self.as_dict(), indent=1, ensure_ascii=False)}\n"

    def _tables(self) -> list[TextTable]:
        if not self.passed:
            rows = [[*map(Cell.of, row.values())] for row in self.departures()[:N_DEPARTURES]]
            return [TextTable(["a problem on which they differ", self.function, self.definition.metric.text], rows, 1)]
        columns = ("choice", "meaning", "problem", "value", "otherwise", "other")
        rows = [[Cell.of(row[column]) for column in columns] for row in self.choices]
        return [TextTable(["choice", "meaning", "shown by", "value", "otherwise", "with"], rows, None)]

    def _notes(self) -> Iterator[str]:
        k = f", and the cutoff {self._answers.problems[0].k}" if self._answers.takes_cutoff else ""
        yield f"called with {self.arguments}{k}"
        if self._answers.form.untold:
            yield f"its arguments do not tell {' and '.join(self._answers.form.untold)}"
        if self.untold:
            n_others = Counter(name for name, *_ in self._others)
            whole = [name for name, others in self.untold.items() if len(others) == n_others[name]]
            parts = [other for name, others in self.untold.items() if name not in whole for other in others]
            texts = [*([f"any choice of {', '.join(whole)}"] if whole else []), *parts]
            yield f"its values do not tell this definition from those with {'; '.join(texts)}"
        if self.conventions:
            yield f"libraries with the same values: {', '.join(self.conventions)}"
        for name, error in [*self.refused.items()][:1]:
            yield f"it refuses {counted(len(self.refused), 'problem', 'problems')}, such as {name!r}: {error}"

    @property
    def verdict(self) -> str:
        """The definition in a sentence."""
        n, names = counted(self._n_answers, "problem", "problems"), self._search.names
        if not self.passed:
            nearest = f"The nearest is {self.definition}: {self._match.n_equal:,} of {n} agree."
            return f"No definition that was tried has the values of {self.function}. {nearest}"
        is_other = names and self.definition.metric.name not in names
        other = f", and not {names[0]}" if is_other else ""
        return f"{self.function} is {self.definition}{other}: all of {n} agree."


def _written(name: str, value: Setting | None) -> str:
    """A choice as a text."""
    if name == "k":
        return "no cutoff" if value is None else f"@{value}"
    return f"no {name}" if value is None else f"{name}={value}"


def identify(function: Callable[..., Any], metric: str | Metric | None = None) -> Identified:
    """The definition that a function computes, found by calling it on small problems.

    The function is called as it is: your own code runs. It is tried with ids in rank order and relevant ids, with
    labels and scores, with labels in rank order, and with qrels and a run as dicts; with a cutoff if it has a parameter
    named `k`, `at`, `cutoff`, `top_k` or `n`. Another function is called by an adapter of one parameter `problem`, a
    Problem: `lambda problem: f(problem.labels, problem.scores, k=problem.k)`.

    Args:
        function: returns a number for one list. It may raise an error for problems that it does not take.
        metric: what it should be, such as `"ndcg@10"`: the metric and the cutoff to begin with. By default, they are
            guessed from its name, and a cutoff that it takes is 3.

    Raises:
        InputError: the function cannot be called in any of these ways, or always returns the same number.
        MetricError: the metric is unknown.

    Example:
        >>> def recall_at_k(recommended, relevant, k):
        ...     return len({*recommended[:k]} & {*relevant}) / max(1, len(relevant))
        >>> identified = identify(recall_at_k)
        >>> print(identified.verdict)
        recall_at_k is recall(undefined=zero)@3: all of 51 problems agree.
        >>> identified.is_("recall(undefined=zero)@3"), identified.is_("hit@3")
        (True, False)
    """
    if not callable(function):
        raise said(InputError, "no_callable", kind=type(function).__name__)
    name = str(getattr(function, "__name__", type(function).__name__)).replace("<lambda>", "the function")
    expected = parse(metric) if isinstance(metric, str) else metric
    names, k = ([expected.name], expected.k) if expected else guess(name)
    return identify_answers(name, ask(function, k), names, k)


def identify_answers(name: str, ways: Sequence[Answers], names: Sequence[str], k: int | None) -> Identified:
    """The definition of a function by what it returned in each way of calling it.

    Raises:
        InputError: it returned no numbers, or always the same.
    """
    if not ways:
        raise said(InputError, "not_called", function=name)
    return Identified(name, Search(ways, names, (k or CUTOFF) if ways[0].takes_cutoff else k))
