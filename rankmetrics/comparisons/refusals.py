"""Refuses values per list whose comparison would mislead, and says why no lists are paired."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from rankmetrics.comparisons.plan import ComparisonPlan
from rankmetrics.errors import DataError, InputError, Option, did_you_mean, names
from rankmetrics.inputs.columns import name_of_system

if TYPE_CHECKING:
    import polars as pl

Compute = Callable[[str], "pl.DataFrame"]


def refuse_given(plan: ComparisonPlan, moments: pl.DataFrame, compute: Compute) -> None:
    """Refuse values per list of the caller that hold a list twice, or values that are no finite numbers.

    Args:
        plan: which lists are compared.
        moments: the rows of the step `moments`.
        compute: computes a step.

    Raises:
        DataError: they do.
    """
    repeated = compute("repeated_lists")
    if repeated.height:
        columns = [*plan.by, *(name for name in plan.per_list.shared if name not in plan.by), *plan.per_list.systems]
        row = sorted(repeated.rows(), key=in_order)[0]
        which = ", ".join(f"{name} = {value!r}" for name, value in zip(columns, row[:-1], strict=True))
        raise DataError(
            f"A list must have one row for each system, and {repeated.height:,} have more: {which} has {row[-1]}. Keep "
            "one row, or add the column that tells them apart."
        )
    for name in ("baseline_mean", "system_mean"):
        for metric, mean in moments.select("metric", name).rows():
            if mean is not None and not float("-inf") < mean < float("inf"):
                raise DataError(f"{metric} has values that are no finite numbers. Where it is undefined, put NULL.")


def refuse_no_pairs(plan: ComparisonPlan, compute: Compute) -> NoReturn:
    """Say why no list is paired.

    Raises:
        InputError: the baseline is none of the systems, or there is only one system.
        DataError: the systems have no list in common.
    """
    rows = compute("list_counts").select(plan.ids["system_id"]).unique().rows()
    systems = [system_name(row) for row in sorted(rows, key=in_order)]
    if plan.baseline is not None and system_name(plan.baseline) not in systems:
        raise InputError(
            Option("baseline", is_noun=True),
            f" is {system_name(plan.baseline)!r}, and the systems are {names(systems)}."
            f"{did_you_mean(str(system_name(plan.baseline)), map(str, systems))}",
        )
    if len(systems) < 2:
        raise InputError(f"There is nothing to compare: the only system is {names(systems)}.")
    hint = (" If one of these columns names the system, say so with ", Option("system"), ".")
    raise DataError(
        "No list was scored for two systems, so none can be paired: a list is identified by "
        f"{names(plan.per_list.shared)}.",
        *(hint if plan.per_list.is_given else ()),
    )


def system_name(values: Sequence[Any]) -> Any:
    """A system by the values of its columns: the value itself where there is one, or else all as a text.

    >>> system_name((3,)), system_name(("als", 64))
    (3, 'als, 64')
    """
    return values[0] if len(values) == 1 else name_of_system(values)


def in_order(values: Sequence[Any]) -> list[tuple[bool, Any]]:
    """What puts rows of values into an order; NULLs come last."""
    return [(value is None, "" if value is None else value) for value in values]
