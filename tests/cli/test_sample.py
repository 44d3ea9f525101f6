"""`rankmetrics demo --save`: the sample as files of the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankmetrics._files import data_folder
from tests.support.commands import printed, refused, table


def test_the_sample_is_saved_as_it_ships(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    lines = printed("demo", "--save", folder).splitlines()
    assert [Path(line).name for line in lines] == ["history.parquet", "items.parquet", "recs.parquet", "truth.parquet"]
    for line in lines:
        assert Path(line).read_bytes() == (data_folder() / Path(line).name).read_bytes()
    assert {path.name for path in folder.iterdir()} == {Path(line).name for line in lines}


def test_the_saved_sample_has_the_numbers_of_the_demo(tmp_path: Path) -> None:
    printed("demo", "--save", tmp_path)
    rows = table(printed("evaluate", tmp_path / "recs.parquet", tmp_path / "truth.parquet", "-m", "ndcg@10"))
    assert [row["ndcg@10"] for row in rows] == [row["ndcg@10"] for row in table(printed("demo"))]


def test_files_of_the_user_are_not_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "recs.parquet"
    mine.write_text("mine")
    assert refused("demo", "--save", tmp_path).startswith(f"There is another file '{mine}' already")
    assert mine.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["recs.parquet"]


@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("a file")
    assert refused("demo", "--save", tmp_path / folder).startswith("Cannot make the folder")


def test_saving_the_sample_again_keeps_it(tmp_path: Path) -> None:
    assert printed("demo", "--save", tmp_path) == printed("demo", "--save", tmp_path)
