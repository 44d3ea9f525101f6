"""Arms of an experiment: numbers of users against their shares."""

from __future__ import annotations

import warnings

import pytest

import rankmetrics as rm
from tests.support.refusals import refusal


def test_arms_with_their_shares_have_the_p_value_of_the_chi_squared_test() -> None:
    """(510 - 500)^2 / 500 + (490 - 500)^2 / 500 = 0.4; two arms: the p-value of |z| = sqrt(0.4)."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rm.check_arms({"old": 510, "new": 490}) == pytest.approx(0.5270892568655381)
        assert rm.check_arms({"old": 900, "new": 100}, {"new": 10, "old": 90}) == 1


def test_arms_without_their_shares_are_warned_of() -> None:
    with pytest.warns(rm.RankMetricsWarning, match="old has 5,300 users and should have 5,000"):
        assert rm.check_arms({"old": 5300, "new": 4700}) < 1e-8
    with pytest.warns(rm.RankMetricsWarning, match="b has 300 users and should have 200"):
        rm.check_arms({"a": 300, "b": 300, "c": 400}, {"a": 0.4, "b": 0.2, "c": 0.4})


def test_counts_and_shares_that_mean_nothing_are_refused() -> None:
    for counts in ({"old": 3}, {"old": 3, "new": -1}, {"old": 0, "new": 0}):
        with refusal(rm.InputError, "numbers of users, of two arms or more", str(counts), case=counts):
            rm.check_arms(counts)
    for shares in ({"old": 1.0}, {"old": 1.0, "new": 0.0}):
        with refusal(rm.InputError, "Each arm has a share of the users, above 0", str(shares), case=shares):
            rm.check_arms({"old": 3, "new": 4}, shares)
