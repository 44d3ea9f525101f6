"""The queries of a comparison: the files of sql/comparisons as steps over the values per list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sqlglot import exp

from rankmetrics._files import sql_folder
from rankmetrics.comparisons.per_list import PER_LIST, PerList, numbered, renamed
from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.metrics.definition import Definition, read
from rankmetrics.planner import without_semicolons
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.ids import expand_ids
from rankmetrics.sqltree.names import free_name, headed
from rankmetrics.sqltree.parameters import bind

# How many replicates one hash serves: 30 digits of 4 bits each, or 8 numbers of 4 digits.
SIGNS_PER_HASH, WEIGHTS_PER_HASH = 120, 8

# The steps that hash the lists: how many replicates a hash of each serves.
PER_HASH = {"sign_hashes": SIGNS_PER_HASH, "weight_hashes": WEIGHTS_PER_HASH}

# The hexadecimal digits that have each of the four bits.
DIGITS = {1: "13579bdf", 2: "2367abef", 3: "4567cdef", 4: "89abcdef"}


@cache
def files() -> Mapping[str, Definition]:
    """The files of sql/comparisons by name.

    >>> "moments" in files()
    True
    """
    paths = [one for one in (sql_folder() / "comparisons").iterdir() if one.name.endswith(".sql")]
    stems = {one.name.removesuffix(".sql"): one for one in paths}
    return {
        stem: read(path.read_text(encoding="utf-8"), f"comparisons/{path.name}", "comparison", stem)
        for stem, path in sorted(stems.items())
    }


@dataclass(frozen=True)
class ComparisonPlan:
    """Which lists are compared, and how.

    Attributes:
        per_list: the values per list.
        metrics: the labels of the metrics that are compared.
        by: the list columns whose values stay apart.
        baseline: the values of the columns that name the baseline; None for all pairs of systems.
        cluster: the list columns that name the cluster of a list; none where each list stands alone.
        replicates: how many replicates the tests by simulation draw.
        seed: what their random numbers follow from.
    """

    per_list: PerList
    metrics: tuple[str, ...]
    by: tuple[str, ...]
    baseline: tuple[str | int, ...] | None
    cluster: tuple[str, ...]
    replicates: int
    seed: int

    @property
    def _paired_by(self) -> list[str]:
        """The columns that pair the lists of two systems, without those of `by`."""
        return [name for name in self.per_list.shared if name not in self.by]

    @property
    def ids(self) -> dict[str, list[str]]:
        """The columns inside a query for which each id of the files stands."""
        kinds = {"by": self.by, "list": self._paired_by, "system": self.per_list.systems}
        ids = {f"{kind}_id": numbered(kind, len(columns)) for kind, columns in kinds.items()}
        ids["baseline_id"] = numbered("baseline", len(self.per_list.systems))
        ids["pair_id"] = [*ids["by_id"], "metric", *ids["baseline_id"], *ids["system_id"]]
        own = dict(zip([*self.by, *self._paired_by], [*ids["by_id"], *ids["list_id"]], strict=True))
        ids["cluster_id"] = [own[name] for name in self.cluster] or ids["list_id"]
        return ids

    def columns(self, step: str) -> list[str]:
        """The names of the columns that the query of a step returns."""
        returned = tree.outputs(files()[step].select)
        ids = self.ids
        return [name for one in returned for name in ids.get(one, [one])]

    def query(self, step: str, dialect: str) -> exp.Select:
        """The query of a step, over the values per list.

        Args:
            step: the name of a file of sql/comparisons.
            dialect: the dialect in which it runs.
        """
        values = self.per_list.query(dialect)
        with_ = values.args.get("with_")
        values.set("with_", None)
        given = [*(with_.expressions if with_ else ())]
        taken = {*self.per_list.engine.taken, *(one.alias for one in given)}
        taken |= {table.name for query in (values, *given) for table in tree.find(query, exp.Table)}
        names: dict[str, str] = {}
        for one in self._reading_order(step):
            names[one] = free_name(one, {*taken, *names.values()}, "_")
        last: exp.Query = exp.Select()
        ctes = [exp.CTE(this=values, alias=_alias(free_name("list_metrics", {*taken, *names.values()}, "_")))]
        for name in names:
            for inner, select in self._selects(name, names, ctes[0].alias):
                last = select
                if inner or name != step:
                    ctes.append(exp.CTE(this=select, alias=_alias(inner or names[name])))
        assert isinstance(last, exp.Select)
        headed(last, self.columns(step))
        last.set("with_", exp.With(expressions=[*given, *ctes]))
        tree.quote(last)
        return last

    def _reading_order(self, step: str) -> list[str]:
        """The step after all steps that it reads."""
        found: dict[str, None] = {}

        def walk(name: str) -> None:
            if name in files():
                for one in self._read_by(files()[name]):
                    walk(one)
            if name in files() or name in self._rows:
                found.setdefault(name)

        walk(step)
        return [*found]

    def _read_by(self, file: Definition) -> list[str]:
        return tree.tables_read(file.select)

    @property
    def _rows(self) -> Mapping[str, exp.Query]:
        """The steps that no file has."""
        metrics = [{"metric": exp.Literal.string(metric)} for metric in self.metrics]
        bits = [{"bit": tree.literal(bit), "digits": exp.Literal.string(digits)} for bit, digits in DIGITS.items()]
        return {PER_LIST: exp.Select(), "metrics": _rows_of(metrics), "bits": _rows_of(bits)}

    def _selects(self, step: str, names: Mapping[str, str], source: str) -> Iterator[tuple[str, exp.Query]]:
        """The SELECTs of a step, each with its name; the last has none."""
        if step == PER_LIST:
            yield "", self._numbered(source)
            return
        if step in self._rows:
            yield "", self._rows[step]
            return
        file = files()[step]
        last = bind(file.select, self._values(step))
        assert isinstance(last, exp.Select)
        tree.write_out_series(last)
        with_ = last.args.get("with_")
        last.set("with_", None)
        inner = dict[str, str]()
        for cte in with_.expressions if with_ else ():
            inner[cte.alias] = free_name(cte.alias, {*names.values()}, "_")
            yield inner[cte.alias], self._over_steps(cte.this, {**names, **inner})
        select = self._over_steps(last, {**names, **inner})
        select.comments = [f" {step}: {without_semicolons(file.summary)}"]
        yield "", select

    def _numbered(self, source: str) -> exp.Select:
        """The values per list under the names of columns that the files read."""
        ids, columns = self.ids, [*self.by, *self._paired_by, *self.per_list.systems]
        new = [*ids["by_id"], *ids["list_id"], *ids["system_id"]]
        values = numbered("value", len(self.metrics))
        select = exp.select(*renamed([*columns, *self.metrics], [*new, *values])).from_(tree.table(source))
        select.comments = [" per_list: one row per list, with its values. Columns of lists and systems are numbered"]
        return select

    def _over_steps(self, select: exp.Select, names: Mapping[str, str]) -> exp.Select:
        """A SELECT of a file, itself, over the steps by their names in the query."""
        ids = self.ids

        def read_id(node: exp.Column) -> dict[str, exp.Expr]:
            table = node.table or None
            own = ids["system_id"] if (table, node.name) == ("baseline", "baseline_id") else ids[node.name]
            return {name: tree.column(one, table) for name, one in zip(ids[node.name], own, strict=True)}

        expand_ids(select, read_id, [*ids])
        for table in tree.find(select, exp.Table):
            if table.name in names and names[table.name] != table.name:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.alias_or_name)))
                table.set("this", exp.to_identifier(names[table.name]))
        return select

    def _values(self, step: str) -> dict[str, exp.Expr | int]:
        """The value of every parameter of the files."""
        return {
            "value": self._value_of(""),
            "system_value": self._value_of("compared"),
            "baseline_value": self._value_of("baseline"),
            "is_pair": self._is_pair(),
            "seed": exp.Literal.string(str(self.seed)),
            "blocks": -(-self.replicates // PER_HASH.get(step, 1)),
        }

    def _value_of(self, table: str) -> exp.Expr:
        """The value of the metric of a row, among the columns of all metrics."""
        case = exp.Case()
        for label, name in zip(self.metrics, numbered("value", len(self.metrics)), strict=True):
            is_metric = exp.column("metric", table="metrics").eq(exp.Literal.string(label))
            value = exp.cast(tree.column(name, table or None), exp.DType.DOUBLE)
            case = case.when(is_metric, value, copy=False)
        return case

    def _is_pair(self) -> exp.Expr:
        """Whether two lists are those of a system and of its baseline; of all pairs, each pair once."""
        names = self.ids["system_id"]
        sides = [(tree.column(name, "baseline"), tree.column(name, "compared")) for name in names]
        if self.baseline is not None:
            named = [_literal(one) for one in self.baseline]
            is_baseline = [left.eq(value) for (left, _), value in zip(sides, named, strict=True)]
            is_other = [right.neq(value.copy()) for (_, right), value in zip(sides, named, strict=True)]
            return exp.and_(*is_baseline, exp.or_(*is_other))
        return exp.or_(
            *(
                exp.and_(*(left.eq(right) for left, right in sides[:place]), sides[place][0] < sides[place][1])
                for place in range(len(sides))
            )
        )

    def where_it_runs(self, step: str) -> ComparisonPlan:
        """The plan over an engine that can compute a step: DuckDB if the step hashes and the engine cannot."""
        if not {*PER_HASH} & {*self._reading_order(step)}:
            return self
        dialect = self.per_list.engine.dialect
        query = self.query(step, dialect)
        if not any(query.find(one.kind) for one in dialects.known(dialect).lacks):
            return self
        return replace(self, per_list=self.per_list.in_duckdb)

    def text(self, step: str, dialect: str, table: str | None = None, *, quote_names: bool = False) -> str:
        """The query of a step as text.

        Args:
            step: the name of a file of sql/comparisons.
            dialect: the dialect.
            table: the table of values per list that it reads; by default the query reads what the engine has.
            quote_names: keep the case of all names, instead of that to which the dialect turns names without quotes.
        """
        if table is None:
            return dialects.text(self.query(step, dialect), dialect, copy=False)
        job = NamesOfJob(fold=not quote_names)
        plan = replace(self, per_list=self.per_list.in_table(table, dialect, is_folded=not quote_names))
        return dialects.text(plan.query(step, dialect), dialect, copy=False, job=job)

    def run(self, step: str) -> object:
        """The rows of a step, lazily, in the caller's own kind."""
        engine = self.per_list.engine
        text = dialects.text(self.query(step, engine.dialect), engine.dialect, pretty=False, copy=False)
        return engine.run(text, self.columns(step))


def _alias(name: str) -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier(name, quoted=True))


def _literal(value: str | int) -> exp.Expr:
    return exp.Literal.string(value) if isinstance(value, str) else tree.literal(value)


def _rows_of(rows: Sequence[Mapping[str, exp.Expr]]) -> exp.Query:
    """Rows of literals, as SELECTs that UNION ALL connects."""
    selects = [exp.select(*(exp.alias_(one, name) for name, one in row.items())) for row in rows]
    return exp.union(*selects, distinct=False, copy=False) if len(selects) > 1 else selects[0]
