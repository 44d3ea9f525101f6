"""The queries of segments: one row per list as the evaluation has it, joined with the segments, and aggregated.

    per_list ("user", "ndcg@10") + segments of users
    →  'gender', segment, "user", "ndcg@10"  →  'gender', segment, COUNT(*), AVG("ndcg@10") ... GROUP BY segment

Segments of items have a row per list and segment of their own: the truth is cut to the items of each segment, which
becomes a list column that truth and recommendations share, and a partition of the summary, as a day is.

    truth (user, item), segments of items (item, genre)
    →  truth (user, item, segment), recommendations (user, item, rank, segment) for each segment in the user's truth

Systems are compared within each segment by the files of sql/comparisons, where a segment is a column of `by`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlglot import exp

from rankmetrics._gc import gc_paused
from rankmetrics.comparisons.plan import ComparisonPlan, PerList
from rankmetrics.engines.base import Engine
from rankmetrics.inputs.columns import ColumnType, Side
from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.metrics.definition import definitions_in
from rankmetrics.planner import (
    LISTS_OF,
    Cte,
    Plan,
    Query,
    Question,
    Stage,
    no_truth,
    number_label,
    optimized,
    plan,
    typed,
    with_ctes,
)
from rankmetrics.segments.segmentation import Segmentation, SegmentTable
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name, headed, unnamed
from rankmetrics.sqltree.relations import call, left_join
from rankmetrics.sqltree.steps import read_steps, selects_of

# The columns of a segmentation in the query, and the step of its values that the files of sql/segments read.
SEGMENTATION, SEGMENT, POSITION = "segmentation", "segment", "position"
VALUE, KNOWN_VALUES = "value", "known_values"

# The name of the segmentation whose only segment is all lists.
ALL = ""


class Writer:
    """Collects the steps of a query of segments, for the question of an evaluation."""

    def __init__(self, question: Question, segmentations: Sequence[Segmentation]) -> None:
        question.refuse_no_lists()
        parts = dict.fromkeys(segmentation.part for segmentation in segmentations if segmentation.part is not None)
        self.question = replace(question, metrics=tuple(question.of_lists), numbers=tuple(parts))
        self.segmentations = segmentations
        self._labels = [metric.label for metric in self.question.metrics]
        keys = (SEGMENTATION, f"{SEGMENTATION}_{POSITION}", SEGMENT, f"{SEGMENT}_{POSITION}")
        self._keys = [free_name(key, [*self._labels, *self.question.headings(())], "_") for key in keys]
        self._ctes: list[Cte] = []
        self._stages: dict[str, Stage] = {}
        self._per_list = self._add_per_list(plan(self.question))

    def summary(self) -> Query:
        """One row per segmentation, segment and row of `by`: the aggregates of the metrics."""
        by, (segmentation, place, segment, position) = self.question.layout.by, self._keys
        rows = self._add_lists(self.segmentations, by)
        groups = [tree.column(name) for name in (*self._keys, *map(unnamed, by))]
        select = tree.grouped(self.question.aggregates_of_lists(), groups, rows)
        comment = "one row per segment and group of `by`, with the aggregates"
        last = self._add("", "segment_rows", select, comment)
        headings = self.question.headings(())
        shown = [segmentation, segment, *map(unnamed, by), *headings]
        select = exp.select(*(tree.column(name) for name in shown)).from_(tree.table(last))
        order = [tree.column(name).asc(nulls_first=False) for name in (place, position, *map(unnamed, by))]
        select.order_by(*order, copy=False)
        rest = [*by, *headings]
        return self._query(headed(select, [*(free_name(key, rest, "_") for key in (SEGMENTATION, SEGMENT)), *rest]))

    def lists(self, headings: Sequence[str]) -> Query:
        """One row per list over all lists, then one per segmentation and list, for comparisons of systems.

        The columns: the segmentation (empty over all lists), the segment, its position, the list columns, the metrics.
        Segmentations by systems are left out: there is nothing to compare within their segments.
        """
        layout = self.question.layout
        compared = [
            segmentation
            for segmentation in self.segmentations
            if segmentation.table is None or not {*segmentation.table.side.lists} & {*layout.systems}
        ]
        rows = self._add_lists(compared, layout.lists, has_all=True)
        segmentation, _, segment, position = self._keys
        columns = [segmentation, segment, position, *map(unnamed, layout.lists), *self._labels]
        return self._query(headed(exp.select(*map(tree.column, columns)).from_(tree.table(rows)), headings))

    # --- rows ---------------------------------------------------------------------------------------------------------

    def _add_lists(
        self, segmentations: Sequence[Segmentation], columns: Iterable[str], *, has_all: bool = False
    ) -> str:
        """Add the step with a row per segmentation and list: its segment, some list columns, the metrics."""
        names, arms = [*map(unnamed, columns), *self._labels], []
        for place, segmentation in enumerate([*([None] if has_all else []), *segmentations], 1):
            rows, joins, segment = self._per_list, list[exp.Join](), [_text(ALL), tree.literal(0)]
            if segmentation is not None:
                rows, joins = self._rows(segmentation)
                segment = [tree.column(column, joins[-1].alias_or_name) for column in (SEGMENT, POSITION)]
            values = [_text(segmentation.name if segmentation else ALL), tree.literal(place), *segment]
            values += [tree.column(column, rows) for column in names]
            named = map(tree.named, values, [*self._keys, *names])
            arm = exp.select(*named).from_(tree.table(rows), copy=False)
            arm.set("joins", joins)
            arms.append(arm)
        union = exp.union(*arms, distinct=False, copy=False) if len(arms) > 1 else arms[0]
        return self._add("", "segment_lists", union, "one row per segmentation and list, with its segment")

    def _rows(self, segmentation: Segmentation) -> tuple[str, list[exp.Join]]:
        """The step with the rows of a segmentation, and the joins of their segments, which are the last of them."""
        if segmentation.is_of_items:
            return self._rows_of_items(segmentation)
        joins: list[exp.Join] = []
        if segmentation.table is None:
            value = tree.column(number_label(str(segmentation.part)), self._per_list)
            owners = list(self.question.layout.truth_lists)
        else:
            select = _table_rows(segmentation.table, f"{self._free(segmentation.name, 'table')}_given")
            table = self._add(segmentation.name, "table", select, f"the table of the segments {segmentation.name}")
            value, owners = tree.column(VALUE, table), list(segmentation.table.side.lists)
            pairs = [(tree.column(unnamed(key), self._per_list), tree.column(unnamed(key), table)) for key in owners]
            joins.append(left_join(table, pairs))
        known = exp.select(*(tree.column(unnamed(key), self._per_list) for key in owners), tree.named(value, VALUE))
        known = known.distinct().from_(tree.table(self._per_list))
        known.set("joins", [join.copy() for join in joins])
        comment = "one row per list or owner, with the value that the segments are made of"
        segments = self._add_segments(segmentation, known, comment)
        joins.append(left_join(segments, [(value.copy(), tree.column(VALUE, segments))]))
        return self._per_list, joins

    def _rows_of_items(self, segmentation: Segmentation) -> tuple[str, list[exp.Join]]:
        """The step with a row per list and segment of the relevant items, and the join of the segments."""
        assert segmentation.table is not None
        cut = cut_to_items(self.question, segmentation.table)
        names = {*self.question.taken, *(step.name.lower() for step in self._ctes)}
        rows = self._add_per_list(plan(replace(cut, taken=frozenset(names))))
        marked = tree.column(unnamed(OF_ITEM), rows)
        text = exp.Substring(this=marked.copy(), start=tree.literal(2))
        value = exp.Case().when(exp.NEQ(this=marked, expression=exp.Literal.string(NONE)), text)
        known = exp.select(tree.named(value.copy(), VALUE)).distinct().from_(tree.table(rows))
        segments = self._add_segments(segmentation, known, f"the segments {segmentation.name} of the relevant items")
        return rows, [left_join(segments, [(value, tree.column(VALUE, segments))])]

    def _add_segments(self, segmentation: Segmentation, values: exp.Select, comment: str) -> str:
        """Add the steps that put values into segments; returns the last, which has one row per value."""
        name = segmentation.name
        last = self._add(name, KNOWN_VALUES, values, comment)
        names, file = {KNOWN_VALUES: last}, definitions_in("segments", "segment")[segmentation.file]
        for step, select in selects_of(file.select, {"n_buckets": segmentation.n_buckets}):
            comment = f"a step of the segments {name}" if step else file.summary
            last = names[step] = self._add(name, step or "segments", read_steps(select, names), comment)
        return last

    def _add_per_list(self, planned: Plan) -> str:
        """Add the steps that end in one row per list; returns the name of the last."""
        ctes = planned.per_list_ctes()
        self._ctes += [replace(cte, select=cte.select.copy()) for cte in ctes]
        self._stages |= planned.stages.by_step
        return ctes[-1].name

    # --- the query ----------------------------------------------------------------------------------------------------

    def _add(self, segmentation: str, step: str, select: exp.Query, comment: str) -> str:
        """Add a step; returns its name."""
        self._ctes.append(Cte(self._free(segmentation, step), select, comment))
        return self._ctes[-1].name

    def _free(self, segmentation: str, step: str) -> str:
        """A name for a step that no table and no other step has."""
        prefix = re.sub(r"[^a-z0-9]+", "_", segmentation.lower()).strip("_")
        base = f"{prefix}_{step}" if prefix else step
        return free_name(self.question.cte(base), {cte.name for cte in self._ctes}, "_")

    def _query(self, select: exp.Select) -> Query:
        for cte in self._ctes:
            tree.read_by_name(cte.select)
        return Query(with_ctes(select, self._ctes), self.question, self._stages)


def _table_rows(table: SegmentTable, step: str) -> exp.Select:
    """The list columns and the value of a table, which is read under a name, in the types of the query."""
    side, schema = table.side, table.input.schema
    keys = [
        tree.named(typed("id", tree.given(side.own(column)), schema, side.own(column)), unnamed(column))
        for column in side.lists
    ]
    kind = schema[table.value].family
    role = "rating" if kind == "float" else "id"  # a NaN is not a number
    value = tree.named(typed(role, tree.given(table.value), schema, table.value), VALUE)
    relation = table.input.table.copy()
    tree.mark_names(relation)
    return exp.select(*keys, value).from_(call(relation, step))


def _text(text: str) -> exp.Expr:
    return exp.cast(exp.Literal.string(text), exp.DType.TEXT)


# --- systems within segments ------------------------------------------------------------------------------------------


def comparison_plan(engine: Engine, question: Question, segmentations: Sequence[Segmentation]) -> ComparisonPlan:
    """The comparison of all pairs of systems over all lists and within each segment.

    Its columns of `by` are the segmentation, the segment and its position.
    """
    layout, labels = question.layout, tuple(metric.label for metric in question.of_lists)
    by = tuple(free_name(name, [*layout.lists, *labels], "_") for name in (SEGMENTATION, SEGMENT, POSITION))

    def query(dialect: str) -> exp.Query:
        with gc_paused():
            lists = optimized(Writer(question, segmentations).lists([*by, *layout.lists, *labels]), dialect)
        assert isinstance(lists, exp.Query)
        return lists

    lists = dict.fromkeys([*by, *layout.lists])
    per_list = PerList(engine, query, lists, layout.systems, labels, check=lambda: None, is_complete=False)
    return ComparisonPlan(per_list, labels, by, baseline=None, cluster=(), replicates=1, seed=0)


# --- segments of items ------------------------------------------------------------------------------------------------

# The list column that holds the segment, with a mark before it: a list column is never NULL.
OF_ITEM = "segment of item"
KNOWN, NONE = "=", "-"

TEXT = ColumnType("string", "VARCHAR")


def cut_to_items(question: Question, table: SegmentTable) -> Question:
    """The question over the relevant items of each segment, with the segment as the first column of `by`.

    All items of a list stay recommended. A list is scored in the segments of its own relevant items. An item that has
    several rows is in several segments; an item without a row is in no segment.
    """
    layout, tables = question.layout, dict(question.tables)
    if not layout.has_truth:
        raise no_truth("A segment of items")
    truth = _with_segment(question, table)
    tables |= {"truth": exp.Subquery(this=truth), "recs": exp.Subquery(this=_recommendations(question, truth))}
    if SYSTEMS not in tables and layout.systems and not layout.partitions and {*question.missing} & LISTS_OF.keys():
        # a system with no list of a segment is scored there, too
        systems = exp.select(*(tree.given(column, "given") for column in layout.systems)).distinct()
        tables[SYSTEMS] = exp.Subquery(this=systems.from_(call(question.tables["recs"].copy(), "given")))
    layout = replace(
        layout,
        lists=(OF_ITEM, *layout.lists),
        truth_lists=(OF_ITEM, *layout.truth_lists),
        by=(OF_ITEM, *layout.by),
        recs_types={**layout.recs_types, OF_ITEM: TEXT},
        truth_types={**layout.truth_types, OF_ITEM: TEXT},
        parts={},
    )
    return replace(question, layout=layout, tables=tables, assumed=frozenset(), numbers=())


def _columns(side: Side, rows: str) -> list[exp.Column]:
    """All columns of an input, with those that the engine has added."""
    return [tree.given(column, rows) for column in dict.fromkeys([*side.types, *side.added.values()])]


def _with_segment(question: Question, table: SegmentTable) -> exp.Select:
    """The truth, each row once for each segment of its item."""
    side, own = question.layout.side("truth"), table.input.schema
    item, value = str(table.side.roles.item), tree.given(table.value)
    texts = [exp.Literal.string(KNOWN), exp.cast(typed("id", value, own, table.value), exp.DType.TEXT)]
    text = tree.named(exp.Concat(expressions=texts, safe=True, coalesce=False), OF_ITEM)
    segments = exp.select(tree.named(typed("item", tree.given(item), own, item), "item"), text).distinct()
    has_value = tree.given(table.value).is_(exp.Null()).not_()
    segments = segments.from_(call(table.input.table.copy(), "given")).where(has_value)
    truth_item = str(side.roles.item)
    segment = exp.Coalesce(this=tree.column(OF_ITEM, "segments"), expressions=[exp.Literal.string(NONE)])
    select = exp.select(*_columns(side, "judged"), tree.named(segment, OF_ITEM))
    select = select.from_(call(question.tables["truth"].copy(), "judged"))
    same = typed("item", tree.given(truth_item, "judged"), side.types, truth_item).eq(tree.column("item", "segments"))
    select.append("joins", exp.Join(this=call(exp.Subquery(this=segments), "segments"), on=same, side="LEFT"))
    return select


def _recommendations(question: Question, truth: exp.Select) -> exp.Select:
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
            expression=typed("id", tree.given(own, "truth_segments"), of_truth.types, own),
        )
        for column, own in zip(layout.truth_lists, of_truth.list_columns, strict=True)
    ]
    on = exp.and_(*same, copy=False)
    select.append("joins", exp.Join(this=call(exp.Subquery(this=lists), "truth_segments"), on=on, kind="INNER"))
    return select
