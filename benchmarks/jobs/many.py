"""Seconds of CPU for many systems, metrics, cutoffs, segments or hours: the folder, which is not read, what, how many.

The rows are made in memory. `seconds` is the time from the inputs to the numbers, planning and checks among them; a
first call, over ten lists, has imported everything.
"""

import json
import sys
from collections.abc import Callable
from time import process_time

import duckdb

import rankmetrics as rm

FIVE = ("ndcg@10", "recall@10", "precision@10", "ap@10", "rr@10")

connection = duckdb.connect()
connection.execute("SET threads = 2")


def tables(systems: int, lists: int, hours: int = 1) -> tuple[duckdb.DuckDBPyRelation, duckdb.DuckDBPyRelation]:
    """Recommendations of ten items in each list of each system and hour, and a truth of three items for each list."""
    item = '(hash("user", rank) % 1000) * 20 + rank AS item'
    lists_of_hours = f'range({hours}) h(hour), range({lists}) l("user")'
    connection.execute(
        f'CREATE OR REPLACE TABLE recs AS SELECT hour, system, "user", rank, {item} '
        f"FROM {lists_of_hours}, range({systems}) s(system), range(1, 11) r(rank)"
    )
    connection.execute(
        f'CREATE OR REPLACE TABLE truth AS SELECT hour, "user", {item} '
        f'FROM {lists_of_hours}, range(1, 11) r(rank) WHERE ("user" + rank) % 3 = 0'
    )
    return connection.table("recs"), connection.table("truth")


def systems(n: int) -> object:
    """Five metrics of so many systems over 200 lists each."""
    return rm.evaluate(*tables(n, 200), FIVE, lists=["hour", "system", "user"], by="system").collect()


def metrics(n: int) -> object:
    """So many metrics at five cutoffs over 10,000 lists."""
    asked = [f"rbp(p=0.{50 + number})@5,6,7,8,10" for number in range(n)]
    return rm.evaluate(*tables(1, 10_000), asked, lists=["hour", "system", "user"], by="system").collect()


def segments(n: int) -> object:
    """Five metrics of so many segments over 100,000 lists."""
    result = rm.evaluate(*tables(1, 100_000), FIVE, lists=["hour", "system", "user"], by="system")
    connection.execute(
        f'CREATE OR REPLACE TABLE groups AS SELECT "user", "user" % {n} AS part FROM range(100000) l("user")'
    )
    return result.segments({"part": connection.table("groups")}).collect()


def hours(n: int) -> object:
    """Five metrics of so many hours, 200 lists each."""
    recs, truth = tables(5, 200, n)
    return rm.evaluate(recs, truth, FIVE, lists=["hour", "system", "user"], by=["hour", "system"]).collect()


what: Callable[[int], object] = {"systems": systems, "metrics": metrics, "segments": segments, "hours": hours}[
    sys.argv[2]
]
what(2)
start = process_time()
what(int(sys.argv[3]))
print(json.dumps({"seconds": process_time() - start}))
