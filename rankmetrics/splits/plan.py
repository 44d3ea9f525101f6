"""The query of a split: the files of sql/splits as steps, over the user's columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlglot import exp

from rankmetrics.errors import MetricError, Option
from rankmetrics.inputs.columns import Schema
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.parameter import Value
from rankmetrics.splits import methods
from rankmetrics.splits.hashes import bound, folds
from rankmetrics.splits.roles import PARTITION, Roles, find_roles, refuse_partition
from rankmetrics.splits.steps import FOLD, INTERACTIONS, Steps
from rankmetrics.splits.times import clock_of, cut_values, windows
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name


@dataclass(frozen=True)
class SplitPlan:
    """What a split does: the method, the values of all parameters, and the columns.

    Attributes:
        method: the name of the method.
        values: the value of each parameter of the method and of the filters.
        roles: the columns of the interactions.
    """

    method: str
    values: Mapping[str, Value | None]
    roles: Roles

    @cached_property
    def file(self) -> Definition:
        """The file of the method."""
        return methods.file_of(self.method, self.values)

    @property
    def has_partitions(self) -> bool:
        """Whether a row is returned once for each fold or window."""
        return bool({"folds", "windows"} & {*tree.tables_read(self.file.select)})

    @property
    def has_time(self) -> bool:
        """Whether the split reads the time of the interactions."""
        return self.roles.time is not None

    def columns(self, subset: str) -> list[str]:
        """The names of the columns that a file of sql/splits/subsets returns."""
        select = methods.files()["subsets"][subset].select
        return [name for one in tree.outputs(select) for name in self._returned(one)]

    def _returned(self, name: str) -> list[str]:
        if name == "*":
            return [*([PARTITION] if self.has_partitions else []), *self.roles.schema]
        if name == FOLD:
            return [PARTITION] if self.has_partitions else []
        return [free_name(name, self.roles.schema, "_")]

    def query(self, subset: str, source: exp.Expr, taken: Iterable[str] = (), *, rounds: int = 0) -> exp.Select:
        """The query of a subset.

        Args:
            subset: the name of a file of sql/splits/subsets.
            source: the table or subquery of the interactions.
            taken: names that no step may have.
            rounds: how many rounds of k_core to add.
        """
        steps, last = Steps(self.roles, source, taken), methods.files()["subsets"][subset]
        read = tree.tables_read(last.select)
        if INTERACTIONS not in read:
            self._add_kept_rows(steps, rounds)
        if "assigned" in read:
            self._add_assigned(steps)
        return steps.finished(last, self.columns(subset))

    def _add_kept_rows(self, steps: Steps, rounds: int) -> None:
        """Add the steps of the filters that apply before the split."""
        known = methods.files()["steps"]
        steps.add(known["identified"], "kept_rows", {})
        if self.has_time:
            steps.add(known["timed"], "kept_rows", {})
        for file, repeated in methods.filters_of(self.values, after=False):
            for _ in range(repeated + (rounds if file.name == "k_core" else 0)):
                steps.add(file, "kept_rows", self.values)

    def _add_assigned(self, steps: Steps) -> None:
        """Add the steps of the method, and of the filters that apply after it."""
        known, values = methods.files()["steps"], self._bound()
        read = {*tree.tables_read(self.file.select)}
        if "hashed" in read:
            steps.add(known["hashed"], "hashed", values)
        if "folds" in read:
            n_folds = self.values["folds"]
            assert isinstance(n_folds, int)
            steps.add_rows("folds", folds(n_folds), "each fold with the range of its hashes")
        if "windows" in read:
            steps.add_rows("windows", windows(self._clock, self.values), "the test windows with their times")
        steps.add(self.file, "assigned", values)
        for file, _ in methods.filters_of(self.values, after=True):
            steps.add(file, "assigned", values)

    def check(self) -> None:
        """Refuse values that do not go together, or do not fit the time column.

        Raises:
            MetricError: they do not.
        """
        if self.values.get("of") == "rows" and self.values["items_test_fraction"] is not None:
            raise MetricError(
                Option("items_test_fraction", is_noun=True),
                " holds out some items of each user: it is for ",
                Option("of", "users"),
                ".",
            )
        self._bound()
        if self.method == "sliding":
            windows(self._clock, self.values)

    @property
    def _clock(self) -> Any:
        time = self.roles.time
        return clock_of(time, self.roles.schema[time] if time else None, self.method)

    def _bound(self) -> dict[str, Any]:
        """The value of everything that the files read as a parameter."""
        found: dict[str, Any] = {}
        known = {**methods.parameters(self.method), **methods.filter_parameters()}
        for name, value in self.values.items():
            choices = known[name].expressions if known[name].choices else {}
            found[name] = choices[str(value)] if choices else value
        found["seed"] = exp.Literal.string(str(self.values.get("seed", 0)))
        share = self.values.get("test_fraction")
        if isinstance(share, (int, float)):
            found["test_fraction_hash"] = exp.Literal.string(bound(share))
        if self.method == "time":
            found |= cut_values(self._clock, self.values)
        if self.method == "sliding":
            is_cut = self.values["train_width"] is not None
            found["train_from"] = exp.column("train_from", table="windows") if is_cut else None
        return found


def plan_split(method: str, given: Mapping[str, object], roles: Mapping[str, str | None], schema: Schema) -> SplitPlan:
    """The plan of a split; everything that schemas and parameters tell is checked.

    Raises:
        MetricError: a parameter is unknown or out of its range.
        ColumnError: a column is missing, ambiguous, or of a type that does not fit its role.
    """
    values = methods.checked(method, given)
    if method == "time" and given.get("at") is not None and given.get("test_fraction") is not None:
        raise MetricError(
            "time is cut at a time, ",
            Option("at"),
            ", or by a share of the rows, ",
            Option("test_fraction"),
            ": give one of them.",
        )
    draft = SplitPlan(method, values, Roles("", "", "", "", schema))
    files = [draft.file, *(one for one, _ in methods.filters_of(values, after=False))]
    parameters = methods.parameters(method)
    chosen = [
        parameters[name].expressions[str(values[name])]
        for file in files
        for name in file.placeholders
        if name in parameters and parameters[name].choices
    ]
    read = {name for one in (*(file.select for file in files), *chosen) for name in tree.columns_read(one)}
    by_window = {"windows"} & {*tree.tables_read(draft.file.select)}
    needed = {"time", "rating"} & (read | ({"time"} if by_window else set()))
    found = SplitPlan(method, values, find_roles(schema, roles, needed, method))
    if found.has_partitions:
        refuse_partition(schema)
    found.check()
    return found
