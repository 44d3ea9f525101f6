"""The notes below a summary: the counts of all systems, and systems whose order hangs on equal scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.engines.polars import Polars
from tests.support.two_systems import COUNTED_RECS, COUNTED_TRUTH, RECS


def test_the_notes_sum_the_account_over_all_systems() -> None:
    notes = rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "ndcg@2").notes()
    assert notes[0] == "8 lists in the means: 4 in each of 2 rows"
    assert {
        "2 lists have truth but no recommendations; they score 0 if the metric is defined",
        "1 list has only rows without an item; counted among the lists without recommendations",
        "2 lists have equal scores in their first 3 items; the policy `ties` orders them",
        "1 row of the truth with an item that their list has already; the highest rating counts",
    } <= {*notes}
    assert notes[-2:] == [
        "2 lists for which ndcg@2 is undefined; not in its mean",
        "ndcg@2: ratings only decide which items are relevant; gain=linear takes them as gains",
    ]
    for metric in ("ndcg(gain=linear)@2", "ndcg(gain=binary)@2", "recall@2"):  # with gains, a choice, no gains
        assert "ratings only" not in rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, metric).notes()[-1], metric
    assert not [note for note in notes if note.startswith("0 ")]
    nothing_left_out = rm.evaluate(RECS[:2], pl.DataFrame({"user": [1, 1], "item": [8, 7]}), "rr")
    assert nothing_left_out.notes() == ["1 list in the means"]


# --- equal scores -----------------------------------------------------------------------------------------------------

TRUTH = pl.DataFrame({"user": [1], "item": ["b"]})


def scored(**systems: Sequence[float]) -> pl.DataFrame:
    """The scores of the items a, b and c, by system."""
    rows = [(name, 1, *pair) for name, scores in systems.items() for pair in zip("abc", scores, strict=True)]
    return pl.DataFrame(rows, schema=["system", "user", "item", "score"], orient="row")


def tie_notes(recs: pl.DataFrame, metrics: Any = "rr", **options: Any) -> list[str]:
    notes = rm.evaluate(recs.lazy(), TRUTH.lazy(), metrics, **options).notes()
    return [note for note in notes if "depends on equal scores" in note]


# b is second of x, and first or second of y; of z, it is last.
TIED = scored(x=[3.0, 2.0, 1.0], y=[2.0, 2.0, 1.0], z=[3.0, 1.0, 2.0])


def test_two_systems_whose_order_hangs_on_equal_scores_are_named() -> None:
    (note,) = tie_notes(TIED)
    assert note == (
        "the order of x and y depends on equal scores: rr of x lies between 0.5000 and 0.5000, of y between 0.5000 "
        'and 1.0000; ties="expected" takes the mean over all orders of equal scores'
    )
    result = rm.evaluate(TIED.lazy(), TRUTH.lazy(), {"found": "rr"})  # a column keeps its own name
    assert "found of x lies between 0.5000 and 0.5000" in repr(result)
    assert "depends on equal scores" in result._repr_html_()


def test_of_many_pairs_three_are_named() -> None:
    notes = tie_notes(scored(**{f"s{number}": [1.0, 1.0, 0.0] for number in range(6)}))
    assert len(notes) == 4
    assert notes[-1] == "the order of 2 more pairs of neighbours depends on equal scores"


def test_no_query_asks_for_the_orders_of_scores_that_are_equal_in_too_few_lists_to_matter() -> None:
    users = range(10)
    recs = pl.concat([TIED.with_columns(pl.lit(user).alias("user")) for user in users])
    recs = recs.with_columns(
        pl.when(pl.col("user") > 0).then(pl.col("score") * 2 - (pl.col("item") == "a")).otherwise("score")
    )
    truth = pl.concat([TRUTH.with_columns(pl.lit(user).alias("user")) for user in users])
    far = recs.filter(pl.col("system") != "x")  # y finds b first in nine lists, z finds it last
    assert rm.evaluate(far.lazy(), truth.lazy(), "rr")._tie_ranges == []
    assert [each.system for each in rm.evaluate(TIED.lazy(), TRUTH.lazy(), "rr")._tie_ranges] == ["x", "y", "z"]


def test_systems_that_keep_their_order_whatever_the_order_of_equal_scores_are_not_named() -> None:
    assert tie_notes(scored(x=[1.0, 2.0, 0.0], y=[2.0, 1.0, 1.0])) == []
    assert tie_notes(scored(x=[2.0, 1.0, 0.0], y=[2.0, 1.0, 0.0])) == []


def test_metrics_without_a_best_and_a_worst_order_have_no_note() -> None:
    assert tie_notes(TIED, by=[]) == []
    for metric in ("rr(ties=expected)", "ndcg(tied=averaged)", "bpref", "user_coverage"):
        assert tie_notes(TIED, metric) == [], metric
    assert tie_notes(TIED, aggregates=["median", "mean"]) == []


def test_the_note_costs_a_query_only_where_scores_are_equal_and_only_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    run = Polars.rows

    def rows(self: Polars, lazy: Any) -> list[tuple[Any, ...]]:
        ran.append(lazy)
        return run(self, lazy)

    monkeypatch.setattr(Polars, "rows", rows)

    def n_queries(recs: pl.DataFrame) -> tuple[int, int]:
        """The queries of `collect`, and those of printing."""
        ran.clear()
        result = rm.evaluate(recs.lazy(), TRUTH.lazy(), "rr")
        result.collect()
        collected = len(ran)
        repr(result)
        return collected, len(ran) - collected

    collected, printed = n_queries(scored(x=[3.0, 2.0, 1.0], y=[1.0, 2.0, 3.0]))
    assert n_queries(TIED) == (collected, printed + 1)
