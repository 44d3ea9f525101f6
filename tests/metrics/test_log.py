"""What a policy would have earned, by the log of another one: by hand, what is refused, and drawn logs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import log2, sqrt
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import LOCAL, Engine, every_engine, need, polars_and_later_duckdb
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
# What the lists add to sndr: dm of each, less its mean, and the errors of the model, less the share of their weights.
OFF_MODEL = [0.48 - 0.3, 0.42 - 0.3, 0 - 0.3]
OFF_ERRORS = [0.65 - 1 * 0.69 / 1.4, 0.04 - 0.4 * 0.69 / 1.4, 0]
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
    "sndr_error": sqrt(
        3 / 2 * sum((model / 3 + error / 1.4) ** 2 for model, error in zip(OFF_MODEL, OFF_ERRORS, strict=True))
    ),
    "replay": (0.75 + 0.2) / (0.75 + 0.4 + 0.2),
    "replay_error": sqrt(3 / 2 * ((0.75 - 1.15 * 0.95 / 1.35) ** 2 + (0.2 - 0.2 * 0.95 / 1.35) ** 2)) / 1.35,
    "effective_sample_size": 2.4**2 / (1.5**2 + 0.5**2 + 0.4**2) * 3 / 4,
    "max_importance": 1.5,
    "clipped_share(clip=1)": 1 / 4,
}


def about(value: float | None) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def only(engine: Engine, recs: pl.DataFrame, metrics: Any, shown: pl.DataFrame = LOG, **options: Any) -> dict[str, Any]:
    """The one row of a summary that is not refused, without the counts of lists."""
    found = flat.evaluate(engine.give(recs), metrics=metrics, log=engine.give(shown), **options, **engine.options)
    (row,) = found.collect().to_dicts()
    return {name: value for name, value in row.items() if name not in ("n_lists", "n_missing")}


@polars_and_later_duckdb
def test_every_estimate_is_as_worked_by_hand(engine: Engine) -> None:
    assert [*only(engine, POLICY, [*BY_HAND]).values()] == [about(value) for value in BY_HAND.values()]


@polars_and_later_duckdb
def test_a_metric_of_a_system_has_the_interval_of_its_standard_error(engine: Engine) -> None:
    aggregates = ["ci_low", "median", "ci(0.9)", "ci_high", "standard_error"]
    found = only(engine, POLICY, ["snips(clip=1)", "snips_error(clip=1)", "replay"], aggregates=aggregates)
    assert [*found] == [
        *("snips(clip=1)", "snips(clip=1) ci_low", "snips(clip=1) ci(0.9)", "snips(clip=1) ci_high"),
        *("snips(clip=1) standard_error", "snips_error(clip=1)"),
        *("replay", "replay ci_low", "replay ci(0.9)", "replay ci_high", "replay standard_error"),
    ]
    errors = {"snips(clip=1)": found["snips_error(clip=1)"], "replay": float(BY_HAND["replay_error"] or 0)}
    for metric, error in errors.items():
        assert found[f"{metric} standard_error"] == about(error)
        assert found[f"{metric} ci(0.9)"] == about(1.6448536269514722 * error)
        assert found[f"{metric} ci_low"] == about(found[metric] - 1.959963984540054 * error)
        assert found[f"{metric} ci_high"] == about(found[metric] + 1.959963984540054 * error)


@polars_and_later_duckdb
def test_a_ranking_shows_each_item_at_its_rank(engine: Engine) -> None:
    """Of user 1 both actions are those of the ranking, of user 2 the ranking has a in the place of c."""
    assert only(engine, RECS, ["ips", "replay"]) == {"ips": about((1 / 0.5 + 0 / 0.8) / 3), "replay": about(1 / 2)}
    without_positions = LOG.filter(position=1).drop("position")  # of a ranking, the first item is what it shows
    assert only(engine, RECS, ["ips"], without_positions) == {"ips": about(2 / 3)}
    scored = RECS.with_columns(score=-pl.col("rank")).drop("rank")
    assert only(engine, scored, ["ips"]) == {"ips": about(2 / 3)}


@polars_and_later_duckdb
def test_a_list_without_rows_of_the_policy_counts_0_whatever_rewards_depend_on(engine: Engine) -> None:
    """User 3 was shown two items: 0 + 0 - 2 + 1 would be below 0."""
    shown = pl.concat([LOG, LOG.filter(user=3).with_columns(position=pl.lit(2, pl.Int64), item=pl.lit("a"))])
    metrics = [f"ips(interaction={interaction})" for interaction in ("cascade", "slate", "additive")]
    assert only(engine, POLICY, metrics, shown) == {metric: about(BY_HAND[metric]) for metric in metrics}


@every_engine
def test_estimates_by_several_loggers_count_by_their_precision(engine: Engine) -> None:
    """To a and b a logger showed x for certain, or with 0.5; of c, a single list, nobody knows how precise it is."""
    need(engine)
    shown = pl.DataFrame(
        {
            "user": [1, 2, 3, 4, 5, 6],
            "logger": ["a", "a", "b", "b", "b", "c"],
            "item": ["x"] * 6,
            "reward": [1.0, 0, 1, 0, 0.5, 9],
            "propensity": [1.0, 1, 0.5, 0.5, 0.5, 0.1],
        }
    )
    policy = pl.DataFrame({"user": range(1, 7), "item": "x", "probability": 1.0})
    # of a: values 1 and 0, a variance of 1/4 and 2 lists; of b: values 2, 0 and 1, a variance of 2/3 and 3 lists
    estimate = (1 / 2 * 8 + 1 * 9 / 2) / (8 + 9 / 2)
    error = sqrt(8**2 * (1 / 4) / (2 - 1) + (9 / 2) ** 2 * (2 / 3) / (3 - 1)) / (8 + 9 / 2)
    found = only(engine, policy, ["multi_logger_ips", "multi_logger_ips_error", "multi_logger_ips(clip=1)"], shown)
    # with a weight of 1, b has the values 1, 0 and 1/2
    assert [*found.values()] == [about(estimate), about(error), about(1 / 2)]


def test_several_loggers_are_refused_without_a_column_of_them() -> None:
    with refusal(rm.ColumnError, "multi_logger_ips needs a column of the role 'logger' in the log"):
        rm.evaluate(POLICY, metrics="multi_logger_ips", log=LOG)


@polars_and_later_duckdb
def test_positions_may_count_from_0(engine: Engine) -> None:
    policy, shown = (frame.with_columns(pl.col("position") - 1) for frame in (POLICY, LOG))
    assert only(engine, policy, ["ips(weight=log2)"], shown, rank_from=0) == only(engine, POLICY, ["ips(weight=log2)"])


def test_clicks_are_corrected_by_the_position_curve_of_their_own_log() -> None:
    """From a log to its position curve, to propensities of clicks, to the precision of a ranking that users would see.

    Two of three users saw their items in the same order twice, others in two orders. A user who looks at a relevant
    item clicks it, and looks at the positions with 1, 0.5 and 0.2.
    """
    draw, looks = random.Random(5), {1: 1.0, 2: 0.5, 3: 0.2}
    rows, relevant = [], set()
    for user in range(6000):
        relevant |= {(user, item) for item, chance in (("a", 0.3), ("b", 0.5), ("c", 0.6)) if draw.random() < chance}
        for impression in (1, 2):
            order = draw.sample("abc", 3) if user % 3 == 0 and impression == 2 else "abc"
            for position, item in enumerate(order, start=1):
                clicked = int((user, item) in relevant and draw.random() < looks[position])
                rows.append((user, impression, position, item, clicked))
    shown = pl.DataFrame(rows, schema=["user", "impression", "position", "item", "reward"], orient="row")
    recs = pl.DataFrame({"user": range(6000), "item": "c", "rank": 1})

    curve = only(LOCAL[0], recs, ["examination@1,2,3"], shown)
    examined = {position: curve[f"examination@{position}"] for position in looks}
    assert examined == pytest.approx(looks, abs=0.04)
    seen = 1 - (1 - pl.col("position").replace_strict(examined)).product()  # at one position or the other
    truth = shown.group_by("user", "item").agg(rating=pl.max("reward"), propensity=seen)
    result = rm.evaluate(recs, truth, ["precision(weights=none)@1", "precision(weights=ips)@1"], missing="listed")
    (row,) = result.collect().to_dicts()
    true = sum((user, "c") in relevant for user in range(6000)) / 6000
    assert row["precision(weights=none)@1"] < true - 0.2  # c was shown low, and few looked
    assert row["precision(weights=ips)@1"] == pytest.approx(true, abs=0.05)


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
        rm.evaluate(rm.Input(POLICY, columns=rm.Columns(probability="probability")), metrics="coverage")


@pytest.mark.parametrize("off", [0.6, 1.4])
def test_propensities_that_are_wrong_are_doubted(off: float) -> None:
    shown = pl.DataFrame({"user": range(400), "item": ["a", "b"] * 200, "reward": [1, 0] * 200, "propensity": 0.5})
    policy = shown.select("user").join(pl.DataFrame({"item": ["a", "b"], "probability": [0.7, 0.3]}), how="cross")
    rm.evaluate(policy, metrics="ips", log=shown).collect()  # without a warning, which would be an error here
    with pytest.warns(rm.RankMetricsWarning, match=f"The mean of the importance weights is {1 / off:.2f}"):
        rm.evaluate(policy, metrics="ips", log=shown.with_columns(pl.col("propensity") * off)).collect()


@pytest.mark.long
def test_estimates_are_right_on_average_and_their_intervals_hold_the_truth() -> None:
    """Of 1500 drawn logs, about 95% of the intervals should hold the truth: between 92.5% and 96.5%.

    Few of 400 weights are large, so the intervals are a little too narrow: 93% to 95% hold the truth.
    Bounds of any distribution are wide, and hold it in more. Half of the users were shown items by a logger that shows
    each as often: by its log alone, replay is right.
    """
    draw, n_logs, n_users = random.Random(3), 1500, 400
    items, new, chance = ["a", "b", "c"], [0.1, 0.3, 0.6], {"a": 0.2, "b": 0.5, "c": 0.7}
    old = {"old": [0.6, 0.3, 0.1], "uniform": [1 / 3] * 3}
    rows = []
    for number in range(n_logs):
        for user in range(n_users):
            logger = "uniform" if user % 2 else "old"
            (item,) = draw.choices(items, old[logger])
            clicked = int(draw.random() < chance[item])
            rows.append((number, user, logger, item, clicked, old[logger][items.index(item)]))
    shown = pl.DataFrame(rows, schema=["fold", "user", "logger", "item", "reward", "propensity"], orient="row")
    actions = pl.DataFrame({"item": items, "probability": new, "expected_reward": [0.3, 0.3, 0.5]})
    policy = shown.select("fold", "user").join(actions, how="cross")
    truth = sum(share * chance[item] for share, item in zip(new, items, strict=True))

    def evaluated(log: pl.DataFrame, *metrics: str) -> pl.DataFrame:
        return rm.evaluate(policy, metrics=metrics, by=["fold"], log=log, aggregates=["mean", "ci"]).collect()

    def held(name: str, found: pl.DataFrame, half: pl.Series) -> float:
        errors = found[name] - truth
        assert errors.mean() == pytest.approx(0, abs=0.01), name
        return float((errors.abs() <= half).mean())  # type: ignore[arg-type]  # of booleans, the share that is true

    ratios = [*("snips", "snips_error", "sndr", "sndr_error", "multi_logger_ips", "multi_logger_ips_error")]
    whole = evaluated(shown, "ips", "dr", *ratios)
    uniform = evaluated(shown.filter(logger="uniform"), "replay", "replay_error")
    shares = {name: held(name, whole, whole[f"{name} ci"]) for name in ("ips", "dr")}
    shares |= {name: held(name, whole, 1.96 * whole[f"{name}_error"]) for name in ratios[::2]}
    shares["replay"] = held("replay", uniform, 1.96 * uniform["replay_error"])
    assert all(0.925 <= share <= 0.965 for share in shares.values()), shares


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
