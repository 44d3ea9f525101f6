"""Markdown of the pages: tables, generated parts, links and headings as GitHub and the site read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from pymdownx.slugs import slugify


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; `|` in a cell is escaped."""
    return "\n".join([_row(headings), f"|{'---|' * len(headings)}", *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def convention_anchor(convention: str) -> str:
    """The anchor of a convention in docs/conventions.md."""
    return f"#{convention.replace('.', '')}"


def between(text: str, mark: str, new: str) -> str:
    """Return a text with the lines between `<!-- mark -->` and `<!-- /mark -->` replaced."""
    pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", re.DOTALL)
    assert pattern.search(text), f"the page has no <!-- {mark} --> ... <!-- /{mark} -->"
    return pattern.sub(lambda found: f"{found[1]}{new}\n{found[2]}", text)


# [text](target), ![text](target), and src="target", href="target" and srcset="target" of HTML.
LINK = re.compile(r"""(?:\]\(\s*<?|\b(?:src|href|srcset)=")(?P<target>[^)\s">]+)""")
CODE = re.compile(r"(^ *(```+|~~~+).*?^ *\2 *$|(?<!`)(`+)(?!`).*?(?<!`)\3(?!`))", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
NAMED = re.compile(r"""<\w+\s[^>]*\b(?:id|name)="([^"]+)\"""")
DOCUMENTED = re.compile(r"^::: (\S+)", re.MULTILINE)  # mkdocstrings gives the heading of a name this anchor
SITE_SLUG: Callable[[str, str], str] = slugify(case="lower")


def outside_of_code(text: str, change: Callable[[str], str]) -> str:
    """A page with a change made to what stands outside of code."""
    return "".join(piece if is_code else change(piece) for piece, is_code in _pieces(text))


def links(text: str) -> list[str]:
    """The targets of the links of a page."""
    return [link["target"] for piece, is_code in _pieces(text) if not is_code for link in LINK.finditer(piece)]


def headings(text: str) -> list[str]:
    """The texts of the headings of a page, without marks of Markdown."""
    prose = re.sub(r"^ *(```+|~~~+).*?^ *\1 *$", "", text, flags=re.DOTALL | re.MULTILINE)
    plain = (re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(prose))
    return [re.sub(r"[`*]", "", heading) for heading in plain]


def github_anchors(text: str) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    return set(_numbered((re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings(text)), "-"))


def site_anchors(text: str) -> set[str]:
    """The anchors that the site gives to the headings of a page."""
    return set(_numbered((SITE_SLUG(one, "-") for one in headings(text)), "_"))


@cache
def anchors(page: Path) -> set[str]:
    """The anchors that a page has both on GitHub and on the site."""
    text = page.read_text(encoding="utf-8")
    return {*NAMED.findall(text), *DOCUMENTED.findall(text)} | (github_anchors(text) & site_anchors(text))


def broken_links(page: Path) -> Iterator[str]:
    """The relative links of a page that lead to no file or to no heading, each with the reason."""
    for link in links(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = unquote(link).partition("#")
        path = (page.parent / target).resolve() if target else page
        if not path.exists():
            yield f"{link}: there is no such file"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            yield f"{link}: the page has no such heading"
        elif anchor and path.is_dir():
            yield f"{link}: a folder has no headings"


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """A page in pieces, each with whether it is code."""
    end = 0
    for code in CODE.finditer(text):
        yield text[end : code.start()], False
        yield code[0], True
        end = code.end()
    yield text[end:], False


def _numbered(slugs: Iterator[str], mark: str) -> Iterator[str]:
    """Slugs, with a number after those that stand there already."""
    seen: dict[str, int] = {}
    for slug in slugs:
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        yield f"{slug}{mark}{count}" if count else slug
