"""Mistakes that users make are refused, warned of with their cause, or do no harm: none passes in silence."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests import ROOT
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.mistakes import METRICS, RANK, SCORE, Call, Data, Mistake, every
from tests.support.shared import SHARED, needs_shared

MISTAKES = every()


def _read(folder: Path) -> dict[str, pl.DataFrame]:
    return {name: pl.read_parquet(folder / f"{name}.parquet") for name in ("recs", "truth", "history")}


@cache
def sample() -> Data:
    """The sample that ships."""
    return Data(**_read(ROOT / "data"), folder=Path(mkdtemp()))


@cache
def movielens() -> Data:
    """Recommendations of LensKit's models on MovieLens 100K, by score."""
    frames = _read(SHARED / "data" / "ml100k")
    unused = {"recs": "rank", "truth": "timestamp", "history": "timestamp"}
    return Data(**{name: frame.drop(unused[name]) for name, frame in frames.items()}, folder=Path(mkdtemp()))


# Both engines count what warnings are read off by the same query, and other tests compare their counts.
ENGINES = [pytest.param(one, id=one.name, marks=[pytest.mark.long] * (one.name == "duckdb")) for one in LOCAL]

DATA = [
    pytest.param(sample, id="sample"),
    pytest.param(movielens, id="movielens", marks=[needs_shared, pytest.mark.long]),
]


def test_there_are_sixty_mistakes_at_least() -> None:
    assert len({one.what for one in MISTAKES}) == len(MISTAKES) >= 60


def of_outcome(outcome: str) -> pytest.MarkDecorator:
    """A test of each mistake with this outcome."""
    return pytest.mark.parametrize("mistake", [one for one in MISTAKES if one.outcome == outcome], ids=repr)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("engine", ENGINES)
@of_outcome("refused")
def test_is_refused(mistake: Mistake, data: Callable[[], Data], engine: Engine) -> None:
    with pytest.raises(rm.RankMetricsError) as caught:
        mistake.call(data()).given(engine.give).collect()
    assert mistake.says in str(caught.value)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("data", DATA)
@of_outcome("warned")
def test_is_warned_of(mistake: Mistake, data: Callable[[], Data], engine: Engine) -> None:
    result = mistake.call(data()).given(engine.give)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    assert [one for one in caught if mistake.says in str(one.message)]
    assert [one for one in result.notes() if mistake.says in one]


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("form", ["recs", "ranked"])
def test_sound_data_is_not_warned_of(form: str, data: Callable[[], Data], engine: Engine) -> None:
    sound = data()
    options = {"history": engine.give(sound.history)}
    result = rm.evaluate(engine.give(getattr(sound, form)), engine.give(sound.truth), METRICS, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.collect()
    assert not [note for note in result.notes() if note.startswith("Warning")]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("data", DATA)
@of_outcome("unharmed")
def test_does_no_harm(mistake: Mistake, data: Callable[[], Data], engine: Engine) -> None:
    found, sound = mistake.call(data()), mistake.sound(data())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rm.RankMetricsWarning)
        frames = [one.given(engine.give).collect() for one in (found, sound)]
    shown = [[*frame.columns[: frame.columns.index("n_lists") + 1], *METRICS] for frame in frames]
    left, right = (frame.select(some).sort(some[:-3]) for frame, some in zip(frames, shown, strict=True))
    assert_frame_equal(left.rename(dict(zip(left.columns, right.columns, strict=True))), right, check_dtypes=False)


# --- mistakes in some systems and lists, drawn at random --------------------------------------------------------------

WRONG_SCORES: dict[str, Callable[[Data], Any]] = {
    "turned round": lambda data: data.turned,
    "negated": lambda _: -SCORE,
    "equal": lambda _: 1.0,
    "lost": lambda _: None,
}


def drawn_mistake(draw: st.DataObject, data: Data) -> Call:
    """A mistake in all or half of the lists of some systems."""
    systems = draw.draw(st.lists(st.sampled_from(data.algorithms), min_size=1, unique=True), label="systems")
    seed = draw.draw(st.integers(0, 1_000_000), label="seed")
    is_half = pl.struct("partition", "user").hash(seed) % 2 == 0
    is_wrong = pl.col("algorithm").is_in(systems) & (is_half if draw.draw(st.booleans(), label="half") else True)
    kind = draw.draw(st.sampled_from(["empty", "ranks", "ratings", "threshold", *WRONG_SCORES]), label="kind")
    if kind == "empty":
        return data.with_recs(data.recs.with_columns(item=pl.when(~is_wrong).then("item")))
    if kind == "ranks":
        return data.with_recs(data.ranked.with_columns(score=pl.when(is_wrong).then(RANK).otherwise(-RANK)))
    if kind == "ratings":
        return data.with_truth(data.truth.with_columns(rating=pl.when(is_half).then("rating")))
    if kind == "threshold":
        return Call(data.recs, data.truth, [f"precision(rel={6 + seed % 5})@10", "recall@10"])
    return data.where(is_wrong, WRONG_SCORES[kind](data))


@examples(10)
@given(draw=st.data())
def test_no_drawn_mistake_is_silent(draw: st.DataObject) -> None:
    data = draw.draw(st.sampled_from([sample, *([movielens] if SHARED.is_dir() else [])]), label="data")()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            drawn_mistake(draw, data).given(LOCAL[0].give).collect()
        except rm.RankMetricsError:
            return
    assert caught
