"""The checks of a gate: each compares a number of one system with a limit, and gives the reason in a sentence."""

from __future__ import annotations

from rankmetrics.errors import counted
from rankmetrics.gates.drops import Change
from rankmetrics.gates.limits import Limit
from rankmetrics.gates.model import Check

# Two numbers that differ by less are the same: engines add up in different orders.
TOLERANCE = 1e-9


def check_minimum(metric: str, system: str | None, value: float | None, limit: Limit) -> Check:
    """Whether a value is at least the limit.

    >>> check_minimum("ndcg@10", "als", 0.2, Limit(0.25)).reason
    'It is below 0.25.'
    """
    if value is None:
        return _undefined("minimum", metric, system, limit)
    passed = value >= limit.value - TOLERANCE
    reason = f"It is {'at least' if passed else 'below'} {limit}."
    return Check("minimum", metric, system, value, limit, passed, reason)


def check_maximum(metric: str, system: str | None, value: float | None, limit: Limit) -> Check:
    """Whether a value is at most the limit."""
    if value is None:
        return _undefined("maximum", metric, system, limit)
    passed = value <= limit.value + TOLERANCE
    reason = f"It is {'at most' if passed else 'above'} {limit}."
    return Check("maximum", metric, system, value, limit, passed, reason)


def check_missing(system: str | None, n_missing: int | None, n_lists: int, limit: Limit) -> Check:
    """Whether the lists without recommendations are at most the limit: a number of lists, or a share of the lists.

    >>> check_missing("als", 3, 100, Limit(0.01, is_percentage=True)).reason
    '3 of 100 lists have no recommendations, which is more than 1%.'
    """
    if n_missing is None or (limit.is_percentage and not n_lists):
        return _undefined("max_missing", "n_missing", system, limit)
    value = n_missing / n_lists if limit.is_percentage else float(n_missing)
    passed = value <= limit.value + TOLERANCE
    reason = (
        f"{n_missing:,} of {counted(n_lists, 'list has', 'lists have')} no recommendations, which is "
        f"{'at most' if passed else 'more than'} "
        f"{limit}."
    )
    return Check("max_missing", "n_missing", system, value, limit, passed, reason)


def check_drop(
    metric: str, system: str | None, change: Change, limit: Limit, *, lower_is_better: bool, strict: bool
) -> Check:
    """Whether a metric fell by no more than the limit since an earlier run.

    A drop beyond the limit fails if the interval of the mean difference does not contain 0. It fails without regard to
    the interval if `strict` says so, or where there is no interval.

    Args:
        metric: the column of the metric.
        system: the name of the system.
        change: the change of the mean.
        limit: the largest drop: a percentage is a share of the earlier mean, a number is a difference.
        lower_is_better: whether the metric is better when it is lower: a rise is then the drop.
        strict: whether the interval is left out.
    """
    if change.before is None or change.now is None:
        return _undefined("max_drop", metric, system, limit)
    drop = change.now - change.before if lower_is_better else change.before - change.now
    value = _in_unit_of(limit, drop, change.before)
    is_beyond = drop > TOLERANCE if value is None else value > limit.value + TOLERANCE
    counts = is_beyond and (strict or not _contains_zero(change))
    why = _why(change, limit, strict=strict, has_share=value is not None) if is_beyond else []
    return Check("max_drop", metric, system, value, limit, not counts, " ".join([_moved(change), *why]))


def check_absent(metric: str, system: str | None, limit: Limit, *, is_new: bool) -> Check:
    """The failed check of a drop for a system that one of the two runs does not have."""
    reason = "The earlier run does not have this system." if is_new else "Only the earlier run has this system."
    return Check("max_drop", metric, system, None, limit, passed=False, reason=reason)


def _undefined(check: str, metric: str, system: str | None, limit: Limit) -> Check:
    reason = "It is undefined: no list has a value."
    return Check(check, metric, system, None, limit, passed=False, reason=reason)


def _in_unit_of(limit: Limit, drop: float, before: float) -> float | None:
    """A drop as a share of the earlier mean, where the limit is a percentage; None for a share of 0."""
    if not limit.is_percentage:
        return drop
    return drop / abs(before) if before else None


def _contains_zero(change: Change) -> bool:
    """Whether the interval of the difference contains 0; a change without an interval has none that could."""
    return change.ci_low is not None and change.ci_high is not None and change.ci_low <= 0 <= change.ci_high


def _moved(change: Change) -> str:
    """From which mean to which the metric moved."""
    assert change.before is not None
    assert change.now is not None
    lists = "list" if change.n_lists == 1 else "lists"
    of = "" if change.n_lists is None else f", over {change.n_lists:,} {lists} that both runs have"
    if abs(change.now - change.before) <= TOLERANCE:
        return f"It stayed at {change.now:.4f}{of}."
    moved = "fell" if change.now < change.before else "rose"
    return f"It {moved} from {change.before:.4f} to {change.now:.4f}{of}."


def _why(change: Change, limit: Limit, *, strict: bool, has_share: bool) -> list[str]:
    """A sentence on why a drop beyond the limit passes or fails."""
    beyond = f"That is worse by more than {limit}" if has_share else "The earlier mean is 0, which has no percentage"
    if strict:
        return [f"{beyond}, and strict leaves the interval out."]
    if change.ci_low is None:
        return [f"{beyond}, and there is no interval."]
    interval = f"the interval of the difference, {change.ci_low:+.4f} to {change.ci_high:+.4f},"
    contains = "contains 0, so it does not count" if _contains_zero(change) else "does not contain 0"
    return [f"{beyond}, and {interval} {contains}."]
