"""The share of 95 % intervals that contain the mean: `python -m tests.support.coverage` writes it into the docs.

The shares of independent hits are exact, the others are of generated lists. A cluster is a user with 1 to 5 lists,
whose values are correlated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from tests import ROOT
from tests.support.twin_intervals import interval

Array = np.ndarray[Any, Any]

PAGE = ROOT / "docs" / "intervals.md"
START, END = "<!-- coverage: written by the code -->\n", "<!-- end of coverage -->\n"

SIZES = (10, 30, 100, 300, 1_000, 10_000)
RATES = (0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999)
ZEROS = (0.0, 0.3, 0.9)
CORRELATION = 0.5  # of the normal variables behind the values of a user

# The nDCG@10 of a list with one relevant item at each rank, ascending.
OF_RANKS = np.sort(1 / np.log2(np.arange(2, 12)))


@dataclass(frozen=True)
class Values:
    """A distribution of the values of lists."""

    name: str
    mean: float
    quantile: Callable[[Array], Array]  # the value of a list from a uniform number
    is_clustered: bool = False


def _hit(rate: float, *, is_clustered: bool = False) -> Values:
    return Values(f"hit rate {rate:g}", rate, lambda u: (u < rate).astype(float), is_clustered)


def _ndcg(zeros: float, *, is_clustered: bool = False) -> Values:
    def quantile(u: Array) -> Array:
        place = np.clip((u - zeros) / (1 - zeros) * len(OF_RANKS), 0, len(OF_RANKS) - 1).astype(int)
        return np.where(u < zeros, 0, OF_RANKS[place])

    name = f"nDCG of one relevant item, {zeros:.0%} zeros".replace("%", " %")
    return Values(name, (1 - zeros) * float(OF_RANKS.mean()), quantile, is_clustered)


def _beta(zeros: float) -> Values:
    def quantile(u: Array) -> Array:
        return np.where(u < zeros, 0, stats.beta.ppf(np.clip((u - zeros) / (1 - zeros), 0, 1), 2, 5))

    name = f"nDCG of many relevant items, {zeros:.0%} zeros".replace("%", " %")
    return Values(name, (1 - zeros) * 2 / 7, quantile)


ALL = (
    *map(_hit, RATES),
    *map(_ndcg, ZEROS),
    *map(_beta, ZEROS),
    *(_hit(rate, is_clustered=True) for rate in (0.01, 0.1, 0.5, 0.9)),
    *(_ndcg(zeros, is_clustered=True) for zeros in ZEROS),
)


def users_of(n_lists: int) -> Array:
    """The user of each list: users have 1, 2, 3, 4 and 5 lists in turn."""
    sizes = np.resize(np.arange(1, 6), n_lists)
    return np.repeat(np.arange(n_lists), sizes)[:n_lists]


def draw(values: Values, n_lists: int, n_draws: int, generator: np.random.Generator) -> tuple[Array, Array | None]:
    """Generated values, one row per draw, and the users of the lists."""
    if not values.is_clustered:
        return values.quantile(generator.random((n_draws, n_lists))), None
    users = users_of(n_lists)
    of_user = generator.standard_normal((n_draws, users.max() + 1))[:, users]
    normal = CORRELATION**0.5 * of_user + (1 - CORRELATION) ** 0.5 * generator.standard_normal((n_draws, n_lists))
    return values.quantile(stats.norm.cdf(normal)), users


def coverage(values: Values, n_lists: int, n_draws: int = 4_000, seed: int = 0) -> float | None:
    """The share of 95 % intervals that contain the mean; None where no interval is returned."""
    if values.name.startswith("hit") and not values.is_clustered:
        hits = np.arange(n_lists + 1)
        low, high = (np.concatenate(ends) for ends in zip(*map(_of_hits, _blocks(hits, n_lists)), strict=True))
        return float(stats.binom.pmf(hits, n_lists, values.mean)[_within(values.mean, low, high)].sum())
    generator, contained, done = np.random.default_rng([seed, n_lists]), 0, 0
    while done < n_draws:
        rows, users = draw(values, n_lists, min(n_draws - done, max(1, 4_000_000 // n_lists)), generator)
        low, high = interval(rows, users)
        if np.isnan(low).all():
            return None
        contained, done = contained + int(_within(values.mean, low, high).sum()), done + len(rows)
    return contained / n_draws


def _within(mean: float, low: Array, high: Array) -> Array:
    return np.asarray((low <= mean + 1e-12) & (mean - 1e-12 <= high))


def _blocks(hits: Array, n_lists: int) -> Iterator[tuple[Array, int]]:
    size = max(1, 4_000_000 // n_lists)
    for start in range(0, len(hits), size):
        yield hits[start : start + size], n_lists


def _of_hits(block: tuple[Array, int]) -> tuple[Array, Array]:
    hits, n_lists = block
    return interval((np.arange(n_lists) < hits[:, None]).astype(float))


def row(values: Values, sizes: Sequence[int] = SIZES) -> str:
    """The cells of a distribution: its name, and the share for each number of lists."""
    shares = [coverage(values, size) for size in sizes]
    cells = ["none" if share is None else f"{share:.1%}".replace("%", " %") for share in shares]
    name = f"{values.name}, users with several lists" if values.is_clustered else values.name
    return " | ".join([name, *cells])


def table() -> str:
    """The table of the docs, in Markdown: one row per distribution, one column per number of lists."""
    lines = ["| values of lists | " + " | ".join(f"{size:,}" for size in SIZES) + " |", "|---|" + "---|" * len(SIZES)]
    return "\n".join([*lines, *(f"| {row(values)} |" for values in ALL)]) + "\n"


def main() -> None:
    """Write the table into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
