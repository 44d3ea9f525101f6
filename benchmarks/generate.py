"""Write the data of a set, the same for the same version of DuckDB: `generate.py FOLDER --set ranked`.

A set is recs.parquet and truth.parquet, with items.parquet and history.parquet where its metrics need them. The items
are cut into as many bands as a list is long, and every list is recommended one item of each, so none twice. Of each
band, an item may be relevant; by a chance of its own, that is the one which was recommended.

Nothing is drawn one after the other: whatever stands in a cell (a list of the truth and a band) follows from the hash
of its number. So rows are made in pieces, in any order, in little memory, however many there are.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

SEED = 20 * 2**40  # the first cell
PLANTED = 0.3  # how often the relevant item of a band is the recommended one; by accident it may be, too
DIMENSIONS = 64
SYSTEMS = 5
FOLDS = 4
PIECE = 1_000_000  # lists to a file, where a set is a folder of files
MEMORY = "2GB"

# The columns of a recommendation and of a row of the truth, over `list_id` (only there), `owner`, `item` and `band`.
USER = '(owner + 1)::BIGINT AS "user"'
RANK = "(place + 1)::INTEGER AS rank"
RATING = "rating::DOUBLE AS rating"
SCORE = "({length} - 1 - place + {luck}) / {length} AS score"  # lower with each place
STRING_USER = """format('{{:016x}}', hash(owner + 1)) AS "user" """
STRING_ITEM = "format('{{:016x}}', hash(item + 1)) AS item"
ALGORITHM = "'system ' || list_id // {owners} AS algorithm"
FOLD = f"owner % {FOLDS} AS fold"
CATALOG = "SELECT item FROM range({items}) AS items(item)"
CATEGORIES = """
    SELECT item, (hash(item, place) % 40)::BIGINT AS category
    FROM range({items}) AS items(item), range(3) AS places(place)
    WHERE place <= item % 3
    GROUP BY ALL
"""
EMBEDDINGS = f"""
    SELECT item, list_transform(range({DIMENSIONS}), lambda i: (hash(item, i) >> 32) / 2 ** 32 - 0.5) AS embedding
    FROM range({{items}}) AS items(item)
"""


@dataclass(frozen=True)
class Data:
    """What the files of a set hold."""

    recs: tuple[str, ...] = (USER, "item", RANK)
    truth: tuple[str, ...] = (USER, "item", RATING)
    lists: int = 100_000
    length: int = 100
    relevant: float = 0.1  # the chance that an item of a band is relevant
    owners: float = 1  # lists of the truth for each list of the recommendations
    items: int = 50_000
    shuffled: bool = False
    pieces: bool = False  # a folder of files in place of recs.parquet
    catalog: str = ""  # the query of items.parquet
    history: float = 0  # the chance that an item of a band is in the history of a list, which includes its truth

    def __post_init__(self) -> None:
        assert self.items % self.length**2 == 0, "bands begin at whole numbers"
        assert 10**9 % self.length == 0, "steps that end in 7 reach every band"


DATA = {
    "ranked": Data(),
    "ranked_50m": Data(lists=500_000, relevant=0.2),
    "metrics": Data(recs=(USER, "item", SCORE, RANK)),  # for other libraries: what each of them asks for
    "scored": Data(recs=(USER, "item", SCORE)),
    "shuffled": Data(recs=(USER, "item", SCORE), shuffled=True),
    "shuffled_ranked": Data(shuffled=True),
    "strings": Data(recs=(STRING_USER, STRING_ITEM, RANK), truth=(STRING_USER, STRING_ITEM, RATING)),
    "three_columns": Data(
        recs=(ALGORITHM, FOLD, USER, "item", RANK), truth=(FOLD, USER, "item", RATING), owners=1 / SYSTEMS
    ),
    "long_lists": Data(lists=1_000, length=10_000, relevant=0.01, items=500_000_000),
    "large_truth": Data(length=10, relevant=1, owners=100),
    "systems": Data(lists=1_000_000, length=50, relevant=0.04, catalog=CATALOG),
    "embeddings": Data(length=20, catalog=EMBEDDINGS),
    "engines": Data(
        recs=(ALGORITHM, USER, "item", RANK),
        truth=(USER, "item"),
        lists=200_000,
        length=50,
        relevant=0.2,
        owners=1 / SYSTEMS,
        catalog=CATEGORIES,
        history=0.5,
    ),
    "billion_ranked": Data(
        recs=(ALGORITHM, USER, "item", RANK), lists=20_000_000, length=50, owners=1 / SYSTEMS, pieces=True
    ),
    "billion_scored": Data(
        recs=(ALGORITHM, USER, "item", SCORE), lists=20_000_000, length=50, owners=1 / SYSTEMS, pieces=True
    ),
    "billion_shuffled": Data(
        recs=(ALGORITHM, USER, "item", SCORE),
        lists=4_000_000,
        length=50,
        owners=1 / SYSTEMS,
        pieces=True,
        shuffled=True,
    ),
}


def chance(number: int) -> str:
    """A pseudo-random number from 0 to below 1 for each cell; each `number` is a sequence of its own."""
    return f"(hash(8 * (cell + {SEED}) + {number}) >> 32) / 2 ** 32"


def item(data: Data, number: int) -> str:
    """An item of a band. The first bands are narrow, which makes their items popular, and the tail long."""
    return f"floor({data.items // data.length**2} * (band + {chance(number)}) ** 2)::BIGINT"


def owners_of(data: Data, lists: int) -> int:
    """How many lists the truth has."""
    return max(1, round(lists * data.owners))


def rows(data: Data, lists: int, first: int, last: int) -> str:
    """The numbers of the rows from the first to before the last, shuffled or as they are.

    To shuffle without sorting, all numbers below a power of two are mixed by steps each of which can be undone, so that
    none comes twice; those past the last row are left out.
    """
    if not data.shuffled:
        return f"SELECT row FROM range({first}, {last}) AS numbers(row)"
    mask = 2 ** (lists * data.length - 1).bit_length() - 1
    assert mask < 2**31, "a number times the constants below is no longer a BIGINT"
    steps = ("row * 1664525001 & {mask}", "xor(row, row >> 11)", "row * 1103515245 & {mask}", "xor(row, row >> 13)")
    mixed = f"SELECT row FROM range({first}, {last}) AS numbers(row)"
    for step in steps:
        mixed = f"SELECT {step.format(mask=mask)} AS row FROM ({mixed})"
    return f"SELECT row FROM ({mixed}) WHERE row < {lists * data.length}"


def places(data: Data, lists: int, numbers: str) -> str:
    """The place of each row in its list, and its band: from one that is drawn, in steps that are drawn."""
    owners = owners_of(data, lists)
    return f"""
        SELECT list_id, place, owner, band, owner * {data.length} + band AS cell
        FROM (
            SELECT
                row // {data.length} AS list_id,
                row % {data.length} AS place,
                row // {data.length} * {max(1, owners // lists)} % {owners} AS owner,
                hash(8 * (list_id + {SEED})) AS drawn,
                ((drawn % 10 * 10 + 7) * place + (drawn >> 8) % {data.length}) % {data.length} AS band
            FROM ({numbers})
        )
    """


def recs_of(data: Data, lists: int, numbers: str | None = None) -> str:
    """The query of the recommendations, or of those whose numbers another query gives."""
    numbers = numbers or rows(data, lists, 0, last_row(data, lists))
    luck, owners = chance(3), owners_of(data, lists)
    columns = ", ".join(data.recs).format(length=data.length, luck=luck, owners=owners)
    return f"SELECT {columns} FROM (SELECT *, {item(data, 2)} AS item FROM ({places(data, lists, numbers)}))"


def truth_of(data: Data, lists: int) -> str:
    """The query of the truth, in the order of its lists and items."""
    columns = ", ".join(data.truth).format()
    return f"SELECT {columns} FROM ({judged(data, 0, owners_of(data, lists))}) WHERE relevant"


def judged(data: Data, first: int, last: int) -> str:
    """The cells of some lists of the truth: whether the band has a relevant item, and which that is."""
    return f"""
        SELECT
            *,
            {chance(4)} < {data.relevant} AS relevant,
            CASE WHEN {chance(5)} < {PLANTED} THEN {item(data, 2)} ELSE {item(data, 6)} END AS item,
            floor(1 + 5 * {chance(7)}) AS rating
        FROM (
            SELECT cell, cell // {data.length} AS owner, cell % {data.length} AS band
            FROM range({first * data.length}, {last * data.length}) AS cells(cell)
        )
    """


def last_row(data: Data, lists: int) -> int:
    """Up to where numbers have to be taken for all rows to come."""
    number = lists * data.length
    return 2 ** (number - 1).bit_length() if data.shuffled else number


def write(connection: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    """Write a file whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    connection.sql(query).write_parquet(str(partial))
    os.replace(partial, path)  # noqa: PTH105


def write_set(folder: Path, data: Data, lists: int) -> None:
    """Write the files of a set, at last how much there is, in sizes.json: where that is, the set is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": str(folder)}) as connection:
        if data.pieces:
            write_pieces(connection, folder / "recs", data, lists)
        else:
            write(connection, recs_of(data, lists), folder / "recs.parquet")
        if data.catalog:
            write(connection, data.catalog.format(items=data.items), folder / "items.parquet")
        if data.history:
            write(connection, truth_of(replace(data, relevant=data.history), lists), folder / "history.parquet")
        write(connection, truth_of(data, lists), folder / "truth.parquet")
        relevant = connection.read_parquet(str(folder / "truth.parquet")).count("*").fetchall()[0][0]
    sizes = {"lists": lists, "recs": lists * data.length, "truth": relevant}
    (folder / "sizes.json").write_text(json.dumps(sizes), encoding="utf-8")


def write_pieces(connection: duckdb.DuckDBPyConnection, folder: Path, data: Data, lists: int) -> None:
    """Write the recommendations into a folder of files."""
    folder.mkdir(exist_ok=True)
    step = PIECE * data.length
    end = last_row(data, lists)
    for part, first in enumerate(range(0, end, step)):
        numbers = rows(data, lists, first, min(first + step, end))
        write(connection, recs_of(data, lists, numbers), folder / f"part-{part:04}.parquet")


def main() -> None:
    """Write the files of a set into a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=DATA, default="ranked")
    parser.add_argument("--lists", type=int, help="how many; without it, as many as the set has")
    parser.add_argument("--scale", type=float, default=1, help="times so many")
    given = parser.parse_args()
    data = DATA[given.set]
    write_set(given.folder, data, max(1, round((given.lists or data.lists) * given.scale)))


if __name__ == "__main__":
    main()
