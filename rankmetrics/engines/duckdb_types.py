"""Types of DuckDB columns: the family of each."""

from __future__ import annotations

from collections.abc import Mapping

from rankmetrics.inputs.types import Family

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
