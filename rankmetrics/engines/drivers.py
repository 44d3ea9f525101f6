"""What a connection is: which SQL is spoken over it, how a question is put to it, what an error would break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rankmetrics.dialects.base import known
from rankmetrics.engines.base import module_of
from rankmetrics.errors import InputError, Option

if TYPE_CHECKING:
    import polars as pl

# The dialect that is spoken over the connections of a module.
SPEAKS: Mapping[str, str] = {
    "MySQLdb": "mysql",
    "adbc_driver_postgresql": "postgres",
    "adbc_driver_snowflake": "snowflake",
    "adbc_driver_sqlite": "sqlite",
    "chdb": "clickhouse",
    "clickhouse_connect": "clickhouse",
    "clickhouse_driver": "clickhouse",
    "databricks": "databricks",
    "datafusion": "datafusion",
    "fakesnow": "snowflake",
    "google": "bigquery",
    "mariadb": "mysql",
    "mssql_python": "tsql",
    "mysql": "mysql",
    "pg8000": "postgres",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pyathena": "athena",
    "pymssql": "tsql",
    "pymysql": "mysql",
    "redshift_connector": "redshift",
    "snowflake": "snowflake",
    "sqlite3": "sqlite",
    "trino": "trino",
}

# The dialect by what a driver manager says of the database behind it.
VENDORS: Mapping[str, str] = {
    "clickhouse": "clickhouse",
    "databricks": "databricks",
    "mariadb": "mysql",
    "microsoft sql server": "tsql",
    "mysql": "mysql",
    "postgresql": "postgres",
    "redshift": "redshift",
    "snowflake": "snowflake",
    "sqlite": "sqlite",
}

# Databases that refuse everything after an error until the transaction is given up.
UNFORGIVING = frozenset({"postgres", "redshift"})


def dialect_of(connection: object, asked: str | None) -> str:
    """The dialect that is spoken over a connection: the one asked for, or what its module tells.

    Raises:
        DialectError: there is no dialect of the name asked for.
        InputError: nothing tells.
    """
    if asked is not None:
        known(asked)
        return asked
    module = module_of(connection)
    found = SPEAKS.get(module) or VENDORS.get(_vendor(connection).lower())
    if found is None:
        raise InputError(
            Option("connection"),
            f" must be a connection to a database: nothing is known of {type(connection).__module__}."
            f"{type(connection).__qualname__}. If it is one, say what it speaks: ",
            Option("dialect", "postgres"),
            ".",
        )
    return found


def _vendor(connection: Any) -> str:
    """What a driver manager says is behind a connection; nothing, where it is none."""
    if hasattr(connection, "adbc_get_info"):
        return str(connection.adbc_get_info().get("vendor_name", ""))
    if module_of(connection) in ("pyodbc", "turbodbc") and hasattr(connection, "getinfo"):
        return str(connection.getinfo(17))  # SQL_DBMS_NAME
    return ""


# What a query is executed with, beside its text: nothing is to be left prepared in the server.
EXECUTED: Mapping[str, Mapping[str, Any]] = {"psycopg": {"prepare": False}}

# How cursors call it to hand over an answer as an Arrow table: ADBC, Snowflake, Databricks, turbodbc, Athena.
ARROW = ("fetch_arrow_table", "fetch_arrow_all", "fetchall_arrow", "fetchallarrow", "as_arrow")


@contextmanager
def unwrapped(connection: Any) -> Iterator[Any]:
    """The driver's own connection: that inside one of SQLAlchemy, or one borrowed from its pool."""
    if module_of(connection) != "sqlalchemy":
        yield connection
    elif callable(connection.connection if hasattr(connection, "connection") else None):  # a session of its ORM
        yield connection.connection().connection.dbapi_connection
    elif hasattr(connection, "raw_connection"):
        borrowed = connection.raw_connection()
        try:
            yield borrowed.dbapi_connection
        finally:
            borrowed.close()
    else:
        yield connection.connection.dbapi_connection


def ask(connection: Any, sql: str, dialect: str) -> pl.DataFrame:
    """The answer to a query; the connection is as usable after it as it was before, whatever it answered.

    Raises:
        Exception: whatever the driver raises.
    """
    with unwrapped(connection) as own, _undisturbed(own, dialect):
        return READS.get(module_of(own), _read)(own, sql)


def _read(connection: Any, sql: str) -> pl.DataFrame:
    """An answer of a driver as PEP 249 has it; as Arrow, if it can."""
    import polars as pl

    cursor = connection.cursor()
    try:
        cursor.execute(sql, **EXECUTED.get(module_of(connection), {}))
        if (table := _arrow(cursor)) is not None:
            return pl.DataFrame(of_plain_types(table))
        names = [str(column[0]) for column in cursor.description]
        rows = [tuple(row.values()) if isinstance(row, Mapping) else tuple(row) for row in cursor.fetchall()]
        return pl.DataFrame(rows, names, orient="row", infer_schema_length=None)
    finally:
        cursor.close()


def _arrow(cursor: Any) -> Any:
    """An answer as an Arrow table; None where the driver has none, or none of this answer."""
    verb = next((one for one in ARROW if hasattr(cursor, one)), None)
    try:
        return getattr(cursor, verb)() if verb else None
    except Exception as error:
        if type(error).__name__ == "NotSupportedError":  # Snowflake's, of whatever is no SELECT
            return None
        raise


def of_plain_types(table: Any) -> Any:
    """An Arrow table whose types are Arrow's own: what a driver has no type for is stored as text."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if isinstance(field.type, pa.BaseExtensionType):
            stored = table.column(place).cast(field.type.storage_type)
            if field.type.extension_name == "arrow.uuid":
                stored = pa.array([None if one is None else str(UUID(bytes=one)) for one in stored.to_pylist()])
            table = table.set_column(place, field.name, stored)
    return table


def _read_datafusion(context: Any, sql: str) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(context.sql(sql).to_arrow_table())


def _read_chdb(connection: Any, sql: str) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.DataFrame(connection.query(sql, "ArrowTable"))
    except Exception:
        with suppress(Exception):  # what was written of the answer before the error comes with the next one
            connection.query("SELECT 1", "ArrowTable")
        raise


def _read_clickhouse(client: Any, sql: str) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(client.query_arrow(sql))


def tables(connection: Any, sql: str | None, dialect: str) -> list[str]:
    """The names of the tables that can be seen, as the database tells them when it is asked; DataFusion as it knows."""
    with unwrapped(connection) as own:
        if module_of(own) == "datafusion":
            catalog = own.catalog()
            return [name for schema in catalog.names() for name in catalog.schema(schema).names()]
    return [str(row[0]) for row in ask(connection, sql, dialect).rows()] if sql else []


# How to read from a connection that is not as PEP 249 has it.
READS: Mapping[str, Callable[[Any, str], pl.DataFrame]] = {
    "chdb": _read_chdb,
    "clickhouse_connect": _read_clickhouse,
    "datafusion": _read_datafusion,
}


@contextmanager
def _undisturbed(connection: Any, dialect: str) -> Iterator[None]:
    """The caller's transaction as it was, or none: where an error would end it, inside a savepoint."""
    if dialect not in UNFORGIVING:
        yield
        return
    if callable(transaction := getattr(connection, "transaction", None)):
        block: AbstractContextManager[Any] = transaction()  # of psycopg: a savepoint within a transaction, else its own
        with block:
            yield
        return
    cursor = connection.cursor()
    try:
        cursor.execute("SAVEPOINT rankmetrics")
    except Exception:  # noqa: BLE001  # each statement is a transaction here, and there is nothing to keep
        cursor.close()
        yield
        return
    try:
        yield
    except BaseException:
        with suppress(Exception):  # the connection may be gone, and that is what the error says
            cursor.execute("ROLLBACK TO SAVEPOINT rankmetrics")
        raise
    finally:
        with suppress(Exception):
            cursor.execute("RELEASE SAVEPOINT rankmetrics")
        with suppress(Exception):
            cursor.close()
