"""Writes Polars frames into files: a function for each output format."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import polars as pl

from rankmetrics._files import new_file
from rankmetrics.engines.paths import FORMATS, READ_ONLY, format_of
from rankmetrics.errors import InputError

SINKS: Mapping[str, Callable[[pl.LazyFrame, Path], object]] = {
    "parquet": pl.LazyFrame.sink_parquet,
    "csv": pl.LazyFrame.sink_csv,
    "csv.gz": partial(pl.LazyFrame.sink_csv, compression="gzip"),
    "tsv": partial(pl.LazyFrame.sink_csv, separator="\t"),
    "tsv.gz": partial(pl.LazyFrame.sink_csv, separator="\t", compression="gzip"),
    "json": lambda lazy, path: lazy.collect().write_json(path),
    "json.gz": lambda lazy, path: path.write_bytes(gzip.compress(lazy.collect().write_json().encode())),
    "ndjson": pl.LazyFrame.sink_ndjson,
    "ndjson.gz": partial(pl.LazyFrame.sink_ndjson, compression="gzip"),
    "arrow": pl.LazyFrame.sink_ipc,
}


def form_to_write(path: str | Path) -> str:
    """The format in which a file is written, by its ending.

    Raises:
        InputError: the ending is that of no format that can be written.

    >>> form_to_write("means.csv.gz")
    'csv.gz'
    """
    form = format_of(str(path))
    if form is None or form in READ_ONLY:
        endings = [end for end, one in FORMATS.items() if one not in READ_ONLY]
        raise InputError(f"Cannot tell what to write into {str(path)!r}: end it in one of {', '.join(endings)}.")
    return form


def write_frame(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a frame into a file, whole or not at all, in the format of its ending.

    Raises:
        InputError: the ending is that of no format, or nothing can be written there.
    """
    sink = SINKS[form_to_write(path)]
    with new_file(path) as temporary:
        sink(frame.lazy(), temporary)
