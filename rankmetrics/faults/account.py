"""The query for the diagnostics, alone or below the summary: how many lists were scored, which rows were left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from rankmetrics.inputs.columns import unused_in_words
from rankmetrics.planner import Cte, Plan, Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, free_name, headed


def account(plan: Plan) -> Query:
    """The query for the diagnostics: the columns of `by`, the name of a count (`account`), the count (`n`).

    Counts that belong to no system, such as those of the truth, have NULL in the columns of `by`.
    """
    ctes = _counts_ctes(plan, plan.formulas.counts, [*_facts(plan)])
    heads = _heads(plan)
    columns = [tree.column(name) for name in (*plan.question.inside("by_id"), *heads)]
    order = [column.asc(nulls_first=False) for column in columns[:-1]]
    select = exp.select(*columns).from_(tree.table(ctes[-1].name)).order_by(*order)
    return plan.assembled(ctes, headed(select, [*plan.question.layout.by, *heads]))


def summary_with_account(plan: Plan) -> Query:
    """The query for the summary and the diagnostics together: the steps that both need are computed once.

    Its rows are those of the summary, with the counts of metrics behind, then those of the diagnostics. The last two
    columns are the name of a count and the count. In the rows of the summary the name of the count is empty; in the
    others, every column of the summary is NULL.
    """
    question = plan.question
    ctes, summary = plan.summary_parts()
    by_name = {cte.name: cte for cte in [*ctes, *_counts_ctes(plan, {})]}
    *_, last_of_account = by_name
    by, summed = question.inside("by_id"), tree.outputs(summary)[len(question.layout.by) :]
    heads = [free_name(head, [*question.layout.by, *summed]) for head in _heads(plan)]
    empty = map(tree.named, (exp.Literal.string(""), exp.Literal.number(0)), heads)
    first = exp.select(*map(tree.column, [*by, *summed]), *empty).from_(tree.table(question.cte("summary")))
    nothing = [tree.named(exp.Null(), name) for name in summed]
    counts = map(tree.named, map(tree.column, _heads(plan)), heads)
    second = exp.select(*map(tree.column, by), *nothing, *counts)
    both = tree.union_all([first, second.from_(tree.table(last_of_account))])
    comment = "the rows of the summary, then those of the diagnostics"
    last = [
        Cte(question.cte("summary"), summary, "one row per system"),
        Cte(question.cte("summary_with_diagnostics"), both, comment),
    ]
    columns = [tree.column(name) for name in (*by, *summed, *heads)]
    select = plan.in_order(exp.select(*columns).from_(tree.table(last[-1].name)))
    headings = [*question.layout.by, *question.headings(plan.formulas.counts), *heads]
    return plan.assembled([*by_name.values(), *last], headed(select, headings))


def _heads(plan: Plan) -> list[str]:
    """The columns of a count's name and of the count: with a `_` more where `by` has such a column."""
    return [free_heading(name, plan.question.layout.by) for name in ("account", "n")]


def _facts(plan: Plan) -> Iterator[exp.Select]:
    """Rows on inputs that no query counts: versions of tables, formats of files, unused columns with their number."""
    layout = plan.question.layout
    unused = [(unused_in_words(name, columns), len(columns)) for name, columns in layout.unused.items()]
    for sentence, number in (*layout.readings, *unused):
        by = [tree.named(exp.Null(), column) for column in plan.question.inside("by_id")]
        n = exp.cast(exp.Null() if number is None else tree.literal(number), exp.DType.BIGINT)
        heads = map(tree.named, (exp.Literal.string(sentence), n), _heads(plan))
        yield exp.select(*by, *heads)


def _counts_ctes(plan: Plan, of_metrics: Mapping[str, exp.Expr], facts: Sequence[exp.Select] = ()) -> list[Cte]:
    """Every step of the diagnostics in reading order; the last has a row per count."""
    question = plan.question
    ctes: dict[str, Cte] = {}
    by = question.inside("by_id")
    counted: list[tuple[str, list[str], Sequence[str]]] = []
    for key, of_stage in plan.counted.items():
        for step in plan.ctes_of(key):
            ctes.setdefault(step.name, step)
        groups = by if {"by_id", "list_id"} & {*plan.stages[key].ids} else []
        cte = counts_cte(question.cte(f"{key.name}_diagnostics"), plan.step_of(key), groups, of_stage)
        ctes[cte.name] = cte
        counted.append((cte.name, groups, list(of_stage)))
    if of_metrics:
        per_list, name = plan.per_list_ctes(), question.cte("per_list_diagnostics")
        for step in [*per_list, counts_cte(name, per_list[-1].name, by, of_metrics)]:
            ctes.setdefault(step.name, step)
        counted.append((name, by, list(of_metrics)))
    # arms that have the columns of `by` come first: they give the columns their types; all steps of one row are one arm
    arms = [_arm(plan, {cte: counts}, groups) for cte, groups, counts in counted if groups]
    if of_one_row := {cte: counts for cte, groups, counts in counted if not groups}:
        arms.append(_arm(plan, of_one_row, []))
    return [*ctes.values(), Cte(question.cte("counts"), tree.union_all([*arms, *facts]), "one row per count")]


def counts_cte(name: str, stage: str, groups: Sequence[str], counts: Mapping[str, exp.Expr]) -> Cte:
    """The step of some counts over the rows of a stage, for each value of some columns."""
    columns = [tree.column(column) for column in groups]
    values = [tree.named(count.copy(), label) for label, count in counts.items()]
    select = exp.select(*columns, *values, copy=False).from_(tree.table(stage), copy=False)
    if groups:
        select.group_by(*map(tree.column, groups), copy=False)
    return Cte(name, select, f"diagnostic counts of the rows of {stage}")


def _arm(plan: Plan, counted: Mapping[str, Sequence[str]], groups: Sequence[str]) -> exp.Select:
    """The counts of some steps, a row for each: a step with `groups`, or steps of one row. Each step is read once."""
    by = plan.question.inside("by_id")
    ids = [tree.named(tree.column(column) if groups else exp.Null(), column) for column in by]
    heading, n = _heads(plan)
    labels = [exp.Literal.string(count) for counts in counted.values() for count in counts]
    names, named = tree.column_of_values(labels, "counted", heading)
    cases = exp.Case()
    for cte, counts in counted.items():
        for label in counts:
            cases.when(named.eq(label), tree.column(label, cte), copy=False)
    whole = tree.named(exp.cast(cases, exp.DType.BIGINT, copy=False), n)
    first, *others = map(tree.table, counted)
    select = exp.select(*ids, tree.named(named, heading), whole, copy=False).from_(first, copy=False)
    for table in (*others, names):
        select.append("joins", exp.Join(this=table, kind="CROSS"))
    return select
