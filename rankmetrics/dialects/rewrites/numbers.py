"""Rewrites of arithmetic: divisions, powers, rounding, NaN, infinity, and extremes of NULLs."""

from __future__ import annotations

from math import floor, log

from sqlglot import exp

from rankmetrics.sqltree import tree

# The logarithm of the least number that a double holds with all its digits.
LEAST_LOG = -708

# A double times 2^29 + 1 is the first step of rounding it to the 24 bits of a 32-bit float (Veltkamp's splitting).
SPLITTER = 536870913

# From this number on, the product with SPLITTER would be infinite.
MAX_SPLIT = 1e290


# --- divisions and powers ---------------------------------------------------------------------------------------------


def cast_divisions(query: exp.Expr) -> None:
    """`a / b` → `CAST(a AS DOUBLE) / b`.

    Snowflake and MySQL divide whole numbers as decimals of a few places. For databases whose division of whole numbers
    is whole, sqlglot adds the cast itself.
    """
    for node in tree.find(query, exp.Div):
        if not _is_double(node):
            node.set("this", exp.cast(node.this, exp.DType.DOUBLE, copy=False))


def mark_double_divisions(query: exp.Expr) -> None:
    """`LN(a) / LN(b)` → the same text, where sqlglot would write `CAST(LN(a) AS DOUBLE) / LN(b)`.

    sqlglot adds a cast to every division whose type it cannot see, and it sees types only in casts.
    """
    for node in tree.find(query, exp.Div):
        if _is_double(node):
            node.set("typed", True)


def _is_double(node: exp.Expr) -> bool:
    node = node.unnest()
    if isinstance(node, (exp.Div, exp.Mul, exp.Add, exp.Sub)):
        return _is_double(node.left) or _is_double(node.right)
    if isinstance(node, exp.Neg):
        return _is_double(node.this)
    return isinstance(node, (exp.Ln, exp.Exp, exp.Sqrt)) or (isinstance(node, exp.Cast) and node.is_type("double"))


def cast_powers(query: exp.Expr) -> None:
    """`POWER(2, x)` → `POWER(CAST(2 AS DOUBLE), x)`.

    SQL Server returns a power in the type of its base: a power of a whole number is a whole number.
    """
    for node in tree.find(query, exp.Pow):
        node.set("this", exp.cast(node.this, exp.DType.DOUBLE, copy=False))


def bound_powers(query: exp.Expr) -> None:
    """`POWER(0.85, x)` → `POWER(0.85, LEAST(x, 4356))`, and `EXP(x)` → `EXP(GREATEST(x, -708))`.

    PostgreSQL and Redshift raise an error where a number is too small for a double; other databases return 0.
    """
    for node in tree.find(query, exp.Pow):
        base = node.this.this if isinstance(node.this, exp.Cast) else node.this
        if isinstance(base, exp.Literal) and 0 < float(base.name) < 1:
            node.set("expression", tree.least(node.expression, tree.literal(floor(LEAST_LOG / log(float(base.name))))))
    for power in tree.find(query, exp.Exp):
        power.set("this", exp.Greatest(this=power.this, expressions=[tree.literal(LEAST_LOG)]))


def name_powers(query: exp.Expr) -> None:
    """`POW(2, x)` → `POWER(2, x)`.

    Ibis makes SQLGlot write `POW` for PostgreSQL. The text must not depend on whether a process has imported Ibis.
    """
    for node in tree.find(query, exp.Pow):
        node.replace(exp.Anonymous(this="POWER", expressions=[node.this, node.expression]))


def round_to_single(query: exp.Expr) -> None:
    """`CAST(x AS REAL)` → `x * 536870913 - (x * 536870913 - x)`, which is x rounded to 24 bits.

    What sqlglot writes for the cast has 64 bits in BigQuery (FLOAT64), Snowflake (FLOAT), SQLite (REAL) and SQL Server
    (FLOAT). For MySQL and MariaDB, the arithmetic is the same in every version.
    """
    for node in tree.find(query, exp.Cast):
        if node.is_type(exp.DType.FLOAT):
            double = exp.cast(node.this, exp.DType.DOUBLE)
            product = exp.Mul(this=double, expression=tree.literal(SPLITTER))
            rest = exp.Paren(this=exp.Sub(this=product.copy(), expression=double.copy()))
            is_near = exp.LT(this=exp.Abs(this=double.copy()), expression=tree.literal(MAX_SPLIT))
            rounded = exp.Sub(this=product, expression=rest)
            node.replace(exp.Case().when(is_near, rounded).else_(double.copy()))


def add_zero_to_scores(query: exp.Expr) -> None:
    """`ORDER BY score` → `ORDER BY (score + 0)`.

    DataFusion orders -0 below 0; the sum of -0 and 0 is 0.
    """
    for node in tree.find(query, exp.Column):
        if node.is_type(exp.DType.DOUBLE):
            zero = exp.cast(exp.Literal.number(0), exp.DType.DOUBLE)
            node.replace(exp.Paren(this=exp.Add(this=node.copy(), expression=zero)))


# --- extremes of NULLs ------------------------------------------------------------------------------------------------


def coalesce_extremes(query: exp.Expr) -> None:
    """`LEAST(a, b)` → `COALESCE(LEAST(a, b), a, b)`, and GREATEST likewise.

    Athena, BigQuery, ClickHouse, MySQL, SQLite and Trino return NULL if any argument is NULL; DuckDB leaves NULLs out.
    """
    for node in tree.find(query, exp.Least, exp.Greatest):
        arguments = [node.this, *node.expressions]
        if not all(isinstance(argument, exp.Literal) for argument in arguments):
            bare = node.copy()
            bare.set("ignore_nulls", None)
            node.replace(exp.Coalesce(this=bare, expressions=[argument.copy() for argument in arguments]))


# --- NaN and infinity -------------------------------------------------------------------------------------------------


def use_is_nan(query: exp.Expr) -> None:
    """`NULLIF(x, NaN)` → `CASE WHEN IS_NAN(x) THEN NULL ELSE x END`.

    In Athena, BigQuery, ClickHouse and Trino, NaN does not equal NaN.
    """
    for node in _nan_tests(query):
        node.replace(exp.Case().when(exp.IsNan(this=node.this.copy()), exp.Null()).else_(node.this.copy()))


def drop_nan_tests(query: exp.Expr) -> None:
    """`NULLIF(x, NaN)` → `x`.

    No column of MySQL, SQLite or SQL Server can hold a NaN, and they have no word for it.
    """
    for node in _nan_tests(query):
        node.replace(node.this)


def compare_nan_both_ways(query: exp.Expr) -> None:
    """`NULLIF(x, NaN)` → `CASE WHEN x = x AND x <> NaN THEN x END`.

    Redshift does not document whether NaN equals NaN; this text is right either way.
    """
    for node in _nan_tests(query):
        same = exp.EQ(this=node.this.copy(), expression=node.this.copy())
        other = exp.NEQ(this=node.this.copy(), expression=node.expression.copy())
        node.replace(exp.Case().when(exp.and_(same, other), node.this.copy()))


def _nan_tests(query: exp.Expr) -> list[exp.Nullif]:
    tests = tree.find(query, exp.Nullif)
    return [test for test in tests if isinstance(test.expression, exp.Cast) and test.expression.name == "NaN"]


def write_infinity_as_number(query: exp.Expr) -> None:
    """`CAST('Infinity' AS DOUBLE)` → `9e999`.

    SQLite reads the word as 0, and a number that is too large as infinity.
    """
    for node in _infinities(query):
        node.replace(exp.Literal.number("9e999"))


def replace_infinity(query: exp.Expr) -> None:
    """`CAST('Infinity' AS DOUBLE)` → `NULL`.

    No column of MySQL or SQL Server can hold infinity, so no value equals it.
    """
    for node in _infinities(query):
        node.replace(exp.Null())


def _infinities(query: exp.Expr) -> list[exp.Cast]:
    return [cast for cast in tree.find(query, exp.Cast) if cast.this.is_string and cast.name == "Infinity"]
