"""Leaves out conditions that hold of every row.

`user IS NOT NULL` goes where a join compares the user. `COUNT(DISTINCT item) FILTER (WHERE CAST(1 AS DOUBLE) > 0)`
becomes `COUNT(DISTINCT item)`. `SUM(x) FILTER (WHERE rank <= 10)` becomes `SUM(x)` where no row has a rank beyond 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from operator import eq, ge, gt, le, lt, ne

from sqlglot import exp

from rankmetrics.inputs.assumptions import not_null_columns
from rankmetrics.planner.passes.base import QueryPass
from rankmetrics.planner.query import Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import conjuncts, joins, sources_with_rows

COMPARISONS: Mapping[type[exp.Expr], Callable[[float, float], bool]] = {
    exp.GT: gt,
    exp.GTE: ge,
    exp.LT: lt,
    exp.LTE: le,
    exp.EQ: eq,
    exp.NEQ: ne,
}


@dataclass(frozen=True)
class Facts:
    """Facts about every row of a SELECT.

    Attributes:
        not_null: the expressions that are never NULL.
        at_most: the expressions that are never above a number; they are never NULL, either.
        constant: the expressions that are the same number in each row.
    """

    not_null: set[exp.Expr] = field(default_factory=set)
    at_most: dict[exp.Expr, float] = field(default_factory=dict)
    constant: dict[exp.Expr, float] = field(default_factory=dict)

    def add(self, facts: Facts, table: str) -> None:
        """Add the facts about the rows of a table, whose columns are read under its name."""

        def read(column: exp.Expr) -> exp.Expr:
            return tree.column(column.name, table or None)

        self.not_null.update(map(read, facts.not_null))
        self.at_most.update({read(column): most for column, most in facts.at_most.items()})
        self.constant.update({read(column): number for column, number in facts.constant.items()})

    def number(self, node: exp.Expr) -> float | None:
        """The value of a number, in whatever type, or of a column that is the same number in every row."""
        bare = node.this if isinstance(node, exp.Cast) else node
        return float(bare.name) if tree.is_number(bare) else self.constant.get(node)

    def imply(self, test: exp.Expr) -> bool:
        """True if a condition holds of every row."""
        if isinstance(test, exp.Is) and test.expression == exp.Not(this=exp.Null()):
            return test.this in self.not_null or test.this in self.at_most
        if type(test) not in COMPARISONS:
            return False
        left, right = self.number(test.this), self.number(test.expression)
        if left is not None and right is not None:
            return COMPARISONS[type(test)](left, right)
        return isinstance(test, exp.LTE) and right is not None and self.at_most.get(test.this, inf) <= right


def drop_implied(query: Query) -> None:
    """Leave out, in place, the conditions that hold anyway."""
    steps: dict[str, Facts] = {}
    inputs = not_null_columns(query.question.assumed, query.question.layout)
    declared = {name: Facts(not_null={tree.column(column) for column in columns}) for name, columns in inputs.items()}
    for select in tree.in_reading_order(query.select):
        facts = Facts()
        for source in sources_with_rows(select):
            is_step = isinstance(source, exp.Table) and tree.is_step(source)
            known = (
                _of_values(source) if isinstance(source, exp.Values) else steps.get(source.name) if is_step else None
            )
            for table in (source.alias_or_name, *([] if joins(select) else [""])):
                facts.add(known or Facts(), table)
                facts.add(declared.get(source.alias_or_name, Facts()), table)
        _drop_conditions(select, facts)
        for expression in select.expressions:
            _fold(expression, facts)
        if isinstance(select.parent, exp.CTE):
            steps[select.parent.alias] = _returned(select, facts)


def _drop_conditions(select: exp.Select, facts: Facts) -> None:
    """Leave out the conditions of WHERE that facts imply, in place, and add those that the others are."""
    inner = [test for join in joins(select) if not join.side for test in conjuncts(join.args.get("on"))]
    facts.not_null.update(value for test in inner if isinstance(test, exp.EQ) for value in (test.this, test.expression))
    tests = conjuncts(tree.condition(select))
    limits = [test for test in tests if isinstance(test, (exp.LTE, exp.LT)) and tree.is_number(test.expression)]
    idle = [limit for limit in limits if facts.imply(limit)]
    for test in tests:
        if type(test) in COMPARISONS or isinstance(test, (exp.In, exp.Between)):
            facts.not_null.add(test.this)
        if type(test) in COMPARISONS:
            facts.not_null.add(test.expression)
    for limit in limits:
        facts.at_most[limit.this] = min(float(limit.expression.name), facts.at_most.get(limit.this, inf))
    kept = []
    for test in tests:
        is_idle = any(test is limit for limit in idle) if any(test is one for one in limits) else facts.imply(test)
        if not is_idle:
            kept.append(test)
            if isinstance(test, exp.Is) and isinstance(test.expression, exp.Not):
                facts.not_null.add(test.this)
    select.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)


def _of_values(source: exp.Values) -> Facts:
    """The facts about rows of numbers that are written out."""
    facts = Facts()
    for position, column in enumerate(source.args["alias"].columns):
        numbers = [row.expressions[position] for row in source.expressions]
        if all(map(tree.is_number, numbers)):
            facts.at_most[tree.column(column.name)] = max(float(number.name) for number in numbers)
    return facts


def _returned(select: exp.Select, facts: Facts) -> Facts:
    """The facts about the columns that a SELECT returns."""
    returned = Facts()
    for expression in select.expressions:
        column, value = tree.column(expression.alias_or_name), expression.unalias()
        number = facts.number(value)
        if number is not None:
            returned.constant[column] = number
        value = value.this if isinstance(value, (exp.Min, exp.Max)) and tree.groups(select) else value
        if value in facts.at_most:
            returned.at_most[column] = facts.at_most[value]
        elif value in facts.not_null:
            returned.not_null.add(column)
    return returned


def _fold(expression: exp.Expr, facts: Facts) -> None:
    """Leave out, in place, conditions within an expression; inner conditions first."""
    for node in tree.find(expression, *COMPARISONS, exp.And, exp.Filter, exp.Case)[::-1]:
        if facts.imply(node):
            node.replace(exp.true())
        elif isinstance(node, exp.And) and exp.true() in (node.left, node.right):
            node.replace(node.right if node.left == exp.true() else node.left)
        elif isinstance(node, exp.Filter) and node.expression.this == exp.true():
            node.replace(node.this)
        elif isinstance(node, exp.Case) and node.this is None and node.args["ifs"][0].this == exp.true():
            node.replace(node.args["ifs"][0].args["true"])


PASS = QueryPass("drop_implied", gain="no time; conditions that nobody has to read", change=drop_implied)
