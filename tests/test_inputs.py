"""Every kind of input gives the summary that the Polars frame of the same data gives, and leaves nothing behind."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

import dask
import dask.dataframe as dd
import duckdb
import narwhals as nw
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.conftest import Engine
from tests.engines import means

RECS = pl.DataFrame(
    {
        "algorithm": ["als"] * 6 + ["pop"] * 5,
        "user": [1, 1, 1, 2, 2, 3, 1, 1, 2, 2, 9],
        "item": [11, 12, 13, 11, 14, 12, 12, 11, 13, 14, 11],
        "score": [0.9, 0.8, 0.1, 0.7, 0.2, 0.4, 0.9, 0.3, 0.6, 0.5, 0.5],
    }
)
TRUTH = pl.DataFrame({"user": [1, 1, 2, 3, 4], "item": [12, 13, 14, 12, 11], "rating": [5.0, 3.0, 4.0, 1.0, 2.0]})
METRICS = ["ndcg(gain=linear)@3", "recall@2", "rr"]
EXPECTED = rm.evaluate(RECS, TRUTH, METRICS)
SUMMARY = EXPECTED.summary().collect()

# The same with rows that only the account tells of.
HOLED_RECS = pl.concat([RECS, RECS[:2].with_columns(user=pl.lit(None, pl.Int64))])
HOLED_TRUTH = pl.concat([TRUTH, TRUTH[:3].with_columns(item=pl.lit(None, pl.Int64))])
ACCOUNT = rm.evaluate(HOLED_RECS, HOLED_TRUTH, METRICS).account().collect()


@dataclass(frozen=True)
class Desk:
    """Where inputs are made: a folder for files and a connection for relations and tables."""

    folder: Path
    connection: duckdb.DuckDBPyConnection

    def path(self, name: str, frame: pl.DataFrame, ending: str = "parquet") -> Path:
        path = self.folder / f"{name}.{ending}"
        write: dict[str, Callable[[Path], object]] = {
            "parquet": frame.write_parquet,
            "csv": frame.write_csv,
            "ndjson": frame.write_ndjson,
        }
        write[ending](path)
        return path

    def paths(self, name: str, frame: pl.DataFrame) -> list[Path]:
        """The frame cut into three files of a folder of their own."""
        (self.folder / name).mkdir(exist_ok=True)
        cuts = [frame[:1], frame[1:3], frame[3:]]
        return [self.path(f"{name}/part-{number}", cut) for number, cut in enumerate(cuts)]

    def relation(self, name: str, frame: pl.DataFrame) -> duckdb.DuckDBPyRelation:
        self.table(name, frame)
        return self.connection.table(name)

    def table(self, name: str, frame: pl.DataFrame) -> None:
        given = frame.to_arrow()  # found by its name
        self.connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM given")
        assert given is not None

    def objects(self) -> list[tuple[Any, ...]]:
        """Every table and view of every database that the connection sees."""
        return self.connection.execute(
            "SELECT database_name, schema_name, table_name FROM duckdb_tables() "
            "UNION ALL SELECT database_name, schema_name, view_name FROM duckdb_views() ORDER BY ALL"
        ).fetchall()


class Stream:
    """What exports an Arrow stream and is otherwise of no known kind."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, duckdb.connect())


Kind: TypeAlias = Callable[[Desk, str, pl.DataFrame], Any]

KINDS: dict[str, Kind] = {
    "Polars LazyFrame": lambda desk, name, frame: frame.lazy(),
    "Polars DataFrame": lambda desk, name, frame: frame,
    "DuckDB relation": lambda desk, name, frame: desk.relation(name, frame),
    "Parquet file": lambda desk, name, frame: desk.path(name, frame),
    "Parquet file as text": lambda desk, name, frame: str(desk.path(name, frame)),
    "CSV file": lambda desk, name, frame: desk.path(name, frame, "csv"),
    "NDJSON file": lambda desk, name, frame: desk.path(name, frame, "ndjson"),
    "files": lambda desk, name, frame: desk.paths(name, frame),
    "files as texts": lambda desk, name, frame: [str(path) for path in desk.paths(name, frame)],
    "glob": lambda desk, name, frame: f"{desk.paths(name, frame)[0].parent}/part-*.parquet",
    "folder": lambda desk, name, frame: desk.paths(name, frame)[0].parent,
    "folder as text": lambda desk, name, frame: f"{desk.paths(name, frame)[0].parent}/",
    "pandas": lambda desk, name, frame: frame.to_pandas(),
    "pyarrow Table": lambda desk, name, frame: frame.to_arrow(),
    "pyarrow Dataset": lambda desk, name, frame: pa.dataset.dataset(desk.paths(name, frame)),
    "pyarrow RecordBatch": lambda desk, name, frame: frame.to_arrow().combine_chunks().to_batches()[0],
    "pyarrow RecordBatchReader": lambda desk, name, frame: frame.to_arrow().to_reader(),
    "Arrow stream": lambda desk, name, frame: Stream(frame.to_arrow()),
    "Dask": lambda desk, name, frame: _in_dask(frame),
    "Dask of a folder": lambda desk, name, frame: dd.read_parquet(str(desk.paths(name, frame)[0].parent)),
    "Narwhals DataFrame": lambda desk, name, frame: nw.from_native(frame.to_pandas()),
    "Narwhals LazyFrame": lambda desk, name, frame: nw.from_native(_in_dask(frame)),
}


def _in_dask(frame: Any) -> Any:
    """A Dask frame of three parts."""
    parts: Any = dd
    return parts.from_pandas(frame.to_pandas() if isinstance(frame, pl.DataFrame) else frame, npartitions=3, sort=False)


HANDFUL = ["Polars LazyFrame", "DuckDB relation", "Parquet file", "pandas", "pyarrow Table"]


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


def assert_same(result: rm.Result, expected: pl.DataFrame = SUMMARY) -> None:
    """The summary is as expected."""
    lazy = result.summary()
    assert_frame_equal(lazy.collect() if isinstance(lazy, pl.LazyFrame) else lazy.pl(), expected)


# --- every kind -----------------------------------------------------------------------------------------------------


def test_every_kind_of_recommendations_gives_the_same_summary(desk: Desk, kind: Kind) -> None:
    assert_same(rm.evaluate(kind(desk, "recs", RECS), TRUTH, METRICS))


def test_every_kind_of_recommendations_collects_and_counts_the_same(desk: Desk, kind: Kind) -> None:
    result = rm.evaluate(kind(desk, "recs", RECS), TRUTH, METRICS)
    assert_frame_equal(means(result), SUMMARY)
    assert result.notes() == EXPECTED.notes()


def test_every_kind_of_truth_gives_the_same_summary(desk: Desk, engine: Engine, kind: Kind) -> None:
    recs = RECS.lazy() if engine.name == "polars" else desk.relation("recs", RECS)
    assert_same(rm.evaluate(recs, kind(desk, "truth", TRUTH), METRICS))


@pytest.mark.parametrize("named", [False, True], ids=["relation", "table"])
def test_polars_reads_a_truth_of_duckdb_as_often_as_it_needs_it(desk: Desk, named: bool) -> None:
    truth = desk.relation("truth", TRUTH)
    result = rm.evaluate(RECS.lazy(), "truth" if named else truth, METRICS, connection=desk.connection)
    for _ in range(5):  # a query reads the truth several times, side by side
        assert_frame_equal(means(result), SUMMARY)
        assert_frame_equal(result.account().collect(), EXPECTED.account().collect())


@pytest.mark.parametrize(("recs", "truth"), list(product(HANDFUL, repeat=2)))
def test_kinds_mix(desk: Desk, recs: str, truth: str) -> None:
    assert_same(rm.evaluate(KINDS[recs](desk, "recs", RECS), KINDS[truth](desk, "truth", TRUTH), METRICS))


def test_the_result_is_of_the_kind_of_the_recommendations(desk: Desk, kind: Kind) -> None:
    recs = kind(desk, "recs", RECS)
    result = rm.evaluate(recs, TRUTH, METRICS)
    lazy = pl.LazyFrame if isinstance(recs, (pl.LazyFrame, pl.DataFrame)) else duckdb.DuckDBPyRelation
    assert isinstance(result.summary(), lazy)
    assert isinstance(result.per_list(), lazy)
    assert isinstance(result.account(), lazy)


@pytest.mark.parametrize("kind", ["numpy_nullable", "pyarrow"])
def test_missing_ids_of_pandas_are_counted(engine: Engine, kind: Any) -> None:
    recs, truth = (one.to_pandas().convert_dtypes(dtype_backend=kind) for one in (HOLED_RECS, HOLED_TRUTH))
    result = rm.evaluate(HOLED_RECS.lazy() if engine.name == "polars" else recs, truth, METRICS)
    assert_same(result)
    assert_frame_equal(engine.read(result.account()), ACCOUNT)


# --- relations and tables of the user's database --------------------------------------------------------------------


def test_a_relation_is_evaluated_on_its_own_connection(desk: Desk) -> None:
    desk.connection.execute("CREATE TEMP TABLE labels AS SELECT 'als' AS algorithm, 'ALS' AS label")
    result = rm.evaluate(desk.relation("recs", RECS), desk.relation("truth", TRUTH), METRICS)
    labelled = result.summary().query("summary", "SELECT label FROM summary JOIN labels USING (algorithm)")
    assert labelled.fetchall() == [("ALS",)]


def test_a_relation_that_reads_python_objects_and_queries_is_evaluated(desk: Desk) -> None:
    given = RECS.to_arrow()
    recs = desk.connection.sql("SELECT * FROM (SELECT * FROM given) WHERE score >= 0")
    truth = desk.connection.from_arrow(TRUTH.to_arrow()).filter("rating > 0")
    assert given is not None
    assert_same(rm.evaluate(recs, truth, METRICS))


def test_relations_of_the_default_connection_are_evaluated() -> None:
    assert_same(rm.evaluate(duckdb.from_arrow(RECS.to_arrow()), duckdb.from_arrow(TRUTH.to_arrow()), METRICS))


def test_relations_of_two_databases_are_refused_in_words(desk: Desk) -> None:
    other = duckdb.connect().from_arrow(TRUTH.to_arrow())
    with pytest.raises(rm.InputError, match="truth cannot be read"):
        rm.evaluate(desk.relation("recs", RECS), other, METRICS)


DUCKDB_1 = pytest.mark.xfail(
    duckdb.__version__ < "2",
    reason="DuckDB 1 keeps the temporary view that a relation is queried under; with connection= there is none",
)


@pytest.mark.parametrize("truth", HANDFUL)
@pytest.mark.parametrize("named", [pytest.param(False, id="", marks=DUCKDB_1), pytest.param(True, id="connection=")])
def test_an_evaluation_leaves_nothing_in_the_database(desk: Desk, truth: str, named: bool) -> None:
    recs, given = desk.relation("recs", RECS), KINDS[truth](desk, "truth", TRUTH)
    before = desk.objects()
    result = rm.evaluate(recs, given, METRICS, connection=desk.connection if named else None)
    for lazy in (result.summary(), result.per_list(), result.account()):
        lazy.fetchall()
    result.write(desk.folder / "summary.parquet")
    assert "recall@2" in repr(result)
    assert desk.objects() == before
    assert_frame_equal(pl.read_parquet(desk.folder / "summary.parquet").drop("n_missing"), SUMMARY)


def test_tables_are_found_by_name(desk: Desk) -> None:
    desk.table("recs", RECS)
    desk.table("truth", TRUTH)
    assert_same(rm.evaluate("recs", "truth", METRICS, connection=desk.connection))


def test_views_are_found_by_name(desk: Desk) -> None:
    desk.table("all_recs", RECS)
    desk.table("all_truth", TRUTH)
    desk.connection.execute("CREATE VIEW recs AS FROM all_recs; CREATE TEMP VIEW truth AS FROM all_truth")
    assert_same(rm.evaluate("recs", "truth", METRICS, connection=desk.connection))


@pytest.mark.parametrize("schema", ["shop", '"my shop"', "memory.shop"])
def test_tables_of_a_schema_are_found_by_name(desk: Desk, schema: str) -> None:
    desk.connection.execute(f"CREATE SCHEMA {schema}")
    desk.table(f"{schema}.recs", RECS)
    desk.table(f"{schema}.truth", TRUTH)
    assert_same(rm.evaluate(f"{schema}.recs", f"{schema}.truth", METRICS, connection=desk.connection))


def test_a_table_named_as_a_folder_is_the_table(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    (desk.folder / "recs").mkdir()
    monkeypatch.chdir(desk.folder)
    desk.table("recs", RECS)
    assert_same(rm.evaluate("recs", TRUTH, METRICS, connection=desk.connection))


@pytest.mark.parametrize("truth", HANDFUL)
def test_a_table_goes_with_every_kind_of_truth(desk: Desk, truth: str) -> None:
    desk.table("recs", RECS)
    given = KINDS[truth](desk, "truth", TRUTH)
    assert_same(rm.evaluate("recs", given, METRICS, connection=desk.connection))


@pytest.mark.parametrize("recs", HANDFUL)
def test_every_kind_of_recommendations_goes_with_a_table_of_truth(desk: Desk, recs: str) -> None:
    desk.table("truth", TRUTH)
    given = KINDS[recs](desk, "recs", RECS)
    assert_same(rm.evaluate(given, "truth", METRICS, connection=desk.connection))


CALLED = [
    ("hits", "lists"),
    ("ranked", "per_list"),
    ("recommended", "distinct_judgments"),
    ("truth", "recs"),
    ("scored", "relevant"),
]


@pytest.mark.parametrize(("recs", "truth"), CALLED)
def test_tables_may_be_called_as_parts_of_the_query_are(desk: Desk, recs: str, truth: str) -> None:
    desk.table(recs, HOLED_RECS)
    desk.table(truth, HOLED_TRUTH)
    result = rm.evaluate(recs, truth, METRICS, connection=desk.connection)
    assert_same(result)
    assert_frame_equal(result.account().pl(), ACCOUNT)


@pytest.mark.parametrize(("recs", "truth"), CALLED)
@pytest.mark.parametrize("named", [False, True], ids=["", "connection="])
def test_relations_may_read_tables_called_as_parts_of_the_query_are(
    desk: Desk, recs: str, truth: str, named: bool
) -> None:
    given = desk.relation(recs, HOLED_RECS), desk.relation(truth, HOLED_TRUTH)
    result = rm.evaluate(*given, METRICS, connection=desk.connection if named else None)
    assert_same(result)
    assert_frame_equal(result.account().pl(), ACCOUNT)


@pytest.mark.parametrize("name", ["hits", "lists", "ranked", "per_list", "recs", "truth"])
def test_other_tables_of_the_database_are_not_taken_for_parts_of_the_query(desk: Desk, name: str) -> None:
    desk.connection.execute(f"CREATE TABLE {name} (user INTEGER, item INTEGER, rank INTEGER, score DOUBLE)")
    desk.table("my_recs", RECS)
    assert_same(rm.evaluate("my_recs", TRUTH, METRICS, connection=desk.connection))
    assert_same(rm.evaluate(desk.connection.table("my_recs"), TRUTH, METRICS))


@pytest.mark.parametrize("recs", ["DuckDB relation", "pandas"])
@pytest.mark.parametrize("truth", ["DuckDB relation", "pandas", "Polars LazyFrame"])
@pytest.mark.parametrize("temporary", ["", "TEMP"])
def test_tables_called_as_our_own_names_do_not_stand_in_for_the_inputs(
    desk: Desk, recs: str, truth: str, temporary: str
) -> None:
    for name in ("rankmetrics_recs", "rankmetrics_truth", "rankmetrics_result"):
        desk.connection.execute(
            f"CREATE {temporary} TABLE {name} AS SELECT 'wrong' AS algorithm, 1 AS user, 12 AS item, 0.5 AS score"
        )
    given = KINDS[recs](desk, "recs", RECS), KINDS[truth](desk, "truth", TRUTH)
    assert_same(rm.evaluate(*given, METRICS, connection=desk.connection))
    assert desk.connection.execute("SELECT algorithm FROM rankmetrics_recs").fetchall() == [("wrong",)]


@pytest.mark.parametrize("name", ["rankmetrics_recs", "rankmetrics_truth"])
def test_tables_called_as_our_own_names_leave_relations_alone(desk: Desk, name: str) -> None:
    recs, truth = desk.relation("recs", RECS), desk.relation("truth", TRUTH)
    desk.connection.execute(f"CREATE TABLE {name} AS SELECT 'wrong' AS algorithm, 1 AS user, 12 AS item, 0.5 AS score")
    result = rm.evaluate(recs, truth, METRICS)
    assert_same(result)
    result.write(desk.folder / "summary.csv")
    assert desk.connection.execute(f"SELECT algorithm FROM {name}").fetchall() == [("wrong",)]


def test_the_table_rankmetrics_recs_itself_can_be_evaluated(desk: Desk) -> None:
    desk.table("rankmetrics_recs", RECS)
    desk.table("rankmetrics_truth", TRUTH)
    assert_same(rm.evaluate("rankmetrics_recs", "rankmetrics_truth", METRICS, connection=desk.connection))
    assert_same(rm.evaluate(desk.connection.table("rankmetrics_recs"), TRUTH, METRICS))


def test_a_database_that_can_only_be_read_is_evaluated(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "shop.duckdb") as writing:
        desk = Desk(tmp_path, writing)
        desk.table("recs", RECS)
        desk.table("truth", TRUTH)
    with duckdb.connect(tmp_path / "shop.duckdb", read_only=True) as reading:
        assert_same(rm.evaluate("recs", "truth", METRICS, connection=reading))
        assert_same(rm.evaluate(reading.table("recs"), reading.table("truth"), METRICS))
        assert_same(rm.evaluate(reading.table("recs"), TRUTH.lazy(), METRICS))
        rm.evaluate("recs", "truth", METRICS, connection=reading).write(tmp_path / "summary.csv")
    assert pl.read_csv(tmp_path / "summary.csv").drop("n_missing").columns == SUMMARY.columns


# --- lazy truth -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recs", ["DuckDB relation", "Parquet file", "pandas", "Polars LazyFrame"])
def test_a_lazy_truth_is_not_collected_before_the_result_is_read(desk: Desk, recs: str) -> None:
    calls: list[int] = []

    def count(frame: pl.DataFrame) -> pl.DataFrame:
        calls.append(frame.height)
        return frame

    truth = TRUTH.lazy().map_batches(count, schema=TRUTH.schema)
    result = rm.evaluate(KINDS[recs](desk, "recs", RECS), truth, METRICS)
    lazy = [result.summary(), result.per_list(), result.account()]
    assert result.to_sql()
    assert not calls
    summary = lazy[0]
    assert_frame_equal(summary.collect() if isinstance(summary, pl.LazyFrame) else summary.pl(), SUMMARY)
    assert calls


class Counted:
    """Counts the parts of a Dask frame that are computed."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.parts: list[int] = []
        self.frame = _in_dask(frame).map_partitions(self, meta=frame.to_pandas().iloc[:0])

    def __call__(self, part: Any) -> Any:
        self.parts.append(len(part))
        return part

    def __dask_tokenize__(self) -> str:
        """What Dask tells two steps apart by: what one has computed is not taken for the other's."""
        return uuid4().hex


@pytest.mark.parametrize("recs", ["DuckDB relation", "Parquet file", "pandas", "Polars LazyFrame", "Dask"])
def test_a_dask_truth_is_not_computed_before_the_result_is_read(desk: Desk, recs: str) -> None:
    with dask.config.set(scheduler="synchronous"):
        truth = Counted(TRUTH)
        result = rm.evaluate(KINDS[recs](desk, "recs", RECS), truth.frame, METRICS)
        lazy = [result.summary(), result.per_list(), result.account()]
        assert result.to_sql()
        assert sum(truth.parts) == 0
        assert_frame_equal(lazy[0].collect() if isinstance(lazy[0], pl.LazyFrame) else lazy[0].pl(), SUMMARY)
        assert sum(truth.parts) >= TRUTH.height


def test_dask_recommendations_are_not_computed_before_the_result_is_read() -> None:
    with dask.config.set(scheduler="synchronous"):
        recs = Counted(RECS)
        result = rm.evaluate(recs.frame, TRUTH, METRICS)
        lazy = [result.summary(), result.per_list(), result.account()]
        assert sum(recs.parts) == 0
        assert_frame_equal(lazy[0].pl(), SUMMARY)
        assert sum(recs.parts) >= RECS.height
        assert max(recs.parts) < RECS.height  # part by part


def test_a_dask_frame_that_cannot_be_computed_is_refused_as_the_engine_refuses_it(desk: Desk) -> None:
    def fail(part: Any) -> Any:
        if len(part):
            raise ValueError("a part is broken")
        return part

    broken = _in_dask(RECS).map_partitions(fail, meta=RECS.to_pandas().iloc[:0])
    with pytest.raises(rm.EngineError, match="a part is broken"):
        rm.evaluate(broken, TRUTH, METRICS).collect()
    with pytest.raises(rm.EngineError, match="a part is broken"):
        rm.evaluate(RECS.lazy(), broken.drop(columns=["algorithm", "score"]), METRICS[1:]).collect()


@pytest.mark.parametrize("kind", ["numpy_nullable", "pyarrow"])
def test_missing_ids_of_dask_are_counted(engine: Engine, kind: Any) -> None:
    recs, truth = (_in_dask(one.to_pandas().convert_dtypes(dtype_backend=kind)) for one in (HOLED_RECS, HOLED_TRUTH))
    result = rm.evaluate(HOLED_RECS.lazy() if engine.name == "polars" else recs, truth, METRICS)
    assert_same(result)
    assert_frame_equal(engine.read(result.account()), ACCOUNT)


@pytest.mark.parametrize("value", [RECS.to_pandas()["score"], _in_dask(RECS)["score"]], ids=["pandas", "Dask"])
def test_a_column_alone_is_no_table(value: Any) -> None:
    with pytest.raises(rm.InputError, match="recommendations"):
        rm.evaluate(value, TRUTH, METRICS)
    with pytest.raises(rm.InputError, match="truth"):
        rm.evaluate(RECS.lazy(), value, METRICS)


# --- ties in the order of the rows ----------------------------------------------------------------------------------

SHUFFLED = random.Random(7).sample(range(1000), 1000)
TIED = pl.DataFrame({"user": 1, "item": SHUFFLED, "score": 0.5}, strict=False)
ASKED_PLACES = [1, 2, 500, 999, 1000]

ORDERED: dict[str, Kind] = {
    **{name: one for name, one in KINDS.items() if name != "DuckDB relation"},
    "Parquet file of many row groups": lambda desk, name, frame: _in_row_groups(desk, name, frame),
}


def _in_row_groups(desk: Desk, name: str, frame: pl.DataFrame) -> Path:
    frame.write_parquet(desk.folder / f"{name}.parquet", row_group_size=64)
    return desk.folder / f"{name}.parquet"


@pytest.fixture(params=list(ORDERED))
def ordered(request: pytest.FixtureRequest) -> Kind:
    return ORDERED[request.param]


def test_ties_can_keep_the_order_of_the_rows(desk: Desk, ordered: Kind) -> None:
    # the list of user k is judged by the one item that stands at its k-th asked place
    recs = pl.concat(TIED.with_columns(user=pl.lit(user)) for user in range(len(ASKED_PLACES)))
    truth = pl.DataFrame({"user": range(len(ASKED_PLACES)), "item": [SHUFFLED[place - 1] for place in ASKED_PLACES]})
    result = rm.evaluate(ordered(desk, "recs", recs.cast({"user": pl.Int64})), truth, "rr", ties="input", by=["user"])
    assert result.collect()["rr"].to_list() == [pytest.approx(1 / place) for place in ASKED_PLACES]


def test_rows_in_order_need_no_score(desk: Desk, ordered: Kind) -> None:
    truth = pl.DataFrame({"user": [1], "item": [SHUFFLED[499]]})
    recs = ordered(desk, "recs", TIED.drop("score").cast({"user": pl.Int64}))
    assert rm.evaluate(recs, truth, "rr", ties="input").collect()["rr"].item() == pytest.approx(1 / 500)


def test_files_are_in_the_order_in_which_they_are_named(desk: Desk) -> None:
    first, second = TIED[:500], TIED[500:]
    recs = [desk.path("z", first), desk.path("a", second)]
    truth = pl.DataFrame({"user": [1], "item": [SHUFFLED[0]]})
    assert rm.evaluate(recs, truth, "rr", ties="input").collect()["rr"].item() == 1.0


def test_higher_scores_stand_before_earlier_rows(engine: Engine, desk: Desk) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": [3, 1, 2], "score": [0.1, 0.5, 0.5]})
    truth = pl.DataFrame({"user": [1], "item": [2]})
    given = recs if engine.name == "polars" else recs.to_arrow()
    assert rm.evaluate(given, truth, "rr", ties="input").collect()["rr"].item() == 1 / 2


# --- categorical columns --------------------------------------------------------------------------------------------

FRUIT = pl.Enum(["pear", "fig", "apple"])  # neither in the order of the alphabet nor in that of the truth's categories
NAMED = pl.DataFrame(
    {"user": ["bo", "bo", "bo", "al", "al"], "item": ["pear", "apple", "fig", "fig", "pear"], "score": [0.5] * 5}
)
NAMED_TRUTH = pl.DataFrame({"user": ["al", "bo", "cy"], "item": ["fig", "apple", "fig"]})
BY_USER = rm.evaluate(NAMED, NAMED_TRUTH, METRICS[1:], by="user").summary().collect()


def _as_enum(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.cast({"item": FRUIT, "user": pl.Enum(["cy", "bo", "al"])})


def _as_categorical(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.cast({"item": pl.Categorical, "user": pl.Categorical})


CATEGORICAL: dict[str, Kind] = {
    "Polars Enum": lambda desk, name, frame: _as_enum(frame).lazy(),
    "Polars Categorical": lambda desk, name, frame: _as_categorical(frame).lazy(),
    "pandas category": lambda desk, name, frame: _as_enum(frame).to_pandas(),
    "Arrow dictionary": lambda desk, name, frame: _as_enum(frame).to_arrow(),
    "Arrow stream": lambda desk, name, frame: Stream(_as_categorical(frame).to_arrow()),
    "DuckDB relation": lambda desk, name, frame: desk.connection.from_df(_as_enum(frame).to_pandas()),
    "DuckDB table": lambda desk, name, frame: desk.relation(name, _as_enum(frame)),
    "Parquet file": lambda desk, name, frame: desk.path(name, _as_enum(frame)),
}


@pytest.mark.parametrize("recs", list(CATEGORICAL))
@pytest.mark.parametrize(("ties", "rr"), [("item", 1.0), ("item_desc", (1 / 2 + 1 / 3) / 2)])
def test_ties_of_categorical_items_are_in_the_order_of_their_texts(desk: Desk, recs: str, ties: Any, rr: float) -> None:
    truth = NAMED_TRUTH.filter(pl.col("user") != "cy")
    result = rm.evaluate(CATEGORICAL[recs](desk, "recs", NAMED), truth, "rr", ties=ties)
    assert result.collect()["rr"].item() == pytest.approx(rr)


PAIRED = ["Polars Enum", "Polars Categorical", "pandas category", "DuckDB relation", "Parquet file"]


@pytest.mark.parametrize(("recs", "truth"), list(product(PAIRED, repeat=2)))
def test_categorical_columns_are_strings(desk: Desk, recs: str, truth: str) -> None:
    given = CATEGORICAL[recs](desk, "recs", NAMED), CATEGORICAL[truth](desk, "truth", NAMED_TRUTH)
    assert_same(rm.evaluate(*given, METRICS[1:], by="user"), BY_USER)


@pytest.mark.parametrize("recs", list(CATEGORICAL))
def test_categorical_columns_meet_strings(desk: Desk, recs: str) -> None:
    assert_same(rm.evaluate(CATEGORICAL[recs](desk, "recs", NAMED), NAMED_TRUTH, METRICS[1:], by="user"), BY_USER)


@pytest.mark.parametrize("truth", list(CATEGORICAL))
def test_strings_meet_categorical_columns(desk: Desk, engine: Engine, truth: str) -> None:
    recs = NAMED.lazy() if engine.name == "polars" else desk.relation("named", NAMED)
    assert_same(rm.evaluate(recs, CATEGORICAL[truth](desk, "truth", NAMED_TRUTH), METRICS[1:], by="user"), BY_USER)
