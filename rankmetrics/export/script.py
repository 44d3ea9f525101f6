"""Writes a query as a script: a table for each step that several steps read, and then the table of the result.

An engine that computes a CTE anew for each of its readers then computes each of these steps once. What is made is

    CREATE TEMPORARY TABLE relevant_counts AS SELECT ...;
    CREATE TABLE leaderboard AS WITH ... SELECT ... FROM relevant_counts ...;
    DROP TABLE relevant_counts;

A database without temporary tables, or which opens a temporary table only once in a query, gets tables that stand
beside that of the result: `leaderboard_relevant_counts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlglot import exp

from rankmetrics.export.writing import Script, Target, create, drop, without_old_table
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import call


def notes_of(target: Target, statement: exp.Expr) -> Script:
    """What a reader of the script should know: the statements themselves stand in its middle."""
    return Script(notes=without_old_table(target, statement).notes)


def statements_of(statement: exp.Expr, target: Target) -> list[str | exp.Expr]:
    """The statements of a script.

    Args:
        statement: the statement that makes the table of the result, as the dialect is given it; used up.
        target: the table of the result, and the dialect.
    """
    (last,) = tree.outermost(statement)
    steps = _steps(last)
    n_readers = Counter(name for one in (*steps.values(), last) for name in _read(one, steps))
    tables = {
        name: _table_of(name, target) for name, select in steps.items() if n_readers[name] > 1 and _reads_rows(select)
    }
    drops = [drop(one) for one in tables.values()]
    is_temporary = target.known.writes.has_temporary_tables
    made = [
        create(table, _with_steps(steps[name], steps, tables), target, is_temporary=is_temporary)
        for name, table in tables.items()
    ]
    last.set("with_", None)
    _with_steps(last, steps, tables)
    settings = last.args.get("settings")
    for value in made:
        value.expression.set("settings", [each.copy() for each in settings] if settings else None)
    around = without_old_table(target, statement)  # the old table stays until all of the steps are there
    return [*drops, *made, *around.before, statement, *around.after, *(one.copy() for one in drops)]


def _steps(last: exp.Select) -> dict[str, exp.Query]:
    """The steps of a query by their names, in reading order."""
    with_ = last.args.get("with_")
    return {cte.alias: cte.this for cte in with_.expressions} if with_ else {}


def _read(select: exp.Expr, steps: dict[str, exp.Query]) -> Iterator[str]:
    """The steps that a SELECT reads, each as often as it reads it."""
    with_ = select.args.get("with_")
    select.set("with_", None)
    yield from (table.name for table in tree.find(select, exp.Table) if table.name in steps and not table.db)
    select.set("with_", with_)


def _reads_rows(select: exp.Query) -> bool:
    """Whether a step reads a table: numbers that are written out are no work."""
    return bool(tree.find(select, exp.Table))


def _with_steps(select: exp.Query, steps: dict[str, exp.Query], tables: dict[str, exp.Table]) -> exp.Query:
    """A SELECT, itself, below the steps that it needs; it reads tables in the place of those that are tables."""
    needed, waiting = set[str](), [*_read(select, steps)]
    while waiting:
        name = waiting.pop()
        if name not in needed and name not in tables:
            needed.add(name)
            waiting += _read(steps[name], steps)
    for name in steps:
        if name in needed:
            _read_tables(steps[name], tables)
            alias = exp.to_identifier(name, quoted=True)
            select = select.with_(alias, as_=steps[name].copy(), copy=False)
    _read_tables(select, tables)
    return select


def _read_tables(select: exp.Query, tables: dict[str, exp.Table]) -> None:
    """Let a SELECT read tables, in place, under the names of the steps."""
    for one in tree.find(select, exp.Table):
        table = tables.get(one.name) if not one.db else None
        if table is not None and table.name != one.name:
            one.replace(call(table.copy(), one.alias_or_name))


def _table_of(step: str, target: Target) -> exp.Table:
    """The table of a step."""
    if target.known.writes.has_temporary_tables:
        return tree.table(step)
    table = target.table.copy()
    table.set("this", exp.to_identifier(f"{target.table.name}_{step}", quoted=True))
    return table
