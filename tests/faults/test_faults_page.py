"""docs/warehouse-checks.md: its example is what comes out, and it names every fault and every dialect."""

from __future__ import annotations

import re

import duckdb
import polars as pl

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.option_checks import COUNTS
from tests import ROOT

PAGE = (ROOT / "docs" / "warehouse-checks.md").read_text("utf-8")


def test_the_example_of_the_page_is_what_the_check_returns() -> None:
    recs = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 7], "rank": [0, 1, 0]})
    truth = pl.DataFrame({"user": [1, 2], "item": [8, 7], "stars": [1.0, float("inf")]})
    rated = rm.Columns(rating="stars")
    text = rm.to_sql("recs", "truth", "ndcg@10", lists="user", dialect="duckdb", form="check", truth_columns=rated)
    with duckdb.connect() as connection:
        connection.from_arrow(recs.to_arrow()).create("recs")
        connection.from_arrow(truth.to_arrow()).create("truth")
        rows = connection.execute(text).fetchall()
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    (shown,) = re.findall("<!-- example -->\n(.*?)\n<!-- /example -->", PAGE, re.DOTALL)
    assert shown.splitlines()[2:] == lines


def test_the_page_names_every_fault_and_no_other() -> None:
    (table,) = re.findall(r"\n\| fault \| what is wrong \|\n(.*?)\n\n", PAGE, re.DOTALL)
    first = [line.split("|")[1] for line in table.splitlines()[1:]]
    assert sorted(re.findall(r"`(\w+)`", " ".join(first))) == sorted(one.name for one in catalog().all("fault"))


def test_the_page_says_of_every_dialect_whether_it_can_raise_an_error() -> None:
    (table,) = re.findall(r"\n\| dialect \| how .*?\n(.*?)\n\n", PAGE, re.DOTALL)
    *can, cannot = table.splitlines()[1:]
    named = [name.strip() for line in can for name in line.split("|")[1].split(",")]
    assert {*named} == {one.called for one in DIALECTS.values() if one.raise_error}
    assert {name.strip() for name in cannot.split("|")[1].split(",")} == {
        one.called for one in DIALECTS.values() if not one.raise_error
    }


def test_the_page_names_every_count() -> None:
    assert re.findall(r"(?m)^\| `(\w+)` \| `n_", PAGE) == [*COUNTS]
