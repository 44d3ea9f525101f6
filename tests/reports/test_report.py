"""`rm.report`: what the page has, and what it never has."""

from __future__ import annotations

import re
import sqlite3
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling.html_pages import Page
from rankmetrics.reports.report import (
    SECTIONS,
    ReportFacts,
    Section,
    code,
    comparison,
    distributions,
    leaderboard,
    page_of,
    segments,
    summary,
    templates,
    versions,
    worst,
)
from tests import ROOT
from tests.support import flat
from tests.support.refusals import refusal
from tests.support.two_systems import RECS, RECS_PATH, TRUTH, TRUTH_PATH

pytestmark = pytest.mark.usefixtures("without_charts")

OF_A = RECS.filter(pl.col("algorithm") == "a").drop("algorithm")


@pytest.fixture(scope="module")
def sample(without_charts: None) -> tuple[Page, str]:
    """The page of the sample, and its query."""
    folder = RECS_PATH.parent
    inputs: dict[str, Any] = {"catalog": folder / "items.parquet", "history": folder / "history.parquet"}
    result = flat.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10", "recall@5,10", "rr", "coverage@10"], **inputs)
    return Page(rm.report(result, title="The sample")), result.to_sql()


def _words(result: rm.Result, *sections: Section, **options: Any) -> str:
    """The words of a page with some sections only: each takes queries of its own."""
    return Page(page_of(ReportFacts(result, **options), sections=sections)).words


# --- structure --------------------------------------------------------------------------------------------------------


def test_every_section_is_there_with_a_heading_and_a_link_from_the_contents(sample: tuple[Page, str]) -> None:
    page, _ = sample
    names = [str(attributes["id"]) for attributes in page.of("section")]
    assert names == [section.__name__ for section in SECTIONS]
    table = (ROOT / "docs" / "reports.md").read_text("utf-8").partition("|---|---|---|\n")[2].partition("\n\n")[0]
    titles = [row.split("|")[1].strip() for row in table.splitlines()]
    assert titles == [*SECTIONS.values()], "docs/reports.md describes every section"
    links = [str(attributes["href"]) for attributes in page.of("a")]
    inside = [link for link in links if link.startswith("#")]
    assert sorted(inside) == sorted(f"#{name}" for name in names * 2)  # in the contents, and next to the heading
    assert len(inside) < len(links)
    assert all(link.startswith("https://doi.org/10.") for link in links if link not in inside)


def test_the_page_is_whole_says_what_it_is_loads_nothing_and_runs_nothing(sample: tuple[Page, str]) -> None:
    page, _ = sample
    assert page.text.startswith("<!DOCTYPE html>")
    assert page.is_closed
    assert len(page.ids) == len({*page.ids})
    assert page.of("html")[0]["lang"] == "en"
    assert not page.loaded
    assert page.of("script") == page.of("link") == []
    assert [word for word in ("url(http", "@import") if word in page.text] == []
    metas = {meta.get("name") or meta.get("http-equiv") or "": str(meta.get("content")) for meta in page.of("meta")}
    assert page.of("meta")[0] == {"charset": "utf-8"}
    assert "width=device-width" in metas["viewport"]
    assert metas["Content-Security-Policy"].startswith("default-src 'none'")


def _luminance(color: str) -> float:
    """The relative luminance of a colour, by WCAG 2."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


INKS = [(ink, paper) for ink in ("ink", "muted", "accent") for paper in ("paper", "card")]
INKS += [("best", "best-card"), ("muted", "best-card"), ("warning", "warning-card")]


def test_text_has_the_contrast_of_wcag_aa_in_light_and_dark_and_paper_has_a_style(sample: tuple[Page, str]) -> None:
    style = sample[0].within("style")[0]
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    schemes = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part)) for part in style.split("@media screen")[:2]]
    for colors in schemes:
        for ink, paper in INKS:
            low, high = sorted((_luminance(colors[ink]), _luminance(colors[paper])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, paper)


# --- what it says -----------------------------------------------------------------------------------------------------


def test_the_page_of_the_sample_says_what_its_numbers_mean(sample: tuple[Page, str]) -> None:
    page, query = sample
    for words in (
        "matrix-factorisation has the highest mean ndcg@10: 0.3027",
        "(95% confidence interval 0.2878 to 0.3180), over 998 lists of each system",
        "That is 0.0413 (15.8%) more than item-knn. The difference is significant (paired t-test",
        "998 lists: p < 0.0001).",
        "Best by the other metrics: matrix-factorisation by recall@5, recall@10, rr; item-knn by coverage@10.",
        "The counts of the data that are not 0. count total item-knn matrix-factorisation popular catalog_items",
        "Counts that are 0 or that only warnings read. count total item-knn matrix-factorisation popular catalog_rep",
        "6 lists of the recommendations without truth; metrics that need",
        "item-knn 0.2614 ▼ significantly worse than matrix-factorisation 0.2469 to 0.2765",
        "SELECT n_hits / NULLIF($divisor, 0) AS recall",
        "3 to 13",  # segments by activity, from the history
        " ".join(query.split()),
    ):
        assert words in page.words
    assert "recall@5, recall@10" in page.within("h3")
    assert "https://doi.org/10.1145/582415.582418" in page.text


def test_a_database_without_a_standard_deviation_gives_means_without_intervals() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE recs (algorithm TEXT, user INTEGER, item INTEGER, rank INTEGER)")
    connection.execute("CREATE TABLE truth (user INTEGER, item INTEGER, rating REAL)")
    connection.executemany("INSERT INTO recs VALUES (?, ?, ?, ?)", RECS.rows())
    connection.executemany("INSERT INTO truth VALUES (?, ?, ?)", TRUTH.rows())
    words = _words(rm.evaluate("recs", "truth", "rr", connection=connection), summary, leaderboard)
    assert "a has the highest mean rr: 0.5000, over 3 lists" in words
    assert "a 0.5000 best" in words
    assert "There are no confidence intervals: SQLite has no standard deviation." in words
    connection.close()


def test_of_a_pair_the_better_system_comes_first_also_where_low_is_good() -> None:
    recs = pl.DataFrame({"algorithm": ["a", "a", "b", "b"], "user": [1, 2] * 2, "item": [7, 9, 9, 9], "rank": [1] * 4})
    truth = pl.DataFrame({"user": [1, 2], "item": [7, 7]})
    words = _words(rm.evaluate(recs, truth, ["unjudged@1", "hit@1"]), summary, comparison)
    assert "a has the lowest, which is the best, mean unjudged@1: 0.5000" in words
    assert "That is 0.5000 (50.0%) less than b. The difference is not significant" in words
    assert "hit@1 a b +0.5000" in words
    assert "unjudged@1 a b -0.5000 (-50.0%)" in words
    assert "1/1/0 0.5000" in words


def test_partitions_are_summed_up_one_by_one_and_many_in_one_sentence() -> None:
    """On day 2, both systems find nothing; on day 3, there is nothing to find."""

    def by_day(n: int) -> str:
        days = pl.DataFrame({"day": range(1, n + 1)}, schema={"day": pl.Int64})
        truth = TRUTH.join(days, how="cross").with_columns(
            item=pl.when(pl.col("day") == 2).then(5).otherwise("item"),
            rating=pl.when(pl.col("day") == 3).then(0).otherwise("rating"),
        )
        result = rm.evaluate(RECS.join(days, how="cross"), truth, "rr", by=["day", "algorithm"])
        return _words(result, summary)

    words = by_day(3)
    assert "For day = 1: a has the highest mean rr: 0.5000" in words
    assert "For day = 2: a has the highest mean rr: 0.0000, over 3 lists of each system. b has exactly the" in words
    assert "For day = 3: rr is undefined for every list of every system." in words
    assert "Of 9 partitions (day), best by rr: a in 8, b in 1." in by_day(9)


def test_undefined_values_of_a_system_without_recommendations_are_not_among_the_lists_of_a_mean() -> None:
    """One list has no relevant items; the system without recommendations has no share of unjudged items."""
    truth = pl.DataFrame({"user": [1, 2], "item": [7, 7], "rating": [1, 0]})
    recs = pl.DataFrame({"algorithm": ["a", "a"], "user": [1, 2], "item": [7, 7], "rank": [1, 1]})
    words = _words(rm.evaluate(recs, truth, ["rr", "unjudged@1"], systems=["a", "new"]), summary, leaderboard)
    assert "a has the highest mean rr: 1.0000, over 1 list of each system." in words
    truth = truth.with_columns(rating=1)
    words = _words(rm.evaluate(recs, truth, ["rr", "unjudged@1"], systems=["a", "new"]), leaderboard)
    assert "algorithm rr unjudged@1 † n_lists" in words


def test_values_that_differ_by_rounding_are_equally_good() -> None:
    facts = ReportFacts(rm.evaluate(RECS, TRUTH, "rr"))
    best = facts.best("rr", [{"rr": 0.1 + 0.2}, {"rr": 0.2}, {"rr": None}, {"rr": 0.3}])
    assert [row["rr"] for row in best] == [0.1 + 0.2, 0.3]


def test_a_number_of_a_system_is_not_called_a_mean_and_has_no_values_of_lists() -> None:
    result = rm.evaluate(RECS, TRUTH, "coverage@1", catalog=pl.DataFrame({"item": [7, 8]}))
    words = _words(result, summary, comparison, distributions, worst)
    assert "b has the highest coverage@1: 1.0000" in words
    assert "Comparison: every metric is one number for each system, and a test needs" in words
    for title in ("Distributions", "Worst lists"):
        assert f"{title}: every metric is one number for each system, and has no values of lists." in words


def test_a_report_calls_one_system_alone_not_best_and_names_what_it_leaves_out() -> None:
    words = _words(rm.evaluate(OF_A, TRUTH, "rr"), *SECTIONS)
    assert "The mean rr is 0.5000" in words
    assert "over 3 lists." in words
    assert "has the highest" not in words
    left_out = words.partition("Not in this report:")[2]
    assert "Comparison: there is only one system." in left_out
    assert "Curves: no metric was requested with a cutoff." in left_out
    assert "Segments: no segments were named, and there is no history" in left_out


def test_a_report_compares_with_the_baseline_and_has_warnings_in_its_summary() -> None:
    """Of 20 users, a finds the items of all, b of half; c finds none, and d has two lists."""
    users = range(20)
    rows = [
        (system, user, 7 if hit else 8, 1) for user in users for system, hit in [("a", 1), ("b", user % 2), ("c", 0)]
    ]
    recs = pl.DataFrame([*rows, ("d", 1, 7, 1), ("d", 2, 8, 1)], schema=RECS.columns, orient="row")
    result = rm.evaluate(recs, pl.DataFrame({"user": users, "item": 7}), "hit@1")
    page = Page(page_of(ReportFacts(result, "b"), sections=[summary, leaderboard, comparison]))
    assert "That is 0.5000 (100.0%) more than b, the baseline. The difference is significant" in page.words
    assert "a 1.0000 ▲ significantly better than b" in page.words
    assert "c 0.0000 ▼ significantly worse than b" in page.words
    assert "Each system is compared with the baseline, b" in page.words
    assert "hit@1 a c" not in page.words
    assert {"class": "warning"} in page.of("p")
    assert "Lists are missing unequally" in page.words
    words = page.words.partition("What the means are taken over")[0]
    assert "b has 20 lists, d 2, and 2 are of both. Over all lists, which count missing lists as 0, the differ" in words
    with refusal(rm.InputError, "'knn'", "systems are 'a', 'b', 'c' and 'd'"):
        _words(result, comparison, baseline="knn")


def _by_rank(ranks: dict[str, list[int]], first: int = 0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Recommendations of four items, and a truth of one item, which each system has at the rank of each user."""
    rows = [
        (system, user, 0 if place == rank else place, place)
        for system, of_users in ranks.items()
        for user, rank in enumerate(of_users, first)
        for place in (1, 2, 3, 4)
    ]
    recs = pl.DataFrame(rows, schema=["algorithm", "user", "item", "rank"], orient="row")
    return recs, recs.select("user", item=0).unique()


def test_what_few_lists_cannot_show_is_not_called_significant() -> None:
    words = _words(rm.evaluate(*_by_rank({"a": [1, 1], "b": [2, 2]}), "rr"), summary, leaderboard, comparison)
    assert "The difference is not significant (paired t-test, p-values corrected by Holm's method, 2 lists: p" in words
    assert "; 2 lists cannot show a difference at p < 0.05: 6 are needed. " in words
    assert "significantly worse" not in words
    assert "There are no confidence intervals, as of too few lists: rankmetrics help intervals" in words
    ranks = {"a": [1, 1, 2, 1, 2, 1, 1, 1], "b": [2, 1, 1, 1, 2, 2, 1, 1]}
    words = _words(rm.evaluate(*_by_rank(ranks), "rr"), summary)
    assert re.search(
        r"8 lists: p = 0.\d+\); these 8 lists would show a difference of 0.3\d+ with a power of 0.8\.", words
    )


def test_the_best_is_compared_with_the_second_also_with_a_baseline() -> None:
    ranks = {"a": [1, 2] * 50, "b": [2, 2] * 50, "c": [3, 4] * 50}
    result = rm.evaluate(*_by_rank(ranks), "rr")
    words = _words(result, summary, baseline="c")
    assert "more than c, the baseline. The difference is significant" in words
    assert "The second is b (0.5000). The difference is significant" in words
    words = _words(result, comparison, baseline="c", statistics={"margin": "5%", "tests": ("t", "bootstrap")})
    assert "Each system is compared with the baseline, c, list by list: paired t-test, p-values corrected" in words
    assert "effect size wins/ties/losses p (t) p (bootstrap)" in words
    assert "a is better than c in rr by 157 %; it is not worse by your margin of 5 %" in words


def test_arms_are_compared_over_their_own_lists_if_asked_for() -> None:
    control, treatment = _by_rank({"control": [1, 2, 3] * 10}), _by_rank({"treatment": [1, 2] * 35}, first=30)
    recs, truth = (pl.concat(both) for both in zip(control, treatment, strict=True))
    result = rm.evaluate(recs, truth, "rr")
    words = _words(result, summary, comparison, worst)
    reason = "control has 30 lists, treatment 70, and 0 are of both: this looks like an experiment with arms. Compare"
    assert f"was not tested: {reason} each system over its own lists: paired=False. The means count" in words
    assert f"Comparison: {reason}" in words
    assert "loses most against" not in words
    with refusal(rm.InputError, "Arms are compared over their own lists", 'evaluate with missing="skip"'):
        _words(result, summary, statistics={"paired": False})
    words = _words(rm.evaluate(recs, truth, "rr", missing="skip"), summary, comparison, statistics={"paired": False})
    assert "The difference is significant (Welch's t-test, p-values corrected by Holm's method, 100 lists" in words
    assert "All pairs are compared, each over its own lists: Welch's t-test" in words
    assert "lists of the arms: control 30 (30.0%), treatment 70 (70.0%); check them against the shares" in words


def test_lists_of_a_user_are_a_cluster_in_the_comparison() -> None:
    recs, truth = (
        frame.with_columns(user=pl.col("user") % 8, day=pl.col("user") // 8)
        for frame in _by_rank({"a": [1, 1, 2] * 8, "b": [2, 1, 1] * 8})
    )
    words = _words(rm.evaluate(recs, truth, "rr", lists=["algorithm", "user", "day"]), comparison)
    assert "list by list: paired t-test clustered by user, p-values corrected by Holm's method." in words
    assert "lists of the same user are a cluster (cluster=[] turns it off)" in words


def test_segments_worst_lists_inputs_and_options() -> None:
    users = pl.DataFrame({"user": [1, 2, 3], "country": ["se", "se", "<i>"]})
    result = rm.evaluate(RECS, TRUTH, "rr", by="algorithm")
    facts = ReportFacts(result, segments={"country": users})
    page = Page(page_of(facts, sections=[segments, worst, versions]))
    for words in (
        "country a b n_lists",
        "se 0.7500 best 0.5000 2",
        "The lists on which a loses most against b, by rr.",
        "a 1 0.5000 1.0000 0.5000",  # user 1: rank 2, and rank 1 in the list of b
        "The lists with the worst rr of a. algorithm user rr n_relevant first_hit a 3 0.0000 1 – a 1 0.5000 1 2 a 2",
        "by algorithm",
        "lists by algorithm, user; item = item; rank = rank",
        f"rankmetrics {rm.__version__}",
    ):
        assert words in page.words
    assert page.of("i") == []
    recs = pl.DataFrame({"algorithm": ["a", "b"], "user": [1, 1], "item": [8, 7], "rank": [1, 1]})
    assert "a loses against b on no list, by rr." in _words(rm.evaluate(recs, TRUTH, "rr"), worst)


def test_code_keeps_its_lines_and_its_spaces() -> None:
    text = "-- a < b\nSELECT\n  '<i>'\n\nFROM t"
    lines = code(text).partition("<code>")[2].partition("</code>")[0]
    assert lines == '<span class="comment">-- a &lt; b</span>\nSELECT\n  &#39;&lt;i&gt;&#39;\n\nFROM t'


# --- what it refuses and escapes --------------------------------------------------------------------------------------


def test_names_and_values_of_the_data_never_become_html_also_in_the_file(tmp_path: Path) -> None:
    evil, path = "<script>alert('a')</script>\ufffe", tmp_path / "report.html"
    recs = RECS.with_columns(algorithm=pl.lit(evil) + pl.col("algorithm")).rename({"algorithm": "<b>&amp;"})
    result = rm.evaluate(recs.lazy(), TRUTH.lazy(), {"m": "rr"}, lists=["<b>&amp;", "user"])
    page = Page(rm.report(result, path, title=f"{evil}\ud800"))  # all sections
    assert page.of("script") == page.of("b") == []
    assert page.is_closed
    assert r"<script>alert('a')</script>\ufffea" in page.words
    assert "<b>&amp;" in page.within("th")
    assert path.read_text(encoding="utf-8") == page.text
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_what_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, result = tmp_path / "report.html", rm.evaluate(RECS, TRUTH, "rr")
    with refusal(rm.DataError, "ranks"):
        rm.report(rm.evaluate(RECS.with_columns(rank=5), TRUTH, "rr"), path)
    assert not path.exists()
    with refusal(rm.InputError, "end its name in .html, unlike '", "report.pdf'"):
        rm.report(result, tmp_path / "report.pdf")
    with refusal(rm.InputError, "Cannot write"):
        rm.report(result, tmp_path / "nowhere" / "report.html")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    templates.cache_clear()
    with refusal(rm.InputError, "pip install 'rankmetrics-sql[report]'"):
        rm.report(result)
