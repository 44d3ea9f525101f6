"""Write the data of a set of the benchmark, the same for the same versions of Polars and DuckDB.

`metrics` is recs.parquet and truth.parquet. Every list is recommended 100 of 50,000 items; about 10 items are relevant
to it, some 30 % of which were recommended. `systems` and `embeddings` have items.parquet besides: lists of 50 and of 20
of 50,000 items, two of which are relevant, and for `embeddings` 64 numbers for each item.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

LENGTH = 100
SEED = 20
RELEVANT = 0.1
PLANTED = 0.3
LENGTHS = {"systems": 50, "embeddings": 20}
ITEMS = 50_000
DIMENSIONS = 64

# As in `item` below, a list holds one item of each of as many bands as it is long, so none twice. The bands of a list
# come in steps of 7, from one that is drawn. Rows are in the order of lists and ranks.
RECOMMENDATIONS = f"""
    SELECT
        (cell // $length + 1)::BIGINT AS "user",
        floor({ITEMS} // $length ** 2 * (band + (hash(cell) >> 32) / 2 ** 32) ** 2)::BIGINT AS item,
        (cell % $length + 1)::INTEGER AS rank
    FROM (
        SELECT
            cell,
            (7 * (cell % $length) + (hash(cell // $length, {SEED}) % $length::UBIGINT)::BIGINT) % $length AS band
        FROM range($lists * $length) AS cells(cell)
    )
"""
TRUTH = 'SELECT "user", item FROM read_parquet($recs) WHERE rank IN (3, 10)'
CATALOG = {
    "systems": f"SELECT item FROM range({ITEMS}) AS items(item)",
    "embeddings": f"""
        SELECT item, list_transform(range({DIMENSIONS}), lambda i: (hash(item, i) >> 32) / 2 ** 32 - 0.5) AS embedding
        FROM range({ITEMS}) AS items(item)
    """,
}


def chance(number: int) -> pl.Expr:
    """A pseudo-random number from 0 to below 1 for each cell; each `number` is a sequence of its own."""
    return (pl.col("cell").hash(SEED + number) // 2**32).cast(pl.Float64) / 2**32


def item(at: pl.Expr) -> pl.Expr:
    """The item at a place in its band.

    The 50,000 items are cut into 100 bands, and a list holds one item of each, so none twice. Band b has the items from
    5 b^2 up to 5 (b + 1)^2: narrow ones first, which makes their items popular, and the tail long.
    """
    return (5 * (pl.col("band") + at).pow(2)).floor().cast(pl.Int64)


def recommendations(lists: int) -> pl.DataFrame:
    """The recommendations in the order of the lists and ranks, with what the truth is made of."""
    cell = pl.int_range(lists * LENGTH, dtype=pl.UInt64, eager=True).alias("cell")
    shuffled = (pl.col("cell") // LENGTH).cast(pl.Float64) + chance(1)  # within a list
    return (
        cell.to_frame()
        .select(pl.col("cell").sort_by(shuffled, maintain_order=True))
        .with_columns(
            user=(pl.col("cell") // LENGTH).cast(pl.Int64) + 1,
            band=(pl.col("cell") % LENGTH).cast(pl.Int8),
            rank=pl.int_range(pl.len(), dtype=pl.Int32) % LENGTH + 1,
        )
        .with_columns(item=item(chance(2)), score=(LENGTH - pl.col("rank") + chance(3)) / LENGTH)
    )


def truth(recs: pl.DataFrame) -> pl.DataFrame:
    """What is relevant: in some bands of each list, the item that was recommended or, more often, another one."""
    return (
        recs.filter(chance(4) < RELEVANT)
        .select(
            "user",
            item=pl.when(chance(5) < PLANTED).then("item").otherwise(item(chance(6))),
            rating=(1 + 5 * chance(7)).floor(),
        )
        .sort("user", "item")
    )


def write(rows: pl.DataFrame | duckdb.DuckDBPyRelation, path: Path) -> None:
    """Write a file whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    rows.write_parquet(str(partial))
    os.replace(partial, path)  # noqa: PTH105


def write_metrics(folder: Path, lists: int) -> None:
    """Write the two files of `metrics`, by Polars."""
    recs = recommendations(lists)
    write(truth(recs), folder / "truth.parquet")
    write(recs.select("user", "item", "score", "rank"), folder / "recs.parquet")


def selected(query: str, parameters: dict[str, Any]) -> duckdb.DuckDBPyRelation:
    """The rows of a query, not computed yet."""
    rows = duckdb.sql(query, params=parameters)
    assert rows is not None  # it is for what selects nothing
    return rows


def write_systems(folder: Path, lists: int, name: str) -> None:
    """Write the three files of `systems` or of `embeddings`, by DuckDB."""
    recs = folder / "recs.parquet"
    write(selected(RECOMMENDATIONS, {"lists": lists, "length": LENGTHS[name]}), recs)
    write(selected(TRUTH, {"recs": str(recs)}), folder / "truth.parquet")
    write(selected(CATALOG[name], {}), folder / "items.parquet")


def main() -> None:
    """Write the files of a set into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=("metrics", *LENGTHS), default="metrics")
    parser.add_argument("--lists", type=int, default=100_000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.set == "metrics":
        write_metrics(given.folder, given.lists)
    else:
        write_systems(given.folder, given.lists, given.set)


if __name__ == "__main__":
    main()
