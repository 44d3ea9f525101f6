"""One small problem, and every kind of input that can hold it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import dask.dataframe as dd
import duckdb
import narwhals as nw
import polars as pl
import pyarrow as pa
import pyarrow.dataset
from polars.testing import assert_frame_equal

import rankmetrics as rm

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
    parts: Any = dd
    return parts.from_pandas(frame.to_pandas() if isinstance(frame, pl.DataFrame) else frame, npartitions=3, sort=False)


HANDFUL = ["Polars LazyFrame", "DuckDB relation", "Parquet file", "pandas", "pyarrow Table"]


def assert_same(result: rm.Result, expected: pl.DataFrame = SUMMARY) -> None:
    lazy = result.summary()
    assert_frame_equal(lazy.collect() if isinstance(lazy, pl.LazyFrame) else lazy.pl(), expected)
