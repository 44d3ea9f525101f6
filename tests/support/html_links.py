"""Links of a built site: those that lead nowhere, and files that a page loads from another site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.support.html_pages import LOADING, Page

# Elements whose address is shown or followed, and never loaded with the page.
FOLLOWED = {"a", "use"}
# Relations of a `link` that name an address and load nothing.
NAMING = {"canonical", "next", "prev", "alternate", "author", "license", "edit", "search"}
URL_OF_CSS = re.compile(r"(?:url\(\s*|@import\s+)[\"']?([^\"')\s]+)")
ELSEWHERE = re.compile(r"(?:https?:)?//")


@cache
def read(path: Path) -> Page:
    """A page of HTML, parsed once."""
    return Page(path.read_text(encoding="utf-8"))


def file_of(site: Path, page: Path, address: str) -> Path:
    """The file that a server sends for a relative address of a page."""
    path = unquote(urlsplit(address).path)
    file = site / path.lstrip("/") if path.startswith("/") else page.parent / path
    file = page if not path else file.resolve()
    return file / "index.html" if file.is_dir() else file


def addresses(page: Page) -> Iterator[str]:
    """The addresses of links, images, styles and scripts of a page."""
    for _, attributes in page.elements:
        for name, value in attributes.items():
            if name == "srcset":
                yield from (one.split()[0] for one in str(value).split(",") if one.strip())
            elif name in LOADING and value:
                yield value


def broken_links(site: Path) -> Iterator[str]:
    """The links of a site's pages to files and anchors of the site that are not there."""
    for path in sorted(site.rglob("*.html")):
        if path.name == "404.html":
            continue  # a server sends it for any address: its links begin with the address of the site
        name = path.relative_to(site).as_posix()
        for address in dict.fromkeys(addresses(read(path))):
            if ELSEWHERE.match(address) or urlsplit(address).scheme:
                continue
            file, anchor = file_of(site, path, address), unquote(urlsplit(address).fragment)
            if not file.is_file():
                yield f"{name}: {address} leads to no file"
            elif anchor and file.suffix == ".html" and anchor not in read(file).ids and not anchor.startswith("__"):
                yield f"{name}: {address} leads to no heading"


def loaded_from_elsewhere(site: Path) -> Iterator[str]:
    """The files that pages and styles of a site load from another site."""
    for path in sorted(site.rglob("*.html")):
        for tag, attributes in read(path).elements:
            if tag in FOLLOWED or (tag == "link" and {*str(attributes.get("rel")).split()} & NAMING):
                continue
            for name in LOADING & attributes.keys():
                if ELSEWHERE.match(str(attributes[name])):
                    yield f"{path.relative_to(site).as_posix()}: <{tag} {name}> loads {attributes[name]}"
    for path in sorted(site.rglob("*.css")):
        for address in URL_OF_CSS.findall(path.read_text(encoding="utf-8")):
            if ELSEWHERE.match(address):
                yield f"{path.relative_to(site).as_posix()}: loads {address}"
