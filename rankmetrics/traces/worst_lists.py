"""The lists on which a system does worst: by the value of a metric, or by what it loses against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from rankmetrics.comparisons.comparison import Baseline, baseline_values
from rankmetrics.errors import InputError, MetricError, choices_for
from rankmetrics.metrics.metric import Metric
from rankmetrics.options import whole_number
from rankmetrics.planner import Cte, number_label
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.ids import expand_ids
from rankmetrics.sqltree.names import free_heading, unnamed
from rankmetrics.sqltree.steps import read_steps
from rankmetrics.tables import Answer, TextTable
from rankmetrics.traces.trace import equal, hits_like, known_values, run

if TYPE_CHECKING:
    import polars as pl

# The lists of each system, numbered from the worst; with a baseline, next to its lists.
NUMBERED = """
SELECT of_system.list_id, ROW_NUMBER() OVER (
  PARTITION BY of_system.system_id
  ORDER BY :loss DESC NULLS LAST, :missed DESC NULLS LAST, of_system.list_id NULLS LAST
) AS place
FROM lists AS of_system
INNER JOIN lists AS of_baseline ON of_system.truth_id = of_baseline.truth_id AND :is_baseline
WHERE :is_lost AND :is_system
"""


class WorstLists(Answer):
    """The worst lists of each system, computed; the worst list comes first.

    Lists with the same value are in the order of their missed relevant items: most of them first.
    """

    def __init__(self, frame: pl.DataFrame, n_keys: int, what: str) -> None:
        self._frame, self._n_keys, self._what = frame, n_keys, what

    def collect(self) -> pl.DataFrame:
        """The rows as a Polars frame.

        Columns: the list columns; the metric under its label; with a baseline, the baseline's value under
        `ndcg@10 baseline` and `loss`, above 0; then of each list `n_relevant`, the relevant items, `n_history`, the
        items of its history (if there is one), and `first_hit`, the rank of its first hit in the whole list, NULL
        where it has none. With `ties="expected"`, a list has no first hit, and these three columns are left out.
        """
        return self._frame

    def _notes(self) -> list[str]:
        return [self._what]

    def _tables(self) -> list[TextTable]:
        return [TextTable.of_rows(self._frame.columns, self._frame.to_dicts(), self._n_keys)]


def worst_lists(
    queries: Queries, metric: str | Metric, baseline: Baseline | None, n: int, system: Baseline | None
) -> WorstLists:
    """The n worst lists of each system, as Result.worst returns them."""
    chosen, layout = _metric(queries, metric), queries.layout
    whole_number("n", n)
    hits, numbers, plan = hits_like(chosen, layout), list[str](), None
    if layout.has_truth and layout.is_ranked:
        numbers = ["n_relevant", *(["n_history"] if "history" in layout.extras else []), "first_hit"]
        try:
            plan = queries.plan([*dict.fromkeys([chosen, hits])], numbers=numbers)
        except MetricError:  # these numbers have no mean over all orders of equal scores
            numbers = []
    plan = plan or queries.plan([chosen])
    value, other = tree.column(chosen.label, "of_system"), tree.column(chosen.label, "of_baseline")
    values: dict[str, exp.Expr] = {chosen.label: value}
    is_higher_better = chosen.better == "higher"
    loss: exp.Expr = exp.Neg(this=value.copy()) if is_higher_better else value
    if baseline is not None:
        better, worse = (other, value) if is_higher_better else (value, other)
        loss = exp.Sub(this=better.copy(), expression=worse.copy())
        for heading, column in {f"{chosen.label} baseline": other, "loss": loss}.items():
            values[free_heading(heading, [*layout.lists, *values])] = column
    for number in numbers:
        column = tree.column(number_label(number), "of_system")
        values[free_heading(number, [*layout.lists, *values])] = column
    missed = tree.column(number_label("n_relevant"), "of_system") - tree.column(hits.label, "of_system")
    numbered = tree.fill(
        NUMBERED,
        loss=loss,
        missed=missed if numbers else loss,
        is_lost=loss.copy() > 0 if baseline is not None else loss.copy().is_(exp.Null()).not_(),
        is_baseline=_is_system(queries, "of_baseline", baseline, "baseline"),
        is_system=_is_system(queries, "of_system", system, "system"),
    )
    assert isinstance(numbered, exp.Select)
    if baseline is None:
        numbered.set("joins", None)
    per_list, ids = plan.per_list_ctes(), ("list_id", "truth_id", "system_id")
    inside = plan.question.inside
    expand_ids(numbered, lambda column: {name: tree.column(name, column.table) for name in inside(column.name)}, ids)
    numbered = read_steps(numbered, {"lists": per_list[-1].name})
    numbered.select(*(tree.named(column.copy(), name) for name, column in values.items()), copy=False)
    step = Cte(plan.question.cte("numbered"), numbered, "one row per list, numbered from the worst of each system")
    columns = [*map(unnamed, layout.lists), *values]
    select = exp.select(*map(tree.column, columns)).from_(tree.table(step.name)).where(tree.column("place") <= n)
    in_order = [tree.column(name).asc(nulls_first=False) for name in (*map(unnamed, layout.systems), "place")]
    frame = run(queries, plan, [*per_list, step], select.order_by(*in_order), [*layout.lists, *values])
    what = (
        f"the lists with the worst {chosen.label}" if baseline is None else f"the lists that lose most {chosen.label}"
    )
    more = "; of equal lists, those that miss more relevant items first" if numbers else ""
    return WorstLists(frame, len(layout.lists), f"{what}, the worst first{more}")


def _metric(queries: Queries, requested: str | Metric) -> Metric:
    """The metric of lists of the evaluation that has this label, or is this metric; refuses one without a direction."""
    question = queries.question
    question.refuse_no_lists()
    metrics = {metric.label: metric for metric in question.of_lists}
    known = metrics.get(requested.label if isinstance(requested, Metric) else requested)
    if known is None:
        choices = choices_for(requested, metrics)
        raise MetricError(f"The evaluation has no metric {str(requested)!r} of lists: it has {choices}")
    if known.better == "neither":
        raise MetricError(f"No list is the worst by {known.label}: neither high nor low values of it are better.")
    return known


def _is_system(queries: Queries, table: str, system: Baseline | None, option: str) -> exp.Expr:
    """The condition that a list of a table is one of a system, which must be known; any list without a system."""
    layout = queries.layout
    if system is None:
        return exp.true()
    if not layout.systems:
        raise InputError("There is no system to choose: the truth has every list column, so there is one system.")
    values = baseline_values(system, layout.systems, layout.recs_types, option)
    tests = []
    for name, value in zip(layout.systems, values, strict=True):
        known = known_values(queries, name)
        if str(value) not in known:
            raise InputError(f"There is no system with {name}={value!r}: there are {choices_for(value, known)}")
        tests.append(equal(tree.column(unnamed(name), table), name, value, layout.recs_types[name]))
    return exp.and_(*tests, copy=False)
