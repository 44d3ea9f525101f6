"""What users of a library do not know: the pages show the call and the number that the library returned for it."""

from __future__ import annotations

import re

import pytest

from tests.fidelity.libraries import LIBRARIES
from tests.fidelity.library import Library
from tests.fidelity.test_migrating import FOLDER

# A row of such a table: a sentence, the call, the number or the name of the error.
ROW = re.compile(r"^\| [^|]+ \| `([^`|]+)` \| ([^|]+) \|$", re.MULTILINE)

WITH_QUIRKS = [library for library in LIBRARIES if "quirks" in library.about()]


@pytest.mark.parametrize("library", WITH_QUIRKS, ids=repr)
def test_a_page_shows_what_the_library_returned_for_each_call(library: Library) -> None:
    text = (FOLDER / f"{library.convention}.md").read_text(encoding="utf-8")
    section = text.partition("## What its users do not know\n")[2].partition("\n## ")[0]
    assert dict(ROW.findall(section)) == library.about()["quirks"]


def test_some_libraries_have_such_a_page() -> None:
    assert WITH_QUIRKS
