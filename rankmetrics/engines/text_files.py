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
from functools import partial
from itertools import product
from json import JSONDecoder
from typing import Any, TextIO, cast

from sqlglot import exp

from rankmetrics.engines.base import refuse_doubled
from rankmetrics.engines.files import Files, local_files
from rankmetrics.errors import ColumnError, InputError, names
from rankmetrics.inputs.sources import CALLED
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
    "movielens": ({"user": "BIGINT", "item": "BIGINT", "rating": "DOUBLE", "timestamp": "BIGINT"}, ("\t", "::", ",")),
}

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

# The types that a column may have, narrowest first, each with the test that every cell must pass. An integer must be
# written as DuckDB writes it: 007 and +7 are strings.
TYPES: Mapping[str, str] = {
    "BIGINT": "CAST(TRY_CAST(:cell AS BIGINT) AS VARCHAR) = :cell",
    "HUGEINT": "CAST(TRY_CAST(:cell AS HUGEINT) AS VARCHAR) = :cell",
    "DOUBLE": (
        r"REGEXP_FULL_MATCH(:cell, '[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)', 'i')"
        " AND TRY_CAST(:cell AS DOUBLE) IS NOT NULL"
    ),
    "BOOLEAN": "LOWER(:cell) IN ('true', 'false')",
    "DATE": r"REGEXP_FULL_MATCH(:cell, '\d{4}-\d\d-\d\d') AND TRY_CAST(:cell AS DATE) IS NOT NULL",
    "TIMESTAMP": (
        r"REGEXP_FULL_MATCH(:cell, '\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?')"
        " AND TRY_CAST(:cell AS TIMESTAMP) IS NOT NULL"
    ),
}
TEXT = "VARCHAR"

# The inputs that need rows, as messages call them: without rows, no column has a type.
REQUIRED = frozenset({CALLED["recs"], CALLED["truth"]})

# The number of rows that choose the first candidate for the type of a column; all rows then test it.
SAMPLE_ROWS = 1000


def text_query(what: str, files: Files) -> str:
    """The SQL by which DuckDB reads text files; Polars and Spark read them so, and a column has one type everywhere."""
    import duckdb

    table = text_table(what, files.paths, files.form, duckdb.connect().sql)
    return exp.select("*").from_(table).sql("duckdb", identify=True)


def text_table(what: str, paths: Sequence[str], form: str, run: Callable[[str], Any]) -> exp.Table:
    """The table function of DuckDB that reads text files; `run` runs the queries that find the types."""
    if form in HEADERLESS:
        separator = _separator(what, local_files(paths), form)
        return _read_csv(paths, HEADERLESS[form][0], separator=separator, has_header=False, quote="")
    every_row = {"sample_size": exp.Literal.number(-1)}
    if form not in SEPARATORS:
        _refuse_doubled_keys(what, local_files(paths))
        return read_by("read_json", paths, every_row)
    headers = {path: _header(what, path, SEPARATORS[form]) for path in local_files(paths)}
    if not headers:
        return read_by("read_csv", paths, every_row)  # not on this machine: DuckDB finds the columns
    first = next(iter(headers.values()))
    for path, header in headers.items():
        if header != first:
            raise InputError(
                f"The files of the {what} have different columns: {path!r} has {names(header[2])} in its header, "
                f"the files before it have {names(first[2])}. Give all of them the same columns in one order."
            )
    separator, skip, columns = first
    table = partial(_read_csv, paths, separator=separator, skip=skip)
    if form == "inter":  # RecBole writes the type behind the name: user_id:token
        columns = [name.partition(":")[0] for name in columns]
        table = partial(table, skip=skip + 1, has_header=False)
    texts = table(dict.fromkeys(columns, TEXT))
    types = _types(columns, texts, run)
    if what in REQUIRED and {*types.values()} == {TEXT}:  # it has no rows, or rows of texts
        row = exp.select("*").from_(texts.copy()).limit(1).sql("duckdb", identify=True)
        if not run(row).fetchall():
            raise InputError(f"There are no rows of the {what}: {names(headers)} has a header only.")
    return table(types)


def _read_csv(
    paths: Sequence[str],
    types: Mapping[str, str],
    *,
    separator: str,
    skip: int = 0,
    has_header: bool = True,
    quote: str = '"',
) -> exp.Table:
    """The table function that reads delimited text with these columns, after the lines to skip."""
    literal = exp.Literal.string
    columns = [exp.PropertyEQ(this=literal(name), expression=literal(kind)) for name, kind in types.items()]
    options: dict[str, exp.Expr] = {
        "auto_detect": exp.false(),
        "columns": exp.Struct(expressions=columns),
        "delim": literal(separator),
        "quote": literal(quote),
        "escape": literal(quote),
        "header": exp.convert(has_header),
        "skip": exp.Literal.number(skip),
    }
    return read_by("read_csv", paths, options)


def read_by(function: str, paths: Sequence[str], options: Mapping[str, exp.Expr] | None = None) -> exp.Table:
    """A call of a table function of DuckDB that reads files."""
    listed = exp.Array(expressions=[exp.Literal.string(path) for path in paths])
    where = listed if len(paths) > 1 else exp.Literal.string(paths[0])
    named = [exp.Kwarg(this=exp.var(name), expression=value) for name, value in (options or {}).items()]
    return exp.Table(this=exp.Anonymous(this=function, expressions=[where, *named]))


def _types(columns: Sequence[str], texts: exp.Table, run: Callable[[str], Any]) -> dict[str, str]:
    """The types of columns over all rows of a table that reads them as text; a column without values is text."""

    def fitting(pairs: Sequence[tuple[str, str]], rows: exp.Select) -> dict[tuple[str, str], bool | None]:
        """True for each pair whose column holds the type in all cells; None for a column without values."""
        test = "LOGICAL_AND(CASE WHEN :cell IS NOT NULL THEN COALESCE({}, FALSE) END)".format  # an empty cell is NULL
        tests = [tree.fill(test(TYPES[kind]), cell=tree.column(column)) for column, kind in pairs]
        text = exp.select(*tests).from_(exp.Subquery(this=rows)).sql("duckdb", identify=True)
        return dict(zip(pairs, run(text).fetchall()[0], strict=True))

    every_row = exp.select("*").from_(texts)
    sampled = fitting([*product(columns, TYPES)], every_row.limit(SAMPLE_ROWS))
    candidates = {column: [kind for kind in TYPES if sampled[column, kind] is not False] for column in columns}
    types: dict[str, str] = {}
    while untested := [(column, kinds[0]) for column, kinds in candidates.items() if kinds and column not in types]:
        for (column, kind), fits in fitting(untested, every_row).items():
            if fits:
                types[column] = kind
            else:
                candidates[column] = [] if fits is None else candidates[column][1:]
    return {column: types.get(column, TEXT) for column in columns}


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


def _header(what: str, path: str, separators: str) -> tuple[str, int, list[str]]:
    """The separator of a file, the number of blank lines above its header, and the columns that the header names."""
    skip, line = _first_line(what, path)
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
    return separator, skip, columns


def _separator(what: str, here: Sequence[str], form: str) -> str:
    """The separator of files without a header line, by the first line of the first file on this machine."""
    types, separators = HEADERLESS[form]
    line = _first_line(what, here[0])[1].rstrip("\r\n") if here else separators[0].join(types)
    fitting = [separator for separator in separators if len(line.rstrip(separator).split(separator)) == len(types)]
    if not fitting:
        raise InputError(
            f"The first line of {here[0]!r} is not of the format {form}: {line[:80]!r} has not the {len(types)} "
            f"columns {', '.join(types)}, with one separator between two columns. To make one space of several: "
            "tr -s ' \\t' ' '."
        )
    return fitting[0]


def _refuse_doubled_keys(what: str, paths: Sequence[str]) -> None:
    """Refuse JSON whose first object has two keys that are equal or differ in case only."""
    keys = JSONDecoder(object_pairs_hook=lambda pairs: [key for key, _ in pairs])
    doubled: list[str] = []
    for path in paths[:1]:
        with suppress(OSError, EOFError, ValueError), _opened(path) as file:  # DuckDB reports a broken file
            start = file.read(1_000_000)  # the first object must end within them
            doubled, _ = keys.raw_decode(start, start.index("{"))
    refuse_doubled(what, doubled)


def _opened(path: str) -> TextIO:
    """Open a file as text, without a byte order mark."""
    is_packed = path.lower().endswith(".gz")
    return cast("TextIO", (gzip.open if is_packed else open)(path, "rt", encoding="utf-8-sig"))
