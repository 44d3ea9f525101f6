"""Keys that a database enforces: the query does not look for the repeats and NULLs that they rule out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.inputs.sources import called
from tests.support.refusals import refusal
from tests.support.schemas import NAMED, room_of

METRICS = ["ndcg@3", "recall@2,3", "ap@3", "precision@3", "rr", "hit@1", "auc", "coverage@2"]

RECS = "('a', 1, 5, 1), ('a', 1, 6, 2), ('a', 1, 8, 3), ('a', 2, 7, 1), ('b', 1, 6, 1), ('b', 3, 9, 1)"
TRUTH = "(1, 6), (1, 7), (2, 7), (3, 5)"
HISTORY = "(1, 4), (2, 5), (3, 9)"


@dataclass(frozen=True)
class Place:
    """A database: how it runs a statement, and what leads to it."""

    run: Callable[[str], Any]
    connection: Any
    own: str = ""

    def make(self, name: str, columns: str, rows: str) -> None:
        self.run(f'DROP TABLE IF EXISTS {self.own}"{name}"')
        self.run(f'CREATE TABLE {self.own}"{name}" ({columns})')
        self.run(f'INSERT INTO {self.own}"{name}" VALUES {rows}')

    def result(self, recs: str, truth: str, **options: Any) -> rm.Result:
        self.make("recs", f"algorithm VARCHAR(9){recs.format(of='algorithm')}", RECS)
        self.make("truth", f'"user" INTEGER{truth.format(of="user")}', TRUTH)
        return self.evaluated(**options)

    def evaluated(self, **options: Any) -> rm.Result:
        return rm.evaluate("recs", "truth", METRICS, catalog="truth", connection=self.connection, **options)


@pytest.fixture(params=["duckdb", "postgres", "sqlite", "mariadb"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A database that enforces keys, without tables."""
    if request.param == "duckdb":
        with closing(duckdb.connect()) as connection:
            yield Place(connection.execute, connection)
        return
    with room_of(NAMED[request.param]) as room:
        own = f"{room.name}." if request.param == "sqlite" else ""
        yield Place(room.run, room.engine.options["connection"], own)


PLAIN = (', "user" INTEGER, item INTEGER, "rank" INTEGER', ", item INTEGER")
KEYED = (
    ' NOT NULL, "user" INTEGER NOT NULL, item INTEGER NOT NULL, "rank" INTEGER, PRIMARY KEY (algorithm, "user", item)',
    ' NOT NULL, item INTEGER NOT NULL, UNIQUE (item, "user")',
)


OF_RANKS = KEYED[0].replace(', "user", item)', ', "user", "rank")').replace('"rank" INTEGER', '"rank" INTEGER NOT NULL')


def frames(result: rm.Result) -> list[pl.DataFrame]:
    """What the result computes: per list, per system, and its account."""
    computed = [result.collect(per_list=True), result.collect()]
    account = result.account()
    counts = account.pl() if isinstance(account, duckdb.DuckDBPyRelation) else account.collect()
    return [*(one.sort(*result.layout.by, maintain_order=True) for one in computed), counts.sort(counts.columns)]


@pytest.mark.parametrize("place", ["duckdb", "sqlite"], indirect=True)
def test_the_numbers_and_the_counts_are_those_without_keys(place: Place) -> None:
    expected = frames(place.result(*PLAIN))
    for one, other in zip(frames(place.result(*KEYED)), expected, strict=True):
        assert_frame_equal(one, other, rel_tol=1e-12, check_row_order=False)


def test_the_query_does_not_look_for_repeats_and_nulls_unless_it_is_for_other_tables_or_guarded() -> None:
    with closing(duckdb.connect()) as connection:
        place = Place(connection.execute, connection)
        plain = place.result(*PLAIN).to_sql()
        assert "Right only where" not in plain
        result = place.result(*KEYED)
        assert "Right only where no list column" in result.to_sql()
        assert len(result.to_sql().splitlines()) < len(plain.splitlines())
        for text in (result.to_sql(recs="others"), result.to_sql("snowflake"), result.to_sql(form="check")):
            assert "Right only where" not in text
        assert "fault_message" in result.to_sql(guarded=True)


# New columns and rows for one of the tables, which had keys.
CHANGES = {
    "a truth without its key": ("truth", '"user" INTEGER NOT NULL, item INTEGER NOT NULL', f"{TRUTH}, (1, 6), (2, 7)"),
    "recommendations with another key": ("recs", f"algorithm VARCHAR(9){OF_RANKS}", RECS),
    "items that may be NULL": ("truth", '"user" INTEGER NOT NULL, item INTEGER, UNIQUE (item, "user")', TRUTH),
    "ranks of another type": ("recs", f"algorithm VARCHAR(9){KEYED[0]}".replace('k" INTEGER', 'k" REAL'), RECS),
    "another column": ("recs", f"day INTEGER, algorithm VARCHAR(9){KEYED[0]}", RECS.replace("(", "(0, ")),
}


def test_a_table_that_changes_between_evaluate_and_the_query_is_refused(place: Place) -> None:
    for name, (table, columns, rows) in CHANGES.items():
        result = place.result(*KEYED)
        lazy = result.summary()
        place.make(table, columns, rows)
        message = f"The table of the {called(table)} has changed since evaluate looked at it: it had "
        for compute in (result.collect, partial(result.collect, per_list=True)):
            with refusal(rm.InputError, message, "'user' (", "the key (", "Evaluate again.", case=name):
                compute()
        with pytest.raises((duckdb.Error, pl.exceptions.PolarsError, rm.InputError), match=message):
            lazy.pl() if isinstance(lazy, duckdb.DuckDBPyRelation) else lazy.collect()
    result = place.result(*KEYED)
    place.result(*KEYED)  # other tables with the same columns and keys
    assert result.collect()["recall@2"].to_list() == place.evaluated().collect()["recall@2"].to_list()


# The columns of recommendations and truth after the list column, and the assumptions that follow from their keys.
DECLARED = [
    (PLAIN[0], KEYED[1], ["unique-truth"]),
    (KEYED[0], PLAIN[1], ["unique-recs"]),
    (KEYED[0].replace("PRIMARY KEY (algorithm,", "PRIMARY KEY ("), KEYED[1], [*ASSUMPTIONS]),  # a narrower key
    (OF_RANKS, KEYED[1], ["not-null", "unique-truth"]),
    (PLAIN[0], ', item INTEGER, UNIQUE ("user", item)', []),  # columns of NULL
]


def test_only_what_the_keys_say_is_assumed(place: Place) -> None:
    for recs, truth, known in DECLARED:
        place.make("recs", f"algorithm VARCHAR(9){recs}", "('a', 1, 5, 1), ('a', 1, 6, 2)")
        place.make("truth", f'"user" INTEGER{truth}', TRUTH)
        text = place.evaluated().to_sql()
        assert [one for one, said in ASSUMPTIONS.items() if said in text] == sorted(known, key=[*ASSUMPTIONS].index)


def test_a_view_has_no_keys(place: Place) -> None:
    place.result(*KEYED)
    place.run(f'CREATE VIEW {place.own}"seen" AS SELECT * FROM {place.own}"truth"')
    result = rm.evaluate("recs", "seen", METRICS, catalog="truth", connection=place.connection)
    assert ASSUMPTIONS["unique-recs"] in result.to_sql()
    assert ASSUMPTIONS["unique-truth"] not in result.to_sql()
    place.run(f'DROP VIEW {place.own}"seen"')


def test_the_key_of_a_row_per_list_is_no_key_of_its_items() -> None:
    with closing(duckdb.connect()) as connection:
        connection.execute('CREATE TABLE recs ("user" INTEGER PRIMARY KEY, item INTEGER[] NOT NULL)')
        connection.execute("INSERT INTO recs VALUES (1, [5, 6, 5])")
        connection.execute('CREATE TABLE truth ("user" INTEGER, item INTEGER, PRIMARY KEY ("user", item))')
        connection.execute("INSERT INTO truth VALUES (1, 5)")
        result = rm.evaluate("recs", "truth", "precision@3", connection=connection)
        assert ASSUMPTIONS["unique-recs"] not in result.to_sql()
        assert result.collect()["precision@3"].to_list() == [pytest.approx(1 / 3)]
