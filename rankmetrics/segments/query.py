"""The queries of segments: one row per list as the evaluation has it, joined with the segments, and aggregated.

    per_list ("user", "ndcg@10") + segments of users
    →  'gender', segment, COUNT(*), AVG("ndcg@10") ... GROUP BY segment

Segments of items have a row per list and segment of their own: the truth is cut to the items of each segment, and each
segment is a partition of the summary, as a day is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sqlglot import exp

from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN
from rankmetrics.planner import (
    Cte,
    Plan,
    Query,
    Question,
    measured_ctes,
    number_label,
    once,
    per_list_cte,
    plan,
    refuse_no_lists,
    typed,
    with_ctes,
)
from rankmetrics.segments.files import POSITION, SEGMENT, VALUE, steps_of
from rankmetrics.segments.items import OF_ITEM, cut_to_items, item_segment
from rankmetrics.segments.segmentation import Segmentation, Table
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name, headed, unnamed
from rankmetrics.sqltree.relations import after_from, call, left_join

SEGMENTATION = "segmentation"

# The name of the rows over all lists among the rows of pairs.
ALL = ""


@dataclass(frozen=True)
class Rows:
    """A row per list, and how its segments are found.

    Attributes:
        name: the step that holds the rows.
        question: what the rows answer.
        segment: the segment of a row as text; NULL where it has none.
        position: the position of the segment among the segments.
        joins: the joins that find both.
    """

    name: str
    question: Question
    segment: exp.Expr
    position: exp.Expr
    joins: tuple[exp.Join, ...] = ()


@dataclass
class Writer:
    """Collects the steps of a query of segments.

    Args:
        question: what the evaluation answers.
        segmentations: the segmentations.
    """

    question: Question
    segmentations: Sequence[Segmentation]
    _ctes: list[Cte] = field(default_factory=list)
    _stages: dict[str, Cte] = field(default_factory=dict)

    def __post_init__(self) -> None:
        refuse_no_lists(self.question)
        parts = tuple(
            dict.fromkeys(segmentation.part for segmentation in self.segmentations if segmentation.part is not None)
        )
        self.question = replace(self.question, metrics=tuple(self.question.of_lists), numbers=parts)
        self._per_list = self._add_per_list(plan(self.question))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of lists: a number of a system has no value in a segment of lists."""
        return self.question.metrics

    def summary(self) -> Query:
        """One row per segmentation, segment and row of `by`: the aggregates of the metrics."""
        labels = self.question.headings(())
        of, at = (free_name(one, labels, "_") for one in (SEGMENTATION, f"{SEGMENTATION}_position"))
        segment, position = (free_name(one, labels, "_") for one in (SEGMENT, f"{SEGMENT}_position"))
        arms = []
        for place, one in enumerate(self.segmentations, 1):
            rows = self._rows(one)
            by = [tree.column(unnamed(name), rows.name) for name in self.question.layout.by]
            columns = {
                of: exp.cast(exp.Literal.string(one.name), exp.DType.TEXT),
                at: tree.literal(place),
                segment: rows.segment.copy(),
                position: rows.position.copy(),
                **{name.name: name for name in by},
                **self._aggregates(rows.name),
            }
            arms.append(_grouped(columns, rows, [rows.segment, rows.position, *by]))
        last = self._union("segment_rows", arms, "one row per segment and group of `by`, with the aggregates")
        shown = [of, segment, *map(unnamed, self.question.layout.by), *labels]
        order = [at, position, *map(unnamed, self.question.layout.by)]
        select = exp.select(*(tree.column(one) for one in shown)).from_(tree.table(last))
        select.order_by(*(exp.Ordered(this=tree.column(one), nulls_first=False) for one in order), copy=False)
        return self._query(headed(select, self._headings()))

    def means(self) -> Query:
        """The mean of each system in each segment; and over all lists, under an empty name.

        The columns: the segmentation, the segment, its position, the columns of the system, then for each metric how
        many lists have a value, and their mean.
        """
        return self._of_whole_and_segments(self._means_arm, "mean_rows", "the mean of each system in each segment")

    def pairs(self) -> Query:
        """Sums over the lists of each pair of systems, by segment; and over all lists, under an empty name.

        The columns: the segmentation, the segment, its position, the columns of both systems, then for each metric how
        many lists have a difference, the sum of the differences and of their squares.
        """
        return self._of_whole_and_segments(
            self._pairs_arm, "pair_rows", "sums of the differences between two systems, for each segment"
        )

    def _of_whole_and_segments(self, arm: Callable[[str, Rows], exp.Select], called: str, comment: str) -> Query:
        """What a function makes of all lists, under an empty name, and of the segments of each segmentation."""
        everything = Rows(self._per_list, self.question, *_no_segment())
        kept = [segmentation for segmentation in self.segmentations if not self._is_by_system(segmentation)]
        arms = [arm(ALL, everything), *(arm(segmentation.name, self._rows(segmentation)) for segmentation in kept)]
        last = self._union(called, arms, comment)
        columns = [tree.column(name) for name in tree.outputs(arms[0])]
        return self._query(exp.select(*columns).from_(tree.table(last)))

    # --- rows ---------------------------------------------------------------------------------------------------------

    def _rows(self, one: Segmentation) -> Rows:
        """The rows of a segmentation, each with its segment."""
        if one.is_of_items:
            return self._rows_of_items(one)
        name = partial(self._free, one.name)
        joins: list[exp.Join] = []
        if one.table is None:
            value = tree.column(number_label(str(one.part)), self._per_list)
            owners = list(self.question.layout.truth_lists)
        else:
            called = name("table")
            select = _table_rows(one.table, f"{called}_given")
            table = self._add(called, select, f"the table of the segments {one.name}")
            value, owners = tree.column(VALUE, table), list(one.table.side.lists)
            pairs = [(tree.column(unnamed(key), self._per_list), tree.column(unnamed(key), table)) for key in owners]
            joins.append(left_join(table, pairs))
        known = exp.select(*(tree.column(unnamed(key), self._per_list) for key in owners), tree.named(value, VALUE))
        known = known.distinct().from_(tree.table(self._per_list))
        known.set("joins", [join.copy() for join in joins])
        values = self._add(
            name("known_values"), known, "one row per list or owner, with the value that the segments are made of"
        )
        steps = [*steps_of(one, values, name)]
        self._ctes += steps
        segments = steps[-1].name
        joins.append(left_join(segments, [(value.copy(), tree.column(VALUE, segments))]))
        segment, position = (tree.column(column, segments) for column in (SEGMENT, POSITION))
        return Rows(self._per_list, self.question, segment, position, tuple(joins))

    def _rows_of_items(self, one: Segmentation) -> Rows:
        """A row per list and segment of the relevant items."""
        assert one.table is not None
        cut = cut_to_items(self.question, one.table)
        taken = {*self.question.taken, *(step.name.lower() for step in self._ctes)}
        rows = self._add_per_list(plan(replace(cut, taken=frozenset(taken))))
        held = tree.column(unnamed(OF_ITEM), rows)
        values = exp.select(tree.named(item_segment(held), VALUE)).distinct().from_(tree.table(rows))
        name = partial(self._free, one.name)
        known = self._add(name("known_values"), values, f"the segments {one.name} of the relevant items")
        steps = [*steps_of(one, known, name)]
        self._ctes += steps
        pairs: list[tuple[exp.Expr, exp.Expr]] = [(item_segment(held), tree.column(VALUE, steps[-1].name))]
        segment, position = (tree.column(column, steps[-1].name) for column in (SEGMENT, POSITION))
        return Rows(rows, cut, segment, position, (left_join(steps[-1].name, pairs),))

    def _add_per_list(self, planned: Plan) -> str:
        """Add the steps that end in one row per list; returns the name of the last."""
        last = per_list_cte(planned)
        ctes = once([*measured_ctes(planned), last])
        self._ctes += [replace(cte, select=cte.select.copy()) for cte in ctes]
        self._stages |= planned.stages.ctes
        return last.name

    # --- pairs --------------------------------------------------------------------------------------------------------

    def _is_by_system(self, one: Segmentation) -> bool:
        """Whether a segment holds lists of some systems only: there is nothing to compare within it."""
        return one.table is not None and bool({*one.table.side.lists} & {*self.question.layout.systems})

    def _means_arm(self, name: str, rows: Rows) -> exp.Select:
        """The mean of each system."""
        systems = [tree.column(unnamed(column), rows.name) for column in rows.question.layout.systems]
        columns = _segment_columns(name, rows)
        columns |= {f"system_{place}": one.copy() for place, one in enumerate(systems, 1)}
        for place, metric in enumerate(self.metrics, 1):
            value = tree.column(metric.label, rows.name)
            columns |= {f"n_{place}": exp.Count(this=value), f"mean_{place}": MEAN.of(value)}
        segments = [] if name == ALL else [rows.segment, rows.position]
        return _grouped(columns, rows, [*segments, *systems])

    def _pairs_arm(self, name: str, rows: Rows) -> exp.Select:
        """Sums of the differences between the lists of two systems."""
        layout, other = rows.question.layout, self._free("", "other_system")
        systems = [(tree.column(unnamed(one), rows.name), tree.column(unnamed(one), other)) for one in layout.systems]
        columns = _segment_columns(name, rows)
        for place, (one, another) in enumerate(systems, 1):
            columns |= {f"system_{place}": one.copy(), f"other_system_{place}": another.copy()}
        for place, metric in enumerate(self.metrics, 1):
            first, second = (
                exp.cast(tree.column(metric.label, table), exp.DType.DOUBLE) for table in (rows.name, other)
            )
            difference = exp.Paren(this=exp.Sub(this=first, expression=second))
            square = exp.Mul(this=difference.copy(), expression=difference.copy())
            columns |= {
                f"n_{place}": exp.Count(this=difference.copy()),
                f"sum_{place}": exp.Sum(this=difference),
                f"squares_{place}": exp.Sum(this=square),
            }
        same = [
            exp.EQ(this=tree.column(unnamed(one), rows.name), expression=tree.column(unnamed(one), other))
            for one in layout.truth_lists
        ]
        on = exp.and_(*same, _is_before(systems), copy=False)
        join = exp.Join(this=tree.table(rows.name, other), on=on, kind="INNER")
        keys = [*(column.copy() for pair in systems for column in pair)]
        paired = replace(rows, joins=(join, *rows.joins))
        segments = [] if name == ALL else [rows.segment, rows.position]
        return _grouped(columns, paired, [*segments, *keys])

    # --- the query ----------------------------------------------------------------------------------------------------

    def _aggregates(self, rows: str) -> dict[str, exp.Expr]:
        """The aggregates over lists, each under its name."""
        found: dict[str, exp.Expr] = {N_LISTS: exp.Count(this=exp.Star(), big_int=True)}
        for metric in self.metrics:
            column = tree.column(metric.label, rows)
            found |= {aggregate.label(metric.label): aggregate.of(column) for aggregate in self.question.aggregates}
        return found

    def _headings(self) -> list[str]:
        """The columns of the summary."""
        rest = [*self.question.layout.by, *self.question.headings(())]
        return [free_name(SEGMENTATION, rest, "_"), free_name(SEGMENT, rest, "_"), *rest]

    def _union(self, name: str, arms: Sequence[exp.Select], what: str) -> str:
        every: exp.Query = arms[0] if len(arms) == 1 else exp.union(*arms, distinct=False, copy=False)
        return self._add(self._free("", name), every, what)

    def _add(self, name: str, select: exp.Query, what: str) -> str:
        self._ctes.append(Cte(name, select, comment=f"{name}: {what}"))
        return name

    def _free(self, segmentation: str, step: str) -> str:
        """A name for a step that no table and no other step has."""
        prefix = re.sub(r"[^a-z0-9]+", "_", segmentation.lower()).strip("_")
        called = f"{prefix}_{step}" if prefix else step
        return free_name(self.question.cte(called), {cte.name for cte in self._ctes}, "_")

    def _query(self, select: exp.Select) -> Query:
        for cte in self._ctes:
            tree.read_by_name(cte.select)
        return Query(with_ctes(select, self._ctes), self.question, self._stages)


def repeated_keys(segmentation: Segmentation, n: int) -> exp.Select:
    """The first keys that a table of lists has in several rows, each with the number of its rows."""
    assert segmentation.table is not None
    side = segmentation.table.side
    keys = [tree.given(one) for one in side.list_columns]
    rows = exp.Count(this=exp.Star(), big_int=True)
    select = exp.select(*(key.copy() for key in keys), tree.named(rows, "n_rows"))
    select = select.from_(after_from(segmentation.table.input.table, "given"))
    select = select.where(*(exp.Is(this=key.copy(), expression=exp.Not(this=exp.Null())) for key in keys))
    select = select.group_by(*(key.copy() for key in keys)).having(exp.GT(this=rows.copy(), expression=tree.literal(1)))
    return select.order_by(*(key.copy() for key in keys)).limit(n)


def _table_rows(table: Table, called: str) -> exp.Select:
    """The list columns and the value of a table, which is read under a name, in the types of the query."""
    side, schema = table.side, table.input.schema
    keys = [
        tree.named(typed("id", tree.given(side.own(column)), schema, side.own(column)), unnamed(column))
        for column in side.lists
    ]
    kind = schema[table.value].family
    role = "rating" if kind == "float" else "id"  # a NaN is no number
    value = tree.named(typed(role, tree.given(table.value), schema, table.value), VALUE)
    given = table.input.table.copy()
    tree.mark_names(given)
    return exp.select(*keys, value).from_(call(given, called))


def _segment_columns(name: str, rows: Rows) -> dict[str, exp.Expr]:
    """The segmentation by its name, the segment and its position."""
    return {
        SEGMENTATION: exp.cast(exp.Literal.string(name), exp.DType.TEXT),
        SEGMENT: rows.segment.copy(),
        f"{SEGMENT}_position": rows.position.copy(),
    }


def _no_segment() -> tuple[exp.Expr, exp.Expr]:
    """The segment of a row, and its position, where there are no segments."""
    return exp.cast(exp.Null(), exp.DType.TEXT), exp.cast(exp.Null(), exp.DType.BIGINT)


def _is_before(systems: Sequence[tuple[exp.Column, exp.Column]]) -> exp.Expr:
    """Whether a system comes before the other one: the first of its columns that differs is lower."""
    (one, other), *rest = systems
    lower: exp.Expr = exp.LT(this=one.copy(), expression=other.copy())
    if not rest:
        return lower
    equal = exp.EQ(this=one.copy(), expression=other.copy())
    return exp.Paren(this=exp.or_(lower, exp.and_(equal, _is_before(rest), copy=False), copy=False))


def _grouped(columns: Mapping[str, exp.Expr], rows: Rows, by: Sequence[exp.Expr]) -> exp.Select:
    """Aggregates over the rows of each group."""
    named = [tree.named(one, name) for name, one in columns.items()]
    select = exp.select(*named).from_(tree.table(rows.name), copy=False)
    select.set("joins", [join.copy() for join in rows.joins])
    return select.group_by(*(column.copy() for column in by), copy=False)
