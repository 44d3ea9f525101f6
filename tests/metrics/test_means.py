"""Lists, systems and their means."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.by_hand import about, per_list, ranked, rated, summary
from tests.support.engines import means
from tests.support.problems import PLAIN

if TYPE_CHECKING:
    from tests.support.engines import Engine


def two_systems() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A finds user 1's item first and user 2's first; B finds user 1's second and has no list for user 2."""
    a = pl.concat([ranked("xy", user=1), ranked("z", user=2)]).with_columns(algorithm=pl.lit("A"))
    b = ranked("yx", user=1).with_columns(algorithm=pl.lit("B"))
    return pl.concat([a, b]), pl.concat([rated({"x": 1}, user=1), rated({"z": 1}, user=2)])


def test_every_list_of_the_truth_counts_for_every_system(engine: Engine) -> None:
    found = per_list(engine, *two_systems(), ["rr"], lists=["algorithm", "user"])
    assert found.rows() == [("A", 1, 1), ("A", 2, 1), ("B", 1, 1 / 2), ("B", 2, 0)]
    found = per_list(engine, *two_systems(), ["rr"], lists=["algorithm", "user"], missing="skip")
    assert found.rows() == [("A", 1, 1), ("A", 2, 1), ("B", 1, 1 / 2)]


def test_the_summary_has_one_row_per_system(engine: Engine) -> None:
    assert summary(engine, *two_systems(), ["rr"]) == [
        {"algorithm": "A", "n_lists": 2, "rr": 1},
        {"algorithm": "B", "n_lists": 2, "rr": (1 / 2 + 0) / 2},
    ]


def test_the_summary_may_be_one_row(engine: Engine) -> None:
    assert summary(engine, *two_systems(), ["rr"], by=[]) == [{"n_lists": 4, "rr": (1 + 1 + 1 / 2 + 0) / 4}]


def test_the_summary_may_have_one_row_per_user(engine: Engine) -> None:
    expected = [{"user": 1, "n_lists": 2, "rr": (1 + 1 / 2) / 2}, {"user": 2, "n_lists": 2, "rr": (1 + 0) / 2}]
    for by in ("user", ["user"]):
        assert summary(engine, *two_systems(), ["rr"], by=by) == expected


def test_the_summary_may_have_one_row_per_list(engine: Engine) -> None:
    found = summary(engine, *two_systems(), ["rr"], by=["user", "algorithm"])
    assert [[*row] for row in found] == [["user", "algorithm", "n_lists", "rr"]] * 4
    assert [(*row.values(),) for row in found] == [
        (1, "A", 1, 1),
        (1, "B", 1, 1 / 2),
        (2, "A", 1, 1),
        (2, "B", 1, 0),
    ]


def test_truth_by_country_and_user_serves_lists_by_country_algorithm_and_user(engine: Engine) -> None:
    parts = [("NL", "A", "ab"), ("NL", "B", "ba"), ("DE", "A", "ba")]
    recs = pl.concat([ranked(of).with_columns(country=pl.lit(land), algorithm=pl.lit(by)) for land, by, of in parts])
    truth = pl.concat([rated({"b": 1}).with_columns(country=pl.lit(land)) for land in ("NL", "DE")])
    by_list = per_list(engine, recs, truth, ["rr"], lists=["country", "algorithm", "user"])
    assert by_list.rows() == [("DE", "A", 1, 1), ("DE", "B", 1, 0), ("NL", "A", 1, 1 / 2), ("NL", "B", 1, 1)]
    assert summary(engine, recs, truth, ["rr"]) == [
        {"algorithm": "A", "n_lists": 2, "rr": (1 + 1 / 2) / 2},
        {"algorithm": "B", "n_lists": 2, "rr": (0 + 1) / 2},
    ]
    assert summary(engine, recs, truth, ["rr"], by="country") == [
        {"country": "DE", "n_lists": 1, "rr": 1},  # B has no list in DE: it is not compared there
        {"country": "NL", "n_lists": 2, "rr": (1 / 2 + 1) / 2},
    ]


@pytest.mark.parametrize("by", [None, [], ["user"], ["algorithm", "user"]], ids=str)
def test_the_summary_is_the_mean_of_the_lists_where_a_metric_is_defined(engine: Engine, by: list[str] | None) -> None:
    recs, truth = two_systems()
    truth = pl.concat([truth, rated({"x": 0}, user=3)])  # where most metrics are undefined
    metrics = [*PLAIN, "precision@1", "ndcg@1"]
    result = rm.evaluate(engine.give(recs), engine.give(truth), metrics, by=by)
    lists, means = engine.read(result.per_list()), engine.read(result.summary())
    keys = ["algorithm"] if by is None else by
    for row in means.to_dicts():
        mine = lists.filter([pl.col(key) == row[key] for key in keys]) if keys else lists
        assert row["n_lists"] == mine.height
        for metric in metrics:
            defined = mine[metric].drop_nulls().to_list()
            assert row[metric] == about(mean(defined) if defined else None), metric
    assert means["n_lists"].sum() == lists.height == 6


def test_what_is_collected_is_what_the_lazy_tables_hold(engine: Engine) -> None:
    recs, truth = two_systems()
    result = rm.evaluate(engine.give(recs), engine.give(truth), ["rr", "ndcg@1"])
    assert means(result).rows() == engine.read(result.summary()).rows()
    assert sorted(result.collect(per_list=True).rows()) == sorted(engine.read(result.per_list()).rows())
