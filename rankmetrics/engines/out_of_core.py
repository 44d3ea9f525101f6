"""Lazy frames larger than memory: Polars streams them into DuckDB, which sorts, joins and groups on disk.

Polars streams scans and most of a query, but holds all rows of a window, of a join's build side and of many groups in
memory. With a memory limit, DuckDB computes the query instead, and reads each frame as a stream from Polars.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import duckdb
import polars as pl

from rankmetrics.engines.arrow import Batches, in_plain_types
from rankmetrics.engines.base import Engine, module_of
from rankmetrics.engines.duckdb import DuckDB, opened_within, reason, relation_over
from rankmetrics.engines.polars import Polars, scan_relation
from rankmetrics.errors import EngineError, InputError, Option
from rankmetrics.inputs.columns import Side
from rankmetrics.messages import said

if TYPE_CHECKING:
    import pyarrow as pa


def opened_with_spill(memory_limit: str | None) -> duckdb.DuckDBPyConnection:
    """A new connection that spills into a new temporary folder, which DuckDB removes when the last result is gone."""
    spill = Path(tempfile.gettempdir()) / f"rankmetrics-{uuid4().hex}"
    return opened_within(memory_limit, temp_directory=str(spill))


def opened_within_limit(memory_limit: str, engine: type[Engine], recs: object, connection: object | None) -> Any:
    """A new connection that computes within a memory limit."""
    if connection is not None or module_of(recs) == "duckdb" or not issubclass(engine, (DuckDB, Polars)):
        raise said(InputError, "limit_elsewhere")
    try:
        return opened_with_spill(memory_limit)
    except duckdb.Error as error:
        raise InputError(f"{Option('memory_limit', memory_limit)} is not valid: {reason(error)}") from error


class Spilling(Polars):
    """Runs queries over frames of Polars in DuckDB; results are LazyFrames."""

    name = "DuckDB"
    dialect = "duckdb"
    stopped = (duckdb.OutOfMemoryException, duckdb.InterruptException)

    def __init__(self, inputs: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        super().__init__(inputs, None)
        self._spill: Any = connection
        self._turn = Lock()

    def rank(self, name: str, side: Side) -> str | None:
        return None  # DuckDB ranks: Polars would hold all rows in memory

    def _run(self, sql: str, columns: Sequence[str]) -> pl.LazyFrame:
        streams = {name: _Batches(in_plain_types(frame)) for name, frame in self._tables.items()}
        try:
            relation = relation_over(self._spill.sql, sql, streams)
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), sql) from error
        return scan_relation(relation, self._turn, lambda: self._reading(streams.values()))

    _run_text = Engine._run_text  # not step by step as in Polars, since DuckDB runs the query

    @contextmanager
    def _reading(self, streams: Iterable[_Batches]) -> Iterator[None]:
        """Raise an InputError instead of DuckDB's error if the cause is an unreadable input."""
        with self._files_in_place():
            try:
                yield
            except EngineError:
                gone = next((stream.failed for stream in streams if isinstance(stream.failed, OSError)), None)
                if gone is None:
                    raise
                raise self._failed(gone, lambda: "") from gone


class Streaming(Spilling):
    """Runs queries over a frame of Polars in DuckDB; the columns of the frame keep their types in the results."""

    def _run(self, sql: str, columns: Sequence[str]) -> pl.LazyFrame:
        rows, types = super()._run(sql, columns), next(iter(self._schemas.values()))
        return rows.cast({name: kind for name, kind in types.items() if name in columns})


class _Batches(Batches):
    """A lazy frame as an Arrow stream: each read computes it, batch by batch. `failed` is the last error."""

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame
        self.schema = pl.DataFrame(schema=frame.collect_schema()).to_arrow().schema
        self.failed: BaseException | None = None

    def _batches(self) -> Iterator[pa.RecordBatch]:
        try:
            for batch in self._frame.collect_batches(lazy=True, engine="streaming"):
                yield from batch.to_arrow().cast(self.schema).to_batches()
        except BaseException as error:
            self.failed = error
            raise
