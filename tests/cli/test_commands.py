"""`rankmetrics check`, `sql`, `metrics`, `demo` and the help."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.cli.flags import complete_dialect, complete_metric
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import names
from tests.support.commands import RECS, TRUTH, by_hand, column, printed, refused, run, table
from tests.support.engines import means

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
    assert set(re.findall(r'FROM "(?:WH|TRUTH)".*', text)) == {'FROM "WH"."R" AS "RECS"', 'FROM "TRUTH"'}


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
    assert '"DB"' not in text
    for one in ('FROM "WH"."R"', 'FROM "WH"."T"', '"SKU"', '"BOUGHT"', '"S"'):
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


@pytest.mark.parametrize("command", ["evaluate", "check", "sql", "split", "metrics", "demo"])
def test_every_command_has_a_help_page(command: str) -> None:
    assert f"rankmetrics {command}" in printed(command, "--help").replace("root", "rankmetrics")
    assert command in printed("--help")


def test_without_a_command_the_help_is_shown() -> None:
    assert "evaluate" in "".join(map(str, run()[1:]))


def test_completion_offers_metrics_and_dialects() -> None:
    assert complete_metric("nd") == ["ndcg", "ndcg_at_levels", "ndcg_at_relevant"]
    assert complete_metric("MR") == ["MRR", "mrr"]
    assert set(rm.list_metrics()["metric"]) <= set(complete_metric(""))
    assert complete_dialect("s") == ["snowflake", "spark", "sqlite"]
    assert complete_dialect("") == sorted(DIALECTS)


# --- as a process of its own ------------------------------------------------------------------------------------------


def test_the_version_is_that_of_the_package() -> None:
    assert printed("--version") == f"rankmetrics {rm.__version__}\n"
