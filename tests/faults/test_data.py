"""Data whose numbers would mislead is refused by whatever computes it, and by nothing lazy."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine, means
from tests.support.misleading import ASKING, BROKEN, FIVE, FIVE_TRUE, LONG, LONG_TRUE, MANY, Broken
from tests.support.refusals import Asking


@pytest.fixture(params=list(BROKEN))
def broken(request: pytest.FixtureRequest) -> Broken:
    return BROKEN[request.param]


def test_data_whose_numbers_would_mislead_is_refused_however_it_is_asked(
    engine: Engine, broken: Broken, tmp_path: Path
) -> None:
    recs, truth, asked, parts = broken
    result = rm.evaluate(engine.give(recs), engine.give(truth), "recall@2", **asked)
    for how in ASKING.values():
        with pytest.raises(rm.RankMetricsError) as caught:
            how(result, tmp_path / "summary.csv")
        assert type(caught.value) is rm.DataError
        assert not [part for part in parts if not re.search(part, str(caught.value))], str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["an infinite rating", "recommendations repeated", "truth repeated"])
def test_what_is_refused_is_shown_by_samples(engine: Engine, name: str) -> None:
    recs, truth, asked, _ = BROKEN[name]
    with pytest.raises(rm.DataError, match="such as"):
        rm.evaluate(engine.give(recs), engine.give(truth), "recall@2", **asked).check()


def test_the_lazy_results_of_such_data_raise_nothing(engine: Engine, broken: Broken) -> None:
    recs, truth, asked, _ = broken
    result = rm.evaluate(engine.give(recs), engine.give(truth), "recall@2", **asked)
    for lazy in (result.summary(), result.per_list(), result.account()):
        assert isinstance(lazy, (pl.LazyFrame, duckdb.DuckDBPyRelation))
        assert isinstance(engine.read(lazy), pl.DataFrame)


def test_lazy_results_run_nothing(ask: Asking) -> None:
    result = ask(FIVE, FIVE_TRUE.with_columns(user=pl.col("user") + 100), ["ndcg@5", "recall@5"])
    for lazy in (result.summary(), result.per_list(), result.account()):
        assert isinstance(lazy, (pl.LazyFrame, duckdb.DuckDBPyRelation))
    assert "SELECT" in result.to_sql()
    assert "ndcg@5" in result.explain()


def test_one_percent_of_the_lists_in_common_is_enough(engine: Engine) -> None:
    truth = MANY.drop("rank").with_columns(user=pl.col("user") + 198)
    result = rm.evaluate(engine.give(MANY), engine.give(truth), "hit@1")
    assert means(result).to_dicts() == [{"n_lists": 200, "hit@1": 2 / 200}]


def test_a_hundredth_is_of_the_side_that_has_fewer_lists(engine: Engine) -> None:
    result = rm.evaluate(engine.give(MANY), engine.give(MANY[:1].drop("rank")), "hit@1")
    assert means(result).to_dicts() == [{"n_lists": 1, "hit@1": 1.0}]


def test_items_in_common_beyond_the_cutoff_are_in_common(engine: Engine) -> None:
    result = rm.evaluate(engine.give(LONG), engine.give(LONG_TRUE[-5:]), "recall@1")
    assert means(result).to_dicts() == [{"n_lists": 5, "recall@1": 0.0}]


def test_gaps_between_ranks_are_no_repeats(engine: Engine) -> None:
    recs = LONG.with_columns(rank=pl.col("rank").replace({2: 4, 3: 9}))
    assert rm.evaluate(engine.give(recs), engine.give(LONG_TRUE), "recall@4").collect()["recall@4"].item() == 2 / 3
