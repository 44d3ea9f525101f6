"""Rewrites of aggregates and windows: filters, quantiles, counts, deviations."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.sqltree import tree


def replace_filters(query: exp.Expr) -> None:
    """`SUM(x) FILTER (WHERE c)` → `SUM(CASE WHEN c THEN x END)`.

    BigQuery, MySQL, Redshift, Snowflake and SQL Server have no FILTER. Polars has, but computes the CASE faster.
    """
    replace_plain_filters(query)
    for node in tree.find(query, exp.Filter):
        aggregate, condition = node.this, node.expression.this
        distinct = aggregate.this
        distinct.set("expressions", [_when(condition, expression) for expression in distinct.expressions])
        node.replace(aggregate)


def replace_plain_filters(query: exp.Expr) -> None:
    """`SUM(x) FILTER (WHERE c)` → `SUM(CASE WHEN c THEN x END)`, but not where a COUNT(DISTINCT x) is filtered.

    DuckDB computes the CASE faster; only for COUNT(DISTINCT x) is its FILTER the faster of the two.
    """
    for node in tree.find(query, exp.Filter):
        aggregate, condition = node.this, node.expression.this
        counted = aggregate.this
        if not isinstance(counted, exp.Distinct):
            of = exp.Literal.number(1) if isinstance(counted, exp.Star) else counted
            aggregate.set("this", _when(condition, of))
            node.replace(aggregate)


def _when(condition: exp.Expr, value: exp.Expr) -> exp.Case:
    return exp.Case().when(condition.copy(), value.copy())


def write_percentile_disc(query: exp.Expr) -> None:
    """`QUANTILE_DISC(x, 0.5)` → `PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x NULLS FIRST)`.

    sqlglot would write an approximate quantile for Spark and Databricks.
    """
    for node in tree.find(query, exp.PercentileDisc):
        order = exp.Order(expressions=[exp.Ordered(this=node.this.copy(), nulls_first=True)])
        quantile = exp.Anonymous(this="PERCENTILE_DISC", expressions=[node.expression.copy()])
        node.replace(exp.WithinGroup(this=quantile, expression=order))


def use_exact_quantiles(query: exp.Expr) -> None:
    """`MEDIAN(x)` → `quantileExactInclusive(0.5)(x)`, and `QUANTILE_DISC(x, 0.5)` → `quantileExactLow(0.5)(x)`.

    ClickHouse's own MEDIAN is an estimate from a sample.
    """
    for node in tree.find(query, exp.Median, exp.PercentileDisc):
        name = "quantileExactInclusive" if isinstance(node, exp.Median) else "quantileExactLow"
        level = exp.Literal.number("0.5")
        node.replace(exp.CombinedParameterizedAgg(this=name, expressions=[level], params=[node.this.copy()]))


def rename_deviation(query: exp.Expr, *, name: str) -> None:
    """`STDDEV_SAMP(x)` → the database's own name for it.

    SQL Server calls the sample's standard deviation STDEV. ClickHouse's STDDEV_SAMP is a difference of squares, which
    gives 1e-8 for 0; its stddevSampStable is exact.
    """
    for node in tree.find(query, exp.StddevSamp):
        node.replace(exp.Anonymous(this=name, expressions=[node.this.copy()]))


def cast_counts(query: exp.Expr) -> None:
    """`COUNT(*)` → `CAST(COUNT(*) AS BIGINT)`; row numbers, ranks and sums of whole literals likewise.

    ClickHouse and MySQL count and number rows with unsigned numbers: a difference below 0 is an error or a huge number.
    """
    for node in tree.find(query, exp.Count, exp.RowNumber, exp.Rank):
        counted: exp.Expr = node
        while isinstance(counted.parent, (exp.Filter, exp.Window)) and counted.arg_key == "this":
            counted = counted.parent
        counted.replace(exp.cast(counted.copy(), exp.DType.BIGINT))
    for total in tree.find(query, exp.Sum):
        for case in tree.find(total, exp.Case):
            for result in [*(one.args["true"] for one in case.args["ifs"]), case.args.get("default")]:
                _cast_whole_literal(result)
        _cast_whole_literal(total.this)


def _cast_whole_literal(number: exp.Expr | None) -> None:
    if isinstance(number, exp.Literal) and number.is_int:
        number.replace(exp.cast(number.copy(), exp.DType.BIGINT))


def partition_by_text(query: exp.Expr, *, columns: tuple[str, ...]) -> None:
    """`PARTITION BY x` → `PARTITION BY CAST(x AS TEXT)`, for columns that hold floating-point numbers.

    BigQuery refuses to partition a window by a floating-point number.
    """
    for window in tree.find(query, exp.Window):
        keys = window.args.get("partition_by") or []
        window.set("partition_by", [exp.cast(key, exp.DType.TEXT) if key.name in columns else key for key in keys])
