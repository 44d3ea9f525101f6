"""Arguments in the wrong order or of the wrong kind end in an error that says what to write."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import RankMetricsError, RankMetricsWarning
from tests.support.refusals import refusal

RECS = pl.LazyFrame({"user": [1, 1, 2, 2], "item": ["a", "b", "a", "c"], "score": [1.0, 0.5, 2.0, 1.0]})
TRUTH = pl.LazyFrame({"user": [1, 2], "item": ["a", "c"]})
WRONG: tuple[Any, ...] = (None, 3, ["ndcg@10"], {"a": 1}, RECS)

# The public functions with their number of arguments without a default.
FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "check_arms": (rm.check_arms, 1),
    "compare_conventions": (rm.compare_conventions, 3),
    "compare_files": (rm.compare_files, 2),
    "define": (rm.define, 1),
    "define_folder": (rm.define_folder, 1),
    "evaluate": (rm.evaluate, 2),
    "explain": (rm.explain, 1),
    "parse": (rm.parse, 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_arguments_end_in_an_error_of_ours(name: str) -> None:
    function, n_arguments = FUNCTIONS[name]
    for arguments in product(WRONG, repeat=n_arguments):
        try:
            function(*arguments)
        except RankMetricsError:
            continue


def test_conventions_in_another_order_of_arguments_are_refused() -> None:
    for metric in (RECS, ["ndcg@10"]):
        with refusal(rm.InputError, "metric is a str or Metric", "compare_conventions('ndcg@10', recs, truth)"):
            rm.compare_conventions(metric, RECS, TRUTH)  # type: ignore[arg-type]


def test_removing_unjudged_items_warns_where_all_judged_items_are_relevant() -> None:
    with pytest.warns(RankMetricsWarning, match="only hits stay in the lists"):
        rm.evaluate(RECS, TRUTH, "rr", unjudged="removed").collect()
