"""What is refused, by which error and in which words; and what is never refused, but counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.engines.paths import files
from rankmetrics.errors import names
from tests.conftest import Engine
from tests.engines import means

RECS = pl.DataFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "rank": [1, 2, 1, 2]})
TRUTH = pl.DataFrame({"user": [1, 2], "item": [8, 7]})
SCORED = RECS.drop("rank").with_columns(score=pl.lit(0.5))


@contextmanager
def refusal(error: type[rm.RankMetricsError], *parts: str) -> Iterator[None]:
    """What is run inside is refused with exactly this error, whose message has all these parts."""
    with pytest.raises(rm.RankMetricsError) as caught:
        yield
    assert type(caught.value) is error
    message = str(caught.value)
    assert not [part for part in parts if part not in message], message


def _run(_: pl.DataFrame) -> pl.DataFrame:
    raise AssertionError("the query was run")


def unread(engine: Engine, frame: pl.DataFrame) -> Any:
    """A frame as the engine takes it, which raises as soon as somebody reads a row of it."""
    given = engine.give(frame)
    if isinstance(given, pl.LazyFrame):
        return given.map_batches(_run, schema=frame.schema)
    return given.filter("error('the query was run') IS NULL")


class Asking:
    """Evaluates inputs that nobody may read; what is not said otherwise is sound."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __call__(
        self, recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, metrics: Any = "hit@1", **asked: Any
    ) -> rm.Result:
        return rm.evaluate(unread(self.engine, recs), unread(self.engine, truth), metrics, **asked)


@pytest.fixture
def ask(engine: Engine) -> Asking:
    return Asking(engine)


def test_sound_input_is_taken_and_not_read(ask: Asking, engine: Engine) -> None:
    summary = ask().summary()
    with pytest.raises((AssertionError, duckdb.Error), match="the query was run"):
        engine.read(summary)


# --- columns that are not there -------------------------------------------------------------------------------------


def test_a_named_column_that_is_missing_is_refused_with_those_that_are_there(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'itm'", "recommendations", "'user', 'item' and 'rank'", "Did you mean 'item'?"):
        ask(columns=rm.Columns(item="itm"))


def test_a_named_column_that_is_missing_in_the_truth_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'itm'", "truth", "'user' and 'item'", "Did you mean 'item'?"):
        ask(truth_columns=rm.Columns(item="itm"))


@pytest.mark.parametrize("role", ["rank", "score"])
def test_a_role_column_that_is_missing_is_refused(ask: Asking, role: str) -> None:
    with refusal(rm.ColumnError, "'ranking'", role, "'user', 'item' and 'rank'", "Did you mean 'rank'?"):
        named: dict[str, Any] = {role: "ranking"}
        ask(columns=rm.Columns(**named))


def test_a_rating_column_that_is_missing_is_refused(ask: Asking) -> None:
    truth = TRUTH.with_columns(ratings=1.0)
    with refusal(rm.ColumnError, "'rating'", "truth", "'user', 'item' and 'ratings'", "Did you mean 'ratings'?"):
        ask(truth=truth, columns=rm.Columns(rating="rating"))


@pytest.mark.parametrize("table", ["recommendations", "truth"])
def test_no_item_column_is_refused_with_the_one_that_looks_like_it(ask: Asking, table: str) -> None:
    recs, truth = (
        frame.rename({"item": "items"}) if table == name else frame
        for name, frame in (("recommendations", RECS), ("truth", TRUTH))
    )
    with refusal(rm.ColumnError, "item", table, "there were 'user'", "'items' looks like one", "rm.Columns(item="):
        ask(recs, truth)


def test_no_list_column_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "no column that identifies a list", "'item' and 'rank'"):
        ask(RECS.drop("user"))


def test_no_shared_list_column_is_refused_with_the_near_names(ask: Asking) -> None:
    with refusal(
        rm.ColumnError, "share no list column", "'user' looks like its column 'users'", 'lists={"user": "users"}'
    ):
        ask(truth=TRUTH.rename({"user": "users"}))


def test_no_shared_list_column_is_refused_where_no_name_is_near(ask: Asking) -> None:
    with refusal(rm.ColumnError, "share no list column", "no column 'user'", "the truth has 'session' instead"):
        ask(truth=TRUTH.rename({"user": "session"}))


def test_neither_rank_nor_score_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "neither a rank nor a score", "'user' and 'item'", 'score="..."', 'ties="input"'):
        ask(RECS.drop("rank"))


@pytest.mark.parametrize(
    "metric", ["ndcg(gain=linear)@5", "dcg(gain=exponential)", "precision(rel=4)@5", "err(stop=graded)@5"]
)
def test_a_metric_that_needs_ratings_is_refused_where_there_are_none(ask: Asking, metric: str) -> None:
    with refusal(rm.ColumnError, "rating", "'user' and 'item'", "rm.Columns(rating="):
        ask(metrics=metric)


# --- columns of the wrong type --------------------------------------------------------------------------------------


def test_items_of_two_types_are_refused_with_both(ask: Asking) -> None:
    truth = TRUTH.cast({"item": pl.String})
    with refusal(rm.ColumnError, "item is integer", "in the recommendations", "string", "in the truth", "Cast one"):
        ask(truth=truth)


def test_a_list_column_of_two_types_is_refused_with_both(ask: Asking) -> None:
    recs = RECS.cast({"user": pl.String})
    with refusal(rm.ColumnError, "'user' is string", "in the recommendations", "integer", "in the truth", "Cast one"):
        ask(recs)


@pytest.mark.parametrize(
    ("other", "shown"),
    [(pl.lit("2026-01-01"), "string"), (pl.lit(datetime(2026, 1, 1)), "datetime")],
)
def test_a_date_on_one_side_only_is_refused(ask: Asking, other: pl.Expr, shown: str) -> None:
    recs, truth = RECS.with_columns(day=pl.lit(date(2026, 1, 1))), TRUTH.with_columns(day=other)
    with refusal(rm.ColumnError, "'day' is date in the recommendations", f"{shown}", "in the truth", "Cast one"):
        ask(recs, truth)


@pytest.mark.parametrize(
    ("role", "value", "shown"),
    [
        ("rank", pl.lit("first"), "string"),
        ("rank", pl.lit(True), "boolean"),
        ("score", pl.lit("first"), "string"),
        ("score", pl.lit(True), "boolean"),
        ("rating", pl.lit("first"), "string"),
    ],
)
def test_a_role_that_is_no_number_is_refused(ask: Asking, role: str, value: pl.Expr, shown: str) -> None:
    recs = RECS if role == "rating" else RECS.drop("rank").with_columns(value.alias(role))
    truth = TRUTH.with_columns(value.alias(role)) if role == "rating" else TRUTH
    with refusal(rm.ColumnError, f"The {role} column '{role}'", "not a number", shown):
        ask(recs, truth)


@pytest.mark.parametrize("name", ["item", "user"])
def test_ids_that_are_floats_are_refused(ask: Asking, name: str) -> None:
    with refusal(rm.ColumnError, name, "float", "cast it to integer or string"):
        ask(RECS.cast({name: pl.Float64}), TRUTH.cast({name: pl.Float64}))


def test_a_float_column_is_not_taken_to_identify_lists(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'affinity'", "float", "lists=[...]"):
        ask(RECS.with_columns(affinity=0.5))


def test_a_nested_column_is_not_taken_to_identify_lists(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'tags'", "nested", "lists=[...]"):
        ask(RECS.with_columns(tags=pl.Series([["new"]] * 4)))


# --- columns that could be meant ------------------------------------------------------------------------------------


def test_two_columns_that_could_be_the_item_are_refused_by_name(ask: Asking) -> None:
    with refusal(rm.ColumnError, "recommendations", "item", "'item' and 'item_id'", "rm.Columns(item=", "lists=[...]"):
        ask(RECS.with_columns(item_id=pl.col("item")))


def test_two_columns_of_the_truth_that_could_be_the_item_are_refused_by_name(ask: Asking) -> None:
    with refusal(rm.ColumnError, "truth", "item", "'item' and 'movieId'", "rm.Columns(item="):
        ask(truth=TRUTH.with_columns(movieId=pl.col("item")))


def test_two_columns_that_could_be_the_score_are_refused_by_name(ask: Asking) -> None:
    with refusal(rm.ColumnError, "score", "'score' and 'prediction'", "rm.Columns(score="):
        ask(SCORED.with_columns(prediction=0.5))


# --- lists, truth_lists and by --------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{"lists": ["usr"]}, {"truth_lists": ["usr"]}])
def test_list_columns_that_are_missing_are_refused(ask: Asking, asked: dict[str, Any]) -> None:
    with refusal(rm.ColumnError, "'usr'", "recommendations", *asked, "'user'", "Did you mean 'user'?"):
        ask(**asked)


def test_by_a_column_that_identifies_no_list_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'usr'", "lists are identified by 'user'", "Did you mean 'user'?"):
        ask(by="usr")


@pytest.mark.parametrize("name", ["lists", "truth_lists", "by"])
def test_a_list_column_named_twice_is_refused(ask: Asking, name: str) -> None:
    asked: dict[str, Any] = {name: ["user", "user"]}
    with refusal(rm.ColumnError, f"{name} names 'user' more than once"):
        ask(**asked)


@pytest.mark.parametrize("role", ["item", "rank"])
def test_a_role_that_is_named_in_lists_too_is_refused(ask: Asking, role: str) -> None:
    with refusal(rm.ColumnError, f"'{role}' is named in lists", f"the {role} column"):
        named: dict[str, Any] = {role: role}
        ask(lists=["user", role], columns=rm.Columns(**named))


def test_a_truth_list_that_identifies_no_list_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'day'", "truth_lists", "identified by 'user'"):
        ask(truth=TRUTH.with_columns(day=1), lists=["user"], truth_lists=["user", "day"])


def test_no_truth_list_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "truth_lists is empty", "at least one list column"):
        ask(truth_lists=[])


@pytest.mark.parametrize("name", ["hit@1", "HIT@1"])
def test_a_list_column_that_has_the_label_of_a_metric_is_refused(ask: Asking, name: str) -> None:
    with refusal(rm.ColumnError, f"two columns called '{name}'", "rename"):
        ask(RECS.rename({"user": name}), TRUTH.rename({"user": name}))


def test_n_lists_as_a_column_of_by_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "two columns called 'n_lists'", "rename"):
        ask(RECS.with_columns(n_lists=1), by="n_lists")


# --- metrics --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "parts"),
    [
        ("ndgc@10", ("no metric 'ndgc'", "Did you mean 'ndcg'?", "rm.list_metrics()")),
        ("usefulness", ("no metric 'usefulness'", "rm.list_metrics()")),
        ("recall(rle=4)", ("recall has no parameter 'rle'", "'divisor' and 'rel'", "Did you mean 'rel'?")),
        ("ndcg(k=10)", ("no parameter 'k'", "ndcg@10")),
        (
            "ndcg(gain=liner)",
            ("gain of ndcg", "'binary', 'linear', 'positive', 'exponential' and 'excess'", "Did you mean 'linear'?"),
        ),
        ("ndcg(gain=3)", ("gain of ndcg", "'binary', 'linear', 'positive', 'exponential' and 'excess'", "3 is not")),
        ("rbp(p=1.5)", ("p of rbp", "a number above 0 below 1", "1.5 is not")),
        ("rbp(p=0)", ("p of rbp", "a number above 0 below 1", "0 is not")),
        ("rbp(p=high)", ("p of rbp", "a number above 0 below 1", "'high' is not")),
        ("f_beta(beta=-1)@5", ("beta of f_beta", "a number above 0", "-1 is not")),
        ("recall(rel=nan)", ("rel of recall", "a number", "nan is not")),
        ("ndcg(p=0.9)@10", ("p=0.9 has no effect on ndcg", "'discount=geometric'")),
        ("ndcg(discount=log2, p=0.9)@10", ("p=0.9 has no effect on ndcg", "'discount=geometric'")),
        ("err(max_rating=4)", ("max_rating=4 has no effect on err", "'stop=graded'")),
        ("ndcg@0", ("cutoff of ndcg", "a whole number from 1", "'0' is not")),
        ("ndcg@-1", ("cutoff of ndcg", "a whole number from 1", "'-1' is not")),
        ("ndcg@ten", ("cutoff of ndcg", "a whole number from 1", "'ten' is not")),
        ("ndcg@2.5", ("cutoff of ndcg", "a whole number from 1", "'2.5' is not")),
        ("ndcg@", ("cutoff of ndcg", "a whole number from 1", "'' is not")),
        ("ndcg@5,0", ("cutoff of ndcg", "a whole number from 1", "'0' is not")),
        ("n_relevant@5", ("n_relevant takes no cutoff",)),
        ("ndcg(gain)", ("'gain'", "name=value")),
        ("ndcg(gain=linear, gain=binary)", ("sets gain twice",)),
        ("nd cg", ("'nd cg' is no metric", "'ndcg(gain=linear)@5,10'")),
        ([], ("No metric was asked for", '"ndcg@10"')),
        (10, ("10 is neither", "'ndcg@10'")),
    ],
)
def test_what_is_no_metric_is_refused(ask: Asking, metric: object, parts: tuple[str, ...]) -> None:
    with refusal(rm.MetricError, *parts):
        ask(metrics=metric)


@pytest.mark.parametrize("k", [0, -1, 2.5, "ten", None, True, float("nan"), float("inf")])
def test_a_cutoff_that_is_no_whole_number_from_1_is_refused(k: Any) -> None:
    with refusal(rm.MetricError, "cutoff of ndcg", "a whole number from 1", f"{k!r} is not"):
        _ = rm.ndcg @ k


# --- policies -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("missing", "'zero', 'skip', 'listed', 'history' and 'baseline'"),
        ("ties", "'item', 'item_desc', 'input' and 'text_desc'"),
        ("duplicates", "'count' and 'error'"),
    ],
)
def test_a_policy_that_there_is_not_is_refused(ask: Asking, name: str, known: str) -> None:
    asked: dict[str, Any] = {name: "random"}
    with refusal(rm.MetricError, f"{name} must be one of {known}", "'random' is not"):
        ask(**asked)


def test_the_order_of_a_relation_cannot_break_ties() -> None:
    connection = duckdb.connect()
    recs = connection.from_arrow(SCORED.to_arrow())
    with refusal(rm.ColumnError, 'ties="input"', "DuckDB table or relation", "rank"):
        rm.evaluate(recs, TRUTH, "hit@1", ties="input")


def test_the_order_of_a_table_cannot_break_ties() -> None:
    connection = duckdb.connect()
    connection.from_arrow(SCORED.to_arrow()).create("scored")
    with refusal(rm.ColumnError, 'ties="input"', "DuckDB table or relation", "rank"):
        rm.evaluate("scored", TRUTH, "hit@1", ties="input", connection=connection)


# --- inputs that cannot be read -------------------------------------------------------------------------------------

WAYS: dict[str, Callable[..., rm.Result]] = {
    "recs": lambda value, **asked: rm.evaluate(value, TRUTH, "hit@1", **asked),
    "truth-of-duckdb": lambda value, **asked: rm.evaluate(RECS.to_arrow(), value, "hit@1", **asked),
    "truth-of-polars": lambda value, **asked: rm.evaluate(RECS.lazy(), value, "hit@1", **asked),
}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest) -> Callable[..., rm.Result]:
    """How an input comes in: as recommendations or as truth, on every engine."""
    return WAYS[request.param]


@pytest.mark.parametrize("name", ["nothing.parquet", "nothing.csv", "nothing.ndjson"])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_without_a_byte_is_refused(
    tmp_path: Path, way: Callable[..., rm.Result], name: str, kind: Callable[[Path], object]
) -> None:
    (tmp_path / name).touch()
    with refusal(rm.InputError, str(tmp_path / name), "is empty"):
        way(kind(tmp_path / name))


def test_a_file_that_is_not_what_its_name_says_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    path = tmp_path / "text.parquet"
    path.write_text("user,item\n1,2\n", encoding="utf-8")
    with refusal(rm.InputError, "cannot be read"):
        way(path)


def test_a_missing_file_is_refused_with_the_near_names(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    RECS.write_parquet(tmp_path / "recs_2026.parquet")
    with refusal(rm.InputError, f"no file {str(tmp_path / 'recs_2025.parquet')!r}", "Did you mean 'recs_2026.parquet'"):
        way(tmp_path / "recs_2025.parquet")


def test_a_missing_folder_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    with refusal(rm.InputError, "no file", "nowhere"):
        way(tmp_path / "nowhere" / "recs.parquet")


def test_one_missing_file_of_several_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    RECS.write_parquet(tmp_path / "a.parquet")
    with refusal(rm.InputError, f"no file {str(tmp_path / 'b.parquet')!r}"):
        way([tmp_path / "a.parquet", tmp_path / "b.parquet"])


@pytest.mark.parametrize("pattern", ["*.parquet", ""])
def test_a_glob_or_folder_that_finds_nothing_is_refused(
    tmp_path: Path, way: Callable[..., rm.Result], pattern: str
) -> None:
    with refusal(rm.InputError, "cannot be read", str(tmp_path)):
        way(f"{tmp_path}/{pattern}")


def test_a_path_without_a_known_ending_is_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    path = tmp_path / "recs.dat"
    path.write_text("1 2 3", encoding="utf-8")
    with refusal(rm.InputError, "Cannot tell what", str(path), ".parquet", ".csv", ".ndjson"):
        way(path)


def test_files_of_two_kinds_are_refused(tmp_path: Path, way: Callable[..., rm.Result]) -> None:
    RECS.write_parquet(tmp_path / "a.parquet")
    RECS.write_csv(tmp_path / "b.csv")
    with refusal(rm.InputError, "Cannot tell what", "a.parquet", "b.csv"):
        way([tmp_path / "a.parquet", tmp_path / "b.csv"])


def test_an_empty_text_is_no_folder() -> None:
    assert files("") is None  # evaluate must not be asked: it would look for Parquet files from the root on


def test_a_text_that_is_neither_file_nor_table_is_refused(way: Callable[..., rm.Result]) -> None:
    with refusal(rm.InputError, "'recommendations' is neither a file", "connection="):
        way("recommendations")


def test_a_table_that_the_connection_has_not_is_refused(way: Callable[..., rm.Result]) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE clicks_2026 (user INTEGER, item INTEGER, rank INTEGER)")
    with refusal(rm.InputError, "clicks_2025", "clicks_2026"):
        way("clicks_2025", connection=connection)


def test_a_closed_connection_is_refused(way: Callable[..., rm.Result]) -> None:
    connection = duckdb.connect()
    connection.close()
    with refusal(rm.InputError, "closed"):
        way("clicks", connection=connection)


@pytest.mark.parametrize("value", [10, None, [], [1, 2], [{"user": 1}]], ids=repr)
def test_a_kind_of_object_that_no_engine_knows_is_refused(way: Callable[..., rm.Result], value: object) -> None:
    with refusal(rm.InputError, f"builtins.{type(value).__name__}", "a Polars frame", "a path", "connection="):
        way(value)


def test_a_connection_that_is_none_is_refused(ask: Asking) -> None:
    with refusal(rm.InputError, "connection= must be a connection", "nothing is known of builtins.int", 'dialect="'):
        ask(connection=10)


@pytest.mark.parametrize("connection", ["shop.duckdb", "", "the shop"])
def test_a_text_that_is_no_address_of_a_database_is_refused(ask: Asking, connection: str) -> None:
    with refusal(rm.InputError, f'connection="{connection}"', "postgresql://", "sqlite:///"):
        ask(connection=connection)


def test_a_frame_without_columns_is_refused(way: Callable[..., rm.Result]) -> None:
    with refusal(rm.InputError, "column"):
        way(pl.DataFrame())


# --- the query as text ----------------------------------------------------------------------------------------------


def test_the_query_in_an_unknown_dialect_is_refused() -> None:
    with refusal(rm.DialectError, "'postgress'", names(DIALECTS), "Did you mean 'postgres'?"):
        rm.to_sql("recs", "truth", "hit@1", lists=["user"], dialect="postgress")


def test_the_query_of_a_result_in_an_unknown_dialect_is_refused(ask: Asking) -> None:
    with refusal(rm.DialectError, "'postgress'", names(DIALECTS), "Did you mean 'postgres'?"):
        ask().to_sql("postgress")


# --- metrics of one's own -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "parts"),
    [
        ("SELECT COUNT(*) AS mine FROM hits; SELECT COUNT(*) AS yours FROM hits", ("one SELECT and nothing else",)),
        ("DROP TABLE hits", ("one SELECT and nothing else",)),
        ("", ("one SELECT and nothing else",)),
        ("SELECT COUNT(*) FROM hits", ("one expression with a name", "AS name")),
        ("SELECT COUNT(*) AS mine, 1 AS yours FROM hits", ("one SELECT of one expression",)),
        ('SELECT COUNT(*) AS "my metric" FROM hits', ("letters, digits and underscores", "'my metric' is not")),
        ("SELECT COUNT(*) AS ndcg FROM hits", ("'ndcg' is a metric of rankmetrics already", "another name")),
        ("SELECT COUNT(*) AS MRR FROM hits", ("'MRR' is a metric of rankmetrics already", "another name")),
        ("SELECT COUNT(*) AS hit_Rate FROM hits", ("'hit_Rate' is a metric of rankmetrics already", "another name")),
        ("SELECT COUNT(*) AS first_hit FROM hits", ("'first_hit' is a metric of rankmetrics already",)),
        ("SELECT SUM(rnk) AS mine FROM hits", ("'mine' reads 'rnk'", "stage 'hits'", "Did you mean 'rank'?")),
        ("SELECT n_hit / 2 AS mine FROM metrics", ("'mine' reads 'n_hit'", "not in metrics", "Did you mean 'n_hits'")),
        ("SELECT COUNT(*) AS mine FROM hist", ("'mine' reads 'hist'", "neither metrics nor a stage", "'hits'")),
        ("SELECT COUNT(*) * $half AS mine FROM hits", ("'mine' reads $half",)),
        ("SELECT COUNT(*) AS mine FROM hits GROUP BY rank", ("'mine'", "FROM one stage or metrics", "WHERE")),
        ("SELECT COUNT(*) AS mine FROM hits ORDER BY 1", ("'mine'", "FROM one stage or metrics", "WHERE")),
        ("SELECT COUNT(*) AS mine FROM hits JOIN judged USING (item)", ("'mine'", "FROM one stage or metrics")),
        ("SELECT 1 AS mine", ("'mine'", "FROM one stage or metrics")),
        ("nowhere/mine.sql", ("'nowhere/mine.sql' cannot be read", "No such file")),
        (Path("nowhere/mine.sql"), ("'nowhere/mine.sql' cannot be read", "No such file")),
    ],
)
def test_what_defines_no_metric_is_refused(definition: str | Path, parts: tuple[str, ...]) -> None:
    with refusal(rm.MetricError, *parts):
        rm.define(definition)


def test_a_refused_definition_leaves_no_metric_behind() -> None:
    with refusal(rm.MetricError):
        rm.define("SELECT COUNT(*) * $half AS left_behind FROM hits")
    with refusal(rm.MetricError, "no metric 'left_behind'"):
        rm.parse("left_behind")


# --- what only the data tells ---------------------------------------------------------------------------------------

USERS = range(1, 6)
FIVE = pl.DataFrame({"user": USERS, "item": [10, 20, 30, 40, 50], "rank": [1] * 5})
FIVE_TRUE = FIVE.drop("rank")
LONG = pl.DataFrame({"user": [*USERS] * 3, "item": range(15), "rank": [1] * 5 + [2] * 5 + [3] * 5})
LONG_TRUE = LONG.drop("rank")
MANY = pl.DataFrame({"user": range(200), "item": [10] * 200, "rank": [1] * 200})
INFINITE = FIVE_TRUE.with_columns(rating=pl.Series([1.0, 2.0, float("inf"), 1.0, float("-inf")]))

OF_FIVE = r"such as [^.]*\b1, 2, 3\b"

# The recommendations, the truth, what else is asked, and what the message says.
Broken: TypeAlias = tuple[pl.DataFrame, pl.DataFrame, dict[str, Any], tuple[str, ...]]
BROKEN: dict[str, Broken] = {
    "no list in common": (
        FIVE,
        FIVE_TRUE.with_columns(user=pl.col("user") + 100),
        {},
        (
            "No list is in both the recommendations and the truth, which share user",
            r"Recommendations have 1, 2, 3; the truth has 101, 102, 103\.",
        ),
    ),
    "under 1 % of the lists in common": (
        MANY,
        MANY.drop("rank").with_columns(user=pl.col("user") + 199),
        {},
        (
            "Only 1 of 200 lists are in both the recommendations and the truth, which share user",
            r"Recommendations have 0, 1, 2; the truth has 199, 200, 201\.",
        ),
    ),
    "no item in common": (
        FIVE,
        FIVE_TRUE.with_columns(item=pl.col("item") + 1),
        {},
        (
            "No item is in both the recommendations and the truth",
            r"Recommendations have 10, 20, 30; the truth has 11, 21, 31\.",
        ),
    ),
    "ranks from 0": (
        LONG.with_columns(rank=pl.col("rank") - 1),
        LONG_TRUE,
        {},
        ("ranks of 5 lists in column 'rank' do not start at 1", OF_FIVE, r"Ranks count from 1\b"),
    ),
    "ranks from 2": (
        LONG.with_columns(rank=pl.col("rank") + 1),
        LONG_TRUE,
        {},
        ("ranks of 5 lists in column 'rank' do not start at 1", OF_FIVE, r"Ranks count from 1\b"),
    ),
    "a rank repeated": (
        LONG.with_columns(rank=pl.col("rank").clip(upper_bound=2)),
        LONG_TRUE,
        {},
        ("5 ranks in column 'rank' repeat within their list", OF_FIVE, "identified by user"),
    ),
    "a rank repeated after a gap": (
        LONG.with_columns(rank=pl.col("rank").replace({2: 7, 3: 7})),
        LONG_TRUE,
        {},
        ("5 ranks in column 'rank' repeat within their list", OF_FIVE, "identified by user"),
    ),
    "a rank repeated beyond the cutoff": (
        pl.concat([LONG, LONG.with_columns(item=pl.col("item") + 15, rank=pl.col("rank") + 2)]),
        LONG_TRUE,
        {},
        ("5 ranks in column 'rank' repeat within their list", OF_FIVE, "identified by user"),
    ),
    "a rank repeated, another left out, their number and sum right": (
        pl.DataFrame({"user": [1] * 6, "item": range(6), "rank": [1, 2, 2, 5, 5, 6]}),
        LONG_TRUE,
        {},
        ("2 ranks in column 'rank' repeat within their list", r"such as in 1\b", "identified by user"),
    ),
    "ranks repeated, their number, last, sum and sum of squares right": (
        pl.DataFrame({"user": [1] * 8, "item": range(8), "rank": [1, 1, 4, 5, 5, 6, 6, 8]}),
        LONG_TRUE,
        {},
        ("3 ranks in column 'rank' repeat within their list", r"such as in 1\b", "identified by user"),
    ),
    "a NULL rank": (
        LONG.with_columns(rank=pl.when(pl.col("rank") < 3).then("rank")),
        LONG_TRUE,
        {},
        ("5 recommendations have no rank in column 'rank'", OF_FIVE),
    ),
    "lists without any rank": (
        LONG.with_columns(rank=pl.when(pl.col("user") > 2).then("rank")),
        LONG_TRUE,
        {},
        ("6 recommendations have no rank in column 'rank'", r"such as in 1, 2\b"),
    ),
    "an infinite rating": (FIVE, INFINITE, {}, ("2 rows of the truth have an infinite rating",)),
    "no recommendations": (FIVE.clear(), FIVE_TRUE, {}, ("no recommendations", "no row")),
    "no truth": (FIVE, FIVE_TRUE.clear(), {}, ("no truth", "no row")),
    "nothing at all": (FIVE.clear(), FIVE_TRUE.clear(), {}, ("no recommendations", "no row")),
    "recommendations without an id": (
        FIVE.with_columns(user=pl.lit(None, pl.Int64)),
        FIVE_TRUE,
        {},
        ("no recommendations", "NULL id"),
    ),
    "recommendations repeated": (
        pl.concat([FIVE, FIVE.with_columns(rank=pl.lit(2, pl.Int64))]),
        FIVE_TRUE,
        {"duplicates": "error"},
        ('duplicates="error"', "5 recommendations", "0 rows of the truth"),
    ),
    "truth repeated": (
        FIVE,
        pl.concat([FIVE_TRUE, FIVE_TRUE]),
        {"duplicates": "error"},
        ('duplicates="error"', "0 recommendations", "5 rows of the truth"),
    ),
}

ASKING: dict[str, Callable[[rm.Result, Path], object]] = {
    "collect": lambda result, _: result.collect(),
    "collect per list": lambda result, _: result.collect(per_list=True),
    "check": lambda result, _: result.check(),
    "print": lambda result, _: repr(result),
    "show": lambda result, _: result._repr_html_(),
    "write": lambda result, path: result.write(path),
}


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


# --- what is never refused, but counted -----------------------------------------------------------------------------


def counted(engine: Engine, result: rm.Result) -> dict[str, int]:
    """The account by name, summed over systems, of a result that is not refused."""
    result.check()
    found: dict[str, int] = {}
    for row in engine.read(result.account()).to_dicts():
        found[row["account"]] = found.get(row["account"], 0) + row["n"]
    return found


def with_row(frame: pl.DataFrame, **row: object) -> pl.DataFrame:
    return pl.concat([frame, pl.DataFrame(row, schema=frame.schema)])


def test_the_account_has_the_columns_of_by_the_name_and_the_count(engine: Engine) -> None:
    recs = pl.concat(RECS.with_columns(algorithm=pl.lit(name), day=1) for name in ("a", "b"))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@1", by=["day", "algorithm"])
    account = engine.read(result.account())
    assert account.columns == ["day", "algorithm", "account", "n"]
    of_systems = account.filter(pl.col("account") == "lists_scored").drop("account").sort("algorithm")
    assert of_systems.rows() == [(1, "a", 2), (1, "b", 2)]
    of_truth = account.filter(pl.col("account") == "truth_lists").drop("account")
    assert of_truth.rows() == [(None, None, 2)]


def test_the_account_of_one_system_has_a_name_and_a_count(engine: Engine) -> None:
    account = engine.read(rm.evaluate(engine.give(RECS), engine.give(TRUTH), "hit@1").account())
    assert account.columns == ["account", "n"]


@pytest.mark.parametrize(
    ("row", "n"),
    [({"user": [None], "item": [7], "rank": [3]}, 1), ({"user": [2], "item": [None], "rank": [3]}, 1)],
    ids=["list", "item"],
)
def test_recommendations_with_a_null_id_are_left_out_and_counted(engine: Engine, row: dict[str, Any], n: int) -> None:
    result = rm.evaluate(engine.give(with_row(RECS, **row)), engine.give(TRUTH), ["hit@2", "n_recommended"])
    assert counted(engine, result)["recs_with_null_id"] == n
    assert means(result).to_dicts() == [{"n_lists": 2, "hit@2": 1.0, "n_recommended": 2.0}]


def test_recommendations_with_a_null_in_a_system_column_are_left_out_and_counted(engine: Engine) -> None:
    recs = pl.concat(RECS.with_columns(algorithm=pl.lit(name, pl.String)) for name in ("a", None))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@2")
    assert counted(engine, result)["recs_with_null_id"] == RECS.height
    assert means(result).to_dicts() == [{"algorithm": "a", "n_lists": 2, "hit@2": 1.0}]


def test_a_recommendation_whose_every_id_is_null_is_counted_once(engine: Engine) -> None:
    recs = with_row(RECS, user=[None], item=[None], rank=[1])
    assert counted(engine, rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@2"))["recs_with_null_id"] == 1


@pytest.mark.parametrize("row", [{"user": [None], "item": [7]}, {"user": [3], "item": [None]}], ids=["list", "item"])
def test_rows_of_the_truth_with_a_null_id_are_left_out_and_counted(engine: Engine, row: dict[str, Any]) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(with_row(TRUTH, **row)), ["hit@2", "n_relevant"])
    assert counted(engine, result)["truth_with_null_id"] == 1
    assert means(result).to_dicts() == [{"n_lists": 2, "hit@2": 1.0, "n_relevant": 1.0}]


def test_null_and_nan_scores_are_counted_and_rank_last(engine: Engine) -> None:
    nan = float("nan")
    recs = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": [1, 2, 3, 1, 3], "score": [None, nan, -9.0, nan, -9.0]})
    truth = pl.DataFrame({"user": [1, 2], "item": [3, 3]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    assert counted(engine, result)["recs_without_score"] == 3
    assert result.collect()["rr"].item() == 1.0


def test_null_and_nan_scores_are_alike(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 2, 2], "item": [1, 2, 1, 2], "score": [None, float("nan"), float("nan"), None]})
    truth = pl.DataFrame({"user": [1, 2], "item": [1, 1]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    assert result.collect()["rr"].item() == 1.0  # the lower item stands first, whichever it has
    assert counted(engine, result)["lists_tied"] == 2


def test_infinite_scores_rank_as_they_are(engine: Engine) -> None:
    inf = float("inf")
    # the k-th best item is the relevant one of user k; a missing score is less than minus infinity
    recs = pl.DataFrame(
        {
            "user": [user for user in range(1, 5) for _ in range(4)],
            "item": [4, 1, 3, 2] * 4,
            "score": [None, inf, -inf, 1e300] * 4,
        }
    )
    truth = pl.DataFrame({"user": range(1, 5), "item": range(1, 5)})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    per_list = result.collect(per_list=True).sort("user")
    assert per_list["rr"].to_list() == [1 / 1, 1 / 2, 1 / 3, 1 / 4]
    assert counted(engine, result)["recs_without_score"] == 4
    assert counted(engine, result)["lists_tied"] == 0


@pytest.mark.parametrize(("ties", "rr"), [("item", 1.0), ("item_desc", 1 / 3)])
def test_lists_whose_scores_are_all_equal_are_counted_as_tied(engine: Engine, ties: Any, rr: float) -> None:
    recs = LONG.drop("rank").with_columns(score=pl.lit(0.5))
    result = rm.evaluate(engine.give(recs), engine.give(LONG_TRUE[:5]), "rr", ties=ties)
    assert counted(engine, result)["lists_tied"] == 5
    assert result.collect()["rr"].item() == pytest.approx(rr)


def test_a_tie_across_the_cutoff_is_counted_and_one_below_it_is_not(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1, 1], "item": [1, 2, 3, 4], "score": [0.9, 0.8, 0.7, 0.7]})
    truth = pl.DataFrame({"user": [1], "item": [1]})
    tied = {
        k: counted(engine, rm.evaluate(engine.give(recs), engine.give(truth), f"hit@{k}"))["lists_tied"]
        for k in (1, 2, 3, 4)
    }
    assert tied == {1: 0, 2: 0, 3: 1, 4: 1}


def test_a_time_with_a_zone_and_one_without_are_two_types(engine: Engine) -> None:
    recs = pl.DataFrame({"at": [datetime(2020, 1, 1)], "item": [1], "rank": [1]})
    zoned = recs.with_columns(pl.col("at").dt.replace_time_zone("UTC"))
    with pytest.raises(rm.ColumnError, match=r"zoned datetime .* in the recommendations and datetime"):
        rm.evaluate(engine.give(zoned), engine.give(recs.drop("rank")), "hit")
