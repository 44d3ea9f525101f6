"""Recommendations whose rows are chunks of documents."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import Engine, databases_later, means
from tests.support.refusals import refusal

# Chunks of documents a, b, c: document b is second and c third, below two chunks of a.
CHUNKS = pl.DataFrame(
    {"query": [1] * 4, "document": [*"aabc"], "chunk": ["a4", "a1", "b2", "c1"], "rank": [1, 2, 3, 4]}
)
TRUTH = pl.DataFrame({"query": [1, 1], "document": ["b", "c"]})
NAMED = rm.Columns(item="document", chunk="chunk")


def row(recs: Any = CHUNKS, truth: pl.DataFrame = TRUTH, metrics: Any = "rr", **options: Any) -> dict[str, Any]:
    return flat.evaluate(recs, truth, metrics, **options).collect().row(0, named=True)


def test_a_document_counts_once_at_its_first_chunk_and_later_documents_move_up() -> None:
    metrics = ["rr", "precision@2", "recall@2", "ap", "rr(duplicates=once)"]
    found = row(metrics=metrics, columns=NAMED)
    assert [found[name] for name in metrics] == [1 / 2, 1 / 2, 1 / 2, (1 / 2 + 2 / 3) / 2, 1 / 3]
    repeated, item = CHUNKS.drop("chunk"), rm.Columns(item="document")
    assert row(repeated, columns=item, duplicates="first")["rr"] == 1 / 2
    assert row(repeated, columns=item)["rr"] == 1 / 3


def test_a_document_of_the_truth_has_the_highest_rating_of_its_chunks() -> None:
    graded = pl.DataFrame({"query": [1, 1], "document": [*"bb"], "chunk": ["b2", "b7"], "rating": [0, 1]})
    assert row(truth=graded, columns=NAMED)["rr"] == 1 / 2


def test_a_convention_counts_documents_too() -> None:
    """RecTools refuses repeated items, and a document with several chunks is none of these."""
    assert row(metrics="MRR@2", columns=NAMED, convention="rectools")["MRR@2"] == 1 / 2
    with refusal(rm.DataError, "refuses repeated items"):
        row(CHUNKS.drop("chunk"), metrics="MRR@2", columns=rm.Columns(item="document"), convention="rectools")


@pytest.mark.parametrize("truth", [TRUTH, TRUTH.with_columns(chunk=pl.lit("b2"))], ids=["apart", "shared"])
def test_a_column_of_chunks_is_named_and_identifies_no_list(truth: pl.DataFrame) -> None:
    asks = 'rm.Input(recs, columns={"chunk": "chunk"})', 'rm.Input(recs, columns={"item": "chunk"})'
    with refusal(rm.ColumnError, "'chunk' of the recommendations would identify a list", *asks):
        rm.evaluate(rm.Input(CHUNKS, columns=rm.Columns(item="document")), truth, "rr")
    text = rm.to_sql(
        rm.Input("recs", columns=rm.Columns(item="document", rank="rank", chunk="chunk")),
        "truth",
        "rr",
        lists=["query"],
        dialect="duckdb",
    )
    assert '"chunk"' not in text
    assert "repeated items are removed" in text


@databases_later
def test_chunks_give_the_numbers_of_documents_with_their_best_scores(any_engine: Engine) -> None:
    draw = random.Random(33)
    rows = [(query, draw.choice("abcdefgh"), draw.randrange(12)) for query in range(1, 9) for _ in range(14)]
    recs = (
        pl.DataFrame(rows, ["query", "document", "score"], orient="row")
        .with_row_index("chunk")
        .cast({"chunk": pl.Int64})
    )
    truth = pl.DataFrame(
        [(query, document) for query in range(1, 9) for document in "adg"], ["query", "document"], orient="row"
    )
    documents = recs.group_by("query", "document").agg(pl.col("score").max())
    metrics = ["ndcg@3", "ap", "rr", "precision@5", "recall@2", "bpref", "n_recommended"]
    for ties in ("item", "expected"):
        given = any_engine.give(recs), any_engine.give(truth), metrics[: 7 if ties == "item" else 5]
        chunks = flat.evaluate(*given, columns=NAMED, ties=ties, **any_engine.options)
        whole = flat.evaluate(
            any_engine.give(documents), *given[1:], columns=rm.Columns(item="document"), ties=ties, **any_engine.options
        )
        left, right = means(chunks).row(0), means(whole).row(0)
        assert left == pytest.approx(right, abs=1e-12), ties
