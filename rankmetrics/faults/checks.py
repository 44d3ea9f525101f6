"""The files of sql/checks: what can be wrong with the data, and what is said of it.

A check is a condition over the counts of the account. What `evaluate` refuses and what the text of a check reports are
decided by the same conditions over the same counts. Its message is the line `say:`, with numbers, rows and options in
the places of its braces:

The {n: rank repeats; ranks repeat} within a list{in rank}, such as {recs}. Rank again: {ranks=again}.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from string import Formatter
from typing import Any, TypeAlias, cast

from sqlglot import exp, parse_one

from rankmetrics.errors import DataError, EngineError, Option, counted, names
from rankmetrics.faults.inputs import Inputs, alike_ids, in_words
from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import called
from rankmetrics.messages import option_of
from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import POWERS, Metric, are_weighted
from rankmetrics.sqltree import tree

# The operators of conditions on counts, computed in Python as a database would.
OPERATORS: Mapping[type[exp.Expr], Callable[[float, float], float]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.Div: operator.truediv,
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.And: lambda left, right: bool(left and right),
    exp.Or: lambda left, right: bool(left or right),
}

# The severities of checks: data with a fault is refused, over doubtful data there is a warning.
ERROR, DOUBT = "error", "warning"

# Conditions on the rows that only some options and metrics require.
REQUIRED = frozenset(
    {
        *ASSUMPTIONS,
        "history-rows",
        "history-lists",
        "baseline-lists",
        "log-actions",
        "powers",
        "counted repeats",
        "decided ties",
        WEIGHTS,
    }
)

# The fault of ranks over which an engine may fail before it has counted them.
RANKS_NOT_WHOLE = "ranks_not_whole"

# Faults with a cause that only the rows tell: tied ranks, and ids that are alike.
RANKS_REPEATED = "ranks_repeated"
NOTHING_IN_COMMON = frozenset({"no_item_in_common", "no_list_in_common"})

# The first rows of each input that show a fault, each row by the names of its columns.
RowsAtFault: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]

# A warning names at most one row of the summary more than these.
NAMED = 3


@dataclass(frozen=True)
class Check:
    """A file of sql/checks: something that can be wrong with the data."""

    name: str  # of its file, such as `ranks_repeated`
    what: str  # a sentence that says what is wrong
    n: exp.Expr  # how many rows, lists or items are at fault, over counts
    condition: exp.Expr  # true of the counts of data with the fault
    samples: tuple[tuple[str, str], ...]  # the inputs whose rows show it, each with the stage of these rows
    severity: str  # ERROR or DOUBT
    say: str  # its message, with places for numbers and rows; empty if only a text looks for it
    heading: str  # of the page that explains it
    per_system: bool  # whether each row of the summary is checked by itself
    is_tested: bool  # whether a test in Python decides, and not the condition

    @property
    def page(self) -> str:
        """The page and heading that explain it, such as `messages/#no-list-in-common`."""
        return f"{'messages' if self.severity == ERROR else 'warnings'}/#{self.heading}"

    @property
    def counts(self) -> set[str]:
        """The counts that the condition and the number read."""
        return tree.columns_read(self.condition) | tree.columns_read(self.n)

    def is_in(self, counts: Mapping[str, int]) -> bool:
        """True if data with these counts has the fault."""
        return bool(compute(self.condition, counts))


def checks_of(layout: Layout, required: Collection[str] = (), severity: str = ERROR) -> list[Check]:
    """The checks of inputs of this layout, in order, with further conditions as `required_of` returns them.

    Where `unique-recs` is required, a repeated recommendation is a fault; where `history-lists` is, a history without
    the lists of the recommendations.
    """
    files = sorted(catalog().all("check"), key=lambda file: int(file.fields.get("order", 0)))
    offered = {
        file.name: need in required if need in REQUIRED else layout.offers(need)
        for file in files
        for need in [file.fields.get("needs")]
    }
    return [check for check in map(read_check, files) if check.severity == severity and offered[check.name]]


@cache
def read_check(file: Definition) -> Check:
    """The check of a file."""
    n, condition, is_tested = file.expression, tree.condition(file.select), "found" in file.fields
    pairs = [part.split() for part in file.fields.get("samples", "").split(",") if part.strip()]
    if "rows" in file.fields:  # the SELECT returns the rows at fault
        n, condition, pairs = exp.column(file.name), exp.column(file.name) > 0, [[file.fields["of"], file.name]]
    assert (condition is None) == is_tested, file.origin
    return Check(
        file.name,
        file.summary,
        n,
        condition or exp.false(),
        tuple((name, stage) for name, stage in pairs),
        file.fields.get("severity", ERROR),
        file.fields.get("say", ""),
        file.fields.get("heading", file.name.replace("_", "-")),
        file.fields.get("per") == "system",
        is_tested,
    )


def required_of(metrics: Sequence[Metric], duplicates: str, layout: Layout) -> frozenset[str]:
    """Conditions that the options and the metrics put on the rows.

    No repeats, where the caller or a metric refuses them, as those of RecTools do. Lists of the recommendations in the
    history (or the baseline), where a metric reads the history of each list, or the lists of the history are averaged.
    Actions of the log that the policy takes, where a metric weighs them. Popularity reads no lists. Propensities, where
    hits are weighted by them. Powers of 2 that are finite, where gains are such powers. A caller who says that lists
    may be new requires nothing of the history, not even rows.
    Repeats, unless all metrics take the first, as chunks are counted, too; an order of equal scores, unless all metrics
    take the mean over all orders.
    """
    required = {"unique-recs", "unique-truth"} if refuses_repeats(metrics, duplicates) else set[str]()
    if {metric.values.get("duplicates") for metric in metrics} - {None} != {"first"}:
        required.add("counted repeats")
    if not metrics or any(metric.values.get("ties") != "expected" for metric in metrics):
        required.add("decided ties")
    if "history" in layout.extras and not layout.cold_start:
        required.add("history-rows")
    if layout.offers("propensity") and any(catalog().weighs_log(metric.name) for metric in metrics):
        required.add("log-actions")
    if layout.offers("rating") and any(metric.values.get("gain") in POWERS for metric in metrics):
        required.add("powers")
    if any(are_weighted(metric.values) for metric in metrics):
        required.add(WEIGHTS)
    for name in ("baseline",) if layout.cold_start else ("history", "baseline"):
        if name in layout.extras and (
            (name == "history" and layout.negatives is not None)
            or any(metric.values.get("missing") == name for metric in metrics)
            or any(catalog().matches_lists_of(metric.name, name) for metric in metrics)
        ):
            required.add(f"{name}-lists")
    return frozenset(required)


def refuses_repeats(metrics: Iterable[Metric], duplicates: str) -> bool:
    """True if a repeated item is a fault."""
    return duplicates == "error" or bool(refusing(metrics))


def refusing(metrics: Iterable[Metric]) -> Sequence[Metric]:
    """The metrics that refuse a repeated item."""
    return [metric for metric in metrics if metric.values.get("duplicates") == "refused"]


def compute(expression: exp.Expr, values: Mapping[str, float]) -> float:
    """The value of an expression, given the values of its columns; a condition is 1 or 0."""
    if isinstance(expression, exp.Column):
        return values[expression.name]
    if isinstance(expression, exp.Literal):
        return int(expression.name)
    if isinstance(expression, exp.Paren):
        return compute(expression.this, values)
    if isinstance(expression, exp.Least):
        return min(compute(operand, values) for operand in (expression.this, *expression.expressions))
    if isinstance(expression, exp.Binary) and type(expression) in OPERATORS:
        return OPERATORS[type(expression)](compute(expression.left, values), compute(expression.right, values))
    raise ValueError(f"{expression.sql()} is not arithmetic of whole numbers.")


# --- messages ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Message(Formatter):
    """The message of a check that found something.

    The places may hold: a sum of counts, with a format (`{log_importance / log_actions:.2f}`) or in words of its number
    (`{n: list; lists}`, `{n: none; one; # many}`), which may have places themselves; the first rows of an input
    (`{recs}`); an option (`{ranks=again}`); a column by its role (`{column rank}`, `{in rank}`); and the phrases of
    `_phrase`.
    """

    check: Check
    layout: Layout
    counts: Mapping[str, int]  # over all rows of the summary, or those at fault
    rows: RowsAtFault = field(default_factory=dict)
    metrics: Sequence[Metric] = ()
    duplicates: str = "count"
    systems: str = ""  # the rows of the summary at fault, as `algorithm=knn`; empty if all are
    more: Mapping[str, object] = field(default_factory=dict)  # numbers and words that a test in Python adds

    def text(self) -> str:
        """The message."""
        return self.vformat(self.check.say, (), self.more)

    def get_field(self, field_name: str, args: object, kwargs: Mapping[str, object]) -> tuple[object, str]:
        """What is in a place: a number, or a text."""
        if isinstance(kwargs.get(field_name), str):
            return kwargs[field_name], field_name
        if field_name in self.rows:
            return in_words(self.rows[field_name]), field_name
        phrase = format(option_of(field_name)) if "=" in field_name else self._phrase(field_name.split())
        return self._number(field_name) if phrase is None else phrase, field_name

    def format_field(self, value: object, format_spec: str) -> str:
        """A number in its format, or in the words that fit it; a text as it is."""
        if isinstance(value, str):
            return value
        if "; " in format_spec:
            return _counted(int(cast(float, value)), format_spec.removeprefix(" ").split("; "))
        return format(value, format_spec or ",")

    def _number(self, text: str) -> float:
        """The value of an expression over counts, over numbers that a test adds, and over those of the layout."""
        given_ranks, filtered = self.layout.recs.rank is not None, "recs" in self.layout.filtered
        of_layout = {"pooled_columns": len(self.layout.pooled), "given_ranks": given_ranks, "filtered_recs": filtered}
        numbers = Counter[str]({**self.counts, **self.more, **of_layout})
        value = compute(self.check.n if text == "n" else _parsed(text), numbers)
        return int(value) if value == int(value) and "/" not in text else value

    def _phrase(self, words: Sequence[str]) -> str | None:
        layout = self.layout
        match words:
            case ["columns", "of", of, *roles]:
                return format(Option("extra_columns", dict.fromkeys(roles, "..."), of=of))
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
            case ["repeats"]:
                return self._why_refused()
            case ["sample"] | ["of", "sampled", "lists"]:
                is_all = self.counts["sampled_lists"] >= self.counts["truth_lists"]
                lists = f"{'all' if is_all else 'the first'} {self.counts['sampled_lists']:,} lists of the truth"
                return lists if words == ["sample"] else "" if is_all else f" of {lists}"
            case ["pooled"]:
                return ", ".join(layout.pooled)
            case _:
                return None

    def _why_empty(self, name: str) -> str:
        layout = self.layout
        until = layout.history_until if name == "history" else None
        if until is not None:
            kept = f"no row{' that the conditions keep' if name in layout.filtered else ''}"
            return f"{kept} is earlier than a {until!r} of the recommendations or the truth"
        if name == "truth" and layout.labels is not None:
            return f"no row has a label, {names(layout.labels)}"
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


def systems_in_words(rows: Iterable[Sequence[object]], all_rows: Iterable[Sequence[object]], by: Sequence[str]) -> str:
    """Rows of the summary, as `algorithm=knn; algorithm=als`, at most NAMED and one more; empty if they are all."""
    named = [", ".join(f"{name}={value}" for name, value in zip(by, row, strict=True)) for row in rows]
    if len(named) == len([*all_rows]):
        return ""
    more = [f"{len(named) - NAMED:,} more rows"] if len(named) > NAMED + 1 else named[NAMED:]
    *first, last = [*named[:NAMED], *more]
    return f"{'; '.join(first)}{' and ' if first else ''}{last}"


def _counted(n: int, forms: Sequence[str]) -> str:
    """A count in words. `forms` are a singular and a plural, or texts for none, one and many, where # is the number."""
    if len(forms) == 2:
        return counted(n, *forms)
    return forms[min(n, 2)].replace("#", f"{n:,}")


@lru_cache(maxsize=256)
def _parsed(text: str) -> exp.Expr:
    return parse_one(text)


# --- refusals ---------------------------------------------------------------------------------------------------------


def refuse(
    counts: Mapping[str, int],
    inputs: Inputs,
    metrics: Sequence[Metric],
    duplicates: str,
    rows_at_fault: Callable[[Check], RowsAtFault],
) -> None:
    """Refuse data whose numbers would look right and be wrong, by the counts of the account over all systems."""
    layout = inputs.layout
    for fault in checks_of(layout, required_of(metrics, duplicates, layout)):
        if fault.say and fault.is_in(counts):
            more = {"cause": _cause_of_repeats(inputs)} if fault.name == RANKS_REPEATED else {}
            rows = rows_at_fault(fault)
            message = Message(fault, layout, counts, rows=rows, metrics=metrics, duplicates=duplicates, more=more)
            alike = alike_ids(inputs) if fault.name in NOTHING_IN_COMMON else ()
            raise DataError(" ".join([message.text(), *alike]), page=fault.page)


def _cause_of_repeats(inputs: Inputs) -> str:
    """Begins the question for a missing column; before it, the function of SQL that gives equal scores equal ranks."""
    lists = {"n_lists": 0}
    with suppress(EngineError):  # an old database may lack a function: the ranks are refused all the same
        [lists] = inputs.answer("repeated_ranks", before=inputs.layout.rank_from - 1)
    for function, column in (("RANK", "n_tied"), ("DENSE_RANK", "n_dense")):
        if lists["n_lists"] and lists[column] == lists["n_lists"]:
            return (
                f"Equal scores may have equal ranks, as {function}() gives them: number the rows by ROW_NUMBER(), give "
                f"the score in place of the rank, or rank tied items by their ids: {Option('ranks', 'again')}. Or is"
            )
    return "Is"


def refuse_ranks(layout: Layout, rows_at_fault: Callable[[Check], RowsAtFault]) -> None:
    """Refuse ranks that are not whole numbers from 1, by a query of their own: the engine failed to count them."""
    for fault in checks_of(layout):
        if fault.name == RANKS_NOT_WHOLE and (rows := rows_at_fault(fault))["recs"]:
            raise DataError(Message(fault, layout, {}, rows=rows).text(), page=fault.page)
