"""Connections to databases by an address, their dialect and answers; and where results are written."""

from __future__ import annotations

import importlib
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from sqlglot import exp

from rankmetrics._files import new_file
from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.base import known, originals_last
from rankmetrics.dialects.model import Driver
from rankmetrics.engines.arrow import of_plain_types
from rankmetrics.engines.base import kind_of, module_of
from rankmetrics.engines.files import form_to_write
from rankmetrics.errors import InputError, Option, RankMetricsError, did_you_mean, importing, pip_install
from rankmetrics.messages import said

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
        address, near = Option("connection", connection), did_you_mean(scheme, openers)
        raise said(InputError, "no_address", connection=address, schemes=[*openers], near=near)
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
    lacking, needed = f"{scheme}:// needs {opener.module}, which is not installed", [opener.extra]
    if opener is ANY_OTHER and packages:
        lacking, needed = f"{scheme}:// needs drivers", ["", "sqlalchemy", *packages]
    with importing(lacking, *needed):
        module = importlib.import_module(opener.module)
    try:
        return ((to_write and opener.open_to_write) or opener.open)(module, target)
    except Exception as error:  # each driver raises errors of its own
        if opener is ANY_OTHER and (isinstance(error, ImportError) or type(error).__name__ == "NoSuchModuleError"):
            cure = pip_install("", *packages) if packages else "install the dialect of SQLAlchemy for it"
            raise InputError(f"{scheme}:// needs a driver that is not installed: {cure}.") from error
        raise InputError(f"The connection {without_password(connection)} cannot be opened: {error}") from error


def without_password(address: str) -> str:
    """An address with three stars instead of its password."""
    password = urlsplit(address).password
    return address.replace(f":{password}@", ":***@") if password else address


# --- queries ----------------------------------------------------------------------------------------------------------


def _driver(connection: object) -> tuple[str, Driver]:
    """The dialect and the driver of a connection; no dialect and no options, where no dialect names the driver."""
    module = module_of(connection)
    return _drivers().get(module, ("", Driver(module)))


def dialect_of(connection: Any, requested: str | None) -> str:
    """The dialect of a connection: `requested`, else that of its driver or of the database it reports."""
    if requested is not None:
        known(requested)
        return requested
    if dialect := _driver(connection)[0]:
        return dialect
    vendor = ""
    if hasattr(connection, "adbc_get_info"):
        vendor = str(connection.adbc_get_info().get("vendor_name", "")).lower()
    elif module_of(connection) in ("pyodbc", "turbodbc") and hasattr(connection, "getinfo"):
        vendor = str(connection.getinfo(17)).lower()  # SQL_DBMS_NAME
    vendors = {vendor: name for name, dialect in originals_last() for vendor in dialect.vendors}
    if vendor in vendors:
        return vendors[vendor]
    raise said(InputError, "no_connection", kind=kind_of(connection))


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
    import polars as pl

    with unwrapped(connection) as own, _inside_savepoint(own, dialect, is_needed=len(queries) > 1):
        return [pl.DataFrame((_driver(own)[1].read or _read)(own, sql)) for sql in queries]


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


# --- where results are written ----------------------------------------------------------------------------------------


# A table of a DuckDB file, as in `ml.duckdb::board` or `ml.db::main.board`.
DUCKDB_TABLE = re.compile(r"(?P<file>.+\.(?:duckdb|ddb|db))::(?P<table>[^:]+)", re.IGNORECASE)


def is_table(path: str | Path) -> bool:
    """True if a destination is a table: `ml.duckdb::board`, or an address of a database."""
    return bool(DUCKDB_TABLE.fullmatch(str(path))) or "://" in str(path)


@contextmanager
def destination(path: str | Path, partition_by: Sequence[str] = ()) -> Iterator[tuple[Path, str]]:
    """A temporary file and its format: rows that the block writes into it are at the destination afterwards.

    The columns of `partition_by` have a folder of Parquet files for each of their values, as in `day=2024-01-31/`: a
    folder of the same values is replaced, other folders stay.
    """
    text = str(path)
    if partition_by:
        if is_table(text) or Path(text).suffix or Path(text).is_file():
            raise said(InputError, "no_folder", path=text)
        put: Callable[[Path], None] = partial(_put_partitions, Path(text), partition_by)
    elif match := DUCKDB_TABLE.fullmatch(text):
        put = partial(_put_into_duckdb, match["file"], dialects.table(match["table"], "duckdb"))
    elif "://" in text:
        address, name = _split_address(text)
        connection = opened(address, to_write=True)
        dialect = dialect_of(connection, None)
        put = partial(_put_into_database, connection, dialect, dialects.table(name, dialect, is_folded=True))
    else:
        form = form_to_write(path)
        with new_file(path) as temporary:
            yield temporary, form
        return
    with TemporaryDirectory(prefix="rankmetrics-") as folder:
        rows = Path(folder) / "rows.parquet"
        yield rows, "parquet"
        try:
            put(rows)
        except RankMetricsError:
            raise
        except Exception as error:  # each driver raises errors of its own
            raise InputError(f"Cannot write {without_password(text)!r}: {error}") from error


def _split_address(text: str) -> tuple[str, str]:
    parts = urlsplit(text)
    settings = dict(parse_qsl(parts.query, keep_blank_values=True))
    name = settings.pop("table", "")
    if not name:
        raise InputError(f"The address names no table: write it as in {text.partition('?')[0]}?table=board.")
    rest = urlunsplit(parts._replace(query=urlencode(settings)))
    return (text.partition("?")[0] if not settings else rest), name


def _put_partitions(folder: Path, partition_by: Sequence[str], rows: Path) -> None:
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".rankmetrics-", dir=folder) as beside:  # on the same disk, so that it can be moved
        duckdb.read_parquet(str(rows)).write_parquet(str(Path(beside) / "new"), partition_by=[*partition_by])
        for new in sorted({path.parent for path in (Path(beside) / "new").rglob("*.parquet")}):
            target = folder / new.relative_to(Path(beside) / "new")
            shutil.rmtree(target, ignore_errors=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            new.rename(target)


def _put_into_duckdb(file: str, table: exp.Table, rows: Path) -> None:
    import duckdb

    create = f"CREATE OR REPLACE TABLE {table.sql('duckdb')} AS SELECT * FROM read_parquet($1)"
    with duckdb.connect(file) as connection:
        connection.execute(create, [str(rows)])


def _put_into_database(connection: Any, dialect: str, table: exp.Table, rows: Path) -> None:
    """Replace a table of a database, by statements that every database has; in one transaction where it has one."""
    import polars as pl

    frame, grammar = pl.read_parquet(rows), dialects.grammar(dialect)
    columns = [exp.to_identifier(name, quoted=True) for name in frame.columns]
    kinds = [exp.DataType.build(_type_of(kind)) for kind in frame.dtypes]
    definitions = [exp.ColumnDef(this=name, kind=kind) for name, kind in zip(columns, kinds, strict=True)]
    create = exp.Create(this=exp.Schema(this=table.copy(), expressions=definitions), kind="TABLE")
    statements = [f"DROP TABLE IF EXISTS {table.sql(grammar)}", create.sql(grammar)]
    statements += [
        exp.insert(exp.values(batch.rows()), table, columns).sql(grammar)
        for batch in frame.iter_slices(500)
        if batch.height
    ]
    with unwrapped(connection) as own:
        if not hasattr(own, "cursor"):
            raise InputError(f"Nothing can be written through a connection of {type(own).__module__}.")
        cursor = own.cursor()
        for statement in statements:
            cursor.execute(statement)
        own.commit()
        cursor.close()
    (connection.dispose if hasattr(connection, "dispose") else connection.close)()


def _type_of(kind: pl.DataType) -> str:
    """The type of a column; text for a type that databases do not share."""
    name = kind.base_type().__name__
    known = {"Float64": "DOUBLE", "Float32": "DOUBLE", "Boolean": "BOOLEAN", "Date": "DATE", "Datetime": "TIMESTAMP"}
    return "BIGINT" if kind.is_integer() else known.get(name, "TEXT")
