"""Files, tables of lakehouses and several systems that an input names; their formats, their state, writing them."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from rankmetrics.engines import lakehouse
from rankmetrics.engines.lakehouse import Version
from rankmetrics.errors import ColumnError, InputError, Option, did_you_mean, names
from rankmetrics.inputs.columns import Schema
from rankmetrics.inputs.sources import RANKED, SOURCES, SYSTEMS, called

if TYPE_CHECKING:
    import polars as pl

# The format of a file, by the ending of its name.
TEXTS = {"csv": "csv", "tsv": "tsv", "json": "json", "jsonl": "ndjson", "ndjson": "ndjson"}
RANKINGS = {"run": "trec", "trec": "trec", "qrels": "qrels", "inter": "inter"}
FORMATS = {
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **{f".{ending}{gz}": f"{form}{gz}" for ending, form in TEXTS.items() for gz in ("", ".gz")},
    **dict.fromkeys((".arrow", ".ipc", ".feather"), "arrow"),
    **{f".{ending}{gz}": form for ending, form in RANKINGS.items() for gz in ("", ".gz")},
}

# Formats that are read, and not written.
READ_ONLY = frozenset({*RANKINGS.values(), "movielens"})

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
    form: str  # the format: a value of FORMATS, or `movielens`


@dataclass
class Files:
    """The files that an input is read from, as they were when evaluate looked at them."""

    paths: list[str]  # the paths and globs that were given
    form: str  # their format, as OfFormat has it
    source: object  # the input as the caller gave it
    seen: Mapping[str, tuple[int, int]]  # size and modification time of each file on this machine, by its path
    schema: Schema = field(default_factory=dict)  # their columns
    version: Version | None = None  # of a table of a lakehouse, once it has been read

    @property
    def named(self) -> object:
        """The input as the caller gave it; a table of a lakehouse with the version that was read."""
        return self.version.path if self.version else self.source

    @property
    def is_table(self) -> bool:
        """True if the input is a table of a lakehouse."""
        return self.form in lakehouse.FORMATS


def format_of(path: str) -> str | None:
    """The format of a file, by the ending of its name; None for an unknown ending."""
    lower = path.lower()
    return next((form for end, form in FORMATS.items() if lower.endswith(end)), None)


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
            raise InputError(
                f"{', '.join(paths)} are several tables: give a mapping from each system's name to its table."
            )
        return paths, str(of_tables.pop())
    is_text = isinstance(value, str) and named is None
    if is_text and not _looks_like_a_path(paths[0]) and (tables or not value or not Path(paths[0]).exists()):
        return None
    ending = ".parquet" if named in (None, "parquet") else ""
    folders = {path for path in paths if Path(path).is_dir() or ("://" in path and path.endswith("/"))}
    paths = [f"{path.rstrip('/')}/**/*{ending}" if path in folders else path for path in paths]
    forms = {named or format_of(path) for path in paths}
    if len(forms) > 1 and None not in forms:
        raise InputError(
            f"The files of an input have one format, and {', '.join(paths)} have {names(sorted(map(str, forms)))}."
        )
    if None in forms:
        raise InputError(
            f"Cannot tell what {', '.join(paths)} holds: a name should end in one of {', '.join(FORMATS)}, or name the "
            f"format: {Option('format', 'trec')}."
        )
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

# What the name of a format means for recommendations and for all other inputs, where that differs.
RUNS: Mapping[str, tuple[str, str]] = {"trec": ("trec", "qrels"), "recbole": ("inter", "inter")}

# The formats that may be named.
NAMED = (
    *RUNS,
    *(form for form in dict.fromkeys(FORMATS.values()) if form not in RUNS),
    "movielens",
    *(form for form, table_format in lakehouse.FORMATS.items() if table_format.library),
)


def with_formats(name: str, value: Any, formats: Iterable[str]) -> Any:
    """An input with the format that the caller names for it.

    A text such as `movielens` is for every file whose ending is not a format's; `truth: movielens` is for that input
    whatever its ending.
    """
    for text in formats:
        match = re.fullmatch(rf"\s*(?:({'|'.join((*SOURCES, SYSTEMS))})\s*:)?\s*(\S+)\s*", text)
        if match is None or match[2] not in NAMED:
            raise InputError(
                f"{Option('format', text)} names no format of a file: there are {names(NAMED)}."
                f"{did_you_mean(match[2] if match else text, NAMED)}"
            )
        if match[1] in (None, name) and _is_of(value, is_named=match[1] is not None):
            return OfFormat(value, RUNS.get(match[2], (match[2], match[2]))[name not in RANKED])
        if match[1] in (None, name) and isinstance(value, Mapping):
            return {system: with_formats(name, table, [text]) for system, table in value.items()}
    return value


def with_named_formats(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a Request in which each format names its input, where one may be for all files of unknown formats.

    >>> options = with_named_formats({"recs": "recs.csv", "truth": "u.data", "format": ["movielens"]})
    >>> options["format"]
    ['truth: movielens']
    """
    named, formats = dict(options), list[str]()
    for text in options.get("format") or ():
        if ":" in text:
            formats.append(text)
            continue
        for name in (*SOURCES, SYSTEMS):
            value = named.get(name)
            if (name == SYSTEMS and isinstance(value, (list, tuple))) or (
                name == "baseline" and isinstance(value, Mapping)
            ):
                continue  # names of systems
            named[name] = with_formats(name, value, [text])
            if isinstance(named[name], OfFormat):
                formats.append(f"{name}: {text}")
                named[name] = value
    return {name: value for name, value in named.items() if name in options} | {"format": formats}


def _is_of(value: object, *, is_named: bool) -> bool:
    """True if a format that the caller names is for an input: for files, and if it is for any input, of no format."""
    paths = [value] if isinstance(value, (str, Path)) else value if isinstance(value, (list, tuple)) else []
    if not paths or not all(isinstance(path, (str, Path)) and not is_query(str(path)) for path in paths):
        return False
    return is_named or not any(format_of(str(path)) for path in paths)


def form_to_write(path: str | Path) -> str:
    """The format in which a file is written, by its ending."""
    form = format_of(str(path))
    if form is None or form in READ_ONLY:
        endings = [end for end, form in FORMATS.items() if form not in READ_ONLY]
        raise InputError(f"Cannot tell what to write into {str(path)!r}: end it in one of {', '.join(endings)}.")
    if around := lakehouse.table_around([str(path)]):
        table, table_format = around[0], lakehouse.FORMATS[around[1]]
        raise InputError(
            f"{str(path)!r} lies in the folder of the {table_format.title} table {table!r}, where others take the "
            "file for data, or remove it: write it into another folder."
        )
    return form


def sink(frame: pl.LazyFrame, path: Path, form: str) -> None:
    """Compute a frame into a file, in one of the values of FORMATS."""
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
            raise ColumnError(
                f"The recommendations have a column {name!r} already, so their systems cannot be named in it: give it "
                f"another name, as in {Option('files_as', 'file')}."
            )


def of_mapping(inputs: Mapping[object, object], files_as: str | None) -> Systems:
    """The systems of a mapping from names to inputs."""
    if files_as == PARTS:
        raise InputError(
            f"{Option('files_as', PARTS)} is for several files of one system, and a mapping names systems."
        )
    if any(map(_is_column, inputs.values())):
        raise InputError(
            "A mapping of recommendations goes from a system's name to its table or file; the values of this one are "
            "columns. Make a frame of them: pl.DataFrame(columns)."
        )
    if not inputs or not all(isinstance(name, str) and name for name in inputs):
        raise InputError(
            "A mapping of recommendations goes from a system's name to its table or file, as in "
            f'{{"als": "als.parquet"}}: the keys of this one are {names(inputs)}.'
        )
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
