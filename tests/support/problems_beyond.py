"""Random problems with histories, baselines, items and several systems, for comparing engines with the twin."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import nan
from typing import TYPE_CHECKING, Any

import polars as pl
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner.tie_orders import ALL_ORDERS
from tests.support.engines import Engine
from tests.support.twin_beyond import OF_LISTS
from tests.support.twin_inputs import Asked, Inputs

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from tests.support.problems import Choices, Row


# --- what is drawn from -----------------------------------------------------------------------------------------------

ITEMS: Sequence[tuple[Sequence[object], Sequence[type[pl.DataType]]]] = (
    (range(8), (pl.Int64, pl.Int32, pl.UInt8)),
    (("b", "a", "", "Ä", "a'b", "10", "9", "B"), (pl.String, pl.Categorical)),
)
CATEGORIES: Sequence[tuple[Sequence[object], Sequence[type[pl.DataType]]]] = (
    (("x", "y", "", "it's"), (pl.String, pl.Categorical)),
    (range(4), (pl.Int64, pl.UInt8)),
)
POOLS = (0, 0, 1, 4, None)  # candidates beside those that a list holds; None: it does not say how many there were
RATINGS = (None, nan, -1, 0, 0.5, 1, 1, 2, 3)
SCORES = (0.0, 0.5, 0.5, 1, 2, -1, None, nan)
POPULARITY = (None, nan, 0, 0.5, 1, 2, 2, 3, 5)
EMBEDDED = (-1.0, 0.0, 0.0, 0.5, 1.0, 3.0)  # numbers of an embedding
SIMILARITIES = (None, nan, -0.5, 0, 0.25, 0.5, 1)
INNER = ("precision", "recall", "precision(divisor=list)", "recall(divisor=capped)", "hit", "rr", "unjudged", "bpref")

# Values of the parameters that have no choices.
NUMBERS: Mapping[str, Sequence[str | float]] = {
    "alpha": (0.1, 0.5),
    "at_recall": (0, 0.3, 0.5, 1),
    "baseline_k": (1, 3, 8),
    "beta": (0.5, 2),
    "cap": (1, 3),
    "head": (0.2, 0.5, 0.9),
    "max_rating": (1, 3, 4.5),
    "metric_0": INNER,
    "metric_1": INNER,
    "min_pool": (2, 4),
    "min_relevant": (1, 2),
    "multiple": (0.2, 1, 1.4, 3),
    "p": (0.3, 0.95),
    "per_hit": (0, 2),
    "per_miss": (-0.5, 0.25),
    "per_unfound": (-1, 0.5),
    "rel": (0, 0.5, 1, 2),
}


def _values(name: str, parameter: Parameter) -> Sequence[str | float]:
    assert parameter.choices or name in NUMBERS, f"add values of the parameter {name} to NUMBERS of {__name__}"
    return [*parameter.choices] or NUMBERS[name]


# What is drawn of each metric of the catalogue: all choices of its parameters, and the numbers above.
METRICS: Mapping[str, Choices] = {
    definition.name: {
        name: _values(name, parameter)
        for name, parameter in catalog().own_parameters(definition.name).items()
        if name != "k"
    }
    for definition in catalog().metrics()
}


def _families() -> dict[str, list[str]]:
    """The metrics by the subject in their headers."""
    found: dict[str, list[str]] = {}
    for definition in catalog().metrics():
        found.setdefault(definition.fields.get("subject", "systems"), []).append(definition.name)
    return found


FAMILIES = _families()
# Metrics whose claim of a range holds over tidy worlds.
NEGATIVES = ["gauc", "pooled_auc"]

# No table has an order of rows, and most metrics have no value over all orders of equal scores.
NOT_DRAWN = {"input", *ALL_ORDERS}
POLICIES: Choices = {
    name: [value for value in _values(name, catalog().shared(name)) if value not in NOT_DRAWN]
    for name in [*(policy.name for policy in catalog().all("policy")), "min_pool", "min_relevant"]
}
CUTOFFS = (None, *range(1, 9))
NEEDS_CUTOFF = {("at", "places"), ("share", "full")}
NEEDS_RATING = {"rel", "linear", "positive", "exponential", "excess", "from_zero", "graded", "max_rating"}
REACHES: set[tuple[str, str | None]] = {("enough", "reaches"), ("enough", "discerns"), ("enough", "exceeds")}
READ_BY: Mapping[str, set[tuple[str, str | None]]] = {
    "p": {("discount", "geometric"), ("weight", "geometric")},
    "cap": {("divisor", "fixed")},
    "max_rating": {("stop", "graded")},
    "alpha": {("divergence", "kl"), ("divergence", None)},
    "ideal": {("share", "best"), ("share", None)},
    "negatives": {("share", "best"), ("share", None)},
    "min_pool": REACHES,
    "min_relevant": REACHES,
}
# Metrics of which the policy `enough` is drawn often.
ENOUGH = {"hit", "ndcg", "precision"}


def _need(names: Iterable[str], source: str) -> bool:
    """True if one of the metrics may read an input."""
    return any(source in need for name in names for need in catalog().needs(name))


# --- metrics ----------------------------------------------------------------------------------------------------------


@st.composite
def metrics(draw: DrawFn, names: Sequence[str], missing: Sequence[str], *, graded: bool) -> rm.Metric:
    """A metric under random parameters and policies, most of them left at their defaults."""
    name = draw(st.sampled_from(names))
    chosen: dict[str, str | float] = {}

    def choose(parameter: str, values: Iterable[str | float], *often: None) -> None:
        value = draw(st.sampled_from([*often, *values]))
        chosen.update({} if value is None else {parameter: value})

    def is_read(parameter: str) -> bool:
        owners = set() if parameter == "p" and name in {"rbp", "rbo"} else READ_BY.get(parameter, set())
        return not owners or any(chosen.get(owner) == choice for owner, choice in owners)

    for parameter, values in METRICS[name].items():
        fits = [one for one in values if graded or not {parameter, one} & NEEDS_RATING]
        if is_read(parameter) and fits and parameter != "rel":
            choose(parameter, fits, None)
    for policy, choices in POLICIES.items():
        if policy in catalog().accepted(name, str(chosen.get("enough", "any"))) and is_read(policy):
            often = 1 if policy.startswith("min_") or (policy == "enough" and name in ENOUGH) else 3
            often = 12 if policy == "enough" and name not in ENOUGH else often
            choose(policy, [one for one in choices if policy != "missing" or one in missing], *[None] * often)
    if "rel" in METRICS[name] and graded and (chosen.get("relevance") != "any" or chosen.get("gain") == "excess"):
        choose("rel", METRICS[name]["rel"], None, None)
    if "k" not in catalog().own_parameters(name):
        return rm.Metric(name, chosen)
    is_cut = catalog().metric(name).fields.get("cutoff") == "needed" or bool(NEEDS_CUTOFF & chosen.items())
    return rm.Metric(name, chosen, draw(st.sampled_from(CUTOFFS[1:] if is_cut else CUTOFFS)))


def as_asked(metric: rm.Metric, decided: Mapping[str, str]) -> Asked:
    """A metric as the twin takes it; what was not given stays the twin's to know."""
    return Asked(metric.name, metric.k, {**decided, **metric.settings})


# --- worlds -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """All inputs as rows, how the frames type their columns, and what is asked of them."""

    inputs: Inputs
    types: Mapping[str, Mapping[str, Any]]  # of each input that is given: column -> type
    by: Sequence[str]
    decided: Mapping[str, Any]  # what evaluate decides for all metrics
    metrics: Sequence[rm.Metric]

    def evaluate(self, engine: Engine) -> rm.Result:
        """The world as an engine sees it."""
        given = {name: engine.give(self.frame(name)) for name in self.types}
        recs, truth = given.pop("recs"), given.pop("truth")
        return rm.evaluate(recs, truth, self.metrics, by=self.by, **given, **self.decided)

    def frame(self, name: str) -> pl.DataFrame:
        """An input as a frame."""
        told = getattr(self.inputs, name)
        return pl.DataFrame([pl.Series(key, [row[key] for row in told], of) for key, of in self.types[name].items()])

    @property
    def asked(self) -> dict[str, Asked]:
        """The metrics as the twin takes them."""
        return {one.label: as_asked(one, self.decided) for one in self.metrics}

    @property
    def of_lists(self) -> dict[str, Asked]:
        """Those of them that are numbers of a list."""
        return {label: one for label, one in self.asked.items() if one.name in OF_LISTS}

    @property
    def lists(self) -> Sequence[str]:
        """The columns that identify a list."""
        return self.inputs.columns["recs"]


@st.composite
def worlds(draw: DrawFn, names: Sequence[str], *, tidy: bool = False) -> World:
    """Small worlds with all in them that real inputs have by accident.

    A tidy one has a catalogue of all items, no item twice in a list, nothing recommended or relevant to those who know
    it already, and means that are all over the same lists.
    """
    items, item_types = draw(st.sampled_from(ITEMS))
    category_values, category_types = draw(st.sampled_from(CATEGORIES))
    graded, scored = draw(st.booleans()), draw(st.booleans())
    columns = draw(shapes())
    values = {"system": (1, 2, 3), "user": (1, 2, 3, 4), "day": (1, 2)}
    some_item = st.sampled_from([*items[:7], *([] if tidy else [None])])
    told: dict[str, list[Row]] = {}

    def keys_of(name: str, least: int) -> list[tuple[Any, ...]]:
        every = [*product(*(values[one] for one in columns[name]))]
        count = st.integers(min(least, len(every)), min(6, len(every)))
        found = random.Random(draw(st.integers(0, 999))).sample(every, draw(count))
        return [*found, *([(*every[0][:-1], None)] if draw(st.integers(0, 5)) == 5 else [])]

    def listed(name: str, *, order: str) -> list[Row]:
        found: list[Row] = []
        for key in keys_of(name, 1):
            of = draw(st.lists(some_item, min_size=1, max_size=6, unique=tidy))
            places = [draw(st.sampled_from(SCORES)) for _ in of] if order == "score" else ranks_of(of)
            found += [
                {**dict(zip(columns[name], key, strict=True)), "item": one, order: place}
                for one, place in zip(of, places, strict=True)
            ]
        return found

    def judged(name: str, most: int) -> list[Row]:
        return [
            {**dict(zip(columns[name], key, strict=True)), "item": one}
            for key in keys_of(name, 1)
            for one in draw(st.lists(some_item, min_size=1, max_size=most, unique=tidy))
        ]

    order = "score" if scored else "rank"
    told["recs"] = listed("recs", order=order)
    if draw(st.booleans()):
        lengths = Counter(tuple(row[one] for one in columns["recs"]) for row in told["recs"])
        more = {key: draw(st.sampled_from(POOLS)) for key in lengths}
        pools = {key: None if one is None else lengths[key] + one for key, one in more.items()}
        told["recs"] = [{**row, "pool": pools[tuple(row[one] for one in columns["recs"])]} for row in told["recs"]]
    if not scored and draw(st.booleans()):  # a rank stands, whatever the score
        told["recs"] = [{**row, "score": draw(st.sampled_from(SCORES))} for row in told["recs"]]
    told["truth"] = judged("truth", 5)
    if graded:
        told["truth"] = [{**row, "rating": draw(st.sampled_from(RATINGS))} for row in told["truth"]]
    if _need(names, "history") or draw(st.booleans()):
        told["history"] = judged("history", 5)
        somebody = {one: values[one][0] for one in columns["history"]}
        told["history"].append({**somebody, "item": draw(st.sampled_from(items))})  # somebody knows something
        if draw(st.integers(0, 9)) == 9:  # nobody knows anything
            told["history"] = draw(st.sampled_from([[], [{**row, "item": None} for row in told["history"]]]))
    else:
        del columns["history"]
    if tidy:
        told["history"] = _strangers(told, columns)
    if _need(names, "baseline") or draw(st.integers(0, 3)) == 3:
        told["baseline"] = listed("baseline", order=draw(st.sampled_from(["score", "rank"])))
    else:
        del columns["baseline"]
    in_lists = draw(st.booleans())
    told["items"] = draw(described(items, category_values, in_lists=in_lists))
    if _need(names, "similarity"):
        pair = st.tuples(some_item, some_item, st.sampled_from(SIMILARITIES))
        told["similarity"] = [
            {"item": one, "other": other, "similarity": value}
            for one, other, value in draw(st.lists(pair, min_size=1, max_size=12))
        ]
    if tidy or draw(st.booleans()):
        told["catalog"] = [{"item": one} for one in (items if tidy else draw(st.lists(some_item, min_size=1)))]
    shuffle = random.Random(draw(st.integers(0, 99))).shuffle
    for of in told.values():
        shuffle(of)

    whose = ["zero", "skip", "listed"]
    whose += [one for one in ("history", "baseline") if columns.get(one) == columns["truth"]]
    decided = {
        "missing": draw(st.sampled_from([None, None, *whose])),
        "ties": draw(st.sampled_from([None, "item", "item_desc", "text_desc"])),
    }
    systems = [one for one in columns["recs"] if one not in columns["truth"]]
    category = draw(st.sampled_from(category_types))
    if in_lists and not any(row["category"] for row in told["items"]):
        category = category_types[0]  # DuckDB reads no lists of categories that are all empty
    types = {
        "rank": pl.Int64,
        "pool": draw(st.sampled_from([pl.Int64, pl.UInt8, pl.Float64])),
        "score": pl.Float64,
        "rating": pl.Float64,
        "similarity": pl.Float64,
        "popularity": pl.Float64,
        "category": pl.List(category) if in_lists else category,
        "embedding": pl.List(pl.Float64),
        **dict.fromkeys(values, pl.Int64),
    }
    some_type = st.sampled_from(item_types)
    asked = st.lists(
        metrics(names, [] if tidy else whose, graded=graded), min_size=2, max_size=4, unique_by=lambda one: one.label
    )
    by = draw(st.just(systems) | st.lists(st.sampled_from(columns["recs"]), unique=True))
    partition = [one for one in by if one in columns["truth"] and one != "user"]
    return World(
        inputs=Inputs(**told, columns=columns, partition=partition),
        types={
            name: {
                one: draw(some_type) if one in ("item", "other") else types[one]
                for one in (of[0] if of else [*columns[name], "item"])
            }
            for name, of in told.items()
        },
        by=by,
        decided={name: value for name, value in decided.items() if value is not None},
        metrics=draw(asked),
    )


def ranks_of(items: Sequence[object]) -> list[int]:
    """1..n of the items there are; a NULL has the rank of what follows it."""
    return [1 + sum(1 for before in items[:place] if before is not None) for place in range(len(items))]


@st.composite
def shapes(draw: DrawFn) -> dict[str, list[str]]:
    """The list columns of each input that has some."""
    recs = draw(st.sampled_from([["system", "user"], ["user"], ["system", "user", "day"]]))
    truth = draw(st.sampled_from([["user"], [one for one in recs if one != "system"]]))
    return {
        "recs": recs,
        "truth": truth,
        "history": draw(st.sampled_from([truth, ["user"]])),
        "baseline": draw(st.sampled_from([truth, ["user"], recs])),
    }


@st.composite
def described(draw: DrawFn, items: Sequence[object], categories: Sequence[object], *, in_lists: bool) -> list[Row]:
    """What is known of items: categories in lists or row by row, an embedding and a popularity in each row."""
    has_popularity = draw(st.booleans())
    found: list[Row] = []
    for one in draw(st.lists(st.sampled_from([*items, None]), min_size=1, max_size=8)):
        of = draw(st.lists(st.sampled_from([*categories, None]), max_size=3))
        for each in [of] if in_lists else [*of] or [None]:
            known = {
                "item": one,
                "embedding": draw(st.none() | st.lists(st.sampled_from(EMBEDDED), min_size=3, max_size=3)),
                **({"popularity": draw(st.sampled_from(POPULARITY))} if has_popularity else {}),
            }
            found.append({**known, "category": each})
    return found


def _strangers(told: Mapping[str, Sequence[Row]], columns: Mapping[str, Sequence[str]]) -> list[Row]:
    """The history without what is recommended, or relevant, to whoever knew it; one row is left at least."""

    def known(row: Row) -> tuple[Any, ...]:
        return (*(row[one] for one in columns["history"]), row["item"])

    met = {known(row) for name in ("recs", "truth") for row in told[name]}
    rest = [row for row in told["history"] if known(row) not in met]
    return rest or [{**row, "item": None} for row in told["history"][:1]]
