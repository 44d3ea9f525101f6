"""`Result.corrected`: the metrics by the labels of a judge, such as a language model, corrected by people's labels.

    judge_lists (list, "ndcg@10") + human_lists (list, "ndcg@10") for the lists that people labelled
    →  by, metric, mean by people's labels, mean by the judge's labels, sums  →  estimate, interval, lambda

Both are values per list of the same evaluation: the first with its truth, the second with people's labels as the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import isfinite
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.comparisons.comparison import Baseline, baseline_values, refuse_systems, systems_of
from rankmetrics.comparisons.plan import value_of_metric
from rankmetrics.dialects import base as dialects
from rankmetrics.engines.arrow import as_frames
from rankmetrics.engines.base import Warehouse
from rankmetrics.errors import ColumnError, DataError, RankMetricsWarning, counted, warn_once
from rankmetrics.faults.inputs import Inputs, pairs_in_words, quoted
from rankmetrics.inputs.columns import Columns, Layout, Schema, Side, name_of_system
from rankmetrics.inputs.layout import layout
from rankmetrics.inputs.roles import POLICY_ROLES
from rankmetrics.messages import said
from rankmetrics.metrics.definition import definitions_in
from rankmetrics.options import probability
from rankmetrics.planner import Question, no_truth, plan
from rankmetrics.queries import Queries, rows_with_item, tree_of
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.steps import Steps, numbered, rows_of
from rankmetrics.tables import Answer, TextTable

if TYPE_CHECKING:
    import polars as pl

# With fewer labelled lists, the interval of the normal distribution is too narrow, and is NULL: docs/judges.md has its
# measured coverage.
FEW_LISTS = 50

# People's labels are doubtful if they cover a smaller share of the judge's, or if so many of them equal the judge's.
COVERED, COPIED = 0.8, 20

# The last columns of the summary are numbers of lists, which the notes have.
N_COUNTS = 4


class Corrected(Answer):
    """Means by the labels of a judge, corrected by people's labels for some lists; `Result.corrected` returns it.

    `summary` is lazy, in the caller's own kind. `collect` and printing compute, and refuse data whose numbers would be
    meaningless. docs/judges.md explains the estimate.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> users = [*range(8)]
        >>> recs = pl.LazyFrame({"user": users, "item": "a", "rank": 1})
        >>> judged = pl.LazyFrame({"user": users, "item": "a", "rating": [1, 1, 1, 0, 1, 1, 1, 1]})
        >>> people = pl.LazyFrame({"user": users[:4], "item": "a", "rating": [1, 1, 0, 0]})
        >>> frame = rm.evaluate(recs, judged, "precision@1").corrected(people).collect()
        >>> frame.select("judge_mean", "human_mean", "estimate", "lambda", "n_labelled", "n_unlabelled").rows()
        [(0.875, 0.5, 0.625, 0.5, 4, 4)]
    """

    def __init__(
        self, queries: Queries, labels: object, check: Callable[[], None], baseline: Baseline | None, confidence: float
    ) -> None:
        question, engine, known = queries.question, queries.engine, queries.layout
        if not known.has_truth:
            raise no_truth("A correction of a judge")
        question.refuse_no_lists()
        probability("confidence", confidence)
        self._queries, self._check, self._confidence = queries, check, confidence
        self._baseline: tuple[str | int, ...] | None = None
        if baseline is not None:
            self._baseline = baseline_values(baseline, systems_of(known), known.recs_types)
        self._labels = engine.open_beside(free_name("human_labels", engine.beside, "_"), as_frames("truth", labels))
        self._side = _side_of_labels(known, self._labels.schema)
        self._columns = tree.outputs(definitions_in("judges", "judge")["estimates"].select)[1:]
        if self._baseline is not None:
            self._columns.insert(1, "baseline")
        self._headings = [*known.by, *(free_name(name, known.by, "_") for name in self._columns)]
        query = self._query(engine.dialect, question, self._labels.table, self._side)
        self._text = dialects.text(query, engine.dialect, pretty=False, copy=False)

    def summary(self) -> Any:
        """One row per row of `by` and metric, lazily; with a baseline, of differences from the baseline.

        Columns: those of `by`; `metric`; with a baseline, its name; `estimate`, the mean by the judge's labels as
        corrected by people's, and its interval `ci_low` and `ci_high`; `lambda`, the weight of the judge, from 0 (the
        estimate is that of people alone) to 1; `human_mean`, the mean by people's labels alone, and its interval
        `human_ci_low` and `human_ci_high`; `judge_mean`, the mean by the judge's labels alone, over all lists;
        `n_labelled` and `n_unlabelled`, the lists with people's labels and those without; `n_undefined`, the lists left
        out because a value is undefined; `n_effective`, the number of lists that people alone would have to label for
        an interval as narrow. Estimates from fewer than 2 labelled lists are NULL, and intervals from fewer than 50.

        Returns:
            A LazyFrame or a relation, as the recommendations were. Nothing is checked that only the data tells.
        """
        return self._queries.engine.run(self._text, self._headings)

    def collect(self) -> pl.DataFrame:
        """The summary, computed and checked, as a Polars frame.

        Raises:
            DataError: as `Result.collect` does; or people labelled lists that are not in the truth, or fewer than two
                lists, or none of their items is recommended, or a rating is infinite.
            InputError: the baseline is none of the systems.
            EngineError: the engine refused the query.
        """
        return self._frame

    @cached_property
    def _frame(self) -> pl.DataFrame:
        import polars as pl

        self._check()
        self._refuse_labels()
        labels = pl.Enum([metric.label for metric in self._queries.question.of_lists])
        by, metric = self._queries.layout.by, self._headings[len(self._queries.layout.by)]
        frame = self._queries.engine.collect(self.summary()).sort(*by, pl.col(metric).cast(labels), nulls_last=True)
        if frame.is_empty():
            known = self._queries.layout
            inputs = Inputs(known, self._queries.question.tables, self._queries.rows)
            refuse_systems(inputs.rows(f"SELECT DISTINCT {quoted(*systems_of(known))} FROM recs"), self._baseline)
        if any(row["human_mean"] is not None and not isfinite(row["human_mean"]) for row in self._values(frame)):
            raise said(DataError, "infinite_labels")
        return frame

    def to_sql(
        self, dialect: str | None = None, *, labels: str | None = None, quote_names: bool = False, **tables: str
    ) -> str:
        """The query of the summary as text.

        Args:
            dialect: any that to_sql has; by default the engine's own.
            labels: what the table of people's labels is called there.
            quote_names: as in Result.to_sql.
            tables: what the other tables are called there: recs, truth, history and other inputs.

        Raises:
            DialectError: the dialect is unknown, or cannot say what the query says.
        """
        warehouse = Warehouse.of(self._queries.engine, dialect, quote_names=quote_names)
        question = self._queries.elsewhere(warehouse, tables)
        side, table = self._side.renamed(warehouse.column), warehouse.table(self._labels, labels)
        return warehouse.text(self._query(warehouse.dialect, question, table, side))

    # --- the query ----------------------------------------------------------------------------------------------------

    def _query(self, dialect: str, question: Question, labels: exp.Expr, side: Side) -> exp.Select:
        """The query of the summary for a dialect, over the tables of a question and a table of people's labels."""
        files, of_lists, known = definitions_in("judges", "judge"), tuple(question.of_lists), question.layout
        judge = replace(question, metrics=of_lists, numbers=())
        of_labels = replace(known, truth=side.roles, truth_types=side.types)
        human = replace(judge, layout=of_labels, tables={**question.tables, "truth": labels}, assumed=frozenset())
        new = dict(zip(known.lists, numbered("list", len(known.lists)), strict=True))
        columns = {"by_id": known.by, "truth_id": known.truth_lists, "list_id": known.lists}
        columns["unit_id"] = tuple(name for name in known.truth_lists if name not in known.by)
        ids = {name: [new[column] for column in columns_of_id] for name, columns_of_id in columns.items()}
        metrics = [metric.label for metric in of_lists]
        new |= dict(zip(metrics, numbered("value", len(metrics)), strict=True))
        steps = Steps(question.taken, [*question.tables.values(), labels], ids)
        for name, each, whose in (("judge", judge, "the judge's"), ("human", human, "people's")):
            each = replace(each, taken=each.taken | {step.lower() for step in steps.taken})
            steps.add(f"{name}_metrics", tree_of(plan(each).per_list_query(), dialect))
            lists = exp.select(*(tree.named(tree.column(column), short) for column, short in new.items()))
            lists = lists.from_(tree.table(steps.names[f"{name}_metrics"]))
            steps.add(f"{name}_lists", lists, f"one row per list, with its values by {whose} labels")
        positions = [
            {"metric": exp.Literal.string(name), "position": tree.literal(n)} for n, name in enumerate(metrics)
        ]
        rows = {
            "labels": (_rated_rows(labels, "labels", side, ids["truth_id"]), "people's labels"),
            "metrics": (rows_of(positions), ""),
        }
        values = {f"{name}_value": value_of_metric(metrics, f"{name}_lists") for name in ("judge", "human")}
        steps.add_read(files["estimates"], files, values, rows)
        last = files["estimates"].select.copy()
        if self._baseline is not None:
            pairs = [*zip((new[name] for name in systems_of(known)), self._baseline, strict=True)]
            is_other = exp.or_(*(tree.column(name, "compared").neq(value) for name, value in pairs))
            is_pair = exp.and_(*(tree.column(name, "baseline").eq(value) for name, value in pairs), is_other)
            # read as the values that they are made of
            steps.add_file("truth_list_values", files["differences"], {"is_pair": is_pair})
            baseline = exp.cast(exp.Literal.string(name_of_system(self._baseline)), exp.DType.TEXT)
            last.expressions.insert(2, tree.named(baseline, "baseline"))
        deviations = NormalDist().inv_cdf((1 + self._confidence) / 2)
        headings = [*known.by, *self._headings[len(known.by) :]]
        return steps.query(
            last, {"deviations": deviations, "least_lists": FEW_LISTS}, headings, files["estimates"].summary
        )

    # --- refused data -------------------------------------------------------------------------------------------------

    def _rows_of_labels(self, name: str) -> list[tuple[Any, ...]]:
        """The rows of a file of sql/judges that compares people's labels with the judge's, or with recommendations."""
        files, known, tables = definitions_in("judges", "judge"), self._queries.layout, self._queries.question.tables
        tables, lists = {**tables, "labels": self._labels.table}, numbered("list", len(known.truth_lists))
        sides = {"truth": (known.side("truth"), lists), "labels": (self._side, lists), "recs": (known.side("recs"), ())}
        rows = {of: (_rated_rows(tables[of], of, *side), "") for of, side in sides.items()}
        steps, outputs = (
            Steps(self._queries.engine.taken, tables.values(), {"truth_id": lists}),
            tree.outputs(files[name].select),
        )
        steps.add_read(files[name], files, {}, rows)
        return self._queries.rows(steps.query(files[name].select, {}, lists if outputs == ["truth_id"] else outputs))

    def _refuse_labels(self) -> None:
        """Refuse labels whose lists are not in the truth, or too few, or whose items are not recommended."""
        [(n, n_known)] = self._rows_of_labels("label_counts")
        lists = counted(n, "list", "lists")
        if n > n_known:
            unknown, columns = self._rows_of_labels("unknown_lists"), self._queries.layout.truth_lists
            rows = "; ".join(pairs_in_words(columns, row) for row in unknown)
            raise said(DataError, "unknown_labels", lists=lists, n=n - n_known, rows=rows)
        if n < 2:
            raise said(DataError, "few_labels", lists=lists)
        if self._rows_of_labels("recommended_labels") == [(0,)]:
            raise said(DataError, "no_labels_in_common")
        self._doubts = [*self._doubt_labels()]
        warn_once(self._doubts, self._queries.layout)

    def _doubt_labels(self) -> Iterator[RankMetricsWarning]:
        """Warnings of labels of people that do not fit the judge's labels of the same lists."""
        [(judged, both, equal, judged_0, people_0, highest_judged, highest)] = self._rows_of_labels("label_pairs")
        if both < COVERED * judged:
            yield said(RankMetricsWarning, "uncovered_labels", both=both, judged=judged)
        elif judged_0 and not people_0:
            yield said(RankMetricsWarning, "labels_above_0", judged_0=judged_0)
        if both >= COPIED and equal == both:
            yield said(RankMetricsWarning, "copied_labels", both=both)
        if highest_judged and highest and not 1 / 2 < highest / highest_judged < 2:
            yield said(RankMetricsWarning, "rescaled_labels", highest=highest, highest_judged=highest_judged)

    # --- printing -----------------------------------------------------------------------------------------------------

    def _notes(self) -> list[str]:
        rows = self._values(self._frame)
        counts = {"n_labelled": "labelled by people", "n_unlabelled": "labelled only by the judge"}
        counts |= {"n_undefined": "left out because a value is undefined"}
        notes = [f"lists {what}: {_span(row[name] for row in rows)}" for name, what in counts.items()]
        for metric in dict.fromkeys(row["metric"] for row in rows):
            n = [round(row["n_effective"]) for row in rows if row["metric"] == metric and row["n_effective"]]
            notes += [f"{metric} is as precise as if people alone had labelled {_span(n)} lists"] if n else []
        notes.append("this holds if the lists that people labelled are a random sample of all lists")
        if any(row["n_labelled"] < FEW_LISTS for row in rows):
            notes.append(
                f"with fewer than {FEW_LISTS} labelled lists, an interval would be too narrow, and is left out"
            )
        return [*notes, *(doubt.note for doubt in self._doubts)]

    def _values(self, frame: pl.DataFrame) -> list[dict[str, Any]]:
        """The rows of the summary by the columns of the file, without those of `by`."""
        n_by = len(self._queries.layout.by)
        return [dict(zip(self._columns, row[n_by:], strict=True)) for row in frame.rows()]

    def _tables(self) -> list[TextTable]:
        shown = self._headings[: len(self._headings) - N_COUNTS]
        n_keys = len(self._queries.layout.by) + self._columns.index("estimate")
        return [TextTable.of_rows(shown, self._frame.to_dicts(), n_keys)]


def _span(numbers: Iterable[int]) -> str:
    """The numbers as one, or as the lowest and the highest: `3 to 1,200`."""
    low, *_, high = sorted([*numbers] * 2)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _side_of_labels(known: Layout, schema: Schema) -> Side:
    """The columns of people's labels: those of the truth, under its names or usual ones."""
    roles = known.truth
    lists = {name: own for name, own in roles.lists.items() if own in schema}
    named = Columns(**{role: column for role, column in roles.roles.items() if column in schema}, lists=lists)
    has_names = {named.lists.get(name, name) for name in known.truth_lists} <= {*schema}
    truth_lists = known.truth_lists if has_names else None
    options: dict[str, Any] = {"truth_columns": named, "truth_lists": truth_lists, "lists": known.lists}
    try:
        own = layout(known.recs_types, schema, columns=known.recs.without(POLICY_ROLES), in_order=True, **options)
    except ColumnError as error:
        raise said(ColumnError, "unreadable_labels", error=error) from error
    if own.truth_lists != known.truth_lists or (roles.rating and not own.truth.rating):
        columns = [*known.truth_lists, *([roles.rating] if roles.rating else [])]
        raise said(ColumnError, "other_labels", columns=columns, schema=[*schema])
    return own.side("truth")


def _rated_rows(table: exp.Expr, name: str, side: Side, lists: Sequence[str]) -> exp.Select:
    """The rows of an input with an item and a value in each list column, called `lists`, with their ratings."""
    rating = tree.given(side.roles.rating) if side.roles.rating else tree.literal(1)
    own = dict(zip(lists, side.list_columns, strict=False))
    return rows_with_item(table, name, side, own, {"rating": exp.cast(rating, exp.DType.DOUBLE)})
