"""Every metric under every choice, over one small world: what each engine is compared with DuckDB by.

The world holds what sets engines apart: ties, repeats, gaps, unknown items, ids that are texts of either case.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle

import polars as pl

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner.weights import WITH_WEIGHTS
from tests.support import flat
from tests.support.engines import Engine, of_no_lists

TOLERANCE = 1e-12
LISTS = ["algorithm", "user"]
AGGREGATES = [one.name.replace(".", " ") for one in catalog().all("aggregate")]
OF_A_RANGE = {"hoeffding", "bernstein"}  # aggregates of metrics with a declared range only
OF_EVERY_METRIC = [name for name in AGGREGATES if name not in OF_A_RANGE]

# How many metrics one query is for: the plan of a database grows with them, and MariaDB takes 64 steps.
AT_ONCE = 6

# The subtopics for which the items of the truth are relevant, in turn.
SUBTOPICS = (["x"], ["X", "ß"], [None], ["y", "x", "X"], ["ß"])

# Values of parameters that have no choices.
NUMBERS: Mapping[str, str | float] = {"rel": 3, "k": 5, "category": "x"}


def variants() -> dict[str, list[rm.Metric]]:
    """Each metric by its name: as it is, and with each of its choices, one at a time."""
    return {one.name: [*_of(one.name)] for one in catalog().metrics()}


def _of(name: str) -> Iterator[rm.Metric]:
    own = catalog().own_parameters(name)
    k = 5 if "k" in own else None
    plain = rm.Metric(name, {}, k)
    yield plain
    for parameter, known in own.items():
        owner = {} if parameter in plain.active else _owner(own, parameter)
        yield from (rm.Metric(name, {**owner, parameter: value}, k) for value in _values(parameter, known))


def _owner(own: Mapping[str, Parameter], inner: str) -> dict[str, str]:
    """The choice of another parameter that reads a parameter, as attention=cascade reads stop."""
    return next(
        {name: one} for name, known in own.items() for one in known.choices if inner in known.parameters_of(one)
    )


def _values(name: str, known: Parameter) -> Sequence[str | float]:
    if known.choices:
        return [one for one in known.choices if one != known.default]
    return [NUMBERS[name]] if name in NUMBERS and name != "k" else []


def policies() -> list[rm.Metric]:
    """Two metrics under each choice of each policy, one at a time; and more that have a mean over all orders."""
    found = []
    for policy in catalog().all("policy"):
        for choice in catalog().shared(policy.name).choices:
            if choice not in ("input", catalog().default(policy.name)):  # the rows of a table have no order
                found += [rm.Metric(name, {policy.name: choice}, 5) for name in ("hit", "ndcg")]
    return [
        *found,
        *(rm.Metric(name, {"ties": "expected"}, 5) for name in ("ap", "rr", "rbp", "r_precision", "recall")),
        *(rm.Metric(name, {"weights": "snips", "limit": 10}, 5) for name in WITH_WEIGHTS),
        *(rm.Metric("recall", {"weights": "ips", "propensity": source}, 5) for source in ("popularity", "jain")),
        rm.Metric("share_of_best", {"weights": "ips", "of": "ndcg", "gain": "linear"}, 5),
    ]


@cache
def world() -> dict[str, pl.DataFrame]:
    draw = random.Random(4)
    items = [f"{letter}{number}" for letter in "aAbß" for number in range(10)]
    users = [*range(1, 25)]
    recs, baseline = [], []
    for user in users[:22]:
        for algorithm in ("knn", "Knn", "pop"):
            chosen = draw.sample(items, draw.choice([3, 8, 12]))
            recs += [
                {"algorithm": algorithm, "user": user, "item": item, "score": draw.choice([0.1, 0.5, 0.5, 0.9, None])}
                for item in [*chosen, *draw.sample(chosen, draw.choice([0, 1]))]
            ]
        baseline += [
            {"user": user, "item": item, "rank": place} for place, item in enumerate(draw.sample(items, 8), start=1)
        ]
    judged = [(user, item) for user in users[2:] for item in draw.sample(items, draw.choice([1, 4, 9]))]
    logged = [
        {"user": user, "impression": number, "position": place, "item": item}
        for user in users[1:]
        for number in range(draw.choice([1, 2]))
        for place, item in enumerate(draw.sample(items, 4), start=1)
    ]
    known = [(user, item) for user in users for item in draw.sample(items, draw.choice([2, 7]))]
    return {
        "recs": pl.DataFrame(recs).with_columns(expected_reward=pl.int_range(pl.len()) % 7 / 10 - 0.2),
        "truth": pl.DataFrame(
            [
                {"user": user, "item": item, "rating": draw.choice([1.0, 2.5, 4, 5, None]), "propensity": propensity}
                for (user, item), propensity in zip(judged, cycle([0.1, 0.75, 1, 0.5, 0.3, 0.02, 0.9]))
            ]
        )
        .with_columns(subtopic=(pl.int_range(pl.len()) % len(SUBTOPICS)).replace_strict(dict(enumerate(SUBTOPICS))))
        .explode("subtopic"),
        "history": pl.DataFrame([{"user": user, "item": item} for user, item in known]),
        "baseline": pl.DataFrame(baseline),
        "items": pl.DataFrame(
            [
                {
                    "item": item,
                    "category": draw.sample(["x", "X", "y"], draw.choice([0, 1, 2])),
                    "embedding": [draw.choice([-1.0, 0.0, 0.5, 2.0]) for _ in range(3)] + [1.0],
                }
                for item in items[:-2]
            ]
        ),
        "similarity": pl.DataFrame(
            [
                {"item": one, "other": other, "similarity": draw.random()}
                for one in items
                for other in items
                if draw.random() < 0.8
            ]
        ),
        "catalog": pl.DataFrame({"item": items[:-1]}),
        "log": pl.DataFrame(
            [
                {
                    **one,
                    "logger": one["user"] % 2,
                    "reward": draw.choice([0, 1, 2.5]),
                    "propensity": draw.choice([0.1, 0.25, 0.5, 1]),
                }
                for one in logged
            ]
        ),
    }


def evaluate(
    engine: Engine, metrics: Sequence[rm.Metric], aggregates: Sequence[str] = ("mean",), *, whole: bool = True
) -> rm.Result:
    """The metrics over the world as an engine has it; without lists where it has none."""
    frames = dict(world())
    if not whole:
        frames["items"] = of_no_lists(frames["items"])
    given = {name: engine.give(frame) for name, frame in frames.items()}
    recs, truth = given.pop("recs"), given.pop("truth")
    return flat.evaluate(recs, truth, metrics, aggregates=aggregates, **given, **engine.options)


def answers(
    engine: Engine, metrics: Sequence[rm.Metric], *, whole: bool = True, means: bool = True
) -> dict[str, dict[object, object]]:
    """What an engine returns for each metric: a value per list, or per system, by its key; means of lists if asked."""
    result = evaluate(engine, metrics, whole=whole)
    of_lists = [one for one in metrics if not one.is_run]
    found: dict[str, dict[object, object]] = {one.label: {} for one in metrics}
    if means:
        summary = engine.read(result.summary())
        for one in metrics:
            found[one.label] |= dict(zip(summary["algorithm"], summary[one.label], strict=True))
    if of_lists:
        lists = engine.read(result.per_list())
        keys = [*zip(*(lists[name] for name in LISTS), strict=True)]
        for one in of_lists:
            found[one.label] |= dict(zip(keys, lists[one.label], strict=True))
    return found
