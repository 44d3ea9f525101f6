"""Four users and three lists that conventions measure differently, worked out by hand.

User 1 is given a, b, c, d, and user 2 a, c; user 4, of whom nothing is known, a, b. Relevant to user 1 are b (rated 5),
x (2) and d (0, which counts where any row of the truth does); to user 2 a (3); to user 3, who is given nothing, q (4).
Every list was ranked from 9 candidates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.conventions import find
from tests.support import flat
from tests.support.engines import Engine

RECS = pl.DataFrame(
    {
        "user": [1, 1, 1, 1, 2, 2, 4, 4],
        "item": ["a", "b", "c", "d", "a", "c", "a", "b"],
        "rank": [1, 2, 3, 4, 1, 2, 1, 2],
        "pool": [9] * 8,
    }
)
TRUTH = pl.DataFrame({"user": [1, 1, 1, 2, 3], "item": ["b", "x", "d", "a", "q"], "rating": [5.0, 2.0, 0.0, 3.0, 4.0]})


# What there is beside the truth, for the metrics that need it.
EXTRAS: Mapping[str, pl.DataFrame] = {
    "history": pl.DataFrame({"user": [1, 2, 2, 3], "item": ["a", "a", "b", "b"]}),
    "baseline": pl.DataFrame({"user": [1, 1, 2, 3], "item": ["a", "e", "c", "a"], "rank": [1, 2, 1, 1]}),
    "items": pl.DataFrame(
        {
            "item": ["a", "b", "c", "d"],
            "category": ["s", "s", "t", "t"],
            "embedding": [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 2.0]],
            "propensity": [0.5, 1.0, 0.25, 0.1],
        }
    ),
    "similarity": pl.DataFrame({"item": ["a", "a"], "other": ["b", "c"], "similarity": [0.5, 0.25]}),
    "catalog": pl.DataFrame({"item": ["a", "b", "c", "d", "e", "x"]}),
}


def result(
    engine: Engine, metrics: Any, recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any
) -> rm.Result:
    given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in options.items()}
    return flat.evaluate(engine.give(recs), engine.give(truth), metrics, **given)


def means(engine: Engine, metrics: Any, *frames: pl.DataFrame, **options: Any) -> dict[str, Any]:
    """The one row of a summary, without the number of lists."""
    (row,) = engine.read(result(engine, metrics, *frames, **options).summary()).to_dicts()
    del row["n_lists"]
    return row


def lists(engine: Engine, metrics: Any, *frames: pl.DataFrame, **options: Any) -> list[tuple[Any, ...]]:
    return engine.read(result(engine, metrics, *frames, **options).per_list()).sort("user").rows()


def counted(engine: Engine, found: rm.Result) -> dict[str, int]:
    return dict(engine.read(found.account()).select("account", "n").iter_rows())


def about(values: Mapping[str, float | None]) -> dict[str, object]:
    return {name: None if one is None else pytest.approx(one, rel=1e-12) for name, one in values.items()}


# --- one number, however it is asked for ------------------------------------------------------------------------------

# Precision at 4, as each convention calls it: user 1 has two hits in four places, one of them rated 0; user 2 one hit,
# in two places of four; user 3 no list, user 4 no truth.
PRECISION: Mapping[str, tuple[str, float]] = {
    "beir": ("P", (1 / 4 + 1 / 4) / 2),
    "capri": ("precisionk", (2 / 4 + 1 / 2) / 2),
    "catboost": ("PrecisionAt", (1 / 4 + 1 / 2 + 0) / 3),
    "cornac": ("Precision", (1 / 4 + 1 / 4) / 2),
    "elliot": ("Precision", (2 / 4 + 1 / 4) / 2),
    "evidently": ("PrecisionTopK", (1 / 4 + 1 / 2) / 2),
    "ir_measures": ("P", (1 / 4 + 1 / 4 + 0) / 3),
    "lenskit": ("Precision", (2 / 4 + 1 / 2 + 0) / 3),
    "lenskit-0.14": ("precision", (2 / 4 + 1 / 4 + 0) / 3),
    "lenskit-0.14-lists": ("precision", (2 / 4 + 1 / 2) / 2),
    "lenskit-2026": ("Precision", (2 / 4 + 1 / 2 + 0) / 3),
    "lightfm": ("precision_at_k", (2 / 4 + 1 / 4) / 2),
    "mlflow": ("precision_at_k", (1 / 4 + 1 / 2 + 0) / 3),
    "mteb": ("precision", (1 / 4 + 1 / 4) / 2),
    "napkinxc": ("precision_at_k", (1 / 4 + 1 / 4 + 0) / 3),
    "pyterrier": ("P", (1 / 4 + 1 / 4 + 0) / 3),
    "ragas": ("id_based_context_precision", (1 / 4 + 1 / 2) / 2),
    "ranx": ("precision", (1 / 4 + 1 / 4 + 0) / 3),
    "recbole": ("Precision", (2 / 4 + 1 / 4) / 2),
    "recometrics": ("P", (2 / 4 + 1 / 4) / 2),
    "recommenders": ("precision_at_k", (2 / 4 + 1 / 4) / 2),
    "recommenders-spark": ("precision_at_k", (2 / 4 + 1 / 4) / 2),
    "recpack": ("PrecisionK", (1 / 4 + 1 / 4 + 0) / 3),
    "rectools": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
    "replay": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
    "replay-0.10": ("Precision", (2 / 4 + 1 / 2 + 0) / 3),
    "replay-0.11": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
    "replay-0.12": ("Precision", (2 / 4 + 1 / 4 + 0) / 3),
    "sentence-transformers": ("precision", (1 / 4 + 1 / 4 + 0) / 3),
    "spark": ("precisionAt", (1 / 4 + 1 / 4 + 0) / 3),
    "surprise": ("precision_at_k", (1 / 4 + 0 + 0) / 3),
    "torchmetrics": ("RetrievalPrecision", (1 / 4 + 1 / 4 + 0) / 3),
    "trec_eval": ("P", (1 / 4 + 1 / 4) / 2),
    "trulens": ("precision_at_k", (2 / 4 + 1 / 2) / 2),
    "warprec": ("Precision", (1 / 4 + 1 / 4) / 2),
    "xgboost": ("pre", (1 / 4 + 1 / 2 + 0) / 3),
}


# A metric under a convention that refuses repeated items is compared with each of them counted once.
COMPARED: Mapping[str, str] = {
    name: f"{theirs}{'(duplicates=once)' if find(name).policies.get('duplicates') == 'refused' else ''}@4"
    for name, (theirs, _) in PRECISION.items()
}


# --- f_beta -----------------------------------------------------------------------------------------------------------


def harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0
