"""`Segments.reversals`: systems whose order differs between segments, and the test of interaction."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import rankmetrics as rm
from rankmetrics.errors import InputError, RankMetricsWarning
from tests.segments.examples import RECS, TRUTH
from tests.support.engines import LOCAL, Engine

# Users of five groups. The first group is large, and there a finds everything and b nothing; in every other group, it
# is the other way round, for one user of two.
SIZES = (20, 4, 4, 4, 4)


def _finds(system: str, group: int, place: int) -> bool:
    return (system == "a") == (group == 0) and (group == 0 or place % 2 == 0)


def _inputs() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    users = [(group, place) for group, size in enumerate(SIZES) for place in range(size)]
    recs = [
        (system, f"{group}-{place}", "x" if _finds(system, group, place) else "y", 1)
        for system in "ab"
        for group, place in users
    ]
    truth = [(f"{group}-{place}", "x") for group, place in users]
    table = [(f"{group}-{place}", f"group {group}") for group, place in users]
    return (
        pl.DataFrame(recs, schema=["system", "user", "item", "rank"], orient="row"),
        pl.DataFrame(truth, schema=["user", "item"], orient="row"),
        pl.DataFrame(table, schema=["user", "group"], orient="row"),
    )


def _segments(engine: Engine, metrics: Any = "hit@1") -> rm.Segments:
    recs, truth, groups = map(engine.give, _inputs())
    return rm.evaluate(recs, truth, metrics).segments({"group": groups})


SENTENCE = "a is better than b in hit@1 over all lists, but worse in 4 of 5 segments of group."


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_simpsons_paradox_is_found_by_hand(engine: Engine) -> None:
    segments = _segments(engine)
    with pytest.warns(RankMetricsWarning, match="4 of 5 segments of group"):
        frame = segments.reversals()
    assert frame.drop("f", "p_interaction").to_dicts() == [
        {
            "segmentation": "group",
            "metric": "hit@1",
            "system_a": "a",
            "system_b": "b",
            "difference": pytest.approx((20 - 8) / 36),
            "n_segments": 5,
            "n_reversed": 4,
            "n_lists": 36,
            "n_lists_reversed": 16,
            "is_simpson": True,
        }
    ]
    assert frame["p_interaction"].to_list() == [None]  # the differences of the first group are all equal


def test_collect_warns_once_and_printing_notes_it() -> None:
    segments = _segments(LOCAL[1])
    with pytest.warns(RankMetricsWarning) as caught:
        segments.collect()
    assert [one.message.written(str) for one in caught if isinstance(one.message, rm.RankMetricsWarning)] == [SENTENCE]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        segments.collect()
    assert [note.partition(" More: ")[0] for note in segments.notes()] == [f"Warning: {SENTENCE}"]
    assert SENTENCE in repr(segments)


def test_of_a_metric_that_is_neither_better_higher_nor_lower_the_note_says_higher() -> None:
    recs, truth, groups = _inputs()
    history = pl.DataFrame({"user": ["0", "1", "2"], "item": ["x", "x", "y"]})
    [note] = rm.evaluate(recs, truth, "popularity@1", history=history).segments({"group": groups}).notes()
    assert "a is higher than b in popularity@1 over all lists, but lower in 4 of 5 segments of group." in note


def _random() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    generator = np.random.default_rng(7)
    n = 60
    recs = [
        (system, user, int(item), rank)
        for system in ("a", "b", "c")
        for user in range(n)
        for rank, item in enumerate(generator.permutation(12)[:5], 1)
    ]
    truth = [(user, int(item)) for user in range(n) for item in generator.choice(12, 1 + user % 4, replace=False)]
    groups = [(user, "xyz"[user % 3]) for user in range(n - 5)]
    return (
        pl.DataFrame(recs, schema=["system", "user", "item", "rank"], orient="row"),
        pl.DataFrame(truth, schema=["user", "item"], orient="row"),
        pl.DataFrame(groups, schema=["user", "group"], orient="row"),
    )


@pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")
@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_the_test_of_interaction_is_scipys(engine: Engine) -> None:
    recs, truth, groups = _random()
    metrics = ["ndcg@5", "recall@3"]
    result = rm.evaluate(engine.give(recs), engine.give(truth), metrics)
    found = result.segments({"group": engine.give(groups)}).reversals()
    assert found.height == 2 * 3
    lists = result.collect(per_list=True).join(groups, on="user", how="left")
    for row in found.to_dicts():
        metric = row["metric"]
        of_a, of_b = (lists.filter(system=row[one]).sort("user") for one in ("system_a", "system_b"))
        differences = of_a.select("group", difference=pl.col(metric) - of_b[metric])
        by_group = [differences.filter(group=one)["difference"].to_numpy() for one in "xyz"]
        expected = stats.f_oneway(*by_group, equal_var=False)
        assert row["f"] == pytest.approx(expected.statistic, rel=1e-9)
        assert row["p_interaction"] == pytest.approx(expected.pvalue, rel=1e-9)
        whole = differences["difference"].mean()
        assert row["difference"] == pytest.approx(whole)
        assert isinstance(whole, float)
        is_reversed = [round(float(one.mean()), 12) * round(whole, 12) < 0 for one in by_group]
        assert row["n_reversed"] == sum(is_reversed)
        assert row["n_lists_reversed"] == sum(
            len(one) for one, reverse in zip(by_group, is_reversed, strict=True) if reverse
        )


def test_systems_of_several_columns_are_compared_as_text() -> None:
    recs = RECS.with_columns(seed=1).rename({"system": "model"})
    users = pl.DataFrame({"user": [1, 2, 3, 4, 5, 6], "group": [1, 1, 1, 2, 2, 2]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = rm.evaluate(recs, TRUTH, "hit@1", lists=["model", "seed", "user"])
        frame = result.segments({"group": users}).reversals()
    assert frame.select("system_a", "system_b").rows() == [("a, 1", "b, 1")]


def test_one_system_has_nothing_to_compare() -> None:
    users = pl.DataFrame({"user": [1, 2, 3, 4], "group": [1, 1, 2, 2]})
    segments = rm.evaluate(RECS.filter(system="a").drop("system"), TRUTH, "hit@1").segments({"group": users})
    assert segments.reversals().height == 0
    assert segments.notes() == []


def test_scipy_is_asked_for_by_the_name_of_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    recs, truth, groups = _random()
    segments = rm.evaluate(recs, truth, "ndcg@5").segments({"group": groups})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(InputError, match=r"pip install 'rankmetrics\[statistics\]'"):
            segments.reversals()
        assert segments.collect().height == 12  # numbers need no SciPy
