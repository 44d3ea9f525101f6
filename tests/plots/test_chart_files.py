"""Charts as files: what is in them, that they are whole, and that a page needs no network."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rankmetrics as rm
from rankmetrics.errors import UNSEEN
from rankmetrics.plots.files import to_svg, write_chart
from tests.support.browser import open_page
from tests.support.two_systems import named


def test_an_svg_holds_the_names_of_the_systems(sample: rm.Result, tmp_path: Path) -> None:
    write_chart(sample.plot.leaderboard("ndcg@10"), tmp_path / "board.svg")
    text = (tmp_path / "board.svg").read_text(encoding="utf-8")
    ET.fromstring(text)
    assert all(f">{name}<" in text for name in ("item-knn", "matrix-factorisation", "popular"))
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]


def test_a_control_character_in_the_name_of_a_system_is_seen_and_drawn() -> None:
    """The library that draws ends the process at a character that XML cannot hold."""
    result = named("esc\x1b[1m", "nul\x00", "half\ufffe")
    plots = result.plot
    charts = [plots.leaderboard(), plots.curve(), plots.tradeoff("hit@1", "rr"), plots.distribution(), plots.compare()]
    for chart in charts:
        text = json.dumps(chart.to_dict(), ensure_ascii=False)
        assert not UNSEEN.search(text.replace("\\u00", "\x00")), text
    ET.fromstring(svg := to_svg(charts[0]))
    assert all(name in svg for name in ("esc\\x1b[1m", "nul\\x00", "half\\ufffe"))


@pytest.mark.long
def test_a_file_is_a_drawing_a_picture_vega_lite_or_a_page_of_its_own(sample: rm.Result, tmp_path: Path) -> None:
    chart = sample.plot.curve("ndcg")
    assert to_svg(chart).startswith("<svg")
    assert 'fill="currentColor"' in to_svg(chart)
    assert 'fill="#123456"' in to_svg(chart, text_color="#123456")
    for ending in ("PNG", "json", "html"):
        write_chart(chart, tmp_path / f"curve.{ending}")
    assert (tmp_path / "curve.PNG").read_bytes().startswith(b"\x89PNG")
    assert "vega-lite" in json.loads((tmp_path / "curve.json").read_text())["$schema"]
    page = (tmp_path / "curve.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)


def test_another_ending_and_a_folder_that_does_not_exist_are_refused(sample: rm.Result, tmp_path: Path) -> None:
    chart = sample.plot.curve("ndcg")
    for name in ("curve.pdf", "curve", "curve.svg.gz"):
        with pytest.raises(rm.InputError, match=r"'\.svg', '\.png', '\.html' and '\.json'"):
            write_chart(chart, tmp_path / name)
    with pytest.raises(rm.InputError, match="Cannot write"):
        write_chart(chart, tmp_path / "none" / "curve.svg")
    assert list(tmp_path.iterdir()) == []


def test_without_altair_the_error_names_the_extra(sample: rm.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(rm.InputError, match=r"pip install 'rankmetrics-sql\[plots\]'"):
        sample.plot.curve("ndcg")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["curve", "leaderboard", "tradeoff", "distribution"])
def test_a_browser_draws_the_chart_of_an_html_file(kind: str, sample: rm.Result, tmp_path: Path) -> None:
    write_chart(getattr(sample.plot, kind)(), tmp_path / f"{kind}.html")
    shown, messages = open_page(tmp_path / f"{kind}.html", "--virtual-time-budget=8000", "--dump-dom")
    assert re.search(r"<(canvas|svg)[^>]*marks", shown)
    assert messages == []
