"""Fixtures of the tests of reports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rankmetrics.reports import sections


@pytest.fixture(scope="module")
def without_charts() -> Iterator[None]:
    """Draw nothing: each chart takes a second, and most tests read the text of a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "figure", lambda _draw, caption: sections.chart("<svg></svg>", caption))
        yield
