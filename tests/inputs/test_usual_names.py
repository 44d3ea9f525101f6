"""Usual names of columns: which names mean the same column, and which roles a name may play."""

from __future__ import annotations

from rankmetrics.errors import plain
from rankmetrics.inputs.sources import DESCRIPTIONS, FOLDS, IDLE, OWNERS, USUAL


def test_names_are_listed_without_case_and_separators() -> None:
    roles = [names for table in USUAL.values() for names in table.values()]
    for names in (*roles, *OWNERS.values(), IDLE, FOLDS, DESCRIPTIONS):
        assert {plain(name) for name in names} == names


def test_no_name_belongs_to_two_families_of_owners() -> None:
    every = [name for names in (*OWNERS.values(), FOLDS) for name in names]
    assert len(every) == len({*every})


def test_no_owner_of_a_list_is_taken_for_an_item() -> None:
    assert not {name for names in OWNERS.values() for name in names} & USUAL["recommendations"]["item"]
