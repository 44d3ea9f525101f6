"""Fixtures of the tests of metrics: numbers worked out by hand."""

from __future__ import annotations

import pytest

from tests.support.engines import LOCAL, Engine


@pytest.fixture
def engine() -> Engine:
    """One engine: random problems compare the engines. A test for both of them is marked `each_engine`."""
    return LOCAL[1]
