"""`rankmetrics sql` writes every form of the query as Python does, and its checks and guards."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

import rankmetrics as rm
from tests.support.commands import RECS, TRUTH, by_hand, printed, refused
from tests.support.partitions import LISTS

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
        expected = rm.to_sql("db.recs", "db.truth", "hit@10", where={"day": value}, **options)
        assert printed(*OF_TABLES, *flags, "--where", where).rstrip("\n") == expected, where


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
    (["--where", "partition = user + 1"], "'user + 1' is not a whole number, text or date"),
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


def test_tables_and_guards_that_are_not_possible_are_refused_in_the_words_of_the_command_line() -> None:
    for arguments, words in (
        (["shop.recs", "shop.truth"], "name its columns: each column that identifies a list with --list"),
        (["SELECT * FROM shop.recs", "shop.truth"], "make a view of a SELECT"),
        ([RECS, "shop.truth", "--database", "none.duckdb"], "no database 'none.duckdb'"),
        (["r", "t", "--list", "user", "--dialect", "sqlite", "--guarded"], "--guarded needs a query that can raise"),
        ([RECS, TRUTH, "--dialect", "snowflak"], "Did you mean 'snowflake'?"),
    ):
        assert words in refused("sql", *arguments, "-m", "hit@1"), arguments
