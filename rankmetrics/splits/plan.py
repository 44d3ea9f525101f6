"""The query of a split: the files of sql/splits as steps, over the user's columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sqlglot import exp

from rankmetrics.errors import ColumnError, MetricError, Option, names, plain, similar
from rankmetrics.inputs.columns import NO_ID, Family, Schema, lists_in_cells
from rankmetrics.inputs.sources import ITEM, OWNERS, RATING, TIME
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.parameter import Setting
from rankmetrics.splits import methods
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.ids import expand_ids
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import after_from
from rankmetrics.sqltree.steps import Steps

# The input and the column of a fold or window, as the files call them; the column of folds and windows in a result.
INTERACTIONS, FOLD, PARTITION = "interactions", "fold", "partition"

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
    for role in ("user", "item"):
        _refuse_missing(role, columns[role], schema, f"No {role} column was found in the interactions")
    if "time" in needed:
        _refuse_missing("time", columns["time"], schema, f"{method} needs the time of each interaction")
    for role in ("user", "item"):
        kind = schema[str(columns[role])]
        if kind.family not in IDS:
            cure = NO_ID.get(kind.family, "cast it to a string or a whole number")
            raise ColumnError(
                f"The {role} column {columns[role]!r} of the interactions is {kind}, and its hash would differ between "
                f"engines: {cure}."
            )
    time = columns["time"]
    if time is not None and schema[time].family not in TIMES:
        raise ColumnError(
            f"The time column {time!r} of the interactions is {schema[time]}: cast it to a date, a datetime or a "
            "number."
        )
    used = [column for column in columns.values() if column]
    if len({*used}) < len(used):
        raise ColumnError(f"A column of the interactions has two roles: {names(used)}. Name another for one of them.")
    return columns


def _column(role: str, schema: Schema, named: Mapping[str, str | None]) -> str | None:
    column = named.get(role)
    if column is not None:
        if column not in schema:
            raise ColumnError(
                f"The interactions have no column {column!r}, named as the {role}: there are {names(schema)}."
            )
        return column
    usual = [name for name in schema if plain(name) in USUAL[role] and name not in named.values()]
    if len(usual) > 1:
        raise ColumnError(
            f"Which column of the interactions is the {role}: {names(usual)}? Say so: ", Option(role, usual[0]), "."
        )
    return usual[0] if usual else None


def _refuse_missing(role: str, column: str | None, schema: Schema, problem: str) -> None:
    if column is None:
        near = [name for usual in (role, f"{role}_id") for name in similar(usual, schema)]
        looks = f" {near[0]!r} looks like one." if near else ""
        raise ColumnError(
            f"{problem}: there are {names(schema)}.{looks} Name the {role} column: ",
            Option(role, "..."),
            f".{lists_in_cells(schema)}",
        )


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
        return bool({"folds", "windows"} & {*tree.tables_read(self.file.select)})

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
        read, known = tree.tables_read(last), methods.files("steps")
        if INTERACTIONS not in read:
            steps.add_rows_of(known["identified"], "kept_rows", {})
            if self.columns["time"] is not None:
                steps.add_rows_of(known["timed"], "kept_rows", {})
            for file, n_rounds in methods.filters_of(self.values, after=False):
                for _ in range(n_rounds + (rounds if file.name == "k_core" else 0)):
                    steps.add_rows_of(file, "kept_rows", self.values)
        if "assigned" in read:
            self._add_assigned(steps)
        return steps.query(last, {}, self.returned(subset))

    def _add_assigned(self, steps: SplitSteps) -> None:
        """Add the steps of the method, and of the filters that apply after it."""
        values, read = self.bound(), {*tree.tables_read(self.file.select)}
        if "hashed" in read:
            steps.add_rows_of(methods.files("steps")["hashed"], "hashed", values)
        if "folds" in read:
            steps.add("folds", steps.named(values["folds"]), "each fold with the range of its hashes")
        if "windows" in read:
            steps.add("windows", steps.named(values["windows"]), "the test windows with their times")
        steps.add_rows_of(self.file, "assigned", values)
        for file, _ in methods.filters_of(self.values, after=True):
            steps.add_rows_of(file, "assigned", values)

    def bound(self) -> dict[str, Any]:
        """The value of everything that the files read as a parameter, and of folds and windows the rows.

        Refuses values that do not fit the time column.
        """
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

    def __init__(self, plan: SplitPlan, source: exp.Expr, taken: Iterable[str]) -> None:
        self._schema = plan.schema
        self._columns = {f"{role}_id" if role in ("user", "item") else role: plan.columns[role] for role in USUAL}
        self._source = after_from(source, "given")
        tree.mark_given(self._source)
        super().__init__({*taken, *(table.name for table in tree.find(self._source, exp.Table))})

    def add_rows_of(self, file: Definition, name: str, values: Mapping[str, Any]) -> None:
        """Add a file whose rows are interactions."""
        self.add_file(name, file.select, values, file.summary, OPTIONAL)

    def named(self, rows: exp.Query) -> exp.Query:
        """Rows that no file has, themselves, with their columns named as ours."""
        for alias in tree.find(rows, exp.Alias):
            alias.set("alias", exp.to_identifier(self._own(alias.alias), quoted=True))
        return rows

    def _own(self, name: str) -> str:
        """The name of a column of ours that no column of the user has."""
        return free_name(name, self._schema, "_")

    def edit(self, select: exp.Select, *, is_last: bool) -> exp.Select:
        """A SELECT of a file, itself, over the user's columns; `*` is written out.

        In the last SELECT of a file, `*` represents the columns of the interactions; elsewhere those of the step.
        """
        if not any(self._own(FOLD) in self.outputs.get(name, ()) for name in tree.tables_read(select)):
            expand_ids(select, lambda _: {}, (FOLD,))  # a method without folds leaves out their column
        self.named(select)
        select = tree.replace_columns(select, self._column)  # type: ignore[assignment]  # a SELECT stays one
        self._write_out_stars(select, is_last=is_last)
        for table in tree.find(select, exp.Table):
            if table.name == INTERACTIONS:
                table.replace(self._source.copy())
        tree.drop_nulls(select)
        _drop_repeated_orders(select)
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


def _drop_repeated_orders(select: exp.Select) -> None:
    """`ORDER BY row_hash DESC, row_hash` → `ORDER BY row_hash DESC`: SQL Server refuses a column named twice."""
    for order in tree.find(select, exp.Order):
        first: dict[exp.Expr, exp.Expr] = {}
        for expression in order.expressions:
            first.setdefault(expression.this, expression)
        order.set("expressions", [*first.values()])


# --- what is planned --------------------------------------------------------------------------------------------------


def plan_split(
    method: str, arguments: Mapping[str, object], columns: Mapping[str, str | None], schema: Schema
) -> SplitPlan:
    """The plan of a split; everything that schemas and parameters tell is checked."""
    values = methods.checked(method, arguments)
    if method == "time" and arguments.get("at") is not None and arguments.get("test_fraction") is not None:
        raise MetricError(
            "time is cut at a time, ",
            Option("at"),
            ", or by a share of the rows, ",
            Option("test_fraction"),
            ": give one of them.",
        )
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
        raise ColumnError(
            f"The interactions have a column {clash[0]!r}, and the split adds a column {PARTITION!r}, the number of "
            "the fold or window: rename or drop yours."
        )
    if values.get("of") == "rows" and values["items_test_fraction"] is not None:
        raise MetricError(
            Option("items_test_fraction", is_noun=True),
            " holds out some items of each user: it is for ",
            Option("of", "users"),
            ".",
        )
    plan.bound()
    return plan
