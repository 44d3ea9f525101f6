"""Types of DuckDB columns: the family of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankmetrics.inputs.columns import ColumnType, Family

FAMILIES: Mapping[str, Family] = {
    **dict.fromkeys(
        "tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint".split(), "integer"
    ),
    **dict.fromkeys("float double decimal".split(), "float"),
    **dict.fromkeys("varchar enum uuid".split(), "string"),
    **dict.fromkeys("timestamp timestamp_s timestamp_ms timestamp_ns".split(), "datetime"),
    "timestamp with time zone": "zoned datetime",
    **dict.fromkeys("list array struct map union variant".split(), "nested"),
    **dict.fromkeys("blob bit".split(), "binary"),
    **dict.fromkeys(("time", "time_ns", "time with time zone"), "time"),
    "interval": "duration",
    "date": "date",
    "boolean": "boolean",
    "null": "unknown",
}


def family_of(kind: str, full: str) -> Family:
    """The family of a type, by DuckDB's id of the type and by its full name: `list` and `BIGINT[]`."""
    if kind == "decimal" and full.endswith(",0)"):
        return "integer"
    if full == "JSON":
        return "nested"
    return FAMILIES.get(kind, "nested" if "[" in full else "other")


def type_of(kind: Any) -> ColumnType:
    """The type of a column, with the types of elements and fields; `kind` is a type of DuckDB's Python module."""
    full = str(kind)
    children = kind.children if kind.id in ("list", "array", "struct") else []
    element = type_of(children[0][1]) if kind.id in ("list", "array") else None
    fields = children if kind.id == "struct" else []
    return ColumnType(family_of(kind.id, full), full, element, tuple((name, type_of(one)) for name, one in fields))
