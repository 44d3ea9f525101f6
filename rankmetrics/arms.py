"""Arms of an experiment: whether as many users came to each as should have."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from rankmetrics.errors import InputError, Option, RankMetricsWarning, importing, refuse_kind
from rankmetrics.messages import said

# Below this p-value, an assignment to arms is broken; a smaller level than usual, as every experiment is checked.
LEVEL = 0.001


def counted_as_0() -> str:
    """The advice for means over lists that an arm does not have."""
    return f"the means count lists without recommendations as 0: evaluate with {Option('missing', 'skip')}."


def own_lists_only() -> InputError:
    """The error for arms whose means count lists that they do not have."""
    return InputError(f"Arms are compared over their own lists, and {counted_as_0()}", page="ab-tests/")


def check_arms(counts: Mapping[str, int], shares: Mapping[str, float] | None = None) -> float:
    """The p-value of the numbers of users of each arm, if users were assigned by chance: a check of sample ratios.

    It is that of the chi-squared test. Count what was assigned: users, if all impressions of a user are of one arm.

    Args:
        counts: the number of users of each arm, at least two arms.
        shares: the share of users that each arm should have, above 0; only their ratios count. By default, arms have
            equal shares.

    Returns:
        The p-value, from 0 to 1. Below 0.001, a RankMetricsWarning says that the assignment is broken.

    Raises:
        InputError: there are fewer than two arms, or no users; a count is negative; shares and counts have different
            arms; a share is not above 0; or SciPy is missing.

    Source:
        A. Fabijan et al., "Diagnosing Sample Ratio Mismatch in Online Controlled Experiments" (2019),
        doi:10.1145/3292500.3330722

    Example:
        >>> round(check_arms({"old": 5020, "new": 4980}), 3)
        0.689
        >>> round(check_arms({"old": 9020, "new": 980}, {"old": 9, "new": 1}), 3)
        0.505
    """
    refuse_kind("counts", counts, (Mapping,), "rm.check_arms({'old': 5020, 'new': 4980})")
    shares = dict.fromkeys(counts, 1.0) if shares is None else shares
    if len(counts) < 2 or min(counts.values()) < 0 or not sum(counts.values()):
        raise InputError(f"Counts of arms are numbers of users, of two arms or more: they were {dict(counts)}.")
    if {*shares} != {*counts} or not min(shares.values()) > 0:
        raise said(InputError, "shares_of_other_arms", shares=dict(shares), counts=dict(counts))
    with importing("Arms are checked with SciPy", "statistics"):
        from scipy import stats
    per_share = sum(counts.values()) / sum(shares.values())
    expected = {arm: share * per_share for arm, share in shares.items()}
    p_value = float(stats.chisquare([*counts.values()], [expected[arm] for arm in counts]).pvalue)
    if p_value < LEVEL:
        numbers = ", ".join(f"{arm} has {n:,} users and should have {expected[arm]:,.0f}" for arm, n in counts.items())
        warnings.warn(said(RankMetricsWarning, "other_shares", numbers=numbers, p=p_value), stacklevel=2)
    return p_value
