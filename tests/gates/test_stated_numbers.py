"""Every number in the reasons and notes of a gate, counted again from the values per list; new sentences fail."""

from __future__ import annotations

import re
from statistics import fmean

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankmetrics as rm
from tests.support.drawing import examples

METRIC, LIMIT = "hit@1", 0.1
Hits = dict[int, bool]  # of each user

DROP = re.compile(
    r"It (?:stayed at (?P<same>[\d.]+)|(?P<verb>fell|rose) from (?P<before>[\d.]+) to (?P<now>[\d.]+)), "
    r"over (?P<n>\d+) lists? that both runs have\."
    r"(?P<worse> That is worse by more than 0\.1, (?:and (?P<few>\d+) lists? cannot tell whether it is chance: 6 are "
    r"needed"
    r"|(?P<verdict>but the drop is not|and the drop is) significant: (?P<interval>.*)))?"
    r"(?P<proof> A loss of 0\.1 or more (?P<ruled>is|cannot be) ruled out: "
    r"(?:(?P<too_few>\d+) lists? cannot rule it out: 100 are needed|(?P<end>.*)))?\.?"
)
INTERVAL = re.compile(
    r"the (?P<level>95|90)% confidence interval of the difference is (?P<low>[+-]\d\.\d+) to (?P<high>[+-]\d\.\d+)"
    r"(?:; these (?P<n>\d+) lists would show a difference of [\d.]+ with a power of 0\.8)?\.?"
)
NOTES = {
    "added": re.compile(r"(\d+) lists? (?:is|are) not in the earlier run, and not compared\."),
    "gone": re.compile(r"(\d+) lists? of the earlier run (?:is|are) gone, and not compared\."),
}


def gated(before: Hits, now: Hits, prove: str | None) -> rm.GateReport:
    recs = pl.DataFrame({"user": [*now], "item": "a", "rank": 1})
    truth = recs.select("user", item=pl.Series(["a" if hit else "b" for hit in now.values()]))
    earlier = pl.DataFrame({"user": [*before], METRIC: [float(hit) for hit in before.values()]})
    # a list with a hit is always among those that are compared, so that an item is in both inputs
    result = rm.evaluate(recs, truth, METRIC)
    return rm.gate(result, max_drop={METRIC: LIMIT}, against=earlier, prove=prove)  # type: ignore[arg-type]


def _interval(text: str, differences: list[float], level: float) -> tuple[float, float]:
    match = INTERVAL.fullmatch(text)
    assert match is not None, text
    assert float(match["level"]) == level
    assert match["n"] is None or int(match["n"]) == len(differences)
    low, high = float(match["low"]), float(match["high"])
    if max(differences) > min(differences):
        known = stats.ttest_1samp(differences, 0).confidence_interval(level / 100)
        assert (low, high) == pytest.approx((max(known.low, -1), min(known.high, 1)), abs=6e-5)
    return low, high


@examples(40)
@given(
    st.dictionaries(st.integers(0, 40), st.booleans(), min_size=2),
    st.dictionaries(st.integers(0, 40), st.booleans(), min_size=2),
    st.sampled_from([None, "not_worse"]),
    st.sampled_from([1, 20]),
)
def test_the_reason_of_a_check_states_what_the_lists_hold(
    before: Hits, now: Hits, prove: str | None, times: int
) -> None:
    before, now = (
        {20 * user + copy: hit for user, hit in {**hits, 99: True}.items() for copy in range(times)}
        for hits in (before, now)
    )
    report = gated(before, now, prove)
    both = [user for user in before if user in now]
    differences = [float(now[user]) - float(before[user]) for user in both]
    old, new = (fmean(hits[user] for user in both) for hits in (before, now))
    (check,) = report.results
    match = DROP.fullmatch(check.reason)
    assert match is not None, check.reason
    assert int(match["n"]) == len(both)
    if match["same"]:
        assert float(match["same"]) == pytest.approx(old, abs=6e-5) == pytest.approx(new, abs=6e-5)
    else:
        assert (match["verb"] == "fell") == (new < old)
        assert (float(match["before"]), float(match["now"])) == pytest.approx((old, new), abs=6e-5)
    is_worse = old - new > LIMIT + 1e-12
    assert bool(match["worse"]) == (is_worse and prove is None)
    assert bool(match["proof"]) == (prove is not None)
    p_value = 1.0
    if len(both) > 1 and max(differences) > min(differences):
        p_value = float(stats.ttest_1samp(differences, 0).pvalue)
    elif differences[0]:
        p_value = 2 * 0.5 ** len(both)
    if match["worse"] and match["few"]:
        assert int(match["few"]) == len(both) < 6
        assert not check.passed
    elif match["worse"]:
        _interval(match["interval"], differences, 95)
        assert check.passed == (match["verdict"] == "but the drop is not") == (p_value >= 0.05)
    elif prove is None:
        assert check.passed
    elif match["too_few"]:
        assert int(match["too_few"]) == len(both) < 100
        assert not check.passed
    else:
        low, _ = _interval(match["end"], differences, 90)
        assert check.passed == (match["ruled"] == "is")
        if max(differences) > min(differences) and abs(low + LIMIT) > 1e-4:
            assert check.passed == (low > -LIMIT)
    counts = {"added": len({*now} - {*before}), "gone": len({*before} - {*now})}
    stated = {
        name: int(found[1]) for name, kind in NOTES.items() for note in report.notes() if (found := kind.match(note))
    }
    assert stated == {name: n for name, n in counts.items() if n}
