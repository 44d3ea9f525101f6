"""Parquet files as rows, and back, with pyarrow or Polars: the environment of each library has one of them."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent / "golden"

Row = dict[str, Any]

# What a library returned: the value of a metric for a user, or, without a user, for the whole problem.
COLUMNS = ("problem", "setting", "metric", "k", "user", "value")

# Values are rounded to so many decimals, as processors differ in the last digits of a logarithm.
DECIMALS = 10

# Measures a problem: returns the values that the library returned.
Job = Callable[[], Iterable[Any]]


def read(name: str) -> list[Row]:
    """The rows of a golden file, each as a dict."""
    path = str(GOLDEN / f"{name}.parquet")
    try:
        from pyarrow.parquet import read_table
    except ImportError:
        import polars as pl

        return pl.read_parquet(path).to_dicts()
    return list(read_table(path).to_pylist())


def write(name: str, rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> None:
    """Write rows into a golden file, in order."""
    GOLDEN.mkdir(exist_ok=True)
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


def number(value: float | None) -> float | None:
    """A value; NaN as nothing, which Parquet files tell apart in all versions."""
    return None if value is None or math.isnan(value) else float(value)


def by_problem(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Rows by the problem that they are of."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["problem"], []).append(row)
    return found


def nested(rows: Iterable[Row], value: str) -> dict[str, dict[str, Any]]:
    """A column by user and item, as libraries of information retrieval take it; a user without items has an empty dict.

    Raises:
        ValueError: an item repeats, which a dict cannot hold.
    """
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        items = found.setdefault(row["user"], {})
        if row["item"] in items:
            raise ValueError("a dict holds an item once: what repeats cannot be given")
        if row["item"] is not None:
            items[row["item"]] = row[value]
    return found


def whole(rows: Iterable[Row]) -> list[Row]:
    """Rows with their ratings as whole numbers where they are whole."""
    return [{**row, "rating": int(row["rating"]) if row["rating"].is_integer() else row["rating"]} for row in rows]


def jobs(measured: Callable[..., Iterable[Any]], *inputs: Any) -> dict[str, Job]:
    """A job for each problem: it calls `measured` with the name, recommendations and truth of it, and with `inputs`."""
    recs, truth = by_problem(read("recs")), by_problem(read("truth"))
    return {problem: partial(measured, problem, recs[problem], truth[problem], *inputs) for problem in recs}


def jobs_in_processes(measured: Callable[..., Iterable[Any]], *inputs: Any) -> dict[str, Job]:
    """The same jobs, each in a process of its own without log messages: what crashes it is refused."""
    return {problem: partial(_in_a_process, job) for problem, job in jobs(measured, *inputs).items()}


def _in_a_process(job: Job) -> list[Any]:
    with ProcessPoolExecutor(1, initializer=logging.disable) as alone:
        try:
            return alone.submit(_all_values, job).result()
        except BrokenProcessPool:
            raise ValueError("It crashes.") from None


def _all_values(job: Job) -> list[Any]:
    """The values of a job, which may come from a generator: that cannot leave its process."""
    return [*job()]


def gathered(jobs: Mapping[str, Job]) -> tuple[list[Any], dict[str, str]]:
    """The values of each problem that its job measures, and the reason for each that the library refuses."""
    values: list[Any] = []
    refused: dict[str, str] = {}
    for problem, job in jobs.items():
        found = _tried(job)
        if isinstance(found, str):
            refused[problem] = found
        else:
            values += found
    return values, refused


def _tried(job: Job) -> list[Any] | str:
    try:
        return _all_values(job)
    except (TypeError, ValueError) as error:
        return str(error)


def save(library: str, packages: Sequence[str], values: Iterable[tuple[Any, ...]], refused: Mapping[str, str]) -> None:
    """Write what a library returned, the versions of it and of what it computes with, and what it refused and why."""
    ordered = sorted(values, key=lambda row: tuple((one is not None, one) for one in row[:-1]))
    rounded = [(*key, None if value is None else round(value, DECIMALS)) for *key, value in ordered]
    write(library, rounded, COLUMNS)
    told = {"versions": {one: version(one) for one in packages}, "refused": dict(sorted(refused.items()))}
    (GOLDEN / f"{library}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(f"{library}: {len(ordered):,} values, {len(refused)} problems refused")
