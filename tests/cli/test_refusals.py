"""What the command line refuses, in one sentence that names its own options."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.support.commands import RECS, TRUTH, refused, run


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("ndgc@10", "no metric 'ndgc'. Did you mean 'ndcg'?"),
        ("ndcg@0", "whole number from 1"),
        ("ndcg(gian=linear)@5", "Did you mean 'gain'?"),
        ("ndcg(gain=square)@5", "'binary', 'linear', 'positive', 'exponential' and 'excess'"),
        ("ndcg@@", "whole number from 1"),
    ],
)
def test_a_metric_that_is_none_is_refused_with_what_there_is(metric: str, words: str) -> None:
    assert words in refused("evaluate", RECS, TRUTH, "-m", metric)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--item", "itme"], "Did you mean 'item'?"),
        (["--score", "nope"], "there were 'algorithm', 'user', 'item' and 'score'"),
        (["--rating", "nope"], "there were 'user', 'item' and 'rating'"),
        (["--list", "users"], "Did you mean 'user'?"),
        (["--truth-list", "algorithm"], "No column 'algorithm' in the truth"),
        (["--by", "algo"], "Did you mean 'algorithm'?"),
        (["--missing", "none"], "'zero', 'skip', 'listed', 'history' and 'baseline'"),
        (["--ties", "random"], "'item', 'item_desc', 'input', 'text_desc', 'expected', 'best' and 'worst'"),
        (["--duplicates", "drop"], "'count' and 'error'"),
        (["--memory-limit", "lots"], "Memory must have a number (e.g. 1GB)"),
        (["--database", "nowhere.duckdb"], "no database 'nowhere.duckdb'"),
        (["--define", "nowhere.sql"], "'nowhere.sql' cannot be read"),
    ],
)
def test_an_option_that_cannot_be_is_refused_with_what_could(folder: Path, options: list[str], words: str) -> None:
    assert words in refused("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", *options)


@pytest.mark.parametrize(
    ("recs", "words"),
    [
        ("shop.recs", "name its columns: each column that identifies a list with --list"),
        ("SELECT * FROM shop.recs", "make a view of a SELECT"),
    ],
)
def test_tables_of_a_warehouse_that_are_not_described_are_refused_with_what_to_do(recs: str, words: str) -> None:
    assert words in refused("sql", recs, "shop.truth", "-m", "hit@1")


def test_threads_start_at_one(folder: Path) -> None:
    code, out, err = run("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--threads", "0")
    assert (code, out) == (2, "")
    assert "--threads" in err


def test_a_missing_file_is_refused_with_its_near_namesake(folder: Path) -> None:
    message = refused("evaluate", folder / "rec.csv", folder / "truth.csv", "-m", "hit@1")
    assert message.startswith(f"There is no file '{folder / 'rec.csv'}'. Did you mean 'recs.csv'")


def test_a_missing_column_is_refused_with_those_there_were(folder: Path) -> None:
    pl.read_csv(folder / "recs.csv").drop("score").write_csv(folder / "recs.csv")
    message = refused("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1")
    assert "neither a rank nor a score column: there were 'algorithm', 'user' and 'item'" in message


def test_a_column_that_was_not_found_is_named_by_an_option_of_the_command(folder: Path) -> None:
    pl.read_csv(folder / "recs.csv").rename({"item": "sku"}).write_csv(folder / "recs.csv")
    message = refused("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1")
    assert "No item column was found in the recommendations" in message
    assert "--item" in message


def test_lists_that_never_meet_are_refused_with_samples_of_both_sides(folder: Path) -> None:
    pl.read_csv(folder / "truth.csv").with_columns(pl.col("user") + "x").write_csv(folder / "truth.csv")
    for command in ("evaluate", "check"):
        message = refused(command, folder / "recs.csv", folder / "truth.csv", "-m", "hit@1")
        assert message.startswith("No list is in both the recommendations and the truth, which share user.")
        assert "'u1'" in message
        assert "'u1x'" in message


def test_a_table_that_is_nowhere_is_refused_without_a_guess_at_a_system_table(folder: Path) -> None:
    message = refused("evaluate", "recs", folder / "truth.csv", "-m", "hit@1")
    assert "recs" in message
    assert "pg_" not in message


def test_a_message_shows_the_words_of_the_caller_as_they_are() -> None:
    assert "'[red]:smile:'" in refused("evaluate", RECS, TRUTH, "-m", "[red]:smile:")


def test_no_metric_is_refused() -> None:
    code, _, err = run("evaluate", RECS, TRUTH)
    assert code == 2
    assert "--metric" in err


@pytest.mark.parametrize("name", ["out.txt", "out", "out.xlsx"])
def test_an_output_of_no_known_ending_is_refused_with_those_that_are(tmp_path: Path, name: str) -> None:
    message = refused("evaluate", RECS, TRUTH, "-m", "hit@1", "-o", tmp_path / name)
    assert ".parquet" in message
    assert ".csv" in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["no/such/folder/out.csv", "folder.csv"])
def test_an_output_that_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    code, out, err = run("evaluate", RECS, TRUTH, "-m", "hit@1", "-o", tmp_path / name)
    assert (code, out) == (2, "")
    assert name in err
    assert [one.name for one in tmp_path.iterdir()] == ["folder.csv"]


def test_a_run_that_fails_leaves_no_output_and_keeps_an_old_one_whole(folder: Path) -> None:
    pl.read_csv(folder / "truth.csv").with_columns(pl.col("user") + "x").write_csv(folder / "truth.csv")
    before = sorted(folder.iterdir())
    command = ["evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "-o"]
    refused(*command, folder / "out.csv")
    assert sorted(folder.iterdir()) == before
    (folder / "out.csv").write_text("old")
    refused(*command, folder / "out.csv")
    assert (folder / "out.csv").read_text() == "old"
    assert sorted(folder.iterdir()) == sorted([*before, folder / "out.csv"])


def test_an_engine_that_gives_up_is_told_in_one_sentence_with_exit_code_1(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    limits = ["--memory-limit", "1MB", "--threads", "1"]
    code, out, err = run("evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10", *limits)
    assert (code, out) == (1, "")
    assert "Out of Memory" in err
    assert len(err.splitlines()) < 20, "the query, which nobody asked for, buries the reason"
