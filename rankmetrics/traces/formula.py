"""The formula of a metric with the values of one list put in, read off the expression of the metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import Formulas
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.tables import shown_value

# The value of each part, by its name.
Values = Mapping[str, float | None]


@dataclass(frozen=True)
class Formula:
    """A metric of one list: its formula, and the values that are in it."""

    label: str
    expression: exp.Expr = field(repr=False)  # the whole formula over parts, as SQL: every case, every NULLIF
    chosen: exp.Expr = field(repr=False)  # without the cases that the list does not meet
    parts: Values  # those that the formula reads
    value: float | None  # None if it is undefined
    reasons: tuple[str, ...] = ()  # why a case was taken, or why the value is undefined

    def __str__(self) -> str:
        """The formula with names, then with values: `ndcg@10 = dcg@10 / ideal_dcg@10 = 1.63 / 2.13 = 0.77`."""
        steps = [written(self.chosen), written(self.chosen, self.parts), shown_value(self.value)]
        if isinstance(self.chosen, exp.Null):
            steps = ["NULL"]
        elif not tree.find(self.chosen, exp.Column):
            steps = [shown_value(self.value)]
        elif self.value is None:
            steps[-1] = "NULL"
        equal = " = ".join([self.label, *dict.fromkeys(steps)])
        return f"{equal} ({'; '.join(self.reasons)})" if self.reasons else equal


@dataclass(frozen=True)
class Part:
    """A number that formulas read: an aggregate over the rows of a stage."""

    name: str
    expression: exp.Expr = field(repr=False)  # the aggregate, as SQL over the columns of the stage
    stage: str
    where: exp.Expr | None = field(repr=False)  # the condition on the rows; None where all rows count
    value: float | None

    def __str__(self) -> str:
        """The part as SQL over a stage, and its value: `n_hits@10 = COUNT(*) FROM hits WHERE rank <= 10 = 3`."""
        where = f" WHERE {written(self.where)}" if self.where is not None else ""
        value = "NULL" if self.value is None else shown_value(self.value)
        return f"{self.name} = {value}: {written(self.expression)} FROM {self.stage}{where}"


def written(node: exp.Expr, values: Values | None = None, number: Callable[[float | None], str] = shown_value) -> str:
    """An expression for a person to read: names without quotes, or values in their place, and no casts to DOUBLE."""
    root = exp.Paren(this=node.copy())  # so that the node itself can be replaced
    for each in reversed(tree.find(root, exp.Cast, exp.Not)):
        if isinstance(each, exp.Cast) and each.is_type(exp.DType.DOUBLE):
            each.replace(in_brackets(each.this, each.parent, str(each.arg_key)))
        elif isinstance(each, exp.Not) and isinstance(each.this, exp.Is):
            each.replace(exp.Is(this=each.this.this, expression=exp.Not(this=each.this.expression)))
    for column in tree.find(root, exp.Column):
        value = values.get(column.name) if values is not None else None
        name = column.name if values is None else "NULL" if value is None else number(value)
        column.replace(exp.Var(this=name))
    return str(root.this.sql("duckdb"))


def in_brackets(node: exp.Expr, parent: exp.Expr | None, key: str) -> exp.Expr:
    """An operand of a parent, in brackets only where it would be read otherwise without."""
    operand = node.unnest()
    if isinstance(operand, (exp.Binary, exp.Unary)) and isinstance(parent, (exp.Binary, exp.Unary)):
        operands: dict[str, exp.Expr] = {
            name: exp.column("x") for name in ("this", "expression") if name in parent.args
        }
        text = type(parent)(**{**operands, key: operand.copy()}).sql("duckdb", identify=True)
        read = sqlglot.parse_one(text, read="duckdb")
        if type(read) is not type(parent) or read.args[key].sql(identify=True) != operand.sql(identify=True):
            return exp.Paren(this=operand)
    return operand


# --- the parts of formulas --------------------------------------------------------------------------------------------


def parts_of(formulas: Formulas, values: Values, steps: Mapping[str, Mapping[str, exp.Expr]]) -> list[Part]:
    """The parts with these values by name; `steps` has the aggregates over each stage, by step and name."""
    parts = []
    for name, value in values.items():
        expression = formulas.lists.parts[name].copy()
        columns = tree.find(expression, exp.Column)
        aggregates = [steps[column.table][column.name] for column in columns]
        for column, aggregate in zip(columns, aggregates, strict=True):
            whole: exp.Expr = column
            above = column.parent
            if isinstance(above, exp.Coalesce) and above.this is column and all(map(tree.is_number, above.expressions)):
                whole = above  # a sum with the 0 that it is over no rows
            expression = tree.put(expression, whole, aggregation.unfiltered(aggregate).copy())
        where = aggregation.filter_of(aggregates[0]) if aggregates else None
        stage = columns[0].table.removesuffix("_per_list") if columns else ""
        parts.append(Part(name, expression, stage, where, value))
    return parts


# --- the case that a list meets ---------------------------------------------------------------------------------------


def formula_of(metric: Metric, expression: exp.Expr, parts: Values, value: float | None) -> Formula:
    """The formula of a metric for a list, from the values of its parts and its own value."""
    with duckdb.connect() as connection:
        chosen = _Chosen(parts, connection)
        simple = chosen.of(expression)
    reasons = list(dict.fromkeys(chosen.reasons))
    if not reasons and not tree.find(simple, exp.Column):
        reasons = chosen.conditions[-1:]
    if value is None:
        nulls = (column.name for column in tree.find(simple, exp.Column) if parts[column.name] is None)
        reasons += [f"{name} is NULL" for name in dict.fromkeys(nulls)]
        reason = metric.definition.fields.get("undefined")
        reasons = [f"undefined: {reason.rstrip('.')}", *reasons] if reason else reasons
    used = {column.name: parts[column.name] for column in tree.find(expression, exp.Column)}
    return Formula(metric.label, expression, simple, used, value, tuple(reasons))


class _Chosen:
    """Leaves out of a formula the cases that a list does not meet, and notes why; DuckDB computes what decides."""

    def __init__(self, parts: Values, connection: duckdb.DuckDBPyConnection) -> None:
        self._parts, self._connection = parts, connection
        self.reasons: list[str] = []
        self.conditions: list[str] = []

    def _value(self, node: exp.Expr) -> Any:
        """The value of a part of the formula."""
        root = exp.Paren(this=node.copy())
        for column in tree.find(root, exp.Column):
            column.replace(_literal(self._parts[column.name]))
        return self._connection.execute(f"SELECT {root.sql('duckdb')}").fetchall()[0][0]

    def of(self, node: exp.Expr) -> exp.Expr:
        """The expression with the chosen case in place of each choice."""
        match node:
            case exp.Case():
                return self._case(node)
            case exp.Coalesce():
                return self._coalesce(node)
            case exp.Nullif():
                # the argument, even where it is the value that counts as NULL: `0 / 0 = NULL` says why
                if self._value(node) is None and self._value(node.this) is not None:
                    self.reasons.append(f"{written(node.this)} is {written(node.expression)}")
                return self.of(node.this)
            case exp.Paren():  # the operator that reads it has brackets again where it needs them
                return self.of(node.this)
        copy = node.copy()
        for name, value in node.args.items():
            if isinstance(value, exp.Expr):
                copy.set(name, in_brackets(self.of(value), node, name))
            elif isinstance(value, list):
                copy.set(name, [self.of(child) if isinstance(child, exp.Expr) else child for child in value])
        return copy

    def _case(self, node: exp.Case) -> exp.Expr:
        """The value of the first case whose condition holds."""
        conditions = [branch.this for branch in node.args["ifs"]]
        for branch, condition in zip(node.args["ifs"], conditions, strict=True):
            if self._value(condition):
                self.conditions.append(f"{written(condition)} holds: {written(condition, self._parts)}")
                return self.of(branch.args["true"])
        default = node.args.get("default")
        failed = [f"{written(condition)} is false: {written(condition, self._parts)}" for condition in conditions]
        (self.reasons if default is None else self.conditions).extend(failed)
        return exp.Null() if default is None else self.of(default)

    def _coalesce(self, node: exp.Coalesce) -> exp.Expr:
        """The first argument that is not NULL; notes which columns of those before it are."""
        for argument in (node.this, *node.expressions):
            if self._value(argument) is not None:
                return self.of(argument)
            names = (column.name for column in tree.find(self.of(argument), exp.Column))
            self.reasons += [f"{name} is NULL" for name in names if self._parts[name] is None]
        return exp.Null()


def _literal(value: float | None) -> exp.Expr:
    """A value as SQL: a whole number, or else a DOUBLE, also of the decimals that some engines return."""
    if isinstance(value, int):
        return tree.literal(value)
    text = exp.Null() if value is None else exp.Literal.string(repr(float(value)))
    return exp.cast(text, exp.DType.DOUBLE)
