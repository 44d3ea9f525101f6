"""Files that the tests of the command line read."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.support.dbt_packages import example as example
from tests.support.dbt_packages import package as package


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small world: a finds 1 of 3 at rank 1 and ties on u2; b finds nothing; u3 gets nothing from either."""
    pl.DataFrame(
        {
            "algorithm": ["a", "a", "a", "a", "b"],
            "user": ["u1", "u1", "u2", "u2", "u1"],
            "item": [1, 2, 2, 1, 2],
            "score": [0.9, 0.5, 0.5, 0.5, 0.9],
        }
    ).write_csv(tmp_path / "recs.csv")
    pl.DataFrame({"user": ["u1", "u2", "u3"], "item": [1, 2, 3], "rating": [5, 2, 1]}).write_csv(tmp_path / "truth.csv")
    return tmp_path
