"""The notebooks of docs/notebooks: run anew by `python -m docs.tooling.notebooks`, and written as pages."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

from docs.tooling import DOCS, ROOT
from rankmetrics.cli.commands import save_sample

FOLDER = DOCS / "notebooks"
SECONDS_PER_CELL = 300


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def executed(path: Path) -> Any:
    """The notebook with new outputs: a reader's folder with the sample, a new kernel, every cell in its order."""
    notebook = read(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with tempfile.TemporaryDirectory() as folder:
        save_sample(Path(folder) / "data")
        client = NotebookClient(
            notebook, timeout=SECONDS_PER_CELL, kernel_name="python3", resources={"metadata": {"path": folder}}
        )
        client.execute(env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"})
    return _without_traces_of_the_run(notebook)


def _without_traces_of_the_run(notebook: Any) -> Any:
    """The notebook without times, ids of cells that are new in each run, the version of Python and data of charts."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = nbformat.from_dict({"kernelspec": kernel, "language_info": {"name": "python"}})
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):  # the SVG of a chart is kept, and not the data that it is drawn from
            for kind in [kind for kind in output.get("data", {}) if kind.startswith("application/vnd.vegalite")]:
                del output.data[kind]
    return notebook


def outputs(notebook: Any) -> Iterator[tuple[int, str, str]]:
    """What the cells show: the number of the cell, the kind of the output, its text; of a picture, its words.

    How a picture is drawn depends on the fonts of a machine, its words do not.
    """
    for number, cell in enumerate(notebook.cells):
        # a kernel may hand on what a cell prints in one piece or in several
        streams = [output for output in cell.get("outputs", ()) if output.output_type == "stream"]
        for name, pieces in groupby(streams, key=attrgetter("name")):
            yield number, name, "".join(piece.text for piece in pieces)
        for output in cell.get("outputs", ()):
            for kind, content in sorted(output.get("data", {}).items()):
                is_picture = kind == "image/svg+xml"
                yield number, kind, "\n".join(re.findall(r">([^<>]+)</text>", content)) if is_picture else content


def files_of_notebooks() -> dict[Path, Callable[[], str]]:
    """The page of each notebook and its pictures."""
    return {
        FOLDER / name: partial(_file, path, name)
        for path in notebooks()
        for name in (f"{path.stem}.md", *(_picture_name(path, cell) for cell in _drawing_cells(path)))
    }


def _file(path: Path, name: str) -> str:
    return _page(path)[name]


@cache
def _page(path: Path) -> dict[str, str]:
    """The files of a page by their names."""
    text, resources = MarkdownExporter().from_notebook_node(read(path))
    pictures = resources["outputs"]
    found = {}
    for cell, drawn in zip(_drawing_cells(path), sorted(pictures, key=_numbers), strict=True):
        name = _picture_name(path, cell)
        text = text.replace(f"![svg]({drawn})", f"![{cell.metadata['alt']}]({name})")
        found[name] = pictures[drawn].decode("utf-8")
    title, _, rest = text.strip().partition("\n")
    note = f"This page is a notebook with its outputs: [{path.name}]({path.name})."
    found[f"{path.stem}.md"] = f"{title}\n\n{note}\n{_html_of_a_page(rest)}\n"
    return found


def _drawing_cells(path: Path) -> list[Any]:
    return [cell for cell in read(path).cells if "alt" in cell.metadata]


def _picture_name(path: Path, cell: Any) -> str:
    return f"{path.stem}_{cell.metadata['picture']}.svg"


def _numbers(name: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", name)]


def _html_of_a_page(text: str) -> str:
    """The tables of a notebook as the tables of a page, which has a style for them."""
    text = re.sub(r"<style>.*?</style>\n?", "", text, flags=re.DOTALL)
    text = text.replace(' border="1" class="dataframe"', "").replace(' class="number"', ' style="text-align: right"')
    text = re.sub(r"<small>shape: [^<]*</small>", "", text)
    text = re.sub(r"<td>&quot;(.*?)&quot;</td>", r"<td>\1</td>", text)
    text = text.replace(' <span class="interval">± ', '&nbsp;<span class="interval">±&nbsp;')
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def main() -> None:
    names = sys.argv[1:]
    for path in [path for path in notebooks() if not names or path.stem in names]:
        nbformat.write(executed(path), path)
        print(path.relative_to(ROOT), f"{path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
