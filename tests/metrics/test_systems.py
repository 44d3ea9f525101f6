"""Numbers of systems: personalization, and numbers of lists and of systems side by side."""

from __future__ import annotations

from math import sqrt

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.commands import table
from tests.support.engines import Engine, means
from tests.support.extra_inputs import CATALOG, RECS, TRUTH, about, result, systems
from tests.support.refusals import Asking, refusal, unread

# --- personalization --------------------------------------------------------------------------------------------------


def test_personalization_of_lists_of_unequal_length_is_refused_where_only_equal_ones_are_compared(
    engine: Engine,
) -> None:
    for asked in ("personalization(lengths=equal)@3", "personalization(convention=capri)@3"):
        found = result(engine, asked)
        for how in (found.collect, found.check, lambda found=found: repr(found)):
            with refusal(rm.DataError, f"{asked} compares lists of equal length", "lengths=any"):
                how()
        assert engine.read(found.summary())[asked].to_list() == [None]


def test_personalization_of_lists_of_unequal_length_is_measured_where_they_may_differ(engine: Engine) -> None:
    # user 1 has three items, user 2 two, and a in common
    asked = [
        "personalization@3",
        "personalization(convention=capri, lengths=any)@3",
        "personalization(lengths=equal)@2",
    ]
    assert [*systems(engine, asked).values()] == [*about([1 - 1 / sqrt(6), 1 - 1 / sqrt(6), 1 / 2])]


def test_personalization_of_one_list_is_undefined_and_not_refused(engine: Engine) -> None:
    found = systems(engine, "personalization(lengths=equal)@3", recs=RECS[:3])
    assert [*found.values()] == [None]


# --- lists and systems side by side -----------------------------------------------------------------------------------

# A is given as above on day 1, and recommends a to user 1 on day 2; B recommends b to user 1 on day 1.
DAYS = pl.concat(
    [
        RECS.with_columns(algorithm=pl.lit("A"), day=1),
        RECS[:1].with_columns(algorithm=pl.lit("A"), day=2),
        RECS[:1].with_columns(algorithm=pl.lit("B"), day=1, item=pl.lit("b")),
    ]
)
SIDE_BY_SIDE = ["hit", "coverage", "user_coverage", "rr"]


def test_numbers_of_lists_and_of_systems_stand_side_by_side_in_the_order_asked_for(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, DAYS, TRUTH.with_columns(day=1), catalog=CATALOG)
    frame = engine.read(found.summary())
    assert frame.columns == ["algorithm", "n_lists", *SIDE_BY_SIDE]
    assert frame.rows() == [
        ("A", 3, *about([2 / 3, 4 / 6, 2 / 3, (1 / 2 + 1) / 3])),
        ("B", 3, *about([1 / 3, 1 / 6, 1 / 3, 1 / 3])),
    ]


def test_numbers_of_systems_may_be_of_everything(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, DAYS, by=[], catalog=CATALOG, lists=["algorithm", "day", "user"])
    frame = engine.read(found.summary())
    assert frame.columns == ["n_lists", *SIDE_BY_SIDE]
    # three systems (A on two days, B on one) times three users; user 1 finds b at 2, not, and at 1; user 2 finds a once
    assert frame.rows() == [(9, *about([3 / 9, 4 / 6, 4 / 9, (1 / 2 + 1 + 1) / 9]))]


def test_numbers_of_systems_may_be_by_several_columns(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, DAYS, by=["day", "algorithm"], catalog=CATALOG)
    frame = engine.read(found.summary())
    assert frame.columns == ["day", "algorithm", "n_lists", *SIDE_BY_SIDE]
    assert frame.rows() == [
        (1, "A", 3, *about([2 / 3, 4 / 6, 2 / 3, (1 / 2 + 1) / 3])),
        (1, "B", 3, *about([1 / 3, 1 / 6, 1 / 3, 1 / 3])),
        (2, "A", 3, *about([0, 1 / 6, 1 / 3, 0])),
    ]


def test_numbers_of_systems_are_in_no_table_per_list(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, catalog=CATALOG)
    assert engine.read(found.per_list()).columns == ["user", "hit", "rr"]
    assert found.collect(per_list=True).columns == ["user", "hit", "rr"]


def test_a_table_per_list_of_nothing_but_numbers_of_systems_is_refused(ask: Asking, engine: Engine) -> None:
    found = ask(metrics=["coverage@2", "gini@2"], catalog=unread(engine, pl.DataFrame({"item": [7]})))
    with refusal(rm.MetricError, "'coverage@2' and 'gini@2' are numbers of a system", "nothing per list"):
        found.per_list()
    with refusal(rm.MetricError, "nothing per list"):
        found.to_sql(per_list=True)


def test_a_summary_of_nothing_but_numbers_of_systems(engine: Engine) -> None:
    found = result(engine, "coverage@1", DAYS, by="algorithm", catalog=CATALOG)
    assert means(found).rows() == [("A", 6, pytest.approx(1 / 6)), ("B", 3, pytest.approx(1 / 6))]
    assert [row["coverage@1"] for row in table(repr(found))] == ["0.1667", "0.1667"]
