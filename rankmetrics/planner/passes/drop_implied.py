"""Leaves out conditions that hold of every row.

`user IS NOT NULL` goes where a join compares the user. `COUNT(DISTINCT item) FILTER (WHERE CAST(1 AS DOUBLE) > 0)`
becomes `COUNT(DISTINCT item)`. `SUM(x) FILTER (WHERE rank <= 10)` becomes `SUM(x)` where no row has a rank beyond 10.
"""

from __future__ import annotations

from math import inf

from sqlglot import exp

from rankmetrics.inputs.assumptions import not_null_columns
from rankmetrics.planner.passes.base import Pass
from rankmetrics.planner.query import Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import conjuncts, joins, sources_with_rows

# Values that are NULL in no row, each with the least and the greatest number that it may be.
Facts = dict[exp.Expr, tuple[float, float]]
ANY = (-inf, inf)

COMPARISONS = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ, exp.NEQ)


def drop_implied(query: Query) -> None:
    """Leave out, in place, the conditions that hold anyway."""
    steps: dict[str, Facts] = {}
    inputs = not_null_columns(query.question.assumed, query.question.layout)
    for select in tree.in_reading_order(query.select):
        facts: Facts = {}
        for source in sources_with_rows(select):
            name = source.alias_or_name
            if isinstance(source, exp.Values):
                known = _of_values(source)
            elif isinstance(source, exp.Table) and tree.is_step(source):
                known = steps.get(source.name, {})
            else:
                known = dict.fromkeys(map(tree.column, inputs.get(name, ())), ANY)
            for table in (name, *([] if joins(select) else [None])):
                facts |= {tree.column(column.name, table): limits for column, limits in known.items()}
        _drop_conditions(select, facts)
        for expression in select.expressions:
            _simplify(expression, facts)
        if isinstance(select.parent, exp.CTE):
            steps[select.parent.alias] = _returned(select, facts)


def _drop_conditions(select: exp.Select, facts: Facts) -> None:
    """Leave out the conditions of WHERE that facts imply, in place, and add those that the others are."""
    inner = [test for join in joins(select) if not join.side for test in conjuncts(join.args.get("on"))]
    tests = conjuncts(tree.condition(select))
    for test in (*inner, *tests):  # a row of which a comparison holds has no NULL there
        if isinstance(test, (*COMPARISONS, exp.In, exp.Between)):
            facts.setdefault(test.this, ANY)
            facts.setdefault(test.args.get("expression") or test.this, ANY)
    kept = [test for test in tests if not _is_implied(test, facts)]
    for test in kept:
        if isinstance(test, (exp.LTE, exp.LT)) and tree.is_number(test.expression):
            least, most = facts[test.this]
            facts[test.this] = least, min(most, float(test.expression.name))
        elif isinstance(test, exp.Is) and isinstance(test.expression, exp.Not):
            facts.setdefault(test.this, ANY)
    select.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)


def _limits(value: exp.Expr, facts: Facts) -> tuple[float, float] | None:
    """The least and the greatest number that a value may be; None where it may be NULL."""
    bare = value.this if isinstance(value, exp.Cast) else value
    return (float(bare.name), float(bare.name)) if tree.is_number(bare) else facts.get(value)


def _is_implied(test: exp.Expr, facts: Facts) -> bool:
    """True if a condition holds of every row."""
    if isinstance(test, exp.Is):
        return test.expression == exp.Not(this=exp.Null()) and test.this in facts
    if not isinstance(test, COMPARISONS):
        return False
    left, right = _limits(test.this, facts), _limits(test.expression, facts)
    if left is None or right is None:
        return False
    (low, high), (least, most) = left, right
    return {exp.GT: low > most, exp.GTE: low >= most, exp.LT: high < least, exp.LTE: high <= least}.get(
        type(test), low == high == least == most and isinstance(test, exp.EQ)
    )


def _of_values(source: exp.Values) -> Facts:
    """The facts about rows of numbers that are written out."""
    facts: Facts = {}
    for position, column in enumerate(source.args["alias"].columns):
        numbers = [row.expressions[position] for row in source.expressions]
        if all(map(tree.is_number, numbers)):
            values = [float(number.name) for number in numbers]
            facts[tree.column(column.name)] = min(values), max(values)
    return facts


def _returned(select: exp.Select, facts: Facts) -> Facts:
    """The facts about the columns that a SELECT returns."""
    returned: Facts = {}
    for expression in select.expressions:
        value = expression.unalias()
        value = value.this if isinstance(value, (exp.Min, exp.Max)) and tree.groups(select) else value
        limits = _limits(value, facts)
        if limits is not None:
            returned[tree.column(expression.alias_or_name)] = limits
    return returned


def _simplify(expression: exp.Expr, facts: Facts) -> None:
    """Leave out, in place, conditions within an expression; inner conditions first."""
    for node in tree.find(expression, *COMPARISONS, exp.And, exp.Filter, exp.Case)[::-1]:
        if _is_implied(node, facts):
            node.replace(exp.true())
        elif isinstance(node, exp.And) and exp.true() in (node.left, node.right):
            node.replace(node.right if node.left == exp.true() else node.left)
        elif isinstance(node, exp.Filter) and node.expression.this == exp.true():
            node.replace(node.this)
        elif isinstance(node, exp.Case) and node.this is None and node.args["ifs"][0].this == exp.true():
            node.replace(node.args["ifs"][0].args["true"])


PASS = Pass("drop_implied", gain="no time; conditions that nobody has to read", change=drop_implied)
