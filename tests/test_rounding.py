"""Numbers that differ in their last bits are equal wherever a decision depends on them."""

from __future__ import annotations

import polars as pl

import rankmetrics as rm
from rankmetrics._rounding import ROUNDING
from rankmetrics.comparisons.plan import files
from rankmetrics.gates.gate import Change, check_drop, check_value
from rankmetrics.options import Limit
from rankmetrics.tables import BEST, TextTable

# The same sum in two orders.
HIGH, LOW = 0.1 + 0.2 + 0.3, 0.1 + (0.2 + 0.3)


def test_no_decision_depends_on_the_last_bits() -> None:
    assert HIGH > LOW
    rows = [{"system": "a", "rr": LOW}, {"system": "b", "rr": HIGH}, {"system": "c", "rr": 0.5}]
    table = TextTable.of_rows(["system", "rr"], rows, n_keys=1, best_of={"rr": max})
    assert [cells[1].mark for cells in table.rows] == [BEST, BEST, ""]
    for before, now in ((HIGH, LOW), (LOW, HIGH)):
        drop = check_drop("rr", "a", Change(before, now), Limit(0), lower_is_better=now > before, strict=True)
        assert (drop.passed, drop.reason) == (True, "It stayed at 0.6000."), (before, now)
        for option in ("minimum", "maximum"):
            assert check_value(option, "rr", "a", now, Limit(before)).passed, (option, now)

    users = {"user": range(6)}
    high, low = (pl.DataFrame({**users, "rr": [value] * 6}) for value in (HIGH, LOW))
    comparison = rm.compare_files(high, low)
    assert comparison.collect().select("wins", "ties", "losses").rows() == [(0, 6, 0)]
    assert [cells[-1].mark for cells in comparison._means_table(("", "system")).rows] == [BEST, BEST]
    assert f"CAST({ROUNDING:.0e} AS DOUBLE)".replace("e-09", "e-9") in files()["differences"].text
