"""ClickHouse: the server, and chDB within this process."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.dialects import guards, table_storage
from rankmetrics.dialects.catalogs import describe_table
from rankmetrics.dialects.model import Address, Catalog, Ddl, Dialect, Driver, Writes
from rankmetrics.dialects.rewrites import aggregates, clauses, names, numbers

if TYPE_CHECKING:
    import polars as pl


def _read_chdb(connection: Any, sql: str) -> pl.DataFrame:
    """The answer to a query over a connection of chDB."""
    import polars as pl

    try:
        return pl.DataFrame(connection.query(sql, "ArrowTable"))
    except Exception:
        with suppress(Exception):  # the rows that chDB had written before the error would begin the next answer
            connection.query("SELECT 1", "ArrowTable")
        raise


def _read_client(client: Any, sql: str) -> pl.DataFrame:
    """The answer to a query by a client of clickhouse-connect."""
    import polars as pl

    return pl.DataFrame(client.query_arrow(sql))


DIALECT = Dialect(
    called="ClickHouse",
    documentation="https://clickhouse.com/docs/sql-reference",
    tried="run",
    tried_with="chDB 4",
    rewrites=(
        numbers.coalesce_extremes,
        numbers.use_is_nan,
        aggregates.use_exact_quantiles,
        partial(aggregates.rename_deviation, name="stddevSampStable"),
        aggregates.cast_counts,
        names.name_qualified_columns,
        clauses.drop_materialized,
        partial(
            clauses.add_settings,
            join_use_nulls=1,
            aggregate_functions_null_for_empty=1,
            prefer_column_name_to_alias=1,
            distributed_product_mode="global",
            query_plan_max_optimizations_to_apply=1000000,
        ),
    ),
    table_properties=exp.Properties(
        expressions=[exp.EngineProperty(this=exp.var("MergeTree")), exp.Order(expressions=[exp.Tuple()])]
    ),
    ddl=Ddl("column", table_storage.merge_tree),
    writes=Writes(
        begin=(),
        commit="",
        note="ClickHouse runs each statement by itself: if one fails, run all of them again.",
    ),
    drivers=(
        Driver("chdb", "rankmetrics[chdb]", read=_read_chdb),
        Driver("clickhouse_connect", "rankmetrics[clickhouse]", read=_read_client),
        Driver("clickhouse_driver", "clickhouse-driver"),
    ),
    vendors=("clickhouse",),
    addresses=(
        Address("chdb", "chdb", lambda chdb, path: chdb.connect(path), extra="chdb", is_path=True),
        Address(
            "clickhouse",
            "clickhouse_connect",
            lambda clickhouse_connect, address: clickhouse_connect.get_client(dsn=address),
            extra="clickhouse",
        ),
    ),
    catalog=Catalog(describe_table, describes_queries=True, tables="SHOW TABLES"),
    unnest=(
        "SELECT *, elements.1 AS place, elements.2 AS element FROM (SELECT *, arrayJoin(if(empty(listed), [(0, NULL)], "
        "arrayZip(arrayEnumerate(listed), arrayMap(x -> toNullable(x), listed)))) AS elements FROM source)"
    ),
    raise_error=partial(guards.parse_number, "toInt64"),
    dbt_adapters=("clickhouse",),
    notes=(
        "The settings at the end of a query make an unmatched row of a LEFT JOIN NULL, a sum over nothing NULL, and a "
        "name mean the column before the alias. They also make joins of Distributed tables "
        "[GLOBAL](https://clickhouse.com/docs/reference/settings/session-settings/distributed): the tests run texts "
        "over a cluster of two shards, and ClickHouse refuses some of them without the setting. Keep them where "
        "you put a SELECT of your own in the place of the last one (`--as cte`). A user with `readonly=1` may not "
        "change settings, and so cannot run the query. ClickHouse computes a CTE anew for each reader."
    ),
)
