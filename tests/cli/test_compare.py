"""`rankmetrics compare`."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics._files import data_folder
from tests.support.commands import printed, refused, written

RECS, TRUTH = (data_folder() / f"{name}.parquet" for name in ("recs", "truth"))
METRICS = ("-m", "ndcg@10", "-m", "recall@10")


def test_compare_prints_letters_pairs_and_notes() -> None:
    text = printed("compare", RECS, TRUTH, *METRICS, "--baseline", "popular", "--test", "t", "--test", "wilcoxon")
    lines = [line.split() for line in text.splitlines()]
    assert ["a", "│", "popular", "│", "0.1284", "│", "0.1185"] in lines
    assert ["c", "│", "matrix-factorisation", "│", "0.3027ᵃ", "│", "0.2460ᵃ"] in lines
    assert "+0.1743 (+135.8%)" in text
    assert "p (wilcoxon)" in text
    assert "p-values are corrected for the 2 tests of a metric: Holm" in text


def test_compare_writes_what_collect_returns(tmp_path: Path) -> None:
    out = tmp_path / "compared.parquet"
    notes = written(
        "compare", RECS, TRUTH, *METRICS, "--by", "algorithm", "--by", "partition", "--seed", "3", "-o", out
    )
    assert "p-values are corrected for the 6 tests of a metric: Holm" in notes
    wanted = rm.evaluate(RECS, TRUTH, ["ndcg@10", "recall@10"], by=["algorithm", "partition"]).compare(seed=3)
    assert_frame_equal(pl.read_parquet(out), wanted.collect())


def test_compare_prints_latex() -> None:
    assert printed("compare", RECS, TRUTH, *METRICS, "--latex").startswith("\\begin{table}\n")


def test_compare_takes_two_files_of_values_per_list(tmp_path: Path) -> None:
    values = pl.read_parquet(RECS).filter(pl.col("partition") == 1)
    for algorithm, rows in values.group_by("algorithm"):
        result = rm.evaluate(rows.drop("algorithm"), TRUTH, ["ndcg@10"], lists=["partition", "user"])
        result.write(tmp_path / f"{algorithm[0]}.csv", per_list=True)
    files = tmp_path / "popular.csv", tmp_path / "item-knn.csv"
    assert "corrected" not in written("compare", "--per-list", *files, "-o", tmp_path / "out.csv")
    found = pl.read_csv(tmp_path / "out.csv")
    assert found.select("baseline", "system").rows() == [("popular", "item-knn")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([RECS, TRUTH, "-m", "rr", "--baseline", "popula"], "--baseline is 'popula', and the systems are"),
        ([RECS, TRUTH, "-m", "rr", "--test", "z"], "--test has no 'z'"),
        ([RECS, TRUTH, "-m", "rr", "--cluster", "usr"], "--cluster names 'usr'"),
        ([RECS, TRUTH], "Give recommendations, truth and a metric"),
        ([RECS, TRUTH, "--per-list", "a.csv", "b.csv"], "--per-list names two files in place of RECS and TRUTH"),
        (["--per-list", "nowhere.csv", "b.csv"], "nowhere.csv"),
    ],
    ids=str,
)
def test_compare_refuses_in_the_words_of_the_command_line(arguments: list[str], message: str) -> None:
    assert message in refused("compare", *arguments)
