"""Planning pauses Python's garbage collector, and leaves it as it was."""

from __future__ import annotations

import gc
import random

import pytest

import rankmetrics as rm
from tests.support.small_lists import RECS, TRUTH


def test_planning_leaves_the_collection_of_garbage_as_it_was() -> None:
    was_on = gc.isenabled()
    try:
        for set_state, enabled in ((gc.enable, True), (gc.disable, False)):
            set_state()
            rm.evaluate(RECS, TRUTH, [f"hit@{random.randrange(10**6)}"]).summary()  # not planned before
            assert gc.isenabled() == enabled
            with pytest.raises(rm.MetricError):
                rm.evaluate(RECS, TRUTH, ["no metric"])
            assert gc.isenabled() == enabled
    finally:
        gc.enable() if was_on else gc.disable()
