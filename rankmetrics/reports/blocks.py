"""The blocks of a report as values: each kind has a template of the same name in templates/blocks.

A block holds plain text. The templates escape it, so that no name or value from the data can become HTML.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rankmetrics.tables import TextTable

DOI = re.compile(r"(?<=doi:)10\.\d{4,}/\S*[^\s.,;)]")


@dataclass(frozen=True)
class Span:
    """A piece of a sentence, which may stand out, or link to an address."""

    text: str
    is_strong: bool = False
    link: str = ""


Sentence: TypeAlias = tuple[Span, ...]


def sentence(*parts: str | Span) -> Sentence:
    """A sentence from texts and spans."""
    return tuple(Span(part) if isinstance(part, str) else part for part in parts)


def strong(text: str) -> Span:
    """Words that stand out."""
    return Span(text, is_strong=True)


def with_links(text: str) -> Sentence:
    """A text whose DOIs are links.

    >>> [(span.text, span.link) for span in with_links("Zobel (1998). doi:10.1145/290941.291014")]
    [('Zobel (1998). doi:', ''), ('10.1145/290941.291014', 'https://doi.org/10.1145/290941.291014')]
    """
    spans, end = [], 0
    for match in DOI.finditer(text):
        spans += [Span(text[end : match.start()]), Span(match[0], link=f"https://doi.org/{match[0]}")]
        end = match.end()
    return tuple(span for span in (*spans, Span(text[end:])) if span.text)


def with_quotes(text: str) -> str:
    """A text of a header of sql/ with quotes in place of its backticks.

    >>> with_quotes("the policy `ties` orders equal scores")
    'the policy "ties" orders equal scores'
    """
    return re.sub(r"`([^`]*)`", r'"\1"', text)


# --- the kinds of blocks ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paragraph:
    """Sentences: "lead" is the answer at the top, "note" small print, "warning" a doubt."""

    spans: Sentence
    tone: Literal["", "lead", "note", "warning"] = ""

    @classmethod
    def note(cls, text: str) -> Paragraph:
        """A sentence in small print."""
        return cls(sentence(text), "note")


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: Sequence[Sentence]


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    text: str


@dataclass(frozen=True)
class Figure:
    """A chart with a caption. The SVG is written as it is: it must be what a writer of charts returned."""

    svg: str
    caption: str


@dataclass(frozen=True)
class Gallery:
    """Charts next to each other where the page is wide."""

    blocks: Sequence[Figure | Paragraph]


@dataclass(frozen=True)
class Code:
    """Lines of SQL; comments and statements are told apart."""

    text: str

    @property
    def lines(self) -> list[tuple[str, bool]]:
        """The lines, each with True if it is a comment."""
        return [(line, line.lstrip().startswith("--")) for line in self.text.splitlines()]


@dataclass(frozen=True)
class Terms:
    """Terms with their explanations."""

    pairs: Sequence[tuple[str, Sentence]]


@dataclass(frozen=True)
class Folded:
    """Blocks behind a title, which opens them; on paper, they are open."""

    title: str
    blocks: Sequence[Block]


Block: TypeAlias = Paragraph | Bullets | Heading | TextTable | Figure | Gallery | Code | Terms | Folded


@dataclass(frozen=True)
class Section:
    """A section of a report: its anchor in the page, its heading, and the blocks below it."""

    name: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class LeftOut:
    """A section that a report does not have, with the reason, which the report tells."""

    title: str
    reason: str
