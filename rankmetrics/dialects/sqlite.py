"""SQLite."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from sqlglot import exp

from rankmetrics.dialects import model, rewrites


def _open_to_read(sqlite3: Any, path: str) -> Any:
    """A file, opened to be read: sqlite3 would make an empty database of a name that is mistyped."""
    if path != ":memory:":
        path = f"{Path(path).resolve().as_uri()}?mode=ro"
    return sqlite3.connect(path, uri=True, check_same_thread=False)  # the command line computes in a thread of its own


COLUMNS = "SELECT name, type FROM pragma_table_info(:table, :schema)"

# The columns of a primary key may be NULL in SQLite, unless they say NOT NULL.
DEFINITION = """
SELECT i.name AS key_name, c.name AS column_name, NULL AS column_type
FROM pragma_index_list(:table, :schema) AS i JOIN pragma_index_info(i.name, :schema) AS c
WHERE i."unique" = 1 AND i.partial = 0
UNION ALL
SELECT NULL, name, NULL FROM pragma_table_info(:table, :schema) WHERE "notnull" = 1
UNION ALL
SELECT NULL, name, type FROM pragma_table_info(:table, :schema)
"""


def write_infinity_as_number(query: exp.Expr) -> None:
    """`CAST('Infinity' AS DOUBLE)` → `9e999`.

    SQLite reads the word as 0, and a number that is too large as infinity.
    """
    for node in rewrites.infinities(query):
        node.replace(exp.Literal.number("9e999"))


DIALECT = model.Dialect(
    called="SQLite",
    rewrites=(
        rewrites.union_grouping_sets,
        rewrites.coalesce_extremes,
        rewrites.drop_nan_tests,
        rewrites.round_to_single,
        write_infinity_as_number,
        rewrites.replace_values,
    ),
    lacks=(
        *model.median_lacks("it has no such function"),
        model.Lack(exp.StddevSamp, "the aggregates std and ci", "it has no standard deviation"),
        model.Lack(
            exp.MD5,
            "the seeded hash of a split or a sample",
            "it has no MD5",
            "Split by time or sliding, which need no hash; rank among candidates that you give, and not a sample.",
        ),
        model.NO_GAP,
    ),
    names=model.Names(keep_labels=True),
    replaces_views=False,
    writes=model.Writes(table="drop in transaction", begin=("BEGIN IMMEDIATE",)),
    drivers=(
        model.Driver("adbc_driver_sqlite", "adbc-driver-sqlite"),
        model.Driver(
            "sqlite3",
            schemes=("sqlite",),
            open=_open_to_read,
            is_path=True,
            open_to_write=lambda sqlite3, path: sqlite3.connect(path),
        ),
    ),
    vendors=("sqlite",),
    catalog=model.CatalogQueries(
        partial(model.about, COLUMNS, "sqlite"),
        values_have_types=True,
        tables="SELECT name FROM pragma_table_list",
        definition=DEFINITION,
    ),
    dbt_adapters=("sqlite",),
)
