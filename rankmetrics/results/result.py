"""The Result of an evaluation: lazy tables, computed and checked ones, text, analyses, and how they print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.engines.base import Engine, Warehouse
from rankmetrics.errors import MetricError, choices_for, visible
from rankmetrics.inputs.assumptions import read_assumptions
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import RANKED
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate, aggregates_of
from rankmetrics.queries import Queries, no_order
from rankmetrics.request import count_columns
from rankmetrics.results.checked import Checked
from rankmetrics.results.notes import (
    TieRange,
    notes_of_intervals,
    notes_of_ties,
    over_fewer_lists,
    tie_ranges,
)
from rankmetrics.tables import FEWER_LISTS, Answer, TextTable, refuse_partitions, shown_value

if TYPE_CHECKING:
    import polars as pl

    from rankmetrics.comparisons.comparison import Baseline, Comparison
    from rankmetrics.dialects.model import Form
    from rankmetrics.export.statements import Where
    from rankmetrics.judges import Corrected
    from rankmetrics.plots.plots import Plots
    from rankmetrics.segments.segments import Segments
    from rankmetrics.traces.trace import Trace
    from rankmetrics.traces.worst_lists import WorstLists

# The value of a column of `by` in a total, as it is printed.
ALL = "(all)"


class Result(Answer):
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
        self._summaries = Queries(engine, metrics, layout.by_over(), aggregates)
        rows_alone = replace(layout, totals=(), over=None)  # analyses are of these rows and their lists
        is_plain = rows_alone == layout
        self._queries = self._summaries if is_plain else Queries(engine, metrics, rows_alone, aggregates)
        self._checked = Checked(self._summaries, layout.by_over(), duplicates, by_file)

    # --- lazy -------------------------------------------------------------------------------------------------------

    def summary(self) -> Any:
        """One row per system, lazily: the columns of `by`, `n_lists`, then the mean of each metric under its label.

        A mean is over the lists for which the metric is defined; `n_lists` counts all that were scored, and the
        account tells how many were left out of each mean. Other aggregates stand under the label and their name, as in
        `ndcg@10 median`; a number of a system (coverage, Gini) stands under its label.

        Returns:
            A LazyFrame or a relation, as the recommendations were. Nothing is checked that only the data tells.
        """
        return self._summaries.summary()

    def per_list(self) -> Any:
        """One row per list, lazily: the list columns, then a column per metric under its label; NULL is undefined.

        Returns:
            A LazyFrame, in the order of the list columns, or a relation, in no order, as the recommendations were.
            Nothing is checked that only the data tells.
        """
        return self._engine.in_order(self._queries.per_list(), self.layout.lists)

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
        return self._engine.in_order(self._queries.stage(name), ())

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
        existing: Sequence[str] = (),
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
            existing: the columns that the table of `ddl` has already, as in to_sql.
            assume: what holds of the tables, as in to_sql.
            guarded: whether the statement raises an error if `collect` would refuse the data, as in to_sql.
            counts: columns of counts in addition to `n_lists`, as in to_sql.
            quote_names: as in to_sql. In the engine's own dialect, columns always have the names that they have there.
            extras: the same as recs for history, baseline, items, similarity, catalog.

        Raises:
            InputError: form, name and where do not go together.
            ColumnError: where names no list column, one that the result has not, or a value that does not fit it.
            DialectError: the dialect is unknown, or cannot say what the query says; or ties="input" over a table.
        """
        from rankmetrics.export.statements import Statement  # most results are not written as text

        warehouse, is_macro = Warehouse.of(self._engine, dialect, quote_names=quote_names), form == "macro"
        tables = self._summaries.inputs_elsewhere(warehouse, {"recs": recs, "truth": truth, **extras})
        layout = self.layout if per_list else self.layout.by_over()
        layout = layout.renamed(warehouse.column)  # as they would be called if nobody had quoted them
        looks_at_rows = guarded or form == "check"
        tables_stay = not (warehouse.is_elsewhere or is_macro or recs or truth)
        declared = self._summaries.question.assumed if tables_stay and not looks_at_rows else frozenset()
        statement = Statement(
            warehouse.dialect,
            form,
            name,
            where,
            lookback,
            existing,
            assumed=read_assumptions("assume", assume) | declared,
            duplicates=self._checked.duplicates if looks_at_rows else "count",
            guarded=guarded,
            counts=count_columns("counts", counts),
            job=NamesOfJob(fold=warehouse.fold),
            rename=warehouse.column,
        )
        by_order = any(metric.values.get("ties") == "input" for metric in self.metrics)
        for key in RANKED if by_order else ():
            is_ordered = key not in tables or (tables[key] is self._engine.inputs[key].table and not is_macro)
            if not is_ordered and layout.side(key).roles.rank is None:
                raise no_order()
        return statement.text(self.metrics, layout, tables, self.aggregates, per_list=per_list)

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
            ...
            passes that change the query: shared_groups
        """
        return self._summaries.explain()

    # --- computed ---------------------------------------------------------------------------------------------------

    def collect(self, *, per_list: bool = False) -> pl.DataFrame:
        """The summary (or one row per list, in the order of the list columns), computed and checked, as a Polars frame.

        Systems are in the order of the printed leaderboard: the best of the first metric first.

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
            return self._engine.collect(self._queries.per_list(), self.layout.lists)
        frame = self._checked.frame()
        by = frame.select(self.layout.by).rows()
        totals = [place for place, row in enumerate(by) if self.layout.is_total(row)]
        return frame[self._summaries.best_first(frame[self._summaries.columns[0]].to_list(), totals)]

    def check(self) -> None:
        """Check the data as collect does: raise its errors, warn of doubtful inputs, and return nothing."""
        self._checked.check()

    def _write(self, path: Path, form: str, partition_by: Sequence[str], **rows: Any) -> None:
        is_per_list = rows.get("per_list", False)
        refuse_partitions(partition_by, self.layout.lists if is_per_list else self.layout.by)
        if is_per_list:
            self.check()
            self._engine.write(self._queries.per_list(), path, form, self.layout.lists)
        else:
            self._engine.write_frame(self.collect(), path, form)

    def __getitem__(self, column: str) -> pl.DataFrame:
        """One column of the summary: the columns of `by`, then this column, as a Polars frame.

        Raises:
            MetricError: the summary has no such column.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"system": ["a", "b"], "user": [1, 1], "item": [7, 8], "rank": [1, 1]})
            >>> truth = pl.LazyFrame({"user": [1], "item": [8]})
            >>> rm.evaluate(recs, truth, ["hit@1", "rr"])["hit@1"].rows()
            [('b', 1.0), ('a', 0.0)]
        """
        by, known = [*self.layout.by], self._summaries.columns
        if column not in known:
            raise MetricError(f"The result has no column {column!r}: its columns are {choices_for(column, known)}")
        return self.collect().select(*by, column)

    def _json(self, frame: pl.DataFrame, **rows: Any) -> str:
        """A document with the rows, account, versions and request."""
        from rankmetrics.results.document import document

        account = self._engine.collect(self.account())
        return document(frame, "per_list" if rows.get("per_list") else "summary", account, self._queries)

    # --- analyses -----------------------------------------------------------------------------------------------------

    def compare(
        self,
        baseline: Baseline | None = None,
        metrics: str | Sequence[str] | None = None,
        tests: str | Sequence[str] = ("t",),
        correction: str | None = "holm",
        *,
        by: str | Sequence[str] | None = None,
        confidence: float = 0.95,
        replicates: int = 1000,
        seed: int = 0,
        cluster: str | Sequence[str] | None = None,
        margin: float | str | None = None,
        paired: bool = True,
        shares: Mapping[str, float] | None = None,
        sequential: bool | int = False,
    ) -> Comparison:
        """Statistics of all systems against a baseline, or of all pairs of systems; docs/comparing.md.

        `tests` are t, wilcoxon, randomization, bootstrap, mcnemar and tukey, `correction` is holm, bonferroni,
        benjamini_hochberg or none. `by` names list columns whose values stay apart, `cluster` those whose lists belong
        together: by default the user, if a user has several lists. `margin`, as in "1%", is the difference that does
        not matter: tests of non-inferiority and equivalence (TOST). `paired=False` compares the arms of an experiment
        over their own lists, `shares` are their shares of users; `sequential=True` gives intervals that hold at every
        look. With `over=` of evaluate, lists are paired by list and seed, and both vary (two-way clusters).
        `rm.Comparison` says what is returned, `rm.compare_files` what each option means.

        Raises:
            InputError: no column names a system, an option is out of its range, or SciPy is not installed.
            MetricError: a metric was not measured, or has no value per list.
            ColumnError: `by` or `cluster` names no list column.
        """
        from rankmetrics.comparisons.comparison import Choices, compare_systems

        options = (baseline, metrics, tests, correction, by, confidence, replicates, seed, cluster, margin)
        choices = Choices(*options, paired, shares, sequential)
        return compare_systems(self._queries, self.check, choices, self.layout.over)

    def agreement(self, other: Result | pl.DataFrame | str | Path | None = None) -> pl.DataFrame:
        """The agreement of every two metrics, or of each metric here and in another run, on the order of the systems.

        docs/comparing.md explains the numbers. The same metric under two conventions is two metrics, as in
        `["ndcg@10", "ndcg(convention=recbole)@10"]`.

        Args:
            other: another run, whose systems and metrics have the same names: a Result, its summary as a Polars frame,
                or a file that `write` wrote. By default the metrics of this result are compared with each other.

        Returns:
            A frame with a row per ordered pair of metrics (with `other`, per metric): `metric`, `other_metric`,
            `n_systems` (those that have both values), `kendall_tau` (tau-b, from -1 to 1) and `tau_ap`, the AP
            correlation, from -1 to 1, in which errors near the top count most: the ranks are those of `metric`, and
            the order by `other_metric` (in the other run) counts as right. NULL is undefined: fewer than two systems,
            or all of them equal by one of the two. Metrics of which neither higher nor lower values are better are
            left out.

        Raises:
            InputError: the rows of the summary are not systems, or the other run has none of the systems.
            MetricError: the result has one metric, and there is no other run.
            ColumnError: the other run lacks a column of `by`.
            DataError, EngineError: as collect does.

        Source:
            Yilmaz, Aslam, Robertson (2008), A new rank correlation coefficient for information retrieval.
            doi:10.1145/1390334.1390435. Equal systems: Urbano, Marrero (2017), The treatment of ties in AP correlation;
            the mean of the two rows of a pair is their tau_AP,b.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> lists = {"x": ["a", "z"], "y": ["z", "a", "b"], "none": ["z"]}
            >>> rows = [(system, 1, item, rank) for system in lists for rank, item in enumerate(lists[system], 1)]
            >>> recs = pl.DataFrame(rows, ["system", "user", "item", "rank"], orient="row")
            >>> truth = pl.DataFrame({"user": [1, 1], "item": ["a", "b"]})
            >>> rm.evaluate(recs, truth, ["rr", "recall@3"]).agreement().row(0)  # x, y, none and y, x, none
            ('rr', 'recall@3', 3, 0.3333333333333333, 0.0)
        """
        from rankmetrics.comparisons.agreement import agreement

        return agreement(self._summaries, self.collect(), other.collect() if isinstance(other, Result) else other)

    def corrected(self, labels: object, baseline: Baseline | None = None, *, confidence: float = 0.95) -> Corrected:
        """The means by the labels of a judge, corrected by people's labels for some lists; docs/judges.md.

        The truth of the evaluation holds the labels of a judge, such as a language model, for all lists. The estimate
        of prediction-powered inference (PPI++) has the precision of many labels without the judge's errors. It holds
        if the lists that people labelled are a random sample.

        Args:
            labels: people's labels, with the columns of the truth, for some of its lists: a table of any kind that
                evaluate takes. A list with a row here counts as labelled, and items without a row as not relevant.
            baseline: a system; the estimates are then of the mean paired difference of each other system from it.
            confidence: the probability of the intervals.

        Raises:
            ColumnError: a column of the labels is missing, or of a type that does not match.
            InputError: there is no truth, the labels cannot be read, or no column names a system.
            MetricError: every metric is a number of a system.
        """
        from rankmetrics.judges import Corrected

        return Corrected(self._queries, labels, self.check, baseline, confidence)

    def segments(self, segments: object, *, paired: bool = True) -> Segments:
        """The metrics in each segment of lists or items, and systems whose order differs between segments.

        Args:
            segments: by name, a table with one column besides list columns or items, `(table, "column")`,
                `rm.buckets("n_history", 5)`, or a word: `activity`, `popularity`, `cold`. docs/segments.md has them.
            paired: False for the arms of an experiment, each over its own lists, as in `compare`.

        Raises:
            InputError, ColumnError, MetricError: a segmentation cannot be read, every metric is of systems, or the
                means of arms count missing lists as 0.
        """
        from rankmetrics.segments.segments import Segments

        return Segments(self._queries, segments, self.check, is_paired=paired)

    def trace(self, lists: Mapping[str, Any] | None = None, /, **more: Any) -> Trace:
        """One list in detail: a row for each rank, and each metric as a formula with the values of the list.

        Args:
            lists: values of list columns whose names are not valid in Python: `{"user id": 17}`.
            more: values of list columns: `user=17, algorithm="ItemKNN"`. Columns may be left out if one list is named.

        Raises:
            InputError: no scored list has these values, or several have.
            DataError: as collect does.
        """
        from rankmetrics.traces.trace import trace_list

        self.check()
        return trace_list(self._queries, {**(lists or {}), **more})

    def worst(
        self, metric: str | Metric, baseline: Baseline | None = None, n: int = 20, *, system: Baseline | None = None
    ) -> WorstLists:
        """The worst lists of each system: the lists with the worst values, or with the largest loss against a baseline.

        It prints as a table; `collect` returns the rows as a frame.

        Args:
            metric: a metric of the evaluation, or its label.
            baseline: the system to compare with: its name, or a mapping from the columns that name a system.
            n: how many lists of each system.
            system: the only system to show.

        Returns:
            The lists, worst first, with their relevant items, the items of their history and the rank of their first
            hit. Lists for which a value is undefined are left out.

        Raises:
            MetricError: the evaluation has no such metric of lists, or no value of it is better.
            InputError: there is no such system.
            DataError: as collect does.
        """
        from rankmetrics.traces.worst_lists import worst_lists

        self.check()
        return worst_lists(self._queries, metric, baseline, n, system)

    @property
    def plot(self) -> Plots:
        """The charts of the result: `curve`, `leaderboard`, `tradeoff`, `distribution` and `compare`; docs/plots.md."""
        from rankmetrics.plots.plots import Plots

        return Plots(self._queries, self.check, self.layout.over)

    # --- printing ---------------------------------------------------------------------------------------------------

    def _notes(self) -> Iterator[str]:
        """The account in sentences: how many lists were scored, how many were left out, and warnings."""
        checked = self._checked
        yield from checked.notes(checked.counts())
        for label, (_, error) in checked.deviations.items():
            yield f"{label} has a standard error of at most {error:.2g}"
        yield from notes_of_intervals(checked.rows, self.metrics, self.aggregates, self.layout)
        yield from notes_of_ties(self._tie_ranges, self._summaries.columns[0])

    def notes_beside(self, **rows: bool) -> list[str]:
        """The notes beside rows that were written; beside a row per list, those that follow from the inputs alone."""
        if not rows.get("per_list"):
            return self.notes()
        return [visible(note) for note in self._checked.notes(self._checked.counts_of_inputs())]

    def _repr_html_(self) -> str:
        are_shown = MEAN in self.aggregates and self.layout.over is None
        widths = [width for width in self.aggregates if are_shown and width.name == "ci" and not width.of_aggregate][:1]
        width_of = {
            metric.label: width.label(metric.label)
            for width in widths
            for metric in self.metrics
            if width in aggregates_of(metric, widths)
        }

        def note_of(row: Mapping[str, Any], name: str) -> str:
            width = row[width_of[name]] if name in width_of else None
            return "" if width is None else f"± {shown_value(width)}"

        columns = [name for name in self._checked.columns if name not in width_of.values()]
        return self._table(columns, note_of).as_html(self.notes())

    def _tables(self) -> list[TextTable]:
        return [self._table(self._checked.columns)]

    def _table(
        self, columns: Sequence[str], note_of: Callable[[Mapping[str, Any], str], str] = lambda row, name: ""
    ) -> TextTable:
        """Some columns of the leaderboard."""
        n_keys = len(self._checked.columns) - len(self._summaries.columns)
        best_of = self._summaries.best_of
        table = TextTable.of_rows(columns, self._leaderboard(), n_keys, best_of, note_of, self._totals())
        return replace(table, columns=[self._marked_heading(name) for name in table.columns])

    def _marked_heading(self, column: str) -> str:
        """A column of the summary as a heading, which marks means over fewer lists than those next to them."""
        return f"{column}{FEWER_LISTS}" if column in self._marked else column

    @cached_property
    def _marked(self) -> set[str]:
        """The columns of the metrics whose means leave out lists that other means have."""
        metrics = over_fewer_lists(self._checked.counts(), self.metrics)
        return {aggregate.label(metric.label) for metric in metrics for aggregate in self.aggregates}

    @cached_property
    def _tie_ranges(self) -> list[TieRange]:
        """The values of compared systems over all orders of equal scores; none where no scores are equal."""
        return tie_ranges(self._queries, self._leaderboard(), self._checked.counts()) if self._queries.compares else []

    def _totals(self) -> list[dict[str, Any]]:
        """The rows of totals as they are shown."""
        totals = [row for row in self._checked.rows if self.layout.is_total(row[name] for name in self.layout.by)]
        return [{**row, **{name: ALL for name in self.layout.by if row[name] is None}} for row in totals]

    def _leaderboard(self) -> Sequence[Mapping[str, Any]]:
        """The rows of the summary as they are shown: if they are systems, the best of the first metric first."""
        rows = [row for row in self._checked.rows if not self.layout.is_total(row[name] for name in self.layout.by)]
        return [rows[place] for place in self._summaries.best_first([row[self._summaries.columns[0]] for row in rows])]
