"""The types of columns by the names that databases have for them, and the query that unnests an array."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import sqlglot
from sqlglot import exp

from rankmetrics.dialects.base import grammar, known
from rankmetrics.inputs.columns import ColumnType, Family
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# The family of a type, by a pattern for its name in any database; the first pattern that fits counts.
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

# The names of types whose values are lists of elements.
ARRAY = r"^(large|fixedsize)?(array|list)\W.*\w|\[\]$"


def type_of(name: str) -> ColumnType:
    """The type of a column, by the type's name in a database.

    >>> type_of("character varying(20)").family, type_of("Nullable(UInt64)").family, type_of("double precision").family
    ('string', 'integer', 'float')
    """
    found: Family = next((family for pattern, family in FAMILIES.items() if re.search(pattern, name.lower())), "other")
    is_array = re.search(ARRAY, name.lower()) is not None
    return ColumnType(found, name, element=type_of(element_of(name)) if is_array else None)


def element_of(name: str) -> str:
    """The name of the type of an array's elements, by the name of the array's type.

    >>> element_of("double precision[]"), element_of("Array(Nullable(Float64))")
    ('double precision', 'Nullable(Float64)')
    """
    return re.sub(r"^\w+[(<](.*)[)>]$|\[\]$", r"\1", name)


def spread(
    dialect: str, source: exp.Expr, listed: str, columns: Iterable[str]
) -> tuple[exp.Select, exp.Column, exp.Column] | None:
    """A query with a row for each element of an array; None where the dialect has no such query.

    Args:
        dialect: what the query is written in.
        source: the table.
        listed: the column of the table that holds arrays.
        columns: all columns of the table.

    Returns:
        The query, and its columns of the element and of the element's place: `element` and `place`, or names like
        these that the table does not have.
    """
    if not known(dialect).unnest:
        return None
    select = sqlglot.parse_one(known(dialect).unnest, read=grammar(dialect))
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
