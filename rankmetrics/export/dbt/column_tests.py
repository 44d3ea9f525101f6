"""The tests of columns that a package of dbt brings along: no NULL in keys, and values within the range of a metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rankmetrics.export.dbt.jinja import Column


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
        above = f"{{{{ column }}}} > {upper:g}.000000001"  # rounding may add to a mean
        yield ColumnTest(name, what, f"{{{{ column }}}} < {lower:g} or {above}")
    elif lower is not None:
        yield ColumnTest(_named(f"at_least_{lower:g}"), f"no value is below {lower:g}", f"{{{{ column }}}} < {lower:g}")


def _named(text: str) -> str:
    return text.replace("-", "minus_").replace(".", "_")
