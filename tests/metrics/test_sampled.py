"""Metrics of lists that are ranked among candidates: a table of candidates, or a sample of negatives."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import md5
from math import log, log2
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from tests.support import flat
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.refusals import refusal

Truth = Mapping[object, Collection[object]]


def draw(
    sample: rm.Negatives,
    truth: Truth,
    catalog: Collection[object],
    history: Truth,
    popularity: Mapping[object, float] | None = None,
) -> dict[object, set[object]]:
    """The negatives of each user: the items with the lowest keys among those that the user does not know."""
    return {
        user: {
            item
            for _, item in sorted(
                (_key(sample, user, item, popularity), item)
                for item in catalog
                if item not in relevant and item not in history.get(user, ())
                if popularity is None or item in popularity
            )[: sample.n]
        }
        for user, relevant in truth.items()
    }


def _key(sample: rm.Negatives, user: object, item: object, popularity: Mapping[object, float] | None) -> str | float:
    digits = md5(f"{sample.seed}:{user}:{item}".encode()).hexdigest()
    if popularity is None:
        return digits
    u = (int(digits[:12], 16) + 0.5) / 16**12
    return log(1 / u) / popularity[item]


def hits(ranked: Sequence[object], relevant: Collection[object], negatives: Collection[object]) -> list[int]:
    """The ranks of the relevant items among the candidates of a list."""
    kept = [item for item in ranked if item in relevant or item in negatives]
    return [rank for rank, item in enumerate(kept, start=1) if item in relevant]


def measures(ranks: Sequence[int], n_relevant: int, k: int) -> dict[str, float]:
    """Three metrics of a list, from the ranks of its relevant items."""
    found = [rank for rank in ranks if rank <= k]
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(k, n_relevant) + 1))
    return {
        "ndcg": sum(1 / log2(rank + 1) for rank in found) / ideal,
        "recall": len(found) / n_relevant,
        "rr": 1 / found[0] if found else 0.0,
    }


# --- Metrics of lists that are ranked among candidates: a table of candidates, or a sample of negatives ---------------


# User 1 ranks a, b, c, d, e and likes d. User 2 ranks them backwards and likes a.
RECS = pl.DataFrame({"user": [1] * 5 + [2] * 5, "item": [*"abcde", *"edcba"], "rank": [1, 2, 3, 4, 5] * 2})
TRUTH = pl.DataFrame({"user": [1, 2], "item": ["d", "a"]})
CANDIDATES = pl.DataFrame({"user": [1, 1, 2], "item": ["c", "e", "c"]})
CATALOG = pl.DataFrame({"item": [*"abcde"]})


def evaluated(engine: Engine, metrics: Any, recs: pl.DataFrame = RECS, **options: Any) -> rm.Result:
    given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in options.items()}
    return flat.evaluate(engine.give(recs), engine.give(TRUTH), metrics, **given)


def values(engine: Engine, result: rm.Result) -> list[tuple[Any, ...]]:
    return engine.read(result.per_list()).sort("user").rows()


# --- candidates -------------------------------------------------------------------------------------------------------


def test_relevant_items_are_ranked_among_the_candidates_of_their_list(engine: Engine) -> None:
    result = evaluated(engine, ["rr", "auc"], candidates=CANDIDATES)
    assert values(engine, result) == [(1, 1 / 2, 1 / 2), (2, 1 / 2, 0.0)]  # c, d, e and c, a
    result.check()
    by_score = RECS.select("user", "item", score=-pl.col("rank"))
    assert values(engine, evaluated(engine, "rr", by_score, candidates=CANDIDATES)) == [(1, 1 / 2), (2, 1 / 2)]


def test_the_column_says_what_was_ranked(engine: Engine) -> None:
    result = evaluated(engine, "ndcg@10", candidates=CANDIDATES)
    assert engine.read(result.summary()).columns[-1] == "ndcg@10 [candidates]"
    sampled = evaluated(engine, "ndcg@10", catalog=CATALOG, sample=rm.Negatives(2, by="uniform"))
    assert engine.read(sampled.summary()).columns[-1] == "ndcg@10 [2 sampled]"


def test_the_notes_say_that_a_sample_does_not_compare_with_a_full_ranking(engine: Engine) -> None:
    notes = "\n".join(evaluated(engine, "rr", candidates=CANDIDATES).notes())
    assert "not comparable with a ranking of all items" in notes
    assert "1 negative in the list that has the fewest" in notes
    assert "2 negatives in the list that has the most" in notes
    assert "2 items of the truth that the candidates of their list do not have" in notes


def test_a_list_that_does_not_rank_a_negative_is_refused(engine: Engine) -> None:
    top_two = RECS.filter(pl.col("rank") <= 2)
    with refusal(rm.DataError, "2 lists do not rank all of their negatives", "a score for every candidate"):
        evaluated(engine, "rr", top_two, candidates=CANDIDATES).collect()


def test_a_list_without_negatives_is_refused(engine: Engine) -> None:
    with refusal(rm.DataError, "1 list has no candidate beside the items of the truth"):
        evaluated(engine, "rr", candidates=CANDIDATES.filter(user=1)).collect()


def test_a_relevant_item_that_is_not_ranked_counts_as_not_recommended(engine: Engine) -> None:
    without = RECS.filter(~((pl.col("user") == 1) & (pl.col("item") == "d"))).with_columns(
        rank=pl.col("rank").rank().over("user").cast(pl.Int64)
    )
    result = evaluated(engine, "rr", without, candidates=CANDIDATES)
    assert values(engine, result) == [(1, 0.0), (2, 1 / 2)]
    note = "1 item of the truth that their list does not rank among its candidates"
    assert any(note in one for one in result.notes())


def test_candidates_may_not_differ_between_systems(engine: Engine) -> None:
    recs = RECS.with_columns(algorithm=pl.lit("als"))
    candidates = CANDIDATES.with_columns(algorithm=pl.lit("als"))
    with refusal(rm.ColumnError, "'algorithm'", "systems would be ranked among different items"):
        evaluated(engine, "rr", recs, candidates=candidates)


def test_candidates_are_given_or_sampled(engine: Engine) -> None:
    with refusal(rm.InputError, "given or sampled, and not both"):
        evaluated(engine, "rr", candidates=CANDIDATES, sample=3)


def test_conventions_are_compared_over_the_same_candidates(engine: Engine) -> None:
    frames = [engine.give(one) for one in (RECS, TRUTH, CANDIDATES)]
    found = rm.compare_conventions("ndcg@3", *frames[:2], conventions=["lenskit"], candidates=frames[2])
    # both relevant items are second among their candidates, and LensKit does not discount the second position
    assert found.collect()["value"].to_list() == pytest.approx([1 / log2(3), 1])


# --- samples ----------------------------------------------------------------------------------------------------------


def test_a_sample_needs_a_catalogue(engine: Engine) -> None:
    with refusal(rm.InputError, "rr needs catalog"):
        evaluated(engine, "rr", sample=2).summary()


def test_an_item_of_the_history_is_never_a_negative(engine: Engine) -> None:
    history = pl.DataFrame({"user": [1, 1, 2], "item": ["a", "b", "e"]})
    result = evaluated(engine, "rr", catalog=CATALOG, history=history, sample=9)
    drawn = engine.read(result.stage("negatives")).sort("user", "item").rows()
    assert drawn == [(1, "c"), (1, "e"), (2, "b"), (2, "c"), (2, "d")]


@pytest.mark.parametrize("sample", [5, "5", "uniform(n=5)", rm.Negatives(5)])
def test_a_sample_is_a_number_a_text_or_a_value(sample: Any) -> None:
    assert evaluated(LOCAL[0], "rr", catalog=CATALOG, sample=sample).metrics[0].label == "rr [5 sampled]"


@pytest.mark.parametrize("sample", [0, -1, True, 2.5, "many", "uniform(m=5)", "random(n=5)", "uniform(n=5)@3"])
def test_what_is_no_sample_is_refused(sample: Any) -> None:
    with pytest.raises(rm.MetricError):
        evaluated(LOCAL[0], "rr", catalog=CATALOG, sample=sample)


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    n_items, n_users = draw(st.integers(3, 12)), draw(st.integers(1, 4))
    items, users = [*range(n_items)], [*range(n_users)]
    some = st.sets(st.sampled_from(items), min_size=1, max_size=n_items - 2)
    return {
        "lists": {(system, user): draw(st.permutations(items)) for system in "AB" for user in users},
        "truth": {user: draw(some) for user in users},
        "history": {user: draw(st.sets(st.sampled_from(items), max_size=2)) for user in users},
        "items": items,
        "sample": rm.Negatives(
            draw(st.integers(1, 6)), draw(st.sampled_from(["uniform", "popularity"])), draw(st.integers(0, 2**31 - 1))
        ),
        "k": draw(st.integers(1, 5)),
    }


@examples(30)
@given(problem=problems())
def test_every_engine_draws_and_measures_as_the_twin_does(problem: dict[str, Any]) -> None:
    lists, truth, history, k = problem["lists"], problem["truth"], problem["history"], problem["k"]
    recs = [
        {"system": system, "user": user, "item": item, "rank": rank}
        for (system, user), ranked in lists.items()
        for rank, item in enumerate(ranked, start=1)
    ]
    frames = {
        "truth": [{"user": user, "item": item} for user, found in truth.items() for item in found],
        "history": [{"user": user, "item": item} for user, found in history.items() for item in found],
        "items": [{"item": item, "popularity": item} for item in problem["items"]],
    }
    tables = {
        name: pl.DataFrame(rows, schema=dict.fromkeys(rows[0], pl.Int64) if rows else None)
        for name, rows in frames.items()
        if rows
    }
    tables["catalog"] = tables["items"].select("item")
    by_popularity = problem["sample"].by == "popularity"
    popularity = {item: item for item in problem["items"] if item} if by_popularity else None
    drawn = draw(problem["sample"], truth, problem["items"], history, popularity)
    for engine in LOCAL:
        given = {name: engine.give(one) for name, one in tables.items() if name != "truth"}
        metrics = [f"ndcg@{k}", f"recall@{k}", f"rr@{k}"]
        result = flat.evaluate(
            engine.give(pl.DataFrame(recs)), engine.give(tables["truth"]), metrics, sample=problem["sample"], **given
        )
        found = engine.read(result.stage("negatives"))
        assert {*found.select("user", "item").rows()} == {(user, item) for user, of in drawn.items() for item in of}
        for system, user, *numbers in engine.read(result.per_list()).rows():
            ranks = hits(lists[system, user], truth[user], drawn[user])
            expected = measures(ranks, len(truth[user]), k)
            assert numbers == pytest.approx([*expected.values()], abs=1e-12)
