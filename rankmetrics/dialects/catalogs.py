"""Queries for the columns and tables of a database that several databases answer."""

from __future__ import annotations

from sqlglot import exp

# The names of all tables, as the standard's catalogue has them.
TABLES = "SELECT table_name FROM information_schema.tables"


def describe_table(table: exp.Table) -> exp.Expr:
    """`DESCRIBE table`."""
    return exp.Describe(this=table.copy())


def select_columns(table: exp.Table) -> exp.Expr:
    """The columns by the standard's catalogue: in the table's schema, or in any where the table is named without."""
    where = exp.EQ(this=exp.column("table_name"), expression=exp.Literal.string(table.name))
    select = exp.select("column_name", "data_type").from_("information_schema.columns").where(where)
    if table.db:
        select = select.where(exp.EQ(this=exp.column("table_schema"), expression=exp.Literal.string(table.db)))
    return select.order_by("ordinal_position")
