"""Recommendations of several systems, each in a file or a frame of its own, and the names of the systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rankmetrics.engines.files import format_of
from rankmetrics.errors import ColumnError, InputError, Option, names
from rankmetrics.inputs.sources import called

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

    def refuse_unlike(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Refuse systems whose tables have different columns, or already a column of the system's name."""
        first, *others = columns
        for system in others:
            if set(columns[system]) != set(columns[first]):
                raise ColumnError(
                    f"The recommendations of {first!r} have the columns {names(columns[first])}, those of {system!r} "
                    f"have {names(columns[system])}: give all systems the same columns."
                )
        refuse_hidden(self.column, columns[first])


def inputs_of(value: object) -> list[object]:
    """The inputs in an argument: the argument itself, or the input of each system."""
    return [*value.inputs.values()] if isinstance(value, Systems) else [value]


def refuse_hidden(column: str, columns: Sequence[str]) -> None:
    """Refuse to add the column of systems where the recommendations already have a column of that name."""
    for name in columns:
        if name.lower() == column.lower():
            raise ColumnError(
                f"The recommendations have a column {name!r} already, so their systems cannot be named in it: "
                "give it another name, as in ",
                Option("files_as", "file"),
                ".",
            )


def of_mapping(inputs: Mapping[object, object], files_as: str | None) -> Systems:
    """The systems of a mapping from names to inputs."""
    if files_as == PARTS:
        raise InputError(Option("files_as", PARTS), " is for several files of one system, and a mapping names systems.")
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
