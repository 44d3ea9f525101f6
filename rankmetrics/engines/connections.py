"""Connections to databases: opened by an address, their dialect, the answers to queries, and savepoints."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rankmetrics.dialects.base import known, originals_last
from rankmetrics.dialects.model import Driver
from rankmetrics.engines.arrow import of_plain_types
from rankmetrics.engines.base import module_of
from rankmetrics.errors import InputError, Option, did_you_mean, names, pip_install

if TYPE_CHECKING:
    import polars as pl

# Any other database that SQLAlchemy has a dialect for: `mysql+pymysql://...`, `snowflake://...`.
ANY_OTHER = Driver("sqlalchemy", extra="sqlalchemy", open=lambda sqlalchemy, address: sqlalchemy.create_engine(address))


@cache
def _drivers() -> dict[str, tuple[str, Driver]]:
    """Each driver with its dialect, by the module of its connections."""
    return {driver.module: (name, driver) for name, dialect in originals_last() for driver in dialect.drivers}


def opened(connection: object, *, to_write: bool = False) -> object:
    """A connection: the argument itself, or, for the text of an address, the connection that it opens.

    It only reads where the database can refuse to write, unless it is opened `to_write`.
    """
    if not isinstance(connection, str):
        return connection
    openers = {scheme: driver for _, driver in _drivers().values() for scheme in driver.schemes}
    scheme, slashes, _ = connection.partition("://")
    if not slashes:
        near = did_you_mean(scheme, openers)
        raise InputError(
            Option("connection", connection),
            " is not an address of a database: write one as in postgresql://user@host/name or "
            f"sqlite:///file.db, with one of {names(openers)} or what SQLAlchemy knows.{near}",
        )
    opener = openers.get(scheme, ANY_OTHER)
    target = connection
    if opener.is_path:  # sqlite:///shop.db is relative, with four slashes absolute; sqlite:// is in memory
        target = urlsplit(connection).path.removeprefix("/") or ":memory:"
        path = Path(target)
        if target != ":memory:" and not path.exists() and not to_write:
            there = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
            raise InputError(f"There is no database {str(path)!r}.{did_you_mean(path.name, there)}")
    all_packages = {name: packages for _, dialect in originals_last() for name, packages in dialect.sqlalchemy.items()}
    packages = all_packages.get(scheme.partition("+")[0], "").split()
    try:
        module = importlib.import_module(opener.module)
    except ImportError as error:
        if opener is ANY_OTHER and packages:
            raise InputError(f"{scheme}:// needs drivers: {pip_install('', 'sqlalchemy', *packages)}.") from error
        raise InputError(
            f"{scheme}:// needs {opener.module}, which is not installed: {pip_install(opener.extra)}."
        ) from error
    try:
        return ((to_write and opener.open_to_write) or opener.open)(module, target)
    except Exception as error:  # each driver raises errors of its own
        if opener is ANY_OTHER and (isinstance(error, ImportError) or type(error).__name__ == "NoSuchModuleError"):
            cure = pip_install("", *packages) if packages else "install the dialect of SQLAlchemy for it"
            raise InputError(f"{scheme}:// needs a driver that is not installed: {cure}.") from error
        raise InputError(f"The connection {without_password(connection)} cannot be opened: {error}") from error


def without_password(address: str) -> str:
    """An address with three stars in place of its password."""
    password = urlsplit(address).password
    return address.replace(f":{password}@", ":***@") if password else address


# --- queries ----------------------------------------------------------------------------------------------------------


def _driver(connection: object) -> tuple[str, Driver]:
    """The dialect and the driver of a connection; no dialect and no options, where no dialect names the driver."""
    module = module_of(connection)
    return _drivers().get(module, ("", Driver(module)))


def dialect_of(connection: object, requested: str | None) -> str:
    """The dialect of a connection: `requested`, else that of its driver or of the database it reports."""
    if requested is not None:
        known(requested)
        return requested
    if dialect := _driver(connection)[0]:
        return dialect
    vendor = _vendor(connection).lower()
    vendors = {vendor: name for name, dialect in originals_last() for vendor in dialect.vendors}
    if vendor in vendors:
        return vendors[vendor]
    raise InputError(
        Option("connection"),
        f" must be a connection to a database: rankmetrics does not know {type(connection).__module__}."
        f"{type(connection).__qualname__}. If it is a connection, name the dialect of its database: ",
        Option("dialect", "postgres"),
        ".",
    )


def _vendor(connection: Any) -> str:
    """The name of the database that ADBC or ODBC reports for a connection; empty for other drivers."""
    if hasattr(connection, "adbc_get_info"):
        return str(connection.adbc_get_info().get("vendor_name", ""))
    if module_of(connection) in ("pyodbc", "turbodbc") and hasattr(connection, "getinfo"):
        return str(connection.getinfo(17))  # SQL_DBMS_NAME
    return ""


# The methods by which cursors return an Arrow table: of ADBC, Snowflake, Databricks, turbodbc and Athena.
ARROW = ("fetch_arrow_table", "fetch_arrow_all", "fetchall_arrow", "fetchallarrow", "as_arrow")


@contextmanager
def unwrapped(connection: Any) -> Iterator[Any]:
    """The driver's own connection: itself, or the connection inside an object of SQLAlchemy."""
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


def answers(connection: Any, dialect: str, *queries: str) -> list[pl.DataFrame]:
    """The answers to queries, in one transaction if possible; after an error, too, the connection works as before."""
    with unwrapped(connection) as own, _inside_savepoint(own, dialect, is_needed=len(queries) > 1):
        return [(_driver(own)[1].read or _read)(own, sql) for sql in queries]


def _read(connection: Any, sql: str) -> pl.DataFrame:
    """The answer to a query by a cursor as PEP 249 has it, read as Arrow where the driver can."""
    import polars as pl

    cursor = connection.cursor()
    try:
        cursor.execute(sql, **_driver(connection)[1].execute)
        if (table := _arrow(cursor)) is not None:
            return pl.DataFrame(of_plain_types(table))
        names = [str(column[0]) for column in cursor.description]
        rows = [tuple(row.values()) if isinstance(row, Mapping) else tuple(row) for row in cursor.fetchall()]
        return pl.DataFrame(rows, names, orient="row", infer_schema_length=None)
    finally:
        cursor.close()


def _arrow(cursor: Any) -> Any:
    """An answer as an Arrow table; None where the driver cannot return this answer as Arrow."""
    verb = next((kind for kind in ARROW if hasattr(cursor, kind)), None)
    try:
        return getattr(cursor, verb)() if verb else None
    except Exception as error:
        if type(error).__name__ == "NotSupportedError":  # Snowflake raises it for an answer to anything but a SELECT
            return None
        raise


def tables(connection: Any, sql: str, dialect: str) -> list[str]:
    """The names of the tables that the connection sees, from the driver or by the query `sql`; none without either."""
    with unwrapped(connection) as own:
        if (list_tables := _driver(own)[1].tables) is not None:
            return list_tables(own)
    return [str(row[0]) for row in answers(connection, dialect, sql)[0].rows()] if sql else []


@contextmanager
def _inside_savepoint(connection: Any, dialect: str, *, is_needed: bool) -> Iterator[None]:
    """Keep the caller's transaction: roll back to a savepoint after an error, for databases where it ends with it."""
    if not is_needed and not known(dialect).error_ends_transaction:
        yield
        return
    if callable(transaction := getattr(connection, "transaction", None)):
        block: AbstractContextManager[Any] = transaction()  # psycopg's: a savepoint, or a transaction of its own
        with block:
            yield
        return
    cursor = connection.cursor()
    try:
        cursor.execute("SAVEPOINT rankmetrics")
    except Exception:  # noqa: BLE001  # each statement is its own transaction: there is nothing to roll back
        cursor.close()
        yield
        return
    try:
        yield
    except BaseException:
        with suppress(Exception):  # the connection may be closed, and the first error says so
            cursor.execute("ROLLBACK TO SAVEPOINT rankmetrics")
        raise
    finally:
        with suppress(Exception):
            cursor.execute("RELEASE SAVEPOINT rankmetrics")
        with suppress(Exception):
            cursor.close()
