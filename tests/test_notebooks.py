"""The notebooks of docs/notebooks: their outputs are those of a new run, and their prose says what the outputs show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from docs.tooling.notebooks import executed, files_of_notebooks, notebooks, outputs, read

NAMES = {path.stem: path for path in notebooks()}
LARGEST = 400_000


def prose(notebook: Any) -> str:
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_there_are_two_notebooks() -> None:
    assert [*NAMES] == ["which_model", "whose_ndcg"]


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_kept_outputs_are_those_of_a_new_run(name: str) -> None:
    assert [*outputs(executed(NAMES[name]))] == [*outputs(read(NAMES[name]))], "run `make notebooks` and look at them"


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_ran_once_in_its_order_without_errors_and_warnings(name: str) -> None:
    cells = [cell for cell in read(NAMES[name]).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    shown = [output for cell in cells for output in cell.outputs]
    assert {output.output_type for output in shown} <= {"execute_result", "display_data", "stream"}
    assert {output.name for output in shown if output.output_type == "stream"} <= {"stdout"}


@pytest.mark.parametrize("name", NAMES)
def test_every_measured_number_of_the_prose_stands_in_an_output(name: str) -> None:
    notebook = read(NAMES[name])
    said = set(re.findall(r"\d\.\d{4}", prose(notebook)))
    shown = " ".join(text for _, _, text in outputs(notebook))
    assert len(said) >= 10
    assert sorted(number for number in said if number not in shown) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_small_and_names_no_folder_of_the_machine_that_ran_it(name: str) -> None:
    text = NAMES[name].read_text(encoding="utf-8")
    assert len(text) < LARGEST
    assert not re.search(r"/(tmp|home|root|Users)/", text)


@pytest.mark.parametrize("name", NAMES)
def test_the_links_of_a_notebook_lead_to_files(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", prose(read(NAMES[name])))
    assert links
    assert [link for link in links if not (NAMES[name].parent / link).exists()] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_the_prose_the_tables_and_the_pictures_of_its_notebook(name: str) -> None:
    files = {path.name: write() for path, write in files_of_notebooks().items() if path.name.startswith(name)}
    page, notebook = files.pop(f"{name}.md"), read(NAMES[name])
    assert [line for line in prose(notebook).splitlines() if line not in page] == []
    assert page.count("<table") == sum(text.count("<table") for _, kind, text in outputs(notebook) if "html" in kind)
    assert re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page) == [*files]
    assert "<style>" not in page
    assert all(picture.startswith("<svg") for picture in files.values())


def test_no_page_or_picture_is_left_of_a_notebook_that_is_gone() -> None:
    folder = next(iter(NAMES.values())).parent
    assert {*map(Path, folder.iterdir())} == {*files_of_notebooks(), *NAMES.values()}
