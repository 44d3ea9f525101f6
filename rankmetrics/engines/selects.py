"""What the caller writes in SQL: SELECTs as inputs, and conditions on the rows of inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import NormalizationStrategy
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from rankmetrics.dialects.base import DIALECTS, grammar
from rankmetrics.engines.base import Engine
from rankmetrics.engines.files import statement_word
from rankmetrics.errors import ColumnError, InputError, Option, did_you_mean, names
from rankmetrics.inputs.columns import Schema
from rankmetrics.inputs.sources import CALLED, SOURCES
from rankmetrics.sqltree import tree

# Statements and clauses that do more than read.
WRITES = (exp.DML, exp.DDL, exp.Command, exp.Copy, exp.Into, exp.Lock, exp.Set, exp.Pragma, exp.Use, exp.Attach)

# Databases that fold names without quotes into one case.
FOLDS = (NormalizationStrategy.LOWERCASE, NormalizationStrategy.UPPERCASE)


def query(what: str, text: str, dialect: str) -> exp.Query:
    """Parse a text as one SELECT, with its names in the case in which the dialect stores them."""
    written, first = grammar(dialect), statement_word(text) or ""
    if first not in ("SELECT", "WITH", "FROM"):
        raise _no_select(what, text, first)
    try:
        statements = [
            statement
            for statement in sqlglot.parse(text, read=written)
            if statement and not isinstance(statement, exp.Semicolon)
        ]
    except SqlglotError as error:
        raise InputError(f"The {what} is not a SELECT in the SQL of {DIALECTS[dialect].called}: {error}") from error
    if len(statements) != 1:
        raise InputError(f"The {what} must be one SELECT, and there are {len(statements)} statements: {text!r}.")
    select = statements[0]
    writing = next(select.find_all(*WRITES), None)
    if writing is not None or not isinstance(select, exp.Query):
        raise _no_select(what, text, (writing or select).key.upper())
    for function in select.find_all(exp.Anonymous, exp.ReadCSV, exp.ReadParquet):
        for argument in function.expressions:
            if isinstance(argument, exp.EQ) and isinstance(argument.this, exp.Column):
                # an option, and no column: its name must not be quoted
                argument.replace(exp.Kwarg(this=exp.var(argument.this.name), expression=argument.expression))
    if written.NORMALIZATION_STRATEGY in FOLDS:
        select = normalize_identifiers(select, dialect=written)
    return select


def _no_select(what: str, text: str, word: str) -> InputError:
    return InputError(f"The {what} must be one SELECT, and {text!r} has {word}: an input is only read.")


def keep_rows(engine: Engine, conditions: Iterable[str]) -> None:
    """Keep only the rows of the inputs that meet all conditions.

    A condition is a SQL expression, such as `day = '2024-01-01'`. It applies to every input that has all of its
    columns, or to the input named before it, as in `recs: day = '2024-01-01'`.
    """
    for text in conditions:
        prefix = re.match(rf"\s*({'|'.join(SOURCES)})\s*:(?!:)", text)
        condition = _condition(text[prefix.end() :] if prefix else text, engine.dialect)
        read = list(dict.fromkeys(column.name for column in condition.find_all(exp.Column)))
        if prefix and prefix[1] not in engine.inputs:
            raise InputError(Option("where", text), f" is about {prefix[1]!r}, which was not given.")
        inputs = [prefix[1]] if prefix else [*engine.inputs]
        cut = [name for name in inputs if all(_spelled(column, engine.inputs[name].schema) for column in read)]
        if not cut:
            _refuse_columns(text, read, {name: engine.inputs[name].schema for name in inputs})
        for name in cut:
            test = _on(condition.copy(), engine.inputs[name].schema)
            engine.keep(name, test)
            before = engine.inputs[name].condition
            both = exp.and_(before, test) if before else test.copy()
            engine.inputs[name] = replace(engine.inputs[name], condition=both)


def _on(condition: exp.Expr, schema: Schema) -> exp.Expr:
    """A condition with the column names of an input, in the case that the input has."""
    return tree.replace_columns(condition, lambda column: tree.given(_spelled(column.name, schema)))


def _condition(text: str, dialect: str) -> exp.Expr:
    """Parse a text as a condition on the columns of one input."""
    try:
        parsed = sqlglot.parse(text, read=grammar(dialect))
    except SqlglotError as error:
        raise InputError(Option("where", text), " is not a condition: write it as in day = '2024-01-01'.") from error
    condition = parsed[0]
    strange = (*WRITES, exp.Query, exp.Alias, exp.AggFunc, exp.Window, exp.Placeholder, exp.Parameter, exp.Star)
    if len(parsed) != 1 or condition is None or condition.find(*strange) or not condition.find(exp.Column):
        raise InputError(
            Option("where", text),
            " is not a condition on the rows of an input: write it as in day = '2024-01-01', without a SELECT or an "
            "aggregate.",
        )
    for column in condition.find_all(exp.Column):
        if column.table:
            raise InputError(Option("where", text), f" names a column with its table: write {column.name!r} alone.")
    return condition.transform(_day)


def _day(node: exp.Expr) -> exp.Expr:
    """Put a date without quotes, as in day = 2024-01-31, into quotes: SQL would compute 2024 - 1 - 31."""
    if isinstance(node, exp.Sub) and re.fullmatch(r"\d{4} - \d\d - \d\d", node.sql()):
        return exp.Literal.string(node.sql().replace(" ", ""))
    return node


def _spelled(column: str, schema: Schema) -> str:
    """The name of a column in the case that an input has; empty if it has no such column."""
    if column in schema:
        return column
    return next((spelled for spelled in schema if spelled.lower() == column.lower()), "")


def _refuse_columns(text: str, read: Sequence[str], schemas: Mapping[str, Schema]) -> None:
    for name, schema in schemas.items():
        lacking = [column for column in read if not _spelled(column, schema)]
        if len(schemas) == 1 or len(lacking) < len(read):
            raise ColumnError(
                Option("where", text),
                f" names {names(lacking)}, and the {CALLED[name]} has {names(schema)}: a text stands in "
                f"'single quotes'.{did_you_mean(lacking[0], schema)}",
            )
    columns = list(dict.fromkeys(column for schema in schemas.values() for column in schema))
    raise ColumnError(
        Option("where", text),
        f" names {names(read)}, which no input has: there are {names(columns)}.{did_you_mean(read[0], columns)}",
    )
