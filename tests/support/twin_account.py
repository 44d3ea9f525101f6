"""Every count of the account in plain Python, from the rows of the inputs: a second implementation of sql/account."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias, cast

import rankmetrics as rm
from tests.support import twin, twin_log, twin_subtopics
from tests.support.twin_inputs import (
    Asked,
    Inputs,
    ListKey,
    Row,
    by_score,
    in_order,
    judged_items,
    make_case,
    number,
    propensities_of,
    relevant_of,
    with_item,
)

Counts: TypeAlias = dict[tuple[Hashable, ...], int]  # (values of by, or as many None; the name of the count) -> n


def twin_account(
    inputs: Inputs, metrics: Mapping[str, Asked], by: Sequence[str], policies: Mapping[str, Any], depth: int | None
) -> Counts:
    """Every count of the account.

    Args:
        inputs: what evaluate is given.
        metrics: what is asked, by its labels.
        by: the columns of the summary.
        policies: those that all metrics are under.
        depth: the deepest cutoff of the metrics; None where one has none.
    """
    found = counts_of_rows(inputs, metrics, by, policies, depth)
    found |= {(*[None] * len(by), name): n for name, n in of_weights(inputs, metrics.values()).items()}
    for of, keys in _grouped(twin.scored(inputs, metrics), inputs, by).items():
        counts = of_scored(inputs, keys, metrics, policies, depth)
        found |= {(*of, name): n for name, n in counts.items()}
    return found


def counts_of_rows(
    inputs: Inputs,
    metrics: Mapping[str, Asked],
    by: Sequence[str],
    policies: Mapping[str, Any],
    depth: int | None,
    ranks: str = "checked",
) -> Counts:
    """The counts that read neither lists in the means nor weights: they hold for faulty data, too."""
    sample = Sample(inputs, Asked("hit", None, policies))
    whole = {
        **of_inputs(inputs, metrics.values()),
        **of_ratings(inputs, [rm.parse(label).values for label in metrics], policies),
        **sample.of_lists(),
    }
    found: Counts = {(*[None] * len(by), name): n for name, n in whole.items()}
    for of, keys in _grouped(inputs.by_list, inputs, by).items():
        counts = {**of_recommended(inputs, keys, depth, policies, ranks), **sample.of_recommended(keys)}
        if any(asked.policy("unjudged") != "irrelevant" for asked in metrics.values()):
            n_judged = {key: len(judged(inputs, key, policies)) for key in keys}
            counts["recs_unjudged"] = sum(len(items_of(inputs.by_list[key])) - n for key, n in n_judged.items())
        found |= {(*of, name): n for name, n in counts.items()}
    return found


def _grouped(keys: Iterable[ListKey], inputs: Inputs, by: Sequence[str]) -> dict[ListKey, list[ListKey]]:
    """Lists by their row of the summary, which has one row without lists if it has no columns."""
    groups: dict[ListKey, list[ListKey]] = {} if by else {(): []}
    for key in keys:
        groups.setdefault(inputs.values_of(key, by), []).append(key)
    return groups


def of_weights(inputs: Inputs, metrics: Iterable[Asked]) -> dict[str, int]:
    """What is counted of propensities: those of the first metric with weights, of those first that are given."""
    weighted = [asked for asked in metrics if asked.policy("weights") != "none"]
    if not weighted:
        return {}
    asked = min(weighted, key=lambda asked: asked.policy("propensity") not in ("given", "items"))
    found = [
        propensity
        for key, judged in inputs.truths.items()
        for propensity in propensities_of(
            inputs.of_fold(key, inputs.columns["truth"]), key, relevant_of(judged, asked), asked
        ).values()
    ]
    valid = [propensity for propensity in found if propensity is not None and 0 < propensity <= 1]
    limit = math.inf if asked.policy("limit") is None else asked.policy("limit")
    return {
        "propensities_invalid": len(found) - len(valid),
        "relevant_weighted": len(valid),
        "weights_limited": sum(1 for propensity in valid if 1 / propensity > limit),
    }


def has_null(row: Row, columns: Iterable[str]) -> bool:
    return any(row[column] is None for column in columns)


def items_of(rows: Iterable[Row]) -> list[Hashable]:
    """The items of rows, those that have one, as often as they are there."""
    return [row["item"] for row in rows if row["item"] is not None]


def n_repeats(items: Sequence[Hashable]) -> int:
    """How many of some items repeat another of them."""
    return len(items) - len({*items})


# ---- counts of lists -------------------------------------------------------------------


def judged(inputs: Inputs, key: ListKey, policies: Mapping[str, Any]) -> list[Row]:
    """The rows of a list whose item is judged, under the policies that all metrics are under."""
    known = judged_items(inputs.truths.get(inputs.part(key, "truth"), {}), Asked("hit", None, policies))
    return [row for row in inputs.by_list[key] if row["item"] in known]


def of_recommended(
    inputs: Inputs, keys: Sequence[ListKey], depth: int | None, policies: Mapping[str, Any], ranks: str
) -> dict[str, int]:
    """What is counted of lists of the recommendations."""
    rows = {key: inputs.by_list[key] for key in keys}
    items = {key: items_of(of) for key, of in rows.items()}
    columns = {column for row in inputs.recs for column in row}
    has_positions = "position" in columns
    found = {
        "lists_recommended": len(keys),
        "recs_counted": sum(map(len, items.values())),
        "lists_longest": max(map(len, items.values()), default=0),
        "lists_without_truth": sum(1 for key in keys if inputs.part(key, "truth") not in inputs.truths),
        **({} if has_positions else {"recs_repeated": sum(map(n_repeats, items.values()))}),
    }
    if "history" in inputs.columns:
        found["lists_without_history"] = sum(1 for key in keys if not inputs.histories.get(inputs.part(key, "history")))
    kept = with_item(row for of in rows.values() for row in of)
    found |= of_policy(inputs, kept)
    if "score" in columns:
        found["recs_without_score"] = sum(1 for row in kept if number(row["score"]) is None)
    if "rank" in columns:
        of_lists = [[math.floor(row["rank"]) for row in of if row["rank"] is not None] for of in rows.values()]
        given = [row["rank"] for of in rows.values() for row in of if row["rank"] is not None]
        if any(isinstance(row["rank"], float) for row in inputs.recs):
            found["ranks_not_whole"] = sum(1 for rank in given if rank % 1 or abs(rank) > 2**53)
        found["recs_unranked"] = sum(1 for row in kept if row["rank"] is None)
        found["lists_misranked"] = sum(1 for of in of_lists if sorted(of) != [*range(1, len(of) + 1)])
        if ranks == "given":
            found["ranks_from_below_1"] = sum(1 for of in of_lists if of and min(of) < 1)
        else:
            found["ranks_not_from_1"] = sum(1 for of in of_lists if of and min(of) != 1)
            if "pool" not in columns:
                found["lists_with_gaps"] = sum(1 for of in of_lists if of and max(of) > len({*of}))
    if "candidates" in inputs.columns:
        found |= of_negatives(inputs, keys)
    if "score" in columns:
        found["lists_tied"] = sum(1 for key in keys if is_tied(inputs, key, depth, policies))
    return found


def of_negatives(inputs: Inputs, keys: Iterable[ListKey]) -> dict[str, int]:
    """What is counted of lists whose truth has candidates or not: which of these they rank."""
    found = Counter({"judged_unranked": 0, "lists_without_negatives": 0, "negatives_unranked": 0})
    for key in keys:
        if (truth := inputs.part(key, "truth")) in inputs.truths:
            items, negatives = {*items_of(inputs.by_list[key])}, negatives_of(inputs, truth)
            found["judged_unranked"] += len(inputs.truths[truth].keys() - items)
            found["lists_without_negatives"] += not negatives
            found["negatives_unranked"] += not negatives <= items
    return found


def candidates_of(inputs: Inputs, truth: ListKey) -> set[Hashable]:
    """The candidates that are given for a list of the truth."""
    named = dict(zip(inputs.columns["truth"], truth, strict=True))
    rows = (row for row in inputs.candidates if all(row[one] == named[one] for one in inputs.columns["candidates"]))
    return {*items_of(rows)}


def negatives_of(inputs: Inputs, truth: ListKey) -> set[Hashable]:
    """The candidates of a list of the truth that are not in its truth."""
    return candidates_of(inputs, truth) - inputs.truths[truth].keys()


def is_tied(inputs: Inputs, key: ListKey, depth: int | None, policies: Mapping[str, Any]) -> bool:
    """Whether a list has equal scores among its first places, one more than the deepest cutoff."""
    rows, truth = inputs.by_list[key], inputs.part(key, "truth")
    is_cut = True
    if policies.get("unjudged", "irrelevant") != "irrelevant":
        rows = judged(inputs, key, policies)
    elif "candidates" in inputs.columns:
        known = candidates_of(inputs, truth) | inputs.truths[truth].keys() if truth in inputs.truths else set()
        rows = [row for row in rows if row["item"] in known]
    else:
        is_cut = False
    places = in_order(rows, "item")
    ranks = [number if is_cut else row.get("rank", number) for number, row in enumerate(places, start=1)]
    deepest = math.inf if depth is None else depth + 1
    pairs = zip(ranks, places, strict=True)
    scores = Counter(
        number(row["score"])
        for rank, row in pairs
        if depth is None or (rank is not None and math.floor(rank) <= deepest)
    )
    return any(n > 1 for n in scores.values())


def of_scored(
    inputs: Inputs,
    keys: Sequence[ListKey],
    metrics: Mapping[str, Asked],
    policies: Mapping[str, Any],
    depth: int | None,
) -> dict[str, int]:
    """What is counted of lists that the means are taken over."""
    of_lists = {label: one for label, one in metrics.items() if one.name in twin.OF_LISTS}
    values = twin.per_list(inputs, of_lists) if of_lists else {}
    undefined = {
        label: {key for key in keys if key in inputs.lists(one.policy("missing")) and values[key][label] is None}
        for label, one in of_lists.items()
    }
    found = {
        "lists_scored": len(keys),
        "lists_missing": sum(1 for key in keys if not items_of(inputs.by_list.get(key, []))),
        "lists_empty": sum(1 for key in keys if key in inputs.by_list and not items_of(inputs.by_list[key])),
        **{f"undefined {label}": len(of) for label, of in undefined.items()},
    }
    if "log" in inputs.columns:
        actions = [one for key in keys for one in twin_log.shown(make_case(inputs, key, Asked("ips", None, policies)))]
        found["log_actions"] = len(actions)
        found["log_actions_taken"] = sum(1 for one in actions if one.importance > 0)
        found["log_importance"] = rounded(sum(one.importance for one in actions))
        found["log_squared_importance"] = rounded(sum(one.importance**2 for one in actions))
    if inputs.similarity:
        found["pairs_unknown"] = sum(n_unknown(inputs, key, policies, depth) for key in keys)
    return found


def rounded(value: float) -> int:
    """A number above 0 as a database rounds it: a half up."""
    return math.floor(value + 0.5)


def n_unknown(inputs: Inputs, key: ListKey, policies: Mapping[str, Any], depth: int | None) -> int:
    """How many pairs of different items of a list have no similarity, either way round."""
    case = make_case(inputs, key, Asked("list_diversity", depth, policies))
    pairs = [pair for pair in combinations(case.places, 2) if pair[0] != pair[1]]
    return sum(1 for one, other in pairs if not {(one, other), (other, one)} & inputs.similarities.keys())


# ---- counts of a sample of lists: whether hits are more than chance, and where they stand ---


class Sample:
    """The first 500 lists of the truth: in these worlds, all of them."""

    def __init__(self, inputs: Inputs, asked: Asked) -> None:
        assert len(inputs.truths) <= 500
        self.inputs = inputs
        least = -math.inf if asked.policy("relevance") == "any" else asked.policy("rel")
        self.relevant = {
            key: {item for item, rating in of.items() if (rating > 0 if least is None else rating >= least)}
            for key, of in inputs.truths.items()
        }
        self.popularity = Counter(item for of in self.relevant.values() for item in of)

    def of_lists(self) -> dict[str, int]:
        """What is counted of the lists of the truth."""
        found = {
            "sampled_lists": len(self.relevant),
            "sampled_relevant": sum(map(len, self.relevant.values())),
            "sampled_relevant_pairs": sum(n * n for n in self.popularity.values()),
            "sampled_items_judged": len(self.popularity),
        }
        if "history" in self.inputs.columns:
            found["sampled_known"] = sum(len(of & self.known[key]) for key, of in self.relevant.items())
        return found

    @cached_property
    def known(self) -> dict[ListKey, set[Hashable]]:
        known: dict[ListKey, set[Hashable]] = defaultdict(set)
        for key in self.inputs.by_list:
            history = self.inputs.histories.get(self.inputs.part(key, "history"), ())
            known[self.inputs.part(key, "truth")].update(history)
        return known

    def of_recommended(self, keys: Sequence[ListKey]) -> dict[str, int]:
        """What is counted of lists of the recommendations."""
        found = Counter[str]()
        items, low, high = Counter[Hashable](), Counter[Hashable](), Counter[Hashable]()
        columns = {column for row in self.inputs.recs for column in row}
        for key in keys:
            truth = self.inputs.part(key, "truth")
            if truth in self.relevant:
                places = sorted((row for row in self.inputs.by_list[key] if row["item"] is not None), key=by_place)
                for place, row in enumerate(places, start=1):
                    is_hit, from_middle = row["item"] in self.relevant[truth], 2 * place - len(places) - 1
                    found["sampled_hits_of_any"] += self.popularity[row["item"]]
                    found["sampled_hits"] += is_hit
                    found["sampled_hits_high"] += is_hit and from_middle < 0
                    found["sampled_hits_low"] += is_hit and from_middle > 0
                    low[row["item"]] += is_hit and from_middle > 0
                    high[row["item"]] += is_hit and from_middle < 0
                    if "score" in row and is_bunched([number(place["score"]) for place in places]):
                        found["sampled_bunched_high"] += is_hit and from_middle < 0
                        found["sampled_bunched_low"] += is_hit and from_middle > 0
                scores = [number(row.get("score")) for row in places]
                if len(places) >= 3:
                    found["sampled_level"] += {"score"} <= {*places[0]} and len({*scores}) == 1
                    found["sampled_rising"] += {"score", "rank"} <= {*places[0]} and is_rising(scores)
                found["sampled_counted"] += len(places)
                found["sampled_lists_recommended"] += bool(places)
                found["sampled_relevant_of_lists"] += bool(places) * len(self.relevant[truth])
                items.update(items_of(places))
                if "history" in self.inputs.columns:
                    found["sampled_recs_known"] += sum(row["item"] in self.known[truth] for row in places)
                if "position" not in columns:  # an item has one row for each position there
                    found["sampled_repeated"] += n_repeats(items_of(places))
        for name, counts, others in (("low_pairs", low, low), ("high_pairs", high, high), ("apart", low, high)):
            found[f"sampled_hits_{name}"] = sum(n * others[item] for item, n in counts.items())
        found["sampled_pairs"], found["sampled_items"] = sum(n * n for n in items.values()), len(items)
        return dict(found)


def is_bunched(scores: Sequence[float | None]) -> bool:
    """Whether the mean of the scores of at least three items is above the middle of the lowest and the highest."""
    numbers = [score for score in scores if score is not None]
    if not numbers or max(map(abs, numbers)) >= 1e300:  # their sum may be infinite
        return False
    low, high = min(numbers), max(numbers)
    return len(scores) >= 3 and sum(numbers) / len(numbers) * 2 - low - high > 1e-9 * (high - low)  # no rounding error


def is_rising(scores: Sequence[float | None]) -> bool:
    """Whether the lower half of a list has a higher score than the upper half."""
    half = len(scores) // 2
    upper, lower = ([score for score in of if score is not None] for of in (scores[:half], scores[-half:]))
    return bool(upper and lower) and max(lower) > max(upper)


def by_place(row: Row) -> tuple[Any, ...]:
    """Sort key: the rank, if it has one, then the score from the highest, then the item."""
    rank = row.get("rank")
    return rank is None, rank or 0, by_score({"score": None, **row}), row["item"]


# ---- counts of inputs ------------------------------------------------------------------


def of_inputs(inputs: Inputs, metrics: Iterable[Asked]) -> dict[str, int]:
    """What is counted of whole inputs, whatever system."""
    lists, shared = inputs.columns["recs"], inputs.columns["truth"]
    judged = [row for row in inputs.truth if not has_null(row, (*shared, "item"))]
    asked = {inputs.part(key, "truth") for key in inputs.by_list}
    recommended = {*items_of(row for of in inputs.by_list.values() for row in of)}
    found = {
        "recs_with_null_id": sum(1 for row in inputs.recs if has_null(row, (*lists, "item"))),
        "truth_with_null_id": len(inputs.truth) - len(judged),
        "truth_lists": len(inputs.truths),
        "truth_lists_asked": len(asked),
        "truth_lists_met": len(asked & inputs.truths.keys()),
        "items_recommended": len(recommended),
        "items_unjudged": len(recommended - {row["item"] for row in judged}),
        "items_judged": len({row["item"] for row in judged}),
    }
    if not any(asked.name in twin_subtopics.OF_LISTS for asked in metrics):
        found["truth_repeated"] = n_repeats([(*(row[one] for one in shared), row["item"]) for row in judged])
    for name, items in (("recommended", recommended), ("judged", {row["item"] for row in judged})):
        if all(isinstance(item, int) for item in items):
            numbers = cast("set[int]", items)
            found[f"items_{name}_gapless"] = int(bool(items) and max(numbers) - min(numbers) + 1 == len(items))
    if any("rating" in row for row in inputs.truth):
        found["ratings_too_high"] = sum(1 for row in judged if 1000 < (number(row["rating"]) or 0) < math.inf)
        found["ratings_infinite"] = sum(1 for row in judged if math.isinf(number(row["rating"]) or 0))
    if any("rank" in row for row in inputs.recs):
        ranks = [
            Counter(math.floor(row["rank"]) for row in of if row["rank"] is not None) for of in inputs.by_list.values()
        ]
        found["ranks_repeated"] = sum(1 for of in ranks for n in of.values() if n > 1)
    if "candidates" in inputs.columns:
        met = asked & inputs.truths.keys()
        sizes = [n for truth in met if (n := len(negatives_of(inputs, truth)))]
        found |= {
            "candidates_with_null_id": sum(
                1 for row in inputs.candidates if has_null(row, (*inputs.columns["candidates"], "item"))
            ),
            "judged_outside_candidates": sum(
                len(inputs.truths[truth].keys() - candidates_of(inputs, truth)) for truth in met
            ),
            "negatives_counted": sum(sizes),
            "negatives_fewest": min(sizes, default=0),
            "negatives_most": max(sizes, default=0),
        }
    for name, known in (("history", inputs.histories), ("baseline", inputs.baselines), ("log", inputs.logs)):
        if name in inputs.columns:
            rows: Sequence[Row] = getattr(inputs, name)
            found[f"{name}_lists"] = len(known)
            found[f"{name}_lists_met"] = len({inputs.part(key, name) for key in inputs.by_list} & known.keys())
            found[f"{name}_with_null_id"] = sum(1 for row in rows if has_null(row, (*inputs.columns[name], "item")))
    return {**found, **of_items(inputs, recommended), **of_log(inputs)}


def of_log(inputs: Inputs) -> dict[str, int]:
    """What is counted of a log."""
    if "log" not in inputs.columns:
        return {}
    log = [row for row in inputs.log if not has_null(row, (*inputs.columns["log"], "item"))]
    lists = inputs.columns["log"]
    places = Counter((*(row[one] for one in lists), row.get("impression"), row.get("position", 1)) for row in log)
    return {
        "log_repeated": sum(1 for n in places.values() if n > 1),
        "log_propensities_wrong": sum(1 for row in log if not 0 < (number(row["propensity"]) or 0) <= 1),
        "rewards_missing": sum(1 for row in log if not is_finite(row["reward"])),
    }


def of_policy(inputs: Inputs, rows: Sequence[Row]) -> dict[str, int]:
    """What is counted of the rows of lists that are a policy, or have expected rewards."""
    found: dict[str, int] = {}
    if any("expected_reward" in row for row in inputs.recs):
        found["expected_rewards_missing"] = sum(1 for row in rows if not is_finite(row["expected_reward"]))
    if any("probability" in row for row in inputs.recs):
        lists = inputs.columns["recs"]
        actions = Counter((*(row[one] for one in lists), row["item"], row.get("position", 1)) for row in rows)
        probabilities = [number(row["probability"]) for row in rows]
        found["probabilities_wrong"] = sum(1 for p in probabilities if p is None or not 0 <= p <= 1)
        found["policy_repeated"] = sum(1 for n in actions.values() if n > 1)
    return found


def is_finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def of_ratings(inputs: Inputs, asked: Sequence[Mapping[str, Any]], policies: Mapping[str, Any]) -> dict[str, int]:
    """What is counted of ratings, for metrics with these values of parameters."""
    if not any("rating" in row for row in inputs.truth):
        return {}
    judged = [row for row in inputs.truth if not has_null(row, (*inputs.columns["truth"], "item"))]
    ratings = [number(row["rating"]) for row in judged]
    found, of_any = {"truth_unrated": ratings.count(None)}, policies.get("relevance") == "any"

    def relevant(least: float | None) -> list[float]:
        rated = [1 if rating is None else rating for rating in ratings]
        return [rating for rating in rated if of_any or (rating > 0 if least is None else rating >= least)]

    if any(values.get("gain") == "binary" for values in asked):
        found["ratings_differ"] = len({*relevant(None)}) > 1
    if thresholds := [values["rel"] for values in asked if values.get("rel") is not None]:
        found["relevant_at_highest"] = len(relevant(max(thresholds)))
    return found


def of_items(inputs: Inputs, recommended: set[Hashable]) -> dict[str, int]:
    """What is counted of the inputs that say something of items."""
    found: dict[str, int] = {}
    if inputs.catalog is not None:
        items = items_of(inputs.catalog)
        found |= {"catalog_items": len({*items}), "catalog_repeated": n_repeats(items)}
        found["items_outside_catalog"] = len(recommended - {*items})
    if inputs.similarity:
        given = {
            item
            for row in inputs.similarity
            if row["item"] is not None and row["other"] is not None
            for item in (row["item"], row["other"])
        }
        found["items_without_similarity"] = len(recommended - given)
        known = inputs.similarities
        unequal = [pair for pair in known if known.get((pair[1], pair[0]), known[pair]) != known[pair]]
        found["similarity_asymmetric"] = len({frozenset(pair) for pair in unequal})
    roles = {column for row in inputs.items for column in row}
    without: dict[str, Callable[[], Mapping[Hashable, Any]]] = {
        "category": lambda: inputs.categories,
        "embedding": lambda: inputs.directions,
        "popularity": lambda: inputs.popularity,
    }
    found |= {f"items_without_{role}": len(recommended - without[role]().keys()) for role in without if role in roles}
    if "popularity" in roles:
        by_item: dict[Hashable, set[float]] = {}
        for row in inputs.items:
            if row["item"] is not None and (users := number(row["popularity"])) is not None:
                by_item.setdefault(row["item"], set()).add(users)
        found["items_with_popularities"] = sum(1 for values in by_item.values() if len(values) > 1)
    if "embedding" in roles:
        sizes: dict[Hashable, int] = {}
        for row in with_item(inputs.items):
            if row["embedding"]:
                sizes[row["item"]] = max(len(row["embedding"]), sizes.get(row["item"], 0))
        found["embeddings_unequal"] = sum(1 for size in sizes.values() if size < max(sizes.values()))
    return found
