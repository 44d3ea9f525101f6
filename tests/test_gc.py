"""Planning pauses Python's garbage collector, and leaves it as it was."""

from __future__ import annotations

import gc
import random

import pytest

import rankmetrics as rm
from tests.support.small_lists import RECS, TRUTH


@pytest.mark.parametrize("enabled", [True, False])
def test_planning_leaves_the_collection_of_garbage_as_it_was(enabled: bool) -> None:
    was_on = gc.isenabled()
    try:
        gc.enable() if enabled else gc.disable()
        rm.evaluate(RECS, TRUTH, [f"hit@{random.randrange(10**6)}"]).summary()  # not planned before
        assert gc.isenabled() == enabled
        with pytest.raises(rm.MetricError):
            rm.evaluate(RECS, TRUTH, ["no metric"])
        assert gc.isenabled() == enabled
    finally:
        gc.enable() if was_on else gc.disable()
