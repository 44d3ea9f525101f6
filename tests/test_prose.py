"""What users read: sentences of the guides and the messages are short, and have the words of the glossary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache

from rankmetrics.request import Request
from tests import ROOT

# The pages that people write, and how many words a sentence of these pages may have.
GUIDES = (
    "architecture comparing dbt dialects explaining gates glossary inputs judges messages migrating/README models "
    "orchestration performance plots reports sampled segments shapes spark splits ties tutorials/model "
    "warehouse-checks warnings"
).split()
PAGES = [*(f"docs/{guide}.md" for guide in GUIDES), "CONTRIBUTING.md"]
LONGEST = 36

# Words of earlier texts that readers had to read twice; the glossary and the field have other words for them.
INSTEAD_OF = {
    "as often as needed": "can be repeated",
    "cannot be had": "is not available",
    "is told": "is known",
    "are told": "are known",
    "said once": "shared",
    "what becomes of": "the result",
    "whose it is": "the library",
    "what is what": "the definition",
    "what is asked": "the requested columns",
    "the truth has not": "the truth does not have",
    "adds up over": "is additive over",
    "found or not": "even without recommendations",
}


def sentences(markdown: str) -> Iterator[str]:
    """The sentences of a page, without code, tables, headings and the addresses of links."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", markdown, flags=re.DOTALL)
    text = re.sub(r"^(\||#|!).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "]", text))
    for block in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.) ", text, flags=re.MULTILINE):
        yield from re.split(r"(?<=[.!?:;])\s+", " ".join(block.split()))


# The calls that make errors, warnings, options and flags.
MESSAGES = re.compile(r"(Error|Warning|Message|option|Option|Argument)$")


@cache
def texts_of_messages() -> list[tuple[str, str, str]]:
    """The texts of messages, each with the name of the call that makes it and its module."""
    return [
        (part.value, name, path.relative_to(ROOT / "rankmetrics").as_posix())
        for path in sorted((ROOT / "rankmetrics").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and MESSAGES.search(name := getattr(node.func, "attr", getattr(node.func, "id", "")))
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def test_sentences_are_found() -> None:
    text = "# Title\n\nOne sentence. Another: `one two`.\n\n- a list [with](a/link.md)\n\n```\nno prose\n```\n| a | b |"
    assert [sentence for sentence in sentences(text) if sentence] == [
        "One sentence.",
        "Another:",
        "code.",
        "a list [with]",
    ]


def test_pages_have_short_sentences_and_the_words_of_the_glossary() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        assert [sentence for sentence in sentences(text) if len(sentence.split()) > LONGEST] == [], page
        assert {old: new for old, new in INSTEAD_OF.items() if old in " ".join(text.split())} == {}, page


def test_messages_and_help_texts_have_the_words_of_the_glossary() -> None:
    texts = {text for text, _, _ in texts_of_messages()}
    assert len(texts) > 800
    assert {text: old for text in texts for old in INSTEAD_OF if old in text} == {}


def test_no_message_writes_an_option_as_text() -> None:
    options = "|".join(sorted(field.name for field in fields(Request)))
    spelled = re.compile(rf"(?<![\w.])({options})=(?![=\w])|rm\.Columns\(\w+=[^)]*\.\.\.")
    # in metrics, `missing` and the like are parameters, which all interfaces write alike; cli/ speaks of its own flags
    texts = [
        (module, text)
        for text, name, module in texts_of_messages()
        if name.endswith(("Error", "Warning")) and not module.startswith(("metrics/", "cli/"))
    ]
    assert len(texts) > 300
    assert [(module, text) for module, text in texts if spelled.search(text)] == []
