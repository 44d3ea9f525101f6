"""Fixtures of the tests of faults."""

from __future__ import annotations

import pytest

from tests.support.engines import LOCAL, Engine


@pytest.fixture
def engine() -> Engine:
    """One engine: the tests of every engine compare them. A test for both of them is marked `each_engine`."""
    return LOCAL[1]
