"""What an engine is, and which engine takes which input. An engine is one file: a dialect and a few verbs."""

from __future__ import annotations

import errno
import importlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.engines.paths import Files, files, seen
from rankmetrics.errors import ColumnError, DialectError, EngineError, InputError, Option, RankMetricsError, names
from rankmetrics.inputs.columns import Side
from rankmetrics.inputs.sources import called
from rankmetrics.inputs.types import ColumnType, Schema

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


@dataclass(frozen=True)
class Input:
    """An input as its engine sees it.

    Attributes:
        schema: the columns and their types.
        table: what stands after FROM.
        name: what the input would be called as a table of a warehouse.
        travels: whether `table` means the same outside this process, as a file and a table of a database do.
        is_query: whether the input is a SELECT, which has no name.
        condition: the condition that its rows were cut to, if any.
    """

    schema: Schema
    table: exp.Expr
    name: str
    travels: bool = False
    is_query: bool = False
    condition: exp.Expr | None = None

    def elsewhere(self, given: str | None, dialect: str) -> exp.Expr:
        """The input as a table of another database: under the name that is given, else under its own.

        Raises:
            DialectError: the input is a SELECT, and no name is given.
        """
        from sqlglot import exp

        from rankmetrics.dialects import base as dialects
        from rankmetrics.sqltree import tree

        if self.is_query and given is None:
            raise DialectError(
                f"An input is a SELECT, which has no name in {dialect}: name the table that holds its rows there, ",
                Option("recs", "db.recs"),
                " or ",
                Option("truth", "db.truth"),
                ".",
            )
        is_named = isinstance(self.table, exp.Table) and isinstance(self.table.this, exp.Identifier)
        if given is None and self.travels and is_named and not self.table.args.get("catalog"):
            table = self.table.copy()  # with its schema
            tree.quote(table)
        else:
            table = dialects.table(given or self.name, dialect)
        if self.condition is None:
            return table
        return exp.Subquery(this=exp.select("*").from_(table).where(self.condition.copy()))


class Engine(ABC):
    """The inputs, and the means to run a query over them.

    Attributes:
        name: as in an error message.
        dialect: the SQL it reads.
        inputs: the inputs by name, `recs` and `truth` among them.
        files: the files of the inputs that are read from files, by the name of the input.
        taken: names of tables that the inputs may be made of, in lower case: no part of the query may be called so.
        at_once: whether the summary and the account are one query where both are wanted, of twice as many steps.
        stopped: what it raises where it was stopped, or had no room: the data is not to blame.
    """

    name: str
    dialect: str
    inputs: dict[str, Input]
    files: dict[str, Files]
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
            Option("files_as"),
            f" is for files, and the {called(name)} are none. Give a mapping from each system's name to its "
            'table: {"als": ..., "knn": ...}.',
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

    def keep(self, name: str, condition: exp.Expr) -> None:
        """Cut an input to the rows for which a condition on its columns holds.

        Raises:
            InputError: the condition cannot be computed, or this engine takes none.
        """
        raise InputError(
            Option("where"), f" is not for {self.name}: cut the {called(name)} yourself before you hand it over."
        )

    @abstractmethod
    def long(self, name: str, column: str, number: str | None = None) -> None:
        """Give an input a row for each element of a list column, numbered in another column if one is named."""

    def run(self, sql: str, columns: Sequence[str]) -> Any:
        """The query as a lazy object of the caller's own kind, its columns under these names.

        Raises:
            InputError: a file of an input is gone, or another one is in its place.
            EngineError: the engine refused the query; the error holds the text.
        """
        with self._files_in_place():
            return self._run(sql, columns)

    @abstractmethod
    def _run(self, sql: str, columns: Sequence[str]) -> Any: ...

    def collect(self, lazy: Any) -> pl.DataFrame:
        """Compute what run returned; the errors are those of run."""
        with self._files_in_place():
            return self._collect(lazy)

    @abstractmethod
    def _collect(self, lazy: Any) -> pl.DataFrame: ...

    def rows(self, lazy: Any) -> list[tuple[Any, ...]]:
        """Compute what run returned as Python rows, for the few that are printed; the errors are those of run."""
        with self._files_in_place():
            return self._rows(lazy)

    def _rows(self, lazy: Any) -> list[tuple[Any, ...]]:
        return self._collect(lazy).rows()

    def write(self, lazy: Any, path: Path, form: str) -> None:
        """Compute what run returned into a file, in one of the forms of FORMATS.

        Raises:
            OSError: nothing can be written there.
            InputError, EngineError: as run does.
        """
        try:
            with self._files_in_place():
                self._write(lazy, path, form)
        except RankMetricsError as error:
            if "no space left" in str(error).lower():
                raise OSError(errno.ENOSPC, "no space is left on the disk") from error
            raise

    @abstractmethod
    def _write(self, lazy: Any, path: Path, form: str) -> None: ...

    def write_frame(self, frame: pl.DataFrame, path: Path, form: str) -> None:
        """Write what was computed into a file: one of the forms of FORMATS."""
        from rankmetrics.engines.sinks import SINKS

        SINKS[form](frame.lazy(), path)

    def find_files(self, name: str, value: object, *, tables: bool = False) -> Files | None:
        """The files that an input names, remembered; None where it names none. The errors are those of files()."""
        found = files(value, tables=tables)
        if found is None:
            return None
        self.files[name] = Files(*found, value, seen(found[0]))
        return self.files[name]

    @contextmanager
    def _files_in_place(self) -> Iterator[None]:
        """Refuse a file that is gone or another one now, before the query and where the query fails."""
        self._refuse_changed_files()
        try:
            yield
        except EngineError:
            self._refuse_changed_files()
            raise

    def _refuse_changed_files(self) -> None:
        for name, one in self.files.items():
            now = seen(one.paths)
            for path in one.seen:
                if path not in now or not os.access(path, os.R_OK):
                    is_there = "may not be read any more" if path in now else "is gone"
                    became = "is a folder now" if Path(path).is_dir() else is_there
                    raise InputError(
                        f"The file {path!r} of the {called(name)} {became}: it was a file that could be read when "
                        "evaluate looked at it. Put it back, or evaluate anew."
                    )
            if now != one.seen:
                self._refuse_other_columns(name, one)
                one.seen = now

    def _refuse_other_columns(self, name: str, given: Files) -> None:
        """Refuse files that were changed if their columns are not those that the query was made for."""
        changed = f"The files {names(given.paths)} of the {called(name)} have changed since evaluate looked at them"
        try:
            schema = self.look_again(name)
        except InputError as error:
            raise InputError(f"{changed}, and cannot be read now. {error}") from error
        if given.schema and schema != given.schema:
            raise InputError(
                f"{changed}: they had {_listed(given.schema)}, and have {_listed(schema)} now. Evaluate anew."
            )

    def look_again(self, name: str) -> Schema:
        """The columns that the files of an input have now.

        Raises:
            InputError: they cannot be read.
        """
        kind: Any = type(self)
        found: Schema = kind({name: self.files[name].given}, None).inputs[name].schema
        return found


def refuse_doubled(what: str, columns: Iterable[str]) -> None:
    """Refuse columns of one name, or of names that differ in case only: engines tell these apart differently.

    Raises:
        ColumnError: there are such columns.

    >>> refuse_doubled("truth", ["user", "item", "Item"])
    Traceback (most recent call last):
    rankmetrics.errors.ColumnError: The truth has columns whose names differ in case only: 'item' and 'Item'. Rename ...
    """
    by_lower: dict[str, list[str]] = {}
    for one in columns:
        by_lower.setdefault(one.lower(), []).append(one)
    for found in by_lower.values():
        if len(set(found)) > 1:
            raise ColumnError(
                f"The {what} has columns whose names differ in case only: {names(dict.fromkeys(found))}. "
                "Rename or drop all but one."
            )
        if len(found) > 1:
            raise ColumnError(f"The {what} has {len(found)} columns called {found[0]!r}. Rename or drop all but one.")


def schema_of(what: str, columns: Iterable[tuple[str, ColumnType]]) -> Schema:
    """The columns of an input by their names.

    Raises:
        InputError: there is no column.
        ColumnError: two columns have one name, or names that differ in case only.
    """
    found = list(columns)
    if not found:
        raise InputError(f"There are no columns in the {what}.")
    refuse_doubled(what, [name for name, _ in found])
    return dict(found)


def _listed(schema: Schema) -> str:
    return ", ".join(f"{name!r} ({kind})" for name, kind in schema.items())


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
    is_rows = isinstance(value, Iterable) and not hasattr(value, "to_frame")
    cure = (
        " Make a frame of the columns: pl.DataFrame(columns)."
        if isinstance(value, Mapping)
        else ' Make a frame of the array: pl.DataFrame(array, schema=["user", "item", "score"]).'
        if module_of(value) == "numpy"
        else " Make a frame of the rows: pl.DataFrame(rows)."
        if is_rows
        else ""
    )
    return InputError(
        f"No engine knows the kind of the {what}: {type(value).__module__}.{type(value).__qualname__}.{cure} "
        "An input is a Polars frame, a DuckDB relation, a path, a list of paths or a glob, the name of a table or a "
        "SELECT with ",
        Option("connection"),
        ", a pandas or Arrow table, or anything that exports an Arrow stream.",
    )


def no_table(value: str) -> InputError:
    """The error for a text that is neither a file nor, without a connection, a table."""
    return InputError(
        f"{value!r} is neither a file that exists nor, since no ", Option("connection"), " was given, a table."
    )


def no_order(what: str) -> ColumnError:
    """The error for ties="input" over rows that have no order."""
    return ColumnError(
        Option("ties", "input"),
        f" needs rows that have an order, and those of {what} have none. Give a file or a frame, rank the rows "
        "yourself into a rank column, or break ties by item: ",
        Option("ties", "item"),
        ".",
    )
