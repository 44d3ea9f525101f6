"""A file of sql/ that would not be what its author meant is refused by the checks of the headers, and named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rankmetrics as rm
from rankmetrics._files import sql_folder
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import builtin, definitions_in, read_folder
from tests.support.sql_headers import check_headers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of sql/."""
    return Path(shutil.copytree(str(sql_folder()), tmp_path / "sql"))


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """The folder after one text in one of its files is replaced."""
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def test_the_files_that_ship_are_read_from_wherever_they_lie(folder: Path) -> None:
    read = read_folder(folder)
    assert {key: file.text for key, file in read.items()} == {key: file.text for key, file in builtin().items()}
    check_headers(builtin())


def test_the_headers_of_the_files_of_splits_comparisons_and_segments_are_read() -> None:
    for name in ("splits", "splits/filters", "splits/steps", "splits/subsets", "comparisons", "segments"):
        for file in definitions_in(name, "split").values():
            file.check_header()


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("runs/gini.sql", "-- better:", "-- beter:", "Did you mean 'better'"),
        ("metrics/hit.sql", "-- range: [0, 1]", "-- range: from 0 to 1", "does not begin with an interval"),
        ("stages/hits/unnumbered_hits.each.sql", "-- when: duplicates = each", "-- note it", "does not say `when:`"),
        ("stages/hits/unnumbered_hits.each.sql", "duplicates = each", "duplicate = each", "Did you mean 'duplicates'"),
        (
            "stages/hits/unnumbered_hits.each.sql",
            "duplicates = each",
            "duplicates = eash",
            "duplicates has no choice 'eash'",
        ),
        ("stages/hits/unnumbered_hits.each.sql", "duplicates = each", "duplicates is each", "is not a condition"),
        ("stages/items/popularity.items.sql", "input items", "input itms", "Did you mean 'items'"),
        (
            "stages/hits/matches.judged.sql",
            "judged_recommendations",
            "judged_recommendation",
            "Did you mean 'judged_recommendations'",
        ),
        ("stages/hits/unnumbered_hits.sql", "--\n", "-- when: input history\n--\n", "no variant in its name"),
    ],
)
def test_a_header_that_says_what_nothing_reads_is_refused(
    folder: Path, name: str, old: str, new: str, says: str
) -> None:
    with pytest.raises(rm.MetricError, match="^" + Path(name).name) as caught:
        check_headers(read_folder(changed(folder, name, old, new)))
    assert says in str(caught.value)


def test_a_file_that_is_dropped_in_binds_to_nothing_in_silence(folder: Path) -> None:
    (folder / "stages" / "hits.any.sql").write_text(
        "-- hits: others.\nSELECT list_id, item FROM unnumbered_hits\n", "utf-8"
    )
    with pytest.raises(rm.MetricError, match=r"^hits\.any\.sql does not say `when:`"):
        check_headers(read_folder(folder))


def test_two_files_of_one_name_are_refused(folder: Path) -> None:
    shutil.copy(folder / "stages" / "hits" / "hits.sql", folder / "stages" / "hits.sql")
    with pytest.raises(rm.MetricError, match=r"two files hits\.sql"):
        read_folder(folder)


def test_a_header_may_describe_the_columns_that_are_returned() -> None:
    assert "first_rank: its lowest rank" in catalog().definition("stage", "recommended_list_counts").notes


def test_a_file_of_ones_own_with_a_key_that_nothing_reads_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.sql"
    file.write_text("-- mine: hits.\n--\n-- rnage: [0, 1]\nSELECT COUNT(*) AS mine FROM hits\n", encoding="utf-8")
    with pytest.raises(rm.MetricError, match="Did you mean 'range'"):
        rm.define(file)
