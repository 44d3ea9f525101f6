"""evidently's reports on recommendations, of frames with a rank."""

from __future__ import annotations

from functools import cache

import polars as pl

from tests.fidelity.library import LeftOut, Library, Row, data, rated_if_listed

# What each setting is here; NDCG has gains, and min_rel_score takes them away.
SETTINGS = {
    "no_feedback_users=True": ("enough=any", "undefined=zero"),
    "min_rel_score=2": ("rel=2",),
    "beta=2": ("beta=2",),
}


def _evidently(metric: str, setting: str, k: int | None) -> str:
    """A metric of evidently.metrics."""
    inside = SETTINGS.get(setting.partition(",")[0], ())
    if metric == "NDCG" and inside == ("rel=2",):
        inside = (*inside, "gain=binary", "relevance=rated")
    if metric == "FBetaTopK" and "enough=any" in inside:
        inside = ("over=all",)
    return f"{metric}({', '.join(inside)})@{k}" if inside else f"{metric}@{k}"


@cache
def _lists(problem: str) -> list[list[float]]:
    """The ratings of each list of a problem, in order; 0 of an item that the truth does not have."""
    recs, truth = (data(name).filter(problem=problem) for name in ("recs", "truth"))
    rated = recs.join(truth, on=["user", "item"], how="left").filter(pl.col("item").is_not_null()).sort("user", "rank")
    return [list(one["rating"].fill_null(0.0)) for _, one in rated.group_by("user")]


def _has_short_list(row: Row) -> bool:
    """Whether a list of the problem has fewer items than the cutoff."""
    return row["user"] is None and any(len(ratings) < row["k"] for ratings in _lists(row["problem"]))


def _has_short_list_with_hit_last(row: Row) -> bool:
    """Whether a list of the problem has fewer items than the cutoff, and its last item is relevant."""
    lists, least = _lists(row["problem"]), 2 if row["setting"].startswith("min_rel_score=2") else 0.01
    return row["user"] is None and any(len(ratings) < row["k"] and ratings[-1] >= least for ratings in lists)


def _items() -> pl.DataFrame:
    """The features of each item as an embedding."""
    return data("features").select("item", embedding=pl.concat_list(pl.col("f0", "f1").cast(pl.Float64)))


LIBRARY = Library(
    "evidently",
    "evidently",
    "evidently",
    _evidently,
    ranked=True,
    extras=("history",),
    computed={"items": _items},
    left_out=(
        LeftOut(
            "A short list adds its last item again at each later rank up to the cutoff.",
            metrics=["MAP"],
            lists="means over lists, one of which is shorter than the cutoff and ends with a hit",
            where=_has_short_list_with_hit_last,
        ),
        LeftOut(
            "It divides by k, also if lists are shorter.",
            metrics=["Personalization"],
            lists="problems with a list that is shorter than the cutoff",
            where=_has_short_list,
        ),
        LeftOut(
            "It is NaN if precision and recall are 0.",
            metrics=["FBetaTopK"],
            lists="lists and problems without a hit",
            where=lambda row: row["value"] is None,
        ),
        LeftOut(
            "Users without a target above 0 are left out; here users with a negative target count.",
            metrics=["NDCG"],
            problems=["negative ratings"],
            settings=[""],
        ),
        LeftOut(
            "It counts each repeat of an item once more, as a hit and as a relevant item.",
            problems=["repeated items"],
            metrics=["PrecisionTopK", "RecallTopK", "FBetaTopK", "MAP", "NDCG"],
        ),
    ),
    prepare=rated_if_listed,
)
