"""Polars: frames run by Polars itself, lazily; what comes back is a LazyFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from glob import glob
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from rankmetrics import tree
from rankmetrics.columns import ColumnType, Family, Side
from rankmetrics.engines.base import CALLED, Engine, Input, files, no_table, unknown
from rankmetrics.engines.native import Stream, as_arrow
from rankmetrics.engines.systems import Systems, names_of, refuse_hidden
from rankmetrics.errors import EngineError, InputError
from rankmetrics.inputs import INPUT_FILE, INPUT_RANK, INPUT_ROW
from rankmetrics.keys import free_name

if TYPE_CHECKING:
    from sqlglot import exp

SCANS: Mapping[str, Callable[..., pl.LazyFrame]] = {
    "parquet": pl.scan_parquet,
    "csv": pl.scan_csv,
    "csv.gz": pl.scan_csv,
    "tsv": partial(pl.scan_csv, separator="\t"),
    "json": lambda paths: pl.concat([pl.read_json(path) for path in paths]).lazy(),  # an array cannot be scanned
    "ndjson": pl.scan_ndjson,
}
SINKS: Mapping[str, Callable[[pl.LazyFrame, Path], object]] = {
    "parquet": pl.LazyFrame.sink_parquet,
    "csv": pl.LazyFrame.sink_csv,
    "csv.gz": partial(pl.LazyFrame.sink_csv, compression="gzip"),
    "tsv": partial(pl.LazyFrame.sink_csv, separator="\t"),
    "json": lambda lazy, path: lazy.collect().write_json(path),
    "ndjson": pl.LazyFrame.sink_ndjson,
}

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
        frames = {name: _input(CALLED[name], value, connection) for name, value in given.items()}
        self._paths = {
            name: None if isinstance(value, Systems) else files(value, tables=connection is not None)
            for name, value in given.items()
        }
        schemas = {name: _schema(name, frame) for name, frame in frames.items()}
        self.inputs: dict[str, Input] = {
            name: Input(_types(schema), tree.table(name), name) for name, schema in schemas.items()
        }
        self._frames = _alike(frames, schemas)

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        found = self._paths.get(name)
        if found is None or len(_found(found[0])) < 2:
            return None
        file = free_name(INPUT_FILE, self.inputs[name].schema)
        self._frames[f"{name}_by_file"] = _scan(*found, file_column=file)
        return tree.table(f"{name}_by_file"), file

    def name_files(self, name: str, column: str) -> None:
        found = self._paths.get(name)
        if found is None:
            super().name_files(name, column)
            return
        refuse_hidden(column, [*self.inputs[name].schema])
        file = free_name(INPUT_FILE, self.inputs[name].schema)
        frame = _scan(*found, file_column=file)
        system = pl.col(file).replace_strict(names_of(_found(found[0])), return_dtype=pl.String)
        self._frames[name] = frame.with_columns(system.alias(column)).drop(file)
        self.inputs[name] = replace(self.inputs[name], schema=_types(self._frames[name].collect_schema()))

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

    def long(self, name: str, column: str, number: str | None = None) -> None:
        frame = self._frames[name]
        if isinstance(frame.collect_schema()[column], pl.Array):
            frame = frame.with_columns(pl.col(column).arr.to_list())
        places = [pl.int_ranges(1, pl.col(column).list.len() + 1).alias(number)] if number else []
        frame = frame.with_columns(places).explode(column, *([number] if number else []), empty_as_null=True)
        self._frames[name] = frame
        self.inputs[name] = replace(self.inputs[name], schema=_types(frame.collect_schema()))

    def run(self, sql: str, columns: Sequence[str]) -> pl.LazyFrame:
        try:
            return pl.SQLContext(self._frames, eager=False).execute(sql)
        except pl.exceptions.PolarsError as error:
            raise EngineError(self.name, str(error), sql) from error

    def collect(self, lazy: pl.LazyFrame) -> pl.DataFrame:
        try:
            return lazy.collect()
        except pl.exceptions.PolarsError as error:
            raise EngineError(self.name, str(error), lazy.explain(optimized=False)) from error

    def write(self, lazy: pl.LazyFrame, path: Path, form: str) -> None:
        try:
            SINKS[form](lazy, path)
        except pl.exceptions.PolarsError as error:
            raise EngineError(self.name, str(error), lazy.explain(optimized=False)) from error


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


def _input(what: str, value: object, connection: object | None) -> pl.LazyFrame:
    """Any input as a lazy frame; those of several systems as one, with a column that says the system."""
    if not isinstance(value, Systems):
        return _frame(what, value, connection)
    frames = {system: _frame(what, one, connection) for system, one in value.inputs.items()}
    columns = {system: frame.collect_schema().names() for system, frame in frames.items()}
    value.refuse_unlike(columns)
    order = next(iter(columns.values()))
    named = [frame.select(*order, pl.lit(system, pl.String).alias(value.column)) for system, frame in frames.items()]
    return pl.concat(named, how="vertical_relaxed")


def _found(paths: Sequence[str]) -> list[str]:
    """The files behind paths and globs, as Polars calls them."""
    is_glob = [any(sign in path for sign in "*?[") and "://" not in path for path in paths]
    # Path.glob takes no pattern that starts at the root
    found = [sorted(glob(path, recursive=True)) if one else [path] for path, one in zip(paths, is_glob, strict=True)]  # noqa: PTH207
    return [path for some in found for path in some]


def _scan(paths: Sequence[str], form: str, *, file_column: str | None = None) -> pl.LazyFrame:
    """A lazy frame over files, if asked with a column that says from which file each row is."""
    if file_column is None:
        return SCANS[form](paths)
    parts = [SCANS[form]([path]).with_columns(pl.lit(path).alias(file_column)) for path in _found(paths)]
    return pl.concat(parts)


def _frame(what: str, value: object, connection: object | None) -> pl.LazyFrame:
    """Any input as a lazy frame."""
    if isinstance(value, pl.LazyFrame):
        return value
    if isinstance(value, pl.DataFrame):
        return value.lazy()
    found = files(value, tables=connection is not None)
    if found:
        try:
            return _scan(*found)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(f"The {what} cannot be read: {error}") from error
    if isinstance(value, str) and connection is None:
        raise no_table(value)
    try:
        if isinstance(value, str):
            return of_relation(cast(Any, connection).table(value))
        if type(value).__name__ == "DuckDBPyRelation":
            return of_relation(value)
        if hasattr(value, "scanner"):
            return pl.scan_pyarrow_dataset(cast(Any, value))
        if isinstance(stream := as_arrow(value), Stream):
            return pl.defer(lambda: pl.DataFrame(stream), schema=pl.DataFrame(stream.schema.empty_table()).schema)
        if stream is not None:
            return pl.DataFrame(stream).lazy()
    except Exception as error:  # whatever DuckDB, pandas or Arrow raise: it is their input that cannot be read
        raise InputError(f"The {what} cannot be read: {error}") from error
    raise unknown(what, value)


def of_relation(relation: Any) -> pl.LazyFrame:
    """A relation of DuckDB as a lazy frame: read when it is asked for, one reader after the other.

    Polars reads its inputs in as many threads as the query reads them; a DuckDB connection serves one at a time, and
    several inputs may come from one.
    """

    def read() -> pl.DataFrame:
        with TURN:
            frame: pl.DataFrame = relation.pl()
            return frame

    return pl.defer(read, schema=relation.limit(0).pl().schema)


def _schema(name: str, frame: pl.LazyFrame) -> pl.Schema:
    try:
        schema = frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"The {CALLED[name]} cannot be read: {error}") from error
    if not schema:
        raise InputError(f"There are no columns in the {CALLED[name]}.")
    return schema


def _types(schema: pl.Schema) -> dict[str, ColumnType]:
    return {name: ColumnType(_family(dtype), str(dtype)) for name, dtype in schema.items()}


def _family(dtype: pl.DataType) -> Family:
    if dtype.is_integer():
        return "integer"
    if dtype.is_numeric():
        return "float"
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return "zoned datetime"
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
        return "nested"
    named: dict[Any, Family] = {
        pl.String: "string",
        pl.Categorical: "string",
        pl.Enum: "string",
        pl.Date: "date",
        pl.Datetime: "datetime",
        pl.Boolean: "boolean",
    }
    return named.get(dtype.base_type(), "other")


def _alike(frames: Mapping[str, pl.LazyFrame], schemas: Mapping[str, pl.Schema]) -> dict[str, pl.LazyFrame]:
    """The frames with what Polars would not join in one type: categories as strings, times in one unit and zone."""
    times = {dtype for schema in schemas.values() for dtype in schema.values() if isinstance(dtype, pl.Datetime)}
    return {name: frame.with_columns(_casts(schemas[name], times)) for name, frame in frames.items()}


def _casts(schema: pl.Schema, times: set[pl.Datetime]) -> Iterator[pl.Expr]:
    for name, dtype in schema.items():
        if isinstance(dtype, (pl.Categorical, pl.Enum)):
            yield pl.col(name).cast(pl.String)
        elif isinstance(dtype, pl.Datetime) and len(times) > 1:
            in_one_unit = pl.col(name).dt.cast_time_unit("us")
            yield in_one_unit.dt.convert_time_zone("UTC") if dtype.time_zone else in_one_unit


ENGINE = Polars
