"""Totals over the lists of several rows of the summary; means and deviations over seeds."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm

import rankmetrics as rm
from tests.support import flat
from tests.support.commands import printed
from tests.support.engines import Engine, databases_later
from tests.support.refusals import refusal

# Arm b has no recommendations on day 3; user 2 of day 1 has none of arm b.
RECS = pl.DataFrame(
    {
        "day": [1, 1, 1, 2, 2, 3],
        "arm": ["a", "a", "b", "a", "b", "a"],
        "user": [1, 2, 1, 1, 1, 1],
        "item": [7, 8, 8, 7, 9, 5],
        "rank": [1] * 6,
    }
)
TRUTH = pl.DataFrame({"day": [1, 1, 2, 3], "user": [1, 2, 1, 1], "item": [7, 8, 9, 6]})
METRICS = ["hit@1", "rr", "recall@1,5"]


def evaluate(engine: Engine, **options: Any) -> rm.Result:
    return flat.evaluate(engine.give(RECS), engine.give(TRUTH), METRICS, **options, **engine.options)


TOTALS: Any = [["day", "arm"], ["arm"], ["day"], []]


@cache
def expected_totals() -> list[tuple[Any, ...]]:
    """The rows of the summary with totals, from the values per list by Polars."""
    lists = rm.evaluate(RECS, TRUTH, METRICS, by=["day", "arm"]).per_list().collect()
    expected = []
    for columns in TOTALS:
        groups = lists.group_by(columns) if columns else lists.group_by(pl.lit(0).alias("all"))
        means = groups.agg(pl.len().alias("n_lists"), pl.col("hit@1", "rr", "recall@1", "recall@5").mean())
        rows = means.with_columns(pl.lit(None).alias(name) for name in ("day", "arm") if name not in columns)
        expected += rows.select("day", "arm", "n_lists", "hit@1", "rr", "recall@1", "recall@5").rows()
    return sorted(expected, key=str)


@databases_later
def test_a_total_is_over_the_lists_of_its_rows(any_engine: Engine) -> None:
    result = evaluate(any_engine, by=TOTALS)
    collected = result.collect().drop("n_missing")
    for frame in (any_engine.read(result.summary()), collected):
        assert sorted(frame.rows(), key=str) == expected_totals()
    assert ("b", 3) in collected.filter(pl.col("day").is_null()).select("arm", "n_lists").rows()


def test_the_worst_lists_of_a_total_are_those_of_all_its_rows(engine: Engine) -> None:
    result = evaluate(engine, by=[["day", "arm"], ["arm"], []], aggregates=["worst(0.25)", "quantile(0.5)"])
    lists = engine.read(evaluate(engine, by=["day", "arm"]).per_list())["rr", "day", "arm"]
    rows = engine.read(result.summary()).rows(named=True)
    assert len(rows) == lists.n_unique(["day", "arm"]) + 3
    for row in rows:
        of_row = [pl.col(name) == row[name] for name in ("day", "arm") if row[name] is not None]
        values = sorted(lists.filter(*of_row)["rr"].to_list())
        assert row["rr quantile(0.5)"] == pytest.approx(median(values), abs=1e-12), row
        lowest, share = values[: len(values) // 4 + 1], len(values) / 4
        total = sum(value * min(1, share - place) for place, value in enumerate(lowest))
        assert row["rr worst(0.25)"] == pytest.approx(total / share, abs=1e-12), row


def test_rollup_adds_a_total_for_each_shorter_list_of_columns() -> None:
    rows = rm.evaluate(RECS, TRUTH, METRICS, by=["day", "arm"], rollup=True).collect().select("day", "arm").rows()
    assert rows == [*((1, "a"), (1, "b"), (1, None), (2, "a"), (2, "b"), (2, None), (3, "a"), (3, None)), (None, None)]


def test_totals_are_named_and_unmarked_and_counted_once() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@1", by=[["day", "arm"], []])
    plain = rm.evaluate(RECS, TRUTH, "hit@1", by=["day", "arm"])
    assert result.notes() == plain.notes()
    *_, last = [line for line in result.to_text("markdown").splitlines() if line]
    assert last == "| (all) | (all) | 7 | 1 | 0.4286 |"
    table = result._tables()[0]
    assert [bool(row[-1].mark) for row in table.rows] == [bool(row[-1].mark) for row in plain._tables()[0].rows] + [
        False
    ]
    assert result.compare("a").collect().equals(plain.compare("a").collect())


def test_the_report_and_the_command_line_show_totals(tmp_path: Path) -> None:
    RECS.write_csv(tmp_path / "recs.csv")
    TRUTH.write_csv(tmp_path / "truth.csv")
    files = (tmp_path / "recs.csv", tmp_path / "truth.csv", "-m", "hit@1", "--by", "day", "--by", "arm", "--rollup")
    assert "(all)" in printed("evaluate", *files)
    rm.report(rm.evaluate(RECS, TRUTH, "hit@1", by=["day", "arm"], rollup=True), tmp_path / "report.html")
    assert "(all)" in (tmp_path / "report.html").read_text()


def test_what_has_no_totals_is_refused() -> None:
    with refusal(rm.MetricError, "coverage@1 measures a system as a whole and has no totals", 'by=["day", "arm"]'):
        rm.evaluate(RECS, TRUTH, "coverage@1", by=["day", "arm"], rollup=True, catalog=RECS.select("item")).summary()
    with refusal(rm.ColumnError, "by begins with 'arm', and a total keeps 'day'", 'by=[["arm", "day"], ...]'):
        rm.evaluate(RECS, TRUTH, "rr", by=[["arm"], ["day"]])
    with refusal(rm.ColumnError, "rollup=True adds totals to one list of columns"):
        rm.evaluate(RECS, TRUTH, "rr", by=[["day", "arm"], ["day"]], rollup=True)
    with refusal(rm.InputError, "A gate checks every row by itself, and no totals"):
        rm.gate(rm.evaluate(RECS, TRUTH, "rr", by=["day", "arm"], rollup=True), minimum={"rr": 0.1})
    tables: dict[str, Any] = {"recs": "recs", "truth": "truth", "lists": ["day", "arm", "user"], "by": ["day", "arm"]}
    with refusal(rm.InputError, "'ddl' writes rows of a partition, and totals are not"):
        flat.to_sql(
            **tables, truth_lists=["day", "user"], metrics="rr", dialect="duckdb", form="ddl", rollup=True, name="b"
        )


# --- Means and deviations over seeds of the means over lists ----------------------------------------------------------


CATALOG = pl.DataFrame({"item": [1, 2, 3, 4, 5]})
OVER_TRUTH = pl.DataFrame({"user": [*range(1, 9)], "item": [1, 2, 3, 4, 1, 2, 3, 4]})


def recommendations() -> pl.DataFrame:
    """Two systems, four seeds and seven of eight users: the last one has no recommendations."""
    random = np.random.default_rng(3)
    keys = [(arm, seed, user) for arm in "ab" for seed in range(4) for user in range(1, 8)]
    rows = [(*key, int(item), rank) for key in keys for rank, item in enumerate(random.permutation(4)[:2] + 1, start=1)]
    return pl.DataFrame(rows, schema=["arm", "seed", "user", "item", "rank"], orient="row")


OVER_RECS = recommendations()
OVER_METRICS = ["hit@1", "ndcg@2", "coverage@2"]


def evaluate_over(engine: Engine, metrics: list[str], **options: Any) -> rm.Result:
    inputs = (engine.give(frame) for frame in (OVER_RECS, OVER_TRUTH, CATALOG))
    recs, truth, catalog = inputs
    return flat.evaluate(recs, truth, metrics, catalog=catalog, **options, **engine.options)


@cache
def means_of_seeds() -> pl.DataFrame:
    """The means of each seed, by Polars."""
    return rm.evaluate(OVER_RECS, OVER_TRUTH, OVER_METRICS, by=["arm", "seed"], catalog=CATALOG).collect()


@databases_later
def test_the_mean_over_seeds_is_that_of_the_means_over_lists(any_engine: Engine) -> None:
    has_deviation = any_engine.name != "sqlite"
    aggregates = "mean" if has_deviation else ["mean", "minimum"]
    result = evaluate_over(any_engine, OVER_METRICS, over="seed", aggregates=aggregates)
    name = "std" if has_deviation else "minimum"
    spread = [
        (pl.col(m).std() if has_deviation else pl.col(m).min()).alias(f"{m} {name} over seed") for m in OVER_METRICS
    ]
    of_arms = means_of_seeds().group_by("arm")
    expected = of_arms.agg(pl.col(*OVER_METRICS).mean(), pl.col("n_lists", "n_missing").sum(), *spread).sort("arm")
    frame = result.collect().sort("arm")
    assert frame["n_seed"].to_list() == [4, 4]
    for column in expected.columns[1:]:
        assert frame[column].to_list() == pytest.approx(expected[column].to_list(), rel=1e-12), column
    lazy = any_engine.read(result.summary()).sort("arm")
    assert lazy.columns == [name for name in frame.columns if name != "n_missing"]
    assert lazy["hit@1"].to_list() == pytest.approx(frame["hit@1"].to_list(), rel=1e-12)


def test_the_worst_of_seeds_is_that_of_their_means(engine: Engine) -> None:
    asked = ["worst(0.25)", "quantile(0.75)", "minimum"]
    row = engine.read(evaluate_over(engine, ["hit@1", "coverage@2"], over="seed", aggregates=asked).summary())
    for metric in ("hit@1", "coverage@2"):  # of four seeds, a quarter is the lowest
        lowest = row[f"{metric} minimum over seed"].to_list()
        assert row[f"{metric} worst(0.25) over seed"].to_list() == pytest.approx(lowest, rel=1e-12)


def test_a_deviation_over_lists_has_another_name_than_one_over_seeds() -> None:
    over_lists = rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", by="arm", aggregates=["mean", "std"]).collect()
    over_seeds = rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", over="seed").collect()
    assert "hit@1 std" in over_lists.columns
    assert "hit@1 std over seed" in over_seeds.columns
    assert over_lists["hit@1 std"].to_list() != over_seeds["hit@1 std over seed"].to_list()


def test_seeds_in_the_means_are_no_doubt_and_print(recwarn: pytest.WarningsRecorder) -> None:
    printed = repr(rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", over="seed"))
    assert "hit@1 std over seed" in printed
    assert "averaged for each list of the truth" not in printed
    assert not recwarn.list


def test_systems_are_compared_by_list_and_seed_with_two_way_clusters() -> None:
    result = rm.evaluate(OVER_RECS, OVER_TRUTH, "ndcg@2", over="seed")
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
        rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", over="sed")
    with refusal(rm.ColumnError, 'over="seed" takes means over', "by keeps it apart"):
        rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", over="seed", by=["arm", "seed"])
    with refusal(rm.ColumnError, "totals do not go together", "rollup="):
        rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", over="seed", rollup=True)
    with refusal(rm.MetricError, "ci is the interval of a mean over lists", "n_seed"):
        rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", over="seed", aggregates="ci")
    result = rm.evaluate(OVER_RECS, OVER_TRUTH, "hit@1", over="seed")
    with refusal(rm.InputError, "Wilcoxon's signed-rank test has no form for lists and values of 'seed'"):
        result.compare("a", tests="wilcoxon")
    with refusal(rm.InputError, "takes means over rows"):
        result.to_sql("snowflake", form="ddl", name="board")
    assert "STD_OVER_SEED" in result.to_sql("snowflake")
