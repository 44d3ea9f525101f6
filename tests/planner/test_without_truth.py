"""Evaluations without a truth: the lists of the recommendations, and metrics that read no truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.cli.commands import app
from rankmetrics.errors import Option
from rankmetrics.export.dbt.package import Leaderboard, Relation, body, columns_of
from tests.support import flat, matrix
from tests.support.by_hand import about
from tests.support.commands import printed, refused
from tests.support.engines import LOCAL, Engine, every_engine, need
from tests.support.refusals import refusal

assert app  # the commands below are those of this app

RECS = pl.DataFrame(
    {
        "algorithm": [*"aaaabbb"],
        "user": [1, 1, 2, 2, 1, 1, 2],
        "item": [1, 2, 1, 3, 1, 2, 2],
        "rank": [1, 2, 1, 2, 1, 2, 1],
    }
)
CATALOG = pl.DataFrame({"item": [1, 2, 3, 4]})
HISTORY = pl.DataFrame({"user": [1, 1, 2, 3], "item": [1, 4, 4, 1]})

# Metrics that read no truth, each by what it reads: an input, or recommendations alone.
READS = {"catalog": "coverage@5", "history": "unseen@5", "baseline": "unexpectedness@5", "items": "category_entropy@5"}
READS |= {"similarity": "list_diversity@5", "recommendations": "personalization@5"}


def without_truth(engine: Engine, recs: pl.DataFrame, metrics: Any, **options: Any) -> rm.Result:
    """The metrics over some recommendations alone, as an engine has them; frames among the options are inputs."""
    given = {name: engine.give(each) if isinstance(each, pl.DataFrame) else each for name, each in options.items()}
    return flat.evaluate(engine.give(recs), metrics=metrics, **given, **engine.options)


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_every_metric_is_refused_or_as_it_is_over_the_lists_of_the_recommendations(engine: Engine) -> None:
    frames = dict(matrix.world())
    truth, recs = frames.pop("truth"), frames.pop("recs")
    measured = []
    for variants in matrix.variants().values():
        try:
            without_truth(engine, recs, variants[0], **frames, missing="listed")
        except rm.RankMetricsError as error:
            assert f"{variants[0]} reads the truth, and none was given. Give truth=" in str(error)  # noqa: PT017
        else:
            measured.append(variants[0])
    assert {metric.text for metric in measured} >= {*READS.values()}
    assert not {metric.name for metric in measured} & {"ndcg", "recall", "hit", "n_relevant", "epc", "serendipity"}
    alone = without_truth(engine, recs, measured, **frames, missing="listed")
    given = {name: engine.give(frame) for name, frame in frames.items()}
    listed = flat.evaluate(engine.give(recs), engine.give(truth), measured, missing="listed", **given)
    for kind in ("summary", "per_list"):
        expected, found = (engine.read(getattr(result, kind)()) for result in (listed, alone))
        keys = [*(alone.layout.by if kind == "summary" else alone.layout.lists)]
        assert found.columns == expected.columns
        for row, other in zip(found.sort(keys).rows(), expected.sort(keys).rows(), strict=True):
            assert row == tuple(about(value) if isinstance(value, float) else value for value in other), kind


@every_engine
def test_a_summary_by_hand_with_the_account(engine: Engine) -> None:
    """a recommends 3 of 4 items, b two; half of the items that a recommends are in no history, and all but one of b."""
    need(engine)
    result = without_truth(engine, RECS, ["coverage@2", "unseen@2"], catalog=CATALOG, history=HISTORY)
    assert (result.layout.by, result.layout.truth_lists) == (("algorithm",), ("user",))
    rows = result.collect().sort("algorithm").rows()
    assert rows == [("a", 2, 0, about(0.75), about(0.75)), ("b", 2, 0, about(0.5), about(0.75))]
    counts = {row[1] for row in engine.read(result.account()).rows()}
    of_truth = {"truth_lists", "lists_without_truth", "items_unjudged", "truth_repeated", "sampled_hits"}
    assert counts >= {"lists_recommended", "recs_counted", "history_lists_met", "catalog_items"}
    assert not counts & of_truth
    assert result.notes() == ["Each of the 2 systems is averaged over 2 lists"]
    assert len(engine.read(result.per_list())) == 4


def test_lists_are_those_of_the_history_on_request() -> None:
    """User 3 has no recommendations: a missing list, for which the metric is undefined."""
    for engine in LOCAL:
        result = without_truth(engine, RECS, "unseen@2", history=HISTORY, missing="history")
        assert result.collect().rows() == [("a", 3, 1, 1, about(0.75)), ("b", 3, 1, 1, about(0.75))]


def test_a_history_until_a_day_has_the_days_of_the_recommendations() -> None:
    history = pl.concat([HISTORY.with_columns(day=pl.lit(1)), RECS.select("user", "item", day=pl.lit(2))])
    for day, unseen in ((2, 0.75), (3, 0)):
        recs = RECS.filter(algorithm="a").drop("algorithm").with_columns(day=pl.lit(day))
        for engine in LOCAL:
            result = without_truth(
                engine, recs, "unseen(divisor=list)@2", history=history, history_until="day", cold_start=True
            )
            assert result.collect().rows() == [(2, 0, about(unseen))], (engine, day)


def test_rankings_of_a_model_need_no_further_truth() -> None:
    factors, truth = (
        pl.DataFrame({"id": [1, 2, 3], "f": [[1.0], [2.0], [-1.0]]}),
        pl.DataFrame({"user": [1], "item": [2]}),
    )
    ranked = rm.rank_factors(factors, factors, truth)
    result = rm.evaluate(ranked, metrics="coverage@1", catalog=CATALOG.lazy())
    assert result.collect()["coverage@1"].to_list() == [0.5]


# --- list columns -----------------------------------------------------------------------------------------------------


def test_columns_of_users_folds_and_dates_are_shared_and_others_name_the_system() -> None:
    of_readers = RECS.rename({"user": "reader"})
    cases: list[tuple[pl.DataFrame, dict[str, Any], tuple[str, ...], tuple[str, ...]]] = [
        (RECS, {}, ("algorithm",), ("user",)),
        (RECS.drop("algorithm"), {}, (), ("user",)),
        (RECS.with_columns(fold=1), {}, ("algorithm",), ("user", "fold")),
        (RECS.with_columns(day=pl.date(2026, 1, 1)), {}, ("algorithm",), ("user", "day")),
        (RECS.with_columns(day=1), {}, ("algorithm", "day"), ("user",)),
        (RECS.with_columns(day=1), {"truth_lists": ["user", "day"]}, ("algorithm",), ("user", "day")),
        (of_readers.drop("algorithm"), {}, (), ("reader",)),
        (of_readers, {"by": ["algorithm"]}, ("algorithm",), ("reader",)),
        (of_readers, {"history": HISTORY.rename({"user": "reader"}).lazy()}, ("algorithm",), ("reader",)),
    ]
    for recs, options, by, shared in cases:
        layout = flat.evaluate(recs.lazy(), metrics="unrepeated@2", **options).layout
        assert (layout.by, layout.truth_lists) == (by, shared), options
    with refusal(rm.ColumnError, "'algorithm' and 'reader'", 'Say so: by=["algorithm"]'):
        rm.evaluate(of_readers.lazy(), metrics="unrepeated@2")


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_what_reads_the_truth_is_refused_by_its_name() -> None:
    recs, catalog = RECS.lazy(), CATALOG.lazy()
    cases: list[tuple[dict[str, Any], str]] = [
        ({"metrics": "ndcg(gain=linear)@3"}, "ndcg(gain=linear)@3 reads the truth"),
        ({"metrics": ["coverage@2", "f_beta@2"], "catalog": catalog}, "f_beta@2 reads the truth"),
        ({"metrics": "unrepeated@2", "missing": "zero"}, 'unrepeated@2: missing="zero" takes the lists of the truth'),
        ({"metrics": "unrepeated(missing=skip)@2"}, 'missing="skip" takes the lists of the truth'),
        ({"metrics": "unrepeated@2", "sample": 2, "catalog": catalog}, "A ranking among candidates reads the truth"),
        ({"metrics": "unrepeated@2", "candidates": catalog.with_columns(user=1)}, "A ranking among candidates"),
        ({"metrics": "coverage@2"}, "coverage@2 needs catalog="),
    ]
    for options, words in cases:
        with refusal(rm.InputError, words, case=options):
            flat.evaluate(recs, **options)
    result = rm.evaluate(recs, metrics="unrepeated@2")
    with refusal(rm.InputError, "max_missing reads the truth"):
        rm.gate(result, max_missing="1%")
    with refusal(rm.InputError, "A trace reads the truth"):
        result.trace(user=1, algorithm="a")
    of_history = rm.evaluate(recs, metrics="unseen@2", history=HISTORY.lazy())
    assert of_history.segments("activity").collect().height > 0
    with refusal(rm.InputError, "relevant_popularity reads the truth"):
        of_history.segments("popularity")
    with refusal(rm.InputError, "A segment of items reads the truth"):
        result.segments({"kind": CATALOG.with_columns(kind=pl.lit("x")).lazy()}).collect()


def test_metrics_in_the_place_of_the_truth_are_refused_with_the_remedy() -> None:
    for given in (["coverage@10"], "coverage@10", [rm.parse("coverage@10")]):
        with refusal(rm.InputError, "The second argument is the truth", 'write metrics=["coverage@10"]'):
            rm.evaluate(RECS.lazy(), given)
    with refusal(rm.MetricError, "No metric was asked for"):
        rm.evaluate(RECS.lazy())


def test_recommendations_are_checked_as_ever() -> None:
    broken = RECS.with_columns(rank=pl.lit(2))
    with refusal(rm.DataError, "rank"):
        rm.evaluate(broken.lazy(), metrics="unrepeated@2").collect()
    repeated = pl.concat([RECS.with_columns(user=pl.lit(user), item=pl.lit(7)) for user in range(9)]).drop("rank")
    with pytest.warns(rm.RankMetricsWarning, match="recommendations repeat an item of their list"):
        rm.evaluate(repeated.with_columns(score=pl.lit(1.0)).lazy(), metrics="unrepeated@2").collect()
    with refusal(rm.DataError, "no recommendations"):
        rm.evaluate(RECS.clear().lazy(), metrics="unrepeated@2").collect()


# --- texts, the command line and files --------------------------------------------------------------------------------


def test_a_text_for_a_warehouse_reads_no_truth() -> None:
    tables: dict[str, Any] = {
        "recs": "db.recs",
        "lists": ["algorithm", "user"],
        "catalog": "db.catalog",
        "dialect": "snowflake",
    }
    text = flat.to_sql(**tables, metrics=["coverage@10", "unrepeated@10"])
    assert "recommendations DB.RECS, catalog DB.CATALOG, a list for each" in text
    assert "truth" not in text.lower().split("select", 1)[1]
    assert 'GROUP BY "ALGORITHM"' in " ".join(text.split())
    with refusal(rm.InputError, "ndcg@10 reads the truth"):
        flat.to_sql(**tables, metrics="ndcg@10")
    assert "truth" not in rm.evaluate(RECS.lazy(), metrics="unrepeated@2").to_sql("bigquery").split("SELECT", 1)[1]


def test_commands_and_suites_take_no_truth(tmp_path: Path) -> None:
    recs, catalog = tmp_path / "recs.parquet", tmp_path / "catalog.parquet"
    RECS.write_parquet(recs)
    CATALOG.write_parquet(catalog)
    asked = (recs, "-m", "coverage@2", "--catalog", catalog)
    assert "0.7500" in printed("evaluate", *asked)
    assert "lists: algorithm, user\n" in printed("check", *asked)
    assert "COUNT(*)" in printed("sql", *asked)
    message = refused("evaluate", recs, "-m", "ndcg@2")
    assert "ndcg@2 reads the truth, and none was given. Give TRUTH: the relevant items" in message
    (tmp_path / "rankmetrics.toml").write_text(
        '[suites.shelf]\nrecs = "recs.parquet"\ncatalog = "catalog.parquet"\nmetrics = ["coverage@2"]\n'
    )
    assert "0.7500" in printed("run", "shelf", "--config", tmp_path / "rankmetrics.toml")


def test_a_leaderboard_of_dbt_needs_no_truth() -> None:
    tables = {"recs": Relation("ref('recs')"), "catalog": Relation("ref('catalog')")}
    board = Leaderboard("shelf", tables, {"metrics": ["coverage@10"], "lists": ["algorithm", "user"]})
    text = body(board, "snowflake")
    assert "{{ recs }}" in text
    assert "{{ catalog }}" in text
    assert "{{ truth }}" not in text
    assert {"algorithm", "n_lists", "coverage_at_10"} <= {column.name for column in columns_of(board)}


def test_the_option_is_called_as_the_command_line_calls_it() -> None:
    from rankmetrics.cli.flags import as_flag

    assert as_flag(Option("truth")) == "TRUTH"
