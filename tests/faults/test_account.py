"""The account: every count as its twin counts it in generated problems, and the rules that the counts follow."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias, cast

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.planner import Diagnostics
from rankmetrics.planner.formulas import shared_policies
from tests.support import flat, problems, twin, twin_log, twin_subtopics
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.problems import FAMILIES, METRICS
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
    whole = {
        **of_inputs(inputs, metrics.values()),
        **of_ratings(inputs, [rm.parse(label).values for label in metrics], policies),
    }
    whole |= of_weights(inputs, metrics.values())
    found: Counts = {(*[None] * len(by), name): n for name, n in whole.items()}
    where = [inputs.columns["recs"].index(column) for column in by]

    def group(keys: Iterable[ListKey]) -> dict[ListKey, list[ListKey]]:
        groups: dict[ListKey, list[ListKey]] = {} if by else {(): []}
        for key in keys:
            groups.setdefault(tuple(key[place] for place in where), []).append(key)
        return groups

    sample = Sample(inputs, Asked("hit", None, policies))
    found |= {(*[None] * len(by), name): n for name, n in sample.of_lists().items()}
    for of, keys in group(inputs.by_list).items():
        counts = {**of_recommended(inputs, keys, depth, policies), **sample.of_recommended(keys)}
        if any(asked.policy("unjudged") != "irrelevant" for asked in metrics.values()):
            n_judged = {key: len(judged(inputs, key, policies)) for key in keys}
            counts["recs_unjudged"] = sum(len(items_of(inputs.by_list[key])) - n for key, n in n_judged.items())
        found |= {(*of, name): n for name, n in counts.items()}
    for of, keys in group(twin.scored(inputs, metrics)).items():
        counts = of_scored(inputs, keys, metrics, policies, depth)
        found |= {(*of, name): n for name, n in counts.items()}
    return found


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
    inputs: Inputs, keys: Sequence[ListKey], depth: int | None, policies: Mapping[str, Any]
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
    with_item = [row for of in rows.values() for row in of if row["item"] is not None]
    if "score" in columns:
        found["recs_without_score"] = sum(1 for row in with_item if number(row["score"]) is None)
    if "rank" in columns:
        ranks = [[cast("int", row["rank"]) for row in of if row["rank"] is not None] for of in rows.values()]
        found["recs_unranked"] = sum(1 for row in with_item if row["rank"] is None)
        found["lists_misranked"] = sum(1 for of in ranks if sorted(of) != [*range(1, len(of) + 1)])
        found["lists_not_from_1"] = sum(1 for of in ranks if of and min(of) != 1)
        if "pool" not in columns:
            found["lists_with_gaps"] = sum(1 for of in ranks if of and max(of) > len({*of}))
    if "score" in columns:
        is_whole = policies.get("unjudged", "irrelevant") == "irrelevant"
        ranked = rows if is_whole else {key: judged(inputs, key, policies) for key in keys}
        found["lists_tied"] = sum(1 for of in ranked.values() if is_tied(of, depth))
    return found


def is_tied(rows: Iterable[Row], depth: int | None) -> bool:
    """Whether a list has equal scores among its first places, one more than the deepest cutoff."""
    places = in_order(rows, "item")
    ranks = [cast("int", row.get("rank", number)) for number, row in enumerate(places, start=1)]
    pairs = zip(ranks, places, strict=True)
    scores = Counter(number(row["score"]) for rank, row in pairs if depth is None or rank <= depth + 1)
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
                found["sampled_repeated"] += n_repeats(items_of(places))
        for name, counts, others in (("low_pairs", low, low), ("high_pairs", high, high), ("apart", low, high)):
            found[f"sampled_hits_{name}"] = sum(n * others[item] for item, n in counts.items())
        found["sampled_pairs"], found["sampled_items"] = sum(n * n for n in items.values()), len(items)
        return dict(found)


def is_bunched(scores: Sequence[float | None]) -> bool:
    """Whether the mean of the scores of at least three items is above the middle of the lowest and the highest."""
    numbers = [score for score in scores if score is not None]
    if not numbers or not all(map(math.isfinite, numbers)):
        return False
    return len(scores) >= 3 and sum(numbers) / len(numbers) * 2 > min(numbers) + max(numbers)


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
        found["truth_infinite"] = sum(1 for row in judged if math.isinf(number(row["rating"]) or 0))
    if any("rank" in row for row in inputs.recs):
        ranks = [Counter(row["rank"] for row in of if row["rank"] is not None) for of in inputs.by_list.values()]
        found["ranks_repeated"] = sum(1 for of in ranks for n in of.values() if n > 1)
    for name, known in (("history", inputs.histories), ("baseline", inputs.baselines), ("log", inputs.logs)):
        if name in inputs.columns:
            rows: Sequence[Row] = getattr(inputs, name)
            found[f"{name}_lists"] = len(known)
            found[f"{name}_lists_met"] = len({inputs.part(key, name) for key in inputs.by_list} & known.keys())
            found[f"{name}_with_null_id"] = sum(1 for row in rows if has_null(row, (*inputs.columns[name], "item")))
    return {**found, **of_items(inputs, recommended), **of_log(inputs)}


def of_log(inputs: Inputs) -> dict[str, int]:
    """What is counted of a log, and of the columns of recommendations that are a policy."""
    if "log" not in inputs.columns:
        return {}
    found = {"log_repeated": 0, "log_propensities_wrong": 0, "rewards_missing": 0}  # these are drawn right
    found |= {"expected_rewards_missing": 0} if any("expected_reward" in row for row in inputs.recs) else {}
    is_policy = any("probability" in row for row in inputs.recs)
    return found | ({"probabilities_wrong": 0, "policy_repeated": 0} if is_policy else {})


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
        lengths = {len(row["embedding"]) for row in inputs.items if row["embedding"] is not None}
        assert len(lengths) < 2, "embeddings are drawn of one length"
        found["embeddings_unequal"] = 0
    return found


# --- The account: every count as its twin counts it in generated problems, and the rules that the counts follow -------


def assert_counts(engine: Engine, result: rm.Result, world: problems.World) -> None:
    """Assert that an engine counts what the twin does, of every system, and beside the means."""
    question = result._queries.planned(counts=True, diagnostics=Diagnostics(counts_idle=True)).plan.question
    expected = twin_account(world.inputs, world.asked, world.by, shared_policies(question), question.depth)
    account = engine.read(result.account())
    found = {row[:-1]: row[-1] for row in account.rows() if not row[-2].startswith("columns of the")}
    assert len(found) == account.filter(~pl.col(account.columns[-2]).str.starts_with("columns of the")).height, (
        "a count is there twice"
    )
    # where there is nothing to count there may be no row; nor does the twin know the columns of an input without rows
    pairs = {key: (found.get(key, 0), expected.get(key, 0)) for key in found.keys() | expected.keys()}
    assert {key: pair for key, pair in pairs.items() if pair[0] != pair[1]} == {}, f"found, expected: {engine}"
    try:
        collected = result.collect()
    except rm.DataError:
        return  # some of these worlds are refused
    for row in collected.rows(named=True):
        of = tuple(row[name] for name in collected.columns[: len(world.by)])
        assert row["n_missing"] == expected.get((*of, "lists_missing"), 0)
        undefined = [n for key, n in expected.items() if key[:-1] == of and str(key[-1]).startswith("undefined ")]
        assert row.get("n_undefined", 0) == max(undefined, default=0)


@examples(25)
@given(data=st.data())
def test_every_count_is_as_the_twin_counts(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from([*FAMILIES.values(), METRICS]))
    world = data.draw(problems.worlds([*family]))
    engine = data.draw(st.sampled_from(LOCAL))
    assert_counts(engine, world.evaluate(engine), world)


@pytest.mark.long
@examples(60)
@given(world=problems.odd_worlds())
def test_every_count_is_as_the_twin_counts_whatever_the_ids_and_the_ties(world: problems.World) -> None:
    world = replace(world, metrics=list(dict.fromkeys([*world.metrics, rm.ndcg @ 2])))
    for engine in LOCAL:
        assert_counts(engine, world.evaluate(engine), world)


def counted(engine: Engine, recs: Any, truth: Any, metrics: Any, **options: Any) -> dict[str, int]:
    """The account, summed over systems."""
    result = flat.evaluate(engine.give(pl.DataFrame(recs)), engine.give(pl.DataFrame(truth)), metrics, **options)
    account = engine.read(result.account())
    return dict(account.group_by("account").agg(pl.col("n").sum()).rows())


def test_a_log_that_has_none_of_the_lists_has_no_importance(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [4], "item": [7], "rank": [1]})
    log = pl.DataFrame({"user": [2], "item": [7], "reward": [1.0], "propensity": [0.5]})
    account = rm.evaluate(engine.give(recs), log=engine.give(log), metrics="snips", missing="listed").account()
    counts = dict(engine.read(account).select("account", "n").rows())
    assert {counts.get(name, 0) for name in ("log_importance", "log_squared_importance")} == {0}


def test_a_repeat_of_an_item_that_is_not_relevant_is_refused_where_repeats_are(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": [7, 8, 8], "rank": [1, 2, 3]})
    truth = pl.DataFrame({"user": [1], "item": [7]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "hit@1", duplicates="error")
    with pytest.raises(
        rm.DataError, match=r"1 recommendations of an item that their list has already.*\(1, 8\)|such as"
    ):
        result.collect()
    assert rm.evaluate(engine.give(recs), engine.give(truth), "hit@1").collect()["hit@1"].item() == 1.0


def test_the_rows_say_how_many_lists_are_missing_and_undefined_of_each(engine: Engine) -> None:
    recs = pl.DataFrame(
        {"system": ["a", "a", "b"], "user": [1, 2, 1], "item": [7, 8, 7], "rank": [1, 1, 1]},
    )
    truth = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 9], "rating": [1, 1, 0]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), ["hit@1", "rr"])
    for _ in range(2):  # the second time without the account
        frame = result.collect().sort("system")
        assert frame.columns == ["system", "n_lists", "n_missing", "n_undefined", "hit@1", "rr"]
        assert frame["n_missing"].to_list() == [1, 2]
        assert frame["n_undefined"].to_list() == [1, 1]
    without = rm.evaluate(engine.give(recs), engine.give(truth), "n_recommended").collect()
    assert without.columns == ["system", "n_lists", "n_missing", "n_recommended"]
    assert engine.read(result.summary()).columns == ["system", "n_lists", "hit@1", "rr"]


def test_the_counts_have_names_of_their_own_beside_columns_that_are_called_so(engine: Engine) -> None:
    recs = pl.DataFrame({"n_missing": ["a"], "N_undefined": ["b"], "user": [1], "item": [7], "rank": [1]})
    truth = pl.DataFrame({"user": [1, 2], "item": [7, 8], "rating": [1, 0]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr", by=["n_missing", "N_undefined"])
    frame = result.collect()
    assert frame.columns == ["n_missing", "N_undefined", "n_lists", "n_missing_", "n_undefined_", "rr"]
    assert frame.rows() == [("a", "b", 2, 1, 1, 1.0)]
