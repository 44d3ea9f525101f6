"""The query of a leaderboard as text of Jinja, which dbt renders: the body of a macro, for each dialect.

The text is what to_sql gives. Its tables are put in as expressions of Jinja, what dbt calls relations; its columns are
called in a way that needs no quotes in any warehouse; whatever else stands in it is out of Jinja's reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from rankmetrics.api import decided
from rankmetrics.dialects.base import grammar, keeps_upper_case
from rankmetrics.errors import InputError
from rankmetrics.export.dbt.leaderboards import Leaderboard, Relation
from rankmetrics.export.query_text import to_sql
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import metrics
from rankmetrics.metrics.summaries import MEAN, aggregates

# Aggregates that are as much between 0 and 1 as what they are made of.
WITHIN = frozenset({"mean", "median", "median_low", "minimum", "maximum"})

# What an input is called in the query until it is a relation.
HELD = "rankmetrics_input_"


# --- columns ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a leaderboard.

    Attributes:
        name: what it is called in every warehouse.
        what: its description; nothing where it is a list column, which says what a row is of.
        is_share: whether it lies between 0 and 1.
    """

    name: str
    what: str = ""
    is_share: bool = False

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
        >>> asked = {"metrics": ["hit@10"], "lists": ["algorithm", "user"], "truth_lists": ["user"]}
        >>> [one.name for one in columns_of(Leaderboard("accuracy", tables, asked))]
        ['algorithm', 'n_lists', 'hit_at_10']
    """
    known = {N_LISTS: Column(N_LISTS, "how many lists the row is made of")}
    per_list, policies = board.asked.get("per_list"), decided(board.asked.get("missing"), board.asked.get("ties"))
    of_lists = [MEAN] if per_list else aggregates(board.asked.get("aggregates", "mean"))
    for metric in metrics(board.asked["metrics"], board.asked.get("convention"), policies):
        name = board.called.get(metric.label.lower()) or plain(metric.label)
        what = f"{metric.text}: {metric.definition.summary}"
        is_share = metric.definition.fields.get("range") == "[0, 1]"
        for one in [MEAN] if metric.is_run else of_lists:
            known[one.label(metric.label)] = (
                Column(name, what, is_share)
                if one == MEAN
                else Column(f"{name}_{plain(str(one))}", f"{one} of {what}", is_share and one.name in WITHIN)
            )
    returned = _Parts(_query(board, "duckdb"), "duckdb").returned
    columns = [known.get(item[-1].text, Column(item[-1].text)) for item in returned]
    spelled = [one.name.lower() for one in columns]
    twice = [one for one in dict.fromkeys(spelled) if spelled.count(one) > 1]
    if twice:
        raise InputError(f"two columns would be called {twice[0]!r}: name the metrics, as in metrics: {{a_name: ...}}.")
    return columns


def plain(label: str) -> str:
    """A label as a name that needs no quotes in any warehouse.

    >>> plain("nDCG(gain=linear)@10")
    'ndcg_gain_linear_at_10'
    """
    return re.sub(r"[^a-z0-9]+", "_", label.lower().replace("@", "_at_")).strip("_")


def needs_no_quotes(name: str) -> bool:
    """Whether a name may be written without quotes: in Snowflake, what is so written is kept in upper case.

    >>> needs_no_quotes("user_id"), needs_no_quotes("userId")
    (True, False)
    """
    return bool(re.fullmatch("[a-z_][a-z0-9_]*", name))


# --- the query --------------------------------------------------------------------------------------------------------


def body(board: Leaderboard, columns: Sequence[Column], dialect: str) -> str:
    """The query of a leaderboard as the body of a macro over its inputs.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.

    Example:
        >>> tables = {"recs": Relation("ref", ("recs",)), "truth": Relation("ref", ("truth",))}
        >>> board = Leaderboard("accuracy", tables, {"metrics": ["hit@10"], "lists": ["user"], "by": []})
        >>> text = body(board, columns_of(board), "tsql")
        >>> [line.strip() for line in text.splitlines() if "recs" in line]
        ['FROM {{ recs }} AS [recs]']
    """
    text = _query(board, dialect)
    parts, is_upper = _Parts(text, dialect), keeps_upper_case(dialect)
    folds = is_upper and not board.quote_columns

    def quoted(name: str) -> str:
        return escaped(exp.to_identifier(name.upper() if is_upper else name, quoted=True).sql(grammar(dialect)))

    edits = {parts.order: ""}  # a table has none, and SQL Server refuses one
    for one in parts.tokens:
        if one.token_type == TokenType.IDENTIFIER and not parts.order[0] <= one.start < parts.order[1]:
            name = one.text.removeprefix(HELD)
            if name != one.text and name in board.inputs:
                edits[one.start, one.end + 1] = f"{{{{ {name} }}}}"
            elif folds and needs_no_quotes(name):
                edits[one.start, one.end + 1] = quoted(name)
    for column, item in zip(columns, parts.returned, strict=True):
        last = item[-1]
        if not column.is_key and len(item) > 1 and item[-2].token_type == TokenType.ALIAS:
            edits[last.start, last.end + 1] = quoted(column.name)
        elif not column.is_key and (is_upper or last.text != column.name):
            edits[last.end + 1, last.end + 1] = f" AS {quoted(column.name)}"
    return _edited(text, edits)


def _query(board: Leaderboard, dialect: str) -> str:
    tables: dict[str, Any] = {one: f"{HELD}{one}" for one in board.inputs}
    return to_sql(**tables, **board.asked, dialect=dialect)


class _Parts:
    """The tokens of a query's text; of its last SELECT, those of each column returned, and where its order stands."""

    def __init__(self, text: str, dialect: str) -> None:
        self.tokens: list[Token] = grammar(dialect)().tokenize(text)
        outer = list(_outside_brackets(self.tokens))
        start = max(place for place, one in enumerate(outer) if one.token_type == TokenType.SELECT)
        end = next(place for place, one in enumerate(outer) if place > start and one.token_type == TokenType.FROM)
        self.returned: list[list[Token]] = [[]]
        for one in outer[start + 1 : end]:
            if one.token_type == TokenType.COMMA:
                self.returned.append([])
            else:
                self.returned[-1].append(one)
        starts = {one.token_type: one.start for one in outer[end:]}
        after = starts.get(TokenType.SETTINGS, len(text))
        self.order = (starts.get(TokenType.ORDER_BY, after), after)


def _outside_brackets(tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for one in tokens:
        depth -= one.token_type == TokenType.R_PAREN
        if depth == 0:
            yield one
        depth += one.token_type == TokenType.L_PAREN


def _edited(text: str, edits: Mapping[tuple[int, int], str]) -> str:
    """A text with some of its places replaced, and everything else out of Jinja's reach."""
    found, place = [], 0
    for (start, end), new in sorted(edits.items()):
        found += [escaped(text[place:start]), new]
        place = end
    return "".join([*found, escaped(text[place:])]).rstrip()


# --- text in Jinja ----------------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """A text that Jinja gives back as it is.

    >>> escaped("{{ x }}")
    "{{ '{' }}{{ '{' }} x }}"
    """
    return text.replace("{", "{{ '{' }}")


def literal(text: str) -> str:
    r"""A text as a literal of Jinja, in which nothing can be taken for its end, or for that of a block.

    >>> print(literal("it's {{ x }}"))
    'it\U00000027s \U0000007b\U0000007b x \U0000007d\U0000007d'
    """
    return "'" + re.sub(r"[^a-zA-Z0-9_ .,:;()@=/-]", lambda one: f"\\U{ord(one[0]):08x}", text) + "'"


def expression(relation: Relation) -> str:
    """A table as the expression of Jinja that is its relation.

    >>> expression(Relation("ref", ("shop", "recs"), 2))
    "ref('shop', 'recs', v=2)"
    >>> expression(Relation("table", ("db", "recs")))
    "api.Relation.create(schema='db', identifier='recs')"
    """
    parts = [literal(one) for one in relation.parts]
    if relation.call == "table":
        keys = ("database", "schema", "identifier")[-len(parts) :]
        return f"api.Relation.create({', '.join(f'{key}={one}' for key, one in zip(keys, parts, strict=True))})"
    version = relation.version if isinstance(relation.version, int | None) else literal(relation.version)
    return f"{relation.call}({', '.join([*parts, *([f'v={version}'] if version is not None else [])])})"
