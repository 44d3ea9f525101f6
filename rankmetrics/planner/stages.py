"""Builds the stages that a query needs, and nothing else: each once, with the columns and the depth that are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from sqlglot import exp

from rankmetrics.errors import ColumnError, InputError, Option, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import EMBEDDINGS, EXTRAS, INPUT_RANK, NEEDED, SOURCES
from rankmetrics.metrics.catalog import LISTS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.label import Settings
from rankmetrics.planner.input_columns import role_column, typed
from rankmetrics.planner.model import Built, Key, Wanted
from rankmetrics.planner.shared_stages import handed_on, share_groups
from rankmetrics.planner.variants import Situation, choose
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import unnamed
from rankmetrics.sqltree.parameters import bind, score_above


class Stages:
    """The stages of one query.

    Args:
        layout: what the columns of the inputs are for.
        tables: the inputs as they stand after FROM.
        missing: which variants of `lists` the metrics are taken over; if there are several, the answer has the lists of
            all, and says of each list which of them have it.
        taken: names, in lower case, that no part of the query may have.
        whole: whether to read inputs to their end, be it of no list that is asked for: to account for all of them.
    """

    def __init__(
        self,
        layout: Layout,
        tables: Mapping[str, exp.Expr],
        missing: Sequence[str],
        taken: frozenset[str] = frozenset(),
        *,
        whole: bool = False,
    ) -> None:
        self.whole = whole
        self.layout = layout
        self.tables = tables
        self.missing = missing
        self._wanted: dict[Key, Wanted] = {}
        self._built: dict[str, Built] = {}
        self._renamed: dict[str, str] = {}
        self._complete: set[Key] = set()
        self._taken = taken | {one.name.lower() for one in tables.values() if isinstance(one, exp.Table) and one.name}

    def columns(self, id_name: str) -> list[str]:
        """The columns that an id stands for, as the user calls them."""
        layout = self.layout
        of = {
            "list_id": layout.lists,
            "truth_id": layout.truth_lists,
            "system_id": layout.systems,
            "by_id": layout.by,
            **{f"{name}_id": side.lists for name, side in layout.extras.items()},
        }
        return list(of.get(id_name, ()))

    def inside(self, id_name: str) -> list[str]:
        """The columns that an id stands for, as they are called inside the query."""
        return [unnamed(name) for name in self.columns(id_name)]

    def folds(self, key: Key) -> list[str]:
        """The columns that `fold_id` stands for in a stage: the folds that its inputs tell apart."""
        if not self.layout.folds:
            return []
        select = self.definition(key).select
        tables = {one.alias_or_name: one.name for one in tree.find(select, exp.Table)}
        found: set[str] = set()
        for column in select.expressions:
            if column.alias_or_name == tree.FOLD:
                table = tables[column.unalias().table or next(iter(tables))]
                of_table = (
                    self.layout.side(table).lists
                    if table in SOURCES
                    else self.folds(self.key(table, dict(key.settings)))
                )
                found.update(of_table)
            elif column.alias_or_name in tree.IDS:
                found.update(self.columns(column.alias_or_name))
        return [one for one in self.layout.folds if one in found]

    def columns_of(self, key: Key) -> list[str]:
        """The columns by which the rows of a stage belong to lists, as they are called inside the query.

        Those of a list, or of what it is part of; none, where the rows belong to all lists alike.
        """
        offered = tree.outputs(self.definition(key).select)
        id_name = next((one for one in tree.IDS if one in offered and one != tree.FOLD), "")
        columns = self.columns(id_name)
        folds = self.folds(key) if tree.FOLD in offered else []
        return [unnamed(one) for one in (*columns, *(one for one in folds if one not in columns))]

    # --- wanting ----------------------------------------------------------------------------------------------------

    def key(self, stage: str, values: Settings) -> Key:
        """A stage under the values of those parameters that it reads."""
        read = catalog().stage_parameters(stage)
        return Key(
            stage, tuple((one, values[one] if one in values else catalog().default(one)) for one in sorted(read))
        )

    def columns_of_choices(self, stage: str, values: Settings) -> set[str]:
        """The columns that are read by the choices that a stage, and those below it, are built with."""
        read = [(catalog().shared(one), value) for one, value in self.key(stage, values).settings]
        chosen = [one.expressions.get(str(value)) for one, value in read if not one.policy]
        return {column for one in chosen if one is not None for column in tree.columns_read(one)}

    def refuse_lacking(self, key: Key, asked: str) -> None:
        """Refuse a stage that reads an input, or a column of one, that there is not.

        Raises:
            InputError: an input is missing.
            ColumnError: a column is.
        """
        if key in self._complete:
            return
        definition = self.definition(key)
        tables = {one.alias_or_name: one.name for one in tree.find(definition.select, exp.Table)}
        for table in tables.values():
            if table in SOURCES and table not in self.tables:
                name = "items" if table == EMBEDDINGS else table
                if name in self.tables:
                    types = self.layout.side(name).types
                    raise ColumnError(
                        f"{asked} needs a column of embeddings in the items: there were {names(types)}. Name it: ",
                        Option("extra_columns", {"embedding": "..."}, of="items"),
                        ".",
                    )
                raise InputError(f"{asked} needs ", Option(name), f": {EXTRAS[name]}.")
            if catalog().is_stage(table):
                self.refuse_lacking(self.key(table, dict(key.settings)), asked)
        for column in tree.find(definition.select, exp.Column):
            table = tables.get(column.table) or (next(iter(tables.values())) if len(tables) == 1 else "")
            if table in SOURCES and column.name in NEEDED and not self._played(table, column.name):
                raise ColumnError(
                    f"{asked} needs a column of the role {column.name!r} in the {table}: there were "
                    f"{names(self.layout.side(table).types)}. Name it: ",
                    Option("extra_columns", {column.name: "..."}, of=table),
                    ".",
                )
        self._complete.add(key)

    def _played(self, table: str, role: str) -> bool:
        return getattr(self.layout.side(table).roles, role, None) is not None

    def want(self, key: Key, columns: set[str], depth: int | None = 0, within: int | None = None) -> None:
        """Ask for columns of a stage: for recommendations down to a rank, of its rows those within one (None: all)."""
        wanted = self._wanted.setdefault(key, Wanted())
        wanted.columns |= columns - set(tree.IDS)
        wanted.deepen(depth, within)

    def want_nothing(self) -> None:
        """Forget what was asked so far."""
        self._wanted.clear()

    def wanted(self, key: Key) -> Wanted:
        """What is asked of a stage so far."""
        return self._wanted[key]

    def definition(self, key: Key) -> Definition:
        """The file that a stage is built from: the variant that is named, or that fits."""
        stage, _, variant = key.stage.partition(".")
        if variant:
            return catalog().variants(stage)[variant]
        wanted = self._wanted.get(key, Wanted())
        situation = Situation(
            layout=self.layout,
            inputs=self.tables,
            settings={"missing": self.missing[0]} if stage == LISTS else dict(key.settings),
            missing=self.missing,
            is_diagnostics=self.whole,
            required=self._is_read,
            columns=wanted.columns,
            max_k=wanted.depth,
        )
        return choose(stage, situation)

    def _is_read(self, stage: str) -> bool:
        """Whether something that is wanted is a stage, or reads it."""
        stages = [one.stage.partition(".")[0] for one in self._wanted]
        known = [catalog().variants(one).get("") for one in stages]
        return stage in stages or any(one is not None and stage in tree.tables_read(one.select) for one in known)

    def is_per_list(self, key: Key) -> bool:
        """Whether the rows of a stage belong to lists of recommendations."""
        return "list_id" in tree.outputs(self.definition(key).select)

    def is_grouped(self, key: Key) -> bool:
        """Whether a stage has one row for each list, or for each of what lists are parts of: it groups by that id."""
        group = tree.groups(self.definition(key).select)
        return group is not None and [one.name for one in group.expressions] in [
            [one] for one in tree.IDS if one != tree.FOLD
        ]

    # --- building ---------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Build every stage that is wanted, and what those read: the readers first, so that each knows its readers."""
        done: set[Key] = set()
        while waiting := [key for key in self._wanted if key not in done]:
            key = max(waiting, key=lambda one: _level(one.stage))
            done.add(key)
            is_union = key.stage == LISTS and len(self.missing) > 1
            self._built[key.name] = self._union() if is_union else self._build(key)
        share_groups(self._built)
        is_union = len(self.missing) > 1
        for built in self._built.values():
            if not (is_union and built.name == self.cte(LISTS)) and (handed := handed_on(built)):
                self._renamed[built.name] = handed

    def _union(self) -> Built:
        """The lists of several variants, with a column for each that says whether the variant has the list."""
        columns = [tree.column(one) for one in self.inside("list_id")]
        keys = {one: self.key(f"{LISTS}.{one}", {}) for one in self.missing}
        arms = []
        for variant, key in keys.items():
            self.want(key, set(), None)
            flags = [tree.named(tree.literal(int(one == variant)), member_of(one)) for one in self.missing]
            arms.append(exp.select(*columns, *flags).from_(tree.table(self.cte(key.name))))
        every = exp.union(*arms, distinct=False, copy=False).subquery("every_list")
        flags = [tree.named(exp.Max(this=tree.column(member_of(one))), member_of(one)) for one in self.missing]
        select = exp.select(*columns, *flags).from_(every).group_by(*columns)
        comment = f"{LISTS}: whom the means are taken over: the lists of all of these, and which has each"
        return Built(self.cte(LISTS), select, [one.name for one in keys.values()], comment, shared=True)

    def _build(self, key: Key) -> Built:
        wanted, definition = self._wanted[key], self.definition(key)
        select = tree.keep_outputs(definition.select, wanted.columns)
        values = dict(key.settings)
        bound = bind(select, self._bindings(key, wanted), catalog().optional)
        assert isinstance(bound, exp.Select)
        select = self._without_systems(bound)
        reads = {
            one.name: self.key(one.name, values) for one in tree.find(select, exp.Table) if catalog().is_stage(one.name)
        }
        aliases = {one.alias_or_name: one.name for one in tree.find(select, exp.Table)}
        limit = tree.limit_of(tree.condition(select))
        within = limit if len(aliases) == 1 else None  # of several tables, it is the rank of one of them
        for child in reads.values():
            self.want(child, set(), wanted.depth if limit is None else limit, within)
        single = next(iter(aliases)) if len(aliases) == 1 else None
        for column in tree.find(select, exp.Column):
            table = aliases.get(column.table or single or "")
            if table in reads and column.name not in tree.IDS:
                self.want(reads[table], {column.name}, within=0)
        select = self._expand(select, aliases, single, values)
        for node in tree.find(select, exp.Table):
            if node.name in reads:
                node.replace(tree.table(self.cte(reads[node.name].name), node.alias_or_name))
            elif node.name in SOURCES:
                node.replace(self._input(node.name))
        select.meta[tree.DEEPEST] = wanted.within
        select.meta[tree.PARTS] = self.layout.parts.get(aliases[single], 1) if single else 1
        return Built(
            name=self.cte(key.name),
            select=tree.write_out_series(select),
            reads=[one.name for one in reads.values()],
            comment=f"{key.stage}: {definition.summary}",
            kept=_is_kept(definition, is_plain=tree.is_plain(select) and not reads),
            shared=True,
        )

    def _bindings(self, key: Key, wanted: Wanted) -> dict[str, tree.Value]:
        known: dict[str, tree.Value] = {"deepest": wanted.depth}
        numbers = {name: value for name, value in key.settings if not isinstance(value, str)}
        ranked = [one for one in tree.tables_read(self.definition(key).select) if one in self.tables]
        for name, value in key.settings:
            chosen = catalog().shared(name).expressions.get(str(value))
            known[name] = bind(chosen, numbers, catalog().optional) if chosen is not None else numbers[name]
        layout = self.layout
        if any(layout.side(one).roles.rank for one in ranked):
            known["ties"] = exp.column("rank")  # a rank column stands
        elif "ties" in known and dict(key.settings)["ties"] == catalog().default("ties"):
            has_ranks = any(INPUT_RANK in layout.side(one).added for one in ranked)
            known["ties"] = exp.column(INPUT_RANK) if has_ranks else known["ties"]
        if isinstance(ties := known.get("ties"), exp.Expr):
            known["score_above"] = score_above(ties)
        return known

    def _without_systems(self, select: exp.Select) -> exp.Select:
        """Where the truth has every list column there is one system, and nothing to cross the lists with."""
        if not self.layout.systems:
            joins = [join for join in select.args.get("joins") or [] if join.this.name != "systems"]
            select.set("joins", joins)
        return select

    def _expand(
        self, select: exp.Select, aliases: Mapping[str, str], single: str | None, values: Settings
    ) -> exp.Select:
        """Put columns in the place of ids and roles: the inputs' own where an input is read, ours elsewhere."""

        def table_of(column: exp.Column) -> str:
            return aliases.get(column.table or single or "", "")

        def role(column: exp.Column) -> exp.Expr | None:
            played = table_of(column) in SOURCES and column.name not in tree.IDS
            return role_column(self.layout.side(table_of(column)), column) if played else None

        def read(column: exp.Column) -> dict[str, exp.Expr]:
            table, of = table_of(column), column.table or None
            is_fold = column.name == tree.FOLD
            if table not in SOURCES:
                found = self.folds(self.key(table, values)) if is_fold else self.columns(column.name)
                return {unnamed(name): tree.column(unnamed(name), of) for name in found}
            side = self.layout.side(table)
            found = self.columns(column.name) if table == "recs" else [*side.lists]
            if is_fold:
                found = [one for one in self.layout.folds if one in side.lists]
            own = {name: side.own(name) for name in found}
            return {unnamed(name): typed("id", tree.given(one, of), side.types, one) for name, one in own.items()}

        for node in select.expressions:  # `rank` becomes `"place" AS rank`: the name must outlive the column
            if isinstance(node, exp.Column) and node.name not in tree.IDS and table_of(node) in SOURCES:
                node.replace(exp.alias_(node.copy(), node.name))
        roles_read = tree.replace_columns(select, role)
        assert isinstance(roles_read, exp.Select)
        return tree.expand_ids(tree.drop_nulls(roles_read), read)

    def _input(self, name: str) -> exp.Expr:
        table = self.tables[name].copy()
        for one in tree.find(table, exp.Identifier):
            one.meta[tree.IS_GIVEN] = True
        if table.alias_or_name != name:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
        return table

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
                for table in tree.find(built.select, exp.Table):
                    resolved = self.resolve(table.name)
                    if resolved != table.name:
                        table.replace(tree.table(resolved, table.alias_or_name))
                yield built

        for name in names:
            yield from walk(name)


def _is_kept(definition: Definition, *, is_plain: bool) -> bool | None:
    """Whether the rows of a stage are kept for its readers: as its header says, else not where reading anew is less."""
    if "materialized" in definition.fields:
        return True
    return False if is_plain else None


def member_of(variant: str) -> str:
    """The column of `lists` that says whether a variant has a list."""
    return f"in {variant}"


@cache
def _level(stage: str) -> float:
    """How many stages lie below a stage: readers have more than what they read, a stage more than its variants."""
    stage, dot, _ = stage.partition(".")
    variants = catalog().variants(stage) if catalog().is_stage(stage) else {}
    below = {table for one in variants.values() for table in tree.tables_read(one.select)} - {stage, ""}
    return 1 + max((_level(table) for table in below if table not in SOURCES), default=0) - (0.5 if dot else 0)
