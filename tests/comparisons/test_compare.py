"""Comparisons of evaluations and of files: what is paired, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import rankmetrics as rm
from tests.comparisons.problems import values_per_list
from tests.support.engines import LOCAL, Engine

ENGINES = pytest.mark.parametrize("engine", LOCAL, ids=str)
DATA = Path(__file__).parents[2] / "data"

RECS = pl.DataFrame(
    {
        "model": ["als"] * 4 + ["knn"] * 3 + ["pop"] * 4,
        "user": [1, 1, 2, 3, 1, 2, 2, 1, 2, 3, 3],
        "item": [7, 8, 8, 9, 7, 7, 9, 8, 8, 8, 9],
        "rank": [1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 2],
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3, 4], "item": [7, 9, 9, 7]})


def _evaluated(engine: Engine, metrics: Any = ("hit@1", "rr"), **options: Any) -> rm.Result:
    return rm.evaluate(engine.give(RECS), engine.give(TRUTH), [*metrics], **options)


@ENGINES
def test_every_system_is_compared_with_the_baseline_on_all_lists_of_the_truth(engine: Engine) -> None:
    found = _evaluated(engine).compare("als", ["hit@1"]).collect()
    columns = ["metric", "baseline", "system", "n_lists", "baseline_mean", "system_mean", "wins", "ties", "losses"]
    assert found.select(columns).rows() == [
        ("hit@1", "als", "knn", 4, 0.5, 0.25, 0, 3, 1),
        ("hit@1", "als", "pop", 4, 0.5, 0.0, 0, 2, 2),
    ]


@ENGINES
def test_without_a_baseline_all_pairs_are_compared_in_the_order_of_their_names(engine: Engine) -> None:
    found = _evaluated(engine).compare().collect()
    pairs = [("als", "knn"), ("als", "pop"), ("knn", "pop")]
    assert found.select("metric", "baseline", "system").rows() == [
        (one, *pair) for one in ("hit@1", "rr") for pair in pairs
    ]


@ENGINES
def test_the_sample_gives_what_scipy_gives_over_its_values_per_list(engine: Engine) -> None:
    recs, truth = (engine.give(pl.read_parquet(DATA / f"{name}.parquet")) for name in ("recs", "truth"))
    result = rm.evaluate(recs, truth, ["ndcg@10"], by=["algorithm", "partition"])
    rows = result.compare("popular").collect().to_dicts()
    assert [row["partition"] for row in rows] == [1, 1, 2, 2]
    values = result.collect(per_list=True).pivot("algorithm", index=["partition", "user"], values="ndcg@10")
    for row in rows:
        of_row = values.filter(pl.col("partition") == row["partition"])
        assert row["p_t"] == pytest.approx(stats.ttest_rel(of_row[row["system"]], of_row["popular"]).pvalue, abs=1e-9)
    pooled = result.compare("popular", by=[]).collect()
    assert pooled.height == 2
    assert "partition" not in pooled.columns


@ENGINES
def test_systems_named_by_several_columns_are_written_as_one_text(engine: Engine) -> None:
    recs = RECS.with_columns(size=pl.when(pl.col("model") == "pop").then(1).otherwise(64))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), ["hit@1"], by=["model", "size"])
    baselines: list[Any] = ["als, 64", {"model": "als", "size": 64}, ("als", 64)]
    for baseline in baselines:
        found = result.compare(baseline).collect()
        assert found.select("baseline", "system").rows() == [("als, 64", "knn, 64"), ("als, 64", "pop, 1")]


@ENGINES
def test_a_baseline_of_an_integer_column_may_be_given_as_text(engine: Engine) -> None:
    recs = RECS.with_columns(model=pl.col("model").replace_strict({"als": 10, "knn": 20, "pop": 3}))
    found = rm.evaluate(engine.give(recs), engine.give(TRUTH), ["hit@1"]).compare("10").collect()
    assert found.select("baseline", "system").rows() == [(10, 3), (10, 20)]


@ENGINES
def test_list_columns_may_be_called_as_the_columns_of_the_query(engine: Engine) -> None:
    recs = RECS.rename({"model": "difference", "user": "metric"})
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH.rename({"user": "metric"})), ["hit@1"])
    assert result.compare("als").collect()["n_lists"].to_list() == [4, 4]


@ENGINES
def test_wins_are_lists_with_a_lower_value_where_lower_is_better(engine: Engine) -> None:
    tables = [pl.DataFrame({"user": [1, 2, 3], "unjudged@5": one}) for one in ([3.0, 2.0, 4.0], [1.0, 2.0, 3.0])]
    before, after = map(engine.give, tables)
    (row,) = rm.compare_files(before, after, metrics="unjudged@5").collect().to_dicts()
    assert [row[name] for name in ("difference", "wins", "ties", "losses")] == [-1.0, 2, 1, 0]


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_two_saved_files_are_compared_under_their_names(tmp_path: Path, ending: str) -> None:
    values = values_per_list()
    for name in ("als", "knn"):
        of_system = values.filter(pl.col("system") == name).drop("system")
        rm_path = tmp_path / f"{name}.{ending}"
        of_system.write_parquet(rm_path) if ending == "parquet" else of_system.write_csv(rm_path)
    found = rm.compare_files(tmp_path / f"als.{ending}", tmp_path / f"knn.{ending}").collect()
    assert found.select("metric", "baseline", "system").rows() == [
        ("ndcg@10", "als", "knn"),
        ("recall@5", "als", "knn"),
    ]
    together = rm.compare_files(values[:7], values[7:], baseline="als").collect().filter(pl.col("system") == "knn")
    assert_frame_equal(found.drop("p_t_adjusted"), together.drop("p_t_adjusted"))


def test_what_write_saves_is_compared(tmp_path: Path) -> None:
    engine = LOCAL[0]
    for model in ("als", "knn"):
        recs = engine.give(RECS.filter(pl.col("model") == model).drop("model"))
        rm.evaluate(recs, engine.give(TRUTH), ["hit@1", "rr"]).write(tmp_path / f"{model}.parquet", per_list=True)
    found = rm.compare_files(tmp_path / "als.parquet", tmp_path / "knn.parquet").collect()
    wanted = _evaluated(engine).compare("als").collect().filter(pl.col("system") == "knn")
    assert_frame_equal(found.drop("p_t_adjusted"), wanted.drop("p_t_adjusted"))


def test_a_column_may_name_the_systems_of_two_files() -> None:
    values = values_per_list().rename({"system": "algorithm"})
    first, second = (values.filter((pl.col("algorithm") == "als") == one) for one in (True, False))
    found = rm.compare_files(first, second, system="algorithm", baseline="als").collect()
    assert found["system"].unique().sort().to_list() == ["knn", "pop"]


# --- refusals ---------------------------------------------------------------------------------------------------------


REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    (
        {"baseline": "asl"},
        rm.InputError,
        "baseline is 'asl', and the systems are 'als', 'knn' and 'pop'. Did you mean 'als'",
    ),
    ({"metrics": "ndcg@10"}, rm.MetricError, "'ndcg@10' was not measured: there are 'hit@1' and 'rr'"),
    ({"tests": "z"}, rm.InputError, "tests has no 'z'"),
    ({"correction": "hol"}, rm.InputError, "correction has no 'hol': .* Did you mean 'holm'"),
    ({"confidence": 95}, rm.InputError, "confidence must be between 0 and 1, and is 95"),
    ({"replicates": 0}, rm.InputError, "replicates must be a whole number from 1"),
    ({"by": "model"}, rm.ColumnError, "by names 'model', which is none of the columns that all systems share: 'user'"),
    ({"cluster": "users"}, rm.ColumnError, "cluster names 'users'.* Did you mean 'user'"),
    ({"baseline": "als", "tests": "tukey"}, rm.InputError, "all pairs of systems: leave out baseline"),
    ({"cluster": "user", "tests": "wilcoxon"}, rm.InputError, "every list as independent: with cluster, take 't'"),
    ({"baseline": {"algorithm": "als"}}, rm.InputError, "baseline names 'algorithm', and a system is named by 'model'"),
]


@pytest.mark.parametrize(("options", "error", "message"), REFUSED, ids=str)
def test_a_comparison_that_cannot_be_meant_is_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        _evaluated(LOCAL[0]).compare(**options).collect()


def test_a_number_of_a_system_is_refused() -> None:
    result = _evaluated(LOCAL[0], ["hit@1", "personalization@2"])
    with pytest.raises(rm.MetricError, match="personalization@2 is one number for each system"):
        result.compare(metrics="personalization@2")
    assert result.compare().collect()["metric"].unique().to_list() == ["hit@1"]
    with pytest.raises(rm.MetricError, match="one number for each system"):
        _evaluated(LOCAL[0], ["personalization@2"]).compare()


def test_a_single_system_is_refused() -> None:
    engine = LOCAL[0]
    recs = engine.give(RECS.filter(pl.col("model") == "als"))
    with pytest.raises(rm.InputError, match="nothing to compare: the only system is 'als'"):
        rm.evaluate(recs, engine.give(TRUTH), ["hit@1"]).compare().collect()
    with pytest.raises(rm.InputError, match="nothing to compare: no column names a system"):
        rm.evaluate(
            engine.give(RECS.filter(pl.col("model") == "als").drop("model")), engine.give(TRUTH), ["rr"]
        ).compare()


def test_data_that_collect_refuses_is_refused() -> None:
    engine = LOCAL[0]
    with pytest.raises(rm.DataError):
        rm.evaluate(
            engine.give(RECS), engine.give(TRUTH.with_columns(pl.col("item") + 100)), ["rr"]
        ).compare().collect()


def test_tables_that_do_not_fit_are_refused() -> None:
    first = pl.DataFrame({"user": [1, 2], "ndcg@10": [0.5, 0.25]})
    with pytest.raises(rm.ColumnError, match="same list columns: a has 'user', b has 'session'"):
        rm.compare_files(first, first.rename({"user": "session"}))
    with pytest.raises(rm.MetricError, match="no metric in common: a has 'user' and 'ndcg@10'"):
        rm.compare_files(first, first.rename({"ndcg@10": "ndcg@5"}))
    with pytest.raises(rm.MetricError, match="table a has no column 'rr'"):
        rm.compare_files(first, first, metrics="rr")
    with pytest.raises(rm.ColumnError, match="no column that identifies a list"):
        rm.compare_files(first.drop("user"), first.drop("user"))
    with pytest.raises(rm.DataError, match="No list was scored for two systems"):
        rm.compare_files(first, first.with_columns(pl.col("user") + 7)).collect()


@ENGINES
def test_a_list_with_several_rows_is_refused(engine: Engine) -> None:
    once = pl.DataFrame({"user": [1, 2], "ndcg@10": [0.5, 0.25]})
    twice = engine.give(pl.concat([once, once[1:]]))
    with pytest.raises(rm.DataError, match="1 have more: user = 2, system = 'b' has 2"):
        rm.compare_files(engine.give(once), twice).collect()


@ENGINES
def test_values_that_are_no_finite_numbers_are_refused(engine: Engine) -> None:
    finite = pl.DataFrame({"user": [1, 2], "ndcg@10": [0.5, 0.25]})
    for value in (float("nan"), float("inf")):
        other = finite.with_columns(pl.Series("ndcg@10", [0.5, value]))
        with pytest.raises(rm.DataError, match="ndcg@10 has values that are no finite numbers"):
            rm.compare_files(engine.give(finite), engine.give(other)).collect()
