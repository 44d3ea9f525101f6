"""The files of sql/splits: documented, and with parameters that are used."""

from __future__ import annotations

import pytest

from rankmetrics.metrics.definition import Definition
from rankmetrics.splits import methods

FILES = [(folder, file) for folder, of_folder in methods.files().items() for file in of_folder.values()]


@pytest.mark.parametrize(("folder", "file"), FILES, ids=lambda one: one if isinstance(one, str) else one.name)
def test_a_file_says_what_it_is_in_its_first_line(folder: str, file: Definition) -> None:
    name = file.name.rpartition(".")[2] if folder == "parameters" else file.name.partition(".")[0]
    assert file.text.startswith(f"-- {name}: ")
    assert file.summary.endswith(".")


@pytest.mark.parametrize("name", sorted(methods.files()[""]))
def test_a_method_names_its_source_and_tells_of_itself(name: str) -> None:
    file = methods.files()[""][name]
    assert file.fields["source"]
    assert file.notes
    assert file.select.expressions[-1].alias == "subset"


def test_every_parameter_belongs_to_a_method_or_a_filter() -> None:
    used = {name for method in methods.methods() for name in methods.parameters(method)}
    known = {name.rpartition(".")[2] for name in methods.files()["parameters"]}
    assert known == used | {*methods.filter_parameters()}


def test_every_filter_has_a_file_for_each_choice_but_the_default() -> None:
    for name, parameter in methods.filter_parameters().items():
        for choice in [*parameter.choices][1:]:
            assert f"{name}.{choice}" in methods.files()["filters"]
