"""Ibis over tables and expressions of one backend; results are Ibis tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import ibis
import sqlglot
from ibis.backends.sql import SQLBackend
from sqlglot import exp

from rankmetrics.dialects.base import DIALECTS, originals_last
from rankmetrics.engines.base import SHOWN, Engine, Input, kind_of, module_of, schema_of, type_of
from rankmetrics.errors import InputError
from rankmetrics.inputs.columns import ColumnType, Schema
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import called
from rankmetrics.messages import said
from rankmetrics.sqltree.names import free_name

if TYPE_CHECKING:
    import polars as pl


class Ibis(Engine):
    """Runs the queries in a backend of Ibis; results are lazy tables of that backend."""

    called_rows = "an Ibis table"

    def __init__(self, inputs: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self._backend: Any = None
        self._requested = dialect
        super().__init__(inputs, connection)

    def _read(self, name: str, value: Any) -> Any:
        table = self._table(called(name), value)
        try:
            backend = table.get_backend()
        except ibis.IbisError as error:
            raise InputError(f"The Ibis tables belong to no backend, so nothing can run the query: {error}") from error
        if self._backend is None:
            self._backend = backend
            known = {dialect.ibis_backend: name for name, dialect in originals_last()}
            self.dialect = self._requested or known.get(backend.name, backend.name)
            if self.dialect not in DIALECTS:
                raise said(InputError, "unknown_backend", backend=backend.name, known=[*DIALECTS])
            self.name = f"{DIALECTS[self.dialect].called} (through Ibis)"
        if backend is not self._backend:
            raise InputError("The Ibis tables belong to several backends, and a query can read only one backend.")
        return table

    def _table(self, what: str, value: Any) -> Any:
        if module_of(value) == "ibis" and hasattr(value, "get_backend") and hasattr(value, "schema"):
            return value
        if not isinstance(value, str) or self._connection is None:
            raise said(InputError, "no_ibis_table", table=what, kind=kind_of(value))
        *schema, name = value.split(".")
        try:
            return self._connection.table(name, database=tuple(schema) or None)
        except Exception as error:  # each backend raises errors of its own
            raise InputError(
                f"There is no table {value!r} in Ibis' backend {self._connection.name}: {error}"
            ) from error

    def _schema(self, name: str, table: Any) -> Schema:
        return schema_of(called(name), [(column, _column_type(kind)) for column, kind in table.schema().items()])

    def _put(self, name: str, table: Any) -> None:
        self._tables[name] = table
        source = self._source(table)
        self.inputs[name] = Input(self._schema(name, table), source, source.name or name, travels=True)

    def _source(self, table: Any) -> exp.Expr:
        operation = table.op()
        if type(operation).__name__ == "DatabaseTable":
            return exp.table_(
                operation.name, db=operation.namespace.database, catalog=operation.namespace.catalog, quoted=True
            )
        if not isinstance(self._backend, SQLBackend):
            raise said(InputError, "no_sql_of_ibis", backend=self._backend.name)
        text = str(ibis.to_sql(table, dialect=self._backend.name))
        return exp.Subquery(this=sqlglot.parse_one(text, read=self._backend.dialect))

    def _union(self, tables: Mapping[str, Any], columns: Sequence[str], column: str) -> Any:
        named = [table.select(*columns).mutate(**{column: ibis.literal(system)}) for system, table in tables.items()]
        return ibis.union(*named) if len(named) > 1 else named[0]

    def _unnest(self, name: str, table: Any, shape: Shape) -> Any:
        other_columns = shape.kept(table.columns)
        lists = {column: table[column] for column in shape.lists}
        if shape.wide:
            lists = {name: ibis.array([table[column] for column in columns]) for name, columns in shape.wide.items()}
        item, *others = lists
        place = free_name("position", [*table.columns, *lists, *shape.fields.values(), shape.rank or ""])
        rows = table.select(*other_columns, **lists).unnest(item, offset=place, keep_empty=True)
        if shape.wide:
            rows = rows.filter(rows[item].notnull() | (rows[place] == 0))
        new_columns = {item: rows[item], **{other: rows[other][rows[place]] for other in others}}
        if shape.fields:
            new_columns = {column: rows[item][field] for field, column in shape.fields.items()}
        ranks = {shape.rank: rows[place] + shape.rank_from} if shape.rank else {}
        return rows.select(*other_columns, **new_columns, **ranks)

    # in Ibis' own expressions: for SQL, Ibis would ask the backend for the types at once
    def _find_uneven(self, name: str, table: Any, shape: Shape) -> Any:
        sizes = {column: table[column].length().fill_null(0) for column in shape.lists}
        first, *others = sizes.values()
        keys = [column for column in shape.kept(table.columns) if not table.schema()[column].is_nested()]
        uneven = table.filter(ibis.or_(*(first != other for other in others)))
        return uneven.select(*keys, **sizes).order_by(keys).limit(SHOWN)

    def _run(self, sql: str, columns: Sequence[str]) -> Any:
        rows = self._backend.sql(sql)
        return rows.rename({new: old for new, old in zip(columns, rows.columns, strict=True) if new != old})

    def table_of(self, compute: Callable[[], pl.DataFrame]) -> Any:
        return ibis.memtable(compute().to_arrow())

    def _collect(self, lazy: Any) -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(lazy.to_pyarrow())

    def _text(self, lazy: Any) -> str:
        return str(ibis.to_sql(lazy))


def _column_type(kind: Any) -> ColumnType:
    element = _column_type(kind.value_type) if kind.is_array() else None
    fields = kind.fields.items() if kind.is_struct() else ()
    return type_of(str(kind), element, [(name, _column_type(field)) for name, field in fields])


ENGINE = Ibis
