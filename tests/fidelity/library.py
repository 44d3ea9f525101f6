"""What a library returned on the problems here, and our calls that must return the same, as values.

The scripts in `jobs` ran the libraries and wrote the values into `golden`, and into `golden/LIBRARY.json` the problems
that a library refused. `libraries` describes each of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import polars as pl

from tests.fidelity.tables import GOLDEN

Row = Mapping[str, Any]


@cache
def data(name: str) -> pl.DataFrame:
    """A golden file."""
    return pl.read_parquet(GOLDEN / f"{name}.parquet")


@dataclass(frozen=True)
class LeftOut:
    """Values that are not compared, with the reason; `lists` says in words which rows `where` selects."""

    reason: str
    problems: Sequence[str] = ()
    metrics: Sequence[str] = ()
    settings: Sequence[str] = ()
    lists: str = ""
    where: Callable[[Row], bool] = lambda _: True

    def holds(self, row: Row) -> bool:
        """True if a row of the golden file is left out."""
        return all(
            not listed or row[name] in listed
            for name, listed in (("problem", self.problems), ("metric", self.metrics), ("setting", self.settings))
        ) and self.where(row)


def without_settings(metric: str, setting: str, k: int | None) -> str:
    """Our call for a metric of a library whose metrics have no settings: under its own name."""
    return f"{metric}@{k}" if k else metric


@dataclass(eq=False)
class Library:
    """A library whose values are compared.

    Attributes:
        name: the name of its job, requirements and golden files.
        called: the name that its documentation has.
        call: returns our call for one of its metrics, with a setting and a cutoff (None: the whole list).
        convention: our convention; by default, the name.
        ranked: True if it reads ranks, False if it reads scores.
        of_rows: True if it reads rows, so that it has no lists without items; nor has a library that reads ranks.
        aggregates: our aggregate for each of its metrics whose value over all users is not the mean.
        decimals: the number of decimals of each metric that it rounds.
        extras: the inputs that it reads in addition to recommendations and truth.
        computed: inputs that it computes from the others.
        left_out: values that are not compared.
        prepare: changes the problems as its job does before it runs them.
        tolerance: the largest difference between its value and ours.
    """

    name: str
    called: str
    call: Callable[[str, str, int | None], str] = without_settings
    convention: str = ""
    ranked: bool = False
    of_rows: bool = False
    aggregates: Mapping[str, str] = field(default_factory=dict)
    decimals: Mapping[str, int] = field(default_factory=dict)
    extras: Sequence[str] = ()
    computed: Mapping[str, Callable[[], pl.DataFrame]] = field(default_factory=dict)
    left_out: Sequence[LeftOut] = ()
    prepare: Callable[[dict[str, pl.DataFrame]], dict[str, pl.DataFrame]] = dict
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        self.convention = self.convention or self.name

    def __repr__(self) -> str:
        return self.name

    def inputs(self, without: Sequence[str] = ()) -> dict[str, pl.DataFrame]:
        """The problems that it took, except those in `without`."""
        problems = [problem for problem in data(self.name)["problem"].unique() if problem not in without]
        recs = data("recs").filter(pl.col("problem").is_in(problems)).drop("score" if self.ranked else "rank")
        if self.ranked or self.of_rows:
            recs = recs.filter(pl.col("item").is_not_null())
        truth = data("truth").filter(pl.col("problem").is_in(problems))
        extras = {name: data(name) for name in self.extras} | {name: make() for name, make in self.computed.items()}
        return self.prepare({"recs": recs, "truth": truth, **extras})

    def about(self) -> dict[str, dict[str, str]]:
        """The versions of the library and of what it computes with, and why it did not take some problems."""
        document: dict[str, dict[str, str]] = json.loads((GOLDEN / f"{self.name}.json").read_text(encoding="utf-8"))
        return document

    def returned(self) -> Iterator[Row]:
        """Every value that it returned."""
        return data(self.name).iter_rows(named=True)

    def compared(self) -> list[Row]:
        """The values that are compared: all but those left out."""
        return [row for row in self.returned() if not any(left_out.holds(row) for left_out in self.left_out)]


def rated_if_listed(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems with a rating for each listed item, 0 if the truth has none, and for no other item."""
    recs = inputs["recs"].filter(pl.col("item").is_not_null())
    keys = ["problem", "user", "item"]
    rated = recs.select(keys).join(inputs["truth"], on=keys, how="left").with_columns(pl.col("rating").fill_null(0.0))
    return {**inputs, "recs": recs, "truth": rated}
