"""A connection by its address, as in `postgresql://user@host/db`; what it takes to open one is an extra."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rankmetrics.errors import InputError, Option, did_you_mean, names


@dataclass(frozen=True)
class Opener:
    """How an address of a kind is opened: by which module, of which extra, in which way."""

    module: str
    extra: str
    open: Callable[[Any, str], Any]


def _path(address: str) -> str:
    """The file that `sqlite:///shop.db` names (relative; with four slashes absolute); in memory, if it names none."""
    return urlsplit(address).path.removeprefix("/") or ":memory:"


def _sqlite(sqlite: Any, address: str) -> Any:
    """A file that is there, opened to be read: a driver would make an empty database of a name that is mistyped."""
    path = _path(address)
    if path != ":memory:":
        path = f"{Path(path).resolve().as_uri()}?mode=ro"
    return sqlite.connect(path, uri=True, check_same_thread=False)  # the command line computes in a thread of its own


OPENERS: Mapping[str, Opener] = {
    "chdb": Opener("chdb", "chdb", lambda chdb, address: chdb.connect(_path(address))),
    "clickhouse": Opener("clickhouse_connect", "clickhouse", lambda client, address: client.get_client(dsn=address)),
    "duckdb": Opener("duckdb", "", lambda duckdb, address: duckdb.connect(_path(address), read_only=True)),
    "postgres": Opener("psycopg", "postgres", lambda psycopg, address: psycopg.connect(address)),
    "postgresql": Opener("psycopg", "postgres", lambda psycopg, address: psycopg.connect(address)),
    "sc": Opener(
        "pyspark.sql", "spark", lambda spark, address: spark.SparkSession.builder.remote(address).getOrCreate()
    ),
    "sqlite": Opener("sqlite3", "", _sqlite),
}

# Addresses of files and folders of this machine, which are refused where there is none.
OF_FILES = ("chdb", "duckdb", "sqlite")

# What is to be installed for other addresses of SQLAlchemy.
PACKAGES: Mapping[str, str] = {
    "athena": "PyAthena[SQLAlchemy]",
    "awsathena": "PyAthena[SQLAlchemy]",
    "bigquery": "sqlalchemy-bigquery",
    "databricks": "databricks-sqlalchemy",
    "mariadb": "pymysql",
    "mssql": "pyodbc",
    "mysql": "pymysql",
    "redshift": "sqlalchemy-redshift redshift_connector",
    "snowflake": "snowflake-sqlalchemy",
    "trino": "trino[sqlalchemy]",
}

# Any other database that SQLAlchemy has a dialect for: `mysql+pymysql://...`, `snowflake://...`.
ANY_OTHER = Opener("sqlalchemy", "sqlalchemy", lambda sqlalchemy, address: sqlalchemy.create_engine(address))


def opened(connection: object) -> object:
    """A connection as it is, or the one that an address leads to.

    Raises:
        InputError: it is a text and no address, what it takes to open it is not installed, or it cannot be opened.
    """
    if not isinstance(connection, str):
        return connection
    scheme, slashes, _ = connection.partition("://")
    if not slashes:
        near = did_you_mean(scheme, OPENERS)
        raise InputError(
            Option("connection", connection),
            " is no address of a database: write one as in postgresql://user@host/name or "
            f"sqlite:///file.db, with one of {names(OPENERS)} or what SQLAlchemy knows.{near}",
        )
    opener = OPENERS.get(scheme, ANY_OTHER)
    path = Path(_path(connection))
    if scheme in OF_FILES and _path(connection) != ":memory:" and not path.exists():
        there = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
        raise InputError(f"There is no database {str(path)!r}.{did_you_mean(path.name, there)}")
    package = PACKAGES.get(scheme.partition("+")[0])
    try:
        module = importlib.import_module(opener.module)
    except ImportError as error:
        if opener is ANY_OTHER and package:
            raise InputError(f"{scheme}:// needs drivers: pip install sqlalchemy {_quoted(package)}.") from error
        raise InputError(
            f"{scheme}:// needs {opener.module}, which is not installed: pip install 'rankmetrics[{opener.extra}]'."
        ) from error
    try:
        return opener.open(module, connection)
    except Exception as error:  # whatever the driver raises: each has its own
        if opener is ANY_OTHER and (isinstance(error, ImportError) or type(error).__name__ == "NoSuchModuleError"):
            cure = f"pip install {_quoted(package)}" if package else "install the dialect of SQLAlchemy for it"
            raise InputError(f"{scheme}:// needs a driver that is not installed: {cure}.") from error
        raise InputError(f"The connection {_discreet(connection)} cannot be opened: {error}") from error


def _quoted(packages: str) -> str:
    """Packages as a shell takes them."""
    return " ".join(f"'{one}'" if "[" in one else one for one in packages.split())


def _discreet(address: str) -> str:
    """An address without its password."""
    password = urlsplit(address).password
    return address.replace(f":{password}@", ":***@") if password else address
