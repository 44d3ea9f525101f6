"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankmetrics._files import whole_file


def test_a_file_that_is_being_written_is_not_seen_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.tsv.gz"
    path.write_text("old", encoding="utf-8")
    with whole_file(path) as temporary:
        temporary.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
        assert temporary.parent == tmp_path
        assert temporary.suffixes[-2:] == [".tsv", ".gz"]  # by which the format is chosen
    assert path.read_text(encoding="utf-8") == "new"
    assert [*tmp_path.iterdir()] == [path]


def test_what_fails_while_a_file_is_written_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(IsADirectoryError), whole_file(path) as temporary:
        (temporary.parent).write_text("no file")
    assert path.read_text(encoding="utf-8") == "old"
    assert [*tmp_path.iterdir()] == [path]
