"""The pages about other libraries: docs/conventions.md, docs/reproduction.md and docs/one-list.md."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import polars as pl

import rankmetrics as rm
from docs.tooling import ROOT
from docs.tooling.markdown import convention_anchor, table
from peers.libraries import LIBRARIES, data
from peers.reproduction import EXCEPTIONS
from rankmetrics._files import data_folder
from rankmetrics.conventions import OURS, ConventionGroup
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find


def _conventions_table() -> str:
    """A row per convention: the library, and the page that tells its users how to migrate."""
    pages = {page.stem for page in (ROOT / "docs" / "migrating").glob("*.md")}
    rows = []
    for one in CONVENTIONS:
        page = next(page for page in (one.name, one.name.partition("-")[0], "competitions") if page in pages)
        rows.append([f"[`{one.name}`]({convention_anchor(one.name)})", one.what, f"[migrating](migrating/{page}.md)"])
    return table(["convention", "library", "how to migrate"], rows)


def conventions_page() -> str:
    """The page docs/conventions.md: a table of the conventions, then a section for each."""
    parts = [
        "# The conventions",
        (
            "A convention is a data file of `sql/conventions`: the library's names "
            "of its metrics, the metric of rankmetrics that returns the same number, and the policies that all of its "
            "metrics share. You can set each of these parameters yourself, without the convention. "
            "[What was reproduced](reproduction.md) lists the comparisons with the libraries' own numbers, and the "
            "numbers that were left out. `rm.compare_conventions` says which choice moves your number: "
            "[Which choice moves the number](explaining.md#which-choice-moves-the-number)."
        ),
        _conventions_table(),
        *(_convention_part(one) for one in CONVENTIONS),
    ]
    return "\n\n".join(parts) + "\n"


def conventions_of_the_sample() -> str:
    """The groups of conventions that `rankmetrics conventions ndcg@10` prints for the sample, as Markdown."""
    sample = [str(data_folder() / f"{name}.parquet") for name in ("recs", "truth")]
    conventions = rm.compare_conventions(METRIC, *sample)
    systems = conventions.collect()["algorithm"].unique().sort()
    rows = [
        [
            ", ".join(f"**{name}**" if name == OURS else name for name in group.conventions),
            "<br>".join(f"`{reason}`" for reason in group.reasons.splitlines()),
            *(f"{value:.4f}" for value in group.values),
        ]
        for group in conventions._groups
    ]
    return table([f"conventions with the same {METRIC}", "because of", *systems], rows)


def _convention_part(convention: Convention) -> str:
    """The policies, names and notes of a convention."""
    policies = []
    for name, value in convention.policies.items():
        parameter = catalog().shared(name)
        policies.append(f"- `{name}={value}`: {parameter.meaning(value)}")
    spellings = [[f"`{theirs}`", f"`{ours}`"] for theirs, ours in convention.spellings.items()]
    aliases = [f"Also called: {', '.join(f'`{one}`' for one in convention.aliases)}.", ""] if convention.aliases else []
    lines = [f"## {convention.name}", "", f"{convention.what}.", "", *aliases, *policies, ""]
    lines += [table(["name in the library", "metric of rankmetrics, under these policies"], spellings), ""]
    lines += [f"- {one}" for one in convention.notes]
    for rule, of in (("without a cutoff", convention.no_cutoff), ("with a cutoff", convention.needs_cutoff)):
        named = [f"`{one}`" for one in convention.spellings if one in of]
        lines += [f"- Accepted only {rule}: {', '.join(named)}."] if named else []
    if convention.refused:
        refused = [[f"`{one}`", instead] for one, instead in convention.refused.items()]
        lines += ["", table(["not available", "use instead"], refused)]
    return "\n".join(lines).rstrip()


def reproduction_page() -> str:
    """The comparisons with the libraries' own numbers; the counts come from the last run that compared them."""
    compared = json.loads((ROOT / "peers" / "reproduced.json").read_text(encoding="utf-8"))
    here = {
        library.called: dict(sorted(Counter(row["metric"] for row in library.compared()).items()))
        for library in LIBRARIES
    }
    left_out = [
        [one.system, *(told or "all" for told in (", ".join(one.metrics), one.setting, one.lists)), one.reason]
        for one in EXCEPTIONS
    ]
    parts = [
        "# Numbers of other libraries, reproduced",
        (
            f"{len(compared) + len(here)} releases of libraries were run. The tests compare the values that they "
            "returned with the values of rankmetrics under the library's convention, on DuckDB and on Polars: "
            f"{_all_of(compared) + _all_of(here):,} values on each engine. The tables of values left out give the "
            "reasons."
        ),
        "## Libraries run elsewhere",
        (
            f"{_all_of(compared):,} values of five libraries are equal to 1e-9; CAPRI's ndcgk to the 4 decimal places "
            "that it returns, and numbers computed by Spark to 1e-6. These numbers may not be redistributed, so they "
            "are not in this repository; `pytest tests/fidelity/test_reproduction.py` compares them if they are there."
        ),
        "### Compared",
        table(["library", "metric", "values"], _compared_rows(compared)),
        "### Left out",
        table(["library", "metrics", "setting", "lists", "why"], left_out),
        *_run_here(here),
    ]
    return "\n\n".join(parts) + "\n"


def _all_of(compared: dict[str, dict[str, int]]) -> int:
    return sum(n for metrics in compared.values() for n in metrics.values())


def _run_here(here: dict[str, dict[str, int]]) -> Iterator[str]:
    """What is compared with the values that `make fidelity` writes."""
    problems = data("recs")["problem"].n_unique()
    yield "## Libraries run by `make fidelity`"
    yield (
        f"{_all_of(here):,} values of {len(here)} libraries are equal to 1e-9, per list and in the mean"
        f"{''.join(f'; those of {one.called} to {one.tolerance:.0e}' for one in LIBRARIES if one.tolerance > 1e-9)}. "
        f"`make fidelity` makes {problems} small problems (ties, graded, zero, half and negative ratings, ids of "
        "digits and of letters, scores that are equal in 32 bits but not in 64, short and long lists, missing users, "
        "empty lists, lists without a relevant item, repeated items), runs each library in an environment of its "
        "own, and writes "
        "the values and the versions into `peers/golden`. `pytest tests/fidelity` compares them on any "
        "machine."
    )
    rows = [
        [library.called, ", ".join(map(" ".join, library.about()["versions"].items())), f"`{library.convention}`"]
        for library in LIBRARIES
    ]
    yield table(["library", "run as", "convention"], rows)
    yield "### Compared values"
    yield table(["library", "metric", "values"], _compared_rows(here))
    yield "### Values left out"
    left_out = [
        [
            library.called,
            ", ".join(values.metrics) or "all",
            ", ".join(values.settings) or "all",
            ", ".join(values.problems) or values.lists,
            f"{sum(map(values.holds, library.returned())):,}",
            values.reason,
        ]
        for library in LIBRARIES
        for values in library.left_out
    ]
    yield table(["library", "metrics", "setting", "problems", "values", "why"], left_out)
    yield "### Problems that a library refused"
    refused = [(library.called, *pair) for library in LIBRARIES for pair in library.about()["refused"].items()]
    by_reason: dict[tuple[str, str], list[str]] = {}
    for library, problem, reason in refused:
        by_reason.setdefault((library, reason), []).append(problem)
    rows = [[library, ", ".join(of), reason] for (library, reason), of in by_reason.items()]
    yield table(["library", "problems", "why"], rows)


def _compared_rows(compared: dict[str, dict[str, int]]) -> Iterator[list[str]]:
    for system, metrics in compared.items():
        yield from ([system, f"`{metric}`", f"{n:,}"] for metric, n in metrics.items())
        yield [system, "in all", f"{sum(metrics.values()):,}"]


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
    groups = conventions._groups
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


def _values(groups: Sequence[ConventionGroup], spelled: Mapping[str, str]) -> str:
    def value(group: ConventionGroup) -> float:
        (number,) = group.values
        return -1.0 if number is None else number

    rows = [
        [
            _number(group.values[0]),
            ", ".join(map(_named, group.conventions)),
            ", ".join(dict.fromkeys(f"`{spelled[name]}`" for name in group.conventions)),
            "; ".join(dict.fromkeys(" and ".join(f"`{choice}`" for choice in of) for of in group.choices)),
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
