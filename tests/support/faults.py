"""Inputs with each fault of sql/faults, and the queries for faults as every engine runs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

import rankmetrics as rm
from rankmetrics.export.statements import Statement
from rankmetrics.faults.fault_query import HEADINGS
from tests.support.engines import Engine
from tests.support.extra_inputs import BASELINE, HISTORY, RECS, TRUTH
from tests.support.misleading import BROKEN, FIVE, FIVE_TRUE, LONG, LONG_TRUE

OTHERS = pl.DataFrame({"item": ["x", "y", "z"]})


@dataclass(frozen=True)
class Faulty:
    """Inputs with a fault.

    Attributes:
        fault: the name of the fault, which is the one that evaluate refuses.
        recs, truth: the recommendations and the truth.
        metrics: the metrics to ask for.
        options: what evaluate is given beside; frames are inputs.
        sample: a key that the sample names; empty where the fault has no sample.
    """

    fault: str
    recs: pl.DataFrame
    truth: pl.DataFrame
    metrics: Any = "recall@2"
    options: Mapping[str, Any] = field(default_factory=dict)
    sample: str = ""

    def result(self, engine: Engine) -> rm.Result:
        """The Result over these inputs."""
        given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in self.options.items()}
        given |= engine.options
        return rm.evaluate(engine.give(self.recs), engine.give(self.truth), self.metrics, **given)


# The fault of each input of tests/support/misleading.py, and a key of its sample.
FAULT_OF: Mapping[str, tuple[str, str]] = {
    "no list in common": ("no_list_in_common", "recommendations: user = 1; user = 2; user = 3; truth: user = 101"),
    "under 1 % of the lists in common": ("no_list_in_common", "truth: user = 199; user = 200; user = 201"),
    "no item in common": ("no_item_in_common", "recommendations: item = 10; item = 20; item = 30; truth: item = 11"),
    "ranks from 0": ("ranks_not_from_1", "user = 1; user = 2; user = 3"),
    "ranks from 2": ("ranks_not_from_1", "user = 1; user = 2; user = 3"),
    "a rank repeated": ("ranks_repeated", "user = 1, rank = 2"),
    "a rank repeated after a gap": ("ranks_repeated", "user = 1, rank = 7"),
    "a rank repeated beyond the cutoff": ("ranks_repeated", "user = 1, rank = 3"),
    "a rank repeated, another left out, their number and sum right": (
        "ranks_repeated",
        "user = 1, rank = 2; user = 1, rank = 5",
    ),
    "ranks repeated, their number, last, sum and sum of squares right": (
        "ranks_repeated",
        "user = 1, rank = 1; user = 1, rank = 5; user = 1, rank = 6",
    ),
    "a NULL rank": ("ranks_missing", "user = 1; user = 2; user = 3"),
    "lists without any rank": ("ranks_missing", "user = 1; user = 2"),
    "an infinite rating": ("ratings_infinite", "user = 3, item = 30; user = 5, item = 50"),
    "no recommendations": ("no_recommendations", ""),
    "no truth": ("no_truth", ""),
    "nothing at all": ("no_recommendations", ""),
    "recommendations without an id": ("no_recommendations", ""),
    "recommendations repeated": ("recommendations_repeated", "user = 1; user = 2; user = 3"),
    "truth repeated": ("truth_repeated", "user = 1; user = 2; user = 3"),
}

FAULTY: dict[str, Faulty] = {
    name: Faulty(*FAULT_OF[name][:1], recs, truth, options=asked, sample=FAULT_OF[name][1])
    for name, (recs, truth, asked, _) in BROKEN.items()
}
FAULTY |= {
    "ranks with a fraction": Faulty(
        "ranks_not_whole",
        FIVE.with_columns(rank=pl.Series([1.0, 1.0, 1.5, 1.0, 1.0])),
        FIVE_TRUE,
        sample="user = 3, item = 30, rank = 1.5",
    ),
    "items repeated that a metric refuses": Faulty(
        "recommendations_repeated",
        pl.concat([FIVE, FIVE.with_columns(rank=pl.lit(2, pl.Int64))]),
        FIVE_TRUE,
        rm.parse("recall(duplicates=refused)@2"),
        sample="user = 1; user = 2; user = 3",
    ),
    "no history": Faulty("no_history", RECS, TRUTH, "unseen@2", {"history": HISTORY.clear()}),
    "no baseline": Faulty("no_baseline", RECS, TRUTH, "rbo@2", {"baseline": BASELINE.clear()}),
    "no list in common with the history": Faulty(
        "no_list_in_history",
        RECS,
        TRUTH,
        "unseen@2",
        {"history": HISTORY.with_columns(user=pl.col("user") + 10)},
        "recommendations: user = 1; user = 2; history: user = 11; user = 12; user = 14",
    ),
    "no list in common with the baseline": Faulty(
        "no_list_in_baseline",
        RECS,
        TRUTH,
        "rbo@2",
        {"baseline": BASELINE.with_columns(user=pl.col("user") + 10)},
        "recommendations: user = 1; user = 2; baseline: user = 11; user = 12",
    ),
    "no item in the catalogue": Faulty(
        "no_item_in_catalog",
        RECS,
        TRUTH,
        "coverage@2",
        {"catalog": OTHERS},
        "recommendations: item = a; item = b; item = c; catalog: item = x; item = y; item = z",
    ),
    "no item with a category": Faulty(
        "no_item_with_category",
        RECS,
        TRUTH,
        "categorical_diversity@2",
        {"items": OTHERS.with_columns(category=pl.lit("s"))},
        "recommendations: item = a; item = b; item = c; items: item = x",
    ),
    "no item with a popularity": Faulty(
        "no_item_with_popularity",
        RECS,
        TRUTH,
        "popularity@2",
        {"items": OTHERS.with_columns(popularity=5)},
        "recommendations: item = a; item = b; item = c; items: item = x",
    ),
    "no item in the similarity": Faulty(
        "no_item_in_similarity",
        RECS,
        TRUTH,
        "list_diversity@2",
        {"similarity": OTHERS.with_columns(other=pl.lit("none"), similarity=0.5)},
        "recommendations: item = a; item = b; item = c; similarity: item = ",
    ),
    "no item with an embedding": Faulty(
        "no_item_with_embedding",
        RECS,
        TRUTH,
        "embedding_diversity@2",
        {"items": OTHERS.with_columns(embedding=pl.Series([[1.0]] * 3))},
        "recommendations: item = a; item = b; item = c; items: item = x",
    ),
    "no candidate for a list": Faulty(
        "lists_without_negatives",
        RECS,
        TRUTH,
        "recall@2",
        {"candidates": pl.DataFrame({"user": [1, 1], "item": ["a", "b"]})},
        "user = 2",
    ),
    "a candidate that a list does not rank": Faulty(
        "negatives_unranked",
        RECS,
        TRUTH,
        "recall@2",
        {"candidates": pl.DataFrame({"user": [1, 2, 2], "item": ["z", "a", "b"]})},
        "user = 1",
    ),
    "embeddings of unequal length": Faulty(
        "embeddings_unequal",
        RECS,
        TRUTH,
        "embedding_diversity@2",
        {"items": pl.DataFrame({"item": ["a", "b"], "embedding": [[1.0, 1.0], [1.0]]})},
        "item = b",
    ),
}

# Inputs with each fault once, for engines that take longer.
ONE_EACH: dict[str, Faulty] = {one.fault: one for one in reversed(FAULTY.values())}

# Inputs without a fault.
SOUND = Faulty("", LONG, LONG_TRUE, ["recall@2", "ndcg@2", "personalization@2"])


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
    columns = _columns(table)
    text = statement(result, "query", is_guarded=is_guarded, per_list=per_list)
    return queries.engine.collect(queries.engine.run(text, columns))


def _columns(table: Any) -> list[str]:
    """The names of the columns of a lazy table of any kind."""
    return [*table.collect_schema()] if isinstance(table, pl.LazyFrame) else [*table.columns]
