"""One table of all items that were shown: its labels are the truth, matched by every list column, on every engine."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.export.dbt import package
from tests.support import flat
from tests.support.commands import refused, run
from tests.support.drawing import examples
from tests.support.engines import EVERY, LOCAL, Engine, need, restored
from tests.support.refusals import refusal
from tests.support.twin import per_list
from tests.support.twin_inputs import Asked, Inputs

LISTS = ["session", "model", "day"]
DAY = pl.date(2024, 1, 1)
# Two models show session 1 the same items in two orders, and one of them shows session 2 two items.
SHOWN = pl.DataFrame(
    {
        "session": [1, 1, 1, 1, 1, 1, 2, 2],
        "model": ["a", "a", "a", "b", "b", "b", "a", "a"],
        "position": [1, 2, 3, 1, 2, 3, 1, 2],
        "item": [7, 8, 9, 9, 8, 7, 7, 8],
        "clicked": [0, 1, 0, 1, 0, 0, 0, 0],
        "ordered": [0, 0, 0, 1, 0, 0, 0, 0],
        "propensity": [1.0, 0.5, 0.25, 1.0, 0.5, 0.25, 1.0, 0.5],
    }
).with_columns(day=DAY)
ONE_LABEL = SHOWN.drop("ordered")
SECOND = math.log(2) / math.log(3)  # the discount of the second position
METRICS = ["ndcg@3", "recall@1", "rr"]
BY_MODEL = [pytest.approx(row) for row in (("a", 2, SECOND, 0.0, 0.5), ("b", 1, 1.0, 1.0, 1.0))]
UBI = Path(__file__).parent / "ubi_events.ndjson"


def measured(engine: Engine, frame: pl.DataFrame, metrics: Any = METRICS, **options: Any) -> list[Any]:
    """The rows of the summary by model."""
    result = rm.evaluate(engine.give(frame), metrics=metrics, by="model", **engine.options, **options)
    return sorted(engine.read(result.summary()).rows())


ALL = pl.lit(1, pl.Int64)


# --- the numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", EVERY)
def test_a_session_of_two_models_is_matched_to_its_own_labels(engine: Engine) -> None:
    need(engine)
    assert measured(engine, ONE_LABEL, label="clicked") == BY_MODEL
    both = rm.evaluate(engine.give(ONE_LABEL), metrics=METRICS, label="clicked", **engine.options)
    kept = restored(engine.read(both.summary()), {})
    assert kept.rows() == [pytest.approx((3, (SECOND + 1) / 2, 0.5, 0.75))]


@pytest.mark.parametrize("engine", EVERY)
def test_an_item_has_the_highest_gain_of_its_labels(engine: Engine) -> None:
    need(engine)
    frame = SHOWN.with_columns(clicked=pl.lit(1, pl.Int64))
    gains = {"clicked": 1, "ordered": 3}
    found = measured(engine, frame, "ndcg(gain=linear)@3", label=gains)
    ideal, third = 3 + SECOND + 0.5, (1 + SECOND + 0.5)
    assert found == [("a", 2, pytest.approx(1)), ("b", 1, pytest.approx(1))]
    reversed_order = frame.with_columns(position=4 - pl.col("position")).filter(pl.col("model") == "b")
    [(_, _, value)] = measured(engine, reversed_order, "ndcg(gain=linear)@3", label=gains)
    assert value == pytest.approx((1 + SECOND + 3 * 0.5) / ideal)
    assert third < ideal


@pytest.mark.parametrize("engine", LOCAL, ids=str)
@pytest.mark.parametrize(
    "frame",
    [
        ONE_LABEL.with_columns(pl.col("clicked") > 0),
        ONE_LABEL.with_columns(clicked=pl.col("clicked") * 2.5),
        ONE_LABEL.with_columns(score=-pl.col("position")).drop("position"),
        ONE_LABEL.group_by(LISTS).agg(shown=pl.struct("item", "position", "clicked")),
        ONE_LABEL.sort("position").group_by(LISTS, maintain_order=True).agg("item", "clicked"),
        ONE_LABEL.with_columns(relevant=pl.lit(0.5)),
    ],
    ids=["boolean", "counts", "scores", "structs", "lists", "two labels"],
)
def test_labels_and_layouts_of_all_kinds_give_the_same_numbers(engine: Engine, frame: pl.DataFrame) -> None:
    assert measured(engine, frame, label="clicked") == BY_MODEL


def test_positions_may_start_at_0_and_a_propensity_weighs_hits() -> None:
    from_0 = ONE_LABEL.with_columns(pl.col("position") - 1)
    zero = rm.evaluate(rm.Input(from_0, rank_from=0), metrics=METRICS, label="clicked", by="model")
    assert sorted(zero.summary().collect().rows()) == BY_MODEL
    weighed = rm.evaluate(ONE_LABEL, metrics="precision@3", label="clicked", by="model", weights="ips")
    assert sorted(weighed.summary().collect().rows()) == [
        ("a", 2, pytest.approx(1 / 3)),
        ("b", 1, pytest.approx(1 / 3)),
    ]
    named = ONE_LABEL.rename({"propensity": "p"})
    columns = {"propensity": "p", "item": "item"}
    same = rm.evaluate(
        rm.Input(named, columns=columns), metrics="precision@3", label="clicked", by="model", weights="ips"
    )
    assert_frame_equal(same.summary().collect(), weighed.summary().collect(), check_row_order=False)


LABELS = st.sampled_from([0, 1, 2, None])
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "user": st.integers(1, 3),
            "model": st.sampled_from(["a", "b"]),
            "item": st.integers(1, 4),
            "score": st.sampled_from([0.1, 0.2, 0.3]),
            "clicked": LABELS,
            "liked": LABELS,
        }
    ),
    min_size=1,
    max_size=12,
)
GAIN = {"clicked": 1.0, "liked": 2.5}


def labelled(row: dict[str, Any], labels: list[str]) -> float | None:
    """The rating of a row by its label, or by the gains of two."""
    known = [label for label in labels if row[label] is not None]
    if len(labels) == 1 or not known:
        return row[known[0]] if known else None
    return max([GAIN[label] for label in known if row[label] > 0], default=0.0)


@examples(40)
@given(rows=ROWS, labels=st.sampled_from([["clicked"], ["clicked", "liked"]]))
def test_every_list_is_as_the_twin_measures_it(rows: list[dict[str, Any]], labels: list[str]) -> None:
    columns = ["user", "model"]
    truth = [{**row, "rating": rating} for row in rows if (rating := labelled(row, labels)) is not None]
    inputs = Inputs(rows, truth, {"recs": columns, "truth": columns})
    metrics = ["ndcg(gain=linear)@2", "recall@2", "ap@3", "precision(rel=2)@2", "precision(unjudged=removed)@2"]
    asked = {label: Asked(metric.name, metric.k, metric.settings) for label in metrics for metric in [rm.parse(label)]}
    expected = per_list(inputs, asked)
    schema = {"user": pl.Int64, "model": pl.String, "item": pl.Int64, "score": pl.Float64}
    frame = pl.DataFrame(rows, schema={**schema, "clicked": pl.Int64, "liked": pl.Int64})
    label: Any = labels[0] if len(labels) == 1 else GAIN
    for engine in LOCAL:
        result = rm.evaluate(
            rm.Input(engine.give(frame), lists=columns), metrics=metrics, label=label, **engine.options
        )
        found = {row[:2]: dict(zip(metrics, row[2:], strict=True)) for row in engine.read(result.per_list()).rows()}
        assert found.keys() == expected.keys(), engine
        for key, values in expected.items():
            assert found[key] == pytest.approx(values), (engine, key)
        counts = dict(engine.read(result.account()).select("account", "n").rows())
        assert counts["labels_known"] == len(truth)
        ratings = {row["rating"] for row in truth}
        is_alike = len(ratings) == 1 and min(ratings) > 0
        assert (counts["labels_alike"] or 0) == (len(truth) if is_alike else 0)


# --- what is read, and what is said -----------------------------------------------------------------------------------


def test_a_select_with_joins_is_computed_once() -> None:
    connection = duckdb.connect()
    connection.register("shown", ONE_LABEL.to_arrow())
    select = "SELECT shown.* FROM shown JOIN (SELECT DISTINCT item FROM shown) AS items USING (item)"
    result = rm.evaluate(select, metrics=METRICS, label="clicked", by="model", connection=connection)
    assert sorted(result.summary().fetchall()) == BY_MODEL
    assert result.summary().sql_query().count("JOIN ( SELECT DISTINCT") == 1


def test_notes_say_what_is_measured_and_how_many_labels_are_missing() -> None:
    gaps = pl.when(pl.col("item") != 8).then("clicked")
    notes = [*rm.evaluate(ONE_LABEL.with_columns(clicked=gaps), metrics="rr", label="clicked").notes()]
    assert notes[0] == (
        "measured over the items shown, by 'clicked': nothing is known of other items, so recall, MAP and the ideal of "
        "nDCG are over what was shown"
    )
    assert notes[1].startswith("3 items without a label (NULL): unknown, and counted as not relevant")
    assert not [note for note in notes if "not used" in note]


def test_a_definition_that_counts_every_row_as_relevant_is_doubted() -> None:
    with pytest.warns(rm.RankMetricsWarning, match=r"counts every row of the truth as relevant .*'clicked' above 0"):
        rm.evaluate(ONE_LABEL, metrics="recall(relevance=any)@2", label="clicked").collect()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_text_of_every_dialect_reads_one_table(dialect: str) -> None:
    text = rm.to_sql(
        rm.Input("db.shown", columns={"rank": "position", "propensity": "p"}),
        metrics=["ndcg(gain=linear)@3", "precision@3"],
        label={"clicked": 1, "ordered": 3},
        lists=LISTS,
        by=["model"],
        dialect=dialect,
        weights="ips",
    )
    assert "db.shown, truth db.shown" in text.lower().splitlines()[0]


@pytest.mark.parametrize("form", ["query", "view", "incremental", "macro", "check"])
def test_the_text_gives_the_numbers_of_evaluate(form: str) -> None:
    connection = duckdb.connect()
    connection.register("shown", SHOWN.to_arrow())
    named = {} if form in ("query", "check") else {"name": "board"}
    of_day = {"where": {"day": "2024-01-01"}, "dates": "day", "text": "model"} if form == "incremental" else {}
    options: dict[str, Any] = {"lists": LISTS, "dialect": "duckdb", "label": "clicked", "form": form, **named, **of_day}
    recs = rm.Input("shown", columns={"rank": "position"})
    if form == "incremental":
        of_table = {**options, "form": "ddl", "where": None}
        connection.execute(rm.to_sql(recs, metrics=METRICS, by=["day", "model"], **of_table))
    text = rm.to_sql(recs, metrics=METRICS, by=["day", "model"], **options)
    if form in ("query", "check"):
        rows = connection.sql(text).fetchall()
        assert rows == [] or [row[1:] for row in rows] == BY_MODEL
        assert (form == "check") == (rows == [])
        return
    connection.execute(text)
    source = "board('shown')" if form == "macro" else "board"
    assert sorted(row[1:] for row in connection.sql(f"FROM {source}").fetchall()) == BY_MODEL


def test_the_check_and_the_guard_find_labels_that_are_all_the_same() -> None:
    connection = duckdb.connect()
    connection.register("shown", ONE_LABEL.with_columns(clicked=ALL).to_arrow())
    recs = rm.Input("shown", columns={"rank": "position"})
    options: dict[str, Any] = {"metrics": "rr", "lists": LISTS, "dialect": "duckdb", "label": "clicked"}
    faults = connection.sql(rm.to_sql(recs, form="check", **options)).fetchall()
    assert [row[:2] for row in faults] == [("labels_alike", 8)]
    with pytest.raises(duckdb.Error, match="labels_alike"):
        connection.sql(rm.to_sql(recs, guarded=True, **options)).fetchall()


def test_a_leaderboard_of_dbt_reads_one_relation(tmp_path: Path) -> None:
    (tmp_path / "leaderboards.yml").write_text(
        "adapters: [duckdb, snowflake]\nleaderboards:\n  board:\n    recs: ref('shown')\n"
        "    lists: [day, model, session]\n"
        "    label: {clicked: 1, ordered: 3}\n    columns: {rank: position}\n    metrics: ['ndcg(gain=linear)@3']\n"
        "    per_list: true\n    partition: day\n    dates: [day]\n    semantic_model: true\n"
    )
    files = package.files(tmp_path / "leaderboards.yml")
    assert "measure_board(recs=" in files["models/board.sql"]
    assert "truth=" not in files["models/board.sql"]
    assert files["macros/board.sql"].count("{{ recs }}") >= 4
    assert "board_ndcg_gain_linear_at_3" in files["models/board.yml"]


def test_events_of_user_behavior_insights_are_one_table_of_impressions() -> None:
    result = rm.evaluate(UBI, metrics=["ndcg@10", "rr"], label="clicked")
    assert result.collect().row(0)[-2:] == pytest.approx(((SECOND + 1) / 2, 0.75))
    graded = rm.evaluate(UBI, metrics="ndcg(gain=linear)@10", label={"clicked": 1, "add_to_cart": 2, "purchase": 3})
    assert graded.collect().row(0)[-1] == pytest.approx((SECOND + 1) / 2)


def test_systems_of_one_table_are_compared_by_the_columns_of_by() -> None:
    more = pl.concat([ONE_LABEL.with_columns(session=pl.col("session") + 10 * n) for n in range(5)])
    compared = rm.evaluate(more, metrics="ndcg@3", label="clicked", by=["day", "model"]).compare()
    assert compared.collect()["difference"].to_list() == pytest.approx([1 - SECOND])
    assert compared.collect()["day"].to_list() == more["day"].unique().to_list()


# --- the command line -------------------------------------------------------------------------------------------------


def test_the_command_line_measures_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    SHOWN.write_parquet("impressions.parquet")
    asked = ["-m", "ndcg@3", "--by", "day,model", "--as", "csv"]

    def out(command: str, *flags: str) -> list[str]:
        code, text, _ = run(command, "impressions.parquet", *flags)
        assert code == 0
        return text.splitlines()

    named = out("evaluate", "--shown", "--label", "clicked", *asked)
    assert named[0].startswith("day,model,n_lists")
    assert out("evaluate", "--shown", *asked) == named
    assert "truth: item = item, rating = clicked, propensity = propensity" in out("check", "--shown")
    assert out("evaluate", "--label", "clicked=1,ordered=3", "-m", "rr", "--as", "csv")[1].startswith("3,")
    compared = run("conventions", "ndcg@3", "impressions.parquet", "--label", "clicked")[1]
    assert "sklearn" in compared
    assert "--label clicked" in refused("evaluate", "impressions.parquet", "impressions.parquet", "-m", "rr")


# --- what is refused --------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[pl.DataFrame, Any, type[rm.RankMetricsError], tuple[str, ...]]] = {
    "a label that is not there": (ONE_LABEL, "click", rm.ColumnError, ("No column 'click'", "Did you mean 'clicked'?")),
    "a label of texts": (ONE_LABEL, "model", rm.ColumnError, ("'model'", "is not a number")),
    "no label": (ONE_LABEL.drop("clicked"), True, rm.ColumnError, ("Which column says what came of an item",)),
    "two booleans and no label": (
        ONE_LABEL.drop("clicked").with_columns(good=pl.lit(value=True), nice=pl.lit(value=True)),
        *(True, rm.ColumnError, ("'good' and 'nice'", 'label="good"')),
    ),
    "a boolean beside the label": (
        ONE_LABEL.with_columns(seen=pl.lit(value=True)),
        *("clicked", rm.ColumnError, ("Column 'seen' is true or false", 'label="seen"', "lists=")),
    ),
    "a time of each row": (
        ONE_LABEL.with_columns(ts=pl.datetime(2024, 1, 1, pl.col("item"))),
        *("clicked", rm.ColumnError, ("Column 'ts'", 'lists=["session", "model", "day"]')),
    ),
    "another label among the list columns": (
        ONE_LABEL.with_columns(sold=pl.col("clicked") * 2),
        *("clicked", rm.DataError, ("With 'sold' among the list columns", 'label="sold"')),
    ),
    "another label beside scores": (
        ONE_LABEL.with_columns(score=-pl.col("position"), kept=pl.col("clicked")).drop("position"),
        *("clicked", rm.DataError, ("Column 'kept' is 0 or 1, as labels are", 'label="kept"', "lists=")),
    ),
    "a category of items beside scores": (
        pl.DataFrame({"session": [n // 5 for n in range(30)], "item": [*range(5)] * 6})
        .with_columns(score=-pl.col("item"), group=pl.format("g{}", pl.col("item") % 2), clicked=pl.col("item") % 3),
        *("clicked", rm.DataError, ("'group'", 'lists=["session"]')),
    ),
    "labels that are all 1": (
        ONE_LABEL.with_columns(clicked=ALL),
        *("clicked", rm.DataError, ("All 8 labels are the same", "Does the table have all items that were shown?")),
    ),
    "labels that are 1 or NULL": (
        ONE_LABEL.with_columns(clicked=pl.when(pl.col("clicked") > 0).then(1)),
        *("clicked", rm.DataError, ("All 2 labels", "as in 6 rows", "COALESCE(clicked, 0)")),
    ),
    "labels that are all NULL": (
        ONE_LABEL.with_columns(clicked=pl.lit(None, pl.Int64)),
        *("clicked", rm.DataError, ("There is no truth: no row has a label, 'clicked'",)),
    ),
    "two items at a position": (
        ONE_LABEL.with_columns(position=pl.col("position").clip(upper_bound=2)),
        *("clicked", rm.DataError, ("ranks repeat within a list",)),
    ),
    "a gain that is missing": (SHOWN, ["clicked=1", "ordered"], rm.MetricError, ("each with its gain above 0",)),
    "a gain of 0": (SHOWN, {"clicked": 0, "ordered": 1}, rm.MetricError, ("each with its gain above 0",)),
    "a gain that is no number": (SHOWN, {"clicked": "much"}, rm.MetricError, ("each with its gain above 0",)),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_table_or_label_that_would_give_wrong_numbers_is_refused(case: str) -> None:
    frame, label, error, parts = REFUSED[case]
    with refusal(error, *parts, case=case):
        rm.evaluate(frame, metrics=METRICS, label=label).collect()


def test_a_truth_beside_a_label_is_refused() -> None:
    for options in ({"truth": ONE_LABEL}, {"truth_lists": ["session"]}):
        with refusal(rm.InputError, "leave out", "and its columns"):
            flat.evaluate(ONE_LABEL, metrics="rr", label="clicked", **options)


def test_one_table_that_is_given_twice_leads_to_its_label() -> None:
    with refusal(rm.ColumnError, "the same columns, 'position' among them", 'label="clicked"'):
        rm.evaluate(ONE_LABEL, ONE_LABEL, "rr")
    connection = duckdb.connect()
    connection.register("shown", ONE_LABEL.to_arrow())
    recs = "SELECT session, model, day, position, item FROM shown"

    def evaluated(truth: str, recs: str = recs) -> Any:
        return rm.evaluate(recs, truth, "rr", connection=connection).collect()["n_lists"].sum()

    for wrong in ("SELECT session, item, clicked FROM shown", "SELECT session, item FROM shown WHERE clicked = 1"):
        with refusal(rm.DataError, "the rows of one table", "lacks 'model' and 'day'", 'label="clicked"'):
            evaluated(wrong)
    assert evaluated("SELECT session, model, day, item, clicked FROM shown") == 3
    assert evaluated("SELECT DISTINCT session, item FROM shown WHERE clicked = 1") == 2
    assert evaluated("SELECT session, item FROM shown WHERE item > 7", f"{recs} WHERE position < 3") == 4
