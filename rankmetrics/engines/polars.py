"""Polars over frames and files; results are LazyFrames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import polars as pl
from polars.io.plugins import register_io_source
from sqlglot import TokenType, exp, tokenize

from rankmetrics.engines.arrow import ArrowFiles, Batches, of_plain_types, readable, refuse_doubled_in_parquet
from rankmetrics.engines.base import (
    Engine,
    Input,
    Text,
    no_table,
    refuse_doubled,
    refuse_fork,
    schema_of,
    type_of,
    unknown,
)
from rankmetrics.engines.files import Files, is_query, scan_table, sink
from rankmetrics.engines.selects import query
from rankmetrics.engines.text_files import text_query
from rankmetrics.errors import EngineError, InputError, Option, RankMetricsError
from rankmetrics.inputs.columns import Columns, ColumnType, Family, Schema, Side
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import INPUT_RANK, INPUT_ROW, called
from rankmetrics.messages import said
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# The exceptions that Polars raises; functions of the caller may raise any other.
FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)

# The rows of all inputs together up to which a query is computed step by step: Polars then plans each step once, and
# not again for each of its readers. Over more rows, one plan is faster: it reads only what it needs.
SMALL = 500_000

# How the plan of a frame begins whose rows are counted without reading them: a data frame, or Parquet files.
COUNTED = ("DF [", "Parquet SCAN")

TimeUnit = Literal["ms", "us", "ns"]

# The units of datetimes, the finest last, with how many of them a second has.
PER_SECOND: Mapping[TimeUnit, int] = {"ms": 10**3, "us": 10**6, "ns": 10**9}


class Polars(Engine):
    """Runs the queries in Polars; results are LazyFrames."""

    name = "Polars"
    dialect = "polars"
    raised = FAULTS

    def __init__(self, inputs: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self._schemas: dict[str, pl.Schema] = {}
        self._scans: list[pl.LazyFrame] = []  # the tables as they were given
        super().__init__(inputs, connection)
        self._cast(*self.inputs)  # of several types of times, only the last input knew all

    def frame(self, name: str) -> pl.LazyFrame:
        """An input as a lazy frame."""
        frame: pl.LazyFrame = self._tables[name]
        return frame

    def number_rows(self, name: str) -> str:
        if self.version_of(name):
            return super().number_rows(name)
        number = free_name(INPUT_ROW, self._tables[name].collect_schema())
        self._tables[name] = self._tables[name].with_row_index(number)
        return number

    def rank(self, name: str, side: Side) -> str | None:
        frame = self._tables[name]
        schema = frame.collect_schema()
        key = build_rank_key(side.roles, schema)
        if key is None:
            return None
        ranks = key.rank("ordinal").over(side.list_columns)
        column = free_name(INPUT_RANK, schema)
        # kept, since several steps read the ranks, and each would compute them again
        self._tables[name] = frame.with_columns(ranks.cast(pl.Int64).alias(column)).cache()
        return column

    def keep(self, name: str, condition: exp.Expr) -> None:
        select = exp.select("*").from_(tree.table("rows")).where(condition.copy()).sql("duckdb", identify=True)
        try:
            frame = pl.SQLContext({"rows": self._tables[name]}, eager=False).execute(select)
            frame.collect_schema()
        except FAULTS as error:
            raise InputError(f"{Option('where', condition.sql('duckdb'))} cannot be computed: {error}") from error
        self._tables[name] = frame

    def _unnest(self, name: str, table: pl.LazyFrame, shape: Shape) -> pl.LazyFrame:
        schema = table.collect_schema()
        place = shape.rank or free_name("position", [*schema, *shape.fields.values(), *shape.wide])
        lists = [pl.concat_list(columns).alias(name) for name, columns in shape.wide.items()]
        listed = table.select(*shape.kept(schema), *lists) if shape.wide else table
        item, *others = shape.wide or shape.lists
        places = pl.int_ranges(shape.rank_from, pl.col(item).list.len().cast(pl.Int64) + shape.rank_from)
        rows = listed.with_columns(places.alias(place)).explode(item, *others, place, empty_as_null=True)
        if shape.wide:
            rows = rows.filter(pl.col(item).is_not_null() | (pl.col(place) == shape.rank_from))
        rows = rows if shape.rank else rows.drop(place)
        fields = [pl.col(item).struct.field(field).alias(column) for field, column in shape.fields.items()]
        return rows.select(pl.exclude(item), *fields) if fields else rows

    def _run(self, sql: str, columns: Sequence[str]) -> pl.LazyFrame:
        refuse_fork(self.name)
        return pl.SQLContext(self._tables, eager=False).execute(sql)

    def _run_text(self, text: Text) -> pl.LazyFrame:
        refuse_fork(self.name)
        if not self._is_small:
            return self._run(text.sql, text.columns)
        context = pl.SQLContext(self._tables, eager=False)
        for name, select in steps_of(text.sql):
            step = context.execute(select).collect(engine="in-memory").lazy()
            context.register(name, step)
        return step

    @cached_property
    def _is_small(self) -> bool:
        """True if the inputs are known to have at most SMALL rows."""
        is_counted = all(scan.explain(optimized=False).startswith(COUNTED) for scan in self._scans)
        return is_counted and not self.shapes and sum(_n_rows(scan) for scan in self._scans) <= SMALL

    def _collect(self, lazy: pl.LazyFrame) -> pl.DataFrame:
        return lazy.collect()

    def _write(self, lazy: pl.LazyFrame, path: Path, form: str, order: Sequence[str]) -> None:
        sink(self.in_order(lazy, order) if order else lazy, path, form)

    def _text(self, lazy: pl.LazyFrame) -> str:
        return lazy.explain(optimized=False)

    def _failed(self, error: BaseException, text: Callable[[], str], path: Path | None = None) -> BaseException:
        if not isinstance(error, OSError):
            return super()._failed(error, text)
        if path is not None and (str(path) in str(error) or error.errno is not None):
            return error
        return said(InputError, "input_gone", error=error)

    def _union(self, tables: Mapping[str, pl.LazyFrame], columns: Sequence[str], column: str) -> pl.LazyFrame:
        named = [frame.select(*columns, pl.lit(system, pl.String).alias(column)) for system, frame in tables.items()]
        return pl.concat(named, how="vertical_relaxed")

    def _read(self, name: str, value: Any) -> pl.LazyFrame:
        self._scans.append(self._scan(name, value))
        return self._scans[-1]

    def _scan(self, name: str, value: Any) -> pl.LazyFrame:
        what, connection = called(name), self._connection
        if isinstance(value, (pl.LazyFrame, pl.DataFrame)):
            return value.lazy()
        is_table = False
        if isinstance(value, str) and connection is not None:
            from rankmetrics.engines.duckdb import tables_of

            is_table = value.lower() in tables_of(connection.sql)
        try:
            if file_input := self.find_files(name, value, tables=is_table):
                return scan_files(file_input)
            if isinstance(value, str) and is_query(value):
                import duckdb

                relation = (connection or duckdb.connect()).sql(query(what, value, "duckdb").sql("duckdb"))
                refuse_doubled(what, relation.columns)
                return scan_relation(relation, TURN if connection else Lock())
            if isinstance(value, str) and connection is not None:
                return scan_relation(connection.table(value), TURN)
            if type(value).__name__ == "DuckDBPyRelation":
                refuse_doubled(what, value.columns)
                return scan_relation(value, TURN)
            stream = readable(what, value)
            if hasattr(value, "scanner"):
                return pl.scan_pyarrow_dataset(value)
            if isinstance(stream, Batches):
                return scan_batches(stream)
            if type(stream).__name__ == "Table":
                stream = of_plain_types(stream)
            if stream is not None:
                return pl.DataFrame(stream).lazy()
        except (RankMetricsError, KeyboardInterrupt):
            raise
        except (Exception, pl.exceptions.PanicException) as error:  # DuckDB, pandas, Arrow: errors of many kinds
            raise self._unreadable(name, error) from error
        raise no_table(value) if isinstance(value, str) else unknown(what, value)

    def _schema(self, name: str, table: pl.LazyFrame) -> Schema:
        try:
            columns = table.collect_schema().items()
        except FAULTS as error:
            if name in self.files and isinstance(error, pl.exceptions.DuplicateError):
                refuse_doubled_in_parquet(called(name), self.files[name].paths)
            raise self._unreadable(name, error) from error
        return self.explained(name, schema_of(called(name), [(column, _column_type(kind)) for column, kind in columns]))

    def _put(self, name: str, table: pl.LazyFrame) -> None:
        self.inputs[name] = Input(self._schema(name, table), tree.table(name), name)
        self._schemas[name], self._tables[name] = table.collect_schema(), table
        self._cast(name)

    def _cast(self, *names: str) -> None:
        """Cast columns of inputs to types that Polars can join and unnest.

        Categories become strings, datetimes get one zone and the finest of their units, decimals without a fraction
        become whole numbers, arrays become lists.
        """
        times = {kind for schema in self._schemas.values() for kind in schema.values() if isinstance(kind, pl.Datetime)}
        finest: TimeUnit = max((kind.time_unit for kind in times), key=PER_SECOND.__getitem__, default="us")
        for name in names:
            casts = []
            for column, kind in self._tables[name].collect_schema().items():  # some may be cast already
                if isinstance(kind, (pl.Categorical, pl.Enum)):
                    casts.append(pl.col(column).cast(pl.String))
                elif isinstance(kind, pl.Datetime) and len(times) > 1:
                    in_one_unit = _in_unit(pl.col(column), kind.time_unit, finest)
                    casts.append(in_one_unit.dt.convert_time_zone("UTC") if kind.time_zone else in_one_unit)
                elif kind == pl.UInt128 or (isinstance(kind, pl.Decimal) and kind.scale == 0):
                    casts.append(pl.col(column).cast(pl.Int128))
                elif isinstance(kind, pl.Array):
                    casts.append(pl.col(column).cast(pl.List(kind.inner)))
            self._tables[name] = self._tables[name].with_columns(casts)


def _n_rows(frame: pl.LazyFrame) -> int:
    n: int = frame.select(pl.len()).collect().item()
    return n


@lru_cache(maxsize=20)
def steps_of(sql: str) -> list[tuple[str, str]]:
    """The steps of a query: the name and the SELECT of each step of WITH, then the last SELECT under no name.

    >>> steps_of('WITH "a" AS (SELECT 1 AS x), "b" AS (SELECT x FROM a) SELECT x FROM b')
    [('a', 'SELECT 1 AS x'), ('b', 'SELECT x FROM a'), ('', 'SELECT x FROM b')]
    """
    tokens, steps, place = tokenize(sql, read="duckdb"), list[tuple[str, str]](), 0
    while tokens[place].token_type in (TokenType.WITH, TokenType.COMMA):
        name, opening = tokens[place + 1].text, place + 3
        place, depth = opening + 1, 1
        while depth:
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(tokens[place].token_type, 0)
            place += 1
        steps.append((name, sql[tokens[opening].end + 1 : tokens[place - 1].start]))
    return [*steps, ("", sql[tokens[place].start :])]


def _in_unit(times: pl.Expr, unit: TimeUnit, finest: TimeUnit) -> pl.Expr:
    """Datetimes in a unit that is at least as fine as theirs; NULL for years that are beyond it, as 2300 in "ns"."""
    if unit == finest:
        return times
    most = (2**63 - 1) // (PER_SECOND[finest] // PER_SECOND[unit])
    return pl.when(times.to_physical().is_between(-most, most)).then(times.dt.cast_time_unit(finest))


# --- lazy frames of other inputs --------------------------------------------------------------------------------------

# A connection serves one thread at a time. The thread that reads from a connection of the caller holds this lock. Each
# connection that we opened has its own lock, because a split of a split reads from two of them at once.
TURN = Lock()


def scan_files(file_input: Files) -> pl.LazyFrame:
    """Files, or a table of a lakehouse, as a lazy frame."""
    what = called(file_input.name)
    if file_input.is_table:
        return scan_table(what, file_input)
    if file_input.form == "parquet":
        return pl.scan_parquet(file_input.paths)
    if file_input.form == "arrow":
        return scan_batches(ArrowFiles(what, file_input.paths))
    import duckdb

    text = text_query(file_input)

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        with _duckdb_errors(text):
            for batch in duckdb.connect().sql(text).to_arrow_reader():
                frame = pl.DataFrame(batch).select(columns or pl.all()).slice(0, n_rows)
                n_rows = None if n_rows is None else n_rows - frame.height
                yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(read, schema=duckdb.connect().sql(text).limit(0).pl().schema)


@contextmanager
def _duckdb_errors(sql: str) -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise EngineError("DuckDB", str(error), sql) from error


def scan_batches(stream: Batches) -> pl.LazyFrame:
    """An Arrow stream as a lazy frame, read each time the frame is collected."""
    return pl.defer(lambda: pl.DataFrame(stream), schema=pl.DataFrame(stream.schema.empty_table()).schema)


def scan_relation(
    relation: Any, turn: AbstractContextManager[bool], watch: Callable[[], AbstractContextManager[None]] = nullcontext
) -> pl.LazyFrame:
    """A relation of DuckDB as a lazy frame, read each time the frame is collected, while the read holds `turn`.

    Polars reads the inputs of a query in parallel threads. A DuckDB connection serves one thread at a time, so all
    relations of a connection need the same lock. `watch` is a context that each read enters.
    """

    def read() -> pl.DataFrame:
        with turn, watch(), _duckdb_errors(relation.sql_query()):
            frame: pl.DataFrame = relation.pl()
            return frame

    return pl.defer(read, schema=relation.limit(0).pl().schema)


# --- ranks by score ---------------------------------------------------------------------------------------------------

# Integers of 128 bits, integers of 64 bits, and the highest signed integer of 64 bits.
WIDE = (pl.Int128, pl.UInt128)
LONG = (pl.Int64, pl.UInt64)
HIGHEST = 2**63 - 1


def build_rank_key(roles: Columns, schema: pl.Schema) -> pl.Expr | None:
    """A key whose ascending order is the order of a list: by score, equal scores by item.

    None for recommendations with a rank, without a score or an item, or with a score that is neither float nor integer.
    """
    if roles.rank or not roles.score or not roles.item:
        return None
    kind = schema[roles.score]
    if not (kind.is_float() or kind.is_integer()):
        return None
    item = pl.col(roles.item)
    down = _descend(pl.col(roles.score), kind, is_distance=roles.distance is not None)
    fits = schema[roles.item].is_integer() and schema[roles.item] not in WIDE and kind not in (*WIDE, *LONG)
    return build_number_key(down, item, is_float=kind.is_float()) if fits else build_struct_key(down, item)


def _descend(score: pl.Expr, kind: pl.DataType, *, is_distance: bool) -> pl.Expr:
    """A number that ascends along the list: the distance, or the negated score."""
    if kind.is_integer():
        return score if is_distance else ~score  # ~ reverses the order of integers, signed or not, without overflow
    number = score.fill_nan(None).cast(pl.Float64)
    return 0.0 + number if is_distance else 0.0 - number  # both turn -0.0 into 0.0


def build_struct_key(down: pl.Expr, item: pl.Expr) -> pl.Expr:
    """A struct to rank by: score, then item; rows without a score come after, rows without an item come last."""
    last = pl.when(item.is_null()).then(2).when(down.is_null()).then(1).otherwise(0).cast(pl.UInt8)
    down = pl.when(item.is_not_null()).then(down)
    return pl.struct(last.alias("last"), down.alias("down"), item.alias("item"))


def build_number_key(down: pl.Expr, item: pl.Expr, *, is_float: bool) -> pl.Expr:
    """The same order as one integer of 128 bits, ranked in a third less time; a row without an item gets NULL, no rank.

    The bits of a float without its sign, read as an integer, have the order of the floats; a negative float becomes
    the negated integer. A row without a score gets the highest integer, which no float and no 32-bit score reaches.
    """
    whole = down.reinterpret(dtype=pl.Int64) if is_float else down.cast(pl.Int64)
    ordered = pl.when(whole < 0).then(-(whole & HIGHEST)).otherwise(whole) if is_float else whole
    return ordered.fill_null(HIGHEST).cast(pl.Int128) * pl.lit(2**64, pl.Int128) + item.cast(pl.Int128)


def _column_type(dtype: Any) -> ColumnType:
    element = _column_type(dtype.inner) if isinstance(dtype, (pl.List, pl.Array)) else None
    fields = dtype.fields if isinstance(dtype, pl.Struct) else ()
    types = tuple((field.name, _column_type(field.dtype)) for field in fields)
    return ColumnType(family_of(dtype), str(dtype), element, types)


def family_of(dtype: pl.DataType) -> Family:
    """The family of a type, which decides what its columns may be used for."""
    if isinstance(dtype, pl.Datetime):
        return "zoned datetime" if dtype.time_zone else "datetime"
    if isinstance(dtype, pl.Categorical):
        return "string"
    if isinstance(dtype, pl.Object):
        return "other"
    is_whole = isinstance(dtype, pl.Decimal) and dtype.scale == 0
    return "integer" if is_whole else type_of(str(dtype)).family


ENGINE = Polars
