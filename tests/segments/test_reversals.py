"""`Segments.reversals`: systems whose order differs between segments, and the test of interaction."""

from __future__ import annotations

import sys
import warnings

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
GROUPS = [(group, place) for group, size in enumerate((20, 4, 4, 4, 4)) for place in range(size)]
USERS = [f"{group}-{place}" for group, place in GROUPS]
FOUND = [
    (system, user, "x" if (system == "a") == (group == 0) and (group == 0 or place % 2 == 0) else "y", 1)
    for system in "ab"
    for user, (group, place) in zip(USERS, GROUPS, strict=True)
]
PARADOX = (
    pl.DataFrame(FOUND, schema=["system", "user", "item", "rank"], orient="row"),
    pl.DataFrame({"user": USERS}).with_columns(item=pl.lit("x")),
)
GROUP = {"group": pl.DataFrame({"user": USERS, "group": [f"group {group}" for group, _ in GROUPS]})}
SENTENCE = "a is better than b in hit@1 over all lists, but worse in 4 of 5 segments of group."


def test_simpsons_paradox_is_found_by_hand_and_collect_warns_once() -> None:
    segments = rm.evaluate(*PARADOX, "hit@1").segments(GROUP)
    with pytest.warns(RankMetricsWarning) as caught:
        segments.collect()
    shown = [warning.message for warning in caught if isinstance(warning.message, RankMetricsWarning)]
    assert [warning.written(str) for warning in shown] == [SENTENCE]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        segments.collect()
        frame = segments.reversals()
    assert frame.drop("f").to_dicts() == [
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
            "p_interaction": None,  # the differences of the first group are all equal
        }
    ]
    assert [note.partition(" More: ")[0] for note in segments.notes()] == [f"Warning: {SENTENCE}"]
    assert SENTENCE in repr(segments)
    with pytest.warns(RankMetricsWarning, match="4 of 5 segments of group"):
        rm.evaluate(*PARADOX, "hit@1").segments(GROUP).reversals()


def test_of_a_metric_that_is_neither_better_higher_nor_lower_the_note_says_higher() -> None:
    history = pl.DataFrame({"user": ["0", "1", "2"], "item": ["x", "x", "y"]})
    [note] = rm.evaluate(*PARADOX, "popularity@1", history=history).segments(GROUP).notes()
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
    result = rm.evaluate(engine.give(recs), engine.give(truth), ["ndcg@5", "recall@3"])
    reversals = result.segments({"group": engine.give(groups)}).reversals()
    assert reversals.height == 2 * 3
    lists = result.collect(per_list=True).join(groups, on="user", how="left")
    for row in reversals.to_dicts():
        metric = row["metric"]
        of_a, of_b = (lists.filter(system=row[system]).sort("user") for system in ("system_a", "system_b"))
        differences = of_a.select("group", difference=pl.col(metric) - of_b[metric])
        whole = differences["difference"].to_numpy().mean()
        by_group = [differences.filter(group=group)["difference"].to_numpy() for group in "xyz"]
        reverse = [group for group in by_group if round(float(group.mean()), 12) * round(whole, 12) < 0]
        expected = stats.f_oneway(*by_group, equal_var=False)
        assert row["f"] == pytest.approx(expected.statistic, rel=1e-9)
        assert row["p_interaction"] == pytest.approx(expected.pvalue, rel=1e-9)
        assert row["difference"] == pytest.approx(whole)
        assert (row["n_reversed"], row["n_lists_reversed"]) == (len(reverse), sum(map(len, reverse)))


@pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")
def test_systems_of_several_columns_are_compared_as_text_and_one_system_with_nothing() -> None:
    users = pl.DataFrame({"user": [1, 2, 3, 4, 5, 6], "group": [1, 1, 1, 2, 2, 2]})
    recs = RECS.with_columns(seed=1).rename({"system": "model"})
    frame = rm.evaluate(recs, TRUTH, "hit@1", lists=["model", "seed", "user"]).segments({"group": users}).reversals()
    assert frame.select("system_a", "system_b").rows() == [("a, 1", "b, 1")]
    alone = rm.evaluate(RECS.filter(system="a").drop("system"), TRUTH, "hit@1").segments({"group": users})
    assert alone.reversals().height == 0
    assert alone.notes() == []


@pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")
def test_scipy_is_asked_for_by_the_name_of_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    recs, truth, groups = _random()
    segments = rm.evaluate(recs, truth, "ndcg@5").segments({"group": groups})
    with pytest.raises(InputError, match=r"pip install 'rankmetrics-sql\[statistics\]'"):
        segments.reversals()
    assert segments.collect().height == 12  # numbers need no SciPy
