"""`rm.split`: interactions as train and test, lazily, in the caller's own kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlglot import exp

from rankmetrics._files import whole_file
from rankmetrics.dialects import base as dialects
from rankmetrics.engines.arrow import as_frame
from rankmetrics.engines.base import Engine, Warehouse
from rankmetrics.engines.opening import open_engine
from rankmetrics.errors import DataError, InputError, MetricError, Option, plain, similar
from rankmetrics.inputs.columns import NO_ID, Family, Schema, lists_in_cells
from rankmetrics.inputs.roles import ITEM, OWNERS, RATING, TIME
from rankmetrics.inputs.sources import INTERACTIONS
from rankmetrics.messages import refused, said
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.parameter import Setting
from rankmetrics.options import one_of
from rankmetrics.splits import methods
from rankmetrics.splits.methods import check_method, filter_parameters
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.ids import expand_ids
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import after_from
from rankmetrics.sqltree.steps import Steps

if TYPE_CHECKING:
    import polars as pl

Subset = Literal["train", "test", "history", "rows"]

# What a split returns; each is a file of sql/splits/subsets.
SUBSETS: tuple[Subset, ...] = ("train", "test", "history", "rows")


def split(
    interactions: object,
    method: str = "random",
    *,
    user: str | None = None,
    item: str | None = None,
    time: str | None = None,
    rating: str | None = None,
    connection: object | None = None,
    dialect: str | None = None,
    memory_limit: str | None = None,
    **parameters: Any,
) -> Split:
    """Split interactions into train and test, lazily: schemas are checked here, data when you ask for numbers.

    The same method, parameters and seed give the same rows on every engine: what is random follows from MD5 hashes of
    the ids. Rows without a user or an item, or without a time that the method needs, are in no subset; `collect`,
    `write` and `check` refuse them.

    Args:
        interactions: one row each: a user, an item and, for methods by time, a time. A Polars frame, a DuckDB relation,
            a path, a list of paths or a glob, the name of a table with `connection`, a pandas or Arrow table, a Spark
            DataFrame, an Ibis table, a sparse matrix of SciPy, `{user: {item: rating}}`, or a SELECT.
        method: `random` (rows), `users` (some items of some users), `last_n`, `leave_one_out`, `per_user_fraction`,
            `time` (a cut), `sliding` (time windows) or `kfold`; docs/splits.md describes them.
        user: the column of the user, where it does not have a usual name such as `user_id`.
        item: the column of the item.
        time: the column of the time.
        rating: the column of the rating, which only the filter `repeats` reads.
        connection: where tables are named, as in evaluate.
        dialect: the SQL dialect of the connection, where its module does not tell.
        memory_limit: such as `"2GB"`, for files and frames larger than memory, as in evaluate.
        parameters: those of the method, such as `test_fraction=0.2`, `seed=1`, `at="2024-01-01"`; and the filters
            `repeats`, `k_core` (with `rounds`), `cold_users` and `cold_items`.

    Returns:
        A Split: `train`, `test`, `history` and `rows` are lazy, in the kind of the interactions. Methods with folds or
        windows add a column `partition`.

    Raises:
        MetricError: the method or a parameter is unknown, or a value is out of its range.
        ColumnError: a column is missing, ambiguous, or of a type that does not fit its role.
        InputError: the interactions are empty, cannot be read, or are of no known kind.

    Example:
        >>> import polars as pl
        >>> clicks = pl.LazyFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "day": [1, 2, 1, 4]})
        >>> train, test = split(clicks, "time", at=2)
        >>> test.collect().sort("user").rows()
        [(1, 8, 2), (2, 9, 4)]
    """
    name = check_method(method)
    table = as_frame(INTERACTIONS, interactions)
    engine = open_engine(
        {INTERACTIONS: table}, table, connection, dialect, memory_limit=memory_limit, needs_md5=True, keeps_types=True
    )
    columns = {"user": user, "item": item, "time": time, "rating": rating}
    return Split(engine, plan_split(name, parameters, columns, engine.inputs[INTERACTIONS].schema))


class Split:
    """The train and test rows of a split, as `split` returns them.

    Everything is lazy but `collect`, `write` and `check`: these compute, and raise an error if the split would be
    misleading. A Split unpacks into train and test.

    Example:
        >>> import polars as pl
        >>> clicks = pl.LazyFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "day": [1, 2, 1, 4]})
        >>> split(clicks, "last_n", n=1).collect("test").sort("user").rows()
        [(1, 8, 2), (2, 9, 4)]
    """

    def __init__(self, engine: Engine, plan: SplitPlan) -> None:
        self._engine = engine
        self._plan = plan

    @property
    def train(self) -> Any:
        """The rows to fit a model on, in the caller's own kind."""
        return self._lazy("train")

    @property
    def test(self) -> Any:
        """The rows that are held out, in the caller's own kind."""
        return self._lazy("test")

    @property
    def history(self) -> Any:
        """The known interactions of each test user: the `history` of an evaluation.

        They are in train, too. The exception is the method `users` with `mode="separated"`, which fits the model on
        other users.
        """
        return self._lazy("history")

    @property
    def rows(self) -> Any:
        """The rows that the filters keep, with their `subset`: train, test, history (not in train), or NULL."""
        return self._lazy("rows")

    def __iter__(self) -> Iterator[Any]:
        return iter((self.train, self.test))

    def __repr__(self) -> str:
        filters = filter_parameters()
        values = {
            name: value
            for name, value in self.parameters.items()
            if value is not None and (name not in filters or value != filters[name].default)
        }
        arguments = [f"{name}={value!r}" for name, value in values.items()]
        return f"Split({', '.join([repr(self._plan.method), *arguments])})"

    @property
    def parameters(self) -> dict[str, Setting | None]:
        """The value of every parameter of the method and of the filters."""
        return dict(self._plan.values)

    def account(self) -> Any:
        """Rows, users and items of each subset: lazy, with the columns subset, n_rows, n_users and n_items.

        The subset `neither` counts rows that are in no subset, as those within a gap. Methods with folds or windows
        have a row for each `partition` and subset.
        """
        return self._lazy("account")

    def check(self) -> None:
        """Check the interactions and the subsets: raise an error if the split would be misleading, and return nothing.

        Raises:
            DataError: the interactions have no rows; a user, an item or a time is NULL; train or test is empty, also in
                one fold or window; or k_core has not finished after its rounds.
            EngineError: the engine refused a query.
        """
        ((n_rows, n_without_user, n_without_item),) = self._rows("facts")
        if not n_rows:
            raise said(DataError, "nothing_to_split")
        for role, n_nulls in (("user", n_without_user), ("item", n_without_item)):
            self._refuse_nulls(role, n_nulls, n_rows)
        span = ""
        if self._plan.columns["time"] is not None:
            ((n_without_time, first, last),) = self._rows("time_facts")
            self._refuse_nulls("time", n_without_time, n_rows)
            span = f" The times of the interactions go from {first} to {last}."
        ((n_kept,),) = self._rows("kept")
        k = self._plan.values["k_core"]
        if not n_kept:
            lower_k = "" if k is None else f" Lower {Option('k_core', k)}."
            raise DataError(f"The filters leave out all of the {n_rows} interactions.{lower_k}")
        if k is not None:
            self._refuse_unfinished(n_kept)
        self._refuse_empty(span)

    def _refuse_nulls(self, role: str, n_nulls: int, n_rows: int) -> None:
        if n_nulls:
            column = str(self._plan.columns[role])
            null = "NULL or NaN" if self._plan.schema[column].family == "float" else "NULL"
            raise said(DataError, "interactions_without", n=n_nulls, rows=n_rows, role=role, column=column, null=null)

    def _refuse_unfinished(self, n_kept: int) -> None:
        ((n_after_another,),) = self._rows("kept", rounds=1)
        if n_after_another < n_kept:
            k, rounds = self._plan.values["k_core"], self._plan.values["rounds"]
            assert isinstance(rounds, int)
            more = {"n": n_kept - n_after_another, "rows": n_kept, "naming": Option("rounds", min(2 * rounds, 30))}
            raise said(DataError, "unfinished_core", rounds=rounds, k=k, **more)

    def _refuse_empty(self, span: str) -> None:
        """Refuse a split with an empty train or test, or a fold or window with one."""
        plan = self._plan
        subsets: dict[object, set[object]] = {}
        if plan.method in ("kfold", "sliding"):
            n = plan.values["folds" if plan.method == "kfold" else "windows"]
            assert isinstance(n, int)
            subsets = {number: set() for number in range(1, n + 1)}
        for row in self._rows("account"):
            partition, subset = (row[0], row[1]) if plan.has_partitions else (None, row[0])
            subsets.setdefault(partition, set()).add(subset)
        for partition, there in sorted(subsets.items(), key=str):
            where = "" if partition is None else f" in partition {partition}"
            for subset in ("train", "test"):
                if subset not in there:
                    raise DataError(f"{plan.method} leaves {subset} empty{where}.{span}{_cure(plan)}")

    def collect(self, subset: Subset = "test") -> pl.DataFrame:
        """A subset, computed and checked, as a Polars frame.

        Args:
            subset: train, test, history or rows.

        Raises:
            InputError: there is no such subset.
            DataError, EngineError: as `check` does.
        """
        one_of(SUBSETS, "subset", subset, InputError)
        self.check()
        return self._engine.collect(self._lazy(subset))

    def write(self, folder: str | Path, subsets: Sequence[Subset] = ("train", "test")) -> list[Path]:
        """Compute and check subsets into Parquet files of a folder, such as `train.parquet`; returns their paths.

        The folder is made if it is not there. The files are there whole or not at all.

        Raises:
            InputError: a file cannot be written, or there is no such subset.
            DataError, EngineError: as `check` does.
        """
        for name in subsets:
            one_of(SUBSETS, "subset", name, InputError)
        self.check()
        there = Path(folder)
        paths = [there / f"{subset}.parquet" for subset in subsets]
        try:
            there.mkdir(parents=True, exist_ok=True)
            with ExitStack() as files:
                temporary = [files.enter_context(whole_file(path)) for path in paths]
                for subset, path in zip(subsets, temporary, strict=True):
                    self._engine.write(self._lazy(subset), path, "parquet")
        except OSError as error:
            raise InputError(f"Cannot write into {str(folder)!r}: {error.strerror or error}.") from error
        return paths

    def to_sql(
        self,
        dialect: str | None = None,
        subset: Subset = "rows",
        *,
        interactions: str | None = None,
        quote_names: bool = False,
    ) -> str:
        """The query of a subset, as text; by default of all rows with their subset.

        Args:
            dialect: any that rm.to_sql has; by default the engine's own.
            subset: train, test, history or rows.
            interactions: what the table of interactions is called there, as in `db.clicks`. By default DuckDB's text
                keeps the files and tables that were given; elsewhere the table is called after its file.
            quote_names: keep the case of all names; by default they get the case that the dialect gives names without
                quotes.

        Raises:
            InputError: there is no such subset.
            DialectError: the dialect is unknown, or cannot express the query, as MD5 in SQLite.
        """
        one_of(SUBSETS, "subset", subset, InputError)
        warehouse = Warehouse.of(self._engine, dialect, quote_names=quote_names)
        plan = self._plan.renamed(warehouse.column)
        table = warehouse.table(self._engine.inputs[INTERACTIONS], interactions)
        return warehouse.text(plan.query(subset, table), kept=plan.schema)

    def _lazy(self, subset: str, *, rounds: int = 0) -> Any:
        source = self._engine.inputs[INTERACTIONS].table
        query = self._plan.query(subset, source, self._engine.taken, rounds=rounds)
        text = dialects.text(query, self._engine.dialect, pretty=False)
        return self._engine.run(text, self._plan.returned(subset))

    def _rows(self, subset: str, *, rounds: int = 0) -> list[tuple[Any, ...]]:
        return self._engine.rows(self._lazy(subset, rounds=rounds))


def _cure(plan: SplitPlan) -> str:
    """Advice for an empty train or test: the parameters of the method, and the filters that are on."""
    values = {name: value for name, value in plan.values.items() if value is not None and value not in ("keep", "all")}
    options = ", ".join(f"{Option(name, value)}" for name, value in values.items() if name not in ("seed", "rounds"))
    seed = f"{Option('seed', plan.values['seed'])}" if "seed" in plan.values else ""
    return f" Change {' or '.join(filter(None, (options, seed)))}."


# The column of a fold or window, as the files call it; the column of folds and windows in a result.
FOLD, PARTITION = "fold", "partition"

# The tables whose rows follow from parameters, each with the meaning of a row.
ROWS = {"folds": "each fold with the range of its hashes", "windows": "the test windows with their times"}

# The parameters that need no value: what they are part of is left out without one.
OPTIONAL = ("max_test_users", "items_test_fraction", "train_from")

USUAL: Mapping[str, frozenset[str]] = {"user": OWNERS["user"], "item": ITEM, "rating": RATING, "time": TIME}

# The families of types that identify a user or an item: their text is the same on every engine, and so is its hash.
IDS: frozenset[Family] = frozenset({"integer", "string"})

# The families of types that are a time.
TIMES: frozenset[Family] = frozenset({"integer", "float", "date", "datetime", "zoned datetime"})


# --- the columns ------------------------------------------------------------------------------------------------------


def find_columns(
    schema: Schema, named: Mapping[str, str | None], needed: Collection[str], method: str
) -> dict[str, str | None]:
    """The column of each role: the column that the caller named, else the one with a usual name.

    `needed` are the roles besides user and item that the split reads: `time`, `rating`; the others have no column.
    Refuses a column that is missing, ambiguous, or of a type that does not fit its role.
    """
    needed = {"user", "item", *needed}
    columns = {role: _column(role, schema, named) if role in needed else None for role in USUAL}
    for role in ("user", "item", "time"):
        if role in needed and columns[role] is None:
            problem = f"No {role} column was found in the interactions"
            if role == "time":
                problem = f"{method} needs the time of each interaction"
            near = [name for usual in (role, f"{role}_id") for name in similar(usual, schema)]
            looks = f" {near[0]!r} looks like one." if near else ""
            naming, cells = Option(role, "..."), lists_in_cells(schema)
            known = {"schema": [*schema], "looks": looks, "cells": cells}
            raise refused("interactions_lack", problem=problem, role=role, naming=naming, **known)
    for role in ("user", "item"):
        kind = schema[str(columns[role])]
        if kind.family not in IDS:
            cure = NO_ID.get(kind.family, "cast it to a string or a whole number")
            raise refused("no_id_to_hash", role=role, column=columns[role], kind=kind, cure=cure)
    time = columns["time"]
    if time is not None and schema[time].family not in TIMES:
        raise refused("no_time_to_split", column=time, kind=schema[time])
    used = [column for column in columns.values() if column]
    if len({*used}) < len(used):
        raise refused("interactions_with_two_roles", columns=used)
    return columns


def _column(role: str, schema: Schema, named: Mapping[str, str | None]) -> str | None:
    column = named.get(role)
    if column is not None:
        if column not in schema:
            raise refused("interactions_without_column", column=column, role=role, schema=[*schema])
        return column
    usual = [name for name in schema if plain(name) in USUAL[role] and name not in named.values()]
    if len(usual) > 1:
        raise refused("which_of_interactions", role=role, found=usual, naming=Option(role, usual[0]))
    return usual[0] if usual else None


# --- the query --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SplitPlan:
    """The plan of a split: the method, the value of each of its parameters and of those of the filters, the columns."""

    method: str
    values: Mapping[str, Setting | None]
    schema: Schema  # all columns of the interactions, in order
    columns: Mapping[str, str | None]  # by role; None for the roles that the split does not read

    @cached_property
    def file(self) -> Definition:
        """The file of the method."""
        return methods.file_of(self.method, self.values)

    @property
    def has_partitions(self) -> bool:
        """True if a row is returned once for each fold or window."""
        return bool({*ROWS} & {*tree.tables_read(self.file.select)})

    def renamed(self, rename: Callable[[str], str]) -> SplitPlan:
        """The plan over a table whose columns have other names."""
        columns = {role: column and rename(column) for role, column in self.columns.items()}
        return replace(self, schema={rename(name): kind for name, kind in self.schema.items()}, columns=columns)

    def returned(self, subset: str) -> list[str]:
        """The names of the columns that a file of sql/splits/subsets returns."""
        outputs = tree.outputs(methods.files("subsets")[subset].select)
        partition = [PARTITION] if self.has_partitions else []
        known = {"*": [*partition, *self.schema], FOLD: partition}
        return [name for output in outputs for name in known.get(output, [free_name(output, self.schema, "_")])]

    def query(self, subset: str, source: exp.Expr, names: Iterable[str] = (), *, rounds: int = 0) -> exp.Select:
        """The query of a file of sql/splits/subsets, over a table or subquery of the interactions.

        No step has one of `names`; `rounds` is how many rounds of k_core to add.
        """
        steps, last = SplitSteps(self, source, names), methods.files("subsets")[subset].select
        read, known, values = tree.tables_read(last), methods.files("steps"), self.bound()
        if INTERACTIONS not in read:
            steps.add_file("kept_rows", known["identified"], values, OPTIONAL)
            if self.columns["time"] is not None:
                steps.add_file("kept_rows", known["timed"], values, OPTIONAL)
            for file, n_rounds in methods.filters_of(self.values, after=False):
                for _ in range(n_rounds + (rounds if file.name == "k_core" else 0)):
                    steps.add_file("kept_rows", file, values, OPTIONAL)
        if "assigned" in read:  # the steps of the method, and of the filters that apply after it
            of_method = {*tree.tables_read(self.file.select)}
            if "hashed" in of_method:
                steps.add_file("hashed", known["hashed"], values, OPTIONAL)
            for name in {*ROWS} & of_method:
                steps.add(name, steps.named(values[name]), ROWS[name])
            steps.add_file("assigned", self.file, values, OPTIONAL)
            for file, _ in methods.filters_of(self.values, after=True):
                steps.add_file("assigned", file, values, OPTIONAL)
        return steps.query(last, {}, self.returned(subset))

    def bound(self) -> dict[str, Any]:
        """The value of each parameter of the files, and of folds and windows the rows; refuses unfit times."""
        known = {**methods.parameters(self.method), **methods.filter_parameters()}
        bound: dict[str, Any] = {
            name: known[name].expressions[str(value)] if known[name].choices else value
            for name, value in self.values.items()
        }
        bound["seed"] = exp.Literal.string(str(self.values.get("seed", 0)))
        bound["method"] = exp.Literal.string(self.method)
        share = self.values.get("test_fraction")
        if isinstance(share, (int, float)):
            bound["test_fraction_hash"] = exp.Literal.string(methods.hash_bound(share))
        if self.method == "kfold":
            bound["folds"] = methods.folds(int(self.values["folds"] or 0))
        if self.method in ("time", "sliding"):
            time = str(self.columns["time"])
            clock = methods.Clock(time, self.schema[time], self.method)
            bound |= (methods.cut_values if self.method == "time" else methods.windows)(clock, self.values)
        return bound


class SplitSteps(Steps):
    """The steps of a split. Columns of ours get names that no column of the user has."""

    keeps_aliases = False

    def __init__(self, plan: SplitPlan, source: exp.Expr, taken: Iterable[str]) -> None:
        self._schema = plan.schema
        self._columns = {f"{role}_id" if role in ("user", "item") else role: plan.columns[role] for role in USUAL}
        self._source = after_from(source, "given")
        tree.mark_given(self._source)
        super().__init__(taken, [self._source])

    def named(self, rows: exp.Query) -> exp.Query:
        """Rows that no file has, themselves, with their columns named as ours."""
        for alias in tree.find(rows, exp.Alias):
            alias.set("alias", exp.to_identifier(self._own(alias.alias), quoted=True))
        return rows

    def _own(self, name: str) -> str:
        """The name of a column of ours that no column of the user has."""
        return free_name(name, self._schema, "_")

    def edit(self, select: exp.Select, *, is_last: bool) -> exp.Select:
        """A SELECT of a file, itself, over the user's columns; the last `*` has the columns of the interactions."""
        if not any(self._own(FOLD) in self.outputs.get(name, ()) for name in tree.tables_read(select)):
            expand_ids(select, lambda _: {}, (FOLD,))  # a method without folds leaves out their column
        self.named(select)
        select = tree.replace_columns(select, self._column)  # type: ignore[assignment]  # a SELECT stays one
        self._write_out_stars(select, is_last=is_last)
        for table in tree.find(select, exp.Table):
            if table.name == INTERACTIONS:
                table.replace(self._source.copy())
        tree.drop_nulls(select)
        for order in tree.find(select, exp.Order):  # SQL Server refuses a column named twice: `ORDER BY x DESC, x`
            first: dict[exp.Expr, exp.Expr] = {}
            for expression in order.expressions:
                first.setdefault(expression.this, expression)
            order.set("expressions", [*first.values()])
        return select

    def _column(self, column: exp.Column) -> exp.Expr | None:
        """The user's column of a role, or a column of ours under its free name."""
        if isinstance(column.this, exp.Star):
            return None
        table = column.table or None
        if column.name not in self._columns:
            return tree.column(self._own(column.name), table)
        name = self._columns[column.name]
        if name is None:
            return exp.Null()
        node, kind = tree.given(name, table), self._schema[name]
        if kind.family == "string" and not re.search("ENUM|UUID|UNIQUEIDENTIFIER", kind.name.upper()):
            node.type = exp.DataType(this=exp.DType.TEXT)
        if name == self._columns["time"] and kind.family == "float" and not kind.is_decimal:
            return exp.Nullif(this=node, expression=exp.cast(exp.Literal.string("NaN"), exp.DType.DOUBLE))
        return node

    def _write_out_stars(self, select: exp.Select, *, is_last: bool) -> None:
        fold, schema = self._own(FOLD), self._schema
        expressions: list[exp.Expr] = []
        for expression in select.expressions:
            if not expression.is_star:
                expressions.append(expression)
                continue
            table = expression.table if isinstance(expression, exp.Column) else None
            columns = self.outputs.get(table or tree.source(select).name, [*schema])
            if is_last:
                columns = [name for name in columns if name == fold] + [name for name in columns if name in schema]
            expressions += [(tree.given if name in schema else tree.column)(name, table) for name in columns]
        select.set("expressions", expressions)


def plan_split(
    method: str, arguments: Mapping[str, object], columns: Mapping[str, str | None], schema: Schema
) -> SplitPlan:
    """The plan of a split; everything that schemas and parameters tell is checked."""
    values = methods.checked(method, arguments)
    if method == "time" and arguments.get("at") is not None and arguments.get("test_fraction") is not None:
        raise said(MetricError, "time_and_share")
    draft = SplitPlan(method, values, schema, columns={})
    files = [draft.file, *(file for file, _ in methods.filters_of(values, after=False))]
    parameters = methods.parameters(method)
    chosen = [
        parameters[name].expressions[str(values[name])]
        for file in files
        for name in file.placeholders
        if name in parameters and parameters[name].choices
    ]
    read = {name for each in (*(file.select for file in files), *chosen) for name in tree.columns_read(each)}
    if "windows" in tree.tables_read(draft.file.select):
        read.add("time")
    plan = replace(draft, columns=find_columns(schema, columns, {"time", "rating"} & read, method))
    if plan.has_partitions and (clash := [name for name in schema if name.lower() == PARTITION]):
        raise refused("partition_is_taken", column=clash[0], added=PARTITION)
    if values.get("of") == "rows" and values["items_test_fraction"] is not None:
        raise said(MetricError, "items_of_users")
    plan.bound()
    return plan
