"""Leaves out conditions that hold of every row, and arithmetic that changes no number.

`COUNT(DISTINCT item) FILTER (WHERE CAST(1 AS DOUBLE) > 0)` becomes `COUNT(DISTINCT item)`. `user IS NOT NULL` goes
where a join compares the user. `SUM(x) FILTER (WHERE rank <= 10)` becomes `SUM(x)` where no row has a rank beyond 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from operator import eq, ge, gt, le, lt, ne

from sqlglot import exp

from rankmetrics.inputs.assumptions import not_null_columns
from rankmetrics.planner.model import Query
from rankmetrics.planner.passes.base import QueryPass
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
    """What holds of every row of a SELECT.

    Attributes:
        not_null: the expressions that are never NULL.
        at_most: the expressions that are never above a number; they are never NULL, either.
        constant: the expressions that are one and the same number.
    """

    not_null: set[exp.Expr] = field(default_factory=set)
    at_most: dict[exp.Expr, float] = field(default_factory=dict)
    constant: dict[exp.Expr, float] = field(default_factory=dict)

    def has_value(self, value: exp.Expr) -> bool:
        """Whether an expression is never NULL."""
        return value in self.not_null or value in self.at_most

    def bound(self, value: exp.Expr, most: float) -> None:
        """Note that an expression is never above a number."""
        self.at_most[value] = min(most, self.at_most.get(value, most))


def drop_implied(query: Query) -> None:
    """Leave out, in place, the conditions that hold anyway."""
    steps: dict[str, Facts] = {}
    question = query.question
    not_null = not_null_columns(question.assumed, question.layout)
    for select in tree.in_reading_order(query.select):
        facts = _facts(select, steps, not_null)
        for expression in select.expressions:
            _fold(expression, facts)
        for condition in _conditions_of(select):  # the facts follow from them: they cannot be told by the facts
            _fold(condition, Facts(constant=facts.constant))
        if isinstance(select.parent, exp.CTE):
            steps[select.parent.alias] = _returned(select, facts)


def _conditions_of(select: exp.Select) -> list[exp.Expr]:
    """The conditions of a SELECT: WHERE, and those of its joins."""
    where = select.args.get("where")
    return [*([where] if where else []), *joins(select)]


# --- what holds of the rows -------------------------------------------------------------------------------------------


def _facts(select: exp.Select, steps: Mapping[str, Facts], not_null: Mapping[str, Iterable[str]]) -> Facts:
    """What holds of every row of a SELECT; conditions that follow from the rest are left out, in place."""
    found = Facts()
    for source in sources_with_rows(select):
        of = _of_values(source) if isinstance(source, exp.Values) else _of_step(source, steps)
        for name in (source.alias_or_name, *([] if joins(select) else [""])):
            _add(found, of, name)
            found.not_null.update(_columns(not_null.get(source.alias_or_name, ()), name))
    for join in joins(select):
        for test in conjuncts(join.args.get("on")) if not join.side else []:
            if isinstance(test, exp.EQ):
                found.not_null.update((test.this, test.expression))
    kept = []
    tests = conjuncts(tree.condition(select))
    limits = [one for one in tests if isinstance(one, (exp.LTE, exp.LT)) and tree.is_number(one.expression)]
    met = [limit for limit in limits if found.at_most.get(limit.this, inf) <= float(limit.expression.name)]
    idle = [one for one in met if isinstance(one, exp.LTE)]
    for test in limits:
        found.bound(test.this, float(test.expression.name))
    found.not_null.update(value for test in tests for value in _compared_values(test))
    for test in tests:
        if _is_not_null(test):
            if found.has_value(test.this):
                continue
            found.not_null.add(test.this)
        if not any(test is one for one in idle):
            kept.append(test)
    if len(kept) < len(tests):
        select.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)
    return found


def _of_step(source: exp.Expr, steps: Mapping[str, Facts]) -> Facts:
    """What holds of the rows of a step; nothing is known of an input."""
    is_step = isinstance(source, exp.Table) and tree.is_step(source)
    return steps.get(source.name, Facts()) if is_step else Facts()


def _columns(names: Iterable[str], table: str) -> list[exp.Expr]:
    return [tree.column(name, table or None) for name in names]


def _add(found: Facts, of: Facts, table: str) -> None:
    """Note what holds of the rows of a table, whose columns are read under its name."""
    found.not_null.update(tree.column(column.name, table or None) for column in of.not_null)
    for one, most in of.at_most.items():
        found.bound(tree.column(one.name, table or None), most)
    for one, number in of.constant.items():
        found.constant[tree.column(one.name, table or None)] = number


def _of_values(source: exp.Values) -> Facts:
    """What holds of rows of numbers that are written out."""
    columns = source.args["alias"].columns
    found = Facts()
    for place, column in enumerate(columns):
        numbers = [row.expressions[place] for row in source.expressions]
        if all(map(tree.is_number, numbers)):
            found.bound(tree.column(column.name), max(float(number.name) for number in numbers))
    return found


def _returned(select: exp.Select, facts: Facts) -> Facts:
    """What holds of the columns that a SELECT returns."""
    found = Facts()
    for expression in select.expressions:
        value = expression.unalias()
        number = _number(value, facts)
        if number is not None:
            found.constant[tree.column(expression.alias_or_name)] = number
        value = value.this if isinstance(value, (exp.Min, exp.Max)) and tree.groups(select) else value
        if value in facts.at_most:
            found.bound(tree.column(expression.alias_or_name), facts.at_most[value])
        elif facts.has_value(value):
            found.not_null.add(tree.column(expression.alias_or_name))
    return found


def _compared_values(test: exp.Expr) -> list[exp.Expr]:
    """What a condition compares with something: it is not NULL in the rows for which the condition holds."""
    if type(test) in COMPARISONS:
        return [test.this, test.expression]
    return [test.this] if isinstance(test, (exp.In, exp.Between)) else []


def _is_not_null(test: exp.Expr) -> bool:
    """Whether a condition is `x IS NOT NULL`."""
    return (
        isinstance(test, exp.Is) and isinstance(test.expression, exp.Not) and isinstance(test.expression.this, exp.Null)
    )


# --- arithmetic -------------------------------------------------------------------------------------------------------


def _fold(part: exp.Expr, facts: Facts) -> None:
    """Replace, in place, what is the same for every row by what it is; inner expressions first."""
    for node in tree.find(part, exp.Expr)[::-1]:
        if node is part:
            continue
        rule = RULES.get(type(node))
        new = _compared(node, facts) if type(node) in COMPARISONS else rule(node) if rule else None
        if new is not None:
            node.replace(new.pop() if new.parent is not None else new)
    if isinstance(part, exp.Where) and _is_true(part.this):
        part.pop()


def _compared(node: exp.Expr, facts: Facts) -> exp.Expr | None:
    left, right = _number(node.this, facts), _number(node.expression, facts)
    if left is not None and right is not None:
        return exp.true() if COMPARISONS[type(node)](left, right) else None
    if isinstance(node, exp.LTE) and right is not None:
        return exp.true() if facts.at_most.get(node.this, right + 1) <= right else None
    return None


def _without_true(node: exp.Expr) -> exp.Expr | None:
    """`TRUE AND x` → `x`."""
    left, right = node.this, node.expression
    return right if _is_true(left) else left if _is_true(right) else None


def _without_factor(node: exp.Expr) -> exp.Expr | None:
    """`1 * x` → `x`."""
    left, right = node.this, node.expression
    return right if _is_whole(left, 1) else left if _is_whole(right, 1) else None


def _without_zero(node: exp.Expr) -> exp.Expr | None:
    """`x + 0` → `x`."""
    return node.this if _is_whole(node.expression, 0) else None


def _without_filter(node: exp.Expr) -> exp.Expr | None:
    """`SUM(x) FILTER (WHERE TRUE)` → `SUM(x)`."""
    return node.this if _is_true(node.expression.this) else None


def _first_case(node: exp.Expr) -> exp.Expr | None:
    """`CASE WHEN TRUE THEN x END` → `x`."""
    first = node.args["ifs"][0]
    return first.args["true"] if node.this is None and _is_true(first.this) else None


def _without_brackets(node: exp.Expr) -> exp.Expr | None:
    """`(x)` → `x`."""
    is_function = isinstance(node.this, exp.Func) and not isinstance(node.this, exp.Binary)
    return node.this if is_function or isinstance(node.this, (exp.Column, exp.Literal, exp.Paren)) else None


# How each kind of node becomes a smaller node; None where it stays.
RULES: Mapping[type[exp.Expr], Callable[[exp.Expr], exp.Expr | None]] = {
    exp.And: _without_true,
    exp.Mul: _without_factor,
    exp.Add: _without_zero,
    exp.Sub: _without_zero,
    exp.Filter: _without_filter,
    exp.Case: _first_case,
    exp.Paren: _without_brackets,
}


def _number(node: exp.Expr, facts: Facts) -> float | None:
    """The value of a number, in whatever type, or of a column that is the same number in every row."""
    if node in facts.constant:
        return facts.constant[node]
    node = node.this if isinstance(node, exp.Cast) else node
    return float(node.name) if tree.is_number(node) else None


def _is_true(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Boolean) and node.this is True


def _is_whole(node: exp.Expr | None, value: int) -> bool:
    """Whether a node is this whole number; another type would change that of the result."""
    return isinstance(node, exp.Literal) and not node.is_string and node.name == str(value)


PASS = QueryPass("drop_implied", gain="no time; conditions that nobody has to read", change=drop_implied)
