"""The values per list that are compared, and the queries over them: the files of sql/comparisons as steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.engines.base import Engine
from rankmetrics.inputs.columns import ColumnType
from rankmetrics.metrics.definition import Definition, definitions_in
from rankmetrics.request import ComparisonOptions
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.steps import Rows, Steps, numbered, rows_of

if TYPE_CHECKING:
    import polars as pl

# The values of several columns that identify something together, such as a system, or a row of `by`.
Key = tuple[Any, ...]

# The step with the values per list, as the files call it.
PER_LIST = "per_list"

# How many replicates one hash of a list serves: 30 digits of 4 bits each, or 8 numbers of 4 digits.
SIGNS_PER_HASH, WEIGHTS_PER_HASH = 120, 8

# The hexadecimal digits that have each of the four bits.
DIGITS = {1: "13579bdf", 2: "2367abef", 3: "4567cdef", 4: "89abcdef"}


def files() -> Mapping[str, Definition]:
    """The files of sql/comparisons by name."""
    return definitions_in("comparisons", "comparison")


@dataclass(frozen=True)
class PerList:
    """The values per list of several systems, in an engine."""

    engine: Engine
    query: Callable[[str], exp.Query]  # writes a new query for them in a dialect, which returns `columns`
    lists: Mapping[str, ColumnType | None]  # the columns that identify a list and its system, each with its type
    systems: tuple[str, ...]  # those of them that name the system
    metrics: tuple[str, ...]  # labels
    check: Callable[[], None]  # refuses data whose numbers would be meaningless
    is_complete: bool  # True if every system is scored on every list
    is_given: bool = False  # True if they are the caller's, who may give a list twice, or infinite numbers
    counted: str = ""  # the column with the number of recommendations of a list; empty if each list has some

    @property
    def columns(self) -> list[str]:
        """The columns of the values: those of lists and systems, the metrics, the number of recommendations."""
        return [*self.lists, *self.metrics, *([self.counted] if self.counted else [])]

    @property
    def shared(self) -> list[str]:
        """The columns that identify a list of each system."""
        return [name for name in self.lists if name not in self.systems]

    @cached_property
    def in_duckdb(self) -> PerList:
        """The same values, computed and handed over to DuckDB."""
        from rankmetrics.engines.duckdb import DuckDB

        dialect = self.engine.dialect
        text = dialects.text(self.query(dialect), dialect, pretty=False, copy=False)
        values = self.engine.collect(self.engine.run(text, self.columns))
        engine = DuckDB({PER_LIST: values}, None)
        return replace(self, engine=engine).over(engine.inputs[PER_LIST].table)

    def over(self, table: exp.Expr) -> PerList:
        """The same values, read from the columns of a table."""
        return replace(self, query=lambda _: exp.select(*map(tree.column, self.columns)).from_(table.copy()))


def value_of_metric(labels: Sequence[str], table: str | None = None) -> exp.Expr:
    """The value of the metric of a row, among the columns of all metrics, which are numbered."""
    case = exp.Case()
    for label, name in zip(labels, numbered("value", len(labels)), strict=True):
        value = exp.cast(tree.column(name, table), exp.DType.DOUBLE)
        case = case.when(exp.column("metric", table="metrics").eq(label), value, copy=False)
    return case


@dataclass(frozen=True)
class ComparisonPlan:
    """The lists that are compared, and how."""

    per_list: PerList
    options: ComparisonOptions  # as the caller gave them
    metrics: tuple[str, ...]  # the labels of those that are compared
    by: tuple[str, ...]  # the list columns whose values stay apart
    baseline: tuple[str | int, ...] | None  # the values of the columns that name it; None for all pairs of systems
    cluster: tuple[str, ...]  # the list columns that name the cluster of a list; empty if lists are independent
    over: str | None = None  # a list column such as a seed: its values are clusters, too, across those of `cluster`

    @property
    def paired_by(self) -> list[str]:
        """The columns that pair the lists of two systems, without those of `by`."""
        return [name for name in self.per_list.shared if name not in self.by]

    @cached_property
    def ids(self) -> dict[str, list[str]]:
        """The columns inside a query that each id of the files represents."""
        kinds = {"by": self.by, "list": self.paired_by, "system": self.per_list.systems}
        ids = {f"{kind}_id": numbered(kind, len(columns)) for kind, columns in kinds.items()}
        ids["baseline_id"] = numbered("baseline", len(self.per_list.systems))
        ids["baseline.baseline_id"] = ids["system_id"]
        ids["pair_id"] = [*ids["by_id"], "metric", *ids["baseline_id"], *ids["system_id"]]
        ids["arm_id"] = [*ids["by_id"], "metric", *ids["system_id"]]
        names = dict(zip([*self.by, *self.paired_by], [*ids["by_id"], *ids["list_id"]], strict=True))
        ids["cluster_id"] = [names[name] for name in self.cluster] or ids["list_id"]
        return ids

    def columns(self, step: str) -> list[str]:
        """The names of the columns that the query of a step returns."""
        return [name for output in tree.outputs(files()[step].select) for name in self.ids.get(output, [output])]

    def query(self, step: str, dialect: str) -> exp.Select:
        """The query of a step, a file of sql/comparisons, for a dialect."""
        per_list, last, values = self.per_list.query(dialect), files()[step], self._values()
        steps = Steps(self.per_list.engine.taken, [per_list], self.ids)
        steps.add("list_metrics", per_list)
        steps.add_read(last, files(), values, self._rows(steps.names["list_metrics"]))
        return steps.query(last.select, values, self.columns(step), f"{step}: {last.summary}")

    def _rows(self, source: str) -> Rows:
        ids, columns = self.ids, [*self.by, *self.paired_by, *self.per_list.systems, *self.metrics]
        new = [*ids["by_id"], *ids["list_id"], *ids["system_id"], *numbered("value", len(self.metrics))]
        per_list = [tree.named(tree.column(column), name) for column, name in zip(columns, new, strict=True)]
        has_items: exp.Expr = tree.literal(1)
        if self.per_list.counted:
            has_items = exp.case().when(tree.column(self.per_list.counted) > 0, has_items).else_(tree.literal(0))
        per_list.append(tree.named(has_items, "is_recommended"))
        metrics = [{"metric": exp.Literal.string(metric)} for metric in self.metrics]
        bits = [{"bit": tree.literal(bit), "digits": exp.Literal.string(digits)} for bit, digits in DIGITS.items()]
        comment = "one row per list, with its values. Columns of lists and systems are numbered"
        return {
            PER_LIST: (exp.select(*per_list).from_(tree.table(source)), comment),
            "metrics": (rows_of(metrics), ""),
            "bits": (rows_of(bits), ""),
        }

    def _values(self) -> dict[str, exp.Expr | float | None]:
        return {
            "value": value_of_metric(self.metrics),
            "system_value": value_of_metric(self.metrics, "compared"),
            "baseline_value": value_of_metric(self.metrics, "baseline"),
            "is_pair": self._is_pair(),
            "least": int(not self.options.paired),
            "seed": exp.Literal.string(str(self.options.seed)),
            "sign_blocks": ceil(self.options.replicates / SIGNS_PER_HASH),
            "weight_blocks": ceil(self.options.replicates / WEIGHTS_PER_HASH),
        }

    def _is_pair(self) -> exp.Expr:
        """True for a list of the baseline and one of a system; without a baseline, for each pair of systems once."""
        names = self.ids["system_id"]
        sides = [(tree.column(name, "baseline"), tree.column(name, "compared")) for name in names]
        if self.baseline is not None:
            is_baseline = [left.eq(value) for (left, _), value in zip(sides, self.baseline, strict=True)]
            is_other = [right.neq(value) for (_, right), value in zip(sides, self.baseline, strict=True)]
            return exp.and_(*is_baseline, exp.or_(*is_other))
        return exp.or_(
            *(
                exp.and_(*(left.eq(right) for left, right in sides[:place]), sides[place][0] < sides[place][1])
                for place in range(len(sides))
            )
        )

    def collect(self, step: str) -> pl.DataFrame:
        """The rows of a step, computed by the engine, or by DuckDB if the step hashes and the engine cannot."""
        engine = self.per_list.engine
        query = self.query(step, engine.dialect)
        if query.find(exp.MD5) and any(query.find(lack.kind) for lack in dialects.known(engine.dialect).lacks):
            return replace(self, per_list=self.per_list.in_duckdb).collect(step)
        text = dialects.text(query, engine.dialect, pretty=False, copy=False)
        return engine.collect(engine.run(text, self.columns(step)))

    @cached_property
    def computed(self) -> Callable[[str], pl.DataFrame]:
        """Returns the rows of a step, which are computed once."""
        return cache(self.collect)

    def keyed(self, rows: pl.DataFrame, id_name: str, *columns: str) -> dict[Key, Key]:
        """The values of some columns, by default of all others, by those of an id that each row has once."""
        keys = self.ids[id_name]
        values = columns or [name for name in rows.columns if name not in keys]
        return {row[: len(keys)]: row[len(keys) :] for row in rows.select(*keys, *values).rows()}

    def by_arm(self, rows: pl.DataFrame, *columns: str) -> dict[tuple[Key, str], dict[Key, Key]]:
        """The values of some columns: by `by` and metric, then by system, all in order."""
        arms = dict[tuple[Key, str], dict[Key, Key]]()
        for key, values in sorted(self.keyed(rows, "arm_id", *columns).items(), key=lambda row: in_order(row[0])):
            n_by = len(self.by)
            arms.setdefault((key[:n_by], key[n_by]), {})[key[n_by + 1 :]] = values
        return arms


def in_order(values: Key) -> list[tuple[bool, Any]]:
    """The key by which rows of values are sorted: NULLs come last."""
    return [(value is None, "" if value is None else value) for value in values]
