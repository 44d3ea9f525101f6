# ruff: noqa: RUF009  # option returns a field of a dataclass
"""Named suites of rankmetrics.toml: the inputs, metrics and options of an evaluation, and its gate."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

from rankmetrics.engines.files import format_of, is_pattern, is_query
from rankmetrics.errors import InputError, Option, choices_for, did_you_mean, names, write_value
from rankmetrics.gates.options import Gate
from rankmetrics.options import FileReader, declaration_of, declared, option
from rankmetrics.request import Request

# The two files that may hold suites.
OWN, PROJECT = "rankmetrics.toml", "pyproject.toml"


def find_config(folder: Path) -> Path:
    """The file of suites of a folder, or of the nearest folder above that has one.

    A folder's rankmetrics.toml comes before its pyproject.toml, which counts if it has [tool.rankmetrics].
    """
    for parent in (folder, *folder.parents):
        if (parent / OWN).is_file():
            return parent / OWN
        if (parent / PROJECT).is_file() and "rankmetrics" in _document(parent / PROJECT).get("tool", {}):
            return parent / PROJECT
    raise InputError(
        f"There is no {OWN}, and no {PROJECT} with [tool.rankmetrics], in {str(folder)!r} or a folder above it: write "
        "one, or name it with --config."
    )


def suites_of(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """The suites of a file, as the file has them, by name; refuses a file without suites."""
    document = _document(path)
    of_project = path.name == PROJECT
    tables = document.get("tool", {}).get("rankmetrics", {}) if of_project else document
    where = f"{path}, [tool.rankmetrics]" if of_project else str(path)
    for key in tables:
        if key != "suites":
            raise InputError(
                f"{where} has a key {key!r} that means nothing: there is 'suites'.{did_you_mean(key, ['suites'])}"
            )
    suites = tables.get("suites")
    if not isinstance(suites, Mapping) or {type(suite) for suite in suites.values()} != {dict}:
        table = "tool.rankmetrics.suites.nightly" if of_project else "suites.nightly"
        raise InputError(f"{where} has no suites: write some, each a table such as [{table}].")
    return suites


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}.") from error


@dataclass(frozen=True)
class Suite:
    """A suite: its evaluation, the gate that its numbers must pass, and the files that it writes."""

    options: Mapping[str, Any]  # of evaluate
    gate: Mapping[str, Any] = field(default_factory=dict)  # the options of rm.gate; empty without a gate
    description: str = option("One sentence.", "text", "")
    output: str | Path | None = option("A file for the summary.", "file")
    per_list_output: str | Path | None = option("A file for one row per list.", "file")
    report: Path | None = option("An HTML file.", "file")
    junit: Path | None = option("A file for the checks of the gate.", "file")
    database: Path | None = option("A file of DuckDB, whose tables may be named.", "file")
    threads: int | None = option("The threads of DuckDB.", "number")
    define: tuple[Path, ...] = option("Files with metrics of the user.", "files", ())


def read_suite(path: Path, name: str) -> Suite:
    """A suite of a file, whose folder its paths are relative to; refuses unknown keys and values of the wrong kind."""
    suites, where = suites_of(path), f"{path}, suite {name!r}"
    if name not in suites:
        raise InputError(f"{path} has no suite {name!r}: there are {choices_for(name, suites)}")
    table = suites[name]
    takes_tables = "connection" in table or "database" in table
    values = TomlReader(path.parent, takes_tables=takes_tables).fields(where, table, KEYS)
    if "recs" not in values:
        raise InputError(f"{where} has no 'recs': write recs = \"recs.parquet\".")
    own = {key: values.pop(key) for key in NOT_OPTIONS.keys() & values.keys()}
    if "metrics" not in values and not own.get("gate"):
        raise InputError(f"{where} has no 'metrics': write metrics = [\"ndcg@10\"].")
    return Suite(values, **own)


class TomlReader(FileReader):
    """Reads the values of a suite: paths from a folder, and if `takes_tables`, other texts as names of tables."""

    NO_TEXT = ', which stands in quotes, as in "ndcg@10".'
    NO_TABLE = "table, as in {name = value}."

    def __init__(self, folder: Path, *, takes_tables: bool) -> None:
        super().__init__()
        self.folder, self.takes_tables = folder, takes_tables
        self.readers |= {
            "file": self.file,
            "files": lambda value: tuple(self.folder / text for text in self.texts(value)),
            "gate": self.gate,
        }

    def unknown(self, key: str, known: Iterable[str]) -> str:
        """The end of the message for an unknown key."""
        return f".{did_you_mean(key, known) or f' There are {names(known)}.'}"

    def text(self, value: Any) -> str:
        """A text; a whole number counts as one."""
        return super().text(str(value) if isinstance(value, int) and not isinstance(value, bool) else value)

    def gate(self, value: Any) -> dict[str, Any]:
        """The options of a gate, which must fit together."""
        options = self.fields("it", self.table(value), GATE)
        Gate(**options)
        return options

    def file(self, value: Any) -> Path:
        """A path from the folder."""
        return self.folder / self.text(value)

    def input(self, value: Any) -> Any:
        """A file or table; several in a list; systems in a table from their names."""
        if isinstance(value, Mapping):
            return {name: self.input(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.input(each) for each in self.texts(value)]
        text = self.text(value)
        looks_like_a_path = format_of(text) or is_pattern(text) or "/" in text or "\\" in text
        if "://" in text or is_query(text) or (self.takes_tables and not looks_like_a_path):
            return text
        return str(self.folder / text)

    def names_or_table(self, value: Any) -> Any:
        """Names in a list, or a file or table."""
        return value if isinstance(value, list) else self.input(value)


# The keys of a gate and of a suite, each with its kind; those of a suite that are not options of evaluate.
GATE = {name: declaration_of(each).kind for name, each in declared(Gate).items()}
NOT_OPTIONS = {"gate": "gate", **{each.name: declaration_of(each).kind for each in fields(Suite)[2:]}}
KEYS = {name: declaration_of(each).kind for name, each in declared(Request, "evaluate").items()} | NOT_OPTIONS


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
    write_scalar = partial(json.dumps, ensure_ascii=False, default=str)
    return f"{option.name} = {write_value(value, write_scalar, _key, ' = ')}"


def _key(name: str) -> str:
    """A key of TOML, in quotes if it needs them."""
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else json.dumps(name, ensure_ascii=False)
