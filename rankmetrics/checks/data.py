"""Refuses data that would make every number meaningless, with samples of both inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from rankmetrics.errors import DataError, Option
from rankmetrics.inputs.columns import BY_LIST, Layout
from rankmetrics.inputs.sources import called
from rankmetrics.inputs.types import ColumnType
from rankmetrics.metrics.metric import Metric
from rankmetrics.sqltree import tree

# The highest rank that a 64-bit float can tell from its neighbours.
HIGHEST_RANK = 2**53

# With a smaller share of lists in common, the ids of the inputs differ in form and a few match by chance.
LEAST_IN_COMMON = 0.01

Rows = Callable[[exp.Select], Sequence[tuple[object, ...]]]


def refuse(
    counts: Mapping[str, int], layout: Layout, tables: Mapping[str, exp.Expr], rows: Rows, duplicates: str
) -> None:
    """Refuse data whose numbers would look right and be wrong.

    Args:
        counts: the account's counts, summed over all systems.
        layout: the roles of the columns.
        tables: the inputs as they stand after FROM.
        rows: runs a query, for samples.
        duplicates: `error` refuses repeated items.

    Raises:
        DataError: no list or no item in common, broken ranks, infinite ratings, or repeats where they are refused.
    """
    sample = _Sampler(layout, tables, rows)
    if counts["lists_recommended"] == 0:
        raise DataError("There are no recommendations: every row has a NULL id, or there is no row.")
    if counts["truth_lists"] == 0:
        raise DataError("There is no truth: every row has a NULL id, or there is no row.")
    n_common, n_lists = counts["truth_lists_met"], min(counts["truth_lists"], counts["truth_lists_asked"])
    if n_common < LEAST_IN_COMMON * n_lists:
        found = "No list is" if n_common == 0 else f"Only {n_common:,} of {n_lists:,} lists are"
        raise DataError(
            f"{found} in both the recommendations and the truth, which share {', '.join(layout.truth_lists)}. "
            f"Recommendations have {sample.lists('recs')}; the truth has {sample.lists('truth')}."
        )
    if counts["items_recommended"] == counts["items_unjudged"] and not sample.any_item_in_common():
        raise DataError(
            f"No item is in both the recommendations and the truth. Recommendations have {sample.items('recs')}; "
            f"the truth has {sample.items('truth')}."
        )
    refuse_ranks(layout, tables, rows)
    if counts.get("lists_not_from_1"):
        raise _not_from_the_first(counts["lists_not_from_1"], layout, sample)
    if counts.get("recs_unranked"):
        raise DataError(
            f"{counts['recs_unranked']:,} recommendations have no rank in column {layout.recs.rank!r}, "
            f"such as in {sample.unranked()}."
        )
    if counts.get("ranks_repeated"):
        raise DataError(
            f"{counts['ranks_repeated']:,} ranks in column {layout.recs.rank!r} repeat within their list, such as in "
            f"{sample.repeated()}. Is a column missing that tells the lists apart? They are identified by "
            f"{', '.join(layout.lists)}."
        )
    if counts.get("truth_infinite"):
        raise DataError(
            f"{counts['truth_infinite']:,} rows of the truth have an infinite rating, such as in {sample.infinite()}. "
            "Leave them out, or give them the highest rating of the scale."
        )
    for name in layout.extras:
        _refuse_extra(name, counts, layout, sample)
    repeats = counts["recs_repeated"] + counts["truth_repeated"]
    if duplicates == "error" and repeats:
        samples = [
            sample.repeats(table) for table, n in (("recs", "recs_repeated"), ("truth", "truth_repeated")) if counts[n]
        ]
        raise DataError(
            Option("duplicates", "error"),
            f", and there are repeats: {counts['recs_repeated']:,} recommendations of an item "
            f"that their list has already, {counts['truth_repeated']:,} rows of the truth, such as in "
            f"{'; '.join(samples)}. ",
            Option("duplicates", "count"),
            " credits each item once.",
        )


def _not_from_the_first(n_lists: int, layout: Layout, sample: _Sampler) -> DataError:
    """The error for lists whose ranks do not start where they should."""
    other: tuple[str | Option, ...] = (".",)
    if layout.rank_from == 1:
        other = ("; if they count from 0, say so: ", Option("rank_from", 0), ".")
    return DataError(
        f"The ranks of {n_lists:,} lists in column {layout.recs.rank!r} do not start at {layout.rank_from}, such as "
        f"those of {sample.misranked()}. Ranks count from {layout.rank_from}",
        *other,
    )


def refuse_ranks(layout: Layout, tables: Mapping[str, exp.Expr], rows: Rows, *, every_type: bool = False) -> None:
    """Refuse ranks that are not whole numbers from 1, where the type of their column allows other numbers.

    Args:
        layout: the roles of the columns.
        tables: the inputs as they stand after FROM.
        rows: runs a query.
        every_type: check columns of every type, because the engine failed.

    Raises:
        DataError: a rank has a fraction, is no number, or is beyond 2^53, where floats skip whole numbers.
    """
    rank = layout.recs.rank
    if rank is None or not (every_type or _is_wide(layout.recs_types[rank])):
        return
    sample = _Sampler(layout, tables, rows)
    if found := sample.beyond(rank):
        raise DataError(f"Some ranks in column {rank!r} are not whole numbers from 1 to {HIGHEST_RANK:,}: {found}.")
    if layout.recs_types[rank].family == "float" and (found := sample.fractional(rank)):
        raise DataError(f"Some ranks in column {rank!r} are not whole, such as {found}.")


def _is_wide(kind: ColumnType) -> bool:
    """Whether a number of this type may be no whole number of 64 bits."""
    return kind.family == "float" or bool(
        re.search("128|256|huge|uint64|ubigint|unsigned|decimal|numeric|number", kind.name.lower())
    )


def refuse_repeats(metrics: Sequence[Metric], layout: Layout, tables: Mapping[str, exp.Expr], rows: Rows) -> None:
    """Refuse items that a list or its truth repeats, where a metric has duplicates=refused, as RecTools' have.

    Raises:
        DataError: there are such items.
    """
    refusing = [metric.label for metric in metrics if metric.values.get("duplicates") == "refused"]
    if not refusing:
        return
    sample = _Sampler(layout, tables, rows)
    repeats = [
        f"in the {called(table)} in {found}"
        for table in ("recs", "truth")
        if (found := sample.repeats(table)) != "nothing"
    ]
    if repeats:
        raise DataError(
            f"{refusing[0]} refuses items that repeat (duplicates=refused): the library counts each of them again. "
            f"There are some, such as {' and '.join(repeats)}. Keep one row of each list and item on both sides, or "
            "count each item once: duplicates=once on the metric."
        )


# For each input of items and each role in it: the count of recommended items that the input lacks.
UNKNOWN = {
    "catalog": {"item": "items_outside_catalog"},
    "similarity": {"similarity": "items_without_similarity"},
    "items": {"category": "items_without_category", "popularity": "items_without_popularity"},
    "embeddings": {"embedding": "items_without_embedding"},
}


def _refuse_extra(name: str, counts: Mapping[str, int], layout: Layout, sample: _Sampler) -> None:
    """Refuse an input that has no list, or no item, of the recommendations."""
    if name in BY_LIST:
        if counts[f"{name}_lists"] == 0:
            raise DataError(f"There is no {name}: every row has a NULL id, or there is no row.")
        if counts[f"{name}_lists_met"] == 0:
            raise DataError(
                f"No list is in both the recommendations and the {name}, which share "
                f"{', '.join(layout.side(name).lists)}. Recommendations have {sample.lists('recs')}; the {name} has "
                f"{sample.lists(name)}."
            )
        return
    if counts.get("embeddings_unequal") and name == "embeddings":
        raise DataError(
            f"The embeddings of {counts['embeddings_unequal']:,} items have fewer numbers than those of others: they "
            "must all have the same length, because they are compared number by number."
        )
    there = "items" if name == "embeddings" else name
    for role, count in UNKNOWN[name].items():
        if getattr(layout.side(name).roles, role) and counts[count] == counts["items_recommended"]:
            named = "" if there != "items" else f" with a value in its {role} column"
            raise DataError(
                f"No recommended item is in the {there}{named}. "
                f"Recommendations have {sample.items('recs')}; the {there} {'have' if there == 'items' else 'has'} "
                f"{sample.items(there)}."
            )


class _Sampler:
    """Samples for messages: the first three keys in order, so that the same fault always gives the same message."""

    def __init__(self, layout: Layout, tables: Mapping[str, exp.Expr], rows: Rows) -> None:
        self._layout, self._tables, self._rows = layout, tables, rows

    def _some(self, table: str, columns: Sequence[str], having: exp.Expr | None = None, *more: str) -> str:
        named = [tree.given(column) for column in columns]
        select = exp.select(*named).from_(self._tables[table].copy()).limit(3)
        for column in named:
            select = select.where(column.is_(exp.Null()).not_())
        select = select.group_by(*named, *[tree.given(column) for column in more]).order_by(*named)
        if having is not None:
            select = select.having(having)
        found = [row[0] if len(row) == 1 else row for row in self._ask(select)]
        return ", ".join(map(repr, found)) or "nothing"

    def _ask(self, select: exp.Select) -> Sequence[tuple[object, ...]]:
        tree.quote(select)
        return self._rows(select)

    def lists(self, table: str) -> str:
        return self._some(table, self._layout.truth_lists if table == "recs" else self._layout.side(table).list_columns)

    def items(self, table: str) -> str:
        return self._some(table, [str(self._layout.side(table).roles.item)])

    def any_item_in_common(self) -> bool:
        truth = exp.select(tree.given(str(self._layout.truth.item))).from_(self._tables["truth"].copy())
        item = tree.given(str(self._layout.recs.item))
        select = (
            exp.select(item).from_(self._tables["recs"].copy()).where(exp.In(this=item.copy(), query=truth.subquery()))
        )
        return bool(self._ask(select.limit(1)))

    def misranked(self) -> str:
        first = exp.Min(this=tree.given(str(self._layout.recs.rank)))
        return self._some(
            "recs", self._layout.lists, exp.NEQ(this=first, expression=tree.literal(self._layout.rank_from))
        )

    def unranked(self) -> str:
        ranks = exp.Count(this=tree.given(str(self._layout.recs.rank)))
        items = exp.Count(this=tree.given(str(self._layout.recs.item)))
        return self._some("recs", self._layout.lists, exp.LT(this=ranks, expression=items))

    def repeated(self) -> str:
        return self._some("recs", self._layout.lists, _several_rows(), str(self._layout.recs.rank))

    def repeats(self, table: str) -> str:
        roles, lists = (
            (self._layout.recs, self._layout.lists)
            if table == "recs"
            else (self._layout.truth, self._layout.truth_lists)
        )
        return self._some(table, lists, _several_rows(), str(roles.item))

    def infinite(self) -> str:
        highest = exp.Max(this=exp.Abs(this=tree.given(str(self._layout.truth.rating))))
        infinity = exp.cast(exp.Literal.string("Infinity"), exp.DType.DOUBLE)
        return self._some("truth", self._layout.truth_lists, exp.EQ(this=highest, expression=infinity))

    def fractional(self, rank: str) -> str:
        """Ranks that are not whole."""
        column = tree.given(rank)
        whole = exp.EQ(this=exp.Max(this=column), expression=exp.Floor(this=exp.Max(this=column.copy())))
        found = self._some("recs", [rank], exp.Not(this=whole))
        return "" if found == "nothing" else found

    def beyond(self, rank: str) -> str:
        """A row whose rank is too high, too low or no number, as `user = 1, item = 2, rank = 1e300`."""
        column = exp.cast(tree.given(rank), exp.DType.DOUBLE)
        bounds = (exp.cast(exp.Literal.string(str(sign * HIGHEST_RANK)), exp.DType.DOUBLE) for sign in (-1, 1))
        within = exp.Between(this=column, low=next(bounds), high=next(bounds))
        columns = [*self._layout.lists, str(self._layout.recs.item), rank]
        named = [
            exp.cast(tree.given(column), exp.DType.DOUBLE) if column == rank else tree.given(column)
            for column in columns
        ]
        select = exp.select(*named).from_(self._tables["recs"].copy())
        select = select.where(tree.given(rank).is_(exp.Null()).not_(), exp.Not(this=within)).limit(1)
        found = self._ask(select)
        return ", ".join(f"{name} = {value!r}" for name, value in zip(columns, found[0], strict=True)) if found else ""


def _several_rows() -> exp.Expr:
    return exp.GT(this=exp.Count(this=exp.Star(), big_int=True), expression=exp.Literal.number(1))
