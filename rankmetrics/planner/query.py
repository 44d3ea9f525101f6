"""The query of a plan: sums over stages joined to the lists, and the summary, one row per list or the rows of a stage.

WITH hits_per_list AS (...), lists AS (...), measured AS (SELECT ... FROM lists LEFT JOIN hits_per_list ...),
per_list AS (SELECT ... FROM measured)
SELECT algorithm, AVG("ndcg@10") FROM per_list GROUP BY algorithm
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS, N_LISTS
from rankmetrics.planner.formulas import Formulas, Sums, labels_of, number_label
from rankmetrics.planner.question import Question
from rankmetrics.planner.stages import LISTS_KEY, N_RELEVANT, Cte, Stage, StageKey, Stages, once
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.names import headed, name_lists, unnamed
from rankmetrics.sqltree.relations import joins, left_join
from rankmetrics.sqltree.steps import comment_select

# The stage of the lists of the truth, which the lists that are scored read.
TRUTH_LISTS = "truth_lists"
TRUTH_LISTS_KEY = StageKey(TRUTH_LISTS)

OF_SYSTEM = "one row per system, with the means and other aggregates over its lists"


class Means(Protocol):
    """Columns of the summary that a pass computes without a value per list."""

    @property
    def columns(self) -> Mapping[str, exp.Expr]:
        """The columns, each by its name as an aggregate over lists."""

    @property
    def stage(self) -> Stage:
        """The part of a stage that it reads in addition to the formulas; of this stage, lists need only the rest."""

    def query(self, plan: Plan) -> tuple[list[Cte], exp.Select]:
        """The steps in reading order, and the SELECT that reads them: one row per system."""


@dataclass(frozen=True)
class Plan:
    """The parts of a query."""

    question: Question  # what the query is to answer
    formulas: Formulas  # the metrics as formulas over sums
    counted: Sums  # the diagnostics that are counted over each stage
    stages: Stages  # the stages, and the steps of the query that they become
    means: Means | None = None  # the means that a pass computes without a value per list; None if it computes none
    # the queries that were assembled from it as text, with their columns
    texts: dict[tuple[object, ...], tuple[str, list[str]]] = field(default_factory=dict, repr=False, compare=False)

    def step_of(self, key: StageKey) -> str:
        """The name of the step of a stage."""
        return self.question.cte(key.name)

    def ctes_of(self, key: StageKey) -> list[Cte]:
        """The steps that make up a stage, in reading order."""
        return self.stages.down_to(self.step_of(key))

    def lists(self) -> exp.Table:
        """The rows of the lists, as `lists`."""
        return tree.table(self.step_of(LISTS_KEY), LISTS)

    # --- sums over stages, joined to lists ----------------------------------------------------------------------------

    def sums_for(self, parts: Mapping[str, exp.Expr]) -> Sums:
        """The sums over stages from which some parts of the formulas of lists are computed.

        Where a pass computes means from a stage, only the sums that are read; elsewhere all sums of a stage.
        """
        columns_of: dict[str, set[str]] = {}
        sizes = {self.question.cte(key.per_list): size for key, size in self.formulas.sizes.items()}
        waiting = list(parts.values())
        while waiting:
            for column in tree.find(waiting.pop(), exp.Column):
                columns_of.setdefault(column.table, set()).add(column.name)
                waiting += [sizes.pop(column.table)] if column.table in sizes else []
        sums: dict[StageKey, Mapping[str, exp.Expr]] = {}
        for key, aggregates in self.formulas.lists.sums.items():
            if columns := columns_of.get(self.question.cte(key.per_list)):
                is_trimmed = self.means is not None and key == self.means.stage.key
                rest = {name: aggregate for name, aggregate in aggregates.items() if name in columns}
                sums[key] = rest if is_trimmed else aggregates
        return sums

    def sums_ctes(self, sums: Sums, *, per_system: bool = False) -> list[Cte]:
        """The steps of sums, each after the steps that it reads."""
        ctes: list[Cte] = []
        for key, aggregates in sums.items():
            ctes += [*self.ctes_of(key), self._sums_cte(key, aggregates, per_system=per_system)]
        return once(ctes)

    def _sums_cte(self, key: StageKey, aggregates: Mapping[str, exp.Expr], *, per_system: bool) -> Cte:
        groups = self.stages.system_groups(key) if per_system else self.stages.list_groups(key)
        own = {} if per_system or not self.stages[key].has_row_per_id else _own_values(aggregates)
        ids = [tree.column(column) for column in groups]
        columns = [tree.named(value.copy(), name) for name, value in (own or aggregates).items()]
        select = exp.select(*ids, *columns).from_(tree.table(self.step_of(key)), copy=False)
        if groups and not own:
            select.group_by(*(column.copy() for column in ids), copy=False)
        name = self.question.cte(key.per_system if per_system else key.per_list)
        rows = f"one row per {self._unit(groups, per_system=per_system)}" if groups else "one row"
        return Cte(name, select, f"{rows}, with aggregates that metrics are computed from")

    def _unit(self, groups: list[str], *, per_system: bool) -> str:
        """The unit of a row of the sums over a stage, if these are their groups."""
        if groups == [N_RELEVANT]:
            return "number of relevant items"
        units = {"by_id": "system"} if per_system else {"list_id": "list", "truth_id": "truth list"}
        names = (unit for id_name, unit in units.items() if groups == self.question.inside(id_name))
        return next(names, "fold" if per_system else "group of lists")

    def sums_joins(self, sums: Sums) -> list[exp.Join]:
        """The joins of sums to lists, by the columns of their groups; those by a number of items come last."""
        joins, sizes = [], self.formulas.sizes
        for key in sorted(sums, key=lambda key: key in sizes):
            name, groups = self.question.cte(key.per_list), self.stages.list_groups(key)
            of_list = [sizes[key].copy()] if key in sizes else [tree.column(column, LISTS) for column in groups]
            of_sums = [tree.column(column, name) for column in groups]
            joins.append(left_join(name, [*zip(of_list, of_sums, strict=True)]))
        return joins

    # --- values of lists ----------------------------------------------------------------------------------------------

    def measured_ctes(self, labels: Iterable[str] | None = None) -> list[Cte]:
        """The steps up to `measured`, with the numbers of each list: for all metrics, or for the given labels."""
        formulas = self.formulas
        measured = formulas.parts_of(formulas.lists.values if labels is None else labels)
        sums = self.sums_for(measured)
        columns = [tree.column(column, LISTS) for column in (*self.question.inside("list_id"), *formulas.flags)]
        values = [tree.named(expression.copy(), name) for name, expression in measured.items()]
        select = exp.select(*columns, *values).from_(self.lists(), copy=False)
        select.set("joins", self.sums_joins(sums))
        comment = "one row per scored list, with all values that its metrics are computed from"
        last = Cte(self.question.cte("measured"), select, comment)
        return once([*self.sums_ctes(sums), *self.ctes_of(LISTS_KEY), last])

    def per_list_ctes(self, labels: Collection[str] | None = None) -> list[Cte]:
        """The steps of the query in reading order, the last of them with all values of each list, or some."""
        labels_in_order = [label for label in self.formulas.lists.values if labels is None or label in labels]
        select = self.per_list_select(labels_in_order, self.formulas.flags)
        last = Cte(self.question.cte("per_list"), select, "one row per scored list, with its metrics")
        return [*self.measured_ctes(labels), last]

    def per_list_select(self, labels: Iterable[str], flags: Iterable[str] = ()) -> exp.Select:
        """Each list with its values under these labels; reads `measured`."""
        columns = map(tree.column, (*self.question.inside("list_id"), *flags))
        values = [tree.named(self.formulas.lists.values[label].copy(), label) for label in labels]
        return exp.select(*columns, *values).from_(tree.table(self.question.cte("measured")), copy=False)

    # --- queries ------------------------------------------------------------------------------------------------------

    def summary_query(self) -> Query:
        """The query for one row per system: the columns of `by`, how many lists, the metrics, the counts."""
        ctes, select = self.summary_parts()
        layout = self.question.layout
        headings = [*layout.by, *self.question.headings(self.formulas.counts)]
        select = headed(self.in_order(select), headings)
        if layout.over and not self.question.counts:  # whoever reads counts needs the columns of `by`, too
            select.expressions.pop(len(layout.kept))  # NULL in every row
        return self.assembled(ctes, select)

    def per_list_query(self) -> Query:
        """The query for one row per list: the list columns, a column per metric, and the numbers that are requested."""
        self.question.refuse_no_lists()
        labels = [*(metric.label for metric in self.question.of_lists), *map(number_label, self.question.numbers)]
        select = headed(self.per_list_select(labels), [*self.question.layout.lists, *labels])
        return self.assembled(self.measured_ctes(), select)

    def stage_query(self, name: str) -> Query:
        """The query for the rows of one stage, by the name of its step."""
        ctes = self.stages.down_to(name)
        columns = map(tree.column, tree.outputs(ctes[-1].select))
        return self.assembled(ctes, exp.select(*columns).from_(tree.table(ctes[-1].name)))

    def in_order(self, select: exp.Select) -> exp.Select:
        """A SELECT, itself, that returns its rows in the order of its first columns, which are those of `by`."""
        by = select.expressions[: len(self.question.layout.kept)]
        order = [exp.Ordered(this=column.unalias().copy(), nulls_first=False) for column in by]
        return select.order_by(*order, copy=False) if order else select

    def assembled(self, ctes: Iterable[Cte], select: exp.Select) -> Query:
        """A query under its steps, each once, for passes and dialects to edit: stages of the plan are copied."""
        stages = self.stages.by_step
        own = [replace(cte, select=cte.select.copy()) if cte.name in stages else cte for cte in once(ctes)]
        own = self._read_through_lists(own, select)
        for step in own:
            tree.read_by_name(step.select)
        return Query(with_ctes(select, own), self.question, stages)

    def _read_through_lists(self, ctes: list[Cte], last: exp.Select) -> list[Cte]:
        """The steps, edited in place, where the lists return the counts of their truth lists: no step joins them again.

        truth_lists AS (SELECT user FROM relevant_counts), lists AS (SELECT user FROM truth_lists CROSS JOIN systems),
        measured AS (SELECT counts.n FROM lists LEFT JOIN counts ON lists.user = counts.user)
        →  truth_lists AS (SELECT user, n FROM relevant_counts), ..., measured AS (SELECT lists.n FROM lists)
        """
        by_name = {cte.name: cte.select for cte in ctes}
        truth_lists, lists = (by_name.get(self.step_of(key)) for key in (TRUTH_LISTS_KEY, LISTS_KEY))
        if not isinstance(truth_lists, exp.Select) or not isinstance(lists, exp.Select):
            return ctes
        if self.step_of(TRUTH_LISTS_KEY) not in tree.tables_read(lists):
            return ctes
        for name in [self.question.cte(key.per_list) for key in self.formulas.lists.sums]:
            counts = by_name.get(name)
            if counts is None or tree.groups(counts) or tree.source(counts).name != tree.source(truth_lists).name:
                continue
            values = [value for value in counts.expressions if value.alias_or_name not in tree.outputs(truth_lists)]
            truth_lists.select(*(value.copy() for value in values), copy=False)
            lists.select(*(tree.column(value.alias_or_name, TRUTH_LISTS) for value in values), copy=False)
            ctes = [cte for cte in ctes if cte.name != name]
            for select in (*(cte.select for cte in ctes), last):
                select.set("joins", [join for join in joins(select) if join.this.name != name])
                for column in tree.find(select, exp.Column):
                    if column.table == name:
                        column.replace(tree.column(column.name, LISTS))
        return ctes

    def summary_parts(self) -> tuple[list[Cte], exp.Select]:
        """The steps of the summary, in reading order, and the SELECT that reads them, in no order."""
        ctes, select = self._of_systems()
        return self._over(ctes, select) if self.question.layout.over else (ctes, select)

    def _over(self, ctes: list[Cte], select: exp.Select) -> tuple[list[Cte], exp.Select]:
        """The steps of a summary, and means over the values of a column: the column itself is NULL in their rows."""
        question = self.question
        *by, over = [tree.column(column) for column in question.inside("by_id")]
        step = Cte(question.cte("of_each"), select, f"one row per system and {question.layout.over}, with its means")
        nothing = exp.Min(this=exp.Nullif(this=over, expression=over.copy()))  # a NULL of the type of the column
        metrics = {
            label: value for of_metric in question.aggregates_over.values() for label, value in of_metric.items()
        }
        n_values = exp.Count(this=exp.Star(), big_int=True)
        columns = {over.name: nothing, N_LISTS: _total(N_LISTS), **metrics, question.columns[-1]: n_values}
        columns |= {count: _total(count) for count in self.formulas.counts}
        return [*ctes, step], tree.grouped(columns, by, step.name)

    def _of_systems(self) -> tuple[list[Cte], exp.Select]:
        """The steps of the numbers of each system, and the SELECT that reads them."""
        ctes, select = self._of_lists()
        if not self.question.of_systems:
            return ctes, select
        formulas, question = self.formulas, self.question
        means = Cte(question.cte("means"), select, OF_SYSTEM)
        ctes = once([*ctes, means, *self.sums_ctes(formulas.systems.sums, per_system=True)])
        by = [tree.column(column, means.name) for column in question.inside("by_id")]
        labels = [metric.label for metric in question.metrics] if question.layout.over else question.columns
        names = (N_LISTS, *labels, *formulas.counts)
        values = {name: formulas.systems.values.get(name, tree.column(name, means.name)).copy() for name in names}
        select = tree.returning(values, by).from_(tree.table(means.name), copy=False)
        for key in formulas.systems.sums:
            name = question.cte(key.per_system)
            shared = self.stages.system_groups(key)  # none, where all systems share a row
            pairs = [(mine.copy(), tree.column(mine.name, name)) for mine in by if mine.name in shared]
            select.append("joins", left_join(name, pairs))
        return ctes, select

    def _of_lists(self) -> tuple[list[Cte], exp.Select]:
        """The steps of the aggregates over lists with the intervals of means, and the SELECT that reads them."""
        names = [N_LISTS, *self.question.labels_of_lists, *self.formulas.systems.parts, *self.formulas.counts]
        ctes, select = self._aggregated()
        return with_intervals(self.question, ctes, select, names)

    def _aggregated(self) -> tuple[list[Cte], exp.Select]:
        """The steps of the aggregates over lists, and the SELECT that reads them."""
        question, means = self.question, self.means
        by = [tree.column(column) for column in question.inside("by_id")]
        aggregates = {name: value.copy() for name, value in self.formulas.over_lists(question).items()}
        rest = {name: value for name, value in aggregates.items() if means is None or name not in means.columns}
        if question.layout.totals:
            return self._with_totals(aggregates, by)
        if means is None:
            of_each_list = self.per_list_ctes()
            return of_each_list, tree.grouped(rest, by, of_each_list[-1].name)
        ctes, select_means = means.query(self)
        if not rest:
            return ctes, select_means
        of_each_list = self.per_list_ctes(labels_of(rest.values()))
        select_rest = tree.grouped(rest, by, of_each_list[-1].name)
        first = Cte(question.cte("of_lists"), select_rest, OF_SYSTEM)
        second = Cte(question.cte("of_hits"), select_means, OF_SYSTEM)
        by = [tree.column(column.name, first.name) for column in by]
        values = {name: tree.column(name, (first if name in rest else second).name) for name in aggregates}
        select = tree.returning(values, by).from_(tree.table(first.name), copy=False)
        pairs = [(column.copy(), tree.column(column.name, second.name)) for column in by]
        select.append("joins", left_join(second.name, pairs))
        return once([*of_each_list, *ctes, first, second]), select

    def _with_totals(
        self, aggregates: Mapping[str, exp.Expr], by: Sequence[exp.Column]
    ) -> tuple[list[Cte], exp.Select]:
        """The steps of the aggregates over the lists of each system and each total, and the SELECT that reads them."""
        *steps, of_each_list = self.per_list_ctes()
        of_each_list = replace(of_each_list, kept=True)  # databases without GROUPING SETS read it several times
        sets = [self.question.layout.by, *self.question.layout.totals]
        columns = [[column.copy() for column in by if column.name in map(unnamed, names)] for names in sets]
        select: exp.Query = tree.returning(aggregates, by).from_(tree.table(of_each_list.name), copy=False)
        if tree.find(select, exp.Window):  # they are over the rows of each group, so each set has windows of its own
            arms = []
            for names in columns:
                arm = tree.grouped({name: value.copy() for name, value in aggregates.items()}, names, of_each_list.name)
                ids = [column.copy() if column in names else tree.named(exp.Null(), column.name) for column in by]
                arms.append(arm.select(*ids, *arm.expressions[len(names) :], append=False, copy=False))
            select = tree.union_all(arms)
        else:
            groups = exp.GroupingSets(expressions=[exp.Tuple(expressions=names) for names in columns])
            select.set("group", exp.Group(expressions=[groups]))
        step = Cte(self.question.cte("with_totals"), select, "one row per system, and per total over several rows")
        values = {name: tree.column(name) for name in aggregates}
        return [*steps, of_each_list, step], tree.returning(values, by).from_(tree.table(step.name), copy=False)


# The steps of the intervals of means, each with the comment on its rows.
INTERVAL_STEPS = {
    "moments": "one row per system, with the aggregates that the intervals of means are computed from",
    "skewed": "the same with the skewness of the values, and the quantile of Student's t",
    "effective": "the same with the effective number of lists",
    "counted": "the same with the effective numbers of lists with the value 1 and 0",
    "bounds": "the same with the bounds of the intervals",
}


def with_intervals(
    question: Question, ctes: list[Cte], select: exp.Select, names: Iterable[str]
) -> tuple[list[Cte], exp.Select]:
    """The steps of the intervals of means behind a SELECT of aggregates, and the SELECT of the columns `names`.

    The columns that the aggregates are grouped by stay in front.
    """
    steps, ends = question.intervals
    if not ends:
        return ctes, select
    labels = [*names]
    known = {*question.aggregates_of_lists(), *labels}
    groups = [name for column in select.expressions if (name := column.alias_or_name) not in known]
    layers = [*steps[1:], {name: ends.get(name, tree.column(name)) for name in labels}]
    for place, ((name, comment), columns) in enumerate(zip(INTERVAL_STEPS.items(), layers, strict=False)):
        step = Cte(question.cte(name), select, comment)
        read = {*labels}.union(*(tree.columns_read(value) for layer in layers[place + 1 :] for value in layer.values()))
        outputs = (column.alias_or_name for column in select.expressions)
        columns_read = [name for name in outputs if name in groups or (name in read and columns is not layers[-1])]
        values = [tree.named(value.copy(), label) for label, value in columns.items()]
        select = exp.select(*map(tree.column, columns_read), *values).from_(tree.table(step.name), copy=False)
        ctes = [*ctes, step]
    return ctes, select


def _total(count: str) -> exp.Expr:
    """The sum of a count, as a count."""
    return exp.cast(exp.Sum(this=tree.column(count)), exp.DType.BIGINT)


def _own_values(aggregates: Mapping[str, exp.Expr]) -> dict[str, exp.Expr]:
    """Aggregates as columns of a stage that has one row per list; empty if any of them is not a plain column."""
    own = {name: aggregation.of_one_row(aggregate) for name, aggregate in aggregates.items()}
    return {name: value for name, value in own.items() if value is not None} if all(own.values()) else {}


@dataclass(frozen=True)
class Query:
    """A whole query, or a statement made of one, with what a pass may need to know of it."""

    select: exp.Expr  # the query or statement
    question: Question  # what the query answers
    stages: Mapping[str, Stage] = field(default_factory=dict)  # the stages of the plan, by the names of their steps


Tree = TypeVar("Tree", bound=exp.Query)


def with_ctes(select: Tree, ctes: Sequence[Cte]) -> Tree:
    """A query, itself, under steps, each with its comment; list columns get their names, identifiers are quoted."""
    for cte in ctes:
        comment_select(cte.select, f"{cte.name}: {cte.comment}")
        name = exp.to_identifier(cte.name, quoted=True)
        select = select.with_(name, as_=cte.select, materialized=cte.kept, copy=False)
    name_lists(select)
    tree.quote(select)
    return select
