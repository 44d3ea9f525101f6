"""The trace of one list: its places, and each metric as a formula with the values of the list put in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import refuse_no_lists, sums_name
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.traces.formula import Cases, Formula, Part, parts_of
from rankmetrics.traces.list_choice import find_list
from rankmetrics.traces.list_plan import ListPlan, plan_list
from rankmetrics.traces.places import SUM, Places, in_other_orders, places_of

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult

    from rankmetrics.tables import TextTable

# How many places of a list are printed, and how many of them are the first.
PRINTED = 30


class Trace:
    """One list in detail: a row for each rank, and how each metric of the evaluation gets its value for the list.

    The numbers come from the stages of the query, run over the rows of this list only.

    Attributes:
        list: the value of each list column.
        metrics: the metrics of lists that are traced.
    """

    def __init__(self, plan: ListPlan) -> None:
        self._plan = plan
        self.list: Mapping[str, Any] = dict(plan.choice.values)
        self.metrics: tuple[Metric, ...] = tuple(plan.plan.question.of_lists)

    def places(self) -> pl.DataFrame:
        """The list, one row per rank.

        Returns:
            A frame with the columns `rank`, `item`, `score` (if there is one), `relevant` (whether the item is
            credited as a hit at this rank), `rating` (if the truth has ratings), the parameters of the metrics that
            weigh a hit (`gain`, `discount`), for each sum over ranks what the rank adds to it and the running `sum`;
            then `ideal item`, `ideal rating` and the same sums over the ideal list. Ranks go down to the largest
            cutoff. A list without recommendations has NULL as its items.
        """
        return self._places.frame

    def value(self, metric: str | Metric) -> float | None:
        """The value of a metric for the list; None if it is undefined. `metric` is the metric, or its label.

        Raises:
            MetricError: the evaluation has no such metric.
        """
        return self._formula(metric).value

    def formulas(self) -> dict[str, str]:
        """For each metric, by its label, its formula with names and with values.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]})
            >>> truth = pl.DataFrame({"user": [1, 1], "item": ["b", "c"]})
            >>> trace = rm.evaluate(recs, truth, ["ndcg@2", "recall@2"]).trace(user=1)
            >>> trace.formulas()["ndcg@2"]
            'ndcg@2 = dcg_by_rank@2 / ideal_dcg@2 = 0.6309 / 1.6309 = 0.3869'
        """
        return {label: str(one) for label, one in self._formulas.items()}

    def parts(self) -> dict[str, str]:
        """For each part of a formula, by its name, its value and its SQL over the rows of a stage."""
        return {part.name: str(part) for part in self._parts}

    # --- computed -----------------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> Places:
        return places_of(self._plan)

    @cached_property
    def _measured(self) -> tuple[dict[str, Formula], list[Part]]:
        """The formulas and their parts, from one query over what is measured of the list."""
        plan = self._plan.plan
        formulas = plan.formulas
        values = {metric.label: formulas.lists.values[metric.label] for metric in self.metrics}
        read = dict.fromkeys(column.name for one in values.values() for column in tree.find(one, exp.Column))
        cases = [Cases(metric, values[metric.label]) for metric in self.metrics]
        asked: dict[tuple[str, str], exp.Expr] = {("value", label): one for label, one in values.items()}
        asked |= {("part", name): tree.column(name) for name in read}
        asked |= {("probe", name): one for each in cases for name, one in each.probes.items()}
        found = self._plan.of_list({f"{kind} {name}": one for (kind, name), one in asked.items()})
        of = {
            kind: {name: found[f"{k} {name}"] for k, name in asked if k == kind} for kind in ("value", "part", "probe")
        }
        made = {one.metric.label: one.formula(of["part"], of["probe"], of["value"][one.metric.label]) for one in cases}
        steps = {sums_name(plan.question, key): sums for key, sums in formulas.lists.sums.items()}
        parts = {name: value for name, value in of["part"].items() if name in formulas.lists.parts}
        return made, parts_of(formulas, parts, steps)

    @property
    def _formulas(self) -> dict[str, Formula]:
        return self._measured[0]

    @property
    def _parts(self) -> list[Part]:
        return self._measured[1]

    def _formula(self, metric: str | Metric) -> Formula:
        found = self._formulas.get(metric.label if isinstance(metric, Metric) else metric)
        if found is None:
            known = [*self._formulas]
            raise MetricError(
                f"The trace has no {str(metric)!r}: it has {names(known)}.{did_you_mean(str(metric), known)}"
            )
        return found

    def notes(self) -> list[str]:
        """Sentences that explain the rows of `places`."""
        found = []
        if self.places()["item"].null_count() == self.places().height:
            missing = ", ".join(self._plan.plan.question.missing)
            found.append(
                f"The list has no recommendations. With missing={missing}, it scores 0 where a metric is defined."
            )
        if others := in_other_orders(self._plan):
            found.append(
                f"The list is shown in the order of {self.metrics[0].label}. Other orders: "
                f"{names(other.label for other in others)}; trace them in an evaluation of their own."
            )
        return found

    # --- printing -----------------------------------------------------------------------------------------------------

    def _table(self) -> tuple[TextTable, int]:
        """The rows that are printed, and how many are left out."""
        from rankmetrics.tables import TextTable

        places = self._places
        frame = places.frame
        if frame.height > PRINTED:
            import polars as pl

            frame = frame.filter(pl.col("relevant").fill_null(value=False) | (pl.int_range(pl.len()) < PRINTED // 2))
            frame = frame.head(PRINTED)
        of_items = [*places.keys, *places.of_items]
        columns = [*of_items, *places.terms, *places.of_ideal, *places.ideal_terms]
        rows = [self._row(one) for one in frame.iter_rows(named=True)]
        return TextTable.of_rows(columns, rows, n_keys=2), places.frame.height - frame.height

    def _row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row of the places as it is printed: terms with their running sums, blanks where a rank adds nothing."""
        places = self._places
        terms = (*places.terms, *places.ideal_terms)
        shown = {name: "" if value is None else value for name, value in row.items()}
        shown["relevant"] = "yes" if row["relevant"] else ""
        return {**shown, **{name: _term(row[name], row[f"{name}{SUM}"]) for name in terms}}

    def _lines(self) -> Iterator[str]:
        """The formulas, then their parts."""
        yield from self.formulas().values()
        yield ""
        yield from self.parts().values()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        from rankmetrics.tables import note_text

        yield Text(str(self._plan.choice), style="bold")
        table, left = self._table()
        yield table
        if left:
            yield Text(f"{left:,} more ranks: places() has them all\n", style="dim")
        for note in self.notes():
            yield note_text(note)
        for line in self._lines():
            yield Text(line, overflow="fold")

    def __repr__(self) -> str:
        from rankmetrics.tables import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        table, left = self._table()
        more = [f"{left:,} more ranks: places() has them all"] if left else []
        notes = [str(self._plan.choice), *more, *self.notes(), *filter(None, self._lines())]
        return table.as_html(notes, "Formulas")


def _term(value: float | None, total: float | None) -> str:
    """What a rank adds to a sum, and the sum so far; blank where it adds nothing."""
    return "" if not value else f"{_number(value)} → {_number(total or 0)}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e15 else f"{value:.4f}"


def trace_list(queries: Queries, asked: Mapping[str, Any]) -> Trace:
    """The trace of the list whose list columns have these values.

    Raises:
        InputError: no list has these values, or several have.
        MetricError: every metric is a number of a system.
    """
    refuse_no_lists(queries.question)
    return Trace(plan_list(queries, find_list(queries, asked)))
