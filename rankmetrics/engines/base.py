"""What an engine is, and which engine takes which input. An engine is one file: a dialect and a few verbs."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.columns import Schema, Side
from rankmetrics.errors import ColumnError, InputError, did_you_mean
from rankmetrics.inputs import EMBEDDINGS, EXTRAS

if TYPE_CHECKING:
    import polars as pl
    from sqlglot import exp

# Which module's objects an engine takes as recommendations; whatever is not named here is DuckDB's.
ENGINES = {
    "ibis": "rankmetrics.engines.ibis",
    "polars": "rankmetrics.engines.polars",
    "pyspark": "rankmetrics.engines.spark",
}
DEFAULT = "rankmetrics.engines.duckdb"

# Which module's connections lead to which engine; any other is a database's, DuckDB's leaves it to the recommendations.
CONNECTED = {one: ENGINES[one] for one in ("ibis", "pyspark")}
DATABASE = "rankmetrics.engines.database"

# What the inputs are called in a message.
CALLED = {
    "recs": "recommendations",
    "truth": "truth",
    **{one: one for one in (*EXTRAS, EMBEDDINGS)},
}

# What files hold, by the end of their name.
FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".csv.gz": "csv.gz",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "ndjson",
    ".ndjson": "ndjson",
}


@dataclass(frozen=True)
class Input:
    """An input as its engine sees it.

    Attributes:
        schema: the columns and their types.
        table: what stands after FROM.
        name: what the input would be called as a table of a warehouse.
        travels: whether `table` means the same outside this process, as a file and a table of a database do.
    """

    schema: Schema
    table: exp.Expr
    name: str
    travels: bool = False


class Engine(ABC):
    """The inputs, and the means to run a query over them.

    Attributes:
        name: as in an error message.
        dialect: the SQL it reads.
        inputs: the inputs by name, `recs` and `truth` among them.
        taken: names of tables that the inputs may be made of, in lower case: no part of the query may be called so.
        at_once: whether the summary and the account are one query where both are wanted, of twice as many steps.
        stopped: what it raises where it was stopped, or had no room: the data is not to blame.
    """

    name: str
    dialect: str
    inputs: Mapping[str, Input]
    taken: frozenset[str] = frozenset()
    at_once: bool = False
    stopped: tuple[type[Exception], ...] = ()

    @abstractmethod
    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        """Take the inputs as they are; nothing is read but schemas.

        `dialect` is what is spoken over the connection, for engines that speak several.

        Raises:
            InputError: an input is empty, cannot be read, or is of no known kind.
        """

    def owns(self, connection: Any) -> None:  # noqa: B027  # most results read from it for as long as they are
        """Close a connection of our own with the engine, where nothing that it returned needs it any more."""

    @abstractmethod
    def copy(self, name: str, new: str) -> None:
        """Take an input a second time, under another name."""

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        """An input with a column of the file that each row is from, and that column; None unless it is files."""
        return None

    def name_files(self, name: str, column: str) -> None:
        """Give an input that is made of files a column that says from which file each row is.

        Raises:
            InputError: it is made of no files.
            ColumnError: it has a column of that name.
        """
        raise InputError(
            f"files_as= is for files, and the {CALLED[name]} are none. Give a mapping from each system's name to its "
            'table: {"als": ..., "knn": ...}.'
        )

    @abstractmethod
    def number_rows(self, name: str) -> str:
        """Give an input a column that numbers its rows in their order; what the column is called.

        Raises:
            ColumnError: its rows have no order.
        """

    def rank(self, name: str, side: Side) -> str | None:
        """Give an input a column of ranks by score, where an engine has a shorter way to them than its SQL.

        Returns:
            What the column is called; None where the input has none.
        """
        return None

    def parts(self, name: str, side: Side) -> int:
        """In how many parts, one after the other, an input is sorted to rank it by score; 0 where it is not sorted."""
        return 0

    @abstractmethod
    def long(self, name: str, column: str, number: str | None = None) -> None:
        """Give an input a row for each element of a list column, numbered in another column if one is named."""

    @abstractmethod
    def run(self, sql: str, columns: Sequence[str]) -> Any:
        """The query as a lazy object of the caller's own kind, its columns under these names.

        Raises:
            EngineError: the engine refused the query; the error holds the text.
        """

    @abstractmethod
    def collect(self, lazy: Any) -> pl.DataFrame:
        """Compute what run returned."""

    def rows(self, lazy: Any) -> list[tuple[Any, ...]]:
        """Compute what run returned as Python rows: for the few that are printed."""
        return self.collect(lazy).rows()

    @abstractmethod
    def write(self, lazy: Any, path: Path, form: str) -> None:
        """Compute what run returned into a file: one of the forms of FORMATS."""

    def lazily(self, frame: pl.DataFrame) -> Any:
        """What was computed as run would return it, for an engine that computes at once."""
        return frame.lazy()


def engine_for(recs: object, connection: object | None = None) -> type[Engine]:
    """The engine of a connection; without one, and over one of DuckDB, that of the recommendations' kind."""
    connected = module_of(connection) if connection is not None else "duckdb"
    of_recs = ENGINES.get(module_of(recs), DEFAULT)
    module = importlib.import_module(of_recs if connected == "duckdb" else CONNECTED.get(connected, DATABASE))
    found: type[Engine] = module.ENGINE
    return found


def module_of(value: object) -> str:
    """The package that a value's type comes from."""
    return type(value).__module__.partition(".")[0].removeprefix("_")


def unknown(what: str, value: object) -> InputError:
    """The error for an input that no engine knows."""
    return InputError(
        f"No engine knows the kind of the {what}: {type(value).__module__}.{type(value).__qualname__}. "
        "Give a Polars frame, a DuckDB relation, a path, a list of paths or a glob, the name of a table with "
        "connection=, a pandas or Arrow table, or anything that exports an Arrow stream."
    )


def no_table(value: str) -> InputError:
    """The error for a text that is neither a file nor, without a connection, a table."""
    return InputError(f"{value!r} is neither a file that exists nor, since no connection= was given, a table.")


def no_order(what: str) -> ColumnError:
    """The error for ties="input" over rows that have no order."""
    return ColumnError(
        f'ties="input" needs rows that have an order, and those of {what} have none. Give a file or a frame, rank the '
        'rows yourself into a rank column, or break ties by item: ties="item".'
    )


def format_of(path: str) -> str | None:
    """What a file holds, by the end of its name; None where that says nothing."""
    lower = path.lower()
    return next((form for end, form in FORMATS.items() if lower.endswith(end)), None)


def files(value: object, *, tables: bool = False) -> tuple[list[str], str] | None:
    """The paths that an input names and what they hold; None where it names no file.

    With `tables`, a name that does not look like a path is that of a table, whatever lies in the folder.

    Raises:
        InputError: a file is missing or empty, or its name does not say what it holds.
    """
    if isinstance(value, (str, Path)):
        paths = [str(value)]
    elif isinstance(value, (list, tuple)) and value and all(isinstance(one, (str, Path)) for one in value):
        paths = [str(one) for one in value]
    else:
        return None
    if isinstance(value, str) and not _looks_like_a_path(value) and (tables or not value or not Path(value).exists()):
        return None
    paths = [f"{one.rstrip('/')}/**/*.parquet" if _is_folder(one) else one for one in paths]
    forms = {format_of(one) for one in paths}
    if len(forms) > 1 or None in forms:
        raise InputError(
            f"Cannot tell what {', '.join(paths)} holds: a name should end in one of {', '.join(FORMATS)}."
        )
    for one in paths:
        if not any(sign in one for sign in "*?[") and "://" not in one:
            _refuse_empty(Path(one))
    return paths, str(forms.pop())


def _looks_like_a_path(value: str) -> bool:
    return format_of(value) is not None or any(sign in value for sign in "*?[/\\")


def _is_folder(path: str) -> bool:
    """Whether a path leads to a folder: one that is there, or an address that says so by its end."""
    return Path(path).is_dir() or ("://" in path and path.endswith("/"))


def _refuse_empty(path: Path) -> None:
    if not path.exists():
        folder = path.parent
        there = sorted(one.name for one in folder.iterdir() if format_of(one.name)) if folder.is_dir() else []
        raise InputError(f"There is no file {str(path)!r}.{did_you_mean(path.name, there)}")
    if path.stat().st_size == 0:
        raise InputError(f"The file {str(path)!r} is empty.")


def table_name(value: object, fallback: str) -> str:
    """What an input would be called as a table: a file's name without its ending, else the fallback."""
    found = files(value) if isinstance(value, (str, Path)) else None
    if not found:
        return fallback
    stem = Path(found[0][0]).name.split(".")[0]
    return stem if stem.replace("_", "").isalnum() else fallback
