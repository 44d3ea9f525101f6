"""Projects of dbt: the project around a folder, its name, and the adapter that its profile names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankmetrics.errors import InputError, did_you_mean, names
from rankmetrics.export.dbt.leaderboards import ADAPTERS, yaml

PROJECT = "dbt_project.yml"

# The adapter of a package if no profile names one.
DEFAULT_ADAPTER = "duckdb"


def enclosing(folder: Path) -> Path | None:
    """The project of dbt around a folder, if there is one."""
    return next((parent for parent in folder.absolute().parents if (parent / PROJECT).is_file()), None)


def project_name(folder: Path) -> str:
    """The name of the project of dbt in a folder.

    Raises:
        InputError: its dbt_project.yml has no line with the name.
    """
    text = (folder / PROJECT).read_text("utf-8", errors="replace")
    found = re.search(r"^name:\s*(['\"]?)([A-Za-z_]\w*)\1\s*(#.*)?$", text, re.ASCII | re.MULTILINE)
    if not found:
        raise InputError(f"{folder / PROJECT} has no line that says what the project is called, as in `name: shop`.")
    return found[2]


def adapter_of(folder: Path) -> str | None:
    """The adapter of the project around a folder: the `type` of the target in its profile; None if no profile is found.

    The profile is looked for where dbt looks: in DBT_PROFILES_DIR, beside dbt_project.yml, and in ~/.dbt.

    Raises:
        InputError: there is no SQL for the adapter.
    """
    around = enclosing(folder)
    profile = _mapping(around / PROJECT).get("profile") if around else None
    if around is None or not isinstance(profile, str):
        return None
    own = os.environ.get("DBT_PROFILES_DIR")
    for place in (*([Path(own)] if own else []), around, Path.home() / ".dbt"):
        if (path := place / "profiles.yml").is_file():
            found = _type_of_target(_mapping(path).get(profile))
            return None if found is None else checked(found, f"The profile {profile!r} of {path} has")
    return None


def checked(adapter: str, owner: str) -> str:
    """An adapter, if there is SQL for it.

    Raises:
        InputError: there is none.
    """
    if adapter not in ADAPTERS:
        raise InputError(
            f"{owner} the adapter {adapter!r}, for which there is no SQL: there is for {names(ADAPTERS)}."
            f"{did_you_mean(adapter, ADAPTERS)}"
        )
    return adapter


def _type_of_target(profile: object) -> str | None:
    """The type of the default target of a profile; if that is not known, the one type that all targets have."""
    outputs = profile.get("outputs") if isinstance(profile, Mapping) else None
    if not isinstance(profile, Mapping) or not isinstance(outputs, Mapping):
        return None
    target = outputs.get(profile.get("target", "default"))
    types = {one.get("type") for one in ([target] if target else outputs.values()) if isinstance(one, Mapping)}
    found = types.pop() if len(types) == 1 else None
    return found if isinstance(found, str) else None


def _mapping(path: Path) -> Mapping[str, Any]:
    """A file of YAML; empty if it holds no mapping. dbt's own error is better than ours where it cannot be read."""
    loader = yaml()
    try:
        found = loader.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, loader.YAMLError):
        return {}
    return found if isinstance(found, Mapping) else {}
