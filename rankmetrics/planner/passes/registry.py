"""Every pass, in the order that they are applied in."""

from __future__ import annotations

from rankmetrics.planner.passes import (
    count_by_item,
    drop_implied,
    filter_raw_ranks,
    hit_histogram,
    join_once,
    merge_steps,
    rank_by_sorting,
    repeats_by_sorting,
    shared_groups,
    use_keys,
)
from rankmetrics.planner.passes.base import Pass, QueryPass, StagesPass

STAGES_PASSES: tuple[StagesPass, ...] = (shared_groups.PASS,)
QUERY_PASSES: tuple[QueryPass, ...] = (
    count_by_item.PASS,
    rank_by_sorting.PASS,
    repeats_by_sorting.PASS,
    use_keys.PASS,
    merge_steps.PASS,
    join_once.PASS,
    drop_implied.PASS,
    filter_raw_ranks.PASS,
)
PASSES: tuple[Pass, ...] = (hit_histogram.PASS, *STAGES_PASSES, *QUERY_PASSES)
