"""Ibis over tables and expressions of one backend; results are Ibis tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sqlglot
from sqlglot import exp

from rankmetrics.dialects.base import DIALECTS
from rankmetrics.engines.base import SHOWN, Engine, Input, module_of, schema_of, type_of
from rankmetrics.engines.systems import Systems
from rankmetrics.errors import EngineError, InputError, Option, names
from rankmetrics.inputs.columns import ColumnType
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import called
from rankmetrics.sqltree.names import free_name

if TYPE_CHECKING:
    import polars as pl


class Ibis(Engine):
    """Runs the queries in a backend of Ibis; results are lazy tables of that backend."""

    called_rows = "an Ibis table"

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self.files = {}
        self._opened_with = connection
        self._tables = {name: _table(called(name), value, connection) for name, value in given.items()}
        self._backend = _backend(self._tables)
        self.dialect = dialect or _dialect_of(self._backend.name)
        if self.dialect not in DIALECTS:
            raise InputError(
                f"The SQL dialect of Ibis' backend {self._backend.name!r} is unknown; known are {names(DIALECTS)}. "
                "If the backend understands one of these, name it: ",
                Option("dialect", "postgres"),
                ".",
            )
        self.name = f"{DIALECTS[self.dialect].called} (through Ibis)"
        self.inputs: dict[str, Input] = {}
        for name, table in self._tables.items():
            self._put(name, table)

    def _put(self, name: str, table: Any) -> None:
        columns = [(column, _column_type(kind)) for column, kind in table.schema().items()]
        schema = schema_of(called(name), columns)
        self._tables[name] = table
        source = self._source(table)
        self.inputs[name] = Input(schema, source, source.name or name, travels=True)

    def _source(self, table: Any) -> exp.Expr:
        """The name of a table, or the subquery of an expression."""
        import ibis
        from ibis.backends import sql

        of = table.op()
        if type(of).__name__ == "DatabaseTable":
            return exp.table_(of.name, db=of.namespace.database, catalog=of.namespace.catalog, quoted=True)
        if not isinstance(self._backend, sql.SQLBackend):
            raise InputError(
                f"Ibis' backend {self._backend.name} cannot write this expression as SQL: give a table, or a "
                "Polars frame."
            )
        text = str(ibis.to_sql(table, dialect=self._backend.name))
        return exp.Subquery(this=sqlglot.parse_one(text, read=self._backend.dialect))

    def copy(self, name: str, new: str) -> None:
        self._put(new, self._tables[name])

    def _open(self, name: str, value: object) -> None:
        self._put(name, _table(called(name), value, self._opened_with))

    def unnest(self, name: str, shape: Shape) -> None:
        given = self._tables[name]
        self._unnested(name, shape, _uneven(given, shape) if len(shape.lists) > 1 else None)
        self._put(name, _unnest(given, shape))

    def _run(self, sql: str, columns: Sequence[str]) -> Any:
        try:
            found = self._backend.sql(sql)
        except Exception as error:  # each backend raises errors of its own
            raise EngineError(self.name, str(error).strip(), sql) from error
        return found.rename({new: old for new, old in zip(columns, found.columns, strict=True) if new != old})

    def table_of(self, compute: Callable[[], pl.DataFrame]) -> Any:
        import ibis

        return ibis.memtable(compute().to_arrow())

    def _collect(self, lazy: Any) -> pl.DataFrame:
        import polars as pl

        try:
            return pl.DataFrame(lazy.to_pyarrow())
        except Exception as error:  # each backend raises errors of its own
            import ibis

            raise EngineError(self.name, str(error).strip(), str(ibis.to_sql(lazy))) from error


def _unnest(given: Any, shape: Shape) -> Any:
    """A table with a row for each item; a row without items stays, with NULL as its item and rank."""
    import ibis

    kept = shape.kept(given.columns)
    lists = {one: given[one] for one in shape.lists}
    if shape.wide:
        lists = {one: ibis.array([given[column] for column in columns]) for one, columns in shape.wide.items()}
    item, *others = lists
    place = free_name("position", [*given.columns, *lists, *shape.fields.values(), shape.rank or ""])
    rows = given.select(*kept, **lists).unnest(item, offset=place, keep_empty=True)
    if shape.wide:
        rows = rows.filter(rows[item].notnull() | (rows[place] == 0))
    found = {item: rows[item], **{other: rows[other][rows[place]] for other in others}}
    if shape.fields:
        found = {column: rows[item][field] for field, column in shape.fields.items()}
    ranks = {shape.rank: rows[place] + shape.rank_from} if shape.rank else {}
    return rows.select(*kept, **found, **ranks)


def _uneven(given: Any, shape: Shape) -> Any:
    """The first rows whose lists differ in length: the columns that stay, then the length of each list."""
    import ibis

    lengths = {column: given[column].length().fill_null(0) for column in shape.lists}
    first, *others = lengths.values()
    keys = [column for column in shape.kept(given.columns) if not given.schema()[column].is_nested()]
    return (
        given.filter(ibis.or_(*(first != other for other in others)))
        .select(*keys, **lengths)
        .order_by(keys)
        .limit(SHOWN)
    )


def _column_type(kind: Any) -> ColumnType:
    """The type of a column, with the types of elements and fields."""
    element = _column_type(kind.value_type) if kind.is_array() else None
    fields = kind.fields.items() if kind.is_struct() else ()
    return type_of(str(kind), element, [(name, _column_type(field)) for name, field in fields])


def _dialect_of(backend: str) -> str:
    """The dialect of a backend of Ibis; the backend's own name, if no dialect names the backend."""
    return next((name for name, one in DIALECTS.items() if one.ibis_backend == backend), backend)


def _of_systems(what: str, systems: Systems, connection: Any) -> Any:
    """The tables of several systems as one table, with a column of the system's name."""
    import ibis

    found = {system: _table(what, value, connection) for system, value in systems.inputs.items()}
    systems.refuse_unlike({system: one.columns for system, one in found.items()})
    order = next(iter(found.values())).columns
    named = [one.select(*order).mutate(**{systems.column: ibis.literal(system)}) for system, one in found.items()]
    return ibis.union(*named) if len(named) > 1 else named[0]


def _table(what: str, value: Any, connection: Any) -> Any:
    """Any input as an Ibis table."""
    if isinstance(value, Systems):
        return _of_systems(what, value, connection)
    if module_of(value) == "ibis" and hasattr(value, "get_backend") and hasattr(value, "schema"):
        return value
    if not isinstance(value, str) or connection is None:
        raise InputError(
            f"The {what} must be an Ibis table, as the recommendations are: it is of the kind "
            f"{type(value).__module__}.{type(value).__qualname__}."
        )
    *schema, name = value.split(".")
    try:
        return connection.table(name, database=tuple(schema) or None)
    except Exception as error:  # each backend raises errors of its own
        raise InputError(f"There is no table {value!r} in Ibis' backend {connection.name}: {error}") from error


def _backend(tables: Mapping[str, Any]) -> Any:
    """The backend of all tables; refuses tables of several backends, or of none."""
    import ibis

    try:
        backends = {id(table.get_backend()): table.get_backend() for table in tables.values()}
    except ibis.IbisError as error:
        raise InputError(f"The Ibis tables belong to no backend, so nothing can run the query: {error}") from error
    if len(backends) > 1:
        raise InputError("The Ibis tables belong to several backends, and a query can read only one backend.")
    return next(iter(backends.values()))


ENGINE = Ibis
