"""Queries of hits that are alike: the hits counted, what each adds at each cutoff, and what all of them come to."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS
from rankmetrics.planner.formulas import N_RELEVANT, sums_name
from rankmetrics.planner.lists import Joins, left_join
from rankmetrics.planner.model import Cte, StageKey, once
from rankmetrics.planner.passes.hit_histogram.additive import is_size, of_one_hit
from rankmetrics.planner.passes.hit_histogram.cutoffs import Place, folded
from rankmetrics.planner.passes.hit_histogram.decide import Histogram, labels_of
from rankmetrics.sqltree import tree


class HistogramQuery:
    """What is made of the lists' values, from hits that are histogram.

    Args:
        alike: the values of lists, and which hits are alike for them.
        joins: the sums that these values are made of, and the lists.
    """

    def __init__(self, histogram: Histogram, joins: Joins) -> None:
        self._joins = joins
        self._by = joins.question.inside("by_id")
        self._question, self._formulas = joins.question, joins.formulas
        measured = self._formulas.measured_for(histogram.adds)
        sums = joins.sums_for(measured)
        self._hits = sums.pop(histogram.hits.key)
        self._sizes = {key: one for key, one in sums.items() if is_size(one)}
        self._by_size = {key: one for key, one in sums.items() if key not in self._sizes}
        self._counted, self._every_cutoff = (self._question.cte(one) for one in ("hits_alike", "cutoffs"))
        self._cutoff = tree.column(histogram.cutoff, self._every_cutoff)
        self._fold(histogram, measured)
        self._now_in = {sums_name(self._question, key): self._counted for key in self._sizes}
        self._now_in |= {sums_name(self._question, key): self._sums_name(key) for key in self._by_size}

    def _fold(self, histogram: Histogram, measured: Mapping[str, exp.Expr]) -> None:
        """Say once what is the same at several cutoffs: from the sums up to what is made of the lists' values."""
        sums = [self._hits, *self._by_size.values()]
        self._sums = {one.key: folded(one.columns, self._cutoff, {}) for one in sums}
        below: dict[tuple[str, str], Place] = {}
        for key, one in self._sums.items():
            below |= one.below(sums_name(self._question, key))
        self._measured = folded(measured, self._cutoff, below)
        of_lists = {label: self._formulas.values[label] for label in histogram.adds}
        self._values = folded(of_lists, self._cutoff, {**below, **self._measured.below()})
        self._made = folded(histogram.made, self._cutoff, self._values.below())
        self._cutoffs = sorted({one.cutoff for one in self._made.places.values()})
        at = {one.column: histogram.adds[label] for label, one in self._values.places.items()}
        self._histogram = replace(histogram, adds={**histogram.adds, **at})

    def query(self) -> tuple[list[Cte], exp.Select]:
        """Every CTE in reading order, and what reads them: one row per system."""
        stages = [*self._joins.lists_ctes(), *self._joins.ctes_of(self._hits.key)]
        ctes = [*self._joins.sums_ctes(self._sizes), *stages, self._counted_cte()]
        by = [tree.column(one) for one in self._by]
        made = {name: self._histogram.weighed(one) for name, one in self._made.fewest.items()}
        read = labels_of(self._made.fewest.values())
        added = {name: self._of_hit(one) for name, one in self._values.columns.items() if name in read}
        if not self._cutoffs:
            ctes += [*self._joins.sums_ctes(self._by_size), self._added_cte(added)]
            return once(ctes), tree.grouped(made, by, ctes[-1].name)
        ctes += [self._cutoffs_cte(), *self._sums_ctes(labels_of(added.values())), self._added_cte(added)]
        per_cutoff = tree.grouped(made, [*by, tree.column(self._histogram.cutoff)], ctes[-1].name)
        comment = "what is made of the lists' values, per system and cutoff"
        ctes.append(self._cte("of_cutoffs", per_cutoff, comment))
        return once(ctes), tree.grouped({name: self._at(name) for name in self._histogram.made}, by, ctes[-1].name)

    def _cte(self, name: str, select: exp.Select, comment: str) -> Cte:
        return Cte(self._question.cte(name), select, (), f"{name}: {comment}")

    def _counted_cte(self) -> Cte:
        """Hits that are alike, and how many they are; a list without hits is there as if it had one without a rank."""
        hits = self._joins.step_of(self._hits.key)
        groups: list[exp.Expr] = [tree.column(one, LISTS) for one in self._by]
        for key, sums in self._sizes.items():
            groups += [tree.named(tree.column(one, sums_name(self._question, key)), one) for one in sums.columns]
        groups += [tree.column(one, hits) for one in self._histogram.columns]
        n_alike = tree.named(exp.Count(this=exp.Star(), big_int=True), self._histogram.n_alike)
        select = exp.select(*groups, n_alike).from_(self._joins.lists(), copy=False)
        select.group_by(*(one.unalias().copy() for one in groups), copy=False)
        pairs = [
            (tree.column(one, LISTS), tree.column(one, hits))
            for one in self._joins.requirements.list_groups(self._hits.key)
        ]
        select.set("joins", [*self._joins.joins(self._sizes), left_join(hits, pairs)])
        comment = "how many hits are alike in rank, in number and in how much is relevant; a list may have none"
        return self._cte("hits_alike", self._joins.with_own_values(select, self._sizes), comment)

    def _cutoffs_cte(self) -> Cte:
        values, column = tree.column_of_values(map(tree.literal, self._cutoffs), "cutoffs", self._histogram.cutoff)
        return self._cte("cutoffs", exp.select(column).from_(values, copy=False), "the cutoffs, a row for each")

    def _sums_ctes(self, read: Container[str]) -> list[Cte]:
        """What is summed by the number of relevant items, and by the cutoff, as far as it is read."""
        found: list[Cte] = []
        for key in self._by_size:
            columns = {name: one.copy() for name, one in self._sums[key].columns.items() if name in read}
            groups = [*map(tree.column, self._joins.requirements.list_groups(key)), self._cutoff]
            select = tree.grouped(columns, groups, self._joins.step_of(key))
            select.append("joins", left_join(self._every_cutoff, []))
            comment = f"what is asked of {key.name}, per number of relevant items and cutoff"
            found += [*self._joins.ctes_of(key), Cte(self._sums_name(key), select, (), comment)]
        return found

    def _sums_name(self, key: StageKey) -> str:
        return self._question.cte(f"{key.name}_per_cutoff") if self._cutoffs else sums_name(self._question, key)

    def _added_cte(self, added: Mapping[str, exp.Expr]) -> Cte:
        """What each hit adds: what is measured of a list that has this hit and no other."""
        by_cutoff = [self._cutoff] if self._cutoffs else []
        columns: dict[str, exp.Expr] = {one: tree.column(one, self._counted) for one in self._by}
        columns |= {one.name: one for one in by_cutoff}
        columns |= {
            self._histogram.n_alike: tree.column(self._histogram.n_alike),
            self._histogram.n_first: self._histogram.firsts(),
        }
        select = tree.returning({**columns, **added}).from_(tree.table(self._counted), copy=False)
        joins = [left_join(one.table, []) for one in by_cutoff]
        for key in self._by_size:
            name = self._sums_name(key)
            pairs = [(self._of_hit(self._joins.size(key)), tree.column(N_RELEVANT, name))]
            pairs += [(one.copy(), tree.column(one.name, name)) for one in by_cutoff]
            joins.append(left_join(name, pairs))
        select.set("joins", joins)
        return self._cte("per_hit", select, "what each of these hits adds")

    def _of_hit(self, value: exp.Expr) -> exp.Expr:
        """What a list has that has one hit and no other, over the row of that hit."""
        value = value.copy()
        hits = self._hits.key
        for column in tree.find(value, exp.Column):
            if not column.table:
                of_hit: exp.Expr = self._of_hit(self._measured.columns[column.name])
            elif column.table == sums_name(self._question, hits):
                of_hit = of_one_hit(self._sums[hits].columns[column.name], self._counted)
            else:
                of_hit = tree.column(column.name, self._now_in.get(column.table, column.table))
            value = tree.put(value, column, exp.Paren(this=of_hit) if isinstance(of_hit, exp.Binary) else of_hit)
        return value

    def _at(self, name: str) -> exp.Expr:
        """What is made of the lists' values, from the row of its cutoff, or from any; over no rows, as it would be."""
        place = self._made.places.get(name)
        value: exp.Expr = tree.column(place.column if place else name)
        if place is not None:
            is_there = exp.EQ(this=tree.column(self._histogram.cutoff), expression=tree.literal(place.cutoff))
            value = exp.Case().when(is_there, value)
        of_none = None if self._by else _of_none(self._histogram.made[name])
        read = exp.Max(this=value)
        return read if of_none is None else exp.Coalesce(this=read, expressions=[of_none])


def _of_none(made: exp.Expr) -> exp.Expr | None:
    """What an expression over aggregates of lists is where there are none: of counts 0; None where it is NULL."""
    found = made.copy()
    for one in tree.find(found, exp.AggFunc):
        found = tree.put(found, one, tree.literal(0) if isinstance(one, exp.Count) else exp.Null())
    found = tree.drop_nulls(found)
    if isinstance(found, exp.Sub) and found.this == found.expression:
        return tree.literal(0)
    return None if tree.find(found, exp.Null) else found
