"""Spark: DataFrames and tables, on one machine or on a cluster; what comes back is a DataFrame.

Nothing is collected, and nothing is left in the session: the inputs are named for as long as the query is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from rankmetrics import tree
from rankmetrics.engines.base import CALLED, Engine, Input, files, module_of, no_order, no_table, unknown
from rankmetrics.engines.describing import type_of
from rankmetrics.engines.native import as_table
from rankmetrics.engines.systems import Systems, inputs_of
from rankmetrics.errors import DialectError, EngineError, InputError, names

if TYPE_CHECKING:
    import polars as pl

# What Spark reads; the second gives its columns names that a Delta table takes.
SPOKEN = ("spark", "databricks")

# What Spark calls what files hold, and how they are read.
READERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "parquet": ("parquet", {}),
    "csv": ("csv", {"header": True, "inferSchema": True}),
    "csv.gz": ("csv", {"header": True, "inferSchema": True}),
    "tsv": ("csv", {"header": True, "inferSchema": True, "sep": "\t"}),
    "json": ("json", {"multiLine": True}),
    "ndjson": ("json", {}),
}


class Spark(Engine):
    """Spark over the inputs; what it returns is a DataFrame."""

    name = "Spark"

    def __init__(self, given: Mapping[str, object], connection: object | None, dialect: str | None = None) -> None:
        self.dialect = dialect or "spark"
        if self.dialect not in SPOKEN:
            raise DialectError(f"Spark is spoken to in one of {names(SPOKEN)}: dialect={dialect!r} is none of them.")
        recs: Any = given["recs"]
        first: Any = inputs_of(recs)[0]
        self._session: Any = connection if connection is not None else first.sparkSession
        self._frames: dict[str, Any] = {}
        self._texts: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self.inputs: dict[str, Input] = {}
        self._mark = uuid4().hex  # in the names of the inputs, so that no table or column is called so
        for name, value in given.items():
            self._put(name, self._frame(CALLED[name], value))
            if not self.inputs[name].schema:
                raise InputError(f"There are no columns in the {CALLED[name]}.")

    def _put(self, name: str, frame: Any) -> None:
        schema = {one.name: type_of(one.dataType.simpleString()) for one in frame.schema.fields}
        self._frames[f"{name}_{self._mark}"] = frame
        self.inputs[name] = Input(schema, tree.table(f"{name}_{self._mark}"), name)

    def _of_systems(self, what: str, systems: Systems) -> Any:
        """The tables of several systems as one DataFrame, with a column that says the system."""
        from pyspark.sql import functions

        frames = {system: self._frame(what, value) for system, value in systems.inputs.items()}
        systems.refuse_unlike({system: frame.columns for system, frame in frames.items()})
        named = [frame.withColumn(systems.column, functions.lit(system)) for system, frame in frames.items()]
        found = named[0]
        for one in named[1:]:
            found = found.unionByName(one)
        return found

    def _frame(self, what: str, value: object) -> Any:
        """Any input as a DataFrame of the session."""
        if isinstance(value, Systems):
            return self._of_systems(what, value)
        if module_of(value) == "pyspark":
            return value
        found = files(value, tables=True)
        if isinstance(value, str) and not found and type(self._session).__name__ != "SparkSession":
            raise no_table(value)
        try:
            if found:
                form, options = READERS[found[1]]
                # Spark finds the files of a folder itself, and with them the columns that its folders name
                paths = [one.removesuffix("/**/*.parquet") for one in found[0]]
                return self._session.read.format(form).options(**options).load(paths)
            if isinstance(value, str):
                return self._session.table(value)
            if (table := as_table(value)) is not None:
                return self._session.createDataFrame(table)
        except Exception as error:  # whatever Spark raises: it is this input that cannot be read
            raise InputError(f"The {what} cannot be read: {_reason(error)}") from error
        raise unknown(what, value)

    def copy(self, name: str, new: str) -> None:
        self._put(new, self._frames[f"{name}_{self._mark}"])

    def number_rows(self, name: str) -> str:
        raise no_order(f"a Spark DataFrame (the {CALLED[name]})")

    def long(self, name: str, column: str, number: str | None = None) -> None:
        from pyspark.sql import functions

        frame = self._frames[f"{name}_{self._mark}"]
        kept = [functions.col(_quoted(one)) for one in frame.columns if one != column]
        place = number or f"place_{self._mark}"
        spread = frame.select(*kept, functions.posexplode_outer(_quoted(column)).alias(place, column))
        self._put(name, spread.withColumn(place, functions.col(_quoted(place)) + 1) if number else spread.drop(place))

    def run(self, sql: str, columns: Sequence[str]) -> Any:
        text = sql.replace("{", "{{").replace("}", "}}")
        for name in self._frames:
            text = text.replace(f"`{name}`", f"{{{name}}}")
        try:
            found = self._session.sql(text, **self._frames)
        except Exception as error:  # whatever Spark raises
            raise EngineError(self.name, _reason(error), sql) from error
        self._texts[found] = sql
        return found

    def collect(self, lazy: Any) -> pl.DataFrame:
        import polars as pl

        try:
            return pl.DataFrame(lazy.toArrow())
        except Exception as error:  # whatever Spark raises
            raise EngineError(self.name, _reason(error), self._texts.get(lazy, "")) from error

    def write(self, lazy: Any, path: Path, form: str) -> None:
        from rankmetrics.engines.polars import SINKS

        SINKS[form](self.collect(lazy).lazy(), path)


def _quoted(name: str) -> str:
    """A column's name as Spark's functions read it."""
    return f"`{name.replace('`', '``')}`"


def _reason(error: Exception) -> str:
    """Spark's message without the trace of the machine below."""
    return str(error).split("\n\tat ")[0].split("\nJVM stacktrace")[0].strip()


ENGINE = Spark
