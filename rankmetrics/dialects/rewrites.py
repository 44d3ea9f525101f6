"""Rewrites: functions that change a query in place where a database needs other SQL for the same number.

The planner writes a query as DuckDB reads it, and sqlglot translates its words. A rewrite is for what sqlglot does not
know: a literal translation would be refused or, worse, would run and return another number. The first line of a rewrite
is an example, before → after; below it stands the reason. `docs/dialects.md` is written from both.

Here are the rewrites of several databases; the rewrites of one database are above its value in `databases`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from hashlib import sha256
from math import floor, log
from typing import Literal

from sqlglot import exp

from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import call

# The logarithm of the least number that a double holds with all its digits.
LEAST_LOG = -708

# A double times 2^29 + 1 is the first step of rounding it to the 24 bits of a 32-bit float (Veltkamp's splitting).
SPLITTER = 536870913

# 32 bits round the numbers from the first one on to infinity. Below the second, they have fewer digits, and are the
# multiples of 2^-149, to which a sum with the third rounds.
LEAST_INFINITE, LEAST_NORMAL, SHIFT = 3.4028235677973366e38, 2.0**-126, 1.5 * 2.0**-97

# The power of two by which a double is multiplied before the whole part of the product is summed. Doubles hold the
# total exactly up to 134 million.
WHOLE = 67108864

# Numbers by which a product with the reciprocal is an exact quotient.
POWERS_OF_TWO = frozenset(2.0**n for n in range(31))


# --- names ----------------------------------------------------------------------------------------------------------


def make_names_plain(query: exp.Expr, *, reserved: Collection[str] = ()) -> None:
    """`"ndcg@10"` → `ndcg_at_10`, for the query's own columns and steps.

    A text for a job has plain names, so that whoever reads its table needs no quotes. Athena and BigQuery take letters,
    digits and underscores only; Databricks, and Trino's Hive connector, refuse other signs in a table's columns.
    """
    _rename(query, plain, reserved)


def plain(label: str) -> str:
    """A label as a name that every warehouse takes without quotes: `precision_rel_minus_1_at_5`."""
    if re.fullmatch(r"\w+", label):
        return label
    spelled = label.lower().replace("@", "_at_").replace("=-", "=minus_")
    return re.sub(r"\W+", "_", spelled).replace("__", "_").strip("_")


def fold_names(query: exp.Expr, *, to: Literal["lower", "upper"], reserved: Collection[str] = ()) -> None:
    """`"ndcg_at_10"` → `"NDCG_AT_10"` for Snowflake; lower case for PostgreSQL and others.

    So `SELECT ndcg_at_10 FROM leaderboard`, without quotes, finds the column.
    """
    _rename(query, lambda name: folded(name, to), reserved)


def folded(name: str, to: Literal["lower", "upper"] | None) -> str:
    """A name as a database keeps it that turns names without quotes to a case; a name that needs quotes stays."""
    if to is None or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*", name):
        return name
    return name.upper() if to == "upper" else name.lower()


def shorten_names(query: exp.Expr, *, longest: int, in_bytes: bool = False) -> None:
    """`"precision(divisor=list)@10"` → `"precision(d_4eb0854f"`, for names longer than the database takes.

    A database that cuts long names by itself takes two labels for one; here, a hash at the end keeps them apart.
    """
    _rename(query, lambda name: shortened(name, longest, in_bytes=in_bytes))


def shortened(name: str, longest: int, *, in_bytes: bool = False) -> str:
    """A name of at most so many characters, or bytes, with a hash at its end where it was longer."""
    whole = name.encode()
    if (len(whole) if in_bytes else len(name)) <= longest:
        return name
    end = f"_{sha256(whole).hexdigest()[:8]}"
    start = whole[: longest - len(end)].decode(errors="ignore") if in_bytes else name[: longest - len(end)]
    return start + end


def _rename(query: exp.Expr, rename: Callable[[str], str], reserved: Collection[str] = ()) -> None:
    """Rename the steps and columns of the query, in place; the user's tables and their columns keep their names.

    Names that differ stay different: a name that is taken gets a number behind it. The `reserved` names stay.
    """

    def new(name: str) -> str:
        return name if name in reserved else rename(name)

    steps = {cte.alias for cte in tree.find(query, exp.CTE)}
    for column in tree.find(query, exp.Column):
        is_returned = isinstance(column.parent, exp.Select) and column.arg_key == "expressions"
        if is_returned and column.meta_get(tree.IS_GIVEN) and new(column.name) != column.name:
            # the steps that read this column read it under its new name
            column.replace(tree.named(column.copy(), column.name))
    for table in tree.find(query, exp.Table):
        is_read = isinstance(table.parent, (exp.From, exp.Join)) and not table.alias
        if is_read and not _is_step(table, steps) and new(table.name) != table.name:
            # the query reads the columns of the table under its new name
            call(table, table.name)
    own = [name for name in tree.find(query, exp.Identifier) if _is_own(name, steps)]
    changed = {old: new(old) for old in dict.fromkeys(name.name for name in own) if new(old) != old}
    names_in_use = {name.name.lower() for name in own} - {old.lower() for old in changed}
    for old, desired in changed.items():
        changed[old] = free_name(desired, names_in_use, "_")
        names_in_use.add(changed[old].lower())
    for name in own:
        name.set("this", changed.get(name.name, name.name))
    for node in tree.find(query, exp.Alias, exp.Table):  # drop aliases that equal the name, as in `"ITEM" AS "ITEM"`
        if isinstance(node, exp.Table):
            if node.alias == node.name and not node.alias_column_names:
                node.set("alias", None)
        elif isinstance(node.this, exp.Column) and not node.this.table and node.this.name == node.alias:
            node.replace(node.this)


def _is_own(name: exp.Identifier, steps: Collection[str]) -> bool:
    """True if a name belongs to the query: a step, or a column that is not read from a table of the user's."""
    holder = name.parent
    if isinstance(holder, exp.Table):
        return _is_step(holder, steps) and not name.meta_get(tree.IS_GIVEN)
    is_given = isinstance(holder, exp.Column) and holder.meta_get(tree.IS_GIVEN) and name.arg_key == "this"
    return not is_given and not isinstance(holder, exp.Collate) and not name.meta_get(tree.IS_GIVEN)


def _is_step(table: exp.Table, steps: Collection[str]) -> bool:
    """True if a table after FROM is a step of the query, and no table of the user's."""
    return table.name in steps and not table.db


# --- aggregates and counts ------------------------------------------------------------------------------------------


def replace_filters(query: exp.Expr, *, of_distinct: bool = True) -> None:
    """`SUM(x) FILTER (WHERE c)` → `SUM(CASE WHEN c THEN x END)`.

    BigQuery, MySQL, Redshift, Snowflake and SQL Server have no FILTER. Polars and DuckDB have, but compute the CASE
    faster; only for COUNT(DISTINCT x), DuckDB's FILTER is the faster of the two.
    """
    for node in tree.find(query, exp.Filter):
        aggregate, condition = node.this, node.expression.this
        counted = aggregate.this
        if not isinstance(counted, exp.Distinct):
            value = exp.Literal.number(1) if isinstance(counted, exp.Star) else counted
            aggregate.set("this", exp.Case().when(condition.copy(), value.copy()))
        elif of_distinct:
            values = [exp.Case().when(condition.copy(), value.copy()) for value in counted.expressions]
            counted.set("expressions", values)
        else:
            continue
        node.replace(aggregate)


def union_grouping_sets(query: exp.Expr) -> None:
    """`GROUP BY GROUPING SETS ((a), ())` → `GROUP BY a UNION ALL SELECT NULL, ...`.

    MySQL and SQLite have no GROUPING SETS. In ClickHouse, the columns of a total are 0 or empty instead of NULL.
    """
    for sets in tree.find(query, exp.GroupingSets):
        select = sets.parent_select
        assert isinstance(select, exp.Select)
        arms: list[exp.Query] = []
        for columns in sets.expressions:
            by, arm = tree.find(columns, exp.Column), select.copy()
            names = [column.name for column in by]
            for node in arm.expressions:
                if isinstance(node.unalias(), exp.Column) and node.unalias().name not in names:
                    node.replace(tree.named(exp.Null(), node.alias_or_name))
            arm.set("group", exp.Group(expressions=[column.copy() for column in by]) if by else None)
            arm.comments = None if arms else select.comments
            arms.append(arm)
        select.replace(tree.union_all(arms))


def group_what_is_counted(query: exp.Expr) -> None:
    """`COUNT(DISTINCT x), COUNT(DISTINCT x) FILTER (WHERE c) … GROUP BY user` → counts of groups by user and x.

    For each COUNT(DISTINCT x), DuckDB and DataFusion group all rows once more. One group per x gives all counts.
    """
    for select in tree.find(query, exp.Select):
        counts = [count for node in select.expressions if not isinstance(count := node.unalias(), exp.Column)]
        distinct = [node.expressions for count in counts if (node := count.find(exp.Distinct))]
        if (
            len(distinct) < 2
            or any(items != distinct[0] for items in distinct)
            or len(distinct[0]) > 1
            or any(not isinstance(count, (exp.Count, exp.Filter)) for count in counts)
            or any(not (count.find(exp.Distinct) or isinstance(count.this, exp.Star)) for count in counts)
            or select.args.get("joins")
            or not (group := tree.groups(select))
            # what is grouped is read again from `by_item`, by its name
            or any(not isinstance(node, exp.Column) or node.table for node in (*distinct[0], *group.expressions))
            or distinct[0][0] in group.expressions
        ):
            continue
        (item,), by = distinct[0], group.expressions
        by_item = exp.select(*by, item).group_by(*by, item)
        by_item.set("from_", select.args["from_"])
        by_item.set("where", select.args.get("where"))
        for node in select.expressions:
            count, of_item = node.unalias(), tree.column(node.alias_or_name, "by_item")
            if isinstance(count, exp.Filter):
                fits = exp.Max(this=exp.Case().when(count.expression.this.copy(), tree.literal(1)))
                by_item.select(tree.aliased(fits, node.alias), copy=False)
                is_counted = exp.EQ(this=of_item, expression=tree.literal(1))
                count.replace(exp.Count(this=exp.Case().when(is_counted, item.copy())))
            elif count.find(exp.Star):
                by_item.select(tree.aliased(count.copy(), node.alias), copy=False)
                count.replace(exp.Sum(this=of_item))
            elif isinstance(count, exp.Count):
                count.replace(exp.Count(this=item.copy()))
        select.set("from_", exp.From(this=by_item.subquery(exp.to_identifier("by_item", quoted=True))))
        select.set("where", None)


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
            for result in [*(argument.args["true"] for argument in case.args["ifs"]), case.args.get("default")]:
                _cast_whole_literal(result)
        _cast_whole_literal(total.this)


def _cast_whole_literal(number: exp.Expr | None) -> None:
    if isinstance(number, exp.Literal) and number.is_int:
        number.replace(exp.cast(number.copy(), exp.DType.BIGINT))


# --- clauses --------------------------------------------------------------------------------------------------------


def replace_values(query: exp.Expr) -> None:
    """`(VALUES (1), (2)) AS cutoffs(k)` → `(SELECT 1 AS k UNION ALL SELECT 2 AS k) AS cutoffs`.

    In Redshift VALUES is not a table; in MySQL and SQLite its columns cannot be named.
    """
    for node in tree.find(query, exp.Values):
        named = node.args["alias"]
        rows = [zip(row.expressions, named.columns, strict=True) for row in node.expressions]
        arms = [exp.select(*[tree.named(value.copy(), name.name) for value, name in row]) for row in rows]
        node.replace(exp.Subquery(this=tree.union_all(arms), alias=exp.TableAlias(this=named.this.copy())))


def drop_materialized(query: exp.Expr) -> None:
    """`WITH hits AS MATERIALIZED (...)` → `WITH hits AS (...)`, and NOT MATERIALIZED likewise.

    Most databases do not have this keyword, and sqlglot would write it anyway.
    """
    for node in tree.skeleton(query):
        if isinstance(node, exp.CTE):
            node.set("materialized", None)


def nest_steps(query: exp.Expr, *, most: int) -> None:
    """`WITH a AS (...), b AS (... a ...)` → `WITH b AS (WITH a AS (...) ... a ...)`, until a WITH has few enough steps.

    MariaDB takes 64 steps in one WITH. A step moves into the only other step that reads it, the first steps first.
    """
    steps = {step.alias: step for step in tree.find(query, exp.CTE)}
    over = len(steps) - most
    if over <= 0:
        return
    readers: dict[str, set[str]] = {name: set() for name in steps}
    for table in tree.find(query, exp.Table):
        if table.name in steps:
            within = table.find_ancestor(exp.CTE)
            readers[table.name].add(within.alias if within else "")
    only_readers = [(name, *by) for name, by in readers.items() if len(by) == 1 and "" not in by]
    for name, reader in only_readers[:over]:
        step = steps[name].pop()
        steps[reader].this.with_(step.args["alias"], as_=step.this, copy=False)


def collate_text(query: exp.Expr, *, collation: str, charset: str = "") -> None:
    """`item` → `item COLLATE "C"`, for columns that are known to hold text.

    The default collation of MySQL, PostgreSQL or SQL Server may take two texts for one, or order them by a language.
    """
    for node in tree.find(query, exp.Column, exp.Cast):
        if node.is_type(exp.DType.TEXT):
            if isinstance(node, exp.Cast) and node.this.is_type(exp.DType.TEXT):
                node.replace(node.this)  # text as it is: a cast may lose letters, or the collation
                continue
            text: exp.Expr = node.copy()
            if charset:
                kind = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.var(charset))
                text = exp.Cast(this=text, to=kind)
            name = exp.to_identifier(collation, quoted=collation == "C")
            collated: exp.Expr = exp.Collate(this=text, expression=name)
            is_returned = isinstance(node.parent, exp.Select) and node.arg_key == "expressions"
            node.replace(tree.named(collated, node.name) if is_returned else collated)


# --- arithmetic -----------------------------------------------------------------------------------------------------


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


def sum_in_any_order(query: exp.Expr, *, add: str = "SUM") -> None:
    """`SUM(x)` → `SUM(FLOOR(x * 67108864)) / 67108864 + SUM(x - FLOOR(x * 67108864) / 67108864)`; AVG likewise.

    Threads add rows in an order that differs from run to run, and so would the last digits of a sum of doubles. A sum
    of whole numbers is exact in any order, and the rests are too small to change the total. An aggregate `add` that
    keeps what an addition rounds away is enough for the few rows of a list.
    """
    for node in tree.find(query, exp.Sum, exp.Avg):
        value = node.this
        if not _is_fractional(value) or isinstance(node.find_ancestor(exp.Window, exp.Select), exp.Window):
            continue
        if isinstance(node, exp.Sum) and add != "SUM":
            node.replace(exp.Anonymous(this=add, expressions=[value.copy()]))
            continue
        scaled = exp.Floor(this=exp.Mul(this=exp.Paren(this=value.copy()), expression=tree.literal(WHOLE)))
        of_wholes = exp.Div(this=scaled, expression=tree.literal(WHOLE), typed=True)
        rest = exp.Sub(this=exp.Paren(this=value.copy()), expression=of_wholes)
        wholes, rests = (exp.Anonymous(this=add, expressions=[numbers.copy()]) for numbers in (scaled, rest))
        added = exp.Add(this=exp.Div(this=wholes, expression=tree.literal(WHOLE), typed=True), expression=rests)
        total: exp.Expr = exp.Paren(this=added)
        if isinstance(node, exp.Avg):
            n_values = exp.Nullif(this=exp.Count(this=value.copy()), expression=tree.literal(0))
            total = exp.Div(this=total, expression=n_values, typed=True)
        node.replace(total)


def divide_by_columns(query: exp.Expr) -> None:
    """`x / 5` → `x / (5 + 0 * x)`.

    Polars multiplies a column by the reciprocal of a number, and 3 * (1 / 5) is 0.6000000000000001. It divides by a
    column, and rounds once.
    """
    for node in tree.find(query, exp.Div):
        number, divisor = node.this, node.expression
        if tree.is_number(divisor) and not tree.is_number(number.unnest()) and float(divisor.name) not in POWERS_OF_TWO:
            node.set("expression", tree.fill("(:divisor + 0 * (:number))", divisor=divisor, number=number))


def _is_fractional(node: exp.Expr) -> bool:
    """True if the text of an expression shows that it is a double, where the quotient of whole numbers is one."""
    node = node.unnest()
    if isinstance(node, (exp.Mul, exp.Add, exp.Sub)):
        return _is_fractional(node.left) or _is_fractional(node.right)
    if isinstance(node, exp.Case):
        return any(_is_fractional(branch.args["true"]) for branch in node.args["ifs"])
    if isinstance(node, (exp.Neg, exp.Coalesce)):
        return _is_fractional(node.this)
    return isinstance(node, (exp.Div, exp.Pow)) or _is_double(node)


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
    """`CAST(x AS REAL)` → `x * 536870913 - (x * 536870913 - x)`, which is x rounded to the 24 bits of a 32-bit float.

    Below the least number with 24 bits, `x + c - c` rounds to a multiple of the least 32-bit float. From the number on
    that 32 bits round to infinity, all numbers are equal.

    What sqlglot writes for the cast has 64 bits in BigQuery (FLOAT64), Snowflake (FLOAT), SQLite (REAL) and SQL Server
    (FLOAT). DuckDB and PostgreSQL raise an error where the number is too large or too small. For MySQL and MariaDB, the
    arithmetic is the same in every version.
    """
    for node in tree.find(query, exp.Cast):
        if node.is_type(exp.DType.FLOAT):
            rounded = tree.fill(
                "CASE WHEN :x >= :infinite THEN :infinite WHEN :x <= :negative THEN :negative "
                "WHEN ABS(:x) < :normal THEN (:x + :shift) - :shift ELSE :x * :splitter - (:x * :splitter - :x) END",
                x=exp.cast(node.this, exp.DType.DOUBLE),
                infinite=tree.literal(LEAST_INFINITE),
                negative=tree.literal(-LEAST_INFINITE),
                normal=tree.literal(LEAST_NORMAL),
                shift=tree.literal(SHIFT),
                splitter=tree.literal(SPLITTER),
            )
            node.replace(rounded)


def compare_extremes(query: exp.Expr, *, of_numbers: bool = False) -> None:
    """`LEAST(10, x)` → `CASE WHEN x < 10 THEN x ELSE 10 END`, and GREATEST likewise.

    Athena, BigQuery, ClickHouse, MySQL, SQLite and Trino return NULL if any argument is NULL; DuckDB leaves NULLs out.
    SQL Server has neither function before 2022, so `of_numbers` rewrites those, too, whose arguments are never NULL.
    """
    for node in tree.find(query, exp.Least, exp.Greatest)[::-1]:  # inner ones first
        node.set("ignore_nulls", None)
        extreme, *others = sorted([node.this, *node.expressions], key=_is_never_null)
        if not of_numbers and _is_never_null(extreme):
            continue
        for other in others:
            kind = exp.LT if isinstance(node, exp.Least) else exp.GT
            test: exp.Expr = kind(this=extreme.copy(), expression=other.copy())
            test = test if _is_never_null(other) else exp.or_(test, other.copy().is_(exp.Null()))
            extreme = exp.Case().when(test, extreme.copy()).else_(other.copy())
        node.replace(extreme)


def _is_never_null(node: exp.Expr) -> bool:
    """True if an expression is a number, or has a number in place of NULL."""
    last = node.expressions[-1] if isinstance(node, exp.Coalesce) else node
    return tree.is_number(last.this if isinstance(last, exp.Cast) else last)


# --- NaN and infinity -----------------------------------------------------------------------------------------------


def replace_nan_tests(query: exp.Expr, *, by: str) -> None:
    """`NULLIF(x, NaN)` → `CASE WHEN IS_NAN(x) THEN NULL ELSE x END`, or `x`.

    No column of MySQL, SQLite or SQL Server can hold a NaN, and they have no word for it. In Athena, BigQuery,
    ClickHouse and Trino, NaN does not equal NaN. Redshift does not document whether it does: its test is right either
    way.
    """
    for test in tree.find(query, exp.Nullif)[::-1]:  # inner ones first
        if isinstance(test.expression, exp.Cast) and test.expression.name == "NaN":
            # as an argument, since a template cannot be `:x` alone
            test.replace(tree.fill(f"ABS({by})", x=test.this, nan=test.expression).this)


def replace_infinity(query: exp.Expr, *, by: str) -> None:
    """`CAST('Infinity' AS DOUBLE)` → `NULL`, or `9e999`.

    No column of MySQL or SQL Server can hold infinity, so no value equals it. SQLite reads the word as 0, and a number
    that is too large as infinity.
    """
    for node in tree.find(query, exp.Cast):
        if node.this.is_string and node.name == "Infinity":
            node.replace(tree.fill(by))
