"""Random problems for comparing engines with the twin: `worlds` draws every input, `odd_worlds` names and types."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate, product
from math import nan
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.inputs.roles import family_of
from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.metrics.metric import read_metrics
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner.ties import ALL_ORDERS
from rankmetrics.planner.weights import WITH_WEIGHTS
from tests.support import flat, twin, twin_log, twin_subtopics, twin_systems
from tests.support.engines import Engine, of_no_lists
from tests.support.twin_inputs import Asked, Inputs

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

Row: TypeAlias = dict[str, Any]
Table: TypeAlias = dict[tuple[Any, ...], Mapping[str, Any]]
Domain: TypeAlias = tuple[Sequence[object], Sequence[Any]]  # values, and the types under which an input may hold them
Choices: TypeAlias = Mapping[str, Sequence[str | float]]

TOLERANCE = 1e-12


# --- what is drawn from -----------------------------------------------------------------------------------------------

ITEMS: Sequence[Domain] = (
    (range(8), (pl.Int64, pl.Int32, pl.UInt8)),
    (("b", "a", "", "Ä", "a'b", "10", "9", "B"), (pl.String, pl.Categorical)),
)
CATEGORIES: Sequence[Domain] = ((("x", "y", "", "it's"), (pl.String, pl.Categorical)), (range(4), (pl.Int64, pl.UInt8)))
POOLS = (0, 0, 1, 4, None)  # candidates beside those that a list holds; None: it does not say how many there were
RATINGS = (None, nan, -1, 0, 0.5, 1, 1, 2, 3)
SCORES = (0.0, 0.5, 0.5, 1, 2, -1, None, nan)
POPULARITY = (None, nan, 0, 0.5, 1, 2, 2, 3, 5)
REWARDS = (0.0, 0.5, 1.0, 2.5, -1.0)
LOGGED = (0.1, 0.25, 0.5, 1.0)  # propensities of a log, which has no wrong ones
PROPENSITIES = (None, nan, 0, 1.5, *(0.1, 0.25, 0.3, 0.5, 0.75, 1) * 3)
EMBEDDED = (-1.0, 0.0, 0.0, 0.5, 1.0, 3.0)  # numbers of an embedding
SIMILARITIES = (None, nan, -0.5, 0, 0.25, 0.5, 1)
INNER = ("precision", "recall", "precision(divisor=list)", "recall(divisor=capped)", "hit", "rr", "unjudged", "bpref")

# Values of the parameters that have no choices.
NUMBERS: Mapping[str, Sequence[str | float]] = {
    "alpha": (0.1, 0.5),
    "at_recall": (0, 0.3, 0.5, 1),
    "baseline_k": (1, 3, 8),
    "beta": (0.5, 2),
    "category": ("x", "y", "it's", "1"),
    "clip": (0.5, 1.5, 4),
    "limit": (0.5, 3),
    "cap": (1, 3),
    "gamma": (-1, 0, 2.5),
    "head": (0.2, 0.5, 0.9),
    "jain_a": (0, 0.7),
    "jain_b": (0.4, 2),
    "max_rating": (1, 3, 4.5),
    "metric_0": INNER,
    "metric_1": INNER,
    "min_pool": (2, 4),
    "min_relevant": (1, 2),
    "multiple": (0.2, 1, 1.4, 3),
    "p": (0.3, 0.95),
    "page_size": (1, 3),
    "per_hit": (0, 2),
    "per_miss": (-0.5, 0.25),
    "per_unfound": (-1, 0.5),
    "redundancy": (0, 0.3, 0.9),
    "rel": (0, 0.5, 1, 2),
    "shrink": (0.5, 4),
    "switch": (1, 3),
}


def _values(name: str, parameter: Parameter) -> Sequence[str | float]:
    assert parameter.choices or name in NUMBERS, f"add values of the parameter {name} to NUMBERS of {__name__}"
    return [*parameter.choices] or NUMBERS[name]


def _numbers_last(named: tuple[str, Parameter]) -> bool:
    """Choices come first: they decide which numbers are read."""
    return not named[1].choices


# What is drawn of each metric of the catalogue: all choices of its parameters, and the numbers above.
METRICS: Mapping[str, Choices] = {
    definition.name: {
        name: _values(name, parameter)
        for name, parameter in sorted(catalog().own_parameters(definition.name).items(), key=_numbers_last)
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
# Metrics of a log, which read no ranks, and so may be asked of a policy with probabilities.
OF_LOG = {*twin_log.OF_LISTS, *twin_log.OF_RUNS}

# Metrics whose claim of a range holds over tidy worlds.
NEGATIVES = ["gauc", "pooled_auc"]

WEIGHED = [name for name in catalog().with_inner((WEIGHTS,)) if name != WEIGHTS]

# No table has an order of rows, and most metrics have no value over all orders of equal scores.
NOT_DRAWN = {"input", *ALL_ORDERS}
POLICIES: Choices = {
    name: [value for value in _values(name, catalog().shared(name)) if value not in NOT_DRAWN]
    for name in [*(policy.name for policy in catalog().all("policy")), *WEIGHED, "min_pool", "min_relevant"]
}
CUTOFFS = (None, *range(1, 9))
NEEDS_CUTOFF = {("at", "places"), ("of", "ideal"), ("share", "full")}
NEEDS_RATING = {"rel", "rating", "linear", "positive", "exponential", "excess", "from_zero", "graded", "max_rating"}
REACHES: set[tuple[str, str | None]] = {("enough", "reaches"), ("enough", "discerns"), ("enough", "exceeds")}
READ_BY: Mapping[str, set[tuple[str, str | None]]] = {
    "p": {("discount", "geometric"), ("weight", "geometric")},
    "cap": {("divisor", "fixed")},
    "clip": {("weighting", "clipped"), ("weighting", None)},
    "shrink": {("weighting", "shrunk")},
    "switch": {("weighting", "switched")},
    "stop": {("attention", "cascade")},
    "max_rating": {("stop", "graded")},
    "tied": {("beyond", "extrapolated")},
    "alpha": {("divergence", "kl"), ("divergence", None)},
    "ideal": {("share", "best"), ("share", None)},
    "negatives": {("share", "best"), ("share", None)},
    "propensity": {("weights", "ips"), ("weights", "snips")},
    "limit": {("weights", "ips"), ("weights", "snips")},
    "gamma": {("propensity", "popularity")},
    "jain_a": {("propensity", "jain")},
    "jain_b": {("propensity", "jain")},
    "min_pool": REACHES,
    "min_relevant": REACHES,
}
ALWAYS_READ = {
    *(("p", metric) for metric in ("compat", "nrbp", "rbp", "rbp_residual", "rbo")),
    *(("tied", metric) for metric in ("dcg", "ndcg", "share_of_best")),
    ("stop", "err"),
}
# Settings of metrics that take weights under their other settings.
NOT_WEIGHTED = {("at", "places"), ("divisor", "hits"), ("hitless", "undefined"), ("tied", "averaged")}
# Metrics of which the policy `enough` is drawn often.
ENOUGH = {"hit", "ndcg", "precision"}


def _need(names: Iterable[str], source: str) -> bool:
    needs = {part.partition(": ")[0] for name in names for need in catalog().needs(name) for part in need.split(" or ")}
    return source in needs


# --- metrics ----------------------------------------------------------------------------------------------------------


@st.composite
def metrics(
    draw: DrawFn,
    names: Sequence[str],
    missing: Sequence[str],
    *,
    graded: bool,
    cutoffs: Sequence[int | None] = CUTOFFS,
    propensities: Sequence[str] = (),
) -> rm.Metric:
    """A metric under random parameters and policies, most of them left at their defaults.

    It has weights only if propensities are there, by the choices of this parameter.
    """
    name = draw(st.sampled_from(names))
    chosen: dict[str, str | float] = {}

    def choose(parameter: str, values: Iterable[str | float], *often: None) -> None:
        value = draw(st.sampled_from([*often, *values]))
        chosen.update({} if value is None else {parameter: value})

    def is_read(parameter: str) -> bool:
        owners = set() if (parameter, name) in ALWAYS_READ else READ_BY.get(parameter, set())
        return not owners or any(chosen.get(owner) == choice for owner, choice in owners)

    for parameter, values in METRICS[name].items():
        fits = [one for one in values if graded or not {parameter, one} & NEEDS_RATING]
        if is_read(parameter) and fits and parameter != "rel":
            choose(parameter, fits, None)
    if chosen.get("form") == "corrected":  # which does not read `among`
        chosen.pop("among", None)
    has_weights = name in WITH_WEIGHTS and propensities and not NOT_WEIGHTED & chosen.items()
    for policy, choices in POLICIES.items():
        if policy in (WEIGHTS, *WEIGHED) and not has_weights:
            continue
        if policy == "propensity" and is_read(policy):
            choose(policy, propensities)
        elif policy in catalog().accepted(name, str(chosen.get("enough", "any"))) and is_read(policy):
            often = 1 if policy.startswith("min_") or (policy == "enough" and name in ENOUGH) else 3
            often = 12 if policy == "enough" and name not in ENOUGH else often
            choose(policy, [one for one in choices if policy != "missing" or one in missing], *[None] * often)
    if "rel" in METRICS[name] and graded and (chosen.get("relevance") != "any" or chosen.get("gain") == "excess"):
        choose("rel", METRICS[name]["rel"], None, None)
    if "k" not in catalog().own_parameters(name):
        return rm.Metric(name, chosen)
    is_cut = catalog().metric(name).fields.get("cutoff") == "needed" or bool(NEEDS_CUTOFF & chosen.items())
    return rm.Metric(name, chosen, draw(st.sampled_from(cutoffs[1:] if is_cut else cutoffs)))


# --- worlds -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """All inputs as rows, the names and types of their columns in the frames, and what is requested of them."""

    inputs: Inputs
    types: Mapping[str, Mapping[str, Any]]  # of each input that is given: key -> type
    by: Sequence[str]
    decided: Mapping[str, Any]  # what evaluate decides for all metrics
    metrics: Sequence[rm.Metric]
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of recs and truth: key -> another name
    more: Mapping[str, Any] = field(default_factory=dict)  # further options of evaluate, which are not of metrics

    def evaluate(self, engine: Engine) -> rm.Result:
        """The result of an engine. Relations have no order of rows, so for that DuckDB is given Arrow."""
        in_order = self.decided.get("ties") == "input" and engine.name == "duckdb"
        frames = {name: self.frame(name) for name in self.types}
        if "items" in frames and "embedding_diversity" in engine.lacks:
            frames["items"] = of_no_lists(frames["items"])
        given = {name: frame.to_arrow() if in_order else engine.give(frame) for name, frame in frames.items()}
        recs, truth = given.pop("recs"), given.pop("truth")
        options = {**self.decided, **self.layout, **self.more, **engine.options}
        return flat.evaluate(recs, truth, self.metrics, by=self.called(self.by), **given, **options)

    @property
    def layout(self) -> dict[str, Any]:
        """The options that say which columns are which, where names do not."""
        if not self.names:
            return {}
        columns = {
            name: rm.Columns(**{key: column for key, column in names.items() if key not in self.lists})  # type: ignore[arg-type]
            for name, names in self.names.items()
        }
        lists = {"lists": self.called(self.lists), "truth_lists": self.called(self.inputs.columns["truth"])}
        return {**lists, "columns": columns["recs"], "truth_columns": columns["truth"]}

    def without_order(self) -> World:
        """The world of an engine whose tables have no order of rows."""
        return replace(self, decided={name: value for name, value in self.decided.items() if value != "input"})

    def called(self, keys: Iterable[str]) -> list[str]:
        """The names of columns in the recommendations."""
        return [self.names["recs"][key] if self.names else key for key in keys]

    def frame(self, name: str) -> pl.DataFrame:
        rows, names = getattr(self.inputs, name), self.names.get(name, {})
        types = self.types[name].items()
        return pl.DataFrame([pl.Series(names.get(key, key), [row[key] for row in rows], kind) for key, kind in types])

    @property
    def lists(self) -> Sequence[str]:
        return self.inputs.columns["recs"]

    @property
    def asked(self) -> dict[str, Asked]:
        """The metrics as the twin takes them."""
        return {one.label: Asked(one.name, one.k, {**self.decided, **one.settings}) for one in self.metrics}

    @property
    def has_lists(self) -> bool:
        return any(one.name in twin.OF_LISTS for one in self.metrics)

    def expected(self) -> Table:
        """One row per list, by the twin."""
        return {**twin.per_list(self.inputs, self.asked)}

    def expected_summary(self) -> Table:
        """One row per value of `by`, with the number of lists; one row of NULLs where there is no list at all."""
        return {**twin_systems.summary(self.inputs, self.asked, self.by)}


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
    told["truth"] = judged("truth", 5)
    propensities = [] if tidy else ["popularity", "jain"]
    if not tidy and draw(st.booleans()):
        told["truth"] = [{**row, "propensity": draw(st.sampled_from(PROPENSITIES))} for row in told["truth"]]
        propensities.append("given")
    if not scored and draw(st.booleans()):  # a rank stands, whatever the score
        told["recs"] = [{**row, "score": draw(st.sampled_from(SCORES))} for row in told["recs"]]
    if graded:
        told["truth"] = [{**row, "rating": draw(st.sampled_from(RATINGS))} for row in told["truth"]]
    if {*names} & {*twin_subtopics.OF_LISTS}:
        subtopics = st.sampled_from([*category_values, None])
        told["truth"] = [{**row, "subtopic": draw(subtopics)} for row in told["truth"]]
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
    if _need(names, "log"):
        told["log"] = draw(logged(keys_of("log", 1), columns["log"], items))
        told["recs"] = draw(modelled(told["recs"], columns["recs"], is_policy={*names} <= OF_LOG, like=told["log"][0]))
    else:
        del columns["log"]
    in_lists = draw(st.booleans())
    told["items"] = draw(described(items, category_values, in_lists=in_lists))
    if not tidy and draw(st.booleans()):
        told["items"] = [{**row, "propensity": draw(st.sampled_from(PROPENSITIES))} for row in told["items"]]
        propensities.append("items")
    if "history" not in columns:
        propensities = [source for source in propensities if source not in ("jain", "popularity")]
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
    whose += [one for one in ("history", "baseline", "log") if columns.get(one) == columns["truth"]]
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
        **dict.fromkeys(("reward", "propensity", "probability", "expected_reward"), pl.Float64),
        **dict.fromkeys(("impression", "position", "logger"), pl.Int64),
        "category": pl.List(category) if in_lists else category,
        "subtopic": draw(st.sampled_from(category_types)),
        "embedding": pl.List(pl.Float64),
        **dict.fromkeys(values, pl.Int64),
    }
    some_type = st.sampled_from(item_types)
    asked = st.lists(
        metrics(names, [] if tidy else whose, graded=graded, propensities=propensities),
        min_size=2,
        max_size=4,
        unique_by=lambda one: one.label,
    )
    is_policy = "probability" in told["recs"][0]
    by = draw(st.just(systems) | st.lists(st.sampled_from(columns["recs"]), unique=True))
    partition = [one for one in by if one in columns["truth"] and one != "user"]
    return World(
        inputs=Inputs(**told, columns=columns, partition=partition, named=()),
        types={
            name: {
                one: draw(some_type) if one in ("item", "other") else types[one]
                for one in (of[0] if of else [*columns[name], "item"])
            }
            for name, of in told.items()
        },
        by=by,
        decided={name: value for name, value in decided.items() if value is not None},
        metrics=[_without_ranks(one) if is_policy else one for one in draw(asked)],
    )


def _without_ranks(metric: rm.Metric) -> rm.Metric:
    """A metric without the conditions on rankings, which a policy with probabilities has not, and what they read."""
    of_any = catalog().accepted(metric.name).keys() - {"enough", "min_pool", "min_relevant"}
    return rm.Metric(metric.name, {name: it for name, it in metric.settings.items() if name in of_any}, metric.k)


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
        "log": draw(st.sampled_from([truth, ["user"]])),
    }


@st.composite
def logged(draw: DrawFn, keys: Sequence[tuple[Any, ...]], columns: Sequence[str], items: Sequence[object]) -> list[Row]:
    """A log: of each list an action, or impressions of several positions."""
    has_positions, has_impressions = draw(st.booleans()), draw(st.booleans())
    found: list[Row] = []
    for key in keys:
        for impression in range(draw(st.integers(1, 3)) if has_impressions else 1):
            logger = draw(st.sampled_from([1, 2, None]))
            places = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4, unique=True)) if has_positions else [1]
            found += [
                {
                    **dict(zip(columns, key, strict=True)),
                    "item": draw(st.sampled_from(items[:4])),
                    "reward": draw(st.sampled_from(REWARDS)),
                    "propensity": draw(st.sampled_from(LOGGED)),
                    "logger": logger,
                    **({"impression": impression} if has_impressions else {}),
                    **({"position": place} if has_positions else {}),
                }
                for place in places
            ]
    return found


@st.composite
def modelled(draw: DrawFn, recs: Sequence[Row], columns: Sequence[str], *, is_policy: bool, like: Row) -> list[Row]:
    """Recommendations with expected rewards; those of a policy have probabilities in the place of ranks, if drawn."""
    told = [{**row, "expected_reward": draw(st.sampled_from(REWARDS))} for row in recs]
    if not is_policy or draw(st.booleans()):
        return told
    placed: dict[tuple[Any, ...], Row] = {}
    for row in told:
        kept = {name: value for name, value in row.items() if name not in ("rank", "score", "pool")}
        position = {"position": draw(st.integers(1, 4))} if "position" in like else {}
        action = {**kept, "probability": draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])), **position}
        placed[(*(action[one] for one in columns), action["item"], *position.values())] = action
    return [*placed.values()]


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


# --- odd worlds: recommendations and truth alone, with names and types that users have by accident --------------------

# Names of columns: keywords, roles, and what the query calls its own tables and columns.
NAMES = (
    "user, rank, item_id, hits, order, select, lists, truth_id, n_relevant, per_list, list_id, rating, item, score, "
    "measured, query_id, n_hits, first_hit, depth, recs, truth, group, list_user, account, n, n_hits@3, my col, "
    """q"uote, it's, Ünï, per.list, %s, $k, 1"""
).split(", ")
TEXTS = ("b", "a", "", "Ä", "a'b")
IDS: Sequence[Domain] = (
    ((1, 2, 3), (pl.Int64, pl.Int32, pl.UInt8)),
    (TEXTS, (pl.String, pl.Categorical, pl.Enum(TEXTS))),
    ((date(2024, 2, 29), date(1969, 12, 31)), (pl.Date,)),
    ((False, True), (pl.Boolean,)),
)
ODD_ITEMS: Sequence[Domain] = (
    (range(8), (pl.Int64, pl.Int16, pl.UInt32)),
    ((*range(4), 2**53, 2**53 + 1, -1, -(2**62)), (pl.Int64,)),
    (("10", "9", "a", "B", "", "ß", "a b", "x;y"), (pl.String, pl.Categorical)),
)
ODD_NUMBERS: Mapping[str, Domain] = {
    "rank": ((), (pl.Int64, pl.UInt8, pl.Float64)),
    "score": ((*SCORES, -0.0, 2.5, -3, math.inf, -math.inf), (pl.Float64, pl.Float32)),
    "rating": ((None, nan, 0, -1, *(half / 2 for half in range(1, 11))), (pl.Float64, pl.Float32)),
}
# Metrics of a list's own ranks and ratings.
PLAIN = "ap auc dcg err f_beta hit ideal_dcg n_hits n_recommended n_relevant ndcg precision".split()
PLAIN += "r_precision rbp recall rr".split()
ODD_CUTOFFS = (None, *range(1, 13), 250)  # beyond 200 the ideal is computed otherwise
MANY = read_metrics(["ndcg@1..7", "recall@1..7", "ap@1..7", "rr@1..7", "hit@2"])  # means of these are taken from hits


@st.composite
def odd_worlds(draw: DrawFn) -> World:
    """Small worlds of recommendations and truth, whose columns may have any name and type."""
    lists = [f"list {number}" for number in range(draw(st.integers(1, 3)))]
    shared = sorted(draw(st.sets(st.sampled_from(lists), min_size=1)))
    systems = [one for one in lists if one not in shared]
    order = draw(st.sampled_from(["rank", "score"]))
    grades = draw(st.sampled_from([["rating"], ["rating"], []]))
    domains = {one: draw(st.sampled_from(IDS)) for one in lists} | {"item": draw(st.sampled_from(ODD_ITEMS))}
    domains |= ODD_NUMBERS
    items, ratings = st.sampled_from([*domains["item"][0], None]), st.sampled_from(ODD_NUMBERS["rating"][0])

    recs: list[Row] = []
    for key in draw(keys([domains[one][0] for one in lists])):
        found = draw(st.lists(items, min_size=draw(st.sampled_from([4, 1, 7])), max_size=9))
        ordered = zip(found, draw(places(order, len(found))), strict=True)
        recs += [{**dict(zip(lists, key, strict=True)), "item": item, order: place} for item, place in ordered]
    truth: list[Row] = []
    for key in draw(keys([domains[one][0] for one in shared])):
        judged = draw(st.lists(st.tuples(items, ratings), min_size=draw(st.sampled_from([3, 0, 5])), max_size=7))
        row = dict(zip(shared, key, strict=True))
        truth += [{**row, "item": item, **dict.fromkeys(grades, rating)} for item, rating in judged]
    shuffle = random.Random(draw(st.integers(0, 99))).shuffle
    shuffle(recs)
    shuffle(truth)

    some_metric = metrics(PLAIN, ["zero", "skip"], graded=bool(grades), cutoffs=ODD_CUTOFFS)
    asked = draw(st.lists(some_metric, min_size=5, max_size=8)) + draw(st.sampled_from([[], [], MANY]))
    labels = {one.label for one in asked}
    free = draw(st.permutations([name for name in NAMES if name not in labels]))
    names = dict(zip([*lists, "item", order, "rating", "item of the truth"], free, strict=False))
    of = {"recs": [*lists, "item", order], "truth": [*shared, "item", *grades]}
    truth_item = draw(st.sampled_from(["item", "item of the truth", order, *systems]))  # one name, two meanings
    by = draw(st.just(systems) | st.lists(st.sampled_from(lists), unique=True))
    partition = [one for one in by if one in shared and not family_of(names[one])]  # owners of lists are no partition
    ties = draw(st.sampled_from([None, "item", "item_desc", "text_desc", "input"])) if order == "score" else None
    missing = draw(st.sampled_from(["zero", "zero", "skip"]))
    return World(
        inputs=Inputs(recs, truth, {"recs": lists, "truth": shared}, partition=partition),
        types={name: {one: draw(st.sampled_from(domains[one][1])) for one in columns} for name, columns in of.items()},
        by=by,
        decided={"missing": missing, **({"ties": ties} if ties else {})},
        metrics=[*{one.label: one for one in asked}.values()],
        names={
            "recs": {one: names[one] for one in of["recs"]},
            "truth": {**{one: names[one] for one in of["truth"]}, "item": names[truth_item]},
        },
    )


@st.composite
def keys(draw: DrawFn, values: Sequence[Sequence[object]]) -> list[tuple[Any, ...]]:
    """What identifies some lists: each is another, and at times there is one with a NULL in it."""
    least = min(draw(st.sampled_from([2, 4, 1, 0])), math.prod(map(len, values)))
    whole = draw(st.lists(st.tuples(*map(st.sampled_from, values)), min_size=least, max_size=least + 2, unique=True))
    null = draw(st.sampled_from([None, None, *range(len(values))]))
    first = [None if place == null else of[0] for place, of in enumerate(values)]
    return whole if null is None else [*whole, tuple(first)]


def places(order: str, length: int) -> st.SearchStrategy[list[Any]]:
    """Scores, or ranks that start at 1 and at times leave some out."""
    if order == "score":
        return st.lists(st.sampled_from(ODD_NUMBERS["score"][0]), min_size=length, max_size=length)
    steps = st.lists(st.sampled_from((1, 1, 2, 4)), min_size=length, max_size=length) | st.just([1] * length)
    return steps.map(lambda drawn: [*accumulate([1, *drawn[1:]])])


# --- the tests --------------------------------------------------------------------------------------------------------


def rows(frame: pl.DataFrame, keys: Sequence[str]) -> Table:
    """The rows of a frame by their keys, each of which is there once."""
    found: Table = {tuple(row[key] for key in keys): row for row in frame.to_dicts()}
    assert len(found) == frame.height, "a list has two rows"
    return found


def assert_same(found: Table, expected: Table, where: str) -> None:
    assert found.keys() == expected.keys(), where
    wrong = [
        f"{where}: {label} of {key} is {found[key][label]}, should be {value}"
        for key, row in expected.items()
        for label, value in row.items()
        if not same(found[key][label], value)
    ]
    assert not wrong, "\n".join(wrong)


def same(left: Any, right: Any) -> bool:
    """Whether two values are one: equal up to rounding if they are numbers, and never NULL beside a number."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(left == right)


def ends(claim: str) -> tuple[float, float]:
    """The ends of `[0, 1]`, `[0, inf)`, `(-inf, inf)`; what these worlds are may stand behind it as a condition."""
    match = re.match(r"[\[(](\S+), (\S+)[\])]", claim)
    assert match, claim
    return float(match[1]), float(match[2])
