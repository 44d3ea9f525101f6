# Written by `make golden` from the files of sql/metrics.
from typing import Literal

from rankmetrics.columns import Columns as Columns
from rankmetrics.errors import ColumnError as ColumnError
from rankmetrics.errors import DataError as DataError
from rankmetrics.errors import DialectError as DialectError
from rankmetrics.errors import EngineError as EngineError
from rankmetrics.errors import InputError as InputError
from rankmetrics.errors import MetricError as MetricError
from rankmetrics.errors import RankMetricsError as RankMetricsError
from rankmetrics.evaluation import define as define
from rankmetrics.evaluation import evaluate as evaluate
from rankmetrics.evaluation import list_metrics as list_metrics
from rankmetrics.evaluation import to_sql as to_sql
from rankmetrics.explanation import explain as explain
from rankmetrics.metric import Metric as Metric
from rankmetrics.metric import parse as parse
from rankmetrics.result import Result as Result

__version__: str
__all__ = [
    "ColumnError",
    "Columns",
    "DataError",
    "DialectError",
    "EngineError",
    "InputError",
    "Metric",
    "MetricError",
    "RankMetricsError",
    "Result",
    "define",
    "evaluate",
    "explain",
    "list_metrics",
    "parse",
    "to_sql",
]

class _ap(Metric):
    """average precision: mean of the precision at each relevant item's rank. Its mean over lists is MAP."""

    def __call__(self, *, divisor: Literal["capped", "relevant", "k", "list", "hits"] = "capped", rel: float | None = None) -> Metric: ...  # type: ignore[override]

ap: _ap

class _auc(Metric):
    """area under the ROC curve within the list: share of the pairs of a hit and a miss where the hit stands first."""

    def __call__(self, *, rel: float | None = None) -> Metric: ...  # type: ignore[override]

auc: _auc

class _dcg(Metric):
    """discounted cumulative gain: sum, over the hits, of gain times discount."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "geometric"] = "log2", gain: Literal["binary", "linear", "exponential"] = "binary", p: float = 0.85, rel: float | None = None) -> Metric: ...  # type: ignore[override]

dcg: _dcg

class _err(Metric):
    """expected reciprocal rank: mean of 1 / rank over where a reader stops, who stops at a relevant item with the chance `stop`."""

    def __call__(self, *, max_rating: float = 5, rel: float | None = None, stop: Literal["binary", "graded"] = "binary") -> Metric: ...  # type: ignore[override]

err: _err

class _f_beta(Metric):
    """weighted harmonic mean of precision and recall: (1 + beta^2) P R / (beta^2 P + R); 0 where nothing was found."""

    def __call__(self, *, beta: float = 1, rel: float | None = None) -> Metric: ...  # type: ignore[override]

f_beta: _f_beta

class _hit(Metric):
    """1 if a relevant item is among the first k, 0 if not. Its mean is the hit rate."""

    def __call__(self, *, rel: float | None = None) -> Metric: ...  # type: ignore[override]

hit: _hit

class _ideal_dcg(Metric):
    """the discounted cumulative gain of the best list there is."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "geometric"] = "log2", gain: Literal["binary", "linear", "exponential"] = "binary", ideal: Literal["k", "all"] = "k", p: float = 0.85, rel: float | None = None) -> Metric: ...  # type: ignore[override]

ideal_dcg: _ideal_dcg

class _n_hits(Metric):
    """relevant items found among the first k."""

    def __call__(self, *, rel: float | None = None) -> Metric: ...  # type: ignore[override]

n_hits: _n_hits

class _n_recommended(Metric):
    """recommendations among the first k places."""

n_recommended: _n_recommended

class _n_relevant(Metric):
    """relevant items of the list, found or not."""

    def __call__(self, *, rel: float | None = None) -> Metric: ...  # type: ignore[override]

n_relevant: _n_relevant

class _ndcg(Metric):
    """normalized discounted cumulative gain: dcg as a share of the best there is."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "geometric"] = "log2", gain: Literal["binary", "linear", "exponential"] = "binary", ideal: Literal["k", "all"] = "k", p: float = 0.85, rel: float | None = None) -> Metric: ...  # type: ignore[override]

ndcg: _ndcg

class _precision(Metric):
    """share of the first k places that hold a relevant item."""

    def __call__(self, *, divisor: Literal["k", "list", "relevant"] = "k", rel: float | None = None) -> Metric: ...  # type: ignore[override]

precision: _precision

class _r_precision(Metric):
    """precision among the first R places, R being how many items are relevant (k, if that is less)."""

    def __call__(self, *, rel: float | None = None) -> Metric: ...  # type: ignore[override]

r_precision: _r_precision

class _rbp(Metric):
    """rank-biased precision: (1 - p) times the sum, over the hits, of p^(rank - 1)."""

    def __call__(self, *, p: float = 0.85, rel: float | None = None) -> Metric: ...  # type: ignore[override]

rbp: _rbp

class _recall(Metric):
    """share of the relevant items that are among the first k."""

    def __call__(self, *, divisor: Literal["relevant", "capped"] = "relevant", rel: float | None = None) -> Metric: ...  # type: ignore[override]

recall: _recall

class _rr(Metric):
    """reciprocal rank: 1 / rank of the first relevant item; 0 where none was found. Its mean is MRR."""

    def __call__(self, *, rel: float | None = None) -> Metric: ...  # type: ignore[override]

rr: _rr
