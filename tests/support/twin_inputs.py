"""The inputs of the plain-Python twin, and one list at one cutoff, for metrics that look beyond the truth.

A value of None means "undefined"; it is never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias, cast

from tests.support import twin
from tests.support.twin import Judged, Key, Ranked, Row, ratio

Item: TypeAlias = Hashable
Settings: TypeAlias = Mapping[str, Any]
Places: TypeAlias = list[Item]  # the items of the first k places, in order
POLICIES: Settings = {
    "duplicates": "once",
    "enough": "any",
    "min_pool": 2,
    "min_relevant": 1,
    "missing": "zero",
    "relevance": "rated",
    "ties": "item",
    "undefined": "null",
    "rel": None,
}


@dataclass(frozen=True)
class Asked:
    """A metric that was asked for: its name, its cutoff, its parameters, and the policies it is under."""

    name: str
    k: int | None = None
    settings: Settings = field(default_factory=dict)

    def policy(self, name: str) -> Any:
        """What a policy, or a number that policies read, is set to."""
        return self.settings.get(name, POLICIES[name])

    @property
    def parameters(self) -> dict[str, Any]:
        """What the metric itself is given."""
        return {name: value for name, value in self.settings.items() if name not in POLICIES}


# --- the inputs -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inputs:
    """What evaluate is given, as rows; rows with a NULL id say nothing.

    `columns` names, for each of recs, truth, history and baseline, the columns that identify its lists. A system is
    compared in the partitions in which it has recommendations: `partition` names the columns of these.
    """

    recs: Sequence[Row]
    truth: Sequence[Row]
    columns: Mapping[str, Sequence[str]]
    history: Sequence[Row] = ()
    baseline: Sequence[Row] = ()
    items: Sequence[Row] = ()
    similarity: Sequence[Row] = ()
    catalog: Sequence[Row] | None = None
    partition: Sequence[str] = ()

    # -- who has what

    @cached_property
    def by_list(self) -> dict[Key, list[Row]]:
        """The recommendations of each list; one whose every row lacks an item is there."""
        return twin.group(self.recs, self.columns["recs"])

    @cached_property
    def truths(self) -> dict[Key, Judged]:
        """What was judged of each list that has a truth."""
        rows = [row for row in self.truth if row["item"] is not None]
        return {key: twin.judge(of) for key, of in twin.group(rows, self.columns["truth"]).items()}

    @cached_property
    def histories(self) -> dict[Key, set[Item]]:
        """What each owner of a list knew before."""
        rows = [row for row in self.history if row["item"] is not None]
        groups = twin.group(rows, self.columns.get("history", ()))
        return {key: {row["item"] for row in of} for key, of in groups.items()}

    @cached_property
    def baselines(self) -> dict[Key, list[Row]]:
        """The recommendations of each list to compare with."""
        rows = [row for row in self.baseline if row["item"] is not None]
        return twin.group(rows, self.columns.get("baseline", ()))

    @cached_property
    def systems(self) -> list[Key]:
        """Each value of the list columns that the truth has not; one, where it has all of them."""
        columns = [one for one in self.columns["recs"] if one not in self.columns["truth"]]
        if not columns:
            return [()]
        return list(twin.group([row for of in self.by_list.values() for row in of], columns))

    def part(self, key: Key, name: str) -> Key:
        """What an input knows a list as: the values of the list columns that it has."""
        named = dict(zip(self.columns["recs"], key, strict=True))
        return tuple(named[column] for column in self.columns.get(name, ()))

    def lists(self, missing: str) -> set[Key]:
        """The lists that a mean is taken over.

        zero, history, baseline: every list of the truth (of that input), for every system of its partition; listed:
        every list of the recommendations; skip: those of them that have a truth.
        """
        if missing == "listed":
            return {*self.by_list}
        if missing == "skip":
            return {key for key in self.by_list if self.part(key, "truth") in self.truths}
        name, owners = self._owners(missing)
        columns = self.columns["recs"]
        own = [one for one in columns if one not in self.columns["truth"]]
        found = set()
        compared = {(self.of_partition(key), self.part_of_system(key)) for key in self.by_list}
        for owner, system in product(owners, self.systems):
            named = dict(zip([*self.columns[name], *own], [*owner, *system], strict=True))
            key = tuple(named[column] for column in columns)
            if not own or (self.of_partition(key), system) in compared:
                found.add(key)
        return found

    def of_partition(self, key: Key) -> Key:
        """The partition that a list is of."""
        named = dict(zip(self.columns["recs"], key, strict=True))
        return tuple(named[column] for column in self.partition)

    def part_of_system(self, key: Key) -> Key:
        """The system that a list is of."""
        named = dict(zip(self.columns["recs"], key, strict=True))
        return tuple(named[column] for column in self.columns["recs"] if column not in self.columns["truth"])

    def shown(self, missing: str) -> set[Key]:
        """The recommended lists of a system that its mean may include."""
        if missing == "listed":
            return {*self.by_list}
        name, owners = self._owners("zero" if missing == "skip" else missing)
        return {key for key in self.by_list if self.part(key, name) in owners}

    def _owners(self, missing: str) -> tuple[str, Iterable[Key]]:
        """The input that says whose lists count, and whose do."""
        return {
            "zero": ("truth", self.truths.keys()),
            "history": ("history", self.histories.keys()),
            "baseline": ("baseline", self.baselines.keys()),
        }[missing]

    # -- folds

    @cached_property
    def folds(self) -> list[str]:
        """The columns that recommendations and truth share beside the user."""
        shared = self.columns["truth"]
        return [one for one in shared if one != "user"] if "user" in shared else []

    def of_fold(self, key: Key, columns: Sequence[str] | None = None) -> Inputs:
        """What is known in the fold of a list; its fold is told by the columns of lists, or by these."""
        named = dict(zip(self.columns["recs"] if columns is None else columns, key, strict=True))
        fold = {name: value for name, value in named.items() if name in self.folds}

        def within(rows: Sequence[Row] | None) -> Sequence[Row] | None:
            return rows and [row for row in rows if all(row.get(name, value) == value for name, value in fold.items())]

        if not fold:
            return self
        return self._of_folds.setdefault(
            tuple(fold.items()),
            replace(
                self,
                history=within(self.history) or (),
                items=within(self.items) or (),
                catalog=within(self.catalog),
            ),
        )

    @cached_property
    def _of_folds(self) -> dict[Hashable, Inputs]:
        return {}

    # -- what is known of the items

    @cached_property
    def popularity(self) -> dict[Item, float]:
        """How many users know each item: as the items say, else by the history; one known to nobody is left out."""
        found: dict[Item, float] = {}
        if any("popularity" in row for row in self.items):
            for row in self.items:
                told = twin.number(row["popularity"])
                if row["item"] is not None and told is not None and told > 0:
                    found[row["item"]] = max(told, found.get(row["item"], 0))
            return found
        for known in self.histories.values():
            for item in known:
                found[item] = found.get(item, 0) + 1
        return found

    @cached_property
    def n_users(self) -> int:
        """How many owners of lists the history knows."""
        return len(self.histories)

    @cached_property
    def known(self) -> set[Item]:
        """The items that could be recommended: those of the catalogue, else of the history, else of the items."""
        source = self.history if "history" in self.columns else self.items
        source = source if self.catalog is None else self.catalog
        return {row["item"] for row in source if row["item"] is not None}

    @cached_property
    def categories(self) -> dict[Item, set[Hashable]]:
        """The categories of each item that has one."""
        found: dict[Item, set[Hashable]] = {}
        for row in self.items:
            told = row.get("category")
            for one in told if isinstance(told, list) else [told]:
                if row["item"] is not None and one is not None:
                    found.setdefault(row["item"], set()).add(one)
        return found

    @cached_property
    def directions(self) -> dict[Item, list[float]]:
        """The embedding of each item at length 1, of several rows the highest numbers; one of length 0 says nothing."""
        told: dict[Item, list[list[float]]] = {}
        for row in self.items:
            numbers = cast("list[float] | None", row.get("embedding"))
            if row["item"] is not None and numbers is not None:
                told.setdefault(row["item"], []).append(numbers)
        highest = {item: [max(numbers) for numbers in zip(*of, strict=True)] for item, of in told.items()}
        lengths = {item: math.sqrt(sum(one * one for one in numbers)) for item, numbers in highest.items()}
        return {item: [one / lengths[item] for one in of] for item, of in highest.items() if lengths[item] > 0}

    @cached_property
    def similarities(self) -> dict[tuple[Item, Item], float]:
        """The similarity of each ordered pair that is given; where it is given twice, the mean."""
        told: dict[tuple[Item, Item], list[float]] = {}
        for row in self.similarity:
            value = twin.number(row["similarity"])
            if row["item"] is not None and row["other"] is not None and value is not None:
                told.setdefault((row["item"], row["other"]), []).append(value)
        return {pair: sum(values) / len(values) for pair, values in told.items()}

    def tail(self, head: float) -> dict[Item, bool]:
        """Whether each known item is in the long tail.

        It is not if it is among the most popular items that have `head` of all interactions, the one that crosses that
        share among them; of equally popular items the lower comes first.
        """
        total, before = sum(self.popularity.values()), 0.0
        found: dict[Item, bool] = {}
        for item in sorted(cast("Iterable[Any]", self.popularity), key=lambda one: (-self.popularity[one], one)):
            found[item] = before >= head * total
            before += self.popularity[item]
        return found


# --- one list at one cutoff -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """What every metric of a list is computed from."""

    inputs: Inputs
    k: int | None
    ranked: Ranked  # the first k places
    judged: Judged  # every item that the list's truth mentions
    rel: float | None
    plain: twin.Case  # the same as twin.py has it
    hit_items: list[tuple[int, Item, float]]  # (rank, item, rating) of what is credited, in order
    hits_of_all: list[tuple[int, float]]  # (rank, rating) of what is credited in the whole list
    levels: Mapping[int, Sequence[int]]  # for each rank, those of the same score, itself among them
    relevant: set[Item]
    history: set[Item]
    baseline: Ranked  # the whole baseline of the list, each item at its best rank
    candidates: Sequence[Row]  # the rows of the whole list, in order
    pool: int | None  # how many candidates the list was ranked from: as it says, else its last rank
    last_rank: int  # of all candidates in the list
    is_pooled: bool  # whether the recommendations say so of their lists

    @property
    def places(self) -> Places:
        """The items of the first k places."""
        return [item for _, item in self.ranked]

    @property
    def n(self) -> int:
        """How many places are filled."""
        return len(self.ranked)

    @property
    def expected(self) -> set[Item]:
        """The items of the first k places of the baseline."""
        return {item for rank, item in self.baseline if self.k is None or rank <= self.k}

    def group(self, head: float, *, is_tail: bool) -> set[Item]:
        """The items of the long tail, or the other known items."""
        return {item for item, found in self.inputs.tail(head).items() if found == is_tail}

    def over(self, divisor: str) -> int:
        """list: the places that are filled; k: the cutoff, without one the list's length."""
        return self.n if divisor == "list" or self.k is None else self.k

    @property
    def discerns(self) -> bool:
        """Whether the list ends before the last candidate, or its scores differ; so they do where there are none."""
        scores = {twin.number(row["score"]) for row in self.candidates if "score" in row}
        differ = not scores or (None not in scores and len(scores) > 1)
        return self.pool is not None and (self.pool > self.last_rank or differ)


def first_rows(rows: Iterable[Row]) -> list[Row]:
    """Each item at its first place only."""
    found: dict[Item, Row] = {}
    for row in rows:
        found.setdefault(row["item"], row)
    return [*found.values()]


def levels_of(rows: Sequence[Row], ranked: Ranked) -> dict[int, list[int]]:
    """For each rank of a list, the ranks that have its score; where ranks are given, none but itself."""
    ranks = [rank for rank, _ in ranked]
    if any("rank" in row or "score" not in row for row in rows):
        return {rank: [rank] for rank in ranks}
    scores = [twin.number(row["score"]) for row in rows]
    return {
        rank: [other for other, of in zip(ranks, scores, strict=True) if of == score]
        for rank, score in zip(ranks, scores, strict=True)
    }


def best_ranks(ranked: Ranked) -> Ranked:
    """Each item once, at its best rank; no other rank changes."""
    best: dict[Item, int] = {}
    for rank, item in ranked:
        best.setdefault(item, rank)
    return [(rank, item) for item, rank in best.items()]


def make_case(inputs: Inputs, key: Key, asked: Asked) -> Case:
    """A list under the policies of a metric, cut at its k."""
    ties, k = asked.policy("ties"), asked.k
    rows = candidates = twin.in_order(inputs.by_list.get(key, []), ties)
    ranked = twin.rank_rows(rows, ties)
    last_rank = max((rank for rank, _ in ranked), default=0)
    if asked.policy("duplicates") == "first":
        rows = first_rows(rows)
        ranked = [*enumerate((row["item"] for row in rows), start=1)]
    told = [number for row in candidates if (number := twin.number(row.get("pool"))) is not None]
    judged = inputs.truths.get(inputs.part(key, "truth"), {})
    rel = -math.inf if asked.policy("relevance") == "any" else asked.policy("rel")
    within = [(rank, item) for rank, item in ranked if k is None or rank <= k]
    relevant = {item for item, rating in judged.items() if (rating > 0 if rel is None else rating >= rel)}
    each = asked.policy("duplicates") == "each"
    credited = [
        (rank, item, judged[item]) for rank, item in (ranked if each else best_ranks(ranked)) if item in relevant
    ]
    hits = [hit for hit in credited if k is None or hit[0] <= k]
    plain = twin.make_case(k, ranked, judged, rel)
    if each:
        plain = twin.Case(**{**vars(plain), "hits": [(rank, rating) for rank, _, rating in hits], "h": len(hits)})
    baseline = twin.rank_rows(inputs.baselines.get(inputs.part(key, "baseline"), []), ties)
    return Case(
        inputs=inputs.of_fold(key),
        k=k,
        ranked=within,
        judged=judged,
        rel=asked.policy("rel"),
        plain=plain,
        hit_items=hits,
        hits_of_all=[(rank, rating) for rank, _, rating in credited],
        levels=levels_of(rows, ranked),
        relevant=relevant,
        history=inputs.histories.get(inputs.part(key, "history"), set()),
        baseline=best_ranks(baseline),
        candidates=candidates,
        pool=int(max(told, default=len(candidates))) if candidates else None,
        last_rank=last_rank,
        is_pooled=any("pool" in row for row in inputs.recs),
    )


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return ratio(math.fsum(values), len(values))


def total(values: Iterable[float]) -> float:
    """The sum."""
    return math.fsum(values)


def discount_of(discount: str, rank: int, p: float) -> float:
    """What a place is worth: twin.py has it, and takes p along with its name."""
    return twin.discount_of((discount, p), rank)


def weight_of(weight: str, rank: int, p: float) -> float:
    """uniform: 1; geometric: p**(rank - 1); log2: 1 / log2(rank + 1)."""
    return 1.0 if weight == "uniform" else discount_of(weight, rank, p)


def gain_of(gain: str, rating: float, rel: float | None) -> float:
    """binary, linear, exponential as twin.py has it; positive: the rating, 0 at least.

    excess: 2**(rating - rel + 1) - 1, rel 0 if it is None.
    """
    if gain == "positive":
        return max(rating, 0)
    return twin.gain_of("exponential", rating - (rel or 0) + 1) if gain == "excess" else twin.gain_of(gain, rating)
