"""Further inputs that have nothing to say of the lists are refused once the data is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.commands import refused
from tests.support.engines import Engine
from tests.support.extra_inputs import BASELINE, HISTORY, RECS, TRUTH, result
from tests.support.refusals import refusal

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
