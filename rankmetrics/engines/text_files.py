"""Text files (CSV, TSV, JSON): one way to find their columns and types, for all engines.

DuckDB and Polars guess types from the first rows, and neither reads an id that first has letters in a later row. Here
the header line tells the separator, and all rows tell the types of the columns: the file is read once for that.
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

from rankmetrics.engines.base import refuse_doubled
from rankmetrics.engines.files import Files, local_files
from rankmetrics.errors import ColumnError, InputError, names
from rankmetrics.sqltree import tree

# The separators that a format may have; the separator that stands most often in the header counts.
SEPARATORS: Mapping[str, str] = {"csv": ",;\t|", "csv.gz": ",;\t|", "tsv": "\t", "tsv.gz": "\t", "inter": "\t"}

# The columns and types of formats without a header line, and the separators that they may have. The columns of TREC
# that no tool reads have names of their own, so that they get no role.
HEADERLESS: Mapping[str, tuple[Mapping[str, str], Sequence[str]]] = {
    "trec": (
        {
            "query": "VARCHAR",
            "trec_iteration": "VARCHAR",
            "item": "VARCHAR",
            "trec_rank": "DOUBLE",
            "score": "DOUBLE",
            "system": "VARCHAR",
        },
        " \t",
    ),
    "qrels": ({"query": "VARCHAR", "trec_iteration": "VARCHAR", "item": "VARCHAR", "rating": "DOUBLE"}, " \t"),
    "movielens": (
        {"user": "BIGINT", "item": "BIGINT", "rating": "DOUBLE", "timestamp": "BIGINT"},
        ("\t", "::", ","),
    ),
}

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

# The types that a column may have, narrowest first, each with the test that every cell must pass. An integer must be
# written as DuckDB writes it: 007 and +7 are strings.
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

# The number of characters in which the first object of a JSON file must start and end.
FIRST_CHARACTERS = 1_000_000

NO_OPTIONS: Mapping[str, exp.Expr] = {}

# The number of rows that choose the first candidate for the type of a column; all rows then test it.
SAMPLE_ROWS = 1000


@dataclass(frozen=True)
class Delimited:
    """Files of delimited text."""

    paths: Sequence[str]  # the files, or globs of them
    separator: str  # the character between two cells
    skipped: int  # the number of lines that are left out at the start: blank lines above the header
    types: Mapping[str, str]  # DuckDB's type of each column, by its name
    has_header: bool = True  # True if the next line names the columns
    quote: str = '"'  # the character around a cell that may hold the separator

    def table(self) -> exp.Table:
        """The table function of DuckDB that reads the files."""
        columns = [
            exp.PropertyEQ(this=exp.Literal.string(name), expression=exp.Literal.string(kind))
            for name, kind in self.types.items()
        ]
        options: dict[str, exp.Expr] = {
            "auto_detect": exp.false(),
            "columns": exp.Struct(expressions=columns),
            "delim": exp.Literal.string(self.separator),
            "quote": exp.Literal.string(self.quote),
            "escape": exp.Literal.string(self.quote),
            "header": exp.convert(self.has_header),
            "skip": exp.Literal.number(self.skipped),
        }
        return read_by("read_csv", self.paths, options)


def text_query(what: str, files: Files) -> str:
    """The SQL by which DuckDB reads text files; Polars and Spark read them so, and a column has one type everywhere."""
    import duckdb

    table = text_table(what, files.paths, files.form, duckdb.connect().sql)
    return exp.select("*").from_(table).sql("duckdb", identify=True)


def text_table(what: str, paths: Sequence[str], form: str, run: Callable[[str], Any]) -> exp.Table:
    """The table function of DuckDB that reads text files; `run` runs the queries that find the types."""
    if form in HEADERLESS:
        return _headerless(what, paths, form).table()
    every_row = {"sample_size": exp.Literal.number(-1)}
    if form not in SEPARATORS:
        _refuse_doubled_keys(what, local_files(paths))
        return read_by("read_json", paths, every_row)
    header = _common_header(what, paths, form)
    if header is None:
        return read_by("read_csv", paths, every_row)  # not on this machine: DuckDB finds the columns
    if form == "inter":
        # RecBole writes the type behind the name: user_id:token
        untyped = {name.partition(":")[0]: kind for name, kind in header.types.items()}
        header = replace(header, types=untyped, skipped=header.skipped + 1, has_header=False)
    return _with_types(header, run).table()


def read_by(function: str, paths: Sequence[str], options: Mapping[str, exp.Expr] = NO_OPTIONS) -> exp.Table:
    """A call of a table function of DuckDB that reads files."""
    listed = exp.Array(expressions=[exp.Literal.string(path) for path in paths])
    where = listed if len(paths) > 1 else exp.Literal.string(paths[0])
    named = [exp.Kwarg(this=exp.var(name), expression=value) for name, value in options.items()]
    return exp.Table(this=exp.Anonymous(this=function, expressions=[where, *named]))


def _common_header(what: str, paths: Sequence[str], form: str) -> Delimited | None:
    """The separator and the columns, all of the type VARCHAR; None if no file is on this machine."""
    first: Delimited | None = None
    for path in local_files(paths):
        header = _header(what, path, SEPARATORS[form], paths)
        if first is not None and (header != first or [*header.types] != [*first.types]):
            raise InputError(
                f"The files of the {what} have different columns: {path!r} has {names(header.types)} in its header, "
                f"the files before it have {names(first.types)}. Give all of them the same columns in one order."
            )
        first = first or header
    return first


def _with_types(files: Delimited, run: Callable[[str], Any]) -> Delimited:
    """The files with the types of their columns over all rows; a column without values is VARCHAR."""
    sampled = _fitting(files, [*product(files.types, TYPES)], run, rows=SAMPLE_ROWS)
    candidates = {column: [kind for kind in TYPES if sampled[column, kind] is not False] for column in files.types}
    types: dict[str, str] = {}
    while untested := [(column, kinds[0]) for column, kinds in candidates.items() if kinds and column not in types]:
        for (column, kind), fits in _fitting(files, untested, run).items():
            if fits:
                types[column] = kind
            else:
                candidates[column] = [] if fits is None else candidates[column][1:]
    return replace(files, types={column: types.get(column, TEXT) for column in files.types})


def _fitting(
    files: Delimited, pairs: Sequence[tuple[str, str]], run: Callable[[str], Any], rows: int | None = None
) -> dict[tuple[str, str], bool | None]:
    """True if all cells of the column have the type, for each pair of these; None for a column without values."""
    tests = [exp.LogicalAnd(this=_test(column, kind)) for column, kind in pairs]
    source = exp.select("*").from_(files.table())
    text = exp.select(*tests).from_(exp.Subquery(this=source.limit(rows) if rows else source))
    return dict(zip(pairs, run(text.sql("duckdb", identify=True)).fetchall()[0], strict=True))


def _test(column: str, kind: str) -> exp.Expr:
    """The test that every cell of a column with a type passes; NULL for an empty cell."""
    test = sqlglot.parse_one(f"CASE WHEN cell IS NOT NULL THEN COALESCE({TYPES[kind]}, FALSE) END", read="duckdb")
    return tree.replace_columns(test, lambda cell: tree.column(column))


def _first_line(what: str, path: str) -> tuple[int, str]:
    """The first line that is not blank, and the number of lines above it."""
    try:
        with _opened(path) as file:
            return next(((n, line) for n, line in enumerate(file) if line.strip()), (0, ""))
    except UnicodeDecodeError as error:
        raise InputError(
            f"The file {path!r} of the {what} is not encoded in UTF-8: convert it, pandas.read_csv(path, "
            "encoding=...).to_parquet(...)."
        ) from error
    except (OSError, EOFError) as error:
        raise InputError(f"The {what} cannot be read: {error}") from error


def _header(what: str, path: str, separators: str, paths: Sequence[str]) -> Delimited:
    """The separator and the columns in the first line that is not blank."""
    skipped, line = _first_line(what, path)
    by_separator = {separator: next(csv.reader([line], delimiter=separator), []) for separator in separators}
    separator = max(separators, key=lambda separator: len(by_separator[separator]))
    columns = [column.strip() for column in by_separator[separator]]
    numbers = [column for column in columns if NUMBER.fullmatch(column)]
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


def _headerless(what: str, paths: Sequence[str], form: str) -> Delimited:
    """Files without a header line; the first line of the first file tells the separator."""
    types, separators = HEADERLESS[form]
    here = local_files(paths)
    line = _first_line(what, here[0])[1].rstrip("\r\n") if here else separators[0].join(types)
    fitting = [separator for separator in separators if len(line.rstrip(separator).split(separator)) == len(types)]
    if not fitting:
        raise InputError(
            f"The first line of {here[0]!r} is not of the format {form}: {line[:80]!r} has not the {len(types)} "
            f"columns {', '.join(types)}, with one separator between two columns. To make one space of several: "
            "tr -s ' \\t' ' '."
        )
    return Delimited(paths, fitting[0], 0, types, has_header=False, quote="")


def _refuse_doubled_keys(what: str, paths: Sequence[str]) -> None:
    """Refuse JSON whose first object has two keys that are equal or differ in case only."""
    keys = JSONDecoder(object_pairs_hook=lambda pairs: [key for key, _ in pairs])
    doubled: list[str] = []
    for path in paths[:1]:
        with suppress(OSError, EOFError, ValueError), _opened(path) as file:  # DuckDB reports a broken file
            start = file.read(FIRST_CHARACTERS)
            doubled, _ = keys.raw_decode(start, start.index("{"))
    refuse_doubled(what, doubled)


def _opened(path: str) -> TextIO:
    """Open a file as text, without a byte order mark."""
    if path.lower().endswith(".gz"):
        return TextIOWrapper(gzip.open(path), encoding="utf-8-sig", newline=None)
    return open(path, encoding="utf-8-sig")  # noqa: PTH123  # the caller closes it
