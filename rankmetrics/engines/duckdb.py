"""DuckDB over relations, tables and views of a connection, files, and objects that export an Arrow stream."""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb
from sqlglot import exp
from sqlglot.errors import SqlglotError

from rankmetrics._logger import LOGGER
from rankmetrics.dialects.base import about
from rankmetrics.dialects.databases import DUCKDB_KEYS
from rankmetrics.engines import arrow
from rankmetrics.engines.base import (
    HAS_CHANGED,
    Engine,
    Input,
    Text,
    changed,
    no_table,
    refuse_doubled,
    schema_of,
    type_of,
    unknown,
)
from rankmetrics.engines.files import (
    Files,
    inputs_of,
    is_pattern,
    is_query,
    names_of,
    refuse_hidden,
    scan_table,
    table_name,
)
from rankmetrics.engines.lakehouse import refuse_table_at
from rankmetrics.engines.selects import query, union_of_systems, unnest
from rankmetrics.engines.text_files import read_by, text_table, with_file
from rankmetrics.errors import InputError
from rankmetrics.inputs.assumptions import NO_KEYS, REQUIRED, DeclaredKeys
from rankmetrics.inputs.columns import ColumnType, Schema, Side
from rankmetrics.inputs.shapes import Shape
from rankmetrics.inputs.sources import INPUT_FILE, INPUT_ROW, called
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import call
from rankmetrics.sqltree.steps import rows_of

if TYPE_CHECKING:
    import polars as pl

# The exceptions of a scan that fails on a Python object: Arrow's, and those of the object's own export.
NO_TABLE = (TypeError, ValueError, NotImplementedError, OSError)

# The operators of a plan, as EXPLAIN names them, that compute more than a scan.
COMPUTES = r'"name": "\w*(JOIN|GROUP|WINDOW|DISTINCT|ORDER|TOP_N|PRODUCT)'

# The bytes of memory that DuckDB needs to sort a row, as measured: per row, per number in it, per text in it.
ROW_BYTES, NUMBER_BYTES = 14, 8
VALUE_BYTES: Mapping[str, int] = {"string": 20}

# The size of a part, in multiples of the memory limit. A part of 2 spills half of its rows to disk; smaller parts
# would be more parts, and each part reads all rows of the input again.
MEMORIES_A_PART = 2
MOST_PARTS = 32

# Scans that cost little to repeat: no text file, and no query that DuckDB would compute again. Versions of DuckDB
# differ in the name of the Parquet scan.
CHEAP_SCANS = ("READ_PARQUET", "PARQUET_SCAN", "SEQ_SCAN")


class DuckDB(Engine):
    """Runs the queries in DuckDB; results are relations. Tables of inputs: what follows FROM, and True if in order."""

    name = "DuckDB"
    dialect = "duckdb"
    called_rows = "a DuckDB table or relation"
    raised = (duckdb.Error,)
    stopped = (duckdb.OutOfMemoryException, duckdb.InterruptException)

    def __init__(self, inputs: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self._objects: dict[str, object] = {}
        self._of_paths: dict[str, exp.Expr] = {}
        self._guards: list[str] = []  # for each table, the arm of a CASE that is an error once the table has changed
        self._sql = self._home(inputs, connection)
        super().__init__(inputs, connection)

    def _home(self, inputs: Mapping[str, object], connection: Any) -> Callable[[str], object]:
        """Runs SQL on the given connection, else on the connection of a relation, else on a new connection."""
        if connection is not None:
            self.taken = tables_of(connection.sql)
            sql: Callable[[str], object] = connection.sql
            return sql
        values = [table for value in inputs.values() for table in inputs_of(value)]
        relation = next((table for table in values if isinstance(table, duckdb.DuckDBPyRelation)), None)
        if relation is None:
            return duckdb.connect().sql
        self.taken = tables_of(partial(relation.query, "rankmetrics_tables"))
        return partial(relation.query, free_name("rankmetrics_home", self.taken, "_"))

    def _open(self, name: str, value: object) -> None:
        super()._open(name, value)
        table = self.inputs[name].table
        travels = not {read.name for read in table.find_all(exp.Table)} & {*self._objects}
        is_select = isinstance(value, str) and is_query(value)
        named = value if isinstance(value, str) and travels and not is_select and name not in self.files else None
        schema, declared = self.inputs[name].schema, NO_KEYS
        for read in table.find_all(exp.Table) if travels and not is_select else ():
            if isinstance(read.this, exp.Identifier):
                declared = self._look_at(name, read, schema, has_keys=named is not None and name in REQUIRED)
        shown = named or table_name(value, name)
        self.inputs[name] = Input(schema, table, shown, travels, is_select, declared=declared)

    def _look_at(self, name: str, table: exp.Table, schema: Schema, *, has_keys: bool) -> DeclaredKeys:
        """The keys of a table that DuckDB enforces; `_run` refuses the table once its keys, columns or types change."""
        row = exp.select("rankmetrics_row").from_(call(table.copy(), "rankmetrics_row")).limit(0)
        types = f"TYPEOF(({row.sql('duckdb')}))"
        ((known_types,),) = self._relation(f"SELECT {types}").fetchall()
        is_unchanged, declared = f"{types} = {exp.Literal.string(known_types).sql('duckdb')}", NO_KEYS
        keys = about(DUCKDB_KEYS, table, "duckdb")
        if has_keys and (rows := self._relation(keys).fetchall()):
            declared = DeclaredKeys.of_rows(rows)
            known_keys = rows_of({"key": exp.convert(key), "column": exp.convert(column)} for key, column in rows)
            is_unchanged += f" AND NOT EXISTS({known_keys.sql('duckdb')} EXCEPT ({keys}))"
        message = exp.Literal.string(changed(name, schema, declared)).sql("duckdb")
        self._guards.append(f"WHEN ({is_unchanged}) IS NOT TRUE THEN ERROR({message})")
        return declared

    def _read(self, name: str, value: Any) -> tuple[exp.Expr, bool]:
        source, what = value, called(name)
        is_table = self._connection is not None and str(value).lower() in self.taken
        if file_input := self.find_files(name, value, tables=is_table):
            if file_input.is_table:
                return self._of_object(name, arrow.in_plain_types(scan_table(what, file_input))), False
            if file_input.form != "arrow":
                self._of_paths[name] = self._of_files(name, file_input)
                return self._of_paths[name].copy(), True
            value = arrow.ArrowFiles(what, file_input.paths)
        if isinstance(value, str):
            if is_query(value):
                return self._of_query(name, value), False
            if self._connection is None:
                raise no_table(value)
            try:
                return exp.to_table(value, dialect="duckdb"), False
            except SqlglotError as error:
                raise InputError(f"{value!r} cannot be the name of a table.") from error
        is_relation = isinstance(value, duckdb.DuckDBPyRelation)
        if is_relation:
            refuse_doubled(what, value.columns)
        elif (value := arrow.readable(what, value, ("pandas", "polars", "pyarrow"))) is None:
            raise unknown(what, source)
        return self._of_object(name, value), not is_relation

    def _of_object(self, name: str, value: object) -> exp.Table:
        """An object of Python as a table; DuckDB prefers a table to an object of the same name."""
        variable = re.sub(r"\W+", "_", f"rankmetrics_{name}").rstrip("_")
        variable = free_name(variable, {*self.taken, *self._objects}, "_")
        self._objects[variable] = value
        return exp.to_table(variable)

    def _of_files(self, name: str, file_input: Files) -> exp.Expr:
        if file_input.form == "parquet":
            for path in file_input.paths:
                if "://" in path and is_pattern(path):
                    refuse_table_at(path, self._matched)
            return read_by("read_parquet", file_input.paths)
        try:
            return text_table(file_input, self._relation)
        except duckdb.Error as error:
            raise self._unreadable(name, error) from error

    def _of_query(self, name: str, text: str) -> exp.Expr:
        select = query(called(name), text, self.dialect)
        try:
            columns = self._relation(select.sql("duckdb")).columns
        except duckdb.Error as error:
            raise self._unreadable(name, error) from error
        refuse_doubled(called(name), columns)
        return exp.Subquery(this=select)

    def _union(self, tables: Mapping[str, tuple[exp.Expr, bool]], columns: Sequence[str], column: str) -> Any:
        union = union_of_systems({system: table for system, (table, _) in tables.items()}, columns, column)
        return union, all(is_ordered for _, is_ordered in tables.values())

    def _put(self, name: str, table: tuple[exp.Expr, bool]) -> None:
        schema, self._tables[name] = self._schema(name, table), table
        old = self.inputs.get(name) or Input(schema, table[0], name)
        declared = NO_KEYS if name in self.shapes else old.declared
        self.inputs[name] = replace(old, schema=schema, table=table[0], declared=declared)

    def copy(self, name: str, new: str) -> None:
        self.inputs[new], self._tables[new] = self.inputs[name], self._tables[name]

    def _paths(self, name: str) -> list[str]:
        files = self.files.get(name)
        return self._matched(files.readable) if files and not files.is_table and not files.has_scores else []

    def _matched(self, paths: Sequence[str]) -> list[str]:
        select = exp.select("file").from_(read_by("glob", paths))
        return [str(file) for (file,) in self._relation(select.sql("duckdb")).fetchall()]

    def _with_file(self, name: str, column: str) -> tuple[exp.Expr, bool]:
        """The table of the files of an input, with a column of the path of each row's file."""
        if self.files[name].form == "arrow":
            files = arrow.ArrowFiles(called(name), self.files[name].paths, file_column=column)
            return self._of_object("by_file", files), True
        return with_file(self._of_paths[name].copy(), column), True

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        if len(self._paths(name)) < 2:
            return None
        old, beside = self.inputs[name], f"{name}_by_file"
        file = free_name(INPUT_FILE, old.schema)
        self._put(beside, self._with_file(name, file))
        if name in self.shapes:
            self._put(beside, self._unnest(beside, self._tables[beside], self.shapes[name]))
        if old.condition is not None:
            self.keep(beside, old.condition.copy())
        return self.inputs.pop(beside).table, file

    def name_files(self, name: str, column: str) -> None:
        paths, schema = self._paths(name), self.inputs[name].schema
        if not paths:
            super().name_files(name, column)
        refuse_hidden(column, [*schema])
        file, system = free_name(INPUT_FILE, schema), exp.Case()
        for path, label in names_of(paths).items():
            is_file = exp.EQ(this=tree.column(file), expression=exp.Literal.string(path))
            system = system.when(is_file, exp.Literal.string(label))
        table, is_ordered = self._with_file(name, file)
        select = exp.select(*map(tree.column, schema), tree.named(system, column)).from_(table)
        self._put(name, (exp.Subquery(this=select), is_ordered))

    def number_rows(self, name: str) -> str:
        if not self._tables[name][1]:
            return super().number_rows(name)
        number = free_name(INPUT_ROW, self.inputs[name].schema)
        self._derive(name, exp.Star(), tree.named(exp.Window(this=exp.RowNumber()), number))
        return number

    def parts(self, name: str, side: Side) -> int:
        bytes_a_row = ROW_BYTES + sum(
            VALUE_BYTES.get(side.types[column].family, NUMBER_BYTES)
            for column in (*side.list_columns, side.roles.item, side.roles.score)
            if column
        )
        try:
            (scan,) = json.loads(self._explained(name))
            limit = "SELECT parse_formatted_bytes(current_setting('memory_limit'))"
            ((memory,),) = self._relation(limit).fetchall()
        except duckdb.Error:  # some versions lack these; a sort in one part gives the same ranks
            return 1
        if scan["children"] or scan["name"].strip() not in CHEAP_SCANS:
            return 1
        rows = int(scan["extra_info"].get("Estimated Cardinality", 0))
        return min(max(1, ceil(rows * bytes_a_row / float(memory) / MEMORIES_A_PART)), MOST_PARTS)

    def computes(self, name: str) -> bool:
        return name not in self.files and re.search(COMPUTES, self._explained(name)) is not None

    def _explained(self, name: str) -> str:
        select = exp.select(exp.Star()).from_(self.inputs[name].table.copy()).sql("duckdb", identify=True)
        ((_, plan),) = self._relation(f"EXPLAIN (FORMAT json) {select}").fetchall()
        return str(plan)

    def _unnest(self, name: str, table: tuple[exp.Expr, bool], shape: Shape) -> tuple[exp.Expr, bool]:
        select = unnest("duckdb", table[0], shape, self.inputs[name].schema, has_arrays=True)
        return exp.Subquery(this=select), table[1]

    def keep(self, name: str, condition: exp.Expr) -> None:
        self._derive(name, exp.Star(), condition=condition)

    def _derive(self, name: str, *columns: exp.Expr, condition: exp.Expr | None = None) -> None:
        table, is_ordered = self._tables[name]
        select = exp.select(*columns).from_(table.copy())
        self._put(name, (exp.Subquery(this=select.where(condition) if condition else select), is_ordered))

    def _schema(self, name: str, table: tuple[exp.Expr, bool]) -> Schema:
        text = exp.select(exp.Star()).from_(table[0].copy()).sql("duckdb", identify=True)
        try:
            relation = self._relation(text)
            types = [_column_type(kind) for kind in relation.types]
        except (duckdb.Error, *NO_TABLE) as error:
            raise self._unreadable(name, error) from error
        schema = schema_of(called(name), zip(relation.columns, types, strict=True))
        lower = {column.lower() for column in schema}
        renamed = [column for column in lower if (base := re.fullmatch(r"(.+)_\d+", column)) and base[1] in lower]
        if renamed and name in self.files and self.files[name].form == "parquet":  # DuckDB renames equal columns
            arrow.refuse_doubled_in_parquet(called(name), self.files[name].paths)
        zones = arrow.zones_of(self._objects.get(table[0].name))  # which DuckDB's types do not hold
        named = {
            column: replace(schema[column], name=f"{schema[column].name} '{zone}'") for column, zone in zones.items()
        }
        return self.explained(name, {**schema, **named})

    def _relation(self, text: str) -> duckdb.DuckDBPyRelation:
        return relation_over(self._sql, text, self._objects)

    def _run(self, sql: str, columns: Sequence[str]) -> duckdb.DuckDBPyRelation:
        relation = self._relation(sql)
        return relation.filter(self._guard) if self._guards else relation

    def _run_text(self, text: Text) -> duckdb.DuckDBPyRelation:
        # a CALL is computed at once, and a relation over a SELECT is bound several times before it is
        select = f"SELECT * FROM ({text.sql}) WHERE {self._guard}" if self._guards else text.sql
        computed = self._relation(f"CALL query({exp.Literal.string(select).sql('duckdb')})")
        log_profile(self._connection)
        return computed

    @property
    def _guard(self) -> str:
        """A condition that is TRUE; if tables have changed, computing it is an error that names the first of them."""
        return f"(SELECT CASE {' '.join(self._guards)} ELSE TRUE END)"

    def table_of(self, compute: Callable[[], pl.DataFrame]) -> duckdb.DuckDBPyRelation:
        return self._relation_of(compute())

    def _collect(self, lazy: duckdb.DuckDBPyRelation) -> pl.DataFrame:
        import polars as pl

        # not lazy.pl(), which imports pyarrow; and computed first, for DuckDB's own errors
        computed = lazy.materialize()
        log_profile(self._connection)  # before Polars reads the rows, which is a query of its own
        return pl.DataFrame(computed)

    def _rows(self, lazy: duckdb.DuckDBPyRelation) -> list[tuple[Any, ...]]:
        if any("TIMESTAMP WITH TIME ZONE" in str(kind) for kind in lazy.types):
            return self._collect(lazy).rows()  # DuckDB makes Python's datetimes with pytz
        rows: list[tuple[Any, ...]] = lazy.fetchall()  # no import of Polars, which takes half the time of a small job
        log_profile(self._connection)
        return rows

    def _write(self, lazy: duckdb.DuckDBPyRelation, path: Path, form: str, order: Sequence[str]) -> None:
        columns = ", ".join(f"{tree.column(name).sql('duckdb')} NULLS LAST" for name in order)
        write_relation(lazy.order(columns) if order else lazy, path, form)

    def _text(self, lazy: duckdb.DuckDBPyRelation) -> str:
        return lazy.sql_query()

    def _failed(self, error: BaseException, text: Callable[[], str], path: Path | None = None) -> BaseException:
        if path is not None and isinstance(error, duckdb.IOException) and str(path) in str(error):
            return OSError(self._reason(error))
        if isinstance(error, duckdb.InvalidInputException) and HAS_CHANGED in str(error):
            message = self._reason(error).removeprefix("Invalid Input Error: ")
            return InputError(message, page="databases/#tables-that-change")
        return super()._failed(error, text)

    def _reason(self, error: BaseException) -> str:
        return reason(error) if isinstance(error, duckdb.Error) else str(error)

    def write_frame(self, frame: pl.DataFrame, path: Path, form: str) -> None:
        self.write(self._relation_of(frame), path, form)

    def _relation_of(self, frame: pl.DataFrame) -> duckdb.DuckDBPyRelation:
        variable = free_name("rankmetrics_frame", self.taken, "_")
        select = exp.select(exp.Star()).from_(exp.to_table(variable))
        return relation_over(self._sql, select.sql("duckdb"), {variable: frame})


def _column_type(kind: Any) -> ColumnType:
    """The type of a column, with the types of elements and fields; `kind` is a type of DuckDB's Python module."""
    children = kind.children if kind.id in ("list", "array", "struct") else []
    if kind.id == "struct":
        return type_of(str(kind), fields=[(name, _column_type(child)) for name, child in children])
    if kind.id == "bit":
        return ColumnType("binary", str(kind))
    return type_of(str(kind), _column_type(children[0][1]) if children else None)


# --- connections ------------------------------------------------------------------------------------------------------

# The share of the memory limit that DuckDB does not get: it uses more memory than it counts, and the more the more it
# spills to disk.
KEPT_BACK = 0.05

# Runs a query in a namespace of the objects that it reads: DuckDB looks up a name that is not a table among the
# variables of its caller. `register` would leave a view of each object in the caller's own connection, and keep it.
CALL = compile("sql(text)", __name__, "eval")


def relation_over(sql: Callable[[str], object], text: str, objects: Mapping[str, object]) -> duckdb.DuckDBPyRelation:
    """The relation of a query that reads objects by their names, not computed yet."""
    relation: duckdb.DuckDBPyRelation = eval(CALL, {"sql": sql, "text": text, **objects})  # noqa: S307
    return relation


def opened_within(memory_limit: str | None, database: str = ":memory:", **config: Any) -> duckdb.DuckDBPyConnection:
    """A new connection within a memory limit; a limit in bytes (not `50%`) is lowered by the share KEPT_BACK."""
    config |= {"memory_limit": memory_limit} if memory_limit is not None else {}
    connection = duckdb.connect(database, read_only=database != ":memory:", config=config)
    if memory_limit is None:
        return connection
    with suppress(duckdb.Error):
        ((limit,),) = connection.execute("SELECT parse_formatted_bytes($1)", [memory_limit]).fetchall()
        connection.execute("SET memory_limit = $1", [f"{int(limit * (1 - KEPT_BACK))}B"])
    return connection


def tables_of(sql: Callable[[str], object]) -> frozenset[str]:
    """The names of all tables and views of the database, in lower case."""
    try:
        tables = cast("duckdb.DuckDBPyRelation", sql("SELECT table_name FROM information_schema.tables"))
        return frozenset(str(row[0]).lower() for row in tables.fetchall())
    except duckdb.Error as error:
        raise InputError(f"The DuckDB connection cannot be used: {reason(error)}") from error


def reason(error: duckdb.Error) -> str:
    """DuckDB's message without the lines that quote the query."""
    return str(error).split("\n\nLINE ")[0].strip()


# --- where the time of a query went -----------------------------------------------------------------------------------


def start_profiling(connection: duckdb.DuckDBPyConnection) -> None:
    """Let a connection keep the profile of its last query, if the log has a use for it."""
    if LOGGER.isEnabledFor(logging.DEBUG):
        connection.execute("SET enable_profiling = 'no_output'")


def log_profile(connection: duckdb.DuckDBPyConnection | None) -> None:
    """Log where the last query of a connection spent its time, if the connection keeps profiles."""
    if connection is not None and LOGGER.isEnabledFor(logging.DEBUG):
        with suppress(duckdb.Error, ValueError):  # the connection keeps no profiles
            times = times_of(json.loads(connection.get_profiling_information(format="json")))
            shown = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in times.most_common(8))
            if shown:
                LOGGER.debug("DuckDB's time, summed over its threads: %s", shown)


def times_of(profile: Mapping[str, Any]) -> Counter[str]:
    """The seconds of each materialized step, by its name, and of all other operators by their types.

    >>> step = {"type": "CTE", "timing": 0.5, "extra_info": {"CTE Name": "hits"}}
    >>> scan, join = {"type": "TABLE_SCAN", "timing": 1.0}, {"type": "HASH_JOIN", "timing": 2.0}
    >>> times_of({"operator": [{**step, "children": [scan, {**join, "children": [scan]}]}]})
    Counter({'HASH_JOIN': 2.0, 'hits': 1.5, 'TABLE_SCAN': 1.0})
    """
    times: Counter[str] = Counter()
    waiting: list[tuple[Mapping[str, Any], str]] = [(operator, "") for operator in profile.get("operator", ())]
    for node, step in waiting:
        kind, info = str(node.get("type", "")).strip(), node.get("extra_info")
        name = info.get("CTE Name", "") if kind == "CTE" and isinstance(info, Mapping) else ""
        times[name or step or kind] += node.get("timing", 0.0)
        children = enumerate(node.get("children", []))  # the first child makes the rows of a step
        waiting += [(child, name if name and place == 0 else step) for place, child in children]
    return times


# DuckDB's options of COPY for each form but Arrow.
COPY: Mapping[str, str] = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "csv": "FORMAT csv, HEADER true",
    "tsv": "FORMAT csv, HEADER true, DELIMITER '\t'",
    "json": "FORMAT json, ARRAY true",
    "ndjson": "FORMAT json",
}


def write_relation(relation: duckdb.DuckDBPyRelation, path: Path, form: str) -> None:
    """Compute a relation into a file, in one of the forms of FORMATS."""
    if form == "arrow":
        import pyarrow as pa

        reader = relation.to_arrow_reader()
        with pa.ipc.new_file(str(path), reader.schema) as file:
            for batch in reader:
                file.write_batch(batch)
        return
    text = form.removesuffix(".gz")
    options = COPY[text] if text == form else f"{COPY[text]}, COMPRESSION gzip"
    target = exp.Literal.string(str(path)).sql("duckdb")
    relation.query("rankmetrics_result", f"COPY (SELECT * FROM rankmetrics_result) TO {target} ({options})")


ENGINE = DuckDB
