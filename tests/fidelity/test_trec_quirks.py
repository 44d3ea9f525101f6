"""The surprises that the pages on trec_eval and ir_measures list: rankmetrics returns what the library returned."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine

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
