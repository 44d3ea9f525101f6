"""The pages of the documentation, which ship with the package: by the names of pages and sections, and a search."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from rankmetrics._files import docs_folder
from rankmetrics.errors import InputError, MetricError, counted, did_you_mean, plain
from rankmetrics.metrics.catalog import with_cutoff
from rankmetrics.metrics.metric import parse

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

# How many sections a search lists, and how much a word in a heading counts compared with a word in the text.
MOST_FOUND, IN_TITLE, IN_HEADING, PHRASE = 8, 4.0, 6.0, 5.0

# Pages and sections that have the words of many others: pages for users of another library, and what all metrics have.
OTHERS, MINOR = ("agents", "conventions", "migrating/", "reproduction", "renamed", "tutorials/"), 0.5

# The widest text that is easy to read.
WIDEST = 100

FENCE = re.compile(r"^ *(```|~~~)")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|^<(?:img|picture|source|/?p)\b.*$|<!--.*?-->", re.MULTILINE)


@dataclass(frozen=True)
class Passage:
    """A heading of a page with the text below it, up to the next heading of any level."""

    page: str  # the name of the page: its path below docs/ without the ending
    title: str  # the heading of the page
    heading: str  # the heading of the section
    level: int  # the number of `#` before the heading
    text: str  # the Markdown, with the heading

    @property
    def name(self) -> str:
        """The name to ask for: `messages`, or `messages/ranks-missing`."""
        return self.page if self.level == 1 else f"{self.page}/{slug(self.heading)}"

    @cached_property
    def words(self) -> Counter[str]:
        """The words of the text, with the number of times that each is there."""
        return Counter(_words(self.text))


def help(*topic: str) -> None:  # noqa: A001  # as Python calls it; nobody calls it without `rm.`
    """Print a section of the documentation, which ships with the package: it needs no network.

    Each error and warning ends with the name of the section that explains it.

    Args:
        topic: the name of a page or a section (`"messages/ranks-missing"`), a metric (`"ndcg@10"`), a command, or
            words to look for; without a topic, the pages are listed.

    Raises:
        InputError: there is no such section, and no page has the words.

    Example:
        >>> help("warnings/missing-lists")  # doctest: +ELLIPSIS
        ### Missing lists
        ...
    """
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    text = manual(" ".join(topic))
    # Rich puts code on black, which is hard to read on a light terminal.
    console = Console(highlight=False, emoji=False, theme=Theme({"markdown.code": "bold cyan"}))
    if console.is_terminal or console.is_jupyter:
        console.print(Markdown(text, hyperlinks=False), width=min(console.width, WIDEST))
    else:
        console.print(text, markup=False, soft_wrap=True)


def manual(topic: str) -> str:
    """The Markdown that answers a topic: a page, a section, the page of a metric, or a list of sections."""
    name = re.sub(r"\.md\b", "", topic.strip().removeprefix("docs/").replace("/#", "/").replace("#", "/")).strip("/")
    if not name:
        rows = [f"- `{page}`: {sections[0].title}" for page, sections in pages().items() if "/" not in page]
        return "\n".join(["# Pages", "", *rows, "", "Read one with `rankmetrics help NAME`, or name a metric."])
    if page := _page(name):
        return _readable(page, pages()[page])
    page, _, heading = name.rpartition("/")
    if page in pages():
        return _section(page, heading)
    return _found(topic.strip())


def _page(name: str) -> str:
    """The page with a name or the end of a name, or of a metric; nothing if there is none."""
    if name in pages():
        return name
    ends = [page for page in pages() if plain(page.rpartition("/")[2]) == plain(name)]
    if len(ends) == 1:
        return ends[0]
    with suppress(MetricError):
        if (page := f"metrics/{parse(name).name}") in pages():
            return page
    return ends[0] if ends else ""


def _section(page: str, heading: str) -> str:
    """A section of a page, with the sections below it."""
    sections = pages()[page]
    for place, section in enumerate(sections):
        if section.level > 1 and slug(section.heading) == slug(heading):
            below = place + 1
            while below < len(sections) and sections[below].level > section.level:
                below += 1
            return _readable(page, sections[place:below])
    near = did_you_mean(f"{page}/{heading}", [section.name for section in sections])
    raise InputError(f"The page {page!r} has no section {heading!r}.{near}", page="messages/")


def _readable(page: str, sections: list[Passage]) -> str:
    """The text of sections for a terminal: no images, formulas as code, and the linked sections named below."""
    targets: dict[str, None] = {}

    def named(link: re.Match[str]) -> str:
        text, target = link[1], link[2]
        if re.match(r"[a-z]+:", target):
            return f"{text} ({target})" if text != target else text
        path, _, anchor = target.partition("#")
        linked = _linked(page, path) if path else page
        if linked in pages() and (linked, anchor) != (page, ""):
            targets[f"{linked}/{anchor}".rstrip("/")] = None
        return text

    lines, is_code = [], False
    for line in IMAGE.sub("", "\n".join(section.text for section in sections)).splitlines():
        is_code ^= bool(FENCE.match(line))
        lines.append(line if is_code else re.sub(r"(?<![\w$`])\$([^$\n]+)\$(?![\w$])", r"`\1`", LINK.sub(named, line)))
    text = re.sub(r"\$\$\n(.*?)\n\$\$", r"```text\n\1\n```", "\n".join(lines), flags=re.DOTALL)
    text = re.sub(r"\n{3,}", "\n\n", re.sub(r"</?(details|summary)[^>]*>", "", text)).strip()
    further = [target for target in targets if not target.startswith("metrics/")][:5]
    return f"{text}\n\nFurther: {', '.join(f'`rankmetrics help {name}`' for name in further)}" if further else text


def _linked(page: str, path: str) -> str:
    """The name of the page that a relative link of a page leads to."""
    has_pages = any(other.startswith(f"{page}/") for other in pages())
    return _name(normpath(join(page if has_pages else dirname(page), path.removesuffix(".md"))))


def _name(path: str) -> str:
    """The name of a page, from its path without the ending: that of an index is its folder."""
    return re.sub(r"/(index|README)$", "", path)


# --- the search -------------------------------------------------------------------------------------------------------


def _found(topic: str) -> str:
    """The sections that have the words of a topic, as Markdown; the only one, whole."""
    sections = search(topic)
    if not sections and (page := _page(with_cutoff(topic))):
        return _readable(page, pages()[page])
    if not sections or re.fullmatch(r"[\w-]+/[\w/-]+", topic):  # the name of a section, not words
        known = [section.name for each in pages().values() for section in each]
        raise InputError(f"No page of the documentation has {topic!r}.{did_you_mean(topic, known)}", page="messages/")
    if len(sections) == 1 and sections[0].level > 1:
        return _section(sections[0].page, slug(sections[0].heading))
    rows = []
    for section in sections:
        heading = section.title if section.level == 1 else f"{section.title}: {section.heading}"
        rows.append(f"- `{section.name}`: {re.sub('[`*]', '', heading)}")
    many = counted(len(sections), "section", "sections")
    return "\n".join([f"{many} on {topic}:", "", *rows, "", f"Read one: `rankmetrics help {sections[0].name}`"])


def search(topic: str) -> list[Passage]:
    """The sections that fit some words best, best first; those with the words in a heading before others."""
    everything = [section for sections in pages().values() for section in sections]
    query = {word for word in _words(topic.partition("@")[0]) if word not in STOP} or {*_words(topic)}
    holders = Counter(word for section in everything for word in query & section.words.keys())
    rarity = {word: math.log(1 + len(everything) / n) for word, n in holders.items()}
    phrase = " ".join(_words(topic))

    def score(section: Passage) -> float:
        title, heading = {*_words(f"{section.title} {section.page}")}, {*_words(section.heading)}
        size = 0.5 + section.words.total() / 200
        total = 0.0
        for word, weight in rarity.items():
            n = section.words[word]
            total += weight * n / (n + size)
            total += weight * IN_TITLE * (word in title) / max(1, len(title))
            total += weight * IN_HEADING * (word in heading) / max(1, len(heading)) ** 0.5 / len(rarity)
        is_phrase = len(rarity) > 1 and phrase in " ".join(_words(section.text))
        is_minor = section.page.startswith(OTHERS) or (section.page.startswith("metrics/") and section.level > 1)
        return (total + PHRASE * is_phrase) * (MINOR if is_minor else 1)

    whole = [section for section in everything if rarity.keys() <= section.words.keys()]
    scores = [(score(section), section) for section in whole or everything]
    best = {section.name: section for value, section in sorted(scores, key=lambda pair: -pair[0]) if value}
    return [*best.values()][:MOST_FOUND]


# Words that every page has.
STOP = frozenset("a an and do does how i in is it my of on the to what with".split())


def _words(text: str) -> list[str]:
    """The words of a text in lower case, without the s of a plural."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words]


# --- pages ------------------------------------------------------------------------------------------------------------


@cache
def pages() -> dict[str, list[Passage]]:
    """The sections of each page, by the name of the page."""
    files = sorted(_files(docs_folder()))
    return {name: sections for name, text in files if (sections := [*_sections(name, text)])}


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    """The names and the texts of the pages in a folder; the Python reference, `help(rm.evaluate)`, is left out."""
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name not in ("api", "notebooks", "tooling"):
            yield from _files(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".md"):
            yield _name(above + entry.name.removesuffix(".md")), entry.read_text(encoding="utf-8")


def _sections(page: str, text: str) -> Iterator[Passage]:
    title, heading, level, is_code = "", "", 1, False
    lines: list[str] = []
    for line in text.splitlines():
        is_code ^= bool(FENCE.match(line))
        if not is_code and (match := re.match(r"(#{1,6})\s+(.*?)\s*#*$", line)):
            if lines and title:
                yield Passage(page, title, heading, level, "\n".join(lines))
            level, heading, lines = len(match[1]), re.sub(r"[`*]|\]\([^)]*\)|\[", "", match[2]), []
            title = title or heading
        lines.append(line)
    if title:
        yield Passage(page, title, heading, level, "\n".join(lines))


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site write it: `who-is-averaged`."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
