"""Rewrites of clauses: VALUES, WITH, hints for joins, settings, collations."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.sqltree import tree


def replace_values(query: exp.Expr) -> None:
    """`(VALUES (1), (2)) AS cutoffs(k)` → `(SELECT 1 AS k UNION ALL SELECT 2 AS k) AS cutoffs`.

    In Redshift VALUES is no table; in MySQL and SQLite its columns cannot be named.
    """
    for node in tree.find(query, exp.Values):
        named = node.args["alias"]
        rows = [zip(row.expressions, named.columns, strict=True) for row in node.expressions]
        arms = [exp.select(*[tree.named(one.copy(), name.name) for one, name in row]) for row in rows]
        union = exp.union(*arms, distinct=False, copy=False) if len(arms) > 1 else arms[0]
        node.replace(exp.Subquery(this=union, alias=exp.TableAlias(this=named.this.copy())))


def drop_materialized(query: exp.Expr) -> None:
    """`WITH hits AS MATERIALIZED (...)` → `WITH hits AS (...)`, and NOT MATERIALIZED likewise.

    Only DuckDB and SQLite get this keyword: most databases do not have it, and sqlglot would write it anyway.
    """
    for cte in tree.find(query, exp.CTE):
        cte.set("materialized", None)


def keep_joined_groups(query: exp.Expr) -> None:
    """`WITH hits_per_list AS (... GROUP BY user)` → `... AS MATERIALIZED (...)`, for groups that are joined.

    PostgreSQL expects far fewer groups than there are, and then compares every list of a system with every other. Of a
    step that it keeps, it knows the number of rows.
    """
    joined = {join.this.name for join in tree.find(query, exp.Join) if isinstance(join.this, exp.Table)}
    for cte in tree.find(query, exp.CTE):
        if cte.alias in joined and tree.groups(cte.this):
            cte.set("materialized", True)


def nest_steps(query: exp.Expr, *, most: int) -> None:
    """`WITH a AS (...), b AS (... a ...)` → `WITH b AS (WITH a AS (...) ... a ...)`, until a WITH has few enough steps.

    MariaDB takes 64 steps in one WITH. A step moves into the only other step that reads it, the first steps first.
    """
    steps = {step.alias: step for step in tree.find(query, exp.CTE)}
    over = len(steps) - most
    if over <= 0:
        return
    readers: dict[str, set[str]] = {name: set() for name in steps}
    for table in tree.find(query, exp.Table):
        if table.name in steps:
            within = table.find_ancestor(exp.CTE)
            readers[table.name].add(within.alias if within else "")
    alone = [(name, *by) for name, by in readers.items() if len(by) == 1 and "" not in by]
    for name, reader in alone[:over]:
        step = steps[name].pop()
        steps[reader].this.with_(step.args["alias"], as_=step.this, copy=False)


def broadcast_cross_joins(query: exp.Expr) -> None:
    """`SELECT ... FROM lists CROSS JOIN cutoffs` → `SELECT /*+ BROADCAST(cutoffs) */ ...`.

    Spark and Databricks cannot know that the table crossed with every list has only a few rows.
    """
    for select in tree.find(query, exp.Select):
        crossed = [one.this for one in select.args.get("joins") or [] if one.kind == "CROSS"]
        tables = [exp.to_identifier(one.alias_or_name, quoted=True) for one in crossed if isinstance(one, exp.Table)]
        if tables:
            hint = exp.Anonymous(this="BROADCAST", expressions=tables)
            select.set("hint", exp.Hint(expressions=[hint]))


def add_settings(query: exp.Expr, **values: int | str) -> None:
    """`SELECT ...` → `SELECT ... SETTINGS join_use_nulls = 1, ...`.

    Under ClickHouse's defaults, the missing side of a LEFT JOIN holds 0 where other databases have NULL, and a join of
    two Distributed tables is refused.
    """
    inner = query if isinstance(query, exp.Select) else query.find(exp.Select)
    if inner is None:
        return  # a statement without a query: DELETE, DROP
    settings = {
        name: exp.Literal.string(value) if isinstance(value, str) else tree.literal(value)
        for name, value in values.items()
    }
    inner.set("settings", [exp.EQ(this=exp.var(name), expression=value) for name, value in settings.items()])


def collate_text(query: exp.Expr, *, collation: str, charset: str = "") -> None:
    """`item` → `item COLLATE "C"`, for columns that are known to hold text.

    The default collation of MySQL, PostgreSQL or SQL Server may take two texts for one, or order them by a language.
    """
    for node in tree.find(query, exp.Column, exp.Cast):
        if node.is_type(exp.DType.TEXT):
            if isinstance(node, exp.Cast) and node.this.is_type(exp.DType.TEXT):
                node.replace(node.this)  # text as it is: a cast may lose letters, or the collation
                continue
            text: exp.Expr = node.copy()
            if charset:
                kind = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.var(charset))
                text = exp.Cast(this=text, to=kind)
            under = exp.to_identifier(collation, quoted=collation == "C")
            new: exp.Expr = exp.Collate(this=text, expression=under)
            is_returned = isinstance(node.parent, exp.Select) and node.arg_key == "expressions"
            node.replace(tree.named(new, node.name) if is_returned else new)
