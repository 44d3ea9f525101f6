"""The sections of a report in the order of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rankmetrics.reports.blocks import LeftOut, Section
from rankmetrics.reports.facts import Facts
from rankmetrics.reports.sections.account import account
from rankmetrics.reports.sections.comparison import comparison
from rankmetrics.reports.sections.curves import curves
from rankmetrics.reports.sections.definitions import definitions
from rankmetrics.reports.sections.distributions import distributions
from rankmetrics.reports.sections.leaderboard import leaderboard
from rankmetrics.reports.sections.query import query
from rankmetrics.reports.sections.segments import segments
from rankmetrics.reports.sections.summary import summary
from rankmetrics.reports.sections.versions import versions
from rankmetrics.reports.sections.worst import worst

Writer = Callable[[Facts], Section | LeftOut]

SECTIONS: Sequence[Writer] = (
    summary,
    leaderboard,
    comparison,
    curves,
    distributions,
    segments,
    worst,
    account,
    definitions,
    query,
    versions,
)
