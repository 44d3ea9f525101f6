"""What some dialects have to say otherwise: each a function that changes a query in place, none of them the numbers.

The query is written as DuckDB reads it. sqlglot translates its words; what is below is what it does not know: where a
literal translation would be refused, or, worse, would run and return another number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from math import floor, log

from sqlglot import exp

from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

Rewrite = Callable[[exp.Expr], None]

# The logarithm of the least number that a double holds whole.
LEAST_LOG = -708


def filters_as_cases(query: exp.Expr) -> None:
    """`SUM(x) FILTER (WHERE c)` as `SUM(CASE WHEN c THEN x END)`, for dialects without FILTER, or slower with it."""
    plain_filters_as_cases(query)
    for node in tree.find(query, exp.Filter):
        aggregate, condition = node.this, node.expression.this
        distinct = aggregate.this
        distinct.set("expressions", [_when(condition, one) for one in distinct.expressions])
        node.replace(aggregate)


def plain_filters_as_cases(query: exp.Expr) -> None:
    """Only those that are not of COUNT(DISTINCT x), which DuckDB filters at less work than it counts cases."""
    for node in tree.find(query, exp.Filter):
        aggregate, condition = node.this, node.expression.this
        counted = aggregate.this
        if not isinstance(counted, exp.Distinct):
            of = exp.Literal.number(1) if isinstance(counted, exp.Star) else counted
            aggregate.set("this", _when(condition, of))
            node.replace(aggregate)


def _when(condition: exp.Expr, value: exp.Expr) -> exp.Case:
    return exp.Case().when(condition.copy(), value.copy())


def divisions_of_doubles(query: exp.Expr) -> None:
    """`a / b` as `CAST(a AS DOUBLE) / b`, where a division of whole numbers returns a decimal of a few places."""
    for node in tree.find(query, exp.Div):
        if not _is_double(node):
            node.set("this", exp.cast(node.this, exp.DType.DOUBLE, copy=False))


def told_divisions(query: exp.Expr) -> None:
    """Divisions of what is a double anyway, marked: sqlglot sees types only in casts, and would add another."""
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


def extremes_past_nulls(query: exp.Expr) -> None:
    """`LEAST(a, b)` as `COALESCE(LEAST(a, b), a, b)`, where a NULL among the arguments would win."""
    for node in tree.find(query, exp.Least, exp.Greatest):
        arguments = [node.this, *node.expressions]
        if not all(isinstance(one, exp.Literal) for one in arguments):
            bare = node.copy()
            bare.set("ignore_nulls", None)
            node.replace(exp.Coalesce(this=bare, expressions=[one.copy() for one in arguments]))


def bare_extremes(query: exp.Expr) -> None:
    """LEAST and GREATEST as they are, where they pass over NULLs as DuckDB's do and sqlglot would say so at length."""
    for node in tree.find(query, exp.Least, exp.Greatest):
        node.set("ignore_nulls", None)


def asked_for_nan(query: exp.Expr) -> None:
    """`NULLIF(x, NaN)` as a CASE that asks IS_NAN, where NaN is not equal to NaN."""
    for node in _nan_tests(query):
        node.replace(exp.Case().when(exp.IsNan(this=node.this.copy()), exp.Null()).else_(node.this.copy()))


def without_nan(query: exp.Expr) -> None:
    """`NULLIF(x, NaN)` as `x`, where no column can hold a NaN."""
    for node in _nan_tests(query):
        node.replace(node.this)


def either_nan(query: exp.Expr) -> None:
    """`NULLIF(x, NaN)` as a CASE that is right whether NaN is equal to NaN or not."""
    for node in _nan_tests(query):
        same = exp.EQ(this=node.this.copy(), expression=node.this.copy())
        other = exp.NEQ(this=node.this.copy(), expression=node.expression.copy())
        node.replace(exp.Case().when(exp.and_(same, other), node.this.copy()))


def _nan_tests(query: exp.Expr) -> list[exp.Nullif]:
    tests = tree.find(query, exp.Nullif)
    return [one for one in tests if isinstance(one.expression, exp.Cast) and one.expression.name == "NaN"]


def endless_infinity(query: exp.Expr) -> None:
    """Infinity as a number beyond all others, where the word is taken for 0."""
    for node in _infinities(query):
        node.replace(exp.Literal.number("9e999"))


def without_infinity(query: exp.Expr) -> None:
    """Infinity as NULL, where no column can hold one."""
    for node in _infinities(query):
        node.replace(exp.Null())


def _infinities(query: exp.Expr) -> list[exp.Cast]:
    return [one for one in tree.find(query, exp.Cast) if one.this.is_string and one.name == "Infinity"]


def rows_by_union(query: exp.Expr) -> None:
    """A table of VALUES as a union of rows, where VALUES is no table or its columns cannot be named."""
    for node in tree.find(query, exp.Values):
        named = node.args["alias"]
        rows = [zip(row.expressions, named.columns, strict=True) for row in node.expressions]
        arms = [exp.select(*[tree.named(one.copy(), name.name) for one, name in row]) for row in rows]
        union = exp.union(*arms, distinct=False, copy=False) if len(arms) > 1 else arms[0]
        node.replace(exp.Subquery(this=union, alias=exp.TableAlias(this=named.this.copy())))


def without_barriers(query: exp.Expr) -> None:
    """CTEs without AS MATERIALIZED or AS NOT MATERIALIZED, where there is no such word."""
    for cte in tree.find(query, exp.CTE):
        cte.set("materialized", None)


def steps_up_to(most: int) -> Rewrite:
    """Steps that a single other one reads within that one, the first of them first, until a WITH holds no more."""

    def nest(query: exp.Expr) -> None:
        steps = {step.alias: step for step in tree.find(query, exp.CTE)}
        over = len(steps) - most
        if over <= 0:
            return
        readers: dict[str, set[str]] = {name: set() for name in steps}
        for table in tree.find(query, exp.Table):
            if table.name in steps:
                within = table.find_ancestor(exp.CTE)
                readers[table.name].add(within.alias if within else "")
        alone = [(name, *by) for name, by in readers.items() if len(by) == 1 and "" not in by]
        for name, reader in alone[:over]:
            step = steps[name].pop()
            steps[reader].this.with_(step.args["alias"], as_=step.this, copy=False)

    return nest


def plain_columns(query: exp.Expr) -> None:
    """Columns of ours called by letters, digits and underscores: `ndcg_at_10`."""
    _rename(query, plain)


def plain(label: str) -> str:
    """A label as a name that every warehouse takes.

    >>> plain("ndcg(gain=linear)@10"), plain("precision(rel=-1)@5"), plain("_user")
    ('ndcg_gain_linear_at_10', 'precision_rel_minus_1_at_5', '_user')
    """
    if re.fullmatch(r"\w+", label):
        return label
    spelled = label.replace("@", "_at_").replace("=-", "=minus_")
    return re.sub(r"\W+", "_", spelled).replace("__", "_").strip("_")


def names_up_to(longest: int, *, in_bytes: bool = False) -> Rewrite:
    """Names of ours cut to a length, a hash for their end: a database that cuts them itself takes two for one."""

    def cut_names(query: exp.Expr) -> None:
        _rename(query, lambda name: short(name, longest, in_bytes=in_bytes))

    return cut_names


def short(name: str, longest: int, *, in_bytes: bool = False) -> str:
    """A name of at most so many characters, or bytes.

    >>> short("precision(divisor=list)@10", 20)
    'precision(d_4eb0854f'
    >>> short("ndcg@10", 20)
    'ndcg@10'
    """
    whole = name.encode()
    if (len(whole) if in_bytes else len(name)) <= longest:
        return name
    end = f"_{sha256(whole).hexdigest()[:8]}"
    start = whole[: longest - len(end)].decode(errors="ignore") if in_bytes else name[: longest - len(end)]
    return start + end


def _rename(query: exp.Expr, new: Callable[[str], str]) -> None:
    """Call the steps and columns of the query otherwise; tables of the user's, and their columns, stay as they are.

    Names that differ stay different: a name that is taken gets a number behind it.
    """
    steps = {cte.alias for cte in tree.find(query, exp.CTE)}
    for column in tree.find(query, exp.Column):
        is_returned = isinstance(column.parent, exp.Select) and column.arg_key == "expressions"
        if is_returned and column.meta_get(tree.IS_GIVEN) and new(column.name) != column.name:
            # the steps that read it call it by its new name
            column.replace(tree.named(column.copy(), column.name))
    ours = []
    for name in tree.find(query, exp.Identifier):
        holder = name.parent
        is_given = isinstance(holder, exp.Column) and holder.meta_get(tree.IS_GIVEN) and name.arg_key == "this"
        is_table = isinstance(holder, exp.Table) and (holder.name not in steps or bool(holder.db))
        if not is_given and not is_table:
            ours.append(name)
    changed = {old: new(old) for old in dict.fromkeys(one.name for one in ours) if new(old) != old}
    taken = {one.name.lower() for one in ours} - {old.lower() for old in changed}
    for old, wanted in changed.items():
        changed[old] = free_name(wanted, taken, "_")
        taken.add(changed[old].lower())
    for one in ours:
        one.set("this", changed.get(one.name, one.name))


def ordered_quantiles(query: exp.Expr) -> None:
    """A quantile WITHIN GROUP (ORDER BY ...), by its name, since sqlglot would make it an approximate one."""
    for node in tree.find(query, exp.PercentileDisc):
        order = exp.Order(expressions=[exp.Ordered(this=node.this.copy(), nulls_first=True)])
        quantile = exp.Anonymous(this="PERCENTILE_DISC", expressions=[node.expression.copy()])
        node.replace(exp.WithinGroup(this=quantile, expression=order))


def exact_quantiles(query: exp.Expr) -> None:
    """ClickHouse's exact quantiles: its own MEDIAN is an estimate from a sample."""
    for node in tree.find(query, exp.Median, exp.PercentileDisc):
        name = "quantileExactInclusive" if isinstance(node, exp.Median) else "quantileExactLow"
        level = exp.Literal.number("0.5")
        node.replace(exp.CombinedParameterizedAgg(this=name, expressions=[level], params=[node.this.copy()]))


def signed_counts(query: exp.Expr) -> None:
    """Counts and places as signed numbers, where they are unsigned and cannot be compared with signed ones."""
    for node in tree.find(query, exp.Count, exp.RowNumber, exp.Rank):
        counted: exp.Expr = node
        while isinstance(counted.parent, (exp.Filter, exp.Window)) and counted.arg_key == "this":
            counted = counted.parent
        counted.replace(exp.cast(counted.copy(), exp.DType.BIGINT))
    for total in tree.find(query, exp.Sum):
        for case in tree.find(total, exp.Case):
            for result in [*(one.args["true"] for one in case.args["ifs"]), case.args.get("default")]:
                _sign(result)
        _sign(total.this)


def _sign(number: exp.Expr | None) -> None:
    if isinstance(number, exp.Literal) and number.is_int:
        number.replace(exp.cast(number.copy(), exp.DType.BIGINT))


def deviations_called(name: str) -> Rewrite:
    """The sample's standard deviation by the name that a dialect has for it."""

    def call(query: exp.Expr) -> None:
        for node in tree.find(query, exp.StddevSamp):
            node.replace(exp.Anonymous(this=name, expressions=[node.this.copy()]))

    return call


def powers_of_doubles(query: exp.Expr) -> None:
    """`POWER(2, x)` as `POWER(CAST(2 AS DOUBLE), x)`, where a power of a whole number is whole."""
    for node in tree.find(query, exp.Pow):
        node.set("this", exp.cast(node.this, exp.DType.DOUBLE, copy=False))


def qualified_windows(query: exp.Expr) -> None:
    """`OVER (ORDER BY rank)` as `OVER (ORDER BY recs.rank)`, where the name is taken for that of the new column."""
    for select in tree.find(query, exp.Select):
        source = select.args.get("from_")
        if source is None or select.args.get("joins"):
            continue
        for window in [one for expression in select.expressions for one in tree.find(expression, exp.Window)]:
            for column in tree.find(window, exp.Column):
                if not column.table:
                    column.set("table", exp.to_identifier(source.this.alias_or_name, quoted=True))


def powers_above_nothing(query: exp.Expr) -> None:
    """Powers of a share, and EXP, kept above the least number, where one below it is an error and not 0."""
    for node in tree.find(query, exp.Pow):
        base = node.this.this if isinstance(node.this, exp.Cast) else node.this
        if isinstance(base, exp.Literal) and 0 < float(base.name) < 1:
            node.set("expression", tree.least(node.expression, tree.literal(floor(LEAST_LOG / log(float(base.name))))))
    for power in tree.find(query, exp.Exp):
        power.set("this", exp.Greatest(this=power.this, expressions=[tree.literal(LEAST_LOG)]))


def partitioned_as_text(*names: str) -> Rewrite:
    """Windows over rows alike in a number as windows over rows alike in its text, where numbers may not partition."""

    def as_text(query: exp.Expr) -> None:
        for window in tree.find(query, exp.Window):
            keys = window.args.get("partition_by") or []
            told = [exp.cast(one, exp.DType.TEXT) if one.name in names else one for one in keys]
            window.set("partition_by", told)

    return as_text


def columns_before_tables(query: exp.Expr) -> None:
    """A column called as its table is, under the table's name: BigQuery takes the bare name for the whole row."""
    for select in tree.find(query, exp.Select):
        source = select.args.get("from_")
        if source is not None and not select.args.get("joins"):
            for column in tree.find(select, exp.Column):
                if column.name == source.this.alias_or_name and not column.table and column.parent_select is select:
                    column.set("table", exp.to_identifier(column.name, quoted=True))


def ordered_numbers(query: exp.Expr) -> None:
    """A window that numbers rows without an order has one all the same, where it must."""
    for node in tree.find(query, exp.Window):
        if isinstance(node.this, exp.RowNumber) and not node.args.get("order"):
            node.set("order", exp.Order(expressions=[exp.Paren(this=exp.select(exp.Null()))]))


def bitwise_text(collation: str, charset: str = "") -> Rewrite:
    """Texts under a collation that tells every two apart and orders them by their bytes, as DuckDB does."""

    def collate(query: exp.Expr) -> None:
        for node in tree.find(query, exp.Column, exp.Cast):
            if node.meta_get(tree.IS_TEXT):
                if isinstance(node, exp.Cast) and node.this.meta_get(tree.IS_TEXT):
                    node.replace(node.this)  # text as it is: a cast may lose letters, or the collation
                    continue
                node.meta[tree.IS_TEXT] = False
                text: exp.Expr = node.copy()
                if charset:
                    kind = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.var(charset))
                    text = exp.Cast(this=text, to=kind)
                under = exp.to_identifier(collation, quoted=collation == "C")
                new: exp.Expr = exp.Collate(this=text, expression=under)
                is_returned = isinstance(node.parent, exp.Select) and node.arg_key == "expressions"
                node.replace(tree.named(new, node.name) if is_returned else new)

    return collate


# What a double is multiplied by to be rounded to 24 bits, as a float of 32 bits has: 2^29 + 1 (Veltkamp's splitting).
SPLITTER = 536870913

# Beyond this, the product would be infinite.
MOST_SPLIT = 1e290


def single_precision(query: exp.Expr) -> None:
    """`CAST(x AS REAL)` as `x * c - (x * c - x)`, which is x rounded to 24 bits, where every float has 64 bits."""
    for node in tree.find(query, exp.Cast):
        if node.is_type(exp.DType.FLOAT):
            double = exp.cast(node.this, exp.DType.DOUBLE)
            product = exp.Mul(this=double, expression=tree.literal(SPLITTER))
            rest = exp.Paren(this=exp.Sub(this=product.copy(), expression=double.copy()))
            is_near = exp.LT(this=exp.Abs(this=double.copy()), expression=tree.literal(MOST_SPLIT))
            rounded = exp.Sub(this=product, expression=rest)
            node.replace(exp.Case().when(is_near, rounded).else_(double.copy()))


def one_zero(query: exp.Expr) -> None:
    """Scores plus 0, where -0 stands behind 0: their sum is 0."""
    for node in tree.find(query, exp.Column):
        if node.meta_get(tree.IS_SCORE):
            node.meta[tree.IS_SCORE] = False
            zero = exp.cast(exp.Literal.number(0), exp.DType.DOUBLE)
            node.replace(exp.Paren(this=exp.Add(this=node.copy(), expression=zero)))


def broadcast_crossed(query: exp.Expr) -> None:
    """Hints to send what is crossed with lists to all of them: a few rows, of which Spark cannot know how few."""
    for select in tree.find(query, exp.Select):
        crossed = [one.this for one in select.args.get("joins") or [] if one.kind == "CROSS"]
        tables = [exp.to_identifier(one.alias_or_name, quoted=True) for one in crossed if isinstance(one, exp.Table)]
        if tables:
            hint = exp.Anonymous(this="BROADCAST", expressions=tables)
            select.set("hint", exp.Hint(expressions=[hint]))


def named_columns(query: exp.Expr) -> None:
    """`SELECT lists.user` as `SELECT lists.user AS user`, where the column would be called `lists.user`."""
    for select in tree.find(query, exp.Select):
        for node in select.expressions:
            if isinstance(node, exp.Column) and node.table:
                node.replace(tree.named(node.copy(), node.name))


def settings(**values: int) -> Rewrite:
    """The settings under which a query means what it says, written into it."""

    def set_all(query: exp.Expr) -> None:
        inner = query if isinstance(query, exp.Select) else query.find(exp.Select)
        assert inner is not None
        inner.set("settings", [exp.EQ(this=exp.var(name), expression=tree.literal(on)) for name, on in values.items()])

    return set_all
