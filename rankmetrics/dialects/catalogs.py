"""Queries for the columns and tables of a database that several databases answer."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

# The names of all tables, as the standard's catalogue has them.
TABLES = "SELECT table_name FROM information_schema.tables"


def about(text: str, table: exp.Table, dialect: str) -> exp.Expr:
    """A query about a table.

    In the text, `:name` is the table as the dialect writes it, `:table` its name alone, and `:schema` its schema, or
    NULL if the table is named without a schema.
    """
    schema = exp.Literal.string(table.db) if table.db else exp.Null()
    bound = {
        "name": exp.Literal.string(table.sql(dialect)),
        "table": exp.Literal.string(table.name),
        "schema": schema,
    }
    query: exp.Expr = sqlglot.parse_one(text, read=dialect)
    for node in list(query.find_all(exp.Placeholder)):
        node.replace(bound[node.name].copy())
    return query


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
