"""HTML pages as tests read them: the elements in order, and the texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

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
