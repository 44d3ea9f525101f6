"""Polars: frames run by Polars itself, lazily; what comes back is a LazyFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, cast

import polars as pl
from polars.io.plugins import register_io_source
from sqlglot import exp

from rankmetrics.engines.arrow import (
    ArrowFiles,
    Batches,
    as_arrow,
    column_names,
    in_plain_types,
    refuse_doubled_in_parquet,
    refuse_index,
)
from rankmetrics.engines.base import Engine, Input, no_table, refuse_doubled, schema_of, unknown
from rankmetrics.engines.drivers import of_plain_types
from rankmetrics.engines.paths import Files, is_query, local_files, unreadable
from rankmetrics.engines.sinks import SINKS
from rankmetrics.engines.systems import Systems, names_of, refuse_hidden
from rankmetrics.errors import EngineError, InputError, Option, RankMetricsError
from rankmetrics.inputs.columns import Side
from rankmetrics.inputs.sources import INPUT_FILE, INPUT_RANK, INPUT_ROW, called
from rankmetrics.inputs.types import ColumnType, Family, Schema
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# What Polars raises, beside what the caller's own functions do.
FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)

# Whole numbers of more than 64 bits, and of just as many; the highest of those.
WIDE = (pl.Int128, pl.UInt128)
LONG = (pl.Int64, pl.UInt64)
HIGHEST = 2**63 - 1

# Whose turn it is to read from DuckDB.
TURN = Lock()


class Polars(Engine):
    """Polars over the inputs; what it returns is a LazyFrame."""

    name = "Polars"
    dialect = "polars"
    at_once = True

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self.files = {}
        frames = {name: self._frame(name, value, connection) for name, value in given.items()}
        schemas = {name: self._schema(name, frame) for name, frame in frames.items()}
        self.inputs: dict[str, Input] = {
            name: Input(_types(called(name), schema), tree.table(name), name) for name, schema in schemas.items()
        }
        for name, found in self.files.items():
            if name in self.inputs:
                found.schema = self.inputs[name].schema
        self._schemas = schemas
        self._frames = _alike(frames, schemas)

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        found = self.files.get(name)
        if found is None or len(local_files(found.paths)) < 2:
            return None
        file = free_name(INPUT_FILE, self.inputs[name].schema)
        frame = _by_file(called(name), found, file)
        if (condition := self.inputs[name].condition) is not None:
            frame = _kept(frame, condition)
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
        frame = _by_file(called(name), found, file).with_columns(systems.alias(column)).drop(file)
        self._schemas[name] = frame.collect_schema()
        self._frames |= _alike({name: frame}, self._schemas)
        self.inputs[name] = replace(self.inputs[name], schema=_types(called(name), self._schemas[name]))

    def copy(self, name: str, new: str) -> None:
        self.inputs[new] = replace(self.inputs[name], table=tree.table(new), name=new)
        self._frames[new] = self._frames[name]

    def number_rows(self, name: str) -> str:
        number = free_name(INPUT_ROW, self._frames[name].collect_schema())
        self._frames[name] = self._frames[name].with_row_index(number)
        return number

    def rank(self, name: str, side: Side) -> str | None:
        """By one key, in one pass: at half the work of ROW_NUMBER, which sorts each list anew."""
        roles, frame = side.roles, self._frames[name]
        if roles.rank or not roles.score or not roles.item:
            return None
        schema = frame.collect_schema()
        kind = schema[roles.score]
        if not (kind.is_float() or kind.is_integer()):
            return None
        score, item = pl.col(roles.score), pl.col(roles.item)
        down = _down(score, kind, is_distance=roles.distance is not None)
        fits = schema[roles.item].is_integer() and schema[roles.item] not in WIDE and kind not in (*WIDE, *LONG)
        key = _as_one_number(down, item, is_float=kind.is_float()) if fits else _as_parts(down, item)
        ranks = key.rank("ordinal").over(side.list_columns)
        called = free_name(INPUT_RANK, schema)
        self._frames[name] = frame.with_columns(ranks.cast(pl.Int64).alias(called))
        return called

    def keep(self, name: str, condition: exp.Expr) -> None:
        try:
            frame = _kept(self._frames[name], condition)
            frame.collect_schema()
        except FAULTS as error:
            raise InputError(Option("where", condition.sql("duckdb")), f" cannot be computed: {error}") from error
        self._frames[name] = frame

    def long(self, name: str, column: str, number: str | None = None) -> None:
        frame = self._frames[name]
        if isinstance(frame.collect_schema()[column], pl.Array):
            frame = frame.with_columns(pl.col(column).arr.to_list())
        places = [pl.int_ranges(1, pl.col(column).list.len() + 1).alias(number)] if number else []
        frame = frame.with_columns(places).explode(column, *([number] if number else []), empty_as_null=True)
        self._frames[name] = frame
        self.inputs[name] = replace(self.inputs[name], schema=_types(called(name), frame.collect_schema()))

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
        """The error for what Polars raised: the input's, where a file of a scan is at fault, else the engine's."""
        if isinstance(error, OSError):
            return InputError(
                f"An input cannot be read any more: {error}. Put the file back, or scan it and evaluate anew."
            )
        return EngineError(self.name, str(error), plan())

    def _of_systems(self, name: str, systems: Systems, connection: object | None) -> pl.LazyFrame:
        """The frames of several systems as one, with a column that says the system."""
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
        is_table = isinstance(value, str) and connection is not None and value.lower() in _tables(connection)
        try:
            if found := self.find_files(name, value, tables=is_table):
                return _of_files(what, found)
            if isinstance(value, str) and is_query(value):
                return _of_query(what, value, connection)
            if isinstance(value, str) and connection is not None:
                return of_relation(cast(Any, connection).table(value))
            if type(value).__name__ == "DuckDBPyRelation":
                refuse_doubled(what, column_names(value) or ())
                return of_relation(value)
            refuse_index(what, value)
            refuse_doubled(what, column_names(value) or ())
            if hasattr(value, "scanner"):
                return pl.scan_pyarrow_dataset(cast(Any, value))
            stream = in_plain_types(as_arrow(value))
            if isinstance(stream, Batches):
                return _of_batches(stream)
            if type(stream).__name__ == "Table":
                stream = of_plain_types(stream)
            if stream is not None:
                return pl.DataFrame(stream).lazy()
        except (RankMetricsError, KeyboardInterrupt):
            raise
        except (Exception, pl.exceptions.PanicException) as error:  # whatever DuckDB, pandas or Arrow raise of it
            raise unreadable(what, error, self.files[name].paths if name in self.files else ()) from error
        raise no_table(value) if isinstance(value, str) else unknown(what, value)

    def _schema(self, name: str, frame: pl.LazyFrame) -> pl.Schema:
        try:
            return frame.collect_schema()
        except FAULTS as error:
            if name in self.files and isinstance(error, pl.exceptions.DuplicateError):
                refuse_doubled_in_parquet(called(name), self.files[name].paths)
            raise unreadable(called(name), error, self.files[name].paths if name in self.files else ()) from error


def _down(score: pl.Expr, kind: pl.DataType, *, is_distance: bool) -> pl.Expr:
    """A number that is lower for a row that comes first: the distance, or the score turned round."""
    if kind.is_integer():
        return score if is_distance else ~score  # ~ turns round signed and unsigned numbers alike
    number = score.fill_nan(None).cast(pl.Float64)
    return 0.0 + number if is_distance else 0.0 - number  # either makes 0.0 of -0.0


def _as_parts(down: pl.Expr, item: pl.Expr) -> pl.Expr:
    """What rows are ranked by: those without an item last, before them those without a score; then score, then item."""
    last = pl.when(item.is_null()).then(2).when(down.is_null()).then(1).otherwise(0).cast(pl.UInt8)
    down = pl.when(item.is_not_null()).then(down)
    return pl.struct(last.alias("last"), down.alias("down"), item.alias("item"))


def _as_one_number(down: pl.Expr, item: pl.Expr, *, is_float: bool) -> pl.Expr:
    """The same as one whole number of 128 bits, which is ranked for a third less; without an item it is NULL, unranked.

    The bits of a float, without its sign, are a whole number in the order of the floats; the sign goes before that. The
    highest whole number is none of these, nor a score of up to 32 bits.
    """
    whole = down.reinterpret(dtype=pl.Int64) if is_float else down.cast(pl.Int64)
    ordered = pl.when(whole < 0).then(-(whole & HIGHEST)).otherwise(whole) if is_float else whole
    return ordered.fill_null(HIGHEST).cast(pl.Int128) * pl.lit(2**64, pl.Int128) + item.cast(pl.Int128)


def _kept(frame: pl.LazyFrame, condition: exp.Expr) -> pl.LazyFrame:
    """The rows of a frame for which a condition holds."""
    select = exp.select("*").from_(tree.table("rows")).where(condition.copy()).sql("duckdb", identify=True)
    return pl.SQLContext({"rows": frame}, eager=False).execute(select)


def _by_file(what: str, found: Files, file_column: str) -> pl.LazyFrame:
    """Files as a lazy frame with a column that says from which file each row is."""
    parts = [
        _of_files(what, replace(found, paths=[path])).with_columns(pl.lit(path).alias(file_column))
        for path in local_files(found.paths)
    ]
    return pl.concat(parts)


def _of_files(what: str, found: Files) -> pl.LazyFrame:
    """Files as a lazy frame. DuckDB reads those of text: a column has one type, whichever engine the query runs in."""
    if found.form == "parquet":
        return pl.scan_parquet(found.paths)
    if found.form == "arrow":
        return _of_batches(ArrowFiles(what, found.paths))
    import duckdb

    from rankmetrics.engines.text_files import text_table

    text = (
        exp.select("*")
        .from_(text_table(what, found.paths, found.form, duckdb.connect().sql))
        .sql("duckdb", identify=True)
    )

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        with _as_ours(text):
            for batch in duckdb.connect().sql(text).to_arrow_reader():
                frame = pl.DataFrame(batch).select(columns or pl.all()).slice(0, n_rows)
                n_rows = None if n_rows is None else n_rows - frame.height
                yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(read, schema=duckdb.connect().sql(text).limit(0).pl().schema)


@contextmanager
def _as_ours(sql: str) -> Iterator[None]:
    """An error of DuckDB as an EngineError, where Polars reads from it."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise EngineError("DuckDB", str(error), sql) from error


def _of_query(what: str, text: str, connection: Any) -> pl.LazyFrame:
    """A SELECT as a lazy frame: it runs in DuckDB, on the connection that was given if one was."""
    import duckdb

    from rankmetrics.engines.selects import query

    select = query(what, text, "duckdb").sql("duckdb")
    relation = (connection or duckdb.connect()).sql(select)
    refuse_doubled(what, relation.columns)
    return of_relation(relation)


def _of_batches(stream: Batches) -> pl.LazyFrame:
    return pl.defer(lambda: pl.DataFrame(stream), schema=pl.DataFrame(stream.schema.empty_table()).schema)


def _tables(connection: object) -> frozenset[str]:
    from rankmetrics.engines.duckdb_connection import tables_of

    return tables_of(cast(Any, connection).sql)


def of_relation(relation: Any, watch: Callable[[], AbstractContextManager[None]] = nullcontext) -> pl.LazyFrame:
    """A relation of DuckDB as a lazy frame: read when it is asked for, one reader after the other.

    Polars reads its inputs in as many threads as the query reads them; a DuckDB connection serves one at a time, and
    several inputs may come from one. `watch` is entered around each reading.
    """

    def read() -> pl.DataFrame:
        with TURN, watch(), _as_ours(relation.sql_query()):
            frame: pl.DataFrame = relation.pl()
            return frame

    return pl.defer(read, schema=relation.limit(0).pl().schema)


def _types(what: str, schema: pl.Schema) -> Schema:
    return schema_of(what, [(name, ColumnType(family_of(dtype), str(dtype))) for name, dtype in schema.items()])


def family_of(dtype: pl.DataType) -> Family:
    """What may be done with a column of a type."""
    if dtype.is_integer() or _is_whole(dtype):
        return "integer"
    if dtype.is_numeric():
        return "float"
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return "zoned datetime"
    if dtype.is_nested():
        return "nested"
    named: dict[Any, Family] = {
        pl.String: "string",
        pl.Categorical: "string",
        pl.Enum: "string",
        pl.Date: "date",
        pl.Datetime: "datetime",
        pl.Time: "time",
        pl.Duration: "duration",
        pl.Boolean: "boolean",
        pl.Binary: "binary",
        pl.Null: "unknown",
        pl.Unknown: "unknown",
    }
    return named.get(dtype.base_type(), "other")


def _is_whole(dtype: pl.DataType) -> bool:
    """Whether this is a decimal without a fraction."""
    return isinstance(dtype, pl.Decimal) and dtype.scale == 0


def _alike(frames: Mapping[str, pl.LazyFrame], schemas: Mapping[str, pl.Schema]) -> dict[str, pl.LazyFrame]:
    """The frames with what Polars would not join in one type.

    Categories become strings, times have one unit and zone, decimals without a fraction are whole numbers.
    """
    times = {dtype for schema in schemas.values() for dtype in schema.values() if isinstance(dtype, pl.Datetime)}
    return {name: frame.with_columns(_casts(schemas[name], times)) for name, frame in frames.items()}


def _casts(schema: pl.Schema, times: set[pl.Datetime]) -> Iterator[pl.Expr]:
    for name, dtype in schema.items():
        if isinstance(dtype, (pl.Categorical, pl.Enum)):
            yield pl.col(name).cast(pl.String)
        elif isinstance(dtype, pl.Datetime) and len(times) > 1:
            in_one_unit = pl.col(name).dt.cast_time_unit("us")
            yield in_one_unit.dt.convert_time_zone("UTC") if dtype.time_zone else in_one_unit
        elif _is_whole(dtype) or dtype == pl.UInt128:
            yield pl.col(name).cast(pl.Int128)


ENGINE = Polars
