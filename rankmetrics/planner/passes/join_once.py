"""Joins a step once where a query would join it twice by its key.

`FROM relevant_counts AS lists LEFT JOIN relevant_counts ON lists.user = relevant_counts.user` becomes `FROM
relevant_counts`: a step that groups by `user` has one row per user, so the second join finds the row that is there.
"""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.planner.passes.base import Pass
from rankmetrics.planner.query import Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import conjuncts, equal_columns, joins, sources_with_rows


def join_once(query: Query) -> None:
    """Leave out joins, in place, of a step that the SELECT reads already, row for row."""
    steps = {node.alias: node.this for node in tree.skeleton(query.select) if isinstance(node, exp.CTE)}
    for select in [node for node in tree.skeleton(query.select) if isinstance(node, exp.Select)]:
        for join in list(joins(select)):
            for source in sources_with_rows(select):
                is_same = source.name == join.this.name in steps and _finds_the_row_of(source, join, select)
                if is_same and {key.name for key in _keys(join)} == _grouped(steps[source.name]):
                    _read_from(select, join, source)
                    break


def _finds_the_row_of(source: exp.Expr, join: exp.Join, select: exp.Select) -> bool:
    """True if the row of a join has the keys of the row of a table: both are equal, or equal to the same column."""
    pairs = equal_columns(join.args.get("on"))
    inner = [other for other in joins(select) if other is not join and not other.side]
    equal = [{*pair} for other in inner for pair in equal_columns(other.args.get("on"))]
    if source is join.this or len(pairs) < len(conjuncts(join.args.get("on"))):
        return False
    for pair, key in zip(pairs, _keys(join), strict=True):
        mine = exp.column(key.name, source.alias_or_name, quoted=True)
        if mine not in pair and not any(mine in other and {*pair} & other for other in equal):
            return False
    return True


def _keys(join: exp.Join) -> list[exp.Column]:
    """The columns of its table by which a join compares."""
    own = join.this.alias_or_name
    return [left if left.table == own else right for left, right in equal_columns(join.args.get("on"))]


def _grouped(step: exp.Query) -> set[str] | None:
    """The columns that a step groups by and returns; None where no two rows need differ in them."""
    group = tree.groups(step)
    if group is None or joins(step):
        return None
    named = {expression.unalias(): expression.alias_or_name for expression in step.expressions}
    return {named.get(key, "") for key in group.expressions}


def _read_from(select: exp.Select, join: exp.Join, source: exp.Expr) -> None:
    """Read from a table what was read from a join, and leave the join out."""
    old, kept = join.this.alias_or_name, source.alias_or_name
    others = [other for other in joins(select) if other is not join]
    select.set("joins", others or None)
    name = source.name if source.name not in [other.this.alias_or_name for other in others] else kept
    if name != kept:
        source.set("alias", None)
    for column in tree.find(select, exp.Column):
        if column.table in (old, kept):
            column.set("table", exp.to_identifier(name, quoted=True))


PASS = Pass(
    "join_once",
    gain="a join less; on Trino, BigQuery, ClickHouse and SQL Server, which compute a step for each reader, a read of "
    "the truth less",
    change=join_once,
)
