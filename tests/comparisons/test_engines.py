"""Every engine computes the same sums; simulations draw what they should."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.comparisons.problems import values_per_list
from tests.support.engines import LOCAL, OTHERS, Engine, need

STEPS = ("moments", "cluster_moments", "signed_rank_sums", "randomized_sums", "bootstrap_means", "system_moments")
OPTIONS: Mapping[str, Any] = {"tests": ("t", "wilcoxon", "randomization", "bootstrap", "tukey"), "replicates": 130}


def _sums(comparison: rm.Comparison, step: str) -> pl.DataFrame:
    """The rows of a step, in order, with counts as numbers."""
    frame = comparison.plan.collect(step)
    keys = [name for name in frame.columns if re.fullmatch(r"(by|baseline|system)_\d+|metric|replicate", name)]
    return frame.select(*sorted(keys), pl.exclude(keys).cast(pl.Float64)).sort(sorted(keys))


@pytest.mark.parametrize(
    "engine",
    [LOCAL[1], *(pytest.param(one, marks=[pytest.mark.long] * (one.name == "spark")) for one in OTHERS)],
    ids=str,
)
def test_every_engine_computes_the_sums_of_duckdb(engine: Engine) -> None:
    need(engine)
    values = values_per_list(n_users=9, n_days=2)
    halves = values[:13], values[13:]
    options: dict[str, Any] = {"by": "day", "cluster": "user", "tests": "t", "replicates": 130}
    first, second = map(LOCAL[0].give, halves)
    wanted = rm.compare_files(first, second, **options)
    first, second = map(engine.give, halves)
    found = rm.compare_files(first, second, **options, **engine.options)
    for step in STEPS:
        assert_frame_equal(_sums(found, step), _sums(wanted, step), check_dtypes=False, rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("engine", OTHERS, ids=str)
def test_every_engine_compares_an_evaluation_as_duckdb_does(engine: Engine) -> None:
    need(engine)
    recs = pl.DataFrame(
        [
            (model, user, item, rank)
            for model in ("als", "knn", "pop")
            for user in range(6)
            for rank, item in enumerate(range(user % 3 + len(model), user % 3 + 9, 2), start=1)
        ]
        + [("pop", 1, 0, 9)],
        schema=["model", "user", "item", "rank"],
        orient="row",
    )
    truth = pl.DataFrame({"user": [0, 1, 2, 3, 4, 5, 6], "item": [5, 4, 9, 7, 6, 3, 1]})
    found = rm.evaluate(engine.give(recs), engine.give(truth), ["rr", "hit@2"], **engine.options).compare(**OPTIONS)
    wanted = rm.evaluate(recs.lazy(), truth.lazy(), ["rr", "hit@2"]).compare(**OPTIONS)
    rows, wanted_rows = (one.collect().to_dicts() for one in (found, wanted))
    assert len(rows) == 6
    for row, wanted_row in zip(rows, wanted_rows, strict=True):
        assert row == pytest.approx(wanted_row, abs=1e-12)


def test_random_signs_follow_from_hashes_of_the_seed_the_block_and_the_list() -> None:
    values = pl.DataFrame({"user": range(13), "rr": [user * 7 % 5 / 8 for user in range(13)]})
    comparison = rm.compare_files(values.with_columns(rr=pl.lit(0.0)), values, replicates=130, seed=3)
    totals = dict(comparison.plan.collect("randomized_sums").select("replicate", "total").rows())
    for replicate in (1, 2, 63, 120, 121, 130):
        block, place = divmod(replicate - 1, 120)
        total = 0.0
        for user, difference in values.rows():
            digest = hashlib.md5(f"3:{block + 1}:{user}".encode()).hexdigest()
            total += difference if int(digest[place // 4], 16) >> (place % 4) & 1 else -difference
        assert totals[replicate] == pytest.approx(total, abs=1e-12), replicate


def test_weights_of_the_bootstrap_are_poisson() -> None:
    values = values_per_list(n_users=400, systems=("a", "b"))
    weights = rm.compare_files(values[:9], values[9:], replicates=80).plan.collect("weights")["weight"].to_list()
    counts: dict[float, float] = defaultdict(float, Counter(weights))
    counts[0] = 400 * 80 - len(weights)
    for weight, wanted in enumerate((0.3679, 0.3679, 0.1839, 0.0613, 0.0153)):
        assert counts[weight] / (400 * 80) == pytest.approx(wanted, abs=0.012)
    assert sum(weights) / (400 * 80) == pytest.approx(1, abs=0.02)
