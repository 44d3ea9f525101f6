"""The notebooks of docs/notebooks: their outputs are those of a new run, and their prose says what the outputs show."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docs.tooling.notebooks import FOLDER, executed, files_of_notebooks, notebooks, outputs, read

NAMES = {path.stem: path for path in notebooks()}
LARGEST = 400_000


def prose(notebook: Any) -> str:
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_kept_outputs_are_those_of_a_new_run(name: str) -> None:
    assert [*outputs(executed(NAMES[name]))] == [*outputs(read(NAMES[name]))], "run `make notebooks` and look at them"


def test_a_notebook_is_small_and_its_prose_names_its_numbers_and_real_files() -> None:
    assert [*NAMES] == ["what_would_it_earn", "which_model", "whose_ndcg"]
    for name, path in NAMES.items():
        notebook, text = read(path), path.read_text(encoding="utf-8")
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)], name
        kinds = {(output.output_type, output.get("name")) for cell in cells for output in cell.outputs}
        assert kinds <= {("execute_result", None), ("display_data", None), ("stream", "stdout")}, name
        numbers = set(re.findall(r"\d\.\d{4}", prose(notebook)))
        shown = " ".join(output for _, _, output in outputs(notebook))
        assert len(numbers) >= 10, name
        assert sorted(number for number in numbers if number not in shown) == [], name
        assert len(text) < LARGEST, name
        assert not re.search(r"/(tmp|home|root|Users)/", text), name
        links = re.findall(r"\]\(([^)#]+)", prose(notebook))
        assert links, name
        assert [link for link in links if not (path.parent / link).exists()] == [], name


def test_a_page_has_the_prose_the_tables_and_the_pictures_of_its_notebook() -> None:
    for name in NAMES:
        files = {path.name: write() for path, write in files_of_notebooks().items() if path.name.startswith(name)}
        page, notebook = files.pop(f"{name}.md"), read(NAMES[name])
        assert [line for line in prose(notebook).splitlines() if line not in page] == []
        n_tables = sum(text.count("<table") for _, kind, text in outputs(notebook) if "html" in kind)
        assert page.count("<table") == n_tables
        assert re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page) == [*files]
        assert "<style>" not in page
        assert all(picture.startswith("<svg") for picture in files.values())
    assert {*FOLDER.iterdir()} == {*files_of_notebooks(), *NAMES.values()}
