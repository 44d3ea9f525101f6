"""Finds the dialects, and writes a query as text in one of them; what a dialect cannot express is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import sqlglot.dialects
from sqlglot import Dialect as Grammar
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError, UnsupportedError

from rankmetrics.dialects.databases import DATABASES
from rankmetrics.dialects.model import Dialect, NamesOfJob
from rankmetrics.dialects.rewrites import folded
from rankmetrics.errors import DialectError, choices_for
from rankmetrics.sqltree import tree

DIALECTS: Mapping[str, Dialect] = dict(sorted(DATABASES.items()))


def known(name: str) -> Dialect:
    """All that is known of a dialect."""
    if name not in DIALECTS:
        raise DialectError(f"There is no dialect {name!r}: there are {choices_for(name, DIALECTS)}")
    return DIALECTS[name]


def dialects_of(module: str) -> list[str]:
    """The names of the dialects that are spoken over the connections of a Python module."""
    return [name for name, dialect in DIALECTS.items() if module in [driver.module for driver in dialect.drivers]]


def originals_last() -> list[tuple[str, Dialect]]:
    """All dialects by name, each before the one that it was made of.

    A dict made of these pairs keeps the last entry of each key: a driver that a dialect has taken over from another is
    found under the dialect that it was first declared for.
    """
    return [*reversed(DATABASES.items())]


def grammar(name: str) -> type[Grammar]:
    """The grammar that a dialect is written in: sqlglot's own class, since Ibis registers others under such names."""
    own = known(name).grammar or name
    if not isinstance(own, str):
        return own
    classes = {each.lower(): each for each in sqlglot.dialects.DIALECTS}
    grammar_class: type[Grammar] = getattr(sqlglot.dialects, classes[own])
    return grammar_class


def text(query: exp.Expr, name: str, *, pretty: bool = True, copy: bool = True, job: NamesOfJob | None = None) -> str:
    """The text of a query or statement; `pretty` formats and comments it, `copy` leaves the tree as it is.

    `job` says how names are spelled in the text of a job. Without it, columns are named by the labels of their metrics,
    such as `ndcg@10`, unless the dialect refuses such names.
    """
    query = query.copy() if copy else query
    rewrite(query, name, job)
    return rewritten_text(query, name, pretty=pretty)


def rewrite(query: exp.Expr, name: str, job: NamesOfJob | None = None) -> None:
    """Change a query or statement, in place, to what the dialect needs; `job` as in `text`."""
    dialect = known(name)
    for lack in dialect.lacks:
        if query.find(lack.kind):
            raise DialectError(f"{dialect.called} has nothing for {lack.what}: {lack.why}. {lack.cure}")
    for change in dialect.all_rewrites(job):
        change(query)


def rewritten_text(query: exp.Expr, name: str, *, pretty: bool = True) -> str:
    """The text of a query or statement that the dialect's rewrites have changed; it is used up."""
    has_line_breaks = any("\n" in node.name for node in tree.find(query, exp.Literal, exp.Identifier))
    try:
        text = query.sql(
            grammar(name),
            pretty=pretty,
            unsupported_level=ErrorLevel.RAISE,
            comments=pretty,
            copy=False,
            max_text_width=100,
        )
    except UnsupportedError as error:
        raise DialectError(f"{known(name).called} cannot say what this query needs: {error}") from error
    return on_few_lines(text) if pretty and not has_line_breaks else text


def table(name: str, dialect: str, *, is_folded: bool = False) -> exp.Table:
    """A table by its name as a person writes it, such as `db.recs` or `"my schema".recs`.

    With `is_folded`, the parts without quotes get the case to which the dialect turns such names. An expression of
    Jinja, such as `{{ ref('recs') }}`, stays as it is.
    """
    if re.fullmatch(r"\s*\{\{.*\}\}\s*", name, re.DOTALL):
        return exp.Table(this=exp.var(name.strip()))
    try:
        parsed = exp.to_table(name, dialect=grammar(dialect))
    except SqlglotError as error:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}.") from error
    if not isinstance(parsed.this, exp.Identifier) or parsed.alias:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}: quote what is not a plain name.")
    if is_folded:
        fold(parsed, dialect, quoted=False)
    tree.quote(parsed)
    return parsed


def about(text: str, table: exp.Table, dialect: str) -> str:
    """A template of a statement about a table, with the table filled in.

    `{table}` is the table as SQL names it, `{dataset}` the schema that it is in, and `{lock}` a table next to it.
    `{path}`, `{name}` and `{schema}` are texts: all of the table's name, its last part, and its schema, or NULL.
    """
    lock = table.copy()
    lock.set("this", exp.to_identifier(f"{table.name}_lock", quoted=True))
    parts: dict[str, exp.Expr] = {
        "table": table,
        "dataset": exp.Table(this=table.args.get("db"), db=table.args.get("catalog")).copy(),
        "lock": lock,
        "path": exp.Literal.string(table.sql(grammar(dialect))),
        "name": exp.Literal.string(table.name),
        "schema": exp.Literal.string(table.db) if table.db else exp.Null(),
    }
    return text.format_map({part: node.sql(grammar(dialect)) for part, node in parts.items()})


def fold(query: exp.Expr, dialect: str, *, quoted: bool = True) -> None:
    """Give the names in a table or a condition, in place, the case to which a dialect turns names without quotes.

    With `quoted`, names in quotes get it, too, as in a tree of which no person wrote the quotes.
    """
    for identifier in tree.find(query, exp.Identifier):
        if quoted or not identifier.args.get("quoted"):
            identifier.set("this", folded(identifier.name, known(dialect).names.folds_to))


def column_name(written: str, dialect: str) -> str:
    """The name by which a dialect keeps a column, from the name as a person writes it: in quotes, or without."""
    bare = unquoted(written)
    return bare if bare != written else folded(written, known(dialect).names.folds_to)


def unquoted(written: str) -> str:
    """A name without the quotes that a person writes around it."""
    is_quoted = len(written) > 2 and written.startswith('"') and written.endswith('"')
    return written[1:-1].replace('""', '"') if is_quoted else written


# --- the layout of a text ---------------------------------------------------------------------------------------------

# The longest line that a clause is put on.
WIDTH = 120

# SELECTs of a number under a name, without any table, which UNION ALL joins.
NUMBERS = re.compile(
    r"^( *)SELECT \d+ AS \S+(\n\1UNION ALL\n\1SELECT \d+ AS \S+)+(?=\n(?!\1)|\n\1UNION ALL\n)", re.MULTILINE
)

# A line that only begins a clause.
HEAD = re.compile(
    r"(^\s*(SELECT( DISTINCT| TOP \d+)?( /\*\+.*\*/)?|WHERE|GROUP BY|ORDER BY|HAVING)|JOIN .*|VALUES|UNNEST\(\["
    r"|FILTER\(WHERE)$"
)


def on_few_lines(text: str) -> str:
    r"""A text of SQL with each clause on one line where it fits; rows of VALUES share lines.

    sqlglot gives each column of a SELECT, each row of VALUES and each condition a line of its own. No literal and no
    name in the text may hold a line break.

    >>> print(on_few_lines('SELECT\n  a,\n  SUM(b) AS b\nFROM t\nWHERE\n  a > 0\nGROUP BY\n  a'))
    SELECT a, SUM(b) AS b
    FROM t
    WHERE a > 0
    GROUP BY a
    >>> print(on_few_lines('FROM (\n  SELECT\n    1 AS k\n  UNION ALL\n  SELECT\n    2 AS k\n)'))
    FROM (
      SELECT 1 AS k UNION ALL SELECT 2 AS k
    )
    """
    lines, before = text.split("\n"), 0
    while len(lines) != before:  # a FILTER within a SELECT is put on one line first, and then the SELECT
        before, lines = len(lines), list(_joined(lines))
    return NUMBERS.sub(lambda numbers: "\n".join(_packed(numbers[0].split("\n"))), "\n".join(lines))


def _joined(lines: list[str]) -> Iterator[str]:
    """Lines, with each head of a clause before the lines that belong to it, on one line where they fit."""
    place = 0
    while place < len(lines):
        head, place = lines[place], place + 1
        if not HEAD.search(head):
            yield head
            continue
        end = next((n for n in range(place, len(lines)) if _depth(lines[n]) <= _depth(head)), len(lines))
        clause = lines[place:end]
        if len({*map(_depth, clause)}) != 1 or any("/*" in line for line in clause):
            yield head
            continue
        place = end
        whole_clause = " ".join([head, *(line.strip() for line in clause)])
        if len(whole_clause) <= WIDTH:
            yield whole_clause
        else:
            yield head
            yield from _packed(clause) if head.endswith(("VALUES", "[")) else clause


def _packed(rows: list[str]) -> Iterator[str]:
    """The rows, each line filled with as many as fit; no row is broken, since a text in it may hold spaces."""
    line = rows[0]
    for row in map(str.strip, rows[1:]):
        if len(line) + 1 + len(row) > WIDTH:
            yield line
            line = " " * _depth(rows[0]) + row
        else:
            line = f"{line} {row}"
    yield line


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
