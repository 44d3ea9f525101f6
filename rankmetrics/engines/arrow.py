"""Inputs of other libraries: tables of all that Narwhals knows (pandas, Modin, cuDF, Dask, PyArrow and more) as Arrow.

Dicts, tuples of arrays and matrices become frames of Polars.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rankmetrics.engines.base import module_of, refuse_doubled, refuse_masked
from rankmetrics.engines.files import format_of, local_files
from rankmetrics.errors import InputError, RankMetricsError, plain
from rankmetrics.inputs.input import Groups
from rankmetrics.inputs.roles import ITEM
from rankmetrics.inputs.shapes import SHAPED
from rankmetrics.inputs.sources import INTERACTIONS, RANKED, called
from rankmetrics.messages import said

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


class Batches(ABC):
    """An Arrow stream that each read computes again, batch by batch."""

    schema: pa.Schema

    @abstractmethod
    def _batches(self) -> Iterator[pa.RecordBatch]:
        """The batches, all with the schema of the stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        import pyarrow as pa

        return pa.RecordBatchReader.from_batches(self.schema, self._batches()).__arrow_c_stream__(requested_schema)


class Stream(Batches):
    """An Arrow stream of a lazy frame of another library, such as Dask: computed partition by partition."""

    def __init__(self, lazy: Any) -> None:
        import pyarrow as pa

        self._lazy = lazy
        empty = getattr(lazy.to_native(), "_meta", None)  # Dask computes a partition even for head(0)
        schema = _read(lazy.head(0) if empty is None else empty).schema
        untyped, text = pa.null(), pa.large_string()  # a column of objects without any value becomes a string column
        self.schema = pa.schema([field.with_type(text) if field.type == untyped else field for field in schema])

    def _batches(self) -> Iterator[pa.RecordBatch]:
        whole = self._lazy.to_native()
        for part in getattr(whole, "partitions", [whole]):
            yield from _read(part).cast(self.schema).to_batches()


class ArrowFiles(Batches):
    """A stream of Arrow files, or files of Arrow streams; `file_column` is an added column with each row's file."""

    def __init__(self, what: str, paths: Sequence[str], *, file_column: str | None = None) -> None:
        import pyarrow as pa

        self._file_column = file_column
        self._paths = local_files(paths)
        if not self._paths:
            raise said(InputError, "no_arrow_file", table=what, paths=[*paths])
        try:
            self._stored = self._opened(self._paths[0]).schema
        except (pa.ArrowException, OSError) as error:
            raise said(InputError, "no_arrow", table=what, path=self._paths[0], error=error) from error
        self.schema = self._stored.append(pa.field(file_column, pa.string())) if file_column else self._stored

    def _opened(self, path: str) -> Any:
        import pyarrow as pa

        source = pa.memory_map(path)
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        return pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for path in self._paths:
            reader = self._opened(path)
            n_batches = getattr(reader, "num_record_batches", None)
            for batch in reader if n_batches is None else map(reader.get_batch, range(n_batches)):
                stored = batch.cast(self._stored)
                if self._file_column:
                    stored = stored.append_column(self.schema.field(self._file_column), pa.array([path] * len(batch)))
                yield stored


def refuse_doubled_in_parquet(what: str, paths: Sequence[str]) -> None:
    """Refuse Parquet files on this machine whose column names are equal or differ in case only."""
    from pyarrow.parquet import read_schema

    for path in local_files(paths):
        refuse_doubled(what, read_schema(path).names)


def _read(frame: Any) -> pa.Table:
    import narwhals

    known = narwhals.from_native(frame)
    table: pa.Table = (
        known.collect("pyarrow").to_native() if isinstance(known, narwhals.LazyFrame) else known.to_arrow()
    )
    return table


def is_column(value: object) -> bool:
    """True if a value is a column, and no table: pandas and Polars export both as Arrow streams."""
    return type(value).__name__ in ("ChunkedArray", "Index", "Series")


def column_names(value: Any) -> list[str] | None:
    """The names of a table's columns, before an engine renames any; None for a value without columns."""
    if is_column(value):
        return None
    if hasattr(value, "collect_schema"):
        return list(value.collect_schema().names())
    if hasattr(value, "columns") and module_of(value) != "pyarrow":
        return [str(column) for column in value.columns]
    if hasattr(getattr(value, "schema", None), "names"):
        return list(value.schema.names)
    if hasattr(value, "__arrow_c_stream__"):
        import pyarrow as pa

        return list(pa.RecordBatchReader.from_stream(value).schema.names)
    return None


def with_index(what: str, value: Any) -> Any:
    """A frame of pandas (or a similar library) with its index as columns; any other value as it is.

    An index without a name that holds whole numbers numbers the rows, and is left out.
    """
    frame = value.to_native() if module_of(value) == "narwhals" else value
    if not hasattr(getattr(frame, "index", None), "name"):
        return value
    index, columns = frame.index, getattr(frame, "columns", ())
    if getattr(columns, "nlevels", 1) > 1:
        raise said(InputError, "levels_of_names", table=what)
    levels = [*getattr(index, "names", [index.name])]
    if all(level in columns for level in levels):
        return value
    if levels == [None] and getattr(getattr(index, "dtype", None), "kind", "i") in "iu":
        return value
    if None in levels:
        subject = f"The index of the {what} has" if len(levels) == 1 else f"A level of the index of the {what} has"
        raise said(InputError, "unnamed_index", subject=subject)
    if repeated := [level for level in levels if level in columns]:
        raise said(InputError, "index_as_column", table=what, levels=repeated)
    return frame.reset_index()


def in_plain_types(value: Any) -> Any:
    """A table of Arrow or Polars, whose dates, floats and integers have types that every engine reads alike."""
    if module_of(value) == "pyarrow" and type(value).__name__ in ("Table", "RecordBatch"):
        import pyarrow as pa

        plain = {pa.date64(): pa.date32(), pa.float16(): pa.float32()}
        wide = {kind: pa.decimal128(38, kind.scale) for kind in value.schema.types if pa.types.is_decimal256(kind)}
        fields = [field.with_type({**plain, **wide}.get(field.type, field.type)) for field in value.schema]
        try:
            return value.cast(pa.schema(fields)) if fields != [*value.schema] else value
        except pa.ArrowInvalid as error:
            columns = [field.name for field in value.schema if field.type in wide]
            raise said(InputError, "long_decimals", columns=columns) from error
    if module_of(value) == "polars":
        import polars as pl

        plain_types: dict[Any, Any] = dict.fromkeys((pl.Int128, pl.UInt128), pl.Decimal(38, 0))
        plain_types[pl.Float16] = pl.Float32
        schema = value.lazy().collect_schema()
        return value.cast({name: plain_types[kind] for name, kind in schema.items() if kind in plain_types})
    return value


def readable(what: str, value: Any, scanned: Collection[str] = ()) -> Any:
    """A table of another library in plain types, which can be read several times; None for a value that is not a table.

    Tables of the `scanned` libraries stay tables of these; others are Arrow streams. An index becomes columns.
    """
    value = with_index(what, value)
    refuse_doubled(what, column_names(value) or ())
    if is_column(value):
        return None
    if type(value).__name__ == "RecordBatchReader":
        value = value.read_all()  # a reader can be read only once, and a query may read it twice
    elif module_of(value) not in scanned and not hasattr(value, "__arrow_c_stream__"):
        import narwhals

        known = narwhals.from_native(value, pass_through=True, series_only=False)
        is_lazy = isinstance(known, narwhals.LazyFrame)
        value = Stream(known) if is_lazy else known.to_arrow() if isinstance(known, narwhals.DataFrame) else None
    return in_plain_types(value)


def zones_of(value: Any) -> dict[str, str]:
    """The time zone of each column of times that has one, in a table of pandas or Arrow."""
    kinds: dict[Any, Any] = {}
    if module_of(value) == "pandas":
        kinds = dict(value.dtypes.items())
    elif module_of(value) == "pyarrow" and hasattr(value, "schema"):
        kinds = dict(zip(value.schema.names, value.schema.types, strict=True))
    zones = {str(name): getattr(getattr(kind, "pyarrow_dtype", kind), "tz", None) for name, kind in kinds.items()}
    return {name: str(zone) for name, zone in zones.items() if zone is not None}


def of_plain_types(table: Any) -> Any:
    """An Arrow table without extension types: ids of type uuid become text, other values their storage type."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if isinstance(field.type, pa.BaseExtensionType):
            stored = table.column(place).cast(field.type.storage_type)
            if field.type.extension_name == "arrow.uuid":
                stored = pa.array([None if value is None else str(UUID(bytes=value)) for value in stored.to_pylist()])
            table = table.set_column(place, field.name, stored)
    return table


# --- Python's own objects, arrays and matrices ------------------------------------------------------------------------

# The column of the keys of a dict, of the first array of a tuple, and of the row numbers of a matrix.
OWNER = "user"


def as_frame(name: str, value: Any) -> Any:
    """An input as a frame, if it is of a kind of this table; else the input itself.

    | kind | columns of the frame |
    |---|---|
    | `{user: [item, ...]}` | user, item (a list) |
    | `{user: [(item, number), ...]}` | user, item, number (lists) |
    | `{user: {item: number}}` | user, item, number |
    | `(users, items)`, `(users, items, scores)`: arrays of N, N x K and N x K | user, item, rank, score |
    | `(users, items)`, `(users, items, scores)`: arrays of N each, a row per item | user, item, number |
    | a sparse matrix of SciPy | user, item (row and column numbers), number |
    | Groups: numbers in an array, and the groups | user (the group), item (the number of the row), number |
    | the data of a trainer of rankers: LightGBM, XGBoost, CatBoost | the same, with the labels as ratings |
    | a `Dataset` of Hugging Face | its own |

    The number is the score in recommendations and a baseline, and the rating in other inputs.
    """
    if name not in (*SHAPED, INTERACTIONS):
        return value
    arrays = value if isinstance(value, tuple) else value.values() if isinstance(value, Mapping) else [value]
    refuse_masked(called(name), "leave them out, or fill masked items with -1, which is no item", *arrays)
    try:
        if isinstance(value, Mapping):
            columns = _of_mapping(name, value)
            if columns is None:
                return value
            import polars as pl

            return pl.DataFrame(columns)
        if isinstance(value, tuple) and len(value) in (2, 3) and all(_n_dimensions(item) for item in value):
            return _of_arrays(name, value)
        if hasattr(value, "tocsr"):
            import polars as pl

            matrix = value.tocsr()
            numbers = {"item": pl.Series(matrix.indices), _number(name): pl.Series(matrix.data)}
            return pl.DataFrame({OWNER: _owners(_lengths(matrix.indptr)), **numbers})
        if isinstance(value, Groups) or hasattr(value, "get_label"):
            return _of_groups(name, value)
        if hasattr(value, "with_format") and hasattr(value, "features") and hasattr(value, "__getitem__"):
            return value.with_format("arrow")[:]
    except RankMetricsError:
        raise
    except (TypeError, ValueError, OverflowError) as error:  # Polars' errors of mixed types are TypeErrors
        raise InputError(f"The {called(name)} cannot be read as columns: {error}") from error
    return value


def as_frames(name: str, value: Any) -> Any:
    """The input of `as_frame`, or a mapping from systems to such inputs with a frame for each."""
    frames = as_frame(name, value)
    if name == "recs" and isinstance(frames, Mapping):
        return {system: as_frame(name, frame) for system, frame in frames.items()}
    return frames


# --- dicts ------------------------------------------------------------------------------------------------------------


def _of_mapping(name: str, value: Mapping[Any, Any]) -> dict[str, Any] | None:
    """The columns of a mapping from users to items; None if its values are columns or tables, or if it is empty."""
    if not value or any(isinstance(key, str) and plain(key) in ITEM for key in value):
        return None
    values = [*value.values()]
    if all(isinstance(value, Mapping) for value in values):
        inner = [score for value in values for score in value.values()]
        are_numbers = all(n is None or (hasattr(n, "__float__") and not hasattr(n, "__len__")) for n in inner)
        return _of_numbers(name, value) if are_numbers else None
    if all(map(_is_items, values)):
        return _of_items(name, value)
    if name not in RANKED and all(isinstance(value, (str, int)) for value in values):
        return {OWNER: [*value], "item": values}
    return None


def _is_items(value: object) -> bool:
    """True if a value holds the items of a user: a list, a set or an array, and no list of files."""
    if isinstance(value, tuple) and any(map(_n_dimensions, value)):
        return False  # the arrays of a system
    if isinstance(value, (list, tuple, set, frozenset)):
        return not value or not all(isinstance(item, (str, Path)) and format_of(str(item)) for item in value)
    return _n_dimensions(value) == 1 and not hasattr(value, "columns")


def _of_numbers(name: str, value: Mapping[Any, Mapping[Any, Any]]) -> dict[str, Any]:
    import polars as pl

    lengths = pl.Series([max(len(scores), 1) for scores in value.values()], dtype=pl.UInt32)
    users = pl.select(pl.Series([*value]).repeat_by(lengths)).to_series().explode(empty_as_null=True)
    items = [*chain.from_iterable(scores or [None] for scores in value.values())]
    numbers = [*chain.from_iterable(scores.values() or [None] for scores in value.values())]
    return {OWNER: users, "item": items, _number(name): numbers}


def _of_items(name: str, value: Mapping[Any, Collection[Any]]) -> dict[str, Any]:
    if name in RANKED and any(isinstance(items, (set, frozenset)) for items in value.values()):
        raise InputError(f"The {called(name)} are sets of items, which have no order: give lists, best item first.")
    items = [[*items] for items in value.values()]
    if any(isinstance(item, tuple) for of_user in items for item in of_user):
        if any(len(item) != 2 for of_user in items for item in of_user):
            raise InputError(f"The {called(name)} have lists of tuples that are not pairs of an item and a number.")
        numbers = [[number for _, number in of_user] for of_user in items]
        items = [[item for item, _ in of_user] for of_user in items]
        return {OWNER: [*value], "item": items, _number(name): numbers}
    return {OWNER: [*value], "item": items}


def _n_dimensions(value: object) -> int:
    """The number of dimensions of an array; 0 for other values."""
    return len(getattr(value, "shape", ()))


def _of_arrays(name: str, value: tuple[Any, ...]) -> pl.DataFrame:
    import polars as pl

    users, items, *scores = value
    shapes = [tuple(array.shape) for array in value]
    frame_of = {OWNER: users, "item": items, **({_number(name): scores[0]} if scores else {})}
    if len(shapes[0]) == 1 and {*shapes} == {shapes[0]}:
        return pl.DataFrame(frame_of)
    if len(shapes[0]) != 1 or {*shapes[1:]} != {(shapes[0][0], shapes[1][-1])}:
        raise said(InputError, "uneven_arrays", table=called(name), shapes=", ".join(map(str, shapes)))
    frame = pl.DataFrame(frame_of)
    listed = frame.with_columns(pl.exclude(OWNER).arr.to_list())
    ranks = pl.int_ranges(1, pl.col("item").list.len().cast(pl.Int64) + 1).alias("rank")
    long = listed.with_columns(ranks).explode("rank", *frame.columns[1:], empty_as_null=True)
    if long.schema["item"].is_integer():  # implicit fills short lists with -1
        is_item = pl.col("item") >= 0
        long = long.filter(is_item | (pl.col("rank") == 1)).with_columns(pl.when(is_item).then("item").alias("item"))
    return long if name in RANKED else long.drop("rank")


def _number(name: str) -> str:
    return "score" if name in RANKED else "rating"


def _lengths(ends: Any) -> pl.Series:
    """The number of rows between every two ends."""
    import polars as pl

    return pl.Series(ends).cast(pl.Int64).diff().slice(1)


def _owners(lengths: pl.Series) -> pl.Series:
    """The number of each owner, from 0 on, once for each of its rows."""
    import polars as pl

    numbers = pl.int_range(len(lengths), eager=True)
    return numbers.repeat_by(lengths.cast(pl.UInt32)).explode(empty_as_null=False)


# --- the data of rankers ----------------------------------------------------------------------------------------------


def _of_groups(name: str, value: Any) -> Any:
    """A row for each document of the groups; for a mapping from systems to scores, a frame for each."""
    import polars as pl

    what, values, group = called(name), value, value
    if isinstance(value, Groups):
        values, group = value.values, value.group
    elif name in RANKED:
        raise said(InputError, "data_without_scores", table=what, kind=type(value).__name__)
    if isinstance(values, Mapping):
        return {system: _of_groups(name, Groups(scores, group)) for system, scores in values.items()}
    if hasattr(values, "get_label"):
        values = _read_data(what, values, "get_label")
    owners, numbers = _groups_of_rows(what, group), pl.Series(values=values)
    if len(owners) != len(numbers):
        raise said(InputError, "uneven_groups", table=what, of_groups=len(owners), n=len(numbers))
    return pl.DataFrame({OWNER: owners, "item": pl.int_range(len(owners), eager=True), _number(name): numbers})


def _groups_of_rows(what: str, group: Any) -> pl.Series:
    """The number of each row's group, from 0 on."""
    import polars as pl

    if hasattr(group, "get_group_id_hash"):
        return pl.Series(_read_data(what, group, "get_group_id_hash")).rle_id()
    if hasattr(group, "get_uint_info"):
        return _owners(_lengths(_read_data(what, group, "get_uint_info", "group_ptr")))
    sizes = pl.Series(values=_read_data(what, group, "get_group") if hasattr(group, "get_group") else group)
    if not sizes.dtype.is_integer() or len(sizes) == 0 or sizes.has_nulls() or (sizes < 1).any():
        raise said(InputError, "no_sizes", table=what, found=sizes.head(5).to_list())
    if len(sizes) > 1 and (sizes == 1).all():
        raise said(InputError, "ids_as_sizes", table=what, n=len(sizes))
    return _owners(sizes)


def _read_data(what: str, data: Any, method: str, *arguments: str) -> Any:
    """What a method of a trainer's data returns; an error if the data has none of it."""
    try:
        values = getattr(data, method)(*arguments)
    except Exception as error:  # LightGBM raises no subclass
        raise InputError(f"The {type(data).__name__} of the {what} cannot be read: {error}.") from error
    if values is None or len(values) == 0:
        part = "labels" if method == "get_label" else "groups"
        raise said(InputError, "data_without", table=what, kind=type(data).__name__, part=part)
    return values
