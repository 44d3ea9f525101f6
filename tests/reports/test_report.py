"""`rm.report`: what the page has, and what it never has."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling.html_pages import Page
from rankmetrics.reports.blocks import code, templates
from rankmetrics.reports.facts import ReportOptions
from rankmetrics.reports.report import write_report
from rankmetrics.reports.sections import (
    SECTIONS,
    Section,
    comparison,
    leaderboard,
    segments,
    sql,
    summary,
    versions,
    worst,
)
from tests import ROOT
from tests.support.engines import LOCAL, Engine
from tests.support.two_systems import RECS, RECS_PATH, TRUTH, TRUTH_PATH

pytestmark = pytest.mark.usefixtures("without_charts")

METRICS = ["ndcg@10", "recall@5,10", "rr", "coverage@10"]


@pytest.fixture(scope="module")
def sample(without_charts: None) -> Page:
    result = rm.evaluate(
        RECS_PATH,
        TRUTH_PATH,
        METRICS,
        catalog=RECS_PATH.parent / "items.parquet",
        history=RECS_PATH.parent / "history.parquet",
    )
    return Page(rm.report(result, title="The sample"))


def _report(result: rm.Result, *sections: Section, **options: Any) -> Page:
    """A page with some sections only: each takes queries of its own."""
    return Page(write_report(result, None, ReportOptions("title", **options), sections or (summary, leaderboard)))


def _page(
    recs: pl.DataFrame = RECS,
    truth: pl.DataFrame = TRUTH,
    metrics: Any = "rr",
    sections: Sequence[Section] = (),
    **options: Any,
) -> Page:
    return _report(rm.evaluate(recs, truth, metrics, **options), *sections)


# --- structure --------------------------------------------------------------------------------------------------------


def test_every_section_is_there_with_a_heading_and_a_link_from_the_contents(sample: Page) -> None:
    names = [str(attributes["id"]) for attributes in sample.of("section")]
    assert names[:2] == ["summary", "leaderboard"]
    assert {
        "comparison",
        "curves",
        "distributions",
        "segments",
        "worst",
        "account",
        "definitions",
        "sql",
        "versions",
    } <= {*names}
    assert len(names) == len(SECTIONS)
    table = (ROOT / "docs" / "reports.md").read_text("utf-8").partition("|---|---|---|\n")[2].partition("\n\n")[0]
    assert len(table.splitlines()) == len(SECTIONS), "docs/reports.md describes every section"
    links = [attributes["href"] for attributes in sample.of("a") if str(attributes["href"]).startswith("#")]
    assert [link for link in links if links.count(link) < 2] == []  # in the contents, and beside the heading
    assert {*links} == {f"#{name}" for name in names}


def test_the_page_is_whole_says_what_it_is_loads_nothing_and_runs_nothing(sample: Page) -> None:
    assert sample.text.startswith("<!DOCTYPE html>")
    assert sample.is_closed
    assert len(sample.ids) == len({*sample.ids})
    assert sample.of("html")[0]["lang"] == "en"
    assert not sample.loaded
    assert sample.of("script") == sample.of("link") == []
    assert [word for word in ("url(http", "@import") if word in sample.text] == []
    metas = {
        one.get("name") or one.get("http-equiv") or "charset": str(one.get("content")) for one in sample.of("meta")
    }
    assert sample.of("meta")[0] == {"charset": "utf-8"}
    assert "width=device-width" in metas["viewport"]
    assert metas["Content-Security-Policy"].startswith("default-src 'none'")


def test_only_sources_link_elsewhere(sample: Page) -> None:
    links = [str(attributes["href"]) for attributes in sample.of("a")]
    outside = [link for link in links if not link.startswith("#")]
    assert outside
    assert [link for link in outside if not link.startswith("https://doi.org/10.")] == []


def _luminance(color: str) -> float:
    """The relative luminance of a colour, by WCAG 2."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


INKS = [(ink, paper) for ink in ("ink", "muted", "accent") for paper in ("paper", "card")]
INKS += [("best", "best-card"), ("muted", "best-card"), ("warning", "warning-card")]


def test_text_has_the_contrast_of_wcag_aa_in_light_and_dark_and_paper_has_a_style(sample: Page) -> None:
    style = sample.within("style")[0]
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    schemes = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part)) for part in style.split("@media screen")[:2]]
    for colors in schemes:
        for ink, paper in INKS:
            low, high = sorted((_luminance(colors[ink]), _luminance(colors[paper])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, paper)


# --- what it says -----------------------------------------------------------------------------------------------------


def test_the_page_of_the_sample_says_what_its_numbers_mean(sample: Page) -> None:
    for words in (
        "matrix-factorisation has the highest mean ndcg@10: 0.3027",
        "(95% confidence interval 0.2901 to 0.3153), over 998 lists of each system",
        "That is 0.0413 (15.8%) more than item-knn. The difference is significant (paired t-test",
        "998 lists: p < 0.0001).",
        "item-knn by coverage@10",
        "6 lists have recommendations but no truth; metrics that need",
        "item-knn 0.2614 ▼ significantly worse than matrix-factorisation 0.2491 to 0.2737",
        "SELECT n_hits / NULLIF($divisor, 0) AS recall",
        "3 to 13",  # segments by activity, from the history
    ):
        assert words in sample.words
    assert "recall@5, recall@10" in sample.within("h3")
    assert "https://doi.org/10.1145/582415.582418" in sample.text


def test_the_leaderboard_has_the_numbers_of_the_summary_and_marks_the_best(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"], **engine.options)
    words = _report(result).words
    means = {row["algorithm"]: row["rr"] for row in result.collect().rows(named=True)}
    assert means == {"a": 0.5, "b": pytest.approx(1 / 3)}
    assert "a 0.5000 best" in words
    assert "b 0.3333" in words


def test_a_database_without_a_standard_deviation_gives_means_without_intervals() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE recs (algorithm TEXT, user INTEGER, item INTEGER, rank INTEGER)")
    connection.execute("CREATE TABLE truth (user INTEGER, item INTEGER, rating REAL)")
    connection.executemany("INSERT INTO recs VALUES (?, ?, ?, ?)", RECS.rows())
    connection.executemany("INSERT INTO truth VALUES (?, ?, ?)", TRUTH.rows())
    words = _report(rm.evaluate("recs", "truth", "rr", connection=connection)).words
    assert "a has the highest mean rr: 0.5000, over 3 lists" in words
    assert "There are no confidence intervals: SQLite has no standard deviation." in words
    connection.close()


def test_a_metric_that_is_better_low_has_the_lowest_as_the_best() -> None:
    recs = pl.DataFrame(
        {"algorithm": ["a", "a", "b", "b"], "user": [1, 2, 1, 2], "item": [7, 7, 7, 8], "rank": [1] * 4}
    )
    truth = pl.DataFrame({"user": [1, 2], "item": [7, 8]})
    words = _page(recs, truth, "unjudged@1").words
    assert "b has the lowest, which is the best, mean unjudged@1: 0.0000" in words


def test_equal_means_are_called_equal() -> None:
    recs = pl.DataFrame({"algorithm": ["a", "b"], "user": [1, 1], "item": [7, 7], "rank": [1, 1]})
    words = _page(recs, TRUTH.with_columns(item=pl.lit(7)), "rr").words
    assert "b has exactly the same mean." in words


def test_a_number_of_a_system_is_not_called_a_mean() -> None:
    words = _page(metrics="coverage@1", catalog=pl.DataFrame({"item": [7, 8]})).words
    assert "b has the highest coverage@1: 1.0000" in words


def test_one_system_is_not_called_the_best() -> None:
    words = _page(RECS.filter(pl.col("algorithm") == "a").drop("algorithm")).words
    assert "The mean rr is 0.5000" in words
    assert "over 3 lists." in words
    assert "has the highest" not in words


def test_partitions_are_summed_up_one_by_one_and_many_in_one_sentence() -> None:
    def by_day(n: int) -> str:
        days = pl.DataFrame({"day": range(n)}, schema={"day": pl.Int64})
        return _page(RECS.join(days, how="cross"), TRUTH.join(days, how="cross"), by=["day", "algorithm"]).words

    assert "For day = 1: a has the highest mean rr: 0.5000" in by_day(2)
    assert "Of 9 partitions (day), best by rr: a in 9." in by_day(9)


def test_a_metric_that_is_undefined_everywhere_is_called_undefined() -> None:
    words = _page(metrics="ndcg(rel=9)@3").words
    assert "ndcg(rel=9)@3 is undefined for every list of every system." in words


def test_warnings_stand_in_the_summary() -> None:
    recs = pl.DataFrame({"algorithm": ["a"] * 20 + ["b"], "user": [*range(20), 1], "item": [7] * 21, "rank": [1] * 21})
    truth = pl.DataFrame({"user": range(20), "item": [7] * 20})
    page = _page(recs, truth, "hit@1")
    assert {"class": "warning"} in page.of("p")
    assert "Lists are missing unequally" in page.words


def test_the_sql_is_the_one_query(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr", **engine.options)
    assert " ".join(result.to_sql().split()) in _report(result, sql).words


def test_options_inputs_and_releases_are_told() -> None:
    words = _page(sections=[versions], missing="skip").words
    assert "missing skip" in words
    assert "lists by algorithm, user; item = item; rank = rank" in words
    assert f"rankmetrics {rm.__version__}" in words


def test_a_baseline_is_what_the_others_are_compared_with() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10", "rr"])
    words = _report(result, summary, leaderboard, comparison, baseline="popular").words
    assert "That is 0.1743 (135.8%) more than popular, the baseline." in words
    assert "item-knn 0.2614 ▲ significantly better than popular" in words
    assert "Each system is compared with the baseline, popular" in words
    assert "matrix-factorisation − item-knn" not in words


def test_an_unknown_baseline_is_refused() -> None:
    with pytest.raises(rm.InputError, match=r"'knn'.*systems are 'a' and 'b'"):
        rm.report(rm.evaluate(RECS, TRUTH, "rr"), baseline="knn")


def test_of_a_pair_the_better_system_comes_first_also_where_low_is_good() -> None:
    recs = pl.DataFrame({"algorithm": ["a", "a", "b", "b"], "user": [1, 2] * 2, "item": [7, 9, 9, 9], "rank": [1] * 4})
    truth = pl.DataFrame({"user": [1, 2], "item": [7, 7]})
    words = _page(recs, truth, ["hit@1", "unjudged@1"], [comparison]).words
    assert "a − b hit@1 +0.5000" in words
    assert "a − b unjudged@1 -0.5000" in words
    assert "1 / 1 / 0 2 lists" in words


def test_segments_of_the_caller_have_a_table_each() -> None:
    users = pl.DataFrame({"user": [1, 2, 3], "country": ["se", "se", "<i>"]})
    page = _report(rm.evaluate(RECS, TRUTH, "rr"), segments, segments={"country": users})
    assert "country a b n_lists" in page.words
    assert "se 0.7500 best 0.5000 2" in page.words
    assert page.of("i") == []


def test_the_worst_lists_are_those_that_lose_most_and_those_of_low_values() -> None:
    words = _page(sections=[worst]).words
    assert "The lists on which a loses most against b, by rr." in words
    assert "a 1 0.5000 1.0000 0.5000" in words  # user 1: rank 2, and rank 1 in the list of b
    assert "The lists with the worst rr of a. algorithm user rr a 3 0.0000 a 1 0.5000 a 2 1.0000" in words


def test_without_a_loss_that_is_said() -> None:
    recs = pl.DataFrame({"algorithm": ["a", "b"], "user": [1, 1], "item": [8, 7], "rank": [1, 1]})
    assert "a loses against b on no list, by rr." in _page(recs, sections=[worst]).words


def test_what_a_report_leaves_out_is_told_with_the_reason() -> None:
    words = _page(RECS.filter(pl.col("algorithm") == "a").drop("algorithm"), sections=SECTIONS).words
    left_out = words.partition("Not in this report:")[2]
    assert "Comparison: there is only one system." in left_out
    assert "Curves: no metric was requested with a cutoff." in left_out
    assert "Segments: no segments were named, and there is no history" in left_out


def test_code_keeps_its_lines_and_its_spaces() -> None:
    text = "-- a < b\nSELECT\n  '<i>'\n\nFROM t"
    lines = code(text).partition("<code>")[2].partition("</code>")[0]
    assert lines == '<span class="comment">-- a &lt; b</span>\nSELECT\n  &#39;&lt;i&gt;&#39;\n\nFROM t'


# --- what it refuses and escapes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_names_and_values_of_the_data_never_become_html(engine: Engine) -> None:
    evil = "<script>alert('a')</script>"
    recs = RECS.with_columns(algorithm=pl.lit(evil) + pl.col("algorithm")).rename({"algorithm": "<b>&amp;"})
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), {"m": "rr"}, lists=["<b>&amp;", "user"])
    page = Page(rm.report(result, title=evil))  # all sections
    assert page.of("script") == page.of("b") == []
    assert page.is_closed
    assert evil + "a" in page.words
    assert "<b>&amp;" in page.within("th")


def test_data_that_collect_refuses_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    with pytest.raises(rm.DataError, match="ranks"):
        rm.report(rm.evaluate(RECS.with_columns(rank=pl.lit(5)), TRUTH, "rr"), path)
    assert not path.exists()


def test_the_file_holds_the_page_that_is_returned(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    text = rm.report(rm.evaluate(RECS, TRUTH, "rr"), path)
    assert path.read_text(encoding="utf-8") == text
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]


def test_a_path_that_does_not_end_in_html_or_is_nowhere_is_refused(tmp_path: Path) -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    with pytest.raises(rm.InputError, match=r"end its name in \.html, unlike '.*report\.pdf'"):
        rm.report(result, tmp_path / "report.pdf")
    with pytest.raises(rm.InputError, match="Cannot write"):
        rm.report(result, tmp_path / "nowhere" / "report.html")


def test_without_jinja_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    templates.cache_clear()
    with pytest.raises(rm.InputError, match=r"pip install 'rankmetrics\[report\]'"):
        rm.report(rm.evaluate(RECS, TRUTH, "rr"))
