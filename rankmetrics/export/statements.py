"""The forms a query can be written in for a job that runs elsewhere: a view, a table, a CTE, an INSERT, a macro."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import Dialect, NamesOfJob
from rankmetrics.errors import ColumnError, DialectError, InputError, Option, did_you_mean, names
from rankmetrics.export.header import header
from rankmetrics.export.summary_query import extended_query, refuse_counts
from rankmetrics.export.where import Where, WhereCondition, look_back, read_where
from rankmetrics.faults.fault_query import check, check_question, refuse_guard
from rankmetrics.faults.faults import faults_of, required_of
from rankmetrics.inputs.columns import Family, Layout
from rankmetrics.inputs.sources import CALLED, EMBEDDINGS
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import Aggregate
from rankmetrics.planner import (
    Cte,
    Question,
    literal,
    passes_off,
    plan,
    rewritten,
    with_ctes,
    with_named_systems,
    with_past,
    write,
)
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import call

TYPES: Mapping[Family, exp.DType] = {
    "integer": exp.DType.BIGINT,
    "date": exp.DType.DATE,
    "datetime": exp.DType.TIMESTAMP,
    "zoned datetime": exp.DType.TIMESTAMPTZ,
    "boolean": exp.DType.BOOLEAN,
}


def result_columns(question: Question, *, per_list: bool) -> list[ResultColumn]:
    """The columns of the summary, or of the rows per list, in their order."""
    layout, columns = question.layout, []
    for name in layout.lists if per_list else layout.by:
        is_partition = name in layout.partitions
        other = "the system" if name in layout.systems else "a column that identifies lists"
        comment = "a column of the partition" if is_partition else other
        kind = TYPES.get(layout.recs_types[name].family, exp.DType.TEXT)
        columns.append(ResultColumn(name, kind, comment, is_key=True, is_partition=is_partition))
    if not per_list:
        comment = "the number of lists that the means are taken over"
        columns.append(ResultColumn(N_LISTS, exp.DType.BIGINT, comment, is_key=True))
    for metric in question.of_lists if per_list else question.metrics:
        is_single = per_list or metric.is_run
        labels = [metric.label] if is_single else [each.label(metric.label) for each in question.aggregates]
        comment = f"{metric.label}: {metric.definition.summary}"
        columns += [ResultColumn(label, exp.DType.DOUBLE, comment) for label in labels]
    return columns


def as_ddl(select: exp.Select, target: Target) -> exp.Expr:
    """CREATE TABLE with the columns that the query returns in the dialect."""
    final = select.copy()
    dialects.rewrite(final, target.dialect, target.job)  # names of columns are made plain, or shorter, by the dialect
    outputs = tree.outputs(final)
    counts = [ResultColumn(name, exp.DType.BIGINT, "a number of lists") for name in outputs[len(target.columns) :]]
    columns = list(zip([*target.columns, *counts], outputs, strict=True))
    definitions = [_definition(column, name) for column, name in columns]
    partition = [name for column, name in columns if column.is_partition]
    keys = [name for column, name in columns if column.is_key and column.name != N_LISTS]
    days = [name for column, name in columns if column.is_partition and column.type == exp.DType.DATE]
    stored = target.known.ddl.storage(partition, keys, days[0] if days else None)
    return exp.Create(
        this=exp.Schema(this=target.table, expressions=definitions),
        kind="TABLE",
        exists=target.known.ddl.if_not_exists,
        properties=exp.Properties(expressions=stored) if stored else None,
    )


def _definition(column: ResultColumn, name: str) -> exp.ColumnDef:
    kind = exp.DataType(this=column.type)
    constraints = [exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=exp.Literal.string(column.comment)))]
    if column.is_key:
        kind.set("nullable", False)
        constraints.insert(0, exp.ColumnConstraint(kind=exp.NotNullColumnConstraint()))
    return exp.ColumnDef(this=exp.to_identifier(name, quoted=True), kind=kind, constraints=constraints)


def with_comments(target: Target, statement: exp.Expr) -> Script:
    """The comments on columns, moved to where the dialect has them: next to the column, or statements of their own."""
    comments = target.known.ddl.comments
    after: list[exp.Expr] = []
    for comment in tree.find(statement, exp.CommentColumnConstraint) if comments != "column" else []:
        constraint, text = comment.parent, comment.this
        assert constraint is not None
        definition = constraint.parent
        assert isinstance(definition, exp.ColumnDef)
        if comments == "options":
            option = exp.Property(this=exp.var("description"), value=text)
            constraint.set("kind", exp.Properties(expressions=[option]))
            continue
        constraint.pop()
        if comments == "statement":
            table = target.table
            column = exp.Column(this=definition.this.copy(), table=table.this.copy())
            column.set("db", table.args.get("db") and table.args["db"].copy())
            after.append(exp.Comment(this=column, kind="COLUMN", expression=text))
    return Script(after=after)


def statements_of(statement: exp.Expr, target: Target) -> list[str | exp.Expr]:
    """The statements of a script.

    Args:
        statement: the statement that makes the table of the result, as the dialect is given it; used up.
        target: the table of the result, and the dialect.
    """
    (last,) = tree.outermost(statement)
    steps = {cte.alias: cte.this for cte in last.ctes}
    last.set("with_", None)
    n_readers = Counter(name for select in (*steps.values(), last) for name in _steps_read(select, steps))
    tables = {
        name: _table_of(name, target)
        for name, select in steps.items()
        if n_readers[name] > 1 and tree.find(select, exp.Table)  # numbers that are written out are no work
    }
    drops = [drop(table) for table in tables.values()]
    is_temporary, settings = target.known.writes.has_temporary_tables, last.args.get("settings")
    creates: list[exp.Expr] = []
    for name, table in tables.items():
        select = _with_steps(steps[name], steps, tables)
        select.set("settings", [setting.copy() for setting in settings] if settings else None)
        creates.append(create(table, select, target, is_temporary=is_temporary))
    _with_steps(last, steps, tables)
    around = without_old_table(target, statement)  # the old table stays until all of the steps are there
    return [*drops, *creates, *around.before, statement, *around.after, *(table.copy() for table in drops)]


def _steps_read(select: exp.Expr, steps: Mapping[str, exp.Query]) -> list[str]:
    """The steps that a SELECT reads, each as often as it reads it."""
    return [table.name for table in tree.find(select, exp.Table) if table.name in steps and not table.db]


def _with_steps(select: exp.Query, steps: Mapping[str, exp.Query], tables: Mapping[str, exp.Table]) -> exp.Query:
    """A SELECT, itself, below the steps that it needs; it reads tables in place of those that are tables."""
    needed, waiting = set[str](), _steps_read(select, steps)
    while waiting:
        name = waiting.pop()
        if name not in needed and name not in tables:
            needed.add(name)
            waiting += _steps_read(steps[name], steps)
    for name in (name for name in steps if name in needed):
        below = _reading_tables(steps[name].copy(), tables)
        select = select.with_(exp.to_identifier(name, quoted=True), as_=below, copy=False)
    return _reading_tables(select, tables)


def _reading_tables(select: exp.Query, tables: Mapping[str, exp.Table]) -> exp.Query:
    """A SELECT, itself, that reads tables under the names of the steps."""
    for step in tree.find(select, exp.Table):
        table = tables.get(step.name) if not step.db else None
        if table is not None and table.name != step.name:
            step.replace(call(table.copy(), step.alias_or_name))
    return select


def _table_of(step: str, target: Target) -> exp.Table:
    """The table of a step."""
    if target.known.writes.has_temporary_tables:
        return tree.table(step)
    table = target.table.copy()
    table.set("this", exp.to_identifier(f"{target.table.name}_{step}", quoted=True))
    return table


@dataclass(frozen=True)
class ResultColumn:
    """A column of a result.

    Attributes:
        name: its name in the result.
        type: its type in SQL.
        comment: what it holds.
        is_key: whether it identifies a row: it is never NULL then.
        is_partition: whether it is a column of the partition.
    """

    name: str
    type: exp.DType
    comment: str
    is_key: bool = False
    is_partition: bool = False


@dataclass(frozen=True)
class Target:
    """The table or view that a statement makes or fills.

    Attributes:
        table: the table, the view or the macro.
        dialect: the name of the dialect.
        parameters: the inputs that a macro gets as arguments.
        partition: the tests of the rows that are written, over the columns of the target.
        partition_columns: the columns that a table with partitions is partitioned by.
        columns: the columns of the result.
        job: how the text spells names.
    """

    table: exp.Table
    dialect: str
    parameters: Sequence[str] = ()
    partition: Sequence[exp.Expr] = ()
    partition_columns: Sequence[str] = ()
    columns: Sequence[ResultColumn] = ()
    job: NamesOfJob = field(default_factory=NamesOfJob)

    @property
    def known(self) -> Dialect:
        """All that is known of the dialect."""
        return dialects.known(self.dialect)


@dataclass(frozen=True)
class Script:
    """The statements that stand around another statement, and notes above all of them."""

    before: Sequence[str | exp.Expr] = ()
    after: Sequence[str | exp.Expr] = ()
    notes: Sequence[str] = ()

    def text(self, statement: str, dialect: str) -> str:
        """The statements as text; a single statement has no semicolon."""
        notes = [f"-- {note}\n" for note in self.notes]
        if not self.before and not self.after:
            return "".join([*notes, statement])
        every = [*self.before, statement, *self.after]
        texts = [statement if isinstance(statement, str) else dialects.text(statement, dialect) for statement in every]
        return "".join([*notes, ";\n\n".join(texts), ";"])


# --- queries, views and tables ----------------------------------------------------------------------------------------


def as_view(select: exp.Select, target: Target) -> exp.Expr:
    """CREATE VIEW."""
    return exp.Create(this=target.table, kind="VIEW", expression=select, replace=target.known.replaces_views)


def as_table(select: exp.Select, target: Target) -> exp.Expr:
    """CREATE TABLE ... AS; where the dialect cannot replace a table, of a table that is next to the old one."""
    new_table = _beside(target.table) if target.known.writes.table == "drop" else target.table
    return create(new_table, select, target, replace=target.known.writes.table == "or replace")


def without_old_table(target: Target, statement: exp.Expr) -> Script:
    """The statements that exchange the old table for the new one, where the dialect cannot replace a table.

    An old table is dropped only after the new rows are computed, so that a query that fails leaves it as it was.
    """
    writes, old = target.known.writes, drop(target.table)
    if writes.table == "drop in transaction":
        return Script([*writes.begin, old], [writes.commit])
    if writes.table != "drop":
        return Script()
    beside = _beside(target.table)
    copied = create(target.table, exp.select("*").from_(beside.copy()), target)
    note = f"{target.known.called} cannot replace a table: between the DROP and the CREATE after it, there is none."
    return Script([drop(beside)], [old, copied, drop(beside)], [note])


def notes_of(target: Target, statement: exp.Expr) -> Script:
    """The notes above a script: the statements stand in its middle."""
    return replace(without_old_table(target, statement), before=(), after=())


def create(
    table: exp.Table, select: exp.Query, target: Target, *, replace: bool = False, is_temporary: bool = False
) -> exp.Create:
    """CREATE TABLE ... AS of the target's dialect."""
    known = target.known.table_properties
    stored = exp.Properties(expressions=[exp.TemporaryProperty()]) if is_temporary else known and known.copy()
    return exp.Create(this=table.copy(), kind="TABLE", expression=select, replace=replace, properties=stored)


def drop(table: exp.Table) -> exp.Drop:
    """DROP TABLE IF EXISTS."""
    return exp.Drop(tables=[table.copy()], kind="TABLE", exists=True)


def _beside(table: exp.Table) -> exp.Table:
    """The table in which the rows are computed before the old table is dropped: `leaderboard_new`."""
    beside = table.copy()
    beside.this.set("this", f"{table.name}_new")
    return beside


def as_cte(select: exp.Select, target: Target) -> exp.Expr:
    """The steps of the query, the last of which has the target's name, above a SELECT of all its rows."""
    name, steps = target.table.name, select.args["with_"].pop()
    everything = exp.Star()
    everything.add_comments([" put a SELECT of your own in place of this one"])
    around = exp.select(everything).from_(tree.table(name))
    around.set("with_", steps)
    return with_ctes(around, [Cte(name, select, "the result")])


# --- the rows of a partition ------------------------------------------------------------------------------------------


def as_insert(select: exp.Select, target: Target) -> exp.Expr:
    """The statement that adds the rows of a partition, or puts them in place of old rows where the dialect can."""
    columns = [exp.to_identifier(name, quoted=True) for name in tree.outputs(select)]
    replaces = target.known.writes.partition
    if replaces == "replace where":  # it takes no list of columns
        where = exp.and_(*(condition.copy() for condition in target.partition))
        return exp.Insert(this=target.table, by_name=True, where=where, expression=select)
    if replaces == "overwrite":
        partition = exp.Partition(expressions=[tree.column(column) for column in target.partition_columns])
        target.table.set("partition", partition)
    schema = exp.Schema(this=target.table, expressions=columns)
    return exp.Insert(this=schema, expression=select, overwrite=replaces == "overwrite")


def without_old_rows(target: Target, statement: exp.Expr) -> Script:
    """The statements that make an INSERT repeatable: in most dialects, a DELETE of the partition in its transaction."""
    writes = target.known.writes
    if writes.partition != "delete":
        return Script(writes.begin, [], [writes.note] if writes.note else [])
    delete = exp.Delete(this=target.table.copy()).where(*(condition.copy() for condition in target.partition))
    after = [writes.commit] if writes.commit else []
    return Script([*writes.begin, delete], after, [writes.note] if writes.note else [])


# --- macros -----------------------------------------------------------------------------------------------------------


def as_macro(select: exp.Select, target: Target) -> exp.Expr:
    """A table macro; its parameters have names that no column has: DuckDB would read such a column as the parameter."""
    names = {identifier.name.lower() for identifier in tree.find(select, exp.Identifier)}
    parameters = {}
    for name in target.parameters:
        free = f"{name}_table"
        while free in names:
            free += "_"
        parameters[name] = free
    for placeholder in tree.find(select, exp.Placeholder):
        placeholder.replace(tree.column(parameters[placeholder.name]))
    listed = [exp.to_identifier(parameter, quoted=True) for parameter in parameters.values()]
    returns = exp.ReturnsProperty(this=exp.Schema(this=exp.var("TABLE")), is_table=True)
    return exp.Create(
        this=exp.UserDefinedFunction(this=target.table, expressions=listed, wrapped=True),
        kind="MACRO",
        replace=True,
        properties=exp.Properties(expressions=[returns]),
        expression=select,
    )


Tables = Mapping[str, exp.Expr]
Partition = tuple[WhereCondition, ...]


# --- what a statement reads -------------------------------------------------------------------------------------------


def _of_partition(tables: Tables, layout: Layout, partition: Partition) -> Tables:
    """The inputs, filtered first of all to a partition if they have its columns, so that a warehouse can prune.

    A history is filtered only by a fold, whose popularities are counted apart: what users of one country know counts
    for all countries, unless the country is a fold.
    """
    partitions = {}
    past = {*layout.folds} - {layout.history_until}  # the history until a day is cut by `with_past`
    for name, table in tables.items():
        side = layout.side(name)
        tests = [
            condition.test(tree.given(side.own(condition.column)), layout.recs_types[condition.column])
            for condition in partition
            if condition.column in side.lists and (name != "history" or condition.column in past)
        ]
        partitions[name] = exp.Subquery(this=exp.select("*").from_(table.copy()).where(*tests)) if tests else table
    return partitions


def _of_parameters(tables: Tables, layout: Layout, partition: Partition) -> Tables:
    """The inputs as the tables that a macro is called with; embeddings are read from the table of the items."""
    parameters = {}
    for name, table in tables.items():
        is_made = name == EMBEDDINGS and not isinstance(table, exp.Table)
        placeholder = exp.Placeholder(this="items" if is_made else name)
        call = exp.Table(this=exp.Anonymous(this="query_table", expressions=[placeholder]))
        parameters[name] = table.transform(lambda node, call=call: call.copy() if isinstance(node, exp.Table) else node)
    return parameters


# --- the forms --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StatementForm:
    """The form that a query is written in.

    Attributes:
        makes: what it makes, in a message.
        write: the statement, made of a query and of what it makes or fills; by default the query.
        around: the statements before and after it, if there are any.
        read: the inputs as the query reads them; by default as they appear after FROM.
        name: what is made is called so unless it is named otherwise.
        one_word: whether that name has no schema before it.
    """

    makes: str
    write: Callable[[exp.Select, Target], exp.Expr] = lambda select, _: select
    around: Callable[[Target, exp.Expr], Script] = lambda *_: Script()
    read: Callable[[Tables, Layout, Partition], Tables] = lambda tables, *_: tables
    name: str | None = None
    one_word: bool = False


FORMS: Mapping[str, StatementForm] = {
    "query": StatementForm("a query"),
    "view": StatementForm("a view", as_view),
    "table": StatementForm("a table", as_table, without_old_table),
    "script": StatementForm("a table, in several statements", as_table, notes_of),
    "cte": StatementForm("a CTE", as_cte, name="leaderboard", one_word=True),
    "incremental": StatementForm("an INSERT", as_insert, without_old_rows, read=_of_partition),
    "ddl": StatementForm("an empty table", as_ddl, with_comments),
    "macro": StatementForm("a table macro", as_macro, read=_of_parameters, name="rank_metrics"),
    "check": StatementForm("a query for faults of the data", read=_of_partition),
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
            have = names(name for name, dialect in dialects.DIALECTS.items() if self.form in dialect.forms)
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
        latest = [
            literal(condition.column, condition.values[0], layout.recs_types[condition.column])
            for condition in self.partition
            if condition.column == layout.history_until and condition.operator in ("=", "<", "<=")
        ]
        read = with_past(shape.read(tables, layout, self.partition), layout, latest)
        for table in read.values():
            tree.mark_given(table)
        result_table = dialects.table(self._name, self.dialect, is_folded=self.job.fold) if self._name else exp.Table()
        names = self._taken(result_table, read)
        question = Question(
            tuple(metrics), layout, read, tuple(aggregates), names, passes_off=passes_off(), assumed=self.assumed
        )
        required = required_of(metrics, self.duplicates) | self.assumed
        faults = [fault for fault in faults_of(layout, required) if fault.name not in self.allowed]
        if self.form == "check":  # it tests what is assumed
            query = check(plan(check_question(replace(question, assumed=frozenset()), faults)), faults)
            return header(question) + write(query, self.dialect, self.job)
        if self.guarded or self.counts:
            guards = faults if self.guarded else []
            query = extended_query(question, self.counts, guards, self.dialect, per_list=per_list)
        else:
            planned = plan(question)
            query = planned.per_list_query() if per_list else planned.summary_query()
        assert isinstance(query.select, exp.Select)
        if self.form != "query":
            query.select.set("order", None)  # what is made has no order, and some dialects refuse one within it
        job = replace(self.job, kept=frozenset(layout.lists))
        target = Target(
            result_table,
            self.dialect,
            list(dict.fromkeys(node.name for table in read.values() for node in tree.find(table, exp.Placeholder))),
            [test.test(tree.column(test.column), layout.recs_types[test.column]) for test in self.partition],
            list(dict.fromkeys([*layout.partitions, *(test.column for test in self.partition)])),
            result_columns(question, per_list=per_list),
            job,
        )
        statement = shape.write(query.select, target)
        script = shape.around(target, statement)
        whole = rewritten(replace(query, select=statement), self.dialect, job)
        parts = statements_of(whole, target) if self.form == "script" else [whole]
        texts = [part if isinstance(part, str) else dialects.rewritten_text(part, self.dialect) for part in parts]
        written = ";\n\n".join([*texts[:-1], texts[-1] + (";" if len(texts) > 1 else "")])
        return header(question) + script.text(written, self.dialect)

    def _taken(self, target: exp.Table, read: Tables) -> frozenset[str]:
        """The names, in lower case, of the tables that the statement makes and reads: no step may have one of them."""
        tables = {table: name for name, source in read.items() for table in tree.find(source, exp.Table) if table.name}
        for table, name in tables.items():
            if table.sql().lower() == target.sql().lower():
                raise InputError(
                    f"{self._name!r} is the table of the {CALLED[name]}: give what is made another name, ",
                    Option("name", "db.leaderboard"),
                    ".",
                )
        return frozenset(table.name.lower() for table in (*tables, target) if table.name)

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
