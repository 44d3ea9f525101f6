"""What four libraries returned on the problems here, and the call of ours that must return the same, as data.

The scripts of this folder ran the libraries and wrote the values into `golden`. `EXCEPTIONS` lists what is left out,
with the reason; a problem that a library did not take is in the `refused` of its `golden/LIBRARY.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import polars as pl

from tests.fidelity.tables import GOLDEN as GOLDEN

Row = Mapping[str, Any]


@cache
def data(name: str) -> pl.DataFrame:
    """A golden file."""
    return pl.read_parquet(GOLDEN / f"{name}.parquet")


@cache
def told(library: str) -> dict[str, dict[str, str]]:
    """The versions of a library and of what it computes with, and why it did not take some problems."""
    found: dict[str, dict[str, str]] = json.loads((GOLDEN / f"{library}.json").read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True, eq=False)
class Library:
    """A library whose values are compared.

    Attributes:
        name: of its golden files.
        called: as its own people write it, and as its package is called.
        convention: ours.
        ranked: whether it goes by ranks, and not by scores.
        call: gives our call for a metric of its, with a setting and a cutoff.
        aggregates: its metrics whose value over all users is not the mean -> the aggregate of ours that it is.
        extras: the inputs that it is given beside recommendations and truth.
    """

    name: str
    called: str
    convention: str
    call: Callable[[str, str, int | None], str]
    ranked: bool = False
    aggregates: Mapping[str, str] = field(default_factory=dict)
    extras: Sequence[str] = ()

    def __repr__(self) -> str:
        return self.name

    def inputs(self, left_out: Sequence[str] = ()) -> dict[str, pl.DataFrame]:
        """The problems that it took, but for some."""
        problems = [one for one in data(self.name)["problem"].unique() if one not in left_out]
        recs = data("recs").filter(pl.col("problem").is_in(problems)).drop("score" if self.ranked else "rank")
        if self.ranked:
            recs = recs.filter(pl.col("item").is_not_null())  # it has no lists without items
        truth = data("truth").filter(pl.col("problem").is_in(problems))
        return {"recs": recs, "truth": truth, **{one: data(one) for one in self.extras}}


def _trec_eval(metric: str, setting: str, k: int | None) -> str:
    """A measure of trec_eval at a relevance level, which is rel, where it looks at that."""
    level, _, squared = re.fullmatch(r"level=(\d+)(, x=(\d))?", setting).groups()  # type: ignore[union-attr]
    name = metric.removeprefix("gm_")
    rel = "" if name in ("ndcg", "ndcg_cut", "num_ret") else f"rel={level}"
    set_at = ", ".join(one for one in (rel, "beta=2" if name == "set_F" and squared == "4" else "") if one)
    return f"{name}{f'({set_at})' if set_at else ''}{f'@{k}' if k else ''}"


def _ranx(metric: str, setting: str, k: int | None) -> str:
    """A metric of ranx as ranx writes it."""
    return f"{metric}{f'@{k}' if k else ''}-l{setting.removeprefix('level=')}"


# What each setting of RecTools is here.
RECTOOLS = {
    "r_precision=True": "divisor=relevant",
    "divide_by_k=True": "divisor=k",
    "divide_by_achievable=True": "share=best",
    "normalize=True": "unit=share",
    "log_base=3": "",
}


def _rectools(metric: str, setting: str, k: int | None) -> str:  # it has no settings beside these
    """A metric of RecTools."""
    name, _, inside = metric.removesuffix(")").partition("(")
    ours = RECTOOLS.get(inside, inside)
    return f"{name}{f'({ours})' if ours else ''}@{k}"


def _sklearn(metric: str, setting: str, k: int | None) -> str:
    """A function of scikit-learn."""
    return f"{metric}{'(tied=ranked)' if setting == 'ignore_ties=True' else ''}{f'@{k}' if k else ''}"


LIBRARIES = (
    Library(
        "pytrec_eval",
        "pytrec_eval-terrier",
        "trec_eval",
        _trec_eval,
        aggregates={
            **dict.fromkeys(("num_ret", "num_rel", "num_rel_ret"), "total"),
            **dict.fromkeys(("gm_map", "gm_bpref"), "geometric_mean"),
        },
    ),
    Library("ranx", "ranx", "ranx", _ranx),
    Library("rectools", "RecTools", "rectools", _rectools, ranked=True, extras=("history", "catalog", "similarity")),
    Library("sklearn", "scikit-learn", "sklearn", _sklearn),
)


@dataclass(frozen=True)
class LeftOut:
    """Values that are not compared, and why; `lists` says in words what `where` tells."""

    library: str
    reason: str
    problems: Sequence[str] = ()
    metrics: Sequence[str] = ()
    settings: Sequence[str] = ()
    lists: str = ""
    where: Callable[[Row], bool] = lambda _: True

    def holds(self, library: str, row: Row) -> bool:
        """Whether a row of the golden files is one of those left out."""
        return (
            library == self.library
            and all(
                not known or row[name] in known
                for name, known in (("problem", self.problems), ("metric", self.metrics), ("setting", self.settings))
            )
            and self.where(row)
        )


@cache
def _without_relevant(problem: str, level: int) -> bool:
    """Whether a user of a problem has no item that is rated so high."""
    truth = data("truth").filter(problem=problem).group_by("user").agg(pl.col("rating").max())
    return bool((truth["rating"] < level).any())


@cache
def _has_nan(library: str, problem: str, setting: str, metric: str) -> bool:
    """Whether a metric is NaN for a user of a problem."""
    rows = data(library).filter(problem=problem, setting=setting, metric=metric)
    return bool(rows.filter(pl.col("user").is_not_null())["value"].is_null().any())


EXCEPTIONS: Sequence[LeftOut] = (
    LeftOut(
        "ranx",
        "Beyond 15 documents, which of equal scores comes first is left to a sort that keeps no order.",
        problems=["long ties"],
    ),
    LeftOut(
        "ranx",
        "Its Qrels cuts ratings to whole numbers, in silence.",
        problems=["half ratings", "dense halves"],
    ),
    LeftOut(
        "ranx",
        "It stops in silence at the first query without a relevant item, and leaves 0 for the queries behind it.",
        metrics=["bpref"],
        lists="problems and levels with such a query",
        where=lambda row: _without_relevant(row["problem"], int(row["setting"].removeprefix("level="))),
    ),
    LeftOut(
        "ranx",
        "Its mean is NaN where a query's value is; ours leaves that query out.",
        metrics=["bpref"],
        lists="means over such queries",
        where=lambda row: row["user"] is None and _has_nan("ranx", row["problem"], row["setting"], "bpref"),
    ),
    LeftOut(
        "rectools",
        "It counts items that repeat once more for each repeat, as hits and as relevant items; here they are refused.",
        problems=["repeated items"],
        metrics=[
            *"Precision Precision(r_precision=True) Recall HitRate F1Beta F1Beta(beta=2) Accuracy MCC MAP".split(),
            *"MAP(divide_by_k=True) NDCG NDCG(log_base=3) NDCG(divide_by_achievable=True) MRR PartialAUC PAP".split(),
        ],
    ),
    LeftOut(
        "sklearn",
        "Which of equal scores comes first is left to a sort of NumPy that keeps no order.",
        problems=["dense ties", "dense negative ratings", "dense halves", "dense one label", "example"],
        settings=["ignore_ties=True"],
    ),
)
