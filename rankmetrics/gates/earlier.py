"""The numbers of an earlier run, and how much each system fell since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import InputError, Option, RankMetricsError, did_you_mean, names
from rankmetrics.metrics.catalog import N_LISTS

if TYPE_CHECKING:
    import polars as pl


Key = tuple[Any, ...]


@dataclass(frozen=True)
class Earlier:
    """The rows of an earlier run: one per list, or those of a summary."""

    frame: pl.DataFrame
    name: str  # in messages
    is_per_list: bool

    def aligned(self, schema: Mapping[str, pl.DataType], keys: Sequence[str], metrics: Sequence[str]) -> pl.DataFrame:
        """The columns of a result: keys in its types, since text files have none, and metrics, in whatever case."""
        import polars as pl

        columns = [pl.col(key).cast(schema[key]) for key in keys]
        for metric in metrics:
            there = self.frame.columns
            same = [name for name in there if name.lower() == metric.lower()]
            if not same:
                raise InputError(
                    f"{self.name} has no column {metric!r}: it has {names(there)}.{did_you_mean(metric, there)} "
                    "Measure the metric there, too, and write the file again."
                )
            columns.append(pl.col(metric if metric in same else same[0]).cast(pl.Float64).alias(metric))
        try:
            return self.frame.select(columns)
        except pl.exceptions.PolarsError as error:
            raise InputError(f"{self.name} has other values in {names(keys)} than the result: {error}") from error


def read_earlier(earlier: object, lists: Sequence[str], by: Sequence[str]) -> Earlier:
    """An earlier run, to compare with a result that has these list columns and columns of the summary.

    It is a file that `result.write` wrote, a Polars frame, or a Result; a table per list, or a summary.
    """
    frame, name = _frame(earlier)
    is_per_list = N_LISTS not in frame.columns or N_LISTS in lists
    needed = lists if is_per_list else by
    if missing := [column for column in needed if column not in frame.columns]:
        kind = "one row per list, so that it needs the list columns" if is_per_list else "a summary, so that it needs"
        raise InputError(
            f"{name} cannot be compared with: it has {kind} {names(needed)}, and lacks {names(missing)}. It has "
            f"{names(frame.columns)}. A file that `result.write(path, per_list=True)` wrote has them."
        )
    if frame.select(needed).is_duplicated().any() if needed else frame.height != 1:
        raise InputError(f"{name} has several rows with the same {names(needed)}: the earlier value is ambiguous.")
    return Earlier(frame, name, is_per_list)


def _frame(earlier: Any) -> tuple[pl.DataFrame, str]:
    """An earlier run as a frame, and its name in messages."""
    import polars as pl

    from rankmetrics.engines.files import Files, files, seen
    from rankmetrics.engines.polars import scan_files
    from rankmetrics.results.result import Result

    if isinstance(earlier, Result):
        return earlier.collect(per_list=True), "The earlier result"
    if isinstance(earlier, (pl.DataFrame, pl.LazyFrame)):
        return earlier.lazy().collect(), "The earlier frame"
    if not isinstance(earlier, (str, Path)):
        raise InputError(
            Option("against"), f" is a file, a Polars frame or a Result: {type(earlier).__name__!r} is not."
        )
    name = f"The earlier file {str(earlier)!r}"
    named = files(Path(earlier))
    assert named is not None  # a path names a file, or is refused
    try:
        return scan_files("earlier file", Files(*named, earlier, seen(named[0]))).collect(), name
    except RankMetricsError:
        raise
    except Exception as error:  # Polars, Arrow and DuckDB raise errors of many kinds
        raise InputError(f"{name} cannot be read: {error}") from error


@dataclass(frozen=True)
class Change:
    """The mean of a metric in an earlier run and now."""

    before: float | None  # None if no list has a value in both runs, as is `now`
    now: float | None
    n_lists: int | None = None  # in both means; None for values of summaries
    ci_low: float | None = None  # of the mean difference; None where there is no interval
    ci_high: float | None = None


@dataclass(frozen=True)
class Changes:
    """All changes since an earlier run; a system is its values of `by`."""

    by_column: Mapping[tuple[str, Key], Change]  # by column and system, of the systems that both runs have
    gone: tuple[Key, ...] = ()  # systems that only the earlier run has
    n_added: int = 0  # lists that only the present run has; 0 for a summary
    n_gone: int = 0  # lists that only the earlier run has; 0 for a summary


def changes_of_lists(
    now: pl.DataFrame,
    earlier: Earlier,
    lists: Sequence[str],
    by: Sequence[str],
    metrics: Sequence[str],
    confidence: float,
) -> Changes:
    """The changes of means, with the t interval of the mean difference of paired lists."""
    import polars as pl

    from rankmetrics.comparisons.comparison import compare_files

    # names that are none of a metric, or of a column of systems
    keys = {name: f"list_{place}" for place, name in enumerate(lists)}
    values = {name: f"value_{place}" for place, name in enumerate(metrics)}
    before, after = (
        frame.rename(keys | values)
        for frame in (
            earlier.aligned(now.schema, lists, metrics),
            now.select(*lists, pl.col(metrics).cast(pl.Float64)),
        )
    )
    n_shared = after.join(before, on=[*keys.values()], how="semi", nulls_equal=True).height
    if not n_shared:
        raise InputError(
            f"{earlier.name} has no list in common with the result, so nothing can be compared: the columns of a "
            f"list are {names(lists)}."
        )
    by_keys = [keys[name] for name in by]
    comparison = compare_files(before, after, [*values.values()], correction="none", by=by_keys, confidence=confidence)
    columns = ["metric", *by_keys, "baseline_mean", "system_mean", "n_lists", "ci_low", "ci_high"]
    labels = {value: name for name, value in values.items()}
    changes = {
        (labels[value], tuple(row[: len(by)])): Change(*row[len(by) :])
        for value, *row in comparison.collect().select(columns).iter_rows()
    }
    systems = [frame.select(by_keys).unique(maintain_order=True) for frame in (before, after)]
    gone = systems[0].join(systems[1], on=by_keys, how="anti", nulls_equal=True).rows() if by else ()
    return Changes(changes, tuple(gone), after.height - n_shared, before.height - n_shared)


def changes_of_summaries(now: pl.DataFrame, earlier: Earlier, by: Sequence[str], metrics: Sequence[str]) -> Changes:
    """The changes of the values of two summaries, which have no interval."""
    before, after = (
        {row[: len(by)]: row[len(by) :] for row in frame.iter_rows()}
        for frame in (earlier.aligned(now.schema, by, metrics), now.select(*by, *metrics))
    )
    changes = {
        (metric, key): Change(*values)
        for key in after
        if key in before
        for metric, *values in zip(metrics, before[key], after[key], strict=True)
    }
    if not changes:
        raise InputError(
            f"{earlier.name} has no system in common with the result: a system is a row of {names(by)}, and there "
            f"were {names(sorted({str(value) for key in before for value in key}))}."
        )
    return Changes(changes, tuple(key for key in before if key not in after))
