"""`rankmetrics sql` writes every form of the query as Python does."""

from __future__ import annotations

from datetime import date
from typing import Any

import duckdb
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.cli.flags import complete_form
from rankmetrics.export.statements import FORMS
from tests.support.commands import RECS as RECS_FILE
from tests.support.commands import TRUTH as TRUTH_FILE
from tests.support.commands import by_hand, printed, refused
from tests.support.engines import means
from tests.support.partitions import LISTS, holds

SQL = ("sql", RECS_FILE, TRUTH_FILE, "-m", "hit@10")
OF_TABLES = ("sql", "db.recs", "db.truth", "-m", "hit@10", *(f"--list={one}" for one in LISTS["lists"]))
KEPT = ("--by", "partition", "--by", "algorithm")


def test_the_command_writes_what_python_writes() -> None:
    result = rm.evaluate(RECS_FILE, TRUTH_FILE, "hit@10", by=["partition", "algorithm"])
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
        expected = means(rm.evaluate(RECS_FILE, TRUTH_FILE, "hit@10"))
        holds(connection, f"FROM rank_metrics('{RECS_FILE}', '{TRUTH_FILE}')", expected)


def test_a_cte_that_the_command_writes_runs_as_it_is() -> None:
    expected = means(rm.evaluate(RECS_FILE, TRUTH_FILE, "hit@10"))
    assert_frame_equal(by_hand(printed(*SQL, "--as", "cte")), expected, check_row_order=False)


@pytest.mark.parametrize(
    ("where", "value"),
    [
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
    ],
)
def test_a_partition_is_written_as_it_is_said(where: str, value: Any) -> None:
    options = (
        "--truth-item",
        "item",
        "--by",
        "day",
        "--as",
        "incremental",
        "--name",
        "db.lb",
        "--where",
        where,
        "--dialect",
        "snowflake",
    )
    expected = rm.to_sql(
        "db.recs",
        "db.truth",
        "hit@10",
        lists=LISTS["lists"],
        truth_columns=LISTS["truth_columns"],
        by="day",
        dialect="snowflake",
        form="incremental",
        name="db.lb",
        where={"day": value},
    )
    assert printed(*OF_TABLES, *options).rstrip("\n") == expected


def test_a_partition_may_be_of_several_columns() -> None:
    where = ("--where", "day = 2024-01-01", "--where", "partition = 2")
    text = printed(
        *OF_TABLES,
        "--truth-item",
        "item",
        "--by",
        "day",
        "--by",
        "partition",
        "--as",
        "incremental",
        "--name",
        "lb",
        *where,
    )
    n_reads = text.count('FROM "db".') + text.count('JOIN "db".')
    assert text.count("\"day\" = '2024-01-01'") == text.count('"partition" = 2') == n_reads + 1  # and DELETE


@pytest.mark.parametrize(
    ("options", "words"),
    [
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
    ],
    ids=str,
)
def test_the_command_refuses_what_does_not_go_together(options: list[str], words: str) -> None:
    assert words in refused(*SQL, *options)


def test_the_forms_complete() -> None:
    assert complete_form("") == sorted(FORMS)
    assert complete_form("in") == ["incremental"]
