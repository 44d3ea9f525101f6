"""The values per list that are compared, as a query of an engine with numbered columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.engines.base import Engine
from rankmetrics.inputs.columns import ColumnType
from rankmetrics.sqltree import tree

if TYPE_CHECKING:
    import polars as pl

# The name of the step with the values per list in the files of sql/comparisons.
PER_LIST = "per_list"


@dataclass(frozen=True)
class PerList:
    """The values per list of several systems, in an engine.

    Attributes:
        engine: the engine that has them.
        query: writes a new query for them in a dialect, with the columns of `lists` and `metrics` under these names.
        lists: the columns that identify a list and its system, each with its type.
        systems: those of them that name the system.
        metrics: the labels of the metrics.
        check: refuses data whose numbers would be meaningless.
        is_complete: whether every system is scored on every list.
        is_given: whether the caller gave the values, which may hold a list twice, or numbers that are none.
    """

    engine: Engine
    query: Callable[[str], exp.Query]
    lists: Mapping[str, ColumnType | None]
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    check: Callable[[], None]
    is_complete: bool
    is_given: bool = False

    @property
    def shared(self) -> list[str]:
        """The columns that identify a list of each system."""
        return [name for name in self.lists if name not in self.systems]

    @cached_property
    def in_duckdb(self) -> PerList:
        """The same values, computed and handed over to DuckDB."""
        from rankmetrics.engines.duckdb import DuckDB

        engine = DuckDB({PER_LIST: self._computed()}, None)
        return replace(self, engine=engine, query=self._of_table(engine.inputs[PER_LIST].table))

    def in_table(self, name: str, dialect: str, *, is_folded: bool) -> PerList:
        """The same values as a table of a database, for text that runs there.

        Raises:
            DialectError: the text is no name of a table there.
        """
        return replace(self, query=self._of_table(dialects.table(name, dialect, is_folded=is_folded)))

    def _of_table(self, table: exp.Expr) -> Callable[[str], exp.Query]:
        """What writes a query for the columns of a table."""
        return lambda _dialect: exp.select(*map(tree.column, [*self.lists, *self.metrics])).from_(table.copy())

    def _computed(self) -> pl.DataFrame:
        columns, dialect = [*self.lists, *self.metrics], self.engine.dialect
        text = dialects.text(self.query(dialect), dialect, pretty=False, copy=False)
        return self.engine.collect(self.engine.run(text, columns))


def numbered(kind: str, n: int) -> list[str]:
    """The names of some columns of a kind inside a query.

    >>> numbered("list", 2)
    ['list_1', 'list_2']
    """
    return [f"{kind}_{place}" for place in range(1, n + 1)]


def renamed(columns: Sequence[str], names: Sequence[str]) -> list[exp.Expr]:
    """Columns under other names."""
    return [tree.named(tree.column(column), name) for column, name in zip(columns, names, strict=True)]
