"""SQL trees: parse, find, replace columns, expand the ids of lists, split aggregates, quote.

The files of sql/ are DuckDB's SQL with two liberties. `list_id` represents the columns that identify a list,
`truth_id`, `history_id`, `baseline_id`, `candidates_id` and `log_id` for those of them that these inputs share,
`system_id` for those that the truth has not, `by_id` for the columns of the summary, `partition_id` for those of them
that the truth has too (but for the owner of a list, such as the user), `fold_id` for the folds that an input tells
apart: columns that recommendations and truth share besides the owner of a list. Where there is no fold, `fold_id` is
nothing, and a join by it alone is a cross join; so it is with `partition_id`, and with `impression_id`, the column of
the log that tells several impressions of a list apart. A parameter that is optional (`$k`, `$rel`) may be unbound; it
then takes along what it is in: the comparison, or the argument of COALESCE, LEAST or GREATEST.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar, cast

import sqlglot
from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError

from rankmetrics.errors import MetricError

Value = exp.Expr | float | None
Tree = TypeVar("Tree", bound=exp.Expr)

# The mark of a name that is the user's own: no step and no dialect may call it otherwise. It is the only mark of ours
# that leaves this folder; types of columns are SQLGlot's own (`node.is_type`).
IS_GIVEN = "rankmetrics is given"

IDS = tuple(
    f"{name}_id" for name in "list truth system partition history baseline candidates log by fold impression".split()
)

# This id may represent different columns in two tables: a join compares the columns that both tables have.
FOLD = "fold_id"

# The columns of the summary; they may be columns of another id as well.
BY = "by_id"

# The column of the log that tells several impressions of a list apart; nothing where there is none.
IMPRESSION = "impression_id"


def parse(text: str, origin: str) -> exp.Select:
    """One SELECT, as DuckDB reads it."""
    try:
        trees = [tree for tree in sqlglot.parse(text, read="duckdb") if tree is not None]
    except SqlglotError as error:
        raise MetricError(f"{origin} is not valid SQL: {error}") from error
    if len(trees) != 1 or not isinstance(trees[0], exp.Select):
        raise MetricError(f"{origin} must hold one SELECT and nothing else.")
    for node in trees[0].walk():
        node._meta = None  # where each word stood: nobody asks, and every copy would copy it
    return trees[0]


def fill(text: str, dialect: str | type[Dialect] = "duckdb", **parts: exp.Expr) -> exp.Expr:
    """An expression or a query in the SQL of a dialect, with a copy of each part in place of the `:name` of it."""
    tree = _parsed(text, dialect).copy()
    for node in find(tree, exp.Placeholder):
        node.replace(parts[node.name].copy())
    return tree


@cache
def _parsed(text: str, dialect: str | type[Dialect]) -> exp.Expr:
    return sqlglot.parse_one(text, read=dialect)


Node = TypeVar("Node", bound=exp.Expr)


def find(tree: exp.Expr, *kinds: type[Node]) -> list[Node]:
    """The nodes of these kinds, a parent before its children; four times as fast as sqlglot's find_all.

    It does not search columns and identifiers, a third of all nodes, unless the kinds are of what columns hold. All
    nodes are found before the caller changes any, so nodes of a copy that the caller puts into the tree are not found.
    """
    nodes, waiting = [], [tree]
    asks_for_names = issubclass(exp.Identifier, kinds) or issubclass(exp.Star, kinds)
    without_nodes, ends = (_PLAIN, ()) if asks_for_names else (_PLAIN_OR_IDENTIFIER, _ENDS)
    for node in waiting:
        if isinstance(node, kinds):
            nodes.append(node)
        if node.__class__ in ends:
            continue
        for value in node.args.values():
            if value.__class__ in without_nodes:
                continue
            if isinstance(value, list):
                waiting += [child for child in value if isinstance(child, exp.Expr)]
            elif isinstance(value, exp.Expr):
                waiting.append(value)
    return nodes


_PLAIN = frozenset((str, bool, int, type(None)))
_PLAIN_OR_IDENTIFIER = _PLAIN | {exp.Identifier}
_ENDS = frozenset((exp.Column, exp.Literal))  # they hold names, or a star, and nothing else


def skeleton(query: exp.Expr) -> list[exp.Expr]:
    """The nodes of a query but for what its SELECTs compute: SELECTs, CTEs, joins, tables, upper ones first."""
    waiting = [query]
    for node in waiting:
        parts = ("with_", "from_", "joins") if isinstance(node, exp.Select) else node.args
        for value in map(node.args.get, parts):
            if isinstance(value, list):
                waiting += [child for child in value if isinstance(child, exp.Expr)]
            elif value.__class__ not in _PLAIN and isinstance(value, exp.Expr):
                waiting.append(value)
    return waiting


def outermost(query: exp.Expr) -> list[exp.Select]:
    """The last SELECT of a query or statement, which reads the steps; none where a statement has no query."""
    return [node for node in skeleton(query) if isinstance(node, exp.Select)][:1]


def placeholders(tree: exp.Expr) -> set[str]:
    """The parameters that a tree reads."""
    return {node.name for node in find(tree, exp.Placeholder)}


def columns_read(tree: exp.Expr) -> set[str]:
    """The columns that a tree reads, ids left out."""
    return {node.name for node in find(tree, exp.Column)} - set(IDS)


def tables_read(tree: exp.Select) -> list[str]:
    """The tables that a SELECT reads, in order."""
    return [node.name for node in find(tree, exp.Table)]


def outputs(tree: exp.Query) -> list[str]:
    """The names of the columns that a SELECT returns, ids among them."""
    return [node.alias_or_name for node in tree.expressions]


def source(tree: exp.Query) -> exp.Table:
    """The table after FROM."""
    return cast(exp.Table, tree.args["from_"].this)


def condition(tree: exp.Select) -> exp.Expr | None:
    """The condition after WHERE."""
    where = tree.args.get("where")
    return where.this if where else None


def groups(tree: exp.Query) -> exp.Group | None:
    """The expressions after GROUP BY."""
    return tree.args.get("group")


def rows_of(tree: exp.Query) -> tuple[object, ...]:
    """The clauses that decide which rows a SELECT reads: FROM, JOIN and WHERE."""
    return tree.args.get("from_"), tuple(tree.args.get("joins") or ()), tree.args.get("where")


# --- parameters -----------------------------------------------------------------------------------------------------


def literal(value: float) -> exp.Expr:
    """A number as a typed literal: whole numbers as they are, others as DOUBLE, since `0.5` is a decimal in SQL."""
    if isinstance(value, int):
        return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))
    sign = exp.Literal.number(repr(abs(value)))
    return exp.cast(sign if value >= 0 else exp.Neg(this=sign), exp.DType.DOUBLE)


def put(tree: exp.Expr, node: exp.Expr, replacement: exp.Expr) -> exp.Expr:
    """Replace a node, which may be the root or contain the replacement; returns the tree."""
    if replacement.parent is not None:
        replacement.pop()
    if node is tree:
        return replacement
    node.replace(replacement)
    return tree


def is_number(node: exp.Expr) -> bool:
    """True if a node is a number literal."""
    return isinstance(node, exp.Literal) and not node.is_string


def marked(expression: exp.Expr) -> exp.Expr:
    """A copy of an expression in brackets whose columns `replace_columns` leaves as they are."""
    expression = expression.copy()
    for node in find(expression, exp.Column):
        node.meta["resolved"] = True
    return exp.Paren(this=expression)


# --- columns and tables ---------------------------------------------------------------------------------------------


def replace_columns(tree: exp.Expr, replace: Callable[[exp.Column], exp.Expr | None]) -> exp.Expr:
    """The tree with its columns replaced, in place, by the result of a function; None keeps a column."""
    for node in find(tree, exp.Column):
        new = None if node.meta_get("resolved") else replace(node)
        if new is not None:
            tree = put(tree, node, new)
    return tree


def drop_nulls(tree: Tree) -> Tree:
    """The tree, in place, without the NULLs of missing columns: in `NULL = x`, in COALESCE, in ORDER BY."""
    for node in find(tree, exp.EQ, exp.Coalesce, exp.Order):
        if isinstance(node, exp.EQ) and isinstance(node.this, exp.Null):
            tree = cast(Tree, put(tree, node, exp.Null()))
        elif isinstance(node, exp.Order):
            node.set(
                "expressions",
                [expression for expression in node.expressions if not isinstance(expression.this, exp.Null)],
            )
        elif isinstance(node, exp.Coalesce):
            while isinstance(node.this, exp.Null) and node.expressions:
                node.set("this", node.expressions[0])
                node.set("expressions", node.expressions[1:])
            if not node.expressions:
                tree = cast(Tree, put(tree, node, node.this))
    return tree


def column(name: str, table: str | None = None) -> exp.Column:
    """A column, quoted, of a table if one is given."""
    return exp.column(name, table=table, quoted=True)


def given(name: str, table: str | None = None) -> exp.Column:
    """A column of an input: it is called what the user calls it, in every dialect."""
    identifier = column(name, table)
    identifier.meta[IS_GIVEN] = True
    return identifier


def mark_names(node: exp.Expr) -> None:
    """Mark, in place, every name within a node: all of them are the user's."""
    for name in find(node, exp.Identifier):
        name.meta[IS_GIVEN] = True


def mark_given(table: exp.Expr) -> None:
    """Mark, in place, every name within a SELECT that is in place of a table."""
    if isinstance(table, exp.Subquery):
        mark_names(table.this)


def named(expression: exp.Expr, name: str) -> exp.Alias:
    """An expression, itself and no copy, under a name."""
    return exp.Alias(this=expression, alias=exp.to_identifier(name, quoted=True))


def aliased(expression: exp.Expr, name: str) -> exp.Expr:
    """An expression under a name; a column that has that name already stays as it is."""
    if isinstance(expression, exp.Column) and expression.name == name and not expression.table:
        return expression
    return named(expression, name)


def read_by_name(query: exp.Query) -> exp.Query:
    """A query, itself, whose SELECTs read every step under the step's own name; one that is read twice keeps aliases.

    `FROM hits_rel_4 AS hits` says less than `FROM hits_rel_4`, and an alias may be the name of another step.
    """
    for select in find(query, exp.Select):
        sources = [
            relation.this for relation in [select.args.get("from_"), *(select.args.get("joins") or [])] if relation
        ]
        tables = [source for source in sources if isinstance(source, exp.Table)]
        names = [table.name for table in tables]
        steps_by_alias = {
            table.alias: table.name
            for table in tables
            if table.alias and names.count(table.name) == 1 and is_step(table)
        }
        if steps_by_alias:
            for table in tables:
                if table.alias in steps_by_alias:
                    table.set("alias", None)
            for column in find(select, exp.Column):
                if column.table in steps_by_alias:
                    column.set("table", exp.to_identifier(steps_by_alias[column.table], quoted=True))
    return query


def is_step(table: exp.Table) -> bool:
    """True if a table after FROM is a step of the query, and no input."""
    return isinstance(table.this, exp.Identifier) and not table.this.meta_get(IS_GIVEN) and not table.db


def keep_outputs(tree: exp.Select, required: Iterable[str]) -> exp.Select:
    """A copy of a SELECT that returns only the ids and the wanted columns; the first column if there are none."""
    tree = tree.copy()
    columns = {*required, *IDS}
    if not tree.args.get("distinct"):
        nodes = [node for node in tree.expressions if node.alias_or_name in columns]
        others = [node for node in tree.expressions if node.alias_or_name != FOLD]
        if all(node.alias_or_name == FOLD for node in nodes):
            nodes += others[:1]  # where there is no fold, a query that returns nothing else would return nothing
        tree.set("expressions", nodes)
    return tree


def only_picks(tree: exp.Select) -> bool:
    """True if a SELECT returns rows that it reads, one for one: no groups, no windows, no order."""
    is_shaped = any(tree.args.get(clause) for clause in ("group", "distinct", "having", "limit", "order"))
    return not is_shaped and not find(tree, exp.Window, exp.AggFunc)


def only_filters(tree: exp.Select) -> bool:
    """True if a SELECT returns rows that it reads as they are, with some of their columns."""
    is_shaped = tree.args.get("joins") or placeholders(tree)
    return only_picks(tree) and not is_shaped and all(isinstance(node, exp.Column) for node in tree.expressions)


def write_out_series(tree: exp.Select) -> exp.Select:
    """The SELECT with GENERATE_SERIES(1, n) written out, in place, as VALUES, which every engine has."""
    for table in find(tree, exp.Table):
        if isinstance(table.this, exp.GenerateSeries):
            last = int(table.this.args["end"].name)
            named = table.args["alias"]
            places = [exp.Literal.number(place) for place in range(1, last + 1)]
            table.replace(column_of_values(places, named.name, named.columns[0].name)[0])
    return tree


def column_of_values(values: Iterable[exp.Expr], name: str, column_name: str) -> tuple[exp.Values, exp.Column]:
    """A table of one column that holds these values, and the column."""
    alias = exp.TableAlias(this=exp.to_identifier(name), columns=[exp.to_identifier(column_name)])
    rows = [exp.Tuple(expressions=[value]) for value in values]
    return exp.Values(expressions=rows, alias=alias), column(column_name, name)


def least(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """The lesser of two."""
    return exp.Least(this=left, expressions=[right], ignore_nulls=True)


def table(name: str, alias: str | None = None) -> exp.Table:
    """A table, quoted, under another name if one is given."""
    known_as = exp.TableAlias(this=exp.to_identifier(alias, quoted=True)) if alias and alias != name else None
    return exp.Table(this=exp.to_identifier(name, quoted=True), alias=known_as)


def returning(columns: Mapping[str, exp.Expr], by: Sequence[exp.Column] = ()) -> exp.Select:
    """A SELECT of id columns, then of expressions under their names."""
    ids = [aliased(column.copy(), column.name) for column in by]
    return exp.select(*ids, *(named(column, name) for name, column in columns.items()))


def grouped(columns: Mapping[str, exp.Expr], by: Sequence[exp.Column], rows: str) -> exp.Select:
    """Aggregates over the rows of a table, each under its name, behind the columns that the rows are grouped by.

    A window within an aggregate is over the rows of its group, or over its partitions there: a subquery computes it.
    `SUM(x * ROW_NUMBER() OVER (ORDER BY x)) FROM t` → `SUM(x * "window 1") FROM (SELECT x, ROW_NUMBER() ... FROM t)`
    """
    select, source = returning(columns, by), cast(exp.Expr, table(rows))
    if nodes := find(select, exp.Window):
        windows = {window: f"window {place}" for place, window in enumerate(dict.fromkeys(nodes), 1)}
        for window in nodes:
            window.replace(column(windows[window]))
        read = [*by, *dict.fromkeys(node for node in find(select, exp.Column) if not node.name.startswith("window "))]
        for window in windows:
            window.set("partition_by", [node.copy() for node in (*by, *(window.args.get("partition_by") or ()))])
        columns_read = (node.copy() for node in dict.fromkeys(read))  # the nodes themselves stay in the aggregates
        inner = exp.select(*columns_read, *(named(window, name) for window, name in windows.items()))
        source = inner.from_(source, copy=False).subquery("in_order", copy=False)
    select.from_(source, copy=False)
    return select.group_by(*(column.copy() for column in by), copy=False) if by else select


def union_all(selects: Sequence[exp.Query]) -> exp.Query:
    """The rows of each SELECT, one after the other; of a single SELECT, the SELECT itself."""
    return exp.union(*selects, distinct=False, copy=False) if len(selects) > 1 else selects[0]


def quote(tree: exp.Expr) -> None:
    """Quote every identifier of a tree, since `user`, `rank` and `precision` are keywords somewhere."""
    for node in find(tree, exp.Identifier, exp.Alias, exp.Not):
        if isinstance(node, exp.Identifier):
            node.set("quoted", True)
        elif isinstance(node, exp.Alias):
            if isinstance(node.this, exp.Column) and not node.this.table and node.this.name == node.alias:
                node.replace(node.this)
        elif isinstance(node.this, exp.Is) and isinstance(node.this.expression, exp.Null):
            node.replace(exp.Is(this=node.this.this, expression=exp.Not(this=exp.Null())))
