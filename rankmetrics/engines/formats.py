"""Formats of files that the caller names, for files whose names do not tell: qrels.txt, u.data, ratings.dat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rankmetrics.engines.paths import FORMATS, OfFormat, format_of, is_query
from rankmetrics.errors import InputError, Option, did_you_mean, names
from rankmetrics.inputs.sources import RANKED, SOURCES

# What the name of a format means for recommendations and for all other inputs, where that differs.
RUNS: Mapping[str, tuple[str, str]] = {"trec": ("trec", "qrels"), "recbole": ("inter", "inter")}

# The formats that may be named.
NAMED = (*RUNS, *(one for one in dict.fromkeys(FORMATS.values()) if one not in RUNS), "movielens")


def with_formats(name: str, value: Any, formats: Iterable[str]) -> Any:
    """An input with the format that the caller names for it.

    A text such as `movielens` is for every file whose ending is no format's; `truth: movielens` is for that input
    whatever its ending.

    Raises:
        InputError: there is no such format.

    >>> with_formats("truth", "u.data", ["movielens"])
    OfFormat(given='u.data', form='movielens')
    >>> with_formats("recs", "recs.parquet", ["movielens"])
    'recs.parquet'
    """
    for text in formats:
        found = re.fullmatch(rf"\s*(?:({'|'.join(SOURCES)})\s*:)?\s*(\S+)\s*", text)
        if found is None or found[2] not in NAMED:
            raise InputError(
                Option("format", text),
                f" is no format of a file: there are {names(NAMED)}, and each may name its input, as in "
                f"'truth: movielens'.{did_you_mean(found[2] if found else text, NAMED)}",
            )
        if found[1] in (None, name) and _is_of(value, is_named=found[1] is not None):
            return OfFormat(value, RUNS.get(found[2], (found[2], found[2]))[name not in RANKED])
        if found[1] in (None, name) and isinstance(value, Mapping):
            return {system: with_formats(name, one, [text]) for system, one in value.items()}
    return value


def _is_of(value: object, *, is_named: bool) -> bool:
    """Whether a format that the caller names is for an input: for files, and if it is for any input, of no format."""
    paths = [value] if isinstance(value, (str, Path)) else value if isinstance(value, (list, tuple)) else []
    if not paths or not all(isinstance(path, (str, Path)) and not is_query(str(path)) for path in paths):
        return False
    return is_named or not any(format_of(str(path)) for path in paths)
