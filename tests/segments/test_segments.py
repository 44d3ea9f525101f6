"""Metrics per segment of lists, by hand and like a plain-Python twin; gaps; reversals; what is refused."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankmetrics as rm
from rankmetrics._files import data_folder
from rankmetrics.errors import WARNED, ColumnError, DataError, DialectError, InputError, MetricError, RankMetricsWarning
from tests.support import flat
from tests.support.engines import DATABASES, LOCAL, SPARK, Engine, need, polars_and_later_duckdb
from tests.support.refusals import refusal

# System a finds the items of users 1, 2 and 5; system b those of users 3 and 4, and recommends nothing to user 6.
RECS = pl.DataFrame(
    {
        "system": ["a"] * 6 + ["b"] * 5,
        "user": [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5],
        "item": ["x", "x", "y", "y", "z", "x", "y", "y", "x", "z", "x"],
        "rank": [1] * 11,
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3, 4, 5, 6], "item": ["x", "x", "x", "z", "z", "y"]})
HISTORY = pl.DataFrame(
    {
        "user": [1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5],
        "item": ["y", "y", "z", "y", "z", "x", "y", "v", "w", "x", "y", "v", "w"],
    }
)
USERS = pl.DataFrame(
    {"user": [1, 2, 3, 4, 9], "gender": ["m", "f", "f", "m", "f"], "age": [30.5, 20.0, 20.0, None, 70.0]}
)
ITEMS = pl.DataFrame({"item": ["x", "y", "z", "z"], "genre": ["drama", "comedy", "comedy", "drama"]})


# --- `Result.segments`: metrics per segment of lists, on every engine, by hand and like a plain-Python twin -----------


pytestmark = pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")


def evaluated(engine: Engine, metrics: Any = "hit@1", **options: Any) -> rm.Result:
    return flat.evaluate(
        engine.give(RECS), engine.give(TRUTH), metrics, history=engine.give(HISTORY), **engine.options, **options
    )


def rows(segments: rm.Segments) -> list[tuple[Any, ...]]:
    return segments.collect().rows()


GENDER = [
    ("gender", "f", "a", 2, 0.5),
    ("gender", "f", "b", 2, 0.5),
    ("gender", "m", "a", 2, 0.5),
    ("gender", "m", "b", 2, 0.5),
    ("gender", None, "a", 2, 0.5),
    ("gender", None, "b", 2, 0.0),
]
ACTIVITY = [
    ("activity", "0 to 1", "a", 2, 0.5),
    ("activity", "0 to 1", "b", 2, 0.0),
    ("activity", "2", "a", 2, 0.5),
    ("activity", "2", "b", 2, 0.5),
    ("activity", "4", "a", 2, 0.5),
    ("activity", "4", "b", 2, 0.5),
]
COLD = [
    ("cold", "cold", "a", 1, 0.0),
    ("cold", "cold", "b", 1, 0.0),
    ("cold", "warm", "a", 5, 0.6),
    ("cold", "warm", "b", 5, 0.4),
]
# x is the relevant item of users 1, 2 and 3, y of user 6, z (of both genres) of users 4 and 5
GENRE = [
    ("genre", "comedy", "a", 3, pytest.approx(1 / 3)),
    ("genre", "comedy", "b", 3, pytest.approx(1 / 3)),
    ("genre", "drama", "a", 5, 0.6),
    ("genre", "drama", "b", 5, 0.4),
]


# two of the users with an age are 20; the history of 2 users has x, of 2 users z, of 5 users y
NUMBERS = [
    ("age", "20", "a", 2),
    ("age", "20", "b", 2),
    ("age", "30.5", "a", 1),
    ("age", "30.5", "b", 1),
    ("age", None, "a", 3),
    ("age", None, "b", 3),
    ("size", "1", "a", 6),
    ("size", "1", "b", 6),
    ("popularity", "2", "a", 5),
    ("popularity", "2", "b", 5),
    ("popularity", "5", "a", 1),
    ("popularity", "5", "b", 1),
]


def every_kind(engine: Engine) -> dict[str, Any]:
    return {
        "gender": (engine.give(USERS), "gender"),
        "activity": rm.buckets("n_history", 3),
        "cold": "cold",
        "genre": engine.give(ITEMS),
    }


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_a_row_per_segmentation_segment_and_system(engine: Engine) -> None:
    numbers = {
        "age": rm.buckets(engine.give(USERS), "age", 4),
        "size": rm.buckets("n_relevant", 2),
        "popularity": rm.buckets("popularity", 3),
    }
    segments = evaluated(engine).segments({**every_kind(engine), **numbers})
    assert isinstance(segments.summary(), pl.LazyFrame if engine.name == "polars" else duckdb.DuckDBPyRelation)
    assert rows(segments)[:-12] == [*GENDER, *ACTIVITY, *COLD, *GENRE]
    assert [row[:4] for row in rows(segments)[-12:]] == NUMBERS


@pytest.mark.long
@pytest.mark.parametrize("engine", DATABASES, ids=str)
def test_databases_agree(engine: Engine) -> None:
    need(engine)
    segments = evaluated(engine).segments(every_kind(engine))
    assert rows(segments) == [*GENDER, *ACTIVITY, *COLD, *GENRE]
    assert segments.reversals().height == 4


@pytest.mark.long
def test_spark_agrees() -> None:
    need(SPARK)
    summary = evaluated(SPARK).segments({"gender": (SPARK.give(USERS), "gender"), "genre": SPARK.give(ITEMS)}).summary()
    assert SPARK.read(summary).rows() == [*GENDER, *GENRE]


def test_segments_keep_by_and_aggregates_and_leave_out_metrics_of_systems() -> None:
    found = rm.evaluate(
        RECS,
        TRUTH,
        ["hit@1", "coverage@1"],
        catalog=ITEMS,
        aggregates=["mean", "worst(0.9)", "worst(0.9) standard_error"],
        by=[],
    )
    frame = found.segments({"gender": (USERS, "gender")}).collect()
    labels = ["hit@1", "hit@1 worst(0.9)", "hit@1 worst(0.9) standard_error"]
    assert frame.columns == ["segmentation", "segment", "n_lists", *labels]
    # of four lists, 0.9 are 3.6: three of 0 and 0.6 of 1; the error of the mean is sqrt(3 / 4 / 3 / 4)
    assert frame.rows()[2] == ("gender", None, 4, 0.25, pytest.approx(0.6 / 3.6), pytest.approx(1 / 4 / 0.9))


def test_columns_that_are_called_as_ours_keep_their_names() -> None:
    recs, truth = RECS.rename({"system": "segment"}), TRUTH
    frame = rm.evaluate(recs, truth, {"position": "hit@1"}).segments({"gender": (USERS, "gender")}).collect()
    assert frame.columns == ["segmentation", "segment_2", "segment", "n_lists", "position"]
    assert frame.rows() == GENDER


def test_segments_may_be_of_systems_and_lists_have_columns_of_other_names() -> None:
    kinds = pl.DataFrame({"system": ["a", "b"], "kind": ["neural", "simple"]})
    segments = rm.evaluate(RECS, TRUTH, "hit@1").segments(
        {"kind": kinds, "gender": USERS.select("gender", user_id="user")}
    )
    expected = [("kind", "neural", "a", 6, 0.5), ("kind", "simple", "b", 6, pytest.approx(1 / 3)), *GENDER]
    assert rows(segments) == expected
    assert segments.reversals()["segmentation"].to_list() == ["gender"]


def test_tables_of_a_connection_are_named() -> None:
    with duckdb.connect() as connection:
        for name, frame in {"recs": RECS, "truth": TRUTH, "users": USERS, "items": ITEMS}.items():
            connection.register(name, frame.to_arrow())
        result = rm.evaluate("recs", "truth", "hit@1", connection=connection)
        given = {"gender": ("users", "gender"), "items": "items", "selected": "SELECT user, gender FROM users"}
        segments = result.segments(given)
        assert [row[1:] for row in rows(segments)] == [row[1:] for row in [*GENDER, *GENRE, *GENDER]]
        assert connection.sql(segments.to_sql()).fetchall() == rows(segments)
        with pytest.raises(rm.DialectError, match=r"'selected' are a SELECT, .* tables={'selected': \"db.table\"}"):
            segments.to_sql("snowflake")


def test_a_partition_stands_beside_the_segments_of_items() -> None:
    recs, truth = (one.with_columns(day=pl.col("user") % 2) for one in (RECS, TRUTH))
    result = rm.evaluate(recs, truth, "hit@1", by=["system", "day"])
    assert rows(result.segments({"genre": ITEMS}))[:4] == [
        ("genre", "comedy", "a", 0, 2, 0.0),
        ("genre", "comedy", "a", 1, 1, 1.0),
        ("genre", "comedy", "b", 0, 2, 0.5),
        ("genre", "comedy", "b", 1, 1, 0.0),
    ]


def test_the_text_runs_where_it_is_asked_for(tmp_path: Path) -> None:
    segments = rm.evaluate(RECS, TRUTH, "hit@1", history=HISTORY).segments(
        {"gender": (USERS, "gender"), "activity": rm.buckets("n_history", 3), "genre": ITEMS}
    )
    text = segments.to_sql(
        "duckdb",
        recs="recs",
        truth="truth",
        history="history",
        tables={"gender": "users", "genre": "items"},
    )
    with duckdb.connect() as connection:
        for name, frame in {"recs": RECS, "truth": TRUTH, "history": HISTORY, "users": USERS, "items": ITEMS}.items():
            connection.register(name, frame.to_arrow())
        assert connection.sql(text).fetchall() == [*GENDER, *ACTIVITY, *GENRE]
    for dialect in ("snowflake", "bigquery", "spark", "tsql"):
        assert "gender_segments" in segments.to_sql(dialect).lower()
    named = rm.evaluate(RECS.rename({"system": "systemId"}), TRUTH, "hit@1").segments({"gender": (USERS, "gender")})
    for quote_names, name in ((False, "SYSTEMID"), (True, "systemId")):
        text = named.to_sql("snowflake", quote_names=quote_names)
        assert {column for column in re.findall(r'"(\w+)"', text) if column.lower() == "systemid"} == {name}


def test_it_prints_a_table_for_each_segmentation_and_words_need_no_mapping() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@1", history=HISTORY)
    segments = result.segments({"gender": (USERS, "gender"), "cold": "cold"})
    text = repr(segments)
    assert text.count("n_lists") == 2
    assert "(none)" in text
    assert "<td>(none)</td>" in segments._repr_html_()
    with_system = rm.evaluate(RECS, TRUTH, ["hit@1", "coverage@1"], catalog=ITEMS).segments(
        {"gender": (USERS, "gender")}
    )
    assert "coverage" not in repr(with_system)
    words = result.segments(["cold", "activity"])
    assert words.names == ("cold", "activity")
    assert rows(words)[:4] == COLD


# --- the twin ---------------------------------------------------------------------------------------------------------


def bucket_texts(values: list[int], n: int) -> dict[int, str]:
    """The bucket of each value, in the order of the values, as its range in words."""
    ordered = sorted(values)
    place = {value: ordered.index(value) * n // len(values) for value in ordered}
    texts = {}
    for value in place:
        inside = [other for other in place if place[other] == place[value]]
        texts[value] = f"{inside[0]}" if len(inside) == 1 else f"{inside[0]} to {inside[-1]}"
    return texts


@settings(max_examples=4, deadline=None)
@given(sizes=st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=12))
def test_buckets_are_those_of_the_twin(sizes: list[tuple[int, bool]]) -> None:
    table = pl.DataFrame(sizes, schema=["size", "hit"], orient="row").with_row_index("user")
    truth = table.select("user", item=0)
    recs = table.select("user", item=pl.when("hit").then(0).otherwise(9), rank=1)
    outside = pl.DataFrame({"user": [99], "item": [0], "rank": [1]}, schema=recs.schema)  # some item is always in both
    expected: list[tuple[Any, ...]] = []
    for n in (2, 3, 5):
        texts = bucket_texts(table["size"].to_list(), n)
        hits: dict[str, list[bool]] = {text: [] for text in texts.values()}
        for size, hit in sizes:
            hits[texts[size]].append(hit)
        expected += [(f"{n}", text, len(of), pytest.approx(sum(of) / len(of))) for text, of in hits.items()]
    for engine in LOCAL:
        buckets = {f"{n}": rm.buckets(engine.give(table), "size", n) for n in (2, 3, 5)}
        result = rm.evaluate(engine.give(pl.concat([recs, outside])), engine.give(truth), "hit@1")
        assert engine.read(result.segments(buckets).summary()).rows() == expected


@polars_and_later_duckdb
def test_infinite_and_very_large_numbers_are_in_the_outer_buckets(engine: Engine) -> None:
    for number, names in {"inf": ["1 to 2", "inf"], "-inf": ["-inf to 1", "2"], "1e300": ["1 to 2", "1e+300"]}.items():
        users = pl.DataFrame({"user": [1, 2, 3], "size": [1.0, 2.0, float(number)]})
        segments = evaluated(engine).segments({"size": rm.buckets(engine.give(users), "size", 2)})
        assert [name for name in dict.fromkeys(segments.collect()["segment"]) if name] == names, number


def test_an_item_table_gives_the_numbers_of_a_truth_that_is_cut_by_hand() -> None:
    metrics = ["ndcg@10", "recall@10", "rr"]
    recs, truth = (pl.read_parquet(data_folder() / f"{name}.parquet") for name in ("recs", "truth"))
    items = truth.select("item").unique().with_columns(odd=pl.col("item") % 2)
    found = rm.evaluate(recs, truth, metrics).segments({"odd": items}).collect()
    for odd in (0, 1):
        cut = truth.join(items.filter(odd=odd), on="item", how="semi")
        whole = rm.evaluate(recs, cut, metrics).collect().drop("n_missing", "n_undefined", strict=False)
        of_segment = found.filter(segment=str(odd)).drop("segmentation", "segment")
        assert of_segment.columns == whole.columns
        for one, other in zip(of_segment.rows(), whole.rows(), strict=True):
            assert one == pytest.approx(other)


def test_segments_take_a_column_of_their_own_name_and_sizes_of_the_truth() -> None:
    segments = rm.evaluate(RECS, TRUTH, "hit@1").segments({"gender": USERS, "size": rm.buckets("n_relevant", 2)})
    assert rows(segments)[:-2] == GENDER


def test_a_system_without_lists_in_a_segment_of_items_scores_0_there() -> None:
    recs = pl.DataFrame({"system": ["a", "a", "b"], "user": [1, 2, 1], "item": ["x", "y", "x"], "rank": [1, 1, 1]})
    truth = pl.DataFrame({"user": [1, 2], "item": ["x", "y"]})
    items = pl.DataFrame({"item": ["x", "y"], "genre": ["drama", "comedy"]})
    assert rows(rm.evaluate(recs, truth, "hit@1").segments({"genre": items})) == [
        ("genre", "comedy", "a", 1, 1.0),
        ("genre", "comedy", "b", 1, 0.0),
        ("genre", "drama", "a", 1, 1.0),
        ("genre", "drama", "b", 1, 1.0),
    ]


# --- `Segments.gaps`: how unequal the segments are --------------------------------------------------------------------


def test_a_gap_lies_between_the_lowest_and_the_highest_mean_of_each_system(engine: Engine) -> None:
    """The dramas x and z are found by 3 lists of 5 by system a, by 2 of 5 by b; the comedies y and z by 1 of 3."""
    frame = evaluated(engine).segments({"genre": engine.give(ITEMS)}).gaps()
    assert frame.select("segmentation", "metric", "system", "n_segments", "lowest", "highest").rows() == [
        ("genre", "hit@1", system, 2, "comedy", "drama") for system in "ab"
    ]
    assert frame["difference"].to_list() == pytest.approx([3 / 5 - 1 / 3, 2 / 5 - 1 / 3])
    assert frame["ratio"].to_list() == pytest.approx([(1 / 3) / (3 / 5), (1 / 3) / (2 / 5)])
    ends = frame.select("difference_low", "difference_high", "ratio_low", "ratio_high").rows()
    assert ends == [(None,) * 4] * 2  # a list may have dramas and comedies


def test_a_column_of_the_users_keeps_its_name_in_a_table_of_gaps() -> None:
    recs = pl.DataFrame({"metric": ["x", "x", "y"], "user": [1, 2, 1], "item": [1, 2, 1], "rank": [1, 1, 1]})
    truth = pl.DataFrame({"user": [1, 2], "item": [1, 1]})
    groups = pl.DataFrame({"user": [1, 2], "g": ["p", "q"]})
    gaps = rm.evaluate(recs, truth, "rr").segments({"g": groups}).gaps()
    assert gaps.select("segmentation", "metric_2", "metric", "highest").rows() == [("g", "rr", of, "p") for of in "xy"]


def test_the_interval_of_a_gap_holds_for_any_two_segments() -> None:
    ranks = {"a": [1, 1, 2, 1, 3, 1], "b": [2, 4, 1, 3], "c": [5, 2, 2, 4, 9], "alone": [2]}
    lists = [(f"{name}{place}", name, rank) for name, of in ranks.items() for place, rank in enumerate(of)]
    frame = pl.DataFrame(lists, schema=["user", "group", "rank"], orient="row").with_columns(item=pl.lit("x"))
    result = rm.evaluate(frame.select("user", "item", "rank"), frame.select("user", "item"), "rr", ranks="given")
    of_three = frame.filter(pl.col("group") != "alone").select("user", "group")
    (row,) = result.segments({"group": of_three}).gaps(confidence=0.9).to_dicts()
    assert (row["lowest"], row["highest"]) == ("c", "a")
    a, b, c = ([1 / rank for rank in ranks[name]] for name in "abc")
    theirs = stats.tukey_hsd(a, b, c, equal_var=False).confidence_interval(0.9)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((theirs.low[0, 2], theirs.high[0, 2]))
    of_two = of_three.filter(pl.col("group") != "b")
    (row,) = result.segments({"group": of_two}).gaps().to_dicts()
    welch = stats.ttest_ind(a, c, equal_var=False).confidence_interval()
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(welch)
    errors = [np.std(values, ddof=1) / np.sqrt(len(values)) / np.mean(values) for values in (a, c)]
    width = stats.t.isf(0.025, sum(e**2 for e in errors) ** 2 / (errors[0] ** 4 / 5 + errors[1] ** 4 / 4))
    width *= np.sqrt(sum(e**2 for e in errors))
    ratio = np.mean(c) / np.mean(a)
    assert (row["ratio"], row["ratio_low"]) == pytest.approx((ratio, ratio * np.exp(-width)))
    with_alone = frame.filter(pl.col("group").is_in(["a", "alone"])).select("user", "group")
    (row,) = result.segments({"group": with_alone}).gaps().to_dicts()
    assert (row["lowest"], row["difference_low"], row["ratio_high"]) == ("alone", None, None)
    with refusal(InputError, "confidence must be between 0 and 1, as in 0.95, and is 95."):
        result.segments({"group": of_two}).gaps(95)


def test_segments_are_compared_by_the_aggregates_that_have_an_interval() -> None:
    ranks = {"a": [1, 1, 2, 1, 3, 1], "b": [2, 4, 5, 3, 3]}
    lists = [(f"{name}{place}", name, rank) for name, of in ranks.items() for place, rank in enumerate(of)]
    frame = pl.DataFrame(lists, schema=["user", "group", "rank"], orient="row").with_columns(item=pl.lit("x"))
    inputs = frame.select("user", "item", "rank"), frame.select("user", "item")
    asked = ["median", "worst(0.5)", "mean"]
    segments = rm.evaluate(*inputs, "rr", ranks="given", aggregates=asked).segments({"group": frame["user", "group"]})
    worst, mean = segments.gaps().to_dicts()
    assert (worst["metric"], mean["metric"]) == ("rr worst(0.5)", "rr")
    lowest, highest = (1 / 5 + 1 / 4 + 0.5 * 1 / 3) / 2.5, (1 / 3 + 1 / 2 + 1) / 3
    assert (worst["lowest_mean"], worst["highest_mean"]) == pytest.approx((lowest, highest))
    clipped = [1 / 5, 1 / 4, 1 / 3, 1 / 3, 1 / 3], [1 / 3, 1 / 2, 1, 1, 1, 1]
    welch = stats.ttest_ind(*(np.divide(values, 0.5) for values in clipped), equal_var=False).confidence_interval()
    half = (welch.high - welch.low) / 2
    ends = worst["difference"] - worst["difference_low"], worst["difference_high"] - worst["difference"]
    assert ends == pytest.approx((half, half))
    only_medians = rm.evaluate(*inputs, "rr", ranks="given", aggregates="median")
    assert only_medians.segments({"group": frame["user", "group"]}).gaps()["metric"].to_list() == ["rr"]


# --- `Segments.reversals`: systems whose order differs between segments, and the test of interaction ------------------


# Users of five groups. The first group is large, and there a finds everything and b nothing; in every other group, it
# is the other way round, for one user of two.
GROUPS = [(group, place) for group, size in enumerate((100, 20, 20, 20, 20)) for place in range(size)]
REVERSAL_USERS = [f"{group}-{place}" for group, place in GROUPS]
FOUND = [
    (system, user, "x" if (system == "a") == (group == 0) and (group == 0 or place % 2 == 0) else "y", 1)
    for system in "ab"
    for user, (group, place) in zip(REVERSAL_USERS, GROUPS, strict=True)
]
PARADOX = (
    pl.DataFrame(FOUND, schema=["system", "user", "item", "rank"], orient="row"),
    pl.DataFrame({"user": REVERSAL_USERS}).with_columns(item=pl.lit("x")),
)
GROUP = {"group": pl.DataFrame({"user": REVERSAL_USERS, "group": [f"group {group}" for group, _ in GROUPS]})}
SENTENCE = (
    "a is significantly better than b in hit@1 over all lists, but significantly worse in 4 of 5 segments of group."
)


def test_simpsons_paradox_is_found_by_hand_and_collect_warns_once() -> None:
    segments = rm.evaluate(*PARADOX, "hit@1").segments(GROUP)
    with pytest.warns(RankMetricsWarning) as caught:
        segments.collect()
    shown = [warning.message for warning in caught if isinstance(warning.message, RankMetricsWarning)]
    assert shown[-1].text == SENTENCE
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        segments.collect()
        frame = segments.reversals()
    assert frame.drop("f").to_dicts() == [
        {
            "segmentation": "group",
            "metric": "hit@1",
            "system_a": "a",
            "system_b": "b",
            "difference": pytest.approx((100 - 40) / 180),
            "n_segments": 5,
            "n_reversed": 4,
            "n_lists": 180,
            "n_lists_reversed": 80,
            "is_simpson": True,
            "p_interaction": None,  # the differences of the first group are all equal
            "p_interaction_adjusted": None,
        }
    ]
    assert [note.partition(" More: ")[0] for note in segments.notes()] == [f"Warning: {SENTENCE}"]
    assert SENTENCE in repr(segments)
    WARNED.clear()
    with pytest.warns(RankMetricsWarning, match="4 of 5 segments of group"):
        rm.evaluate(*PARADOX, "hit@1").segments(GROUP).reversals()


def test_segments_of_alike_systems_that_are_reversed_by_chance_are_not_warned_of() -> None:
    random = np.random.default_rng(5)
    for n_lists in (60, 600):
        users = pl.DataFrame({"user": range(n_lists), "group": random.integers(0, 5, n_lists)})
        recs = [(system, user, "xy"[random.integers(2)], 1) for system in "ab" for user in range(n_lists)]
        truth = users.select("user", item=pl.lit("x"))
        frame = pl.DataFrame(recs, schema=["system", "user", "item", "rank"], orient="row")
        segments = rm.evaluate(frame, truth, "hit@1").segments({"group": users})
        assert segments.notes() == []


def test_a_reversal_that_chance_explains_is_counted_without_a_warning() -> None:
    few = pl.DataFrame({"user": [f"{group}-{place}" for group, place in GROUPS if place < (20 if group == 0 else 4)]})
    segments = rm.evaluate(PARADOX[0].join(few, on="user"), few.with_columns(item=pl.lit("x")), "hit@1").segments(GROUP)
    assert segments.notes() == []
    assert segments.reversals().select("n_reversed", "is_simpson").rows() == [(4, False)]


def test_lists_that_a_system_lacks_warn_with_the_numbers_of_both() -> None:
    users = pl.DataFrame({"user": range(100), "item": 1}).with_columns(group=pl.col("user") % 2)
    recs = users.select("user", "item", rank=1)
    whole, crashed = recs.with_columns(system=pl.lit("whole")), recs[:40].with_columns(system=pl.lit("crashed"))
    segments = rm.evaluate(pl.concat([whole, crashed]), users.drop("group"), "hit@1").segments(
        {"group": users.drop("item")}
    )
    with pytest.warns(RankMetricsWarning, match="whole has 100 lists, crashed 40, and 40 are of both"):
        segments.collect()
    (note,) = segments.notes()
    assert "the difference in hit@1 is -0.6000; over the 40 lists of both it is +0.0000" in note
    arms = pl.concat([whole[:30], recs[30:].with_columns(system=pl.lit("treatment"))])
    result = rm.evaluate(arms, users.drop("group"), "hit@1")
    segments = result.segments({"group": users.drop("item")})
    lists = "treatment has 70 lists, whole 30, and 0 are of both: reversals leave this pair out"
    with pytest.warns(RankMetricsWarning, match=f"{lists}. This looks like an experiment with arms"):
        segments.collect()
    assert segments.reversals().height == 0
    own = rm.evaluate(arms, users.drop("group"), "hit@1", missing="skip").segments({"group": users.drop("item")})
    assert own.notes() == [lists]
    assert own.collect()["hit@1"].to_list() == [1.0] * 4
    assert own.reversals().height == 0


def test_arms_are_compared_in_each_segment_over_their_own_lists() -> None:
    random = np.random.default_rng(6)
    users = np.arange(800)
    recs = pl.DataFrame({"system": np.where(users % 2, "a", "b"), "user": users, "rank": 1, "group": users // 2 % 2})
    hits = random.random(800) < np.where((users % 2) == (users // 2 % 2), 0.3, 0.7)
    recs = recs.with_columns(item=pl.Series(np.where(hits, 1, 2)))
    truth, groups = pl.DataFrame({"user": users, "item": 1}), recs.select("user", "group")
    result = rm.evaluate(recs.drop("group"), truth, "hit@1", missing="skip")
    (row,) = result.segments({"group": groups}, paired=False).reversals().to_dicts()
    values = recs.with_columns(hit=pl.Series(hits.astype(float)))
    of = {key: frame["hit"].to_numpy() for key, frame in values.group_by("group", "system")}
    differences = [of[group, "a"].mean() - of[group, "b"].mean() for group in (0, 1)]
    variances = [sum(of[group, arm].var(ddof=1) / 200 for arm in "ab") for group in (0, 1)]
    assert row["n_lists"] == 800
    assert row["f"] == pytest.approx((differences[0] - differences[1]) ** 2 / sum(variances), rel=1e-9)
    assert row["p_interaction"] < 1e-9
    with refusal(rm.InputError, "Arms are compared over their own lists", 'missing="skip"'):
        rm.evaluate(recs.drop("group"), truth, "hit@1").segments({"group": groups}, paired=False)


def test_tests_of_segments_take_the_lists_of_a_user_as_a_cluster() -> None:
    generator = np.random.default_rng(3)
    keys = [(system, user, day) for system in "ab" for user in range(20) for day in range(5)]
    recs = pl.DataFrame(keys, schema=["system", "user", "day"], orient="row").with_columns(rank=1)
    recs = recs.with_columns(item=pl.Series([int(item) for item in generator.integers(0, 2, len(keys))]))
    truth = recs.filter(system="a").select("user", "day", item=1)
    users = pl.DataFrame({"user": range(20)}).with_columns(group=pl.col("user") % 2)
    result = rm.evaluate(recs, truth, "hit@1", lists=["system", "user", "day"])
    (row,) = result.segments({"group": users}).reversals().to_dicts()
    lists = result.collect(per_list=True).join(users, on="user")
    differences = lists.group_by("group", "user").agg(
        (pl.col("hit@1") * pl.when(system="a").then(1).otherwise(-1)).sum() / 5
    )
    of_group = [differences.filter(group=group)["hit@1"].to_numpy() for group in (0, 1)]
    assert row["p_interaction"] == pytest.approx(stats.f_oneway(*of_group, equal_var=False).pvalue)
    assert row["p_interaction_adjusted"] == row["p_interaction"]


def test_of_a_metric_that_is_neither_better_higher_nor_lower_the_note_says_higher() -> None:
    history = pl.DataFrame({"user": ["0", "1", "2"], "item": ["x", "x", "y"]})
    [note] = rm.evaluate(*PARADOX, "popularity@1", history=history).segments(GROUP).notes()
    assert (
        "a is significantly higher than b in popularity@1 over all lists, but significantly lower in 4 of 5 segments"
        in note
    )


def _random() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    generator = np.random.default_rng(7)
    n = 60
    recs = [
        (system, user, int(item), rank)
        for system in ("a", "b", "c")
        for user in range(n)
        for rank, item in enumerate(generator.permutation(12)[:5], 1)
    ]
    truth = [(user, int(item)) for user in range(n) for item in generator.choice(12, 1 + user % 4, replace=False)]
    groups = [(user, "xyz"[user % 3]) for user in range(n - 5)]
    return (
        pl.DataFrame(recs, schema=["system", "user", "item", "rank"], orient="row"),
        pl.DataFrame(truth, schema=["user", "item"], orient="row"),
        pl.DataFrame(groups, schema=["user", "group"], orient="row"),
    )


@pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")
@polars_and_later_duckdb
def test_the_test_of_interaction_is_scipys(engine: Engine) -> None:
    recs, truth, groups = _random()
    result = rm.evaluate(engine.give(recs), engine.give(truth), ["ndcg@5", "recall@3"])
    reversals = result.segments({"group": engine.give(groups)}).reversals()
    assert reversals.height == 2 * 3
    lists = result.collect(per_list=True).join(groups, on="user", how="left")
    for row in reversals.to_dicts():
        metric = row["metric"]
        of_a, of_b = (lists.filter(system=row[system]).sort("user") for system in ("system_a", "system_b"))
        differences = of_a.select("group", difference=pl.col(metric) - of_b[metric])
        whole = differences["difference"].to_numpy().mean()
        by_group = [differences.filter(group=group)["difference"].to_numpy() for group in "xyz"]
        reverse = [group for group in by_group if round(float(group.mean()), 12) * round(whole, 12) < 0]
        expected = stats.f_oneway(*by_group, equal_var=False)
        assert row["f"] == pytest.approx(expected.statistic, rel=1e-9)
        assert row["p_interaction"] == pytest.approx(expected.pvalue, rel=1e-9)
        assert row["difference"] == pytest.approx(whole)
        assert (row["n_reversed"], row["n_lists_reversed"]) == (len(reverse), sum(map(len, reverse)))


@pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")
def test_systems_of_several_columns_are_compared_as_text_and_one_with_nothing() -> None:
    users = pl.DataFrame({"user": [1, 2, 3, 4, 5, 6], "group": [1, 1, 1, 2, 2, 2]})
    recs = RECS.with_columns(seed=1).rename({"system": "model"})
    frame = rm.evaluate(recs, TRUTH, "hit@1", lists=["model", "seed", "user"]).segments({"group": users}).reversals()
    assert frame.select("system_a", "system_b").rows() == [("a, 1", "b, 1")]
    alone = rm.evaluate(RECS.filter(system="a").drop("system"), TRUTH, "hit@1").segments({"group": users})
    assert alone.reversals().height == 0
    assert alone.notes() == []


@pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")
def test_scipy_is_asked_for_by_the_name_of_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    recs, truth, groups = _random()
    segments = rm.evaluate(recs, truth, "ndcg@5").segments({"group": groups})
    with pytest.raises(InputError, match=r"pip install 'rankmetrics-sql\[statistics\]'"):
        segments.reversals()
    assert segments.collect().height == 12  # numbers need no SciPy


# --- Bad segments are refused, and the error says what to do ----------------------------------------------------------


def _segments(segments: object, metrics: str = "hit@1", **options: Any) -> rm.Segments:
    return flat.evaluate(RECS, TRUTH, metrics, **options).segments(segments)


GENDERS = USERS.select("user", "gender")


SCHEMAS: list[tuple[Any, type[rm.RankMetricsError], str]] = [
    ({}, InputError, "Segments are given by their names"),
    (7, InputError, "There was 7."),
    ({3: GENDERS}, InputError, "Segments are given by their names"),
    (GENDERS, InputError, "There was a DataFrame."),
    ("activty", InputError, "no segments called 'activty'.*Did you mean 'activity'"),
    ("gender", InputError, "give the table, too: result.segments({'gender': (table, 'gender')})"),
    ("n_history", InputError, "put it into buckets, as in rm.buckets('n_history', 5)"),
    ("activity", InputError, "computed from the history, and none was given: evaluate with history="),
    ({"p": rm.buckets("popularity")}, InputError, "computed from the history"),
    ({"g": "nothere.parquet"}, InputError, "'nothere.parquet'"),
    ({"g": 7}, InputError, "No engine reads the kind of the segments_g: builtins.int"),
    ({"g": USERS}, ColumnError, "It has 'gender' and 'age' beside 'user'. Name it: {'g': (table, \"column\")}"),
    ({"g": (USERS, "gendr")}, ColumnError, "no column 'gendr'.*Did you mean 'gender'"),
    ({"g": USERS.select("user")}, ColumnError, "It has 'user'."),
    ({"g": USERS.select("gender", "age")}, ColumnError, "g"),
    ({"g": GENDERS.cast({"user": pl.String})}, ColumnError, "nothing would match"),
    ({"g": ITEMS.cast({"item": pl.Categorical}).with_columns(item=1)}, ColumnError, "nothing would match"),
    ({"g": GENDERS.with_columns(gender=pl.concat_list("gender"))}, ColumnError, "cannot be of the column 'gender'"),
    ({"g": rm.buckets(GENDERS)}, ColumnError, "need a column of numbers, and 'gender' is string"),
    ({"g": rm.buckets(ITEMS.with_columns(genre=1))}, ColumnError, "buckets are for lists"),
]


def test_what_schemas_tell_is_refused_at_once() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@1")
    for segments, error, message in SCHEMAS:
        with refusal(error, *message.split(".*"), case=segments):
            result.segments(segments)


def test_buckets_are_counted_by_a_whole_number_and_made_of_a_known_number() -> None:
    for n in (1, 0, -3, 1001, 2.5, True):
        with refusal(InputError, "whole number from 2 to 1000", case=n):
            rm.buckets("n_history", n=n)  # type: ignore[arg-type]  # the mistake is meant
    for n in (2.5, float("inf")):
        with refusal(InputError, "whole number from 2 to 1000", case=n):
            rm.buckets("n_history", n)  # type: ignore[arg-type]
    with refusal(InputError, "'n_histori' of a list: ", "Did you mean 'n_history'", "name its column"):
        rm.buckets("n_histori", 5)


def test_evaluations_that_have_no_such_segments_are_refused() -> None:
    with refusal(InputError, "each list is ranked among candidates"):
        _segments({"g": ITEMS}, sample=2, catalog=ITEMS)
    with refusal(MetricError, "is a number of a system"):
        _segments({"g": GENDERS}, "coverage@1", catalog=ITEMS)
    scored = RECS.with_columns(score=-pl.col("rank")).drop("rank")
    segments = rm.evaluate(scored, TRUTH, "hit@1", ties="input").segments({"g": GENDERS})
    with refusal(DialectError, "order of the rows"):
        segments.to_sql("snowflake")
    segments = rm.evaluate(RECS, TRUTH.with_columns(item=pl.lit("q")), "hit@1").segments({"g": GENDERS})
    with refusal(DataError, "No item is in both"):
        segments.collect()


def test_two_rows_for_a_list_are_refused_with_samples_and_null_keys_are_not() -> None:
    segments = _segments({"g": pl.concat([GENDERS, GENDERS.head(2)])})
    for compute in (segments.collect, segments.__repr__):
        with refusal(DataError, "several rows for the same user, such as 1 (2 rows) and 2 (2 rows)"):
            compute()
    table = pl.concat([GENDERS, GENDERS.head(2).with_columns(user=pl.lit(None, pl.Int64))])
    assert _segments({"g": table}).collect().height == 6


def test_a_table_that_puts_nothing_into_a_segment_is_refused() -> None:
    for table, message in (
        (GENDERS.with_columns(user=pl.col("user") + 100), "'g' hold no list: its values are all NULL, or no id"),
        (GENDERS.with_columns(gender=pl.lit(None, pl.String)), "'g' hold no list"),
        (GENDERS.clear(), "'g' hold no list"),
        (ITEMS.with_columns(item=pl.lit("v")), "'g' hold no relevant item"),
    ):
        with refusal(DataError, message):
            _segments({"g": table}).collect()


def test_a_name_with_quotes_stays_a_text() -> None:
    name = """O'Neil"; DROP TABLE x --"""
    assert _segments({name: GENDERS}).collect()["segmentation"].unique().to_list() == [name]
