"""Finds the one list that values of list columns name: `{"user": 17}` may name one list, several, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.errors import ColumnError, InputError, counted, did_you_mean, names
from rankmetrics.inputs.columns import ColumnType, Side
from rankmetrics.planner import Plan, Query, assembled, input_table, literal, typed, write
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import headed, unnamed

if TYPE_CHECKING:
    import polars as pl

# How many lists, and how many values of a column, an error message is made from.
SEEN = 1000
SHOWN = 5

# The families of types whose values SQL writes as literals; values of other types are compared as text.
WITH_LITERALS = frozenset({"integer", "string", "date", "boolean"})
BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True)
class ListChoice:
    """A list, by the values of its list columns.

    Attributes:
        values: the value of each list column, as the engine returned it.
        texts: the same values as text, as the engine writes them, for columns that are compared as text.
        types: the types of the list columns.
    """

    values: Mapping[str, Any]
    texts: Mapping[str, str]
    types: Mapping[str, ColumnType]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.values.items())

    def test(self, column: exp.Expr, name: str) -> exp.Expr:
        """Whether a column, as the query reads it, has the value of the list column."""
        return equal(column, name, self.texts.get(name, self.values[name]), self.types[name])

    def rows(self, side: Side) -> list[exp.Expr]:
        """The conditions on the list columns that an input has: its rows that belong to the list."""
        return [
            self.test(typed("id", tree.given(side.own(column)), side.types, side.own(column)), column)
            for column in side.lists
        ]


def equal(column: exp.Expr, name: str, value: Any, known: ColumnType) -> exp.Expr:
    """A comparison of a list column with a value: as literals of its type, or as text where it has none.

    Raises:
        InputError: the value does not fit the type of the column.
    """
    if known.family == "boolean" and str(value).lower() in BOOLEANS:
        return exp.EQ(this=column, expression=exp.Boolean(this=BOOLEANS[str(value).lower()]))
    is_plain = isinstance(value, (str, int, date)) and not isinstance(value, bool)
    if is_plain and (known.family in WITH_LITERALS or not known.name):
        try:
            return exp.EQ(this=column, expression=literal(name, value, known))
        except ColumnError as error:
            raise InputError(f"No list has {name}={value!r}: the values of {name!r} are of type {known}.") from error
    return exp.EQ(this=exp.cast(column, exp.DType.TEXT), expression=exp.Literal.string(str(value)))


def find_list(queries: Queries, asked: Mapping[str, Any]) -> ListChoice:
    """The one scored list whose list columns have these values.

    Args:
        queries: the queries of the evaluation.
        asked: values of list columns; columns whose value follows from the others may be left out.

    Raises:
        InputError: a column is no list column, a value does not fit its type, no list has these values, or several
            lists have.
    """
    _refuse_other_columns(queries, asked)
    layout = queries.layout
    found = _lists(queries, asked, SEEN)
    if not found:
        raise InputError(_why_none(queries, asked))
    if len(found) > 1:
        different = [name for name in layout.lists if len({one.values[name] for one in found}) > 1]
        example = next(one for one in found)
        raise InputError(
            f"{_in_words(asked)} names {_counted(len(found))} lists, which differ in {names(different)}. Give "
            f"{'its value' if len(different) == 1 else 'their values'}, too, as in "
            f"{', '.join(f'{name}={example.values[name]!r}' for name in different)}."
        )
    return found[0]


def _refuse_other_columns(queries: Queries, asked: Mapping[str, Any]) -> None:
    known = queries.layout.lists
    if not asked:
        owner = queries.layout.truth_lists[-1]
        raise InputError(
            f"A list is named by values of its list columns: give some of {names(known)}, in Python as "
            f"result.trace({owner}=...), on the command line as --list {owner}=VALUE."
        )
    for name, value in asked.items():
        if name not in known:
            raise InputError(
                f"There is no list column {name!r}: the list columns are {names(known)}.{did_you_mean(name, known)}"
            )
        if value is None:
            raise InputError(f"The value of {name!r} is missing: rows with a NULL id belong to no list.")


def _counted(n: int) -> str:
    return f"more than {n - 1}" if n >= SEEN else str(n)


def _in_words(asked: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in asked.items())


def run(queries: Queries, plan: Plan, ctes: Sequence[Any], select: exp.Select, columns: Sequence[str]) -> pl.DataFrame:
    """Run a SELECT over steps of a plan: a Polars frame with these columns."""
    query: Query = assembled(plan, ctes, headed(select, columns))
    return queries.engine.collect(queries.engine.run(write(query, queries.engine.dialect), columns))


def _lists(queries: Queries, asked: Mapping[str, Any], limit: int) -> list[ListChoice]:
    """The first scored lists that have these values, in the order of their list columns."""
    plan, layout = queries.planned().plan, queries.layout
    types = layout.recs_types
    as_text = [column for column in layout.lists if types[column].family not in WITH_LITERALS and types[column].name]
    own = {name: tree.column(unnamed(name)) for name in layout.lists}
    selected = [*own.values(), *(exp.cast(own[one].copy(), exp.DType.TEXT) for one in as_text)]
    columns = [f"column {number}" for number in range(len(selected))]
    select = exp.select(*selected).from_(plan.lists())
    select = select.where(*(equal(own[name].copy(), name, value, types[name]) for name, value in asked.items()))
    select = select.order_by(*(exp.Ordered(this=one.copy(), nulls_first=False) for one in own.values())).limit(limit)
    found = run(queries, plan, plan.lists_ctes(), select, columns)
    n = len(layout.lists)
    return [
        ListChoice(
            dict(zip(layout.lists, row[:n], strict=True)),
            dict(zip(as_text, map(str, row[n:]), strict=True)),
            {column: types[column] for column in layout.lists},
        )
        for row in found.iter_rows()
    ]


# --- no such list -----------------------------------------------------------------------------------------------------


def _why_none(queries: Queries, asked: Mapping[str, Any]) -> str:
    """Why there is no scored list with these values: which value is unknown, and what was there instead."""
    for name, value in asked.items():
        if not _lists(queries, {name: value}, 1):
            return _why_unscored(queries, {name: value}) or _unknown_value(queries, name, value)
    if why := _why_unscored(queries, asked):
        return why
    first = next(iter(asked))
    examples = [f"({one})" for one in _lists(queries, {first: asked[first]}, SHOWN)]
    return f"No list has all of {_in_words(asked)}. Lists with {first}={asked[first]!r} are {', '.join(examples)}."


def _unknown_value(queries: Queries, name: str, value: object) -> str:
    known = known_values(queries, name)
    others = " and others" if len(known) > SHOWN else ""
    near = did_you_mean(str(value), known)
    return f"No list has {name}={value!r}: the values of {name!r} are {', '.join(known[:SHOWN])}{others}.{near}"


def _why_unscored(queries: Queries, asked: Mapping[str, Any]) -> str:
    """Why lists with these values are not scored, if there are any; empty if there are none."""
    n = _count(queries, "recs", asked)
    if n == 0:
        return ""
    missing = queries.question.missing[0]
    return (
        f"No list with {_in_words(asked)} is scored: {counted(n, 'recommendation has', 'recommendations have')} these "
        f"values, but "
        f"with missing={missing} only lists are scored that {SCORED[missing]}."
    )


def known_values(queries: Queries, name: str) -> list[str]:
    """Values of a list column that scored lists have, in order, as text."""
    plan, column = queries.planned().plan, tree.column(unnamed(name))
    select = exp.select(column).distinct().from_(plan.lists())
    select = select.order_by(exp.Ordered(this=column.copy(), nulls_first=False)).limit(SEEN)
    return [str(row[0]) for row in run(queries, plan, plan.lists_ctes(), select, [name]).iter_rows()]


# Which lists a choice of `missing` scores, to be read after "are scored that".
SCORED = {
    "zero": "the truth has",
    "skip": "both the recommendations and the truth have",
    "listed": "the recommendations have",
    "history": "the history has",
    "baseline": "the baseline has",
}


def _count(queries: Queries, name: str, asked: Mapping[str, Any]) -> int:
    """How many rows of an input have these values in the list columns that it has."""
    side = queries.layout.side(name)
    found = [one for one in asked if one in side.lists]
    types = queries.layout.recs_types
    tests = [
        equal(typed("id", tree.given(side.own(one)), side.types, side.own(one)), one, asked[one], types[one])
        for one in found
    ]
    count = tree.named(exp.Count(this=exp.Star(), big_int=True), "n")
    select = exp.select(count).from_(input_table(queries.question, name)).where(*tests)
    tree.quote(select)
    return int(queries.rows(select)[0][0])
