"""From metrics to one query: each expression once, one aggregate per stage, nothing that nobody reads."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from sqlglot import exp

from rankmetrics.errors import ColumnError, InputError, MetricError, Option, names
from rankmetrics.inputs.columns import BY_LIST, Layout
from rankmetrics.metrics.catalog import LISTS, METRICS, N_LISTS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.label import Settings
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.planner.formulas import Formulas, offers
from rankmetrics.planner.hit_histogram.additive import HIT_NUMBER
from rankmetrics.planner.hit_histogram.metrics import alike, labels_of
from rankmetrics.planner.hit_histogram.query import PerHit
from rankmetrics.planner.joins import Joins, left_join
from rankmetrics.planner.model import Built, once
from rankmetrics.planner.stages import Stages
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name, headed, name_lists

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
        self.formulas = Formulas(metrics, layout, self.stages)
        self.counts = self._resolve_counts() if counts else {}
        self._lists = self.stages.key(LISTS, {})
        self.stages.want(self._lists, set(), None)
        self.joins = Joins(self.formulas, self.stages, self._lists)
        self._alike = alike(self.formulas, self.joins.by_size, lambda: self._made)
        if self._alike:
            self.stages.want(self._alike.hits.key, {HIT_NUMBER}, within=0)
        self._want_more()
        self.stages.build()

    def _refuse_missing(self, missing: Sequence[str]) -> None:
        """Refuse to take the lists of an input that there is not, or that does not know them as the truth does."""
        for name in (one for one in missing if one in BY_LIST):
            if name not in self.layout.extras:
                raise InputError(
                    Option("missing", name),
                    f" takes the lists of the {name}, and there is none: give ",
                    Option(name),
                    ".",
                )
            has, wanted = self.layout.side(name).lists, self.layout.truth_lists
            if set(has) != set(wanted):
                raise ColumnError(
                    Option("missing", name),
                    f" takes the lists of the {name} in the place of those of the truth, and they are identified by "
                    f"{names(has)}, those of the truth by {names(wanted)}.",
                )

    def _want_more(self) -> None:
        """Where a larger query asks for more stages."""

    @cached_property
    def depth(self) -> int | None:
        """The deepest cutoff of the metrics; None where any of them looks at whole lists."""
        cutoffs = {one.values["k"] for one in self.metrics if "k" in one.values}
        return None if None in cutoffs else max((one for one in cutoffs if isinstance(one, int)), default=None)

    @cached_property
    def policies(self) -> Settings:
        """The policies that all metrics are measured under: what is counted beside the metrics is under these, too.

        A policy that differs between metrics is left out: it is by default then.
        """
        settled = [self.formulas.settled(one) for one in self.metrics]
        names = [one.name for one in catalog().all("policy")]
        chosen = {name: {values[name] for values in settled if name in values} for name in names}
        return {name: of.pop() for name, of in chosen.items() if len(of) == 1}

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

    @property
    def count_names(self) -> list[str]:
        """The names of the counts of lists that stand behind the metrics where counts are asked for."""
        return [*(f"{UNDEFINED}{one.label}" for one in self.of_lists), *(one.name for one in self._counts_of_metrics())]

    def _counts_of_metrics(self) -> list[Definition]:
        """The counts of the account that are made of metrics and that the inputs suffice for."""
        return [
            one
            for one in catalog().all("account")
            if one.reads == METRICS and offers(self.layout, one.fields.get("needs"))
        ]

    def _resolve_counts(self) -> dict[str, exp.Expr]:
        """The counts of lists by their names, as aggregates over one row per list."""
        counts: list[exp.Expr] = []
        for one in self.of_lists:
            defined = exp.Count(this=tree.column(one.label))
            counts.append(exp.Sub(this=self.formulas.count(one), expression=defined))
        for definition in self._counts_of_metrics():
            for part in sorted(tree.columns_read(definition.select)):
                self.formulas.part(part, {**self.policies, "k": self.depth})
            counts.append(definition.expression)
        return dict(zip(self.count_names, counts, strict=True))

    # --- the query --------------------------------------------------------------------------------------------------

    def ctes(self, labels: Iterable[str] | None = None) -> list[Built]:
        """Every CTE of the query in reading order, the last of them `measured`: what is measured of each list.

        All that is measured, or what these values of a list are made of.
        """
        measured = self.formulas.made_of(self.formulas.values if labels is None else labels)
        sums = self.joins.sums_of(measured, self._alike.hits.key if self._alike else None)
        columns = [tree.column(one, LISTS) for one in (*self.stages.inside("list_id"), *self.formulas.flags)]
        values = [tree.named(one.copy(), name) for name, one in measured.items()]
        select = exp.select(*columns, *values).from_(self.joins.lists(), copy=False)
        select.set("joins", self.joins.joins(sums))
        comment = "measured: each list with what was measured of it"
        last = Built(self.stages.cte("measured"), self.joins.with_own(select, sums), [], comment)
        return once([*self.joins.ctes(sums), *self.joins.lists_ctes(), last])

    def per_list_select(self, labels: Iterable[str], flags: Iterable[str] = ()) -> exp.Select:
        """Each list with what is known of it under these labels; reads `measured`."""
        columns = map(tree.column, (*self.stages.inside("list_id"), *flags))
        values = [tree.named(self.formulas.values[label].copy(), label) for label in labels]
        return exp.select(*columns, *values).from_(tree.table(self.stages.cte("measured")), copy=False)

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
        labels = [one.label for one in self.of_lists]
        return with_ctes(self.ctes(), headed(self.per_list_select(labels), [*self.layout.lists, *labels]))

    def per_list_cte(self, labels: Iterable[str] | None = None) -> Built:
        """One row per list as a CTE, with what is counted of it: all of it, or these values."""
        values = self.formulas.values if labels is None else [one for one in self.formulas.values if one in labels]
        select = self.per_list_select(values, self.formulas.flags)
        return Built(self.stages.cte("per_list"), select, [], "per_list: one row per list")

    def summary(self) -> exp.Select:
        """The query for one row per system: the columns of `by`, how many lists, what is made of the values, counts."""
        ctes, select = self.summary_parts()
        return with_ctes(ctes, headed(self.in_order(select), [*self.layout.by, *self.headings]))

    @property
    def headings(self) -> list[str]:
        """The columns of the summary behind those of `by`: a count is called otherwise where `by` has its name."""
        counts = [free_name(one, self.layout.by) for one in self.counts]
        return [N_LISTS, *self.columns, *counts]

    def in_order(self, select: exp.Select) -> exp.Select:
        """A SELECT, itself, that returns its rows in the order of its first columns, which are those of `by`."""
        by = select.expressions[: len(self.layout.by)]
        order = [exp.Ordered(this=one.unalias().copy(), nulls_first=False) for one in by]
        return select.order_by(*order, copy=False) if order else select

    def summary_parts(self) -> tuple[list[Built], exp.Select]:
        """The CTEs of the summary, in reading order, and what reads them, in no order."""
        ctes, select = self._means()
        if self.of_runs:
            means = Built(self.stages.cte("means"), select, [], "means: what is made of the lists' values, per system")
            ctes = once([*ctes, means, *self.joins.ctes(self.formulas.run_sums, of_runs=True)])
            by = [tree.column(one, means.name) for one in self.stages.inside("by_id")]
            returned = {
                one: self.formulas.runs[one].copy() if one in self.formulas.runs else tree.column(one)
                for one in (N_LISTS, *self.columns, *self.counts)
            }
            select = tree.returning(returned, by).from_(tree.table(means.name), copy=False)
            for sums in self.formulas.run_sums.values():
                name = self.formulas.sums_name(sums.key, of_runs=True)
                shared = self.joins.system_groups(sums.key)  # none, where all systems share a row
                pairs = [(mine, tree.column(mine.name, name)) for mine in by if mine.name in shared]
                select.append("joins", left_join(name, pairs))
        return ctes, select

    @cached_property
    def _made(self) -> dict[str, exp.Expr]:
        """What the summary makes of the lists' values, as aggregates over lists."""
        made: dict[str, exp.Expr] = {N_LISTS: exp.Count(this=exp.Star(), big_int=True)}
        for one in self.of_lists:
            made |= {each.label(one.label): each.of(tree.column(one.label)) for each in self.aggregates}
        return {**made, **self.formulas.of_lists, **self.counts}

    def _made_of_lists(self, left_out: Container[str] = ()) -> dict[str, exp.Expr]:
        """The same, or what is left of it, for a query to edit."""
        return {name: one.copy() for name, one in self._made.items() if name not in left_out}

    def _means(self) -> tuple[list[Built], exp.Select]:
        """The CTEs of what is made of the lists' values, and what reads them: lists, hits that are alike, or both."""
        alike, by = self._alike, [tree.column(one) for one in self.stages.inside("by_id")]
        if alike is None:
            per_list = self.per_list_cte()
            return [*self.ctes(), per_list], tree.grouped(self._made_of_lists(), by, per_list.name)
        ctes, from_hits = PerHit(alike, self.joins, self.stages.inside("by_id")).query()
        rest = self._made_of_lists(alike.made)
        if not rest:
            return ctes, from_hits
        labels = labels_of(rest.values())
        per_list = self.per_list_cte(labels)
        comment = "what is made of the lists' values, per system"
        parts = [
            Built(self.stages.cte(name), select, [], f"{name}: {comment}")
            for name, select in (("of_lists", tree.grouped(rest, by, per_list.name)), ("of_hits", from_hits))
        ]
        lists, hits = (one.name for one in parts)
        by = [tree.column(one.name, lists) for one in by]
        select = tree.returning({name: tree.column(name) for name in self._made}, by)
        select = select.from_(tree.table(lists), copy=False)
        select.append("joins", left_join(hits, [(one.copy(), tree.column(one.name, hits)) for one in by]))
        return once([*self.ctes(labels), per_list, *ctes, *parts]), select


Query = TypeVar("Query", bound=exp.Query)


def with_ctes(ctes: Sequence[Built], select: Query) -> Query:
    """A query under its CTEs, each with its comment, every identifier quoted.

    The query is the caller's, to edit as it likes: what the plan has in other queries, too, is copied.
    """
    for built in ctes:
        inner = first = built.select.copy() if built.shared else built.select
        while isinstance(first, exp.SetOperation):
            first = first.this
        first.comments = [f" {built.comment}"]
        name = exp.to_identifier(built.name, quoted=True)
        select = select.with_(name, as_=inner, materialized=built.kept, copy=False)
    name_lists(select)
    tree.quote(select)
    return select
