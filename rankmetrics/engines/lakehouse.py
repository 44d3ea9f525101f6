"""Tables of lakehouses (Delta, Iceberg, Lance): their folders, their versions, and the rows of a version.

The files below such a folder hold rows of old versions too, so they are read through the library of the format.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from rankmetrics.errors import InputError, Option, RankMetricsError, importing
from rankmetrics.messages import said

if TYPE_CHECKING:
    import polars as pl

# A time in a path, as in `recs@2024-01-31` or `recs@2024-01-31T10:00:00Z`; Databricks writes it as 17 digits.
TIME = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d{17}")


# The start of an address of a file on this machine.
ADDRESS_HERE = re.compile(r"file:(//(localhost)?)?(?=/)", re.IGNORECASE)


@dataclass(frozen=True)
class Format:
    """A format of tables that keeps several versions in one folder."""

    title: str
    folder: str  # the folder by which a table is recognised, below that of the table
    files: str  # a pattern for the names of files in that folder
    library: str = ""  # the module that reads it; empty for a format that is not read
    kind: str = ""  # the class of a table that this module has opened
    extra: str = ""  # the extra of rankmetrics with the library
    version: str = "v12"  # an example of a version in a path


FORMATS: Mapping[str, Format] = {
    "delta": Format("Delta", "_delta_log", "*", "deltalake", "DeltaTable", "delta"),
    "iceberg": Format("Iceberg", "metadata", "*.metadata.json", "pyiceberg", "Table", "iceberg", "8744736658442914487"),
    "lance": Format("Lance", "_versions", "*.manifest", "lance", "LanceDataset", "lance"),
    "hudi": Format("Hudi", ".hoodie", "hoodie.properties"),
}

# The metadata of a version of an Iceberg table: v3.metadata.json, 00003-(UUID).metadata.json, 00003-(UUID).gz....
METADATA = re.compile(r"v?(\d+)(-[0-9a-f-]{36})?(\.gz)?\.metadata\.json(\.gz)?")


@dataclass(frozen=True)
class Version:
    """A version of a table that was read."""

    table: str  # the path or address of the table
    form: str  # a key of FORMATS
    number: int | None  # None for an Iceberg table that has no snapshot yet
    time: datetime | None = None  # None where the table does not say
    ref: str = ""  # the branch or tag by which the caller named it

    @property
    def path(self) -> str:
        """The version as an input."""
        prefix = "" if self.form == "iceberg" else "v"
        return self.table if self.number is None else f"{self.table}@{prefix}{self.number}"

    def in_words(self, what: str) -> str:
        """A sentence that names the version; `what` is the input in messages."""
        word = "snapshot" if self.form == "iceberg" else "version"
        number = f"no {word}" if self.number is None else f"{word} {self.number}"
        written = f", written {self.time:%Y-%m-%d %H:%M:%S} UTC" if self.time else ""
        ref = f" ({self.ref})" if self.ref else ""
        return f"{what}: {number}{ref} of the {FORMATS[self.form].title} table {self.table!r}{written}"


# --- folders ----------------------------------------------------------------------------------------------------------


def is_there(path: str) -> bool:
    """True if a text is the path of a file or folder on this machine."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a path, or with a character that no path may have
        return False


def local_path(path: str) -> str:
    """The path that an address of this machine names, which may be percent-encoded; other addresses and paths as given.

    >>> local_path("file:///no/such%20folder/recs"), local_path("s3://bucket/recs")
    ('/no/such folder/recs', 's3://bucket/recs')
    """
    if (address := ADDRESS_HERE.match(path)) is None:
        return path
    literal = path[address.end() :]
    start, *glob = re.split(r"[*?\[]", literal, maxsplit=1)
    return literal if is_there(start.rpartition("/")[0] if glob else start) else unquote(literal)


def form_of_folder(folder: Path) -> str | None:
    """The format of the table in a folder; None for a folder that is not a table."""
    for form, table_format in FORMATS.items():
        inner = os.path.join(folder, table_format.folder)  # noqa: PTH118  # every input asks this of every folder above it
        signs = Path(inner).glob(table_format.files) if os.path.isdir(inner) else ()  # noqa: PTH112
        if any(form != "iceberg" or METADATA.fullmatch(path.name) for path in signs):
            return form
    return None


def form_of_object(value: object) -> str | None:
    """The format of a table that its library has opened: a DeltaTable, a pyiceberg Table, a LanceDataset."""
    kinds = {(base.__module__.split(".")[0], base.__name__) for base in type(value).__mro__}
    return next(
        (form for form, table_format in FORMATS.items() if (table_format.library, table_format.kind) in kinds), None
    )


def split_version(path: str) -> tuple[str, str]:
    """A path without its version, and the version; the version is empty if the path has none.

    A path that exists has no version, whatever signs are in its name.
    """
    table, at, version = path.rpartition("@")
    has_version = at and table and "/" not in version and ("://" in path or not is_there(path))
    return (table, version) if has_version else (path, "")


def form_of_path(path: str) -> str | None:
    """The format of the table on this machine that a path names, with or without a version; None for other paths."""
    table, version = split_version(local_path(path))
    if "://" in table or not is_there(table):
        return None
    folder = Path(table)
    if METADATA.fullmatch(folder.name) and folder.parent.name == FORMATS["iceberg"].folder and folder.is_file():
        return "iceberg"
    form = form_of_folder(folder) if folder.is_dir() else None
    if form and not FORMATS[form].library:
        raise said(InputError, "unread_table", path=path, title=FORMATS[form].title)
    if version and not form:
        titles = ", ".join(table_format.title for table_format in FORMATS.values() if table_format.library)
        raise said(InputError, "no_versions", table=table, path=path, version=version, titles=titles)
    return form


def table_around(paths: Iterable[str]) -> tuple[str, str] | None:
    """The first table in whose folder one of these paths lies, and its format; None if no path lies in a table."""
    starts = (re.split(r"[*?\[]", path, maxsplit=1)[0].rpartition("/") for path in paths)
    folders = [Path(start + slash).absolute() for start, slash, _ in dict.fromkeys(starts)]
    for folder in dict.fromkeys(each for start in folders for each in (start, *start.parents)):
        if form := form_of_folder(folder):
            return str(folder), form
    return None


def refuse_files_of_tables(paths: Iterable[str], matched: Iterable[str]) -> None:
    """Refuse paths and globs, with the files that they match, that are files of a table: some are of old versions."""
    here = [path for path in map(local_path, paths) if "://" not in path]
    if around := table_around([*here, *matched]):
        table, found = around[0], FORMATS[around[1]]
        raise said(InputError, "file_of_table", paths=here, table=table, title=found.title, version=found.version)


def refuse_table_at(path: str, match: Callable[[Sequence[str]], Iterable[str]]) -> None:
    """Refuse a folder or glob at an address if a file there, or in a folder below, is a sign of a table.

    `match` returns the files that match one of several patterns.
    """
    start = re.split(r"[*?\[]", path, maxsplit=1)[0].rpartition("/")[0]
    forms = {table_format.folder: form for form, table_format in FORMATS.items()}
    for file in match([f"{start}/**/{folder}/{FORMATS[form].files}" for folder, form in forms.items()]):
        table, folder, name = file.rsplit("/", 2)
        form = forms[folder]
        if form != "iceberg" or METADATA.fullmatch(name):
            by_format = Option("format", form)
            raise said(
                InputError, "file_of_table_at", path=path, table=table, title=FORMATS[form].title, naming=by_format
            )


# --- versions ---------------------------------------------------------------------------------------------------------


def read(what: str, path: str, form: str, value: object) -> tuple[pl.LazyFrame, Version]:
    """The rows of a version of a table as a lazy frame, which later versions do not change, and the version."""
    table_format = FORMATS[form]
    reader = f"The {what} are the {table_format.title} table {path!r}, which is read with {table_format.library}"
    with importing(reader, table_format.extra):
        import_module(table_format.library)
    table, version = (path, "") if form_of_object(value) else split_version(local_path(path))
    try:
        frame, snapshot = READERS[form](table, version, value if form_of_object(value) else None)
        frame.collect_schema()
    except (RankMetricsError, KeyboardInterrupt):
        raise
    except Exception as error:  # each library raises errors of its own
        raise InputError(f"The {what} cannot be read: {error}") from error
    return frame, snapshot


def _chosen(
    table: str,
    version: str,
    form: str,
    numbers: Collection[int],
    history: Callable[[], Iterable[tuple[int, datetime]]],
    refs: Mapping[str, int],
) -> int:
    """The number of a version that a path names by a branch or tag, by a time (without a zone, in UTC) or by number."""
    if version in refs:
        return refs[version]
    is_digits = version.isdigit()
    if TIME.fullmatch(version) and (form == "delta" or not is_digits):
        try:
            time = datetime.strptime(version[:14], "%Y%m%d%H%M%S") if is_digits else datetime.fromisoformat(version)
        except ValueError as error:
            raise InputError(f"'{table}@{version}' has no such time: write it as in @2024-01-31T10:00:00Z.") from error
        time = time.replace(tzinfo=time.tzinfo or UTC) + timedelta(milliseconds=int(version[14:]) if is_digits else 0)
        written = [*history()]
        if not (before := [number for number, at in written if at <= time]):
            first = f", the first is of {written[0][1]:%Y-%m-%d %H:%M:%S} UTC" if written else ""
            raise InputError(f"'{table}@{version}' names no version: {table!r} has none as old as that{first}.")
        return before[-1]
    number = re.fullmatch(r"v?(\d+)", version)
    if number is None or int(number[1]) not in numbers:
        known = f"0 to {numbers[-1]}" if isinstance(numbers, range) else ", ".join(map(str, [*refs, *numbers]))
        of_format = {"title": FORMATS[form].title, "example": FORMATS[form].version}
        raise said(InputError, "no_such_version", table=table, version=version, known=known, **of_format)
    return int(number[1])


def _of_milliseconds(time: int) -> datetime:
    return datetime.fromtimestamp(time / 1000, UTC)


def _read_delta(path: str, version: str, value: Any) -> tuple[pl.LazyFrame, Version]:
    import polars as pl
    from deltalake import DeltaTable

    if value is None:
        path = path.rstrip("/")
        table = DeltaTable(path)
    else:  # the caller's object may move to another version
        path = local_path(value.table_uri).rstrip("/")
        table = DeltaTable(value.table_uri, version=value.version(), storage_options=value._storage_options)

    def times(limit: int | None = None) -> list[tuple[int, datetime]]:
        commits = [commit for commit in table.history(limit)[::-1] if "timestamp" in commit]
        return [(commit["version"], _of_milliseconds(commit["timestamp"])) for commit in commits]

    if version:
        table.load_as_version(_chosen(path, version, "delta", range(table.version() + 1), times, {}))
    # Polars looks for the files of an escaped address under its escaped name, PyArrow does not
    is_escaped = ADDRESS_HERE.match(table.table_uri) is not None and unquote(table.table_uri) != table.table_uri
    if is_escaped and "deletionVectors" in (table.protocol().reader_features or ()):
        raise said(InputError, "deletion_vectors", path=path)
    written = dict(times(1)).get(table.version())
    return pl.scan_delta(table, use_pyarrow=is_escaped), Version(path, "delta", table.version(), written)


def _read_iceberg(path: str, version: str, value: Any) -> tuple[pl.LazyFrame, Version]:
    import polars as pl
    from pyiceberg.table import StaticTable, Table

    if value is None:
        table: Any = StaticTable.from_metadata(path if "://" in path else _metadata_of(path))
    else:  # the caller's object may be refreshed
        path = local_path(value.location()).rstrip("/")
        table = Table(value.name(), value.metadata, value.metadata_location, value.io, value.catalog)
    written = {snapshot.snapshot_id: _of_milliseconds(snapshot.timestamp_ms) for snapshot in table.snapshots()}
    current, chosen = table.metadata.current_snapshot_id, None
    refs = {name: ref.snapshot_id for name, ref in table.metadata.refs.items()} if version else {}
    if version:
        log = ((entry.snapshot_id, _of_milliseconds(entry.timestamp_ms)) for entry in table.history())
        current = chosen = _chosen(path, version, "iceberg", written, lambda: log, refs)
    snapshot = Version(path, "iceberg", current, written.get(current), version if version in refs else "")
    return pl.scan_iceberg(table, snapshot_id=chosen), snapshot


def _metadata_of(path: str) -> str:
    """The file with the current metadata of an Iceberg table on this machine, by the folder of the table."""
    if Path(path).is_file():
        return str(Path(path).absolute())
    folder = Path(path).absolute() / FORMATS["iceberg"].folder
    if (folder / "version-hint.text").is_file():
        return str(folder.parent)  # pyiceberg reads the hint
    numbered = [(int(match[1]), str(file)) for file in folder.iterdir() if (match := METADATA.fullmatch(file.name))]
    highest = max(number for number, _ in numbered)
    newest = [file for number, file in numbered if number == highest]
    if len(newest) > 1:
        raise said(InputError, "several_metadata", path=path, newest=newest)
    return newest[0]


def _read_lance(path: str, version: str, value: Any) -> tuple[pl.LazyFrame, Version]:
    import lance
    import polars as pl

    if value is None:
        data = lance.dataset(path)
    else:  # the caller's object may move to another version
        path, data = value.uri, value.checkout_version(value.version)
    written: list[Any] = data.versions()  # Lance's times are local and have no zone
    times: dict[int, datetime] = {entry["version"]: entry["timestamp"].astimezone(UTC) for entry in written}
    tags = {name: tag["version"] for name, tag in data.tags.list().items()} if version else {}
    if version:
        data = data.checkout_version(_chosen(path, version, "lance", times, times.items, tags))
    snapshot = Version(path, "lance", data.version, times.get(data.version), version if version in tags else "")
    return pl.scan_pyarrow_dataset(data, allow_pyarrow_filter=False), snapshot  # Lance refuses some of its filters


READERS: Mapping[str, Callable[[str, str, Any], tuple[pl.LazyFrame, Version]]] = {
    "delta": _read_delta,
    "iceberg": _read_iceberg,
    "lance": _read_lance,
}
