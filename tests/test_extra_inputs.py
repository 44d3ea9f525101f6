"""History, baseline, items, similarities and catalogue: what is measured by them, by hand; what of them is refused.

User 1 is given a, b, c and user 2 a, d; relevant are b to user 1, a to user 2, and d to user 3, who is given nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, log2, sqrt
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import polars as pl
import pytest
import sqlglot
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.conftest import ENGINES, Engine
from tests.engines import means
from tests.test_bad_input import Asking, refusal, unread
from tests.test_cli import printed, refused, table

RECS = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": ["a", "b", "c", "a", "d"], "rank": [1, 2, 3, 1, 2]})
TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": ["b", "a", "d"]})

# a is known to 1, 2 and 4; b to 4; e to 1: of d and c nobody knows.
HISTORY = pl.DataFrame({"user": [1, 1, 2, 4, 4], "item": ["a", "e", "a", "b", "a"]})
BASELINE = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["c", "e", "a", "d"], "rank": [1, 2, 3, 1]})
ITEMS = pl.DataFrame({"item": ["a", "b", "c", "d", "e"], "category": ["s", "s", "t", "t", "t"]})
SIMILARITY = pl.DataFrame({"item": ["a", "a", "b"], "other": ["b", "c", "c"], "similarity": [0.5, 0.25, 1.0]})
CATALOG = pl.DataFrame({"item": ["a", "b", "c", "d", "e", "f"]})
EMBEDDINGS = pl.DataFrame(
    {"item": ["a", "b", "c", "d"], "embedding": [[1.0, 0.0], [0.0, 2.0], [3.0, 3.0], [-1.0, 0.0]]}
)
POPULARITY = pl.DataFrame({"item": ["a", "b", "c"], "popularity": [8, 4, 4]})


@pytest.fixture
def ask(engine: Engine) -> Asking:
    return Asking(engine)


def result(
    engine: Engine, metrics: Any, recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any
) -> rm.Result:
    given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in options.items()}
    return rm.evaluate(engine.give(recs), engine.give(truth), metrics, **given)


def lists(engine: Engine, metrics: Any, **options: Any) -> list[tuple[Any, ...]]:
    """One row per list of a result that is not refused, by user; the values only, up to rounding."""
    found = result(engine, metrics, **options)
    found.check()
    return [about(row[1:]) for row in engine.read(found.per_list()).sort("user").rows()]


def systems(engine: Engine, metrics: Any, **options: Any) -> dict[str, Any]:
    """The one row of a summary that is not refused, without the number of lists."""
    found = result(engine, metrics, **options)
    found.check()
    (row,) = engine.read(found.summary()).to_dicts()
    del row["n_lists"]
    return row


def about(values: Sequence[float | None]) -> tuple[Any, ...]:
    return tuple(None if one is None else pytest.approx(one, rel=1e-9, abs=1e-12) for one in values)


def counted(engine: Engine, metrics: Any, **options: Any) -> dict[str, int]:
    """The account by name of a result that is not refused."""
    found = result(engine, metrics, **options)
    found.check()
    return dict(engine.read(found.account()).select("account", "n").iter_rows())


# --- history ----------------------------------------------------------------------------------------------------------


def test_unseen_is_the_share_of_places_that_the_owner_did_not_know(engine: Engine) -> None:
    asked = ["unseen", "unseen@1", "unseen(divisor=k)@4", "unseen(alone=one)@1"]
    assert lists(engine, asked, history=HISTORY) == [(2 / 3, 0, 3 / 4, 0), (1 / 2, 0, 3 / 4, 0), (None, None, None, 1)]


def test_surprisal_is_by_how_many_users_know_the_item(engine: Engine) -> None:
    # three users have a history, and all of them know a, one knows b; what nobody knows is as surprising as can be
    asked = ["surprisal", "surprisal@1", "surprisal(surprise=bits)@2", "surprisal(divisor=k)@6"]
    asked += ["surprisal(surprise=capped_bits)"]
    assert lists(engine, asked, history=HISTORY) == [
        about([(0 + 1 + 1) / 3, 0, log2(3) / 2, 2 / 6, (0 + log2(3) + log2(3)) / 3]),
        about([(0 + 1) / 2, 0, 0, 1 / 6, (0 + log2(3)) / 2]),
        about([None, None, None, 0, None]),
    ]


def test_surprisal_where_one_user_is_known_is_undefined(engine: Engine) -> None:
    alone = HISTORY.filter(pl.col("user") == 1)
    found = lists(engine, ["surprisal@2", "surprisal(surprise=bits)@2"], history=alone)
    assert found == [(None, 0), (None, 0), (None, None)]


def test_popularity_is_how_many_users_of_the_history_know_the_item(engine: Engine) -> None:
    twice = pl.concat([HISTORY, HISTORY])
    for history in (HISTORY, twice):
        found = lists(engine, ["popularity", "popularity@2"], history=history)
        assert found == [about([(3 + 1) / 3, (3 + 1) / 2]), about([3 / 2, 3 / 2]), (None, None)]


def test_popularity_ranks_the_known_items(engine: Engine) -> None:
    # a stands third of three, b and e share the first two places
    found = lists(engine, "popularity_rank", history=HISTORY)
    assert found == [about([(1 + 1.5 / 3) / 3]), about([1 / 2]), (None,)]


def test_the_long_tail_is_what_is_not_among_the_most_popular(engine: Engine) -> None:
    # of five interactions a has three, b the fourth, by its name, and e the last
    asked = ["long_tail", "long_tail(head=0.6)", "n_long_tail(head=0.6)@2", "long_tail(head=0.5)@2"]
    assert lists(engine, asked, history=HISTORY) == [about([0, 1 / 3, 1, 1 / 2]), (0, 0, 0, 0), (None, None, 0, None)]


def test_the_long_tail_begins_behind_the_item_that_crosses_the_share(engine: Engine) -> None:
    tail = HISTORY.with_columns(item=pl.col("item").replace({"e": "c"}))
    found = lists(engine, ["long_tail(head=0.8)", "long_tail(head=0.81)", "long_tail(head=0.2)"], history=tail)
    assert found[0] == about([1 / 3, 0, 2 / 3])


def test_the_history_may_say_less_of_a_list_than_the_recommendations(engine: Engine) -> None:
    recs = pl.concat([RECS.with_columns(day=pl.lit(one), algorithm=pl.lit("A")) for one in (1, 2)])
    truth = TRUTH.with_columns(day=1)
    found = result(engine, "unseen", recs, truth, history=HISTORY, by="user")
    assert [row[2] for row in engine.read(found.summary()).rows()] == [*about([2 / 3, 1 / 2]), None]


def test_the_mean_may_be_taken_over_the_lists_of_the_history(engine: Engine) -> None:
    found = result(engine, ["unseen(alone=one)", "hit"], history=HISTORY, missing="history")
    rows = engine.read(found.per_list()).sort("user").rows()
    assert rows == [about([1, 2 / 3, 1]), about([2, 1 / 2, 1]), (4, 1, None)]


# --- baseline ---------------------------------------------------------------------------------------------------------


def test_unexpectedness_is_the_share_of_places_that_the_baseline_has_not(engine: Engine) -> None:
    asked = ["unexpectedness@2", "unexpectedness", "unexpectedness(divisor=k)@4", "unexpectedness(alone=zero)@1"]
    assert lists(engine, asked, baseline=BASELINE) == [
        about([1, 1 / 3, 1 - 2 / 4, 1]),
        about([1 / 2, 1 / 2, 1 - 1 / 4, 1]),
        (None, None, None, 0),
    ]


def test_serendipity_is_the_share_of_places_whose_hit_the_baseline_has_not(engine: Engine) -> None:
    asked = ["serendipity@2", "serendipity", "serendipity(divisor=k)@4"]
    found = [about([1 / 2, 1 / 3, 1 / 4]), about([1 / 2, 1 / 2, 1 / 4]), (None, None, None)]
    assert lists(engine, asked, baseline=BASELINE) == found
    having = BASELINE.with_columns(item=pl.col("item").replace({"e": "b"}))
    assert lists(engine, asked, baseline=having)[0] == (0, 0, 0)


def test_rank_biased_overlap_is_the_weighted_mean_of_the_overlap_at_each_depth(engine: Engine) -> None:
    # of user 1 they share nothing at depth 1 and 2, and a and c at depth 3; of user 2, d at depth 2
    asked = ["rbo(p=0.5)@3", "rbo(p=0.5)@2", "rbo(p=0.5)@1"]
    whole = {3: 1 + 0.5 + 0.25, 2: 1 + 0.5}
    assert lists(engine, asked, baseline=BASELINE) == [
        about([0.25 * 2 / 3 / whole[3], 0, 0]),
        about([(0.5 / 2 + 0.25 / 3) / whole[3], 0.5 / 2 / whole[2], 0]),
        (None, None, None),
    ]


def test_the_overlap_of_a_list_with_itself_is_whole(engine: Engine) -> None:
    assert lists(engine, ["rbo@2", "unexpectedness@2"], baseline=RECS) == [about([1, 0]), about([1, 0]), (None, None)]


def test_least_item_promoted_is_how_deep_the_deepest_of_the_first_stood(engine: Engine) -> None:
    # of user 1, c stands first in the baseline and a third: two places behind 1 is one place between
    asked = ["least_item_promoted@1", "least_item_promoted@2", "least_item_promoted@3"]
    assert lists(engine, asked, baseline=BASELINE) == [(1, 0, 0), (0, 0, 0), (None, None, None)]


def test_a_baseline_may_be_ranked_by_score(engine: Engine) -> None:
    scored = BASELINE.select("user", "item", score=1 / pl.col("rank")).sample(fraction=1, shuffle=True, seed=1)
    asked = ["unexpectedness@2", "serendipity@2", "rbo@3", "least_item_promoted@1"]
    assert lists(engine, asked, baseline=scored) == lists(engine, asked, baseline=BASELINE)


@pytest.mark.parametrize(("ties", "value"), [("item", 0.0), ("item_desc", 1.0)])
def test_the_tie_rule_orders_the_baseline_too(engine: Engine, ties: str, value: float) -> None:
    tied = pl.DataFrame({"user": [1, 1], "item": ["z", "a"], "score": [0.5, 0.5]})
    assert lists(engine, "unexpectedness@1", baseline=tied, ties=ties)[0] == (value,)


def test_the_order_of_the_rows_may_order_the_baseline(engine: Engine) -> None:
    tied = pl.DataFrame({"user": [1, 1], "item": ["z", "a"], "score": [0.5, 0.5]})
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give
    found = rm.evaluate(give(RECS), give(TRUTH), "unexpectedness@1", baseline=give(tied), ties="input")
    assert engine.read(found.per_list()).sort("user")["unexpectedness@1"].to_list() == [1.0, None, None]


def test_the_mean_may_be_taken_over_the_lists_of_the_baseline(engine: Engine) -> None:
    found = systems(
        engine, ["unexpectedness@2", "hit@1", "user_coverage(unit=count)"], baseline=BASELINE, missing="baseline"
    )
    assert [*found.values()] == [3 / 4, 1 / 2, 2]


# --- items ------------------------------------------------------------------------------------------------------------


def test_categories_may_be_rows_or_a_list(engine: Engine) -> None:
    rows = pl.DataFrame({"item": ["a", "a", "b", "c", "d", "a"], "category": ["s", "t", "s", "t", None, "s"]})
    as_list = pl.DataFrame({"item": ["a", "b", "c", "d"], "category": [["s", "t", "s"], ["s"], ["t", None], []]})
    asked = ["categorical_diversity", "category_diversity@2", "category_entropy@2"]
    # of user 1: s and t in three places; a and b share one of two; s twice and t once
    entropy = -(2 / 3 * log2(2 / 3) + 1 / 3 * log2(1 / 3))
    expected = [about([2 / 3, 1 / 2, entropy]), about([2 / 2, None, 1]), (None, None, None)]
    for items in (rows, as_list):
        assert lists(engine, asked, items=items) == expected


def test_an_item_without_a_category_takes_its_place_and_is_counted(engine: Engine) -> None:
    few = ITEMS.filter(pl.col("item").is_in(["b", "c"]))
    assert lists(engine, "categorical_diversity", items=few) == [about([2 / 3]), (0,), (None,)]
    assert counted(engine, "categorical_diversity", items=few)["items_without_category"] == 2
    notes = result(engine, "categorical_diversity", items=few).notes()
    assert [one for one in notes if one.startswith("different items recommended that have no category: 2")]


def test_miscalibration_compares_the_categories_of_a_list_with_those_of_the_history(engine: Engine) -> None:
    # user 1 knew a (s) and e (t), and is given two of s and one of t; user 2 knew a (s), and is given one of each
    kl = 0.5 * log(0.5 / (0.99 * 2 / 3 + 0.01 * 0.5)) + 0.5 * log(0.5 / (0.99 / 3 + 0.01 * 0.5))
    found = lists(engine, "miscalibration", items=ITEMS, history=HISTORY)
    assert found == [about([kl]), about([log(1 / (0.99 / 2 + 0.01))]), (None,)]


@pytest.mark.parametrize("kind", [pl.List(pl.Float64), pl.List(pl.Float32), pl.Array(pl.Float64, 2), pl.List(pl.Int32)])
def test_embeddings_may_be_lists_or_arrays_of_any_numbers(engine: Engine, kind: Any) -> None:
    # a, b and c point east, north and north-east, d west
    items = EMBEDDINGS.cast({"embedding": kind})
    found = lists(engine, ["embedding_diversity", "embedding_diversity@2"], items=items)
    assert found == [about([1 - 2 * sqrt(1 / 2) / 3, 1]), about([2, 2]), (None, None)]


def test_an_item_without_an_embedding_is_left_out_and_counted(engine: Engine) -> None:
    items = EMBEDDINGS.with_columns(
        embedding=pl.when(pl.col("item") == "d")
        .then(None)
        .when(pl.col("item") == "c")
        .then([0.0, 0.0])
        .otherwise("embedding")
    )
    assert lists(engine, "embedding_diversity", items=items) == [about([1]), (None,), (None,)]
    assert counted(engine, "embedding_diversity", items=items)["items_without_embedding"] == 2
    notes = result(engine, "embedding_diversity", items=items).notes()
    assert [one for one in notes if one.startswith("different items recommended that have no embedding: 2")]


def test_categories_embeddings_and_popularity_may_stand_in_one_table(engine: Engine) -> None:
    categories = pl.Series("categories", [["s"], ["t"], ["s", "t"], []])
    items = EMBEDDINGS.join(POPULARITY, on="item", how="left", maintain_order="left").with_columns(categories)
    asked = ["categorical_diversity", "embedding_diversity@2", "popularity"]
    found = [about([2 / 3, 1, 16 / 3]), about([1 / 2, 2, 4]), (None, None, None)]
    assert lists(engine, asked, items=items) == found


def test_what_is_said_of_the_items_goes_before_the_history(engine: Engine) -> None:
    found = lists(engine, "popularity", items=POPULARITY, history=HISTORY)
    assert found == [about([16 / 3]), about([4]), (None,)]
    repeated = pl.concat([POPULARITY, POPULARITY.with_columns(popularity=pl.lit(1, pl.Int64))])
    assert lists(engine, "popularity", items=repeated) == found
    assert lists(engine, "popularity", items=ITEMS, history=HISTORY)[1] == about([3 / 2])


# --- similarity -------------------------------------------------------------------------------------------------------


def test_list_diversity_is_the_mean_dissimilarity_of_all_pairs(engine: Engine) -> None:
    found = lists(engine, ["list_diversity", "list_diversity@2", "list_diversity@1"], similarity=SIMILARITY)
    assert found == [about([1 - 1.75 / 3, 1 / 2, None]), about([1, 1, None]), (None, None, None)]


def test_pairs_whose_similarity_is_not_given_count_as_0_and_are_counted(engine: Engine) -> None:
    assert counted(engine, "list_diversity", similarity=SIMILARITY)["pairs_unknown"] == 1
    few = SIMILARITY[:1]
    assert lists(engine, "list_diversity", similarity=few)[0] == about([1 - 0.5 / 3])
    assert counted(engine, "list_diversity", similarity=few)["pairs_unknown"] == 3
    notes = result(engine, "list_diversity", similarity=few).notes()
    assert "pairs of a list whose similarity is not given: 3; counted as 0" in notes


def test_where_the_two_orders_of_a_pair_differ_their_mean_stands_and_is_counted(engine: Engine) -> None:
    back = pl.DataFrame({"item": ["b", "c", "c"], "other": ["a", "a", "b"], "similarity": [0.1, 0.25, 1.0]})
    both = pl.concat([SIMILARITY, back])
    assert lists(engine, "list_diversity@2", similarity=both)[0] == about([1 - 0.3])
    assert lists(engine, "list_diversity@2", similarity=back)[0] == about([1 - 0.1])
    assert counted(engine, "list_diversity@2", similarity=both)["similarity_asymmetric"] == 1
    repeated = pl.concat([SIMILARITY, SIMILARITY.with_columns(similarity=pl.lit(0.0))])
    assert lists(engine, "list_diversity@2", similarity=repeated)[0] == about([1 - 0.25])


def test_items_of_which_a_similarity_is_given_are_not_counted_as_without(engine: Engine) -> None:
    assert counted(engine, "list_diversity", similarity=SIMILARITY)["items_without_similarity"] == 1  # d


def test_an_item_is_as_similar_to_itself_as_can_be(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": ["a", "a"], "rank": [1, 2]})
    truth = pl.DataFrame({"user": [1], "item": ["a"]})
    found = result(engine, "list_diversity", recs, truth, similarity=SIMILARITY)
    assert found.collect()["list_diversity"].item() == 0
    assert not [one for one in found.notes() if "pairs" in one]


# --- catalogue --------------------------------------------------------------------------------------------------------


def test_coverage_is_the_share_of_the_catalogue_that_is_recommended(engine: Engine) -> None:
    found = systems(
        engine, ["coverage", "coverage@1", "coverage(unit=count)", "coverage(unit=percent)@1"], catalog=CATALOG
    )
    assert [*found.values()] == [4 / 6, 1 / 6, 4, 16.67]


def test_the_catalogue_is_that_of_the_history_or_the_items_where_none_is_given(engine: Engine) -> None:
    # the history has a, b and e, the items a to e; the catalogue goes before the history, and that before the items
    asked = ["coverage", "coverage(counted=any)"]
    assert [*systems(engine, asked, history=HISTORY).values()] == [*about([2 / 3, 4 / 3])]
    assert [*systems(engine, asked, items=ITEMS).values()] == [*about([4 / 5, 4 / 5])]
    assert [*systems(engine, asked, items=ITEMS, history=HISTORY).values()] == [*about([2 / 3, 4 / 3])]
    assert [*systems(engine, asked, items=ITEMS, history=HISTORY, catalog=CATALOG).values()] == [*about([4 / 6, 4 / 6])]


def test_gini_is_how_unevenly_the_items_share_the_places(engine: Engine) -> None:
    # a has two places, b, c and d one each; of six items two have none: 0, 0, 1, 1, 1, 2
    asked = ["gini", "gini(among=recommended)", "gini(form=equality, among=recommended)", "gini@1"]
    catalogue = (2 * (3 * 1 + 4 * 1 + 5 * 1 + 6 * 2) - 7 * 5) / (6 * 5)
    exposed = (2 * (1 + 2 + 3 + 4 * 2) - 5 * 5) / (4 * 5)
    found = systems(engine, asked, catalog=CATALOG)
    assert [*found.values()] == [*about([catalogue, exposed, 1 - exposed * 4 / 3, 5 / 6])]


def test_what_a_catalogue_repeats_or_lacks_is_counted(engine: Engine) -> None:
    odd = pl.DataFrame({"item": ["a", "a", "b", None, "a", "f"]})
    found = counted(engine, "coverage", catalog=odd)
    expected = {"catalog_items": 3, "catalog_repeated": 2, "items_outside_catalog": 2}
    assert {name: found[name] for name in expected} == expected
    notes = result(engine, "coverage", catalog=odd).notes()
    assert "different items recommended that the catalogue has not: 2" in notes
    assert "rows of the catalogue that repeat an item: 2; counted once" in notes
    assert [*systems(engine, ["coverage", "coverage(counted=any)"], catalog=odd).values()] == [*about([2 / 3, 4 / 3])]


def test_a_system_that_recommends_nothing_to_whom_is_scored_covers_nothing(engine: Engine) -> None:
    recs = pl.concat(
        [RECS.with_columns(algorithm=pl.lit("A")), RECS.with_columns(algorithm=pl.lit("B"), user=pl.col("user") + 7)]
    )
    found = result(engine, ["coverage", "coverage(unit=count)", "hit"], recs, catalog=CATALOG)
    assert engine.read(found.summary()).rows() == [
        ("A", 3, pytest.approx(4 / 6), 4, pytest.approx(2 / 3)),
        ("B", 3, 0.0, 0, 0.0),
    ]


# --- rows that are left out -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "frame", "metric"), [("history", HISTORY, "unseen@2"), ("baseline", BASELINE, "rbo@2")]
)
def test_rows_with_a_null_id_are_left_out_and_counted(
    engine: Engine, name: str, frame: pl.DataFrame, metric: str
) -> None:
    holes = pl.concat(
        [frame, frame[:1].with_columns(user=None), frame[1:3].with_columns(item=None)], how="vertical_relaxed"
    )
    assert lists(engine, metric, **{name: holes}) == lists(engine, metric, **{name: frame})
    found = counted(engine, metric, **{name: holes})
    assert found[f"{name}_with_null_id"] == 3
    assert found[f"{name}_lists"] == frame["user"].n_unique()
    assert found[f"{name}_lists_met"] == 2
    assert f"rows of the {name} with a NULL id: 3; left out" in result(engine, metric, **{name: holes}).notes()


def test_what_is_not_given_is_not_counted(engine: Engine) -> None:
    found = counted(engine, "hit")
    about_extras = ("history", "baseline", "catalog", "category", "embedding", "similarity", "pairs")
    assert not [one for one in found if any(word in one for word in about_extras)]


# --- inputs of other kinds --------------------------------------------------------------------------------------------

Given: TypeAlias = Callable[[pl.DataFrame, Path], Any]

KINDS: Mapping[str, Given] = {
    "path": lambda frame, path: frame.write_parquet(path) or path,
    "path as text": lambda frame, path: frame.write_parquet(path) or str(path),
    "relation": lambda frame, _: ENGINES[0].give(frame),
    "frame": lambda frame, _: frame,
    "lazy frame": lambda frame, _: frame.lazy(),
    "pandas": lambda frame, _: frame.to_pandas(),
    "Arrow": lambda frame, _: frame.to_arrow(),
    "Arrow reader": lambda frame, _: frame.to_arrow().to_reader(),
}
OF_ALL = ["unseen@2", "rbo@2", "categorical_diversity@2", "list_diversity@2", "coverage@2", "popularity@2"]
ALL: Mapping[str, Any] = {
    "history": HISTORY,
    "baseline": BASELINE,
    "items": ITEMS,
    "similarity": SIMILARITY,
    "catalog": CATALOG,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_inputs_may_be_of_another_kind_than_the_recommendations(engine: Engine, kind: str, tmp_path: Path) -> None:
    given = {name: KINDS[kind](one, tmp_path / f"{name}.parquet") for name, one in ALL.items()}
    expected = engine.read(result(engine, OF_ALL, **ALL).summary())
    assert_frame_equal(means(result(engine, OF_ALL, **given)), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_items_with_embeddings_may_be_of_any_kind(engine: Engine, kind: str, tmp_path: Path) -> None:
    items = EMBEDDINGS.with_columns(category=pl.Series(["s", "t", "s", "t"]))
    asked = ["embedding_diversity@2", "categorical_diversity@2"]
    given = KINDS[kind](items, tmp_path / "items.parquet")
    assert [*systems(engine, asked, items=given).values()] == [*about([3 / 2, 1])]


def test_a_relation_of_another_database_is_refused() -> None:
    history = duckdb.connect().from_arrow(HISTORY.to_arrow())
    with refusal(rm.InputError, "The history cannot be read", "another "):
        rm.evaluate(ENGINES[0].give(RECS), TRUTH, "unseen@2", history=history)


def test_tables_of_a_connection_may_be_inputs() -> None:
    connection = duckdb.connect()
    for name, frame in {"recs": RECS, "truth": TRUTH, **ALL}.items():
        connection.from_arrow(frame.to_arrow()).create(f"my_{name}")
    tables: dict[str, Any] = {name: f"my_{name}" for name in ALL}
    found = rm.evaluate("my_recs", "my_truth", OF_ALL, connection=connection, **tables)
    assert_frame_equal(means(found), means(rm.evaluate(RECS, TRUTH, OF_ALL, **ALL)))


# --- columns under other names ----------------------------------------------------------------------------------------


def test_columns_of_the_inputs_may_have_other_names(engine: Engine) -> None:
    given = {
        "history": HISTORY.rename({"item": "bought"}),
        "baseline": BASELINE.rename({"item": "sku", "rank": "spot"}),
        "items": ITEMS.rename({"item": "sku", "category": "kind"}),
        "similarity": SIMILARITY.rename({"item": "x", "other": "y", "similarity": "z"}),
        "catalog": CATALOG.rename({"item": "sku"}),
    }
    named = {
        "history": rm.Columns(item="bought"),
        "baseline": rm.Columns(item="sku", rank="spot"),
        "items": rm.Columns(item="sku", category="kind"),
        "similarity": rm.Columns(item="x", other="y", similarity="z"),
        "catalog": rm.Columns(item="sku"),
    }
    asked = OF_ALL
    assert systems(engine, asked, **given, extra_columns=named) == systems(engine, asked, **ALL)


def test_an_embedding_and_a_popularity_may_have_other_names(engine: Engine) -> None:
    items = EMBEDDINGS.join(POPULARITY, on="item").rename({"embedding": "emb", "popularity": "sold"})
    named = {"items": rm.Columns(embedding="emb", popularity="sold")}
    found = lists(engine, ["embedding_diversity@2", "popularity@1"], items=items, extra_columns=named)
    assert found == [about([1, 8]), (None, 8), (None, None)]


def test_a_baseline_may_be_named_a_score_where_it_has_a_rank_of_another_kind(engine: Engine) -> None:
    scored = BASELINE.with_columns(value=1 / pl.col("rank")).rename({"rank": "level"})
    named = {"baseline": rm.Columns(score="value")}
    assert lists(engine, "rbo@3", baseline=scored, extra_columns=named) == lists(engine, "rbo@3", baseline=BASELINE)


def test_the_item_column_of_the_recommendations_is_looked_for_in_the_inputs(engine: Engine) -> None:
    sku = {"item": "sku"}
    given = {name: frame.rename(sku) for name, frame in ALL.items()}
    found = result(engine, OF_ALL, RECS.rename(sku), TRUTH.rename(sku), columns=rm.Columns(item="sku"), **given)
    assert means(found).row(0) == about(means(result(engine, OF_ALL, **ALL)).row(0))


def test_usual_names_are_found(engine: Engine) -> None:
    pairs = SIMILARITY.rename({"item": "item_a", "other": "item_b", "similarity": "cosine"})
    assert lists(engine, "list_diversity", similarity=pairs) == lists(engine, "list_diversity", similarity=SIMILARITY)
    genres = ITEMS.rename({"item": "movieId", "category": "genres"})
    assert lists(engine, "categorical_diversity", items=genres) == lists(engine, "categorical_diversity", items=ITEMS)


# --- refused before anything is read ----------------------------------------------------------------------------------

A_BASELINE = pl.DataFrame({"user": [1], "item": [7], "rank": [1]})
A_HISTORY = A_BASELINE.drop("rank")
SOME_ITEMS = pl.DataFrame({"item": [7], "category": ["s"]})


@pytest.mark.parametrize(
    ("metric", "parts"),
    [
        ("unseen@2", ("needs history=:", "some of the list columns, item")),
        ("surprisal@2", ("needs history=:", "some of the list columns, item")),
        ("popularity@2", ("needs history=:", "some of the list columns, item")),
        ("efd@2", ("needs history=:",)),
        ("unexpectedness@2", ("needs baseline=:", "some of the list columns, item, rank or score")),
        ("serendipity@2", ("needs baseline=:",)),
        ("rbo@2", ("needs baseline=:",)),
        ("least_item_promoted@2", ("needs baseline=:",)),
        ("categorical_diversity@2", ("needs items=:", "item, and category, embedding or popularity")),
        ("embedding_diversity@2", ("needs items=:", "item, and category, embedding or popularity")),
        ("list_diversity@2", ("needs similarity=:", "item, other, similarity")),
        ("coverage@2", ("needs catalog=:", "the items that could be recommended", "item")),
        ("gini@2", ("needs catalog=:",)),
        ("pooled_auc", ("needs",)),
    ],
)
def test_a_metric_that_lacks_its_input_is_refused_with_what_that_must_hold(
    ask: Asking, metric: str, parts: tuple[str, ...]
) -> None:
    with refusal(rm.InputError, metric, *parts):
        ask(metrics=["hit@1", metric])


def test_a_metric_of_two_inputs_is_refused_for_either(ask: Asking, engine: Engine) -> None:
    with refusal(rm.InputError, "miscalibration@2 needs items=:"):
        ask(metrics="miscalibration@2", history=unread(engine, A_HISTORY))
    with refusal(rm.InputError, "miscalibration@2 needs history=:"):
        ask(metrics="miscalibration@2", items=unread(engine, SOME_ITEMS))


def test_a_metric_that_is_made_of_others_is_refused_under_its_own_name(ask: Asking) -> None:
    with refusal(rm.InputError, "f_beta(metric_0=unseen)@2 needs history=:"):
        ask(metrics="f_beta(metric_0=unseen)@2")


# The input, its columns, what is asked, and what the message says.
LACKING: Mapping[str, tuple[str, Mapping[str, list[Any]], str, tuple[str, ...]]] = {
    "no category": (
        "items",
        {"item": [7], "kind": ["s"]},
        "categorical_diversity@2",
        ("'category'", "in the items", "'item' and 'kind'", 'extra_columns={"items": rm.Columns(category="...")}'),
    ),
    "no embedding": (
        "items",
        {"item": [7], "kind": ["s"]},
        "embedding_diversity@2",
        ("embeddings in the items", "'item' and 'kind'"),
    ),
    "no other": (
        "similarity",
        {"item": [7], "alike": [8], "cosine": [0.5]},
        "list_diversity@2",
        ("No other column", "'item', 'alike' and 'cosine'", 'extra_columns={"similarity": rm.Columns(other="...")}'),
    ),
    "no similarity": (
        "similarity",
        {"item": [7], "other": [8], "value": [0.5]},
        "hit@1",
        ("No similarity column", 'extra_columns={"similarity": rm.Columns(similarity="...")}'),
    ),
    "no item in the history": (
        "history",
        {"user": [7], "bought": [8]},
        "hit@1",
        ("No item column was found in the history", "'user' and 'bought'", '{"history": rm.Columns(item="...")}'),
    ),
    "no item in the catalogue": (
        "catalog",
        {"items": [7]},
        "hit@1",
        ("No item column was found in the catalog", "'items' looks like one", '{"catalog": rm.Columns(item="...")}'),
    ),
    "two that could be the category": (
        "items",
        {"item": [7], "genre": ["s"], "topic": ["t"]},
        "hit@1",
        ("Which column of the items is the category", "'genre' and 'topic'", '{"items": rm.Columns(category="genre")}'),
    ),
    "no rank and no score": (
        "baseline",
        {"user": [1], "item": [7]},
        "hit@1",
        ("The baseline has neither a rank nor a score column", "'user' and 'item'"),
    ),
    "no list column of the history": (
        "history",
        {"shop": [1], "item": [7]},
        "hit@1",
        ("The history has no column 'user'", "share no list column", "'shop' instead", 'lists={"user": "shop"}'),
    ),
    "no list column of the baseline": (
        "baseline",
        {"shop": [1], "item": [7], "rank": [1]},
        "hit@1",
        ("The baseline has no column 'user'", "share no list column", "'shop' instead", 'lists={"user": "shop"}'),
    ),
    "items of another type in the history": (
        "history",
        {"user": [1], "item": ["7"]},
        "hit@1",
        ("item is integer", "in the recommendations", "string", "in the history", "Cast one"),
    ),
    "items of another type in the catalogue": (
        "catalog",
        {"item": ["7"]},
        "hit@1",
        ("item is integer", "string", "in the catalog", "Cast one"),
    ),
    "items of another type in the items": (
        "items",
        {"item": ["7"], "category": ["s"]},
        "hit@1",
        ("item is integer", "string", "in the items", "Cast one"),
    ),
    "other items of another type": (
        "similarity",
        {"item": [7], "other": ["8"], "similarity": [0.5]},
        "hit@1",
        ("other item is integer", "string", "in the similarity", "Cast one"),
    ),
    "lists of another type": (
        "history",
        {"user": ["1"], "item": [7]},
        "hit@1",
        ("list column 'user' is integer", "string", "in the history", "Cast one"),
    ),
    "a similarity that is no number": (
        "similarity",
        {"item": [7], "other": [8], "similarity": ["high"]},
        "hit@1",
        ("similarity column 'similarity' of the similarity is not a number", "string"),
    ),
    "a popularity that is no number": (
        "items",
        {"item": [7], "popularity": ["high"]},
        "hit@1",
        ("popularity column 'popularity' of the items is not a number", "string"),
    ),
    "an embedding that is one number": (
        "items",
        {"item": [7], "embedding": [0.5]},
        "hit@1",
        ("embedding column 'embedding' of the items is no list of numbers", "float"),
    ),
}


@pytest.mark.parametrize("name", LACKING)
def test_an_input_that_cannot_do_is_refused(ask: Asking, engine: Engine, name: str) -> None:
    given, columns, metric, parts = LACKING[name]
    with refusal(rm.ColumnError, *parts):
        ask(metrics=metric, **{given: unread(engine, pl.DataFrame(columns))})


def test_an_embedding_of_texts_is_refused(ask: Asking, engine: Engine) -> None:
    items = pl.DataFrame({"item": [7], "embedding": [["east"]]})
    with refusal(rm.ColumnError, "no list of numbers"):
        ask(metrics="embedding_diversity@2", items=unread(engine, items))


def test_columns_of_an_input_that_there_is_not_are_refused(ask: Asking) -> None:
    with refusal(
        rm.ColumnError, "extra_columns names 'itms'", "'history', 'baseline', 'items', 'similarity' and 'catalog'"
    ):
        ask(extra_columns={"itms": rm.Columns(category="genre")})


def test_a_named_column_that_is_missing_is_refused_with_the_near_names(ask: Asking, engine: Engine) -> None:
    with refusal(rm.ColumnError, "No column 'categry' in the items", "category column", "Did you mean 'category'"):
        ask(items=unread(engine, SOME_ITEMS), extra_columns={"items": rm.Columns(category="categry")})


def test_a_named_column_of_a_role_that_the_input_has_not_is_refused(ask: Asking, engine: Engine) -> None:
    with refusal(rm.ColumnError, "history", "score"):
        ask(history=unread(engine, A_HISTORY), extra_columns={"history": rm.Columns(score="nowhere")})


@pytest.mark.parametrize("name", ["history", "baseline"])
def test_the_lists_of_an_input_that_there_is_not_cannot_be_taken(ask: Asking, name: Any) -> None:
    for asked in ({"missing": name}, {"metrics": f"hit(missing={name})@1"}):
        with refusal(rm.InputError, f'missing="{name}" takes the lists of the {name}', f"give {name}="):
            ask(**asked)


@pytest.mark.parametrize("name", ["history", "baseline"])
def test_the_lists_of_an_input_that_knows_other_list_columns_cannot_be_taken(
    ask: Asking, engine: Engine, name: Any
) -> None:
    recs = pl.DataFrame({"day": [1], "user": [1], "item": [7], "rank": [1]})
    given: dict[str, Any] = {name: unread(engine, A_BASELINE)}
    with refusal(rm.ColumnError, f"missing={name}", "identified by 'user', those of the truth by 'day' and 'user'"):
        ask(recs, recs.drop("rank"), missing=name, **given)


@pytest.mark.parametrize(
    "metric",
    ["rbo", "rbo(p=0.5)", "least_item_promoted", "ap(at=places)", "ap(at=places, divisor=k)", "ndcg(share=full)"],
)
def test_a_metric_that_needs_a_cutoff_is_refused_without(ask: Asking, engine: Engine, metric: str) -> None:
    with refusal(rm.MetricError, f"{metric} needs a cutoff, as in {metric}@10: "):
        ask(metrics=metric, baseline=unread(engine, A_BASELINE))
    ask(metrics=f"{metric}@10", baseline=unread(engine, A_BASELINE))


def test_sound_inputs_are_taken_and_not_read(ask: Asking, engine: Engine) -> None:
    given = {"history": A_HISTORY, "baseline": A_BASELINE, "items": SOME_ITEMS}
    found = ask(
        metrics=["unseen@2", "rbo@2", "categorical_diversity@2"], **{k: unread(engine, v) for k, v in given.items()}
    )
    with pytest.raises((AssertionError, duckdb.Error), match="the query was run"):
        engine.read(found.summary())


# --- refused from the data --------------------------------------------------------------------------------------------

OTHERS = pl.DataFrame({"item": ["x", "y", "z"]})

# What is given, what is asked, and what the message says.
BROKEN: Mapping[str, tuple[dict[str, pl.DataFrame], str, tuple[str, ...]]] = {
    "no history": ({"history": HISTORY.clear()}, "unseen@2", ("There is no history", "no row")),
    "a history without ids": (
        {"history": HISTORY.with_columns(item=pl.lit(None, pl.String))},
        "unseen@2",
        ("There is no history", "NULL id"),
    ),
    "no baseline": ({"baseline": BASELINE.clear()}, "rbo@2", ("There is no baseline", "no row")),
    "no list in common with the history": (
        {"history": HISTORY.with_columns(user=pl.col("user") + 10)},
        "unseen@2",
        ("No list is in both the recommendations and the history, which share user", "Recommendations have", "has 1"),
    ),
    "no list in common with the baseline": (
        {"baseline": BASELINE.with_columns(user=pl.col("user") + 10)},
        "hit@1",
        ("No list is in both the recommendations and the baseline, which share user", "Recommendations have", "has 1"),
    ),
    "no item in the catalogue": (
        {"catalog": OTHERS},
        "coverage@2",
        ("No recommended item is in the catalog", "Recommendations have '", "the catalog has '"),
    ),
    "an empty catalogue": ({"catalog": OTHERS.clear()}, "coverage@2", ("No recommended item", "has nothing")),
    "no item with a category": (
        {"items": OTHERS.with_columns(category=pl.lit("s"))},
        "categorical_diversity@2",
        ("No recommended item is in the items", "Recommendations have '", "the items have '"),
    ),
    "no item with a list of categories": (
        {"items": OTHERS.with_columns(category=pl.Series([["s"]] * 3))},
        "hit@1",
        ("No recommended item is in the items", "the items have '"),
    ),
    "no item with an embedding": (
        {"items": OTHERS.with_columns(embedding=pl.Series([[1.0]] * 3))},
        "embedding_diversity@2",
        ("No recommended item is in the items", "the items have '"),
    ),
    "no item in the similarity": (
        {"similarity": OTHERS.with_columns(other=pl.lit("none"), similarity=0.5)},
        "list_diversity@2",
        ("No recommended item is in the similarity", "the similarity has '"),
    ),
}

ASKING: Mapping[str, Callable[[rm.Result, Path], object]] = {
    "collect": lambda found, _: found.collect(),
    "check": lambda found, _: found.check(),
    "print": lambda found, _: repr(found),
    "write": lambda found, path: found.write(path),
}


@pytest.mark.parametrize("name", BROKEN)
def test_inputs_that_have_nothing_to_say_are_refused_however_it_is_asked(
    engine: Engine, name: str, tmp_path: Path
) -> None:
    given, metric, parts = BROKEN[name]
    found = result(engine, metric, **given)
    for how in ASKING.values():
        with refusal(rm.DataError, *parts):
            how(found, tmp_path / "summary.csv")
    assert isinstance(engine.read(found.summary()), pl.DataFrame)
    assert isinstance(engine.read(found.account()), pl.DataFrame)


@pytest.mark.parametrize("name", BROKEN)
def test_the_command_line_refuses_them_too(name: str, tmp_path: Path) -> None:
    given, metric, parts = BROKEN[name]
    inputs = {"recs": RECS, "truth": TRUTH, **given}
    for one, frame in inputs.items():
        frame.write_parquet(tmp_path / f"{one}.parquet")
    options = [part for one in given for part in (f"--{one}", tmp_path / f"{one}.parquet")]
    said = refused("evaluate", tmp_path / "recs.parquet", tmp_path / "truth.parquet", "-m", metric, *options)
    assert not [part for part in parts if part not in said], said


def test_items_with_a_popularity_that_never_meet_are_refused(engine: Engine) -> None:
    with refusal(rm.DataError, "No recommended item is in the items"):
        result(engine, "popularity@2", items=OTHERS.with_columns(popularity=5)).collect()


def test_embeddings_of_unequal_length_are_refused(engine: Engine) -> None:
    items = pl.DataFrame({"item": ["a", "b"], "embedding": [[1.0, 1.0], [1.0]]})
    with refusal(rm.DataError, "embedding"):
        result(engine, "embedding_diversity@2", items=items).collect()


# --- personalization --------------------------------------------------------------------------------------------------


def test_personalization_of_lists_of_unequal_length_is_refused_where_only_equal_ones_are_compared(
    engine: Engine,
) -> None:
    for asked in ("personalization(lengths=equal)@3", "personalization(convention=capri)@3"):
        found = result(engine, asked)
        for how in (found.collect, found.check, lambda found=found: repr(found)):
            with refusal(rm.DataError, f"{asked} compares lists of equal length", "lengths=any"):
                how()
        assert engine.read(found.summary())[asked].to_list() == [None]


def test_personalization_of_lists_of_unequal_length_is_measured_where_they_may_differ(engine: Engine) -> None:
    # user 1 has three items, user 2 two, and a in common
    asked = [
        "personalization@3",
        "personalization(convention=capri, lengths=any)@3",
        "personalization(lengths=equal)@2",
    ]
    assert [*systems(engine, asked).values()] == [*about([1 - 1 / sqrt(6), 1 - 1 / sqrt(6), 1 / 2])]


def test_personalization_of_one_list_is_undefined_and_not_refused(engine: Engine) -> None:
    found = systems(engine, "personalization(lengths=equal)@3", recs=RECS[:3])
    assert [*found.values()] == [None]


# --- lists and systems side by side -----------------------------------------------------------------------------------

# A is given as above on day 1, and recommends a to user 1 on day 2; B recommends b to user 1 on day 1.
DAYS = pl.concat(
    [
        RECS.with_columns(algorithm=pl.lit("A"), day=1),
        RECS[:1].with_columns(algorithm=pl.lit("A"), day=2),
        RECS[:1].with_columns(algorithm=pl.lit("B"), day=1, item=pl.lit("b")),
    ]
)
SIDE_BY_SIDE = ["hit", "coverage", "user_coverage", "rr"]


def test_numbers_of_lists_and_of_systems_stand_side_by_side_in_the_order_asked_for(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, DAYS, TRUTH.with_columns(day=1), catalog=CATALOG)
    frame = engine.read(found.summary())
    assert frame.columns == ["algorithm", "n_lists", *SIDE_BY_SIDE]
    assert frame.rows() == [
        ("A", 3, *about([2 / 3, 4 / 6, 2 / 3, (1 / 2 + 1) / 3])),
        ("B", 3, *about([1 / 3, 1 / 6, 1 / 3, 1 / 3])),
    ]


def test_numbers_of_systems_may_be_of_everything(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, DAYS, by=[], catalog=CATALOG, lists=["algorithm", "day", "user"])
    frame = engine.read(found.summary())
    assert frame.columns == ["n_lists", *SIDE_BY_SIDE]
    # three systems (A on two days, B on one) times three users; user 1 finds b at 2, not, and at 1; user 2 finds a once
    assert frame.rows() == [(9, *about([3 / 9, 4 / 6, 4 / 9, (1 / 2 + 1 + 1) / 9]))]


def test_numbers_of_systems_may_be_by_several_columns(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, DAYS, by=["day", "algorithm"], catalog=CATALOG)
    frame = engine.read(found.summary())
    assert frame.columns == ["day", "algorithm", "n_lists", *SIDE_BY_SIDE]
    assert frame.rows() == [
        (1, "A", 3, *about([2 / 3, 4 / 6, 2 / 3, (1 / 2 + 1) / 3])),
        (1, "B", 3, *about([1 / 3, 1 / 6, 1 / 3, 1 / 3])),
        (2, "A", 3, *about([0, 1 / 6, 1 / 3, 0])),
    ]


def test_numbers_of_systems_are_in_no_table_per_list(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, catalog=CATALOG)
    assert engine.read(found.per_list()).columns == ["user", "hit", "rr"]
    assert found.collect(per_list=True).columns == ["user", "hit", "rr"]


def test_a_table_per_list_of_nothing_but_numbers_of_systems_is_refused(ask: Asking, engine: Engine) -> None:
    found = ask(metrics=["coverage@2", "gini@2"], catalog=unread(engine, pl.DataFrame({"item": [7]})))
    with refusal(rm.MetricError, "'coverage@2' and 'gini@2' are numbers of a system", "nothing per list"):
        found.per_list()
    with refusal(rm.MetricError, "nothing per list"):
        found.to_sql(per_list=True)


def test_a_summary_of_nothing_but_numbers_of_systems(engine: Engine) -> None:
    found = result(engine, "coverage@1", DAYS, by="algorithm", catalog=CATALOG)
    assert means(found).rows() == [("A", 6, pytest.approx(1 / 6)), ("B", 3, pytest.approx(1 / 6))]
    assert [row["coverage@1"] for row in table(repr(found))] == ["0.1667", "0.1667"]


def test_a_metric_of_a_system_may_be_defined_over_its_lists(engine: Engine) -> None:
    metric = rm.define("SELECT AVG(n_hits) AS mean_hits FROM metrics")
    assert metric.is_run
    asked = ["mean_hits", "mean_hits@1", "mean_hits(missing=skip)@1"]
    assert [*systems(engine, asked).values()] == [*about([2 / 3, 1 / 3, 1 / 2])]


def test_a_metric_of_a_system_may_be_defined_over_other_numbers_of_it(engine: Engine) -> None:
    rm.define("SELECT 100 * coverage AS coverage_in_100 FROM runs")
    rm.define("SELECT n_shown - n_shown_known AS n_outside FROM runs")
    few = CATALOG[:1]
    asked = ["coverage_in_100@1", "n_outside", "hit@1"]
    assert [*systems(engine, asked, catalog=few).values()] == [*about([100, 3, 1 / 3])]


def test_a_defined_metric_that_lacks_its_input_is_refused(ask: Asking) -> None:
    rm.define("SELECT 100 * coverage AS coverage_in_100 FROM runs")
    with refusal(rm.InputError, "coverage_in_100@5 needs catalog=:"):
        ask(metrics="coverage_in_100@5")


@pytest.mark.parametrize(
    ("definition", "parts"),
    [
        ("SELECT covrage AS mine FROM runs", ("'mine' reads 'covrage'", "not in runs", "Did you mean 'coverage'")),
        ("SELECT n_hits AS coverage FROM metrics", ("'coverage' is a metric of rankmetrics already",)),
        ("SELECT AVG(n_hits) / n_hits AS mine FROM metrics", ("'mine' must say what it makes of 'n_hits'", "SUM")),
        ("SELECT COUNT(*) AS mine FROM categories", ("'mine' reads stage 'categories'", "belong to no list")),
    ],
)
def test_what_defines_no_metric_of_a_system_is_refused(definition: str, parts: tuple[str, ...]) -> None:
    with refusal(rm.MetricError, *parts):
        rm.define(definition)


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, frame in {"recs": RECS, "truth": TRUTH, **ALL}.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    ITEMS.rename({"category": "kind"}).write_csv(tmp_path / "kinds.csv")
    return tmp_path


def command(folder: Path, metric: str, *options: str, of: str = "evaluate") -> list[str]:
    """A command over the files of a folder; options that are names of files are their paths."""
    paths = [str(folder / one) if one.endswith(".csv") else one for one in options]
    return [of, str(folder / "recs.csv"), str(folder / "truth.csv"), "-m", metric, *paths]


@pytest.mark.parametrize(
    ("metric", "options", "value"),
    [
        ("unseen@2", ("--history", "history.csv"), (1 / 2 + 1 / 2) / 2),
        ("unexpectedness@2", ("--baseline", "baseline.csv"), (1 + 1 / 2) / 2),
        ("categorical_diversity@2", ("--items", "items.csv"), (1 / 2 + 1) / 2),
        ("categorical_diversity@2", ("--items", "kinds.csv", "--extra-column", "items.category=kind"), (1 / 2 + 1) / 2),
        ("list_diversity@2", ("--similarity", "similarity.csv"), (1 / 2 + 1) / 2),
        ("coverage@2", ("--catalog", "catalog.csv"), 3 / 6),
    ],
)
def test_the_command_line_takes_the_inputs(folder: Path, metric: str, options: tuple[str, ...], value: float) -> None:
    (row,) = table(printed(*command(folder, metric, *options)))
    assert row[metric] == f"{value:.4f}"


def test_check_says_what_the_columns_of_the_inputs_are_taken_for(folder: Path) -> None:
    options = ("--items", "kinds.csv", "--extra-column", "items.category=kind", "--history", "history.csv")
    lines = printed(*command(folder, "hit", *options, of="check")).splitlines()
    assert "items: item = item, category = kind" in lines
    assert "history: item = item" in lines


@pytest.mark.parametrize(
    ("metric", "options", "parts"),
    [
        ("unseen@2", (), ("unseen@2 needs --history: what each list's owner knew before",)),
        ("rbo@2", (), ("rbo@2 needs --baseline: the recommendations to compare with",)),
        ("list_diversity@2", (), ("needs --similarity: how alike two items are", "item, other, similarity")),
        ("coverage@2", (), ("needs --catalog: the items that could be recommended",)),
        (
            "categorical_diversity@2",
            ("--items", "kinds.csv"),
            (
                "needs a column of the role 'category'",
                "'item' and 'kind'",
                "Name it: --extra-column items.category=...",
            ),
        ),
        (
            "hit",
            ("--similarity", "kinds.csv"),
            ("No other column was found in the similarity", "Name it: --extra-column similarity.other=..."),
        ),
        ("hit", ("--items", "kinds.csv", "--extra-column", "items.category=knd"), ("'knd'", "Did you mean 'kind'?")),
        (
            "hit",
            ("--extra-column", "items.colour=kind"),
            ("'items.colour=kind' names no column", "items.category=genre"),
        ),
        ("hit", ("--extra-column", "items"), ("'items' names no column", "items.category=genre")),
        ("hit", ("--extra-column", "category=kind"), ("'category=kind' names no column", "items.category=genre")),
        ("hit", ("--extra-column", "itms.category=kind"), ("'itms'", "no input", "'items'")),
        ("hit", ("--history", "nowhere.csv"), ("There is no file", "nowhere.csv")),
        (
            "hit",
            ("--history", "nowhere"),
            ("'nowhere' is neither a file that exists", "or --database was given"),
        ),
        ("hit", ("--missing", "history"), ("--missing history takes the lists of the history",)),
    ],
)
def test_the_command_line_refuses_in_its_own_words(
    folder: Path, metric: str, options: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    said = refused(*command(folder, metric, *options))
    assert not [part for part in parts if part not in said], said
    assert "rm." not in said


@pytest.mark.parametrize(
    ("options", "python", "option"),
    [
        (("--missing", "history"), "history=.", "--history"),
        (("--missing", "baseline"), "baseline=.", "--baseline"),
        (("--extra-column", "itms.category=kind"), "extra_columns", "--extra-column"),
    ],
)
def test_the_command_line_names_its_own_options(
    folder: Path, options: tuple[str, ...], python: str, option: str
) -> None:
    said = refused(*command(folder, "hit", *options))
    assert python not in said
    assert option in said


# --- the query for a warehouse ----------------------------------------------------------------------------------------

DIALECTS = ["duckdb", "postgres", "snowflake", "bigquery", "spark"]

WAREHOUSE: Mapping[str, tuple[list[str], dict[str, Any]]] = {
    "history": (["unseen@5", "surprisal@5", "popularity@5"], {"history": "db.history"}),
    "baseline": (["unexpectedness@5", "serendipity@5"], {"baseline": "db.baseline"}),
    "items": (["categorical_diversity@5", "category_entropy@5", "coverage@5"], {"items": "db.items"}),
    "similarity": (["list_diversity@5"], {"similarity": "db.similarity"}),
    "catalog": (["coverage@5", "gini@5", "hit@5"], {"catalog": "db.catalog"}),
    "items and history": (["miscalibration@5"], {"items": "db.items", "history": "db.history"}),
    "a convention": (["novelty@5"], {"history": "db.history", "convention": "capri", "ties": "item"}),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", WAREHOUSE)
def test_the_query_for_a_warehouse_reads_the_tables_that_were_named(name: str, dialect: str) -> None:
    metrics, given = WAREHOUSE[name]
    text = rm.to_sql(
        "db.recs", "db.truth", metrics, lists=["algorithm", "user"], truth_lists=["user"], dialect=dialect, **given
    )
    query = sqlglot.parse_one(text, dialect=dialect)
    tables = {f"{one.db}.{one.name}" for one in query.find_all(sqlglot.exp.Table) if one.db}
    assert tables >= {one for one in given.values() if "." in one}
    assert tables <= {"db.recs", "db.truth", *given.values()}
    assert isinstance(query, sqlglot.exp.Query)
    labels = [one.replace("@", "_at_") if dialect == "bigquery" else one for one in metrics]
    assert [one.alias_or_name for one in query.selects] == ["algorithm", "n_lists", *labels]


def test_the_query_for_a_warehouse_names_its_columns() -> None:
    text = rm.to_sql(
        "recs",
        "truth",
        ["categorical_diversity@5", "unseen@5", "rbo@5"],
        lists=["user"],
        dialect="postgres",
        items="items",
        history="history",
        baseline="baseline",
        extra_columns={
            "items": rm.Columns(category="genre"),
            "history": rm.Columns(item="bought"),
            "baseline": rm.Columns(rank="spot"),
        },
    )
    assert '"genre" AS "category"' in text
    assert '"bought"' in text
    assert 'CAST("spot" AS BIGINT) AS "rank"' in text


def test_a_baseline_of_a_warehouse_may_be_ranked_by_score() -> None:
    named = {"baseline": rm.Columns(score="p")}
    given: dict[str, Any] = {"lists": ["user"], "dialect": "duckdb", "baseline": "baseline", "extra_columns": named}
    assert 'NULLIF("baseline"."p", CAST(\'NaN\' AS DOUBLE)) DESC' in rm.to_sql("recs", "truth", "rbo@5", **given)


def test_the_query_for_a_warehouse_that_lacks_a_table_is_refused() -> None:
    with refusal(rm.InputError, "unseen@5 needs history=:"):
        rm.to_sql("recs", "truth", "unseen@5", lists=["user"], dialect="snowflake")


def test_the_query_for_a_warehouse_runs_where_there_are_such_tables() -> None:
    connection = duckdb.connect()
    for name, frame in {"recs": RECS, "truth": TRUTH, **ALL}.items():
        connection.from_arrow(frame.to_arrow()).create(name)
    tables: dict[str, Any] = {name: name for name in ALL}
    text = rm.to_sql("recs", "truth", OF_ALL[:5], lists=["user"], dialect="duckdb", **tables)
    assert_frame_equal(connection.sql(text).pl(), means(rm.evaluate(RECS, TRUTH, OF_ALL[:5], **ALL)))


def test_the_command_prints_the_query_for_a_warehouse() -> None:
    given = (
        "--list",
        "user",
        "--dialect",
        "snowflake",
        "--items",
        "db.items",
        "--extra-column",
        "items.category=genre",
    )
    text = printed("sql", "db.recs", "db.truth", "-m", "categorical_diversity@5", *given)
    assert isinstance(sqlglot.parse_one(text, dialect="snowflake"), sqlglot.exp.Query)
    assert 'FROM "db"."items"' in text
    assert '"genre" AS "category"' in text


def test_columns_of_a_table_that_there_is_not_are_refused() -> None:
    with refusal(rm.ColumnError, "'itms'"):
        rm.to_sql(
            "recs",
            "truth",
            "hit",
            lists=["user"],
            dialect="duckdb",
            extra_columns={"itms": rm.Columns(category="genre")},
        )


def test_embeddings_of_a_warehouse_are_refused_for_what_they_are() -> None:
    with refusal(rm.DialectError, "Embeddings", "warehouse"):
        rm.to_sql(
            "recs",
            "truth",
            "embedding_diversity@5",
            lists=["user"],
            dialect="duckdb",
            items="items",
            extra_columns={"items": rm.Columns(embedding="vec")},
        )


def test_the_query_for_a_warehouse_reads_the_pool_column() -> None:
    columns = rm.Columns(pool="n_candidates")
    text = rm.to_sql("recs", "truth", "auc", lists=["user"], dialect="duckdb", columns=columns)
    assert '"n_candidates"' in text


@pytest.mark.parametrize("name", ["lists", "truth_lists"])
def test_one_list_column_of_a_warehouse_may_come_alone(name: str) -> None:
    asked: dict[str, Any] = {"lists": ["user"], name: "user"}
    try:
        text = rm.to_sql("recs", "truth", "hit", dialect="duckdb", **asked)
    except rm.ColumnError as error:
        text = str(error)
    assert text == rm.to_sql("recs", "truth", "hit", lists=["user"], dialect="duckdb")
