"""Histories, baselines, items, similarities and catalogues of every kind, under any names of columns."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl

import rankmetrics as rm
from tests.support.engines import LOCAL, Engine, each_engine
from tests.support.extra_inputs import (
    ALL,
    BASELINE,
    CATALOG,
    EMBEDDINGS,
    HISTORY,
    ITEMS,
    KINDS,
    OF_ALL,
    POPULARITY,
    RECS,
    SIMILARITY,
    TRUTH,
    about,
    lists,
    result,
    systems,
)
from tests.support.refusals import refusal

# --- inputs of other kinds --------------------------------------------------------------------------------------------


@each_engine
def test_the_inputs_may_be_of_another_kind_than_the_recommendations(engine: Engine, tmp_path: Path) -> None:
    items = EMBEDDINGS.with_columns(category=pl.Series(["s", "t", "s", "t"]))
    metrics, frames = [*OF_ALL, "embedding_diversity@2"], {**ALL, "items": items}
    expected = systems(engine, metrics, **frames)
    assert [*expected.values()][2::4] == [*about([1, 3 / 2])]
    for kind, make in KINDS.items():
        given = {name: make(frame, tmp_path / f"{name}.parquet") for name, frame in frames.items()}
        found = engine.read(result(engine, metrics, **given).summary()).drop("n_lists").row(0)
        assert found == about([*expected.values()]), kind


def test_a_relation_of_another_database_is_refused() -> None:
    history = duckdb.connect().from_arrow(HISTORY.to_arrow())
    with refusal(rm.InputError, "The history cannot be read", "another "):
        rm.evaluate(LOCAL[0].give(RECS), TRUTH, "unseen@2", history=history)


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


@each_engine
def test_an_embedding_and_a_popularity_may_have_other_names(engine: Engine) -> None:
    items = EMBEDDINGS.join(POPULARITY, on="item").rename({"embedding": "emb", "popularity": "sold"})
    named = {"items": rm.Columns(embedding="emb", popularity="sold")}
    found = lists(engine, ["embedding_diversity@2", "popularity@1"], items=items, extra_columns=named)
    assert found == [about([1, 8]), (None, 8), (None, None)]


def test_a_baseline_may_be_named_a_score_where_it_has_a_rank_of_another_kind(engine: Engine) -> None:
    scored = BASELINE.with_columns(value=1 / pl.col("rank")).rename({"rank": "level"})
    named = {"baseline": rm.Columns(score="value")}
    assert lists(engine, "rbo@3", baseline=scored, extra_columns=named) == lists(engine, "rbo@3", baseline=BASELINE)


def test_usual_names_are_found(engine: Engine) -> None:
    pairs = SIMILARITY.rename({"item": "item_a", "other": "item_b", "similarity": "cosine"})
    assert lists(engine, "list_diversity", similarity=pairs) == lists(engine, "list_diversity", similarity=SIMILARITY)
    genres = ITEMS.rename({"item": "movieId", "category": "genres"})
    assert lists(engine, "categorical_diversity", items=genres) == lists(engine, "categorical_diversity", items=ITEMS)
