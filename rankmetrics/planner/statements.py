"""The forms a query can be written in for a job that runs elsewhere: a view, a table, a CTE, an INSERT, a macro."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Literal

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.errors import ColumnError, DialectError, InputError, Option, did_you_mean, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import CALLED, EMBEDDINGS
from rankmetrics.inputs.types import ColumnType, Family
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import Aggregate
from rankmetrics.planner.assemble import per_list as query_per_list
from rankmetrics.planner.assemble import summary, with_ctes
from rankmetrics.planner.model import Cte, Query, Question
from rankmetrics.planner.passes.base import passes_off
from rankmetrics.planner.plan import plan
from rankmetrics.planner.text import write
from rankmetrics.sqltree import tree

Form = Literal["query", "view", "table", "cte", "incremental", "macro"]
Value = str | int | date
Tables = Mapping[str, exp.Expr]


@dataclass(frozen=True)
class Target:
    """The table or view that a statement makes or fills, the dialect, and the inputs that a macro gets as arguments."""

    table: exp.Table
    dialect: str
    parameters: Sequence[str]


# --- what a statement reads -------------------------------------------------------------------------------------------


def _as_given(tables: Tables, layout: Layout, where: Mapping[str, Value]) -> Tables:
    """The inputs as they stand after FROM."""
    return tables


def _of_partition(tables: Tables, layout: Layout, where: Mapping[str, Value]) -> Tables:
    """The inputs, filtered first of all to a partition if they have its columns, so that a warehouse can prune."""
    found = {}
    for name, table in tables.items():
        tests = [
            exp.EQ(this=tree.given(layout.side(name).own(one)), expression=_literal(one, value, layout.recs_types[one]))
            for one, value in where.items()
            if one in layout.side(name).lists
        ]
        found[name] = exp.Subquery(this=exp.select("*").from_(table.copy()).where(*tests)) if tests else table
    return found


def _of_parameters(tables: Tables, layout: Layout, where: Mapping[str, Value]) -> Tables:
    """The inputs as the tables that a macro is called with; embeddings are read from the table of the items."""
    found = {}
    for name, table in tables.items():
        is_made = name == EMBEDDINGS and not isinstance(table, exp.Table)
        held = exp.Placeholder(this="items" if is_made else name)
        call = exp.Table(this=exp.Anonymous(this="query_table", expressions=[held]))
        found[name] = table.transform(lambda node, call=call: call.copy() if isinstance(node, exp.Table) else node)
    return found


# --- what is written --------------------------------------------------------------------------------------------------


def _query(select: exp.Select, target: Target) -> exp.Expr:
    return select


def _view(select: exp.Select, target: Target) -> exp.Expr:
    replaces = dialects.known(target.dialect).replaces_views
    return exp.Create(this=target.table, kind="VIEW", expression=select, replace=replaces)


def _table(select: exp.Select, target: Target) -> exp.Expr:
    stored = dialects.known(target.dialect).table_properties
    return exp.Create(this=target.table, kind="TABLE", expression=select, properties=stored and stored.copy())


def _cte(select: exp.Select, target: Target) -> exp.Expr:
    name, steps = target.table.name, select.args["with_"].pop()
    everything = exp.Star()
    everything.add_comments([" put a SELECT of your own in the place of this one"])
    around = exp.select(everything).from_(tree.table(name))
    around.set("with_", steps)
    return with_ctes(around, [Cte(name, select, comment=f"{name}: the result")])


def _insert(select: exp.Select, target: Target) -> exp.Expr:
    columns = [exp.to_identifier(one, quoted=True) for one in tree.outputs(select)]
    return exp.Insert(this=exp.Schema(this=target.table, expressions=columns), expression=select)


def _macro(select: exp.Select, target: Target) -> exp.Expr:
    """A table macro; its parameters have names that no column has: DuckDB would read such a column as the parameter."""
    taken = {one.name.lower() for one in tree.find(select, exp.Identifier)}
    parameters = {}
    for name in target.parameters:
        free = f"{name}_table"
        while free in taken:
            free += "_"
        parameters[name] = free
    for held in tree.find(select, exp.Placeholder):
        held.replace(tree.column(parameters[held.name]))
    listed = [exp.to_identifier(one, quoted=True) for one in parameters.values()]
    returns = exp.ReturnsProperty(this=exp.Schema(this=exp.var("TABLE")), is_table=True)
    return exp.Create(
        this=exp.UserDefinedFunction(this=target.table, expressions=listed, wrapped=True),
        kind="MACRO",
        replace=True,
        properties=exp.Properties(expressions=[returns]),
        expression=select,
    )


@dataclass(frozen=True)
class Shape:
    """How a query is written in a form.

    Attributes:
        makes: what it makes, in a message.
        write: the statement, made of a query and of what it makes or fills.
        read: the inputs as the query reads them.
        name: what is made is called so unless it is named otherwise.
        one_word: whether that name has no schema before it.
    """

    makes: str
    write: Callable[[exp.Select, Target], exp.Expr]
    read: Callable[[Tables, Layout, Mapping[str, Value]], Tables] = _as_given
    name: str | None = None
    one_word: bool = False


FORMS: Mapping[str, Shape] = {
    "query": Shape("a query", _query),
    "view": Shape("a view", _view),
    "table": Shape("a table", _table),
    "cte": Shape("a CTE", _cte, name="leaderboard", one_word=True),
    "incremental": Shape("an INSERT", _insert, _of_partition),
    "macro": Shape("a table macro", _macro, _of_parameters, name="rank_metrics"),
}


@dataclass(frozen=True)
class Statement:
    """A query in one of the forms, as a statement of a dialect.

    Args:
        dialect: what it is written in.
        form: one of FORMS.
        name: what is made, or filled.
        where: the partition that is added: list columns and their values.
        job: how the text spells names.

    Raises:
        InputError: these do not go together, or the name is none.
        DialectError: the dialect has no such statement.
    """

    dialect: str
    form: str = "query"
    name: str | None = None
    where: Mapping[str, Value] = field(default_factory=dict)
    job: NamesOfJob = field(default_factory=NamesOfJob)

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            near = did_you_mean(str(self.form), FORMS)
            raise InputError(f"There is no form {self.form!r}: there are {names(FORMS)}.{near}")
        shape, form = FORMS[self.form], Option("form", self.form)
        if self.form not in dialects.known(self.dialect).forms:
            have = names(name for name, one in dialects.DIALECTS.items() if self.form in one.forms)
            raise DialectError(form, f" makes {shape.makes}, and {self.dialect} has none: write it for {have}.")
        if self.form == "query" and self.name is not None:
            raise InputError(
                form,
                " makes nothing that ",
                Option("name", "..."),
                " could name: leave it out, or say ",
                Option("form", "view"),
                ".",
            )
        if self.form != "query" and not self._name:
            raise InputError(form, f" makes {shape.makes}, which needs a name: ", Option("name", "db.leaderboard"), ".")
        if shape.one_word and not re.fullmatch(r"\w+", self._name):
            raise InputError(form, f" makes {shape.makes}, whose name is one plain word: {self._name!r} is none.")
        if not isinstance(self.where, Mapping):
            raise InputError(
                Option("where"),
                f' takes columns and their values, as in {{"partition": 3}}: {self.where!r} is none.',
            )
        if self.form == "incremental" and not self.where:
            raise InputError(
                form, " adds the rows of a partition: say which, ", Option("where", {"partition": "2024-01-01"}), "."
            )
        if self.form != "incremental" and self.where:
            raise InputError(
                Option("where", is_noun=True),
                " is the partition that ",
                Option("form", "incremental"),
                " adds: ",
                form,
                " takes none.",
            )

    @property
    def _name(self) -> str:
        return self.name or FORMS[self.form].name or ""

    def text(
        self,
        metrics: Sequence[Metric],
        layout: Layout,
        tables: Tables,
        aggregates: Sequence[Aggregate],
        *,
        per_list: bool = False,
    ) -> str:
        """The query for some metrics in its form, as text.

        Raises:
            ColumnError: `where` names no list column, or one that the result has not, or a value that does not fit.
            InputError: what is made would be called as an input is.
            DialectError: the dialect is unknown, or cannot say what the query says.
        """
        shape = FORMS[self.form]
        self._refuse_columns(layout, per_list=per_list)
        read = shape.read(tables, layout, self.where)
        for one in read.values():
            tree.mark_given(one)
        made = dialects.table(self._name, self.dialect, is_folded=self.job.fold) if self._name else exp.Table()
        taken = self._taken(made, read)
        question = Question(tuple(metrics), layout, read, tuple(aggregates), taken, passes_off=passes_off())
        query = (query_per_list if per_list else summary)(plan(question))
        assert isinstance(query.select, exp.Select)
        if self.form != "query":
            query.select.set("order", None)  # what is made has no order, and some dialects refuse one within it
        parameters = list(dict.fromkeys(held.name for one in read.values() for held in tree.find(one, exp.Placeholder)))
        statement = shape.write(query.select, Target(made, self.dialect, parameters))
        job = replace(self.job, kept=frozenset(layout.lists))
        return write(Query(statement, query.stages), self.dialect, question, job)

    def _taken(self, made: exp.Table, read: Tables) -> frozenset[str]:
        """The names, in lower case, of the tables that the statement makes and reads: no step may have one of them."""
        tables = {table: name for name, one in read.items() for table in tree.find(one, exp.Table) if table.name}
        for table, name in tables.items():
            if table.sql().lower() == made.sql().lower():
                raise InputError(
                    f"{self._name!r} is the table of the {CALLED[name]}: give what is made another name, ",
                    Option("name", "db.leaderboard"),
                    ".",
                )
        return frozenset(table.name.lower() for table in (*tables, made) if table.name)

    def _refuse_columns(self, layout: Layout, *, per_list: bool) -> None:
        """Refuse a partition whose columns the result does not have: a second run could not replace its rows."""
        for name in self.where:
            if name not in layout.lists:
                raise ColumnError(
                    f"No partition can be taken by {name!r}: lists are identified by {names(layout.lists)}."
                    f"{did_you_mean(name, layout.lists)}"
                )
            if name not in layout.by and not per_list:
                raise ColumnError(
                    f"The rows of the summary would not say which {name!r} they are of: keep it with ",
                    Option("by", [...]),
                    ", or ask for one row per list with ",
                    Option("per_list", True),
                    ".",
                )


# --- values -----------------------------------------------------------------------------------------------------------


def _literal(column: str, value: Value, known: ColumnType) -> exp.Expr:
    """A value as a literal of the column's type, or of the value's own type where the column's type is not known."""
    own = OWN.get(type(value))
    literal = LITERALS.get(known.family if known.name else own) if own else None
    found = literal(value) if literal else None
    if found is None:
        holds = f", which is {known}" if known.name else ""
        raise ColumnError(
            f"{value!r} is no value for the list column {column!r}{holds}: a partition is a whole number, a text or a "
            "date."
        )
    return found


def _whole(value: Value) -> exp.Expr | None:
    return tree.literal(int(str(value))) if re.fullmatch("-?[0-9]+", str(value)) else None


def _day(value: Value) -> exp.Expr | None:
    try:
        day = datetime.strptime(str(value), "%Y-%m-%d").date()
    except ValueError:
        return None
    return exp.cast(exp.Literal.string(day.isoformat()), exp.DType.DATE)


def _string(value: Value) -> exp.Expr | None:
    return exp.Literal.string(str(value))


OWN: Mapping[type, Family] = {int: "integer", str: "string", date: "date"}
LITERALS: Mapping[Family | None, Callable[[Value], exp.Expr | None]] = {
    "integer": _whole,
    "string": _string,
    "date": _day,
}
