"""Files, tables of lakehouses and several systems that an input names; their formats, their state, writing them."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from glob import glob
from importlib import import_module
from io import TextIOWrapper
from itertools import islice
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, Literal

from rankmetrics._files import sql_folder
from rankmetrics.engines import lakehouse
from rankmetrics.engines.lakehouse import Version
from rankmetrics.errors import ColumnError, InputError, Option, did_you_mean, names, read_format
from rankmetrics.inputs.columns import Schema
from rankmetrics.inputs.sources import RANKED, SOURCES, SYSTEMS, called
from rankmetrics.messages import said

if TYPE_CHECKING:
    import polars as pl

# The format of a file, by the ending of its name; text files may have the ending of a compression behind it.
TEXTS = {"csv": "csv", "tsv": "tsv", "json": "json", "jsonl": "ndjson", "ndjson": "ndjson"}

# The bytes that a compressed file begins with, the endings of its name, and what opens it. DuckDB reads the first two.
PACKINGS: Mapping[str, tuple[bytes, tuple[str, ...], Callable[[str], Any]]] = {
    "gzip": (b"\x1f\x8b", (".gz",), lambda path: import_module("gzip").open(path)),
    "zstd": (b"\x28\xb5\x2f\xfd", (".zst", ".zstd"), lambda path: import_module("pyarrow").input_stream(path, "zstd")),
    "bz2": (b"BZh", (".bz2",), lambda path: import_module("bz2").open(path)),
    "xz": (b"\xfd7zXZ\0", (".xz",), lambda path: import_module("lzma").open(path)),
    "zip": (b"PK\x03\x04", (".zip",), lambda path: _opened_archive(path)),
}
READ_BY_DUCKDB = (None, "gzip", "zstd")
ENDINGS = [ending for _, endings, _ in PACKINGS.values() for ending in endings]


@dataclass(frozen=True)
class Format:
    """A layout of text files, as sql/formats.toml describes it; its comment says what each field means."""

    name: str
    about: str
    inputs: Literal["ranked", "other", "any"] = "any"
    columns: Mapping[str, str] = field(default_factory=dict)
    aliases: Sequence[str] = ()
    endings: Sequence[str] = ()
    start: str = ""
    reader: Literal["lines", "json", "header", "none"] = "lines"
    separators: Sequence[str] = ()
    line: str = ""
    skip: int = 0
    encoding: str = ""
    has_scores: bool = False
    select: str = ""
    note: str = ""

    def is_for(self, name: str) -> bool:
        """True if an input, or one of several systems, may be of this format."""
        return self.inputs == "any" or (self.inputs == "ranked") == (source_of(name) in RANKED)


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

# The layouts of sql/formats.toml, by name.
LAYOUTS = {
    name: Format(name, **fields)
    for name, fields in tomllib.loads((sql_folder() / "formats.toml").read_text(encoding="utf-8")).items()
}

# The format of a file, by the ending of its name.
FORMATS = {
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **{f".{ending}": form for ending, form in TEXTS.items()},
    **dict.fromkeys((".arrow", ".ipc", ".feather"), "arrow"),
    **{f".{ending}": layout.name for layout in LAYOUTS.values() for ending in layout.endings},
}

# Formats that are not text, and have compressions of their own.
STORED = ("parquet", "arrow")

# The format of files whose names do not tell it: their first lines may.
UNKNOWN = "unknown"

# Formats that are written, too.
WRITTEN = (*STORED, *TEXTS.values())


# DuckDB's type of secret for addresses of each scheme.
SECRETS: Mapping[str, str] = {
    "s3": "s3",
    "r2": "r2",
    "hf": "huggingface",
    **dict.fromkeys(("gs", "gcs"), "gcs"),
    **dict.fromkeys(("http", "https"), "http"),
    **dict.fromkeys(("az", "azure", "abfss"), "azure"),
}


@dataclass(frozen=True)
class OfFormat:
    """Files with the format that the caller names, whatever their names say."""

    source: object  # a path, or a list of paths
    form: str | None = None  # the format: a value of FORMATS, or a name of LAYOUTS; None if the ending tells
    reading: Mapping[str, Any] = field(default_factory=dict)  # how text is read: options of rm.Input


@dataclass
class Files:
    """The files that an input is read from, as they were when evaluate looked at them."""

    paths: list[str]  # the paths and globs that were given
    form: str  # their format, as OfFormat has it
    source: object  # the input as the caller gave it
    seen: Mapping[str, tuple[int, int]]  # size and modification time of each file on this machine, by its path
    schema: Schema = field(default_factory=dict)  # their columns
    version: Version | None = None  # of a table of a lakehouse, once it has been read
    name: str = ""  # the input, or the name of one of several systems in messages
    reading: Mapping[str, Any] = field(default_factory=dict)  # how text is read: options of rm.Input
    found: Mapping[str, Any] = field(default_factory=dict)  # the same, as the first lines tell it
    note: str = ""  # a sentence on the format, where the first lines tell it
    # for columns of text and objects: a sentence on why they are so, or nothing
    whys: Mapping[str, Callable[[], str]] = field(default_factory=dict)

    @cached_property
    def readable(self) -> list[str]:
        """The paths, with copies of files whose compression DuckDB does not read in their place."""
        here = local_files(self.paths)
        if {*map(packing_of, here)} <= {*READ_BY_DUCKDB}:
            return self.paths
        return [path if packing_of(path) in READ_BY_DUCKDB else unpacked(path, self.seen[path][1]) for path in here]

    @property
    def named(self) -> object:
        """The input as the caller gave it; a table of a lakehouse with the version that was read."""
        return self.version.path if self.version else self.source

    @property
    def has_scores(self) -> bool:
        """True if the first of the files has the scores of the lines of the others."""
        return self.form in LAYOUTS and LAYOUTS[self.form].has_scores

    @property
    def is_table(self) -> bool:
        """True if the input is a table of a lakehouse."""
        return self.form in lakehouse.FORMATS


def format_of(path: str) -> str | None:
    """The format of a file, by the ending of its name; None for an unknown ending."""
    lower = path.lower()
    bare = next((lower.removesuffix(end) for end in ENDINGS if lower.endswith(end)), lower)
    form = next((form for end, form in FORMATS.items() if bare.endswith(end)), None)
    return None if form in STORED and bare != lower else form


def source_of(name: str) -> str:
    """The input of a name, which may be that of one of several systems in messages: `recommendations of 'als'`."""
    return name if name in (*SOURCES, SYSTEMS, "...") else "recs"


def packing_of(path: str) -> str | None:
    """The compression of a file on this machine, by its first bytes; None for a file without one, and for no file."""
    with suppress(OSError), Path(path).open("rb") as file:
        start = file.read(6)
        return next((packing for packing, (magic, *_) in PACKINGS.items() if start.startswith(magic)), None)
    return None


def opened(path: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file to read its bytes without their compression, as the first bytes tell it."""
    packing = packing_of(path)
    try:
        stream: IO[bytes] = PACKINGS[packing][2](path) if packing else Path(path).open("rb")  # noqa: SIM115
    except ImportError as error:
        raise said(InputError, "no_compression", path=path, packing=packing) from error
    return stream


def _opened_archive(path: str) -> IO[bytes]:
    archive = import_module("zipfile").ZipFile(path)
    held = [name for name in archive.namelist() if not name.endswith("/")]
    if len(held) != 1:
        is_workbook = "[Content_Types].xml" in held
        what = "is a workbook of Excel: save it as CSV" if is_workbook else f"holds {len(held)} files: unpack it"
        raise InputError(f"The archive {path!r} {what}.")
    stream: IO[bytes] = archive.open(held[0])
    return stream


@cache
def unpacked(path: str, modified: int) -> str:
    """A copy of a file without its compression, which exists until the process ends: results are lazy."""
    copies = Path(_folder_of_copies().name, str(modified), *Path(path).absolute().parts[1:])
    copy = copies.with_suffix("") if copies.suffixes[1:] else copies
    copy.parent.mkdir(parents=True, exist_ok=True)
    with opened(path) as file, copy.open("wb") as target:
        shutil.copyfileobj(file, target)
    return str(copy)


@cache
def _folder_of_copies() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="rankmetrics-")


def files(value: object, *, tables: bool = False) -> tuple[list[str], str] | None:
    """The paths that an input names and their format; None if it names no file. A table of a lakehouse is one path.

    With `tables`, a name that does not look like a path is the name of a table, even if a file has that name.
    """
    named = value.form if isinstance(value, OfFormat) else None
    value = value.source if isinstance(value, OfFormat) else value
    if isinstance(value, str) and is_query(value):
        return None
    if isinstance(value, (str, Path)):
        paths = [str(value)]
    elif isinstance(value, (list, tuple)) and value and all(isinstance(path, (str, Path)) for path in value):
        paths = [str(path) for path in value]
    else:
        return None
    forms = set() if tables else {named or lakehouse.form_of_path(path) for path in paths}
    if of_tables := forms & {*lakehouse.FORMATS}:
        if len(paths) > 1:
            raise said(InputError, "several_tables", paths=", ".join(paths))
        return paths, str(of_tables.pop())
    is_text = isinstance(value, str) and named is None
    if is_text and not _looks_like_a_path(paths[0]) and (tables or not value or not Path(paths[0]).exists()):
        return None
    folders = {path for path in paths if Path(path).is_dir() or ("://" in path and path.endswith("/"))}
    paths = [f"{path.rstrip('/')}/**/*{_ending_in(path, named)}" if path in folders else path for path in paths]
    forms = {named or format_of(path) or UNKNOWN for path in paths}
    if len(forms) > 1:
        raise said(InputError, "several_formats", paths=", ".join(paths), forms=sorted(map(str, forms)))
    for file in [Path(path) for path in paths if not is_pattern(path) and "://" not in path]:
        if not file.exists():
            there = sorted(map(str, file.parent.iterdir())) if file.parent.is_dir() else []
            near = did_you_mean(file.name, [Path(path).name for path in there if format_of(path)])
            raise InputError(f"There is no file {str(file)!r}.{near}")
        if file.stat().st_size == 0:
            raise InputError(f"The file {str(file)!r} is empty.")
        if not os.access(file, os.R_OK):
            raise InputError(f"The file {str(file)!r} may not be read by this user: change its permissions.")
    return paths, str(forms.pop())


def _ending_in(folder: str, named: str | None) -> str:
    """The ending of the files in a folder that are read: of Parquet files, or of the only format that is there."""
    there = [path for path in Path(folder).rglob("*") if path.is_file()] if "://" not in folder else []
    endings = {"".join(path.suffixes[-2 if path.suffix in ENDINGS else -1 :]) for path in there if format_of(path.name)}
    return "" if named not in (None, "parquet") else endings.pop() if len(endings) == 1 else ".parquet"


def first_lines(path: str, encoding: str = "utf-8", errors: str = "replace") -> list[str]:
    """The first lines of a text file, as they are; of a longer line, parts."""
    with opened(path) as file:
        text = TextIOWrapper(file, "utf-8-sig" if encoding == "utf-8" else encoding, errors)
        return [*islice(iter(lambda: text.readline(1_000_000), ""), 20)]


# The start of a SQL statement, after comments and brackets. No path and no name of a table starts so.
STATEMENT = re.compile(
    r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*(SELECT|WITH|FROM|INSERT|UPDATE|DELETE|MERGE|CREATE|DROP|ALTER|TRUNCATE|COPY|"
    r"ATTACH|DETACH|INSTALL|LOAD|SET|PRAGMA|CALL|EXPLAIN|DESCRIBE|SHOW|VALUES|USE|GRANT|REVOKE|EXECUTE)\s(?=.*\S)",
    re.IGNORECASE | re.DOTALL,
)


def statement_word(text: str) -> str | None:
    """The first word of a SQL statement, in upper case; None for other text."""
    word = STATEMENT.match(text)
    return word[1].upper() if word else None


def is_query(text: str) -> bool:
    """True if a text is a SQL statement, and no path or name of a table."""
    return statement_word(text) is not None and not lakehouse.is_there(text)


def is_file(text: str) -> bool:
    """True if a text names files: it looks like a path, or there is a file or folder of that name."""
    return _looks_like_a_path(text) or lakehouse.is_there(lakehouse.split_version(text)[0])


def is_pattern(path: str) -> bool:
    """True if a path is a glob, which may name several files."""
    return any(sign in path for sign in "*?[")


def scan_table(what: str, file_input: Files) -> pl.LazyFrame:
    """A table of a lakehouse as a lazy frame; records its version."""
    path = file_input.paths[0] if file_input.paths else type(file_input.source).__name__
    frame, file_input.version = lakehouse.read(what, path, file_input.form, file_input.source)
    file_input.paths = [file_input.version.path]
    return frame


def local_files(paths: Iterable[str]) -> list[str]:
    """The files on this machine that paths and globs name; the files of a glob in order of their names."""
    here = [path for path in map(lakehouse.local_path, paths) if "://" not in path]
    matched = [sorted(glob(path, recursive=True)) if is_pattern(path) else [path] for path in here]  # noqa: PTH207
    return [file for of_path in matched for file in of_path]


def seen(paths: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Size and modification time of each file on this machine that paths and globs name."""
    modified = {}
    for path in local_files(paths):
        if Path(path).is_file():
            state = Path(path).stat()
            modified[path] = (state.st_size, state.st_mtime_ns)
    return modified


def _looks_like_a_path(value: str) -> bool:
    return format_of(value) is not None or is_pattern(value) or any(sign in value for sign in "/\\")


def table_name(value: object, fallback: str) -> str:
    """A name for an input as a table: the name of its first file without the ending, else the fallback."""
    paths = files(value) if isinstance(value, (str, Path)) else None
    if not paths:
        return fallback
    stem = Path(paths[0][0]).name.split(".")[0]
    return stem if stem.replace("_", "").isalnum() else fallback


def unreadable(what: str, reason: object, paths: Sequence[str] = ()) -> InputError:
    """The error for an input that an engine cannot read; for an address, with the extension and secret it needs."""
    if missing := re.search('No files found that match the pattern "(.*)"', str(reason)):
        folder = missing[1].partition("*")[0]
        there = sorted({f"{folder}**/*{path.suffix}" for path in Path(folder).rglob("*") if format_of(path.name)})
        reason = f"no file matches {missing[1]!r}.{f' There are {names(there)}: give one of these.' if there else ''}"
    schemes = [path.partition("://")[0].lower() for path in paths if "://" in path]
    cloud = next((scheme for scheme in schemes if scheme in SECRETS), None)
    if cloud is None:
        return InputError(f"The {what} cannot be read: {reason}")
    secret = SECRETS[cloud]
    extension = "azure" if cloud.startswith(("az", "abfss")) else "httpfs"
    return InputError(
        f"The {what} cannot be read: {reason}\nDuckDB reads {cloud}:// with its extension {extension}, and what is not "
        f"public with a secret: INSTALL {extension}; LOAD {extension}; CREATE SECRET (TYPE {secret}, ...) on the "
        f"connection that you give as {Option('connection')}. A secret that is made with CREATE PERSISTENT SECRET is "
        f'there for the command line, too. Or give a frame: pl.scan_parquet("{cloud}://...", storage_options={{...}}).'
    )


# --- formats that the caller names ------------------------------------------------------------------------------------

# The formats that may be named.
NAMED = (
    *dict.fromkeys(FORMATS.values()),
    *dict.fromkeys(
        name for layout in LAYOUTS.values() if layout.reader != "none" for name in (layout.name, *layout.aliases)
    ),
    *(form for form, table_format in lakehouse.FORMATS.items() if table_format.library),
)


def _layout_of(form: str, name: str) -> str:
    """The format of a name for an input: `trec` is `qrels` for the truth."""
    layouts = [layout for layout in LAYOUTS.values() if form in (layout.name, *layout.aliases)]
    fitting = [layout.name for layout in layouts if layout.is_for(name)]
    if layouts and not fitting:
        raise InputError(f"The {called(name)} cannot have the format {form}, which is for {layouts[0].about}.")
    return form if form in fitting else [*fitting, form][0]


def with_formats(name: str, value: Any, formats: Iterable[str]) -> Any:
    """An input with the format that the caller names for it, and with how its text is read.

    A text such as `movielens` is for every file whose ending is not a format's, and `decimal=,` for every file;
    `truth: movielens` is for that input whatever its ending.
    """
    for text in formats:
        owner, option, given = read_format(text)
        if owner not in ("", *SOURCES, SYSTEMS) or (option == "format" and given not in NAMED):
            near = did_you_mean(str(given), NAMED)
            raise said(InputError, "no_format", naming=Option("format", text), known=[*NAMED], near=near)
        files, is_format = value if isinstance(value, OfFormat) else OfFormat(value), option == "format"
        if owner in ("", name) and isinstance(value, Mapping):
            value = {system: with_formats(name, table, [text]) for system, table in value.items()}
        elif owner in ("", name) and _is_of(files.source, option, is_named=owner == name):
            form = _layout_of(str(given), name) if is_format else files.form
            value = OfFormat(files.source, form, files.reading if is_format else {**files.reading, option: given})
        elif owner == name and not is_format:
            raise said(InputError, "no_text_file", naming=Option("format", text), table=called(name))
    return value


def _is_of(value: object, option: str, *, is_named: bool) -> bool:
    """True if an option is for an input: a format for files of no format, or if it is named; others for text files."""
    paths = [value] if isinstance(value, (str, Path)) else value if isinstance(value, (list, tuple)) else []
    if not paths or not all(isinstance(path, (str, Path)) and not is_query(str(path)) for path in paths):
        return False
    forms = {format_of(str(path)) for path in paths}
    return is_named or forms == {None} if option == "format" else not forms & {*STORED}


def form_to_write(path: str | Path) -> str:
    """The format in which a file is written, by its ending."""
    bare = str(path).removesuffix(".gz")
    form = format_of(bare)
    is_packed = bare != str(path)
    if form not in WRITTEN or (is_packed and form in STORED):
        endings = [
            f"{end}{gz}"
            for end, form in FORMATS.items()
            if form in WRITTEN
            for gz in ("", ".gz")[: 1 + (form not in STORED)]
        ]
        raise InputError(f"Cannot tell what to write into {str(path)!r}: end it in one of {', '.join(endings)}.")
    if around := lakehouse.table_around([str(path)]):
        title = lakehouse.FORMATS[around[1]].title
        raise said(InputError, "written_into_table", path=str(path), table=around[0], title=title)
    return f"{form}.gz" if is_packed else form


def sink(frame: pl.LazyFrame, path: Path, form: str) -> None:
    """Compute a frame into a file, in a format of `form_to_write`."""
    text = form.removesuffix(".gz")
    compression: Literal["gzip", "uncompressed"] = "gzip" if text != form else "uncompressed"
    if text == "parquet":
        frame.sink_parquet(path)
    elif text == "arrow":
        frame.sink_ipc(path)
    elif text == "ndjson":
        frame.sink_ndjson(path, compression=compression)
    elif text == "json":
        array = frame.collect().write_json().encode()
        path.write_bytes(gzip.compress(array) if text != form else array)
    else:
        frame.sink_csv(path, separator="\t" if text == "tsv" else ",", compression=compression)


# --- several systems --------------------------------------------------------------------------------------------------


# The default name of the column that holds the system's name.
SYSTEM = "system"

# The value of `files_as` for several files that are parts of one table.
PARTS = "parts"


@dataclass(frozen=True)
class Systems:
    """Recommendations of several systems, each an input of its own."""

    inputs: Mapping[str, object]  # the input of each system, by the system's name
    column: str = SYSTEM  # the name of the column that holds the system's name

    def called(self, name: str, system: str) -> str:
        """The name of one system's input in a message."""
        return f"{called(name)} of {system!r}"


def inputs_of(value: object) -> list[object]:
    """The inputs in an argument: the argument itself, or the input of each system."""
    return [*value.inputs.values()] if isinstance(value, Systems) else [value]


def refuse_hidden(column: str, columns: Sequence[str]) -> None:
    """Refuse to add the column of systems where the recommendations already have a column of that name."""
    for name in columns:
        if name.lower() == column.lower():
            raise said(ColumnError, "column_of_systems", name=name)


def of_mapping(inputs: Mapping[object, object], files_as: str | None) -> Systems:
    """The systems of a mapping from names to inputs."""
    if files_as == PARTS:
        raise said(InputError, "parts_of_systems")
    if any(map(_is_column, inputs.values())):
        raise said(InputError, "mapping_of_columns")
    if not inputs or not all(isinstance(name, str) and name for name in inputs):
        raise said(InputError, "mapping_without_names", keys=[*inputs])
    if halves := [name for name in map(str, inputs) if name != name.encode("utf-8", "replace").decode("utf-8")]:
        raise InputError(f"The name of a system holds half of a character, which no file can hold: {names(halves)}.")
    return Systems({str(name): table for name, table in inputs.items()}, files_as or SYSTEM)


def _is_column(value: object) -> bool:
    """True if a value is a column, and no table or file."""
    if isinstance(value, (list, tuple)):
        return not all(isinstance(item, (str, Path)) and format_of(str(item)) for item in value)
    return isinstance(value, (int, float)) or type(value).__name__ in ("ndarray", "Series")


def names_of(paths: Sequence[str]) -> dict[str, str]:
    """The name of each file's system: the file's name without its ending, or else the folders that differ.

    >>> names_of(["runs/als.parquet", "runs/knn.parquet"])
    {'runs/als.parquet': 'als', 'runs/knn.parquet': 'knn'}
    >>> names_of(["runs/als/recs.parquet", "runs/knn/recs.parquet"])
    {'runs/als/recs.parquet': 'als', 'runs/knn/recs.parquet': 'knn'}
    """
    parts = {path: [*PurePosixPath(path.replace("\\", "/")).parts] for path in dict.fromkeys(paths)}
    for split_path in parts.values():
        split_path[-1] = split_path[-1].split(".")[0] or split_path[-1]
    stems = {part[-1] for part in parts.values()}
    if len(stems) == len(parts):
        return {path: part[-1] for path, part in parts.items()}
    while len({part[0] for part in parts.values()}) == 1:
        parts = {path: part[1:] for path, part in parts.items()}
    while len({part[-1] for part in parts.values()}) == 1:
        parts = {path: part[:-1] for path, part in parts.items()}
    return {path: "/".join(part) for path, part in parts.items()}
