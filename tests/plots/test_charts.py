"""The charts: their data, the systems in them, what is refused, the files, and the examples of docs/plots.md."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling.page_code import commands
from rankmetrics.errors import UNSEEN
from rankmetrics.plots.files import to_svg, write_chart
from rankmetrics.plots.plots import COLORS, tick_values
from tests import ROOT
from tests.support.browser import open_page
from tests.support.commands import run
from tests.support.engines import Engine
from tests.support.two_systems import RECS, RECS_PATH, TRUTH, TRUTH_PATH, named


def parts(chart: Any) -> Iterator[dict[str, Any]]:
    """The specification of a chart, and of its layers and panels."""
    waiting = [chart.to_dict()]  # Altair checks the chart by the schema of Vega-Lite
    while waiting:
        part = waiting.pop()
        waiting += [*part.get("layer", []), *part.get("concat", []), *([part["spec"]] if "spec" in part else [])]
        yield part


def rows(chart: Any) -> list[dict[str, Any]]:
    """The rows in the data of the layers of a chart, each once."""
    named, found = chart.to_dict().get("datasets", {}), list[dict[str, Any]]()
    for part in parts(chart):
        data = part.get("data", {})
        found += [row for row in data.get("values", named.get(data.get("name"), [])) if row not in found]
    return found


def colors(chart: Any) -> dict[str, str]:
    scales = [part.get("encoding", {}).get("color", {}).get("scale") for part in parts(chart)]
    scale = next(scale for scale in scales if scale)
    return dict(zip(scale["domain"], scale["range"], strict=True))


CHARTS: dict[str, Callable[[rm.Result], Any]] = {
    "curve": lambda result: result.plot.curve("ndcg"),
    "leaderboard": lambda result: result.plot.leaderboard(),
    "one metric": lambda result: result.plot.leaderboard("ndcg@10"),
    "trade-off": lambda result: result.plot.tradeoff("ndcg@10", "coverage@10"),
    "distribution": lambda result: result.plot.distribution("ap@10"),
}


@pytest.mark.long
def test_a_system_has_one_colour_in_every_chart(sample: rm.Result) -> None:
    expected = dict(zip(["item-knn", "matrix-factorisation", "popular"], COLORS, strict=False))
    assert {name: colors(chart(sample)) for name, chart in CHARTS.items()} == dict.fromkeys(CHARTS, expected)


def test_a_curve_has_the_means_and_intervals_of_the_summary(engine: Engine) -> None:
    recs, truth = engine.give(RECS), engine.give(TRUTH)
    found = rows(rm.evaluate(recs, truth, "ndcg@2").plot.curve("recall", ks=[2, 1]))
    summary = rm.evaluate(recs, truth, ["recall@1", "recall@2"], aggregates=["mean", "ci_low", "ci_high"]).collect()
    expected = [
        (row["algorithm"], k, *(row[f"recall@{k}{end}"] for end in ("", " ci_low", " ci_high")), 3)
        for k in (1, 2)
        for row in summary.to_dicts()
    ]
    columns = ("system", "k", "value", "low", "high", "n_lists")
    shown = sorted((tuple(row[name] for name in columns) for row in found), key=lambda row: (row[1], row[0]))
    assert [row["metric"] for row in found] == [f"recall@{row['k']}" for row in found]
    assert shown == [pytest.approx(row) for row in expected]


def cutoffs(chart: Any) -> list[int]:
    return sorted({row["k"] for row in rows(chart)})


def test_a_curve_has_the_requested_cutoffs_its_own_or_ends_at_the_longest_list(sample: rm.Result) -> None:
    assert cutoffs(sample.plot.curve("recall")) == [1, 2, 3, 5, 10, 20]
    plot = rm.evaluate(RECS, TRUTH, ["rr@7", "hit", "precision@1..4"]).plot
    curves = {"rr": [1, 2, 7], "hit@5": [1, 2, 3, 5], "precision": [1, 2, 3, 4]}
    assert {metric: cutoffs(plot.curve(metric)) for metric in curves} == curves


def test_charts_measure_another_metric_under_the_policies_of_the_evaluation() -> None:
    skipped = rm.evaluate(RECS, TRUTH, "hit@1", missing="skip").plot.leaderboard("rr")
    assert {row["system"]: row["value"] for row in rows(skipped)} == {"a": 0.75, "b": 0.5}
    theirs = rm.evaluate(RECS, TRUTH, "NDCG@2", convention="replay").plot.curve("MAP", ks=[2])
    (expected,) = rm.evaluate(RECS, TRUTH, "MAP@2", convention="replay", by=[]).collect()["MAP@2"]
    assert sum(row["value"] for row in rows(theirs)) / 2 == pytest.approx(expected)


def test_a_leaderboard_has_a_panel_per_metric_and_the_best_system_on_top(sample: rm.Result) -> None:
    chart = sample.plot.leaderboard()
    assert isinstance(chart, alt.ConcatChart)
    means = sample.collect()
    for panel, metric in zip(chart.to_dict()["concat"], ["ndcg@10", "precision@10", "coverage@10"], strict=True):
        scale = panel["layer"][-1]["encoding"]["y"]["scale"]
        assert scale["domain"] == means.sort("ndcg@10", descending=True)["algorithm"].to_list()
        values = {row["system"]: row["value"] for row in rows(chart) if row["metric"] == metric}
        assert values == pytest.approx(dict(means.select("algorithm", metric).rows()))
    assert all(row["low"] is None for row in rows(chart) if row["metric"] == "coverage@10")


@pytest.mark.long
def test_where_a_lower_value_is_better_it_stands_on_top_and_the_axis_says_so() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, "popularity_rank@10", history=RECS_PATH.parent / "history.parquet")
    panel = result.plot.leaderboard().to_dict()["layer"][-1]["encoding"]
    better = rm.parse("popularity_rank").definition.fields.get("better")
    order = result.collect().sort("popularity_rank@10", descending=better != "lower")["algorithm"].to_list()
    assert panel["y"]["scale"]["domain"] == order


def test_a_tradeoff_joins_the_systems_that_no_other_beats(sample: rm.Result) -> None:
    chart = sample.plot.tradeoff("ndcg@10", "coverage@10").to_dict()
    front = chart["datasets"][chart["layer"][0]["data"]["name"]]
    assert [row["system"] for row in front] == ["matrix-factorisation", "item-knn"]
    assert "no other beats" in chart["title"]["subtitle"][-1]


def test_a_distribution_counts_the_lists_by_value(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr"])
    per_list = engine.read(result.per_list())
    found = rows(result.plot.distribution("rr"))
    for row in found:
        values = per_list.filter(pl.col("algorithm") == row["system"])["rr"]
        inside = values.filter((values >= row["start"]) & (values < row["end"]))
        assert (row["n"], row["share"]) == (len(inside), pytest.approx(len(inside) / len(values)))
        assert row["mean"] == pytest.approx(values.mean())
    assert sum(row["n"] for row in found) == len(per_list)


def test_a_distribution_says_how_many_lists_it_leaves_out() -> None:
    chart = rm.evaluate(RECS, TRUTH, "hit@1").plot.distribution("rr(rel=4)")
    assert chart.to_dict()["title"]["subtitle"][1] == "4 lists for which it is undefined are left out."


def test_twenty_systems_are_shown_and_a_sentence_says_which() -> None:
    result = named(*(f"s{number:02}" for number in range(25)))
    for chart in (result.plot.leaderboard("rr"), result.plot.tradeoff(), result.plot.distribution("rr")):
        spec = chart.to_dict()
        assert spec["title"]["subtitle"][-1] == "The best 20 of 25 systems by rr."
        assert {row["system"] for row in rows(chart) if "system" in row} == {f"s{number:02}" for number in range(20)}


def test_several_columns_of_by_name_a_system() -> None:
    for by, systems in ((["day", "algorithm"], {"3, a", "3, b"}), ([], {"all lists"})):
        result = rm.evaluate(RECS.with_columns(day=pl.lit(3)), TRUTH, "rr", by=by)
        assert {row["system"] for row in rows(result.plot.leaderboard())} == systems


REFUSED: dict[str, Callable[[Any], Any]] = {
    "takes no cutoff": lambda plot: plot.curve("n_relevant"),
    "ndcg": lambda plot: plot.curve("ndgc"),
    "cutoff": lambda plot: plot.curve("ndcg", ks=[0]),
    "ks is a list of cutoffs": lambda plot: plot.curve("ndcg", ks=[]),
    "ks is a list of": lambda plot: plot.curve("ndcg", ks=5),
    "No metric of the evaluation has a cutoff": lambda plot: plot.curve(),
    "The evaluation has 1 metric": lambda plot: plot.tradeoff(),
    "both are rr": lambda plot: plot.tradeoff("rr", "rr"),
    "is 2 metrics": lambda plot: plot.leaderboard("recall@5,10"),
    "confidence must lie between 0 and 1": lambda plot: plot.leaderboard(confidence=95),
    "no distribution over lists": lambda plot: plot.distribution("user_coverage@1"),
    "from 2 to 200": lambda plot: plot.distribution("rr", bins=1),
}


def test_what_cannot_be_drawn_is_refused() -> None:
    plot = rm.evaluate(RECS, TRUTH, "rr").plot
    for message, draw in REFUSED.items():
        with pytest.raises((rm.MetricError, rm.InputError), match=message):
            draw(plot)


def test_charts_draw_neither_refused_data_nor_metrics_undefined_for_every_list() -> None:
    apart = rm.evaluate(RECS, TRUTH.with_columns(pl.col("user") + 10), "rr")
    with pytest.raises(rm.DataError, match="No list is in both"):
        apart.plot.leaderboard()
    undefined = rm.evaluate(RECS, TRUTH.with_columns(rating=0.0), "rr")
    for draw in (undefined.plot.leaderboard, undefined.plot.distribution):
        with pytest.raises(rm.DataError, match="nothing to draw"):
            draw()


@pytest.mark.long
def test_a_metric_beside_estimates_from_a_sample_is_refused() -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": [7, 8, 9], "score": [0.3, 0.2, 0.1]})
    sample = rm.Negatives(n=2, estimate="simple", n_items=3)
    truth = pl.DataFrame({"user": [1], "item": [8]})
    result = rm.evaluate(recs, truth, "rr", catalog=recs.select("item"), sample=sample)
    assert rows(result.plot.leaderboard())[0]["value"] == result.collect()[result.metrics[0].label][0]
    with pytest.raises(rm.MetricError, match="estimates its metrics from a sample"):
        result.plot.leaderboard("hit@1")


def test_a_database_without_a_standard_deviation_draws_no_intervals_and_says_so() -> None:
    with sqlite3.connect(":memory:") as connection:
        for name, frame in (("recs", RECS), ("truth", TRUTH)):
            columns = ", ".join(f"{one} {'TEXT' if one == 'algorithm' else 'INTEGER'}" for one in frame.columns)
            connection.execute(f"CREATE TABLE {name} ({columns})")
            connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * frame.width)})", frame.rows())
        plot = rm.evaluate("recs", "truth", ["rr", "hit@1"], connection=connection).plot
        board, bars = plot.leaderboard(), plot.distribution()
        assert plot.curve("rr", ks=[1])
    connection.close()
    assert board.to_dict()["title"]["subtitle"] == ["Without intervals: the database has no standard deviation."]
    assert {row["low"] for row in rows(board)} == {None}
    assert rows(bars) == rows(rm.evaluate(RECS, TRUTH, ["rr"]).plot.distribution())


# --- forest plots -----------------------------------------------------------------------------------------------------

PAIRS = pl.DataFrame(
    {
        "metric": ["ndcg@10"] * 2 + ["rr"] * 2,
        "baseline": ["pop"] * 4,
        "system": ["als", "knn"] * 2,
        "difference": [0.1, 0.01, 0.2, None],
        "ci_low": [0.05, -0.01, 0.1, None],
        "ci_high": [0.15, 0.03, 0.3, None],
        "p_t": [0.001, 0.2, 0.001, None],
        "p_t_adjusted": [0.002, 0.2, 0.002, None],
    }
)


def test_a_forest_plot_has_a_point_per_pair_and_fills_significant_differences(sample: rm.Result) -> None:
    chart = sample.plot.compare(PAIRS)
    found = {(row["metric"], row["system"]): row["is_significant"] for row in rows(chart) if "system" in row}
    assert found == dict.fromkeys([("ndcg@10", "als"), ("ndcg@10", "knn"), ("rr", "als")], True)  # no verdicts
    title = chart.to_dict()["title"]
    assert (title["text"], title["subtitle"]) == ("Difference to pop", ["Lines are confidence intervals."])
    before = pl.DataFrame({"user": range(8), "rr": [0.5, 0.4] * 4, "hit": [1, 0] * 4})
    after = before.with_columns(rr=pl.col("rr") + pl.Series([0.1, 0.2] * 4), hit=pl.Series([0] + [1, 0] * 3 + [0]))
    chart = sample.plot.compare(rm.compare_files(before, after, ["rr", "hit"]))
    verdicts = {row["metric"]: row["is_significant"] for row in rows(chart) if "system" in row}
    assert verdicts == {"rr": True, "hit": False}
    assert (
        chart.to_dict()["title"]["subtitle"][1] == "Filled points are significant differences, hollow points are not."
    )
    two = sample.plot.compare(rm.compare_files(before[:2], after[:2], "rr"))
    assert [row["is_significant"] for row in rows(two) if "system" in row] == [False]


def test_a_chart_of_too_few_lists_for_intervals_says_so() -> None:
    plot = rm.evaluate(RECS, TRUTH, ["rr"]).plot
    for chart in (plot.leaderboard(), plot.curve("rr", ks=[1, 2])):
        assert chart.to_dict()["title"]["subtitle"] == ["Without intervals: the lists are too few."]


def test_without_a_comparison_the_systems_of_the_result_are_compared(sample: rm.Result) -> None:
    compared = sample.compare(baseline="popular").collect().sort("metric", "system")
    drawn = pl.DataFrame([row for row in rows(sample.plot.compare(baseline="popular")) if "system" in row])
    found = drawn.sort("metric", "system")["difference"].to_list()
    assert found == pytest.approx(compared["difference"].to_list(), abs=1e-12)  # engines add in any order


def test_pairs_with_several_baselines_are_named_by_both(sample: rm.Result) -> None:
    every = PAIRS.with_columns(baseline=pl.Series(["pop", "als", "pop", "als"]))
    assert {row["system"] for row in rows(sample.plot.compare(every.lazy())) if "system" in row} == {
        "als − pop",
        "knn − als",
    }


def test_a_frame_that_is_no_comparison_is_refused(sample: rm.Result) -> None:
    with pytest.raises(rm.InputError, match=r"'difference'.* are missing"):
        sample.plot.compare(PAIRS.drop("difference", "ci_low"))
    with pytest.raises(rm.InputError, match="nothing to draw"):
        sample.plot.compare(PAIRS.clear())


def test_a_curve_of_many_cutoffs_names_round_ones_and_shows_no_points() -> None:
    assert tick_values([1, 2, 3, 5, 10], is_wide=False) == [1, 2, 3, 5, 10]
    assert tick_values([*range(1, 101)], is_wide=True) == [1, 2, 5, 10, 20, 50, 100]
    assert len(tick_values([*range(50, 150)], is_wide=False)) <= 11
    chart = rm.evaluate(RECS, TRUTH, ["hit@1"]).plot.curve("hit", range(1, 41)).to_dict()
    assert [layer["mark"]["opacity"] for layer in chart["layer"] if layer["mark"]["type"] == "point"] == [0]
    assert chart["layer"][0]["encoding"]["x"]["title"] == "cutoff k (logarithmic)"


def test_a_notebook_shows_a_chart_without_the_network() -> None:
    chart: Any = rm.evaluate(RECS, TRUTH, ["hit@1"]).plot.leaderboard()
    shown = chart._repr_mimebundle_()
    assert {form.partition("/")[2] for form in shown} == {"vnd.vegalite.v6+json", "svg+xml"}
    assert "https://cdn" not in str(shown)


# --- Charts as files: what is in them, that they are whole, and that a page needs no network --------------------------


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


# --- docs/plots.md: its Python and its commands run, and its picture shows the numbers of the sample ------------------


PAGE = (ROOT / "docs" / "plots.md").read_text(encoding="utf-8")
PICTURE = (ROOT / "docs" / "leaderboard.svg").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample, in which the page is followed."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_the_blocks_run_in_their_order(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    assert "| matrix-factorisation | 998 | 0 | **0.3027** |" in capsys.readouterr().out
    assert "<svg" in names["page"]
    texts = [set(re.findall(r">([^<>]+)</text>", svg)) for svg in (PICTURE, (checkout / "leaderboard.svg").read_text())]
    assert texts[0] == texts[1]


@pytest.mark.long
def test_the_commands_run(checkout: Path) -> None:
    here = [words for words in commands("docs/plots.md") if not any("//" in word for word in words)]
    assert [run(*words)[0] for words in here] == [0] * 7
    written = {path.name for path in checkout.iterdir()} - {"data"}
    assert written == {"curve.svg", "tradeoff.png", "monday.html", "leaderboard.tex", "ml.duckdb"}


def test_the_picture_is_small() -> None:
    assert len(PICTURE) < 40_000
