"""What rm.split returns, by hand: the kinds of its results, its parameters, its columns, and what it refuses."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.support.shared import SHARED, needs_shared

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
    train, test = rm.split(CLICKS.lazy(), "last_n")
    assert isinstance(train, pl.LazyFrame)
    assert _rows(test) == [("ann", 3, 30), ("bob", 4, 40)]
    assert _rows(train) == [("ann", 1, 10), ("ann", 2, 20), ("bob", 1, 15), ("cyd", 5, 50)]
    relation = duckdb.connect().from_arrow(CLICKS.to_arrow())
    train, test = rm.split(relation, "last_n")
    assert isinstance(test, duckdb.DuckDBPyRelation)
    assert _rows(test) == [("ann", 3, 30), ("bob", 4, 40)]


def test_every_kind_of_input_is_split_alike(tmp_path: Path) -> None:
    CLICKS.write_csv(tmp_path / "clicks.csv")
    CLICKS.write_parquet(tmp_path / "clicks.parquet")
    connection = duckdb.connect()
    connection.sql("CREATE TABLE clicks AS FROM read_parquet($1)", params=[str(tmp_path / "clicks.parquet")])
    wanted = _rows(rm.split(CLICKS.lazy(), "random", test_fraction=0.5).rows)
    given = [CLICKS, CLICKS.to_arrow(), CLICKS.to_pandas(), tmp_path / "clicks.csv", str(tmp_path / "*.parquet")]
    for one in given:
        assert _rows(rm.split(one, "random", test_fraction=0.5).rows) == wanted
    for table in ("clicks", "SELECT * FROM clicks"):
        assert _rows(rm.split(table, "random", test_fraction=0.5, connection=connection).rows) == wanted
    assert _rows(rm.split(CLICKS.lazy(), "random", test_fraction=0.5, memory_limit="1GB").rows) == wanted


def test_ibis_tables_are_split_in_their_backend() -> None:
    ibis = pytest.importorskip("ibis")
    clicks = ibis.polars.connect({"clicks": CLICKS}).table("clicks")
    found = rm.split(clicks, "time", at=30)
    assert sorted(found.test.to_polars().rows()) == _rows(rm.split(CLICKS.lazy(), "time", at=30).test)
    with pytest.raises(
        rm.DialectError, match="Polars has nothing for the seeded hash of a split or a sample: its SQL has no MD5"
    ):
        _ = rm.split(clicks, "random").train


def test_an_evaluation_takes_test_as_truth_and_history_as_history() -> None:
    found = rm.split(CLICKS.lazy(), "last_n")
    recs = pl.LazyFrame({"user": ["ann", "bob"], "movie": [3, 5], "rank": [1, 1]})
    columns = {"columns": rm.Columns(item="movie"), "truth_columns": rm.Columns(item="movieId")}
    history = {"history": found.history, "extra_columns": {"history": rm.Columns(item="movieId")}}
    result = rm.evaluate(recs, found.test, ["hit@1", "surprisal@1"], **columns, **history)  # type: ignore[arg-type]
    assert result.collect()["hit@1"].to_list() == [0.5]


def test_history_is_what_is_known_of_the_test_users() -> None:
    assert _rows(rm.split(CLICKS.lazy(), "last_n").history) == [("ann", 1, 10), ("ann", 2, 20), ("bob", 1, 15)]


def test_separated_users_are_in_no_train_and_joined_users_are() -> None:
    options: dict[str, Any] = {"users_test_fraction": 1, "min_items_pool": 0, "items_test_fraction": 0.5}
    separated = rm.split(CLICKS.lazy(), "users", **options)
    joined = rm.split(CLICKS.lazy(), "users", mode="joined", **options)
    assert _rows(separated.test) == _rows(joined.test)
    assert _rows(separated.history) == _rows(joined.history)
    assert _rows(separated.train) == [("cyd", 5, 50)]
    assert _rows(joined.train) == sorted([("cyd", 5, 50), *_rows(joined.history)])


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
    for method, options in (
        ("last_n", {}),
        ("kfold", {"folds": 2, "of": "rows", "seed": 1}),
        ("users", {"mode": "all"}),
    ):
        found = rm.split(frame.lazy(), method, cold_users="drop", **options)
        assert set(found.test.select(*named).collect().rows()) == {(1, 2, 3, 4, 5)}
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


def test_the_text_for_another_database_names_its_table_and_folds_its_columns() -> None:
    found = rm.split(CLICKS.lazy(), "random")
    text = found.to_sql("snowflake", "test", interactions="db.clicks")
    assert 'FROM "DB"."CLICKS"' in text
    assert '"USERID"' in text
    assert "MD5(" in text
    assert "HASHBYTES(" in found.to_sql("tsql", interactions="db.clicks")


def test_the_text_for_duckdb_returns_the_same_rows(tmp_path: Path) -> None:
    CLICKS.write_parquet(tmp_path / "clicks.parquet")
    found = rm.split(tmp_path / "clicks.parquet", "random", test_fraction=0.4)
    assert sorted(duckdb.connect().sql(found.to_sql()).fetchall()) == _rows(found.rows)


def test_another_seed_gives_another_split_and_the_same_seed_the_same() -> None:
    first, again, other = (_rows(rm.split(CLICKS.lazy(), "kfold", of="rows", seed=seed).test) for seed in (1, 1, 2))
    assert first == again
    assert first != other


# --- the filters ------------------------------------------------------------------------------------------------------

REPEATED = pl.DataFrame(
    [("ann", 1, 10, 3.0), ("ann", 1, 20, 2.0), ("ann", 1, 20, 5.0), ("ann", 2, 30, 1.0), ("bob", 1, 5, 4.0)],
    schema=["user", "item", "time", "rating"],
    orient="row",
)


@pytest.mark.parametrize(("choice", "kept"), [("first", 3.0), ("last", 5.0)])
def test_repeats_keep_one_interaction_of_a_pair_and_of_those_at_one_time_the_highest(choice: str, kept: float) -> None:
    found = rm.split(REPEATED.lazy(), "random", repeats=choice).rows.collect()
    assert found.filter(user="ann", item=1)["rating"].to_list() == [kept]
    assert found.height == 3


def test_k_core_counts_again_after_each_round_and_is_refused_where_the_rounds_do_not_suffice() -> None:
    chain = [(user, item) for user in range(8) for item in (user, user + 1)]
    core = [(user, item) for user in (20, 21) for item in (30, 31)]
    frame = pl.LazyFrame([*chain, *core], schema=["user", "item"], orient="row")
    whole = rm.split(frame, "kfold", of="rows", folds=2, k_core=2, rounds=20)
    assert sorted(row[1:3] for row in _rows(whole.test)) == core
    with pytest.raises(rm.DataError, match=r"After 2 rounds of k_core.* Use more rounds: rounds=4"):
        rm.split(frame, "random", k_core=2, rounds=2).check()


def test_cold_users_and_items_are_left_out_of_the_test() -> None:
    found = rm.split(CLICKS.lazy(), "time", at=30, cold_users="drop")
    assert _rows(found.test) == [("ann", 3, 30), ("bob", 4, 40)]
    assert _rows(rm.split(CLICKS.lazy(), "time", at=15, cold_items="drop").test) == [("bob", 1, 15)]


# --- other libraries, real data ---------------------------------------------------------------------------------------

RECOMETRICS = json.loads((Path(__file__).parent / "recometrics.json").read_text())


@pytest.mark.parametrize("run", RECOMETRICS["runs"], ids=lambda run: f"{run['problem']}-{run['mode']}-{run['options']}")
def test_users_takes_as_many_users_and_items_as_recometrics(run: dict[str, Any]) -> None:
    pairs = RECOMETRICS["problems"][run["problem"]]
    frame = pl.LazyFrame(pairs, schema=["user", "item"], orient="row")
    found = rm.split(frame, "users", mode=run["mode"], **run["options"])
    if "error" in run:
        with pytest.raises(rm.DataError, match="leaves test empty"):
            found.check()
        return
    test, history = (Counter(row[0] for row in _rows(lazy)) for lazy in (found.test, found.history))
    sizes = {user: [n, history[user]] for user, n in test.items()}
    wanted = {int(user): size for user, size in run["test_sizes"].items() if size[0]}
    if run["options"].get("users_test_fraction", 1) == 0.99 or run["mode"] == "all":
        assert sizes == wanted  # every user who can be tested is
    else:
        assert len(sizes) == run["n_test_users"]  # which of them are is random, there and here


def _ratings() -> pl.LazyFrame:
    ratings = pl.scan_parquet(SHARED / "data" / "ml100k" / "history.parquet")
    return ratings.filter(pl.col("partition") == pl.col("partition").min()).drop("partition")


@needs_shared
def test_random_shares_of_real_data_are_within_the_bounds_of_chance() -> None:
    ratings = _ratings().collect()
    for share in (0.1, 0.5):
        n_test = rm.split(ratings.lazy(), "random", test_fraction=share).test.collect().height
        deviation = (ratings.height * share * (1 - share)) ** 0.5
        assert abs(n_test - ratings.height * share) < 5 * deviation
    folds = rm.split(ratings.lazy(), "kfold").test.collect()
    n_users = ratings["user"].n_unique()
    of_folds = folds.group_by("partition").agg(pl.col("user").n_unique())["user"].to_list()
    assert sum(of_folds) == n_users
    assert all(abs(n - n_users / 5) < 5 * (n_users * 0.2 * 0.8) ** 0.5 for n in of_folds)


@needs_shared
def test_splits_of_real_data_overlap_nowhere_and_leak_nothing_of_the_future() -> None:
    ratings = _ratings()
    cut = rm.split(ratings, "time", gap=86400, time="timestamp")
    train, test = (one.collect() for one in cut)
    assert train["timestamp"].max() < test["timestamp"].min() - 86400
    assert 0 < test.height <= 0.2 * ratings.collect().height
    held_out = rm.split(ratings, "last_n", n=3, min_history=5, time="timestamp")
    train, test = (one.collect() for one in held_out)
    assert train.join(test, on=["user", "item"]).height == 0
    last, first = train.group_by("user").agg(pl.max("timestamp")), test.group_by("user").agg(first=pl.min("timestamp"))
    assert last.join(first, on="user").filter(pl.col("timestamp") > pl.col("first")).height == 0
    assert train.join(test, on="user", how="semi").group_by("user").len()["len"].min() >= 5


# --- what is refused --------------------------------------------------------------------------------------------------

NAN = float("nan")
BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("randomly", {}, "There is no method 'randomly' of splitting: .* Did you mean 'random'"),
    ("random", {"fraction": 0.1}, "random has no parameter 'fraction': .* Did you mean 'test_fraction'"),
    ("random", {"at": 3}, "random has no parameter 'at'.* It is a parameter of 'sliding' and 'time'"),
    ("random", {"test_fraction": 0}, "test_fraction of random must be a number above 0 below 1: 0 is not"),
    ("random", {"test_fraction": 1.0}, "test_fraction of random must be"),
    ("random", {"test_fraction": NAN}, "test_fraction of random must be"),
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


@pytest.mark.parametrize(("method", "options", "message"), BAD_CALLS, ids=str)
def test_a_bad_parameter_is_refused_at_once(method: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(rm.MetricError, match=message):
        rm.split(CLICKS.lazy(), method, **options)


BAD_COLUMNS: list[tuple[pl.DataFrame, str, dict[str, Any], str]] = [
    (
        CLICKS.drop("timestamp"),
        "last_n",
        {},
        "last_n needs the time of each interaction: .* Name the time column: time=",
    ),
    (CLICKS.drop("timestamp"), "leave_one_out", {}, "leave_one_out needs the time"),
    (CLICKS.drop("timestamp"), "random", {"repeats": "last"}, "random needs the time"),
    (CLICKS.drop("userId"), "random", {}, "No user column was found .* Name the user column: user="),
    (CLICKS, "random", {"item": "sku"}, "have no column 'sku', named as the item"),
    (
        CLICKS.with_columns(user_id=1),
        "random",
        {},
        "Which column of the interactions is the user: 'userId' and 'user_id'",
    ),
    (
        CLICKS.with_columns(pl.col("movieId") * 0.5),
        "random",
        {},
        "The item column 'movieId' of the interactions is float",
    ),
    (CLICKS.with_columns(pl.col("timestamp").cast(pl.String)), "last_n", {}, "cast it to a date"),
    (CLICKS.with_columns(partition=1), "kfold", {}, "rename or drop yours"),
    (CLICKS, "random", {"user": "movieId", "item": "movieId"}, "two roles"),
]


@pytest.mark.parametrize(("frame", "method", "options", "message"), BAD_COLUMNS, ids=lambda one: str(one)[:20])
def test_bad_columns_are_refused_at_once(
    frame: pl.DataFrame, method: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(rm.ColumnError, match=message):
        rm.split(frame.lazy(), method, **options)


BAD_DATA: list[tuple[pl.DataFrame, str, dict[str, Any], str]] = [
    (CLICKS.clear(), "random", {}, "have no rows"),
    (
        CLICKS.with_columns(userId=None).cast({"userId": pl.String}),
        "random",
        {},
        "6 of the 6 interactions have no user",
    ),
    (CLICKS.with_columns(movieId=pl.lit(None, pl.Int64)), "random", {}, "have no item: the column 'movieId' is NULL"),
    (CLICKS.with_columns(timestamp=pl.lit(None, pl.Int64)), "last_n", {}, "have no time"),
    (
        CLICKS,
        "time",
        {"at": 51},
        "time leaves test empty. The times of the interactions go from 10 to 50. Change at=51.",
    ),
    (CLICKS, "time", {"at": 10}, "time leaves train empty. The times"),
    (CLICKS, "time", {"test_fraction": 0.1}, "time leaves train empty|time leaves test empty"),
    (CLICKS, "sliding", {"at": 20, "width": 20}, "sliding leaves test empty in partition 3"),
    (CLICKS, "last_n", {"n": 5}, "last_n leaves test empty.* Change min_history=1, n=5"),
    (CLICKS, "random", {"k_core": 4}, "The filters leave out all of the 6 interactions. Lower k_core=4"),
    (CLICKS, "random", {"test_fraction": 0.001}, "random leaves test empty"),
]


@pytest.mark.parametrize(("frame", "method", "options", "message"), BAD_DATA, ids=lambda one: str(one)[:20])
def test_data_that_would_mislead_is_refused_by_what_computes(
    frame: pl.DataFrame, method: str, options: dict[str, Any], message: str
) -> None:
    found = rm.split(frame.lazy(), method, **options)
    with pytest.raises(rm.DataError, match=message):
        found.collect("test")


def test_rows_without_an_id_are_in_no_subset() -> None:
    frame = CLICKS.with_columns(pl.when(pl.col("movieId") > 1).then("userId"))
    found = rm.split(frame.lazy(), "last_n", min_history=0)
    assert _rows(found.train) == [("ann", 2, 20)]
    assert _rows(found.test) == [("ann", 3, 30), ("bob", 4, 40), ("cyd", 5, 50)]


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (pl.Date, "2024-01-05", "2024-01-05 12:00:00"),
        (pl.Date, dt.date(2024, 1, 5), 20240105),
        (pl.Datetime("us"), "2024-01-05 00:00:00", "5 January"),
        (pl.Datetime("ns"), dt.datetime(2024, 1, 5), dt.datetime(2024, 1, 5, tzinfo=dt.UTC)),
        (pl.Datetime("us", "Europe/Vienna"), "2024-01-05T00:00:00+01:00", "soon"),
    ],
    ids=str,
)
def test_a_cut_is_a_time_of_the_type_of_the_column(kind: Any, good: Any, bad: Any) -> None:
    days = pl.datetime_range(dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 8), "1d", eager=True)
    zone = getattr(kind, "time_zone", None)
    times = days.dt.replace_time_zone(zone).cast(kind) if zone else days.cast(kind)
    frame = pl.LazyFrame({"user": range(8), "item": range(8), "time": times})
    assert sorted(rm.split(frame, "time", at=good).test.collect()["user"]) == [4, 5, 6, 7]
    assert sorted(rm.split(frame, "time", at=good, gap="2 days").train.collect()["user"]) == [0, 1]
    assert sorted(rm.split(frame, "time", test_fraction=0.5, gap="2 days").train.collect()["user"]) == [0, 1]
    with pytest.raises(rm.MetricError, match="must be such as 2024-01-31"):
        rm.split(frame, "time", at=bad)


def test_an_unknown_subset_is_refused() -> None:
    with pytest.raises(rm.InputError, match="must be one of 'train', 'test'"):
        rm.split(CLICKS.lazy()).collect("tests")  # type: ignore[arg-type]  # the mistake is meant
