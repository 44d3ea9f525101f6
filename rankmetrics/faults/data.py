"""Refuses data that would make every number meaningless, with samples of both inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from rankmetrics.errors import DataError, Option, counted
from rankmetrics.faults.columns import Inputs, not_null, pairs_in_words, quoted
from rankmetrics.faults.faults import faults_of, refusing, required_of
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import called
from rankmetrics.metrics.metric import Metric

# The highest rank that a 64-bit float can tell from its neighbours.
HIGHEST_RANK = 2**53

# The words for no keys.
NOTHING = "nothing"

# The way out for a history that has none of the lists.
NEW_USERS = " If all lists are of new users, set ", Option("cold_start", True), "."

# Groups of several rows.
SEVERAL = "COUNT(*) > 1"

# A text, or texts and options.
Parts: TypeAlias = str | tuple[str | Option, ...]


def refuse(counts: Mapping[str, int], inputs: Inputs, duplicates: str, metrics: Sequence[Metric] = ()) -> None:
    """Refuse data whose numbers would look right and be wrong.

    Args:
        counts: the account's counts, summed over all systems.
        inputs: the inputs.
        duplicates: `error` refuses repeated items.
        metrics: the metrics; some refuse repeated items, too.

    Raises:
        DataError: no list or no item in common, broken ranks, infinite ratings, or repeats where they are refused.
    """
    faults = faults_of(inputs.layout, required_of(metrics, duplicates, inputs.layout))
    names = {fault.name for fault in faults if fault.is_in(counts)}
    for name, message_of in MESSAGES.items():
        if name in names:
            parts = message_of(_Data(inputs, counts, duplicates, refusing(metrics)))
            raise DataError(*([parts] if isinstance(parts, str) else parts), page=page_of_fault(name))


def refuse_ranks(inputs: Inputs) -> None:
    """Refuse ranks that are not whole numbers from 1, by a query of their own: the engine failed to count them.

    Raises:
        DataError: a rank has a fraction, is not a number, or is beyond 2^53, where floats skip whole numbers.
    """
    if inputs.layout.recs.rank is not None and (message := _Data(inputs).broken_ranks()):
        raise DataError(message, page=page_of_fault("ranks_not_whole"))


def has_gaps(inputs: Inputs) -> bool:
    """True if some list lacks a rank above its last."""
    return inputs.layout.recs.rank is not None and _Data(inputs).lists_with_gaps(None) != NOTHING


def refuse_gaps(inputs: Inputs, depths: Mapping[str, int | None]) -> None:
    """Refuse lists that lack ranks which a metric reads, as the rows of relevant items among all candidates do.

    Args:
        inputs: the inputs.
        depths: the metrics that read every rank, each with its cutoff; None for whole lists.

    Raises:
        DataError: a list lacks a rank above its last, down to a cutoff.
    """
    data = _Data(inputs)
    for label, k in depths.items():
        if (lists := data.lists_with_gaps(k)) != NOTHING:
            down = "" if k is None else f" down to {k}"
            raise DataError(
                f"{label} reads every rank{down}, and the lists of column {str(inputs.layout.recs.pool)!r} hold only "
                f"some of their candidates: ranks are missing, such as in {lists}. The rows of rm.rank_factors and "
                "rm.rank_scores hold relevant items, and the first and last of each list. Evaluate the rankings "
                f"themselves, or their first items, as ranked.top({k or 10}) returns and "
                f"ranked.write(path, top={k or 10}) writes them.",
                page=page_of_fault("only_some_candidates"),
            )


def refuse_unranked_pool(inputs: Inputs) -> None:
    """Refuse lists without ranks that hold only some of their candidates: any number of others may be above a row.

    Raises:
        DataError: a list has fewer rows than its pool says.
    """
    pool = str(inputs.layout.recs.pool)
    if (lists := _Data(inputs).lists("recs", f"COUNT(*) < MAX({quoted(pool)})")) != NOTHING:
        raise DataError(
            f"The lists have fewer rows than candidates by their column {pool!r}, such as {lists}, and no ranks, so "
            "other candidates may be above a row. The rows of rm.rank_factors and rm.rank_scores have a column 'rank': "
            "keep it. If these rows are the first items of each list, number them from 1 in a column 'rank'.",
            page=page_of_fault("only_some_candidates"),
        )


def page_of_fault(name: str) -> str:
    """The heading that explains a fault of sql/faults: its name, in the page of messages.

    >>> page_of_fault("no_list_in_common")
    'messages/#no-list-in-common'
    """
    return f"messages/#{name.replace('_', '-')}"


@dataclass(frozen=True)
class _Data:
    """Data with a fault. Samples are the first three keys in order: the same fault always gives the same message."""

    inputs: Inputs
    counts: Mapping[str, int] = field(default_factory=dict)
    duplicates: str = "count"
    refusing: Sequence[Metric] = ()

    @property
    def layout(self) -> Layout:
        return self.inputs.layout

    @property
    def rank(self) -> str:
        return str(self.layout.recs.rank)

    def first(self, table: str, columns: Sequence[str], having: str = "", *more: str) -> str:
        """The first keys of a table in words: of groups by these and more columns, that meet a condition."""
        keys = quoted(*columns)
        rows = self.inputs.rows(
            f"SELECT {keys} FROM {table} WHERE {not_null(*columns)} GROUP BY {quoted(*columns, *more)} "
            f"{having and f'HAVING {having}'} ORDER BY {keys} LIMIT 3"
        )
        return ", ".join(repr(row[0] if len(row) == 1 else row) for row in rows) or NOTHING

    def lists(self, table: str, having: str = "", *more: str) -> str:
        return self.first(table, self.layout.side(table).list_columns, having, *more)

    def items(self, table: str) -> str:
        return self.first(table, [str(self.layout.side(table).roles.item)])

    def lists_with_gaps(self, k: int | None) -> str:
        """The first lists that lack a rank above their last, down to a rank."""
        rank = f"({quoted(self.rank)} + {1 - self.layout.rank_from})"
        if k is None:
            return self.lists("recs", f"COUNT({rank}) < MAX({rank})")
        down_to_k = f"COUNT(CASE WHEN {rank} <= {k} THEN 1 END)"
        return self.lists("recs", f"{down_to_k} < MAX(CASE WHEN {rank} < {k} THEN {rank} ELSE {k} END)")

    def broken_ranks(self) -> str:
        """The message for ranks that are not whole numbers, with an example; empty if no rank is broken."""
        begin, rank = f"Some ranks in column {self.rank!r} are not whole", quoted(self.rank)
        columns = [*self.layout.lists, str(self.layout.recs.item)]
        low, high = (f"CAST('{sign}{HIGHEST_RANK}' AS DOUBLE)" for sign in ("-", ""))
        for row in self.inputs.rows(
            f"SELECT {quoted(*columns)}, CAST({rank} AS DOUBLE) AS rank FROM recs "
            f"WHERE {rank} IS NOT NULL AND NOT CAST({rank} AS DOUBLE) BETWEEN {low} AND {high} LIMIT 1"
        ):
            return f"{begin} numbers from 1 to {HIGHEST_RANK:,}: {pairs_in_words((*columns, self.rank), row)}."
        if self.layout.recs_types[self.rank].is_wide:
            ranks = self.first("recs", [self.rank], f"NOT MAX({rank}) = FLOOR(MAX({rank}))")
            return "" if ranks == NOTHING else f"{begin}, such as {ranks}."
        return ""


# --- messages ---------------------------------------------------------------------------------------------------------


def _empty(name: str) -> Callable[[_Data], Parts]:
    """The message for an input without rows."""
    text = f"There {name}: the table has no rows, or every row has a NULL id."
    return lambda _: (text, *(NEW_USERS if name == "is no history" else ()))


def _no_list_in(name: str) -> Callable[[_Data], Parts]:
    """The message for an input that shares no list, or hardly one, with the recommendations."""

    def message(data: _Data) -> Parts:
        begin = "No list is"
        if name == "truth" and (n_common := data.counts["truth_lists_met"]):
            n_lists = min(data.counts["truth_lists"], data.counts["truth_lists_asked"])
            begin = f"Only {n_common:,} of {n_lists:,} lists are"
        shared = ", ".join(data.layout.side(name).lists)
        text = (
            f"{begin} in both the recommendations and the {name}, which share {shared}. Recommendations have "
            f"{data.first('recs', data.layout.truth_lists)}; the {name} has {data.lists(name)}."
        )
        if name != "history":
            return text
        return text, *NEW_USERS

    return message


def _no_item_in(name: str, role: str = "", begin: str = "No recommended item is in the") -> Callable[[_Data], Parts]:
    """The message for an input that has no recommended item, or none with a value of a role."""
    with_value = f" with a value in its {role} column" if role else ""
    have = "have" if name == "items" else "has"
    return lambda data: (
        f"{begin} {name}{with_value}. Recommendations have {data.items('recs')}; the {name} {have} {data.items(name)}."
    )


def _ranks_not_from_1(data: _Data) -> Parts:
    first = data.layout.rank_from
    lists = data.lists("recs", f"MIN({quoted(data.rank)}) <> {first}")
    return (
        (
            f"The ranks of {counted(data.counts['lists_not_from_1'], 'list', 'lists')} in column {data.rank!r} do not "
            f"start at {first}, such as those of {lists}. Ranks count from {first}"
        ),
        *_if_from_0("they", first),
        *_filtered(data.layout),
        Option("ranks", "again"),
        " ranks the others again; ",
        Option("ranks", "given"),
        " counts them at these ranks.",
    )


def _if_from_0(ranks: str, first: int) -> Parts:
    """The remedy for ranks that count from 0, if the first rank is not 0 already."""
    return (f"; if {ranks} count from 0, set ", Option("rank_from", 0)) if first == 1 else ()


def _filtered(layout: Layout) -> Parts:
    if layout.is_filtered:
        return (". ", Option("where"), " leaves out recommendations: ")
    return (". If the first items were filtered out, ",)


def _ranks_from_below_1(data: _Data) -> Parts:
    first = data.layout.rank_from
    lists = data.lists("recs", f"MIN({quoted(data.rank)}) < {first}")
    return (
        (
            f"The ranks of {counted(data.counts['lists_from_below_1'], 'list', 'lists')} in column {data.rank!r} start "
            f"below {first}, such as those of {lists}. With "
        ),
        Option("ranks", "given"),
        f", no rank may be below {first}",
        *_if_from_0("ranks", first),
        ".",
    )


def _ranks_missing(data: _Data) -> Parts:
    lists = data.lists("recs", f"COUNT({quoted(data.rank)}) < COUNT({quoted(str(data.layout.recs.item))})")
    recommendations = counted(data.counts["recs_unranked"], "recommendation has", "recommendations have")
    return f"{recommendations} no rank in column {data.rank!r}, such as in {lists}."


def _ranks_repeated(data: _Data) -> Parts:
    column, n = f"column {data.rank!r}", data.counts["ranks_repeated"]
    return (
        f"{counted(n, f'rank in {column} repeats', f'ranks in {column} repeat')} within their list, such as in "
        f"{data.lists('recs', SEVERAL, data.rank)}. Is a column missing that tells the lists apart? They are "
        f"identified by {', '.join(data.layout.lists)}."
    )


def _ratings_infinite(data: _Data) -> Parts:
    infinite = f"MAX(ABS({quoted(str(data.layout.truth.rating))})) = CAST('Infinity' AS DOUBLE)"
    return (
        f"{counted(data.counts['truth_infinite'], 'row of the truth has', 'rows of the truth have')} an infinite "
        f"rating, such as in {data.lists('truth', infinite)}. Leave out infinite ratings, or replace them by the "
        "highest rating of the scale."
    )


def _embeddings_unequal(data: _Data) -> Parts:
    return (
        f"The embeddings of {counted(data.counts['embeddings_unequal'], 'item', 'items')} have fewer numbers than the "
        "longest embedding. All embeddings must have the same length, because they are compared number by number."
    )


def _lists_without_negatives(data: _Data) -> Parts:
    n = data.counts["lists_without_negatives"]
    if data.layout.negatives is None:
        return (
            f"{counted(n, 'list has', 'lists have')} no candidate beside the items of their truth. Among relevant "
            f"items alone, each item ranks first. Candidates have {data.lists('candidates')}. Add candidates for each "
            "list of the truth, or leave out lists without other candidates."
        )
    return (
        (
            f"No item can be drawn for {counted(n, 'list', 'lists')}: the truth and the history of the list have all "
            "items of the catalogue. Give a larger "
        ),
        Option("catalog"),
        ", or leave such lists out of the truth.",
    )


def _negatives_unranked(data: _Data) -> Parts:
    return (
        f"{counted(data.counts['lists_with_unranked_negatives'], 'list does', 'lists do')} not rank all of their "
        "negatives. Relevant items would rank too high among the others. Give recommendations with a score for every "
        "candidate of a list, not only for its first items."
    )


def _repeated(data: _Data) -> Parts:
    repeated = [table for table in ("recs", "truth") if data.counts[f"{table}_repeated"]]
    samples = {table: data.lists(table, SEVERAL, str(data.layout.side(table).roles.item)) for table in repeated}
    if data.duplicates != "error":
        items = " and ".join(f"in the {called(table)} in {sample}" for table, sample in samples.items())
        return (
            f"{data.refusing[0].label} refuses repeated items (duplicates=refused), because the library counts each of "
            f"them again. Items are repeated {items}. Keep one row for each list and item in both inputs, or count "
            "each item once by duplicates=once on the metric."
        )
    return (
        Option("duplicates", "error"),
        (
            f" refuses repeated items: {counted(data.counts['recs_repeated'], 'recommendation', 'recommendations')} "
            f"and {counted(data.counts['truth_repeated'], 'row', 'rows')} of the truth have an item that their list "
            f"has already, such as in {'; '.join(samples.values())}. "
        ),
        Option("duplicates", "count"),
        " credits each item once.",
    )


# The message for each fault of sql/faults. If the data has several faults, the first of them here is raised.
MESSAGES: Mapping[str, Callable[[_Data], Parts]] = {
    "no_recommendations": _empty("are no recommendations"),
    "no_truth": _empty("is no truth"),
    "no_list_in_common": _no_list_in("truth"),
    "no_item_in_common": _no_item_in("truth", begin="No item is in both the recommendations and the"),
    "ranks_not_whole": lambda data: data.broken_ranks() or f"Some ranks in column {data.rank!r} are not whole numbers.",
    "ranks_not_from_1": _ranks_not_from_1,
    "ranks_from_below_1": _ranks_from_below_1,
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
