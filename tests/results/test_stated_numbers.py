"""Every number in the notes, the account and the report's account and lead, recounted in plain Python from the rows.

A kind of sentence is a pattern and a function that recounts its numbers. A sentence of no kind fails the test. The
sentences of further commands belong in further tables such as NOTES.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from docs.tooling.html_pages import Page
from rankmetrics.faults.doubts import counts_of
from rankmetrics.reports.report import ReportOptions, account, summary, write_report
from tests.support import flat
from tests.support.drawing import examples

Numbers = tuple[float, ...]
Kinds = Mapping[str, Callable[["Problem"], Numbers]]

METRICS = ["ndcg@2", "recall@1"]
DEPTH = 2
NUMBER = r"([\d,]+)"


@dataclass(frozen=True)
class Problem:
    """Recommendations (system, day, user, item, score) and truth (day, user, item, rating) of a few lists."""

    recs: list[tuple[str, int, int, int | None, float]]
    truth: list[tuple[int, int, int, int]]
    named: tuple[str, ...]  # systems given by name, some without recommendations
    by_day: bool
    rollup: bool

    def result(self) -> rm.Result:
        schema = {"system": pl.String, "day": pl.Int64, "user": pl.Int64, "item": pl.Int64, "score": pl.Float64}
        recs = pl.DataFrame(self.recs, schema, orient="row").lazy()
        columns = ["day", "user", "item", "rating"]
        truth = pl.DataFrame(self.truth, dict.fromkeys(columns, pl.Int64), orient="row").lazy()
        by = ["system", "day"] if self.by_day else ["system"]
        named: dict[str, Any] = {"systems": list(self.named)} if self.named else {}
        return flat.evaluate(recs, truth, METRICS, by=by, rollup=self.rollup, lists=["system", "day", "user"], **named)

    def pairs(self) -> set[tuple[str, int]]:
        """The days of the truth in which each system is measured.

        In a summary by day, these are the days in which it has rows, and all days if it is given by name.
        """
        days, systems = {row[0] for row in self.truth}, {row[0] for row in self.recs}
        in_all = self.named if self.by_day else {*systems, *self.named}
        return {row[:2] for row in self.recs if row[1] in days} | {(name, day) for name in in_all for day in days}

    def each_list(self) -> list[tuple[str, int, int]]:
        lists = {row[:2] for row in self.truth}
        return [(system, *of) for system, day in self.pairs() for of in lists if of[0] == day]

    def scored(self) -> list[int]:
        """The number of lists in each row of the summary, without totals."""
        return [*Counter(of[:2] if self.by_day else of[:1] for of in self.each_list()).values()]

    def items(self, system: str, day: int, user: int) -> list[tuple[float, int]]:
        """The items of a list in the order of their scores, the lower item first."""
        rows = [(-row[4], row[3]) for row in self.recs if row[:3] == (system, day, user) and row[3] is not None]
        return sorted(rows)

    def missing(self) -> int:
        return sum(not self.items(*of) for of in self.each_list())

    def empty(self) -> int:
        of_null = {row[:3] for row in self.recs if row[3] is None}
        return sum(of in of_null and not self.items(*of) for of in self.each_list())

    def recommended(self) -> set[tuple[str, int, int]]:
        """The lists of the recommendations, also those that have only rows without an item."""
        return {row[:3] for row in self.recs}

    def tied(self) -> int:
        firsts = ([score for score, _ in self.items(*of)[: DEPTH + 1]] for of in self.recommended())
        return sum(len({*scores}) < len(scores) for scores in firsts)

    def repeated(self, *, sampled: bool = False) -> int:
        lists = self.recommended() & {*self.each_list()} if sampled else self.recommended()
        return sum(len(items) - len({item for _, item in items}) for items in (self.items(*of) for of in lists))

    def without_truth(self) -> int:
        return len({of for of in self.recommended() if of[1:] not in {row[:2] for row in self.truth}})

    def truth_repeated(self) -> int:
        return len(self.truth) - len({row[:3] for row in self.truth})

    def undefined(self) -> int:
        """The lists without a relevant item, for which both metrics are undefined."""
        relevant = {row[:2] for row in self.truth if row[3] > 0}
        return sum(of[1:] not in relevant for of in self.each_list())

    def longest(self) -> int:
        return max((len(self.items(*of)) for of in self.recommended()), default=0)


# The kinds of notes; the numbers of warnings are recounted where the warnings are tested.
NOTES: Kinds = {
    rf"Each of the {NUMBER} systems is averaged over {NUMBER} lists?": lambda p: (len(p.scored()), p.scored()[0]),
    rf"Each of the {NUMBER} rows is averaged over {NUMBER} lists?": lambda p: (len(p.scored()), p.scored()[0]),
    rf"The {NUMBER} rows are averaged over {NUMBER} to {NUMBER} lists each": lambda p: (
        len(p.scored()),
        min(p.scored()),
        max(p.scored()),
    ),
    rf"{NUMBER} lists? in the means": lambda p: (sum(p.scored()),),
    rf"{NUMBER} lists? (?:were|was) scored, and every metric is undefined for (?:all of them|it)": lambda p: (
        p.undefined(),
    ),
    rf"{NUMBER} lists? (?:have|has) no recommendations; (?:they score|it scores) 0 .*": lambda p: (p.missing(),),
    rf"{NUMBER} lists? (?:have|has) only rows without an item; .*": lambda p: (p.empty(),),
    rf"{NUMBER} lists? (?:have|has) tied scores in their first {NUMBER} items; ties go to the lower .*": lambda p: (
        p.tied(),
        DEPTH + 1,
    ),
    rf"{NUMBER} lists? of the recommendations without truth; .*": lambda p: (p.without_truth(),),
    rf"{NUMBER} recommendations? of an item that their list has already; .*": lambda p: (p.repeated(),),
    rf"{NUMBER} recommendations? of the sampled lists of an item that their list has already": lambda p: (
        p.repeated(sampled=True),
    ),
    rf"{NUMBER} recommendations? with a NULL id; left out": lambda p: (sum(row[3] is None for row in p.recs),),
    rf"{NUMBER} rows? of the truth with an item that their list has already; .*": lambda p: (p.truth_repeated(),),
    rf"{NUMBER} lists? for which (?:ndcg@2|recall@1) is undefined; not in its mean": lambda p: (p.undefined(),),
}

# The ranges of ties, which test_result.py has, and warnings.
ELSEWHERE = r"the order of .* depends? on equal scores.*|Warning: .*"


def assert_recounted(sentence: str, kinds: Kinds, problem: Problem) -> None:
    """Assert that a sentence is of a kind, and that its numbers are those of the rows."""
    matches = {kind: match for kind in kinds if (match := re.fullmatch(kind, sentence))}
    assert len(matches) == 1, f"not one kind of sentence: {sentence!r}"
    for kind, match in matches.items():
        numbers = tuple(float(text.replace(",", "")) for text in match.groups())
        assert numbers == kinds[kind](problem), sentence


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    small = st.integers(1, 3)
    days = st.integers(1, draw(st.integers(1, 2)))
    item = st.one_of(small, small, small, st.none())
    recs = st.tuples(st.sampled_from("ab"), days, small, item, st.sampled_from([0.5, 1.0, 1.5]))
    truth = st.tuples(days, small, small, st.integers(0, 1))
    # each system has a list of the truth, without which data is refused
    first = [("a", 1, 1, 1, 1.0), *([("b", 1, 1, 1, 1.0)] if draw(st.booleans()) else [])]
    rows = first + draw(st.lists(recs, max_size=8))
    named = ("a", "b", "c") if draw(st.booleans()) else ()
    return Problem(
        rows, [(1, 1, 1, 0), *draw(st.lists(truth, max_size=6))], named, draw(st.booleans()), draw(st.booleans())
    )


@given(problems())
@examples(100)
def test_every_number_of_notes_and_account_is_that_of_the_rows(problem: Problem) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = problem.result()
        notes = result.notes()
        rows = result.account().collect().rows()
    for sentence in notes:
        if not re.fullmatch(ELSEWHERE, sentence):
            assert_recounted(sentence, NOTES, problem)
    expected = {
        "lists_scored": sum(problem.scored()),
        "lists_missing": problem.missing(),
        "lists_empty": problem.empty(),
        "lists_recommended": len(problem.recommended()),
        "lists_longest": problem.longest(),
        "lists_tied": problem.tied(),
        "lists_without_truth": problem.without_truth(),
        "recs_repeated": problem.repeated(),
        "recs_counted": sum(row[3] is not None for row in problem.recs),
        "truth_repeated": problem.truth_repeated(),
        "truth_lists": len({row[:2] for row in problem.truth}),
        "undefined ndcg@2": problem.undefined(),
    }
    totals: Counter[str] = counts_of(rows).totals
    assert {name: totals[name] for name in expected} == expected


def test_the_longest_list_of_a_report_is_no_sum() -> None:
    recs: list[tuple[str, int, int, int | None, float]] = [("a", 1, 1, item, float(item)) for item in (1, 2, 3)]
    recs += [("b", *row[1:]) for row in recs]
    words = report_of(Problem(recs, [(1, 1, 1, 1)], (), by_day=False, rollup=False))
    assert re.search(r"lists_longest\D*recommendations in the longest list\D*3 3 3\b", words)


def test_a_report_in_which_all_is_undefined_says_so() -> None:
    words = report_of(
        Problem([("a", 1, 1, 1, 1.0), ("a", 1, 2, 1, 1.0)], [(1, 1, 1, 0), (1, 2, 2, 0)], (), False, False)
    )
    assert "ndcg@2 is undefined for every list" in words
    assert "2 lists were scored, and every metric is undefined for all of them" in words
    assert "lists in the means" not in words


def report_of(problem: Problem) -> str:
    """The words of the summary and the account of a report."""
    return Page(write_report(problem.result(), None, ReportOptions(), [summary, account])).words
