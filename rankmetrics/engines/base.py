"""What an engine is: the inputs in a form that it can query, and the methods that run a query over them."""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.engines.input import Input
from rankmetrics.engines.paths import Files, files, seen
from rankmetrics.errors import EngineError, InputError, Option, RankMetricsError, names
from rankmetrics.inputs.columns import Side
from rankmetrics.inputs.sources import called
from rankmetrics.inputs.types import Schema

if TYPE_CHECKING:
    import polars as pl
    from sqlglot import exp


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


def _listed(schema: Schema) -> str:
    return ", ".join(f"{name!r} ({kind})" for name, kind in schema.items())
