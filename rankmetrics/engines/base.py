"""An engine: the inputs in a form that it can query, and the methods that run a query over them."""

from __future__ import annotations

import errno
import logging
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rankmetrics._logger import LOGGER, timed
from rankmetrics.engines import lakehouse
from rankmetrics.engines.files import Files, OfFormat, Systems, files, refuse_hidden, seen, sink, unreadable
from rankmetrics.engines.lakehouse import Version
from rankmetrics.errors import (
    ColumnError,
    DialectError,
    EngineError,
    InputError,
    Option,
    RankMetricsError,
    RankMetricsWarning,
    counted,
    names,
)
from rankmetrics.inputs.assumptions import NO_KEYS, DeclaredKeys
from rankmetrics.inputs.columns import ColumnType, Family, Schema, Side
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import called
from rankmetrics.messages import said

if TYPE_CHECKING:
    import polars as pl
    from sqlglot import exp

# The number of rows that show a fault of the lists in cells.
SHOWN = 3


class Text(NamedTuple):
    """A query that `Engine.collect` or `Engine.rows` runs: faster in some engines than the lazy object of `run`."""

    sql: str
    columns: Sequence[str]


class Engine(ABC):
    """Runs queries over the inputs that it was given."""

    name: str  # in messages
    dialect: str  # of the SQL that the engine runs
    called_rows: str = ""  # what has rows without an order, in the message that refuses `ties="input"`
    taken: frozenset[str] = frozenset()  # tables and views that the inputs may read, in lower case: no names for a CTE
    raised: tuple[type[BaseException], ...] = (Exception,)  # the exceptions by which the engine refuses a query
    stopped: tuple[type[Exception], ...] = ()  # its exceptions when it is interrupted or out of memory
    # What to call before a query is computed, in the thread of the caller: it computes inputs in Python, which the
    # engine would compute in a thread that Ctrl-C does not end.
    before: Sequence[Callable[[], object]] = ()
    doubts: Callable[[], Iterable[RankMetricsWarning]] = tuple  # the warnings on inputs that Python computes

    def __init__(self, inputs: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        """Take the inputs, `recs` and `truth` first, or the `interactions` of a split; refuses what cannot be read.

        Only schemas are read. `dialect` is the dialect of the connection, for engines that know several.
        """
        self._connection: Any = connection
        self.inputs: dict[str, Input] = {}
        self.files: dict[str, Files] = {}  # of each input that is read from files
        self.shapes: dict[str, Shape] = {}  # of the inputs that held several items in a row
        self.beside: dict[str, Input] = {}  # tables that belong to no evaluation, such as those of segments
        self._tables: dict[str, Any] = {}  # each input in the engine's own kind
        self._uneven: dict[str, Any] = {}  # what `uneven` computes for inputs with several lists
        for name, value in inputs.items():
            self._open(name, value)

    def owns(self, connection: Any) -> None:  # noqa: B027  # most results read from their connection as long as they exist
        """Close a connection that rankmetrics opened once no result of the engine needs it."""

    # --- inputs ---

    def _open(self, name: str, value: object) -> None:
        """Add an input: a table, or those of several systems as one table with a column of the system's name."""
        self._put(name, self._of_systems(name, value) if isinstance(value, Systems) else self._read(name, value))
        if name in self.files:
            self.files[name].schema = self.inputs[name].schema

    def _of_systems(self, name: str, systems: Systems) -> Any:
        tables, columns = {}, {}
        for system, value in systems.inputs.items():
            of_system = systems.called(name, system)
            tables[system] = self._read(of_system, value)
            schema = self._schema(of_system, tables[system])
            columns[system] = [*schema]
            if of_system in self.files:
                self.files[of_system].schema = schema
        first, *others = columns
        for system in others:
            if {*columns[system]} != {*columns[first]}:
                of_both = {"columns": columns[first], "others": columns[system]}
                raise said(ColumnError, "systems_differ", first=first, other=system, **of_both)
        refuse_hidden(systems.column, columns[first])
        return self._union(tables, columns[first], systems.column)

    @abstractmethod
    def _read(self, name: str, value: object) -> Any:
        """A value as a table of the engine's own kind; `name` may be the name of one system's input in messages."""

    @abstractmethod
    def _schema(self, name: str, table: Any) -> Schema:
        """The columns of a table and their types."""

    @abstractmethod
    def _union(self, tables: Mapping[str, Any], columns: Sequence[str], column: str) -> Any:
        """The tables of systems as one table, with a `column` of the system's name."""

    @abstractmethod
    def _put(self, name: str, table: Any) -> None:
        """Make a table an input, or replace the input's table."""

    def copy(self, name: str, new: str) -> None:
        """Add an input again, under another name."""
        self._put(new, self._tables[name])
        self.inputs[new] = replace(self.inputs[new], condition=self.inputs[name].condition)

    def open_beside(self, name: str, value: object) -> Input:
        """Open a table that is not an input, such as a table of segments; refuses a table that cannot be read."""
        self._open(name, value)
        self.beside[name] = self.inputs.pop(name)
        return self.beside[name]

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        """An input of several files with a column of each row's file, and the column's name; None for other inputs."""
        return None

    def name_files(self, name: str, column: str) -> None:
        """Add a column to an input of files: the name of the system whose file a row is from; refuses other inputs."""
        raise said(InputError, "no_files", table=called(name))

    def number_rows(self, name: str) -> str:
        """Add a column that numbers the rows of an input in order, and return its name; refuses rows without order."""
        version = self.version_of(name)
        rows = f"a table of {lakehouse.FORMATS[version.form].title}" if version else self.called_rows
        raise said(ColumnError, "unordered_rows", rows=rows, table=called(name))

    def rank(self, name: str, side: Side) -> str | None:
        """Add a column of ranks by score to an input, and return its name; None where the SQL ranks as fast."""
        return None

    def parts(self, name: str, side: Side) -> int:
        """In how many parts the engine sorts an input by score, one by one; 0 if it does not rank by sorting."""
        from rankmetrics.dialects.base import known

        return int(known(self.dialect).ranks_by_sorting)

    def computes(self, name: str) -> bool:
        """True if each read of an input computes joins, groups or windows: it is read once, and its rows are kept."""
        from sqlglot import exp

        table = self.inputs[name].table
        return self.inputs[name].is_query and table.find(exp.Join, exp.AggFunc, exp.Window, exp.Distinct) is not None

    def keep(self, name: str, condition: exp.Expr) -> None:
        """Keep only the rows of an input that meet a condition; an error if the engine cannot compute it."""
        raise said(InputError, "no_condition_there", engine=self.name, table=called(name))

    def keep_rows(self, conditions: Iterable[str]) -> None:
        """Keep only the rows of the inputs that meet all conditions of `where`; raises the errors of `keep`."""
        from rankmetrics.engines.selects import read_condition

        for text in conditions:
            schemas = {name: source.schema for name, source in self.inputs.items()}
            for name, test in read_condition(text, schemas, self.dialect).items():
                self.keep(name, test)
                before = self.inputs[name].condition
                both = before.and_(test) if before else test.copy()
                self.inputs[name] = replace(self.inputs[name], condition=both)

    def unnest(self, name: str, shape: Shape) -> None:
        """Give each item of an input a row of its own. A row without items stays, with NULL as its item and rank."""
        table = self._tables[name]
        unnested = self._unnest(name, table, shape)
        self.shapes[name] = shape
        if len(shape.lists) > 1:
            self._uneven[name] = self._find_uneven(name, table, shape)
        self._put(name, unnested)

    @abstractmethod
    def _unnest(self, name: str, table: Any, shape: Shape) -> Any:
        """The table of an input with a row for each item."""

    def _find_uneven(self, name: str, table: Any, shape: Shape) -> Any:
        from rankmetrics.dialects.base import grammar
        from rankmetrics.engines.selects import find_uneven

        select = find_uneven(self.inputs[name].table, shape, self.inputs[name].schema, SHOWN)
        return self._run(select.sql(grammar(self.dialect), identify=True), select.named_selects)

    def uneven(self, name: str) -> list[tuple[Any, ...]]:
        """The first rows of an input whose lists differ in length: the columns that stay, then the lengths."""
        return self.rows(self._uneven[name]) if name in self._uneven else []

    # --- queries ---

    def run(self, sql: str, columns: Sequence[str]) -> Any:
        """The result of a query as a lazy object of the caller's own kind, with these column names.

        Raises:
            InputError: a file of an input is missing, or was replaced by another.
            EngineError: the engine refused the query; the error holds the text of the query.
        """
        LOGGER.debug("query for %s:\n%s", self.name, sql)
        with self._files_in_place(), self._refusing(lambda: sql):
            return self._run(sql, columns)

    def in_order(self, lazy: Any, columns: Sequence[str]) -> Any:
        """A frame of Polars in the order of columns, by default all but nested ones; others as they are.

        The optimizer of Polars drops an order that nobody reads; other engines would sort each time.
        """
        if module_of(lazy) != "polars":
            return lazy
        from polars import selectors

        return lazy.sort(columns or ~selectors.nested(), nulls_last=True)

    def collect(self, lazy: Any, order: Sequence[str] = ()) -> pl.DataFrame:
        """Compute what `run` returned, or a Text, as a Polars frame in the order of columns; raises as `run` does."""
        with self._computing("computed a query", lazy):
            frame = self._collect(self._run_now(lazy))
        return self.in_order(frame, order) if order else frame

    def rows(self, lazy: Any) -> list[tuple[Any, ...]]:
        """Compute what `run` returned, or a Text, as Python rows to print; raises as `run` does."""
        with self._computing("computed a query", lazy):
            return self._rows(self._run_now(lazy))

    def write(self, lazy: Any, path: Path, form: str, order: Sequence[str] = ()) -> None:
        """Compute what `run` returned into a file, in one of the values of FORMATS, in order of columns."""
        try:
            with self._computing("computed and wrote a query", lazy, path):
                self._write(lazy, path, form, order)
        except RankMetricsError as error:
            if "no space left" in str(error).lower():
                raise OSError(errno.ENOSPC, "no space is left on the disk") from error
            raise

    @abstractmethod
    def _run(self, sql: str, columns: Sequence[str]) -> Any: ...

    def _run_now(self, lazy: Any) -> Any:
        """What `run` returned, as it is; for a Text, its query, run in the way that is fastest for this engine."""
        if not isinstance(lazy, Text):
            return lazy
        LOGGER.debug("query for %s:\n%s", self.name, lazy.sql)
        return self._run_text(lazy)

    def _run_text(self, text: Text) -> Any:
        return self._run(text.sql, text.columns)

    @abstractmethod
    def _collect(self, lazy: Any) -> pl.DataFrame: ...

    def _rows(self, lazy: Any) -> list[tuple[Any, ...]]:
        return self._collect(lazy).rows()

    def _write(self, lazy: Any, path: Path, form: str, order: Sequence[str]) -> None:
        frame = self._collect(lazy)
        self.write_frame(self.in_order(frame, order) if order else frame, path, form)

    def _text(self, lazy: Any) -> str:
        """The text of a query that `run` returned."""
        return ""

    @contextmanager
    def _refusing(self, text: Callable[[], str], path: Path | None = None) -> Iterator[None]:
        """Raise exceptions of the engine as errors of rankmetrics; `path` is the file that is written."""
        try:
            yield
        except ImportError as error:
            raise not_imported(error) from error
        except self.raised as error:
            failure = self._failed(error, text, path)
            if failure is error:
                raise
            raise failure from error

    def _failed(self, error: BaseException, text: Callable[[], str], path: Path | None = None) -> BaseException:
        """The error to raise for an exception of the engine; `text` returns the query that failed."""
        return EngineError(self.name, self._reason(error), text())

    def _reason(self, error: BaseException) -> str:
        """The message of an exception, without what only a developer of the engine reads."""
        return str(error).strip()

    def write_frame(self, frame: pl.DataFrame, path: Path, form: str) -> None:
        """Write a computed frame into a file, in one of the values of FORMATS."""
        sink(frame.lazy(), path, form)

    def table_of(self, compute: Callable[[], pl.DataFrame]) -> Any:
        """A computed frame in the kind of what `run` returns: a LazyFrame, unless an engine has a kind of its own."""
        import polars as pl

        return pl.defer(compute, schema=lambda: compute().schema)

    # --- files ---

    def find_files(self, name: str, value: object, *, tables: bool = False) -> Files | None:
        """Record and return the files, or the table of a lakehouse, that an input names; None if it names no files."""
        if form := lakehouse.form_of_object(value):
            self.files[name] = Files([], form, value, {})
        elif (paths_and_form := files(value, tables=tables)) is None:
            return None
        else:
            reading = value.reading if isinstance(value, OfFormat) else {}
            self.files[name] = Files(*paths_and_form, value, {}, name=name, reading=reading)
            if not self.files[name].is_table:
                self.files[name].seen = seen(paths_and_form[0])
                lakehouse.refuse_files_of_tables(self.files[name].paths, self.files[name].seen)
        return self.files[name]

    def explained(self, name: str, schema: Schema) -> Schema:
        """The columns of an input; the types of texts and objects in files say why they are so."""
        whys = self.files[name].whys if name in self.files else {}
        return {column: replace(kind, why=whys.get(column)) for column, kind in schema.items()} if whys else schema

    def version_of(self, name: str) -> Version | None:
        """The version of the table of a lakehouse that an input was read from; None for other inputs."""
        return self.files[name].version if name in self.files else None

    def readings(self) -> Iterator[tuple[str, int | None]]:
        """Sentences on how inputs were read where their names do not tell it, each with the number of a version."""
        for name, file_input in self.files.items():
            if file_input.version:
                yield file_input.version.in_words(called(name)), file_input.version.number
            elif file_input.note:
                yield file_input.note, None

    def _unreadable(self, name: str, error: BaseException | str) -> InputError:
        reason = error if isinstance(error, str) else self._reason(error)
        return unreadable(called(name), reason, self.files[name].paths if name in self.files else ())

    @contextmanager
    def _computing(self, what: str, lazy: Any, path: Path | None = None) -> Iterator[None]:
        """The surroundings of a computation: inputs computed before, files in place, errors, a line in the log."""
        refuse_fork(self.name)
        for compute in self.before:
            compute()
        in_log = timed(logging.DEBUG, f"%s {what}", self.name)
        text = (lambda: lazy.sql) if isinstance(lazy, Text) else (lambda: self._text(lazy))
        with self._files_in_place(), in_log, self._refusing(text, path):
            yield

    @contextmanager
    def _files_in_place(self) -> Iterator[None]:
        """Refuse missing or changed files, before a query runs and after it failed."""
        self._refuse_changed_files()
        try:
            yield
        except EngineError:
            self._refuse_changed_files()
            raise

    def _refuse_changed_files(self) -> None:
        for name, before in self.files.items():
            now = seen(before.paths)
            for path in before.seen:
                if path not in now or not os.access(path, os.R_OK):
                    problem = "can no longer be read" if path in now else "no longer exists"
                    problem = "is a folder now" if Path(path).is_dir() else problem
                    raise said(InputError, "file_gone", path=path, table=called(name), problem=problem)
            if now == before.seen:
                continue
            has_changed = (
                f"The files {names(before.paths)} of the {called(name)} have changed since evaluate looked at them"
            )
            try:
                schema = type(self)({name: before.source}, self._connection, self.dialect).inputs[name].schema
            except InputError as error:
                raise InputError(f"{has_changed}, and cannot be read now. {error}") from error
            if before.schema and schema != before.schema:
                raise InputError(
                    f"{has_changed}: they had {_listed(before.schema)}, and have {_listed(schema)} now. Evaluate again."
                )
            before.seen = now


# What every message about a changed table says.
HAS_CHANGED = "has changed since evaluate looked at it"


def changed(name: str, schema: Schema, declared: DeclaredKeys) -> str:
    """The message that refuses a table whose columns, types or keys are no longer those that the query relies on."""
    keys = "".join(f", the key ({', '.join(sorted(key))})" for key in declared.keys)
    return f"The table of the {called(name)} {HAS_CHANGED}: it had {_listed(schema)}{keys}. Evaluate again."


def _listed(schema: Schema) -> str:
    return ", ".join(f"{name!r} ({kind})" for name, kind in schema.items())


# --- inputs as an engine sees them ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Input:
    """An input as its engine sees it."""

    schema: Schema  # the columns and their types
    table: exp.Expr  # the table or subquery to write after FROM
    name: str  # the name of the input as a table of a warehouse
    # True if `table` names the same rows outside this process, as a file or a table of a database does
    travels: bool = False
    is_query: bool = False  # True if the input is a SELECT, and so has no name
    # the condition that all its rows meet, from the option `where`; None without a condition
    condition: exp.Expr | None = None
    declared: DeclaredKeys = NO_KEYS  # the keys that the database enforces


@dataclass(frozen=True)
class Warehouse:
    """The database that a text of SQL is for, which may be that of the engine itself."""

    dialect: str
    is_elsewhere: bool  # True if it is not the engine's own
    fold: bool = True  # True if names get the case to which the dialect turns names without quotes

    @classmethod
    def of(cls, engine: Engine, dialect: str | None, *, quote_names: bool) -> Warehouse:
        """The database of a dialect, by default that of the engine."""
        return cls(dialect or engine.dialect, dialect not in (None, engine.dialect), fold=not quote_names)

    def column(self, name: str) -> str:
        """The name of a column there."""
        from rankmetrics.dialects import base as dialects

        return dialects.column_name(name, self.dialect) if self.is_elsewhere and self.fold else name

    def table(self, source: Input, name: str | None = None) -> exp.Expr:
        """An input there: the table of this name, by default the table that it is here, or is called after.

        Refuses a SELECT without a name in another database.
        """
        from sqlglot import exp

        from rankmetrics.dialects import base as dialects
        from rankmetrics.sqltree import tree

        if name is None and source.travels and not self.is_elsewhere:
            return source.table
        if source.is_query and name is None:
            tables = {f"{name}_table": Option(name, f"db.{name}") for name in ("recs", "truth")}
            raise said(DialectError, "nameless_select", dialect=self.dialect, **tables)
        is_named = isinstance(source.table, exp.Table) and isinstance(source.table.this, exp.Identifier)
        if name is None and source.travels and is_named and not source.table.args.get("catalog"):
            table = source.table.copy()  # with its schema
            if self.fold:
                dialects.fold(table, self.dialect)
            tree.quote(table)
        else:
            table = dialects.table(name or source.name, self.dialect, is_folded=self.fold)
        if source.condition is None:
            return table
        select = exp.select("*").from_(table).where(source.condition)
        if self.fold:
            dialects.fold(select.args["where"], self.dialect)
        return exp.Subquery(this=select)

    def text(self, query: exp.Expr, kept: Iterable[str] = ()) -> str:
        """A query, which is used up, as text; the columns that are `kept` keep their names."""
        from rankmetrics.dialects import base as dialects
        from rankmetrics.dialects.model import NamesOfJob

        return dialects.text(query, self.dialect, copy=False, job=NamesOfJob(frozenset(kept), self.fold))


def refuse_doubled(what: str, columns: Iterable[str]) -> None:
    """Refuse columns with equal names, or with names that differ in case only: only some engines tell these apart."""
    by_lower: dict[str, list[str]] = {}
    for column in columns:
        by_lower.setdefault(column.lower(), []).append(column)
    for same in by_lower.values():
        if len(same) > 1:
            differing = f"columns whose names differ in case only: {names(dict.fromkeys(same))}"
            problem = differing if len(set(same)) > 1 else f"{len(same)} columns called {same[0]!r}"
            raise ColumnError(f"The {what} has {problem}. Rename or drop all but one.")


def schema_of(what: str, columns: Iterable[tuple[str, ColumnType]]) -> Schema:
    """The columns of an input by their names; refuses an input without columns, and doubled names."""
    pairs = list(columns)
    if not pairs:
        raise InputError(f"There are no columns in the {what}.")
    refuse_doubled(what, [name for name, _ in pairs])
    return dict(pairs)


# --- kinds of inputs --------------------------------------------------------------------------------------------------

# The family of a type, by a pattern for its name in any database; the first pattern that fits counts.
FAMILIES: Mapping[str, Family] = {
    r"^(nullable\()?enum": "string",
    r"^\"?null\"?$|nothing\)?$|^void$|^unknown$": "unknown",
    r"^interval|^duration": "duration",
    r"^point|^geo": "other",
    r"^(nullable\()?(uuid|uniqueidentifier)": "string",
    r"^(nullable\()?time(64|_ns|tz)?(\W|$)": "time",
    r"^(nullable\()?(large|fixedsize)?(array|list|map|struct|row|tuple|nested|json|variant|object|super)": "nested",
    r"\[\d*\]$|^union": "nested",
    r"^bytea|^(long|medium|tiny)?blob|binary|^image": "binary",
    r"timestamp_?ntz": "datetime",
    r"(timestamp|datetime)\w*\(.*(['\"]|some)|with time zone|timestamp_?l?tz|datetimeoffset": "zoned datetime",
    r"timestamp|datetime": "datetime",
    r"\bdate": "date",
    r"\bbool|^bit$": "boolean",
    r"char|text|string|utf8|clob|varying|^name$|symbol": "string",
    r"(decimal|numeric|number)\w*\(\d+(, *0)?\)": "integer",
    r"int(eger|\d+|\b|\d+\b)|serial|^rowid": "integer",
    r"float|double|real|decimal|numeric|number|money": "float",
}

# The names of types whose values are lists of elements.
ARRAY = r"^(large|fixedsize)?(array|list)\W.*\w|\[\d*\]$"


def type_of(name: str, element: ColumnType | None = None, fields: Iterable[tuple[str, ColumnType]] = ()) -> ColumnType:
    """The type of a column, by the type's name in a database; an element that is not given is read off the name."""
    lower = name.lower()
    family: Family = next((family for pattern, family in FAMILIES.items() if re.search(pattern, lower)), "other")
    if element is None and re.search(ARRAY, lower):
        element = type_of(re.sub(r"^\w+[(<](.*)[)>]$|\[\d*\]$", r"\1", name))
    return ColumnType(family, name, element, tuple(fields))


def module_of(value: object) -> str:
    """The library that defines the type of a value, as in `polars`."""
    return type(value).__module__.partition(".")[0].removeprefix("_")


def kind_of(value: object) -> str:
    """The type of a value as messages name it, as in `polars.dataframe.frame.DataFrame`."""
    return f"{type(value).__module__}.{type(value).__qualname__}"


def not_imported(error: ImportError) -> InputError:
    """The error for a package that another package needs and that cannot be imported, with the versions that meet."""
    installed = []
    for package in ("numpy", "pandas", "pyarrow", "polars", "duckdb"):
        with suppress(PackageNotFoundError):
            installed.append(f"{package} {version(package)}")
    return said(InputError, "failed_import", error=error, installed=", ".join(installed))


def refuse_masked(what: str, advice: str, *arrays: Any) -> None:
    """Refuse arrays of NumPy with masked values: nothing reads their mask."""
    for array in arrays:
        if hasattr(array, "filled") and (n := int(array.mask.sum())):
            values = counted(n, f"value of the {what} is", f"values of the {what} are")
            raise InputError(f"The mask of an array is not read, and {values} masked: {advice}.")


def unknown(what: str, value: object) -> InputError:
    """The error for an input of a kind that no engine reads."""
    return said(InputError, "no_engine", table=what, kind=kind_of(value), advice=_frame_of(value))


def _frame_of(value: object) -> str:
    """A sentence that says how to make a frame of a value, if that is known."""
    is_array = len(getattr(value, "shape", ())) == 2
    if is_array or (isinstance(value, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in value)):
        users = "(np.arange(len(array)), array)" if is_array else "dict(enumerate(rows))"
        return (
            f" If each row holds the items of a list, say whose they are: {users} numbers the users from 0. If each "
            "row holds a user and an item, make a frame of the rows and name its columns: pl.DataFrame(rows, "
            'orient="row", schema=["user", "item", ...]).'
        )
    if isinstance(value, Mapping):
        return " Make a frame of the columns: pl.DataFrame(columns)."
    if module_of(value) == "numpy":
        return " Make a frame of the array: pl.DataFrame(array)."
    is_rows = isinstance(value, Iterable) and not hasattr(value, "to_frame")
    return " Make a frame of the rows: pl.DataFrame(rows)." if is_rows else ""


def no_table(value: str) -> InputError:
    """The error for a string that names no file, and no table because there is no connection."""
    return said(InputError, "no_such_table", value=value)


# The last process that forked while Polars had threads: this one, or one that it descends from.
_forked_with_threads = 0


def _remember_threads() -> None:
    """Remember, before this process forks, whether Polars has threads: they do not exist in the new process.

    Only Linux, where fork is usual, has files with the names of threads. Threads that compute have a number; a thread
    that cleans up begins with the import, and no query waits for it.
    """
    global _forked_with_threads
    with suppress(OSError):  # a thread may end meanwhile
        if any(re.match(r"polars-\d", file.read_text()) for file in Path("/proc/self/task").glob("*/comm")):
            _forked_with_threads = os.getpid()


def refuse_fork(engine: str) -> None:
    """Refuse to compute where Polars would wait for threads of the process that this one was forked from."""
    if _forked_with_threads not in (0, os.getpid()):
        raise EngineError(
            engine,
            "this process was forked from one in which Polars had started threads. They do not exist here, and the "
            'query would wait for them for ever. Start processes with multiprocessing.get_context("spawn").',
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_remember_threads)
