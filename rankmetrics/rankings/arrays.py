"""Arrays of other libraries as NumPy's: what has `__array__` or DLPack, SciPy's sparse matrices."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rankmetrics.engines.kinds import module_of
from rankmetrics.errors import DataError, InputError, counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Libraries whose tables can be exported as arrays, too: they are read as tables, by the names of their columns.
OF_TABLES = ("pandas", "polars", "pyarrow", "duckdb", "dask", "modin", "cudf", "pyspark", "ibis", "narwhals")

# The modules of the extra `factors`, each imported by this package only when something is ranked.
MODULES = ("numpy", "numba", "threadpoolctl")


def require_modules() -> None:
    """Raise an error that names the extra, where a module of it is missing.

    Raises:
        InputError: a module is not installed.
    """
    for module in MODULES:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise InputError(
                f"To rank by factors or scores needs {module}, which is not installed: "
                "pip install 'rankmetrics[factors]'."
            ) from error


def is_sparse(value: object) -> bool:
    """Whether a value is a sparse matrix of SciPy."""
    return module_of(value) == "scipy" and hasattr(value, "tocsr")


def is_array(value: object) -> bool:
    """Whether a value is an array or a tensor, and no table."""
    of_arrays = hasattr(value, "__array__") or hasattr(value, "__dlpack__")
    return of_arrays and module_of(value) not in OF_TABLES


def as_array(what: str, value: Any, dimensions: int) -> Array:
    """An array or a tensor as NumPy's array of 32-bit or 64-bit numbers.

    32-bit and 64-bit numbers stay as they are; 16-bit numbers become 32-bit numbers, whole numbers 64-bit numbers.

    Raises:
        InputError: it has another number of dimensions, or holds no real numbers.
    """
    import numpy as np

    if hasattr(value, "detach"):  # a tensor of PyTorch, which may have a gradient or be in the memory of a GPU
        value = value.detach().cpu()
    found = np.asarray(value) if hasattr(value, "__array__") else np.from_dlpack(value)
    if found.ndim != dimensions:
        shape = "a row for each and a column per dimension" if dimensions == 2 else "a number for each"
        raise InputError(f"The {what} are an array of {found.ndim} dimensions, {found.shape}: give {shape}.")
    return as_floats(what, found)


def as_floats(what: str, found: Array) -> Array:
    """An array as one of 32-bit or 64-bit numbers.

    Raises:
        InputError: it holds no real numbers.
    """
    import numpy as np

    if found.dtype.kind not in "fiub":
        raise InputError(f"The {what} are no real numbers: the array is of type {found.dtype}.")
    kind = {"f2": np.float32, "f4": np.float32}.get(f"{found.dtype.kind}{found.dtype.itemsize}", np.float64)
    return found.astype(kind, copy=False)


def refuse_infinite(what: str, found: Array, sample: Any) -> None:
    """Refuse NaN and infinite numbers.

    Args:
        what: the array in messages.
        found: the array; a row for each id.
        sample: names the ids at some positions.

    Raises:
        DataError: there are such numbers; the message names their rows.
    """
    import numpy as np

    with np.errstate(invalid="ignore", over="ignore"):
        sums = found if found.ndim == 1 else np.einsum("ij->i", np.abs(found))
    if np.isfinite(sums).all():
        return
    finite = np.isfinite(found) if found.ndim == 1 else np.isfinite(found).all(axis=1)
    rows = np.flatnonzero(~finite)
    if len(rows):
        raise DataError(
            f"{counted(len(rows), f'row of the {what} holds', f'rows of the {what} hold')} NaN or an infinite number, "
            f"such as {sample(rows)}: no rank follows "
            "from them. Leave these out, or look for what went wrong in training."
        )
