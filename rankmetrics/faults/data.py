"""Refuses data that would make every number meaningless, with samples of both inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from rankmetrics.errors import DataError, Message, Option, counted
from rankmetrics.faults.faults import faults_of, refusing, required_of
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import called
from rankmetrics.metrics.metric import Metric
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import after_from

# The highest rank that a 64-bit float can tell from its neighbours.
HIGHEST_RANK = 2**53

Rows = Callable[[exp.Select], Sequence[tuple[object, ...]]]


def refuse(
    counts: Mapping[str, int],
    layout: Layout,
    tables: Mapping[str, exp.Expr],
    rows: Rows,
    duplicates: str,
    metrics: Sequence[Metric] = (),
) -> None:
    """Refuse data whose numbers would look right and be wrong.

    Args:
        counts: the account's counts, summed over all systems.
        layout: the roles of the columns.
        tables: the inputs as they stand after FROM.
        rows: runs a query, for samples.
        duplicates: `error` refuses repeated items.
        metrics: the metrics; some refuse repeated items, too.

    Raises:
        DataError: no list or no item in common, broken ranks, infinite ratings, or repeats where they are refused.
    """
    found = {fault.name for fault in faults_of(layout, required_of(metrics, duplicates)) if fault.is_in(counts)}
    case = _Case(counts, layout, _Sampler(layout, tables, rows), duplicates, refusing(metrics))
    for name, message_of in MESSAGES.items():
        if name in found:
            raise DataError(*message_of(case).parts, page=page_of_fault(name))


def refuse_ranks(layout: Layout, tables: Mapping[str, exp.Expr], rows: Rows) -> None:
    """Refuse ranks that are not whole numbers from 1, by a query of their own: the engine failed to count them.

    Raises:
        DataError: a rank has a fraction, is no number, or is beyond 2^53, where floats skip whole numbers.
    """
    if layout.recs.rank is not None and (message := _broken_ranks(layout, _Sampler(layout, tables, rows))):
        raise DataError(*message.parts, page=page_of_fault("ranks_not_whole"))


def page_of_fault(name: str) -> str:
    """The heading that explains a fault of sql/faults: its name, in the page of messages.

    >>> page_of_fault("no_list_in_common")
    'messages/#no-list-in-common'
    """
    return f"messages/#{name.replace('_', '-')}"


@dataclass(frozen=True)
class _Case:
    """What the message of an error is made of."""

    counts: Mapping[str, int]
    layout: Layout
    sample: _Sampler
    duplicates: str
    refusing: Sequence[Metric]


def _no_list_in_common(case: _Case) -> Message:
    counts, sample = case.counts, case.sample
    n_common, n_lists = counts["truth_lists_met"], min(counts["truth_lists"], counts["truth_lists_asked"])
    found = "No list is" if n_common == 0 else f"Only {n_common:,} of {n_lists:,} lists are"
    return Message(
        f"{found} in both the recommendations and the truth, which share {', '.join(case.layout.truth_lists)}. "
        f"Recommendations have {sample.lists('recs')}; the truth has {sample.lists('truth')}."
    )


def _no_item_in_common(case: _Case) -> Message:
    return Message(
        f"No item is in both the recommendations and the truth. Recommendations have {case.sample.items('recs')}; "
        f"the truth has {case.sample.items('truth')}."
    )


def _ranks_not_whole(case: _Case) -> Message:
    found = _broken_ranks(case.layout, case.sample)
    return found or Message(f"Some ranks in column {case.layout.recs.rank!r} are not whole numbers.")


def _broken_ranks(layout: Layout, sample: _Sampler) -> Message | None:
    """The message for ranks that are no whole numbers, with an example; None if no rank is broken."""
    rank = str(layout.recs.rank)
    if found := sample.beyond(rank):
        return Message(f"Some ranks in column {rank!r} are not whole numbers from 1 to {HIGHEST_RANK:,}: {found}.")
    if layout.recs_types[rank].is_wide and (found := sample.fractional(rank)):
        return Message(f"Some ranks in column {rank!r} are not whole, such as {found}.")
    return None


def _ranks_not_from_1(case: _Case) -> Message:
    layout = case.layout
    other: tuple[str | Option, ...] = (".",)
    if layout.rank_from == 1:
        other = ("; if they count from 0, set ", Option("rank_from", 0), ".")
    return Message(
        f"The ranks of {counted(case.counts['lists_not_from_1'], 'list', 'lists')} in column {layout.recs.rank!r} do "
        f"not start at {layout.rank_from}, such as those of {case.sample.misranked()}. Ranks count from "
        f"{layout.rank_from}",
        *other,
    )


def _ranks_missing(case: _Case) -> Message:
    return Message(
        f"{counted(case.counts['recs_unranked'], 'recommendation has', 'recommendations have')} no rank in column "
        f"{case.layout.recs.rank!r}, such as in {case.sample.unranked()}."
    )


def _ranks_repeated(case: _Case) -> Message:
    n, column = case.counts["ranks_repeated"], f"column {case.layout.recs.rank!r}"
    return Message(
        f"{counted(n, f'rank in {column} repeats', f'ranks in {column} repeat')} within their list, such "
        f"as in {case.sample.repeated()}. Is a column missing that tells the lists apart? They are identified by "
        f"{', '.join(case.layout.lists)}."
    )


def _ratings_infinite(case: _Case) -> Message:
    return Message(
        f"{counted(case.counts['truth_infinite'], 'row of the truth has', 'rows of the truth have')} an infinite "
        f"rating, such as in {case.sample.infinite()}. Leave out infinite ratings, or replace them by the highest "
        "rating of the scale."
    )


def _empty(name: str) -> Callable[[_Case], Message]:
    """The message for an input without rows."""
    return lambda _: Message(f"There {name}: the table has no rows, or every row has a NULL id.")


def _no_list_in(name: str) -> Callable[[_Case], Message]:
    """The message for a history or a baseline that shares no list with the recommendations."""

    def message(case: _Case) -> Message:
        return Message(
            f"No list is in both the recommendations and the {name}, which share "
            f"{', '.join(case.layout.side(name).lists)}. Recommendations have {case.sample.lists('recs')}; the {name} "
            f"has {case.sample.lists(name)}."
        )

    return message


def _no_item_in(there: str, role: str = "") -> Callable[[_Case], Message]:
    """The message for an input that has no recommended item, or none with a value of a role."""

    def message(case: _Case) -> Message:
        named = f" with a value in its {role} column" if role else ""
        return Message(
            f"No recommended item is in the {there}{named}. "
            f"Recommendations have {case.sample.items('recs')}; the {there} {'have' if there == 'items' else 'has'} "
            f"{case.sample.items(there)}."
        )

    return message


def _embeddings_unequal(case: _Case) -> Message:
    return Message(
        f"The embeddings of {counted(case.counts['embeddings_unequal'], 'item', 'items')} have fewer numbers than the "
        "longest embedding. "
        "All embeddings must have the same length, because they are compared number by number."
    )


def _lists_without_negatives(case: _Case) -> Message:
    n = case.counts["lists_without_negatives"]
    if case.layout.negatives is None:
        return Message(
            f"{counted(n, 'list has', 'lists have')} no candidate beside the items of their truth. Among relevant "
            f"items alone, each item ranks first. Candidates have {case.sample.lists('candidates')}. Add candidates "
            "for each list of the truth, or leave out lists without other candidates."
        )
    return Message(
        f"No item can be drawn for {counted(n, 'list', 'lists')}: the truth and the history of the list have all "
        "items of the catalogue. Give a larger ",
        Option("catalog"),
        ", or leave such lists out of the truth.",
    )


def _negatives_unranked(case: _Case) -> Message:
    counts = case.counts
    return Message(
        f"{counted(counts['lists_with_unranked_negatives'], 'list does', 'lists do')} not rank all of their "
        "negatives. Relevant items would rank too high among the others. Give recommendations with a score for every "
        "candidate of a list, not only "
        "for its first items."
    )


def _repeated(case: _Case) -> Message:
    counts, sample = case.counts, case.sample
    of_tables = {"recs": "recs_repeated", "truth": "truth_repeated"}
    samples = {table: sample.repeats(table) for table, n in of_tables.items() if counts[n]}
    if case.duplicates != "error":
        listed = " and ".join(f"in the {called(table)} in {found}" for table, found in samples.items())
        return Message(
            f"{case.refusing[0].label} refuses repeated items (duplicates=refused), because the library counts each of "
            f"them again. Items are repeated {listed}. Keep one row for each list and item in both inputs, or count "
            "each item once by duplicates=once on the metric."
        )
    return Message(
        Option("duplicates", "error"),
        f" refuses repeated items: {counted(counts['recs_repeated'], 'recommendation', 'recommendations')} and "
        f"{counted(counts['truth_repeated'], 'row', 'rows')} of the truth have an item that their list has already, "
        f"such as in {'; '.join(samples.values())}. ",
        Option("duplicates", "count"),
        " credits each item once.",
    )


# The message for each fault of sql/faults. If the data has several faults, the first of them here is raised.
MESSAGES: Mapping[str, Callable[[_Case], Message]] = {
    "no_recommendations": _empty("are no recommendations"),
    "no_truth": _empty("is no truth"),
    "no_list_in_common": _no_list_in_common,
    "no_item_in_common": _no_item_in_common,
    "ranks_not_whole": _ranks_not_whole,
    "ranks_not_from_1": _ranks_not_from_1,
    "ranks_missing": _ranks_missing,
    "ranks_repeated": _ranks_repeated,
    "ratings_infinite": _ratings_infinite,
    **{f"no_{name}": _empty(f"is no {name}") for name in ("history", "baseline")},
    **{f"no_list_in_{name}": _no_list_in(name) for name in ("history", "baseline")},
    "lists_without_negatives": _lists_without_negatives,
    "negatives_unranked": _negatives_unranked,
    "no_item_with_category": _no_item_in("items", "category"),
    "no_item_with_popularity": _no_item_in("items", "popularity"),
    "no_item_in_similarity": _no_item_in("similarity"),
    "no_item_in_catalog": _no_item_in("catalog"),
    "embeddings_unequal": _embeddings_unequal,
    "no_item_with_embedding": _no_item_in("items", "embedding"),
    "recommendations_repeated": _repeated,
    "truth_repeated": _repeated,
}


class _Sampler:
    """Samples for messages: the first three keys in order, so that the same fault always gives the same message."""

    def __init__(self, layout: Layout, tables: Mapping[str, exp.Expr], rows: Rows) -> None:
        self._layout, self._tables, self._rows = layout, tables, rows

    def _some(self, table: str, columns: Sequence[str], having: exp.Expr | None = None, *more: str) -> str:
        named = [tree.given(column) for column in columns]
        select = exp.select(*named).from_(after_from(self._tables[table], table)).limit(3)
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
        select = exp.select(*named).from_(after_from(self._tables["recs"], "recs"))
        select = select.where(tree.given(rank).is_(exp.Null()).not_(), exp.Not(this=within)).limit(1)
        found = self._ask(select)
        return ", ".join(f"{name} = {value!r}" for name, value in zip(columns, found[0], strict=True)) if found else ""


def _several_rows() -> exp.Expr:
    return exp.GT(this=exp.Count(this=exp.Star(), big_int=True), expression=exp.Literal.number(1))
