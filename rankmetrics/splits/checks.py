"""Refuses a split whose train or test would mislead, by counts of the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rankmetrics.errors import DataError, Option
from rankmetrics.splits.plan import SplitPlan

Row = tuple[Any, ...]


def refuse(plan: SplitPlan, rows_of: Callable[..., Sequence[Row]]) -> None:
    """Refuse data that has NULLs, that leaves train or test empty, or that k_core has not finished with.

    Args:
        plan: the plan of the split.
        rows_of: computes the rows of a file of sql/splits/subsets; `rounds=1` adds a round of k_core.

    Raises:
        DataError: the data is such.
    """
    ((n_rows, n_without_user, n_without_item),) = rows_of("facts")
    if not n_rows:
        raise DataError("The interactions have no rows, so there is nothing to split.")
    for role, n in (("user", n_without_user), ("item", n_without_item)):
        if n:
            raise _nulls(role, plan.roles.columns[f"{role}_id"], n, n_rows)
    span = ""
    if plan.has_time:
        ((n_without_time, first, last),) = rows_of("time_facts")
        if n_without_time:
            raise _nulls("time", plan.roles.time, n_without_time, n_rows)
        span = f" The times of the interactions go from {first} to {last}."
    ((n_kept,),) = rows_of("kept")
    if not n_kept:
        raise DataError(f"The filters leave out all of the {n_rows} interactions.", *_k_core(plan))
    if plan.values["k_core"] is not None:
        _refuse_unfinished(plan, n_kept, rows_of)
    _refuse_empty(plan, rows_of("account"), span)


def _nulls(role: str, column: str | None, n: int, n_rows: int) -> DataError:
    return DataError(
        f"{n} of the {n_rows} interactions have no {role}: the column {column!r} is NULL there. Drop these rows first."
    )


def _k_core(plan: SplitPlan) -> list[str | Option]:
    k = plan.values["k_core"]
    return [] if k is None else [" Lower ", Option("k_core", k), "."]


def _refuse_unfinished(plan: SplitPlan, n_kept: int, rows_of: Callable[..., Sequence[Row]]) -> None:
    ((n_after_another,),) = rows_of("kept", rounds=1)
    if n_after_another < n_kept:
        k, rounds = plan.values["k_core"], plan.values["rounds"]
        assert isinstance(rounds, int)
        raise DataError(
            f"After {rounds} rounds of k_core, another round would still leave out {n_kept - n_after_another} of "
            f"{n_kept} rows, since some users or items have fewer than {k} interactions. Use more rounds: ",
            Option("rounds", min(2 * rounds, 30)),
            ".",
        )


def _refuse_empty(plan: SplitPlan, account: Sequence[Row], span: str) -> None:
    """Refuse a split with an empty train or test, or a fold or window with one."""
    by_partition: dict[object, set[object]] = {}
    for row in account:
        partition, subset = (row[0], row[1]) if plan.has_partitions else (None, row[0])
        by_partition.setdefault(partition, set()).add(subset)
    if plan.method in ("kfold", "sliding"):
        n = plan.values["folds" if plan.method == "kfold" else "windows"]
        assert isinstance(n, int)
        by_partition |= {number: set() for number in range(1, n + 1) if number not in by_partition}
    for partition, there in sorted(by_partition.items(), key=str):
        where = "" if partition is None else f" in partition {partition}"
        for subset in ("train", "test"):
            if subset not in there:
                raise DataError(f"{plan.method} leaves {subset} empty{where}.{span}", *_cure(plan))


def _cure(plan: SplitPlan) -> list[str | Option]:
    """What to do about an empty train or test: the parameters of the method, and the filters that are on."""
    own = [
        Option(name, value)
        for name, value in plan.values.items()
        if value is not None and name not in ("seed", "rounds") and value not in ("keep", "all")
    ]
    found: list[str | Option] = [" Change " if own else ""]
    for place, one in enumerate(own):
        found += [", " if place else "", one]
    if "seed" in plan.values:
        found += [" or " if own else " Change ", Option("seed", plan.values["seed"])]
        found.append(" (a second split of a train set needs another seed than the first)")
    return [*found, "."]
