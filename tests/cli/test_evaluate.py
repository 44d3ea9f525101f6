"""`rankmetrics evaluate`: what it prints and writes, by every option, and what it refuses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.commands import RECS, TRUTH, column, printed, refused, run, table, written


def test_evaluate_prints_the_numbers_of_the_python_call() -> None:
    metrics = ["ndcg(gain=linear)@10", "recall@5", "recall@10", "rr"]
    rows = table(printed("evaluate", RECS, TRUTH, "-m", metrics[0], "-m", "recall@5,10", "-m", "rr"))
    collected = rm.evaluate(RECS, TRUTH, metrics).collect().sort(metrics[0], descending=True)
    assert [list(row) for row in rows] == [["algorithm", "n_lists", "n_missing", *metrics]] * 3
    assert [row["algorithm"] for row in rows] == collected["algorithm"].to_list()
    assert [row["n_lists"] for row in rows] == ["998"] * 3
    for name in metrics:
        assert [row[name] for row in rows] == [f"{one:.4f}" for one in collected[name]]


def test_evaluate_takes_a_glob_and_a_folder(tmp_path: Path) -> None:
    for part in (1, 2):
        pl.read_parquet(RECS).filter(pl.col("partition") == part).write_parquet(tmp_path / f"{part}.parquet")
    whole = printed("evaluate", RECS, TRUTH, "-m", "hit@10")
    assert printed("evaluate", tmp_path, TRUTH, "-m", "hit@10") == whole
    assert printed("evaluate", tmp_path / "*.parquet", TRUTH, "-m", "hit@10") == whole


READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    "csv": pl.read_csv,
    "json": pl.read_json,
    "parquet": pl.read_parquet,
    "jsonl": pl.read_ndjson,
    "tsv": lambda path: pl.read_csv(path, separator="\t"),
}


def test_an_output_file_holds_what_collect_returns(tmp_path: Path) -> None:
    result = rm.evaluate(RECS, TRUTH, ["ndcg@10", "hit@5"])
    summary, ids = result.collect(), ["partition", "algorithm", "user"]
    lists = result.collect(per_list=True).sort(ids)
    for end, read in READERS.items():
        path = tmp_path / f"out.{end}"
        written("evaluate", RECS, TRUTH, "-m", "ndcg@10", "-m", "hit@5", "-o", path)
        assert_frame_equal(read(path), summary)
        assert os.listdir(tmp_path) == [path.name]  # noqa: PTH208  # hidden files, too
        if end in ("csv", "parquet"):
            written("evaluate", RECS, TRUTH, "-m", "ndcg@10", "-m", "hit@5", "--output", path, "--per-list")
            assert_frame_equal(read(path).sort(ids), lists, check_dtypes=False)
        path.unlink()


def test_per_list_prints_a_row_for_every_list_and_a_dash_for_what_is_undefined(folder: Path) -> None:
    asked = ("-m", "hit@1", "-m", "hit(rel=5)@1", "--per-list")
    rows = table(printed("evaluate", folder / "recs.csv", folder / "truth.csv", *asked))
    assert sorted((row["algorithm"], row["user"], row["hit@1"], row["hit(rel=5)@1"]) for row in rows) == [
        ("a", "u1", "1.0", "1.0"),
        ("a", "u2", "0.0", "–"),
        ("a", "u3", "0.0", "–"),
        ("b", "u1", "0.0", "0.0"),
        ("b", "u2", "0.0", "–"),
        ("b", "u3", "0.0", "–"),
    ]


def test_by_says_what_the_summary_keeps_and_overall_that_it_keeps_nothing() -> None:
    rows = table(printed("evaluate", RECS, TRUTH, "-m", "hit@5", "--by", "partition", "--by", "algorithm"))
    assert (len(rows), [*rows[0]]) == (6, ["partition", "algorithm", "n_lists", "n_missing", "hit@5"])
    assert [row["n_lists"] for row in table(printed("evaluate", RECS, TRUTH, "-m", "hit@5", "--overall"))] == ["2994"]
    code, out, err = run("evaluate", RECS, TRUTH, "-m", "hit@5", "--overall", "--by", "partition")
    assert (code, out) == (2, "")
    assert "--by" in err


def test_list_leaves_out_columns_that_identify_nothing(folder: Path) -> None:
    noted = pl.read_csv(folder / "recs.csv").with_columns(note=pl.Series(["p", "q", "r", "s", "t"]))
    noted.write_csv(folder / "noted.csv")
    out = printed(
        "evaluate", folder / "noted.csv", folder / "truth.csv", "-m", "hit@1", "--list", "algorithm", "--list", "user"
    )
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}


def test_truth_list_says_which_columns_the_truth_shares(folder: Path) -> None:
    pl.read_csv(folder / "truth.csv").with_columns(algorithm=pl.lit("?")).write_csv(folder / "truth.csv")
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--truth-list", "user")
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}


def test_columns_of_any_name_may_play_any_role(folder: Path) -> None:
    recs = pl.read_csv(folder / "recs.csv").rename({"item": "sku", "score": "belief"})
    recs.write_csv(folder / "recs.csv")
    truth = pl.read_csv(folder / "truth.csv").rename({"item": "bought", "rating": "stars"})
    truth.write_csv(folder / "truth.csv")
    roles = ["--item", "sku", "--score", "belief", "--truth-item", "bought", "--rating", "stars"]
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", *roles, "-m", "hit(rel=4)@1", "-m", "hit@2")
    assert column(out, "hit(rel=4)@1") == {"a": "1.0000", "b": "0.0000"}
    assert column(out, "hit@2") == {"a": "0.6667", "b": "0.0000"}


def test_rank_orders_the_list(folder: Path) -> None:
    ranked = pl.read_csv(folder / "recs.csv").drop("score").with_columns(place=pl.Series([2, 1, 1, 2, 1]))
    ranked.write_csv(folder / "ranked.csv")
    out = printed("evaluate", folder / "ranked.csv", folder / "truth.csv", "--rank", "place", "-m", "hit@1")
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert column(out, "n_lists") == {"a": "3", "b": "3"}


def test_missing_skip_leaves_out_lists_without_recommendations(folder: Path) -> None:
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--missing", "skip")
    assert column(out, "hit@1") == {"a": "0.5000", "b": "0.0000"}
    assert column(out, "n_lists") == {"a": "2", "b": "1"}


def test_ties_says_what_stands_first_among_equal_scores(folder: Path) -> None:
    for ties, hit in {"item": "0.3333", "item_desc": "0.6667", "input": "0.6667"}.items():
        out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--ties", ties)
        assert column(out, "hit@1")["a"] == hit, ties


def test_duplicates_error_refuses_repeats_that_count_only_counts(folder: Path) -> None:
    truth = pl.read_csv(folder / "truth.csv")
    pl.concat([truth, truth[:1]]).write_csv(folder / "truth.csv")
    command = ["evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1"]
    assert "1 row of the truth with an item that their list has already;" in printed(*command)
    assert "1 row of the truth" in refused(*command, "--duplicates", "error")


def test_define_takes_in_a_metric_from_a_file(folder: Path) -> None:
    (folder / "own.sql").write_text("-- cli_twice: twice the hits\nSELECT 2.0 * n_hits AS cli_twice FROM metrics")
    command = [folder / "recs.csv", folder / "truth.csv", "-m", "cli_twice@1", "-m", "hit@1"]
    out = printed("evaluate", *command, "--define", folder / "own.sql")
    assert column(out, "cli_twice@1") == {"a": "0.6667", "b": "0.0000"}
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert '"cli_twice@1"' in printed("sql", *command, "--define", folder / "own.sql")
    assert "twice the hits" in printed("metrics", "--define", folder / "own.sql")


def test_database_lets_tables_be_named(folder: Path) -> None:
    with duckdb.connect(str(folder / "world.duckdb")) as connection:
        connection.execute("CREATE SCHEMA s")
        connection.execute(f"CREATE TABLE s.recs AS FROM '{folder / 'recs.csv'}'")
        connection.execute(f"CREATE VIEW truth AS FROM '{folder / 'truth.csv'}'")
    command: list[Any] = ["s.recs", "truth", "-m", "hit@1", "--database", folder / "world.duckdb"]
    assert column(printed("evaluate", *command), "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert printed("check", *command).startswith("lists: algorithm, user; the truth has user\n")
    assert 'FROM "s"."recs"' in printed("sql", *command)
    command[1] = str(folder / "truth.csv")  # a file next to a table
    assert column(printed("evaluate", *command), "hit@1") == {"a": "0.3333", "b": "0.0000"}


def test_memory_and_threads_reach_duckdb(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configs: list[dict[str, Any]] = []
    connect = duckdb.connect

    def spy(*arguments: Any, **options: Any) -> duckdb.DuckDBPyConnection:
        configs.append(options.get("config", {}))
        return connect(*arguments, **options)

    monkeypatch.setattr(duckdb, "connect", spy)
    limits = ["--memory-limit", "1GB", "--threads", "1"]
    printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", *limits)
    assert [(one.get("memory_limit"), one.get("threads")) for one in configs] == [("1GB", 1)]


def answer(*flags: object) -> tuple[str, str]:
    """What a command writes to standard output, and what to stderr."""
    code, out, err = run("evaluate", RECS, TRUTH, "-m", "hit@5", *flags)
    assert code == 0, err
    return out, err


def test_standard_output_holds_the_summary_and_stderr_the_account() -> None:
    out, err = answer("-o", "-")
    result = rm.evaluate(RECS, TRUTH, "hit@5")
    assert_frame_equal(pl.read_csv(StringIO(out)), result.collect())
    assert err.splitlines() == result.notes()


def test_a_form_of_text_is_that_of_the_result_in_a_file_too(tmp_path: Path) -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@5")
    for form, end in (("markdown", "md"), ("latex", "tex"), ("csv", ""), ("jsonl", "")):
        out, err = answer("--as", form)
        assert out == result.to_text(form), form
        assert "lists in the means" in err
        if end:
            assert answer("-o", tmp_path / f"board.{end}")[0] == ""
            assert (tmp_path / f"board.{end}").read_text(encoding="utf-8") == out
    assert table(answer("--as", "table")[0]) == table(answer()[0])
    answer("--as", "json", "-o", tmp_path / "out.json")
    assert {*json.loads((tmp_path / "out.json").read_text())} == {"summary", "account", "versions", "request"}


def test_json_holds_the_summary_the_account_the_versions_and_the_request() -> None:
    found = json.loads(answer("--as", "json", "--missing", "skip")[0])
    result = rm.evaluate(RECS, TRUTH, "hit@5", missing="skip")
    assert found["summary"] == result.collect().to_dicts()
    assert {"algorithm": "popular", "account": "lists_scored", "n": 998} in found["account"]
    assert found["versions"]["polars"] == pl.__version__
    request = found["request"]
    assert (request["metrics"], request["by"], request["inputs"]["recs"]) == ({"hit@5": "hit@5"}, ["algorithm"], RECS)
    assert request["policies"]["hit@5"]["missing"] == "skip"


def test_rows_per_list_are_written_to_standard_output() -> None:
    out, _ = answer("--per-list", "--as", "jsonl", "-o", "-")
    assert len(out.splitlines()) == 2994
    assert {*json.loads(out.splitlines()[0])} == {"partition", "algorithm", "user", "hit@5"}
    assert "hit@5" in answer("--per-list", "--as", "table")[0]
    said = refused("evaluate", RECS, TRUTH, "-m", "hit", "--per-list", "--as", "markdown")
    assert "written as csv, json or jsonl" in said


def test_charts_are_drawn_beside_the_printed_table(tmp_path: Path) -> None:
    charts = ["--plot", tmp_path / "leaderboard.svg", "--plot", f"curve={tmp_path / 'hits.svg'}"]
    charts += ["--plot", tmp_path / "compare.svg"]
    out, err = answer(*charts)
    assert (len(table(out)), err) == (3, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["compare.svg", "hits.svg", "leaderboard.svg"]
    assert all("item-knn" in path.read_text(encoding="utf-8") for path in tmp_path.iterdir())


def test_what_cannot_be_written_is_refused() -> None:
    for flags, message in (
        (["--as", "markdwon"], "Did you mean 'markdown'?"),
        (["--format", "latex"], "To print the result: --as latex"),
        (["--plot", "curv.svg"], "Did you mean 'curve'?"),
        (["--plot", "curve.pdf"], "a chart is a file that ends in one of"),
        (["--plot", "bars=curve.svg"], "There is no chart"),
        (["-o", "none/board.md"], "Cannot write"),
        (["--plot", "none/curve.svg", "-o", "-"], "Cannot write"),
        (["--plot", "tradeoff.svg", "-o", "-"], "The evaluation has 1 metric"),
    ):
        code, _, err = run("evaluate", RECS, TRUTH, "-m", "hit@5", *flags)
        assert code == 2, flags
        assert message in err, flags


def test_a_metric_or_an_option_that_cannot_be_is_refused_with_what_could(folder: Path) -> None:
    refusals: list[tuple[list[str], str]] = [
        (["-m", "ndgc@10"], "no metric 'ndgc'. Did you mean 'ndcg'?"),
        (["-m", "ndcg@0"], "whole number from 1"),
        (["-m", "ndcg(gian=linear)@5"], "Did you mean 'gain'?"),
        (["-m", "[red]:smile:"], "'[red]:smile:'"),
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
        (["-o", "out.txt"], ".parquet"),
        (["-o", "out"], ".csv"),
    ]
    before = sorted(folder.iterdir())
    for options, words in refusals:
        metric = [] if options[0] == "-m" else ["-m", "hit@1"]
        said = refused("evaluate", folder / "recs.csv", folder / "truth.csv", *metric, *options)
        assert words in said, options
    assert sorted(folder.iterdir()) == before


def test_tables_of_a_warehouse_that_are_not_described_are_refused_with_what_to_do() -> None:
    for recs, words in (
        ("shop.recs", "name its columns: each column that identifies a list with --list"),
        ("SELECT * FROM shop.recs", "make a view of a SELECT"),
    ):
        assert words in refused("sql", recs, "shop.truth", "-m", "hit@1")


def test_a_flag_that_typer_refuses_is_named(folder: Path) -> None:
    files = folder / "recs.csv", folder / "truth.csv"
    for options, flag in ((["-m", "hit@1", "--threads", "0"], "--threads"), ([], "--metric")):
        code, out, err = run("evaluate", *files, *options)
        assert (code, out) == (2, "")
        assert flag in err


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
