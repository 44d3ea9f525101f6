"""docs/reproduction.md: the comparisons with the numbers of other libraries, counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.fidelity.libraries import LIBRARIES
from tests.fidelity.library import data
from tests.support.markdown import table
from tests.support.reproduction import EXCEPTIONS

ROOT = Path(__file__).parents[2]


def reproduction_page() -> str:
    """The comparisons with the libraries' own numbers; the counts come from the last run that compared them."""
    compared = json.loads((ROOT / "tests" / "fidelity" / "reproduced.json").read_text(encoding="utf-8"))
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
        "the values and the versions into `tests/fidelity/golden`. `pytest tests/fidelity` compares them on any "
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
