"""Ranks by one sort of all rows, for an engine that sorts at less work than its window functions do: DuckDB."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics import tree
from rankmetrics.naming import NewNames

# DuckDB looks so many rows back without holding on to all.
NEAR = 1000

# What sorted rows are ranked by, and their number in the order that they are sorted in.
SCORE, NUMBER = "score_to_rank", "row_number"


def ranks_by_sorting(query: exp.Expr) -> None:
    """ROW_NUMBER() OVER (PARTITION BY list ORDER BY score) over an input as a number down the whole input, sorted.

    `rank` is then the number of a row less that of the first of its list. DuckDB sorts at half the work of its window,
    and goes through what is sorted row by row: neither OVER () nor OVER (ROWS UNBOUNDED PRECEDING) sorts again. Where
    nobody reads beyond rank n, a row is dropped if the nth before it is of the same list. The score above a row is that
    of the row before it.

    What does not fit into memory is sorted in parts, each of some lists: DuckDB goes through the arms of a UNION ALL
    one after the other, and has hardly more than one part on disk at a time.
    """
    skeleton = tree.skeleton(query)
    steps = {one.alias for one in skeleton if isinstance(one, exp.CTE)}
    new: NewNames | None = None
    for select in [one for one in skeleton if isinstance(one, exp.Select)]:
        ranks = [one for one in select.expressions if isinstance(one.unalias(), exp.Window)]
        if len(ranks) == 1 and ranks[0].this.args.get("partition_by") and tree.source(select).name not in steps:
            new = new or NewNames(query)
            n_parts = select.meta_get(tree.PARTS) or 1
            parts = [select.copy() for _ in range(n_parts)]
            for number, part in enumerate(parts):
                _sort(part, new, number, n_parts)
            select.replace(exp.union(*parts, distinct=False, copy=False) if n_parts > 1 else parts[0])


def _sort(select: exp.Select, new: NewNames, part: int, n_parts: int) -> None:
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
    rows = _numbered(_in_order(select, window, kept, part, n_parts), new, lists, near)
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


def _in_order(select: exp.Select, window: exp.Expr, kept: list[exp.Expr], part: int, n_parts: int) -> exp.Select:
    """The rows of the input that are of this part, sorted: list after list, each from its first place down."""
    lists = window.args["partition_by"]
    order = [exp.Ordered(this=one.copy(), nulls_first=False) for one in lists]
    order += [one.copy() for one in window.args["order"].expressions]
    source = tree.source(select).copy()
    for column in [one for ordered in order for one in tree.find(ordered, exp.Column)]:
        column.set("table", exp.to_identifier(source.alias_or_name))  # and not what is returned under that name
    rows = exp.select(*kept).from_(source).order_by(*order)
    rows.set("where", select.args.get("where"))
    if n_parts > 1:
        hashed = exp.Anonymous(this="HASH", expressions=[one.copy() for one in lists])
        of_lists = exp.Mod(this=hashed, expression=tree.literal(n_parts))
        rows.where(exp.EQ(this=of_lists, expression=tree.literal(part)), copy=False)
    rows.comments = [" sorted: list after list, each from its first place down"]
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
