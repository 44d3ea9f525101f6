"""The query of a plan: sums over stages joined to the lists, and the summary, one row per list or the rows of a stage.

WITH hits_per_list AS (...), lists AS (...), measured AS (SELECT ... FROM lists LEFT JOIN hits_per_list ...),
per_list AS (SELECT ... FROM measured)
SELECT algorithm, AVG("ndcg@10") FROM per_list GROUP BY algorithm
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.dialects.rewrites import drop_materialized
from rankmetrics.errors import MetricError, names
from rankmetrics.metrics.catalog import LISTS, N_LISTS
from rankmetrics.planner.formulas import labels_of, over_lists, sums_name
from rankmetrics.planner.passes import QUERY_PASSES
from rankmetrics.planner.passes.base import Query
from rankmetrics.planner.plan import Plan
from rankmetrics.planner.question import Question
from rankmetrics.planner.stages import Cte, once
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import headed, name_lists
from rankmetrics.sqltree.relations import left_join

OF_SYSTEM = "one row per system, with the means and other aggregates over its lists"


def summary_query(plan: Plan) -> Query:
    """The query for one row per system: the columns of `by`, how many lists, the metrics, the counts."""
    ctes, select = summary_parts(plan)
    headings = [*plan.question.layout.by, *plan.question.headings(plan.formulas.counts)]
    return assembled(plan, ctes, headed(in_order(plan, select), headings))


def per_list_query(plan: Plan) -> Query:
    """The query for one row per list: the list columns, then a column per metric.

    Raises:
        MetricError: every metric is one of a system.
    """
    question = plan.question
    refuse_no_lists(question)
    labels = [metric.label for metric in question.of_lists]
    select = headed(_per_list_select(plan, labels), [*question.layout.lists, *labels])
    return assembled(plan, measured_ctes(plan), select)


def refuse_no_lists(question: Question) -> None:
    """Refuse a table per list where every metric is a number of a system.

    Raises:
        MetricError: there is no metric of lists.
    """
    if not question.of_lists:
        numbers = "is a number" if len(question.of_systems) == 1 else "are numbers"
        raise MetricError(
            f"{names(metric.label for metric in question.of_systems)} {numbers} of a system: there is nothing per list."
        )


def stage_query(plan: Plan, name: str) -> Query:
    """The query for the rows of one stage, by the name of its step."""
    ctes = plan.stages.down_to(name)
    columns = map(tree.column, tree.outputs(ctes[-1].select))
    return assembled(plan, ctes, exp.select(*columns).from_(tree.table(ctes[-1].name)))


def measured_ctes(plan: Plan, labels: Iterable[str] | None = None) -> list[Cte]:
    """The steps of the query in reading order, the last of them `measured`: what is measured of each list.

    All that is measured, or what some values of a list are computed from.
    """
    formulas = plan.formulas
    measured = formulas.parts_of(formulas.lists.values if labels is None else labels)
    sums = plan.sums_for(measured)
    columns = [tree.column(one, LISTS) for one in (*plan.question.inside("list_id"), *formulas.flags)]
    values = [tree.named(one.copy(), name) for name, one in measured.items()]
    select = exp.select(*columns, *values).from_(plan.lists(), copy=False)
    select.set("joins", plan.sums_joins(sums))
    comment = "measured: one row per scored list, with all values that its metrics are computed from"
    last = Cte(plan.question.cte("measured"), select, comment=comment)
    return once([*plan.sums_ctes(sums), *plan.lists_ctes(), last])


def per_list_cte(plan: Plan, labels: Container[str] | None = None) -> Cte:
    """One row per list as a step, with all values of the list, or some."""
    shown = [label for label in plan.formulas.lists.values if labels is None or label in labels]
    select = _per_list_select(plan, shown, plan.formulas.flags)
    return Cte(plan.question.cte("per_list"), select, comment="per_list: one row per scored list, with its metrics")


def _per_list_select(plan: Plan, labels: Iterable[str], flags: Iterable[str] = ()) -> exp.Select:
    """Each list with its values under these labels; reads `measured`."""
    columns = map(tree.column, (*plan.question.inside("list_id"), *flags))
    values = [tree.named(plan.formulas.lists.values[label].copy(), label) for label in labels]
    return exp.select(*columns, *values).from_(tree.table(plan.question.cte("measured")), copy=False)


def in_order(plan: Plan, select: exp.Select) -> exp.Select:
    """A SELECT, itself, that returns its rows in the order of its first columns, which are those of `by`."""
    by = select.expressions[: len(plan.question.layout.by)]
    order = [exp.Ordered(this=column.unalias().copy(), nulls_first=False) for column in by]
    return select.order_by(*order, copy=False) if order else select


def summary_parts(plan: Plan) -> tuple[list[Cte], exp.Select]:
    """The steps of the summary, in reading order, and the SELECT that reads them, in no order."""
    ctes, select = _of_lists(plan)
    if not plan.question.of_systems:
        return ctes, select
    formulas, question = plan.formulas, plan.question
    means = Cte(question.cte("means"), select, comment=f"means: {OF_SYSTEM}")
    ctes = once([*ctes, means, *plan.sums_ctes(formulas.systems.sums, per_system=True)])
    by = [tree.column(column, means.name) for column in question.inside("by_id")]
    returned = {
        name: formulas.systems.values[name].copy() if name in formulas.systems.values else tree.column(name, means.name)
        for name in (N_LISTS, *question.columns, *formulas.counts)
    }
    select = tree.returning(returned, by).from_(tree.table(means.name), copy=False)
    for key in formulas.systems.sums:
        name = sums_name(question, key, per_system=True)
        shared = plan.stages.system_groups(key)  # none, where all systems share a row
        pairs = [(mine, tree.column(mine.name, name)) for mine in by if mine.name in shared]
        select.append("joins", left_join(name, pairs))
    return ctes, select


def _of_lists(plan: Plan) -> tuple[list[Cte], exp.Select]:
    """The steps of the aggregates over lists, and the SELECT that reads them."""
    question, means = plan.question, plan.means
    by = [tree.column(column) for column in question.inside("by_id")]
    aggregates = {name: value.copy() for name, value in over_lists(question, plan.formulas).items()}
    rest = {name: value for name, value in aggregates.items() if means is None or name not in means.columns}
    if means is None:
        lists = per_list_cte(plan)
        return [*measured_ctes(plan), lists], tree.grouped(rest, by, lists.name)
    ctes, select_means = means.query(plan)
    if not rest:
        return ctes, select_means
    labels = labels_of(rest.values())
    lists = per_list_cte(plan, labels)
    parts = [
        Cte(question.cte(name), select, comment=f"{name}: {OF_SYSTEM}")
        for name, select in (("of_lists", tree.grouped(rest, by, lists.name)), ("of_hits", select_means))
    ]
    first, second = (part.name for part in parts)
    by = [tree.column(column.name, first) for column in by]
    returned = {name: tree.column(name, first if name in rest else second) for name in aggregates}
    select = tree.returning(returned, by).from_(tree.table(first), copy=False)
    select.append("joins", left_join(second, [(column.copy(), tree.column(column.name, second)) for column in by]))
    return once([*measured_ctes(plan, labels), lists, *ctes, *parts]), select


Tree = TypeVar("Tree", bound=exp.Query)


def with_ctes(select: Tree, ctes: Sequence[Cte]) -> Tree:
    """A query, itself, under steps, each with its comment; list columns get their names, identifiers are quoted."""
    for cte in ctes:
        first = cte.select
        while isinstance(first, exp.SetOperation):
            first = first.this
        first.comments = [f" {without_semicolons(cte.comment)}"]
        name = exp.to_identifier(cte.name, quoted=True)
        select = select.with_(name, as_=cte.select, materialized=cte.kept, copy=False)
    name_lists(select)
    tree.quote(select)
    return select


def without_semicolons(comment: str) -> str:
    """A comment that ends no statement: what runs a script may split it at every semicolon."""
    return comment.replace(";", ",")


def assembled(plan: Plan, ctes: Sequence[Cte], select: exp.Select) -> Query:
    """A query under its steps, for passes and dialects to edit as they like: stages of the plan are copied."""
    stages = plan.stages.ctes
    own = [replace(cte, select=cte.select.copy()) if cte.name in stages else cte for cte in ctes]
    for one in own:
        tree.read_by_name(one.select)
    return Query(with_ctes(select, own), plan.question, stages)


# --- text -------------------------------------------------------------------------------------------------------------


def write(query: Query, dialect: str, job: NamesOfJob | None = None) -> str:
    """A query as text; the query is used up. `job` is how the text of a job spells names.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.
    """
    return dialects.rewritten_text(rewritten(query, dialect, job), dialect)


def rewritten(query: Query, dialect: str, job: NamesOfJob | None = None) -> exp.Expr:
    """The tree of a query after the passes and the dialect's rewrites, the query's own; `job` as in `write`.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.
    """
    dialects.rewrite(optimized(query, dialect), dialect, job)
    return query.select


def optimized(query: Query, dialect: str) -> exp.Expr:
    """The tree of a query, its own, after the passes that gain something in a dialect.

    Raises:
        DialectError: the dialect is unknown.
    """
    if drop_materialized in dialects.known(dialect).rewrites:  # nothing then keeps two steps from being merged
        drop_materialized(query.select)
    for query_pass in QUERY_PASSES:
        if query_pass.is_on(query.question, dialect):
            query_pass.change(query)
    return query.select
