# ruff: noqa: RUF009  # option returns a field of a dataclass
"""The options of a gate, checked: its limits, and the earlier run that they compare with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from rankmetrics.errors import InputError, Option
from rankmetrics.messages import said
from rankmetrics.options import GATE, Limit, check_options, one_of, option, read_limit


def read_limits(name: str, limits: Mapping[str, object] | None, *, may_be_negative: bool = False) -> dict[str, Limit]:
    """The limit of each metric, from the value of an option; refuses others than mappings from metrics to limits."""
    if limits is None:
        return {}
    if not isinstance(limits, Mapping) or not all(isinstance(metric, str) for metric in limits):
        example = Option(name, {"ndcg@10": 0.25})
        raise InputError(f"Limits are a mapping from metric to limit, as in {example}: {limits!r} is not.")
    return {
        metric: read_limit(limit, Option(name, {metric: ...}), may_be_negative=may_be_negative)
        for metric, limit in limits.items()
    }


# Limits as a caller gives them: numbers, or texts such as `1%`, by metric.
Limits = Mapping[str, float | str]


def _read_missing(option: str, text: float | str | None) -> Limit | None:
    if text is None:
        return None
    limit = read_limit(text, Option(option))
    if not limit.is_percentage and not limit.value.is_integer():
        percentage, share = f"{limit.value * 100:.12g}", f"{limit.value:.12g}"
        raise said(InputError, "fraction_of_lists", percentage=percentage, share=share)
    if limit.is_percentage and limit.value >= 1:
        raise said(InputError, "idle_share", limit=Option(option, str(limit)))
    return limit


# What a gate may want the lists to prove of a change since an earlier run.
PROOFS = ("not_worse", "same")

# Tests of a drop that take clusters, and the arms of an experiment.
TESTS = ("t", "bootstrap")


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The options of `rm.gate`; refuses limits that are not numbers, and options that contradict each other."""

    minimum: Mapping[str, Limit] = option(
        "The lowest value, as in ndcg@10=0.25.",
        "limits",
        group=GATE,
        flag="min",
        check=partial(read_limits, may_be_negative=True),
    )
    maximum: Mapping[str, Limit] = option(
        "The highest value.", "limits", group=GATE, flag="max", check=partial(read_limits, may_be_negative=True)
    )
    max_drop: Mapping[str, Limit] = option(
        "The largest drop since --against: a share, as in ndcg@10=1%, or a difference.",
        "limits",
        group=GATE,
        check=read_limits,
    )
    against: Any = option(
        "An earlier run to compare with: a file that `evaluate --per-list -o` wrote.", "file", group=GATE
    )
    max_missing: Limit | None = option(
        "The largest number of lists without recommendations, as in 10, or their share, as in 1%.",
        "limit",
        group=GATE,
        check=_read_missing,
    )
    strict: bool = option("Fail for every drop beyond its limit, significant or not.", "yes or no", group=GATE)
    prove: Literal["not_worse", "same"] | None = option(
        "Pass only if the lists rule out a drop of the limit (not_worse), or a drop and a rise of it (same).",
        "choice",
        group=GATE,
        check=lambda option, value: value and one_of(PROOFS, option, value, InputError),
    )
    confidence: float = option("Level of the confidence interval of a drop.", "share", 0.95, group=GATE)
    test: str = option(
        "The test of a drop: t or bootstrap.", "text", "t", group=GATE, check=partial(one_of, TESTS, error=InputError)
    )
    paired: bool = option(
        "Whether both runs have the same lists, or are the arms of an experiment.",
        "yes or no",
        True,
        group=GATE,
        flag="paired/--unpaired",
    )
    sequential: bool | int = option(
        "For daily jobs: intervals that hold at every look, narrowest for this number of lists, as in 5000.",
        "yes or number",
        group=GATE,
    )
    system: tuple[str, ...] = option("A system to check (default: all).", "texts", group=GATE, flag="only")

    def __post_init__(self) -> None:
        check_options(self)
        _refuse_contradictions(self)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that have a limit, as they were written."""
        return tuple(dict.fromkeys([*self.minimum, *self.maximum, *self.max_drop]))

    @property
    def option_of_lists(self) -> Option | None:
        """An option that needs the values per list of both runs; None if there is none."""
        of_lists = {"prove": None, "test": "t", "paired": True, "sequential": False}
        changed = (name for name, default in of_lists.items() if getattr(self, name) != default)
        return next((Option(name, getattr(self, name)) for name in changed), None)


def _refuse_contradictions(gate: Gate) -> None:
    """Refuse a gate without limits, and options that do nothing."""
    if not gate.metrics and gate.max_missing is None:
        raise said(InputError, "no_limit", example=Option("minimum", {"ndcg@10": 0.25}))
    if gate.max_drop and gate.against is None:
        drop = Option("max_drop", is_noun=True)
        raise InputError(f"{drop} compares with an earlier run: name its file, {Option('against')}.")
    idle = "against" if gate.against is not None else "strict" if gate.strict else ""
    if not idle and gate.option_of_lists:
        idle = gate.option_of_lists.name
    if gate.test != "t" and (gate.prove or gate.sequential):
        name = "prove" if gate.prove else "sequential"
        raise InputError(f"{Option(name, getattr(gate, name))} takes the t-test: leave out {Option('test')}.")
    if gate.strict and gate.prove:
        raise said(InputError, "strict_proof", proof=Option("prove", gate.prove))
    if gate.prove and gate.confidence <= 0.5:
        raise InputError(f"{Option('confidence', is_noun=True)} of a proof is above 0.5, and is {gate.confidence!r}.")
    if idle and not gate.max_drop:
        example = Option("max_drop", {"ndcg@10": "1%"})
        raise InputError(f"{Option(idle, is_noun=True)} belongs to limits of drops, and there is none: {example}.")
