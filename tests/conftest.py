"""What the tests share: every engine under one name, and where the reference numbers of other systems lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

# Numbers that other systems returned, beside the checkout; they may not be redistributed, so they are not in it.
SHARED = Path(__file__).parents[2] / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the reference numbers of other systems are not here: {SHARED} is no folder"
)


@dataclass(frozen=True)
class Engine:
    """An engine as a test sees it: how it is given a frame, and how its lazy answer is read."""

    name: str
    give: Callable[[pl.DataFrame], Any]
    read: Callable[[Any], pl.DataFrame]

    def __repr__(self) -> str:
        return self.name


_CONNECTION = duckdb.connect()


def _give_duckdb(frame: pl.DataFrame) -> Any:
    return _CONNECTION.from_arrow(frame.to_arrow())


def _read_duckdb(relation: Any) -> pl.DataFrame:
    frame: pl.DataFrame = relation.pl()
    return frame


ENGINES = (
    Engine("duckdb", _give_duckdb, _read_duckdb),
    Engine("polars", lambda frame: frame.lazy(), lambda lazy: lazy.collect()),
)


@pytest.fixture(params=ENGINES, ids=repr)
def engine(request: pytest.FixtureRequest) -> Engine:
    """One test body over all engines."""
    found: Engine = request.param
    return found
