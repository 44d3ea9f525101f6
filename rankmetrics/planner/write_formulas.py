"""Writes metrics as formulas, each number once: what to sum over stages, and what to compute from the sums."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from rankmetrics.errors import ColumnError, MetricError, Option, names
from rankmetrics.metrics.catalog import METRICS, RUNS, catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric, Setting, Settings, parse, spell
from rankmetrics.planner.estimates import MOST_NEGATIVES, estimate_of_hits, mean_of_estimates
from rankmetrics.planner.formulas import (
    N_RELEVANT,
    Formulas,
    Sums,
    columns_of_choices,
    count_names,
    counts_of_metrics,
    given_settings,
    holds_for_sizes,
    member_of,
    metrics_counted,
    number_label,
    offers,
    settled,
    shared_policies,
    shared_settings,
    sums_name,
)
from rankmetrics.planner.model import Question, StageKey, key_of
from rankmetrics.planner.tie_orders import covers_all_orders, depends_on_order, form_of, is_exact, refusal
from rankmetrics.planner.variants import definition_of
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.parameters import bind

# A mark beside the settings of a number that is computed for a metric whose own settings were checked already.
DERIVED = "derived"


def write_formulas(question: Question) -> Formulas:
    """The formulas of the metrics that a question asks for.

    Raises:
        ColumnError: a metric needs a rating and the truth has none.
        MetricError: a metric needs a cutoff and has none.
    """
    return _Writer(question).formulas()


_SumsOf = dict[StageKey, dict[str, exp.Expr]]


class _Writer:
    """Collects formulas, metric by metric."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.layout = question.layout
        self.flags = tuple(map(member_of, question.missing)) if len(question.missing) > 1 else ()
        self.sums: dict[StageKey, dict[str, exp.Expr]] = {}
        self.run_sums: dict[StageKey, dict[str, exp.Expr]] = {}
        self.measured: dict[str, exp.Expr] = {}
        self.of_lists: dict[str, exp.Expr] = {}
        self.values: dict[str, exp.Expr] = {}
        self._resolved: dict[tuple[str, tuple[tuple[str, Setting | None], ...]], exp.Expr] = {}
        self._definitions: dict[str, Definition] = {}
        self._asked = ""
        self._varying: set[str] = set()  # what is measured of a list and depends on the order of equal scores

    def formulas(self) -> Formulas:
        """All that the question asks for."""
        systems: dict[str, exp.Expr] = {}
        for metric in self.question.metrics:
            self._asked = metric.text
            if metric.is_run:
                values = settled(metric, self.layout)
                systems[metric.label] = self._filled(self._resolve_run(metric.definition, values), values)
            else:
                self.values[metric.label] = self._list_value(metric)
        counts = self._counts() if self.question.counts else {}
        for part in self.question.numbers:
            self.values[number_label(part)] = self._child(part, shared_settings(self.question))
        sizes = self._sizes()
        return Formulas(
            values=self.values,
            measured=self.measured,
            sums={key: Sums(key, columns) for key, columns in self.sums.items()},
            systems=systems,
            run_sums={key: Sums(key, columns) for key, columns in self.run_sums.items()},
            of_lists=self.of_lists,
            counts=counts,
            sizes=sizes,
            flags=self.flags,
            definitions=tuple(self._definitions.values()),
        )

    def _counts(self) -> dict[str, exp.Expr]:
        """The counts of lists by their names, as aggregates over one row per list."""
        counts: list[exp.Expr] = []
        for metric in metrics_counted(self.question):
            defined = exp.Count(this=tree.column(metric.label))
            counts.append(exp.Sub(this=self._count_of_lists(metric), expression=defined))
        values = {**shared_policies(self.question), "k": self.question.depth}
        for definition in counts_of_metrics(self.question):
            for part in sorted(tree.columns_read(definition.select)):
                self.values.setdefault(part, self._child(part, values))
            counts.append(definition.expression)
        return dict(zip(count_names(self.question), counts, strict=True))

    def _count_of_lists(self, metric: Metric) -> exp.Expr:
        """How many lists a metric is taken over, as an aggregate over one row per list."""
        if not self.flags:
            return exp.Count(this=exp.Star(), big_int=True)
        flag = tree.column(member_of(str(metric.values["missing"])))
        return exp.Coalesce(this=exp.Sum(this=flag), expressions=[exp.Literal.number(0)])

    def _sizes(self) -> dict[StageKey, exp.Expr]:
        """The number of relevant items of a list, for each stage whose rows hold for such a number.

        Sums alone read such a stage, so that its variant can be chosen from what they read.
        """
        sizes: dict[StageKey, exp.Expr] = {}
        for key, columns in list(self.sums.items()):
            reading = Sums(key, columns).reading
            if holds_for_sizes(definition_of(key, self.question, reading)):
                assert reading.depth is not None
                label = self._resolve(catalog().metric(N_RELEVANT), {**dict(key.settings), DERIVED: 1}).name
                sizes[key] = tree.least(tree.literal(reading.depth), self.measured[label].copy())
        return sizes

    def _is_member(self, values: Settings) -> exp.Expr:
        """Whether a list is one of the lists of a metric, where the metrics have different lists."""
        return exp.EQ(this=tree.column(member_of(str(values["missing"]))), expression=exp.Literal.number(1))

    def _list_value(self, metric: Metric) -> exp.Expr:
        """The value of a metric for a list, after the policies `enough`, `undefined` and `missing`."""
        values = settled(metric, self.layout)
        value = self._estimate(metric, values) if metric.estimates else self._resolve(metric.definition, values)
        if not is_exact(value, self._varying, values) or (metric.estimates and covers_all_orders(values)):
            raise refusal(self._asked, values)
        enough = self._policy("enough", {**values, "k": metric.k})  # of an uncut metric, too, the cutoff asked for
        if enough != exp.true():
            value = exp.Case().when(enough, value)
        value = self._filled(value, values)
        return exp.Case().when(self._is_member(values), value) if self.flags else value

    def _estimate(self, metric: Metric, values: Settings) -> exp.Expr:
        """The mean estimate over the relevant items of a list; NULL if it has fewer negatives than were asked for."""
        of = estimate_of_hits(metric.estimates)
        key, counts = key_of("ranks_among_negatives", values), key_of("negative_counts", values)
        total = self._measured(_add(self.sums.setdefault(key, {}), f"estimate of {metric.label}", of), key)
        n = self._measured(_add(self.sums.setdefault(counts, {}), "n_negatives", MOST_NEGATIVES), counts)
        return mean_of_estimates(total, n, self._child(N_RELEVANT, values), len(metric.estimates) - 1)

    def _measured(self, name: str, key: StageKey) -> exp.Expr:
        """A sum over a stage as a number that is measured of each list."""
        self.measured[name] = tree.column(name, sums_name(self.question, key))
        return tree.column(name)

    def _filled(self, value: exp.Expr, values: Settings) -> exp.Expr:
        """A value, or the value that the policy `undefined` puts in the place of NULL."""
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
        definition = form_of(definition, self._columns_read(definition, values), values, self._asked)
        self._definitions[definition.name] = definition
        bound = self._bind(definition, values)
        if definition.reads == METRICS:
            return tree.drop_nulls(tree.replace_columns(bound, lambda column: self._child(column.name, values)))
        label = spell(definition.name, *given_settings(definition.name, values))
        if label not in self.measured:
            self.measured[label] = self._measure(definition, values, label, bound, self.sums)
            if depends_on_order(definition, self._columns_read(definition, values), values):
                self._varying.add(label)
        return tree.column(label)

    def _resolve_run(self, definition: Definition, values: Settings) -> exp.Expr:
        """A number of a system as an expression over what is summed for each system."""
        self._definitions[definition.name] = definition
        bound = self._bind(definition, values)
        if depends_on_order(definition, self._columns_read(definition, values), values):
            raise refusal(self._asked, values)
        if definition.reads == RUNS:
            return tree.replace_columns(bound, lambda column: self._child(column.name, values, of_run=True))
        label = spell(definition.name, *given_settings(definition.name, values))
        if definition.reads == METRICS:
            label = f"{label}, {values['missing']}" if self.flags else label
            whole = tree.replace_columns(
                aggregation.filter_aggregates(bound, self._condition(definition, values)),
                lambda column: self._of_list(column.name, values),
            )
            whole = aggregation.filter_aggregates(whole, self._is_member(values)) if self.flags else whole
            self.of_lists.setdefault(label, whole)
            return tree.column(label)
        return self._measure(definition, values, label, bound, self.run_sums)

    def _of_list(self, name: str, values: Settings) -> exp.Expr:
        """A number of each list that a number of a system aggregates, as a column of `per_list`."""
        definition = catalog().column(name)
        assert definition is not None, name
        label = f"of each list: {spell(name, *given_settings(name, values))}"
        self.values[label] = self._child(name, values)
        if tree.columns_read(self.values[label]) & self._varying:
            raise refusal(self._asked, values)
        return tree.column(label)

    def _child(self, name: str, values: Settings, *, of_run: bool = False) -> exp.Expr:
        """A number that another formula reads, with the settings of the parameters that both have."""
        definition = catalog().child(RUNS if of_run else METRICS, name)
        assert definition is not None, name
        accepted = catalog().parameters(name)
        handed = {one: values[one] if one in values and not at.own else at.default for one, at in accepted.items()}
        handed |= {one: values[one] for one in ("convention", "missing") if one in values}
        expression = self._resolve_run(definition, handed) if of_run else self._resolve(definition, handed)
        return exp.Paren(this=expression) if isinstance(expression, exp.Binary) else expression

    def _inner(self, text: str, values: Settings) -> exp.Expr:
        """A metric that is the value of a parameter: with its own settings, else with those of the outer metric."""
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
        read = tree.columns_read(bound) | columns_of_choices(definition.reads, values)
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
        """The value of each parameter: a number, or the expression of its choice."""
        known: dict[str, tree.Value] = {}
        for name in sorted(wanted):  # so that the SQL is the same in every process
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
        """The condition after WHERE, with its parameters bound; None where there is none."""
        where = tree.condition(definition.select)
        if where is None:
            return None
        known = self._bindings(definition, tree.placeholders(where), values)
        bound = bind(where, known, catalog().optional)
        return None if bound == exp.true() else bound

    def _columns_read(self, definition: Definition, values: Settings) -> set[str]:
        """The columns that a number aggregates or is filtered by, where it may depend on the order of equal scores."""
        if not covers_all_orders(values):
            return set()
        where = self._condition(definition, values)
        return tree.columns_read(self._bind(definition, values)) | (tree.columns_read(where) if where else set())

    def _measure(
        self,
        definition: Definition,
        values: Settings,
        label: str,
        bound: exp.Expr,
        sums_of: _SumsOf,
    ) -> exp.Expr:
        """A number that aggregates a stage: adds its aggregates to the columns that are summed over this stage."""
        where = self._condition(definition, values)
        key = key_of(definition.reads, values)
        columns = sums_of.setdefault(key, {})
        step = sums_name(self.question, key, per_system=sums_of is self.run_sums)

        is_single = len({*tree.find(bound, exp.AggFunc)}) == 1

        def place(aggregate: exp.Expr) -> exp.Column:
            name = label if is_single else f"{label} {_in_words(aggregate)}"
            return tree.column(_add(columns, name, aggregation.filtered(aggregate, where)), step)

        return aggregation.split_aggregates(bound, place)


def _add(columns: dict[str, exp.Expr], label: str, aggregate: exp.Expr) -> str:
    """Add an aggregate to the columns of a stage: the column that holds it, which may be there already."""
    for name, known in columns.items():
        if known == aggregate:
            return name
    name = free_name(label, columns)
    columns[name] = aggregate
    return name


def _in_words(aggregate: exp.Expr) -> str:
    """An aggregate as a part of a column's name: `sum of rank`, `count`."""
    columns = sorted(tree.columns_read(aggregate))
    return f"{aggregate.key}{' of ' if columns else ''}{' and '.join(columns)}"
