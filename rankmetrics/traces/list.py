"""One list of an evaluation: finding it by values of list columns, and the plan of its stages over its rows alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics import planner
from rankmetrics.errors import ColumnError, InputError, counted, did_you_mean, names
from rankmetrics.inputs.columns import ColumnType, Layout, Side
from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import UNNAMED, headed, unnamed
from rankmetrics.sqltree.relations import call

if TYPE_CHECKING:
    import polars as pl

# How many lists, and how many values of a column, an error message is made from.
SEEN = 1000
SHOWN = 5

# The families of types whose values SQL writes as literals; values of other types are compared as text.
WITH_LITERALS = frozenset({"integer", "string", "date", "boolean"})
BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True)
class ListChoice:
    """A list, by the values of its list columns, as the engine returned them."""

    values: Mapping[str, Any]
    texts: Mapping[str, str]  # the same values as the engine writes them, for columns that are compared as text
    types: Mapping[str, ColumnType]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.values.items())

    def test(self, column: exp.Expr, name: str) -> exp.Expr:
        """True if a column, as the query reads it, has the value of the list column."""
        return equal(column, name, self.texts.get(name, self.values[name]), self.types[name])

    def rows(self, side: Side) -> list[exp.Expr]:
        """The conditions on the list columns that an input has: its rows that belong to the list."""
        return [self.test(_input_column(side, column), column) for column in side.lists]


def _input_column(side: Side, column: str) -> exp.Expr:
    """A list column of an input, in the type that the query reads it as."""
    return planner.typed("id", tree.given(side.own(column)), side.types, side.own(column))


def equal(column: exp.Expr, name: str, value: Any, known: ColumnType) -> exp.Expr:
    """A comparison of a list column with a value that must fit: as literals of its type, or as text if it has none."""
    if known.family == "boolean" and str(value).lower() in BOOLEANS:
        return exp.EQ(this=column, expression=exp.Boolean(this=BOOLEANS[str(value).lower()]))
    is_plain = isinstance(value, (str, int, date)) and not isinstance(value, bool)
    if is_plain and (known.family in WITH_LITERALS or not known.name):
        try:
            return exp.EQ(this=column, expression=planner.literal(name, value, known))
        except ColumnError as error:
            raise InputError(f"No list has {name}={value!r}: the values of {name!r} are of type {known}.") from error
    return exp.EQ(this=exp.cast(column, exp.DType.TEXT), expression=exp.Literal.string(str(value)))


def find_list(queries: Queries, values: Mapping[str, Any]) -> ListChoice:
    """The only scored list with these values; refuses other columns, values that do not fit, none or several lists."""
    _refuse_other_columns(queries, values)
    lists = _lists(queries, values, SEEN)
    if not lists:
        raise InputError(_why_none(queries, values))
    if len(lists) > 1:
        different = [name for name in queries.layout.lists if len({choice.values[name] for choice in lists}) > 1]
        n_lists = f"more than {SEEN - 1}" if len(lists) >= SEEN else str(len(lists))
        raise InputError(
            f"{_in_words(values)} names {n_lists} lists, which differ in {names(different)}. Give "
            f"{'its value' if len(different) == 1 else 'their values'}, too, as in "
            f"{', '.join(f'{name}={lists[0].values[name]!r}' for name in different)}."
        )
    return lists[0]


def _refuse_other_columns(queries: Queries, values: Mapping[str, Any]) -> None:
    known = queries.layout.lists
    if not values:
        owner = queries.layout.truth_lists[-1]
        raise InputError(
            f"A list is named by values of its list columns: give some of {names(known)}, in Python as "
            f"result.trace({owner}=...), on the command line as --list {owner}=VALUE."
        )
    for name, value in values.items():
        if name not in known:
            raise InputError(
                f"There is no list column {name!r}: the list columns are {names(known)}.{did_you_mean(name, known)}"
            )
        if value is None:
            raise InputError(f"The value of {name!r} is missing: rows with a NULL id belong to no list.")


def _in_words(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def run(
    queries: Queries, plan: planner.Plan, ctes: Sequence[Any], select: exp.Select, columns: Sequence[str]
) -> pl.DataFrame:
    """Run a SELECT over steps of a plan: a Polars frame with these columns."""
    query: planner.Query = plan.assembled(ctes, headed(select, columns))
    return queries.engine.collect(queries.engine.run(planner.write(query, queries.engine.dialect), columns))


def _lists(queries: Queries, values: Mapping[str, Any], limit: int) -> list[ListChoice]:
    """The first scored lists that have these values, in the order of their list columns."""
    plan, lists = queries.planned().plan, queries.layout.lists
    types = {column: queries.layout.recs_types[column] for column in lists}
    as_text = [column for column in lists if types[column].family not in WITH_LITERALS and types[column].name]
    own = {name: tree.column(unnamed(name)) for name in lists}
    selected = [*own.values(), *(exp.cast(own[column].copy(), exp.DType.TEXT) for column in as_text)]
    columns = [f"column {number}" for number in range(len(selected))]
    select = exp.select(*selected).from_(plan.lists())
    select = select.where(*(equal(own[name].copy(), name, value, types[name]) for name, value in values.items()))
    in_order = [exp.Ordered(this=column.copy(), nulls_first=False) for column in own.values()]
    rows = run(queries, plan, plan.lists_ctes(), select.order_by(*in_order).limit(limit), columns).rows()
    n = len(lists)
    return [
        ListChoice(dict(zip(lists, row[:n], strict=True)), dict(zip(as_text, map(str, row[n:]), strict=True)), types)
        for row in rows
    ]


# --- no such list -----------------------------------------------------------------------------------------------------


def _why_none(queries: Queries, values: Mapping[str, Any]) -> str:
    """Why there is no scored list with these values: which value is unknown, and what was there instead."""
    for name, value in values.items():
        if not _lists(queries, {name: value}, 1):
            if why := _why_unscored(queries, {name: value}):
                return why
            known = known_values(queries, name)
            others = " and others" if len(known) > SHOWN else ""
            near = did_you_mean(str(value), known)
            return f"No list has {name}={value!r}: the values of {name!r} are {', '.join(known[:SHOWN])}{others}.{near}"
    if why := _why_unscored(queries, values):
        return why
    first = next(iter(values))
    examples = [f"({choice})" for choice in _lists(queries, {first: values[first]}, SHOWN)]
    return f"No list has all of {_in_words(values)}. Lists with {first}={values[first]!r} are {', '.join(examples)}."


def _why_unscored(queries: Queries, values: Mapping[str, Any]) -> str:
    """Why lists with these values are not scored, if there are any; empty if there are none."""
    side, types = queries.layout.side("recs"), queries.layout.recs_types
    tests = [equal(_input_column(side, name), name, value, types[name]) for name, value in values.items()]
    count = tree.named(exp.Count(this=exp.Star(), big_int=True), "n")
    select = exp.select(count).from_(planner.input_table(queries.question, "recs")).where(*tests)
    tree.quote(select)
    n = int(queries.rows(select)[0][0])
    if n == 0:
        return ""
    missing = queries.question.missing[0]
    return (
        f"No list with {_in_words(values)} is scored: {counted(n, 'recommendation has', 'recommendations have')} these "
        f"values, but with missing={missing} only lists are scored that {SCORED[missing]}."
    )


def known_values(queries: Queries, name: str) -> list[str]:
    """Values of a list column that scored lists have, in order, as text."""
    plan, column = queries.planned().plan, tree.column(unnamed(name))
    select = exp.select(column).distinct().from_(plan.lists())
    select = select.order_by(exp.Ordered(this=column.copy(), nulls_first=False)).limit(SEEN)
    return [str(row[0]) for row in run(queries, plan, plan.lists_ctes(), select, [name]).iter_rows()]


# Which lists a choice of `missing` scores, to be read after "are scored that".
SCORED = {
    "zero": "the truth has",
    "skip": "both the recommendations and the truth have",
    "listed": "the recommendations have",
    "history": "the history has",
    "baseline": "the baseline has",
}


def hits_like(metric: Metric, layout: Layout) -> Metric:
    """The number of hits of a list, by the settings and the cutoff of a metric."""
    hits, values = parse("n_hits"), planner.settled(metric, layout)
    k, active = values.get("k"), metric.active
    known = {name: value for name, value in values.items() if value is not None and name in active and name != "k"}
    hits = hits(**{name: known[name] for name in catalog().parameters(hits.name) if name in known})
    return hits @ k if isinstance(k, int) else hits


# --- its stages -------------------------------------------------------------------------------------------------------

# The stages that every trace shows, with the columns that it shows of them.
SHOWN_STAGES = {
    "recommended": frozenset({"item", "rank"}),
    "ranked": frozenset({"item", "rank", "score"}),
    "hits": frozenset({"item", "rank", "rating"}),
    "relevant": frozenset({"item", "rating"}),
}


@dataclass(frozen=True)
class ListPlan:
    """The plan of an evaluation over the rows of one list, without the passes that merge its steps."""

    queries: Queries
    choice: ListChoice
    plan: planner.Plan

    @cached_property
    def shown(self) -> dict[str, planner.StageKey]:
        """The stages that every trace shows, under the settings of the first metric."""
        return _shown(self.plan.question)

    def of_stage(self, key: planner.StageKey, columns: dict[str, exp.Expr], *, by: str | None = None) -> pl.DataFrame:
        """Expressions over the rows of a stage that belong to the list; aggregates if the rows are grouped `by`."""
        plan = self.plan
        select = exp.select(*(column.copy() for column in columns.values())).from_(tree.table(plan.step_of(key)))
        groups = plan.stages.list_groups(key)
        select = select.where(*(self._test(tree.column(column), key) for column in groups))
        if by is not None:
            select = select.group_by(tree.column(by))
        return run(self.queries, plan, plan.ctes_of(key), select, [*columns])

    def of_list(self, columns: dict[str, exp.Expr]) -> dict[str, float | None]:
        """Expressions over what is measured of the list, each under its name."""
        names = [f"column {number}" for number in range(len(columns))]
        select = exp.select(*(column.copy() for column in columns.values()))
        select = select.from_(tree.table(self.plan.question.cte("measured")))
        select = select.where(*(self._test(tree.column(unnamed(column))) for column in self.choice.values))
        rows = run(self.queries, self.plan, self.plan.measured_ctes(), select, names)
        return dict(zip(columns, rows.row(0), strict=True))

    def _test(self, column: exp.Column, key: planner.StageKey | None = None) -> exp.Expr:
        """True if a column of a stage has the value of the list."""
        if column.name.startswith(UNNAMED):
            return self.choice.test(column, column.name.removeprefix(UNNAMED))
        assert key is not None  # the rows hold for a number of relevant items
        return exp.EQ(this=column, expression=tree.literal(self.sizes[key]))

    @cached_property
    def sizes(self) -> dict[planner.StageKey, int]:
        """The number of relevant items by which the rows of a stage belong to the list."""
        formulas = self.plan.formulas
        counts = self.of_list({key.name: formulas.lists.values[_size_label(key)] for key in formulas.sizes})
        return {key: int(counts[key.name] or 0) for key in formulas.sizes}


def _size_label(key: planner.StageKey) -> str:
    """The name of a value of a list besides its metrics: no metric has it."""
    return f"relevant items by which {key.name} joins"


def _with_sizes(formulas: planner.Formulas) -> planner.Formulas:
    """The formulas with the numbers of relevant items, by which stages join lists, as further values of a list."""
    names: dict[exp.Expr, exp.Expr] = {part: tree.column(name) for name, part in formulas.lists.parts.items()}

    def named(node: exp.Expr) -> exp.Expr:
        return names.get(node, node)

    sizes = {_size_label(key): size.transform(named) for key, size in formulas.sizes.items()}
    return replace(formulas, lists=replace(formulas.lists, values={**formulas.lists.values, **sizes}))


def plan_list(queries: Queries, choice: ListChoice, metrics: Sequence[Metric] = ()) -> ListPlan:
    """The plan of an evaluation, or of other metrics, over the rows of one list."""
    if not queries.layout.has_truth:
        raise planner.no_truth("A trace")
    question = _question(queries, choice)
    question = replace(question, metrics=tuple(metrics)) if metrics else question
    formulas = _with_sizes(planner.write_formulas(question))
    depth, sums_by_stage = question.depth, formulas.lists.sums
    shown = [planner.Stage(key, SHOWN_STAGES[name], depth, depth) for name, key in _shown(question).items()]
    summed = [planner.stage_summed(key, sums) for key, sums in sums_by_stage.items() if has_rank(key)]
    ranked = [replace(stage, columns=frozenset({"rank"})) for stage in summed]
    stages = planner.find_stages(question, [*formulas.stages(), *shown, *ranked])
    return ListPlan(queries, choice, planner.Plan(question, formulas, {}, stages))


def has_rank(key: planner.StageKey) -> bool:
    """True if the rows of a stage have ranks, whichever of its files is used."""
    return all("rank" in tree.outputs(variant.select) for variant in catalog().variants(key.file).values())


def _shown(question: planner.Question) -> dict[str, planner.StageKey]:
    values = planner.settled(question.of_lists[0], question.layout)
    return {name: planner.key_of(name, values) for name in SHOWN_STAGES}


def _question(queries: Queries, choice: ListChoice) -> planner.Question:
    """The question of an evaluation, asked of the recommendations and the truth of one list."""
    question, layout = queries.question, queries.layout
    tables = dict(question.tables)
    for name in ("recs", "truth"):
        rows = exp.select(exp.Star()).from_(call(tables[name].copy(), name))
        tables[name] = exp.Subquery(this=rows.where(*choice.rows(layout.side(name))))
    if layout.systems and {*question.missing} & {*planner.LISTS_OF}:  # a list without recommendations names no system
        system = (tree.named(exp.convert(choice.values[name]), name) for name in layout.systems)
        tables[SYSTEMS] = exp.Subquery(this=exp.select(*system))
        layout = replace(layout, named_systems=())
    return replace(
        question,
        metrics=tuple(question.of_lists),
        layout=layout,
        tables=tables,
        passes_off=frozenset(each_pass.name for each_pass in planner.PASSES),
    )
