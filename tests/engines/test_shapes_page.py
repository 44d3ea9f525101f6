"""Every block of docs/shapes.md runs, and gives the numbers of the same items in rows."""

from __future__ import annotations

import re
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankmetrics as rm
from tests import ROOT

PAGE = (ROOT / "docs" / "shapes.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

ITEMS = {1: [(11, 0.9), (12, 0.8), (13, 0.1)], 2: [(11, 0.7), (14, 0.2)]}
RECS = pl.DataFrame(
    [(user, item, rank, score) for user, of in ITEMS.items() for rank, (item, score) in enumerate(of, 1)],
    schema=["user", "item", "rank", "score"],
    orient="row",
)
TRUTH = pl.DataFrame({"user": [1, 1, 2], "item": [12, 13, 14], "rating": [1, 1, 1]})
METRICS = ["ndcg@10", "rr"]
EXPECTED = rm.evaluate(RECS, TRUTH.drop("rating"), METRICS).collect().select(METRICS).row(0)

Prediction = namedtuple("Prediction", ["uid", "iid", "r_ui", "est", "details"])  # noqa: PYI024  # as Surprise has it


class Matrix:
    """What a sparse matrix of SciPy has."""

    def __init__(self, rows: pl.DataFrame, value: str) -> None:
        counts = [rows.filter(user=user).height for user in range(3)]
        self.indptr, self.indices = np.array([0, *np.cumsum(counts)]), rows["item"].to_numpy()
        self.data = rows[value].to_numpy()

    def tocsr(self) -> Matrix:
        return self


def written(folder: Path) -> None:
    """The files that the page names."""
    structs = RECS.group_by("user", maintain_order=True).agg(
        items=pl.struct(item_id="item", rank="rank", score="score")
    )
    structs.rename({"user": "user_id"}).write_parquet(folder / "lenskit_recs.parquet")
    relevant = TRUTH.group_by("user", maintain_order=True).agg(items=pl.struct(item_id="item", rating="rating"))
    relevant.rename({"user": "user_id"}).write_parquet(folder / "lenskit_truth.parquet")
    run = "".join(f"{user} Q0 {item} {rank} {score} bm25\n" for user, item, rank, score in RECS.rows())
    qrels = "".join(f"{user} 0 {item} {rating}\n" for user, item, rating in TRUTH.rows())
    for name, text in {"bm25.run": run, "run.txt": run, "topics.qrels": qrels, "qrels.txt": qrels}.items():
        (folder / name).write_text(text, encoding="utf-8")
    data = "".join(f"{user}\t{item}\t{rating}\t880\n" for user, item, rating in TRUTH.rows())
    (folder / "u.data").write_text(data, encoding="utf-8")


def names() -> dict[str, Any]:
    """What the blocks of the page read."""
    structs = pl.struct(item="item", rating="score").alias("recommendations")
    text: dict[Any, Any] = {"user": pl.String, "item": pl.String}
    as_dict = {"run": RECS.cast(text), "qrels": TRUTH.cast(text)}
    dicts = {
        name: {
            user: dict(one.select("item", one.columns[-1]).rows())
            for (user,), one in frame.partition_by("user", as_dict=True).items()
        }
        for name, frame in as_dict.items()
    }
    ids, scores = np.array([[11, 12, 13], [11, 14, -1]]), np.array([[0.9, 0.8, 0.1], [0.7, 0.2, -np.inf]])
    predictions = [Prediction(user, item, 1.0, score, {}) for user, of in ITEMS.items() for item, score in of]
    return {
        "pl": pl,
        "rm": rm,
        "lists": RECS.group_by("user", maintain_order=True).agg(items="item"),
        "truth": TRUTH,
        "users": np.array([1, 2]),
        "als_recommendations": RECS.group_by("user", maintain_order=True).agg(structs),
        "rectools_reco": RECS.rename({"user": "user_id", "item": "item_id"}).to_pandas(),
        "rectools_interactions": TRUTH.rename({"user": "user_id", "item": "item_id", "rating": "weight"})
        .with_columns(datetime=pl.datetime(2024, 1, 1))
        .to_pandas(),
        "replay_recs": RECS.select(user_id="user", item_id="item", rating="score").to_pandas(),
        "replay_truth": TRUTH.rename({"user": "user_id", "item": "item_id"}).to_pandas(),
        "microsoft_recs": RECS.select(userID="user", itemID="item", prediction="score").to_pandas(),
        "microsoft_truth": TRUTH.rename({"user": "userID", "item": "itemID"}).to_pandas(),
        "surprise_top_n": ITEMS,
        "surprise_predictions": pd.DataFrame(predictions),
        "cornac_model": SimpleNamespace(recommend=lambda user: [item for item, _ in ITEMS[int(user)]]),
        "recpack_prediction": Matrix(RECS, "score"),
        "recpack_test": Matrix(TRUTH, "rating"),
        "implicit_model": SimpleNamespace(recommend=lambda users: (ids, scores)),
        **dicts,
    }


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0][:50])
def test_a_block_of_the_page_gives_the_numbers_of_rows(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = names()
    exec(block, found)  # the page is ours
    for row in found["result"].collect().select(pl.last(), pl.nth(-2)).rows():
        assert [*reversed(row)] == pytest.approx([*EXPECTED], abs=1e-12)
