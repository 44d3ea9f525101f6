"""Queries of hits that are alike: the hits counted, what each adds at each cutoff, and what all of them come to."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS
from rankmetrics.planner.hit_histogram.additive import N_RELEVANT, is_size, of_one_hit
from rankmetrics.planner.hit_histogram.cutoffs import Place, folded
from rankmetrics.planner.hit_histogram.metrics import Alike, labels_of
from rankmetrics.planner.joins import Joins, left_join
from rankmetrics.planner.model import Built, Key, once
from rankmetrics.sqltree import tree


class PerHit:
    """What is made of the lists' values, from hits that are alike.

    Args:
        alike: the values of lists, and which hits are alike for them.
        joins: the sums that these values are made of, and the lists.
        by: the columns that the summary is grouped by.
    """

    def __init__(self, alike: Alike, joins: Joins, by: Sequence[str]) -> None:
        self._joins = joins
        self._by = by
        self._stages, self._formulas = joins.stages, joins.formulas
        measured = self._formulas.made_of(alike.adds)
        sums = joins.sums_of(measured)
        self._hits = sums.pop(alike.hits.key)
        self._sizes = {key: one for key, one in sums.items() if is_size(one)}
        self._by_size = {key: one for key, one in sums.items() if key not in self._sizes}
        self._counted, self._every_cutoff = (self._stages.cte(one) for one in ("hit_histogram", "cutoffs"))
        self._cutoff = tree.column(alike.cutoff, self._every_cutoff)
        self._fold(alike, measured)
        self._now_in = {self._formulas.sums_name(key): self._counted for key in self._sizes}
        self._now_in |= {self._formulas.sums_name(key): self._sums_name(key) for key in self._by_size}

    def _fold(self, alike: Alike, measured: Mapping[str, exp.Expr]) -> None:
        """Say once what is the same at several cutoffs: from the sums up to what is made of the lists' values."""
        sums = [self._hits, *self._by_size.values()]
        self._sums = {one.key: folded(one.columns, self._cutoff, {}) for one in sums}
        below: dict[tuple[str, str], Place] = {}
        for key, one in self._sums.items():
            below |= one.below(self._formulas.sums_name(key))
        self._measured = folded(measured, self._cutoff, below)
        of_lists = {label: self._formulas.values[label] for label in alike.adds}
        self._values = folded(of_lists, self._cutoff, {**below, **self._measured.below()})
        self._made = folded(alike.made, self._cutoff, self._values.below())
        self._cutoffs = sorted({one.cutoff for one in self._made.places.values()})
        at = {one.column: alike.adds[label] for label, one in self._values.places.items()}
        self._alike = replace(alike, adds={**alike.adds, **at})

    def query(self) -> tuple[list[Built], exp.Select]:
        """Every CTE in reading order, and what reads them: one row per system."""
        stages = [*self._joins.lists_ctes(), *self._stages.ctes([self._stages.cte(self._hits.key.name)])]
        ctes = [*self._joins.ctes(self._sizes), *stages, self._counted_cte()]
        by = [tree.column(one) for one in self._by]
        made = {name: self._alike.weighed(one) for name, one in self._made.fewest.items()}
        read = labels_of(self._made.fewest.values())
        added = {name: self._of_hit(one) for name, one in self._values.columns.items() if name in read}
        if not self._cutoffs:
            ctes += [*self._joins.ctes(self._by_size), self._added_cte(added)]
            return once(ctes), tree.grouped(made, by, ctes[-1].name)
        ctes += [self._cutoffs_cte(), *self._sums_ctes(labels_of(added.values())), self._added_cte(added)]
        per_cutoff = tree.grouped(made, [*by, tree.column(self._alike.cutoff)], ctes[-1].name)
        comment = "the means and other aggregates over lists, per system and cutoff"
        ctes.append(self._cte("of_cutoffs", per_cutoff, comment))
        return once(ctes), tree.grouped({name: self._at(name) for name in self._alike.made}, by, ctes[-1].name)

    def _cte(self, name: str, select: exp.Select, comment: str) -> Built:
        return Built(self._stages.cte(name), select, [], f"{name}: {comment}")

    def _counted_cte(self) -> Built:
        """Hits that are alike, and how many they are; a list without hits is there as if it had one without a rank."""
        hits = self._stages.resolve(self._stages.cte(self._hits.key.name))
        groups: list[exp.Expr] = [tree.column(one, LISTS) for one in self._by]
        for key, sums in self._sizes.items():
            groups += [tree.named(tree.column(one, self._formulas.sums_name(key)), one) for one in sums.columns]
        groups += [tree.column(one, hits) for one in self._alike.columns]
        n_alike = tree.named(exp.Count(this=exp.Star(), big_int=True), self._alike.n_alike)
        select = exp.select(*groups, n_alike).from_(self._joins.lists(), copy=False)
        select.group_by(*(one.unalias().copy() for one in groups), copy=False)
        pairs = [(tree.column(one, LISTS), tree.column(one, hits)) for one in self._joins.groups(self._hits.key)]
        select.set("joins", [*self._joins.joins(self._sizes), left_join(hits, pairs)])
        comment = (
            "the hits, counted by rank, hit number and relevant items; a list without hits has a row without a rank"
        )
        return self._cte("hit_histogram", self._joins.with_own(select, self._sizes), comment)

    def _cutoffs_cte(self) -> Built:
        values, column = tree.column_of_values(map(tree.literal, self._cutoffs), "cutoffs", self._alike.cutoff)
        return self._cte("cutoffs", exp.select(column).from_(values, copy=False), "the cutoffs, a row for each")

    def _sums_ctes(self, read: Container[str]) -> list[Built]:
        """What is summed by the number of relevant items, and by the cutoff, as far as it is read."""
        found: list[Built] = []
        for key in self._by_size:
            stage = self._stages.cte(key.name)
            columns = {name: one.copy() for name, one in self._sums[key].columns.items() if name in read}
            groups = [*map(tree.column, self._joins.groups(key)), self._cutoff]
            select = tree.grouped(columns, groups, self._stages.resolve(stage))
            select.append("joins", left_join(self._every_cutoff, []))
            comment = f"aggregates of {self._stages.resolve(stage)}, per number of relevant items and cutoff"
            found += [*self._stages.ctes([stage]), Built(self._sums_name(key), select, [], comment)]
        return found

    def _sums_name(self, key: Key) -> str:
        return self._stages.cte(f"{key.name}_per_cutoff") if self._cutoffs else self._formulas.sums_name(key)

    def _added_cte(self, added: Mapping[str, exp.Expr]) -> Built:
        """What each hit adds: what is measured of a list that has this hit and no other."""
        by_cutoff = [self._cutoff] if self._cutoffs else []
        columns: dict[str, exp.Expr] = {one: tree.column(one, self._counted) for one in self._by}
        columns |= {one.name: one for one in by_cutoff}
        columns |= {self._alike.n_alike: tree.column(self._alike.n_alike), self._alike.n_first: self._alike.firsts()}
        select = tree.returning({**columns, **added}).from_(tree.table(self._counted), copy=False)
        joins = [left_join(one.table, []) for one in by_cutoff]
        for key in self._by_size:
            name = self._sums_name(key)
            pairs = [(self._of_hit(self._joins.size(key)), tree.column(N_RELEVANT, name))]
            pairs += [(one.copy(), tree.column(one.name, name)) for one in by_cutoff]
            joins.append(left_join(name, pairs))
        select.set("joins", joins)
        return self._cte("per_hit", select, "the amount that each row of hit_histogram adds")

    def _of_hit(self, value: exp.Expr) -> exp.Expr:
        """What a list has that has one hit and no other, over the row of that hit."""
        value = value.copy()
        hits = self._hits.key
        for column in tree.find(value, exp.Column):
            if not column.table:
                of_hit: exp.Expr = self._of_hit(self._measured.columns[column.name])
            elif column.table == self._formulas.sums_name(hits):
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
            is_there = exp.EQ(this=tree.column(self._alike.cutoff), expression=tree.literal(place.cutoff))
            value = exp.Case().when(is_there, value)
        of_none = None if self._by else _of_none(self._alike.made[name])
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
