"""Every pass, in the order in which they are applied: the query with a pass and without it returns the same rows.

A pass makes a query shorter or cheaper. It is one file of this folder: a docstring with an example before and after, a
function that changes the tree of a `Query` in place, and its `PASS` with its measured gain, listed below. Then:

1. Find a query of tests/golden that it changes; without one, there is nothing to gain.
2. Add a test of the text with it and without it to tests/planner/passes/test_rewriting.py.
3. `pytest tests/planner/passes/test_each_pass_off.py -k NAME` compares results with and without the pass; it fails if
   the pass changes none of the queries.
4. `make golden`, and read the differences. If the gain is within the noise, delete the pass.

`hit_histogram` and `shared_groups` work earlier, and `planning.plan` calls them by name. What an engine or a declared
key makes cheaper in a single stage is no pass, but a variant of the stage, as `ranked.sorted.sql` is.
"""

from __future__ import annotations

from rankmetrics.planner.passes import compute_once, filter_raw_ranks, hit_histogram, shared_groups
from rankmetrics.planner.passes.base import Pass

PASSES: tuple[Pass, ...] = (
    hit_histogram.PASS,
    shared_groups.PASS,
    compute_once.PASS,
    filter_raw_ranks.PASS,
)
