"""Databases over their own tables: the query runs in the database, over the user's connection; results are LazyFrames.

Nothing is written into the database, not even a temporary table: the right to read is enough.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import polars as pl
import sqlglot
from sqlglot import TokenType, exp

from rankmetrics.dialects import base as dialects
from rankmetrics.engines.base import Engine, Input, changed, kind_of, schema_of, type_of
from rankmetrics.engines.connections import answers, dialect_of, tables, unwrapped
from rankmetrics.engines.files import is_file, is_query
from rankmetrics.engines.polars import family_of
from rankmetrics.engines.selects import query, union_of_systems, unnest
from rankmetrics.errors import (
    ColumnError,
    DialectError,
    EngineError,
    InputError,
    Option,
    RankMetricsError,
    did_you_mean,
)
from rankmetrics.inputs.assumptions import NO_KEYS, REQUIRED, DeclaredKeys
from rankmetrics.inputs.columns import NUMBERS, ColumnType, Family, Schema
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import called
from rankmetrics.messages import said
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import after_from, call

# The number of rows of a SELECT to infer its types from, if the driver does not report them.
SAMPLE_ROWS = 100

# The mark of a text in a column of numbers, where each value has a type of its own.
TEXT = "text among numbers"

# The type of a column of NULLs, by the family of the column of the recommendations that it comes from.
EMPTY: Mapping[Family, Any] = {
    "integer": pl.Int64,
    "string": pl.String,
    "date": pl.Date,
    "datetime": pl.Datetime,
    "boolean": pl.Boolean,
}


class Database(Engine):
    """Runs the queries in a database; results are LazyFrames, whose query runs once, when one is first collected."""

    raised = (pl.exceptions.PolarsError,)

    def __init__(self, inputs: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        try:
            with unwrapped(connection) as own:
                self.dialect = dialect_of(own, dialect)
        except RankMetricsError:
            raise
        except Exception as error:  # each driver raises errors of its own
            raise InputError(f"The database cannot be asked over this connection: {error}") from error
        self.name = dialects.DIALECTS[self.dialect].called
        self.called_rows = f"a table in {self.name}"
        self._grammar = dialects.grammar(self.dialect)
        if not dialects.DIALECTS[self.dialect].drivers:
            raise DialectError(f"{self.name} is not a database that a connection leads to.")
        self._catalog = dialects.DIALECTS[self.dialect].catalog
        self._refused: RankMetricsError | None = None
        self._numbers: dict[str, list[str]] = {}  # columns of numbers that may hold texts, too, by the input
        self._watched: dict[str, tuple[exp.Table, str]] = {}  # tables, each with a message that it has changed
        self._known: set[tuple[Any, ...]] = set()  # what the catalog said of them, as `_select_definitions` returns it
        super().__init__(inputs, connection)

    def owns(self, connection: Any) -> None:
        close = getattr(connection, "close", None) or connection.dispose
        weakref.finalize(self, close)

    def _schema(self, name: str, table: Input) -> Schema:
        return table.schema

    def _put(self, name: str, table: Input) -> None:
        self.inputs[name] = self._tables[name] = replace(table, name=table.name or name)
        if isinstance(table.table, exp.Subquery):
            self.taken |= {read.name.lower() for read in table.table.find_all(exp.Table)}

    def _union(self, tables: Mapping[str, Input], columns: Sequence[str], column: str) -> Input:
        union = union_of_systems({system: table.table for system, table in tables.items()}, columns, column)
        schema = {**next(iter(tables.values())).schema, column: ColumnType("string", "text")}
        return Input(schema, union, "", travels=True)

    def _read(self, name: str, value: object) -> Input:
        if not isinstance(value, str):
            raise said(InputError, "no_name_of_table", table=called(name), database=self.name, kind=kind_of(value))
        if is_query(value):
            return self._of_query(name, value)
        if is_file(value):
            raise said(InputError, "file_beside_database", table=called(name), file=value, database=self.name)
        why: list[str] = []
        for table in dict.fromkeys(
            dialects.table(value, self.dialect, is_folded=is_temporary) for is_temporary in (False, True)
        ):
            if columns := self._columns(table, why):
                schema = schema_of(called(name), columns)
                return Input(schema, table, value, travels=True, declared=self._look_at(name, table, schema))
        reason = f" {self.name} says: {why[0]}" if why else ""
        known: list[str] = []
        with suppress(Exception):  # the names only improve the message
            known = tables(self._connection, self._catalog.tables, self.dialect)
        near = did_you_mean(value, [name for name in known if name != value])
        raise InputError(f"There is no table {value!r} in {self.name} that this connection can read.{near}{reason}")

    def _of_query(self, name: str, text: str) -> Input:
        select = query(called(name), text, self.dialect)
        table = exp.Subquery(this=select)
        named = call(table.copy(), name)
        try:
            if self._catalog.describes_queries:
                described = self._ask(exp.Describe(this=table.copy()).sql(self._grammar)).rows()
                columns = [(str(row[0]), type_of(str(row[1]))) for row in described]
                return Input(schema_of(called(name), columns), table, name, travels=True, is_query=True)
            for rows in (0, SAMPLE_ROWS):  # an Arrow result has types even without rows
                frame = self._ask(exp.select("*").from_(named.copy()).limit(rows).sql(self._grammar, identify=True))
                if pl.Null not in frame.schema.values():
                    break
        except EngineError as error:
            raise InputError(f"The {called(name)} cannot be read: {error.reason}") from error
        if frame.is_empty() and set(frame.dtypes) == {pl.Null}:
            raise InputError(f"The {called(name)} cannot be read: the SELECT returns no row, so its types are unknown.")
        columns = [(column, _type_of_result(frame[column])) for column in frame.columns]
        if self._catalog.values_have_types:
            types = self._types_of_values(table, frame.columns)
            columns = [(column, types[column] if types[column].family == "mixed" else kind) for column, kind in columns]
        return Input(schema_of(called(name), columns), table, name, travels=True, is_query=True)

    def keep(self, name: str, condition: exp.Expr) -> None:
        old = self.inputs[name]
        select = exp.select("*").from_(after_from(old.table, "rows")).where(condition)
        try:
            self._ask(select.limit(0).sql(self._grammar, identify=True))
        except EngineError as error:
            raise InputError(f"{Option('where')} cannot be computed: {error.reason}") from error
        self._put(name, replace(old, table=exp.Subquery(this=select)))

    def _columns(self, table: exp.Table, why: list[str]) -> list[tuple[str, ColumnType]]:
        """The columns of a table, from the database's catalog; if there is no table, `why` gets the reason."""
        try:
            answer = self._ask(dialects.about(self._catalog.columns, table, self.dialect))
        except EngineError as error:
            try:
                self._ask("SELECT 1")
            except EngineError:
                problem = f"{self.name} cannot be asked over this connection: {error.reason}"
                raise InputError(problem) from error
            why.append(error.reason)
            return []
        columns = [(str(row[0]), type_of(str(row[1]))) for row in answer.rows()]
        types = self._types_of_values(table, [name for name, kind in columns if not kind.name])
        return [(name, types.get(name, kind)) for name, kind in columns]

    def _look_at(self, name: str, table: exp.Table, schema: Schema) -> DeclaredKeys:
        """Keep the definition of a table, if the database has one; returns the keys that the database enforces."""
        if not self._catalog.definition:
            return NO_KEYS
        try:
            rows = self._ask(self._select_definitions({name: table})).rows()
        except EngineError:  # the catalog cannot be read
            return NO_KEYS
        declared = DeclaredKeys.of_rows(row[1:3] for row in rows if row[3] is None) if name in REQUIRED else NO_KEYS
        self._watched[name] = table, changed(name, schema, declared)
        if self._catalog.values_have_types:
            self._numbers[name] = [column for column, kind in schema.items() if kind.family in NUMBERS]
        self._known.update(rows)
        return declared

    def _select_definitions(self, tables: Mapping[str, exp.Table], read: str = "") -> str:
        """The query for the definitions of tables, and for a text in each column of numbers that a query reads."""
        arms = [
            exp.select(tree.named(exp.Literal.string(name), "input"), "definition.*").from_(
                call(exp.Subquery(this=sqlglot.parse_one(text, read=self._grammar)), "definition")
            )
            for name, table in tables.items()
            for text in [dialects.about(self._catalog.definition, table, self.dialect)]
        ]
        tokens = sqlglot.tokenize(read, read=self._grammar) if self._numbers and read else []
        names_read = {token.text for token in tokens if token.token_type is TokenType.IDENTIFIER}
        arms += [
            exp.select(exp.convert(name), "CAST(cell AS TEXT)", exp.convert(column), exp.convert(TEXT)).from_(
                exp.select(tree.named(tree.given(column), "cell"))
                .from_(table.copy())
                .where(tree.fill("TYPEOF(:cell) = 'text'", self._grammar, cell=tree.given(column)))
                .limit(1)
                .subquery("texts")
            )
            for name, table in tables.items()
            for column in self._numbers.get(name, ())
            if column in names_read
        ]
        return tree.union_all(arms).sql(self._grammar)

    def _types_of_values(self, table: exp.Expr, columns: Sequence[str]) -> dict[str, ColumnType]:
        """The types of columns without a declared type, as in a view of SQLite, by the values of all rows.

        There, each value has a type of its own, 1 and '1' are different values, and numbers are lower than texts.
        """
        if not columns:
            return {}
        texts = "TYPEOF(MIN(:x))", "TYPEOF(MAX(:x))", "MAX(CASE WHEN TYPEOF(:x) = 'real' THEN 1 ELSE 0 END)"
        outputs = [tree.fill(text, self._grammar, x=tree.given(column)) for column in columns for text in texts]
        named = [tree.named(output, f"output_{place}") for place, output in enumerate(outputs)]
        select = exp.select(*named).from_(call(table.copy(), "given"))
        (row,) = self._ask(select.sql(self._grammar)).rows()
        return dict(zip(columns, map(_type_of_values, row[::3], row[1::3], row[2::3]), strict=True))

    def _unnest(self, name: str, table: Input, shape: Shape) -> Input:
        select = unnest(self.dialect, table.table, shape, table.schema)
        if select is None:
            column, table_name = shape.lists[0], called(name)
            raise said(ColumnError, "lists_in_database", column=column, table=table_name, database=self.name)
        types = {column: table.schema[column] for column in shape.kept(table.schema)}
        types |= {name: table.schema[columns[0]] for name, columns in shape.wide.items()}
        types |= {column: table.schema[column].element or table.schema[column] for column in shape.lists}
        types |= {shape.rank: ColumnType("integer", "whole")} if shape.rank else {}
        return replace(table, table=exp.Subquery(this=select), schema=types, declared=NO_KEYS)

    def _run(self, sql: str, columns: Sequence[str]) -> pl.LazyFrame:
        watched, known = self._watched.copy(), self._known.copy()
        # after the query: nobody can change a table until the transaction that has read it ends
        definitions = (
            [self._select_definitions({name: table for name, (table, _) in watched.items()}, sql)] if watched else []
        )

        @cache
        def answer() -> pl.DataFrame:
            frame, *catalog = self._answers(sql, *definitions)
            rows = {row for definition in catalog for row in definition.rows()}
            texts = {row for row in rows if row[3] == TEXT}
            there = {name for name, *_ in rows}  # a query that reads a table which is gone has failed already
            differing = there & {name for name, *_ in known ^ (rows - texts)}
            for name, (_, message) in watched.items():
                if name in differing:
                    self._refused = InputError(message, page="databases/#tables-that-change")
                    raise self._refused
            for name, cell, column, _ in texts:
                words = {"column": column, "table": called(name), "cell": cell, "database": self.name}
                self._refused = said(ColumnError, "texts_among_numbers", **words)
                raise self._refused
            return self._normalize(frame, columns)

        return pl.defer(answer, schema=lambda: answer().schema)

    def _ask(self, sql: str) -> pl.DataFrame:
        return self._answers(sql)[0]

    def _answers(self, *queries: str) -> list[pl.DataFrame]:
        try:
            return answers(self._connection, self.dialect, *queries)
        except Exception as error:  # each driver raises errors of its own
            self._refused = EngineError(self.name, str(error).strip(), queries[0])
            raise self._refused from error

    def _normalize(self, frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
        """The result of a query with the requested column names, and with integers and 64-bit floats as numbers."""
        frame = frame.rename(dict(zip(frame.columns, columns, strict=True)))
        types = next(iter(self.inputs.values())).schema
        casts: dict[Any, Any] = {}
        for name, kind in frame.schema.items():
            if kind == pl.Object:  # values without a Polars type, such as UUIDs
                strings = [None if value is None else str(value) for value in frame[name]]
                frame = frame.with_columns(pl.Series(name, strings, pl.String))
            elif kind == pl.Null:
                casts[name] = EMPTY.get(types[name].family, pl.String) if name in types else pl.Float64
            elif name not in types and (kind.is_decimal() or kind == pl.Float32):
                casts[name] = pl.Float64
            elif name not in types and kind.is_unsigned_integer():
                casts[name] = pl.Int64
        texts = [name for name, kind in frame.schema.items() if name not in types and kind == pl.String]
        numbers = [frame[name].cast(pl.Float64, strict=False) for name in texts]  # some drivers return numbers as texts
        are_all = [column for column in numbers if column.null_count() == frame[column.name].null_count()]
        return frame.cast(casts).with_columns(are_all)

    def _collect(self, lazy: pl.LazyFrame) -> pl.DataFrame:
        self._refused = None
        return lazy.collect()

    def _failed(self, error: BaseException, text: Callable[[], str], path: Path | None = None) -> BaseException:
        return self._refused or error  # the database's error instead of the error that Polars wraps it in


def _type_of_values(low: str, high: str, has_real: int | None) -> ColumnType:
    """The type of values, by the types of the lowest and the highest, and whether there are floats; NULLs are texts."""
    kinds = [kind.replace("integer", "real") if has_real else kind for kind in (low, high)]
    if kinds[0] == kinds[1]:
        return type_of(kinds[0].replace("null", "text"))
    return ColumnType("mixed", f"{low} and {high}")


def _type_of_result(values: pl.Series) -> ColumnType:
    """The type of a column of a result; the width of an integer is unknown."""
    if values.dtype == pl.Object:
        is_uuid = isinstance(values.drop_nulls().first(), UUID)
        return ColumnType("string", "uuid") if is_uuid else ColumnType("other", "")
    family = family_of(values.dtype)
    return ColumnType(family, "whole" if family == "integer" else str(values.dtype))


ENGINE = Database
