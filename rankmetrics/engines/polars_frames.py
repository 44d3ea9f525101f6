"""Lazy frames of Polars over files, SELECTs, relations of DuckDB and Arrow streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from threading import Lock
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source
from sqlglot import exp

from rankmetrics.engines.arrow import ArrowFiles, Batches
from rankmetrics.engines.input import refuse_doubled
from rankmetrics.engines.paths import Files, local_files
from rankmetrics.errors import EngineError

# Held by the thread that reads from DuckDB: a connection serves one thread at a time.
TURN = Lock()


def scan_files_by_name(what: str, found: Files, file_column: str) -> pl.LazyFrame:
    """Files as a lazy frame with a column of the path of each row's file."""
    parts = [
        scan_files(what, replace(found, paths=[path])).with_columns(pl.lit(path).alias(file_column))
        for path in local_files(found.paths)
    ]
    return pl.concat(parts)


def scan_files(what: str, found: Files) -> pl.LazyFrame:
    """Files as a lazy frame.

    DuckDB reads text files, so that a column has the same type in every engine.
    """
    if found.form == "parquet":
        return pl.scan_parquet(found.paths)
    if found.form == "arrow":
        return scan_batches(ArrowFiles(what, found.paths))
    import duckdb

    from rankmetrics.engines.text_files import text_table

    text = (
        exp.select("*")
        .from_(text_table(what, found.paths, found.form, duckdb.connect().sql))
        .sql("duckdb", identify=True)
    )

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        with _duckdb_errors(text):
            for batch in duckdb.connect().sql(text).to_arrow_reader():
                frame = pl.DataFrame(batch).select(columns or pl.all()).slice(0, n_rows)
                n_rows = None if n_rows is None else n_rows - frame.height
                yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(read, schema=duckdb.connect().sql(text).limit(0).pl().schema)


@contextmanager
def _duckdb_errors(sql: str) -> Iterator[None]:
    """Raise an error of DuckDB as an EngineError, while Polars reads from DuckDB."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise EngineError("DuckDB", str(error), sql) from error


def scan_query(what: str, text: str, connection: Any) -> pl.LazyFrame:
    """A SELECT as a lazy frame: DuckDB runs it, on the caller's connection if there is one."""
    import duckdb

    from rankmetrics.engines.selects import query

    select = query(what, text, "duckdb").sql("duckdb")
    relation = (connection or duckdb.connect()).sql(select)
    refuse_doubled(what, relation.columns)
    return scan_relation(relation)


def scan_batches(stream: Batches) -> pl.LazyFrame:
    """An Arrow stream as a lazy frame, read each time the frame is collected."""
    return pl.defer(lambda: pl.DataFrame(stream), schema=pl.DataFrame(stream.schema.empty_table()).schema)


def scan_relation(relation: Any, watch: Callable[[], AbstractContextManager[None]] = nullcontext) -> pl.LazyFrame:
    """A relation of DuckDB as a lazy frame, read each time the frame is collected; reads run one after another.

    Polars reads the inputs of a query in parallel threads. A DuckDB connection serves one thread at a time, and
    several inputs may share a connection. `watch` is a context that each read enters.
    """

    def read() -> pl.DataFrame:
        with TURN, watch(), _duckdb_errors(relation.sql_query()):
            frame: pl.DataFrame = relation.pl()
            return frame

    return pl.defer(read, schema=relation.limit(0).pl().schema)
