"""Open Bandit Pipeline's estimators on drawn logs, and on the logs of its wheel: what each says of one policy.

A drawn log of single items, with a policy by user and a model of the rewards, one of three positions, and one of two
loggers, with the propensity under the logger that showed the item, or the mean of both. The logs of the wheel are rated
by one policy for all rounds; they are read where they lie.
"""

from __future__ import annotations

import csv
import random
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from itertools import accumulate
from operator import mul
from pathlib import Path
from typing import Any


class Absent(types.ModuleType):
    """A module that obp imports and its estimators do not use."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


NAMES = (
    "torch torch.nn torch.nn.functional torch.optim torch.utils torch.utils.data matplotlib matplotlib.pyplot seaborn"
)
for absent in map(Absent, NAMES.split()):
    sys.modules[absent.__name__] = absent
    parent, _, child = absent.__name__.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, absent)

import numpy as np  # noqa: E402  # after the absent modules
import obp  # noqa: E402
from obp import ope  # noqa: E402

from peers.job import write_json  # noqa: E402
from peers.tables import write  # noqa: E402

ITEMS, USERS, SLATES, POSITIONS = 4, 150, 60, 3
PATH = Path(obp.__file__).parent / "dataset" / "obd"

LOG = ("kind", "user", "position", "item", "reward", "propensity", "logger")
POLICY = ("kind", "user", "position", "item", "probability", "expected_reward")


def shares(draw: random.Random) -> list[float]:
    """Probabilities of all items, in hundredths."""
    cuts = sorted(draw.sample(range(1, 100), ITEMS - 1))
    return [(high - low) / 100 for low, high in zip([0, *cuts], [*cuts, 100], strict=True)]


def drawn() -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """The logs, and what the policies would show; the certain one shows one item to each user."""
    draw = random.Random(5)
    log, policy = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for user in range(USERS):
        old, new = shares(draw), shares(draw)
        item = draw.choices(range(ITEMS), old)[0]
        log.append(("single", user, 1, item, draw.choice([0, 0, 1, 2]), old[item], None))
        policy += [("single", user, 1, one, new[one], draw.randrange(100) / 50) for one in range(ITEMS)]
        policy.append(("certain", user, 1, draw.randrange(ITEMS), 1.0, None))
    for user in range(SLATES):
        for position in range(1, POSITIONS + 1):
            old, new = shares(draw), shares(draw)
            item = draw.choices(range(ITEMS), old)[0]
            log.append(("slate", user, position, item, draw.choice([0, 1]), old[item], None))
            policy += [("slate", user, position, one, new[one], draw.randrange(100) / 50) for one in range(ITEMS)]
    for user in range(USERS):
        loggers, logger, new = (shares(draw), shares(draw)), int(user % 3 == 0), shares(draw)
        item, reward = draw.choices(range(ITEMS), loggers[logger])[0], draw.choice([0, 0, 1, 2])
        balanced = loggers[0][item] * (2 / 3) + loggers[1][item] * (1 / 3)
        log.append(("loggers", user, 1, item, reward, loggers[logger][item], logger))
        log.append(("balanced", user, 1, item, reward, balanced, logger))
        policy += [("loggers", user, 1, one, new[one], draw.randrange(100) / 50) for one in range(ITEMS)]
    return log, policy


def of_items(log: list[dict[str, Any]], policies: Mapping[str, Any], model: Any) -> Iterator[tuple[str, float]]:
    """Estimates from single items, each by our call for it."""
    told: dict[str, Any] = {name: np.array([row[name] for row in log]) for name in ("reward", "item", "propensity")}
    given = {"reward": told["reward"], "action": told["item"], "pscore": told["propensity"]}
    given |= {"position": np.array([row["position"] - 1 for row in log])}
    given |= {"action_dist": policies["new"], "estimated_rewards_by_reg_model": model}
    estimators: dict[str, Any] = {
        "ips": ope.InverseProbabilityWeighting(),
        "snips": ope.SelfNormalizedInverseProbabilityWeighting(),
        "dm": ope.DirectMethod(),
        "dr": ope.DoublyRobust(),
        "sndr": ope.SelfNormalizedDoublyRobust(),
        "dr(weighting=switched, switch=1.5)": ope.SwitchDoublyRobust(lambda_=1.5),
        "dr(weighting=shrunk, shrink=2)": ope.DoublyRobustWithShrinkage(lambda_=2),
    }
    yield from ((call, one.estimate_policy_value(**given)) for call, one in estimators.items())
    if "certain" in policies:
        yield "replay", ope.ReplayMethod().estimate_policy_value(**{**given, "action_dist": policies["certain"]})


def of_slates(log: list[dict[str, Any]], probability: Callable[[dict[str, Any]], float]) -> Iterator[tuple[str, float]]:
    """Estimates from slates: the probabilities of an action, of those down to it, of the whole slate."""
    rows = sorted(log, key=lambda row: (row["user"], row["position"]))
    told: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in ("reward", "position")}
    told["slate_id"], told["position"] = np.array([row["user"] for row in rows]), told["position"] - 1
    sides = {
        "pscore": np.array([row["propensity"] for row in rows]),
        "evaluation_policy_pscore": np.array([probability(row) for row in rows]),
    }
    alone = {side: values.reshape(-1, POSITIONS) for side, values in sides.items()}
    down = {side: np.array([[*accumulate(row, mul)] for row in values]) for side, values in alone.items()}
    whole = {side: np.repeat(values.prod(axis=1, keepdims=True), POSITIONS, axis=1) for side, values in alone.items()}
    for call, estimator, of, ending in (
        ("ips", ope.SlateIndependentIPS, alone, "_item_position"),
        ("ips(interaction=cascade)", ope.SlateRewardInteractionIPS, down, "_cascade"),
        ("ips(interaction=slate)", ope.SlateStandardIPS, whole, ""),
    ):
        named = {f"{side}{ending}": values.ravel() for side, values in of.items()}
        yield call, estimator(len_list=POSITIONS).estimate_policy_value(**told, **named)


def of_cascades(log: list[dict[str, Any]], by_action: Mapping[tuple[Any, ...], Any]) -> float:
    """The estimate by cascade DR, from the products of probabilities down to each action."""
    rows = sorted(log, key=lambda row: (row["user"], row["position"]))
    keys = [("slate", row["user"], row["position"]) for row in rows]
    new = np.array([by_action[*key, row["item"]][0] for key, row in zip(keys, rows, strict=True)])
    old = np.array([row["propensity"] for row in rows])
    estimator = ope.SlateCascadeDoublyRobust(len_list=POSITIONS, n_unique_action=ITEMS)
    estimate: float = estimator.estimate_policy_value(
        slate_id=np.array([row["user"] for row in rows]),
        position=np.array([row["position"] - 1 for row in rows]),
        action=np.array([row["item"] for row in rows]),
        reward=np.array([row["reward"] for row in rows]),
        pscore_cascade=old.reshape(-1, POSITIONS).cumprod(axis=1).ravel(),
        evaluation_policy_pscore_cascade=new.reshape(-1, POSITIONS).cumprod(axis=1).ravel(),
        q_hat=np.array([by_action[*key, item][1] for key in keys for item in range(ITEMS)]),
        evaluation_policy_action_dist=np.array([by_action[*key, item][0] for key in keys for item in range(ITEMS)]),
    )
    return estimate


def of_loggers(log: list[dict[str, Any]], policy: Any, model: Any) -> Iterator[tuple[str, float]]:
    """Estimates from the log of two loggers, by whichever of them showed the item."""
    given: dict[str, Any] = {
        "reward": np.array([row["reward"] for row in log]),
        "action": np.array([row["item"] for row in log]),
        "pscore": np.array([row["propensity"] for row in log]),
        "stratum_idx": np.array([row["logger"] for row in log]),
        "action_dist": policy,
        "estimated_rewards_by_reg_model": model,
    }
    for call, estimator in (
        ("ips", ope.MultiLoggersNaiveInverseProbabilityWeighting()),
        ("dr", ope.MultiLoggersNaiveDoublyRobust()),
        ("multi_logger_ips", ope.MultiLoggersWeightedInverseProbabilityWeighting()),
        ("multi_logger_ips(clip=2)", ope.MultiLoggersWeightedInverseProbabilityWeighting(lambda_=2)),
    ):
        yield call, estimator.estimate_policy_value(**given)


def of_balanced(log: list[dict[str, Any]], policy: Any, model: Any) -> Iterator[tuple[str, float]]:
    """Estimates from the log of two loggers, by the mean of their probabilities."""
    given: dict[str, Any] = {
        "reward": np.array([row["reward"] for row in log]),
        "action": np.array([row["item"] for row in log]),
        "pscore_avg": np.array([row["propensity"] for row in log]),
        "action_dist": policy,
        "estimated_rewards_by_reg_model": model,
    }
    yield "ips", ope.MultiLoggersBalancedInverseProbabilityWeighting().estimate_policy_value(**given)
    yield "dr", ope.MultiLoggersBalancedDoublyRobust().estimate_policy_value(**given)


def of_wheel(name: str) -> Iterator[tuple[str, float]]:
    """Estimates from a log of the wheel, of the policy that shows item i as often as 1 + i % 5."""
    with (PATH / name / "all" / "all.csv").open() as file:
        rows = list(csv.DictReader(file))
    log: list[dict[str, Any]] = [
        {
            "item": int(row["item_id"]),
            "position": int(row["position"]),
            "reward": int(row["click"]),
            "propensity": float(row["propensity_score"]),
        }
        for row in rows
    ]
    parts = np.array([1 + item % 5 for item in range(1 + max(row["item"] for row in log))], float)
    new = np.broadcast_to((parts / parts.sum())[None, :, None], (len(log), len(parts), POSITIONS))
    model = np.broadcast_to((np.arange(len(parts)) / 10000)[None, :, None], new.shape)
    yield from of_items(log, {"new": new}, model)


def main() -> None:
    log, policy = drawn()
    write("obp_log", log, LOG)
    write("obp_policy", policy, POLICY)
    rows = {
        kind: [dict(zip(LOG, row, strict=True)) for row in log if row[0] == kind]
        for kind in ("single", "slate", "loggers", "balanced")
    }
    by_action = {tuple(row[:4]): row[4:] for row in policy}

    def of_policy(kind: str, at: int) -> Any:
        shape = range(USERS), range(ITEMS)
        return np.array(
            [[[by_action.get((kind, user, 1, item), (0, 0))[at]] for item in shape[1]] for user in shape[0]]
        )

    policies = {"new": of_policy("single", 0), "certain": of_policy("certain", 0)}
    found = {"single": dict(of_items(rows["single"], policies, of_policy("single", 1)))}
    slates = of_slates(rows["slate"], lambda row: by_action["slate", row["user"], row["position"], row["item"]][0])
    of_two = of_policy("loggers", 0), of_policy("loggers", 1)
    found["loggers"] = dict(of_loggers(rows["loggers"], *of_two))
    found["balanced"] = dict(of_balanced(rows["balanced"], *of_two))
    cascades = {"cascade_dr": of_cascades(rows["slate"], by_action)}
    found |= {"slate": {**dict(slates), **cascades}, **{name: dict(of_wheel(name)) for name in ("random", "bts")}}
    estimates = {kind: {call: float(value) for call, value in of.items()} for kind, of in found.items()}
    write_json("obp", {"versions": {name: version(name) for name in ("obp", "numpy")}, "estimates": estimates})
    print(f"obp: {sum(map(len, estimates.values()))} estimates")
