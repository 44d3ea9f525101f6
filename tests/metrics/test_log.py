"""What a policy would have earned, by the log of another one: by hand, what is refused, and drawn logs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import log2
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine, each_engine
from tests.support.extra_inputs import LOG, RECS
from tests.support.refusals import refusal

# To user 1, a was shown at 1 with 0.5 and b at 2 with 0.8, to user 2 c at 1 with 0.5; user 3 has no policy.
# The policy shows a or b to user 1 at 1, b at 2, and c or a to user 2 at 1.
POLICY = pl.DataFrame(
    {
        "user": [1, 1, 1, 2, 2],
        "position": [1, 1, 2, 1, 1],
        "item": ["a", "b", "b", "c", "a"],
        "probability": [0.75, 0.25, 0.4, 0.2, 0.8],
        "expected_reward": [0.5, 0.1, 0.2, 0.9, 0.3],
    }
)


# The weights: 1.5 and 0.5 of user 1, 0.4 of user 2, 0 of user 3. The rewards: 1 and 0, 1, 1.
BY_HAND: Mapping[str, float | None] = {
    "logged_reward": (1 + 1 + 1) / 3,
    "ips": (1.5 + 0.4 + 0) / 3,
    "ips@1": (1.5 + 0.4 + 0) / 3,
    "ips(clip=1)": (1 + 0.4 + 0) / 3,
    "ips(interaction=cascade)": (1.5 + 0.4 + 0) / 3,
    "ips(interaction=slate)": (1.5 * 0.5 + 0.4 + 0) / 3,
    "ips(interaction=additive)": ((1.5 + 0.5 - 1) + 0.4 + 0) / 3,
    "ips(weighting=switched, switch=1)": (0 + 0.4 + 0) / 3,
    "ips(weighting=shrunk, shrink=1)": (1.5 / 3.25 + 0.4 / 1.16) / 3,
    # the model expects 0.75 * 0.5 + 0.25 * 0.1 = 0.4 and 0.4 * 0.2 = 0.08 of user 1, 0.2 * 0.9 + 0.8 * 0.3 = 0.42 of 2
    "dm": (0.4 + 0.08 + 0.42) / 3,
    "dm(weight=log2)": (0.4 + 0.08 / log2(3) + 0.42) / 3,
    "dr": (0.48 + 1.5 * (1 - 0.5) + 0.5 * (0 - 0.2) + 0.42 + 0.4 * (1 - 0.9)) / 3,
    "cascade_dr": (0.4 + 1.5 * (1 - 0.5) + 1.5 * 0.08 + 0.75 * (0 - 0.2) + 0.42 + 0.4 * (1 - 0.9)) / 3,
    "mean_importance": (1 + 0.4 + 0) / 3,
    "snips": (1.5 + 0.4) / (1 + 0.4),
    "sndr": 0.9 / 3 + (1.5 * 0.5 - 0.5 * 0.2 + 0.4 * 0.1) / 1.4,
    "replay": (0.75 + 0.2) / (0.75 + 0.4 + 0.2),
    "effective_sample_size": 2.4**2 / (1.5**2 + 0.5**2 + 0.4**2) * 3 / 4,
    "max_importance": 1.5,
    "clipped_share(clip=1)": 1 / 4,
}


def about(value: float | None) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def only(engine: Engine, recs: pl.DataFrame, metrics: Any, shown: pl.DataFrame = LOG, **options: Any) -> dict[str, Any]:
    """The one row of a summary that is not refused, without the counts of lists."""
    found = rm.evaluate(engine.give(recs), metrics=metrics, log=engine.give(shown), **options, **engine.options)
    (row,) = found.collect().to_dicts()
    return {name: value for name, value in row.items() if name not in ("n_lists", "n_missing")}


@each_engine
def test_every_estimate_is_as_worked_by_hand(engine: Engine) -> None:
    assert [*only(engine, POLICY, [*BY_HAND]).values()] == [about(value) for value in BY_HAND.values()]


@each_engine
def test_a_ranking_shows_each_item_at_its_rank(engine: Engine) -> None:
    """Of user 1 both actions are those of the ranking, of user 2 the ranking has a in the place of c."""
    assert only(engine, RECS, ["ips", "replay"]) == {"ips": about((1 / 0.5 + 0 / 0.8) / 3), "replay": about(1 / 2)}
    without_positions = LOG.filter(position=1).drop("position")  # of a ranking, the first item is what it shows
    assert only(engine, RECS, ["ips"], without_positions) == {"ips": about(2 / 3)}
    scored = RECS.with_columns(score=-pl.col("rank")).drop("rank")
    assert only(engine, scored, ["ips"]) == {"ips": about(2 / 3)}


@each_engine
def test_positions_may_count_from_0(engine: Engine) -> None:
    policy, shown = (frame.with_columns(pl.col("position") - 1) for frame in (POLICY, LOG))
    assert only(engine, policy, ["ips(weight=log2)"], shown, rank_from=0) == only(engine, POLICY, ["ips(weight=log2)"])


def test_the_lists_are_those_of_the_log_or_as_asked() -> None:
    found = rm.evaluate(POLICY, metrics=["ips", "ips(missing=listed)"], log=LOG).collect().row(0, named=True)
    assert found == {"n_lists": 3, "n_missing": 1, "ips": about(1.9 / 3), "ips(missing=listed)": about(1.9 / 2)}


def test_metrics_of_ranks_are_refused_over_probabilities_by_position() -> None:
    with refusal(rm.MetricError, "unrepeated@2 reads ranked lists", "probabilities, in column 'probability'"):
        rm.evaluate(POLICY, metrics=["ips", "unrepeated@2"], log=LOG)


def test_positions_of_one_side_only_are_refused() -> None:
    with refusal(rm.ColumnError, "Positions are in the recommendations and not in the log", "position"):
        rm.evaluate(POLICY, metrics="ips", log=LOG.drop("position"))


def test_a_model_is_asked_for_where_a_metric_reads_one() -> None:
    with refusal(rm.ColumnError, "dr needs a column of the role 'expected_reward' in the recommendations"):
        rm.evaluate(POLICY.drop("expected_reward"), metrics="dr", log=LOG)


def test_columns_of_a_policy_are_refused_without_a_log() -> None:
    with refusal(rm.ColumnError, "The probability of recommendations is read beside a log", "log="):
        rm.evaluate(POLICY, metrics="coverage", columns=rm.Columns(probability="probability"))


@pytest.mark.parametrize("off", [0.6, 1.4])
def test_propensities_that_are_wrong_are_doubted(off: float) -> None:
    shown = pl.DataFrame({"user": range(400), "item": ["a", "b"] * 200, "reward": [1, 0] * 200, "propensity": 0.5})
    policy = shown.select("user").join(pl.DataFrame({"item": ["a", "b"], "probability": [0.7, 0.3]}), how="cross")
    rm.evaluate(policy, metrics="ips", log=shown).collect()  # without a warning, which would be an error here
    with pytest.warns(rm.RankMetricsWarning, match=f"The mean of the importance weights is {1 / off:.2f}"):
        rm.evaluate(policy, metrics="ips", log=shown.with_columns(pl.col("propensity") * off)).collect()


@pytest.mark.long
def test_estimates_are_right_on_average_and_their_intervals_hold_the_truth() -> None:
    """Of 300 drawn logs, 95% of the intervals should hold the truth: between 91% and 98% do, or something is wrong."""
    draw, n_logs, n_users = random.Random(3), 300, 400
    items, old, new, chance = ["a", "b", "c"], [0.6, 0.3, 0.1], [0.1, 0.3, 0.6], {"a": 0.2, "b": 0.5, "c": 0.7}
    rows = []
    for number in range(n_logs):
        for user in range(n_users):
            (item,) = draw.choices(items, old)
            clicked = int(draw.random() < chance[item])
            rows.append((number, user, item, clicked, old[items.index(item)]))
    shown = pl.DataFrame(rows, schema=["fold", "user", "item", "reward", "propensity"], orient="row")
    actions = pl.DataFrame({"item": items, "probability": new, "expected_reward": [0.3, 0.3, 0.5]})
    policy = shown.select("fold", "user").join(actions, how="cross")
    metrics = ["ips", "snips", "dr", "snips_error"]
    found = rm.evaluate(policy, metrics=metrics, by=["fold"], log=shown, aggregates=["mean", "ci"]).collect()
    truth = sum(share * chance[item] for share, item in zip(new, items, strict=True))
    halves = {"ips": found["ips ci"], "snips": 1.96 * found["snips_error"], "dr": found["dr ci"]}
    for name, half in halves.items():
        errors = (found[name] - truth).to_list()
        assert sum(errors) / n_logs == pytest.approx(0, abs=0.01), name
        held = sum(abs(error) <= width for error, width in zip(errors, half, strict=True)) / n_logs
        assert 0.91 <= held <= 0.98, (name, held)


def test_what_is_built_on_lists_holds_for_policies() -> None:
    """Comparisons, segments, worst lists and the report need no truth and no ranks."""
    flat = POLICY.with_columns(probability=pl.lit(0.5))
    both = pl.concat([POLICY.with_columns(system=pl.lit("new")), flat.with_columns(system=pl.lit("flat"))])
    result = rm.evaluate(both, metrics=["ips", "snips"], log=LOG)
    (pair,) = result.compare(baseline="flat").collect().to_dicts()
    assert pair["difference"] == about((1.5 + 0.4) / 3 - (1 + 1) / 3)
    kinds = pl.DataFrame({"user": [1, 2, 3], "kind": ["x", "y", "y"]})
    assert result.segments({"kind": kinds}).collect().filter(segment="x", system="new")["ips"].to_list() == [1.5]
    lowest = result.worst("ips", system="new").collect()
    assert lowest.select("user", "ips").rows() == [(3, 0), (2, about(0.4)), (1, 1.5)]
    assert "The lists with the worst ips" in rm.report(result)
