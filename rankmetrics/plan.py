"""From metrics to one query: each expression once, one aggregate per stage, nothing that nobody reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from sqlglot import exp

from rankmetrics import tree
from rankmetrics.aggregates import MEAN, Aggregate
from rankmetrics.catalog import LISTS, METRICS, N_LISTS, catalog
from rankmetrics.columns import BY_LIST, Layout
from rankmetrics.errors import ColumnError, InputError, MetricError, names
from rankmetrics.keys import Built, Key
from rankmetrics.measures import Measures, Sums, offers
from rankmetrics.metric import Metric
from rankmetrics.stages import Stages
from rankmetrics.summing import summed

N_RELEVANT = "n_relevant"
UNDEFINED = "undefined "


class Plan:
    """The query for some metrics over the inputs.

    Args:
        metrics: what to compute, each under its label.
        layout: what the columns of the inputs are for.
        tables: the inputs, `recs` and `truth` among them, as they stand after FROM.
        aggregates: what is made of the lists' values in the summary.
        taken: names of tables, in lower case, that no part of the query may have.
        counts: whether to count what belongs beside the means: for how many lists each metric is undefined, and those
            counts of the account that are made of metrics.

    Raises:
        ColumnError: a metric needs a rating and the truth has none, or a list column has a metric's label.
        InputError: a metric needs an input that was not given.
    """

    whole = False  # whether all of the inputs is read, whatever the metrics need of them

    def __init__(
        self,
        metrics: Sequence[Metric],
        layout: Layout,
        tables: Mapping[str, exp.Expr],
        aggregates: Sequence[Aggregate] = (MEAN,),
        *,
        taken: frozenset[str] = frozenset(),
        counts: bool = False,
    ) -> None:
        self.metrics = metrics
        self.of_lists = [one for one in metrics if not one.is_run]
        self.of_runs = [one for one in metrics if one.is_run]
        self.layout = layout
        self.aggregates = aggregates
        self._refuse_labels()
        whose = [one for one in metrics if not one.is_run or catalog().is_of_lists(one.name)] or metrics
        missing = list(dict.fromkeys(str(one.values["missing"]) for one in whose))
        self._refuse_missing(missing)
        self.stages = Stages(layout, tables, missing, taken, whole=self.whole)
        self.measures = Measures(metrics, layout, self.stages)
        self.depth = self.measures.depth()
        self.counts = self._resolve_counts() if counts else {}
        self._name_lists()
        self._lists = self.stages.key(LISTS, {})
        self.stages.want(self._lists, set(), None)
        self._want_sizes()
        self._joins = [self._join(sums) for sums in self.measures.sums.values()]
        self._want_more()
        self.stages.build()

    def _refuse_missing(self, missing: Sequence[str]) -> None:
        """Refuse to take the lists of an input that there is not, or that does not know them as the truth does."""
        for name in (one for one in missing if one in BY_LIST):
            if name not in self.layout.extras:
                raise InputError(f"missing={name} takes the lists of the {name}, and there is none: give {name}=.")
            has, wanted = self.layout.side(name).lists, self.layout.truth_lists
            if set(has) != set(wanted):
                raise ColumnError(
                    f"missing={name} takes the lists of the {name} in the place of those of the truth, and they are "
                    f"identified by {names(has)}, those of the truth by {names(wanted)}."
                )

    def _name_lists(self) -> None:
        found = self.measures
        sums = [*found.sums.values(), *found.run_sums.values()]
        self.stages.name_lists(
            [*found.values, *found.measured, *found.flags, *(n for one in sums for n in one.columns)]
        )

    def _want_more(self) -> None:
        """Where a larger query asks for more stages."""

    @property
    def columns(self) -> list[str]:
        """What the summary returns of the metrics: the aggregates of those of lists, and those of systems."""
        return [
            name
            for one in self.metrics
            for name in ([one.label] if one.is_run else [aggregate.label(one.label) for aggregate in self.aggregates])
        ]

    def _refuse_labels(self) -> None:
        labels = {metric.label.lower() for metric in self.of_lists}
        headings = {N_LISTS, *(name.lower() for name in self.columns)}
        taken = [name for name in self.layout.lists if name.lower() in labels]
        taken += [name for name in self.layout.by if name.lower() in headings]
        if taken:
            raise ColumnError(f"The result would have two columns called {taken[0]!r}: rename the list column.")

    def _resolve_counts(self) -> dict[str, exp.Expr]:
        """What is counted of the lists, as aggregates over one row per list."""
        counts: dict[str, exp.Expr] = {}
        for one in self.of_lists:
            defined = exp.Count(this=tree.column(one.label))
            counts[f"{UNDEFINED}{one.label}"] = exp.Sub(this=self.measures.count(one), expression=defined)
        for definition in catalog().all("account"):
            if definition.reads == METRICS and offers(self.layout, definition.fields.get("needs")):
                for part in sorted(tree.columns_read(definition.select)):
                    self.measures.part(part, self.depth)
                counts[definition.name] = definition.expression
        return counts

    # --- the query --------------------------------------------------------------------------------------------------

    def _groups(self, key: Key) -> list[str]:
        """The columns that the rows of a stage are summed by for a list.

        Those of a list, or of what it is part of; or the number of relevant items; none, where all lists share a row.
        """
        offered = tree.outputs(self.stages.definition(key).select)
        id_name = next((one for one in tree.IDS if one in offered), None)
        if id_name is None and self.stages.definition(key).name != key.stage and N_RELEVANT in offered:
            return [N_RELEVANT]
        return self.stages.inside(id_name) if id_name else []

    def _system_groups(self, key: Key) -> list[str]:
        """The columns that the rows of a stage are summed by for a system; none, where all systems share a row."""
        offered = tree.outputs(self.stages.definition(key).select)
        return self.stages.inside("by_id") if {"by_id", "list_id"} & set(offered) else []

    def _want_sizes(self) -> None:
        """What is summed by the number of relevant items needs that number of each list, to be joined by."""
        self._sizes: dict[Key, exp.Expr] = {}
        for key in list(self.measures.sums):
            if self._groups(key) == [N_RELEVANT]:
                depth = self.stages.wanted(key).depth
                assert depth is not None
                self._sizes[key] = tree.least(tree.literal(depth), self.measures.size(dict(key.settings)).copy())
                self.stages.want(key, {N_RELEVANT}, depth)

    def _join(self, sums: Sums) -> exp.Join:
        """How the aggregates of a stage join the lists: by the columns that identify a row of theirs."""
        name, size = self.measures.sums_name(sums.key), self._sizes.get(sums.key)
        return _left_join(
            name, [(size or tree.column(one, LISTS), tree.column(one, name)) for one in self._groups(sums.key)]
        )

    def _sums_cte(self, sums: Sums, *, of_runs: bool = False) -> Built:
        key = sums.key
        groups = self._system_groups(key) if of_runs else self._groups(key)
        own = {} if of_runs or not self.stages.is_grouped(key) else _own_values(sums)
        stage = tree.table(self.stages.resolve(self.stages.cte(key.name)))
        per = "system" if of_runs else "number of relevant items" if key in self._sizes else "list"
        comment = f"what is asked of {key.name}, per {per}" if groups else f"what is asked of {key.name}"
        select = summed(stage, groups, own or sums.columns, self.stages.wanted(key).depth)
        return Built(
            self.measures.sums_name(key, of_runs=of_runs),
            select.group_by(*map(tree.column, groups), copy=False) if groups and not own else select,
            [],
            comment,
        )

    def ctes(self) -> list[Built]:
        """Every CTE of the query in reading order, the last of them `measured`: what is measured of each list."""
        found = self._sums_ctes(self.measures.sums, of_runs=False)
        for built in [*self.stages.ctes([self.stages.cte(self._lists.name)]), self._measured_cte()]:
            found.setdefault(built.name, built)
        return list(found.values())

    def _sums_ctes(self, sums_of: Mapping[Key, Sums], *, of_runs: bool) -> dict[str, Built]:
        """The CTEs of sums, each after the stages that it reads."""
        found: dict[str, Built] = {}
        for sums in sums_of.values():
            if not of_runs and self._is_of_lists(sums):
                continue
            for built in [*self.stages.ctes([self.stages.cte(sums.key.name)]), self._sums_cte(sums, of_runs=of_runs)]:
                found.setdefault(built.name, built)
        return found

    def _is_of_lists(self, sums: Sums) -> bool:
        """Whether what is asked of a stage stands in the rows of the lists themselves, which are taken from it."""
        read = self.stages.resolve(self.stages.cte(self._lists.name))
        return read == self.stages.resolve(self.stages.cte(sums.key.name)) and bool(_own_values(sums))

    def _measured_cte(self) -> Built:
        columns = [tree.column(one, LISTS) for one in (*self.stages.inside("list_id"), *self.measures.flags)]
        values = [tree.named(one.copy(), name) for name, one in self.measures.measured.items()]
        select = exp.select(*columns, *values).from_(
            tree.table(self.stages.resolve(self.stages.cte(self._lists.name)), LISTS), copy=False
        )
        by_size = {self.measures.sums_name(key) for key in self._sizes}  # they hang on the counts, so they join last
        own = {
            self.measures.sums_name(one.key): _own_values(one)
            for one in self.measures.sums.values()
            if self._is_of_lists(one)
        }
        for join in sorted(self._joins, key=lambda join: join.this.name in by_size):
            if join.this.name not in own:
                select.append("joins", join.copy())
        tree.replace_columns(select, lambda one: _of_list(own[one.table][one.name]) if one.table in own else None)
        return Built(self.stages.cte("measured"), select, [], "measured: each list with what was measured of it")

    def per_list_select(self, labels: Iterable[str], flags: Iterable[str] = ()) -> exp.Select:
        """Each list under the user's names, with what is known of it under these labels; reads `measured`."""
        ids = [tree.aliased(tree.column(self.stages.internal(one)), one) for one in self.layout.lists]
        values = [tree.named(self.measures.values[label].copy(), label) for label in labels]
        return exp.select(*ids, *map(tree.column, flags), *values).from_(
            tree.table(self.stages.cte("measured")), copy=False
        )

    def per_list(self) -> exp.Select:
        """The query for one row per list: the list columns, then a column per metric.

        Raises:
            MetricError: every metric is one of a system.
        """
        if not self.of_lists:
            numbers = "is a number" if len(self.of_runs) == 1 else "are numbers"
            raise MetricError(
                f"{names(one.label for one in self.of_runs)} {numbers} of a system: there is nothing per list."
            )
        return with_ctes(self.ctes(), self.per_list_select(one.label for one in self.of_lists))

    def per_list_cte(self) -> Built:
        """One row per list as a CTE, with what is counted of it."""
        select = self.per_list_select(self.measures.values, self.measures.flags)
        return Built(self.stages.cte("per_list"), select, [], "per_list: one row per list")

    def summary(self) -> exp.Select:
        """The query for one row per system: the columns of `by`, how many lists, what is made of the values, counts."""
        ctes, select = self.summary_parts()
        by = select.expressions[: len(self.layout.by)]
        order = [exp.Ordered(this=one.unalias().copy(), nulls_first=False) for one in by]
        return with_ctes(ctes, select.order_by(*order, copy=False) if order else select)

    def summary_parts(self) -> tuple[list[Built], exp.Select]:
        """The CTEs of the summary, in reading order, and what reads them, in no order."""
        per_list = self.per_list_cte()
        by = [tree.column(one) for one in self.layout.by]
        found: dict[str, exp.Expr] = {N_LISTS: exp.Count(this=exp.Star(), big_int=True)}
        for one in self.of_lists:
            found |= {each.label(one.label): each.of(tree.column(one.label)) for each in self.aggregates}
        found |= self.measures.of_lists
        counts = {name: one.copy() for name, one in self.counts.items()}
        select = _returning({**found, **counts}, by).from_(tree.table(per_list.name), copy=False)
        select = select.group_by(*by, copy=False) if by else select
        ctes = [*self.ctes(), per_list]
        if self.of_runs:
            means = Built(self.stages.cte("means"), select, [], "means: what is made of the lists' values, per system")
            known = {one.name for one in ctes}
            of_runs = self._sums_ctes(self.measures.run_sums, of_runs=True)
            ctes += [means, *(one for one in of_runs.values() if one.name not in known)]
            by = [tree.column(one, means.name) for one in self.layout.by]
            returned = {
                one: self.measures.runs[one].copy() if one in self.measures.runs else tree.column(one)
                for one in (N_LISTS, *self.columns, *counts)
            }
            select = _returning(returned, by).from_(tree.table(means.name), copy=False)
            for sums in self.measures.run_sums.values():
                name = self.measures.sums_name(sums.key, of_runs=True)
                inside = dict(zip(self._system_groups(sums.key), by))  # noqa: B905  # none, where all share a row
                select.append(
                    "joins", _left_join(name, [(mine, tree.column(one, name)) for one, mine in inside.items()])
                )
        return ctes, select


def _own_values(sums: Sums) -> dict[str, exp.Expr]:
    """What is asked of a stage that has one row per list, as what stands in that row; nothing, if it is not there."""
    own = {name: tree.of_one_row(one) for name, one in sums.columns.items()}
    return {name: one for name, one in own.items() if one is not None} if all(own.values()) else {}


def _of_list(value: exp.Expr) -> exp.Expr:
    """A value of a list's row where the row is called `lists`."""
    return tree.replace_columns(value.copy(), lambda one: tree.column(one.name, LISTS))


def _returning(columns: Mapping[str, exp.Expr], by: Sequence[exp.Column]) -> exp.Select:
    """A SELECT of the columns of `by`, and of others under their names."""
    return exp.select(
        *(tree.aliased(one.copy(), one.name) for one in by),
        *(tree.named(one, name) for name, one in columns.items()),
    )


def _left_join(name: str, pairs: Sequence[tuple[exp.Expr, exp.Expr]]) -> exp.Join:
    """A join of the rows that have these pairs equal, or of the one row there is."""
    if not pairs:
        return exp.Join(this=tree.table(name), kind="CROSS")
    on = exp.and_(*[exp.EQ(this=left, expression=right) for left, right in pairs], copy=False)
    return exp.Join(this=tree.table(name), on=on, side="LEFT")


Query = TypeVar("Query", bound=exp.Query)


def with_ctes(ctes: Sequence[Built], select: Query) -> Query:
    """A query under its CTEs, each with its comment, every identifier quoted.

    The trees of the CTEs are the plan's own: who edits the query copies it.
    """
    for built in ctes:
        inner = first = built.select
        while isinstance(first, exp.SetOperation):
            first = first.this
        first.comments = [f" {built.comment}"]
        name = exp.to_identifier(built.name, quoted=True)
        select = select.with_(name, as_=inner, materialized=built.kept, copy=False)
    tree.quote(select)
    return select
