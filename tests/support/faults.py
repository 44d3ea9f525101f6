"""Inputs with each fault of sql/faults, the message that evaluate refuses them with, and the query for faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

import rankmetrics as rm
from rankmetrics.export.statements import Statement
from rankmetrics.faults.fault_query import HEADINGS
from tests.support.engines import Engine
from tests.support.extra_inputs import BASELINE, HISTORY, RECS, TRUTH

USERS = range(1, 6)
FIVE = pl.DataFrame({"user": USERS, "item": [10, 20, 30, 40, 50], "rank": [1] * 5})
FIVE_TRUE = FIVE.drop("rank")
LONG = pl.DataFrame({"user": [*USERS] * 3, "item": range(15), "rank": [1] * 5 + [2] * 5 + [3] * 5})
LONG_TRUE = LONG.drop("rank")
MANY = pl.DataFrame({"user": range(200), "item": [10] * 200, "rank": [1] * 200})
REPEATED = pl.concat([FIVE, FIVE.with_columns(rank=pl.lit(2, pl.Int64))])
OTHERS = pl.DataFrame({"item": ["x", "y", "z"]})
SHORT_EMBEDDING = pl.DataFrame({"item": ["a", "b"], "embedding": [[1.0, 1.0], [1.0]]})

OF_FIVE = r"such as [^.]*\b1, 2, 3\b"
FIRST = "user = 1; user = 2; user = 3"
ITEMS = "recommendations: item = a; item = b; item = c; "
FROM_1 = ("ranks of 5 lists in column 'rank' do not start at 1", OF_FIVE, r"Ranks count from 1\b")
REPEATS = ("5 ranks in column 'rank' repeat within their list", OF_FIVE, "identified by user")
NO_ITEMS = ("No recommended item is in the items", "Recommendations have '", "the items have '")


@dataclass(frozen=True)
class Faulty:
    """Inputs with a fault.

    Attributes:
        fault: the name of the fault, which is the one that evaluate refuses.
        recs, truth: the recommendations and the truth.
        says: patterns that the message of evaluate matches.
        sample: a key that the sample of the check names; empty if the fault has no sample.
        metrics: the requested metrics.
        options: the other arguments of evaluate; frames are inputs.
    """

    fault: str
    recs: pl.DataFrame
    truth: pl.DataFrame
    says: tuple[str, ...] = ()
    sample: str = ""
    metrics: Any = "recall@2"
    options: Mapping[str, Any] = field(default_factory=dict)

    def result(self, engine: Engine) -> rm.Result:
        """The Result over these inputs."""
        inputs = {
            name: engine.give(value) if isinstance(value, pl.DataFrame) else value
            for name, value in self.options.items()
        }
        return rm.evaluate(engine.give(self.recs), engine.give(self.truth), self.metrics, **inputs, **engine.options)


def _extra(fault: str, metrics: Any, says: tuple[str, ...], sample: str = "", **options: Any) -> Faulty:
    """Sound recommendations and truth with a further input that has the fault."""
    return Faulty(fault, RECS, TRUTH, says, sample, metrics, options)


FAULTY: dict[str, Faulty] = {
    "no list in common": Faulty(
        "no_list_in_common",
        FIVE,
        FIVE_TRUE.with_columns(user=pl.col("user") + 100),
        (
            "No list is in both the recommendations and the truth, which share user",
            r"Recommendations have 1, 2, 3; the truth has 101, 102, 103\.",
        ),
        f"recommendations: {FIRST}; truth: user = 101",
    ),
    "under 1 % of the lists in common": Faulty(
        "no_list_in_common",
        MANY,
        MANY.drop("rank").with_columns(user=pl.col("user") + 199),
        (
            "Only 1 of 200 lists are in both the recommendations and the truth, which share user",
            r"Recommendations have 0, 1, 2; the truth has 199, 200, 201\.",
        ),
        "truth: user = 199; user = 200; user = 201",
    ),
    "no item in common": Faulty(
        "no_item_in_common",
        FIVE,
        FIVE_TRUE.with_columns(item=pl.col("item") + 1),
        (
            "No item is in both the recommendations and the truth",
            r"Recommendations have 10, 20, 30; the truth has 11, 21, 31\.",
        ),
        "recommendations: item = 10; item = 20; item = 30; truth: item = 11",
    ),
    "ranks from 0": Faulty("ranks_not_from_1", LONG.with_columns(rank=pl.col("rank") - 1), LONG_TRUE, FROM_1, FIRST),
    "ranks from 2": Faulty("ranks_not_from_1", LONG.with_columns(rank=pl.col("rank") + 1), LONG_TRUE, FROM_1, FIRST),
    "ranks from 0 that are to count as given": Faulty(
        "ranks_from_below_1",
        LONG.with_columns(rank=pl.col("rank") - 1),
        LONG_TRUE,
        ("of 5 lists in column 'rank' start below 1, such as those of 1", "rank_from=0"),
        FIRST,
        options={"ranks": "given"},
    ),
    "a rank repeated": Faulty(
        "ranks_repeated",
        LONG.with_columns(rank=pl.col("rank").clip(upper_bound=2)),
        LONG_TRUE,
        REPEATS,
        "user = 1, rank = 2",
    ),
    "a rank repeated after a gap": Faulty(
        "ranks_repeated",
        LONG.with_columns(rank=pl.col("rank").replace({2: 7, 3: 7})),
        LONG_TRUE,
        REPEATS,
        "user = 1, rank = 7",
    ),
    "a rank repeated beyond the cutoff": Faulty(
        "ranks_repeated",
        pl.concat([LONG, LONG.with_columns(item=pl.col("item") + 15, rank=pl.col("rank") + 2)]),
        LONG_TRUE,
        REPEATS,
        "user = 1, rank = 3",
    ),
    "a rank repeated, another left out, their number and sum right": Faulty(
        "ranks_repeated",
        pl.DataFrame({"user": [1] * 6, "item": range(6), "rank": [1, 2, 2, 5, 5, 6]}),
        LONG_TRUE,
        ("2 ranks in column 'rank' repeat within their list", r"such as in 1\b", "identified by user"),
        "user = 1, rank = 2; user = 1, rank = 5",
    ),
    "ranks repeated, their number, last and sum right": Faulty(
        "ranks_repeated",
        pl.DataFrame({"user": [1] * 5, "item": range(5), "rank": [1, 1, 4, 4, 5]}),
        LONG_TRUE,
        ("2 ranks in column 'rank' repeat within their list", r"such as in 1\b", "identified by user"),
        "user = 1, rank = 1; user = 1, rank = 4",
    ),
    "a NULL rank": Faulty(
        "ranks_missing",
        LONG.with_columns(rank=pl.when(pl.col("rank") < 3).then("rank")),
        LONG_TRUE,
        ("5 recommendations have no rank in column 'rank'", OF_FIVE),
        FIRST,
    ),
    "lists without any rank": Faulty(
        "ranks_missing",
        LONG.with_columns(rank=pl.when(pl.col("user") > 2).then("rank")),
        LONG_TRUE,
        ("6 recommendations have no rank in column 'rank'", r"such as in 1, 2\b"),
        "user = 1; user = 2",
    ),
    "ranks with a fraction": Faulty(
        "ranks_not_whole",
        FIVE.with_columns(rank=pl.Series([1.0, 1.0, 1.5, 1.0, 1.0])),
        FIVE_TRUE,
        sample="user = 3, item = 30, rank = 1.5",
    ),
    "an infinite rating": Faulty(
        "ratings_infinite",
        FIVE,
        FIVE_TRUE.with_columns(rating=pl.Series([1.0, 2.0, float("inf"), 1.0, float("-inf")])),
        ("2 rows of the truth have an infinite rating", "such as"),
        "user = 3, item = 30; user = 5, item = 50",
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
        ('duplicates="error"', "5 recommendations", "0 rows of the truth", "such as"),
        FIRST,
        options={"duplicates": "error"},
    ),
    "items repeated that a metric refuses": Faulty(
        "recommendations_repeated", REPEATED, FIVE_TRUE, sample=FIRST, metrics=rm.parse("recall(duplicates=refused)@2")
    ),
    "truth repeated": Faulty(
        "truth_repeated",
        FIVE,
        pl.concat([FIVE_TRUE, FIVE_TRUE]),
        ('duplicates="error"', "0 recommendations", "5 rows of the truth", "such as"),
        FIRST,
        options={"duplicates": "error"},
    ),
    "no history": _extra("no_history", "unseen@2", ("There is no history", "no row"), history=HISTORY.clear()),
    "a history without ids": _extra(
        "no_history",
        "unseen@2",
        ("There is no history", "NULL id"),
        history=HISTORY.with_columns(item=pl.lit(None, pl.String)),
    ),
    "no baseline": _extra("no_baseline", "rbo@2", ("There is no baseline", "no row"), baseline=BASELINE.clear()),
    "no list in common with the history": _extra(
        "no_list_in_history",
        "unseen@2",
        ("No list is in both the recommendations and the history, which share user", "Recommendations have", "has 1"),
        "recommendations: user = 1; user = 2; history: user = 11; user = 12; user = 14",
        history=HISTORY.with_columns(user=pl.col("user") + 10),
    ),
    "no list in common with the baseline": _extra(
        "no_list_in_baseline",
        "rbo@2",
        ("No list is in both the recommendations and the baseline, which share user", "Recommendations have", "has 1"),
        "recommendations: user = 1; user = 2; baseline: user = 11; user = 12",
        baseline=BASELINE.with_columns(user=pl.col("user") + 10),
    ),
    "no item in the catalogue": _extra(
        "no_item_in_catalog",
        "coverage@2",
        ("No recommended item is in the catalog", "Recommendations have '", "the catalog has '"),
        ITEMS + "catalog: item = x; item = y; item = z",
        catalog=OTHERS,
    ),
    "an empty catalogue": _extra(
        "no_item_in_catalog", "coverage@2", ("No recommended item", "has nothing"), catalog=OTHERS.clear()
    ),
    "no item with a category": _extra(
        "no_item_with_category",
        "categorical_diversity@2",
        NO_ITEMS,
        ITEMS + "items: item = x",
        items=OTHERS.with_columns(category=pl.lit("s")),
    ),
    "no item with a list of categories": _extra(
        "no_item_with_category", "hit@1", NO_ITEMS, items=OTHERS.with_columns(category=pl.Series([["s"]] * 3))
    ),
    "no item with a popularity": _extra(
        "no_item_with_popularity",
        "popularity@2",
        NO_ITEMS[:1],
        ITEMS + "items: item = x",
        items=OTHERS.with_columns(popularity=5),
    ),
    "no item in the similarity": _extra(
        "no_item_in_similarity",
        "list_diversity@2",
        ("No recommended item is in the similarity", "the similarity has '"),
        ITEMS + "similarity: item = ",
        similarity=OTHERS.with_columns(other=pl.lit("none"), similarity=0.5),
    ),
    "no item with an embedding": _extra(
        "no_item_with_embedding",
        "embedding_diversity@2",
        NO_ITEMS,
        ITEMS + "items: item = x",
        items=OTHERS.with_columns(embedding=pl.Series([[1.0]] * 3)),
    ),
    "embeddings of unequal length": _extra(
        "embeddings_unequal", "embedding_diversity@2", ("embedding",), "item = b", items=SHORT_EMBEDDING
    ),
    "no candidate for a list": _extra(
        "lists_without_negatives",
        "recall@2",
        (),
        "user = 2",
        candidates=pl.DataFrame({"user": [1, 1], "item": ["a", "b"]}),
    ),
    "a candidate that a list does not rank": _extra(
        "negatives_unranked",
        "recall@2",
        (),
        "user = 1",
        candidates=pl.DataFrame({"user": [1, 2, 2], "item": ["z", "a", "b"]}),
    ),
}

# Inputs without a fault.
SOUND = Faulty("", LONG, LONG_TRUE, metrics=["recall@2", "ndcg@2", "personalization@2"])

# Every fault in three evaluations, so that each engine plans only three queries.
_BEYOND = ["recall@2", "unseen@2", "rbo@2", "coverage@2", "categorical_diversity@2", "popularity@2", "list_diversity@2"]
MANY_FAULTS: dict[str, Faulty] = {
    "broken ranks, repeats, ratings, candidates and embeddings": Faulty(
        "",
        pl.DataFrame(
            {
                "user": [1, 1, 1, 2, 2, 3, 3, 4],
                "item": ["a", "b", "c", "a", "d", "a", "a", "b"],
                "rank": [1.0, 2.0, 2.0, 2.0, 3.0, 1.0, None, 1.5],
            }
        ),
        pl.DataFrame(
            {"user": [1, 1, 2, 3, 4], "item": ["b", "b", "a", "d", "b"], "rating": [1.0, 2.0, float("inf"), 1.0, 1.0]}
        ),
        metrics=["recall@2", "embedding_diversity@2"],
        options={
            "duplicates": "error",
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
            "catalog": OTHERS,
            "items": OTHERS.with_columns(category=pl.lit("s"), popularity=5, embedding=pl.Series([[1.0]] * 3)),
            "similarity": OTHERS.with_columns(other=pl.lit("none"), similarity=0.5),
        },
    ),
    "empty inputs": Faulty(
        "",
        RECS.clear(),
        TRUTH.clear(),
        metrics=["recall@2", "unseen@2", "rbo@2"],
        options={"history": HISTORY.clear(), "baseline": BASELINE.clear()},
    ),
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
        truth = truth.with_columns(rating=pl.lit(1.0))
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
    return made.text(result.metrics, result.layout, queries.tables, result.aggregates, per_list=per_list)


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
