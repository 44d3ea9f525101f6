"""Spark over DataFrames and tables, on one machine or on a cluster; results are DataFrames.

Nothing is collected. The inputs have names in the session only while Spark parses the query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import pyarrow as pa
from pyspark.sql import functions
from sqlglot import exp

from rankmetrics.dialects.base import dialects_of, grammar
from rankmetrics.engines.arrow import ArrowFiles, in_plain_types, readable
from rankmetrics.engines.base import Engine, Input, module_of, no_table, schema_of, type_of, unknown
from rankmetrics.engines.files import format_of, inputs_of, is_query, scan_table, unreadable
from rankmetrics.engines.selects import query, unnest
from rankmetrics.engines.text_files import text_query
from rankmetrics.errors import DialectError, InputError, Option, RankMetricsError, names
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

    def __init__(self, inputs: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self.dialect = dialect or "spark"
        if self.dialect not in (spoken := dialects_of("pyspark")):
            raise DialectError(f"Spark runs the dialects {names(spoken)}, and not {Option('dialect', dialect)}.")
        first: Any = inputs_of(next(iter(inputs.values())))[0]
        self._texts: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self._mark = uuid4().hex  # makes the names of the inputs differ from every table and column
        super().__init__(inputs, first.sparkSession if connection is None else connection)

    def _schema(self, name: str, table: Any) -> Schema:
        return schema_of(called(name), [(field.name, _column_type(field.dataType)) for field in table.schema.fields])

    def _put(self, name: str, table: Any) -> None:
        self._tables[name] = table
        self.inputs[name] = Input(self._schema(name, table), tree.table(f"{name}_{self._mark}"), name)

    def _union(self, tables: Mapping[str, Any], columns: Sequence[str], column: str) -> Any:
        named = [table.withColumn(column, functions.lit(system)) for system, table in tables.items()]
        return reduce(lambda union, table: union.unionByName(table), named)

    def _read(self, name: str, value: Any) -> Any:
        if module_of(value) == "pyspark":
            return value
        what, session = called(name), self._connection
        file_input = self.find_files(name, value, tables=self._is_table(value))
        if isinstance(value, str) and not file_input and type(session).__name__ != "SparkSession":
            raise no_table(value)
        try:
            if file_input and file_input.is_table:
                return session.createDataFrame(in_plain_types(scan_table(what, file_input).collect()).to_arrow())
            if file_input and file_input.form == "arrow":
                return session.createDataFrame(pa.table(ArrowFiles(what, file_input.paths)))
            if file_input and (file_input.form not in READERS or (file_input.form != "parquet" and file_input.seen)):
                import duckdb

                return session.createDataFrame(duckdb.connect().sql(text_query(file_input)).to_arrow_table())
            if file_input:
                form, options = READERS[file_input.form]
                # Spark lists the files of a folder itself, and reads columns from the names of its folders
                paths = [path.removesuffix("/**/*.parquet") for path in file_input.paths]
                return session.read.format(form).options(**options).load(paths)
            if isinstance(value, str) and is_query(value):
                return session.sql(query(what, value, self.dialect).sql(grammar(self.dialect)))
            if isinstance(value, str):
                return session.table(value)
            if (stream := readable(what, value)) is not None:
                return session.createDataFrame(in_plain_types(pa.table(stream)))
        except RankMetricsError:
            raise
        except Exception as error:  # Spark raises errors of many kinds
            raise unreadable(what, self._reason(error)) from error
        raise unknown(what, value)

    def _is_table(self, value: object) -> bool:
        """True if a text is the name of a table of the session, even if a file has that name."""
        catalog = getattr(self._connection, "catalog", None)
        if not isinstance(value, str) or format_of(value) is not None or catalog is None:
            return False
        try:
            return bool(catalog.tableExists(value))
        except Exception:  # noqa: BLE001  # the text cannot be the name of a table
            return False

    def keep(self, name: str, condition: exp.Expr) -> None:
        text = condition.sql(grammar(self.dialect), identify=True)
        try:
            self._tables[name] = self._tables[name].filter(text)
        except Exception as error:  # Spark raises errors of many kinds
            raise InputError(f"{Option('where', text)} cannot be computed: {self._reason(error)}") from error

    def _unnest(self, name: str, table: Any, shape: Shape) -> Any:
        select = unnest(self.dialect, self.inputs[name].table, shape, table.columns, has_arrays=True)
        assert select is not None, self.dialect  # both dialects of Spark can unnest lists
        return self._run(select.sql(grammar(self.dialect), identify=True), select.named_selects)

    def _run(self, sql: str, columns: Sequence[str]) -> Any:
        text = sql.replace("{", "{{").replace("}", "}}")
        frames = {f"{name}_{self._mark}": table for name, table in self._tables.items()}
        for name in frames:
            text = text.replace(f"`{name}`", f"{{{name}}}")
        frame = self._connection.sql(text, **frames)
        self._texts[frame] = sql
        return frame

    def table_of(self, compute: Callable[[], pl.DataFrame]) -> Any:
        return self._connection.createDataFrame(compute().to_arrow())

    def _collect(self, lazy: Any) -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(lazy.toArrow())

    def _text(self, lazy: Any) -> str:
        return self._texts.get(lazy, "")

    def _reason(self, error: BaseException) -> str:
        """Spark's message without the JVM's stack trace."""
        return str(error).split("\n\tat ")[0].split("\nJVM stacktrace")[0].strip()


def _column_type(kind: Any) -> ColumnType:
    element = _column_type(kind.elementType) if hasattr(kind, "elementType") else None
    fields = [(field.name, _column_type(field.dataType)) for field in getattr(kind, "fields", ())]
    return type_of(kind.simpleString(), element, fields)


ENGINE = Spark
