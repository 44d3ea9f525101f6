"""Means by a judge's labels, corrected by people's: by hand, like a plain-Python twin, and like ppi-python."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from peers.problems import N_LABELLED, drawn_labels
from peers.tables import GOLDEN
from rankmetrics.errors import ColumnError, DataError, InputError, MetricError
from tests.support import flat
from tests.support.engines import LOCAL, Engine, every_engine, need, polars_and_later_duckdb
from tests.support.judged import Values, corrected
from tests.support.refusals import refusal

pytestmark = [
    pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning"),
    pytest.mark.usefixtures("least_lists"),
]


@pytest.fixture
def least_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals of few labelled lists, too, as the numbers by hand and of ppi-python have them."""
    monkeypatch.setattr("rankmetrics.judges.FEW_LISTS", 2)


# People labelled the lists of users 1 to 4. DCG@1 is the rating of the only item: 3, 1, 2 and 0 by people, 3, 2, 3 and
# 0 by the judge, who gives the items of the other users 1, 3, 2 and 2.
RECS = pl.DataFrame({"user": [*range(1, 9)], "item": ["x"] * 8, "rank": [1] * 8})
JUDGE = pl.DataFrame({"user": [*range(1, 9)], "item": ["x"] * 8, "rating": [3.0, 2, 3, 0, 1, 3, 2, 2]})
PEOPLE = pl.DataFrame({"user": [1, 2, 3, 4], "item": ["x"] * 4, "rating": [3.0, 1, 2, 0]})
DCG = {"dcg@1": "dcg(gain=linear, undefined=zero)@1"}

TOLERANCE = 1e-12


def estimates(
    engine: Engine, recs: pl.DataFrame, judge: pl.DataFrame, people: pl.DataFrame, metrics: Any, **options: Any
) -> rm.Corrected:
    chosen = {name: options.pop(name) for name in ("baseline", "confidence") if name in options}
    result = flat.evaluate(engine.give(recs), engine.give(judge), metrics, **engine.options, **options)
    return result.corrected(engine.give(people), **chosen)


def assert_rows(rows: Sequence[dict[str, Any]], expected: Sequence[dict[str, Any]], error: float = TOLERANCE) -> None:
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        for name, value in wanted.items():
            assert row[name] == (pytest.approx(value, abs=error) if isinstance(value, float) else value), (name, row)


# --- the estimate -----------------------------------------------------------------------------------------------------


@polars_and_later_duckdb
def test_the_estimate_is_the_one_worked_out_by_hand(engine: Engine) -> None:
    """The labelled judge has a mean of 2, the unlabelled judge of 2, all of variance 8/7; the covariance is 1.25."""
    (row,) = estimates(engine, RECS, JUDGE, PEOPLE, DCG).collect().to_dicts()
    weight = 1.25 / (2 * 8 / 7)
    variance = (1.25 - 2 * weight * 1.25 + weight**2 * 1.5) / 4 + weight**2 * 0.5 / 4
    half = 1.959963984540054 * sqrt(variance)
    assert_rows(
        [row],
        [
            {
                "metric": "dcg@1",
                "estimate": 1.5 + weight * (2 - 2),
                "ci_low": 1.5 - half,
                "ci_high": 1.5 + half,
                "lambda": weight,
                "human_mean": 1.5,
                "human_ci_low": 1.5 - 1.959963984540054 * sqrt(1.25 / 4),
                "human_ci_high": 1.5 + 1.959963984540054 * sqrt(1.25 / 4),
                "judge_mean": 2.0,
                "n_labelled": 4,
                "n_unlabelled": 4,
                "n_undefined": 0,
                "n_effective": 1.25 / variance,
            }
        ],
    )


def drawn(seed: int) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Recommendations of three systems with two seeds each, and labels of a judge and of people, with rating 0."""
    random = np.random.default_rng(seed)
    n_users, n_items = 24, 6
    ranks = [
        (day, system, trial, user, int(item), rank)
        for day in (1, 2)
        for system in "abc"
        for trial in (1, 2)
        for user in range(n_users)
        for rank, item in enumerate(random.permutation(n_items)[:4], 1)
        if system != "c" or user % 5  # a system without some of the lists
    ]
    recs = pl.DataFrame(ranks, schema=["day", "system", "seed", "user", "item", "rank"], orient="row")
    keys = [(day, user, item) for day in (1, 2) for user in range(n_users) for item in range(n_items)]
    ratings = random.choice([0.0, 0, 0, 0, 1, 2], len(keys))
    judged = np.clip(ratings + random.choice([-1, 0, 0, 0, 1], len(keys)), 0, 2)
    truth = pl.DataFrame(keys, schema=["day", "user", "item"], orient="row").with_columns(rating=judged)
    people = truth.with_columns(rating=ratings).filter(pl.col("user") < 3 * pl.col("day") + 4)
    return recs, truth, people


def twin_rows(
    recs: pl.DataFrame,
    judge: pl.DataFrame,
    people: pl.DataFrame,
    metrics: list[str],
    by: list[str],
    baseline: str | None,
) -> list[dict[str, Any]]:
    """The rows that the twin has over the values per list of two evaluations."""
    tables = [
        rm.evaluate(recs.lazy(), truth, metrics, by=by).per_list().collect().to_dicts() for truth in (judge, people)
    ]
    keys = ["day", "system", "seed", "user"]
    human = {tuple(row[key] for key in keys): row for row in tables[1]}
    labelled = set(people.select("day", "user").rows())
    rows = []
    for metric in metrics:
        label = rm.parse(metric).label
        units: dict[Any, dict[Any, list[Values]]] = {}
        for row in tables[0]:
            is_labelled = (row["day"], row["user"]) in labelled
            of_people = human.get(tuple(row[key] for key in keys), {}).get(label) if is_labelled else None
            group = units.setdefault(tuple(row[name] for name in by), {})
            group.setdefault((row["day"], row["user"]), []).append((of_people, row[label], is_labelled))
        means = {by_: {unit: mean_of(lists) for unit, lists in of.items()} for by_, of in units.items()}
        for group, of_units in means.items():
            if baseline is not None:
                others = means[
                    tuple(baseline if name == "system" else value for name, value in zip(by, group, strict=True))
                ]
                if others is of_units:
                    continue
                of_units = {unit: minus(of_units[unit], others[unit]) for unit in of_units}
            named = {} if baseline is None else {"baseline": baseline}
            rows.append(
                {**dict(zip(by, group, strict=True)), "metric": label, **named, **corrected([*of_units.values()])}
            )
    order = [rm.parse(metric).label for metric in metrics]
    return sorted(rows, key=lambda row: (*(row[name] for name in by), order.index(row["metric"])))


def mean_of(lists: list[Values]) -> Values:
    """The means over the lists of a truth list for which both values are defined."""
    is_labelled = lists[0][2]
    known = [(h, j) for h, j, _ in lists if j is not None and (h is not None or not is_labelled)]
    if not known:
        return None, None, is_labelled
    human = sum(h for h, _ in known if h is not None) / len(known) if is_labelled else None
    return human, sum(j for _, j in known) / len(known), is_labelled


def minus(left: Values, right: Values) -> Values:
    (human, judge, is_labelled), (other_human, other_judge, _) = left, right
    if judge is None or other_judge is None:
        return None, None, is_labelled
    return None if human is None or other_human is None else human - other_human, judge - other_judge, is_labelled


METRICS = ["ndcg@3", "recall(rel=2)", "precision(missing=skip)@2", "rr"]


def metrics_with(baseline: str | None) -> list[str]:
    return [metric for metric in METRICS if baseline is None or "skip" not in metric]


@cache
def drawn_rows(seed: int, by: tuple[str, ...], baseline: str | None) -> list[dict[str, Any]]:
    """The rows of the twin on a random problem: one computation for all engines."""
    return twin_rows(*drawn(seed), metrics_with(baseline), [*by], baseline)


def assert_as_the_twin(engine: Engine, seed: int, by: list[str], baseline: str | None) -> None:
    metrics = metrics_with(baseline)
    answer = estimates(engine, *drawn(seed), metrics, by=by, baseline=baseline)
    labels = pl.Enum([rm.parse(metric).label for metric in metrics])
    rows = engine.read(answer.summary()).sort(*by, pl.col("metric").cast(labels)).to_dicts()
    assert_rows(rows, drawn_rows(seed, tuple(by), baseline), 1e-9)
    assert list(rows[0])[: len(by) + 1] == [*by, "metric"]


@every_engine
def test_a_random_problem_has_the_estimates_of_the_twin(engine: Engine) -> None:
    need(engine)
    assert_as_the_twin(engine, 0, ["day", "system"], None)
    assert_as_the_twin(engine, 1, ["system"], "b")


@pytest.mark.long
@every_engine
def test_more_random_problems_have_the_estimates_of_the_twin(engine: Engine) -> None:
    need(engine)
    for seed in range(2, 6 if engine in LOCAL else 3):
        for by in (["system"], ["system", "day"], ["system", "seed"], ["day", "system", "user"]):
            for baseline in (None, "b") if "seed" not in by else (None,):
                assert_as_the_twin(engine, seed, by, baseline)


MEASURES = {"ndcg@5": "ndcg(gain=linear)@5", "dcg@1": "dcg(gain=linear)@1", "precision(rel=2)@3": "precision(rel=2)@3"}
THEIRS = json.loads((GOLDEN / "ppi.json").read_text(encoding="utf-8"))


@polars_and_later_duckdb
def test_estimates_of_ndcg_are_those_of_ppi_python(engine: Engine) -> None:
    ratings, scores = drawn_labels()

    def rows(by_query: dict[str, dict[str, float]]) -> list[tuple[str, str, float]]:
        return [(query, item, float(value)) for query, items in by_query.items() for item, value in items.items()]

    schema = ["query", "item", "rating"]
    recs = pl.DataFrame(
        [(system, *row) for system, of_system in scores.items() for row in rows(of_system)],
        schema=["system", "query", "item", "score"],
        orient="row",
    )
    tables = {name: pl.DataFrame(rows(of_name), schema=schema, orient="row") for name, of_name in ratings.items()}
    labels = tables["people"].filter(pl.col("query").is_in([*ratings["people"]][:N_LABELLED]))
    columns = ["estimate", "ci_low", "ci_high", "lambda", "human_mean", "human_ci_low", "human_ci_high"]
    ours = {}
    for judge in ("good", "contrary", "timid"):
        result = rm.evaluate(engine.give(recs), engine.give(tables[judge]), MEASURES)
        for baseline in (None, "a"):
            answer = result.corrected(engine.give(labels), baseline, confidence=1 - THEIRS["alpha"])
            for row in engine.read(answer.summary()).to_dicts():
                name = row["system"] if baseline is None else f"{row['system']} - {baseline}"
                ours[judge, name, row["metric"]] = [row[column] for column in columns]
    assert len(ours) == len(THEIRS["estimates"]) == 27
    assert {0.0, 1.0} <= {row[-4] for row in THEIRS["estimates"]}  # lambda reaches both ends
    for judge, name, metric, *values in THEIRS["estimates"]:
        if values[-2] == values[-1]:  # people's labels give all lists the same value: no interval here
            values = [
                None if column.startswith(("ci", "human_ci")) else value
                for column, value in zip(columns, values, strict=True)
            ]
        assert ours[judge, name, metric] == pytest.approx(values, abs=1e-9), (judge, name, metric)


def test_where_people_labelled_every_list_the_estimate_is_that_of_people_alone() -> None:
    people = JUDGE.with_columns(rating=pl.Series([3.0, 1, 2, 0, 1, 1, 3, 2]))
    (row,) = estimates(LOCAL[1], RECS, JUDGE, people, DCG).collect().to_dicts()
    assert (row["lambda"], row["n_labelled"], row["n_unlabelled"], row["n_effective"]) == (0, 8, 0, pytest.approx(8))
    assert [row[name] for name in ("estimate", "ci_low", "ci_high")] == pytest.approx(
        [row[name] for name in ("human_mean", "human_ci_low", "human_ci_high")], abs=TOLERANCE
    )


@pytest.mark.parametrize("value", [0.0, 0.1, 3.0])
def test_a_judge_who_gives_all_lists_the_same_value_has_no_weight(value: float) -> None:
    judge = JUDGE.with_columns(rating=pl.lit(value))
    (row,) = estimates(LOCAL[0], RECS, judge, PEOPLE, DCG).collect().to_dicts()
    assert (row["lambda"], row["estimate"], row["judge_mean"]) == (0, 1.5, pytest.approx(value))
    assert row["n_effective"] == pytest.approx(4)


def test_a_row_of_by_with_fewer_than_two_labelled_lists_has_no_estimate() -> None:
    days = pl.Series("day", [1, 1, 2, 3, 1, 1, 2, 3])
    recs, judge = (frame.with_columns(days) for frame in (RECS, JUDGE))
    people = PEOPLE.with_columns(day=pl.Series([1, 1, 2, 3])).filter(pl.col("day") < 3)
    answer = estimates(LOCAL[1], recs, judge, people, DCG, by=["day"])
    rows = answer.collect().select("day", "estimate", "lambda", "human_mean", "human_ci_low", "n_labelled").rows()
    assert [row[:1] + row[-1:] for row in rows] == [(1, 2), (2, 1), (3, 0)]
    assert rows[1] == (2, None, None, 2.0, None, 1)
    assert rows[2] == (3, None, None, None, None, 0)
    assert "lists labelled by people: 0 to 2" in answer.notes()
    assert "–" in repr(answer)


# --- what the estimate is worth: many draws of labelled lists, in one query -------------------------------------------


def coverage(choose: Any, n_labelled: int, n_draws: int = 300) -> tuple[float, float, float]:
    """The shares of draws whose intervals contain the mean by people's labels, and by how much PPI++ is narrower.

    The shares are those of the corrected judge and of people alone. `choose` gives numbers of the lists of a draw: the
    `n_labelled` lists with the lowest numbers are labelled, of 300.
    """
    random = np.random.default_rng(5)
    n_users, n_items = 300, 4
    taste = random.beta(1, 2, (n_draws, n_users, 1))  # users who like many items, and users who like few
    people = 1.0 * (random.random((n_draws, n_users, n_items)) < taste)
    judged = np.where(random.random(people.shape) < 0.15, 1, people)  # a judge who is too kind
    order = np.argsort(choose(random, people), axis=1)
    chosen = np.zeros((n_draws, n_users), bool)
    np.put_along_axis(chosen, order[:, :n_labelled], True, axis=1)
    draw, user, item = (index.ravel() for index in np.indices(people.shape))
    frame = pl.DataFrame({"draw": draw, "user": user, "item": item, "rank": item + 1})
    table = frame.drop("rank")
    labels = table.with_columns(rating=people.ravel()).filter(pl.Series(chosen[draw, user]))
    result = rm.evaluate(frame, table.with_columns(rating=judged.ravel()), "precision@3", by=["draw"])
    row = pl.from_dicts(result.corrected(labels).summary().collect().to_dicts())
    mean = float(people[:, :, :3].mean())
    assert abs(float(judged[:, :, :3].mean()) - mean) > 0.05  # the judge alone is wrong
    widths = (pl.col(f"{name}ci_high") - pl.col(f"{name}ci_low") for name in ("", "human_"))
    within = (pl.lit(mean).is_between(f"{name}ci_low", f"{name}ci_high").mean() for name in ("", "human_"))
    shares = row.select(a=next(within), b=next(within), ratio=(next(widths) / next(widths)).mean()).row(0)
    return shares[0], shares[1], shares[2]


def test_intervals_of_judges_hold_their_level_and_are_narrower_than_of_people() -> None:
    corrected_share, alone, ratio = coverage(lambda random, people: random.random(people.shape[:2]), 60)
    assert corrected_share == pytest.approx(0.95, abs=0.04)  # 3 standard errors of a share of 300 draws
    assert alone == pytest.approx(0.95, abs=0.04)
    assert ratio < 0.7


def test_intervals_miss_the_mean_if_people_labelled_the_richest_lists_only() -> None:
    corrected_share, alone, _ = coverage(lambda _, people: -people.sum(axis=2), 60)
    assert corrected_share < 0.1
    assert alone < 0.1


# --- inputs and texts -------------------------------------------------------------------------------------------------


def test_corrections_are_lazy_and_return_the_kind_of_the_recommendations() -> None:
    lazy = estimates(LOCAL[1], RECS, JUDGE, PEOPLE, DCG)
    assert isinstance(lazy.summary(), pl.LazyFrame)
    relation = estimates(LOCAL[0], RECS, JUDGE, PEOPLE, DCG)
    assert isinstance(relation.summary(), duckdb.DuckDBPyRelation)
    assert_frame_equal(relation.collect(), lazy.collect(), abs_tol=TOLERANCE)
    broken = PEOPLE.lazy().with_columns(pl.col("item").map_elements(lambda _: 1 / 0, pl.String))
    rm.evaluate(RECS.lazy(), JUDGE.lazy(), DCG).corrected(broken)


def test_labels_have_the_columns_of_the_truth_also_under_given_names() -> None:
    expected = estimates(LOCAL[1], RECS, JUDGE, PEOPLE, DCG).collect()
    names = {"user": "reader", "item": "sku", "rating": "stars"}
    columns = rm.Columns(item="sku", rating="stars", lists={"user": "reader"})
    result = rm.evaluate(RECS, rm.Input(JUDGE.rename(names), columns=columns), DCG)
    assert_frame_equal(result.corrected(PEOPLE.rename(names)).collect(), expected)
    assert_frame_equal(result.corrected(PEOPLE.rename({"user": "user_id", "item": "item_id"})).collect(), expected)
    mapping = {user: {item: rating} for user, item, rating in PEOPLE.rows()}
    assert_frame_equal(rm.evaluate(RECS, JUDGE, DCG).corrected(mapping).collect(), expected)


def test_labels_need_no_column_of_a_policy_and_have_the_propensities_of_the_truth() -> None:
    policy = RECS.rename({"rank": "score"}).with_columns(probability=pl.lit(0.5))
    log = JUDGE.select("user", "item", reward=1, propensity=0.5)
    of_ranks = rm.evaluate(RECS, JUDGE, DCG).corrected(PEOPLE).collect()
    assert_frame_equal(rm.evaluate(policy, JUDGE, DCG, log=log).corrected(PEOPLE).collect(), of_ranks)

    judge, people = (labels.with_columns(propensity=pl.lit(0.5)) for labels in (JUDGE, PEOPLE))
    twice = {"dcg@1": "dcg(gain=linear, undefined=zero, weights=ips)@1"}  # each hit counts 1 / 0.5
    weighted = rm.evaluate(RECS, judge, twice).corrected(people).collect()
    assert weighted["estimate"][0] == pytest.approx(2 * of_ranks["estimate"][0])


def test_columns_called_as_ours_keep_their_names() -> None:
    new = {"day": "metric", "system": "lambda", "user": "rank_1"}
    recs, judge, people = (frame.rename(new, strict=False) for frame in drawn(2))
    rows = estimates(LOCAL[0], recs, judge, people, "rr", by=["metric", "lambda"], baseline="a").collect()
    assert rows.columns[:7] == ["metric", "lambda", "metric_2", "baseline", "estimate", "ci_low", "ci_high"]
    assert rows.columns[7] == "lambda_2"
    plain = estimates(LOCAL[0], *drawn(2), "rr", by=["day", "system"], baseline="a").collect()
    assert_frame_equal(rows.rename(dict(zip(rows.columns, plain.columns, strict=True))), plain)


def test_the_text_runs_over_other_tables() -> None:
    recs, judge, people = drawn(3)
    answer = rm.evaluate(recs.lazy(), judge, ["ndcg@3", "rr"], by=["system"]).corrected(people, "a")
    con = duckdb.connect()
    for name, frame in zip(("made", "judged", "labelled"), (recs, judge, people), strict=True):
        con.register(name, frame.to_arrow())
    rows = con.sql(answer.to_sql("duckdb", recs="made", truth="judged", labels="labelled")).pl()
    assert_frame_equal(rows, answer.collect(), abs_tol=TOLERANCE)
    text = answer.to_sql("snowflake", recs="db.made", truth="db.judged", labels="db.labelled")
    assert 'FROM "DB"."LABELLED"' in text
    assert "SQRT" in text


def test_it_prints_a_table_with_what_the_labels_gained() -> None:
    answer = estimates(LOCAL[1], *drawn(4), ["ndcg@3", "rr"], by=["system"], baseline="a")
    text = repr(answer)
    assert text.split("\n")[0].replace("┃", " ").split()[:5] == ["system", "metric", "baseline", "estimate", "ci_low"]
    assert "n_labelled" not in text
    notes = answer.notes()
    assert notes[0] == "lists labelled by people: 16"
    assert any(note.startswith("rr is as precise as if people alone had labelled ") for note in notes)
    assert answer.to_text("csv").startswith("system,metric,baseline,estimate,")
    assert answer.to_text().startswith("| system | metric | baseline |")


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_labels_that_mean_nothing_are_refused_by_whatever_computes() -> None:
    def refused(people: pl.DataFrame, *messages: str) -> None:
        with refusal(DataError, *messages):
            estimates(LOCAL[0], RECS, JUDGE, people, DCG).collect()

    refused(PEOPLE.with_columns(pl.col("user") + 100), "the truth lacks 4 of them, such as user = 101; user = 102")
    more = pl.concat([PEOPLE, PEOPLE.with_columns(pl.col("user") + 6)])
    refused(
        more, "People labelled 8 lists, and the truth lacks 2 of them, such as user = 9; user = 10.", "with rating 0"
    )
    refused(PEOPLE[:1], "People labelled 1 list, and")
    refused(PEOPLE[:0], "People labelled 0 lists, and")
    refused(PEOPLE.with_columns(item=pl.lit("z")), "None of the items that people labelled is recommended")
    refused(PEOPLE.with_columns(rating=pl.lit(float("inf"))), "infinite ratings")


def test_what_schemas_tell_is_refused_at_once() -> None:
    result = rm.evaluate(RECS, JUDGE, DCG)
    with refusal(ColumnError, "People's labels are read as the truth is", "No item column was found"):
        result.corrected(PEOPLE.drop("item"))
    with refusal(ColumnError, "People's labels need the columns of the truth, 'user' and 'rating', with ratings"):
        result.corrected(PEOPLE.drop("rating"))
    with refusal(ColumnError, "need the columns of the truth, 'user', 'day' and 'rating'"):
        day = {"day": pl.lit(1)}
        rm.evaluate(RECS.with_columns(**day), JUDGE.with_columns(**day), DCG).corrected(PEOPLE)
    with refusal(ColumnError, "nothing would match"):
        result.corrected(PEOPLE.with_columns(pl.col("user").cast(pl.String)))
    with refusal(InputError, "no column names a system"):
        result.corrected(PEOPLE, "a")
    with refusal(InputError, "confidence must be between 0 and 1, as in 0.95, and is 95"):
        result.corrected(PEOPLE, confidence=95)
    with refusal(InputError, "A correction of a judge reads the truth, and none was given"):
        rm.evaluate(RECS, metrics="coverage@1", items=RECS.select("item")).corrected(PEOPLE)
    with refusal(MetricError, "there is nothing per list"):
        rm.evaluate(RECS, JUDGE, "coverage@1", items=RECS.select("item")).corrected(PEOPLE)


def test_a_baseline_that_is_no_system_is_refused_and_so_is_a_single_system() -> None:
    problem = drawn(0)
    with refusal(InputError, "baseline is 'popular', and the systems are 'a', 'b' and 'c'"):
        estimates(LOCAL[1], *problem, "rr", by=["system"], baseline="popular").collect()
    recs = problem[0].filter(pl.col("system") == "a")
    with refusal(InputError, "There is nothing to compare: the only system is 'a'"):
        estimates(LOCAL[1], recs, *problem[1:], "rr", by=["system"], baseline="a").collect()


# --- labels that do not fit, and intervals that would not hold --------------------------------------------------------

USERS = [*range(60)]
LISTS = pl.DataFrame({"user": USERS * 2, "item": ["x"] * 60 + ["y"] * 60, "rank": [1] * 60 + [2] * 60})
BY_JUDGE = LISTS.drop("rank").with_columns(
    rating=pl.Series([user % 2 for user in USERS] + [1 - user % 2 for user in USERS])
)
BY_PEOPLE = BY_JUDGE.with_columns(rating=pl.when(pl.col("user") % 5 == 0).then(0).otherwise("rating"))


@pytest.mark.parametrize(
    ("people", "doubt"),
    [
        (BY_PEOPLE.head(60), "People labelled 60 of the 120 items that the judge labelled in the same lists"),
        (BY_JUDGE, "All 120 labels of people equal those of the judge"),
        (
            BY_PEOPLE.with_columns(pl.col("rating") * 5),
            "highest rating of people is 5, and the judge's in the same lists is 1",
        ),
        (BY_PEOPLE.with_columns(pl.col("rating") + 1), "the judge gave 0 to 60 items of the same lists"),
    ],
    ids=["first items only", "copies", "another scale", "positives only"],
)
@pytest.mark.filterwarnings("default::rankmetrics.errors.RankMetricsWarning")
def test_labels_of_people_that_do_not_fit_the_judge_give_a_warning(people: pl.DataFrame, doubt: str) -> None:
    with pytest.warns(rm.RankMetricsWarning, match=doubt):
        rm.evaluate(LISTS, BY_JUDGE, "precision@2").corrected(people).collect()


@pytest.mark.filterwarnings("error::rankmetrics.errors.RankMetricsWarning")
def test_labels_of_people_that_fit_the_judge_give_no_warning() -> None:
    rm.evaluate(LISTS, BY_JUDGE, "precision@2").corrected(BY_PEOPLE).collect()


def test_fewer_than_50_labelled_lists_or_equal_values_have_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankmetrics.judges.FEW_LISTS", 50)
    result = rm.evaluate(LISTS, BY_JUDGE, "precision@1")
    columns = ["ci_low", "ci_high", "human_ci_low", "human_ci_high"]

    def has_intervals(people: pl.DataFrame) -> list[bool]:
        row = result.corrected(people).collect().row(0, named=True)
        assert row["estimate"] is not None
        return [row[column] is not None for column in columns]

    assert has_intervals(BY_PEOPLE.filter(pl.col("user") < 50)) == [True] * 4
    assert has_intervals(BY_PEOPLE.filter(pl.col("user") < 49)) == [False] * 4
    assert has_intervals(BY_PEOPLE.with_columns(rating=1)) == [False] * 4
    few = result.corrected(BY_PEOPLE.filter(pl.col("user") < 49))
    assert few.notes()[-1] == "with fewer than 50 labelled lists, an interval would be too narrow, and is left out"


def test_intervals_of_50_labelled_lists_contain_the_mean_as_often_as_the_page_says() -> None:
    shares = coverage(lambda random, people: random.random(people.shape[:2]), 50)
    assert shares[0] == pytest.approx(0.94, abs=0.04)  # 3 standard errors of a share of 300 draws
