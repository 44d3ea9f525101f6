"""Opens a connection by its address, as in `postgresql://user@host/db`; the drivers are extras of the package."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from rankmetrics.dialects.base import DIALECTS
from rankmetrics.dialects.model import Address
from rankmetrics.errors import InputError, Option, did_you_mean, names

# Any other database that SQLAlchemy has a dialect for: `mysql+pymysql://...`, `snowflake://...`.
ANY_OTHER = Address("", "sqlalchemy", lambda sqlalchemy, address: sqlalchemy.create_engine(address), extra="sqlalchemy")


@cache
def _addresses() -> dict[str, Address]:
    """The addresses that rankmetrics opens without SQLAlchemy, by their schemes."""
    return {address.scheme: address for dialect in DIALECTS.values() for address in dialect.addresses}


@cache
def _packages() -> dict[str, str]:
    """The packages that SQLAlchemy needs for an address, by its scheme."""
    return {scheme: packages for dialect in DIALECTS.values() for scheme, packages in dialect.sqlalchemy.items()}


def _path(address: str) -> str:
    """The file that `sqlite:///shop.db` names (relative; with four slashes absolute); in memory, if it names none."""
    return urlsplit(address).path.removeprefix("/") or ":memory:"


def opened(connection: object) -> object:
    """A connection: the argument itself, or, for the text of an address, the connection that it opens.

    Raises:
        InputError: a text is no address, its driver is not installed, or the connection cannot be opened.
    """
    if not isinstance(connection, str):
        return connection
    scheme, slashes, _ = connection.partition("://")
    if not slashes:
        near = did_you_mean(scheme, _addresses())
        raise InputError(
            Option("connection", connection),
            " is no address of a database: write one as in postgresql://user@host/name or "
            f"sqlite:///file.db, with one of {names(_addresses())} or what SQLAlchemy knows.{near}",
        )
    opener = _addresses().get(scheme, ANY_OTHER)
    path = Path(_path(connection))
    if opener.is_path and _path(connection) != ":memory:" and not path.exists():
        there = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
        raise InputError(f"There is no database {str(path)!r}.{did_you_mean(path.name, there)}")
    package = _packages().get(scheme.partition("+")[0])
    try:
        module = importlib.import_module(opener.module)
    except ImportError as error:
        if opener is ANY_OTHER and package:
            raise InputError(f"{scheme}:// needs drivers: pip install sqlalchemy {_quoted(package)}.") from error
        raise InputError(
            f"{scheme}:// needs {opener.module}, which is not installed: pip install 'rankmetrics[{opener.extra}]'."
        ) from error
    try:
        return opener.open(module, _path(connection) if opener.is_path else connection)
    except Exception as error:  # each driver raises errors of its own
        if opener is ANY_OTHER and (isinstance(error, ImportError) or type(error).__name__ == "NoSuchModuleError"):
            cure = f"pip install {_quoted(package)}" if package else "install the dialect of SQLAlchemy for it"
            raise InputError(f"{scheme}:// needs a driver that is not installed: {cure}.") from error
        raise InputError(f"The connection {_discreet(connection)} cannot be opened: {error}") from error


def _quoted(packages: str) -> str:
    """Names of packages, in quotes where a shell needs them."""
    return " ".join(f"'{one}'" if "[" in one else one for one in packages.split())


def _discreet(address: str) -> str:
    """An address without its password."""
    password = urlsplit(address).password
    return address.replace(f":{password}@", ":***@") if password else address
