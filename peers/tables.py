"""Parquet files as rows, and back, with pyarrow or Polars: the environment of each library has one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent / "golden"

Row = dict[str, Any]


@cache
def read(name: str) -> list[Row]:
    path = str(GOLDEN / f"{name}.parquet")
    try:
        from pyarrow.parquet import read_table
    except ImportError:
        import polars as pl

        return pl.read_parquet(path).to_dicts()
    return list(read_table(path).to_pylist())


def write(name: str, rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> None:
    """Write rows into a golden file, in order."""
    path = str(GOLDEN / f"{name}.parquet")
    by_column = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
    try:
        import pyarrow as pa
        from pyarrow.parquet import write_table
    except ImportError:
        import polars as pl

        pl.DataFrame(by_column, strict=False, infer_schema_length=None).write_parquet(path, compression="zstd")
        return
    write_table(pa.table(by_column), path, compression="zstd")
