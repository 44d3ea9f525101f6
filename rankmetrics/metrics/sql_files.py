"""Reads the files of sql/ and refuses a file with a mistake, naming the file and the nearest known name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean
from rankmetrics.inputs.sources import SOURCES
from rankmetrics.metrics.conditions import Condition
from rankmetrics.metrics.definition import FOLDERS, Definition, Kind, read

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DefinitionsByName = Mapping[tuple[Kind, str], Definition]


@cache
def builtin() -> DefinitionsByName:
    """The definitions that ship, by kind and name."""
    return read_folder(sql_folder())


def read_folder(folder: Traversable) -> dict[tuple[Kind, str], Definition]:
    """The definitions of a folder with the layout of sql/, by kind and name.

    Each kind has a folder. Folders below it sort the files by subject and mean nothing else.

    Raises:
        MetricError: a header has an unknown key, or a variant of a stage does not say when it holds.
    """
    found: dict[tuple[Kind, str], Definition] = {}
    for kind, name in FOLDERS.items():
        for file in sorted(_files_below(folder / name), key=lambda file: file.name):
            stem = file.name.removesuffix(".sql")
            if (kind, stem) in found:
                raise MetricError(f"There are two files {file.name} below {folder / name}: name them apart.")
            found[kind, stem] = read(file.read_text(encoding="utf-8"), file.name, kind, stem)
    for (kind, _), definition in found.items():
        if kind == "stage":
            _check_variant(definition)
            for condition in definition.when:
                _check_condition(condition, definition.origin, found)
    return found


def _files_below(folder: Traversable) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files_below(entry)
        elif entry.name.endswith(".sql"):
            yield entry


def _check_variant(stage: Definition) -> None:
    """Refuse a variant, called `stage.variant.sql`, without a `when:`, and a `when:` in a file that is no variant."""
    _, _, variant = stage.name.partition(".")
    if bool(variant) != bool(stage.when):
        said = "does not say `when:` it is taken" if variant else "has no variant in its name, and says `when:`"
        raise MetricError(
            f"{stage.origin} {said}. A variant is called `stage.variant.sql`, and its header has `when: …`."
        )


def _check_condition(condition: Condition, origin: str, known: DefinitionsByName) -> None:
    """Refuse a condition that names a setting, a choice, an input or a stage that does not exist."""
    first, *choices = condition.words or ("",)
    if condition.form in ("setting", "query"):
        setting = known.get(("policy", first)) or known.get(("parameter", first)) or _find_own(first, known)
        if setting is None:
            settings = [name.rpartition(".")[2] for kind, name in known if kind in ("policy", "parameter")]
            raise MetricError(f"{origin}: there is no setting {first!r}.{did_you_mean(first, settings)}")
        for choice in choices:
            if not re.search(rf"\b{choice}\b", setting.text):
                raise MetricError(f"{origin}: {first} has no choice {choice!r}.")
    elif condition.form in ("input", "no input", "sorted", "required"):
        what = "stage" if condition.form == "required" else "input"
        there = [name for kind, name in known if kind == "stage"] if what == "stage" else SOURCES
        if first not in there:
            raise MetricError(f"{origin}: there is no {what} {first!r}.{did_you_mean(first, there)}")


def _find_own(setting: str, known: DefinitionsByName) -> Definition | None:
    """The file of a parameter that belongs to one metric: `metric.setting.sql`."""
    files = (file for (kind, name), file in known.items() if kind == "parameter" and name.endswith(f".{setting}"))
    return next(files, None)
