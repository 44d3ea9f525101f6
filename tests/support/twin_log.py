"""A plain-Python twin of the metrics of a log: what a policy would have earned, by what another one earned.

Slow, short, written to be read beside the headers of sql/metrics and sql/runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from statistics import pvariance, variance
from typing import TYPE_CHECKING, Any, cast

from tests.support.twin_inputs import Case, MetricValue, discount_of, mean, ratio, total

if TYPE_CHECKING:
    from tests.support.twin_systems import Run


@dataclass(frozen=True)
class Shown:
    """A logged action of a list, with its importance weight."""

    opens: bool  # whether it is the first of its impression
    rank: int
    reward: float
    importance: float  # of the actions that the reward depends on, made smaller as was asked
    before: float  # the same before it was made smaller
    product: float  # of the weights of the impression down to this action
    above: float  # of the weights of the impression above this action
    probability: float  # that the policy takes it
    expected: float  # the reward that a model expects of it
    policy_reward: float  # the reward that a model expects of the policy at this position


def smaller(weight: float, weighting: str, clip: float | None, shrink: float, switch: float) -> float:
    """A weight, made smaller where it is large."""
    return {
        "clipped": weight if clip is None else min(weight, clip),
        "shrunk": shrink * weight / (weight**2 + shrink),
        "switched": weight if weight <= switch else 0.0,
    }[weighting]


def shown(
    case: Case,
    interaction: str = "position",
    weighting: str = "clipped",
    clip: float | None = None,
    shrink: float = 100,
    switch: float = 10,
    **_: Any,
) -> list[Shown]:
    """The logged actions of a list within the cutoff."""
    found = []
    for impression in case.impressions:
        taken = [case.policy.get((action["item"], action["rank"]), 0.0) for action in impression]
        weights = [p / action["propensity"] for p, action in zip(taken, impression, strict=True)]
        for place, action in enumerate(impression):
            weight = {
                "position": weights[place],
                "cascade": math.prod(weights[: place + 1]),
                "slate": math.prod(weights),
                "additive": sum(weights) - len(weights) + 1 if case.policy else 0.0,
            }[interaction]
            of_position = [
                p * case.modelled.get((item, rank), 0)
                for (item, rank), p in case.policy.items()
                if rank == action["rank"]
            ]
            found.append(
                Shown(
                    opens=place == 0,
                    rank=action["rank"],
                    reward=action["reward"],
                    importance=smaller(weight, weighting, clip, shrink, switch),
                    before=weight,
                    product=math.prod(weights[: place + 1]),
                    above=math.prod(weights[:place]),
                    probability=taken[place],
                    expected=case.modelled.get((action["item"], action["rank"]), 0),
                    policy_reward=total(of_position),
                )
            )
    return [action for action in found if case.k is None or action.rank <= case.k]


def per_impression(
    case: Case, value: Callable[[Shown], float], weight: str = "uniform", p: float = 0.85, **of_weights: Any
) -> MetricValue:
    """The mean over the impressions of the sum of a value of the actions, by rank; None where the log has none."""
    actions = shown(case, **of_weights)
    whole = total(value(action) * discount_of(weight, action.rank, p) for action in actions)
    return ratio(whole, len(case.impressions))


def ips(case: Case, **asked: Any) -> MetricValue:
    """Rewards by importance."""
    return per_impression(case, lambda one: one.importance * one.reward, **asked)


def dm(case: Case, **asked: Any) -> MetricValue:
    """What the model expects of the policy at the logged positions."""
    return per_impression(case, lambda one: one.policy_reward, **asked)


def dr(case: Case, **asked: Any) -> MetricValue:
    """The same, and the errors of the model by importance."""
    return per_impression(case, lambda one: one.policy_reward + one.importance * (one.reward - one.expected), **asked)


def cascade_dr(case: Case, weight: str = "uniform", p: float = 0.85) -> MetricValue:
    """From the top: what the model expects from here on, and its error where the weights led."""

    def value(one: Shown) -> float:
        earned = one.reward * discount_of(weight, one.rank, p)
        return one.above * one.policy_reward + one.product * (earned - one.expected)

    return per_impression(case, value)


def logged_reward(case: Case, **asked: Any) -> MetricValue:
    """Rewards as they are."""
    return per_impression(case, lambda one: one.reward, **asked)


def mean_importance(case: Case, **asked: Any) -> MetricValue:
    """The mean weight of the actions."""
    return mean([action.importance for action in shown(case, **asked)])


def of_weights(asked: dict[str, Any]) -> dict[str, Any]:
    """The settings without those of the weights of ranks."""
    return {name: value for name, value in asked.items() if name not in ("weight", "p")}


def summed(values: Sequence[MetricValue]) -> float | None:
    """The sum of what is defined; None of nothing."""
    defined = [value for value in values if value is not None]
    return total(defined) if defined else None


def snips(run: Run, **asked: Any) -> MetricValue:
    """ips over the mean weight, each list alike."""
    above = summed([ips(case, **asked) for case in run.cases])
    below = summed([mean_importance(case, **of_weights(asked)) for case in run.cases])
    return None if above is None or not below else above / below


def error_of_mean(influences: Sequence[float]) -> float | None:
    """The standard error of a sum of what each list adds; None of a single list."""
    n = len(influences)
    return math.sqrt(total(added**2 for added in influences) * n / (n - 1)) if n > 1 else None


def snips_error(run: Run, **asked: Any) -> MetricValue:
    """What each list adds: ips - snips * mean weight, in units of the sum of mean weights."""
    below = [mean_importance(case, **of_weights(asked)) for case in run.cases]
    pairs = [(ips(case, **asked), weight) for case, weight in zip(run.cases, below, strict=True)]
    ratio_of_sums, whole = snips(run, **asked), summed(below)
    if ratio_of_sums is None or not whole:
        return None
    return error_of_mean([(a - ratio_of_sums * (b or 0)) / abs(whole) for a, b in pairs if a is not None])


def replay_error(run: Run, weight: str = "uniform", p: float = 0.85) -> MetricValue:
    """What each list adds: rewards of matches - replay * matches, in units of the sum of matches."""
    mean_reward, pairs = replay(run, weight, p), []
    for case in run.cases:
        actions = shown(case)
        earned = total(one.probability * one.reward * discount_of(weight, one.rank, p) for one in actions)
        pairs.append((earned, total(one.probability for one in actions)))
    if mean_reward is None:
        return None
    whole = total(matches for _, matches in pairs)
    return error_of_mean([(earned - mean_reward * matches) / whole for earned, matches in pairs])


def sndr_error(run: Run, **asked: Any) -> MetricValue:
    """What each list adds: dm - its mean, per list, and dr - dm - ratio * mean weight, per unit of weight."""
    below = [mean_importance(case, **of_weights(asked)) or 0 for case in run.cases]
    whole = total(below)
    found = [
        (direct, doubly - direct, weight)
        for case, weight in zip(run.cases, below, strict=True)
        if (direct := dm(case, **asked)) is not None and (doubly := dr(case, **asked)) is not None
    ]
    if not found or not whole:
        return None
    middle, of_model = total(a for a, _, _ in found) / len(found), total(c for _, c, _ in found) / whole
    return error_of_mean([(a - middle) / len(found) + (c - of_model * weight) / whole for a, c, weight in found])


def sndr(run: Run, **asked: Any) -> MetricValue:
    """Dm, and the errors of the model over the mean weight."""
    pairs = [(dm(case, **asked), dr(case, **asked)) for case in run.cases]
    defined = [(direct, doubly) for direct, doubly in pairs if direct is not None and doubly is not None]
    below = summed([mean_importance(case, **of_weights(asked)) for case in run.cases])
    if not defined or not below:
        return None
    return total(one for one, _ in defined) / len(defined) + total(two - one for one, two in defined) / below


def actions_of(run: Run, **asked: Any) -> list[Shown]:
    """The logged actions of all lists."""
    return [action for case in run.cases for action in shown(case, **asked)]


def replay(run: Run, weight: str = "uniform", p: float = 0.85) -> MetricValue:
    """The mean reward of actions that the policy takes, by how likely it takes them."""
    actions = actions_of(run)
    earned = total(one.probability * one.reward * discount_of(weight, one.rank, p) for one in actions)
    return ratio(earned, total(one.probability for one in actions))


def effective_sample_size(run: Run, **asked: Any) -> MetricValue:
    """The squared sum of weights over the sum of squares, in impressions."""
    actions = actions_of(run, **asked)
    size = ratio(total(one.importance for one in actions) ** 2, total(one.importance**2 for one in actions))
    n_impressions = sum(len(case.impressions) for case in run.cases)
    return None if size is None else size * n_impressions / len(actions)


def max_importance(run: Run, **asked: Any) -> MetricValue:
    """The largest weight."""
    return max((one.importance for one in actions_of(run, **asked)), default=None)


def clipped_share(run: Run, **asked: Any) -> MetricValue:
    """The share of actions whose weight is made smaller."""
    return mean([float(one.importance < one.before) for one in actions_of(run, **asked)])


def examination(run: Run, of: str = "swaps") -> MetricValue:
    """Mean rewards at rank k over those at 1: of items that a list was shown at both, or of all."""
    by_place: dict[tuple[Hashable, ...], list[float]] = {}
    for key, impressions in run.inputs.logs.items():
        for action in (action for impression in impressions for action in impression):
            place = (*((key, action["item"]) if of == "swaps" else ()), action["rank"])
            by_place.setdefault(place, []).append(action["reward"])
    means = {place: total(rewards) / len(rewards) for place, rewards in by_place.items()}
    pairs = [
        (means[place], means[*place[:-1], 1]) for place in means if place[-1] == run.k and (*place[:-1], 1) in means
    ]
    return ratio(total(at_k for at_k, _ in pairs), total(first for _, first in pairs))


def by_logger(run: Run, weight: str = "uniform", p: float = 0.85, **asked: Any) -> list[tuple[float, float, float]]:
    """By each logger, of two lists or more whose values differ: the estimate, its precision, its squared error."""
    rewards: dict[Hashable, list[float]] = {}
    for case in run.cases:
        impressions: dict[Hashable, list[Sequence[Any]]] = {}
        for impression in case.impressions:
            impressions.setdefault(impression[0]["logger"], []).append(impression)
        for logger, of in impressions.items():
            if logger is not None:
                value = ips(replace(case, impressions=of), weight=weight, p=p, **asked)
                rewards.setdefault(logger, []).append(cast("float", value))
    return [
        (total(values) / len(values), len(values) / pvariance(values), variance(values) / len(values))
        for values in rewards.values()
        if len(values) > 1 and pvariance(values) * len(values) > 1e-14 * total(value**2 for value in values)
    ]


def multi_logger_ips(run: Run, **asked: Any) -> MetricValue:
    """The mean of the estimates of loggers by their precision."""
    found = by_logger(run, **asked)
    return ratio(total(value * precision for value, precision, _ in found), total(each[1] for each in found))


def multi_logger_ips_error(run: Run, **asked: Any) -> MetricValue:
    """The error of a mean of independent estimates, weighted by their precision."""
    found = by_logger(run, **asked)
    squares = total(precision**2 * squared_error for _, precision, squared_error in found)
    return ratio(math.sqrt(squares), total(each[1] for each in found))


OF_LISTS = {one.__name__: one for one in (ips, dm, dr, cascade_dr, logged_reward, mean_importance)}
# System-level metrics that are computed from the log itself.
OF_THE_LOG = ("examination", "multi_logger_ips", "multi_logger_ips_error")
OF_RUNS = {
    one.__name__: one
    for one in (
        *(snips, snips_error, sndr, sndr_error, replay, replay_error, effective_sample_size),
        *(max_importance, clipped_share, examination, multi_logger_ips, multi_logger_ips_error),
    )
}
