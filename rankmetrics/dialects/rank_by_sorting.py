"""Ranks and repeats by one sort of all rows: DuckDB sorts at less work than its windows and its sets of items take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sqlglot import exp

from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import NewNames

# DuckDB looks so many rows back without holding on to all.
NEAR = 1000

# What sorted rows are ranked by, and their number in the order that they are sorted in.
SCORE, NUMBER = "score_to_rank", "row_number"

# What may repeat.
ITEM = "item_in_order"


def ranks_by_sorting(query: exp.Expr) -> None:
    """ROW_NUMBER() OVER (PARTITION BY list ORDER BY score) over an input as a number down the whole input, sorted.

    `rank` is then the number of a row less that of the first of its list. DuckDB sorts at half the work of its window,
    and goes through what is sorted row by row: neither OVER () nor OVER (ROWS UNBOUNDED PRECEDING) sorts again. Where
    nobody reads beyond rank n, a row is dropped if the nth before it is of the same list. The score above a row is that
    of the row before it.

    What does not fit into memory is sorted in parts, each of some lists: DuckDB goes through the arms of a UNION ALL
    one after the other, and has hardly more than one part on disk at a time.
    """
    new = NewNames(query)
    for select in _over_inputs(query):
        ranks = [one for one in select.expressions if isinstance(one.unalias(), exp.Window)]
        if len(ranks) == 1 and ranks[0].this.args.get("partition_by"):
            _replace_by_parts(select, partial(_sort, new))


def repeats_by_sorting(query: exp.Expr) -> None:
    """`COUNT(item) - COUNT(DISTINCT item)` of lists that repeat an item, by one sort in the place of a set per list.

    `SELECT list, COUNT(item) - COUNT(DISTINCT item) AS n FROM recs GROUP BY list HAVING COUNT(item) >
    COUNT(DISTINCT item)` becomes, where ids are numbers, `SELECT list, COUNT(*) AS n` over those rows of the sorted
    input that have the list and the item of the row before. Texts take longer to sort than to count, their hashes do
    not: where ids are texts, the query stays as it is, over those rows alone whose hash is that of another row.
    DuckDB takes a third of the work for numbers, half for texts.
    """
    new = NewNames(query)
    for select in _over_inputs(query):
        last = select.expressions[-1].unalias()
        if select.args.get("having") and isinstance(last, exp.Sub) and _is_distinct(last.right):
            ids = [*(one.unalias() for one in select.expressions[:-1]), last.this.this]
            if any(one.meta_get(tree.IS_TEXT) for one in ids):
                _keep_equal_hashes(new, select, ids)
            else:
                _replace_by_parts(select, partial(_sort_by_item, new))


def _over_inputs(query: exp.Expr) -> Iterator[exp.Select]:
    """The queries that read an input, and not a step."""
    skeleton = tree.skeleton(query)
    steps = {one.alias for one in skeleton if isinstance(one, exp.CTE)}
    for select in [one for one in skeleton if isinstance(one, exp.Select) and one.args.get("from_")]:
        if tree.source(select).name not in steps:
            yield select


def _replace_by_parts(select: exp.Select, change: Callable[[exp.Select, int, int], None]) -> None:
    """Put in the place of a query over an input as many as the input is sorted in, each of some lists."""
    n_parts = select.meta_get(tree.PARTS) or 1
    parts = [select.copy() for _ in range(n_parts)]
    for number, part in enumerate(parts):
        change(part, number, n_parts)
    select.replace(exp.union(*parts, distinct=False, copy=False) if n_parts > 1 else parts[0])


def _is_distinct(count: exp.Expr) -> bool:
    """Whether an aggregate counts different values."""
    return isinstance(count, exp.Count) and isinstance(count.this, exp.Distinct)


def _sort_by_item(new: NewNames, select: exp.Select, part: int, n_parts: int) -> None:
    """Count repeated items of a list, in place, by comparing each sorted row with the row before it."""
    *columns, counted = select.expressions
    counts_items, names = counted.unalias().this, [*(one.alias_or_name for one in columns), new(ITEM)]
    *lists, item = names
    select.where(exp.Not(this=exp.Is(this=counts_items.this.copy(), expression=exp.Null())), copy=False)
    kept = [*(one.copy() for one in columns), tree.named(counts_items.this.copy(), item)]
    within = exp.Ordered(this=counts_items.this.copy(), nulls_first=False)
    in_order = _in_order(select, [one.unalias() for one in columns], [within], kept, part, n_parts)
    in_order.comments = [" sorted: list after list, repeated items side by side"]
    rows = _beside(in_order, new)
    equal = [exp.EQ(this=tree.column(one), expression=tree.column(new(_before(one, 1)))) for one in names]
    select.set("expressions", [*map(tree.column, lists), tree.named(exp.Count(this=exp.Star()), counted.alias)])
    select.set("from_", exp.From(this=rows))
    select.set("where", exp.Where(this=exp.and_(*equal)))
    select.set("group", exp.Group(expressions=[*map(tree.column, lists)]))
    select.set("having", None)
    tree.quote(select)


def _keep_equal_hashes(new: NewNames, select: exp.Select, ids: list[exp.Expr]) -> None:
    """Let a query go through those rows alone that have the hash of another row: no other row can be a repeat."""
    hashed = exp.Anonymous(this="HASH", expressions=[one.copy() for one in ids])
    called = new("hash_of_row")
    hashes = _in_order(select, [hashed], [], [tree.named(hashed.copy(), called)], 0, 1)
    equal = exp.EQ(this=tree.column(called), expression=tree.column(new(_before(called, 1))))
    twice = exp.select(tree.column(called)).from_(_beside(hashes, new)).where(equal)
    select.where(exp.In(this=hashed.copy(), query=twice.subquery()), copy=False)
    tree.quote(select)


def _beside(rows: exp.Select, new: NewNames) -> exp.Subquery:
    """Sorted rows, each with the columns of the row before."""
    told = _rows_before(new, tree.outputs(rows), 1)
    return exp.select(exp.Star(), *told).from_(rows.subquery("sorted")).subquery("beside")


def _sort(new: NewNames, select: exp.Select, part: int, n_parts: int) -> None:
    """Turn a query that ranks into one that sorts, of so many parts that the lists are divided into this one."""
    rank = next(one for one in select.expressions if isinstance(one.unalias(), exp.Window))
    window, depth = rank.unalias(), select.meta_get(tree.DEEPEST)
    names = {one.unalias(): one.alias_or_name for one in select.expressions}
    lists = [names[one] for one in window.args["partition_by"]]
    above = [one for one in tree.find(select, exp.Window) if isinstance(one.this, exp.Lag)]
    beside = [one for one in select.expressions if one is not rank and tree.find(one, exp.Window)]
    kept = [one.copy() for one in select.expressions if one is not rank and one not in beside]
    scores: list[exp.Expr] = [above[0].this.this.copy()] if above else []
    kept += [tree.named(one.copy(), new(SCORE)) for one in scores]
    near = depth if depth is not None and depth <= NEAR else None
    by, order = window.args["partition_by"], window.args["order"].expressions
    in_order = _in_order(select, by, order, kept, part, n_parts)
    in_order.comments = [" sorted: list after list, each from its first rank down"]
    rows = _numbered(in_order, new, lists, near)
    for one in above:
        one.replace(exp.Case().when(exp.not_(_begins(new, lists, 1)), tree.column(new(_before(new(SCORE), 1)))))
    for one in select.expressions:
        if one is rank:
            one.replace(tree.named(_place(new, lists), rank.alias))
        elif one in beside:
            for read in [node for node in tree.find(one, exp.Expr) if node in scores]:
                read.replace(tree.column(new(SCORE)))
        else:
            one.replace(tree.column(one.alias_or_name))
    select.set("where", None)
    select.set("from_", exp.From(this=rows))
    tree.quote(select)


def _in_order(
    select: exp.Select, lists: list[exp.Expr], within: list[exp.Expr], kept: list[exp.Expr], part: int, n_parts: int
) -> exp.Select:
    """The rows of the input that are of this part, sorted: list after list, each in its own order."""
    order: list[exp.Expr] = [exp.Ordered(this=one.copy(), nulls_first=False) for one in lists]
    order += [one.copy() for one in within]
    source = tree.source(select).copy()
    for column in [one for ordered in order for one in tree.find(ordered, exp.Column)]:
        column.set("table", exp.to_identifier(source.alias_or_name))  # and not what is returned under that name
    rows = exp.select(*kept).from_(source).order_by(*order)
    rows.set("where", select.args.get("where"))
    if n_parts > 1:
        hashed = exp.Anonymous(this="HASH", expressions=[one.copy() for one in lists])
        of_lists = exp.Mod(this=hashed, expression=tree.literal(n_parts))
        rows.where(exp.EQ(this=of_lists, expression=tree.literal(part)), copy=False)
    return rows


def _numbered(rows: exp.Select, new: NewNames, lists: list[str], near: int | None) -> exp.Subquery:
    """Sorted rows with their number and what stands above them; of each list, where that is told, the first few."""
    columns = [tree.column(one.alias_or_name) for one in rows.expressions]
    told = [one for back in dict.fromkeys((1, near or 1)) for one in _rows_before(new, lists, back)]
    told += _rows_before(new, [new(SCORE)], 1) if new(SCORE) in tree.outputs(rows) else []
    number = tree.named(exp.Window(this=exp.RowNumber()), new(NUMBER))
    numbered = exp.select(*columns, number, *told).from_(rows.subquery("sorted")).subquery("numbered")
    return (
        exp.select(exp.Star()).from_(numbered).where(_begins(new, lists, near)).subquery("near") if near else numbered
    )


def _place(new: NewNames, lists: list[str]) -> exp.Expr:
    """The rank of a row: its number less that of the first row of its list, which is the last that begins one."""
    number = tree.column(new(NUMBER))
    so_far = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    first = exp.Window(this=exp.Max(this=exp.Case().when(_begins(new, lists, 1), number.copy())), spec=so_far)
    return exp.Add(this=exp.Sub(this=number, expression=first), expression=exp.Literal.number(1))


def _rows_before(new: NewNames, columns: list[str], rows: int) -> list[exp.Expr]:
    """Columns of so many rows before."""
    offset = {"offset": exp.Literal.number(rows)} if rows > 1 else {}
    values = [exp.Window(this=exp.Lag(this=tree.column(one), **offset)) for one in columns]
    return [tree.named(one, new(_before(name, rows))) for one, name in zip(values, columns, strict=True)]


def _begins(new: NewNames, lists: list[str], rows: int) -> exp.Expr:
    """Whether a row is of another list than so many rows before."""
    before = [tree.column(new(_before(one, rows))) for one in lists]
    return exp.or_(
        *(exp.NullSafeNEQ(this=tree.column(one), expression=other) for one, other in zip(lists, before, strict=True))
    )


def _before(column: str, rows: int) -> str:
    return f"{column}_{rows}_before"
