"""SELECTs over inputs: those that the caller writes, conditions on rows, and the rows of systems and of lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import NormalizationStrategy
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from rankmetrics.dialects.base import DIALECTS, grammar, known
from rankmetrics.engines.files import statement_word
from rankmetrics.errors import InputError, Option, choices_for, did_you_mean
from rankmetrics.inputs.columns import Schema
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import CALLED, SOURCES
from rankmetrics.messages import refused, said
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import after_from, call

# Statements and clauses that do more than read.
WRITES = (exp.DML, exp.DDL, exp.Command, exp.Copy, exp.Into, exp.Lock, exp.Set, exp.Pragma, exp.Use, exp.Attach)

# True for positions with an item, and for the first.
IS_ITEM = ":item IS NOT NULL OR :place = 1"

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


def read_condition(text: str, schemas: Mapping[str, Schema], dialect: str) -> dict[str, exp.Expr]:
    """A condition of `where` on the columns of each input that it applies to.

    A condition is a SQL expression, such as `day = '2024-01-01'`. It applies to every input that has all of its
    columns, or to the input named before it, as in `recs: day = '2024-01-01'`.
    """
    prefix = re.match(rf"\s*({'|'.join(SOURCES)})\s*:(?!:)", text)
    condition = _condition(text[prefix.end() :] if prefix else text, dialect)
    read = list(dict.fromkeys(column.name for column in condition.find_all(exp.Column)))
    if prefix and prefix[1] not in schemas:
        raise InputError(f"{Option('where', text)} is about {prefix[1]!r}, which was not given.")
    schemas = {prefix[1]: schemas[prefix[1]]} if prefix else schemas
    cut = {name: schema for name, schema in schemas.items() if all(_spelled(column, schema) for column in read)}
    if not cut:
        _refuse_columns(text, read, schemas)
    return {name: _on(condition.copy(), schema) for name, schema in cut.items()}


def _on(condition: exp.Expr, schema: Schema) -> exp.Expr:
    """A condition with the column names of an input, in the case that the input has."""
    return tree.replace_columns(condition, lambda column: tree.given(_spelled(column.name, schema)))


def _condition(text: str, dialect: str) -> exp.Expr:
    """Parse a text as a condition on the columns of one input."""
    try:
        parsed = sqlglot.parse(text, read=grammar(dialect))
    except SqlglotError as error:
        raise InputError(f"{Option('where', text)} is not a condition: write it as in day = '2024-01-01'.") from error
    condition = parsed[0]
    strange = (*WRITES, exp.Query, exp.Alias, exp.AggFunc, exp.Window, exp.Placeholder, exp.Parameter, exp.Star)
    if len(parsed) != 1 or condition is None or condition.find(*strange) or not condition.find(exp.Column):
        raise said(InputError, "no_condition", where=Option("where", text))
    for column in condition.find_all(exp.Column):
        if column.table:
            raise InputError(f"{Option('where', text)} names a column with its table: write {column.name!r} alone.")
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
    where = Option("where", text)
    for name, schema in schemas.items():
        lacking = [column for column in read if not _spelled(column, schema)]
        if len(schemas) == 1 or len(lacking) < len(read):
            of_input = {"table": CALLED[name], "schema": [*schema], "near": did_you_mean(lacking[0], schema)}
            raise refused("not_of_the_input", where=where, lacking=lacking, **of_input)
    columns = list(dict.fromkeys(column for schema in schemas.values() for column in schema))
    raise refused("of_no_input", where=where, columns=[*read], choices=choices_for(read[0], columns))


# --- several systems, lists in cells, and numbered columns ------------------------------------------------------------


def union_of_systems(tables: Mapping[str, exp.Expr], columns: Sequence[str], column: str) -> exp.Subquery:
    """The columns of each system's table, one table after the other, and a `column` of the system's name."""
    arms = []
    for system, table in tables.items():
        name = exp.cast(exp.Literal.string(system), exp.DType.VARCHAR)  # some databases give a bare text no type
        arms.append(exp.select(*map(tree.given, columns), tree.named(name, column)).from_(after_from(table, "rows")))
    return exp.Subquery(this=tree.union_all(arms))


def unnest(
    dialect: str, table: exp.Expr, shape: Shape, columns: Iterable[str], *, has_arrays: bool = False
) -> exp.Select | None:
    """A query with a row for each item; a row without items stays, with NULL as its item and rank.

    None where the dialect cannot unnest lists. With `has_arrays`, numbered columns become arrays, whose elements stay
    in order; otherwise a CASE picks each of them, which every database takes. `columns` are all those of the table.
    """
    if shape.wide and not has_arrays:
        return _pick_columns(table, shape, columns)
    other_columns = [tree.given(column) for column in shape.kept(columns)]
    if shape.wide:
        arrays = [
            tree.named(exp.Array(expressions=[*map(tree.given, columns_of_list)]), name)
            for name, columns_of_list in shape.wide.items()
        ]
        table = exp.Subquery(this=exp.select(*other_columns, *arrays).from_(table.copy()))
    item, *others = shape.lists or shape.wide
    rows = _spread(dialect, table, item, [*columns, *shape.wide])
    if rows is None:
        return None
    select, element, place = rows
    items = [tree.named(element.copy(), item)]
    if shape.fields:
        fields = [exp.Dot(this=element.copy(), expression=exp.to_identifier(key, quoted=True)) for key in shape.fields]
        items = [tree.named(field, new) for field, new in zip(fields, shape.fields.values(), strict=True)]
    # an index of the database's own, and so without the offset between two databases; beyond the end is NULL (`safe`)
    for other in others:
        offset = grammar(dialect).INDEX_OFFSET
        at_place = exp.Bracket(this=tree.given(other), expressions=[place.copy()], offset=offset, safe=True)
        items.append(tree.named(at_place, other))
    select = exp.select(*other_columns, *items, *_rank(shape, place)).from_(call(exp.Subquery(this=select), "spread"))
    return select.where(tree.fill(IS_ITEM, item=element, place=place)) if shape.wide else select


def _spread(
    dialect: str, source: exp.Expr, listed: str, columns: Collection[str]
) -> tuple[exp.Expr, exp.Column, exp.Column] | None:
    """A query with a row for each element of an array column, and its columns of the element and of its place."""
    if not (template := known(dialect).unnest):
        return None
    select = sqlglot.parse_one(template, read=grammar(dialect))
    new = {name: free_name(name, columns, "_") for name in ("element", "place", "elements")}
    for name in list(select.find_all(exp.Identifier)):
        name.set("this", new.get(name.name, name.name))
    for table in list(select.find_all(exp.Table)):
        if table.name == "source":
            inner = exp.select("*").from_(source.copy())
            table.replace(exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("source"))))
    for column in list(select.find_all(exp.Column)):
        if column.name == "listed":
            column.replace(tree.column(listed, column.table or None))
    return select, exp.column(new["element"]), exp.column(new["place"])


def _pick_columns(table: exp.Expr, shape: Shape, columns: Iterable[str]) -> exp.Select:
    """A row for each numbered column, by a CASE over the numbers of the positions; it reads the table once."""
    n = len(next(iter(shape.wide.values())))
    number = free_name("position", [*columns, *shape.wide], "_")
    place = tree.column(number)
    numbers = tree.union_all([exp.select(tree.named(exp.Literal.number(i + 1), number)) for i in range(n)])
    picked = {}
    for name, columns_of_list in shape.wide.items():
        case = exp.Case()
        for i, column in enumerate(columns_of_list, start=1):
            case = case.when(exp.EQ(this=place.copy(), expression=exp.Literal.number(i)), tree.given(column))
        picked[name] = case
    cases = [tree.named(case, name) for name, case in picked.items()]
    rows = exp.select(*map(tree.given, shape.kept(columns)), *cases, *_rank(shape, place))
    source = exp.select("*").from_(after_from(table, "source"))
    rows = rows.from_(call(exp.Subquery(this=source), "rows"))
    rows = rows.join(call(exp.Subquery(this=numbers), "positions"), join_type="cross")
    return rows.where(tree.fill(IS_ITEM, item=next(iter(picked.values())), place=place))


def _rank(shape: Shape, place: exp.Expr) -> list[exp.Expr]:
    if not shape.rank:
        return []
    rank = place.copy() if shape.rank_from == 1 else exp.Sub(this=place.copy(), expression=exp.Literal.number(1))
    return [tree.named(rank, shape.rank)]


def find_uneven(table: exp.Expr, shape: Shape, schema: Schema, limit: int) -> exp.Select:
    """A query for the first rows whose lists differ in length: the columns that stay, then the length of each list."""
    # the length of an empty list is NULL in some databases, that of NULL is -1 in others
    size = "CASE WHEN :x IS NULL THEN 0 ELSE COALESCE(ARRAY_LENGTH(:x), 0) END"
    sizes = [tree.fill(size, x=tree.given(column)) for column in shape.lists]
    keys = [tree.given(column) for column in shape.kept(schema) if schema[column].family != "nested"]
    differs = [exp.NEQ(this=sizes[0].copy(), expression=other.copy()) for other in sizes[1:]]
    # some databases read a name in WHERE as that of an alias: no alias has the name of a column
    new = [free_name(f"n_{column}", schema, "_") for column in shape.lists]
    named = [tree.named(size, name) for name, size in zip(new, sizes, strict=True)]
    select = exp.select(*(key.copy() for key in keys), *named).from_(after_from(table, "rows")).where(exp.or_(*differs))
    return select.order_by(*keys).limit(limit)
