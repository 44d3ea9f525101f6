"""HTML pages: the elements and texts in order; links that lead nowhere, and files loaded from other sites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements that have no end tag.
VOID = {"meta", "link", "img", "br", "hr", "input"}

# Attributes whose address a browser loads when it shows the page; `href` of an `a` is followed by the reader only.
LOADING = {"src", "srcset", "data", "poster", "background", "action", "href", "xlink:href"}


@dataclass
class Page(HTMLParser):
    """A parsed page.

    Attributes:
        elements: the name and the attributes of each element.
        texts: the texts between the tags, each with the open elements.
        unbalanced: end tags that close another element than the innermost one.
    """

    text: str
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    unbalanced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self.feed(self.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append((tuple(self._open), data))

    @property
    def is_closed(self) -> bool:
        """Whether every element is closed, in order."""
        return not self._open and not self.unbalanced

    @property
    def words(self) -> str:
        """The text that a reader sees, with single spaces."""
        return " ".join("".join(text for path, text in self.texts if not {*path} & {"style", "title"}).split())

    def within(self, tag: str) -> list[str]:
        """The texts that stand directly in elements with this name."""
        return [text.strip() for path, text in self.texts if path and path[-1] == tag and text.strip()]

    @property
    def ids(self) -> list[str]:
        """The ids of the elements."""
        return [str(attributes["id"]) for _, attributes in self.elements if "id" in attributes]

    def of(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of the elements with this name."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def loaded(self) -> list[str]:
        """The addresses that a browser would load to show the page."""
        return [
            str(value)
            for tag, attributes in self.elements
            for name, value in attributes.items()
            if name in LOADING and not str(value).startswith("#") and tag != "a"
        ]


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
