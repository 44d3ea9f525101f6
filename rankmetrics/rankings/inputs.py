"""Rankings among the inputs of an evaluation: their rows as a stream, and their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankmetrics.engines.base import Engine
from rankmetrics.engines.duckdb import DuckDB
from rankmetrics.engines.polars import Polars
from rankmetrics.engines.systems import Systems
from rankmetrics.errors import InputError
from rankmetrics.inputs.columns import Columns
from rankmetrics.queries import Queries
from rankmetrics.rankings.arrays import is_sparse
from rankmetrics.rankings.needs import need_of
from rankmetrics.rankings.rankings import RankedRows, Rankings


@dataclass(frozen=True)
class RankedInputs:
    """The rankings among the inputs of an evaluation.

    Attributes:
        rows: the rows of each; several where the recommendations are those of several systems.
    """

    rows: Sequence[RankedRows]

    @classmethod
    def taken(cls, inputs: dict[str, Any]) -> RankedInputs:
        """Put the rows of rankings in their place among the inputs, and tables in the place of sparse matrices."""
        recs = inputs["recs"]
        given: Mapping[str, Any] = recs.inputs if isinstance(recs, Systems) else {"": recs}
        rows = {name: RankedRows(one) if isinstance(one, Rankings) else one for name, one in given.items()}
        inputs["recs"] = replace(recs, inputs=rows) if isinstance(recs, Systems) else rows[""]
        ranked = [row for row in rows.values() if isinstance(row, RankedRows)]
        tables = {"truth": ranked[0].rankings.truth, "history": ranked[0].rankings.history}
        inputs.update({name: table for name, table in tables.items() if is_sparse(inputs.get(name))})
        return cls(ranked)

    def columns(self, given: Columns | None) -> Columns:
        """The columns of the rows, with what the caller says of the other inputs."""
        own = self.rows[0].rankings.columns
        return replace(given or Columns(), item=own.item, rank=own.rank, score=own.score, pool=own.pool)

    def refuse_unless_read_by(self, engine: type[Engine]) -> None:
        """Refuse an engine that reads no rows which Python computes.

        Raises:
            InputError: the engine is neither Polars nor DuckDB.
        """
        if not issubclass(engine, (DuckDB, Polars)):
            raise InputError(
                "Rankings are evaluated by Polars or DuckDB, and this connection or truth belongs to another engine: "
                "write them into a file, rankings.write(...), and give the table that holds it."
            )

    def prepare(self, engine: Engine, queries: Queries) -> None:
        """Let the engine compute the rows that the metrics read, before it runs a query.

        Raises:
            MetricError: a metric without a cutoff reads every row of whole lists.
        """
        plans = [queries.planned([metric]).plan for metric in queries.metrics]
        for row in self.rows:
            row.need = need_of(queries.metrics, plans, row.rankings.k)
        engine.before = [row.compute for row in self.rows]
