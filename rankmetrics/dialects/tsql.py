"""Microsoft SQL Server, Azure SQL and Fabric."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree


def cast_powers(query: exp.Expr) -> None:
    """`POWER(2, x)` → `POWER(CAST(2 AS DOUBLE), x)`.

    SQL Server returns a power in the type of its base: a power of a whole number is a whole number.
    """
    for node in tree.find(query, exp.Pow):
        node.set("this", exp.cast(node.this, exp.DType.DOUBLE, copy=False))


def write_hex_digest(query: exp.Expr) -> None:
    """`MD5(x)` → `LOWER(CONVERT(VARCHAR(32), HASHBYTES('MD5', CAST(x AS VARCHAR(MAX))), 2))`.

    HASHBYTES returns bytes, and the bytes of NVARCHAR are UTF-16. A cast to VARCHAR under a collation of UTF-8 makes
    them UTF-8, as in other databases.
    """
    for node in tree.find(query, exp.MD5)[::-1]:  # inner ones first: a hash may be of a hash
        text = exp.cast(node.this.copy(), exp.DType.TEXT)
        digest = exp.func("HASHBYTES", exp.Literal.string("MD5"), text)
        kind = exp.DataType(this=exp.DType.VARCHAR, expressions=[exp.DataTypeParam(this=tree.literal(32))])
        converted = exp.Anonymous(this="CONVERT", expressions=[kind, digest, tree.literal(2)])
        node.replace(exp.Lower(this=converted))


def _lock(table: exp.Table) -> tuple[model.Statements, model.Statements]:
    """A transaction that keeps locks on the rows that it did not find: of two jobs at once, one waits or is ended."""
    level = "SET TRANSACTION ISOLATION LEVEL {}".format
    return ["SET XACT_ABORT ON", level("SERIALIZABLE"), "BEGIN TRANSACTION"], [
        "COMMIT TRANSACTION",
        level("READ COMMITTED"),
    ]


DIALECT = model.Dialect(
    called="SQL Server",
    rewrites=(
        rewrites.replace_filters,
        cast_powers,
        rewrites.drop_nan_tests,
        rewrites.replace_infinity,
        partial(rewrites.rename_deviation, name="STDEV"),
        rewrites.drop_materialized,
        rewrites.round_to_single,
        write_hex_digest,
        partial(rewrites.collate_text, collation="Latin1_General_100_BIN2_UTF8"),
    ),
    lacks=(*model.median_lacks("its percentiles are window functions"), model.NO_GAP),
    names=model.Names(longest=128),
    ddl=model.Ddl(if_not_exists=False),
    writes=model.Writes(
        table="drop in transaction",
        begin=("SET XACT_ABORT ON", "BEGIN TRANSACTION"),
        commit="COMMIT TRANSACTION",
        lock=_lock,
    ),
    drivers=(model.Driver("mssql_python", "mssql-python"), model.Driver("pymssql", "pymssql")),
    vendors=("microsoft sql server",),
    sqlalchemy={"mssql": "pyodbc"},
    catalog=model.CatalogQueries(model.select_columns, tables=model.TABLES),
    ibis_backend="mssql",
    raise_error=model.cast_to_raise,
    dbt_adapters=("fabric", "sqlserver"),
)
