"""How much each system fell since an earlier run: differences of means over the lists that both runs have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import InputError, Option, names
from rankmetrics.gates.earlier import Earlier

if TYPE_CHECKING:
    import polars as pl

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Change:
    """The mean of a metric in an earlier run and now.

    Attributes:
        before: the earlier mean; None if no list has a value in both runs.
        now: the present mean of the same lists.
        n_lists: the number of lists in both means; None for values of summaries.
        ci_low: the lower end of the t interval of the mean difference; None where there is no interval.
        ci_high: the upper end.
    """

    before: float | None
    now: float | None
    n_lists: int | None = None
    ci_low: float | None = None
    ci_high: float | None = None


@dataclass(frozen=True)
class Changes:
    """All changes since an earlier run.

    Attributes:
        of: the change of each metric and system, by column and by the values of `by`. A system that one of the runs
            does not have is not in it.
        gone: the systems that only the earlier run has, by the values of `by`.
        n_added: the number of lists that only the present run has; 0 for a summary.
        n_gone: the number of lists that only the earlier run has; 0 for a summary.
    """

    of: Mapping[tuple[str, Key], Change]
    gone: tuple[Key, ...] = ()
    n_added: int = 0
    n_gone: int = 0


def changes_of_lists(
    now: pl.DataFrame,
    earlier: Earlier,
    lists: Sequence[str],
    by: Sequence[str],
    columns: Sequence[str],
    confidence: float,
) -> Changes:
    """The changes of means, with the t interval of the mean difference of paired lists.

    Args:
        now: one row per list.
        earlier: one row per list.
        lists: the columns that identify a list.
        by: the list columns that identify a system.
        columns: the columns of the metrics.
        confidence: the confidence of the interval, between 0 and 1.

    Raises:
        InputError: the runs have no list in common, or the earlier run lacks a metric.
    """
    import polars as pl

    keys = {name: f"list_{place}" for place, name in enumerate(lists)}  # no name of a metric's column
    before = earlier.with_types_of(now.schema, lists)
    metrics = {name: (f"now_{place}", f"before_{place}") for place, name in enumerate(columns)}
    left = now.select(*(pl.col(old).alias(new) for old, new in keys.items()), *_values(columns, metrics, 0))
    own = {name: earlier.column(name) for name in columns}
    right = before.select(
        *(pl.col(old).alias(new) for old, new in keys.items()),
        *(pl.col(own[name]).cast(pl.Float64).alias(metrics[name][1]) for name in columns),
    )
    pairs = left.join(right, on=[*keys.values()], how="inner", nulls_equal=True)
    if not pairs.height:
        raise InputError(
            f"{earlier.called} has no list in common with the result, so nothing can be compared: the columns of a "
            f"list are {names(lists)}."
        )
    grouped = pairs.group_by([keys[name] for name in by]) if by else pairs.group_by(pl.lit(0).alias("all"))
    found: dict[tuple[str, Key], Change] = {}
    for name, (new, old) in metrics.items():
        defined = pl.col(new).is_not_null() & pl.col(old).is_not_null()
        difference = (pl.col(new) - pl.col(old)).filter(defined)
        table = grouped.agg(
            pl.col(old).filter(defined).mean().alias("before"),
            pl.col(new).filter(defined).mean().alias("now"),
            defined.sum().alias("n"),
            difference.mean().alias("difference"),
            difference.std().alias("deviation"),
        )
        for *key, mean_before, mean_now, n, mean, deviation in table.iter_rows():
            low, high = _interval(mean, deviation, n, confidence)
            found[name, tuple(key) if by else ()] = Change(mean_before, mean_now, n, low, high)
    return Changes(
        found,
        _only_in(right, left, [keys[name] for name in by]),
        n_added=left.height - pairs.height,
        n_gone=right.height - pairs.height,
    )


def _only_in(frame: pl.DataFrame, other: pl.DataFrame, columns: list[str]) -> tuple[Key, ...]:
    """The values of columns that one frame has, and the other does not."""
    if not columns:
        return ()
    own = frame.select(columns).unique(maintain_order=True)
    return tuple(own.join(other, on=columns, how="anti", nulls_equal=True).rows())


def changes_of_summaries(now: pl.DataFrame, earlier: Earlier, by: Sequence[str], columns: Sequence[str]) -> Changes:
    """The changes of the values of two summaries, which have no interval.

    Args:
        now: one row per system.
        earlier: one row per system.
        by: the columns that identify a system.
        columns: the columns of the metrics.

    Raises:
        InputError: the runs have no system in common, or the earlier run lacks a metric.
    """
    before = earlier.with_types_of(now.schema, by).select(*by, *map(earlier.column, columns))
    values_before = {row[: len(by)]: row[len(by) :] for row in before.iter_rows()}
    values_now = {row[: len(by)]: row[len(by) :] for row in now.select(*by, *columns).iter_rows()}
    both = [key for key in values_now if key in values_before]
    if not both:
        raise InputError(
            f"{earlier.called} has no system in common with the result: a system is a row of {names(by)}, and there "
            f"were {names(sorted({str(value) for key in values_before for value in key}))}."
        )
    return Changes(
        {
            (name, key): Change(values_before[key][place], values_now[key][place])
            for key in both
            for place, name in enumerate(columns)
        },
        tuple(key for key in values_before if key not in values_now),
    )


def _values(columns: Sequence[str], metrics: Mapping[str, tuple[str, str]], place: int) -> Iterator[pl.Expr]:
    import polars as pl

    return (pl.col(name).cast(pl.Float64).alias(metrics[name][place]) for name in columns)


def _interval(
    mean: float | None, deviation: float | None, n: int, confidence: float
) -> tuple[float, float] | tuple[None, None]:
    """The t interval of the mean of n differences; fewer than two have none."""
    if mean is None or deviation is None:
        return None, None
    half = _t_quantile((1 + confidence) / 2, n - 1) * deviation / n**0.5
    return mean - half, mean + half


def _t_quantile(share: float, degrees: int) -> float:
    try:
        from scipy.stats import t
    except ImportError:
        raise InputError(
            "The interval of a difference needs SciPy, which is not installed: pip install 'rankmetrics[statistics]', "
            "or leave the interval out with ",
            Option("strict", value=True),
            ".",
        ) from None
    return float(t.ppf(share, degrees))
