"""A query as text in a dialect of SQL; what a dialect cannot say is refused in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ErrorLevel, SqlglotError, UnsupportedError

from rankmetrics import tree
from rankmetrics.errors import DialectError, did_you_mean, names


class ExplicitDuckDB(DuckDB):
    """DuckDB's SQL that says where NULLs go in a descending order: Polars, which reads it too, has another default."""

    NULL_ORDERING = "nulls_are_large"


@dataclass(frozen=True)
class Dialect:
    """What is particular about a dialect.

    Attributes:
        writes_as: the grammar it is written in, where it shares another's.
        plain_columns: whether a column's name may hold letters, digits and underscores only.
        barriers: whether it has AS MATERIALIZED, and gains by it.
        nan_is_nan: whether NaN equals NaN, as NULLIF needs; else IS_NAN has to ask.
        ordered_quantiles: whether a quantile is written WITHIN GROUP (ORDER BY ...), which sqlglot does not know of it.
        lacks: what it cannot say, with the name that we have for it.
    """

    writes_as: str = ""
    plain_columns: bool = False
    barriers: bool = False
    nan_is_nan: bool = True
    ordered_quantiles: bool = False
    lacks: Mapping[type[exp.Expr], str] = field(default_factory=dict)


DIALECTS: Mapping[str, Dialect] = {
    "bigquery": Dialect(
        plain_columns=True,
        nan_is_nan=False,
        lacks={exp.Median: "the aggregate median", exp.PercentileDisc: "the aggregate median_low"},
    ),
    "duckdb": Dialect(writes_as="explicitduckdb", barriers=True),
    "polars": Dialect(writes_as="explicitduckdb"),
    "postgres": Dialect(),
    "snowflake": Dialect(),
    "spark": Dialect(ordered_quantiles=True),
}


def _known(name: str) -> Dialect:
    if name not in DIALECTS:
        raise DialectError(f"There is no dialect {name!r}: there are {names(DIALECTS)}.{did_you_mean(name, DIALECTS)}")
    return DIALECTS[name]


def text(select: exp.Select, name: str, *, pretty: bool = True) -> str:
    """A query as text, formatted and commented.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.
    """
    dialect = _known(name)
    for kind, what in dialect.lacks.items():
        if select.find(kind):
            raise DialectError(f"{name} has nothing for {what}: leave it out, or take it from the query per list.")
    if dialect.ordered_quantiles:
        select = _order_quantiles(select)
    if dialect.plain_columns:
        select = _plain_columns(select)
    if not dialect.nan_is_nan:
        select = _ask_for_nan(select)
    if not dialect.barriers:
        select = _without_barriers(select)
    try:
        return select.sql(
            dialect.writes_as or name,
            pretty=pretty,
            unsupported_level=ErrorLevel.RAISE,
            comments=pretty,
            max_text_width=100,
        )
    except UnsupportedError as error:
        raise DialectError(f"{name} cannot say what this query needs: {error}") from error


def table(name: str, dialect: str) -> exp.Table:
    """A table by its name in a dialect: `db.recs`, `"my schema".recs`.

    Raises:
        DialectError: that is no name of a table there.
    """
    try:
        found = exp.to_table(name, dialect=_known(dialect).writes_as or dialect)
    except SqlglotError as error:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}.") from error
    if not isinstance(found.this, exp.Identifier) or found.alias:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}: quote what is no plain name.")
    tree.quote(found)
    return found


def plain(label: str) -> str:
    """A label as a name that every warehouse takes.

    >>> plain("ndcg(gain=linear)@10")
    'ndcg_gain_linear_at_10'
    """
    return re.sub(r"[^\w \-]+", "_", label.replace("@", "_at_")).replace("__", "_").strip("_")


def _ask_for_nan(select: exp.Select) -> exp.Select:
    select = select.copy()
    for node in list(select.find_all(exp.Nullif)):
        if isinstance(node.expression, exp.Cast) and node.expression.name == "NaN":
            node.replace(exp.Case().when(exp.IsNan(this=node.this.copy()), exp.Null()).else_(node.this.copy()))
    return select


def _order_quantiles(select: exp.Select) -> exp.Select:
    select = select.copy()
    for node in list(select.find_all(exp.PercentileDisc)):
        order = exp.Order(expressions=[exp.Ordered(this=node.this.copy(), nulls_first=True)])
        # by its name, since sqlglot would make it PERCENTILE_APPROX
        quantile = exp.Anonymous(this="PERCENTILE_DISC", expressions=[node.expression.copy()])
        node.replace(exp.WithinGroup(this=quantile, expression=order))
    return select


def _without_barriers(select: exp.Select) -> exp.Select:
    select = select.copy()
    for cte in select.ctes:
        cte.set("materialized", None)
    return select


def _plain_columns(select: exp.Select) -> exp.Select:
    select = select.copy()
    for node in select.find_all(exp.Identifier):
        if not isinstance(node.parent, exp.Table) and re.search(r"[^\w \-]", node.name):
            node.set("this", plain(node.name))
    return select
