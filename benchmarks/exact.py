"""The exact answer over a set of generate.py that is in pieces, as JSON: what each metric is at 10, for each system.

Where a relevant item stands follows from how the rows are made, so nothing is joined, ranked or read: the rows of a few
owners at a time, in little memory. The formulas are computed here, for each number of hits that are alike.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from math import fsum, log2

import duckdb
from generate import DATA, MEMORY, PLANTED, Data, chance, item, judged, owners_of, places

CUTOFF = 10
OWNERS = 200_000  # at a time
METRICS = tuple(f"{name}@{CUTOFF}" for name in ("ndcg", "recall", "precision", "ap", "rr", "hit"))


def hits_of(data: Data, lists: int, first: int, last: int) -> str:
    """For the lists of some owners: how many hits stand at a rank, as the nth of their list, with n relevant items."""
    owners = owners_of(data, lists)
    systems = " UNION ALL ".join(
        f"FROM range({(start + first) * data.length}, {(start + last) * data.length})"
        for start in range(0, lists, owners)
    )
    placed = places(data, lists, f"SELECT row FROM ({systems}) AS numbers(row)")
    return f"""
        WITH
        found AS (
            SELECT list_id, owner, place + 1 AS rank FROM ({placed})
            WHERE place < {CUTOFF} AND {chance(4)} < {data.relevant}
                AND ({chance(5)} < {PLANTED} OR {item(data, 2)} = {item(data, 6)})
        ),
        numbered AS (SELECT *, row_number() OVER (PARTITION BY list_id ORDER BY rank) AS nth FROM found),
        sizes AS (SELECT owner, count(*) AS n FROM ({judged(data, first, last)}) WHERE relevant GROUP BY owner)
        SELECT list_id // {owners} AS system, rank, nth, n, count(*) AS hits, NULL AS lists
        FROM numbered JOIN sizes USING (owner)
        GROUP BY ALL
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, NULL, count(*) FROM sizes
    """


def terms(rank: int, nth: int, n: int) -> Iterator[float]:
    """What a hit adds to each of the metrics of its list."""
    yield 1 / log2(rank + 1) / fsum(1 / log2(place + 1) for place in range(1, min(n, CUTOFF) + 1))
    yield 1 / n
    yield 1 / CUTOFF
    yield nth / rank / min(n, CUTOFF)
    yield 1 / rank if nth == 1 else 0
    yield 1 if nth == 1 else 0


def answer(data: Data, lists: int) -> dict[str, dict[str, float]]:
    """The metrics of each system, with how many lists there are."""
    found: Counter[tuple[int, int, int, int]] = Counter()
    truth_lists = 0
    owners = owners_of(data, lists)
    with duckdb.connect(config={"memory_limit": MEMORY}) as connection:
        for first in range(0, owners, OWNERS):
            for *alike, hits, listed in connection.execute(
                hits_of(data, lists, first, min(first + OWNERS, owners))
            ).fetchall():
                truth_lists += listed or 0
                if hits:
                    found[tuple(alike)] += hits
    sums: dict[int, list[list[float]]] = {}
    for (system, rank, nth, n), hits in found.items():
        sums.setdefault(system, []).append([hits * term for term in terms(rank, nth, n)])
    return {
        f"system {system}": {
            "n_lists": truth_lists,
            **{name: fsum(each) / truth_lists for name, each in zip(METRICS, zip(*rows, strict=True), strict=True)},
        }
        for system, rows in sorted(sums.items())
    }


def main() -> None:
    """Print the answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=[name for name, data in DATA.items() if data.pieces], required=True)
    parser.add_argument("--scale", type=float, default=1, help="times so many lists as there are by default")
    given = parser.parse_args()
    data = DATA[given.set]
    print(json.dumps(answer(data, max(1, round(data.lists * given.scale)))))


if __name__ == "__main__":
    main()
