"""Rewrites of names: the names a database takes, how long they may be, and which table or column a name means."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

from sqlglot import exp

from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# --- which names a database takes -------------------------------------------------------------------------------------


def make_names_plain(query: exp.Expr) -> None:
    """`"ndcg@10"` → `ndcg_at_10`, for the query's own columns and steps.

    Athena and BigQuery take letters, digits and underscores only; Databricks refuses other signs in a table's columns.
    """
    _rename(query, plain)


def plain(label: str) -> str:
    """A label as a name that every warehouse takes.

    >>> plain("ndcg(gain=linear)@10"), plain("precision(rel=-1)@5"), plain("_user")
    ('ndcg_gain_linear_at_10', 'precision_rel_minus_1_at_5', '_user')
    """
    if re.fullmatch(r"\w+", label):
        return label
    spelled = label.replace("@", "_at_").replace("=-", "=minus_")
    return re.sub(r"\W+", "_", spelled).replace("__", "_").strip("_")


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


def _rename(query: exp.Expr, new: Callable[[str], str]) -> None:
    """Rename the steps and columns of the query, in place; the user's tables and their columns keep their names.

    Names that differ stay different: a name that is taken gets a number behind it.
    """
    steps = {cte.alias for cte in tree.find(query, exp.CTE)}
    for column in tree.find(query, exp.Column):
        is_returned = isinstance(column.parent, exp.Select) and column.arg_key == "expressions"
        if is_returned and column.meta_get(tree.IS_GIVEN) and new(column.name) != column.name:
            # the steps that read this column read it under its new name
            column.replace(tree.named(column.copy(), column.name))
    ours = []
    for name in tree.find(query, exp.Identifier):
        holder = name.parent
        is_given = isinstance(holder, exp.Column) and holder.meta_get(tree.IS_GIVEN) and name.arg_key == "this"
        is_table = isinstance(holder, exp.Table) and (holder.name not in steps or bool(holder.db))
        if not is_given and not is_table:
            ours.append(name)
    changed = {old: new(old) for old in dict.fromkeys(one.name for one in ours) if new(old) != old}
    taken = {one.name.lower() for one in ours} - {old.lower() for old in changed}
    for old, wanted in changed.items():
        changed[old] = free_name(wanted, taken, "_")
        taken.add(changed[old].lower())
    for one in ours:
        one.set("this", changed.get(one.name, one.name))


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
