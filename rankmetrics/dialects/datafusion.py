"""Apache DataFusion, which reads PostgreSQL's grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree

if TYPE_CHECKING:
    import polars as pl


def _read(context: Any, sql: str) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(context.sql(sql).to_arrow_table())


def _list_tables(context: Any) -> list[str]:
    """The names of the tables of a context; its SQL has no catalogue unless it is switched on."""
    catalog = context.catalog()
    return [name for schema in catalog.names() for name in catalog.schema(schema).names()]


def add_zero_to_scores(query: exp.Expr) -> None:
    """`ORDER BY score` → `ORDER BY (score + 0)`, and `CAST(score AS REAL)` → `(CAST(score AS REAL) + 0)`.

    DataFusion orders -0 below 0; the sum of -0 and 0 is 0. A small negative number is -0 in 32 bits.
    """
    scores = [node for node in tree.find(query, exp.Column) if node.is_type(exp.DType.DOUBLE)]
    for kind, nodes in (
        (exp.DType.DOUBLE, scores),
        (exp.DType.FLOAT, [node for node in tree.find(query, exp.Cast) if node.is_type(exp.DType.FLOAT)]),
    ):
        for node in nodes:
            zero = exp.cast(exp.Literal.number(0), kind)
            node.replace(exp.Paren(this=exp.Add(this=node.copy(), expression=zero)))


DIALECT = model.Dialect(
    called="DataFusion",
    grammar="postgres",
    rewrites=(add_zero_to_scores, rewrites.name_powers, rewrites.drop_materialized),
    lacks=(
        model.Lack(exp.PercentileDisc, "the aggregate median_low", "it has no percentile that is one of the values"),
        model.Lack(exp.StrPosition, "a sample by popularity", "its planner fails at the order of the draws"),
    ),
    names=model.Names(folds_to="lower"),
    writes=model.Writes(
        "insert",
        begin=(),
        commit="",
        note="DataFusion deletes no rows of a table: a second run adds the rows again.",
        has_temporary_tables=False,
    ),
    drivers=(model.Driver("datafusion", extra="datafusion", read=_read, tables=_list_tables),),
    raise_error=model.cast_to_raise,
    catalog=model.CatalogQueries(),
    unnest=(
        "SELECT *, UNNEST(range(1, CAST(coalesce(nullif(array_length(listed), 0), 1) AS BIGINT) + 1)) AS place, "
        "UNNEST(CASE WHEN array_length(listed) > 0 THEN listed ELSE make_array(NULL) END) AS element FROM source"
    ),
)
