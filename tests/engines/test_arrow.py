"""Files of Arrow's own format: read batch by batch, as often as they are asked for, and written."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

import rankmetrics as rm
from rankmetrics.engines.arrow import ArrowFiles, write_arrow

FRAME = pl.DataFrame({"user": [1, 2, 3], "item": ["a", "b", "c"]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "recs.arrow"
    write_arrow(FRAME.to_arrow().to_reader(max_chunksize=2), path)
    return path


def test_a_file_that_was_written_is_read_as_often_as_it_is_asked_for(path: Path) -> None:
    files = ArrowFiles("recommendations", [str(path)])
    for _ in range(2):
        assert pl.DataFrame(pa.RecordBatchReader.from_stream(files)).equals(FRAME)


def test_several_files_follow_one_another_and_may_say_from_which_a_row_is(path: Path) -> None:
    files = ArrowFiles("recommendations", [str(path), str(path)], file_column="file")
    found = pl.DataFrame(pa.RecordBatchReader.from_stream(files))
    assert found.drop("file").equals(pl.concat([FRAME, FRAME]))
    assert found["file"].unique().to_list() == [str(path)]


def test_a_file_that_is_not_arrow_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "recs.arrow"
    path.write_text("user,item", encoding="utf-8")
    with pytest.raises(
        rm.InputError, match=r"^The recommendations cannot be read: .*recs\.arrow' is neither an Arrow file nor"
    ):
        ArrowFiles("recommendations", [str(path)])


def test_no_file_at_all_is_refused() -> None:
    with pytest.raises(rm.InputError, match=r"there is no file 's3:.*' on this machine"):
        ArrowFiles("recommendations", ["s3://bucket/recs.arrow"])
