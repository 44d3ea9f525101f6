"""Ids and ranks of generated data that go wrong, in all lists, in those of a system or in half of them: none is silent.

The thresholds of the warnings are tried here on sound data of many kinds, which no warning was tuned on.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from random import Random

import polars as pl
from hypothesis import assume, given
from hypothesis import strategies as st

import rankmetrics as rm
from tests.support.drawing import examples
from tests.support.sound_data import World, rows, worlds

METRICS = ["ndcg@10", "recall@10"]
ITEM, RANK, SCORE, USER = (pl.col(name) for name in ("item", "rank", "score", "user"))
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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            frame = rm.evaluate(recs, truth, METRICS, **options).collect()  # type: ignore[arg-type]
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


@examples(20)
@given(
    world=worlds(n_users=(30, 150, 400), n_items=(60, 400, 1500), tail=(0.6, 1, 1.6), taste=(1.5, 3)),
    systems=st.sampled_from([("taste",), ("popular",), ("taste", "random"), ("noisy", "popular"), SYSTEMS]),
    order=st.sampled_from(["rank", "score"]),
    has_history=st.booleans(),
)
def test_sound_data_of_many_kinds_is_not_warned_of(
    world: World, systems: tuple[str, ...], order: str, *, has_history: bool
) -> None:
    recs = world.recs(*systems).drop("rank" if order == "score" else "score")
    truth, options = rows(world.truth), {"history": rows(world.history)} if has_history else {}
    assume(not recs.join(truth, on="item").is_empty())  # or the data is refused: no item is in both
    assert not collected(recs, truth, **options)[0]
