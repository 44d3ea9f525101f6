"""The Result of an evaluation: lazy tables, a checked one, the account, the SQL, and how they print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlglot import exp

from rankmetrics import dialect as dialects
from rankmetrics import tree
from rankmetrics._files import whole_file
from rankmetrics.aggregates import MEAN, Aggregate
from rankmetrics.catalog import N_LISTS, catalog
from rankmetrics.columns import Layout
from rankmetrics.conventions import find
from rankmetrics.engines.base import CALLED, Engine, Input
from rankmetrics.engines.paths import FORMATS, format_of
from rankmetrics.errors import DataError, DialectError, EngineError, InputError
from rankmetrics.inputs import INPUT_RANK, MADE, RANKED
from rankmetrics.metric import Metric
from rankmetrics.plan import UNDEFINED, Plan
from rankmetrics.planning import Planned, planned

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult

    from rankmetrics.account import Reckoning
    from rankmetrics.misreadings import Inputs
    from rankmetrics.wrapping import Form, Value

Kind = TypeVar("Kind", bound=Plan)
Found = TypeVar("Found")


class Result:
    """What evaluate returns: nothing is computed until something is asked of it.

    `summary`, `per_list` and `account` are lazy and come in the caller's own kind: a LazyFrame where the
    recommendations are a Polars frame, a DuckDB relation otherwise. `collect`, `write` and printing compute, and refuse
    data whose numbers would be meaningless.
    """

    def __init__(
        self,
        engine: Engine,
        metrics: Sequence[Metric],
        layout: Layout,
        duplicates: str = "count",
        aggregates: Sequence[Aggregate] = (MEAN,),
        by_file: tuple[exp.Expr, str] | None = None,
    ) -> None:
        self._engine = engine
        self._by_file = by_file
        self._tables = {name: one.table for name, one in engine.inputs.items()}
        self._duplicates = duplicates
        self.metrics = tuple(metrics)
        self.aggregates = tuple(aggregates)
        self.layout = layout
        by_score = [one for one in RANKED if one in engine.inputs and layout.side(one).roles.rank is None]
        self._inside = replace(layout, parts={one: engine.parts(one, layout.side(one)) for one in by_score})
        for one in by_score:
            if rank := engine.rank(one, layout.side(one)):
                self._inside = self._inside.adding(one, INPUT_RANK, rank)
        self._asked = self._planned(Plan)
        self._plan = self._asked.plan
        self._checked = False

    def _planned(self, kind: type[Kind], *, counts: bool = False) -> Planned[Kind]:
        """The plan of a query over the inputs."""
        taken = self._engine.taken
        return planned(kind, self.metrics, self._inside, self._tables, self.aggregates, taken=taken, counts=counts)

    # --- lazy -------------------------------------------------------------------------------------------------------

    def summary(self) -> Any:
        """One row per system, lazily: the columns of `by`, `n_lists`, then the mean of each metric under its label.

        A mean is over the lists for which the metric is defined; `n_lists` counts all that were scored, and the
        account tells how many were left out of each mean. Other aggregates stand under the label and their name, as in
        `ndcg@10 median`; a number of a system (coverage, Gini) stands under its label.

        Returns:
            A LazyFrame or a relation, as the recommendations were. Nothing is checked that only the data tells.
        """
        return self._lazy(self._asked, Plan.summary)

    def per_list(self) -> Any:
        """One row per list, lazily: the list columns, then a column per metric under its label; NULL is undefined.

        Returns:
            A LazyFrame or a relation, as the recommendations were. Nothing is checked that only the data tells.
        """
        return self._lazy(self._asked, Plan.per_list)

    def account(self) -> Any:
        """What went into the means and what was left out, lazily: the columns of `by`, `account`, `n`.

        `account` names a count (`rankmetrics metrics --account` says what each is), `n` is the count. Counts that
        belong to no system, such as those of the truth, have NULL in the columns of `by`.

        Returns:
            A LazyFrame or a relation, as the recommendations were.
        """
        from rankmetrics.account import Account  # here, and below: a summary does without, and is sooner there

        return self._lazy(self._planned(Account, counts=True), Account.account)

    def _lazy(self, asked: Planned[Kind], query: Callable[[Kind], exp.Select]) -> Any:
        """A query of a plan, in the caller's own kind."""
        return self._engine.run(*asked.text(query, self._engine.dialect))

    # --- text -------------------------------------------------------------------------------------------------------

    def to_sql(
        self,
        dialect: str | None = None,
        *,
        per_list: bool = False,
        recs: str | None = None,
        truth: str | None = None,
        form: Form = "query",
        name: str | None = None,
        where: Mapping[str, Value] | None = None,
        **extras: str,
    ) -> str:
        """The one query as text.

        Args:
            dialect: any that to_sql has; by default the engine's own.
            per_list: the query for one row per list instead of the summary.
            recs: what the table of recommendations is called there, as in `db.recs`. By default DuckDB's text keeps
                the files and tables that were given; elsewhere a table is called after its file.
            truth: the same for the truth.
            form: what is made of the query, as in to_sql: a view, a table, a cte, an incremental, a macro.
            name: what is made, as in `db.leaderboard`.
            where: the partition of an `incremental`, as in {"partition": "2024-01-01"}.
            extras: the same as recs for history, baseline, items, similarity, catalog.

        Raises:
            InputError: form, name and where do not go together.
            ColumnError: where names no list column, one that the result has not, or a value that does not fit it.
            DialectError: the dialect is unknown, or cannot say what the query says; or ties="input" over a table.
        """
        from rankmetrics.wrapping import Wrapping

        written = dialect or self._engine.dialect
        wrapping = Wrapping(written, form, name, where or {})
        tables = {}
        called = {"recs": recs, "truth": truth, **extras}
        by_order = any(one.values.get("ties") == "input" for one in self.metrics)
        for key, known in self._engine.inputs.items():
            given = called.get(key)
            keeps = given is None and written == self._engine.dialect and known.travels
            ordered = keeps and form != "macro"
            if not ordered and by_order and key in RANKED and self.layout.side(key).roles.rank is None:
                raise DialectError(
                    'ties="input" goes by the order of the rows, and those of a table have none: rank them into a '
                    'rank column, or break ties with ties="item".'
                )
            tables[key] = known.table if keeps else _called(known, given, written)
        return wrapping.text(self.metrics, self.layout, tables, self.aggregates, per_list=per_list)

    def explain(self) -> str:
        """The definition of every metric that was asked for."""
        from rankmetrics.explanation import explain

        return "\n\n".join(explain(metric) for metric in self.metrics)

    # --- computed ---------------------------------------------------------------------------------------------------

    def collect(self, *, per_list: bool = False) -> pl.DataFrame:
        """The summary (or one row per list), computed and checked, as a Polars frame.

        Raises:
            DataError: no list or no item in common, ranks that do not start at 1 or repeat within a list, an infinite
                rating, or repeats where duplicates="error".
            EngineError: the engine refused the query.
        """
        if per_list or self._checked or not self._engine.at_once:
            self.check()
            return self._engine.collect(self.per_list() if per_list else self.summary())
        import polars as pl

        plan, frame = self._reckoned(self._engine.collect)
        *columns, name, n = frame.columns
        of_summary = pl.col(name) == ""
        counted = frame.filter(~of_summary).group_by(name).agg(pl.col(n).sum()).rows()
        summary, shown = frame.filter(of_summary), len(self._headings)
        of_metrics = zip(plan.counts, summary.select(columns[shown:]).sum().row(0), strict=True)
        self._refuse(self._all_counts([*counted, *of_metrics]))
        return summary.select(columns[:shown])

    def check(self) -> None:
        """Refuse what collect refuses, without returning anything."""
        if not self._checked:
            computed = "_computed" in vars(self) or self._duplicates == "error"
            self._refuse(self._computed[1] if computed else self._accounted)

    def _refuse(self, counts: Mapping[str, int]) -> None:
        """Refuse data whose numbers would be meaningless, by the account."""
        from rankmetrics.checks import refuse, refuse_repeats
        from rankmetrics.misreadings import refuse_misread_files

        refuse_misread_files(counts, self._looked_at)
        refuse(counts, self.layout, self._tables, self._rows, self._duplicates)
        refuse_repeats(self.metrics, self.layout, self._tables, self._rows)
        self._refuse_unequal()
        self._checked = True

    @cached_property
    def _looked_at(self) -> Inputs:
        """The inputs, once their columns have been looked at."""
        from rankmetrics.misreadings import Inputs, refuse_misread_columns

        inputs = Inputs(self.layout, self._tables, self._by_file, self._rows)
        refuse_misread_columns(inputs)
        return inputs

    def _refuse_unequal(self) -> None:
        """Refuse lists of unequal length where a metric compares only equal ones, as CAPRI's personalization does."""
        for metric in (one for one in self._plan.of_runs if one.values.get("lengths") == "equal"):
            plan = Plan([metric, metric(lengths="any")], self.layout, self._tables, taken=self._engine.taken)
            if any(strict is None and loose is not None for *_, strict, loose in self._rows(plan.summary())):
                raise DataError(
                    f"{metric.label} compares lists of equal length, and these differ: set lengths=any to compare them "
                    "all the same, or leave out the shorter ones."
                )

    def write(self, path: str | Path, *, per_list: bool = False) -> None:
        """Compute and check the summary (or one row per list) into a file.

        Its ending says what it holds: .parquet, .csv, .csv.gz, .tsv, .json or .ndjson. It is there whole or not at all.

        Raises:
            InputError: the name does not say what to write, or nothing can be written there.
            DataError: as collect does.
        """
        form = format_of(str(path))
        if form is None:
            raise InputError(f"Cannot tell what to write into {str(path)!r}: end it in one of {', '.join(FORMATS)}.")
        if per_list or not self._engine.at_once:
            self.check()
            lazy = self.per_list() if per_list else self.summary()
        else:
            lazy = self._engine.lazily(self.collect())
        try:
            with whole_file(Path(path)) as temporary:
                self._engine.write(lazy, temporary, form)
        except OSError as error:
            raise InputError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error

    def _reckoned(self, compute: Callable[[Any], Found]) -> tuple[Reckoning, Found]:
        """The summary and the account, computed as one query, and its plan.

        Where the engine fails and the account tells that the data is wrong, that is what is said.
        """
        from rankmetrics.account import Reckoning

        _ = self._looked_at
        asked = self._planned(Reckoning, counts=True)
        try:
            return asked.plan, compute(self._lazy(asked, Reckoning.reckoning))
        except EngineError as error:
            if not isinstance(error.__cause__, self._engine.stopped):
                with suppress(EngineError):
                    self._refuse(self._accounted)
            raise

    @cached_property
    def _computed(self) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """The rows of the summary, and all counts."""
        if self._engine.at_once:
            plan, found = self._reckoned(self._engine.rows)
            rows, counted = [row for row in found if not row[-2]], [row[-2:] for row in found if row[-2]]
            of_metrics = plan.counts
        else:
            _ = self._looked_at
            summary = self._planned(Plan, counts=True)
            rows, counted = self._engine.rows(self._lazy(summary, Plan.summary)), [*self._accounted.items()]
            of_metrics = summary.plan.counts
        columns = self._headings
        counted += [(name, sum(row[len(columns) + place] for row in rows)) for place, name in enumerate(of_metrics)]
        return [dict(zip(columns, row)) for row in rows], self._all_counts(counted)  # noqa: B905  # counts stay behind

    @cached_property
    def _accounted(self) -> dict[str, int]:
        """The account's counts, but for those that are made of metrics."""
        from rankmetrics.account import Account
        from rankmetrics.checks import refuse_ranks

        try:
            _ = self._looked_at
            rows = self._engine.rows(self._lazy(self._planned(Account), Account.account))
        except EngineError:
            with suppress(EngineError):
                refuse_ranks(self.layout, self._tables, self._rows, every_type=True)
            raise
        return self._all_counts([row[-2:] for row in rows])

    def _all_counts(self, counted: Iterable[tuple[str, int | None]]) -> dict[str, int]:
        """Counts by their names, summed over all systems; 0 where there was nothing to count."""
        totals = dict.fromkeys((one.name for one in catalog().all("account")), 0)
        for name, count in counted:
            totals[name] = totals.get(name, 0) + (count or 0)
        return totals

    def _rows(self, select: exp.Select) -> list[tuple[Any, ...]]:
        return self._engine.rows(self._engine.run(dialects.text(select, self._engine.dialect), tree.outputs(select)))

    # --- printing ---------------------------------------------------------------------------------------------------

    @property
    def _headings(self) -> list[str]:
        return [*self.layout.by, N_LISTS, *self._plan.columns]

    @property
    def _best_of(self) -> dict[str, Callable[[Iterable[float]], float]]:
        """For each column of the summary that has a best value, which it is; a file of sql/ says what is better."""
        of: dict[str, Callable[[Iterable[float]], float]] = {"higher": max, "lower": min}
        better = {one.label: one.definition.fields.get("better", "higher") for one in self.metrics}
        return {label: of[one] for label, one in better.items() if one in of and label in self._plan.columns}

    def _leaderboard(self) -> list[dict[str, Any]]:
        """The summary in the order that is shown: where it compares systems, the best of the first metric first."""
        rows, _ = self._computed
        self.check()
        if self.layout.by and not set(self.layout.by) & set(self.layout.truth_lists):
            first = self._plan.columns[0]
            sign = 1 if self._best_of.get(first) is min else -1
            return sorted(rows, key=lambda row: (row[first] is None, sign * (row[first] or 0)))
        return rows

    def notes(self) -> list[str]:
        """The account in sentences: how many lists were scored, and what is worth knowing about the rest."""
        counted = sorted(catalog().all("account"), key=lambda one: one.fields.get("shown") != "always")
        _, totals = self._computed
        shown = [
            one
            for one in counted
            if one.fields.get("shown") == "always" or ("shown" in one.fields and totals[one.name])
        ]
        undefined = {one.label: totals[f"{UNDEFINED}{one.label}"] for one in self._plan.of_lists}
        unnamed = {one.convention for one in self.metrics if one.convention and "convention" not in one.settings}
        return [
            *(f"measured as {find(one).what.partition(' (')[0]} does: {one}" for one in sorted(unnamed)),
            *_matching(self.layout),
            *(_counted(one.summary, totals[one.name]) for one in shown),
            *_several_per_truth_list(self.layout, totals),
            *(_counted(f"lists for which {one} is undefined; not in its mean", n) for one, n in undefined.items() if n),
        ]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        from rankmetrics.printing import leaderboard

        shown = [*self.layout.by, N_LISTS]
        yield from leaderboard(console, options, shown, self._plan.columns, self._leaderboard(), self._best_of)
        for note in self.notes():
            yield Text(note, style="dim")

    def __repr__(self) -> str:
        from rankmetrics.printing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from rankmetrics.printing import html_table

        return html_table(self._headings, self._leaderboard(), self.notes())


def _matching(layout: Layout) -> Iterator[str]:
    """In sentences: list columns that an input calls otherwise, and columns that are not used."""
    for name in layout.names():
        side = layout.side(name)
        renamed = [f"{side.own(one)} = {one}" for one in side.lists if side.own(one) != one]
        if renamed:
            yield f"list columns of the {CALLED[name]} under another name: {', '.join(renamed)}"
        if side.unused and name not in MADE:
            yield f"columns of the {CALLED[name]} that are not used: {', '.join(side.unused)}"


def _several_per_truth_list(layout: Layout, totals: Mapping[str, int]) -> Iterator[str]:
    """In a sentence: how many lists are averaged for each list of the truth, where `by` does not tell them apart."""
    pooled = [name for name in layout.systems if name not in layout.by]
    lists, of_truth = totals["lists_recommended"], totals["truth_lists_asked"]
    if pooled and lists > of_truth:
        yield (
            f"{lists / of_truth:.3g} lists are averaged for each list of the truth: they differ in "
            f"{', '.join(pooled)}, which the truth has not and by= does not name"
        )


def _called(known: Input, given: str | None, dialect: str) -> exp.Expr:
    """An input as a table of another database: under the name that is given, else under its own."""
    if known.is_query and given is None:
        raise DialectError(
            f"An input is a SELECT, which has no name in {dialect}: name the table that holds its rows there, "
            'recs="db.recs" or truth="db.truth".'
        )
    is_named = isinstance(known.table, exp.Table) and isinstance(known.table.this, exp.Identifier)
    if given is None and known.travels and is_named and not known.table.args.get("catalog"):
        table = known.table.copy()  # with its schema
        tree.quote(table)
    else:
        table = dialects.table(given or known.name, dialect)
    if known.condition is None:
        return table
    return exp.Subquery(this=exp.select("*").from_(table).where(known.condition.copy()))


def _counted(what: str, count: int) -> str:
    """A count behind what was counted, before what follows from it: `lists of the truth: 4; left out`."""
    counted, semicolon, rest = what.partition(";")
    return f"{counted}: {count:,}{semicolon}{rest}"
