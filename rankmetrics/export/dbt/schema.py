"""What schema.yml says of a model: its documentation, its settings, the types of its columns, and their tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from rankmetrics.dialects.base import grammar
from rankmetrics.errors import InputError, names
from rankmetrics.export.dbt.jinja import Column, escaped
from rankmetrics.export.dbt.leaderboards import ADAPTERS, Leaderboard
from rankmetrics.metrics.catalog import N_LISTS


@dataclass(frozen=True, order=True)
class ColumnTest:
    """A generic test of dbt.

    Attributes:
        name: its name.
        what: what it tests.
        condition: the condition of the rows that fail, over the variable `column` of Jinja.
        keeps_case: whether it is for columns whose names keep their case in every warehouse.
    """

    name: str
    what: str
    condition: str
    keeps_case: bool = False


def tests_of(column: Column) -> Iterator[ColumnTest]:
    """The tests of a column.

    >>> from rankmetrics.export.dbt.jinja import Column
    >>> [one.name for one in tests_of(Column("hit_at_10", "the hit rate", interval=(0, 1)))]
    ['from_0_to_1']
    """
    if "{" in column.name:
        return  # dbt would take the name for Jinja once more
    for one in _tests_of(column):
        yield replace(one, name=f"{one.name}_as_written", keeps_case=True) if column.keeps_case else one


def _tests_of(column: Column) -> Iterator[ColumnTest]:
    lower, upper = column.interval
    if column.is_key:
        yield ColumnTest("has_no_null", "no value is NULL", "{{ column }} is null")
    elif lower is not None and upper is not None:
        name, what = _named(f"from_{lower:g}_to_{upper:g}"), f"no value is below {lower:g} or above {upper:g}"
        above = f"{{{{ column }}}} > {upper + 1e-9:.9f}"  # rounding may add to a mean
        yield ColumnTest(name, what, f"{{{{ column }}}} < {lower:g} or {above}")
    elif lower is not None:
        yield ColumnTest(_named(f"at_least_{lower:g}"), f"no value is below {lower:g}", f"{{{{ column }}}} < {lower:g}")


def _named(text: str) -> str:
    return text.replace("-", "minus_").replace(".", "_")


def data_types(board: Leaderboard, columns: Sequence[Column], adapters: Sequence[str], where: str) -> Mapping[str, str]:
    """The types of the columns that the file names; under a contract, of all columns.

    Raises:
        InputError: a contract needs the type of a list column, which only the user knows.
    """
    contract = board.config.get("contract")
    if not isinstance(contract, Mapping) or not contract.get("enforced"):
        return board.data_types
    if missing := [column.name for column in columns if column.is_key and column.name not in board.data_types]:
        raise InputError(f"{where}a contract needs the types of {names(missing)}: data_types: {{{missing[0]}: ...}}.")
    dialect = grammar(ADAPTERS[adapters[0]])
    whole, real = (exp.DataType(this=kind).sql(dialect).lower() for kind in (exp.DType.BIGINT, exp.DType.DOUBLE))
    found = {column.name: whole if column.name == N_LISTS else real for column in columns if not column.is_key}
    return {**found, **board.data_types}


def described(
    board: Leaderboard, columns: Sequence[Column], package: str, types: Mapping[str, str]
) -> dict[str, object]:
    """The entry of a model in schema.yml: its documentation, its settings, and the tests of its columns."""
    keys = [column.name for column in columns if column.is_key]
    row = f"One row per {', '.join(keys)}" if keys else "One row"
    measured = ", ".join(column.name for column in columns if not column.is_key and column.name != N_LISTS)
    return {
        "name": board.name,
        "description": escaped(board.description or f"{row}: {measured}."),
        **({"config": dict(board.config)} if board.config else {}),
        "columns": [
            {
                "name": escaped(column.name),
                "description": escaped(column.what),
                **({"data_type": types[column.name]} if column.name in types else {}),
                **_names_of_tests(column, package),
            }
            for column in columns
        ],
    }


def _names_of_tests(column: Column, package: str) -> dict[str, list[str]]:
    tests = [f"{package}.{one.name}" for one in tests_of(column)]
    return {"data_tests": tests} if tests else {}
