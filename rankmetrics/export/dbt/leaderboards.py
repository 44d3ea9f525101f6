"""leaderboards.yml as values, and the project of dbt around it."""

from __future__ import annotations

import ast
import importlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rankmetrics.dialects.base import originals_last
from rankmetrics.errors import InputError, RankMetricsError, did_you_mean, names, pip_install
from rankmetrics.metrics.metric import parse
from rankmetrics.options import FileReader, UnfitError, declaration_of, declared
from rankmetrics.request import Request

# The adapters of dbt for which there is SQL, each with the dialect that it runs.
ADAPTERS: Mapping[str, str] = {adapter: name for name, dialect in originals_last() for adapter in dialect.dbt_adapters}

# The keys of the file, each with its kind.
FILE = {"leaderboards": "mapping", "adapters": "texts", "define": "texts"}

# The prefix of an input's table in the query, before a relation replaces it.
PLACEHOLDER = "rankmetrics_input_"

# The names that a leaderboard may have: it names a model, a macro and their files.
NAME = r"[a-z][a-z0-9_]*"


@dataclass(frozen=True)
class Relation:
    """A table as dbt names it."""

    call: str  # `ref`, `source`, or `table` for the name of a table in the warehouse
    parts: tuple[str, ...]  # the arguments of the call, or the names of database, schema and table
    version: int | str | None = None  # the version of a model that has several


@dataclass(frozen=True)
class Leaderboard:
    """A leaderboard: which metrics to measure over which tables, and the settings of its model."""

    name: str  # of the model
    inputs: Mapping[str, Relation]  # recommendations, truth and further inputs, by the name of the input
    options: dict[str, Any]  # the options of to_sql, other than the tables and the dialect
    description: str = ""
    check: bool = True  # True if a data test looks for faults of the tables
    config: Mapping[str, Any] = field(default_factory=dict)  # the settings of the model, as dbt takes them
    data_types: Mapping[str, str] = field(default_factory=dict)  # the types of columns, by name, for a contract
    partition: str = ""  # the list column whose newest values an incremental model computes; empty for none
    lookback: int = 0  # how many partitions before the newest an incremental model computes again

    def request(self, **options: Any) -> Request:
        """The options as a Request, with these in addition; a relation later replaces the name of each input."""
        tables: dict[str, Any] = {name: f"{PLACEHOLDER}{name}" for name in self.inputs}
        return Request(**tables, **{**self.options, **options})


@dataclass(frozen=True)
class Leaderboards:
    """A whole file: the leaderboards, the adapters that it lists, and the files that define further metrics."""

    boards: Sequence[Leaderboard]
    adapters: Sequence[str]
    defined: Sequence[Path]


def read(path: Path) -> Leaderboards:
    """The leaderboards of a file, all keys and values checked."""
    document = YamlReader().fields(str(path), _document(path), FILE)
    adapters = document.get("adapters", [])
    for adapter in adapters:
        if adapter not in ADAPTERS:
            near = did_you_mean(adapter, ADAPTERS)
            raise InputError(
                f"{path}: there is no SQL for the adapter {adapter!r}: there is for {names(ADAPTERS)}.{near}"
            )
    boards = [_leaderboard(str(path), name, board) for name, board in document.get("leaderboards", {}).items()]
    if not boards:
        raise InputError(f"{path} has no leaderboards: write some, each a name and what it measures.")
    return Leaderboards(boards, adapters, [path.parent / file for file in document.get("define", ())])


def _leaderboard(file: str, name: object, content: object) -> Leaderboard:
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise InputError(
            f"{file}: {name!r} cannot be the name of a leaderboard: it names a model, so it takes lower case letters, "
            "digits and underscores, a letter first."
        )
    where = f"{file}, leaderboard {name!r}"
    fields = YamlReader().fields(where, content, KEYS)
    for key, remedy in REQUIRED.items():
        if key not in fields:
            raise InputError(f"{where} has no {key!r}: {remedy}.")
    if isinstance(fields["metrics"], Mapping):
        try:
            labels = [parse(metric, fields.get("convention")).text for metric in fields["metrics"].values()]
        except RankMetricsError as error:
            raise type(error)(f"{where}: ", *error.parts, page=error.page) from error
        if len({label.lower() for label in labels}) < len(labels):
            raise InputError(f"{where} asks for one metric under two names.")
    is_incremental = fields.get("config", {}).get("materialized") == "incremental"
    if "partition" not in fields and (is_incremental or "lookback" in fields):
        why = "materialized: incremental" if is_incremental else "lookback"
        raise InputError(
            f"{where} has {why!r}, which computes the newest partitions: name the list column that holds them, as in "
            "partition: day."
        )
    settings = {key: fields.pop(key) for key in OF_MODELS if key in fields}
    inputs = {key: fields.pop(key) for key, value in [*fields.items()] if isinstance(value, Relation)}
    return Leaderboard(name, inputs, fields, **settings)


# --- the values of keys -----------------------------------------------------------------------------------------------


class YamlReader(FileReader):
    """Reads the values of a leaderboard; an input is a table as dbt names it."""

    NO_TEXT = ". Put it in quotes if it is meant as one."
    NO_TABLE = "mapping from names to what they stand for."

    def __init__(self) -> None:
        super().__init__()
        self.readers |= {"mapping": self.table, "count": self.count}

    def fields(self, where: str, content: Any, kinds: Mapping[str, str]) -> dict[str, Any]:
        """The values of a mapping, each read as its key's kind."""
        if not isinstance(content, Mapping):
            raise InputError(
                f"{where} must hold keys and values, as in `{next(iter(kinds))}: ...`: {content!r} is not."
            )
        return super().fields(where, content, kinds)

    def texts(self, value: Any) -> list[str]:
        """Texts in a list; a single text may be given alone."""
        whole = [item for item in value if not isinstance(item, str)] if isinstance(value, list) else []
        if whole and len(value) > 1:
            raise UnfitError(f"{whole[0]!r} is not text. YAML splits [a@5,10] at the comma: put quotes around each.")
        return super().texts(value)

    def count(self, value: Any) -> int:
        """A whole number from 0."""
        if (number := self.number(value)) < 0:
            raise UnfitError(f"{number} is below 0.")
        return number

    def column_name(self, name: Any) -> str:
        """The name that a metric's column gets: dbt and every warehouse take it without quotes."""
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            raise UnfitError(f"{name!r} cannot name a column: it takes lower case letters, digits and underscores.")
        return name

    def input(self, value: Any) -> Relation:
        """A table as dbt names it.

        >>> YamlReader().input("ref('recs')")
        Relation(call='ref', parts=('recs',), version=None)
        >>> YamlReader().input("db.recs")
        Relation(call='table', parts=('db', 'recs'), version=None)
        """
        written = re.sub(r"^\{\{(.*)\}\}$", r"\1", self.text(value).strip()).strip()
        try:
            node = ast.parse(written, mode="eval").body
        except SyntaxError:
            node = ast.Constant(None)
        relation = _called(node) if isinstance(node, ast.Call) else _named(node)
        if relation is None:
            raise UnfitError(
                f"{value!r} is not a table: write ref('recs'), source('ml', 'recs') or a plain name such as db.recs."
            )
        return relation


def _called(node: ast.Call) -> Relation | None:
    parts = tuple(
        argument.value
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    )
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


# The keys of a model, each with its kind.
OF_MODELS: Mapping[str, str] = {
    "description": "text",
    "check": "yes or no",
    "config": "mapping",
    "data_types": "mapping",
    "partition": "text",
    "lookback": "count",
}

# The keys of a leaderboard, each with its kind: the options of to_sql under their own names, and those of the model.
KEYS: Mapping[str, str] = {
    **{name: declaration_of(option).kind for name, option in declared(Request, "to_sql", "key").items()},
    **OF_MODELS,
}

# The keys that every leaderboard needs, with what to write.
REQUIRED: Mapping[str, str] = {
    "recs": "name the table of recommendations, as in ref('recs')",
    "lists": "name the columns that identify a list, as in [algorithm, user]",
    "metrics": 'ask for some, as in ["ndcg@10", "recall@5,10"]',
}


# --- YAML -------------------------------------------------------------------------------------------------------------


def yaml() -> Any:
    """The module of PyYAML, which rankmetrics needs only here."""
    try:
        return importlib.import_module("yaml")
    except ImportError:
        raise InputError(f"This needs PyYAML, which is not installed: {pip_install('dbt')}.") from None


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
        raise InputError(f"{path}{at} is not YAML: {getattr(error, 'problem', None) or error}.") from error


def _repeated(root: Any) -> Iterator[tuple[int, str]]:
    """The keys that a mapping has twice, with their lines: YAML would silently keep only the last."""
    waiting, seen = [root] if root else [], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or node.id == "scalar":
            continue
        seen.add(id(node))  # an alias may lead back to where it stands
        keys = [key for key, _ in node.value] if node.id == "mapping" else []
        waiting += [inner for _, inner in node.value] if node.id == "mapping" else node.value
        for place, key in enumerate(keys):
            if key.id == "scalar" and key.value in [earlier.value for earlier in keys[:place]]:
                yield key.start_mark.line + 1, key.value


PROJECT = "dbt_project.yml"

# The adapter of a package if no profile names one.
DEFAULT_ADAPTER = "duckdb"


def enclosing(folder: Path) -> Path | None:
    """The project of dbt around a folder, if there is one."""
    return next((parent for parent in folder.absolute().parents if (parent / PROJECT).is_file()), None)


def project_name(folder: Path) -> str:
    """The name of the project of dbt in a folder."""
    text = (folder / PROJECT).read_text("utf-8", errors="replace")
    match = re.search(r"^name:\s*(['\"]?)([A-Za-z_]\w*)\1\s*(#.*)?$", text, re.ASCII | re.MULTILINE)
    if not match:
        raise InputError(f"{folder / PROJECT} has no line that says what the project is called, as in `name: shop`.")
    return match[2]


def adapter_of(folder: Path) -> str | None:
    """The adapter of the project around a folder: the `type` of the target in its profile; None if no profile is found.

    The profile is looked for where dbt looks: in DBT_PROFILES_DIR, next to dbt_project.yml, and in ~/.dbt.
    """
    around = enclosing(folder)
    profile = _mapping_of(around / PROJECT).get("profile") if around else None
    if around is None or not isinstance(profile, str):
        return None
    own = os.environ.get("DBT_PROFILES_DIR")
    for place in (*([Path(own)] if own else []), around, Path.home() / ".dbt"):
        if (path := place / "profiles.yml").is_file():
            adapter = _type_of_target(_mapping_of(path).get(profile))
            return None if adapter is None else checked(adapter, f"The profile {profile!r} of {path} has")
    return None


def checked(adapter: str, owner: str) -> str:
    """An adapter, refused if there is no SQL for it."""
    if adapter not in ADAPTERS:
        raise InputError(
            f"{owner} the adapter {adapter!r}, for which there is no SQL: there is for {names(ADAPTERS)}."
            f"{did_you_mean(adapter, ADAPTERS)}"
        )
    return adapter


def _type_of_target(profile: object) -> str | None:
    """The adapter of a profile's default target. Without a known default, the adapter that all its targets share."""
    outputs = profile.get("outputs") if isinstance(profile, Mapping) else None
    if not isinstance(profile, Mapping) or not isinstance(outputs, Mapping):
        return None
    target = outputs.get(profile.get("target", "default"))
    types = {output.get("type") for output in ([target] if target else outputs.values()) if isinstance(output, Mapping)}
    kind = types.pop() if len(types) == 1 else None
    return kind if isinstance(kind, str) else None


def _mapping_of(path: Path) -> Mapping[str, Any]:
    """The mapping in a file of YAML; empty if there is none: for a broken file, dbt has a better error than ours."""
    loader = yaml()
    try:
        content = loader.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, loader.YAMLError):
        return {}
    return content if isinstance(content, Mapping) else {}
