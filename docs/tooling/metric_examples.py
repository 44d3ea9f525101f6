"""The example of each metric's page: two short lists, and how a metric comes to its value for them.

Nothing is typed: the values come from `evaluate`, the steps from `result.trace` and, for a metric of a system, from the
formulas of the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import polars as pl
from sqlglot import exp

import rankmetrics as rm
from rankmetrics import planner
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.planner import PASSES, Cte, Plan, number_label
from rankmetrics.results.result import Result
from rankmetrics.sqltree import tree
from rankmetrics.tables import shown_value
from rankmetrics.traces.trace import Formula, Values, formula_of, run, trace_list, written

# The user whose list is traced, and the cutoff.
USER = "ana"
K = 5

# A parameter that reads ratings, and the choice of a second example that shows it.
GRADED = {"gain": "exponential", "merit": "rating", "stop": "graded"}


def _by_user(column: str, lists: Mapping[str, str]) -> dict[str, list[Any]]:
    """Columns of users and ranks beside a column of one-letter items."""
    rows = [(user, item, rank) for user, items in lists.items() for rank, item in enumerate(items, start=1)]
    return dict(zip(("user", column, "rank"), map(list, zip(*rows, strict=True)), strict=True))


RECS = pl.DataFrame(_by_user("item", {"ana": "ABCDE", "ben": "CAGJ"}))
TRUTH = pl.DataFrame(
    {
        "user": ["ana", "ana", "ana", "ana", "ana", "ana", "ben", "ben", "ben"],
        "item": ["A", "B", "C", "E", "F", "G", "A", "G", "I"],
        "rating": [0, 2, 4, 3, 5, 0, 3, 4, 2],
    }
)
HISTORY = pl.DataFrame(_by_user("item", {"ana": "DH", "ben": "BH", "cem": "BCFH", "dua": "BCEH"})).drop("rank")
CATEGORIES = {"A": ["drama"], "B": ["drama", "comedy"], "C": ["comedy"], "D": ["comedy"], "E": ["action"]}
CATEGORIES |= {"G": ["drama"], "H": ["action"], "J": ["action"]}

# The inputs beside recommendations and truth: by the need that a metric names, the argument of `evaluate` and the rows.
INPUTS: dict[str, tuple[str, pl.DataFrame]] = {
    "catalog": ("catalog", pl.DataFrame({"item": list("ABCDEFGHIJ")})),
    "history": ("history", HISTORY),
    "baseline": ("baseline", pl.DataFrame(_by_user("item", {"ana": "HBAIJGCE", "ben": "HBACG"}))),
    "similarity": (
        "similarity",
        pl.DataFrame({"item": ["A", "A", "B", "C"], "other": ["B", "C", "C", "D"], "similarity": [0.9, 0.5, 0.2, 0.8]}),
    ),
    "log": (
        "log",
        pl.DataFrame(
            {
                "user": ["ana", "ana", "ana", "ana", "ana", "ben", "ben"],
                "impression": [1, 1, 1, 2, 2, 3, 3],
                "position": [1, 2, 5, 1, 2, 1, 2],
                "item": ["A", "B", "D", "D", "B", "C", "G"],
                "reward": [1, 0, 1, 2, 1, 0, 1],
                "propensity": [0.5, 0.8, 0.5, 0.25, 0.5, 0.8, 0.5],
            }
        ),
    ),
    "log: logger": (
        "log",
        pl.DataFrame(
            {
                "user": ["ana", "ana", "ben", "ben"],
                "impression": [1, 2, 3, 4],
                "logger": ["old", "new", "old", "new"],
                "position": [1, 1, 1, 1],
                "item": ["A", "A", "C", "C"],
                "reward": [1, 1, 0, 2],
                "propensity": [0.25, 0.5, 0.25, 0.8],
            }
        ),
    ),
    "items: category": (
        "items",
        pl.DataFrame(
            {
                "item": [item for item, of in CATEGORIES.items() for _ in of],
                "category": [one for of in CATEGORIES.values() for one in of],
            }
        ),
    ),
    "items: embedding": (
        "items",
        pl.DataFrame(
            {"item": list("ABCDE"), "embedding": [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 2.0], [2.0, 1.0]]}
        ),
    ),
}


# The reward that a model expects of each item, for metrics that read expected rewards.
EXPECTED = {"A": 0.6, "B": 0.3, "C": 0.5, "D": 0.2, "E": 0.1, "G": 0.4, "J": 0.1}
MODELLED = {"dm", "dr", "cascade_dr", "sndr", "sndr_error"}

# Metrics of predicted ratings: the score at rank 1 is 5, and one less at each rank below.
PREDICTIONS = {"mae", "mse", "rmse"}

# Metrics whose log says which old policy showed the items.
LOGGERS = {"multi_logger_ips", "multi_logger_ips_error"}

# The subtopics for which each item is relevant: the truth of metrics of subtopics has a row for each.
SUBTOPICS = {"A": "x", "B": "x", "C": "xy", "E": "y", "F": "z", "G": "x", "I": "z"}

# The number of candidates that the lists were ranked from, for metrics that count the candidates.
POOLS = {"fall_out": 10}

# A table as text: its headings, then its rows.
Table = tuple[list[str], list[list[str]]]

# The step that holds the numbers that the formula of a system reads.
LEAVES = "leaves"


@dataclass(frozen=True)
class Example:
    """A metric over the example's inputs.

    Attributes:
        metric: as text, such as `ndcg(gain=exponential)@5`.
        needs: what it needs beside recommendations and truth: keys of INPUTS.
    """

    metric: str
    needs: tuple[str, ...]

    @property
    def pool(self) -> int | None:
        """The number of candidates that the lists were ranked from; None if the recommendations do not say it."""
        return POOLS.get(rm.parse(self.metric).name)

    @property
    def is_modelled(self) -> bool:
        """True if the recommendations have the rewards that a model expects."""
        return rm.parse(self.metric).name in MODELLED

    @property
    def is_scored(self) -> bool:
        """True if the recommendations have scores that predict ratings."""
        return rm.parse(self.metric).name in PREDICTIONS

    @property
    def has_subtopics(self) -> bool:
        """True if the truth has subtopics."""
        return catalog().reads_subtopics(rm.parse(self.metric).name)

    @property
    def truth(self) -> pl.DataFrame:
        """The truth, with a row for each subtopic if it has subtopics."""
        if not self.has_subtopics:
            return TRUTH
        subtopics = {item: [*of] for item, of in SUBTOPICS.items()}
        return TRUTH.with_columns(subtopic=pl.col("item").replace_strict(subtopics)).explode("subtopic")

    @property
    def recs(self) -> pl.DataFrame:
        """The recommendations, with a column `pool`, `score` or `expected_reward` if they have one."""
        recs = RECS if self.pool is None else RECS.with_columns(pool=self.pool)
        recs = recs.with_columns(score=6.0 - pl.col("rank")) if self.is_scored else recs
        return recs.with_columns(expected_reward=pl.col("item").replace_strict(EXPECTED)) if self.is_modelled else recs

    @property
    def inputs(self) -> dict[str, Any]:
        """The arguments of `evaluate` beside recommendations, truth and metrics."""
        return dict(INPUTS[one] for one in self.needs)

    def result(self) -> Result:
        """The evaluation of both lists."""
        return rm.evaluate(self.recs, self.truth, [self.metric], **self.inputs)

    def call(self) -> str:
        """The call of `evaluate`, as Python."""
        further = "".join(f", {name}={name}" for name in self.inputs)
        return f'rm.evaluate(recs, truth, ["{self.metric}"]{further})'


@dataclass(frozen=True)
class Worked:
    """An example with its steps.

    Attributes:
        formula: the metric's formula with names and values.
        parts: the name of each number that the formula reads, with its value.
        tables: tables that the numbers are read off: headings, then rows.
    """

    formula: Formula
    parts: Values
    tables: Sequence[Table]


def examples(definition: Definition) -> list[Example]:
    """The examples of a metric: with the defaults and, if it may read ratings, with graded relevance."""
    own = catalog().own_parameters(definition.name)
    cutoff = f"@{K}" if "k" in own else ""
    graded = [
        f"{definition.name}({owner}{name}={choice}){cutoff}"
        for name, choice in GRADED.items()
        if name in own
        for owner in _owners(definition.name, name)
    ]
    needs = tuple(dict.fromkeys(_needed(definition.name)))
    return [Example(metric, needs) for metric in (f"{definition.name}{cutoff}", *graded)]


def _owners(metric: str, name: str) -> list[str]:
    """The choices that a parameter belongs to, each as `attention=cascade, `; "" if it is read by default."""
    if name in rm.parse(metric).active:
        return [""]
    own = catalog().own_parameters(metric).items()
    return [f"{key}={choice}, " for key, one in own for choice in one.choices if name in one.parameters_of(choice)]


def _needed(metric: str) -> Iterable[str]:
    """One input for each need of a metric: of the inputs that meet the need, the first of INPUTS."""
    for need in catalog().needs(metric):
        met = [one for one in INPUTS if one in need.split(" or ")]
        assert met, f"{metric} needs {need!r}: add such an input to INPUTS in {__name__}"
        yield "log: logger" if metric in LOGGERS else met[0]


@cache
def worked(example: Example) -> Worked:
    """The steps of an example."""
    return _of_system(example) if rm.parse(example.metric).is_run else _of_list(example)


# --- a metric of lists ------------------------------------------------------------------------------------------------


def _of_list(example: Example) -> Worked:
    trace = trace_list(example.result()._queries, {"user": USER})  # without the checks of the data: they take longer
    (formula,) = trace._measured[0].values()
    read = {column.name for column in tree.find(formula.chosen, exp.Column)} or set(formula.parts)
    parts = {name: value for name, value in formula.parts.items() if name in read}
    frame = trace.collect()
    sums = [name for name in frame.columns if f"{name} sum" in frame.columns]
    at_ideal = frame.columns.index("ideal item") if "ideal item" in frame.columns else frame.width
    of_list = [one for one in frame.columns[:at_ideal] if not one.endswith(" sum")]
    tables = [_table(frame, of_list, sums)]
    ideal = [one for one in frame.columns[at_ideal:] if not one.endswith(" sum")]
    if any(one in sums for one in ideal):
        tables.append(_table(frame.filter(pl.col("ideal item").is_not_null()), ["rank", *ideal], sums))
    return Worked(formula, parts, tables)


def _table(frame: pl.DataFrame, columns: list[str], sums: list[str]) -> Table:
    """Rows of a list, and below them the sums of the columns that add up."""
    rows = [[cell(row[name]) for name in columns] for row in frame.iter_rows(named=True)]
    if any(one in sums for one in columns):
        totals = [cell(frame[f"{one} sum"].drop_nulls()[-1]) if one in sums else "" for one in columns]
        rows.append([f"**{one}**" if one else "" for one in ["sum", *totals[1:]]])
    return columns, rows


def subtopics_in_words() -> str:
    """The subtopics of each item."""
    return "; ".join(f"{item}: {', '.join(of)}" for item, of in SUBTOPICS.items())


def lists_of(frame: pl.DataFrame) -> str:
    """The rows of an input in words: by the first column, or all of them if there is only one column."""
    frame = frame.drop("rank", strict=False)
    if frame.width == 1:
        return ", ".join(frame.to_series())
    rows: dict[str, list[str]] = {}
    for first, *rest in frame.iter_rows():
        rows.setdefault(first, []).append(" ".join(map(str, rest)))
    return "; ".join(f"{first}: {', '.join(rest)}" for first, rest in rows.items())


def cell(value: Any) -> str:
    """A value in a table: four places of a number, unless it is whole; blank for nothing."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return shown_value(int(value) if value == int(value) else value)
    return "" if value is None else str(value)


# --- a metric of systems ----------------------------------------------------------------------------------------------


def _of_system(example: Example) -> Worked:
    """The formula of a metric of systems, with the numbers of the system."""
    result = example.result()
    queries = result._queries
    plan = planner.plan(replace(queries.question, passes_off=frozenset(one.name for one in PASSES)))
    (metric,) = result.metrics
    tables = [_recommended()]
    if metric.label in plan.formulas.systems.parts:
        expression, leaves = _with_leaves(plan.formulas.systems.parts[metric.label], exp.AggFunc)
        ctes = plan.per_list_ctes()
        source = exp.select().from_(tree.table(ctes[-1].name))
        tables.append(_of_each_list(result, plan, leaves.values()))
    else:
        expression, leaves = _with_leaves(plan.formulas.systems.values[metric.label], exp.Column)
        ctes, source = plan.summary_parts()
    selected = source.select(*(tree.named(one, name) for name, one in leaves.items()), append=False)
    ctes = [*ctes, Cte(LEAVES, selected)]
    asked = {"value": expression, **{name: tree.column(name) for name in leaves}}
    select = exp.select(*(one.copy() for one in asked.values())).from_(tree.table(LEAVES))
    found = run(queries, plan, ctes, select, [*asked]).row(0, named=True)
    formula = formula_of(metric, expression, {name: found[name] for name in leaves}, found["value"])
    return Worked(formula, formula.parts, tables)


def _with_leaves(expression: exp.Expr, kind: type[exp.Expr]) -> tuple[exp.Expr, dict[str, exp.Expr]]:
    """An expression with columns in the place of its aggregates, or of its columns, and what each of them is."""
    root = exp.Paren(this=expression.copy())
    leaves = {}
    for node in tree.find(root, kind):
        name = _without_prefix(node.name if isinstance(node, exp.Column) else written(node))
        leaves[name] = node.copy()
        tree.put(root, node, tree.column(name))
    return root.this, leaves


def _without_prefix(name: str) -> str:
    return name.replace(number_label(""), "")


def _of_each_list(result: Result, plan: Plan, aggregates: Iterable[exp.Expr]) -> Table:
    """The numbers of each list that aggregates read, a row per list."""
    ctes = plan.per_list_ctes()
    read = list(dict.fromkeys(column.name for one in aggregates for column in tree.find(one, exp.Column)))
    lists = plan.question.inside("list_id")
    select = exp.select(*map(tree.column, (*lists, *read))).from_(tree.table(ctes[-1].name))
    columns = ["user", *map(_without_prefix, read)]
    frame = run(result._queries, plan, ctes, select, columns).sort("user")
    return columns, [[cell(one) for one in row] for row in frame.rows()]


def _recommended() -> Table:
    """Both lists of the example, a row per rank; relevant items are bold."""
    relevant = set(TRUTH.filter(pl.col("rating") > 0).select("user", "item").iter_rows())
    users = RECS["user"].unique(maintain_order=True).to_list()
    items = {(user, rank): item for user, item, rank in RECS.iter_rows()}
    rows = []
    for rank in sorted(RECS["rank"].unique()):
        cells = [(user, items.get((user, rank), "")) for user in users]
        rows.append([str(rank), *(f"**{item}**" if (user, item) in relevant else item for user, item in cells)])
    return ["rank", *users], rows
