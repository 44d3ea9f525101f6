"""Finds what the query needs of each stage: its columns, how deep, and which file the stage is built from.

Readers come before the stages that they read, so that everything that is read of a stage is known when the stage's
turn comes. Nothing is changed afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from sqlglot import exp

from rankmetrics.inputs.sources import INPUT_RANK, SOURCES
from rankmetrics.metrics.catalog import LISTS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.planner.formulas import N_RELEVANT, Formulas, holds_for_sizes
from rankmetrics.planner.model import Question, Reading, StageKey, key_of
from rankmetrics.planner.refusals import refuse_missing_inputs
from rankmetrics.planner.variants import definition_of
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.names import unnamed
from rankmetrics.sqltree.parameters import bind, score_above

LISTS_KEY = StageKey(LISTS)

Readings = Mapping[StageKey, Reading]


@dataclass(frozen=True)
class Requirement:
    """What the query needs of a stage.

    Attributes:
        key: the stage, under its settings.
        reading: what is read of it.
        definition: the file that it is built from.
        select: the file's SELECT with parameters in place, and the columns that are read; never edited.
        reads: the stages that it reads, by their names in the file.
        readers: the stages that read it.
    """

    key: StageKey
    reading: Reading
    definition: Definition
    select: exp.Select = field(repr=False)
    reads: Mapping[str, StageKey]
    readers: tuple[str, ...]

    def __str__(self) -> str:
        """The stage in a line: its file, the columns that are read, how deep, and who reads it."""
        read = f"{self.reading.columns_in_words}; {self.reading.depth_in_words}"
        readers = f"; read by {', '.join(self.readers)}" if self.readers else ""
        return f"{self.key.name} from {self.definition.origin}: {read}{readers}"


@dataclass(frozen=True)
class Requirements:
    """What the query needs of every stage, readers before the stages that they read."""

    question: Question
    stages: Mapping[StageKey, Requirement]

    def __str__(self) -> str:
        """A line for each stage, readers first."""
        return "\n".join(map(str, self.stages.values()))

    def __getitem__(self, key: StageKey) -> Requirement:
        return self.stages[key]

    def folds(self, key: StageKey) -> list[str]:
        """The columns that `fold_id` stands for in a stage: the folds that its inputs tell apart."""
        layout = self.question.layout
        if not layout.folds:
            return []
        select = self[key].definition.select
        tables = {one.alias_or_name: one.name for one in tree.find(select, exp.Table)}
        found: set[str] = set()
        for column in select.expressions:
            if column.alias_or_name == tree.FOLD:
                table = tables[column.unalias().table or next(iter(tables))]
                found.update(layout.side(table).lists if table in SOURCES else self.folds(self[key].reads[table]))
            elif column.alias_or_name in tree.IDS:
                found.update(self.question.columns_of(column.alias_or_name))
        return [one for one in layout.folds if one in found]

    def list_groups(self, key: StageKey) -> list[str]:
        """The columns by which the rows of a stage belong to lists, as they are called inside the query.

        Those of a list, or of what it is part of, or the number of relevant items of a list; none, where the rows
        belong to all lists alike.
        """
        if holds_for_sizes(self[key].definition):
            return [N_RELEVANT]
        offered = tree.outputs(self[key].definition.select)
        id_name = next((one for one in tree.IDS if one in offered and one != tree.FOLD), "")
        columns = self.question.columns_of(id_name)
        folds = self.folds(key) if tree.FOLD in offered else []
        return [unnamed(one) for one in (*columns, *(column for column in folds if column not in columns))]

    def system_groups(self, key: StageKey) -> list[str]:
        """The columns by which the rows of a stage belong to systems; none, where all systems share the rows."""
        offered = tree.outputs(self[key].definition.select)
        if {"by_id", "list_id"} & {*offered}:
            return self.question.inside("by_id")
        folds = self.folds(key) if tree.FOLD in offered else []
        return [unnamed(column) for column in self.question.columns_of("by_id") if column in folds]

    def is_per_list(self, key: StageKey) -> bool:
        """Whether the rows of a stage belong to lists of recommendations."""
        return "list_id" in tree.outputs(self[key].definition.select)

    def is_grouped(self, key: StageKey) -> bool:
        """Whether a stage has one row for each list, or for each part of the id of a list: it groups by that id."""
        group = tree.groups(self[key].definition.select)
        return group is not None and [expression.name for expression in group.expressions] in [
            [id_name] for id_name in tree.IDS if id_name != tree.FOLD
        ]


def require(question: Question, formulas: Formulas, counted: Readings, more: Readings | None = None) -> Requirements:
    """What the query needs of every stage.

    Args:
        question: what the query is to answer.
        formulas: the metrics.
        counted: what the diagnostics read.
        more: what passes read beside.

    Raises:
        ColumnError: a column that a metric needs is missing.
        InputError: an input that a metric needs is missing.
    """
    wanted = [(LISTS_KEY, Reading(depth=None, within=None))]
    if question.measures:
        sums = [*formulas.sums.values(), *formulas.run_sums.values()]
        of_sizes = [(key, Reading(frozenset({N_RELEVANT}), within=None)) for key in formulas.sizes]
        wanted = [*((aggregate.key, aggregate.reading) for aggregate in sums), *wanted, *of_sizes]
    roots: dict[StageKey, Reading] = {}
    for key, reading in [*wanted, *(more or {}).items(), *counted.items()]:
        roots[key] = roots.get(key, Reading()) | reading
    return _Search(question, formulas, roots).requirements()


class _Search:
    """Goes from the stages that the query reads down to the inputs."""

    def __init__(self, question: Question, formulas: Formulas, roots: Readings) -> None:
        self.question = question
        self.formulas = formulas
        self._readings = dict(roots)
        self._readers: dict[StageKey, dict[str, None]] = {}
        self._required = frozenset(_reachable(roots))

    def requirements(self) -> Requirements:
        """Every stage, readers first."""
        found: dict[StageKey, Requirement] = {}
        if self.question.measures:
            refuse_missing_inputs(self.question, self.formulas, self._definition)
        while waiting := [key for key in self._readings if key not in found]:
            key = max(waiting, key=lambda one: _level(one.stage))
            found[key] = self._requirement(key)
        return Requirements(self.question, found)

    def _definition(self, key: StageKey) -> Definition:
        return definition_of(key, self.question, self._readings.get(key, Reading()), self._required)

    def _requirement(self, key: StageKey) -> Requirement:
        reading, definition = self._readings[key], self._definition(key)
        select = bind(
            tree.keep_outputs(definition.select, reading.columns),
            self._bindings(key, definition, reading),
            catalog().optional,
        )
        assert isinstance(select, exp.Select)
        if not self.question.layout.systems:  # the truth has every list column: there is one system, nothing to cross
            select.set("joins", [join for join in select.args.get("joins") or [] if join.this.name != "systems"])
        if key == LISTS_KEY and len(self.question.missing) > 1:
            reads = {f"{LISTS}.{choice}": StageKey(f"{LISTS}.{choice}") for choice in self.question.missing}
            below = {one: Reading(depth=None, within=None) for one in reads.values()}
        else:
            values = dict(key.settings)
            tables = tree.find(select, exp.Table)
            reads = {table.name: key_of(table.name, values) for table in tables if catalog().is_stage(table.name)}
            below = _readings_below(select, reads, reading, is_whole="depth" in definition.fields)
        for child, of in below.items():
            self._readings[child] = self._readings.get(child, Reading()) | of
            self._readers.setdefault(child, {})[key.name] = None
        return Requirement(key, reading, definition, select, reads, tuple(self._readers.get(key, ())))

    def _bindings(self, key: StageKey, definition: Definition, reading: Reading) -> dict[str, tree.Value]:
        known: dict[str, tree.Value] = {"deepest": reading.depth}
        if negatives := self.question.layout.negatives:
            known |= {"n_sampled": negatives.n, "seed": negatives.seed}
        numbers = {name: value for name, value in key.settings if not isinstance(value, str)}
        for name, value in key.settings:
            chosen = catalog().shared(name).expressions.get(str(value))
            known[name] = bind(chosen, numbers, catalog().optional) if chosen is not None else numbers[name]
        layout = self.question.layout
        ranked = [one for one in tree.tables_read(definition.select) if one in self.question.tables]
        if any(layout.side(input_name).roles.rank for input_name in ranked):
            known["ties"] = exp.column("rank")  # a rank column stands
        elif "ties" in known and known["ties"] == catalog().shared("ties").expressions[str(catalog().default("ties"))]:
            has_ranks = any(INPUT_RANK in layout.side(input_name).added for input_name in ranked)
            known["ties"] = exp.column(INPUT_RANK) if has_ranks else known["ties"]
        if isinstance(ties := known.get("ties"), exp.Expr):
            known["score_above"] = score_above(ties)
        return known


def _readings_below(
    select: exp.Select, reads: Mapping[str, StageKey], reading: Reading, *, is_whole: bool
) -> dict[StageKey, Reading]:
    """What a SELECT reads of the stages below it; of whole lists, if its rows depend on lower ranks than their own."""
    aliases = {one.alias_or_name: one.name for one in tree.find(select, exp.Table)}
    limit = aggregation.limit_of(tree.condition(select))
    within = limit if len(aliases) == 1 else None  # of several tables, it is the rank of one
    depth = None if is_whole else reading.depth if limit is None else limit
    found = {child: Reading(depth=depth, within=within) for child in reads.values()}
    single = next(iter(aliases)) if len(aliases) == 1 else ""
    for column in tree.find(select, exp.Column):
        table = aliases.get(column.table or single, "")
        if table in reads and column.name not in tree.IDS:
            found[reads[table]] |= Reading(frozenset({column.name}))
    return found


def _reachable(roots: Iterable[StageKey]) -> set[str]:
    """The stages that are read whichever variants are chosen: those of the stages' own files."""
    waiting, found = [root.file for root in roots], set[str]()
    while waiting:
        stage = waiting.pop()
        if stage not in found:
            found.add(stage)
            own = catalog().variants(stage).get("")
            waiting += [name for name in tree.tables_read(own.select) if catalog().is_stage(name)] if own else []
    return found


@cache
def _level(stage: str) -> float:
    """How many stages lie below a stage: readers have more than what they read, a stage more than its variants."""
    stage, dot, _ = stage.partition(".")
    variants = catalog().variants(stage) if catalog().is_stage(stage) else {}
    below = {table for variant in variants.values() for table in tree.tables_read(variant.select)} - {stage, ""}
    return 1 + max((_level(table) for table in below if table not in SOURCES), default=0) - (0.5 if dot else 0)
