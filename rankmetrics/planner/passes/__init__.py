"""Every pass, in the order in which they are applied: the query with a pass and without it returns the same."""

from __future__ import annotations

from rankmetrics.planner.passes import (
    compute_once,
    filter_raw_ranks,
    hit_histogram,
    shared_groups,
    sorting,
    use_keys,
)
from rankmetrics.planner.passes.base import Pass

PASSES: tuple[Pass, ...] = (
    hit_histogram.PASS,
    shared_groups.PASS,
    sorting.RANKS,
    sorting.REPEATS,
    use_keys.PASS,
    compute_once.PASS,
    filter_raw_ranks.PASS,
)
