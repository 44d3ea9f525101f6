"""Sentences with numbers: small problems, and the numbers counted again in plain Python from their rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from random import Random
from statistics import fmean
from typing import Any

import polars as pl
from hypothesis import strategies as st
from scipy import stats

import rankmetrics as rm
from rankmetrics.tables import FEWER_LISTS
from tests.support import flat
from tests.support.twin_account import Counts, twin_account
from tests.support.twin_inputs import Asked, Inputs

Rec = tuple[str, int, int, int | None, float]
Numbers = tuple[float, ...]
Kinds = Mapping[str, Callable[["Problem"], Numbers]]

METRICS = ("ndcg@2", "recall@1")
DEPTH = 2
NUMBER = r"([\d,]+)"


@dataclass(frozen=True)
class Problem:
    """Recommendations (system, day, user, item, score) and truth (day, user, item, rating) of a few lists."""

    recs: list[Rec]
    truth: list[tuple[int, int, int, int]]
    named: tuple[str, ...] = ()  # systems given by name, some without recommendations
    by_day: bool = False
    rollup: bool = False
    metrics: tuple[str, ...] = METRICS

    @property
    def by(self) -> list[str]:
        return ["system", "day"] if self.by_day else ["system"]

    def result(self) -> rm.Result:
        schema = {"system": pl.String, "day": pl.Int64, "user": pl.Int64, "item": pl.Int64, "score": pl.Float64}
        recs = pl.DataFrame(self.recs, schema, orient="row").lazy()
        columns = ["day", "user", "item", "rating"]
        truth = pl.DataFrame(self.truth, dict.fromkeys(columns, pl.Int64), orient="row").lazy()
        options: dict[str, Any] = {"systems": list(self.named)} if self.named else {}
        options |= {"lists": ["system", "day", "user"], "rollup": self.rollup, "cluster": []}
        return flat.evaluate(recs, truth, [*self.metrics], by=self.by, **options)

    @cached_property
    def inputs(self) -> Inputs:
        recs = [dict(zip(("system", "day", "user", "item", "score"), row, strict=True)) for row in self.recs]
        truth = [dict(zip(("day", "user", "item", "rating"), row, strict=True)) for row in self.truth]
        columns = {"recs": ["system", "day", "user"], "truth": ["day", "user"]}
        named = [(name,) for name in self.named]
        return Inputs(recs, truth, columns, partition=["day"] if self.by_day else [], named=named)

    @property
    def asked(self) -> dict[str, Asked]:
        return {label: Asked(metric.name, metric.k) for label in self.metrics for metric in [rm.parse(label)]}

    @cached_property
    def counts(self) -> Counts:
        return twin_account(self.inputs, self.asked, self.by, {}, DEPTH)

    def each(self, count: str) -> list[int]:
        """A count in each row of the summary, without totals."""
        return [n for (*_, name), n in self.counts.items() if name == count]

    def total(self, count: str) -> int:
        """A count over all rows of the summary."""
        return max(self.each(count), default=0) if count == "lists_longest" else sum(self.each(count))

    @cached_property
    def marked(self) -> set[str]:
        """The metrics whose means leave out lists that the mean of another metric of the same row has."""
        rows = zip(*(self.each(f"undefined {label}") for label in self.metrics), strict=True)
        unequal = [dict(zip(self.metrics, row, strict=True)) for row in rows if len({*row}) > 1]
        return {label for row in unequal for label, n in row.items() if n}


def _all_undefined(problem: Problem) -> Numbers:
    assert {problem.total(f"undefined {label}") for label in problem.metrics} == {problem.total("lists_scored")}
    return (problem.total("lists_scored"),)


def _undefined(label: str, mark: str) -> Callable[[Problem], Numbers]:
    def count(problem: Problem) -> Numbers:
        assert (label in problem.marked) == bool(mark), label
        return (problem.total(f"undefined {label}"),)

    return count


def _rows(problem: Problem) -> list[int]:
    return problem.each("lists_scored")


# The kinds of notes; the numbers of warnings are recounted where the warnings are tested.
NOTES: Kinds = {
    rf"Each of the {NUMBER} (?:systems|rows) is averaged over {NUMBER} lists?": lambda p: (len(_rows(p)), *{*_rows(p)}),
    rf"The {NUMBER} (?:systems|rows) are averaged over {NUMBER} to {NUMBER} lists each": lambda p: (
        len(_rows(p)),
        min(_rows(p)),
        max(_rows(p)),
    ),
    rf"{NUMBER} lists? in the means": lambda p: (p.total("lists_scored"),),
    rf"{NUMBER} lists? (?:were|was) scored, and every metric is undefined for (?:all of them|it)": _all_undefined,
    rf"{NUMBER} lists? (?:have|has) no recommendations; (?:they score|it scores) 0 .*": lambda p: (
        p.total("lists_missing"),
    ),
    rf"{NUMBER} lists? (?:have|has) only rows without an item; .*": lambda p: (p.total("lists_empty"),),
    rf"{NUMBER} lists? (?:have|has) tied scores in their first {NUMBER} items; ties go to the lower .*": lambda p: (
        p.total("lists_tied"),
        DEPTH + 1,
    ),
    rf"{NUMBER} lists? of the recommendations without truth; .*": lambda p: (p.total("lists_without_truth"),),
    rf"{NUMBER} recommendations? of an item that their list has already; .*": lambda p: (p.total("recs_repeated"),),
    rf"{NUMBER} recommendations?(?: of the sampled lists)? of an item that their list has already": lambda p: (
        p.total("sampled_repeated"),
    ),
    rf"{NUMBER} recommendations? with a NULL id; left out": lambda p: (p.total("recs_with_null_id"),),
    rf"{NUMBER} rows? of the truth with an item that their list has already; .*": lambda p: (
        p.total("truth_repeated"),
    ),
    **{
        rf"{NUMBER} lists? for which {label} is undefined; not in its mean{mark}": _undefined(label, mark)
        for label in ("ndcg@2", "recall@1", "unjudged@2")
        for mark in ("", rf" \({FEWER_LISTS.strip()}\)")
    },
}

# The ranges of ties, which test_result.py has, and warnings.
ELSEWHERE = r"the order of .* depends? on equal scores.*|Warning: .*"


def assert_recounted(sentence: str, kinds: Kinds, problem: Problem) -> None:
    """Assert that one known pattern matches a sentence, and that its numbers follow from the rows."""
    matches = {kind: match for kind in kinds if (match := re.fullmatch(kind, sentence))}
    assert len(matches) == 1, f"not one kind of sentence: {sentence!r}"
    for kind, match in matches.items():
        numbers = tuple(float(text.replace(",", "")) for text in match.groups())
        assert numbers == kinds[kind](problem), sentence


@st.composite
def problems(draw: st.DrawFn, systems: str = "ab", metrics: tuple[str, ...] = METRICS) -> Problem:
    """Problems of one or two days and a few lists, each with a few of three items."""
    small = st.integers(1, 3)
    days = st.integers(1, draw(st.integers(1, 2)))
    item = st.one_of(small, small, small, st.none())
    recs = st.tuples(st.sampled_from(systems), days, small, item, st.sampled_from([0.5, 1.0, 1.5]))
    truth = st.tuples(days, small, small, st.integers(0, 1))
    # each system has a list of the truth, without which data is refused
    rows: list[Rec] = [(system, 1, 1, 1, 1.0) for system in systems if system == systems[0] or draw(st.booleans())]
    rows += draw(st.lists(recs, max_size=8))
    judged = [(1, 1, 1, 0), *draw(st.lists(truth, max_size=6))]
    named = (*systems, "z") if draw(st.booleans()) else ()
    return Problem(rows, judged, named, draw(st.booleans()), draw(st.booleans()), metrics)


@st.composite
def larger_problems(draw: st.DrawFn, systems: str = "ab", metrics: tuple[str, ...] = METRICS) -> Problem:
    """Problems of enough lists for significant differences, or of many days."""
    random, (n_days, n_users) = Random(draw(st.integers(0, 10**6))), draw(st.sampled_from([(1, 14), (6, 3), (2, 8)]))
    lists = [*product(range(1, n_days + 1), range(1, n_users + 1))]
    truth = [(*key, item, int(random.random() < 0.8)) for key in lists for item in random.sample((1, 2, 3), 2)]
    relevant = {key: [item for *of, item, rating in truth if (*of,) == key and rating] for key in lists}
    skills = dict(zip(systems, random.sample((0.0, 0.6, 1.0), len(systems)), strict=True))
    recs: list[Rec] = []
    for system, skill in skills.items():
        for key in random.sample(lists, len(lists) - random.choice((0, 0, 1, 3))):
            first = [item for item in relevant[key] if random.random() < skill]
            recs += [(system, *key, item, 2.0) for item in first]
            recs += [
                (system, *key, random.choice((1, 4, 5, None)), score) for score in (1.0, random.choice((0.5, 1.0)))
            ]
    named = (*systems, "z") if draw(st.booleans()) else ()
    return Problem(recs, truth, named, draw(st.booleans()), draw(st.booleans()), metrics)


# --- pairs of systems -------------------------------------------------------------------------------------------------


Values = Mapping[str, Mapping[Hashable, float | None]]  # of each system, by list


@dataclass(frozen=True)
class Lists:
    """The values of two systems, counted in plain Python."""

    values: Values
    baseline: str
    system: str

    @property
    def common(self) -> list[tuple[float | None, float | None]]:
        first, second = self.values[self.baseline], self.values[self.system]
        return [(first[user], second[user]) for user in first if user in second]

    @property
    def differences(self) -> list[float]:
        return [after - before for before, after in self.common if before is not None and after is not None]

    @property
    def n_undefined(self) -> int:
        return len(self.common) - len(self.differences)

    @property
    def mean(self) -> float:
        return fmean(self.differences)

    @property
    def relative(self) -> float | None:
        before = fmean(b for b, a in self.common if b is not None and a is not None)
        return self.mean / before if before else None

    @property
    def varies(self) -> bool:
        return max(self.differences) - min(self.differences) > 1e-9

    @property
    def p_value(self) -> float:
        """That of the t-test; of differences that are all equal, the bound for values from 0 to 1."""
        if self.varies:
            return float(stats.ttest_1samp(self.differences, 0).pvalue)
        return min(1.0, 2 * (1 / (1 + abs(self.mean))) ** len(self.differences))


def holm(pairs: Iterable[Lists]) -> list[tuple[Lists, float]]:
    """Each pair of a family with its p-value after Holm's correction."""
    by_p_value = sorted(pairs, key=lambda pair: pair.p_value)
    corrected, highest = [], 0.0
    for place, pair in enumerate(by_p_value):
        highest = max(highest, min(1.0, (len(by_p_value) - place) * pair.p_value))
        corrected.append((pair, highest))
    return corrected
