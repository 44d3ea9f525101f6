"""How a database stores a table of results: its partitions and the order of its rows, as clauses of CREATE TABLE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sqlglot import exp

# The clauses of CREATE TABLE, given the columns of the partitions, all key columns, and the column that is a date: the
# first of the partitions, or None.
Storage: TypeAlias = Callable[[Sequence[str], Sequence[str], str | None], list[exp.Expr]]


def plain(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """No clause."""
    return []


def clustered(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """CLUSTER BY the key columns."""
    return [exp.ClusterProperty(expressions=_columns(keys))] if keys else []


def partitioned_by_date(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """PARTITION BY the column of dates, and CLUSTER BY the first four other keys."""
    found: list[exp.Expr] = []
    if day is not None:
        found.append(exp.PartitionedByProperty(this=_identifiers([day])[0]))
        keys = [key for key in keys if key != day]
    return [*found, *clustered(partition, keys[:4], day)]


def parquet_partitioned(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """USING PARQUET PARTITIONED BY the columns of the partitions: INSERT OVERWRITE replaces such partitions."""
    found: list[exp.Expr] = [exp.FileFormatProperty(this=exp.var("PARQUET"))]
    if partition:
        found.append(exp.PartitionedByProperty(this=exp.Schema(expressions=_identifiers(partition))))
    return found


def sorted_by_key(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """SORTKEY of the key columns."""
    return [exp.SortKeyProperty(this=_identifiers(keys), compound=False)] if keys else []


def merge_tree(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """ENGINE = MergeTree ORDER BY the key columns."""
    order = exp.Ordered(this=exp.Tuple(expressions=_columns(keys)), nulls_first=False)
    return [exp.EngineProperty(this=exp.to_identifier("MergeTree")), exp.Order(expressions=[order])]


def _identifiers(names: Sequence[str]) -> list[exp.Identifier]:
    return [exp.to_identifier(name, quoted=True) for name in names]


def _columns(names: Sequence[str]) -> list[exp.Column]:
    return [exp.column(name, quoted=True) for name in names]
