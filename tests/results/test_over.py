"""Means and deviations over seeds of the means over lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm

import rankmetrics as rm
from tests.support.engines import LOCAL, OTHERS, SPARK, Engine, need
from tests.support.refusals import refusal

CATALOG = pl.DataFrame({"item": [1, 2, 3, 4, 5]})
TRUTH = pl.DataFrame({"user": [*range(1, 9)], "item": [1, 2, 3, 4, 1, 2, 3, 4]})


def recommendations() -> pl.DataFrame:
    """Two systems, four seeds and seven of eight users: the last one has no recommendations."""
    random = np.random.default_rng(3)
    keys = [(arm, seed, user) for arm in "ab" for seed in range(4) for user in range(1, 8)]
    rows = [(*key, int(item), rank) for key in keys for rank, item in enumerate(random.permutation(4)[:2] + 1, start=1)]
    return pl.DataFrame(rows, schema=["arm", "seed", "user", "item", "rank"], orient="row")


RECS = recommendations()


@pytest.fixture(
    params=[*LOCAL, *(pytest.param(other, marks=[pytest.mark.long] * (other is SPARK)) for other in OTHERS)], ids=repr
)
def engine(request: pytest.FixtureRequest) -> Engine:
    need(request.param)
    engine: Engine = request.param
    return engine


def evaluate(engine: Engine, metrics: list[str], **options: Any) -> rm.Result:
    inputs = (engine.give(frame) for frame in (RECS, TRUTH, CATALOG))
    recs, truth, catalog = inputs
    return rm.evaluate(recs, truth, metrics, catalog=catalog, **options, **engine.options)


def test_the_mean_over_seeds_is_that_of_the_means_over_lists(engine: Engine) -> None:
    metrics = ["hit@1", "ndcg@2", "coverage@2"]
    has_deviation = engine.name != "sqlite"
    aggregates = "mean" if has_deviation else ["mean", "minimum"]
    result = evaluate(engine, metrics, over="seed", aggregates=aggregates)
    of_seeds = evaluate(engine, metrics, by=["arm", "seed"]).collect().group_by("arm")
    name = "std" if has_deviation else "minimum"
    spread = [(pl.col(m).std() if has_deviation else pl.col(m).min()).alias(f"{m} {name} over seed") for m in metrics]
    expected = of_seeds.agg(pl.col(*metrics).mean(), pl.col("n_lists", "n_missing").sum(), *spread).sort("arm")
    frame = result.collect().sort("arm")
    assert frame["n_seed"].to_list() == [4, 4]
    for column in expected.columns[1:]:
        assert frame[column].to_list() == pytest.approx(expected[column].to_list(), rel=1e-12), column
    lazy = engine.read(result.summary()).sort("arm")
    assert lazy.columns == [name for name in frame.columns if name != "n_missing"]
    assert lazy["hit@1"].to_list() == pytest.approx(frame["hit@1"].to_list(), rel=1e-12)


def test_a_deviation_over_lists_has_another_name_than_one_over_seeds() -> None:
    over_lists = rm.evaluate(RECS, TRUTH, "hit@1", by="arm", aggregates=["mean", "std"]).collect()
    over_seeds = rm.evaluate(RECS, TRUTH, "hit@1", over="seed").collect()
    assert "hit@1 std" in over_lists.columns
    assert "hit@1 std over seed" in over_seeds.columns
    assert over_lists["hit@1 std"].to_list() != over_seeds["hit@1 std over seed"].to_list()


def test_seeds_in_the_means_are_no_doubt_and_print(recwarn: pytest.WarningsRecorder) -> None:
    printed = repr(rm.evaluate(RECS, TRUTH, "hit@1", over="seed"))
    assert "hit@1 std over seed" in printed
    assert "averaged for each list of the truth" not in printed
    assert not recwarn.list


def test_systems_are_compared_by_list_and_seed_with_two_way_clusters() -> None:
    result = rm.evaluate(RECS, TRUTH, "ndcg@2", over="seed")
    (row,) = result.compare("a").collect().to_dicts()
    wide = result.per_list().collect().pivot("arm", index=["user", "seed"], values="ndcg@2")
    groups = wide.select("user", "seed").to_numpy()
    fitted = sm.OLS((wide["b"] - wide["a"]).to_numpy(), np.ones(wide.height)).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    numbers = [row[name] for name in ("difference", "p_t", "ci_low", "ci_high")]
    assert numbers == pytest.approx([fitted.params[0], fitted.pvalues[0], *fitted.conf_int()[0]], abs=1e-9)
    assert "lists of the same user and of the same seed are not independent" in " ".join(result.compare("a").notes())
    assert result.compare("a", by="seed").collect().height == 4


def test_what_does_not_go_with_over_is_refused() -> None:
    with refusal(rm.ColumnError, "over names 'sed', and lists are identified by", "Did you mean 'seed'?"):
        rm.evaluate(RECS, TRUTH, "hit@1", over="sed")
    with refusal(rm.ColumnError, 'over="seed" takes means over', "by keeps it apart"):
        rm.evaluate(RECS, TRUTH, "hit@1", over="seed", by=["arm", "seed"])
    with refusal(rm.ColumnError, "totals do not go together", "rollup="):
        rm.evaluate(RECS, TRUTH, "hit@1", over="seed", rollup=True)
    with refusal(rm.MetricError, "ci is an interval by the normal distribution", "n_seed"):
        rm.evaluate(RECS, TRUTH, "hit@1", over="seed", aggregates="ci")
    result = rm.evaluate(RECS, TRUTH, "hit@1", over="seed")
    with refusal(rm.InputError, "Wilcoxon's signed-rank test has no form for lists and values of 'seed'"):
        result.compare("a", tests="wilcoxon")
    with refusal(rm.InputError, "takes means over rows"):
        result.to_sql("snowflake", form="ddl", name="board")
    assert "STD_OVER_SEED" in result.to_sql("snowflake")
