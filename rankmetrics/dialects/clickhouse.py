"""ClickHouse: the server, and chDB within this process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree

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
    import polars as pl

    return pl.DataFrame(client.query_arrow(sql))


def use_exact_quantiles(query: exp.Expr) -> None:
    """`MEDIAN(x)` → `quantileExactInclusive(0.5)(x)`, and `QUANTILE_DISC(x, 0.5)` → `quantileExactLow(0.5)(x)`.

    ClickHouse's own MEDIAN is an estimate from a sample.
    """
    for node in tree.find(query, exp.Median, exp.PercentileDisc):
        name = "quantileExactInclusive" if isinstance(node, exp.Median) else "quantileExactLow"
        level = exp.Literal.number("0.5")
        node.replace(exp.CombinedParameterizedAgg(this=name, expressions=[level], params=[node.this.copy()]))


def add_settings(query: exp.Expr, **values: int | str) -> None:
    """`SELECT ...` → `SELECT ... SETTINGS join_use_nulls = 1, ...`.

    Under ClickHouse's defaults, the missing side of a LEFT JOIN holds 0 where other databases have NULL, and a join of
    two Distributed tables is refused.
    """
    inner = query if isinstance(query, exp.Select) else query.find(exp.Select)
    if inner is None:
        return  # a statement without a query: DELETE, DROP
    inner.set("settings", [exp.EQ(this=exp.var(name), expression=exp.convert(value)) for name, value in values.items()])


def name_qualified_columns(query: exp.Expr) -> None:
    """`SELECT lists.user` → `SELECT lists.user AS user`.

    ClickHouse would call the returned column `lists.user`.
    """
    for select in tree.find(query, exp.Select):
        for node in select.expressions:
            if isinstance(node, exp.Column) and node.table:
                node.replace(tree.named(node.copy(), node.name))


def _merge_tree(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    order = exp.Ordered(this=exp.Tuple(expressions=[tree.column(key) for key in keys]), nulls_first=False)
    return [exp.EngineProperty(this=exp.to_identifier("MergeTree")), exp.Order(expressions=[order])]


def _parse_to_raise(message: exp.Expr) -> exp.Expr:
    """`message` → `toInt64(COALESCE(message, '1'))`: ClickHouse's CAST returns NULL where it fails."""
    return exp.Anonymous(this="toInt64", expressions=[model.message_or_1(message)])


DIALECT = model.Dialect(
    called="ClickHouse",
    rewrites=(
        rewrites.union_grouping_sets,
        rewrites.coalesce_extremes,
        rewrites.use_is_nan,
        use_exact_quantiles,
        partial(rewrites.rename_deviation, name="stddevSampStable"),
        rewrites.cast_counts,
        name_qualified_columns,
        rewrites.drop_materialized,
        partial(
            add_settings,
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
    ddl=model.Ddl("column", _merge_tree),
    writes=model.Writes(
        begin=(),
        commit="",
        note=f"ClickHouse runs each statement by itself: if one fails, run all of them again. {model.ONE_JOB}",
    ),
    drivers=(
        model.Driver("chdb", extra="chdb", read=_read_chdb, schemes=("chdb",), is_path=True),
        model.Driver(
            "clickhouse_connect",
            extra="clickhouse",
            read=_read_client,
            schemes=("clickhouse",),
            open=lambda clickhouse_connect, address: clickhouse_connect.get_client(dsn=address),
        ),
        model.Driver("clickhouse_driver", "clickhouse-driver"),
    ),
    vendors=("clickhouse",),
    catalog=model.CatalogQueries(describes_queries=True, tables="SHOW TABLES"),
    unnest=(
        "SELECT *, elements.1 AS place, elements.2 AS element FROM (SELECT *, arrayJoin(if(empty(listed), [(0, NULL)], "
        "arrayZip(arrayEnumerate(listed), arrayMap(x -> toNullable(x), listed)))) AS elements FROM source)"
    ),
    raise_error=_parse_to_raise,
    dbt_adapters=("clickhouse",),
)
