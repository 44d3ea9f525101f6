"""Fixtures of all tests."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import settings

from rankmetrics.errors import WARNED
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner import planning

pytest.register_assert_rewrite("tests.support")  # so that an assertion there shows its values, as in a test

from tests.support import partitions  # noqa: E402
from tests.support.engines import EVERY, LOCAL, Engine, need  # noqa: E402
from tests.support.refusals import Asking  # noqa: E402

# For the tests that do not say themselves how much is drawn (tests.support.drawing): a busy machine may take its time.
settings.register_profile("tests", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("tests")


def pytest_collection_finish() -> None:
    """Keep the garbage collector from what was imported: to search it takes a tenth of the time of the tests."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


def pytest_sessionfinish() -> None:
    """Let Python free everything when it ends: DuckDB prints a line for each object that was not."""
    gc.unfreeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of Spark first: two workers start with half of the tests each, so only one of them starts a JVM."""
    items.sort(key=lambda item: not _needs_spark(item))


def _needs_spark(item: pytest.Item) -> bool:
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return "spark" in item.path.stem or any(isinstance(value, Engine) and value.name == "spark" for value in values)


@pytest.fixture(autouse=True)
def own_warnings() -> None:
    """Warn of each doubt again in each test."""
    WARNED.clear()


@pytest.fixture(autouse=True)
def own_catalogue() -> Iterator[None]:
    """Leave no metric of a test to those after it, nor a plan: plans are kept by how many metrics were defined."""
    yield
    if catalog().edition:
        catalog.cache_clear()
        planning._kept.clear()


@pytest.fixture
def engine() -> Engine:
    """One engine: random problems compare the engines. A test for both of them is marked `each_engine`."""
    return LOCAL[1]


@pytest.fixture(params=EVERY)
def any_engine(request: pytest.FixtureRequest) -> Engine:
    """One test body over all engines and databases that this machine has."""
    need(request.param)
    found: Engine = request.param
    return found


@pytest.fixture
def ask(engine: Engine) -> Asking:
    return Asking(engine)


@pytest.fixture
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB that stands for a warehouse, with the inputs of two partitions as tables."""
    with duckdb.connect() as connection:
        for name, frame in partitions.INPUTS.items():
            connection.from_arrow(frame.to_arrow()).create(name)
        connection.execute("CREATE SCHEMA db")
        yield connection
