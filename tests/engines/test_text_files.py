"""Text files: a proper header, UTF-8, and columns in one order."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.input_rules import RECS, TRUTH, _written
from tests.support.refusals import refusal

HEADERS = {
    "1,2,0.5\n1,3,0.4\n": (rm.InputError, ("must name the columns", "'1', '2' and '0.5'", "has_header=False")),
    ",user,item,score\n0,1,2,0.5\n": (rm.InputError, ("Column 1", "no name", "index=False")),
    "\n\n": (rm.InputError, ("must name the columns", "there is none")),
    "user,item,score\n1,2\n": (rm.InputError, ("cannot be read", "Line: 2")),
    "user,item,score\n1,2,0.5,7\n": (rm.InputError, ("cannot be read", "Line: 2")),
}


@pytest.mark.parametrize("text", HEADERS)
def test_a_text_file_without_a_proper_header_is_refused_with_the_cure(text: str, tmp_path: Path) -> None:
    kind, words = HEADERS[text]
    path = _written(tmp_path / "recs.csv", text)
    for given, other in ((path, TRUTH), (RECS.lazy(), path)):
        with refusal(kind, *words):
            rm.evaluate(given, other, "rr")


def test_a_text_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recs.csv").write_bytes("user,größe,item\n1,2,3\n".encode("latin-1"))
    with refusal(rm.InputError, "UTF-8", "recs.csv"):
        rm.evaluate(tmp_path / "recs.csv", TRUTH, "rr")


def test_text_files_with_columns_in_different_orders_are_refused(tmp_path: Path) -> None:
    _written(tmp_path / "a.csv", "user,item,score\n1,2,0.5\n")
    _written(tmp_path / "b.csv", "item,user,score\n1,2,0.5\n")
    with refusal(rm.InputError, "different columns", "b.csv", "in one order"):
        rm.evaluate(f"{tmp_path}/*.csv", TRUTH, "rr")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "arrow", "parquet"])
def test_files_of_any_kind_hold_a_system_each(ending: str, tmp_path: Path) -> None:
    write = {"csv": "write_csv", "jsonl": "write_ndjson", "arrow": "write_ipc", "parquet": "write_parquet"}[ending]
    for name, frame in (("als", RECS), ("knn", RECS.with_columns(score=-pl.col("score")))):
        getattr(frame, write)(tmp_path / f"{name}.{ending}")
    found = rm.evaluate(f"{tmp_path}/*.{ending}", TRUTH, "rr", files_as="system").collect()
    assert found["system"].to_list() == ["als", "knn"]
    with pytest.raises(rm.DataError):
        rm.evaluate(f"{tmp_path}/*.{ending}", TRUTH, "rr").collect()
