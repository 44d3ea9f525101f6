"""The inputs of a query: their columns in the types that it expects, and the tables after FROM.

A history may be cut to what lists knew before them: for each day that the recommendations or the truth have, the rows
of the history whose own day is earlier. With `history_until="day"`:

    SELECT days.day, past.user, past.item
    FROM history AS past
    CROSS JOIN (SELECT DISTINCT day FROM recs UNION SELECT DISTINCT day FROM truth) AS days
    WHERE past.day < days.day

Systems that the caller names are added to those that have recommendations: they are scored in every partition.

    SELECT DISTINCT day, algorithm FROM recs
    → SELECT DISTINCT day, algorithm FROM recs
      UNION SELECT DISTINCT truth.day, named.algorithm FROM truth CROSS JOIN (SELECT 'als' AS algorithm) AS named
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TypeAlias

from sqlglot import exp

from rankmetrics.errors import ColumnError, InputError, Option
from rankmetrics.inputs.columns import ColumnType, Layout, Schema, Side
from rankmetrics.inputs.roles import NUMBERED, roles_of
from rankmetrics.inputs.sources import RANK_AS_FLOAT, SYSTEMS, TRUTH
from rankmetrics.messages import said
from rankmetrics.planner.question import Question
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import unnamed
from rankmetrics.sqltree.relations import call

Tables = Mapping[str, exp.Expr]

# A value of a list column: a whole number, a text, a date, or the tree of a literal that has a type, DATE '2024-01-31'.
Value: TypeAlias = str | int | date | exp.Expr

# For each choice of `missing` that scores missing lists: the input whose lists count.
LISTS_OF: Mapping[str, str] = {"zero": "truth", "history": "history", "baseline": "baseline", "log": "log"}

NAMED = "named_systems"


def no_truth(reader: str) -> InputError:
    """The error for a metric or an option that reads the truth, where there is none."""
    return InputError(f"{reader} reads the truth, and none was given. Give {Option('truth')}: {TRUTH}.")


def input_table(question: Question, name: str) -> exp.Expr:
    """An input as it appears after FROM, under its name."""
    table = question.tables[name].copy()
    tree.mark_names(table)
    if table.alias_or_name != name:
        call(table, name)
    return table


# --- columns ----------------------------------------------------------------------------------------------------------


def input_column(name: str, side: Side, column: exp.Column) -> exp.Expr:
    """A column of an input by its role, or a metric's own, as a typed expression over the user's; NULL without one."""
    if column.name == RANK_AS_FLOAT or (column.name == "rank" and RANK_AS_FLOAT in side.added):
        rank: exp.Expr = exp.cast(tree.given(str(side.roles.rank), column.table or None), exp.DType.DOUBLE)
        return _from_1(rank, side) if column.name == "rank" else rank
    if column.name in side.added:
        return tree.given(side.added[column.name], column.table or None)
    if column.name not in roles_of(name) and (own := side.column(column.name)):
        is_float = side.types[own].family == "float"  # or a decimal: as DOUBLE; all else as it is
        return typed("rating" if is_float else "other", tree.given(own, column.table or None), side.types, own)
    played_by: str | None = getattr(side.roles, column.name, None)
    if played_by is None:
        return exp.Null()
    physical: exp.Expr = tree.given(played_by, column.table or None)
    value = typed(column.name, physical, side.types, played_by)
    if column.name == "score" and side.roles.distance:
        has_sign = exp.DType.BIGINT if side.types[played_by].family == "integer" else exp.DType.DOUBLE
        return exp.Neg(this=exp.cast(value, has_sign))
    return _from_1(value, side) if column.name in ("rank", "position") else value


def _from_1(rank: exp.Expr, side: Side) -> exp.Expr:
    """A rank counted from 1."""
    if side.rank_from == 1:
        return rank
    return exp.Paren(this=exp.Add(this=rank, expression=tree.literal(1 - side.rank_from)))


def typed(role: str, physical: exp.Expr, types: Schema, name: str) -> exp.Expr:
    """A column in the type of its role: ids as plain values, ranks as whole numbers, other numbers without NaN."""
    known = types.get(name)
    type_name = known.name.upper() if known else ""
    nan = exp.cast(exp.Literal.string("NaN"), exp.DType.DOUBLE)
    is_float = known is None or (known.family == "float" and not known.is_decimal)
    if role in ("id", "item", "other", "category", "subtopic"):
        # a category orders, and joins, by the number behind its name; databases order UUIDs differently
        plain = exp.cast(physical, exp.DType.TEXT) if re.search("ENUM|UUID|UNIQUEIDENTIFIER", type_name) else physical
        if known is not None and type_name and known.family == "string":
            plain.type = exp.DataType(this=exp.DType.TEXT)
        return plain
    if role in ("rank", "pool", "position"):
        return (
            physical if type_name in ("BIGINT", "INTEGER", "INT64", "INT32") else exp.cast(physical, exp.DType.BIGINT)
        )
    if known is not None and known.family == "boolean" and role in ("rating", "reward"):
        no, yes = (exp.cast(tree.literal(number), exp.DType.DOUBLE) for number in (0, 1))
        return exp.Case().when(physical, yes).when(exp.Not(this=physical.copy()), no)
    if role in ("embedding", *NUMBERED) and role != "score":
        physical = physical if type_name in ("DOUBLE", "FLOAT64") else exp.cast(physical, exp.DType.DOUBLE)
        return exp.Nullif(this=physical, expression=nan) if is_float else physical
    if is_float:
        physical.type = exp.DataType(this=exp.DType.DOUBLE)
    if role == "score" and is_float:
        return exp.Nullif(this=physical, expression=nan)
    return physical


# --- values of columns ------------------------------------------------------------------------------------------------


def literal(column: str, value: Value, known: ColumnType) -> exp.Expr:
    """A value as a literal of the column's type, or of its own if that is not known; refuses one that does not fit."""
    if known.family == "zoned datetime" and not _is_instant(value):
        instants = f"{column} >= TIMESTAMPTZ '2024-01-01 00:00:00+01:00' AND {column} < ..."
        given = value.sql() if isinstance(value, exp.Expr) else repr(str(value))
        raise said(ColumnError, "no_instant", value=given, column=column, kind=known, where=Option("where", instants))
    if isinstance(value, exp.Var):  # a parameter; what a template puts in is a text, unless the column has numbers
        is_whole = known.name != "" and known.family == "integer"
        bound = exp.var(f"'{value.name}'") if "{{" in value.name and not is_whole else value.copy()
        is_day = known.name != "" and known.family == "date"
        return exp.cast(bound, exp.DType.DATE if is_day else exp.DType.BIGINT) if is_day or is_whole else bound
    if isinstance(value, exp.Expr):
        return value.copy()
    own = {int: "integer", str: "string", date: "date"}.get(type(value))
    family, text = own and known.family if known.name else own, str(value)
    if family == "integer" and re.fullmatch("-?[0-9]+", text):
        return tree.literal(int(text))
    if family == "string":
        return exp.Literal.string(text)
    is_template = isinstance(value, str) and "{{" in text
    if family == "date" and (is_template or date_of(value)):
        return exp.cast(exp.Literal.string(text if is_template else str(date_of(value))), exp.DType.DATE)
    holds = f", which is {known}" if known.name else ""
    raise said(ColumnError, "no_value_of_a_partition", value=value, column=column, holds=holds)


def _is_instant(value: Value) -> bool:
    """True if a value is the same time in every session: a TIMESTAMPTZ with its offset."""
    text = value.name if isinstance(value, exp.Cast) and value.is_type(exp.DType.TIMESTAMPTZ) else ""
    return re.search(r":\d\d(\.\d+)? ?([+-]\d\d(:?\d\d)?|Z)$", text) is not None


def date_of(value: Value) -> date | None:
    """The day that a date, or a text such as `2024-01-31`, is."""
    try:
        return datetime.strptime(str(value), "%Y-%m-%d").date()
    except ValueError:
        return None


# --- the labels of what was shown -----------------------------------------------------------------------------------


def with_labels(tables: Tables, layout: Layout) -> Tables:
    """The inputs with the recommendations that have a label as the truth, with the highest gain of those above 0."""
    if layout.labels is None:
        return tables
    by_gain = sorted(layout.labels.items(), key=lambda pair: -(pair[1] or 0))
    labels = {name: typed("rating", tree.given(name), layout.recs_types, name) for name, _ in by_gain}
    side, own = layout.side("truth"), {column for name, column in layout.read if name == "truth"}
    kept = [name for name in layout.recs_types if name in own or name not in side.unused]
    columns: list[exp.Expr] = [tree.given(name) for name in kept]
    if side.roles.rating not in labels:
        highest = exp.Case(default=tree.literal(0.0))
        for name, gain in by_gain:
            is_positive = exp.GT(this=labels[name].copy(), expression=tree.literal(0))
            highest = highest.when(is_positive, tree.literal(gain or 0.0))
        columns.append(tree.named(highest, str(side.roles.rating)))
    rows = exp.select(*columns).from_(call(tables["recs"].copy(), "recs"))
    return {**tables, "truth": exp.Subquery(this=rows.where(exp.or_(*map(_is_given, labels.values()))))}


# --- the history until a day ------------------------------------------------------------------------------------------


def with_derived(tables: Tables, layout: Layout, latest: Sequence[exp.Expr] = ()) -> Tables:
    """The inputs with labels as the truth, and the history cut to the rows before each day and the latest, if asked."""
    tables, until = with_labels(tables, layout), layout.history_until
    if until is None or "history" not in tables:
        return tables
    side = layout.side("history")
    own = side.own(until)
    dated = {
        name: tree.named(tree.column(layout.side(name).own(until), "dated"), until)
        for name in ("recs", "truth")
        if name in tables
    }
    arms = [exp.select(day).distinct().from_(call(tables[name].copy(), "dated")) for name, day in dated.items()]
    days = exp.union(*arms, copy=False) if len(arms) > 1 else arms[0]
    used = dict.fromkeys([*side.roles.roles.values(), *side.list_columns])
    columns: list[exp.Expr] = [tree.named(tree.column(until, "days"), own)]
    columns += [tree.column(column, "past") for column in used if column != own]
    past = exp.select(*columns).from_(call(tables["history"].copy(), "past"))
    past.append("joins", exp.Join(this=call(exp.Subquery(this=days), "days"), kind="CROSS"))
    days_after = [tree.column(until, "days"), *latest]
    tests = [exp.LT(this=tree.column(own, "past"), expression=day) for day in days_after]
    return {**tables, "history": exp.Subquery(this=past.where(*tests))}


# --- lists with equal scores ------------------------------------------------------------------------------------------


def with_tied_lists(tables: Tables, side: Side) -> Tables:
    """The inputs, with the recommendations of those lists alone that have two equal scores."""
    columns, score = [tree.column(column) for column in side.list_columns], str(side.roles.score)
    equal = exp.select(*columns).from_(call(tables["recs"].copy(), "scored"))
    equal = equal.group_by(*columns, typed("score", tree.column(score), side.types, score))
    equal = equal.having(exp.Count(this=exp.Star()) > 1)
    lists = exp.select(*columns).distinct().from_(call(exp.Subquery(this=equal), "equal_scores"))
    pairs = [[tree.column(name, table) for table in ("ranked_rows", "tied_lists")] for name in side.list_columns]
    same = exp.and_(*(first.eq(second) for first, second in pairs))
    every = exp.Column(this=exp.Star(), table=exp.to_identifier("ranked_rows", quoted=True))
    rows = exp.select(every).from_(call(tables["recs"].copy(), "ranked_rows"))
    rows.append("joins", exp.Join(this=call(exp.Subquery(this=lists), "tied_lists"), on=same))
    return {**tables, "recs": exp.Subquery(this=rows)}


# --- named systems ----------------------------------------------------------------------------------------------------


def with_named_systems(tables: Tables, layout: Layout) -> Tables:
    """The inputs, with a table of the systems that the caller names, unless the caller gave that table."""
    if not layout.named_systems:
        return tables
    rows = [
        exp.select(
            *(
                tree.named(literal(column, value, layout.recs_types[column]), column)
                for column, value in zip(layout.systems, row, strict=True)
            )
        )
        for row in layout.named_systems
    ]
    return {**tables, SYSTEMS: exp.Subquery(this=tree.union_all(rows))}


def add_named_systems(question: Question, systems: exp.Query) -> exp.Query:
    """The rows of systems, with the named systems in each partition."""
    inputs = [LISTS_OF[choice] for choice in question.missing if choice in LISTS_OF]
    return exp.union(systems.copy(), *(_in_partitions_of(question, name) for name in inputs), copy=False)


def _in_partitions_of(question: Question, name: str) -> exp.Select:
    """The named systems in each partition of an input."""
    layout, side = question.layout, question.layout.side(name)
    named = call(input_table(question, SYSTEMS), NAMED)
    values = [typed("id", tree.given(system, NAMED), layout.recs_types, system) for system in layout.systems]
    systems = [tree.named(value, unnamed(column)) for value, column in zip(values, layout.systems, strict=True)]
    are_given = [] if layout.named_systems else [_is_given(value) for value in values]
    if not layout.partitions:
        return exp.select(*systems).distinct().from_(named).where(*are_given)
    own = [
        typed("id", tree.given(side.own(partition), name), side.types, side.own(partition))
        for partition in layout.partitions
    ]
    columns = [tree.named(value, unnamed(column)) for value, column in zip(own, layout.partitions, strict=True)]
    select = exp.select(*columns, *systems).distinct().from_(input_table(question, name))
    select.append("joins", exp.Join(this=named, kind="CROSS"))
    return select.where(*map(_is_given, own), *are_given)


def _is_given(value: exp.Expr) -> exp.Expr:
    return exp.Is(this=value.copy(), expression=exp.Not(this=exp.Null()))
