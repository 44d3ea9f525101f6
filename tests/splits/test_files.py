"""The files of sql/splits: documented, and with parameters that are used."""

from __future__ import annotations

from rankmetrics.splits import methods


def test_a_file_says_what_it_is_in_its_first_line() -> None:
    for folder in ("", "filters", "steps", "subsets", "parameters"):
        for stem, file in methods.files(folder).items():
            name = stem.rpartition(".")[2] if folder == "parameters" else stem.partition(".")[0]
            assert file.text.startswith(f"-- {name}: "), file.origin
            assert file.summary.endswith("."), file.origin


def test_a_method_names_its_source_and_describes_itself() -> None:
    for name, file in methods.files().items():
        assert file.fields["source"], name
        assert file.notes, name
        assert file.select.expressions[-1].alias == "subset", name


def test_every_parameter_belongs_to_a_method_or_a_filter() -> None:
    used = {name for method in methods.methods() for name in methods.parameters(method)}
    known = {name.rpartition(".")[2] for name in methods.files("parameters")}
    assert known == used | {*methods.filter_parameters()}


def test_every_filter_has_a_file_for_each_choice_but_the_default() -> None:
    for name, parameter in methods.filter_parameters().items():
        for choice in [*parameter.choices][1:]:
            assert f"{name}.{choice}" in methods.files("filters")
