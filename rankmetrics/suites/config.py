"""Finds and reads the file of suites: rankmetrics.toml, or [tool.rankmetrics] of pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankmetrics.errors import InputError, did_you_mean, names

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
