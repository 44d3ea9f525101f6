"""The sample in data/, and MovieLens 100K where it is, give one leaderboard through every shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests import ROOT
from tests.support.shared import SHARED, needs_shared

METRICS = ["ndcg@10", "recall@5,10", "ap@10", "rr"]
LISTS = ("algorithm", "user")

Shape: TypeAlias = Callable[[pl.DataFrame, Path], Any]


def one_fold(folder: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Recommendations and truth of one fold, with ranks, and with scores that no two items of a list share."""
    fold = pl.col("partition") == 1
    recs = pl.read_parquet(folder / "recs.parquet").filter(fold)
    recs = recs.sort(*LISTS, "score", "item", descending=[False, False, True, False])
    ranks = pl.int_range(1, pl.len() + 1).over(LISTS)
    recs = recs.with_columns(rank=ranks).filter(pl.col("rank") <= 20)
    truth = pl.read_parquet(folder / "truth.parquet").filter(fold).select("user", "item", "rating")
    return recs.select(*LISTS, "item", "rank", score=-pl.col("rank").cast(pl.Float64)), truth


def of_systems(recs: pl.DataFrame, shape: Callable[[pl.DataFrame], Any]) -> dict[str, Any]:
    """The shape of each system's recommendations."""
    return {str(name): shape(frame) for (name, *_), frame in recs.partition_by("algorithm", as_dict=True).items()}


def dicts(frame: pl.DataFrame, *columns: str) -> dict[Any, Any]:
    parts = frame.partition_by("user", as_dict=True).items()
    if len(columns) == 1:
        return {user: one[columns[0]].to_list() for (user,), one in parts}
    return {user: dict(one.select(columns).rows()) for (user,), one in parts}


def arrays(frame: pl.DataFrame) -> tuple[Any, ...]:
    wide = frame.pivot("rank", index="user", values="item").fill_null(-1)
    return wide["user"].to_numpy(), wide.drop("user").to_numpy()


class Matrix:
    def __init__(self, frame: pl.DataFrame) -> None:
        counts = np.bincount(frame["user"].to_numpy())
        self.indptr = np.concatenate([[0], np.cumsum(counts)])
        in_rows = frame.sort("user", maintain_order=True)
        self.indices, self.data = in_rows["item"].to_numpy(), in_rows["score"].to_numpy()

    def tocsr(self) -> Matrix:
        return self


def wide(recs: pl.DataFrame) -> pl.DataFrame:
    found = recs.pivot("rank", index=LISTS, values="item")
    return found.rename({name: f"rec_{name}" for name in found.columns[2:]})


def lists(recs: pl.DataFrame, *columns: Any) -> pl.DataFrame:
    return recs.group_by(LISTS, maintain_order=True).agg(*columns)


def file(frame: pl.DataFrame, path: Path) -> Path:
    frame.write_parquet(path)
    return path


NESTED: Mapping[str, Shape] = {
    "lists": lambda recs, _: lists(recs, "item"),
    "lists, lazily": lambda recs, _: lists(recs, "item").lazy(),
    "lists in a file": lambda recs, folder: file(lists(recs, "item", "score"), folder / "lists.parquet"),
    "structs in a file": lambda recs, folder: file(
        lists(recs, pl.struct(item_id="item", score="score").alias("items")), folder / "structs.parquet"
    ),
    "wide": lambda recs, _: wide(recs),
    "wide in a file": lambda recs, folder: file(wide(recs), folder / "wide.parquet"),
    "pandas with an index": lambda recs, _: recs.to_pandas().set_index([*LISTS]),
    "dicts of lists": lambda recs, _: of_systems(recs, lambda one: dicts(one, "item")),
    "dicts of dicts": lambda recs, _: of_systems(recs, lambda one: dicts(one, "item", "score")),
    "arrays": lambda recs, _: of_systems(recs, arrays),
    "matrices": lambda recs, _: of_systems(recs, Matrix),
}


def assert_one_leaderboard(folder: Path, tmp_path: Path) -> None:
    recs, truth = one_fold(folder)
    expected = rm.evaluate(recs, truth, METRICS).collect().sort("algorithm")
    assert expected.height > 1
    for shape, made in NESTED.items():
        assert_same(shape, rm.evaluate(made(recs, tmp_path), truth, METRICS).collect(), expected)
    for given in (dicts(truth, "item", "rating"), truth.group_by("user", maintain_order=True).agg("item", "rating")):
        assert_same("truth", rm.evaluate(recs, given, METRICS).collect(), expected)
    assert_same("TREC", rm.evaluate(*of_trec(recs, truth, tmp_path), METRICS).collect(), expected)


def assert_same(shape: str, found: pl.DataFrame, expected: pl.DataFrame) -> None:
    found = found.rename({"system": "algorithm"}, strict=False).sort("algorithm")
    try:
        assert_frame_equal(found, expected, rel_tol=1e-12, check_dtypes=False)
    except AssertionError as error:
        raise AssertionError(shape) from error


def of_trec(recs: pl.DataFrame, truth: pl.DataFrame, folder: Path) -> tuple[Path, Path]:
    run = recs.select("user", pl.lit("Q0"), "item", "rank", "score", "algorithm")
    run.write_csv(folder / "all.run", separator=" ", include_header=False)
    qrels = truth.select("user", pl.lit("0"), "item", "rating")
    qrels.write_csv(folder / "all.qrels", separator=" ", include_header=False)
    return folder / "all.run", folder / "all.qrels"


def test_the_sample_gives_one_leaderboard_through_every_shape(tmp_path: Path) -> None:
    assert_one_leaderboard(ROOT / "data", tmp_path)


@needs_shared
@pytest.mark.long
def test_movielens_gives_one_leaderboard_through_every_shape(tmp_path: Path) -> None:
    assert_one_leaderboard(SHARED / "data" / "ml100k", tmp_path)
