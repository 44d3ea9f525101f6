"""Every number in the notes of a comparison, counted again from the values per list; an unknown sentence fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from itertools import combinations
from statistics import stdev

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

import rankmetrics as rm
from tests.support.drawing import examples
from tests.support.stated_numbers import Lists, Values, holm

METRIC, SYSTEMS = "ndcg@10", "abc"


def pairs_of(values: Values) -> list[Lists]:
    return [Lists(values, *names) for names in combinations(SYSTEMS, 2)]


def adjusted(values: Values) -> dict[tuple[str, str], float]:
    """The p-values after Holm's correction."""
    return {(pair.baseline, pair.system): p_value for pair, p_value in holm(pairs_of(values))}


def is_significant(values: Values, pair: Lists) -> bool:
    return len(pair.differences) >= 6 and adjusted(values)[pair.baseline, pair.system] < 0.05


def _pair(values: Values, *names: str) -> Lists:
    return Lists(values, *sorted(names))


def _winner(values: Values, match: re.Match[str]) -> None:
    pair = _pair(values, match["best"], match["second"])
    sign = 1 if pair.system == match["best"] else -1
    assert float(match["difference"]) == pytest.approx(sign * pair.mean, abs=6e-5)
    if match["n"]:
        assert int(match["n"]) == len(pair.differences)
        assert sign * pair.mean < 0
    else:
        assert sign * pair.mean > 0
        assert bool(match["is_not"]) != is_significant(values, pair)
    stated = float(match["p"]) if match["p"] else 0.0
    assert stated == pytest.approx(adjusted(values)[pair.baseline, pair.system], abs=1.1e-4)


def _doubtful(values: Values, match: re.Match[str]) -> None:
    pair = _pair(values, match["system"], match["equal"] or match["other"])
    assert not is_significant(values, pair)
    if match["verb"]:
        assert match["system"] == pair.system  # the first name is the baseline
        assert (match["verb"] == "better") == (pair.mean > 0)
        if match["percent"] and pair.relative is not None:
            assert float(match["percent"].replace(",", "")) == pytest.approx(abs(pair.relative) * 100, rel=0.06)
        else:
            assert float(match["size"]) == pytest.approx(abs(pair.mean), abs=6e-5)
    else:
        assert pair.mean == pytest.approx(0, abs=1e-9)
    if match["few"]:
        assert int(match["few"]) == len(pair.differences) < 6
    if match["seen"]:
        assert int(match["n"]) == len(pair.differences) >= 6
        effect = float(match["seen"]) / stdev(pair.differences)
        if float(match["seen"]) > 0.01:  # it is rounded to 4 decimals
            power = TTestPower().power(effect, len(pair.differences), 0.05)
            assert power == pytest.approx(0.8, abs=0.02)


def _lists(values: Values, match: re.Match[str]) -> None:
    pair = _pair(values, match["first"], match["second"])
    stated = [int(match[name]) for name in ("n_first", "n_second", "n_both")]
    sizes = [len(values[match[name]]) for name in ("first", "second")]
    assert stated == [*sizes, len(pair.common)]
    assert sizes != [len(pair.common)] * 2


def _skipped(values: Values, match: re.Match[str]) -> None:
    counts = [pair.n_undefined for pair in pairs_of(values)]
    assert int(match["n"]) == max(counts)
    assert bool(match["up_to"]) == (min(counts) < max(counts))


def _over_common(values: Values, match: re.Match[str]) -> None:
    pair = _pair(values, match["first"], match["second"])
    assert len({*values[match["first"]]} ^ {*values[match["second"]]}) >= 10
    assert int(match["n_both"]) == len(pair.common)


P = r"p (?:= (?P<p>[\d.]+)|< 0\.0001)"
KINDS: dict[str, Callable[[Values, re.Match[str]], None] | None] = {
    r"(?P<best>\w) (?:is best by ndcg@10; it is (?P<is_not>not )?significantly better than"
    r"|has the best mean by ndcg@10, but over the (?P<n>\d+) lists of both it is behind) the second, (?P<second>\w): "
    rf"difference (?P<difference>[+-][\d.]+), {P}": _winner,
    r"(?P<first>\w) and (?P<second>\w) are best by ndcg@10: their means are equal": None,
    r"(?P<system>\w) (?:and (?P<equal>\w) are equal in ndcg@10|is (?P<verb>better|worse) than (?P<other>\w) in ndcg@10 "
    r"by (?:(?P<percent>[\d.,e+]+) %|(?P<size>[\d.]+)), which chance may explain)"
    r"(?:; (?P<few>\d+) lists? cannot show a difference at p < 0\.05: 6 are needed"
    r"|; these (?P<n>\d+) lists would show a difference of (?P<seen>[\d.]+) with a power of 0\.8)?": _doubtful,
    r"a letter: significantly better than the system of this letter \(paired t-test, p < 0\.05\)": None,
    r"p-values are corrected for the 3 tests of a metric: Holm": None,
    r"(?P<first>\w) has (?P<n_first>\d+) lists, (?P<second>\w) (?P<n_second>\d+), and (?P<n_both>\d+) are of both": (
        _lists
    ),
    r"(?P<up_to>up to )?(?P<n>\d+) lists? of a pair skipped: ndcg@10 is undefined for one of the two systems": _skipped,
    r"Warning: (?P<first>\w) has \d+ lists, (?P<second>\w) \d+, and (?P<n_both>\d+) are of both\..*": _over_common,
}


@st.composite
def values_of_systems(draw: st.DrawFn) -> Values:
    users = range(draw(st.integers(2, 40)))
    value = st.sampled_from([0.0, 0.25, 0.5, 1.0, None])
    lacking = draw(st.sampled_from(["", *SYSTEMS]))
    values: dict[str, dict[Hashable, float | None]] = {}
    for system in SYSTEMS:
        of_system = draw(st.lists(value, min_size=len(users), max_size=len(users)))
        n_users = draw(st.integers(len(users) // 2 + 1, len(users))) if system == lacking else len(users)
        values[system] = dict(zip(users[:n_users], of_system, strict=False))
    return values


@examples(40)
@given(values_of_systems())
def test_the_notes_of_a_comparison_state_what_the_lists_hold(values: Values) -> None:
    if any(len(pair.differences) < 2 for pair in pairs_of(values)):
        return
    rows = [(system, user, value) for system in values for user, value in values[system].items()]
    frame = pl.DataFrame(rows, ["system", "user", METRIC], orient="row", schema_overrides={METRIC: pl.Float64})
    notes = rm.compare_files(frame, frame.clear()).notes()
    for note in notes:
        found = [(check, match) for kind, check in KINDS.items() if (match := re.fullmatch(kind, note))]
        assert len(found) == 1, f"no kind of sentence, or several: {note}"
        ((check, match),) = found
        if check is not None:
            check(values, match)
