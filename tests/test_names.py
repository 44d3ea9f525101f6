"""Names and docstrings of the package: variables are nouns, classes have names of their own, docstrings read once."""

from __future__ import annotations

import ast
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests import ROOT

MODULES = sorted((ROOT / "rankmetrics").rglob("*.py"))

# Names that do not say what a variable holds: write the noun of the thing.
VAGUE = frozenset("one found made asked given told held called taken kept wanted said met meant".split())

# Words of docstrings and comments that read like a translation, each with what a native writes.
FOREIGN = {
    r"in the place of": "in place of, instead of",
    r"\banew\b": "again",
    r"\bstands? for\b": "means, replaces",
    r"\bstands? (?:in|after|before|there|beside)\b": "is",
    r"\bsooner\b": "faster",
    r"\bbeside\b": "next to, in addition to",
    r"\b(?:is|are) told\b": "is known",
    r"\bread of none\b": "nothing reads it",
    r"(?<![Tt]here )\b(?:is|are) no (?!longer|more|doubt)": "is not a",
}

# What is left of each, by what is counted: a number may fall, and never rise.
REMAINING = {"variables": 24, "classes": 0, "docstrings": 0, "words": 0}


@cache
def trees() -> list[tuple[Path, ast.Module]]:
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in MODULES]


def variables(tree: ast.AST) -> Iterator[str]:
    """The names of the variables and arguments that a module binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def docstrings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(node)):
            yield text


def prose(path: Path, tree: ast.AST) -> Iterator[str]:
    """The docstrings and comments of a module, each on one line."""
    yield from (" ".join(text.split()) for text in docstrings(tree))
    with tokenize.open(path) as file:
        yield from (token.string for token in tokenize.generate_tokens(file.readline) if token.type == tokenize.COMMENT)


def test_a_variable_is_a_noun() -> None:
    count = Counter(
        f"{path.relative_to(ROOT)}: {name}" for path, tree in trees() for name in variables(tree) if name in VAGUE
    )
    assert count.total() <= REMAINING["variables"], count.most_common(40)


def test_no_two_classes_share_a_name() -> None:
    classes = Counter(node.name for _, tree in trees() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    shared = [name for name, n in classes.items() if n > 1]
    assert len(shared) <= REMAINING["classes"], shared


def test_a_docstring_begins_with_a_noun_or_a_verb() -> None:
    unclear = [
        f"{path.relative_to(ROOT)}: {text.splitlines()[0]}"
        for path, tree in trees()
        for text in docstrings(tree)
        if re.match(r"(?:What|Whether|Which|How)\b", text)
    ]
    assert len(unclear) <= REMAINING["docstrings"], unclear


def test_docstrings_and_comments_have_the_words_of_a_native() -> None:
    texts = [(path.relative_to(ROOT), text) for path, tree in trees() for text in prose(path, tree)]
    foreign = [
        f"{path}: {match[0]!r} (write: {better}) in {text[max(match.start() - 60, 0) : match.end() + 40]!r}"
        for path, text in texts
        for word, better in FOREIGN.items()
        for match in re.finditer(word, text)
    ]
    assert len(foreign) <= REMAINING["words"], foreign


def test_variables_of_all_kinds_are_counted() -> None:
    code = "for one in rows: pass\ndef f(given): return [found for found in rows]\nif (made := f()): pass"
    assert {name for name in variables(ast.parse(code)) if name in VAGUE} == {"one", "made", "given", "found"}
