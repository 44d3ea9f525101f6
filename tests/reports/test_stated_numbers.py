"""Every number in the sentences and tables of a report, counted again from the rows; an unknown sentence fails.

A kind of sentence is a pattern and a function that asserts its numbers. Sections of fixed text are left out.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import fmean, stdev
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from rankmetrics.metrics.catalog import catalog
from rankmetrics.reports.report import (
    ReportFacts,
    account,
    comparison,
    curves,
    distributions,
    leaderboard,
    page_of,
    segments,
    summary,
    with_quotes,
    worst,
)
from rankmetrics.results.result import ALL
from rankmetrics.segments.segments import NONE
from rankmetrics.tables import FEWER_LISTS
from tests.support import twin
from tests.support.drawing import examples
from tests.support.stated_numbers import (
    ELSEWHERE,
    NOTES,
    Lists,
    Problem,
    Values,
    assert_recounted,
    holm,
    larger_problems,
    problems,
)
from tests.support.twin_inputs import in_order
from tests.support.twin_intervals import interval

pytestmark = pytest.mark.usefixtures("without_charts")

SECTIONS = [summary, leaderboard, comparison, curves, distributions, segments, worst, account]
METRICS = ("ndcg@2", "recall@1", "unjudged@2")
LOWER_IS_BETTER = {"unjudged@2"}
GROUPS = {1: "even", 2: "odd", 4: "even", 5: "odd", 6: "even", 7: "odd"}  # of users; of 3, none is known
ROUNDED = 6e-5  # numbers have four decimals


# --- what the numbers should be ---------------------------------------------------------------------------------------


@dataclass
class Report:
    """The facts of a report, from the values of lists of the twin."""

    problem: Problem
    baseline: str | None
    where: tuple[int, ...] = ()  # the partition that the summary writes of,
    best: str = ""  # its best system,
    other: str = ""  # and the system that this one is compared with
    is_compared: bool = True  # False where systems look like the arms of an experiment

    @cached_property
    def per_list(self) -> Mapping[tuple[Hashable, ...], Mapping[str, float | None]]:
        return twin.per_list(self.problem.inputs, self.problem.asked)

    @cached_property
    def partitions(self) -> list[tuple[int, ...]]:
        return sorted({self.partition(key) for key in self.per_list})

    def partition(self, key: tuple[Hashable, ...]) -> tuple[int, ...]:
        return (int(str(key[1])),) if self.problem.by_day else ()

    @cached_property
    def systems(self) -> list[str]:
        return sorted({str(key[0]) for key in self.per_list})

    def values(self, label: str, where: tuple[int, ...] | None = None) -> Values:
        """The values of the lists of each system of a partition, or of all."""
        found: dict[str, dict[Hashable, float | None]] = {}
        for key, values in self.per_list.items():
            if where is None or self.partition(key) == where:
                found.setdefault(str(key[0]), {})[key[1:]] = values[label]
        return found

    def defined(self, label: str, where: tuple[int, ...] | None, system: str | None) -> list[float]:
        """The values in a mean: of a system, or of all."""
        of_systems = self.values(label, where).items()
        lists = [values for name, values in of_systems if system in (None, name)]
        return [value for values in lists for value in values.values() if value is not None]

    def segment(self, name: str, where: tuple[int, ...] | None) -> set[tuple[Hashable, ...]]:
        """The lists of a segment, which are those of some users, by day and user."""
        lists = {key[1:] for key in self.per_list if where in (None, self.partition(key))}
        return {key for key in lists if GROUPS.get(int(str(key[1])), NONE) == name}

    def mean(self, label: str, system: str | None, where: tuple[int, ...] | None = None) -> float | None:
        values = self.defined(label, where, system)
        return fmean(values) if values else None

    def ranked(self, label: str, where: tuple[int, ...]) -> list[tuple[float, str]]:
        """The systems with a mean, the best first."""
        means = [(self.mean(label, system, where), system) for system in self.values(label, where)]
        sign = 1 if label in LOWER_IS_BETTER else -1
        return sorted(((mean, name) for mean, name in means if mean is not None), key=lambda row: sign * row[0])

    def winners(self, label: str, where: tuple[int, ...]) -> set[str]:
        ranked = self.ranked(label, where)
        return {system for mean, system in ranked if abs(mean - ranked[0][0]) < 1e-9}

    def pair(self, label: str, where: tuple[int, ...], *names: str) -> Lists:
        return Lists(self.values(label, where), *names)

    def family(self, label: str, baseline: str | None) -> list[tuple[tuple[int, ...], Lists, float]]:
        """The pairs that are corrected together, with their partitions and p-values: all, or those of a baseline."""
        pairs = [
            (where, self.pair(label, where, *sorted(names, key=lambda name: name != baseline)))
            for where in self.partitions
            for names in combinations(sorted(self.values(label, where)), 2)
            if baseline is None or baseline in names
        ]
        tested = holm(pair for _, pair in pairs if len(pair.differences) > 1)
        places = {id(pair): where for where, pair in pairs}
        return [(places[id(pair)], pair, p_value) for pair, p_value in tested]

    def p_value(self, label: str, where: tuple[int, ...], *names: str, baseline: str | None) -> float | None:
        of_pairs = self.family(label, baseline)
        return next(
            (p for place, pair, p in of_pairs if place == where and {pair.system, pair.baseline} == {*names}), None
        )


def is_significant(pair: Lists, p_value: float | None) -> bool:
    return len(pair.differences) >= 6 and p_value is not None and p_value < 0.05


def number(text: str) -> float:
    return float(text.replace(",", ""))


def assert_value(text: str, value: float | None) -> None:
    assert (text == "–") == (value is None), (text, value)
    if value is not None:
        assert number(text) == pytest.approx(value, abs=ROUNDED)


def assert_p_value(text: str, p_value: float | None) -> None:
    if p_value is None:
        assert text in ("no p-value", "–")
    elif text == "< 0.0001":
        assert p_value < 1e-4
    else:
        assert number(text) == pytest.approx(p_value, abs=1.1e-4)


def assert_interval(low: str, high: str, values: Sequence[float]) -> None:
    """Assert that the ends are those of the interval of a mean."""
    expected = [float(end[0]) for end in interval(np.array([values]))]
    assert [number(low), number(high)] == pytest.approx(expected, abs=2e-4)


def assert_unseen(match: re.Match[str], pair: Lists) -> None:
    """Assert what the lists of a pair that is not significant would show."""
    n = len(pair.differences)
    if match["few"]:
        assert int(match["few"]) == n < 6
    elif match["seen"]:
        assert int(match["shown_by"]) == n >= 6
        power = TTestPower().power(number(match["seen"]) / stdev(pair.differences), n, 0.05)
        assert power == pytest.approx(0.8, abs=0.02)
    else:
        assert n >= 6
        assert not pair.varies


# --- sentences --------------------------------------------------------------------------------------------------------


Check = Callable[[Report, re.Match[str]], None]

P = r"(?:p = (?P<p>[\d.]+)|p (?P<tiny>< 0\.0001)|(?P<none>no p-value))"
INTERVAL = r"(?: \(95% confidence interval (?P<low>[\d.]+) to (?P<high>[\d.]+)\))?"
UNSEEN = (
    r"(?:; (?P<few>\d+) lists? cannot show a difference at p < 0\.05: 6 are needed"
    r"|; these (?P<shown_by>\d+) lists would show a difference of (?P<seen>[\d.]+) with a power of 0\.8)?"
)
WHERE = r"(?:For day = (?P<day>\d+): )?"


def _where(report: Report, match: re.Match[str]) -> tuple[int, ...]:
    report.where = (int(match["day"]),) if match["day"] else ()
    assert report.where in report.partitions
    return report.where


def _stated_p(match: re.Match[str]) -> str:
    return match["p"] or match["tiny"] or match["none"]


def _stated_interval(match: re.Match[str], values: Sequence[float]) -> None:
    assert bool(match["low"]) == has_interval(values), match[0]
    if match["low"]:
        assert_interval(match["low"], match["high"], values)


def _winner(report: Report, match: re.Match[str]) -> None:
    where, label = _where(report, match), report.problem.metrics[0]
    report.best, ranked = match["best"], report.ranked(label, where)
    assert report.best in report.winners(label, where)
    assert ("lowest" in match[0]) == (label in LOWER_IS_BETTER)
    assert_value(match["value"], ranked[0][0])
    _stated_interval(match, report.defined(label, where, report.best))
    counts = [len(report.defined(label, where, system)) for system in report.values(label, where)]
    assert [int(match["n"]), int(match["most"] or match["n"])] == [min(counts), max(counts)]
    assert bool(match["each"]) == (len(counts) > 1)


def _one(report: Report, match: re.Match[str]) -> None:
    where, label = _where_of_one(report, match), report.problem.metrics[0]
    (system,) = report.values(label, where)
    assert match["system"] in (None, system)
    values = report.defined(label, where, system)
    assert_value(match["value"], fmean(values))
    _stated_interval(match, values)
    assert int(match["n"]) == len(values)


def _where_of_one(report: Report, match: re.Match[str]) -> tuple[int, ...]:
    return (int(match["day"]),) if match["day"] else ()


def _equal(report: Report, match: re.Match[str]) -> None:
    names = {report.best, *match["names"].split(" and ")}
    assert names == report.winners(report.problem.metrics[0], report.where)


def _distance(report: Report, match: re.Match[str]) -> None:
    label, report.other = report.problem.metrics[0], match["other"]
    best, other = (report.mean(label, name, report.where) for name in (report.best, report.other))
    assert best is not None
    assert other is not None
    assert number(match["size"]) == pytest.approx(abs(best - other), abs=ROUNDED)
    assert (match["sign"] == "more") == (best >= other)
    assert bool(match["share"]) == (other > 0)
    if match["share"]:
        assert number(match["share"]) == pytest.approx(abs(best - other) / other * 100, abs=0.051)
    assert bool(match["role"]) == (report.is_compared and report.other == report.baseline)
    names = [name for _, name in report.ranked(label, report.where) if name != report.best]
    if not match["role"]:
        assert other == pytest.approx(report.mean(label, names[0], report.where))


def _second(report: Report, match: re.Match[str]) -> None:
    label, report.other = report.problem.metrics[0], match["other"]
    others = [mean for mean, name in report.ranked(label, report.where) if name != report.best]
    assert_value(match["value"], others[0])
    assert_value(match["value"], report.mean(label, report.other, report.where))


def _verdict(report: Report, match: re.Match[str]) -> None:
    label, names = report.problem.metrics[0], (report.best, report.other)
    is_compared = report.baseline is None or report.baseline in names
    pair = report.pair(label, report.where, *names)
    baseline = report.baseline if is_compared else report.other
    p_value = report.p_value(label, report.where, *names, baseline=baseline)
    assert int(match["n"]) == len(pair.differences)
    assert_p_value(_stated_p(match), p_value)
    assert bool(match["is_not"]) != is_significant(pair, p_value)
    if match["is_not"]:
        assert_unseen(match, pair)


def _best_by_others(report: Report, match: re.Match[str]) -> None:
    stated: dict[str, set[str]] = {}
    for part in match["best"].split("; "):
        names, _, labels = part.partition(" by ")
        stated |= {label: {*names.split(" and ")} for label in labels.split(", ")}
    of_labels = {label: report.winners(label, report.where) for label in report.problem.metrics[1:]}
    assert stated == {label: names for label, names in of_labels.items() if names}


def _wins(report: Report, match: re.Match[str]) -> None:
    assert int(match["n"]) == len(report.partitions)
    stated = {name: int(n) for name, n in (part.split(" in ") for part in match["wins"].split(", "))}
    assert stated == Counter(
        name for where in report.partitions for name in report.winners(report.problem.metrics[0], where)
    )


def _undefined(report: Report, match: re.Match[str]) -> None:
    assert match["label"] == report.problem.metrics[0]
    days = [_where(report, match)] if match["day"] else report.partitions
    assert [report.ranked(match["label"], where) for where in days] == [[]] * len(days)


def _size(report: Report, match: re.Match[str]) -> None:
    labels = report.problem.metrics
    assert int(match["n_metrics"]) == len(labels)
    assert match["labels"] == ", ".join(labels)
    assert int(match["n_systems"] or 1) == len(report.systems)


def _lists_apart(report: Report, match: re.Match[str]) -> None:
    """The lists of the recommendations of two systems; the lists in their means may be more."""
    lists = [{key[1:] for key in _scored(report) if key[0] == match[name]} for name in ("first", "second")]
    if report.problem.by_day:  # the partition is not stated
        each = [[{key for key in of if key[0] == day} for of in lists] for (day,) in report.partitions]
    else:
        each = [lists]
    stated = tuple(int(match[name]) for name in ("n_first", "n_second", "n_both"))
    assert stated in {(len(first), len(second), len(first & second)) for first, second in each}


def _scored(report: Report) -> list[tuple[Hashable, ...]]:
    """The lists of the recommendations that the truth has."""
    inputs = report.problem.inputs
    return [key for key, rows in inputs.by_list.items() if key in report.per_list and any(r["item"] for r in rows)]


def _skipped(report: Report, match: re.Match[str]) -> None:
    pairs = [(where, pair) for where, pair in _pairs(report, match["label"])]
    counts = [pair.n_undefined for _, pair in pairs]
    assert int(match["n"]) == max(counts)
    assert bool(match["up_to"]) == (min(counts) < max(counts))


def _pairs(report: Report, label: str) -> list[tuple[tuple[int, ...], Lists]]:
    return [
        (where, report.pair(label, where, *names))
        for where in report.partitions
        for names in combinations(sorted(report.values(label, where)), 2)
        if report.baseline is None or report.baseline in names
    ]


def _doubtful(report: Report, match: re.Match[str]) -> None:
    label, where = match["label"], (int(match["day"]),) if match["day"] else ()
    names = (match["equal"] or match["other"], match["system"])  # the second is compared with the first
    pair = report.pair(label, where, *names)
    p_value = report.p_value(label, where, *names, baseline=report.baseline)
    assert not is_significant(pair, p_value)
    if match["verb"]:
        assert (match["verb"] == "better") == ((pair.mean > 0) != (label in LOWER_IS_BETTER))
        if match["percent"]:
            assert pair.relative is not None
            assert number(match["percent"]) == pytest.approx(abs(pair.relative) * 100, rel=0.06, abs=0.5)
        else:
            assert pair.relative is None
            assert number(match["size"]) == pytest.approx(abs(pair.mean), abs=ROUNDED)
    else:
        assert pair.mean == pytest.approx(0, abs=1e-9)
    assert_unseen(match, pair)


def _incomparable(report: Report, match: re.Match[str]) -> None:
    where = (int(match["day"]),) if match["day"] else ()
    assert not report.pair(match["label"], where, match["other"], match["system"]).differences


def _more_pairs(report: Report, match: re.Match[str]) -> None:
    n = 0
    for label in report.problem.metrics:
        for where, pair in _pairs(report, label):
            p_value = report.p_value(label, where, pair.system, pair.baseline, baseline=report.baseline)
            n += not is_significant(pair, p_value)
    assert int(match["n"]) == n - 10


def _reversed(report: Report, match: re.Match[str]) -> None:
    """Segments in which the difference of two systems has another sign than over all lists."""
    label = match[0].partition(",")[0]
    pair = Lists(report.values(label), match["first"], match["second"])
    of_segments = [
        Lists(
            {name: {key: of[key] for key in of.keys() & keys} for name, of in pair.values.items()}, *match.group(1, 2)
        )
        for keys in (report.segment(segment, None) for segment in ("even", "odd"))
    ]
    segments = [of for of in of_segments if of.differences]
    turned = [of for of in segments if of.mean * pair.mean < -1e-12]
    assert [int(match[name]) for name in ("n", "of")] == [len(turned), len(segments)]
    lists = [sum(len(of.differences) for of in some) for some in (turned, segments)]
    assert [int(match[name]) for name in ("lists", "of_lists")] == lists


def _n_pairs(report: Report, match: re.Match[str]) -> None:
    assert int(match["n"]) == sum(len(_pairs(report, label)) for label in report.problem.metrics) > 30


def _no_interval(report: Report, match: re.Match[str]) -> None:
    rows: set[tuple[str | None, tuple[int, ...] | None]] = set()
    for where in report.partitions:
        rows |= {(system, where) for system in report.values(METRICS[0], where)}
    if report.problem.rollup:
        rows |= {(None, None), *((system, None) for system in report.systems if report.problem.by_day)}
    values = [report.defined(match["label"], where, system) for system, where in rows]
    assert int(match["n"]) == sum(1 for of in values if of and not has_interval(of))


def has_interval(values: Sequence[float]) -> bool:
    return all(end[0] == end[0] for end in interval(np.array([values])))


LABEL = r"(?P<label>\S+)"
APART = (
    r"(?P<first>\w) has (?P<n_first>\d+) lists?, (?P<second>\w) (?P<n_second>\d+), "
    r"and (?P<n_both>\d+) (?:is|are) of both"
)
KINDS: Mapping[str, Check | None] = {
    r"(?:(?P<n_systems>\d+) systems, )?(?P<n_metrics>\d+) metrics: (?P<labels>.*)": _size,
    WHERE + r"(?P<best>\w) has the (?:highest|lowest, which is the best,) mean \S+: (?P<value>[\d.]+)" + INTERVAL
    + r", over (?P<n>\d+)(?: to (?P<most>\d+))? lists?(?P<each> of each system)?\.": _winner,
    r"The mean \S+(?: of (?P<system>\w))?(?: for day = (?P<day>\d+))? is (?P<value>[\d.]+)" + INTERVAL
    + r", over (?P<n>\d+) lists?\.": _one,
    r"(?P<names>\w(?: and \w)*) has exactly the same mean\.": _equal,
    r"That is (?P<size>[\d.]+)(?: \((?P<share>[\d.]+)%\))? (?P<sign>more|less) than (?P<other>\w)"
    r"(?P<role>, the baseline)?\.": _distance,
    r"The second is (?P<other>\w) \((?P<value>[\d.]+)\)\.": _second,
    r"The difference is (?P<is_not>not )?significant \(paired t-test, p-values corrected by Holm's method, "
    rf"(?P<n>\d+) lists?: {P}\){UNSEEN}\.": _verdict,
    r"Best by the other metrics: (?P<best>.*)\.": _best_by_others,
    r"Of (?P<n>\d+) partitions \(day\), best by \S+: (?P<wins>.*)\.": _wins,
    WHERE + LABEL + r" is undefined for every list(?: of every system)?\.": _undefined,
    LABEL + r" has no confidence interval in (?P<n>\d+) rows?: it needs at least 6 lists": _no_interval,
    r"Below each mean: the 95% confidence interval of the mean\.": None,
    r"▲ and ▼: significantly better and worse than .* \(paired t-test, p-values corrected by Holm's method, "
    r"p < 0\.05\)\.": None,
    r"p: paired t-test, p-values corrected by Holm's method; below 0\.05 it stands out\.": None,
    r"The differences of the means, with their 95% confidence intervals\.": None,
    r"The share of the lists by their value of \S+; the line is the mean\.": None,
    r"(?P<system>\w) (?:and (?P<equal>\w) are equal in|is (?P<verb>better|worse) than (?P<other>\w) in) (?P<label>\S+)"
    r"(?: \(day = (?P<day>\d+)\))?(?: by (?:(?P<percent>[\d.,e+]+) %|(?P<size>[\d.]+)), which chance may explain)?"
    + UNSEEN: _doubtful,
    r"(?P<system>\w) and (?P<other>\w) cannot be compared in (?P<label>\S+)(?: \(day = (?P<day>\d+)\))?: no list has a "
    r"value for both": _incomparable,
    r"and (?P<n>\d+) more pairs": _more_pairs,
    APART: _lists_apart,
    r"(?:Whether the difference is significant was not tested|Comparison): " + APART + ": this looks like an "
    r"experiment with arms\. Compare each system over its own lists: paired=False\. The means count lists without "
    r"recommendations as 0: evaluate with missing=\"skip\"\.": _lists_apart,
    r"(?P<up_to>up to )?(?P<n>\d+) lists? of a pair skipped: (?P<label>\S+) is undefined for one of the two systems": (
        _skipped
    ),
    r"\S+, group: (?P<first>\w) and (?P<second>\w) change their order in (?P<n>\d+) of (?P<of>\d+) segments, "
    r"(?P<lists>\d+) of (?P<of_lists>\d+) lists": _reversed,
    r"The lists with the worst values of \w|\w loses against \w on no list, by \S+\.": None,
    r"The differences in (?P<n>\d+) rows": _n_pairs,
    r"Written by rankmetrics .*": None,
}  # fmt: skip


def assert_sentence(report: Report, sentence: str) -> None:
    found = [(check, match) for kind, check in KINDS.items() if (match := re.fullmatch(kind, sentence))]
    assert len(found) == 1 or not re.search(r"\d", sentence), f"no kind of sentence, or several: {sentence}"
    for check, match in found:
        if check is not None:
            check(report, match)


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """The texts of a cell."""

    text: str
    note: str
    mark: str
    sign: str

    @classmethod
    def of(cls, element: ET.Element) -> Cell:
        small, marks = element.find("small"), {span.get("class"): span for span in element.findall("span")}
        sign = marks["sign"].text if "sign" in marks else ""
        mark = marks["mark"].text if "mark" in marks else ""
        return cls(
            (element.text or "").strip(), (small.text or "") if small is not None else "", mark or "", sign or ""
        )


Table = list[dict[str, Cell]]


def _leaderboard(report: Report, table: Table) -> None:
    problem, n_rows, nothing = report.problem, 0, Cell("", "", "", "")
    for row in table:
        cells = {heading.removesuffix(FEWER_LISTS): cell for heading, cell in row.items()}
        assert {heading.removesuffix(FEWER_LISTS) for heading in row if heading.endswith(FEWER_LISTS)} == problem.marked
        name, day = (cells.get(heading, nothing).text for heading in ("system", "day"))
        is_total, where = ALL in (name, day), (int(day),) if day not in ("", ALL) else None
        system = None if name == ALL else name
        lists = [key for key in report.per_list if system in (None, key[0]) and where in (None, report.partition(key))]
        n_rows += not is_total
        assert number(cells["n_lists"].text) == len(lists)
        if "n_missing" in cells:
            assert number(cells["n_missing"].text) == len({*lists} - {*_with_items(problem)})
        for label in problem.metrics:
            values = report.defined(label, where, system)
            assert_value(cells[label].text, fmean(values) if values else None)
            if cells[label].note:
                low, high = cells[label].note.split(" to ")
                assert_interval(low, high, values)
            of_row = where or ()
            if not is_total and len(report.values(label, of_row)) > 1:
                assert bool(cells[label].mark) == (system in report.winners(label, of_row))
                _sign(report, label, of_row, str(system), cells[label].sign)
            else:
                assert not cells[label].mark
                assert not cells[label].sign
    assert n_rows == sum(len(report.values(problem.metrics[0], where)) for where in report.partitions)


def _with_items(problem: Problem) -> list[tuple[Hashable, ...]]:
    return [key for key, rows in problem.inputs.by_list.items() if any(row["item"] is not None for row in rows)]


def _sign(report: Report, label: str, where: tuple[int, ...], system: str, sign: str) -> None:
    """▲ or ▼ if a system is significantly better or worse than the baseline, or the best by the first metric."""
    references = {report.baseline} if report.baseline else report.winners(report.problem.metrics[0], where)
    expected = set()
    for reference in references - {None, system}:
        pair = report.pair(label, where, str(reference), system)
        p_value = report.p_value(label, where, str(reference), system, baseline=report.baseline)
        is_better = pair.differences and (pair.mean > 0) != (label in LOWER_IS_BETTER)
        expected.add(("▲" if is_better else "▼") if is_significant(pair, p_value) else "")
    assert sign in (expected if expected and report.is_compared else {""})


def _differences(report: Report, table: Table) -> None:
    assert len(table) == sum(len(_pairs(report, label)) for label in report.problem.metrics)
    for row in table:
        system, baseline = row["system"].text, row["baseline"].text
        where, label = (int(row["day"].text),) if "day" in row else (), row["metric"].text
        pair = report.pair(label, where, baseline, system)
        p_value = report.p_value(label, where, baseline, system, baseline=report.baseline)
        assert_p_value(row["p (t)"].text, p_value)
        assert bool(row["p (t)"].mark) == is_significant(pair, p_value)
        if not pair.differences:
            assert row["difference"].text == "–"
            continue
        difference, _, relative = row["difference"].text.partition(" (")
        assert_value(difference, pair.mean)
        assert (relative == "") == (pair.relative is None)
        if pair.relative is not None:
            assert number(relative.rstrip("%)")) == pytest.approx(pair.relative * 100, abs=0.051)
        signs = [0 if abs(d) < 1e-9 else d > 0 or -1 for d in pair.differences]
        order = (-1, 0, 1) if label in LOWER_IS_BETTER else (1, 0, -1)
        assert row["wins/ties/losses"].text == "/".join(str(signs.count(sign)) for sign in order)
        if len(pair.differences) > 1 and pair.varies:
            assert_value(row["effect size"].text, pair.mean / stdev(pair.differences))
            ends = stats.ttest_1samp(pair.differences, 0).confidence_interval(0.95)
            stated = [*map(number, row["interval"].text.split(" to "))]
            assert stated == pytest.approx([max(ends.low, -1), min(ends.high, 1)], abs=ROUNDED)


def _counts(report: Report, table: Table) -> None:
    problem = report.problem
    systems = [heading for heading in [*table[0]] if heading not in ("count", "total")] if table else []
    for row in table:
        name = row["count"].text
        assert number(row["total"].text) == problem.total(name), name
        for heading in systems:
            key = tuple(int(part) if part.isdigit() else part for part in heading.split(", "))
            expected = problem.counts.get((*key, name))
            assert number(row[heading].text or "0") == (expected or 0), (name, heading)


def _segments(report: Report, table: Table) -> None:
    """A table of all metrics in each segment, in rows."""
    for row in table:
        where = (int(row["day"].text),) if "day" in row else None
        keys = report.segment(row["segment"].text, where)
        of_system = [
            values for key, values in report.per_list.items() if key[0] == row["system"].text and key[1:] in keys
        ]
        assert number(row["n_lists"].text) == len(of_system) > 0
        for label in report.problem.metrics:
            values = [value for of in of_system if (value := of[label]) is not None]
            assert_value(row[label].text, fmean(values) if values else None)


def _across(report: Report, table: Table) -> None:
    """A table of the first metric with a column for each system."""
    label = report.problem.metrics[0]
    for row in table:
        where = (int(row["day"].text),) if "day" in row else None
        keys, means = report.segment(row["group"].text, where), dict[str, float]()
        of_systems = {name: {key: of[key] for key in of.keys() & keys} for name, of in report.values(label).items()}
        assert number(row["n_lists"].text) == max(map(len, of_systems.values()))
        for name, of_system in of_systems.items():
            values = [value for value in of_system.values() if value is not None]
            means |= {name: fmean(values)} if values else {}
            assert_value(row[name].text, means.get(name))
        best = min if label in LOWER_IS_BETTER else max
        for name in of_systems:
            is_best = len(means) > 1 and name in means and means[name] == pytest.approx(best(means.values()), abs=1e-9)
            assert bool(row[name].mark) == is_best


def _worst(report: Report, table: Table) -> None:
    """The worst lists of a system, or those with its greatest losses."""
    label = report.problem.metrics[0]
    sign = -1 if label in LOWER_IS_BETTER else 1
    name = table[0]["system"].text
    values = {key: value for key, value in report.values(label)[name].items() if value is not None}
    scores = {key: sign * value for key, value in values.items()}
    if "loss" in table[0]:
        others = [of for other, of in report.values(label).items() if other != name]
        losses = [number(row["loss"].text) for row in table]
        assert losses == sorted(losses, reverse=True)
        scores = {}
        assert any(_has_losses(table, of) for of in others)
    for row in table:
        key = (int(row["day"].text), int(row["user"].text))
        relevant = {item for item, rating in report.problem.inputs.truths[key].items() if rating > 0}
        assert_value(row[label].text, values[key])
        assert number(row["n_relevant"].text) == len(relevant)
        rows = in_order(report.problem.inputs.by_list.get((name, *key), []))
        ranks = [rank for rank, of in enumerate(rows, start=1) if of["item"] in relevant]
        assert row["first_hit"].text == str(min(ranks, default="–"))
        if "loss" in row:
            assert number(row["loss"].text) == pytest.approx(
                sign * (number(row[f"{label} baseline"].text) - values[key]), abs=2 * ROUNDED
            )
    if scores:
        stated = [scores[int(row["day"].text), int(row["user"].text)] for row in table]
        assert stated == pytest.approx(sorted(scores.values())[:10])


def _has_losses(table: Table, values: Mapping[Hashable, float | None]) -> bool:
    """True if the baseline of a table of losses may be a system with these values."""
    stated = {(int(row["day"].text), int(row["user"].text)): row for row in table}
    label = next(heading for heading in table[0] if heading.endswith(" baseline"))
    return all(
        (value := values.get(key)) is not None and abs(number(row[label].text) - value) < ROUNDED
        for key, row in stated.items()
    )


TABLES: Mapping[str, Callable[[Report, Table], None]] = {
    r"The mean of each metric for each system, the best of each metric marked\.": _leaderboard,
    r"The differences of pairs of systems, over the lists of both\.": _differences,
    r"The mean \S+ of each system in each segment, the best of each segment marked\.": _across,
    r"The mean of each metric in each segment of group\.": _segments,
    r"The lists on which \w loses most against \w, by \S+\.": _worst,
    r"The lists with the worst \S+ of \w\.": _worst,
    r"The counts of the data that are not 0\.": _counts,
    r"Counts that are 0 or that only warnings read\.": _counts,
}


# --- the page ---------------------------------------------------------------------------------------------------------


def words(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def elements(page: str) -> Iterator[ET.Element]:
    """The texts and tables of a page, without links and styles."""
    body = re.sub(r"<(style|nav|svg)\b.*?</\1>", "", page[page.index("<body>") :].replace("</html>", ""), flags=re.S)
    for element in ET.fromstring(body).iter():
        if element.tag in ("p", "li", "figcaption", "summary", "table", "dd"):
            yield element


# Where a paragraph has another sentence.
NEXT = r"(?<=[.:]) +(?=The difference|Whether|The second|That is|\w (?:and \w )*has exactly|How|A dash|Wins)"


def assert_page(report: Report, page: str) -> None:
    """Assert every number of a page: those of tables by their caption."""
    report.is_compared = not re.search("Comparison</strong>: .*experiment with arms", page)
    caption, fixed = "", {with_quotes(fault.summary) for fault in catalog().all("check")}
    for element in elements(page):
        text = words(element)
        if element.get("class") == "caption":
            caption = text
        elif element.tag == "table":
            headings = [words(heading) for heading in element.findall("thead/tr/th")]
            rows = [dict(zip(headings, map(Cell.of, row), strict=True)) for row in element.findall("tbody/tr")]
            (check,) = (check for kind, check in TABLES.items() if re.fullmatch(kind, caption))
            check(report, rows)
        elif any(re.fullmatch(kind, text) for kind in NOTES):
            assert_recounted(text, NOTES, report.problem)
        elif not re.fullmatch(ELSEWHERE, text) and text not in fixed:
            for sentence in re.split(NEXT, text):
                assert_sentence(report, sentence)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports on one to three systems and few lists or many, on days or without, with a baseline or without."""
    systems, labels = draw(st.sampled_from(["a", "ab", "abc"])), tuple(draw(st.permutations(METRICS)))
    problem = draw(draw(st.sampled_from([problems, larger_problems]))(systems, labels))
    report = Report(problem, None)
    if len(report.systems) > 1:
        report.baseline = draw(st.sampled_from([None, report.systems[-1]]))
    return report


@examples(15)
@given(reports())
def test_every_number_of_a_report_is_that_of_the_rows(report: Report) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        groups = pl.DataFrame({"user": [*GROUPS], "group": [*GROUPS.values()]})
        facts = ReportFacts(report.problem.result(), report.baseline, {"group": (groups, "group")})
        page = page_of(facts, sections=SECTIONS)
    assert_page(report, page)
