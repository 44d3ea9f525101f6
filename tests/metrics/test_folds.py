"""History, catalogue and items are taken per fold: measuring all folds at once equals measuring each alone."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support.engines import Engine, each_engine

FOLDS, USERS, ITEMS = (1, 2, 3), range(6), range(9)


def inputs(fold_of: str) -> dict[str, pl.DataFrame]:
    """Three folds of two systems: what was recommended, what was relevant, what was known, all different in each.

    `fold_of` names the inputs beside recommendations and truth that have the column of the fold; the others are the
    same in each fold.
    """

    def rows(name: str, *columns: str) -> pl.DataFrame:
        folds = FOLDS if name in ("recs", "truth", *fold_of.split()) else (0,)
        every = pl.DataFrame({"fold": folds})
        for column in columns:
            every = every.join(
                pl.DataFrame({column: {"user": USERS, "item": ITEMS, "system": ["a", "b"]}[column]}), how="cross"
            )
        drawn = every.select(pl.struct(pl.all()).hash(seed=len(name))).to_series()
        kept = every.with_columns(drawn=drawn).filter(pl.col("drawn") % 3 != 0)
        return kept if folds != (0,) else kept.drop("fold")

    number = pl.col("drawn") % 1000 / 1000
    return {
        "recs": rows("recs", "system", "user", "item").with_columns(score=number).drop("drawn"),
        "truth": rows("truth", "user", "item").with_columns(rating=number * 5).drop("drawn"),
        "history": rows("history", "user", "item").drop("drawn"),
        "catalog": rows("catalog", "item").drop("drawn"),
        "items": rows("items", "item")
        .with_columns(category=pl.col("drawn") % 4, popularity=(pl.col("drawn") % 7).cast(pl.Float64))
        .drop("drawn"),
    }


def every_metric() -> list[str]:
    """Every metric that these inputs suffice for."""
    metrics = [one.name for one in catalog().metrics() if one.name not in LEFT_OUT]
    return [f"{name}{'@3' if 'k' in catalog().parameters(name) else ''}" for name in metrics]


# Metrics of inputs that have no folds, and those that compare lists of equal length only.
LEFT_OUT = (
    "embedding_diversity least_item_promoted list_diversity overlap personalization profile_distance rbo serendipity "
    "unexpectedness"
).split()


def values(engine: Engine, frames: dict[str, pl.DataFrame], *, per_list: bool) -> pl.DataFrame:
    """What is measured of frames, all metrics at once."""
    given = {name: engine.give(one) for name, one in frames.items()}
    recs, truth = given.pop("recs"), given.pop("truth")
    result = rm.evaluate(recs, truth, every_metric(), by=["fold", "system"], **given)
    frame = engine.read(result.per_list() if per_list else result.summary())
    return frame.sort(["fold", "system", "user"] if per_list else ["fold", "system"])


ALL = "history catalog items"
# The inputs that tell folds apart, and whether the values of the lists are compared or those of the systems.
INPUTS = [
    (ALL, True),
    *(pytest.param(of, False, marks=pytest.mark.long) for of in (ALL, "")),
]


@pytest.mark.parametrize(("fold_of", "per_list"), INPUTS)
@each_engine
def test_folds_together_are_measured_as_each_alone(engine: Engine, fold_of: str, per_list: bool) -> None:
    frames = inputs(fold_of)
    together = values(engine, frames, per_list=per_list)
    alone = [
        {name: one.filter(fold=fold) if "fold" in one.columns else one for name, one in frames.items()}
        for fold in FOLDS
    ]
    apart = pl.concat([values(engine, one, per_list=per_list) for one in alone])
    assert together.height == (36 if per_list else 6)
    assert_frame_equal(together, apart, abs_tol=1e-12)


def test_the_popularity_of_an_item_is_that_of_its_fold(engine: Engine) -> None:
    history = pl.DataFrame(
        [(1, 1, 5), (1, 2, 7), (1, 3, 8), (2, 1, 5), (2, 2, 7), (2, 3, 9)],
        schema=["fold", "user", "item"],
        orient="row",
    )
    recs = pl.DataFrame({"fold": [1, 2], "user": [1, 1], "item": [7, 7], "rank": [1, 1]})
    result = rm.evaluate(
        engine.give(recs), engine.give(recs.drop("rank")), "popularity@1", by=["fold"], history=engine.give(history)
    )
    assert engine.read(result.summary())["popularity@1"].to_list() == [1.0, 1.0]


def test_a_coverage_of_several_folds_counts_each_item_once_and_says_so(engine: Engine) -> None:
    recs = pl.DataFrame({"fold": [1, 2, 2], "user": [1, 1, 1], "item": [7, 7, 8], "rank": [1, 1, 2]})
    catalog = pl.DataFrame({"fold": [1, 1, 2, 2, 2], "item": [7, 9, 7, 8, 9]})
    options: dict[str, Any] = {"catalog": engine.give(catalog)}
    given = engine.give(recs), engine.give(recs.drop("rank"))
    pooled = rm.evaluate(*given, "coverage@2", **options)
    assert engine.read(pooled.summary())["coverage@2"].to_list() == [pytest.approx(2 / 3)]
    said = "coverage@2 is over all values of fold, which by= does not name"
    assert said in pooled.notes()
    apart = rm.evaluate(*given, "coverage@2", by=["fold"], **options)
    assert engine.read(apart.summary())["coverage@2"].to_list() == [pytest.approx(1 / 2), pytest.approx(2 / 3)]
    assert "taken per value of fold: catalog" in apart.notes()
    assert said not in apart.notes()


def test_an_item_is_known_only_in_the_folds_that_know_it(engine: Engine) -> None:
    recs = pl.DataFrame({"fold": [1, 2], "user": [1, 1], "item": [7, 7], "rank": [1, 1]})
    catalog = pl.DataFrame({"fold": [1, 2], "item": [7, 8]})
    result = rm.evaluate(
        engine.give(recs), engine.give(recs.drop("rank")), "coverage@1", by=["fold"], catalog=engine.give(catalog)
    )
    assert engine.read(result.summary())["coverage@1"].to_list() == [1.0, 0.0]


def test_what_is_the_same_for_every_fold_is_said_once_and_truly(engine: Engine) -> None:
    recs = pl.DataFrame({"fold": [1, 2], "user": [1, 1], "item": [7, 7], "rank": [1, 1]})
    items = pl.DataFrame({"fold": [1, 2], "item": [7, 7], "embedding": [[1.0, 0.0]] * 2})
    similarity = pl.DataFrame({"fold": [1, 2], "item": [7, 7], "other": [8, 8], "similarity": [0.5, 0.5]})
    extras = {"items": engine.give(items), "similarity": engine.give(similarity)}
    asked = ["embedding_diversity@1", "list_diversity@1"]
    notes = rm.evaluate(engine.give(recs), engine.give(recs.drop("rank")), asked, by=["fold"], **extras).notes()
    assert "taken together over all values of fold: embeddings" in notes
    (said,) = (one for one in notes if "is not used" in one and "similarity" in one)
    assert said.startswith("Warning: Column 'fold' of the similarity is not used: ")
    assert ": the similarity input is the same for every fold." in said


def test_a_column_of_the_owner_is_no_fold(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 2], "item": [7, 7], "rank": [1, 1]})
    result = rm.evaluate(
        engine.give(recs), engine.give(recs.drop("rank")), "popularity@1", history=engine.give(recs.drop("rank"))
    )
    assert engine.read(result.summary())["popularity@1"].to_list() == [2.0]
