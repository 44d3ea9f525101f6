"""Fixtures of the tests of reports."""

from __future__ import annotations

import pytest

from tests.support.engines import LOCAL, Engine


@pytest.fixture(params=LOCAL, ids=str)
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.param
    return found
