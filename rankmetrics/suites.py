"""Named suites of rankmetrics.toml: the inputs, metrics and options of an evaluation, and its gate."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

from rankmetrics.declaration import Kind, declaration_of
from rankmetrics.engines.files import format_of, is_pattern, is_query
from rankmetrics.errors import InputError, Option, did_you_mean, names
from rankmetrics.gates.options import read_gate
from rankmetrics.inputs.columns import ROLES, Columns
from rankmetrics.request import options_of

# The two files that may hold suites.
OWN, PROJECT = "rankmetrics.toml", "pyproject.toml"


def find_config(folder: Path) -> Path:
    """The file of suites of a folder, or of the nearest folder above that has one.

    A folder's rankmetrics.toml comes before its pyproject.toml, which counts if it has [tool.rankmetrics].

    Raises:
        InputError: there is no such file.
    """
    for one in (folder, *folder.parents):
        if (one / OWN).is_file():
            return one / OWN
        if (one / PROJECT).is_file() and "rankmetrics" in _document(one / PROJECT).get("tool", {}):
            return one / PROJECT
    raise InputError(
        f"There is no {OWN}, and no {PROJECT} with [tool.rankmetrics], in {str(folder)!r} or a folder above it: write "
        "one, or name it with --config."
    )


def suites_of(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """The suites of a file, as they stand there, by name.

    Raises:
        InputError: the file cannot be read, or has no suites.
    """
    document = _document(path)
    of_project = path.name == PROJECT
    found = document.get("tool", {}).get("rankmetrics", {}) if of_project else document
    where = f"{path}, [tool.rankmetrics]" if of_project else str(path)
    for key in found:
        if key != "suites":
            raise InputError(f"{where} has a key {key!r} that means nothing: there is 'suites'.{_near(key)}")
    suites = found.get("suites", {})
    if (
        not isinstance(suites, Mapping)
        or not suites
        or not all(isinstance(suite, Mapping) for suite in suites.values())
    ):
        table = "tool.rankmetrics.suites.nightly" if of_project else "suites.nightly"
        raise InputError(f"{where} has no suites: write some, each a table such as [{table}].")
    return suites


def suite_of(path: Path, name: str) -> Mapping[str, Any]:
    """One suite of a file, as it stands there.

    Raises:
        InputError: the file has no suite of that name.
    """
    suites = suites_of(path)
    if name not in suites:
        raise InputError(f"{path} has no suite {name!r}: there are {names(suites)}.{did_you_mean(name, suites)}")
    return suites[name]


def _near(key: str) -> str:
    return did_you_mean(key, ["suites"])


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is no TOML: {error}.") from error


@dataclass(frozen=True)
class Suite:
    """What a suite measures, and the gate that its numbers must pass.

    Attributes:
        options: the options of evaluate.
        gate: the options of rm.gate; empty without a gate.
        description: one sentence on the suite.
        output: the file of the summary.
        per_list_output: the file with one row per list.
        report: the HTML file of the report.
        junit: the JUnit file of the gate.
        database: a DuckDB database whose tables may be named.
        threads: the threads of DuckDB.
        define: files with metrics of one's own.
    """

    options: Mapping[str, Any]
    gate: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    output: Path | None = None
    per_list_output: Path | None = None
    report: Path | None = None
    junit: Path | None = None
    database: Path | None = None
    threads: int | None = None
    define: tuple[Path, ...] = ()


def read_suite(path: Path, name: str) -> Suite:
    """A suite of a file. Paths in it are relative to the folder of the file.

    Raises:
        InputError: there is no such suite, a key is unknown or missing, or a value is of the wrong kind.
    """
    table, where = suite_of(path, name), f"{path}, suite {name!r}"
    takes_tables = "connection" in table or "database" in table
    found = _fields(where, table, KEYS, _Paths(path.parent, takes_tables=takes_tables))
    for key in ("recs", "truth"):
        if key not in found:
            raise InputError(f'{where} has no {key!r}: write {key} = "{key}.parquet".')
    own = {key: found.pop(key) for key in NOT_OPTIONS & found.keys()}
    if "gate" in own:
        try:
            read_gate(**own["gate"])
        except InputError as error:
            raise InputError(f"{where}, gate: ", *error.parts) from error
    if "metrics" not in found and not own.get("gate"):
        raise InputError(f"{where} has no 'metrics': write metrics = [\"ndcg@10\"].")
    return Suite(found, **own)


@dataclass(frozen=True)
class _Paths:
    """How the texts of inputs are read: paths are relative to a folder.

    Attributes:
        folder: the folder.
        takes_tables: whether a text that looks like no path is the name of a table.
    """

    folder: Path
    takes_tables: bool = False

    def input(self, text: str) -> str:
        """A path from the folder; a SELECT, an address or the name of a table as it is."""
        looks_like_a_path = format_of(text) or is_pattern(text) or "/" in text or "\\" in text
        if "://" in text or is_query(text) or (self.takes_tables and not looks_like_a_path):
            return text
        return str(self.folder / text)


# --- what a key may hold ----------------------------------------------------------------------------------------------


class _UnfitError(Exception):
    """A value of the wrong kind; the caller adds the suite and the key."""


Reader = Callable[[Any, _Paths], Any]


def _fields(where: str, given: Mapping[str, Any], known: Mapping[str, Reader], paths: _Paths) -> dict[str, Any]:
    """The values of a table, each read by the reader of its key."""
    found = {}
    for key, value in given.items():
        if key not in known:
            near = did_you_mean(key, known) or f" There are {names(known)}."
            raise InputError(f"{where} has a key {key!r} that means nothing.{near}")
        try:
            found[key] = known[key](value, paths)
        except _UnfitError as error:
            raise InputError(f"{where}, {key}: {error}") from None
    return found


def _text(value: object, _paths: _Paths) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not str(value).strip():
        raise _UnfitError(f'{value!r} is no text, which stands in quotes, as in "ndcg@10".')
    return str(value)


def _texts(value: object, paths: _Paths) -> list[str]:
    return [_text(one, paths) for one in value] if isinstance(value, list) else [_text(value, paths)]


def _number(value: object, _paths: _Paths) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _UnfitError(f"{value!r} is no whole number.")
    return value


def _flag(value: object, _paths: _Paths) -> bool:
    if not isinstance(value, bool):
        raise _UnfitError(f"{value!r} is neither true nor false.")
    return value


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _UnfitError(f"{value!r} is no table, as in {{name = value}}.")
    return value


def _input(value: object, paths: _Paths) -> Any:
    """A file or table; several in a list; systems in a table from their names."""
    if isinstance(value, Mapping):
        return {name: _input(one, paths) for name, one in value.items()}
    if isinstance(value, list):
        return [paths.input(_text(one, paths)) for one in value]
    return paths.input(_text(value, paths))


def _names_or_table(value: object, paths: _Paths) -> Any:
    return value if isinstance(value, list) else _input(value, paths)


def _metrics(value: object, paths: _Paths) -> Any:
    if isinstance(value, Mapping):
        return {name: _text(one, paths) for name, one in value.items()}
    return _texts(value, paths)


def _columns(value: object, paths: _Paths) -> Columns:
    roles, known = _table(value), (*ROLES, "lists")
    for role, column in roles.items():
        if role not in known:
            near = did_you_mean(role, known)
            raise _UnfitError(f"{role!r} is no role of a column: there are {names(known)}.{near}")
        for text in _table(column).values() if role == "lists" else [column]:
            _text(text, paths)
    return Columns(**roles)


def _extra_columns(value: object, paths: _Paths) -> dict[str, Columns]:
    return {name: _columns(roles, paths) for name, roles in _table(value).items()}


def _path(value: object, paths: _Paths) -> Path:
    return paths.folder / _text(value, paths)


def _paths_of(value: object, paths: _Paths) -> tuple[Path, ...]:
    return tuple(paths.folder / text for text in _texts(value, paths))


def _as_given(value: object, _paths: _Paths) -> Any:
    return value


def _gate(value: object, paths: _Paths) -> dict[str, Any]:
    return _fields("gate", _table(value), GATE, paths)


# How the value of each kind of option is read.
READERS: Mapping[Kind, Reader] = {
    "input": _input,
    "metrics": _metrics,
    "text": _text,
    "texts": _texts,
    "number": _number,
    "yes or no": _flag,
    "columns": _columns,
    "columns of inputs": _extra_columns,
    "names or a table": _names_or_table,
    "other": _text,
}

# The keys of a gate: the options of rm.gate, which checks the limits itself.
GATE: Mapping[str, Reader] = {
    **dict.fromkeys(signature(read_gate).parameters, _as_given),
    "against": _path,
    "strict": _flag,
    "system": _texts,
}

# The keys that are not options of evaluate.
NOT_OPTIONS = {"gate", "description", "output", "per_list_output", "report", "junit", "database", "threads", "define"}

# The keys of a suite.
KEYS: Mapping[str, Reader] = {
    **{name: READERS[declaration_of(option).kind] for name, option in options_of("evaluate").items()},
    "gate": _gate,
    "description": _text,
    "output": _path,
    "per_list_output": _path,
    "report": _path,
    "junit": _path,
    "database": _path,
    "threads": _number,
    "define": _paths_of,
}


def as_key(option: Option) -> str:
    """An option as TOML writes it.

    >>> print(as_key(Option("lists", ["user"])), as_key(Option("columns", {"item": "my sku"})), sep="; ")
    lists = ["user"]; columns = {item = "my sku"}
    >>> print(as_key(Option("minimum", {"ndcg@10": 0.25})), as_key(Option("strict", value=True)), sep="; ")
    minimum = {"ndcg@10" = 0.25}; strict = true
    >>> print(as_key(Option("extra_columns", {"category": "genre"}, of="items")), as_key(Option("truth")), sep="; ")
    extra_columns = {items = {category = "genre"}}; truth
    """
    if option.value is None or option.value is ...:
        return option.name
    value = {option.of: option.value} if option.of else option.value
    return f"{option.name} = {_literal(value)}"


def _literal(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(str(key))} = {_literal(one)}' for key, one in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_literal, value))}]"
    if value is ...:
        return "..."
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (str, bool, int, float)) else str(value)


def _key(name: str) -> str:
    """A key of TOML, in quotes if it needs them."""
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else json.dumps(name, ensure_ascii=False)
