"""Refuses data that would make every number meaningless, with samples of both inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rankmetrics.errors import DataError, Option, counted
from rankmetrics.faults.columns import Inputs, not_null, pairs_in_words, quoted
from rankmetrics.faults.faults import faults_of, refusing, required_of
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import called
from rankmetrics.metrics.metric import Metric

# The highest rank that a 64-bit float can tell from its neighbours.
HIGHEST_RANK = 2**53

INFINITY = "CAST('Infinity' AS DOUBLE)"

# The words for no keys.
NOTHING = "nothing"

# The way out for a history that has none of the lists.
NEW_USERS = f" If all lists are of new users, set {Option('cold_start', True)}."

# Groups of several rows.
SEVERAL = "COUNT(*) > 1"


def refuse(counts: Mapping[str, int], inputs: Inputs, duplicates: str, metrics: Sequence[Metric] = ()) -> None:
    """Refuse data whose numbers would look right and be wrong, by the counts of the account over all systems."""
    faults = faults_of(inputs.layout, required_of(metrics, duplicates, inputs.layout))
    names = {fault.name for fault in faults if fault.is_in(counts)}
    for name, message_of in MESSAGES.items():
        if name in names:
            raise DataError(message_of(_Data(inputs, counts, duplicates, refusing(metrics))), page=page_of_fault(name))


def refuse_ranks(inputs: Inputs) -> None:
    """Refuse ranks that are not whole numbers from 1, by a query of their own: the engine failed to count them."""
    if inputs.layout.recs.rank is not None and (message := _Data(inputs).broken_ranks()):
        raise DataError(message, page=page_of_fault("ranks_not_whole"))


def refuse_gaps(inputs: Inputs, depths: Iterable[tuple[str, int | None]]) -> None:
    """Refuse lists that lack ranks which a metric reads, as the rows of relevant items among all candidates do.

    `depths` are the metrics that read every rank, each with its cutoff (None: whole lists); they are looked at only if
    a list lacks a rank above its last.
    """
    data = _Data(inputs)
    if data.lists_with_gaps(None) == NOTHING:
        return
    for label, k in depths:
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
    """Refuse lists without ranks that hold only some of their candidates: any number of others may be above a row."""
    pool = str(inputs.layout.recs.pool)
    if (lists := _Data(inputs).lists("recs", f"COUNT(*) < MAX({quoted(pool)})")) != NOTHING:
        raise DataError(
            f"The lists have fewer rows than candidates by their column {pool!r}, such as {lists}, and no ranks, so "
            "other candidates may be above a row. The rows of rm.rank_factors and rm.rank_scores have a column 'rank': "
            "keep it. If these rows are the first items of each list, number them from 1 in a column 'rank'.",
            page=page_of_fault("only_some_candidates"),
        )


def page_of_fault(name: str) -> str:
    """The heading that explains a fault of sql/faults, such as `messages/#no-list-in-common`."""
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

    def counted(self, count: str, singular: str, many: str) -> str:
        return counted(self.counts.get(count, 0), singular, many)

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


def _empty(name: str, no_rows: str, remedy: str = "") -> Callable[[_Data], str]:
    """The message for an input without rows."""

    def message(data: _Data) -> str:
        until = data.layout.history_until if name == "history" else None
        if until is not None:
            kept = f"no row{' that the conditions keep' if name in data.layout.filtered else ''}"
            return f"There {no_rows}: {kept} is earlier than a {until!r} of the recommendations or the truth.{remedy}"
        if name in data.layout.filtered:
            return f"There {no_rows}: no row with ids meets the conditions of {Option('where', is_noun=True)}."
        return f"There {no_rows}: the table has no rows, or every row has a NULL id.{remedy}"

    return message


def _no_list_in(name: str) -> Callable[[_Data], str]:
    """The message for an input that shares no list, or hardly one, with the recommendations."""

    def message(data: _Data) -> str:
        begin = "No list is"
        if name == "truth" and (n_common := data.counts["truth_lists_met"]):
            n_lists = min(data.counts["truth_lists"], data.counts["truth_lists_asked"])
            begin = f"Only {n_common:,} of {n_lists:,} lists are"
        shared = ", ".join(data.layout.side(name).lists)
        return (
            f"{begin} in both the recommendations and the {name}, which share {shared}. Recommendations have "
            f"{data.first('recs', data.layout.truth_lists)}; the {name} has {data.lists(name)}."
            f"{NEW_USERS if name == 'history' else ''}"
        )

    return message


def _no_item_in(name: str, role: str = "", begin: str = "No recommended item is in the") -> Callable[[_Data], str]:
    """The message for an input that has no recommended item, or none with a value of a role."""
    with_value = f" with a value in its {role} column" if role else ""
    have = "have" if name == "items" else "has"
    return lambda data: (
        f"{begin} {name}{with_value}. Recommendations have {data.items('recs')}; the {name} {have} {data.items(name)}."
    )


def _wrong_numbers(table: str, role: str, wrong: str, right: str) -> Callable[[_Data], str]:
    """The message for a column with values that its role cannot have; `wrong` is the condition on the column `{c}`."""

    def message(data: _Data) -> str:
        column = str(getattr(data.layout.side(table).roles, role))
        condition = wrong.replace("{c}", quoted(column))
        lists = data.lists(table, f"COUNT(CASE WHEN {condition} THEN 1 END) > 0")
        called_so = role.replace("_", " ")
        return (
            f"Some rows of the {called(table)} have no {called_so}, or a wrong one, in column {column!r}, such as in "
            f"{lists}. A {called_so} {right}."
        )

    return message


def _ranks_not_from_1(data: _Data) -> str:
    first = data.layout.rank_from
    lists = data.lists("recs", f"MIN({quoted(data.rank)}) <> {first}")
    cause = "If the first items were filtered out, "
    if "recs" in data.layout.filtered:
        cause = f"{Option('where')} leaves out recommendations: "
    return (
        f"The ranks of {data.counted('lists_not_from_1', 'list', 'lists')} in column {data.rank!r} do not start at "
        f"{first}, such as those of {lists}. Ranks count from {first}{_if_from_0('they', first)}. "
        f"{cause}{Option('ranks', 'again')} ranks the others again; {Option('ranks', 'given')} counts them at these "
        "ranks."
    )


def _if_from_0(ranks: str, first: int) -> str:
    """The remedy for ranks that count from 0, if the first rank is not 0 already."""
    return f"; if {ranks} count from 0, set {Option('rank_from', 0)}" if first == 1 else ""


def _ranks_from_below_1(data: _Data) -> str:
    first = data.layout.rank_from
    lists = data.lists("recs", f"MIN({quoted(data.rank)}) < {first}")
    return (
        f"The ranks of {data.counted('lists_from_below_1', 'list', 'lists')} in column {data.rank!r} start below "
        f"{first}, such as those of {lists}. With {Option('ranks', 'given')}, no rank may be below "
        f"{first}{_if_from_0('ranks', first)}."
    )


def _lists_without_negatives(data: _Data) -> str:
    if data.layout.negatives is None:
        return (
            f"{data.counted('lists_without_negatives', 'list has', 'lists have')} no candidate beside the items of "
            "their truth. Among relevant items alone, each item ranks first. Candidates have "
            f"{data.lists('candidates')}. Add candidates for each list of the truth, or leave out lists without other "
            "candidates."
        )
    return (
        f"No item can be drawn for {data.counted('lists_without_negatives', 'list', 'lists')}: the truth and the "
        f"history of the list have all items of the catalogue. Give a larger {Option('catalog')}, or leave such lists "
        "out of the truth."
    )


def _repeated(data: _Data) -> str:
    repeated = [table for table in ("recs", "truth") if data.counts.get(f"{table}_repeated")]
    samples = {table: data.lists(table, SEVERAL, str(data.layout.side(table).roles.item)) for table in repeated}
    if data.duplicates != "error":
        items = " and ".join(f"in the {called(table)} in {sample}" for table, sample in samples.items())
        return (
            f"{data.refusing[0].label} refuses repeated items (duplicates=refused), because the library counts each of "
            f"them again. Items are repeated {items}. Keep one row for each list and item in both inputs, or count "
            "each item once by duplicates=once on the metric."
        )
    return (
        f"{Option('duplicates', 'error')} refuses repeated items: "
        f"{data.counted('recs_repeated', 'recommendation', 'recommendations')} and "
        f"{data.counted('truth_repeated', 'row', 'rows')} of the truth have an item that their list has already, such "
        f"as in {'; '.join(samples.values())}. {Option('duplicates', 'count')} credits each item once."
    )


def _propensities_invalid(data: _Data) -> str:
    many = data.counted("propensities_invalid", "relevant item has", "relevant items have")
    samples = ""
    for name in ("truth", "items"):
        if name in data.layout.names() and (column := data.layout.side(name).roles.propensity):
            is_valid = f"MIN(CASE WHEN {quoted(column)} > 0 AND {quoted(column)} <= 1 THEN 1 ELSE 0 END)"
            item = str(data.layout.side(name).roles.item)
            lists = data.first(name, [*data.layout.side(name).list_columns, item], f"{is_valid} = 0")
            samples += "" if lists == NOTHING else f", such as {lists} of column {column!r} of the {called(name)}"
    return (
        f"{many} no propensity above 0 and up to 1{samples}. A hit counts 1 / propensity: give each relevant item the "
        "probability with which it is seen. Give items that could not be seen no row in the truth."
    )


# The message for each fault of sql/faults. If the data has several faults, the first of them here is raised.
MESSAGES: Mapping[str, Callable[[_Data], str]] = {
    "no_recommendations": _empty("recs", "are no recommendations"),
    "no_truth": _empty("truth", "is no truth"),
    "no_list_in_common": _no_list_in("truth"),
    "no_item_in_common": _no_item_in("truth", begin="No item is in both the recommendations and the"),
    "ranks_not_whole": lambda data: data.broken_ranks() or f"Some ranks in column {data.rank!r} are not whole numbers.",
    "ranks_not_from_1": _ranks_not_from_1,
    "ranks_from_below_1": _ranks_from_below_1,
    "ranks_missing": lambda data: (
        f"{data.counted('recs_unranked', 'recommendation has', 'recommendations have')} no rank in column "
        f"{data.rank!r}, such as in "
        f"{data.lists('recs', f'COUNT({quoted(data.rank)}) < COUNT({quoted(str(data.layout.recs.item))})')}."
    ),
    "ranks_repeated": lambda data: (
        f"{data.counted('ranks_repeated', 'rank', 'ranks')} in column {data.rank!r} "
        f"{'repeats' if data.counts['ranks_repeated'] == 1 else 'repeat'} within their list, such as in "
        f"{data.lists('recs', SEVERAL, data.rank)}. Is a column missing that tells the lists apart? They are "
        f"identified by {', '.join(data.layout.lists)}."
    ),
    "ratings_infinite": lambda data: (
        f"{data.counted('truth_infinite', 'row of the truth has', 'rows of the truth have')} an infinite rating, such "
        f"as in {data.lists('truth', f'MAX(ABS({quoted(str(data.layout.truth.rating))})) = {INFINITY}')}. Leave out "
        "infinite ratings, or replace them by the highest rating of the scale."
    ),
    "propensities_invalid": _propensities_invalid,
    "no_history": _empty("history", "is no history", NEW_USERS),
    "no_baseline": _empty(
        "baseline", "is no baseline", " If the baseline is given as the name of a system, no row has this name."
    ),
    "no_log": _empty("log", "is no log"),
    **{f"no_list_in_{name}": _no_list_in(name) for name in ("history", "baseline", "log")},
    "log_repeated": lambda data: (
        f"The log has {data.counted('log_repeated', 'position', 'positions')} of a list more than once, such as in "
        f"{data.lists('log', SEVERAL, *filter(None, [data.layout.side('log').roles.position]))}. If a list was shown "
        "several times, name the column that tells its impressions apart; if several items were shown at once, name "
        f"their position: {Option('extra_columns', {'impression': '...', 'position': '...'}, of='log')}."
    ),
    "log_propensities_wrong": _wrong_numbers(
        "log",
        "propensity",
        "{c} IS NULL OR NOT ({c} > 0 AND {c} <= 1)",
        "is above 0 and at most 1: the probability that the item was shown where it was shown",
    ),
    "rewards_missing": _wrong_numbers("log", "reward", f"{{c}} IS NULL OR NOT ABS({{c}}) < {INFINITY}", "is a number"),
    "probabilities_wrong": _wrong_numbers(
        "recs", "probability", "{c} IS NULL OR NOT ({c} >= 0 AND {c} <= 1)", "is a number from 0 to 1"
    ),
    "expected_rewards_missing": _wrong_numbers(
        "recs", "expected_reward", f"{{c}} IS NULL OR NOT ABS({{c}}) < {INFINITY}", "is a number"
    ),
    "policy_repeated": lambda data: (
        f"The recommendations have {data.counted('policy_repeated', 'item', 'items')} more than once at one position "
        f"of a list, such as in {data.lists('recs', SEVERAL, *data.layout.recs.of_action)}. Add up their "
        "probabilities, or name the columns that tell the lists apart."
    ),
    "no_action_in_common": lambda data: (
        "No action of the log is one that the policy takes: the same item in the same list"
        f"{', at the same position' if data.layout.side('log').roles.position else ''}. Recommendations have "
        f"{data.items('recs')}; the log has {data.items('log')}. Every estimate would be 0."
    ),
    "lists_without_negatives": _lists_without_negatives,
    "negatives_unranked": lambda data: (
        f"{data.counted('lists_with_unranked_negatives', 'list does', 'lists do')} not rank all of their negatives. "
        "Relevant items would rank too high among the others. Give recommendations with a score for every candidate of "
        "a list, not only for its first items."
    ),
    "no_item_with_category": _no_item_in("items", "category"),
    "no_item_with_popularity": _no_item_in("items", "popularity"),
    "no_item_in_similarity": _no_item_in("similarity"),
    "no_item_in_catalog": _no_item_in("catalog"),
    "embeddings_unequal": lambda data: (
        f"The embeddings of {data.counted('embeddings_unequal', 'item', 'items')} have fewer numbers than the longest "
        "embedding. All embeddings must have the same length, because they are compared number by number."
    ),
    "no_item_with_embedding": _no_item_in("items", "embedding"),
    "recommendations_repeated": _repeated,
    "truth_repeated": _repeated,
}
