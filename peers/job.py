"""What the jobs share: the problems as libraries take them, and golden files of what a library returned.

A job runs in the environment of its library, which has pyarrow or Polars and no rankmetrics. It measures each problem,
and runs the calls in the table "What its users do not know" of the library's page in docs/migrating.
"""

from __future__ import annotations

import json
import logging
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from peers.tables import GOLDEN, Row, read, write

PAGES = Path(__file__).parents[1] / "docs" / "migrating"

# Most libraries are measured at these cutoffs.
CUTOFFS = (1, 3, 5, 10)

# The columns of a golden file: the value of a metric for a user or, without a user, for the whole problem.
COLUMNS = ("problem", "setting", "metric", "k", "user", "value")

# Values are rounded to this number of decimals, because processors differ in the last digits of a logarithm.
DECIMALS = 10

# What libraries raise for an input that they do not take.
ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)

# A row of the table: a sentence, the call, the number or the name of the error.
ROW = re.compile(r"^\| [^|]+ \| `([^`|]+)` \| ([^|]+) \|$", re.MULTILINE)

# Setting, metric, cutoff, and the value of each user; the value of all users is that of None.
Values: TypeAlias = "tuple[str, str, int | None, Mapping[Any, Any]]"


@dataclass(frozen=True)
class Problem:
    """The recommendations and the truth of a problem, as rows. An empty list is a row without an item."""

    name: str
    recs: list[Row]
    truth: list[Row]

    @property
    def listed(self) -> list[Row]:
        """The recommendations without the rows of empty lists."""
        return [row for row in self.recs if row["item"] is not None]

    @property
    def rated(self) -> list[Row]:
        """The listed rows with their ratings: 0 if the truth does not rate the item."""
        ratings = {(row["user"], row["item"]): row["rating"] for row in self.truth}
        return [{**row, "rating": ratings.get((row["user"], row["item"]), 0.0)} for row in self.listed]

    @property
    def lists(self) -> dict[str, list[str]]:
        """The items of each user of the truth, in the order of the ranks."""
        lists: dict[str, list[str]] = {row["user"]: [] for row in self.truth}
        for row in sorted(self.listed, key=lambda row: row["rank"]):
            if row["user"] in lists:
                lists[row["user"]].append(row["item"])
        return lists

    @property
    def items(self) -> list[str]:
        return sorted({row["item"] for row in (*self.recs, *self.truth)} - {None})

    @property
    def scores(self) -> dict[str, dict[str, Any]]:
        return _nested(self.recs, "score")

    @property
    def ranks(self) -> dict[str, dict[str, Any]]:
        return _nested(self.recs, "rank")

    @property
    def ratings(self) -> dict[str, dict[str, Any]]:
        return _nested(self.truth, "rating")

    @property
    def whole_truth(self) -> list[Row]:
        """The truth, its ratings as whole numbers if they are whole."""
        ratings = [int(row["rating"]) if row["rating"].is_integer() else row["rating"] for row in self.truth]
        return [{**row, "rating": rating} for row, rating in zip(self.truth, ratings, strict=True)]

    @property
    def whole_ratings(self) -> dict[str, dict[str, Any]]:
        """The ratings by user and item, as whole numbers if they are whole."""
        return _nested(self.whole_truth, "rating")


def _nested(rows: Iterable[Row], value: str) -> dict[str, dict[str, Any]]:
    """A column by user and item; a user without items has an empty dict.

    Raises:
        ValueError: an item repeats, which a dict cannot hold.
    """
    by_user: dict[str, dict[str, Any]] = {}
    for row in rows:
        items = by_user.setdefault(row["user"], {})
        if row["item"] in items:
            raise ValueError("a dict holds an item once: what repeats cannot be given")
        if row["item"] is not None:
            items[row["item"]] = row[value]
    return by_user


def problems() -> Iterator[Problem]:
    by_name: dict[str, tuple[list[Row], list[Row]]] = {}
    for at, name in enumerate(("recs", "truth")):
        for row in read(name):
            by_name.setdefault(row["problem"], ([], []))[at].append(row)
    return (Problem(name, *rows) for name, rows in by_name.items())


def matrix_of(lists: Sequence[Sequence[int]], n_items: int, values: Sequence[float] | None = None) -> Any:
    """A sparse matrix of users by items: the items of each user, each with its value or 1."""
    from scipy.sparse import csr_matrix

    rows = [user for user, items in enumerate(lists) for _ in items]
    columns = [item for items in lists for item in items]
    return csr_matrix((values or [1.0] * len(rows), (rows, columns)), shape=(len(lists), n_items))


def empty_packages(library: str, *packages: str) -> None:
    """Put empty packages in place of those that import models; their modules can still be imported."""
    (folder,) = find_spec(library).submodule_search_locations  # type: ignore[union-attr,misc]
    for package in ("", *packages):
        module = ModuleType(f"{library}{package and '.'}{package}")
        module.__path__ = [f"{folder}/{package.replace('.', '/')}"]
        sys.modules[module.__name__] = module


# --- what a library returns -------------------------------------------------------------------------------------------

Measure: TypeAlias = Callable[[Problem], Iterable[Values]]


def run(
    library: str,
    packages: Sequence[str],
    measure: Measure,
    names: Mapping[str, Any] | None = None,
    *,
    page: str = "",
    alone: bool = False,
    keeps_nan: bool = False,
) -> None:
    """Write what a library returns for the problems and for the calls of its page, and the versions of its packages.

    Args:
        library: the name of the job and of its golden files.
        packages: the library and what it computes with.
        measure: measures a problem. The problem is refused if it raises TypeError or ValueError.
        names: the values of names in the calls of the page; None for a page without calls.
        page: the name of the page, if it is not that of the library.
        alone: True to measure each problem in a process of its own, without log messages: a crash refuses it.
        keeps_nan: True to write NaN, False to write it as NULL.
    """
    rows, refused = [], {}
    for problem in problems():
        try:
            values = _in_process(measure, problem) if alone else _all_values(measure, problem)
        except (TypeError, ValueError) as error:
            refused[problem.name] = str(error)
            continue
        for setting, metric, k, by_user in values:
            key = (problem.name, setting, metric, k)
            rows += [(*key, user, _rounded(value, keeps_nan=keeps_nan)) for user, value in by_user.items()]
    rows.sort(key=lambda row: tuple((cell is not None, cell) for cell in row[:-1]))
    write(library, rows, COLUMNS)
    document: dict[str, Any] = {"versions": {name: version(name) for name in packages}}
    document["refused"] = dict(sorted(refused.items()))
    if names is not None:
        document["quirks"] = {call: _returned(call, dict(names)) for call in quirks_of(page or library)}
    write_json(library, document)
    print(f"{library}: {len(rows):,} values, {len(refused)} problems refused")


def _in_process(measure: Measure, problem: Problem) -> list[Values]:
    with ProcessPoolExecutor(1, initializer=logging.disable) as process:
        try:
            return process.submit(_all_values, measure, problem).result()
        except BrokenProcessPool:
            raise ValueError("It crashes.") from None


def _all_values(measure: Measure, problem: Problem) -> list[Values]:
    """The values of a problem as a list: a generator cannot leave its process."""
    return [*measure(problem)]


def _rounded(value: Any, *, keeps_nan: bool) -> float | None:
    if value is None or (math.isnan(value) and not keeps_nan):
        return None
    return round(float(value), DECIMALS)


def write_json(name: str, document: object) -> None:
    (GOLDEN / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


# --- quirks: calls that show what the users of a library do not know --------------------------------------------------


def quirks_of(page: str) -> dict[str, str]:
    """The calls in the table of a page of docs/migrating, each with the number that the page shows."""
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    return dict(ROW.findall(text.partition("## What its users do not know\n")[2].partition("\n## ")[0]))


def _returned(call: str, names: dict[str, Any]) -> str:
    """What a call returns, as pages print it: a number with up to six decimals, "NaN", or the name of an error."""
    try:
        value = float(eval(call, names))
    except ERRORS as error:
        return type(error).__name__
    return "NaN" if math.isnan(value) else f"{round(value, 6):g}"


def measure_quirks(library: str, measure: Callable[[str, dict[str, int], dict[str, float]], float]) -> None:
    """Measure the small queries of `golden/LIBRARY_quirks.json` again: a measure, the ratings, the scores."""
    name = f"{library}_quirks"
    quirks = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    write_json(name, [{**one, "value": measure(one["measure"], one["qrels"], one["run"])} for one in quirks])
