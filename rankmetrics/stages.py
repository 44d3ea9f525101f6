"""Builds the stages that a query needs, and nothing else: each once, with the columns and the depth that are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from sqlglot import exp

from rankmetrics import tree
from rankmetrics.catalog import catalog
from rankmetrics.columns import Columns, Layout, Schema
from rankmetrics.definition import Definition
from rankmetrics.metric import Setting, Settings, spell

SOURCES = ("recs", "truth")
INPUT_ROW = "rankmetrics_row"  # what an engine calls the order of the rows, where ties="input" asks for it

# A table of places grows with the square of the cutoff: beyond this, sorting the truth is the lesser work.
MOST_PLACES = 200


@dataclass(frozen=True)
class Key:
    """A stage with its parameters: what two metrics share if they agree on both."""

    stage: str
    settings: tuple[tuple[str, Setting | None], ...] = ()

    @property
    def name(self) -> str:
        """The name of its CTE: `hits`, `hits_rel_4`."""
        label = spell(
            self.stage, {name: value for name, value in self.settings if value != catalog().default(name)}, None
        )
        return re.sub(r"\W+", "_", label.replace("=-", "=minus ")).strip("_")


@dataclass
class Wanted:
    """What is read of a stage: its columns, and how deep."""

    columns: set[str] = field(default_factory=set)
    depth: int | None = 0

    def deepen(self, depth: int | None) -> None:
        """Read it down to a rank; None is all of it."""
        self.depth = None if depth is None or self.depth is None else max(self.depth, depth)


@dataclass
class Built:
    """A stage as a CTE; nothing is to be pushed through a barrier."""

    name: str
    select: exp.Query
    reads: list[str]
    comment: str
    barrier: bool = False


class Stages:
    """The stages of one query.

    Args:
        layout: what the columns of the inputs are for.
        tables: the two inputs as they stand after FROM.
        missing: which variant of `lists` to take: zero or skip.
        taken: names, in lower case, that no part of the query may have.
    """

    def __init__(
        self, layout: Layout, tables: Mapping[str, exp.Expr], missing: str, taken: frozenset[str] = frozenset()
    ) -> None:
        self.layout = layout
        self.tables = tables
        self.policies = {"lists": missing}
        self._wanted: dict[Key, Wanted] = {}
        self._built: dict[str, Built] = {}
        self._renamed: dict[str, str] = {}
        self._internal: dict[str, str] = {}
        self._taken = taken | {one.name.lower() for one in tables.values() if isinstance(one, exp.Table) and one.name}

    def name_lists(self, reserved: Iterable[str]) -> None:
        """Settle what each list column is called inside the query: its name, unless a column of ours has that."""
        ours = {name.lower() for name in (*reserved, *vars(Columns()), INPUT_ROW)}
        for name in self.layout.lists:
            inside = name
            while inside.lower() in ours or _is_output(inside.lower()):
                inside = f"list_{inside}"
            ours.add(inside.lower())
            self._internal[name] = inside

    def columns(self, id_name: str) -> list[str]:
        """The columns that an id stands for, as the user calls them."""
        of = {"list_id": self.layout.lists, "truth_id": self.layout.truth_lists, "system_id": self.layout.systems}
        return list(of[id_name])

    def inside(self, id_name: str) -> list[str]:
        """The columns that an id stands for, as they are called inside the query."""
        return [self._internal[name] for name in self.columns(id_name)]

    def internal(self, name: str) -> str:
        """What a list column is called inside the query."""
        return self._internal[name]

    # --- wanting ----------------------------------------------------------------------------------------------------

    def key(self, stage: str, values: Settings) -> Key:
        """A stage under the values of those parameters that it reads."""
        read = catalog().stage_parameters(stage)
        return Key(stage, tuple((name, values.get(name)) for name in sorted(read)))

    def columns_of_choices(self, stage: str, values: Settings) -> set[str]:
        """The columns that are read by the choices that a stage, and those below it, are built with."""
        chosen = [catalog().shared(one).expressions.get(str(value)) for one, value in self.key(stage, values).settings]
        return {column for one in chosen if one is not None for column in tree.columns_read(one)}

    def want(self, key: Key, columns: set[str], depth: int | None = 0) -> None:
        """Ask for columns of a stage, down to a rank (None: all of it)."""
        wanted = self._wanted.setdefault(key, Wanted())
        wanted.columns |= columns - set(tree.IDS)
        wanted.deepen(depth)

    def wanted(self, key: Key) -> Wanted:
        """What is asked of a stage so far."""
        return self._wanted[key]

    def cheaper(self, key: Key) -> Definition | None:
        """Another way to get what is asked of a stage, if there is one that offers it: its other file."""
        wanted = self._wanted[key]
        for one in catalog().all("stage"):
            if one.name.startswith(f"{key.stage}.") and key.stage not in self.policies:
                offers, deep = set(tree.outputs(one.select)), wanted.depth
                if wanted.columns <= offers and deep is not None and deep <= MOST_PLACES:
                    return one
        return None

    def definition(self, key: Key) -> Definition:
        """The file that a stage is built from: its own, the one that a policy names, or a cheaper one."""
        policy = self.policies.get(key.stage)
        found = catalog().stage(f"{key.stage}.{policy}" if policy else key.stage)
        assert found is not None, key.stage
        return self.cheaper(key) or found

    # --- building ---------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Build every stage that is wanted, and what those read: the readers first, so that each knows its readers."""
        done: set[Key] = set()
        while waiting := [key for key in self._wanted if key not in done]:
            key = max(waiting, key=lambda one: _level(one.stage))
            done.add(key)
            self._built[key.name] = self._build(key)
        for built in self._built.values():
            self._pass_through(built)

    def _build(self, key: Key) -> Built:
        wanted, definition = self._wanted[key], self.definition(key)
        select = tree.keep_outputs(definition.select, wanted.columns)
        values = dict(key.settings)
        bound = tree.bind(select, self._bindings(key, wanted), catalog().optional)
        assert isinstance(bound, exp.Select)
        select = self._without_systems(bound)
        reads = {
            one.name: self.key(one.name, values) for one in select.find_all(exp.Table) if catalog().is_stage(one.name)
        }
        aliases = {one.alias_or_name: one.name for one in select.find_all(exp.Table)}
        for child in reads.values():
            self.want(child, set(), wanted.depth)
        single = next(iter(aliases)) if len(aliases) == 1 else None
        for column in select.find_all(exp.Column):
            table = aliases.get(column.table or single or "")
            if table in reads and column.name not in tree.IDS:
                self.want(reads[table], {column.name})
        select = self._expand(select, aliases, single)
        for node in list(select.find_all(exp.Table)):
            if node.name in reads:
                node.replace(tree.table(self.cte(reads[node.name].name), node.alias_or_name))
            elif node.name in SOURCES:
                node.replace(self._input(node.name))
        return Built(
            name=self.cte(key.name),
            select=tree.write_out_series(select),
            reads=[one.name for one in reads.values()],
            comment=f"{key.stage}: {definition.summary}",
            barrier="barrier" in definition.fields,
        )

    def _bindings(self, key: Key, wanted: Wanted) -> dict[str, tree.Value]:
        place = catalog().policy("place").expressions[self.layout.ties or "given"]
        known: dict[str, tree.Value] = {"deepest": wanted.depth, "place": place}
        numbers = {name: value for name, value in key.settings if not isinstance(value, str)}
        for name, value in key.settings:
            chosen = catalog().shared(name).expressions.get(str(value))
            known[name] = tree.bind(chosen, numbers) if chosen else numbers[name]
        return known

    def _without_systems(self, select: exp.Select) -> exp.Select:
        """Where the truth has every list column there is one system, and nothing to cross the lists with."""
        if not self.layout.systems:
            joins = [join for join in select.args.get("joins") or [] if join.this.name != "systems"]
            select.set("joins", joins)
        return select

    def _expand(self, select: exp.Select, aliases: Mapping[str, str], single: str | None) -> exp.Select:
        """Put columns in the place of ids and roles: the inputs' own where an input is read, ours elsewhere."""

        def table_of(column: exp.Column) -> str:
            return aliases.get(column.table or single or "", "")

        def role(column: exp.Column) -> exp.Expr | None:
            played = table_of(column) in SOURCES and column.name not in tree.IDS
            return self._role(table_of(column), column) if played else None

        def read(column: exp.Column) -> list[exp.Expr]:
            table = table_of(column)
            if table not in SOURCES:
                return [tree.column(name, column.table or None) for name in self.inside(column.name)]
            _, types = self._side(table)
            return [
                _typed("id", tree.column(one, column.table or None), types, one) for one in self.columns(column.name)
            ]

        for node in select.expressions:  # `rank` becomes `"place" AS rank`: the name must outlive the column
            if isinstance(node, exp.Column) and node.name not in tree.IDS and table_of(node) in SOURCES:
                node.replace(exp.alias_(node.copy(), node.name))
        roles_read = tree.replace_columns(select, role)
        assert isinstance(roles_read, exp.Select)
        return tree.expand_ids(
            tree.drop_nulls(roles_read), read, {id_name: self.inside(id_name) for id_name in tree.IDS}
        )

    def _role(self, table: str, column: exp.Column) -> exp.Expr:
        """A role column of an input, as a typed expression over the column that plays it."""
        roles, types = self._side(table)
        if column.name == "input_row":
            return tree.column(INPUT_ROW, column.table or None)
        played_by: str | None = getattr(roles, column.name)
        if played_by is None:
            return exp.Null()
        physical: exp.Expr = tree.column(played_by, column.table or None)
        return _typed(column.name, physical, types, played_by)

    def _side(self, table: str) -> tuple[Columns, Schema]:
        if table == "recs":
            return self.layout.recs, self.layout.recs_types
        return self.layout.truth, self.layout.truth_types

    def _input(self, name: str) -> exp.Expr:
        table = self.tables[name].copy()
        if table.alias_or_name != name:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
        return table

    def _pass_through(self, built: Built) -> None:
        """A stage that only hands on the columns of another is left out: its readers read that one."""
        select = built.select
        bare = all(
            isinstance(one.unalias(), exp.Column) and one.alias_or_name == one.unalias().name
            for one in select.expressions
        )
        if bare and built.reads and not any(select.args.get(part) for part in ("where", "joins", "group", "distinct")):
            self._renamed[built.name] = tree.source(select).name

    def cte(self, name: str) -> str:
        """A CTE's name, changed where a table of the user's has it."""
        while name.lower() in self._taken:
            name = f"{name}_"
        return name

    def resolve(self, name: str) -> str:
        """The CTE to read for a name: another, where the one of that name only hands it on."""
        while name in self._renamed:
            name = self._renamed[name]
        return name

    def ctes(self, names: Sequence[str]) -> Iterator[Built]:
        """The CTEs that the named ones need, each after what it reads, they themselves at their turn."""
        by_name = {built.name: built for built in self._built.values()}
        seen: set[str] = set()

        def walk(name: str) -> Iterator[Built]:
            if name in seen or name not in by_name:
                return
            seen.add(name)
            built = by_name[name]
            for read in built.reads:
                yield from walk(self.cte(read))
            if name not in self._renamed:
                for table in built.select.find_all(exp.Table):
                    resolved = self.resolve(table.name)
                    if resolved != table.name:
                        table.replace(tree.table(resolved, table.alias_or_name))
                yield built

        for name in names:
            yield from walk(name)


@cache
def _is_output(name: str) -> bool:
    """Whether a stage returns a column of this name; only files that hold the word are parsed."""
    return any(
        name in one.text.lower() and name in {output.lower() for output in tree.outputs(one.select)}
        for one in catalog().all("stage")
    )


@cache
def _level(stage: str) -> int:
    """How many stages lie below a stage: readers have more than what they read."""
    variants = [one for one in catalog().all("stage") if one.name.split(".")[0] == stage]
    below = {table for one in variants for table in tree.tables_read(one.select)} - {stage, ""}
    return 1 + max((_level(table) for table in below if table not in SOURCES), default=0)


def _typed(role: str, physical: exp.Expr, types: Schema, name: str) -> exp.Expr:
    """A column in the type that the query counts on: ids without categories, ranks whole, the rest without NaN."""
    known = types.get(name)
    type_name = known.name.upper() if known else ""
    nan = exp.cast(exp.Literal.string("NaN"), exp.DType.DOUBLE)
    is_float = known is None or known.family == "float"
    if role in ("id", "item"):  # a category orders, and joins, by the number behind its name
        return exp.cast(physical, exp.DType.TEXT) if type_name.startswith("ENUM") else physical
    if role == "rank":
        return (
            physical if type_name in ("BIGINT", "INTEGER", "INT64", "INT32") else exp.cast(physical, exp.DType.BIGINT)
        )
    if role == "rating":
        physical = physical if type_name in ("DOUBLE", "FLOAT64") else exp.cast(physical, exp.DType.DOUBLE)
        return exp.Nullif(this=physical, expression=nan) if is_float else physical
    if role == "score" and is_float:
        return exp.Nullif(this=physical, expression=nan)
    return physical
