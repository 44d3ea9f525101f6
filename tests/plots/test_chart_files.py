"""Charts as files: what is in them, that they are whole, and that a page needs no network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rankmetrics as rm
from rankmetrics.plots.files import to_svg, write_chart

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def test_an_svg_holds_the_names_of_the_systems(sample: rm.Result, tmp_path: Path) -> None:
    write_chart(sample.plot.leaderboard("ndcg@10"), tmp_path / "board.svg")
    text = (tmp_path / "board.svg").read_text(encoding="utf-8")
    ET.fromstring(text)
    assert all(f">{name}<" in text for name in ("item-knn", "matrix-factorisation", "popular"))
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]


@pytest.mark.long
def test_an_svg_within_a_page_takes_the_colour_of_its_text(sample: rm.Result) -> None:
    chart = sample.plot.leaderboard("ndcg@10")
    assert 'fill="currentColor"' in to_svg(chart)
    assert 'fill="#123456"' in to_svg(chart, text_color="#123456")
    assert to_svg(chart).startswith("<svg")


@pytest.mark.long
def test_a_png_is_a_picture(sample: rm.Result, tmp_path: Path) -> None:
    write_chart(sample.plot.curve("ndcg"), tmp_path / "curve.PNG")
    assert (tmp_path / "curve.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_a_json_file_is_vega_lite(sample: rm.Result, tmp_path: Path) -> None:
    write_chart(sample.plot.curve("ndcg"), tmp_path / "curve.json")
    assert "vega-lite" in json.loads((tmp_path / "curve.json").read_text())["$schema"]


@pytest.mark.long
def test_an_html_file_loads_nothing(sample: rm.Result, tmp_path: Path) -> None:
    write_chart(sample.plot.curve("ndcg"), tmp_path / "curve.html")
    page = (tmp_path / "curve.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)


@pytest.mark.parametrize("name", ["curve.pdf", "curve", "curve.svg.gz"])
def test_another_ending_is_refused(name: str, sample: rm.Result, tmp_path: Path) -> None:
    with pytest.raises(rm.InputError, match=r"'\.svg', '\.png', '\.html' and '\.json'"):
        write_chart(sample.plot.curve("ndcg"), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist_is_refused(sample: rm.Result, tmp_path: Path) -> None:
    with pytest.raises(rm.InputError, match="Cannot write"):
        write_chart(sample.plot.curve("ndcg"), tmp_path / "none" / "curve.svg")


def test_without_altair_the_error_names_the_extra(sample: rm.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(rm.InputError, match=r"pip install 'rankmetrics\[plots\]'"):
        sample.plot.curve("ndcg")


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here to open a page")
@pytest.mark.parametrize("kind", ["curve", "leaderboard", "tradeoff", "distribution"])
def test_a_browser_draws_the_chart_of_an_html_file(kind: str, sample: rm.Result, tmp_path: Path) -> None:
    page = tmp_path / f"{kind}.html"
    write_chart(getattr(sample.plot, kind)(), page)
    quiet = "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update"
    done = subprocess.run(
        [
            str(CHROMIUM),
            *("--headless", "--no-sandbox", "--disable-sync", "--enable-logging=stderr"),
            *quiet.split(),
            f"--user-data-dir={tmp_path / 'profile'}",
            *("--virtual-time-budget=8000", "--dump-dom", page.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert re.search(r"<(canvas|svg)[^>]*marks", done.stdout)
    assert "CONSOLE" not in done.stderr
