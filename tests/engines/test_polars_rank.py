"""Polars ranks by a key of its own, and gives what its SQL gives."""

from __future__ import annotations

from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankmetrics.engines.polars import Polars, build_number_key, build_struct_key
from rankmetrics.planner import planning
from tests.support.small_lists import asked


@pytest.mark.long
@pytest.mark.parametrize(
    ("scores", "best"),
    [
        (pl.Series([0.5, None, float("nan"), 0.25]), 10),
        (pl.Series([None, -(10**300), float("-inf"), None], dtype=pl.Float64), 20),
        (pl.Series([0.0, -0.0, -1.0, -2.0]), 10),
        (pl.Series([0, 2**64 - 1, 2**63, 1], dtype=pl.UInt64), 20),
        (pl.Series([-(2**63), 5, 2**63 - 1, 0], dtype=pl.Int64), 30),
        (pl.Series([Decimal("1.10"), Decimal("1.09"), Decimal("1.11"), None]), 30),
    ],
    ids=["nan and null", "minus infinity", "two zeros", "unsigned", "signed", "decimal"],
)
@pytest.mark.parametrize("ids", [pl.Int64, pl.UInt64, pl.Int128, pl.String])
def test_polars_ranks_by_its_own_key_as_its_sql_does(
    scores: pl.Series, best: int, ids: pl.DataType, monkeypatch: pytest.MonkeyPatch
) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1, 1], "item": [10, 20, 30, None], "score": scores})
    recs = recs.cast({"item": ids})
    each = [pl.DataFrame({"user": [1], "item": [one]}).cast({"item": ids}) for one in (10, 20, 30)]
    assert asked(recs, pl.DataFrame({"user": [1], "item": [best]}).cast({"item": ids}), ["rr"]) == [(1, 1.0)]
    short = [asked(recs, pl.concat(each), f"hit@{k}") for k in (1, 2, 3)]
    values = [asked(recs, truth, ["rr"]) for truth in each]
    monkeypatch.setattr(Polars, "rank", lambda *_: False)
    planning._kept.clear()
    assert [asked(recs, truth, ["rr"]) for truth in each] == values
    assert [asked(recs, pl.concat(each), f"hit@{k}") for k in (1, 2, 3)] == short


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.none() | st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3),
            st.none() | st.floats(width=32) | st.sampled_from([0.0, -0.0, 1e-40]),
        ),
        max_size=20,
    ),
    st.sampled_from([pl.Float32, pl.Float64]),
)
def test_one_number_ranks_as_its_parts_do(rows: list[tuple[int, int | None, float | None]], kind: pl.DataType) -> None:
    recs = pl.DataFrame(rows, schema={"user": pl.Int64, "item": pl.Int64, "score": kind}, orient="row")
    down, item = 0.0 - pl.col("score").fill_nan(None).cast(pl.Float64), pl.col("item")
    one, parts = build_number_key(down, item, is_float=True), build_struct_key(down, item)
    ranks = recs.select(item, one=one.rank("ordinal").over("user"), parts=parts.rank("ordinal").over("user"))
    found = ranks.filter(item.is_not_null())
    assert found["one"].to_list() == found["parts"].to_list()
