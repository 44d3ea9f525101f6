"""rm.sklearn_scorer: a metric as a scorer of scikit-learn, for cross-validation and the search of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankmetrics.api import evaluate
from rankmetrics.errors import InputError, MetricError, names
from rankmetrics.inputs.columns import Ties
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import Metric, read_metrics

# The methods of an estimator that return scores; the first that it has is called, as by the scorers of scikit-learn.
SCORING = ("decision_function", "predict_proba", "predict")


@dataclass(frozen=True)
class Scorer:
    """A metric that scikit-learn takes as `scoring=`; `sklearn_scorer` makes it."""

    metric: Metric
    groups: str | None
    convention: str | None
    ties: Ties | None

    def __call__(self, estimator: Any, X: Any, y: Any, groups: Any = None) -> float:  # noqa: N803  # scikit-learn's name
        """The metric of the estimator's scores for rows of X; the negative of a metric whose low values are better."""
        import polars as pl

        ids = groups if self.groups is None else _column(X, self.groups)
        if ids is None:
            raise said(InputError, "no_groups_of_rows")
        rows = {"query": pl.Series(values=ids), "item": range(len(y))}
        recs = pl.DataFrame({**rows, "score": pl.Series(values=_scores(estimator, X))})
        truth = pl.DataFrame({**rows, "rating": pl.Series(values=y)})
        result = evaluate(recs, truth, {"value": self.metric}, convention=self.convention, ties=self.ties)
        value = result.collect()["value"].item()
        return float("nan") if value is None else -value if self.metric.better == "lower" else value

    def get_metadata_routing(self) -> Any:
        """What scikit-learn passes to the scorer if its metadata routing is enabled: the groups."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        if self.groups is None:
            request.score.add_request(param="groups", alias=True)
        return request


def sklearn_scorer(
    metric: str | Metric, *, groups: str | None = None, convention: str | None = None, ties: Ties | None = None
) -> Scorer:
    """A scorer of scikit-learn, for `scoring=` of `cross_val_score`, `GridSearchCV` and others.

    The rows of a group, such as a query, are a list: they are ranked by the estimator's `decision_function`, its
    probability of the second of two classes, or `predict`. The value is the mean over the groups of the rows that
    scikit-learn passes. The labels are the ratings.

    Args:
        metric: one metric that reads the recommendations and the truth only, such as `"ndcg@10"`. The scorer returns
            the negative of a metric whose low values are better. For several metrics, give scikit-learn several
            scorers: `scoring={"ndcg": ..., "mrr": ...}`.
        groups: the name of a column of `X`, or of a level of the index of a pandas frame, which estimators do not see.
            None: the groups are passed by scikit-learn, with
            `sklearn.set_config(enable_metadata_routing=True)`: `cross_val_score(..., params={"groups": ids})` or
            `GridSearchCV(...).fit(X, y, groups=ids)`.
        convention: as in evaluate.
        ties: as in evaluate.

    Returns:
        A callable `(estimator, X, y)`, which returns a number: NaN if the metric is undefined for every group.

    Raises:
        MetricError: the metric is unknown or reads other inputs, there are several, or neither high nor low values of
            it are better.
        InputError: when it is called, there is no such column, no groups were passed, or there are several scores.

    Example:
        >>> import pandas as pd
        >>> import rankmetrics as rm
        >>> class ByPrice:
        ...     def predict(self, X):
        ...         return -X["price"]
        >>> X = pd.DataFrame({"query_id": [1, 1, 1, 2, 2], "price": [5.0, 7.0, 9.0, 4.0, 3.0]})
        >>> scorer = rm.sklearn_scorer("rr", groups="query_id")
        >>> scorer(ByPrice(), X, [0, 1, 0, 0, 1])
        0.75
    """
    metrics = read_metrics(metric, convention)
    if len(metrics) > 1:
        raise MetricError(f"A scorer has one metric, and these are {len(metrics)}: give each a scorer of its own.")
    if metrics[0].better == "neither":
        raise MetricError(f"Neither high nor low values of {metrics[0]} are better: no search can go by them.")
    if needs := catalog().needs(metrics[0].name, metrics[0].values):
        raise MetricError(f"{metrics[0]} reads {names(needs)}, and a scorer has recommendations and truth only.")
    return Scorer(metrics[0], groups, convention, ties)


def _column(X: Any, name: str) -> Any:  # noqa: N803
    """A column of a frame, or a level of its index."""
    columns, levels = [*getattr(X, "columns", ())], [*getattr(getattr(X, "index", None), "names", ())]
    if name in levels:
        return X.index.get_level_values(name)
    if name not in columns:
        found = [each for each in (*columns, *levels) if each is not None]
        raise said(InputError, "no_column_of_groups", name=name, kind=type(X).__name__, found=found)
    return X[name]


def _scores(estimator: Any, X: Any) -> Any:  # noqa: N803
    """One score for each row."""
    method = next((name for name in SCORING if hasattr(estimator, name)), "predict")
    scores = getattr(estimator, method)(X)
    shape: Sequence[int] = getattr(scores, "shape", ())
    if len(shape) < 2:
        return scores
    if shape[1] != 2 or method != "predict_proba":
        raise said(InputError, "scores_of_classes", method=method, n=shape[1])
    return scores[:, 1]
