"""A second implementation of the estimates of rankmetrics.judges, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist, fmean
from typing import Any

# Of a list: the value by people's labels, the value by the judge's labels, whether people labelled it.
Values = tuple[float | None, float | None, bool]


def _covariance(left: Sequence[float], right: Sequence[float]) -> float:
    return fmean((x - fmean(left)) * (y - fmean(right)) for x, y in zip(left, right, strict=True))


def corrected(values: Sequence[Values], confidence: float = 0.95) -> dict[str, Any]:
    """The columns of a row of the summary after `metric`."""
    pairs = [(h, j) for h, j, is_labelled in values if is_labelled and h is not None and j is not None]
    unlabelled = [j for _, j, is_labelled in values if not is_labelled and j is not None]
    human, judge = [h for h, _ in pairs], [j for _, j in pairs]
    n, n_unlabelled, z = len(pairs), len(unlabelled), NormalDist().inv_cdf((1 + confidence) / 2)
    every = [*judge, *unlabelled]
    row: dict[str, Any] = dict.fromkeys(("estimate", "ci_low", "ci_high", "lambda"))
    row |= {"human_mean": fmean(human) if human else None, "human_ci_low": None, "human_ci_high": None}
    row |= {"judge_mean": fmean(every) if every else None, "n_labelled": n, "n_unlabelled": n_unlabelled}
    row |= {"n_undefined": len(values) - len(every), "n_effective": None}
    if n < 2:
        return row
    weight = 0.0
    spread = _covariance(every, every)
    if n_unlabelled and spread > 1e-18 * fmean(every) ** 2:
        spread *= len(every) / (len(every) - 1)
        weight = min(1.0, max(0.0, _covariance(human, judge) / ((1 + n / n_unlabelled) * spread)))
    rest = [h - weight * j for h, j in pairs]
    estimate, variance = fmean(rest), _covariance(rest, rest) / n
    if n_unlabelled:
        estimate += weight * fmean(unlabelled)
        variance += weight**2 * _covariance(unlabelled, unlabelled) / n_unlabelled
    else:
        estimate += weight * fmean(judge)
    alone = _covariance(human, human)
    row |= {"estimate": estimate, "ci_low": estimate - z * variance**0.5, "ci_high": estimate + z * variance**0.5}
    row |= {"lambda": weight, "n_effective": alone / variance if variance > 0 else None}
    human_error = (alone / n) ** 0.5
    row |= {"human_ci_low": fmean(human) - z * human_error, "human_ci_high": fmean(human) + z * human_error}
    return row
