"""Microsoft's recommenders over pandas frames."""

from __future__ import annotations

from functools import partial

import polars as pl

from tests.fidelity.library import LeftOut, Library, data

# What each setting of ndcg_at_k is here; discfun_type changes nothing.
SETTINGS = {"score_type=raw": "(gain=linear)", "score_type=exp": "(gain=exponential)"}


def _recommenders(metric: str, setting: str, k: int | None) -> str:
    """A function of recommenders.evaluation.python_evaluation."""
    return f"{metric}{SETTINGS.get(setting, '')}{f'@{k}' if k else ''}"


def similarity() -> pl.DataFrame:
    """Of two items, the users who have both, over the root of the product of the users who have each."""
    history = data("profiles")
    users = pl.len().cast(pl.Float64)
    counts = history.group_by("item").agg(users.alias("n"))
    return (
        history.join(history.rename({"item": "other"}), on="user")
        .filter(pl.col("item") < pl.col("other"))
        .group_by("item", "other")
        .agg(users.alias("both"))
        .join(counts, on="item")
        .join(counts.rename({"item": "other", "n": "n_other"}), on="other")
        .select("item", "other", similarity=pl.col("both") / (pl.col("n") * pl.col("n_other")).sqrt())
    )


LIBRARY = Library(
    "recommenders",
    "recommenders",
    "recommenders",
    _recommenders,
    of_rows=True,
    computed={"history": partial(data, "profiles"), "similarity": similarity},
    left_out=(
        LeftOut(
            "It counts each repeat of an item once more, as a hit and as a relevant item; here repeats are refused.",
            problems=["repeated items"],
            metrics=["precision_at_k", "recall_at_k", "r_precision_at_k", "ndcg_at_k", "map", "map_at_k"],
        ),
        LeftOut(
            "Where no user has a hit it returns 0; here the mean of no user is undefined.",
            metrics=["r_precision_at_k"],
            lists="means over problems without a hit",
            where=lambda row: row["value"] == 0,
        ),
        LeftOut(
            "The same, where every rating is 0 and so is the ideal list.",
            problems=["nothing relevant"],
            metrics=["ndcg_at_k"],
            settings=["score_type=raw", "score_type=exp"],
            where=lambda row: row["value"] == 0,
        ),
    ),
)
