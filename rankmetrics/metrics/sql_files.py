"""Reads the files of sql/ and refuses one that would not be what its author meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean
from rankmetrics.inputs.sources import SOURCES
from rankmetrics.metrics.definition import FOLDERS, Definition, Kind, read

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@cache
def builtin() -> Mapping[tuple[Kind, str], Definition]:
    """The definitions that ship, by kind and name."""
    return read_folder(sql_folder())


def read_folder(folder: Traversable) -> dict[tuple[Kind, str], Definition]:
    """The definitions of a folder that is laid out as sql/ is: a folder for each kind; folders below it are subjects.

    Raises:
        MetricError: a header says what nothing reads, or a variant of a stage does not say when it holds.
    """
    found: dict[tuple[Kind, str], Definition] = {}
    for kind, name in FOLDERS.items():
        for file in sorted(_files_below(folder / name), key=lambda one: one.name):
            stem = file.name.removesuffix(".sql")
            if (kind, stem) in found:
                raise MetricError(f"There are two files {file.name} below {folder / name}: name them apart.")
            found[kind, stem] = read(file.read_text(encoding="utf-8"), file.name, kind, stem)
    for (kind, _), one in found.items():
        if kind == "stage":
            _check_variant(one, found)
    return found


def _files_below(folder: Traversable) -> Iterator[Traversable]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _files_below(one)
        elif one.name.endswith(".sql"):
            yield one


def _check_variant(one: Definition, every: Mapping[tuple[Kind, str], Definition]) -> None:
    """Refuse a file of a stage that is a variant and does not say when, or whose conditions name what there is not.

    Raises:
        MetricError: it is such a file.
    """
    _, is_variant, _ = one.name.partition(".")
    if bool(is_variant) != bool(one.when):
        said = "does not say `when:` it is taken" if is_variant else "has no variant in its name, and says `when:`"
        raise MetricError(
            f"{one.origin} {said}. A variant is called `stage.variant.sql`, and its header has `when: …`."
        )
    for form, words in ((each.form, each.words) for each in one.when):
        if form in ("setting", "query"):
            decides = every.get(("policy", words[0])) or every.get(("parameter", words[0])) or _own(words[0], every)
            settings = [name.rpartition(".")[2] for kind, name in every if kind in ("policy", "parameter")]
            if decides is None:
                raise MetricError(f"{one.origin}: there is no setting {words[0]!r}.{did_you_mean(words[0], settings)}")
            strange = [word for word in words[1:] if not re.search(rf"\b{word}\b", decides.text)]
            if strange:
                raise MetricError(f"{one.origin}: {words[0]} has no choice {strange[0]!r}.")
        known = SOURCES if "input" in form or form == "sorted" else [name for kind, name in every if kind == "stage"]
        if form in ("input", "no input", "sorted", "required") and words[0] not in known:
            raise MetricError(f"{one.origin}: `{words[0]}` is not there.{did_you_mean(words[0], known)}")


def _own(setting: str, every: Mapping[tuple[Kind, str], Definition]) -> Definition | None:
    """The file of a parameter that one metric alone has."""
    return next(
        (of for (kind, name), of in every.items() if kind == "parameter" and name.endswith(f".{setting}")), None
    )
