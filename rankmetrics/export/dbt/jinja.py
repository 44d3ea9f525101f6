"""The query of a leaderboard as text of Jinja, which dbt renders: the body of a macro, for each dialect.

The text is that of to_sql, with plain names in every dialect. Expressions of Jinja, which dbt calls relations, replace
its tables; the rest of the text is escaped from Jinja.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankmetrics.dialects.base import unquoted
from rankmetrics.dialects.model import Form
from rankmetrics.dialects.rewrites import plain
from rankmetrics.errors import InputError
from rankmetrics.export.dbt.leaderboards import PLACEHOLDER, Leaderboard, Relation
from rankmetrics.export.query_text import sql_of
from rankmetrics.export.statements import without_header
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Interval, interval_of
from rankmetrics.sqltree import tree

# The faults of tables without rows: the first run of an incremental model may be empty.
EMPTY = frozenset({"no_recommendations", "no_truth"})


# --- columns ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a leaderboard, with the same name in every warehouse."""

    name: str
    what: str  # its description
    interval: Interval | None = None  # that its values lie in; None for a list column
    keeps_case: bool = False  # True if every warehouse keeps the case of its name

    @property
    def is_key(self) -> bool:
        """True if it is a list column."""
        return self.interval is None


def columns_of(board: Leaderboard) -> list[Column]:
    """The columns of a leaderboard, in their order.

    Raises:
        MetricError: a metric is unknown.
        InputError: two columns would be called the same.

    Example:
        >>> tables = {"recs": Relation("ref", ("recs",)), "truth": Relation("ref", ("truth",))}
        >>> options = {"metrics": ["hit@10"], "lists": ["algorithm", "user"], "truth_lists": ["user"]}
        >>> [column.name for column in columns_of(Leaderboard("accuracy", tables, options))]
        ['algorithm', 'n_lists', 'hit_at_10']
    """
    request = board.request()
    is_kept, known = request.quote_names, dict[str, Column]()

    def add(name: str, what: str, interval: Interval) -> None:
        known[name] = Column(name, what, interval, is_kept)

    count = Interval(0)
    add(N_LISTS, "how many lists the row is made of", Interval(1))
    add("n_missing", "how many of these lists have no recommendations", count)
    add("n_tied", "how many lists have equal scores", count)
    for name, metric in _named(board).items():
        what = f"{metric.text}: {metric.definition.summary}"
        add(f"n_undefined_{name}", f"for how many lists {metric.text} is undefined", count)
        for aggregate in [MEAN] if metric.is_run or request.per_list else request.aggregates:
            text = what if aggregate == MEAN else f"{aggregate} of {what}"
            add(plain(aggregate.label(name)), text, interval_of(metric, aggregate))
    in_quotes = {unquoted(column) for column in request.lists or () if unquoted(column) != column}
    shared = {unquoted(column) for column in request.truth_lists or request.lists or ()}

    def key(name: str) -> Column:
        owner = "lists of recommendations and truth" if name in shared else "system that made the recommendations"
        keeps_case = is_kept or name in in_quotes or not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name)
        return Column(name, f"list column that identifies the {owner}", keeps_case=keeps_case)

    query = tree.parse(_query(board, "duckdb"), "The query")
    columns = [known.get(name) or key(name) for name in tree.outputs(query)]
    _refuse_repeated([column.name.lower() for column in columns])
    return columns


def _refuse_repeated(names: Sequence[str]) -> None:
    if repeated := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise InputError(
            f"two columns would be called {repeated[0]!r}: name the metrics, as in metrics: {{a_name: ...}}."
        )


def partition_columns(board: Leaderboard) -> dict[str, str]:
    """The column of the partition in the recommendations and, if it has the column, in the truth."""
    request = board.request()
    partitions = {"recs": board.partition}
    if "truth" in board.inputs and board.partition in (request.truth_lists or request.lists or ()):
        of_truth = request.truth_columns or request.columns
        partitions["truth"] = (of_truth.lists if of_truth else {}).get(board.partition, board.partition)
    return {name: unquoted(column) for name, column in partitions.items()}


def quote_of(column: Column, package: str) -> str:
    """The macro that puts the name of a column in quotes, in the case that the warehouse gives it."""
    return "adapter.quote" if column.keeps_case else f"{package}.quoted"


def quoted(column: Column, package: str) -> str:
    """The call of this macro for a column."""
    return f"{quote_of(column, package)}({literal(column.name)})"


def _named(board: Leaderboard) -> dict[str, Metric]:
    """The metrics of a leaderboard by the names of their columns, which are the same in every warehouse."""
    metrics = board.request().metrics
    names = [metric.column or plain(metric.label).lower() for metric in metrics]
    _refuse_repeated(names)
    return dict(zip(names, metrics, strict=True))


# --- the query --------------------------------------------------------------------------------------------------------


def body(board: Leaderboard, dialect: str, form: Form = "query") -> str:
    """The query of a leaderboard, or the query of its check, as the body of a macro over its inputs.

    Raises:
        DialectError: the dialect is unknown, or cannot express the query.

    Example:
        >>> tables = {"recs": Relation("ref", ("recs",)), "truth": Relation("ref", ("truth",))}
        >>> board = Leaderboard("accuracy", tables, {"metrics": ["hit@10"], "lists": ["user"], "by": []})
        >>> text = body(board, "tsql")
        >>> [line.strip() for line in text.splitlines() if "recs" in line]  # doctest: +ELLIPSIS
        ['SELECT [recs].[user], MIN(CAST([recs].[rank] AS BIGINT)) AS [rank]', 'FROM {{ recs }} AS [recs]', ...]
    """
    table = re.compile(rf"""["`\[]{PLACEHOLDER}({"|".join(board.inputs)})["`\]]""", re.IGNORECASE)
    return table.sub(lambda match: f"{{{{ {match[1].lower()} }}}}", escaped(_query(board, dialect, form)))


# Options that a form disregards: the query does not look for repeats, and the check returns no metrics.
NOT_OF: Mapping[Form, dict[str, Any]] = {"query": {"duplicates": "count"}, "check": {"counts": (), "per_list": False}}


def _query(board: Leaderboard, dialect: str, form: Form = "query") -> str:
    request = board.request(metrics=_named(board), dialect=dialect, form=form, **NOT_OF[form])
    text = sql_of(request, is_model=True, allowed=EMPTY if board.partition else frozenset())
    return without_header(text)  # it names tables that relations replace, and schema.yml says what each metric is


# --- text in Jinja ----------------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """A text, escaped so that Jinja prints it unchanged.

    >>> escaped("{{ x }}")
    "{{ '{' }}{{ '{' }} x }}"
    """
    return text.replace("{", "{{ '{' }}")


def literal(text: str) -> str:
    r"""A text as a literal of Jinja, escaped so that no character ends the literal or a block.

    >>> print(literal("it's {{ x }}"))
    'it\U00000027s \U0000007b\U0000007b x \U0000007d\U0000007d'
    """
    return "'" + re.sub(r"[^a-zA-Z0-9_ .,:;()@=/-]", lambda character: f"\\U{ord(character[0]):08x}", text) + "'"


def expression(relation: Relation) -> str:
    """A table as the expression of Jinja that is its relation.

    >>> expression(Relation("ref", ("shop", "recs"), 2))
    "ref('shop', 'recs', v=2)"
    >>> expression(Relation("table", ("db", "recs")))
    "api.Relation.create(schema='db', identifier='recs')"
    """
    parts = [literal(part) for part in relation.parts]
    if relation.call == "table":
        keys = ("database", "schema", "identifier")[-len(parts) :]
        return f"api.Relation.create({', '.join(f'{key}={part}' for key, part in zip(keys, parts, strict=True))})"
    version = relation.version if isinstance(relation.version, int | None) else literal(relation.version)
    return f"{relation.call}({', '.join([*parts, *([f'v={version}'] if version is not None else [])])})"
