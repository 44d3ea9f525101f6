"""The Result of an evaluation: lazy tables, a checked one, the account, the SQL, and how they print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics._files import new_file
from rankmetrics.engines.base import Engine
from rankmetrics.errors import Option
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.queries import Queries
from rankmetrics.results.analysis import ResultAnalysis
from rankmetrics.results.checked import Checked
from rankmetrics.results.notes import notes_of
from rankmetrics.results.tie_notes import Range, notes_of_ranges, ranges_of

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult

    from rankmetrics.dialects.model import Form
    from rankmetrics.planner.where import Where


class Result(ResultAnalysis):
    """The result of an evaluation, which computes nothing until you ask for numbers.

    `summary`, `per_list` and `account` are lazy and come in the caller's own kind: a LazyFrame where the
    recommendations are a Polars frame, a DuckDB relation otherwise. `collect`, `write` and printing compute. They raise
    an error if the data makes the numbers meaningless.
    """

    def __init__(
        self,
        engine: Engine,
        metrics: Sequence[Metric],
        layout: Layout,
        duplicates: str = "count",
        aggregates: Sequence[Aggregate] = (MEAN,),
        by_file: tuple[exp.Expr, str] | None = None,
        options: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._engine = engine
        self.metrics = tuple(metrics)
        self.aggregates = tuple(aggregates)
        self.layout = layout
        self.options = options  # of the request, as texts: those that differ from their default
        self._queries = Queries(engine, metrics, layout, aggregates)
        self._checked = Checked(self._queries, layout, duplicates, by_file)

    # --- lazy -------------------------------------------------------------------------------------------------------

    def summary(self) -> Any:
        """One row per system, lazily: the columns of `by`, `n_lists`, then the mean of each metric under its label.

        A mean is over the lists for which the metric is defined; `n_lists` counts all that were scored, and the
        account tells how many were left out of each mean. Other aggregates stand under the label and their name, as in
        `ndcg@10 median`; a number of a system (coverage, Gini) stands under its label.

        Returns:
            A LazyFrame or a relation, as the recommendations were. Nothing is checked that only the data tells.
        """
        return self._queries.summary()

    def per_list(self) -> Any:
        """One row per list, lazily: the list columns, then a column per metric under its label; NULL is undefined.

        Returns:
            A LazyFrame or a relation, as the recommendations were. Nothing is checked that only the data tells.
        """
        return self._queries.per_list()

    def account(self) -> Any:
        """Counts of the rows and lists that the means use or leave out, lazily: the columns of `by`, `account`, `n`.

        `account` names a count (`rankmetrics metrics --account` says what each is), `n` is the count. Counts that
        belong to no system, such as those of the truth, have NULL in the columns of `by`.

        Returns:
            A LazyFrame or a relation, as the recommendations were.
        """
        return self._queries.account()

    def stage(self, name: str) -> Any:
        """The rows of one stage of the query, lazily: to run a step by itself, and read it.

        Args:
            name: the name of the step in the query, such as "hits"; `explain` lists them all.

        Returns:
            A LazyFrame or a relation, as the recommendations were: the list columns, then those of the stage that
            the query reads.

        Raises:
            InputError: the query has no such stage.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]})
            >>> truth = pl.LazyFrame({"user": [1], "item": ["b"]})
            >>> rm.evaluate(recs, truth, ["recall@2"]).stage("hits").collect().rows()
            [(1, 2)]
        """
        return self._queries.stage(name)

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
        where: Where | None = None,
        lookback: int = 0,
        assume: str | Sequence[str] = (),
        guarded: bool = False,
        counts: Sequence[str] = (),
        quote_names: bool = False,
        **extras: str,
    ) -> str:
        """The query of the evaluation as text.

        Args:
            dialect: any that to_sql has; by default the engine's own.
            per_list: the query for one row per list instead of the summary.
            recs: what the table of recommendations is called there, as in `db.recs`. By default DuckDB's text keeps
                the files and tables that were given; elsewhere a table is called after its file.
            truth: the same for the truth.
            form: what is made of the query, as in to_sql: a view, a table, a cte, an incremental, a macro, a check.
            name: what is made, as in `db.leaderboard`.
            where: the partition of an `incremental`, as in {"day": "2024-01-01"}; to_sql names the other forms.
            lookback: how many days before the partition are written again, as in to_sql.
            assume: what holds of the tables, as in to_sql.
            guarded: whether the statement raises an error if `collect` would refuse the data, as in to_sql.
            counts: columns of counts beside `n_lists`, as in to_sql.
            quote_names: as in to_sql. In the engine's own dialect, columns always have the names that they have there.
            extras: the same as recs for history, baseline, items, similarity, catalog.

        Raises:
            InputError: form, name and where do not go together.
            ColumnError: where names no list column, one that the result has not, or a value that does not fit it.
            DialectError: the dialect is unknown, or cannot say what the query says; or ties="input" over a table.
        """
        from rankmetrics.results.text import Asked, text_of

        asked = Asked(dialect, form, name, where, lookback, assume, counts, guarded=guarded, quote_names=quote_names)
        tables = {"recs": recs, "truth": truth, **extras}
        return text_of(asked, self._queries, self.layout, self._checked.duplicates, tables, per_list=per_list)

    def explain(self) -> str:
        """The stages of the query, each with its file, its readers and the metrics that need it.

        It also says which variant of a stage is used and why, which columns and ranks are read from each stage, and
        which passes change the query. `rm.explain("ndcg@10")` shows the definition of a metric.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]})
            >>> truth = pl.LazyFrame({"user": [1], "item": ["b"]})
            >>> print(rm.evaluate(recs, truth, ["recall@2"]).explain())  # doctest: +ELLIPSIS
            judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out.
              file: judgments.sql
              read by: relevant_counts, relevant, truth_lists
              needed for: recall@2
              columns: item, rating
              depth: whole lists
              written: within the steps that read it
            ...
            passes that change the query: shared_groups, merge_steps, join_once, drop_implied
        """
        return self._queries.explain()

    # --- computed ---------------------------------------------------------------------------------------------------

    def collect(self, *, per_list: bool = False) -> pl.DataFrame:
        """The summary (or one row per list), computed and checked, as a Polars frame.

        The summary has `n_missing` after `n_lists`: the lists without recommendations. `n_undefined` follows where the
        mean of a metric leaves out lists for which it is undefined: how many, of several metrics the greatest count.

        Warns:
            RankMetricsWarning: the counts make it doubtful that the inputs are what was meant; docs/warnings.md.

        Raises:
            DataError: no list or no item in common, ranks that do not start at 1 or repeat within a list, an infinite
                rating, or repeats where duplicates="error".
            EngineError: the engine refused the query.
        """
        if per_list:
            self.check()
            return self._engine.collect(self.per_list())
        return self._checked.frame()

    def check(self) -> None:
        """Check the data as collect does: raise its errors, warn of doubtful inputs, and return nothing."""
        self._checked.check()

    def write(self, path: str | Path, *, per_list: bool = False) -> None:
        """Compute the summary (or one row per list), check it, and write it into a file.

        The ending of the path sets the format: .parquet, .csv, .csv.gz, .tsv, .json or .ndjson. If writing fails, no
        incomplete file is left behind.

        Raises:
            InputError: the name does not say what to write, or nothing can be written there.
            DataError: as collect does.
        """
        from rankmetrics.engines.sinks import form_to_write

        form = form_to_write(path)
        frame = None
        if per_list:
            self.check()
        else:
            frame = self.collect()
        with new_file(path) as temporary:
            if frame is None:
                self._engine.write(self.per_list(), temporary, form)
            else:
                self._engine.write_frame(frame, temporary, form)

    # --- printing ---------------------------------------------------------------------------------------------------

    def notes(self, spell: Callable[[Option], str] = str) -> list[str]:
        """The account in sentences: how many lists were scored, how many were left out, and warnings.

        Args:
            spell: writes the options that a sentence names; by default as in Python.
        """
        counts = self._checked.counts()
        notes = [*notes_of(counts, self.metrics, self.layout, self._queries.question.depth, spell)]
        return [*notes, *notes_of_ranges(self._ranges_of_ties, self._queries.columns[0], spell)]

    @cached_property
    def _ranges_of_ties(self) -> list[Range]:
        """The values of compared systems over all orders of equal scores; none where no scores are equal."""
        compares = self.layout.by and not set(self.layout.by) & set(self.layout.truth_lists)
        is_tied = compares and self._checked.counts().totals["lists_tied"] > 0
        return ranges_of(self._queries, self._leaderboard()) if is_tied else []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.rendered(console, options)

    def rendered(self, console: Console, options: ConsoleOptions, spell: Callable[[Option], str] = str) -> RenderResult:
        """What Rich prints: the leaderboard, then the notes."""
        from rankmetrics.tables.display import leaderboard, note_text

        rows = self._leaderboard()
        shown = [name for name in self._checked.computed.columns if name not in self._queries.columns]
        yield from leaderboard(console, options, shown, self._queries.columns, rows, self._best_of)
        for note in self.notes(spell):
            yield note_text(note)

    def __repr__(self) -> str:
        from rankmetrics.tables.display import as_text

        return as_text(self)
