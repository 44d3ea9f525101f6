"""Merges a step that only picks rows and columns into the step that reads it.

`WITH recommended AS (SELECT user, item FROM recs WHERE rank <= 10) ... FROM recommended JOIN relevant ON ...` becomes
`... FROM recs JOIN relevant ON ... WHERE recs.rank <= 10`. A step that joins others is merged where its reader reads
nothing before it. Two steps stay apart if the reader would have to compute a value of the first more than once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from rankmetrics.planner.passes.base import Pass
from rankmetrics.planner.query import Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import call, conjuncts, joins, sources

# The tables by which steps are read, by the names of the steps.
Readers = dict[str, list[exp.Table]]


def merge_steps(query: Query) -> None:
    """Merge steps into their readers, in place, first steps first."""
    holders = [node for node in tree.skeleton(query.select) if node.args.get("with_")]
    for holder in holders or tree.outermost(query.select):
        steps: exp.With = holder.args.get("with_") or exp.With(expressions=[])
        holder.set("with_", None)  # columns of the last SELECT are then all in its own scope
        for select in [*(step.this for step in steps.expressions), holder]:
            _read_filtered_inputs(select)
        readers: Readers = {}
        for select in [*(step.this for step in steps.expressions), holder]:
            for table in _steps_read(select):
                readers.setdefault(table.name, []).append(table)
        for step in list(steps.expressions):
            if _merged(step, readers):
                step.pop()
        if steps.expressions:
            holder.set("with_", steps)


def _read_filtered_inputs(select: exp.Expr) -> None:
    """`FROM (SELECT * FROM recs WHERE day = 3) AS recs` → `FROM recs WHERE day = 3`, in place; not after LEFT JOIN."""
    if not isinstance(select, exp.Select):
        return
    for holder in [select.args["from_"], *joins(select)]:
        inner = holder.this.this if isinstance(holder.this, exp.Subquery) else None
        if isinstance(inner, exp.Select) and _only_filters(inner) and not holder.args.get("side"):
            name, source = holder.this.alias, inner.args["from_"].this.copy()
            if source.name != name:
                call(source, name)
            conditions = conjuncts(tree.condition(inner))
            if len(sources(select)) > 1:
                for column in [column for test in conditions for column in tree.find(test, exp.Column)]:
                    column.set("table", exp.to_identifier(name, quoted=True))
            holder.set("this", source)
            _set_conditions(select, [*conditions, *conjuncts(tree.condition(select))])


def _only_filters(select: exp.Select) -> bool:
    """True if a SELECT is `SELECT * FROM table WHERE ...`, and nothing that it compares is called by its table."""
    source, where = select.args["from_"].this, tree.condition(select)
    if where is None or not isinstance(source, exp.Table):
        return False
    names = {part: name for part in ("this", "db", "catalog") if (name := source.args.get(part))}
    bare = exp.Table(**{part: name.copy() for part, name in names.items()})
    is_clear = not tree.find(where, exp.Query) and not any(column.table for column in tree.find(where, exp.Column))
    return is_clear and select == exp.select("*").from_(bare).where(where)


def _steps_read(select: exp.Expr) -> list[exp.Table]:
    return [table for table in tree.find(select, exp.Table) if tree.is_step(table)]


def _merged(step: exp.CTE, readers: Readers) -> bool:
    """True if a step was merged into all of its readers."""
    child, tables = step.this, readers.get(step.alias, [])
    if step.args.get("materialized") or not isinstance(child, exp.Select) or not tree.only_picks(child):
        return False
    if not tables or (len(tables) > 1 and not _is_cheap_to_repeat(child)):
        return False
    if not all(isinstance(table.parent, (exp.From, exp.Join)) for table in tables):
        return False
    merges = [_Merge(reader, table, child) for table in tables if isinstance(reader := table.parent_select, exp.Select)]
    if len(merges) < len(tables) or not all(merge.is_possible for merge in merges):
        return False
    for read in _steps_read(child):
        readers[read.name] = [table for table in readers[read.name] if table is not read]
    *others, last = merges
    for merge in (*(replace(other, child=child.copy()) for other in others), last):  # the step is not needed any more
        for read in _steps_read(merge.child):
            readers[read.name].append(read)
        merge.apply()
    return True


def _is_cheap_to_repeat(select: exp.Select) -> bool:
    """True if several readers may each read what a SELECT reads: an input, or a step as it is."""
    source, *others = sources(select)
    if others or not isinstance(source, exp.Table):
        return False
    return not tree.is_step(source) or not select.args.get("where")


@dataclass(frozen=True)
class _Merge:
    """A reader, the table by which it reads a step, and the SELECT of the step."""

    reader: exp.Select
    table: exp.Table
    child: exp.Select

    @property
    def is_possible(self) -> bool:
        """True if the reader can read what the step reads: it then returns the same."""
        return self._fits_the_join and len(self._shared_names) <= 1 and self._computes_once and self._is_unambiguous

    @property
    def _fits_the_join(self) -> bool:
        join = self.table.parent
        if not isinstance(join, exp.Join):
            return True
        if joins(self.child) or not join.side:
            return not joins(self.child)
        # next to rows without a partner, a condition would drop rows, and an expression would have a value
        return not self.child.args.get("where") and all(
            isinstance(value, exp.Column) for value in self._values.values()
        )

    @property
    def _shared_names(self) -> list[exp.Expr]:
        """The tables of the step that are called as other tables of the reader are."""
        mine = {source.alias_or_name for source in sources(self.reader) if source is not self.table}
        return [source for source in sources(self.child) if source.alias_or_name in mine]

    @property
    def _computes_once(self) -> bool:
        read = [column.name for column in self._columns]
        return all(_is_cheap(value) or read.count(name) <= 1 for name, value in self._values.items())

    @property
    def _is_unambiguous(self) -> bool:
        """True if it is clear of each column of the reader which table it belongs to."""
        if any(isinstance(expression, exp.Star) for expression in self.reader.expressions):
            return False
        return all(
            len(sources(select)) == 1 or all(column.table for column in _own_columns(select))
            for select in (self.reader, self.child)
        )

    @property
    def _values(self) -> Mapping[str, exp.Expr]:
        """The expressions that the step returns, by the names of its columns."""
        return {expression.alias_or_name: expression.unalias() for expression in self.child.expressions}

    @property
    def _columns(self) -> list[exp.Column]:
        """The columns of the step, where the reader reads them."""
        return [column for column in _own_columns(self.reader) if column.table in ("", self.table.alias_or_name)]

    def apply(self) -> None:
        """Let the reader read what the step reads; the SELECT of the step is used up."""
        if len(sources(self.reader)) + len(sources(self.child)) > 2:
            _qualify(self.child)
        for source in self._shared_names:
            _rename(self.child, source, self.table.alias_or_name)
        values = self._values
        for column in self._columns:
            _put(column, values[column.name].copy())
        holder = self.table.parent
        assert holder is not None
        holder.set("this", self.child.args["from_"].this)
        if isinstance(holder, exp.From):
            self.reader.set("joins", [*joins(self.child), *joins(self.reader)])
        _set_conditions(self.reader, [*conjuncts(tree.condition(self.child)), *conjuncts(tree.condition(self.reader))])


def _own_columns(select: exp.Select) -> list[exp.Column]:
    """The columns that a SELECT itself reads: those of its sources, and of queries within it, belong to these."""
    tests = [join.args.get("on") for join in joins(select)]
    clauses = [select.args.get(clause) for clause in ("where", "group", "having", "order")]
    parts = [*select.expressions, *(clause for clause in (*tests, *clauses) if clause is not None)]
    return [column for part in parts for column in tree.find(part, exp.Column) if column.parent_select is select]


def _is_cheap(value: exp.Expr) -> bool:
    """True if a value may be computed several times: a column, a number, one of them cast, or plus a number."""
    while isinstance(value, (exp.Cast, exp.Paren)) or (isinstance(value, exp.Add) and tree.is_number(value.expression)):
        value = value.this
    return isinstance(value, (exp.Column, exp.Literal, exp.Null))


def _qualify(select: exp.Select) -> None:
    """Say of each column of a SELECT over one table which table it belongs to."""
    (source, *_) = sources(select)
    for column in _own_columns(select):
        if not column.table:
            column.set("table", exp.to_identifier(source.alias_or_name, quoted=True))


def _rename(select: exp.Select, source: exp.Expr, name: str) -> None:
    """Call a table of a SELECT otherwise."""
    old = source.alias_or_name
    call(source, name)
    for column in _own_columns(select):
        if column.table == old:
            column.set("table", exp.to_identifier(name, quoted=True))


def _put(column: exp.Column, value: exp.Expr) -> None:
    """Put a value in place of a column, in brackets where it needs them, under the name that the column had."""
    parent = column.parent
    if isinstance(value, (exp.Binary, exp.Unary)) and isinstance(parent, (exp.Binary, exp.Unary, exp.Between)):
        value = exp.Paren(this=value)
    is_returned = isinstance(parent, exp.Select) and column.arg_key == "expressions"
    if is_returned and not (isinstance(value, exp.Column) and value.name == column.name):
        value = tree.named(value, column.name)
    column.replace(value)


def _set_conditions(select: exp.Select, conditions: list[exp.Expr]) -> None:
    """Let these conditions, each once, hold of the rows of a SELECT."""
    distinct = list(dict.fromkeys(conditions))
    select.set("where", exp.Where(this=exp.and_(*distinct, copy=False)) if distinct else None)


PASS = Pass(
    "merge_steps", gain="no time; nDCG@10 in 7 steps and 49 lines, in the place of 17 and 98", change=merge_steps
)
