"""Text files (CSV, TSV, JSON, and the layouts of sql/formats.toml): one way to read them, for all engines.

The header line tells the separator. DuckDB finds the types from all rows, since an id may first have a letter in a late
row. What DuckDB takes for a boolean, a time or a hexadecimal number may be an id, such as `t` or `0x1F`: tested here.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import compress
from json import JSONDecoder, dumps
from typing import Any

from sqlglot import exp

from rankmetrics._files import sql_folder
from rankmetrics.engines.base import refuse_doubled
from rankmetrics.engines.files import (
    FORMATS,
    LAYOUTS,
    NUMBER,
    UNKNOWN,
    Files,
    Format,
    first_lines,
    local_files,
    opened,
    packing_of,
    source_of,
)
from rankmetrics.errors import ColumnError, InputError, Option, names
from rankmetrics.inputs.sources import CALLED, RANKED, called
from rankmetrics.messages import said
from rankmetrics.sqltree import tree

# The separators that a format may have; the separator that stands most often in the header counts.
SEPARATORS: Mapping[str, str] = {"csv": ",;\t|", "tsv": "\t", "recbole": "\t"}

# DuckDB's options for how text is read, by the option of rm.Input.
OPTIONS = {"decimal": "decimal_separator", "thousands": "thousands", "encoding": "encoding", "nulls": "nullstr"}

# The types that DuckDB may find. Not DATE: DuckDB would take `inf` for one. A column of dates becomes a TIMESTAMP.
FOUND = ["BIGINT", "HUGEINT", "DOUBLE", "BOOLEAN", "TIMESTAMP", "VARCHAR"]

# Types of times that DuckDB finds in JSON, outside the names of fields. Their texts decide, as in CSV.
TIMES = re.compile(r'("[^"]*")|\b(TIMESTAMP WITH TIME ZONE|TIME WITH TIME ZONE|TIMESTAMP\w*|DATE|TIME|UUID)\b')

# The inputs that need rows, as messages call them: without rows, no column has a type.
REQUIRED = frozenset({CALLED["recs"], CALLED["truth"]})

# Texts of `cells` for lists in brackets; any other text is a separator.
BRACKETS = ("json", "python")

SQL: Mapping[str, Any] = tomllib.loads((sql_folder() / "text_files.toml").read_text(encoding="utf-8"))

# DuckDB's options to read whole lines, as a column of text.
WHOLE_LINES = {"delim": "\1", "comment": "", "strict_mode": False}

NO_TYPES: Mapping[str, str] = {}
Run = Callable[[str], Any]


def text_query(files: Files) -> str:
    """The SQL by which DuckDB reads text files; Polars and Spark read them so, and a column has one type everywhere."""
    import duckdb

    return _select(text_table(files, duckdb.connect().sql))


def text_table(files: Files, run: Run) -> exp.Expr:
    """The table function or subquery by which DuckDB reads text files; `run` runs the queries that find the types."""
    here = local_files(files.readable)
    with _own_words(files, here):
        layout = _layout_of(files, here)
        if layout and layout.reader == "none":
            raise InputError(f"{here[0]!r} has {layout.about}: {layout.note}.")
        files.form = layout.name if layout else files.form
        if layout and layout.reader != "header":
            lines = _rows_of_lines if layout.reader == "lines" else _rows_of_json
            select = layout.select or f"SELECT {', '.join(layout.columns)} FROM rows"
            return exp.Subquery(this=_fill(select, rows=lines(files, layout, here, run)))
        reader = _delimited if files.form in SEPARATORS else _json
        return _with_lists(files, reader(files, here, run), run)


def read_by(function: str, paths: Sequence[str], options: Mapping[str, Any] | None = None) -> exp.Table:
    """A call of a table function of DuckDB that reads files, with options as values or expressions."""
    where = exp.convert([*paths] if len(paths) > 1 else paths[0])
    named = [exp.Kwarg(this=exp.var(name), expression=exp.convert(value)) for name, value in (options or {}).items()]
    return exp.Table(this=exp.Anonymous(this=function, expressions=[where, *named]))


def with_file(table: exp.Expr, column: str) -> exp.Expr:
    """The table of files, with a column of the path of each row's file."""
    named = exp.Kwarg(this=exp.var("filename"), expression=exp.Literal.string(column))
    for function in [each for each in table.find_all(exp.Anonymous) if each.name.startswith("read_")]:
        function.append("expressions", named.copy())
    for select in table.find_all(exp.Select):
        select.select(tree.column(column), copy=False)
    return table


def _select(table: exp.Expr, *columns: exp.Expr) -> str:
    return exp.select(*columns or "*").from_(table.copy()).sql("duckdb", identify=True)


def _read(function: str, paths: Sequence[str], types: Mapping[str, str] = NO_TYPES, **options: Any) -> exp.Table:
    """The table function that reads text, with columns of these types; by default, DuckDB finds the types.

    The first bytes of files on this machine tell how they are compressed.
    """
    pairs = [exp.PropertyEQ(this=exp.convert(name), expression=exp.convert(types[name])) for name in types]
    options |= {"columns": exp.Struct(expressions=pairs)} if pairs else {}
    packings = {*map(packing_of, local_files(paths))}
    return read_by(function, paths, options | ({"compression": packings.pop() or "none"} if len(packings) == 1 else {}))


def _fill(text: str, **parts: Any) -> Any:
    """A query or expression with a copy of each part in place of its `:name`, or of the table of its name."""
    filled = tree.fill(text, "duckdb", **{name: exp.convert(part) for name, part in parts.items()})
    for table in [each for each in filled.find_all(exp.Table) if each.name in parts]:
        name = exp.TableAlias(this=exp.to_identifier(table.name))
        part = parts[table.name].copy()
        table.replace(exp.Subquery(this=part, alias=name) if isinstance(part, exp.Select) else part)
    return filled


def _rows(run: Run, select: exp.Expr) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = run(select.sql("duckdb", identify=True)).fetchall()
    return rows


def _option(files: Files, **reading: Any) -> Option:
    """How to set options of the rm.Input of the files."""
    source = source_of(files.name)
    return Option("format", [f"{source}: {option}={dumps(value)}" for option, value in reading.items()])


# --- errors -----------------------------------------------------------------------------------------------------------


@contextmanager
def _own_words(files: Files, here: Sequence[str]) -> Iterator[None]:
    """Raise errors about a line of a text file in our words."""
    import duckdb

    try:
        yield
    except (duckdb.Error, UnicodeError, OSError, EOFError) as error:
        text, what = str(error), f"The {called(files.name)} cannot be read"
        file = re.search(r"\n  file = (.*)|JSON in file \"(.*?)\"", text)
        path = (file[1] or file[2]) if file else here[0] if here else files.paths[0]
        for known in SQL["errors"]:
            if match := re.search(known["pattern"], text):
                options = known.get("options", {})
                if "encoding" in options and first_lines(path, "latin-1")[0].startswith(("\xff\xfe", "\xfe\xff")):
                    options = {"encoding": "utf-16"}
                said = {**match.groupdict(), "path": path, "likely": options.get("encoding")}
                says = known["says"].format(**said, option=_option(files, **options))
                raise InputError(f"{what}: {says}.") from error
        if isinstance(error, duckdb.Error):
            raise
        raise InputError(f"{what}, {path!r}: {error}") from error


# --- layouts of sql/formats.toml --------------------------------------------------------------------------------------


def _layout_of(files: Files, here: Sequence[str]) -> Format | None:
    """The layout of files: the one that their format names, or the only one that the first file can begin."""
    if files.form in LAYOUTS:
        return LAYOUTS[files.form]
    start = "".join(first_lines(here[0]))[:2_000] if here and not files.reading else ""
    starting = (layout for layout in LAYOUTS.values() if layout.start and layout.is_for(files.name))
    if layout := next((layout for layout in starting if re.match(layout.start, start)), None):
        explicit = Option("format", f"{source_of(files.name)}: {layout.name}")
        files.note = f"{called(files.name)}: recognized by the first line as {layout.about}; the same as {explicit}"
    elif files.form == UNKNOWN:
        likely = _suggested_format(files.name, here[0]) if here else ""
        naming = likely or Option("format", f"{source_of(files.name)}: trec")
        raise said(
            InputError, "unknown_format", paths=", ".join(files.paths), endings=", ".join(FORMATS), naming=naming
        )
    return layout


def _suggested_format(name: str, path: str) -> str:
    """The formats that the first lines of a file suggest, for an error that asks for one; empty if there is none."""
    lines, source = [line.rstrip("\r\n") for line in first_lines(path) if line.strip()], source_of(name)
    if source in RANKED and lines and all(map(NUMBER.fullmatch, lines)):
        return f'rm.Input([{path!r}, "test.txt"], format="letor"), where the second file has the queries of the scores'
    said = [
        f"{Option('format', f'{source}: {layout.name}')} for {layout.about}"
        for layout in LAYOUTS.values()
        if layout.line and not layout.skip and layout.is_for(name)
        if all(re.fullmatch(layout.line, line) for line in lines)
    ]
    if lines and not said:
        forms = {"\t": "tsv", ",": "csv", ";": "csv", "|": "csv"}
        even = [
            form for each, form in forms.items() if {line.count(each) for line in lines} == {lines[0].count(each) or -1}
        ]
        said = [format(Option("format", f"{source}: {form}")) for form in even[:1]]
    return ", or ".join(said) if lines else ""


def _rows_of_json(files: Files, layout: Format, here: Sequence[str], run: Run) -> exp.Table:
    if not layout.columns:  # the keys of the object are data
        return _read("read_json_objects", files.readable, maximum_object_size=2**31)
    return _read("read_json", files.readable, layout.columns)


def _rows_of_lines(files: Files, layout: Format, here: Sequence[str], run: Run) -> exp.Select:
    """The rows of a layout of lines; refuses a line that is not of the layout."""
    if layout.has_scores and len(here) != 2:
        raise said(InputError, "scores_alone", table=called(files.name), paths=[*here], scores=dumps(here[0]))
    first = [*first_lines(here[-1], encoding := layout.encoding or files.reading.get("encoding", "utf-8")), "", ""]
    skip = layout.skip if re.match(layout.start, first[0]) else 0
    has = [each for each in (*layout.separators, "\t") if each in first[skip > 0]]
    split = SQL["split"]["pattern" if not layout.separators else "blanks" if " " in layout.separators else "separator"]
    fill = partial(_fill, pattern=layout.line, names=[*layout.columns], separator=[*has, " "][0], n=len(layout.columns))
    columns, wrong = [], [fill(split["is_wrong"])]
    for place, (name, kind) in enumerate(layout.columns.items(), 1):
        cell = fill(split["cell"], place=place, name=name)
        columns.append(tree.named(exp.cast(cell, kind, dialect="duckdb"), name))
        if kind != "VARCHAR":
            test = SQL["wrong"]["whole" if kind == "BIGINT" else "number"]
            wrong.append(_fill(test, cell=cell, typed=exp.TryCast(this=cell, to=exp.DataType.build(kind, "duckdb"))))
    options = {"header": False, "quote": "", "escape": "", "auto_detect": False, "skip": skip, "encoding": encoding}
    is_numbered = "number" in layout.select

    def cells(paths: Sequence[str], kind: str) -> exp.Expr:
        each = [
            _fill(SQL["lines"][kind], file=_read("read_csv", part, {"line": "VARCHAR"}, **options, **WHOLE_LINES))
            for part in ([[path] for path in paths] if layout.has_scores else [paths])
        ]
        lines = _fill(SQL["lines"]["with_scores"], scores=each[0], data=each[-1]) if layout.has_scores else each[0]
        filled: exp.Expr = _fill(SQL["lines"]["cells"], parts=fill(split["parts"]), lines=lines)
        return filled

    read = cells(files.readable, "numbered" if is_numbered else "all")
    ((is_wrong, is_plain),) = _rows(run, fill(SQL["lines"]["checked"], cells=read, is_wrong=exp.or_(*wrong)))
    for paths in ([[*here]] if layout.has_scores else [[path] for path in here]) if is_wrong else ():
        refused = _fill(SQL["lines"]["refused"], cells=cells(paths, "numbered"), is_wrong=exp.or_(*wrong))
        for number, line in _rows(run, refused):
            numbers = [name for name, kind in layout.columns.items() if kind in ("BIGINT", "DOUBLE")]
            likely = _suggested_format(files.name, paths[-1])
            raise InputError(
                f"Line {number + skip} of {paths[-1]!r} is not of the format {layout.name}: {(line or '')[:80]!r}. A "
                f"line has {', '.join(layout.columns)}{f', of which {names(numbers)} hold numbers' if numbers else ''}."
                + (f" By its first lines, the file has the format {likely}." if likely else "")
            )
    if is_plain and layout.separators:  # DuckDB splits such lines itself, faster
        table = _read("read_csv", files.readable, layout.columns, **options, delim=has[0])
        return exp.select(*map(tree.column, layout.columns)).from_(table)
    return exp.select("number", *columns).from_(exp.Subquery(this=read, alias="cells"))


# --- CSV and TSV ------------------------------------------------------------------------------------------------------


def _delimited(files: Files, here: Sequence[str], run: Run) -> exp.Table:
    """The table function that reads CSV or TSV, with the types that all cells of a column have."""
    what, paths = called(files.name), files.readable
    reading = {name: files.reading[option] for option, name in OPTIONS.items() if option in files.reading}
    if nulls := reading.get("nullstr"):
        reading["nullstr"] = ["", *([nulls] if isinstance(nulls, str) else nulls)]
    headers = {path: _header(files, path) for path in here}
    if not headers:
        return _read("read_csv", paths, sample_size=-1, **reading)  # not on this machine: DuckDB finds the columns
    separator, skip, quote, columns = first = next(iter(headers.values()))
    for path, header in headers.items():
        if header != first:
            raise said(InputError, "other_header", table=what, path=path, found=header[3], known=columns)
    files.found = {**files.reading, "separator": separator, "quote": quote}
    options = {"delim": separator, "header": False, "skip": skip, "quote": quote, "escape": quote, **reading}
    texts = _read("read_csv", paths, dict.fromkeys(columns, "VARCHAR"), **options, auto_detect=False)
    rows = run(f"{_select(texts)} LIMIT 1").fetchall()
    if what in REQUIRED and not rows:
        raise InputError(f"There are no rows of the {what}: {names(headers)} has a header only.")
    found: dict[str, Any] = {"names": columns, "comment": "", "auto_type_candidates": FOUND, "sample_size": -1}
    try:
        relation = run(_select(_read("read_csv", paths, **options, **found)))
    except Exception:
        run(_select(texts, exp.Count(this=exp.Star()))).fetchall()  # whose error names the line
        raise
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    types = {name: kinds[name] for name in columns}  # the names of folders may be columns, too
    cells = dict(zip(columns, (rows or [()])[0], strict=False))
    whole = [name for name in columns if (cells.get(name) or "0").strip(" -").isdigit()]
    others = [name for name in columns if name not in whole]
    unclear = {"BOOLEAN": columns, "TIMESTAMP": columns, "DOUBLE": whole, "BIGINT": others, "HUGEINT": others}
    doubtful = [name for name, kind in types.items() if name in unclear.get(kind, ())]
    types |= _types_of_texts(doubtful, types, texts, run)
    files.whys = {name: partial(_why_text, files, texts, name, run) for name in columns if types[name] == "VARCHAR"}
    if {*types.values()} == {"VARCHAR"}:  # as a header among the rows makes all columns
        are_names = exp.and_(*(tree.column(name).eq(name) for name in columns))
        for (number,) in _rows(run, _fill(SQL["texts"]["header_again"], file=texts, are_names=are_names)):
            raise InputError(f"Row {number:,} of the {what} is the header again: remove this line.")
    return _read("read_csv", paths, types, **options, auto_detect=False)


def _types_of_texts(columns: Sequence[str], types: Mapping[str, str], texts: exp.Table, run: Run) -> dict[str, str]:
    """The types of columns that their texts decide."""
    cells = {name: tree.column(name) for name in columns}
    tests = [
        _fill(SQL["types"]["numbers"], cell=cell)
        if types[name] == "DOUBLE"
        else _fill(SQL["types"]["column"], type=_fill(SQL["types"]["cell"], cell=cell))
        for name, cell in cells.items()
    ]
    return dict(zip(columns, run(_select(texts, *tests)).fetchall()[0], strict=True)) if tests else {}


def _header(files: Files, path: str) -> tuple[str, int, str, list[str]]:
    """The separator of a file, the number of lines down to its first row, its quotes, the names of its columns."""
    reading = files.reading
    lines = first_lines(path, reading.get("encoding", "utf-8"), "strict")
    skip = next((n for n, line in enumerate(lines) if line.strip()), 0)
    lines = [line for line in lines[skip:] if line.strip()] or [""]
    separators = [reading["separator"]] if "separator" in reading else SEPARATORS[str(files.form)]
    is_quoted = all(re.fullmatch('".*"', cell.strip()) for cell in lines[0].split(separators[0]))
    quote = reading.get("quote", '"' if files.form == "csv" or is_quoted else "")

    def split(lines: Iterable[str], separator: str) -> list[list[str]]:
        if not quote or len(separator) > 1:
            return [line.rstrip("\r\n").split(separator) for line in lines]
        return [*csv.reader(lines, delimiter=separator, quotechar=quote, skipinitialspace=True)]

    separator = max(separators, key=lambda separator: len([*split(lines[:1], separator), []][0]))
    columns, *below = [[cell.strip() for cell in row] for row in split(lines, separator)] or [[]]
    if all(line.count(separator) == line.count(f"{separator} ") > 0 for line in lines):
        separator = f"{separator} "  # a blank after each comma is no part of a cell
    if "header" in reading:
        if len(columns) != len(reading["header"]):
            numbers = {"n": len(reading["header"]), "m": len(columns), "line": lines[0].strip()[:80]}
            naming = _option(files, header=reading["header"])
            raise said(InputError, "header_of_other_length", naming=naming, path=path, **numbers)
        return separator, 0, quote, [*reading["header"]]
    if files.form == "recbole":  # it writes the type behind the name: user_id:token
        columns = [name.partition(":")[0] for name in columns]
    is_row = any(row != columns and {*enumerate(row)} & {*enumerate(columns)} for row in below)
    if not any(columns) or is_row or any(NUMBER.fullmatch(column) for column in columns):
        raise said(InputError, "no_header", path=path, why=_no_header(files, path, columns, below))
    if len(columns) == 1 and (likely := re.search(r"\w([^\w\s.'\"-]+)\w", columns[0])):
        naming = _option(files, separator=likely[1])
        raise said(InputError, "one_column", path=path, name=columns[0], naming=naming)
    if "" in columns:
        raise said(InputError, "nameless_column", place=columns.index("") + 1, path=path)
    try:
        refuse_doubled(called(files.name), columns)
    except ColumnError as error:
        raise ColumnError(f"{error} They stand in the header of {path!r}.") from error
    return separator, skip + 1, quote, columns


def _no_header(files: Files, path: str, first: Sequence[str], below: Sequence[Sequence[str]]) -> str:
    """What a first line is that is no header: the format that the file may have, and names for its columns."""
    if not any(first):
        return "there is none"
    rows, named = [row for row in (first, *below) if len(row) == len(first)], ["user", "item"][: len(first)]
    for place in range(2, len(first)):
        role = _likely_role([row[place] for row in rows], is_ranked=source_of(files.name) in RANKED)
        named.append(role if role and role not in named else f"column_{place + 1}")
    likely = _suggested_format(files.name, path)
    name = f"It may have the format {likely}. If not, name" if " for " in likely else "Name"
    return f"it has {names(first[:4])}. {name} the columns, as in {_option(files, header=named)}, or add a header line"


def _likely_role(cells: Sequence[str], *, is_ranked: bool) -> str:
    """The role that a column without a name may have, by its first cells; empty if they tell none."""
    if re.match(r"\d{4}-\d\d-\d\d|\d{9,}", cells[0]):
        return "timestamp"
    if not NUMBER.fullmatch(cells[0].replace(",", ".")):
        return ""
    are_ranks = all(re.fullmatch(r"\d{1,4}", cell) for cell in cells)
    return ("rank" if are_ranks else "score") if is_ranked else "rating"


def _why_text(files: Files, texts: exp.Table, column: str, run: Run) -> str:
    """A sentence on the first text of a column of numbers, and what to do; empty for a column without numbers."""
    fits = [_fill(SQL["texts"]["fits"], pattern=cause["pattern"]) for cause in SQL["causes"]]
    select = _fill(SQL["texts"]["wrong"], cell=tree.column(column), file=texts).select(*fits)
    ((number, first, n_wrong, low, high, n_distinct, n_cells, *fitting),) = _rows(run, select)
    causes, is_table = [*compress(SQL["causes"], fitting)], files.form in SEPARATORS
    least = [each for each in causes if not any(other["options"].items() < each["options"].items() for other in causes)]
    if first is None:
        ((are_whole,),) = _rows(run, _fill(SQL["texts"]["are_whole"], cell=tree.column(column), file=texts))
        name, path = tree.column(column).sql("duckdb"), exp.convert(files.paths[0]).sql()
        numbers = f"SELECT * REPLACE (CAST({name} AS BIGINT) AS {name}) FROM {path}"
        return (
            f"Every text of {column!r} is a whole number. A SELECT reads them: {dumps(numbers)}." if are_whole else ""
        )
    if n_wrong == n_cells and not causes:
        return ""
    where = f"The text {first[:40]!r} in row {number:,}"
    ways = [f": {_option(files, **each['options'])}" if each["options"] and is_table else "" for each in least]
    if likely := [f"{cause['what']}{way}" for cause, way in zip(least, ways, strict=True)]:
        return f"{where} {', or '.join(likely)}."
    nulls = _option(files, nulls=low if low == high else [low, high])
    means = f" If it means NULL, say so: {nulls}." if is_table and n_distinct <= 2 else ""
    return f"{where} is not a number, and others are.{means}"


# --- JSON -------------------------------------------------------------------------------------------------------------


def _json(files: Files, here: Sequence[str], run: Run) -> exp.Table:
    """The table function that reads JSON. Texts have the types that they have in CSV, mixed ids are texts."""
    _refuse_doubled_keys(called(files.name), here)
    table = _read("read_json", files.readable, sample_size=-1)
    relation = run(_select(table))
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    typed = [(name, kind) for name, kind in zip(kinds, relation.types, strict=True) if kind.id in ("struct", "map")]
    files.whys = {name: partial(_why_text, files, table, name, run) for name in kinds if kinds[name] == "VARCHAR"}
    files.whys |= {name: partial(_why_object, files, name, dict(kind.children), [*kinds]) for name, kind in typed}
    mixed = [name for name, kind in kinds.items() if kind in SQL["flat"]]
    tests = {name: _fill(SQL["flat"][kinds[name]], cell=tree.column(name)) for name in mixed}
    flat = compress(tests, run(_select(table, *tests.values())).fetchall()[0]) if tests else ()
    types = {name: TIMES.sub(lambda match: match[1] or "VARCHAR", kind) for name, kind in kinds.items()}
    types |= {name: kinds[name].replace("JSON", "VARCHAR") for name in flat}
    numbers = [name for name, kind in kinds.items() if kind == "DOUBLE"]
    times = [name for name, kind in types.items() if kind == "VARCHAR" and kinds[name] not in ("JSON", "VARCHAR")]
    if types == kinds and not numbers:
        return table
    for name in [name for name in types if any(f"{name}=" in path for path in here)]:
        types.pop(name)  # the names of folders tell it
    texts = _read("read_json", files.readable, {**types, **dict.fromkeys(numbers, "VARCHAR")})
    return _read("read_json", files.readable, types | _types_of_texts([*numbers, *times], types, texts, run))


def _why_object(files: Files, column: str, fields: Mapping[str, Any], columns: Sequence[str]) -> str:
    """A sentence on a column of objects, with a SELECT that reads its first list, or its keys and numbers."""
    kinds, path = {name: str(kind) for name, kind in fields.items()}, exp.convert(files.paths[0]).sql()
    rest = "".join(f"{tree.column(name).sql('duckdb')}, " for name in columns if name != column)
    value, first = tree.column(column).sql("duckdb"), min(kinds, key=lambda name: "[" not in kinds[name])
    field = f"{value}.{exp.to_identifier(first, quoted=True).sql('duckdb')}"
    select = f"SELECT {rest}{f'UNNEST({field})' if '[' in kinds[first] else field} AS item FROM {path}"
    if {*kinds.values()} <= {"BIGINT", "DOUBLE"} or [*kinds] == ["key", "value"]:
        number = "score" if source_of(files.name) in RANKED else "rating"
        pairs = f"UNNEST(MAP_ENTRIES(CAST(TO_JSON({value}) AS MAP(VARCHAR, DOUBLE)))) AS pair"
        select = (
            f"SELECT * EXCLUDE (pair), pair.key AS item, pair.value AS {number} FROM (SELECT {rest}{pairs} FROM {path})"
        )
        select += " WHERE pair.value IS NOT NULL"
    said = f"{names([*kinds][:5])}{' and others' if len(kinds) > 5 else ''}"
    return f"The cells of {column!r} are objects with the fields {said}. A SELECT reads them: {dumps(select)}."


def _refuse_doubled_keys(what: str, paths: Sequence[str]) -> None:
    """Refuse JSON whose first object has two keys that are equal or differ in case only."""
    keys = JSONDecoder(object_pairs_hook=lambda pairs: [key for key, _ in pairs])
    doubled: list[str] = []
    for path in paths[:1]:
        with suppress(OSError, EOFError, ValueError), opened(path) as file:  # DuckDB reports a broken file
            start = file.read(1_000_000).decode()  # the first object must end within them
            doubled, _ = keys.raw_decode(start, start.index("{"))
    refuse_doubled(what, doubled)


# --- lists in cells ---------------------------------------------------------------------------------------------------


def _with_lists(files: Files, table: exp.Table, run: Run) -> exp.Expr:
    """The table with lists for the texts of lists, where the caller says how cells hold them."""
    if not (given := files.reading.get("cells")):
        return table
    relation = run(_select(table))
    texts = [name for name, kind in zip(relation.columns, relation.types, strict=True) if str(kind) == "VARCHAR"]
    chosen = {name: how for name, how in given.items() if name in texts} if isinstance(given, Mapping) else {}
    if isinstance(given, str) and texts:
        looks = [_fill(_of_lists(given)["looks"], cell=tree.column(name), how=given) for name in texts]
        chosen = dict.fromkeys(compress(texts, run(_select(table, *looks)).fetchall()[0]), given)
    if not chosen or (len(chosen) > 1 and given not in BRACKETS and isinstance(given, str)):
        which = f"several columns with such cells: {names(chosen)}" if chosen else "no column with such cells"
        column = {[*chosen, *relation.columns][0]: given if isinstance(given, str) else " "}
        options = {"option": _option(files, cells=given), "naming": _option(files, cells=column)}
        raise said(InputError, "which_cells", table=called(files.name), which=which, **options)
    elements = {
        name: _fill(_of_lists(how)["elements"], cell=tree.column(name), how=how) for name, how in chosen.items()
    }
    tests = [_fill(SQL["elements"]["type"], elements=each) for each in elements.values()]
    types = dict(zip(elements, run(_select(table, *tests)).fetchall()[0], strict=True))
    lists = {
        name: exp.cast(_fill(_of_lists(chosen[name])["bare"], elements=each), f"{types[name]}[]", dialect="duckdb")
        for name, each in elements.items()
    }
    files.whys = {name: why for name, why in files.whys.items() if name not in lists}
    columns = [tree.named(lists.get(name, tree.column(name)), name) for name in relation.columns]
    return exp.Subquery(this=exp.select(*columns).from_(table))


def _of_lists(how: str) -> Mapping[str, str]:
    kind: Mapping[str, str] = SQL["lists"]["brackets" if how in BRACKETS else "separator"]
    return kind


def look_of_lists(cells: Sequence[str]) -> str:
    """How texts may hold lists: the value of `cells` that reads them; empty if they do not look so."""
    if cells and all(re.fullmatch(r"\s*(\[.*\]|\(.*\))\s*", cell, re.DOTALL) for cell in cells):
        return "python" if any("'" in cell or "(" in cell or re.search(r"\w \w", cell) for cell in cells) else "json"
    return next((separator for separator in "|;, \t" if any(separator in cell.strip() for cell in cells)), "")
