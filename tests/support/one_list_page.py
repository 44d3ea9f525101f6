"""docs/one-list.md: one list, and the nDCG@10 that each library gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import polars as pl

import rankmetrics as rm
from rankmetrics.conventions.choices import Group
from rankmetrics.conventions.tables import OURS
from rankmetrics.metrics.conventions import find
from tests.support.markdown import convention_anchor, table

METRIC = "ndcg@10"

# Two equal scores, a relevant item below the cutoff, another that is not recommended, and an item that was rated 0.
SCORES = {"a": 9.0, "b": 8.0, "c": 8.0, "d": 7.0, "e": 6.0, "f": 5.0, "g": 4.0, "h": 3.5, "i": 3.0, "j": 2.5, "k": 2.0}
RATINGS = {"c": 3, "b": 1, "e": 2, "h": 0, "k": 3, "x": 2}


def compared() -> rm.ConventionTable:
    """The metric on the list, under every convention."""
    recs = pl.DataFrame({"user": "u", "item": list(SCORES), "score": list(SCORES.values())})
    truth = pl.DataFrame({"user": "u", "item": list(RATINGS), "rating": list(RATINGS.values())})
    return rm.compare_conventions(METRIC, recs, truth)


def one_list_page() -> str:
    """The page."""
    conventions = compared()
    spelled = {row["convention"]: row["metric"] for row in conventions.collect().iter_rows(named=True)}
    libraries = {_library(name) for name in spelled if name != OURS}
    without = sorted({_library(name) for name in conventions.left_out} - libraries, key=str.lower)
    groups = conventions._moves.groups
    parts = [
        f"# {len(libraries)} libraries, one list",
        (
            f"{len(libraries)} libraries have a metric that they call nDCG, and here "
            f"is one list. They give it {len({group.values for group in groups})} different values. Each value comes "
            "from the [convention](conventions.md) of the library, which was compared with the values of the library's "
            "own code ([counts](reproduction.md))."
        ),
        "## The list",
        (
            f"{len(SCORES)} items were recommended to one user. Items b and c have the same score. The user also rated "
            "item x, which was not recommended."
        ),
        _list(),
        f"## What each library calls {METRIC}",
        (
            "Libraries with the same value share a row. The last column has the settings that turn the definition of "
            "rankmetrics into theirs, without settings that change nothing on this list. NULL means that the library "
            "does not measure such a list."
        ),
        _values(groups, spelled),
        "## Each choice alone",
        (
            "Each row makes a single choice, leaves all else as rankmetrics defines it, and says by how much the "
            "value changes."
        ),
        _choices(conventions),
        (
            "On your own data, `rankmetrics conventions ndcg@10 recs.parquet truth.parquet` prints the same tables "
            "([explaining a number](explaining.md#which-choice-moves-the-number))."
        ),
        *([f"Libraries without an nDCG: {', '.join(without)}."] if without else []),
    ]
    return "\n\n".join(parts) + "\n"


def _library(convention: str) -> str:
    """The name of a library without its release: LensKit 0.14 and LensKit 2025 are one."""
    return re.split(r"[ ,]+(?:\d|up to|with)|'s ", find(convention).library)[0]


def _list() -> str:
    ranked = [
        [str(rank), item, f"{score:g}", str(RATINGS.get(item, ""))]
        for rank, (item, score) in enumerate(SCORES.items(), 1)
    ]
    missing = [["", item, "", str(rating)] for item, rating in RATINGS.items() if item not in SCORES]
    return table(["rank", "item", "score", "rating"], [*ranked, *missing])


def _values(groups: Sequence[Group], spelled: Mapping[str, str]) -> str:
    def value(group: Group) -> float:
        (number,) = group.values
        return -1.0 if number is None else number

    rows = [
        [
            _number(group.values[0]),
            ", ".join(map(_named, group.conventions)),
            ", ".join(dict.fromkeys(f"`{spelled[name]}`" for name in group.conventions)),
            "; ".join(dict.fromkeys(" and ".join(f"`{choice}`" for choice in of) for of in group.choices.values())),
        ]
        for group in sorted(groups, key=value, reverse=True)
    ]
    return table(["value", "libraries", "their name", "choices"], rows)


def _named(convention: str) -> str:
    if convention == OURS:
        return "rankmetrics"
    return f"[{find(convention).library}](conventions.md{convention_anchor(convention)})"


def _choices(compared: rm.ConventionTable) -> str:
    changes = compared.choices().filter(pl.col("change").is_null() | (pl.col("change").round(4) != 0))
    size = pl.col("change").abs().round(9)  # equal sizes are in alphabetical order: sums differ in their last digit
    ordered = changes.sort(size, "choice", descending=[True, False], nulls_last=True)
    rows = [
        [f"`{row['choice']}`", row["meaning"], _number(row["change"], "+")] for row in ordered.iter_rows(named=True)
    ]
    return table(["choice", "what it means", "change"], rows)


def _number(value: float | None, sign: str = "") -> str:
    return "NULL" if value is None else f"{value:{sign}.4f}"
