"""The question that a query answers: metrics over the columns of inputs, and the policies of the computation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from sqlglot import exp

from rankmetrics.errors import MetricError, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import METRICS, MISSING, N_LISTS, UNDEFINED, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.intervals import MeanIntervals, is_end
from rankmetrics.metrics.metric import Metric, Setting
from rankmetrics.metrics.summaries import MEAN, Aggregate, aggregates_of, error_of
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, free_name, unnamed


@dataclass(frozen=True)
class Diagnostics:
    """The rows of diagnostics that a query returns."""

    counts_idle: bool = False  # whether equal scores are counted even where a rank column decides the order
    names: frozenset[str] | None = None  # the counts that are computed; None for all
    samples: tuple[str, ...] = ()  # the stages whose rows are returned as samples
    beside_metrics: bool = False  # whether the metrics are computed, too
    of_all_lists: bool = False  # whether the counts of a sample of lists are counted over all lists


@dataclass(frozen=True)
class Question:
    """The question that a query answers."""

    metrics: tuple[Metric, ...]  # what to compute, each under its label
    layout: Layout  # what the columns of the inputs are for
    # the inputs, `recs` and `truth` among them, as they appear after FROM
    tables: Mapping[str, exp.Expr] = field(repr=False)
    aggregates: tuple[Aggregate, ...] = (MEAN,)  # what the summary computes from the values of the lists
    taken: frozenset[str] = frozenset()  # names of tables, in lower case, that no step of the query may have
    # whether to count, besides the means, the lists for which each metric is undefined, and the diagnostics that are
    # computed from metrics
    counts: bool = False
    count_kinds: tuple[str, ...] = ()  # which of these counts: `missing`, `undefined`; all of them if there are none
    diagnostics: Diagnostics | None = None  # the rows of diagnostics to return; None for none
    # the dialect of the engine that is about to run the query; None for a text that runs elsewhere
    runs_on: str | None = None
    passes_off: frozenset[str] = frozenset()  # the names of the passes that are switched off
    assumed: frozenset[str] = frozenset()  # what the user says of the inputs beforehand; see `assumptions.py`
    computed: frozenset[str] = frozenset()  # the inputs that the engine computes each time, as a SELECT with joins
    # parts of metrics that are computed of each list besides the metrics, such as `n_history`
    numbers: tuple[str, ...] = ()

    @property
    def of_lists(self) -> list[Metric]:
        """The metrics that have a number for each list."""
        return [metric for metric in self.metrics if not metric.is_run]

    @property
    def of_systems(self) -> list[Metric]:
        """The metrics that have one number for each system."""
        return [metric for metric in self.metrics if metric.is_run]

    @property
    def measures(self) -> bool:
        """True if the metrics are computed: diagnostics alone need only know how deep the metrics look."""
        return self.diagnostics is None or self.counts or self.diagnostics.beside_metrics

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The choices of `missing` that the metrics have; of several, each metric has its own lists."""
        of_lists = [metric for metric in self.metrics if not metric.is_run or catalog().is_of_lists(metric.name)]
        return tuple(dict.fromkeys(str(metric.values["missing"]) for metric in of_lists or self.metrics))

    @cached_property
    def depth(self) -> int | None:
        """The deepest cutoff of the metrics; None where any metric looks at whole lists."""
        cutoffs = {metric.values["k"] for metric in self.metrics if "k" in metric.values}
        return None if None in cutoffs else max((cutoff for cutoff in cutoffs if isinstance(cutoff, int)), default=None)

    def values_of(self, parameter: str) -> list[Setting]:
        """The values of a parameter, of each metric for which it has one."""
        return [value for metric in self.metrics if (value := metric.values.get(parameter)) is not None]

    @property
    def aggregates_over(self) -> Mapping[str, Mapping[str, exp.Expr]]:
        """For each metric its columns over the values of `layout.over`, as `ndcg@10 std over seed`, by their names."""
        over, aggregates = self.layout.over, self.aggregates if self.aggregates != (MEAN,) else (MEAN, Aggregate("std"))
        if wrong := [str(each) for each in aggregates if each.takes == "confidence"]:
            raise MetricError(
                f"{wrong[0]} is the interval of a mean over lists, and the values of {over!r} are too few for one: "
                f"leave it out, and the summary has the standard deviation over {over} and their number, n_{over}."
            )

        def label(metric: str, aggregate: Aggregate) -> str:
            return metric if aggregate == MEAN else f"{aggregate.label(metric)} over {over}"

        return {
            metric.label: {label(metric.label, each): each.of(tree.column(metric.label), metric) for each in aggregates}
            for metric in self.metrics
        }

    @property
    def columns(self) -> list[str]:
        """The columns of the summary that hold metrics."""
        if self.layout.over:
            columns = [label for labels in self.aggregates_over.values() for label in labels]
            return [*columns, free_name(f"n_{self.layout.over}", [*self.layout.by, *columns])]
        return [
            name
            for metric in self.metrics
            for name in (aggregate.label(metric.label) for aggregate in aggregates_of(metric, self.aggregates))
        ]

    def headings(self, counts: Iterable[str]) -> list[str]:
        """The columns of the summary after those of `by`; a count is renamed where `by` has a column of its name."""
        return [N_LISTS, *self.columns, *(free_name(count, self.layout.by) for count in counts)]

    @property
    def metrics_counted(self) -> list[Metric]:
        """The metrics whose undefined lists are counted."""
        return self.of_lists if not self.count_kinds or "undefined" in self.count_kinds else []

    @property
    def counts_of_metrics(self) -> list[Definition]:
        """The diagnostics that are computed from metrics, as far as the inputs suffice for them."""
        counts = [count for count in catalog().all("account") if METRICS in count.tables]
        if self.count_kinds:
            counts = [count for count in counts if count.name == MISSING and "missing" in self.count_kinds]
        return [count for count in counts if self.layout.offers(count.fields.get("needs"))]

    @property
    def count_names(self) -> list[str]:
        """The names of the counts of lists that follow the metrics."""
        undefined = [f"{UNDEFINED}{metric.label}" for metric in self.metrics_counted]
        return [*undefined, *(count.name for count in self.counts_of_metrics)]

    def aggregates_of_lists(self) -> dict[str, exp.Expr]:
        """The number of lists and the aggregates of each metric, over one row per list; of intervals the first step."""
        aggregates: dict[str, exp.Expr] = {N_LISTS: exp.Count(this=exp.Star(), big_int=True)}
        for metric, each in self._aggregated:
            if each == error_of(MEAN) and self.layout.clusters:
                aggregates[each.label(metric.label)] = MeanIntervals(self._cluster).error(metric)
            elif not is_end(each):
                aggregates[each.label(metric.label)] = each.of(tree.column(metric.label), metric)
        return aggregates | self.intervals[0][0]

    @property
    def _aggregated(self) -> Iterator[tuple[Metric, Aggregate]]:
        """Each metric of lists with each of its aggregates."""
        yield from product(self.of_lists, (MEAN,) if self.layout.over else self.aggregates)

    @property
    def labels_of_lists(self) -> list[str]:
        """The columns of the aggregates of each metric of lists."""
        return [each.label(metric.label) for metric, each in self._aggregated]

    @property
    def _cluster(self) -> list[exp.Column]:
        return [tree.column(unnamed(name)) for name in self.layout.clusters]

    @cached_property
    def intervals(self) -> tuple[list[dict[str, exp.Expr]], Mapping[str, exp.Expr]]:
        """The steps of the intervals of means, and each interval over the columns of the last step, by its label."""
        intervals = MeanIntervals(self._cluster)
        ends = {
            each.label(metric.label): intervals.end(metric, each) for metric, each in self._aggregated if is_end(each)
        }
        return intervals.steps, ends

    def refuse_no_lists(self) -> None:
        """Refuse a table per list where every metric is a number of a system."""
        if not self.of_lists:
            numbers = "is a number" if len(self.of_systems) == 1 else "are numbers"
            labels = names(metric.label for metric in self.of_systems)
            raise MetricError(f"{labels} {numbers} of a system: there is nothing per list.")

    def columns_of(self, id_name: str) -> list[str]:
        """The columns that an id of the SQL files represents, as the user calls them."""
        layout = self.layout
        of: dict[str, Iterable[str]] = {
            "list_id": layout.lists,
            "truth_id": layout.truth_lists,
            "system_id": layout.systems,
            "partition_id": layout.partitions,
            "by_id": layout.by,
            **{f"{name}_id": side.lists for name, side in layout.extras.items()},
            tree.IMPRESSION: [log.roles.impression]
            if (log := layout.extras.get("log")) and log.roles.impression
            else (),
        }
        return list(of.get(id_name, ()))

    def inside(self, id_name: str) -> list[str]:
        """The columns that an id represents, as they are called inside the query."""
        return [unnamed(name) for name in self.columns_of(id_name)]

    def cte(self, name: str) -> str:
        """The name of a step of the query: another where a table of the user's has the name."""
        return free_heading(name, self._taken)

    @cached_property
    def _taken(self) -> frozenset[str]:
        tables = (table for table in self.tables.values() if isinstance(table, exp.Table) and table.name)
        return self.taken | {table.name.lower() for table in tables}


def member_of(missing: str) -> str:
    """The column of the lists that is 1 for the lists that a choice of `missing` takes."""
    return f"in {missing}"
