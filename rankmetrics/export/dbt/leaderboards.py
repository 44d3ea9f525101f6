"""leaderboards.yml: what to measure of which tables, as values; what it gets wrong is refused where it stands."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import InputError, RankMetricsError, did_you_mean, names
from rankmetrics.inputs.columns import ROLES, Columns
from rankmetrics.inputs.sources import EXTRAS
from rankmetrics.metrics.metric import parse

# The adapters of dbt for which there is SQL, each with the dialect that it runs.
ADAPTERS: Mapping[str, str] = {adapter: name for name, one in DIALECTS.items() for adapter in one.dbt_adapters}

# What a leaderboard may be called: it names a model, a macro and their files.
NAME = r"[a-z][a-z0-9_]*"


@dataclass(frozen=True)
class Relation:
    """A table as dbt names it.

    Attributes:
        call: `ref`, `source`, or `table` where it is named as it is called in the warehouse.
        parts: what is given to the call, or the table's names from the database (or schema) down.
        version: of a model that has versions.
    """

    call: str
    parts: tuple[str, ...]
    version: int | str | None = None


@dataclass(frozen=True)
class Leaderboard:
    """What to measure of which tables.

    Attributes:
        name: what its model is called.
        inputs: recommendations, truth and whatever else, by name.
        asked: what to_sql is given beside the tables and the dialect.
        called: the columns of metrics that are named in the file, by the metric's label.
        description: what the model's documentation says first.
        quote_columns: whether the names of columns stand as they are written in Snowflake, too.
    """

    name: str
    inputs: Mapping[str, Relation]
    asked: Mapping[str, Any]
    called: Mapping[str, str] = field(default_factory=dict)
    description: str = ""
    quote_columns: bool = False


@dataclass(frozen=True)
class Leaderboards:
    """A whole file: the leaderboards, for which adapters, and the files with metrics of one's own that they need."""

    boards: Sequence[Leaderboard]
    adapters: Sequence[str]
    defined: Sequence[Path]


def read(path: Path) -> Leaderboards:
    """The leaderboards of a file.

    Raises:
        InputError: PyYAML is not installed, the file is not there or is no YAML, or it says what cannot be understood.
        MetricError: a metric that is given a name cannot be understood.
    """
    document = _fields(str(path), _document(path), {"leaderboards": _mapping, "adapters": _texts, "define": _texts})
    adapters = document.get("adapters", list(ADAPTERS))
    for one in adapters:
        if one not in ADAPTERS:
            near = did_you_mean(one, ADAPTERS)
            raise InputError(f"{path}: there is no SQL for the adapter {one!r}: there is for {names(ADAPTERS)}.{near}")
    boards = [_leaderboard(str(path), name, one) for name, one in document.get("leaderboards", {}).items()]
    if not boards:
        raise InputError(f"{path} has no leaderboards: write some, each a name and what it measures.")
    return Leaderboards(boards, adapters, [path.parent / one for one in document.get("define", ())])


def _leaderboard(file: str, name: object, given: object) -> Leaderboard:
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise InputError(
            f"{file}: {name!r} cannot be the name of a leaderboard: it names a model, so it takes lower case letters, "
            "digits and underscores, a letter first."
        )
    where = f"{file}, leaderboard {name!r}"
    fields = _fields(where, given, KEYS)
    for key in ("recs", "truth", "lists", "metrics"):
        if key not in fields:
            raise InputError(f"{where} has no {key!r}: {MEANT[key]}.")
    metrics, called = fields.pop("metrics"), {}
    if isinstance(metrics, Mapping):
        try:
            labels = {column: parse(one, fields.get("convention")).label for column, one in metrics.items()}
        except RankMetricsError as error:
            raise type(error)(f"{where}: {error}") from error
        metrics, called = list(metrics.values()), {label.lower(): column for column, label in labels.items()}
        if len(called) < len(metrics):
            raise InputError(f"{where} asks for one metric under two names.")
    return Leaderboard(
        name,
        {one: fields.pop(one) for one in ("recs", "truth", *EXTRAS) if one in fields},
        called=called,
        description=fields.pop("description", ""),
        quote_columns=fields.pop("quote_columns", False),
        asked={"metrics": metrics, **fields},
    )


# --- what a key may hold ----------------------------------------------------------------------------------------------


class _UnfitError(Exception):
    """What a value is not, to be said together with where it stands."""


def _fields(where: str, given: object, known: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    """The values of a mapping, each read as its key asks."""
    if not isinstance(given, Mapping):
        raise InputError(f"{where} must hold keys and values, as in `{next(iter(known))}: ...`: {given!r} is none.")
    found = {}
    for key, value in given.items():
        if key not in known:
            near = did_you_mean(str(key), known)
            raise InputError(f"{where} has a key {key!r} that means nothing: there are {names(known)}.{near}")
        try:
            found[key] = known[key](value)
        except _UnfitError as error:
            raise InputError(f"{where}, {key}: {error}") from None
    return found


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _UnfitError(f"{value!r} is no text. Put it in quotes if it is meant as one.")
    return value


def _texts(value: object) -> list[str]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        whole = [one for one in value if not isinstance(one, str)]
        if whole and len(value) > 1:
            raise _UnfitError(f"{whole[0]!r} is no text. YAML splits [a@5,10] at the comma: put quotes around each.")
        return [_text(one) for one in value]
    return [_text(value)]


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _UnfitError(f"{value!r} is neither true nor false.")
    return value


def _mapping(value: object) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise _UnfitError(f"{value!r} is no mapping from names to what they stand for.")
    return value


def _metrics(value: object) -> list[str] | dict[str, str]:
    """Metrics in a list, or by the names that their columns are to have."""
    if not isinstance(value, Mapping):
        return _texts(value)
    for name in value:
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            raise _UnfitError(f"{name!r} cannot name a column: it takes lower case letters, digits and underscores.")
    return {name: _text(one) for name, one in value.items()}


def _roles(value: object) -> Columns:
    roles, known = _mapping(value), (*ROLES, "lists")
    for role, column in roles.items():
        if role not in known:
            near = did_you_mean(str(role), known)
            raise _UnfitError(f"{role!r} is no role of a column: there are {names(known)}.{near}")
        _text(column)
    return Columns(**roles)


def _extra_roles(value: object) -> dict[str, Columns]:
    return {name: _roles(roles) for name, roles in _mapping(value).items()}


def _relation(text: object) -> Relation:
    """A table as dbt names it, from its text.

    >>> _relation("ref('recs')")
    Relation(call='ref', parts=('recs',), version=None)
    >>> _relation("db.recs")
    Relation(call='table', parts=('db', 'recs'), version=None)
    """
    written = re.sub(r"^\{\{(.*)\}\}$", r"\1", _text(text).strip()).strip()
    try:
        node = ast.parse(written, mode="eval").body
    except SyntaxError:
        node = ast.Constant(None)
    found = _called(node) if isinstance(node, ast.Call) else _named(node)
    if found is None:
        raise _UnfitError(
            f"{text!r} is no table: write ref('recs'), source('ml', 'recs') or a plain name such as db.recs."
        )
    return found


def _called(node: ast.Call) -> Relation | None:
    parts = tuple(one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))
    call = node.func.id if isinstance(node.func, ast.Name) else ""
    if len(parts) != len(node.args) or (call, len(parts)) not in {("ref", 1), ("ref", 2), ("source", 2)}:
        return None
    if not node.keywords:
        return Relation(call, parts)
    (keyword, *more), version = node.keywords, getattr(node.keywords[0].value, "value", None)
    fits = call == "ref" and keyword.arg in ("v", "version") and isinstance(version, int | str) and not more
    return Relation(call, parts, version) if fits else None


def _named(node: ast.expr) -> Relation | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return Relation("table", (node.id, *parts)) if isinstance(node, ast.Name) and len(parts) < 3 else None


KEYS: Mapping[str, Callable[[Any], Any]] = {
    "recs": _relation,
    "truth": _relation,
    "lists": _texts,
    "truth_lists": _texts,
    "metrics": _metrics,
    "by": _texts,
    "columns": _roles,
    "truth_columns": _roles,
    "extra_columns": _extra_roles,
    **dict.fromkeys(EXTRAS, _relation),
    "convention": _text,
    "aggregates": _texts,
    "missing": _text,
    "ties": _text,
    "text": _texts,
    "per_list": _flag,
    "description": _text,
    "quote_columns": _flag,
}

# What must be said of every leaderboard.
MEANT: Mapping[str, str] = {
    "recs": "name the table of recommendations, as in ref('recs')",
    "truth": "name the table of the truth, as in ref('truth')",
    "lists": "name the columns that identify a list, as in [algorithm, user]",
    "metrics": 'ask for some, as in ["ndcg@10", "recall@5,10"]',
}


# --- YAML -------------------------------------------------------------------------------------------------------------


def yaml() -> Any:
    """PyYAML, which only this needs."""
    try:
        return importlib.import_module("yaml")
    except ImportError:
        raise InputError("This needs PyYAML, which is not installed: pip install 'rankmetrics[dbt]'.") from None


def _document(path: Path) -> object:
    loader = yaml()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"There is no {path}: `rankmetrics dbt init` writes one to start from.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    try:
        for line, key in _repeated(loader.compose(text, Loader=loader.SafeLoader)):
            raise InputError(f"{path}, line {line}: {key!r} is there already, and would take its place.")
        return loader.safe_load(text)
    except loader.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f", line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}{at} is no YAML: {getattr(error, 'problem', None) or error}.") from error


def _repeated(root: Any) -> Iterator[tuple[int, str]]:
    """The keys that a mapping has twice, of which YAML would keep the last without a word; with their lines."""
    waiting, met = [root] if root else [], set()
    while waiting:
        node = waiting.pop()
        if id(node) in met or node.id == "scalar":
            continue
        met.add(id(node))  # an alias may lead back to where it stands
        keys = [key for key, _ in node.value] if node.id == "mapping" else []
        waiting += [one for _, one in node.value] if node.id == "mapping" else node.value
        for place, key in enumerate(keys):
            if key.id == "scalar" and key.value in [one.value for one in keys[:place]]:
                yield key.start_mark.line + 1, key.value
