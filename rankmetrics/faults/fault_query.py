"""The conditions of faults as SQL: a query that returns the faults of the data, and queries that raise them as errors.

A check returns no rows if the data is sound, otherwise a row for each fault, with samples.

fault          | n | sample                        | what
ranks_repeated | 2 | user = 7, rank = 3; user = ...| Some ranks occur more than once in their list.

A guarded query raises an error instead of returning numbers that would be meaningless. The step `guard` has one row. If
the data is sound, its column is 1; otherwise computing it is an error whose message names the fault.

    SELECT "user", "ndcg@10" FROM summary
    →  SELECT "user", "ndcg@10" FROM summary WHERE (SELECT is_sound FROM guard) = 1
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from rankmetrics.faults.account import counts_cte
from rankmetrics.faults.checks import Check
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import CALLED, RANK_AS_FLOAT
from rankmetrics.planner import Cte, Diagnostics, Plan, Query, Question, StageKey, sample_keys
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import headed, unnamed
from rankmetrics.sqltree.relations import call

# The columns of a check.
FAULT, N, SAMPLE, WHAT = HEADINGS = ("fault", "n", "sample", "what")

# How many keys of an input a sample shows.
SHOWN = 3

MESSAGE, IS_SOUND = "message", "is_sound"


# --- the counts -------------------------------------------------------------------------------------------------------


def counts_read(faults: Sequence[Check]) -> frozenset[str]:
    """The names of the counts that faults read."""
    return frozenset[str]().union(*(fault.counts for fault in faults))


def _counts_ctes(plan: Plan, counts: Collection[str]) -> list[Cte]:
    """The steps of the counts that faults read, over all systems together; the last has one row."""
    ctes, columns = list[Cte](), list[exp.Expr]()
    tables = dict[str, exp.Expr]()
    for key, of_key in plan.counted.items():
        if of_stage := {name: count for name, count in of_key.items() if name in counts}:
            cte = counts_cte(plan.question.cte(f"{key.name}_diagnostics"), plan.step_of(key), [], of_stage)
            ctes += [*plan.ctes_of(key), cte]
            tables[cte.name] = tree.table(cte.name)
            columns += [tree.column(name, cte.name) for name in of_stage]
    first, *others = tables.values()
    select = exp.select(*columns).from_(first)
    for table in others:
        select.append("joins", exp.Join(this=table, kind="CROSS"))
    of_counts = "one row, with the counts of the data that the faults depend on"
    return [*ctes, _cte(plan, "fault_counts", select, of_counts)]


def _cte(plan: Plan, name: str, select: exp.Query, comment: str) -> Cte:
    return Cte(plan.question.cte(name), select, comment)


# --- the check --------------------------------------------------------------------------------------------------------


def check_question(question: Question, faults: Sequence[Check]) -> Question:
    """The question of a check: the counts that the faults read, and their samples; no metrics."""
    samples = dict.fromkeys(stage for fault in faults for _, stage in fault.samples)
    diagnostics = Diagnostics(names=counts_read(faults), samples=tuple(samples))
    layout, rank = question.layout, question.layout.recs.rank
    if rank and layout.recs_types[rank].is_wide:  # a rank that is not a whole number then stops no step
        layout = layout.adding("recs", RANK_AS_FLOAT, rank)
    return replace(question, layout=layout, counts=False, diagnostics=diagnostics)


def without_partition(tables: Mapping[str, exp.Expr], layout: Layout, columns: Sequence[str]) -> Iterator[exp.Select]:
    """For each table, a SELECT of a fault if some of its rows have NULL in the columns of a partition."""
    for name, table in tables.items():
        own = [layout.side(name).own(column) for column in columns if column in layout.side(name).lists]
        is_null = [tree.given(column).is_(exp.Null()) for column in own]
        rows = exp.select(tree.named(exp.Count(this=exp.Star()), N)).from_(table.copy()).where(exp.or_(*is_null))
        what = f"Some rows of the {CALLED[name]} have no {' or '.join(own)}, so they are in no partition."
        values = {FAULT: _text(f"{CALLED[name]}_without_partition"), N: tree.column(N), WHAT: _text(what)}
        counted = call(exp.Subquery(this=rows), "counted")
        yield tree.returning(values).from_(counted).where(tree.column(N) > 0)


def check(plan: Plan, faults: Sequence[Check], others: Iterable[exp.Select] = ()) -> Query:
    """The query for the faults that the data has, by the plan of `check_question`: `fault`, `n`, `sample`, `what`.

    The `others` are SELECTs of further faults.
    """
    counted = _counts_ctes(plan, counts_read(faults))
    checked, of_data = _faults_ctes(plan, faults, counted[-1].name)
    of_data = replace(of_data, select=tree.union_all([of_data.select, *others]))
    fault, n, what = (tree.column(name, of_data.name) for name in (FAULT, N, WHAT))
    select = exp.select(fault, n).from_(tree.table(of_data.name))
    sample: exp.Expr = _text("")
    if samples := _samples_ctes(plan, faults):
        texts = samples[-1].name
        on = fault.eq(tree.column(FAULT, texts))
        select.append("joins", exp.Join(this=tree.table(texts), on=on, side="LEFT"))
        sample = exp.Coalesce(this=tree.column(SAMPLE, texts), expressions=[sample])
    select = select.select(tree.named(sample, SAMPLE), what).order_by(fault.asc(nulls_first=False))
    return plan.assembled([*counted, checked, of_data, *samples], headed(select, HEADINGS))


def _faults_ctes(plan: Plan, faults: Sequence[Check], counts: str) -> tuple[Cte, Cte]:
    """A row for each fault that is looked for; then the faults that the data has."""
    values, name = tree.column_of_values([_text(fault.name) for fault in faults], "listed", FAULT)
    numbers, whats = exp.Case(), exp.Case()
    for fault in faults:
        numbers = numbers.when(exp.and_(name.eq(fault.name), fault.condition.copy()), fault.n.copy())
        whats = whats.when(tree.column(FAULT).eq(fault.name), _text(fault.what))
    number = tree.named(exp.cast(numbers, exp.DType.BIGINT), N)
    select = exp.select(tree.named(name, FAULT), number).from_(tree.table(counts))
    select.append("joins", exp.Join(this=values, kind="CROSS"))
    comment = "one row per possible fault, with its number if the data has it, else NULL"
    checked = _cte(plan, "checked_faults", select, comment)
    select = exp.select(tree.column(FAULT), tree.column(N), tree.named(whats, WHAT)).from_(tree.table(checked.name))
    select = select.where(tree.column(N).is_(exp.Null()).not_())
    return checked, _cte(plan, "found_faults", select, "one row per fault that the data has")


# --- the samples ------------------------------------------------------------------------------------------------------


def _samples_ctes(plan: Plan, faults: Sequence[Check]) -> list[Cte]:
    """The steps of the samples; the last has a row per fault: its name and its sample as a text."""
    keys = sample_keys(plan.question)
    ctes, arms = list[Cte](), list[exp.Select]()
    for fault in faults:
        for n, (name, stage) in enumerate(fault.samples):
            columns, step = [*_columns(plan, keys[stage])], plan.step_of(keys[stage])
            order = [tree.column(column).asc(nulls_first=False) for column in columns]
            rows = exp.select(*map(tree.column, columns)).from_(tree.table(step)).limit(SHOWN).order_by(*order)
            first = _cte(plan, f"{keys[stage].name}_sample", rows, f"the first rows of {step}")
            ctes += [*plan.ctes_of(keys[stage]), first]
            place: exp.Expr = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=order))
            values = {
                FAULT: _text(fault.name),
                "place": exp.Add(this=place, expression=tree.literal(SHOWN * n)) if n else place,
                "label": _text(f"{CALLED[name]}: " if len(fault.samples) > 1 else ""),
                SAMPLE: _concat(*_key_texts(_key_values(plan.question, name, columns))),
            }
            arms.append(tree.returning(values).from_(tree.table(first.name)))
    if not arms:
        return []
    comment = "one row per fault and sample key, up to three of each input"
    every = _cte(plan, "fault_samples", tree.union_all(arms), comment)
    n_places = SHOWN * max(len(fault.samples) for fault in faults)
    texts = tree.named(_concat(*map(_at_place, range(1, n_places + 1))), SAMPLE)
    select = exp.select(tree.column(FAULT), texts).from_(tree.table(every.name)).group_by(tree.column(FAULT))
    comment = "one row per fault, with its sample keys as one text"
    return [*ctes, every, _cte(plan, "fault_sample_texts", select, comment)]


def _columns(plan: Plan, key: StageKey) -> Iterator[str]:
    """The columns that a sample shows of a stage, as they are called inside the query."""
    for column in plan.stages[key].sample_columns:
        if column == tree.FOLD:
            yield from map(unnamed, plan.stages[key].folds)
        elif column in tree.IDS:
            yield from plan.question.inside(column)
        else:
            yield column


def _key_values(question: Question, input_name: str, columns: Sequence[str]) -> dict[str, exp.Expr]:
    """The values of a row that a sample shows, by the names that the input has for them."""
    side = question.layout.side(input_name)
    own = {"item": side.roles.item, "rank": side.roles.rank, RANK_AS_FLOAT: side.roles.rank}
    own |= {unnamed(column): side.own(column) for column in question.layout.lists}
    values: dict[str, exp.Expr] = {column: tree.column(column) for column in columns}
    if "rank" in values and side.rank_from != 1:
        values["rank"] = exp.Add(this=values["rank"], expression=tree.literal(side.rank_from - 1))
    return {own.get(column) or column: value for column, value in values.items()}


def first_rows(plan: Plan, input_name: str, stage: str) -> Query:
    """The query for the first rows of a stage, which show a fault, by the plan of `check_question`."""
    key = sample_keys(plan.question)[stage]
    columns = [*_columns(plan, key)]
    values = _key_values(plan.question, input_name, columns)
    order = [tree.column(column).asc(nulls_first=False) for column in columns]
    select = exp.select(*(tree.named(value, name) for name, value in zip(columns, values.values(), strict=True)))
    select = select.from_(tree.table(plan.step_of(key))).order_by(*order).limit(SHOWN)
    return plan.assembled(plan.ctes_of(key), headed(select, [*values]))


def _key_texts(values: Mapping[str, exp.Expr]) -> Iterator[exp.Expr]:
    """The parts of a text such as `user = 17, item = 4`."""
    for place, (name, value) in enumerate(values.items()):
        yield from (_text(f"{', ' if place else ''}{name} = "), exp.cast(value, exp.DType.TEXT))


def _at_place(place: int) -> exp.Expr:
    """The text of a sample's key at a place, behind the one before it; empty if there is none."""
    joint = [_text("; ")] if place > 1 else []
    label = [tree.column("label")] if place % SHOWN == 1 else []
    is_there = tree.column("place").eq(place)
    text = exp.Max(this=exp.Case().when(is_there, _concat(*joint, *label, tree.column(SAMPLE))))
    return exp.Coalesce(this=text, expressions=[_text("")])


_text = exp.Literal.string


def _concat(*texts: exp.Expr) -> exp.Expr:
    """Texts as one text; none of them is NULL."""
    return exp.Concat(expressions=list(texts), safe=True, coalesce=False) if len(texts) > 1 else texts[0]


# --- the guard --------------------------------------------------------------------------------------------------------


def guard_ctes(plan: Plan, faults: Sequence[Check], raise_error: str) -> list[Cte]:
    """The steps of the guard, the guard last; `raise_error` as in `Dialect`."""
    *steps, counts = _counts_ctes(plan, counts_read(faults))

    def of_counts(expression: exp.Expr) -> exp.Expr:
        # a pass may move the expression into a query that reads other steps, too
        return tree.replace_columns(expression.copy(), lambda column: tree.column(column.name, counts.name))

    cases = exp.Case()
    for fault in faults:
        begin, number = f"rankmetrics: {fault.name}: {fault.what} n = ", exp.cast(of_counts(fault.n), exp.DType.TEXT)
        cases = cases.when(of_counts(fault.condition), _concat(_text(begin), number))
    select = exp.select(tree.named(cases, MESSAGE)).from_(tree.table(counts.name))
    message = _cte(plan, "fault_message", select, "one row, with the message of a fault of the data, or NULL")
    is_sound = tree.named(tree.fill(raise_error, message=tree.column(MESSAGE, message.name)), IS_SOUND)
    select = exp.select(is_sound).from_(tree.table(message.name))
    guard = _cte(plan, "guard", select, "one row with 1, or an error that names the fault of the data")
    return [*steps, counts, message, guard]
