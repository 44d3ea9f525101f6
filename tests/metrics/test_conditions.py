"""The `when:` line of a variant's header, read as conditions."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.metrics.definition import Condition, read_conditions


def test_conditions_are_read_one_by_one() -> None:
    first, second = read_conditions("columns suffice and max_k <= 200", "a.sql")
    assert (first.form, second.form, second.words) == ("columns", "max_k", ("200",))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("duplicates = each", Condition("setting", ("duplicates", "each"))),
        ("query missing in (skip, listed)", Condition("query", ("missing", "skip", "listed"))),
        ("input items", Condition("input", ("items",))),
        ("not input catalog", Condition("no input", ("catalog",))),
        ("required judged_places", Condition("required", ("judged_places",))),
        ("sorted recs", Condition("sorted", ("recs",))),
        ("not diagnostics", Condition("no diagnostics", ())),
        ("ranked among candidates", Condition("candidates", ())),
        ("sample by popularity", Condition("sample", ("popularity",))),
    ],
)
def test_each_form_of_a_condition_is_told_from_the_others(text: str, condition: Condition) -> None:
    assert read_conditions(text, "a.sql") == (condition,)


@pytest.mark.parametrize("text", ["", "input", "max_k <= many", "max_k < 200", "inputs items", "duplicates != each"])
def test_a_text_that_is_no_condition_is_refused_with_the_forms_that_there_are(text: str) -> None:
    with pytest.raises(rm.MetricError) as refused:
        read_conditions(f"columns suffice and {text}", "a.sql")
    assert str(refused.value) == (
        f"a.sql: `when: {text}` is no condition. Conditions are written as: … = …, query … in (…, …), input …, "
        "not input …, required …, sorted …, columns suffice, max_k <= …, not diagnostics, ranked among candidates, "
        "sample by …."
    )
