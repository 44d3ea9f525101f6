"""The pictures of docs/."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree as ET

import polars as pl
from rich.console import Console

import rankmetrics as rm
from docs.tooling import DOCS
from docs.tooling.speed_tables import results_of_benchmarks
from rankmetrics._files import data_folder
from rankmetrics.cli.commands import show_demo
from rankmetrics.inputs.columns import Ties
from rankmetrics.request import Missing

WIDTH = 480
Anchor = Literal["start", "middle", "end"]

# Colors of each class, on light and on dark pages; the contrast of texts with their background is at least 4.5.
COLORS = {
    "page": ("fill: #ffffff; stroke: #d0d7de", "fill: #0d1117; stroke: #3d444d"),
    "ink": ("fill: #1f2328", "fill: #f0f6fc"),
    "soft": ("fill: #59636e", "fill: #9198a1"),
    "good": ("fill: #116329", "fill: #56d364"),
    "link": ("fill: #0550ae", "fill: #79c0ff"),
    "cell": ("fill: #f6f8fa; stroke: #8c959f", "fill: #161b22; stroke: #6e7681"),
    "hit": ("fill: #c8f0d0; stroke: #116329", "fill: #0f3d20; stroke: #56d364"),
    "key": ("fill: #ddf0ff; stroke: #0550ae", "fill: #0f2d4d; stroke: #79c0ff"),
    "void": (
        "fill: none; stroke: #8c959f; stroke-dasharray: 4",
        "fill: none; stroke: #6e7681; stroke-dasharray: 4",
    ),
    "bar": ("fill: #54aeff", "fill: #388bfd"),
    "rule": ("fill: none; stroke: #8c959f", "fill: none; stroke: #6e7681"),
    "flow": ("fill: none; stroke: #0550ae; stroke-width: 2", "fill: none; stroke: #79c0ff; stroke-width: 2"),
    "tip": ("fill: #0550ae", "fill: #79c0ff"),
}
SANS = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, monospace"


def _style() -> str:
    light = "".join(f".{name}{{{both[0]}}}" for name, both in COLORS.items())
    dark = "".join(f".{name}{{{both[1]}}}" for name, both in COLORS.items())
    fonts = f"text{{font:16px {SANS}}}.small{{font-size:14px}}.strong{{font-weight:600}}.code{{font-family:{MONO}}}"
    return f"{fonts}{light}@media (prefers-color-scheme:dark){{{dark}}}".replace(": ", ":").replace("; ", ";")


@dataclass
class Drawing:
    """A picture that is drawn step by step; `svg()` returns it as text.

    `title` names the picture, and `description` says in words what it shows, for readers who do not see it.
    """

    height: int
    title: str
    description: str
    shapes: list[ET.Element] = field(default_factory=list)

    def _add(self, tag: str, classes: str, text: str | None = None, **attributes: float | str) -> None:
        values = {name: value if isinstance(value, str) else f"{value:g}" for name, value in attributes.items()}
        element = ET.Element(tag, {"class": classes} | values)
        element.text = text
        self.shapes.append(element)

    def text(self, x: float, y: float, words: str, classes: str = "ink", anchor: Anchor = "start") -> None:
        """Write words; `y` is their middle, and `anchor` says which end of them `x` is."""
        place = {} if anchor == "start" else {"text-anchor": anchor}
        self._add("text", classes, words, x=x, y=y, dy=".35em", **place)

    def box(self, x: float, y: float, width: float, height: float, classes: str = "cell") -> None:
        """Draw a rectangle with round corners from its upper left corner."""
        self._add("rect", classes, x=x, y=y, width=width, height=height, rx=5)

    def cell(self, x: float, y: float, width: float, words: str, classes: str = "cell", ink: str = "ink") -> None:
        """Draw a box of the height of a row, with words in its middle; `y` is the middle of the row."""
        self.box(x, y - 14, width, 28, classes)
        self.text(x + width / 2, y, words, ink, "middle")

    def dot(self, x: float, y: float, radius: float, classes: str) -> None:
        """Draw a circle around a point."""
        self._add("circle", classes, cx=x, cy=y, r=radius)

    def line(self, x: float, y: float, to_x: float, to_y: float, classes: str = "rule") -> None:
        """Draw a straight line between two points."""
        self._add("line", classes, x1=x, y1=y, x2=to_x, y2=to_y)

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw an arrow that runs along one axis: down, or to the right."""
        back_x, back_y = (to_x, to_y - 8) if x == to_x else (to_x - 8, to_y)
        self.line(x, y, back_x, back_y, "flow")
        wide, high = (5, 0) if x == to_x else (0, 5)
        corners = [(back_x - wide, back_y - high), (back_x + wide, back_y + high), (to_x, to_y)]
        self._add("polygon", "tip", points=" ".join(f"{left:g},{top:g}" for left, top in corners))

    def svg(self) -> str:
        """Return the picture as the text of an SVG file."""
        size = {"width": str(WIDTH), "height": str(self.height), "viewBox": f"0 0 {WIDTH} {self.height}"}
        names = {"role": "img", "aria-labelledby": "title description"}
        root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | size | names)
        ET.SubElement(root, "title", {"id": "title"}).text = self.title
        ET.SubElement(root, "desc", {"id": "description"}).text = self.description
        ET.SubElement(root, "style").text = _style()
        page = {"x": "0.5", "y": "0.5", "width": str(WIDTH - 1), "height": str(self.height - 1), "rx": "8"}
        ET.SubElement(root, "rect", {"class": "page"} | page)
        root.extend(self.shapes)
        ET.indent(root)
        return ET.tostring(root, encoding="unicode") + "\n"


FOLDER = DOCS / "concepts"
PAGES = sorted(path.stem for path in FOLDER.glob("*.md"))
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<shown>.*?)```)?", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """The Python blocks of a page after they ran in their order.

    `printed` and `shown` hold, for each block, what it printed and what the page shows below it.
    """

    names: dict[str, Any]
    printed: list[str]
    shown: list[str]


@cache
def example(page: str) -> Example:
    """Run the Python blocks of a page of docs/concepts."""
    found = Example({}, [], [])
    for block in BLOCK.finditer((FOLDER / f"{page}.md").read_text(encoding="utf-8")):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(block["code"], found.names)
        found.printed.append(out.getvalue())
        found.shown.append(block["shown"] or "")
    return found


def pictures(folder: Path) -> dict[Path, Callable[[], str]]:
    """Every picture of a folder, and the function that returns its text."""
    drawn = (pipeline, lists, scoring, averages, relevance, logs, ties, undefined, conventions, speed)
    return {folder / f"{draw.__name__}.svg": lambda draw=draw: draw().svg() for draw in drawn}  # type: ignore[misc]


def pipeline() -> Drawing:
    """From recommendations and truth to a leaderboard, by one query over the sample of data/."""
    recs, truth = data_folder() / "recs.parquet", data_folder() / "truth.parquet"
    board = rm.evaluate(recs, truth, "ndcg@10").collect().sort("ndcg@10", descending=True)
    best = board.row(0, named=True)
    drawing = Drawing(
        404,
        "One query from two tables to a leaderboard",
        "The recommendations and the truth go into one SQL query, which runs in Polars, DuckDB, Spark or a warehouse. "
        f"Its result is a leaderboard; {best['algorithm']} is first with an ndcg@10 of {best['ndcg@10']:.4f}.",
    )
    for x, name, path in ((20, "recommendations", recs), (250, "truth", truth)):
        columns = [column for column in pl.read_parquet_schema(path) if column != "partition"]
        drawing.box(x, 20, 210, 70)
        drawing.text(x + 105, 42, name, "ink strong", "middle")
        drawing.text(x + 105, 68, ", ".join(columns), "soft small", "middle")
        drawing.arrow(x + 105, 90, x + 105, 128)
    drawing.box(20, 130, 440, 70, "key")
    drawing.text(240, 152, "one SQL query for all metrics", "link strong", "middle")
    drawing.text(240, 178, "runs in Polars, DuckDB, Spark or your warehouse", "soft small", "middle")
    drawing.arrow(240, 200, 240, 238)
    drawing.box(20, 240, 440, 48 + 28 * board.height + 12)
    drawing.text(36, 262, "algorithm", "soft small")
    for x, heading in ((286, "n_lists"), (370, "n_missing"), (448, "ndcg@10")):
        drawing.text(x, 262, heading, "soft small", "end")
    drawing.line(20, 280, 460, 280)
    for row, system in enumerate(board.iter_rows(named=True)):
        y, ink = 302 + 28 * row, "good strong" if row == 0 else "ink"
        drawing.text(36, y, system["algorithm"], ink)
        drawing.text(286, y, f"{system['n_lists']:,}", "ink", "end")
        drawing.text(370, y, f"{system['n_missing']:,}", "ink", "end")
        drawing.text(448, y, f"{system['ndcg@10']:.4f}", ink, "end")
    return drawing


def _ranked(recs: pl.DataFrame, by: list[str]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The values of the list columns of each list, and its items in the order of their ranks."""
    for key, rows in recs.sort("rank").group_by(by, maintain_order=True):
        yield tuple(map(str, key)), rows["item"].to_list()


def _user(drawing: Drawing, y: float, user: str, why: str) -> None:
    """Write the name of a user at the left of a row, and below it why the row is special, if it is."""
    drawing.text(20, y - 9 if why else y, user)
    if why:
        drawing.text(20, y + 10, why, "soft small")


def lists() -> Drawing:
    """Lists of two systems, and the truth that both share."""
    names = example("lists").names
    recs, truth = names["recs"], names["truth"]
    drawing = Drawing(
        346,
        "What identifies a list",
        "The recommendations have four lists, one for each system and user. The truth has a list for each user, which "
        "serves the lists of both systems. Items of the truth are marked as hits.",
    )
    drawing.text(20, 28, "recommendations", "ink strong")
    drawing.text(20, 50, "a list: system, user", "soft small")
    drawing.text(340, 28, "truth", "ink strong")
    drawing.text(340, 50, "a list: user", "soft small")
    found = dict(_ranked(recs, ["user", "system"]))
    for place, user in enumerate(truth["user"].unique().sort()):
        top = 92 + 130 * place
        relevant = truth.filter(pl.col("user") == user)["item"].to_list()
        drawing.text(340, top + 16, user, "ink")
        for column, item in enumerate(relevant):
            drawing.cell(380 + 40 * column, top + 16, 34, item, "hit")
        for row, system in enumerate(sorted({system for one, system in found if one == user})):
            y = top + 44 * row
            drawing.text(20, y, f"{system}, {user}", "ink")
            for column, item in enumerate(found[user, system]):
                drawing.cell(146 + 40 * column, y, 34, item, "hit" if item in relevant else "cell")
            drawing.line(226, y, 290, y, "flow")
            drawing.line(290, y, 290, top + 16, "flow")
        drawing.arrow(290, top + 16, 330, top + 16)
    drawing.line(20, 176, 460, 176)
    drawing.box(20, 308, 20, 20, "hit")
    drawing.text(48, 318, "in the truth of this user; in a list: a hit", "soft small")
    return drawing


def scoring() -> Drawing:
    """A list, position by position: gain, discount, and the sums of the list and of its ideal list."""
    trace = example("lists").names["trace"]
    places = trace.collect()
    ndcg = trace.value("ndcg@5")
    total, ideal = (places[f"{part}@5 sum"].drop_nulls()[-1] for part in ("dcg_by_rank", "ideal_dcg"))
    drawing = Drawing(
        356,
        "How a list is scored",
        f"Five ranks with an item each. Hits add gain times discount: {total:.4f} together. The ideal list has "
        f"{ideal:.4f}, so ndcg@5 is {ndcg:.4f}.",
    )
    for x, heading, anchor in (
        (56, "rank", "end"),
        (99, "item", "middle"),
        (190, "gain", "end"),
        (292, "discount", "end"),
        (460, "gain × discount", "end"),
    ):
        drawing.text(x, 28, heading, "soft", anchor)  # type: ignore[arg-type]
    drawing.line(20, 46, 460, 46)
    for row, place in enumerate(places.iter_rows(named=True)):
        y = 70 + 36 * row
        drawing.text(56, y, str(place["rank"]), "ink", "end")
        drawing.cell(82, y, 34, place["item"], "hit" if place["relevant"] else "cell")
        if place["relevant"]:
            drawing.text(190, y, f"{place['gain']:.0f}", "ink", "end")
            drawing.text(292, y, f"{place['discount']:.4f}", "ink", "end")
            drawing.text(460, y, f"{place['dcg_by_rank@5']:.4f}", "good strong", "end")
        else:
            drawing.text(132, y, "no hit", "soft small")
    drawing.line(20, 236, 460, 236)
    wanted = ", ".join(places["ideal item"].drop_nulls())
    for y, words, number, ink in (
        (260, "sum: dcg@5", f"{total:.4f}", "good strong"),
        (290, f"sum of the ideal list {wanted}", f"{ideal:.4f}", "ink"),
        (326, f"ndcg@5 = {total:.4f} / {ideal:.4f}", f"{ndcg:.4f}", "link strong"),
    ):
        drawing.text(20, y, words, "ink")
        drawing.text(460, y, number, ink, "end")
    return drawing


def averages() -> Drawing:
    """The values of one system's lists, and their mean under three choices of `missing`."""
    names = example("averages").names
    recs, truth = names["recs"].filter(system="als"), names["truth"]
    choices: tuple[Missing, ...] = ("zero", "skip", "listed")
    results = {missing: rm.evaluate(recs, truth, "rr", missing=missing) for missing in choices}
    values = {missing: dict(one.per_list().collect().select("user", "rr").rows()) for missing, one in results.items()}
    means = {missing: one.collect()["rr"][0] for missing, one in results.items()}
    drawing = Drawing(
        316,
        "Who is averaged",
        "Reciprocal ranks of the lists of als. The mean is "
        + ", ".join(f"{mean:.2f} with missing={missing}" for missing, mean in means.items())
        + ". A list without recommendations counts 0 with zero, and is left out otherwise.",
    )
    columns = dict(zip(choices, (200, 295, 390), strict=True))
    drawing.text(20, 28, "rr of als", "ink strong")
    drawing.text(190, 28, "missing=", "soft code small", "end")
    for missing, x in columns.items():
        drawing.text(x + 35, 28, missing, "ink code", "middle")
    drawing.line(20, 46, 460, 46)
    recommended, judged = set(recs["user"]), set(truth["user"])
    for row, user in enumerate(sorted(recommended | judged)):
        y = 76 + 44 * row
        why = "no recommendations" if user not in recommended else "not in the truth" if user not in judged else ""
        _user(drawing, y, user, why)
        for missing, x in columns.items():
            found = values[missing].get(user)
            if user not in values[missing]:
                drawing.cell(x, y, 70, "left out", "void", "soft small")
            elif found is None:
                drawing.cell(x, y, 70, "NULL", "void", "soft small")
            else:
                drawing.cell(x, y, 70, f"{found:g}", "hit" if found else "key")
    drawing.line(20, 248, 460, 248)
    drawing.text(20, 280, "mean", "ink strong")
    for missing, x in columns.items():
        drawing.text(x + 35, 280, f"{means[missing]:.2f}", "link strong", "middle")
    return drawing


def relevance() -> Drawing:
    """Items with their ratings: relevant or not, and their gains."""
    names = example("relevance").names
    places = names["result"].trace(user="ann").collect()
    both = rm.evaluate(names["recs"], names["truth"], ["n_hits@4", "n_hits(rel=2)@4"]).trace(user="ann").collect()
    drawing = Drawing(
        268,
        "Which items are relevant, and how much they count",
        "Four items with a rating. An item is relevant if its rating is above 0; with rel=2, if it is at least 2. Its "
        "gain is 1 (binary), its rating (linear), or 2 to the power of its rating, minus 1 (exponential).",
    )
    headings = {"item": 40, "rating": 98, "default": 176, "rel=2": 250, "binary": 320, "linear": 378, "exp.": 438}
    for heading, x in headings.items():
        drawing.text(x, 52, heading, "soft code small" if heading == "rel=2" else "soft small", "middle")
    drawing.text(213, 26, "relevant?", "ink strong", "middle")
    drawing.text(379, 26, "gain", "ink strong", "middle")
    drawing.line(20, 70, 460, 70)
    ratings = dict(names["truth"].select("item", "rating").rows())
    for row, (place, limited) in enumerate(zip(places.iter_rows(named=True), both.iter_rows(named=True), strict=True)):
        y = 96 + 36 * row
        drawing.cell(23, y, 34, place["item"])
        drawing.text(98, y, str(ratings[place["item"]]), "ink strong", "middle")
        for x, is_relevant in ((176, place["relevant"]), (250, limited["n_hits(rel=2)@4"] is not None)):
            drawing.cell(x - 26, y, 52, "yes" if is_relevant else "no", "hit" if is_relevant else "void")
        for kind, x in (("binary", 320), ("linear", 378), ("exponential", 438)):
            gain = place[f"gain={kind}"]
            drawing.text(x, y, "–" if gain is None else f"{gain:g}", "soft" if gain is None else "ink", "middle")
    drawing.text(20, 244, "– : no hit, so no gain", "soft small")
    return drawing


def logs() -> Drawing:
    """What a log holds of each item, and what its clicks stand for under another policy."""
    names = example("../logs").names
    items, old, new = names["items"], names["old"], names["new"]
    logged = names["log"].group_by("item").agg(pl.len().alias("shown"), pl.col("reward").sum().alias("clicks"))
    counts = {item: (shown, clicks) for item, shown, clicks in logged.iter_rows()}
    drawing = Drawing(
        296,
        "What a click of the log stands for",
        "Four items with the probability that the old and the new policy show them, how often the log has them, their "
        "clicks, and the weight of a click: the new probability divided by the old one.",
    )
    headings = {"item": 52, "old": 128, "new": 184, "shown": 252, "clicks": 318, "weight": 384, "sum": 444}
    for heading, x in headings.items():
        drawing.text(x, 52, heading, "soft small", "middle")
    drawing.text(156, 26, "probability", "ink strong", "middle")
    drawing.text(285, 26, "in the log", "ink strong", "middle")
    drawing.line(20, 70, 460, 70)
    whole = 0.0
    for row, (item, before, after) in enumerate(zip(items, old, new, strict=True)):
        y, (shown, clicks) = 96 + 36 * row, counts[item]
        whole += clicks * after / before
        drawing.cell(20, y, 64, item, "key" if after > before else "cell")
        for x, text in ((128, f"{before:.2f}"), (184, f"{after:.2f}"), (252, f"{shown:,}"), (318, f"{clicks:,}")):
            drawing.text(x, y, text, "ink", "middle")
        drawing.text(384, y, f"{after / before:.2f}", "link strong", "middle")
        drawing.text(444, y, f"{clicks * after / before:,.0f}", "ink", "middle")
    drawing.line(20, 226, 460, 226)
    n_logged = names["log"].height
    drawing.text(460, 250, f"{whole:,.0f} clicks of {n_logged:,}: {whole / n_logged:.2f}", "good strong", "end")
    drawing.text(20, 274, f"the log itself: {names['log']['reward'].sum() / n_logged:.2f}", "soft small")
    return drawing


def ties() -> Drawing:
    """A list with three equal scores under each choice of `ties`."""
    names = example("ties").names
    recs, truth = names["recs"], names["truth"]
    relevant = set(truth["item"])
    choices: tuple[Ties, ...] = ("item", "best", "worst", "expected")
    found = {one: rm.evaluate(recs, truth, "rr", ties=one).collect()["rr"][0] for one in choices}
    drawing = Drawing(
        306,
        "Equal scores have several orders",
        "Item a has a higher score than b, c and d, whose scores are equal; c is relevant. The reciprocal rank is "
        + ", ".join(f"{value:.4f} with ties={one}" for one, value in found.items())
        + ".",
    )
    drawing.text(20, 28, "ties=", "soft code small")
    drawing.text(115, 28, "rank", "soft small", "end")
    for column in range(recs.height):
        drawing.text(147 + 50 * column, 28, str(column + 1), "soft small", "middle")
    drawing.text(460, 28, "rr", "soft", "end")
    drawing.line(20, 46, 460, 46)
    for row, one in enumerate(choices[:-1]):
        y = 74 + 44 * row
        drawing.text(20, y, one, "ink code")
        for column, item in enumerate(_order(recs, relevant, one)):
            drawing.cell(125 + 50 * column, y, 44, item, "hit" if item in relevant else "cell")
        drawing.text(460, y, f"{found[one]:.4f}", "ink", "end")
    drawing.text(20, 206, "expected", "ink code")
    drawing.text(125, 206, "mean over all orders", "ink")
    drawing.text(460, 206, f"{found['expected']:.4f}", "link strong", "end")
    drawing.line(20, 230, 460, 230)
    scores = "; ".join(f"{', '.join(rows['item'])}: score {rows['score'][0]:g}" for rows in recs.partition_by("score"))
    drawing.text(20, 254, scores, "soft small")
    drawing.box(20, 270, 20, 20, "hit")
    drawing.text(48, 280, "the relevant item", "soft small")
    return drawing


def _order(recs: pl.DataFrame, relevant: set[str], ties: str) -> list[str]:
    """The items of a list in the order that a choice of `ties` gives them."""
    is_relevant = pl.col("item").is_in(sorted(relevant))
    then = {"item": pl.col("item"), "best": ~is_relevant, "worst": is_relevant}[ties]
    return recs.sort(-pl.col("score"), then, maintain_order=True)["item"].to_list()


def undefined() -> Drawing:
    """Values per list, one of them NULL, and two means."""
    result = example("undefined").names["result"]
    values = result.per_list().collect().sort("user")
    summary = result.collect().row(0, named=True)
    null, zero = summary["recall@2"], summary["recall(undefined=zero)@2"]
    drawing = Drawing(
        276,
        "Undefined is NULL",
        f"The list of cleo has no relevant items, so its recall is NULL. The mean of the other two lists is {null:g}. "
        f"With 0 in the place of NULL the mean would be {zero:g}.",
    )
    drawing.text(20, 30, "recall@2", "ink strong")
    drawing.text(265, 30, "default", "ink", "middle")
    drawing.text(395, 30, "undefined=zero", "ink code small", "middle")
    drawing.line(20, 48, 460, 48)
    for row, one in enumerate(values.iter_rows(named=True)):
        y = 78 + 44 * row
        is_undefined = one["recall@2"] is None
        _user(drawing, y, one["user"], "no relevant items" if is_undefined else "")
        for x, label in ((265, "recall@2"), (395, "recall(undefined=zero)@2")):
            value = one[label]
            if value is None:
                drawing.cell(x - 40, y, 80, "NULL", "void", "soft")
            else:
                drawing.cell(x - 40, y, 80, f"{value:g}", "key" if is_undefined else "hit")
    drawing.line(20, 206, 460, 206)
    drawing.text(20, 238, "mean", "ink strong")
    drawing.text(265, 238, f"{null:g}", "link strong", "middle")
    drawing.text(395, 238, f"{zero:g}", "link strong", "middle")
    return drawing


def conventions() -> Drawing:
    """One list, and the values that libraries give to it under the same name of a metric."""
    found = example("conventions").names["compared"].collect()
    groups: dict[float, list[str]] = {}
    for row in found.iter_rows(named=True):
        groups.setdefault(round(row["value"], 12), []).append(row["convention"])
    drawing = Drawing(
        64 + 44 * len(groups) + 16,
        "One list, several numbers",
        "ndcg@5 of one list: " + "; ".join(f"{value:.4f} by {', '.join(who)}" for value, who in groups.items()) + ".",
    )
    drawing.text(20, 30, "ndcg@5 of one list", "ink strong")
    drawing.line(20, 48, 460, 48)
    for row, (value, who) in enumerate(sorted(groups.items(), reverse=True)):
        y = 80 + 44 * row
        drawing.text(190, y, ", ".join(who), "ink", "end")
        drawing.box(202, y - 12, 180 * value, 24, "bar")
        drawing.text(460, y, f"{value:.4f}", "ink", "end")
    return drawing


def speed() -> Drawing:
    """The CPU and the memory of other libraries as multiples of rankmetrics, from the last run of the benchmarks."""
    ratios = results_of_benchmarks()["peers"]["ratios"]
    beside = {name: [one[what]["median"] for what in ("cpu", "memory")] for name, one in ratios.items()}
    rows = {"rankmetrics": [1.0, 1.0]} | dict(sorted(beside.items(), key=lambda one: one[1]))
    drawing = Drawing(
        74 + 36 * len(rows) + 12,
        "CPU and memory beside other libraries",
        "Multiples of the CPU and memory of rankmetrics on DuckDB: "
        + "; ".join(f"{name} {cpu:.1f} and {memory:.1f}" for name, (cpu, memory) in beside.items())
        + ".",
    )
    drawing.text(20, 28, "as multiples of rankmetrics", "ink strong")
    drawing.text(380, 28, "CPU", "soft", "end")
    drawing.text(460, 28, "memory", "soft", "end")
    drawing.line(20, 46, 460, 46)
    widest = max(cpu for cpu, _ in rows.values())
    for row, (name, (cpu, memory)) in enumerate(rows.items()):
        y, ink = 74 + 36 * row, "good strong" if name == "rankmetrics" else "ink"
        drawing.text(130, y, name, ink, "end")
        drawing.box(142, y - 10, 170 * cpu / widest, 20, "bar")
        drawing.text(380, y, f"{cpu:.1f}", ink, "end")
        drawing.text(460, y, f"{memory:.1f}", ink, "end")
    return drawing


def demo_picture() -> str:
    """The terminal after `make demo`, as the README shows it."""
    screen = Console(record=True, width=100, file=StringIO(), force_terminal=True, highlight=False)
    show_demo(screen)
    return screen.export_svg(title="make demo", unique_id="demo")
