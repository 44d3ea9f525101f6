"""`rm.audit`: what train, test and recommendations have that makes numbers misleading; the files of sql/audit.

test (user, item), train (user, item)  →  test_in_train: an error, 2 rows, such as user = 1, item = 'a'
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.api import measure, options_of
from rankmetrics.conventions import NO_ORDER, measure_conventions
from rankmetrics.dialects import base as dialects
from rankmetrics.engines.base import Warehouse
from rankmetrics.errors import (
    ColumnError,
    DataError,
    InputError,
    Option,
    RankMetricsWarning,
    choices_for,
    counted,
    plain,
)
from rankmetrics.faults.inputs import pairs_in_words
from rankmetrics.inputs.columns import Side
from rankmetrics.inputs.roles import TIME
from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.messages import said
from rankmetrics.metrics.definition import Definition, definitions_in
from rankmetrics.planner import Question, typed
from rankmetrics.queries import Queries, rows_with_item
from rankmetrics.results.result import Result
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import call
from rankmetrics.sqltree.steps import Steps, numbered
from rankmetrics.tables import PrintedFrame, TextTable, Verdict

if TYPE_CHECKING:
    import polars as pl

# The kinds of findings, the most important first, each with its folder of sql/audit.
KINDS = {"error": "errors", "warning": "warnings", "note": "notes"}

# How many rows of a finding are shown.
SHOWN = 3

# The inputs of an evaluation, as the files call them.
INPUTS = {"train": "history", "test": "truth", "recs": "recs"}

# What a file may need, in words.
NEEDS = {"time": "a time in train and test", "systems": "several systems", "score": "scores without ranks"}


@dataclass(frozen=True)
class Finding:
    """A finding of an audit."""

    kind: str  # error, warning or note
    finding: str  # the name of its file
    n: int | None  # the number of rows; None for an error or a warning of `evaluate`
    meaning: str
    examples: str = ""  # the first rows, in words


class Audit(Verdict):
    """The findings of `rm.audit`; it is true if none of them is an error: `assert rm.audit(...)`.

    Attributes:
        findings: the findings, errors first.
        absent: the names of what was looked for and not found.
        unchecked: the names of what could not be looked for, each with what it needs.
    """

    def __init__(
        self,
        findings: Sequence[Finding],
        absent: Sequence[str],
        unchecked: Mapping[str, str],
        queries: Queries,
        time: str | None,
    ) -> None:
        self.findings = tuple(sorted(findings, key=lambda finding: [*KINDS].index(finding.kind)))
        self.absent, self.unchecked = tuple(absent), dict(unchecked)
        self._queries, self._time = queries, time

    @property
    def passed(self) -> bool:
        """True if no finding is an error."""
        return all(finding.kind != "error" for finding in self.findings)

    def collect(self) -> pl.DataFrame:
        """The findings as a frame.

        Returns:
            A frame with `kind` (error, warning or note), `finding` (a name), `n` (its number of rows; NULL for the
            errors and warnings of evaluate), `meaning` and `examples` (the first rows, in words).
        """
        import polars as pl

        rows = [(each.kind, each.finding, each.n, each.meaning, each.examples) for each in self.findings]
        return pl.DataFrame(rows, [*Finding.__annotations__], orient="row", schema_overrides={"n": pl.Int64})

    def to_sql(
        self,
        dialect: str | None = None,
        *,
        finding: str | None = None,
        train: str | None = None,
        test: str | None = None,
        recs: str | None = None,
        quote_names: bool = False,
        **extras: str,
    ) -> str:
        """The query of the findings as text: `kind`, `finding` and `n`, the number of rows of each.

        Errors and warnings of `evaluate`, and of its conventions, are not in it.

        Args:
            dialect: any that to_sql has; by default the engine's own.
            finding: the name of a finding, for the query of its rows.
            train: what the table of the train set is called there.
            test: the same for the test set.
            recs: the same for the recommendations.
            quote_names: as in Result.to_sql.
            extras: the same for other inputs, such as `systems`.

        Raises:
            InputError: there is no such finding, or the inputs have not what it needs.
            DialectError: the dialect is unknown, or cannot say what the query says.
        """
        warehouse = Warehouse.of(self._queries.engine, dialect, quote_names=quote_names)
        question = self._queries.elsewhere(warehouse, {"history": train, "truth": test, "recs": recs, **extras})
        rows = Rows(question, self._time and warehouse.column(self._time))
        known = {name: (kind, file) for name, kind, file in audit_files() if name not in self.unchecked}
        if finding is not None and finding not in known:
            raise said(InputError, "no_finding", finding=finding, choices=choices_for(finding, known))
        return warehouse.text(rows.counts(known) if finding is None else rows.rows_of(known[finding][1]))

    def _notes(self) -> list[str]:
        notes = [f"not found: {', '.join(self.absent)}"] if self.absent else []
        for need in dict.fromkeys(self.unchecked.values()):
            files = [name for name, each in self.unchecked.items() if each == need]
            notes.append(f"not looked for without {NEEDS[need]}: {', '.join(files)}")
        return notes

    @property
    def verdict(self) -> str:
        """One sentence: whether the audit passed, and how many errors there are."""
        n = sum(finding.kind == "error" for finding in self.findings)
        return f"The audit {'passed' if self.passed else 'failed'}: {counted(n, 'error', 'errors')}."

    def _tables(self) -> list[TextTable]:
        return PrintedFrame(self.collect())._tables()


def audit(
    train: object, test: object, recs: object, metrics: Any = (), *, time: str | None = None, **options: Any
) -> Audit:
    """Look for what makes the numbers of an evaluation misleading, before you believe them.

    The findings are rows of the test set that the train set has, or that are earlier than its last row; users and items
    of one side only; systems that have other lists, far fewer, or other candidate items than others; scores that order
    nothing; errors and warnings of `evaluate`; and conventions of libraries that order the systems differently.
    docs/audit.md lists them.

    Args:
        train: the interactions that the models were fitted on: some of the list columns, item and, if there is one, a
            time. Any input that evaluate takes as a history.
        test: the truth of the evaluation, with a time, too.
        recs: the recommendations.
        metrics: those that you are about to compare systems by, to look for conventions that order the systems
            differently; by default none.
        time: the column of the time in train and test, if it has an unusual name.
        options: as in evaluate: `lists`, `columns`, `missing`, `connection` and so on. A system of `systems` is
            compared with the others even if it has no recommendations.

    Returns:
        An Audit: it prints the findings, each with its number of rows and some of them.

    Raises:
        ColumnError: train and test share no list column, or have times of different types; or as evaluate does.
        InputError, MetricError, EngineError: as evaluate does.

    Example:
        >>> import polars as pl
        >>> train = pl.DataFrame({"user": [1, 2], "item": ["a", "b"], "day": [1, 4]})
        >>> test = pl.DataFrame({"user": [1, 2], "item": ["a", "c"], "day": [3, 5]})
        >>> recs = pl.DataFrame({"user": [1, 1, 2], "item": ["a", "b", "c"], "rank": [1, 2, 1]})
        >>> audited = audit(train, test, recs)
        >>> audited.passed, audited.collect().filter(kind="error").select("finding", "n", "examples").rows()
        (False, [('test_in_train', 1, "user = 1, item = 'a'")])
    """
    return audit_of(options_of(recs, test, metrics, history=train, **options), time)


def audit_of(options: Mapping[str, Any], time: str | None) -> Audit:
    """The audit of the inputs and options of a Request, whose history is the train set."""
    metrics = options["metrics"]
    result = measure({**options, "metrics": metrics or "hit"})
    rows = Rows(result._queries.question, time)
    findings: list[Finding] = []
    absent, unchecked = [], {}
    for name, kind, file in audit_files():
        if (need := file.fields.get("needs")) and not rows.offered[need]:
            unchecked[name] = need
        elif examples := result._engine.rows(result._engine.run(*rows.examples(file, result._engine.dialect))):
            texts = [pairs_in_words(rows.columns_of(file), row) for *row, _ in examples]
            findings.append(Finding(kind, name, examples[0][-1], file.summary, "; ".join(texts)))
        else:
            absent.append(name)
    doubts = [*_doubts(result)]
    is_refused = any(doubt.kind == "error" for doubt in doubts)
    for metric in result.metrics if metrics and result.layout.systems and not is_refused else ():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RankMetricsWarning)  # on definitions that nobody asked for
            table = measure_conventions(metric, None, options)
            pairs = table.reversals().rows()
        if pairs:
            meaning = f"pairs of systems that {metric.label} orders differently under the convention of a library"
            texts = [f"{better} before {worse}, not under {convention}" for convention, better, worse in pairs[:SHOWN]]
            findings.append(Finding("warning", "conventions_reverse", len(pairs), meaning, "; ".join(texts)))
        if without_order := [name for name, reason in table.left_out.items() if reason == NO_ORDER]:
            meaning = f"conventions of {metric.label} that were not compared: each {NO_ORDER}"
            findings.append(
                Finding("note", "conventions_without_order", len(without_order), meaning, ", ".join(without_order))
            )
    return Audit([*findings, *doubts], absent, unchecked, result._queries, time)


def audit_files() -> Iterator[tuple[str, str, Definition]]:
    """Each file of sql/audit: its name, the kind of its finding, the file."""
    for kind, folder in KINDS.items():
        yield from ((name, kind, file) for name, file in definitions_in(f"audit/{folder}", "audit").items())


def _doubts(result: Result) -> Iterator[Finding]:
    """The error and the warnings that `check` gives."""
    checked = result._checked
    try:
        for doubt in checked.doubts(checked.counts_of_inputs()):
            yield Finding("warning", "doubted_by_evaluate", None, doubt.text)
    except DataError as error:
        yield Finding("error", "refused_by_evaluate", None, error.text)


class Rows:
    """The rows of train, test and recommendations, over which the files of sql/audit are queries.

    Attributes:
        offered: for each need of a file, True if the inputs have it.
    """

    def __init__(self, question: Question, time: str | None) -> None:
        layout, self._question = question.layout, question
        self._sides = {name: layout.side(of) for name, of in INPUTS.items()}
        shared = [column for column in layout.truth_lists if column in self._sides["train"].lists]
        if not shared:
            raise said(ColumnError, "nothing_shared_with_train", columns=[*layout.truth_lists])
        self._new = dict(zip(layout.lists, numbered("list", len(layout.lists)), strict=True))
        columns = {"list": layout.lists, "system": layout.systems, "test": layout.truth_lists, "train": shared}
        columns["fold"] = [column for column in layout.folds if column in shared]
        self._ids = {f"{name}_id": [self._new[column] for column in of] for name, of in columns.items()}
        times = {name: _time_column(name, self._sides[name], time) for name in ("train", "test")}
        kinds = [self._sides[name].types[column] for name, column in times.items() if column]
        if len({kind.family for kind in kinds}) > 1:
            raise said(ColumnError, "times_of_two_types", train=kinds[0], test=kinds[1])
        score = None if layout.recs.rank else layout.recs.score
        self._more = {**{name: ("time", column) for name, column in times.items()}, "recs": ("score", score)}
        self.offered = {"time": len(kinds) == 2, "systems": bool(layout.systems), "score": score is not None}

    def columns_of(self, file: Definition) -> list[str]:
        """The names of the columns of a finding."""
        own = {new: column for column, new in self._new.items()}
        outputs = [name for each in tree.outputs(file.select) for name in self._ids.get(each, [each])]
        return [own.get(name, name) for name in outputs]

    def rows_of(self, file: Definition) -> exp.Select:
        """The query of the rows of a finding."""
        steps = self._steps([file])
        return steps.query(file.select, {}, self.columns_of(file), file.summary)

    def examples(self, file: Definition, dialect: str) -> tuple[str, list[str]]:
        """The query of the first rows of a finding as text, each with the number of all of them, and its columns."""
        steps = self._steps([file])
        steps.add_file("found", file, {})
        columns = [tree.column(name, "found") for name in steps.outputs["found"]]
        number = exp.Window(this=exp.Count(this=exp.Star(), big_int=True))
        last = exp.select(*columns, tree.named(number, "n")).from_(tree.table("found")).limit(SHOWN)
        last.order_by(*(column.copy() for column in columns), copy=False)
        headings = self.columns_of(file)
        headings = [*headings, free_name("n", headings)]
        return dialects.text(steps.query(last, {}, headings), dialect, pretty=False, copy=False), headings

    def counts(self, files: Mapping[str, tuple[str, Definition]]) -> exp.Select:
        """The query of the number of rows of each finding, by its name, with its kind and its file."""
        steps = self._steps([file for _, file in files.values()])
        counts = []
        for name, (kind, file) in files.items():
            steps.add_file(name, file, {})
            texts = [tree.named(exp.Literal.string(text), key) for key, text in (("kind", kind), ("finding", name))]
            number = tree.named(exp.Count(this=exp.Star(), big_int=True), "n")
            counts.append(exp.select(*texts, number).from_(tree.table(steps.names[name])))
        steps.add("counts", tree.union_all(counts), "the number of rows of each finding")
        headings = ["kind", "finding", "n"]
        return steps.query(exp.select(*headings).from_(tree.table("counts")), {}, headings)

    def _steps(self, files: Sequence[Definition]) -> Steps:
        """The steps that some files read."""
        steps = Steps(self._question.taken, self._question.tables.values(), self._ids)
        read = {table for file in files for table in file.tables}
        for name in INPUTS:
            if name in read or (name == "recs" and SYSTEMS in read):
                steps.add(name, self._input(name), f"the rows of {name} with an item, in numbered list columns")
        if SYSTEMS in read:
            steps.add(SYSTEMS, self._systems(steps.names["recs"]), "those with recommendations, and those named")
        return steps

    def _systems(self, recs: str) -> exp.Query:
        """The systems that have recommendations, and those that the caller names."""
        ids, tables = self._ids["system_id"], self._question.tables
        systems: exp.Query = exp.select(*map(tree.column, ids)).distinct().from_(tree.table(recs))
        if SYSTEMS not in tables:
            return systems
        layout = self._question.layout
        values = [typed("id", tree.given(own), layout.recs_types, own) for own in layout.systems]
        named = exp.select(*(tree.named(value, new) for value, new in zip(values, ids, strict=True)))
        named = named.from_(call(tables[SYSTEMS].copy(), "named"))
        return exp.union(systems, named.where(*(value.copy().is_(exp.Null()).not_() for value in values)), copy=False)

    def _input(self, name: str) -> exp.Select:
        """The rows of an input that have an item and a value in each list column."""
        side, (role, column) = self._sides[name], self._more[name]
        lists = {self._new[each]: side.own(each) for each in side.lists}
        more = {role: typed(role, tree.given(column), side.types, column)} if column else {}
        return rows_with_item(self._question.tables[INPUTS[name]], name, side, lists, more)


def _time_column(name: str, side: Side, named: str | None) -> str | None:
    """The column of the time of an input: the named one, or that with a usual name; None if there is none."""
    used = {*side.list_columns, *side.roles.roles.values()}
    columns = [named] if named else [column for column in side.types if plain(column) in TIME and column not in used]
    if named is not None and named not in side.types:
        raise said(ColumnError, "no_time", name=name, time=named, schema=[*side.types])
    if len(columns) > 1:
        raise said(ColumnError, "which_time", name=name, columns=columns, naming=Option("time", columns[0]))
    return columns[0] if columns else None
