"""Mistakes that users make are refused, warned of with their cause, or do no harm: none passes in silence."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests import ROOT
from tests.support.engines import LOCAL, Engine
from tests.support.faults import faults, numbers
from tests.support.mistakes import METRICS, Data, Mistake, every
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


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("mistake", [one for one in MISTAKES if one.outcome == "refused"], ids=repr)
def test_is_refused(mistake: Mistake, data: object, engine: Engine) -> None:
    with pytest.raises(rm.RankMetricsError) as caught:
        mistake.call(data()).given(engine.give).collect()  # type: ignore[operator]
    assert mistake.says in str(caught.value)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("mistake", [one for one in MISTAKES if one.outcome == "warned"], ids=repr)
def test_is_warned_of(mistake: Mistake, data: object, engine: Engine) -> None:
    result = mistake.call(data()).given(engine.give)  # type: ignore[operator]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    assert [one for one in caught if mistake.says in str(one.message)]
    assert [one for one in result.notes() if mistake.says in one]


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("form", ["recs", "ranked"])
def test_sound_data_is_not_warned_of(form: str, data: object, engine: Engine) -> None:
    sound: Data = data()  # type: ignore[operator]
    options = {"history": engine.give(sound.history)}
    result = rm.evaluate(engine.give(getattr(sound, form)), engine.give(sound.truth), METRICS, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.collect()
    assert not [note for note in result.notes() if note.startswith("Warning")]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("mistake", [one for one in MISTAKES if one.outcome == "unharmed"], ids=repr)
def test_does_no_harm(mistake: Mistake, data: object, engine: Engine) -> None:
    found, sound = mistake.call(data()), mistake.sound(data())  # type: ignore[operator]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rm.RankMetricsWarning)
        frames = [one.given(engine.give).collect() for one in (found, sound)]
    shown = [[*frame.columns[: frame.columns.index("n_lists") + 1], *METRICS] for frame in frames]
    left, right = (frame.select(some).sort(some[:-3]) for frame, some in zip(frames, shown, strict=True))
    assert_frame_equal(left.rename(dict(zip(left.columns, right.columns, strict=True))), right, check_dtypes=False)


# --- in the text of a warehouse job -----------------------------------------------------------------------------------

# Columns and files whose role was guessed: a text is for columns whose roles are decided.
GUESSED = {
    "read one file per model as one table",
    "read the folder of those files",
    "left a column of the items' titles among the recommendations",
    "left a number of each row among the columns",
}


@cache
def _refused_by_data() -> list[Mistake]:
    """The mistakes that evaluate refuses after it has looked at the data."""
    found = []
    for one in every():
        if one.outcome == "refused":
            try:
                one.call(sample()).given(LOCAL[0].give).collect()
            except rm.DataError:
                found.append(one)
            except rm.RankMetricsError:
                continue
    return found


def test_every_mistake_that_the_data_shows_is_a_fault_in_a_text() -> None:
    refused = _refused_by_data()
    assert {one.what for one in refused} > GUESSED
    for one in refused:
        result = one.call(sample()).given(LOCAL[0].give)
        found = {row["fault"] for row in faults(result)}
        assert bool(found) == (one.what not in GUESSED), one.what
        if found:
            with pytest.raises(rm.EngineError) as caught:
                numbers(result, is_guarded=True)
            assert [name for name in found if f"rankmetrics: {name}: " in caught.value.reason], one.what
