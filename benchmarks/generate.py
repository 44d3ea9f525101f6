"""Write the data of the benchmark: recs.parquet and truth.parquet, the same for the same version of Polars.

Every list is recommended 100 of 50,000 items; about 10 items are relevant to it, some 30 % of which were recommended.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import polars as pl

LENGTH = 100
SEED = 20
RELEVANT = 0.1
PLANTED = 0.3


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


def write(frame: pl.DataFrame, path: Path) -> None:
    """Write a file whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    frame.write_parquet(partial)
    os.replace(partial, path)  # noqa: PTH105


def main() -> None:
    """Write both files into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lists", type=int, default=100_000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    recs = recommendations(given.lists)
    write(truth(recs), given.folder / "truth.parquet")
    write(recs.select("user", "item", "score", "rank"), given.folder / "recs.parquet")


if __name__ == "__main__":
    main()
