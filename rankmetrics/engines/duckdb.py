"""DuckDB over relations, tables and views of a connection, files, and objects that export an Arrow stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb
from sqlglot import exp
from sqlglot.errors import SqlglotError

from rankmetrics.dialects import base as dialects
from rankmetrics.engines import duckdb_lists
from rankmetrics.engines.arrow import (
    ArrowFiles,
    as_arrow,
    column_names,
    in_plain_types,
    is_column,
    refuse_doubled_in_parquet,
    with_index,
)
from rankmetrics.engines.base import SHOWN, Engine
from rankmetrics.engines.duckdb_connection import reason, relation_over, tables_of
from rankmetrics.engines.duckdb_memory import count_sorted_parts
from rankmetrics.engines.duckdb_profile import log_profile
from rankmetrics.engines.duckdb_types import type_of
from rankmetrics.engines.duckdb_writers import write_relation
from rankmetrics.engines.input import Input, refuse_doubled, schema_of
from rankmetrics.engines.kinds import module_of, no_order, no_table, unknown
from rankmetrics.engines.paths import Files, is_query, table_name, unreadable
from rankmetrics.engines.selects import query
from rankmetrics.engines.systems import Systems, inputs_of, names_of, refuse_hidden
from rankmetrics.engines.text_files import read_by, text_table
from rankmetrics.errors import EngineError, InputError
from rankmetrics.inputs.assumptions import NO_KEYS, REQUIRED, DeclaredKeys
from rankmetrics.inputs.columns import ColumnType, Schema, Side
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import INPUT_FILE, INPUT_ROW, called
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

if TYPE_CHECKING:
    import polars as pl

Found = TypeVar("Found")

# The exceptions of a scan that fails on a Python object: Arrow's, and those of the object's own export.
NO_TABLE = (TypeError, ValueError, NotImplementedError, OSError)


class DuckDB(Engine):
    """Runs the queries in DuckDB; results are relations."""

    name = "DuckDB"
    dialect = "duckdb"
    at_once = True
    stopped = (duckdb.OutOfMemoryException, duckdb.InterruptException)

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._objects: dict[str, object] = {}
        self.files = {}
        self._of_paths: dict[str, exp.Table] = {}
        self._ordered: dict[str, bool] = {}
        self.taken: frozenset[str] = frozenset()
        self._sql = self._home(given, connection)
        self._opened_with = connection
        self.inputs: dict[str, Input] = {}
        for name, value in given.items():
            self._add(name, value, connection)

    def _home(self, given: Mapping[str, object], connection: object | None) -> Callable[[str], object]:
        """Runs SQL on the given connection, else on the connection of a relation, else on a new connection."""
        if isinstance(connection, duckdb.DuckDBPyConnection):
            self._connection = connection
            self.taken = tables_of(connection.sql)
            return connection.sql
        every = [one for value in given.values() for one in inputs_of(value)]
        relations = [one for one in every if isinstance(one, duckdb.DuckDBPyRelation)]
        if not relations:
            return duckdb.connect().sql
        query = relations[0].query
        self.taken = tables_of(partial(query, "rankmetrics_tables"))
        return partial(query, free_name("rankmetrics_home", self.taken, "_"))

    def _add(self, name: str, value: object, connection: object | None) -> None:
        of_systems = isinstance(value, Systems)
        take: Any = self._of_systems if of_systems else self._table
        table, self._ordered[name] = take(name, value, connection)
        columns = self._columns(name, table)
        travels = not {one.name for one in table.find_all(exp.Table)} & {*self._objects}
        is_select = isinstance(value, str) and is_query(value)
        called = value if isinstance(value, str) and travels and not is_select and name not in self.files else None
        may_have_keys = called and name in REQUIRED and isinstance(table, exp.Table)
        declared = self._declared_keys(table) if may_have_keys else NO_KEYS
        shown = called or table_name(value, name)
        self.inputs[name] = Input(columns, table, shown, travels, is_select, declared=declared)

    def _declared_keys(self, table: exp.Table) -> DeclaredKeys:
        """The keys of a table of the connection."""
        catalog = dialects.DIALECTS[self.dialect].catalog
        assert catalog is not None
        assert catalog.keys is not None
        return DeclaredKeys.of_rows(self._relation(catalog.keys(table).sql("duckdb")).fetchall())

    def _columns(self, name: str, table: exp.Expr) -> Schema:
        """The columns of an input; recorded in `files`, if it is read from files."""
        columns = self._describe(name, table)
        self._refuse_renamed(name, columns)
        if name in self.files:
            self.files[name].schema = columns
        return columns

    def _of_systems(self, name: str, systems: Systems, connection: object | None) -> tuple[exp.Expr, bool]:
        """The tables of several systems as one table, and whether its rows have an order."""
        found, columns = [], {}
        for system, value in systems.inputs.items():
            of_system = systems.called(name, system)
            found.append(self._table(of_system, value, connection))
            columns[system] = [*self._columns(of_system, found[-1][0])]
        systems.refuse_unlike(columns)
        order = next(iter(columns.values()))
        arms = [
            exp.select(
                *map(tree.column, order), exp.alias_(exp.Literal.string(system), systems.column, quoted=True)
            ).from_(table)
            for system, (table, _) in zip(systems.inputs, found, strict=True)
        ]
        union = exp.union(*arms, distinct=False, copy=False) if len(arms) > 1 else arms[0]
        return exp.Subquery(this=union), all(is_ordered for _, is_ordered in found)

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        condition, found = self.inputs[name].condition, self.files.get(name)
        if found is None or len(self._found(found.paths)) < 2:
            return None
        file = free_name(INPUT_FILE, self.inputs[name].schema)
        table = self._with_file(name, file)
        if name in self.shapes:
            table = duckdb_lists.unnest(
                table, self.shapes[name], {**found.schema, file: ColumnType("string", "VARCHAR")}
            )
        select = exp.select(exp.Star()).from_(table)
        return exp.Subquery(this=select.where(condition.copy()) if condition else select), file

    def name_files(self, name: str, column: str) -> None:
        old = self.inputs[name]
        if name not in self.files:
            super().name_files(name, column)
            return
        refuse_hidden(column, [*old.schema])
        file, system = free_name(INPUT_FILE, old.schema), exp.Case()
        for path, called_so in names_of(self._found(self.files[name].paths)).items():
            is_file = exp.EQ(this=tree.column(file), expression=exp.Literal.string(path))
            system = system.when(is_file, exp.Literal.string(called_so))
        select = exp.select(*map(tree.column, old.schema), exp.alias_(system, column, quoted=True))
        named = exp.Subquery(this=select.from_(self._with_file(name, file)))
        self.inputs[name] = replace(old, table=named, schema=self._describe(name, named))

    def _with_file(self, name: str, column: str) -> exp.Expr:
        """The files of an input with a column of the path of each row's file."""
        if self.files[name].form == "arrow":
            variable = free_name("rankmetrics_by_file", {*self.taken, *self._objects}, "_")
            self._objects[variable] = ArrowFiles(called(name), self.files[name].paths, file_column=column)
            return exp.to_table(variable)
        table = self._of_paths[name].copy()
        table.this.append("expressions", exp.Kwarg(this=exp.var("filename"), expression=exp.Literal.string(column)))
        return table

    def _found(self, paths: Sequence[str]) -> list[str]:
        """The paths of all files that paths and globs name, as DuckDB spells them."""
        pattern = [exp.Literal.string(path) for path in paths]
        listed = exp.Array(expressions=pattern) if len(pattern) > 1 else pattern[0]
        select = exp.select("file").from_(exp.Table(this=exp.Anonymous(this="glob", expressions=[listed])))
        return [str(row[0]) for row in self._relation(select.sql("duckdb")).fetchall()]

    def copy(self, name: str, new: str) -> None:
        self.inputs[new], self._ordered[new] = self.inputs[name], self._ordered[name]

    def _open(self, name: str, value: object) -> None:
        self._add(name, value, self._opened_with)

    def number_rows(self, name: str) -> str:
        if not self._ordered[name]:
            raise no_order(f"a DuckDB table or relation (the {called(name)})")
        number = free_name(INPUT_ROW, self.inputs[name].schema)
        self._derive(name, [exp.Star(), exp.alias_(exp.Window(this=exp.RowNumber()), number, quoted=True)])
        return number

    def parts(self, name: str, side: Side) -> int:
        return count_sorted_parts(self.inputs[name].table, side, self._relation)

    def unnest(self, name: str, shape: Shape) -> None:
        old = self.inputs[name]
        uneven = duckdb_lists.find_uneven(old.table, shape, old.schema, SHOWN) if len(shape.lists) > 1 else None
        self._unnested(name, shape, uneven and self._relation(uneven.sql("duckdb", identify=True)))
        table = duckdb_lists.unnest(old.table, shape, old.schema)
        self.inputs[name] = replace(old, table=table, schema=self._describe(name, table), declared=NO_KEYS)

    def _derive(self, name: str, columns: Sequence[exp.Expr]) -> None:
        """Replace an input by a query over it."""
        old = self.inputs[name]
        table = exp.Subquery(this=exp.select(*columns).from_(old.table.copy()))
        self.inputs[name] = replace(old, table=table, schema=self._describe(name, table), declared=NO_KEYS)

    def _table(self, name: str, given: object, connection: object | None) -> tuple[exp.Expr, bool]:
        """The table or subquery of an input, and whether its rows have an order."""
        value: Any = given
        is_table = connection is not None and str(value).lower() in self.taken
        if found := self.find_files(name, value, tables=is_table):
            if found.form != "arrow":
                self._of_paths[name] = self._of_files(name, found)
                return self._of_paths[name].copy(), True
            value = ArrowFiles(called(name), found.paths)
        if isinstance(value, str):
            if is_query(value):
                return self._of_query(called(name), value), False
            if connection is None:
                raise no_table(value)
            try:
                return exp.to_table(value, dialect="duckdb"), False
            except SqlglotError as error:
                raise InputError(f"{value!r} cannot be the name of a table.") from error
        is_relation = isinstance(value, duckdb.DuckDBPyRelation)
        refuse_doubled(called(name), column_names(value) or ())
        if not is_relation and (value := _readable(called(name), value)) is None:
            raise unknown(called(name), given)
        taken = {*self.taken, *self._objects}  # DuckDB prefers a table to an object of the same name
        variable = free_name(re.sub(r"\W+", "_", f"rankmetrics_{name}").rstrip("_"), taken, "_")
        self._objects[variable] = value
        return exp.to_table(variable), not is_relation

    def _of_files(self, name: str, found: Files) -> exp.Table:
        """The table function that reads files."""
        if found.form == "parquet":
            return read_by("read_parquet", found.paths)
        try:
            return text_table(called(name), found.paths, found.form, self._relation)
        except duckdb.Error as error:
            raise unreadable(called(name), reason(error), found.paths) from error

    def _of_query(self, what: str, text: str) -> exp.Expr:
        """A SELECT as a subquery."""
        select = query(what, text, self.dialect)
        try:
            columns = self._relation(select.sql("duckdb")).columns
        except duckdb.Error as error:
            raise unreadable(what, reason(error)) from error
        refuse_doubled(what, columns)
        return exp.Subquery(this=select)

    def keep(self, name: str, condition: exp.Expr) -> None:
        select = exp.select(exp.Star()).from_(self.inputs[name].table.copy()).where(condition)
        table = exp.Subquery(this=select)
        self._describe(name, table)
        self.inputs[name] = replace(self.inputs[name], table=table)

    def _describe(self, name: str, table: exp.Expr) -> Schema:
        text = exp.select(exp.Star()).from_(table.copy()).sql("duckdb", identify=True)
        try:
            relation = self._relation(text)
            types = [type_of(kind) for kind in relation.types]
        except duckdb.Error as error:
            raise unreadable(called(name), reason(error), self._paths(name)) from error
        except NO_TABLE as error:
            raise unreadable(called(name), error) from error
        return schema_of(called(name), zip(relation.columns, types, strict=True))

    def _paths(self, name: str) -> list[str]:
        return self.files[name].paths if name in self.files else []

    def _refuse_renamed(self, name: str, columns: Schema) -> None:
        """Refuse Parquet files whose column names are equal or differ in case only: DuckDB renames such columns."""
        lower = {column.lower() for column in columns}
        renamed = [one for one in lower if (base := re.fullmatch(r"(.+)_\d+", one)) and base[1] in lower]
        if renamed and name in self.files and self.files[name].form == "parquet":
            refuse_doubled_in_parquet(called(name), self.files[name].paths)

    def _relation(self, text: str) -> duckdb.DuckDBPyRelation:
        """The relation of a query, not computed yet."""
        return relation_over(self._sql, text, self._objects)

    def _run(self, sql: str, columns: Sequence[str]) -> duckdb.DuckDBPyRelation:
        try:
            return self._relation(sql)
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), sql) from error

    def table_of(self, compute: Callable[[], pl.DataFrame]) -> duckdb.DuckDBPyRelation:
        return self._relation_of(compute())

    def _collect(self, lazy: duckdb.DuckDBPyRelation) -> pl.DataFrame:
        frame: pl.DataFrame = self._computed(lazy, lazy.pl)
        return frame

    def _rows(self, lazy: duckdb.DuckDBPyRelation) -> list[tuple[Any, ...]]:
        return self._computed(lazy, lazy.fetchall)  # no import of Polars, which takes half the time of a small job

    def _computed(self, lazy: duckdb.DuckDBPyRelation, compute: Callable[[], Found]) -> Found:
        try:
            computed = compute()
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), lazy.sql_query()) from error
        log_profile(self._connection)
        return computed

    def _write(self, lazy: duckdb.DuckDBPyRelation, path: Path, form: str) -> None:
        try:
            write_relation(lazy, path, form)
        except duckdb.IOException as error:
            if str(path) in str(error):
                raise OSError(reason(error)) from error
            raise EngineError(self.name, reason(error), lazy.sql_query()) from error
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), lazy.sql_query()) from error

    def write_frame(self, frame: pl.DataFrame, path: Path, form: str) -> None:
        self.write(self._relation_of(frame), path, form)

    def _relation_of(self, frame: pl.DataFrame) -> duckdb.DuckDBPyRelation:
        """The rows of a frame as a relation of the connection."""
        variable = free_name("rankmetrics_frame", self.taken, "_")
        select = exp.select(exp.Star()).from_(exp.to_table(variable))
        return relation_over(self._sql, select.sql("duckdb"), {variable: frame})


def _readable(what: str, value: Any) -> Any:
    """An object that DuckDB can scan several times; None for an object that it cannot scan."""
    if is_column(value):
        return None
    value = with_index(what, value)
    scanned = module_of(value) in ("pandas", "polars", "pyarrow") and type(value).__name__ != "RecordBatchReader"
    return in_plain_types(value if scanned else as_arrow(value))


ENGINE = DuckDB
