"""Polars' lazy frames larger than memory: streamed into DuckDB, whose sorts, joins and groups go on on disk.

Polars streams a scan and most of a query, but holds all rows of a window, of a join's build side and of many groups.
With a limit of memory, DuckDB computes instead: it reads the frames as Polars streams them, as often as the query does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import duckdb
import polars as pl

from rankmetrics.engines.arrow import Batches, in_plain_types
from rankmetrics.engines.base import Engine
from rankmetrics.engines.duckdb import DuckDB
from rankmetrics.engines.duckdb_connection import opened_within, reason, relation_over
from rankmetrics.engines.kinds import engine_for, module_of
from rankmetrics.engines.polars import Polars
from rankmetrics.engines.polars_frames import scan_relation
from rankmetrics.errors import EngineError, InputError, Option
from rankmetrics.inputs.columns import Side

if TYPE_CHECKING:
    import pyarrow as pa


def limited(memory_limit: str, recs: object, connection: object | None) -> tuple[type[Engine], Any]:
    """The engine that keeps to a limit of memory, and a connection of its own that does.

    What does not fit goes into a folder of its own in the folder for temporary files; DuckDB removes it, with all that
    is in it, when the last result is gone.

    Raises:
        InputError: the limit is none, or another engine computes, which has settings of its own.
    """
    engine = engine_for(recs, connection)
    if connection is not None or module_of(recs) == "duckdb" or not issubclass(engine, (DuckDB, Polars)):
        raise InputError(
            Option("memory_limit"),
            " is for files and frames, which DuckDB then computes on a connection of its own: where a "
            "connection, a session or a relation of one is given, set the limit there.",
        )
    spill = Path(tempfile.gettempdir()) / f"rankmetrics-{uuid4().hex}"
    try:
        own = opened_within(memory_limit, temp_directory=str(spill))
    except duckdb.Error as error:
        raise InputError(Option("memory_limit", memory_limit), f" cannot be: {reason(error)}") from error
    return (Spilling if issubclass(engine, Polars) else engine), own


class Spilling(Polars):
    """Polars' frames, computed by DuckDB; what it returns is a LazyFrame."""

    name = "DuckDB"
    dialect = "duckdb"
    stopped = (duckdb.OutOfMemoryException, duckdb.InterruptException)

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        super().__init__(given, None, dialect)
        self._connection: Any = connection

    def rank(self, name: str, side: Side) -> str | None:
        return None  # DuckDB sorts, and what it sorts may be larger than memory

    def _run(self, sql: str, columns: Sequence[str]) -> pl.LazyFrame:
        streams = {name: _Batches(in_plain_types(frame)) for name, frame in self._frames.items()}
        try:
            relation = relation_over(self._connection.sql, sql, streams)
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), sql) from error
        return scan_relation(relation, lambda: self._reading(streams.values()))

    @contextmanager
    def _reading(self, streams: Iterable[_Batches]) -> Iterator[None]:
        """Refuse an input that cannot be read any more, where it is at fault for what DuckDB says."""
        with self._files_in_place():
            try:
                yield
            except EngineError:
                gone = next((one.failed for one in streams if isinstance(one.failed, OSError)), None)
                if gone is None:
                    raise
                raise self._failed(gone, lambda: "") from gone


class _Batches(Batches):
    """A lazy frame as an Arrow stream, computed batch by batch whenever it is read; `failed` is the last error."""

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
