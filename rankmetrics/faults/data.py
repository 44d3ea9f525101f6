"""Refuses data that would make every number meaningless: the message of a fault, and rows that show it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rankmetrics.errors import DataError, Option, counted
from rankmetrics.faults.columns import Inputs, not_null, pairs_in_words, quoted
from rankmetrics.faults.faults import Fault, compute, faults_of, refusing, required_of
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import called
from rankmetrics.metrics.metric import Metric

# The first rows of each input that show a fault, each row by the names of its columns.
RowsAtFault: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]

# A place in the message of a fault.
PLACE = re.compile(r"\{([^{}]+)\}")

# The values of options in messages that are no texts; without a value, the message leaves it open.
VALUES: Mapping[str, object] = {"": None, "true": True, "0": 0}

# The fault of ranks over which an engine may fail before it has counted them.
RANKS_NOT_WHOLE = "ranks_not_whole"


def refuse(
    counts: Mapping[str, int],
    layout: Layout,
    metrics: Sequence[Metric],
    duplicates: str,
    rows_at_fault: Callable[[Fault], RowsAtFault],
) -> None:
    """Refuse data whose numbers would look right and be wrong, by the counts of the account over all systems."""
    for fault in faults_of(layout, required_of(metrics, duplicates, layout)):
        if fault.say and fault.is_in(counts):
            message = FaultMessage(fault, counts, layout, rows_at_fault(fault), metrics, duplicates)
            raise DataError(message.text(), page=page_of_fault(fault.name))


def refuse_ranks(layout: Layout, rows_at_fault: Callable[[Fault], RowsAtFault]) -> None:
    """Refuse ranks that are not whole numbers from 1, by a query of their own: the engine failed to count them."""
    for fault in faults_of(layout):
        if fault.name == RANKS_NOT_WHOLE and (rows := rows_at_fault(fault))["recs"]:
            raise DataError(FaultMessage(fault, {}, layout, rows).text(), page=page_of_fault(fault.name))


def refuse_gaps(inputs: Inputs, depths: Iterable[tuple[str, int | None]]) -> None:
    """Refuse lists that lack ranks which a metric reads, as the rows of relevant items among all candidates do.

    `depths` are the metrics that read every rank, each with its cutoff (None: whole lists); they are looked at only if
    a list lacks a rank above its last.
    """
    if not _lists_with_gaps(inputs, None):
        return
    for label, k in depths:
        if lists := _lists_with_gaps(inputs, k):
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
    if lists := _first_lists(inputs, f"COUNT(*) < MAX({quoted(pool)})"):
        raise DataError(
            f"The lists have fewer rows than candidates by their column {pool!r}, such as {lists}, and no ranks, so "
            "other candidates may be above a row. The rows of rm.rank_factors and rm.rank_scores have a column 'rank': "
            "keep it. If these rows are the first items of each list, number them from 1 in a column 'rank'.",
            page=page_of_fault("only_some_candidates"),
        )


def _lists_with_gaps(inputs: Inputs, k: int | None) -> str:
    """The first lists that lack a rank above their last, down to a rank."""
    rank = f"({quoted(str(inputs.layout.recs.rank))} + {1 - inputs.layout.rank_from})"
    if k is None:
        return _first_lists(inputs, f"COUNT({rank}) < MAX({rank})")
    down_to_k = f"COUNT(CASE WHEN {rank} <= {k} THEN 1 END)"
    return _first_lists(inputs, f"{down_to_k} < MAX(CASE WHEN {rank} < {k} THEN {rank} ELSE {k} END)")


def _first_lists(inputs: Inputs, having: str) -> str:
    """The first lists of the recommendations that meet a condition, in words; empty if there are none."""
    lists = inputs.layout.lists
    keys = quoted(*lists)
    rows = inputs.rows(
        f"SELECT {keys} FROM recs WHERE {not_null(*lists)} GROUP BY {keys} HAVING {having} ORDER BY {keys} LIMIT 3"
    )
    return in_words([dict(zip(lists, row, strict=True)) for row in rows]) if rows else ""


def page_of_fault(name: str) -> str:
    """The heading that explains a fault of sql/faults, such as `messages/#no-list-in-common`."""
    return f"messages/#{name.replace('_', '-')}"


# --- messages ---------------------------------------------------------------------------------------------------------


def in_words(rows: Sequence[Mapping[str, Any]]) -> str:
    """The first rows at fault: the values of a single column, or each row as `user = 17, rank = 2`."""
    if all(len(row) == 1 for row in rows):
        return ", ".join(repr(value) for row in rows for value in row.values()) or "nothing"
    return "; ".join(pairs_in_words(row, row.values()) for row in rows)


@dataclass(frozen=True)
class FaultMessage:
    """The message of a fault that the data has: its `say:` with all places filled."""

    fault: Fault
    counts: Mapping[str, int]
    layout: Layout
    rows: RowsAtFault
    metrics: Sequence[Metric] = ()
    duplicates: str = "count"

    def text(self) -> str:
        """The message."""
        return PLACE.sub(lambda place: self._filled(place[1]), self.fault.say)

    def _filled(self, place: str) -> str:
        layout = self.layout
        name, _, words = place.partition(": ")
        match name.split():
            case ["columns", "of", of]:
                return format(Option("extra_columns", dict.fromkeys(words.split(", "), "..."), of=of))
            case [count] if words:
                n = compute(self.fault.n, self.counts) if count == "n" else self.counts[count]
                return _counted(n, words.split("; "))
            case [option] if "=" in option:
                option, _, value = option.partition("=")
                return format(Option(option, VALUES.get(value, value)))
            case ["why", empty]:
                return self._why_empty(empty)
            case ["in", role]:
                columns = {of: column for of in layout.names() if (column := layout.side(of).roles.roles.get(role))}
                return "".join(f" in column {column!r} of the {called(of)}" for of, column in [*columns.items()][:1])
            case ["shared", other]:
                return ", ".join(layout.side(other).lists)
            case ["lists"]:
                return ", ".join(layout.lists)
            case ["first", "rank"]:
                return str(layout.rank_from)
            case ["filtered"]:
                is_filtered = "recs" in layout.filtered
                cause = f"{Option('where')} leaves out recommendations:"
                return cause if is_filtered else "If the first items were filtered out,"
            case ["repeats"]:
                return self._why_refused()
            case _:
                return in_words(self.rows[name])

    def _why_empty(self, name: str) -> str:
        layout = self.layout
        until = layout.history_until if name == "history" else None
        if until is not None:
            kept = f"no row{' that the conditions keep' if name in layout.filtered else ''}"
            return f"{kept} is earlier than a {until!r} of the recommendations or the truth"
        if name in layout.filtered:
            return f"no row with ids meets the conditions of {Option('where', is_noun=True)}"
        return "the table has no rows, or every row has a NULL id"

    def _why_refused(self) -> str:
        """Why a repeated item is a fault: by an option, or by a metric."""
        if self.duplicates == "error":
            return (
                f"{Option('duplicates', 'error')} refuses repeated items; {Option('duplicates', 'count')} credits each "
                "item once."
            )
        return (
            f"{refusing(self.metrics)[0].label} refuses repeated items (duplicates=refused), because the "
            "library counts each of them again. Keep one row for each list and item in both inputs, or count each item "
            "once by duplicates=once on the metric."
        )


def _counted(n: int, forms: Sequence[str]) -> str:
    """A number in the form that fits it: of one and of many, or of none, one and many, where # is the number."""
    if len(forms) == 2:
        return counted(n, *forms)
    return forms[min(n, 2)].replace("#", f"{n:,}")
