"""Every mistake that evaluate refuses by what the data holds is a row of the check, and an error of a guarded query."""

from __future__ import annotations

from functools import cache

import pytest

import rankmetrics as rm
from tests.faults.test_mistakes import sample
from tests.support.engines import LOCAL
from tests.support.faults import faults, numbers
from tests.support.mistakes import Mistake, every

# Columns and files whose role was guessed: a text is for columns whose roles are decided.
GUESSED = {
    "read one file per model as one table",
    "read the folder of those files",
    "left a column of the items' titles among the recommendations",
    "left a number of each row among the columns",
}


@cache
def _refused_by_data() -> list[Mistake]:
    """The mistakes that evaluate refuses after it has looked at the data."""
    found = []
    for one in every():
        if one.outcome == "refused":
            try:
                one.call(sample()).given(LOCAL[0].give).collect()
            except rm.DataError:
                found.append(one)
            except rm.RankMetricsError:
                continue
    return found


def test_every_mistake_that_the_data_shows_is_a_fault_in_a_text() -> None:
    refused = _refused_by_data()
    assert {one.what for one in refused} > GUESSED
    for one in refused:
        result = one.call(sample()).given(LOCAL[0].give)
        found = {row["fault"] for row in faults(result)}
        assert bool(found) == (one.what not in GUESSED), one.what
        if found:
            with pytest.raises(rm.EngineError) as caught:
                numbers(result, is_guarded=True)
            assert [name for name in found if f"rankmetrics: {name}: " in caught.value.reason], one.what
