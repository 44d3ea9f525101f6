"""Polars over frames and files; results are LazyFrames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import polars as pl
from sqlglot import exp

from rankmetrics.engines import polars_lists
from rankmetrics.engines.arrow import (
    Batches,
    as_arrow,
    column_names,
    in_plain_types,
    refuse_doubled_in_parquet,
    with_index,
)
from rankmetrics.engines.base import SHOWN, Engine
from rankmetrics.engines.drivers import of_plain_types
from rankmetrics.engines.input import Input, refuse_doubled
from rankmetrics.engines.kinds import no_table, unknown
from rankmetrics.engines.paths import is_query, local_files, unreadable
from rankmetrics.engines.polars_frames import scan_batches, scan_files, scan_files_by_name, scan_query, scan_relation
from rankmetrics.engines.polars_rank import build_rank_key
from rankmetrics.engines.polars_types import cast_to_common_types, type_columns
from rankmetrics.engines.sinks import SINKS
from rankmetrics.engines.systems import Systems, names_of, refuse_hidden
from rankmetrics.errors import EngineError, InputError, Option, RankMetricsError
from rankmetrics.inputs.columns import Side
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import INPUT_FILE, INPUT_RANK, INPUT_ROW, called
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# The exceptions that Polars raises; functions of the caller may raise any other.
FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


class Polars(Engine):
    """Runs the queries in Polars; results are LazyFrames."""

    name = "Polars"
    dialect = "polars"
    at_once = True

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self.files = {}
        self._opened_with = connection
        frames = {name: self._frame(name, value, connection) for name, value in given.items()}
        schemas = {name: self._schema(name, frame) for name, frame in frames.items()}
        self.inputs: dict[str, Input] = {
            name: Input(type_columns(called(name), schema), tree.table(name), name) for name, schema in schemas.items()
        }
        for name, found in self.files.items():
            if name in self.inputs:
                found.schema = self.inputs[name].schema
        self._schemas = schemas
        self._frames = cast_to_common_types(frames, schemas)

    def frame(self, name: str) -> pl.LazyFrame:
        """An input as a lazy frame."""
        return self._frames[name]

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        found = self.files.get(name)
        if found is None or len(local_files(found.paths)) < 2:
            return None
        file = free_name(INPUT_FILE, self.inputs[name].schema)
        frame = scan_files_by_name(called(name), found, file)
        if name in self.shapes:
            frame = polars_lists.unnest(frame, self.shapes[name])
        if (condition := self.inputs[name].condition) is not None:
            frame = _filter_rows(frame, condition)
        self._frames[f"{name}_by_file"] = frame
        return tree.table(f"{name}_by_file"), file

    def name_files(self, name: str, column: str) -> None:
        found = self.files.get(name)
        if found is None:
            super().name_files(name, column)
            return
        refuse_hidden(column, [*self.inputs[name].schema])
        file = free_name(INPUT_FILE, self.inputs[name].schema)
        systems = pl.col(file).replace_strict(names_of(local_files(found.paths)), return_dtype=pl.String)
        frame = scan_files_by_name(called(name), found, file).with_columns(systems.alias(column)).drop(file)
        self._schemas[name] = frame.collect_schema()
        self._frames |= cast_to_common_types({name: frame}, self._schemas)
        self.inputs[name] = replace(self.inputs[name], schema=type_columns(called(name), self._schemas[name]))

    def copy(self, name: str, new: str) -> None:
        self.inputs[new] = replace(self.inputs[name], table=tree.table(new), name=new)
        self._frames[new], self._schemas[new] = self._frames[name], self._schemas[name]

    def _open(self, name: str, value: object) -> None:
        frame = self._frame(name, value, self._opened_with)
        self._schemas[name] = self._schema(name, frame)
        self.inputs[name] = Input(type_columns(called(name), self._schemas[name]), tree.table(name), name)
        if name in self.files:
            self.files[name].schema = self.inputs[name].schema
        self._frames |= cast_to_common_types({name: frame}, self._schemas)

    def number_rows(self, name: str) -> str:
        number = free_name(INPUT_ROW, self._frames[name].collect_schema())
        self._frames[name] = self._frames[name].with_row_index(number)
        return number

    def rank(self, name: str, side: Side) -> str | None:
        frame = self._frames[name]
        schema = frame.collect_schema()
        key = build_rank_key(side.roles, schema)
        if key is None:
            return None
        ranks = key.rank("ordinal").over(side.list_columns)
        called = free_name(INPUT_RANK, schema)
        self._frames[name] = frame.with_columns(ranks.cast(pl.Int64).alias(called))
        return called

    def keep(self, name: str, condition: exp.Expr) -> None:
        try:
            frame = _filter_rows(self._frames[name], condition)
            frame.collect_schema()
        except FAULTS as error:
            raise InputError(Option("where", condition.sql("duckdb")), f" cannot be computed: {error}") from error
        self._frames[name] = frame

    def unnest(self, name: str, shape: Shape) -> None:
        given = self._frames[name]
        self._unnested(name, shape, polars_lists.find_uneven(given, shape, SHOWN) if len(shape.lists) > 1 else None)
        frame = polars_lists.unnest(given, shape)
        self._schemas[name] = frame.collect_schema()
        self._frames |= cast_to_common_types({name: frame}, self._schemas)
        self.inputs[name] = replace(self.inputs[name], schema=type_columns(called(name), self._schemas[name]))

    def _run(self, sql: str, columns: Sequence[str]) -> pl.LazyFrame:
        try:
            return pl.SQLContext(self._frames, eager=False).execute(sql)
        except FAULTS as error:
            raise self._failed(error, lambda: sql) from error

    def _collect(self, lazy: pl.LazyFrame) -> pl.DataFrame:
        try:
            return lazy.collect()
        except FAULTS as error:
            raise self._failed(error, partial(lazy.explain, optimized=False)) from error

    def _write(self, lazy: pl.LazyFrame, path: Path, form: str) -> None:
        try:
            SINKS[form](lazy, path)
        except FAULTS as error:
            if isinstance(error, OSError) and (str(path) in str(error) or error.errno is not None):
                raise
            raise self._failed(error, partial(lazy.explain, optimized=False)) from error

    def _failed(self, error: BaseException, plan: Callable[[], str]) -> RankMetricsError:
        """Our error for an error of Polars: an InputError if a file of a scan is unreadable, else an EngineError."""
        if isinstance(error, OSError):
            return InputError(
                f"An input can no longer be read: {error}. Put the file back, or scan it again and evaluate again."
            )
        return EngineError(self.name, str(error), plan())

    def _of_systems(self, name: str, systems: Systems, connection: object | None) -> pl.LazyFrame:
        """The frames of several systems as one frame, with a column of the system's name."""
        frames = {}
        for system, value in systems.inputs.items():
            frames[system] = self._frame(systems.called(name, system), value, connection)
        columns = {system: frame.collect_schema().names() for system, frame in frames.items()}
        systems.refuse_unlike(columns)
        order = next(iter(columns.values()))
        named = [
            frame.select(*order, pl.lit(system, pl.String).alias(systems.column)) for system, frame in frames.items()
        ]
        return pl.concat(named, how="vertical_relaxed")

    def _frame(self, name: str, value: object, connection: object | None) -> pl.LazyFrame:
        """Any input as a lazy frame."""
        if isinstance(value, Systems):
            return self._of_systems(name, value, connection)
        what = called(name)
        if isinstance(value, pl.LazyFrame):
            return value
        if isinstance(value, pl.DataFrame):
            return value.lazy()
        is_table = isinstance(value, str) and connection is not None and value.lower() in _table_names(connection)
        try:
            if found := self.find_files(name, value, tables=is_table):
                return scan_files(what, found)
            if isinstance(value, str) and is_query(value):
                return scan_query(what, value, connection)
            if isinstance(value, str) and connection is not None:
                return scan_relation(cast(Any, connection).table(value))
            if type(value).__name__ == "DuckDBPyRelation":
                refuse_doubled(what, column_names(value) or ())
                return scan_relation(value)
            value = with_index(what, value)
            refuse_doubled(what, column_names(value) or ())
            if hasattr(value, "scanner"):
                return pl.scan_pyarrow_dataset(cast(Any, value))
            stream = in_plain_types(as_arrow(value))
            if isinstance(stream, Batches):
                return scan_batches(stream)
            if type(stream).__name__ == "Table":
                stream = of_plain_types(stream)
            if stream is not None:
                return pl.DataFrame(stream).lazy()
        except (RankMetricsError, KeyboardInterrupt):
            raise
        except (
            Exception,
            pl.exceptions.PanicException,
        ) as error:  # DuckDB, pandas and Arrow raise errors of many kinds
            raise unreadable(what, error, self.files[name].paths if name in self.files else ()) from error
        raise no_table(value) if isinstance(value, str) else unknown(what, value)

    def _schema(self, name: str, frame: pl.LazyFrame) -> pl.Schema:
        try:
            return frame.collect_schema()
        except FAULTS as error:
            if name in self.files and isinstance(error, pl.exceptions.DuplicateError):
                refuse_doubled_in_parquet(called(name), self.files[name].paths)
            raise unreadable(called(name), error, self.files[name].paths if name in self.files else ()) from error


def _table_names(connection: object) -> frozenset[str]:
    """The names of the tables that a DuckDB connection has, in lower case."""
    from rankmetrics.engines.duckdb_connection import tables_of

    return tables_of(cast(Any, connection).sql)


def _filter_rows(frame: pl.LazyFrame, condition: exp.Expr) -> pl.LazyFrame:
    """The rows of a frame that meet a condition."""
    select = exp.select("*").from_(tree.table("rows")).where(condition.copy()).sql("duckdb", identify=True)
    return pl.SQLContext({"rows": frame}, eager=False).execute(select)


ENGINE = Polars
