"""Every pass, in the order in which they are applied: the query with a pass and without it returns the same."""

from __future__ import annotations

from rankmetrics.planner.passes import (
    compute_once,
    drop_implied,
    filter_raw_ranks,
    hit_histogram,
    join_once,
    merge_steps,
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
    merge_steps.PASS,
    join_once.PASS,
    drop_implied.PASS,
    filter_raw_ranks.PASS,
)
