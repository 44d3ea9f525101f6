"""The links of every page of Markdown lead to a file and a heading, on GitHub and on the site."""

from __future__ import annotations

from pathlib import Path

from docs.tooling import DOCS, ROOT
from docs.tooling.markdown import broken_links, github_anchors, links, site_anchors

PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def test_every_relative_link_of_a_page_leads_somewhere() -> None:
    assert {page: broken for page in PAGES if (broken := [*broken_links(page)])} == {}


def test_links_are_found_outside_of_code_and_in_html() -> None:
    text = '[a](a.md) `[b](b.md)` <img src="c.svg">\n```text\n[d](d.md)\n```\n![e](e.svg "title")\n'
    assert links(text) == ["a.md", "c.svg", "e.svg"]


def test_a_link_to_no_file_and_a_link_to_no_heading_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One `two`, three\n\n[a](page.md#one-two-three) [b](gone.md) [c](#four) [d](https://x.org)\n")
    assert [*broken_links(page)] == ["gone.md: there is no such file", "#four: the page has no such heading"]


def test_repeated_headings_have_the_anchors_of_github_and_of_the_site() -> None:
    text = "# A b\n## A b\n```python\n# no heading\n```\n## C: d/e (f)\n"
    assert github_anchors(text) == {"a-b", "a-b-1", "c-de-f"}
    assert site_anchors(text) == {"a-b", "a-b_1", "c-de-f"}
