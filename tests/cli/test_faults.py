"""The flags of `rankmetrics sql` for faults of the data: --as check, --guarded, --count."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tests.support.commands import RECS, TRUTH, by_hand, printed, refused


def test_a_check_of_sound_files_returns_no_rows() -> None:
    assert by_hand(printed("sql", RECS, TRUTH, "-m", "ndcg@10", "--as", "check")).is_empty()


def test_a_check_of_repeats_returns_them_where_they_are_refused(tmp_path: Path) -> None:
    truth = pl.read_parquet(TRUTH)
    pl.concat([truth, truth.head(1)]).write_parquet(tmp_path / "truth.parquet")
    arguments = ("sql", RECS, tmp_path / "truth.parquet", "-m", "ndcg@10", "--as", "check")
    assert by_hand(printed(*arguments)).is_empty()
    (row,) = by_hand(printed(*arguments, "--duplicates", "error")).to_dicts()
    assert (row["fault"], row["n"]) == ("truth_repeated", 1)


def test_a_guarded_query_with_counts_has_their_columns() -> None:
    text = printed("sql", RECS, TRUTH, "-m", "rr", "--guarded", "--count", "missing", "--count", "undefined")
    first, *_ = by_hand(text).to_dicts()
    assert [*first][-2:] == ["n_missing", "n_undefined_rr"]


def test_a_guard_that_a_dialect_cannot_have_is_refused_in_the_words_of_the_command_line() -> None:
    said = refused("sql", "r", "t", "-m", "rr", "--list", "user", "--dialect", "sqlite", "--guarded")
    assert "--guarded needs a query that can raise an error" in said
    assert "--as check" in said
