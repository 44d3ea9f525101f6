"""What a daily job adds, day by day, is what the full build makes: row for row, for every metric."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import days

# The inputs that have the column of the day.
WITH_DAY = [days.MAY_HAVE_A_DAY, (), *((one,) for one in days.MAY_HAVE_A_DAY)]
GROUPS = range(len(days.every_metric()))


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("with_day", WITH_DAY, ids=lambda of: "+".join(of) or "none")
def test_the_days_together_are_the_full_build(tmp_path: Path, with_day: tuple[str, ...], group: int) -> None:
    seed = len(with_day) + group
    frames = days.problem(seed, with_day)
    days.assert_increments_make_the_full_build(tmp_path, frames, days.every_metric()[group])
