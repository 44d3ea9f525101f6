"""DuckDB: relations, tables and views on the user's connection, files, and whatever exports an Arrow stream."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from rankmetrics import tree
from rankmetrics.columns import ColumnType, Family, Side
from rankmetrics.engines.base import CALLED, Engine, Input, files, module_of, no_order, no_table, table_name, unknown
from rankmetrics.engines.native import as_arrow, is_column
from rankmetrics.engines.systems import Systems, inputs_of, names_of, refuse_hidden
from rankmetrics.errors import EngineError, InputError
from rankmetrics.inputs import INPUT_FILE, INPUT_ROW
from rankmetrics.keys import free_name

if TYPE_CHECKING:
    import polars as pl

Found = TypeVar("Found")

FAMILIES: dict[str, Family] = {
    **dict.fromkeys(
        "tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint".split(), "integer"
    ),
    **dict.fromkeys("float double decimal".split(), "float"),
    **dict.fromkeys("varchar enum uuid".split(), "string"),
    **dict.fromkeys("timestamp timestamp_s timestamp_ms timestamp_ns".split(), "datetime"),
    "timestamp with time zone": "zoned datetime",
    **dict.fromkeys("list array struct map union blob bit json".split(), "nested"),
    "date": "date",
    "boolean": "boolean",
}
READERS = {
    "parquet": "read_parquet",
    **dict.fromkeys(("csv", "csv.gz", "tsv"), "read_csv"),
    **dict.fromkeys(("json", "ndjson"), "read_json"),
}
CSV: dict[str, dict[str, Any]] = {
    "csv": {"sep": ","},
    "csv.gz": {"sep": ",", "compression": "gzip"},
    "tsv": {"sep": "\t"},
}

# What a row takes while DuckDB sorts it, as measured: for itself, for a number in it, for a text.
ROW_BYTES, NUMBER_BYTES, COLUMN_BYTES = 14, 8, {"string": 20}

# How much is sorted in one part: half of it then goes to disk, and one part more would read all rows once more.
MEMORIES_A_PART = 2
MOST_PARTS = 32

# What can be read once more for little: no file of text, and nothing that would be computed anew.
READ_AGAIN = ("READ_PARQUET", "PARQUET_SCAN", "SEQ_SCAN")  # as one version calls it and another

# The share of a limit that DuckDB is not given: what it holds beyond its own count grows with what it has on disk.
KEPT_BACK = 0.05

# What a query is run by, in a namespace that holds the objects it reads: DuckDB looks up a name that is no table among
# the variables of whoever calls it.
CALL = compile("sql(text)", __name__, "eval")


class DuckDB(Engine):
    """DuckDB over the inputs; what it returns is a relation."""

    name = "DuckDB"
    dialect = "duckdb"
    at_once = True
    stopped = (duckdb.OutOfMemoryException, duckdb.InterruptException)

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self._objects: dict[str, object] = {}
        self._ordered: dict[str, bool] = {}
        self._paths: dict[str, tuple[list[str], str] | None] = {}
        self.taken: frozenset[str] = frozenset()
        self._sql = self._home(given, connection)
        self.inputs: dict[str, Input] = {}
        for name, value in given.items():
            self._add(name, value, connection)

    def _home(self, given: Mapping[str, object], connection: object | None) -> Callable[[str], object]:
        """Where the query runs: on the connection given, else on that of a relation, else on one of our own."""
        if isinstance(connection, duckdb.DuckDBPyConnection):
            self.taken = _tables(connection.sql)
            return connection.sql
        every = [one for value in given.values() for one in inputs_of(value)]
        relations = [one for one in every if isinstance(one, duckdb.DuckDBPyRelation)]
        if not relations:
            return duckdb.connect().sql
        query = relations[0].query
        self.taken = _tables(partial(query, "rankmetrics_tables"))
        return partial(query, free_name("rankmetrics_home", self.taken, "_"))

    def _add(self, name: str, value: object, connection: object | None) -> None:
        if isinstance(value, Systems):
            table, self._ordered[name] = self._of_systems(name, value, connection)
        else:
            table, self._ordered[name] = self._table(name, value, connection)
            self._paths[name] = files(value, tables=connection is not None)
        columns = self._describe(name, table)
        if not columns:
            raise InputError(f"There are no columns in the {CALLED[name]}.")
        travels = not {one.name for one in table.find_all(exp.Table)} & {*self._objects}
        self.inputs[name] = Input(columns, table, table_name(value, name), travels=travels)

    def _of_systems(self, name: str, systems: Systems, connection: object | None) -> tuple[exp.Expr, bool]:
        """The tables of several systems as one, and whether its rows have an order."""
        found = {
            system: self._table(f"{name}_{number}", value, connection)
            for number, (system, value) in enumerate(systems.inputs.items(), start=1)
        }
        columns = {system: [*self._describe(name, table)] for system, (table, _) in found.items()}
        systems.refuse_unlike(columns)
        arms = [
            exp.select(
                *(tree.column(one) for one in next(iter(columns.values()))),
                exp.alias_(exp.Literal.string(system), systems.column, quoted=True),
            ).from_(table)
            for system, (table, _) in found.items()
        ]
        union = exp.union(*arms, distinct=False, copy=False) if len(arms) > 1 else arms[0]
        return exp.Subquery(this=union), all(is_ordered for _, is_ordered in found.values())

    def by_file(self, name: str) -> tuple[exp.Expr, str] | None:
        found = self._paths.get(name)
        if found is None or len(self._found(found[0])) < 2:
            return None
        file = free_name(INPUT_FILE, self.inputs[name].schema)
        return exp.Subquery(this=exp.select(exp.Star()).from_(_read(*found, file_column=file))), file

    def name_files(self, name: str, column: str) -> None:
        found = self._paths.get(name)
        if found is None:
            super().name_files(name, column)
            return
        old = self.inputs[name]
        refuse_hidden(column, [*old.schema])
        file, system = free_name(INPUT_FILE, old.schema), exp.Case()
        for path, called in names_of(self._found(found[0])).items():
            is_file = exp.EQ(this=tree.column(file), expression=exp.Literal.string(path))
            system = system.when(is_file, exp.Literal.string(called))
        select = exp.select(*map(tree.column, old.schema), exp.alias_(system, column, quoted=True))
        table = exp.Subquery(this=select.from_(_read(*found, file_column=file)))
        self.inputs[name] = replace(old, table=table, schema=self._describe(name, table))

    def _found(self, paths: Sequence[str]) -> list[str]:
        """The files behind paths and globs, as DuckDB calls them."""
        pattern = [exp.Literal.string(path) for path in paths]
        listed = exp.Array(expressions=pattern) if len(pattern) > 1 else pattern[0]
        select = exp.select("file").from_(exp.Table(this=exp.Anonymous(this="glob", expressions=[listed])))
        return [str(row[0]) for row in self._relation(select.sql("duckdb")).fetchall()]

    def copy(self, name: str, new: str) -> None:
        self.inputs[new], self._ordered[new] = self.inputs[name], self._ordered[name]

    def number_rows(self, name: str) -> str:
        if not self._ordered[name]:
            raise no_order(f"a DuckDB table or relation (the {CALLED[name]})")
        number = free_name(INPUT_ROW, self.inputs[name].schema)
        self._derive(name, [exp.Star(), exp.alias_(exp.Window(this=exp.RowNumber()), number, quoted=True)])
        return number

    def parts(self, name: str, side: Side) -> int:
        bytes_a_row = ROW_BYTES + sum(
            COLUMN_BYTES.get(side.types[one].family, NUMBER_BYTES)
            for one in (*side.list_columns, side.roles.item, side.roles.score)
            if one
        )
        select = exp.select(exp.Star()).from_(self.inputs[name].table.copy()).sql("duckdb", identify=True)
        try:
            ((_, plan),) = self._relation(f"EXPLAIN (FORMAT json) {select}").fetchall()
            limit = self._relation("SELECT parse_formatted_bytes(current_setting('memory_limit'))").fetchall()
        except duckdb.Error:  # some versions do not tell; one part is right, too
            return 1
        scan, ((memory,),) = json.loads(plan)[0], limit
        if scan["children"] or scan["name"].strip() not in READ_AGAIN:
            return 1
        rows = int(scan["extra_info"].get("Estimated Cardinality", 0))
        return min(max(1, ceil(rows * bytes_a_row / float(memory) / MEMORIES_A_PART)), MOST_PARTS)

    def long(self, name: str, column: str, number: str | None = None) -> None:
        old = self.inputs[name]
        kept = [tree.column(one) for one in old.schema if one != column]
        listed: exp.Expr = tree.column(column)
        if fixed := re.fullmatch(r"(.*)\[\d+\]", old.schema[column].name):  # an array, which CASE does not take
            listed = exp.cast(listed, exp.DataType.build(f"{fixed[1]}[]", dialect="duckdb"))
        empty = exp.LTE(this=exp.func("LEN", listed.copy()), expression=exp.Literal.number(0))
        kept_empty = exp.Case().when(empty, exp.Null()).else_(listed.copy())
        nothing = exp.Array(expressions=[exp.Null()])  # what has no element keeps its row
        spread = exp.alias_(exp.Explode(this=exp.Coalesce(this=kept_empty, expressions=[nothing])), column, quoted=True)
        places = exp.func("GENERATE_SUBSCRIPTS", listed, exp.Literal.number(1))
        self._derive(name, [*kept, spread, *([exp.alias_(places, number, quoted=True)] if number else [])])

    def _derive(self, name: str, columns: Sequence[exp.Expr]) -> None:
        """Put a query over an input in its place."""
        old = self.inputs[name]
        table = exp.Subquery(this=exp.select(*columns).from_(old.table.copy()))
        self.inputs[name] = replace(old, table=table, schema=self._describe(name, table))

    def _table(self, name: str, given: object, connection: object | None) -> tuple[exp.Expr, bool]:
        """An input as it stands after FROM, and whether its rows have an order."""
        value: Any = given
        found = files(value, tables=connection is not None)
        if found:
            return _read(*found), True
        if isinstance(value, str):
            if connection is None:
                raise no_table(value)
            try:
                return exp.to_table(value, dialect="duckdb"), False
            except SqlglotError as error:
                raise InputError(f"{value!r} cannot be the name of a table.") from error
        is_relation = isinstance(value, duckdb.DuckDBPyRelation)
        if not is_relation and (value := _readable(value)) is None:
            raise unknown(CALLED[name], given)
        variable = free_name(f"rankmetrics_{name}", self.taken, "_")  # tables come before objects
        self._objects[variable] = value
        return exp.to_table(variable), not is_relation

    def _describe(self, name: str, table: exp.Expr) -> dict[str, ColumnType]:
        text = exp.select(exp.Star()).from_(table.copy()).sql("duckdb", identify=True)
        try:
            relation = self._relation(text)
            types = [(str(kind), kind.id) for kind in relation.types]
        except duckdb.Error as error:
            raise InputError(f"The {CALLED[name]} cannot be read: {reason(error)}") from error
        return {
            column: ColumnType(_family(kind, full), full)
            for column, (full, kind) in zip(relation.columns, types, strict=True)
        }

    def _relation(self, text: str) -> duckdb.DuckDBPyRelation:
        """What a text selects, lazily."""
        return relation_over(self._sql, text, self._objects)

    def run(self, sql: str, columns: Sequence[str]) -> duckdb.DuckDBPyRelation:
        try:
            return self._relation(sql)
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), sql) from error

    def collect(self, lazy: duckdb.DuckDBPyRelation) -> pl.DataFrame:
        frame: pl.DataFrame = self._computed(lazy, lazy.pl)
        return frame

    def rows(self, lazy: duckdb.DuckDBPyRelation) -> list[tuple[Any, ...]]:
        return self._computed(lazy, lazy.fetchall)  # without the import of Polars, half of what a small job costs

    def _computed(self, lazy: duckdb.DuckDBPyRelation, compute: Callable[[], Found]) -> Found:
        try:
            return compute()
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), lazy.sql_query()) from error

    def write(self, lazy: duckdb.DuckDBPyRelation, path: Path, form: str) -> None:
        try:
            if form == "parquet":
                lazy.write_parquet(str(path), compression="zstd")
            elif form in CSV:
                lazy.write_csv(str(path), header=True, **CSV[form])
            else:
                lazy.query("rankmetrics_result", _copy_to_json(path, array=form == "json"))
        except duckdb.Error as error:
            raise EngineError(self.name, reason(error), lazy.sql_query()) from error

    def lazily(self, frame: pl.DataFrame) -> duckdb.DuckDBPyRelation:
        variable = free_name("rankmetrics_frame", self.taken, "_")
        select = exp.select(exp.Star()).from_(exp.to_table(variable))
        return relation_over(self._sql, select.sql("duckdb"), {variable: frame})


def _read(paths: Sequence[str], form: str, *, file_column: str | None = None) -> exp.Table:
    """What reads files, if asked with a column that says from which file each row is."""
    listed = exp.Array(expressions=[exp.Literal.string(path) for path in paths])
    where = listed if len(paths) > 1 else exp.Literal.string(paths[0])
    named = [exp.EQ(this=exp.var("filename"), expression=exp.Literal.string(file_column))] if file_column else []
    return exp.Table(this=exp.Anonymous(this=READERS[form], expressions=[where, *named]))


def relation_over(sql: Callable[[str], object], text: str, objects: Mapping[str, object]) -> duckdb.DuckDBPyRelation:
    """What a text selects, lazily, from objects by their names."""
    found: duckdb.DuckDBPyRelation = eval(CALL, {"sql": sql, "text": text, **objects})  # noqa: S307
    return found


def opened_within(memory_limit: str | None, database: str = ":memory:", **config: Any) -> duckdb.DuckDBPyConnection:
    """A connection of our own under a limit of memory, of which some is kept back where it is told in bytes: not `50%`.

    Raises:
        duckdb.Error: the database, the limit or another setting cannot be.
    """
    config |= {"memory_limit": memory_limit} if memory_limit is not None else {}
    connection = duckdb.connect(database, read_only=database != ":memory:", config=config)
    if memory_limit is None:
        return connection
    with suppress(duckdb.Error):
        ((limit,),) = connection.execute("SELECT parse_formatted_bytes($1)", [memory_limit]).fetchall()
        connection.execute("SET memory_limit = $1", [f"{int(limit * (1 - KEPT_BACK))}B"])
    return connection


def _tables(sql: Callable[[str], object]) -> frozenset[str]:
    """The names of all tables and views of the database, in lower case."""
    try:
        tables = cast("duckdb.DuckDBPyRelation", sql("SELECT table_name FROM information_schema.tables"))
        return frozenset(str(row[0]).lower() for row in tables.fetchall())
    except duckdb.Error as error:
        raise InputError(f"The DuckDB connection cannot be used: {reason(error)}") from error


def _family(kind: str, full: str) -> Family:
    if kind == "decimal" and full.endswith(",0)"):
        return "integer"
    return FAMILIES.get(kind, "nested" if "[" in full else "other")


def _copy_to_json(path: Path, *, array: bool) -> str:
    text = f"COPY (SELECT * FROM rankmetrics_result) TO 'path' (FORMAT json, ARRAY {array})"
    copy = sqlglot.parse_one(text, read="duckdb")
    copy.args["files"][0].replace(exp.Literal.string(str(path)))
    return copy.sql("duckdb")


def _readable(value: Any) -> Any:
    """An object that DuckDB can scan as often as a query reads it; None where there is no way."""
    if is_column(value):
        return None
    scanned = module_of(value) in ("pandas", "polars", "pyarrow") and type(value).__name__ != "RecordBatchReader"
    return value if scanned else as_arrow(value)


def reason(error: duckdb.Error) -> str:
    """DuckDB's message without its own quotation of the query."""
    return str(error).split("\n\nLINE ")[0].strip()


ENGINE = DuckDB
