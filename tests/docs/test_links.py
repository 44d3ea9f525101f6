"""Links of the pages lead to files and headings, and the navigation of the site has every page once."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from docs.tooling import DOCS, ROOT
from docs.tooling.markdown import broken_links, links
from docs.tooling.site import PAGES, configuration, llms_text, pages_in, project


def test_every_relative_link_of_a_page_leads_somewhere() -> None:
    pages = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
    assert {page: broken for page in pages if (broken := [*broken_links(page)])} == {}


def test_a_link_to_no_file_and_a_link_to_no_heading_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = "# One `two`, three\n\n[a](page.md#one-two-three) `[b](b.md)` ![c](gone.svg) [d](#four) [e](https://x.org)\n"
    page.write_text(text)
    assert [*broken_links(page)] == ["gone.svg: there is no such file", "#four: the page has no such heading"]


def test_the_navigation_has_every_page_of_docs_once_and_the_address_of_the_package() -> None:
    navigation = [*pages_in(tomllib.loads(configuration())["project"]["nav"])]
    indexed = {
        f"migrating/{target.partition('#')[0]}" for target in links((DOCS / "migrating/README.md").read_text("utf-8"))
    }
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} | {*PAGES.values()}
    of_libraries = {page for page in pages if page.startswith("migrating/") and page != "migrating/README.md"}
    assert of_libraries <= indexed  # one entry of the navigation, whose page lists them
    assert sorted(navigation) == sorted(pages - of_libraries)
    assert f'site_url = "{project()["urls"]["Documentation"]}/"' in configuration()


def test_no_link_reads_like_the_name_of_a_file() -> None:
    for path in sorted(DOCS.rglob("*.md")):
        assert re.findall(r"\[[\w./-]+\.md\]\(", path.read_text(encoding="utf-8")) == [], path


def test_llms_txt_has_every_page_of_the_navigation_with_a_sentence() -> None:
    text = llms_text()
    listed = re.findall(r"^- \[.+?\]\((.*?)\): .{8,}$", text, re.MULTILINE)
    assert {"tasks/", "agents/", "metrics/ndcg/", "cli/evaluate/", "migrating/"} <= {*listed}
    assert len(listed) == len({*listed})
