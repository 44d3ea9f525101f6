"""Text files (CSV, TSV, JSON): one way to find their columns and types, for all engines.

The header line tells the separator. DuckDB finds the types from all rows, since an id may first have a letter in a late
row. What DuckDB takes for a boolean, a time or a hexadecimal number may be an id, such as `t` or `0x1F`: tested here.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import compress
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

# The types that DuckDB may find. Not DATE: DuckDB would take `inf` for one. A column of dates becomes a TIMESTAMP.
FOUND = ["BIGINT", "HUGEINT", "DOUBLE", "BOOLEAN", "TIMESTAMP", "VARCHAR"]

# The type of a cell of a column that DuckDB takes for one of booleans, times or whole numbers.
CELL_TYPE = r"""
CASE
  WHEN LOWER(:cell) IN ('true', 'false') THEN 'BOOLEAN'
  WHEN REGEXP_FULL_MATCH(:cell, '\d{4}-\d\d-\d\d') THEN 'DATE'
  WHEN REGEXP_FULL_MATCH(:cell, '\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?') THEN 'TIMESTAMP'
  WHEN :cell IS NOT NULL THEN 'VARCHAR'
END
"""

# The inputs that need rows, as messages call them: without rows, no column has a type.
REQUIRED = frozenset({CALLED["recs"], CALLED["truth"]})


def text_query(what: str, files: Files) -> str:
    """The SQL by which DuckDB reads text files; Polars and Spark read them so, and a column has one type everywhere."""
    import duckdb

    return _select(text_table(what, files.paths, files.form, duckdb.connect().sql))


def _select(table: exp.Table, *columns: exp.Expr) -> str:
    return exp.select(*columns or "*").from_(table.copy()).sql("duckdb", identify=True)


def text_table(what: str, paths: Sequence[str], form: str, run: Callable[[str], Any]) -> exp.Table:
    """The table function of DuckDB that reads text files; `run` runs the queries that find the types."""
    here = local_files(paths)
    if form in HEADERLESS:
        types = HEADERLESS[form][0]
        return _read_csv(
            paths, types, {"delim": _separator(what, here, form), "header": False, "quote": "", "escape": ""}
        )
    if form not in SEPARATORS:
        _refuse_doubled_keys(what, here)
        return read_by("read_json", paths, {"sample_size": -1})
    headers = {path: _header(what, path, SEPARATORS[form]) for path in here}
    if not headers:
        return read_by("read_csv", paths, {"sample_size": -1})  # not on this machine: DuckDB finds the columns
    separator, skip, columns = first = next(iter(headers.values()))
    for path, header in headers.items():
        if header != first:
            raise InputError(
                f"The files of the {what} have different columns: {path!r} has {names(header[2])} in its header, "
                f"the files before it have {names(columns)}. Give all of them the same columns in one order."
            )
    options = {"delim": separator, "header": True, "skip": skip, "quote": '"', "escape": '"'}
    if form == "inter":  # RecBole writes the type behind the name: user_id:token
        columns = [name.partition(":")[0] for name in columns]
        options |= {"header": False, "skip": skip + 1}
    texts = _read_csv(paths, dict.fromkeys(columns, "VARCHAR"), options)
    rows = run(f"{_select(texts)} LIMIT 1").fetchall()
    if what in REQUIRED and not rows:
        raise InputError(f"There are no rows of the {what}: {names(headers)} has a header only.")
    found = {"names": columns, "sample_size": -1, "comment": "", "auto_type_candidates": FOUND}
    try:
        kinds = [*map(str, run(_select(read_by("read_csv", paths, options | found))).types)]
    except Exception:
        run(_select(texts, exp.Count(this=exp.Star()))).fetchall()  # whose error names the line
        raise
    types, cells = dict(zip(columns, kinds, strict=True)), rows[0] if rows else [None] * len(columns)
    is_unclear = [
        kind in ("BOOLEAN", "TIMESTAMP") or (kind.endswith("INT") and not (cell or "0").strip(" -").isdigit())
        for kind, cell in zip(kinds, cells, strict=True)
    ]
    if unclear := [*compress(columns, is_unclear)]:
        test = f"CASE WHEN MIN({CELL_TYPE}) = MAX({CELL_TYPE}) THEN MIN({CELL_TYPE}) ELSE 'VARCHAR' END"
        tests = [tree.fill(test, cell=tree.column(column)) for column in unclear]
        types |= zip(unclear, run(_select(texts, *tests)).fetchall()[0], strict=True)
    return _read_csv(paths, types, options)


def _read_csv(paths: Sequence[str], types: Mapping[str, str], options: Mapping[str, Any]) -> exp.Table:
    """The table function that reads delimited text with columns of these types."""
    pairs = [exp.PropertyEQ(this=exp.convert(name), expression=exp.convert(kind)) for name, kind in types.items()]
    return read_by("read_csv", paths, {**options, "auto_detect": False, "columns": exp.Struct(expressions=pairs)})


def read_by(function: str, paths: Sequence[str], options: Mapping[str, Any] | None = None) -> exp.Table:
    """A call of a table function of DuckDB that reads files, with options as values or expressions."""
    where = exp.convert([*paths] if len(paths) > 1 else paths[0])
    named = [exp.Kwarg(this=exp.var(name), expression=exp.convert(value)) for name, value in (options or {}).items()]
    return exp.Table(this=exp.Anonymous(this=function, expressions=[where, *named]))


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
