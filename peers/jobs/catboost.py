"""CatBoost's ranking metrics over labels and scores: of each group alone, and of all."""

from __future__ import annotations

from collections.abc import Iterator

from catboost.utils import eval_metric

from peers.job import CUTOFFS, Problem, Values

METRICS = {
    "NDCG": ("", "type=Exp", "denominator=Position", "type=Exp;denominator=Position"),
    "DCG": ("", "type=Exp", "denominator=Position"),
    "MAP": ("", "border=2"),
    "MRR": ("", "border=2"),
    "PrecisionAt": ("", "border=2"),
    "RecallAt": ("", "border=2"),
    "ERR": ("",),
    "PFound": ("", "decay=0.5"),
}
# These take a label as a probability. Of labels above 1, it returns numbers above 1.
OF_PROBABILITIES = ("ERR", "PFound")


def measured(problem: Problem) -> Iterator[Values]:
    groups: dict[str, list[tuple[float, float]]] = {}
    for row in problem.rated:
        groups.setdefault(row["user"], []).append((row["rating"], row["score"]))
    are_probabilities = all(0 <= label <= 1 for rows in groups.values() for label, _ in rows)
    for metric, settings in METRICS.items():
        if metric in OF_PROBABILITIES and not are_probabilities:
            continue
        for setting in settings:
            for top in (None, *CUTOFFS):
                options = ";".join(filter(None, (f"top={top}" if top else "", setting)))
                called = f"{metric}:{options}" if options else metric
                values = {user: _value(called, {user: rows}) for user, rows in groups.items()}
                yield setting, metric, top, {None: _value(called, groups), **values}


def _value(metric: str, groups: dict[str, list[tuple[float, float]]]) -> float:
    """The value of a metric over groups."""
    rows = [(number, *row) for number, of_group in enumerate(groups.values()) for row in of_group]
    ids, labels, scores = zip(*rows, strict=True)
    return float(eval_metric(list(labels), list(scores), metric, group_id=list(ids))[0])


def of(metric: str, labels: list[float], scores: list[float]) -> float:
    """The value of a metric over one group."""
    return _value(metric, {"": list(zip(labels, scores, strict=True))})


# What the calls of its page name.
NAMES = {"of": of}
