"""Sorts the rows of an input once, instead of a window per list or a set of items per list: for DuckDB.

DuckDB sorts all rows at half the work of a window, and goes through sorted rows one by one: neither OVER () nor
OVER (ROWS UNBOUNDED PRECEDING) sorts again.

Ranks: `ROW_NUMBER() OVER (PARTITION BY list ORDER BY score)` over an input becomes a number down the whole input,
sorted; `rank` is the number of a row less that of the first row of its list. Where no reader goes beyond rank n, a row
is dropped if the nth row before it is of the same list. The score above a row is that of the row before it.

Repeats: `SELECT list, COUNT(item) - COUNT(DISTINCT item) AS n FROM recs GROUP BY list HAVING COUNT(item) >
COUNT(DISTINCT item)` becomes, where ids are numbers, `SELECT list, COUNT(*) AS n` over those rows of the sorted input
that have the list and the item of the row before. Texts take longer to sort than to count, their hashes do not: where
ids are texts, the query stays as it is, over the rows alone whose hash another row has too.

What does not fit into memory is sorted in parts, each of some lists: DuckDB goes through the arms of a UNION ALL one
after the other, and has hardly more than one part on disk at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlglot import exp

from rankmetrics.planner.passes.base import Pass, over_inputs
from rankmetrics.planner.query import Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import NewNames

# DuckDB looks this number of rows back without holding on to all.
NEAR = 1000

# The columns by which sorted rows are ranked, and their number in the order in which they are sorted.
SCORE, NUMBER = "score_to_rank", "row_number"

# The column that may repeat.
ITEM = "item_in_order"

# Takes a SELECT over an input, the number of a part and how many parts there are; changes the SELECT in place.
Change = Callable[[exp.Select, int, int], None]


def replace_by_parts(select: exp.Select, n_parts: int, change: Change) -> None:
    """Replace a SELECT over an input by one SELECT for each part of the lists, joined by UNION ALL."""
    parts = [select.copy() for _ in range(n_parts)]
    for number, part in enumerate(parts):
        change(part, number, n_parts)
    select.replace(tree.union_all(parts))


def sorted_rows(
    select: exp.Select, lists: list[exp.Expr], within: list[exp.Expr], columns: list[exp.Expr], part: int, n_parts: int
) -> exp.Select:
    """The rows of the input that are of this part, sorted: list after list, each in its own order."""
    order: list[exp.Expr] = [exp.Ordered(this=column.copy(), nulls_first=False) for column in lists]
    order += [item.copy() for item in within]
    source = tree.source(select).copy()
    for column in [column for ordered in order for column in tree.find(ordered, exp.Column)]:
        column.set("table", exp.to_identifier(source.alias_or_name))  # and not what is returned under that name
    rows = exp.select(*columns).from_(source).order_by(*order)
    rows.set("where", select.args.get("where"))
    if n_parts > 1:
        hashed = exp.Anonymous(this="HASH", expressions=[column.copy() for column in lists])
        of_lists = exp.Mod(this=hashed, expression=tree.literal(n_parts))
        rows.where(exp.EQ(this=of_lists, expression=tree.literal(part)), copy=False)
    return rows


def with_row_before(rows: exp.Select, new: NewNames) -> exp.Subquery:
    """Sorted rows, each with the columns of the row before."""
    columns = rows_before(new, tree.outputs(rows), 1)
    return exp.select(exp.Star(), *columns).from_(rows.subquery("sorted")).subquery("beside")


def rows_before(new: NewNames, columns: list[str], rows: int) -> list[exp.Expr]:
    """The columns of the row that stands so many rows before."""
    offset = {"offset": exp.Literal.number(rows)} if rows > 1 else {}
    values = [exp.Window(this=exp.Lag(this=tree.column(column), **offset)) for column in columns]
    return [tree.named(value, new(before(name, rows))) for value, name in zip(values, columns, strict=True)]


def begins(new: NewNames, lists: list[str], rows: int) -> exp.Expr:
    """True if a row belongs to another list than the row so many rows before."""
    pairs = [(tree.column(column), tree.column(new(before(column, rows)))) for column in lists]
    return exp.or_(*(exp.NullSafeNEQ(this=column, expression=other) for column, other in pairs))


def before(column: str, rows: int) -> str:
    """The name of a column of so many rows before."""
    return f"{column}_{rows}_before"


# --- ranks ------------------------------------------------------------------------------------------------------------


def rank_by_sorting(query: Query) -> None:
    """Rank by one sort, in place, wherever an input is ranked by a window."""
    new = NewNames(query.select)
    for select, stage in over_inputs(query):
        ranks = [expression for expression in select.expressions if isinstance(expression.unalias(), exp.Window)]
        if len(ranks) == 1 and {"partition_by", "order"} <= {key for key, value in ranks[0].this.args.items() if value}:
            replace_by_parts(select, stage.n_parts, partial(_rank_by_order, new, stage.within))


def _rank_by_order(new: NewNames, depth: int | None, select: exp.Select, part: int, n_parts: int) -> None:
    """Turn a SELECT that ranks into one that sorts, for one of the parts of the lists."""
    rank = next(expression for expression in select.expressions if isinstance(expression.unalias(), exp.Window))
    window = rank.unalias()
    names = {expression.unalias(): expression.alias_or_name for expression in select.expressions}
    lists = [names[column] for column in window.args["partition_by"]]
    above = [window for window in tree.find(select, exp.Window) if isinstance(window.this, exp.Lag)]
    beside = [
        expression for expression in select.expressions if expression is not rank and tree.find(expression, exp.Window)
    ]
    columns = [
        expression.copy() for expression in select.expressions if expression is not rank and expression not in beside
    ]
    scores: list[exp.Expr] = [above[0].this.this.copy()] if above else []
    columns += [tree.named(score.copy(), new(SCORE)) for score in scores]
    near = depth if depth is not None and depth <= NEAR else None
    by, order = window.args["partition_by"], window.args["order"].expressions
    in_order = sorted_rows(select, by, order, columns, part, n_parts)
    in_order.comments = [" sorted: list after list, each from its first rank down"]
    rows = _numbered(in_order, new, lists, near)
    for score_above in above:
        score_above.replace(exp.Case().when(exp.not_(begins(new, lists, 1)), tree.column(new(before(new(SCORE), 1)))))
    for expression in select.expressions:
        if expression is rank:
            expression.replace(tree.named(_rank(new, lists), rank.alias))
        elif expression in beside:
            for read in [node for node in tree.find(expression, exp.Expr) if node in scores]:
                read.replace(tree.column(new(SCORE)))
        else:
            expression.replace(tree.column(expression.alias_or_name))
    select.set("where", None)
    select.set("from_", exp.From(this=rows))
    tree.quote(select)


def _numbered(rows: exp.Select, new: NewNames, lists: list[str], near: int | None) -> exp.Subquery:
    """Sorted rows with their number and the columns of the row above; of each list the first `near` rows, if given."""
    columns = [tree.column(expression.alias_or_name) for expression in rows.expressions]
    earlier = [column for back in dict.fromkeys((1, near or 1)) for column in rows_before(new, lists, back)]
    earlier += rows_before(new, [new(SCORE)], 1) if new(SCORE) in tree.outputs(rows) else []
    number = tree.named(exp.Window(this=exp.RowNumber()), new(NUMBER))
    numbered = exp.select(*columns, number, *earlier).from_(rows.subquery("sorted")).subquery("numbered")
    return exp.select(exp.Star()).from_(numbered).where(begins(new, lists, near)).subquery("near") if near else numbered


def _rank(new: NewNames, lists: list[str]) -> exp.Expr:
    """The rank of a row: its number minus the number of the first row of its list, plus 1."""
    number = tree.column(new(NUMBER))
    so_far = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    first = exp.Window(this=exp.Max(this=exp.Case().when(begins(new, lists, 1), number.copy())), spec=so_far)
    return exp.Add(this=exp.Sub(this=number, expression=first), expression=exp.Literal.number(1))


# --- repeats ----------------------------------------------------------------------------------------------------------


def repeats_by_sorting(query: Query) -> None:
    """Count repeats by one sort, in place, wherever the repeats of an input are counted."""
    new = NewNames(query.select)
    for select, stage in over_inputs(query):
        last = select.expressions[-1].unalias()
        if select.args.get("having") and isinstance(last, exp.Sub) and isinstance(last.right.this, exp.Distinct):
            ids = [*(expression.unalias() for expression in select.expressions[:-1]), last.this.this]
            if any(column.is_type(exp.DType.TEXT) for column in ids):
                _keep_equal_hashes(new, select, ids)
            else:
                replace_by_parts(select, stage.n_parts, partial(_sort_by_item, new))


def _sort_by_item(new: NewNames, select: exp.Select, part: int, n_parts: int) -> None:
    """Count repeated items of a list, in place, by comparing each sorted row with the row before it."""
    *columns, counted = select.expressions
    counts_items, names = counted.unalias().this, [*(column.alias_or_name for column in columns), new(ITEM)]
    *lists, item = names
    select.where(exp.Not(this=exp.Is(this=counts_items.this.copy(), expression=exp.Null())), copy=False)
    sorted_columns = [*(column.copy() for column in columns), tree.named(counts_items.this.copy(), item)]
    within = exp.Ordered(this=counts_items.this.copy(), nulls_first=False)
    in_order = sorted_rows(select, [column.unalias() for column in columns], [within], sorted_columns, part, n_parts)
    in_order.comments = [" sorted: list after list, repeated items side by side"]
    rows = with_row_before(in_order, new)
    equal = [exp.EQ(this=tree.column(name), expression=tree.column(new(before(name, 1)))) for name in names]
    select.set("expressions", [*map(tree.column, lists), tree.named(exp.Count(this=exp.Star()), counted.alias)])
    select.set("from_", exp.From(this=rows))
    select.set("where", exp.Where(this=exp.and_(*equal)))
    select.set("group", exp.Group(expressions=[*map(tree.column, lists)]))
    select.set("having", None)
    tree.quote(select)


def _keep_equal_hashes(new: NewNames, select: exp.Select, ids: list[exp.Expr]) -> None:
    """Let a query go through those rows alone that have the hash of another row: no other row can be a repeat."""
    hashed = exp.Anonymous(this="HASH", expressions=[column.copy() for column in ids])
    hash_column = new("hash_of_row")
    hashes = sorted_rows(select, [hashed], [], [tree.named(hashed.copy(), hash_column)], 0, 1)
    equal = exp.EQ(this=tree.column(hash_column), expression=tree.column(new(before(hash_column, 1))))
    twice = exp.select(tree.column(hash_column)).from_(with_row_before(hashes, new)).where(equal)
    select.where(exp.In(this=hashed.copy(), query=twice.subquery()), copy=False)
    tree.quote(select)


RANKS = Pass(
    "rank_by_sorting",
    gain="0.62 of the time: nDCG over 4 million rows with scores",
    dialects=frozenset({"duckdb"}),
    change=rank_by_sorting,
    in_texts=False,
)
REPEATS = Pass(
    "repeats_by_sorting",
    gain="0.72 of the time: the account over 4 million rows with scores",
    dialects=frozenset({"duckdb"}),
    change=repeats_by_sorting,
    in_texts=False,
)
