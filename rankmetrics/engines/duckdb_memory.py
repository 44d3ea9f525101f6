"""Estimates whether DuckDB can sort an input within its memory limit, or in how many parts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import ceil

import duckdb
from sqlglot import exp

from rankmetrics.inputs.columns import Side

# The bytes of memory that DuckDB needs to sort a row, as measured: per row, per number in it, per text in it.
ROW_BYTES, NUMBER_BYTES = 14, 8
VALUE_BYTES: Mapping[str, int] = {"string": 20}

# The size of a part, in multiples of the memory limit. A part of 2 spills half of its rows to disk; smaller parts
# would be more parts, and each part reads all rows of the input again.
MEMORIES_A_PART = 2
MOST_PARTS = 32

# Scans that cost little to repeat: no text file, and no query that DuckDB would compute again. Versions of DuckDB
# differ in the name of the Parquet scan.
CHEAP_SCANS = ("READ_PARQUET", "PARQUET_SCAN", "SEQ_SCAN")


def count_sorted_parts(table: exp.Expr, side: Side, run: Callable[[str], duckdb.DuckDBPyRelation]) -> int:
    """In how many parts, one after the other, DuckDB should sort an input to rank it by score.

    Args:
        table: the input as it stands after FROM.
        side: the columns of the input.
        run: returns the relation of a query, on the connection that computes.

    Returns:
        The number of parts; 1 where DuckDB reports no estimate, or where a second read of the input costs too much.
    """
    bytes_a_row = ROW_BYTES + sum(
        VALUE_BYTES.get(side.types[column].family, NUMBER_BYTES)
        for column in (*side.list_columns, side.roles.item, side.roles.score)
        if column
    )
    select = exp.select(exp.Star()).from_(table.copy()).sql("duckdb", identify=True)
    try:
        ((_, plan),) = run(f"EXPLAIN (FORMAT json) {select}").fetchall()
        limit = run("SELECT parse_formatted_bytes(current_setting('memory_limit'))").fetchall()
    except duckdb.Error:  # some versions lack these; a sort in one part gives the same ranks
        return 1
    scan, ((memory,),) = json.loads(plan)[0], limit
    if scan["children"] or scan["name"].strip() not in CHEAP_SCANS:
        return 1
    rows = int(scan["extra_info"].get("Estimated Cardinality", 0))
    return min(max(1, ceil(rows * bytes_a_row / float(memory) / MEMORIES_A_PART)), MOST_PARTS)
