"""The query for the summary with columns of counts, with a guard, or with both.

SELECT "algorithm", "ndcg@10" FROM summary
→  SELECT "algorithm", "ndcg@10", lists_tied AS "n_tied" FROM summary LEFT JOIN list_ties_diagnostics ON …
WHERE (SELECT is_sound FROM guard) = 1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.errors import ColumnError, InputError, Option
from rankmetrics.faults.account import counts_cte
from rankmetrics.faults.fault_query import counts_read, guard_ctes, guarded_per_list, only_if_sound
from rankmetrics.faults.faults import Fault
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import MISSING, TIED, UNDEFINED
from rankmetrics.planner import Cte, Diagnostics, Plan, Query, Question, plan
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name, headed
from rankmetrics.sqltree.relations import left_join


def refuse_counts(counts: Sequence[str], layout: Layout, *, per_list: bool) -> None:
    """Refuse counts of lists where there is one row per list, and ties where ranks order the lists.

    Raises:
        InputError: the rows are lists.
        ColumnError: there is no score that could be tied.
    """
    option = Option("counts", list(counts))
    if counts and per_list:
        raise InputError(option, " counts lists, and ", Option("per_list", True), " returns one row for each of them.")
    if "tied" in counts and (layout.recs.rank is not None or layout.recs.score is None):
        raise ColumnError(option, " counts lists with equal scores, but these lists are ordered by their ranks.")


def extended_query(
    question: Question, counts: Sequence[str], faults: Sequence[Fault], dialect: str, *, per_list: bool
) -> Query:
    """The query for the summary, or for one row per list, with columns of counts such as `missing` and with a guard.

    The query raises an error for each of the faults; without faults, it has no guard.

    Raises:
        MetricError: a table per list is wanted, and every metric is a number of a system.
    """
    raise_error = dialects.known(dialect).raise_error
    names = counts_read(faults) | ({TIED} if "tied" in counts else set())
    of_metrics = tuple(count for count in counts if count != "tied")
    diagnostics = Diagnostics(names=names, beside_metrics=True) if names else None
    extended = replace(question, counts=bool(of_metrics), count_kinds=of_metrics, diagnostics=diagnostics)
    planned = plan(extended)
    guard = guard_ctes(planned, faults, raise_error) if faults and raise_error else []
    return guarded_per_list(planned, guard) if per_list else _summary(planned, counts, guard)


def _summary(plan: Plan, counts: Sequence[str], guard: Sequence[Cte]) -> Query:
    ctes, select = plan.summary_parts()
    question = plan.question
    last = Cte(question.cte("summary"), select, "one row per system")
    by = question.inside("by_id")
    others = [output for output in tree.outputs(select)[len(by) :] if output not in plan.formulas.counts]
    ties = _ties_ctes(plan) if "tied" in counts else []
    count_columns = dict(_count_columns(plan, counts, last.name, ties))
    columns = [tree.column(column, last.name) for column in (*by, *others)]
    outer = exp.select(*columns, *count_columns.values()).from_(tree.table(last.name))
    if ties:
        pairs = [(tree.column(column, last.name), tree.column(column, ties[-1].name)) for column in by]
        outer.append("joins", left_join(ties[-1].name, pairs))
    reserved = [*question.layout.by, *question.headings(())]
    headings = [*reserved, *(free_name(name, reserved) for name in count_columns)]
    if guard:
        outer = only_if_sound(plan, outer)
    return plan.assembled([*guard, *ctes, *ties, last], headed(plan.in_order(outer), headings))


def _count_columns(
    plan: Plan, counts: Sequence[str], summary: str, ties: Sequence[Cte]
) -> Iterator[tuple[str, exp.Expr]]:
    """The columns of counts, each with its heading."""
    for count in counts:
        if count == "missing":
            yield "n_missing", tree.column(MISSING, summary)
        elif count == "tied":
            yield "n_tied", exp.Coalesce(this=tree.column(TIED, ties[-1].name), expressions=[tree.literal(0)])
        else:
            for metric in plan.question.of_lists:
                yield f"n_undefined_{metric.label}", tree.column(f"{UNDEFINED}{metric.label}", summary)


def _ties_ctes(plan: Plan) -> list[Cte]:
    """The steps of the counts of lists with equal scores, for each row of the summary."""
    question = plan.question
    stage, stage_counts = next(item for item in plan.counted.items() if TIED in item[1])
    name = question.cte(f"{stage.name}_diagnostics")
    count = counts_cte(name, plan.step_of(stage), question.inside("by_id"), {TIED: stage_counts[TIED]})
    return [*plan.ctes_of(stage), count]
