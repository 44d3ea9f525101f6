"""A query as text in a dialect of SQL; what a dialect cannot say is refused in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sqlglot.dialects
from sqlglot import Dialect as Grammar
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ErrorLevel, SqlglotError, UnsupportedError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from rankmetrics.dialects import rewrites
from rankmetrics.dialects.rewrites import Rewrite
from rankmetrics.errors import DialectError, did_you_mean, names
from rankmetrics.sqltree import tree


class ExplicitDuckDB(DuckDB):
    """DuckDB's SQL that says where NULLs go in a descending order: Polars, which reads it too, has another default."""

    NULL_ORDERING = "nulls_are_large"


@dataclass(frozen=True)
class Dialect:
    """What is particular about a dialect.

    Attributes:
        called: what a person calls it.
        writes_as: the grammar it is written in, where it shares another's or has one of our own.
        rewrites: what it says otherwise.
        lacks: what it cannot say, with the name that we have for it.
    """

    called: str
    writes_as: str | type[Grammar] = ""
    rewrites: Sequence[Rewrite] = ()
    lacks: Mapping[type[exp.Expr], str] = field(default_factory=dict)


MEDIANS: Mapping[type[exp.Expr], str] = {
    exp.Median: "the aggregate median",
    exp.PercentileDisc: "the aggregate median_low",
}
DEVIATION = "the aggregates std and ci: it has no standard deviation"

TRINO = (rewrites.extremes_past_nulls, rewrites.asked_for_nan, rewrites.without_barriers)
SPARK = (
    rewrites.bare_extremes,
    rewrites.ordered_quantiles,
    rewrites.broadcast_crossed,
    rewrites.without_barriers,
)

DIALECTS: Mapping[str, Dialect] = {
    "athena": Dialect("Athena", rewrites=(*TRINO, rewrites.plain_columns), lacks=MEDIANS),
    "bigquery": Dialect(
        "BigQuery",
        rewrites=(
            rewrites.filters_as_cases,
            rewrites.extremes_past_nulls,
            rewrites.asked_for_nan,
            rewrites.columns_before_tables,
            rewrites.single_precision,
            rewrites.partitioned_as_text("n_users"),
            rewrites.without_barriers,
            rewrites.plain_columns,
            rewrites.names_up_to(300),
        ),
        lacks=MEDIANS,
    ),
    "clickhouse": Dialect(
        "ClickHouse",
        rewrites=(
            rewrites.extremes_past_nulls,
            rewrites.asked_for_nan,
            rewrites.exact_quantiles,
            rewrites.deviations_called(
                "stddevSampStable"
            ),  # its usual one is a difference of squares, and finds 1e-8 for 0
            rewrites.signed_counts,
            rewrites.named_columns,
            rewrites.without_barriers,
            rewrites.settings(
                join_use_nulls=1,
                aggregate_functions_null_for_empty=1,
                prefer_column_name_to_alias=1,
                query_plan_max_optimizations_to_apply=1000000,
            ),
        ),
    ),
    "databricks": Dialect("Databricks", rewrites=(*SPARK, rewrites.plain_columns, rewrites.names_up_to(255))),
    "datafusion": Dialect(
        "DataFusion",
        writes_as="postgres",
        rewrites=(rewrites.bare_extremes, rewrites.one_zero, rewrites.without_barriers),
        lacks={exp.PercentileDisc: MEDIANS[exp.PercentileDisc]},
    ),
    "duckdb": Dialect(
        "DuckDB",
        writes_as=ExplicitDuckDB,
        rewrites=(rewrites.plain_filters_as_cases,),
    ),
    "mysql": Dialect(
        "MySQL",
        rewrites=(
            rewrites.filters_as_cases,
            rewrites.divisions_of_doubles,
            rewrites.extremes_past_nulls,
            rewrites.without_nan,
            rewrites.without_infinity,
            rewrites.rows_by_union,
            rewrites.without_barriers,
            rewrites.qualified_windows,
            rewrites.single_precision,
            rewrites.signed_counts,
            rewrites.bitwise_text("utf8mb4_bin", charset="utf8mb4"),
            rewrites.names_up_to(64),
            rewrites.steps_up_to(64),
        ),
        lacks=MEDIANS,
    ),
    "polars": Dialect(
        "Polars",
        writes_as=ExplicitDuckDB,
        rewrites=(rewrites.filters_as_cases, rewrites.without_barriers),
    ),
    "postgres": Dialect(
        "PostgreSQL",
        rewrites=(
            rewrites.powers_above_nothing,
            rewrites.bare_extremes,
            rewrites.without_barriers,
            rewrites.bitwise_text("C"),
            rewrites.names_up_to(63, in_bytes=True),
        ),
    ),
    "redshift": Dialect(
        "Redshift",
        rewrites=(
            rewrites.filters_as_cases,
            rewrites.powers_above_nothing,
            rewrites.bare_extremes,
            rewrites.either_nan,
            rewrites.rows_by_union,
            rewrites.without_barriers,
            rewrites.names_up_to(127, in_bytes=True),
        ),
        lacks=MEDIANS,  # it has a MEDIAN, but all medians of a query have to be of one column
    ),
    "snowflake": Dialect(
        "Snowflake",
        rewrites=(
            rewrites.filters_as_cases,
            rewrites.single_precision,
            rewrites.divisions_of_doubles,
            rewrites.without_barriers,
            rewrites.names_up_to(255),
        ),
    ),
    "spark": Dialect("Spark", rewrites=SPARK),
    "sqlite": Dialect(
        "SQLite",
        rewrites=(
            rewrites.extremes_past_nulls,
            rewrites.without_nan,
            rewrites.single_precision,
            rewrites.endless_infinity,
            rewrites.rows_by_union,
        ),
        lacks={**MEDIANS, exp.StddevSamp: DEVIATION},
    ),
    "trino": Dialect("Trino", rewrites=TRINO, lacks=MEDIANS),
    "tsql": Dialect(
        "SQL Server",
        rewrites=(
            rewrites.filters_as_cases,
            rewrites.divisions_of_doubles,
            rewrites.powers_of_doubles,
            rewrites.bare_extremes,
            rewrites.without_nan,
            rewrites.without_infinity,
            rewrites.deviations_called("STDEV"),
            rewrites.without_barriers,
            rewrites.single_precision,
            rewrites.ordered_numbers,
            rewrites.bitwise_text("Latin1_General_100_BIN2_UTF8"),
            rewrites.names_up_to(128),
        ),
        lacks=MEDIANS,
    ),
}


def known(name: str) -> Dialect:
    """What is particular about a dialect.

    Raises:
        DialectError: there is none of that name.
    """
    if name not in DIALECTS:
        raise DialectError(f"There is no dialect {name!r}: there are {names(DIALECTS)}.{did_you_mean(name, DIALECTS)}")
    return DIALECTS[name]


def grammar(name: str) -> type[Grammar]:
    """The grammar that a dialect is written in, as sqlglot has it: Ibis, for one, registers its own under such names.

    >>> grammar("datafusion").__name__, grammar("mysql").__name__
    ('Postgres', 'MySQL')
    """
    written = known(name).writes_as or name
    if not isinstance(written, str):
        return written
    called = {one.lower(): one for one in sqlglot.dialects.DIALECTS}
    found: type[Grammar] = getattr(sqlglot.dialects, called[written])
    return found


def text(query: exp.Expr, name: str, *, pretty: bool = True, copy: bool = True) -> str:
    """A query, or a statement made of one, as text, formatted and commented; `copy` leaves the query as it is.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.
    """
    dialect = known(name)
    for kind, what in dialect.lacks.items():
        if query.find(kind):
            raise DialectError(
                f"{dialect.called} has nothing for {what}. Leave it out, or take it from the query per list."
            )
    query = query.copy() if copy else query
    for rewrite in (*dialect.rewrites, rewrites.told_divisions):
        rewrite(query)
    try:
        return query.sql(
            grammar(name),
            pretty=pretty,
            unsupported_level=ErrorLevel.RAISE,
            comments=pretty,
            copy=False,
            max_text_width=100,
        )
    except UnsupportedError as error:
        raise DialectError(f"{dialect.called} cannot say what this query needs: {error}") from error


def table(name: str, dialect: str) -> exp.Table:
    """A table by its name in a dialect: `db.recs`, `"my schema".recs`.

    Raises:
        DialectError: that is no name of a table there.
    """
    try:
        found = exp.to_table(name, dialect=grammar(dialect))
    except SqlglotError as error:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}.") from error
    if not isinstance(found.this, exp.Identifier) or found.alias:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}: quote what is no plain name.")
    tree.quote(found)
    return found


def folded(name: str, dialect: str) -> exp.Table:
    """A table by its name, what was written without quotes in the case that the dialect keeps it in.

    >>> folded('Shop."Recs"', "snowflake").sql("snowflake")
    '"SHOP"."Recs"'
    """
    written = grammar(dialect)
    found = normalize_identifiers(exp.to_table(name, dialect=written), dialect=written)
    tree.quote(found)
    return found
