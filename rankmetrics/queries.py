"""The queries of one evaluation: planned when they are first asked for, and handed to the engine as text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics._rounding import ranked
from rankmetrics.dialects import base as dialects
from rankmetrics.engines.base import Engine, Text, Warehouse
from rankmetrics.errors import ColumnError, DialectError, InputError, Option, choices_for
from rankmetrics.inputs.assumptions import declared_assumptions
from rankmetrics.inputs.columns import Layout, Side
from rankmetrics.inputs.sources import EMBEDDINGS, INPUT_RANK, INPUT_ROW, NO_EMBEDDINGS, RANKED
from rankmetrics.metrics.catalog import MISSING, catalog
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.planner import (
    Diagnostics,
    Plan,
    Query,
    Question,
    optimized,
    passes_off,
    plan,
    text_of,
    typed,
    with_derived,
    with_named_systems,
    with_tied_lists,
)
from rankmetrics.planner.passes import compute_once
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import call

if TYPE_CHECKING:
    from rankmetrics.faults.checks import Check


def no_order() -> DialectError:
    """The error for a text of SQL that breaks ties by the order of the rows."""
    return DialectError(
        f"{Option('ties', 'input')} goes by the order of the rows, and those of a table have none: name a rank column, "
        f"or break ties with {Option('ties', 'item')}."
    )


def tree_of(query: Query, dialect: str) -> exp.Query:
    """The tree of a query, its own, after the passes that gain something in a dialect, for other queries to read."""
    select = optimized(query, dialect)
    assert isinstance(select, exp.Query)
    return select


def rows_with_item(
    table: exp.Expr, name: str, side: Side, lists: Mapping[str, str], more: Mapping[str, exp.Expr]
) -> exp.Select:
    """The rows of an input that have an item and a value in each list column.

    `lists` maps the new name of each list column to the column of the input; `more` are further columns.
    """
    item = str(side.roles.item)
    keys = {new: typed("id", tree.given(own), side.types, own) for new, own in lists.items()}
    keys["item"] = typed("item", tree.given(item), side.types, item)
    rows = table.copy()
    tree.mark_names(rows)
    columns = [tree.named(value.copy(), new) for new, value in {**keys, **more}.items()]
    return exp.select(*columns).from_(call(rows, name)).where(*(key.is_(exp.Null()).not_() for key in keys.values()))


class Queries:
    """The queries for some metrics over the inputs of an engine: lazy tables in the caller's own kind."""

    def __init__(
        self, engine: Engine, metrics: Sequence[Metric], layout: Layout, aggregates: Sequence[Aggregate]
    ) -> None:
        self.engine = engine
        self.metrics = tuple(metrics)
        by_score = [name for name in RANKED if name in engine.inputs and layout.side(name).roles.rank is None]
        self.layout = replace(layout, parts={name: engine.parts(name, layout.side(name)) for name in by_score})
        for name in by_score:
            if rank := engine.rank(name, layout.side(name)):
                self.layout = self.layout.adding(name, INPUT_RANK, rank)
        inputs = with_named_systems({name: table.table for name, table in engine.inputs.items()}, self.layout)
        declared = {name: table.declared for name, table in engine.inputs.items()}
        # what the summary and the table per list answer
        self.question = Question(
            metrics=self.metrics,
            layout=self.layout,
            tables=with_derived(inputs, self.layout),
            aggregates=tuple(aggregates),
            taken=engine.taken,
            runs_on=engine.dialect,
            passes_off=passes_off(),
            assumed=declared_assumptions({"truth": declared["recs"], **declared}, layout),
            computed=frozenset(name for name in engine.inputs if engine.computes(name)),
        )
        self._plan = plan(self.question)

    @property
    def columns(self) -> list[str]:
        """The columns of the summary that hold metrics."""
        return self.question.columns

    @property
    def compares(self) -> bool:
        """True if the rows of the summary are systems over the same lists."""
        return bool(self.layout.by) and not {*self.layout.by} & {*self.layout.truth_lists}

    @property
    def best_of(self) -> dict[str, Callable[[Iterable[float]], float]]:
        """`max` or `min` for each column of the summary that has a best value; a file of sql/ says which is better."""
        best_of: dict[str, Callable[[Iterable[float]], float]] = {"higher": max, "lower": min}
        better = {metric.label: metric.better for metric in self.metrics}
        return {
            label: best_of[word] for label, word in better.items() if word in best_of and label in self.question.columns
        }

    def best_first(self, values: Sequence[float | None], totals: Collection[int] = ()) -> list[int]:
        """The places of rows in the order in which they are shown: the best system first, totals last."""
        places = [*range(len(values))]
        if not self.compares:
            return places
        places = [place for place in places if place not in totals]
        known = [(place, values[place]) for place in places if values[place] is not None]
        descending = self.best_of.get(self.columns[0]) is not min
        in_order = [place for place, _ in ranked(known, lambda pair: pair[1], descending=descending)]
        return [*in_order, *(place for place in places if values[place] is None), *totals]

    def plan(self, metrics: Sequence[Metric] | None = None, **changes: Any) -> Plan:
        """The plan for the metrics, or for others, over the same inputs; `changes` are other fields of the question."""
        metrics = tuple(metrics or self.metrics)
        return plan(replace(self.question, metrics=metrics, passes_off=passes_off(), **changes))

    def summary(self, metrics: Sequence[Metric] | None = None, aggregates: Sequence[Aggregate] | None = None) -> Any:
        """One row per system, for the metrics and aggregates or for others."""
        aggregates = tuple(aggregates or self.question.aggregates)
        summary_plan = self.plan(metrics, aggregates=aggregates) if metrics or aggregates else self._plan
        return self._lazy(summary_plan, Plan.summary_query)

    def can_measure(self, metric: Metric) -> bool:
        """True if the inputs have the columns that a metric reads.

        Only ratings can be missing: a library that reads them takes 1 for each row of a truth without ratings, and
        the same choice without the library's convention does not.
        """
        if self.layout.truth.rating is not None:
            return True
        try:
            self.plan([metric])
        except ColumnError:
            return False
        return True

    def assembled(self, metrics: Sequence[Metric], assemble_query: Callable[..., Query], *names: str) -> Any:
        """The rows of the query that a function assembles from the plan for some metrics, and from `names`."""
        return self._lazy(self.plan(metrics), assemble_query, *names)

    @property
    def computes_once(self) -> bool:
        """True if the engine computes a SELECT that several steps read once."""
        return compute_once.PASS.is_on(self.question, self.engine.dialect)

    def summary_of_tied_lists(self, metrics: Sequence[Metric]) -> Text:
        """The summary of the lists that have equal scores, with the counts of lists for which metrics are undefined."""
        layout, side = self.question.layout, self.question.layout.side("recs")
        few = {
            "tables": with_tied_lists(self.question.tables, side),
            "layout": replace(layout, parts={**layout.parts, "recs": min(layout.parts["recs"], 1)}),
            "computed": self.question.computed | {"recs"},
        }
        tied = self.plan(metrics, aggregates=(MEAN,), counts=True, count_kinds=("undefined",), **few)
        return self._text(tied, Plan.summary_query)

    def summary_with_counts(self) -> Text:
        """One row per system, with the counts of lists behind the metrics."""
        return self._text(self.plan(counts=True), Plan.summary_query)

    def missing_lists(self) -> dict[tuple[Any, ...], tuple[int, int]]:
        """For each row of the summary: the lists of the truth, and those without recommendations."""
        metrics, n_by = [parse("hit(missing=zero)@1")], len(self.layout.by)
        summary_plan = self.plan(metrics, counts=True)
        place = summary_plan.question.count_names.index(MISSING) + n_by + 2
        rows = self.engine.rows(self._text(summary_plan, Plan.summary_query))
        return {tuple(row[:n_by]): (row[n_by], row[place]) for row in rows}

    def per_list(self) -> Any:
        """One row per list."""
        return self._lazy(self._plan, Plan.per_list_query)

    def account(self, *, of_metrics: bool = True) -> Any:
        """One row per count of the diagnostics; without those of metrics, the metrics are not computed."""
        from rankmetrics.faults.account import account  # here, and below: a summary is faster without

        diagnostics = Diagnostics(counts_idle=of_metrics)
        return self._lazy(self.plan(counts=of_metrics, diagnostics=diagnostics), account)

    def account_of_all_lists(self) -> Text:
        """The counts that the account takes from a sample of lists, over all lists."""
        from rankmetrics.faults.account import account

        sampled = frozenset(count.name for count in catalog().all("account") if count.name.startswith("sampled_"))
        return self._text(self.plan(diagnostics=Diagnostics(names=sampled, of_all_lists=True)), account)

    def first_look(self, with_repeats: bool, *, of_metrics: bool = True) -> Text:
        """The rows of the summary with its counts, then all counts that need no further scan of the data; or these."""
        from rankmetrics.faults.account import account, summary_with_account

        names = {count.name for count in catalog().all("account") if "counted" not in count.fields}
        first = Diagnostics(names=frozenset(names | {"recs_repeated"} if with_repeats else names))
        plan = self.plan(counts=of_metrics, diagnostics=first)
        return self._text(plan, summary_with_account if of_metrics else account)

    def rows_at_fault(self, fault: Check) -> dict[str, list[dict[str, Any]]]:
        """The first rows of each input that show a fault, each row by the names of its columns."""
        from rankmetrics.faults.fault_query import check_question, first_rows

        fault_plan, rows = plan(check_question(self.question, [fault])), {}
        for name, stage in fault.samples:
            text, columns = text_of(fault_plan, first_rows, self.engine.dialect, name, stage)
            shown = self.engine.rows(Text(text, columns))
            rows[name] = [dict(zip(columns, row, strict=True)) for row in shown]
        return rows

    def stage(self, name: str) -> Any:
        """The rows of one stage, by the name of its step in the query; refuses other names."""
        stages = [*self._plan.stages.by_step]
        if name not in stages:
            raise InputError(f"The query has no stage {name!r}: its stages are {choices_for(name, stages)}")
        return self._lazy(self._plan, Plan.stage_query, name)

    def explain(self) -> str:
        """The plan in words."""
        from rankmetrics.explanations import explain_plan

        return explain_plan(self.question, self.engine.dialect)

    def rows(self, select: exp.Select) -> list[tuple[Any, ...]]:
        """The rows of a query of one's own over the inputs."""
        return self.engine.rows(Text(dialects.text(select, self.engine.dialect), tree.outputs(select)))

    def elsewhere(self, warehouse: Warehouse, table_names: Mapping[str, str | None]) -> Question:
        """The question over the tables of a warehouse; refuses tables without a column that is read."""
        question = replace(self.question, runs_on=None, taken=frozenset(), assumed=frozenset(), computed=frozenset())
        added = {
            name: {role: column for role, column in columns.items() if role != INPUT_RANK}
            for name, columns in question.layout.added.items()
        }
        if any(INPUT_ROW in columns for columns in added.values()):
            raise no_order()
        layout = replace(question.layout, added=added, parts={}).renamed(warehouse.column)  # the query ranks by score
        tables = with_derived(with_named_systems(self.inputs_elsewhere(warehouse, table_names), layout), layout)
        return replace(question, layout=layout, tables=tables)

    def inputs_elsewhere(self, warehouse: Warehouse, table_names: Mapping[str, str | None]) -> dict[str, exp.Expr]:
        """The inputs as tables of a warehouse."""
        inputs = {name: warehouse.table(input_, table_names.get(name)) for name, input_ in self.engine.inputs.items()}
        if EMBEDDINGS in inputs and inputs[EMBEDDINGS] is not self.engine.inputs[EMBEDDINGS].table:
            raise DialectError(NO_EMBEDDINGS)
        return inputs

    def _lazy(self, query_plan: Plan, assemble_query: Callable[..., Query], *names: str) -> Any:
        return self.engine.run(*self._text(query_plan, assemble_query, *names))

    def _text(self, query_plan: Plan, assemble_query: Callable[..., Query], *names: str) -> Text:
        return Text(*text_of(query_plan, assemble_query, self.engine.dialect, *names))
