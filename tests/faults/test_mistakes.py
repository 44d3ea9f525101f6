"""Mistakes that users make are refused, warned of with their cause, or do no harm: none passes in silence."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import rankmetrics as rm
from peers.reproduction import SHARED
from rankmetrics.errors import WARNED
from tests import ROOT
from tests.faults.test_doubts import CASES as WARNINGS
from tests.support import flat
from tests.support.drawing import examples
from tests.support.engines import Engine, polars_and_later_duckdb
from tests.support.layouts import RECS, TRUTH, evaluate, value
from tests.support.mistakes import ITEM, METRICS, RANK, USER, Call, Data, Mistake, every
from tests.support.refusals import refusal
from tests.support.shared import needs_shared
from tests.support.sound_data import World, rows, worlds

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


DATA = [
    pytest.param(sample, id="sample"),
    pytest.param(movielens, id="movielens", marks=[needs_shared, pytest.mark.long]),
]


def test_there_are_sixty_mistakes_at_least() -> None:
    assert len({one.what for one in MISTAKES}) == len(MISTAKES) >= 60


def of_outcome(outcome: str) -> pytest.MarkDecorator:
    """A test of each mistake with this outcome.

    Of several with one message, the first is in the short tests; none is whose warning test_doubts.py has at its
    threshold.
    """
    mistakes = [mistake for mistake in MISTAKES if mistake.outcome == outcome]
    firsts = {mistake.says: mistake for mistake in reversed(mistakes)}

    def is_long(mistake: Mistake) -> bool:
        has_threshold = any(mistake.says in case.says for case in WARNINGS.values())
        return bool(mistake.says) and (mistake is not firsts[mistake.says] or has_threshold)

    cases = [pytest.param(mistake, marks=[pytest.mark.long] * is_long(mistake)) for mistake in mistakes]
    return pytest.mark.parametrize("mistake", cases, ids=repr)


@cache
def sound_numbers(recs: str, data: Callable[[], Data], give: Callable[[pl.DataFrame], Any]) -> pl.DataFrame:
    """The numbers of the recommendations with scores (`recs`) or ranks (`ranked`), without a mistake."""
    return Call(getattr(data(), recs), data().truth).given(give).collect()


@pytest.mark.parametrize("data", DATA)
@polars_and_later_duckdb
@of_outcome("refused")
def test_is_refused(mistake: Mistake, data: Callable[[], Data], engine: Engine) -> None:
    with pytest.raises(rm.RankMetricsError) as caught:
        mistake.call(data()).given(engine.give).collect()
    assert mistake.says in str(caught.value)


@polars_and_later_duckdb
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
    result = flat.evaluate(engine.give(getattr(sound, form)), engine.give(sound.truth), METRICS, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.collect()
    assert not [note for note in result.notes() if note.startswith("Warning")]


@polars_and_later_duckdb
@pytest.mark.parametrize("data", DATA)
@of_outcome("unharmed")
def test_does_no_harm(mistake: Mistake, data: Callable[[], Data], engine: Engine) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rm.RankMetricsWarning)
        found = mistake.call(data()).given(engine.give).collect()
        frames = [found, sound_numbers("ranked" if "ranks" in mistake.what else "recs", data, engine.give)]
    shown = [[*frame.columns[: frame.columns.index("n_lists") + 1], *METRICS] for frame in frames]
    left, right = (frame.select(some).sort(some[:-3]) for frame, some in zip(frames, shown, strict=True))
    assert_frame_equal(left.rename(dict(zip(left.columns, right.columns, strict=True))), right, check_dtypes=False)


# --- ids and ranks of generated data that go wrong, in all lists, in those of a system or in half of them ------------
# The thresholds of the warnings are tried here on sound data of many kinds, which no warning was tuned on.


DRAWN_METRICS = ["ndcg@10", "recall@10"]
SYSTEMS = ("taste", "noisy", "popular")

# Recommendations or truth with a mistake, in the rows for which a condition is true.
Change = Callable[[pl.DataFrame, pl.Expr, Random], pl.DataFrame]


def changed(column: str, change: Callable[[pl.Expr], pl.Expr]) -> Change:
    """Another value in a column."""
    return lambda frame, where, _: frame.with_columns(pl.when(where).then(change(pl.col(column))).otherwise(column))


def renumbered(column: str) -> Change:
    """Other numbers: those of the column in another order."""

    def change(frame: pl.DataFrame, where: pl.Expr, random: Random) -> pl.DataFrame:
        ids = frame[column].unique(maintain_order=True)
        others = ids.sample(fraction=1, shuffle=True, seed=random.randrange(2**32))
        return frame.with_columns(pl.when(where).then(pl.col(column).replace_strict(ids, others)).otherwise(column))

    return change


# A mistake by its name, in recommendations that have ranks or scores.
BY_SCORE: dict[str, Change] = {
    "items renumbered": renumbered("item"),
    "users renumbered": renumbered("user"),
    "items plus 7": changed("item", lambda item: item + 7),
    "users plus 3": changed("user", lambda user: user + 3),
    "scores negated": changed("score", lambda score: -score),
}
AS_TEXT: dict[str, Change] = {
    "items with a blank": changed("item", lambda item: item + " "),
    "items with zeros": changed("item", lambda item: "00" + item),
    "items in capitals": changed("item", lambda item: item.str.to_uppercase()),
}
BY_RANK: dict[str, Change] = {
    "rank 1 left out": lambda frame, where, _: frame.filter(~(where & (RANK == 1))),
    "rank 2 left out": lambda frame, where, _: frame.filter(~(where & (RANK == 2))),
    "a tenth left out": lambda frame, where, _: frame.filter(~(where & (RANK < 10) & ((USER + ITEM) % 10 == 0))),
    "ranks reversed": changed("rank", lambda rank: 11 - rank),
}

# What nothing tells, with the reason. A weak system is one that orders its items hardly better than by chance.
FITS, BASELINE = "the other lists of the system fit", "the lists look like those of a random baseline or a popular one"
SILENT: dict[tuple[str, str], str] = {
    **{(f"{ids} renumbered", "half of the lists"): FITS for ids in ("items", "users")},
    **{(f"{ids} plus {n}", "half of the lists"): FITS for ids, n in (("items", 7), ("users", 3))},
    **{(f"{ids} renumbered", "a system"): BASELINE for ids in ("items", "users")},
    **{(f"{ids} plus {n}", "a system"): BASELINE for ids, n in (("items", 7), ("users", 3))},
    ("ranks reversed", "half of the lists"): "the halves cancel each other out, and no score shows the order",
    ("ranks reversed", "a system"): "a weak system",
    ("scores negated", "a system"): "a weak system",
}


def collected(recs: pl.DataFrame, truth: pl.DataFrame, **options: object) -> tuple[list[str], pl.DataFrame | None]:
    """The messages, and the numbers if the data is not refused."""
    WARNED.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            frame = flat.evaluate(recs, truth, DRAWN_METRICS, **options).collect()
        except rm.RankMetricsError as error:
            return [str(error)], None
    return [str(warning.message) for warning in caught], frame


@examples(30)
@given(
    # of few users, or a large catalogue, there are too few hits to tell
    world=worlds(n_users=(400,), n_items=(60, 400), n=(6,), tail=(0.6, 1, 1.6), taste=(1.5, 3)),
    name=st.sampled_from([*BY_SCORE, *AS_TEXT, *BY_RANK]),
    part=st.sampled_from(["all", "a system", "half of the lists", "the truth"]),
    seed=st.integers(0, 2**32),
)
def test_a_drawn_mistake_is_told_or_does_no_harm_or_nothing_tells_it(
    world: World, name: str, part: str, seed: int
) -> None:
    random, recs, truth = Random(seed), world.recs(*SYSTEMS).drop("rank"), rows(world.truth)
    if name in BY_RANK:
        recs = world.recs(*SYSTEMS).drop("score")
    if name in AS_TEXT:
        recs, truth = (frame.with_columns(item=pl.format("{}a", ITEM)) for frame in (recs, truth))
    where = {
        "a system": pl.col("algorithm") == random.choice(SYSTEMS),
        "half of the lists": USER.hash(random.randrange(2**32)) % 2 == 0,
    }.get(part, pl.lit(value=True))
    change = (BY_SCORE | AS_TEXT | BY_RANK)[name]
    in_truth = part == "the truth" and name.split()[0].removesuffix("s") in truth.columns
    wrong = (recs, change(truth, where, random)) if in_truth else (change(recs, where, random), truth)
    messages, numbers = collected(*wrong)
    _, sound = collected(recs, truth)
    assert (
        messages or (name, part) in SILENT or (sound is not None and numbers is not None and sound.equals(numbers))
    ), (name, part)


# --- Inputs that were swapped, and columns that describe items: refused once the data is seen -------------------------


# tests/support/mistakes.py has more of them; here are those that look alike, and what makes them right.

USERS = [user for user in range(1, 9) for _ in range(5)]


def test_a_run_as_truth_is_refused_unless_its_score_is_named_as_rating(engine: Engine) -> None:
    ranked = RECS.with_columns(rank=pl.Series([1, 2, 1, 2]))
    with refusal(rm.ColumnError, "The truth has a rank column 'rank'", 'rm.Input(truth, columns={"item": "item"})'):
        evaluate(engine, RECS, ranked)
    assert value(evaluate(engine, RECS, ranked, truth_columns=rm.Columns(item="item", rating="score"))) == [1.0]
    with refusal(rm.ColumnError, "The truth has a score column 'score'", '"rating": "score"'):
        evaluate(engine, RECS, RECS)
    with refusal(rm.ColumnError, "neither a rank nor a score", "The truth has 'score': were the two inputs swapped?"):
        evaluate(engine, TRUTH, RECS)


def test_ratings_that_are_as_scores_are_refused_and_grades_are_not(engine: Engine) -> None:
    run = pl.DataFrame({"user": USERS, "item": [*range(5)] * 8, "relevance": [1 / (place + 2) for place in range(40)]})
    with refusal(rm.DataError, "'relevance' is taken as ratings", "as scores do", 'columns={"rating": "relevance"}'):
        evaluate(engine, run, run.with_columns(relevance=pl.col("relevance") / 3)).check()
    assert value(evaluate(engine, run, run, columns=rm.Columns(rating="relevance"))) == [1.0]
    graded = run.with_columns(relevance=pl.Series([0.5, 1.0, 2.0, 3.5, 4.0] * 8))
    evaluate(engine, graded.rename({"relevance": "score"}), graded).check()


MANY = pl.DataFrame(
    [
        {"algorithm": algorithm, "user": user, "item": (user + place) % 10, "score": 1 - place / 10}
        for algorithm in ("als", "knn")
        for user in range(1, 21)
        for place in range(4)
    ]
)
MANY_TRUE = pl.DataFrame({"user": range(1, 21), "item": [user % 10 for user in range(1, 21)]})


def test_a_column_that_describes_items_identifies_lists_only_if_it_is_named(engine: Engine) -> None:
    recs = MANY.with_columns(shelf=pl.col("item") % 3)
    with refusal(rm.DataError, "'shelf'", "one value for each item", 'lists=["algorithm", "user"]'):
        evaluate(engine, recs, MANY_TRUE).check()
    assert value(evaluate(engine, recs, MANY_TRUE, lists=["algorithm", "user"])) == [1.0, 1.0]
    evaluate(engine, recs, MANY_TRUE, lists=["algorithm", "user", "shelf"]).check()


def test_a_column_called_or_typed_as_descriptions_are_is_asked_about_at_once(engine: Engine) -> None:
    for name in ("genre", "timestamp", "price"):
        with refusal(rm.ColumnError, f"'{name}'", "would identify a list", 'lists=["algorithm", "user"]', case=name):
            evaluate(engine, MANY.with_columns(pl.lit(3).alias(name)), MANY_TRUE)
    with refusal(rm.ColumnError, "'shown'", "datetime", "would identify a list"):
        evaluate(engine, MANY.with_columns(shown=pl.lit(datetime(2026, 1, 1))), MANY_TRUE)


def test_a_column_that_makes_lists_of_one_row_is_refused_unless_lists_have_one(engine: Engine) -> None:
    for truth in (MANY_TRUE, MANY.select("user", "item").with_row_index("event", offset=150)):
        with refusal(rm.DataError, "Most of the 160 lists hold one recommendation", "'event'", "40 lists are left"):
            evaluate(engine, MANY.with_row_index("event"), truth).check()
    recs = MANY.filter(pl.col("score") == 1).with_columns(rank=1).drop("score")
    assert value(evaluate(engine, recs, MANY_TRUE)) == [1.0, 1.0]
