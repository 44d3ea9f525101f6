"""The stages of a query: which files of sql/stages it needs, down to which rank, and the SELECT of each.

Readers come before the stages that they read, so that everything that is read of a stage is known when the stage's
turn comes. Then the user's tables and columns replace the names that the files read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache

from sqlglot import exp, parse_one

from rankmetrics.errors import MetricError
from rankmetrics.inputs.assumptions import not_null_columns
from rankmetrics.inputs.roles import NEEDED
from rankmetrics.inputs.sources import INPUT_RANK, RANK_AS_FLOAT, SOURCES, SYSTEMS
from rankmetrics.metrics.catalog import LISTS, MISSING_LISTS, catalog
from rankmetrics.metrics.definition import Condition, Definition, definitions_in
from rankmetrics.metrics.metric import Setting, Settings, spell
from rankmetrics.planner.inputs import add_named_systems, input_column, input_table, typed
from rankmetrics.planner.question import Question, member_of
from rankmetrics.sqltree import aggregation, ids, tree
from rankmetrics.sqltree.names import unnamed
from rankmetrics.sqltree.parameters import bind, order_by_windows, score_above
from rankmetrics.sqltree.relations import TablesRead, conjuncts, joins, set_conditions
from rankmetrics.sqltree.steps import read_steps, selects_of

# The rank of a recommendation among those of its list, with ranks="again".
RANKED_AGAIN = parse_one("ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY rank NULLS LAST, item)", dialect="duckdb")

# The number of a part, where an input is sorted in parts: a stage has a SELECT for each of them.
PART = "part"

# The column that a stage is joined by where its rows hold for every list with as many relevant items.
N_RELEVANT = "n_relevant"


@dataclass(frozen=True)
class StageKey:
    """A stage under the settings that it reads: metrics that agree on both share the stage."""

    stage: str
    settings: tuple[tuple[str, Setting | None], ...] = ()

    @property
    def name(self) -> str:
        """The name of its step: `hits`, `hits_rel_4`."""
        settings = {name: value for name, value in self.settings if value != catalog().default(name)}
        label = spell(self.stage, settings, None)
        return re.sub(r"\W+", "_", label.replace("=-", "=minus ")).strip("_")

    @property
    def file(self) -> str:
        """The stage without the variant that `lists.zero` names."""
        return self.stage.partition(".")[0]

    @property
    def per_list(self) -> str:
        """The name of the step of the sums over the rows of each list."""
        return f"{self.name}_per_list"

    @property
    def per_system(self) -> str:
        """The name of the step of the sums over the rows of each system."""
        return f"{self.name}_per_system"


LISTS_KEY = StageKey(LISTS)


def key_of(stage: str, values: Settings) -> StageKey:
    """A stage under those of some settings that it reads, the rest by default."""
    names = sorted(catalog().stage_parameters(stage))
    return StageKey(stage, tuple((name, values[name] if name in values else catalog().default(name)) for name in names))


@dataclass(frozen=True)
class Cte:
    """A step of the query: a SELECT under a name."""

    name: str  # the name of the step
    select: exp.Query = field(repr=False)  # its SELECT. It is never edited: whoever changes it takes a copy
    comment: str = ""  # the comment above it in the SQL, behind its name
    reads: tuple[str, ...] = ()  # the names of the steps that it reads, if it is a stage
    # whether the engine is to keep the rows for all readers: True, False, or None where the engine decides
    kept: bool | None = None


def once(ctes: Iterable[Cte]) -> list[Cte]:
    """Each step once, where it comes first."""
    by_name: dict[str, Cte] = {}
    for cte in ctes:
        by_name.setdefault(cte.name, cte)
    return list(by_name.values())


@dataclass(frozen=True)
class Stage:
    """A stage in this query: the part that its readers need, and, once all of them are known, its step."""

    key: StageKey  # the stage, under its settings
    columns: frozenset[str] = frozenset()  # the columns that its readers need, without ids
    depth: int | None = 0  # the deepest rank of the recommendations that any reader needs; None for whole lists
    within: int | None = 0  # the rank at which every reader of the stage's own rows stops; None where a reader goes on
    variant: Definition | None = None  # the file that it is built from, where it is not the stage's own
    # the tables of the file's SELECT, with the parameters bound and the columns that are read
    tables: TablesRead = field(default_factory=lambda: TablesRead(exp.Select()), repr=False)
    reads: Mapping[str, StageKey] = field(default_factory=dict)  # the stages that it reads, by their names in the file
    readers: tuple[str, ...] = ()  # the names of the stages that read it
    folds: tuple[str, ...] = ()  # the columns that `fold_id` means in its rows
    step: Cte = Cte("", exp.Select())  # the step of the query that it is
    earlier: tuple[Cte, ...] = ()  # the steps before it, if its rows are computed rank by rank

    def __str__(self) -> str:
        """The stage in a line: its file, the columns that are read, how deep, and who reads it."""
        columns = f"{self.columns_in_words}; {self.depth_in_words}"
        readers = f"; read by {', '.join(self.readers)}" if self.readers else ""
        return f"{self.key.name} from {self.definition.origin}: {columns}{readers}"

    def __or__(self, other: Stage) -> Stage:
        """The stage with what the readers of both need."""
        depth, within = _deeper(self.depth, other.depth), _deeper(self.within, other.within)
        return replace(self, columns=self.columns | other.columns, depth=depth, within=within)

    @property
    def definition(self) -> Definition:
        """The file that it is built from."""
        return self.variant or own_file(self.key.stage)

    @property
    def columns_in_words(self) -> str:
        """The columns that are read, as a text."""
        return ", ".join(sorted(self.columns)) or "ids alone"

    @property
    def depth_in_words(self) -> str:
        """The depth to which the recommendations are read, as a text."""
        return "whole lists" if self.depth is None else f"ranks 1 to {self.depth}"

    @property
    def ids(self) -> list[str]:
        """The ids that its rows have, of a list, a truth list, a system and so on."""
        return [name for name in tree.outputs(self.definition.select) if name in tree.IDS]

    @property
    def fold_columns(self) -> list[str]:
        """The columns of the folds, as they are called inside the query, where its rows have `fold_id`."""
        return [unnamed(fold) for fold in self.folds] if tree.FOLD in self.ids else []

    @property
    def sample_columns(self) -> list[str]:
        """The columns that identify a row in a sample: ids, item and rank."""
        names = (*tree.IDS, "item", "rank", RANK_AS_FLOAT)
        return [name for name in tree.outputs(own_file(self.key.stage).select) if name in names]

    @property
    def has_row_per_id(self) -> bool:
        """True if the stage has one row for each list, or for each part of the id of a list: it groups by that id."""
        group = tree.groups(self.definition.select)
        names = [expression.name for expression in group.expressions] if group else []
        return len(names) == 1 and names[0] in tree.IDS and names != [tree.FOLD]


def _deeper(depth: int | None, other: int | None) -> int | None:
    return None if depth is None or other is None else max(depth, other)


def merge_stages(stages: Iterable[Stage]) -> dict[StageKey, Stage]:
    """Each stage once, with what all its readers need."""
    merged: dict[StageKey, Stage] = {}
    for stage in stages:
        merged[stage.key] = merged.get(stage.key, stage) | stage
    return merged


@dataclass(frozen=True)
class Stages:
    """The stages of a query."""

    question: Question  # what the query is to answer
    by_key: Mapping[StageKey, Stage]  # the stages, readers before the stages that they read

    def __str__(self) -> str:
        """A line for each stage, readers first."""
        return "\n".join(map(str, self.by_key.values()))

    def __getitem__(self, key: StageKey) -> Stage:
        return self.by_key[key]

    @cached_property
    def by_step(self) -> Mapping[str, Stage]:
        """The stages by the names of their steps."""
        return {stage.step.name: stage for stage in self.by_key.values()}

    def down_to(self, name: str) -> list[Cte]:
        """A step after everything that it reads."""
        steps: dict[str, Cte] = {}

        def walk(name: str) -> None:
            if name not in steps:
                for below in self.by_step[name].step.reads:
                    walk(below)
                stage = self.by_step[name]
                steps.update({step.name: replace(step, select=step.select.copy()) for step in stage.earlier})
                steps[name] = stage.step

        walk(name)
        return list(steps.values())

    def list_groups(self, key: StageKey) -> list[str]:
        """The columns by which the rows of a stage belong to lists: ids, or N_RELEVANT; none, if lists share them."""
        stage = self[key]
        if holds_for_sizes(stage.definition):
            return [N_RELEVANT]
        id_name = next((name for name in tree.IDS if name in stage.ids and name != tree.FOLD), "")
        return list(dict.fromkeys((*self.question.inside(id_name), *stage.fold_columns)))

    def system_groups(self, key: StageKey) -> list[str]:
        """The columns by which the rows of a stage belong to systems; none, where all systems share the rows."""
        stage, by = self[key], self.question.inside("by_id")
        return by if {"by_id", "list_id"} & {*stage.ids} else [name for name in by if name in stage.fold_columns]


# --- the file of a stage ----------------------------------------------------------------------------------------------


def own_file(stage: str) -> Definition:
    """The file of the stage itself, or of the variant that `lists.zero` names; else, without an input, the first."""
    stage, _, variant = stage.partition(".")
    files = catalog().variants(stage)
    return files.get(variant) or next(iter(files.values()))


def definition_of(stage: Stage, question: Question, required: Collection[str] = ()) -> Definition:
    """The file that a stage is built from: the variant whose `when:` holds, else the file of the stage itself."""
    name, _, variant = stage.key.stage.partition(".")
    holding = [
        file
        for file in (() if variant else catalog().variants(name).values())
        if file.when and all(_holds(each, file, stage, question, required) != each.is_negated for each in file.when)
    ]
    assert len(holding) <= 1, f"{' and '.join(variant.origin for variant in holding)} both hold"
    return holding[0] if holding else own_file(stage.key.stage)


def _holds(condition: Condition, file: Definition, stage: Stage, question: Question, required: Collection[str]) -> bool:
    """True if a condition holds without the `not` before it; `required` are the stages that are read anyway."""
    layout, (word, *words) = question.layout, (*condition.words, "")
    match condition.form:
        case "setting":
            settings = {"missing": question.missing[0]} if stage.key.stage == LISTS else dict(stage.key.settings)
            return str(settings.get(word)) in words
        case "query":
            return {metric.values[MISSING_LISTS] for metric in question.metrics} <= {*words}
        case "input":
            roles = tree.columns_read(file.select) & NEEDED if word in file.tables else ()
            return word in question.tables and all(getattr(layout.side(word).roles, role, None) for role in roles)
        case "required":
            return word in required
        case "unique":
            return {f"unique-{name}" for name in condition.words} <= question.assumed
        case "sorted":
            return layout.parts.get(word, 0) > 0
        case "columns":
            return stage.columns <= {*tree.outputs(file.select)}
        case "max_k":
            return stage.depth is not None and stage.depth <= int(word)
        case "diagnostics":
            return question.diagnostics is not None
        case "all lists":
            return question.diagnostics is not None and question.diagnostics.of_all_lists
        case "candidates":
            return layout.has_candidates
        case "engine":
            return question.runs_on == word
        case _:  # "sample"
            return layout.negatives is not None and layout.negatives.by == word


def holds_for_sizes(definition: Definition) -> bool:
    """True if the rows of a variant of a stage hold for every list with the same number of relevant items."""
    columns = tree.outputs(definition.select)
    return not {*columns} & {*tree.IDS} and "when" in definition.fields and N_RELEVANT in columns


def required_stages(roots: Iterable[StageKey]) -> set[str]:
    """The stages that are read whichever variants are chosen: those of the stages' own files."""
    waiting, required = [root.file for root in roots], set[str]()
    while waiting:
        stage = waiting.pop()
        if stage not in required:
            required.add(stage)
            own = catalog().variants(stage).get("")
            waiting += filter(catalog().is_stage, own.tables if own else ())
    return required


# --- from the stages that the query reads down to the inputs ----------------------------------------------------------


def find_stages(question: Question, roots: Iterable[Stage]) -> Stages:
    """Every stage that the query needs, each with its SELECT, from the parts of stages that the query itself reads."""
    needed = merge_stages(roots)
    required = required_stages(needed)
    readers: dict[StageKey, dict[str, None]] = {}
    stages: dict[StageKey, Stage] = {}
    while waiting := [key for key in needed if key not in stages]:
        key = max(waiting, key=lambda each: _height(each.stage))
        stage = replace(needed[key], variant=definition_of(needed[key], question, required))
        tables = _bound_select(question, stage)
        if key == LISTS_KEY and len(question.missing) > 1:
            reads = {f"{LISTS}.{choice}": StageKey(f"{LISTS}.{choice}") for choice in question.missing}
            below = [Stage(child, depth=None, within=None) for child in reads.values()]
        else:
            reads = {
                table: _key_below(question, table, dict(key.settings))
                for table in tables.by_alias.values()
                if catalog().is_stage(table)
            }
            below = _stages_below(stage, tables, reads)
        for child in below:
            needed[child.key] = needed.get(child.key, child) | child
            readers.setdefault(child.key, {})[key.name] = None
        stages[key] = replace(stage, tables=tables, reads=reads, readers=tuple(readers.get(key, ())))
    for key, stage in [*stages.items()][::-1]:  # the stages that it reads are whole by then
        stages[key] = _with_step(question, stages, replace(stage, folds=_folds(question, stages, stage)))
    return Stages(question, stages)


def _key_below(question: Question, stage: str, values: Settings) -> StageKey:
    """A stage that another reads, under its settings; of the lists, those of its own `missing`, or of all metrics."""
    if stage != LISTS:
        return key_of(stage, values)
    missing = values[MISSING_LISTS]
    is_of_metric = any(metric.values[MISSING_LISTS] == missing for metric in question.metrics)
    return StageKey(f"{LISTS}.{missing}") if is_of_metric and question.missing != (missing,) else LISTS_KEY


@cache
def _height(stage: str) -> int:
    """The number of stages below a stage, or below a variant such as `lists.zero`, each of which reads the next."""
    whole, _, variant = stage.partition(".")
    files = [file for name, file in catalog().variants(whole).items() if variant in ("", name)]
    read = {table for file in files for table in file.tables if catalog().is_stage(table)}
    return max((1 + _height(table) for table in read - {whole}), default=0) + (not variant)


def _bound_select(question: Question, stage: Stage) -> TablesRead:
    """The SELECT of a file with its parameters bound, and the columns that are read; not to be changed."""
    file, values = stage.definition, _parameter_values(question, stage)
    columns = frozenset(tree.outputs(file.select)) if "repeated" in file.fields else stage.columns
    typed_values = tuple((name, type(value), value) for name, value in values.items())  # 1, 1.0 and True are equal
    once = dict(stage.key.settings).get("duplicates") in ("once", "refused")  # a repeated item is a hit once
    may_repeat = once and "unique-recs" not in question.assumed
    return _bound(file, columns, typed_values, bool(question.layout.systems), may_repeat)


@lru_cache(maxsize=1000)  # most queries read the same stages in the same way
def _bound(
    file: Definition,
    columns: frozenset[str],
    values: tuple[tuple[str, type, tree.Value], ...],
    has_systems: bool,
    may_repeat: bool,
) -> TablesRead:
    by_name = {name: value for name, _, value in values}
    select = bind(tree.keep_outputs(file.select, columns), by_name, catalog().optional)
    assert isinstance(select, exp.Select)
    order_by_windows(select)
    # where the truth has every list column, there is one system, and nothing to cross
    idle = set[str]() if has_systems else {SYSTEMS}
    if not may_repeat:
        of_repeats = [join.this.name for join in joins(select) if join.side and _needs_repeats(join.this.name)]
        idle.update(of_repeats)
        tree.replace_columns(select, lambda column: exp.Null() if column.table in of_repeats else None)
    select.set("joins", [join for join in joins(select) if join.this.name not in idle])
    return TablesRead(tree.drop_nulls(select))


def _needs_repeats(table: str) -> bool:
    """True if a table is a stage that has no rows where no item is repeated."""
    return catalog().is_stage(table) and own_file(table).fields.get("needs") == "repeats"


def _parameter_values(question: Question, stage: Stage) -> dict[str, tree.Value]:
    layout = question.layout
    values: dict[str, tree.Value] = {"deepest": stage.depth}
    if layout.negatives:
        values |= {"n_sampled": layout.negatives.n, "seed": layout.negatives.seed}
    # a choice that another choice reads is the column that a stage below has computed, as weights read the propensity
    known = {name: exp.column(name) if isinstance(value, str) else value for name, value in stage.key.settings}
    # the stages above may read more of a setting that chooses between variants of this one
    own = {name: known[name] for name in known if name in stage.definition.placeholders or name == "ties"}
    for name, value in ((name, dict(stage.key.settings)[name]) for name in own):
        choice = catalog().shared(name).expressions.get(str(value))
        values[name] = bind(choice, known, catalog().optional) if choice is not None else known[name]
    ranked = [table for table in stage.definition.tables if table in question.tables]
    if any(layout.side(input_name).roles.rank for input_name in ranked):
        values["ties"] = RANKED_AGAIN if layout.ranks == "again" else exp.column("rank")  # a rank column decides
    elif "ties" in values and values["ties"] == catalog().shared("ties").expressions[str(catalog().default("ties"))]:
        has_ranks = any(INPUT_RANK in layout.side(input_name).added for input_name in ranked)
        values["ties"] = exp.column(INPUT_RANK) if has_ranks else values["ties"]
    if isinstance(ties := values.get("ties"), exp.Expr):
        values["score_above"] = score_above(ties)
    n_parts = max((layout.parts.get(input_name, 1) for input_name in ranked), default=1)
    values["n_parts"] = n_parts if n_parts > 1 else None
    values[PART] = exp.Placeholder(this=PART) if n_parts > 1 else None
    return values


def _stages_below(stage: Stage, tables: TablesRead, reads: Mapping[str, StageKey]) -> list[Stage]:
    """The stages, with the parts, that the SELECT of a stage reads: whole lists if its rows depend on lower ranks."""
    limit = aggregation.limit_of(tree.condition(tables.select))
    within = limit if tables.only else None  # of several tables, it is the rank of one
    depth = None if "depth" in stage.definition.fields else stage.depth if limit is None else limit
    columns: dict[StageKey, set[str]] = {child: set() for child in reads.values()}
    for table, name in tables.columns:
        if table in reads:
            columns[reads[table]].add(name)
    return [Stage(child, frozenset(names), depth=depth, within=within) for child, names in columns.items()]


def _folds(question: Question, stages: Mapping[StageKey, Stage], stage: Stage) -> tuple[str, ...]:
    """The fold columns that `fold_id` means in a stage: those of the tables and stages that it reads."""
    layout, select = question.layout, stage.definition.select
    if not layout.folds:
        return ()
    table_of = stage.definition.tables_read.table_of
    columns: set[str] = set()
    for column in select.expressions:
        if column.alias_or_name == tree.FOLD:
            table = table_of(column.unalias()) or tree.source(select).name
            if table in SOURCES:
                columns.update(layout.side(table).lists)
            elif table in stage.reads:
                columns.update(stages[stage.reads[table]].folds)
        elif column.alias_or_name in tree.IDS:
            columns.update(question.columns_of(column.alias_or_name))
    return tuple(fold for fold in layout.folds if fold in columns)


# --- steps over the user's tables and columns -------------------------------------------------------------------------


def _with_step(question: Question, stages: Mapping[StageKey, Stage], stage: Stage) -> Stage:
    """A stage with its step; the stages that it reads have theirs."""
    if stage.key == LISTS_KEY and len(question.missing) > 1:
        select: exp.Query = _union_of_lists(question, stage)
        summary = "one row per list of any choice of `missing`, with a flag for each choice"
        kept = None
    else:
        select, summary = _over_columns(question, stages, stage), stage.definition.summary
        # reading an input again costs less than keeping its rows
        is_cheap = not stage.reads and not joins(select) and tree.only_picks(select)
        materialized = stage.definition.fields.get("materialized", "")
        kept = False if is_cheap or materialized.startswith("never") else True if materialized else None
        if PART in tree.placeholders(select):
            parts = range(question.layout.parts[stage.tables.only])
            select = tree.union_all([exp.Subquery(this=bind(select, {PART: part})) for part in parts])
    if stage.key.stage == SYSTEMS and SYSTEMS in question.tables:
        select = add_named_systems(question, select)
    reads = tuple(question.cte(key.name) for key in stage.reads.values())
    step = Cte(question.cte(stage.key.name), select, summary, reads, kept)
    *earlier, last = _repeated(question, stage, step) if "repeated" in stage.definition.fields else [step]
    step = replace(last, name=step.name, comment=summary, reads=reads)
    return replace(stage, step=step, earlier=tuple(earlier))


def _repeated(question: Question, stage: Stage, first: Cte) -> list[Cte]:
    """The steps of a stage that is computed rank by rank: itself, then its file of sql/repeats once for each rank."""
    if stage.depth is None:
        raise MetricError(
            f"The stage {stage.key.stage} has a step for each rank: give the metric a cutoff, as in ndcg@10."
        )
    file = definitions_in("repeats", "repeat")[stage.definition.fields["repeated"]]
    steps, names = [replace(first, name=f"{first.name}_0")], dict[str, str]()
    for number in range(1, stage.depth + 1):
        names["previous"] = steps[-1].name
        for name, select in selects_of(file.select, {"number": number}):
            whole = ids.expand_ids(
                select, lambda id_: {unnamed(own): tree.column(unnamed(own)) for own in question.columns_of(id_.name)}
            )
            names[name] = "_".join(filter(None, [first.name, str(number), name]))
            steps.append(
                Cte(names[name], read_steps(whole, names), file.summary if not name else f"a step of {first.name}")
            )
    return steps


def _union_of_lists(question: Question, stage: Stage) -> exp.Select:
    """The lists of several choices of `missing`, with a column for each choice that says whether it has the list."""
    columns = [tree.column(column) for column in question.inside("list_id")]
    arms = []
    for mine, key in zip(question.missing, stage.reads.values(), strict=True):
        flags = [tree.named(tree.literal(int(choice == mine)), member_of(choice)) for choice in question.missing]
        arms.append(exp.select(*columns, *flags).from_(tree.table(question.cte(key.name))))
    every = tree.union_all(arms).subquery("every_list")
    flags = [tree.named(exp.Max(this=tree.column(member_of(choice))), member_of(choice)) for choice in question.missing]
    return exp.select(*columns, *flags).from_(every).group_by(*columns)


def _over_columns(question: Question, stages: Mapping[StageKey, Stage], stage: Stage) -> exp.Select:
    """The SELECT of a stage over columns of the inputs: the user's own where an input is read, ours elsewhere."""
    select, layout, table_of = stage.tables.select.copy(), question.layout, stage.tables.table_of

    def role(column: exp.Column) -> exp.Expr | None:
        table = table_of(column)
        is_role = table in SOURCES and column.name not in tree.IDS
        return input_column(table, layout.side(table), column) if is_role else None

    def columns_of_id(column: exp.Column) -> dict[str, exp.Expr]:
        table, alias, is_fold = table_of(column), column.table or None, column.name == tree.FOLD
        if table not in SOURCES:
            # without the systems, where there is one system and nothing to cross
            folds = stages[stage.reads[table]].folds if table in stage.reads else ()
            names = folds if is_fold else question.columns_of(column.name)
            return {unnamed(name): tree.column(unnamed(name), alias) for name in names}
        side = layout.side(table)
        names = question.columns_of(column.name) if table == "recs" else side.lists
        names = [fold for fold in layout.folds if fold in side.lists] if is_fold else names
        names = question.columns_of(column.name) if column.name == tree.IMPRESSION else names
        own = {unnamed(name): side.own(name) for name in names}
        return {name: typed("id", tree.given(physical, alias), side.types, physical) for name, physical in own.items()}

    for node in select.expressions:  # `rank` becomes `"place" AS rank`: the name must outlive the column
        if isinstance(node, exp.Column) and node.name not in tree.IDS and table_of(node) in SOURCES:
            node.replace(exp.alias_(node.copy(), node.name))
    over_roles = tree.replace_columns(select, role)
    assert isinstance(over_roles, exp.Select)
    select = ids.expand_ids(tree.drop_nulls(over_roles), columns_of_id)
    if not select.expressions:  # every group is in one row, and nobody reads more than that there is one
        select.select(tree.named(exp.Count(this=exp.Star(), big_int=True), "n_rows"), copy=False)
    for node in tree.find(select, exp.Table):
        if node.name in stage.reads:
            node.replace(tree.table(question.cte(stage.reads[node.name].name), node.alias_or_name))
        elif node.name in SOURCES:
            node.replace(input_table(question, node.name))
    not_null = not_null_columns(question.assumed, layout).get(stage.tables.only)
    if not_null:
        tests = conjuncts(tree.condition(select))
        set_conditions(select, [test for test in tests if not _is_not_null(test, not_null)])
    return tree.write_out_series(select)


def _is_not_null(test: exp.Expr, columns: Collection[str]) -> bool:
    """True if a test says that one of these columns is not NULL, as `x IS NOT NULL` or `NOT x IS NULL`."""
    inner, null = (test.this, exp.Null) if isinstance(test, exp.Not) else (test, exp.Not)
    return isinstance(inner, exp.Is) and isinstance(inner.expression, null) and inner.this.name in columns
