"""Metrics as formulas: sums over the rows of stages, and what each metric computes from the sums.

Each number is written once, whatever number of metrics read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from rankmetrics.errors import ColumnError, MetricError, Option, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import METRICS, MISSING_LISTS, RUNS, UNDEFINED, catalog
from rankmetrics.metrics.conventions import OURS, find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import POWERS, Metric, Setting, Settings, are_weighted, parse, spell
from rankmetrics.metrics.summaries import MEAN, aggregates_of
from rankmetrics.planner.inputs import no_truth
from rankmetrics.planner.question import Question, member_of
from rankmetrics.planner.stages import (
    LISTS_KEY,
    N_RELEVANT,
    Stage,
    StageKey,
    definition_of,
    holds_for_sizes,
    key_of,
    own_file,
)
from rankmetrics.planner.ties import (
    EXPECTED,
    as_multiple,
    covers_all_orders,
    depends_on_order,
    form_of,
    is_exact,
    is_exact_over_lists,
    refusal,
)
from rankmetrics.planner.weights import GIVEN, PROPENSITY, check_means, check_sum, sums_weights, weighted_form
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.parameters import bind

# Aggregates over the rows of stages, each by the name of its column: those of a stage share one pass over its rows.
Sums = Mapping[StageKey, Mapping[str, exp.Expr]]


def stage_summed(key: StageKey, aggregates: Mapping[str, exp.Expr]) -> Stage:
    """A stage with the columns, and the ranks, that aggregates over its rows read."""
    stage = Stage(key)
    for aggregate in aggregates.values():
        limit = aggregation.limit_of(aggregation.filter_of(aggregate))
        stage |= Stage(key, frozenset(tree.columns_read(aggregate)), limit, limit)
    return stage


@dataclass(frozen=True)
class Layer:
    """The formulas of lists, or those of systems."""

    # the aggregates over the rows of stages, for each list or for each system
    sums: dict[StageKey, dict[str, exp.Expr]] = field(default_factory=dict)
    # the numbers that values are computed from: of a list, expressions over its sums; of a system, aggregates over its
    # lists
    parts: dict[str, exp.Expr] = field(default_factory=dict)
    # for each metric, by its label, the expression over parts and sums
    values: dict[str, exp.Expr] = field(default_factory=dict)


@dataclass(frozen=True)
class Formulas:
    """Metrics as formulas."""

    lists: Layer  # the metrics that have a value for each list
    systems: Layer  # the metrics that have a value for each system
    # the counts of lists that the summary returns behind the metrics, as aggregates over lists
    counts: Mapping[str, exp.Expr]
    # for each stage whose rows hold for a number of relevant items, that number of a list
    sizes: Mapping[StageKey, exp.Expr]
    flags: tuple[str, ...]  # the columns that say over which lists a metric is taken, where the metrics differ in it
    definitions: tuple[Definition, ...]  # the files of metrics that the formulas are written from

    def __str__(self) -> str:
        """Every formula as a line of SQL, from the metrics down to the sums over stages."""
        values = {**self.lists.values, **self.systems.values, **self.systems.parts}
        lines = [f"{label} = {value.sql()}" for label, value in values.items()]
        lines += [f"measured: {name} = {part.sql()}" for name, part in self.lists.parts.items()]
        for unit, layer in (("list", self.lists), ("system", self.systems)):
            lines += [
                f"summed over {key.name}, per {unit}: {name} = {aggregate.sql()}"
                for key, aggregates in layer.sums.items()
                for name, aggregate in aggregates.items()
            ]
        return "\n".join(lines)

    def stages(self) -> Iterator[Stage]:
        """The parts of stages that the formulas read, the lists among them."""
        for layer in (self.lists, self.systems):
            yield from (stage_summed(key, aggregates) for key, aggregates in layer.sums.items())
        yield Stage(LISTS_KEY, depth=None, within=None)
        yield from (Stage(key, frozenset({N_RELEVANT}), within=None) for key in self.sizes)

    def over_lists(self, question: Question) -> dict[str, exp.Expr]:
        """The columns of the summary, as aggregates over one row per list."""
        return {**question.aggregates_of_lists(), **self.systems.parts, **self.counts}

    def parts_of(self, labels: Iterable[str]) -> dict[str, exp.Expr]:
        """The parts from which some values of a list are computed."""
        waiting = [self.lists.values[label] for label in labels]
        names: set[str] = set()
        while waiting:
            new = ({*labels_of([waiting.pop()])} & {*self.lists.parts}) - names
            waiting += [self.lists.parts[name] for name in new]
            names |= new
        return {name: part for name, part in self.lists.parts.items() if name in names}

    def steps_read(self, question: Question, label: str) -> set[str]:
        """The steps of sums that a metric, a count or a number of the lists is computed from, by their names."""
        steps: set[str] = set()
        if label in self.systems.values:
            waiting = [self.systems.values[label]]
            waiting += [self.systems.parts[name] for name in labels_of(waiting) if name in self.systems.parts]
            steps |= _tables(waiting)
            labels = labels_of(waiting)
        else:
            labels = {label} if label in self.lists.values else labels_of([self.counts[label]])
        labels &= self.lists.values.keys()
        steps |= _tables([*(self.lists.values[name] for name in labels), *self.parts_of(labels).values()])
        return steps | _tables(size for key, size in self.sizes.items() if question.cte(key.per_list) in steps)


def labels_of(expressions: Iterable[exp.Expr]) -> set[str]:
    """The columns without a table that expressions read: of aggregates over lists, the values of the lists."""
    columns = [column for expression in expressions for column in tree.find(expression, exp.Column)]
    return {column.name for column in columns if not column.table}


def _tables(expressions: Iterable[exp.Expr]) -> set[str]:
    return {column.table for expression in expressions for column in tree.find(expression, exp.Column) if column.table}


def settled(metric: Metric, layout: Layout) -> dict[str, Setting | None]:
    """The values of a metric's parameters, with the default for a parameter that changes nothing over these inputs."""
    values = dict(metric.values)
    ranked = [layout.recs, *(side.roles for name, side in layout.extras.items() if name == "baseline")]
    is_given = layout.recs.rank is not None and not layout.ranked_by_score
    has_order = is_given if covers_all_orders(values) else all(roles.rank for roles in ranked)
    if "ties" in values and has_order:
        values["ties"] = catalog().default("ties")  # ranks are given: no scores are equal
    if "tied" in values and (is_given or not layout.recs.score):
        values["tied"] = catalog().default("tied")  # ranks are all different
    if values.get("tied", "ranked") != "ranked":
        values["ties"] = catalog().default("ties")  # no order of equal scores changes the value
    return {**values, "convention": metric.convention if metric.convention != OURS.name else None}


def shared_policies(question: Question) -> Settings:
    """The policies on which all metrics agree: diagnostics are counted under them, and the rest by default."""
    values = [settled(metric, question.layout) for metric in question.metrics]
    policies = [policy.name for policy in catalog().all("policy")]
    chosen = {name: {of[name] for of in values if name in of} for name in policies}
    return {name: of.pop() for name, of in chosen.items() if len(of) == 1}


def number_label(part: str) -> str:
    """The column of a number that is computed of each list in addition to the metrics."""
    return f"of each list: {part}"


def columns_of_choices(stage: str, values: Settings) -> set[str]:
    """The columns that the chosen settings make a stage, and the stages below it, read."""
    read = [(catalog().shared(name), value) for name, value in key_of(stage, values).settings]
    chosen = [parameter.expressions.get(str(value)) for parameter, value in read if not parameter.policy]
    return {column for choice in chosen if choice is not None for column in tree.columns_read(choice)}


def label_of(name: str, values: Settings) -> str:
    """A metric with the settings that differ from the defaults, and the cutoff."""
    accepted = catalog().parameters(name)
    given = {
        setting: value
        for setting, value in values.items()
        if setting in accepted and setting != "k" and value != accepted[setting].default
    }
    k = values.get("k")
    return spell(name, given, k if isinstance(k, int) and "k" in accepted else None)


# --- writing formulas -------------------------------------------------------------------------------------------------

# A mark among the settings of a number that is computed for a metric whose own settings were checked already.
DERIVED = "derived"


def write_formulas(question: Question) -> Formulas:
    """The formulas of the metrics that a question asks for."""
    return _Writer(question).formulas()


class _Writer:
    """Collects formulas, metric by metric."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.layout = question.layout
        self.flags = tuple(map(member_of, question.missing)) if len(question.missing) > 1 else ()
        self.lists, self.systems = Layer(), Layer()
        self._resolved: dict[tuple[str, tuple[tuple[str, Setting | None], ...]], exp.Expr] = {}
        self._definitions: dict[str, Definition] = {}
        self._asked = ""
        self._varying: set[str] = set()  # what is measured of a list and depends on the order of equal scores
        self._weighted: set[str] = set()  # what is measured of a list and sums weights of hits

    def formulas(self) -> Formulas:
        """All that the question asks for."""
        values = self.lists.values
        for metric in self.question.metrics:
            self._asked = metric.text
            if metric.is_run:
                settings = settled(metric, self.layout)
                numbers = {"mean": self._filled(self._resolve_run(metric.definition, settings), settings)}
                aggregates = aggregates_of(metric, (MEAN,) if self.layout.over else self.question.aggregates)
                if aggregates != [MEAN]:
                    error = metric.definition.fields["error"]
                    numbers["standard_error"] = self._child(error, settings, of_run=True)
                for aggregate in aggregates:
                    self.systems.values[aggregate.label(metric.label)] = aggregate.of_system(numbers)
            else:
                values[metric.label] = self._list_value(metric)
        counts = self._counts() if self.question.counts else {}
        lowest = {metric.values["rel"] for metric in self.question.metrics if "rel" in metric.values}
        shared = {**shared_policies(self.question), **({"rel": lowest.pop()} if len(lowest) == 1 else {})}
        for part in self.question.numbers:
            values[number_label(part)] = self._child(part, shared)
        sizes = self._sizes()
        return Formulas(self.lists, self.systems, counts, sizes, self.flags, tuple(self._definitions.values()))

    def _counts(self) -> dict[str, exp.Expr]:
        """The counts of lists by their names, as aggregates over one row per list."""
        counts: dict[str, exp.Expr] = {}
        for metric in self.question.metrics_counted:
            lists: exp.Expr = exp.Count(this=exp.Star(), big_int=True)
            if self.flags:
                flag = tree.column(member_of(str(metric.values["missing"])))
                lists = exp.Coalesce(this=exp.Sum(this=flag), expressions=[exp.Literal.number(0)])
            defined = exp.Count(this=tree.column(metric.label))
            counts[f"{UNDEFINED}{metric.label}"] = exp.Sub(this=lists, expression=defined)
        values = {**shared_policies(self.question), "k": self.question.depth}
        if covers_all_orders(values):  # the pairs of the first k items are those of one order
            values["ties"] = catalog().default("ties")
        for definition in self.question.counts_of_metrics:
            for part in sorted(tree.columns_read(definition.select)):
                self.lists.values.setdefault(part, self._child(part, values))
            counts[definition.name] = definition.expression
        return counts

    def _sizes(self) -> dict[StageKey, exp.Expr]:
        """The number of relevant items of a list, for each stage whose rows hold for such a number."""
        sizes: dict[StageKey, exp.Expr] = {}
        for key, columns in list(self.lists.sums.items()):
            stage = stage_summed(key, columns)
            if holds_for_sizes(definition_of(stage, self.question)):
                assert stage.depth is not None
                label = self._resolve(catalog().metric(N_RELEVANT), {**dict(key.settings), DERIVED: 1}).name
                sizes[key] = tree.least(tree.literal(stage.depth), self.lists.parts[label].copy())
        return sizes

    def _is_member(self, values: Settings) -> exp.Expr:
        """True if a list is one of the lists of a metric, where the metrics have different lists."""
        return exp.EQ(this=tree.column(member_of(str(values["missing"]))), expression=exp.Literal.number(1))

    def _list_value(self, metric: Metric) -> exp.Expr:
        """The value of a metric for a list, after the policies `enough`, `undefined` and `missing`."""
        values = settled(metric, self.layout)
        value = self._estimate(metric, values) if metric.estimates else self._resolve(metric.definition, values)
        value = self._exact(value, values)
        if metric.estimates and covers_all_orders(values):
            raise refusal(self._asked, values)
        if are_weighted(values) and metric.estimates:
            raise MetricError(f"{self._asked}: an estimate from sampled negatives takes no weights.")
        if metric.estimates and values.get("unjudged", "irrelevant") != "irrelevant":
            raise MetricError(f"{self._asked}: an estimate from sampled negatives takes no policy `unjudged`.")
        check_sum(value, self._weighted & tree.columns_read(value), self._asked, values)
        enough = self._policy("enough", {**values, "k": metric.k})  # of an uncut metric, too, the cutoff asked for
        if enough != exp.true():
            value = exp.Case().when(enough, value)
        value = self._finite(self._filled(value, values), values)
        return exp.Case().when(self._is_member(values), value) if self.flags else value

    def _estimate(self, metric: Metric, values: Settings) -> exp.Expr:
        """The mean estimate over the relevant items of a list; NULL if it has fewer negatives than were asked for."""
        cases = exp.Case()
        for rank, estimate in enumerate(metric.estimates, start=1):
            if estimate:
                test = exp.EQ(this=exp.column("rank_among_negatives"), expression=tree.literal(rank))
                cases = cases.when(test, _double(estimate), copy=False)
        of = exp.Sum(this=cases.else_(_double(0)) if cases.args["ifs"] else _double(0))
        total = exp.Coalesce(this=self._summed(f"estimate of {metric.label}", of, "ranks_among_negatives", values))
        total.append("expressions", exp.Literal.number(0))
        most = exp.Max(this=exp.column("n_negatives"))  # over the one row of the list
        n_negatives = self._summed("n_negatives", most, "negative_counts", values)
        n_relevant = exp.Nullif(this=self._child(N_RELEVANT, values), expression=exp.Literal.number(0))
        is_whole = exp.EQ(this=n_negatives, expression=tree.literal(len(metric.estimates) - 1))
        return exp.Case().when(is_whole, exp.Div(this=total, expression=n_relevant))

    def _summed(self, label: str, aggregate: exp.Expr, stage: str, values: Settings) -> exp.Expr:
        """An aggregate over a stage as a number that is measured of each list."""
        key = key_of(stage, values)
        name = _add(self.lists.sums.setdefault(key, {}), label, aggregate)
        self.lists.parts[name] = tree.column(name, self.question.cte(key.per_list))
        return tree.column(name)

    def _filled(self, value: exp.Expr, values: Settings) -> exp.Expr:
        """A value, or the value with which the policy `undefined` replaces NULL."""
        filled = self._policy("undefined", values)
        return value if filled == exp.Null() else exp.Coalesce(this=value, expressions=[filled])

    def _policy(self, name: str, values: Settings) -> exp.Expr:
        """The choice of a policy as an expression over what is measured of each list."""
        chosen = catalog().shared(name).expressions[str(values[name])]
        if isinstance(chosen, (exp.Boolean, exp.Null)):
            return chosen.copy()  # as by default: nothing to bind
        known = {name: values.get(name, None) for name in tree.placeholders(chosen)}
        bound = bind(chosen, known, catalog().optional)  # type: ignore[arg-type]  # all of them are numbers
        return tree.drop_nulls(tree.replace_columns(bound, lambda column: self._child(column.name, values)))

    def _resolve(self, definition: Definition, values: Settings) -> exp.Expr:
        """A metric as an expression over what is measured of each list."""
        key = definition.name, tuple(values.items())
        if key not in self._resolved:
            self._resolved[key] = self._resolve_anew(definition, values)
        return self._resolved[key].copy()

    def _resolve_anew(self, definition: Definition, values: Settings) -> exp.Expr:
        if not self.layout.offers(definition.fields.get("needs")):
            return exp.Null()
        definition = form_of(definition, self._columns_read(definition, values), values, self._asked)
        definition = weighted_form(definition, values, self._asked)
        self._definitions[definition.name] = definition
        bound = self._bind(definition, values)
        if definition.reads == METRICS:
            return tree.drop_nulls(tree.replace_columns(bound, lambda column: self._child(column.name, values)))
        label = label_of(definition.name, values)
        if label not in self.lists.parts:
            self.lists.parts[label] = self._measure(definition, values, label, bound, self.lists)
            if depends_on_order(definition, self._columns_read(definition, values), values):
                self._varying.add(label)
            if sums_weights(definition):
                self._weighted.add(label)
        return tree.column(label)

    def _resolve_run(self, definition: Definition, values: Settings) -> exp.Expr:
        """A number of a system as an expression over what is summed for each system."""
        self._definitions[definition.name] = weighted_form(definition, values, self._asked)
        bound = self._bind(definition, values)
        if depends_on_order(definition, self._columns_read(definition, values), values):
            raise refusal(self._asked, values)
        if definition.reads == RUNS:
            return tree.replace_columns(bound, lambda column: self._child(column.name, values, of_run=True))
        label = label_of(definition.name, values)
        if definition.reads == METRICS:
            label = f"{label}, {values['missing']}" if self.flags else label
            whole = tree.replace_columns(
                aggregation.filter_aggregates(bound, self._condition(definition, values)),
                lambda column: self._of_list(column.name, values),
            )
            values_of, read = self.lists.values, tree.columns_read(whole)
            varying = {name for name in read if tree.columns_read(values_of[name]) & self._varying}
            if not is_exact_over_lists(whole, varying, values):
                raise refusal(self._asked, values)
            weighted = {name for name in read if tree.columns_read(values_of[name]) & self._weighted}
            check_means(whole, weighted, self._asked, values)
            whole = aggregation.filter_aggregates(whole, self._is_member(values)) if self.flags else whole
            self.systems.parts.setdefault(label, whole)
            return tree.column(label)
        return self._measure(definition, values, label, bound, self.systems)

    def _of_list(self, name: str, values: Settings) -> exp.Expr:
        """A number of each list that a number of a system aggregates, as a column of `per_list`."""
        definition = catalog().column(name)
        assert definition is not None, name
        label = f"of each list: {label_of(name, values)}"
        self.lists.values[label] = self._finite(self._exact(self._child(name, values), values), values)
        return tree.column(label)

    def _finite(self, value: exp.Expr, values: Settings) -> exp.Expr:
        """The value of a list; NULL where gains are powers of 2 and a rating is too high for one."""
        if values.get("gain") not in POWERS:
            return value
        return tree.fill(
            "CASE WHEN :highest <= 900 THEN :value END", highest=self._child("highest_rating", values), value=value
        )

    def _exact(self, value: exp.Expr, values: Settings) -> exp.Expr:
        """The value of a list, written so that it is exact over all orders of equal scores; refused otherwise."""
        if values.get("ties") == EXPECTED:
            value = as_multiple(value, self._varying)
        if not is_exact(value, self._varying, values):
            raise refusal(self._asked, values)
        return value

    def _child(self, name: str, values: Settings, *, of_run: bool = False) -> exp.Expr:
        """A number that another formula reads, with the settings of the parameters that both have."""
        definition = catalog().child(RUNS if of_run else METRICS, name)
        assert definition is not None, name
        handed = _handed(name, {}, values)
        handed |= {policy: values[policy] for policy in ("convention", "missing") if policy in values}
        expression = self._resolve_run(definition, handed) if of_run else self._resolve(definition, handed)
        return exp.Paren(this=expression) if isinstance(expression, exp.Binary) else expression

    def _inner(self, text: str, values: Settings) -> exp.Expr:
        """A metric that is the value of a parameter: with its own settings, else with those of the outer metric."""
        convention = str(values["convention"]) if values.get("convention") else None
        inner = parse(text, convention)
        shared = find(convention).policies if convention else {}
        given = {name: value for name, value in inner.given.items() if name in inner.settings or name not in shared}
        handed = _handed(inner.name, given, values)
        return self._finite(self._resolve(inner.definition, {**handed, "convention": values.get("convention")}), handed)

    def _bind(self, definition: Definition, values: Settings) -> exp.Expr:
        if "cutoff" in definition.fields and values.get("k") is None:
            raise MetricError(f"{self._asked} needs a cutoff, as in {self._asked}@10: {definition.summary}")
        known = self._bindings(definition, tree.placeholders(definition.expression), values)
        bound = bind(definition.expression, known, catalog().optional)
        read = tree.columns_read(bound) | columns_of_choices(definition.reads, values)
        is_asked = "rating" in read or values.get("rel") is not None
        if is_asked and not self.layout.has_truth:
            raise no_truth(self._asked)
        if is_asked and self.layout.truth.rating is None and not (values.get("convention") or values.get(DERIVED)):
            raise ColumnError(
                f"{self._asked} reads ratings, and the truth has no rating column: there were "
                f"{names(self.layout.truth_types)}. Name it: {Option('columns', {'rating': '...'})}."
            )
        return bound

    def _bindings(self, definition: Definition, wanted: Iterable[str], values: Settings) -> dict[str, tree.Value]:
        """The value of each parameter: a number, a text, or the expression of its choice."""
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
                known[name] = exp.Literal.string(value) if isinstance(value, str) else value
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

    def _measure(self, definition: Definition, values: Settings, label: str, bound: exp.Expr, layer: Layer) -> exp.Expr:
        """A number that aggregates a stage: adds its aggregates to the columns that are summed over this stage."""
        where = self._condition(definition, values)
        key = key_of(definition.reads, values)
        columns = layer.sums.setdefault(key, {})
        step = self.question.cte(key.per_system if layer is self.systems else key.per_list)
        is_single = len({*tree.find(bound, exp.AggFunc)}) == 1

        def place(aggregate: exp.Expr) -> exp.Column:
            name = label if is_single else f"{label} {_in_words(aggregate)}"
            return tree.column(_add(columns, name, aggregation.filtered(aggregate, where)), step)

        return aggregation.split_aggregates(bound, place)


def _handed(name: str, given: Settings, values: Settings) -> dict[str, Setting | None]:
    """The settings of a metric: those given to it, those of the outer metric that both have, the rest by default."""
    return {
        setting: given.get(setting, parameter.default if parameter.own else values.get(setting, parameter.default))
        for setting, parameter in catalog().parameters(name).items()
    }


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


def _double(value: float) -> exp.Expr:
    return exp.cast(exp.Literal.string(repr(float(value))), exp.DType.DOUBLE)


# --- diagnostics ------------------------------------------------------------------------------------------------------


def diagnostics_counted(question: Question) -> Sums:
    """The diagnostics over each stage, but those from metrics, each by its name as an aggregate over the rows."""
    if question.diagnostics is None:
        return {}
    counted: dict[StageKey, dict[str, exp.Expr]] = {}
    of_stages = [definition for definition in catalog().all("account") if METRICS not in definition.tables]
    # Headers decide, so that most files need no parsing.
    definitions = [definition for definition in of_stages if _is_counted(definition, question)]
    settings = {stage: _counted_under(question, stage) for stage in {definition.reads for definition in definitions}}
    for definition in definitions:
        is_of_thresholds = definition.fields.get("measured") == "rel"
        highest = {"rel": max(question.values_of("rel"), key=float)} if is_of_thresholds else {}
        stage, count = _from_unfiltered(definition.reads, definition.expression, tree.condition(definition.select))
        key = key_of(stage, {**settings[definition.reads], **highest})
        counted.setdefault(key, {})[definition.name] = count
    return counted


def _from_unfiltered(stage: str, count: exp.Expr, condition: exp.Expr | None) -> tuple[str, exp.Expr]:
    """A count of the rows of a stage that meet a condition, and the stage to count them in.

    If the stage only filters the rows of another one, they are counted there, so that counts share its rows:

    SELECT COUNT(*) FROM bad_lists, where bad_lists is SELECT list_id FROM lists WHERE first_rank <> 1
    →  SELECT COUNT(CASE WHEN first_rank <> 1 THEN 1 END) FROM lists
    """
    count, (file, *variants) = aggregation.filter_aggregates(count, condition), catalog().variants(stage).values()
    below = tree.source(file.select).name
    if variants or not catalog().is_stage(below) or not tree.only_filters(file.select):
        return stage, count
    ids, ids_below = ({*tree.outputs(of.select)} & {*tree.IDS} for of in (file, own_file(below)))
    return _from_unfiltered(below, count, tree.condition(file.select)) if ids == ids_below else (stage, count)


def stages_counted(question: Question, counted: Sums) -> Iterator[Stage]:
    """The parts of stages that the diagnostics read, as deep as the metrics look."""
    for key, counts in counted.items():
        columns = frozenset[str]().union(*map(tree.columns_read, counts.values()))
        yield Stage(key, columns, question.depth, within=None)
    for key in sample_keys(question).values():
        yield Stage(key, frozenset(Stage(key).sample_columns) - {*tree.IDS}, depth=None, within=None)


def sample_keys(question: Question) -> dict[str, StageKey]:
    """The stages whose rows are returned as samples, by their names."""
    samples = question.diagnostics.samples if question.diagnostics else ()
    return {stage: key_of(stage, _counted_under(question, stage)) for stage in samples}


def _counted_under(question: Question, stage: str) -> Settings:
    """The settings under which the account counts a stage: weights of the first metric with given propensities."""
    shared = {MISSING_LISTS: None, **shared_policies(question)}
    if PROPENSITY not in catalog().stage_parameters(stage):
        return shared
    weighted = [values for metric in question.metrics if are_weighted(values := settled(metric, question.layout))]
    return {**shared, **min(weighted, key=lambda of: of[PROPENSITY] not in GIVEN, default={})}


def _is_counted(definition: Definition, question: Question) -> bool:
    """True if the inputs have what a count needs, and the count is worth its price."""
    wanted, need = question.diagnostics, definition.fields.get("needs")
    is_ranked = question.layout.recs.rank is not None
    assert wanted is not None
    if wanted.names is not None and definition.name not in wanted.names:
        return False
    if not question.layout.has_truth and catalog().reads_input(definition.reads, "truth"):
        return False
    is_idle = is_ranked and need == "score"
    setting, _, choice = definition.fields.get("measured", "").partition(" = ")
    values = question.values_of(setting)
    if setting and (choice not in values if choice else {*values} <= {catalog().default(setting)}):
        return False
    return question.layout.offers(need) and (wanted.counts_idle or not is_idle)
