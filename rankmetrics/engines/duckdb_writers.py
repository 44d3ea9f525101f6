"""Writes relations of DuckDB into files: Parquet, CSV, TSV, JSON and Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

from rankmetrics.engines.arrow import write_arrow

# DuckDB's options for each form of delimited text.
CSV: Mapping[str, dict[str, Any]] = {
    "csv": {"sep": ","},
    "csv.gz": {"sep": ",", "compression": "gzip"},
    "tsv": {"sep": "\t"},
    "tsv.gz": {"sep": "\t", "compression": "gzip"},
}


def write_relation(relation: duckdb.DuckDBPyRelation, path: Path, form: str) -> None:
    """Compute a relation into a file, in one of the forms of FORMATS.

    Raises:
        duckdb.Error: the query fails, or nothing can be written to the path.
    """
    if form == "parquet":
        relation.write_parquet(str(path), compression="zstd")
    elif form in CSV:
        relation.write_csv(str(path), header=True, **CSV[form])
    elif form == "arrow":
        write_arrow(relation.to_arrow_reader(), path)
    else:
        relation.query("rankmetrics_result", _copy_to_json(path, form))


def _copy_to_json(path: Path, form: str) -> str:
    """The statement that writes rankmetrics_result into a JSON file: an array, or an object per line."""
    array, compression = form.startswith("json"), "gzip" if form.endswith(".gz") else "none"
    text = f"COPY (SELECT * FROM rankmetrics_result) TO 'path' (FORMAT json, ARRAY {array}, COMPRESSION {compression})"
    copy = sqlglot.parse_one(text, read="duckdb")
    copy.args["files"][0].replace(exp.Literal.string(str(path)))
    return copy.sql("duckdb")
