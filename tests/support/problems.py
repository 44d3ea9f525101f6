"""Random problems over recommendations and truth, for comparing engines with the plain-Python twin."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.inputs.sources import family_of
from rankmetrics.metrics.metric import read_metrics
from tests.support import twin
from tests.support.engines import Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypothesis.strategies import DrawFn

    from rankmetrics.inputs.columns import Ties
    from rankmetrics.request import Missing

    Row = dict[str, Any]
    Table = dict[twin.Key, Mapping[str, Any]]


TOLERANCE = 1e-12


# --- what is drawn from -----------------------------------------------------------------------------------------------

# Names of columns: keywords, roles, and what the query calls its own tables and columns.
NAMES = (
    "user, rank, item_id, hits, order, select, lists, truth_id, n_relevant, per_list, list_id, rating, item, score, "
    "measured, query_id, n_hits, first_hit, depth, recs, truth, group, list_user, account, n, n_hits@3, my col, "
    """q"uote, it's, Ünï, per.list, %s, $k, 1"""
).split(", ")


# Values of ids, and the types under which either input may hold them.
TEXTS = ("b", "a", "", "Ä", "a'b")
Domain: TypeAlias = "tuple[Sequence[object], Sequence[type[pl.DataType] | pl.DataType]]"
IDS: Sequence[Domain] = (
    ((1, 2, 3), (pl.Int64, pl.Int32, pl.UInt8)),
    (TEXTS, (pl.String, pl.Categorical, pl.Enum(TEXTS))),
    ((date(2024, 2, 29), date(1969, 12, 31)), (pl.Date,)),
    ((False, True), (pl.Boolean,)),
)
ITEMS: Sequence[Domain] = (
    (range(8), (pl.Int64, pl.Int16, pl.UInt32)),
    ((*range(4), 2**53, 2**53 + 1, -1, -(2**62)), (pl.Int64,)),
    (("10", "9", "a", "B", "", "ß", "a b", "x;y"), (pl.String, pl.Categorical)),
)
NUMBERS: Mapping[str, Domain] = {
    "rank": ((), (pl.Int64, pl.UInt8, pl.Float64)),
    "score": ((0.0, -0.0, 0.5, 0.5, 1, 2.5, -3, math.nan, None, math.inf, -math.inf), (pl.Float64, pl.Float32)),
    "rating": ((None, math.nan, 0, -1, *(half / 2 for half in range(1, 11))), (pl.Float64, pl.Float32)),
}
Choices: TypeAlias = "Mapping[str, Sequence[str | float]]"
REL = (-1, 0, 0.5, 1, 3, 4.5)
GAIN: Choices = {
    "gain": ("binary", "linear", "exponential"),
    "discount": ("log2", "lenskit", "geometric"),
    "p": (0.3, 0.95),
}
METRICS: Mapping[str, Choices] = {
    "ap": {"divisor": ("capped", "relevant", "k", "list", "hits"), "rel": REL},
    "auc": {"rel": REL},
    "dcg": {**GAIN, "rel": REL},
    "err": {"stop": ("binary", "graded"), "max_rating": (1, 3, 4.5), "rel": REL[1:]},  # no chance is negative
    "f_beta": {"beta": (0.25, 1, 2), "rel": REL},
    "hit": {"rel": REL},
    "ideal_dcg": {**GAIN, "ideal": ("k", "all"), "rel": REL},
    "n_hits": {"rel": REL},
    "n_recommended": {},
    "n_relevant": {"rel": REL},
    "ndcg": {**GAIN, "ideal": ("k", "all"), "rel": REL[1:]},  # with negative gains it may divide by rounding errors
    "precision": {"divisor": ("k", "list", "relevant", "achievable"), "rel": REL},
    "r_precision": {"rel": REL},
    "rbp": {"p": (0.01, 0.5, 0.95), "rel": REL},
    "recall": {"divisor": ("relevant", "capped"), "rel": REL},
    "rr": {"rel": REL},
}
CUTOFFS = (None, *range(1, 13), 250)  # beyond 200 the ideal is computed otherwise
MANY = read_metrics(["ndcg@1..7", "recall@1..7", "ap@1..7", "rr@1..7", "hit@2"])  # means of these are taken from hits
READ_BY = {"p": ("discount", "geometric"), "max_rating": ("stop", "graded")}
NEEDS_RATING = {"rel", "linear", "exponential", "graded"}


@st.composite
def metrics(draw: DrawFn, *, graded: bool) -> rm.Metric:
    """A metric under random parameters, some of them left at their defaults."""
    name = draw(st.sampled_from([*METRICS]))
    chosen: dict[str, str | float] = {}
    for parameter, values in METRICS[name].items():
        owner, choice = READ_BY.get(parameter, ("", ""))
        fits = [one for one in values if graded or not {parameter, one} & NEEDS_RATING]
        if owner not in METRICS[name] or chosen.get(owner) == choice:
            value = draw(st.sampled_from([None, *fits]))
            chosen |= {} if value is None else {parameter: value}
    return rm.Metric(name, chosen, None if name == "n_relevant" else draw(st.sampled_from(CUTOFFS)))


def as_twin(metric: rm.Metric) -> twin.Metric:
    """A metric as the twin takes it; what was not given stays the twin's to know."""
    chosen: dict[str, Any] = dict(metric.settings)
    if chosen.get("discount") == "geometric":
        chosen["discount"] = ("geometric", chosen.pop("p", 0.85))
    if chosen.get("stop") == "graded":
        chosen["stop"] = ("graded", chosen.pop("max_rating", 5))
    return metric.name, metric.k, chosen


# --- worlds -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Two inputs as rows under plain keys, and how the frames call and type their columns."""

    recs: Sequence[Row]
    truth: Sequence[Row]
    lists: Sequence[str]
    shared: Sequence[str]
    by: Sequence[str]
    names: Mapping[str, Mapping[str, str]]  # of each input: key -> column
    types: Mapping[str, Mapping[str, Any]]
    ties: Ties | None
    missing: Missing
    metrics: Sequence[rm.Metric]

    def evaluate(self, engine: Engine) -> rm.Result:
        """The world as an engine sees it. Relations have no order of rows, so for that DuckDB is given Arrow."""
        give = pl.DataFrame.to_arrow if self.ties == "input" and engine.name == "duckdb" else engine.give
        return rm.evaluate(
            give(self.frame("recs")),
            give(self.frame("truth")),
            self.metrics,
            by=self.called(self.by),
            lists=self.called(self.lists),
            truth_lists=self.called(self.shared),
            columns=self.roles("recs"),
            truth_columns=self.roles("truth"),
            missing=self.missing,
            ties=self.ties,
            **engine.options,
        )

    @property
    def partition(self) -> list[str]:
        """The keys of `by` that the truth has too, except those whose column is called as owners of lists are."""
        return [key for key in self.by if key in self.shared and not family_of(self.names["recs"][key])]

    def called(self, keys: Iterable[str]) -> list[str]:
        return [self.names["recs"][key] for key in keys]

    def roles(self, table: str) -> rm.Columns:
        named: dict[str, Any] = {key: name for key, name in self.names[table].items() if key not in self.lists}
        return rm.Columns(**named)

    def frame(self, table: str) -> pl.DataFrame:
        rows, types = (self.recs if table == "recs" else self.truth), self.types[table]
        return pl.DataFrame(
            [pl.Series(name, [row[key] for row in rows], types[key]) for key, name in self.names[table].items()]
        )

    def expected(self) -> Table:
        """One row per list."""
        asked = {one.label: as_twin(one) for one in self.metrics}
        options = (asked, self.ties or "item", self.missing, self.partition)
        return {**twin.per_list(self.recs, self.truth, self.lists, self.shared, *options)}

    def expected_summary(self) -> Table:
        """One row per value of `by`, with the number of lists; one row of NULLs where all lists would be one row."""
        lists = self.expected()
        places = [self.lists.index(key) for key in self.by]
        counts = Counter(tuple(key[place] for place in places) for key in lists)
        means: Table = {**twin.summary(lists, self.lists, self.by)}
        if not (self.by or means):
            means[()] = dict.fromkeys((one.label for one in self.metrics), None)
        return {key: {"n_lists": counts[key], **row} for key, row in means.items()}


@st.composite
def worlds(draw: DrawFn) -> World:
    """Small worlds with all in them that real inputs have by accident."""
    lists = [f"list {number}" for number in range(draw(st.integers(1, 3)))]
    shared = sorted(draw(st.sets(st.sampled_from(lists), min_size=1)))
    systems = [one for one in lists if one not in shared]
    order = draw(st.sampled_from(["rank", "score"]))
    grades = draw(st.sampled_from([["rating"], ["rating"], []]))
    domains = {one: draw(st.sampled_from(IDS)) for one in lists} | {"item": draw(st.sampled_from(ITEMS)), **NUMBERS}
    items, ratings = st.sampled_from([*domains["item"][0], None]), st.sampled_from(NUMBERS["rating"][0])

    recs: list[Row] = []
    for key in draw(keys([domains[one][0] for one in lists])):
        found = draw(st.lists(items, min_size=draw(st.sampled_from([4, 1, 7])), max_size=9))
        recs += [
            {**_row(lists, key), "item": one, order: place}
            for one, place in zip(found, draw(places(order, len(found))), strict=True)
        ]
    truth: list[Row] = []
    for key in draw(keys([domains[one][0] for one in shared])):
        judged = draw(st.lists(st.tuples(items, ratings), min_size=draw(st.sampled_from([3, 0, 5])), max_size=7))
        truth += [{**_row(shared, key), "item": one, **dict.fromkeys(grades, rating)} for one, rating in judged]
    shuffle = random.Random(draw(st.integers(0, 99))).shuffle
    shuffle(recs)
    shuffle(truth)

    asked = draw(st.lists(metrics(graded=bool(grades)), min_size=5, max_size=8)) + draw(st.sampled_from([[], [], MANY]))
    labels = {one.label for one in asked}
    free = draw(st.permutations([name for name in NAMES if name not in labels]))
    names = dict(zip([*lists, "item", order, "rating", "item of the truth"], free, strict=False))
    in_recs, in_truth = [*lists, "item", order], [*shared, "item", *grades]
    truth_item = draw(
        st.sampled_from(["item", "item of the truth", order, *systems])
    )  # names may mean different things
    return World(
        recs=recs,
        truth=truth,
        lists=lists,
        shared=shared,
        by=draw(st.just(systems) | st.lists(st.sampled_from(lists), unique=True)),
        names={
            "recs": {one: names[one] for one in in_recs},
            "truth": {**{one: names[one] for one in in_truth}, "item": names[truth_item]},
        },
        types={
            table: {one: draw(st.sampled_from(domains[one][1])) for one in columns}
            for table, columns in (("recs", in_recs), ("truth", in_truth))
        },
        ties=draw(st.sampled_from([None, "item", "item_desc", "text_desc", "input"])) if order == "score" else None,
        missing=draw(st.sampled_from(["zero", "zero", "skip"])),
        metrics=asked,
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
        return st.lists(st.sampled_from(NUMBERS["score"][0]), min_size=length, max_size=length)
    steps = st.lists(st.sampled_from((1, 1, 2, 4)), min_size=length, max_size=length) | st.just([1] * length)
    return steps.map(lambda drawn: [*accumulate([1, *drawn[1:]])])


def _row(names: Sequence[str], key: tuple[Any, ...]) -> Row:
    return dict(zip(names, key, strict=True))


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
