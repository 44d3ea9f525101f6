"""Fixtures of the tests of reports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rankmetrics.reports import report as reports


@pytest.fixture(scope="module")
def without_charts() -> Iterator[None]:
    """Draw nothing: each chart takes a second, and most tests read the text of a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reports, "figure", lambda _draw, caption: reports.chart("<svg></svg>", caption))
        yield
