"""The sample of negatives that a list is ranked among: how many, drawn how, from which seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rankmetrics.errors import MetricError, did_you_mean, names

By = Literal["uniform", "popularity"]

# A seed and a number of negatives are below this bound: every database holds them in its integers.
BOUND = 2**31


@dataclass(frozen=True)
class Negatives:
    """A sample of negatives per list: items of the catalogue that are neither in its truth nor in its history.

    A hash of the seed, the list and the item decides which items are drawn. So the sample is the same on every engine
    and for every system.

    Attributes:
        n: how many items are drawn for each list, from 1.
        by: `uniform` draws every item with the same chance; `popularity` draws an item with a chance in proportion to
            the number of its users, without replacement. An item without users is not drawn then.
        seed: a whole number from 0; another seed draws other items.

    Raises:
        MetricError: n or the seed is no such whole number, or there is no such `by`.

    Source:
        Efraimidis, Spirakis (2006), Weighted random sampling with a reservoir. doi:10.1016/j.ipl.2005.11.003

    Example:
        >>> Negatives(n=100, by="popularity", seed=7)
        Negatives(n=100, by='popularity', seed=7)
        >>> Negatives(n=0)
        Traceback (most recent call last):
        rankmetrics.errors.MetricError: n of Negatives must be a whole number from 1 to 2147483647: 0 is not.
    """

    n: int = 100
    by: By = "uniform"
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value < BOUND:
                raise MetricError(
                    f"{name} of Negatives must be a whole number from {least} to {BOUND - 1}: {value!r} is not."
                )
        if self.by not in get_args(By):
            near = did_you_mean(str(self.by), get_args(By))
            raise MetricError(f"by of Negatives must be one of {names(get_args(By))}: {self.by!r} is not.{near}")

    @property
    def label(self) -> str:
        """What the names of the columns say of the sample: `100 sampled`, `100 sampled by popularity`."""
        return f"{self.n} sampled" if self.by == "uniform" else f"{self.n} sampled by {self.by}"
