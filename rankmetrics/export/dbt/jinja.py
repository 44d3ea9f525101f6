"""The query of a leaderboard as text of Jinja, which dbt renders: the body of a macro, for each dialect.

The text is that of to_sql, with plain names in every dialect. Expressions of Jinja, which dbt calls relations, replace
its tables; the rest of the text is escaped from Jinja.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from rankmetrics.dialects.base import grammar, unquoted
from rankmetrics.dialects.model import Form
from rankmetrics.dialects.rewrites.names import plain
from rankmetrics.errors import InputError
from rankmetrics.export.dbt.leaderboards import Leaderboard, Relation
from rankmetrics.export.query_text import sql_of
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN
from rankmetrics.request import Request

# Aggregates of values between 0 and 1 that lie between 0 and 1 themselves.
WITHIN = frozenset({"mean", "median", "median_low", "minimum", "maximum"})

# The prefix of an input's table in the query, before a relation replaces it.
HELD = "rankmetrics_input_"


# --- columns ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a leaderboard.

    Attributes:
        name: its name in every warehouse.
        what: its description; empty for a list column.
        is_share: whether it lies between 0 and 1.
        keeps_case: whether every warehouse keeps the case of its name.
    """

    name: str
    what: str = ""
    is_share: bool = False
    keeps_case: bool = False

    @property
    def is_key(self) -> bool:
        """Whether it is a list column."""
        return not self.what


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
    request = Request(**_tables(board), **board.options)
    is_kept = request.quote_names
    known = {
        N_LISTS: Column(N_LISTS, "how many lists the row is made of", keeps_case=is_kept),
        "n_missing": Column("n_missing", "how many of these lists have no recommendations", keeps_case=is_kept),
        "n_tied": Column("n_tied", "how many lists have equal scores", keeps_case=is_kept),
    }
    of_lists = [MEAN] if request.per_list else request.aggregates
    for name, metric in _named(board).items():
        what = f"{metric.text}: {metric.definition.summary}"
        undefined = f"for how many lists {metric.text} is undefined"
        known[f"n_undefined_{name}"] = Column(f"n_undefined_{name}", undefined, keeps_case=is_kept)
        is_share = metric.definition.fields.get("range") == "[0, 1]"
        for aggregate in [MEAN] if metric.is_run else of_lists:
            column = plain(aggregate.label(name))
            is_mean = aggregate == MEAN
            known[column] = Column(
                column,
                what if is_mean else f"{aggregate} of {what}",
                is_share and (is_mean or aggregate.name in WITHIN),
                is_kept,
            )
    quoted = {unquoted(one) for one in request.lists or () if unquoted(one) != one}
    columns = [
        known.get(name, Column(name, keeps_case=is_kept or name in quoted or not needs_no_quotes(name)))
        for name in _Parts(_query(board, "duckdb"), "duckdb").returned
    ]
    spelled = [column.name.lower() for column in columns]
    twice = [name for name in dict.fromkeys(spelled) if spelled.count(name) > 1]
    if twice:
        raise InputError(f"two columns would be called {twice[0]!r}: name the metrics, as in metrics: {{a_name: ...}}.")
    return columns


def _named(board: Leaderboard) -> dict[str, Metric]:
    """The metrics of a leaderboard by the names of their columns, which are the same in every warehouse.

    Raises:
        InputError: two metrics would have one name.
    """
    found: dict[str, Metric] = {}
    for metric in Request(**_tables(board), **board.options).metrics:
        name = metric.column or plain(metric.label).lower()
        if name in found:
            raise InputError(f"two columns would be called {name!r}: name the metrics, as in metrics: {{a_name: ...}}.")
        found[name] = metric
    return found


def needs_no_quotes(name: str) -> bool:
    """Whether a name may be written without quotes in every warehouse.

    >>> needs_no_quotes("user_id"), needs_no_quotes("user id")
    (True, False)
    """
    return bool(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name))


# --- the query --------------------------------------------------------------------------------------------------------


def body(board: Leaderboard, dialect: str, form: Form = "query") -> str:
    """The query of a leaderboard, or the query of its check, as the body of a macro over its inputs.

    Raises:
        DialectError: the dialect is unknown, or cannot express the query.

    Example:
        >>> tables = {"recs": Relation("ref", ("recs",)), "truth": Relation("ref", ("truth",))}
        >>> board = Leaderboard("accuracy", tables, {"metrics": ["hit@10"], "lists": ["user"], "by": []})
        >>> text = body(board, "tsql")
        >>> [line.strip() for line in text.splitlines() if "recs" in line]
        ['FROM {{ recs }} AS [recs]']
    """
    text = _query(board, dialect, form)
    parts = _Parts(text, dialect)
    edits = {parts.order: ""}  # a table has no order, and SQL Server refuses ORDER BY here
    for token in parts.tokens:
        name = token.text.lower().removeprefix(HELD)
        if token.token_type == TokenType.IDENTIFIER and name != token.text.lower() and name in board.inputs:
            edits[token.start, token.end + 1] = f"{{{{ {name} }}}}"
    return _edited(text, edits)


# Options that a form does not take: the query does not look for repeats, and the check returns no metrics.
NOT_OF: Mapping[Form, tuple[str, ...]] = {"query": ("duplicates",), "check": ("counts", "per_list")}


def _query(board: Leaderboard, dialect: str, form: Form = "query") -> str:
    options = {name: value for name, value in board.options.items() if name not in NOT_OF[form]}
    given = {**options, "metrics": _named(board), "dialect": dialect, "form": form}
    return sql_of(Request(**_tables(board), **given), drop_labels=True)


def _tables(board: Leaderboard) -> dict[str, Any]:
    """The names under which the query reads the inputs."""
    return {name: f"{HELD}{name}" for name in board.inputs}


class _Parts:
    """The tokens of a query, the names of the columns of its last SELECT, and the position of its ORDER BY."""

    def __init__(self, text: str, dialect: str) -> None:
        self.tokens: list[Token] = grammar(dialect)().tokenize(text)
        outer = list(_outside_brackets(self.tokens))
        start = max(place for place, token in enumerate(outer) if token.token_type == TokenType.SELECT)
        end = next(place for place, token in enumerate(outer) if place > start and token.token_type == TokenType.FROM)
        commas = [place for place in range(start, end) if outer[place].token_type == TokenType.COMMA]
        self.returned = [outer[place - 1].text for place in (*commas, end)]
        starts = {token.token_type: token.start for token in outer[end:]}
        after = starts.get(TokenType.SETTINGS, len(text))
        self.order = (starts.get(TokenType.ORDER_BY, after), after)


def _outside_brackets(tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        depth -= token.token_type == TokenType.R_PAREN
        if depth == 0:
            yield token
        depth += token.token_type == TokenType.L_PAREN


def _edited(text: str, edits: Mapping[tuple[int, int], str]) -> str:
    """A text with parts replaced, by their start and end, and the rest escaped from Jinja."""
    found, place = [], 0
    for (start, end), new in sorted(edits.items()):
        found += [escaped(text[place:start]), new]
        place = end
    return "".join([*found, escaped(text[place:])]).rstrip()


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
