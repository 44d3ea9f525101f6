"""Every number in the notes, the account and the report's account and lead, recounted in plain Python from the rows.

A kind of sentence is a pattern and a function that recounts its numbers. A sentence of no kind fails the test.
"""

from __future__ import annotations

import re
import warnings

from hypothesis import given

from docs.tooling.html_pages import Page
from rankmetrics.faults.doubts import counts_of
from rankmetrics.reports.report import ReportFacts, account, page_of, summary
from tests.support.drawing import examples
from tests.support.stated_numbers import ELSEWHERE, NOTES, Problem, Rec, assert_recounted, problems


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
    totals = counts_of(rows).totals
    names = {str(name) for *_, name in problem.counts}
    assert {name: totals[name] for name in names} == {name: problem.total(name) for name in names}


def test_the_longest_list_of_a_report_is_no_sum() -> None:
    recs: list[Rec] = [("a", 1, 1, item, float(item)) for item in (1, 2, 3)]
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
    return Page(page_of(ReportFacts(problem.result()), sections=[summary, account])).words
