"""The user's metrics: SELECTs over stages and inputs, checked and put into the catalogue.

A metric that joins, or reads an input, becomes a metric over a stage of its own:

    SELECT SUM(items.price) AS price_of_hits FROM hits JOIN items ON hits.item = items.item WHERE hits.rank <= $k
    → price_of_hits_items: SELECT DISTINCT fold_id, item, price FROM items
      price_of_hits_rows: SELECT hits.list_id, hits.rank, items.price AS items_price FROM hits
                          JOIN price_of_hits_items AS items ON hits.fold_id = items.fold_id AND hits.item = items.item
      price_of_hits: SELECT SUM(items_price) AS price_of_hits FROM price_of_hits_rows WHERE rank <= $k
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from sqlglot import exp

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, RankMetricsWarning, did_you_mean, names
from rankmetrics.inputs.columns import BY_LIST
from rankmetrics.inputs.roles import roles_of
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import KINDS, METRICS, N_LISTS, PLANNED, ROWS, RUNS, Catalog
from rankmetrics.metrics.definition import RANGE, Definition, Kind, builtin
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.relations import joins

# The stages that an error names: there are over a hundred.
MOST_READ = ("recommended", "hits", "relevant", "ideal")

# The inputs that a metric may read, each with the id by which its rows belong to lists.
ID_OF_INPUT: Mapping[str, str] = {
    "recs": "list_id",
    "truth": "truth_id",
    **{name: f"{name}_id" for name in BY_LIST},
    **dict.fromkeys(("items", "similarity", "catalog"), tree.FOLD),
}

# The functions whose share, as 0.5, must be a bare number.
QUANTILES = (exp.Quantile, exp.PercentileCont, exp.PercentileDisc, exp.ApproxQuantile)

# A parameter in the header of a metric: `$power = 1 in [0, inf): how much the price counts.`
PARAMETER = re.compile(rf"(?P<default>-?[\d.]+)(?: in (?P<range>{RANGE.pattern}))?: (?P<summary>.+)")


def define(definition: Definition, known: Catalog) -> Definition:
    """Add a metric of the user to the catalogue; it replaces an earlier metric of the user with the same name."""
    definition = _with_present_names(definition, known)
    _check_select(definition)
    parameters = [*_own_parameters(definition, known)]
    _check_parameters(definition, known)
    sources = _sources(definition, known)
    stages = [] if len(sources) == 1 and not sources[0].is_input else [*_own_stages(definition, sources, known)]
    select = _over_rows(definition, sources) if stages else definition.select
    _check_columns(definition, select, sources)
    select = _as_on_every_engine(_with_value_of_no_rows(definition, select))
    metric = definition if select is definition.select else _rewritten(definition, select)
    metric = replace(metric, kind=_find_kind(metric))
    _check_name(metric, known)
    _check_no_circle(metric, known)
    known.install(metric.name, [metric, *parameters, *stages])
    return metric


def metrics_read(definition: Definition) -> set[str]:
    """The names of the metrics and parts that a metric reads."""
    return tree.columns_read(definition.select) if definition.reads in KINDS else set()


def _rewritten(definition: Definition, select: exp.Select) -> Definition:
    """A definition with another SELECT below its header."""
    header = [line for line in definition.text.splitlines() if line.strip().startswith("--")]
    return replace(definition, source="\n".join([*header, select.sql("duckdb", pretty=True, comments=False)]))


def _as_on_every_engine(select: exp.Select) -> exp.Select:
    """The SELECT with the same numbers on every engine: fractions are doubles, and what is undefined is NULL.

    `n_hits / n_recommended * 1.5` → `n_hits / NULLIF(n_recommended, 0) * CAST(1.5 AS DOUBLE)`
    """
    changed = select.copy()
    for number in tree.find(changed, exp.Literal):
        if number.is_number and not number.is_int and not isinstance(number.parent, (exp.Cast, *QUANTILES)):
            number.replace(tree.literal(float(number.name)))
    for division in tree.find(changed, exp.Div, exp.IntDiv, exp.Mod):
        if not isinstance(division.expression.unnest(), (exp.Nullif, exp.Literal)):
            division.set("expression", exp.Nullif(this=division.expression, expression=exp.Literal.number(0)))
    for function in tree.find(changed, exp.Ln, exp.Log, exp.Sqrt)[::-1]:  # inner ones first
        name = "expression" if isinstance(function, exp.Log) and function.expression else "this"
        value, comparison = function.args[name], exp.GTE if isinstance(function, exp.Sqrt) else exp.GT
        test = comparison(this=value.copy(), expression=exp.Literal.number(0))
        function.set(name, exp.Case().when(test, value.copy(), copy=False))
    return select if changed == select else changed


# --- parameters -------------------------------------------------------------------------------------------------------


def _own_parameters(definition: Definition, known: Catalog) -> Iterator[Definition]:
    """The parameters that the header of a metric declares, as the files of sql/parameters that they would be."""
    for key, text in definition.fields.items():
        name = key.removeprefix("$")
        if name == key:
            continue
        match = PARAMETER.fullmatch(text)
        if match is None:
            raise said(MetricError, "no_parameter_declared", origin=definition.origin, key=key, text=text)
        shared = known.parameter("", name)
        if name in {"k", "rel", *PLANNED} or (shared is not None and shared.policy):
            raise said(MetricError, "parameter_of_all", origin=definition.origin, key=key)
        if name not in definition.placeholders:
            raise said(MetricError, "parameter_not_read", origin=definition.origin, key=key)
        interval = f"-- range: {match['range']}\n" if match["range"] else ""
        file = f"-- {name}: {match['summary']}\n{interval}SELECT {match['default']} AS {name}"
        yield Definition(f"{definition.name}.{name}", "parameter", file, definition.origin)


def _check_parameters(definition: Definition, known: Catalog) -> None:
    """Refuse a SELECT that reads a parameter which neither its header nor rankmetrics has."""
    for name in sorted(definition.placeholders):
        if f"${name}" not in definition.fields and known.parameter("", name) is None:
            raise said(MetricError, "undeclared_parameter", metric=definition.name, name=name)


def _with_value_of_no_rows(definition: Definition, select: exp.Select) -> exp.Select:
    """The SELECT of a metric with the value that its header gives a list without rows."""
    text = definition.fields.get("empty")
    if text is None:
        return select
    try:
        value = tree.literal(int(text) if text.lstrip("-").isdigit() else float(text))
    except ValueError:
        raise MetricError(f"{definition.origin}: `empty: {text}` is not a number.") from None
    if tree.source(select).name in KINDS:
        values = {"origin": definition.origin, "metric": definition.name, "table": definition.reads}
        raise said(MetricError, "empty_of_no_rows", text=text, **values)
    select = select.copy()
    (returned,) = select.expressions
    is_empty = exp.EQ(this=exp.Count(this=exp.Star(), big_int=True), expression=exp.Literal.number(0))
    cases = exp.Case().when(is_empty, value, copy=False).else_(returned.unalias().copy(), copy=False)
    select.set("expressions", [exp.alias_(cases, definition.name)])
    return select


# --- the tables that a metric reads -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """A stage or an input that a metric reads."""

    name: str  # the stage, the input, or `metrics` or `runs`
    alias: str  # its name in the SELECT
    id: str  # the id by which its rows belong to lists; empty for `metrics` and `runs`
    columns: frozenset[str]  # the columns that it has; of an input, those that have a role
    is_input: bool = False  # True for an input, which may have further columns

    @property
    def described(self) -> str:
        """Its name for an error."""
        return self.name if self.is_input or not self.id else f"stage {self.name!r}"


def _sources(definition: Definition, known: Catalog) -> list[Source]:
    """The tables after FROM and JOIN."""
    select, name = definition.select, definition.name
    tables = [tree.source(select), *(join.this for join in joins(select))]
    sources = [_source(name, table, known) for table in tables]
    if len(sources) == 1 and sources[0].id != tree.FOLD:
        return sources
    for source in sources:
        if source.name in KINDS:
            raise said(MetricError, "join_of_metrics", metric=name, table=source.name)
        if source.name in known.stages() and source.id not in known.outputs(source.name):
            instead = " Join ideal_order." if source.name == "ideal" else ""
            raise said(MetricError, "join_of_shared_lists", metric=name, stage=source.name, instead=instead)
    first = sources[0]
    if first.id == tree.FOLD:
        raise said(MetricError, "begins_without_lists", metric=name, first=first.name)
    for source in sources[1:]:
        if source.id not in (first.id, tree.FOLD) and first.id != "list_id":
            raise said(MetricError, "begins_without_single_lists", metric=name, first=first.name, other=source.name)
    return sources


def _source(metric: str, table: exp.Expr, known: Catalog) -> Source:
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier) or table.db:
        raise said(MetricError, "no_table_of_metrics", metric=metric, table=table.sql())
    name, alias = table.name, table.alias_or_name
    if name in KINDS:
        return Source(name, alias, "", frozenset(known.columns_of(name)))
    if name in ID_OF_INPUT:
        return Source(name, alias, ID_OF_INPUT[name], roles_of(name), is_input=True)
    stages = [stage for stage in known.stages() if known.has_lists(stage)]
    if not known.is_stage(name):
        known_tables = {"read": [*MOST_READ], "folder": sql_folder() / "stages", "inputs": [*ID_OF_INPUT]}
        near = did_you_mean(name, [*stages, *ID_OF_INPUT])
        raise said(MetricError, "no_stage_or_input", metric=metric, name=name, near=near, **known_tables)
    if name not in stages:
        raise said(MetricError, "stage_without_lists", metric=metric, stage=name)
    return Source(name, alias, known.id_of(name), frozenset(known.outputs(name)) - {*tree.IDS})


def _owner(metric: str, column: exp.Column, sources: list[Source]) -> Source:
    """The table that a column of a join belongs to."""
    if column.table:
        owners = [source for source in sources if source.alias == column.table]
        if not owners:
            tables = {"table": column.table, "read": [source.alias for source in sources]}
            raise said(MetricError, "table_not_joined", metric=metric, column=column.sql(), **tables)
        if not owners[0].is_input and column.name not in owners[0].columns:
            raise _unknown_column(metric, column.name, owners)
        return owners[0]
    owners = [source for source in sources if column.name in source.columns and not source.is_input]
    owners = owners or [source for source in sources if source.is_input]
    if not owners:
        raise _unknown_column(metric, column.name, sources)
    if len(owners) > 1:
        tables = {"first": owners[0].alias, "second": owners[1].alias}
        raise said(MetricError, "which_table", metric=metric, column=column.name, **tables)
    return owners[0]


def _unknown_column(metric: str, column: str, sources: Iterable[Source]) -> MetricError:
    tables = [*sources]
    near = did_you_mean(column, [known for source in tables for known in source.columns])
    has = "; ".join(f"{source.described} has {names(sorted(source.columns))}" for source in tables)
    # of metrics, there are hundreds: the nearest ones are enough
    has = "rm.list_metrics() lists them all" if tables[0].name in KINDS else has
    where = " or ".join(source.described for source in tables)
    has = f"{has[:1].upper()}{has[1:]}"
    return said(MetricError, "unknown_column", metric=metric, column=column, where=where, near=near, has=has)


# --- the stages of a metric that joins --------------------------------------------------------------------------------


def _own_stages(definition: Definition, sources: list[Source], known: Catalog) -> Iterator[Definition]:
    """The stages of a metric that joins or reads an input: those of items, each row once, and the joined rows."""
    select, name = definition.select, definition.name
    read = [column for column in tree.find(select, exp.Column) if column.name not in tree.IDS]
    for source in sources:
        if source.id == tree.FOLD:
            columns = {column.this.sql("duckdb") for column in read if _owner(name, column, sources) is source}
            columns |= {column for join in joins(select) for column in _using(join) if source.is_input}
            text = f"SELECT DISTINCT {', '.join([tree.FOLD, *sorted(columns)])} FROM {source.name}"
            yield _stage(
                definition, source.name, f"the rows of {source.name}, each once, that {name} reads", text, known
            )
    rows = exp.select(exp.column(sources[0].id, table=sources[0].alias)).from_(_table(definition, sources[0]))
    outside_joins = [column for column in read if not column.find_ancestor(exp.Join)]
    columns_by_output = {_output(column, sources, name): column for column in outside_joins}
    for output, column in columns_by_output.items():
        owner = _owner(name, column, sources).alias
        rows = rows.select(exp.alias_(exp.Column(this=column.this.copy(), table=exp.to_identifier(owner)), output))
    for join, source in zip(joins(select), sources[1:], strict=True):
        rows.append("joins", _within_lists(definition, join, source, sources))
    n_stages = sum(not source.is_input for source in sources)
    depth = "-- depth: whole lists\n" if n_stages > 1 else ""
    summary = f"the rows of {names(source.name for source in sources)} that {name} aggregates".replace("'", "")
    yield _stage(definition, ROWS, f"{summary}\n{depth}".rstrip(), rows.sql("duckdb", pretty=True), known)


def _stage(definition: Definition, suffix: str, summary: str, text: str, known: Catalog) -> Definition:
    stage = f"{definition.name}_{suffix}"
    if ("stage", stage) in builtin() or known.child(METRICS, stage):
        raise said(MetricError, "stage_is_taken", metric=definition.name, stage=stage)
    return Definition(stage, "stage", f"-- {stage}: {summary}\n{text}", definition.origin)


def _table(definition: Definition, source: Source) -> exp.Table:
    """A table as a stage of the metric reads it."""
    name = f"{definition.name}_{source.name}" if source.id == tree.FOLD else source.name
    return tree.table(name, source.alias)


def _using(join: exp.Join) -> list[str]:
    return [identifier.name for identifier in join.args.get("using") or ()]


def _within_lists(definition: Definition, join: exp.Join, source: Source, sources: list[Source]) -> exp.Join:
    """A join whose rows belong to the same list, and which names the table of every column."""
    first, on = sources[0], join.args.get("on")
    pairs = [(exp.column(name, first.alias), exp.column(name, source.alias)) for name in (source.id, *_using(join))]
    tests: list[exp.Expr] = [exp.EQ(this=left, expression=right) for left, right in pairs]
    if on is None and len(tests) == 1:
        tables = {"table": source.name, "first": first.alias, "second": source.alias}
        raise said(MetricError, "join_without_on", metric=definition.name, **tables)
    if join.side not in ("", "LEFT") or join.kind not in ("", "INNER", "OUTER"):
        kind = join.side or join.kind
        raise said(MetricError, "kind_of_join", metric=definition.name, table=source.name, kind=kind)
    if on is not None:
        own = sorted(tree.placeholders(on) & {key.removeprefix("$") for key in definition.fields})
        if own:
            raise said(MetricError, "parameter_after_on", metric=definition.name, name=own[0])
        condition = exp.paren(on)
        for column in tree.find(condition, exp.Column):
            if column.name in tree.IDS:
                raise said(MetricError, "join_by_lists", metric=definition.name, column=column.name)
            column.set("table", exp.to_identifier(_owner(definition.name, column, sources).alias))
        tests.append(condition if isinstance(on, exp.Or) else condition.this)
    return exp.Join(this=_table(definition, source), side=join.side or None, on=exp.and_(*tests, copy=False))


def _output(column: exp.Column, sources: list[Source], metric: str) -> str:
    """The name of a column in the joined rows: that of a stage keeps its name if no table before has it."""
    owner = _owner(metric, column, sources)
    before = [source for source in sources[: sources.index(owner)] if column.name in source.columns]
    return f"{owner.alias}_{column.name}" if owner.is_input or before else column.name


def _over_rows(definition: Definition, sources: list[Source]) -> exp.Select:
    """The SELECT of a metric over its joined rows."""
    select = definition.select.copy()
    select.set("joins", None)
    for column in tree.find(select, exp.Column):
        column.replace(exp.column(_output(column, sources, definition.name)))
    select.set("from_", exp.From(this=exp.to_table(f"{definition.name}_{ROWS}")))
    return select


# --- former names -----------------------------------------------------------------------------------------------------


@cache
def former_names() -> Mapping[str, Mapping[str, str]]:
    """The present names by the former names, for `stages`, `numbers` (parts of metrics) and `columns` of stages."""
    import tomllib  # few metrics are defined by users

    return tomllib.loads((sql_folder() / "renamed.toml").read_text(encoding="utf-8"))


def _with_present_names(definition: Definition, known: Catalog) -> Definition:
    """A definition with present names instead of former ones; the same where it has none."""
    select = definition.select.copy()
    if select.args.get("from_") is None:
        return definition
    renamed: dict[str, str] = {}
    table, former = tree.source(select), former_names()
    if isinstance(table.this, exp.Identifier) and not known.is_stage(table.name) and table.name in former["stages"]:
        renamed[table.name] = former["stages"][table.name]
        table.this.set("this", renamed[table.name])
    new_names, there = former["numbers" if table.name in KINDS else "columns"], known.columns_of(table.name)
    for column in tree.find(select, exp.Column):
        if column.name not in there and new_names.get(column.name) in there:
            renamed[column.name] = new_names[column.name]
            column.this.set("this", renamed[column.name])
    if not renamed:
        return definition
    changes = ", ".join(f"{old} is {new}" for old, new in renamed.items())
    warning = f"The metric {definition.name!r} reads former names: {changes} now."
    warnings.warn(RankMetricsWarning(warning, page="renamed/"), stacklevel=4)
    return _rewritten(definition, select)


# --- checks -----------------------------------------------------------------------------------------------------------


def _find_kind(definition: Definition) -> Kind:
    """`metric` for one number per list, `run` for one number per system."""
    of_lists = definition.reads == METRICS and bool(tree.find(definition.expression, exp.AggFunc))
    return "run" if of_lists or definition.reads == RUNS else "metric"


def _check_select(definition: Definition) -> None:
    """Refuse what is not one SELECT of one named expression from tables."""
    select, name = definition.select, definition.name
    if len(select.expressions) != 1 or not select.expressions[0].alias:
        raise MetricError("A metric is one SELECT of one expression with a name: SELECT ... AS name.")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise MetricError(f"A metric's name is letters, digits and underscores: {name!r} is not.")
    if name.lower() == N_LISTS:
        raise MetricError(f"A summary has a column {N_LISTS!r} already: give your metric another name.")
    allowed = ("expressions", "from_", "joins", "where", "kind", "hint", "operation_modifiers")
    is_nested = len(tree.find(select, exp.Select)) > 1
    if "from_" not in select.args or is_nested or any(select.args[key] for key in select.args if key not in allowed):
        raise said(MetricError, "no_select_of_metrics", metric=name)


def _check_columns(definition: Definition, select: exp.Select, sources: list[Source]) -> None:
    """Refuse columns that the tables of the user do not have, and columns of many rows without an aggregate."""
    name = definition.name
    if definition.reads not in KINDS or (_find_kind(definition) == "run" and definition.reads == METRICS):
        for column in sorted(tree.columns_read(aggregation.without_aggregates(select.expressions[0].unalias()))):
            raise said(MetricError, "no_aggregate", metric=name, column=column)
    if select is definition.select:
        for column in sorted(tree.columns_read(select) - sources[0].columns):
            raise _unknown_column(name, column, sources)


def _check_name(definition: Definition, known: Catalog) -> None:
    """Refuse a name or an alias that another metric has."""
    name, shipped = definition.name, {other for kind, other in builtin() if kind in (*KINDS[METRICS], *KINDS[RUNS])}
    for spelling in (name, *definition.aliases):
        owner = known.name(spelling) or name
        if owner != name or name in shipped:
            whose = "a metric of rankmetrics" if owner in shipped else f"a name of {owner!r}"
            raise MetricError(f"{spelling!r} is {whose} already: give yours another name.")


def _check_no_circle(definition: Definition, known: Catalog) -> None:
    """Refuse a metric that reads itself, directly or through other metrics."""
    seen: set[str] = set()
    waiting = [definition]
    while waiting:
        metric = waiting.pop()
        read = metrics_read(metric)
        if definition.name in read:
            raise MetricError(f"Metric {definition.name!r} reads itself, through {metric.name!r}.")
        waiting += [child for name in read - seen if (child := known.child(metric.reads, name)) is not None]
        seen |= read
