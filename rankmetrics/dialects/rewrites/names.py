"""Rewrites of names: the names a database takes, how long they may be, and which table or column a name means."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Literal

from sqlglot import exp

from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import call

# --- which names a database takes -------------------------------------------------------------------------------------


def make_names_plain(query: exp.Expr, *, kept: Collection[str] = ()) -> None:
    """`"ndcg@10"` → `ndcg_at_10`, for the query's own columns and steps.

    A text for a job has plain names, so that whoever reads its table needs no quotes. Athena and BigQuery take letters,
    digits and underscores only; Databricks, and Trino's Hive connector, refuse other signs in a table's columns.
    """
    _rename(query, plain, kept)


def plain(label: str) -> str:
    """A label as a name that every warehouse takes without quotes.

    >>> plain("nDCG(gain=linear)@10"), plain("precision(rel=-1)@5"), plain("_user")
    ('ndcg_gain_linear_at_10', 'precision_rel_minus_1_at_5', '_user')
    """
    if re.fullmatch(r"\w+", label):
        return label
    spelled = label.lower().replace("@", "_at_").replace("=-", "=minus_")
    return re.sub(r"\W+", "_", spelled).replace("__", "_").strip("_")


def fold_names(query: exp.Expr, *, to: Literal["lower", "upper"], kept: Collection[str] = ()) -> None:
    """`"ndcg_at_10"` → `"NDCG_AT_10"` for Snowflake; lower case for PostgreSQL and others.

    So `SELECT ndcg_at_10 FROM leaderboard`, without quotes, finds the column.
    """
    _rename(query, lambda name: folded(name, to), kept)


def folded(name: str, to: Literal["lower", "upper"] | None) -> str:
    """A name as a database keeps it that turns names without quotes to a case; a name that needs quotes stays.

    >>> folded("userId", "upper"), folded("user id", "upper"), folded("userId", None)
    ('USERID', 'user id', 'userId')
    """
    if to is None or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*", name):
        return name
    return name.upper() if to == "upper" else name.lower()


def shorten_names(query: exp.Expr, *, longest: int, in_bytes: bool = False) -> None:
    """`"precision(divisor=list)@10"` → `"precision(d_4eb0854f"`, for names longer than the database takes.

    A database that cuts long names by itself takes two labels for one; here, a hash at the end keeps them apart.
    """
    _rename(query, lambda name: shortened(name, longest, in_bytes=in_bytes))


def shortened(name: str, longest: int, *, in_bytes: bool = False) -> str:
    """A name of at most so many characters, or bytes, with a hash at its end where it was longer.

    >>> shortened("precision(divisor=list)@10", 20)
    'precision(d_4eb0854f'
    >>> shortened("ndcg@10", 20)
    'ndcg@10'
    """
    whole = name.encode()
    if (len(whole) if in_bytes else len(name)) <= longest:
        return name
    end = f"_{sha256(whole).hexdigest()[:8]}"
    start = whole[: longest - len(end)].decode(errors="ignore") if in_bytes else name[: longest - len(end)]
    return start + end


def _rename(query: exp.Expr, rename: Callable[[str], str], kept: Collection[str] = ()) -> None:
    """Rename the steps and columns of the query, in place; the user's tables and their columns keep their names.

    Names that differ stay different: a name that is taken gets a number behind it. The `kept` names stay.
    """

    def new(name: str) -> str:
        return name if name in kept else rename(name)

    steps = {cte.alias for cte in tree.find(query, exp.CTE)}
    for column in tree.find(query, exp.Column):
        is_returned = isinstance(column.parent, exp.Select) and column.arg_key == "expressions"
        if is_returned and column.meta_get(tree.IS_GIVEN) and new(column.name) != column.name:
            # the steps that read this column read it under its new name
            column.replace(tree.named(column.copy(), column.name))
    for table in tree.find(query, exp.Table):
        is_read = isinstance(table.parent, (exp.From, exp.Join)) and not table.alias
        if is_read and not _is_step(table, steps) and new(table.name) != table.name:
            # the query reads the columns of the table under its new name
            call(table, table.name)
    ours = []
    for name in tree.find(query, exp.Identifier):
        holder = name.parent
        is_given = isinstance(holder, exp.Column) and holder.meta_get(tree.IS_GIVEN) and name.arg_key == "this"
        is_table = isinstance(holder, exp.Table) and not _is_step(holder, steps)
        is_collation = isinstance(holder, exp.Collate)
        if not is_given and not is_table and not is_collation and not name.meta_get(tree.IS_GIVEN):
            ours.append(name)
    changed = {old: new(old) for old in dict.fromkeys(one.name for one in ours) if new(old) != old}
    taken = {one.name.lower() for one in ours} - {old.lower() for old in changed}
    for old, wanted in changed.items():
        changed[old] = free_name(wanted, taken, "_")
        taken.add(changed[old].lower())
    for one in ours:
        one.set("this", changed.get(one.name, one.name))
    _drop_idle_aliases(query)


def _is_step(table: exp.Table, steps: Collection[str]) -> bool:
    """Whether a table after FROM is a step of the query, and no table of the user's."""
    return table.name in steps and not table.db


def _drop_idle_aliases(query: exp.Expr) -> None:
    """Drop, in place, the aliases that equal the name, as in `"ITEM" AS "ITEM"` once `item` is `"ITEM"`."""
    for node in tree.find(query, exp.Alias, exp.Table):
        if isinstance(node, exp.Table):
            if node.alias == node.name and not node.alias_column_names:
                node.set("alias", None)
        elif isinstance(node.this, exp.Column) and not node.this.table and node.this.name == node.alias:
            node.replace(node.this)


# --- which column or table a name means -------------------------------------------------------------------------------


def qualify_columns_named_as_tables(query: exp.Expr) -> None:
    """`SELECT hits FROM hits` → `SELECT hits.hits FROM hits`.

    BigQuery reads a bare name that is also the table's name as the whole row.
    """
    for select in tree.find(query, exp.Select):
        source = select.args.get("from_")
        if source is not None and not select.args.get("joins"):
            for column in tree.find(select, exp.Column):
                if column.name == source.this.alias_or_name and not column.table and column.parent_select is select:
                    column.set("table", exp.to_identifier(column.name, quoted=True))


def qualify_window_columns(query: exp.Expr) -> None:
    """`SELECT x AS rank, SUM(y) OVER (ORDER BY rank) FROM recs` → `... OVER (ORDER BY recs.rank) ...`.

    MySQL reads a bare name in a window as the new column of the same SELECT.
    """
    for select in tree.find(query, exp.Select):
        source = select.args.get("from_")
        if source is None or select.args.get("joins"):
            continue
        for window in [one for expression in select.expressions for one in tree.find(expression, exp.Window)]:
            for column in tree.find(window, exp.Column):
                if not column.table:
                    column.set("table", exp.to_identifier(source.this.alias_or_name, quoted=True))


def name_qualified_columns(query: exp.Expr) -> None:
    """`SELECT lists.user` → `SELECT lists.user AS user`.

    ClickHouse would call the returned column `lists.user`.
    """
    for select in tree.find(query, exp.Select):
        for node in select.expressions:
            if isinstance(node, exp.Column) and node.table:
                node.replace(tree.named(node.copy(), node.name))
