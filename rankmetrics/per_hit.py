"""Queries of hits that are alike: the hits counted, what is measured of them, and what each of them adds."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from rankmetrics import tree
from rankmetrics.adding import is_size, of_one_hit
from rankmetrics.alike import Alike
from rankmetrics.catalog import LISTS
from rankmetrics.joining import Joining, left_join
from rankmetrics.keys import Built, once


class PerHit:
    """What hits that are alike add to what is made of the lists' values.

    Args:
        alike: the values of lists, and which hits are alike for them.
        joining: the sums that these values are made of, and the lists.
        by: what the columns of the summary are called inside the query, by what the user calls them.
    """

    def __init__(self, alike: Alike, joining: Joining, by: Mapping[str, str]) -> None:
        self._alike = alike
        self._joining = joining
        self._by = by
        self._stages, self._measures = joining.stages, joining.measures
        self._measured = self._measures.made_of(alike.adds)
        sums = joining.sums_of(self._measured)
        self._hits = sums.pop(alike.hits.key)
        self._sizes = {key: one for key, one in sums.items() if is_size(one)}
        self._by_size = {key: one for key, one in sums.items() if key not in self._sizes}

    def ctes(self) -> list[Built]:
        """Every CTE in reading order, the last of them with what each of the hits adds."""
        stages = self._stages.ctes([self._stages.cte(self._hits.key.name)])
        sums = self._joining.ctes({**self._sizes, **self._by_size})
        own = [self._counted_cte(), self._measured_cte(), self._added_cte()]
        return once([*sums, *self._joining.lists_ctes(), *stages, *own])

    def _cte(self, name: str, select: exp.Select, comment: str) -> Built:
        return Built(self._stages.cte(name), select, [], f"{name}: {comment}")

    def _counted_cte(self) -> Built:
        """Hits that are alike, and how many they are; a list without hits is there as if it had one without a rank."""
        hits = self._stages.resolve(self._stages.cte(self._hits.key.name))
        groups: list[exp.Expr] = [tree.column(one, LISTS) for one in self._by.values()]
        for key, sums in self._sizes.items():
            groups += [tree.named(tree.column(one, self._measures.sums_name(key)), one) for one in sums.columns]
        groups += [tree.column(one, hits) for one in self._alike.columns]
        n_alike = tree.named(exp.Count(this=exp.Star(), big_int=True), self._alike.n_alike)
        select = exp.select(*groups, n_alike).from_(self._joining.lists(), copy=False)
        select.group_by(*(one.unalias().copy() for one in groups), copy=False)
        pairs = [(tree.column(one, LISTS), tree.column(one, hits)) for one in self._joining.groups(self._hits.key)]
        select.set("joins", [*self._joining.joins(self._sizes), left_join(hits, pairs)])
        comment = "how many hits are alike in rank, in number and in how much is relevant; a list may have none"
        return self._cte("hits_alike", self._joining.with_own(select, self._sizes), comment)

    def _measured_cte(self) -> Built:
        """What is measured of hits that are alike, as it would be of a list that has this hit and no other."""
        counted, hits = self._stages.cte("hits_alike"), self._measures.sums_name(self._hits.key)
        sizes = [self._measures.sums_name(key) for key in self._sizes]
        ids = [tree.column(one, counted) for one in self._by.values()]
        weights = [tree.column(self._alike.n_alike), tree.named(self._alike.firsts(), self._alike.n_first)]
        values = [tree.named(one.copy(), name) for name, one in self._measured.items()]
        select = exp.select(*ids, *weights, *values).from_(tree.table(counted), copy=False)
        select.set("joins", self._joining.joins(self._by_size))

        def of_hit(column: exp.Column) -> exp.Expr | None:
            if column.table == hits:
                return of_one_hit(self._hits.columns[column.name], counted)
            return tree.column(column.name, counted) if column.table in sizes else None

        tree.replace_columns(select, of_hit)
        return self._cte("measured_alike", select, "hits that are alike, with what is measured of each")

    def _added_cte(self) -> Built:
        ids = [tree.aliased(tree.column(inside), name) for name, inside in self._by.items()]
        weights = [tree.column(self._alike.n_alike), tree.column(self._alike.n_first)]
        values = [tree.named(self._measures.values[label].copy(), label) for label in self._alike.adds]
        select = exp.select(*ids, *weights, *values).from_(tree.table(self._stages.cte("measured_alike")), copy=False)
        return self._cte("per_hit", select, "what each of these hits adds")
