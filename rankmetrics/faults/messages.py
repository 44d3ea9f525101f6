"""The message of a check: its `say:` with numbers, rows and options in the places of its braces.

The {n: rank repeats; ranks repeat} within a list{in rank}, such as {recs}. Rank again: {ranks=again}.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from sqlglot import exp, parse_one

from rankmetrics.errors import Option, counted
from rankmetrics.faults.checks import Check, compute, refusing
from rankmetrics.faults.columns import pairs_in_words
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import called
from rankmetrics.metrics.metric import Metric

# The first rows of each input that show a fault, each row by the names of its columns.
RowsAtFault: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]

# A place in a message.
PLACE = re.compile(r"\{([^{}]+)\}")

# The values of options that are no texts; without a value, the message leaves it open.
VALUES: Mapping[str, object] = {"": None, "true": True, "0": 0}

# A warning names at most one row of the summary more than these.
NAMED = 3


@dataclass(frozen=True)
class Message:
    """The message of a check that found something.

    The places may hold: a sum of counts, with a format (`{log_importance / log_actions|.2f}`) or in words of its number
    (`{n: list; lists}`, `{n: none; one; # many}`); the first rows of an input (`{recs}`); an option (`{ranks=again}`);
    a column by its role (`{column rank}`, `{in rank}`); and the phrases of `_phrase`.
    """

    check: Check
    layout: Layout
    counts: Mapping[str, int]  # over all rows of the summary, or those at fault
    totals: Mapping[str, int] = field(default_factory=dict)  # over all rows
    rows: RowsAtFault = field(default_factory=dict)
    metrics: Sequence[Metric] = ()
    duplicates: str = "count"
    systems: str = ""  # the rows of the summary at fault, as `algorithm=knn`; empty if all are
    more: Mapping[str, object] = field(default_factory=dict)  # numbers and words that a test in Python adds

    def text(self) -> str:
        """The message."""
        return PLACE.sub(lambda place: self._filled(place[1]), self.check.say)

    def _filled(self, place: str) -> str:
        name, _, words = place.partition(": ")
        expression, _, form = place.partition("|")
        if place in self.more and isinstance(text := self.more[place], str):
            return text
        if place in self.rows:
            return in_words(self.rows[place])
        match name.split():
            case ["columns", "of", of]:
                return format(Option("extra_columns", dict.fromkeys(words.split(", "), "..."), of=of))
            case [option] if "=" in option:
                option, _, value = option.partition("=")
                return format(Option(option, VALUES.get(value, value)))
            case _ if (phrase := self._phrase(name.split())) is not None:
                return phrase
            case _ if words:
                return _counted(int(self._number(name)), words.split("; "))
            case _:
                return f"{self._number(expression):{form or ','}}"

    def _number(self, text: str) -> float:
        """The value of an expression over counts, and over numbers that a test adds."""
        numbers = Counter[str]({**self.counts, **self.more})
        value = compute(self.check.n if text == "n" else _parsed(text), numbers)
        return int(value) if value == int(value) and "/" not in text else value

    def _phrase(self, words: Sequence[str]) -> str | None:
        layout = self.layout
        match words:
            case ["of" | "for" as word, "systems"]:
                return self.systems and f" {word} {self.systems}"
            case ["in", role]:
                columns = {of: column for of in layout.names() if (column := layout.side(of).roles.roles.get(role))}
                return "".join(f" in column {column!r} of the {called(of)}" for of, column in [*columns.items()][:1])
            case ["column", "rating"]:
                return repr(layout.truth.rating)
            case ["column", "score"]:
                return repr(layout.recs.roles[str(self._phrase(["score"]))])
            case ["column", role]:
                return repr(layout.recs.roles.get(role))
            case ["score"]:
                return "distance" if layout.recs.distance else "score"
            case ["why", name]:
                return self._why_empty(name)
            case ["shared", other]:
                return ", ".join(layout.side(other).lists)
            case ["lists"]:
                return ", ".join(layout.lists)
            case ["first", "rank"]:
                return str(layout.rank_from)
            case ["filtered"]:
                cause = f"{Option('where')} leaves out recommendations:"
                return cause if "recs" in layout.filtered else "If the first items were filtered out,"
            case ["left", "out", "after", "ranking"]:
                cause = f"{Option('where')} leaves out recommendations"
                return cause if "recs" in layout.filtered else "recommendations were left out after they were ranked"
            case ["repeats"]:
                return self._why_refused()
            case ["sample"]:
                sampled = self.totals["sampled_lists"]
                every = "the first" if sampled < self.totals["truth_lists"] else "all"
                return f"{every} {sampled:,} lists of the truth"
            case ["of", "sampled", "lists"]:
                has_more = self.totals["truth_lists"] > self.totals["sampled_lists"]
                return f" of the first {self.totals['sampled_lists']:,} lists of the truth" if has_more else ""
            case ["best", "first"]:
                lower = f"If a lower score is better, set {Option('lower_is_better', True)}."
                return lower if layout.recs.rank is None else "Rank 1 must be the best."
            case ["pooled"]:
                return ", ".join(layout.pooled)
            case ["these", "columns"]:
                return "this column" if len(layout.pooled) == 1 else "these columns"
            case ["them"]:
                return "it" if len(layout.pooled) == 1 else "them"
            case _:
                return None

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
            f"{refusing(self.metrics)[0].label} refuses repeated items (duplicates=refused), because the library "
            "counts each of them again. Keep one row for each list and item in both inputs, or count each item once by "
            "duplicates=once on the metric."
        )


def in_words(rows: Sequence[Mapping[str, Any]]) -> str:
    """The first rows at fault: the values of a single column, or each row as `user = 17, rank = 2`."""
    if all(len(row) == 1 for row in rows):
        return ", ".join(repr(value) for row in rows for value in row.values()) or "nothing"
    return "; ".join(pairs_in_words(row, row.values()) for row in rows)


def systems_in_words(rows: Iterable[Sequence[object]], all_rows: Iterable[Sequence[object]], by: Sequence[str]) -> str:
    """Rows of the summary, as `algorithm=knn; algorithm=als`, at most NAMED and one more; empty if they are all."""
    named = [", ".join(f"{name}={value}" for name, value in zip(by, row, strict=True)) for row in rows]
    if len(named) == len([*all_rows]):
        return ""
    more = [f"{len(named) - NAMED:,} more rows"] if len(named) > NAMED + 1 else named[NAMED:]
    *first, last = [*named[:NAMED], *more]
    return f"{'; '.join(first)}{' and ' if first else ''}{last}"


def _counted(n: int, forms: Sequence[str]) -> str:
    """A number in the form that fits it: of one and of many, or of none, one and many, where # is the number."""
    if len(forms) == 2:
        return counted(n, *forms)
    return forms[min(n, 2)].replace("#", f"{n:,}")


@lru_cache(maxsize=256)
def _parsed(text: str) -> exp.Expr:
    return parse_one(text)
