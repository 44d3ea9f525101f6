"""The forms a query can be written in for a job that runs elsewhere: a view, a table, a CTE, an INSERT, a macro."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.errors import ColumnError, DialectError, InputError, Option, did_you_mean, names
from rankmetrics.export.ddl import as_ddl, result_columns, with_comments
from rankmetrics.export.header import header
from rankmetrics.export.script import notes_of, statements_of
from rankmetrics.export.summary_query import extended_query, refuse_counts
from rankmetrics.export.writing import (
    Script,
    Target,
    alone,
    as_cte,
    as_insert,
    as_macro,
    as_query,
    as_table,
    as_view,
    without_old_rows,
    without_old_table,
)
from rankmetrics.faults.fault_query import check, check_question
from rankmetrics.faults.faults import faults_of, required_of
from rankmetrics.faults.guard import refuse_guard
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import CALLED, EMBEDDINGS
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import Aggregate
from rankmetrics.planner.assemble import per_list as query_per_list
from rankmetrics.planner.assemble import summary
from rankmetrics.planner.model import Question
from rankmetrics.planner.named_systems import with_named_systems
from rankmetrics.planner.passes.base import passes_off
from rankmetrics.planner.past import with_past
from rankmetrics.planner.plan import plan
from rankmetrics.planner.text import rewritten, write
from rankmetrics.planner.where import Comparison, Where, look_back, read_where
from rankmetrics.sqltree import tree

Tables = Mapping[str, exp.Expr]
Partition = tuple[Comparison, ...]


# --- what a statement reads -------------------------------------------------------------------------------------------


def _as_given(tables: Tables, layout: Layout, partition: Partition) -> Tables:
    """The inputs as they stand after FROM."""
    return tables


def _of_partition(tables: Tables, layout: Layout, partition: Partition) -> Tables:
    """The inputs, filtered first of all to a partition if they have its columns, so that a warehouse can prune.

    A history is filtered only by a fold, whose popularities are counted apart: what users of one country know counts
    for all countries, unless the country is a fold.
    """
    found = {}
    past = {*layout.folds} - {layout.history_until}  # the history until a day is cut by `with_past`
    for name, table in tables.items():
        side = layout.side(name)
        tests = [
            condition.test(tree.given(side.own(condition.column)), layout.recs_types[condition.column])
            for condition in partition
            if condition.column in side.lists and (name != "history" or condition.column in past)
        ]
        found[name] = exp.Subquery(this=exp.select("*").from_(table.copy()).where(*tests)) if tests else table
    return found


def _of_parameters(tables: Tables, layout: Layout, partition: Partition) -> Tables:
    """The inputs as the tables that a macro is called with; embeddings are read from the table of the items."""
    found = {}
    for name, table in tables.items():
        is_made = name == EMBEDDINGS and not isinstance(table, exp.Table)
        held = exp.Placeholder(this="items" if is_made else name)
        call = exp.Table(this=exp.Anonymous(this="query_table", expressions=[held]))
        found[name] = table.transform(lambda node, call=call: call.copy() if isinstance(node, exp.Table) else node)
    return found


def _whole(statement: exp.Expr, target: Target) -> list[str | exp.Expr]:
    """One statement."""
    return [statement]


# --- the forms --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """How a query is written in a form.

    Attributes:
        makes: what it makes, in a message.
        write: the statement, made of a query and of what it makes or fills.
        around: the statements before and after it.
        read: the inputs as the query reads them.
        split: the statements in the place of the one statement.
        name: what is made is called so unless it is named otherwise.
        one_word: whether that name has no schema before it.
    """

    makes: str
    write: Callable[[exp.Select, Target], exp.Expr]
    around: Callable[[Target, exp.Expr], Script] = alone
    read: Callable[[Tables, Layout, Partition], Tables] = _as_given
    split: Callable[[exp.Expr, Target], list[str | exp.Expr]] = _whole
    name: str | None = None
    one_word: bool = False


FORMS: Mapping[str, Shape] = {
    "query": Shape("a query", as_query),
    "view": Shape("a view", as_view),
    "table": Shape("a table", as_table, without_old_table),
    "script": Shape("a table, in several statements", as_table, notes_of, split=statements_of),
    "cte": Shape("a CTE", as_cte, name="leaderboard", one_word=True),
    "incremental": Shape("an INSERT", as_insert, without_old_rows, read=_of_partition),
    "ddl": Shape("an empty table", as_ddl, with_comments),
    "macro": Shape("a table macro", as_macro, read=_of_parameters, name="rank_metrics"),
    "check": Shape("a query for faults of the data", as_query, read=_of_partition),
}


@dataclass(frozen=True)
class Statement:
    """A query in one of the forms, as a statement of a dialect.

    Args:
        dialect: what it is written in.
        form: one of FORMS.
        name: what is made, or filled.
        where: the partition that is written: list columns and their values, or comparisons as text.
        lookback: how many days, or whole numbers, before the partition are written again.
        partition: the comparisons that `where` and `lookback` say.
        assumed: what the user says of the inputs beforehand; see `inputs/assumptions.py`.
        duplicates: `error` to count a repeated item among the faults.
        guarded: whether the statement raises an error if the data has a fault.
        counts: the columns of counts that the summary has: `missing`, `tied`, `undefined`.
        allowed: the names of faults that the data may have.
        job: how the text spells names.
        rename: the name that the layout has for a column of `where`.

    Raises:
        InputError: these do not go together, the name is none, or `where` compares no list columns with values.
        DialectError: the dialect has no such statement.
    """

    dialect: str
    form: str = "query"
    name: str | None = None
    where: Where | None = None
    lookback: int = 0
    partition: Partition = field(default=(), init=False)
    assumed: frozenset[str] = frozenset()
    duplicates: str = "count"
    guarded: bool = False
    counts: Sequence[str] = ()
    allowed: frozenset[str] = frozenset()
    job: NamesOfJob = field(default_factory=NamesOfJob)
    rename: Callable[[str], str] = str

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            near = did_you_mean(str(self.form), FORMS)
            raise InputError(f"There is no form {self.form!r}: there are {names(FORMS)}.{near}")
        shape, form = FORMS[self.form], Option("form", self.form)
        if self.form not in dialects.known(self.dialect).forms:
            have = names(name for name, one in dialects.DIALECTS.items() if self.form in one.forms)
            raise DialectError(form, f" makes {shape.makes}, and {self.dialect} has none: write it for {have}.")
        refuse_guard(self.dialect, self.form, self.duplicates, is_guarded=self.guarded, assumes=bool(self.assumed))
        if self.form in ("query", "check") and self.name is not None:
            raise InputError(
                form,
                " makes nothing that ",
                Option("name", "..."),
                " could name: leave it out, or say ",
                Option("form", "view"),
                ".",
            )
        if self.form not in ("query", "check") and not self._name:
            raise InputError(form, f" makes {shape.makes}, which needs a name: ", Option("name", "db.leaderboard"), ".")
        if shape.one_word and not re.fullmatch(r"\w+", self._name):
            raise InputError(form, f" makes {shape.makes}, whose name is one plain word: {self._name!r} is none.")
        partition = tuple(
            replace(comparison, column=self.rename(comparison.column)) for comparison in read_where(self.where)
        )
        if self.form == "incremental" and not partition:
            raise InputError(
                form, " adds the rows of a partition: say which, ", Option("where", {"partition": "2024-01-01"}), "."
            )
        if self.form not in ("incremental", "check") and partition:
            raise InputError(
                Option("where", is_noun=True),
                " is the partition that ",
                Option("form", "incremental"),
                " adds: ",
                form,
                " takes none.",
            )
        if self.lookback and self.form != "incremental":
            raise InputError(Option("lookback", self.lookback), " belongs to ", Option("form", "incremental"), ".")
        object.__setattr__(self, "partition", look_back(partition, self.lookback))

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
        refuse_counts(self.counts, layout, per_list=per_list)
        self._refuse_columns(layout, per_list=per_list)
        tables = with_named_systems(tables, layout)
        read = with_past(shape.read(tables, layout, self.partition), layout, self.partition)
        for table in read.values():
            tree.mark_given(table)
        made = dialects.table(self._name, self.dialect, is_folded=self.job.fold) if self._name else exp.Table()
        taken = self._taken(made, read)
        question = Question(
            tuple(metrics), layout, read, tuple(aggregates), taken, passes_off=passes_off(), assumed=self.assumed
        )
        required = required_of(metrics, self.duplicates) | self.assumed
        faults = [fault for fault in faults_of(layout, required) if fault.name not in self.allowed]
        if self.form == "check":  # it tests what is assumed
            query = check(plan(check_question(replace(question, assumed=frozenset()), faults)), faults)
            return header(question) + write(query, self.dialect, self.job)
        if self.guarded or self.counts:
            wanted = faults if self.guarded else []
            query = extended_query(question, self.counts, wanted, self.dialect, per_list=per_list)
        else:
            query = (query_per_list if per_list else summary)(plan(question))
        assert isinstance(query.select, exp.Select)
        if self.form != "query":
            query.select.set("order", None)  # what is made has no order, and some dialects refuse one within it
        parameters = list(
            dict.fromkeys(held.name for table in read.values() for held in tree.find(table, exp.Placeholder))
        )
        tests = [
            condition.test(tree.column(condition.column), layout.recs_types[condition.column])
            for condition in self.partition
        ]
        columns = list(dict.fromkeys([*layout.partitions, *(condition.column for condition in self.partition)]))
        result = result_columns(question, per_list=per_list)
        job = replace(self.job, kept=frozenset(layout.lists))
        target = Target(made, self.dialect, parameters, tests, columns, result, job)
        statement = shape.write(query.select, target)
        script = shape.around(target, statement)
        parts = shape.split(rewritten(replace(query, select=statement), self.dialect, job), target)
        texts = [part if isinstance(part, str) else dialects.rewritten_text(part, self.dialect) for part in parts]
        written = ";\n\n".join([*texts[:-1], texts[-1] + (";" if len(texts) > 1 else "")])
        return header(question) + script.text(written, self.dialect)

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
        """Refuse a partition whose rows are not those of the full build, or that a second run could not replace."""
        for name in dict.fromkeys(condition.column for condition in self.partition):
            if name not in layout.lists:
                absent = f"No partition can be taken by {name!r}: lists are identified by {names(layout.lists)}."
                if near := did_you_mean(name, layout.lists):
                    raise ColumnError(absent + near)
                raise ColumnError(
                    f"{absent} If the recommendations have this column, name it: ", Option("lists", [name]), "."
                )
            if self.form == "check":  # it returns no rows of the partition
                continue
            if name not in layout.by and not per_list:
                raise ColumnError(
                    f"The rows of the summary would not say which {name!r} they are of: keep it with ",
                    Option("by", [...]),
                    ".",
                )
            if name not in layout.by and name in layout.truth_lists:
                raise ColumnError(
                    f"Without {name!r} in ",
                    Option("by", is_noun=True),
                    f", each system is scored for the lists of every {name!r}, and the rows of one {name!r} alone "
                    "would be others than those of the full build. Keep it with ",
                    Option("by", [...]),
                    ".",
                )
            if name in layout.truth_lists and name not in layout.partitions:
                raise ColumnError(
                    f"No partition can be taken by {name!r}, the owner of lists: each system is scored for every "
                    f"{name!r} of the truth, with or without recommendations, and the rows of one {name!r} alone do "
                    "not name every system. Take another column, such as the day."
                )
