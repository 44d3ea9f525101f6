"""A list place by place: its items, the gains of its hits, the terms of each sum, and the ideal list beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from sqlglot import exp

from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner import StageKey, settled, sums_name
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.parameters import bind
from rankmetrics.traces.list_plan import ListPlan, has_rank

if TYPE_CHECKING:
    from collections.abc import Mapping

# The columns of a hit that a choice of a parameter may read, such as those of `gain` and `discount`.
OF_HITS = frozenset({"rank", "rating"})

# What the name of a column of running sums ends in.
SUM = " sum"


@dataclass(frozen=True)
class Places:
    """The rows of a list.

    Attributes:
        frame: a row per rank.
        keys: the columns that say what stands at a rank.
        of_items: the columns about the recommended item.
        terms: the columns of terms, each with a column of running sums that ends in `sum`.
        of_ideal: the columns about the ideal list.
        ideal_terms: the columns of terms of the ideal list.
    """

    frame: pl.DataFrame
    keys: tuple[str, ...]
    of_items: tuple[str, ...]
    terms: tuple[str, ...]
    of_ideal: tuple[str, ...]
    ideal_terms: tuple[str, ...]


def places_of(plan: ListPlan) -> Places:
    """The rows of the list, by their ranks."""
    items = _items(plan)
    ideal = _ideal(plan)
    terms, ideal_terms = _terms(plan)
    frame = items.join(ideal, on="rank", how="full", coalesce=True)
    for term in (*terms, *ideal_terms):
        frame = frame.join(term, on="rank", how="full", coalesce=True)
    of_terms = [term.columns[1:] for term in terms]
    of_ideal_terms = [term.columns[1:] for term in ideal_terms]
    summed = [name for names in (*of_terms, *of_ideal_terms) for name in names]
    frame = frame.sort("rank", nulls_last=True)
    frame = frame.with_columns(
        pl.col(name).fill_null(0).cum_sum().alias(f"{name}{SUM}") for name in summed if name in frame.columns
    )
    of_items = [column for column in items.columns if column not in ("rank", "item")]
    paired = [f"{name}{end}" for names in of_terms for name in names for end in ("", SUM)]
    of_ideal = ideal.columns[1:]
    ideal_paired = [f"{name}{end}" for names in of_ideal_terms for name in names for end in ("", SUM)]
    return Places(
        frame.select("rank", "item", *of_items, *paired, *of_ideal, *ideal_paired),
        ("rank", "item"),
        tuple(of_items),
        tuple(name for names in of_terms for name in names),
        tuple(of_ideal),
        tuple(name for names in of_ideal_terms for name in names),
    )


def _columns(*names: str) -> dict[str, exp.Expr]:
    return {name: tree.column(name) for name in names}


def _items(plan: ListPlan) -> pl.DataFrame:
    """The recommended items by rank: score, whether the item is a hit, its rating and what it adds."""
    layout, shown = plan.plan.question.layout, plan.shown
    frame = plan.of_stage(shown["recommended"], _columns("item", "rank"))
    if layout.recs.score is not None:
        scores = plan.of_stage(shown["ranked"], _columns("item", "rank", "score")).sort("rank")
        exact = scores.unique(["item", "rank"], keep="first")
        first = scores.unique("item", keep="first").select("item", first="score")
        frame = frame.join(exact, on=["item", "rank"], how="left").join(first, on="item", how="left")
        frame = frame.with_columns(score=pl.coalesce("score", "first")).drop("first")
    rating = _columns("rating") if layout.truth.rating is not None else {}
    choices = dict(_choices(plan))
    hits = plan.of_stage(shown["hits"], {**_columns("item", "rank"), **rating, **choices})
    hits = hits.unique(["item", "rank"], keep="first").with_columns(relevant=pl.lit(value=True))
    frame = frame.join(hits.select("item", "rank", "relevant", *rating, *choices), on=["item", "rank"], how="left")
    return frame.with_columns(pl.col("relevant").fill_null(value=False), pl.col("rank").cast(pl.Int64))


def _choices(plan: ListPlan) -> Iterator[tuple[str, exp.Expr]]:
    """What the chosen gains, discounts and other parameters make of a hit, each by the name of the parameter."""
    question = plan.plan.question
    found: dict[str, dict[str, tuple[str, exp.Expr]]] = {}
    for metric in question.of_lists:
        values = settled(metric, question.layout)
        for name, parameter in catalog().parameters(metric.name).items():
            if name not in metric.active or not _weighs_hits(parameter):
                continue
            chosen = parameter.expressions[str(values[name])]
            numbers = {one: values[one] for one in tree.placeholders(chosen)}
            bound = bind(chosen, numbers, catalog().optional)  # type: ignore[arg-type]  # all of them are numbers
            found.setdefault(name, {})[bound.sql()] = f"{name}={values[name]}", bound
    for expressions in sorted(found.values(), key=_reads_rank):
        different = list(expressions.values())
        for choice, one in different:
            yield (choice.partition("=")[0] if len(different) == 1 else choice), one


def _reads_rank(expressions: Mapping[str, tuple[str, exp.Expr]]) -> bool:
    """Whether a parameter weighs ranks, as a discount does: it comes after the gains."""
    return any("rank" in tree.columns_read(one) for _, one in expressions.values())


def _weighs_hits(parameter: Parameter) -> bool:
    """Whether the choices of a parameter are numbers that follow from the rating or the rank of a hit."""
    choices = parameter.expressions.values()
    read = {column for choice in choices for column in tree.columns_read(choice)}
    are_numbers = not any(isinstance(choice, (exp.Predicate, exp.Boolean)) for choice in choices)
    return not parameter.policy and are_numbers and bool(read) and read <= OF_HITS


def _ideal(plan: ListPlan) -> pl.DataFrame:
    """The ideal list by rank: the relevant items, those of the highest rating first."""
    layout = plan.plan.question.layout
    has_rating = layout.truth.rating is not None
    found = plan.of_stage(plan.shown["relevant"], _columns("item", "rating"))
    found = found.group_by("item").agg(pl.col("rating").max())
    found = found.sort("rating", "item", descending=[True, False])
    found = found.select("item", *(["rating"] if has_rating else [])).rename(lambda name: f"ideal {name}")
    found = found.with_row_index("rank", offset=1).with_columns(pl.col("rank").cast(pl.Int64))
    depth = plan.plan.question.depth
    return found if depth is None else found.head(depth)


# --- terms ------------------------------------------------------------------------------------------------------------


def _terms(plan: ListPlan) -> tuple[list[pl.DataFrame], list[pl.DataFrame]]:
    """The terms of sums by rank: those over the recommendations of the list, and those over its ideal list."""
    of_items, of_ideal = list[pl.DataFrame](), list[pl.DataFrame]()
    formulas, question = plan.plan.formulas, plan.plan.question
    for key, sums in formulas.lists.sums.items():
        step, side = sums_name(question, key), _side(plan, key)
        read = {name: _columns_of(one, step) for name, one in formulas.lists.parts.items()}
        added = {name: found for name, columns in read.items() if (found := _only_sum(sums, columns)) is not None}
        if side is None or not added:
            continue
        rows = plan.of_stage(key, {"rank": tree.column("rank"), **added}, by="rank")
        rows = rows.with_columns(pl.col("rank").cast(pl.Int64), pl.col(*added).cast(pl.Float64))
        (of_items if side == "items" else of_ideal).append(rows)
    return of_items, of_ideal


def _columns_of(measured: exp.Expr, step: str) -> list[str]:
    """The sums of a step that a part is computed from."""
    return [column.name for column in tree.find(measured, exp.Column) if column.table == step]


def _only_sum(sums: Mapping[str, exp.Expr], columns: Sequence[str]) -> exp.Expr | None:
    """The one aggregate of a part that adds up over ranks; beside a sum, counts only decide whether it is defined."""
    found = [sums[column] for column in columns if adds_up(sums[column])]
    if len(found) > 1:
        found = [one for one in found if isinstance(aggregation.unfiltered(one), exp.Sum)]
    return found[0] if len(found) == 1 else None


def adds_up(aggregate: exp.Expr) -> bool:
    """Whether an aggregate is a sum over rows, or a count of rows: the sum of what it is for each rank."""
    bare = aggregation.unfiltered(aggregate)
    return isinstance(bare, (exp.Sum, exp.Count)) and not isinstance(bare.this, exp.Distinct)


def _side(plan: ListPlan, key: StageKey) -> str | None:
    """Whether the ranks of a stage are those of the list ("items") or of the ideal list ("ideal"); None for others."""
    if not has_rank(key):
        return None
    offered = {*plan.plan.stages[key].ids}
    if offered & {"list_id"}:
        return "items" if _is_in_order(plan, dict(key.settings)) else None
    return "ideal" if offered <= {"truth_id"} else None


def _is_in_order(plan: ListPlan, settings: Mapping[str, object]) -> bool:
    """Whether a stage ranks the list as it is shown."""
    shown = dict(plan.shown["recommended"].settings)
    return all(settings[name] == value for name, value in shown.items() if name in settings)


def in_other_orders(plan: ListPlan) -> Sequence[Metric]:
    """The metrics that rank the list in another order than it is shown in: by other ties, or without repeats."""
    question = plan.plan.question
    return [metric for metric in question.of_lists if not _is_in_order(plan, settled(metric, question.layout))]
