"""`Result.segments`: metrics per segment of lists, on every engine, by hand and like a plain-Python twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics._files import data_folder
from tests.segments.examples import HISTORY, ITEMS, RECS, TRUTH, USERS
from tests.support.engines import DATABASES, LOCAL, SPARK, Engine, need

pytestmark = pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")


def evaluated(engine: Engine, metrics: Any = "hit@1", **options: Any) -> rm.Result:
    return rm.evaluate(
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


def test_by_and_the_aggregates_are_those_of_the_result_and_numbers_of_systems_are_left_out() -> None:
    found = rm.evaluate(RECS, TRUTH, ["hit@1", "coverage@1"], catalog=ITEMS, aggregates=["mean", "median"], by=[])
    frame = found.segments({"gender": (USERS, "gender")}).collect()
    assert frame.columns == ["segmentation", "segment", "n_lists", "hit@1", "hit@1 median"]
    assert frame.rows()[2] == ("gender", None, 4, 0.25, 0.0)


def test_columns_that_are_called_as_ours_keep_their_names() -> None:
    recs, truth = RECS.rename({"system": "segment"}), TRUTH
    frame = rm.evaluate(recs, truth, {"position": "hit@1"}).segments({"gender": (USERS, "gender")}).collect()
    assert frame.columns == ["segmentation", "segment_2", "segment", "n_lists", "position"]
    assert frame.rows() == GENDER


def test_a_segmentation_may_be_by_systems_and_a_list_column_may_have_another_usual_name() -> None:
    kinds = pl.DataFrame({"system": ["a", "b"], "kind": ["neural", "simple"]})
    segments = rm.evaluate(RECS, TRUTH, "hit@1").segments(
        {"kind": kinds, "gender": USERS.select("gender", user_id="user")}
    )
    expected = [("kind", "neural", "a", 6, 0.5), ("kind", "simple", "b", 6, pytest.approx(1 / 3)), *GENDER]
    assert rows(segments) == expected
    assert segments.reversals()["segmentation"].to_list() == ["gender"]


def test_tables_are_files_and_frames_of_any_kind(tmp_path: Path) -> None:
    users = str(tmp_path / "users.parquet")
    USERS.write_parquet(users)
    of_frames, in_bounded_memory = (rm.evaluate(RECS, TRUTH, "hit@1", memory_limit=limit) for limit in (None, "1GB"))
    for result, table in ((of_frames, users), (in_bounded_memory, USERS)):
        assert rows(result.segments({"gender": (table, "gender")})) == GENDER, table


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


def test_ibis_agrees() -> None:
    ibis = pytest.importorskip("ibis")
    backend = ibis.polars.connect({"recs": RECS, "truth": TRUTH, "users": USERS, "items": ITEMS})
    result = rm.evaluate(backend.table("recs"), backend.table("truth"), "hit@1")
    found = result.segments({"gender": (backend.table("users"), "gender"), "genre": backend.table("items")})
    assert rows(found) == [*GENDER, *GENRE]


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_lists_that_are_ranked_by_score_have_the_same_segments(engine: Engine) -> None:
    scored = RECS.with_columns(score=-pl.col("rank")).drop("rank")
    result = rm.evaluate(engine.give(scored), engine.give(TRUTH), "hit@1")
    segments = result.segments({"gender": (engine.give(USERS), "gender"), "genre": engine.give(ITEMS)})
    assert rows(segments) == [*GENDER, *GENRE]
    assert "input_rank" not in segments.to_sql("duckdb", recs="r", truth="t")


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


def test_it_prints_a_table_for_each_segmentation_and_words_need_no_mapping() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@1", history=HISTORY)
    segments = result.segments({"gender": (USERS, "gender"), "cold": "cold"})
    text = repr(segments)
    assert text.count("n_lists") == 2
    assert "(none)" in text
    assert "<td>(none)</td>" in segments._repr_html_()
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


@pytest.mark.parametrize("engine", LOCAL, ids=str)
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


def test_a_column_called_as_the_segmentation_and_sizes_of_the_truth_need_nothing_else() -> None:
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
