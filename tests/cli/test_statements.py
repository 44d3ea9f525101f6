"""`rankmetrics sql` writes every form of the query as Python does, and its checks and guards."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.cli.flags import complete_form
from rankmetrics.export.statements import FORMS
from tests.support.commands import RECS, TRUTH, by_hand, printed, refused
from tests.support.engines import means
from tests.support.partitions import LISTS, holds

SQL = ("sql", RECS, TRUTH, "-m", "hit@10")
OF_TABLES = ("sql", "db.recs", "db.truth", "-m", "hit@10", *(f"--list={one}" for one in LISTS["lists"]))
KEPT = ("--by", "partition", "--by", "algorithm")


def test_the_command_writes_what_python_writes() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@10", by=["partition", "algorithm"])
    given: list[dict[str, Any]] = [
        {"form": "view", "name": "db.lb"},
        {"form": "table", "name": "lb"},
        {"form": "cte"},
        {"form": "cte", "name": "lb"},
        {"form": "macro"},
    ]
    for one in given:
        named = ["--name", one["name"]] if "name" in one else []
        assert printed(*SQL, *KEPT, "--as", one["form"], *named).rstrip("\n") == result.to_sql(**one)
    partition: dict[str, Any] = {"form": "incremental", "name": "lb", "where": {"partition": 2}}
    for where in ("partition = 2", "partition=2", " partition ='2' ", "partition= 2"):
        text = printed(*SQL, *KEPT, "--as", "incremental", "--name", "lb", "--where", where)
        assert text.rstrip("\n") == result.to_sql(**partition)


def test_a_macro_that_the_command_writes_measures_files() -> None:
    with duckdb.connect() as connection:
        connection.execute(printed(*SQL, "--as", "macro"))
        expected = means(rm.evaluate(RECS, TRUTH, "hit@10"))
        holds(connection, f"FROM rank_metrics('{RECS}', '{TRUTH}')", expected)


def test_a_cte_that_the_command_writes_runs_as_it_is() -> None:
    expected = means(rm.evaluate(RECS, TRUTH, "hit@10"))
    assert_frame_equal(by_hand(printed(*SQL, "--as", "cte")), expected, check_row_order=False)


def test_a_partition_is_written_as_it_is_said() -> None:
    partitions: list[tuple[str, Any]] = [
        ("day = 2024-01-01", "2024-01-01"),
        ("day=3", 3),
        ("day = -3", -3),
        ("day = '3'", "3"),
        ("day = 007", "007"),
        ("day = 'it''s = it'", "it's = it"),
        ("day = ''", ""),
        ("day = 'a b'", "a b"),
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
        expected = rm.to_sql("db.recs", "db.truth", "hit@10", where={"day": value}, **options)
        assert printed(*OF_TABLES, *flags, "--where", where).rstrip("\n") == expected, where


def test_a_partition_may_be_of_several_columns() -> None:
    where = ("--where", "day = 2024-01-01", "--where", "partition = 2")
    flags = "--truth-item item --by day --by partition --as incremental --name lb".split()
    text = printed(*OF_TABLES, *flags, *where)
    n_reads = text.count('FROM "db".') + text.count('JOIN "db".')
    assert text.count("\"day\" = '2024-01-01'") == text.count('"partition" = 2') == n_reads + 1  # and DELETE


REFUSED: list[tuple[list[str], str]] = [
    (["--as", "veiw"], "Did you mean 'view'?"),
    (["--name", "lb"], "--as query makes nothing that --name ... could name"),
    (["--as", "view"], "needs a name: --name db.leaderboard."),
    (["--as", "incremental", "--name", "lb"], "say which, --where 'partition = 2024-01-01'."),
    (["--where", "partition = 1"], "--where is the partition that --as incremental adds: --as query takes none."),
    (["--as", "macro", "--dialect", "trino"], "--as macro makes a table macro, and trino has none"),
    (["--as", "incremental", "--name", "lb", "--where", "partition = 1"], "keep it with --by."),
    (["--where", "partition"], "--where takes comparisons of list columns with values: there was 'partition'"),
    (["--where", "partition"], """Write it as in --where "day = DATE '2024-01-31'" or """),
    (["--where", "partition = user + 1"], "'user + 1' is no whole number, text or date"),
    (["--where", "partition = NULL"], "'NULL' is no whole number, text or date"),
    (["--where", "partition = CURRENT_DATE"], "is no whole number, text or date"),
    (["--where", "partition = DATE '2024-02-30'"], "'2024-02-30' is no date"),
    (["--where", "partition = 1 OR partition = 2"], "compares no list column with literals"),
    (["--where", "partition <> 1"], "is no equality, range or IN"),
    (["--where", "partition IN (SELECT 1)"], "is no equality, range or IN"),
    (["--where", "recs.partition > 1"], "compares no list column with literals"),
    (["--where", "3 > partition"], "compares no list column with literals"),
    (["--where", "= 1"], "which is no condition of SQL"),
    (["--where", "partition ="], "which is no condition of SQL"),
    (["--where", "partition = 'x"], "which is no condition of SQL"),
    (["--where", "partition = 1", "--where", "partition=2"], "names a column twice"),
    (["--lookback", "3"], "--lookback 3 belongs to --as incremental."),
]


def test_the_command_refuses_what_does_not_go_together() -> None:
    for options, words in REFUSED:
        assert words in refused(*SQL, *options), options


def test_the_forms_complete() -> None:
    assert complete_form("") == sorted(FORMS)
    assert complete_form("in") == ["incremental"]


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
