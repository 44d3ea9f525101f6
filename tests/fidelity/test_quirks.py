"""What users of a library do not know: the pages and rankmetrics return what the library returned."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.libraries import LIBRARIES
from tests.fidelity.library import Library, data
from tests.fidelity.tables import GOLDEN
from tests.fidelity.test_migrating import FOLDER
from tests.support.engines import Engine

# A row of such a table: a sentence, the call, the number or the name of the error.
ROW = re.compile(r"^\| [^|]+ \| `([^`|]+)` \| ([^|]+) \|$", re.MULTILINE)

WITH_QUIRKS = [library for library in LIBRARIES if "quirks" in library.about()]


@pytest.mark.parametrize("library", WITH_QUIRKS, ids=repr)
def test_a_page_shows_what_the_library_returned_for_each_call(library: Library) -> None:
    text = (FOLDER / f"{library.convention}.md").read_text(encoding="utf-8")
    section = text.partition("## What its users do not know\n")[2].partition("\n## ")[0]
    assert dict(ROW.findall(section)) == library.about()["quirks"]


def test_some_libraries_have_such_a_page() -> None:
    assert WITH_QUIRKS


CONVENTIONS = {"pytrec_eval": "trec_eval", "ir_measures": "ir_measures"}


def quirks() -> Iterator[Any]:
    """Each quirk with the convention of its library."""
    for library, convention in CONVENTIONS.items():
        for quirk in json.loads((GOLDEN / f"{library}_quirks.json").read_text(encoding="utf-8")):
            name = f"{convention}-{quirk['measure']}-{len(quirk['run'])}-{quirk['value']:.3f}"
            yield pytest.param(convention, quirk, id=name)


@pytest.mark.parametrize(("convention", "quirk"), [*quirks()])
def test_a_surprise_of_a_library_is_one_here_too(convention: str, quirk: dict[str, Any], engine: Engine) -> None:
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give  # rows of an Arrow table have an order
    run = pl.DataFrame([("1", *pair) for pair in quirk["run"].items()], schema=["query", "item", "score"], orient="row")
    qrels = pl.DataFrame(
        [("1", *pair) for pair in quirk["qrels"].items()], schema=["query", "item", "rating"], orient="row"
    )
    result = rm.evaluate(give(run), give(qrels), quirk["call"], convention=convention)
    ((*_, value),) = engine.read(result.per_list()).rows()
    assert abs(value - quirk["value"]) <= 1e-9


def test_a_debiased_metric_is_the_metric_of_the_interactions_that_are_left(engine: Engine) -> None:
    document = json.loads((GOLDEN / "rectools_debiased.json").read_text(encoding="utf-8"))
    recs, truth = (data(name).filter(problem=document["problem"]) for name in ("recs", "truth"))
    left = pl.DataFrame(document["left"], schema=["user", "item"], orient="row")
    assert 0 < len(left) < len(truth)
    result = rm.evaluate(
        engine.give(recs.select("user", "item", "rank")),
        engine.give(left),
        [f"{name}@{document['k']}" for name in document["means"]],
        catalog=engine.give(data("catalog")),
        convention="rectools",
    )
    (row,) = engine.read(result.summary()).to_dicts()
    means = {name: row[f"{name}@{document['k']}"] for name in document["means"]}
    assert means == pytest.approx(document["means"], abs=1e-9)
