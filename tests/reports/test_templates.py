"""The templates: one for each kind of block."""

from __future__ import annotations

import typing

from docs.tooling.html_pages import Page
from rankmetrics._files import packaged
from rankmetrics.reports.blocks import Block, Code, Section
from rankmetrics.reports.page import TEMPLATES, open_templates, page


def test_every_kind_of_block_has_a_template_and_every_template_a_kind() -> None:
    kinds = {kind.kind for kind in typing.get_args(Block)}
    files = {one.name for one in packaged(TEMPLATES).joinpath("blocks").iterdir()}
    assert files == {f"{kind}.html" for kind in kinds}


def test_code_keeps_its_lines_and_its_spaces() -> None:
    text = "-- a < b\nSELECT\n  '<i>'\n\nFROM t"
    shown = Page(page(open_templates(), "title", "", [Section("sql", "SQL", [Code(text)])]))
    code = shown.text.partition("<code>")[2].partition("</code>")[0]
    assert code == '<span class="comment">-- a &lt; b</span>\nSELECT\n  &#39;&lt;i&gt;&#39;\n\nFROM t'
