"""Makes a Comparison of the systems of an evaluation, or of two files with values per list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from rankmetrics.comparisons.comparison import Comparison
from rankmetrics.comparisons.options import Baseline, baseline_of, columns_of, labels_of, refuse_tests, statistics_of
from rankmetrics.comparisons.per_list import PerList
from rankmetrics.comparisons.plan import ComparisonPlan
from rankmetrics.engines.base import Engine
from rankmetrics.engines.opening import open_engine
from rankmetrics.engines.systems import SYSTEM, names_of, refuse_hidden
from rankmetrics.errors import ColumnError, InputError, MetricError, Option, names
from rankmetrics.inputs.columns import NUMBERS, Schema
from rankmetrics.metrics.metric import parse
from rankmetrics.planner import optimized, per_list_query
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree


@dataclass(frozen=True)
class Choices:
    """What a caller chose of a comparison; the fields are the parameters of Result.compare."""

    baseline: Baseline | None = None
    metrics: str | Sequence[str] | None = None
    tests: str | Sequence[str] = ("t",)
    correction: str | None = "holm"
    by: str | Sequence[str] | None = None
    confidence: float = 0.95
    replicates: int = 1000
    seed: int = 0
    cluster: str | Sequence[str] | None = None

    def of(self, per_list: PerList, by: Sequence[str], others: Sequence[str] = ()) -> Comparison:
        """The comparison of the systems of some values per list.

        Args:
            per_list: the values per list.
            by: the columns that stay apart unless the caller names others.
            others: the labels of metrics that have no value per list.

        Raises:
            InputError, MetricError, ColumnError: as Result.compare does.
        """
        statistics = statistics_of(self.tests, self.correction, self.confidence, self.replicates, self.seed)
        metrics = labels_of(self.metrics, per_list.metrics, others)
        apart = columns_of("by", self.by, per_list.shared) if self.by is not None else tuple(by)
        cluster = columns_of("cluster", self.cluster, [name for name in per_list.shared if name not in apart])
        baseline = baseline_of(self.baseline, per_list.systems, per_list.lists)
        refuse_tests(statistics.tests, baseline, cluster)
        plan = ComparisonPlan(per_list, metrics, apart, baseline, cluster, self.replicates, self.seed)
        lower = frozenset(metric for metric in metrics if _is_better_lower(metric))
        return Comparison(plan, statistics, lower)


def compare_systems(queries: Queries, check: Callable[[], None], choices: Choices) -> Comparison:
    """The comparison of the systems of an evaluation.

    Args:
        queries: the queries of the evaluation.
        check: refuses data whose numbers would be meaningless.
        choices: what the caller chose.

    Raises:
        InputError, MetricError, ColumnError: as Result.compare does.
    """
    layout, question = queries.layout, queries.question
    systems = tuple(name for name in layout.by if name not in layout.truth_lists)
    if not systems:
        raise InputError(
            "There is nothing to compare: no column names a system. The systems are named by the columns of ",
            Option("by"),
            f" that the truth does not have, and these lists are identified by {names(layout.lists)}.",
        )
    others = [metric.label for metric in question.of_systems]

    def query(dialect: str) -> exp.Query:
        found = optimized(per_list_query(queries.planned().plan), dialect)
        assert isinstance(found, exp.Query)
        return found

    per_list = PerList(
        queries.engine,
        query,
        {name: layout.recs_types.get(name) for name in layout.lists},
        systems,
        tuple(metric.label for metric in question.of_lists),
        check,
        is_complete=all(metric.values.get("missing") == "zero" for metric in question.of_lists),
    )
    return choices.of(per_list, [name for name in layout.by if name in layout.truth_lists], others)


def compare_files(
    a: object,
    b: object,
    metrics: str | Sequence[str] | None = None,
    tests: str | Sequence[str] = ("t",),
    correction: str | None = "holm",
    *,
    baseline: Baseline | None = None,
    system: str | None = None,
    by: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    cluster: str | Sequence[str] | None = None,
    connection: object | None = None,
    dialect: str | None = None,
) -> Comparison:
    """Compare two tables of values per list, such as `write(path, per_list=True)` saves.

    A table has the list columns and a column for each metric, under its label (`ndcg@10`). The lists of both are paired
    by all list columns. Each table is a system, called after its file (frames are called a and b), and the first is the
    baseline. If both tables have a column `system`, or the column that `system` names, the systems are its values.

    Args:
        a: the first table: a path (Parquet, CSV), a frame, a DuckDB relation, or a table of `connection`.
        b: the second table.
        metrics: the columns of the metrics; by default all columns of numbers whose names are metrics, in both tables.
        tests: t (the paired t-test), wilcoxon (signed ranks), randomization (random signs), bootstrap; for all
            pairs also tukey.
        correction: the correction for several tests of a metric: holm, bonferroni, benjamini_hochberg or none.
        baseline: the system with which all others are compared; None compares all pairs if the tables name systems.
        system: the column that names the system, if the tables have one.
        by: the list columns whose values stay apart, such as folds.
        confidence: the probability of the confidence intervals; 1 - confidence is the level of significance.
        replicates: how many replicates randomization and bootstrap draw.
        seed: what their random numbers follow from.
        cluster: the list columns that name what is independent, such as the user, if a user has several lists.
        connection: where tables are named, as in evaluate.
        dialect: the SQL dialect of the connection, if its module does not tell.

    Raises:
        InputError: a table cannot be read, or an option is out of its range.
        ColumnError: the tables do not have the same list columns.
        MetricError: the tables have no metric in common, or lack one of `metrics`.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> before = pl.LazyFrame({"user": [1, 2, 3], "ndcg@10": [0.5, 0.25, 0.0]})
        >>> after = pl.LazyFrame({"user": [1, 2, 3], "ndcg@10": [0.5, 0.5, 0.5]})
        >>> rm.compare_files(before, after).collect().select("system", "difference", "wins").rows()
        [('b', 0.25, 2)]
    """
    engine = open_engine({"a": a, "b": b}, a, connection, dialect)
    schemas = {name: engine.inputs[name].schema for name in ("a", "b")}
    labels = _metric_columns(schemas, metrics)
    named = system or (SYSTEM if all(SYSTEM in one for one in schemas.values()) else None)
    lists = _list_columns(schemas, labels, named)
    if named is None:
        refuse_hidden(SYSTEM, lists)
    systems = None if named else _names(a, b)
    types = {name: schemas["a"][name] for name in lists}

    def query(_dialect: str) -> exp.Query:
        return _both_tables(engine, [*lists, *labels], systems)

    per_list = PerList(
        engine,
        query,
        types if named else {**types, SYSTEM: None},
        (named or SYSTEM,),
        tuple(labels),
        lambda: None,
        is_complete=False,
        is_given=True,
    )
    first = systems["a"] if systems and baseline is None else baseline
    choices = Choices(first, metrics, tests, correction, by, confidence, replicates, seed, cluster)
    return choices.of(per_list, ())


def _metric_columns(schemas: Mapping[str, Schema], given: str | Sequence[str] | None) -> list[str]:
    """The columns of both tables that hold metrics.

    Raises:
        MetricError: there is none, or a table lacks one that was asked for.
    """
    asked = [given] if isinstance(given, str) else None if given is None else [*given]
    for name, schema in schemas.items():
        for one in asked or ():
            if one not in schema:
                raise MetricError(f"The table {name} has no column {one!r}: it has {names(schema)}.")
            if schema[one].family not in NUMBERS:
                raise MetricError(f"The column {one!r} of the table {name} has no numbers: it is {schema[one]}.")
    if asked:
        return asked
    first, second = schemas.values()
    found = [one for one, kind in first.items() if kind.family in NUMBERS and one in second and _is_metric(one)]
    if not found:
        raise MetricError(
            f"The tables have no metric in common: a has {names(first)}, b has {names(second)}. A column of a metric "
            "is called as its label, such as 'ndcg@10'; name others with ",
            Option("metrics"),
            ".",
        )
    return found


def _list_columns(schemas: Mapping[str, Schema], labels: Sequence[str], system: str | None) -> list[str]:
    """The columns that identify a list: all of a table but those of metrics.

    Raises:
        ColumnError: the tables differ in them, there is none, or the column of systems is not among them.
    """
    of_each = {
        name: [column for column in schema if column not in labels and not _is_metric(column)]
        for name, schema in schemas.items()
    }
    if {*of_each["a"]} != {*of_each["b"]}:
        raise ColumnError(
            f"The tables do not have the same list columns: a has {names(of_each['a'])}, b has {names(of_each['b'])}. "
            "Drop what identifies no list, and give the others the same names."
        )
    if system is not None and system not in of_each["a"]:
        raise ColumnError(
            Option("system", is_noun=True), f" names {system!r}, and the list columns are {names(of_each['a'])}."
        )
    if not {*of_each["a"]} - {system}:
        raise ColumnError("The tables have no column that identifies a list, such as user: a row cannot be paired.")
    return of_each["a"]


def _is_metric(name: str) -> bool:
    """Whether a column is called as a metric."""
    try:
        return parse(name).label == name
    except MetricError:
        return False


def _is_better_lower(label: str) -> bool:
    try:
        return parse(label).definition.fields.get("better") == "lower"
    except MetricError:
        return False


def _names(a: object, b: object) -> dict[str, str]:
    """The names of the systems: those of the files, or else a and b."""
    if not (isinstance(a, (str, Path)) and isinstance(b, (str, Path))) or str(a) == str(b):
        return {"a": "a", "b": "b"}
    found = names_of([str(a), str(b)])
    return {"a": found[str(a)], "b": found[str(b)]}


def _both_tables(engine: Engine, columns: Sequence[str], systems: Mapping[str, str] | None) -> exp.Query:
    """The rows of both tables, with the name of their system if no column of theirs has it."""
    selects = []
    for name in ("a", "b"):
        returned: list[exp.Expr] = [tree.given(column) for column in columns]
        if systems is not None:
            returned.append(tree.named(exp.cast(exp.Literal.string(systems[name]), exp.DType.TEXT), SYSTEM))
        selects.append(exp.select(*returned).from_(engine.inputs[name].table.copy()))
    return exp.union(*selects, distinct=False, copy=False)
