"""Every engine computes the same sums, and those of a second implementation in plain Python."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.comparisons.problems import values_per_list
from tests.support.drawing import examples
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


# --- in plain Python --------------------------------------------------------------------------------------------------


def _differences(rows: list[tuple[str, int, float | None]]) -> dict[int, float | None]:
    """The difference of b and a of each user that both have."""
    values = {(system, user): value for system, user, value in rows}
    found: dict[int, float | None] = {}
    for user in {user for _, user, _ in rows if ("a", user) in values and ("b", user) in values}:
        first, second = values["a", user], values["b", user]
        found[user] = None if first is None or second is None else second - first
    return found


def _rank_sums(known: list[float]) -> tuple[float, float, float]:
    """The ranks of positive differences in sum, those of negative ones, and the sum of t³ - t over ties."""
    order = sorted(map(abs, known))
    rank_of = {
        one: sum(place for place, other in enumerate(order, 1) if other == one) / order.count(one) for one in order
    }
    higher = sum(rank_of[one] for one in known if one > 0)
    lower = sum(rank_of[-one] for one in known if one < 0)
    return higher, lower, sum(n**3 - n for size, n in Counter(order).items() if size)


def _randomized(differences: Mapping[int, float], replicate: int) -> float:
    """The sum of the differences whose signs follow from hashes."""
    block, place = divmod(replicate - 1, 120)
    total = 0.0
    for user, difference in differences.items():
        digest = hashlib.md5(f"0:{block + 1}:{user}".encode()).hexdigest()
        is_set = int(digest[place // 4], 16) >> (place % 4) & 1
        total += difference if is_set else -difference
    return total


@examples(60, shrunk=True)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from("ab"), st.integers(0, 12), st.one_of(st.none(), st.integers(0, 8).map(lambda n: n / 8))
        ),
        min_size=2,
        max_size=26,
        unique_by=lambda row: row[:2],
    )
)
def test_random_values_have_the_sums_of_plain_python(rows: list[tuple[str, int, float | None]]) -> None:
    both = _differences(rows)
    if not both:
        return
    known = {user: one for user, one in both.items() if one is not None}
    frame = pl.DataFrame(rows, schema={"system": pl.String, "user": pl.Int64, "rr": pl.Float64}, orient="row")
    found = rm.compare_files(frame[:1], frame[1:], baseline="a", replicates=130)
    (row,) = found.collect().to_dicts()
    assert (row["n_lists"], row["n_undefined"]) == (len(known), len(both) - len(known))
    signs = [(one > 0) - (one < 0) for one in known.values()]
    assert (row["wins"], row["ties"], row["losses"]) == (signs.count(1), signs.count(0), signs.count(-1))
    if not known:
        return
    (sums,) = found.plan.collect("signed_rank_sums").to_dicts()
    assert [sums[name] for name in ("rank_sum_higher", "rank_sum_lower", "tied")] == pytest.approx(
        _rank_sums([*known.values()])
    )
    totals = dict(found.plan.collect("randomized_sums").select("replicate", "total").rows())
    for replicate in (1, 2, 63, 120, 121, 130):
        assert totals[replicate] == pytest.approx(_randomized(known, replicate), abs=1e-12)


def test_weights_of_the_bootstrap_are_poisson() -> None:
    values = values_per_list(n_users=400, systems=("a", "b"))
    weights = rm.compare_files(values[:9], values[9:], replicates=80).plan.collect("weights")["weight"].to_list()
    counts: dict[float, float] = defaultdict(float, Counter(weights))
    counts[0] = 400 * 80 - len(weights)
    for weight, wanted in enumerate((0.3679, 0.3679, 0.1839, 0.0613, 0.0153)):
        assert counts[weight] / (400 * 80) == pytest.approx(wanted, abs=0.012)
    assert sum(weights) / (400 * 80) == pytest.approx(1, abs=0.02)
