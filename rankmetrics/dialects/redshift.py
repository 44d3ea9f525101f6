"""Amazon Redshift: PostgreSQL of an older release, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from rankmetrics.dialects import model, postgres, rewrites
from rankmetrics.sqltree import tree


def compare_nan_both_ways(query: exp.Expr) -> None:
    """`NULLIF(x, NaN)` → `CASE WHEN x = x AND x <> NaN THEN x END`.

    Redshift does not document whether NaN equals NaN; this text is right either way.
    """
    for node in rewrites.nan_tests(query):
        test = "CASE WHEN :x = :x AND :x <> :nan THEN :x END"
        node.replace(tree.fill(test, x=node.this, nan=node.expression))


def _sort_by_key(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    columns = [exp.to_identifier(key, quoted=True) for key in keys]
    return [exp.SortKeyProperty(this=columns, compound=False)] if keys else []


def _lock(table: exp.Table) -> tuple[model.Statements, model.Statements]:
    """LOCK within the transaction: other jobs wait."""
    return ["BEGIN", f"LOCK {table.sql('redshift')}"], ["COMMIT"]


DIALECT = replace(
    postgres.DIALECT,
    called="Redshift",
    rewrites=(
        rewrites.replace_filters,
        rewrites.bound_powers,
        rewrites.name_powers,
        rewrites.round_to_single,
        compare_nan_both_ways,
        rewrites.replace_values,
        rewrites.drop_materialized,
    ),
    lacks=model.median_lacks("all medians of a query would have to be of one value"),
    names=replace(postgres.DIALECT.names, longest=127),
    ddl=model.Ddl("statement", _sort_by_key),
    writes=replace(postgres.DIALECT.writes, lock=_lock),
    drivers=(model.Driver("redshift_connector", "redshift_connector"),),
    vendors=("redshift",),
    sqlalchemy={"redshift": "sqlalchemy-redshift redshift_connector"},
    catalog=model.CatalogQueries(model.select_columns, tables=model.TABLES),
    unnest="",
    dbt_adapters=("redshift",),
)
