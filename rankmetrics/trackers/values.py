"""What is logged of a result: numbers and settings under names that every tracker takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rankmetrics.dialects.rewrites.names import plain
from rankmetrics.errors import InputError, Option
from rankmetrics.results.result import Result
from rankmetrics.sqltree.names import free_name

# A summary of more rows is no leaderboard, and no tracker shows it.
MOST_ROWS = 1000


@dataclass(frozen=True)
class Logged:
    """What is logged of a result.

    Attributes:
        metrics: the numbers of the summary, by their names.
        params: the settings of the evaluation, as texts.
        files: files that are kept beside the numbers.
    """

    metrics: dict[str, float]
    params: dict[str, str]
    files: list[Path] = field(default_factory=list)


def logged_values(result: Result, prefix: str) -> Logged:
    """The numbers and the settings of a result.

    Raises:
        InputError: the summary has too many rows.
        DataError: as Result.collect does.
    """
    return Logged(dict(_metrics(result, prefix)), {f"{prefix}{name}": text for name, text in _params(result).items()})


def system_path(values: tuple[object, ...]) -> str:
    """The values that name a row of a summary, as a path whose parts every tracker takes.

    MLflow takes letters, digits, underscores, dashes, periods, spaces, colons and slashes.

    >>> system_path(("als v2", 64)), system_path(("bert/base@10", "..")), system_path(())
    ('als v2/64/', 'bert_base_10/_/', '')
    """
    parts = [re.sub(r"[^A-Za-z0-9_\-. ]", "_", str(value)).strip() for value in values]
    return "".join(f"{part if part.strip('.') else '_'}/" for part in parts)


def _metrics(result: Result, prefix: str) -> Iterator[tuple[str, float]]:
    """The numbers of the summary, each with its name; undefined ones are left out."""
    summary, by = result.collect(), result.layout.by
    if summary.height > MOST_ROWS:
        raise InputError(
            f"The summary has {summary.height:,} rows, and a tracker shows few: keep fewer columns with ",
            Option("by"),
            ", and log the rows as a file with per_list=True.",
        )
    columns: dict[str, str] = {}
    for label in summary.columns[len(by) :]:
        columns[label] = free_name(plain(label), columns.values(), "_")
    taken: list[str] = []
    for row in summary.iter_rows(named=True):
        system = free_name(system_path(tuple(row[name] for name in by)).rstrip("/"), taken, "_") if by else ""
        taken.append(system)
        path = f"{prefix}{system}/" if system else prefix
        yield from ((f"{path}{name}", float(row[label])) for label, name in columns.items() if row[label] is not None)


def _params(result: Result) -> dict[str, str]:
    """The settings of the evaluation, as texts."""
    import rankmetrics as rm

    layout = result.layout
    lists = {
        "metrics": [metric.text for metric in result.metrics],
        "aggregates": list(map(str, result.aggregates)),
        "lists": layout.lists,
        "truth_lists": layout.truth_lists,
        "by": layout.by,
        **{name: files.paths for name, files in result._engine.files.items()},
    }
    return {
        "rankmetrics": rm.__version__,
        "engine": result._engine.name,
        **{name: ", ".join(values) for name, values in lists.items()},
    }
