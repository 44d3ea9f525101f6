"""The forms a query can be written in for a job that runs elsewhere: a view, a table, a CTE, an INSERT, a macro."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import dropwhile
from typing import TypeAlias

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

import rankmetrics
from rankmetrics import planner
from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import Ddl, Dialect, NamesOfJob
from rankmetrics.dialects.rewrites import plain
from rankmetrics.errors import ColumnError, DialectError, InputError, Option, choices_for, did_you_mean, names
from rankmetrics.faults import fault_query
from rankmetrics.faults.account import counts_cte
from rankmetrics.faults.checks import Check, checks_of, required_of
from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.inputs.columns import ColumnType, Family, Layout
from rankmetrics.inputs.sources import CALLED, EMBEDDINGS
from rankmetrics.messages import refused, said
from rankmetrics.metrics.catalog import MISSING, N_LISTS, TIED, UNDEFINED
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate, aggregates_of
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, free_name, headed
from rankmetrics.sqltree.relations import call, conjuncts, joins, left_join
from rankmetrics.sqltree.steps import without_semicolons

Values: TypeAlias = planner.Value | Sequence[planner.Value]
Where: TypeAlias = Mapping[str, Values] | str | Sequence[str]

# Stands for a parameter in the text of a condition while it is parsed.
MARK = "rankmetrics parameter "

OPERATORS: Mapping[str, type[exp.Binary]] = {"=": exp.EQ, ">=": exp.GTE, ">": exp.GT, "<=": exp.LTE, "<": exp.LT}


@dataclass(frozen=True)
class WhereCondition:
    """A comparison of a list column with values."""

    column: str
    operator: str  # one of OPERATORS, or `in`
    values: tuple[planner.Value, ...]  # a single value, unless the operator is `in`

    def test(self, column: exp.Expr, known: ColumnType) -> exp.Expr:
        """The comparison of a column, with literals of the column's type."""
        literals = [planner.literal(self.column, value, known) for value in self.values]
        if self.operator == "in":
            return exp.In(this=column, expressions=literals)
        return OPERATORS[self.operator](this=column, expression=literals[0])


# --- from Python or text ----------------------------------------------------------------------------------------------


def read_where(where: Where | None) -> tuple[WhereCondition, ...]:
    """The comparisons of a partition, all of which hold for its rows; refuses other forms.

    A mapping gives for each column a value, a list of values, or a pair `(lowest, highest)`, both included. A text, or
    a list of texts, is a condition of SQL: comparisons of list columns with literals, joined by AND.

    >>> [(test.column, test.operator, test.values) for test in read_where({"day": ("2024-01-01", "2024-01-31")})]
    [('day', '>=', ('2024-01-01',)), ('day', '<=', ('2024-01-31',))]
    >>> [(test.column, test.operator, test.values) for test in read_where("day IN (1, 2) AND algorithm = 'als'")]
    [('day', 'in', (1, 2)), ('algorithm', '=', ('als',))]

    A value may be a parameter that the job's driver or template fills in (`:day`, `@day`, `$1`, `%(day)s`, `?`,
    `{{ var('day') }}`), or follow from the current date (`CURRENT_DATE - 1`).
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
        raise InputError(f"{Option('where', is_noun=True)} names a column twice: {repeated[0]!r}.")
    return tuple(comparisons)


def _of_values(column: str, values: Values) -> Iterator[WhereCondition]:
    if isinstance(values, tuple):
        if len(values) != 2:
            raise said(InputError, "no_range", name=column, values=str(values), n=len(values))
        yield WhereCondition(column, ">=", (values[0],))
        yield WhereCondition(column, "<=", (values[1],))
    elif isinstance(values, list):
        yield WhereCondition(column, "in", tuple(values))
    else:
        yield WhereCondition(column, "=", (values,))  # type: ignore[arg-type]  # `literal` refuses other values


# A parameter of a driver or a template, or a text in quotes, which holds none; a template may stand in quotes.
PARAMETER = re.compile(
    r"""'(?P<quoted>\{\{.*?\}\})'|'(?:[^']|\'\')*'|"(?:[^"]|"")*"|"""
    r"""(?P<bound>\{\{.*?\}\}|(?<![\w:]):[A-Za-z_]\w*|@\w+|\$\{?\w+\}?|%\(\w+\)s|%s|\?)"""
)

# What a value may be made of that is the same for each row of a statement.
CONSTANT = (
    *(exp.Literal, exp.Var, exp.Interval, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Cast, exp.DataType),
    *(exp.CurrentDate, exp.CurrentTimestamp, exp.DateAdd, exp.DateSub, exp.DateTrunc, exp.TimestampTrunc),
)

# A value without quotes: a date, a number with leading zeros, a name, or what a template puts in: {{ ds }}.
BARE = re.compile(r"""\s*([^\s=<>!'"()]+|"[^"]+")\s*=\s*(\{\{[^'"]*\}\}|[\w.:-]+)\s*""")
NOT_BARE = re.compile("(?i)null|true|false|current_.*")


def _of_text(text: object) -> Iterator[WhereCondition]:
    """The comparisons in a text; a number in quotes is a text."""
    if not isinstance(text, str):
        raise _refused(text, "which is neither a mapping nor a text")
    parameters: list[str] = []

    def taken_out(found: re.Match[str]) -> str:
        parameter = found["bound"] or found["quoted"]
        if parameter is None or ("{{" in parameter and "'" not in parameter):  # a text that the template completes
            return found[0]
        parameters.append(parameter)
        return f"'{MARK}{len(parameters) - 1}'"

    marked = PARAMETER.sub(taken_out, text)
    bare = None if parameters else BARE.fullmatch(text)
    if bare and not NOT_BARE.fullmatch(bare[2]):
        is_whole = re.fullmatch("0|-?[1-9][0-9]*", bare[2])
        yield WhereCondition(bare[1].strip('"'), "=", (int(bare[2]) if is_whole else bare[2],))
        return
    try:
        condition = sqlglot.parse_one(marked, read="duckdb")
    except SqlglotError:
        raise _refused(text, "which is not a condition of SQL") from None
    for literal in tree.find(condition, exp.Literal):
        if literal.name.startswith(MARK):
            parameter = exp.var(parameters[int(literal.name.removeprefix(MARK))])
            literal.replace(parameter)
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


def _is_day(value: planner.Value) -> bool:
    """True if a value is a date, or follows from the current date."""
    if not isinstance(value, exp.Expr):
        return isinstance(value, date)
    return value.find(exp.CurrentDate) is not None or value.is_type(exp.DType.DATE)


def _of_literal(text: str, node: exp.Expr) -> planner.Value:
    node = node.unnest()
    number = node.this if isinstance(node, exp.Neg) else node
    if isinstance(number, exp.Literal) and not number.is_string and number.name.isdecimal():
        return int(number.name) * (-1 if node is not number else 1)
    if isinstance(node, exp.Literal) and node.is_string:
        return node.name
    if not isinstance(node, exp.Cast) or not isinstance(node.this, exp.Literal) or not node.this.is_string:
        if not all(isinstance(part, (*CONSTANT, exp.Identifier)) for part in node.walk()):
            raise _refused(text, f"and {node.sql()!r} is not a whole number, text, date or parameter")
        return node
    if not node.is_type(exp.DType.DATE) or "{{" in node.name:
        return node  # a literal of another type, or with a template in it
    try:
        return date.fromisoformat(node.this.name)
    except ValueError:
        raise _refused(text, f"and {node.this.name!r} is not a date") from None


def _parameters(parts: Iterable[object]) -> Counter[str]:
    """The parameters in values or statements, each with how often it is there."""
    variables = [node.name for part in parts if isinstance(part, exp.Expr) for node in tree.find(part, exp.Var)]
    return Counter(name for name in variables if PARAMETER.fullmatch(name))


def _filled_in(parts: Sequence[str | exp.Expr]) -> str:
    """A comment that names the parameters of statements; one without a name, with how often it is there."""
    bound = _parameters(parts).items()
    named = [f"{name} ({n} times)" if name in ("?", "%s") and n > 1 else name for name, n in bound]
    return f"-- The job fills in {', '.join(named)}.\n" if named else ""


def _refused(text: object, why: str) -> InputError:
    day = Option("where", "day = DATE '2024-01-31'")
    month = Option("where", "day >= DATE '2024-01-01' AND day < DATE '2024-02-01'")
    return said(InputError, "no_partition", text=repr(text), why=why, day=day, month=month)


def look_back(partition: Sequence[WhereCondition], lookback: int) -> tuple[WhereCondition, ...]:
    """A partition of a date or whole number, with so many before it: their rows are written again; refuses others."""
    if not lookback:
        return tuple(partition)
    option = Option("lookback", lookback)
    if not isinstance(lookback, int) or isinstance(lookback, bool) or lookback < 0:
        raise InputError(f"{option} must be a whole number from 1: how many days before the partition to write again.")
    if len(partition) != 1 or partition[0].operator != "=":
        raise InputError(f"{option} goes back from one value: {Option('where', {'day': '2024-01-31'})}.")
    first = _before(partition[0].values[0], lookback)
    if first is None:
        both_ends = Option("where", "day BETWEEN DATE '2024-01-28' AND DATE '2024-01-31'")
        raise said(InputError, "no_lookback", option=option, value=str(partition[0].values[0]), both_ends=both_ends)
    return replace(partition[0], operator=">=", values=(first,)), replace(partition[0], operator="<=")


def _before(value: planner.Value, days: int) -> planner.Value | None:
    """The value so many days before; a text that is a date or a number stays a text."""
    if isinstance(value, int):
        return value - days
    if isinstance(value, str) and re.fullmatch("-?[0-9]+", value):
        return str(int(value) - days)
    day = planner.date_of(value)
    earlier = None if day is None else day - timedelta(days)
    return earlier.isoformat() if earlier and isinstance(value, str) else earlier


# --- the statements ---------------------------------------------------------------------------------------------------


TYPES: Mapping[Family, exp.DType] = {
    "integer": exp.DType.BIGINT,
    "date": exp.DType.DATE,
    "datetime": exp.DType.TIMESTAMP,
    "zoned datetime": exp.DType.TIMESTAMPTZ,
    "boolean": exp.DType.BOOLEAN,
}


@dataclass(frozen=True)
class ResultColumn:
    """A column of a result."""

    name: str  # in the result; the dialect may make it plain, or shorter
    type: exp.DType
    comment: str  # what it holds
    is_key: bool = False  # True if it identifies a row: it is never NULL then
    is_partition: bool = False
    is_guessed: bool = False  # True if nothing states its type


@dataclass(frozen=True)
class Target:
    """The table or view that a statement makes or fills."""

    table: exp.Table  # the table, the view or the macro
    dialect: str
    partition: Sequence[exp.Expr] = ()  # the tests of the rows that are written, over the columns of the table
    partition_columns: Sequence[str] = ()  # the columns by which a table with partitions is partitioned
    columns: Sequence[ResultColumn] = ()
    existing: Sequence[str] = ()  # the columns that the table has already
    # the arguments and their types: of a macro, the inputs; of a function, the parameters of the partition, as written
    arguments: Mapping[str, exp.DType] = field(default_factory=dict)
    job: NamesOfJob = field(default_factory=NamesOfJob)

    @property
    def known(self) -> Dialect:
        """The dialect's facts."""
        return dialects.known(self.dialect)

    def table_beside(self, name: str) -> exp.Table:
        """A table in the same schema, called after the target and something else."""
        table = self.table.copy()
        table.set("this", exp.to_identifier(f"{self.table.name}_{name}", quoted=True))
        return table


@dataclass(frozen=True)
class Script:
    """A statement, the statements before and after it, and notes above all of them."""

    statement: exp.Expr
    before: Sequence[str | exp.Expr] = ()
    after: Sequence[str | exp.Expr] = ()
    notes: Sequence[str] = ()

    @property
    def parts(self) -> list[str | exp.Expr]:
        """All statements in their order."""
        return [*self.before, self.statement, *self.after]


def result_columns(question: planner.Question, *, per_list: bool) -> list[ResultColumn]:
    """The columns of the summary, or of the rows per list, in their order."""
    layout, columns = question.layout, []
    for name in layout.lists if per_list else layout.by:
        is_partition = name in layout.partitions
        other = "the system" if name in layout.systems else "a column that identifies lists"
        comment = "a column of the partition" if is_partition else other
        known = layout.recs_types[name]
        kind = TYPES.get(known.family, exp.DType.TEXT)
        columns.append(ResultColumn(name, kind, comment, True, is_partition, is_guessed=known.name == ""))
    if not per_list:
        comment = "the number of lists that the means are taken over"
        columns.append(ResultColumn(N_LISTS, exp.DType.BIGINT, comment, is_key=True))
    for metric in question.of_lists if per_list else question.metrics:
        aggregates = [MEAN] if per_list else aggregates_of(metric, question.aggregates)
        labels = [each.label(metric.label) for each in aggregates]
        comment = f"{metric.label}: {metric.definition.summary}"
        columns += [ResultColumn(label, exp.DType.DOUBLE, comment) for label in labels]
    return columns


# --- views, tables and CTEs -------------------------------------------------------------------------------------------


def as_view(select: exp.Select, target: Target) -> Script:
    """CREATE VIEW."""
    view = exp.Create(this=target.table, kind="VIEW", expression=select, replace=target.known.replaces_views)
    return Script(view)


def as_table(select: exp.Select, target: Target) -> Script:
    """CREATE TABLE ... AS, and where the dialect cannot replace a table, the statements that exchange it for the old.

    An old table is dropped only after the new rows are computed, so that a query that fails leaves it as it was.
    """
    writes, old = target.known.writes, _drop(target.table)
    if writes.table != "drop":
        table = _create(target.table, select, target, replace=writes.table == "or replace")
        is_swap = writes.table == "drop in transaction"
        return Script(table, [*writes.begin, old], [writes.commit]) if is_swap else Script(table)
    new_table = target.table_beside("new")
    copied = _create(target.table, exp.select("*").from_(new_table.copy()), target)
    note = f"{target.known.called} cannot replace a table: between the DROP and the CREATE after it, there is none."
    new = _create(new_table, select, target)
    return Script(new, [_drop(new_table)], [old, copied, _drop(new_table)], [note])


def _create(
    table: exp.Table, select: exp.Query, target: Target, *, replace: bool = False, is_temporary: bool = False
) -> exp.Create:
    properties = target.known.table_properties
    stored = exp.Properties(expressions=[exp.TemporaryProperty()]) if is_temporary else properties and properties.copy()
    return exp.Create(this=table.copy(), kind="TABLE", expression=select, replace=replace, properties=stored)


def _drop(table: exp.Table) -> exp.Drop:
    return exp.Drop(tables=[table.copy()], kind="TABLE", exists=True)


def as_cte(select: exp.Select, target: Target) -> Script:
    """The steps of the query, the last of which has the target's name, above a SELECT of all its rows."""
    name, steps = target.table.name, select.args["with_"].pop()
    everything = exp.Star()
    everything.add_comments([" put a SELECT of your own in place of this one"])
    around = exp.select(everything).from_(tree.table(name))
    around.set("with_", steps)
    return Script(planner.with_ctes(around, [planner.Cte(name, select, "the result")]))


# --- an empty table, and the rows of a partition ----------------------------------------------------------------------


def as_ddl(select: exp.Select, target: Target) -> Script:
    """CREATE TABLE with the columns that the query returns in the dialect, each with a comment where there can be.

    Of a table that has some of them, ALTER TABLE for the others; a note names the columns that the query has not.
    """
    final, ddl, notes = select.copy(), target.known.ddl, list[str]()
    dialects.rewrite(final, target.dialect, target.job)  # names of columns are made plain, or shorter, by the dialect
    columns = _with_names(target, tree.outputs(final))
    if target.existing:
        columns, notes = _new_columns(columns, target.existing)
    elif guessed := [name for column, name in columns if column.is_guessed]:
        notes = [f"Taken for whole numbers: {', '.join(guessed)}. State which columns hold text, and which dates."]
    partition = [name for column, name in columns if column.is_partition]
    keys = [name for column, name in columns if column.is_key and column.name != N_LISTS]
    days = [name for column, name in columns if column.is_partition and column.type == exp.DType.DATE]
    stored = ddl.storage(partition, keys, days[0] if days else None)
    definitions = [_definition(column, name, ddl) for column, name in columns]
    create = exp.Create(
        this=exp.Schema(this=target.table, expressions=definitions),
        kind="TABLE",
        exists=ddl.if_not_exists,
        properties=exp.Properties(expressions=stored) if stored else None,
    )
    alters = [exp.Alter(this=target.table.copy(), kind="TABLE", actions=[added.copy()]) for added in definitions]
    statement, *others = alters if target.existing else [create]
    table = [target.table.this.copy(), target.table.args.get("db") and target.table.args["db"].copy()]
    comments = [
        exp.Comment(
            this=exp.column(exp.to_identifier(name, quoted=True), *table),
            kind="COLUMN",
            expression=exp.Literal.string(column.comment),
        )
        for column, name in columns
        if ddl.comments == "statement"
    ]
    return Script(statement, after=[*others, *comments], notes=notes)


def _with_names(target: Target, outputs: Sequence[str]) -> list[tuple[ResultColumn, str]]:
    """The columns of a result with the names that a query gives them; counts come after the metrics."""
    counts = [ResultColumn(name, exp.DType.BIGINT, "a number of lists") for name in outputs[len(target.columns) :]]
    return list(zip([*target.columns, *counts], outputs, strict=True))


def _new_columns(
    columns: Sequence[tuple[ResultColumn, str]], existing: Sequence[str]
) -> tuple[list[tuple[ResultColumn, str]], list[str]]:
    """The columns that a table lacks, and a note on its columns that are not among them; refuses new keys."""
    known = {plain(name).lower(): name for name in existing}
    returned = {plain(name).lower() for _, name in columns}
    new = [(column, name) for column, name in columns if plain(name).lower() not in known]
    if not new or new[0][0].is_key:
        lacks = f"lacks {new[0][1]!r}, which every row needs: make it again" if new else "has every column already"
        raise InputError(f"{Option('existing', [...])} adds the columns of metrics, and the table {lacks}.")
    old = [name for key, name in known.items() if key not in returned]
    note = f"The table has {', '.join(old)}, which this leaves as it is: new rows have NULL there."
    return new, [note] if old else []


def _definition(column: ResultColumn, name: str, ddl: Ddl) -> exp.ColumnDef:
    kind, comment = exp.DataType(this=column.type), exp.Literal.string(column.comment)
    constraints: list[exp.Expr] = []
    if column.is_key:
        kind.set("nullable", False)
        constraints.append(exp.NotNullColumnConstraint())
    if ddl.comments == "column":
        constraints.append(exp.CommentColumnConstraint(this=comment))
    elif ddl.comments == "options":
        constraints.append(exp.Properties(expressions=[exp.Property(this=exp.var("description"), value=comment)]))
    return exp.ColumnDef(
        this=exp.to_identifier(name, quoted=True),
        kind=kind,
        constraints=[exp.ColumnConstraint(kind=constraint) for constraint in constraints],
    )


def as_insert(select: exp.Select, target: Target) -> Script:
    """The statements that write the rows of a partition, and may run again if the dialect can replace old rows."""
    columns = [exp.to_identifier(name, quoted=True) for name in tree.outputs(select)]
    writes = target.known.writes
    notes = [writes.note] if writes.note else []
    where = [condition.copy() for condition in target.partition]
    if writes.partition == "replace where":  # it takes no list of columns
        insert = exp.Insert(this=target.table, by_name=True, where=exp.and_(*where), expression=select)
        return Script(insert, writes.begin, [], notes)
    delete = exp.Delete(this=target.table.copy()).where(*where)
    if writes.partition == "overwrite":
        partition = exp.Partition(expressions=[tree.column(column) for column in target.partition_columns])
        target.table.set("partition", partition)
    schema = exp.Schema(this=target.table, expressions=columns)
    insert = exp.Insert(this=schema, expression=select, overwrite=writes.partition == "overwrite")
    if writes.partition != "delete":
        return Script(insert, writes.begin, [], notes)
    around = (writes.lock, writes.unlock) if writes.lock else (writes.begin, [writes.commit] if writes.commit else [])
    before, after = ([dialects.about(text, target.table, target.dialect) for text in texts] for texts in around)
    # each statement is for good without a transaction: what the guard refuses must not cost the rows of an earlier run
    guard = [] if after else [*_guard_alone(insert.expression)]
    return Script(insert, [*before, *guard, delete], after, notes)


def _guard_alone(select: exp.Select) -> Iterator[exp.Query]:
    """The guard of a query as a query of its own, with the steps that it reads; none of a query without a guard."""
    steps = {cte.alias: cte.this for cte in select.copy().ctes}
    for name, step in steps.items():
        if tree.outputs(step) == [fault_query.IS_SOUND]:
            guard = exp.select(tree.column(fault_query.IS_SOUND)).from_(tree.table(name))
            guard.comments = [" the guard: it raises an error if the data has a fault, before any row is deleted"]
            yield _with_steps(guard, steps, {})


def as_macro(select: exp.Select, target: Target) -> Script:
    """A table macro; its parameters have names that no column has: DuckDB would read such a column as the parameter."""
    names = [identifier.name for identifier in tree.find(select, exp.Identifier)]
    parameters = {name: free_heading(f"{name}_table", names) for name in target.arguments}
    for placeholder in tree.find(select, exp.Placeholder):
        placeholder.replace(tree.column(parameters[placeholder.name]))
    listed = [exp.to_identifier(parameter, quoted=True) for parameter in parameters.values()]
    return _routine(target, listed, select, [])


def as_function(select: exp.Select, target: Target) -> Script:
    """A table function; its arguments are the parameters of the partition, under names that no column has."""
    names = [identifier.name for identifier in tree.find(select, exp.Identifier)]
    named = _with_names(target, tree.outputs(select))
    returned = [_definition(replace(column, is_key=False), name, Ddl()) for column, name in named]
    listed = list[exp.ColumnDef]()
    for written, kind in target.arguments.items():
        name = free_heading(f"p_{written.strip(':')}", names)
        listed.append(_definition(ResultColumn(name, kind, ""), name, Ddl()))
        for variable in [node for node in tree.find(select, exp.Var) if node.name == written]:
            cast = variable.parent  # an argument has its type
            node: exp.Expr = cast if isinstance(cast, exp.Cast) and cast.is_type(kind) else variable
            node.replace(tree.column(name))
    body = target.known.function.body
    return _routine(target, listed, body(this=select) if body else select, [] if body else returned)


def _routine(target: Target, arguments: Sequence[exp.Expr], body: exp.Expr, columns: Sequence[exp.Expr]) -> Script:
    shape, table = target.known.function, exp.Schema(this=exp.var("TABLE"), expressions=[*columns])
    returns = [exp.ReturnsProperty(this=table, is_table=True), *(each.copy() for each in shape.properties or ())]
    routine = exp.Create(
        this=exp.UserDefinedFunction(this=target.table, expressions=[*arguments], wrapped=True),
        kind=shape.kind,
        replace=True,
        properties=None if shape.properties is None else exp.Properties(expressions=returns),
        expression=body,
    )
    return Script(routine)


# --- a script with tables of steps ------------------------------------------------------------------------------------


def with_tables_of_steps(script: Script, target: Target) -> list[str | exp.Expr]:
    """The statements of `as_table`, used up and rewritten, with a table for each step that several steps read."""
    (last,) = tree.outermost(script.statement)
    steps = {cte.alias: cte.this for cte in last.ctes}
    last.set("with_", None)
    n_readers = Counter(name for select in (*steps.values(), last) for name in _steps_read(select, steps))
    is_temporary, settings = target.known.writes.has_temporary_tables, last.args.get("settings")
    tables = {
        name: tree.table(name) if is_temporary else target.table_beside(name)
        for name, select in steps.items()
        if n_readers[name] > 1 and not _is_cheap(select, steps)
    }
    drops = [_drop(table) for table in tables.values()]
    creates: list[exp.Expr] = []
    for name, table in tables.items():
        select = _with_steps(steps[name], steps, tables)
        select.set("settings", [setting.copy() for setting in settings] if settings else None)
        creates.append(_create(table, select, target, is_temporary=is_temporary))
    _with_steps(last, steps, tables)
    # the old table of the result stays until all of the steps are there
    return [*drops, *creates, *script.parts, *(table.copy() for table in drops)]


def _is_cheap(select: exp.Query, steps: Mapping[str, exp.Query]) -> bool:
    """True if to compute a step again costs less than to keep its rows: it picks rows of an input, or has numbers."""
    is_of_input = not joins(select) and not _steps_read(select, steps)
    return is_of_input and isinstance(select, exp.Select) and tree.only_picks(select)


def _steps_read(select: exp.Expr, steps: Mapping[str, exp.Query]) -> list[str]:
    return [table.name for table in tree.find(select, exp.Table) if table.name in steps and not table.db]


def _with_steps(select: exp.Query, steps: Mapping[str, exp.Query], tables: Mapping[str, exp.Table]) -> exp.Query:
    """The same SELECT, with the steps that it needs as CTEs; a step that is a table is read from the table."""
    needed = {*_steps_read(select, steps)} - {*tables}
    for name in reversed([*steps]):  # a step reads only those before it
        if name in needed:
            needed |= {*_steps_read(steps[name], steps)} - {*tables}
    for name in (name for name in steps if name in needed):
        select = select.with_(exp.to_identifier(name, quoted=True), as_=steps[name].copy(), copy=False)
    for step in tree.find(select, exp.Table):
        table = tables.get(step.name) if not step.db else None
        if table is not None and table.name != step.name:
            step.replace(call(table.copy(), step.alias_or_name))
    return select


Tables = Mapping[str, exp.Expr]
Partition = tuple[WhereCondition, ...]


def _of_partition(tables: Tables, layout: Layout, partition: Partition) -> Tables:
    """The inputs, each filtered to the partition where it is read if it has the columns, so that a warehouse can prune.

    A history is filtered only by a fold, within which popularity is counted: the history of users in one country counts
    for the popularity in all countries, unless the country is a fold.
    """
    partitions = {}
    past = {*layout.folds} - {layout.history_until}  # the history until a day is cut by `with_derived`
    for name, table in tables.items():
        side = layout.side(name)
        tests = [
            condition.test(tree.given(side.own(condition.column)), layout.recs_types[condition.column])
            for condition in partition
            if condition.column in side.lists and (name != "history" or condition.column in past)
        ]
        partitions[name] = exp.Subquery(this=exp.select("*").from_(table.copy()).where(*tests)) if tests else table
    return partitions


# What a macro reads of an argument: a SELECT in parentheses, or a table or file by its name.
QUERY_OF_ARGUMENT = """
QUERY('FROM ' || CASE WHEN :argument LIKE '(%' THEN :argument
ELSE 'QUERY_TABLE(''' || REPLACE(:argument, '''', '''''') || ''')' END)
"""


def _of_parameters(tables: Tables, layout: Layout, partition: Partition) -> Tables:
    """The inputs as the arguments of a macro; embeddings are read from the table of the items."""
    parameters = {}
    for name, table in tables.items():
        is_derived = name == EMBEDDINGS and not isinstance(table, exp.Table)
        placeholder = exp.Placeholder(this="items" if is_derived else name)
        call = exp.Table(this=tree.fill(QUERY_OF_ARGUMENT, argument=placeholder))
        parameters[name] = table.transform(lambda node, call=call: call.copy() if isinstance(node, exp.Table) else node)
    return parameters


@dataclass(frozen=True)
class StatementForm:
    """The form in which a query is written."""

    makes: str  # what it makes, in a message
    write: Callable[[exp.Select, Target], Script] = lambda select, _: Script(select)
    # returns the inputs as the query reads them; by default as they appear after FROM
    read: Callable[[Tables, Layout, Partition], Tables] = lambda tables, *_: tables
    name: str | None = None  # the name of what is made, unless the caller names it
    is_one_word: bool = False  # True if that name has no schema before it


FORMS: Mapping[str, StatementForm] = {
    "query": StatementForm("a query"),
    "view": StatementForm("a view", as_view),
    "table": StatementForm("a table", as_table),
    "script": StatementForm("a table, in several statements", as_table),
    "cte": StatementForm("a CTE", as_cte, name="leaderboard", is_one_word=True),
    "incremental": StatementForm("an INSERT", as_insert, _of_partition),
    "ddl": StatementForm("an empty table", as_ddl),
    "macro": StatementForm("a table macro", as_macro, _of_parameters, name="rank_metrics"),
    "function": StatementForm("a table function", as_function, _of_partition, name="rank_metrics"),
    "check": StatementForm("a query for faults of the data", read=_of_partition),
}


@dataclass(frozen=True)
class Statement:
    """A query in one of the forms, as a statement of a dialect; refuses options that do not go together."""

    dialect: str
    form: str = "query"  # one of FORMS
    name: str | None = None  # of what is made, or filled
    where: Where | None = None  # the partition that is written: list columns and their values, or comparisons as text
    lookback: int = 0  # how many days, or whole numbers, before the partition are written again
    existing: Sequence[str] = ()  # the columns that the table of `ddl` has already
    partition: Partition = field(default=(), init=False)  # the comparisons that `where` and `lookback` say
    assumed: frozenset[str] = frozenset()  # what the user says of the inputs beforehand, as in inputs/assumptions.py
    duplicates: str = "count"  # `error` to count a repeated item among the faults
    guarded: bool = False  # True if the statement raises an error if the data has a fault
    counts: Sequence[str] = ()  # the columns of counts that the summary has: `missing`, `tied`, `undefined`
    allowed: frozenset[str] = frozenset()  # the names of faults that the data may have
    job: NamesOfJob = field(default_factory=NamesOfJob)  # the spelling of names
    rename: Callable[[str], str] = str  # returns the name that the layout has for a column of `where`
    is_model: bool = False  # True for the query of a model of dbt, which makes a table of it

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise InputError(f"There is no form {self.form!r}: there are {choices_for(self.form, FORMS)}")
        shape, form = FORMS[self.form], Option("form", self.form)
        if self.form not in dialects.known(self.dialect).forms:
            have = names(name for name, dialect in dialects.DIALECTS.items() if self.form in dialect.forms)
            raise DialectError(f"{form} makes {shape.makes}, and {self.dialect} has none: write it for {have}.")
        if self.guarded and self.assumed:
            raise said(InputError, "guarded_and_assumed")
        if self.guarded and self.form == "check":
            raise said(InputError, "guarded_check")
        if self.guarded and not dialects.known(self.dialect).raise_error:
            able = [name for name, dialect in dialects.DIALECTS.items() if dialect.raise_error]
            raise said(DialectError, "raises_no_error", dialect=self.dialect, able=able)
        if self.duplicates == "error" and not self.guarded and self.form != "check":
            raise said(InputError, "looks_at_no_rows")
        if self._makes_nothing and self.name is not None:
            raise said(InputError, "makes_nothing", form=form, naming=Option("name", "..."))
        if not self._makes_nothing and not self._name:
            raise InputError(f"{form} makes {shape.makes}, which needs a name: {Option('name', 'db.leaderboard')}.")
        if shape.is_one_word and not re.fullmatch(r"\w+", self._name):
            raise InputError(f"{form} makes {shape.makes}, whose name is one plain word: {self._name!r} is not.")
        partition = tuple(replace(test, column=self.rename(test.column)) for test in read_where(self.where))
        if self.form == "incremental" and not partition:
            raise said(InputError, "needs_partition", form=form, which=Option("where", {"partition": "2024-01-01"}))
        if self.form not in ("incremental", "function", "check") and partition:
            raise said(InputError, "takes_no_partition", form=form)
        if self.lookback and self.form != "incremental":
            raise InputError(f"{Option('lookback', self.lookback)} belongs to {Option('form', 'incremental')}.")
        if self.existing and self.form != "ddl":
            raise InputError(f"{Option('existing', list(self.existing))} belongs to {Option('form', 'ddl')}.")
        object.__setattr__(self, "partition", look_back(partition, self.lookback))

    @property
    def _makes_nothing(self) -> bool:
        return self.form in ("query", "check")

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
        """The query for some metrics in its form, as text; refuses columns, values and names that do not fit."""
        shape = FORMS[self.form]
        self._refuse_columns(layout, per_list=per_list)
        tables = planner.with_named_systems(tables, layout)
        latest = [
            planner.literal(condition.column, condition.values[0], layout.recs_types[condition.column])
            for condition in self.partition
            if condition.column == layout.history_until and condition.operator in ("=", "<", "<=")
        ]
        cut = shape.read(tables, layout, self.partition)
        read = planner.with_derived(cut, layout, latest)
        for table in read.values():
            tree.mark_given(table)
        result_table = dialects.table(self._name, self.dialect, is_folded=self.job.fold) if self._name else exp.Table()
        names = self._taken(result_table, read)
        question = planner.Question(
            tuple(metrics),
            layout,
            read,
            tuple(aggregates),
            names,
            passes_off=planner.passes_off(),
            assumed=self.assumed,
        )
        required = required_of(metrics, self.duplicates, layout) | self.assumed
        faults = [fault for fault in checks_of(layout, required) if fault.name not in self.allowed]
        if self.form == "check":  # it tests what is assumed
            unfiltered = {name: table for name, table in tables.items() if cut[name] is not table}
            query = fault_query.check(
                planner.plan(fault_query.check_question(replace(question, assumed=frozenset()), faults)),
                faults,
                fault_query.without_partition(unfiltered, layout, [test.column for test in self.partition]),
            )
        elif self.guarded or self.counts:
            guards = faults if self.guarded else []
            query = _extended_query(question, self.counts, guards, self.dialect, per_list=per_list)
        else:
            planned = planner.plan(question)
            query = planned.per_list_query() if per_list else planned.summary_query()
        assert isinstance(query.select, exp.Select)
        if not self._makes_nothing or self.is_model:
            query.select.set("order", None)  # what is made has no order, and some dialects refuse one within it
        head = header(question) + "".join(f"-- {note}\n" for note in self._notes(layout))
        if self.form == "check":
            return head + _filled_in([query.select]) + planner.write(query, self.dialect, self.job)
        job = replace(self.job, kept=frozenset(layout.lists))
        target = Target(
            result_table,
            self.dialect,
            [test.test(tree.column(test.column), layout.recs_types[test.column]) for test in self.partition],
            list(dict.fromkeys([*layout.partitions, *(test.column for test in self.partition)])),
            result_columns(question, per_list=per_list),
            self.existing,
            self._arguments(layout, read),
            job,
        )
        script = shape.write(query.select, target)
        for part in (*script.before, *script.after):
            if isinstance(part, exp.Expr):
                dialects.rewrite(part, self.dialect)
        statement = planner.rewritten(replace(query, select=script.statement), self.dialect, job)
        if self.form == "function" and target.known.function.body is None:  # its body is a text
            body = dialects.rewritten_text(statement.expression.copy(), self.dialect)
            statement.set("expression", exp.RawString(this=body) if "$$" in body else exp.Heredoc(this=f"\n{body}\n"))
        script = replace(script, statement=statement)
        parts = with_tables_of_steps(script, target) if self.form == "script" else script.parts
        texts = [part if isinstance(part, str) else dialects.rewritten_text(part, self.dialect) for part in parts]
        notes = "".join(f"-- {note}\n" for note in script.notes) + _filled_in(parts)
        return "".join([head, notes, ";\n\n".join(texts), ";" if len(texts) > 1 else ""])

    def _arguments(self, layout: Layout, read: Tables) -> dict[str, exp.DType]:
        """The names of inputs that a macro gets, or the parameters of a function, which need names."""
        if self.form != "function":
            return {node.name: exp.DType.TEXT for table in read.values() for node in tree.find(table, exp.Placeholder)}
        types = {name: layout.recs_types[test.column] for test in self.partition for name in _parameters(test.values)}
        if refused := [name for name in types if not name.startswith((":", "{{"))]:
            remedy = Option("where", "day = :day")
            raise InputError(f"The arguments of a function have names, and {refused[0]!r} is not one: {remedy}.")
        return {name: TYPES.get(known.family, exp.DType.TEXT) for name, known in types.items() if name[0] == ":"}

    def _notes(self, layout: Layout) -> Iterator[str]:
        """Notes on the rows that the partition leaves out, and on days in columns of unknown types."""
        columns = list(dict.fromkeys(test.column for test in self.partition))
        if columns and "not-null" not in self.assumed:
            yield f"Rows without {' or '.join(columns)} are in no partition: the check of a partition counts them."
        of_days = [test.column for test in self.partition if any(map(_is_day, test.values))]
        for column in dict.fromkeys(name for name in of_days if layout.recs_types[name].name == ""):
            zones = "a TIMESTAMP WITH TIME ZONE depends on the time zone of the session"
            yield f"{column} is compared with dates: {zones}, so cast it to a date in a stated zone first."

    def _taken(self, target: exp.Table, read: Tables) -> frozenset[str]:
        """The names, in lower case, of the tables that the statement makes and reads: no step may have one of them."""
        tables = {table: name for name, source in read.items() for table in tree.find(source, exp.Table) if table.name}
        for table, name in tables.items():
            if table.sql().lower() == target.sql().lower():
                naming = Option("name", "db.leaderboard")
                raise said(InputError, "makes_an_input", name=self._name, table=CALLED[name], naming=naming)
        return frozenset(table.name.lower() for table in (*tables, target) if table.name)

    def _refuse_columns(self, layout: Layout, *, per_list: bool) -> None:
        """Refuse counts that the rows cannot have, and a partition whose rows a second run could not replace."""
        counts = Option("counts", list(self.counts))
        if self.counts and per_list:
            raise InputError(f"{counts} counts lists, and {Option('per_list', True)} returns one row for each of them.")
        if "tied" in self.counts and (layout.recs.rank is not None or layout.recs.score is None):
            raise ColumnError(f"{counts} counts lists with equal scores, but these lists are ordered by their ranks.")
        if layout.over and (per_list or self.form in ("incremental", "ddl") or self.counts):
            raise said(InputError, "over_rows", option=Option("over", layout.over))
        if layout.totals and (self.form in ("incremental", "ddl") or "tied" in self.counts):
            what = "counts tied lists" if "tied" in self.counts else f"form {self.form!r} writes rows of a partition"
            raise InputError(f"A {what}, and totals are not: leave out {Option('rollup')}.")
        for name in dict.fromkeys(condition.column for condition in self.partition):
            if name not in layout.lists:
                near = did_you_mean(name, layout.lists)
                naming = near or f" If the recommendations have this column, name it: {Option('lists', [name])}."
                raise refused("no_partition_column", name=name, lists=[*layout.lists], naming=naming)
            if self.form == "check":  # it returns no rows of the partition
                continue
            if name not in layout.by:
                if not per_list:
                    raise refused("partition_not_kept", name=name)
                if name in layout.truth_lists:
                    raise refused("partition_of_truth", name=name)
            if name in layout.truth_lists and name not in layout.partitions:
                raise refused("partition_by_owner", name=name)


# --- columns of counts, and a guard -----------------------------------------------------------------------------------


def _extended_query(
    question: planner.Question, counts: Sequence[str], faults: Sequence[Check], dialect: str, *, per_list: bool
) -> planner.Query:
    """The query for the summary, or for one row per list, with columns of counts such as `missing` and with a guard.

    SELECT "algorithm", "ndcg@10" FROM summary
    →  SELECT "algorithm", "ndcg@10", lists_tied AS "n_tied" FROM summary LEFT JOIN list_ties_diagnostics ON …
    WHERE (SELECT is_sound FROM guard) = 1

    The query raises an error for each of the faults; without faults, it has no guard.
    """
    raise_error = dialects.known(dialect).raise_error
    names = fault_query.counts_read(faults) | ({TIED} if "tied" in counts else set())
    of_metrics = tuple(count for count in counts if count != "tied")
    diagnostics = planner.Diagnostics(names=names, beside_metrics=True) if names else None
    extended = replace(question, counts=bool(of_metrics), count_kinds=of_metrics, diagnostics=diagnostics)
    plan = planner.plan(extended)
    if per_list:
        question.refuse_no_lists()
        labels = [metric.label for metric in question.of_lists]
        ctes, headings = plan.per_list_ctes(labels), [*question.layout.lists, *labels]
        columns = map(tree.column, [*question.inside("list_id"), *labels])
        select = exp.select(*columns).from_(tree.table(ctes[-1].name))
    else:
        ctes, select, headings = _summary(plan, counts)
    if faults and raise_error:  # the guard is computed before a row is returned
        guard = fault_query.guard_ctes(plan, faults, raise_error)
        is_sound = exp.select(tree.column(fault_query.IS_SOUND, guard[-1].name)).from_(tree.table(guard[-1].name))
        ctes, select = [*guard, *ctes], select.where(exp.Subquery(this=is_sound).eq(1))
    return plan.assembled(ctes, headed(select, headings))


def _summary(plan: planner.Plan, counts: Sequence[str]) -> tuple[list[planner.Cte], exp.Select, list[str]]:
    """The steps of the summary with columns of counts, the SELECT that reads them, and the names of its columns."""
    ctes, select = plan.summary_parts()
    question = plan.question
    last = planner.Cte(question.cte("summary"), select, "one row per system")
    by = question.inside("by_id")
    others = [output for output in tree.outputs(select)[len(by) :] if output not in plan.formulas.counts]
    ties: list[planner.Cte] = []  # the steps of the counts of lists with equal scores
    count_columns: dict[str, exp.Expr] = {}
    for count in counts:
        if count == "tied":
            stage, stage_counts = next(item for item in plan.counted.items() if TIED in item[1])
            name = question.cte(f"{stage.name}_diagnostics")
            ties = [*plan.ctes_of(stage), counts_cte(name, plan.step_of(stage), by, {TIED: stage_counts[TIED]})]
            count_columns["n_tied"] = exp.Coalesce(this=tree.column(TIED, name), expressions=[tree.literal(0)])
        elif count == "missing":
            count_columns["n_missing"] = tree.column(MISSING, last.name)
        else:
            for metric in question.of_lists:
                column = tree.column(f"{UNDEFINED}{metric.label}", last.name)
                count_columns[f"n_undefined_{metric.label}"] = column
    columns = [tree.column(column, last.name) for column in (*by, *others)]
    outer = exp.select(*columns, *count_columns.values()).from_(tree.table(last.name))
    if ties:
        pairs = [(tree.column(column, last.name), tree.column(column, ties[-1].name)) for column in by]
        outer.append("joins", left_join(ties[-1].name, pairs))
    reserved = [*question.layout.by, *question.headings(())]
    headings = [*reserved, *(free_name(name, reserved) for name in count_columns)]
    return [*ctes, *ties, last], plan.in_order(outer), headings


# --- the comment at the head ------------------------------------------------------------------------------------------

# The characters that end a line in some database: in a name, they would end the comment.
LINE_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def header(question: planner.Question) -> str:
    """The comment: which release wrote the text, over which tables, and what each metric is; without semicolons."""
    return "".join(f"-- {without_semicolons(LINE_BREAKS.sub(' ', line))}\n" for line in _lines(question))


def without_header(text: str) -> str:
    r"""A text without the comment at its head."""
    return "".join(dropwhile(lambda line: line.startswith("--"), text.splitlines(keepends=True)))


def _lines(question: planner.Question) -> Iterator[str]:
    layout = question.layout
    tables = {name: table for name, table in question.tables.items() if name in CALLED}
    read = ", ".join(f"{CALLED[name]} {_called(table)}" for name, table in tables.items())
    yield f"Written by rankmetrics {rankmetrics.__version__} for {read}; a list for each {', '.join(layout.lists)}."
    if question.assumed:
        yield f"Right only where {', and '.join(ASSUMPTIONS[assumption] for assumption in sorted(question.assumed))}."
    labels: dict[str, list[str]] = {}
    for metric in question.metrics:
        labels.setdefault(metric.definition.summary, []).append(metric.label)
    for summary, labels_of_metric in labels.items():
        yield f"{', '.join(labels_of_metric)}: {summary}"


def _called(table: exp.Expr) -> str:
    tables = [part for part in tree.find(table, exp.Table) if isinstance(part.this, (exp.Identifier, exp.Var))]
    return " and ".join(dict.fromkeys(".".join(part.name for part in table.parts) for table in tables)) or "given"
