"""Recommendations and truths as other libraries hold them in Python, as frames: dicts, tuples of arrays, matrices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.engines.base import refuse_masked
from rankmetrics.engines.files import format_of
from rankmetrics.errors import InputError, RankMetricsError, plain
from rankmetrics.inputs.shapes import SHAPED
from rankmetrics.inputs.sources import ITEM, RANKED, called

if TYPE_CHECKING:
    import polars as pl

# The column of the keys of a dict, of the first array of a tuple, and of the row numbers of a matrix.
OWNER = "user"


def as_frame(name: str, value: Any) -> Any:
    """An input as a frame, if it is of a kind that this module knows; else the input itself.

    | kind | columns of the frame |
    |---|---|
    | `{user: [item, ...]}` | user, item (a list) |
    | `{user: [(item, number), ...]}` | user, item, number (lists) |
    | `{user: {item: number}}` | user, item, number |
    | `(users, items)`, `(users, items, scores)`: arrays of N, N x K and N x K | user, item, rank, score |
    | a sparse matrix of SciPy | user, item (row and column numbers), number |
    | a `Dataset` of Hugging Face | its own |

    The number is the score in recommendations and a baseline, and the rating in other inputs.
    """
    if name not in SHAPED:
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
            return _of_matrix(name, value.tocsr())
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


# --- arrays and matrices ----------------------------------------------------------------------------------------------


def _n_dimensions(value: object) -> int:
    """The number of dimensions of an array; 0 for other values."""
    return len(getattr(value, "shape", ()))


def _of_arrays(name: str, value: tuple[Any, ...]) -> pl.DataFrame:
    import polars as pl

    users, items, *scores = value
    shapes = [tuple(array.shape) for array in value]
    if len(shapes[0]) != 1 or {*shapes[1:]} != {(shapes[0][0], shapes[1][-1])}:
        raise InputError(
            f"The {called(name)} are arrays that do not go together: N users, and arrays of N rows for items and "
            f"scores, are needed, and the shapes are {', '.join(map(str, shapes))}."
        )
    frame = pl.DataFrame({OWNER: users, "item": items, **({_number(name): scores[0]} if scores else {})})
    listed = frame.with_columns(pl.exclude(OWNER).arr.to_list())
    ranks = pl.int_ranges(1, pl.col("item").list.len().cast(pl.Int64) + 1).alias("rank")
    long = listed.with_columns(ranks).explode("rank", *frame.columns[1:], empty_as_null=True)
    if long.schema["item"].is_integer():  # implicit fills short lists with -1
        is_item = pl.col("item") >= 0
        long = long.filter(is_item | (pl.col("rank") == 1)).with_columns(pl.when(is_item).then("item").alias("item"))
    return long if name in RANKED else long.drop("rank")


def _of_matrix(name: str, matrix: Any) -> pl.DataFrame:
    import polars as pl

    ends = pl.Series(matrix.indptr).cast(pl.Int64)
    lengths = ends.diff().slice(1).cast(pl.UInt32)
    users = pl.int_range(len(lengths), eager=True).repeat_by(lengths).explode(empty_as_null=False)
    return pl.DataFrame({OWNER: users, "item": pl.Series(matrix.indices), _number(name): pl.Series(matrix.data)})


def _number(name: str) -> str:
    return "score" if name in RANKED else "rating"
