"""Metrics as formulas: sums over the rows of stages, and what each metric computes from the sums of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import METRICS, N_LISTS, catalog
from rankmetrics.metrics.conventions import OURS
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric, Setting, Settings
from rankmetrics.planner.model import MISSING, UNDEFINED, Question, Reading, StageKey, key_of
from rankmetrics.planner.tie_orders import covers_all_orders
from rankmetrics.sqltree import aggregation, tree

# The column that a stage is joined by where its rows hold for every list with as many relevant items.
N_RELEVANT = "n_relevant"


@dataclass(frozen=True)
class Sums:
    """The aggregates over the rows of one stage, each by the name of its column: they share one pass over the rows."""

    key: StageKey
    columns: Mapping[str, exp.Expr]

    @property
    def reading(self) -> Reading:
        """The columns and the depth that the aggregates read."""
        found = Reading()
        for column in self.columns.values():
            limit = aggregation.limit_of(aggregation.filter_of(column))
            found |= Reading(frozenset(tree.columns_read(column)), limit, limit)
        return found


@dataclass(frozen=True)
class Formulas:
    """Metrics as formulas.

    Attributes:
        values: for each metric of lists, by its label, the expression over what is measured of a list.
        measured: what is measured of a list, as expressions over sums.
        sums: the sums over the rows of each stage, for a list.
        systems: for each metric of systems, by its label, the expression over what is summed for a system.
        run_sums: the sums over the rows of each stage, for a system.
        of_lists: the numbers of a system that are aggregates over its lists.
        counts: the counts of lists beside the metrics, as aggregates over lists.
        sizes: for each stage whose rows hold for a number of relevant items, that number of a list.
        flags: the columns that say over which lists a metric is taken, where the metrics differ in it.
        definitions: the files of metrics that the formulas are written from.
    """

    values: Mapping[str, exp.Expr]
    measured: Mapping[str, exp.Expr]
    sums: Mapping[StageKey, Sums]
    systems: Mapping[str, exp.Expr]
    run_sums: Mapping[StageKey, Sums]
    of_lists: Mapping[str, exp.Expr]
    counts: Mapping[str, exp.Expr]
    sizes: Mapping[StageKey, exp.Expr]
    flags: tuple[str, ...]
    definitions: tuple[Definition, ...]

    def __str__(self) -> str:
        """Every formula as a line of SQL, from the metrics down to the sums over stages."""
        lines = [f"{label} = {one.sql()}" for label, one in {**self.values, **self.systems, **self.of_lists}.items()]
        lines += [f"measured: {name} = {one.sql()}" for name, one in self.measured.items()]
        for per, of in (("list", self.sums), ("system", self.run_sums)):
            lines += [
                f"summed over {key.name}, per {per}: {name} = {one.sql()}"
                for key, sums in of.items()
                for name, one in sums.columns.items()
            ]
        return "\n".join(lines)

    def measured_for(self, labels: Iterable[str]) -> dict[str, exp.Expr]:
        """What is measured of a list for some of its values."""
        waiting = [self.values[label] for label in labels]
        read: set[str] = set()
        while waiting:
            columns = tree.find(waiting.pop(), exp.Column)
            used = {column.name for column in columns if not column.table} & {*self.measured}
            waiting += [self.measured[name] for name in used - read]
            read |= used
        return {name: one for name, one in self.measured.items() if name in read}

    def steps_read(self, question: Question, label: str) -> set[str]:
        """The steps of sums that a metric, a count or a number of the lists is computed from, by their names."""
        found: set[str] = set()
        if label in self.systems:
            waiting = [self.systems[label]]
            waiting += [self.of_lists[name] for name in self._bare(waiting) if name in self.of_lists]
            found |= _tables(waiting)
            labels = {name for name in self._bare(waiting) if name in self.values}
        else:
            labels = {label} if label in self.values else self._bare([self.counts[label]])
        labels &= self.values.keys()
        found |= _tables([*(self.values[one] for one in labels), *self.measured_for(labels).values()])
        return found | _tables(size for key, size in self.sizes.items() if sums_name(question, key) in found)

    @staticmethod
    def _bare(expressions: Iterable[exp.Expr]) -> set[str]:
        return {
            column.name
            for expression in expressions
            for column in tree.find(expression, exp.Column)
            if not column.table
        }


def _tables(expressions: Iterable[exp.Expr]) -> set[str]:
    return {column.table for expression in expressions for column in tree.find(expression, exp.Column) if column.table}


def sums_name(question: Question, key: StageKey, *, per_system: bool = False) -> str:
    """The step that holds the sums over a stage."""
    return question.cte(f"{key.name}_per_{'system' if per_system else 'list'}")


def member_of(missing: str) -> str:
    """The column of the lists that says whether a list is of those that a choice of `missing` takes."""
    return f"in {missing}"


def holds_for_sizes(definition: Definition) -> bool:
    """Whether the rows of a variant of a stage hold for every list with as many relevant items."""
    offered = tree.outputs(definition.select)
    return not {*offered} & {*tree.IDS} and "when" in definition.fields and N_RELEVANT in offered


def settled(metric: Metric, layout: Layout) -> dict[str, Setting | None]:
    """The values of a metric's parameters, with the default for a parameter that changes nothing over these inputs."""
    values = dict(metric.values)
    ranked = [layout.recs, *(one.roles for name, one in layout.extras.items() if name == "baseline")]
    is_given = layout.recs.rank is not None and not layout.ranked_by_score
    has_order = is_given if covers_all_orders(values) else all(roles.rank for roles in ranked)
    if "ties" in values and has_order:
        values["ties"] = catalog().default("ties")  # ranks are given: no scores are equal
    if "tied" in values and (is_given or not layout.recs.score):
        values["tied"] = catalog().default("tied")  # ranks are all different
    if values.get("tied") == "averaged":
        values["ties"] = catalog().default("ties")  # a mean over all orders of equal scores depends on none of them
    return {**values, "convention": metric.convention if metric.convention != OURS.name else None}


def shared_policies(question: Question) -> Settings:
    """The policies on which all metrics agree: diagnostics are counted under them, and the rest by default."""
    values = [settled(metric, question.layout) for metric in question.metrics]
    policies = [policy.name for policy in catalog().all("policy")]
    chosen = {name: {of[name] for of in values if name in of} for name in policies}
    return {name: of.pop() for name, of in chosen.items() if len(of) == 1}


def shared_settings(question: Question) -> dict[str, Setting | None]:
    """The policies and the lowest relevant rating on which all metrics agree; other settings by default."""
    lowest = {metric.values["rel"] for metric in question.metrics if "rel" in metric.values}
    return {**shared_policies(question), **({"rel": lowest.pop()} if len(lowest) == 1 else {})}


def number_label(part: str) -> str:
    """The column of a number that is computed of each list beside the metrics."""
    return f"of each list: {part}"


def count_names(question: Question) -> list[str]:
    """The names of the counts of lists that stand after the metrics."""
    of_metrics = [count.name for count in counts_of_metrics(question)]
    return [*(f"{UNDEFINED}{metric.label}" for metric in metrics_counted(question)), *of_metrics]


def metrics_counted(question: Question) -> list[Metric]:
    """The metrics whose undefined lists are counted."""
    return question.of_lists if not question.count_kinds or "undefined" in question.count_kinds else []


def counts_of_metrics(question: Question) -> list[Definition]:
    """The diagnostics that are computed from metrics, as far as the inputs suffice for them."""
    every = [count for count in catalog().all("account") if count.reads == METRICS]
    if question.count_kinds:
        every = [one for one in every if one.name == MISSING and "missing" in question.count_kinds]
    return [one for one in every if offers(question.layout, one.fields.get("needs"))]


def over_lists(question: Question, formulas: Formulas) -> dict[str, exp.Expr]:
    """What the summary computes over lists, as aggregates over one row per list."""
    made: dict[str, exp.Expr] = {N_LISTS: exp.Count(this=exp.Star(), big_int=True)}
    for metric in question.of_lists:
        made |= {each.label(metric.label): each.of(tree.column(metric.label)) for each in question.aggregates}
    return {**made, **formulas.of_lists, **formulas.counts}


# Where the roles are that a part of a metric, or a count of the account, may need.
HOMES = {
    **dict.fromkeys(("rank", "score", "pool"), "recs"),
    **dict.fromkeys(("category", "embedding", "popularity"), "items"),
    "rating": "truth",
}


def offers(layout: Layout, need: str | None) -> bool:
    """Whether the inputs have what a file's `needs:` line names.

    It names an input, a column of a role, a `wide rank`, or `negatives`: lists ranked among candidates have negatives.
    """
    if need == "negatives":
        return layout.has_candidates
    if need == "wide rank":
        return layout.recs.rank is not None and layout.recs_types[layout.recs.rank].is_wide
    if need is None or need in layout.names():
        return True
    home = HOMES.get(need)
    return home in layout.names() and getattr(layout.side(str(home)).roles, need) is not None


def columns_of_choices(stage: str, values: Settings) -> set[str]:
    """The columns that the chosen settings make a stage, and the stages below it, read."""
    read = [(catalog().shared(one), value) for one, value in key_of(stage, values).settings]
    chosen = [one.expressions.get(str(value)) for one, value in read if not one.policy]
    return {column for one in chosen if one is not None for column in tree.columns_read(one)}


def given_settings(name: str, values: Settings) -> tuple[dict[str, Setting | None], int | None]:
    """The settings of a metric that differ from the defaults, and the cutoff."""
    accepted = catalog().parameters(name)
    given = {
        one: value for one, value in values.items() if one in accepted and one != "k" and value != accepted[one].default
    }
    k = values.get("k")
    return given, k if isinstance(k, int) and "k" in accepted else None
