"""dbt builds full and incremental models in DuckDB and in PostgreSQL, and a second run changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.export.dbt import package as dbt
from tests.support.dbt_packages import GOOD, SPINE, board, described, needs_adapter, run_dbt, sql
from tests.support.engines import means, postgres, postgres_server

pytestmark = pytest.mark.long

DAYS = [date(2024, 1, day) for day in range(1, 5)]
METRICS = ["ndcg@2", "hit@1"]
RECS = pl.DataFrame(
    [
        {
            "day": day,
            "algorithm": algorithm,
            "user": user,
            "item": (user + place * number + (algorithm == "knn")) % 4,
            "rank": place,
        }
        for number, day in enumerate(DAYS)
        for algorithm in ("als", "knn")
        for user in (1, 2)
        for place in (1, 2)
    ]
)
TRUTH = pl.DataFrame([{"on_day": day, "user": user, "item": user} for day in DAYS for user in (1, 2, 3)])

SHARED: Mapping[str, Any] = {
    "recs": "raw.recs",
    "truth": "raw.truth",
    "lists": ["day", "algorithm", "user"],
    "truth_lists": ["day", "user"],
    "columns": {"rank": "rank"},
    "truth_columns": {"item": "item", "lists": {"day": "on_day"}},
    "metrics": METRICS,
}
INCREMENTAL = {"config": {"materialized": "incremental", "tags": ["daily"]}, "partition": "day", "lookback": 1}
BOARDS = {
    "whole": {
        **SHARED,
        "by": ["day", "algorithm"],
        "config": {"contract": {"enforced": True}},
        "data_types": {"day": "date", "algorithm": "text"},
        "check": False,  # it would refuse the first run, in which the tables are empty
    },
    "daily": {**SHARED, "by": ["day", "algorithm"], **INCREMENTAL},
    "lists": {**SHARED, "per_list": True, **INCREMENTAL, "semantic_model": True},
}


class Shop:
    """A project of dbt over a database in which the tests write rows."""

    def __init__(self, folder: Path, execute: Callable[[str], Any], read: Callable[[str], pl.DataFrame]) -> None:
        self.folder, self._execute, self._read = folder, execute, read
        for statement in (
            "DROP SCHEMA IF EXISTS raw CASCADE",
            "CREATE SCHEMA raw",
            'CREATE TABLE raw.recs ("day" date, "algorithm" text, "user" bigint, "item" bigint, "rank" bigint)',
            'CREATE TABLE raw.truth ("on_day" date, "user" bigint, "item" bigint)',
        ):
            execute(statement)

    def add(self, table: str, frame: pl.DataFrame) -> None:
        rows = [f"({', '.join(_literal(one) for one in row)})" for row in frame.rows()]
        self._execute(f"INSERT INTO raw.{table} VALUES {', '.join(rows)}")

    def build(self, *arguments: str) -> dict[str, pl.DataFrame]:
        """Build every model and run its tests; returns the tables."""
        said = run_dbt(self.folder, "build", *arguments)
        assert re.search(r"PASS=\d+ WARN=0 ERROR=0 SKIP=0", said), said
        return {name: self._read(f"SELECT * FROM boards.{name}") for name in BOARDS}


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, (str, date)) else str(value)


@pytest.fixture(params=["duckdb", "postgres"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shop]:
    needs_adapter(request.param)
    profile: dict[str, Any] = {"type": request.param, "schema": "boards", "threads": 1}
    if request.param == "duckdb":
        path = tmp_path / "shop.duckdb"
        profile["path"] = str(path)

        def execute(statement: str) -> Any:
            with duckdb.connect(str(path)) as connection:
                connection.execute(statement)

        def read(query: str) -> pl.DataFrame:
            with duckdb.connect(str(path)) as connection:
                frame: pl.DataFrame = connection.sql(query).pl()
                return frame

    else:
        address = urlsplit(postgres_server().get_uri())
        host = parse_qs(address.query)["host"][0]
        profile |= {"host": host, "port": 5432, "user": "postgres", "password": "", "dbname": "postgres"}

        def execute(statement: str) -> Any:
            postgres().execute(statement)

        def read(query: str) -> pl.DataFrame:
            cursor = postgres().execute(query, prepare=False)  # a prepared SELECT refuses a new column
            names = [one.name for one in cursor.description]
            return pl.DataFrame(cursor.fetchall(), schema=names, orient="row", infer_schema_length=None)

    execute("DROP SCHEMA IF EXISTS boards CASCADE")
    files = {
        "dbt_project.yml": "name: shop\nprofile: shop\n",
        "profiles.yml": json.dumps({"shop": {"target": "dev", "outputs": {"dev": profile}}}),
        "packages.yml": "packages: [{local: rankmetrics}]",
        "models/spine.sql": "select date '2024-01-01' as day",
        "models/spine.yml": SPINE,
    }
    (tmp_path / "models").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    dbt.init(tmp_path / "rankmetrics")
    (tmp_path / "rankmetrics/leaderboards.yml").write_text(json.dumps({"leaderboards": BOARDS}))
    dbt.write(tmp_path / "rankmetrics")
    run_dbt(tmp_path, "deps")
    yield Shop(tmp_path, execute, read)
    execute("DROP SCHEMA IF EXISTS boards CASCADE")
    execute("DROP SCHEMA IF EXISTS raw CASCADE")


def expected(recs: pl.DataFrame, truth: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The tables over these rows, as evaluate computes them, day by day."""
    days = [
        rm.evaluate(
            recs.filter(day=day), truth.rename({"on_day": "day"}).filter(day=day), METRICS, by=["day", "algorithm"]
        )
        for day in recs["day"].unique()
    ]
    summary, lists = (pl.concat([means(one, per_list=per_list) for one in days]) for per_list in (False, True))
    return {"whole": summary, "daily": summary, "lists": lists}


def assert_holds(found: pl.DataFrame, wanted: pl.DataFrame) -> None:
    wanted.columns = found.columns
    assert_frame_equal(found, wanted, check_row_order=False, check_dtypes=False, abs_tol=1e-12)


def test_runs_one_after_the_other_give_what_a_full_build_gives(shop: Shop) -> None:
    built = shop.build()
    assert [one.height for one in built.values()] == [0, 0, 0]  # the first run may be empty

    def days(frame: pl.DataFrame, column: str, some: Sequence[date]) -> pl.DataFrame:
        return frame.filter(pl.col(column).is_in(some))

    shop.add("recs", days(RECS, "day", DAYS[:3]))
    shop.add("truth", days(TRUTH, "on_day", DAYS[:2]))
    late = days(TRUTH, "on_day", DAYS[2:3])
    shop.build()
    shop.add("truth", late)  # the lookback computes the day again
    shop.add("recs", days(RECS, "day", DAYS[3:]))
    shop.add("truth", days(TRUTH, "on_day", DAYS[3:]))
    built = shop.build()
    whole = expected(RECS, TRUTH)
    for name in ("daily", "lists"):
        assert_holds(built[name], whole[name])
    again = shop.build()
    for name, table in built.items():
        assert_frame_equal(again[name], table, check_row_order=False)


def test_a_run_leaves_the_days_before_the_lookback_alone(shop: Shop) -> None:
    shop.add("recs", RECS)
    shop.add("truth", TRUTH)
    built = shop.build()
    shop.add("truth", TRUTH.with_columns(item=pl.lit(0)))  # every day changes
    again = shop.build()
    old = built["daily"].filter(pl.col("day") < DAYS[2])
    assert_frame_equal(again["daily"].filter(pl.col("day") < DAYS[2]), old, check_row_order=False)
    both = pl.concat([TRUTH, TRUTH.with_columns(item=pl.lit(0, pl.Int64))])
    new = expected(RECS, both)["daily"].filter(pl.col("day") >= DAYS[2])
    assert_holds(again["daily"].filter(pl.col("day") >= DAYS[2]), new)


def test_a_fault_before_the_lookback_stops_no_build_unless_its_day_is_named(shop: Shop) -> None:
    shop.add("recs", RECS)
    shop.add("truth", TRUTH)
    shop.build()
    shop.add("recs", RECS.head(1).with_columns(item=pl.lit(9, pl.Int64)))
    shop.build()
    with pytest.raises(AssertionError, match=r"FAIL 1 daily_has_sound_data"):
        shop.build("--vars", "{rankmetrics_from: 2024-01-01, rankmetrics_until: 2024-01-02}")


def test_vars_compute_a_range_of_days_and_a_new_metric_gets_a_column(shop: Shop) -> None:
    shop.add("recs", RECS)
    shop.add("truth", TRUTH)
    old = shop.build()["daily"]
    changed = TRUTH.with_columns(item=pl.lit(0, pl.Int64))
    shop.add("truth", changed)
    days = shop.build("--vars", "{rankmetrics_from: 2024-01-01, rankmetrics_until: 2024-01-02}")["daily"]
    new = expected(RECS, pl.concat([TRUTH, changed]))["daily"]
    in_range = pl.col("day") <= DAYS[1]
    assert_holds(
        days,
        pl.concat(
            [new.filter(in_range), old.rename(dict(zip(old.columns, new.columns, strict=True))).filter(~in_range)]
        ),
    )
    daily = {**BOARDS["daily"], "metrics": ["ndcg@2", "rr"]}
    (shop.folder / "rankmetrics/leaderboards.yml").write_text(json.dumps({"leaderboards": {**BOARDS, "daily": daily}}))
    dbt.write(shop.folder / "rankmetrics")
    added = shop.build()["daily"].sort("day")
    assert added.columns == ["day", "algorithm", "n_lists", "ndcg_at_2", "hit_at_1", "rr"]
    assert added["rr"].is_null().to_list() == [True] * 4 + [False] * 4  # the lookback is a day
    assert added["hit_at_1"].is_null().to_list() == [False] * 4 + [True] * 4


# --- what is written --------------------------------------------------------------------------------------------------


def test_the_settings_of_a_leaderboard_are_those_of_its_model(package: Path) -> None:
    config = {"materialized": "table", "tags": ["daily"], "meta": {"owner": "ranking"}, "cluster_by": ["algorithm"]}
    board(package, config=config)
    assert described(package)["config"] == config


def test_keys_of_an_incremental_model_are_quoted_in_the_case_of_the_warehouse(package: Path) -> None:
    day: dict[str, Any] = {"lists": ["day", '"algoId"', "user"], "truth_lists": ["day", "user"], "partition": "day"}
    board(package, **day, by=["day", '"algoId"'], adapters=["snowflake"], lookback=2)
    text = (package / "models/one.sql").read_text()
    (written,) = re.findall(r"config\(unique_key=(.*), on_schema_change='append_new_columns'\) \}\}", text)
    keys = re.sub(r"\\U([0-9a-f]{8})", lambda code: chr(int(code[1], 16)), written)
    assert keys == """['"DAY"', '"algoId"']"""
    assert "partition_range(this if is_incremental() else none, rankmetrics.quoted('day'), 2)" in text
    assert text.count("within_range(") == 2
    test = (package / "tests/one_has_sound_data.sql").read_text()
    assert "partition_range(none if flags.FULL_REFRESH else ref('one'), rankmetrics.quoted('day'), 2)" in test
    assert test.count("within_range(") == 2
    own = {**day, "config": {"unique_key": ["day"]}, "by": ["day", '"algoId"']}
    board(package, **own, adapters=["snowflake"])
    assert "unique_key" not in (package / "models/one.sql").read_text()
    assert 'GROUP BY "DAY", "algoId"' in sql(package, "snowflake")


def test_an_incremental_model_that_cannot_be_is_refused(package: Path) -> None:
    for lines, words in {
        "config: {materialized: incremental}": "'materialized: incremental', which computes the newest partitions",
        "lookback: 2": "'lookback', which computes the newest partitions",
        "partition: user": "'user' is not a column that tells the rows apart",
        "semantic_model: true": "needs per_list: true, and a date, as in partition: day",
        "partition: algorithm\n    lookback: -1": "lookback: -1 is below 0",
        "config: {contract: {enforced: true}}": "a contract needs the types of 'algorithm'",
        "config: [a]": r"config: \['a'\] is not a mapping",
    }.items():
        (package / "leaderboards.yml").write_text(f"{GOOD}    {lines}\n")
        with pytest.raises(rm.InputError, match=words):
            dbt.write(package)
