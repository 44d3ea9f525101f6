"""The blocks of a report as values: each kind has a template of the same name in templates/blocks.

A block holds plain text. The templates escape it, so that no name or value from the data can become HTML.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

DOI = re.compile(r"(?<=doi:)10\.\d{4,}/\S*[^\s.,;)]")


@dataclass(frozen=True)
class Span:
    """A piece of a sentence.

    Attributes:
        text: the words.
        is_strong: whether they stand out.
        link: the address that they lead to; empty for no link.
    """

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
    found, end = [], 0
    for match in DOI.finditer(text):
        found += [Span(text[end : match.start()]), Span(match[0], link=f"https://doi.org/{match[0]}")]
        end = match.end()
    return tuple(span for span in (*found, Span(text[end:])) if span.text)


def with_quotes(text: str) -> str:
    """A text of a header of sql/ with quotes in place of its backticks.

    >>> with_quotes("the policy `ties` orders equal scores")
    'the policy "ties" orders equal scores'
    """
    return re.sub(r"`([^`]*)`", r'"\1"', text)


# --- the kinds of blocks ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paragraph:
    """Sentences.

    Attributes:
        spans: the text.
        tone: "lead" for the answer at the top, "note" for small print, "warning" for a doubt.
    """

    kind: ClassVar[str] = "paragraph"
    spans: Sentence
    tone: Literal["", "lead", "note", "warning"] = ""


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    kind: ClassVar[str] = "bullets"
    items: Sequence[Sentence]


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    kind: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: the value.
        note: a second, smaller line, such as a confidence interval.
        mark: a word on the value, such as "best"; the value then stands out.
        sign: a sign beside the value, such as ▼.
        meaning: what the sign means, for readers who do not see it.
        is_number: whether it stands at the right.
    """

    text: str
    note: str = ""
    mark: str = ""
    sign: str = ""
    meaning: str = ""
    is_number: bool = False


@dataclass(frozen=True)
class Table:
    """A table; the cells of its first column are the headings of the rows.

    Attributes:
        caption: what the table shows, in a sentence.
        headings: the headings of the columns.
        rows: the cells of each row, one for each heading.
    """

    kind: ClassVar[str] = "table"
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    @property
    def is_number(self) -> list[bool]:
        """For each column, whether it holds numbers."""
        return [any(row[place].is_number for row in self.rows) for place in range(len(self.headings))]


@dataclass(frozen=True)
class Figure:
    """A chart.

    Attributes:
        svg: the chart as SVG. It is written as it is: only what a writer of charts returned may stand here.
        caption: what the chart shows, in a sentence.
    """

    kind: ClassVar[str] = "figure"
    svg: str
    caption: str


@dataclass(frozen=True)
class Gallery:
    """Charts beside each other where the page is wide."""

    kind: ClassVar[str] = "gallery"
    blocks: Sequence[Figure | Paragraph]


@dataclass(frozen=True)
class Code:
    """Lines of SQL; comments and statements are told apart."""

    kind: ClassVar[str] = "code"
    text: str

    @property
    def lines(self) -> list[tuple[str, bool]]:
        """The lines, and whether each is a comment."""
        return [(line, line.lstrip().startswith("--")) for line in self.text.splitlines()]


@dataclass(frozen=True)
class Terms:
    """Terms with their explanations."""

    kind: ClassVar[str] = "terms"
    pairs: Sequence[tuple[str, Sentence]]


@dataclass(frozen=True)
class Folded:
    """Blocks behind a title, which opens them; on paper, they are open."""

    kind: ClassVar[str] = "folded"
    title: str
    blocks: Sequence[Block]


Block: TypeAlias = Paragraph | Bullets | Heading | Table | Figure | Gallery | Code | Terms | Folded


# --- sections ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A section of a report.

    Attributes:
        name: the anchor in the page, such as `leaderboard`.
        title: the heading.
        blocks: what stands below it.
    """

    name: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class LeftOut:
    """A section that a report does not have, with the reason, which the report tells."""

    title: str
    reason: str
