"""`Result.segments`: the metrics in each segment of lists or items, and systems whose order differs."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby
from typing import Any

import polars as pl
from sqlglot import exp

from rankmetrics import planner
from rankmetrics.arms import own_lists_only
from rankmetrics.comparisons.comparison import N_RECOMMENDED, Comparison
from rankmetrics.comparisons.plan import ComparisonPlan, PerList
from rankmetrics.comparisons.statistics import Pair, corrected, is_significant
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.engines.base import Warehouse
from rankmetrics.errors import DataError, DialectError, RankMetricsWarning, importing, warn_once
from rankmetrics.faults.chance import LEVEL
from rankmetrics.faults.inputs import Inputs, not_null, quoted
from rankmetrics.inputs.columns import ColumnType, Side, name_of_system
from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.messages import said
from rankmetrics.metrics.definition import definitions_in
from rankmetrics.metrics.summaries import ALPHA, MEAN, Aggregate, error_of, has_interval
from rankmetrics.options import probability
from rankmetrics.queries import Queries, tree_of
from rankmetrics.request import ComparisonOptions
from rankmetrics.segments.gaps import SCHEMA, SegmentMean, gap
from rankmetrics.segments.segmentation import Segmentation, SegmentTable, find_segmentation, read_segments
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name, headed, unnamed
from rankmetrics.sqltree.relations import call, left_join
from rankmetrics.sqltree.steps import read_steps, selects_of
from rankmetrics.tables import Answer, TextTable

# The number of rows that show a fault of a table, and what the lists in no segment are called where they are printed.
SHOWN = 3
NONE = "(none)"


class Segments(Answer):
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

    def __init__(
        self, queries: Queries, requested: object, check: Callable[[], None], *, is_paired: bool = True
    ) -> None:
        self._queries = queries
        self._engine = queries.engine
        self._check = check
        self._is_paired = is_paired
        if not is_paired and self._counts_missing:
            raise own_lists_only()
        self._segmentations = tuple(
            find_segmentation(name, segments, queries.engine, queries.layout)
            for name, segments in read_segments(requested).items()
        )
        self._columns, self._text = self._written(queries.question)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the segmentations."""
        return tuple(segmentation.name for segmentation in self._segmentations)

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
            RankMetricsWarning: a system lacks lists that another has; or the order of two systems over all lists is
                reversed in most segments, by significant differences.

        Raises:
            DataError: as `Result.collect` does; or a table has two rows for a list, or none that belongs to a list.
            EngineError: the engine refused the query.
        """
        frame = self._checked()
        self._warn()
        return frame

    def _checked(self) -> pl.DataFrame:
        self.check()
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
        for segmentation in self._segmentations:
            if segmentation.table is not None and not segmentation.is_of_items:
                self._refuse_repeated(segmentation)

    def reversals(self) -> pl.DataFrame:
        """Systems that rank differently in the segments: one row per segmentation, metric and pair of systems.

        Only lists for which the metric is defined for both systems are compared. Segmentations by systems are left out,
        and so are systems that have hardly a list in common. With `paired=False`, the arms of an experiment are
        compared by Welch's t-test, each over its own lists, and `n_lists` are the lists of both together.

        Returns:
            `segmentation`, `metric`, `system_a`, `system_b`; `difference`, the mean difference of a from b over all
            lists; `n_segments`; `n_reversed`, the segments in which the difference has the other sign; `n_lists` and
            `n_lists_reversed`, the lists in these segments; `is_simpson`, whether the order over all lists is reversed
            in most segments, each time by a significant difference (p < 0.005 in t-tests of all pairs, over all lists
            and in all segments, corrected by Benjamini and Hochberg); `f` and `p_interaction`, Welch's test of equal
            mean differences in all segments (doi:10.1093/biomet/38.3-4.330): NULL where a segment has fewer than two
            lists, or where the differences within a segment are all equal; and `p_interaction_adjusted`, corrected for
            all rows in the same way. If other columns split the lists of a user, the user is a cluster in all tests.
            Lists in no segment count only for `difference`.

        Raises:
            InputError: SciPy is not installed.
            DataError, EngineError: as `collect` does.
        """
        self.check()
        schema: dict[str, type[pl.DataType]] = {
            **dict.fromkeys(("segmentation", "metric", "system_a", "system_b"), pl.String),
            "difference": pl.Float64,
            **dict.fromkeys(("n_segments", "n_reversed", "n_lists", "n_lists_reversed"), pl.Int64),
            "is_simpson": pl.Boolean,
            **dict.fromkeys(("f", "p_interaction", "p_interaction_adjusted"), pl.Float64),
        }
        tests = [welch(pair.segments) for pair in self._pairs]
        adjusted = corrected([p_value for _, p_value in tests], "benjamini_hochberg")
        self._warn()
        rows = []
        for pair, test, p_value in zip(self._pairs, tests, adjusted, strict=True):
            n_lists, n_reversed = (sum(each.n_lists for each in some) for some in (pair.segments, pair.reversed))
            counts = len(pair.segments), len(pair.reversed), n_lists, n_reversed
            names = pair.segmentation, pair.whole.metric, *pair.systems
            rows.append((*names, -(pair.whole.difference or 0.0), *counts, pair.is_simpson, *test, p_value))
        return pl.DataFrame(rows, schema=schema, orient="row")

    def gaps(self, confidence: float = ALPHA) -> pl.DataFrame:
        """The lowest and the highest segment: one row per segmentation, metric and system.

        Segments are compared by their means, or by the aggregates of the result that have an interval: `worst(0.1)` has
        rows of its own, as the metric `ndcg@10 worst(0.1)`, whose means are its values. A system that has a mean in
        fewer than two segments has no row.

        Args:
            confidence: of the intervals, between 0 and 1.

        Returns:
            `segmentation`, `metric`, the columns of `by`; `n_segments`; `lowest` and `highest`, the segments with the
            lowest and the highest mean, and `lowest_mean`, `highest_mean`; `difference`, the highest mean minus the
            lowest, and `ratio`, the lowest divided by the highest (NULL where a mean is below 0, or both are 0), each
            with the ends of its interval (`difference_low` and so on; Games and Howell, for any two of the segments).
            The intervals are NULL where a segment has fewer than two lists, where all its values are equal in both,
            and in segments of items, whose lists are not independent. Lists in no segment do not count.

        Raises:
            InputError: SciPy is not installed, or `confidence` is not between 0 and 1.
            DataError, EngineError: as `collect` does.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"user": [1, 2, 3, 4], "item": ["a", "a", "b", "b"], "rank": [1, 1, 1, 1]})
            >>> truth = pl.LazyFrame({"user": [1, 2, 3, 4], "item": ["a", "b", "b", "b"]})
            >>> users = pl.LazyFrame({"user": [1, 2, 3, 4], "gender": ["f", "f", "m", "m"]})
            >>> gaps = rm.evaluate(recs, truth, ["hit@1"]).segments({"gender": users}).gaps()
            >>> gaps.select("lowest", "highest", "difference", "ratio").rows()
            [('f', 'm', 0.5, 0.5)]
        """
        probability("confidence", confidence)
        self._checked()
        aggregates = [each for each in self._queries.question.aggregates if has_interval(each)] or [MEAN]
        with_errors = [each for aggregate in aggregates for each in (aggregate, error_of(aggregate))]
        question = replace(self._queries.question, aggregates=(*with_errors, Aggregate("n")))
        columns, text = self._written(question)
        frame = self._engine.collect(self._engine.run(text, columns))
        of_items = {each.name for each in self._segmentations if each.is_of_items}
        n_keys, means = 2 + len(self._queries.layout.by), dict[tuple[Any, ...], list[SegmentMean]]()
        for name, segment, *values in frame.drop_nulls(columns[1]).rows():
            numbers = iter(values[n_keys - 1 :])  # after the number of lists
            for metric in question.of_lists:
                pairs = [(aggregate, next(numbers), next(numbers)) for aggregate in aggregates]
                n = next(numbers)
                for aggregate, mean, error in pairs:
                    if mean is not None:
                        error = None if name in of_items else error
                        key = name, aggregate.label(metric.label), *values[: n_keys - 2]
                        means.setdefault(key, []).append(SegmentMean(segment, mean, error, n))
        rows = [(*key, *gap(of_key, confidence)) for key, of_key in means.items() if len(of_key) > 1]
        by = {column: frame.schema[column] for column in columns[2:n_keys]}
        own = {"segmentation": pl.String, "metric": pl.String}, SCHEMA
        keys, numbers_of = ([(free_name(name, by, "_"), kind) for name, kind in columns.items()] for columns in own)
        return pl.DataFrame(rows, [*keys, *by.items(), *numbers_of], orient="row")

    def _notes(self) -> list[str]:
        """Systems that lack lists, and pairs of systems whose order is reversed in most segments."""
        apart = [] if self._counts_missing else self._lists_apart
        return [*apart, *(warning.note for warning in self._doubts)]

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
        warehouse = Warehouse.of(self._engine, dialect, quote_names=quote_names)
        question = self._queries.elsewhere(warehouse, {"recs": recs, "truth": truth, **extras})
        segmentations = []
        for segmentation in self._segmentations:
            table, name, known = segmentation.table, segmentation.name, (tables or {}).get(segmentation.name)
            if table is not None:
                if known is None and table.input.is_query and (warehouse.is_elsewhere or not table.input.travels):
                    raise said(DialectError, "segments_of_a_select", name=name, dialect=warehouse.dialect)
                there = replace(table.input, table=warehouse.table(table.input, known))
                table = replace(table, input=there).renamed(warehouse.column)
            segmentations.append(replace(segmentation, table=table))
        query = Writer(question, segmentations).summary()
        return planner.write(query, warehouse.dialect, NamesOfJob(fold=warehouse.fold))

    def _written(self, question: planner.Question) -> tuple[list[str], str]:
        """The columns of a summary of the segments, and its query as text."""
        query = Writer(question, self._segmentations).summary()
        columns = tree.outputs(query.select)  # type: ignore[arg-type]  # a query, and no statement
        return columns, planner.write(query, self._engine.dialect)

    def _comparison(self, segmentations: Sequence[Segmentation], baseline: Any = None) -> SegmentPairs:
        """All pairs of systems, or all from a baseline, over all lists and within each segment.

        `by` is segmentation, segment and position.
        """
        question, layout = self._queries.question, self._queries.layout
        labels = tuple(metric.label for metric in question.of_lists)
        names = (SEGMENTATION, SEGMENT, POSITION, N_RECOMMENDED)
        *by, counted = (free_name(name, [*layout.lists, *labels], "_") for name in names)

        def query(dialect: str) -> exp.Query:
            writer = Writer(question, segmentations, (N_RECOMMENDED,))
            return tree_of(writer.lists([*by, *layout.lists, *labels, counted]), dialect)

        per_list = PerList(
            self._engine,
            query,
            dict.fromkeys([*by, *layout.lists]),
            layout.systems,
            labels,
            check=lambda: None,
            is_complete=self._counts_missing,
            counted=counted,
        )
        cluster = replace(layout, by=layout.systems).clusters
        options = ComparisonOptions(correction="benjamini_hochberg", confidence=1 - LEVEL, paired=self._is_paired)
        plan = ComparisonPlan(per_list, options, labels, tuple(by), baseline, cluster)
        return SegmentPairs(plan, {metric.label: metric for metric in question.of_lists})

    @property
    def _counts_missing(self) -> bool:
        """True if lists without recommendations are in the means."""
        return all(metric.values.get("missing") == "zero" for metric in self._queries.question.of_lists)

    @cached_property
    def _sizes(self) -> dict[tuple[Any, ...], int]:
        """The number of lists with recommendations of each system."""
        ids = self._whole.plan.ids
        rows = self._means.filter(pl.col(ids["by_id"][0]) == ALL).select(*ids["system_id"], "n_recommended").rows()
        return {row[:-1]: int(row[-1]) for row in sorted(rows, key=str)}

    @cached_property
    def _of_all(self) -> SegmentPairs | None:
        """All systems against the system with the most lists, over all lists; None if there is one system."""
        sizes = self._sizes if self._queries.layout.systems else {}
        return self._comparison((), max(sizes, key=sizes.__getitem__)) if len(sizes) > 1 else None

    @cached_property
    def _lists_apart(self) -> list[str]:
        """Sentences on systems that have hardly a list in common with the system that has the most."""
        if self._of_all is None or not self._is_paired:
            return []
        apart = self._of_all.lists_apart(self._of_all._pairs_of_lists())
        return [f"{lists}: reversals leave this pair out" for lists in apart.values()]

    @cached_property
    def _doubts(self) -> list[RankMetricsWarning]:
        """Warnings: a system lacks lists; the order of two systems is reversed in most segments."""
        if self._of_all is None:
            return []
        if self._lists_apart and self._counts_missing:
            return [said(RankMetricsWarning, "arms_with_missing_lists", lists=self._lists_apart[0])]
        doubts = [] if self._lists_apart else [*self._of_all.doubts()]
        if importlib.util.find_spec("scipy") is not None and (reversals := self._reversed_means()):
            # the pairs in all segments take longer: only if a difference over all lists is significant
            whole = (
                pair for pair in self._comparison(()).pairs if (pair.metric, pair.baseline, pair.system) in reversals
            )
            if any(is_significant(pair.p_value, LEVEL) for pair in whole):
                doubts += [pair.warning for pair in self._pairs if pair.is_simpson]
        return doubts

    @cached_property
    def _whole(self) -> SegmentPairs:
        return self._comparison(self._segmentations)

    @cached_property
    def _means(self) -> pl.DataFrame:
        """A row per segmentation, segment, metric and system, also of all lists, with the mean."""
        segment = self._whole.plan.ids["by_id"][1]
        return self._whole.plan.collect("system_means").drop_nulls(segment)

    def _reversed_means(self) -> set[tuple[Any, ...]]:
        """The metric and both systems of means that are in the reverse order in most segments."""
        segmentation, segment, _ = self._whole.plan.ids["by_id"]
        means: dict[Any, dict[Any, dict[Any, float]]] = {}
        columns = [segmentation, "metric", segment, "mean_value", *self._whole.plan.ids["system_id"]]
        for name, metric, of, mean, *system in self._means.drop_nulls("mean_value").select(columns).rows():
            means.setdefault((name, metric), {}).setdefault(tuple(system), {})[of] = mean
        reversals = set[tuple[Any, ...]]()
        for (name, metric), systems in means.items():
            for first, second in combinations(systems, 2):
                whole = means[ALL, metric]
                is_higher = whole[first][ALL] > whole[second][ALL]
                both = systems[first].keys() & systems[second].keys()
                n = sum((systems[first][of] > systems[second][of]) != is_higher for of in both)
                if name != ALL and 2 * n > len(both):
                    reversals |= {(metric, first, second), (metric, second, first)}
        return reversals

    @cached_property
    def _pairs(self) -> list[SystemPair]:
        """The pairs of systems of each segmentation and metric."""
        return self._whole.system_pairs() if self._queries.layout.systems else []

    def _refuse_repeated(self, segmentation: Segmentation) -> None:
        assert segmentation.table is not None
        columns = segmentation.table.side.list_columns
        inputs = Inputs(self._queries.layout, {"segments": segmentation.table.input.table}, self._queries.rows)
        rows = inputs.rows(
            f"SELECT {quoted(*columns)}, COUNT(*) AS n_rows FROM segments WHERE {not_null(*columns)} "
            f"GROUP BY {quoted(*columns)} HAVING COUNT(*) > 1 ORDER BY {quoted(*columns)} LIMIT {SHOWN}"
        )
        if rows:
            sample = " and ".join(f"{key[0] if len(key) == 1 else key} ({n} rows)" for *key, n in map(tuple, rows))
            raise said(DataError, "repeated_segment", name=segmentation.name, columns=", ".join(columns), rows=sample)

    def _refuse_unmatched(self, frame: pl.DataFrame) -> None:
        heading, segment = frame.columns[:2]
        known = frame.filter(pl.col(segment).is_not_null())[heading].unique().to_list()
        for segmentation in self._segmentations:
            if segmentation.name not in known and frame.height:
                what = "relevant item" if segmentation.is_of_items else "list"
                cause = "its values are all NULL, or no id of its rows is among theirs"
                if segmentation.table is None:
                    cause = "the number that it is computed from is undefined for all lists"
                raise DataError(f"The segments {segmentation.name!r} hold no {what}: {cause}.")

    def _warn(self) -> None:
        warn_once(self._doubts, self._queries.layout, self.names, self._sizes if self._queries.layout.systems else {})

    # --- printing -----------------------------------------------------------------------------------------------------

    @cached_property
    def _printed(self) -> list[dict[str, Any]]:
        """The rows as they are printed."""
        segment = self._columns[1]
        return [{**row, segment: NONE if row[segment] is None else row[segment]} for row in self._checked().to_dicts()]

    def printed_rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of a segmentation as they are printed."""
        return [row for row in self._printed if row[self._columns[0]] == name]

    def _tables(self) -> list[TextTable]:
        """A table per segmentation, with the best values of each segment marked if systems are compared."""
        best_of = self._queries.best_of if self._queries.compares else {}
        # numbers of systems have no segments
        best_of = {name: best_value for name, best_value in best_of.items() if name in self._columns}
        segmentation, segment, *_ = self._columns
        n_keys, tables = 3 + len(self._queries.layout.by), dict[str, TextTable]()
        for (name, _), group in groupby(self._printed, lambda row: (row[segmentation], row[segment])):
            of_segment = TextTable.of_rows(self._columns, [*group], n_keys, best_of)
            before = tables[name].rows if name in tables else ()
            tables[name] = replace(of_segment, rows=[*before, *of_segment.rows])
        return [tables[name] for name in self.names]


# The columns of a segmentation in the query, and the step of its values that the files of sql/segments read.
SEGMENTATION, SEGMENT, POSITION = "segmentation", "segment", "position"
VALUE, KNOWN_VALUES = "value", "known_values"

# The name of the segmentation whose only segment is all lists.
ALL = ""


class Writer:
    """Collects the steps of a query of segments: one row per list, joined with the segments, and aggregated.

        per_list ("user", "ndcg@10") + segments of users
        →  'gender', segment, "user", "ndcg@10"  →  'gender', segment, COUNT(*), AVG("ndcg@10") ... GROUP BY segment

    Segments of items have a row per list and segment of their own: the truth is cut to the items of each segment, which
    becomes a list column that truth and recommendations share, and a partition of the summary, as a day is.
    """

    def __init__(
        self, question: planner.Question, segmentations: Sequence[Segmentation], numbers: Sequence[str] = ()
    ) -> None:
        """Further `numbers`, of sql/parts, are columns of `lists`."""
        question.refuse_no_lists()
        parts = dict.fromkeys(segmentation.part for segmentation in segmentations if segmentation.part is not None)
        self.numbers = tuple(numbers)
        self.question = replace(
            question, metrics=tuple(question.of_lists), numbers=tuple({**parts, **dict.fromkeys(numbers)})
        )
        self.segmentations = segmentations
        self._labels = [metric.label for metric in self.question.metrics]
        keys = (SEGMENTATION, f"{SEGMENTATION}_{POSITION}", SEGMENT, f"{SEGMENT}_{POSITION}")
        self._keys = [free_name(key, [*self._labels, *self.question.headings(())], "_") for key in keys]
        self._ctes: list[planner.Cte] = []
        self._stages: dict[str, planner.Stage] = {}
        self._per_list = self._add_per_list(planner.plan(self.question))

    def summary(self) -> planner.Query:
        """One row per segmentation, segment and row of `by`: the aggregates of the metrics."""
        by, (segmentation, place, segment, position) = self.question.layout.by, self._keys
        rows = self._add_lists(self.segmentations, dict.fromkeys([*by, *self.question.layout.clusters]))
        groups = [tree.column(name) for name in (*self._keys, *map(unnamed, by))]
        select = tree.grouped(self.question.aggregates_of_lists(), groups, rows)
        comment = "one row per segment and group of `by`, with the aggregates"
        ctes, select = planner.with_intervals(self.question, [], select, self.question.headings(()))
        self._ctes += ctes
        last = self._add("", "segment_rows", select, comment)
        headings = self.question.headings(())
        shown = [segmentation, segment, *map(unnamed, by), *headings]
        select = exp.select(*(tree.column(name) for name in shown)).from_(tree.table(last))
        order = [tree.column(name).asc(nulls_first=False) for name in (place, position, *map(unnamed, by))]
        select.order_by(*order, copy=False)
        rest = [*by, *headings]
        return self._query(headed(select, [*(free_name(key, rest, "_") for key in (SEGMENTATION, SEGMENT)), *rest]))

    def lists(self, headings: Sequence[str]) -> planner.Query:
        """One row per list over all lists, then per list of each segmentation that is not by systems."""
        layout = self.question.layout
        compared = [
            segmentation
            for segmentation in self.segmentations
            if segmentation.table is None or not {*segmentation.table.side.lists} & {*layout.systems}
        ]
        rows = self._add_lists(compared, layout.lists, has_all=True)
        segmentation, _, segment, position = self._keys
        numbers = map(planner.number_label, self.numbers)
        columns = [segmentation, segment, position, *map(unnamed, layout.lists), *self._labels, *numbers]
        return self._query(headed(exp.select(*map(tree.column, columns)).from_(tree.table(rows)), headings))

    # --- rows ---------------------------------------------------------------------------------------------------------

    def _add_lists(
        self, segmentations: Sequence[Segmentation], columns: Iterable[str], *, has_all: bool = False
    ) -> str:
        """Add the step with a row per segmentation and list: its segment, some list columns, the metrics."""
        names = [*map(unnamed, columns), *self._labels, *map(planner.number_label, self.numbers)]
        arms = []
        for place, segmentation in enumerate([*([None] if has_all else []), *segmentations], 1):
            rows, joins, segment = self._per_list, list[exp.Join](), [_text(ALL), tree.literal(0)]
            if segmentation is not None:
                rows, joins = self._rows(segmentation)
                segment = [tree.column(column, joins[-1].alias_or_name) for column in (SEGMENT, POSITION)]
            values = [_text(segmentation.name if segmentation else ALL), tree.literal(place), *segment]
            values += [tree.column(column, rows) for column in names]
            named = map(tree.named, values, [*self._keys, *names])
            arm = exp.select(*named).from_(tree.table(rows), copy=False)
            arm.set("joins", joins)
            arms.append(arm)
        every = tree.union_all(arms)
        return self._add("", "segment_lists", every, "one row per segmentation and list, with its segment")

    def _rows(self, segmentation: Segmentation) -> tuple[str, list[exp.Join]]:
        """The step with the rows of a segmentation, and the joins of their segments, which are the last of them."""
        if segmentation.is_of_items:
            return self._rows_of_items(segmentation)
        joins: list[exp.Join] = []
        if segmentation.table is None:
            value = tree.column(planner.number_label(str(segmentation.part)), self._per_list)
            owners = list(self.question.layout.truth_lists)
        else:
            select = _table_rows(segmentation.table, f"{self._free(segmentation.name, 'table')}_given")
            table = self._add(segmentation.name, "table", select, f"the table of the segments {segmentation.name}")
            value, owners = tree.column(VALUE, table), list(segmentation.table.side.lists)
            pairs = [(tree.column(unnamed(key), self._per_list), tree.column(unnamed(key), table)) for key in owners]
            joins.append(left_join(table, pairs))
        known = exp.select(*(tree.column(unnamed(key), self._per_list) for key in owners), tree.named(value, VALUE))
        known = known.distinct().from_(tree.table(self._per_list))
        known.set("joins", [join.copy() for join in joins])
        comment = "one row per list or owner, with the value that the segments are made of"
        segments = self._add_segments(segmentation, known, comment)
        joins.append(left_join(segments, [(value.copy(), tree.column(VALUE, segments))]))
        return self._per_list, joins

    def _rows_of_items(self, segmentation: Segmentation) -> tuple[str, list[exp.Join]]:
        """The step with a row per list and segment of the relevant items, and the join of the segments."""
        assert segmentation.table is not None
        cut = cut_to_items(self.question, segmentation.table)
        names = {*self.question.taken, *(step.name.lower() for step in self._ctes)}
        rows = self._add_per_list(planner.plan(replace(cut, taken=frozenset(names), numbers=self.numbers)))
        marked = tree.column(unnamed(OF_ITEM), rows)
        text = exp.Substring(this=marked.copy(), start=tree.literal(2))
        value = exp.Case().when(exp.NEQ(this=marked, expression=exp.Literal.string(ABSENT)), text)
        known = exp.select(tree.named(value.copy(), VALUE)).distinct().from_(tree.table(rows))
        segments = self._add_segments(segmentation, known, f"the segments {segmentation.name} of the relevant items")
        return rows, [left_join(segments, [(value, tree.column(VALUE, segments))])]

    def _add_segments(self, segmentation: Segmentation, values: exp.Select, comment: str) -> str:
        """Add the steps that put values into segments; returns the last, which has one row per value."""
        name = segmentation.name
        last = self._add(name, KNOWN_VALUES, values, comment)
        names, file = {KNOWN_VALUES: last}, definitions_in("segments", "segment")[segmentation.file]
        for step, select in selects_of(file.select, {"n_buckets": segmentation.n_buckets}):
            comment = f"a step of the segments {name}" if step else file.summary
            last = names[step] = self._add(name, step or "segments", read_steps(select, names), comment)
        return last

    def _add_per_list(self, planned: planner.Plan) -> str:
        """Add the steps that end in one row per list; returns the name of the last."""
        ctes = planned.per_list_ctes()
        self._ctes += [replace(cte, select=cte.select.copy()) for cte in ctes]
        self._stages |= planned.stages.by_step
        return ctes[-1].name

    def _add(self, segmentation: str, step: str, select: exp.Query, comment: str) -> str:
        self._ctes.append(planner.Cte(self._free(segmentation, step), select, comment))
        return self._ctes[-1].name

    def _free(self, segmentation: str, step: str) -> str:
        prefix = re.sub(r"[^a-z0-9]+", "_", segmentation.lower()).strip("_")
        base = f"{prefix}_{step}" if prefix else step
        return free_name(self.question.cte(base), {cte.name for cte in self._ctes}, "_")

    def _query(self, select: exp.Select) -> planner.Query:
        for cte in self._ctes:
            tree.read_by_name(cte.select)
        return planner.Query(planner.with_ctes(select, self._ctes), self.question, self._stages)


def _table_rows(table: SegmentTable, step: str) -> exp.Select:
    """The list columns and the value of a table, which is read under a name, in the types of the query."""
    side, schema = table.side, table.input.schema
    keys = [
        tree.named(planner.typed("id", tree.given(side.own(column)), schema, side.own(column)), unnamed(column))
        for column in side.lists
    ]
    kind = schema[table.value].family
    role = "rating" if kind == "float" else "id"  # a NaN is not a number
    value = tree.named(planner.typed(role, tree.given(table.value), schema, table.value), VALUE)
    relation = table.input.table.copy()
    tree.mark_names(relation)
    return exp.select(*keys, value).from_(call(relation, step))


def _text(text: str) -> exp.Expr:
    return exp.cast(exp.Literal.string(text), exp.DType.TEXT)


# --- segments of items ------------------------------------------------------------------------------------------------

# The list column that holds the segment, with a mark before it: a list column is never NULL.
OF_ITEM = "segment of item"
KNOWN, ABSENT = "=", "-"

TEXT = ColumnType("string", "VARCHAR")


def cut_to_items(question: planner.Question, table: SegmentTable) -> planner.Question:
    """The question over the relevant items of each segment, the first column of `by`: all items stay recommended."""
    layout, tables = question.layout, dict(question.tables)
    if not layout.has_truth:
        raise planner.no_truth("A segment of items")
    truth = _with_segment(question, table)
    tables |= {"truth": exp.Subquery(this=truth), "recs": exp.Subquery(this=_recommendations(question, truth))}
    if (
        SYSTEMS not in tables
        and layout.systems
        and not layout.partitions
        and {*question.missing} & planner.LISTS_OF.keys()
    ):
        # a system with no list of a segment is scored there, too
        systems = exp.select(*(tree.given(column, "given") for column in layout.systems)).distinct()
        tables[SYSTEMS] = exp.Subquery(this=systems.from_(call(question.tables["recs"].copy(), "given")))
    layout = replace(
        layout,
        lists=(OF_ITEM, *layout.lists),
        truth_lists=(OF_ITEM, *layout.truth_lists),
        by=(OF_ITEM, *layout.by),
        recs_types={**layout.recs_types, OF_ITEM: TEXT},
        truth_types={**layout.truth_types, OF_ITEM: TEXT},
        parts={},
    )
    return replace(question, layout=layout, tables=tables, assumed=frozenset(), numbers=())


def _columns(side: Side, rows: str) -> list[exp.Column]:
    return [tree.given(column, rows) for column in dict.fromkeys([*side.types, *side.added.values()])]


def _with_segment(question: planner.Question, table: SegmentTable) -> exp.Select:
    """The truth, each row once for each segment of its item."""
    side, own = question.layout.side("truth"), table.input.schema
    item, value = str(table.side.roles.item), tree.given(table.value)
    texts = [exp.Literal.string(KNOWN), exp.cast(planner.typed("id", value, own, table.value), exp.DType.TEXT)]
    text = tree.named(exp.Concat(expressions=texts, safe=True, coalesce=False), OF_ITEM)
    segments = exp.select(tree.named(planner.typed("item", tree.given(item), own, item), "item"), text).distinct()
    has_value = tree.given(table.value).is_(exp.Null()).not_()
    segments = segments.from_(call(table.input.table.copy(), "given")).where(has_value)
    truth_item = str(side.roles.item)
    segment = exp.Coalesce(this=tree.column(OF_ITEM, "segments"), expressions=[exp.Literal.string(ABSENT)])
    select = exp.select(*_columns(side, "judged"), tree.named(segment, OF_ITEM))
    select = select.from_(call(question.tables["truth"].copy(), "judged"))
    same = planner.typed("item", tree.given(truth_item, "judged"), side.types, truth_item).eq(
        tree.column("item", "segments")
    )
    select.append("joins", exp.Join(this=call(exp.Subquery(this=segments), "segments"), on=same, side="LEFT"))
    return select


def _recommendations(question: planner.Question, truth: exp.Select) -> exp.Select:
    """The recommendations, each list once for each segment of its truth."""
    layout = question.layout
    recs, of_truth = layout.side("recs"), layout.side("truth")
    owners = [tree.given(of_truth.own(column), "cut_truth") for column in layout.truth_lists]
    lists = exp.select(*owners, tree.column(OF_ITEM, "cut_truth")).distinct()
    lists = lists.from_(call(exp.Subquery(this=truth.copy()), "cut_truth"))
    select = exp.select(*_columns(recs, "given"), tree.column(OF_ITEM, "truth_segments"))
    select = select.from_(call(question.tables["recs"].copy(), "given"))
    same = [
        exp.EQ(
            this=planner.typed("id", tree.given(column, "given"), recs.types, column),
            expression=planner.typed("id", tree.given(own, "truth_segments"), of_truth.types, own),
        )
        for column, own in zip(layout.truth_lists, of_truth.list_columns, strict=True)
    ]
    on = exp.and_(*same, copy=False)
    select.append("joins", exp.Join(this=call(exp.Subquery(this=lists), "truth_segments"), on=on, kind="INNER"))
    return select


# --- systems that change their order ----------------------------------------------------------------------------------


class SegmentPairs(Comparison):
    """The differences of pairs of systems in each segment, without systems that have hardly a list in common."""

    @cached_property
    def _given_pairs(self) -> list[Pair]:
        pairs = self._pairs_of_lists() if self.options.paired else self._pairs_of_arms()
        apart = self.lists_apart(pairs) if self.options.paired else {}
        return [self._with_limits(pair) for pair in pairs if (pair.by, pair.baseline, pair.system) not in apart]

    def system_pairs(self) -> list[SystemPair]:
        """The pairs of systems, by segmentation and metric."""
        segments: dict[tuple[Any, ...], list[Pair]] = {}
        for pair in self.pairs:
            if pair.n_lists and pair.by[1] is not None:
                segments.setdefault((pair.by[0], pair.metric, pair.baseline, pair.system), []).append(pair)
        pairs = [
            SystemPair(self, segmentation, segments[ALL, *key][0], tuple(parts))
            for (segmentation, *key), parts in segments.items()
            if segmentation != ALL and (ALL, *key) in segments
        ]
        place = {metric: place for place, metric in enumerate(self.plan.metrics)}
        return sorted(pairs, key=lambda pair: (pair.segmentation, place[pair.whole.metric], *pair.systems))


@dataclass(frozen=True)
class SystemPair:
    """Two systems under a metric, over all lists and in the segments of a segmentation."""

    comparison: SegmentPairs
    segmentation: str
    whole: Pair  # over all lists
    segments: tuple[Pair, ...]  # in each segment

    @property
    def systems(self) -> tuple[str, str]:
        """The names of both systems."""
        return name_of_system(self.whole.baseline), name_of_system(self.whole.system)

    @property
    def reversed(self) -> list[Pair]:
        """The segments in which the order of the systems is the reverse of that over all lists."""
        is_better = self.comparison.is_better
        both = {is_better(self.whole), None}
        return [] if len(both) == 1 else [segment for segment in self.segments if is_better(segment) not in both]

    @property
    def significantly_reversed(self) -> list[Pair]:
        """The reversed segments with a significant difference; none if the difference over all lists is not."""
        pairs = self.reversed if self.comparison.is_significant(self.whole) else []
        return [segment for segment in pairs if self.comparison.is_significant(segment)]

    @property
    def is_simpson(self) -> bool:
        """True if the order is significantly reversed in most segments (Simpson's paradox)."""
        return len(self.segments) > 1 and 2 * len(self.significantly_reversed) > len(self.segments)

    @property
    def warning(self) -> RankMetricsWarning:
        """The reversal in words."""
        second, first = self.systems if self.comparison.is_better(self.whole) else self.systems[::-1]
        metric = self.whole.metric
        is_better = self.comparison.measured[metric].better != "neither"
        better, worse = ("better than", "worse") if is_better else ("higher than", "lower")
        values = {"first": first, "better": better, "second": second, "metric": metric, "worse": worse}
        counts = {"n": len(self.significantly_reversed), "n_segments": len(self.segments)}
        return said(RankMetricsWarning, "reversed_order", segmentation=self.segmentation, **values, **counts)


def welch(groups: Sequence[Pair]) -> tuple[float | None, float | None]:
    """Welch's F for equal differences in all groups, and its p-value; Nones where a difference has no error.

    Of paired lists, they are those of `scipy.stats.f_oneway(..., equal_var=False)`.

    Source: Welch (1951), On the comparison of several mean values. doi:10.1093/biomet/38.3-4.330
    """
    with importing("The test of reversals needs SciPy, which is not installed", "statistics"):
        from scipy.special import fdtrc
    n_groups, variances = len(groups), [(group.standard_error or 0) ** 2 for group in groups]
    if n_groups < 2 or not all(variances):
        return None, None
    weights = [1 / variance for variance in variances]
    total, means = sum(weights), [group.difference or 0 for group in groups]
    mean = sum(weight * mean for weight, mean in zip(weights, means, strict=True)) / total
    between = sum(weight * (each - mean) ** 2 for weight, each in zip(weights, means, strict=True))
    freedoms = (group.freedom for group in groups)
    spread = sum((1 - weight / total) ** 2 / freedom for weight, freedom in zip(weights, freedoms, strict=True))
    spread /= n_groups**2 - 1
    statistic = between / (n_groups - 1) / (1 + 2 * (n_groups - 2) * spread)
    return statistic, float(fdtrc(n_groups - 1, 1 / (3 * spread), statistic))
