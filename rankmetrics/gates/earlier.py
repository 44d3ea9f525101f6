"""The numbers of an earlier run, for `against`: a file of one row per list, or of a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    def column(self, written: str) -> str:
        """The column of a metric, in whatever case.

        Raises:
            InputError: there is no such column.
        """
        found = [name for name in self.frame.columns if name.lower() == written.lower()]
        if not found:
            there = self.frame.columns
            raise InputError(
                f"{self.called} has no column {written!r}: it has {names(there)}.{did_you_mean(written, there)} "
                "Measure the metric there, too, and write the file again."
            )
        return written if written in found else found[0]

    def with_types_of(self, schema: Mapping[str, pl.DataType], columns: Sequence[str]) -> pl.DataFrame:
        """The rows, with these columns in the types of another frame: text files keep none.

        Raises:
            InputError: a value cannot be of the type.
        """
        import polars as pl

        changed = [pl.col(name).cast(schema[name]) for name in columns if self.frame.schema[name] != schema[name]]
        try:
            return self.frame.with_columns(changed)
        except pl.exceptions.PolarsError as error:
            raise InputError(f"{self.called} has other values in {names(columns)} than the result: {error}") from error


def read_earlier(given: object, lists: Sequence[str], by: Sequence[str]) -> Earlier:
    """An earlier run.

    Args:
        given: a file that `result.write` wrote, a Polars frame, or a Result.
        lists: the list columns of the result that it is compared with.
        by: the columns of the summary.

    Raises:
        InputError: it cannot be read, or is neither a table per list nor a summary of these columns.
    """
    frame, called = _frame(given)
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


def _frame(given: Any) -> tuple[pl.DataFrame, str]:
    """An earlier run as a frame, and what messages call it."""
    import polars as pl

    from rankmetrics.results.result import Result

    if isinstance(given, Result):
        return given.collect(per_list=True), "The earlier result"
    if isinstance(given, (pl.DataFrame, pl.LazyFrame)):
        return given.lazy().collect(), "The earlier frame"
    if isinstance(given, (str, Path)):
        return _read(given), f"The earlier file {str(given)!r}"
    raise InputError(Option("against"), f" is a file, a Polars frame or a Result: {type(given).__name__!r} is none.")


def _read(path: str | Path) -> pl.DataFrame:
    """The rows of a file."""
    from rankmetrics.engines.paths import Files, files, seen
    from rankmetrics.engines.polars_frames import scan_files

    named = files(Path(path))
    assert named is not None  # a path names a file, or is refused
    try:
        return scan_files("earlier file", Files(*named, path, seen(named[0]))).collect()
    except RankMetricsError:
        raise
    except Exception as error:  # Polars, Arrow and DuckDB raise errors of many kinds
        raise InputError(f"The earlier file {str(path)!r} cannot be read: {error}") from error
