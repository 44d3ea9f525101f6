"""A report in a browser: drawn, without a message of the console."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rankmetrics as rm
from docs.tooling.html_pages import Page
from tests.support.browser import open_page
from tests.support.two_systems import RECS_PATH, TRUTH_PATH

# The leaderboard, the comparison, the curve and the distribution.
CHARTS = 4


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    rm.report(rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10"]), path)
    return path


# A script, run in a copy of the page that allows scripts: the sizes of the drawings, and how wide the page is.
MEASURE = """<script>
const drawn = [...document.querySelectorAll("svg")].map(svg => svg.getBBox());
document.body.dataset.drawn = drawn.map(box => Math.round(box.width) + "x" + Math.round(box.height)).join(" ");
document.body.dataset.tooWide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
</script></body>"""


@pytest.mark.long
def test_a_browser_opens_the_page_silently_and_fits_every_chart_into_a_phone(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    charts = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert all("mark-symbol" in chart or "mark-rect" in chart or "mark-line" in chart for chart in charts)
    assert all("currentColor" in chart and "<script" not in chart for chart in charts)
    page = Page(text)
    assert len(charts) == len(page.within("figcaption")) == CHARTS
    assert page.is_closed
    assert page.loaded == []
    assert len(page.ids) == len({*page.ids})

    dom, messages = open_page(report, "--dump-dom")
    assert messages == []
    shown = Page(dom)
    assert shown.words == page.words
    assert len(shown.of("svg")) == CHARTS
    assert [path for path, _ in shown.texts if "svg" in path]  # the names of systems and axes

    copy = report.with_name("measured.html")
    without_policy = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    copy.write_text(without_policy.replace("</body>", MEASURE), encoding="utf-8")
    dom, messages = open_page(copy, "--window-size=390,2000", "--dump-dom")
    assert messages == []
    body = Page(dom).of("body")[0]
    sizes = [[int(side) for side in size.split("x")] for size in str(body["data-drawn"]).split()]
    assert len(sizes) == CHARTS
    assert all(width > 200 and height > 80 for width, height in sizes)
    assert body["data-too-wide"] == "false"


@pytest.mark.long
def test_a_browser_prints_the_page_with_its_details_open(report: Path, tmp_path: Path) -> None:
    folded, whole = tmp_path / "folded.pdf", tmp_path / "whole.pdf"
    open_page(report, f"--print-to-pdf={whole}")
    text = report.read_text(encoding="utf-8")
    shut = report.with_name("shut.html")
    shut.write_text(text.replace("details::details-content", "details::no-such-part"), encoding="utf-8")
    open_page(shut, f"--print-to-pdf={folded}")
    assert len(re.findall(rb"/Type /Page\b", whole.read_bytes())) > len(
        re.findall(rb"/Type /Page\b", folded.read_bytes())
    )
