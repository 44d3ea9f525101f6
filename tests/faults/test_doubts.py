"""What the counts make doubtful is warned of from a threshold on, says which system it is, and is said once."""

from __future__ import annotations

import gc
import re
import unicodedata
import warnings
import weakref
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import ascii_letters
from typing import Any
from urllib.parse import quote

import numpy as np
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.estimates import doubt_estimates, with_estimates
from rankmetrics.faults.chance import LEVEL, Fit, by_chance, is_undecided, numbered_apart
from rankmetrics.faults.doubts import counts_of, doubts
from rankmetrics.inputs.columns import Layout
from rankmetrics.rankings.scores import Standing
from rankmetrics.rankings.scores import doubts as doubts_of_rankings
from tests import ROOT
from tests.support import flat
from tests.support.commands import written
from tests.support.engines import Engine, each_engine

ITEM = pl.col("item")


@dataclass(frozen=True)
class Case:
    """Inputs that are doubtful from a size on.

    Attributes:
        inputs: the arguments of evaluate, for a size.
        enough: the smallest size that is doubtful.
        says: the whole warning, at that size.
        metric: what is measured.
    """

    inputs: Callable[[int], Mapping[str, object]]
    enough: int
    says: str
    metric: str = "hit@1"


def recs_of(*rows: tuple[str, int, int, float]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["algorithm", "user", "item", "score"], orient="row")


def truth_of(*rows: tuple[int, int]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["user", "item"], orient="row")


def two_items(n: int) -> pl.DataFrame:
    """Lists of two items."""
    return recs_of(*(("a", user, 2 * user + place, 1 / place) for user in range(n) for place in (1, 2)))


def second_item(n: int) -> pl.DataFrame:
    """The truth of these lists: the second item is relevant."""
    return truth_of(*((user, 2 * user + 2) for user in range(n)))


def found_first(n: int, system: str = "a") -> pl.DataFrame:
    """Lists of one item, which is relevant."""
    return recs_of(*((system, user, user, 1.0) for user in range(n)))


def three_items(n: int) -> pl.DataFrame:
    """A list of three items for each user; the first item is relevant."""
    return recs_of(
        *(("a", user, item, 1 / (item + 1 - user)) for user in range(n) for item in (user, user + 1, user + 9))
    )


def from_user(n: int) -> pl.Expr:
    """The item, of users from number n on; nothing for the others."""
    return pl.when(pl.col("user") >= n).then("item")


def rated(n: int, ratings: list[float]) -> pl.DataFrame:
    """The truth of lists of one item, with ratings."""
    return own_item(n).with_columns(rating=pl.Series(ratings))


def own_item(n: int) -> pl.DataFrame:
    """The truth of these lists."""
    return truth_of(*((user, user) for user in range(n)))


def of_two_genres(n: int, period: int) -> pl.DataFrame:
    """Lists of an item of one of two genres, which alternate after some users."""
    return found_first(n).with_columns(item=pl.col("user") // period % 2)


def same_items() -> pl.DataFrame:
    """Lists of the items from 50 to 59, for 200 users."""
    return recs_of(*(("a", user, item, 1 / item) for user in range(200) for item in range(50, 60)))


def popular_items(n: int) -> pl.DataFrame:
    """The truth of these lists: the items from 0 to 24 for all, those of the lists for 25, and n for one each."""
    popular = [(user, item) for user in range(200) for item in range(25)]
    of_some = [(user, item) for user in range(25) for item in range(50, 60)]
    return truth_of(*popular, *of_some, *((user, user + 99) for user in range(n)))


def third_place(n: int) -> pl.DataFrame:
    """An item at rank 3 of each list."""
    return found_first(n).drop("score").with_columns(ITEM + 100, rank=3)


def letters(number: pl.Expr) -> pl.Expr:
    """Ids of a letter: the small letters from 0, the capitals from 26."""
    return number.replace_strict(dict(enumerate(ascii_letters)), return_dtype=pl.String)


CASES = {
    "an item is repeated": Case(
        lambda n: {"recs": pl.concat([found_first(n), found_first(n)]), "truth": own_item(n)},
        10,
        "10 of 20 recommendations repeat an item of their list. A relevant item is credited once, unless a metric says "
        "otherwise. Is a column missing that tells systems apart? A list is identified by algorithm, user.",
    ),
    "half of the users get what others want": Case(
        lambda n: {"recs": of_two_genres(n, 1), "truth": of_two_genres(n, 2).select("user", "item")},
        75,
        "The recommendations fit their own truth no better than the truth of other lists: they have 37 relevant items "
        "in all 75 lists of the truth, and 38 are expected by chance. Possible causes: the ids of users or items "
        "differ between the two inputs, as after numbering each table by itself; the truth is the training data; the "
        "model is untrained; the items are random.",
    ),
    "everybody gets the same ten items, which are not popular": Case(
        lambda n: {"recs": same_items(), "truth": popular_items(n)},
        65,
        "The lists are alike, and their items are relevant no more often than other items: they have 250 relevant "
        "items in all 200 lists of the truth, and 532 are expected of random items. Either the ids of items differ "
        "between the two inputs, as after numbering each table by itself, or the items are not chosen by their "
        "popularity.",
    ),
    "each input numbers its items": Case(
        lambda n: {"recs": found_first(n + 1), "truth": own_item(n).with_columns((ITEM + 1) % n)},
        100,
        "The ids of the items have no gaps in either input: 101 numbers in the recommendations, 100 in the truth. If "
        "each table was numbered by itself, as by factorize() or category codes, a number means different items. "
        "Number the items of both together, or keep their own ids.",
    ),
    "recommended items are in the history": Case(
        lambda n: {
            "recs": pl.concat([found_first(20), found_first(n).with_columns(ITEM + 100, score=0.5)]),
            "truth": own_item(20),
            "history": own_item(20).with_columns(ITEM + 100),
        },
        10,
        "10 of 30 recommendations are items of the history of their list, in all 20 lists of the truth, and hardly any "
        "relevant item is. They take ranks and cannot be hits. Leave the items of the history out of the "
        "recommendations. If they were left out, the ids of users or items differ between the inputs.",
    ),
    "few lists have a history": Case(
        lambda n: {"recs": found_first(n + 1), "truth": own_item(n + 1), "history": own_item(1).with_columns(ITEM + 9)},
        10,
        "The history has rows of only 1 of the 11 lists. Is it a part of the history, or that of other users? Metrics "
        "of the history take the other lists as those of new users.",
    ),
    "weights of a log are twice what they should be": Case(
        lambda n: {
            "recs": found_first(n),
            "truth": own_item(n),
            "log": own_item(n).with_columns(reward=pl.lit(1), propensity=pl.lit(0.5)),
        },
        22,
        "The mean of the importance weights is 2.00, and 1 is expected. Are the propensities those of the items that "
        "were shown, at their positions? Does the log lack items that the policy shows, or the policy lists of the "
        "log? Estimates by weights are biased then.",
        "ips",
    ),
    "ranks have gaps": Case(
        lambda n: {
            "recs": found_first(n).drop("score").with_columns(rank=1).vstack(third_place(n)),
            "truth": own_item(n),
        },
        10,
        "The ranks of 10 of 10 lists have gaps: recommendations were left out after they were ranked, and the others "
        "count at the ranks of column 'rank'. "
        'ranks="again" ranks them again; ranks="given" keeps these ranks without a warning.',
    ),
    "ids differ in case": Case(
        lambda n: {
            "recs": found_first(20).with_columns(item=letters(pl.when(n > ITEM).then(ITEM + 26).otherwise("item"))),
            "truth": own_item(20).with_columns(item=letters(ITEM)),
        },
        10,
        "10 of the 30 ids in column 'item' of both inputs differ from another id only in case, such as 'J' and 'j'. "
        "They are counted as different ids. If they mean the same, write them in the same form in both inputs.",
    ),
    "what is found comes last": Case(
        lambda n: {"recs": two_items(n), "truth": second_item(n)},
        8,
        "Relevant items rank below chance: 0 of 8 are in the upper half of their lists, and 4 are expected by chance. "
        "If a lower score is better, set lower_is_better=True.",
        "hit@2",
    ),
    "what is found has the last rank": Case(
        lambda n: {
            "recs": two_items(n).with_columns(rank=2 - pl.col("item") % 2).drop("score"),
            "truth": second_item(n),
        },
        8,
        "Relevant items rank below chance: 0 of 8 are in the upper half of their lists, and 4 are expected by chance. "
        "Rank 1 must be the best.",
        "hit@2",
    ),
    "lists are missing": Case(
        lambda n: {"recs": found_first(20), "truth": own_item(20 + n)},
        10,
        "10 of 30 lists of the truth have no recommendations. They score 0 where the metric is defined.",
    ),
    "a system lacks lists that another has": Case(
        lambda n: {"recs": pl.concat([found_first(500 + n), found_first(500, "b")]), "truth": own_item(500 + n)},
        10,
        "Lists are missing unequally: there are 510 of algorithm=a and 500 of algorithm=b. To compare each pair of "
        'systems over the lists that both have: missing="skip".',
    ),
    "a system has shorter lists": Case(
        lambda n: {
            "recs": pl.concat(
                [found_first(n), found_first(n, "b"), found_first(n, "b").with_columns(pl.col("item") + n, score=0.5)]
            ),
            "truth": own_item(n),
        },
        10,
        "Lists differ in length: they have 1 items on average of algorithm=a and 2 of algorithm=b; the metrics read "
        "the first 2.",
        "hit@2",
    ),
    "the history has what is in the truth": Case(
        lambda n: {"recs": found_first(20), "truth": own_item(20), "history": own_item(n)},
        10,
        "The truth has rows that are also in the history: 10 of the 20 relevant items of the first 20 lists. Does the "
        "truth contain training data?",
    ),
    "several systems are averaged as one": Case(
        lambda n: {"recs": pl.concat([found_first(5), found_first(n - 5, "b")]), "truth": own_item(5), "by": []},
        10,
        "2 lists are averaged for each list of the truth. They differ in algorithm: the truth does not have this "
        "column, and by= does not name it.",
    ),
    "systems of two columns are averaged as one": Case(
        lambda n: {
            "recs": pl.concat([found_first(5), found_first(n - 5, "b")]).with_columns(variant=pl.lit("small")),
            "truth": own_item(5),
            "by": [],
        },
        10,
        "2 lists are averaged for each list of the truth. They differ in algorithm, variant: the truth does not have "
        "these columns, and by= does not name them.",
    ),
}

CASES |= {
    "lists have no items": Case(
        lambda n: {
            "recs": pl.concat([found_first(201 + n), found_first(200 + n, "b").with_columns(item=from_user(n))]),
            "truth": own_item(201 + n),
        },
        9,
        "Lists are missing unequally: there are 210 of algorithm=a and 200 of algorithm=b. 9 of them have rows without "
        "an item: leave these rows out. To compare each pair of systems over the lists that both have: "
        'missing="skip".',
    ),
    "scores are equal": Case(
        lambda n: {"recs": three_items(n).with_columns(score=1.0), "truth": own_item(n)},
        10,
        "All scores of a list are equal, or none is a number, in 10 of the first lists. Such lists are in the order "
        "of their item ids, which says nothing of the system. Give the scores that the system ranked by, or a rank "
        "column. "
        'If the items of a list have no order, take the mean over all orders: ties="expected".',
    ),
    "scores contradict the ranks": Case(
        lambda n: {
            "recs": three_items(n).with_columns(
                rank=4 - pl.col("score").rank().over("user").cast(pl.Int64), score=-pl.col("score")
            ),
            "truth": own_item(n),
        },
        10,
        "Ranks and scores contradict each other: in 10 of the first lists, the lower half has a better score than the "
        "upper half. The ranks in column 'rank' decide. If the score should decide, drop this column; if the ranks are "
        "right, drop the column 'score'.",
    ),
    "some lists are turned round": Case(
        lambda n: {
            "recs": pl.concat(
                [three_items(n), three_items(n).with_columns(pl.col("user", "item") + 100, -pl.col("score"))]
            ),
            "truth": pl.concat([own_item(n), own_item(n).with_columns(pl.all() + 100)]),
        },
        10,
        "Relevant items rank low in lists whose scores bunch at the high end: 0 of 10 are in the upper half of their "
        "lists, and 5 are expected by chance. Some lists may be reversed: a higher score must be better in every list.",
    ),
    "a rating is missing": Case(
        lambda n: {"recs": found_first(2), "truth": rated(2, [5.0, float("nan") if n else 5.0])},
        1,
        "1 row of the truth has no rating in column 'rating' (NULL or NaN). Such a row is read as rated 1, which is "
        "relevant. Leave out rows without a rating, or rate them.",
    ),
    "no rating reaches the threshold": Case(
        lambda n: {"recs": found_first(2), "truth": rated(2, [5.0 - n, 1.0])},
        2,
        "No rating of the truth reaches 4, the least relevant rating of 'precision(rel=4)@1': no item is relevant. "
        "Give a threshold on the scale of the ratings.",
        "precision(rel=4)@1",
    ),
    "no rating is above 0": Case(
        lambda n: {"recs": found_first(2), "truth": rated(2, [1.0 - n, 0.0])},
        1,
        "No rating of the truth in column 'rating' is above 0 in the first 2 lists, so no item is relevant. Name the "
        "column of the ratings, or set the least relevant rating with rel.",
    ),
    "lists are shorter than the cutoff": Case(
        lambda n: {"recs": found_first(n), "truth": own_item(n)},
        10,
        "No list has more than 1 item, and 'hit@2' reads further: the number is that of the first 1. Give longer "
        "lists, or a smaller cutoff.",
        "hit@2",
    ),
    "an item has two popularities": Case(
        lambda n: {
            "recs": found_first(2),
            "truth": own_item(2),
            "items": pl.DataFrame({"item": [0, 0, 1], "popularity": [5, 5 + n, 2]}),
        },
        1,
        "1 item has several popularities in the items input; the highest counts. Give one row for each item, or a "
        "popularity that all rows of an item share.",
    ),
    "ids are beyond a small type": Case(
        lambda n: {
            "recs": found_first(2).with_columns(user=pl.Series([5, 127 + n])),
            "truth": own_item(2).with_columns(user=pl.Series([5, -128 if n else 127], dtype=pl.Int8)),
        },
        1,
        "Column 'user' of the truth has a type that ends at 127, and numbers from -128 to 5; column 'user' of the "
        "recommendations has numbers up to 128. Greater ids may have been wrapped around, so that different ids became "
        "equal. Cast the column to a larger type where it is made.",
    ),
}


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])
def test_just_enough_is_warned_of_and_a_little_less_is_not(case: Case, engine: Engine) -> None:
    assert warned(case.inputs(case.enough - 1), engine, case.metric) == []
    assert warned(case.inputs(case.enough), engine, case.metric) == [case.says]


def warned(inputs: Mapping[str, object], engine: Engine, metric: str) -> list[str]:
    """The warnings of a computation; the notes have the same."""
    given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in inputs.items()}
    result = flat.evaluate(given.pop("recs"), given.pop("truth"), metric, **given)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    found = [one.message for one in caught if isinstance(one.message, rm.RankMetricsWarning)]
    assert [note for note in result.notes() if note.startswith("Warning: ")] == [one.note for one in found]
    return [one.text for one in found]


# --- thresholds, by the counts alone ----------------------------------------------------------------------------------

TWO_SYSTEMS = rm.evaluate(pl.concat([found_first(1), found_first(1, "b")]), own_item(1), "hit@1").layout


def told(counts: Mapping[str, Mapping[str, int]], layout: Layout = TWO_SYSTEMS, depth: int | None = 10) -> list[str]:
    """The warnings about the counts of systems, and of none."""
    rows = [(system, name, n) for system, of in counts.items() for name, n in of.items()]
    return [one.text for one in doubts(counts_of(rows), layout, depth)]


def test_a_few_lists_that_are_flat_by_nature_are_no_lists_turned_round() -> None:
    for bunched, n_warnings in (((18, 19), 0), ((92, 100), 0), ((123, 124), 0), ((8, 27), 1)):
        counts = {"sampled_hits_high": 964, "sampled_hits_low": 314, "lists_recommended": 400, "lists_scored": 400}
        counts |= dict(zip(("sampled_bunched_high", "sampled_bunched_low"), bunched, strict=True))
        assert len(told({"a": counts, "b": counts | {"sampled_bunched_low": 0}})) == n_warnings, bunched


# Names of counts in the table below.
SHORT = dict(
    pair.split("=")
    for pair in (
        "lists=lists_recommended scored=lists_scored missing=lists_missing items=recs_counted repeated=recs_repeated "
        "known=sampled_known relevant=sampled_relevant any=sampled_hits_of_any low=sampled_hits_low "
        "high=sampled_hits_high of=sampled_counted recs=sampled_recs_known new=lists_without_history "
        "gaps=lists_with_gaps"
    ).split()
)

# Words of a warning, the counts of system a, those of b, those of no system; with + where they are doubtful.
THRESHOLDS = """
+ repeat an item                    | repeated=10 items=1000
- repeat                            | repeated=10 items=1001
- repeat                            | repeated=9 items=9
+ repeat an item                    | repeated=11 items=1100
+ relevant items                    | | | known=10 relevant=1000
- relevant items                    | | | known=10 relevant=1001
- relevant items                    | | | known=9 relevant=9
+ of algorithm=b are items of the hi| lists=9 of=1000 recs=9 | lists=9 of=1000 recs=10 | relevant=100
- items of the history              | lists=9 of=1000 recs=9 | lists=9 of=1001 recs=10 | relevant=100
- items of the history              | lists=9 of=1000 recs=9 | lists=9 of=1000 recs=10 | relevant=100 known=1
+ rows of only 99 of the 1,000 lists of algorithm=b | lists=1000 | lists=1000 new=901
- rows of only                      | lists=1000 | lists=1000 new=900
- rows of only                      | lists=9 | lists=9 new=9
+ 10 of 1,000 lists of algorithm=b have gaps | lists=500 | lists=500 gaps=10
- have gaps                         | lists=500 | lists=501 gaps=10
- below chance                      | lists=10 low=1 high=9 | lists=10 low=600 high=500
+ below chance for algorithm=b: 500 of 1,101 | lists=10 low=1 high=9 | lists=10 low=601 high=500
- below chance                      | lists=10 low=1 high=9 | lists=10 low=118 high=90
+ below chance for algorithm=b      | lists=10 low=1 high=9 | lists=10 low=128 high=85
+ below chance for algorithm=b      | lists=10 low=1 high=9 | lists=10 low=9
- below chance                      | lists=10 low=1 high=9 | lists=10 low=8
- below chance                      | lists=10 low=124 high=123
+ 10 of 200 lists                   | lists=10 scored=200 missing=10
- of 201 lists                      | lists=10 scored=201 missing=10
- of 100 lists                      | lists=10 scored=100 missing=9
+ 990 of algorithm=b                | lists=1000 scored=1000 | lists=990 scored=1000 missing=10
- missing unequally                 | lists=1001 scored=1001 | lists=991 scored=1001 missing=10
- missing unequally                 | lists=800 scored=800 | lists=791 scored=800 missing=9
+ 8 items on average of algorithm=b | lists=10 items=100 | lists=10 items=80
- items on average                  | lists=10 items=100 | lists=10 items=81
- items on average                  | lists=10 items=100 | lists=9 items=40
"""


def test_counts_are_doubtful_from_a_threshold_on() -> None:
    for line in THRESHOLDS.strip().splitlines():
        words, *texts = line.split("|")
        counts: dict[str, dict[str, int]] = {}
        for system, text in zip(("a", "b", ""), texts, strict=False):
            counts[system] = {SHORT[name]: int(n) for name, n in (pair.split("=") for pair in text.split())}
        assert [words[2:].strip() in one for one in told(counts)] == [True] * (words[0] == "+"), line


def test_the_systems_that_are_doubtful_are_all_named() -> None:
    low = {"lists_recommended": 10, "sampled_hits_low": 50}
    sound = {"lists_recommended": 10, "sampled_hits_high": 50}
    assert "below chance for algorithm=a and algorithm=c: 0 of 100" in told({"a": low, "b": sound, "c": low})[0]
    assert "rank below chance: 0 of 100" in told({"a": low, "c": low})[0]


def test_what_stands_below_the_deepest_cutoff_makes_no_list_long() -> None:
    counts = {"a": {"lists_recommended": 10, "recs_counted": 1000}, "b": {"lists_recommended": 10, "recs_counted": 100}}
    assert told(counts, depth=10) == []
    assert told(counts, depth=None) == [
        "Lists differ in length: they have 10 items on average of algorithm=b and 100 of algorithm=a."
    ]


def test_rows_of_the_summary_are_compared_where_they_stand_for_the_same_lists() -> None:
    recs = found_first(1).with_columns(fold=pl.lit(1))
    layout = rm.evaluate(recs, own_item(1).with_columns(fold=pl.lit(1)), "hit@1", by=["fold", "algorithm"]).layout
    large = {"lists_recommended": 1000, "lists_scored": 1000, "recs_counted": 10_000}
    small = {"lists_recommended": 100, "lists_scored": 100, "recs_counted": 100}
    of_two_folds = [(fold, "a", name, n) for fold, of in ((1, large), (2, small)) for name, n in of.items()]
    assert list(doubts(counts_of(of_two_folds), layout, 10)) == []
    of_one_fold = [*of_two_folds, *((1, "b", name, n) for name, n in small.items())]
    assert [str(one).partition(":")[0] for one in doubts(counts_of(of_one_fold), layout, 10)] == [
        "Lists are missing unequally",
        "Lists differ in length",
    ]


def test_a_fold_that_one_side_lacks_is_doubtful_whatever_is_counted() -> None:
    recs, truth = found_first(1), own_item(1)
    of_recs = rm.evaluate(recs.with_columns(fold=pl.lit(1)), truth, "hit@1").layout
    assert told({}, of_recs) == ["The truth has no column 'fold': the same truth serves every fold."]
    of_truth = rm.evaluate(recs, truth.with_columns(fold=pl.lit(1)), "hit@1").layout
    (said,) = told({}, of_truth)
    assert said == (
        "Column 'fold' of the truth is not used: the recommendations have no column 'fold'. Rows of different folds "
        "are mixed."
    )
    other = rm.evaluate(recs.with_columns(variant=pl.lit(1)), truth, "hit@1").layout
    assert told({}, other) == []


# --- where it is said -------------------------------------------------------------------------------------------------


def test_a_result_warns_once_and_names_the_line_that_asked(engine: Engine) -> None:
    result = rm.evaluate(engine.give(two_items(10)), engine.give(second_item(10)), "hit@2")
    with pytest.warns(rm.RankMetricsWarning, match="rank below chance") as caught:
        result.collect()
    assert [one.filename for one in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.collect()
        result.check()


WRITTEN: Mapping[str, Callable[[str], str]] = {
    "the Unicode form of accents .NFC, NFD.": partial(unicodedata.normalize, "NFD"),
    "percent-encoding": quote,
    "their encoding": lambda text: text.encode().decode("latin-1"),
    "invisible characters": "\ufeff{}".format,
    "no-break and other blanks": lambda text: text.replace(" ", "\u00a0"),
    "quotes": '"{}"'.format,
    "blanks at their ends": "{}\r".format,
    "leading zeros": "00{}".format,
    "a decimal zero": "{}.0".format,
    "how a number is written": lambda text: f"{int(text):,}",
    "how a number is written .10,234": lambda text: f"{int(text):.4e}",
}


@pytest.mark.parametrize("difference", WRITTEN)
@each_engine
def test_ids_that_are_written_in_two_ways_are_found_with_the_difference(engine: Engine, difference: str) -> None:
    items = [f"{10_210 + n}" if difference.startswith("how") else f"caf\u00e9 {n + 10}" for n in range(20)]
    written = [WRITTEN[difference](item) if n % 2 else item for n, item in enumerate(items)]
    truth = engine.give(pl.DataFrame({"user": range(20), "item": items}))
    result = rm.evaluate(engine.give(pl.DataFrame({"user": range(20), "item": written, "score": 0.5})), truth, "rr")
    with pytest.warns(rm.RankMetricsWarning, match=f"ids .* differ from another id only in {difference}.*, such as"):
        assert result.collect()["rr"].item() == 0.5
    apart = engine.give(pl.DataFrame({"user": range(20), "item": map(WRITTEN[difference], items), "score": 0.5}))
    with pytest.raises(rm.DataError, match=f"No item is in both .* only in {difference}"):
        rm.evaluate(apart, truth, "rr").collect()


LABELS: Mapping[str, Any] = {"0 to 1": [0, 1], "-1 to 0.5": [-1.0, 0.5], "'no' to 'yes'": ["yes", "No"], "": [9, 99]}


@pytest.mark.parametrize("ends", LABELS)
@pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")
@each_engine
def test_a_column_of_few_labels_that_nothing_reads_is_asked_for(engine: Engine, ends: str) -> None:
    labels = pl.Series(LABELS[ends] * 10)
    truth = own_item(20).with_columns(verdict=labels, age_group=labels, n_items=labels, page=labels)
    result = rm.evaluate(engine.give(found_first(20)), engine.give(truth), "rr")
    result.collect()
    notes = [note for note in result.notes() if "nothing reads it" in note]
    assert len(notes) == bool(ends)
    words = f"'verdict' of the truth has 2 values, from {ends}, and", 'rm.Input(truth, columns={"rating": "verdict"})'
    assert all(word in note for note in notes for word in words)


def test_a_doubt_is_warned_of_once_per_truth_and_system() -> None:
    def n_warnings(n: int, system: str = "a", **options: object) -> int:
        recs = two_items(n).with_columns(algorithm=pl.lit(system))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            flat.evaluate(recs, second_item(n), "hit@2", **options).collect()
        return len(caught)

    assert [n_warnings(10), n_warnings(10), n_warnings(11), n_warnings(10, "b"), n_warnings(10)] == [1, 0, 1, 1, 0]


def test_warnings_keep_no_input_in_memory() -> None:
    recs, truth = two_items(10), second_item(10)
    inputs = weakref.ref(recs), weakref.ref(truth)
    with pytest.warns(rm.RankMetricsWarning, match="rank below chance"):
        rm.evaluate(recs, truth, "hit@2").collect()
    del recs, truth
    gc.collect()
    assert [reference() for reference in inputs] == [None, None]


def test_a_warning_that_is_an_error_is_raised_each_time_and_nothing_is_written(tmp_path: Path) -> None:
    result = rm.evaluate(two_items(10), second_item(10), "hit@2")
    with warnings.catch_warnings():
        warnings.simplefilter("error", rm.RankMetricsWarning)
        for _ in range(2):
            with pytest.raises(rm.RankMetricsWarning, match="rank below chance"):
                result.collect()
        with pytest.raises(rm.RankMetricsWarning, match="rank below chance"):
            result.write(tmp_path / "out.csv")
    assert [*tmp_path.iterdir()] == []


def test_printing_says_it_once_among_the_notes_and_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = rm.evaluate(two_items(10), second_item(10), "hit@2")
        assert repr(result).count("Warning: Relevant items rank below chance") == 1
        assert result._repr_html_().count("Warning: Relevant items rank below chance") == 1


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Recommendations by distance, which are taken for scores."""
    recs, truth = tmp_path / "recs.parquet", tmp_path / "truth.parquet"
    two_items(10).write_parquet(recs)
    second_item(10).write_parquet(truth)
    return recs, truth


def test_the_command_line_says_it_once_beside_a_file_with_the_option_as_a_flag(files: tuple[Path, Path]) -> None:
    out = files[0].with_name("out.csv")
    said = written("evaluate", *files, "-m", "hit@1", "-o", out)
    assert said.count("Warning: Relevant items rank below chance") == said.count("Warning: ") == 1
    assert "If a lower score is better, set --lower-is-better." in said
    assert out.read_text() == "algorithm,n_lists,n_missing,hit@1\na,10,0,0.0\n"
    mended = written("evaluate", *files, "-m", "hit@1", "-o", out, "--lower-is-better")
    assert "Warning" not in mended
    assert out.read_text() == "algorithm,n_lists,n_missing,hit@1\na,10,0,1.0\n"


def test_the_docs_have_a_heading_for_each_warning_and_no_other() -> None:
    page = (ROOT / "docs" / "warnings.md").read_text(encoding="utf-8")
    told_of = {*re.findall(r"^### .+\n\n`(.+?)`$", page, re.MULTILINE)}
    recs, truth = found_first(1), own_item(1)
    layouts = [
        rm.evaluate(recs.with_columns(fold=1), truth, "hit@1").layout,
        rm.evaluate(recs, truth.with_columns(fold=1), "hit@1").layout,
    ]
    of_folds = [one for layout in layouts for one in told({}, layout)]
    with pytest.warns(rm.RankMetricsWarning) as caught:
        rm.to_sql("recs", "truth", "hit@1", lists=["user"], dialect="duckdb")
    unordered = rm.evaluate(pl.DataFrame({"user": [1], "items": [[7, 8]], "scores": [[0.1, 0.9]]}), {1: [8]}, "hit@1")
    with pytest.warns(rm.RankMetricsWarning) as of_order:
        unordered.collect()
    policy = pl.DataFrame({"user": [*range(10)], "item": "a", "probability": 0.5, "expected_reward": 1.0})
    judged = pl.DataFrame({"user": [1, 2], "item": ["a", "a"], "rating": [1.0, 1.0]})
    with pytest.warns(rm.RankMetricsWarning) as of_policy:
        rm.evaluate(policy, metrics="dm", log=policy.select("user", "item", reward=1, propensity=0.5)).collect()
    by_judge = rm.evaluate({1: ["a"], 2: ["a"]}, judged, "hit@1")
    with pytest.warns(rm.RankMetricsWarning) as of_labels:
        by_judge.corrected(judged.with_columns(rating=5.0)).collect()
    with pytest.warns(rm.RankMetricsWarning) as unread:
        rm.evaluate({1: ["a"]}, pl.DataFrame({"user": 1, "item": [*"ab"], "verdict": [0, 1]}), "rr").collect()
    warned = [str(one.message) for one in (*caught, *of_order, *of_policy, *of_labels, *unread)]
    small = rm.Negatives(2, estimate="bias_variance", n_items=60)
    estimates = with_estimates([rm.parse("ndcg@5")], small)
    of_estimates = [str(one) for one in doubt_estimates(estimates, small, {"ndcg@5": 2.0})]
    ends = Standing(np.arange(20), np.zeros(20)), Standing(np.arange(20), np.ones(20))
    of_rankings = [str(one) for one in doubts_of_rankings(ends[1], "", lambda: ends[0])]
    sentences = [*of_rankings, *(one.says for one in CASES.values()), *of_folds, *warned, *of_estimates]
    assert all(len([phrase for phrase in told_of if phrase in one]) == 1 for one in sentences), sentences
    assert {phrase for phrase in told_of for one in sentences if phrase in one} == told_of


# --- Systems whose hits are no more than by chance are told from sound systems, popular items and random items --------


LISTS, LENGTH = 100, 10
TOTALS = {"sampled_lists": LISTS, "items_recommended": 1000, "items_judged": 1000, "sampled_relevant": 100}


def fits(*systems: tuple[int, int, float], **totals: int) -> Mapping[tuple[object, ...], Fit]:
    """The fits of systems with these hits, hits by chance, and overlap of their lists."""
    rows: dict[tuple[object, ...], Counter[str]] = {
        (name,): Counter(
            sampled_hits=hits,
            sampled_hits_of_any=chance * LISTS,
            sampled_pairs=round(LISTS * LENGTH * (1 + overlap * (LISTS - 1))),
            sampled_counted=LISTS * LENGTH,
            sampled_lists_recommended=LISTS,
            sampled_relevant_of_lists={**TOTALS, **totals}["sampled_relevant"],
        )
        for name, (hits, chance, overlap) in enumerate(systems)
    }
    return {row: Fit(counts, Counter({**TOTALS, **totals})) for row, counts in rows.items()}


SOUND = (900, 100, 0.1)

# Systems, further counts, and those of the systems that have no more hits than by chance.
CHANCE_CASES: list[tuple[list[tuple[int, int, float]], dict[str, int], list[int]]] = [
    ([(48, 40, 0.1)], {}, [0]),  # a weak system, with 1.75 times the hits of chance, has so few in 1 of 200 runs
    ([(49, 40, 0.1)], {}, []),
    ([SOUND, (47, 40, 0.1)], {}, [1]),  # of two rows, the smaller p-value must be below half of the level
    ([SOUND, (48, 40, 0.1)], {}, []),
    ([(125, 100, 0.1)], {}, [0]),
    ([(126, 100, 0.1)], {}, []),  # over a quarter more than by chance
    ([(1194, 1000, 0.1)], {}, [0]),
    ([(1195, 1000, 0.1)], {}, []),  # significantly more than by chance
    ([(40, 40, 0.1)], {}, [0]),
    ([(12, 12, 0.1)], {}, []),  # too few to tell
    ([(12, 12, 0.1)] * 4, {}, [0, 1, 2, 3]),  # together they are enough
    ([*[(12, 12, 0.1)] * 4, SOUND], {}, []),
    ([(118, 100, 0.5)], {}, [0]),
    ([(119, 100, 0.5)], {}, []),  # with so much overlap, a weak system has 1.5 times the hits of chance
    ([(100, 100, 0.9)], {}, []),  # no fewer than those of popular items that are not in the history
    ([(1000, 1000, 1)] * 4, {}, []),  # popular items, the same for all
    ([(100, 100, 0.1)], {"sampled_relevant": 200, "sampled_relevant_pairs": 20_000}, []),  # all lists have one truth
    ([(100, 100, 0.01)], {}, [0]),  # random items, alone
    ([SOUND, (100, 100, 0.01)], {}, []),  # random items beside a sound system
    ([(0, 0, 0.1)], {"sampled_relevant": 5000}, [0]),  # fewer than random items have
    ([(0, 0, 0.1)], {"sampled_relevant": 500}, []),
    ([(0, 0, 0.1)] * 4, {"sampled_relevant": 500}, [0, 1, 2, 3]),  # together they are enough
    ([(0, 0, 0.6)], {"sampled_relevant": 5000}, []),  # lists that are alike
    ([(200, 200, 1), (50, 50, 0.01)], {"sampled_relevant": 5000}, []),  # random items beside popular ones
    ([(50, 50, 1), (50, 50, 0.01)], {"sampled_relevant": 5000}, [1]),  # beside the same items for all, which are not
    ([(0, 0, 0.1)], {}, []),
]


@pytest.mark.parametrize(("systems", "totals", "expected"), CHANCE_CASES)
def test_systems_that_hit_by_chance_are_found(
    systems: list[tuple[int, int, float]], totals: dict[str, int], expected: list[int]
) -> None:
    assert [name for (name,) in by_chance(fits(*systems, **totals))] == expected


def test_more_lists_are_wanted_where_these_are_too_few_to_tell() -> None:
    cases: list[tuple[list[tuple[int, int, float]], bool]] = [
        ([(12, 12, 0.1)], True),
        ([SOUND, (12, 12, 0.1)], True),
        ([SOUND], False),
        ([(125, 100, 0.1)], False),
        ([(126, 100, 0.1)], True),
        ([(141, 100, 0.1)], False),
        ([(100, 100, 1)], False),
        ([SOUND, (12, 12, 0.01)], False),
    ]
    for systems, is_wanted in cases:
        assert is_undecided(fits(*systems)) is is_wanted, systems


def test_alike_lists_of_items_that_are_not_popular_are_found() -> None:
    skewed = {"sampled_relevant": 10_000, "sampled_relevant_pairs": 1_000_000}
    for is_found, system, totals in [
        (True, (100, 100, 1), {}),
        (False, (400, 400, 1), {}),  # popular items
        (False, (900, 100, 0.5), {}),  # sound
        (False, (100, 100, 0.4), {}),  # different lists
        (False, (100, 100, 1), {"items_judged": 99}),  # few items
        (False, (100, 100, 1), {"sampled_relevant_pairs": 110_000}),  # all items are relevant equally often
        (False, (1, 1, 1), {"sampled_relevant": 900, "sampled_relevant_pairs": 10_000}),  # few hits
    ]:
        (fit,) = fits(system, **{**skewed, **totals}).values()
        assert (fit.p_unpopular < LEVEL) is is_found, (system, totals)


def test_gapless_numbers_of_items_in_both_inputs_are_doubtful_without_many_hits() -> None:
    counts = {"items_recommended": 200, "items_judged": 100}
    gapless = {"items_recommended_gapless": 1, "items_judged_gapless": 1}
    for hits, others, is_doubtful in [
        (299, {}, True),
        (300, {}, False),
        (299, {"items_recommended": 100}, False),
        (299, {"items_judged": 99}, False),
        (299, {"items_judged_gapless": 0}, False),
    ]:
        totals = Counter({**counts, **gapless, **others})
        assert numbered_apart(fits((hits, 100, 0.1)), totals) is is_doubtful, (hits, others)


def test_repeats_that_the_caller_asked_to_remove_give_no_warning() -> None:
    chunks = pl.DataFrame({"user": [*range(20)] * 2, "item": "a", "chunk": [*range(40)], "rank": [1] * 20 + [2] * 20})
    truth = pl.DataFrame({"user": [*range(20)], "item": "a"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rm.evaluate(rm.Input(chunks, columns=rm.Columns(chunk="chunk")), truth, "rr").collect()
        rm.evaluate(chunks.drop("chunk"), truth, "rr", duplicates="first").collect()
    with pytest.warns(rm.RankMetricsWarning, match="20 of 40 recommendations repeat an item"):
        rm.evaluate(chunks.drop("chunk"), truth, ["rr", "rr(duplicates=first)"]).collect()
