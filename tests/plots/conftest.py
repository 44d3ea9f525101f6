"""The result of the sample, which the tests of charts share."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from tests.support.two_systems import RECS_PATH, TRUTH_PATH


@pytest.fixture(scope="session")
def sample() -> rm.Result:
    """Three recommenders over 998 lists, in DuckDB."""
    history = RECS_PATH.parent / "history.parquet"
    return rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10", "precision@10", "coverage@10"], history=history)
