"""How a metric is written: its text from its parts, and the parts of a text."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.metrics.metric import Setting, check_cutoff, read_label, read_value, spell, split


def test_a_label_has_brackets_and_an_at_only_where_there_is_something_to_say() -> None:
    assert spell("rr", {}, None) == "rr"
    assert spell("rr", {}, 5) == "rr@5"
    assert spell("rbp", {"p": 0.5}, None) == "rbp(p=0.5)"


@pytest.mark.parametrize(
    ("tail", "expected"),
    [("10", [10]), ("5,10", [5, 10]), (" 1..3 , 7", [1, 2, 3, 7]), ("None", [None]), ("4..4", [4])],
)
def test_cutoffs_are_single_numbers_or_ranges_of_them(tail: str, expected: list[int | None]) -> None:
    assert [*read_label(f"hit@{tail}").read_cutoffs()] == expected


@pytest.mark.parametrize("tail", ["", "ten", "0", "2.5", "1..", "5,,6"])
def test_a_cutoff_that_is_no_whole_number_from_1_is_refused_with_its_metric(tail: str) -> None:
    with pytest.raises(rm.MetricError, match=r"^The cutoff of hit must be a whole number from 1"):
        [*read_label(f"hit@{tail}").read_cutoffs()]


def test_a_range_that_runs_backwards_is_refused_with_the_range_that_was_meant() -> None:
    with pytest.raises(rm.MetricError, match=r"run backwards: write 3\.\.5\."):
        [*read_label("hit@5..3").read_cutoffs()]


def test_a_cutoff_may_be_a_float_that_is_whole() -> None:
    assert check_cutoff("hit", 5.0) == 5


def test_settings_are_split_at_commas_outside_of_brackets() -> None:
    assert split("a=1, b=c(d=2, e=3),") == ["a=1", " b=c(d=2, e=3)"]
    label = read_label("ndcg(rel=4, discount=geometric(p=0.9))@5")
    assert label.settings == (("rel", 4), ("discount", "geometric(p=0.9)"))
    assert (label.spelling, label.cutoffs) == ("ndcg", "5")


@pytest.mark.parametrize(("text", "value"), [("4", 4), ("0.9", 0.9), ("1e3", 1000.0), ("linear", "linear"), ("", "")])
def test_a_value_is_a_whole_number_a_number_or_a_text(text: str, value: Setting) -> None:
    found = read_value(text)
    assert (found, type(found)) == (value, type(value))
