"""evidently's reports on recommendations, of frames with a rank or a score: over all users, and of some alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
from evidently import DataDefinition, Dataset, Report
from evidently.core.datasets import Recsys
from evidently.metrics import recsys

from peers.job import CUTOFFS, ERRORS, Problem, Values
from peers.tables import read

BY_USER = ("example", "graded", "short lists")
BY_SCORE = ("plain", "graded", "short lists")  # problems without equal scores

COLUMNS = ("user", "item", "rating")

# Metrics with a value for each cutoff up to k, and how they may be set.
CUT: Sequence[str] = ("PrecisionTopK", "RecallTopK", "FBetaTopK", "MAP", "NDCG", "MRR", "HitRate")
SETTINGS: dict[str, dict[str, Any]] = {
    "": {},
    "no_feedback_users=True": {"no_feedback_users": True},
    "min_rel_score=2": {"min_rel_score": 2},
    "beta=2": {"beta": 2.0},
}

# Metrics with one value, and how they are set.
SINGLE: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("PopularityBiasMetric", {"metric": name}) for name in ("arp", "coverage", "gini")),
    ("Personalization", {}),
    ("Novelty", {}),
)
FEATURES = ("f0", "f1")


def report(
    metrics: list[Any], rows: Any, train: Any = None, by: str = "rank", features: Sequence[str] = ()
) -> list[Any]:
    """The value of each metric in one report on a frame; `by` says whether the predictions are ranks or scores."""
    ranking = Recsys(user_id="user", item_id="item", target="rating", prediction="prediction", recommendations_type=by)
    definition = DataDefinition(ranking=[ranking], numerical_columns=[*features], categorical_columns=[])
    frame = Dataset.from_pandas(rows, data_definition=definition)
    additional = {} if train is None else {"additional_data": {"current_train_data": train}}
    return [metric["value"] for metric in Report(metrics).run(frame, None, **additional).dict()["metrics"]]


def _frame(rows: list[tuple[Any, ...]], *columns: str) -> Any:
    return pd.DataFrame(rows, columns=list(columns))


TRAIN = _frame([(row["user"], row["item"]) for row in read("history")], "user", "item")
ITEMS = _frame([(row["item"], row["f0"], row["f1"]) for row in read("features")], "item", *FEATURES)


def _called(name: str, **options: Any) -> Any:
    return getattr(recsys, name)(**options)


def measured(problem: Problem) -> Iterator[Values]:
    """What it returns for a problem; an item that the truth does not rate has the target 0."""
    listed = sorted(problem.rated, key=lambda row: (row["user"], row["rank"]))
    rows = _frame([tuple(row[name] for name in COLUMNS) for row in listed], *COLUMNS)
    shortest = int(rows.groupby("user").size().min())
    for by in ("rank", "score"):
        frame = rows.assign(prediction=[row[by] for row in listed])
        users = [None, *(dict.fromkeys(rows["user"]) if problem.name in BY_USER and by == "rank" else ())]
        for user in users if by == "rank" or problem.name in BY_SCORE else ():
            some = frame if user is None else frame[frame["user"] == user]
            for setting, name, k, value in _cut(some, by, is_alone=user is not None):
                if user is not None and k > shortest:
                    continue  # a longer list has a value at this cutoff, a shorter list an error
                with_type = "" if by == "rank" else f"recommendations_type={by}"
                yield ",".join(filter(None, (setting, with_type))), name, k, {user: value}
    frame = rows.assign(prediction=[row["rank"] for row in listed])
    for k in CUTOFFS:
        values = report([_called(name, k=k, **options) for name, options in SINGLE], frame, TRAIN)
        for (name, options), value in zip(SINGLE, values, strict=True):
            yield "", options.get("metric", name), k, {None: value}
        if set(rows["item"]) <= set(ITEMS["item"]):
            diversity = _called("Diversity", k=k, item_features=[*FEATURES])
            (value,) = report([diversity], frame.merge(ITEMS, on="item"), features=FEATURES)
            yield "", "Diversity", k, {None: value}


def _cut(rows: Any, by: str, *, is_alone: bool) -> Iterator[tuple[str, str, int, Any]]:
    """The values at each cutoff up to the longest list; a metric that raises an error has none."""
    k = min(int(rows.groupby("user").size().max()), max(CUTOFFS))
    for setting, options in SETTINGS.items():
        if is_alone and setting:
            continue
        names = ["FBetaTopK"] if "beta" in options else [name for name in CUT if not (is_alone and name == "FBetaTopK")]
        for name, value in _reported(names, {**options, "k": k}, rows, by):
            # In order of the cutoffs: the numbers in the column "rank" are one too high for NDCG and MRR.
            values = [*value["value"].values()]
            yield from ((setting, name, cutoff, values[cutoff - 1]) for cutoff in CUTOFFS if cutoff <= k)


def _reported(names: Sequence[str], options: dict[str, Any], rows: Any, by: str) -> Iterator[tuple[str, Any]]:
    """Each metric with what one report says of it; or, if the report raises an error, one report for each metric."""
    try:
        yield from zip(names, report([_called(name, **options) for name in names], rows, by=by), strict=True)
    except ERRORS:
        for name in names if len(names) > 1 else ():
            yield from _reported([name], options, rows, by)


def at(name: str, rows: list[tuple[Any, ...]], *, rank: int, **options: Any) -> float:
    """The value beside a number of the column "rank"; each row is user, item, target, score."""
    (value,) = report([_called(name, **options)], _frame(rows, *COLUMNS, "prediction"), by="score")
    return float(dict(zip(value["rank"].values(), value["value"].values(), strict=True))[rank])


def single(name: str, items: list[str], train: list[str], **options: Any) -> float:
    """A metric with one value, of a user's items, all rated 0, in order; user t has the items `train`."""
    feature = dict.fromkeys("az1", 1) | {"b": -1, "2": -1}
    rows = [("u", item, 0, rank, feature[item]) for rank, item in enumerate(items, 1)]
    known = _frame([("t", item, feature[item]) for item in train], "user", "item", "f")
    frame = _frame(rows, *COLUMNS, "prediction", "f")
    (value,) = report([_called(name, k=2, **options)], frame, known, features=("f",))
    return float(value)


# What the calls of its page name.
NAMES = {"at": at, "single": single}
