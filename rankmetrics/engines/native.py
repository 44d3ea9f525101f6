"""Tables of other libraries, as Arrow: whatever Narwhals knows (pandas, Modin, cuDF, Dask, PyArrow and more)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


class Batches(ABC):
    """An Arrow stream that is computed, part by part, whenever it is read."""

    schema: pa.Schema

    @abstractmethod
    def _batches(self) -> Iterator[pa.RecordBatch]:
        """The parts, all of the schema."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        import pyarrow as pa

        return pa.RecordBatchReader.from_batches(self.schema, self._batches()).__arrow_c_stream__(requested_schema)


class Stream(Batches):
    """An Arrow stream of what is computed elsewhere, such as a Dask frame: computed, part by part, when it is read."""

    def __init__(self, lazy: Any) -> None:
        import pyarrow as pa

        self._lazy = lazy
        empty = getattr(lazy.to_native(), "_meta", None)  # Dask computes a part even for no rows of it
        schema = _read(lazy.head(0) if empty is None else empty).schema
        self.schema = pa.schema([_told(field) for field in schema])

    def _batches(self) -> Iterator[pa.RecordBatch]:
        whole = self._lazy.to_native()
        for part in getattr(whole, "partitions", [whole]):
            yield from _read(part).cast(self.schema).to_batches()


def _told(field: Any) -> Any:
    """A field whose type is told: where there is no value to tell by, objects are texts."""
    import pyarrow as pa

    return field.with_type(pa.large_string()) if pa.types.is_null(field.type) else field


def _read(frame: Any) -> pa.Table:
    """A frame, lazy or not, as an Arrow table."""
    import narwhals

    known = narwhals.from_native(frame)
    table: pa.Table = (
        known.collect("pyarrow").to_native() if isinstance(known, narwhals.LazyFrame) else known.to_arrow()
    )
    return table


def is_column(value: object) -> bool:
    """Whether this is one column: pandas and Polars would export it as a stream of Arrow, too."""
    return type(value).__name__ in ("ChunkedArray", "Index", "Series")


def as_arrow(value: Any) -> Any:
    """A table that exports an Arrow stream as often as it is asked to; None where nobody knows how to read it."""
    if is_column(value):
        return None
    if type(value).__name__ == "RecordBatchReader":
        return value.read_all()  # a reader is read once, a query may read it twice
    if hasattr(value, "__arrow_c_stream__"):
        return value
    import narwhals

    known = narwhals.from_native(value, pass_through=True, series_only=False)
    if isinstance(known, narwhals.DataFrame):
        return known.to_arrow()
    return Stream(known) if isinstance(known, narwhals.LazyFrame) else None


def as_table(value: Any) -> pa.Table | None:
    """The same as a table in memory."""
    import pyarrow as pa

    stream = as_arrow(value)
    return None if stream is None else pa.table(stream)
