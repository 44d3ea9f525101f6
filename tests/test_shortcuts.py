"""The shorter ways that queries take: each must give what the long way gives, and be taken where it is meant to."""

from __future__ import annotations

import gc
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects import base as dialect
from rankmetrics.dialects.count_by_item import counts_by_item
from rankmetrics.engines.duckdb_connection import opened_within
from rankmetrics.engines.out_of_core import Spilling
from rankmetrics.engines.polars import Polars, _as_one_number, _as_parts
from rankmetrics.planner import cache as planning
from rankmetrics.planner.plan import Plan
from rankmetrics.planner.sums import summed
from rankmetrics.sqltree import tree
from tests.drawing import examples
from tests.engines import means

SIX = ["ndcg@2", "recall@2", "precision@2", "ap@2", "rr@2", "hit@2"]
RECS = pl.DataFrame(
    {"user": [1, 1, 1, 2, 2, 3], "item": [10, 20, 30, 10, 40, 50], "score": [0.9, 0.5, 0.5, 0.1, 0.2, 1]}
)
TRUTH = pl.DataFrame({"user": [1, 1, 1, 2, 4], "item": [20, 30, 30, 40, 10]})


def asked(recs: object, truth: object, metrics: Any = SIX, **more: Any) -> list[tuple[Any, ...]]:
    """The summary's rows, whatever computes it."""
    result = rm.evaluate(recs, truth, metrics, **more)
    return means(result).rows()


# --- planning -------------------------------------------------------------------------------------------------------


def test_a_repeated_call_plans_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = rm.evaluate(RECS, TRUTH, SIX).summary().collect()
    monkeypatch.setattr(Plan, "__init__", lambda *_, **__: pytest.fail("what was planned is planned again"))
    monkeypatch.setattr(dialect, "text", lambda *_, **__: pytest.fail("what was written is written again"))
    assert rm.evaluate(RECS.head(6), TRUTH, SIX).summary().collect().equals(first)


def test_a_query_is_the_same_whatever_was_written_of_its_plan_before() -> None:
    metrics = ["ndcg@1..9", "recall@1..9", "ap@1..9", "bpref@2", "auc", "personalization@2"]

    def texts(result: rm.Result, dialects: list[str]) -> dict[tuple[str, str], str]:
        queries = {"summary": Plan.summary, "per list": Plan.per_list}
        found = result._asked
        return {(name, one): found.text(query, one)[0] for one in dialects for name, query in queries.items()}

    dialects = [one for one in dialect.DIALECTS if not dialect.DIALECTS[one].lacks]
    written = texts(rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), metrics), dialects)
    for one in dialects:
        planning._kept.clear()
        assert texts(rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), metrics), [one]).items() <= written.items()


def test_what_differs_in_a_label_a_column_or_a_choice_is_planned_anew() -> None:
    assert rm.evaluate(RECS, TRUTH, ["mrr"]).summary().collect_schema().names() == ["n_lists", "mrr"]
    assert rm.evaluate(RECS, TRUTH, ["rr"]).summary().collect_schema().names() == ["n_lists", "rr"]
    renamed = rm.evaluate(RECS.rename({"user": "who"}), TRUTH.rename({"user": "who"}), ["rr"]).per_list()
    assert renamed.collect_schema().names() == ["who", "rr"]
    skipped = rm.evaluate(RECS, TRUTH, ["rr"], missing="skip").summary().collect()
    assert skipped["n_lists"].item() == 2


def test_a_metric_that_is_defined_anew_is_planned_anew() -> None:
    rm.define("SELECT n_hits * 2 AS hits_twice_or_thrice FROM metrics")
    before = rm.evaluate(RECS, TRUTH, ["hits_twice_or_thrice"]).summary().collect()
    rm.define("SELECT n_hits * 3 AS hits_twice_or_thrice FROM metrics")
    after = rm.evaluate(RECS, TRUTH, ["hits_twice_or_thrice"]).summary().collect()
    assert after["hits_twice_or_thrice"].item() == 1.5 * before["hits_twice_or_thrice"].item()


def test_only_so_many_plans_are_kept() -> None:
    for k in range(1, planning.KEPT + 5):
        rm.evaluate(RECS, TRUTH, [f"hit@{k}"]).summary()
    assert len(planning._kept) == planning.KEPT


@pytest.mark.parametrize("enabled", [True, False])
def test_planning_leaves_the_collection_of_garbage_as_it_was(enabled: bool) -> None:
    was_on = gc.isenabled()
    try:
        gc.enable() if enabled else gc.disable()
        rm.evaluate(RECS, TRUTH, [f"hit@{random.randrange(10**6)}"]).summary()  # not planned before
        assert gc.isenabled() == enabled
        with pytest.raises(rm.MetricError):
            rm.evaluate(RECS, TRUTH, ["no metric"])
        assert gc.isenabled() == enabled
    finally:
        gc.enable() if was_on else gc.disable()


# --- ranks ----------------------------------------------------------------------------------------------------------


def ranked(scored: pl.DataFrame) -> pl.DataFrame:
    """The same lists with ranks in place of scores, found the long way."""
    order = scored.sort("score", "item", descending=[True, False])
    return order.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user", "day")).drop("score")


def many(lists: int, length: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists by two columns in random order, with ties, and a truth."""
    draw = random.Random(7)
    rows = [
        (user, day, item, draw.randrange(length // 2))
        for user in range(lists)
        for day in "ab"
        for item in draw.sample(range(length * 2), length)
    ]
    draw.shuffle(rows)
    recs = pl.DataFrame(rows, schema=["user", "day", "item", "score"], orient="row").cast({"score": pl.Float64})
    return recs, recs.select("user", "item").unique().filter(pl.col("item") % 7 == 0).sort("user", "item")


@pytest.mark.parametrize("cutoff", [1, 2, 20, 1200])
@pytest.mark.parametrize("ordered", ["true", "false"])
def test_duckdb_ranks_by_one_sort_as_the_long_way_does(cutoff: int, ordered: str, tmp_path: Path) -> None:
    recs, truth = many(3, 1500)
    recs.write_parquet(tmp_path / "recs.parquet", row_group_size=500)
    connection = duckdb.connect()
    connection.execute(f"SET preserve_insertion_order = {ordered}")
    metrics = [f"{name.split('@')[0]}@{cutoff}" for name in SIX]
    result = rm.evaluate(tmp_path / "recs.parquet", truth, metrics, connection=connection)
    assert "PARTITION BY" not in result.to_sql().split('"recommended" AS')[0]
    expected = means(rm.evaluate(ranked(recs), truth, metrics)).rows()
    assert means(result).rows() == [pytest.approx(row, abs=1e-12) for row in expected]


@pytest.mark.parametrize("cutoff", [2, 1200])
def test_duckdb_sorts_what_does_not_fit_into_memory_in_parts(
    cutoff: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recs, truth = many(20, 150)
    recs.write_parquet(tmp_path / "recs.parquet")
    metrics = [f"{name.split('@')[0]}@{cutoff}" for name in SIX]
    connection = duckdb.connect(config={"memory_limit": "100MB"})
    connection.execute(f"CREATE TABLE stored AS FROM '{tmp_path}/recs.parquet'")
    expected = rm.evaluate(recs, truth, metrics).per_list().collect().sort("user", "day")
    whole = means(rm.evaluate(recs.to_arrow(), truth, metrics))
    monkeypatch.setattr("rankmetrics.engines.duckdb.MEMORIES_A_PART", recs.height * 58 / 100e6 / 4.5)
    for recs_given in (tmp_path / "recs.parquet", "stored", connection.table("stored")):
        result = rm.evaluate(recs_given, truth, metrics, connection=connection)
        text = result.per_list().sql_query()
        assert text.upper().count("HASH(") == 5, "four and a half memories are five parts"
        assert "HASH(" not in result.to_sql(), "text is for anywhere"
        assert_frame_equal(result.per_list().pl().sort("user", "day"), expected, abs_tol=1e-12)
        assert_frame_equal(means(result), whole, abs_tol=1e-12)


def test_what_would_be_computed_anew_is_sorted_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankmetrics.engines.duckdb.MEMORIES_A_PART", 1e-9)
    RECS.write_csv(tmp_path / "recs.csv")
    connection = duckdb.connect()
    joined = connection.sql(
        f"FROM '{tmp_path}/recs.csv' JOIN (SELECT DISTINCT item FROM '{tmp_path}/recs.csv') USING (item)"
    )
    ranks = RECS.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user"))
    ranks.write_parquet(tmp_path / "ranks.parquet")
    for recs_given in (tmp_path / "recs.csv", joined, tmp_path / "ranks.parquet", RECS.to_arrow()):
        assert "HASH(" not in rm.evaluate(recs_given, TRUTH, SIX).summary().sql_query()


def test_what_is_read_beyond_the_cutoff_is_not_dropped() -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [40, 10], "score": [0.9, 0.8]})
    baseline = pl.DataFrame({"user": [1] * 4, "item": [10, 20, 30, 40], "score": [0.9, 0.8, 0.7, 0.6]})
    truth = pl.DataFrame({"user": [1], "item": [40]})
    for frames in ((recs, truth, baseline), (recs.to_arrow(), truth.to_arrow(), baseline.to_arrow())):
        result = rm.evaluate(frames[0], frames[1], ["least_item_promoted@1"], baseline=frames[2])
        assert means(result).rows() == [(1, 2.0)], "40 comes from place 4 of the baseline: 2 lay between"


def test_a_list_column_may_be_called_as_a_column_that_the_sort_reads() -> None:
    recs = pl.DataFrame({"item": ["a", "a", "b"], "sku": [3, 1, 2], "user": [0.1, 0.9, 0.5]})
    truth = pl.DataFrame({"item": ["a", "b"], "sku": [1, 2]})
    columns = rm.Columns(item="sku", score="user")
    for recs_given in (recs, recs.to_arrow()):
        assert asked(
            recs_given, truth, ["rr"], lists="item", columns=columns, truth_columns=rm.Columns(item="sku")
        ) == [(2, 1.0)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("scores", "best"),
    [
        (pl.Series([0.5, None, float("nan"), 0.25]), 10),
        (pl.Series([None, -(10**300), float("-inf"), None], dtype=pl.Float64), 20),
        (pl.Series([0.0, -0.0, -1.0, -2.0]), 10),
        (pl.Series([0, 2**64 - 1, 2**63, 1], dtype=pl.UInt64), 20),
        (pl.Series([-(2**63), 5, 2**63 - 1, 0], dtype=pl.Int64), 30),
        (pl.Series([Decimal("1.10"), Decimal("1.09"), Decimal("1.11"), None]), 30),
    ],
    ids=["nan and null", "minus infinity", "two zeros", "unsigned", "signed", "decimal"],
)
@pytest.mark.parametrize("ids", [pl.Int64, pl.UInt64, pl.Int128, pl.String])
def test_polars_ranks_by_its_own_key_as_its_sql_does(
    scores: pl.Series, best: int, ids: pl.DataType, monkeypatch: pytest.MonkeyPatch
) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1, 1], "item": [10, 20, 30, None], "score": scores})
    recs = recs.cast({"item": ids})
    each = [pl.DataFrame({"user": [1], "item": [one]}).cast({"item": ids}) for one in (10, 20, 30)]
    assert asked(recs, pl.DataFrame({"user": [1], "item": [best]}).cast({"item": ids}), ["rr"]) == [(1, 1.0)]
    short = [asked(recs, pl.concat(each), f"hit@{k}") for k in (1, 2, 3)]
    values = [asked(recs, truth, ["rr"]) for truth in each]
    monkeypatch.setattr(Polars, "rank", lambda *_: False)
    planning._kept.clear()
    assert [asked(recs, truth, ["rr"]) for truth in each] == values
    assert [asked(recs, pl.concat(each), f"hit@{k}") for k in (1, 2, 3)] == short


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.none() | st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3),
            st.none() | st.floats(width=32) | st.sampled_from([0.0, -0.0, 1e-40]),
        ),
        max_size=20,
    ),
    st.sampled_from([pl.Float32, pl.Float64]),
)
def test_one_number_ranks_as_its_parts_do(rows: list[tuple[int, int | None, float | None]], kind: pl.DataType) -> None:
    recs = pl.DataFrame(rows, schema={"user": pl.Int64, "item": pl.Int64, "score": kind}, orient="row")
    down, item = 0.0 - pl.col("score").fill_nan(None).cast(pl.Float64), pl.col("item")
    one, parts = _as_one_number(down, item, is_float=True), _as_parts(down, item)
    ranks = recs.select(item, one=one.rank("ordinal").over("user"), parts=parts.rank("ordinal").over("user"))
    found = ranks.filter(item.is_not_null())
    assert found["one"].to_list() == found["parts"].to_list()


# --- the truth ------------------------------------------------------------------------------------------------------


def test_the_truth_is_grouped_once_for_its_lists_and_their_sizes() -> None:
    sql = rm.evaluate(RECS, TRUTH, SIX).to_sql("duckdb")
    assert sql.count('FROM "judgments"') == 2, "once to be joined, once to be grouped"
    assert "truth_lists" not in sql


@pytest.mark.parametrize("missing", ["skip", "listed"])
def test_no_truth_is_grouped_of_lists_that_the_mean_leaves_out(missing: Any) -> None:
    result = rm.evaluate(RECS, TRUTH, SIX, missing=missing)
    assert 'JOIN "asked"' in result.to_sql("duckdb")
    assert 'JOIN "asked"' not in rm.evaluate(RECS, TRUTH, SIX).to_sql("duckdb")
    counts = dict(result.account().select("account", "n").collect().rows())
    assert (counts["truth_lists"], counts["truth_repeated"]) == (3, 1), "the account is of all of the truth"


@pytest.mark.parametrize("asking", [["bpref@2", "unjudged@2"], ["bpref@2"], ["unjudged@2"]])
def test_the_truth_is_joined_once_where_a_metric_asks_for_all_that_it_mentions(asking: list[str]) -> None:
    metrics = ["recall@2", *asking, "ap@2"]
    sql = rm.evaluate(RECS, TRUTH, metrics).to_sql("duckdb")
    assert sql.count('FROM "recommended"\n  JOIN') == 1
    apart = [asked(RECS, TRUTH, one)[0][1] for one in metrics]
    assert list(asked(RECS, TRUTH, metrics)[0][1:]) == pytest.approx(apart, abs=1e-12)


def test_duckdb_counts_different_items_by_one_grouping_where_several_counts_are_asked() -> None:
    result = rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), SIX)
    assert 'COUNT(DISTINCT "item"' not in result.account().sql_query()
    assert result.to_sql().count("COUNT(DISTINCT") == 1, "one count alone is as it is written"


ROWS = st.lists(st.tuples(*[st.none() | st.integers(0, 3)] * 3), max_size=12)


@given(ROWS)
@examples(100, shrunk=True)
def test_counts_by_item_are_what_they_stand_for(rows: list[tuple[int | None, ...]]) -> None:
    written = """
        SELECT g, COUNT(*) AS a, COUNT(DISTINCT i) AS b, COUNT(DISTINCT i) FILTER (WHERE r > 1) AS c,
            COUNT(DISTINCT i) FILTER (WHERE r < 2 AND g > 0) AS d
        FROM drawn AS t WHERE r IS NULL OR r < 3 GROUP BY g ORDER BY g
    """
    query = sqlglot.parse_one(written, read="duckdb")
    counts_by_item(query)
    rewritten = query.sql("duckdb")
    assert "DISTINCT" not in rewritten
    drawn = pl.DataFrame(rows, schema=dict.fromkeys("gir", pl.Int64), orient="row")
    with duckdb.connect() as connection:
        connection.register("drawn", drawn)
        assert connection.sql(rewritten).fetchall() == connection.sql(written).fetchall()


@pytest.mark.parametrize(
    "left",
    [
        "SELECT g, COUNT(DISTINCT i) AS a FROM t GROUP BY g",
        "SELECT g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT r) AS b FROM t GROUP BY g",
        "SELECT g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) FILTER(WHERE r > 1) AS b, SUM(r) AS c FROM t GROUP BY g",
        "SELECT g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) AS b, COUNT(*) FILTER(WHERE r > 1) AS c FROM t GROUP BY g",
        "SELECT COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) FILTER(WHERE r > 1) AS b FROM t",
        "SELECT t.g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) AS b FROM t JOIN u ON t.g = u.g GROUP BY t.g",
        "SELECT g, COUNT(*) AS n FROM (SELECT COUNT(DISTINCT i) AS g, COUNT(DISTINCT i) AS b FROM t) AS s GROUP BY g",
    ],
)
def test_what_is_more_than_counts_of_one_thing_is_left_as_it_is(left: str) -> None:
    query = sqlglot.parse_one(left, read="duckdb")
    counts_by_item(query)
    assert query.sql("duckdb") == left


# --- cutoffs --------------------------------------------------------------------------------------------------------


def test_what_is_summed_up_to_several_cutoffs_is_computed_once_for_each_row() -> None:
    metrics = ["dcg@1,2,3", "rbp@1,2,3"]
    sql = rm.evaluate(RECS, TRUTH, metrics).to_sql("duckdb")
    assert (sql.count("LN("), sql.count("POWER(")) == (2, 1), "LN(2) / LN(rank + 1)"
    apart = [asked(RECS, TRUTH, f"{name}@{k}")[0][1] for name in ("dcg", "rbp") for k in (1, 2, 3)]
    assert list(asked(RECS, TRUTH, metrics)[0][1:]) == pytest.approx(apart, abs=1e-12)


def test_a_list_column_may_be_called_as_what_is_computed_of_each_row() -> None:
    renamed = [one.rename({"user": "Each dcg"}) for one in (RECS, TRUTH)]
    for recs, truth in (renamed, [one.to_arrow() for one in renamed]):
        assert asked(recs, truth, "dcg@1,2") == asked(RECS, TRUTH, "dcg@1,2")


def test_nothing_is_computed_of_rows_that_no_cutoff_reaches() -> None:
    each = exp.cast(exp.Mul(this=tree.column("rank"), expression=tree.literal(60)), "tinyint")
    limits = {f"sum@{k}": exp.LTE(this=tree.column("rank"), expression=tree.literal(k)) for k in (1, 2)}
    sums = {name: tree.filtered(exp.Sum(this=each.copy()), where) for name, where in limits.items()}
    asked_of = {depth: summed(tree.table("ranks"), [], sums, depth).sql("duckdb") for depth in (2, 3, None)}
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE ranks AS SELECT 1 AS rank UNION ALL SELECT 2")
        assert [connection.sql(one).fetchall() for one in asked_of.values()] == [[(60, 180)]] * 3
        connection.execute("INSERT INTO ranks VALUES (3)")
        assert [connection.sql(asked_of[depth]).fetchall() for depth in (3, None)] == [[(60, 180)]] * 2
        with pytest.raises(duckdb.ConversionException, match="180"):
            connection.sql(asked_of[2]).fetchall()  # who says that a stage ends at 2 has no row at 3


# --- a limit of memory ----------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The two inputs as files."""
    RECS.write_parquet(tmp_path / "recs.parquet")
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    return tmp_path / "recs.parquet", tmp_path / "truth.parquet"


def test_lazy_frames_are_streamed_into_duckdb_within_a_limit_of_memory(files: tuple[Path, Path]) -> None:
    recs, truth = map(pl.scan_parquet, files)
    expected = rm.evaluate(recs, truth, SIX).summary().collect()
    result = rm.evaluate(recs, truth, SIX, memory_limit="500MB")
    found = result.summary()
    assert isinstance(found, pl.LazyFrame)
    assert found.collect_schema() == expected.schema
    assert found.collect().row(0) == pytest.approx(expected.row(0), abs=1e-12)
    assert result.per_list().collect().height == 3
    assert "truth_lists" in result.account().collect()["account"].to_list()


def test_frames_come_in_batches_and_duckdb_keeps_to_the_limit(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    streamed: list[list[str]] = []
    batches = pl.LazyFrame.collect_batches

    def recorded(frame: pl.LazyFrame, **options: Any) -> Any:
        streamed.append(frame.collect_schema().names())
        return batches(frame, **options)

    monkeypatch.setattr(pl.LazyFrame, "collect_batches", recorded)
    recs, truth = map(pl.scan_parquet, files)
    result = rm.evaluate(recs, truth, SIX, memory_limit="500MB")
    assert streamed == []
    result.summary().collect()
    assert {*map(tuple, streamed)} == {("user", "item", "score"), ("user", "item")}
    assert isinstance(result._engine, Spilling)
    setting = result._engine._connection.sql("SELECT current_setting('memory_limit')")
    assert setting.fetchall() == [("452.9 MiB",)], "of 500 MB a twentieth is kept back"


def test_a_limit_that_is_no_number_of_bytes_stays_as_it_is() -> None:
    asked_for = "SELECT current_setting('memory_limit')"
    with duckdb.connect(config={"memory_limit": "50%"}) as given, opened_within("50%") as opened:
        assert opened.execute(asked_for).fetchall() == given.execute(asked_for).fetchall()


def test_nothing_is_read_before_it_is_asked_for_within_a_limit_of_memory(files: tuple[Path, Path]) -> None:
    recs, truth = map(pl.scan_parquet, files)
    summary = rm.evaluate(recs, truth, SIX, memory_limit="500MB").summary()
    files[0].unlink()
    with pytest.raises(Exception, match=r"recs\.parquet"):
        summary.collect()


def test_scores_larger_than_the_limit_are_ranked_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spill = tmp_path / "spill"
    spill.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spill))
    rows = 2_000_000
    numbers = pl.LazyFrame({"n": pl.int_range(rows, eager=True)})
    shuffled = (pl.col("n") * 7919) % rows
    recs = numbers.select(user=shuffled // 100, item=shuffled % 100, score=(shuffled % 100) / 100)
    truth = numbers.filter(pl.col("n") < rows // 100).select(user="n", item=98)
    found = rm.evaluate(recs, truth, ["rr"], memory_limit="60MB").summary().collect()
    assert found.row(0) == (rows // 100, 0.5)
    del found
    gc.collect()
    assert list(spill.rglob("*")) == []


def test_files_are_computed_within_a_limit_of_memory(files: tuple[Path, Path]) -> None:
    relation = rm.evaluate(*files, SIX, memory_limit="500MB").summary()
    assert isinstance(relation, duckdb.DuckDBPyRelation)
    assert relation.fetchall() == [pytest.approx(asked(*files)[0], abs=1e-12)]


@pytest.mark.parametrize("limit", ["a lot", "", "2 parsecs"])
def test_a_limit_of_memory_that_is_none_is_refused(files: tuple[Path, Path], limit: str) -> None:
    with pytest.raises(rm.InputError, match="memory_limit="):
        rm.evaluate(*files, SIX, memory_limit=limit)


def test_whoever_brings_a_connection_sets_its_limit_there(files: tuple[Path, Path]) -> None:
    connection = duckdb.connect()
    with pytest.raises(rm.InputError, match="set the limit there"):
        rm.evaluate(*files, SIX, memory_limit="1GB", connection=connection)
    with pytest.raises(rm.InputError, match="set the limit there"):
        rm.evaluate(connection.read_parquet(str(files[0])), files[1], SIX, memory_limit="1GB")


def test_a_limit_of_memory_is_refused_for_a_table_of_ibis() -> None:
    ibis = pytest.importorskip("ibis")
    recs = ibis.memtable(pl.DataFrame({"user": [1], "item": [1], "score": [1.0]}))
    with pytest.raises(rm.InputError, match="memory_limit= is for files and frames"):
        rm.evaluate(recs, recs, SIX, memory_limit="1GB")
