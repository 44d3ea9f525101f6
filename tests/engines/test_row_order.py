"""Ties can keep the order of the rows, where the input has an order."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.kinds import KINDS, Desk, Kind

SHUFFLED = random.Random(7).sample(range(1000), 1000)
TIED = pl.DataFrame({"user": 1, "item": SHUFFLED, "score": 0.5}, strict=False)
ASKED_PLACES = [1, 2, 500, 999, 1000]
ORDERED: dict[str, Kind] = {
    **{name: one for name, one in KINDS.items() if name != "DuckDB relation"},
    "Parquet file of many row groups": lambda desk, name, frame: _in_row_groups(desk, name, frame),
}


def _in_row_groups(desk: Desk, name: str, frame: pl.DataFrame) -> Path:
    frame.write_parquet(desk.folder / f"{name}.parquet", row_group_size=64)
    return desk.folder / f"{name}.parquet"


@pytest.fixture(params=list(ORDERED))
def ordered(request: pytest.FixtureRequest) -> Kind:
    return ORDERED[request.param]


def test_ties_can_keep_the_order_of_the_rows(desk: Desk, ordered: Kind) -> None:
    # the list of user k is judged by the one item that stands at its k-th asked place
    recs = pl.concat(TIED.with_columns(user=pl.lit(user)) for user in range(len(ASKED_PLACES)))
    truth = pl.DataFrame({"user": range(len(ASKED_PLACES)), "item": [SHUFFLED[place - 1] for place in ASKED_PLACES]})
    result = rm.evaluate(ordered(desk, "recs", recs.cast({"user": pl.Int64})), truth, "rr", ties="input", by=["user"])
    assert result.collect()["rr"].to_list() == [pytest.approx(1 / place) for place in ASKED_PLACES]


def test_rows_in_order_need_no_score(desk: Desk, ordered: Kind) -> None:
    truth = pl.DataFrame({"user": [1], "item": [SHUFFLED[499]]})
    recs = ordered(desk, "recs", TIED.drop("score").cast({"user": pl.Int64}))
    assert rm.evaluate(recs, truth, "rr", ties="input").collect()["rr"].item() == pytest.approx(1 / 500)


def test_files_are_in_the_order_in_which_they_are_named(desk: Desk) -> None:
    first, second = TIED[:500], TIED[500:]
    recs = [desk.path("z", first), desk.path("a", second)]
    truth = pl.DataFrame({"user": [1], "item": [SHUFFLED[0]]})
    assert rm.evaluate(recs, truth, "rr", ties="input").collect()["rr"].item() == 1.0


def test_higher_scores_stand_before_earlier_rows(engine: Engine, desk: Desk) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": [3, 1, 2], "score": [0.1, 0.5, 0.5]})
    truth = pl.DataFrame({"user": [1], "item": [2]})
    given = recs if engine.name == "polars" else recs.to_arrow()
    assert rm.evaluate(given, truth, "rr", ties="input").collect()["rr"].item() == 1 / 2


def test_the_order_of_rows_cannot_be_told_to_a_table(tmp_path: Path) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [8, 7], "score": [0.5, 0.5]})
    truth = pl.DataFrame({"user": [1], "item": [8]})
    recs.write_parquet(tmp_path / "recs.parquet")
    of_frames = rm.evaluate(recs, truth, "rr", ties="input")
    of_arrow = rm.evaluate(recs.to_arrow(), truth, "rr", ties="input")
    for result, dialect in ((of_frames, "snowflake"), (of_frames, "polars"), (of_arrow, "duckdb")):
        with pytest.raises(rm.DialectError, match="order of the rows"):
            result.to_sql(dialect)
    of_file = rm.evaluate(tmp_path / "recs.parquet", truth, "rr", ties="input")
    assert "ROW_NUMBER() OVER ()" in of_file.to_sql("duckdb")
