"""Writes a query as a statement of a job: a view, a table, a CTE, the rows of a partition, a macro."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import Dialect, NamesOfJob
from rankmetrics.planner.assemble import with_ctes
from rankmetrics.planner.model import Cte
from rankmetrics.sqltree import tree


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
    """What a statement makes or fills.

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
        texts = [one if isinstance(one, str) else dialects.text(one, dialect) for one in every]
        return "".join([*notes, ";\n\n".join(texts), ";"])


def alone(target: Target, statement: exp.Expr) -> Script:
    """No statement around another."""
    return Script()


# --- queries, views and tables ----------------------------------------------------------------------------------------


def as_query(select: exp.Select, target: Target) -> exp.Expr:
    """The query itself."""
    return select


def as_view(select: exp.Select, target: Target) -> exp.Expr:
    """CREATE VIEW."""
    return exp.Create(this=target.table, kind="VIEW", expression=select, replace=target.known.replaces_views)


def as_table(select: exp.Select, target: Target) -> exp.Expr:
    """CREATE TABLE ... AS; where the dialect cannot replace a table, of a table that stands beside the old one."""
    made = _beside(target.table) if target.known.writes.table == "drop" else target.table
    return create(made, select, target, replace=target.known.writes.table == "or replace")


def without_old_table(target: Target, statement: exp.Expr) -> Script:
    """What puts the new table in the place of the old one, where the dialect cannot replace a table.

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
    everything.add_comments([" put a SELECT of your own in the place of this one"])
    around = exp.select(everything).from_(tree.table(name))
    around.set("with_", steps)
    return with_ctes(around, [Cte(name, select, comment=f"{name}: the result")])


# --- the rows of a partition ------------------------------------------------------------------------------------------


def as_insert(select: exp.Select, target: Target) -> exp.Expr:
    """The statement that adds the rows of a partition, or puts them in the place of old rows where the dialect can."""
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
    """What makes an INSERT repeatable: in most dialects, a DELETE of the partition in the same transaction."""
    writes = target.known.writes
    if writes.partition != "delete":
        return Script(writes.begin, [], [writes.note] if writes.note else [])
    delete = exp.Delete(this=target.table.copy()).where(*(condition.copy() for condition in target.partition))
    after = [writes.commit] if writes.commit else []
    return Script([*writes.begin, delete], after, [writes.note] if writes.note else [])


# --- macros -----------------------------------------------------------------------------------------------------------


def as_macro(select: exp.Select, target: Target) -> exp.Expr:
    """A table macro; its parameters have names that no column has: DuckDB would read such a column as the parameter."""
    taken = {identifier.name.lower() for identifier in tree.find(select, exp.Identifier)}
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
