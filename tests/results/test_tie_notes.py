"""The leaderboard says when the order of two systems hangs on equal scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.engines.polars import Polars

TRUTH = pl.DataFrame({"user": [1], "item": ["b"]})


def scored(**systems: Sequence[float]) -> pl.DataFrame:
    """The scores of the items a, b and c, by system."""
    rows = [(name, 1, *pair) for name, of in systems.items() for pair in zip("abc", of, strict=True)]
    return pl.DataFrame(rows, schema=["system", "user", "item", "score"], orient="row")


def tie_notes(recs: pl.DataFrame, metrics: Any = "rr", **options: Any) -> list[str]:
    notes = rm.evaluate(recs.lazy(), TRUTH.lazy(), metrics, **options).notes()
    return [one for one in notes if "depends on equal scores" in one]


# b is second of x, and first or second of y; of z, it is last.
TIED = scored(x=[3.0, 2.0, 1.0], y=[2.0, 2.0, 1.0], z=[3.0, 1.0, 2.0])


def test_two_systems_whose_order_hangs_on_equal_scores_are_named() -> None:
    (note,) = tie_notes(TIED)
    assert note == (
        "the order of x and y depends on equal scores: rr of x lies between 0.5000 and 0.5000, of y between 0.5000 "
        'and 1.0000; ties="expected" takes the mean over all orders of equal scores'
    )


def test_it_is_in_what_is_printed_and_a_column_keeps_its_own_name() -> None:
    result = rm.evaluate(TIED.lazy(), TRUTH.lazy(), {"found": "rr"})
    assert "found of x lies between 0.5000 and 0.5000" in repr(result)
    assert "depends on equal scores" in result._repr_html_()


def test_nothing_is_said_of_systems_that_keep_their_order_whatever_the_order_of_equal_scores() -> None:
    assert tie_notes(scored(x=[1.0, 2.0, 0.0], y=[2.0, 1.0, 1.0])) == []
    assert tie_notes(scored(x=[2.0, 1.0, 0.0], y=[2.0, 1.0, 0.0])) == []


@pytest.mark.parametrize(
    ("metrics", "options"),
    [
        ("rr", {"ties": "expected"}),
        ("rr", {"by": []}),
        ("ndcg(tied=averaged)", {}),
        ("bpref", {}),
        ("user_coverage", {}),
        ("rr", {"aggregates": ["median", "mean"]}),
    ],
)
def test_nothing_is_said_of_metrics_without_a_best_and_a_worst_order(metrics: str, options: dict[str, Any]) -> None:
    assert tie_notes(TIED, metrics, **options) == []


def test_of_many_pairs_three_are_named() -> None:
    many = scored(**{f"s{number}": [1.0, 1.0, 0.0] for number in range(6)})
    notes = tie_notes(many)
    assert len(notes) == 4
    assert notes[-1] == "the order of 2 more pairs of neighbours depends on equal scores"


def test_it_costs_a_query_only_where_scores_are_equal_and_only_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    run = Polars.rows

    def rows(self: Polars, lazy: Any) -> list[tuple[Any, ...]]:
        asked.append(lazy)
        return run(self, lazy)

    monkeypatch.setattr(Polars, "rows", rows)

    def queries(recs: pl.DataFrame) -> tuple[int, int]:
        result = rm.evaluate(recs.lazy(), TRUTH.lazy(), "rr")
        result.collect()
        collected = len(asked)
        asked.clear()
        repr(result)
        printed = len(asked)
        asked.clear()
        return collected, printed

    plain = scored(x=[3.0, 2.0, 1.0], y=[1.0, 2.0, 3.0])
    (collected, printed), (also, more) = queries(plain), queries(TIED)
    assert (collected, printed + 1) == (also, more)
