"""Joins a step once where a query would join it twice by its key.

`FROM relevant_counts AS lists LEFT JOIN relevant_counts ON lists.user = relevant_counts.user` becomes `FROM
relevant_counts`: a step that groups by `user` has one row per user, so the second join finds the row that is there.
"""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.planner.passes.base import QueryPass
from rankmetrics.planner.query import Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import conjuncts, equal_columns, joins, sources_with_rows


def join_once(query: Query) -> None:
    """Leave out joins, in place, of a step that the SELECT reads already, row for row."""
    steps = {node.alias: node.this for node in tree.skeleton(query.select) if isinstance(node, exp.CTE)}
    for select in [node for node in tree.skeleton(query.select) if isinstance(node, exp.Select)]:
        for join in list(joins(select)):
            source = _source_of_same_row(select, join, steps)
            if source is not None:
                _read_from(select, join, source)


def _source_of_same_row(select: exp.Select, join: exp.Join, steps: dict[str, exp.Query]) -> exp.Table | None:
    """The table of a SELECT whose row is the row that a join finds."""
    step = steps.get(join.this.name) if isinstance(join.this, exp.Table) else None
    on = join.args.get("on")
    if step is None or on is None or join.side not in ("", "LEFT"):
        return None
    pairs = equal_columns(on)
    others = [one for one in joins(select) if one is not join and not one.side]
    same = [*pairs, *(pair for other in others for pair in equal_columns(other.args.get("on")))]
    own = join.this.alias_or_name
    keys = {column.name for pair in pairs for column in pair if column.table == own}
    if not len(conjuncts(on)) == len(pairs) == len(keys) or keys != _key(step):
        return None
    for source in sources_with_rows(select):
        if not isinstance(source, exp.Table) or source is join.this or source.name != join.this.name:
            continue
        if all(_are_equal((source.alias_or_name, key), (own, key), same) for key in keys):
            return source
    return None


def _key(step: exp.Query) -> set[str] | None:
    """The columns of a step of which no two rows have the same values; None where that is not known."""
    group = tree.groups(step)
    if group is None or joins(step):
        return None
    named = {expression.unalias(): expression.alias_or_name for expression in step.expressions}
    keys = group.expressions
    return {named[key] for key in keys} if all(key in named for key in keys) else None


def _are_equal(first: tuple[str, str], second: tuple[str, str], pairs: list[tuple[exp.Column, exp.Column]]) -> bool:
    """Whether two columns, each a table and a name, are equal by way of pairs of equal columns."""
    found, waiting = {second}, [second]
    while waiting:
        one = waiting.pop()
        for left, right in pairs:
            ends = [(left.table, left.name), (right.table, right.name)]
            if one in ends:
                waiting += [other for other in ends if other not in found]
                found.update(ends)
    return first in found


def _read_from(select: exp.Select, join: exp.Join, source: exp.Table) -> None:
    """Read from a table what was read from a join, and leave the join out."""
    old, kept = join.this.alias_or_name, source.alias_or_name
    others = [one for one in joins(select) if one is not join]
    select.set("joins", others or None)
    name = source.name if source.name not in [other.this.alias_or_name for other in others] else kept
    if name != kept:
        source.set("alias", None)
    for column in tree.find(select, exp.Column):
        if column.table in (old, kept):
            column.set("table", exp.to_identifier(name, quoted=True))


PASS = QueryPass(
    "join_once",
    gain="a join less; on Trino, BigQuery, ClickHouse and SQL Server, which compute a step for each reader, a read of "
    "the truth less",
    change=join_once,
)
