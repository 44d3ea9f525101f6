"""`rankmetrics evaluate`: flags as options of Python, what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from io import StringIO
from pathlib import Path
from shutil import copy
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.cli.flags import as_flag
from rankmetrics.errors import spelling
from rankmetrics.request import Request
from rankmetrics.results.checked import Checked
from tests.support.commands import RECS, TRUTH, column, printed, refused, run, table, written

# Flags of `evaluate`, each with the options of `rm.evaluate`.
FLAGS: list[tuple[list[str], dict[str, Any]]] = [
    (["-m", "ndcg@10", "-m", "accuracy = rr"], {"metrics": ["hit@1", "ndcg@10", {"accuracy": " rr"}]}),
    (["--by", "day", "--by", "model"], {"by": ["day", "model"]}),
    (["--overall"], {"by": ()}),
    (["--list", "day", "--list", "user"], {"lists": ["day", "user"]}),
    (["--truth-list", "day", "--truth-list", "user"], {"truth_lists": ["day", "user"]}),
    (["--truth-list", "user=owner"], {"columns": rm.Columns(lists={"user": "owner"})}),
    (
        ["--truth-list", "user=owner", "--truth-list", "day"],
        {"truth_lists": ["user", "day"], "columns": rm.Columns(lists={"user": "owner"})},
    ),
    (
        ["--item", "sku", "--rank", "place", "--rating", "stars", "--pool", "n"],
        {"columns": rm.Columns(item="sku", rank="place", rating="stars", pool="n")},
    ),
    (["--distance", "d"], {"columns": rm.Columns(distance="d")}),
    (
        ["--item", "sku", "--score", "p", "--truth-item", "bought", "--rating", "stars"],
        {
            "columns": rm.Columns(item="sku", score="p", rating="stars"),
            "truth_columns": rm.Columns(item="bought", rating="stars"),
        },
    ),
    (["--lower-is-better", "--rank-from", "0"], {"lower_is_better": True, "rank_from": 0}),
    (
        ["--missing", "skip", "--ties", "expected", "--duplicates", "error", "--convention", "trec_eval"],
        {"missing": "skip", "ties": "expected", "duplicates": "error", "convention": "trec_eval"},
    ),
    (["--unjudged", "removed"], {"unjudged": "removed"}),
    (["--aggregate", "median", "--aggregate", "worst(0.1)"], {"aggregates": ["median", "worst(0.1)"]}),
    (["--system", "a", "--system", "b"], {"systems": ["a", "b"]}),
    (["--systems", "systems.csv"], {"systems": "systems.csv"}),
    (["--system-from-file"], {"files_as": "system"}),
    (["--system-from-file", "model"], {"files_as": "model"}),
    (["--files-are-parts"], {"files_as": "parts"}),
    (["--where", "day = 1", "--where", "recs: k = 2"], {"where": ["day = 1", "recs: k = 2"]}),
    (["--format", "truth: movielens"], {"format": ["truth: movielens"]}),
    (["--history", "h.csv", "--history-until", "day"], {"history": "h.csv", "history_until": "day"}),
    (["--baseline", "b.csv", "--baseline-list", "user"], {"baseline": "b.csv", "baseline_lists": ["user"]}),
    (
        ["--items", "i.csv", "--extra-column", "items.category=kind", "--extra-column", "items.lists.day=date"],
        {"items": "i.csv", "extra_columns": {"items": rm.Columns(category="kind", lists={"day": "date"})}},
    ),
    (
        ["--similarity", "s.csv", "--catalog", "c.csv", "--candidates", "d.csv"],
        {"similarity": "s.csv", "catalog": "c.csv", "candidates": "d.csv"},
    ),
    (["--sample", "popularity(n=9)"], {"sample": "popularity(n=9)"}),
]


def test_flags_are_the_options_of_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {}
    defaults = {field.name: field.default for field in fields(Request)}

    def measure(values: Mapping[str, Any]) -> None:
        options.update(values)
        raise rm.InputError("nothing is measured")

    monkeypatch.setattr("rankmetrics.api.measure", measure)
    monkeypatch.chdir(folder)
    for name in "systems h b i s c d".split():
        copy(folder / "truth.csv", folder / f"{name}.csv")
    for flags, expected in FLAGS:
        options.clear()
        assert refused("evaluate", "recs.csv", "truth.csv", "-m", "hit@1", *flags) == "nothing is measured", flags
        options.pop("connection")
        changed = {name: value for name, value in options.items() if value != defaults.get(name)}
        assert changed == {"recs": "recs.csv", "truth": "truth.csv", "metrics": ["hit@1"], **expected}, flags


def test_evaluate_prints_the_numbers_of_the_python_call() -> None:
    metrics = ["ndcg(gain=linear)@10", "recall@5", "recall@10", "rr"]
    glob = RECS.replace("recs", "rec*")
    rows = table(printed("evaluate", glob, TRUTH, "-m", metrics[0], "-m", "recall@5,10", "-m", "rr"))
    collected = rm.evaluate(RECS, TRUTH, metrics).collect().sort(metrics[0], descending=True)
    assert [list(row) for row in rows] == [["algorithm", "n_lists", "n_missing", *metrics]] * 3
    assert [row["algorithm"] for row in rows] == collected["algorithm"].to_list()
    assert [row["n_lists"] for row in rows] == ["998"] * 3
    for name in metrics:
        assert [row[name] for row in rows] == [f"{value:.4f}" for value in collected[name]]


def test_per_list_prints_a_row_for_every_list_and_a_dash_for_an_undefined_value(folder: Path) -> None:
    flags = ("-m", "hit@1", "-m", "hit(rel=5)@1", "--per-list", "--as", "table")
    rows = table(printed("evaluate", folder / "recs.csv", folder / "truth.csv", *flags))
    assert sorted((row["algorithm"], row["user"], row["hit@1"], row["hit(rel=5)@1"]) for row in rows) == [
        ("a", "u1", "1.0", "1.0"),
        ("a", "u2", "0.0", "–"),
        ("a", "u3", "0.0", "–"),
        ("b", "u1", "0.0", "0.0"),
        ("b", "u2", "0.0", "–"),
        ("b", "u3", "0.0", "–"),
    ]


def test_define_reads_a_metric_from_a_file(folder: Path) -> None:
    (folder / "own.sql").write_text("-- cli_twice: twice the hits\nSELECT 2.0 * n_hits AS cli_twice FROM metrics")
    out = printed(
        "evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "cli_twice@1", "--define", folder / "own.sql"
    )
    assert column(out, "cli_twice@1") == {"a": "0.6667", "b": "0.0000"}
    assert "twice the hits" in printed("metrics", "--define", folder / "own.sql")
    (folder / "more").mkdir()
    (folder / "more/half.sql").write_text("-- cli_half: half the hits\nSELECT n_hits / 2.0 AS cli_half FROM metrics")
    assert "half the hits" in printed("metrics", "--define", folder / "more")


def test_database_lets_tables_be_named(folder: Path) -> None:
    with duckdb.connect(str(folder / "world.duckdb")) as connection:
        connection.execute("CREATE SCHEMA s")
        connection.execute(f"CREATE TABLE s.recs AS FROM '{folder / 'recs.csv'}'")
        connection.execute(f"CREATE VIEW truth AS FROM '{folder / 'truth.csv'}'")
    database = ["-m", "hit@1", "--database", folder / "world.duckdb"]
    for truth in ("truth", folder / "truth.csv"):  # a table, and a file next to a table
        assert column(printed("evaluate", "s.recs", truth, *database), "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert printed("check", "s.recs", "truth", *database).startswith("lists: algorithm, user; the truth has user\n")
    assert 'FROM "s"."recs"' in printed("sql", "s.recs", "truth", *database)
    message = refused("evaluate", "s.recs", "truth", *database, "--connection", "sqlite://")
    assert message == "--database names a file of DuckDB, and --connection another database: give one of them."


def test_memory_and_threads_reach_duckdb(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configs: list[dict[str, Any]] = []
    connect = duckdb.connect

    def spy(*arguments: Any, **options: Any) -> duckdb.DuckDBPyConnection:
        configs.append(options.get("config", {}))
        return connect(*arguments, **options)

    monkeypatch.setattr(duckdb, "connect", spy)
    limits = ["--memory-limit", "1GB", "--threads", "1"]
    printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", *limits)
    assert [(config.get("memory_limit"), config.get("threads")) for config in configs] == [("1GB", 1)]


def test_a_text_is_that_of_the_result_and_stderr_has_the_account(folder: Path) -> None:
    files = [folder / "recs.csv", folder / "truth.csv"]
    result, command = rm.evaluate(files[0], files[1], "hit@1"), ["evaluate", *files, "-m", "hit@1"]
    with spelling(as_flag):
        account = "".join(f"{note}\n" for note in result.notes())
    code, out, err = run(*command, "-o", "-")
    assert (code, err) == (0, account)
    assert_frame_equal(pl.read_csv(StringIO(out)), result.collect())
    assert run(*command, "--as", "latex") == (0, result.to_text("latex"), account)
    assert written(*command, "-o", folder / "board.md") == account
    assert (folder / "board.md").read_text(encoding="utf-8") == result.to_text("markdown")
    written(*command, "--as", "json", "-o", folder / "out.json")
    assert {*json.loads((folder / "out.json").read_text())} == {"summary", "account", "versions", "request"}
    out = run(*command, "--per-list", "--as", "jsonl", "-o", "-")[1]
    assert [{*json.loads(line)} for line in out.splitlines()] == [{"algorithm", "user", "hit@1"}] * 6


def test_a_row_per_list_is_written_without_computing_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Checked, "counts", lambda _: pytest.fail("the summary was computed"))
    path = tmp_path / "lists.parquet"
    code, out, err = run("evaluate", RECS, TRUTH, "-m", "ndcg@10", "--per-list", "-o", path)
    assert (code, out) == (0, "")
    assert "6 lists of the recommendations without truth" in err
    assert "in the means" not in err
    assert pl.read_parquet(path).height == 2994


def test_charts_are_drawn_next_to_the_printed_table(tmp_path: Path) -> None:
    charts = ["--plot", tmp_path / "leaderboard.svg", "--plot", f"curve={tmp_path / 'hits.svg'}"]
    assert len(table(printed("evaluate", RECS, TRUTH, "-m", "hit@5", *charts))) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hits.svg", "leaderboard.svg"]
    assert all("item-knn" in path.read_text(encoding="utf-8") for path in tmp_path.iterdir())


REFUSED: list[tuple[list[str], str]] = [
    (["-m", "ndgc@10"], "no metric 'ndgc'. Did you mean 'ndcg'?"),
    (["-m", "[red]:smile:"], "'[red]:smile:'"),
    (["--overall", "--by", "user"], "--overall gives one row over everything, and --by a row for each"),
    (["--system-from-file", "--files-are-parts"], "--system-from-file and --files-are-parts contradict each other"),
    (["--system", "a", "--systems", "truth.csv"], "--system names systems, and --systems a table of them"),
    (["--memory-limit", "lots"], "Memory must have a number (e.g. 1GB)"),
    (["--database", "nowhere.duckdb"], "no database 'nowhere.duckdb'"),
    (["--define", "nowhere.sql"], "'nowhere.sql' cannot be read"),
    (["-o", "out.txt"], ".parquet"),
    (["-o", "none/board.md"], "Cannot write"),
    (["-o", "folder.csv"], "folder.csv"),
    (["--as", "markdwon"], "Did you mean 'markdown'?"),
    (["--per-list", "--as", "markdown"], "written as csv, json or jsonl"),
    (["--format", "latex"], "To print the result: --as latex"),
    (["--plot", "curv.svg"], "Did you mean 'curve'?"),
    (["--plot", "curve.pdf"], "a chart is a file that ends in one of"),
    (["--plot", "bars=curve.svg"], "There is no chart"),
    (["--extra-column", "items.colour=kind"], "'items.colour=kind' names no column"),
    (["--extra-column", "items"], "items.category=genre"),
    (["--extra-column", "itms.category=kind"], "'itms', which is not an input"),
    (["--sample", "uniform(m=4)"], "--sample must be a number of items"),
]


def test_what_cannot_be_is_refused_with_what_could(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "folder.csv").mkdir()
    before = sorted(folder.iterdir())
    for options, words in REFUSED:
        metric = [] if options[0] == "-m" else ["-m", "hit@1"]
        assert words in refused("evaluate", "recs.csv", "truth.csv", *metric, *options), options
    message = refused("evaluate", "rec.csv", "truth.csv", "-m", "hit@1")
    assert message.startswith("There is no file 'rec.csv'. Did you mean 'recs.csv'")
    for options, words in ((["--threads", "0"], "--threads"), (["--plot", "tradeoff.svg", "-o", "-"], "has 1 metric")):
        code, _, err = run("evaluate", "recs.csv", "truth.csv", "-m", "hit@1", *options)
        assert (code, words in err) == (2, True), err
    assert sorted(folder.iterdir()) == before


def test_a_run_that_fails_leaves_no_output_and_keeps_an_old_one_whole(folder: Path) -> None:
    pl.read_csv(folder / "truth.csv").with_columns(pl.col("user") + "x").write_csv(folder / "truth.csv")
    before, files = sorted(folder.iterdir()), [folder / "recs.csv", folder / "truth.csv", "-m", "hit@1"]
    for message in (refused("check", *files), refused("evaluate", *files, "-o", folder / "out.csv")):
        assert message.startswith("No list is in both the recommendations and the truth, which share user.")
        assert "'u1x'" in message
    assert sorted(folder.iterdir()) == before
    (folder / "out.csv").write_text("old")
    refused("evaluate", *files, "-o", folder / "out.csv")
    assert (folder / "out.csv").read_text() == "old"
    assert sorted(folder.iterdir()) == sorted([*before, folder / "out.csv"])
