"""`Result.segments`: the metrics in each segment of lists or items, and systems whose order differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rankmetrics._gc import gc_paused
from rankmetrics.comparisons.plan import ComparisonPlan
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.errors import DataError, DialectError, RankMetricsWarning, warn_once
from rankmetrics.faults.columns import Inputs, not_null, quoted
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import write
from rankmetrics.queries import Queries
from rankmetrics.segments.query import Writer, comparison_plan
from rankmetrics.segments.reversals import SystemPair, pairs_of_lists, pairs_of_means, reversals_frame
from rankmetrics.segments.segmentation import Segmentation, find_segmentation, read_segments
from rankmetrics.sqltree import tree
from rankmetrics.tables import Printed, TextTable

if TYPE_CHECKING:
    import polars as pl
# The number of rows that show a fault of a table, and what the lists in no segment are called where they are printed.
SHOWN = 3
NONE = "(none)"


class Segments(Printed):
    """The metrics in each segment of lists or items; `Result.segments` returns it.

    `summary` is lazy, in the caller's own kind. `collect`, `reversals` and printing compute, and refuse data whose
    numbers would be meaningless.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.LazyFrame({"user": [1, 2, 3], "item": ["a", "a", "b"], "rank": [1, 1, 1]})
        >>> truth = pl.LazyFrame({"user": [1, 2, 3], "item": ["a", "b", "b"]})
        >>> users = pl.LazyFrame({"user": [1, 2, 3], "gender": ["f", "m", "m"]})
        >>> rm.evaluate(recs, truth, ["hit@1"]).segments({"gender": users}).collect().rows()
        [('gender', 'f', 1, 1.0), ('gender', 'm', 2, 0.5)]
    """

    def __init__(self, queries: Queries, given: object, check: Callable[[], None]) -> None:
        self._queries = queries
        self._engine = queries.engine
        self._check = check
        self._found = tuple(
            find_segmentation(name, segments, queries.engine, queries.layout)
            for name, segments in read_segments(given).items()
        )
        self._warned: set[str] = set()
        with gc_paused():
            query = Writer(queries.question, self._found).summary()
            self._columns = tree.outputs(query.select)  # type: ignore[arg-type]  # a query, and no statement
            self._text = write(query, queries.engine.dialect)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the segmentations."""
        return tuple(segmentation.name for segmentation in self._found)

    def summary(self) -> Any:
        """One row per segmentation, segment and system: `segmentation`, `segment`, `by`, `n_lists`, the metrics.

        Lists without a segment are counted in a row whose segment is NULL. The metrics are aggregated as in the summary
        of the result; numbers of a system, such as coverage, are left out.

        Returns:
            A LazyFrame or a relation, as the recommendations were. Nothing is checked that only the data tells.
        """
        return self._engine.run(self._text, self._columns)

    def collect(self) -> pl.DataFrame:
        """The summary, computed and checked, as a Polars frame.

        Warns:
            RankMetricsWarning: the order of two systems over all lists is reversed in most segments.

        Raises:
            DataError: as `Result.collect` does; or a table has two rows for a list, or none that belongs to a list.
            EngineError: the engine refused the query.
        """
        frame = self._checked()
        self._warn()
        return frame

    def _checked(self) -> pl.DataFrame:
        self.check()
        import polars as pl

        frame = self._engine.collect(self.summary())
        self._refuse_unmatched(frame)
        column, groups = self._queries.question.of_lists[0].label, frame.columns[:2]
        if column not in frame.columns:  # no mean is among the aggregates
            return frame
        in_groups = frame.group_by(groups, maintain_order=True)
        in_order = [group[self._queries.best_first(group[column].to_list())] for _, group in in_groups]
        return pl.concat(in_order) if in_order else frame

    def check(self) -> None:
        """Check the data as `Result.check` does, and raise an error if a table has several rows for a list."""
        self._check()
        for segmentation in self._found:
            if segmentation.table is not None and not segmentation.is_of_items:
                self._refuse_repeated(segmentation)

    def reversals(self) -> pl.DataFrame:
        """Systems that rank differently in the segments: one row per segmentation, metric and pair of systems.

        Only lists for which the metric is defined for both systems are compared. Segmentations by systems are left out.

        Returns:
            `segmentation`, `metric`, `system_a`, `system_b`; `difference`, the mean difference of a from b over all
            lists; `n_segments`; `n_reversed`, the segments in which the difference has the other sign; `n_lists` and
            `n_lists_reversed`, the lists in these segments; `is_simpson`, whether most segments are reversed; `f` and
            `p_interaction`, Welch's test of equal mean differences in all segments (doi:10.1093/biomet/38.3-4.330):
            NULL where a segment has fewer than two lists, or where the differences within a segment are all equal.
            The p-values are not adjusted for their number. Lists in no segment count only for `difference`.

        Raises:
            InputError: SciPy is not installed.
            DataError, EngineError: as `collect` does.
        """
        self.check()
        self._warn()
        return reversals_frame(self._compared(pairs_of_lists))

    def notes(self) -> list[str]:
        """Warnings in sentences: pairs of systems whose order is reversed in most segments."""
        return [warning.note(str) for warning in self._reversal_warnings]

    def to_sql(
        self,
        dialect: str | None = None,
        *,
        recs: str | None = None,
        truth: str | None = None,
        tables: Mapping[str, str] | None = None,
        quote_names: bool = False,
        **extras: str,
    ) -> str:
        """The query of the summary as text.

        Args:
            dialect: any that to_sql has; by default the engine's own.
            recs: what the table of recommendations is called there, as in Result.to_sql.
            truth: the same for the truth.
            tables: what the tables of the segmentations are called there, by the names of the segmentations.
            quote_names: as in Result.to_sql.
            extras: the same as recs for history and other inputs.

        Raises:
            DialectError: the dialect is unknown, or cannot say what the query says.
        """
        table_names, fold = {"recs": recs, "truth": truth, **extras}, not quote_names
        dialect = dialect or self._engine.dialect
        is_elsewhere = dialect != self._engine.dialect
        question, rename = self._queries.elsewhere(dialect, table_names, fold=fold)
        segmentations = []
        for segmentation in self._found:
            table, name, known = segmentation.table, segmentation.name, (tables or {}).get(segmentation.name)
            if table is not None and (is_elsewhere or known is not None or not table.input.travels):
                if known is None and table.input.is_query:
                    raise DialectError(
                        f"The segments {name!r} are a SELECT, which has no name in {dialect}: name the table of its "
                        f'rows there, tables={{{name!r}: "db.table"}}.'
                    )
                there = replace(table.input, table=table.input.elsewhere(known, dialect, fold=fold))
                table = replace(table, input=there).renamed(rename)
            segmentations.append(replace(segmentation, table=table))
        query = Writer(question, segmentations).summary()
        return write(query, dialect, NamesOfJob(fold=fold))

    # --- queries ------------------------------------------------------------------------------------------------------

    @cached_property
    def _comparison(self) -> ComparisonPlan:
        return comparison_plan(self._engine, self._queries.question, self._found)

    @cached_property
    def _reversal_warnings(self) -> list[RankMetricsWarning]:
        """A warning for each pair of systems whose order is reversed in most segments.

        It compares means, as a reader of the summary does: many systems have few means, and many pairs of lists.
        """
        return [
            RankMetricsWarning(pair.sentence(), page="segments/#systems-that-change-their-order")
            for pair in self._compared(pairs_of_means)
            if pair.is_simpson
        ]

    def _compared(self, pairs: Callable[[ComparisonPlan, Sequence[Metric]], list[SystemPair]]) -> list[SystemPair]:
        """Each two systems under each metric; none where there is one system."""
        return pairs(self._comparison, self._queries.question.of_lists) if self._queries.layout.systems else []

    # --- checks -------------------------------------------------------------------------------------------------------

    def _refuse_repeated(self, segmentation: Segmentation) -> None:
        assert segmentation.table is not None
        columns = segmentation.table.side.list_columns
        inputs = Inputs(self._queries.layout, {"segments": segmentation.table.input.table}, self._queries.rows)
        rows = inputs.rows(
            f"SELECT {quoted(*columns)}, COUNT(*) AS n_rows FROM segments WHERE {not_null(*columns)} "
            f"GROUP BY {quoted(*columns)} HAVING COUNT(*) > 1 ORDER BY {quoted(*columns)} LIMIT {SHOWN}"
        )
        if rows:
            keys = ", ".join(columns)
            sample = " and ".join(f"{key[0] if len(key) == 1 else key} ({n} rows)" for *key, n in map(tuple, rows))
            raise DataError(
                f"The table of the segments {segmentation.name!r} has several rows for the same {keys}, such as "
                f"{sample}: a list can be in one segment only. Keep one row for each."
            )

    def _refuse_unmatched(self, frame: pl.DataFrame) -> None:
        """Refuse segmentations that put no list into a segment."""
        import polars as pl

        heading, segment = frame.columns[:2]
        known = frame.filter(pl.col(segment).is_not_null())[heading].unique().to_list()
        for segmentation in self._found:
            if segmentation.name not in known and frame.height:
                what = "relevant item" if segmentation.is_of_items else "list"
                cause = "its values are all NULL, or no id of its rows is among theirs"
                if segmentation.table is None:
                    cause = "the number that it is computed from is undefined for all lists"
                raise DataError(f"The segments {segmentation.name!r} hold no {what}: {cause}.")

    def _warn(self) -> None:
        for warning in self._reversal_warnings:
            warn_once(warning, self._warned)

    # --- printing -----------------------------------------------------------------------------------------------------

    def compute(self) -> None:
        """Compute and check what is printed, once."""
        _ = self._rows

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        """The rows as they are printed."""
        segment = self._columns[1]
        return [{**row, segment: NONE if row[segment] is None else row[segment]} for row in self._checked().to_dicts()]

    def _tables(self) -> list[TextTable]:
        n_keys = 3 + len(self._queries.layout.by)
        rows_of = {name: [row for row in self._rows if row[self._columns[0]] == name] for name in self.names}
        return [self._marked(rows, n_keys) for rows in rows_of.values()]

    def _marked(self, rows: Sequence[Mapping[str, Any]], n_keys: int = 0) -> TextTable:
        """A table of rows, with the best values of each segment marked if systems are compared."""
        best_of = self._queries.best_of if self._queries.compares else {}
        # numbers of systems have no segments
        best_of = {name: of for name, of in best_of.items() if name in self._columns}
        groups = groupby(rows, lambda row: tuple(row[name] for name in self._columns[:2]))
        tables = [TextTable.of_rows(self._columns, [*group], n_keys, best_of) for _, group in groups]
        return replace(tables[0], rows=[row for table in tables for row in table.rows])

    def _repr_html_(self) -> str:
        return self._marked(self._rows).as_html(self.notes())
