"""Builds the documentation site: `python -m docs.tooling.site` writes it into site/ and checks its links.

The pages of docs/ are written for GitHub and for the site. So they are copied into build/docs, where links that leave
docs/ are rewritten: to the pages made of CONTRIBUTING.md and CHANGELOG.md, or to the repository. Then Zensical makes
HTML of them, and formulas become MathML, which browsers show without a script.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

from docs.tooling import DOCS, ROOT
from docs.tooling.html_pages import broken_links, loaded_from_elsewhere
from docs.tooling.markdown import LINK, outside_of_code
from docs.tooling.metric_pages import SUBJECTS, of_subject

SITE, BUILD = ROOT / "site", ROOT / "build" / "docs"

# Files above docs/ that are pages of the site.
PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}

# Files of docs/ that are not copied: the configuration, which is completed, notebooks, which have a page
# each, and these tools.
LEFT_OUT = ("zensical.toml", "*.ipynb", "tooling")

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)


def project() -> dict[str, Any]:
    """The table `[project]` of pyproject.toml."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def configuration() -> str:
    """docs/zensical.toml with the address of the site, and pages for `folder/*.md`: metrics by their subjects."""
    text = (DOCS / "zensical.toml").read_text(encoding="utf-8")
    urls = project()["urls"]
    # Without repo_url: the theme would ask api.github.com for the stars of the repository on every page.
    text = text.replace("[project]\n", f'[project]\nsite_url = "{urls["Documentation"]}/"\n', 1)
    for subject, heading in SUBJECTS.items():
        pages = json.dumps([f"metrics/{metric.name}.md" for metric in of_subject(subject)])
        text = text.replace('"metrics/*.md",', f'{{ "{heading}" = {pages} }}, "metrics/*.md",')
    named = {*pages_in(tomllib.loads(text)["project"]["nav"])}

    def listed(pattern: re.Match[str]) -> str:
        found = (path.relative_to(DOCS).as_posix() for path in sorted(DOCS.glob(pattern[1])))
        return " ".join(f'"{page}",' for page in found if page not in named)

    return re.sub(r'"(\w+/\*\.md)",', listed, text)


def pages_in(navigation: object) -> Iterator[str]:
    """The paths that a navigation lists, in order."""
    if isinstance(navigation, str):
        yield navigation
    elif isinstance(navigation, dict):
        for below in navigation.values():
            yield from pages_in(below)
    elif isinstance(navigation, list):
        for below in navigation:
            yield from pages_in(below)


def copy_pages(folder: Path) -> None:
    """Copy docs/ and the pages from above it into a folder, with the links that hold there, and the configuration."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns(*LEFT_OUT))
    for page in (folder / "docs").rglob("*.md"):
        original = DOCS / page.relative_to(folder / "docs")
        page.write_text(rewrite_links(page.read_text(encoding="utf-8"), original.parent, original.parent), "utf-8")
    for name, page_name in PAGES.items():
        text = rewrite_links((ROOT / name).read_text(encoding="utf-8"), ROOT, DOCS)
        (folder / "docs" / page_name).write_text(text, encoding="utf-8")
    (folder / "zensical.toml").write_text(configuration(), encoding="utf-8")


def rewrite_links(text: str, folder: Path, new_folder: Path) -> str:
    """A page with the relative links that it has in one folder, rewritten for the site and for another folder."""

    def rewritten(link: re.Match[str]) -> str:
        target, mark, anchor = link["target"].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return link[0]
        path = Path(os.path.normpath(folder / target))
        inside = path.relative_to(ROOT).as_posix()
        if inside in PAGES:
            path = DOCS / PAGES[inside]
        if path.is_dir() and (path / "README.md").exists() and path.is_relative_to(DOCS):
            path /= "README.md"
        if path.is_relative_to(DOCS) and path.is_file() | (inside in PAGES) and path.suffix != ".ipynb":
            new = Path(os.path.relpath(path, new_folder)).as_posix()
        else:
            new = f"{project()['urls']['Repository']}/blob/main/{inside}"
        return link[0].replace(link["target"], f"{new}{mark}{anchor}")

    return outside_of_code(text, lambda prose: LINK.sub(rewritten, prose))


def llms_text() -> str:
    """The text of llms.txt (llmstxt.org): the pages in the order of the navigation, each with its first sentence."""
    navigation = tomllib.loads(configuration())["project"]["nav"]
    lines = [
        f"# {project()['name']}",
        "",
        f"> {project()['description']}",
        "",
        "One file with all of it: [agents](agents/).",
        "",
    ]
    for group in navigation:
        for heading, below in group.items():
            pages = [page for page in pages_in(below) if (DOCS / page).exists() and page != "index.md"]
            lines += [f"## {heading}", "", *map(_line_of_page, pages), ""] if pages else []
    return "\n".join(lines)


def _line_of_page(page: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8")
    title, _, rest = text.partition("\n\n")
    prose = next((part for part in rest.split("\n\n") if re.match(r"[A-Z`*]", part)), "")
    sentence = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(prose.split())).partition(". ")[0].rstrip(".:")
    address = re.sub(r"(?:(?:^|/)(?:index|README))?\.md$", "/", page)
    return f"- [{title.removeprefix('# ').strip()}]({address}): {sentence}"


def mathml(page: str) -> str:
    """A page of HTML with its formulas as MathML."""

    def written(formula: re.Match[str]) -> str:
        display = "block" if formula[2] == "[" else "inline"
        converted = convert(html.unescape(formula[3]).strip(), display=display)
        return f'<div class="formula">{converted}</div>' if display == "block" else str(converted)

    return FORMULA.sub(written, page)


def searchable(index: dict[str, Any]) -> dict[str, Any]:
    """The index of the search, itself, in which `MRR` and `recall@50` lead to the page of the metric."""
    index["config"]["separator"] += "|@"
    for entry in index["items"]:
        page = re.fullmatch(r"metrics/(\w+)/", entry["location"])
        if page and (also := re.search(r"Also called:(.*?)</li>", entry["text"])):
            entry["title"] += f" ({', '.join(re.findall(r'<code>(.*?)</code>', also[1]))})"
        if page:  # the name first: of texts alike, the site finds first the one that has the word first
            cutoffs = ", ".join(f"{page[1]}@{k}" for k in (1, 3, 5, 10, 20, 25, 50, 100))
            entry["text"] = f"<p>{page[1]}</p>{entry['text']}<p>{cutoffs}</p>"
    return index


def build(folder: Path) -> Path:
    """Build the site in a folder, and return the folder of its pages.

    Raises:
        SystemExit: Zensical failed, a link of a page leads nowhere, or a page loads a file from another site.
    """
    copy_pages(folder)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "-f", str(folder / "zensical.toml")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # the docstrings are those of this checkout
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        printed = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)
        sys.exit(f"{printed.partition('Traceback')[0]}The site was not built.")
    built = folder / "site"
    for page in built.rglob("*.html"):
        page.write_text(mathml(page.read_text(encoding="utf-8")), encoding="utf-8")
    index = built / "search.json"
    index.write_text(json.dumps(searchable(json.loads(index.read_text(encoding="utf-8")))), encoding="utf-8")
    (built / "llms.txt").write_text(llms_text(), encoding="utf-8")
    if wrong := [*broken_links(built), *loaded_from_elsewhere(built)]:
        sys.exit("\n".join([*wrong, f"{len(wrong)} links of the site are wrong."]))
    return built


def main() -> None:
    """Build the site in build/docs, and move it to site/."""
    built = build(BUILD)
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.move(built, SITE)
    print(f"site/ has {len([*SITE.rglob('*.html')])} pages, and every link resolves.")
    print("To read it: python -m http.server --directory site")


if __name__ == "__main__":
    main()
