"""The layers of the package, each a sub-package or a module: each may import those before it, and itself."""

from __future__ import annotations

LAYERS = (
    "errors _files messages _logger _rounding inputs sqltree metrics manual options request dialects planner engines "
    "splits faults explanations tables queries estimates export arms comparisons segments judges plots traces results "
    "rankings api scorers reports gates suites trackers conventions identification audits cli"
).split()
