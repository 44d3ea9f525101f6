"""A parameter is read from its file: a choice, a number in a range, or a metric."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.metrics.definition import read
from rankmetrics.metrics.parameter import Parameter, read_parameter


def parameter(text: str) -> Parameter:
    return read_parameter(read(text, "mine.sql", "parameter", "mine"), "mine")


def test_several_columns_are_a_choice_and_the_first_is_the_default() -> None:
    gain = parameter("-- mine: the gain.\nSELECT\n  1 AS binary, -- 1\n  rating * $p AS scaled -- the rating\n")
    assert (gain.default, dict(gain.choices)) == ("binary", {"binary": "1", "scaled": "the rating"})
    assert [gain.parameters_of(choice) for choice in ("binary", "scaled", None)] == [set(), {"p"}, {"p"}]
    with pytest.raises(rm.MetricError, match="mine of ndcg is one of 'binary' and 'scaled': 'binari' is not"):
        gain.check("ndcg", "binari")


@pytest.mark.parametrize(
    ("value", "default"), [("0.5", 0.5), ("5", 5), ("-1", -1), ("-0.5", -0.5), ("1e3", 1000.0), ("NULL", None)]
)
def test_a_number_is_its_own_default(value: str, default: float | None) -> None:
    assert parameter(f"-- mine: a number.\nSELECT {value} AS mine").default == default


@pytest.mark.parametrize(
    ("interval", "inside", "outside", "says"),
    [
        ("(0, 1)", [0.5], [0, 1], "a number above 0 below 1"),
        ("[0, 1]", [0, 1], [-0.1, 1.1], "a number from 0 to 1"),
        ("integer [1, inf)", [1, 2.0], [0, 1.5], "a whole number from 1"),
        ("(-inf, inf)", [-5, 5], [True, "5", None, 10**400], "a number"),
    ],
)
def test_a_number_must_be_in_its_range(interval: str, inside: list[float], outside: list[object], says: str) -> None:
    number = parameter(f"-- mine: a number.\n--\n-- range: {interval}\nSELECT 1 AS mine")
    assert number.range == says
    assert [number.check("ndcg", value) for value in inside] == inside
    for value in outside:
        with pytest.raises(rm.MetricError, match=f"mine of ndcg must be {says}"):
            number.check("ndcg", value)


def test_the_range_of_a_number_is_an_interval_alone() -> None:
    with pytest.raises(rm.MetricError, match=r"^mine\.sql: `range:` of a parameter is an interval alone"):
        parameter("-- mine: a number.\n--\n-- range: [0, 1] unless it is not\nSELECT 1 AS mine")


def test_a_column_of_metrics_is_a_metric() -> None:
    inner = parameter('-- mine: a metric.\nSELECT "precision" AS mine\nFROM metrics')
    assert inner.is_metric
    assert inner.default == "precision"
    assert inner.parameters_of() == set()
