"""Finds which rows of rankings the metrics read: those of relevant items, or the first rows of each list, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from rankmetrics.errors import MetricError, Option, names
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner.plan import Plan
from rankmetrics.rankings.blocks import Need

# The stage of all items that share their score with another. For it, rankings hold those that share a hit's.
TIED = "tied_ranks"

# The stages that are exact over the rows of relevant items, the first and the last row of each list, by the stage or
# input that they read. Any other stage that reads one of these reads every row of a list.
EXACT: Mapping[str, frozenset[str]] = {
    "recs": frozenset({"ranked", "recommendations_with_pool", "recommended_lists", "systems"}),
    "ranked": frozenset({"recommended", TIED}),
    TIED: frozenset({"hits_in_ties", "tied_hits", "hit_chances"}),
    "recommended": frozenset({"matches", "judged_recommendations"}),
}

# The columns whose highest and lowest value are exact over these rows.
EXACT_ENDS = frozenset({"rank", "score", "pool"})

# How the names begin of further aggregates that are exact: whether the lowest score is below the highest, and the last
# rank.
EXACT_NAMES = ("scores_differ", "last_rank")

# The choices of `missing` under which no list without truth is measured.
OF_TRUTH = frozenset({"zero", "skip"})


def need_of(metrics: Sequence[Metric], plans: Sequence[Plan], ends_at: int | None) -> Need:
    """The rows that some metrics read.

    Args:
        metrics: the metrics.
        plans: the plan of a query for each metric alone.
        ends_at: the length at which the lists end; None for whole lists.

    Raises:
        MetricError: a metric without a cutoff reads every row of whole lists, or a metric takes all orders of equal
            scores into account and the lists were cut in one of them.
    """
    tied = [metric.label for metric, plan in zip(metrics, plans, strict=True) if _reads_ties(plan)]
    if tied and ends_at is not None:
        raise MetricError(
            f"{', '.join(tied)} takes all orders of equal scores into account, and these lists were cut in one order: "
            f"they end after {ends_at} items. Rank without ",
            Option("k", is_noun=True),
            ", and give the metrics a cutoff.",
        )
    deep = [metric for metric, plan in zip(metrics, plans, strict=True) if reads_every_row(plan)]
    cutoffs = {metric.label: metric.values.get("k") or ends_at for metric in deep}
    if whole := [label for label, k in cutoffs.items() if k is None]:
        raise MetricError(
            f"{names(whole)} would read every candidate of every user. Give a cutoff, such as @10, or let the lists "
            "end when you rank them: ",
            Option("k", 10),
            ".",
        )
    missing = {choice for plan in plans for choice in plan.question.missing}
    top = max((int(k) for k in cutoffs.values() if isinstance(k, int)), default=0)
    return Need(top=min(top, ends_at or top), only_truth=missing <= OF_TRUTH, ties=bool(tied))


def _reads_ties(plan: Plan) -> bool:
    return any(key.file == TIED for key in plan.requirements.stages)


def reads_every_row(plan: Plan) -> bool:
    """Whether a query reads rows of the recommendations other than hits, and each list's first and last."""
    for key, one in plan.requirements.stages.items():
        read = {name.partition(".")[0] for name in (*one.reads, *(t.name for t in one.select.find_all(exp.Table)))}
        if any(key.file not in EXACT[name] for name in read & EXACT.keys()):
            return True
    sums = [*plan.formulas.sums.values(), *plan.formulas.run_sums.values()]
    return any(not _is_exact(of.key.file, name, column) for of in sums for name, column in of.columns.items())


def _is_exact(stage: str, name: str, column: exp.Expr) -> bool:
    """Whether an aggregate over a stage is exact over these rows, as MAX(rank) of a whole list is."""
    is_end = isinstance(column, (exp.Max, exp.Min)) and {one.name for one in column.find_all(exp.Column)} <= EXACT_ENDS
    return stage not in (*EXACT, "recommendations_with_pool") or is_end or name.startswith(EXACT_NAMES)
