"""Every pass, in the order that they are applied in."""

from __future__ import annotations

from rankmetrics.planner.passes import (
    count_by_item,
    hit_histogram,
    pass_through,
    rank_by_sorting,
    repeats_by_sorting,
    shared_groups,
)
from rankmetrics.planner.passes.base import Pass, QueryPass, StagesPass

STAGES_PASSES: tuple[StagesPass, ...] = (shared_groups.PASS, pass_through.PASS)
QUERY_PASSES: tuple[QueryPass, ...] = (count_by_item.PASS, rank_by_sorting.PASS, repeats_by_sorting.PASS)
PASSES: tuple[Pass, ...] = (hit_histogram.PASS, *STAGES_PASSES, *QUERY_PASSES)
