"""Writes Polars frames into files: a function for each output format."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import polars as pl

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
