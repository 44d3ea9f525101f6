"""The inputs of the plain-Python twin, and one list at one cutoff: slow, short, written to be read next to the SQL.

A value of None means "undefined"; it is never 0 and never NaN. Throughout: k is the cutoff (None: no cutoff), n the
number of recommended items within the cutoff, R the number of relevant items, h the number of hits.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product, zip_longest
from typing import Any, TypeAlias, cast

Item: TypeAlias = Hashable
Row: TypeAlias = Mapping[str, Any]
ListKey: TypeAlias = tuple[Hashable, ...]
Ranked: TypeAlias = Sequence[tuple[int, Item]]
Judged: TypeAlias = Mapping[Item, float]  # item -> rating
MetricValue: TypeAlias = float | int | None
Settings: TypeAlias = Mapping[str, Any]
POLICIES: Settings = {
    "duplicates": "once",
    "enough": "any",
    "min_pool": 2,
    "min_relevant": 1,
    "missing": "zero",
    "relevance": "rated",
    "ties": "item",
    "undefined": "null",
    "unjudged": "irrelevant",
    "weights": "none",
    "propensity": "given",
    "limit": None,
    "gamma": 1,
    "jain_a": 0.55,
    "jain_b": 1.5,
    "rel": None,
}


@dataclass(frozen=True)
class Asked:
    """A requested metric: its name, its cutoff, its parameters, and its policies."""

    name: str
    k: int | None = None
    settings: Settings = field(default_factory=dict)

    def policy(self, name: str) -> Any:
        """The value of a policy, or of a number that policies read."""
        return self.settings.get(name, POLICIES[name])

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the metric itself."""
        return {name: value for name, value in self.settings.items() if name not in POLICIES}


# --- from rows to one list --------------------------------------------------------------------------------------------


def number(value: Any) -> float | None:
    """The number itself, or None when it is None or NaN."""
    return None if value is None or math.isnan(value) else cast("float", value)


def by_score(row: Row) -> tuple[bool, float]:
    """Sort key: score descending, then all None and NaN scores, equal to each other."""
    score = number(row["score"])
    return (True, 0.0) if score is None else (False, -score)


def by_single_score(row: Row) -> tuple[bool, float]:
    """Sort key: as by_score, of scores rounded to 32 bits; beyond what these hold, infinity."""
    unscored, score = by_score(row)
    try:
        return unscored, struct.unpack("f", struct.pack("f", score))[0]
    except OverflowError:
        return unscored, math.copysign(math.inf, score)


def in_order(rows: Iterable[Row], ties: str = "item") -> list[Row]:
    """The rows of ONE list that have an item, by rank as given, else by score descending."""
    kept = [row for row in rows if row["item"] is not None]
    if any("rank" in row for row in kept):
        return sorted(kept, key=lambda row: (row["rank"] is not None, row["rank"] or 0))
    # stable sorts: equal scores stay in the order of the items
    if ties == "text_desc":
        kept.sort(key=lambda row: str(row["item"]).encode(), reverse=True)
    elif ties != "input":
        kept.sort(key=lambda row: row["item"], reverse={"item": False, "item_desc": True}[ties])
    return sorted(kept, key=by_single_score if ties == "text_desc" else by_score)


def rank_rows(rows: Iterable[Row], ties: str = "item") -> Ranked:
    """The (rank, item) pairs of ONE list: the rank as given, else 1..n by score descending."""
    return [(row.get("rank", place), row["item"]) for place, row in enumerate(in_order(rows, ties), start=1)]


def judge(rows: Iterable[Row]) -> Judged:
    """The rating of each item of ONE list: None or NaN is 1.0; of an item that repeats, the highest."""
    judged: dict[Item, float] = {}
    for row in rows:
        given = number(row.get("rating"))
        rating = 1.0 if given is None else float(given)
        judged[row["item"]] = max(rating, judged.get(row["item"], rating))
    return judged


def group(rows: Iterable[Row], columns: Sequence[str]) -> dict[ListKey, list[Row]]:
    """The rows of each list, by the values of the columns; rows with a NULL there are left out."""
    groups: dict[ListKey, list[Row]] = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        if None not in key:
            groups.setdefault(key, []).append(row)
    return groups


def with_item(rows: Iterable[Row]) -> list[Row]:
    """The rows that have an item."""
    return [row for row in rows if row["item"] is not None]


# --- the inputs -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inputs:
    """The inputs of evaluate, as rows; rows with a NULL id are ignored.

    `columns` names, for each of recs, truth, history and baseline, the columns that identify its lists. A system is
    compared in the partitions in which it has recommendations: `partition` names the columns of these. The systems of
    `named`, by the columns of `own`, are compared in all partitions.
    """

    recs: Sequence[Row]
    truth: Sequence[Row]
    columns: Mapping[str, Sequence[str]]
    history: Sequence[Row] = ()
    baseline: Sequence[Row] = ()
    log: Sequence[Row] = ()
    items: Sequence[Row] = ()
    similarity: Sequence[Row] = ()
    catalog: Sequence[Row] | None = None
    candidates: Sequence[Row] = ()
    partition: Sequence[str] = ()
    named: Sequence[ListKey] = ()

    # -- the lists of each input

    @cached_property
    def by_list(self) -> dict[ListKey, list[Row]]:
        """The recommendations of each list, also of one whose every row lacks an item."""
        return group(self.recs, self.columns["recs"])

    @cached_property
    def truths(self) -> dict[ListKey, Judged]:
        """The ratings of each list that has a truth."""
        return {key: judge(rows) for key, rows in self.truth_rows.items()}

    @cached_property
    def truth_rows(self) -> dict[ListKey, list[Row]]:
        """The rows of each list that has a truth."""
        return group(with_item(self.truth), self.columns["truth"])

    def subtopics(self, key: ListKey, rel: float | None) -> dict[Hashable, set[Item]]:
        """The items of a truth list that are relevant to each subtopic; a subtopic without any is left out."""
        found: dict[Hashable, set[Item]] = {}
        for row in group(with_item(self.truth), self.columns["truth"]).get(key, []):
            given = number(row.get("rating"))
            rating = 1.0 if given is None else given
            if row.get("subtopic") is not None and (rating > 0 if rel is None else rating >= rel):
                found.setdefault(row["subtopic"], set()).add(row["item"])
        return found

    @cached_property
    def histories(self) -> dict[ListKey, set[Item]]:
        """The items that each owner of a list knew before."""
        groups = group(with_item(self.history), self.columns.get("history", ()))
        return {key: {row["item"] for row in rows} for key, rows in groups.items()}

    @cached_property
    def baselines(self) -> dict[ListKey, list[Row]]:
        """The recommendations of each list to compare with."""
        return group(with_item(self.baseline), self.columns.get("baseline", ()))

    @cached_property
    def logs(self) -> dict[ListKey, list[list[Row]]]:
        """The impressions of each list of the log: actions in the order of their ranks."""
        found: dict[ListKey, dict[Any, list[Row]]] = {}
        for key, rows in group(with_item(self.log), self.columns.get("log", ())).items():
            for row in rows:
                action = {**row, "rank": row.get("position", 1)}
                found.setdefault(key, {}).setdefault(row.get("impression"), []).append(action)
        return {
            key: [sorted(one, key=lambda action: action["rank"]) for one in of.values()] for key, of in found.items()
        }

    @cached_property
    def own(self) -> list[str]:
        """The list columns that the truth lacks."""
        return [column for column in self.columns["recs"] if column not in self.columns["truth"]]

    def values_of(self, key: ListKey, columns: Iterable[str]) -> ListKey:
        """The values of some columns of a list."""
        named = dict(zip(self.columns["recs"], key, strict=True))
        return tuple(named[column] for column in columns)

    def part(self, key: ListKey, name: str) -> ListKey:
        """The key of a list in an input: the values of the list columns that it has."""
        return self.values_of(key, self.columns.get(name, ()))

    def lists(self, missing: str) -> set[ListKey]:
        """The lists that a mean is taken over.

        zero, history, baseline, log: every list of the truth (of that input), for every system of its partition;
        listed: every list of the recommendations; skip: those of them that have a truth.
        """
        if missing == "listed":
            return {*self.by_list}
        if missing == "skip":
            return {key for key in self.by_list if self.part(key, "truth") in self.truths}
        name, owners = self._owners(missing)
        systems = {*self.named, *(self.values_of(key, self.own) for key in self.by_list)} if self.own else {()}
        compared = {(self.values_of(key, self.partition), self.values_of(key, self.own)) for key in self.by_list}
        found = set()
        for owner, system in product(owners, systems):
            named = dict(zip([*self.columns[name], *self.own], [*owner, *system], strict=True))
            key = tuple(named[column] for column in self.columns["recs"])
            is_named = not self.own or system in self.named
            if is_named or (self.values_of(key, self.partition), system) in compared:
                found.add(key)
        return found

    def shown(self, missing: str) -> set[ListKey]:
        """The recommended lists of a system that its mean may include."""
        if missing == "listed":
            return {*self.by_list}
        name, owners = self._owners("zero" if missing == "skip" else missing)
        return {key for key in self.by_list if self.part(key, name) in owners}

    def _owners(self, missing: str) -> tuple[str, Iterable[ListKey]]:
        """The input whose lists count, and the keys of these."""
        return {
            "zero": ("truth", self.truths.keys()),
            "history": ("history", self.histories.keys()),
            "baseline": ("baseline", self.baselines.keys()),
            "log": ("log", self.logs.keys()),
        }[missing]

    # -- folds

    def of_fold(self, key: ListKey, columns: Sequence[str] | None = None) -> Inputs:
        """The inputs of the fold of a list: the columns that recommendations and truth share besides the user."""
        shared = self.columns["truth"]
        folds = {*shared} - {"user"} if "user" in shared else set()
        named = zip(self.columns["recs"] if columns is None else columns, key, strict=True)
        fold = {name: value for name, value in named if name in folds}

        def within(rows: Sequence[Row] | None) -> Sequence[Row] | None:
            return rows and [row for row in rows if all(row.get(name, value) == value for name, value in fold.items())]

        if not fold:
            return self
        if (*fold.items(),) not in self._of_folds:
            history, items, catalog = map(within, (self.history, self.items, self.catalog))
            cut = replace(self, history=history or (), items=items or (), catalog=catalog)
            self._of_folds[*fold.items(),] = cut
        return self._of_folds[*fold.items(),]

    @cached_property
    def _of_folds(self) -> dict[Hashable, Inputs]:
        return {}

    # -- the items

    @cached_property
    def popularity(self) -> dict[Item, float]:
        """The users of each item: as the items say, else by the history; an item without users is left out."""
        found: dict[Item, float] = {}
        if any("popularity" in row for row in self.items):
            for row in with_item(self.items):
                users = number(row["popularity"])
                if users is not None and users > 0:
                    found[row["item"]] = max(users, found.get(row["item"], 0))
            return found
        for known in self.histories.values():
            for item in known:
                found[item] = found.get(item, 0) + 1
        return found

    @cached_property
    def n_users(self) -> int:
        """The number of owners of lists in the history."""
        return len(self.histories)

    @cached_property
    def known(self) -> set[Item]:
        """The items that could be recommended: those of the catalogue, else of the history, else of the items."""
        source = self.history if "history" in self.columns else self.items
        return {row["item"] for row in with_item(source if self.catalog is None else self.catalog)}

    @cached_property
    def categories(self) -> dict[Item, set[Hashable]]:
        """The categories of each item that has one."""
        found: dict[Item, set[Hashable]] = {}
        for row in with_item(self.items):
            value = row.get("category")
            for category in value if isinstance(value, list) else [value]:
                if category is not None:
                    found.setdefault(row["item"], set()).add(category)
        return found

    @cached_property
    def directions(self) -> dict[Item, list[float]]:
        """The embedding of each item at length 1, of several rows the highest numbers; none where its length is 0."""
        rows_of: dict[Item, list[list[float]]] = {}
        for row in with_item(self.items):
            if row.get("embedding") is not None:
                rows_of.setdefault(row["item"], []).append(row["embedding"])
        highest = {
            item: [max(numbers) for numbers in zip_longest(*rows, fillvalue=-math.inf)]
            for item, rows in rows_of.items()
        }
        lengths = {item: math.sqrt(sum(x * x for x in numbers)) for item, numbers in highest.items()}
        return {item: [x / lengths[item] for x in numbers] for item, numbers in highest.items() if lengths[item] > 0}

    @cached_property
    def similarities(self) -> dict[tuple[Item, Item], float]:
        """The similarity of each ordered pair that is given; where it is given twice, the mean."""
        values_of: dict[tuple[Item, Item], list[float]] = {}
        for row in with_item(self.similarity):
            value = number(row["similarity"])
            if row["other"] is not None and value is not None:
                values_of.setdefault((row["item"], row["other"]), []).append(value)
        return {pair: sum(values) / len(values) for pair, values in values_of.items()}

    def tail(self, head: float) -> dict[Item, bool]:
        """True for each known item of the long tail.

        The head is the most popular items that have `head` of all interactions, with the item that crosses that share;
        of equally popular items the lower comes first.
        """
        everything, before = sum(self.popularity.values()), 0.0
        found: dict[Item, bool] = {}
        for item in sorted(cast("Iterable[Any]", self.popularity), key=lambda item: (-self.popularity[item], item)):
            found[item] = before >= head * everything
            before += self.popularity[item]
        return found


# --- one list at one cutoff -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A list at a cutoff: what every metric of a list is computed from."""

    inputs: Inputs
    k: int | None
    ranked: Ranked  # the first k places, repeated items included
    last_rank: int  # of the whole list
    judged: Judged  # every item in the list's truth
    rel: float | None
    relevant: set[Item]
    credited: Sequence[tuple[int, Item, float]]  # (rank, item, rating) of the hits of the whole list, in order
    whole: Ranked  # all places, repeated items included
    levels: Mapping[int, Sequence[int]]  # for each rank, those of the same score, itself among them
    candidates: Sequence[Row]  # the rows of the whole list, in order
    history: set[Item]
    baseline: Ranked  # the whole baseline of the list, each item at its best rank
    baseline_levels: Mapping[int, Sequence[int]]  # as the levels of the list
    impressions: Sequence[Sequence[Row]]  # what the log says was shown
    policy: Mapping[tuple[Item, int], float]  # the probability of each item at each rank
    modelled: Mapping[tuple[Item, int], float]  # the reward that a model expects of it
    weights: Mapping[Item, float] | None  # of each relevant item that has a propensity; None: each weighs 1
    subtopics: Mapping[Hashable, set[Item]]  # the items relevant to each subtopic that has some

    # -- counts

    @cached_property
    def hit_items(self) -> list[tuple[int, Item, float]]:
        """(rank, item, rating) of the hits within the cutoff, in order."""
        return [hit for hit in self.credited if self.k is None or hit[0] <= self.k]

    def weight(self, item: Item) -> float:
        """What a hit of an item counts: 1 without weights, 0 for an item without a propensity."""
        return 1.0 if self.weights is None else self.weights.get(item, 0.0)

    @cached_property
    def weighted(self) -> list[tuple[int, float, float]]:
        """(rank, rating, weight) of the hits within the cutoff; a hit without a propensity weighs 0."""
        return [(rank, rating, self.weight(item)) for rank, item, rating in self.hit_items]

    @cached_property
    def hits(self) -> list[tuple[int, float]]:
        """(rank, rating) of these."""
        return [(rank, rating) for rank, _, rating in self.hit_items]

    @cached_property
    def ratings(self) -> list[float]:
        """The ratings of all relevant items, highest first."""
        return sorted((self.judged[item] for item in self.relevant), reverse=True)

    @property
    def places(self) -> list[Item]:
        """The items of the first k places, in order."""
        return [item for _, item in self.ranked]

    @property
    def last_place(self) -> int:
        """The last rank within the cutoff."""
        return max((rank for rank, _ in self.ranked), default=0)

    @property
    def n(self) -> int:
        return len(self.ranked)

    @property
    def R(self) -> int:  # noqa: N802  # the letter of the formulas
        return len(self.relevant)

    @property
    def h(self) -> int:
        return len(self.hit_items)

    @property
    def k_or_n(self) -> int:
        return self.n if self.k is None else self.k

    @property
    def capped(self) -> int:
        """min(k, R), without a cutoff R."""
        return self.R if self.k is None else min(self.k, self.R)

    def over(self, divisor: str) -> int:
        """list: the places that are filled; k: the cutoff, without one the list's length."""
        return self.n if divisor == "list" else self.k_or_n

    # -- other inputs

    @property
    def expected(self) -> set[Item]:
        """The items of the first k places of the baseline."""
        return {item for rank, item in self.baseline if self.k is None or rank <= self.k}

    def group(self, head: float, *, is_tail: bool) -> set[Item]:
        """The items of the long tail, or the other known items."""
        return {item for item, found in self.inputs.tail(head).items() if found == is_tail}

    @property
    def is_pooled(self) -> bool:
        """True if the recommendations say how many candidates their lists were ranked from."""
        return any("pool" in row for row in self.inputs.recs)

    @property
    def pool(self) -> int | None:
        """The number of candidates of the list: as it says, else its last rank; None if it is empty."""
        said = [size for row in self.candidates if (size := number(row.get("pool"))) is not None]
        return int(max(said, default=self.last_rank)) if self.candidates else None

    @property
    def discerns(self) -> bool:
        """True if the list ends before the last candidate, or its scores differ, or it has none."""
        scores = {number(row["score"]) for row in self.candidates if "score" in row}
        differ = not scores or (None not in scores and len(scores) > 1)
        return self.pool is not None and (self.pool > self.last_rank or differ)


def levels_of(rows: Sequence[Row], ranked: Ranked) -> dict[int, list[int]]:
    """For each rank of a list, the ranks that have its score; where ranks are given, itself alone."""
    if any("rank" in row or "score" not in row for row in rows):
        return {rank: [rank] for rank, _ in ranked}
    scores = {rank: number(row["score"]) for (rank, _), row in zip(ranked, rows, strict=True)}
    return {rank: [other for other in scores if scores[other] == score] for rank, score in scores.items()}


def best_ranks(ranked: Ranked) -> Ranked:
    """Each item once, at its best rank; no other rank changes."""
    best: dict[Item, int] = {}
    for rank, item in ranked:
        best.setdefault(item, rank)
    return [(rank, item) for item, rank in best.items()]


def least_rating(asked: Asked) -> float | None:
    """The least rating of a relevant item; None where any above 0 is relevant."""
    return -math.inf if asked.policy("relevance") == "any" else cast("float | None", asked.policy("rel"))


def relevant_of(judged: Judged, asked: Asked) -> set[Item]:
    """The items rated above 0, or from `rel` on if it is given; relevance=any: all items."""
    rel = least_rating(asked)
    return {item for item, rating in judged.items() if (rating > 0 if rel is None else rating >= rel)}


def judged_items(judged: Judged, asked: Asked) -> set[Item]:
    """The items that are judged: all of the truth; unjudged=removed_negative: those rated from 0 on."""
    return {item for item, rating in judged.items() if asked.policy("unjudged") != "removed_negative" or rating >= 0}


def make_case(inputs: Inputs, key: ListKey, asked: Asked) -> Case:
    """A list under the policies of a metric, cut at its k; relevant is rating > 0 (rel None) or rating >= rel."""
    ties, k = asked.policy("ties"), asked.k
    given = inputs.by_list.get(key, [])
    # a policy with probabilities has no ranks
    rows = candidates = [] if any("probability" in row for row in given) else in_order(given, ties)
    ranked = rank_rows(rows, ties)
    judged = inputs.truths.get(inputs.part(key, "truth"), {})
    if asked.policy("unjudged") != "irrelevant":
        known = judged_items(judged, asked)
        rows = candidates = [{**row, "pool": None} for row in candidates if row["item"] in known]
        ranked = [*enumerate((row["item"] for row in rows), start=1)]
    last_rank = max((rank for rank, _ in ranked), default=0)
    policy, modelled = policy_of(rows or given, ranked)
    if asked.policy("duplicates") == "first":
        first: dict[Item, Row] = {}
        for row in candidates:
            first.setdefault(row["item"], row)
        rows = [*first.values()]
        ranked = [*enumerate((row["item"] for row in rows), start=1)]
    relevant = relevant_of(judged, asked)
    creditable = ranked if asked.policy("duplicates") == "each" else best_ranks(ranked)
    propensities = propensities_of(inputs.of_fold(key), inputs.part(key, "truth"), relevant, asked)
    of_baseline = in_order(inputs.baselines.get(inputs.part(key, "baseline"), []), ties)
    baseline = rank_rows(of_baseline, ties)
    return Case(
        inputs=inputs.of_fold(key),
        k=k,
        ranked=[(rank, item) for rank, item in ranked if k is None or rank <= k],
        last_rank=last_rank,
        judged=judged,
        rel=asked.policy("rel"),
        relevant=relevant,
        credited=[(rank, item, judged[item]) for rank, item in creditable if item in relevant],
        whole=ranked,
        levels=levels_of(rows, ranked),
        candidates=candidates,
        history=inputs.histories.get(inputs.part(key, "history"), set()),
        baseline=best_ranks(baseline),
        baseline_levels=levels_of(of_baseline, baseline),
        impressions=inputs.logs.get(inputs.part(key, "log"), []),
        policy=policy,
        modelled=modelled,
        weights=weights_of(propensities, asked),
        subtopics=inputs.subtopics(inputs.part(key, "truth"), least_rating(asked)),
    )


def policy_of(
    rows: Sequence[Row], ranked: Ranked
) -> tuple[dict[tuple[Item, int], float], dict[tuple[Item, int], float]]:
    """The probability of each item at each rank, and its expected reward: of a ranking, its places for certain."""
    if any("probability" in row for row in rows):
        placed = {(row["item"], row.get("position", 1)): row for row in rows if row["item"] is not None}
        return (
            {action: row["probability"] for action, row in placed.items()},
            {action: row.get("expected_reward", 0.0) for action, row in placed.items()},
        )
    highest: dict[Item, float] = {}
    for row in rows:
        expected = row.get("expected_reward", 0.0)
        highest[row["item"]] = max(expected, highest.get(row["item"], expected))
    return {(item, rank): 1.0 for rank, item in ranked}, {(item, rank): highest[item] for rank, item in ranked}


# --- propensities -----------------------------------------------------------------------------------------------------


def propensities_of(fold: Inputs, key: ListKey, relevant: Iterable[Item], asked: Asked) -> dict[Item, float | None]:
    """The propensity of each relevant item of a list of the truth, by the inputs of its fold; None if it has none.

    given: that of its row with the highest rating in the truth; of several, the highest. items: the highest of its rows
    there. popularity: (users / most users) ** ((gamma + 1) / 2), an item without users having as many as the least
    popular. jain: 1 / (1 + C (users + b) ** -a) with C = (ln(all users) - 1) (b + 1) ** a.
    """
    if asked.policy("weights") == "none":
        return {}
    source, users = asked.policy("propensity"), fold.popularity
    a, b = asked.policy("jain_a"), asked.policy("jain_b")
    if source in ("given", "items"):
        rows = fold.items if source == "items" else fold.truth_rows.get(key, [])
        found: dict[Item, float | None] = dict.fromkeys(relevant)
        if source == "given":
            highest = judge(rows)
            rows = [row for row in with_item(rows) if judge([row])[row["item"]] == highest[row["item"]]]
        for row in with_item(rows):
            if row["item"] in found and (value := number(row["propensity"])) is not None:
                found[row["item"]] = max(value, found[row["item"]] or value)
        return found
    if source == "popularity":
        if not users:
            return dict.fromkeys(relevant)
        few, most = min(users.values()), max(users.values())
        return {item: (users.get(item, few) / most) ** ((asked.policy("gamma") + 1) / 2) for item in relevant}
    if not fold.n_users:
        return dict.fromkeys(relevant)
    c = (math.log(fold.n_users) - 1) * (b + 1) ** a
    return {item: 1 / (1 + c * (users.get(item, 0) + b) ** -a) for item in relevant}


def weights_of(propensities: Mapping[Item, float | None], asked: Asked) -> Mapping[Item, float] | None:
    """ips: min(1 / propensity, limit) of each item with a propensity in (0, 1]; snips: over their mean; none: None."""
    if asked.policy("weights") == "none":
        return None
    limit = math.inf if asked.policy("limit") is None else asked.policy("limit")
    known = {item: min(1 / p, limit) for item, p in propensities.items() if p is not None and 0 < p <= 1}
    middle = 1.0 if asked.policy("weights") == "ips" else mean([*known.values()])
    return {item: weight / (middle or 1.0) for item, weight in known.items()}


# --- what several metrics are made of ---------------------------------------------------------------------------------


def ratio(above: float, below: float) -> float | None:
    """above / below, None when below is 0."""
    return None if below == 0 else above / below


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return ratio(math.fsum(values), len(values))


total = math.fsum


def discount_of(discount: str, rank: int, p: float = 0.85) -> float:
    """What a rank is worth."""
    return {
        "log2": 1 / math.log2(rank + 1),
        "lenskit": 1 / max(1.0, math.log2(rank)),
        "late": 1 / math.log2(rank + 2),
        "geometric": p ** (rank - 1),
        "reciprocal": 1 / rank,
        "uniform": 1.0,
    }[discount]


def gain_of(gain: str, rating: float, rel: float | None) -> float:
    """What a hit is worth by its rating."""
    gains: dict[str, float] = {
        "binary": 1.0,
        "linear": rating,
        "positive": max(rating, 0),
        "exponential": 2.0**rating - 1,
        "excess": 2.0 ** (rating - (rel or 0) + 1) - 1,
    }
    return gains[gain]
