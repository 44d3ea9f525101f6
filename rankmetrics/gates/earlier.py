"""The numbers of an earlier run, and how much each system fell since."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import InputError, Option, RankMetricsError, did_you_mean, names

if TYPE_CHECKING:
    import polars as pl


# The column that every summary has, and no table of one row per list.
N_LISTS = "n_lists"


@dataclass(frozen=True)
class Earlier:
    """An earlier run.

    Attributes:
        frame: its rows.
        called: what messages call it.
        is_per_list: whether it has one row per list; a summary has one row per system.
    """

    frame: pl.DataFrame
    called: str
    is_per_list: bool

    def column(self, metric: str) -> str:
        """The column of a metric, in whatever case.

        Raises:
            InputError: there is no such column.
        """
        there = self.frame.columns
        same = [name for name in there if name.lower() == metric.lower()]
        if not same:
            raise InputError(
                f"{self.called} has no column {metric!r}: it has {names(there)}.{did_you_mean(metric, there)} "
                "Measure the metric there, too, and write the file again."
            )
        return metric if metric in same else same[0]

    def with_types_of(self, schema: Mapping[str, pl.DataType], columns: Sequence[str]) -> pl.DataFrame:
        """The rows, with these columns in the types of another frame: text files keep none.

        Raises:
            InputError: a value cannot be of the type.
        """
        import polars as pl

        try:
            return self.frame.cast({name: schema[name] for name in columns})
        except pl.exceptions.PolarsError as error:
            raise InputError(f"{self.called} has other values in {names(columns)} than the result: {error}") from error


def read_earlier(earlier: object, lists: Sequence[str], by: Sequence[str]) -> Earlier:
    """An earlier run.

    Args:
        earlier: a file that `result.write` wrote, a Polars frame, or a Result.
        lists: the list columns of the result that it is compared with.
        by: the columns of the summary.

    Raises:
        InputError: it cannot be read, or is neither a table per list nor a summary of these columns.
    """
    frame, called = _frame(earlier)
    is_per_list = N_LISTS not in frame.columns or N_LISTS in lists
    needed = lists if is_per_list else by
    if missing := [name for name in needed if name not in frame.columns]:
        kind = "one row per list, so that it needs the list columns" if is_per_list else "a summary, so that it needs"
        raise InputError(
            f"{called} cannot be compared with: it has {kind} {names(needed)}, and lacks {names(missing)}. It has "
            f"{names(frame.columns)}. A file that `result.write(path, per_list=True)` wrote has them."
        )
    if frame.select(needed).is_duplicated().any() if needed else frame.height != 1:
        raise InputError(f"{called} has several rows with the same {names(needed)}: the earlier value is ambiguous.")
    return Earlier(frame, called, is_per_list)


def _frame(earlier: Any) -> tuple[pl.DataFrame, str]:
    """An earlier run as a frame, and what messages call it."""
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
            Option("against"), f" is a file, a Polars frame or a Result: {type(earlier).__name__!r} is none."
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
        by_column: the change of each metric and system, by column and by the values of `by`. It does not have the
            systems that one of the runs lacks.
        gone: the systems that only the earlier run has, by the values of `by`.
        n_added: the number of lists that only the present run has; 0 for a summary.
        n_gone: the number of lists that only the earlier run has; 0 for a summary.
    """

    by_column: Mapping[tuple[str, Key], Change]
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

    Raises:
        InputError: the runs have no list in common, or the earlier run lacks a metric.
    """
    import polars as pl

    from rankmetrics.comparisons.comparison import compare_files

    keys = {name: f"list_{place}" for place, name in enumerate(lists)}  # no name of a metric, or of a column of systems
    values = {name: f"value_{place}" for place, name in enumerate(columns)}

    def renamed(frame: pl.DataFrame, column_of: Callable[[str], str]) -> pl.DataFrame:
        return frame.select(
            *(pl.col(name).alias(key) for name, key in keys.items()),
            *(pl.col(column_of(name)).cast(pl.Float64).alias(value) for name, value in values.items()),
        )

    left, right = renamed(now, str), renamed(earlier.with_types_of(now.schema, lists), earlier.column)
    n_shared = left.join(right, on=[*keys.values()], how="semi", nulls_equal=True).height
    if not n_shared:
        raise InputError(
            f"{earlier.called} has no list in common with the result, so nothing can be compared: the columns of a "
            f"list are {names(lists)}."
        )
    by_keys = [keys[name] for name in by]
    compared = compare_files(right, left, [*values.values()], correction="none", by=by_keys, confidence=confidence)
    wanted = [*by_keys, "baseline_mean", "system_mean", "n_lists", "ci_low", "ci_high"]
    labels = {value: name for name, value in values.items()}
    changes = {
        (labels[value], tuple(row[: len(by)])): Change(*row[len(by) :])
        for value, *row in compared.collect().select("metric", *wanted).iter_rows()
    }
    systems = [frame.select(by_keys).unique(maintain_order=True) for frame in (right, left)]
    gone = systems[0].join(systems[1], on=by_keys, how="anti", nulls_equal=True).rows() if by else ()
    return Changes(changes, tuple(gone), left.height - n_shared, right.height - n_shared)


def changes_of_summaries(now: pl.DataFrame, earlier: Earlier, by: Sequence[str], columns: Sequence[str]) -> Changes:
    """The changes of the values of two summaries, which have no interval.

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
