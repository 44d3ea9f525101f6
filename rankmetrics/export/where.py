"""The partition that a job writes: comparisons of list columns with values, from Python or as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TypeAlias

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from rankmetrics.errors import InputError, Option
from rankmetrics.inputs.columns import ColumnType
from rankmetrics.planner import Value, date_of, literal
from rankmetrics.sqltree.relations import conjuncts

Values: TypeAlias = Value | Sequence[Value]
Where: TypeAlias = Mapping[str, Values] | str | Sequence[str]

OPERATORS: Mapping[str, type[exp.Binary]] = {"=": exp.EQ, ">=": exp.GTE, ">": exp.GT, "<=": exp.LTE, "<": exp.LT}

EXAMPLES = (
    Option("where", "day = DATE '2024-01-31'"),
    " or ",
    Option("where", "day >= DATE '2024-01-01' AND day < DATE '2024-02-01'"),
)


@dataclass(frozen=True)
class WhereCondition:
    """A comparison of a list column with values."""

    column: str
    operator: str  # one of OPERATORS, or `in`
    values: tuple[Value, ...]  # a single value, unless the operator is `in`

    def test(self, column: exp.Expr, known: ColumnType) -> exp.Expr:
        """The comparison of a column, with literals of the column's type."""
        literals = [literal(self.column, value, known) for value in self.values]
        if self.operator == "in":
            return exp.In(this=column, expressions=literals)
        return OPERATORS[self.operator](this=column, expression=literals[0])


# --- from Python or text ----------------------------------------------------------------------------------------------


def read_where(where: Where | None) -> tuple[WhereCondition, ...]:
    """The comparisons of a partition, all of which hold for its rows.

    A mapping gives for each column a value, a list of values, or a pair `(lowest, highest)`, both included. A text, or
    a list of texts, is a condition of SQL: comparisons of list columns with literals, joined by AND.

    Raises:
        InputError: the partition is written in another form.

    >>> [(test.column, test.operator, test.values) for test in read_where({"day": ("2024-01-01", "2024-01-31")})]
    [('day', '>=', ('2024-01-01',)), ('day', '<=', ('2024-01-31',))]
    >>> [(test.column, test.operator, test.values) for test in read_where("day IN (1, 2) AND algorithm = 'als'")]
    [('day', 'in', (1, 2)), ('algorithm', '=', ('als',))]
    """
    if not where:
        return ()
    if isinstance(where, Mapping):
        comparisons = [comparison for column, values in where.items() for comparison in _of_values(str(column), values)]
    else:
        texts = [where] if isinstance(where, str) else [*where] if isinstance(where, Sequence) else [where]
        comparisons = [comparison for text in texts for comparison in _of_text(text)]
    columns = [comparison.column for comparison in comparisons if comparison.operator in ("=", "in")]
    if repeated := [column for column in columns if columns.count(column) > 1]:
        raise InputError(Option("where", is_noun=True), f" names a column twice: {repeated[0]!r}.")
    return tuple(comparisons)


def _of_values(column: str, values: Values) -> Iterator[WhereCondition]:
    if isinstance(values, tuple):
        if len(values) != 2:
            raise InputError(
                Option("where", is_noun=True),
                f" takes a pair as the lowest and the highest value of {column!r}: {values!r} has {len(values)}. Give "
                "a list for any of several values.",
            )
        yield WhereCondition(column, ">=", (values[0],))
        yield WhereCondition(column, "<=", (values[1],))
    elif isinstance(values, list):
        yield WhereCondition(column, "in", tuple(values))
    else:
        yield WhereCondition(column, "=", (values,))  # type: ignore[arg-type]  # `literal` refuses other values


# A value without quotes: a date, a number with leading zeros, a name, or what a template puts in: {{ ds }}.
BARE = re.compile(r"""\s*([^\s=<>!'"()]+|"[^"]+")\s*=\s*(\{\{[^'"]*\}\}|[\w.:-]+)\s*""")
NOT_BARE = re.compile("(?i)null|true|false|current_.*")


def _of_text(text: object) -> Iterator[WhereCondition]:
    """The comparisons in a text; a number in quotes is a text."""
    if not isinstance(text, str):
        raise _refused(text, "which is neither a mapping nor a text")
    bare = BARE.fullmatch(text)
    if bare and not NOT_BARE.fullmatch(bare[2]):
        is_whole = re.fullmatch("0|-?[1-9][0-9]*", bare[2])
        yield WhereCondition(bare[1].strip('"'), "=", (int(bare[2]) if is_whole else bare[2],))
        return
    try:
        condition = sqlglot.parse_one(text, read="duckdb")
    except SqlglotError:
        raise _refused(text, "which is not a condition of SQL") from None
    yield from _of_condition(text, condition)


def _of_condition(text: str, condition: exp.Expr) -> Iterator[WhereCondition]:
    test = condition.unnest()
    if isinstance(test, exp.And):
        for conjunct in conjuncts(test):
            yield from _of_condition(text, conjunct)
        return
    column = test.this
    if not isinstance(column, exp.Column) or column.table:
        raise _refused(text, f"and {test.sql()!r} compares no list column with literals")
    if isinstance(test, exp.Between) and not test.args.get("symmetric"):
        yield WhereCondition(column.name, ">=", (_of_literal(text, test.args["low"]),))
        yield WhereCondition(column.name, "<=", (_of_literal(text, test.args["high"]),))
    elif isinstance(test, exp.In) and test.expressions:
        yield WhereCondition(column.name, "in", tuple(_of_literal(text, expression) for expression in test.expressions))
    else:
        operator = next((name for name, kind in OPERATORS.items() if type(test) is kind), None)
        if operator is None:
            raise _refused(text, f"and {test.sql()!r} is not an equality, range or IN")
        yield WhereCondition(column.name, operator, (_of_literal(text, test.expression),))


def _of_literal(text: str, node: exp.Expr) -> Value:
    node = node.unnest()
    number = node.this if isinstance(node, exp.Neg) else node
    if isinstance(number, exp.Literal) and not number.is_string and number.name.isdecimal():
        return int(number.name) * (-1 if node is not number else 1)
    if isinstance(node, exp.Literal) and node.is_string:
        return node.name
    if not isinstance(node, exp.Cast) or not isinstance(node.this, exp.Literal) or not node.this.is_string:
        raise _refused(text, f"and {node.sql()!r} is not a whole number, text or date")
    if not node.is_type(exp.DType.DATE) or "{{" in node.name:
        return node  # a literal of another type, or with a template in it
    try:
        return date.fromisoformat(node.this.name)
    except ValueError:
        raise _refused(text, f"and {node.this.name!r} is not a date") from None


def _refused(text: object, why: str) -> InputError:
    return InputError(
        Option("where", is_noun=True),
        f" takes comparisons of list columns with values: there was {text!r}, {why}. Write it as in ",
        *EXAMPLES,
        ".",
    )


# --- late truth -------------------------------------------------------------------------------------------------------


def look_back(partition: Sequence[WhereCondition], lookback: int) -> tuple[WhereCondition, ...]:
    """The partition with so many days, or whole numbers, before it: their rows are written again.

    Raises:
        InputError: the partition is not a single date or whole number.

    >>> [(test.operator, test.values) for test in look_back(read_where({"day": "2024-03-01"}), 2)]
    [('>=', ('2024-02-28',)), ('<=', ('2024-03-01',))]
    """
    if not lookback:
        return tuple(partition)
    option = Option("lookback", lookback)
    if not isinstance(lookback, int) or isinstance(lookback, bool) or lookback < 0:
        raise InputError(option, " must be a whole number from 1: how many days before the partition to write again.")
    if len(partition) != 1 or partition[0].operator != "=":
        raise InputError(option, " goes back from one value: ", Option("where", {"day": "2024-01-31"}), ".")
    first = _before(partition[0].values[0], lookback)
    if first is None:
        raise InputError(
            option,
            " goes back from a date or a whole number, and ",
            Option("where", is_noun=True),
            f" has {str(partition[0].values[0])!r}. Write both ends instead: ",
            Option("where", "day BETWEEN DATE '2024-01-28' AND DATE '2024-01-31'"),
            ".",
        )
    return replace(partition[0], operator=">=", values=(first,)), replace(partition[0], operator="<=")


def _before(value: Value, days: int) -> Value | None:
    """The value so many days before; a text that is a date stays a text."""
    if isinstance(value, int):
        return value - days
    if isinstance(value, date) and not isinstance(value, datetime):
        return value - timedelta(days)
    if isinstance(value, str) and re.fullmatch("-?[0-9]+", value):
        return str(int(value) - days)
    day = date_of(value)
    return None if day is None else (day - timedelta(days)).isoformat()
