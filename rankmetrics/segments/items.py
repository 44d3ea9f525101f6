"""Cuts the truth to the items of each segment: the segment becomes a list column that truth and recommendations share.

truth (user, item), segments of items (item, genre)
→  truth (user, item, segment), recommendations (user, item, rank, segment) for each segment in the user's truth
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from rankmetrics.inputs.columns import ColumnType, Layout, Side
from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.planner import LISTS_OF, Question, typed
from rankmetrics.segments.segmentation import Table
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import call

# The list column that holds the segment, with a mark before it: a list column is never NULL.
OF_ITEM = "segment of item"
KNOWN, NONE = "=", "-"

TEXT = ColumnType("string", "VARCHAR")


def cut_to_items(question: Question, table: Table) -> Question:
    """The question over the relevant items of each segment, with the segment as the first column of `by`.

    All items of a list stay recommended. A list is scored in the segments of its own relevant items. An item that has
    several rows is in several segments; an item without a row is in no segment.
    """
    layout, tables = question.layout, dict(question.tables)
    truth = _with_segment(question, table)
    tables |= {"truth": exp.Subquery(this=truth), "recs": _recommendations(question, truth)}
    if SYSTEMS not in tables and layout.systems and not layout.partitions and {*question.missing} & LISTS_OF.keys():
        tables[SYSTEMS] = _systems(question)  # a system with no list of a segment is scored there, too
    return replace(question, layout=_with_column(layout), tables=tables, assumed=frozenset(), numbers=())


def item_segment(held: exp.Column) -> exp.Expr:
    """The segment without its mark; NULL for relevant items in no segment."""
    text = exp.Substring(this=held.copy(), start=tree.literal(2))
    return exp.Case().when(exp.NEQ(this=held.copy(), expression=exp.Literal.string(NONE)), text)


def _with_column(layout: Layout) -> Layout:
    """The layout with the segment as a list column of recommendations and truth."""
    return replace(
        layout,
        lists=(OF_ITEM, *layout.lists),
        truth_lists=(OF_ITEM, *layout.truth_lists),
        by=(OF_ITEM, *layout.by),
        recs_types={**layout.recs_types, OF_ITEM: TEXT},
        truth_types={**layout.truth_types, OF_ITEM: TEXT},
        parts={},
    )


def _columns(side: Side, rows: str) -> list[exp.Column]:
    """All columns of an input, with those that the engine has added."""
    return [tree.given(one, rows) for one in dict.fromkeys([*side.types, *side.added.values()])]


def _with_segment(question: Question, table: Table) -> exp.Select:
    """The truth, each row once for each segment of its item."""
    side, own = question.layout.side("truth"), table.input.schema
    item, value = str(table.side.roles.item), tree.given(table.value)
    text = exp.Concat(
        expressions=[exp.Literal.string(KNOWN), exp.cast(typed("id", value, own, table.value), exp.DType.TEXT)],
        safe=True,
        coalesce=False,
    )
    segments = exp.select(
        tree.named(typed("item", tree.given(item), own, item), "item"), tree.named(text, OF_ITEM)
    ).distinct()
    given = call(table.input.table.copy(), "given")
    segments = segments.from_(given).where(exp.Is(this=tree.given(table.value), expression=exp.Not(this=exp.Null())))
    truth_item = str(side.roles.item)
    found = exp.Coalesce(this=tree.column(OF_ITEM, "segments"), expressions=[exp.Literal.string(NONE)])
    select = exp.select(*_columns(side, "judged"), tree.named(found, OF_ITEM))
    select = select.from_(call(question.tables["truth"].copy(), "judged"))
    same = exp.EQ(
        this=typed("item", tree.given(truth_item, "judged"), side.types, truth_item),
        expression=tree.column("item", "segments"),
    )
    select.append("joins", exp.Join(this=call(exp.Subquery(this=segments), "segments"), on=same, side="LEFT"))
    return select


def _recommendations(question: Question, truth: exp.Select) -> exp.Subquery:
    """The recommendations, each list once for each segment of its truth."""
    layout = question.layout
    recs, of_truth = layout.side("recs"), layout.side("truth")
    owners = [tree.given(of_truth.own(column), "cut_truth") for column in layout.truth_lists]
    lists = exp.select(*owners, tree.column(OF_ITEM, "cut_truth")).distinct()
    lists = lists.from_(call(exp.Subquery(this=truth.copy()), "cut_truth"))
    select = exp.select(*_columns(recs, "given"), tree.column(OF_ITEM, "truth_segments"))
    select = select.from_(call(question.tables["recs"].copy(), "given"))
    same = [
        exp.EQ(
            this=typed("id", tree.given(column, "given"), recs.types, column),
            expression=typed(
                "id", tree.given(of_truth.own(column), "truth_segments"), of_truth.types, of_truth.own(column)
            ),
        )
        for column in layout.truth_lists
    ]
    on = exp.and_(*same, copy=False)
    select.append("joins", exp.Join(this=call(exp.Subquery(this=lists), "truth_segments"), on=on, kind="INNER"))
    return exp.Subquery(this=select)


def _systems(question: Question) -> exp.Subquery:
    """The systems that have recommendations."""
    layout = question.layout
    systems = [tree.given(column, "given") for column in layout.systems]
    return exp.Subquery(this=exp.select(*systems).distinct().from_(call(question.tables["recs"].copy(), "given")))
