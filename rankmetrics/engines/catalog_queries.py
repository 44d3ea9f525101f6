"""What a database says of a table in its own catalogue: columns, their types, and what else there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import sqlglot
from sqlglot import exp

from rankmetrics.dialects.base import grammar
from rankmetrics.inputs.types import ColumnType, Family
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# What the names of types tell, in any database; the first that fits counts.
FAMILIES: Mapping[str, Family] = {
    r"^(nullable\()?enum": "string",
    r"^null$|nothing\)?$|^void$|^unknown$": "unknown",
    r"^interval|^duration": "duration",
    r"^point|^geo": "other",
    r"^(nullable\()?(uuid|uniqueidentifier)": "string",
    r"^(nullable\()?time(64|_ns|tz)?(\W|$)": "time",
    r"^(nullable\()?(large|fixedsize)?(array|list|map|struct|row|tuple|nested|json|variant|object|super)": "nested",
    r"\[\]$": "nested",
    r"^bytea|^(long|medium|tiny)?blob|binary|^image": "binary",
    r"timestamp_?ntz": "datetime",
    r"(timestamp|datetime)\w*\(.*(['\"]|some)|with time zone|timestamp_?l?tz|datetimeoffset": "zoned datetime",
    r"timestamp|datetime": "datetime",
    r"\bdate": "date",
    r"\bbool|^bit$": "boolean",
    r"char|text|string|utf8|clob|varying|^name$|symbol": "string",
    r"(decimal|numeric|number)\w*\(\d+(, *0)?\)": "integer",
    r"int(eger|\d+|\b|\d+\b)|serial|^rowid": "integer",
    r"float|double|real|decimal|numeric|number|money": "float",
}


def type_of(name: str) -> ColumnType:
    """A type by the name that a database has for it.

    >>> type_of("character varying(20)").family, type_of("Nullable(UInt64)").family, type_of("double precision").family
    ('string', 'integer', 'float')
    """
    found: Family = next((family for pattern, family in FAMILIES.items() if re.search(pattern, name.lower())), "other")
    return ColumnType(found, name)


def element_of(name: str) -> str:
    """The type of an array's elements, by the name of the array's.

    >>> element_of("double precision[]"), element_of("Array(Nullable(Float64))")
    ('double precision', 'Nullable(Float64)')
    """
    return re.sub(r"^\w+\((.*)\)$|\[\]$", r"\1", name)


Question = Callable[[exp.Table], exp.Expr]


def _pg_columns(table: exp.Table) -> exp.Expr:
    """As the search path finds it: tables, views, materialized views, foreign and temporary tables."""
    select = sqlglot.parse_one(
        "SELECT a.attname, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) "
        "ELSE format_type(a.atttypid, a.atttypmod) END "
        "FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid "
        "WHERE a.attrelid = to_regclass($name) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
        read="postgres",
    )
    return _naming(select, exp.Literal.string(table.sql("postgres")))


def _pragma_columns(table: exp.Table) -> exp.Expr:
    of = [exp.Literal.string(one) for one in (table.name, table.db) if one]
    return exp.select("name", "type").from_(exp.Anonymous(this="pragma_table_info", expressions=of))


def _described(table: exp.Table) -> exp.Expr:
    return exp.Describe(this=table.copy())


def _schema_columns(table: exp.Table) -> exp.Expr:
    """By the standard's catalogue, in the schema named, or in the one that unqualified names are looked up in."""
    where = exp.EQ(this=exp.column("table_name"), expression=exp.Literal.string(table.name))
    select = exp.select("column_name", "data_type").from_("information_schema.columns").where(where)
    if table.db:
        select = select.where(exp.EQ(this=exp.column("table_schema"), expression=exp.Literal.string(table.db)))
    return select.order_by("ordinal_position")


def _dataset_columns(table: exp.Table) -> exp.Expr:
    """As BigQuery has it: a catalogue in each dataset."""
    catalogue = exp.Table(
        this=exp.Dot(this=exp.to_identifier("INFORMATION_SCHEMA"), expression=exp.to_identifier("COLUMNS")),
        db=exp.to_identifier(table.db),
        catalog=exp.to_identifier(table.catalog) if table.catalog else None,
    )
    where = exp.EQ(this=exp.column("table_name"), expression=exp.Literal.string(table.name))
    return exp.select("column_name", "data_type").from_(catalogue).where(where).order_by("ordinal_position")


def _naming(select: exp.Expr, name: exp.Expr) -> exp.Expr:
    for node in list(select.find_all(exp.Parameter, exp.Placeholder)):
        node.replace(name.copy())
    return select


# What to ask for the columns of a table: the first two columns of the answer are their names and types.
COLUMNS: Mapping[str, Question] = {
    "athena": _schema_columns,
    "bigquery": _dataset_columns,
    "clickhouse": _described,
    "databricks": _described,
    "datafusion": _described,
    "duckdb": _described,
    "mysql": _described,
    "postgres": _pg_columns,
    "redshift": _schema_columns,
    "snowflake": _described,
    "spark": _described,
    "sqlite": _pragma_columns,
    "trino": _described,
    "tsql": _schema_columns,
}

# Databases that describe a SELECT as they describe a table; of others, its first rows tell the types.
DESCRIBES_QUERIES = frozenset({"clickhouse"})

_SCHEMAS = "SELECT table_name FROM information_schema.tables"

# What to ask for the names of tables, to suggest one where none was found.
TABLES: Mapping[str, str] = {
    "clickhouse": "SHOW TABLES",
    "mysql": "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()",
    "postgres": _SCHEMAS,
    "redshift": _SCHEMAS,
    "snowflake": _SCHEMAS,
    "sqlite": "SELECT name FROM pragma_table_list",
    "tsql": _SCHEMAS,
}

# What makes rows of the elements of an array, each with its place; what has no element keeps its row.
SPREADS: Mapping[str, str] = {
    "clickhouse": (
        "SELECT *, elements.1 AS place, elements.2 AS element FROM (SELECT *, arrayJoin(if(empty(listed), [(0, NULL)], "
        "arrayZip(arrayEnumerate(listed), arrayMap(x -> toNullable(x), listed)))) AS elements FROM source)"
    ),
    "datafusion": (
        "SELECT *, UNNEST(range(1, CAST(coalesce(nullif(array_length(listed), 0), 1) AS BIGINT) + 1)) AS place, "
        "UNNEST(CASE WHEN array_length(listed) > 0 THEN listed ELSE make_array(NULL) END) AS element FROM source"
    ),
    "postgres": (
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN LATERAL UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    "trino": (
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
}


def spread(
    dialect: str, source: exp.Expr, listed: str, columns: Iterable[str]
) -> tuple[exp.Select, exp.Column, exp.Column] | None:
    """A query for the rows of an array's elements; None where nothing is known to do it.

    Args:
        dialect: what the query is written in.
        source: the table.
        listed: the column of the table that holds arrays.
        columns: all columns of the table.

    Returns:
        The query, and its columns of the element and of the element's place: `element` and `place`, or names like
        these that the table does not have.
    """
    if dialect not in SPREADS:
        return None
    select = sqlglot.parse_one(SPREADS[dialect], read=grammar(dialect))
    called = {one: free_name(one, columns, "_") for one in ("element", "place", "elements")}
    for name in list(select.find_all(exp.Identifier)):
        name.set("this", called.get(name.name, name.name))
    for table in list(select.find_all(exp.Table)):
        if table.name == "source":
            inner = exp.select("*").from_(source.copy())
            table.replace(exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("source"))))
    for column in list(select.find_all(exp.Column)):
        if column.name == "listed":
            column.replace(tree.column(listed, column.table or None))
    assert isinstance(select, exp.Select)
    return select, exp.column(called["element"]), exp.column(called["place"])
