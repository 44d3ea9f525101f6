"""What rm.split returns, by hand: the kinds of its results, its parameters, its columns, what it refuses; its files."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from scipy.sparse import csr_array, csr_matrix

import rankmetrics as rm
from rankmetrics.splits import methods
from tests.support import flat
from tests.support.refusals import refusal

CLICKS = pl.DataFrame(
    {
        "userId": ["ann", "ann", "ann", "bob", "bob", "cyd"],
        "movieId": [1, 2, 3, 1, 4, 5],
        "timestamp": [10, 20, 30, 15, 40, 50],
    }
)


def _rows(lazy: Any) -> list[tuple[Any, ...]]:
    return sorted(lazy.collect().rows() if isinstance(lazy, pl.LazyFrame) else lazy.fetchall())


# --- the results ------------------------------------------------------------------------------------------------------


def test_a_split_unpacks_into_lazy_train_and_test_of_the_callers_kind() -> None:
    relation = duckdb.connect().from_arrow(CLICKS.to_arrow())
    for given, kind in ((CLICKS.lazy(), pl.LazyFrame), (relation, duckdb.DuckDBPyRelation)):
        train, test = rm.split(given, "last_n")
        assert isinstance(test, kind)
        assert _rows(test) == [("ann", 3, 30), ("bob", 4, 40)]
        assert _rows(train) == [("ann", 1, 10), ("ann", 2, 20), ("bob", 1, 15), ("cyd", 5, 50)]
        assert _rows(rm.split(given, "last_n").history) == [("ann", 1, 10), ("ann", 2, 20), ("bob", 1, 15)]


def test_every_kind_of_input_is_split_alike(tmp_path: Path) -> None:
    CLICKS.write_csv(tmp_path / "clicks.csv")
    CLICKS.write_parquet(tmp_path / "clicks.parquet")
    connection = duckdb.connect()
    connection.sql("CREATE TABLE clicks AS FROM read_parquet($1)", params=[str(tmp_path / "clicks.parquet")])
    cases: list[tuple[Any, dict[str, Any]]] = [
        *((kind, {}) for kind in (CLICKS, CLICKS.to_arrow(), CLICKS.to_pandas())),
        *((path, {}) for path in (tmp_path / "clicks.csv", str(tmp_path / "*.parquet"))),
        *((table, {"connection": connection}) for table in ("clicks", "SELECT * FROM clicks")),
        (CLICKS.lazy(), {"memory_limit": "1GB"}),
    ]
    expected = _rows(rm.split(CLICKS.lazy(), "random", test_fraction=0.5).rows)
    for given, options in cases:
        assert _rows(rm.split(given, "random", test_fraction=0.5, **options).rows) == expected, type(given)


def test_the_entries_of_a_sparse_matrix_are_interactions() -> None:
    matrix = csr_array(([5.0, 1.0, 2.0], ([0, 0, 2], [1, 3, 0])), shape=(3, 4))
    frame = pl.LazyFrame({"user": [0, 0, 2], "item": [1, 3, 0], "rating": [5.0, 1.0, 2.0]})
    of_dicts = {0: {1: 5.0, 3: 1.0}, 2: {0: 2.0}}
    expected = _rows(rm.split(frame, "random", test_fraction=0.5).rows)
    for given in (matrix, csr_matrix(matrix), of_dicts):
        assert _rows(rm.split(given, "random", test_fraction=0.5).rows) == expected


def test_ibis_tables_are_split_in_their_backend() -> None:
    ibis = pytest.importorskip("ibis")
    clicks = ibis.polars.connect({"clicks": CLICKS}).table("clicks")
    found = rm.split(clicks, "time", at=30)
    assert sorted(found.test.to_polars().rows()) == _rows(rm.split(CLICKS.lazy(), "time", at=30).test)
    with refusal(rm.DialectError, "Polars has nothing for the seeded hash of a split or a sample: its SQL has no MD5"):
        _ = rm.split(clicks, "random").train


def test_an_evaluation_takes_test_as_truth_and_history_as_history() -> None:
    found = rm.split(CLICKS.lazy(), "last_n")
    recs = pl.LazyFrame({"user": ["ann", "bob"], "movie": [3, 5], "rank": [1, 1]})
    columns = {"columns": rm.Columns(item="movie"), "truth_columns": rm.Columns(item="movieId")}
    history = {"history": found.history, "extra_columns": {"history": rm.Columns(item="movieId")}}
    result = flat.evaluate(recs, found.test, ["hit@1", "surprisal@1"], **columns, **history)
    assert result.collect()["hit@1"].to_list() == [0.5]


# Reads two results at once, each of a split whose input is a result of another split.
NESTED = """
import polars as pl
import rankmetrics as rm

first = rm.split(pl.LazyFrame({"user": range(100), "item": range(100)}))
second = rm.split(first.train, seed=1)
third = rm.split(second.train, seed=2)
parts = pl.concat([third.train, third.test, second.test, first.test]).collect()
assert sorted(parts["user"]) == [*range(100)], parts
recs = pl.LazyFrame({"user": range(100), "item": range(100), "rank": 1})
result = rm.evaluate(recs, third.test, metrics=["hit@1"], memory_limit="1GB")
assert result.summary().collect()["hit@1"].to_list() == [1.0]
"""


def test_results_of_a_split_of_lazy_frames_can_be_split_and_evaluated() -> None:
    subprocess.run([sys.executable, "-c", NESTED], timeout=60, check=True)  # in a process, which can be ended


def test_folds_add_a_column_partition_that_evaluate_takes_for_a_list_column() -> None:
    found = rm.split(CLICKS.lazy(), "kfold", folds=2, of="rows", seed=1)
    assert found.test.collect_schema().names() == ["partition", "userId", "movieId", "timestamp"]
    assert sorted(row[1:] for row in _rows(found.test)) == sorted(CLICKS.rows())
    recs = found.test.select("partition", "userId", "movieId").with_columns(rank=pl.lit(1))
    result = rm.evaluate(recs, found.test.drop("timestamp"), "hit", by=["partition"])
    assert result.summary().collect()["partition"].to_list() == [1, 2]


def test_columns_keep_their_types_order_and_values() -> None:
    frame = CLICKS.with_columns(
        pl.col("userId").cast(pl.Categorical),
        pl.col("movieId").cast(pl.UInt16),
        tags=pl.concat_list(pl.lit("x"), pl.lit(None)),
        at=pl.lit(dt.datetime(2024, 1, 1)).cast(pl.Datetime("ms")),
    )
    found = rm.split(frame.lazy(), "last_n", time="timestamp").test.collect()
    assert found.schema == frame.schema


def test_columns_called_as_ours_are_the_users_own() -> None:
    named = {"subset": [1], "fold": [2], "row_hash": [3], "n_history": [4], "kept_rows": [5]}
    frame = CLICKS.join(pl.DataFrame(named), how="cross")
    options: dict[str, dict[str, Any]] = {
        "last_n": {},
        "kfold": {"folds": 2, "of": "rows", "seed": 1},
        "users": {"mode": "all"},
    }
    for method in options:
        split = rm.split(frame.lazy(), method, cold_users="drop", **options[method])
        assert set(split.test.select(*named).collect().rows()) == {(1, 2, 3, 4, 5)}, method
    assert "subset_2" in rm.split(frame.lazy(), "last_n").rows.collect_schema()


def test_account_counts_rows_users_and_items_of_each_subset() -> None:
    found = rm.split(CLICKS.lazy(), "time", at=40, gap=15).account().collect().sort("subset")
    assert found.rows() == [("neither", 1, 1, 1), ("test", 2, 2, 2), ("train", 3, 2, 2)]


def test_files_are_written_whole_and_hold_the_subsets(tmp_path: Path) -> None:
    CLICKS.write_parquet(tmp_path / "clicks.parquet")
    found = rm.split(tmp_path / "clicks.parquet", "last_n")
    paths = found.write(tmp_path / "split", ["train", "test", "history"])
    assert [path.name for path in paths] == ["train.parquet", "test.parquet", "history.parquet"]
    assert pl.read_parquet(paths[1]).sort("userId").rows() == [("ann", 3, 30), ("bob", 4, 40)]
    assert sorted(path.name for path in (tmp_path / "split").iterdir()) == sorted(path.name for path in paths)


def test_the_text_for_another_database_names_its_table_and_folds_its_columns(tmp_path: Path) -> None:
    CLICKS.write_parquet(tmp_path / "clicks.parquet")
    split = rm.split(tmp_path / "clicks.parquet", "random", test_fraction=0.4)
    text = split.to_sql("snowflake", "test", interactions="db.clicks")
    assert all(part in text for part in ('FROM "DB"."CLICKS"', '"USERID"', "MD5(")), text
    assert "HASHBYTES(" in split.to_sql("tsql", interactions="db.clicks")
    assert sorted(duckdb.connect().sql(split.to_sql()).fetchall()) == _rows(split.rows)


# --- the filters ------------------------------------------------------------------------------------------------------

REPEATED = pl.DataFrame(
    [("ann", 1, 10, 3.0), ("ann", 1, 20, 2.0), ("ann", 1, 20, 5.0), ("ann", 2, 30, 1.0), ("bob", 1, 5, 4.0)],
    schema=["user", "item", "time", "rating"],
    orient="row",
)


def test_repeats_keep_one_interaction_of_a_pair_the_highest_of_one_time() -> None:
    for choice, kept in (("first", 3.0), ("last", 5.0)):
        rows = rm.split(REPEATED.lazy(), "random", repeats=choice).rows.collect()
        assert rows.filter(user="ann", item=1)["rating"].to_list() == [kept]
        assert rows.height == 3


def test_k_core_counts_again_each_round_and_is_refused_after_too_few_rounds() -> None:
    chain = [(user, item) for user in range(8) for item in (user, user + 1)]
    core = [(user, item) for user in (20, 21) for item in (30, 31)]
    frame = pl.LazyFrame([*chain, *core], schema=["user", "item"], orient="row")
    whole = rm.split(frame, "kfold", of="rows", folds=2, k_core=2, rounds=20)
    assert sorted(row[1:3] for row in _rows(whole.test)) == core
    with refusal(rm.DataError, "After 2 rounds of k_core", "Use more rounds: rounds=4"):
        rm.split(frame, "random", k_core=2, rounds=2).check()


# --- another library --------------------------------------------------------------------------------------------------

RECOMETRICS = json.loads((Path(__file__).parent / "recometrics.json").read_text())


def test_users_takes_as_many_users_and_items_as_recometrics() -> None:
    for run in RECOMETRICS["runs"]:
        frame = pl.LazyFrame(RECOMETRICS["problems"][run["problem"]], schema=["user", "item"], orient="row")
        split = rm.split(frame, "users", mode=run["mode"], **run["options"])
        if "error" in run:
            with refusal(rm.DataError, "leaves test empty"):
                split.check()
            continue
        test, history = (Counter(row[0] for row in _rows(lazy)) for lazy in (split.test, split.history))
        if (
            run["options"].get("users_test_fraction", 1) == 0.99 or run["mode"] == "all"
        ):  # every user who can be tested is
            expected = {int(user): size for user, size in run["test_sizes"].items() if size[0]}
            assert {user: [n, history[user]] for user, n in test.items()} == expected, run["options"]
        else:  # which of them are is random, there and here
            assert len(test) == run["n_test_users"], run["options"]


# --- what is refused --------------------------------------------------------------------------------------------------

BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("randomly", {}, "There is no method 'randomly' of splitting: .* Did you mean 'random'"),
    ("random", {"fraction": 0.1}, "random has no parameter 'fraction': .* Did you mean 'test_fraction'"),
    ("random", {"at": 3}, "random has no parameter 'at'.* It is a parameter of 'sliding' and 'time'"),
    ("random", {"test_fraction": 0}, "test_fraction of random must be a number above 0 below 1: 0 is not"),
    ("random", {"test_fraction": 1.0}, "test_fraction of random must be"),
    ("random", {"test_fraction": float("nan")}, "test_fraction of random must be"),
    ("random", {"test_fraction": "0.1"}, "test_fraction of random must be"),
    ("random", {"seed": -1}, "seed of random must be a whole number from 0"),
    ("users", {"mode": "apart"}, "mode of users is one of 'separated', 'joined' and 'all'"),
    ("users", {"max_test_users": 0}, "max_test_users of users must be a whole number from 1"),
    ("kfold", {"folds": 1}, "folds of kfold must be a whole number from 2"),
    ("kfold", {"of": "rows", "items_test_fraction": 0.5}, "items_test_fraction holds out some items of each user"),
    ("time", {"at": 3, "test_fraction": 0.1}, "give one of them"),
    ("time", {"at": "2024-01-01"}, 'at="2024-01-01" of time must be a number'),
    ("time", {"gap": "7 days"}, 'gap="7 days" of time must be a number above 0'),
    ("time", {"gap": 0}, "gap=0 of time must be a number above 0"),
    ("sliding", {"at": 3}, "sliding needs width="),
    ("sliding", {"width": 3}, "sliding needs at="),
    ("random", {"k_core": 1}, "k_core of random must be a whole number from 2"),
    ("random", {"cold_users": "no"}, "cold_users of random is one of 'keep' and 'drop'"),
]
UNTIMED, STRINGS = CLICKS.drop("timestamp"), CLICKS.cast({"timestamp": pl.String})
BAD_COLUMNS: list[tuple[pl.DataFrame, str, dict[str, Any], str]] = [
    (UNTIMED, "last_n", {}, "last_n needs the time of each interaction: .* Name the time column: time="),
    (UNTIMED, "leave_one_out", {}, "leave_one_out needs the time"),
    (UNTIMED, "random", {"repeats": "last"}, "random needs the time"),
    (CLICKS.drop("userId"), "random", {}, "No user column was found .* Name the user column: user="),
    (CLICKS, "random", {"item": "sku"}, "have no column 'sku', named as the item"),
    (CLICKS.with_columns(user_id=1), "random", {}, "Which column .* is the user: 'userId' and 'user_id'"),
    (CLICKS.cast({"movieId": pl.Float64}), "random", {}, "The item column 'movieId' of the interactions is float"),
    (STRINGS, "last_n", {}, "cast it to a date"),
    (CLICKS.with_columns(partition=1), "kfold", {}, "rename or drop yours"),
    (CLICKS, "random", {"user": "movieId", "item": "movieId"}, "two roles"),
]
NO_USER, NO_ITEM, NO_TIME = (CLICKS.with_columns(pl.when(pl.lit(value=False)).then(name)) for name in CLICKS.columns)
NAN_TIME = CLICKS.with_columns(pl.when(pl.col("timestamp") < 50).then(pl.col("timestamp")).otherwise(float("nan")))
BAD_DATA: list[tuple[pl.DataFrame, str, dict[str, Any], str]] = [
    (CLICKS.clear(), "random", {}, "have no rows"),
    (NO_USER, "random", {}, "6 of the 6 interactions have no user"),
    (NO_ITEM, "random", {}, "have no item: the column 'movieId' is NULL"),
    (NO_TIME, "last_n", {}, "have no time"),
    (NAN_TIME, "time", {}, "1 of the 6 interactions have no time: the column 'timestamp' is NULL or NaN there"),
    (CLICKS, "time", {"at": 51}, "time leaves test empty. The times of .* go from 10 to 50. Change at=51."),
    (CLICKS, "time", {"at": 10}, "time leaves train empty. The times"),
    (CLICKS, "time", {"test_fraction": 0.1}, "time leaves train empty"),
    (CLICKS, "sliding", {"at": 20, "width": 20}, "sliding leaves test empty in partition 3"),
    (CLICKS, "last_n", {"n": 5}, "last_n leaves test empty.* Change min_history=1, n=5"),
    (CLICKS, "random", {"k_core": 4}, "The filters leave out all of the 6 interactions. Lower k_core=4"),
    (CLICKS, "random", {"test_fraction": 0.001}, "random leaves test empty"),
]


def test_bad_parameters_are_refused_at_once_and_misleading_data_when_computed() -> None:
    for method, options, message in BAD_CALLS:
        with refusal(rm.MetricError, *message.split(".*"), case=options):
            rm.split(CLICKS.lazy(), method, **options)
    for frame, method, options, message in BAD_COLUMNS:
        with refusal(rm.ColumnError, *message.split(".*"), case=options):
            rm.split(frame.lazy(), method, **options)
    for frame, method, options, message in BAD_DATA:
        split = rm.split(frame.lazy(), method, **options)
        with refusal(rm.DataError, *message.split(".*"), case=options):
            split.check()
    with refusal(rm.InputError, "must be one of 'train', 'test'"):
        rm.split(CLICKS.lazy()).collect("tests")  # type: ignore[arg-type]  # the mistake is meant


def test_rows_without_an_id_are_in_no_subset() -> None:
    frame = CLICKS.with_columns(pl.when(pl.col("movieId") > 1).then("userId"))
    split = rm.split(frame.lazy(), "last_n", min_history=0)
    assert _rows(split.train) == [("ann", 2, 20)]
    assert _rows(split.test) == [("ann", 3, 30), ("bob", 4, 40), ("cyd", 5, 50)]


def test_rows_without_a_time_are_in_no_subset() -> None:
    table = duckdb.connect().from_arrow(NAN_TIME.to_arrow())
    for clicks in (NAN_TIME.lazy(), NAN_TIME.to_arrow(), table):
        for method in ("time", "last_n"):
            assert ("cyd", 5) not in [row[:2] for row in _rows(rm.split(clicks, method).rows)], method
        split = rm.split(clicks, "time", test_fraction=0.4)
        assert _rows(split.test) == [("ann", 3, 30.0), ("bob", 4, 40.0)]


def test_a_cut_without_an_offset_is_in_the_zone_of_the_column() -> None:
    hours = pl.datetime_range(dt.datetime(2024, 1, 30), dt.datetime(2024, 2, 3), "1h", eager=True)
    table = pl.DataFrame({"user": range(97), "item": range(97), "time": hours.dt.replace_time_zone("America/New_York")})
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'Asia/Tokyo'")
    moments = connection.from_arrow(table.to_arrow())  # without a zone
    plain = table.with_columns(pl.col("time").dt.replace_time_zone(None))
    cases: list[tuple[Any, Any, int]] = [
        *((given, "2024-02-01", 48) for given in (table.lazy(), table.to_arrow(), table.to_pandas(), plain.lazy())),
        (table.lazy(), dt.datetime(2024, 2, 1, 3), 51),
        *((given, "2024-02-01T00:00:00+00:00", 43) for given in (table.lazy(), table.to_arrow(), moments)),
        (moments, "2024-02-01", 43),
    ]
    for given, at, first in cases:
        split = rm.split(given, "time", at=at, gap="1 day")
        assert split.collect("test")["user"].min() == first, (type(given), at)
        train = split.collect("train")["user"] if first >= 48 else None
        assert train is None or train.max() == first - 25, (type(given), at)


def test_a_cut_is_a_time_of_the_type_of_the_column() -> None:
    cases: list[tuple[Any, Any, Any]] = [
        (pl.Date, "2024-01-05", "2024-01-05 12:00:00"),
        (pl.Date, dt.date(2024, 1, 5), 20240105),
        (pl.Datetime("us"), "2024-01-05 00:00:00", "5 January"),
        (pl.Datetime("ns"), dt.datetime(2024, 1, 5), dt.datetime(2024, 1, 5, tzinfo=dt.UTC)),
        (pl.Datetime("us", "Europe/Vienna"), "2024-01-05T00:00:00+01:00", "soon"),
    ]
    days = pl.datetime_range(dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 8), "1d", eager=True)
    for kind, good, bad in cases:
        zone = getattr(kind, "time_zone", None)
        times = days.dt.replace_time_zone(zone).cast(kind) if zone else days.cast(kind)
        frame = pl.LazyFrame({"user": range(8), "item": range(8), "time": times})
        assert sorted(rm.split(frame, "time", at=good).test.collect()["user"]) == [4, 5, 6, 7], good
        for options in ({"at": good}, {"test_fraction": 0.5}):
            train = rm.split(frame, "time", gap="2 days", **options).train.collect()
            assert sorted(train["user"]) == [0, 1], (good, options)
        with refusal(rm.MetricError, "must be such as 2024-01-31", case=bad):
            rm.split(frame, "time", at=bad)
        with refusal(rm.MetricError, "such as '7 days'", case=kind):
            rm.split(frame, "time", at=good, gap="0 days")


# --- The files of sql/splits: documented, and with parameters that are used -------------------------------------------


def test_a_file_says_what_it_is_in_its_first_line() -> None:
    for folder in ("", "filters", "steps", "subsets", "parameters"):
        for stem, file in methods.files(folder).items():
            name = stem.rpartition(".")[2] if folder == "parameters" else stem.partition(".")[0]
            assert file.text.startswith(f"-- {name}: "), file.origin
            assert file.summary.endswith("."), file.origin


def test_a_method_names_its_source_and_describes_itself() -> None:
    for name, file in methods.files().items():
        assert file.fields["source"], name
        assert file.notes, name
        assert file.select.expressions[-1].alias == "subset", name


def test_every_parameter_belongs_to_a_method_or_a_filter() -> None:
    used = {name for method in methods.methods() for name in methods.parameters(method)}
    known = {name.rpartition(".")[2] for name in methods.files("parameters")}
    assert known == used | {*methods.filter_parameters()}


def test_every_filter_has_a_file_for_each_choice_but_the_default() -> None:
    for name, parameter in methods.filter_parameters().items():
        for choice in [*parameter.choices][1:]:
            assert f"{name}.{choice}" in methods.files("filters")
