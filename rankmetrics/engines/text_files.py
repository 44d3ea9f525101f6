"""Files of text (CSV, TSV, JSON): their columns and types are found alike, whichever engine the query runs in.

DuckDB and Polars guess types from the first rows, each from another number of them, so that an id that starts to have
letters after a while is read by neither. Here the header line says how the file is separated, and all rows say what the
columns hold: the file is gone through once for it.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import TextIOWrapper
from itertools import product
from json import JSONDecoder
from typing import Any, TextIO

import sqlglot
from sqlglot import exp

from rankmetrics.engines.input import refuse_doubled
from rankmetrics.engines.paths import local_files
from rankmetrics.errors import ColumnError, InputError, names
from rankmetrics.sqltree import tree

# What may separate the columns, by what a file's name says it holds; of several, the one that the header has most of.
SEPARATORS: Mapping[str, str] = {"csv": ",;\t|", "csv.gz": ",;\t|", "tsv": "\t", "tsv.gz": "\t"}

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

# The types that a column may have, most particular first, each with what every cell must fulfil. A whole number is a
# text that a number is written as: 007 is a text, and so is +7.
TYPES: Mapping[str, str] = {
    "BIGINT": "CAST(TRY_CAST(cell AS BIGINT) AS VARCHAR) = cell",
    "HUGEINT": "CAST(TRY_CAST(cell AS HUGEINT) AS VARCHAR) = cell",
    "DOUBLE": (
        r"REGEXP_FULL_MATCH(cell, '[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)', 'i')"
        " AND TRY_CAST(cell AS DOUBLE) IS NOT NULL"
    ),
    "BOOLEAN": "LOWER(cell) IN ('true', 'false')",
    "DATE": r"REGEXP_FULL_MATCH(cell, '\d{4}-\d\d-\d\d') AND TRY_CAST(cell AS DATE) IS NOT NULL",
    "TIMESTAMP": (
        r"REGEXP_FULL_MATCH(cell, '\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?')"
        " AND TRY_CAST(cell AS TIMESTAMP) IS NOT NULL"
    ),
}
TEXT = "VARCHAR"

# How far the first object of a JSON file is looked for.
FIRST_CHARACTERS = 1_000_000

NO_OPTIONS: Mapping[str, exp.Expr] = {}

# How many rows choose the type that is looked for in all of them first.
SAMPLE_ROWS = 1000


@dataclass(frozen=True)
class Delimited:
    """Files of delimited text.

    Attributes:
        paths: the files, or globs of them.
        separator: what stands between two cells.
        skipped: how many blank lines stand above the header.
        types: DuckDB's type of each column, by its name.
    """

    paths: Sequence[str]
    separator: str
    skipped: int
    types: Mapping[str, str]

    def table(self) -> exp.Table:
        """The files as they stand after FROM in DuckDB."""
        columns = [
            exp.PropertyEQ(this=exp.Literal.string(name), expression=exp.Literal.string(kind))
            for name, kind in self.types.items()
        ]
        options: dict[str, exp.Expr] = {
            "auto_detect": exp.false(),
            "columns": exp.Struct(expressions=columns),
            "delim": exp.Literal.string(self.separator),
            "quote": exp.Literal.string('"'),
            "escape": exp.Literal.string('"'),
            "header": exp.true(),
            "skip": exp.Literal.number(self.skipped),
        }
        return read_by("read_csv", self.paths, options)


def text_table(what: str, paths: Sequence[str], form: str, run: Callable[[str], Any]) -> exp.Table:
    """Files of text as they stand after FROM in DuckDB, which is asked for the types by `run`.

    Raises:
        InputError: a file has no header line, is not UTF-8, or has other columns than the file before it.
        ColumnError: two columns have one name.
        duckdb.Error: a row cannot be read.
    """
    if form not in SEPARATORS:
        _refuse_doubled_keys(what, local_files(paths))
        return read_by("read_json", paths, {"sample_size": exp.Literal.number(-1)})
    found = read_header(what, paths, form)
    if found is None:
        return read_by("read_csv", paths, {"sample_size": exp.Literal.number(-1)})  # somewhere else: DuckDB finds out
    return with_types(found, run).table()


def read_by(function: str, paths: Sequence[str], options: Mapping[str, exp.Expr] = NO_OPTIONS) -> exp.Table:
    """Files as DuckDB reads them by one of its functions, after FROM."""
    listed = exp.Array(expressions=[exp.Literal.string(path) for path in paths])
    where = listed if len(paths) > 1 else exp.Literal.string(paths[0])
    named = [exp.Kwarg(this=exp.var(name), expression=value) for name, value in options.items()]
    return exp.Table(this=exp.Anonymous(this=function, expressions=[where, *named]))


def read_header(what: str, paths: Sequence[str], form: str) -> Delimited | None:
    """Separator and names of the columns, which are all texts so far; None where no file is on this machine.

    Raises:
        InputError: a file has no header line, is not UTF-8, or has other columns than the file before it.
        ColumnError: two columns have one name.
    """
    found: Delimited | None = None
    for path in local_files(paths):
        one = _header(what, path, SEPARATORS[form], paths)
        if found is not None and (one.separator, one.skipped, [*one.types]) != (
            found.separator,
            found.skipped,
            [*found.types],
        ):
            raise InputError(
                f"The files of the {what} have different columns: {path!r} has {names(one.types)} in its header, the "
                f"files before it have {names(found.types)}. Give all of them the same columns in one order."
            )
        found = found or one
    return found


def with_types(found: Delimited, run: Callable[[str], Any]) -> Delimited:
    """The files with the types that their columns have in all rows; a column without any cell is text.

    Raises:
        duckdb.Error: a row cannot be read.
    """
    sampled = _fitting(found, [*product(found.types, TYPES)], run, rows=SAMPLE_ROWS)
    candidates = {column: [kind for kind in TYPES if sampled[column, kind] is not False] for column in found.types}
    types: dict[str, str] = {}
    while left := [(column, kinds[0]) for column, kinds in candidates.items() if kinds and column not in types]:
        for (column, kind), fits in _fitting(found, left, run).items():
            if fits:
                types[column] = kind
            else:
                candidates[column] = [] if fits is None else candidates[column][1:]
    return replace(found, types={column: types.get(column, TEXT) for column in found.types})


def _fitting(
    found: Delimited, asked: Sequence[tuple[str, str]], run: Callable[[str], Any], rows: int | None = None
) -> dict[tuple[str, str], bool | None]:
    """Whether all cells of a column have a type; None where the column has no cell."""
    source: exp.Expr = found.table()
    if rows is not None:
        source = exp.Subquery(this=exp.select("*").from_(source).limit(rows))
    tests = [exp.LogicalAnd(this=_test(column, kind)) for column, kind in asked]
    text = exp.select(*tests).from_(source).sql("duckdb", identify=True)
    return dict(zip(asked, run(text).fetchall()[0], strict=True))


def _test(column: str, kind: str) -> exp.Expr:
    """What every cell of a column must fulfil to have a type; NULL where there is no cell."""
    text = f"CASE WHEN cell IS NOT NULL THEN COALESCE({TYPES[kind]}, FALSE) END"
    return sqlglot.parse_one(text, read="duckdb").transform(
        lambda node: tree.column(column) if isinstance(node, exp.Column) else node
    )


def _header(what: str, path: str, separators: str, paths: Sequence[str]) -> Delimited:
    """What the first line that is not blank says."""
    try:
        with _opened(path) as file:
            skipped, line = next(((n, one) for n, one in enumerate(file) if one.strip()), (0, ""))
    except UnicodeDecodeError as error:
        raise InputError(
            f"The file {path!r} of the {what} is not encoded in UTF-8: write it anew, pandas.read_csv(path, "
            "encoding=...).to_parquet(...)."
        ) from error
    except (OSError, EOFError) as error:
        raise InputError(f"The {what} cannot be read: {error}") from error
    by_separator = {one: next(csv.reader([line], delimiter=one), []) for one in separators}
    separator = max(separators, key=lambda one: len(by_separator[one]))
    columns = [one.strip() for one in by_separator[separator]]
    numbers = [one for one in columns if NUMBER.fullmatch(one)]
    if not columns or numbers:
        holds = f"it has {names(columns[:4])}" if columns else "there is none"
        raise InputError(
            f"The first line of {path!r} must name the columns: {holds}. Add a header line, or read the file yourself: "
            'pl.read_csv(path, has_header=False, new_columns=["user", "item", "score"]).'
        )
    if "" in columns:
        raise InputError(
            f"Column {columns.index('') + 1} of {path!r} has no name in the header line, as has the column of row "
            "numbers that pandas writes: write the file with to_csv(..., index=False), or name the column."
        )
    try:
        refuse_doubled(what, columns)
    except ColumnError as error:
        raise ColumnError(f"{error} They stand in the header of {path!r}.") from error
    return Delimited(paths, separator, skipped, dict.fromkeys(columns, TEXT))


def _refuse_doubled_keys(what: str, paths: Sequence[str]) -> None:
    """Refuse JSON whose first object has two keys of one name, or of names that differ in case only."""
    keys = JSONDecoder(object_pairs_hook=lambda pairs: [key for key, _ in pairs])
    found: list[str] = []
    for path in paths[:1]:
        with suppress(OSError, EOFError, ValueError), _opened(path) as file:  # the reader says what is wrong with it
            start = file.read(FIRST_CHARACTERS)
            found, _ = keys.raw_decode(start, start.index("{"))
    refuse_doubled(what, found)


def _opened(path: str) -> TextIO:
    """A file as text; a mark of the order of bytes at its start is left out."""
    if path.lower().endswith(".gz"):
        return TextIOWrapper(gzip.open(path), encoding="utf-8-sig", newline=None)
    return open(path, encoding="utf-8-sig")  # noqa: PTH123  # the caller closes it
