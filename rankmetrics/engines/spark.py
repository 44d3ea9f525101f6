"""Spark over DataFrames and tables, on one machine or on a cluster; results are DataFrames.

Nothing is collected. The inputs have names in the session only while Spark parses the query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from pyspark.sql import functions
from sqlglot import exp

from rankmetrics.dialects.base import dialects_of, grammar
from rankmetrics.engines.arrow import ArrowFiles, as_table, column_names, in_plain_types, with_index
from rankmetrics.engines.base import (
    SHOWN,
    Engine,
    Input,
    module_of,
    no_table,
    refuse_doubled,
    schema_of,
    type_of,
    unknown,
)
from rankmetrics.engines.files import Files, format_of, is_query, unreadable
from rankmetrics.engines.selects import query
from rankmetrics.engines.systems import Systems, inputs_of
from rankmetrics.engines.text_files import text_query
from rankmetrics.errors import DialectError, EngineError, InputError, Option, RankMetricsError, names
from rankmetrics.inputs.columns import ColumnType, Schema
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import called
from rankmetrics.sqltree import tree

if TYPE_CHECKING:
    import polars as pl

# Spark's name of each file format, and the options to read it with.
READERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "parquet": ("parquet", {}),
    **dict.fromkeys(("csv", "csv.gz"), ("csv", {"header": True, "inferSchema": True})),
    **dict.fromkeys(("tsv", "tsv.gz"), ("csv", {"header": True, "inferSchema": True, "sep": "\t"})),
    **dict.fromkeys(("json", "json.gz"), ("json", {"multiLine": True})),
    **dict.fromkeys(("ndjson", "ndjson.gz"), ("json", {})),
}


class Spark(Engine):
    """Runs the queries in Spark; results are DataFrames."""

    called_rows = "a Spark DataFrame"
    name = "Spark"

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self.dialect = dialect or "spark"
        if self.dialect not in (spoken := dialects_of("pyspark")):
            raise DialectError(f"Spark runs the dialects {names(spoken)}, and not ", Option("dialect", dialect), ".")
        first: Any = inputs_of(next(iter(given.values())))[0]
        self._session: Any = connection if connection is not None else first.sparkSession
        self.files = {}
        self._frames: dict[str, Any] = {}
        self._texts: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self.inputs: dict[str, Input] = {}
        self._mark = uuid4().hex  # makes the names of the inputs differ from every table and column
        for name, value in given.items():
            self._open(name, value)

    def _open(self, name: str, value: object) -> None:
        self._put(name, self._frame(name, value))
        if name in self.files:
            self.files[name].schema = self.inputs[name].schema

    def _put(self, name: str, frame: Any) -> None:
        columns = [(field.name, _column_type(field.dataType)) for field in frame.schema.fields]
        schema = schema_of(called(name), columns)
        self._frames[f"{name}_{self._mark}"] = frame
        self.inputs[name] = Input(schema, tree.table(f"{name}_{self._mark}"), name)

    def _of_systems(self, name: str, systems: Systems) -> Any:
        """The tables of several systems as one DataFrame, with a column of the system's name."""
        from pyspark.sql import functions

        frames = {system: self._frame(systems.called(name, system), one) for system, one in systems.inputs.items()}
        systems.refuse_unlike({system: frame.columns for system, frame in frames.items()})
        named = [frame.withColumn(systems.column, functions.lit(system)) for system, frame in frames.items()]
        found = named[0]
        for one in named[1:]:
            found = found.unionByName(one)
        return found

    def _frame(self, name: str, value: object) -> Any:
        """Any input as a DataFrame of the session."""
        if isinstance(value, Systems):
            return self._of_systems(name, value)
        if module_of(value) == "pyspark":
            return value
        what = called(name)
        found = self.find_files(name, value, tables=self._is_table(value))
        if isinstance(value, str) and not found and type(self._session).__name__ != "SparkSession":
            raise no_table(value)
        try:
            if found and (found.form not in READERS or (found.form != "parquet" and found.seen)):
                return self._session.createDataFrame(_table_of(what, found))
            if found:
                form, options = READERS[found.form]
                # Spark lists the files of a folder itself, and reads columns from the names of its folders
                paths = [path.removesuffix("/**/*.parquet") for path in found.paths]
                return self._session.read.format(form).options(**options).load(paths)
            if isinstance(value, str) and is_query(value):
                return self._session.sql(query(what, value, self.dialect).sql(grammar(self.dialect)))
            if isinstance(value, str):
                return self._session.table(value)
            value = with_index(what, value)
            refuse_doubled(what, column_names(value) or ())
            if (table := as_table(value)) is not None:
                return self._session.createDataFrame(in_plain_types(table))
        except RankMetricsError:
            raise
        except Exception as error:  # Spark raises errors of many kinds
            raise unreadable(what, _reason(error)) from error
        raise unknown(what, value)

    def _is_table(self, value: object) -> bool:
        """Whether a text is the name of a table of the session, even if a file has that name."""
        catalog = getattr(self._session, "catalog", None)
        return isinstance(value, str) and format_of(value) is None and catalog is not None and _exists(catalog, value)

    def look_again(self, name: str) -> Schema:
        kind = type(self)
        return kind({name: self.files[name].given}, self._session, self.dialect).inputs[name].schema

    def copy(self, name: str, new: str) -> None:
        self._put(new, self._frames[f"{name}_{self._mark}"])

    def keep(self, name: str, condition: exp.Expr) -> None:
        text = condition.sql(grammar(self.dialect), identify=True)
        try:
            self._put(name, self._frames[f"{name}_{self._mark}"].filter(text))
        except Exception as error:  # Spark raises errors of many kinds
            raise InputError(Option("where", text), f" cannot be computed: {_reason(error)}") from error

    def unnest(self, name: str, shape: Shape) -> None:

        frame = self._frames[f"{name}_{self._mark}"]
        self._unnested(name, shape, find_uneven(frame, shape, SHOWN) if len(shape.lists) > 1 else None)
        self._put(name, unnest(frame, shape, f"position_{self._mark}"))

    def _run(self, sql: str, columns: Sequence[str]) -> Any:
        text = sql.replace("{", "{{").replace("}", "}}")
        for name in self._frames:
            text = text.replace(f"`{name}`", f"{{{name}}}")
        try:
            found = self._session.sql(text, **self._frames)
        except Exception as error:  # Spark raises errors of many kinds
            raise EngineError(self.name, _reason(error), sql) from error
        self._texts[found] = sql
        return found

    def table_of(self, compute: Callable[[], pl.DataFrame]) -> Any:
        return self._session.createDataFrame(compute().to_arrow())

    def _collect(self, lazy: Any) -> pl.DataFrame:
        import polars as pl

        try:
            return pl.DataFrame(lazy.toArrow())
        except Exception as error:  # Spark raises errors of many kinds
            raise EngineError(self.name, _reason(error), self._texts.get(lazy, "")) from error


def _table_of(what: str, found: Files) -> Any:
    """Text files or Arrow files on this machine, as an Arrow table."""
    if found.form == "arrow":
        return as_table(ArrowFiles(what, found.paths))
    import duckdb

    return duckdb.connect().sql(text_query(what, found)).to_arrow_table()


def _exists(catalog: Any, name: str) -> bool:
    try:
        return bool(catalog.tableExists(name))
    except Exception:  # noqa: BLE001  # the text cannot be the name of a table
        return False


def _column_type(kind: Any) -> ColumnType:
    """The type of a column, with the types of elements and fields."""
    element = _column_type(kind.elementType) if hasattr(kind, "elementType") else None
    fields = [(field.name, _column_type(field.dataType)) for field in getattr(kind, "fields", ())]
    return type_of(kind.simpleString(), element, fields)


def _reason(error: Exception) -> str:
    """Spark's message without the JVM's stack trace."""
    return str(error).split("\n\tat ")[0].split("\nJVM stacktrace")[0].strip()


# --- lists in cells, and numbered columns -----------------------------------------------------------------------------


def unnest(frame: Any, shape: Shape, place: str) -> Any:
    """A DataFrame with a row for each item; a row without items stays, with NULL as its item and rank.

    `place` is the name of a column that the DataFrame does not have.
    """
    kept = [_column(one) for one in shape.kept(frame.columns)]
    arrays: Mapping[str, Any] = {one: _column(one) for one in shape.lists}
    if shape.wide:
        arrays = {name: functions.array(*map(_column, columns)) for name, columns in shape.wide.items()}
    item, *others = arrays
    beside = {one: f"{place}_{number}" for number, one in enumerate(others)}
    listed = [arrays[other].alias(beside[other]) for other in others]
    rows = frame.select(*kept, *listed, functions.posexplode_outer(arrays[item]).alias(place, item))
    if shape.wide:
        rows = rows.filter(_column(item).isNotNull() | (_column(place) == 0))
    at_place = [functions.try_element_at(_column(beside[other]), _column(place) + 1).alias(other) for other in others]
    found = [_column(item), *at_place]
    if shape.fields:
        found = [_column(item).getField(field).alias(column) for field, column in shape.fields.items()]
    rank = [(_column(place) + shape.rank_from).alias(shape.rank)] if shape.rank else []
    return rows.select(*kept, *found, *rank)


def find_uneven(frame: Any, shape: Shape, limit: int) -> Any:
    """The first rows whose lists differ in length: the columns that stay, then the length of each list."""
    nested = {field.name for field in frame.schema.fields if field.dataType.typeName() in ("array", "map", "struct")}
    keys = [_column(column) for column in shape.kept(frame.columns) if column not in nested]
    lengths = [functions.coalesce(functions.array_size(_column(column)), functions.lit(0)) for column in shape.lists]
    differs = functions.lit(False)  # a literal of SQL
    for other in lengths[1:]:
        differs = differs | (lengths[0] != other)
    named = [length.alias(one) for one, length in zip(shape.lists, lengths, strict=True)]
    return frame.filter(differs).select(*keys, *named).sort(*keys).limit(limit)


def _column(name: str) -> Any:
    """A column by its name, in the quotes that Spark's functions expect."""
    return functions.col(f"`{name.replace('`', '``')}`")


ENGINE = Spark
