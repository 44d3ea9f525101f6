"""Usual names of columns: which names mean the same column, and which roles a name may play."""

from __future__ import annotations

import pytest

from rankmetrics.errors import plain
from rankmetrics.inputs.sources import DESCRIPTIONS, FOLDS, IDLE, OWNERS, USUAL, family_of, is_same_column


def test_names_are_listed_without_case_and_separators() -> None:
    roles = [names for table in USUAL.values() for names in table.values()]
    for names in (*roles, *OWNERS.values(), IDLE, FOLDS, DESCRIPTIONS):
        assert {plain(name) for name in names} == names


def test_no_name_belongs_to_two_families_of_owners() -> None:
    every = [name for names in (*OWNERS.values(), FOLDS) for name in names]
    assert len(every) == len({*every})


def test_no_owner_of_a_list_is_taken_for_an_item() -> None:
    assert not {name for names in OWNERS.values() for name in names} & USUAL["recommendations"]["item"]


@pytest.mark.parametrize(
    ("name", "family"), [("userId", "user"), ("Visitor-ID", "user"), ("qid", "query"), ("day", None)]
)
def test_a_name_belongs_to_a_family_whatever_its_case(name: str, family: str | None) -> None:
    assert family_of(name) == family


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("user", "customer_id", True),
        ("user", "query", False),
        ("split", "Fold ID", True),
        ("fold", "user", False),
        ("Region", "region", True),
        ("region", "country", False),
    ],
)
def test_two_names_are_one_column_within_a_family_or_but_for_their_case(name: str, other: str, same: bool) -> None:
    assert is_same_column(name, other) == is_same_column(other, name) == same
