"""The metrics of Rampisela et al. (2024). Their code imports RecBole; two stand-ins take its place here."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any

from peers.job import write_json


class Base:
    """What their classes take from RecBole."""

    decimal_place = 15

    def __init__(self, config: Any) -> None:
        pass


STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "recbole.evaluator.base_metric": {"AbstractMetric": Base, "TopkMetric": Base},
    "recbole.utils": {"EvaluatorType": type("EvaluatorType", (), {"RANKING": 1})},
}


def calculate(classes: Sequence[str], given: Mapping[str, Any], k: int, calls: Mapping[str, str]) -> dict[str, float]:
    """The value of each of our calls, by its name in their classes; values that are NaN are left out."""
    for name, contents in STAND_INS.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(contents)
    metrics = import_module("recbole.evaluator.metrics")
    found: dict[str, Any] = {}
    for of in classes:
        found |= getattr(metrics, of)({"topk": [k]}).calculate_metric(given)
    values = {call: float(found[f"{name}@{k}"]) for call, name in calls.items()}
    return {call: value for call, value in values.items() if value == value}


def write_problems(name: str, checkout: Mapping[str, str], problems: list[dict[str, Any]]) -> None:
    """Write the problems with their values, and the commit of the checkout, as a golden file."""
    write_json(name, {"versions": dict(checkout) | {"numpy": version("numpy")}, "problems": problems})
    print(f"{name}: {sum(len(problem['values']) for problem in problems)} calls")
