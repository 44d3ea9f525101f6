"""The query of a check: no rows if the data is sound, otherwise a row for each fault, with samples.

fault          | n | sample                        | what
ranks_repeated | 2 | user = 7, rank = 3; user = ...| Some ranks occur more than once in their list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from rankmetrics.faults.account import counts_cte
from rankmetrics.faults.faults import Fault
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import CALLED, RANK_AS_FLOAT
from rankmetrics.planner import (
    Cte,
    Diagnostics,
    Plan,
    Query,
    Question,
    StageKey,
    assembled,
    once,
    sample_columns,
    sample_keys,
)
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import headed, unnamed

# The columns of a check.
FAULT, N, SAMPLE, WHAT = HEADINGS = ("fault", "n", "sample", "what")

# How many keys of an input a sample shows.
SHOWN = 3


def check_question(question: Question, faults: Sequence[Fault]) -> Question:
    """The question of a check: the counts that the faults read, and their samples; no metrics."""
    samples = dict.fromkeys(stage for fault in faults for _, stage in fault.samples)
    diagnostics = Diagnostics(names=counts_read(faults), samples=tuple(samples))
    return replace(question, layout=_with_any_rank(question.layout), counts=False, diagnostics=diagnostics)


def counts_read(faults: Sequence[Fault]) -> frozenset[str]:
    """The names of the counts that faults read."""
    return frozenset[str]().union(*(fault.counts for fault in faults))


def _with_any_rank(layout: Layout) -> Layout:
    """The layout with ranks as floating-point numbers: a rank that is no whole number then stops no step."""
    rank = layout.recs.rank
    return layout.adding("recs", RANK_AS_FLOAT, rank) if rank and layout.recs_types[rank].is_wide else layout


def check(plan: Plan, faults: Sequence[Fault]) -> Query:
    """The query for the faults that the data has: the columns `fault`, `n`, `sample`, `what`.

    Args:
        plan: the plan of `check_question`.
        faults: the faults to look for.
    """
    counted = [*fault_counts_ctes(plan, counts_read(faults)), _checked_cte(plan, faults), _found_cte(plan, faults)]
    counts = counted[-1].name
    columns = [tree.column(name, counts) for name in (FAULT, N, SAMPLE, WHAT) if name != SAMPLE]
    select = exp.select(*columns[:2]).from_(tree.table(counts))
    samples = _samples_ctes(plan, faults)
    if samples:
        texts = samples[-1].name
        on = exp.EQ(this=tree.column(FAULT, counts), expression=tree.column(FAULT, texts))
        select.append("joins", exp.Join(this=tree.table(texts), on=on, side="LEFT"))
        sample: exp.Expr = exp.Coalesce(this=tree.column(SAMPLE, texts), expressions=[exp.Literal.string("")])
    else:
        sample = exp.Literal.string("")
    select = select.select(tree.named(sample, SAMPLE), columns[2])
    order = exp.Ordered(this=tree.column(FAULT, counts), nulls_first=False)
    return assembled(plan, once([*counted, *samples]), headed(select.order_by(order), HEADINGS))


# --- the counts -------------------------------------------------------------------------------------------------------


def fault_counts_ctes(plan: Plan, names: Collection[str]) -> list[Cte]:
    """The steps of the counts that faults read, over all systems together; the last has one row."""
    question = plan.question
    ctes, counted = list[Cte](), dict[str, list[str]]()
    for key, of_key in plan.counted.items():
        of_stage = {name: value for name, value in of_key.items() if name in names}
        if of_stage:
            cte = counts_cte(question.cte(f"{key.name}_diagnostics"), plan.step_of(key), [], of_stage)
            ctes += [*plan.ctes_of(key), cte]
            counted[cte.name] = list(of_stage)
    first, *others = counted
    columns = [tree.column(name, cte) for cte, names in counted.items() for name in names]
    select = exp.select(*columns).from_(tree.table(first))
    for other in others:
        select.append("joins", exp.Join(this=tree.table(other), kind="CROSS"))
    return [
        *once(ctes),
        Cte(
            counts_name(question),
            select,
            comment="fault_counts: one row, with the counts of the data that the faults depend on",
        ),
    ]


def counts_name(question: Question) -> str:
    """The name of the step that holds all counts in one row."""
    return question.cte("fault_counts")


def _checked_cte(plan: Plan, faults: Sequence[Fault]) -> Cte:
    """A row for each fault that is looked for, with its number if the data has it, else NULL."""
    counts = counts_name(plan.question)
    names, named = tree.column_of_values([exp.Literal.string(fault.name) for fault in faults], "listed", FAULT)
    cases = exp.Case()
    for fault in faults:
        is_listed = exp.EQ(this=named.copy(), expression=exp.Literal.string(fault.name))
        cases = cases.when(exp.and_(is_listed, fault.condition.copy()), fault.n.copy())
    number = tree.named(exp.cast(cases, exp.DType.BIGINT), N)
    select = exp.select(tree.named(named, FAULT), number).from_(tree.table(counts))
    select.append("joins", exp.Join(this=names, kind="CROSS"))
    return Cte(
        plan.question.cte("checked_faults"),
        select,
        comment="checked_faults: one row per possible fault, with its number if the data has it, else NULL",
    )


def _found_cte(plan: Plan, faults: Sequence[Fault]) -> Cte:
    """The faults that the data has."""
    whats = exp.Case()
    for fault in faults:
        is_it = exp.EQ(this=tree.column(FAULT), expression=exp.Literal.string(fault.name))
        whats = whats.when(is_it, exp.Literal.string(fault.what))
    columns = [tree.column(FAULT), tree.column(N), tree.named(whats, WHAT)]
    select = exp.select(*columns).from_(tree.table(plan.question.cte("checked_faults")))
    select = select.where(tree.column(N).is_(exp.Null()).not_())
    return Cte(plan.question.cte("found_faults"), select, comment="found_faults: one row per fault that the data has")


# --- the samples ------------------------------------------------------------------------------------------------------


def _samples_ctes(plan: Plan, faults: Sequence[Fault]) -> list[Cte]:
    """The steps of the samples; the last has a row per fault: its name and its sample as a text."""
    question, keys = plan.question, {key.stage: key for key in sample_keys(plan.question)}
    ctes, arms = list[Cte](), list[exp.Select]()
    for fault in faults:
        for place, (name, stage) in enumerate(fault.samples):
            columns = [*_columns(plan, keys[stage])]
            first = _first_rows(plan, keys[stage], columns)
            ctes += [*plan.ctes_of(keys[stage]), first]
            label = f"{CALLED[name]}: " if len(fault.samples) > 1 else ""
            arms.append(_arm(fault.name, place, label, first.name, _key_text(question, name, columns), columns))
    if not arms:
        return []
    comment = "fault_samples: one row per fault and sample key, up to three of each input"
    every = Cte(question.cte("fault_samples"), _union(arms), comment=comment)
    n_places = SHOWN * max(len(fault.samples) for fault in faults)
    texts = [_at_place(place) for place in range(1, n_places + 1)]
    columns_of_text = [tree.column(FAULT), tree.named(_concat(*texts), SAMPLE)]
    select = exp.select(*columns_of_text).from_(tree.table(every.name)).group_by(tree.column(FAULT))
    comment = "fault_sample_texts: one row per fault, with its sample keys as one text"
    return [*once(ctes), every, Cte(question.cte("fault_sample_texts"), select, comment=comment)]


def _union(arms: Sequence[exp.Select]) -> exp.Query:
    return exp.union(*arms, distinct=False, copy=False) if len(arms) > 1 else arms[0]


def _columns(plan: Plan, key: StageKey) -> Iterator[str]:
    """The columns that a sample shows of a stage, as they are called inside the query."""
    for column in sample_columns(key.stage):
        if column == tree.FOLD:
            yield from map(unnamed, plan.stages[key].folds)
        elif column in tree.IDS:
            yield from plan.question.inside(column)
        else:
            yield column


def _first_rows(plan: Plan, key: StageKey, columns: Sequence[str]) -> Cte:
    """The first rows of a stage by its columns."""
    name = plan.question.cte(f"{key.name}_sample")
    order = [exp.Ordered(this=tree.column(column), nulls_first=False) for column in columns]
    select = exp.select(*map(tree.column, columns)).from_(tree.table(plan.step_of(key)))
    comment = f"{name}: the first rows of {plan.step_of(key)}"
    return Cte(name, select.order_by(*order).limit(SHOWN), comment=comment)


def _key_text(question: Question, input_name: str, columns: Sequence[str]) -> exp.Expr:
    """The columns of a row as a text, such as `user = 17, item = 4`, under the names that the input has for them."""
    side = question.layout.side(input_name)
    roles = {"item": side.roles.item, "rank": side.roles.rank, RANK_AS_FLOAT: side.roles.rank}
    own_names = {unnamed(column): side.own(column) for column in question.layout.lists}
    parts: list[exp.Expr] = []
    for place, id_column in enumerate(columns):
        name = own_names.get(id_column) or roles.get(id_column) or id_column
        value: exp.Expr = tree.column(id_column)
        if id_column == "rank" and side.rank_from != 1:
            value = exp.Add(this=value, expression=tree.literal(side.rank_from - 1))
        parts += [exp.Literal.string(f"{', ' if place else ''}{name} = "), exp.cast(value, exp.DType.TEXT)]
    return _concat(*parts)


def _arm(fault: str, place: int, label: str, rows: str, key_text: exp.Expr, columns: Sequence[str]) -> exp.Select:
    """The sample rows of one input as rows of `fault`, `place`, `label` and `sample`."""
    order = exp.Order(expressions=[exp.Ordered(this=tree.column(column), nulls_first=False) for column in columns])
    number: exp.Expr = exp.Window(this=exp.RowNumber(), order=order)
    if place:
        number = exp.Add(this=number, expression=tree.literal(SHOWN * place))
    values = {FAULT: exp.Literal.string(fault), "place": number, "label": exp.Literal.string(label), SAMPLE: key_text}
    return exp.select(*(tree.named(value, name) for name, value in values.items())).from_(tree.table(rows))


def _at_place(place: int) -> exp.Expr:
    """The text of a sample's key at a place, behind the one before it; empty if there is none."""
    joint = [exp.Literal.string("; ")] if place > 1 else []
    label = [tree.column("label")] if place % SHOWN == 1 else []
    is_there = exp.EQ(this=tree.column("place"), expression=tree.literal(place))
    text = exp.Max(this=exp.Case().when(is_there, _concat(*joint, *label, tree.column(SAMPLE))))
    return exp.Coalesce(this=text, expressions=[exp.Literal.string("")])


def _concat(*texts: exp.Expr) -> exp.Expr:
    """Texts as one text; none of them is NULL."""
    return exp.Concat(expressions=list(texts), safe=True, coalesce=False) if len(texts) > 1 else texts[0]
