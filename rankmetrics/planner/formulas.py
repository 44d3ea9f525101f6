"""From metrics to expressions: each number once, as sums over the rows of a stage, put together in one row per list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from rankmetrics.errors import ColumnError, MetricError, Option, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import METRICS, RUNS, catalog
from rankmetrics.metrics.conventions import OURS, find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.label import Setting, Settings, spell
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.planner.model import Key
from rankmetrics.planner.stages import Stages, member_of
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.parameters import bind

# Beside the values of what is measured for another metric, which has been checked.
DERIVED = "derived"


@dataclass
class Sums:
    """The aggregates asked of one stage: all of them are computed in one pass."""

    key: Key
    columns: dict[str, exp.Expr] = field(default_factory=dict)

    def add(self, label: str, aggregate: exp.Expr) -> str:
        """The column that holds an aggregate; one asked for twice is computed once."""
        for name, known in self.columns.items():
            if known == aggregate:
                return name
        name = free_name(label, self.columns)
        self.columns[name] = aggregate
        return name


class Formulas:
    """What must be summed for some metrics, and how the metrics are made of the sums.

    Attributes:
        values: for each label, the metric as an expression over what is measured of a list.
        runs: for each label, the number of a system as an expression over what is summed for the system.
        of_lists: the numbers of a system that are aggregates over its lists.
        measured: what is measured of a list, as expressions over sums.
        sums, run_sums: the sums asked of each stage, for a list and for a system.
    """

    def __init__(self, metrics: Sequence[Metric], layout: Layout, stages: Stages) -> None:
        self.layout = layout
        self.stages = stages
        self.sums: dict[Key, Sums] = {}
        self.run_sums: dict[Key, Sums] = {}
        self.measured: dict[str, exp.Expr] = {}
        self.of_lists: dict[str, exp.Expr] = {}
        self.values: dict[str, exp.Expr] = {}
        self.runs: dict[str, exp.Expr] = {}
        self._resolved: dict[tuple[str, tuple[tuple[str, Setting | None], ...]], exp.Expr] = {}
        for one in metrics:
            self._asked = one.text
            if one.is_run:
                values = self.settled(one)
                self.runs[one.label] = self._filled(self._resolve_run(one.definition, values), values)
            else:
                self.values[one.label] = self._list_value(one)

    @property
    def flags(self) -> list[str]:
        """The columns that say which lists a metric is taken over, where not all are over the same."""
        return [member_of(one) for one in self.stages.missing] if len(self.stages.missing) > 1 else []

    def count(self, metric: Metric) -> exp.Expr:
        """How many lists a metric is taken over, as an aggregate over one row per list."""
        if not self.flags:
            return exp.Count(this=exp.Star(), big_int=True)
        flag = tree.column(member_of(str(metric.values["missing"])))
        return exp.Coalesce(this=exp.Sum(this=flag), expressions=[exp.Literal.number(0)])

    def made_of(self, labels: Iterable[str]) -> dict[str, exp.Expr]:
        """What is measured of a list for some of its values."""
        waiting = [self.values[one] for one in labels]
        read: set[str] = set()
        while waiting:
            found = {one.name for one in tree.find(waiting.pop(), exp.Column) if not one.table} & {*self.measured}
            waiting += [self.measured[one] for one in found - read]
            read |= found
        return {name: one for name, one in self.measured.items() if name in read}

    def part(self, name: str, values: Settings) -> None:
        """Measure a part of metrics, too, under some values of its parameters."""
        self.values.setdefault(name, self._child(name, values))

    def size(self, values: Settings) -> exp.Expr:
        """How many items are relevant to a list, as an expression over sums."""
        return self.measured[self._resolve(catalog().metric("n_relevant"), {**values, DERIVED: 1}).name]

    def sums_name(self, key: Key, *, of_runs: bool = False) -> str:
        """The CTE that holds the sums of a stage."""
        return self.stages.cte(f"{key.name}_per_{'system' if of_runs else 'list'}")

    def settled(self, metric: Metric) -> dict[str, Setting | None]:
        """The values of a metric's parameters; where ranks are given, none of ties."""
        values = dict(metric.values)
        ranked = [self.layout.recs, *(one.roles for name, one in self.layout.extras.items() if name == "baseline")]
        if "ties" in values and all(one.rank for one in ranked):
            values["ties"] = catalog().default("ties")
        if "tied" in values and (self.layout.recs.rank or not self.layout.recs.score):
            values["tied"] = catalog().default("tied")  # ranks are all different
        if values.get("tied") == "averaged":
            values["ties"] = catalog().default("ties")  # the mean over all orders of equal scores hangs on none
        return {**values, "convention": metric.convention if metric.convention != OURS.name else None}

    def _is_member(self, values: Settings) -> exp.Expr:
        """Whether a list is one of those that a metric is taken over, where not all are."""
        return exp.EQ(this=tree.column(member_of(str(values["missing"]))), expression=exp.Literal.number(1))

    def _list_value(self, metric: Metric) -> exp.Expr:
        """What is returned of a list for a metric: its value where it is defined, under the policies of its lists."""
        values = self.settled(metric)
        value = self._resolve(metric.definition, values)
        enough = self._policy("enough", {**values, "k": metric.k})  # of an uncut metric, too, the cutoff asked for
        if enough != exp.true():
            value = exp.Case().when(enough, value)
        value = self._filled(value, values)
        return exp.Case().when(self._is_member(values), value) if self.flags else value

    def _filled(self, value: exp.Expr, values: Settings) -> exp.Expr:
        """A value with what stands for an undefined one."""
        filled = self._policy("undefined", values)
        return value if filled == exp.Null() else exp.Coalesce(this=value, expressions=[filled])

    def _policy(self, name: str, values: Settings) -> exp.Expr:
        """The choice of a policy as an expression over what is measured of each list."""
        chosen = catalog().shared(name).expressions[str(values[name])]
        if isinstance(chosen, (exp.Boolean, exp.Null)):
            return chosen.copy()  # as by default: nothing to bind
        known = {one: values.get(one, None) for one in tree.placeholders(chosen)}
        bound = bind(chosen, known, catalog().optional)  # type: ignore[arg-type]  # all of them are numbers
        return tree.drop_nulls(tree.replace_columns(bound, lambda column: self._child(column.name, values)))

    def _resolve(self, definition: Definition, values: Settings) -> exp.Expr:
        """A metric as an expression over what is measured of each list."""
        key = definition.name, tuple(values.items())
        if key not in self._resolved:
            self._resolved[key] = self._resolve_anew(definition, values)
        return self._resolved[key].copy()

    def _resolve_anew(self, definition: Definition, values: Settings) -> exp.Expr:
        if not offers(self.layout, definition.fields.get("needs")):
            return exp.Null()
        bound = self._bind(definition, values)
        if definition.reads == METRICS:
            return tree.drop_nulls(tree.replace_columns(bound, lambda column: self._child(column.name, values)))
        label = spell(definition.name, *_given(definition.name, values))
        if label not in self.measured:
            self.measured[label] = self._measure(definition, values, label, bound, self.sums)
        return tree.column(label)

    def _resolve_run(self, definition: Definition, values: Settings) -> exp.Expr:
        """A number of a system as an expression over what is summed for each system."""
        bound = self._bind(definition, values)
        if definition.reads == RUNS:
            return tree.replace_columns(bound, lambda column: self._child(column.name, values, of_run=True))
        label = spell(definition.name, *_given(definition.name, values))
        if definition.reads == METRICS:
            label = f"{label}, {values['missing']}" if self.flags else label
            whole = tree.replace_columns(
                tree.filter_aggregates(bound, self._condition(definition, values)),
                lambda column: self._of_list(column.name, values),
            )
            whole = tree.filter_aggregates(whole, self._is_member(values)) if self.flags else whole
            self.of_lists.setdefault(label, whole)
            return tree.column(label)
        return self._measure(definition, values, label, bound, self.run_sums)

    def _of_list(self, name: str, values: Settings) -> exp.Expr:
        """A number of each list that a number of a system is made of, as a column of `per_list`."""
        definition = catalog().column(name)
        assert definition is not None, name
        label = f"of each list: {spell(name, *_given(name, values))}"
        self.values[label] = self._child(name, values)
        return tree.column(label)

    def _child(self, name: str, values: Settings, *, of_run: bool = False) -> exp.Expr:
        """A number that another is made of, under those of its parameters that it shares."""
        definition = catalog().child(RUNS if of_run else METRICS, name)
        assert definition is not None, name
        accepted = catalog().parameters(name)
        handed = {one: values[one] if one in values and not at.own else at.default for one, at in accepted.items()}
        handed |= {one: values[one] for one in ("convention", "missing") if one in values}
        expression = self._resolve_run(definition, handed) if of_run else self._resolve(definition, handed)
        return exp.Paren(this=expression) if isinstance(expression, exp.Binary) else expression

    def _inner(self, text: str, values: Settings) -> exp.Expr:
        """A metric that is the value of another's parameter: under its own settings, then under those of the other."""
        convention = str(values["convention"]) if values.get("convention") else None
        inner = parse(text, convention)
        shared = find(convention).policies if convention else {}
        given = {one: value for one, value in inner.given.items() if one in inner.settings or one not in shared}
        accepted = catalog().parameters(inner.name)
        handed = {
            one: given[one] if one in given else values[one] if one in values and not at.own else at.default
            for one, at in accepted.items()
        }
        return self._resolve(inner.definition, {**handed, "convention": values.get("convention")})

    def _bind(self, definition: Definition, values: Settings) -> exp.Expr:
        if "cutoff" in definition.fields and values.get("k") is None:
            raise MetricError(f"{self._asked} needs a cutoff, as in {self._asked}@10: {definition.summary}")
        known = self._bindings(definition, tree.placeholders(definition.expression), values)
        bound = bind(definition.expression, known, catalog().optional)
        read = tree.columns_read(bound) | self.stages.columns_of_choices(definition.reads, values)
        is_asked = "rating" in read or values.get("rel") is not None
        if is_asked and self.layout.truth.rating is None and not (values.get("convention") or values.get(DERIVED)):
            raise ColumnError(
                f"{self._asked} reads ratings, and the truth has no rating column: there were "
                f"{names(self.layout.truth_types)}. Name it: ",
                Option("columns", {"rating": "..."}),
                ".",
            )
        return bound

    def _bindings(self, definition: Definition, wanted: Iterable[str], values: Settings) -> dict[str, tree.Value]:
        """What stands for each parameter: a number, or the expression of its choice."""
        known: dict[str, tree.Value] = {}
        for name in wanted:
            parameter, value = catalog().parameter(definition.name, name), values[name]
            assert parameter is not None, name
            if parameter.is_metric:
                known[name] = tree.marked(self._inner(str(value), values))
            elif parameter.choices:
                chosen = parameter.expressions[str(value)]
                inner = self._bindings(definition, tree.placeholders(chosen), values)
                known[name] = bind(chosen, inner, catalog().optional)
            else:
                assert not isinstance(value, str), name
                known[name] = value
        return known

    def _condition(self, definition: Definition, values: Settings) -> exp.Expr | None:
        """What stands after WHERE, with values in it."""
        where = tree.condition(definition.select)
        if where is None:
            return None
        known = self._bindings(definition, tree.placeholders(where), values)
        bound = bind(where, known, catalog().optional)
        return None if bound == exp.true() else bound

    def _measure(
        self, definition: Definition, values: Settings, label: str, bound: exp.Expr, sums_of: dict[Key, Sums]
    ) -> exp.Expr:
        """A number taken from a stage: its aggregates join the others of that stage."""
        where = self._condition(definition, values)
        key = self.stages.key(definition.reads, values)
        self.stages.refuse_lacking(key, self._asked)
        sums = sums_of.setdefault(key, Sums(key))
        limit = tree.limit_of(where)

        def place(aggregate: exp.Expr) -> exp.Column:
            whole = tree.filtered(aggregate, where)
            self.stages.want(key, tree.columns_read(whole), limit, limit)
            return tree.column(sums.add(label, whole), self.sums_name(key, of_runs=sums_of is self.run_sums))

        return tree.split_aggregates(bound, place)


# Where the roles are that a part of a metric, or a count of the account, may need.
HOMES = {
    **dict.fromkeys(("rank", "score", "pool"), "recs"),
    **dict.fromkeys(("category", "embedding", "popularity"), "items"),
    "rating": "truth",
}


def offers(layout: Layout, need: str | None) -> bool:
    """Whether there is an input, or a column of the role, that something needs."""
    if need is None or need in layout.names():
        return True
    home = HOMES.get(need)
    return home in layout.names() and getattr(layout.side(str(home)).roles, need) is not None


def _given(name: str, values: Settings) -> tuple[dict[str, Setting | None], int | None]:
    """The parameters of a metric that are not as they are by default, and the cutoff."""
    accepted = catalog().parameters(name)
    given = {
        one: value for one, value in values.items() if one in accepted and one != "k" and value != accepted[one].default
    }
    k = values.get("k")
    return given, k if isinstance(k, int) and "k" in accepted else None
