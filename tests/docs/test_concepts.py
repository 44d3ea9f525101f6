"""docs/concepts: the examples print what the pages show, and the pictures show numbers of the examples."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from docs.tooling.pictures import COLORS, FOLDER, PAGES, WIDTH, example, pictures
from tests import ROOT
from tests.support.browser import open_page
from tests.support.commands import run

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


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_print_what_it_shows(page: str) -> None:
    found = example(page)
    assert len(found.printed) == TEXTS[page].count("```python\n") > 0
    assert found.printed == found.shown


@pytest.mark.long
def test_the_commands_of_the_page_about_conventions_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ rankmetrics (.+)$", TEXTS["conventions"], re.MULTILINE)
    assert [run(*shlex.split(command))[0] for command in commands] == [0] * 4


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


def _texts(name: str) -> list[str]:
    return [one.text or "" for one in ET.parse(PICTURES / name).iter("{http://www.w3.org/2000/svg}text")]


def test_the_pictures_show_the_numbers_that_the_pages_print() -> None:
    assert {"1.4307", "2.1309", "0.6714"} <= set(_texts("scoring.svg"))
    reciprocal = example("ties").names["result"].collect().select("^rr.*$").row(0)
    assert len(reciprocal) == 4
    assert {f"{value:.4f}" for value in reciprocal} <= set(_texts("ties.svg"))
    for value in example("conventions").names["compared"].collect()["value"]:
        assert f"{value:.4f}" in _texts("conventions.svg")


def test_a_picture_is_named_described_and_readable_on_a_phone() -> None:
    for path in PICTURES.iterdir():
        svg = path.read_text(encoding="utf-8")
        root = ET.fromstring(svg)
        texts = {one.tag.rpartition("}")[2]: one.text or "" for one in root}
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


# --- colors -----------------------------------------------------------------------------------------------------------


def _luminance(color: str) -> float:
    """The relative luminance of a color, as the guidelines for accessible web content (WCAG 2) define it."""
    shares = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _fill(name: str, scheme: int) -> str:
    (found,) = re.findall(r"fill: (#\w{6})", COLORS[name][scheme])
    return str(found)


def test_a_text_stands_out_from_its_ground() -> None:
    grounds = {"ink": "page cell hit key", "soft": "page cell key", "good": "page cell", "link": "page key"}
    for ink, names in grounds.items():
        for ground in names.split():
            for scheme in (0, 1):  # light and dark
                lower, higher = sorted(_luminance(_fill(name, scheme)) for name in (ink, ground))
                assert (higher + 0.05) / (lower + 0.05) >= 4.5, (ink, ground, scheme)
