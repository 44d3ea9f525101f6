"""The trace of one list: its places, and each metric as a formula with the values of the list put in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import sqlglot
from sqlglot import exp

from rankmetrics import planner
from rankmetrics.errors import ColumnError, InputError, MetricError, choices_for, counted, did_you_mean, names
from rankmetrics.inputs.columns import ColumnType, Layout, Side
from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import LISTS, WEIGHTS, catalog
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner import StageKey, settled
from rankmetrics.queries import Queries
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.names import UNNAMED, headed, unnamed
from rankmetrics.sqltree.parameters import bind
from rankmetrics.sqltree.relations import call
from rankmetrics.tables import Answer, TextTable, rich_text, shown_value

if TYPE_CHECKING:
    from rich.console import RenderableType


# How many places of a list are printed, and how many of them are the first.
PRINTED = 30

# How many relevant items that are missed are named.
NAMED = 10

# The columns of a hit that a choice of a parameter may read, such as those of `gain` and `discount`.
OF_HITS = frozenset({"rank", "rating"})

# What the name of a column of running sums ends in.
SUM = " sum"


class Trace(Answer):
    """One list in detail: a row for each rank, and how each metric of the evaluation gets its value for the list.

    The numbers come from the stages of the query, run over the rows of this list only.

    Attributes:
        list: the value of each list column.
        metrics: the metrics of lists that are traced.
    """

    def __init__(self, plan: ListPlan) -> None:
        self._plan = plan
        self.list: Mapping[str, Any] = dict(plan.choice.values)
        self.metrics: tuple[Metric, ...] = tuple(plan.plan.question.of_lists)

    def collect(self) -> pl.DataFrame:
        """The list, one row per rank.

        Returns:
            A frame with the columns `rank`, `item`, `score` (if there is one), `relevant` (whether the item is
            credited as a hit at this rank), `rating` (if the truth has ratings), the parameters of the metrics that
            weigh a hit (`gain`, `discount`), for each sum over ranks what the rank adds to it and the running `sum`;
            then `ideal item`, `ideal rating` and the same sums over the ideal list. Ranks go down to the largest
            cutoff. A list without recommendations has NULL as its items.
        """
        return self._frame

    def value(self, metric: str | Metric) -> float | None:
        """The value of a metric for the list; None if it is undefined. `metric` is the metric, or its label.

        Raises:
            MetricError: the evaluation has no such metric.
        """
        formulas = self._measured[0]
        formula = formulas.get(metric.label if isinstance(metric, Metric) else metric)
        if formula is None:
            raise MetricError(f"The trace has no {str(metric)!r}: it has {choices_for(metric, formulas)}")
        return formula.value

    def formulas(self) -> dict[str, str]:
        """For each metric, by its label, its formula with names and with values.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]})
            >>> truth = pl.DataFrame({"user": [1, 1], "item": ["b", "c"]})
            >>> trace = rm.evaluate(recs, truth, ["ndcg@2", "recall@2"]).trace(user=1)
            >>> trace.formulas()["ndcg@2"]
            'ndcg@2 = dcg_by_rank@2 / ideal_dcg@2 = 0.6309 / 1.6309 = 0.3869'
        """
        return {label: str(formula) for label, formula in self._measured[0].items()}

    def parts(self) -> dict[str, str]:
        """For each part of a formula, by its name, its value and its SQL over the rows of a stage."""
        return {part.name: str(part) for part in self._measured[1]}

    # --- computed -----------------------------------------------------------------------------------------------------

    @cached_property
    def _frame(self) -> pl.DataFrame:
        """The rows by rank: each term of a sum with a column of running sums, whose name ends in `sum`."""
        frame, ideal, (terms, ideal_terms) = _items(self._plan), _ideal(self._plan), _terms(self._plan)
        in_order = [name for rows in (frame, *terms, ideal, *ideal_terms) for name in rows.columns if name != "rank"]
        for rows in (ideal, *terms, *ideal_terms):
            frame = frame.join(rows, on="rank", how="full", coalesce=True)
        sums = {
            name: pl.col(name).fill_null(0).cum_sum().alias(f"{name}{SUM}")
            for rows in (*terms, *ideal_terms)
            for name in rows.columns[1:]
        }
        columns = [[pl.col(name), *([sums[name]] if name in sums else [])] for name in ("rank", *in_order)]
        return frame.sort("rank", nulls_last=True).select(chain.from_iterable(columns))

    @cached_property
    def _measured(self) -> tuple[dict[str, Formula], list[Part]]:
        """The formulas and their parts, from one query over what is measured of the list."""
        formulas = self._plan.plan.formulas
        values = {metric.label: formulas.lists.values[metric.label] for metric in self.metrics}
        read = dict.fromkeys(column.name for value in values.values() for column in tree.find(value, exp.Column))
        row = self._plan.of_list(
            {f"value {label}": value for label, value in values.items()}
            | {f"part {name}": tree.column(name) for name in read}
        )
        parts = {name: row[f"part {name}"] for name in read}
        traced = {
            metric.label: formula_of(metric, values[metric.label], parts, row[f"value {metric.label}"])
            for metric in self.metrics
        }
        return traced, [self._part(name, value) for name, value in parts.items() if name in formulas.lists.parts]

    def _part(self, name: str, value: float | None) -> Part:
        """A part by its name, as an aggregate over the rows of a stage."""
        plan, formulas = self._plan.plan, self._plan.plan.formulas
        sums_of = {plan.question.cte(key.per_list): sums for key, sums in formulas.lists.sums.items()}
        expression = formulas.lists.parts[name].copy()
        columns = tree.find(expression, exp.Column)
        aggregates = [sums_of[column.table][column.name] for column in columns]
        for column, aggregate in zip(columns, aggregates, strict=True):
            whole: exp.Expr = column
            above = column.parent
            if isinstance(above, exp.Coalesce) and above.this is column and all(map(tree.is_number, above.expressions)):
                whole = above  # a sum with the 0 that it is over no rows
            expression = tree.put(expression, whole, aggregation.unfiltered(aggregate).copy())
        where = aggregation.filter_of(aggregates[0]) if aggregates else None
        stage = columns[0].table.removesuffix("_per_list") if columns else ""
        return Part(name, expression, stage, where, value)

    def _notes(self) -> list[str]:
        """Sentences that explain the rows of `collect`."""
        notes = [f"{self._n_left_out} more ranks: collect() has them all"] if self._n_left_out else []
        if self._frame["item"].null_count() == self._frame.height:
            missing = ", ".join(self._plan.plan.question.missing)
            notes.append(
                f"The list has no recommendations. With missing={missing}, it scores 0 where a metric is defined."
            )
        notes += self._misses
        layout = self._plan.plan.question.layout
        others = [metric for metric in self.metrics if not _is_in_order(self._plan, planner.settled(metric, layout))]
        if others:
            notes.append(
                f"The list is shown in the order of {self.metrics[0].label}. Other orders: "
                f"{names(other.label for other in others)}; trace them in an evaluation of their own."
            )
        return notes

    @cached_property
    def _misses(self) -> list[str]:
        """Sentences on the relevant items that are not among the first ranks: below, or not in the list at all."""
        plan, depth = self._plan, self._plan.plan.question.depth
        if self._frame["item"].null_count() == self._frame.height:
            return []
        whole = replace(hits_like(self.metrics[0], plan.plan.question.layout), k=None)
        try:
            deep = plan_list(plan.queries, plan.choice, [whole])
        except MetricError:  # under ties="expected", a hit has no rank of its own
            return []
        relevant = plan.of_stage(plan.shown["relevant"], _columns("item", "rating"))
        relevant = relevant.sort("rating", "item", descending=[True, False]).unique("item", maintain_order=True)
        hits = deep.of_stage(deep.shown["hits"], _columns("item", "rank")).sort("rank", descending=True)
        rank_of = dict(hits.rows())
        below = sorted((rank, item) for item, rank in rank_of.items() if depth is not None and rank > depth)
        absent = [item for item in relevant["item"] if item not in rank_of]
        notes = []
        if below:
            places = [f"{item} at rank {rank:,}" for rank, item in below]
            notes.append(f"Relevant items below rank {depth:,}: {_first(places)}.")
        if absent:
            notes.append(f"Relevant items that are not recommended: {_first(absent)}.")
        return notes

    # --- printing -----------------------------------------------------------------------------------------------------

    @cached_property
    def _printed(self) -> pl.DataFrame:
        """The rows that are printed: of a long list, the first ranks and those of hits."""
        if self._frame.height <= PRINTED:
            return self._frame
        is_hit = pl.col("relevant").fill_null(value=False)
        return self._frame.filter(is_hit | (pl.int_range(pl.len()) < PRINTED // 2)).head(PRINTED)

    @property
    def _n_left_out(self) -> int:
        return self._frame.height - self._printed.height

    def _tables(self) -> list[TextTable]:
        columns = [name for name in self._frame.columns if not name.endswith(SUM)]
        rows = [self._row(row, columns) for row in self._printed.iter_rows(named=True)]
        return [TextTable.of_rows(columns, rows, n_keys=2)]

    def _row(self, row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
        """A row of the places as it is printed: terms with their running sums, blanks where a rank adds nothing."""
        cells = {name: "" if value is None else value for name, value in row.items()}
        cells["relevant"] = "yes" if row["relevant"] else ""
        return cells | {name: _term(row[name], row[f"{name}{SUM}"]) for name in columns if f"{name}{SUM}" in row}

    def _lines(self) -> list[str]:
        return [*self.formulas().values(), "", *self.parts().values()]

    def rendered(self) -> Iterator[RenderableType]:
        """The name of the list, its table, the notes, then the formulas and their parts, for Rich to print."""
        yield rich_text(str(self._plan.choice), "bold")
        yield from super().rendered()
        yield from map(rich_text, self._lines())

    def _repr_html_(self) -> str:
        (table,) = self._tables()
        return table.as_html([str(self._plan.choice), *self.notes(), *filter(None, self._lines())], "Formulas")


def _first(texts: Sequence[object]) -> str:
    more = [f"and {len(texts) - NAMED:,} more"] if len(texts) > NAMED else []
    return ", ".join([*map(str, texts[:NAMED]), *more])


def _term(value: float | None, total: float | None) -> str:
    """The term that a rank adds to a sum, and the sum so far; blank where it adds nothing."""
    if not value:
        return ""
    texts = (
        f"{number:.0f}" if number == round(number) and abs(number) < 1e15 else f"{number:.4f}"
        for number in (value, total or 0)
    )
    return " → ".join(texts)


def trace_list(queries: Queries, values: Mapping[str, Any]) -> Trace:
    """The trace of the list whose list columns have these values; refuses none, or several of them."""
    queries.question.refuse_no_lists()
    return Trace(plan_list(queries, find_list(queries, values)))


# --- the rows of a list -----------------------------------------------------------------------------------------------


def _columns(*names: str) -> dict[str, exp.Expr]:
    return {name: tree.column(name) for name in names}


def _items(plan: ListPlan) -> pl.DataFrame:
    layout, shown = plan.plan.question.layout, plan.shown
    frame = plan.of_stage(shown["recommended"], _columns("item", "rank"))
    if layout.recs.score is not None:
        scores = plan.of_stage(shown["ranked"], _columns("item", "rank", "score")).sort("rank")
        exact = scores.unique(["item", "rank"], keep="first")
        first = scores.unique("item", keep="first").select("item", first="score")
        frame = frame.join(exact, on=["item", "rank"], how="left").join(first, on="item", how="left")
        frame = frame.with_columns(score=pl.coalesce("score", "first")).drop("first")
    rating = _columns("rating") if layout.truth.rating is not None else {}
    choices = dict(_choices(plan))
    hits = plan.of_stage(shown["hits"], {**_columns("item", "rank"), **rating, **choices})
    hits = hits.unique(["item", "rank"], keep="first").with_columns(relevant=pl.lit(value=True))
    frame = frame.join(hits.select("item", "rank", "relevant", *rating, *choices), on=["item", "rank"], how="left")
    return frame.with_columns(pl.col("relevant").fill_null(value=False), pl.col("rank").cast(pl.Int64))


def _choices(plan: ListPlan) -> Iterator[tuple[str, exp.Expr]]:
    """The values that the chosen gains, discounts and other parameters give a hit, by the name of the parameter."""
    question = plan.plan.question
    choices_of: dict[str, dict[str, tuple[str, exp.Expr]]] = {}
    for metric in question.of_lists:
        values = settled(metric, question.layout)
        for name, parameter in catalog().parameters(metric.name).items():
            if name not in metric.active or not _weighs_hits(parameter):
                continue
            chosen = parameter.expressions[str(values[name])]
            numbers = {each: values[each] for each in tree.placeholders(chosen)}
            bound = bind(chosen, numbers, catalog().optional)  # type: ignore[arg-type]  # all of them are numbers
            choices_of.setdefault(name, {})[bound.sql()] = f"{name}={values[name]}", bound
    in_order = sorted(  # what weighs ranks, as a discount does, comes after the gains
        (list(expressions.values()) for expressions in choices_of.values()),
        key=lambda choices: any("rank" in tree.columns_read(expression) for _, expression in choices),
    )
    for choices in in_order:
        for choice, expression in choices:
            yield (choice.partition("=")[0] if len(choices) == 1 else choice), expression


def _weighs_hits(parameter: Parameter) -> bool:
    """True if the choices of a parameter are numbers that follow from the rating or the rank of a hit."""
    choices = parameter.expressions.values()
    read = {column for choice in choices for column in tree.columns_read(choice)}
    are_numbers = not any(isinstance(choice, (exp.Predicate, exp.Boolean)) for choice in choices)
    return not parameter.policy and are_numbers and bool(read) and read <= OF_HITS


def _ideal(plan: ListPlan) -> pl.DataFrame:
    """The ideal list by rank: the relevant items, those of the highest rating first."""
    layout = plan.plan.question.layout
    has_rating = layout.truth.rating is not None
    rows = plan.of_stage(plan.shown["relevant"], _columns("item", "rating"))
    rows = rows.group_by("item").agg(pl.col("rating").max())
    rows = rows.sort("rating", "item", descending=[True, False])
    rows = rows.select("item", *(["rating"] if has_rating else [])).rename(lambda name: f"ideal {name}")
    rows = rows.with_row_index("rank", offset=1).with_columns(pl.col("rank").cast(pl.Int64))
    depth = plan.plan.question.depth
    return rows if depth is None else rows.head(depth)


# --- terms ------------------------------------------------------------------------------------------------------------


def _terms(plan: ListPlan) -> tuple[list[pl.DataFrame], list[pl.DataFrame]]:
    """The terms of sums by rank: those over the recommendations of the list, and those over its ideal list."""
    of_items, of_ideal = list[pl.DataFrame](), list[pl.DataFrame]()
    formulas, question = plan.plan.formulas, plan.plan.question
    for key, sums in formulas.lists.sums.items():
        step, side = question.cte(key.per_list), _side(plan, key)
        terms: dict[str, exp.Expr] = {}
        for name, part in formulas.lists.parts.items():
            columns = [column.name for column in tree.find(part, exp.Column) if column.table == step]
            if any(isinstance(aggregation.unfiltered(sums[column]), exp.Max) for column in columns):
                continue  # `COALESCE(MAX(rank), COUNT(*))` is not a sum
            totals = [sums[column] for column in columns if adds_up(sums[column])]
            if len(totals) > 1:  # the counts only decide whether the sum is defined
                totals = [total for total in totals if isinstance(aggregation.unfiltered(total), exp.Sum)]
            if len(totals) == 1:
                terms[name] = totals[0]
        if side is not None and terms:
            rows = plan.of_stage(key, {"rank": tree.column("rank"), **terms}, by="rank")
            rows = rows.with_columns(pl.col("rank").cast(pl.Int64), pl.col(*terms).cast(pl.Float64))
            (of_items if side == "items" else of_ideal).append(rows)
    return of_items, of_ideal


def adds_up(aggregate: exp.Expr) -> bool:
    """True if an aggregate is a sum over rows, or a count of rows: the sum of what it is for each rank."""
    bare = aggregation.unfiltered(aggregate)
    return isinstance(bare, (exp.Sum, exp.Count)) and not isinstance(bare.this, exp.Distinct)


def _side(plan: ListPlan, key: StageKey) -> str | None:
    """The list whose ranks a stage has: the shown one ("items") or the ideal one ("ideal"); None for others."""
    ids = {*plan.plan.stages[key].ids}
    if not has_rank(key):
        return None
    if "list_id" in ids:
        return "items" if _is_in_order(plan, dict(key.settings)) else None
    stages = plan.plan.stages
    # the ideal list is shown in the order of ratings: without weights, and not rank by rank
    is_by_rating = WEIGHTS not in dict(key.settings) and not any(
        "repeated" in stages[below].definition.fields for below in stages[key].reads.values()
    )
    return "ideal" if ids <= {"truth_id"} and is_by_rating else None


def _is_in_order(plan: ListPlan, settings: Mapping[str, object]) -> bool:
    shown = dict(plan.shown["recommended"].settings)
    return all(settings[name] == value for name, value in shown.items() if name in settings)


# --- formulas with values ---------------------------------------------------------------------------------------------


# The value of each part, by its name.
Values = Mapping[str, float | None]


@dataclass(frozen=True)
class Formula:
    """A metric of one list: its formula, and the values that are in it."""

    label: str
    expression: exp.Expr = field(repr=False)  # the whole formula over parts, as SQL: every case, every NULLIF
    chosen: exp.Expr = field(repr=False)  # without the cases that the list does not meet
    parts: Values  # those that the formula reads
    value: float | None  # None if it is undefined
    reasons: tuple[str, ...] = ()  # why a case was taken, or why the value is undefined

    def __str__(self) -> str:
        """The formula with names, then with values: `ndcg@10 = dcg@10 / ideal_dcg@10 = 1.63 / 2.13 = 0.77`."""
        steps = [written(self.chosen), written(self.chosen, self.parts), shown_value(self.value)]
        if isinstance(self.chosen, exp.Null):
            steps = ["NULL"]
        elif not tree.find(self.chosen, exp.Column):
            steps = [shown_value(self.value)]
        elif self.value is None:
            steps[-1] = "NULL"
        equal = " = ".join([self.label, *dict.fromkeys(steps)])
        return f"{equal} ({'; '.join(self.reasons)})" if self.reasons else equal


@dataclass(frozen=True)
class Part:
    """A number that formulas read: an aggregate over the rows of a stage."""

    name: str
    expression: exp.Expr = field(repr=False)  # the aggregate, as SQL over the columns of the stage
    stage: str
    where: exp.Expr | None = field(repr=False)  # the condition on the rows; None where all rows count
    value: float | None

    def __str__(self) -> str:
        """The part as SQL over a stage, and its value: `n_hits@10 = COUNT(*) FROM hits WHERE rank <= 10 = 3`."""
        where = f" WHERE {written(self.where)}" if self.where is not None else ""
        value = "NULL" if self.value is None else shown_value(self.value)
        return f"{self.name} = {value}: {written(self.expression)} FROM {self.stage}{where}"


def written(node: exp.Expr, values: Values | None = None, number: Callable[[float | None], str] = shown_value) -> str:
    """An expression for a person to read: names without quotes, or values in their place, and no casts to DOUBLE."""
    root = exp.Paren(this=node.copy())  # so that the node itself can be replaced
    for each in reversed(tree.find(root, exp.Cast, exp.Not)):
        if isinstance(each, exp.Cast) and each.is_type(exp.DType.DOUBLE):
            each.replace(in_brackets(each.this, each.parent, str(each.arg_key)))
        elif isinstance(each, exp.Not) and isinstance(each.this, exp.Is):
            each.replace(exp.Is(this=each.this.this, expression=exp.Not(this=each.this.expression)))
    for column in tree.find(root, exp.Column):
        value = values.get(column.name) if values is not None else None
        name = column.name if values is None else "NULL" if value is None else number(value)
        column.replace(exp.Var(this=name))
    return str(root.this.sql("duckdb"))


def in_brackets(node: exp.Expr, parent: exp.Expr | None, key: str) -> exp.Expr:
    """An operand of a parent, in brackets only where it would be read otherwise without."""
    operand = node.unnest()
    if isinstance(operand, (exp.Binary, exp.Unary)) and isinstance(parent, (exp.Binary, exp.Unary)):
        operands: dict[str, exp.Expr] = {
            name: exp.column("x") for name in ("this", "expression") if name in parent.args
        }
        text = type(parent)(**{**operands, key: operand.copy()}).sql("duckdb", identify=True)
        read = sqlglot.parse_one(text, read="duckdb")
        if type(read) is not type(parent) or read.args[key].sql(identify=True) != operand.sql(identify=True):
            return exp.Paren(this=operand)
    return operand


def formula_of(metric: Metric, expression: exp.Expr, parts: Values, value: float | None) -> Formula:
    """The formula of a metric for a list, from the values of its parts and its own value."""
    with duckdb.connect() as connection:
        chosen = _Chosen(parts, connection)
        simple = chosen.of(expression)
    reasons = list(dict.fromkeys(chosen.reasons))
    if not reasons and not tree.find(simple, exp.Column):
        reasons = chosen.conditions[-1:]
    if value is None:
        nulls = (column.name for column in tree.find(simple, exp.Column) if parts[column.name] is None)
        reasons += [f"{name} is NULL" for name in dict.fromkeys(nulls)]
        reason = metric.definition.fields.get("undefined")
        reasons = [f"undefined: {reason.rstrip('.')}", *reasons] if reason else reasons
    used = {column.name: parts[column.name] for column in tree.find(expression, exp.Column)}
    return Formula(metric.label, expression, simple, used, value, tuple(reasons))


class _Chosen:
    """Leaves out of a formula the cases that a list does not meet, and notes why; DuckDB computes what decides."""

    def __init__(self, parts: Values, connection: duckdb.DuckDBPyConnection) -> None:
        self._parts, self._connection = parts, connection
        self.reasons: list[str] = []
        self.conditions: list[str] = []

    def _value(self, node: exp.Expr) -> Any:
        root = exp.Paren(this=node.copy())
        for column in tree.find(root, exp.Column):
            value = self._parts[column.name]
            # a whole number, or else a DOUBLE, also of the decimals that some engines return
            text = exp.Null() if value is None else exp.Literal.string(repr(float(value)))
            literal = tree.literal(value) if isinstance(value, int) else exp.cast(text, exp.DType.DOUBLE)
            column.replace(literal)
        return self._connection.execute(f"SELECT {root.sql('duckdb')}").fetchall()[0][0]

    def of(self, node: exp.Expr) -> exp.Expr:
        """The expression with the chosen case instead of each choice."""
        match node:
            case exp.Case():  # the value of the first case whose condition holds
                conditions = [branch.this for branch in node.args["ifs"]]
                for branch, condition in zip(node.args["ifs"], conditions, strict=True):
                    if self._value(condition):
                        self.conditions.append(f"{written(condition)} holds: {written(condition, self._parts)}")
                        return self.of(branch.args["true"])
                default = node.args.get("default")
                texts = [(written(condition), written(condition, self._parts)) for condition in conditions]
                notes = self.reasons if default is None else self.conditions
                notes += [f"{with_names} is false: {with_values}" for with_names, with_values in texts]
                return exp.Null() if default is None else self.of(default)
            case exp.Coalesce():  # the first argument that is not NULL
                for argument in (node.this, *node.expressions):
                    if self._value(argument) is not None:
                        return self.of(argument)
                    names = (column.name for column in tree.find(self.of(argument), exp.Column))
                    self.reasons += [f"{name} is NULL" for name in names if self._parts[name] is None]
                return exp.Null()
            case exp.Nullif():
                # the argument, even where it is the value that counts as NULL: `0 / 0 = NULL` says why
                if self._value(node) is None and self._value(node.this) is not None:
                    self.reasons.append(f"{written(node.this)} is {written(node.expression)}")
                return self.of(node.this)
            case exp.Paren():  # the operator that reads it has brackets again where it needs them
                return self.of(node.this)
        copy = node.copy()
        for name, value in node.args.items():
            if isinstance(value, exp.Expr):
                copy.set(name, in_brackets(self.of(value), node, name))
            elif isinstance(value, list):
                copy.set(name, [self.of(child) if isinstance(child, exp.Expr) else child for child in value])
        return copy


# --- one list of an evaluation ----------------------------------------------------------------------------------------


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
    known = queries.layout.lists
    if not values:
        raise said(InputError, "no_values", known=[*known], owner=queries.layout.truth_lists[-1])
    for name, value in values.items():
        if name not in known:
            raise InputError(f"There is no list column {name!r}: the list columns are {choices_for(name, known)}")
        if value is None:
            raise InputError(f"The value of {name!r} is missing: rows with a NULL id belong to no list.")
    lists = _lists(queries, values, SEEN)
    if not lists:
        raise _none_found(queries, values)
    if len(lists) > 1:
        different = [name for name in known if len({choice.values[name] for choice in lists}) > 1]
        n_lists = f"more than {SEEN - 1}" if len(lists) >= SEEN else str(len(lists))
        values_of = "its value" if len(different) == 1 else "their values"
        naming = _in_words({name: lists[0].values[name] for name in different})
        found = {"values": _in_words(values), "n_lists": n_lists, "different": different}
        raise said(InputError, "several_lists", **found, values_of=values_of, naming=naming)
    return lists[0]


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
    plan, lists = queries.plan(), queries.layout.lists
    types = {column: queries.layout.recs_types[column] for column in lists}
    as_text = [column for column in lists if types[column].family not in WITH_LITERALS and types[column].name]
    own = {name: tree.column(unnamed(name)) for name in lists}
    selected = [*own.values(), *(exp.cast(own[column].copy(), exp.DType.TEXT) for column in as_text)]
    columns = [f"column {number}" for number in range(len(selected))]
    select = exp.select(*selected).from_(plan.lists())
    select = select.where(*(equal(own[name].copy(), name, value, types[name]) for name, value in values.items()))
    in_order = [column.copy().asc(nulls_first=False) for column in own.values()]
    rows = run(queries, plan, plan.ctes_of(planner.LISTS_KEY), select.order_by(*in_order).limit(limit), columns).rows()
    n = len(lists)
    return [
        ListChoice(dict(zip(lists, row[:n], strict=True)), dict(zip(as_text, map(str, row[n:]), strict=True)), types)
        for row in rows
    ]


# --- no such list -----------------------------------------------------------------------------------------------------


def _none_found(queries: Queries, values: Mapping[str, Any]) -> InputError:
    """The error for values that no scored list has: the unknown value, and what was there instead."""
    for name, value in values.items():
        if not _lists(queries, {name: value}, 1):
            if error := _unscored(queries, {name: value}):
                return error
            known = known_values(queries, name)
            shown = f"{', '.join(known[:SHOWN])}{' and others' if len(known) > SHOWN else ''}"
            near = did_you_mean(str(value), known)
            return said(InputError, "no_such_list", name=name, value=repr(value), known=shown, near=near)
    if error := _unscored(queries, values):
        return error
    name = next(iter(values))
    first = {name: values[name]}
    examples = ", ".join(f"({choice})" for choice in _lists(queries, first, SHOWN))
    return said(InputError, "no_list_of_all", values=_in_words(values), first=_in_words(first), examples=examples)


def _unscored(queries: Queries, values: Mapping[str, Any]) -> InputError | None:
    """The error that lists with these values are not scored; None if there are no such lists."""
    side, types = queries.layout.side("recs"), queries.layout.recs_types
    tests = [equal(_input_column(side, name), name, value, types[name]) for name, value in values.items()]
    count = tree.named(exp.Count(this=exp.Star(), big_int=True), "n")
    select = exp.select(count).from_(planner.input_table(queries.question, "recs")).where(*tests)
    tree.quote(select)
    missing = queries.question.missing[0]
    if (n := int(queries.rows(select)[0][0])) == 0:
        return None
    rows = counted(n, "recommendation has", "recommendations have")
    scored = {"values": _in_words(values), "missing": missing, "scored": SCORED[missing]}
    return said(InputError, "unscored_list", rows=rows, **scored)


def known_values(queries: Queries, name: str) -> list[str]:
    """Values of a list column that scored lists have, in order, as text."""
    plan, column = queries.plan(), tree.column(unnamed(name))
    select = exp.select(column).distinct().from_(plan.lists())
    select = select.order_by(column.asc(nulls_first=False)).limit(SEEN)
    return [str(row[0]) for row in run(queries, plan, plan.ctes_of(planner.LISTS_KEY), select, [name]).iter_rows()]


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
    shown: Mapping[str, planner.StageKey]  # the stages that every trace shows, under the settings of the first metric

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
        select = exp.select(*(column.copy() for column in columns.values()))
        select = select.from_(tree.table(self.plan.question.cte("measured")))
        return dict(zip(columns, self._row(self.plan.measured_ctes(), select), strict=True))

    def _row(self, ctes: Sequence[planner.Cte], select: exp.Select, table: str | None = None) -> tuple[Any, ...]:
        """The row of the list, of a SELECT over one row per list."""
        select = select.where(*(self._test(tree.column(unnamed(column), table)) for column in self.choice.values))
        return run(self.queries, self.plan, ctes, select, [f"column {n}" for n in range(len(select.expressions))]).row(
            0
        )

    def _test(self, column: exp.Column, key: planner.StageKey | None = None) -> exp.Expr:
        """True if a column of a stage has the value of the list."""
        if column.name.startswith(UNNAMED):
            return self.choice.test(column, column.name.removeprefix(UNNAMED))
        assert key is not None  # the rows hold for a number of relevant items
        return exp.EQ(this=column, expression=tree.literal(self.sizes[key]))

    @cached_property
    def sizes(self) -> dict[planner.StageKey, int]:
        """The number of relevant items by which the rows of a stage belong to the list."""
        plan, sizes = self.plan, {key.name: size for key, size in self.plan.formulas.sizes.items()}
        sums = plan.sums_for(sizes)
        select = exp.select(*(size.copy() for size in sizes.values())).from_(plan.lists())
        select.set("joins", plan.sums_joins(sums))
        numbers = self._row([*plan.sums_ctes(sums), *plan.ctes_of(planner.LISTS_KEY)], select, LISTS) if sizes else ()
        return {key: int(number or 0) for key, number in zip(plan.formulas.sizes, numbers, strict=True)}


def plan_list(queries: Queries, choice: ListChoice, metrics: Sequence[Metric] = ()) -> ListPlan:
    """The plan of an evaluation, or of other metrics, over the rows of one list."""
    if not queries.layout.has_truth:
        raise planner.no_truth("A trace")
    question = _question(queries, choice)
    question = replace(question, metrics=tuple(metrics)) if metrics else question
    formulas = planner.write_formulas(question)
    depth, sums_by_stage = question.depth, formulas.lists.sums
    settings = planner.settled(question.of_lists[0], question.layout)
    keys = {name: planner.key_of(name, settings) for name in SHOWN_STAGES}
    shown = [planner.Stage(key, SHOWN_STAGES[name], depth, depth) for name, key in keys.items()]
    summed = [planner.stage_summed(key, sums) for key, sums in sums_by_stage.items() if has_rank(key)]
    ranked = [replace(stage, columns=frozenset({"rank"})) for stage in summed]
    stages = planner.find_stages(question, [*formulas.stages(), *shown, *ranked])
    return ListPlan(queries, choice, planner.Plan(question, formulas, {}, stages), keys)


def has_rank(key: planner.StageKey) -> bool:
    """True if the rows of a stage have ranks, whichever of its files is used."""
    return all("rank" in tree.outputs(variant.select) for variant in catalog().variants(key.file).values())


def _question(queries: Queries, choice: ListChoice) -> planner.Question:
    """The question of an evaluation, asked of the recommendations and the truth of one list."""
    question, layout = queries.question, replace(queries.layout, parts={})  # windows rank one list
    tables = dict(question.tables)
    for name in ("recs", "truth"):
        side, rows = layout.side(name), exp.select(exp.Star()).from_(call(tables[name].copy(), name))
        tests = [choice.test(_input_column(side, column), column) for column in side.lists]
        tables[name] = exp.Subquery(this=rows.where(*tests))
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
