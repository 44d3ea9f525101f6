"""Finds the dialects, and writes a query as text in one of them; what a dialect cannot express is refused.

A dialect is a module of this folder with a value `DIALECT`. The folder is the list: no other file names a dialect.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

import sqlglot.dialects
from sqlglot import Dialect as Grammar
from sqlglot import exp
from sqlglot.dialects.dialect import NormalizationStrategy
from sqlglot.errors import ErrorLevel, SqlglotError, UnsupportedError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

import rankmetrics.dialects
from rankmetrics.dialects.model import Dialect
from rankmetrics.errors import DialectError, did_you_mean, names
from rankmetrics.sqltree import tree

# The modules of this folder that are no dialects; `rewrites` is a folder, which no dialect is.
OTHER_MODULES = frozenset({"base", "catalogs", "grammars", "model", "table_storage"})


@cache
def _dialect_names() -> tuple[str, ...]:
    """The names of all dialects, sorted: those of the modules, read without importing one, from an archive as well."""
    modules = pkgutil.iter_modules(rankmetrics.dialects.__path__)
    return tuple(sorted(one.name for one in modules if not one.ispkg and one.name not in OTHER_MODULES))


class _Dialects(Mapping[str, Dialect]):
    """The dialects by name; each is imported when it is first asked for."""

    def __getitem__(self, name: str) -> Dialect:
        if name not in self:
            raise KeyError(name)
        found = import_module(f"{rankmetrics.dialects.__name__}.{name}").DIALECT
        assert isinstance(found, Dialect)
        return found

    def __contains__(self, name: object) -> bool:
        return name in _dialect_names()

    def __iter__(self) -> Iterator[str]:
        return iter(_dialect_names())

    def __len__(self) -> int:
        return len(_dialect_names())


DIALECTS: Mapping[str, Dialect] = _Dialects()


def known(name: str) -> Dialect:
    """All that is known of a dialect.

    Raises:
        DialectError: there is no dialect of that name.
    """
    if name not in DIALECTS:
        raise DialectError(f"There is no dialect {name!r}: there are {names(DIALECTS)}.{did_you_mean(name, DIALECTS)}")
    return DIALECTS[name]


def dialects_of(module: str) -> list[str]:
    """The names of the dialects that are spoken over the connections of a Python module.

    >>> dialects_of("psycopg"), dialects_of("pyspark")
    (['postgres'], ['databricks', 'spark'])
    """
    return [name for name, one in DIALECTS.items() if module in [driver.module for driver in one.drivers]]


def grammar(name: str) -> type[Grammar]:
    """The grammar that a dialect is written in: sqlglot's own class, since Ibis registers others under such names.

    >>> grammar("datafusion").__name__, grammar("mysql").__name__
    ('Postgres', 'MySQL')
    """
    written = known(name).grammar or name
    if not isinstance(written, str):
        return written
    classes = {one.lower(): one for one in sqlglot.dialects.DIALECTS}
    found: type[Grammar] = getattr(sqlglot.dialects, classes[written])
    return found


def keeps_upper_case(name: str) -> bool:
    """Whether a dialect keeps a name that is written without quotes in upper case.

    >>> keeps_upper_case("snowflake"), keeps_upper_case("postgres")
    (True, False)
    """
    return grammar(name).NORMALIZATION_STRATEGY is NormalizationStrategy.UPPERCASE


def text(query: exp.Expr, name: str, *, pretty: bool = True, copy: bool = True) -> str:
    """The text of a query or statement; `pretty` formats and comments it, `copy` leaves the tree as it is.

    Raises:
        DialectError: the dialect is unknown, or cannot express the query.
    """
    dialect = known(name)
    for lack in dialect.lacks:
        if query.find(lack.kind):
            raise DialectError(
                f"{dialect.called} has nothing for {lack.what}: {lack.why}. Leave it out, or take it from the query "
                "per list."
            )
    query = query.copy() if copy else query
    for rewrite in dialect.all_rewrites:
        rewrite(query)
    try:
        return query.sql(
            grammar(name),
            pretty=pretty,
            unsupported_level=ErrorLevel.RAISE,
            comments=pretty,
            copy=False,
            max_text_width=100,
        )
    except UnsupportedError as error:
        raise DialectError(f"{dialect.called} cannot say what this query needs: {error}") from error


def table(name: str, dialect: str) -> exp.Table:
    """A table by its name in a dialect, such as `db.recs` or `"my schema".recs`.

    Raises:
        DialectError: the text is no name of a table there.
    """
    try:
        found = exp.to_table(name, dialect=grammar(dialect))
    except SqlglotError as error:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}.") from error
    if not isinstance(found.this, exp.Identifier) or found.alias:
        raise DialectError(f"{name!r} cannot be the name of a table in {dialect}: quote what is no plain name.")
    tree.quote(found)
    return found


def folded(name: str, dialect: str) -> exp.Table:
    """A table by its name, the parts without quotes in the case in which the dialect keeps them.

    >>> folded('Shop."Recs"', "snowflake").sql("snowflake")
    '"SHOP"."Recs"'
    """
    written = grammar(dialect)
    found = normalize_identifiers(exp.to_table(name, dialect=written), dialect=written)
    tree.quote(found)
    return found
