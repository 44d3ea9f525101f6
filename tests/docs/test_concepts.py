"""docs/concepts: the examples print what the pages show, and the pictures show numbers of the examples."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from docs.tooling.pictures import FOLDER, PAGES, WIDTH, example, pictures
from tests import ROOT
from tests.support.browser import open_page

PICTURES = ROOT / "docs" / "pictures"
TEXTS = {page: (FOLDER / f"{page}.md").read_text(encoding="utf-8") for page in PAGES}
LINK = re.compile(r"!\[([^\]]*)\]\(\.\./pictures/(\w+\.svg)\)")

# Every text of the pictures, its box in the picture, and whether it is inside: measured by a browser, in its own fonts.
MEASURE = """
<body>%s<pre id="found"></pre><script>
const told = [];
for (const svg of document.querySelectorAll("svg")) {
  const boxes = [...svg.querySelectorAll("text")].filter(t => t.textContent).map(t => [t.textContent, t.getBBox()]);
  const name = svg.querySelector("title").textContent;
  boxes.forEach(([text, box], place) => {
    if (box.x < 4 || box.x + box.width > %d - 4) told.push(`${name}: '${text}' leaves the picture`);
    for (const [other, beside] of boxes.slice(place + 1))
      if (box.x < beside.x + beside.width && beside.x < box.x + box.width &&
          box.y + 3 < beside.y + beside.height && beside.y + 3 < box.y + box.height)
        told.push(`${name}: '${text}' covers '${other}'`);
  });
}
document.getElementById("found").textContent = `measured: ${JSON.stringify(told)}`;
</script></body>
"""


def test_the_examples_of_a_page_print_what_it_shows() -> None:
    for page, text in TEXTS.items():
        run = example(page)
        assert len(run.printed) == text.count("```python\n") > 0, page
        assert run.printed == run.shown, page


def test_a_page_is_short_with_a_described_picture_and_terms_of_the_glossary() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| ([^|]+) \|", glossary, re.MULTILINE)
    known = {term.strip("` ") for cell in cells for term in cell.split(",")}
    for page, text in TEXTS.items():
        assert len(text.splitlines()) < 130, page
        shown = {name: described for described, name in LINK.findall(text)}
        assert f"{page}.svg" in shown
        assert all(len(described) > 30 for described in shown.values()), page
        terms = {term for term in re.findall(r"\*\*([^*]+)\*\*", text) if len(term.split()) <= 2}
        assert terms, page
        assert {term for term in terms if not {term, term.removesuffix("s")} & known} == set(), page


def test_every_picture_is_generated_and_shown_on_a_page() -> None:
    written = {path.name for path in PICTURES.iterdir()}
    assert written == {path.name for path in pictures(PICTURES)}
    shown = {name for text in TEXTS.values() for _, name in LINK.findall(text)}
    for page in ("index", "performance"):
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        shown |= set(re.findall(r"\(pictures/(\w+\.svg)\)", text))
    assert written == shown


def test_a_picture_is_named_described_and_readable_on_a_phone() -> None:
    for path in PICTURES.iterdir():
        svg = path.read_text(encoding="utf-8")
        root = ET.fromstring(svg)
        texts = {element.tag.rpartition("}")[2]: element.text or "" for element in root}
        assert (root.get("role"), root.get("width")) == ("img", str(WIDTH)), path
        assert len(texts["title"]) > 10, path
        assert len(texts["desc"]) > 60, path
        assert min(map(int, re.findall(r"(\d+)px", texts["style"]))) >= 14, path
        assert "prefers-color-scheme:dark" in texts["style"], path
        assert len(svg) < 10_000, path


@pytest.mark.long
def test_no_text_of_a_picture_covers_another_or_leaves_it(tmp_path: Path) -> None:
    page = tmp_path / "pictures.html"
    drawn = [path.read_text(encoding="utf-8") for path in sorted(PICTURES.iterdir())]
    page.write_text(MEASURE % ("".join(drawn), WIDTH), encoding="utf-8")
    shown, messages = open_page(page, "--dump-dom")
    assert messages == []
    assert "measured: []" in shown, shown[shown.index("measured:") :][:500]
