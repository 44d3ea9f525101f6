"""The query as text: of files, of frames and of tables, in every dialect; its length, its inputs, its counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, grammar
from rankmetrics.export.statements import Statement, without_header
from tests.support import flat
from tests.support.commands import by_hand
from tests.support.engines import EVERY, Engine, means, need
from tests.support.extra_inputs import ALL, OF_ALL
from tests.support.extra_inputs import RECS as EXTRA_RECS
from tests.support.extra_inputs import TRUTH as EXTRA_TRUTH
from tests.support.refusals import RECS as RANKED
from tests.support.refusals import refusal
from tests.support.scans import OVER, SIX_AT_THREE, n_steps, scans
from tests.support.two_systems import RECS, RECS_PATH, TRUTH, TRUTH_PATH


def test_the_sql_of_files_gives_the_summary_when_run_by_hand() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg(gain=linear)@10", "rr", "err@5", "auc"])
    assert_frame_equal(by_hand(result.to_sql()), means(result))
    assert_frame_equal(
        by_hand(result.to_sql("duckdb", per_list=True)), result.collect(per_list=True), check_row_order=False
    )


def test_the_sql_of_files_keeps_their_paths_and_whatever_is_in_them(tmp_path: Path) -> None:
    RECS.write_parquet(tmp_path / "it's.parquet")
    result = rm.evaluate(
        [tmp_path / "it's.parquet"], rm.Input(TRUTH_PATH.parent / "truth.parquet", lists=["user"]), "rr"
    )
    assert "it''s.parquet" in result.to_sql()


def test_the_sql_of_frames_names_tables_called_as_the_inputs_are() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    by_polars = pl.SQLContext(recs=RECS, truth=TRUTH).execute(result.to_sql()).collect()
    assert_frame_equal(by_polars, means(result))
    with duckdb.connect() as connection:
        connection.register("recs", RECS)
        connection.register("truth", TRUTH)
        rows = connection.execute(result.to_sql("duckdb")).fetchall()
    assert rows == [pytest.approx(row) for row in means(result).rows()]


def test_the_sql_takes_the_names_of_tables() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, "hit@5")
    text = result.to_sql(recs="wh.r", truth='"my truth"')
    assert 'FROM "wh"."r" AS "recs"' in text
    assert 'FROM "my truth" AS "truth"' in text
    assert "parquet" not in text.lower()


def test_the_sql_of_files_is_of_every_dialect() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, "ndcg@5")
    for dialect in DIALECTS:
        text = result.to_sql(dialect, recs="wh.r", quote_names=True)
        assert exp.to_table("wh.r").sql(grammar(dialect), identify=True) in text, dialect
        truth = exp.to_identifier("truth", quoted=True).sql(grammar(dialect))
        assert f"FROM {truth}" in text or dialect == "duckdb", dialect
        assert without_header(text).startswith("WITH "), dialect


def test_a_reference_of_dbt_stays_as_it_is_in_every_dialect() -> None:
    for dialect in DIALECTS:
        text = flat.to_sql("{{ ref('recs') }}", " {{ source('a', 'b') }}", "hit@10", lists="user", dialect=dialect)
        assert "recommendations {{ ref('recs') }}, truth {{ source('a', 'b') }}, a list" in text, dialect
        assert text.count("FROM {{ ref('recs') }}") == 1, dialect
        assert "FROM {{ source('a', 'b') }}" in text, dialect


def test_an_unknown_dialect_and_what_cannot_name_a_table_are_refused() -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    with pytest.raises(rm.DialectError, match="Did you mean 'snowflake'"):
        result.to_sql("snowflak")
    with pytest.raises(rm.DialectError, match="cannot be the name of a table"):
        result.to_sql("postgres", recs='"wh')


# --- How long a text for a warehouse is, and how often it reads the inputs where an engine computes each step anew ----


SCORES: dict[str, Any] = {"columns": rm.Columns(score="score")}
LIST = "a list for each algorithm, user"


def written(metrics: list[str], dialect: str = "trino", **more: Any) -> str:
    return without_header(flat.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **{**OVER, **more}))


def test_ndcg_has_a_step_for_each_file_that_it_reads() -> None:
    for dialect in DIALECTS:
        text = written(["ndcg@10"], dialect)
        assert n_steps(text, dialect) <= 18, dialect
        n_lines = 130 if dialect == "clickhouse" else 115  # it has to name each qualified column
        assert len(text.splitlines()) <= n_lines, dialect


@pytest.mark.parametrize("options", [{}, SCORES], ids=["ranks", "scores"])
def test_six_metrics_at_three_cutoffs_have_as_many_steps_as_one(options: Any) -> None:
    """The recommendations for the hits and for the systems, the truth for the hits and for its lists."""
    assert n_steps(written(SIX_AT_THREE, **options), "trino") <= 18
    for metrics in (["ndcg@10"], SIX_AT_THREE):
        reads = scans(written(metrics, **options), "trino")
        assert (reads["recs"], reads["truth"]) == (2, 2), metrics
    assert written(["ndcg@10"], **options).count("OVER (") == (1 if options else 0)  # scores are sorted once


def test_a_text_says_at_its_head_what_it_is() -> None:
    text = flat.to_sql("db.recs", "db.truth", ["ndcg@5,10", "hit@5"], dialect="trino", **OVER)
    assert text.splitlines()[:3] == [
        f"-- Written by rankmetrics {rm.__version__} for recommendations db.recs, truth db.truth, {LIST}.",
        "-- ndcg@5, ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.",
        f"-- hit@5: {rm.parse('hit@5').definition.summary}",
    ]


def test_no_name_ends_the_comment_at_the_head() -> None:
    options: dict[str, Any] = {"lists": ["user"], "by": [], "truth_columns": rm.Columns(item="item")}
    text = flat.to_sql('"recs\nDROP TABLE x; --"', "truth", "hit@5", dialect="postgres", **options)
    assert without_header(text).startswith("WITH ")
    assert ";" not in text[: text.index("WITH ")]


# --- The query for a warehouse reads the further inputs from the tables that were named -------------------------------


LISTS: dict[str, Any] = {"lists": ["user"], "dialect": "duckdb"}


def test_the_query_for_a_warehouse_names_its_columns() -> None:
    columns = {"items": rm.Columns(category="genre"), "history": rm.Columns(item="bought")}
    inputs: dict[str, Any] = {name: name for name in ("items", "history", "baseline")}
    for baseline, text in (
        (rm.Columns(rank="spot"), 'CAST("spot" AS BIGINT) AS "rank"'),
        (rm.Columns(score="p"), "NULLIF(\"p\", CAST('NaN' AS DOUBLE)) DESC"),
    ):
        inputs["extra_columns"] = {**columns, "baseline": baseline}
        query = flat.to_sql("recs", "truth", ["categorical_diversity@5", "unseen@5", "rbo@5"], **LISTS, **inputs)
        for part in ('"genre" AS "category"', '"bought"', text):
            assert part in query
    query = flat.to_sql(rm.Input("recs", columns=rm.Columns(pool="n_candidates")), "truth", "auc", **LISTS)
    assert '"n_candidates"' in query


def test_the_query_for_a_warehouse_runs_where_there_are_such_tables() -> None:
    connection = duckdb.connect()
    for name, frame in {"recs": EXTRA_RECS, "truth": EXTRA_TRUTH, **ALL}.items():
        connection.from_arrow(frame.to_arrow()).create(name)
    tables: dict[str, Any] = {name: name for name in ALL}
    text = flat.to_sql("recs", "truth", OF_ALL[:5], **LISTS, **tables)
    assert_frame_equal(connection.sql(text).pl(), means(flat.evaluate(EXTRA_RECS, EXTRA_TRUTH, OF_ALL[:5], **ALL)))


def test_a_system_of_the_table_of_recommendations_may_be_the_baseline() -> None:
    connection, recs = duckdb.connect(), RECS.rename({"rank": "place"})
    for name, frame in {"recs": recs, "truth": TRUTH}.items():
        connection.from_arrow(frame.to_arrow()).create(name)
    options: dict[str, Any] = {"columns": rm.Columns(rank="place", rating="rating"), "truth_lists": ["user"]}
    options |= {"metrics": ["rpp", "lexirecall@1"], "baseline": {"algorithm": "b"}, "lists": ["algorithm", "user"]}
    text = flat.to_sql("recs", "truth", dialect="duckdb", **options)
    assert_frame_equal(connection.sql(text).pl(), means(flat.evaluate(recs, TRUTH, **options)))
    with refusal(rm.ColumnError, "'algo', which identifies no list"):
        flat.to_sql("recs", "truth", dialect="duckdb", **{**options, "baseline": {"algo": "b"}})


def test_inputs_and_columns_that_a_query_cannot_have_are_refused() -> None:
    with refusal(rm.InputError, "unseen@5 needs history=:"):
        flat.to_sql("recs", "truth", "unseen@5", **LISTS)
    with refusal(rm.ColumnError, "'itms'"):
        flat.to_sql("recs", "truth", "hit", **LISTS, extra_columns={"itms": rm.Columns(category="genre")})
    embedding = {"items": rm.Columns(embedding="vec")}
    with refusal(rm.DialectError, "Embeddings", "warehouse"):
        flat.to_sql("recs", "truth", "embedding_diversity@5", **LISTS, items="items", extra_columns=embedding)
    with duckdb.connect() as connection:
        items = connection.sql("SELECT 'a' AS item, [1.0, 0.5] AS embedding")
        result = rm.evaluate(EXTRA_RECS, EXTRA_TRUTH, "embedding_diversity@5", items=items)
        for dialect in ("duckdb", "snowflake"):
            with refusal(rm.DialectError, "Embeddings", "A text for DuckDB has them if the items are read from a file"):
                result.to_sql(dialect)


# --- The columns of counts beside the means: lists missing, tied, and undefined for a metric --------------------------


COUNT_RECS = pl.DataFrame(
    {"algorithm": ["a", "a", "a", "b"], "user": [1, 1, 2, 1], "item": [1, 2, 1, 2], "score": [0.5, 0.5, 0.1, 0.3]}
)
COUNT_TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": [2, 3, 1], "rating": [1.0, 0.0, 1.0]})
METRICS = ["recall@2", "personalization@2"]
COUNTS = ("missing", "tied", "undefined")


@pytest.mark.parametrize("on", EVERY)
def test_counts_stand_behind_the_means_on_every_engine(on: Engine) -> None:
    need(on)
    result = flat.evaluate(on.give(COUNT_RECS), on.give(COUNT_TRUTH), METRICS, **on.options)
    queries = result._queries
    columns = ["algorithm", "n_lists", *METRICS, "n_missing", "n_tied", "n_undefined_recall@2"]
    for is_guarded in (False, True):
        if is_guarded and DIALECTS[on.dialect].raise_error == "":
            continue
        statement = Statement(queries.engine.dialect, counts=COUNTS, guarded=is_guarded)
        text = statement.text(result.metrics, result.layout, queries.question.tables, result.aggregates)
        rows = queries.engine.collect(queries.engine.run(text, columns)).rows()
        assert rows == [("a", 3, 0.5, pytest.approx(1 - 1 / 2**0.5), 1, 1, 1), ("b", 3, 0.5, None, 2, 0, 1)], is_guarded


def test_a_count_that_is_asked_for_alone_comes_alone_for_systems_without_lists_too() -> None:
    result = rm.evaluate(COUNT_RECS, COUNT_TRUTH, METRICS, systems=["a", "b", "new"])
    values = {"missing": [1, 2, 3], "tied": [1, 0, 0], "undefined": [1, 1, 1]}
    with duckdb.connect() as connection:
        connection.from_arrow(COUNT_RECS.to_arrow()).create("recs")
        connection.from_arrow(COUNT_TRUTH.to_arrow()).create("truth")
        for count in COUNTS:
            name = {"undefined": "n_undefined_recall@2"}.get(count, f"n_{count}")
            table = connection.sql(result.to_sql("duckdb", counts=[count])).pl()
            assert table.columns == ["algorithm", "n_lists", *METRICS, name]
            assert table[name].to_list() == values[count]


def test_a_column_of_counts_has_another_name_where_a_list_column_has_its_name() -> None:
    text = rm.evaluate(COUNT_RECS.rename({"algorithm": "n_missing"}), COUNT_TRUTH, "recall@2").to_sql(
        "polars", counts=["missing"]
    )
    context = pl.SQLContext(recs=COUNT_RECS.rename({"algorithm": "n_missing"}), truth=COUNT_TRUTH)
    assert context.execute(text, eager=True).columns == ["n_missing", "n_lists", "recall@2", "n_missing 2"]


def test_counts_that_mean_nothing_are_refused() -> None:
    options: dict[str, Any] = {"lists": "user", "dialect": "duckdb"}
    with refusal(rm.MetricError, "counts must be one of 'missing', 'tied' and 'undefined': 'lost' is not"):
        flat.to_sql("recs", "truth", "hit@1", counts="lost", **options)
    with refusal(rm.InputError, 'counts=["missing"]', "per_list=True"):
        flat.to_sql("recs", "truth", "hit@1", counts="missing", per_list=True, **options)
    with refusal(rm.ColumnError, 'counts=["tied"]', "equal scores", "ranks"):
        rm.evaluate(RANKED, COUNT_TRUTH.drop("rating"), "hit@1").to_sql(counts=["tied"])
