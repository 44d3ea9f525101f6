"""The data test of a leaderboard: it fails if its tables have a fault for which `evaluate` would refuse them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from string import Template
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from rankmetrics._files import packaged
from rankmetrics.dialects.base import grammar, keeps_upper_case
from rankmetrics.export.dbt.jinja import HELD, escaped, expression, needs_no_quotes
from rankmetrics.export.dbt.leaderboards import ADAPTERS, Leaderboard
from rankmetrics.export.query_text import to_sql

# Options of a leaderboard that change only its query.
OF_QUERY = ("counts", "per_list", "guarded")


def check_files(board: Leaderboard, adapters: Sequence[str], package: str, mark: str) -> dict[str, str]:
    """The macro of the check, and the test that calls it, by their paths within the package.

    Args:
        board: the leaderboard.
        adapters: the adapters to write SQL for.
        package: the name of the package.
        mark: the comment that says who wrote the files.

    Example:
        >>> from rankmetrics.export.dbt.leaderboards import Relation
        >>> tables = {"recs": Relation("ref", ("recs",)), "truth": Relation("ref", ("truth",))}
        >>> board = Leaderboard("accuracy", tables, {"metrics": ["hit@10"], "lists": ["user"]})
        >>> files = check_files(board, ["duckdb"], "rankmetrics", "ours")
        >>> print(files["tests/accuracy_has_sound_data.sql"].splitlines()[-1])
        {{ rankmetrics.check_accuracy(recs=ref('recs'), truth=ref('truth')) }}
    """
    fill = _filling(mark=mark, package=package, name=board.name, inputs=", ".join(board.inputs))
    bodies = {dialect: _body(board, dialect) for dialect in dict.fromkeys(ADAPTERS[one] for one in adapters)}
    macros = [fill("check_for_adapter.sql", adapter=one, body=bodies[ADAPTERS[one]]) for one in adapters]
    relations = ", ".join(f"{name}={expression(relation)}" for name, relation in board.inputs.items())
    return {
        f"macros/_check_{board.name}.sql": "".join([fill("check.sql"), *macros]),
        f"tests/{board.name}_has_sound_data.sql": fill("check_test.sql", relations=relations),
    }


def _filling(**shared: str) -> Callable[..., str]:
    """A function that fills a template with these values and others."""

    def fill(template: str, **values: str) -> str:
        text = (packaged("export") / "dbt" / "templates" / template).read_text("utf-8")
        return Template(text).substitute(shared, **values)

    return fill


def _body(board: Leaderboard, dialect: str) -> str:
    """The query of the check as the body of a macro over its inputs."""
    options = {name: value for name, value in board.options.items() if name not in OF_QUERY}
    tables: dict[str, Any] = {name: f"{HELD}{name}" for name in board.inputs}
    text = to_sql(**tables, **options, dialect=dialect, form="check")
    # dbt counts the rows of the query, and SQL Server refuses an order there
    text = re.sub(r"\nORDER BY\n  [^\n]+", "", text)
    is_upper = keeps_upper_case(dialect) and not board.quote_columns
    found, end = [], 0
    for token in grammar(dialect)().tokenize(text):
        if token.token_type != TokenType.IDENTIFIER:
            continue
        name = token.text.removeprefix(HELD)
        if name != token.text and name in board.inputs:
            new = f"{{{{ {name} }}}}"
        elif is_upper and needs_no_quotes(token.text):
            new = escaped(exp.to_identifier(token.text.upper(), quoted=True).sql(grammar(dialect)))
        else:
            continue
        found += [escaped(text[end : token.start]), new]
        end = token.end + 1
    return "".join([*found, escaped(text[end:])]).rstrip()
