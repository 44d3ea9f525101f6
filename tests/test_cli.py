"""The command line: what each command prints, writes and refuses; in process, in a pipe and on a terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

import rankmetrics as rm
from rankmetrics._files import data_folder
from rankmetrics.cli.commands import app
from rankmetrics.cli.console import with_progress
from rankmetrics.cli.flags import complete_dialect, complete_metric
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import names
from tests.engines import means

RECS, TRUTH = str(data_folder() / "recs.parquet"), str(data_folder() / "truth.parquet")

on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small world: a finds 1 of 3 at rank 1 and ties on u2; b finds nothing; u3 gets nothing from either."""
    pl.DataFrame(
        {
            "algorithm": ["a", "a", "a", "a", "b"],
            "user": ["u1", "u1", "u2", "u2", "u1"],
            "item": [1, 2, 2, 1, 2],
            "score": [0.9, 0.5, 0.5, 0.5, 0.9],
        }
    ).write_csv(tmp_path / "recs.csv")
    pl.DataFrame({"user": ["u1", "u2", "u3"], "item": [1, 2, 3], "rating": [5, 2, 1]}).write_csv(tmp_path / "truth.csv")
    return tmp_path


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A million recommendations: enough work that a bar which is shown at once is seen."""
    folder = tmp_path_factory.mktemp("large")
    pairs = "SELECT u AS user, i AS item, hash(u * 1000 + i) % 1000000 / 1e6 AS score"
    recs = f"{pairs} FROM range(20000) a(u), range(50) b(i)"
    truth = "SELECT u AS user, i * 7 % 60 AS item FROM range(20000) a(u), range(10) b(i)"
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({recs}) TO '{folder / 'recs.parquet'}'")
        connection.execute(f"COPY ({truth}) TO '{folder / 'truth.parquet'}'")
    return folder


def run(*arguments: object) -> tuple[int, str, str]:
    """A command in this process: exit code, stdout, stderr."""
    done = CliRunner().invoke(app, [str(one) for one in arguments], env={"NO_COLOR": "1", "COLUMNS": "200"})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def printed(*arguments: object) -> str:
    """What a command prints that succeeds and has nothing to complain of."""
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    return out


def written(*arguments: object) -> str:
    """What a command says beside the file that it writes."""
    code, out, err = run(*arguments)
    assert (code, out) == (0, "")
    return err


def refused(*arguments: object) -> str:
    """The one clear sentence of a command that the caller can mend."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert "Traceback" not in err
    return err.removeprefix("Error: ").strip()


def table(text: str) -> list[dict[str, str]]:
    """A printed table as rows of text."""
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line and set(line) <= set("━╇"))
    headings = [one.strip() for one in lines[at - 1].split("┃")]
    rows = lines[at + 1 : lines.index("", at) if "" in lines[at:] else len(lines)]
    return [dict(zip(headings, (one.strip() for one in row.split("│")), strict=True)) for row in rows]


def by_hand(query: str) -> pl.DataFrame:
    """What DuckDB answers somebody who runs a query by hand."""
    relation = duckdb.sql(query)
    assert relation is not None
    frame: pl.DataFrame = relation.pl()
    return frame


def column(text: str, name: str) -> dict[str, str]:
    """One column of a printed table, by the first column."""
    return {next(iter(row.values())): row[name] for row in table(text)}


# --- evaluate ---------------------------------------------------------------------------------------------------------


def test_evaluate_prints_the_numbers_of_the_python_call() -> None:
    metrics = ["ndcg(gain=linear)@10", "recall@5", "recall@10", "rr"]
    rows = table(printed("evaluate", RECS, TRUTH, "-m", metrics[0], "-m", "recall@5,10", "-m", "rr"))
    collected = rm.evaluate(RECS, TRUTH, metrics).collect().sort(metrics[0], descending=True)
    assert [list(row) for row in rows] == [["algorithm", "n_lists", "n_missing", *metrics]] * 3
    assert [row["algorithm"] for row in rows] == collected["algorithm"].to_list()
    assert [row["n_lists"] for row in rows] == ["998"] * 3
    for name in metrics:
        assert [row[name] for row in rows] == [f"{one:.4f}" for one in collected[name]]


def test_evaluate_prints_what_the_result_prints() -> None:
    lines = printed("evaluate", RECS, TRUTH, "-m", "ndcg@10").splitlines()
    assert [line.rstrip() for line in lines] == repr(rm.evaluate(RECS, TRUTH, "ndcg@10")).splitlines()


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
}


@pytest.mark.parametrize("end", READERS)
def test_an_output_file_holds_what_collect_returns(tmp_path: Path, end: str) -> None:
    path = tmp_path / f"out.{end}"
    written("evaluate", RECS, TRUTH, "-m", "ndcg@10", "-m", "hit@5", "-o", path)
    assert_frame_equal(READERS[end](path), rm.evaluate(RECS, TRUTH, ["ndcg@10", "hit@5"]).collect())
    assert os.listdir(tmp_path) == [path.name]  # noqa: PTH208  # hidden files, too


@pytest.mark.parametrize("end", READERS)
def test_an_output_file_holds_one_row_per_list_where_asked(tmp_path: Path, end: str) -> None:
    path = tmp_path / f"out.{end}"
    written("evaluate", RECS, TRUTH, "-m", "ndcg@10", "--output", path, "--per-list")
    collected = rm.evaluate(RECS, TRUTH, "ndcg@10").collect(per_list=True)
    ids = ["partition", "algorithm", "user"]
    assert_frame_equal(READERS[end](path).sort(ids), collected.sort(ids), check_dtypes=False)


@pytest.mark.parametrize("end", ["jsonl", "ndjson"])
def test_an_output_file_of_json_lines_holds_one_object_per_line(folder: Path, end: str) -> None:
    written("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "-o", folder / f"out.{end}")
    assert pl.read_ndjson(folder / f"out.{end}").columns == ["algorithm", "n_lists", "n_missing", "hit@1"]


def test_an_output_file_of_tab_separated_values_is_separated_by_tabs(folder: Path) -> None:
    written("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "-o", folder / "out.tsv")
    assert (folder / "out.tsv").read_text().splitlines()[0] == "algorithm\tn_lists\tn_missing\thit@1"


def test_per_list_prints_a_row_for_every_list(folder: Path) -> None:
    rows = table(printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--per-list"))
    assert {(row["algorithm"], row["user"]): row["hit@1"] for row in rows} == {
        ("a", "u1"): "1.0",
        ("a", "u2"): "0.0",
        ("a", "u3"): "0.0",
        ("b", "u1"): "0.0",
        ("b", "u2"): "0.0",
        ("b", "u3"): "0.0",
    }


def test_per_list_prints_a_dash_for_what_is_undefined(folder: Path) -> None:
    metric = "hit(rel=5)@1"
    rows = table(printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", metric, "--per-list"))
    assert {row["user"]: row[metric] for row in rows if row["algorithm"] == "a"} == {"u1": "1.0", "u2": "–", "u3": "–"}


def test_by_says_what_the_summary_keeps() -> None:
    rows = table(printed("evaluate", RECS, TRUTH, "-m", "hit@5", "--by", "partition", "--by", "algorithm"))
    assert len(rows) == 6
    assert list(rows[0]) == ["partition", "algorithm", "n_lists", "n_missing", "hit@5"]


def test_overall_is_one_row() -> None:
    assert [row["n_lists"] for row in table(printed("evaluate", RECS, TRUTH, "-m", "hit@5", "--overall"))] == ["2994"]


def test_overall_and_by_contradict_each_other() -> None:
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


def test_item_names_the_column_of_both_tables(folder: Path) -> None:
    for name in ("recs", "truth"):
        pl.read_csv(folder / f"{name}.csv").rename({"item": "sku"}).write_csv(folder / f"{name}.csv")
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "--item", "sku", "-m", "hit@2")
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


@pytest.mark.parametrize(("ties", "hit"), [("item", "0.3333"), ("item_desc", "0.6667"), ("input", "0.6667")])
def test_ties_says_what_stands_first_among_equal_scores(folder: Path, ties: str, hit: str) -> None:
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--ties", ties)
    assert column(out, "hit@1")["a"] == hit


def test_duplicates_error_refuses_repeats_that_count_only_counts(folder: Path) -> None:
    truth = pl.read_csv(folder / "truth.csv")
    pl.concat([truth, truth[:1]]).write_csv(folder / "truth.csv")
    command = ["evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1"]
    assert "rows of the truth that repeat an item of their list: 1;" in printed(*command)
    assert "1 rows of the truth" in refused(*command, "--duplicates", "error")


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
    command = ["s.recs", "truth", "-m", "hit@1", "--database", folder / "world.duckdb"]
    assert column(printed("evaluate", *command), "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert printed("check", *command).startswith("lists: algorithm, user; the truth has user\n")
    assert 'FROM "s"."recs"' in printed("sql", *command)


def test_database_reads_files_beside_tables(folder: Path) -> None:
    with duckdb.connect(str(folder / "world.duckdb")) as connection:
        connection.execute(f"CREATE TABLE recs AS FROM '{folder / 'recs.csv'}'")
    out = printed("evaluate", "recs", folder / "truth.csv", "-m", "hit@1", "--database", folder / "world.duckdb")
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}


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


# --- what is refused --------------------------------------------------------------------------------------------------


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
        (["--ties", "random"], "'item', 'item_desc', 'input' and 'text_desc'"),
        (["--duplicates", "drop"], "'count' and 'error'"),
        (["--memory-limit", "lots"], "Memory must have a number (e.g. 1GB)"),
        (["--database", "nowhere.duckdb"], "no database 'nowhere.duckdb'"),
        (["--define", "nowhere.sql"], "'nowhere.sql' cannot be read"),
    ],
)
def test_an_option_that_cannot_be_is_refused_with_what_could(folder: Path, options: list[str], words: str) -> None:
    assert words in refused("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", *options)


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


# --- check, sql, metrics, demo, help ----------------------------------------------------------------------------------


def test_check_says_what_every_column_is_for_and_what_the_data_holds() -> None:
    lines = printed("check", RECS, TRUTH).splitlines()
    assert lines[:3] == [
        "lists: partition, algorithm, user; the truth has partition, user",
        "recommendations: item = item, score = score",
        "truth: item = item, rating = rating",
    ]
    assert lines[3:] == rm.evaluate(RECS, TRUTH, "hit").notes()


def test_check_accepts_what_evaluate_accepts(folder: Path) -> None:
    pl.read_csv(folder / "recs.csv").drop("score").write_csv(folder / "recs.csv")
    command = [folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--ties", "input"]
    printed("evaluate", *command)
    assert printed("check", *command).startswith("lists: algorithm, user; the truth has user\n")


def test_sql_of_files_runs_in_duckdb_as_it_is() -> None:
    text = printed("sql", RECS, TRUTH, "-m", "ndcg@10", "-m", "rr")
    assert_frame_equal(by_hand(text), means(rm.evaluate(RECS, TRUTH, ["ndcg@10", "rr"])))
    whole = printed("sql", RECS, TRUTH, "-m", "rr", "--overall")
    assert by_hand(whole).columns == ["n_lists", "rr"]
    lists = printed("sql", RECS, TRUTH, "-m", "rr", "--per-list")
    assert by_hand(lists).columns == ["partition", "algorithm", "user", "rr"]


def test_sql_of_files_names_tables_for_elsewhere() -> None:
    text = printed("sql", RECS, TRUTH, "-m", "hit@5", "--dialect", "snowflake", "--recs-table", "wh.r")
    assert set(re.findall(r'FROM "(?:wh|truth)".*', text)) == {'FROM "wh"."r" AS "recs"', 'FROM "truth"'}


def test_sql_of_tables_in_a_warehouse_looks_nothing_up() -> None:
    lists = ["--list", "algorithm", "--list", "user", "--truth-list", "user", "--truth-item", "item"]
    text = printed("sql", "db.recs", "db.truth", "-m", "hit@10", *lists, "--dialect", "snowflake")
    assert text.strip() == rm.to_sql(
        "db.recs",
        "db.truth",
        "hit@10",
        lists=["algorithm", "user"],
        truth_lists=["user"],
        truth_columns=rm.Columns(item="item"),
        dialect="snowflake",
    )
    named = ["--recs-table", "wh.r", "--truth-table", "wh.t", "--item", "sku", "--truth-item", "bought", "--score", "s"]
    text = printed("sql", "db.recs", "db.truth", "-m", "hit@10", *lists, *named, "--dialect", "snowflake")
    assert '"db"' not in text
    for one in ('FROM "wh"."r"', 'FROM "wh"."t"', '"sku"', '"bought"', '"s"'):
        assert one in text


def test_sql_of_tables_in_a_warehouse_needs_the_list_columns() -> None:
    message = refused("sql", "db.recs", "db.truth", "-m", "hit@10", "--dialect", "snowflake")
    assert "'db.recs' is no file" in message
    assert "--list" in message


def test_sql_refuses_a_dialect_that_is_none() -> None:
    message = refused("sql", RECS, TRUTH, "-m", "rr", "--dialect", "snowflak")
    assert f"there are {names(DIALECTS)}. Did you mean 'snowflake'?" in message


def test_metrics_lists_them_all() -> None:
    rows = table(printed("metrics"))
    assert [row["metric"] for row in rows] == rm.list_metrics()["metric"].to_list()
    assert [row["what it is"] for row in rows] == rm.list_metrics()["summary"].to_list()
    assert column(printed("metrics"), "parameters")["recall"] == "divisor, rel, k"


def test_metrics_explains_one() -> None:
    assert printed("metrics", "ndcg@10").strip() == str(rm.explain("ndcg@10"))


def test_metrics_lists_the_counts_of_the_account() -> None:
    rows = table(printed("metrics", "--account"))
    assert [list(row) for row in rows] == [["count", "what it is"]] * len(rows)
    assert {"lists_scored", "lists_missing", "truth_repeated"} <= {row["count"] for row in rows}


def test_metrics_refuses_what_is_none() -> None:
    assert "Did you mean 'ndcg'?" in refused("metrics", "ndgc")


def test_demo_prints_the_sample_and_the_command_that_prints_it() -> None:
    rows = table(printed("demo"))
    assert [row["algorithm"] for row in rows] == ["matrix-factorisation", "item-knn", "popular"]
    assert [row["ndcg@10"] for row in rows] == ["0.3027", "0.2614", "0.1284"]
    command = printed("demo").partition("\n\n")[0].replace("\\\n", "").removeprefix("$ rankmetrics ").split()
    assert table(printed(command[0], RECS, TRUTH, *command[3:])) == rows


@pytest.mark.parametrize("command", ["evaluate", "check", "sql", "metrics", "demo"])
def test_every_command_has_a_help_page(command: str) -> None:
    assert f"rankmetrics {command}" in printed(command, "--help").replace("root", "rankmetrics")
    assert command in printed("--help")


def test_without_a_command_the_help_is_shown() -> None:
    assert "evaluate" in "".join(map(str, run()[1:]))


def test_completion_offers_metrics_and_dialects() -> None:
    assert complete_metric("nd") == ["ndcg"]
    assert complete_metric("MR") == ["MRR", "mrr"]
    assert set(rm.list_metrics()["metric"]) <= set(complete_metric(""))
    assert complete_dialect("s") == ["snowflake", "spark", "sqlite"]
    assert complete_dialect("") == sorted(DIALECTS)


# --- as a process of its own ------------------------------------------------------------------------------------------

COMMAND = (sys.executable, "-m", "rankmetrics.cli.commands")

# The command line with a bar that comes after so many seconds: a test is about the bar, not about the machine's speed.
BAR_AFTER = """
import sys
from rankmetrics.cli import console
console.BAR_AFTER_SECONDS = float(sys.argv.pop(1))
from rankmetrics.cli.commands import app
"""

# The same, with a query that takes hours in the place of the one that was asked for.
ENDLESS = """
from rankmetrics.engines.duckdb import DuckDB
rows, hours = DuckDB.rows, "SELECT SUM(hash(range)) FROM range(1000000000000)"
DuckDB.rows = lambda self, lazy: (print("started", flush=True), rows(self, self.run(hours, [])))[1]
"""


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, ...]]:
    """Commands that are files, since DuckDB takes `python -c` for a session with somebody before it."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "bar_after.py").write_text(f"{BAR_AFTER}app()\n")
    (folder / "endless.py").write_text(f"{BAR_AFTER}{ENDLESS}app()\n")
    return {path.stem: (sys.executable, str(path)) for path in folder.iterdir()}


def process(*arguments: object, spill: Path, command: Sequence[str] = COMMAND) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, its streams in pipes; it must leave nothing behind in the temporary folder."""
    done = subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "TMPDIR": str(spill), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert "leaked" not in done.stderr
    assert list(spill.iterdir()) == []
    return done


def terminal(
    *arguments: object, command: Sequence[str] = COMMAND, interrupt_at: bytes | None = None
) -> tuple[int, str]:
    """A command on a terminal 80 columns wide: exit code, and all that it showed."""
    import pty

    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*command, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", "PYTHONIOENCODING": "utf-8"},
    )
    os.close(theirs)
    shown, interrupted, deadline = b"", False, time.monotonic() + 120
    try:
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.1)[0]:
                continue
            try:
                some = os.read(ours, 65_536)
            except OSError:  # how Linux says that nobody is left at the other end
                break
            shown += some
            if interrupt_at is not None and interrupt_at in shown and not interrupted:
                interrupted, deadline = True, time.monotonic() + 20
                time.sleep(1)
                child.send_signal(signal.SIGINT)
            if not some:
                break
        return child.wait(timeout=20), shown.decode()
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def test_a_process_prints_the_leaderboard_and_nothing_else(tmp_path: Path) -> None:
    done = process("evaluate", RECS, TRUTH, "-m", "ndcg@10", spill=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert column(done.stdout, "ndcg@10") == {
        "matrix-factorisation": "0.3027",
        "item-knn": "0.2614",
        "popular": "0.1284",
    }


def test_a_process_that_refuses_says_so_in_one_line(tmp_path: Path) -> None:
    done = process("evaluate", RECS, TRUTH, "-m", "ndgc@10", spill=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "Did you mean 'ndcg'?" in done.stderr


@pytest.mark.parametrize(
    "command",
    [["demo"], ["metrics"], ["check", RECS, TRUTH], ["sql", RECS, TRUTH, "-m", "rr"]],
    ids=lambda command: str(command[0]),
)
def test_a_process_makes_no_noise(command: list[str], tmp_path: Path) -> None:
    done = process(*command, spill=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_that_spills_leaves_no_folder_and_gives_the_same_numbers(large: Path, tmp_path: Path) -> None:
    command = ["evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10"]
    tight = process(*command, "--memory-limit", "60MB", "--threads", "1", spill=tmp_path)
    assert (tight.returncode, tight.stderr) == (0, "")
    assert table(tight.stdout) == table(process(*command, spill=tmp_path).stdout)


def test_a_pipe_gets_no_bar_however_long_it_takes(
    large: Path, tmp_path: Path, scripts: dict[str, tuple[str, ...]]
) -> None:
    command = ["0", "evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10", "--threads", "1"]
    done = process(*command, spill=tmp_path, command=scripts["bar_after"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("n_lists ┃ n_missing ┃ ndcg@10")


@on_a_terminal
def test_a_terminal_shows_a_bar_for_a_long_run_and_then_the_leaderboard(
    large: Path, scripts: dict[str, tuple[str, ...]]
) -> None:
    command = ["0", "evaluate", large / "recs.parquet", large / "truth.parquet", "-m", "ndcg@10", "--threads", "1"]
    code, shown = terminal(*command, command=scripts["bar_after"])
    assert code == 0
    assert "measuring" in shown
    assert "n_lists" in shown.rpartition("measuring")[2]


@on_a_terminal
def test_a_terminal_shows_no_bar_for_a_short_run(scripts: dict[str, tuple[str, ...]]) -> None:
    code, shown = terminal("1000", "evaluate", RECS, TRUTH, "-m", "ndcg@10", command=scripts["bar_after"])
    assert code == 0
    assert "measuring" not in shown
    assert "0.3027" in shown


@on_a_terminal
def test_a_terminal_shows_a_refusal_as_a_sentence() -> None:
    code, shown = terminal("evaluate", RECS, TRUTH, "-m", "ndgc@10")
    assert code == 2
    assert "Did you mean 'ndcg'?" in shown


@on_a_terminal
def test_a_narrow_terminal_shows_every_number_whole() -> None:
    code, shown = terminal("evaluate", RECS, TRUTH, "-m", "ndcg@5,10,20", "-m", "recall@5,10,20", "-m", "rr@5,10,20")
    assert code == 0
    assert "…" not in shown
    assert len(re.findall(r"\b0\.\d{4}\b", re.sub(r"\x1b\[[0-9;]*m", "", shown))) == 27


@on_a_terminal
@pytest.mark.parametrize(
    ("bar_after", "at"), [("0", b"measuring"), ("1000", b"started")], ids=["at the bar", "before the bar"]
)
def test_an_interrupt_on_a_terminal_ends_the_query_without_a_traceback(
    bar_after: str, at: bytes, scripts: dict[str, tuple[str, ...]]
) -> None:
    asked = [bar_after, "evaluate", RECS, TRUTH, "-m", "ndcg@10"]
    code, shown = terminal(*asked, command=scripts["endless"], interrupt_at=at)
    assert "Traceback" not in shown
    assert "terminate called" not in shown
    assert code == 130


@on_a_terminal
def test_an_interrupt_in_a_pipe_ends_the_query_without_a_traceback(scripts: dict[str, tuple[str, ...]]) -> None:
    command = [*scripts["endless"], "0", "evaluate", RECS, TRUTH, "-m", "ndcg@10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == b"started\n"
            time.sleep(1)
            child.send_signal(signal.SIGINT)
            _, err = child.communicate(timeout=20)
        finally:
            child.kill()
    assert b"Traceback" not in err
    assert child.returncode == 130


def test_the_version_is_that_of_the_package() -> None:
    assert printed("--version") == f"rankmetrics {rm.__version__}\n"


def test_ctrl_c_between_two_queries_ends_the_next() -> None:
    connection = duckdb.connect()
    started = threading.Event()

    def work() -> object:
        started.set()
        time.sleep(0.5)  # the signal comes here, where no query runs
        return connection.execute(
            "SELECT COUNT(*) FROM range(10**7) AS a(x) JOIN range(10**5) AS b(y) ON x > y"
        ).fetchall()

    def press() -> None:
        started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        with_progress(connection, work)
    assert time.monotonic() - start < 30, "the query would take minutes"
