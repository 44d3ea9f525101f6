"""Queries that raise an error instead of returning numbers that would be meaningless.

    SELECT "user", "ndcg@10" FROM summary
    →  SELECT "user", "ndcg@10" FROM summary WHERE (SELECT is_sound FROM guard) = 1

The step `guard` has one row. Its column is 1 if the data is sound; otherwise computing it is an error whose message
names the fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.errors import DialectError, InputError, Option, names
from rankmetrics.faults.fault_query import counts_name, counts_read, fault_counts_ctes
from rankmetrics.faults.faults import Fault
from rankmetrics.planner import Cte, Plan, Query, assembled, measured_ctes, once, per_list_cte, refuse_no_lists
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import headed

# Makes an expression that raises an error with a message, unless the message is NULL.
Raise = Callable[[exp.Expr], exp.Expr]

MESSAGE, IS_SOUND = "message", "is_sound"


def refuse_guard(dialect: str, form: str, duplicates: str, *, is_guarded: bool, assumes: bool) -> None:
    """Refuse a guard where nothing can raise an error, and an option of faults where nothing looks for them.

    Raises:
        InputError: the form returns the faults itself, or repeats are to be refused and nothing looks for them, or the
            statement assumes what the guard tests.
        DialectError: the dialect cannot raise an error within a query.
    """
    guarded, check = Option("guarded", True), Option("form", "check")
    if is_guarded and assumes:
        raise InputError(
            guarded,
            " tests the rows in the same statement, which ",
            Option("assume", is_noun=True),
            " makes shorter by not looking at them: give one of them. ",
            check,
            " tests what is assumed in a query of its own.",
        )
    if is_guarded and form == "check":
        raise InputError(guarded, " is for a query of numbers: ", check, " returns the faults as rows.")
    if is_guarded and dialects.known(dialect).raise_error is None:
        can = names(name for name, dialect in dialects.DIALECTS.items() if dialect.raise_error)
        raise DialectError(
            guarded,
            f" needs a query that can raise an error, and {dialect} has no expression for it: run the query of ",
            check,
            f" first, and stop if it returns rows. A query can raise an error in {can}.",
        )
    if duplicates == "error" and not is_guarded and form != "check":
        raise InputError(
            Option("duplicates", "error"), " is for a text that looks at the rows: add ", guarded, " or ", check, "."
        )


def guarded_per_list(plan: Plan, guard: Sequence[Cte]) -> Query:
    """The query for one row per list, which raises an error if the data has a fault.

    Raises:
        MetricError: every metric is a number of a system.
    """
    refuse_no_lists(plan.question)
    labels = [metric.label for metric in plan.question.of_lists]
    last = per_list_cte(plan, labels)
    columns = map(tree.column, [*plan.question.inside("list_id"), *labels])
    guarded = only_if_sound(plan, exp.select(*columns).from_(tree.table(last.name)))
    ctes = once([*guard, *measured_ctes(plan), last])
    return assembled(plan, ctes, headed(guarded, [*plan.question.layout.lists, *labels]))


def only_if_sound(plan: Plan, select: exp.Select) -> exp.Select:
    """A SELECT that computes the guard before it returns a row."""
    guard = plan.question.cte("guard")
    is_sound = exp.select(tree.column(IS_SOUND, guard)).from_(tree.table(guard))
    return select.where(exp.EQ(this=exp.Subquery(this=is_sound), expression=tree.literal(1)))


def guard_ctes(plan: Plan, faults: Sequence[Fault], raise_error: Raise) -> list[Cte]:
    """The steps of the guard; the last of them is the guard itself."""
    question, cases, counts = plan.question, exp.Case(), counts_name(plan.question)

    def of_counts(expression: exp.Expr) -> exp.Expr:
        # a pass may move the expression into a query that reads other steps, too
        return tree.replace_columns(expression.copy(), lambda name: tree.column(name.name, counts))

    for fault in faults:
        begin = exp.Literal.string(f"rankmetrics: {fault.name}: {fault.what} n = ")
        number = exp.cast(of_counts(fault.n), exp.DType.TEXT)
        text = exp.Concat(expressions=[begin, number], safe=True, coalesce=False)
        cases = cases.when(of_counts(fault.condition), text)
    message = exp.select(tree.named(cases, MESSAGE)).from_(tree.table(counts))
    of_message = Cte(
        question.cte("fault_message"),
        message,
        comment="fault_message: one row, with the message of a fault of the data, or NULL",
    )
    is_sound = tree.named(raise_error(tree.column(MESSAGE, of_message.name)), IS_SOUND)
    guard = exp.select(is_sound).from_(tree.table(of_message.name))
    comment = "guard: one row with 1, or an error that names the fault of the data"
    last = Cte(question.cte("guard"), guard, comment=comment)
    return [*fault_counts_ctes(plan, counts_read(faults)), of_message, last]
