"""Polars ranks by a key of its own, and gives what its SQL gives."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.engines.polars import build_number_key, build_struct_key

# Scores of the items 10, 20, 30 and NULL, and the ranks of the first three.
SCORES = {
    "nan and null": (pl.Series([0.5, None, float("nan"), 0.25]), [1, 2, 3]),
    "minus infinity": (pl.Series([None, -(10**300), float("-inf"), None], dtype=pl.Float64), [3, 1, 2]),
    "two zeros": (pl.Series([-0.0, 0.0, -1.0, -2.0]), [1, 2, 3]),
    "unsigned": (pl.Series([0, 2**64 - 1, 2**63, 1], dtype=pl.UInt64), [3, 1, 2]),
    "signed": (pl.Series([-(2**63), 5, 2**63 - 1, 0], dtype=pl.Int64), [3, 2, 1]),
    "decimal": (pl.Series([Decimal("1.10"), Decimal("1.09"), Decimal("1.11"), None]), [2, 3, 1]),
}


@pytest.mark.parametrize("ids", [pl.Int64, pl.UInt64, pl.Int128, pl.String], ids=str)
def test_polars_ranks_scores_and_ids_of_any_type(ids: Any) -> None:
    for name, (scores, ranks) in SCORES.items():
        of_one = pl.DataFrame({"item": [10, 20, 30, None], "score": scores}).cast({"item": ids})
        recs = pl.concat(of_one.with_columns(user=pl.lit(user)) for user in range(3))
        truth = pl.DataFrame({"user": range(3), "item": [10, 20, 30]}).cast({"item": ids, "user": pl.Int32})
        found = rm.evaluate(recs, truth, ["rr", "hit@2"], by="user").summary().collect()
        assert found["rr"].to_list() == [1 / rank for rank in ranks], name
        assert found["hit@2"].to_list() == [rank <= 2 for rank in ranks], name


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
