"""What a result computes, in the forms in which a user takes it further: frames, a column, text, a notebook's table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankmetrics.engines.base import Engine
from rankmetrics.errors import InputError, MetricError, did_you_mean, names
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.queries import Queries
from rankmetrics.results.checked import Checked

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

# The forms of text that `to_text` writes.
TEXTS = ("table", "markdown", "latex", "csv", "json", "jsonl")


class ResultTables(ABC):
    """The part of a Result that hands its computed tables on; each method checks as `collect` does."""

    metrics: tuple[Metric, ...]
    aggregates: tuple[Aggregate, ...]
    layout: Layout
    _engine: Engine
    _queries: Queries
    _checked: Checked

    @abstractmethod
    def collect(self, *, per_list: bool = False) -> pl.DataFrame:
        """The summary, or one row per list, computed and checked."""

    @abstractmethod
    def account(self) -> Any:
        """What went into the means and what was left out, lazily."""

    @abstractmethod
    def notes(self) -> list[str]:
        """The account in sentences."""

    def to_polars(self, *, per_list: bool = False) -> pl.DataFrame:
        """The same as `collect`: the summary (or one row per list) as a Polars frame."""
        return self.collect(per_list=per_list)

    def to_pandas(self, *, per_list: bool = False) -> pd.DataFrame:
        """The summary (or one row per list), computed and checked, as a pandas frame.

        Raises:
            InputError: pandas is not installed.
            DataError, EngineError: as collect does.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise InputError("A pandas frame needs pandas: pip install 'rankmetrics[pandas]'.") from error
        found: pd.DataFrame = pd.DataFrame(self.collect(per_list=per_list).to_pandas())
        return found

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
            [('a', 0.0), ('b', 1.0)]
        """
        by, known = [*self.layout.by], self._queries.columns
        if column not in known:
            near = did_you_mean(str(column), known)
            raise MetricError(f"The result has no column {column!r}: its columns are {names(known)}.{near}")
        return self.collect().select(*by, column)

    def to_text(self, form: str = "markdown", *, per_list: bool = False) -> str:
        """The summary as text: computed, checked, and written in one of several forms.

        Args:
            form: `table` as on a terminal, `markdown` for GitHub, `latex` (needs the package booktabs), `csv`, `json`
                (a document with summary, account, versions and request), or `jsonl` (a row per line). `markdown` and
                `latex` round to four places, show the best system first and mark the best values.
            per_list: one row per list instead of the summary, as csv, json or jsonl.

        Raises:
            InputError: there is no such form, or it does not show a row per list.
            DataError, EngineError: as collect does.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"user": [1], "item": [7], "rank": [1]})
            >>> truth = pl.LazyFrame({"user": [1], "item": [7]})
            >>> print(rm.evaluate(recs, truth, "rr").to_text("csv"), end="")
            n_lists,n_missing,rr
            1,0,1.0
        """
        refuse_form(form, per_list=per_list)
        if form == "table":
            return f"{self!r}\n"
        if form in ("csv", "json", "jsonl"):
            frame = self.collect(per_list=per_list)
            if form == "json":
                from rankmetrics.results.document import document

                account = self._engine.collect(self.account())
                return document(frame, "per_list" if per_list else "summary", account, self._queries)
            return frame.write_csv() if form == "csv" else frame.write_ndjson()
        from rankmetrics.tables.display import best_values
        from rankmetrics.tables.formats import FORMATS

        rows = self._leaderboard()
        return FORMATS[form](self._checked.computed.columns, rows, best_values(rows, self._best_of))

    # --- printing ---------------------------------------------------------------------------------------------------

    @property
    def _best_of(self) -> dict[str, Callable[[Iterable[float]], float]]:
        """For each column of the summary that has a best value, which it is; a file of sql/ says what is better."""
        of: dict[str, Callable[[Iterable[float]], float]] = {"higher": max, "lower": min}
        better = {metric.label: metric.definition.fields.get("better", "higher") for metric in self.metrics}
        return {label: of[one] for label, one in better.items() if one in of and label in self._queries.columns}

    def _leaderboard(self) -> Sequence[Mapping[str, Any]]:
        """The summary in the order that is shown: where it compares systems, the best of the first metric first."""
        rows = self._checked.computed.rows
        if self.layout.by and not set(self.layout.by) & set(self.layout.truth_lists):
            first = self._queries.columns[0]
            sign = 1 if self._best_of.get(first) is min else -1
            return sorted(rows, key=lambda row: (row[first] is None, sign * (row[first] or 0)))
        return rows

    def _repr_html_(self) -> str:
        from rankmetrics.tables.display import html_table

        widths = (
            [aggregate for aggregate in self.aggregates if aggregate.name == "ci"][:1]
            if MEAN in self.aggregates
            else []
        )
        intervals = {
            metric.label: width.label(metric.label) for width in widths for metric in self.metrics if not metric.is_run
        }
        columns, rows = self._checked.computed.columns, self._leaderboard()
        return html_table(columns, rows, self.notes(), self._best_of, intervals)


def refuse_form(form: str, *, per_list: bool) -> None:
    """Refuse a form of text that there is not, or that does not show a row per list.

    Raises:
        InputError: the form does not fit.
    """
    if form not in TEXTS:
        raise InputError(f"There is no form {form!r} of a result: there are {names(TEXTS)}.{did_you_mean(form, TEXTS)}")
    if per_list and form in ("table", "markdown", "latex"):
        raise InputError(f"A row per list is written as csv, json or jsonl, and not as {form}.")
