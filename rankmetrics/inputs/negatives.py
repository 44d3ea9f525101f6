"""The sample of negatives that a list is ranked among: how many, drawn how, from which seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, get_args

from rankmetrics.errors import MetricError, did_you_mean, names

By = Literal["uniform", "popularity"]
Estimate = Literal["as_is", "simple", "unbiased", "bias_variance"]

# A seed and a number of negatives are below this bound: every database holds them in its integers.
BOUND = 2**31


@dataclass(frozen=True, repr=False)
class Negatives:
    """A sample of negatives per list: items of the catalogue that are neither in its truth nor in its history.

    A hash of the seed, the list and the item decides which items are drawn. So the sample is the same on every engine
    and for every system.

    Attributes:
        n: how many items are drawn for each list, from 1.
        by: `uniform` draws every item with the same chance; `popularity` draws an item with a chance in proportion to
            the number of its users, without replacement. An item without users is not drawn then.
        seed: a whole number from 0; another seed draws other items.
        estimate: what the numbers are. `as_is`: the metrics of the sample. The others estimate the metrics of the full
            ranking from the rank of each relevant item among its negatives. `simple`: the metric at the expected rank.
            `unbiased`: the least squared bias, and a large variance. `bias_variance`: the least sum of squared bias and
            `gamma` times the variance.
        n_items: for an estimate, the number of items that a full ranking has: a relevant item and all its negatives.
        gamma: the weight of the variance in `bias_variance`, above 0 and up to 1.

    Raises:
        MetricError: n, the seed or n_items is not such a number, there is no such `by` or `estimate`, or a sample
            that is not uniform is to give an estimate.

    Source:
        Krichene, Rendle (2020), On sampled metrics for item recommendation. doi:10.1145/3394486.3403226
        Efraimidis, Spirakis (2006), Weighted random sampling with a reservoir. doi:10.1016/j.ipl.2005.11.003

    Example:
        >>> Negatives(n=100, by="popularity", seed=7)
        Negatives(n=100, by='popularity', seed=7)
        >>> Negatives(n=0)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rankmetrics.errors.MetricError: n of Negatives must be a whole number from 1 to 2147483647: 0 is ...
    """

    n: int = 100
    by: By = "uniform"
    seed: int = 0
    estimate: Estimate = "as_is"
    n_items: int | None = None
    gamma: float = 0.1

    def __post_init__(self) -> None:
        self._check_number("n", 1)
        self._check_number("seed", 0)
        self._check_choice("by", get_args(By))
        self._check_choice("estimate", get_args(Estimate))
        if not isinstance(self.gamma, (int, float)) or not 0 < self.gamma <= 1:
            raise MetricError(f"gamma of Negatives must be a number above 0 and up to 1: {self.gamma!r} is not.")
        if self.estimate == "as_is":
            return
        if self.by != "uniform":
            raise MetricError(
                f"An estimate is known for uniform samples only, and the sample is drawn by {self.by}: draw a uniform "
                "sample, or measure it as it is."
            )
        if self.n_items is None:
            raise MetricError(
                f"The estimate {self.estimate!r} needs n_items, the number of items that a full ranking has: "
                "Negatives(..., n_items=1682)."
            )
        self._check_number("n_items", self.n + 1)

    def _check_number(self, name: str, least: int) -> None:
        value = getattr(self, name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value < BOUND:
            raise MetricError(
                f"{name} of Negatives must be a whole number from {least} to {BOUND - 1}: {value!r} is not."
            )

    def _check_choice(self, name: str, choices: Sequence[str]) -> None:
        value = getattr(self, name)
        if value not in choices:
            near = did_you_mean(str(value), choices)
            raise MetricError(f"{name} of Negatives must be one of {names(choices)}: {value!r} is not.{near}")

    @property
    def label(self) -> str:
        """The sample in the names of columns: `100 sampled`, `100 sampled by popularity`."""
        drawn = "" if self.by == "uniform" else f" by {self.by}"
        estimate = "" if self.estimate == "as_is" else f", {self.estimate}"
        return f"{self.n} sampled{drawn}{estimate}"

    def __repr__(self) -> str:
        values = {field: getattr(self, field.name) for field in fields(self)}
        shown = [f for f, value in values.items() if f.name in ("n", "by", "seed") or value != f.default]
        return f"Negatives({', '.join(f'{field.name}={values[field]!r}' for field in shown)})"
