"""The faults of the data: evaluate refuses them, and the check and the guard find the same ones on every engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.export.statements import Statement
from rankmetrics.faults.checks import REQUIRED, checks_of, required_of
from rankmetrics.faults.fault_query import HEADINGS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.request import COUNTS
from tests import ROOT
from tests.support import flat
from tests.support.engines import LOCAL, OTHERS, Engine, each_engine, need, with_long_databases
from tests.support.extra_inputs import BASELINE, HISTORY, LOG, RECS, TRUTH
from tests.support.refusals import RECS as CHECK_RECS
from tests.support.refusals import TRUTH as CHECK_TRUTH
from tests.support.refusals import Asking, refusal

USERS = range(1, 6)
FIVE = pl.DataFrame({"user": USERS, "item": [10, 20, 30, 40, 50], "rank": [1] * 5})
FIVE_TRUE = FIVE.drop("rank")
LONG = pl.DataFrame({"user": [*USERS] * 3, "item": range(15), "rank": [1] * 5 + [2] * 5 + [3] * 5})
LONG_TRUE = LONG.drop("rank")
MANY = pl.DataFrame({"user": range(200), "item": [10] * 200, "rank": [1] * 200})
REPEATED = pl.concat([FIVE, FIVE.with_columns(rank=pl.lit(2, pl.Int64))])
OTHER_ITEMS = pl.DataFrame({"item": ["x", "y", "z"]})
SHORT_EMBEDDING = pl.DataFrame({"item": ["a", "b"], "embedding": [[1.0, 1.0], [1.0]]})

OF_FIVE = r"such as [^.]*\b1\b[^.]*\b2\b[^.]*\b3\b"
OF_RANKS = "in column 'rank' of the recommendations"
FROM_1 = (f"ranks of 5 lists {OF_RANKS} do not start at 1", OF_FIVE, r"Ranks count from 1\b")
REPEATS = (f"5 ranks repeat within a list {OF_RANKS}", OF_FIVE, "identified by user")
NO_ITEMS = ("No recommended item is in the items", "Recommendations have '", "the items have '")


@dataclass(frozen=True)
class Faulty:
    """Inputs with a fault.

    Attributes:
        fault: the name of the fault, which is the one that evaluate refuses.
        recs, truth: the recommendations and the truth.
        says: patterns that the message of evaluate matches.
        metrics: the requested metrics.
        options: the other arguments of evaluate; frames are inputs.
    """

    fault: str
    recs: pl.DataFrame
    truth: pl.DataFrame
    says: tuple[str, ...] = ()
    metrics: Any = "recall@2"
    options: Mapping[str, Any] = field(default_factory=dict)

    def result(self, engine: Engine) -> rm.Result:
        inputs = {
            name: engine.give(value) if isinstance(value, pl.DataFrame) else value
            for name, value in self.options.items()
        }
        return flat.evaluate(engine.give(self.recs), engine.give(self.truth), self.metrics, **inputs, **engine.options)


def _extra(fault: str, metrics: Any, says: tuple[str, ...] = (), **options: Any) -> Faulty:
    """Sound recommendations and truth with a further input that has the fault."""
    return Faulty(fault, RECS, TRUTH, says, metrics, options)


POLICY = RECS.rename({"rank": "position"}).with_columns(probability=pl.lit(0.5))

FAULTY: dict[str, Faulty] = {
    "no list in common": Faulty(
        "no_list_in_common",
        FIVE,
        FIVE_TRUE.with_columns(user=pl.col("user") + 100),
        (
            "No list is in both the recommendations and the truth, which share user",
            r"Recommendations have 1, 2, 3; the truth has 101, 102, 103\.",
        ),
    ),
    "under 1 % of the lists in common": Faulty(
        "no_list_in_common",
        MANY,
        MANY.drop("rank").with_columns(user=pl.col("user") + 199),
        (
            "Only 1 list is in both the recommendations and the truth, which share user",
            r"Recommendations have 0, 1, 2; the truth has 199, 200, 201\.",
        ),
    ),
    "no item in common": Faulty(
        "no_item_in_common",
        FIVE,
        FIVE_TRUE.with_columns(item=pl.col("item") + 1),
        (
            "No item is in both the recommendations and the truth",
            r"Recommendations have 10, 20, 30; the truth has 11, 21, 31\.",
        ),
    ),
    "ranks from 0": Faulty("ranks_not_from_1", LONG.with_columns(rank=pl.col("rank") - 1), LONG_TRUE, FROM_1),
    "ranks from 2": Faulty("ranks_not_from_1", LONG.with_columns(rank=pl.col("rank") + 1), LONG_TRUE, FROM_1),
    "ranks from 0 that are to count as given": Faulty(
        "ranks_from_below_1",
        LONG.with_columns(rank=pl.col("rank") - 1),
        LONG_TRUE,
        (f"of 5 lists {OF_RANKS} start below 1, such as those of 1", r"rm.Input\(recs, rank_from=0\)"),
        options={"ranks": "given"},
    ),
    "a rank repeated": Faulty(
        "ranks_repeated", LONG.with_columns(rank=pl.col("rank").clip(upper_bound=2)), LONG_TRUE, REPEATS
    ),
    "a rank repeated after a gap": Faulty(
        "ranks_repeated", LONG.with_columns(rank=pl.col("rank").replace({2: 7, 3: 7})), LONG_TRUE, REPEATS
    ),
    "a rank repeated beyond the cutoff": Faulty(
        "ranks_repeated",
        pl.concat([LONG, LONG.with_columns(item=pl.col("item") + 15, rank=pl.col("rank") + 2)]),
        LONG_TRUE,
        REPEATS,
    ),
    "a rank repeated, another left out, their number and sum right": Faulty(
        "ranks_repeated",
        pl.DataFrame({"user": [1] * 6, "item": range(6), "rank": [1, 2, 2, 5, 5, 6]}),
        LONG_TRUE,
        (f"2 ranks repeat within a list {OF_RANKS}", "such as user = 1, rank = [12]", "identified by user"),
    ),
    "ranks repeated, their number, last and sum right": Faulty(
        "ranks_repeated",
        pl.DataFrame({"user": [1] * 5, "item": range(5), "rank": [1, 1, 4, 4, 5]}),
        LONG_TRUE,
        (f"2 ranks repeat within a list {OF_RANKS}", "such as user = 1, rank = [12]", "identified by user"),
    ),
    **{
        f"ranks of {function}": Faulty(
            "ranks_repeated",
            pl.DataFrame({"user": [1] * len(ranks), "item": range(len(ranks)), "rank": ranks}),
            LONG_TRUE,
            (re.escape(f"as {function}() gives them"), r"ROW_NUMBER\(\)", 'ranks="again"', "Or is a column missing"),
        )
        for function, ranks in {"RANK": [1, 1, 3, 4, 4], "DENSE_RANK": [1, 1, 2, 3]}.items()
    },
    "a NULL rank": Faulty(
        "ranks_missing",
        LONG.with_columns(rank=pl.when(pl.col("rank") < 3).then("rank")),
        LONG_TRUE,
        (f"5 recommendations have no rank {OF_RANKS}", OF_FIVE),
    ),
    "lists without any rank": Faulty(
        "ranks_missing",
        LONG.with_columns(rank=pl.when(pl.col("user") > 2).then("rank")),
        LONG_TRUE,
        (f"6 recommendations have no rank {OF_RANKS}", r"such as in 1, 2\b"),
    ),
    "ranks with a fraction": Faulty(
        "ranks_not_whole", FIVE.with_columns(rank=pl.Series([1.0, 1.0, 1.5, 1.0, 1.0])), FIVE_TRUE
    ),
    "an infinite rating": Faulty(
        "ratings_infinite",
        FIVE,
        FIVE_TRUE.with_columns(rating=pl.Series([1.0, 2.0, float("inf"), 1.0, float("-inf")])),
        ("2 rows of the truth have an infinite rating", "such as"),
    ),
    "ratings without a power of 2": Faulty(
        "ratings_too_high",
        FIVE,
        FIVE_TRUE.with_columns(rating=pl.Series([1.0, 901.0, 2000.0, 1.0, 900.0])),
        ("2 ratings are above 900 in the truth, such as in user = 2", "gain=linear"),
        "ndcg(gain=exponential)@2",
    ),
    "propensities outside of (0, 1], and none": Faulty(
        "propensities_invalid",
        FIVE,
        FIVE_TRUE.with_columns(propensity=pl.Series([0.5, 0.0, 1.5, None, 1.0])),
        ("3 relevant items have no propensity above 0 and up to 1", "such as", "in column 'propensity' of the truth"),
        options={"weights": "ips"},
    ),
    "no recommendations": Faulty("no_recommendations", FIVE.clear(), FIVE_TRUE, ("no recommendations", "no row")),
    "no truth": Faulty("no_truth", FIVE, FIVE_TRUE.clear(), ("no truth", "no row")),
    "nothing at all": Faulty("no_recommendations", FIVE.clear(), FIVE_TRUE.clear(), ("no recommendations", "no row")),
    "recommendations without an id": Faulty(
        "no_recommendations",
        FIVE.with_columns(user=pl.lit(None, pl.Int64)),
        FIVE_TRUE,
        ("no recommendations", "NULL id"),
    ),
    "recommendations repeated": Faulty(
        "recommendations_repeated",
        REPEATED,
        FIVE_TRUE,
        ('duplicates="error"', "5 recommendations", "such as"),
        options={"duplicates": "error"},
    ),
    "items repeated that a metric refuses": Faulty(
        "recommendations_repeated", REPEATED, FIVE_TRUE, metrics=rm.parse("recall(duplicates=refused)@2")
    ),
    "truth repeated": Faulty(
        "truth_repeated",
        FIVE,
        pl.concat([FIVE_TRUE, FIVE_TRUE]),
        ('duplicates="error"', "5 rows of the truth", "such as"),
        options={"duplicates": "error"},
    ),
    "no history": _extra("no_history", "unseen@2", ("There is no history", "no row"), history=HISTORY.clear()),
    "a history without ids": _extra(
        "no_history",
        "unseen@2",
        ("There is no history", "NULL id"),
        history=HISTORY.with_columns(item=pl.lit(None, pl.String)),
    ),
    "no baseline": _extra(
        "no_baseline", "rbo@2", ("There is no baseline", "no row", "name of a system"), baseline=BASELINE.clear()
    ),
    "no list in common with the history": _extra(
        "no_list_in_history",
        "unseen@2",
        ("No list is in both the recommendations and the history, which share user", "Recommendations have", "has 1"),
        history=HISTORY.with_columns(user=pl.col("user") + 10),
    ),
    "no list in common with the baseline": _extra(
        "no_list_in_baseline",
        "rbo@2",
        ("No list is in both the recommendations and the baseline, which share user", "Recommendations have", "has 1"),
        baseline=BASELINE.with_columns(user=pl.col("user") + 10),
    ),
    "no log": _extra("no_log", "ips", ("There is no log", "no row"), log=LOG.clear()),
    "no list in common with the log": _extra(
        "no_list_in_log",
        "ips",
        ("No list is in both the recommendations and the log, which share user", "Recommendations have", "has 11"),
        log=LOG.with_columns(user=pl.col("user") + 10),
    ),
    "no action in common with the log": _extra(
        "no_action_in_common",
        "ips",
        (
            "No action of the log is one that the policy takes",
            "at the same position",
            "the log has user = 1, item = 'x'",
        ),
        log=LOG.with_columns(item=pl.lit("x")),
    ),
    "a position of the log repeated": _extra(
        "log_repeated",
        "ips",
        ("The log has 1 position of a list more than once, such as user = 1", "impression"),
        log=LOG.with_columns(position=pl.lit(1)),
    ),
    "a propensity that is none": _extra(
        "log_propensities_wrong",
        "ips",
        (
            "3 rows of the log have no propensity in column 'propensity' of the log, or a wrong one, such as user = 1",
            "above 0",
        ),
        log=LOG.with_columns(propensity=pl.Series([0.0, 1.5, None, 0.5])),
    ),
    "no reward": _extra(
        "rewards_missing",
        "ips",
        (
            "2 rows of the log have no reward in column 'reward' of the log, or a wrong one, such as user = 1",
            "is a number",
        ),
        log=LOG.with_columns(reward=pl.Series([float("nan"), 0.0, None, 1.0])),
    ),
    "a probability that is none": replace(
        _extra(
            "probabilities_wrong",
            "ips",
            (
                "recommendations have no probability in column 'probability'",
                "or a wrong one, such as user = 1",
                "from 0 to 1",
            ),
            log=LOG,
        ),
        recs=POLICY.with_columns(probability=pl.Series([1.5, 0.2, -0.1, None, 0.5])),
    ),
    "an action of a policy repeated": replace(
        _extra(
            "policy_repeated",
            "ips",
            ("The recommendations have 5 items more than once at one position of a list, such as user = 1", "Add up"),
            log=LOG,
        ),
        recs=pl.concat([POLICY, POLICY]),
    ),
    "no expected reward": replace(
        _extra(
            "expected_rewards_missing",
            "dr",
            ("2 recommendations have no expected reward in column", "or a wrong one, such as user = 1"),
            log=LOG,
        ),
        recs=POLICY.with_columns(expected_reward=pl.Series([None, 0.2, 0.1, float("inf"), 0.5])),
    ),
    "no item in the catalogue": _extra(
        "no_item_in_catalog",
        "coverage@2",
        ("No recommended item is in the catalog", "Recommendations have '", "the catalog has '"),
        catalog=OTHER_ITEMS,
    ),
    "an empty catalogue": _extra(
        "no_item_in_catalog", "coverage@2", ("No recommended item", "has nothing"), catalog=OTHER_ITEMS.clear()
    ),
    "no item with a category": _extra(
        "no_item_with_category",
        "categorical_diversity@2",
        NO_ITEMS,
        items=OTHER_ITEMS.with_columns(category=pl.lit("s")),
    ),
    "no item with a list of categories": _extra(
        "no_item_with_category", "hit@1", NO_ITEMS, items=OTHER_ITEMS.with_columns(category=pl.Series([["s"]] * 3))
    ),
    "no item with a popularity": _extra(
        "no_item_with_popularity", "popularity@2", NO_ITEMS[:1], items=OTHER_ITEMS.with_columns(popularity=5)
    ),
    "no item in the similarity": _extra(
        "no_item_in_similarity",
        "list_diversity@2",
        ("No recommended item is in the similarity", "the similarity has '"),
        similarity=OTHER_ITEMS.with_columns(other=pl.lit("none"), similarity=0.5),
    ),
    "no item with an embedding": _extra(
        "no_item_with_embedding",
        "embedding_diversity@2",
        NO_ITEMS,
        items=OTHER_ITEMS.with_columns(embedding=pl.Series([[1.0]] * 3)),
    ),
    "embeddings of unequal length": _extra(
        "embeddings_unequal", "embedding_diversity@2", ("embedding",), items=SHORT_EMBEDDING
    ),
    "no candidate for a list": _extra(
        "lists_without_negatives", "recall@2", (), candidates=pl.DataFrame({"user": [1, 1], "item": ["a", "b"]})
    ),
    "a candidate that a list does not rank": _extra(
        "negatives_unranked", "recall@2", (), candidates=pl.DataFrame({"user": [1, 2, 2], "item": ["z", "a", "b"]})
    ),
}

# Inputs without a fault.
SOUND = Faulty("", LONG, LONG_TRUE, metrics=["recall@2", "ndcg@2", "personalization@2"])

# Every fault in three evaluations, so that each engine plans only three queries.
_BEYOND = ["recall@2", "unseen@2", "rbo@2", "coverage@2", "categorical_diversity@2", "popularity@2", "list_diversity@2"]
MANY_FAULTS: dict[str, Faulty] = {
    "broken ranks, repeats, ratings, propensities, candidates and embeddings": Faulty(
        "",
        pl.DataFrame(
            {
                "user": [1, 1, 1, 2, 2, 3, 3, 4],
                "item": ["a", "b", "c", "a", "d", "a", "a", "b"],
                "rank": [1.0, 2.0, 2.0, 2.0, 3.0, 1.0, None, 1.5],
            }
        ),
        pl.DataFrame(
            {
                "user": [1, 1, 2, 3, 4],
                "item": ["b", "b", "a", "d", "b"],
                "rating": [1.0, 2.0, float("inf"), 1.0, 1.0],
                "propensity": [1.0, 1.5, None, 0.5, 0.0],
            }
        ),
        metrics=["recall@2", "embedding_diversity@2"],
        options={
            "duplicates": "error",
            "weights": "ips",
            "items": SHORT_EMBEDDING,
            "candidates": pl.DataFrame({"user": [1, 1, 2, 2], "item": ["a", "z", "a", "b"]}),
        },
    ),
    "nothing in common, and ranks from 0 that are to count as given": Faulty(
        "",
        RECS.with_columns(rank=pl.col("rank") - 1),
        pl.DataFrame({"user": [101, 102], "item": ["x", "y"]}),
        metrics=[*_BEYOND, "embedding_diversity@2"],
        options={
            "ranks": "given",
            "history": HISTORY.with_columns(user=pl.col("user") + 10),
            "baseline": BASELINE.with_columns(user=pl.col("user") + 10),
            "log": LOG.drop("position").with_columns(user=pl.col("user") + 10),
            "catalog": OTHER_ITEMS,
            "items": OTHER_ITEMS.with_columns(category=pl.lit("s"), popularity=5, embedding=pl.Series([[1.0]] * 3)),
            "similarity": OTHER_ITEMS.with_columns(other=pl.lit("none"), similarity=0.5),
        },
    ),
    "empty inputs": Faulty(
        "",
        RECS.clear(),
        TRUTH.clear(),
        metrics=["recall@2", "unseen@2", "rbo@2"],
        options={"history": HISTORY.clear(), "baseline": BASELINE.clear(), "log": LOG.drop("position").clear()},
    ),
    "a policy with wrong numbers, and a log of other items": Faulty(
        "",
        pl.concat([POLICY, POLICY]).with_columns(
            probability=pl.Series([1.5, 0.5, -0.1, None, 0.5] * 2),
            expected_reward=pl.Series([None, 0.2, 0.1, 0.3, 0.5] * 2),
        ),
        TRUTH,
        metrics=["dr"],
        options={
            "log": LOG.with_columns(
                position=pl.lit(1),
                item=pl.lit("x"),
                reward=pl.Series([None, 0.0, None, 1.0]),
                propensity=pl.Series([0.0, 1.5, None, 0.5]),
            ),
            "columns": rm.Columns(probability="probability", position="position", expected_reward="expected_reward"),
            "extra_columns": {"log": rm.Columns(position="position")},
        },
    ),
}

# The rows of the check of each: the fault, its count and its sample.
CHECKED: Mapping[str, str] = {
    "broken ranks, repeats, ratings, propensities, candidates and embeddings": """
embeddings_unequal | 1 | item = b
lists_without_negatives | 2 | user = 3; user = 4
negatives_unranked | 2 | user = 1; user = 2
propensities_invalid | 3 | user = 1, item = b; user = 2, item = a; user = 4, item = b
ranks_missing | 1 | user = 3
ranks_not_from_1 | 2 | user = 2; user = 4
ranks_not_whole | 1 | user = 4, item = b, rank = 1.5
ranks_repeated | 1 | user = 1, rank = 2
ratings_infinite | 1 | user = 2, item = a
recommendations_repeated | 1 | user = 3
truth_repeated | 1 | user = 1
""",
    "nothing in common, and ranks from 0 that are to count as given": """
log_repeated | 1 | user = 11, rank = 1
no_item_in_catalog | 4 | recommendations: item = a; item = b; item = c; catalog: item = x; item = y; item = z
no_item_in_common | 4 | recommendations: item = a; item = b; item = c; truth: item = x; item = y
no_item_in_similarity | 4 | recommendations: item = a; item = b; item = c; similarity: item = x; item = y; item = z
no_item_with_category | 4 | recommendations: item = a; item = b; item = c; items: item = x; item = y; item = z
no_item_with_embedding | 4 | recommendations: item = a; item = b; item = c; items: item = x; item = y; item = z
no_item_with_popularity | 4 | recommendations: item = a; item = b; item = c; items: item = x; item = y; item = z
no_list_in_baseline | 2 | recommendations: user = 1; user = 2; baseline: user = 11; user = 12
no_list_in_common | 2 | recommendations: user = 1; user = 2; truth: user = 101; user = 102
no_list_in_history | 3 | recommendations: user = 1; user = 2; history: user = 11; user = 12; user = 14
no_list_in_log | 3 | recommendations: user = 1; user = 2; log: user = 11; user = 12; user = 13
ranks_from_below_1 | 2 | user = 1; user = 2
""",
    "empty inputs": """
no_baseline | 0 |
no_history | 0 |
no_log | 0 |
no_recommendations | 0 |
no_truth | 0 |
""",
    "a policy with wrong numbers, and a log of other items": """
expected_rewards_missing | 2 | user = 1, item = a; user = 1, item = a
log_propensities_wrong | 3 | user = 1, item = x; user = 1, item = x; user = 2, item = x
log_repeated | 1 | user = 1, rank = 1
no_action_in_common | 4 | recommendations: item = a; item = b; item = c; log: user = 1, item = x, rank = 1; \
user = 1, item = x, rank = 1; user = 2, item = x, rank = 1
policy_repeated | 5 | user = 1, item = a, rank = 1; user = 1, item = b, rank = 2; user = 1, item = c, rank = 3
probabilities_wrong | 6 | user = 1, item = a; user = 1, item = a; user = 1, item = c
rewards_missing | 2 | user = 1, item = x; user = 2, item = x
""",
}

# A fault that these do not have is checked over its own inputs.
MANY_FAULTS |= {
    inputs: faulty for inputs, faulty in FAULTY.items() if faulty.fault not in " ".join(CHECKED.values()).split()
}


def possible_on(engine: Engine, faulty: Faulty) -> Faulty:
    """The inputs without what an engine cannot hold: embeddings, infinite numbers."""
    options = dict(faulty.options)
    metrics, truth = faulty.metrics, faulty.truth
    if "embedding_diversity" in engine.lacks and "items" in options:
        options["items"] = options["items"].drop("embedding")
        metrics = [metric for metric in metrics if metric != "embedding_diversity@2"]
        if options["items"].width == 1:
            del options["items"]
    if engine.name == "mariadb" and "rating" in truth.columns:
        truth = truth.with_columns(
            rating=pl.when(pl.col("rating").cast(pl.Float64).is_infinite()).then(1.0).otherwise("rating")
        )
    return replace(faulty, truth=truth, metrics=metrics, options=options)


# The ways of computing a result, each of which refuses faulty data.
ASKING: dict[str, Callable[[rm.Result, Path], object]] = {
    "collect": lambda result, _: result.collect(),
    "collect per list": lambda result, _: result.collect(per_list=True),
    "check": lambda result, _: result.check(),
    "print": lambda result, _: repr(result),
    "show": lambda result, _: result._repr_html_(),
    "write": lambda result, path: result.write(path),
}


def statement(result: rm.Result, form: Any, *, is_guarded: bool = False, per_list: bool = False) -> str:
    """The text that the engine of a result runs over the inputs of the result."""
    queries, duplicates = result._queries, "count"
    if is_guarded or form == "check":
        duplicates = result._checked.duplicates
    made = Statement(queries.engine.dialect, form, duplicates=duplicates, guarded=is_guarded)
    return made.text(result.metrics, result.layout, queries.question.tables, result.aggregates, per_list=per_list)


def faults(result: rm.Result) -> list[dict[str, Any]]:
    """The rows of the check of a result, run by its engine."""
    engine = result._queries.engine
    return engine.collect(engine.run(statement(result, "check"), [*HEADINGS])).to_dicts()


def numbers(result: rm.Result, *, is_guarded: bool, per_list: bool = False) -> pl.DataFrame:
    """The summary, or a row per list, as the text of a result gives it when its engine runs the text."""
    queries = result._queries
    table = result.per_list() if per_list else result.summary()
    columns = [*table.collect_schema()] if isinstance(table, pl.LazyFrame) else [*table.columns]
    text = statement(result, "query", is_guarded=is_guarded, per_list=per_list)
    return queries.engine.collect(queries.engine.run(text, columns))


# --- The faults of the data: evaluate refuses them, and the check and the guard find the same ones on every engine ----


DUCKDB = LOCAL[0]
ENGINES = (*LOCAL, *OTHERS)
PAGE = (ROOT / "docs" / "warehouse-checks.md").read_text("utf-8")
# Faults only where the user says that there are none: the tests of statements have them.
ASSUMED = {"recommendations_with_null_id", "truth_with_null_id"}

# Faults of one table of what was shown, which has no truth of its own: tests/inputs/test_impressions.py has them.
OF_LABELS = {"labels_alike"}


def can_raise(engine: Engine) -> bool:
    return DIALECTS[engine.dialect].raise_error != ""


def test_every_fault_has_an_error_and_an_input_of_the_tests() -> None:
    errors = (check for check in catalog().all("check") if "severity" not in check.fields)
    faults = {fault.name: fault.fields for fault in errors if fault.name not in ASSUMED | OF_LABELS}
    assert {*faults} == {faulty.fault for faulty in FAULTY.values()}
    assert all("say" in fields for fields in faults.values())
    assert len({fields["order"] for fields in faults.values()}) == len(faults)


def test_a_fault_reads_counts_that_there_are_and_shows_stages_that_there_are() -> None:
    counts = {one.name for one in catalog().all("account")}
    for one in checks_of(SOUND.result(DUCKDB).layout, REQUIRED):
        assert one.counts <= counts, one.name
        assert all(catalog().is_stage(stage) for _, stage in one.samples), one.name


# --- what evaluate refuses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTY)
def test_evaluate_refuses_faulty_data_with_a_message_that_shows_it(engine: Engine, name: str) -> None:
    faulty = FAULTY[name]
    with pytest.raises(rm.RankMetricsError) as caught:
        faulty.result(engine).check()
    assert type(caught.value) is rm.DataError
    assert not [part for part in faulty.says if not re.search(part, str(caught.value))], str(caught.value)


def _with_sound_lists(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows with 300 lists of three items more, which fit the truth with the same rows more."""
    sound: dict[str, list[Any]] = {
        "user": [f"s{user}" for user in range(300) for _ in range(3)],
        "item": [f"i{user * 3 % 211 + rank}" for user in range(300) for rank in range(3)],
        "rank": [1, 2, 3] * 300,
    }
    sound["position"] = sound["rank"]
    columns = [
        pl.Series([int(id_[1:]) + 10_000 for id_ in sound[name]] if name in ("user", "item") else sound[name])
        if kind.is_integer() and name in sound
        else pl.Series(sound[name] if name in sound else frame[name].drop_nulls().head(1).to_list() * 900)
        for name, kind in frame.schema.items()
    ]
    more = [column.rename(name).cast(frame.schema[name]) for name, column in zip(frame.columns, columns, strict=True)]
    return pl.concat([frame, pl.DataFrame(more)])


# Faults that inputs have as a whole: they are gone with the sound lists.
OF_THE_WHOLE = {"no_list_in_common", "no_item_in_common", "no_recommendations", "no_truth"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if faulty.fault.startswith("no_item") else pytest.mark.long)
        for name, faulty in FAULTY.items()
        if faulty.fault not in OF_THE_WHOLE
    ],
)
def test_a_fault_of_few_lists_or_of_one_input_is_refused_among_many_sound_lists(name: str) -> None:
    faulty = FAULTY[name]
    many = replace(faulty, recs=_with_sound_lists(faulty.recs), truth=_with_sound_lists(faulty.truth))
    with pytest.raises(rm.DataError) as caught:
        many.result(LOCAL[0]).check()
    assert not [part for part in faulty.says if not re.search(part, str(caught.value))], str(caught.value)


@each_engine
def test_every_way_to_compute_a_result_refuses_faulty_data(engine: Engine, tmp_path: Path) -> None:
    faulty = FAULTY["no item with a category"]
    result = faulty.result(engine)
    for way, compute in ASKING.items():
        with pytest.raises(rm.DataError, match=faulty.says[0]):
            compute(result, tmp_path / "summary.csv")
        assert not list(tmp_path.iterdir()), way
    for lazy in (result.summary(), result.per_list(), result.account()):
        assert isinstance(lazy, (pl.LazyFrame, duckdb.DuckDBPyRelation))
        assert isinstance(engine.read(lazy), pl.DataFrame)


def test_lazy_results_run_nothing(ask: Asking) -> None:
    result = ask(FIVE, FIVE_TRUE.with_columns(user=pl.col("user") + 100), ["ndcg@5", "recall@5"])
    assert all(isinstance(lazy, pl.LazyFrame) for lazy in (result.summary(), result.per_list(), result.account()))
    assert "SELECT" in result.to_sql()
    assert "ndcg@5" in result.explain()


def test_what_is_little_and_no_fault_is_measured(engine: Engine) -> None:
    """One list of a hundred in common, or one of one; items in common beyond the cutoff; gaps between ranks."""
    gaps = LONG.with_columns(rank=pl.col("rank").replace({2: 4, 3: 9}))
    for recs, truth, metric, expected in (
        (MANY, MANY.drop("rank").with_columns(user=pl.col("user") + 198), "hit@1", 2 / 200),
        (MANY, MANY[:1].drop("rank"), "hit@1", 1.0),
        (LONG, LONG_TRUE[-5:], "recall@1", 0.0),
        (gaps, LONG_TRUE, "recall@4", 2 / 3),
    ):
        assert rm.evaluate(engine.give(recs), engine.give(truth), metric).collect()[metric].item() == expected


def test_a_history_of_other_users_serves_popularity_and_new_users(engine: Engine) -> None:
    """What RecTools, recommenders, RecBole and RecPack return; a metric that reads the history of each list asks."""
    faulty = FAULTY["no list in common with the history"]
    popular = ["precision@2", "surprisal@2", "popularity@2", "coverage@2"]
    of_convention = replace(faulty, metrics=["Precision@2", "AvgRecPopularity@2"])
    for sound, expected in (
        (replace(faulty, metrics=popular), {"precision@2": 1 / 3, "popularity@2": 1.75}),
        (replace(of_convention, options={**faulty.options, "convention": "rectools"}), {"AvgRecPopularity@2": 1.75}),
        (replace(faulty, options={**faulty.options, "cold_start": True}), {"unseen@2": 1.0}),
    ):
        summary = sound.result(engine).collect()
        assert {metric: summary[metric].item() for metric in expected} == expected
    asking = [replace(faulty, metrics=["hit@1"], options={**faulty.options, "missing": "history"}), faulty]
    for refused_inputs in asking:
        with refusal(
            rm.DataError, "No list is in both the recommendations and the history", "rm.Input(history, cold_start=True)"
        ):
            refused_inputs.result(engine).collect()


def test_a_history_that_where_or_a_day_empties_is_refused_with_this_cause(engine: Engine) -> None:
    recs = pl.DataFrame({"day": [1], "user": [1], "item": ["a"], "rank": [1]})
    history = pl.DataFrame({"day": [2], "user": [1], "item": ["a"]})
    causes: dict[str, dict[str, Any]] = {
        "no row is earlier than a 'day' of the recommendations": {"history_until": "day"},
        "no row with ids meets the conditions of where": {"where": "history: item = 'z'"},
    }
    for cause, options in causes.items():
        result = flat.evaluate(
            engine.give(recs), engine.give(recs.drop("rank")), "unseen@1", history=engine.give(history), **options
        )
        with refusal(rm.DataError, f"There is no history: {cause}", case=cause):
            result.collect()


@each_engine
def test_a_history_until_a_day_refuses_days_whose_text_is_not_an_iso_date(engine: Engine) -> None:
    recs = pl.DataFrame({"day": ["2024-01-10"], "user": [1], "item": ["a"], "rank": [1]})
    for days, sample in ((["2024-01-08"], None), (["2024-1-8"], "'2024-1-8'"), (["10.01.2024"], "'10.01.2024'")):
        history = pl.DataFrame({"day": days, "user": [1], "item": ["a"]})
        options = {"history": engine.give(history), "history_until": "day"}
        result = flat.evaluate(engine.give(recs), engine.give(recs.drop("rank")), "unseen@1", **options)
        if sample is None:
            assert result.collect()["unseen@1"].to_list() == [0]
            continue
        with refusal(rm.DataError, f"column 'day' of the history is text with {sample}", case=sample):
            result.collect()


def test_a_history_without_rows_is_of_new_users_or_refused_with_the_way_out(engine: Engine) -> None:
    faulty = FAULTY["no list in common with the history"]
    history = faulty.options["history"].clear()
    empty = replace(faulty, metrics=["unseen@2", "precision@2", "surprisal@2"], options={"history": history})
    new_users = replace(empty, options={"history": history, "cold_start": True}).result(engine).collect()
    assert new_users.select("unseen@2", "precision@2", "surprisal@2").row(0) == (1.0, 1 / 3, None)
    with refusal(
        rm.DataError, "There is no history", "If all lists are of new users, set rm.Input(history, cold_start=True)"
    ):
        empty.result(engine).collect()
    for kind in (pl.String, pl.Null):
        of_kind = replace(empty, options={"history": history.cast(kind), "cold_start": True})
        with refusal(
            rm.ColumnError,
            "the history",
            "cast its ids all the same, and set rm.Input(history, cold_start=True)",
            case=kind,
        ):
            of_kind.result(engine)


# --- the check --------------------------------------------------------------------------------------------------------


def test_check_returns_the_faults_that_evaluate_refuses_with_samples() -> None:
    summaries = {fault.name: fault.summary for fault in catalog().all("check")}
    for inputs, faulty in MANY_FAULTS.items():
        result = faulty.result(DUCKDB)
        totals = dict(DUCKDB.read(result.account()).group_by("account").agg(pl.col("n").sum()).iter_rows())
        possible = checks_of(result.layout, required_of(result.metrics, result._checked.duplicates, result.layout))
        expected = {fault.name for fault in possible if fault.is_in(totals)}
        rows = faults(result)
        assert {row["fault"] for row in rows} == expected, inputs
        assert all(row["what"] == summaries[row["fault"]] for row in rows), inputs
        shown = [" | ".join(map(str, row)).strip() for row in _rows_of_duckdb(inputs, "")]
        assert shown == CHECKED[inputs].strip().splitlines() if inputs in CHECKED else FAULTY[inputs].fault in expected


def _rows(faulty: Faulty, engine: Engine) -> list[tuple[str, int, str]]:
    """The fault, count and samples of each row of the check; a rank may be written as 2 or as 2.0."""
    return [(row["fault"], row["n"], row["sample"].replace(".0", "")) for row in faults(faulty.result(engine))]


@cache
def _rows_of_duckdb(inputs: str, without: str) -> list[tuple[str, int, str]]:
    """The rows of the check on DuckDB, over inputs as they are or as an engine that lacks something holds them."""
    like = next((engine for engine in OTHERS if engine.name == without), DUCKDB)
    return _rows(possible_on(like, MANY_FAULTS[inputs]), DUCKDB)


def _lacking(engine: Engine) -> set[str]:
    """The faults that the inputs of an engine cannot have."""
    embeddings = {"embeddings_unequal", "no_item_with_embedding"} if "embedding_diversity" in engine.lacks else set()
    return embeddings | ({"ratings_infinite"} if engine.name == "mariadb" else set())


@pytest.mark.parametrize("engine", with_long_databases(ENGINES), ids=repr)
def test_check_finds_every_fault_on_every_engine_and_the_guard_raises_one(engine: Engine) -> None:
    need(engine)
    names = set[str]()
    for inputs, faulty in MANY_FAULTS.items():
        possible = possible_on(engine, faulty)
        rows = _rows(possible, engine)
        assert rows == _rows_of_duckdb(inputs, engine.name if _lacking(engine) else ""), inputs
        names |= {name for name, *_ in rows}
        if can_raise(engine):
            _assert_guarded(engine, possible, {name for name, *_ in rows}, inputs)
    assert {faulty.fault for faulty in FAULTY.values()} - names == _lacking(engine)
    sound = SOUND.result(engine)
    assert faults(sound) == []
    if can_raise(engine):
        for per_list in (False, True):
            guarded, plain = (numbers(sound, is_guarded=is_guarded, per_list=per_list) for is_guarded in (True, False))
            assert_frame_equal(guarded, plain, check_row_order=False)


def _assert_guarded(engine: Engine, faulty: Faulty, names: set[str], inputs: str) -> None:
    """Assert that the guarded queries raise an error of the engine that names one of these faults."""
    for per_list in (False, True) if inputs == "nothing in common" else (inputs == "empty inputs",):
        if engine.name == "spark" and per_list and inputs == "empty inputs":
            # Spark drops the condition of a query without rows
            assert numbers(faulty.result(engine), is_guarded=True, per_list=True).is_empty()
            continue
        with pytest.raises(rm.EngineError) as caught:
            numbers(faulty.result(engine), is_guarded=True, per_list=per_list)
        said = f"{caught.value.reason} {caught.value.__cause__}"  # Spark gives its reason further down
        assert [name for name in names if f"rankmetrics: {name}: " in said], f"{inputs}: {said}"


@pytest.mark.parametrize("name", CHECKED)
def test_the_check_of_tables_that_nobody_looks_at_returns_the_same_faults(name: str) -> None:
    sqlite = next(engine for engine in OTHERS if engine.name == "sqlite")
    faulty = possible_on(sqlite, MANY_FAULTS[name])  # a text over tables that nobody looks at has no embeddings
    inputs = {name: frame for name, frame in faulty.options.items() if isinstance(frame, pl.DataFrame)}
    options: dict[str, Any] = {name: name for name in inputs}
    named: dict[str, str] = {role: role for role in ("rating", "propensity") if role in faulty.truth.columns}
    options["truth_columns"] = rm.Columns(**named)  # type: ignore[arg-type]
    options |= {name: value for name, value in faulty.options.items() if name not in inputs}
    if "items" in inputs:
        options["extra_columns"] = {"items": rm.Columns(category="category", popularity="popularity")}
    text = flat.to_sql("recs", "truth", faulty.metrics, lists="user", dialect="duckdb", form="check", **options)
    with duckdb.connect() as connection:
        for table, frame in {"recs": faulty.recs, "truth": faulty.truth, **inputs}.items():
            connection.from_arrow(frame.to_arrow()).create(table)
        found = [(row[0], row[1], row[2].replace(".0", "")) for row in connection.execute(text).fetchall()]
    assert found == _rows_of_duckdb(name, "sqlite")


def test_a_rank_beyond_all_whole_numbers_is_a_row_of_the_check_and_no_error() -> None:
    recs = CHECK_RECS.with_columns(rank=pl.Series([1.0, 1e300, 1.0, float("nan")]))
    (broken,) = [row for row in faults(rm.evaluate(recs, CHECK_TRUTH, "hit@1")) if row["fault"] == "ranks_not_whole"]
    assert broken["n"] == 2
    assert broken["sample"].startswith("user = 1, item = 8, rank = 1e")


def test_ranks_from_0_are_sound_where_they_are_said_to_start_there() -> None:
    recs = CHECK_RECS.with_columns(rank=pl.col("rank") - 1)
    assert faults(rm.evaluate(rm.Input(recs, rank_from=0), CHECK_TRUTH, "hit@1")) == []
    repeated = recs.with_columns(rank=pl.Series([0, 0, 0, 1]))
    (row,) = faults(rm.evaluate(rm.Input(repeated, rank_from=0), CHECK_TRUTH, "hit@1"))
    assert (row["fault"], row["n"], row["sample"]) == ("ranks_repeated", 1, "user = 1, rank = 0")


def test_a_check_of_a_partition_reads_that_partition_alone() -> None:
    days = pl.DataFrame({"day": [1, 2]})
    recs = days.join(CHECK_RECS, how="cross").with_columns(rank=pl.col("rank") - (pl.col("day") - 1))
    with duckdb.connect() as connection:
        connection.from_arrow(recs.to_arrow()).create("recs")
        connection.from_arrow(days.join(CHECK_TRUTH, how="cross").to_arrow()).create("truth")
        options: dict[str, Any] = {"lists": ["day", "user"], "dialect": "duckdb", "form": "check"}
        texts = [flat.to_sql("recs", "truth", "hit@1", where={"day": day}, **options) for day in (1, 2)]
        of_day = [connection.execute(text).fetchall() for text in texts]
    assert [[row[:3] for row in rows] for rows in of_day] == [
        [],
        [("ranks_not_from_1", 2, "day = 2, user = 1; day = 2, user = 2")],
    ]


def test_a_list_column_may_be_called_as_a_column_of_the_check() -> None:
    names = {"user": "fault"}
    recs = CHECK_RECS.with_columns(rank=pl.col("rank") + 1).rename(names)
    (row,) = faults(rm.evaluate(recs, CHECK_TRUTH.rename(names), "hit@1", lists=["fault"]))
    assert (row["fault"], row["n"], row["sample"]) == ("ranks_not_from_1", 2, "fault = 1; fault = 2")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_writes_a_check(dialect: str) -> None:
    text = rm.to_sql(
        "recs", rm.Input("truth", columns=rm.Columns()), "hit@1", lists="user", dialect=dialect, form="check"
    )
    assert all(heading in text.lower() for heading in HEADINGS)
    assert all(f"'{one}'" in text for one in ("ranks_repeated", "no_truth", "no_list_in_common"))


# --- the guard --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["table", "incremental"])
def test_a_guarded_statement_writes_nothing_on_a_bad_day(form: Any) -> None:
    options: dict[str, Any] = {"lists": ["day", "user"], "by": ["day"], "dialect": "duckdb", "name": "board"}
    recs, truth = (one.with_columns(day=pl.lit(1, pl.Int64)) for one in (CHECK_RECS, CHECK_TRUTH))
    with duckdb.connect() as connection:
        connection.from_arrow(recs.to_arrow()).create("recs")
        connection.from_arrow(truth.to_arrow()).create("truth")
        if form == "incremental":
            options["where"] = {"day": 1}
            connection.execute('CREATE TABLE board (day BIGINT, n_lists BIGINT, "hit@1" DOUBLE)')
        text = flat.to_sql("recs", rm.Input("truth", columns=rm.Columns()), "hit@1", form=form, guarded=True, **options)
        connection.execute("UPDATE recs SET rank = rank - 1")
        with pytest.raises(duckdb.Error, match="rankmetrics: ranks_not_from_1: The ranks of some lists"):
            connection.execute(text)
        if form == "incremental":  # a transaction, which its caller rolls back
            connection.execute("ROLLBACK")
        found = connection.execute("SELECT COUNT(*) FROM duckdb_tables() WHERE table_name = 'board'").fetchone()
        assert found == (int(form == "incremental"),)
        connection.execute("UPDATE recs SET rank = rank + 1")
        connection.execute(text)
        assert connection.execute("FROM board").fetchall() == [(1, 2, 0.5)]


def test_a_guard_is_refused_where_no_query_can_raise_an_error() -> None:
    for dialect in ("mysql", "sqlite", "polars"):
        with refusal(rm.DialectError, "guarded=True", dialect, 'form="check"', "'postgres'"):
            rm.to_sql("recs", "truth", "hit@1", lists="user", dialect=dialect, guarded=True)


def test_a_check_that_is_guarded_and_repeats_that_nothing_looks_for_are_refused() -> None:
    with refusal(rm.InputError, "guarded=True", 'form="check"'):
        rm.to_sql("recs", "truth", "hit@1", lists="user", dialect="duckdb", form="check", guarded=True)
    with refusal(rm.InputError, 'duplicates="error"', "guarded=True", 'form="check"'):
        rm.to_sql("recs", "truth", "hit@1", lists="user", dialect="duckdb", duplicates="error")


# --- docs/warehouse-checks.md -----------------------------------------------------------------------------------------


def test_the_example_of_the_page_is_what_the_check_returns() -> None:
    recs = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 7], "rank": [0, 1, 0]})
    truth = pl.DataFrame({"user": [1, 2], "item": [8, 7], "stars": [1.0, float("inf")]})
    rated = rm.Columns(rating="stars")
    text = rm.to_sql("recs", rm.Input("truth", columns=rated), "ndcg@10", lists="user", dialect="duckdb", form="check")
    with duckdb.connect() as connection:
        connection.from_arrow(recs.to_arrow()).create("recs")
        connection.from_arrow(truth.to_arrow()).create("truth")
        rows = connection.execute(text).fetchall()
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    (shown,) = re.findall("<!-- example -->\n(.*?)\n<!-- /example -->", PAGE, re.DOTALL)
    assert shown.splitlines()[2:] == lines


def test_the_page_names_every_count() -> None:
    assert re.findall(r"(?m)^\| `(\w+)` \| `n_", PAGE) == [*COUNTS]
