"""From metrics to one query: each expression once, one aggregate per stage, nothing that nobody reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sqlglot import exp

from rankmetrics import tree
from rankmetrics.catalog import N_LISTS, catalog
from rankmetrics.columns import Layout
from rankmetrics.definition import Definition
from rankmetrics.errors import ColumnError, names
from rankmetrics.metric import Metric, Setting, Settings, spell
from rankmetrics.stages import Built, Key, Stages

N_RELEVANT = "n_relevant"
UNDEFINED = "undefined "


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
        name, number = label, 1
        while name in self.columns:
            number += 1
            name = f"{label} {number}"
        self.columns[name] = aggregate
        return name


class Plan:
    """The query for some metrics over two inputs.

    Args:
        metrics: what to compute, each under its label.
        layout: what the columns of the inputs are for.
        tables: the two inputs, `recs` and `truth`, as they stand after FROM.
        missing: `zero` scores a missing list, `skip` leaves it out.
        taken: names of tables, in lower case, that no part of the query may have.
        counts: whether to count what belongs beside the means: for how many lists each metric is undefined, and those
            counts of the account that are made of metrics.

    Raises:
        ColumnError: a metric needs a rating and the truth has none, or a list column has a metric's label.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        layout: Layout,
        tables: Mapping[str, exp.Expr],
        missing: str = "zero",
        *,
        taken: frozenset[str] = frozenset(),
        counts: bool = False,
    ) -> None:
        self.metrics = metrics
        self.layout = layout
        self._refuse_labels()
        self.stages = Stages(layout, tables, missing, taken)
        self._sums: dict[Key, Sums] = {}
        self._measured: dict[str, exp.Expr] = {}
        self._values = {metric.label: self._resolve(metric.definition, metric.values) for metric in metrics}
        self.depth = self._depth()
        self.counts = self._resolve_counts() if counts else {}
        self.stages.name_lists(
            [*self._values, *self._measured, *(n for one in self._sums.values() for n in one.columns)]
        )
        self._lists = self.stages.key("lists", {})
        self.stages.want(self._lists, set(), None)
        self._want_sizes()
        self._joins = [self._join(sums) for sums in self._sums.values()]
        self._want_more()
        self.stages.build()

    def _want_more(self) -> None:
        """Where a larger query asks for more stages."""

    def _refuse_labels(self) -> None:
        labels = {metric.label.lower() for metric in self.metrics}
        taken = [name for name in self.layout.lists if name.lower() in labels]
        taken += [name for name in self.layout.by if name.lower() == N_LISTS]
        if taken:
            raise ColumnError(f"The result would have two columns called {taken[0]!r}: rename the list column.")

    # --- the metrics ------------------------------------------------------------------------------------------------

    def _resolve(self, definition: Definition, values: Settings) -> exp.Expr:
        """A metric as an expression over what is measured of each list."""
        bound = self._bind(definition, values)
        if definition.reads == "metrics":
            return tree.replace_columns(bound, lambda column: self._child(column.name, values))
        label = spell(definition.name, *_given(definition.name, values))
        if label not in self._measured:
            self._measured[label] = self._measure(definition, values, label, bound)
        return tree.column(label)

    def _child(self, name: str, values: Settings) -> exp.Expr:
        """A metric that another is made of, under those of its parameters that it shares."""
        definition = catalog().column(name)
        assert definition is not None, name
        accepted = catalog().parameters(name)
        handed = {one: values[one] if one in values and not at.own else at.default for one, at in accepted.items()}
        expression = self._resolve(definition, handed)
        return exp.Paren(this=expression) if isinstance(expression, exp.Binary) else expression

    def _bind(self, definition: Definition, values: Settings) -> exp.Expr:
        known = self._bindings(definition, tree.placeholders(definition.expression), values)
        bound = tree.bind(definition.expression, known, catalog().optional)
        read = tree.columns_read(bound) | self.stages.columns_of_choices(definition.reads, values)
        if ("rating" in read or values.get("rel") is not None) and self.layout.truth.rating is None:
            raise ColumnError(
                f"{definition.name} reads ratings here, and the truth has no rating column: there were "
                f'{names(self.layout.truth_types)}. Name it: columns=rm.Columns(rating="...").'
            )
        return bound

    def _bindings(self, definition: Definition, wanted: Iterable[str], values: Settings) -> dict[str, tree.Value]:
        """What stands for each parameter: a number, or the expression of its choice."""
        known: dict[str, tree.Value] = {}
        for name in wanted:
            parameter, value = catalog().parameter(definition.name, name), values[name]
            assert parameter is not None, name
            if parameter.choices:
                chosen = parameter.expressions[str(value)]
                inner = self._bindings(definition, tree.placeholders(chosen), values)
                known[name] = tree.bind(chosen, inner, catalog().optional)
            else:
                assert not isinstance(value, str), name
                known[name] = value
        return known

    def _measure(self, definition: Definition, values: Settings, label: str, bound: exp.Expr) -> exp.Expr:
        """A metric taken from a stage: its aggregates join the others of that stage."""
        where = tree.condition(definition.select)
        if where is not None:
            known = self._bindings(definition, tree.placeholders(where), values)
            where = tree.bind(where, known, catalog().optional)
            where = None if where == exp.true() else where
        key = self.stages.key(definition.reads, values)
        sums = self._sums.setdefault(key, Sums(key))

        def place(aggregate: exp.Expr) -> exp.Column:
            whole = tree.filtered(aggregate, where)
            self.stages.want(key, tree.columns_read(whole), tree.limit_of(where))
            return tree.column(sums.add(label, whole), self._sums_name(key))

        return tree.split_aggregates(bound, place)

    def _resolve_counts(self) -> dict[str, exp.Expr]:
        """What is counted of the lists, as aggregates over one row per list."""
        star = exp.Count(this=exp.Star(), big_int=True)
        counts: dict[str, exp.Expr] = {}
        for one in self.metrics:
            defined = exp.Count(this=tree.column(one.label))
            counts[f"{UNDEFINED}{one.label}"] = exp.Sub(this=star.copy(), expression=defined)
        for definition in catalog().all("account"):
            if definition.reads == "metrics":
                for part in sorted(tree.columns_read(definition.select)):
                    self._values.setdefault(part, self._child(part, {"k": self.depth}))
                counts[definition.name] = definition.expression
        return counts

    def _depth(self) -> int | None:
        """The deepest cutoff of what is read of the recommendations; None where a whole list is."""
        depths = [
            tree.limit_of(_where(one))
            for sums in self._sums.values()
            for one in sums.columns.values()
            if self._is_per_list(sums.key)
        ]
        return None if not depths or None in depths else max(one for one in depths if one is not None)

    def _is_per_list(self, key: Key) -> bool:
        """Whether the rows of a stage belong to lists of recommendations."""
        return "list_id" in tree.outputs(self.stages.definition(key).select)

    # --- the query --------------------------------------------------------------------------------------------------

    def _sums_name(self, key: Key) -> str:
        return self.stages.cte(f"{key.name}_per_list")

    def _groups(self, key: Key) -> list[str]:
        """The columns that the rows of a stage are summed by: those of a list, or the number of relevant items."""
        offered = tree.outputs(self.stages.definition(key).select)
        id_name = next((one for one in ("list_id", "truth_id") if one in offered), None)
        return self.stages.inside(id_name) if id_name else [N_RELEVANT]

    def _want_sizes(self) -> None:
        """What is summed by the number of relevant items needs that number of each list, to be joined by."""
        self._sizes: dict[Key, exp.Expr] = {}
        for key in list(self._sums):
            if self._groups(key) == [N_RELEVANT]:
                size = self._resolve(catalog().metric(N_RELEVANT), dict(key.settings))
                depth = self.stages.wanted(key).depth
                assert depth is not None
                self._sizes[key] = tree.least(tree.literal(depth), self._measured[size.name].copy())
                self.stages.want(key, {N_RELEVANT}, depth)

    def _join(self, sums: Sums) -> exp.Join:
        """How the aggregates of a stage join the lists: by the columns that identify a row of theirs."""
        name, size = self._sums_name(sums.key), self._sizes.get(sums.key)
        pairs = [(size or tree.column(one, "lists"), tree.column(one, name)) for one in self._groups(sums.key)]
        on = exp.and_(*[exp.EQ(this=left, expression=right) for left, right in pairs], copy=False)
        return exp.Join(this=tree.table(name), on=on, side="LEFT")

    def _sums_cte(self, sums: Sums) -> Built:
        key, groups = sums.key, [tree.column(one) for one in self._groups(sums.key)]
        values = [exp.alias_(one.copy(), name, quoted=True) for name, one in sums.columns.items()]
        stage = tree.table(self.stages.resolve(self.stages.cte(key.name)))
        per = "number of relevant items" if key in self._sizes else "list"
        comment = f"what is asked of {key.name}, per {per}"
        return Built(self._sums_name(key), exp.select(*groups, *values).from_(stage).group_by(*groups), [], comment)

    def ctes(self) -> list[Built]:
        """Every CTE of the query in reading order, the last of them `measured`: what is measured of each list."""
        found: dict[str, Built] = {}
        for sums in self._sums.values():
            for built in [*self.stages.ctes([self.stages.cte(sums.key.name)]), self._sums_cte(sums)]:
                found.setdefault(built.name, built)
        for built in [*self.stages.ctes([self.stages.cte(self._lists.name)]), self._measured_cte()]:
            found.setdefault(built.name, built)
        return list(found.values())

    def _measured_cte(self) -> Built:
        columns = [tree.column(one, "lists") for one in self.stages.inside("list_id")]
        values = [exp.alias_(one.copy(), name, quoted=True) for name, one in self._measured.items()]
        select = exp.select(*columns, *values).from_(
            tree.table(self.stages.resolve(self.stages.cte(self._lists.name)), "lists")
        )
        by_size = {self._sums_name(key) for key in self._sizes}  # they hang on the counts, so they join last
        for join in sorted(self._joins, key=lambda join: join.this.name in by_size):
            select.append("joins", join.copy())
        return Built(self.stages.cte("measured"), select, [], "measured: each list with what was measured of it")

    def per_list_select(self, labels: Iterable[str]) -> exp.Select:
        """Each list under the user's names, with what is known of it under these labels; reads `measured`."""
        ids = [tree.aliased(tree.column(self.stages.internal(one)), one) for one in self.layout.lists]
        values = [exp.alias_(self._values[label].copy(), label, quoted=True) for label in labels]
        return exp.select(*ids, *values).from_(tree.table(self.stages.cte("measured")))

    def per_list(self) -> exp.Select:
        """The query for one row per list: the list columns, then a column per metric."""
        return with_ctes(self.ctes(), self.per_list_select(one.label for one in self.metrics))

    def per_list_cte(self) -> Built:
        """One row per list as a CTE, with what is counted of it."""
        return Built(self.stages.cte("per_list"), self.per_list_select(self._values), [], "per_list: one row per list")

    def summary(self) -> exp.Select:
        """The query for one row per system: the columns of `by`, how many lists, the means, the counts."""
        per_list = self.per_list_cte()
        by = [tree.column(one) for one in self.layout.by]
        means = [exp.alias_(exp.Avg(this=tree.column(one.label)), one.label, quoted=True) for one in self.metrics]
        counts = [exp.alias_(one.copy(), name, quoted=True) for name, one in self.counts.items()]
        lists = exp.alias_(exp.Count(this=exp.Star(), big_int=True), N_LISTS, quoted=True)
        select = exp.select(*by, lists, *means, *counts).from_(tree.table(per_list.name))
        if by:
            select = select.group_by(*by).order_by(*[exp.Ordered(this=one.copy(), nulls_first=False) for one in by])
        return with_ctes([*self.ctes(), per_list], select)


Query = TypeVar("Query", bound=exp.Query)


def with_ctes(ctes: Sequence[Built], select: Query) -> Query:
    """A query under its CTEs, each with its comment, every identifier quoted."""
    for built in ctes:
        inner = built.select.copy()
        first = inner
        while isinstance(first, exp.SetOperation):
            first = first.this
        first.comments = [f" {built.comment}"]
        name = exp.to_identifier(built.name, quoted=True)
        select = select.with_(name, as_=inner, materialized=built.barrier or None, copy=False)
    tree.quote(select)
    return select


def _where(aggregate: exp.Expr) -> exp.Expr | None:
    return aggregate.expression.this if isinstance(aggregate, exp.Filter) else None


def _given(name: str, values: Settings) -> tuple[dict[str, Setting | None], int | None]:
    """The parameters of a metric that are not as they are by default, and the cutoff."""
    accepted = catalog().parameters(name)
    given = {
        one: value for one, value in values.items() if one in accepted and one != "k" and value != accepted[one].default
    }
    k = values.get("k")
    return given, k if isinstance(k, int) and "k" in accepted else None
