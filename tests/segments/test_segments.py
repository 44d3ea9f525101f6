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
from tests.segments import twin
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


def every_kind(engine: Engine) -> dict[str, Any]:
    return {
        "gender": (engine.give(USERS), "gender"),
        "activity": rm.buckets("n_history", 3),
        "cold": "cold",
        "genre": engine.give(ITEMS),
    }


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_a_row_per_segmentation_segment_and_system(engine: Engine) -> None:
    assert rows(evaluated(engine).segments(every_kind(engine))) == [*GENDER, *ACTIVITY, *COLD, *GENRE]


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


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_the_summary_is_lazy_and_in_the_kind_of_the_recommendations(engine: Engine) -> None:
    summary = evaluated(engine).segments({"gender": (engine.give(USERS), "gender")}).summary()
    assert isinstance(summary, pl.LazyFrame if engine.name == "polars" else duckdb.DuckDBPyRelation)
    assert engine.read(summary).rows() == GENDER


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_the_other_numbers_are_the_size_of_the_truth_and_the_popularity_of_its_items(engine: Engine) -> None:
    found = evaluated(engine).segments({"size": rm.buckets("n_relevant", 2), "popularity": rm.buckets("popularity", 3)})
    # the history of 2 users has x, of 2 users z, of 5 users y
    assert [row[:4] for row in rows(found)] == [
        ("size", "1", "a", 6),
        ("size", "1", "b", 6),
        ("popularity", "2", "a", 5),
        ("popularity", "2", "b", 5),
        ("popularity", "5", "a", 1),
        ("popularity", "5", "b", 1),
    ]


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_buckets_of_a_column_count_the_rows_of_the_table_and_keep_null_apart(engine: Engine) -> None:
    found = evaluated(engine).segments({"age": rm.buckets(engine.give(USERS), "age", 4)})
    assert [row[1:4] for row in rows(found)] == [
        ("20", "a", 2),
        ("20", "b", 2),
        ("30.5", "a", 1),
        ("30.5", "b", 1),
        (None, "a", 3),
        (None, "b", 3),
    ]


def test_the_aggregates_are_those_of_the_result_and_numbers_of_systems_are_left_out() -> None:
    found = rm.evaluate(RECS, TRUTH, ["hit@1", "coverage@1"], catalog=ITEMS, aggregates=["mean", "median"])
    frame = found.segments({"gender": (USERS, "gender")}).collect()
    assert frame.columns == ["segmentation", "segment", "system", "n_lists", "hit@1", "hit@1 median"]


def test_by_decides_the_rows() -> None:
    frame = rm.evaluate(RECS, TRUTH, "hit@1", by=[]).segments({"gender": (USERS, "gender")}).collect()
    assert frame.rows() == [("gender", "f", 4, 0.5), ("gender", "m", 4, 0.5), ("gender", None, 4, 0.25)]


def test_columns_that_are_called_as_ours_keep_their_names() -> None:
    recs, truth = RECS.rename({"system": "segment"}), TRUTH
    frame = rm.evaluate(recs, truth, {"position": "hit@1"}).segments({"gender": (USERS, "gender")}).collect()
    assert frame.columns == ["segmentation", "segment_2", "segment", "n_lists", "position"]
    assert frame.rows() == GENDER


def test_a_segmentation_may_be_by_systems() -> None:
    kinds = pl.DataFrame({"system": ["a", "b"], "kind": ["neural", "simple"]})
    found = rm.evaluate(RECS, TRUTH, "hit@1").segments({"kind": kinds})
    assert rows(found) == [("kind", "neural", "a", 6, 0.5), ("kind", "simple", "b", 6, pytest.approx(1 / 3))]
    assert found.reversals().height == 0


def test_the_list_column_may_have_another_usual_name() -> None:
    users = USERS.select("gender", user_id="user")
    assert rows(rm.evaluate(RECS, TRUTH, "hit@1").segments({"gender": users})) == GENDER


def test_tables_are_files_and_frames_of_any_kind(tmp_path: Path) -> None:
    paths = {}
    for name, frame in {"recs": RECS, "truth": TRUTH, "users": USERS}.items():
        paths[name] = str(tmp_path / f"{name}.parquet")
        frame.write_parquet(paths[name])
    of_files = rm.evaluate(paths["recs"], paths["truth"], "hit@1")
    assert rows(of_files.segments({"gender": (paths["users"], "gender")})) == GENDER
    assert rows(of_files.segments({"gender": (USERS, "gender")})) == GENDER
    assert rows(rm.evaluate(RECS, TRUTH, "hit@1").segments({"gender": (paths["users"], "gender")})) == GENDER
    limited = rm.evaluate(RECS, TRUTH, "hit@1", memory_limit="1GB")
    assert rows(limited.segments({"gender": (USERS, "gender")})) == GENDER


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


def test_words_need_no_mapping_and_segments_may_be_asked_twice() -> None:
    found = rm.evaluate(RECS, TRUTH, "hit@1", history=HISTORY)
    assert rows(found.segments("cold")) == COLD
    assert found.segments(["cold", "activity"]).names == ("cold", "activity")
    for _ in range(2):
        assert rows(found.segments({"gender": (USERS, "gender")})) == GENDER
    assert found.collect().height == 2


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


def test_it_prints_a_table_for_each_segmentation() -> None:
    segments = rm.evaluate(RECS, TRUTH, "hit@1", history=HISTORY).segments(
        {"gender": (USERS, "gender"), "cold": "cold"}
    )
    text = repr(segments)
    assert text.count("n_lists") == 2
    assert "(none)" in text
    assert "<td>(none)</td>" in segments._repr_html_()


# --- the twin ---------------------------------------------------------------------------------------------------------


@settings(max_examples=8, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 6), min_size=1, max_size=12),
    hits=st.lists(st.booleans(), min_size=12, max_size=12),
    n=st.integers(2, 5),
)
def test_buckets_are_those_of_the_twin(sizes: list[int], hits: list[bool], n: int) -> None:
    users = range(len(sizes))
    truth = pl.DataFrame({"user": [*users], "item": [0] * len(sizes)})
    recs = pl.DataFrame({"system": "a", "user": [*users], "item": [0 if hits[one] else 9 for one in users], "rank": 1})
    other = pl.DataFrame(
        {"system": "a", "user": [-1], "item": [0], "rank": 1}
    )  # some item of the truth is always there
    recs = pl.concat([recs, other])
    table = pl.DataFrame({"user": [*users], "size": sizes})
    place = twin.buckets(sizes, n)
    expected = twin.means({("a", one): float(hits[one]) for one in users}, {one: place[sizes[one]][1] for one in users})
    in_order = sorted({place[one] for one in sizes})
    for engine in LOCAL:
        given_table = rm.buckets(engine.give(table), "size", n)
        found = rm.evaluate(engine.give(recs), engine.give(truth), "hit@1").segments({"size": given_table})
        frame = engine.read(found.summary())
        assert [row[1] for row in frame.rows()] == [text for _, text in in_order]
        for _, segment, system, n_lists, mean in frame.rows():
            count, value = expected[segment, system]
            assert (n_lists, mean) == (count, pytest.approx(value))


def test_an_item_table_gives_the_numbers_of_a_truth_that_is_cut_by_hand() -> None:
    metrics = ["ndcg@10", "recall@10", "rr"]
    recs, truth = map(pl.read_parquet, _sample())
    items = truth.select("item").unique().with_columns(odd=pl.col("item") % 2)
    found = rm.evaluate(recs, truth, metrics).segments({"odd": items}).collect()
    for odd in (0, 1):
        cut = truth.join(items.filter(odd=odd), on="item", how="semi")
        whole = rm.evaluate(recs, cut, metrics).collect().drop("n_missing", "n_undefined", strict=False)
        of_segment = found.filter(segment=str(odd)).drop("segmentation", "segment")
        assert of_segment.columns == whole.columns
        for one, other in zip(of_segment.rows(), whole.rows(), strict=True):
            assert one == pytest.approx(other)


def test_means_over_segments_add_up_to_the_whole() -> None:
    recs, truth = _sample()
    history = str(Path(recs).with_name("history.parquet"))
    result = rm.evaluate(recs, truth, "ndcg@10", history=history)
    whole = dict(result.collect().select("algorithm", "ndcg@10").rows())
    frame = result.segments("activity").collect()
    for system, mean in whole.items():
        of_system = frame.filter(algorithm=system)
        sizes = of_system["n_lists"].to_list()
        total = sum(n * value for n, value in zip(sizes, of_system["ndcg@10"].to_list(), strict=True))
        assert total / sum(sizes) == pytest.approx(mean)


def _sample() -> tuple[str, str]:
    from rankmetrics._files import data_folder

    return str(data_folder() / "recs.parquet"), str(data_folder() / "truth.parquet")


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
