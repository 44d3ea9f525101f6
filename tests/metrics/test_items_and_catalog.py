"""Metrics that read items, similarities or a catalogue, worked out by hand."""

from __future__ import annotations

from math import log, log2, sqrt
from typing import Any

import polars as pl
import pytest

from tests.support.engines import Engine
from tests.support.extra_inputs import (
    BASELINE,
    CATALOG,
    EMBEDDINGS,
    HISTORY,
    ITEMS,
    POPULARITY,
    RECS,
    SIMILARITY,
    about,
    counted,
    lists,
    result,
    systems,
)

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
    assert [one for one in notes if one.startswith("2 distinct recommended items without a category")]


def test_miscalibration_compares_the_categories_of_a_list_with_those_of_the_history(engine: Engine) -> None:
    # user 1 knew a (s) and e (t), and is given two of s and one of t; user 2 knew a (s), and is given one of each
    kl = 0.5 * log(0.5 / (0.99 * 2 / 3 + 0.01 * 0.5)) + 0.5 * log(0.5 / (0.99 / 3 + 0.01 * 0.5))
    found = lists(engine, "miscalibration", items=ITEMS, history=HISTORY)
    assert found == [about([kl]), about([log(1 / (0.99 / 2 + 0.01))]), (None,)]


@pytest.mark.parametrize("kind", [pl.List(pl.Float64), pl.List(pl.Float32), pl.Array(pl.Float64, 2), pl.List(pl.Int32)])
def test_embeddings_may_be_lists_or_arrays_of_any_numbers(engine: Engine, kind: Any) -> None:
    # a, b and c point east, north and north-east, d west
    items = EMBEDDINGS.cast({"embedding": kind})
    asked = ["embedding_diversity", "embedding_diversity@2", "embedding_diversity(divisor=items)@2"]
    found = lists(engine, asked, items=items)
    assert found == [about([1 - 2 * sqrt(1 / 2) / 3, 1, 1 / 2]), about([2, 2, 2 / 2]), (None, None, None)]


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
    assert [one for one in notes if one.startswith("2 distinct recommended items without an embedding")]


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
    assert "3 pairs of a list whose similarity is not given; counted as 0" in notes


def test_where_the_two_orders_of_a_pair_differ_their_mean_stands_and_is_counted(engine: Engine) -> None:
    back = pl.DataFrame({"item": ["b", "c", "c"], "other": ["a", "a", "b"], "similarity": [0.1, 0.25, 1.0]})
    both = pl.concat([SIMILARITY, back])
    assert lists(engine, "list_diversity@2", similarity=both)[0] == about([1 - 0.3])
    assert lists(engine, "list_diversity@2", similarity=back)[0] == about([1 - 0.1])
    assert counted(engine, "list_diversity@2", similarity=both)["similarity_asymmetric"] == 1
    repeated = pl.concat([SIMILARITY, SIMILARITY.with_columns(similarity=pl.lit(0.0))])
    assert lists(engine, "list_diversity@2", similarity=repeated)[0] == about([1 - 0.25])


def test_profile_distance_is_the_mean_dissimilarity_to_the_items_of_the_history(engine: Engine) -> None:
    history = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["a", "d", "d", "e"]})
    found = lists(engine, ["profile_distance", "profile_distance@1"], history=history, similarity=SIMILARITY)
    of_user_1 = [1 - (1 + 0.5 + 0.25 + 0) / 6, 1 - 1 / 2]  # a, b and c beside a and d: only d has no similarity
    assert found == [about(of_user_1), about([1, 1]), (None, None)]


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
    asked += ["gini(form=normalized, among=recommended)"]
    catalogue = (2 * (3 * 1 + 4 * 1 + 5 * 1 + 6 * 2) - 7 * 5) / (6 * 5)
    exposed = (2 * (1 + 2 + 3 + 4 * 2) - 5 * 5) / (4 * 5)
    found = systems(engine, asked, catalog=CATALOG)
    assert [*found.values()] == [*about([catalogue, exposed, 1 - exposed * 4 / 3, 5 / 6, exposed * 4 / 3])]


def test_what_a_catalogue_repeats_or_lacks_is_counted(engine: Engine) -> None:
    odd = pl.DataFrame({"item": ["a", "a", "b", None, "a", "f"]})
    found = counted(engine, "coverage", catalog=odd)
    expected = {"catalog_items": 3, "catalog_repeated": 2, "items_outside_catalog": 2}
    assert {name: found[name] for name in expected} == expected
    notes = result(engine, "coverage", catalog=odd).notes()
    assert "2 distinct recommended items that the catalogue does not have" in notes
    assert "2 rows of the catalogue with a repeated item; counted once" in notes
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
    assert f"3 rows of the {name} with a NULL id; left out" in result(engine, metric, **{name: holes}).notes()


def test_what_is_not_given_is_not_counted(engine: Engine) -> None:
    found = counted(engine, "hit")
    about_extras = ("history", "baseline", "catalog", "category", "embedding", "similarity", "pairs")
    assert not [one for one in found if any(word in one for word in about_extras)]
