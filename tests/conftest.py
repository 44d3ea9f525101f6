"""What the tests share: every engine under one name, and where the reference numbers of other systems lie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner import cache as planning
from tests.engines import LOCAL
from tests.engines import Engine as Engine

# Numbers that other systems returned, beside the checkout; they may not be redistributed, so they are not in it.
SHARED = Path(__file__).parents[2] / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the reference numbers of other systems are not here: {SHARED} is no folder"
)


ENGINES = LOCAL


@pytest.fixture(autouse=True)
def own_catalogue() -> Iterator[None]:
    """Leave no metric of a test to those after it, nor a plan: plans are kept by how many metrics were defined."""
    yield
    if catalog().edition:
        catalog.cache_clear()
        planning._kept.clear()


@pytest.fixture(params=ENGINES, ids=repr)
def engine(request: pytest.FixtureRequest) -> Engine:
    """One test body over all engines."""
    found: Engine = request.param
    return found
