"""`rankmetrics check`, `sql`, `metrics`, `conventions`, `demo`, `dbt` and the help."""

from __future__ import annotations

import re
import shlex
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling.page_code import parse
from rankmetrics._files import data_folder
from rankmetrics.cli.flags import as_flag, complete_convention, complete_dialect, complete_form, complete_metric
from rankmetrics.errors import spelling
from rankmetrics.manual import manual
from rankmetrics.metrics.conventions import CONVENTIONS, find
from tests.support import flat
from tests.support.commands import RECS, TRUTH, by_hand, printed, refused, run, table
from tests.support.dbt_packages import GOOD
from tests.support.partitions import LISTS


def test_check_of_one_file_says_how_it_is_read_and_the_flags_that_say_so(tmp_path: Path) -> None:
    (tmp_path / "recs.csv").write_text("user;item;score\n1;a;0,9\n2;b;0,8\n", encoding="utf-8")
    first, *columns, last = printed("check", tmp_path / "recs.csv").splitlines()
    assert first == "format 'csv', separator ';', quote '\"'"
    assert "item: string (VARCHAR), item of the recommendations or item of the truth: a, b" in columns
    assert "has a decimal comma: --format 'recs: decimal=\",\"'." in " ".join(columns)
    flags = [*shlex.split(last.removeprefix("To say so: ")), "--format", 'recs: decimal=","']
    assert "score: float (DOUBLE)" in printed("check", tmp_path / "recs.csv", *flags)


def test_check_says_what_every_column_is_for_and_what_the_data_holds() -> None:
    lines = printed("check", RECS, TRUTH).splitlines()
    assert lines[:3] == [
        "lists: partition, algorithm, user; the truth has partition, user",
        "recommendations: item = item, score = score",
        "truth: item = item, rating = rating",
    ]
    with spelling(as_flag):
        assert lines[3:] == rm.evaluate(RECS, TRUTH, "hit").notes()
    history = data_folder() / "history.parquet"
    assert "history: item = item, rating = rating" in printed("check", RECS, TRUTH, "--history", history).splitlines()


def test_sql_of_tables_in_a_warehouse_looks_nothing_up() -> None:
    lists = ["--list", "algorithm", "--list", "user", "--truth-list", "user", "--truth-item", "item"]
    text = printed("sql", "db.recs", "db.truth", "-m", "hit@10", *lists, "--dialect", "snowflake")
    assert text.strip() == rm.to_sql(
        "db.recs",
        rm.Input("db.truth", lists=["user"], columns=rm.Columns(item="item")),
        "hit@10",
        lists=["algorithm", "user"],
        dialect="snowflake",
    )
    named = ["--recs-table", "wh.r", "--truth-table", "wh.t", "--item", "sku", "--truth-item", "bought", "--score", "s"]
    text = printed("sql", "db.recs", "db.truth", "-m", "hit@10", *lists, *named, "--dialect", "snowflake")
    assert '"DB"' not in text
    for name in ('FROM "WH"."R"', 'FROM "WH"."T"', '"SKU"', '"BOUGHT"', '"S"'):
        assert name in text


def test_metrics_lists_them_all() -> None:
    rows = table(printed("metrics"))
    assert [row["metric"] for row in rows] == rm.list_metrics()["metric"].to_list()
    assert [row["what it is"] for row in rows] == rm.list_metrics()["summary"].to_list()


def test_metrics_explains_one_and_lists_the_counts_of_the_account() -> None:
    assert printed("metrics", "ndcg@10").strip() == str(rm.explain("ndcg@10"))
    rows = table(printed("metrics", "--account"))
    assert [list(row) for row in rows] == [["count", "what it is"]] * len(rows)
    assert {"lists_scored", "lists_missing", "truth_repeated"} <= {row["count"] for row in rows}
    assert "Did you mean 'ndcg'?" in refused("metrics", "ndgc")


def test_demo_prints_the_sample_and_the_command_that_prints_it() -> None:
    text = printed("demo")
    rows = table(text)
    assert [row["algorithm"] for row in rows] == ["matrix-factorisation", "item-knn", "popular"]
    assert [row["ndcg@10"] for row in rows] == ["0.3027", "0.2614", "0.1284"]
    assert text.startswith(
        "$ rankmetrics evaluate data/recs.parquet data/truth.parquet \\\n    -m ndcg@10 -m recall@10"
    )


def test_every_command_has_a_help_page() -> None:
    overview = printed("--help")
    for command in ("evaluate", "check", "sql", "split", "metrics", "demo", "gate", "run", "rank", "dbt"):
        assert command in overview
        assert command in printed(command, "--help")
    assert "evaluate" in "".join(map(str, run()[1:]))
    assert printed("--version") == f"rankmetrics {rm.__version__}\n"


def test_help_begins_with_an_example_and_names_the_options_of_all_evaluations_by_group() -> None:
    for words in ([], ["evaluate"]):
        before = printed(*words, "--help").partition("╭")[0]
        (example,) = (line.split() for line in before.splitlines() if line.startswith(" rankmetrics evaluate "))
        parse(example[1:])
    text = printed("evaluate", "--help")
    explained = re.findall(r"^│ [ *] +--([a-z-]+)", text, re.MULTILINE)
    assert 15 < len(explained) < 30
    assert "<bool>" not in text + printed("--help") + printed("dbt", "--help") + printed("dbt", "init", "--help")
    assert re.search(r"─ DuckDB ─+╮\n│ --database --memory-limit --threads +│", text)
    assert "--threads" in manual("cli/evaluate")


def test_completion_offers_names() -> None:
    assert complete_metric("nd") == ["ndcg", "ndcg_at_levels", "ndcg_at_relevant", "ndkl"]
    assert complete_metric("MR") == ["MRR", "mrr"]
    assert complete_dialect("s") == ["snowflake", "spark", "sqlite"]
    assert complete_form("in") == ["incremental"]
    assert complete_convention("tr") == ["trec_eval", "trulens"]


def test_the_command_lists_the_conventions() -> None:
    rows = table(printed("conventions"))
    assert [row["convention"] for row in rows] == [convention.name for convention in CONVENTIONS]
    assert [row["library"] for row in rows] == [convention.what for convention in CONVENTIONS]


def test_the_command_explains_a_convention() -> None:
    convention = find("trec_eval")
    lines = printed("conventions", "trec").splitlines()
    assert lines[0] == f"trec_eval: {convention.what}"
    assert "also called: 'trec' and 'pytrec_eval'" in lines
    assert [line for line in lines if line.startswith("- ")] == [f"- {note}" for note in convention.notes]
    for theirs, ours in convention.spellings.items():
        assert [theirs, ours] in [line.split(maxsplit=1) for line in lines]
    for name, value in convention.policies.items():
        assert [line for line in lines if line.startswith(f"{name} = {value}: ")]


def test_the_command_says_what_is_not_measured() -> None:
    assert "\nnot measured: label_ranking_average_precision_score, " in printed("conventions", "sklearn")
    assert printed("conventions", "rankmetrics").strip() == "rankmetrics: rankmetrics itself"
    assert "rbp(convention=rankmetrics)" in refused("conventions", "rbp(convention=capri)")


def test_the_command_compares_a_metric(folder: Path) -> None:
    files = folder / "recs.csv", folder / "truth.csv"
    text = printed("conventions", "precision@4", *files, "--convention", "ranx")
    assert text == f"{rm.compare_conventions('precision@4', *files, conventions='ranx')}\n"
    message = refused("conventions", "precision@4", files[0])
    assert message == "Give the truth, too: rankmetrics conventions METRIC RECS TRUTH."


def test_a_table_of_conventions_warns_of_data_that_looks_wrong(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1, 2], "item": 7, "rank": 1}).write_parquet(tmp_path / "recs.parquet")
    pl.DataFrame({"user": [1, 2], "item": 7, "rating": 0.5}).write_parquet(tmp_path / "truth.parquet")
    code, out, err = run("conventions", "hit@1", tmp_path / "recs.parquet", tmp_path / "truth.parquet")
    assert code == 0
    assert "conventions with the same hit@1" in out
    assert err.startswith("Warning: No rating of the truth reaches 1")


def test_the_sample_is_saved_as_it_ships(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    lines = printed("demo", "--save", folder).splitlines()
    assert [Path(line).name for line in lines] == ["history.parquet", "items.parquet", "recs.parquet", "truth.parquet"]
    for line in lines:
        assert Path(line).read_bytes() == (data_folder() / Path(line).name).read_bytes()
    assert {path.name for path in folder.iterdir()} == {Path(line).name for line in lines}
    assert printed("demo", "--save", folder).splitlines() == lines  # again, over the same files


def test_a_sample_that_cannot_be_saved_is_refused_and_files_of_the_user_stay(tmp_path: Path) -> None:
    own = tmp_path / "recs.parquet"
    own.write_text("own")
    assert refused("demo", "--save", tmp_path).startswith(f"There is another file '{own}' already")
    assert own.read_text() == "own"
    assert [*tmp_path.iterdir()] == [own]
    assert refused("demo", "--save", own / "below").startswith("Cannot make the folder")


def test_the_command_init_says_what_it_wrote_and_what_to_do_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    code, out, err = run("dbt", "init")
    assert (code, err) == (0, "")
    assert out.startswith("wrote rankmetrics/dbt_project.yml\nwrote rankmetrics/leaderboards.yml\n")
    assert out.endswith("\nName it in packages.yml, then run dbt deps:\n\npackages:\n  - local: rankmetrics\n")


@pytest.mark.long
def test_the_command_write_says_what_it_wrote_and_removed(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    (package / "leaderboards.yml").write_text(text.replace("accuracy:", "quality:"))
    code, out, _ = run("dbt", "write", package)
    assert code == 0
    assert f"wrote {package / 'models/quality.sql'}\n" in out
    assert f"removed {package / 'models/accuracy.sql'}\n" in out


@pytest.mark.long
def test_the_command_write_refuses_in_a_sentence(package: Path) -> None:
    (package / "leaderboards.yml").write_text(GOOD.replace("hit@10", "ndgc@10"))
    code, out, err = run("dbt", "write", package)
    assert (code, out) == (2, "")
    assert re.match(r"Error: .*leaderboards.yml, leaderboard 'one': There is no metric 'ndgc'. Did you mean", err)


def test_the_files_of_a_glob_without_quotes_are_refused_with_the_cure() -> None:
    message = refused("evaluate", "a.parquet", "b.parquet", "truth.parquet", "-m", "hit")
    assert "If these are the files of a glob, put it in quotes" in message


def test_a_kind_of_metrics_is_not_a_metric_and_names_them() -> None:
    assert "'novelty', but several of this kind: efd, epc," in refused("metrics", "novelty@10")


# --- `rankmetrics sql` writes every form of the query as Python does, and its checks and guards -----------------------


SQL = ("sql", RECS, TRUTH, "-m", "hit@10")
OF_TABLES = ("sql", "db.recs", "db.truth", "-m", "hit@10", *(f"--list={column}" for column in LISTS["lists"]))
KEPT = ("--by", "partition", "--by", "algorithm")


def test_the_command_writes_what_python_writes() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@10", by=["partition", "algorithm"])
    assert printed(*SQL, *KEPT, "--as", "view", "--name", "db.lb").rstrip() == result.to_sql(form="view", name="db.lb")
    assert printed(*SQL, *KEPT, "--as", "macro").rstrip() == result.to_sql(form="macro")
    assert printed(*SQL, *KEPT, "--per-list", "--dialect", "spark").rstrip() == result.to_sql("spark", per_list=True)
    partition: dict[str, Any] = {"form": "incremental", "name": "lb", "where": {"partition": 2}}
    for where in ("partition=2", " partition ='2' "):
        text = printed(*SQL, *KEPT, "--as", "incremental", "--name", "lb", "--where", where)
        assert text.rstrip() == result.to_sql(**partition), where


def test_a_partition_is_written_as_it_is_said() -> None:
    partitions: list[tuple[str, Any]] = [
        ("day = 2024-01-01", "2024-01-01"),
        ("day = -3", -3),
        ("day = '3'", "3"),
        ("day = 007", "007"),
        ("day = 'it''s = it'", "it's = it"),
        ("day = {{ ds }}", "{{ ds }}"),
        ("day IN (1, -2)", [1, -2]),
        ("day BETWEEN '2024-01-01' AND '2024-01-31'", ("2024-01-01", "2024-01-31")),
        ("(day >= 1 AND day <= 3)", (1, 3)),
        ("day = DATE '2024-01-31'", date(2024, 1, 31)),
    ]
    flags = "--truth-item item --by day --as incremental --name db.lb --dialect snowflake".split()
    options: dict[str, Any] = {"form": "incremental", "name": "db.lb", "by": "day", "dialect": "snowflake"}
    options |= {"lists": LISTS["lists"], "truth_columns": LISTS["truth_columns"]}
    for where, value in partitions:
        expected = flat.to_sql("db.recs", "db.truth", "hit@10", where={"day": value}, **options)
        assert printed(*OF_TABLES, *flags, "--where", where).rstrip("\n") == expected, where


REFUSED: list[tuple[list[str], str]] = [
    (["--where", "partition"], "--where takes comparisons of list columns with values: there was 'partition'"),
    (["--where", "partition"], """Write it as in --where "day = DATE '2024-01-31'" or """),
    (["--where", "partition = user + 1"], "'user + 1' is not a whole number, text, date or parameter"),
    (["--where", "partition = DATE '2024-02-30'"], "'2024-02-30' is not a date"),
    (["--where", "partition = 1 OR partition = 2"], "compares no list column with literals"),
    (["--where", "partition <> 1"], "is not an equality, range or IN"),
    (["--where", "partition IN (SELECT 1)"], "is not an equality, range or IN"),
    (["--where", "3 > partition"], "compares no list column with literals"),
    (["--where", "partition ="], "which is not a condition of SQL"),
    (["--where", "partition = 1", "--where", "partition=2"], "names a column twice"),
    (["--lookback", "3"], "--lookback 3 belongs to --as incremental."),
]


def test_the_command_refuses_what_does_not_go_together() -> None:
    for options, words in REFUSED:
        assert words in refused(*SQL, *options), options


def test_a_check_a_guard_and_counts_run_as_they_are(tmp_path: Path) -> None:
    truth = pl.read_parquet(TRUTH)
    pl.concat([truth, truth.head(1)]).write_parquet(tmp_path / "truth.parquet")
    check = ("sql", RECS, tmp_path / "truth.parquet", "-m", "ndcg@10", "--as", "check", "--duplicates", "error")
    (row,) = by_hand(printed(*check)).to_dicts()
    assert (row["fault"], row["n"]) == ("truth_repeated", 1)
    text = printed("sql", RECS, TRUTH, "-m", "rr", "--guarded", "--count", "missing", "--count", "undefined")
    assert by_hand(text).columns[-2:] == ["n_missing", "n_undefined_rr"]


def test_impossible_tables_and_guards_are_refused_in_words_of_the_command_line() -> None:
    for arguments, words in (
        (["shop.recs", "shop.truth"], "name its columns: each column that identifies a list with --list"),
        (["SELECT * FROM shop.recs", "shop.truth"], "make a view of a SELECT"),
        ([RECS, "shop.truth", "--database", "none.duckdb"], "no database 'none.duckdb'"),
        (["r", "t", "--list", "user", "--dialect", "sqlite", "--guarded"], "--guarded needs a query that can raise"),
        ([RECS, TRUTH, "--dialect", "snowflak"], "Did you mean 'snowflake'?"),
    ):
        assert words in refused("sql", *arguments, "-m", "hit@1"), arguments
