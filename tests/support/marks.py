"""Generated parts of pages that are otherwise written by hand: they stand between two marks."""

from __future__ import annotations

import re


def between(text: str, mark: str, new: str) -> str:
    """Return a text with the lines between `<!-- mark -->` and `<!-- /mark -->` replaced."""
    pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", re.DOTALL)
    assert pattern.search(text), f"the page has no <!-- {mark} --> ... <!-- /{mark} -->"
    return pattern.sub(lambda found: f"{found[1]}{new}\n{found[2]}", text)
